"""What coercion returns, what it knows of the words' surroundings, and how it reads the two ends of a
range."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from forms_dynamics.language.durations import length
from forms_dynamics.language.nulls import null_like
from forms_dynamics.language.reading import Reading
from forms_dynamics.model.value import Money, Range
from forms_dynamics.schema.spec import SlotSpec


@dataclass(frozen=True, slots=True)
class Coerced:
    """``value`` is typed, or None: nothing said, ``candidates`` to choose from, a day without the year that a birth
    date needs (``yearless``, in whichever year), or an ``error``."""

    value: Any = None
    vague: bool = False
    hedged: bool = False
    candidates: tuple[Any, ...] = ()
    error: str | None = None
    yearless: date | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """What the words were said in: the message's time, the order of 03/04, the words around; ``verbatim`` for
    structured input, whose texts are no speech."""

    base: datetime
    date_order: str | None
    context: str
    verbatim: bool = False


class Unread(Exception):
    """The raw value cannot be read as the slot's type; the message says what was wrong and what would do."""


Reader = Callable[[SlotSpec, Any, Setting], Coerced]


def of_reading(found: Reading) -> Coerced:
    return Coerced(found.value, found.vague, False, found.alternatives)


def lone(found: Sequence[Reading]) -> Reading | None:
    """The one reading of a phrase; None when there is none, or several that differ."""
    first = found[0] if found else None
    return first if first is not None and all(r.value == first.value for r in found[1:]) else None


def shown(raw: Any) -> str:
    said = str(raw) if isinstance(raw, (Money, Range, date, Decimal)) else repr(raw)
    return said if len(said) <= 80 else said[:77] + "…'"


CURRENCY_KEYS = ("currency", "unit", "code", "currency_code")
_LOWS = ("min", "from", "start", "low", "valid_from", "since")
_HIGHS = ("max", "to", "end", "high", "valid_until", "until")


def is_span(raw: Any) -> bool:
    return isinstance(raw, Mapping) and any(key in raw for key in (*_LOWS, *_HIGHS))


def span(read: Reader, slot: SlotSpec, raw: Any, setting: Setting) -> Coerced:
    """A Range, or a mapping with its ends, each end read as the slot's type."""
    if isinstance(raw, Range):
        ends: list[Any] = [raw.min, raw.max]
    else:
        ends = [next((raw[k] for k in keys if raw.get(k) is not None), None) for keys in (_LOWS, _HIGHS)]
        if named := next((raw[k] for k in CURRENCY_KEYS if raw.get(k)), None):
            ends = [
                {"amount": e, "currency": named} if e is not None and not isinstance(e, Mapping) else e
                for e in ends
            ]
    got = [Coerced() if null_like(end) else read(slot, end, setting) for end in ends]
    low, high = (_edge(c.value, side) for c, side in zip(got, ("min", "max"), strict=True))
    if low is None and high is None:
        raise Unread(f"{shown(raw)} has neither end; give min, max or both")
    if low is not None and high is not None:
        if measure(low) > measure(high):
            raise Unread(f"{shown(raw)} begins after its end; give the smaller value as min")
        if low == high and slot.type != "date_range":
            return Coerced(low, any(c.vague for c in got), any(c.hedged for c in got))
    return Coerced(Range(low, high), any(c.vague for c in got), any(c.hedged for c in got))


def _edge(value: Any, side: str) -> Any:
    return getattr(value, side) if isinstance(value, Range) else value


def measure(value: Any) -> Any:
    """What is compared: the amount of money, the moment of a day, the seconds of a duration."""
    if isinstance(value, str):
        return length(value)
    if isinstance(value, Money):
        return value.amount
    if isinstance(value, float):
        return Decimal(repr(value))
    return value
