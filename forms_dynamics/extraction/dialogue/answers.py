"""What of a user's turn answers the questions of the assistant's turn before it.

Each question is for one slot, or leaves open which of a few. A value that the slot lists, or the one phrase of its
kind (a time, a day, a number …), answers it; a name or a free text does where the answer comes down to a noun phrase.
With several questions, the sentences of the answer are told apart by the words that they take up, or by order.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from forms_dynamics.extraction.dialogue.asked import Asked, questions
from forms_dynamics.extraction.dialogue.choosing import leaving, role_at
from forms_dynamics.extraction.dialogue.concepts import terms
from forms_dynamics.extraction.dialogue.discounted import discounted
from forms_dynamics.extraction.dialogue.expected import kind_of_answer, offered
from forms_dynamics.extraction.dialogue.kinds import units_of
from forms_dynamics.extraction.dialogue.open_answers import OpenAnswers
from forms_dynamics.extraction.dialogue.places import city_beside, landmark
from forms_dynamics.extraction.dialogue.polarity import indifferent, says_no, says_yes, unanswered
from forms_dynamics.extraction.dialogue.profile import Profiles, SlotProfile
from forms_dynamics.extraction.dialogue.question import questions_of
from forms_dynamics.extraction.dialogue.sentences import Sentences, sentences_of
from forms_dynamics.extraction.dialogue.topic import talk_of
from forms_dynamics.extraction.dialogue.turn import Said, Turn
from forms_dynamics.extraction.dialogue.typed_spans import numbers, spans
from forms_dynamics.extraction.dialogue.wording import key, singular, stem
from forms_dynamics.extraction.found import CUED

Span = tuple[int, int]

_COUNTS = re.compile(
    r"\s+(?!thousand|k\b|or\b|and\b|to\b|in\b|a\b|per\b|for\b|max|please|is\b|would\b|total|each|every|annual|year)[a-z]",
    re.I,
)
_STARS = re.compile(r"\s+(?:stars?|points?|rating|rated)\b", re.I)
_HOW_MANY = re.compile(
    r"\bhow many\b|\bnumber of\b|\bin (?:days|nights)\b(?!,? (?:or|and)\b|, )|\bnum(?:ber)? |天数(?!或|、)|晚数|几[天晚](?!或|还是|、)",
    re.I,
)
# a unit of time behind a number
_UNIT_BEHIND = re.compile(
    r"[ -]?(?:full |whole |more )?(year|month|week|day|night|hour|minute)s?\b|个?(年|月|周|星期|天|晚|小时|分钟)",
    re.I,
)
_UNIT_ASKED = re.compile(
    r"\bhow many (?:full )?(?:years|months|weeks|days|nights|hours|minutes)\b|几(?:年|个月|周|天|晚|个?小时)|多少(?:年|个月|周|天|晚|个?小时)",
    re.I,
)
_STAYS = {"night": "day", "晚": "天", "星期": "周"}  # units that are counted alike
# a name goes before it: "Latin American" is not American
_LONGER = re.compile(
    r"\b(?!(?:I|The|A|An|Yes|No|In|At|On|To|For|From|Maybe|Perhaps|Just|Some|Only|And|Or|Sure|Please|Try|Any|My|It|Is|By|With|How|About|Ok|Okay|Yeah|Actually|Dr|Next|This|Make|Book)\b)[A-Z][a-z]+ $"
)
_DENIED = re.compile(
    r"\b(?:no|not|nothing|never|except|without|than|less|least|too)\s+$|n['’]t\s+$|(?:不要?|别|除了)$"
)
_DENIED_BEHIND = re.compile(
    r"\s*(?:wo|does|do|is|will|ca|would|are)(?: ?n['’ ]{1,3}t|n ?['’] ?t| not|nt)\b|\s*won ?['’] ?t\b|(?:不行|不可以|不合适)"
)
# asks whether what it says is so: agreement answers it
_CONFIRMS = re.compile(
    r"(?:对吗|对吧|是吗|是吧|对不对|是不是|没错吧)\s*[？?]?\s*$|[,，]\s*(?:right|correct|is that (?:right|correct))\s*\?\s*$",
    re.I,
)
_FURTHER = re.compile(r"\b(?:also|as well|another)\b|还(?:要|想|需)|另外|再(?:帮|给|找|订)")
_LED = re.compile(r"\s+(?:at|in|on|for)\s+(?:the\s+)?$", re.I)
# a sentence that says where the speaker is
_WHERE_ONE_IS = re.compile(
    r"\W*(?:I|[Ww]e)(?: ?['’] ?(?:m|re)| am| are| live| work| sit)(?: currently| now)?(?: located| based| situated)?(?: currently| now)? (?:in|at|near) (?:the |my |our )?[A-Z]|[\s，。]*我们?(?:现在|目前)?(?:人|住|位于)?在[^，。]{2,12}[。！]?$"
)
_PLACES = terms("location place address city area where")
_AROUND = terms("area part side town range food well provide send number code information")
_ASKS_MORE = re.compile(
    r"\b(?:and|or)\b[^?]*\b(?:what|how|have|do|did|does|is|are|was|were|can|could|would|will|who|when|where|why|if|whether)\b",
    re.I,
)  # a second question in the sentence
_FOCUS = 2.0  # what the nouns of the talk weigh beside all of its words
_SWITCH = 4.0  # what speaks for a type that the user named last
_TYPED = frozenset(("time", "date", "datetime", "duration", "price", "email", "phone", "url", "id"))


def read(turn: Turn) -> Iterator[Said]:
    """What the turn answers."""
    asked = asked_of(turn)
    if asked:
        yield from _Answers(turn, asked).said()


def asked_of(turn: Turn) -> list[Asked]:
    """The slots that the turn before asks for; kept for other readers of the turn."""
    if "asked" not in turn.notes:
        made: list[Asked] = []
        if turn.last is not None and questions_of(turn.last.text):
            about = questions(turn.profiles)
            touched = [form.type for form in turn.known]
            topic = about.topic([*(m.text for m in turn.before), _answering(turn.text)], touched)
            for name, weight in talk_of(turn).focus().items():
                topic[name] = topic.get(name, 0.0) + _FOCUS * min(weight, 4.0)
            if (named := talk_of(turn).named()) is not None and named not in touched[:1]:
                topic[named] = max(topic.values()) + _SWITCH  # what the user turned to
                touched = [named, *touched]
            made = list(_meant(turn, about.asked(turn.last.text, talk_of(turn).turned(topic), touched)))
        turn.notes["asked"] = made
    found: list[Asked] = turn.notes["asked"]
    return found


def _meant(turn: Turn, asked: Sequence[Asked]) -> Iterator[Asked]:
    """The same of the twin that is meant, and only of what the question itself names: "when should the plane arrive"."""
    for one in asked:
        named = talk_of(turn).named_by(one.question)
        slots = [
            found
            for slot in one.slots
            if (found := talk_of(turn).in_place(slot)) is not None and (not named or found.type in named)
        ]
        if len({slot.type for slot in slots}) == 1:
            yield replace(one, slots=tuple(dict.fromkeys(slots)))


@lru_cache(maxsize=512)
def _asked_for(profiles: Profiles, form_type: str) -> frozenset[str]:
    """The terms of the names of a type's slots, and those by which one asks for them."""
    named = (terms(name) for slot in profiles.types[form_type].slots for name in slot.names)
    return _AROUND.union(*named)


