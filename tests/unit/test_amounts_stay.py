"""Ranges, bounds, rough figures and alternatives stay what they are, from the words to what is remembered."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

TYPE = """form_type: trip
version: 1
slots:
  budget: {type: money, unit: CNY, aliases: [预算]}
  people: {type: integer, aliases: [人数]}
  start: {type: date, aliases: [出发日期]}
  stay: {type: duration, aliases: [时长, 停留]}
"""
NOW = datetime.fromisoformat("2026-05-05T10:00:00+08:00")  # a Tuesday


@pytest.fixture(scope="module")
def types(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("types") / "trip.yaml"
    file.write_text(TYPE, encoding="utf-8")
    return file


def remembered(types: Path, text: str) -> tuple[str, str, str]:
    """(slot, known or the pending reason, value) of the one thing that the message says."""
    with Memory.open(":memory:", form_types=[types], clock=FixedClock(NOW)) as memory:
        memory.observe(text, conversation="c")
        known = [
            (name, "known", str(slot.value))
            for form in memory.find("trip")
            for name, slot in form.slots.items()
            if slot.status == "known"
        ]
        waiting = [(p.slot or "", p.reason, str(p.value)) for p in memory.pending()]
        if waiting:
            (slot,) = [
                s for form in memory.find("trip") for s in form.slots.values() if s.status == "pending"
            ]
            assert slot.value is None
            assert slot.confidence <= 0.5
        (one,) = known + waiting
        return one


@pytest.mark.parametrize(
    ("text", "slot", "state", "value"),
    [
        # vague figures are ranges, and wait
        ("预算四五十万。", "budget", "range", "400,000 CNY–500,000 CNY"),
        ("预算三十几万。", "budget", "range", "300,000 CNY–399,999 CNY"),
        ("预算百八十块", "budget", "range", "80 CNY–100 CNY"),
        ("预算上百万", "budget", "range", "≥ 1,000,000 CNY"),
        ("预算几十万", "budget", "range", "200,000 CNY–1,000,000 CNY"),
        ("人数几十个", "people", "range", "20–100"),
        ("人数三四十", "people", "range", "30–40"),
        ("时长两三天", "stay", "range", "P2D–P3D"),
        ("people: a couple of dozen", "people", "range", "24–36"),
        # plain ranges and bounds are values
        ("预算50到60万。", "budget", "known", "500,000 CNY–600,000 CNY"),
        ("预算不超过50万。", "budget", "known", "≤ 500,000 CNY"),
        ("预算50万以内", "budget", "known", "≤ 500,000 CNY"),
        ("预算50万以上", "budget", "known", "≥ 500,000 CNY"),
        ("预算至少50万", "budget", "known", "≥ 500,000 CNY"),
        ("预算最多50万", "budget", "known", "≤ 500,000 CNY"),
        ("人数至少3个", "people", "known", "≥ 3"),
        ("人数不超过30", "people", "known", "≤ 30"),
        ("人数30到40", "people", "known", "30–40"),
        ("时长1-2天", "stay", "known", "P1D–P2D"),
        ("时长最多两天", "stay", "known", "≤ P2D"),
        ("the budget is at least $500", "budget", "known", "≥ 500 USD"),
        ("the budget is no more than $500", "budget", "known", "≤ 500 USD"),
        ("the budget is up to $500", "budget", "known", "≤ 500 USD"),
        ("the budget is under $500", "budget", "known", "≤ 500 USD"),
        ("the budget is between $5 and $7", "budget", "known", "5 USD–7 USD"),
        ("the budget is $5-7", "budget", "known", "5 USD–7 USD"),
        ("people: at least 3", "people", "known", "≥ 3"),
        ("people: up to 30", "people", "known", "≤ 30"),
        ("people: 5-7", "people", "known", "5–7"),
        ("people: half a dozen", "people", "known", "6"),
        ("the stay is 2-3 days", "stay", "known", "P2D–P3D"),
        # hedged, they wait
        ("预算四五十万吧", "budget", "hedged", "400,000 CNY–500,000 CNY"),
        ("预算大概50到60万", "budget", "hedged", "500,000 CNY–600,000 CNY"),
        ("预算５０万左右", "budget", "hedged", "500,000 CNY"),
        ("预算约50万", "budget", "hedged", "500,000 CNY"),
        ("预算近50万", "budget", "hedged", "500,000 CNY"),
        ("预算将近50万", "budget", "hedged", "500,000 CNY"),
        ("预算50万出头", "budget", "hedged", "500,000 CNY"),
        ("预算50万开外", "budget", "hedged", "≥ 500,000 CNY"),
        ("预算50万上下", "budget", "hedged", "500,000 CNY"),
        ("budget 大概 50k 左右", "budget", "hedged", "50,000 CNY"),
        ("下季度预算大概50万", "budget", "hedged", "500,000 CNY"),
        ("人数大概30", "people", "hedged", "30"),
        ("人数30左右", "people", "hedged", "30"),
        ("时长3天左右", "stay", "hedged", "P3D"),
        ("时长大约一周", "stay", "hedged", "P1W"),
        ("出发日期6月3日左右", "start", "hedged", "2026-06-03"),
        ("出发日期大概6月3日", "start", "hedged", "2026-06-03"),
        ("the budget is about $500", "budget", "hedged", "500 USD"),
        ("the budget is $500 or so", "budget", "hedged", "500 USD"),
        ("the budget is $500, give or take", "budget", "hedged", "500 USD"),
        ("the budget is $500 give or take 50", "budget", "hedged", "500 USD"),
        ("budget for next quarter is about $80k", "budget", "hedged", "80,000 USD"),
        ("people: half a dozen or so", "people", "hedged", "6"),
        ("people: around 30", "people", "hedged", "30"),
        ("the stay is about a week", "stay", "hedged", "P1W"),
        ("the start is around June 3", "start", "hedged", "2026-06-03"),
        ("the start is maybe June 3", "start", "hedged", "2026-06-03"),
        # an alternative is a candidate
        ("出发日期周四或者周五", "start", "proposal", "2026-05-07"),
        ("the start is either Thursday or Friday", "start", "proposal", "2026-05-07"),
    ],
)
def test_figures_stay_what_they_are(types: Path, text: str, slot: str, state: str, value: str) -> None:
    assert remembered(types, text) == (slot, state, value)


@pytest.mark.parametrize(
    ("cell", "state", "value"),
    [
        ("大概50万", "hedged", "500,000 CNY"),
        ("about 50k USD", "hedged", "50,000 USD"),
        ("四五十万", "range", "400,000 CNY–500,000 CNY"),
        ("50万以内", "known", "≤ 500,000 CNY"),
        ("40到50万", "known", "400,000 CNY–500,000 CNY"),
        ("50万", "known", "500,000 CNY"),
    ],
)
def test_a_typed_cell_that_is_written_roughly_waits(types: Path, cell: str, state: str, value: str) -> None:
    with Memory.open(":memory:", form_types=[types], clock=FixedClock(NOW)) as memory:
        receipt = memory.record("trip", {"budget": cell, "people": 3})
        (form,) = memory.find("trip")
        assert form["people"] == 3
        if state == "known":
            assert str(form["budget"]) == value
            assert not receipt.pending
            return
        assert form["budget"] is None
        assert form.slots["budget"].confidence <= 0.5
        (waiting,) = memory.pending()
        assert (waiting.reason, str(waiting.value)) == (state, value)
        assert list(receipt.pending) == [waiting.id]
        assert list(receipt.questions) == [waiting.question]
        memory.confirm(waiting.id)
        assert str(memory.get(form.id)["budget"]) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("我们明年的预算是80万", "800,000 CNY"),
        ("下季度预算50万", "500,000 CNY"),
        ("下个月预算会涨到60万", "600,000 CNY"),
        ("next year's budget is 80k", "80,000 CNY"),
        ("our budget for next quarter is 50k", "50,000 CNY"),
        ("The budget next year will be 90k", "90,000 CNY"),
    ],
)
def test_a_budget_of_a_period_to_come_is_asked_about(types: Path, text: str, value: str) -> None:
    with Memory.open(":memory:", form_types=[types], clock=FixedClock(NOW)) as memory:
        memory.observe(text, conversation="c")
        assert memory.find("trip") == []
        assert [(p.slot, p.reason, str(p.value)) for p in memory.pending()] == [
            ("budget", "ambiguous_target", value)
        ]


@pytest.mark.parametrize(
    "text",
    ["我们明年出发，预算50万", "预算50万，明年开工", "The budget is 500k. Next year is far.", "今年预算50万"],
)
def test_a_later_period_of_something_else_holds_nothing_back(types: Path, text: str) -> None:
    assert remembered(types, text) == ("budget", "known", "500,000 CNY")


def test_a_later_budget_does_not_replace_the_present_one(types: Path) -> None:
    with Memory.open(":memory:", form_types=[types], clock=FixedClock(NOW)) as memory:
        memory.observe("预算50万", conversation="c")
        memory.observe("明年的预算是80万", conversation="c")
        [form] = memory.find("trip")
        assert str(form.slots["budget"].value) == "500,000 CNY"
        assert [(item.reason, str(item.value)) for item in memory.pending()] == [
            ("ambiguous_target", "800,000 CNY")
        ]


def test_a_slot_named_for_the_period_takes_its_figure(tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text(
        "form_type: plan\nversion: 1\nslots:\n  next_budget: {type: money, unit: CNY, aliases: [下季度预算]}\n",
        encoding="utf-8",
    )
    with Memory.open(":memory:", form_types=[file], clock=FixedClock(NOW)) as memory:
        memory.observe("下季度预算50万", conversation="c")
        [form] = memory.find("plan")
        assert str(form.slots["next_budget"].value) == "500,000 CNY"


@pytest.mark.parametrize(
    ("text", "value"), [("人数十来个", "9–11"), ("人数二十来个", "18–22"), ("人数十来个吧", "9–11")]
)
def test_ten_odd_people_are_a_figure_to_ask_about(types: Path, text: str, value: str) -> None:
    slot, reason, said = remembered(types, text)
    assert (slot, said) == ("people", value)
    assert reason in ("range", "hedged")
