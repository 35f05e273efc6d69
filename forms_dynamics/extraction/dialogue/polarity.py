"""Answers that name no value: yes, no, anything will do, and answers that are none."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re

from forms_dynamics.language.lazy import lazy

_OPEN = r"^\W*(?:(?:well|oh|um+|uh|hmm+|hi|hello|thanks|thank you|嗯+|哦|呃|那)\W*)*"
_YES = lazy(
    rf"{_OPEN}(?:yes|yeah|yep|yup|sure|of course|absolutely|definitely|certainly|i do\b|i would\b|please do|that would be|i will\b|i have\b|是的|是|对|要|需要|有的|有|好的?|可以|当然)",
    re.I,
)
_NO = lazy(
    rf"{_OPEN}(?:no\b(?! (?:preference|problem|matter|worries))|nope|nah|not (?:really|needed|necessary|at all)\b|i (?:do|would|will|have|did) ?(?:n['’ ]{{1,3}}t|not)\b|i don['’]t|none\b|no need|不用|不需要|不要|没有|不是|否|不必|不了|无需)",
    re.I,
)
_ANY = lazy(
    r"\b(?:any(?: \w+)?(?: \w+)? (?:is|are|will|would|works?|do)\b|any\s?(?:thing|where|time|one|day) (?:is|will|would|works?|goes)\b|(?:do|does)(?: ?n['’ ]{1,3}t| not)(?: really)? (?:care|matter|mind)|"
    r"no (?:particular )?preference|(?:do ?n['’ ]{1,3}t|do not) have (?:a |any |an? )?(?:particular |specific |real )?(?:preference|requirements?)|not (?:picky|particular|important)|doesn['’ ]{1,3}t matter|"
    r"i(?:['’ ]{1,3}m| am) (?:flexible|open|easy|indifferent|not sure about that)|whatever|whichever|up to you|surprise me|either (?:is|one|will|works)|any (?:kind|type|price range|area|part|time|food|cuisine|one)\b)|"
    r"都可以|都行|都好|无所谓|随便|没(?:有)?(?:什么|特别|特殊)?(?:的)?(?:要求|偏好|限制)|不限|不在意|不介意|都没关系|没关系|哪[个种里儿]?都|什么都",
    re.I,
)
_ANY_ALONE = lazy(
    r"^\W*(?:any|anything|anywhere|any ?time|any day|either|whatever|don'?t care|dontcare|doesn'?t matter)\W*(?:please|thanks)?\W*$",
    re.I,
)
_NONE = lazy(
    r"\b(?:not sure|no idea|(?:do ?n['’ ]{1,3}t|do not) (?:really )?(?:know|remember|have (?:one|it|that|a pin))|can(?: ?n['’ ]{0,3}t|not| not) (?:remember|think|recall|say)|what do you (?:mean|have|suggest|recommend)|"
    r"never ?mind|forget it|cancel|i['’ ]{1,3}ll (?:check|think)|let me (?:check|think|ask)|i forgot|(?:do ?n['’ ]{1,3}t|did ?n['’ ]{1,3}t|do not) understand|sorry\?|pardon|come again|changed my mind)\b|"
    r"不知道|不清楚|不确定|没想好|还没定|忘了|什么意思|算了|随便看看|你推荐|您推荐",
    re.I,
)
_QUESTION = re.compile(
    r"[?？]\W*$|(?:吗|呢|么)\W*$|^\W*(?:(?:and|so|but|ok|okay|well|also|yes|no|sure|great|thanks|actually|then|please)\W+)*(?:what|which|who|when|where|why|how|is|are|was|do|does|did|can|could|would|will|should|has|have)\b(?! (?:i|we) am)|"
    r"什么|哪[个家些里儿种]|多少|几点|怎么|如何|是否|有没有|能不能|可不可以|谁",
    re.I,
)


def says_yes(text: str) -> tuple[int, int] | None:
    """The span of the words that say yes at the beginning of an answer."""
    found = _YES.search(text)
    return (0, found.end()) if found else None


def says_no(text: str) -> tuple[int, int] | None:
    found = _NO.search(text)
    return (0, found.end()) if found else None


def indifferent(text: str) -> tuple[int, int] | None:
    """The span of the words that say that anything will do."""
    found = _ANY.search(text) or _ANY_ALONE.search(text)
    return found.span() if found else None


def unanswered(text: str) -> bool:
    """Whether the answer says that there is none."""
    return _NONE.search(text) is not None


def asks_back(unit: str) -> bool:
    """Whether a sentence asks instead of answering."""
    return _QUESTION.search(unit) is not None


__all__ = ["asks_back", "indifferent", "says_no", "says_yes", "unanswered"]
