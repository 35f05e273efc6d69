"""Long chains: what is read step by step is what each step gives by itself."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from forms_dynamics import Memory
from forms_dynamics.assertions import Assertion, dump, segments, winner
from forms_dynamics.model.record import VersionRecord
from forms_dynamics.projection import fold, folds
from forms_dynamics.schema.spec import SlotSpec
from forms_dynamics.testing import FixedClock

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)

said = st.fixed_dictionaries(
    {"v": st.sampled_from(["a", "b", "c"]), "c": st.just(0.9)},
    optional={
        "src": st.sampled_from(["user", "tool", "inferred"]),
        "op": st.sampled_from(["set", "clear", "retract"]),
        "neg": st.just(1),
        "x": st.just(1),
        "f": st.integers(0, 20),
        "u": st.integers(0, 30),
    },
)
steps = st.tuples(
    st.integers(0, 20), st.dictionaries(st.sampled_from(["p", "q"]), said), st.sets(st.integers(1, 9))
)


def version(n: int, at: int, slots: dict[str, Any], gone: set[int]) -> VersionRecord:
    taken = sorted(g for g in gone if g < n) if not slots else []
    payload = {"m": f"m{n}", "t": at, "s": slots, **({"w": taken} if taken else {})}
    return VersionRecord("f1", n, f"m{n}", at, n, "stated", dump(payload), b"", b"")


@given(st.lists(steps, max_size=9))
def test_each_state_is_the_fold_of_what_was_said_until_then(
    told: list[tuple[int, dict[str, Any], set[int]]],
) -> None:
    chain = [version(n, *step) for n, step in enumerate(told, 1)]
    seen = []
    for one, state in folds(chain):
        alone = fold([v for v in chain if (v.time, v.n) <= (one.time, one.n)])
        for slots in (state["av"], alone["av"]):  # a set, in the order of the chain or of events
            slots.update({slot: sorted(values) for slot, values in slots.items()})
        # until when something was dated ahead matters to who writes next, not here
        assert {**state, "ah": None} == {**alone, "ah": None}
        seen.append(one.n)
    assert sorted(seen) == [v.n for v in chain]


def plainly(spec: SlotSpec | None, timeline: list[Assertion], at: int) -> Assertion | None:
    """The winner by all segments."""
    for held, start, end in reversed(segments(spec, timeline)):
        if start <= at:
            if held["v"] is None or (end is not None and end <= at):
                return None
            return {**held, "f": start, "u": end} if end is not None else held
    return None


@given(
    st.lists(said, min_size=2, max_size=8),
    st.lists(st.integers(0, 20), min_size=8, max_size=8),
    st.integers(0, 30),
    st.sampled_from([None, "newest", ("tool", "user")]),
)
def test_the_winner_is_that_of_the_whole_timeline(
    given_: list[Assertion], times: list[int], at: int, authority: Any
) -> None:
    spec = SlotSpec("p", "text", authority=authority)
    timeline = [{**a, "t": t, "n": n} for n, (a, t) in enumerate(zip(given_, times, strict=False))]
    timeline.sort(key=lambda a: (a.get("f", a["t"]), a["n"]))
    assert winner(spec, timeline, at) == plainly(spec, timeline, at)


def test_two_thousand_versions_are_read_in_a_moment() -> None:
    """History grows with the versions, not with their square or cube (it took minutes)."""
    clock = FixedClock(NOON)
    with Memory.open(
        ":memory:", clock=clock, embedder=None, form_types=["lead_profile"], relation_rules=[]
    ) as memory:
        rows = [
            {
                "text": f"公司名：海蓝电子，预算：{i}万",
                "time": NOON - timedelta(hours=2000 - i),
                "id": f"m{i}",
            }
            for i in range(1, 2001)
        ]
        memory.observe_many(rows)
        [form] = memory.find("lead_profile")
        assert form.version == 2000
        began = time.perf_counter()
        assert [v.number for v in memory.history(form.id)] == list(range(1, 2001))
        assert memory.get(form.id, as_of=NOON - timedelta(hours=1000))["budget"].amount == 10_000_000
        assert memory.diff(form.id, 10, 1990)
        assert memory.why(form.id, "budget")
        assert time.perf_counter() - began < 20
