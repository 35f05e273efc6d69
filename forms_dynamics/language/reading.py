"""What the readers of numbers, money, dates and contacts return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
