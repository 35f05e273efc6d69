"""Amounts of money in Chinese and English, with their currency, ranges and bounds. Amounts are exact."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from forms_dynamics.language.amounts import PER_BEHIND, Amount, bounded, joined
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han
from forms_dynamics.language.numbers import amounts_of
from forms_dynamics.language.numerals import folded, tidy
from forms_dynamics.language.numerals_zh import COUNTER, chinese
from forms_dynamics.language.reading import Reading
from forms_dynamics.model.value import Money, Range

DOLLARS = frozenset({"USD", "HKD", "TWD", "SGD", "AUD", "CAD", "NZD"})
YUAN = frozenset({"CNY", "TWD", "HKD", "MOP", "JPY"})  # what 元 and 块 may stand for when the slot says so

# words → ISO code; "$", "元" and "¥" are settled by the slot's unit. Longest first.
_WORDS: dict[str, str] = {
    "人民币": "CNY", "rmb": "CNY", "cny": "CNY", "cnh": "CNY", "renminbi": "CNY", "chinese yuan": "CNY",
    "yuan": "CNY",
    "美元": "USD", "美金": "USD", "美刀": "USD", "刀": "USD", "usd": "USD", "us dollars": "USD",
    "us dollar": "USD",
    "u.s. dollars": "USD", "american dollars": "USD", "us$": "USD",
    "港币": "HKD", "港元": "HKD", "港纸": "HKD", "港幣": "HKD", "hkd": "HKD", "hk$": "HKD",
    "hong kong dollars": "HKD",
    "新台币": "TWD", "台币": "TWD", "台幣": "TWD", "twd": "TWD", "ntd": "TWD", "nt$": "TWD",
    "nt dollars": "TWD",
    "欧元": "EUR", "欧": "EUR", "eur": "EUR", "euros": "EUR", "euro": "EUR", "€": "EUR",
    "英镑": "GBP", "镑": "GBP", "gbp": "GBP", "pounds sterling": "GBP", "sterling": "GBP", "pounds": "GBP",
    "pound": "GBP", "quid": "GBP", "£": "GBP",
    "日元": "JPY", "日圆": "JPY", "日币": "JPY", "円": "JPY", "jpy": "JPY", "yen": "JPY",
    "japanese yen": "JPY", "jp¥": "JPY",
    "cn¥": "CNY",
    "澳元": "AUD", "澳币": "AUD", "aud": "AUD", "a$": "AUD", "au$": "AUD", "australian dollars": "AUD",
    "加元": "CAD", "加币": "CAD", "cad": "CAD", "c$": "CAD", "ca$": "CAD", "canadian dollars": "CAD",
    "新加坡元": "SGD", "新币": "SGD", "坡币": "SGD", "sgd": "SGD", "s$": "SGD", "singapore dollars": "SGD",
    "纽币": "NZD", "新西兰元": "NZD", "nzd": "NZD", "nz$": "NZD",
    "澳门元": "MOP", "澳门币": "MOP", "mop": "MOP", "mop$": "MOP",
    "瑞士法郎": "CHF", "瑞郎": "CHF", "chf": "CHF", "swiss francs": "CHF", "francs": "CHF",
    "韩元": "KRW", "韩币": "KRW", "krw": "KRW", "won": "KRW", "₩": "KRW",
    "卢比": "INR", "inr": "INR", "rupees": "INR", "₹": "INR", "rs": "INR",
    "卢布": "RUB", "rub": "RUB", "rubles": "RUB", "₽": "RUB",
    "泰铢": "THB", "thb": "THB", "baht": "THB", "฿": "THB",
    "越南盾": "VND", "vnd": "VND", "₫": "VND",
    "马币": "MYR", "林吉特": "MYR", "myr": "MYR", "ringgit": "MYR",
    "印尼盾": "IDR", "idr": "IDR", "比索": "PHP", "php": "PHP", "brl": "BRL", "r$": "BRL", "mxn": "MXN",
    "zar": "ZAR", "sek": "SEK", "nok": "NOK",
    "dkk": "DKK", "pln": "PLN", "czk": "CZK", "huf": "HUF", "try": "TRY", "aed": "AED", "迪拉姆": "AED",
    "sar": "SAR", "ils": "ILS",
    "$": "$", "dollars": "$", "dollar": "$", "bucks": "$",
    "元": "元", "圆": "元", "块钱": "元", "块": "元", "元整": "元", "元人民币": "CNY", "块人民币": "CNY",
    "¥": "¥",
}  # fmt: skip
ISO = frozenset(code for code in _WORDS.values() if len(code) == 3)
_PREFIXES = sorted(
    (w for w in _WORDS if w not in ("欧", "刀", "镑", "元", "圆", "块", "块钱", "元整", "rs", "try")),
    key=len,
    reverse=True,
)
_SUFFIXES = sorted((w for w in _WORDS if w != "rs"), key=len, reverse=True)


def _pattern(words: Sequence[str]) -> str:
    """Alternatives; a word of Latin letters ends at a word's end."""
    return "|".join(
        re.escape(w) + (r"(?![a-z])" if w[-1].isascii() and w[-1].isalpha() else "") for w in words
    )


