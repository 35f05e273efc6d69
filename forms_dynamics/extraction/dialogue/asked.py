"""What the assistant's last turn asks for: slots of Form types, by the words of its questions.

A question is matched with the names, aliases, descriptions and questions of the slots, and with the values that
it lists. Which type is meant where several have a like slot is told by what the talk has been about.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from forms_dynamics.extraction.dialogue.concepts import MEANT, spaced, terms
from forms_dynamics.extraction.dialogue.expected import ASIDE, kind_of_answer, offered
from forms_dynamics.extraction.dialogue.kinds import units_of
from forms_dynamics.extraction.dialogue.profile import Profiles, SlotProfile
from forms_dynamics.extraction.dialogue.question import kinds_asked, meant, polar, questions_of
from forms_dynamics.schema.spec import FormType

_ENOUGH = 1.6  # how much of a slot's words a question must hold, in units of their rarity
_SURE = 0.45  # the share of the words of one of its names
# concepts of slots, which say nothing of a type that has the word in its name
_LOOSE = frozenset(
    f"@{c}"
    for c in "time day when people count price money place area city from to start end type name self stay long rating id notes goal round ticket contact".split()
)
_TWINS = 2.0  # how much more than another of its kind a type must be talked about (Hotels_1, Hotels_2)
_COUSINS = 1.5  # than one called alike with a slot of the same name (ride_status, ride_change)
_ALIKE = 1.15  # and than one with a slot of the same name
_NONE: frozenset[str] = frozenset()
_GENERIC = terms("number num hour value status how many") | {
    "@count"
}  # heads of names that a question leaves out
_MARGIN = 1.15  # how much better than the next slot of the type
_APART = 1.25  # than that of another type
_ASKING = 0.4  # what a slot's words in the question itself say of the type, beside what they say elsewhere
_ABOUT = 0.7  # how much a type must be talked about for its slot to be asked for, beside the most of those that match
_DISTANT = 0.3  # and beside the most of all
_FAR = 0.15  # below it a type is not looked at
_PLAIN = 7.0  # but for a question that has this much of the slot's words
_NEW = 0.6  # the same of a type that the conversation has no Form of
_CLEAR = 4.0  # the weight of a topic that is clear by itself
_MOST = 4  # slots that one sentence asks for
_PLACES = frozenset(f"@{c}" for c in "place area city from to".split())
_TIMES = frozenset(f"@{c}" for c in "time day start end birth long".split())

Wanted = tuple[
    tuple[SlotProfile, ...], frozenset[str]
]  # slots, and the words of the question that ask for them


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The terms of one slot: of each of its names and descriptions, and of the values that it lists."""

    slot: SlotProfile
    fields: tuple[tuple[frozenset[str], float], ...]
    values: tuple[frozenset[str], ...]
    all: frozenset[str]  # of its names and descriptions


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A question and the slot that it asks for; several where its words leave it open which of one type."""

    slots: tuple[SlotProfile, ...]
    question: str
    shared: frozenset[str]  # terms of the question that the slot has
    polar: bool  # yes or no answers it
    place: int  # which of the turn's questions
    of: int  # how many questions the turn asks
    alone: bool  # its question asks for nothing else

    @property
    def type(self) -> str:
        return self.slots[0].type


class Questions:
    """The slots of a catalog as they can be asked for; made once."""

    def __init__(self, profiles: Profiles) -> None:
        self._types = [one.type for one in profiles.types.values()]
        self._slots = [_words(slot) for slot in profiles]
        self._by_term: dict[str, list[int]] = {}
        seen: Counter[str] = Counter()
        for n, slot in enumerate(self._slots):
            of = frozenset[str]().union(*(f for f, _ in slot.fields))
            seen.update(of)
            for term in of.union(*slot.values):
                self._by_term.setdefault(term, []).append(n)
        whole = len(self._slots)
        self._rarity = {
            t: 2 * math.log(1 + whole / n) / math.log(1 + whole) * (0.4 if t in _GENERIC else 1.0)
            for t, n in seen.items()
        }
        self._family = {t.name: re.sub(r"[\W_]*\d+$", "", t.name).lower() for t in self._types}
        self._vocabulary, self._slot_words = _vocabulary(self._types, self._slots)

    # -- the topic -------------------------------------------------------------------------------------------
    def topic(self, turns: Sequence[str], touched: Sequence[str] = ()) -> dict[str, float]:
        """How much the talk is about each type. ``turns``: what was said, latest last; ``touched``: types of the
        Forms that the conversation has, latest first."""
        out: dict[str, float] = dict.fromkeys((t.name for t in self._types), 0.0)
        weight = 1.0
        for n, text in enumerate(reversed(turns)):
            of_slots = _ASKING if n == 1 and len(turns) > 1 else 1.0
            for term in terms(text):
                for name, value in self._vocabulary.get(term, {}).items():
                    out[name] += weight * value
                if of_slots < 1.0:
                    for name, value in self._slot_words.get(term, {}).items():
                        out[name] -= weight * value * (1.0 - of_slots)
            weight *= 0.8
        for n, name in enumerate(dict.fromkeys(touched)):
            if name in out:
                out[name] += 8.0 * 0.6**n
        return out

    # -- questions -------------------------------------------------------------------------------------------
    def asked(self, text: str, topic: Mapping[str, float], touched: Collection[str] = ()) -> list[Asked]:
        """What the assistant's ``text`` asks for, in its order."""
        out: list[Asked] = []
        about = dict(topic)
        taken: set[SlotProfile] = set()
        sentences = questions_of(text)
        for place, (sentence, plain) in enumerate(sentences):
            found = list(self._of_sentence(sentence, plain, (place, len(sentences)), about, taken, touched))
            for one in found:
                about[one.type] = about.get(one.type, 0.0) + 4.0
            out.extend(found)
        return out

    def _of_sentence(
        self,
        sentence: str,
        plain: bool,
        place: tuple[int, int],
        topic: Mapping[str, float],
        taken: set[SlotProfile],
        touched: Collection[str],
    ) -> Iterator[Asked]:
        said = meant(sentence)
        cover = self._cover(said, topic, taken, touched)
        if cover is None and not plain and (kinds := kinds_asked(sentence)):
            slots = self._of_kind(sentence, kinds, topic)
            cover = [(slots, frozenset())] if slots else None
        if cover is None:
            return
        left = said.difference(*(shared for _, shared in cover))
        if plain and len(left) > len(said) * 0.34:
            return  # no question, and it says more than what is wanted
        yes_no = polar(sentence)
        for slots, shared in cover:
            taken.update(slots)
            yield Asked(slots, sentence, shared, yes_no, *place, len(cover) == 1)

    def _cover(
        self,
        said: frozenset[str],
        topic: Mapping[str, float],
        taken: set[SlotProfile],
        touched: Collection[str],
    ) -> list[Wanted] | None:
        """The slots of one type that a question's words ask for; None where no type is ahead of all others."""
        places, times = "@wh-where" in said, "@wh-when" in said
        near: dict[str, list[Words]] = {}
        for n in {n for term in said for n in self._by_term.get(term, ())}:
            words = self._slots[n]
            if (places and not words.all & _PLACES) or (times and not words.all & _TIMES):
                continue
            if words.slot not in taken:
                near.setdefault(words.slot.type, []).append(words)
        covers: list[tuple[float, float, str, list[Wanted]]] = []
        top = max(topic.values(), default=0.0)
        for name, candidates in near.items():
            if topic.get(name, 0.0) < _FAR * top:
                continue
            worth, slots = self._greedy(candidates, said)
            if slots:
                covers.append((worth, topic.get(name, 0.0), name, slots))
        first = max((about for _, about, _, _ in covers), default=0.0)
        scored = sorted(
            (
                (worth * (0.25 + (about / first if first > 0 else 1.0)), about, name, slots)
                for worth, about, name, slots in covers
                if (about >= _ABOUT * first and about >= (_DISTANT if name in touched else _NEW) * top)
                or (worth >= _PLAIN and about >= 0.4 * first)
            ),
            key=lambda s: -s[0],
        )
        if not scored or (len(scored) > 1 and scored[1][0] * _APART > scored[0][0]):
            return None
        _, most, best, wanted = scored[0]
        called = {slot.name for slots, _ in wanted for slot in slots}
        for _, about, name, other in covers:
            same = name != best and called & {slot.name for slots, _ in other for slot in slots}
            twin = name.split("_")[0] == best.split("_")[0]
            if same and about * (_COUSINS if twin else _ALIKE) > most:
                return None
        if best not in touched and any(
            about * _TWINS > most
            for name, about in topic.items()
            if name != best and self._family[name] == self._family[best]
        ):
            return None
        return wanted

    def _greedy(self, candidates: list[Words], said: frozenset[str]) -> tuple[float, list[Wanted]]:
        """Slot after slot, the best first, each by words that no other took; and what they are worth together."""
        left = set(said)
        found: list[Wanted] = []
        total, weight = 0.0, 1.0
        candidates = list(candidates)
        while left and len(found) < _MOST:
            scored = [(*self._match(words, left), words) for words in candidates]
            scored = sorted((s for s in scored if s[0] >= _ENOUGH), key=lambda s: -s[0])
            if not scored:
                break
            best, shared, _ = scored[0]
            near = [words for score, _, words in scored if score * _MARGIN > best]
            found.append((tuple(w.slot for w in near), frozenset(shared)))
            total += weight * best
            weight *= 0.6
            left -= shared
            candidates = [w for w in candidates if w not in near]
        return total, found

    def _of_kind(
        self, sentence: str, kinds: frozenset[str], topic: Mapping[str, float]
    ) -> tuple[SlotProfile, ...]:
        """The slots of the kind that a question word asks for, where it is clear which type is talked about."""
        first, second = (*sorted(topic.values(), reverse=True), 0.0, 0.0)[:2]
        if first < _CLEAR or second * 1.5 > first:
            return ()
        about = next(name for name, value in topic.items() if value == first)
        return tuple(
            w.slot for w in self._slots
            if w.slot.type == about and kind_of_answer(w.slot) in kinds and _counts(w.slot, sentence)
        )  # fmt: skip

    def _match(self, words: Words, left: set[str]) -> tuple[float, set[str]]:
        best, shared = 0.0, set[str]()
        for of, worth in words.fields:
            both = of & left
            if not both or both <= _GENERIC:
                continue
            have = sum(self._rarity[t] for t in both)
            # "identification" is said where its concept is
            whole = sum(self._rarity[t] for t in of if t in both or not MEANT.get(t, _NONE) & both)
            share = have / whole
            if share < _SURE:
                continue
            best = max(best, have * (0.4 + share) * worth)
            shared |= both
        listed = [value & left for value in words.values if value <= left]
        if len(listed) >= 2:
            best += 2.0
            shared = shared.union(*listed)
        return best, shared


