"""What a replay finds, as plain frozen values that processes hand over and files keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Verdict = Literal["right", "wrong", "unknown"]
Truth = Literal["labels", "self-consistency", "none"]  # what verdicts rest on


class Fact(NamedTuple):
    """What became of one slot that was proposed for a message.

    ``value``: as a person reads it. ``reason``: why it was held or refused; "" where it was accepted
    ("avoided": as one to be avoided). ``verdict``: of the value itself, whatever became of it; ``unknown``
    where nothing tells. ``form``: "" where no Form was reached.
    """

    form_type: str
    slot: str
    value: str
    outcome: Literal["accepted", "held", "refused"]
    reason: str
    verdict: Verdict
    form: str


class Asked(NamedTuple):
    """One labelled question, asked right after its message; a probe that changes nothing.

    ``missing``: parts of ``contains`` that the context lacks; ``stale``: parts of ``lacks`` that it holds.
    ``rank``: the line (from 1) of the context by which all of ``contains`` has been said; None where
    something is missing. ``hops``: how far the walk had to go for the Forms whose lines hold ``contains`` (0:
    anchors or text). ``steps``: the trace, as (kind, subject, reason).
    """

    question: str
    missing: tuple[str, ...]
    stale: tuple[str, ...]
    rank: int | None
    hops: int
    tokens: int
    confidence: float
    steps: tuple[tuple[str, str, str], ...]
    ms: float  # the only figure that differs between two runs of one thing

    @property
    def right(self) -> bool:
        return not self.missing and not self.stale


class Counts(NamedTuple):
    """What is counted, of a turn, a conversation or a whole log; counts of parts add up.

    Of the proposed slots ``accepted``, ``held`` and ``refused`` are all; ``accepted_right`` and
    ``accepted_wrong`` those with a verdict, ``held_right`` and ``refused_right`` those that were kept out
    though they are right. ``expected``: values that the truth gains, ``found``: those of them that are held
    after their turn. ``fields``: labelled values in force at a labelled turn, ``fields_right``: held exactly
    so. ``states``: labelled turns, ``states_right``: those after which all that is held is all that is
    labelled. ``kept``: values looked at ten user turns after they were labelled and still in force,
    ``kept_right``: still held. ``twice``: questions about a slot that the user had answered before.
    ``asked``: labelled questions; ``asked_far``: those whose Forms lie two hops away or more.
    """

    turns: int = 0
    user_turns: int = 0
    accepted: int = 0
    accepted_right: int = 0
    accepted_wrong: int = 0
    held: int = 0
    held_right: int = 0
    refused: int = 0
    refused_right: int = 0
    expected: int = 0
    found: int = 0
    fields: int = 0
    fields_right: int = 0
    states: int = 0
    states_right: int = 0
    kept: int = 0
    kept_right: int = 0
    questions: int = 0
    twice: int = 0
    asked: int = 0
    asked_right: int = 0
    asked_stale: int = 0
    asked_far: int = 0
    asked_far_right: int = 0
    tokens: int = 0  # of the contexts of labelled questions
    forms: int = 0
    versions: int = 0
    edges: int = 0
    queued: int = 0  # messages whose extraction failed when it was recorded

    def plus(self, other: Counts) -> Counts:
        """Both together."""
        return Counts(*(a + b for a, b in zip(self, other, strict=True)))


class Turn(NamedTuple):
    """One message of a replayed log, and what it led to. ``number``: its place in its conversation, from 1.

    ``questions``: what was asked of the user because of it. ``missed``: labelled values that are not held
    after it, as (form type, slot, value).
    """

    message: str
    conversation: str
    number: int
    role: str
    facts: tuple[Fact, ...] = ()
    missed: tuple[tuple[str, str, str], ...] = ()
    versions: tuple[str, ...] = ()
    edges: int = 0
    questions: tuple[str, ...] = ()
    asked: tuple[Asked, ...] = ()
    counts: Counts = Counts()


@dataclass(frozen=True)
class Run:
    """One log replayed under one set of settings.

    ``settings``: what differs from the settings that the replay began with. ``by_conversation``: counts, in
    the order in which conversations begin. ``turns``: empty where only counts were asked for. ``seconds``: of
    one processor.
    """

    settings: Mapping[str, Any]
    recording: str  # digest of what was replayed
    truth: Truth
    by_conversation: Mapping[str, Counts]
    turns: Sequence[Turn] = ()
    seconds: float = 0.0

    def total(self) -> Counts:
        """All conversations together."""
        total = Counts()
        for counts in self.by_conversation.values():
            total = total.plus(counts)
        return total


class Interval(NamedTuple):
    """A figure with its 95 % bootstrap interval over conversations; None where nothing was measured."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Point:
    """One setting value on a curve: each figure with its interval, and its difference from today's settings."""

    value: Any
    figures: Mapping[str, Interval]
    gain: Interval  # of the objective, paired by conversation; above zero is better
    allowed: bool  # whether the constraints hold


@dataclass(frozen=True)
class Curve:
    """What one setting does while all others stay as they are today."""

    setting: str
    today: Any
    points: Sequence[Point]


@dataclass(frozen=True)
class Candidate:
    """One combination of settings, by its figures on the conversations it was chosen on."""

    settings: Mapping[str, Any]
    figures: Mapping[str, float | None]
    allowed: bool
    best: bool  # nothing else is better in one of the pictured figures and as good in the others


@dataclass(frozen=True)
class Tuning:
    """The outcome of tuning: what was tried, what won, and whether it holds on conversations that it was not
    chosen on.

    ``winner``: settings that differ from today's; empty where nothing is better than today's beyond noise.
    ``gain``: of the objective, held-out conversations only, winner (or else the best candidate) less today's.
    """

    objective: str
    constraints: Sequence[str]
    truth: Truth
    chosen_on: int  # conversations
    held_out: int
    today: Mapping[str, Interval]  # on the held-out conversations
    tuned: Mapping[str, Interval]
    winner: Mapping[str, Any]
    candidate: Mapping[str, Any]  # what was best where it was chosen, whether or not it held
    gain: Interval
    curves: Sequence[Curve]
    tried: Sequence[Candidate]
    verdict: str  # one sentence
    notes: Sequence[str] = field(default_factory=tuple)
    turns_per_s: float = 0.0


__all__ = [
    "Asked", "Candidate", "Counts", "Curve", "Fact", "Interval", "Point", "Run", "Truth", "Tuning", "Turn", "Verdict"
]  # fmt: skip
