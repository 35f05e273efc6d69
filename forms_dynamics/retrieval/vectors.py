"""Vectors of messages and Forms: made when a recall needs them, compared in one go."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from typing import Any

from forms_dynamics.errors import EmbedderMismatch, StoreUnavailable
from forms_dynamics.language.secrets import redact
from forms_dynamics.model.record import Scope, VectorRow
from forms_dynamics.ports import Embedder, Store
from forms_dynamics.retrieval.quoted import MAX_CHUNK, chunks
from forms_dynamics.retrieval.request import Log
from forms_dynamics.settings import Settings

Document = tuple[str, str]  # kind, id

_A_RECALL = 64  # documents that one recall embeds at most: some 0.7 s with the packaged model
_BATCH = 64


def similar(
    question: str, scope: Scope, store: Store, embedder: Embedder, clean: bool, log: Log
) -> dict[Document, float]:
    """The cosine of the question and the nearest chunk of each document of the scope.

    Documents without vectors are embedded first, oldest first, at most 64 a recall; what is left is told in
    the trace. ``clean``: secrets are taken out before the embedder sees a text. Raises EmbedderMismatch where
    all stored vectors come from another embedder. One that fails is told in the trace and finds nothing.
    """
    _check(scope, store, embedder)
    try:
        fresh = _follow(scope, store, embedder, clean, log)
        asked = _embed(embedder, [redact(question) if clean else question], query=True)[0]
    except EmbedderMismatch:
        raise
    except StoreUnavailable:
        raise
    except Exception as failure:  # whatever a third party's embedder raises: words still find
        log.add("fallback", embedder.fingerprint, f"embedder failed: {type(failure).__name__}")
        return {}
    return _nearest(asked, [*store.vectors(scope, embedder.fingerprint), *fresh], embedder.dimensions)


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


def embed_all(store: Store, scope: Scope, embedder: Embedder, settings: Settings) -> int:
    """Embeds every document of the scope that has no vectors of this embedder; says how many."""
    clean = settings.redact != "off"
    done = 0
    while waiting := store.unembedded(scope, embedder.fingerprint, _A_RECALL):
        store.put_vectors(scope, embedder.fingerprint, embedder.dimensions, _rows(waiting, embedder, clean))
        done += len(waiting)
    return done


def _follow(scope: Scope, store: Store, embedder: Embedder, clean: bool, log: Log) -> list[VectorRow]:
    """Embeds documents that have no vectors; gives back rows that could not be stored."""
    waiting = store.unembedded(scope, embedder.fingerprint, _A_RECALL + 1)
    if len(waiting) > _A_RECALL:
        log.add(
            "fallback",
            embedder.fingerprint,
            f"embeddings lag: more than {_A_RECALL} documents had no vectors yet",
        )
        waiting = waiting[:_A_RECALL]
    elif waiting:
        log.add(
            "fallback", embedder.fingerprint, f"embedded {len(waiting)} documents that had no vectors yet"
        )
    rows = _rows(waiting, embedder, clean)
    if not rows:
        return []
    try:
        store.put_vectors(scope, embedder.fingerprint, embedder.dimensions, rows)
    except StoreUnavailable:  # opened for reading only: they serve this recall
        log.add("fallback", embedder.fingerprint, "vectors could not be stored")
        return rows
    return []


def _rows(waiting: Sequence[tuple[str, str, str]], embedder: Embedder, clean: bool) -> list[VectorRow]:
    limit = max(16, min(MAX_CHUNK, embedder.max_tokens // 2))
    pieces: list[tuple[str, str, int, str]] = []
    for kind, id, text in waiting:
        shown = redact(text) if clean else text
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


def _embed(embedder: Embedder, texts: Sequence[str], query: bool) -> Sequence[Sequence[float]]:
    limit = max(16, embedder.max_tokens)
    ask: Callable[[Sequence[str]], Sequence[Sequence[float]]] = embedder.embed
    if query:
        ask = getattr(embedder, "embed_query", ask)
    return ask([text[: limit if query else None] for text in texts])


def _packed(vector: Sequence[float]) -> bytes:
    return array("f", vector).tobytes()


def _nearest(asked: Sequence[float], rows: Sequence[VectorRow], dimensions: int) -> dict[Document, float]:
    rows = [row for row in rows if len(row.vector) == 4 * dimensions]
    if not rows:
        return {}
    try:
        import numpy
    except ImportError:
        scores = _plainly(asked, rows)
    else:
        scores = _by_numpy(numpy, asked, rows, dimensions)
    out: dict[Document, float] = {}
    for row, score in zip(rows, scores, strict=True):
        key = (row.kind, row.id)
        if score > out.get(key, -2.0):
            out[key] = score
    return out


def _by_numpy(numpy: Any, asked: Sequence[float], rows: Sequence[VectorRow], dimensions: int) -> list[float]:
    matrix = numpy.frombuffer(b"".join(r.vector for r in rows), dtype="<f4").reshape(-1, dimensions)
    query = numpy.asarray(asked, dtype="float32")
    norms = numpy.linalg.norm(matrix, axis=1) * float(numpy.linalg.norm(query))
    scores: list[float] = (matrix @ query / numpy.maximum(norms, 1e-9)).tolist()
    return scores


def _plainly(asked: Sequence[float], rows: Sequence[VectorRow]) -> list[float]:
    size = math.sqrt(sum(v * v for v in asked))
    out = []
    for row in rows:
        vector = array("f", row.vector)
        dot = sum(a * b for a, b in zip(asked, vector, strict=True))
        norm = size * math.sqrt(sum(v * v for v in vector))
        out.append(dot / norm if norm else 0.0)
    return out


__all__ = ["Document", "embed_all", "similar"]
