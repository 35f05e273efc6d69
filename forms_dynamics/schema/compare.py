"""When two values of a slot are one: the form in which identity keys, indexes and duplicates compare them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from forms_dynamics.language.contacts import phone_key
from forms_dynamics.language.normal import normal
from forms_dynamics.language.numerals import tidy
from forms_dynamics.model.record import HIDDEN
from forms_dynamics.model.value import Money, Range
from forms_dynamics.schema.spec import SlotSpec


def _number_text(number: Any) -> str:
    number = number if isinstance(number, Decimal) else Decimal(str(number))
    return format(tidy(number), "f")


def key_text(slot: SlotSpec, value: Any) -> str:
    """``value`` in normal form: folded text, digits of a phone, ISO days, an instant in UTC, ``500000 CNY``.

    A Range is ``low..high`` with an open end empty; a many-valued slot's items are sorted and joined by
    ``|``.
    """
    if isinstance(value, str):
        kind = slot.type
        if kind == "phone":
            return phone_key(value) or normal(value)
        if kind == "url":
            return normal(value).rstrip("/")
        return normal(value)
    if isinstance(value, Money):
        return f"{_number_text(value.amount)} {value.currency}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float, Decimal)):
        return _number_text(value)
    if isinstance(value, datetime):
        return (value.astimezone(UTC) if value.tzinfo else value).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Range):
        low, high = ("" if end is None else key_text(slot, end) for end in (value.min, value.max))
        return f"{low}..{high}"
    if isinstance(value, (tuple, list, set, frozenset)):
        return "|".join(sorted(key_text(slot, item) for item in value))
    return normal(str(value))


def same(slot: SlotSpec, a: Any, b: Any) -> bool:
    """Whether two typed values of ``slot`` are one value, spelling aside; order within many values aside."""
    if a is None or b is None:
        return a is b
    if type(a) is type(b) and a == b:
        return True
    return key_text(slot, a) == key_text(slot, b)


def context_part(part: str, *, speaker: str, conversation: str, owner: str) -> str:
    """The key text of ``$speaker``, ``$conversation`` or ``$user``."""
    if part == "$speaker":
        return normal(speaker)
    return HIDDEN + (conversation if part == "$conversation" else owner)
