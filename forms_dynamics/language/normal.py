"""Normal forms in which names and values are compared."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from importlib import resources

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


def has_han(text: str) -> bool:
    """Whether the text holds a Chinese character."""
    return _HAN.search(text) is not None


def simplified(text: str) -> str:
    """Traditional characters as simplified ones; the length does not change."""
    return text if text.isascii() else text.translate(_to_simplified())


@lru_cache(maxsize=8192)
def normal(text: str) -> str:
    """The form in which two names are one: full width, case, script and runs of space folded (NFKC)."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_to_simplified())
    text = _SPACE.sub(" ", text.casefold()).strip()
    return text if text.isascii() else _BETWEEN_HAN.sub("", text)


def language(text: str) -> str:
    """``zh`` when the text holds Chinese characters, else ``en``."""
    return "zh" if has_han(text) else "en"
