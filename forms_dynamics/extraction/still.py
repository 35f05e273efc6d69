"""Yes and no to whether something still holds (您是否仍对芒果过敏？ 是的; "Do you still live in Leeds?" "Not any more").

A turn asks about a fact where it repeats the shipped question, or where one of its questions says still, gives the
value, and has a word that announces the slot (住在, "live in"): 您还要靠窗座位吗 is about a booking, not a taste.
A doubt, a condition or a reservation answers nothing, and of several questions a bare yes answers none.
"""

# ruff: noqa: E501 (a pattern reads best on one line)

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from forms_dynamics.extraction.offered import last_offers
from forms_dynamics.language.assent import assent
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import normal
from forms_dynamics.language.numerals import lowered
from forms_dynamics.model.gated import Span
from forms_dynamics.model.message import Message
from forms_dynamics.schema.spec import SlotSpec

Key = TypeVar("Key")

_STILL = lazy(r"仍|还(?!是别|有别)|依然|依旧|\bstill\b", re.I)
_DENIES = lazy(r"不再|已经不|没再|没有再|\bnot\b|n['’]t\b|\bno longer\b", re.I)
_ASKING = lazy(r"[^。！？!?；;\n]*(?:[?？]|[吗么]\s*(?=[。.\n]|$))")
_YES = lazy(
    r"(?:我|嗯|对)?[，,]?(?:一直|还|仍然?|依然|依旧)(?:是|都|在|住|对|有|喜欢|爱|如此|这样|那样|没变|过敏)[^，。！？,.!?但不]{0,8}[。.！!~]*"
    r"|(?:都)?没(?:有)?(?:变化?|改变|换|搬)[。.！!~]*"
    r"|(?:yes,? )?(?:i |it |we )?still (?:am|do|is|are|there|here|true|the same|living|working)\b[^,;!?]{0,20}[.!]*|no change[.!]*|same as before[.!]*",
    re.I,
)
_NO = lazy(
    r"(?:我|早就?|早已|已经|现在|后来|现在已经)*(?:不|没)(?:有)?(?!变|改|换|搬|错|问题)[^，。！？,.!?]{0,8}了[。.！!~]*"
    r"|(?:no,? )?(?:not any ?more|no longer|not now|not these days|i(?:['’]m| am) not(?: any ?more)?|i (?:don['’]t|do not)(?: any ?more)?|it(?:['’]s| is) not(?: any ?more)?|it isn['’]t(?: any ?more)?)(?:[,;. ]+thanks?(?: you)?)?[.!]*",
    re.I,
)
_I = lazy(r"^(?:我|i['’]?m |i am |i |my )", re.I)


class Doubted(NamedTuple, Generic[Key]):
    """A fact that may be asked about. ``questions``: the shipped ones, one a language; ``name``: whose it is, where
    the type has several Forms; ``words``: (value, its words), one a value."""

    key: Key
    spec: SlotSpec
    questions: Sequence[str]
    name: str
    words: Sequence[tuple[Any, str]]


class StillAnswer(NamedTuple, Generic[Key]):
    """``text[span]`` says that the fact holds, or that it holds no longer; ``values``: those of a many-valued slot
    that the question named, None for all of it."""

    key: Key
    yes: bool
    span: Span
    values: Sequence[Any] | None = None


def still_answers(
    message: Message, turns: Sequence[Message], facts: Callable[[], Sequence[Doubted[Key]]]
) -> list[StillAnswer[Key]]:
    """What the message answers; ``facts`` is called where the turn before asks whether something still holds."""
    if message.role != "user" or not turns:
        return []
    asked = next((o for o in last_offers(turns)[:1] if o.asks and _STILL.search(o.turn.text)), None)
    answer = _answer(message.text) if asked is not None else None
    if asked is None or answer is None:
        return []
    yes, span, all_of = answer
    text = normal(asked.turn.text)
    known = facts()
    repeated = [f for f in known if any(q and normal(q) in text for q in f.questions)]
    if repeated:
        if len(repeated) > 1 and not all_of:
            return []
        return [StillAnswer(f.key, yes, span) for f in repeated]
    if asked.asks > 1 and not all_of:
        return []
    found: list[StillAnswer[Key]] = []
    for part in _ASKING.findall(lowered(asked.turn.text)):
        if not _STILL.search(part) or _DENIES.search(part):
            continue
        for fact in known:
            values = [value for value, words in fact.words if words and normal(words) in normal(part)]
            if values and _about(part, fact):
                found.append(StillAnswer(fact.key, yes, span, values if fact.spec.many else None))
    return found if len(found) == 1 or all_of else []


def _answer(text: str) -> tuple[bool, Span, bool] | None:
    """Yes or no, where it stands, and whether it is about all that was asked."""
    said = lowered(text)
    at = len(said) - len(said.lstrip())
    whole = (at, len(said.rstrip()))
    for pattern, yes in ((_NO, False), (_YES, True)):
        if pattern.fullmatch(said, *whole):
            return yes, whole, False
    found = assent(text)
    if found is None or found.under or found.but or not (found.agrees or found.kind == "no"):
        return None
    return found.agrees, (found.start, found.end), found.all_of


def _about(part: str, fact: Doubted[Any]) -> bool:
    """Whether the question has a word of the slot's, and names the Form where there are several."""
    if fact.name and normal(fact.name) not in normal(part):
        return False
    words = (*fact.spec.cues, *fact.spec.aliases)
    return any(short in part for word in words if len(short := _I.sub("", lowered(word)).strip()) > 1)


__all__ = ["Doubted", "StillAnswer", "still_answers"]
