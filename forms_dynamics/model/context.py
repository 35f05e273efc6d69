"""What a recall returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from forms_dynamics.model.form import Form

StepKind = Literal["anchor", "walk", "prune", "near_miss", "fallback", "cut"]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a recall kept or left out. ``subject`` is a Form, edge or message id."""

    kind: StepKind
    subject: str
    reason: str
    weight: float | None = None
    hop: int = 0


@dataclass(frozen=True, slots=True)
class Trace:
    """Why a recall returned what it did, in the order it happened; timings by stage in milliseconds."""

    steps: Sequence[Step] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Context:
    """Text for a prompt and what stands behind it. ``tokens`` is o200k_base of ``text``; ``confidence`` in [0, 1].

    ``messages``: ids whose words are in ``text``. ``current_to``: the last message taken before the first
    one that still waits.
    """

    text: str
    forms: Sequence[Form] = ()
    messages: Sequence[str] = ()
    tokens: int = 0
    confidence: float = 0.0
    questions: Sequence[str] = ()
    current_to: str | None = None
    trace: Trace = Trace()
