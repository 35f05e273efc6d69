"""What is told of the speaker's life and is no present fact of the speaker: what was once so, what was dreamt, what is
told of somebody who goes by a pronoun or stands behind the words (住在苏州的那个老同学)."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from functools import lru_cache

from forms_dynamics.language.clauses import clause_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numerals import lowered
from forms_dynamics.language.voices import FIRST, KIN_ZH, with_whom

_DREAMT = lazy(r"梦见|梦到|夢見|夢到|梦里|夢裡|\b(?:dreamt|dreamed|had a dream|in (?:a|my) dream)\b")
_ONCE = lazy(
    r"小时候(?!就|起|开始)|小时侯|从前|以前(?!就)|早年|年轻时|上学时|上大学(?:时|的时候)|大学时|曾经?(?!经常)|过去(?!一下|吗|的话)|当年|那时候?|童年|(?<=[\u4e00-\u9fff])过(?=[\u4e00-\u9fff]{2,6}(?:$|[，。,.]))|"
    r"\b(?:used to|formerly|previously|once (?:lived|worked|had|was)|(?:as|when i was) (?:a |an )?(?:\w+ )?(?:child|kid|teenager|student|boy|girl|young)|in my (?:childhood|youth|twenties|teens)|back (?:then|in the day)|growing up|grew up)\b"
)
_NOW = lazy(
    r"现在|如今|目前|后来|改|又|才|就一直|一直到|至今|\b(?:now|nowadays|currently|these days|since|still|today|then moved)\b"
)
_PAST_BEHIND = lazy(
    r"\s*(?:的)?(?:时候)?(?:是)?(?:小时候|以前|从前|当年)的?事|\s*(?:过)(?:几年|一阵|一段|两年|一年|三年)?(?=$|[，。,.；;!！])|\s*(?:as a (?:child|kid|teenager|student)|when i was (?:a |an )?(?:\w+ )?(?:child|kid|little|small|young|student|boy|girl)|back (?:then|in the day|in \d{4})|years ago|in my (?:childhood|youth|twenties|teens))\b"
)
_PRONOUN = lazy(
    r"(?:(?<!其)(?<!吉)[他她](?!人)们?)|\b(?:he|she|they|he['’]s|she['’]s|they['’]re|his|her|their)\b"
)
_WHO_BEHIND = lazy(
    rf"[^，。,.；;！!？?\s的]{{0,4}}的(?:那|这|一)?(?:个|位|些|群)?(?:[老小大]|前)?(?:{KIN_ZH}|人|家伙|姑娘|小伙子?|男[生人孩]|女[生人孩]|[\u4e00-\u9fff]{{1,2}}(?:总|经理|老师|医生|先生|女士))"
    r"|\s*(?:who|that) "
)


def _last(pattern: re.Pattern[str], said: str, low: int, high: int) -> re.Match[str] | None:
    found = list(pattern.finditer(said, low, high))
    return found[-1] if found else None


@lru_cache(maxsize=2048)
def dreamt(text: str, start: int, end: int) -> bool:
    """Whether the words are told of a dream."""
    low = clause_of(text, start, end)[0]
    return _DREAMT.search(lowered(text), low, start) is not None


@lru_cache(maxsize=2048)
def bygone(text: str, start: int, end: int) -> bool:
    """Whether the words were so once: 小时候住过苏州, "I used to live in Leeds"."""
    said = lowered(text)
    low, high = clause_of(text, start, end)
    last = _last(_ONCE, said, low, start)
    if last is not None and _NOW.search(said, last.end(), start) is None:
        return True
    return _PAST_BEHIND.match(said, end, high) is not None


@lru_cache(maxsize=2048)
def somebody_else(text: str, start: int, end: int) -> str | None:
    """The pronoun or the person behind the words of whom they are told, with no word for the speaker nearer; or None."""
    said = lowered(text)
    low, high = clause_of(text, start, end)
    last = _last(_PRONOUN, said, low, start)
    if (
        last is not None
        and FIRST.search(said, last.end(), start) is None
        and not with_whom(text, last.start())
    ):
        owns = last.group() in ("his", "her", "their")
        if owns and FIRST.search(said, low, last.start()) is not None:
            return None
        return text[last.start() : last.end()]
    behind = _WHO_BEHIND.match(said, end, high)
    if behind is not None and "的" in behind.group() and FIRST.search(said, low, start) is None:
        return text[behind.start() : behind.end()]
    return None


_PAST_NAME = lazy(
    r"以前|曾|从前|过去|小时|史|籍|老家|故乡|毕业|\b(?:former|previous|past|history|hometown|birth|origin|childhood|education|school)"
)


@lru_cache(maxsize=1024)
def of_the_past(name: str) -> bool:
    """Whether a slot by that name asks for what is over."""
    return _PAST_NAME.search(name.replace("_", " ").lower()) is not None


__all__ = ["bygone", "dreamt", "of_the_past", "somebody_else"]
