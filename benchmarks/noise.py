"""What a model might have read of conversations with gold states: right values, the usual mistakes, confidences.

Every message gets drafts in the grammar of :mod:`forms_dynamics.extraction.grammar` and, where the set has a gold
state, labels in the log format. A value that the gold gains is drafted at the message whose words say it (some sets
have a gold only now and then), quoted where its words stand there, taken as agreed where only the assistant said
it. Then the mistakes of :class:`Noise` are made. All chance comes from the message's id: the same conversations
give the same drafts.

The rates and where they come from are in docs/benchmarks.md. They were fixed from the literature before anything
was tuned on what they make.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple

from benchmarks.agreement import folded
from benchmarks.conversations import Conversation, State, Turn
from benchmarks.gold_replay import changes_between
from benchmarks.schema_types import to_name
from forms_dynamics.extraction.borders import cut
from forms_dynamics.extraction.evidence import find

Kind = Literal[
    "right", "again", "agreed", "derived", "swapped", "border", "elsewhere", "invented", "misplaced", "early", "offer"
]  # fmt: skip
Key = tuple[str, str]  # domain, slot

_START = datetime(2026, 1, 1, 9, tzinfo=UTC)
_CLAUSE = re.compile(r"[^，,。.;；!！?？\n]+")
_WORD = re.compile(r"[\w:.'+-]+")
_RUN = re.compile(r"[\u3400-\u9fff]+|[A-Za-z][\w'-]{2,}|\d+(?:[:.]\d+)*")
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True)
class Noise:
    """How often which mistake is made, and what confidence a model states.

    ``missing``: of the values that the gold gains or that are said again, not given. ``wrong``: of those given, with
    another value. ``invented``: user messages in which a slot is filled that nobody spoke of. ``early``: user
    messages that hold, or answer an offer of, a known value that the gold does not have (a question, an
    alternative), in which it is taken all the same. The three mappings say which kind of mistake is made then.
    ``sure_right`` and ``sure_wrong``: confidence → its share among right and among wrong values.
    """

    missing: float = 0.12
    wrong: float = 0.12
    invented: float = 0.15
    early: float = 0.5
    wrong_kinds: Mapping[str, float] = field(
        default_factory=lambda: {"swapped": 0.4, "border": 0.35, "elsewhere": 0.25}
    )
    invented_kinds: Mapping[str, float] = field(
        default_factory=lambda: {"misplaced": 0.4, "quoted": 0.3, "unquoted": 0.3}
    )
    sure_right: Mapping[float, float] = field(
        default_factory=lambda: {
            0.5: 0.01, 0.6: 0.01, 0.7: 0.03, 0.8: 0.11, 0.85: 0.05, 0.9: 0.33, 0.95: 0.36, 1.0: 0.10,
        }
    )  # fmt: skip
    sure_wrong: Mapping[float, float] = field(
        default_factory=lambda: {
            0.5: 0.03, 0.6: 0.04, 0.7: 0.09, 0.8: 0.34, 0.85: 0.07, 0.9: 0.27, 0.95: 0.13, 1.0: 0.03,
        }
    )  # fmt: skip


_SAME = {0.85: 0.05, 0.9: 0.4, 0.95: 0.45, 1.0: 0.1}
NOISE = Noise()
EVEN = Noise(sure_right=_SAME, sure_wrong=_SAME)  # as sure of what is wrong as of what is right


class Given(NamedTuple):
    """One drafted slot, and whether its value is the one that the gold holds (or holds next)."""

    kind: Kind
    domain: str
    slot: str
    value: str
    right: bool
    confidence: float
    evidence: str | None
    agreed: str | None = None


@dataclass(frozen=True)
class Read:
    """One message of the log format (``expect`` where the gold has a state) and what was read of it."""

    message: Mapping[str, Any]
    given: tuple[Given, ...]

    def drafts(self) -> list[dict[str, Any]]:
        """The raw drafts: one a domain."""
        by_domain: dict[str, dict[str, Any]] = {}
        for one in self.given:
            slot: dict[str, Any] = {"value": one.value, "confidence": one.confidence}
            if one.evidence is not None:
                slot["evidence"] = one.evidence
            if one.agreed is not None:
                slot["agreed"] = one.agreed
            by_domain.setdefault(one.domain, {})[to_name(one.slot)] = slot
        return [{"form_type": to_name(domain), "slots": slots} for domain, slots in by_domain.items()]


class Reader:
    """Reads the conversations of one set as a noisy model would. ``schema``: the set's ``schema.json``."""

    def __init__(
        self,
        conversations: Sequence[Conversation],
        schema: Mapping[str, Mapping[str, Any]],
        noise: Noise = NOISE,
    ) -> None:
        self._noise = noise
        values: dict[Key, dict[str, None]] = {}
        for domain, part in schema.items():
            for slot, spec in part["slots"].items():
                values.setdefault((domain, slot), {}).update(dict.fromkeys(spec.get("values") or ()))
        for conversation in conversations:
            for turn in conversation.turns:
                for domain, slots in (turn.state or {}).items():
                    for slot, value in slots.items():
                        values.setdefault((domain, slot), {})[value] = None
        self._values = {key: tuple(known) for key, known in values.items()}
        self._by_domain: dict[str, list[Key]] = {}
        for key in self._values:
            self._by_domain.setdefault(key[0], []).append(key)

    def read(self, conversation: Conversation, number: int = 0, name: str | None = None) -> Iterator[Read]:
        """The conversation's messages in turn. ``number``: its place, for the times of a set without any;
        ``name``: another id for it, by which nothing else changes."""
        turns = [turn for turn in conversation.turns if turn.text.strip()]
        placed = _placed(conversation, turns)
        held, labelled, told = State(), State(), State()
        moment = _START + timedelta(hours=number)
        for at, turn in enumerate(turns):
            moment = turn.time or moment + timedelta(minutes=1)
            message: dict[str, Any] = {
                "conversation": name or conversation.id, "id": f"{name or conversation.id}:{turn.i}",
                "speaker": turn.speaker, "role": turn.role, "user": None, "text": turn.text,
                "time": moment.isoformat(),
            }  # fmt: skip
            given: tuple[Given, ...] = ()
            if turn.role == "user":
                offer = next((t.text for t in reversed(turns[:at]) if t.role == "assistant"), "")
                gains = placed.get(turn.i, {})
                told = {d: {**told.get(d, {}), **_of(d, gains)} for d in {**told, **dict.fromkeys(_domains(gains))}}
                given = _Message(self, turn, offer, gains, told, f"{conversation.id}:{turn.i}").given()
            held = turn.state if turn.state is not None else held
            if turn.state is not None:
                message["expect"] = {"forms": labels(labelled, held)}
                labelled, told = held, held
            yield Read(message, given)

    def values(self, key: Key) -> tuple[str, ...]:
        return self._values.get(key, ())

    def keys(self, domains: Iterable[str]) -> list[Key]:
        return [key for domain in domains for key in self._by_domain.get(domain, ())]

    @property
    def noise(self) -> Noise:
        return self._noise

    @property
    def domains(self) -> list[str]:
        return list(self._by_domain)


