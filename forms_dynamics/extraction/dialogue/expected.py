"""What the declaration of a slot says of the answers to a question for it: their kind, and the values it names."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from forms_dynamics.extraction.dialogue.kinds import kind_of
from forms_dynamics.extraction.dialogue.profile import SlotProfile

ASIDE = re.compile(r"[(（][^()（）]*[)）]")
_LISTED = re.compile(
    r"[(（]\s*(?P<example>e\.g\.,?|for example,?|such as|like|例如|比如|如)?[:：]?\s*([^()（）]*)[)）]", re.I
)
_EITHER = re.compile(
    r"^(?:is|are|was|will) .* ([a-z-]+) or ([a-z-]+)\?\s*$", re.I
)  # "Is it temporary or permanent?"
# parts that one answer has together: "(City, State, Country)"
_PARTS = frozenset(
    ("name", "first name", "last name", "email", "phone", "address", "city", "state", "province", "state/province",
     "country", "street")
)  # fmt: skip


@lru_cache(maxsize=4096)
def offered(text: str) -> tuple[str, ...]:
    """The values that a description lists: "(e.g., Full, Read-Only, Limited)", "(Email, Phone, Mail)"."""
    found = _LISTED.search(text)
    if found is None:
        either = _EITHER.search(text)
        return (either[1], either[2]) if either else ()
    pieces = re.split(r"[,，、/;；]|\bor\b|或", found[2])
    out = tuple(
        p for piece in pieces if (p := piece.strip(" .\"'")) and not re.match(r"(?:etc|yes|no|if)\b", p, re.I)
    )
    return out if found["example"] or (len(out) > 1 and all(len(p.split()) < 3 for p in out)) else ()


def composite(text: str) -> bool:
    """Whether the listed values are the parts of one answer: "(Name, Email, Phone)"."""
    listed = {p.lower() for p in offered(text)}
    return len(listed & _PARTS) > 1 and bool(listed & {"name", "city", "street"})


# a description in the form of a question says what answers it
_AS_ASKED: Sequence[tuple[str, re.Pattern[str]]] = [
    (kind, re.compile(pattern, re.I))
    for kind, pattern in (
        ("price", r"\bin USD\b|\bcurrency\b"),
        ("datetime", r"\bdate and time\b|日期和时间"),
        ("date", r"\benter the dates?\b(?! range)|^when\b|^by when\b|哪天|什么日期"),
        ("time", r"\benter the time\b|^(?:at )?what time\b|几点"),
        ("count", r"\benter a number\b|^how many\b|多少人|几个人|几位"),
        ("price", r"\benter (?:the|an) amount\b|^how much\b|多少钱"),
        ("duration", r"^how long\b|\bspecify (?:the )?duration\b|多久|多长时间|几(?:年|个月|周|个?小时)|多少(?:年|个月|周|个?小时)"),
        ("id", r"\b(?:identification|account|reference|id|serial|order) number\b|编号|号码"),
        ("place", r"^where\b|在哪|哪里"),
        ("person", r"^who\b|\bname of (?:the )?(?:employee|approver|person|contact)\b|\(names? of|\bprovide names\b|谁"),
    )
]  # fmt: skip
_TOLD = frozenset(("email", "phone", "url", "person", "date", "city", "place", "address"))
_NUMBERED = re.compile(r"\b(?:num|number)$|编号$")
_QUESTION_LIKE = re.compile(r"[?？]|^(?:please|enter|select|describe|provide|specify|请)", re.I)


@lru_cache(maxsize=4096)
def kind_of_answer(slot: SlotProfile) -> str:
    """The kind of what answers a question for the slot; ``composite`` where one answer has several parts."""
    texts = [*slot.spec.question.values(), *slot.spec.description.values()]
    if any(composite(text) for text in texts):
        return "composite"
    for text in texts:
        if _QUESTION_LIKE.search(text):
            return next((kind for kind, pattern in _AS_ASKED if pattern.search(text)), _plain_kind(slot))
    return (
        "count" if slot.kind == "free" and any(_NUMBERED.search(name) for name in slot.names) else slot.kind
    )


def _plain_kind(slot: SlotProfile) -> str:
    """The kind by the type and the name alone, where a name is enough to tell."""
    if slot.spec.type != "text":
        return slot.kind
    kind = kind_of(replace(slot.spec, description={}, question={}))
    return kind if kind in _TOLD else "free"


__all__ = ["ASIDE", "composite", "kind_of_answer", "offered"]
