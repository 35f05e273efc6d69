"""What a conversation's changes say by the turns' own times: the reference that a store's answers are held to.

It knows nothing of Forms. The latest by time wins, the later told where times are equal; a clearing is a change to
None.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from benchmarks.conversations import State


class Change(NamedTuple):
    """One slot's new value (None: cleared): when by the turn's time, as which in order, when it arrived."""

    time: datetime
    order: int
    arrived: datetime
    value: str | None


@dataclass(frozen=True)
class Held:
    """A value and from when until when it held."""

    instance: str
    slot: str
    value: str
    start: datetime
    end: datetime


class Timeline:
    """The changes of one conversation."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str], list[Change]] = {}
        self._count = 0

    def add(self, changes: Mapping[str, Mapping[str, str | None]], time: datetime, arrived: datetime) -> None:
        """What one turn changed."""
        for instance, slots in changes.items():
            for slot, value in slots.items():
                self._count += 1
                line = self._lines.setdefault((instance, slot), [])
                line.append(Change(time, self._count, arrived, value))
                line.sort(key=lambda change: change[:2])

    @property
    def instances(self) -> set[str]:
        """All that was ever told of."""
        return {instance for instance, _ in self._lines}

    def mixed(self, time: datetime, arrived: datetime) -> bool:
        """Whether a turn that came after ``arrived`` tells of ``time`` or before."""
        return any(c.arrived > arrived and c.time <= time for line in self._lines.values() for c in line)

    def state(self, time: datetime | None = None, known: datetime | None = None) -> State:
        """What holds at ``time`` (None: in the end), of what had arrived by ``known`` (None: all)."""
        state: State = {}
        for (instance, slot), line in self._lines.items():
            told = [
                c for c in line if (time is None or c.time <= time) and (known is None or c.arrived <= known)
            ]
            value = told[-1].value if told else None
            if value is not None:
                state.setdefault(instance, {})[slot] = value
        return state

    def replaced(self) -> Iterator[Held]:
        """Every value that another, or a clearing, took the place of."""
        for (instance, slot), line in self._lines.items():
            distinct = [c for i, c in enumerate(line) if i == 0 or c.value != line[i - 1].value]
            for old, new in pairwise(distinct):
                if old.value is not None:
                    yield Held(instance, slot, old.value, old.time, new.time)
