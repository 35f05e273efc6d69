"""Whose a fact is, whether it still holds, and how much of the sentence it is: all shipped types, offline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.extraction.gate import gate
from forms_dynamics.language.subjects import another_subject
from forms_dynamics.model.message import Draft, Message, SlotDraft
from forms_dynamics.schema.load import load_catalog
from forms_dynamics.settings import Settings


def remembered(*texts: str) -> dict[str, Any]:
    """What one speaker's messages leave: slots by "type.slot", avoided values behind a minus sign, and what waits
    behind a question mark."""
    out: dict[str, Any] = {}
    with Memory.open(":memory:", settings={"timezone": "Asia/Shanghai"}) as memory:
        for text in texts:
            memory.observe(text, speaker="小周")
        for form in memory.find():
            for name, slot in form.slots.items():
                if slot.status == "known" and slot.value is not None:
                    value = list(slot.value) if isinstance(slot.value, tuple) else str(slot.value)
                    out[f"{form.type}.{name}"] = value
                if slot.avoided:
                    out[f"-{form.type}.{name}"] = sorted(slot.avoided)
        for item in memory.pending():
            out[f"?{item.form_type}.{item.slot}"] = item.reason
    return out


EMAIL = {"user_profile.email": "a@b.cn"}
PEANUTS = {"user_profile.allergies": ["花生"]}
NUTS = {"user_profile.allergies": ["nuts"]}


@pytest.mark.parametrize(
    "text",
    [
        # a title and a name, a role, a relative of another, a name, a thing
        "李医生的邮箱是li@b.cn。",
        "校长邮箱：a@b.cn",
        "张伟邮箱：a@b.cn",
        "请记一下李医生的邮箱是li@b.cn",
        "帮我记一下李医生的邮箱是li@b.cn",
        "我的主治医生的邮箱是li@b.cn",
        "海蓝电子的邮箱是a@b.cn",
        "李雷妈妈的生日是2010年5月3日",
        "张伟的职业是医生",
        "张伟的家庭住址是中山路12号",
        "患者的过敏原：花生",
        "王敏的健康事项：高血压",
        # the subject of a verb
        "患者王敏对青霉素过敏",
        "学生李雷对花生过敏",
        "很多人对花生过敏",
        "这个班有三个学生对花生过敏",
        "我们班有三个学生对花生过敏",
        "我知道王敏对青霉素过敏",
        "这孩子从小对花生过敏",
        "公司搬到苏州",
        # the sentence was about them
        "患者王敏，女，30岁，对青霉素过敏",
        "王敏是新来的，邮箱是w@b.cn",
        # two scripts
        "Tom对花生过敏",
        "Tom 的 email 是t@b.cn",
        "李医生's email is li@b.cn",
        "患者王敏对 penicillin 过敏",
        "Dr. Li's email is li@b.cn.",
    ],
)
def test_what_is_told_of_another_is_not_the_speakers(text: str) -> None:
    assert remembered(text) == {}


def test_another_does_not_overwrite_the_speaker() -> None:
    assert remembered("我的邮箱是a@b.cn。", "李医生的邮箱是li@b.cn。") == EMAIL


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *((text, EMAIL) for text in (
            "邮箱：a@b.cn", "我们的邮箱是a@b.cn", "俺的邮箱是a@b.cn", "本人邮箱a@b.cn", "新的邮箱是a@b.cn", "工作邮箱：a@b.cn",
            "单位邮箱是a@b.cn", "常用邮箱：a@b.cn", "我常用的邮箱是a@b.cn", "能收到通知的邮箱是a@b.cn", "李经理您好，邮箱是a@b.cn",
            "请把邮箱改为a@b.cn", "my 邮箱是a@b.cn", "我的 email 是a@b.cn", "My email is a@b.cn",
        )),
        *((text, PEANUTS) for text in (
            "对花生过敏", "从小对花生过敏", "我从小对花生过敏", "我平时对花生过敏", "检查出来对花生过敏", "我之前说过我对花生过敏",
            "我不怀疑我对花生过敏",
        )),
        ("我叫张伟，邮箱是a@b.cn", {**EMAIL, "user_profile.name": "张伟"}),
        ("姓名：张伟，邮箱：a@b.cn", {**EMAIL, "user_profile.name": "张伟"}),
        ("本人的生日是1990年5月3日", {"user_profile.birthday": "1990-05-03"}),
        ("本人生日是1990年5月3日", {"user_profile.birthday": "1990-05-03"}),
        ("最近全家搬到苏州", {"user_profile.city": "苏州"}),
        ("海蓝电子的预算是50万", {"lead_profile.company": "海蓝电子", "lead_profile.budget": "500,000 CNY"}),
        ("健康事项：高血压，健康类别：疾病。", {"health_fact.name": "高血压", "health_fact.kind": "condition"}),
    ],
)  # fmt: skip
def test_the_speakers_own_stays(text: str, expected: Mapping[str, Any]) -> None:
    assert remembered(text) == expected


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("李医生的邮箱是a", "李医生"), ("我的邮箱是a", None), ("现在的邮箱是a", None), ("客服邮箱是a", "客服"),
        ("应急邮箱是a", None), ("我和老婆的邮箱是a", None),
    ],
)  # fmt: skip
def test_an_owner_stands_right_before_the_noun(text: str, who: str | None) -> None:
    assert another_subject(text, text.index("邮箱"), len(text) - 1) == who


def test_a_model_may_not_give_another_s_fact_to_the_speaker_either() -> None:
    text = "张伟的职业是医生"
    message = Message("m1", text, "小周", "user", "c1", datetime.fromisoformat("2026-06-01T10:00:00+08:00"))
    given = Draft("user_profile", {"occupation": SlotDraft("医生", 0.95, evidence=text)})
    (out,), _ = gate(message, [given], load_catalog(["user_profile"]), Settings())
    assert not out.accepted
    assert [held.reason for held in out.held] == ["ambiguous_target"]


@pytest.mark.parametrize(
    "text",
    [
        "老板说我爸对虾过敏", "老板说我爸的生日是5月3日", "Tom told me my dad is allergic to shrimp", "Tom says 我爸对虾过敏",
        "老板 told me my dad is allergic to shrimp", "老板说我对虾过敏", "我爸说他对虾过敏",
    ],
)  # fmt: skip
def test_a_third_party_quoted_about_a_relative_writes_nothing(text: str) -> None:
    assert remembered(text) == {}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("我爸对虾过敏", "虾"),
        ("我跟老板说了我爸对虾过敏", "虾"),
        ("I told Tom my dad is allergic to shrimp", "shrimp"),
    ],
)
def test_what_the_speaker_tells_of_a_relative_is_known(text: str, what: str) -> None:
    assert remembered(text) == {"family_member.relation": "father", "family_member.health": [what]}


@pytest.mark.parametrize(
    "text",
    [
        "我怀疑我对花生过敏", "医生怀疑我对花生过敏", "我怀疑自己对 nuts 过敏", "The doctor suspects I'm allergic to nuts",
        "I suspect I'm allergic to nuts",
    ],
)  # fmt: skip
def test_a_suspicion_waits(text: str) -> None:
    assert remembered(text) == {"?user_profile.allergies": "hedged"}


ENDS: list[tuple[str, str]] = [
    ("我对花生过敏", "我对花生不再过敏"),
    ("我对花生过敏", "我对花生不过敏了"),
    ("我对花生过敏", "我对花生已经不过敏了"),
    ("我对花生过敏", "我从来没对花生过敏过"),
    ("过敏原：花生", "我对花生不再过敏"),
    ("我对牛奶过敏", "我以前对牛奶过敏，现在不了"),
    ("我对牛奶过敏", "以前我对牛奶过敏，现在好了"),
    ("I'm allergic to nuts", "I'm no longer allergic to nuts"),
    ("I'm allergic to nuts", "I'm not allergic to nuts"),
    ("I'm allergic to nuts", "I'm not allergic to nuts anymore"),
    ("I'm allergic to nuts", "I used to be allergic to nuts"),
    ("I'm allergic to nuts", "I was allergic to nuts as a child, but not anymore"),
    ("I'm allergic to nuts", "我对 nuts 不过敏了"),
]


@pytest.mark.parametrize(("before", "now"), ENDS)
def test_an_allergy_that_is_over_is_taken_away(before: str, now: str) -> None:
    assert remembered(before) != {}
    assert remembered(before, now) == {}


@pytest.mark.parametrize(
    "text", sorted({now for _, now in ENDS} | {"我小时候对牛奶过敏", "I was allergic to nuts"})
)
def test_what_was_never_held_is_nothing(text: str) -> None:
    with Memory.open(":memory:", settings={"timezone": "Asia/Shanghai"}) as memory:
        memory.observe(text, speaker="小周")
        assert list(memory.find()) == []


def test_the_other_allergies_stay() -> None:
    assert remembered("我对花生、芒果过敏", "我对花生不过敏了") == {"user_profile.allergies": ["芒果"]}
    mother = {"family_member.relation": "mother"}
    assert remembered("我妈对花生过敏", "我妈对花生不过敏了") == mother
    assert remembered("My mom is allergic to nuts", "My mom is no longer allergic to nuts") == mother
    assert remembered("我对花生过敏", "我对花生可能不过敏了") == {
        **PEANUTS,
        "?user_profile.allergies": "hedged",
    }
    assert remembered("I'm allergic to nuts", "I'm allergic to nuts") == NUTS


@pytest.mark.parametrize(
    ("text", "likes", "avoids"),
    [
        ("I like oat milk and hate cilantro", ["oat milk"], ["cilantro"]),
        ("I like tea and dislike coffee", ["tea"], ["coffee"]),
        ("I love tea and avoid milk", ["tea"], ["milk"]),
        ("I like swimming and hate running", ["swimming"], ["running"]),
        ("I hate cilantro and love basil", ["basil"], ["cilantro"]),
        ("I like tea, but hate coffee", ["tea"], ["coffee"]),
        ("I like tea and love coffee", ["tea", "coffee"], []),
        ("I like peace and love", ["peace", "love"], []),
        ("我喜欢喝茶和讨厌咖啡", ["茶"], ["咖啡"]),
        ("我喜欢咖啡和不喜欢茶", ["咖啡"], ["茶"]),
        ("我爱吃面，不爱吃米饭", ["面"], ["米饭"]),
        ("我讨厌咖啡和喜欢茶", ["茶"], ["咖啡"]),
        ("我喜欢茶但不喜欢咖啡", ["茶"], ["咖啡"]),
        ("我喜欢茶和咖啡", ["茶", "咖啡"], []),
        ("我喜欢 oat milk 和讨厌 cilantro", ["oat milk"], ["cilantro"]),
        ("我like tea and hate coffee", ["tea"], ["coffee"]),
    ],
)
def test_a_dislike_behind_a_like(text: str, likes: Sequence[str], avoids: Sequence[str]) -> None:
    expected = {"preference.liked": likes, "-preference.liked": avoids}
    assert remembered(text) == {name: value for name, value in expected.items() if value}


@pytest.mark.parametrize(
    ("text", "employer"),
    [
        ("I work at Acme since 2019", "Acme"),
        ("I work at Brightwater School as a teacher", "Brightwater School"),
        ("I work at the clinic on Mondays", "the clinic"),
        ("I work at Acme in London", "Acme"),
        ("I work at Acme, where I run the lab", "Acme"),
        ("I work at Acme full-time", "Acme"),
        ("I work at Institute for Advanced Study", "Institute for Advanced Study"),
        ("I work for the Bank of England", "the Bank of England"),
        ("I work at Smith and Sons", "Smith and Sons"),
        ("我任职于海蓝电子担任采购经理", "海蓝电子"),
        ("我就职于市第一医院", "市第一医院"),
        ("我就职于 Acme since 2019", "Acme"),
        ("I work at 海蓝电子 since 2019", "海蓝电子"),
    ],
)
def test_an_employer_ends_with_its_name(text: str, employer: str) -> None:
    assert remembered(text) == {"user_profile.employer": employer}


def test_an_employer_and_a_city() -> None:
    both = {"user_profile.employer": "Acme", "user_profile.city": "Leeds"}
    assert remembered("I work for Acme and live in Leeds") == both


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("My grandfather lives in York.", "我爷爷住在哪里？", "York"),
        ("My grandfather lives in York.", "Where does my grandfather live?", "York"),
        ("我爷爷住在苏州。", "Where does my grandfather live?", "苏州"),
        ("我 uncle 住在苏州。", "我舅舅住在哪里？", "苏州"),
        ("My daughter lives in Leeds.", "我孩子住在哪里？", "Leeds"),
    ],
)
def test_a_relative_is_found_by_a_narrower_or_wider_word(told: str, asked: str, answer: str) -> None:
    with Memory.open(":memory:", settings={"timezone": "Asia/Shanghai"}) as memory:
        memory.observe(told, speaker="小周")
        (form,) = memory.recall(asked).forms
        assert form["city"] == answer


def test_the_word_itself_comes_first_and_a_sibling_never_answers() -> None:
    with Memory.open(":memory:", settings={"timezone": "Asia/Shanghai"}) as memory:
        memory.observe("我爷爷住在苏州。", speaker="小周")
        assert not memory.recall("我外公住在哪里？").forms
        memory.observe("My grandfather lives in York.", speaker="小周")
        (form,) = memory.recall("我爷爷住在哪里？").forms
        assert form["city"] == "苏州"
