"""One pass of upkeep over a store of the made-up year, in a process of its own: ``FILE TIME``; prints JSON."""

from __future__ import annotations

import json
import resource
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.year_store import opened, without
from forms_dynamics.testing import FixedClock


def upkeep(file: Path, at: str) -> dict[str, Any]:
    """What it did, the seconds that it took and the process's peak memory before and after, in MB."""
    with opened(file, FixedClock(at), without(file.parent, ())) as memory:
        before = _peak()
        began = time.perf_counter()
        done = memory.upkeep()
        seconds = time.perf_counter() - began
    did = {name: n for name, n in asdict(done).items() if type(n) is int and n}
    return {"did": did, "seconds": round(seconds, 2), "rss_before": before, "rss_mb": _peak()}


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    print(json.dumps(upkeep(Path(sys.argv[1]), sys.argv[2])))
