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
    out: list[tuple[int, int]] = []
    # looked for as it is: a pattern would be compiled anew for each of thousands of words
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        if _begins(text, at) and _ends(text, end):
            out.append((at, end))
            at = text.find(words, end)
        else:
            at = text.find(words, at + 1)
    return out


def _begins(text: str, at: int) -> bool:
    """Whether what stands at ``at`` begins there: behind no Latin letter or digit, nor in the middle of a number."""
    if not at or not _alphanumeric(text[at]):
        return True
    before = text[at - 1]
    return not (_alphanumeric(before) or (before in ".," and text[max(at - 2, 0) : at - 1].isdecimal()))


def _ends(text: str, end: int) -> bool:
    """Likewise whether it ends before ``end``."""
    if end == len(text) or not _alphanumeric(text[end - 1]):
        return True
    after = text[end]
    return not (_alphanumeric(after) or (after in ".," and text[end + 1 : end + 2].isdecimal()))


def _alphanumeric(character: str) -> bool:
    return character.isascii() and character.isalnum()


def distinctive(words: str) -> bool:
    """Whether who says the words again speaks of the same thing, as a rule: a name, a phrase, a large number. ``12``
    and ``$35`` are said of anything."""
    if _LARGE.search(words) or sum(map(str.isdigit, words)) >= _DIGITS:
        return True
    han = len(_HAN.findall(words))
    return han >= 2 or len(_LATIN.findall(words)) - han >= _LETTERS


__all__ = ["distinctive", "folded", "places"]