def labels(before: State, after: State) -> list[dict[str, Any]]:
    """The log format's labels for what turns one gold state into the next; null where a value is dropped."""
    return [
        {"form_type": to_name(domain), "slots": {to_name(slot): value for slot, value in slots.items()}}
        for domain, slots in changes_between(before, after).items()
    ]


def words_of(value: str, text: str) -> str | None:
    """The words of ``text`` that say ``value``: as they are spelt, or folded ("five" for 5, without articles)."""
    span = find(text, value)
    if span is not None and not cut(text, *span):
        return text[span[0] : span[1]]
    wanted = folded(value).split()
    if not wanted or _HAN.search(value):
        return None
    words = [(m.start(), m.end(), f) for m in _WORD.finditer(text) if (f := folded(m[0]))]
    for i in range(len(words) - len(wanted) + 1):
        if [word for _, _, word in words[i : i + len(wanted)]] == wanted:
            return text[words[i][0] : words[i + len(wanted) - 1][1]]
    return None


class _Message:
    """One user message on its way to drafts. ``gains``: what the gold has of it; ``told``: what holds after it."""

    def __init__(
        self, reader: Reader, turn: Turn, offer: str, gains: Mapping[Key, str], told: State, id: str
    ) -> None:
        self._reader, self._noise = reader, reader.noise
        self._text, self._offer = turn.text, offer
        self._gains, self._told = gains, told
        self._chance = random.Random(hashlib.sha256(id.encode()).digest())
        self._given: dict[Key, Given] = {}

    def given(self) -> tuple[Given, ...]:
        for key, value in self._gains.items():
            self._gained(key, value)
        self._said_again()
        self._taken_early()
        if self._chance.random() < self._noise.invented:
            self._invented()
        return tuple(self._given.values())

    # -- what is there ---------------------------------------------------------------------------------------
    def _gained(self, key: Key, value: str) -> None:
        missed, wrong = self._chance.random() < self._noise.missing, self._chance.random() < self._noise.wrong
        if missed:
            return
        words = words_of(value, self._text)
        if wrong:
            self._wrong(key, value, words)
        elif words is not None:
            self._give("right", key, value, words)
        elif (offered := words_of(value, self._offer)) is not None:
            self._give("agreed", key, value, self._clause(), agreed=offered)
        else:
            self._give("derived", key, value, self._clause())

    def _said_again(self) -> None:
        for domain, slots in self._told.items():
            for slot, value in slots.items():
                key = (domain, slot)
                if key in self._gains or not _telling(value):
                    continue
                words = words_of(value, self._text)
                if words is not None and self._chance.random() >= self._noise.missing:
                    self._give("again", key, value, words)

    # -- what is not -----------------------------------------------------------------------------------------
    def _wrong(self, key: Key, value: str, words: str | None) -> None:
        kind = _drawn(self._chance, self._noise.wrong_kinds)
        if kind == "border" and words is not None and (near := self._border(words)) is not None:
            self._give("border", key, near, near)
        elif kind == "elsewhere" and (other := self._words(avoid=value)) is not None:
            self._give("elsewhere", key, other, other)
        else:
            others = [v for v in self._reader.values(key) if folded(v) != folded(value)]
            if others:
                self._give("swapped", key, self._chance.choice(others), words or self._clause())

    def _border(self, words: str) -> str | None:
        """The words with one more beside them, or one less."""
        start = self._text.find(words)
        end = start + len(words)
        if start < 0:
            return None
        inside, choices = list(_RUN.finditer(words)), []
        if len(inside) > 1:
            choices += [words[inside[1].start() :], words[: inside[-2].end()]]
        elif _HAN.search(words) and len(words) > 2:
            choices += [words[1:], words[:-1]]
        after = re.match(r" ?(?:[\u3400-\u9fff]{1,2}|[A-Za-z]+)", self._text[end:])
        before = re.search(r"(?:[\u3400-\u9fff]{1,2}|[A-Za-z]+) ?$", self._text[:start])
        choices += [words + after[0]] if after else []
        choices += [before[0] + words] if before else []
        return self._chance.choice(choices) if choices else None

    def _taken_early(self) -> None:
        """A value that is spoken of and does not hold: in a question, an alternative, the assistant's offer."""
        found: list[tuple[Kind, Key, str, str]] = []
        for key in self._reader.keys(self._told):
            holds = self._told.get(key[0], {}).get(key[1])
            if key in self._given or key in self._gains:
                continue
            for value in self._reader.values(key):
                if value == holds or not _telling(value):
                    continue
                for kind, text in (("early", self._text), ("offer", self._offer)):
                    words = words_of(value, text) if value.casefold() in text.casefold() else None
                    if words is not None:
                        found.append((kind, key, value, words))  # type: ignore[arg-type]
        if found and self._chance.random() < self._noise.early:
            kind, key, value, words = self._chance.choice(found)
            if kind == "early":
                self._give("early", key, value, words)
            elif self._chance.random() < 0.5:
                self._give("offer", key, value, self._clause(), agreed=words)
            else:
                self._give("offer", key, value, words)  # quoted from the wrong turn

    def _invented(self) -> None:
        domains = [*self._told] or [self._chance.choice(self._reader.domains)]
        free = [
            key
            for key in self._reader.keys(domains)
            if key not in self._given and key[1] not in self._told.get(key[0], {})
        ]
        if not free:
            return
        key = self._chance.choice(free)
        kind = _drawn(self._chance, self._noise.invented_kinds)
        listed = self._reader.values(key)
        if (kind == "misplaced" or not listed) and (words := self._words()) is not None:
            self._give("misplaced", key, words, words)
        elif listed:
            value = self._chance.choice(listed)
            self._give("invented", key, value, self._clause() if kind == "quoted" else None)

    # -- words -----------------------------------------------------------------------------------------------
    def _clause(self) -> str:
        clauses = [m[0].strip() for m in _CLAUSE.finditer(self._text) if m[0].strip()]
        return self._chance.choice(clauses) if clauses else self._text

    def _words(self, avoid: str = "") -> str | None:
        """Some words of the message that are not ``avoid``: one of a Western script, some signs of Chinese."""
        runs = [m[0] for m in _RUN.finditer(self._text) if folded(m[0]) not in folded(avoid)]
        if not runs:
            return None
        run = self._chance.choice(runs)
        if _HAN.search(run) and len(run) > 2:
            size = self._chance.randint(2, min(4, len(run)))
            start = self._chance.randint(0, len(run) - size)
            run = run[start : start + size]
        return run if folded(run) != folded(avoid) else None

    def _give(
        self, kind: Kind, key: Key, value: str, evidence: str | None, agreed: str | None = None
    ) -> None:
        truth = self._gains.get(key, self._told.get(key[0], {}).get(key[1]))
        right = truth is not None and folded(truth) == folded(value)
        shares = self._noise.sure_right if right else self._noise.sure_wrong
        sure = float(_drawn(self._chance, shares))
        self._given.setdefault(key, Given(kind, *key, value, right, sure, evidence, agreed))


