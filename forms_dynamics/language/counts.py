"""Small whole numbers as they stand before a unit of time: 3, 三, 十二, 两, "two", "a couple of"."""

from __future__ import annotations

from functools import lru_cache

_DIGIT = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
EN_WORDS = {word: number for number, word in enumerate(_WORDS)} | {
    "a": 1, "an": 1, "thirty": 30, "forty": 40, "forty-five": 45, "fifty": 50, "sixty": 60, "ninety": 90,
}  # fmt: skip
EN_COUNT = r"(?:\d{1,4}|" + "|".join(sorted(EN_WORDS, key=len, reverse=True)) + ")"
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}


@lru_cache(maxsize=1024)
def count(raw: str) -> int | None:
    """The number that ``raw`` spells, or None."""
    raw = raw.strip().lower()
    if raw.isdecimal():
        return int(raw)
    if raw in EN_WORDS:
        return EN_WORDS[raw]
    total, digit = 0, None
    for char in raw:
        if char in "十百":
            total += (1 if digit is None else digit) * (10 if char == "十" else 100)
            digit = None
        elif char in _DIGIT:
            if digit is not None and digit != 0:  # 二六 is read as digits: 26
                digit = digit * 10 + _DIGIT[char]
            else:
                digit = _DIGIT[char]
        else:
            return None
    if digit is not None:
        total += digit
    return total if raw else None