_BEFORE = lazy(rf"(?<![a-z])(?:{'|'.join(map(re.escape, _PREFIXES))})[ :：]?\s?$", re.IGNORECASE)
# the signs with which a currency's word can end before, and begin behind, an amount
_LASTS = frozenset(word[-1] for word in _PREFIXES) | {"s"}
_FIRSTS = frozenset(word[0] for word in _SUFFIXES) | {"(", "（"}
_RUPEES = lazy(r"(?<![a-z])rs\.? ?$", re.IGNORECASE)
_AFTER = lazy(rf"\s?[(（]?(?P<w>{_pattern(_SUFFIXES)})", re.IGNORECASE)
_PLUS = lazy(r"\+(?=\s?[A-Za-z元块美欧日港台英¥$€£])")
_BRACKET = lazy(rf"\s?[(（]\s?(?P<w>{_pattern(_SUFFIXES)})\s?[)）]", re.IGNORECASE)
_COIN = lazy(r"(?P<n>[0-9]{1,2}|[一二两三四五六七八九])(?P<u>毛|角|分)(?![钟之])")
# 5毛, 80 cents: hundredths of the currency
_CENTS = lazy(
    r"\s?(?:(?P<tenth>毛(?!利|病|坯)|角(?!度|色|落|钱包))|(?P<cent>分钱)|(?P<en>cents?)\b)", re.IGNORECASE
)
_FRACTION = lazy("/[0-9]")
_COUNTED = lazy(
    rf"\s?(?:{COUNTER}|%|％|号|岁|分(?![期三两二四五六0-9])|厘米|公分|毫米|分米|公斤|千克|英?寸|度|级|"
    rf"毫?升|平(?:米|方)?|亩|星|栋|路|线)(?!钱)"
)
_MEASURED = lazy(
    r"\s?-?(?:%|percent|per cent|days?|weeks?|months?|years?|hours?|hrs?|minutes?|mins?|seconds?|pcs|"
    r"pieces?|units?|people|seats?|users?|items?|"
    r"instal+ments?|times|kg|km|cm|mm|g|gb|tb|mb|kw|kwh|sqm|m2|x|am|pm|a\.m|p\.m|st|nd|rd|th)\b|\s?%",
    re.IGNORECASE,
)
# a mobile number, digits that begin with 0, a year after a preposition or a month, a number of an order
_OTHER = lazy(
    r"(?:(?<![0-9])1[3-9][0-9]{9}|(?<![0-9.])0[0-9]+|\b(?:in|since|by|until|till|year|fy|q[1-4]|[a-z]+ber|"
    r"jan\w*|feb\w*|march|mar|april|apr|may|"
    r"june?|july?|aug\w*)[ ,.]+(?:19|20)[0-9]{2}|(?:no\.?|number|order|po|id|编号|单号|电话|手机|号码|尾号)"
    r"[ :：#]*[0-9]+)$",
    re.IGNORECASE,
)
_SCRIPT_YEN = lazy("人民币|rmb|cny|renminbi|元人民", re.IGNORECASE)
_SCRIPT_JPY = lazy("日元|日圆|日币|円|jpy|yen|东京|日本", re.IGNORECASE)


def _resolve(code: str, unit: str | None, text: str) -> tuple[str, ...]:
    """The currencies that a word may mean here: one, or several when nothing settles it."""
    if code == "$":
        return (unit if unit in DOLLARS else "USD",)
    if code == "元":
        return (unit if unit in YUAN and unit != "JPY" else "CNY",)
    if code == "¥":
        yuan, yen = _SCRIPT_YEN.search(text) is not None, _SCRIPT_JPY.search(text) is not None
        if yuan != yen:
            return ("CNY",) if yuan else ("JPY",)
        return (unit,) if unit in ("CNY", "JPY") else ("CNY", "JPY")
    return (code,)


