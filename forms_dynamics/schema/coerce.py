"""From what an extractor gave for a slot to the slot's typed value.

A whole phrase is read ("about 650k dollars", 小于40万, "by June 30"): the value is what it says, ``hedged``
and
``vague`` tell how surely. What can't be read is an error that names the slot, the fault and what would do;
two
plausible readings (¥500, 03/04) are ``candidates`` and no value. The readers by type are in
``schema.values``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from forms_dynamics.language.money import plain_money, read_money
from forms_dynamics.language.normal import normal
from forms_dynamics.language.nulls import null_like
from forms_dynamics.model.value import Money, Range
from forms_dynamics.schema.compare import key_text, same
from forms_dynamics.schema.spec import SlotSpec
from forms_dynamics.schema.values.choices import read_as_boolean, read_as_enum
from forms_dynamics.schema.values.coerced import Coerced, Reader, Setting, Unread, measure, shown
from forms_dynamics.schema.values.lists import split_list
from forms_dynamics.schema.values.moments import (
    read_as_date,
    read_as_date_range,
    read_as_datetime,
    read_as_duration,
)
from forms_dynamics.schema.values.quantities import (
    read_as_integer,
    read_as_money,
    read_as_number,
    read_as_percent,
)
from forms_dynamics.schema.values.texts import (
    as_given,
    check_characters,
    read_as_email,
    read_as_phone,
    read_as_text,
    read_as_url,
)

__all__ = ["Coerced", "coerce", "key_text", "same"]


def coerce(
    slot: SlotSpec,
    raw: Any,
    base: datetime,
    date_order: str | None = None,
    context: str = "",
    verbatim: bool = False,
) -> Coerced:
    """``raw`` (text, number, list, mapping or typed value) as a value of ``slot``; never raises for bad
    input.

    ``base`` is the aware time of the message, against which relative dates resolve; ``context`` the words that
    ``raw`` was taken from. ``verbatim``: ``raw`` is structured input, not what an extractor read in speech: a text
    is kept as it stands, be it "None", "around 5 pm" or " 酒吧".
    """
    setting = Setting(base, date_order, context, verbatim)
    try:
        found = _many(slot, raw, setting) if slot.many else _one(slot, raw, setting)
        if not _finite(found.value):
            raise Unread(f"{found.value} is no {slot.type}")
        if found.value is not None and (slot.min is not None or slot.max is not None):
            _check_limits(slot, found.value)
    except Unread as fault:
        return Coerced(error=f"{slot.name}: {fault}")
    return found


def _spelt_so(slot: SlotSpec, raw: str) -> bool:
    """Whether an enum declares these very words: 待定 ("to be decided") is a value there and no doubt about one."""
    return slot.type == "enum" and any(
        normal(raw) == normal(word) for value, others in slot.values.items() for word in (value, *others)
    )


def _finite(value: Any) -> bool:
    """Whether all numbers of a value are numbers: those that a program makes may be NaN or infinite."""
    if isinstance(value, Money):
        return value.amount.is_finite()
    if isinstance(value, Range):
        return _finite(value.min) and _finite(value.max)
    if isinstance(value, tuple):
        return all(_finite(one) for one in value)
    return not isinstance(value, Decimal) or value.is_finite()


def _one(slot: SlotSpec, raw: Any, setting: Setting) -> Coerced:
    reader = _READERS[slot.type]
    if isinstance(raw, str):
        if setting.verbatim and slot.type == "text":
            return Coerced(as_given(raw))
        fast = _FAST.get(slot.type)
        if fast is not None and (quick := fast(slot, raw, setting)) is not None:
            return Coerced(quick)
        check_characters(raw)
        if slot.type not in ("boolean", "enum") and null_like(raw):
            return Coerced()
        found = reader(slot, raw, setting)
        if (
            slot.type not in ("text", "ref")
            and found.value is not None
            and not found.hedged
            and len(raw) <= 300
            and not _spelt_so(slot, raw)
        ):
            return replace(found, hedged=True) if slot.hedging.hedged(raw, 0, len(raw)) else found
        return found
    if raw is None or (isinstance(raw, float) and raw != raw):
        return Coerced()
    if isinstance(raw, (list, tuple, set, frozenset)) and slot.type != "date_range":
        return _choice(slot, list(raw), setting)
    return reader(slot, raw, setting)


def _choice(slot: SlotSpec, items: list[Any], setting: Setting) -> Coerced:
    """A list for a single-valued slot: its one value, or candidates."""
    found = [c for item in _said(items) if (c := _one(slot, item, setting)) != Coerced()]
    distinct: dict[str, Coerced] = {}
    for item in found:
        if item.value is not None:
            distinct.setdefault(key_text(slot, item.value), item)
    if len(distinct) == 1:
        return next(iter(distinct.values()))
    if not distinct:
        return found[0] if found else Coerced()
    return Coerced(candidates=tuple(item.value for item in distinct.values()))


def _said(items: list[Any]) -> list[Any]:
    """The items of a list without blank ones."""
    return [item for item in items if not (isinstance(item, str) and not item.strip())]


_SINGLES: dict[int, tuple[SlotSpec, SlotSpec]] = {}


def _single(slot: SlotSpec) -> SlotSpec:
    """The slot of one item; kept, because making it costs more than reading a plain item."""
    kept = _SINGLES.get(id(slot))
    if kept is not None and kept[0] is slot:
        return kept[1]
    if len(_SINGLES) > 4096:
        _SINGLES.clear()
    single = replace(slot, many=False, min=None, max=None)
    _SINGLES[id(slot)] = (slot, single)
    return single


def _many(slot: SlotSpec, raw: Any, setting: Setting) -> Coerced:
    """A tuple of the items' values in order, repeats left out; one bad item makes the whole an error."""
    single = _single(slot)
    if isinstance(raw, str):
        if setting.verbatim and slot.type == "text" and (null_like(raw) or not raw.strip()):
            return Coerced((as_given(raw),))
        if null_like(raw) and slot.type not in ("boolean", "enum"):
            return Coerced()
        items: list[Any] = list(split_list(raw, slot.type))
    elif isinstance(raw, (list, tuple, set, frozenset)):
        items = sorted(raw, key=str) if isinstance(raw, (set, frozenset)) else list(raw)
    else:
        items = [raw]
    values: dict[str, Any] = {}
    candidates: list[Any] = []
    vague = hedged = False
    for item in _said(items):
        got = _one(single, item, setting)
        candidates += got.candidates
        vague, hedged = vague or got.vague, hedged or got.hedged
        if got.value is not None:
            values.setdefault(key_text(single, got.value), got.value)
    if candidates:
        return Coerced(None, vague, hedged, tuple(candidates))
    return Coerced(tuple(values.values()) if values else None, vague, hedged)


