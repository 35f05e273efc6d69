"""Vectors of messages and Forms: made when a recall needs them, compared in one go."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence

from forms_dynamics.errors import EmbedderMismatch, StoreUnavailable
from forms_dynamics.language.secrets import redact
from forms_dynamics.model.record import Astray, Reach, Scope, VectorRow
from forms_dynamics.ports import Embedder, Store
from forms_dynamics.retrieval.nearness import Begun, Document, Likeness, Shelf, of
from forms_dynamics.retrieval.quoted import MAX_CHUNK, chunks
from forms_dynamics.retrieval.reach import outside
from forms_dynamics.retrieval.request import Log
from forms_dynamics.settings import Settings

_A_RECALL = 64  # pieces that one recall embeds at most: some 0.7 s with the packaged model
_BATCH = 64  # pieces that the embedder gets at once, or documents that are read at once
_COUNTED = 1000  # documents without vectors beyond this are not counted
Waiting = tuple[str, str, str]  # kind, id, text of a document without vectors
MAX_PIECE = 1024  # Latin characters embedded as one: a turn as people talk is seldom longer


def similar(
    question: str,
    scope: Scope,
    store: Store,
    embedder: Embedder,
    clean: bool,
    log: Log,
    reach: Reach | None = None,
) -> Likeness:
    """The cosine of the question and the nearest chunk of each document of the scope.

    Documents without vectors are embedded first, oldest first, at most 64 pieces a recall; one that is longer gets
    what room is left, recall by recall, and its vectors when all are made (or with upkeep). What is left is told in
    the trace. ``clean``: secrets are taken out before the embedder sees a text. ``reach``: only documents within it
    (None: archived ones too). Nothing stored: the embedder is not asked. Raises EmbedderMismatch where all stored
    vectors come from another embedder. One that fails is told in the trace and finds nothing.
    """
    held = (store, scope, embedder.fingerprint, embedder.dimensions)
    shelf = of(*held)
    try:
        if not shelf.refresh(store):
            _check(scope, store, embedder)
        fresh, stored = _follow(shelf, scope, store, embedder, clean, log)
        # before the shelves are read: what is archived meanwhile is then told, or gone from them
        sides = Astray(frozenset(), frozenset()) if reach is None else store.astray(scope, reach)
        if stored or sides.out:
            shelf.refresh(store)
        if reach is not None and fresh:
            old = outside(store, scope, reach, {(row.kind, row.id) for row in fresh})
            fresh = [row for row in fresh if (row.kind, row.id) not in old]
        archive = of(*held, archived=True) if reach is None or sides.back else None
        if not shelf and not fresh and (archive is None or not archive.refresh(store)):
            return Likeness()
        asked = _embed(embedder, [redact(question) if clean else question], query=True)[0]
    except EmbedderMismatch:
        raise
    except StoreUnavailable:
        raise
    except Exception as failure:  # whatever a third party's embedder raises: words still find
        log.note("fallback", embedder.fingerprint, f"embedder failed: {type(failure).__name__}")
        return Likeness()
    found = shelf.like(asked, fresh, without=sides.out)
    if archive is None or not archive.refresh(store):
        return found
    return found.joined(archive.like(asked, only=None if reach is None else sides.back))


def _check(scope: Scope, store: Store, embedder: Embedder) -> None:
    stored = store.embedders(scope)
    ours = [d for fingerprint, d, n in stored if fingerprint == embedder.fingerprint and n]
    other = [(f, d) for f, d, n in stored if n and (f != embedder.fingerprint or d != embedder.dimensions)]
    if other and (not ours or embedder.dimensions not in ours):
        told = ", ".join(f"{d} dimensions ({f})" for f, d in other)
        raise EmbedderMismatch(
            f"stored vectors have {told}, this embedder gives {embedder.dimensions} "
            f"({embedder.fingerprint}): run rebuild to make them anew"
        )


def embed_all(
    store: Store,
    scope: Scope,
    embedder: Embedder,
    settings: Settings,
    over: Callable[[], bool] = lambda: False,
) -> int:
    """Embeds every document of the scope that has no vectors of this embedder, 64 at a time until ``over``; says
    how many."""
    clean = settings.redact != "off"
    done = 0
    while waiting := store.unembedded(scope, embedder.fingerprint, _BATCH):
        speakers = _speakers(store, scope, waiting)
        whole = [_cut(each, speakers, embedder, clean) for each in waiting]
        rows = _rows([(each, 0, len(each.pieces)) for each in whole], embedder)
        store.put_vectors(scope, embedder.fingerprint, embedder.dimensions, rows)
        done += len(waiting)
        if (
            len(waiting) < _BATCH or over()
        ):  # what came meanwhile is for the next run, or traffic holds this one
            break
    return done


def _follow(
    shelf: Shelf, scope: Scope, store: Store, embedder: Embedder, clean: bool, log: Log
) -> tuple[list[VectorRow], bool]:
    """Embeds documents that have no vectors; gives back rows that could not be stored, and whether any were.

    A document is stored with all its vectors or none. One that is too long for a recall gets the room that others
    leave, and ``shelf.begun`` holds what is made of it; not at a shelf's first recall, since a process may recall but
    once."""
    waiting = store.unembedded(scope, embedder.fingerprint, _A_RECALL + 1)
    if not waiting:
        shelf.begun = {}
        return [], False
    asked = _chosen(waiting[:_A_RECALL], shelf.begun, scope, store, embedder, clean)
    made = _rows(asked, embedder)
    whole = {each.doc for each, _, end in asked if end == len(each.pieces)}
    parts = [each._replace(made=(*each.made, *made)) for each, _, _ in asked if each.doc not in whole]
    shelf.begun = {each.doc: each for each in parts}
    rows = [row for each, _, _ in asked if each.doc in whole for row in each.made]
    rows += [row for row in made if (row.kind, row.id) in whole]
    if len(waiting) > len(whole):
        every = len(store.unembedded(scope, embedder.fingerprint, len(whole) + _COUNTED)) - len(whole)
        most = " or more" if every == _COUNTED else ""
        log.note(
            "fallback",
            embedder.fingerprint,
            f"embeddings lag: {every:,}{most} documents have no vectors yet",
        )
    if not rows:
        return [], False
    log.note("fallback", embedder.fingerprint, f"embedded {len(whole)} documents that had no vectors yet")
    try:
        store.put_vectors(scope, embedder.fingerprint, embedder.dimensions, rows)
    except StoreUnavailable:  # opened for reading only: they serve this recall
        log.note("fallback", embedder.fingerprint, "vectors could not be stored")
        return rows, False
    return [], True


def _chosen(
    waiting: Sequence[Waiting],
    begun: Mapping[Document, Begun] | None,
    scope: Scope,
    store: Store,
    embedder: Embedder,
    clean: bool,
) -> list[tuple[Begun, int, int]]:
    """Documents with the pieces to make now, at most 64: those that fit, oldest first, then some of the first that
    does not."""
    speakers = _speakers(store, scope, waiting)
    out: list[tuple[Begun, int, int]] = []
    room, long = _A_RECALL, None
    for each in waiting:
        doc, text = (each[0], each[1]), each[2]
        held = None if begun is None else begun.get(doc)
        if held is None or held.text != text:
            # without cutting it: more than there is room for
            if len(text) > room * _longest(text, embedder):
                long = long or each
                continue
            held = _cut(each, speakers, embedder, clean)
        have, every = len(held.made), len(held.pieces)
        if every - have > room:
            long = long or each
            continue
        out.append((held, have, every))
        room -= every - have
        if not room:
            break
    if long is not None and room and begun is not None:
        held = begun.get((long[0], long[1]))
        if held is None or held.text != long[2]:
            held = _cut(long, speakers, embedder, clean)
        out.append((held, len(held.made), len(held.made) + room))
    return out


def _speakers(store: Store, scope: Scope, waiting: Sequence[Waiting]) -> dict[str, str]:
    said = store.messages(scope, [id for kind, id, _ in waiting if kind == "message"])
    return {id: message.speaker for id, message in said.items()}


def _cut(waiting: Waiting, speakers: Mapping[str, str], embedder: Embedder, clean: bool) -> Begun:
    """A document in pieces; a message with the name of who said it, as ``Ana: I moved to Lisbon.``"""
    kind, id, text = waiting
    speaker = speakers.get(id, "") if kind == "message" else ""
    shown = f"{speaker}: {text}" if speaker else text
    shown = redact(shown) if clean else shown
    return Begun((kind, id), text, chunks(shown, _longest(shown, embedder)) or [" "])


def _rows(asked: Sequence[tuple[Begun, int, int]], embedder: Embedder) -> list[VectorRow]:
    """Vectors of pieces of documents, from one number to another, in their order. Pieces of about one length are
    embedded together: a batch costs what its longest piece costs."""
    pieces = [(each, part) for each, start, end in asked for part in range(start, end)]
    order = sorted(range(len(pieces)), key=lambda at: len(pieces[at][0].pieces[pieces[at][1]]))
    made: dict[int, bytes] = {}
    for start in range(0, len(order), _BATCH):
        batch = order[start : start + _BATCH]
        vectors = _embed(embedder, [pieces[at][0].pieces[pieces[at][1]] for at in batch], query=False)
        made.update((at, _packed(vector)) for at, vector in zip(batch, vectors, strict=True))
    return [VectorRow(*each.doc, part, made[at]) for at, (each, part) in enumerate(pieces)]


def _longest(text: str, embedder: Embedder) -> int:
    """Characters of a piece that is embedded by itself: a Latin letter is some quarter of a token, any other
    character about one."""
    some = text[:MAX_PIECE]
    if 8 * sum(not c.isascii() for c in some) > len(some):
        return max(16, min(MAX_CHUNK, embedder.max_tokens // 2))
    return max(16, min(MAX_PIECE, 2 * embedder.max_tokens))


def _embed(embedder: Embedder, texts: Sequence[str], query: bool) -> Sequence[Sequence[float]]:
    limit = max(16, embedder.max_tokens)
    ask: Callable[[Sequence[str]], Sequence[Sequence[float]]] = embedder.embed
    if query:
        ask = getattr(embedder, "embed_query", ask)
    return ask([text[: limit if query else None] for text in texts])


def _packed(vector: Sequence[float]) -> bytes:
    return array("f", vector).tobytes()


__all__ = ["Document", "Likeness", "embed_all", "similar"]
