"""Open values by their form: "at 5 pm", 人均150-500元, "for 3 people", 4.5分以上.

A typed expression fills a slot of its kind; which one, the talk and the words around it decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from forms_dynamics.extraction.dialogue.choosing import choose, of_another
from forms_dynamics.extraction.dialogue.expected import kind_of_answer
from forms_dynamics.extraction.dialogue.expressions import Expression, expressions, minutes_of, number_of
from forms_dynamics.extraction.dialogue.kinds import unit_named
from forms_dynamics.extraction.dialogue.profile import SlotProfile
from forms_dynamics.extraction.dialogue.topic import talk_of
from forms_dynamics.extraction.dialogue.turn import Said, Turn
from forms_dynamics.extraction.dialogue.wording import han_number, key

SURE = 0.92
# "that is all I need today"
_ALL_TODAY = re.compile(r"\b(?:all|everything|help|thanks|thank you|it)\b[^.,;!?]*\btoday$")
_NIGHTS = re.compile(r"\bnights?\b")


def stated(turn: Turn) -> Iterator[Said]:
    """A reader: typed expressions."""
    for found in expressions(turn.low):
        slots = [s for s in turn.profiles.by_kind.get(found.kind, ()) if not s.curated and _holds(s, found)]
        if found.kind == "duration" and _NIGHTS.search(turn.low, found.start, found.end):
            slots = [s for s in slots if s.counted == "night"]  # no other time is told in nights
        if found.kind == "duration" and found.counted:
            slots += [
                s for s in turn.profiles.by_kind.get("count", ()) if s.counted == "night" and not s.curated
            ]
        if not slots or (
            found.kind == "date" and _ALL_TODAY.search(turn.low, max(0, found.start - 40), found.end)
        ):
            continue
        if found.kind in ("phone", "email"):  # it says by itself what it is
            if (slot := _talked_of(turn, slots)) is not None:
                words = turn.text[found.start : found.end].strip()
                yield Said(slot, words, found.start, found.end, found.start, found.end, SURE)
            continue
        claim = choose(turn, slots, found.start, found.end)
        if claim is None or of_another(turn, claim, found.start, found.end):
            continue
        half = found.kind == "time" and kind_of_answer(claim.slot) == "datetime"
        if half and any(other.kind == "date" for other in expressions(turn.low)):
            continue  # a day is said as well, and the slot is for both
        value = _value(turn, claim.slot, found)
        if value is not None:
            yield Said(claim.slot, value, found.start, found.end, found.start, found.end, SURE)


def _talked_of(turn: Turn, slots: list[SlotProfile]) -> SlotProfile | None:
    """The one of the slots whose type the talk is about."""
    focus = talk_of(turn).focus()
    ranked = sorted(slots, key=lambda s: -focus.get(s.type, 0.0))
    most = focus.get(ranked[0].type, 0.0)
    clear = most > _APART * max((focus.get(s.type, 0.0) for s in ranked[1:]), default=0.0)
    return ranked[0] if most > 0 and clear and most == max(focus.values()) else None


_APART = 1.5


def _holds(slot: SlotProfile, found: Expression) -> bool:
    if found.kind == "count":
        return slot.counted == found.counted
    return True


def _value(turn: Turn, slot: SlotProfile, found: Expression) -> str | None:
    """What is kept: the listed spelling where the slot lists values, else the words."""
    words = turn.text[found.start : found.end].strip()
    number = number_of(words.split()[0]) if found.kind in ("count", "duration") and words else None
    if number is not None:
        listed = slot.values
        if slot.kind == "count" or unit_named(slot.spec) or (listed and all(v.isdecimal() for v in listed)):
            return str(number) if not slot.closed or str(number) in listed else None
    if not slot.closed:
        return _listed(slot, words) or words
    if found.kind == "time":
        wanted = minutes_of(words)
        return next((v for v in slot.values if wanted is not None and minutes_of(v) == wanted), None)
    return _listed(slot, words)


def _listed(slot: SlotProfile, words: str) -> str | None:
    said = key(words)
    return slot.spellings.get(said) or slot.spellings.get(tuple(han_number(t) for t in said if t != "个"))


__all__ = ["stated"]