def _words(slot: SlotProfile) -> Words:
    spec = slot.spec
    fields = [(terms(spaced(text)), 1.0) for text in (spec.name, *spec.aliases)]
    listed: set[frozenset[str]] = set()
    for texts, worth in ((spec.question, 1.0), (spec.description, 0.95)):
        for text in texts.values():
            fields.append((terms(ASIDE.sub(" ", text)), worth))
            listed.update(terms(v) for v in offered(text))
    listed |= {terms(v) for known, more in spec.values.items() for v in (known, *more)}
    listed |= {terms(v) for v in spec.examples}
    every = frozenset[str]().union(*(f for f, _ in fields))
    return Words(slot, tuple((f, w) for f, w in fields if f), tuple(v for v in listed if v), every)


def _counts(slot: SlotProfile, sentence: str) -> bool:
    """Whether a question for a number asks for what the slot counts, if either says."""
    found = re.search(r"\bhow many (?:\w+ )?(\w+)", sentence, re.I)
    return found is None or not slot.counted or re.match(units_of(slot.counted), found[1].lower()) is not None


Vocabulary = dict[str, dict[str, float]]


def _vocabulary(types: Sequence[FormType], slots: Sequence[Words]) -> tuple[Vocabulary, Vocabulary]:
    """Term → type → how much it speaks for the type; and the same of terms that only its slots have."""
    of: dict[str, dict[str, float]] = {}
    for form_type in types:
        named = of[form_type.name] = {}
        for text in (spaced(form_type.name), *form_type.aliases):
            named.update((term, 3.0) for term in terms(text) if term not in _LOOSE)
        for text in form_type.description.values():
            for term in terms(text) - _LOOSE:
                named.setdefault(term, 1.5)
    for words in slots:
        mine = of[words.slot.type]
        called = frozenset[str]().union(
            *(terms(spaced(n)) for n in (words.slot.name, *words.slot.spec.aliases))
        )
        for group, weight in (
            (called, 1.2),
            *((f, 0.6) for f, _ in words.fields),
            *((v, 1.0) for v in words.values),
        ):
            for term in group:
                mine[term] = max(mine.get(term, 0.0), weight)
    # a word of a type's name that names other types' slots speaks no more for it than a slot of its own does
    shared = Counter(words.slot.name for words in slots)
    called_alike: dict[str, set[str]] = {}
    for words in slots:
        if shared[words.slot.name] > 1:
            called_alike.setdefault(words.slot.type, set()).update(terms(spaced(words.slot.name)))
    for name, named in of.items():
        for term, weight in named.items():
            if weight == 3.0 and any(other.get(term) == 1.2 for n, other in of.items() if n != name):
                named[term] = 1.2 if term in called_alike.get(name, ()) else 1.4
    seen = Counter(term for named in of.values() for term in named)
    every: Vocabulary = {}
    of_slots: Vocabulary = {}
    for name, named in of.items():
        for term, weight in named.items():
            rare = math.log((1 + len(types) / seen[term]) / 2) + 0.05
            every.setdefault(term, {})[name] = weight * rare
            if weight < 1.5:
                of_slots.setdefault(term, {})[name] = weight * rare
    return every, of_slots


@lru_cache(maxsize=8)
def questions(profiles: Profiles) -> Questions:
    """The compiled questions of the profiles' types."""
    return Questions(profiles)


__all__ = ["Asked", "Questions", "questions"]
