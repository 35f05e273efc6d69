"""Arithmetic of the calendar: months that clamp, weeks that begin on Monday, years left unsaid."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, Literal, NamedTuple

from forms_dynamics.language.lazy import lazy
from forms_dynamics.model.value import Range

Sense = Literal["past", "future"]
DAY = timedelta(days=1)

# Words of the clause around a date that tell whether it is behind or ahead.
_AHEAD = lazy(
    r"(?<![重主必])要|将|会(?![议计员面谈上见])|必须|务必|之前|以前|前|预计|计划|打算|希望|争取|"
    r"截止|到期|有效期|交付|交货|上线|安排|"
    r"\b(?:will|need|needs|must|by|due|deadline|until|till|before|going to|plan|planned|planning|scheduled|"
    r"expected|expires?|valid|should|want|target|launch|deliver)\b",
    re.I,
)
_BEHIND = lazy(
    r"已经|曾|当时|那时|去年|上个?月|上周|过了|[签买订付交做花见谈聊发收来去用完成到开办搬换结生到选定]了|刚|[^目]的$|以来|"
    r"\b(?:was|were|did|had|got|went|met|bought|sent|paid|came|took|made|saw|spent|began|born|since|last|ago|"
    r"(?!(?:need|plann|schedul|expect|suppos|allow|requir|propos|estimat|target|agre|interest|fe|sp|spe|"
    r"hundr|indee|prefer|unlimit|limit|unit|advanc|fix|bas|attach)(?:ed)\b)[a-z]{2,}ed)\b",
    re.I,
)
# what is settled, or moved to a day, is done by now; the day itself is not over for that
_ARRANGED = lazy(
    r"(?:\b(?:is|are|was|were|be|been|got)|['’]s|['’]re)(?: now| all| already)? "
    r"(?:settled|decided|confirmed|booked|arranged|agreed|set|reserved)\b|"
    r"\b(?:(?:was|were|got|has|had|been) ){0,2}"
    r"(?:moved|changed|shifted|pushed|postponed|delayed|extended|rescheduled|brought)(?: back| forward| out| on)? "
    r"(?:to|until|till|for)(?: the)?\s*$",
    re.I,
)
_CLAUSE_EDGE = "，。；！？,;!?\n"


class Frame(NamedTuple):
    """What a reader of dates needs: the message's own day, and a guess at the tense around a span."""

    today: date
    sense: Callable[[int, int], Sense | None]
    order: str | None
    whole: bool  # the text is nothing but a value, so that 03/04 or 15 号 needs no word beside it


def group(m: re.Match[str], name: str) -> str:
    """The named group's text; empty where the pattern has no such group or it took no part."""
    return (m[name] or "") if name in m.re.groupindex else ""


def sense_of(text: str, start: int, end: int) -> Sense | None:
    """Past, future or unsaid, by the words of the clause around ``text[start:end]``."""
    near, far = max(0, start - 80), end + 80
    left = max(text.rfind(edge, near, start) for edge in _CLAUSE_EDGE) + 1
    ends = [at for edge in _CLAUSE_EDGE if (at := text.find(edge, end, far)) >= 0]
    right = min(ends, default=len(text))
    before = _ARRANGED.sub(" ", text[max(left, start - 40) : start])
    around = before + " " + text[end : min(right, end + 40)].rstrip("。.!！ ")
    if _AHEAD.search(around):
        return "future"
    if _BEHIND.search(around):
        return "past"
    return None


def safe(year: int, month: int, day: int) -> date | None:
    """The day, or None where the calendar has none such."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def last_of(year: int, month: int) -> date:
    """The last day of a month."""
    return (date(year + (month == 12), month % 12 + 1, 1) if year < 9999 or month < 12 else date.max) - DAY


def add_months(day: date, months: int) -> date:
    """``day`` moved by whole months, clamped to the last day of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = last_of(year, month + 1)
    return last.replace(day=min(day.day, last.day))


def month_of(day: date, months: int = 0) -> Range:
    """The calendar month of ``day``, ``months`` on."""
    first = add_months(day.replace(day=1), months)
    return Range(first, last_of(first.year, first.month))


def year_of(year: int) -> Range:
    return Range(date(year, 1, 1), date(year, 12, 31))


def quarter_of(year: int, quarter: int) -> Range:
    """Quarter 1 to 4 of a year."""
    return Range(date(year, quarter * 3 - 2, 1), last_of(year, quarter * 3))


def in_week(day: date, weeks: int, weekday: int) -> date:
    """The ``weekday`` (Monday 0) of the week ``weeks`` after that of ``day``."""
    return day + timedelta(days=7 * weeks + weekday - day.weekday())


def week_of(day: date, weeks: int) -> Range:
    """Monday to Sunday of the week ``weeks`` after that of ``day``."""
    return Range(in_week(day, weeks, 0), in_week(day, weeks, 6))


def weekend_of(day: date, weeks: int) -> Range:
    return Range(in_week(day, weeks, 5), in_week(day, weeks, 6))


def near_weekday(today: date, weekday: int, sense: Sense | None) -> date:
    """A weekday named alone: the next one from today on; in a past sentence the last one before today."""
    if sense == "past":
        return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    return today + timedelta(days=(weekday - today.weekday()) % 7)


def near_year(today: date, make: Callable[[int], Any], sense: Sense | None) -> Any:
    """``make(year)`` for the year left unsaid; ``make`` gives a day, a Range or None (no such day that year).

    Past: the last one begun by today. Future: the first one not over. Unsaid: this year, or the next one when
    this year's lies more than half a year back.
    """
    years = range(today.year - 1, today.year + 2)
    found = {year: value for year in years if (value := make(year)) is not None}
    if not found:
        return None
    starts = {y: v.min if isinstance(v, Range) else v for y, v in found.items()}
    ends = {y: v.max if isinstance(v, Range) else v for y, v in found.items()}
    if sense == "past":
        chosen = [y for y in found if starts[y] <= today][-1:]
    elif sense == "future":
        chosen = [y for y in found if ends[y] >= today][:1]
    else:
        chosen = [y for y in found if y >= today.year and ends[y] >= today - timedelta(days=183)][:1]
    return found[chosen[0]] if chosen else found[min(found, key=lambda y: abs((starts[y] - today).days))]


def part_of(span: Range, part: str) -> Range:
    """``early``, ``mid`` or ``late`` thirds of a month, or of a longer span."""
    if (span.max - span.min).days < 31:
        first, last = span.min, span.max
        return {
            "early": Range(first, first.replace(day=10)),
            "mid": Range(first.replace(day=11), first.replace(day=20)),
            "late": Range(first.replace(day=21), last),
        }[part]
    third = (span.max - span.min + DAY) // 3
    return {
        "early": Range(span.min, span.min + third - DAY),
        "mid": Range(span.min + third, span.max - third),
        "late": Range(span.max - third + DAY, span.max),
    }[part]
