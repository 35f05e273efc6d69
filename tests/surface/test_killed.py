"""kill -9 in the middle of a batch: what was committed is whole, what was not comes with the next try."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

COMMAND = [sys.executable, "-m", "forms_dynamics.cli"]
COUNT = 1500


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False, encoding="utf-8")


def messages_in(db: Path) -> int:
    if not db.exists():
        return 0
    try:
        with sqlite3.connect(db) as connection:
            return int(connection.execute("SELECT count(*) FROM messages").fetchone()[0])
    except sqlite3.OperationalError:  # the tables are being made
        return 0


def test_a_killed_observe_loses_and_tears_nothing(tmp_path: Path) -> None:
    log, db = tmp_path / "log.jsonl", tmp_path / "memory.db"
    lines = [
        {
            "conversation": f"c{i}",
            "id": f"m{i}",
            "text": f"我们是青杉{i}号科技有限公司，预算{i + 10}万，分三期付款。",
            "time": "2026-06-12T10:00:00+08:00",
        }
        for i in range(COUNT)
    ]
    log.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    observe = ["observe", str(log), "--db", str(db), "--json"]
    with subprocess.Popen(
        [*COMMAND, *observe], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as killed:
        until = time.monotonic() + 120
        while messages_in(db) < 200 and time.monotonic() < until:
            time.sleep(0.01)
        os.kill(killed.pid, signal.SIGKILL)
    stored = messages_in(db)
    assert 200 <= stored < COUNT
    assert run("verify", "--db", str(db)).returncode == 0
    again = [json.loads(line) for line in run(*observe).stdout.splitlines()]
    assert len(again) == COUNT
    assert sum(receipt["duplicate"] for receipt in again) == stored
    assert run("verify", "--db", str(db)).returncode == 0
    exported = [json.loads(line) for line in run("export", "--db", str(db), "--json").stdout.splitlines()]
    kinds = [line["kind"] for line in exported]
    assert kinds.count("message") == COUNT
    assert kinds.count("form") == kinds.count("version") == COUNT


def test_a_killed_import_leaves_nothing_and_comes_whole_with_the_next_try(tmp_path: Path) -> None:
    from forms_dynamics import Memory

    wrote, db = tmp_path / "all.jsonl", tmp_path / "new.db"
    with Memory.open(tmp_path / "old.db", form_types=["lead_profile"]) as memory:
        memory.observe_many(
            {
                "id": f"m{i}",
                "conversation": f"c{i}",
                "text": f"我们公司是青杉{i}号科技有限公司，预算{i + 10}万",
            }
            for i in range(COUNT)
        )
        rows = list(memory.export())
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    wrote.write_text("\n".join(lines) + "\n", encoding="utf-8")
    load = [*COMMAND, "import", "-", "--db", str(db), "--json"]
    with subprocess.Popen(load, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as killed:
        assert killed.stdin is not None
        killed.stdin.write("\n".join(lines[: len(lines) * 2 // 3]).encode())  # and it waits for the rest
        killed.stdin.flush()
        log, until = Path(f"{db}-wal"), time.monotonic() + 120
        while (not log.exists() or log.stat().st_size < 100_000) and time.monotonic() < until:
            time.sleep(0.02)
        assert killed.poll() is None
        os.kill(killed.pid, signal.SIGKILL)
    assert messages_in(db) == 0
    done = run("import", str(wrote), "--db", str(db), "--json")
    assert json.loads(done.stdout)["messages"] == COUNT
    assert run("verify", "--db", str(db)).returncode == 0
    assert run("export", "--db", str(db), "--json").stdout.splitlines() == lines
