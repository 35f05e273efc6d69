"""Days and spans of days as Chinese says them: 大后天, 下周三, 8月底, 下个月5号, 两周后, 第三季度.

``PATTERNS``: (words of which the text must hold one, pattern, reader); a reader takes the match and a :class:`~.days.Frame` and gives a day, a Range
of days, or None for a day that no calendar has. Earlier patterns win where two match at the same place.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any

from forms_dynamics.language.counts import count
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

Reader = Callable[["re.Match[str]", Frame], Any]
Pattern = tuple[tuple[str, ...], "re.Pattern[str]", Reader]

_N = r"(?:\d{1,3}|[一二两三四五六七八九十百]{1,4})"
_MD = r"(?:\d{1,2}|三十一?|二十[一二三四五六七八九]?|十?[一二三四五六七八九十])"  # month or day of the month
_YEAR = r"(?P<year>(?:(?:19|20)\d\d|[12二一][\d零〇一二三四五六七八九]{3})\s?年|前年|去年|上年|今年|本年|明年|次年|来年|后年)的?"
_YEAR_STEP = {
    "前年": -2,
    "去年": -1,
    "上年": -1,
    "今年": 0,
    "本年": 0,
    "明年": 1,
    "次年": 1,
    "来年": 1,
    "后年": 2,
}
_MONTH_STEP = {"上上": -2, "上": -1, "这": 0, "本": 0, "当": 0, "下": 1, "次": 1, "下下": 2}
_WEEKDAY = {c: i for i, c in enumerate("一二三四五六日")} | {"天": 6}
_DAY_STEP = {
    "大前天": -3, "前天": -2, "前日": -2, "昨": -1, "今": 0, "明": 1, "后天": 2, "后日": 2, "大后天": 3,
}  # fmt: skip
_STEP = r"(?:(?P<step>上上|下下|上|下|这|本|当|次)一?个?)"
_NO_MORE_DIGITS = r"(?![\d%.万亿千百元块个人台件套家%折岁度名位瓦克米])"


def _year(raw: str, today: date) -> int:
    raw = raw.rstrip("的 ")
    if raw in _YEAR_STEP:
        return today.year + _YEAR_STEP[raw]
    digits = raw.rstrip("年 ")
    return int("".join(str(count(c)) for c in digits))


def _year_or_near(m: re.Match[str], f: Frame, make: Callable[[int], Any]) -> Any:
    """``make`` in the year that the match names, else in the near one."""
    if group(m, "year"):
        return make(_year(group(m, "year"), f.today))
    return near_year(f.today, make, f.sense(*m.span()))


def _month_day(m: re.Match[str], f: Frame) -> Any:
    month, day = count(group(m, "month")) or 0, count(group(m, "day")) or 0
    return _year_or_near(m, f, lambda year: safe(year, month, day))


def _month_part(m: re.Match[str], f: Frame) -> Any:
    """月底 is the last day; 月初, 月中, 上旬 … are spans."""
    part = group(m, "part")
    month = group(m, "month")

    def make(first: date) -> Any:
        span = month_of(first)
        if part in ("底", "末", "最后一天"):
            return span.max
        if part in ("第一天", "首日"):
            return span.min
        return part_of(span, {"初": "early", "上旬": "early", "中": "mid", "中旬": "mid"}.get(part, "late"))

    if month:
        number = count(month) or 0
        return None if not 1 <= number <= 12 else _year_or_near(m, f, lambda y: make(date(y, number, 1)))
    return make(add_months(f.today.replace(day=1), _MONTH_STEP[group(m, "step") or "本"]))


def _step_month(m: re.Match[str], f: Frame) -> Any:
    """下个月5号, or 下个月 alone: the whole month."""
    span = month_of(f.today, _MONTH_STEP[group(m, "step")])
    if not group(m, "day"):
        return span
    return safe(span.min.year, span.min.month, count(group(m, "day")) or 0)


def _month(m: re.Match[str], f: Frame) -> Any:
    month = count(group(m, "month")) or 0
    return None if not 1 <= month <= 12 else _year_or_near(m, f, lambda y: month_of(date(y, month, 1)))


def _day_of_month(m: re.Match[str], f: Frame) -> Any:
    """15号 alone: this month's, or the next month's when it is over (in a past sentence, the last one)."""
    day = count(group(m, "day")) or 0
    past = f.sense(*m.span()) == "past"
    for months in (0, -1, -2) if past else (0, 1, 2):
        first = add_months(f.today.replace(day=1), months)
        found = safe(first.year, first.month, day)
        if found and (found <= f.today if past else found >= f.today):
            return found
    return None


def _weekday(m: re.Match[str], f: Frame) -> Any:
    day = _WEEKDAY[group(m, "weekday")]
    if group(m, "step"):
        return in_week(f.today, _MONTH_STEP[group(m, "step")], day)
    return near_weekday(f.today, day, f.sense(*m.span()))


def _week(m: re.Match[str], f: Frame) -> Any:
    return week_of(f.today, _MONTH_STEP[group(m, "step")])


def _weekend(m: re.Match[str], f: Frame) -> Any:
    return weekend_of(f.today, _MONTH_STEP[group(m, "step") or "本"])


def _day_word(m: re.Match[str], f: Frame) -> Any:
    word = group(m, "word")
    return f.today + DAY * _DAY_STEP[word if word in _DAY_STEP else word[0]]


def _year_end(m: re.Match[str], f: Frame) -> Any:
    """年底 is the last day; 年初 and 年中 are months around the turn and the middle."""
    year = _year(group(m, "year"), f.today) if group(m, "year") else f.today.year
    part = group(m, "part")
    if part in ("底", "末", "年底", "年末", "岁末"):
        return date(year, 12, 31)
    if part in ("初", "年初"):
        return month_of(date(year, 1, 1))
    return month_of(date(year, 6, 1))


def _half(m: re.Match[str], f: Frame) -> Any:
    first = group(m, "half") == "上"
    return _year_or_near(
        m,
        f,
        lambda y: Range(date(y, 1, 1), date(y, 6, 30)) if first else Range(date(y, 7, 1), date(y, 12, 31)),
    )


def _quarter(m: re.Match[str], f: Frame) -> Any:
    number = count(group(m, "quarter")) or 0
    if not 1 <= number <= 4:
        return None
    found = _year_or_near(m, f, lambda y: quarter_of(y, number))
    return found.max if group(m, "end") else found


def _step_quarter(m: re.Match[str], f: Frame) -> Any:
    index = f.today.year * 4 + (f.today.month - 1) // 3 + _MONTH_STEP[group(m, "step") or "本"]
    found = quarter_of(index // 4, index % 4 + 1)
    return found.max if group(m, "end") else found


def _ago_or_ahead(m: re.Match[str], f: Frame) -> Any:
    """三天后, 两周前, 半年后, 一个半月内 (the last day of the term)."""
    back = group(m, "way") in ("前", "之前", "以前")
    unit = group(m, "unit")
    number = 0 if group(m, "n") == "半" else (count(group(m, "n")) or 0)
    half = group(m, "n") == "半" or bool(group(m, "half") or group(m, "tail"))
    sign = -1 if back else 1
    try:
        if unit in ("天", "日"):
            return None if half else f.today + sign * number * DAY
        if unit in ("周", "星期", "礼拜"):
            return None if half else f.today + sign * 7 * number * DAY
        if unit == "月":
            return add_months(f.today, sign * number) + sign * (15 if half else 0) * DAY
        return add_months(f.today, sign * (12 * number + (6 if half else 0)))
    except (ValueError, OverflowError):
        return None


def _whole_year(m: re.Match[str], f: Frame) -> Any:
    return year_of(_year(group(m, "year"), f.today))


def _full(m: re.Match[str], f: Frame) -> Any:
    return safe(_year(group(m, "year"), f.today), count(group(m, "month")) or 0, count(group(m, "day")) or 0)


_WEEK = r"(?:周|星期|礼拜)"
_NOT_OFTEN = r"(?<![每一二两三四五六七八九十几多整\d])"
# what a text must hold for a pattern to be worth a try
_M, _W, _Y, _Q, _DM = ("月",), ("周", "星期", "礼拜"), ("年", "岁末"), ("季", "Q", "q"), ("号", "日")
_D = ("天", "日", "昨", "今", "明")
_T = ("后", "前", "内")
PATTERNS: list[Pattern] = [
    (needs, re.compile(p), reader)
    for needs, p, reader in [
        (_M, rf"{_YEAR}\s?(?P<month>{_MD})\s?月\s?(?P<day>{_MD})(?:\s?[日号]|{_NO_MORE_DIGITS})", _full),
        (_M, rf"(?:{_YEAR})?(?<![\d.个十])(?P<month>{_MD})\s?月(?:份)?的?(?P<part>底|末|最后一天|第一天|首日|初|中旬|上旬|下旬|中(?=[之交上完开前到,，。]|$))", _month_part),
        (_M, rf"(?:{_STEP}月的?)(?P<part>底|末|最后一天|第一天|首日|初|中旬|上旬|下旬|中(?!心))", _month_part),
        (_M, r"(?<![\d个每一二两三四五六七八九十年])月(?P<part>底|末|初|中旬|上旬|下旬|中(?=[之交上完开前到,，。]|$))", _month_part),
        (_M, rf"{_STEP}月的?(?P<day>{_MD})\s?[日号]", _step_month),
        (_M, rf"{_STEP}月(?![饼亮球光])", _step_month),
        (_M, rf"(?<![\d.十])(?P<month>{_MD})\s?月(?:份)?\s?(?P<day>{_MD})(?:\s?[日号]|{_NO_MORE_DIGITS})", _month_day),
        (_M, rf"{_YEAR}(?P<month>{_MD})\s?月(?:份)?", _month),
        (_M, r"(?<![\d.个十])(?P<month>1[0-2]|[1-9]|十[一二]?)\s?月份?(?=[之以前内里中交上完开到签投发,，。的]|$)(?!以?后)", _month),
        (_W, rf"{_STEP}(?:{_WEEK}(?:周|星期|礼拜)?)(?P<weekday>[一二三四五六日天])(?![日天]?程)", _weekday),
        (_W, rf"{_STEP}?{_NOT_OFTEN}{_WEEK}末", _weekend),
        (_W, rf"{_STEP}{_WEEK}(?!期|[一二三四五六日天边围年转岁])", _week),
        (_W, rf"{_NOT_OFTEN}(?:星期|礼拜)(?P<weekday>[一二三四五六日天])", _weekday),
        (_W, _NOT_OFTEN + r"周(?P<weekday>[一二三四五六](?!次|个|期|分之|天|周|般|共|年|到[一二三四五六日])|日(?![程常报期志均记]))", _weekday),
        (_D, r"(?P<word>大前天|大后天|前天|前日|后天|后日|昨[天日晚夜]|今[天日晚早夜晨]|明[天日晚早晨])(?!性)", _day_word),
        (_Y, rf"(?:{_YEAR})(?P<part>年?[底末初]|中(?!国|心))", _year_end),
        (_Y, r"(?<![每近多\d一二两三四五六七八九十])(?P<part>年底|年末|岁末|年初)", _year_end),
        (_Y, rf"(?:{_YEAR})?(?P<half>[上下])半年", _half),
        (_Q, rf"(?:{_YEAR})?\s?(?:第)?(?P<quarter>[一二三四1-4])季度?(?P<end>末|底)?(?![个])", _quarter),
        (_Q, rf"(?:{_YEAR})\s?[Qq](?P<quarter>[1-4])(?P<end>末|底)?(?![\dA-Za-z-])", _quarter),
        (_Q, rf"{_STEP}?季度?(?P<end>末|底)", _step_quarter),
        (_Q, rf"{_STEP}季度", _step_quarter),
        (_T, rf"(?P<n>半|{_N})\s?个?(?P<half>半)?(?P<unit>天|日|周|星期|礼拜|(?<=[个半])月|年)(?P<tail>半)?(?P<way>之后|以后|后(?!天)|之前|以前|前|之内|以内|内)(?!年)", _ago_or_ahead),
        (_Y, rf"{_YEAR}(?!级|龄|纪|产|薪|化|度|轻|代|生|第|来|会)", _whole_year),
        (_DM, rf"(?<![\d.第一二三四五六七八九十a-zA-Z-])(?P<day>{_MD})\s?[日号](?=[之以前上下晚早到开签交付完入出发截见,，。；;！!\s]|$)(?![上下]?[线楼桌店机门库位仓厂房院车口馆])", _day_of_month),
    ]
]  # fmt: skip
