"""Times of day, and moments: 下午三点, 3:30 pm, 今天下午三点, "Friday at 10am".

A moment is aware, in the offset of ``base`` unless the text names its own. 三点 alone may be night or
afternoon: both are readings, and the value is None.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Any

from forms_dynamics.language.counts import count
from forms_dynamics.language.dates import find_dates, read_date
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import simplified
from forms_dynamics.language.reading import Reading
from forms_dynamics.model.value import Range

_HOUR = r"(?:2[0-4]|1\d|0?\d|二十[一二三四]?|十[一二三四五六七八九]?|[零〇一二两三四五六七八九])"
_MINUTE = r"(?:[0-5]?\d|[二三四五]?十[一二三四五六七八九]?|[零〇]?[一二三四五六七八九])"
_PART_OF_DAY = (
    r"(?P<part>凌晨|清晨|早晨|早上|上午|中午|正午|午后|下午|傍晚|晚上|夜里|半夜|深夜|"
    r"今晚|明晚|昨晚|今早|明早|早|晚)"
)
_ZH = lazy(
    rf"(?:{_PART_OF_DAY}的?\s?)?(?<![\d.一二两三四五六七八九十])(?P<hour>{_HOUR})\s?(?:点钟?|时(?![间候期段代长常差速]))"
    rf"(?:(?P<half>半)|(?P<quarter>[一三])刻|过?(?P<minute>{_MINUTE}(?=分)|[0-5]\d|[二三四五]?十[一二三四五六七八九]?|[零〇][一二三四五六七八九])分?(?!钟|[个点月天次]))?(?![意儿子赞击评餐菜心])"
)
_ZH_CLOCK = lazy(rf"(?:{_PART_OF_DAY}\s?)(?P<hour>[01]?\d|2[0-4])[:：](?P<minute>[0-5]\d)(?![\d:])")
_CLOCK = lazy(
    r"(?<![\w:.])(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:\.\d+)?)?(?!:?\d)"
    r"(?:\s*(?P<half>[ap])\.?m\b\.?)?",
    re.I | re.A,
)
_AM_PM = lazy(r"(?<![\w:.\-$€£¥])(?P<hour>1[0-2]|0?[1-9])\s*(?P<half>[ap])\.?m\b\.?", re.I | re.A)
_WORD = lazy(r"\b(?P<word>noon|midday|midnight)\b|(?P<zh>正午|中午12点)", re.I | re.A)
_AFTERNOON = {"午后", "下午", "傍晚", "晚上", "夜里", "深夜", "今晚", "明晚", "昨晚", "晚"}
_STAMP = lazy(
    r"(?<![\w-])(?P<day>\d{4}-\d\d-\d\d)[T ](?P<time>\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)"
    r"\s?(?P<zone>Z|UTC|[+-]\d\d:?\d\d)?(?![\w:])",
    re.I | re.A,
)


def _zh_hour(hour: int, part: str | None) -> int | tuple[int, int] | None:
    """The hour on the 24 hour clock; two where 三点 may be either; None for none such."""
    if hour > 24:
        return None
    if part is None:
        return (hour, hour + 12) if 1 <= hour <= 6 else hour % 24
    if part in ("中午", "正午"):
        return hour if hour >= 10 else hour + 12
    if part in _AFTERNOON:
        if hour == 12:
            return 12 if part in ("午后", "下午") else 0
        if hour == 0:
            return 0
        return hour + 12 if hour < 12 else hour % 24
    return 0 if part in ("凌晨", "半夜") and hour == 12 else hour % 24


_LATE = frozenset({"晚上", "夜里", "深夜", "半夜", "今晚", "明晚", "昨晚", "晚"})
_END_OF_DAY = "end of day"


def _kind(hour: int, part: str | None) -> str:
    """Whether the time is past the midnight that ends its day: 晚上12点, 24:00."""
    return _END_OF_DAY if hour == 24 or (hour in (0, 12) and part in _LATE) else "time"


def _minute(m: re.Match[str]) -> int:
    if m["half"]:
        return 30
    if m["quarter"]:
        return 15 if m["quarter"] == "一" else 45
    return (count(m["minute"]) or 0) if m["minute"] else 0


@lru_cache(maxsize=256)
def _times(text: str) -> tuple[Reading, ...]:
    folded = simplified(text)
    out: list[Reading] = []

    def put(
        m: re.Match[str], hour: int | tuple[int, int] | None, minute: int, second: int = 0, kind: str = "time"
    ) -> None:
        if hour is None or minute > 59 or any(r.start < m.end() and m.start() < r.end for r in out):
            return
        if isinstance(hour, tuple):
            both = tuple(time(h, minute, second) for h in hour)
            out.append(Reading(m.start(), m.end(), None, alternatives=both, kind="time"))
        elif 0 <= hour <= 24:
            out.append(Reading(m.start(), m.end(), time(hour % 24, minute, second), kind=kind))

    if not folded.isascii():
        for m in _ZH_CLOCK.finditer(folded):
            hour = int(m["hour"])
            put(m, _zh_hour(hour, m["part"]), int(m["minute"]), kind=_kind(hour, m["part"]))
        for m in _ZH.finditer(folded):
            hour = 99 if (h := count(m["hour"])) is None else int(h)
            put(m, _zh_hour(hour, m["part"]), _minute(m), kind=_kind(hour, m["part"]))
    for m in _CLOCK.finditer(folded):
        hour = int(m["hour"])
        if m["half"]:
            late = 12 * (m["half"].lower() == "p")
            put(m, hour % 12 + late if 1 <= hour <= 12 else None, int(m["minute"]))
        else:
            put(m, hour, int(m["minute"]), int(m["second"] or 0), _kind(hour, None))
    for m in _AM_PM.finditer(folded):
        put(m, int(m["hour"]) % 12 + 12 * (m["half"].lower() == "p"), 0)
    for m in _WORD.finditer(folded):
        put(m, 0 if (m["word"] or "").lower() == "midnight" else 12, 0)
    return tuple(sorted(out, key=lambda r: r.start))


def find_times(text: str) -> list[Reading]:
    """All times of day in ``text`` (values ``datetime.time`` without zone)."""
    return list(_times(text))


def _stamps(text: str, base: datetime) -> list[Reading]:
    """Time stamps such as 2026-09-15T15:00:00+08:00; without a zone they are in the offset of ``base``."""
    out = []
    for m in _STAMP.finditer(text):
        zone = m["zone"] or ""
        try:
            value = datetime.fromisoformat(f"{m['day']}T{m['time']}{'Z' if zone.upper() == 'UTC' else zone}")
        except ValueError:
            continue
        if value.tzinfo is None:
            value = value.replace(tzinfo=base.tzinfo)
        out.append(Reading(m.start(), m.end(), value, kind="datetime"))
    return out


_GAP = lazy(r"[\s,，]*(?:at|around|about|on|from|的|在|从|、)?\s*(?:at\s*)?|\s*T", re.I)


def _join(day: Any, clock: Reading, base: datetime) -> tuple[Any, tuple[Any, ...]]:
    """One moment, or all that ``clock`` may mean on ``day``."""

    def at(moment: time) -> datetime:
        over = clock.kind == _END_OF_DAY
        return datetime.combine(day, moment, tzinfo=base.tzinfo) + timedelta(days=over)

    if clock.value is None:
        return None, tuple(at(t) for t in clock.alternatives)
    return at(clock.value), ()


def find_datetimes(text: str, base: datetime, order: str | None = None) -> list[Reading]:
    """All moments in ``text``: a day with a time beside it, or a time alone (the day of ``base``).

    A day without a time is no moment.
    """
    out = _stamps(text, base)
    days = [d for d in find_dates(text, base, order) if isinstance(d.value, date)]
    for clock in find_times(text):
        if any(r.start < clock.end and clock.start < r.end for r in out):
            continue
        beside = None
        for day in days:
            gap = (day.end, clock.start) if day.end <= clock.start else (clock.end, day.start)
            overlap = day.start <= clock.start < day.end  # 今晚 belongs to both 今晚八点's day and time
            if overlap or (gap[0] <= gap[1] and _GAP.fullmatch(text, *gap)):
                beside = day
                break
        value, alternatives = _join(beside.value if beside else base.date(), clock, base)
        start = min(clock.start, beside.start) if beside else clock.start
        end = max(clock.end, beside.end) if beside else clock.end
        out.append(Reading(start, end, value, alternatives=alternatives, kind="datetime"))
    out.extend(_soon(text, base))
    return sorted(out, key=lambda r: r.start)


_AROUND = lazy(r"\s*(?:at|on|from|by|before|于|在|the)?\s*(?:之前|以前|前|开始|起|整)?[。.!！]?\s*", re.I)
_SOON = lazy(
    r"(?:\bin\s+)?(?P<n>\d{1,3}|an?|[一二两三四五六七八九十]{1,3}|半)\s*个?(?P<half>半)?\s*"
    r"(?P<unit>hours?|hrs?|minutes?|mins?|小时|钟头|分钟)\s*"
    r"(?P<way>ago|from now|later|之?后|以后|之?前|以前)?",
    re.I,
)


def _soon(text: str, base: datetime) -> list[Reading]:
    """in 2 hours, 半小时后, ten minutes ago."""
    out = []
    for m in _SOON.finditer(simplified(text)):
        way = (m["way"] or "").lower()
        if not way and not m[0].lower().startswith("in "):
            continue
        number = 0.5 if m["n"] == "半" else float(count(m["n"]) or 0)
        number += 0.5 if m["half"] else 0
        minutes = number * (1 if m["unit"].lower().startswith(("min", "分")) else 60)
        sign = -1 if way in ("ago", "前", "之前", "以前") else 1
        out.append(Reading(m.start(), m.end(), base + sign * timedelta(minutes=minutes), kind="datetime"))
    return out


def read_datetime(raw: str, base: datetime, order: str | None = None, *, context: str = "") -> Reading | None:
    """The moment that ``raw`` as a whole says.

    A full ISO day is its midnight; any other day without a time is the Range of its first to last instant.
    """
    text = raw.strip()
    found = find_datetimes(text, base, order)
    if len(found) == 1:
        rest = text[: found[0].start] + " " + text[found[0].end :]
        return found[0] if _AROUND.fullmatch(rest) else None
    if found:
        return None
    day = read_date(text, base, order, context=context)
    if day is None or day.value is None:
        return None
    low, high = (day.value.min, day.value.max) if isinstance(day.value, Range) else (day.value, day.value)
    start = datetime.combine(low, time(), tzinfo=base.tzinfo)
    if low == high and re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return Reading(day.start, day.end, start, kind="datetime")
    end = datetime.combine(high, time(23, 59, 59), tzinfo=base.tzinfo)
    return Reading(day.start, day.end, Range(start, end), kind="datetime")
