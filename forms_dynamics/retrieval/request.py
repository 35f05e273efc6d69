"""What is asked of a recall, and the collector of what it did."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from forms_dynamics.model.context import Step, StepKind


@dataclass(frozen=True, slots=True)
class Event:
    """What happened in the agent's run and may fire triggers. ``on``: its kind, as a trigger names it; ``values``:
    what conditions may ask of it; ``forms``: ids of the Forms that it is about; ``names``: texts that may be names of
    Forms that it is about."""

    on: str
    values: Mapping[str, Any]
    forms: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """Arguments of one recall; times in microseconds since 1970 UTC. ``event``: only what triggers load for it;
    ``speaker``: who speaks, else told from the conversation; ``lang``: of the lines, else told from the question."""

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
    event: Event | None = None
    speaker: str | None = None
    lang: str | None = None


@dataclass(slots=True)
class Log:
    """Steps in the order in which they happen, and the time of each stage in milliseconds.

    What is left out is told once, with the first rule that met it, however many stages meet it again."""

    steps: list[Step] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)
    _told: set[tuple[str, str]] = field(default_factory=set)

    def add(
        self,
        kind: StepKind,
        subject: str,
        reason: str,
        weight: float | None = None,
        hop: int = 0,
        base: float | None = None,
    ) -> None:
        """Adds one step, unless the subject has one of this kind."""
        told = (kind, subject)
        if told not in self._told:
            self._told.add(told)
            self.steps.append(Step(kind, subject, reason, weight, hop, base))

    def note(self, kind: StepKind, subject: str, reason: str) -> None:
        """Adds a step about many things, or about none that has an id: each reason counts by itself."""
        told = (f"{kind}: {reason}", subject)
        if told not in self._told:
            self._told.add(told)
            self.steps.append(Step(kind, subject, reason))

    def instead(self, kind: StepKind, subject: str, reason: str, weight: float | None = None) -> None:
        """Tells of a subject anew: what a search said of it has been judged again."""
        searched = ("fallback", "near_miss")
        self.steps = [s for s in self.steps if s.subject != subject or s.kind not in searched]
        self._told.add((kind, subject))
        self.steps.append(Step(kind, subject, reason, weight))

    def told(self) -> tuple[Step, ...]:
        """All steps; what came in another way after all is no near miss."""
        kept = {s.subject for s in self.steps if s.kind in ("anchor", "fallback")}
        return tuple(s for s in self.steps if s.kind != "near_miss" or s.subject not in kept)

    def stage(self, name: str) -> _Stage:
        """Times a stage (``with``); a stage entered twice adds up."""
        return _Stage(self.timings, name)


class _Stage:
    __slots__ = ("begun", "name", "timings")

    def __init__(self, timings: dict[str, float], name: str) -> None:
        self.timings, self.name = timings, name

    def __enter__(self) -> None:
        self.begun = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        spent = (time.perf_counter() - self.begun) * 1000
        self.timings[self.name] = self.timings.get(self.name, 0.0) + spent
