"""Normal forms in which names and values are compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources
from typing import Any

CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_HAN = re.compile(f"[{CJK}]")
_SPACE = re.compile(r"\s+")
_BETWEEN_HAN = re.compile(f"(?<=[{CJK}]) (?=[{CJK}])")


@lru_cache(maxsize=1)
def _to_simplified() -> dict[int, str]:
    """Traditional to simplified, one character to one (OpenCC's table, its first choice)."""
    table: dict[int, str] = {}
    text = resources.files("opencc").joinpath("dictionary/TSCharacters.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        traditional, _, simplified = line.partition("\t")
        first = simplified.split(" ")[0]
        if len(traditional) == 1 and len(first) == 1:
            table[ord(traditional)] = first
    return table


_WIDE = {
    **{
        0xFF00 + at: chr(0x20 + at)
        for at in range(1, 95)
        if chr(0x20 + at).isalnum() or chr(0x20 + at) in "-_.@()"
    },
    **dict.fromkeys((0x3000, 0xA0, 0x2002, 0x2003, 0x2009, 0x202F), " "),
}
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]"
)


def plain_width(text: str) -> tuple[str, list[int] | None]:
    """The text with letters, digits and spaces of full width as plain ones and without invisible characters; where
    any were left out, the place of each character in ``text``."""
    if text.isascii():
        return text, None
    folded = text.translate(_WIDE)
    if _UNSEEN.search(folded) is None:
        return folded, None
    places = [at for at, ch in enumerate(folded) if _UNSEEN.match(ch) is None]
    return "".join(folded[at] for at in places), places


def has_han(text: str) -> bool:
    """Whether the text holds a Chinese character."""
    return _HAN.search(text) is not None


def language_of(values: Iterable[Any]) -> str:
    """The language of names and values: ``zh`` where any text among them (or in a tuple of them) has a Chinese
    character, else ``en``."""
    each = (one for value in values for one in (value if isinstance(value, (tuple, list)) else (value,)))
    return "zh" if any(isinstance(one, str) and has_han(one) for one in each) else "en"


@lru_cache(maxsize=1)
def _traditional() -> re.Pattern[str]:
    """Finds what may be a traditional character: beyond the basic plane any, or the pattern would be a slow one."""
    every = "".join(chr(each) for each in _to_simplified() if each < 0x10000)
    return re.compile(f"[{re.escape(every)}\U00010000-\U0010ffff]")


def simplified(text: str) -> str:
    """Traditional characters as simplified ones; the length does not change."""
    # to look for one costs a tenth of looking up every character
    if text.isascii() or _traditional().search(text) is None:
        return text
    return text.translate(_to_simplified())


@lru_cache(maxsize=8192)
def normal(text: str) -> str:
    """The form in which two names are one: full width, case, script and runs of space folded (NFKC)."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_to_simplified())
    text = _SPACE.sub(" ", text.casefold()).strip()
    return text if text.isascii() else _BETWEEN_HAN.sub("", text)


_ZH_GRAMMAR = re.compile("[的是吗呢了吧在有给把被让从对么谁哪几]|什么|怎么|多少|我们|他们|你们")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")
_EN_GRAMMAR = re.compile(
    r"\b(?:what|who|whose|when|where|which|why|how|is|are|was|were|the|of|does|did|do|has|have|had|for|our|we|my"
    r"|i|to|and|in|on|at|with|please)\b"
)


@lru_cache(maxsize=4096)
def language(text: str) -> str:
    """The language that a text is written in, ``zh`` or ``en``. A Chinese name in an English sentence leaves it
    English: where both scripts stand, grammar words decide, and without any, Chinese."""
    if not has_han(text):
        return "en"
    if _ZH_GRAMMAR.search(text):
        return "zh"
    english = len(_LATIN_WORD.findall(text)) >= 3 or text.rstrip().endswith("?")
    return "en" if english and _EN_GRAMMAR.search(text.casefold()) else "zh"
