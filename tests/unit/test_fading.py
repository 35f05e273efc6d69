"""Facts that fade: asked about again, told as unsure, renewed by whoever says them again, never dropped meanwhile."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.errors import Conflict, InvalidInput, NotFound
from forms_dynamics.fading import FADED, faded_to, falls_at
from forms_dynamics.model.form import Pending
from forms_dynamics.model.value import DAY, to_micros
from forms_dynamics.testing import FixedClock

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
HALVES = """
form_type: note
identity: [$speaker]
life: {fade_per_day: 0.5, cold_after_days: null}
slots:
  mood:    {type: text, aliases: [心情, mood]}
  colour:  {type: text, aliases: [颜色, colour], fade_per_day: 1}
  drink:   {type: text, aliases: [饮料, drink], fade_per_day: 0.25, threshold: 0.3}
  tags:    {type: text, many: true, aliases: [标签, tags]}
"""
FIRM = """
form_type: firm
identity: [name]
slots:
  name: {type: text}
  budget: {type: text}
"""


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def halves(tmp_path: Path, clock: FixedClock) -> Iterator[Memory]:
    """A type whose slots lose half a day, one that loses three quarters, one that loses nothing."""
    (tmp_path / "note.yaml").write_text(HALVES, encoding="utf-8")
    (tmp_path / "firm.yaml").write_text(FIRM, encoding="utf-8")
    types = [tmp_path / "note.yaml", tmp_path / "firm.yaml"]
    with Memory.open(tmp_path / "m.db", form_types=types, clock=clock, embedder=None) as memory:
        yield memory


@pytest.fixture
def memory(clock: FixedClock) -> Iterator[Memory]:
    """What ships."""
    with Memory.open(":memory:", clock=clock, embedder=None) as opened:
        yield opened


def told(memory: Memory, **slots: Any) -> str:
    return memory.record("note", slots, source="user").forms[0]


def say(memory: Memory, text: str, **options: Any) -> str:
    """Said now; the first Form that it is about."""
    now = memory._parts.clock.now()
    return next(iter(memory.observe(text, time=now, **options).forms), "")


def ask(memory: Memory, text: str) -> None:
    say(memory, text, role="assistant", speaker="assistant")


def faded(memory: Memory) -> list[Pending]:
    return [item for item in memory.pending() if item.reason == "faded"]


# -- the formula -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("fade", [0.25, 0.5, 0.9, 0.95, 0.999, 0.999999])
@pytest.mark.parametrize("confidence", [1.0, 0.93, 0.7, 0.5000001, 0.5])
def test_the_moment_at_which_a_value_falls(fade: float, confidence: float) -> None:
    at = falls_at(confidence, fade, to_micros(NOON))
    assert faded_to(confidence, fade, to_micros(NOON), at) < FADED
    slack = max(2, math.ceil(1e-9 * DAY / -math.log(fade)))
    assert faded_to(confidence, fade, to_micros(NOON), at - slack) >= FADED


def test_exactly_at_the_mark_is_not_faded(halves: Memory, clock: FixedClock) -> None:
    id = told(halves, mood="calm")
    clock.advance(days=1)
    assert halves.get(id).slots["mood"].confidence == 0.5
    assert not faded(halves)
    clock.advance(seconds=1e-6)
    [item] = faded(halves)
    assert item.asked_at == clock.now()
    assert item.id == f"faded:{id}:mood"
    assert (item.form_id, item.slot, item.value, item.form_type) == (id, "mood", "calm", "note")


def test_a_slot_fades_by_its_own_rate_else_by_its_types(halves: Memory, clock: FixedClock) -> None:
    told(halves, mood="calm", colour="red", drink="tea", tags=["a", "b"])
    halves.record("firm", {"name": "Acme", "budget": "1"})
    clock.advance(days=0.6)
    assert [item.slot for item in faded(halves)] == ["drink"]
    clock.advance(days=1000)
    assert [item.slot for item in faded(halves)] == ["drink", "mood", "tags"]
    assert halves.find("note")[0]["colour"] == "red"
    assert halves.find("note")[0].slots["colour"].confidence == 1


def test_what_is_asked_otherwise_comes_first_and_is_not_asked_twice(
    halves: Memory, clock: FixedClock
) -> None:
    id = told(halves, mood="calm", drink="tea")
    clock.advance(days=5)
    halves.mark(id, "mood", right=False)
    assert [(i.reason, i.slot) for i in halves.pending()] == [("marked_wrong", "mood"), ("faded", "drink")]


def test_nothing_is_stored_for_it(halves: Memory, clock: FixedClock) -> None:
    told(halves, mood="calm")
    before = list(halves.export())
    clock.advance(days=9)
    assert faded(halves) == faded(halves) != []
    assert halves.health().pending == 0
    assert list(halves.export()) == before
    assert halves.upkeep().expired_questions == 0
    assert faded(halves)


# -- what is not asked about -----------------------------------------------------------------------------------
def test_avoided_ended_invalid_expired_and_cold_are_not_asked_about(
    memory: Memory, clock: FixedClock
) -> None:
    say(memory, "我不喜欢香菜。")
    ended = memory.scoped(user="a")
    id = ended.record("preference", {"liked": {"value": ["tea"], "valid_until": "2026-03-05"}}).forms[0]
    invalid = memory.scoped(user="b")
    invalid.invalidate(invalid.record("preference", {"liked": ["tea"]}).forms[0])
    cold = memory.scoped(user="c")
    cold.record("preference", {"liked": ["tea"]})
    clock.advance(days=20)
    assert memory.find("preference")[0].slots["liked"].avoided
    assert not faded(memory)
    assert ended.get(id)["liked"] is None
    assert not faded(ended)
    assert not faded(invalid)
    assert faded(cold)
    clock.advance(days=80)
    assert cold.find("preference")[0].cold
    assert not faded(cold)


def test_a_cold_form_that_a_recall_showed_is_asked_about_again(memory: Memory, clock: FixedClock) -> None:
    memory.record("preference", {"liked": ["tea"]})
    clock.advance(days=100)
    assert not faded(memory)
    assert memory.recall("preferences", include_cold=True).forms
    assert faded(memory)


def test_other_users_facts_are_theirs(memory: Memory, clock: FixedClock) -> None:
    ana, ben = memory.scoped(user="ana"), memory.scoped(user="ben")
    ana.record("preference", {"liked": ["tea"]})
    clock.advance(days=20)
    [item] = faded(ana)
    assert not faded(ben)
    with pytest.raises(NotFound):
        ben.confirm(item.id)


# -- questions -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("words", "days", "question"),
    [
        ("我对芒果过敏。", 900, "芒果：您是否仍对它过敏？"),
        ("I'm allergic to mango.", 900, "mango: are you still allergic to it?"),
        ("我住在苏州。", 900, "苏州：您现在还住在那里吗？"),
        ("I live in Leeds.", 900, "Leeds: do you still live there?"),
        ("我喜欢靠窗座位。", 20, "靠窗座位：您现在还是这样的偏好吗？"),
        ("I love oat milk.", 20, "oat milk: do you still prefer that?"),
        ("我的常用语言是中文。", 20, "您的常用语言是否仍是中文？"),
        ("My preferred language is English.", 20, "Is your preferred language still English?"),
    ],
)
def test_the_question_names_the_value_in_the_language_it_was_told_in(
    memory: Memory, clock: FixedClock, words: str, days: int, question: str
) -> None:
    say(memory, words)
    clock.advance(days=days)
    assert [item.question for item in faded(memory)] == [question]


def test_a_question_names_the_form_where_there_are_several(memory: Memory, clock: FixedClock) -> None:
    for name, address in (("首都机场T3", "机场西路1号"), ("朝阳公园", "朝阳公园南路1号")):
        say(memory, f"地点名称：{name}，地点地址：{address}。")
    clock.advance(days=900)
    asked = {item.question for item in faded(memory) if item.slot == "address"}
    assert asked == {
        "首都机场T3：地点地址是否仍是机场西路1号？",
        "朝阳公园：地点地址是否仍是朝阳公园南路1号？",
    }


def test_recall_asks_the_same_and_shows_the_value_as_unsure(memory: Memory, clock: FixedClock) -> None:
    say(memory, "我喜欢靠窗座位。")
    other = memory.scoped(user="en")
    say(other, "I love oat milk.")
    assert "不确定" not in memory.recall("我的偏好是什么？").text
    clock.advance(days=20)
    context = memory.recall("我的偏好是什么？")
    assert "靠窗座位（不确定）" in context.text
    assert context.questions == tuple(item.question for item in faded(memory))
    told = other.recall("What are my likes?")
    assert "oat milk (unsure)" in told.text
    assert told.questions == ("oat milk: do you still prefer that?",)


def test_why_tells_what_is_asked(halves: Memory, clock: FixedClock) -> None:
    id = told(halves, mood="calm")
    clock.advance(days=3)
    why = halves.why(id, "mood")
    assert [p.id for p in why.pending] == [f"faded:{id}:mood"]
    assert why.status == "known"
    assert why.confidence == 0.125


def test_a_faded_value_stays_known_and_reopens_nothing(halves: Memory, clock: FixedClock) -> None:
    id = told(halves, mood="calm", drink="tea")
    clock.advance(days=40)
    form = halves.get(id)
    assert form["mood"] == "calm"
    assert form.slots["mood"].status == "known"
    assert halves.get(id, as_of=NOON + timedelta(days=2)).slots["mood"].confidence == 0.25
    assert [s.value for s in halves.history(id, slot="mood")] == ["calm"]
    assert [s.confidence for s in halves.history(id, slot="mood")] == [1.0]
    assert [f.id for f in halves.find("note", mood="calm")] == [id]


def test_a_confirmation_that_lies_ahead_takes_nothing_away(halves: Memory, clock: FixedClock) -> None:
    id = halves.record("note", {"mood": "calm"}, source="user", time=NOON + timedelta(days=10)).forms[0]
    clock.advance(days=5)
    assert halves.get(id).slots["mood"].confidence == 1
    assert not faded(halves)
    clock.advance(days=7)
    [item] = faded(halves)
    assert timedelta(days=1) < item.asked_at - (NOON + timedelta(days=10)) < timedelta(days=1, seconds=1)


# -- yes and no ------------------------------------------------------------------------------------------------
def test_a_yes_renews_the_date_and_no_more(halves: Memory, clock: FixedClock) -> None:
    id = told(halves, mood="calm", drink="tea")
    clock.advance(days=3)
    receipt = halves.confirm(f"faded:{id}:mood")
    form = halves.get(id)
    assert form.version == 1
    assert receipt.versions == ()
    assert form.slots["mood"].confidence == 1
    assert form.slots["mood"].confirmed_at == clock.now()
    assert form.slots["drink"].confirmed_at == NOON
    assert [item.slot for item in faded(halves)] == ["drink"]
    with pytest.raises(Conflict, match="has not faded, or was confirmed"):
        halves.confirm(f"faded:{id}:mood")
    assert receipt.act is not None
    halves.undo(receipt.act)
    assert halves.get(id).slots["mood"].confirmed_at == NOON
    assert {item.slot for item in faded(halves)} == {"drink", "mood"}
    with pytest.raises(Conflict, match="nothing to take back"):
        halves.undo(receipt.act)


def test_an_undo_leaves_a_later_confirmation_alone(halves: Memory, clock: FixedClock) -> None:
    id = told(halves, mood="calm")
    clock.advance(days=3)
    first = halves.confirm(f"faded:{id}:mood")
    clock.advance(days=3)
    halves.confirm(f"faded:{id}:mood")
    assert first.act is not None
    with pytest.raises(Conflict, match="nothing to take back"):
        halves.undo(first.act)
    assert halves.get(id).slots["mood"].confirmed_at == clock.now()


def test_a_yes_with_a_value_corrects(halves: Memory, clock: FixedClock) -> None:
    id = told(halves, mood="calm", tags=["a", "b"])
    clock.advance(days=3)
    receipt = halves.confirm(f"faded:{id}:mood", "gay")
    halves.confirm(f"faded:{id}:tags", ["c"])
    form = halves.get(id)
    assert (form["mood"], form["tags"]) == ("gay", ("c",))
    assert form.slots["mood"].confidence == 1
    assert not faded(halves)
    assert receipt.act is not None
    halves.undo(receipt.act)
    assert halves.get(id)["mood"] == "calm"


def test_a_no_ends_the_value_now_and_history_keeps_it(halves: Memory, clock: FixedClock) -> None:
    id = told(halves, mood="calm", tags=["a", "b"])
    clock.advance(days=3)
    receipt = halves.refuse(f"faded:{id}:mood")
    assert halves.get(id)["mood"] is None
    [held] = halves.history(id, slot="mood")
    assert (held.value, held.valid_until) == ("calm", clock.now())
    assert halves.get(id, as_of=NOON + timedelta(days=2))["mood"] == "calm"
    assert [item.slot for item in faded(halves)] == ["tags"]
    with pytest.raises(Conflict, match="ended"):
        halves.refuse(f"faded:{id}:mood")
    assert receipt.act is not None
    clock.advance(days=1)
    halves.undo(receipt.act)
    assert halves.get(id)["mood"] == "calm"
    assert {item.slot for item in faded(halves)} == {"mood", "tags"}
    assert halves.verify().ok


def test_a_value_that_was_never_sure_is_stated_again(halves: Memory, clock: FixedClock) -> None:
    id = told(halves, drink="tea")
    clock.advance(days=3)
    halves.confirm(f"faded:{id}:drink")
    assert halves.get(id).slots["drink"].confidence == 1


def test_another_end_makes_nothing_fresher(halves: Memory, clock: FixedClock) -> None:
    form = told(halves, mood="calm")
    clock.advance(days=2)
    asked = halves.pending()
    assert [item.reason for item in asked] == ["faded"]
    halves.set_validity(form_type="note", days=400)
    assert halves.pending() == asked
    assert halves.get(form).slots["mood"].confidence == 0.25


def test_a_value_with_another_end_is_stated_again_from_now(halves: Memory, clock: FixedClock) -> None:
    form = told(halves, mood="calm")
    clock.advance(days=2)
    halves.mark(form, "mood", right=True)  # 0.3 today
    halves.set_validity(form_type="note", days=400)
    clock.advance(days=1)
    halves.confirm(halves.pending()[0].id)
    assert halves.get(form).slots["mood"].confidence == 1.0
    assert not halves.pending()


@pytest.mark.parametrize("id", ["faded:", "faded:x", "faded:nobody:mood", "faded::mood"])
def test_an_id_that_names_nothing(halves: Memory, id: str) -> None:
    told(halves, mood="calm")
    with pytest.raises(NotFound):
        halves.confirm(id)
    with pytest.raises(NotFound):
        halves.refuse(id)


def test_a_slot_that_is_not_there(halves: Memory) -> None:
    id = told(halves, mood="calm")
    with pytest.raises(NotFound):
        halves.confirm(f"faded:{id}:smell")
    with pytest.raises(Conflict):
        halves.confirm(f"faded:{id}:colour")


# -- retelling -------------------------------------------------------------------------------------------------
def by_record(memory: Memory, words: str) -> None:
    memory.record("user_profile", {"allergies": [words]}, source="user")


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("我对芒果过敏。", lambda m: say(m, "提醒一下，我对芒果过敏。")),
        ("我对芒果过敏。", lambda m: say(m, "过敏原：芒果")),
        ("我对芒果过敏。", lambda m: by_record(m, "芒果")),
        ("I'm allergic to mango.", lambda m: say(m, "Just so you know, I am allergic to MANGO!")),
        ("I'm allergic to mango.", lambda m: by_record(m, "Mango")),
    ],
)
def test_a_retelling_renews_the_date(
    memory: Memory, clock: FixedClock, first: str, again: Callable[[Memory], Any]
) -> None:
    id = say(memory, first)
    sure = memory.get(id).slots["allergies"].confidence
    clock.advance(days=900)
    assert faded(memory)
    again(memory)
    form = memory.get(id)
    assert form.version == 1
    assert form.slots["allergies"].confidence == sure  # no surer than it was
    assert form.slots["allergies"].confirmed_at == clock.now()
    assert not faded(memory)


def test_a_tick_renews_the_date(halves: Memory, clock: FixedClock) -> None:
    id = told(halves, mood="calm")
    clock.advance(days=3)
    halves.mark(id, "mood", right=True)
    assert halves.get(id).slots["mood"].confirmed_at == clock.now()


def test_a_late_message_does_not_move_the_date_back(halves: Memory, clock: FixedClock) -> None:
    id = told(halves, mood="calm")
    clock.advance(days=3)
    halves.confirm(f"faded:{id}:mood")
    clock.advance(days=1)
    halves.record("note", {"mood": "calm"}, source="user", time=NOON + timedelta(days=1))
    halves.record("note", {"mood": "calm"}, source="user", time=NOON - timedelta(days=9))
    assert halves.get(id).slots["mood"].confirmed_at == NOON + timedelta(days=3)


def test_an_import_of_the_same_renews_the_date_and_takes_no_rank(halves: Memory, clock: FixedClock) -> None:
    id = halves.record("note", {"mood": "calm"}, source="user", speaker="user").forms[0]
    clock.advance(days=3)
    assert halves.record("note", {"mood": "calm"}, source="import", speaker="user").forms == (id,)
    slot = halves.get(id).slots["mood"]
    assert (slot.confirmed_at, slot.source) == (clock.now(), "user")


ASKED = [
    ("我对芒果过敏。", "您是否仍对芒果过敏？", "是的", True),
    ("我对芒果过敏。", "顺便问一下，您现在还对芒果过敏吗？", "还过敏", True),
    ("我对芒果过敏。", "芒果：您是否仍对它过敏？", "对", True),
    ("我对芒果过敏。", "芒果：您是否仍对它过敏？", "不过敏了", False),
    ("我对芒果过敏。", "您是否仍对芒果过敏？", "没有了", False),
    ("I'm allergic to mango.", "Are you still allergic to mango?", "Yes, I am", True),
    ("I'm allergic to mango.", "Are you still allergic to mango?", "Still am.", True),
    ("I'm allergic to mango.", "Are you still allergic to mango?", "No, not any more", False),
    ("I'm allergic to mango.", "mango: are you still allergic to it?", "No longer.", False),
    ("我住在苏州。", "您现在还住在苏州吗？", "对，还在", True),
    ("我住在苏州。", "您现在还住在苏州吗？", "早就不住了", False),
    ("I live in Leeds.", "Do you still live in Leeds?", "yes", True),
    ("I live in Leeds.", "Do you still live in Leeds?", "no", False),
    # no answer to it
    ("我对芒果过敏。", "您是否仍对芒果过敏？", "应该是吧", None),
    ("我对芒果过敏。", "您是否仍对芒果过敏？", "谢谢", None),
    ("我对芒果过敏。", "您是否仍对芒果过敏？您现在还住在苏州吗？", "不是", None),
    ("I'm allergic to mango.", "Are you still allergic to mango?", "Not sure", None),
    ("I'm allergic to mango.", "Are you still allergic to mango?", "if I eat a lot, yes", None),
    ("I'm allergic to mango.", "Do you still want the mango dessert?", "No", None),
    ("我喜欢靠窗座位。", "这次您还要靠窗座位吗？", "不要了", None),
    ("I live in Leeds.", "So you are not still living in Leeds?", "yes", None),
]


@pytest.mark.parametrize(("first", "question", "answer", "holds"), ASKED)
def test_an_answer_to_the_assistant(
    memory: Memory, clock: FixedClock, first: str, question: str, answer: str, holds: bool | None
) -> None:
    id = say(memory, first)
    [(slot, before)] = memory.get(id).slots.items()
    clock.advance(days=80 if slot == "liked" else 900)
    ask(memory, question)
    clock.advance(seconds=20)
    say(memory, answer)
    after = memory.get(id).slots.get(slot)
    if holds is False:
        assert after is None or after.value is None
        [past] = memory.history(id, slot=slot)
        assert past.valid_until == clock.now()
        return
    assert after is not None
    assert after.value == before.value
    assert after.confirmed_at == (clock.now() if holds else NOON)


def test_a_no_to_one_of_several_values_takes_that_one(memory: Memory, clock: FixedClock) -> None:
    id = memory.record("user_profile", {"allergies": ["芒果", "花生"]}, source="user").forms[0]
    clock.advance(days=900)
    ask(memory, "您是否仍对芒果过敏？")
    say(memory, "不过敏了")
    assert memory.get(id)["allergies"] == ("花生",)


def test_a_no_with_the_new_value_is_the_new_value(memory: Memory, clock: FixedClock) -> None:
    id = say(memory, "我住在苏州。")
    clock.advance(days=900)
    ask(memory, faded(memory)[0].question)
    clock.advance(seconds=5)
    say(memory, "不，我现在住在杭州。")
    assert memory.get(id)["city"] == "杭州"


def test_another_speakers_answer_is_about_another(memory: Memory, clock: FixedClock) -> None:
    id = say(memory, "我对芒果过敏。", speaker="李娜")
    clock.advance(days=900)
    ask(memory, "您是否仍对芒果过敏？")
    say(memory, "不过敏了", speaker="王强")
    assert memory.get(id)["allergies"] == ("芒果",)


# -- many ------------------------------------------------------------------------------------------------------
def places(memory: Memory, count: int, **options: Any) -> list[str]:
    return [
        memory.record(
            "place", {"name": f"地点{i}", "address": f"中山路{i}号"}, source="user", **options
        ).forms[0]
        for i in range(count)
    ]


def test_more_than_a_hundred_are_one_question(memory: Memory, clock: FixedClock) -> None:
    ids = places(memory, 50)
    clock.advance(days=900)
    assert len(faded(memory)) == 100
    memory.record("preference", {"liked": ["茶"]}, source="user")
    clock.advance(days=30)
    [item] = memory.pending()
    assert (item.id, item.form_id, item.form_type, item.slot, item.reason) == (
        "faded:*",
        None,
        "*",
        None,
        "faded",
    )
    assert item.question == "您有101条旧记忆，主要是「常去地点」和「偏好」：还作数吗？"
    assert list(item.candidates) == ["place.address: 50", "place.name: 50", "preference.liked: 1"]
    assert memory.confirm(f"faded:{ids[0]}:name").act  # one alone may still be answered
    assert len(faded(memory)) == 100


def test_a_yes_to_all_and_its_undo(memory: Memory, clock: FixedClock) -> None:
    ids = places(memory, 60)
    clock.advance(days=900)
    receipt = memory.confirm("faded:*")
    assert not memory.pending()
    assert all(memory.get(id).version == 1 for id in ids)
    assert all(memory.get(id).slots["address"].confirmed_at == clock.now() for id in ids)
    with pytest.raises(Conflict, match="one by one"):
        memory.confirm("faded:*")
    assert receipt.act is not None
    memory.undo(receipt.act)
    assert [item.id for item in memory.pending()] == ["faded:*"]
    assert memory.get(ids[0]).slots["address"].confirmed_at == NOON


def test_a_kind_alone(memory: Memory, clock: FixedClock) -> None:
    ids = places(memory, 60)
    clock.advance(days=900)
    with pytest.raises(InvalidInput, match=r"place\.address, place\.name"):
        memory.confirm("faded:*", "place.smell")
    receipt = memory.confirm("faded:*", "place.address: 60")
    assert {item.slot for item in memory.pending()} == {"name"}
    assert receipt.act is not None
    memory.undo(receipt.act)
    assert [item.id for item in memory.pending()] == ["faded:*"]
    assert memory.get(ids[5])["address"] == "中山路5号"


def test_a_no_to_all_and_its_undo(memory: Memory, clock: FixedClock) -> None:
    ids = places(memory, 60)
    clock.advance(days=900)
    receipt = memory.refuse("faded:all")  # as shells that know * may have it
    assert not memory.pending()
    assert all(memory.get(id)["address"] is None for id in ids)
    assert [s.value for s in memory.history(ids[3], slot="address")] == ["中山路3号"]
    assert receipt.act is not None
    clock.advance(days=1)
    memory.undo(receipt.act)
    assert memory.get(ids[3])["address"] == "中山路3号"
    assert memory.verify().ok


def test_expired_facts_are_counted_and_stated_again(memory: Memory, clock: FixedClock) -> None:
    until = {"valid_until": "2026-06-01"}
    for i in range(101):
        memory.record(
            "place", {"name": f"Place {i}", "address": {"value": f"{i} Mill Lane", **until}}, source="user"
        )
    clock.advance(days=60)
    assert not memory.pending()
    clock.advance(days=60)
    [item] = memory.pending()
    assert item.question == "101 of your memories are old, mostly “usual place”: do they still hold?"
    assert list(item.candidates) == ["place.address: 101"]
    id = memory.find("place", limit=1)[0].id
    assert memory.get(id)["address"] is None
    before = clock.now()
    memory.confirm("faded:*")
    form = memory.get(id)
    assert form["address"] is not None
    assert form.version == 2
    assert form.slots["address"].valid_from == before
    assert form.slots["address"].valid_until is None
    assert not memory.pending()


def test_expired_facts_that_are_over_are_counted_no_more(memory: Memory, clock: FixedClock) -> None:
    for i in range(101):
        slots = {"name": f"Place {i}", "address": {"value": f"{i} Mill Lane", "valid_until": "2026-06-01"}}
        memory.record("place", slots, source="user")
    clock.advance(days=120)
    memory.refuse("faded:*")
    assert not memory.pending()


def test_scopes_are_counted_by_themselves(memory: Memory, clock: FixedClock) -> None:
    for user in ("ana", "ben"):
        places(memory.scoped(user=user), 40)
    clock.advance(days=900)
    assert len(memory.scoped(user="ana").pending()) == 80


def test_a_merge_and_a_split_make_nothing_fresher(tmp_path: Path, clock: FixedClock) -> None:
    path = tmp_path / "taste.yaml"
    path.write_text(
        "form_type: taste\nidentity: each\nlife: {fade_per_day: 0.5, cold_after_days: null}\n"
        "slots: {drink: {type: text}, note: {type: text}}\n",
        encoding="utf-8",
    )
    with Memory.open(":memory:", form_types=[path], clock=clock, embedder=None) as memory:
        one = memory.record("taste", {"note": "new"}, source="user").forms[0]
        other = memory.record("taste", {"drink": "tea"}, source="user").forms[0]
        clock.advance(days=2)
        act = memory.merge(one, other).act
        assert memory.get(one).slots["drink"].confidence == 0.25
        part = memory.split(one, ["drink"]).forms[-1]
        assert memory.get(part).slots["drink"].confidence == 0.25
        assert act is not None
        memory.confirm(f"faded:{part}:drink")
        assert memory.get(part).slots["drink"].confidence == 1
        memory.merge(one, part)
        clock.advance(days=1)
        assert memory.get(one).slots["drink"].confidence == 0.5
        assert memory.verify().ok


# -- why nothing is asked --------------------------------------------------------------------------------------
def test_an_answer_to_what_is_not_asked_tells_why(halves: Memory, clock: FixedClock) -> None:
    id = told(halves, mood="calm")
    clock.advance(days=3)
    for empty in ("", "  "):
        with pytest.raises(InvalidInput, match="leave it out where all still holds"):
            halves.confirm(f"faded:{id}:mood", empty)
    halves.invalidate(id, "gone")
    with pytest.raises(Conflict, match=f"{id} is invalid; roll it back first"):
        halves.confirm(f"faded:{id}:mood")
    with pytest.raises(Conflict, match="no facts are old now"):
        halves.confirm("faded:*")


def test_an_answer_to_what_is_cold_or_over_tells_so(tmp_path: Path, clock: FixedClock) -> None:
    types = HALVES.replace("cold_after_days: null", "cold_after_days: 30")
    (tmp_path / "note.yaml").write_text(types, encoding="utf-8")
    (tmp_path / "short.yaml").write_text(
        HALVES.replace("note", "short").replace("cold_after_days: null", "ttl_seconds: 1000"),
        encoding="utf-8",
    )
    files = [tmp_path / "note.yaml", tmp_path / "short.yaml"]
    with Memory.open(tmp_path / "c.db", form_types=files, clock=clock, embedder=None) as memory:
        id, short = (
            told(memory, mood="calm"),
            memory.record("short", {"mood": "calm"}, source="user").forms[0],
        )
        clock.advance(days=40)
        with pytest.raises(Conflict, match=f"{id} is cold, and comes back when a recall with include_cold"):
            memory.confirm(f"faded:{id}:mood")
        with pytest.raises(Conflict, match=f"{short} has expired"):
            memory.confirm(f"faded:{short}:mood")


def test_health_and_what_is_pending_count_the_same_facts(halves: Memory, clock: FixedClock) -> None:
    """Old facts of types that do not fade are asked about nowhere, and make nobody overdue."""
    end = NOON + timedelta(days=1)
    for number in range(101):
        halves.record("firm", {"name": f"Firm {number}", "budget": {"value": "1", "valid_until": end}})
    clock.advance(days=2)
    assert halves.health().expired_facts == 101
    assert (halves.health().overdue, faded(halves)) == (0, [])
    for number in range(101):
        halves.record("note", {"mood": "calm"}, source="user", speaker=f"s{number}")
    clock.advance(days=3)
    assert halves.health().overdue == 1
    assert [item.id for item in faded(halves)] == ["faded:*"]
