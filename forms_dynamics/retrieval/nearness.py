"""Stored vectors kept in memory between recalls, and how near each document is to a question.

A shelf holds the vectors of one scope and embedder as one matrix and follows the store by its marks, so that
a recall reads what is new and no more. The last few shelves of a store are kept while they are small enough.
"""

from __future__ import annotations

import math
from array import array
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from threading import Lock
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from forms_dynamics.model.record import Scope, VectorRow
from forms_dynamics.ports import Store

Document = tuple[str, str]  # kind, id

_SHELVES = 4  # of one store
_BYTES = 256 * 2**20  # of one store's shelves together
_ONE = 2**30  # of the shelf that was used last, alone: some 570,000 vectors of 384 numbers
_SPARE = 1024  # rows that a matrix that grows gets more at least
_BLOCK = 4096  # rows unpacked at once


class Begun(NamedTuple):
    """A document without vectors in the pieces of which some are made, and those that are ``made``."""

    doc: Document
    text: str  # as it is stored
    pieces: Sequence[str]
    made: Sequence[VectorRow] = ()


class Likeness:
    """Cosines by document: the best of its chunks. A row without a document counts for nothing."""

    def __init__(
        self,
        scores: Any = (),
        docs: Sequence[Document | None] = (),
        places: Mapping[Document, Sequence[int]] | None = None,
    ) -> None:
        self._scores, self._docs, self._places = scores, docs, places or {}

    def joined(self, other: Likeness) -> Likeness:
        """Both together."""
        size = len(self._docs)
        places = {doc: list(rows) for doc, rows in self._places.items()}
        for doc, rows in other._places.items():
            places.setdefault(doc, []).extend(row + size for row in rows)
        docs = [*self._docs, *other._docs]
        numpy = _numpy()
        if numpy is None:
            return Likeness([*self._scores, *other._scores], docs, places)
        return Likeness(numpy.concatenate([self._scores, other._scores]), docs, places)

    def __bool__(self) -> bool:
        return len(self._scores) > 0

    def get(self, doc: Document) -> float | None:
        """The document's cosine; None if it has no vector."""
        rows = [
            at for at in self._places.get(doc, ()) if at < len(self._scores) and self._docs[at] is not None
        ]
        return max((float(self._scores[at]) for at in rows), default=None)

    def nearest(self, limit: int) -> list[tuple[Document, float]]:
        """The nearest documents, best first; of equally near ones in order of kind and id, wherever they stand."""
        size, count = 2 * limit + 16, len(self._scores)
        while True:
            out: dict[Document, float] = {}
            for less, doc in self._best(min(size, count)):
                out.setdefault(doc, -less)
            if len(out) >= limit or size >= count:
                return list(out.items())[:limit]
            size *= 4

    def _best(self, size: int) -> Iterable[tuple[float, Document]]:
        """The ``size`` highest scores, and whatever is as high as the last of them, negated, with documents."""
        if not size:
            return []
        scores = self._scores
        if isinstance(scores, list):
            least = sorted(scores)[-size]
            among = [at for at, score in enumerate(scores) if score >= least]
            values = [scores[at] for at in among]
        else:
            import numpy

            least = numpy.partition(scores, len(scores) - size)[-size]
            kept = numpy.nonzero(scores >= least)[0]
            among, values = kept.tolist(), scores[kept].tolist()
        pairs = ((-value, self._docs[at]) for at, value in zip(among, values, strict=True))
        return sorted((less, doc) for less, doc in pairs if doc is not None)


