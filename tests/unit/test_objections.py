"""What a user asks for against what is known of them is told at once; near matches; questions that expire."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from forms_dynamics import Conflict, Memory
from forms_dynamics.testing import FixedClock

# what is known, what is said then, the words that go against it (None: nothing does)
SAID: list[tuple[str, str, str | None]] = [
    ("我不吃辣", "今晚订一家川菜馆吧", "川菜"),
    ("我不吃辣", "今晚订一家粤菜馆吧", None),
    ("我不吃辣", "我朋友喜欢川菜", None),
    ("我不吃辣", "我不要川菜", None),
    ("我不吃香菜", "麻烦多放香菜", "香菜"),
    ("我不喝咖啡", "来杯拿铁", "拿铁"),
    ("我对花生过敏", "来一份宫保鸡丁", "宫保鸡丁"),
    ("我对芒果过敏", "我要一份芒果冰", "芒果"),
    ("我吃素", "给我来份牛肉面", "牛肉"),
    ("I am vegetarian", "I'd like to order beef noodles", "beef"),
    ("I'm vegetarian.", "I'd like the vegetarian noodles", None),
    ("I don't eat spicy food", "Let's book a Sichuan restaurant", "Sichuan"),
    ("I'm allergic to peanuts", "I want the chicken satay", "satay"),
    ("I love beef", "I'd like to order beef noodles", None),
    ("我不吃辣", "我想吃 spicy 的 mapo tofu", "mapo tofu"),
]


@pytest.mark.parametrize(("known", "said", "against"), SAID)
def test_what_goes_against_a_preference_is_told_at_once(known: str, said: str, against: str | None) -> None:
    with Memory.open(":memory:", settings={"timezone": "Asia/Shanghai"}) as memory:
        assert not memory.observe(known, conversation="a").questions
        questions = memory.observe(said, conversation="b").questions
        assert bool(questions) == (against is not None)
        if against is not None:
            assert any(against in question for question in questions)


def test_in_one_message_and_never_of_another_speaker() -> None:
    with Memory.open(":memory:") as memory:
        assert memory.observe("我不吃辣，给我点个川菜", speaker="ana").questions
        assert not memory.observe("订一家川菜馆吧", speaker="bo").questions
        assert not memory.observe("订一家川菜馆吧", role="assistant").questions


NAMES: list[tuple[str, str, bool]] = [
    ("公司：海蓝电子", "公司：海蓝电子有限公司", True),
    ("公司：海蓝电子", "公司：海兰电子", True),
    ("公司：海蓝电子", "公司：海蓝化工", False),
    ("公司：青禾科技", "公司：青和科技", True),
    ("公司：青禾科技", "公司：云川科技", False),
    ("Company: Acme Foods", "Company: Acme Foods Ltd.", True),
    ("Company: Acme Foods", "Company: Acmee Foods", True),
    ("Company: Acme Foods", "Company: Acme Fodos", True),
    ("Company: Acme Foods", "Company: Acme Goods", False),
    ("公司：海蓝电子", "项目名称：海蓝电子", False),
]


@pytest.mark.parametrize(("one", "other", "near"), NAMES)
def test_near_names_are_candidates_and_never_merged(one: str, other: str, near: bool) -> None:
    with Memory.open(":memory:") as memory:
        memory.observe(one, conversation="a")
        memory.observe(other, conversation="b")
        assert len(memory.find()) == 2
        found = memory.candidates()
        assert len(found) == near
        if near:
            ids = {form.id for form in memory.find()}
            assert {found[0].source, found[0].target} == ids
            kept = memory.merge(found[0].source, found[0].target)
            assert not memory.candidates()
            memory.undo(kept.act or "")
            assert len(memory.find()) == 2


def test_a_question_that_nobody_answers_expires() -> None:
    clock = FixedClock(datetime(2026, 1, 1, tzinfo=UTC))
    with Memory.open(":memory:", clock=clock, settings={"pending_days": 30}) as memory:
        memory.observe("公司：海蓝电子，预算大概50万")
        (item,) = memory.pending()
        form = memory.find("lead_profile")[0]
        assert form.slots["budget"].status == "pending"
        clock.advance(days=31)
        assert not memory.pending()
        assert "budget" not in memory.get(form.id).slots
        with pytest.raises(Conflict, match="expired"):
            memory.confirm(item.id)
        assert memory.upkeep(dry_run=True).expired_questions == 1
        assert memory.upkeep().expired_questions == 1
        assert memory.upkeep().expired_questions == 0
