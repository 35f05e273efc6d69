"""A memory as anybody opens it, that is told the turns of a ground."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.recall_sets import Turn
from forms_dynamics import Memory
from forms_dynamics.ports import Embedder
from forms_dynamics.testing import FixedClock

_MANY = 1000  # messages observed at once


class Telling:
    """A memory in ``file`` that is told more of ``turns`` as questions come later. Settings, types and extractor are
    the default ones but for what ``how`` gives to ``Memory.open``. Whoever makes one closes ``memory``."""

    def __init__(self, file: Path, turns: Sequence[Turn], embedder: Embedder | None, **how: Any) -> None:
        self._clock = FixedClock(turns[0].time)
        self.memory = Memory.open(file, embedder=embedder, clock=self._clock, **how)
        self._turns, self._told = turns, 0

    def tell(self, size: int) -> None:
        """Observes in order what is missing of the first ``size`` turns and makes their vectors; the clock stands at
        the last one. Raises SystemExit where a turn is not taken."""
        waiting = iter(self._turns[self._told : size])
        while some := list(islice(waiting, _MANY)):
            self._clock.set(max(self._clock.now(), *(turn.time for turn in some)))
            receipts = self.memory.observe_many(
                {
                    "conversation": turn.conversation,
                    "id": turn.id,
                    "speaker": turn.speaker,
                    "role": turn.role,
                    "text": turn.text,
                    "time": turn.time.isoformat(),
                }
                for turn in some
            )
            untaken = [r for r in receipts if r.duplicate or r.state == "queued"]
            if untaken:
                raise SystemExit(f"a turn was not taken: {untaken[0]}")
            self._told += len(some)
            self.memory.upkeep()


def told(file: Path, turns: Sequence[Turn], embedder: Embedder | None, **how: Any) -> Memory:
    """A memory in ``file`` that was told all ``turns``."""
    telling = Telling(file, turns, embedder, **how)
    telling.tell(len(turns))
    return telling.memory


__all__ = ["Telling", "told"]
