"""Numbers in running text, with the ranges and bounds said about them.

A number does not start inside a word (``Line3 20k`` is 20,000), and dates, clock times, phone-like chains and
version numbers are not numbers here. All values are exact ``Decimal``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from forms_dynamics.language.amounts import UNIT_BEHIND, Amount, bounded, joined
from forms_dynamics.language.normal import has_han
from forms_dynamics.language.numerals import ARABIC, MAGNITUDE, Numeral, arabic, folded, tidy
from forms_dynamics.language.numerals_en import ENGLISH, ENGLISH_WORDS, english
from forms_dynamics.language.numerals_zh import SIGNS, chinese
from forms_dynamics.language.reading import Reading
from forms_dynamics.model.value import Range

CODES = (
    "CNY|RMB|CNH|USD|EUR|GBP|JPY|HKD|TWD|NTD|MOP|SGD|AUD|CAD|NZD|CHF|KRW|INR|THB|VND|MYR|IDR|PHP|RUB|BRL|"
    "MXN|ZAR|SEK|"
    "NOK|DKK|PLN|CZK|HUF|TRY|AED|SAR|ILS"
)
_CODE_BEFORE = re.compile(rf"(?:^|[^A-Za-z0-9])(?:{CODES}|US|HK|NT|AU|CA|NZ|Rs|approx|ca|c)$", re.IGNORECASE)

_MONEY_BEFORE = re.compile(
    rf"(?:^|[^A-Za-z0-9])(?:{CODES}|US|HK|NT|AU|CA|NZ|Rs)$", re.IGNORECASE
)  # the 3 of C-3 is none
_WORD = re.compile("[a-z]{3,}")
# what may follow digits inside a numeral of mixed signs: 13万2, 50多万, 3个亿
_MIXED = frozenset("十百千万亿拾佰仟多余来几半个")
_START = re.compile(rf"[0-9{SIGNS}几数半]|好几|好多|若干")
_CHAIN = re.compile(
    r"[0-9]+(?:-[0-9]+){2,}(?![0-9])|[0-9]+(?:/[0-9]+){2,}(?![0-9])|[0-9]+(?:\.[0-9]+){2,}(?![0-9])|"
    r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?|[0-9]{4}[-/][0-9]{1,2}(?![0-9])"
    r"|0[0-9]{2,3}-[0-9]{7,8}|[0-9]+[A-Za-z]+[0-9][A-Za-z0-9]*|[0-9]+(?:st|nd|rd|th)\b"
)
_HALF = re.compile(r"[0-9]+,[0-9]{1,2}(?![0-9,])")  # 1,5 is one and a half, or a list
_GROUPED_DOTS = re.compile(
    r"[0-9]{1,3}(?:\.[0-9]{3}){2,}(?:,[0-9]{1,2})?(?![0-9.])|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{1,2}(?![0-9])"
)
_DIGITS = re.compile(
    rf"(?P<n>{ARABIC})(?P<half> and a half)?(?:(?: ?(?P<word>hundred|thousand|million|billion|trillion|"
    rf"grand|lakhs?|crores?|mil|"
    r"mio|mln|bln|mn|bn|tn|k)| ?(?P<M>M)|(?P<letter>mm|m|b|w))(?P<ks>s?)(?![A-Za-z0-9]))?",
    re.IGNORECASE,
)
_MAGNITUDE_ODD = re.compile(
    r"(?: ?-?odd| ?-?something)(?: (?P<mag>hundred|thousand|million|billion|k)\b)?", re.IGNORECASE
)
_MONEY_NEAR = re.compile(
    rf"^ ?(?:{CODES}|\$|€|£|¥|US|dollars?|euros?|pounds?|yuan|bucks|quid)", re.IGNORECASE
)
_SYMBOL_BEFORE = re.compile(rf"(?:[$€£¥₩₹]|{CODES}) ?$", re.IGNORECASE)


def scan(text: str, money: bool = False, wan: bool = False) -> list[Numeral]:
    """All numerals of ``text`` (already folded), in order, not overlapping.

    ``money``: a bare ``m`` or ``b`` behind digits is a magnitude even with no currency beside it. ``wan``: so
    is ``w`` (万, as typed in Chinese chats); it is one anyway where the text holds Chinese.
    """
    out: list[Numeral] = []
    at = 0
    han = wan or (not text.isascii() and has_han(text))
    while start := _START.search(text, at):
        found = _at(text, start.start(), han, money)
        if isinstance(found, Numeral):
            out.append(found)
            at = found.end
        else:
            at = max(found, start.start() + 1)
    low = text.lower()
    if len(low) == len(text) and not ENGLISH_WORDS.isdisjoint(_WORD.findall(low)):
        words = [n for m in ENGLISH.finditer(low) if (n := english(m)) is not None]
        if words:
            taken = [(n.start, n.end) for n in out]
            out += [n for n in words if not any(s < n.end and n.start < e for s, e in taken)]
            out.sort()
    return out


def _at(text: str, start: int, han: bool, money: bool) -> Numeral | int:
    """The numeral at ``start``, or where to go on looking."""
    if not "0" <= text[start] <= "9":
        return chinese(text, start) or start + 1
    if _inside_word(text, start):
        return _skip_digits(text, start)
    if (chain := _CHAIN.match(text, start)) and not _GROUPED_DOTS.match(text, start):
        return chain.end()
    if not money and (half := _HALF.match(text, start)):
        return half.end()
    found = _DIGITS.match(text, start)
    if found is None:
        return start + 1
    after = text[found.end("n") : found.end("n") + 2]
    if after and (after[0] in _MIXED or (after[0] == " " and after[1:] in _MIXED)):
        mixed = chinese(text, start)
        if mixed is not None and mixed.end > found.end("n"):
            return mixed
    return _arabic(text, found, han, money)


def _inside_word(text: str, start: int) -> bool:
    if start == 0:
        return False
    before = text[start - 1]
    if before == "_" or (
        before in "." and start > 1 and text[start - 2].isalnum() and text[start - 2].isascii()
    ):
        return True
    if before == "-" and start > 1:
        behind = text[start - 2]
        return (
            behind.isascii()
            and behind.isalpha()
            and not _MONEY_BEFORE.search(text[max(0, start - 7) : start - 1])
        )
    if before.isascii() and before.isalpha():
        return _CODE_BEFORE.search(text[max(0, start - 8) : start]) is None
    return False


def _skip_digits(text: str, start: int) -> int:
    while start < len(text) and ((text[start].isascii() and text[start].isalnum()) or text[start] in "_"):
        start += 1
    return start


def _arabic(text: str, found: re.Match[str], han: bool, money: bool) -> Numeral:
    start, end = found.start(), found.end("n")
    value = arabic(found["n"])
    scale, vague = 1, False
    word = (found["word"] or found["M"] or found["letter"] or "").lower()
    if word and found["M"] and found["M"] == "m":
        # a small m is a million only where money is spoken of: 10m may be ten metres
        near = _MONEY_NEAR.match(text[found.end() : found.end() + 10]) or _SYMBOL_BEFORE.search(
            text[max(0, start - 5) : start]
        )
        attached = found.end("n") == found.start("M")
        word = word if (money and attached) or near else ""
    elif found["letter"] and word == "w":
        word = word if han else ""
    if found["half"] and word:
        value += Decimal("0.5")
    if word:
        scale = MAGNITUDE[word]
        end = found.end()
    high = value
    if odd := _MAGNITUDE_ODD.match(text, end):
        digits = found["n"].replace(",", "")
        step = Decimal(10 ** (len(digits) - len(digits.rstrip("0")))) if "." not in digits else Decimal(1)
        scale = MAGNITUDE[odd["mag"].lower()] if odd["mag"] else scale
        high, vague, end = value + step - Decimal(1) / scale, True, odd.end()
    if scale == 1:
        return Numeral(start, end, value, high, vague, scale, "digits")
    return Numeral(start, end, tidy(value * scale), tidy(high * scale), vague, scale, "digits")


def amounts_of(text: str, money: bool = False, wan: bool = False) -> Iterator[Amount]:
    """Each numeral of folded ``text`` as an Amount, a minus sign before it taken in."""
    for n in scan(text, money, wan):
        negative = (
            n.start > 0 and text[n.start - 1] == "-" and (n.start == 1 or text[n.start - 2] in " (:：,，=")
        )
        low, high = (-n.low, n.high and -n.high) if negative else (n.low, n.high)
        up = n.style == "zh" and _UPWARDS.search(text[max(0, n.start - 2) : n.start]) is not None
        if up:
            high = None
        start = n.start - (negative or up)
        yield Amount(start, n.end, low, high, n.vague or up, n.scale, n.style, ranged=up or n.low != n.high)


# 上千万, 过百万: open above, and vague. 以上, 早上 and 马上 end otherwise
_UPWARDS = re.compile("(?:(?<![以早晚马加])上|(?<![超不通经透])过)$")


@lru_cache(maxsize=1024)
def _numbers(text: str) -> tuple[Reading, ...]:
    said = folded(text)
    amounts = bounded(said, joined(said, list(amounts_of(said)), units=True), UNIT_BEHIND)
    return tuple(
        Reading(a.start, a.end, a.low if a.exact else Range(a.low, a.high), a.vague, (), "number")
        for a in amounts
    )


def find_numbers(text: str) -> list[Reading]:
    """Every number of ``text`` in order: ``Decimal``, or ``Range`` of it for ranges, bounds and vague
    numbers."""
    return list(_numbers(text))


_PLAIN = re.compile(r"[+-]?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]+)?")


def read_number(raw: str) -> Reading | None:
    """The one number that ``raw`` says (words around it are let be); None when none or several differ."""
    text = raw.strip()
    if _PLAIN.fullmatch(text):
        return Reading(0, len(raw), Decimal(text.replace(",", "")), kind="number")
    said = folded(text)
    whole = chinese(said, 0, strict=False)
    if whole is not None and whole.end == len(said):
        value = whole.low if whole.low == whole.high else Range(whole.low, whole.high)
        return Reading(0, len(raw), value, whole.vague, (), "number")
    found = _numbers(text)
    if not found or any(r.value != found[0].value for r in found[1:]):
        return None
    return found[0]
