"""Numbers, percentages and money from what was given."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any

from forms_dynamics.language.contacts import find_percents
from forms_dynamics.language.money import ISO, currency_of, read_money
from forms_dynamics.language.numbers import find_numbers, read_number
from forms_dynamics.language.numerals import tidy
from forms_dynamics.language.reading import Reading
from forms_dynamics.language.units import factor, other_unit
from forms_dynamics.model.value import Money, Range
from forms_dynamics.schema.spec import SlotSpec
from forms_dynamics.schema.values.coerced import (
    CURRENCY_KEYS,
    Coerced,
    Setting,
    Unread,
    is_span,
    of_reading,
    shown,
    span,
)


def read_as_number(slot: SlotSpec, raw: Any, setting: Setting) -> Coerced:
    if isinstance(raw, Range) or is_span(raw):
        return span(read_as_number, slot, raw, setting)
    times = _times(slot, raw, setting)
    if isinstance(raw, str):
        found = read_number(raw)
        if found is None:
            raise Unread(f"{shown(raw)} says no number, or several; write one, such as 12.5")
        return of_reading(found if times is None else replace(found, value=multiplied(found.value, times)))
    return Coerced(decimal(raw) if times is None else multiplied(decimal(raw), times))


def in_unit(unit: str, reading: Reading, text: str) -> Reading:
    """The number of ``text`` as one of ``unit``, where it is said in another that converts."""
    times = factor(unit, text, reading.end)
    return reading if times is None else replace(reading, value=multiplied(reading.value, times))


def multiplied(value: Any, times: Decimal) -> Any:
    """A number, or both ends of a range, in another unit."""
    if isinstance(value, Range):
        return Range(*(None if end is None else tidy(end * times) for end in (value.min, value.max)))
    return value if value is None else tidy(value * times)


def _times(slot: SlotSpec, raw: Any, setting: Setting) -> Decimal | None:
    """What a number is multiplied by that is said in another unit than the slot's: 1.2 kg for a slot in g. Raises
    Unread where the unit makes another number of it: 35,000 miles are no 35,000 km."""
    if not slot.unit:
        return None
    wanted: set[Decimal] = set()
    texts = [setting.context]
    if isinstance(raw, str):
        texts.insert(0, raw)
        read = read_number(raw)
        if read is not None and isinstance(read.value, Decimal):
            wanted.add(read.value)
    elif isinstance(raw, (int, float, Decimal)) and not isinstance(raw, bool):
        wanted.add(decimal(raw))
    for text in texts:
        said = [r for r in find_numbers(text) if r.value in wanted] if text else []
        units = [other_unit(slot.unit, text, r.end) for r in said]
        if units and all(units):
            times = {factor(slot.unit, text, r.end) for r in said}
            if len(times) == 1 and (one := times.pop()) is not None:
                return one
            raise Unread(
                f"{shown(raw)} is in {units[0]}, and the slot in {slot.unit}; write it in {slot.unit}"
            )
    return None


def read_as_integer(slot: SlotSpec, raw: Any, setting: Setting) -> Coerced:
    found = read_as_number(slot, raw, setting)
    value = found.value
    if isinstance(value, Range):
        return replace(found, value=Range(_whole(raw, value.min), _whole(raw, value.max)))
    return replace(found, value=_whole(raw, value)) if value is not None else found


def _whole(raw: Any, number: Any) -> int | None:
    if number is None or isinstance(number, int):
        return number
    if number != number.to_integral_value():
        raise Unread(f"{shown(raw)} is no whole number; write one, such as 3")
    return int(number)


def decimal(raw: Any) -> Decimal:
    if isinstance(raw, bool) or not isinstance(raw, (int, float, Decimal)):
        raise Unread(f"{shown(raw)} is no number; write one, such as 12.5")
    try:
        number = Decimal(repr(raw)) if isinstance(raw, float) else Decimal(raw)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise Unread(f"{shown(raw)} is no finite number; write one, such as 12.5")
    if isinstance(raw, float) and number == number.to_integral_value():
        return number.quantize(Decimal(1))
    return number


_ZHE = re.compile(r"[0-9.一二三四五六七八九两半]+\s?折(?![扣线叠腾磨断弯])")


def _check_zhe(raw: Any, context: str) -> None:
    """九折 is nine tenths of the price: which percentage is meant, the paid or the spared, it does not say."""
    number = str(raw).strip()
    if isinstance(raw, str) and _ZHE.search(raw):
        said = raw
    elif context and number and any(m[0].startswith(number) for m in _ZHE.finditer(context)):
        said = context
    else:
        return
    if not find_percents(said):
        raise Unread(f"{shown(raw)}: 折 is a share of the price and no percentage; write 10% for 九折")


def read_as_percent(slot: SlotSpec, raw: Any, setting: Setting) -> Coerced:
    _check_zhe(raw, setting.context)
    if isinstance(raw, str):
        found = find_percents(raw)
        if len({r.value for r in found}) == 1:
            return of_reading(found[0])
        plain = read_number(raw) if not found else None
        if plain is None:
            raise Unread(f"{shown(raw)} says no percentage, or several; write one, such as 30%")
        return replace(of_reading(plain), value=_as_said(plain.value, setting.context))
    if isinstance(raw, Range) or is_span(raw):
        return span(read_as_percent, slot, raw, setting)
    return Coerced(_as_said(decimal(raw), setting.context))


def _as_said(number: Any, context: str) -> Any:
    """0.3 is 30 where the words say 30 %."""
    if not context or isinstance(number, Range) or not 0 < abs(number) <= 1:
        return number
    said = {r.value for r in find_percents(context)}
    return tidy(number * 100) if number * 100 in said and number not in said else number


def read_as_money(slot: SlotSpec, raw: Any, setting: Setting) -> Coerced:
    if isinstance(raw, Money):
        return Coerced(raw)
    if isinstance(raw, Mapping) and (amount := raw.get("amount", raw.get("value"))) is not None:
        return _money_of(slot, amount, raw, setting)
    if isinstance(raw, Range) or is_span(raw):
        return span(read_as_money, slot, raw, setting)
    if isinstance(raw, (int, float, Decimal)) and not isinstance(raw, bool):
        number = decimal(raw)
        if slot.unit and not setting.context:
            return Coerced(Money(number, slot.unit))
        raw = format(number, "f")
    if not isinstance(raw, str):
        raise Unread(f"{shown(raw)} is no amount of money; write one, such as {_money_example(slot)}")
    found = read_money(raw, slot.unit, setting.context)
    if found is None:
        raise Unread(
            f"{shown(raw)} says no amount of money, or several; write one, such as {_money_example(slot)}"
        )
    if found.kind == "money?":
        raise Unread(
            f"{shown(raw)} names no currency and the slot no unit; write 500 USD, say, or declare a unit"
        )
    return of_reading(found)


def _money_of(slot: SlotSpec, amount: Any, raw: Mapping[str, Any], setting: Setting) -> Coerced:
    named = next((str(raw[k]) for k in CURRENCY_KEYS if raw.get(k)), "")
    code = named.strip().upper()
    if named and code not in ISO:
        meant = currency_of(named, slot.unit)
        if meant is None:
            raise Unread(f"{named!r} is no currency; write an ISO code, such as {slot.unit or 'USD'}")
        code = meant
    if not code:
        return read_as_money(slot, amount, setting)
    if isinstance(amount, str):
        found = read_money(amount, code)
        if found is None or (isinstance(found.value, Money) and found.value.currency != code):
            raise Unread(
                f"{shown(dict(raw))} is no amount of money; write one, such as {_money_example(slot)}"
            )
        return of_reading(found)
    return Coerced(Money(decimal(amount), code))


def _money_example(slot: SlotSpec) -> str:
    return f"500,000 {slot.unit or 'USD'}"
