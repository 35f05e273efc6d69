"""A simulated year under a fixed clock: is the memory fresher, smaller and as fast as one that keeps everything?

Messages come with what an ideal extractor reads in them (``benchmarks/year_talk.py``), so that the life cycle is
measured and not the reading. Two stores get the same messages, each in a process of its own: ours, and one that keeps
everything (the same types and rules without times to live, cold storage, fading, decay of edges, archive). The second
process then compares the rhythms of upkeep; what is timed runs after both.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from benchmarks.rows import Row
from benchmarks.year_answers import same_answers
from benchmarks.year_asking import GROUPS, Answer, ask, rows_of, search, stands
from benchmarks.year_decay import decay, linked, sample
from benchmarks.year_public import public
from benchmarks.year_store import ALL, END, Extracted, Filling, opened, without
from benchmarks.year_talk import START, Fact, User, year
from benchmarks.year_weight import Weight, weigh
from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

IDEAL = "messages come with what an ideal extractor reads in them"
MONTH = timedelta(days=28)
KEEP = "keep_everything"
_ASKED_OFTEN = 20  # users asked about all their facts after each month
_GROWTH = 200  # questions asked at both ends of the year, 5 times each
_MOST = 300  # questions of a kind at the end
_ANSWERS = 30  # users of the comparison of upkeep's rhythms


def run(arguments: argparse.Namespace) -> list[Row]:
    """Rows of all figures."""
    users = year(arguments.users, arguments.messages, arguments.seed)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) if arguments.keep is None else arguments.keep
        folder.mkdir(parents=True, exist_ok=True)
        beside = _beside(arguments, folder)
        try:
            rows = _ours(users, folder / "ours.db")
        except BaseException:
            beside.kill()
            raise
        told, _ = beside.communicate()
        if beside.returncode:
            raise SystemExit(f"the process with the other stores ended with {beside.returncode}")
        rows += _at_the_end(users, folder)
        rows += [Row(*row) for row in json.loads(told.splitlines()[-1])]
        if arguments.data is not None:
            rows += public(arguments.data)
    return rows


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
    note = (
        f"{IDEAL}; asked of some users after each month; {filling.refused} messages had a refusal, "
        f"{filling.held} left something waiting"
    )
    rows = rows_of("year: months", "ours", answers, note)
    count = sum(len(user.messages) for user in users)
    rows.append(Row("year", "ours", "messages_per_s", round(count / filling.seconds, 1), count))
    return rows


def _beside(arguments: argparse.Namespace, folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.year", str(folder)]
    command += [str(arguments.users), str(arguments.messages), str(arguments.seed)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def other_stores(folder: Path, users: int, messages: int, seed: int) -> list[Row]:
    """Fills the store that keeps everything; then compares the rhythms of upkeep on fewer users."""
    people, clock = year(users, messages, seed), FixedClock(START)
    how = without(folder / "kept", ALL)
    with opened(folder / f"{KEEP}.db", clock, how, extractor=Extracted(people)) as memory:
        Filling(memory, clock, people, label=KEEP).run()
    fewer = min(_ANSWERS, users)
    return same_answers(year(fewer, fewer * (messages // users), seed + 1), folder)


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
    facts = [
        f for user in users for f in user.facts if f.kind == "budget" and f.often and f.first <= START + MONTH
    ]
    facts = facts[:: max(1, len(facts) // _GROWTH)][:_GROWTH]
    early: list[float] = []
    late: list[float] = []
    how = without(folder, ())
    with (
        opened(folder / "month1.db", FixedClock(START + MONTH), how, read_only=True) as first,
        opened(folder / "ours.db", FixedClock(END), how, read_only=True) as last,
    ):
        pairs = [(f, first.scoped(user=f.user), last.scoped(user=f.user)) for f in facts]
        same = [p for p in pairs if _answered(p[1], p[0], START + MONTH) and _answered(p[2], p[0], END)]
        for _ in range(5):
            for fact, before, now in same:
                early.append(_timed(before, fact))
                late.append(_timed(now, fact))
    if not same:
        return [
            Row("year", "ours", "recall_growth", None, 0, "recall_growth: no question answered at both ends")
        ]
    p50 = statistics.median(early), statistics.median(late)
    note = (
        f"recall_growth: p50 {p50[0]:.2f} ms after a month, {p50[1]:.2f} ms at the end, by turns; the {len(same)} of "
        f"{len(pairs)} questions that are answered by an anchor at both ends"
    )
    return [
        Row("year", "ours", "recall_growth", round(p50[1] / p50[0], 3), len(late), note),
        Row("year", "ours", "recall_p50_ms", round(p50[1], 3), len(late)),
    ]


def _answered(memory: Memory, fact: Fact, at: datetime) -> bool:
    """Whether what is right stands in the context, by exact look-up and without the fallback."""
    gold, context = fact.gold(at), memory.recall(fact.question)
    exact = all(step.kind != "fallback" for step in context.trace.steps)
    return gold.value is not None and exact and stands(gold.value, context.text) >= 0


def _timed(memory: Memory, fact: Fact) -> float:
    began = time.perf_counter()
    memory.recall(fact.question)
    return (time.perf_counter() - began) * 1e3


def _weights(ours: Weight, kept: Weight) -> list[Row]:
    note = (
        f"active_share: {ours.active / 1e6:.1f} MB of {kept.active / 1e6:.1f} MB; Forms {ours.active_forms:,} of "
        f"{ours.forms:,}, messages {ours.active_messages:,} of {ours.messages:,}"
    )
    return [
        Row("year", "ours", "active_share", round(ours.active / kept.active, 4), 1, note),
        Row(
            "year", "ours", "file_share", round(ours.file / kept.file, 4), 1, "file_share: the history stays"
        ),
        Row("year", "ours", "file_mb", round(ours.file / 1e6, 1), 1),
        Row("year", KEEP, "file_mb", round(kept.file / 1e6, 1), 1),
    ]


if __name__ == "__main__":
    made = other_stores(Path(sys.argv[1]), *(int(number) for number in sys.argv[2:5]))
    print(json.dumps([[r.set, r.system, r.figure, r.value, r.n, r.note] for r in made], ensure_ascii=False))
