"""A memory as anybody opens it, that has been told the turns of a ground."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from benchmarks.recall_sets import Turn
from forms_dynamics import Memory
from forms_dynamics.ports import Embedder
from forms_dynamics.testing import FixedClock

_MANY = 1000  # messages observed at once


def told(
    file: Path,
    turns: Sequence[Turn],
    embedder: Embedder | None,
    types: Sequence[Path] | None = None,
) -> Memory:
    """A memory in ``file`` with default settings, and the shipped types unless others are named, that has observed
    ``turns`` in order and has vectors of them; its clock stands at the last one."""
    clock = FixedClock(turns[0].time)
    more = {} if types is None else {"types": [str(each) for each in types]}
    memory = Memory.open(file, embedder=embedder, clock=clock, **more)
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
