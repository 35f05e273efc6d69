"""Whether a question asks for what was before: 前马主, 上一任教练, "ex-coach", "her old number", "was it ever …",
"who owned it before Bob"."""

# ruff: noqa: E501 (a list of words and a pattern read best on one line)
from __future__ import annotations

import re
from collections.abc import Iterable

from forms_dynamics.language.normal import has_han

# before the word for a slot: whoever or whatever it was
_BEFORE_ZH = re.compile(
    "(?<![目当提面眼日天年月周点期之以])(?:前(?:一?任|一个|一位)?|上一?任|上一?[个位]|老)(?:的)?$"
)
_BEFORE_EN = re.compile(r"\b(?:ex[- ]|old |prior |past |previous |former |earlier )$")
# whether it was so at any time, of which the present says nothing
_EVER = re.compile(
    r"^(?:and |so |but )?(?:(?:was|were|has|have|had|did)\b[^?]*\bever|(?:who|what|which|how)\b[^?]*\b(?:has|have|had|was|were|did) ever)\b|"
    r"(?:有没有|是否|是不是)[^，。？?]{1,8}过(?=[\u4e00-\u9fffA-Za-z])|[做当属用住归叫]于?过[^，。？?]*[吗么]|前任"
)
# who had it before somebody; a name is written with a capital, and no month or weekday
_BEFORE_NAME = re.compile(
    r"^(?:And |and )?(?:[Ww]ho(?:se|m)?|[Ww]hat|[Ww]hich)\b[^?]*\b(?:was|were|had|did|[a-z]+ed|held|kept|led|ran|taught|drove|rode) ?[^?]*"
    r"\b(?:before|prior to) (?:(?!Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun|Christmas|Easter|Q\d)"
    r"[A-Z][\w'’.-]*|[\u4e00-\u9fff]{2,4})(?: [A-Z][\w'’.-]*)*[ ?.!]*$"
)


def asks_former(raw: str, text: str, slots: Iterable[tuple[int, int, bool]]) -> bool:
    """Whether earlier values are asked for. ``slots``: where words for slots stand in ``text``, the normal form of
    ``raw``, and whether such a slot names somebody or something."""
    if _EVER.search(text) is not None or _BEFORE_NAME.search(raw) is not None:
        return True
    return any(
        naming and _BEFORE_ZH.search(text, 0, a) is not None
        if has_han(text[a:b])
        else _BEFORE_EN.search(text, 0, a) is not None
        for a, b, naming in slots
    )


def only_former(text: str) -> bool:
    """Whether what was before, and nothing else, is asked for: what has never been otherwise does not tell it."""
    return _ONLY_FORMER.search(text) is not None


_ONLY_FORMER = re.compile(
    r"(?<![目当提面眼日天年月周点期之以])前(?:一?任|[\u4e00-\u9fff]{1,3}(?=是|叫|$|[？?]))|上一?任|(?:以前|之前|先前|此前)的|"
    r"\b(?:ex[- ]|previous (?=\w)|former (?=\w)|prior (?!to\b)|old (?!is|are|was|were|enough))"
)


__all__ = ["asks_former", "only_former"]
