"""Vectors of messages and Forms: made when a recall needs them, compared in one go."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

from forms_dynamics.errors import EmbedderMismatch, StoreUnavailable
from forms_dynamics.language.secrets import redact
from forms_dynamics.model.record import Astray, Reach, Scope, VectorRow
from forms_dynamics.ports import Embedder, Store
from forms_dynamics.retrieval.nearness import Document, Likeness, of
from forms_dynamics.retrieval.quoted import MAX_CHUNK, chunks
from forms_dynamics.retrieval.reach import outside
from forms_dynamics.retrieval.request import Log
from forms_dynamics.settings import Settings

_A_RECALL = 64  # documents that one recall embeds at most: some 0.7 s with the packaged model
_BATCH = 64
_COUNTED = 1000  # documents without vectors beyond this are not counted
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

    Documents without vectors are embedded first, oldest first, at most 64 a recall; what is left is told in
    the trace. ``clean``: secrets are taken out before the embedder sees a text. ``reach``: only documents
    within it (None: archived ones too). Nothing stored: the embedder is not asked. Raises EmbedderMismatch
    where all stored vectors come from another embedder. One that fails is told in the trace and finds nothing.
    """
    held = (store, scope, embedder.fingerprint, embedder.dimensions)
    shelf = of(*held)
    try:
        if not shelf.refresh(store):
            _check(scope, store, embedder)
        fresh, stored = _follow(scope, store, embedder, clean, log)
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
    while waiting := store.unembedded(scope, embedder.fingerprint, _A_RECALL):
        rows = _rows(store, scope, waiting, embedder, clean)
        store.put_vectors(scope, embedder.fingerprint, embedder.dimensions, rows)
        done += len(waiting)
        if (
            len(waiting) < _A_RECALL or over()
        ):  # what came meanwhile is for the next run, or traffic holds this one
            break
    return done


def _follow(
    scope: Scope, store: Store, embedder: Embedder, clean: bool, log: Log
) -> tuple[list[VectorRow], bool]:
    """Embeds documents that have no vectors; gives back rows that could not be stored, and whether any were."""
    waiting = store.unembedded(scope, embedder.fingerprint, _A_RECALL + 1)
    if len(waiting) > _A_RECALL:
        every = len(store.unembedded(scope, embedder.fingerprint, _A_RECALL + _COUNTED)) - _A_RECALL
        most = " or more" if every == _COUNTED else ""
        waiting = waiting[:_A_RECALL]
        log.note(
            "fallback",
            embedder.fingerprint,
            f"embeddings lag: {every:,}{most} documents have no vectors yet",
        )
    if waiting:
        log.note(
            "fallback", embedder.fingerprint, f"embedded {len(waiting)} documents that had no vectors yet"
        )
    rows = _rows(store, scope, waiting, embedder, clean)
    if not rows:
        return [], False
    try:
        store.put_vectors(scope, embedder.fingerprint, embedder.dimensions, rows)
    except StoreUnavailable:  # opened for reading only: they serve this recall
        log.note("fallback", embedder.fingerprint, "vectors could not be stored")
        return rows, False
    return [], True


def _rows(
    store: Store, scope: Scope, waiting: Sequence[tuple[str, str, str]], embedder: Embedder, clean: bool
) -> list[VectorRow]:
    """Vectors of documents; of a message with the name of who said it, as ``Ana: I moved to Lisbon.``"""
    speakers = {
        id: message.speaker
        for id, message in store.messages(scope, [id for kind, id, _ in waiting if kind == "message"]).items()
    }
    pieces: list[tuple[str, str, int, str]] = []
    for kind, id, text in waiting:
        speaker = speakers.get(id, "") if kind == "message" else ""
        shown = f"{speaker}: {text}" if speaker else text
        shown = redact(shown) if clean else shown
        limit = _longest(shown, embedder)
        parts = chunks(shown, limit) or [" "]
        pieces += [(kind, id, part, piece) for part, piece in enumerate(parts)]
    rows = []
    for at in range(0, len(pieces), _BATCH):
        batch = pieces[at : at + _BATCH]
        made = _embed(embedder, [text for *_, text in batch], query=False)
        rows += [
            VectorRow(kind, id, part, _packed(vector))
            for (kind, id, part, _), vector in zip(batch, made, strict=True)
        ]
    return rows


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
