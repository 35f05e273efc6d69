"""Amounts in text while their ranges (40-50万, "10k to 15k") and bounds (不超过, "at least") are gathered."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numerals import tidy


@dataclass(slots=True)
class Amount:
    """A number in text while ranges and bounds are still being gathered; ``low`` or ``high`` None: open."""

    start: int
    end: int
    low: Decimal | None
    high: Decimal | None
    vague: bool
    scale: int
    style: str
    currency: tuple[str, ...] | None = None  # None: nothing said; several: ambiguous (¥)
    ranged: bool = False
    bound: str = ""  # min | max

    @property
    def exact(self) -> bool:
        return not self.ranged and not self.bound and self.low == self.high


# -- ranges ------------------------------------------------------------------------------------------------
SEPARATOR = lazy(r"\s*(?:-{1,2}|–|—{1,2}|~|到|至|、|\bto\b|\band\b|\bor\b|和|与|或(?:者)?)\s*", re.IGNORECASE)
_AND = lazy(r"and|和|与", re.IGNORECASE)
_OR = lazy(r"or|或|、", re.IGNORECASE)
_BETWEEN_BEFORE = lazy(r"(?:\bbetween|介于|在)\s*$", re.IGNORECASE)
_BETWEEN_AFTER = lazy(r"\s*(?:之间|中间|间)")
_FROM_BEFORE = lazy(r"(?:\bfrom|\bbetween|从|介于|在)\s*$", re.IGNORECASE)

_CHANGED_FROM = lazy(
    r"\b(?:(?!rang|pric|vari|need|offer|quot|estimat)\w{2,}(?:ed|ing)|went|gone|cut|grew|grown|rose|risen|fell|fallen|shrank|shrunk|up|down)"
    r"(?: [\w'’]+){0,4} from\s*$",
    re.IGNORECASE,
)

# What is counted or measured, where it may stand between a number and its bound or its range: 4.5分以上, 3人-5人.
_UNIT_ZH = (
    r"(?:[个名位][\u4e00-\u9fff]{0,3}?|分钟|小时|钟头|个?工作日|星级?|颗星|平方米|平米|公里|千米|厘米|毫米|公斤|千克|毫升|人[次份民]?|"
    r"[分岁天日周月年秒次件台套辆间张条只本份箱包瓶杯盒斤克吨米里平亩升度级层楼节门家场页字户桌席房室卧居床寸瓦倍折期单笔票趟班种款项组排座晚夜口头匹点枚根支部])"
)
UNIT = lazy(
    rf"\s?(?:{_UNIT_ZH}|(?!(?:and|or|to|but|from|respectively|now|in|on|at|for|is|per|with|by|than)\b)[a-z]{{1,12}}\b)\s?",
    re.IGNORECASE,
)
UNIT_BEHIND = lazy(
    rf"\s?{_UNIT_ZH}[或及]?(?=以[内上下]|之[内下]|起步|起(?![来码初伏])|封顶)|"
    r"[或及](?=以[上下])|"
    r"[ -]?(?:kg|km|cm|mm|gb|mb|tb|ms|m|g)\s?(?=以[内上下]|之[内下]|or )|"
    r"[ -](?:[a-z]+[ -]){0,2}[a-z]+(?= (?:or (?:more|less|fewer|over|above|under|below|up)\b(?! (?:than|[$€£0-9]))|and (?:up|above)\b(?! [$€£0-9])|"
    r"max(?:imum)?\b|min(?:imum)?\b|tops\b|at most\b|at least\b)(?! (?:one|two|three|four|five|six|a|an|[$€£]?[0-9])))",
    re.IGNORECASE,
)
# a price is said of one of them: 200元一晚以内, 50元/人以上, 300一间以下
PER_BEHIND = lazy(
    r"\s?(?:[/每一]\s?(?:[个名位间晚夜人天台套件月年次张份斤平米小时]{1,2}))(?=以[内上下]|之[内下]|起步|封顶)"
)


def joined(text: str, amounts: list[Amount], units: bool = False) -> list[Amount]:
    """Two amounts with "to" between them made one range; the first borrows magnitude and currency.

    ``units``: what is counted may stand behind both (3人到5人).
    """
    out: list[Amount] = []
    for amount in amounts:
        if out and (whole := _range(text, out[-1], amount, units)) is not None:
            out[-1] = whole
        else:
            out.append(amount)
    return out


def _range(text: str, first: Amount, second: Amount, units: bool = False) -> Amount | None:
    gap = text[first.end : second.start]
    if (
        units
        and len(gap) <= 20
        and (unit := UNIT.match(gap))
        and (
            not (rest := text[second.end : second.end + 20].lstrip()) or rest.startswith(unit.group().strip())
        )
    ):
        gap = gap[unit.end() :]
        if SEPARATOR.fullmatch(gap) and not gap.strip(" -–—~到至"):
            first = replace(first, end=first.end + unit.end())
    if len(gap) > 6 or first.ranged or first.low is None or second.high is None or second.low is None:
        return None
    said = SEPARATOR.fullmatch(gap)
    if said is None:
        return None
    after = _BETWEEN_AFTER.match(text, second.end)
    if _CHANGED_FROM.search(text[max(0, first.start - 48) : first.start]):
        return None  # it is the second now
    low, high = first.low, second.high
    if first.scale < second.scale and first.low < second.low / second.scale:
        low = tidy(low * (second.scale // first.scale))
    if _AND.fullmatch(gap.strip()) and not (
        _BETWEEN_BEFORE.search(text[max(0, first.start - 10) : first.start]) or after
    ):
        return None
    if _OR.fullmatch(gap.strip()) and not (
        first.scale == 1 < second.scale and first.low < 10 and second.low / second.scale <= first.low + 1
    ):
        return None
    if low >= high or (first.currency and second.currency and first.currency != second.currency):
        return None
    start, end = first.start, after.end() if after else second.end
    if lead := _FROM_BEFORE.search(text[max(0, start - 10) : start]):
        start -= len(lead.group())
    vague = first.vague or second.vague or gap.strip() == "、"
    return Amount(
        start, end, low, high, vague, second.scale, second.style, first.currency or second.currency, True
    )


# -- bounds ------------------------------------------------------------------------------------------------
_ZH_MAX = (
    r"(?:(?<![会能])不|(?<!有)没|别|未|勿|莫)(?:会|能|得|要|可以?|应|想|有|宜)?(?:超过|超出|超|高于|大于|多于|突破|高过)|"
    r"小于等于|少于|小于|低于|最多|至多|"
    r"顶多|最高|撑死了?|顶天|上限|封顶|控制在|压到|不到|不足|未满"
)
_ZH_MIN = (
    r"(?:不|别|未|没)(?:会|能|得|要|可以?|应)?(?:低于|少于|小于|下于|止|亚于)|大于等于|至少|最少|起码|大于|"
    r"超过|高于|多于|超出|最低|保底|下限|起步价?"
)
# "the rate went up to 210": it rose, and that is what it is
_NO_RISE = "".join(
    f"(?<!{verb} )" for verb in "went gone going moved jumped climbed bumped raised pushed".split()
)
_EN_MAX = (
    r"at (?:the )?most|(?:no|not) (?:more|higher|greater|larger) than|not exceeding|not to exceed|(?:not|"
    r"n't|never) (?:exceed|go (?:over|above|beyond))|not over|"
    rf"not above|{_NO_RISE}up to|under|below|less than|fewer than|lower than|within|(?:a )?max(?:imum)?(?: of)?|"
    r"capped at|(?:cap|ceiling|limit|maximum|max) (?:of|is|at)|south of"
)
_EN_MIN = (
    r"at (?:the very )?least|(?:no|not) (?:less|fewer|lower) than|not (?:under|below)|over|above|more than|"
    r"greater than|higher than|"
    r"(?:a )?min(?:imum)?(?: of)?|exceed(?:s|ing)?|upwards? of|north of|start(?:s|ing) (?:at|from)|"
    r"in excess of|from upwards of"
)
_LINK = r"(?:是|为|在|到|约|大约|大概|个|用|花|给|的)?[\s:：是为]*"
_BEFORE_MAX = lazy(
    rf"(?:{_ZH_MAX}){_LINK}$|(?:\b(?:{_EN_MAX})|≤|<=|<)(?: (?:is|of|about|around|roughly))?\s*$",
    re.IGNORECASE,
)
_BEFORE_MIN = lazy(
    rf"(?:{_ZH_MIN}){_LINK}$|(?:\b(?:{_EN_MIN})|≥|>=|>)(?: (?:is|of|about|around|roughly))?\s*$",
    re.IGNORECASE,
)
_AFTER_MAX = lazy(
    r"\s*(?:以内|之内|以下|之下|封顶|为上限|是上限|为限|打住|都?不到|or (?:less|under|below|fewer)|"
    r"max(?:imum)?\b|"
    r"tops\b|at (?:the )?most\b)",
    re.IGNORECASE,
)
_AFTER_MIN = lazy(
    r"\s*(?:以上|之上|起步|起(?![来码初伏])|往上|打底|开外|or (?:more|above|over|higher|up)\b|and (?:up|"
    r"above|over)\b|min(?:imum)?\b|at least\b|\+(?!\s*[0-9]))",
    re.IGNORECASE,
)
# how a text before an amount must end for a bound to stand there: most do not, and the rules are long
_BOUND_ENDS = frozenset("过出超高于大多破顶限在到足满等少止码低底价了死天小是为约概个用花给的:：≤≥<>=")
_BOUND_WORDS = (
    "most", "than", "ing", "exceed", "exceeds", "over", "above", "to", "under", "below", "within", "max",
    "maximum", "of", "at", "beyond", "least", "min",
    "minimum", "from", "is", "about", "around", "roughly", "cap", "ceiling", "limit",
)  # fmt: skip
JOINT = lazy(r"[\s,，、]*(?:但|且|and|but)?[\s,，、]*", re.IGNORECASE)


def bounded(text: str, amounts: list[Amount], between: re.Pattern[str] | None = None) -> list[Amount]:
    """Bounds said before or behind an amount become its open end; "at least A, at most B" becomes one
    range. ``between``: what may stand between an amount and the bound behind it (4.5分以上)."""
    out: list[Amount] = []
    floor = 0
    for amount in amounts:
        side, start, end = bound(text, amount.start, amount.end, floor, between)
        if side and not amount.vague:
            low, high = (None, amount.high) if side == "max" else (amount.low, None)
            if amount.ranged:
                low, high = amount.low, amount.high
            amount = Amount(
                start, end, low, high, False, amount.scale, amount.style, amount.currency, amount.ranged, side
            )
        last = out[-1] if out else None
        if last and {last.bound, amount.bound} == {"min", "max"} and not (last.ranged or amount.ranged):
            low = last.low if last.bound == "min" else amount.low
            high = amount.high if last.bound == "min" else last.high
            gap = text[last.end : amount.start]
            if low is not None and high is not None and low < high and JOINT.fullmatch(gap):
                money = last.currency or amount.currency
                amount = Amount(
                    last.start, amount.end, low, high, False, amount.scale, amount.style, money, True
                )
                out.pop()
        out.append(amount)
        floor = amount.end
    return out


def bound(
    text: str, start: int, end: int, floor: int = 0, between: re.Pattern[str] | None = None
) -> tuple[str, int, int]:
    """``max``, ``min`` or empty for the bound said of ``text[start:end]``, and the span with its words.

    ``floor``: where looking back ends; ``between`` as in ``bounded``.
    """
    before = text[max(floor, start - 24) : start]
    # "not more than" holds "more than" and 不少于 holds 少于: the longer word decides
    found = []
    tail = before.rstrip()
    if tail and (tail[-1] in _BOUND_ENDS or tail.lower().endswith(_BOUND_WORDS)):
        found = [
            (m, side)
            for rule, side in ((_BEFORE_MAX, "max"), (_BEFORE_MIN, "min"))
            if (m := rule.search(before))
        ]
    side, first, last = "", start, end
    if found:
        m, side = min(found, key=lambda pair: pair[0].start())
        first = start - len(before) + m.start()
    at = end
    if between is not None and (unit := between.match(text, end)):
        at = unit.end()
    for rule, name in ((_AFTER_MAX, "max"), (_AFTER_MIN, "min")):
        if (m2 := rule.match(text, at)) and side in ("", name):
            side, last = name, m2.end()
    return side, first, last
