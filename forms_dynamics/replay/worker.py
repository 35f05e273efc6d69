"""A child process of a sweep: takes parts on stdin, gives runs on stdout, both pickled, until stdin ends."""

from __future__ import annotations

import os
import pickle
import sys
import threading
import time
import traceback

from forms_dynamics.errors import FormsDynamicsError
from forms_dynamics.replay.run import play_part


def main() -> None:
    """Serves the process that started this one."""
    threading.Thread(target=_follow, args=(os.getppid(),), daemon=True).start()
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr  # what else is printed must not stand among the runs

    def say(kind: str, what: object) -> None:
        pickle.dump((kind, what), out)
        out.flush()

    while True:
        try:
            part = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            say("runs", play_part(part, lambda done: say("told", done)))
        except Exception as wrong:
            ours = isinstance(wrong, FormsDynamicsError)
            say("failed", (type(wrong).__name__, str(wrong) if ours else traceback.format_exc()))


def _follow(parent: int) -> None:
    """Ends with the process that started this one, however that ended."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


if __name__ == "__main__":
    main()
