"""Upkeep as a run: twice, dry, cut off, beside a failing embedder, in several processes, killed; on both databases."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tied import beside

from forms_dynamics import Memory
from forms_dynamics.adapters.embedders import HashedNgrams
from forms_dynamics.model.report import Finding, Upkeep
from forms_dynamics.testing import FixedClock

NOON = "2026-06-12T12:00:00+08:00"
LATER = "2026-06-15T12:00:00+08:00"
# a process of its own; its embedder is the quick one that needs no extra
SCRIPT = """
import json, sys
from forms_dynamics import Memory
from forms_dynamics.adapters.embedders import HashedNgrams
from forms_dynamics.cli.plain import plain
from forms_dynamics.testing import FixedClock
with Memory.open(sys.argv[1], clock=FixedClock(sys.argv[2]), embedder=HashedNgrams()) as memory:
    print(json.dumps(plain(memory.upkeep())))
"""


def command(url: str) -> list[str]:
    return [sys.executable, "-c", SCRIPT, url, LATER]


OWNERS, QUOTES = 6, 8

Urls = Callable[[], str]


@pytest.fixture(params=["sqlite", "postgres"])
def urls(request: pytest.FixtureRequest, tmp_path: Path) -> Urls:
    if request.param == "postgres":
        fresh: Urls = request.getfixturevalue("postgres_schema")
        return fresh
    names = iter(range(100))
    return lambda: str(tmp_path / f"{next(names)}.db")


def fill(memory: Memory) -> None:
    """For each of a few people: quotes without a customer, one with two, and a question that waits."""
    for number in range(OWNERS):
        mine = memory.scoped(user=f"u{number}")
        for i in range(QUOTES):
            mine.record("quote_form", {"quote_no": f"Q-{i}"})
        torn = mine.record("quote_form", {"quote_no": "Q-torn"}).forms[0]
        for name in ("海蓝电子", "明光科技"):
            beside(mine, torn, "refers_to", mine.record("lead_profile", {"company": name}).forms[0])
        mine.observe("我们公司是青杉科技，预算大概50万", id="m1")


@pytest.fixture(scope="module")
def rows() -> Sequence[dict[str, Any]]:
    with Memory.open(":memory:", clock=FixedClock(NOON)) as memory:
        fill(memory)
        return [dict(row) for row in memory.export()]


def told(url: str) -> list[str]:
    """All that is canonical, in a stable order."""
    with Memory.open(url, clock=FixedClock(LATER)) as memory:
        return [json.dumps(row, ensure_ascii=False, sort_keys=True) for row in memory.export()]


def opened(url: str, rows: Sequence[dict[str, Any]] | None = None, **options: Any) -> Memory:
    options.setdefault("embedder", HashedNgrams())
    memory = Memory.open(url, clock=FixedClock(NOON if rows else LATER), **options)
    if rows:
        memory.load(rows)
        memory.close()
        memory = Memory.open(url, clock=FixedClock(LATER), **options)
    return memory


class Deaf:
    """An embedder that is out of reach."""

    fingerprint = "deaf"
    dimensions = 2
    max_tokens = 100

    def __init__(self) -> None:
        self.asked = 0

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        self.asked += 1
        raise ConnectionError("no route to embedder")


FOUND = OWNERS * (QUOTES + 1)


def test_a_dry_run_tells_and_writes_nothing_and_the_second_run_has_nothing_to_do(
    urls: Urls, rows: Sequence[dict[str, Any]]
) -> None:
    url = urls()
    with opened(url, rows) as memory:
        before = told(url)
        rehearsed = memory.upkeep(dry_run=True)
        assert told(url) == before
        assert memory.health().pending == OWNERS
        done = memory.upkeep()
        assert (done.found, len(done.findings)) == (FOUND, FOUND)
        assert sorted(f.pending or "" for f in rehearsed.findings) == sorted(
            f.pending or "" for f in done.findings
        )
        assert (rehearsed.found, rehearsed.vectors) == (done.found, done.vectors)
        assert {f.user for f in done.findings} == {f"u{n}" for n in range(OWNERS)}
        assert done.vectors > 0
        after = told(url)
        assert memory.upkeep() == Upkeep()
        assert told(url) == after
        assert memory.verify().ok


def test_answers_are_the_same_whether_it_ran_or_not(urls: Urls, rows: Sequence[dict[str, Any]]) -> None:
    never, once, daily = urls(), urls(), urls()
    answers: list[list[str]] = []
    for url, times in ((never, 0), (once, 1), (daily, 5)):
        clock = FixedClock(NOON)
        with Memory.open(url, clock=clock, embedder=HashedNgrams()) as memory:
            memory.load(rows)
            for _ in range(5):
                clock.advance(days=1)
                if times == 5:
                    memory.upkeep()
            if times == 1:
                memory.upkeep()
            mine = memory.scoped(user="u3")
            asked = ("Q-torn的客户是谁？", "Q-2 金额多少", "青杉科技的预算", "海蓝电子")
            answers.append([mine.recall(question).text for question in asked])
    assert answers[0] == answers[1] == answers[2]
    assert "Q-torn" in answers[0][0]
    assert "50万" in answers[0][2]
    pendings = [[line for line in told(url) if '"kind": "pending"' in line] for url in (once, daily)]
    ids = [sorted(json.loads(line)["id"] for line in lines) for lines in pendings]
    assert ids[0] == ids[1]


def test_runs_that_are_cut_off_come_to_the_end_and_leave_nobody_out(rows: Sequence[dict[str, Any]]) -> None:
    with Memory.open(":memory:", clock=FixedClock(LATER), embedder=HashedNgrams()) as memory:
        memory.load(rows)
        whole = memory.upkeep(dry_run=True)
        found: list[Finding] = []
        for _ in range(OWNERS + 1):
            done = memory.upkeep(seconds=1e-9)
            assert done.left
            assert len({f.user for f in done.findings}) <= 1
            found += done.findings
        assert sorted(f.pending or "" for f in found) == sorted(f.pending or "" for f in whole.findings)
        assert memory.upkeep() == Upkeep()


def test_a_run_begins_where_the_last_was_cut_off(rows: Sequence[dict[str, Any]]) -> None:
    with Memory.open(":memory:", clock=FixedClock(LATER), embedder=HashedNgrams()) as memory:
        memory.load(rows)
        users = []
        for _ in range(OWNERS + 1):
            done = memory.upkeep(seconds=1e-9)
            users += sorted({f.user for f in done.findings if f.user})
        assert users == [f"u{n}" for n in range(OWNERS)]


def test_an_embedder_that_is_away_ends_nothing_but_its_own_step(rows: Sequence[dict[str, Any]]) -> None:
    embedder = Deaf()
    with Memory.open(":memory:", clock=FixedClock(LATER), embedder=embedder) as memory:
        memory.load(rows)
        done = memory.upkeep()
        assert done.found == FOUND
        assert done.vectors == 0
        assert [(f.step, f.reason) for f in done.failed] == [
            ("vectors", "ConnectionError: no route to embedder")
        ]
        assert embedder.asked == 1  # not once for every user


def test_several_processes_do_what_one_does(urls: Urls, rows: Sequence[dict[str, Any]]) -> None:
    alone, together = urls(), urls()
    for url in (alone, together):
        opened(url, rows).close()
    one = json.loads(subprocess.run(command(alone), check=True, capture_output=True).stdout)
    running = [subprocess.Popen(command(together), stdout=subprocess.PIPE) for _ in range(3)]
    each = [json.loads(process.communicate(timeout=300)[0]) for process in running]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert one["found"] == FOUND
    assert sum(done["found"] for done in each) == FOUND
    assert [done["failed"] for done in each] == [[], [], []]
    ids = [finding["pending"] for done in each for finding in done["findings"]]
    assert sorted(ids) == sorted(finding["pending"] for finding in one["findings"])
    assert told(together) == told(alone)
    with opened(together) as memory:
        assert memory.verify().ok
        assert memory.upkeep() == Upkeep()


def test_it_runs_beside_traffic(urls: Urls, rows: Sequence[dict[str, Any]]) -> None:
    url = urls()
    with (
        opened(url, rows) as memory,
        subprocess.Popen(command(url), stdout=subprocess.PIPE) as process,
    ):
        said = 0
        while process.poll() is None or said < 20:
            mine = memory.scoped(user=f"u{said % OWNERS}")
            mine.observe(f"我们公司是墨石{said}号科技有限公司，预算{said + 10}万", id=f"t{said}")
            said += 1
            assert said < 2_000
        assert process.returncode == 0
        assert memory.verify().ok
        kept = [row for row in memory.export() if row["kind"] == "message" and row["id"].startswith("t")]
        assert len(kept) == said


def test_a_killed_run_is_finished_by_the_next(tmp_path: Path, rows: Sequence[dict[str, Any]]) -> None:
    alone, killed = str(tmp_path / "alone.db"), str(tmp_path / "killed.db")
    for url in (alone, killed):
        opened(url, rows).close()
    subprocess.run(command(alone), check=True, capture_output=True)
    with opened(killed) as memory:
        with subprocess.Popen(command(killed), stdout=subprocess.DEVNULL) as process:
            until = time.monotonic() + 60
            while memory.health().pending <= OWNERS and time.monotonic() < until:
                time.sleep(0.002)
            os.kill(process.pid, signal.SIGKILL)
        assert memory.health().pending > OWNERS
        assert memory.verify().ok
    subprocess.run(command(killed), check=True, capture_output=True)
    assert told(killed) == told(alone)


def test_compaction_changes_no_row(urls: Urls, rows: Sequence[dict[str, Any]]) -> None:
    url = urls()
    with opened(url, rows) as memory:
        asked = memory.scoped(user="u1").recall("青杉科技的预算").text  # the access of it is noted
        before, checked = told(url), memory.verify()
        assert memory._store.compact(30.0)
        assert memory._store.compact(30.0)
        assert told(url) == before
        assert memory.verify() == checked
        assert memory.scoped(user="u1").recall("青杉科技的预算").text == asked


def test_no_writer_waits_long(tmp_path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """The longest that a write beside it took, with room for a busy machine."""
    writer_waits: list[float] = []
    url = str(tmp_path / "m.db")
    with opened(url, rows) as memory:
        end = threading.Event()

        def write() -> None:
            mine = memory.scoped(user="writer")
            while not end.is_set():
                began = time.monotonic()
                with mine._store.writing(mine._scope):
                    pass
                writer_waits.append(time.monotonic() - began)
                time.sleep(0.001)

        thread = threading.Thread(target=write)
        thread.start()
        try:
            memory.upkeep()
        finally:
            end.set()
            thread.join()
    assert max(writer_waits) < 2.0
