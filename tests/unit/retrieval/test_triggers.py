"""What triggers load, when and for whom: hooks, conversations, moments, scopes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Context, InvalidInput, Memory
from forms_dynamics.language.tokens import count
from forms_dynamics.schema.expression import parse
from forms_dynamics.testing import FixedClock, ScriptedExtractor

RIDE = """
form_type: ride_preference
version: 1
aliases: [乘车偏好, ride preference]
identity: [$speaker]
slots:
  vehicle: {type: text, aliases: [车型, vehicle], question: {zh: 您常坐什么车型？}}
  payment: {type: text, aliases: [支付方式, payment method]}
---
form_type: ride_order
version: 1
aliases: [行程, ride]
identity: [ride_no]
slots:
  ride_no: {type: text, aliases: [行程号, ride number]}
  customer: {type: ref, ref: ride_client, aliases: [乘客, passenger]}
  state: {type: enum, aliases: [行程状态, ride state], values: [booked, done, cancelled]}
---
form_type: ride_client
version: 1
identity: [name]
slots:
  name: {type: text, aliases: [乘客姓名, passenger name]}
  city: {type: text, aliases: [乘客城市, passenger city]}
---
relation: booked_by
from: ride_order
to: ride_client
when: ride_order.customer == ride_client.name
strength: {weight: 0.9, floor: 0.7}
---
trigger: book
on: intent_recognized
when: intent == 'book_ride' or (intent == 'ride_again' and ride_preference.vehicle is known)
load:
  - {form_type: ride_order, where: state == 'booked', limit: 2}
  - {form_type: ride_preference, slots: [vehicle, payment]}
---
trigger: early
on: entity_extracted
when: entity.type == 'time' and entity.value < tomorrow 9:00 and entity.value > now
load: {form_type: ride_preference, slots: [payment]}
---
trigger: called
on: action_executed
when: action == 'book' and result.ok == true
load:
  - {form_type: ride_order, where: ride_no == arguments.ride_no}
  - {relation: booked_by, form_type: ride_client}