def _placed(conversation: Conversation, turns: Sequence[Turn]) -> dict[int, dict[Key, str]]:
    """Turn → what the gold gains there, each value at the last user turn since the gold before whose words say it;
    else where the assistant has just said it; else at the turn of the gold."""
    placed: dict[int, dict[Key, str]] = {}
    state, since = State(), 0
    users = {turn.i: at for at, turn in enumerate(turns) if turn.role == "user"}
    for turn in conversation.turns:
        if turn.state is None:
            continue
        here = [at for i, at in users.items() if since <= i <= turn.i]
        for domain, slots in changes_between(state, turn.state).items():
            for slot, value in slots.items():
                if value is None or not here:
                    continue
                at = next((at for at in reversed(here) if words_of(value, turns[at].text)), None)
                if at is None:
                    at = next((at for at in reversed(here) if at and words_of(value, turns[at - 1].text)), here[-1])
                placed.setdefault(turns[at].i, {})[domain, slot] = value
        state, since = turn.state, turn.i + 1
    return placed


def _domains(gains: Mapping[Key, str]) -> list[str]:
    return list(dict.fromkeys(domain for domain, _ in gains))


def _of(domain: str, gains: Mapping[Key, str]) -> dict[str, str]:
    return {slot: value for (one, slot), value in gains.items() if one == domain}


def _telling(value: str) -> bool:
    """Whether the value's words say it wherever they stand: 5, 有 and "no" stand in many messages by chance."""
    return len(value) >= 2 if _HAN.search(value) else len(value) >= 4 and not value.isdigit()


def _drawn(chance: random.Random, shares: Mapping[Any, float]) -> Any:
    return chance.choices(list(shares), list(shares.values()))[0]


__all__ = ["EVEN", "NOISE", "Given", "Noise", "Read", "Reader", "labels", "words_of"]
