"""Until when something was so that is over: "the budget was 40k until May", 预算到五月为止是40万."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from datetime import date, datetime, time

from forms_dynamics.language.clauses import clause_of, sentence_of
from forms_dynamics.language.dates import find_dates
from forms_dynamics.language.days import add_months
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numerals import lowered
from forms_dynamics.model.value import Range

_WAS = r"\b(?:was|were|stood at|used to be|had been|came to|amounted to)\b"
_WAS_BEFORE = lazy(rf"{_WAS}[^,.;!?\n]{{0,24}}$")
_UNTIL_BEHIND = lazy(
    r"\s*(?:[a-z%€$£]{1,8}\s*)?,?\s*(?:up )?(?:until|till|through|up to)\s+(?P<d>[^,.;!?，。；\n]{2,30}?)\s*(?=[,.;!?，。；\n]|$|\b(?:and|but|when|then)\b)"
)
_UNTIL_AHEAD = lazy(
    rf"\b(?:(?:up )?until|till|before|prior to|up to)\s+(?P<d>[^,;.!?\n]{{2,24}}?),?\s+(?:the|our|my|its|it|their|[a-z0-9&'-]+['’]s)\b[^.;!?\n]{{0,60}}?{_WAS}[^.;!?\n]{{0,16}}$"
)
_IS_ZH = r"[，,]?[^，。；,;！？\n]{0,16}?(?:都|一直|总|就)?(?:是|为|在)\s*$"
_DAY_ZH = r"(?P<d>[^，。；,;！？\n到至]{0,7}(?:月份|月[底初中]|月|[日号年]|年[初底]|周[一二三四五六日末]?|昨天|前天))"
_UNTIL_ZH = (
    lazy(rf"(?:截至|截止到?|一?直到|到|至){_DAY_ZH}(?:为止|止|之前|以前)?{_IS_ZH}"),
    lazy(rf"{_DAY_ZH}(?:之前|以前|前){_IS_ZH}"),
)
_UNTIL_BEHIND_ZH = lazy(
    r"\s*(?:元|块钱?|个|公斤)?[，,]?\s*(?:截至|截止到?|一?直到|到|至)(?P<d>[^，。；,;！？\n]{1,8}?)(?:为止|止)(?=[，。；,;！!\n]|$)"
)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTHS_ZH = "一 二 三 四 五 六 七 八 九 十 十一 十二".split()
_MONTH = lazy(
    r"(?P<zh>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月份?|(?P<en>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)",
    re.I,
)
_HALF_A_YEAR = 183  # days: a month without a year is the nearest one
_NOW = lazy(r"目前|现在|今[天日]|如今|此刻|当前|\b(?:now|today|present|further notice|date)\b")


def over_since(text: str, start: int, end: int, base: datetime, order: str | None) -> datetime | bool:
    """Since when ``text[start:end]`` is surely no more: the first moment of the day or month that is named; True
    where it is over since a time that cannot be told, False where the words do not say so."""
    said = lowered(text)
    head = sentence_of(text, start, end)[0]
    was = _WAS_BEFORE.search(said, clause_of(text, start, end)[0], start)
    m = (None if was is None else _UNTIL_BEHIND.match(said, end)) or _UNTIL_AHEAD.search(said, head, start)
    past = m is not None
    if m is None:
        ahead = (m for pattern in _UNTIL_ZH if (m := pattern.search(said, head, start)) is not None)
        m = _UNTIL_BEHIND_ZH.match(said, end) or next(
            (m for m in ahead if _day(m["d"], base, order, False) is not None), None
        )
    if m is None or _NOW.search(m["d"]) is not None:
        return False
    words = text[slice(*m.span("d"))].strip()
    day = _day(words, base, order, past)
    if day is None:
        return past
    return datetime.combine(day, time(), tzinfo=base.tzinfo)


def _day(words: str, base: datetime, order: str | None, past: bool) -> date | None:
    """The first day of what the words name, where it is over: without a year, the last one where the verb tells the
    past, else the nearest."""
    if (month := _MONTH.fullmatch(words.strip())) is not None:
        zh = month["zh"]
        if zh is None:
            number = _MONTHS.index(month["en"][:3].lower()) + 1
        else:
            number = int(zh) if zh.isdecimal() else _MONTHS_ZH.index(zh) + 1
        last = date(base.year - ((number, 1) > (base.month, base.day)), number, 1)
        near = past or (base.date() - last).days < _HALF_A_YEAR
        return last if near else None
    found = next(iter(find_dates(words.strip(), base, order)), None)
    if found is None:
        return None
    value = found.value.min if isinstance(found.value, Range) else found.value
    if not isinstance(value, date):
        return None
    today = base.date()
    if value > today and (found.yearless or str(value.year) not in words):
        earlier = add_months(value, -12)
        if past or (today - earlier) < (value - today):
            value = earlier
    return value if value <= today else None


__all__ = ["over_since"]