class Shelf:
    """The vectors of one scope and embedder, active or archived, one a row; a row that went is all zeros and has no
    document."""

    def __init__(self, scope: Scope, fingerprint: str, dimensions: int, archived: bool = False) -> None:
        self.scope, self.fingerprint, self.dimensions = scope, fingerprint, dimensions
        self.archived = archived
        self.begun: dict[Document, Begun] | None = (
            None  # too long for the recalls so far; None: there was none
        )
        self._lock = Lock()
        self._empty()

    def _empty(self) -> None:
        self._mark: Any = None
        self._docs: list[Document | None] = []
        self._places: dict[Document, list[int]] = {}  # document → rows
        self._rows: dict[int, int] = {}  # the store's number → row
        self._matrix: Any = None
        self._lost = 0

    def __bool__(self) -> bool:
        return bool(self._places)

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        return len(self._docs) * (4 * self.dimensions + 300)

    def refresh(self, store: Store) -> bool:
        """Takes over what has changed in the store; whether there are any vectors."""
        with self._lock:
            changes = store.vector_changes(self.scope, self.fingerprint, self._mark, self.archived)
            many = 4 * (self._lost + len(changes.gone)) > len(self._docs)
            if changes.mark is None or self._mark is None:
                self._empty()
            elif many and changes.gone:  # anew, so that rows without a document do not pile up
                self._empty()
                changes = store.vector_changes(self.scope, self.fingerprint, None, self.archived)
            for number in changes.gone:
                self._drop(self._rows.pop(number))
            self._add([each for each in changes.came if len(each[1].vector) == 4 * self.dimensions])
            self._mark = changes.mark
            return bool(self._places)

    def _drop(self, row: int) -> None:
        doc = self._docs[row]
        self._docs[row] = None
        self._lost += 1
        self._matrix[row] = [0.0] * self.dimensions
        if doc is not None:
            left = [at for at in self._places[doc] if at != row]
            if left:
                self._places[doc] = left
            else:
                del self._places[doc]

    def _add(self, came: Sequence[tuple[int, VectorRow]]) -> None:
        start = len(self._docs)
        for number, row in came:
            at = len(self._docs)
            self._rows[number] = at
            self._docs.append((row.kind, row.id))
            self._places.setdefault((row.kind, row.id), []).append(at)
        numpy = _numpy()
        if numpy is None:
            self._matrix = self._matrix or []
            self._matrix += [_plain_unit(array("f", row.vector)) for _, row in came]
            return
        self._make_room(numpy, len(self._docs))
        for at in range(0, len(came), _BLOCK):
            block = came[at : at + _BLOCK]
            rows = numpy.frombuffer(b"".join(row.vector for _, row in block), dtype="<f4")
            rows = rows.reshape(-1, self.dimensions)
            norms = numpy.linalg.norm(rows, axis=1, keepdims=True)
            self._matrix[start + at : start + at + len(block)] = rows / numpy.maximum(norms, 1e-9)

    def _make_room(self, numpy: Any, size: int) -> None:
        held = 0 if self._matrix is None else len(self._matrix)
        if size > held:
            room = size if held == 0 else max(size, held + held // 4, held + _SPARE)
            grown = numpy.zeros((room, self.dimensions), dtype="float32")
            if held:
                grown[:held] = self._matrix
            self._matrix = grown

    def like(
        self,
        asked: Sequence[float],
        fresh: Sequence[VectorRow] = (),
        without: Collection[Document] = (),
        only: Collection[Document] | None = None,
    ) -> Likeness:
        """How near each document is to the vector ``asked``. ``fresh``: rows that the store could not take;
        ``without``: documents left out; ``only``: all others are."""
        with self._lock:
            scores, docs, places = self._scored(asked)
            for doc in without:
                for at in places.get(doc, ()):
                    docs[at] = None
            if only is not None:
                docs = [doc if doc in only else None for doc in docs]
            found = Likeness(scores, docs, places)
            if not fresh:
                return found
            held = Shelf(self.scope, self.fingerprint, self.dimensions)
            held._add([(-1 - i, row) for i, row in enumerate(fresh)])
            return found.joined(Likeness(*held._scored(asked)))

    def _scored(self, asked: Sequence[float]) -> tuple[Any, list[Document | None], dict[Document, list[int]]]:
        count = len(self._docs)
        numpy = _numpy()
        if not count or self._matrix is None:
            return [], [], {}
        if numpy is None:
            unit = _plain_unit(asked)
            return [_dot(unit, row) for row in self._matrix], self._docs.copy(), self._places
        query = numpy.asarray(asked, dtype="float32")
        query = query / max(float(numpy.linalg.norm(query)), 1e-9)
        # row by row: a product of the whole matrix rounds a row by where it stands, and an archived document's
        # neighbours are others than an active one's
        return numpy.einsum("ij,j->i", self._matrix[:count], query), self._docs.copy(), self._places


def _numpy() -> Any:
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def _plain_unit(vector: Sequence[float]) -> array[float]:
    norm = math.sqrt(sum(v * v for v in vector)) or 1.0
    return array("f", (v / norm for v in vector))


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


_kept: WeakKeyDictionary[Any, OrderedDict[tuple[Scope, str, int, bool], Shelf]] = WeakKeyDictionary()
_kept_lock = Lock()


def of(store: Store, scope: Scope, fingerprint: str, dimensions: int, archived: bool = False) -> Shelf:
    """The store's shelf for a scope and embedder, as it was left or empty."""
    key = (scope, fingerprint, dimensions, archived)
    with _kept_lock:
        shelves = _kept.setdefault(store, OrderedDict())
        held = shelves.pop(key, None)
        found = Shelf(*key) if held is None else held
        room = _BYTES - found.bytes
        for other in reversed(list(shelves)):
            room -= shelves[other].bytes
            if room < 0:
                del shelves[other]
        while len(shelves) >= _SHELVES:
            shelves.popitem(last=False)
        if found.bytes <= _ONE:
            shelves[key] = found
        return found


def forget(store: Store) -> None:
    """Lets go of all vectors of a store."""
    with _kept_lock:
        _kept.pop(store, None)


__all__ = ["Document", "Likeness", "Shelf", "forget", "of"]
