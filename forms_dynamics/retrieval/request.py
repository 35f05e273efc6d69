"""What is asked of a recall, and the collector of what it did."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from forms_dynamics.model.context import Step, StepKind


@dataclass(frozen=True, slots=True)
class Request:
    """Arguments of one recall; times in microseconds since 1970 UTC."""

    question: str | None = None
    focus: str | None = None
    intent: str | None = None
    conversation: str | None = None
    max_tokens: int = 3000
    max_hops: int = 1
    as_of: int | None = None
    known_at: int | None = None
    history: bool | None = None
    recent_turns: int = 0
    include_cold: bool = False
    include_expired: bool = False


@dataclass(slots=True)
class Log:
    """Steps in the order in which they happen, and the time of each stage in milliseconds."""

    steps: list[Step] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)

    def add(
        self, kind: StepKind, subject: str, reason: str, weight: float | None = None, hop: int = 0
    ) -> None:
        """Adds one step."""
        self.steps.append(Step(kind, subject, reason, weight, hop))

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Times a stage; a stage entered twice adds up."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.timings[name] = self.timings.get(name, 0.0) + (time.perf_counter() - begun) * 1000
