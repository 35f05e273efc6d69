"""What the readers of numbers, money, dates and contacts return."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

_START = attrgetter("start")


@dataclass(frozen=True, slots=True)
class Reading:
    """One value found in a text: ``text[start:end]`` says ``value``.

    ``value`` is typed (``model.value``) or a ``Range``; ``vague``: inexact by its own form (四五十万,
    三十几万,
    "a few thousand"). Two or more plausible readings stand in ``alternatives``, and ``value`` is then None.
    ``kind``: number, money, percent, date ...; "money?" is an amount whose currency is not known.
    ``yearless``: a day, month or weekday whose year the words leave out, taken from the day of the message.
    """

    start: int
    end: int
    value: Any
    vague: bool = False
    alternatives: tuple[Any, ...] = ()
    kind: str = ""
    yearless: bool = False


def first_from(readings: Sequence[Reading], at: int) -> Reading | None:
    """The first that begins at ``at`` or behind; ``readings`` stand in the order of the text."""
    i = bisect_left(readings, at, key=_START)
    return readings[i] if i < len(readings) else None


def last_before(readings: Sequence[Reading], start: int, end: int) -> Reading | None:
    """The last that begins before ``start`` and ends at ``end`` or before; they stand in the order of the text."""
    for i in range(bisect_left(readings, start, key=_START) - 1, -1, -1):
        if readings[i].end <= end:
            return readings[i]
    return None