@lru_cache(maxsize=2048)
def _named_by(slot: SlotProfile) -> frozenset[tuple[str, ...]]:
    """The values that the slot's description names."""
    return frozenset(key(value) for told in slot.spec.description.values() for value in offered(told))


def _answering(text: str) -> str:
    """The text without sentences that go on to something else."""
    return " ".join(
        said for start, end in sentences_of(text) if not _FURTHER.search((said := text[start:end]).lower())
    )


def _told_of(slot: SlotProfile) -> str:
    return " ".join((*slot.names, *slot.spec.description.values()))


class _Answers:
    def __init__(self, turn: Turn, asked: Sequence[Asked]) -> None:
        self._turn, self._text, self._asked = turn, turn.text, asked
        self._base = turn.message.time
        self._sentences = Sentences(turn.text, asked)
        self._units = self._sentences.units
        self._open = OpenAnswers(turn.text, self._base, turn.profiles)
        self._used: list[Span] = []

    def said(self) -> Iterator[Said]:
        text = self._text
        if not self._units or unanswered(text):
            return
        if len(self._asked) == 1 and (found := self._indifferent(self._asked[0])):
            yield found
            return
        left: list[Asked] = []
        for one in self._asked:
            made = list(self._closed(one))
            for said in made:
                self._used.append((said.start, said.end))
                yield said
            if not made:
                left.append(one)
        for one in left:
            unit = self._sentences.answering(one) if len(one.slots) == 1 else None
            if len(one.slots) == 1 and (unit is None or self._taken(unit)):
                unit = self._left_over(one, left) or unit
            if unit is None and len(one.slots) == 1 and len(self._units) == 1:
                span = self._open.listed(one.slots[0], self._units[0])
                if span and not any(span[0] < end and start < span[1] for start, end in self._used):
                    self._used.append(span)
                    yield self._made(one.slots[0], span, self._words(span))
                continue
            if unit is None or self._taken(unit):
                continue
            if (len(self._asked) == 1 and indifferent(text)) or self._of_another(one.slots[0], unit):
                continue
            span = self._open.span(one, one.slots[0], unit, self._sure(one))
            if span and (span := self._own(one.slots[0], span)):
                slot = self._of_sort(one.slots[0], span)
                if slot is None:
                    continue
                self._used.append(span)
                yield self._made(slot, span, self._words(span))

    def _taken(self, unit: Span) -> bool:
        """Whether words of the sentence have answered already."""
        return any(unit[0] < end and start < unit[1] for start, end in self._used)

    def _left_over(self, one: Asked, left: Sequence[Asked]) -> Span | None:
        """The one sentence that is left for the one question that is, where as many were said as asked."""
        units = self._units
        if len(left) != 1 or len(units) != len(self._asked) or one.of != len(units) or len(units) < 2:
            return None
        free = [unit for unit in units if not self._taken(unit)]
        return free[0] if len(free) == 1 else None

    def _of_another(self, slot: SlotProfile, unit: Span) -> bool:
        """Whether a sentence takes up another slot's name and none of this one's."""
        if slot.kind != "free":
            return False
        said = terms(self._words(unit))
        if said & terms(" ".join(slot.names)):
            return False
        if _WHERE_ONE_IS.match(self._words(unit)) and not _PLACES & terms(" ".join(slot.names)):
            return True
        return any(
            len({t for t in said & terms(" ".join(s.names)) if not t.startswith("@")}) > 1
            for s in self._turn.profiles.types[slot.type].slots
            if s is not slot
        )

    def _of_sort(self, slot: SlotProfile, span: Span) -> SlotProfile | None:
        """The slot of the type that holds such a value: the city of a place, None where another slot lists it."""
        words = self._words(span)
        if slot.kind in ("place", "address") and not landmark(words):
            return city_beside(self._turn.profiles, slot) or slot
        said = key(words)
        beside = self._turn.profiles.types[slot.type].slots
        if (
            slot.kind == "free"
            and said not in _named_by(slot)
            and any(said in _named_by(s) for s in beside if s is not slot)
        ):
            return None  # "Plan A" is none of the kinds of plans
        if (
            any(s is not slot and s.closed and said in s.spellings for s in beside)
            and said not in slot.spellings
        ):
            return None
        return slot

    def _sure(self, one: Asked) -> bool:
        """Whether every question of the turn before is understood, so that what answers none of the others answers it."""
        if len({a.place for a in self._asked}) < one.of or len(self._units) > len(self._asked):
            return False
        return not one.alone or not _ASKS_MORE.search(one.question)

    def _own(self, slot: SlotProfile, span: Span) -> Span | None:
        """An open answer without what is another slot's behind a preposition; None where it is all of another's."""
        for m in self._turn.mentions:
            if not (span[0] <= m.start and m.end <= span[1]) or any(known.slot is slot for known in m.known):
                continue
            if all(known.slot.type != slot.type or known.slot.curated for known in m.known):
                continue
            if m.start == span[0] and terms(self._text[m.end : span[1]]) <= _asked_for(
                self._turn.profiles, slot.type
            ):
                return None
            if lead := _LED.search(self._text, span[0] + 1, m.start):
                span = span[0], lead.start()
        if slot.kind not in ("free", "choice") and terms(self._words(span)) <= _asked_for(
            self._turn.profiles, slot.type
        ):
            return None  # "the postcode and the phone number": what is wanted, no answer
        return span

    # -- values that are told by themselves --------------------------------------------------------------------
    def _indifferent(self, one: Asked) -> Said | None:
        slot = one.slots[0]
        if len(one.slots) > 1 or slot.indifferent is None or not (span := indifferent(self._text)):
            return None
        if any(known.slot is slot for m in self._turn.mentions for known in m.known):
            return None
        return self._made(slot, span, slot.indifferent)

    def _closed(self, one: Asked) -> Iterator[Said]:
        """Listed values, phrases of the slot's kind, yes and no; of several slots those that only they take."""
        by_slot = {slot: found for slot in one.slots if (found := self._candidates(one, slot))}
        if len(by_slot) > 1 and len({span for found in by_slot.values() for span, _ in found}) == 1:
            return  # it may be either's
        for slot, found in by_slot.items():
            if len(found) == 1:
                yield self._made(slot, *found[0])

    def _candidates(self, one: Asked, slot: SlotProfile) -> list[tuple[Span, object]]:
        if slot.truth or slot.spec.type == "boolean":
            return self._truth(one, slot)
        found = [f for f in self._listed(slot) if self._fits(slot, f[0])]
        if found or slot.closed:
            return found if len(found) == 1 else self._nearest(one, found)
        typed = [
            s
            for s in self._typed(slot)
            if self._fits(slot, s) and self._is_own(slot, s) and not self._named(slot, s)
        ]
        if one.polar and kind_of_answer(slot) == "count" and says_no(self._text):
            return []
        if one.polar and kind_of_answer(slot) == "count":
            typed = [
                span
                for span in typed
                if re.match(rf"\s*(?:\w+ )?{units_of(slot.counted)}", self._turn.low[span[1] :])
            ]
        return self._nearest(one, [(span, self._words(span)) for span in typed])

    def _fits(self, slot: SlotProfile, span: Span) -> bool:
        """Whether no word beside the phrase says that it is the other end of a way or a time."""
        if discounted(self._text, self._turn.low, slot, None, *span):
            return False
        said = role_at(self._turn, *span) if slot.role else ""
        return (not said or said == slot.role) and not leaving(self._turn, slot, *span)

    def _is_own(self, slot: SlotProfile, span: Span) -> bool:
        """Whether the noun behind a number is none that only another asked slot is about: one dependent is no year."""
        behind = re.match(r"\s+([a-z]+)", self._turn.low[span[1] :])
        if behind is None or not self._words(span)[-1:].isalnum():
            return True
        noun = stem(singular(behind[1]))
        others = [s for one in self._asked for s in one.slots if s is not slot]
        return noun in slot.own or not any(noun in s.own for s in others)

    def _truth(self, one: Asked, slot: SlotProfile) -> list[tuple[Span, object]]:
        if not one.polar or _CONFIRMS.search(one.question):
            return []
        unit = self._sentences.answering(one)
        if unit is None:
            return []
        said = self._text[slice(*unit)]
        for answer, span in ((True, says_yes(said)), (False, says_no(said))):
            if span is not None:
                value: object = answer if slot.spec.type == "boolean" else slot.truth[answer]
                return [((unit[0] + span[0], unit[0] + span[1]), value)]
        return []

    def _listed(self, slot: SlotProfile) -> list[tuple[Span, object]]:
        if slot.values and all(value.isdecimal() for value in slot.values):
            counted = [
                s
                for s in numbers(self._text, self._base, slot.counted)
                if self._free(s) and not self._named(slot, s)
            ]
            wanted = {key(value): value for value in slot.values}
            return [
                (s, wanted[k] if slot.closed else self._words(s))
                for s in counted
                if (k := key(self._words(s))) in wanted
            ]
        found: dict[str, Span] = {}
        for mention in self._turn.mentions:
            span = (mention.start, mention.end)
            if not self._free(span) or _LONGER.search(self._text, max(0, span[0] - 20), span[0]):
                continue
            for known in mention.known:
                if known.slot is slot:
                    found.setdefault(known.value, span)
        if slot.closed:
            for value, span in self._inflected(slot):
                if value not in found and self._free(span):
                    found[value] = span
        return [(span, value if slot.closed else self._words(span)) for value, span in found.items()]

    def _named(self, slot: SlotProfile, span: Span) -> bool:
        """Whether the words are part of a longer value of another slot: 7 of "camera 7"."""
        return any(
            m.start <= span[0] and span[1] <= m.end and m.end - m.start > span[1] - span[0]
            for m in self._turn.mentions
            if all(known.slot is not slot for known in m.known)
        )

    def _inflected(self, slot: SlotProfile) -> Iterator[tuple[str, Span]]:
        """Values of one word said in another form of it: to drive is driving."""
        for value in slot.values:
            if value.isascii() and value.isalpha() and len(value) > 4:
                for token in self._turn.tokens:
                    if token.key[:1] == value[:1].lower() and stem(token.key) == stem(value.lower()):
                        yield value, (token.start, token.end)

    def _typed(self, slot: SlotProfile) -> list[Span]:
        kind = kind_of_answer(slot)
        found: Sequence[Span]
        if kind in ("count", "rating") or (
            kind == "duration" and _HOW_MANY.search(" ".join((*slot.names, *slot.spec.description.values())))
        ):
            found = numbers(self._text, self._base, slot.counted)
            if kind == "duration" or _UNIT_ASKED.search(_told_of(slot)):
                found = self._in_units(slot, found)
            if kind == "rating":
                found = [
                    s for s in found if not _COUNTS.match(self._text, s[1]) or _STARS.match(self._text, s[1])
                ]
        elif kind in _TYPED:
            found = spans(kind, self._text, self._base)
            if kind == "price" and not found:
                found = [s for s in numbers(self._text, self._base) if not _COUNTS.match(self._text, s[1])]
        else:
            return []
        return [span for span in found if self._free(span)]

    def _in_units(self, slot: SlotProfile, found: Sequence[Span]) -> list[Span]:
        """Numbers of the unit that the slot is told to be in; of another unit the whole length: 6 months are no 6 years."""
        declared = _told_of(slot).lower()
        whole = spans("duration", self._text, self._base)
        out: list[Span] = []
        for span in found:
            behind = _UNIT_BEHIND.match(self._text, span[1])
            unit = (behind[1] or behind[2]).lower() if behind else ""
            if unit in declared or _STAYS.get(unit, unit) in declared:
                out.append(span)
            else:
                out.extend(long for long in whole if long[0] <= span[0] < long[1])
        return out

    def _nearest(self, one: Asked, found: list[tuple[Span, object]]) -> list[tuple[Span, object]]:
        """The only one, or the only one in the sentence that answers this question."""
        if len(found) <= 1:
            return found
        unit = self._sentences.answering(one)
        inside = [f for f in found if unit is not None and unit[0] <= f[0][0] < unit[1]]
        return inside if len(inside) == 1 and len(self._units) > 1 else []

    # -- making ------------------------------------------------------------------------------------------------
    def _free(self, span: Span) -> bool:
        if any(span[0] < end and start < span[1] for start, end in self._used):
            return False
        if _DENIED.search(self._turn.low, max(0, span[0] - 12), span[0]):
            return False
        if _DENIED_BEHIND.match(self._turn.low, span[1]):
            return False
        return any(low <= span[0] < high for low, high in self._units)

    def _words(self, span: Span) -> str:
        return self._text[span[0] : span[1]]

    def _made(self, slot: SlotProfile, span: Span, value: object) -> Said:
        return Said(slot, value, *span, *span, CUED, answers=True)


__all__ = ["asked_of", "read"]
