"""With every shipped type loaded: shared words go where they belong, and talk stays talk."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.extraction.recognisers import Recognisers
from forms_dynamics.model.form import Form
from forms_dynamics.model.message import Message
from forms_dynamics.schema.coerce import coerce
from forms_dynamics.schema.load import load_catalog
from forms_dynamics.settings import Settings

TIME = datetime.fromisoformat("2026-06-12T10:00:00+08:00")
CATALOG = load_catalog()
RECOGNISERS = Recognisers(CATALOG, Settings())


def said(text: str, *known: str) -> list[tuple[str, dict[str, Any]]]:
    """Form types and values as text, in the order of the drafts; ``known``: types that were talked about."""
    forms = tuple(
        Form(f"f{i}", name, 1, "active", {}, frozenset(), frozenset(), None, TIME, TIME, TIME)
        for i, name in enumerate(known)
    )
    out = []
    for draft in RECOGNISERS.extract(Message("m1", text, "speaker", "user", "c1", TIME), forms).drafts:
        values = {}
        for name, slot in draft.slots.items():
            assert slot.span is not None
            assert slot.evidence == text[slice(*slot.span)]
            read = coerce(CATALOG.types[draft.form_type].slots[name], slot.value, TIME, None, text)
            assert read.error is None
            value = [str(v) for v in read.value] if isinstance(read.value, tuple) else str(read.value)
            values[("-" if slot.negated else "") + name] = value
        out.append((draft.form_type, values))
    return out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # words that many types know stay with the type whose own they are
        ("预算50万", [("lead_profile", {"budget": "500,000 CNY"})]),
        ("我们预算50万，8月底前交付", [("lead_profile", {"budget": "500,000 CNY", "deadline": "2026-08-31"})]),
        ("负责人：王建国，电话：13800138000", [("lead_profile", {"contact_name": "王建国", "phone": "13800138000"})]),
        ("My name is Amir Khaled and my phone number is +1-555-0345.",
         [("lead_profile", {"contact_name": "Amir Khaled", "phone": "+1-555-0345"}), ("user_profile", {"name": "Amir Khaled"})]),
        ("Name: Petra Novak", [("user_profile", {"name": "Petra Novak"})]),
        ("Email: petra@example.com", [("user_profile", {"email": "petra@example.com"})]),
        ("My birthday is May 17, 1990.", [("user_profile", {"birthday": "1990-05-17"})]),
        ("My address is 14 Mill Lane.", [("user_profile", {"address": "14 Mill Lane"})]),
        ("状态：执行中", [("contract_form", {"status": "active"})]),
        ("链接：https://example.com/plan", [("document", {"url": "https://example.com/plan"})]),
        ("给临江重工报价48万，30天内有效。",
         [("lead_profile", {"company": "临江重工"}), ("quote_form", {"company": "临江重工", "amount": "480,000 CNY", "valid_until": "2026-07-12"})]),
        ("付款方式：月结30天", [("lead_profile", {"payment_terms": "月结30天"})]),
        ("我对芒果过敏。", [("user_profile", {"allergies": ["芒果"]})]),
        # a type that is named takes the bare word
        ("订单A1009，Status: shipped", [("order", {"order_no": "A1009", "status": "shipped"})]),
        ("Task name: Collect the figures. Status: in progress.", [("task", {"name": "Collect the figures", "status": "in_progress"})]),
        ("Project name: Skyline. Owner: Dana Reyes.", [("project", {"name": "Skyline", "owner": "Dana Reyes"})]),
        # the name of what is to be done, however it is set off
        ("帮我创建任务[编写季度总结报告]", [("task", {"name": "编写季度总结报告"})]),
        ("新建任务：核对合同", [("task", {"name": "核对合同"})]),
        ("创建任务【整理销售数据】，谢谢", [("task", {"name": "整理销售数据"})]),
        ("Create a task “Write the report”.", [("task", {"name": "Write the report"})]),
        # both languages in one sentence
        ("我喜欢oat milk。", [("preference", {"liked": ["oat milk"]})]),
        ("我不喝black coffee。", [("preference", {"-liked": ["black coffee"]})]),
        ("我叫 Petra。", [("user_profile", {"name": "Petra"})]),
    ],
)  # fmt: skip
def test_what_is_said_goes_where_it_belongs(text: str, expected: list[tuple[str, dict[str, Any]]]) -> None:
    assert sorted(said(text), key=str) == sorted(expected, key=str)


@pytest.mark.parametrize(
    ("text", "known", "expected"),
    [
        ("Status: shipped", "order", {"status": "shipped"}),
        ("Status: blocked", "task", {"status": "blocked"}),
        ("Owner: Dana Reyes", "project", {"owner": "Dana Reyes"}),
        ("Goal: move all services", "project", {"goal": "move all services"}),
        ("Purpose: Migration review", "meeting", {"purpose": "Migration review"}),
        ("Add a projector.", "resource_requirement", {"equipment": ["projector"]}),
    ],
)
def test_the_bare_word_means_what_is_talked_about(text: str, known: str, expected: dict[str, Any]) -> None:
    assert said(text, known) == [(known, expected)]
    assert said(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Summary: sales rose in spring.", "Purpose: leisure", "Category: travel", "Priority: high", "Team: red",
        "The film starts at 7 pm.", "The rent is due on June 3.", "Participants will get a certificate.",
        "This project is amazing.", "I need it to do my regular tasks.", "I'm going to order something later.",
        "You say the tasks of the project are done, but I can't see it. It's done?",
        "I cancelled the appointment with my dentist.", "I'll add it to my list.", "My partner is Tom.",
        "My friend's birthday party is on Saturday.", "她的生日是6月12日。", "我同事的生日是6月12日。", "你爸爸的生日是哪天？",
        "我爸昨天又去钓鱼了。", "我妈和我都喜欢这家店。", "要是我爸的生日是6月12日就好了。", "非常紧急！", "完成了。", "产品不错。",
        "在会议室等你。", "这个订单什么时候到？", "今天的会议取消了吗？", "我在项目上学到了很多。", "有机会去你说的地方看看。",
    ],
)  # fmt: skip
def test_talk_makes_no_form(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我爸的生日是1962年6月12日。", [{"relation": "father", "birthday": "1962-06-12"}]),
        ("我表哥的生日是一九八八年五月二十日。", [{"relation": "elder_male_cousin", "birthday": "1988-05-20"}]),
        ("我爷爷住在苏州。", [{"relation": "paternal_grandfather", "city": "苏州"}]),
        ("我小姨子对花生过敏。", [{"relation": "wifes_younger_sister", "health": ["花生"]}]),
        ("My father-in-law lives in Leeds.", [{"relation": "father_in_law", "city": "Leeds"}]),
        ("My wife's father lives in Leeds.", [{"relation": "wifes_father", "city": "Leeds"}]),
        ("我舅妈叫张晓梅。", [{"relation": "maternal_uncles_wife", "name": "张晓梅"}]),
        ("我妈妈的名字叫王丽娟，住在苏州。", [{"relation": "mother", "name": "王丽娟", "city": "苏州"}]),
        ("我女儿对花生过敏，我儿子住在杭州。",
         [{"relation": "daughter", "health": ["花生"]}, {"relation": "son", "city": "杭州"}]),
        ("My sister Ema lives in Leeds.", [{"relation": "sister", "name": "Ema", "city": "Leeds"}]),
        ("My dad is allergic to penicillin.", [{"relation": "father", "health": ["penicillin"]}]),
        ("My grandmother was born on March 3, 1940.", [{"relation": "grandmother", "birthday": "1940-03-03"}]),
        ("my wife's name is Ana Lima.", [{"relation": "wife", "name": "Ana Lima"}]),
    ],
)  # fmt: skip
def test_a_relatives_fact_is_the_relatives(text: str, expected: list[dict[str, Any]]) -> None:
    assert said(text) == [("family_member", values) for values in expected]


def test_a_relatives_fact_is_stored_under_the_relative() -> None:
    with Memory.open(":memory:") as memory:
        memory.observe("我爸的生日是1962年6月12日。", speaker="u1", time=TIME)
        memory.observe("我妈对花生过敏。", speaker="u1", time=TIME)
        memory.observe("我爸叫李建国。", speaker="u1", time=TIME)
        forms = {form["relation"]: form for form in memory.find("family_member")}
        assert set(forms) == {"father", "mother"}
        assert forms["father"]["name"] == "李建国"
        assert str(forms["father"]["birthday"]) == "1962-06-12"
        assert forms["mother"]["health"] == ("花生",)
        assert memory.find("user_profile") == []
        assert "1962-06-12" in memory.recall("我爸的生日是哪天？").text
