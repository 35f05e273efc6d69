"""Messages that are dated ahead of the clock: they count as said just now, and what is said after them by a clock that is
right holds."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from forms_dynamics import Conflict, Memory, Money
from forms_dynamics.testing import FixedClock

START = datetime(2025, 1, 1, 9, tzinfo=UTC)
AHEAD = datetime(2030, 1, 1, tzinfo=UTC)


def cny(amount: int) -> Money:
    return Money(Decimal(amount), "CNY")


def opened(clock: FixedClock) -> Memory:
    return Memory.open(":memory:", clock=clock)


def told(memory: Memory, amount: int, time: datetime) -> str:
    return memory.observe(f"海蓝电子的预算是{amount}万。", conversation="c", time=time).forms[0]


def agreed(memory: Memory, lead: str, amount: int) -> None:
    """All reads of now say the same, and so do what is rebuilt and what is loaded."""
    want = cny(amount * 10_000)
    assert memory.get(lead)["budget"] == want
    assert memory.find("lead_profile", company="海蓝电子")[0]["budget"] == want
    text = memory.recall("海蓝电子的预算是多少？").text
    assert f"{amount}万" in text
    assert text.count("万（") == 1
    assert memory.history(lead, slot="budget")[-1].value == want
    assert [v.slots["budget"].value for v in memory.history(lead) if v.current] == [want]
    assert memory.verify().ok, memory.verify().problems
    rows = list(memory.export())
    other = Memory.open(":memory:", clock=FixedClock(START + timedelta(days=3000)))
    other.load(rows)
    assert other.get(lead)["budget"] == want
    assert list(other.export()) == rows
    memory.rebuild()
    assert memory.get(lead)["budget"] == want


@pytest.mark.parametrize("by", [timedelta(minutes=10), timedelta(days=2), timedelta(days=1800)])
def test_what_is_said_after_a_message_from_the_future_holds(by: timedelta) -> None:
    clock = FixedClock(START)
    memory = opened(clock)
    lead = told(memory, 50, START + by)
    agreed(memory, lead, 50)
    clock.advance(seconds=60)
    between = clock.now()
    clock.advance(seconds=60)
    told(memory, 80, clock.now())
    agreed(memory, lead, 80)
    later = clock.now()
    clock.advance(seconds=60)
    assert memory.get(lead, as_of=clock.now())["budget"] == cny(800_000)
    assert memory.get(lead, as_of=between)["budget"] == cny(500_000)
    assert memory.get(lead, known_at=between)["budget"] == cny(500_000)
    (change,) = memory.diff(lead, 1, 2)
    assert (change.before and change.before.value, change.after and change.after.value) == (
        cny(500_000), cny(800_000),
    )  # fmt: skip
    first, second = memory.history(lead, slot="budget")
    assert (first.valid_from, first.valid_until, second.valid_from) == (START, later, later)
    act = memory.correct(lead, "budget", "90万").act
    agreed(memory, lead, 90)
    clock.advance(seconds=60)
    told(memory, 70, clock.now())
    agreed(memory, lead, 70)
    assert act is not None
    memory.undo(act)
    agreed(memory, lead, 70)
    # what was said last by a clock that was right is what a late message is late to
    told(memory, 10, START - timedelta(days=1))
    agreed(memory, lead, 70)


def test_a_correction_that_is_undone_leaves_the_message_from_the_future_as_it_was() -> None:
    clock = FixedClock(START)
    memory = opened(clock)
    lead = told(memory, 50, AHEAD)
    clock.advance(days=30)
    before = memory.get(lead)
    receipt = memory.correct(lead, "budget", "90万")
    agreed(memory, lead, 90)
    assert receipt.act is not None
    memory.undo(receipt.act)
    agreed(memory, lead, 50)
    after = memory.get(lead)
    assert (after.slots, after.updated_at) == (before.slots, before.updated_at)


def test_it_fades_and_goes_cold_from_its_arrival_on_once_it_is_known_for_what_it_is() -> None:
    clock = FixedClock(START)
    memory = opened(clock)
    taste = memory.observe("I love oat milk.", time=AHEAD).forms[0]
    clock.advance(days=1)
    memory.correct(taste, "liked", ["rice milk"])
    clock.advance(days=20)
    assert memory.get(taste).slots["liked"].confidence < 0.5
    assert memory.get(taste).slots["liked"].confirmed_at == START + timedelta(days=1)
    clock.advance(days=100)
    assert memory.get(taste).cold


def test_a_retelling_changes_nothing_and_a_list_is_added_to() -> None:
    clock = FixedClock(START)
    memory = opened(clock)
    lead = told(memory, 50, AHEAD)
    clock.advance(days=3)
    assert told(memory, 50, clock.now()) == lead
    agreed(memory, lead, 50)
    one = memory.observe("客户青禾科技的预算是30万。", conversation="d", time=clock.now()).forms[0]
    clock.advance(days=1)
    memory.merge(one, lead)
    clock.advance(days=1)
    memory.correct(one, "budget", "60万")
    assert memory.get(one)["budget"] == cny(600_000)
    assert memory.verify().ok


def test_a_log_replayed_by_a_clock_behind_it_keeps_its_order() -> None:
    clock = FixedClock(datetime(2024, 1, 1, tzinfo=UTC))
    memory = opened(clock)
    days = [START + timedelta(days=30 * k) for k in range(4)]
    (lead, *_) = [told(memory, 10 * (k + 1), day) for k, day in enumerate(days)]
    told(memory, 15, days[0] + timedelta(days=1))  # late
    agreed(memory, lead, 40)
    for k, day in enumerate(days):
        assert memory.get(lead, as_of=day + timedelta(days=2))["budget"] == cny(
            150_000 if k == 0 else (k + 1) * 100_000
        )


def test_a_correction_by_a_clock_that_was_set_back_holds() -> None:
    clock = FixedClock(START)
    memory = opened(clock)
    lead = told(memory, 50, START - timedelta(days=1))
    memory.correct(lead, "budget", "60万")
    clock.set(START - timedelta(days=400))
    receipt = memory.correct(lead, "budget", "70万")
    assert receipt.state == "stored"
    assert memory.get(lead)["budget"] == cny(700_000)
    assert receipt.act is not None
    memory.undo(receipt.act)
    assert memory.get(lead)["budget"] == cny(600_000)
    assert memory.verify().ok


def test_what_an_earlier_release_wrote_reads_as_before_until_something_new_is_said() -> None:
    clock = FixedClock(START)
    memory = opened(clock)
    lead = told(memory, 50, AHEAD)
    clock.advance(days=1)
    told(memory, 80, clock.now())
    rows: list[dict[str, Any]] = [json.loads(json.dumps(row)) for row in memory.export()]
    marked = [row for row in rows if row["kind"] == "version" and row["payload"].pop("ov", None)]
    assert len(marked) == 1
    for row in rows:
        if row["kind"] == "form":
            row["updated_at"] = AHEAD.isoformat()
    old = opened(clock)
    old.load(rows)
    assert old.get(lead)["budget"] == cny(500_000)
    assert old.verify().ok
    clock.advance(days=1)
    told(old, 90, clock.now())
    assert old.get(lead)["budget"] == cny(900_000)
    agreed(old, lead, 90)


STEP = st.tuples(
    st.sampled_from(["right", "right", "ahead", "correct", "undo"]), st.integers(1, 40), st.integers(1, 9)
)


@settings(max_examples=40, deadline=None)
@example(steps=[("right", 1, 1), ("ahead", 1, 1), ("correct", 1, 1), ("undo", 1, 1)])
@given(steps=st.lists(STEP, min_size=2, max_size=8))
def test_whatever_comes_last_holds(steps: list[tuple[str, int, int]]) -> None:
    clock = FixedClock(START)
    memory = opened(clock)
    lead = told(memory, 50, START)
    held, farthest, acts = [50], START, list[tuple[str, int]]()
    for kind, days, amount in steps:
        if kind == "undo" and not acts:
            continue  # of what nobody speaks for 90 days, nothing is told
        clock.advance(days=days)
        if kind == "right":
            told(memory, amount, clock.now())
            acts = []
        elif kind == "ahead":
            farthest = max(farthest, clock.now()) + timedelta(days=days * 10)
            told(memory, amount, farthest)
            acts = []
        elif kind == "correct":
            act = memory.correct(lead, "budget", f"{amount}万").act
            assert act is not None
            acts.append((act, held[-1]))
        else:
            act, amount = acts.pop()
            try:
                memory.undo(act)
            except Conflict:  # it told what was held anyway
                assert amount == held[-1]
        held.append(amount)
        assert memory.get(lead)["budget"] == cny(amount * 10_000), (kind, steps)
        assert memory.verify().ok
    agreed(memory, lead, held[-1])
