"""Which Form type a part of a message is about.

Evidence, weighed: words that mean the type (its name, aliases, everyday synonyms), words that hint at it (of its
description, of its slots), values that only it lists; near words count more than far ones. Without any in the
message, the conversation's focus: what was said just before and the Form that was touched last.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from forms_dynamics.extraction.dialogue.everyday import things
from forms_dynamics.extraction.dialogue.profile import Mention, Profiles, SlotProfile
from forms_dynamics.extraction.dialogue.turn import Turn
from forms_dynamics.extraction.dialogue.twins import twins_of
from forms_dynamics.extraction.dialogue.wording import content, parts, singular, stem, tokens
from forms_dynamics.language.clauses import clause_of, sentence_of
from forms_dynamics.language.normal import has_han
from forms_dynamics.language.numerals import lowered

_NAMED, _HINTED, _ABOUT, _SLOT = 3.0, 0.7, 1.5, 0.7
_ITS_OWN = 1.8  # a slot that one type alone has
_CLEAR, _CLEAR_ZH = 1.5, 1.0  # so much says which type is meant; Chinese names it farther away
_FOCUS, _LAST, _EARLIER = 1.5, 0.8, 0.3
_TWIN = 0.7  # what is left of a topic where its twin is meant
_SIZES = re.compile(r"\bparty (?:size|of)\b")  # no party is meant
_ONE_OF = re.compile(r"\b(?:an?|the|my|this|next|any|book|another|some) $")
_OF_LABEL = re.compile(r" (?:name|number|id|code|address|date|time)\b")
_BACK = 8  # turns in which what is done is looked for
_PLAIN = frozenset("name type time date day number title id price 名称 类型 时间 日期 价格".split())
_NEXT = frozenset(
    word
    for said in "search book booking schedule change status report request service find".split()
    for word in (said, stem(said))
)
# places by the name of what stops there, which speak for no travelling by it
_STOPS: Sequence[str] = (
    "train station",
    "railway station",
    "bus station",
    "bus stop",
    "metro station",
    "subway station",
)


Span = tuple[int, int]


class Sign(NamedTuple):
    """``text[start:end]`` speaks for the types with these weights."""

    start: int
    end: int
    weights: Mapping[str, float]


class Topics:
    """The words that speak for each type of a catalog."""

    def __init__(self, profiles: Profiles) -> None:
        words: dict[str, dict[str, float]] = defaultdict(dict)
        self.meant: dict[str, frozenset[str]] = {}  # type → the everyday things that it is about
        labels: list[tuple[str, str]] = []

        def speak(word: str, form_type: str, weight: float) -> None:
            words[word][form_type] = max(weight, words[word].get(form_type, 0.0))

        for profile in profiles.types.values():
            name = profile.type.name
            declared = [" ".join(parts(n)) for n in (name, *profile.type.aliases)]
            about = [" ".join(parts(text)) for text in profile.type.description.values()]
            for text in declared:
                for word in (text, *_latin(text)):
                    speak(word, name, _NAMED if word.removeprefix("~") not in _NEXT else _HINTED)
            meant = [t for t in things() if any(_holds(text, t.nouns) for text in declared)]
            # a type that is called Services_1 says in its description what it is about
            described = meant or [t for t in things() if any(_holds(text, t.nouns) for text in about)]
            self.meant[name] = frozenset(thing.nouns[0] for thing in described)
            for thing in described:
                strong = _NAMED if meant or len(described) == 1 else _ABOUT
                for noun in thing.nouns:
                    speak(noun, name, strong)
                for hint in thing.hints:
                    speak(hint, name, _HINTED)
            for text in about:
                for word in _latin(text):
                    speak(word, name, _HINTED)
            for slot in profile.slots:
                labels.extend((label, name) for label in slot.names if len(label) > 1 and label not in _PLAIN)
        named_things = {stem(noun) for thing in things() for noun in thing.nouns}
        shared = Counter(thing for meant in self.meant.values() for thing in meant)
        types = Counter(label for label, _ in set(labels))
        for label, name in labels:
            if not any(shared[thing] > 1 for thing in self.meant[name]):
                alone = types[label] == 1 and (" " in label or has_han(label))
                speak(label, name, _ITS_OWN if alone else _SLOT)
        for label, held in _shared(
            labels
        ).items():  # a date of an incident is no sign of one of the types that have it
            for word in _latin(label):
                if word.removeprefix("~") in named_things or word not in words:
                    continue
                if held - {t for t, weight in words[word].items() if weight >= _NAMED}:
                    words[word].update(dict.fromkeys(held, _HINTED))
        many = max(2, len(profiles.types) // 3)
        self.only = next(iter(profiles.types)) if len(profiles.types) == 1 else None
        kept = {w: t for w, t in words.items() if len(t) <= many or max(t.values()) >= _NAMED}
        self._latin = {w: t for w, t in kept.items() if not has_han(w)}
        self._han = {w: t for w, t in kept.items() if has_han(w)}
        self._latin.update((stop, {}) for stop in _STOPS)
        self._longest: dict[str, int] = {}  # by first word
        for text in self._latin:
            first, *more = text.split() or [text]
            self._longest[first] = max(self._longest.get(first, 1), len(more) + 1)
        han = sorted(self._han, key=lambda w: (-len(w), w))
        self._pattern = re.compile("|".join(map(re.escape, han)) or "(?!)")

    @lru_cache(maxsize=512)  # noqa: B019 (one object a catalog)
    def signs(self, low: str) -> tuple[Sign, ...]:
        """What in the text speaks for which types."""
        out = (
            [
                Sign(*m.span(), self._han[m[0]])
                for m in self._pattern.finditer(low)
                if not low.startswith("站", m.end())
            ]
            if has_han(low)
            else []
        )
        words = list(_WORD.finditer(low))
        reach = 0
        for i, first in enumerate(words):
            if i < reach:
                continue
            for n in range(min(self._longest.get(first[0], 1), len(words) - i), 0, -1):
                said = " ".join(m[0] for m in words[i : i + n])
                weights = self._latin.get(said)
                if weights is None and n == 1:
                    weights = self._latin.get(singular(said)) or self._latin.get("~" + stem(said))
                if weights is not None:
                    out.append(Sign(first.start(), words[i + n - 1].end(), weights))
                    reach = i + n
                    break
        return tuple(sorted(out))


def _shared(labels: Iterable[tuple[str, str]]) -> Mapping[str, frozenset[str]]:
    """Names of slots that several types have, and which."""
    of: dict[str, set[str]] = defaultdict(set)
    for label, name in labels:
        if " " in label:
            of[label].add(name)
    return {label: frozenset(names) for label, names in of.items() if len(names) > 1}


_WORD = re.compile(r"[a-z]+(?:['’&][a-z]+)?|[0-9]+")


def _latin(text: str) -> Iterable[str]:
    if has_han(text):
        return ()
    return {"~" + word for word in content(text)}


def _holds(text: str, words: Iterable[str]) -> bool:
    return any(
        w == text or (w in text if has_han(w) else re.search(rf"\b{re.escape(w)}s?\b", text)) for w in words
    )


@lru_cache(maxsize=8)
def topics_of(profiles: Profiles) -> Topics:
    """The topics of a catalog, compiled once."""
    return Topics(profiles)


class Talk:
    """What one turn is about, place by place."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._topics = topics_of(turn.profiles)
        self._twins = twins_of(turn.profiles)
        self.signs = list(self._topics.signs(turn.low))
        self._in_names = {sign[:2] for sign in self.signs if _in_name(turn, sign)}
        self._listed = {(m.start, m.end): frozenset(k.slot.type for k in m.known) for m in turn.mentions}
        for mention in turn.mentions:
            if _OF_LABEL.match(turn.low, mention.end):
                continue  # "my full name" where full is a size
            types = _types(mention, turn.low)
            if len(types) == 1 and mention.end - mention.start >= (2 if has_han(turn.low) else 4):
                self.signs.append(Sign(mention.start, mention.end, dict.fromkeys(types, 1.5)))
        self._focus: dict[str, float] | None = None
        self._made: dict[tuple[int, int], dict[str, float]] = {}

    def focus(self) -> dict[str, float]:
        """What the conversation was about before this turn."""
        if self._focus is None:
            self._focus = self._before()
        return self._focus

    def _before(self) -> dict[str, float]:
        out: dict[str, float] = defaultdict(float)
        for i, form in enumerate(self._turn.known):
            if form.type in self._turn.profiles.types:
                out[form.type] += _FOCUS if i == 0 else _EARLIER / i
        weight = _LAST
        for said in reversed(self._turn.before[-4:]):
            for name, score in self._strongest(lowered(said.text)).items():
                out[name] += weight * score
            weight *= 0.7
        return out

    def named(self) -> str | None:
        """The one type that the user last named, in the turns that were said before."""
        for said in [m for m in reversed(self._turn.before[-4:]) if m.role == "user"][:2]:
            found: dict[str, float] = {}
            for sign in self._topics.signs(lowered(said.text)):
                for name, weight in sign.weights.items():
                    found[name] = max(weight, found.get(name, 0.0))
            strong = [name for name, weight in found.items() if weight >= _NAMED]
            if strong:
                twin = self.meant.get(self._twins.family.get(strong[0], ""))
                if twin in strong and set(strong) <= set(self._twins.members(strong[0])):
                    return twin
                return strong[0] if len(strong) == 1 else None
        return None

    @cached_property
    def meant(self) -> Mapping[str, str]:
        """Which of twin types is meant, by family."""
        said = [self._turn.text, *(m.text for m in reversed(self._turn.before[-_BACK:]))]
        return self._twins.meant(said, (form.type for form in self._turn.known))

    def in_place(self, slot: SlotProfile) -> SlotProfile | None:
        """The slot that is meant where ``slot`` was read: the like one of a twin of its type, or None."""
        return self._twins.other(slot, self.meant)

    def only_by(self, form_type: str, start: int, end: int) -> bool:
        """Whether nothing but ``text[start:end]`` speaks for a type while the talk is about another: a name that is
        dropped ("Delta told me so") asks for nothing."""
        focus = self.focus()
        if focus.get(form_type, 0.0) >= _EARLIER or max(focus.values(), default=0.0) < _FOCUS:
            return False
        return not any(
            sign.weights.get(form_type, 0.0) >= _HINTED and (sign.end <= start or end <= sign.start)
            for sign in self.signs
        )

    def named_by(self, text: str) -> frozenset[str]:
        """The types of the everyday things that a text speaks of by their nouns."""
        low = _SIZES.sub(" ", lowered(text))
        found = {
            thing.nouns[0]
            for thing in things()
            if any(low[s.start : s.end] in thing.nouns for s in self._topics.signs(low))
        }
        return frozenset(name for name, meant in self._topics.meant.items() if meant & found)

    def turned(self, topic: dict[str, float]) -> dict[str, float]:
        """``topic`` with the twin that is meant before its twins."""
        for family, name in self.meant.items():
            of = [t for t in topic if self._twins.family.get(t) == family]
            most = max((topic[t] for t in of), default=0.0)
            for other in of:
                topic[other] *= _TWIN
            if most > 0:
                topic[name] = most
        return topic

    def _strongest(self, low: str) -> dict[str, float]:
        out: dict[str, float] = {}
        for mention in self._turn.profiles.mentions(tokens(low)):
            types = _types(mention, low)
            if len(types) == 1 and mention.end - mention.start >= (2 if has_han(low) else 4):
                out[types.pop()] = 1.3
        for sign in self._topics.signs(low):
            for name, weight in sign.weights.items():
                out[name] = max(weight, out.get(name, 0.0))
        return out

    def alike(self, one: str, other: str) -> bool:
        """Whether two types are about the same everyday thing."""
        meant = self._topics.meant
        return bool(meant.get(one, frozenset()) & meant.get(other, frozenset()))

    def about(self, start: int, end: int) -> dict[str, float]:
        """Form type → how much speaks for it as what ``text[start:end]`` is said of."""
        made = self._made.get((start, end))
        if made is None:
            made = self._made[start, end] = self._weigh(start, end)
        return made

    def _weigh(self, start: int, end: int) -> dict[str, float]:
        text = self._turn.text
        clause = clause_of(text, start, end)
        sentence = sentence_of(text, start, end)
        low = self._turn.low
        out: dict[str, float] = defaultdict(float)
        if self._topics.only is not None:
            out[self._topics.only] = _NAMED
        best: dict[str, float] = {}
        told = 0.0
        for sign in self.signs:
            near = self._nearness(sign, start, end, clause, sentence)
            own = start <= sign.start and sign.end <= end
            if not own and sign[:2] in self._in_names:
                near /= 2  # of another thing's name
            listed = self._listed.get(sign[:2])
            for name, weight in sign.weights.items():
                if listed is not None and name not in listed and not _ONE_OF.search(low, 0, sign.start):
                    weight /= 3  # "flight" where another type lists it among its expenses
                if not own:
                    told = max(told, weight * near)
                best[name] = max(best.get(name, 0.0), weight * near) + (0.1 * near if name in best else 0.0)
        for name, score in best.items():
            out[name] += score
        # what the words themselves name comes before what was talked about
        if has_han(text):
            named = told >= _CLEAR_ZH
        else:
            named = max(best.values(), default=0.0) >= _CLEAR or any(
                max(s.weights.values(), default=0.0) >= _NAMED for s in self.signs
            )
        share = 0.15 if named else 0.5
        for asked in self._turn.notes.get("asked", ()):  # the answer to a question is about its type
            out[asked.type] += share
        for name, score in self.focus().items():
            out[name] += share * min(score, 4.0)
        return self.turned(out)

    def _nearness(self, sign: Sign, start: int, end: int, clause: Span, sentence: Span) -> float:
        """How much a sign counts for the words: one that follows in the sentence is the head of what they modify in
        Chinese; in English the nearest counts."""
        low = self._turn.low
        if sign.start >= start and sign.end <= end:
            return 0.5  # the words themselves
        behind = sign.start >= end
        gap = sign.start - end if behind else start - sign.end
        here = clause[0] <= sign.start and sign.end <= clause[1]
        if not (sentence[0] <= sign.start and sign.end <= sentence[1]):
            return 0.35
        if low[sign.start] > "\u3000":
            if _AROUND.search(low[max(0, sign.start - 8) : sign.start]):
                return 0.3  # 周边有景点: beside what is talked about
            if _BESIDE.match(low, sign.end):
                return 0.3  # 酒店附近的餐馆: where, not what
            return (0.95 if behind else 0.8 if here else 0.5) - min(gap, 60) / 300
        return (1.0 if here else 0.6) - min(gap if behind else gap * 1.5, 60) / (100 if here else 300)


