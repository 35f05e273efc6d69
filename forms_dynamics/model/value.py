"""What a slot can hold, and the one JSON encoding of it (store, export, command line).

Python types by slot type: text, phone, email, url, enum and ref are ``str``; integer ``int``; number and
percent ``Decimal`` (30 % is ``Decimal(30)``); money ``Money``; boolean ``bool``; date ``datetime.date``;
datetime an aware ``datetime`` that keeps the offset it was said in; date_range a ``Range`` of dates; duration
an ISO 8601 duration as ``str`` (``P3M``). A range or bound of any ordered type is a ``Range``. A slot with
``many: true`` holds a ``tuple``.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any


@dataclass(frozen=True, slots=True)
class Money:
    """An exact amount and its ISO 4217 code."""

    amount: Decimal
    currency: str

    def __post_init__(self) -> None:
        if not isinstance(self.amount, Decimal):
            object.__setattr__(self, "amount", Decimal(str(self.amount)))

    def __str__(self) -> str:
        return f"{self.amount:,f} {self.currency}"


@dataclass(frozen=True, slots=True)
class Range:
    """From ``min`` to ``max``, both included; ``None`` at one end makes it a bound."""

    min: Any
    max: Any

    def __str__(self) -> str:
        if self.min is None:
            return f"≤ {self.max}"
        if self.max is None:
            return f"≥ {self.min}"
        return f"{self.min}–{self.max}"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words that a value rests on: ``text`` is ``message[start:end]`` (code points).

    ``source`` is ``message``, ``tool call`` or ``import``; for the last two ``text`` is the path or row.
    """

    message_id: str | None
    start: int
    end: int
    text: str
    source: str = "message"


def encode(value: Any) -> Any:
    """A slot value as plain JSON, self-describing: numbers that must stay exact travel as strings."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, Money):
        return {"amount": format(value.amount, "f"), "currency": value.currency}
    if isinstance(value, (tuple, list)):
        return [encode(item) for item in value]
    if isinstance(value, datetime):
        return {"time": value.isoformat()}
    if isinstance(value, date):
        return {"date": value.isoformat()}
    if isinstance(value, Decimal):
        return {"number": format(value, "f")}
    if isinstance(value, Range):
        return {"min": encode(value.min), "max": encode(value.max)}
    if isinstance(value, float):
        return {"number": format(Decimal(repr(value)), "f")}
    raise TypeError(f"{type(value).__name__} is no slot value")


def decode(raw: Any) -> Any:
    """The inverse of :func:`encode`."""
    if type(raw) is str:
        return raw
    if isinstance(raw, list):
        return tuple(decode(item) for item in raw)
    if not isinstance(raw, dict):
        return raw
    if "amount" in raw:
        return Money(Decimal(raw["amount"]), raw["currency"])
    if "date" in raw:
        return date.fromisoformat(raw["date"])
    if "time" in raw:
        return datetime.fromisoformat(raw["time"])
    if "number" in raw:
        return Decimal(raw["number"])
    return Range(decode(raw["min"]), decode(raw["max"]))


# Instants are kept as microseconds since 1970 UTC: exact, ordered, eight bytes.
SECOND = 1_000_000
DAY = 86_400 * SECOND
MOST_DAYS = 36_500  # that a span of days may have: a century
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_micros(moment: datetime) -> int:
    """An aware datetime as microseconds since 1970 UTC."""
    return (moment - _EPOCH) // _MICROSECOND


LAST = to_micros(datetime.max.replace(tzinfo=UTC))  # the last instant of the year 9999
_FIRST = to_micros(datetime.min.replace(tzinfo=UTC))


@lru_cache(maxsize=4096)  # the slots of a Form share few moments
def from_micros(micros: int) -> datetime:
    """Microseconds since 1970 UTC as an aware UTC datetime; what lies beyond the years 1 to 9999 as their end."""
    return _EPOCH + timedelta(microseconds=min(max(micros, _FIRST), LAST))


def days_after(start: int, days: float) -> int:
    """So many days after an instant; never later than the last that there is."""
    return min(start + round(days * DAY), LAST)