_READERS: dict[str, Reader] = {
    "text": read_as_text, "ref": read_as_text, "integer": read_as_integer, "number": read_as_number,
    "money": read_as_money, "percent": read_as_percent, "boolean": read_as_boolean, "enum": read_as_enum,
    "date": read_as_date, "datetime": read_as_datetime, "date_range": read_as_date_range,
    "duration": read_as_duration, "phone": read_as_phone, "email": read_as_email, "url": read_as_url,
}  # fmt: skip

# -- the plain forms that nearly all machine-made values have, read without looking further
# ----------------------
_ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,12})?")
_PLAIN_PHONE = re.compile(r"1[3-9][0-9]{9}|\+[1-9][0-9]{0,2}(?: [0-9]{2,5}){2,5}")
_PLAIN_EMAIL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,24}")


def _fast_date(slot: SlotSpec, raw: str, setting: Setting) -> date | None:
    if len(raw) == 10 and _ISO_DAY.fullmatch(raw):
        try:
            return date.fromisoformat(raw)
        except ValueError:
            return None
    return None


def _fast_number(slot: SlotSpec, raw: str, setting: Setting) -> Decimal | None:
    if slot.unit and setting.context:
        return None  # the words may say another unit
    return Decimal(raw) if _PLAIN_NUMBER.fullmatch(raw) else None


def _fast_integer(slot: SlotSpec, raw: str, setting: Setting) -> int | None:
    if slot.unit and setting.context:
        return None
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) < 19 else None


def _fast_phone(slot: SlotSpec, raw: str, setting: Setting) -> str | None:
    return raw if _PLAIN_PHONE.fullmatch(raw) else None


def _fast_money(slot: SlotSpec, raw: str, setting: Setting) -> Money | None:
    return plain_money(raw, None if setting.context else slot.unit)


def _fast_email(slot: SlotSpec, raw: str, setting: Setting) -> str | None:
    return raw if _PLAIN_EMAIL.fullmatch(raw) else None


_FAST: dict[str, Callable[[SlotSpec, str, Setting], Any]] = {
    "date": _fast_date, "number": _fast_number, "integer": _fast_integer, "phone": _fast_phone,
    "money": _fast_money, "email": _fast_email,
}  # fmt: skip


# -- limits -------------------------------------------------------------------------------------------------
def _limit(slot: SlotSpec, bound: Any) -> Any:
    if slot.type in ("date", "date_range"):
        if isinstance(bound, datetime):
            return bound.date()
        return date.fromisoformat(str(bound)) if not isinstance(bound, date) else bound
    if slot.type == "datetime":
        return bound if isinstance(bound, datetime) else datetime.fromisoformat(str(bound))
    if isinstance(bound, Money):
        return bound.amount
    if isinstance(bound, str) and slot.type == "money":
        read = read_money(bound, slot.unit or "USD")
        return read.value.amount if read is not None and isinstance(read.value, Money) else Decimal(bound)
    return Decimal(str(bound))


def _between(slot: SlotSpec) -> str:
    if slot.min is None or slot.max is None:
        return f"of at least {slot.min}" if slot.max is None else f"of at most {slot.max}"
    return f"from {slot.min} to {slot.max}"


def _check_limits(slot: SlotSpec, value: Any) -> None:
    if slot.type in ("text", "ref", "phone", "email", "url", "enum", "boolean", "duration"):
        return
    for item in value if isinstance(value, tuple) else (value,):
        ends = (item.min, item.max) if isinstance(item, Range) else (item, item)
        for end in ends:
            if end is None:
                continue
            at = measure(end)
            for name, bound in (("min", slot.min), ("max", slot.max)):
                if bound is None:
                    continue
                limit = _limit(slot, bound)
                if isinstance(at, datetime) and limit.tzinfo is None:
                    limit = limit.replace(tzinfo=at.tzinfo)
                if (at < limit) if name == "min" else (at > limit):
                    side = "below its least" if name == "min" else "above its greatest"
                    raise Unread(f"{shown(end)} is {side} value {bound}; give one {_between(slot)}")
