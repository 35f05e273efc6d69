"""Words as they stand in a text: where, and whether they tell by themselves what they are about."""

from __future__ import annotations

import re

from forms_dynamics.language.normal import CJK, simplified

_HAN = re.compile(f"[{CJK}]")
_LATIN = re.compile(r"[^\W\d_]", re.UNICODE)
_LARGE = re.compile(r"\d[\d.,]*\s*(?:[万亿千]|(?:[km]|bn|thousand|million|billion)\b)", re.I)
_DIGITS = 4  # of a number that is seldom said of two things
_LETTERS = 3


def folded(text: str) -> str:
    """The text without case and traditional characters, as long as it was."""
    low = simplified(text).lower()
    return low if len(low) == len(text) else text


def places(text: str, words: str) -> list[tuple[int, int]]:
    """Where the words stand in the text, in whatever case and script, and are no part of a longer Latin word or
    number."""
    if not words:
        return []
    text, words = folded(text), folded(words)
    before = r"(?<![0-9A-Za-z])(?<!\d[.,])" if words[0].isascii() and words[0].isalnum() else ""
    after = r"(?![0-9A-Za-z]|[.,]\d)" if words[-1].isascii() and words[-1].isalnum() else ""
    return [m.span() for m in re.finditer(before + re.escape(words) + after, text)]


def distinctive(words: str) -> bool:
    """Whether who says the words again speaks of the same thing, as a rule: a name, a phrase, a large number. ``12``
    and ``$35`` are said of anything."""
    if _LARGE.search(words) or sum(map(str.isdigit, words)) >= _DIGITS:
        return True
    han = len(_HAN.findall(words))
    return han >= 2 or len(_LATIN.findall(words)) - han >= _LETTERS


__all__ = ["distinctive", "folded", "places"]
