"""Which slot a phrase fills, when several could hold it.

For it speak the talk about the slot's Form type, the slot's own words beside the phrase, and prepositions that say
which end of a way or a time the phrase is. One slot must be ahead of all others; otherwise nothing is chosen.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from forms_dynamics.extraction.dialogue.profile import SlotProfile
from forms_dynamics.extraction.dialogue.topic import talk_of
from forms_dynamics.extraction.dialogue.turn import Turn
from forms_dynamics.extraction.dialogue.wording import content, stem
from forms_dynamics.language.clauses import clause_of
from forms_dynamics.language.normal import has_han

_FROM = re.compile(
    r"(?:\b(?:from|leaving|leaves?|departing|departs?|departure|starting|out of|origin(?:ating)?(?: is| at| in)?|picked up (?:at|from|in)|pick me up (?:at|from|in)|check(?:ing)?[ -]in|beginning|outbound)(?: (?:at|from|in|on|is|will be|after|around|the|by|location|city|station|date|time|day))*|从|由|自|出发地(?:点)?(?:是|为|：|:)?|起点(?:是)?|人在|在)\s*$"
)
# "leave on Monday after 10:30", "get there by 5": the verb of the clause says which end of a way the time is
_BOUND = re.compile(r"\b(?:by|after|before|at|around|about|until|past) $")
_MOVES = re.compile(
    r"\b(?:(?P<from>leav(?:e|es|ing)|depart(?:s|ing)?|picked up|pick me up)|(?P<to>arriv(?:e|es|al|ing)|be there|get there|get (?:me )?(?:to|in)|gets in|reach))\b"
)
_FROM_BEHIND = re.compile(
    r"\s*(?:as (?:my|the) (?:departure|origin|starting)|(?:这边|那边|站|市)?(?:之?[前后]|以[前后]|左右|准时)?(?:才|再|就)?(?:能|可以)?(?:出发|动身|上车|启程|离开|走|开始|起|发车))"
)
_TO = re.compile(
    r"(?:\b(?:to|towards?|arriving|arrives?|arrive|arrival|destination|going|reach|ending|heading(?: to)?|check(?:ing)?[ -]out|return(?:ing)?|back|until|till|dropped off (?:at|in))(?: (?:at|to|in|on|is|will be|by|before|the|around|location|city|station|date|time|day))*|到|去|至|往|抵达|到达|前往|飞|目的地(?:是|为|：|:)?|终点(?:是)?)\s*$"
)
_TO_BEHIND = re.compile(
    r"\s*(?:as (?:my|the) destination|(?:之前|以前|前)?(?:能|可以)?(?:到达|抵达|到|下车))"
)
# 在X周边的酒店里: what is sought lies near; X周边有什么: it is asked about
_NEAR = re.compile(
    r"\s*(?:的)?(?:周边|附近|旁边|周围|边上)(?!.{0,3}(?:都|还)?(?:有|是))(?:的|找|订|选|那|这)?(?!.{0,8}(?:有什么|有哪些|有没有|有啥|都有))"
)
_LINK = re.compile(
    r"^[\s:：=]*(?:is|are|was|be|will be|would be|should be|of|as|at|in|on|for|to|range|是|为|在|要|到|的|就|定在|大概|大约|最好|得|需要|希望)*[\s:：]*(?:the|a|an|about|around)?\s*$"
)


class Claim(NamedTuple):
    """A slot's claim on a phrase: how much speaks for it, and for its type."""

    slot: SlotProfile
    score: float
    topic: float
    label: float


def role_at(turn: Turn, start: int, end: int) -> str:
    """``from`` or ``to`` where a preposition before the phrase or a verb behind it says so."""
    low = turn.low
    before, behind = low[max(0, start - 40) : start], low[end : end + 24]
    if moved := _moved(turn, start, end):
        return moved
    if _FROM_BEHIND.match(behind):
        return "from"
    first, last = _FROM.search(before), _TO.search(before)
    if last and (not first or last.start() > first.start()):
        return "to"
    if first and first[0].strip() != "在":
        return "from"
    return "to" if _TO_BEHIND.match(behind) else ""


