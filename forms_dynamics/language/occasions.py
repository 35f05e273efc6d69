"""A day that the message names for what it is: 5月1日我生日, "May 1 is our anniversary"; it is no other slot's day."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

from functools import lru_cache

from forms_dynamics.language.clauses import clause_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numerals import lowered

_PARTY = (
    r"(?!聚会|派对|会|宴|趴|礼物|蛋糕|快乐|旅行|晚餐|餐| ?(?:party|dinner|present|gift|cake|trip|lunch|do\b))"
)
_WORD = rf"(?P<word>(?:生日|诞辰|忌日|(?:结婚)?纪念日|birthday|wedding anniversary|anniversary){_PARTY})"
_WHOSE = r"(?:我们?|咱们?|本人|他|她|我?(?:老婆|老公|爸|妈|儿子|女儿|孩子)|\bmy\b|\bour\b|\bhis\b|\bher\b|\bmy \w+['’]s)"
_BEHIND = lazy(
    rf"\s*(?:[,，]\s*)?(?:也|正好|刚好|就|那天|当天)?(?:是|为)?(?:\s*(?:is|was|['’]s|being|happens to be|falls on))?\s*{_WHOSE}?(?:的)?\s*{_WORD}"
)
_BEFORE = lazy(
    rf"(?:{_WORD}(?:是|在|为|就是|：|:)?\s*|{_WORD}\s*(?:is|was|falls|comes)?\s*(?:on|:)?\s*(?:the )?|(?P<born>\bborn\s*(?:on|in)?\s*|(?:出生于|生于)\s*))$".replace(
        "(?P<word>", "(?:"
    ).replace("(?P<born>", "(?:")
)
_BORN_BEHIND = lazy(r"\s*(?P<word>出生|生的|降生)")


@lru_cache(maxsize=1024)
def occasion(text: str, start: int, end: int) -> str | None:
    """The word for what the day ``text[start:end]`` is, where one is tied to it; or None."""
    said = lowered(text)
    low, high = clause_of(text, start, end)
    behind = _BEHIND.match(said, end) or _BORN_BEHIND.match(said, end, high)
    if behind is not None:
        return behind["word"]
    before = _BEFORE.search(said[low:start])
    return before.group().strip() if before is not None else None


__all__ = ["occasion"]