"""


UNSURE = "用微信支付，车型大概是SUV吧"


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock("2026-06-12T20:00:00+08:00")


@pytest.fixture
def memory(tmp_path: Path, clock: FixedClock) -> Iterator[Memory]:
    file = tmp_path / "ride.yaml"
    file.write_text(RIDE, encoding="utf-8")
    settings = {"timezone": "Asia/Shanghai"}
    types = [file, "tool_call"]
    slots = {
        "vehicle": {"value": "SUV", "confidence": 0.6, "evidence": "SUV"},
        "payment": {"value": "微信支付", "confidence": 0.95, "evidence": "微信支付"},
    }
    extractor = ScriptedExtractor({UNSURE: [{"form_type": "ride_preference", "slots": slots}]})
    with Memory.open(
        ":memory:", form_types=types, clock=clock, settings=settings, extractor=extractor
    ) as opened:
        yield opened


def lines(context: Context) -> list[str]:
    assert context.tokens == count(context.text)
    return context.text.splitlines()[2:-1]


def fill(memory: Memory, speaker: str = "user") -> None:
    memory.record("ride_preference", {"vehicle": "SUV", "payment": "微信支付"}, speaker=speaker)
    memory.record("ride_order", {"ride_no": "R1", "state": "done"})
    memory.record("ride_order", {"ride_no": "R2", "state": "booked", "customer": "林晓"})
    memory.record("ride_client", {"name": "林晓", "city": "北京"})


def fired(context: Context) -> dict[str, str]:
    names = ("book", "early", "called")
    return {s.subject: s.reason for s in context.trace.steps if s.kind == "trigger" and s.subject in names}


def test_an_intent_loads_what_it_declares_in_order(memory: Memory) -> None:
    fill(memory)
    context = memory.on_intent_recognized("book_ride", lang="zh")
    assert lines(context) == [
        "行程号：R2，乘客：林晓，行程状态：booked",
        "乘车偏好：车型 SUV；支付方式 微信支付",
    ]
    assert fired(context) == {"book": "fired: intent book_ride"}
    assert context.confidence >= 0.9
    assert "[低置信度]" not in context.text
    assert {f.type for f in context.forms} == {"ride_order", "ride_preference"}


def test_another_intent_loads_nothing_and_says_why(memory: Memory) -> None:
    fill(memory)
    context = memory.on_intent_recognized("order_food")
    assert (context.text, context.tokens, context.confidence) == ("", 0, 0.0)
    assert "does not hold (intent is order_food" in fired(context)["book"]


def test_a_condition_asks_the_users_own_forms(memory: Memory) -> None:
    assert "not fired" in fired(memory.on_intent_recognized("ride_again"))["book"]
    fill(memory)
    assert fired(memory.on_intent_recognized("ride_again"))["book"].startswith("fired")


@pytest.mark.parametrize(
    ("value", "early"),
    [
        ("明早8点", True), ("tomorrow 8:30", True), ("今晚11点", True), ("2026-06-13T00:30:00Z", True),
        ("明早9点", False), ("tomorrow 9:00", False), ("today 9:00", False), ("明天", False), ("2026-06-13T02:00:00Z", False),
    ],
)  # fmt: skip
def test_moments_are_those_of_the_users_zone(memory: Memory, value: str, early: bool) -> None:
    fill(memory)
    context = memory.on_entity_extracted("time", value, lang="zh")
    assert lines(context) == (["乘车偏好：支付方式 微信支付"] if early else [])
    assert fired(context)["early"].startswith("fired" if early else "not fired")


def test_an_action_loads_by_its_arguments_and_follows_a_relation(memory: Memory) -> None:
    fill(memory)
    context = memory.on_action_executed("book", {"ride_no": "R2"}, {"ok": True}, lang="en")
    assert lines(context) == [
        "ride number: R2, passenger: 林晓, ride state: booked", "passenger name: 林晓, passenger city: 北京",
    ]  # fmt: skip
    for action, result in (("book", {"ok": False}), ("book", None), ("cancel", {"ok": True})):
        assert memory.on_action_executed(action, {"ride_no": "R2"}, result).text == ""
    found_none = memory.on_action_executed("book", {"ride_no": "R9"}, {"ok": True})
    assert found_none.text == ""
    assert any("found no ride_order" in s.reason for s in found_none.trace.steps)


# -- a recall ----------------------------------------------------------------------------------------------
def test_a_recall_stands_loads_behind_what_the_question_names(memory: Memory) -> None:
    fill(memory)
    context = memory.recall("What is the state of R1?", intent="book_ride")
    told = lines(context)
    assert told[0].startswith("R1")
    assert "done" in told[0]
    assert told[1].startswith("ride number: R2")
    assert told[2].startswith("ride preference")
    same = memory.recall("R2", intent="book_ride")
    assert sum("R2" in line for line in lines(same)) == 1
    assert any(s.reason == "book: told already" for s in same.trace.steps)


def test_a_conversation_fires_by_its_last_message_and_call(memory: Memory, clock: FixedClock) -> None:
    fill(memory)
    memory.observe("帮我订明早8点去机场的车", conversation="c")
    assert "乘车偏好：支付方式 微信支付" in memory.recall(conversation="c").text
    assert memory.recall(conversation="other").text == ""
    assert memory.recall("明早8点").trace.steps == () or not fired(memory.recall("明早8点"))
    clock.advance(seconds=60)
    memory.observe("算了，改明天下午三点吧", conversation="c")
    assert fired(memory.recall(conversation="c"))["early"].startswith("not fired")
    memory.record_tool_call("book", {"ride_no": "R2"}, {"ok": True}, conversation="c")
    assert "行程号：R2" in memory.recall(conversation="c").text
    memory.observe("好的", conversation="c")
    assert "行程号：R2" in memory.recall(conversation="c").text
    memory.observe("谢谢", conversation="c")  # the call belongs to an earlier turn now
    assert "行程号：R2" not in memory.recall(conversation="c").text


def test_as_of_a_moment_the_conversation_stands_where_it_stood(memory: Memory, clock: FixedClock) -> None:
    fill(memory)
    memory.observe("帮我订明早8点去机场的车", conversation="c", time=clock.now())
    clock.advance(seconds=60)
    then = clock.now()
    clock.advance(days=3)
    memory.observe("不用了", conversation="c", time=clock.now())
    memory.record("ride_preference", {"payment": "现金"}, speaker="user")
    assert not fired(memory.recall(conversation="c")).get("early", "not").startswith("fired")
    old = memory.recall(conversation="c", as_of=then)
    assert fired(old)["early"].startswith("fired")
    assert "微信支付" in old.text
    assert "现金" not in old.text
    assert "现金" in memory.on_intent_recognized("book_ride").text


def test_scopes_speakers_and_what_no_longer_stands(memory: Memory) -> None:
    mine, other = memory.scoped(user="lin"), memory.scoped(user="dana")
    fill(mine, "林晓")
    assert other.on_intent_recognized("book_ride").text == ""
    assert lines(mine.on_intent_recognized("book_ride", speaker="Dana"))[1:] == []
    assert len(lines(mine.on_intent_recognized("book_ride", speaker="林晓"))) == 2
    ride = mine.find("ride_order", ride_no="R2")[0]
    mine.invalidate(ride.id)
    assert "R2" not in mine.on_intent_recognized("book_ride").text
    preference = mine.find("ride_preference")[0]
    mine.erase(form_id=preference.id)
    assert mine.on_intent_recognized("book_ride").text == ""


def test_a_pending_value_is_told_where_the_trigger_names_its_slot(memory: Memory) -> None:
    memory.observe(UNSURE)
    context = memory.on_intent_recognized("book_ride", lang="zh")
    assert lines(context) == ["乘车偏好：支付方式 微信支付", "[待确认] 乘车偏好：车型 SUV"]
    assert context.questions


def test_newest_first_whole_and_within_the_limit_and_budget(memory: Memory, clock: FixedClock) -> None:
    for i in range(6):
        clock.advance(seconds=60)
        memory.record("ride_order", {"ride_no": f"N{i}", "state": "booked"})
    context = memory.on_intent_recognized("book_ride", lang="en")
    assert [line.split(",")[0] for line in lines(context)] == ["ride number: N5", "ride number: N4"]
    assert sum(s.reason.startswith("beyond the limit") for s in context.trace.steps) == 4
    for budget in range(0, context.tokens + 1, 3):
        small = memory.on_intent_recognized("book_ride", lang="en", max_tokens=budget)
        assert small.tokens <= budget
        assert set(lines(small)) <= set(lines(context))


def test_a_hook_that_is_told_nonsense_says_so(memory: Memory) -> None:
    calls: list[Any] = [
        lambda: memory.on_intent_recognized(""),
        lambda: memory.on_intent_recognized("x", question="y"),
        lambda: memory.on_intent_recognized("x", lang="fr"),
        lambda: memory.on_entity_extracted("time", None),
        lambda: memory.on_entity_extracted("text", "x", form_type="ride_ordr"),
        lambda: memory.on_entity_extracted("text", "x", form_type="ride_order", slot="stat"),
        lambda: memory.on_entity_extracted("text", "x", slot="state"),
        lambda: memory.on_action_executed("x", ["a"]),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(InvalidInput):
            call()


def test_an_argument_that_is_no_number_is_unknown() -> None:
    moment = datetime(2026, 6, 12, tzinfo=UTC)
    condition = parse("arguments.most >= 5 or arguments.most < 5 or arguments.most == 5")
    assert not condition.holds({"arguments.most": float("nan")}.get, moment)
    assert condition.holds({"arguments.most": float("inf")}.get, moment)


def test_without_triggers_nothing_is_read_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from forms_dynamics.retrieval import loading

    def never(*_: Any) -> Any:
        raise AssertionError("triggers were looked at")

    monkeypatch.setattr(loading, "Triggers", never)
    with Memory.open(":memory:", form_types=["order"]) as memory:
        memory.observe("明早8点", conversation="c")
        assert memory.recall("订单", conversation="c", intent="book_ride").trace is not None