def _moved(turn: Turn, start: int, end: int) -> str:
    """``from`` or ``to`` where a verb of leaving or arriving says which of them is bound by the time."""
    if not _BOUND.search(turn.low, max(0, start - 10), start):
        return ""
    first, _ = clause_of(turn.text, start, end)
    verbs = list(_MOVES.finditer(turn.low, max(first, start - 70), start))
    return "" if not verbs else "from" if verbs[-1].lastgroup == "from" else "to"


def leaving(turn: Turn, slot: SlotProfile, start: int, end: int) -> bool:
    """Whether somebody leaves at the time, which is then none of a place's hours nor of a meal."""
    return slot.kind == "time" and not slot.role and _moved(turn, start, end) == "from"


def label_at(turn: Turn, slot: SlotProfile, start: int, end: int) -> float:
    """How closely the slot's own words stand by the phrase: 3 right beside it, 1 in its clause, 0 nowhere."""
    low = turn.low
    first, last = clause_of(turn.text, start, end)
    best = 0.0
    for name in slot.names:
        if name in _FUNCTION:
            continue
        at = _found(low, name, first, start, last=True)
        if at >= 0 and _LINK.match(low[at + len(name) : start]):
            return 3.0
        behind = _found(low, name, end, min(last, end + len(name) + 12))
        if behind >= 0 and _BEHIND.fullmatch(low[end:behind]):
            return 3.0
    said = _stems(turn, first, start) | _stems(turn, end, last)
    if common := (slot.own & said) - _BOOKED:
        best = 1.0 + 0.25 * (len(common) - 1)
        near = _stems(turn, max(first, start - 14), start) | _stems(turn, end, min(last, end + 14))
        if slot.own & near:
            best += 0.75
    return best


_BOOKED = frozenset(("预订", "预定"))  # what is done with everything
_FUNCTION = frozenset("to from in at on by of for with".split())
_BEHIND = re.compile(r"\s*(?:的|in |of |for )?(?:the )?")


def _found(low: str, name: str, start: int, end: int, last: bool = False) -> int:
    """Where the whole name stands in ``low[start:end]``, or -1."""
    at = low.rfind(name, start, end) if last else low.find(name, start, end)
    if at < 0 or not name[0].isascii():
        return at
    inside = low[at - 1 : at].isalnum() or low[at + len(name) : at + len(name) + 1].isalnum()
    return -1 if inside else at


def _stems(turn: Turn, start: int, end: int) -> frozenset[str]:
    return content(turn.low[start:end]) if end > start else frozenset()


def choose(
    turn: Turn, slots: Iterable[SlotProfile], start: int, end: int, listing: Container[SlotProfile] = ()
) -> Claim | None:
    """The slot that the phrase fills, or None where none is ahead. ``listing``: those that list it as a value."""
    claims = claims_of(turn, slots, start, end, listing)
    # types that nobody talks about are no rivals
    talked = [c for c in claims if c.topic >= _TALKED] or claims
    if not talked:
        return None
    first = talked[0]
    # but for the end of a way or a time that a preposition names: the words are no other slot's
    if claims[0] is not first and claims[0].slot.role and claims[0].slot.role == role_at(turn, start, end):
        return None
    if has_han(turn.low[start:end]):
        if claims[0] is not first and claims[0].label >= 1.75 and claims[0].score > first.score:
            return None  # its own words stand beside it
        if first.slot.role and first.slot.kind in ("place", "city", "name") and not role_at(turn, start, end):
            return None  # a place, and no word says which end of the way
    claims = talked
    # what one slot of all lists says by itself what it is, where it is wished for
    alone = first.slot.kind in ("free", "choice") and listing == {first.slot} and _wanted(turn, start, end)
    focus = talk_of(turn).focus()
    alone = alone and focus.get(first.slot.type, 0.0) >= max(focus.values(), default=0.0)
    if first.topic < _TALKED and not alone and (first.label < 3 or first.slot.own <= _GENERIC):
        return None
    if first.topic + first.label < (_SOLE if alone else _ENOUGH) or first.score <= 0:
        return None
    if talk_of(turn).only_by(first.slot.type, start, end) and not _wanted(turn, start, end):
        return None
    for other in claims[1:]:
        # two types that are meant alike (two services for buses): a word of a slot's name decides nothing
        talk = talk_of(turn)
        if other.slot.type != first.slot.type and talk.alike(first.slot.type, other.slot.type):
            if first.label < 3 and first.topic - other.topic < _ALIKE:
                return None
        elif first.score - other.score < _AHEAD:
            return None
    return first


