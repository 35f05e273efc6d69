"""Patterns that are compiled when they are first used: a text in one language never needs the other's."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache
from operator import methodcaller
from typing import Any, cast


class _Lazy:
    """Stands for a compiled pattern; what is asked of it once is an attribute from then on."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._source = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = self.__dict__.get("_compiled")
        if compiled is None:
            pattern, flags = self._source
            compiled = self._compiled = re.compile(pattern, flags)
        found = getattr(compiled, name)
        setattr(self, name, found)
        return found


def lazy(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """``re.compile(pattern, flags)``, put off until the first search; a mistake in it shows only then.

    Safe to share between threads: two may compile it at once, and either result does.
    """
    return cast("re.Pattern[str]", _Lazy(pattern, int(flags)))


_LONG = 400  # characters of a stretch in which a pattern is looked for anew each time
_MARGIN = 160  # before its end, where a match may be another than in the whole text
_START, _END = methodcaller("start"), methodcaller("end")


@lru_cache(maxsize=128)
def _matches(pattern: re.Pattern[str], text: str) -> tuple[re.Match[str], ...]:
    return tuple(pattern.finditer(text))


def matches(pattern: re.Pattern[str], text: str, low: int, high: int) -> Iterator[re.Match[str]]:
    """``pattern.finditer(text, low, high)``. In a sentence without end, where each word asks for it, the text is read
    once. ``pattern``: a :func:`lazy` one, whose matches are shorter than 160 characters."""
    if high - low <= _LONG:
        yield from pattern.finditer(text, low, high)
        return
    found = _matches(pattern, text)
    for i in range(bisect_left(found, low, key=_START), len(found)):
        if found[i].end() > high - _MARGIN:
            break
        low = found[i].end()
        yield found[i]
    yield from pattern.finditer(text, max(low, high - 2 * _MARGIN), high)


def last_match(pattern: re.Pattern[str], text: str, low: int, high: int) -> re.Match[str] | None:
    """The last of :func:`matches`."""
    if high - low > _LONG:
        every = _matches(pattern, text)
        i = bisect_right(every, high - _MARGIN, key=_END)
        before = every[i - 1] if i and every[i - 1].start() >= low else None
        near = max(low if before is None else before.end(), high - 2 * _MARGIN)
        return last_match(pattern, text, near, high) or before
    found = tuple(pattern.finditer(text, low, high))
    return found[-1] if found else None
