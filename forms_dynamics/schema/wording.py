"""Values as people read them, exact and on one line.

Dates are ISO. Money in Chinese leads with 万 or 亿 where that is exact (``50万（500,000 CNY）``); in English
it is ``500,000 CNY``. Nothing is rounded.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from forms_dynamics.language.normal import has_han
from forms_dynamics.model.value import Money, Range
from forms_dynamics.schema.spec import SlotSpec

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")
_DURATION = re.compile(
    r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?"
)
_UNITS = {
    "zh": ("年", "个月", "周", "天", "小时", "分钟", "秒"),
    "en": ("year", "month", "week", "day", "hour", "minute", "second"),
}
_SCALES = ((Decimal(10) ** 8, "亿"), (Decimal(10) ** 4, "万"))
_FINE = Decimal("0.0001")


def format_value(value: Any, spec: SlotSpec | None, lang: str) -> str:
    """The text of a slot's value in ``zh`` or ``en``; None is an empty text."""
    if value is None:
        return ""
    if isinstance(value, (tuple, list, set, frozenset)):
        items = sorted(value, key=str) if isinstance(value, (set, frozenset)) else value
        return ("、" if lang == "zh" else ", ").join(format_value(item, spec, lang) for item in items)
    if isinstance(value, Range):
        return _range(value, spec, lang)
    if isinstance(value, Money):
        return _money(value, lang)
    return _single(value, spec, lang)


def _single(value: Any, spec: SlotSpec | None, lang: str) -> str:
    if isinstance(value, bool):
        return ("是" if value else "否") if lang == "zh" else ("yes" if value else "no")
    if isinstance(value, (int, float, Decimal)):
        number = _number(value if isinstance(value, (int, Decimal)) else Decimal(repr(value)))
        if spec is not None and spec.type == "percent":
            return f"{number}%"
        if spec is not None and spec.unit:
            return f"{number}{spec.unit}" if lang == "zh" and has_han(spec.unit) else f"{number} {spec.unit}"
        return number
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S" if value.second else "%Y-%m-%d %H:%M")
    if isinstance(value, date):
        return value.isoformat()
    text = _CONTROL.sub(" ", str(value)).strip()
    if spec is None:
        return text
    if spec.type == "enum":
        return _localised(text, tuple(spec.values.get(text, ())), lang)
    return _duration(text, lang) if spec.type == "duration" else text


def _number(value: int | Decimal) -> str:
    """Without trailing zeros or exponent, thousands grouped only from five digits on (years stay whole)."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    whole = text.lstrip("-").split(".")[0]
    return format(Decimal(text), ",f") if len(whole) > 4 else text


def _amount(amount: Decimal) -> str:
    """Thousands grouped; zeros behind the point dropped, but cents are two digits."""
    text = format(amount, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
        if "." in text and len(text.split(".")[1]) == 1:
            text += "0"
    return format(Decimal(text), ",f")


def _scaled(amount: Decimal) -> str | None:
    """``50万``, ``1.5亿``: the largest unit in which four decimals say the amount exactly."""
    for scale, unit in _SCALES:
        if abs(amount) >= scale:
            short = amount / scale
            if short == short.quantize(_FINE):
                return f"{format(short.quantize(_FINE), 'f').rstrip('0').rstrip('.')}{unit}"
    return None


def _short(money: Money) -> str | None:
    """How Chinese says the amount in a word, where that is shorter than digits."""
    if abs(money.amount) < 10_000:
        return f"{_amount(money.amount).replace(',', '')}元" if money.currency == "CNY" else None
    return _scaled(money.amount)


def _money(money: Money, lang: str) -> str:
    exact = f"{_amount(money.amount)} {money.currency}"
    short = _short(money) if lang == "zh" else None
    return f"{short}（{exact}）" if short else exact


def _range(value: Range, spec: SlotSpec | None, lang: str) -> str:
    low, high = value.min, value.max
    sample = low if low is not None else high
    if sample is None:
        return ""
    dated = isinstance(sample, date)
    if low is not None and high is not None:
        if low == high:
            return format_value(low, spec, lang)
        if isinstance(low, Money) and isinstance(high, Money):
            return _money_range(low, high, lang)
        between = (" 至 " if lang == "zh" else " to ") if dated else "–"
        return f"{format_value(low, spec, lang)}{between}{format_value(high, spec, lang)}"
    upper = low is None
    if lang == "zh":
        word = ("不晚于" if upper else "不早于") if dated else ("不超过" if upper else "不少于")
        if isinstance(sample, Money):
            short = _short(sample)
            exact = f"{_amount(sample.amount)} {sample.currency}"
            return f"{word}{short}（{'≤' if upper else '≥'} {exact}）" if short else f"{word} {exact}"
        return f"{word}{format_value(sample, spec, lang)}"
    words = ("no earlier than", "no later than") if dated else ("at least", "at most")
    word = words[upper]
    return f"{word} {format_value(sample, spec, lang)}"


def _money_range(low: Money, high: Money, lang: str) -> str:
    if low.currency != high.currency:
        return f"{_money(low, lang)}–{_money(high, lang)}"
    exact = f"{_amount(low.amount)}–{_amount(high.amount)} {low.currency}"
    if lang == "zh":
        short = _short(low), _short(high)
        if short[0] and short[1]:
            return f"{short[0]}–{short[1]}（{exact}）"
    return exact


@lru_cache(maxsize=1024)
def _localised(value: str, synonyms: tuple[str, ...], lang: str) -> str:
    """The value, or its first synonym in the reader's language when the value is in the other. A value that code has
    joined with ``_`` reads as a synonym spells it out (wifes_father: "wife's father"), where there is one."""
    if (lang == "zh") == has_han(value):
        words = value.replace("_", " ")
        return next((word for word in synonyms if word.replace("'", "").replace("-", " ") == words), value)
    return next((word for word in synonyms if (lang == "zh") == has_han(word)), value)


def _duration(text: str, lang: str) -> str:
    found = _DURATION.fullmatch(text)
    if not found or not any(found.groups()):
        return text
    said = []
    for count, unit in zip(found.groups(), _UNITS[lang if lang in _UNITS else "en"], strict=True):
        if count:
            said.append(f"{count}{unit}" if lang == "zh" else f"{count} {unit}{'' if count == '1' else 's'}")
    return "".join(said) if lang == "zh" else " ".join(said)
