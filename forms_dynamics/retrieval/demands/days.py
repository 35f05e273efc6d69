"""Days and periods of a question: where they stand, where they begin and end.

Which slot they are days of is told by :mod:`forms_dynamics.retrieval.demands.day_slots`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple

from forms_dynamics.language.dates import find_dates, find_ranges
from forms_dynamics.language.days import near_year, safe
from forms_dynamics.model.value import Range, to_micros
from forms_dynamics.retrieval.demands.draft import Span
from forms_dynamics.retrieval.question import Question

_DAY = timedelta(days=1)
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_MONTH_EN = re.compile(
    r"\b(?:(jan)(?:uary)?|(feb)(?:ruary)?|(mar)(?:ch)?|(apr)(?:il)?|(may)|(june?)|(july?)|(aug)(?:ust)?|(sep)(?:t|tember)?|"
    r"(oct)(?:ober)?|(nov)(?:ember)?|(dec)(?:ember)?)\b(?! ?\d| ?(?-i:[A-Z][a-z]))(?!['’]s)",
    re.I,
)
_MAYBE_NO_MONTH = frozenset(("may", "march", "mar", "jan", "jun", "dec", "sep"))  # in small letters
_BEFORE_MONTH = re.compile(
    r"(?:\b(?:after|before|since|until|till|by|from|through|thru|between|in|during|than|past|due|ending|end|ends|"
    r"starting|early|late|this|last|next|to|prior to|end of)|[到至从自在和与])\s*(?:the\s+)?$",
    re.I,
)
_MONTH_ZH = re.compile(
    "(?<![个一二三四五六七八九十\\d])(十[一二]?|[一二三四五六七八九]|1[0-2]|0?[1-9])月(?:份)?(?![一二三四五六七八九十\\d])"
)
_DIGITS_ZH = {c: n for n, c in enumerate("一二三四五六七八九十", 1)} | {"十一": 11, "十二": 12}
_MONTH_ISO = re.compile(r"(?<![\w./-])((?:19|20)\d\d)[-/.](0?[1-9]|1[0-2])(?![\d/.-]|[a-z])")
_SLASHED = re.compile(r"(?<![\w/.-])(0?[1-9]|1[0-2])/(\d{1,2})(?![\w/.%-])")
_FIRST_OF_TWO = re.compile(  # between 5 and 10 July
    r"(?:\b(?:between|from)\s+(?:the\s+)?)(?P<day>\d{1,2})(?:st|nd|rd|th)?\s*(?:and|to|-|–|through)\s*(?:the\s+)?$",
    re.I,
)
_PRESENT = re.compile(
    r"\b(?:\w{3,}ing|due|ends?|expires?|arrives?|renews?|falls?|deadline)\b(?:\s+\w+){0,2}\s*$", re.I
)
_YEAR = re.compile(
    r"(?:\bin |\bof |\bduring )?(?<![\d-])((?:19|20)\d\d)(?:年|\b)(?![-/.年月\d]| ?(?:cny|usd|eur|元))"
)
_LENGTH = {
    "d": 1, "天": 1, "日": 1, "w": 7, "周": 7, "星": 7, "礼": 7, "m": 30, "月": 30, "y": 365, "年": 365
}  # fmt: skip
_LENGTHS = re.compile("天|日|周|星期|礼拜|月|年|(?:day|week|month|year)s?\\b", re.I)
_AHEAD = re.compile(
    r"(?:未来|今后|接下来|往后|之后)的?(\d+) ?个?(天|日|周|星期|礼拜|月|年)(?:之?内|以内)?|"
    r"(?<![去今明前后])(\d+) ?个?(天|日|周|星期|礼拜|月|年)(?:之内|以内|内)|"
    r"\b(?:within|in) the (?:next|coming) (\d+) (d|w|m|y)[a-z]+|"
    r"\b(?:next|coming|within(?: the next)?) (\d+) (d|w|m|y)[a-z]+"
)
_BACK = re.compile(
    r"(?:最近|近|过去|前)的?(\d+) ?个?(天|日|周|星期|礼拜|月|年)(?:之?内|以内|里|来)?|"
    r"\b(?:(?:in|over|within) the )?(?:last|past) (\d+) (d|w|m|y)[a-z]+"
)
_NUMBERS_EN = {w: n for n, w in enumerate("zero one two three four five six seven eight nine ten".split())}
_JOIN = re.compile(r"\s*(?:到|至|~|～|-|–|—|to|until|till|through|thru)\s*(?:the\s+)?(?:end of\s+)?", re.I)
_AND = re.compile(r"\s*(?:到|至|~|-|–|and|to|和|与|跟|、)\s*(?:the\s+)?(?:end of\s+)?", re.I)
_BETWEEN = re.compile(r"(?:\bbetween|介于|处于)\s*(?:the\s+)?$", re.I)
_BETWEEN_AFTER = re.compile(r"\s*(?:之间|中间|期间|间)")
_FROM = re.compile(r"(?:\b(?:from|between|in)|从|自|由|在|介于)\s*(?:the\s+)?$", re.I)
_AFTER_RANGE = re.compile(r"\s*(?:之间|中间|期间|间|为止|止)")
_BARE_DAY = re.compile(r"(?:the )?\d{1,2}(?:st|nd|rd|th|[号日])?", re.I)
_WEEKDAY = re.compile(r"(?:下|这|本)?(?:周|星期|礼拜)[一二三四五六日天末]|[a-z]+day", re.I)
_BOUND = re.compile(  # words before a day that make it the first or the last one
    r"(?:(?P<until>\b(?:by|until|till|through|up to|no later than|not later than|not after)|"
    r"不晚于|不迟于|截止到?|截至|[到至])|"
    r"(?P<since>\b(?:since|from|starting|as of|no earlier than|not earlier than|not before)|不早于|从|自)|"
    r"(?P<past>\b(?:after|later than|past|beyond)|晚于|迟于)|"
    r"(?P<ahead>\b(?:before|earlier than|prior to|ahead of)|早于))"
    r"\s*(?:the\s+)?(?:end of\s+)?$",
    re.I,
)
_BOUND_AFTER = re.compile(
    r"^\s*(?:(?P<since>起|开始|以来|及以后|及之后|以后|onwards?|or later|and later)|(?P<later>之后|过后|后)|"
    r"(?P<until>为止|止|截止|及以前|及之前|or earlier|and earlier)|(?P<before>之前|以前|前))",
    re.I,
)
_TIMED = re.compile(
    r"[月日号年周天]|季度|\b(?:in|on|at|during|last|ago|yesterday|back|end of|(?:19|20)\d\d)\b"
)
_SAID_OF = re.compile(
    r"的?(?:会议|例会|评审|活动|约会|订单|合同|报价单|报告)|(?: |'s |’s )(?:meeting|order|contract|report|event)\b"
)


_NO_YEAR = re.compile(r"(?:(?!\d{4}|[年明来下]|next|coming).)+")
_TO_COME = re.compile(
    r"[将会要]|打算|计划|预计|预期|安排|以后|未来|明年|来年|下个?[周月季年次]|"
    r"\b(?:will|shall|going to|next|coming|plann?(?:ed)?|expect(?:ed)?|is|are|due|by|until|from)\b"
)


class Days(NamedTuple):
    """Days that a question names, both ends included; None: open."""

    span: Span
    first: date | None
    last: date | None


class _Named(NamedTuple):
    """A day or period by itself, without the words for a bound."""

    start: int
    end: int
    first: date
    last: date


# -- reading the question ------------------------------------------------------------------------------------
def days_of(question: Question, now: datetime) -> list[Days]:
    """Days and periods of the question, in order."""
    text = source(question)
    named = _named(text, now)
    out: list[Days] = []
    at = 0
    while at < len(named):
        one, other = named[at], named[at + 1] if at + 1 < len(named) else None
        both = None if other is None else _range(text, one, other)
        out.append(_bounded(text, one) if both is None else both)
        at += 1 if both is None else 2
    return out


def source(question: Question) -> str:
    """The text as it was written (May is no may) where offsets are those of its normal form."""
    return question.raw if len(question.raw) == len(question.text) else question.text


def _named(text: str, now: datetime) -> list[_Named]:
    out = [*_lengths(text, now.date())]

    def add(start: int, end: int, first: date, last: date) -> None:
        if not any(start < n.end and n.start < end for n in out):
            out.append(_Named(start, end, first, last))

    # a question asks about what is stored, not about what lies ahead: "due on June 10" is this June's, over or not
    alone = [r for r in find_dates(text, now, ahead=False) if r.value is not None]
    for reading in find_ranges(text, now, ahead=False):
        value, inner = reading.value, [r for r in alone if reading.start <= r.start and r.end <= reading.end]
        if len(inner) != 1 or (inner[0].start, inner[0].end) == (reading.start, reading.end):
            continue
        if isinstance(value, Range) and value.min is not None and value.max is not None:
            add(reading.start, reading.end, value.min, value.max)  # June 15-20
    for reading in alone:
        value = reading.value
        first, last = (value.min, value.max) if isinstance(value, Range) else (value, value)
        if reading.yearless and first is not None and last is not None:
            first, last = _not_over(text, reading.start, first, last, now.date())
        if first is not None and last is not None:
            add(reading.start, reading.end, first, last)
    for found in _MONTH_ISO.finditer(text):
        add(*found.span(), *_month(int(found[1]), int(found[2])))
    for found in _MONTH_ZH.finditer(text):
        said = found[1]
        add(*found.span(), *_near_month(_DIGITS_ZH.get(said) or int(said), now))
    for found in _MONTH_EN.finditer(text):
        if _is_month(text, found):
            number = next(n for n, group in enumerate(found.groups(), 1) if group)
            add(*found.span(), *_near_month(number, now))
    for found in _SLASHED.finditer(text):
        beside = _BEFORE_MONTH.search(text, 0, found.start()) or _JOIN.match(text, found.end())
        if int(found[2]) > 12 and beside:  # 6/15 is a day; 6/7 may be of June or of July
            first, last = _near_month(int(found[1]), now)
            if int(found[2]) <= last.day:
                day = first.replace(day=int(found[2]))
                add(*found.span(), day, day)
    for found in _YEAR.finditer(text):
        year = int(found[1])
        add(*found.span(), date(year, 1, 1), date(year, 12, 31))
    return sorted(out)


def _not_over(text: str, start: int, first: date, last: date, today: date) -> tuple[date, date]:
    """A day without its year that a verb of the present stands at lies in this year, whatever else of the question
    speaks of the past: "declared shipments arriving after July 1"."""
    if first.year < today.year and _PRESENT.search(text, 0, start):
        near = near_year(today, lambda year: safe(year, first.month, first.day), None)
        if near is not None:
            return near, near + (last - first)
    return first, last


def _lengths(text: str, today: date) -> Iterator[_Named]:
    """So many days from today on, or up to today: 两周内, "within 30 days", 最近三天."""
    if _LENGTHS.search(text) is None:
        return
    low = _with_digits(text)
    for pattern, ahead in ((_AHEAD, True), (_BACK, False)):
        for found in pattern.finditer(low):
            number, unit = (group for group in found.groups() if group is not None)
            days = timedelta(days=min(int(number), 3660) * _LENGTH[unit[0]])
            if len(low) == len(text):
                first, last = (today, today + days) if ahead else (today - days, today)
                yield _Named(*found.span(), first, last)


def _with_digits(text: str) -> str:
    """Small numbers as digits, where that changes no place in the text."""
    zh = re.sub("[一两二三四五六七八九](?=个?(?:天|日|周|星期|礼拜|月|年))", _digit, text.casefold())
    return re.sub(
        r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten)(?= (?:day|week|month|year))", _padded, zh
    )


def _digit(found: re.Match[str]) -> str:
    return "2" if found[0] == "两" else str(_DIGITS_ZH[found[0]])


def _padded(found: re.Match[str]) -> str:
    return f"{_NUMBERS_EN[found[0]]:0{len(found[0])}d}"


def _month(year: int, month: int) -> tuple[date, date]:
    following = date(year + month // 12, month % 12 + 1, 1)
    return date(year, month, 1), following - _DAY


def _near_month(month: int, now: datetime) -> tuple[date, date]:
    """The month of that number that is meant today."""
    value = next(r.value for r in find_ranges(f"{month}月", now))
    return value.min, value.max


def _is_month(text: str, found: re.Match[str]) -> bool:
    said = found[0]
    if said.islower() and said in _MAYBE_NO_MONTH:
        return False
    if _BEFORE_MONTH.search(text, 0, found.start()):
        return True
    joins = _AND.match(text, found.end()) or _JOIN.match(text, found.end())
    if joins is not None and _MONTH_EN.match(text, joins.end()):
        return True
    before = re.search(r"([A-Za-z]+)\s*(?:and|or|to|-|–|,|和|或|、)\s*$", text[: found.start()])
    return before is not None and _MONTH_EN.fullmatch(before[1]) is not None


def _range(text: str, one: _Named, other: _Named) -> Days | None:
    """From one to the other, where the words between and around them say so."""
    start = other.start + (text[other.start] in "到至")
    between = text[one.end : start]
    around = _BETWEEN.search(text, 0, one.start) or _BETWEEN_AFTER.match(text, other.end)
    if not _JOIN.fullmatch(between) and not (around and _AND.fullmatch(between)):
        return None
    last = other.last
    if _BARE_DAY.fullmatch(text[start : other.end]):  # 7月1号到15号
        try:
            last = one.last.replace(day=last.day)
        except ValueError:
            return None
    if last < one.first and _WEEKDAY.fullmatch(text[start : other.end]):
        last += timedelta(days=7)
    while last < one.first:  # from November to February
        try:
            last = last.replace(year=last.year + 1)
        except ValueError:
            last -= _DAY
    before, after = _FROM.search(text, 0, one.start), _AFTER_RANGE.match(text, other.end)
    span = before.start() if before else one.start, after.end() if after else other.end
    return Days(span, one.first, last)


def _bounded(text: str, named: _Named) -> Days:
    """A day or period with the word for a bound that stands at it: before June ends with May, after 2025 begins with
    2026. A Chinese 之前 or 之后 of one day has the day itself, as a deadline has; 七月以后 begins with July."""
    start, end, first, last = named
    if first == last and (two := _FIRST_OF_TWO.search(text, 0, start)) and 0 < int(two["day"]) <= last.day:
        return Days((two.start(), end), first.replace(day=int(two["day"])), last)
    before, after = text[:start], text[end:]
    for pattern, at in ((_BOUND, before), (_BOUND_AFTER, after)):
        found = pattern.search(at)
        if found is None:
            continue
        around = (found.start(), end) if at is before else (start, end + found.end())
        match found.lastgroup:
            case "past":
                return Days(around, last + _DAY, None)
            case "since":
                return Days(around, first, None)
            case "until":
                return Days(around, None, last)
            case "ahead":
                return Days(around, None, first - _DAY)
            case "later":
                return Days(around, first if first == last else last + _DAY, None)
            case _:
                return Days(around, None, last if first == last else first - _DAY)
    return Days((start, end), first, last)


# -- a time that is over -------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Period:
    """Days of the past, and the moments in which they begin and end (microseconds)."""

    first: date
    last: date
    since: int
    until: int
    span: Span


def past_span(question: Question, now: datetime) -> Period | None:
    """The one day or period, over by ``now``, in which what the question asks about was so."""
    if _TIMED.search(question.text) is None:
        return None
    found = days_of(question, now)
    if len(found) != 1:
        return None
    span, first, last = found[0]
    if first is None or last is None or _SAID_OF.search(question.text, span[1]):
        return None
    if (
        first.year > now.year
        and _NO_YEAR.fullmatch(question.text, *span)
        and not _TO_COME.search(question.text)
    ):
        # which value it was: the April that has been, not the next one
        first, last = (safe(d.year - 1, d.month, d.day) or d for d in (first, last))
    if last >= now.date():
        return None
    begin, end = (datetime(d.year, d.month, d.day, tzinfo=now.tzinfo) for d in (first, last))
    return Period(first, last, to_micros(begin), to_micros(end + _DAY) - 1, span)


__all__ = ["Days", "Period", "days_of", "past_span", "source"]
