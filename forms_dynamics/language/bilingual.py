"""Patterns of what is said in Chinese or in English."""

from __future__ import annotations

import re
from collections.abc import Iterator

from forms_dynamics.language.lazy import lazy


class Bilingual:
    """Finds what ``re.compile(f"{zh}|{en}", flags)`` finds. A text of ASCII alone is held against ``en`` only, as at
    each of its places dozens of Chinese words would be tried in vain: nothing that ``zh`` finds may be ASCII alone.
    """

    __slots__ = ("_both", "_en")

    def __init__(self, zh: str, en: str, flags: int = 0) -> None:
        self._en = lazy(en, flags)
        self._both = lazy(f"{zh}|{en}", flags)

    def _of(self, text: str) -> re.Pattern[str]:
        return self._en if text.isascii() else self._both

    def search(self, text: str) -> re.Match[str] | None:
        return self._of(text).search(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self._of(text).finditer(text)


__all__ = ["Bilingual"]
