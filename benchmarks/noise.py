"""What a model might have read of conversations with gold states: right values, the usual mistakes, confidences.

Every message gets drafts in the grammar of :mod:`forms_dynamics.extraction.grammar` and, where the set has a gold
state, labels in the log format. A value that the gold gains is drafted at the message whose words say it (some sets
have a gold only now and then), quoted where its words stand there, taken as agreed where only the assistant said
it. Then the mistakes of :class:`Noise` are made. All chance comes from the message's id: the same conversations
give the same drafts.

The kinds of mistakes and the calibration follow the literature, the rates are assumptions: docs/benchmarks.md.
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
from forms_dynamics.extraction.scoring import DERIVED, LITERAL, LOOSE

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
    alternative), in which it is taken all the same. Of the mappings the first two say which kind of mistake is made.

    Confidence is what :mod:`forms_dynamics.extraction.scoring` makes of a model's words: evidence · (1 + t) / 2, at
    most the number that the model states. ``stated_right`` and ``stated_wrong``: that number → its share among right
    and among wrong values. t, the probability of the value's tokens, is distributed as Beta(``tokens``, 1), None
    where the endpoint gives none.
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
    stated_right: Mapping[float, float] = field(
        default_factory=lambda: {0.7: 0.02, 0.8: 0.12, 0.85: 0.06, 0.9: 0.34, 0.95: 0.36, 1.0: 0.10}
    )
    stated_wrong: Mapping[float, float] = field(
        default_factory=lambda: {0.7: 0.05, 0.8: 0.21, 0.85: 0.09, 0.9: 0.34, 0.95: 0.25, 1.0: 0.06}
    )
    tokens_right: float | None = 6.0
    tokens_wrong: float | None = 3.0


_SAME = {0.85: 0.06, 0.9: 0.38, 0.95: 0.42, 1.0: 0.14}
NOISE = Noise()
# an endpoint without token probabilities, and a model as sure of what is wrong as of what is right
EVEN = Noise(stated_right=_SAME, stated_wrong=_SAME, tokens_right=None, tokens_wrong=None)


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

    def quotes(self, one: Given) -> bool:
        """Whether the value's own words stand in the message, so that its words alone speak for it."""
        words = one.evidence if one.agreed is None else None
        return words is not None and one.value in words and words in str(self.message["text"])

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

    def read(self, conversation: Conversation, number: int = 0, reading: int = 0) -> Iterator[Read]:
        """The conversation's messages in turn. ``number``: its place, for the times of a set without any;
        ``reading``: 1 and above are further, independent readings, under ids of their own."""
        turns = [turn for turn in conversation.turns if turn.text.strip()]
        name = f"{conversation.id}~{reading}" if reading else conversation.id
        placed = _placed(conversation, turns)
        state, labelled = State(), State()  # what holds by now, what the last label left
        offer, moment = "", _START + timedelta(hours=number)
        for turn in turns:
            moment = turn.time or moment + timedelta(minutes=1)
            message: dict[str, Any] = {
                "conversation": name, "id": f"{name}:{turn.i}", "speaker": turn.speaker, "role": turn.role,
                "user": None, "text": turn.text, "time": moment.isoformat(),
            }  # fmt: skip
            given: tuple[Given, ...] = ()
            if turn.role == "user":
                gains = placed.get(turn.i, {})
                state = _with(state, gains)
                given = _Message(self, turn.text, offer, gains, state, message["id"]).given()
            elif turn.role == "assistant":
                offer = turn.text
            if turn.state is not None:
                message["expect"] = {"forms": labels(labelled, turn.state)}
                labelled = state = turn.state
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
        self, reader: Reader, text: str, offer: str, gains: Mapping[Key, str], told: State, id: str
    ) -> None:
        self._reader, self._noise = reader, reader.noise
        self._text, self._offer = text, offer
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
        borne = self._borne_out(value, evidence, agreed)
        self._given.setdefault(
            key, Given(kind, *key, value, right, self._sure(right, borne), evidence, agreed)
        )

    def _borne_out(self, value: str, evidence: str | None, agreed: str | None) -> float:
        """How well the words bear the value out, as the scoring of a model's values has it."""
        words = agreed if agreed is not None else evidence
        if words is None or words not in (self._offer if agreed is not None else self._text):
            return 0.0
        if words_of(value, words) is None:
            return LOOSE
        return LITERAL if value in words and agreed is None else DERIVED

    def _sure(self, right: bool, borne: float) -> float:
        noise = self._noise
        stated = float(_drawn(self._chance, noise.stated_right if right else noise.stated_wrong))
        shape = noise.tokens_right if right else noise.tokens_wrong
        tokens = self._chance.random() ** (1 / shape) if shape is not None else 1.0
        return round(min(borne * (1 + tokens) / 2, stated), 3)


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
                    at = next(
                        (at for at in reversed(here) if at and words_of(value, turns[at - 1].text)), here[-1]
                    )
                placed.setdefault(turns[at].i, {})[domain, slot] = value
        state, since = turn.state, turn.i + 1
    return placed


def _with(state: State, gains: Mapping[Key, str]) -> State:
    out = {domain: dict(slots) for domain, slots in state.items()}
    for (domain, slot), value in gains.items():
        out.setdefault(domain, {})[slot] = value
    return out


def _telling(value: str) -> bool:
    """Whether the value's words say it wherever they stand: 5, 有 and "no" stand in many messages by chance."""
    return len(value) >= 2 if _HAN.search(value) else len(value) >= 4 and not value.isdigit()


def _drawn(chance: random.Random, shares: Mapping[Any, float]) -> Any:
    return chance.choices(list(shares), list(shares.values()))[0]


__all__ = ["EVEN", "NOISE", "Given", "Noise", "Read", "Reader", "labels", "words_of"]
