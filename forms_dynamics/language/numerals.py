"""What numerals of every script share: folded text, the value of Arabic digits, the numeral that is read.

The finder is :mod:`forms_dynamics.language.numbers`; Chinese numerals are read in ``numerals_zh``, English
number
words in ``numerals_en``. Values are exact. All but :func:`folded` expect folded text.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from forms_dynamics.language.normal import simplified

_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_WIDTH |= {
    0x3000: 32,
    0xA0: 32,
    0x202F: 32,
    0x2009: 32,
    0x2002: 32,
    0x2005: 32,
    0x2006: 32,
    0x2007: 32,
    0x2008: 32,
    0x200A: 32,
    0xFFE5: ord("¥"),
    0xFFE1: ord("£"),
    0x2019: 39,
}
_WIDTH |= {0x2212: ord("-"), 0x301C: ord("~")}


class _Folding(dict[int, int]):
    """A table for ``str.translate`` that learns each character once: a miss would cost an exception."""

    def __missing__(self, code: int) -> int:
        to = self[code] = ord(simplified(chr(_WIDTH.get(code, code))))
        return to


_FOLDING = _Folding()


@lru_cache(maxsize=1024)
def folded(text: str) -> str:
    """Half width and simplified, character for character: offsets stay those of ``text``."""
    return text if text.isascii() else text.translate(_FOLDING)


@lru_cache(maxsize=1024)
def lowered(text: str) -> str:
    """Folded and in lower case where that keeps every offset."""
    said = folded(text)
    low = said.lower()
    return low if len(low) == len(said) else said


class Numeral(NamedTuple):
    """``folded(text)[start:end]`` is a number from ``low`` to ``high`` (equal when exact; None: open).

    ``scale`` is its last magnitude (万, k, million; 1 when none), which a range may lend to its first number.
    """

    start: int
    end: int
    low: Decimal
    high: Decimal | None
    vague: bool
    scale: int
    style: str  # digits | zh | en


# Arabic: grouped by three, lakh grouping, Swiss apostrophes, European 1.234,56 (all unambiguous), then plain.
_SPACED = (
    r" ?(?:€|£|\$|₽|元|eur|euros?|chf|sek|nok|dkk|pln|czk|huf|rub|EUR|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RUB|Euro)"
)
# 1 200 is one number behind a currency's sign, or between a word that leads to it and a currency; what is counted
# behind it (€5 100 units) makes it two
_GROUPS = r"[1-9][0-9]{0,2}(?: [0-9]{3})+(?![0-9])(?:[.,][0-9]{1,2}(?![0-9]))?"
_UNCOUNTED = (
    r"(?! ?(?:units?|pcs|pieces?|people|items?|seats?|users?|tickets?|sets?|days?|weeks?|months?|hours?|kg|km|x|"
    r"[件台套个人份张次天月年只条箱吨])\b)(?! ?[件台套个人份张次天月年只条箱吨])"
)
ARABIC = (
    rf"(?>(?:(?<=[€£$¥₽])|(?<=[€£$¥₽] )|(?<=(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK) )){_GROUPS}{_UNCOUNTED}"
    rf"|(?:\A|(?<=[:：=是为])|(?<=[:：=是为] )|(?<= is )){_GROUPS}(?={_SPACED})"
    r"|[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?"
    r"|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?![0-9])(?:\.[0-9]+)?"
    r"|[0-9]{1,3}(?:'[0-9]{3})+(?![0-9])(?:\.[0-9]+)?"
    r"|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{1,2}(?![0-9])"
    r"|[0-9]{1,3}(?:\.[0-9]{3}){2,}(?![0-9.])"
    rf"|[1-9][0-9]{{0,2}}(?: [0-9]{{3}}){{2,}}(?![0-9])(?:,[0-9]{{1,2}})?(?={_SPACED})"
    rf"|[1-9][0-9]{{0,2}}(?: [0-9]{{3}})+,[0-9]{{2}}(?={_SPACED})"
    r"|[0-9]+(?:\.[0-9]+)?)"
)
_EUROPEAN = re.compile(
    r"[0-9]{1,3}(?: [0-9]{3})+(?:,[0-9]{1,2})?|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{1,2}|"
    r"[0-9]{1,3}(?:\.[0-9]{3}){2,}"
)


def arabic(text: str) -> Decimal:
    """The value of a match of :data:`ARABIC`."""
    if " " in text and text[-3:-2] != "," and text[-2:-1] != ",":
        return Decimal(text.replace(" ", ""))
    if _EUROPEAN.fullmatch(text):
        return Decimal(text.replace(".", "").replace(" ", "").replace(",", "."))
    return Decimal(text.replace(",", "").replace("'", ""))


def tidy(number: Decimal) -> Decimal:
    """Without the zeros that a magnitude leaves behind the point: 1.20 thousand is 1200. Exact at any
    length."""
    if number == number.to_integral_value():
        return Decimal(int(number))
    return Decimal(format(number, "f").rstrip("0"))


MAGNITUDE = {
    "hundred": 100, "thousand": 10**3, "grand": 10**3, "lakh": 10**5, "lakhs": 10**5, "million": 10**6,
    "mil": 10**6, "mio": 10**6, "mln": 10**6, "crore": 10**7, "crores": 10**7, "billion": 10**9,
    "bln": 10**9, "trillion": 10**12, "k": 10**3, "mn": 10**6, "mm": 10**6, "m": 10**6, "bn": 10**9,
    "b": 10**9, "tn": 10**12, "w": 10**4,
}  # fmt: skip
