"""Days and spans of days as English says them: next Friday, end of next month, June 30th, in two weeks, Q3.

One rule for weekdays: "this" is the week of the message (Monday to Sunday), "next" the week after it and "last"
the week before it, so that "next Friday" is the Friday of next week; a weekday alone is the next one to come.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from datetime import date
from typing import Any

from forms_dynamics.language.counts import EN_COUNT, ORDINALS, count
from forms_dynamics.language.dates_zh import Pattern
from forms_dynamics.language.days import (
    DAY,
    Frame,
    add_months,
    group,
    in_week,
    month_of,
    near_weekday,
    near_year,
    part_of,
    quarter_of,
    safe,
    week_of,
    weekend_of,
    year_of,
)
from forms_dynamics.model.value import Range

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH_NUMBER = {name: i + 1 for i, name in enumerate(_MONTHS)} | {
    name[:3]: i + 1 for i, name in enumerate(_MONTHS)
} | {"sept": 9}  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY = {name: i for i, name in enumerate(_WEEKDAYS)} | {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip
_STEP = {"this": 0, "the current": 0, "the": 0, "coming": 0, "next": 1, "the next": 1, "the coming": 0, "last": -1,
         "the last": -1, "previous": -1, "the previous": -1, "the following": 1}  # fmt: skip

_LONG = "|".join(name for name in _MONTHS if name != "may")
# "may" and "mar" and the like are months only where a capital or a day beside them says so
_MONTH = rf"(?P<month>{_LONG}|(?-i:May|MAY)|(?-i:J[aA][nN]|F[eE][bB]|M[aA][rR]|A[pP][rR]|J[uU][nN]|J[uU][lL]|A[uU][gG]|S[eE][pP][tT]?|O[cC][tT]|N[oO][vV]|D[eE][cC])\b\.?)"
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])"
_ORD = r"(?:st|nd|rd|th)"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAYNAME = r"(?P<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday|(?-i:Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri)\b\.?)"
_REL = r"(?P<step>this|next|last|the next|the last|the coming|the previous|previous|the following)"


def _month_number(raw: str) -> int:
    return _MONTH_NUMBER[raw.lower().rstrip(".")]


def _in_year(m: re.Match[str], f: Frame, make: Any) -> Any:
    if group(m, "year"):
        return make(int(group(m, "year")))
    return near_year(f.today, make, f.sense(*m.span()))


def _month_day(m: re.Match[str], f: Frame) -> Any:
    month, day = _month_number(group(m, "month")), int(group(m, "day"))
    return _in_year(m, f, lambda y: safe(y, month, day))


def _month(m: re.Match[str], f: Frame) -> Any:
    month = _month_number(group(m, "month"))
    return _in_year(m, f, lambda y: month_of(date(y, month, 1)))


def _month_part(m: re.Match[str], f: Frame) -> Any:
    month, part = _month_number(group(m, "month")), _part(m)

    def make(year: int) -> Any:
        span = month_of(date(year, month, 1))
        return _edge(span, part)

    return _in_year(m, f, make)


def _part(m: re.Match[str]) -> str:
    """end, beginning, mid …: the word that names a part of a span."""
    words = group(m, "part").lower().removeprefix("the ").split()
    return words[0] if words else ""


def _edge(span: Range, part: str) -> Any:
    """The day or third of ``span`` that "end", "start", "mid" … names; "end" is its last day."""
    if part in ("end", "last"):
        return span.max
    if part == "first":
        return span.min
    return part_of(span, {"mid": "mid", "middle": "mid", "late": "late"}.get(part, "early"))


def _relative_span(m: re.Match[str], f: Frame) -> Any:
    """next month, end of this quarter, last year: the span, or its edge."""
    step = _STEP[re.sub(r"\s+", " ", group(m, "step").lower())] if group(m, "step") else 0
    unit = group(m, "unit").lower()
    part = _part(m)
    if unit == "week":
        span = week_of(f.today, step)
        # the end of a week is its Friday or its Sunday: both are readings
        return (in_week(f.today, step, 4), span.max) if part == "end" else span
    if unit == "month":
        span = month_of(f.today, step)
    elif unit == "quarter":
        index = f.today.year * 4 + (f.today.month - 1) // 3 + step
        span = quarter_of(index // 4, index % 4 + 1)
    else:
        span = year_of(f.today.year + step)
    return _edge(span, part) if part else span


def _end_short(m: re.Match[str], f: Frame) -> Any:
    return {"eod": f.today, "eom": month_of(f.today).max, "eoy": date(f.today.year, 12, 31)}[m[0].lower()[:3]]


def _weekday(m: re.Match[str], f: Frame) -> Any:
    day = _WEEKDAY[group(m, "weekday").lower().rstrip(".")]
    if group(m, "step"):
        return in_week(f.today, _STEP[re.sub(r"\s+", " ", group(m, "step").lower())], day)
    return near_weekday(f.today, day, f.sense(*m.span()))


def _nth_weekday(m: re.Match[str], f: Frame) -> Any:
    """the last Monday of November, the second Friday of next month."""
    weekday, nth = _WEEKDAY[group(m, "weekday").lower().rstrip(".")], group(m, "nth").lower()

    def make(year: int) -> date | None:
        if group(m, "month"):
            span = month_of(date(year, _month_number(group(m, "month")), 1))
        else:
            span = month_of(f.today, _STEP[group(m, "step").lower() or "this"])
        if nth == "last":
            return in_week(span.max, 0 if span.max.weekday() >= weekday else -1, weekday)
        first = in_week(span.min, 0 if span.min.weekday() <= weekday else 1, weekday)
        day = first + 7 * (ORDINALS[nth] - 1) * DAY
        return day if day <= span.max else None

    return _in_year(m, f, make) if group(m, "month") else make(f.today.year)


def _weekend(m: re.Match[str], f: Frame) -> Any:
    return weekend_of(f.today, _STEP.get((group(m, "step") or "this").lower(), 0))


def _word(m: re.Match[str], f: Frame) -> Any:
    word = re.sub(r"\s+", " ", m[0].lower())
    if word.startswith(("the day after", "day after")):
        return f.today + 2 * DAY
    if word.startswith(("the day before", "day before")):
        return f.today - 2 * DAY
    if word.startswith(("tomorrow",)):
        return f.today + DAY
    if word.startswith(("yesterday", "last night")):
        return f.today - DAY
    return f.today


def _ago_or_ahead(m: re.Match[str], f: Frame) -> Any:
    number = count(group(m, "n"))
    if group(m, "couple"):
        number = 2
    unit = group(m, "unit").lower().rstrip("s")
    half = bool(group(m, "half"))
    if number is None:
        return None
    sign = -1 if group(m, "ago").lower() == "ago" else 1
    try:
        if unit == "day":
            return f.today + sign * number * DAY
        if unit in ("week", "fortnight"):
            return f.today + sign * number * (14 if unit == "fortnight" else 7) * DAY
        months = number * (12 if unit == "year" else 1)
        if half:
            return add_months(f.today, sign * 6) if unit == "year" else f.today + sign * 15 * DAY
        return add_months(f.today, sign * months)
    except (ValueError, OverflowError):
        return None


def _nth_day(m: re.Match[str], f: Frame) -> Any:
    """the 5th (of next month)."""
    day = int(group(m, "day"))
    if group(m, "step"):
        first = add_months(f.today.replace(day=1), _STEP[group(m, "step").lower()])
        return safe(first.year, first.month, day)
    past = f.sense(*m.span()) == "past"
    for months in (0, -1, -2) if past else (0, 1, 2):
        first = add_months(f.today.replace(day=1), months)
        found = safe(first.year, first.month, day)
        if found and (found <= f.today if past else found >= f.today):
            return found
    return None


def _quarter(m: re.Match[str], f: Frame) -> Any:
    raw = group(m, "quarter")
    number = int(raw) if raw.isdecimal() else ORDINALS[group(m, "ordinal").lower()]
    found = _in_year(m, f, lambda y: quarter_of(y, number))
    return _edge(found, _part(m)) if _part(m) else found


def _half(m: re.Match[str], f: Frame) -> Any:
    first = group(m, "half") == "1"
    return _in_year(
        m,
        f,
        lambda y: Range(date(y, 1, 1), date(y, 6, 30)) if first else Range(date(y, 7, 1), date(y, 12, 31)),
    )


_PART = r"(?P<part>(?:the )?end|(?:the )?beginning|(?:the )?start|(?:the )?middle|(?:the )?first day|(?:the )?last day)"
# what a lower case text must hold for a pattern to be worth a try
_MONTH_WORDS = tuple(name[:3] for name in _MONTHS)
_SPAN_WORDS = ("week", "month", "quarter", "year")
_DAY_WORDS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NEAR_WORDS = ("tomorrow", "yesterday", "night", "today", "this ")
_TERM_WORDS = ("day", "week", "fortnight", "month", "year")
_NTH_WORDS = ("st", "nd", "rd", "th")
PATTERNS: list[Pattern] = [
    (needs, re.compile(p, re.I | re.A), reader)
    for needs, p, reader in [
        (_MONTH_WORDS, rf"(?<![\w-]){_DAY}(?:{_ORD})?(?:\s+of)?[\s-]+{_MONTH}(?![\w])(?:,?[\s-]*{_YEAR}(?!\d))?", _month_day),
        (_MONTH_WORDS, rf"(?<![\w-]){_MONTH}[\s-]+(?:the\s+)?{_DAY}(?:{_ORD}\b|(?![\d%:]|[.,]\d|\w))(?!\s*(?:%|percent|people|million|[ap]m\b))(?:(?:,?\s+|,){_YEAR}(?!\d))?", _month_day),
        (_MONTH_WORDS, rf"(?<![\w-]){_PART}\s+of\s+{_MONTH}(?!\w)(?:,?\s+{_YEAR}(?!\d))?", _month_part),
        (_MONTH_WORDS, rf"(?<![\w-])(?P<part>early|mid|late)[\s-]+(?:in\s+)?{_MONTH}(?!\w)(?:,?\s+{_YEAR}(?!\d))?", _month_part),
        (_MONTH_WORDS, rf"(?<![\w-]){_MONTH}[\s,]+(?:of\s+)?{_YEAR}(?![\d,.]\d|\d)", _month),
        (_MONTH_WORDS, rf"(?<=\bin ){_MONTH}(?!\w)", _month),
        (_MONTH_WORDS, rf"(?:(?<=\bby )|(?<=\buntil )|(?<=\bsince )|(?<=\bduring )|(?<=\bfrom )|(?<=\bbefore )|(?<=\bthis )|(?<=\bfor )|^(?=(?-i:[A-Z])\w+\W*$)){_MONTH}(?!\w|[\s-]+\d)", _month),
        (_SPAN_WORDS, rf"(?<![\w-]){_PART}\s+of\s+(?:{_REL}\s+|the\s+current\s+|the\s+)?(?P<unit>week|month|quarter|year)\b", _relative_span),
        (_SPAN_WORDS, r"(?<![\w-])(?P<part>early|mid|late)[\s-]+(?P<step>this|next|last)\s+(?P<unit>week|month|quarter|year)\b", _relative_span),
        (_SPAN_WORDS, r"(?<![\w-])(?P<unit>month|quarter|year)[ -](?P<part>end)\b", _relative_span),
        (("eo",), r"\b(?:eo[dmy])\b", _end_short),
        (_DAY_WORDS, rf"\b(?:the\s+)?(?P<nth>first|second|third|fourth|last)\s+{_DAYNAME}\s+(?:of|in)\s+(?:{_MONTH}(?!\w)(?:,?\s+{_YEAR}(?!\d))?|(?:(?P<step>this|next|last)\s+|the\s+)month\b)", _nth_weekday),
        (_DAY_WORDS, rf"\b(?:the\s+)?{_DAYNAME}\s+(?:of\s+)?(?P<step>this|next|last)\s+week\b", _weekday),
        (_DAY_WORDS, rf"\b{_REL}\s+week(?:['’]s)?\s+(?:on\s+)?{_DAYNAME}\b", _weekday),
        (_DAY_WORDS, rf"\b{_REL}\s+{_DAYNAME}(?!\w)", _weekday),
        (_DAY_WORDS, rf"(?<!every )(?<!each )(?<!all )\b{_DAYNAME}(?![\w&])(?!\s+(?:and|&|to|-|through)\s+\w+days?\s+(?:only|each|every))", _weekday),
        (("weekend",), r"(?<!every )(?<!each )\b(?:(?P<step>this|next|last|the) )?weekend\b(?!\s+(?:deliver|rate|shift|trip|break))", _weekend),
        (_SPAN_WORDS, r"\b(?P<step>this|next|last|the next|the coming)\s+(?P<unit>week|month|quarter|year)\b(?!['’]s\s+\w+day)(?!ly|end)", _relative_span),
        (_NEAR_WORDS, r"\b(?:the )?day after tomorrow\b|\b(?:the )?day before yesterday\b|\btomorrow\b|\byesterday\b|\blast night\b|\btonight\b|\btoday\b|\bthis (?:morning|afternoon|evening)\b", _word),
        (_TERM_WORDS, rf"\b(?:in|within)\s+(?:the\s+next\s+)?(?P<half>half\s+)?(?P<n>{EN_COUNT})\s+(?P<couple>couple\s+(?:of\s+)?)?(?P<unit>days?|weeks?|fortnights?|months?|years?)(?!\w|['’]|-)", _ago_or_ahead),
        (_TERM_WORDS, rf"\b(?P<half>half\s+)?(?P<n>{EN_COUNT})\s+(?P<couple>couple\s+(?:of\s+)?)?(?P<unit>days?|weeks?|fortnights?|months?|years?)\s+(?P<ago>ago|from\s+now|from\s+today|hence)\b", _ago_or_ahead),
        (_NTH_WORDS, rf"(?:(?<=\bon )|(?<=\bby )|(?<=\buntil )|(?<=\bbefore )|(?<=\bfrom )|(?<=\bsince ))the\s+{_DAY}{_ORD}\b(?:\s+of\s+(?P<step>this|next|last)\s+month|\s+of\s+the\s+month)?(?!\s+(?:floor|of|century|time|street|avenue|anniversary))", _nth_day),
        (_NTH_WORDS, rf"\b(?:the\s+)?{_DAY}{_ORD}\s+of\s+(?P<step>this|next|last)\s+month\b", _nth_day),
        (("q",), rf"(?<![\w-])(?:(?P<part>end|beginning|start|middle)\s+of\s+)?(?:(?-i:Q)(?P<quarter>[1-4])|(?:the\s+)?(?P<ordinal>first|second|third|fourth)\s+quarter)(?![\w-])(?:\s+(?:of\s+|in\s+)?{_YEAR})?(?!\d)", _quarter),
        (("h1", "h2"), rf"(?<![\w-])(?-i:H)(?P<half>[12])\s+(?:of\s+)?{_YEAR}(?!\d)", _half),
        (("q",), rf"(?<![\w-]){_YEAR}\s?(?-i:Q)(?P<quarter>[1-4])(?![\w-])", _quarter),
    ]
]  # fmt: skip