def _clothe(text: str, amount: Amount, floor: int, ceiling: int, unit: str | None, near: str) -> None:
    """Takes the currency said before or behind the number into it."""
    before = text[max(floor, amount.start - 18) : amount.start]
    code = ""
    behind = text[amount.end : amount.end + 2].lstrip()[:1].lower()
    if behind == "+" and (plus := _PLUS.match(text, amount.end)):
        amount.low, amount.high, amount.end = amount.low, None, plus.end()
        amount.ranged = True
        behind = text[amount.end : amount.end + 2].lstrip()[:1].lower()
    bracket = _BRACKET.match(text, amount.end) if behind in ("(", "（") else None
    after = _AFTER.match(text, amount.end, ceiling) if bracket is None and behind in _FIRSTS else None
    if before.rstrip(" :：.")[-1:].lower() in _LASTS and (
        found := _BEFORE.search(before) or _RUPEES.search(before)
    ):
        code = _WORDS[found.group().strip(" :：.").lower()]
        amount.start -= len(found.group())
        before_sign = text[amount.start - 2 : amount.start - 1]
        if amount.start > floor and text[amount.start - 1] == "-" and not before_sign.isalnum():  # -$500
            amount.start -= 1
            amount.low, amount.high = amount.high and -amount.high, amount.low and -amount.low
    if after and after.group().lstrip()[:1] not in "(（":
        said = _WORDS[after["w"].lower()]
        if not code or code in ("¥", "$", "元") or said in (code, "元", "$"):
            code = said if not code or said not in ("元", "$") else code
            amount.end = after.end()
            _coins(text, amount)
            tail = _AFTER.match(text, amount.end, ceiling)
            if tail and said == "元" and _WORDS[tail["w"].lower()] in ISO and tail.group()[:1] not in "(（":
                code, amount.end = _WORDS[tail["w"].lower()], tail.end()
            bracket = _BRACKET.match(text, amount.end)
    if bracket:
        said = _WORDS[bracket["w"].lower()]
        if not code or code in ("¥", "$", "元"):
            code = said
            amount.end = bracket.end()
    elif (
        not code
        and behind in "毛角分cC"
        and (coin := _CENTS.match(text, amount.end))
        and amount.low is not None
    ):
        worth = Decimal("0.1") if coin["tenth"] else Decimal("0.01")
        amount.low, amount.high = amount.low * worth, amount.high and amount.high * worth
        amount.end, code = coin.end(), "$" if coin["en"] else "元"
    if code:
        amount.currency = _resolve(code, unit, near)


def _coins(text: str, amount: Amount) -> None:
    """三块五, 12元5角: what stands behind the yuan."""
    if amount.low is None or amount.high is None or text[amount.end - 1] not in "元块":
        return
    tenth = Decimal("0.1")
    while coin := _COIN.match(text, amount.end):
        n = (
            Decimal(coin["n"])
            if coin["n"].isdigit()
            else Decimal("一二三四五六七八九".find(coin["n"].replace("两", "二")) + 1)
        )
        worth = n * (tenth if coin["u"] in "毛角" else tenth / 10)
        amount.low, amount.high, amount.end = amount.low + worth, amount.high + worth, coin.end()
    short = re.compile(r"([0-9一二两三四五六七八九半])(?![\w])").match(text, amount.end)
    if short and text[amount.end - 1] == "块":
        sign = short[1]
        n = (
            Decimal(5)
            if sign == "半"
            else Decimal(sign)
            if sign.isdigit()
            else Decimal("一二三四五六七八九".find(sign.replace("两", "二")) + 1)
        )
        amount.low, amount.high, amount.end = amount.low + n * tenth, amount.high + n * tenth, short.end()


def _is_money(text: str, amount: Amount) -> bool:
    """Whether a number without currency may be an amount: not a count, a date, a share, a time."""
    if _MEASURED.match(text, amount.end):
        return False
    if _COUNTED.match(text, amount.end) and not text.startswith("起", amount.end):
        return False
    if (
        amount.scale == 1
        and amount.style == "digits"
        and _OTHER.search(text, max(0, amount.start - 12), amount.end)
    ):
        return False
    return (
        not (amount.start and text[amount.start - 1] in "第#№@/_")
        and text[amount.end : amount.end + 1] != ":"
        and not _FRACTION.match(text, amount.end)
    )


def _european(text: str, amount: Amount) -> tuple[Decimal, ...]:
    """3.500 EUR: three and a half, or three thousand five hundred? Both, when nothing settles it."""
    said = re.search(r"(?<![0-9.,])([1-9][0-9]{0,2})\.([0-9]{3})(?![0-9.,])", text[amount.start : amount.end])
    if said and amount.scale == 1 and amount.currency == ("EUR",):
        return (Decimal(said[1] + said[2]), Decimal(f"{said[1]}.{said[2]}"))
    return ()


