"""A message, and what extractors say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple

Role = Literal["user", "assistant", "tool", "system"]


@dataclass(frozen=True, slots=True)
class Message:
    """One utterance. ``time`` is aware and keeps the offset it was given in."""

    id: str
    text: str
    speaker: str
    role: Role
    conversation: str
    time: datetime
    user: str | None = None


@dataclass(frozen=True, slots=True)
class SlotDraft:
    """One slot as an extractor gives it, before the gate; ``evidence`` is quoted from the message.

    ``op``: set, add, remove, clear, or None (set; add for a many-valued slot). ``whose``: speaker or other.
    ``proposal``: an alternative or suggestion, not a change. ``tier``: recogniser, model, cache or script.
    ``agreed``: the value stands in the assistant's turn before this message, and this one agrees to it: (id of that
    turn, the words in it that hold the value); ``evidence`` is then the words that agree. An id of "" is the
    assistant's last turn.
    """

    value: Any
    confidence: float = 1.0
    evidence: str | None = None
    op: str | None = None
    negated: bool = False
    correction: bool = False
    inferred: bool = False
    read: bool = False  # an extractor's own reading of its evidence, which must be there and need not give it
    sought: bool = (
        False  # a question of the user starts from it or puts it forward to be done: it is no idea of theirs
    )
    proposal: bool = False
    whose: str = "speaker"
    valid_from: Any = None
    valid_until: Any = None
    span: tuple[int, int] | None = None
    tier: str = "recogniser"
    agreed: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class RelationDraft:
    """A relation from the draft's Form to the Form that ``to`` describes (``form_type`` plus slot values), with the
    times from and until when it was said to hold (ISO 8601)."""

    relation: str
    to: Mapping[str, Any]
    op: str = "add"
    attributes: Mapping[str, Any] = field(default_factory=dict)
    valid_from: Any = None
    valid_until: Any = None


@dataclass(frozen=True, slots=True)
class Draft:
    """What an extractor proposes for one Form."""

    form_type: str
    slots: Mapping[str, SlotDraft] = field(default_factory=dict)
    relations: Sequence[RelationDraft] = ()
    external_id: str | None = None
    invalidate: bool = False


@dataclass(frozen=True, slots=True)
class Cost:
    """What one message cost; ``tiers`` maps slot → recogniser, model or cache."""

    model_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tiers: Mapping[str, str] = field(default_factory=dict)

    def __add__(self, other: Cost) -> Cost:
        """Both together; of a slot that both read, the later reader counts."""
        return Cost(
            self.model_calls + other.model_calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            {**self.tiers, **other.tiers},
        )


NO_COST = Cost()


class Proposal(NamedTuple):
    """An extractor's answer for one message."""

    drafts: Sequence[Draft]
    cost: Cost = NO_COST


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was not taken, and why; nothing was written for it."""

    form_type: str
    slot: str | None
    value: Any
    reason: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of one message or act.

    ``state``: stored if anything was stored or there was nothing to remember; else held, else refused;
    queued while it waits for an extractor, and ``waiting`` says why. ``act`` is what ``undo`` takes (acts of a
    person only).
    """

    message_id: str
    state: Literal["stored", "held", "refused", "queued"] = "stored"
    duplicate: bool = False
    forms: Sequence[str] = ()
    versions: Sequence[str] = ()
    edges: Sequence[str] = ()
    pending: Sequence[str] = ()
    refused: Sequence[Refusal] = ()
    questions: Sequence[str] = ()
    cost: Cost = NO_COST
    act: str | None = None  # the id of the act (``model.report.Act``) that ``undo`` takes; None for a message
    waiting: str | None = None  # why the message is queued
