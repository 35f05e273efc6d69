"""Runs as hypothesis makes them; of ready parts, because there are many."""

from __future__ import annotations

from itertools import product
from typing import Any, get_args

from hypothesis import strategies as st

from forms_dynamics.replay.values import Asked, Counts, Fact, Run, Turn, Verdict

WORDS = ["预算", "50万", "budget", "", 'a "b"\n', "\u2028", "\ud800", "😀"]
OUTCOMES: list[Any] = ["accepted", "held", "refused"]
FACTS = [
    Fact("lead", slot, value, outcome, reason, verdict, "f1")
    for slot, value, outcome, reason, verdict in product(
        ["budget", "stars"], ["4", "50万"], OUTCOMES, ["", "low_confidence"], get_args(Verdict)
    )
]
MISSED = list(product(["lead", "hotel"], ["budget"], WORDS))
ASKED = [
    Asked("多少？", missing, stale, rank, 1, 20, 0.1 + 0.2, steps, ms)
    for missing, stale, rank, steps, ms in product(
        [(), ("50万", "")], [(), ("60万",)], [None, 1, 7], [(), (("anchor", "f1", "海蓝"),)], [0.5, 1 / 3]
    )
]
COUNTS = [
    Counts(),
    *(Counts(**{name: n}) for name in Counts._fields for n in (1, 5)),
    Counts(*range(len(Counts._fields))),
]

words = st.sampled_from(WORDS)
counts = st.sampled_from(COUNTS)


def some(of: Any, most: int = 3) -> Any:
    return st.lists(st.sampled_from(of), max_size=most).map(tuple)


def turn(number: int) -> Any:
    return st.builds(
        Turn, st.just(f"m{number}"), st.just("c"), st.just(number), st.just("user"), facts=some(FACTS),
        missed=some(MISSED), versions=some(WORDS), edges=st.integers(0, 3), questions=some(WORDS), asked=some(ASKED, 1),
        counts=counts,
    )  # fmt: skip


def run(length: int) -> Any:
    return st.builds(
        Run,
        settings=st.sampled_from([{}, {"conf_threshold": 0.1 + 0.2}, {"date_order": None, "redact": "off"}]),
        recording=st.just("r1"),
        truth=st.just("labels"),
        by_conversation=st.dictionaries(words, counts, max_size=2),
        turns=st.tuples(*(turn(number) for number in range(1, length + 1))),
        seconds=st.floats(0, 1e6),
    )


one = st.integers(0, 2).flatmap(run)
pairs = st.integers(1, 2).flatmap(lambda length: st.tuples(run(length), run(length)))
