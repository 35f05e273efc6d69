"""Places of a text, found once: a long message asks for them once for each of its words."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Generic, Protocol, TypeVar


@lru_cache(maxsize=64)
def _signs(text: str, sign: str) -> tuple[int, ...]:
    out: list[int] = []
    at = text.find(sign)
    while at >= 0:
        out.append(at)
        at = text.find(sign, at + 1)
    return tuple(out)


def last_sign(text: str, sign: str, end: int) -> int:
    """``text.rfind(sign, 0, end)`` for one character."""
    signs = _signs(text, sign)
    i = bisect_left(signs, end)
    return signs[i - 1] if i else -1


class Apart:
    """Spans that do not overlap."""

    def __init__(self) -> None:
        self._spans: list[tuple[int, int]] = []

    def overlaps(self, start: int, end: int) -> bool:
        """Whether one of them overlaps ``start`` to ``end``."""
        return overlaps(self._spans, start, end)

    def add(self, start: int, end: int) -> bool:
        """Takes the span, unless it overlaps one that is there."""
        if self.overlaps(start, end):
            return False
        insort(self._spans, (start, end))
        return True


def overlaps(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether one of the spans, which stand in order and apart, overlaps ``start`` to ``end``."""
    # the ends stand in order as the starts do: only the last that begins before ``end`` can reach behind ``start``
    i = bisect_left(spans, (end, -1))
    return i > 0 and spans[i - 1][1] > start


def merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same places as spans that stand in order and apart."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


class Covering:
    """Tells of spans whether one of the given, a longer one, has them in it."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._reach = list(accumulate((end for _, end in ordered), max))

    def has(self, start: int, end: int) -> bool:
        before, here = bisect_left(self._starts, start), bisect_right(self._starts, start)
        return bool(before and self._reach[before - 1] >= end) or bool(here and self._reach[here - 1] > end)


class _Placed(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


T = TypeVar("T", bound=_Placed)


class Placed(Generic[T]):
    """Things of a text, found by where they begin and end, in the order in which they are given."""

    def __init__(self, things: Iterable[T]) -> None:
        self._things = list(things)
        self._starts = sorted((one.start, i) for i, one in enumerate(self._things))
        self._ends = sorted((one.end, i) for i, one in enumerate(self._things))

    def beginning(self, low: int, high: int) -> list[T]:
        """Those that begin at ``low`` to ``high``."""
        return self._of(self._among(self._starts, low, high))

    def ending(self, low: int, high: int) -> list[T]:
        """Those that end at ``low`` to ``high``."""
        return self._of(self._among(self._ends, low, high))

    def beside(self, low: int, start: int, end: int, high: int) -> list[T]:
        """Those that end at ``low`` to ``start`` or begin at ``end`` to ``high``."""
        before, behind = self._among(self._ends, low, start), self._among(self._starts, end, high)
        return self._of({*before, *behind} if before and behind else before or behind)

    @staticmethod
    def _among(places: Sequence[tuple[int, int]], low: int, high: int) -> list[int]:
        first = bisect_left(places, (low, -1))
        return [i for _, i in places[first : bisect_left(places, (high + 1, -1), first)]]

    def _of(self, chosen: Iterable[int]) -> list[T]:
        return [self._things[i] for i in sorted(chosen)]


def any_between(places: Sequence[int], low: int, high: int) -> bool:
    """Whether one of the places, which stand in order, is among ``low`` to ``high``."""
    i = bisect_left(places, low)
    return i < len(places) and places[i] <= high


def distance(places: Sequence[int], at: int) -> int:
    """How far the nearest of the places, which stand in order, is from ``at``."""
    i = bisect_left(places, at)
    return min(abs(place - at) for place in places[max(0, i - 1) : i + 1])


def reach_back(text: str, end: int, size: int, idle: str = "") -> int:
    """Where the last ``size`` characters before ``end`` begin, space and those of ``idle`` not counted: as far back
    as words that stand right before ``end`` can reach."""
    at = end
    while at and size:
        at -= 1
        size -= not (text[at].isspace() or text[at] in idle)
    return at


def reach_on(text: str, start: int, size: int) -> int:
    """Where the first ``size`` characters from ``start`` on end, space not counted."""
    at = start
    while at < len(text) and size:
        size -= not text[at].isspace()
        at += 1
    return at


def skip_space(text: str, at: int) -> int:
    """Where the space that stands at ``at``, if any, is over."""
    while at < len(text) and text[at].isspace():
        at += 1
    return at


__all__ = [
    "Apart",
    "Covering",
    "Placed",
    "any_between",
    "distance",
    "last_sign",
    "merged",
    "overlaps",
    "reach_back",
    "reach_on",
    "skip_space",
]
