"""The sentences of a turn that ask, and what the words of a question ask for."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from forms_dynamics.extraction.dialogue.concepts import terms
from forms_dynamics.language.clauses import sentence_of
from forms_dynamics.language.normal import has_han

_SENTENCE = re.compile(r"[^.?!。？！\n]*(?:\.(?=\w)[^.?!。？！\n]*)*[.?!。？！\n]+[\"'”]?|[^.?!。？！\n]+$")
_LEAD = r"^\W*(?:(?:and|so|okay|ok|sure|great|alright|right|also|then|now|first|finally|lastly|next|thanks|perfect|well|got it|no problem)\W+)*"
_ASKS = re.compile(
    rf"[?？]|{_LEAD}(?:what|which|who|whom|when|where|how|why|do|does|did|is|are|was|were|can|could|would|will|should|may|have|has|any|"
    r"please|give|tell|provide|enter|select|specify|describe|name|confirm|at what|in what|in which|on what|for what|to what|from what|from where)\b"
    r"|\b(?:please|could you|can you|may i|let me know|tell me|i(?:'ll| will)? (?:just |also |still )?need|i(?:'d| would) (?:also |just )?(?:like|need)|would you|do you|what|which|how many|how long|how much)\b"
    r"|吗|呢|什么|哪|几|多少|谁|怎|如何|请(?!稍|放心|注意)|麻烦|是否|有没有|要不要|多久|多长|提供一下|告诉我|说一下",
    re.I,
)
# an offer of help asks for nothing
_OFFERS = re.compile(
    r"\b(?:help|assist|do for|serve) you\b|\b(?:help|assist)(?:ance)? with (?:today|else|that|anything)\b|anything else i can|is that all|how (?:can|may) i (?:help|assist)|还有(?:什么|别的|其他)[^，。]{0,6}(?:帮|需要)|可以帮您|帮到您|为您服务",
    re.I,
)
# a sentence that says something is no list of what is wanted
_SAYS = re.compile(
    r"\b(?:is|are|was|were|will|has|have|had|found|can|could|would|costs?|it['’]s|there|i['’]ve|you['’]ve|here|thanks?|bye|goodbye|welcome|sorry)\b|[。是有找到为您已]",
    re.I,
)
_POLAR = re.compile(
    rf"{_LEAD}(?:do|does|did|is|are|was|were|will|would|should|shall|have|has|had|any)\b|"
    r"^(?:(?!\b(?:what|which|when|where|whom?|how|why)\b)[^?]){0,60}?(?:[:,–—]| -) (?:do|does|did|is|are|was|were|will|would|have|has|had) (?:you|your|there|it|this|that|the|he|she|they|we|any)\b|"
    r"吗[?？。]?\s*$|是否|有没有|要不要|需不需要|是不是",
    re.I,
)
# what a question word asks for, beyond its own meaning
_MEANT: Sequence[tuple[re.Pattern[str], frozenset[str]]] = [
    (re.compile(pattern, re.I), frozenset(f"@{c}" for c in concepts.split()))
    for pattern, concepts in (
        (r"^\W*(?:(?:and|so|ok|okay|sure|great|alright),?\W+)?where\b(?!.*\b(?:what|which|how|when|who)\b)", "wh-where"),
        (r"^\W*(?:(?:and|so|ok|okay|sure|great|alright),?\W+)?(?:when|what time)\b(?!.*\b(?:where|which|how|who)\b)", "wh-when"),
        (r"\bwhen\b(?! you)", "time day"),
        (r"\b(?:where|(?:what|which) (?:city|place|location|station|airport))\b[^.?,]*\b(?:go|going|travel(?:l?ing)?|head(?:ed|ing)|arrive|arriving|visit|visiting|drop)\b(?![^.?]*\bfrom\b)", "to"),
        (r"\b(?:where|(?:what|which) (?:city|place|location|station|airport))\b[^.?,]*\b(?:from|leav\w+|depart\w*|start\w*)\b", "from"),
        (r"\bhow many (?:days|nights)\b", "stay"),
        (r"\byour (?:full |first |last )?name\b|\bwho am i\b", "self name"),
    )
]  # fmt: skip


_KINDS: Sequence[tuple[re.Pattern[str], frozenset[str]]] = [
    (re.compile(pattern, re.I), frozenset(kinds.split()))
    for pattern, kinds in (
        (r"\bwhen\b(?! you)|什么时候|何时", "date time datetime"),
        (r"\bwhat time\b|几点", "time"),
        (r"\b(?:what|which) (?:day|date)\b|哪天|星期几|周几|几号", "date"),
        (r"\bhow many\b", "count"),
        (r"\bhow long\b", "duration"),
        (r"\bwhere\b", "city place address"),
        (r"\b(?:what|which) (?:city|town)\b|哪个城市", "city"),
        (r"\bhow much\b", "price"),
    )
]  # fmt: skip


@lru_cache(maxsize=2048)
def kinds_asked(sentence: str) -> frozenset[str]:
    """The kinds of slots that a question word asks for (when, where, how many …)."""
    return next((kinds for pattern, kinds in _KINDS if pattern.search(sentence)), frozenset())


# "what kinds of things could get in the way?" asks for no kind
_ANY_SORT = re.compile(
    r"\b(?:kind|type|sort|form)s? of (?=(?:things?|stuff)\b)|(?:什么样|哪些种类|哪种|哪类|什么类型)的?(?=事情?|东西)",
    re.I,
)


# "any other time off" asks for no notes
ANY_OTHER = re.compile(
    r"\bany other (?!(?:\w+ )?(?:notes?|comments?|details?|information|info|things?|remarks?|thoughts?|requests?|requirements?|questions?|concerns?)\b)",
    re.I,
)


@lru_cache(maxsize=4096)
def meant(sentence: str) -> frozenset[str]:
    """The terms of a question, with what its question words ask for."""
    out = set(terms(ANY_OTHER.sub(" ", _ANY_SORT.sub(" ", sentence))))
    for pattern, concepts in _MEANT:
        if pattern.search(sentence):
            out |= concepts
    return frozenset(out)


def polar(question: str) -> bool:
    """Whether yes or no answers the question."""
    return _POLAR.search(question) is not None


_ABOUT = re.compile(
    r"^\W*(?:(?:and|so|ok|okay|well|but|no|oh|hmm+|then|alright|maybe|sorry|actually|great|yes|yeah|thanks|thank you)\W+)*(?:(?:how|what) ?about|how['’]?s about|what['’]?s about|what if (?:we|i) (?:do|make it|say|go)|could it be|can it be)\b",
    re.I,
)
# what is asked is whether it can be had: the words say for when, for whom and where
_HAD = re.compile(
    r"(?<!\bthe )(?<!\bthis )(?<!\bthat )(?<!\bmy )(?<!\byour )\b(?:reservations?|tables?|rooms?|seats?|tickets?|slots?|appointments?|spots?|openings?|viewings?|availability|vacanc(?:y|ies))\b|\bavailable\b|"
    r"\b(?:can|could|may|might|should|shall) (?:i|we) (?!(?:pay|park|smoke|use|bring (?:a|my|our) (?:dog|pet|cat)s?|ask)\b)(?:please |also |just |maybe |instead |still )*[a-z]+|"
    r"\bis (?:it|that|there) (?:possible|any way|a chance|a way)\b|"
    r"(?:有|还有)(?:空位|位子?|空房|房|票|号|空)(?:吗|么)|(?:能|可以|可否|能否)(?:不能|不可以)?(?:帮|给|订|预|约|安排|改|换|查|看)",
    re.I,
)
_OF_THAT = re.compile(
    r"\b(?:is|are|was|were|does|did|do|has|have)\s+(?:it|that|this|the|they|these|those)\b|是不是|[它这那][家个是]",
    re.I,
)
_WH = re.compile(rf"{_LEAD}(?:what|when|where|how|which|who)\b", re.I)
_LEADS_TO = re.compile(
    r"\b(?:in|on|at|for|to|from|around|near|by|this|next|until|before|after)\s+(?:the\s+)?$", re.I
)
_OF_KNOWN = re.compile(
    r"\b(?:the|that|this|their|its|your|his|her|my|our)\s+(?:[a-z'’-]+\s+){1,4}(?:in|on|at|for|to|from|around|near|by)\s+(?:the\s+)?$|\b(?:is|are|was|were)\s+(?:the|that|this|my)\b.*$",
    re.I,
)
_BY_ITSELF = frozenset("today tomorrow tonight".split())
_VERB = re.compile(
    r"\b(?:what|which|who|whom|when|where|why|how|is|are|was|were|am|do|does|did|can|could|would|will|should|has|have|had|may|might|you)\b|n['’]t\b|吗|什么|哪|几|多少|怎|谁|还是|是|有|能|可以",
    re.I,
)


def proposed(unit: str) -> bool:
    """Whether a sentence with a question mark only puts a value forward: "How about noon?", "The 3rd, maybe?", 那周五呢？"""
    if _ABOUT.match(unit) or _ELSE_ZH.fullmatch(unit):
        return True
    return len(re.findall(r"\w+", unit)) <= (4 if not has_han(unit) else 1) and _VERB.search(unit) is None


_ELSE_ZH = re.compile(r"\W*那么?(?![是有个家里边])[^，。？?是有]{1,12}呢\W*")


@lru_cache(maxsize=2048)
def given(text: str, start: int, end: int) -> bool:
    """Whether words of a question are what it starts from rather than what it asks: where and when of "How is it in
    Leeds on Monday?", what "How about Leeds?" puts forward, for whom a table is wanted in "Are there tables for 5?"."""
    low, high = sentence_of(text, start, end)
    unit = text[low:high]
    if proposed(unit):
        return True
    if _HAD.search(text, low, high) and not _OF_THAT.search(text, low, high):
        return True
    if not _WH.match(unit):
        return False
    if text[start:end].lower() in _BY_ITSELF:
        return True
    return _LEADS_TO.search(text, low, start) is not None and _OF_KNOWN.search(text, low, start) is None


@lru_cache(maxsize=2048)
def questions_of(text: str) -> tuple[tuple[str, bool], ...]:
    """The sentences of a turn that ask; without any, a last short one that may name what is wanted (True)."""
    sentences = [m[0].strip() for m in _SENTENCE.finditer(text) if m[0].strip()]
    asking = [(s, False) for s in sentences if _ASKS.search(s) and not _OFFERS.search(s)]
    if not asking and sentences and len(sentences[-1]) < 80 and not _SAYS.search(sentences[-1]):
        return ((sentences[-1], True),)  # "Account number and PIN."
    return tuple(asking)


__all__ = ["ANY_OTHER", "given", "kinds_asked", "meant", "polar", "proposed", "questions_of"]
