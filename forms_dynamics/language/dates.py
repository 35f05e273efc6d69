"""Days: found in a text, or read from a value's own words, against the day on which they were said.

``base`` is the message's aware time: its calendar day (in its own offset) is what "today" means. Weeks begin
on Monday. 月底, 年底 and "end of" are the last day. A day and month without a year fall in the year that
the tense tells: behind (签了, "was"), ahead (要, 前, "by"), else this year unless that lies more than
half a year back. A day that no calendar has (2026-02-30) is no reading. 03/04 has two readings unless
``order`` says which.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from forms_dynamics.language import dates_en, dates_zh
from forms_dynamics.language.days import DAY, Frame, near_year, safe, sense_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import simplified
from forms_dynamics.language.numerals import folded as folded_text
from forms_dynamics.language.reading import Reading
from forms_dynamics.language.spans import reach_back
from forms_dynamics.model.value import Range

_ISO = lazy(
    r"(?<![A-Za-z0-9_.\-/])(?P<year>(?:19|20)\d\d)(?P<sep>[-/.])(?P<month>\d{1,2})(?P=sep)(?P<day>\d{1,2})"
    r"(?![\d_]|[A-SU-Za-z]|[-/.]\d)"
)
_COMPACT = lazy(
    r"(?<![A-Za-z0-9_.\-/])(?P<year>20\d\d)(?P<month>[01]\d)(?P<day>[0-3]\d)(?![A-Za-z0-9_\-/]|\.\d)"
)
_THREE = lazy(
    r"(?<![A-Za-z0-9_.\-/])(?P<a>\d{1,2})(?P<sep>[-/.])(?P<b>\d{1,2})(?P=sep)(?P<year>(?:19|20)\d\d|\d\d)"
    r"(?![\d_A-Za-z]|[-/.]\d)"
)
_TWO = lazy(
    r"(?:(?P<lead>\b(?:on|by|before|until|till|due|from|since|starting|date:?|deadline:?)\s+(?:the\s+)?|[到至于在]|截止|日期[:：是为]?\s?))?"
    r"(?<![A-Za-z0-9_.\-/])(?P<a>\d{1,2})/(?P<b>\d{1,2})(?![\dA-Za-z_%]|[-/.]\d)(?P<tail>\s?(?:之前|以前|前|号|交付|上线|到期|截止))?"
    r"(?!\s?(?:以上|以下|左右|的|强|inch|\"|of\b|cup|support|双模))"
)


def _ordered(a: int, b: int, order: str | None, make: Any) -> Any:
    """The day of two numbers whose order is month-day or day-month: a day, or both when neither is out."""
    if order in ("MDY", "YMD"):
        return make(a, b)
    if order == "DMY":
        return make(b, a)
    found = dict.fromkeys(day for day in (make(a, b), make(b, a)) if day is not None)
    return next(iter(found)) if len(found) == 1 else tuple(found) or None


def _iso(m: re.Match[str], f: Frame) -> Any:
    return safe(int(m["year"]), int(m["month"]), int(m["day"]))


def _three(m: re.Match[str], f: Frame) -> Any:
    """Day, month and year with the year last; dots are day first, a two-digit year is of this century."""
    a, b, year = int(m["a"]), int(m["b"]), int(m["year"])
    short = len(m["year"]) == 2
    if short and f.order == "YMD":
        return safe(2000 + a, b, year)
    if short and not f.whole and m["sep"] != "/":
        return None  # 10.2.15, 12-04-26: a version, a part number
    year += 2000 if short else 0
    if m["sep"] == ".":
        return safe(year, b, a)
    return _ordered(a, b, None if f.order == "YMD" else f.order, lambda month, day: safe(year, month, day))


def _two(m: re.Match[str], f: Frame) -> Any:
    """03/04, where a word beside it or two leading zeros tell that it is a day, not a fraction."""
    raw_a, raw_b = m["a"], m["b"]
    padded = len(raw_a) == len(raw_b) == 2 and "0" in (raw_a[0], raw_b[0])
    if not (f.whole or m["lead"] or m["tail"] or padded) or (raw_a, raw_b) == ("24", "7"):
        return None
    sense = f.sense(*m.span())
    return _ordered(
        int(raw_a), int(raw_b), f.order, lambda mo, d: near_year(f.today, lambda y: safe(y, mo, d), sense)
    )


_NUMERIC: list[tuple[tuple[str, ...], re.Pattern[str], Any]] = [
    (("-", "/", "."), _ISO, _iso),
    (("20",), _COMPACT, _iso),
    (("-", "/", "."), _THREE, _three),
    (("/",), _TWO, _two),
]
_DIGIT = lazy(r"\d")


def _patterns(text: str) -> Iterator[tuple[re.Pattern[str], Any]]:
    """The patterns that can match: most texts hold the words of few."""
    low = text.lower()
    tables = [_NUMERIC] if _DIGIT.search(text) else []
    if not text.isascii():
        tables.append(dates_zh.PATTERNS)
    tables.append(dates_en.PATTERNS)
    for table in tables:
        for needs, pattern, reader in table:
            for word in needs:
                if word in low:
                    yield pattern, reader
                    break


def _reading(start: int, end: int, value: Any, yearless: bool) -> Reading | None:
    if value is None:
        return None
    if isinstance(value, tuple):
        return Reading(start, end, None, alternatives=value, kind="date", yearless=yearless)
    kind = "date_range" if isinstance(value, Range) else "date"
    return Reading(start, end, value, kind=kind, yearless=yearless)


def _yearless(m: re.Match[str]) -> bool:
    """Whether a match places a day in the calendar without its year: 5月3日, "March 3", 03/04, 周三; not 昨天,
    去年5月3日 or 下个月5号, which the day of the message settles."""
    said = m.groupdict()
    placed = any(said.get(name) for name in ("month", "day", "weekday", "quarter", "a"))
    return placed and not (said.get("year") or said.get("step"))


def _scan(text: str, frame: Frame) -> list[tuple[int, int, Any, bool]]:
    """(start, end, value, year left out) of the longest matches that do not overlap; value None: no such day."""
    found: list[tuple[int, int, int, Any, re.Match[str]]] = []
    for rank, (pattern, reader) in enumerate(_patterns(text)):
        for m in pattern.finditer(text):
            found.append((m.start(), -m.end(), rank, reader, m))
    if len(found) > 1:
        found.sort(key=lambda item: item[:3])
    out: list[tuple[int, int, Any, bool]] = []
    reach = 0
    for start, minus_end, _, reader, m in found:
        if start < reach:
            continue
        reach = -minus_end
        out.append((start, reach, reader(m, frame), _yearless(m)))
    return out


@lru_cache(maxsize=512)
def _found(text: str, today: date, order: str | None, ahead: bool) -> tuple[Reading, ...]:
    folded = folded_text(text)

    def sense(start: int, end: int) -> Any:
        told = sense_of(folded, start, end)
        if told == "future" and not ahead and not _WEEKDAY_ALONE.search(folded, start, end):
            return None
        return told

    frame = Frame(today, sense, order, whole=False)
    spans = _scan(folded, frame)
    return tuple(r for span in spans if (r := _reading(*span)) is not None)


def find_dates(text: str, base: datetime, order: str | None = None, *, ahead: bool = True) -> list[Reading]:
    """All days and spans of days that ``text`` names, in order; values ``date`` or ``Range`` of dates.

    ``order``: DMY, MDY or YMD for 03/04; with None such a reading has value None and both as alternatives.
    ``ahead``: whether the words around a day of the calendar without its year may say that it is ahead ("by", "due").
    """
    return list(_found(text, base.date(), order, ahead))


_AROUND = lazy(
    r"^(?:by|on|until|till|before|due(?: on| by)?|since|from|to|at|in|for|no later than|the|"
    r"于|在|到|至|截止到?|是|为)?\s*$|^\s*(?:之前|以前|前|之后|以后|后|起|止|为止|左右|交付|上线)?[。.,，;；!！]?$",
    re.I,
)


def read_date(raw: str, base: datetime, order: str | None = None, *, context: str = "") -> Reading | None:
    """The day (or span) that ``raw`` as a whole says; None when it says none, or one that does not exist.

    ``context``: the sentence around ``raw``, from which the tense of a day without year is taken.
    """
    text = unicodedata.normalize("NFKC", raw).strip()
    folded = simplified(text)
    at = context.find(raw) if context else -1
    if at >= 0:
        whole, low = folded_text(context), at

        def sense(start: int, end: int) -> Any:
            return sense_of(whole, low + start, low + end)
    else:

        def sense(start: int, end: int) -> Any:
            return sense_of(folded, start, end)

    for start, end, value, yearless in _scan(folded, Frame(base.date(), sense, order, whole=True)):
        if _AROUND.match(folded[:start]) and _AROUND.match(folded[end:]):
            return _reading(start, end, value, yearless)
        return None
    return None


_JOIN = lazy(r"\s*(?:到|至|~|～|-|–|—|to|until|till|through|thru|and)\s*(?:the\s+)?", re.I)
_LAST_DAY = lazy(
    r"\s*(?:到|至|~|～|-|–|—|to|until|through)\s*(?P<day>\d{1,2})(?:st|nd|rd|th)?\s?[日号]?(?!\d|[:：点月/])",
    re.I,
)
_WEEKDAY_ALONE = lazy(r"周|星期|礼拜|[a-z]+day", re.I)
_FROM = lazy(r"(?:从|自|since|from|starting|as of|effective)\s*(?:the\s+)?$", re.I)
_UNTIL = lazy(r"(?:到|至|截止到?|有效期到?|until|till|by|through|before|no later than)\s*(?:the\s+)?$", re.I)
_LEADING = 16  # characters of the longest of these, with "the"
_START_AFTER = lazy(r"\s*(?:起|开始|以后|之后|onwards?|or later)", re.I)
_END_AFTER = lazy(r"\s*(?:止|为止|之前|以前|前|截止)")


def find_ranges(text: str, base: datetime, order: str | None = None, *, ahead: bool = True) -> list[Reading]:
    """Spans of days: from–to, a bound (从…起, until …), or a single day as a span of one."""
    folded = folded_text(text)
    days = find_dates(text, base, order, ahead=ahead)
    out: list[Reading] = []
    i = 0
    while i < len(days):
        first = days[i]
        i += 1
        if first.value is None:
            continue
        low, high = _ends(first.value)
        start, end = first.start, first.end
        if i < len(days) and days[i].value is not None and _JOIN.fullmatch(folded, end, days[i].start):
            later = _ends(days[i].value)[1]
            if later < low and _WEEKDAY_ALONE.match(folded, days[i].start):
                later = low + DAY * ((later - low).days % 7)
            high = later if later >= low else _next_same(low, later)
            end = days[i].end
            i += 1
        elif (m := _LAST_DAY.match(folded, end)) and (last := safe(low.year, low.month, int(m["day"]))):
            if last < low:
                continue
            high, end = last, m.end()
        elif m := _START_AFTER.match(folded, end):
            high, end = None, m.end()
        elif m := _FROM.search(folded, reach_back(folded, start, _LEADING), start):
            high, start = None, m.start()
        elif m := _UNTIL.search(folded, reach_back(folded, start, _LEADING), start):
            low, start = None, m.start()
        elif m := _END_AFTER.match(folded, end):
            low, end = None, m.end()
        out.append(Reading(start, end, Range(low, high), kind="date_range"))
    return out


def _next_same(low: date, day: date) -> Any:
    """The month and day of ``day`` in the first year in which it is not before ``low``."""
    return near_year(low, lambda year: safe(year, day.month, day.day), "future")


def _ends(value: Any) -> tuple[Any, Any]:
    return (value.min, value.max) if isinstance(value, Range) else (value, value)


def read_range(raw: str, base: datetime, order: str | None = None) -> Reading | None:
    """The span of days that ``raw`` as a whole says; None when it says none or more than one."""
    found = find_ranges(raw, base, order)
    if len(found) != 1:
        alone = read_date(raw, base, order)
        if alone is None or alone.value is None:
            return None
        return Reading(alone.start, alone.end, Range(*_ends(alone.value)), kind="date_range")
    start, end = found[0].start, found[0].end
    rest = (raw[:start] + raw[end:]).strip(" 。.,，从自from在:：")
    return found[0] if len(rest) <= 2 else None
