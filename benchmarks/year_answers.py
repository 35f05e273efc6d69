"""Whether answers are the same however often upkeep ran: daily, once, never, or in two processes at once."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.rows import Row
from benchmarks.year_store import END, Extracted, Filling, opened, without
from benchmarks.year_talk import START, Fact, User
from forms_dynamics.testing import FixedClock

_WAYS: tuple[dict[str, Any], ...] = ({}, {"include_cold": True}, {"history": True})


def same_answers(users: Sequence[User], folder: Path) -> list[Row]:
    """same_answers is 1 where every context text of every fact's question is the same: default, with cold ones, and
    history; differing_answers counts those that are not."""
    never, once, twice, daily = (folder / f"{name}.db" for name in ("never", "once", "twice", "daily"))
    _fill(users, never, daily=False)
    for copy in (once, twice):
        shutil.copy(never, copy)
    _fill(users, daily, daily=True)
    _wait(_upkeep(once))
    both = [_upkeep(twice), _upkeep(twice)]
    told = [_wait(each) for each in both]
    facts = [
        f for user in users for f in (*_lasting(user), *[f for f in user.facts if f.group == "once"][:3])
    ]
    plain = _texts(never, facts)
    differing = {file.stem: _differing(plain, _texts(file, facts)) for file in (once, twice, daily)}
    total = sum(differing.values())
    note = (
        f"{len(users)} users, {len(plain)} answers a store; against never: "
        + ", ".join(f"{name} {n} differ" for name, n in differing.items())
        + f"; two at once did: {' | '.join(told)}"
    )
    return [
        Row("year", "ours", "same_answers", float(total == 0), 3 * len(plain), note),
        Row("year", "ours", "differing_answers", float(total), 3 * len(plain)),
    ]


def _lasting(user: User) -> list[Fact]:
    return [fact for fact in user.facts if fact.group != "once"]


def _fill(users: Sequence[User], file: Path, daily: bool) -> None:
    clock = FixedClock(START)
    with opened(file, clock, without(file.parent, ()), extractor=Extracted(users)) as memory:
        filling = Filling(memory, clock, users, step=1, label=file.stem)

        def after(at: datetime) -> None:
            # some facts are asked for now and then, so that accesses are noted as in real use
            for user in users[at.timetuple().tm_yday % 5 :: 5]:
                often = [f for f in user.facts if f.often and f.first <= at]
                if often:
                    memory.scoped(user=user.id).recall(often[at.day % len(often)].question)
            if daily:
                memory.upkeep()

        filling.run(after)


def _upkeep(file: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.year_upkeep", str(file), END.isoformat()]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _wait(process: subprocess.Popen[str]) -> str:
    out, wrong = process.communicate()
    if process.returncode:
        raise SystemExit(f"upkeep ended with {process.returncode}: {wrong.strip()}")
    return out.strip()


def _texts(file: Path, facts: Sequence[Fact]) -> list[str]:
    """Context texts; read only, so that no question changes the answer to the next."""
    clock = FixedClock(END)
    with opened(file, clock, without(file.parent, ()), read_only=True) as memory:
        scoped = {user: memory.scoped(user=user) for user in {fact.user for fact in facts}}
        return [scoped[fact.user].recall(fact.question, **way).text for way in _WAYS for fact in facts]


def _differing(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


__all__ = ["same_answers"]