def _wanted(turn: Turn, start: int, end: int) -> bool:
    """Whether something is wished for or done where the words stand, or they are all that is said."""
    return (
        _WANTS.search(turn.low, *clause_of(turn.text, start, end)) is not None
        or _size(turn.low) <= _size(turn.low[start:end]) + 2
    )


def _size(text: str) -> int:
    """Words, and in Chinese signs."""
    return len(text.strip()) if has_han(text) else len(text.split())


_WANTS = re.compile(
    r"\b(?:need|want|like|love|book|get|order|call|schedule|find|search|check|prefer|looking|reserve|make|choose|pick|switch|change|try|tell|show|give|please|can|could|would|will|let['’]?s|how|what|where|when|which)\b|[要想订叫找换请帮查看]|能|可以|怎|什么|哪|几|多少"
)
_TALKED = 0.8
_ALIKE = 0.5
_GENERIC = frozenset("name time date day type typ number size siz 名称 时间 日期 类型".split())
# a name of the speaker
SPEAKER = frozenset(
    map(
        stem,
        "customer user full your renter patient applicant reporter caller client member guest passenger".split(),
    )
)
_ENOUGH = 1.2
_SOLE = 0.7
_AHEAD = 0.45


# who leaves or arrives at a time is on the way
_WAY_ZH = re.compile(r"出发|发车|启程|动身|离开|抵达|到达|前往|开往|接我|上车|下车")


def _on_the_way(turn: Turn, first: int, last: int) -> bool:
    if _WAY_ZH.search(turn.low, first, last):
        return True
    return any(
        first <= m.start < last and all(k.slot.role for k in m.known) and role_at(turn, m.start, m.end)
        for m in turn.mentions
    )


def _leads(turn: Turn, form_type: str) -> bool:
    """Whether the type is of something that leads from somewhere to somewhere."""
    return any(s.role and s.kind in ("place", "city", "name") for s in turn.profiles.types[form_type].slots)


_MORE = 1.0


def of_another(turn: Turn, claim: Claim, start: int, end: int) -> bool:
    """Whether the words are said of a type that has no such slot: "one ticket for a bus" is none for a concert."""
    about = talk_of(turn).about(start, end)
    own = (
        claim.label >= 3 and not claim.slot.own & SPEAKER
    )  # everybody has a name: whose is meant, the talk says
    return not own and max(about.values(), default=0.0) - claim.topic > _MORE


def claims_of(
    turn: Turn, slots: Iterable[SlotProfile], start: int, end: int, listing: Container[SlotProfile] = ()
) -> Sequence[Claim]:
    """Every slot's claim, the strongest first."""
    talk = talk_of(turn).about(start, end)
    role = role_at(turn, start, end)
    near = _NEAR.match(turn.low, end) is not None
    han = has_han(turn.low[start:end])
    way = has_han(turn.low) and _on_the_way(turn, *clause_of(turn.text, start, end))
    out = []
    for slot in slots:
        if leaving(turn, slot, start, end) or talk_of(turn).in_place(slot) is not slot:
            continue
        topic = talk.get(slot.type, 0.0)
        label = label_at(turn, slot, start, end)
        fits = 1.2 if role and slot.role == role else -1.5 if role and slot.role else 0.0
        if slot.role and not role and han and slot.kind in ("place", "city", "name"):
            fits -= 1.0
        if role and not slot.role and slot.kind in ("time", "place", "city", "name", "near"):
            fits = -0.8
        if (
            way
            and not slot.role
            and slot.kind in ("time", "date", "datetime")
            and not _leads(turn, slot.type)
        ):
            fits -= 2.0
        if slot.kind == "near":
            if not near:
                continue
            fits += 1.5
        elif near and slot.kind == "name":
            fits -= 0.8
        if listing and slot in listing:
            fits += 1.0
        out.append(Claim(slot, topic + label + fits, topic, label))
    return sorted(out, key=lambda c: -c.score)


__all__ = ["SPEAKER", "Claim", "choose", "claims_of", "label_at", "leaving", "of_another", "role_at"]
