"""A recording by a model over HTTP: killed in the middle, it pays for no message twice."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from forms_dynamics.replay.recording import Recording
from forms_dynamics.testing.model_server import ModelProcess

PROGRAM = """
import sys
from forms_dynamics.replay.recording import record

log = [
    {"id": str(n), "text": f"关于第{n}次的事，老板点头给到{n}十万整，别的没有说", "conversation": f"c{n}"} for n in range(2, 62)
]
made = record(
    log, sys.argv[1], form_types=["lead_profile"],
    settings={"model": "m", "base_url": sys.argv[2], "api_key": "k", "model_retries": 0, "model_concurrency": 4},
)
print(made.messages, made.failed, made.cost.model_calls)
"""


def test_killed_twice_it_pays_for_each_message_once(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    with ModelProcess(latency=0.05) as server:
        command = [sys.executable, "-c", PROGRAM, str(file), server.base_url]
        for after in (8, 30):
            child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            deadline = time.monotonic() + 120
            while server.seen()["calls"] < after and child.poll() is None:
                assert time.monotonic() < deadline, "the recording does not move"
                time.sleep(0.02)
            child.send_signal(signal.SIGKILL)
            child.wait()
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        calls = server.seen()["calls"]
    messages, failed, _ = map(int, done.stdout.split())
    assert (messages, failed) == (60, 0)
    # a call that was under way when the process was killed is lost: at most those that ran at once
    assert 60 <= calls <= 60 + 2 * 4
    assert Recording.open(file).messages == 60
    assert sorted(p.name for p in tmp_path.iterdir()) == ["r.jsonl"]


AWAY = """
import sys
from forms_dynamics import ExtractorUnavailable
from forms_dynamics.replay.recording import record

log = [{"id": str(n), "text": f"关于第{n}次的事，老板点头给到{n}十万整", "conversation": f"c{n}"} for n in range(40)]
try:
    record(
        log, sys.argv[1], form_types=["lead_profile"],
        settings={"model": "m", "base_url": sys.argv[2], "api_key": "k", "model_retries": 0},
    )
except ExtractorUnavailable as away:
    print(away)
"""


def test_a_model_that_is_away_ends_it_in_words_whatever_its_threads_do(tmp_path: Path) -> None:
    for n in range(4):
        command = [sys.executable, "-c", AWAY, str(tmp_path / f"{n}.jsonl"), "http://127.0.0.1:9/v1"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        assert "5 messages in a row could not be read" in done.stdout
        assert "0 of 40 messages are recorded" in done.stdout
