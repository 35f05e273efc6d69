"""What a long message costs beside a short one: processor time a thousand characters, read by recognisers alone.

Texts of one kind each (prose, a list, a log, data, signs), grown to 1,000, 10,000 and 100,000 characters. A growth
above 1 is time that grows faster than the text.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.rows import Row

_ENGLISH = (
    "The budget of {} is {} EUR. ",
    "We met {} on Friday and talked about {} things. ",
    "{}'s deadline is May {}. ",
    "My mom is allergic to peanuts. ",
    "I think that the weather is nice today. ",
    'He said "no, not at all" and left. ',
)
_CHINESE = (
    "{}的预算是{}万。",
    "我们下周跟{}开会，谈{}件事，",
    "{}的截止日期是5月{}日；",
    "我妈妈对花生过敏，",
    "今天天气不错。",
    "他说“不行”，就走了。",
)
_NAMES = ("Acme", "Northlake Foods", "海川贸易", "青禾科技", "Rex")
SIZES = (1_000, 10_000, 100_000)
ROUNDS = 3


def _drawn(frames: Sequence[str], end: str = "") -> Callable[[int], str]:
    def text(size: int) -> str:
        draw = random.Random(size)
        out = ""
        while len(out) < size:
            out += draw.choice(frames).format(draw.choice(_NAMES), draw.randint(1, 28)) + end
        return out[:size]

    return text


def _again(piece: str) -> Callable[[int], str]:
    return lambda size: (piece * (size // len(piece) + 1))[:size]


def _letters(size: int) -> str:
    return "".join(random.Random(size).choices("ABCDEFGHIJabcdefghij0123456789+/", k=size))


KINDS: dict[str, Callable[[int], str]] = {
    "prose en": _drawn(_ENGLISH),
    "prose zh": _drawn(_CHINESE),
    "mixed lines": _drawn((*_ENGLISH, *_CHINESE), "\n"),
    "one sentence zh": _again("公司海川贸易预算5万，"),
    "one sentence en": _again("budget 5 EUR, deadline May 3, "),
    "without values": _again("I like to walk in the park with friends and "),
    "log": _again("2026-05-01 10:00:03 ERROR [main] com.acme.Foo - failed id=3 user=jo@x.com\n"),
    "json": _again('{"company": "Acme", "budget": 5, "tags": ["a", "b"]},'),
    "base64": _letters,
    "signs": _again("(((("),
    "spaces": _again(" " * 40 + "."),
}


def measure(folder: Path) -> list[Row]:
    """For each kind the time of 1,000 characters, and how many times the time of each next tenfold is its tenfold."""
    from benchmarks.customers import FORM_TYPES
    from forms_dynamics import Memory

    types = folder / "types.yaml"
    types.write_text(FORM_TYPES, encoding="utf-8")
    rows: list[Row] = []
    for kind, text in KINDS.items():
        spent: dict[int, float] = {}
        for size in SIZES:
            taken = []
            for turn in range(ROUNDS):
                with Memory.open(":memory:", form_types=[types], embedder=None) as memory:
                    memory.observe("hello")
                    words = text(size - turn)  # another text each time, which no cache knows
                    began = time.process_time()
                    memory.observe(words)
                    taken.append(time.process_time() - began)
            spent[size] = statistics.median(taken)
        rows.append(Row("messages", kind, "ms_per_1k", round(spent[1_000] * 1e3, 2), ROUNDS))
        for small, large in ((1_000, 10_000), (10_000, 100_000)):
            growth = round(spent[large] / spent[small] / 10, 2)
            rows.append(
                Row("messages", kind, f"growth_{large // 1000}k", growth, ROUNDS, f"{spent[large]:.2f} s")
            )
    return rows
