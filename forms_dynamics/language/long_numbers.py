"""Long numbers that are checked by their own digits, however they are written: in one piece, in groups, over a line's
end, in Chinese digits (四一一一…), as English words ("four one one one …").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

_FILL = "\x1f"  # in place of the rest of a word for a digit, so that nothing moves
_ZH = str.maketrans("〇零○一二三四五六七八九幺壹贰貳叁參肆伍陆陸柒捌玖", "0001234567891122334566789")
_WORD_DIGITS = dict(
    zip("zero oh one two three four five six seven eight nine".split(), "00123456789", strict=True)
)
_NAMES = "|".join(_WORD_DIGITS)
_WORD = re.compile(rf"\b(?:{_NAMES})\b", re.I | re.A)
_WORDS = re.compile(rf"\b(?:{_NAMES})\b(?:[\s,.-]{{1,3}}(?:{_NAMES})\b){{11,}}", re.I | re.A)
_BETWEEN = rf"{_FILL}*[ .,·•_\-‐‑–—\t\r\n]{{0,3}}"
_RUN = re.compile(rf"\d(?:{_BETWEEN}\d){{12,}}(?:{_BETWEEN}[Xx](?![A-Za-z0-9]))?", re.A)
_GROUP = re.compile(rf"\d+(?:{_BETWEEN}[Xx](?![A-Za-z0-9]))?", re.A)
_LEAST, _MOST = 13, 19  # digits of the shortest and the longest number that is looked for
_CHECKS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
# the first two digits of a resident identity number
_PROVINCES = frozenset(
    "11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83".split()
)


class Number(NamedTuple):
    """Whole groups of a run of digits. ``gaps``: what stands between them; ``whole``: nothing of the run is left
    out; ``led``: a Latin letter stands right before it."""

    groups: Sequence[str]
    gaps: Sequence[str]
    whole: bool
    led: bool

    @property
    def digits(self) -> str:
        return "".join(self.groups)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(map(len, self.groups))


def spelled(text: str) -> str:
    """The text with digits in place of Chinese and English words for them, as long as before."""
    if not text.isascii():
        text = text.translate(_ZH)
    return _WORDS.sub(lambda run: _WORD.sub(_digit, run.group()), text)


def _digit(word: re.Match[str]) -> str:
    return _WORD_DIGITS[word.group().lower()].ljust(len(word.group()), _FILL)


def numbers_in(text: str, judges: Sequence[Callable[[Number], bool]]) -> Iterator[tuple[int, int]]:
    """Where the numbers stand that one of the judges knows, the longest first."""
    for run in _RUN.finditer(text):
        places = [m.span() for m in _GROUP.finditer(text, *run.span())]
        first = 0
        while first < len(places):
            last = _last(text, places, first, judges)
            if last is not None:
                end = places[last][1]
                while text.startswith(_FILL, end):
                    end += 1
                yield places[first][0], end
            first = first + 1 if last is None else last + 1


def _last(
    text: str, places: Sequence[tuple[int, int]], first: int, judges: Sequence[Callable[[Number], bool]]
) -> int | None:
    """The last group of the longest number that begins with the first one."""
    start = places[first][0]
    if text[max(0, start - 1) : start] == "." and text[max(0, start - 2) : start - 1].isdigit():
        return None  # the digits behind a decimal point
    ends: list[int] = []
    size = 0
    for low, high in places[first : first + _MOST]:
        size += sum(ch.isalnum() for ch in text[low:high]) if high - low > 1 else 1
        if size > _MOST:
            break
        ends.append(size)
    if not ends or ends[-1] < _LEAST:
        return None
    spans = places[first : first + len(ends)]
    groups = ["".join(ch for ch in text[low:high] if ch.isalnum()) for low, high in spans]
    gaps = [text[a:b].strip(_FILL) for (_, a), (b, _) in pairwise(spans)]
    led = text[max(0, start - 1) : start].isalpha() and text[start - 1].isascii()
    for count in range(len(groups), 0, -1):
        if ends[count - 1] < _LEAST:
            return None
        last = first + count - 1
        if text.startswith(".", end := places[last][1]) and text[end + 1 : end + 2].isdigit():
            continue
        whole = first == 0 and last == len(places) - 1
        number = Number(groups[:count], gaps[: count - 1], whole, led)
        if any(judge(number) for judge in judges):
            return last
    return None


def card(number: Number) -> bool:
    """Whether the digits are a payment card number: 13 to 19 of them, a known first digit, Luhn's sum, groups as
    cards have them."""
    said = number.digits
    if not 13 <= len(said) <= 19 or not said.isdigit() or said[0] not in "23456":
        return False
    total = 0
    for place, digit in enumerate(map(int, reversed(said))):
        doubled = digit * 2 if place % 2 else digit
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0 and _grouped_as_card(number)


def _grouped_as_card(number: Number) -> bool:
    sizes, gaps = number.sizes, number.gaps
    if sum("\n" in gap for gap in gaps) > 1 and len(sizes) < len(number.digits):
        return False  # a column of figures
    if number.whole and all(gap in ("", " ", "-") for gap in gaps):
        return True
    if any("," in gap for gap in gaps) and len(sizes) < len(number.digits):
        return False  # a list of figures
    fours = all(size == 4 for size in sizes[:-1]) and sizes[-1] <= 4
    return (
        fours
        or len(sizes) <= 2
        or sizes in ((4, 6, 5), (4, 6, 4))
        or max(sizes) == 1
        or set(sizes[:-1]) == {2}
    )


def identity(number: Number) -> bool:
    """Whether the digits are a resident identity number of China: 18 characters with a check digit (GB 11643), or
    a birth date where it should be; of old, 15 digits."""
    said = number.digits
    if number.led or "," in "".join(number.gaps):
        return False
    if len(said) == 15 and said.isdigit():
        grouped = number.sizes in ((15,), (6, 6, 3)) or max(number.sizes) <= 2
        return grouped and said[:2] in _PROVINCES and _day(1900 + int(said[6:8]), said[8:12])
    if len(said) != 18 or not said[:17].isdigit():
        return False
    total = sum(int(d) * w for d, w in zip(said[:17], _CHECKS, strict=True))
    checked = "10X98765432"[total % 11] == said[17].upper()
    born = _day(int(said[6:10]), said[10:14])
    if len(number.groups) == 1:
        return checked or born
    return born and (checked or number.sizes[0] == 6)


def _day(year: int, day: str) -> bool:
    return 1900 <= year <= 2100 and 1 <= int(day[:2]) <= 12 and 1 <= int(day[2:]) <= 31


__all__ = ["Number", "card", "identity", "numbers_in", "spelled"]