def _types(mention: Mention, low: str) -> set[str]:
    """The types that list what is mentioned. A place that a way leads to is a place, whatever way
    lists it, and so is a town."""
    if all((k.slot.role and not k.slot.closed) or k.slot.kind == "city" for k in mention.known):
        return set()
    if low[mention.start : mention.end] in ("免费", "便宜", "free", "cheap"):
        return set()
    return {k.slot.type for k in mention.known}


def _in_name(turn: Turn, sign: Sign) -> bool:
    """Whether a noun is part of a listed name: 宾馆 of 拱门宾馆."""
    return any(
        mention.start <= sign.start
        and sign.end <= mention.end
        and mention.end - mention.start > sign.end - sign.start
        and any(k.slot.kind in ("name", "near", "place") for k in mention.known)
        for mention in turn.mentions
    )


_BESIDE = re.compile(r"(?:的)?(?:周边|附近|旁边|周围|旁)")
_AROUND = re.compile(r"(?:周边|附近|旁边|周围|四周)(?:都|还)?(?:有|是)[^，。,]{0,5}$")


def talk_of(turn: Turn) -> Talk:
    """What the turn is about; made once a turn."""
    made = turn.notes.get("talk")
    if made is None:
        made = turn.notes["talk"] = Talk(turn)
    return made


__all__ = ["Sign", "Talk", "Topics", "talk_of", "topics_of"]
