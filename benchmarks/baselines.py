"""Retrievers to be measured against: BM25, vectors of the same embedder, and both fused by their ranks.

Each ranks the first ``size`` turns of a ground, so that a question asked in the middle of a conversation is answered
from what had been said by then, with the document counts and lengths of that moment.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from forms_dynamics.ports import Embedder

_K1, _B = 1.2, 0.75
_RANK = 60  # of the reciprocal ranks
_BATCH = 64
_RUN = re.compile(r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+")


def words(text: str) -> list[str]:
    """Casefolded words; of a Chinese run its pieces of two characters."""
    out: list[str] = []
    for run in _RUN.findall(text.casefold()):
        if "\u3400" <= run[0] <= "\u9fff" and len(run) > 1:
            out += [run[i : i + 2] for i in range(len(run) - 1)]
        else:
            out.append(run)
    return out


class Bm25:
    """Okapi BM25 over texts, exact: k1 1.2, b 0.75."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._postings: dict[str, tuple[list[int], list[int]]] = {}  # word → texts that hold it, how often
        self._lengths: list[int] = []
        self._upto = [0]  # words of all texts before
        for at, text in enumerate(texts):
            held = words(text)
            self._lengths.append(len(held))
            self._upto.append(self._upto[-1] + len(held))
            for word, times in Counter(held).items():
                places, counts = self._postings.setdefault(word, ([], []))
                places.append(at)
                counts.append(times)

    def scores(self, question: str, size: int | None = None) -> dict[int, float]:
        """The score of each of the first ``size`` texts that shares a word with the question."""
        size = len(self._lengths) if size is None else size
        mean = self._upto[size] / max(1, size) or 1.0
        out: dict[int, float] = {}
        for word in dict.fromkeys(words(question)):
            places, counts = self._postings.get(word, ((), ()))
            held = bisect_left(places, size)
            weight = math.log(1 + (size - held + 0.5) / (held + 0.5))
            for at, times in zip(places[:held], counts[:held], strict=True):
                norm = _K1 * (1 - _B + _B * self._lengths[at] / mean)
                out[at] = out.get(at, 0.0) + weight * times * (_K1 + 1) / (times + norm)
        return out

    def rank(self, question: str, size: int | None = None) -> list[int]:
        """Texts that share a word with the question, best first."""
        return _ordered(self.scores(question, size))


class Vectors:
    """Cosines of whole texts."""

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        self._ask = getattr(embedder, "embed_query", embedder.embed)
        self._matrix = _units(
            [v for at in range(0, len(texts), _BATCH) for v in embedder.embed(texts[at : at + _BATCH])]
        )

    def scores(self, question: str, size: int | None = None) -> dict[int, float]:
        """The cosine of each of the first ``size`` texts."""
        found = self._matrix[:size] @ _units(self._ask([question]))[0]
        return dict(enumerate(found.tolist()))

    def rank(self, question: str, size: int | None = None) -> list[int]:
        """All texts, best first."""
        return _ordered(self.scores(question, size))


def fused(rankings: Iterable[Sequence[int]]) -> list[int]:
    """Rankings as one, by the sum of their reciprocal ranks."""
    out: dict[int, float] = {}
    for ranking in rankings:
        for place, at in enumerate(ranking, 1):
            out[at] = out.get(at, 0.0) + 1 / (_RANK + place)
    return _ordered(out)


def _ordered(scores: dict[int, float]) -> list[int]:
    return sorted(scores, key=lambda at: (-scores[at], at))


def _units(vectors: Sequence[Sequence[float]]) -> Any:
    import numpy

    rows = numpy.asarray(vectors, dtype="float32")
    return rows / numpy.maximum(numpy.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


__all__ = ["Bm25", "Vectors", "fused", "words"]
