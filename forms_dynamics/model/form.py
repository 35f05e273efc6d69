"""Forms as a reader sees them: slots, versions, edges, pending items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from forms_dynamics.model.value import Evidence

Source = Literal["user", "tool", "import", "inferred"]


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot at a moment; ``value`` is None when there is only a pending or an avoided value."""

    value: Any
    status: Literal["known", "pending"] = "known"
    confidence: float = 1.0
    source: Source = "user"
    evidence: Evidence | None = None
    avoided: frozenset[Any] = frozenset()
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    confirmed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """A record of a Form type at a moment. ``version`` is the highest number; ``slots`` the projection."""

    id: str
    type: str
    version: int
    status: Literal["active", "invalid"]
    slots: Mapping[str, Slot]
    aliases: frozenset[str]
    external_ids: frozenset[str]
    user: str | None
    created_at: datetime
    updated_at: datetime
    last_accessed: datetime
    expired: bool = False
    cold: bool = False

    def __getitem__(self, slot: str) -> Any:
        """The known value of ``slot``, or None."""
        found = self.slots.get(slot)
        return found.value if found is not None and found.status == "known" else None


@dataclass(frozen=True, slots=True)
class Version:
    """One link of a Form's chain; ``slots`` is the whole state after it, in event order."""

    id: str
    number: int
    slots: Mapping[str, Slot]
    cause: str
    time: datetime
    arrived: datetime
    current: bool
    hash: str


@dataclass(frozen=True, slots=True)
class DynamicEdge:
    """A directed, weighted, mortal relation; ``weight`` is its strength at the clock's now, in [0, 1]."""

    id: str
    source: str
    target: str
    relation: str
    weight: float
    ttl_seconds: int | None
    last_accessed: datetime
    status: Literal["active", "superseded", "invalid", "candidate"]
    made_by: str
    evidence: Evidence | None
    created_at: datetime
    attributes: Mapping[str, Any] = field(default_factory=dict)
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    expired: bool = False  # past its time to live or its ``valid_until``
    cold: bool = False  # not hit for as long as its relation says


@dataclass(frozen=True, slots=True)
class Pending:
    """A value or a choice that waits for a person."""

    id: str
    form_id: str | None
    form_type: str
    slot: str | None
    value: Any
    reason: str
    question: str
    candidates: Sequence[str]
    asked_at: datetime
