"""Several processes work on one queue, and some are killed while a model thinks: every message is taken exactly once,
and no reply that came is paid for again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from asking import TOKENS, Asking, HttpModel, answered, environment

from forms_dynamics import Memory
from forms_dynamics.model.report import Spent
from forms_dynamics.testing import FixedClock
from forms_dynamics.testing.model_server import ModelServer, Reply

NOON = "2026-11-30T12:00:00+08:00"
LATER = "2026-11-30T12:02:00+08:00"  # when every lease has run out
WORK = """
import sys
from asking import Asking, HttpModel
from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock
url, server, time, concurrency = sys.argv[1:]
options = {"form_types": ["lead_profile"], "clock": FixedClock(time), "settings": {"model_concurrency": int(concurrency)}}
with Memory.open(url, extractor=Asking(HttpModel(server), int(concurrency)), **options) as memory:
    print("open", flush=True)
    sys.stdin.readline()
    print(memory.work(), flush=True)
"""
OBSERVE = WORK.replace("print(memory.work(), flush=True)", 'memory.observe("青杉科技公司预算50万", id="m1")')


def worker(
    code: str, url: str, server: ModelServer, time: str = NOON, concurrency: int = 2
) -> subprocess.Popen[str]:
    """A process that has opened the memory and waits to be told to begin."""
    started = subprocess.Popen(
        [sys.executable, "-c", code, url, server.base_url, time, str(concurrency)],
        env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert started.stdout is not None
    assert started.stdout.readline() == "open\n"
    return started


def begin(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def kill(process: subprocess.Popen[str]) -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "m.db")
    schema: Callable[[], str] = request.getfixturevalue("postgres_schema")
    return schema()


def opened(url: str, server: ModelServer, time: str = NOON) -> Memory:
    extractor = Asking(HttpModel(server.base_url))
    return Memory.open(url, form_types=["lead_profile"], clock=FixedClock(time), extractor=extractor)


def asked(server: ModelServer) -> Counter[str]:
    return Counter(str(request["messages"][-1]["content"]) for request in server.requests)


def test_processes_share_a_queue(url: str) -> None:
    count = 40
    with ModelServer(answered, latency=0.02) as server, opened(url, server) as memory:
        for i in range(count):
            memory.observe(f"青杉{i}号公司预算{i + 1}万", id=f"m{i}", conversation=f"c{i % 7}", wait=False)
        workers = [worker(WORK, url, server) for _ in range(3)]
        for each in workers:
            begin(each)
        taken = [int(each.communicate(timeout=60)[0]) for each in workers]
        assert sum(taken) == count
        assert max(taken) < count  # they did share
        assert set(asked(server).values()) == {1}
        assert (memory.health().queued, memory.health().forms, memory.health().versions) == (0, count, count)
        assert memory.health().spent_today == Spent(count, count * TOKENS[0], count * TOKENS[1])
        assert memory.verify().ok


def test_workers_killed_while_the_model_thinks_lose_nothing(url: str) -> None:
    """Of each worker's first four calls three are answered and one is not; then it is killed."""
    count = 10

    def script(request: dict[str, object]) -> Reply:
        reply: Reply = answered(request)
        return Reply(reply.content, usage=TOKENS, latency=60.0) if "慢" in str(request) else reply

    with ModelServer(script) as server, opened(url, server) as memory:
        for i in range(count):
            slow = "慢" if i in (1, 5) else ""
            memory.observe(f"{slow}青杉{i}号公司预算{i + 1}万", id=f"m{i}", conversation=f"c{i}", wait=False)
        for stuck, paid in (
            ("慢青杉1号", 3),
            ("慢青杉5号", 6),
        ):  # each claims four, of which it pays for three
            killed = worker(WORK, url, server)
            begin(killed)
            until(lambda stuck=stuck: any(text.startswith(stuck) for text in asked(server)))  # type: ignore[misc]
            until(lambda paid=paid: memory.health().spent_today.calls == paid)  # type: ignore[misc]
            kill(killed)
        server._ask = answered
        assert memory.work() == 2  # which nobody had claimed: the leases of the others hold
        assert memory.work() == 0
        calls = server.calls
        with opened(url, server, LATER) as after:
            left = after.health().queued
            assert 6 <= left <= 8  # the first of each four may have been stored
            workers = [worker(WORK, url, server, LATER) for _ in range(2)]
            for each in workers:
                begin(each)
            assert sum(int(each.communicate(timeout=60)[0]) for each in workers) == left
            assert (after.health().queued, after.health().forms, after.health().versions) == (0, count, count)
            assert server.calls - calls == 2  # the kept replies are used
            again = {text for text, times in asked(server).items() if times > 1}
            assert {text[0] for text in again} == {"慢"}
            assert after.health().spent_today.calls == count
            assert after.verify().ok


def test_an_observe_killed_right_after_the_reply_pays_nothing_twice(url: str) -> None:
    """The store is locked for the commit: the process dies between the reply and the message."""
    with ModelServer(answered) as server, opened(url, server) as memory:
        memory.observe("先来一句", id="m0")
        calls = server.calls
        # killed as soon as the reply is in the store
        killed = worker(OBSERVE.replace("memory.observe", STOP + "memory.observe"), url, server)
        begin(killed)
        assert killed.stdout is not None
        assert killed.stdout.readline() == "kept\n"
        kill(killed)
        assert server.calls == calls + 1
        assert memory.health().messages == 1
        receipt = memory.observe("青杉科技公司预算50万", id="m1")
        assert (receipt.state, receipt.cost.model_calls) == ("stored", 0)
        assert server.calls == calls + 1
        assert memory.health().spent_today.calls == calls + 1


# the commit of the message does not come: the process is stopped at its door
STOP = """
    import time
    def stopped(*anything):
        print("kept", flush=True)
        time.sleep(60)
    memory._intake._commit = stopped
    """
