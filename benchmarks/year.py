"""A simulated year under a fixed clock: is the memory fresher, smaller and as fast as one that keeps everything?

Messages come with what an ideal extractor reads in them (``benchmarks/year_talk.py``), so that the life cycle is
measured and not the reading. Two stores get the same messages, each in a process of its own: ours, and one that keeps
everything (the same types and rules without times to live, cold storage, fading, decay of edges, archive).
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.rows import Row
from benchmarks.year_answers import same_answers
from benchmarks.year_asking import GROUPS, Answer, ask, rows_of, search
from benchmarks.year_decay import decay, linked, sample
from benchmarks.year_public import public
from benchmarks.year_store import ALL, END, Extracted, Filling, opened, without
from benchmarks.year_talk import START, Fact, User, year
from benchmarks.year_weight import Weight, weigh
from forms_dynamics.testing import FixedClock

IDEAL = "messages come with what an ideal extractor reads in them"
MONTH = timedelta(days=28)
KEEP = "keep_everything"
_ASKED_OFTEN = 40  # users asked about all their facts after each month
_GROWTH = 200  # questions asked at both ends of the year, 5 times each
_MOST = 300  # questions of a kind at the end
_ANSWERS = 50  # users of the comparison of upkeep's rhythms


def run(arguments: argparse.Namespace) -> list[Row]:
    """Rows of all figures."""
    users = year(arguments.users, arguments.messages, arguments.seed)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) if arguments.keep is None else arguments.keep
        folder.mkdir(parents=True, exist_ok=True)
        keeping = _kept_apart(arguments, folder)
        try:
            rows = _ours(users, folder / "ours.db")
        except BaseException:
            keeping.kill()
            raise
        if keeping.wait():
            raise SystemExit(f"the store that keeps everything ended with {keeping.returncode}")
        rows += _at_the_end(users, folder)
        rows += same_answers(_smaller(arguments), folder)
        if arguments.data is not None:
            rows += public(arguments.data)
    return rows


def _smaller(arguments: argparse.Namespace) -> list[User]:
    count = min(_ANSWERS, arguments.users)
    return year(count, count * (arguments.messages // arguments.users), arguments.seed + 1)


# -- through the year ----------------------------------------------------------------------------------------
def _ours(users: Sequence[User], file: Path) -> list[Row]:
    """Fills our store. Every user asks once a month for one of the few facts that matter, and some for all."""
    clock = FixedClock(START)
    answers: list[Answer] = []
    begun: list[datetime] = []
    with opened(file, clock, without(file.parent, ()), extractor=Extracted(users)) as memory:
        filling = Filling(memory, clock, users, label="ours")

        def after(at: datetime) -> None:
            month = (at - START) // MONTH
            if (at - START) % MONTH or not month:
                return
            for user in users:
                often = [f for f in user.facts if f.often and f.first <= at]
                if often:
                    memory.scoped(user=user.id).recall(often[month % len(often)].question)
            some = [f for user in users[month % 15 :: 15][:_ASKED_OFTEN] for f in user.facts]
            answers.extend(ask(memory, some, at))
            if month == 1:
                memory.backup(file.with_name("month1.db"))
                begun.append(at)

        filling.run(after)
    note = f"{IDEAL}; asked of some users after each month, not the end; {filling.refused} messages with a refusal, {filling.held} with a question"
    rows = rows_of("year: months", "ours", answers, note)
    count = sum(len(user.messages) for user in users)
    rows.append(Row("year", "ours", "messages_per_s", round(count / filling.seconds, 1), count))
    return rows


def _kept_apart(arguments: argparse.Namespace, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "benchmarks.year", str(folder / f"{KEEP}.db")]
    command += [str(arguments.users), str(arguments.messages), str(arguments.seed)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def keep_everything(file: Path, users: int, messages: int, seed: int) -> None:
    """Fills the store that keeps everything."""
    people, clock = year(users, messages, seed), FixedClock(START)
    with opened(file, clock, without(file.parent / "kept", ALL), extractor=Extracted(people)) as memory:
        Filling(memory, clock, people, label=KEEP).run()


# -- at the end of it ----------------------------------------------------------------------------------------
def _at_the_end(users: Sequence[User], folder: Path) -> list[Row]:
    ours, kept = folder / "ours.db", folder / f"{KEEP}.db"
    rows = _upkeep(ours)
    rows += _growth(users, folder)
    last = [user for n, user in enumerate(users) if n % 15 == 14 or len(users) < 60]
    facts = [fact for user in last for fact in user.facts]
    asked = sample([*facts, *linked(facts)], _MOST)
    plain = [f for f in asked if f.group in GROUPS]
    with opened(ours, FixedClock(END), without(folder, ()), read_only=True) as memory:
        answers = ask(memory, plain, END)
        rows += rows_of("year", "ours", answers, f"{IDEAL}; at the end of the year")
        for group in GROUPS:
            rows += rows_of(f"year: {group}", "ours", [a for a in answers if a.group == group])
        names = [user.id for user in users]
        mine = weigh(memory, ours, names, END)
    with opened(kept, FixedClock(END), without(folder / "kept", ALL), read_only=True) as memory:
        rows += rows_of("year", KEEP, ask(memory, plain, END))
        other = weigh(memory, kept, names, END)
    for ranker in ("bm25", "vector"):
        rows += rows_of("year", ranker, search(last, plain, END, ranker))
    rows += _weights(mine, other)
    print("year: the same questions with and without decay", file=sys.stderr)
    return rows + decay(ours, asked, folder)


def _upkeep(file: Path) -> list[Row]:
    """A first pass over a year in which none ran, and one right after it."""
    rows = []
    for figure in ("upkeep_s", "upkeep_again_s"):
        command = [sys.executable, "-m", "benchmarks.year_upkeep", str(file), END.isoformat()]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.stderr)
        told = json.loads(done.stdout.splitlines()[-1])
        did = ", ".join(f"{name} {n:,}" for name, n in told["did"].items()) or "nothing"
        note = f"{figure}: did {did}; peak {told['rss_mb']} MB, {told['rss_before']} MB of it before; no embedder"
        rows.append(Row("year", "ours", figure, told["seconds"], 1, note))
        rows.append(Row("year", "ours", figure.replace("_s", "_rss_mb"), told["rss_mb"], 1))
    return rows


def _growth(users: Sequence[User], folder: Path) -> list[Row]:
    """Questions for a customer's budget by name, to the store as it was after a month and as it is: by turns."""
    facts = [f for user in users for f in user.facts if f.kind == "budget" and f.often and f.first <= START + MONTH]
    facts = facts[:: max(1, len(facts) // _GROWTH)][:_GROWTH]
    early: list[float] = []
    late: list[float] = []
    how = without(folder, ())
    with (
        opened(folder / "month1.db", FixedClock(START + MONTH), how, read_only=True) as first,
        opened(folder / "ours.db", FixedClock(END), how, read_only=True) as last,
    ):
        pairs = [(f, first.scoped(user=f.user), last.scoped(user=f.user)) for f in facts]
        anchored = 0
        for turn in range(6):
            for fact, before, now in pairs:
                a, b = _timed(before, fact), _timed(now, fact)
                if not turn:  # warms, and tells whether it is the same kind of recall at both ends
                    anchored += a[1] and b[1]
                    continue
                early.append(a[0])
                late.append(b[0])
    p50 = statistics.median(early), statistics.median(late)
    note = f"recall_growth: p50 {p50[0]:.2f} ms after a month, {p50[1]:.2f} ms at the end; anchored at both ends {anchored} of {len(pairs)}"
    return [
        Row("year", "ours", "recall_growth", round(p50[1] / p50[0], 3), len(late), note),
        Row("year", "ours", "recall_p50_ms", round(p50[1], 3), len(late)),
    ]


def _timed(memory: Any, fact: Fact) -> tuple[float, bool]:
    began = time.perf_counter()
    context = memory.recall(fact.question)
    return (time.perf_counter() - began) * 1e3, any(step.kind == "anchor" for step in context.trace.steps)


def _weights(ours: Weight, kept: Weight) -> list[Row]:
    note = (
        f"active_share: {ours.active / 1e6:.1f} MB of {kept.active / 1e6:.1f} MB; Forms {ours.active_forms:,} of "
        f"{ours.forms:,}, messages {ours.active_messages:,} of {ours.messages:,}"
    )
    return [
        Row("year", "ours", "active_share", round(ours.active / kept.active, 4), 1, note),
        Row("year", "ours", "file_share", round(ours.file / kept.file, 4), 1, "file_share: the history stays"),
        Row("year", "ours", "file_mb", round(ours.file / 1e6, 1), 1),
        Row("year", KEEP, "file_mb", round(kept.file / 1e6, 1), 1),
    ]


if __name__ == "__main__":
    keep_everything(Path(sys.argv[1]), *(int(number) for number in sys.argv[2:5]))
