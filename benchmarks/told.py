"""A memory as anybody opens it, that has been told the turns of a ground."""

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


def told(
    file: Path,
    turns: Sequence[Turn],
    embedder: Embedder | None,
    **how: Any,
) -> Memory:
    """A memory in ``file`` that has observed ``turns`` in order and has vectors of them; its clock stands at the
    last one. Settings, types and extractor are the default ones but for what ``how`` gives to ``Memory.open``."""
    clock = FixedClock(turns[0].time)
    memory = Memory.open(file, embedder=embedder, clock=clock, **how)
    waiting = iter(turns)
    while some := list(islice(waiting, _MANY)):
        clock.set(max(clock.now(), *(turn.time for turn in some)))
        receipts = memory.observe_many(
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
        memory.upkeep()
    return memory


__all__ = ["told"]
