"""Days, moments, spans of days and lengths of time from what was given."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

from forms_dynamics.language.normal import normal
from forms_dynamics.language.numerals import tidy
from forms_dynamics.language.reading import Reading
from forms_dynamics.model.value import Range
from forms_dynamics.schema.spec import SlotSpec
from forms_dynamics.schema.values.coerced import (
    Coerced,
    Setting,
    Unread,
    is_span,
    lone,
    of_reading,
    shown,
    span,
)
from forms_dynamics.schema.values.quantities import decimal

_ISO_SPAN = re.compile(r"\s*([0-9]{4}-[0-9]{2}-[0-9]{2})?\s*(?:/|\.\.)\s*([0-9]{4}-[0-9]{2}-[0-9]{2})?\s*")


_BIRTH = re.compile(
    r"(?:(?!next |coming |下次|下个).*?)?"
    r"(?:生日|出生日期?|出生年月日?|\bbirth(?:day| date|date)|\bdate of birth|\bdob|\bborn)(?: on| of .*)?"
)


@lru_cache(maxsize=1024)
def _is_birth(names: tuple[str, ...]) -> bool:
    return any(_BIRTH.fullmatch(normal(name.replace("_", " "))) for name in names)


def is_birth_date(slot: SlotSpec) -> bool:
    """Whether its name or an alias says that the slot holds a date of birth. Such a day has no year but the one that
    is said: a deadline without one lies ahead, a birth may lie anywhere behind."""
    return slot.type == "date" and _is_birth((slot.name, *slot.aliases))


def read_as_date(slot: SlotSpec, raw: Any, setting: Setting) -> Coerced:
    from forms_dynamics.language import dates

    if isinstance(raw, datetime):
        return Coerced((raw.astimezone(setting.base.tzinfo) if raw.tzinfo else raw).date())
    if isinstance(raw, date):
        return Coerced(raw)
    if isinstance(raw, Range) or is_span(raw):
        return span(read_as_date, slot, raw, setting)
    if isinstance(raw, str):
        found = dates.read_date(raw, setting.base, setting.date_order, context=setting.context)
        if found is None:
            found = lone(dates.find_dates(raw, setting.base, setting.date_order))
        if found is not None:
            return _with_year(slot, raw, found, setting)
    raise Unread(f"{shown(raw)} is no date that the calendar has; write one as 2026-06-30")


def _with_year(slot: SlotSpec, raw: str, found: Reading, setting: Setting) -> Coerced:
    if not (found.yearless and is_birth_date(slot)):
        return of_reading(found)
    if setting.verbatim:
        raise Unread(f"{shown(raw)} names no year; write the whole date, such as 1990-05-03")
    day = found.alternatives[0] if found.alternatives else found.value
    return Coerced(yearless=day.min if isinstance(day, Range) else day)


def read_as_datetime(slot: SlotSpec, raw: Any, setting: Setting) -> Coerced:
    from forms_dynamics.language import times

    if isinstance(raw, datetime):
        return Coerced(raw if raw.tzinfo else raw.replace(tzinfo=setting.base.tzinfo))
    if isinstance(raw, date):
        return Coerced(datetime.combine(raw, time(), tzinfo=setting.base.tzinfo))
    if isinstance(raw, Range) or is_span(raw):
        return span(read_as_datetime, slot, raw, setting)
    if isinstance(raw, str):
        try:
            moment = datetime.fromisoformat(raw.strip())
            return Coerced(moment if moment.tzinfo else moment.replace(tzinfo=setting.base.tzinfo))
        except ValueError:
            pass
        found = times.read_datetime(raw, setting.base, setting.date_order, context=setting.context)
        if found is None:
            found = lone(times.find_datetimes(raw, setting.base, setting.date_order))
        if found is not None:
            return of_reading(found)
    raise Unread(f"{shown(raw)} is no time; write one as 2026-06-30T15:00+08:00")


def read_as_date_range(slot: SlotSpec, raw: Any, setting: Setting) -> Coerced:
    from forms_dynamics.language import dates

    day = replace(slot, type="date", min=None, max=None)
    if isinstance(raw, (list, tuple)) and len(raw) == 2:
        raw = {"min": raw[0], "max": raw[1]}
    if isinstance(raw, str):
        if iso := _ISO_SPAN.fullmatch(raw):
            raw = {"min": iso[1], "max": iso[2]}
        else:
            found = dates.read_range(raw, setting.base, setting.date_order)
            if found is None:
                found = lone(dates.find_ranges(raw, setting.base, setting.date_order))
            if found is not None:
                return of_reading(found)
    if isinstance(raw, date):
        raw = {"min": raw, "max": raw}
    if isinstance(raw, Range) or is_span(raw):
        got = span(read_as_date, day, raw, setting)
        return got if isinstance(got.value, Range) else replace(got, value=Range(got.value, got.value))
    raise Unread(f"{shown(raw)} is no span of days; write one as 2026-06-01/2026-06-30")


_UNITS = {
    "day": "P{}D",
    "week": "P{}W",
    "month": "P{}M",
    "year": "P{}Y",
    "hour": "PT{}H",
    "minute": "PT{}M",
    "second": "PT{}S",
}
_UNITS |= {
    "天": "P{}D",
    "日": "P{}D",
    "周": "P{}W",
    "个月": "P{}M",
    "月": "P{}M",
    "年": "P{}Y",
    "小时": "PT{}H",
    "分钟": "PT{}M",
    "秒": "PT{}S",
}


def read_as_duration(slot: SlotSpec, raw: Any, setting: Setting) -> Coerced:
    from forms_dynamics.language import durations

    if isinstance(raw, Range) or is_span(raw):
        return span(read_as_duration, slot, raw, setting)
    if isinstance(raw, timedelta):
        rest = raw.total_seconds() - raw.days * 86400
        return Coerced(f"P{raw.days}D" if not rest else f"PT{tidy(decimal(raw.total_seconds())):f}S")
    if isinstance(raw, (int, float, Decimal)) and not isinstance(raw, bool):
        shape = _UNITS.get((slot.unit or "").lower().removesuffix("s"))
        if shape:
            return Coerced(shape.format(format(tidy(decimal(raw)), "f")))
    if isinstance(raw, str):
        value = durations.read_duration(raw)
        if value is not None:
            return Coerced(value)
        found = lone(durations.find_durations(raw))
        if found is not None:
            return of_reading(found)
    raise Unread(f"{shown(raw)} is no length of time; write one as P30D, 30 days or 30天")
