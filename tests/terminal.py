"""A command on a real terminal, with somebody who types."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def on_terminal(folder: Path, words: list[str], answers: list[str]) -> tuple[int, str]:
    """Runs a command on a real terminal and types the answers; its exit code and all that it showed."""
    import pty

    pid, terminal = pty.fork()
    if pid == 0:  # the child of the terminal
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # tests that run in the background ignore it
        os.chdir(folder)
        os.environ |= {"PYTHONPATH": str(ROOT), "TERM": "dumb", "PYTHONUTF8": "1"}
        os.execv(sys.executable, [sys.executable, "-m", "forms_dynamics.cli", *words])
    shown = b""
    waiting = list(answers)
    answered = 0  # how much had been shown when the last answer was typed
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], 0.2)
        if ready:
            try:
                piece = os.read(terminal, 65536)
            except OSError:  # Linux: the other side has gone
                break
            if not piece:
                break
            shown += piece
            continue
        if waiting and len(shown) > answered and shown.rstrip(b" ").endswith(b":"):
            answered = len(shown)
            answer = waiting.pop(0)
            # nobody presses Enter after Ctrl-C: it would answer the question that the interruption leaves
            os.write(terminal, answer.encode() if answer < " " and answer else answer.encode() + b"\n")
    else:
        os.kill(pid, signal.SIGKILL)  # it waits for an answer that nobody will give
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), shown.decode("utf-8", "replace")