@lru_cache(maxsize=2048)
def _money(text: str, unit: str | None, context: str) -> tuple[Reading, ...]:
    said = folded(text)
    if not said or (said.isascii() and not any(ch.isdigit() for ch in said) and len(said) > 400):
        return ()
    near = said if not context else f"{said} {folded(context)}"
    amounts = list(amounts_of(said, money=True, wan=unit == "CNY"))
    floor = 0
    for i, amount in enumerate(amounts):
        if amount.start < floor:  # the 5 of 12元5角
            amount.style = "gone"
            continue
        ceiling = amounts[i + 1].start if i + 1 < len(amounts) else len(said)
        _clothe(said, amount, floor, ceiling, unit, near)
        _decimal_comma(said, amounts, i)
        floor = amount.end
    amounts = [a for a in amounts if a.style != "gone"]
    amounts = bounded(said, joined(said, amounts), PER_BEHIND)
    han = has_han(near)
    out: list[Reading] = []
    for amount in amounts:
        if amount.currency is None and not _is_money(said, amount):
            continue
        currencies = amount.currency or ((unit,) if unit else ("CNY",) if han else ())
        values = _european(said, amount)
        if not currencies:
            out.append(Reading(amount.start, amount.end, None, amount.vague, (), "money?"))
        elif len(currencies) > 1 or values:
            each = [_valued(amount, code, v) for code in currencies for v in (values or (None,))]
            out.append(Reading(amount.start, amount.end, None, amount.vague, tuple(each), "money"))
        else:
            out.append(
                Reading(amount.start, amount.end, _valued(amount, currencies[0]), amount.vague, (), "money")
            )
    return tuple(out)


def _decimal_comma(text: str, amounts: list[Amount], i: int) -> None:
    """``3,50 €``: a comma and two digits before a European currency are cents, not a second number."""
    second, first = amounts[i], amounts[i - 1] if i else None
    if (
        first and second.currency == ("EUR",) and first.end + 1 == second.start and text[first.end] == ","
        and first.currency in (None, ("EUR",)) and re.match(r"[0-9]{2}", text[second.start :])
        and second.low is not None and second.low < 100 and first.low is not None and second.scale == 1
    ):  # fmt: skip
        value = first.low + second.low / 100
        second.low = second.high = value
        second.start = first.start
        first.style = "gone"


def _valued(amount: Amount, currency: str, value: Decimal | None = None) -> Money | Range:
    if value is not None:
        return Money(value, currency)
    if amount.exact and amount.low is not None:
        return Money(amount.low, currency)
    low = None if amount.low is None else Money(amount.low, currency)
    high = None if amount.high is None else Money(amount.high, currency)
    return Range(low, high)


def find_money(text: str, unit: str | None = None) -> list[Reading]:
    """Amounts of money in ``text``, in order: ``Money``, or ``Range`` of it for ranges, bounds and vague
    amounts.

    ``unit`` is the currency of an amount that says none, and settles ``¥``, ``$`` and 元. Without it ``¥``
    gives
    CNY and JPY as alternatives, a Chinese amount is CNY, and an English amount has ``value`` None and kind
    "money?".
    """
    return list(_money(text, unit, ""))


_FAST = lazy(
    r"(?:(?P<a>[A-Z]{3}|人民币|[$€£]) ?)?(?P<n>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?)"
    r"(?P<w>[万亿])?(?: ?(?P<b>[A-Z]{3}|元|美元|欧元))?"
)


def plain_money(raw: str, unit: str | None = None) -> Money | None:
    """The amount of a plainly written ``raw`` (USD 1,234,567; 人民币1,234,567元; 50万元), read without
    searching; else None.

    An amount that names no currency is taken with ``unit``: the caller knows that no other was said.
    """
    found = _FAST.fullmatch(raw)
    if found is None:
        return None
    before, number, big, after = found.groups()
    said = before or after or ""
    code = _WORDS.get(said.lower(), "") if said else unit
    if code == "元":
        code = unit if unit in YUAN and unit != "JPY" else "CNY"
    elif code == "$":
        code = unit if unit in DOLLARS else "USD"
    if code is None or code not in ISO or (before and after and not (code == "CNY" and after == "元")):
        return None
    if code == "EUR" and "." in number and len(number) - number.index(".") == 4:
        return None  # 3.500 EUR has two readings
    value = Decimal(number.replace(",", ""))
    return Money(tidy(value * (10**4 if big == "万" else 10**8)) if big else value, code)


def read_money(raw: str, unit: str | None = None, context: str = "") -> Reading | None:
    """The one amount that ``raw`` says, words around it let be; None when it says none, or several that
    differ.

    ``context`` are the words that ``raw`` was taken from: they settle a currency that ``raw`` leaves open.
    """
    plain = plain_money(raw, None if context and _currency_beside(raw, context) else unit)
    if plain is not None:
        return Reading(0, len(raw), plain, kind="money")
    return _read(raw, unit, context)


def currency_of(word: str, unit: str | None = None) -> str | None:
    """The ISO code that a word or symbol alone names (美元, ``usd``, ``€``); ``$`` and 元 follow ``unit``."""
    code = _WORDS.get(folded(word).strip().lower())
    if code is None:
        return None
    found = _resolve(code, unit, word)
    return found[0] if len(found) == 1 else None


def _read(raw: str, unit: str | None, context: str) -> Reading | None:
    found = _money(raw, unit, context if "¥" in raw or "￥" in raw else "")
    if not found:
        said = folded(raw.strip())
        whole = chinese(said, 0, strict=False)
        if whole is None or whole.end != len(said):
            return None
        amount = Amount(
            0, len(raw), whole.low, whole.high, whole.vague, whole.scale, "zh", ranged=whole.low != whole.high
        )
        return Reading(0, len(raw), _valued(amount, unit or "CNY"), whole.vague, (), "money")
    first = found[0]
    if len(found) > 1:
        same = [r for r in found if r.value == first.value and r.alternatives == first.alternatives]
        if len(same) != len(found):
            return _only_priced(raw, found)
    if context and not says_currency(raw[first.start : first.end]):
        return _in_context(raw, first, unit, context) or first
    return first


def _only_priced(raw: str, found: Sequence[Reading]) -> Reading | None:
    """The one amount that names its currency or a magnitude, beside bare numbers (``order 12: $500``)."""
    priced = [r for r in found if says_currency(raw[r.start : r.end])]
    return priced[0] if len(priced) == 1 else None


_ANY_WORD = lazy(
    rf"(?<![a-z])(?:{_pattern(sorted((w for w in _WORDS if w != 'rs'), key=len, reverse=True))})",
    re.IGNORECASE,
)


def says_currency(text: str) -> bool:
    """Whether the words name a currency."""
    return _ANY_WORD.search(re.sub(r"[0-9]+ ?[km]|bn", " ", folded(text), flags=re.IGNORECASE)) is not None


def _currency_beside(raw: str, context: str) -> bool:
    """Whether a currency may be said of ``raw`` in ``context``: right beside it, or anywhere when the context has
    it in other words."""
    at = context.find(raw)
    if at < 0:
        return True
    return says_currency(context[max(0, at - 12) : at + len(raw) + 12])


def _in_context(raw: str, bare: Reading, unit: str | None, context: str) -> Reading | None:
    """The same amount in ``context``, where it says its currency; None when it does not."""
    words = raw.strip()
    priced = _priced(context, unit)
    at = priced.text.find(words) if priced.readings else -1
    places = [] if at < 0 else [bisect_right(priced.starts, at) - 1]
    if (amount := _amount(bare)) is not None and amount in priced.amounts:
        places.append(priced.amounts[amount])
    if places:
        reading = priced.readings[min(places)]
        return Reading(bare.start, bare.end, reading.value, reading.vague, reading.alternatives, "money")
    if bare.kind == "money?" and has_han(context):
        return _money(raw, "CNY", "")[0]
    return None


class _Priced(NamedTuple):
    """The amounts of a text that name their currency: ``text`` holds their words, each from ``starts`` on, and
    ``amounts`` has the first of each size."""

    readings: tuple[Reading, ...]
    text: str
    starts: tuple[int, ...]
    amounts: dict[object, int]


@lru_cache(maxsize=256)
def _priced(text: str, unit: str | None) -> _Priced:
    readings = tuple(r for r in _money(text, unit, "") if says_currency(text[r.start : r.end]))
    said = [text[r.start : r.end] + "\0" for r in readings]
    amounts: dict[object, int] = {}
    for i, reading in enumerate(readings):
        amounts.setdefault(_amount(reading), i)
    return _Priced(readings, "".join(said), (0, *accumulate(map(len, said))), amounts)


def _amount(reading: Reading) -> object:
    value = reading.value or (reading.alternatives[0] if reading.alternatives else None)
    return value.amount if isinstance(value, Money) else value
