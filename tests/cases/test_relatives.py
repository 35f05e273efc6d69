"""A relative's fact belongs to the relative, in what is stored and in what is answered."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from forms_dynamics import Form

from .world import World, Worlds, draft, money, on_both, said

FAMILY = """\
form_type: family_member
aliases: [家人, 亲属, family member]
identity: {any: [[$speaker, name], [$speaker, relation]]}
slots:
  relation:
    type: enum
    aliases: [关系, relation]
    values:
      father: [爸, 父亲, 爹, 老爷子, 老头子, dad, my old man, old man, papa]
      mother: [妈, 母亲, 娘, 老太太, mom, mum, mama]
      daughter: [女儿, 闺女, 丫头, girl]
      brother: [哥, 弟弟]
      aunt: [婶婶, 大姨]
      wife: [老婆, 媳妇, 我家领导, the boss at home]
  name: {type: text, aliases: [姓名, name]}
  birthday: {type: date, aliases: [生日, birthday]}
  city: {type: text, aliases: [城市, city], cues: [住在, lives in]}
  allergies: {type: text, many: true, aliases: [过敏史, allergies]}
  food: {type: text, many: true, aliases: [喜好, food preference]}
  phone: {type: phone, aliases: [电话, phone]}
  budget: {type: money, unit: CNY, aliases: [预算, budget]}
"""
NOW = "2026-06-10T10:00:00+08:00"


def family(worlds: Worlds, **options: Any) -> World:
    """Relatives beside the shipped types about the speaker, read by the recognisers unless ``script`` is given."""
    options.setdefault("script", [])
    if not options["script"]:
        options["extractor"] = None
    return worlds(
        types=["user_profile", "preference", "lead_profile"],
        yaml=FAMILY,
        now=NOW,
        **{"messages": [], **options},
    )


def told(form: Form) -> dict[str, Any]:
    """Known values, text and lists as they are, dates in ISO."""
    values = {name: slot.value for name, slot in form.slots.items() if slot.status == "known"}
    values |= {f"not {n}": tuple(s.avoided) for n, s in form.slots.items() if s.avoided}
    values = {n: v for n, v in values.items() if v is not None}
    return {n: v.isoformat() if isinstance(v, date) else v for n, v in values.items()}


# message → what the relatives' Forms hold, and what the speaker's own do
CASES: list[tuple[str, list[dict[str, Any]], dict[str, Any]]] = [
    ("我爸的生日是1960年5月3日", [{"relation": "father", "birthday": "1960-05-03"}], {}),
    ("My mom is allergic to peanuts", [{"relation": "mother", "allergies": ("peanuts",)}], {}),
    ("My mom's allergic to peanuts and lives in York.",
     [{"relation": "mother", "allergies": ("peanuts",), "city": "York"}], {}),
    ("我女儿在上海读书，我住在北京", [], {"city": "北京"}),
    ("my brother's budget is 50k USD", [{"relation": "brother", "budget": money(50000, "USD")}], {}),
    ("我爸住在苏州，我住在北京", [{"relation": "father", "city": "苏州"}], {"city": "北京"}),
    ("My daughter lives in Leeds. I live in York.", [{"relation": "daughter", "city": "Leeds"}], {"city": "York"}),
    ("I live in York and my daughter lives in Leeds.", [{"relation": "daughter", "city": "Leeds"}], {"city": "York"}),
    # colloquial and dialect, all by the words of the YAML
    ("俺爸住在绵阳", [{"relation": "father", "city": "绵阳"}], {}),
    ("俺爹住在绵阳", [{"relation": "father", "city": "绵阳"}], {}),
    ("俺娘对花生过敏", [{"relation": "mother", "allergies": ("花生",)}], {}),
    ("咱妈对花生过敏", [{"relation": "mother", "allergies": ("花生",)}], {}),
    ("我家老爷子生日是1960年3月8日", [{"relation": "father", "birthday": "1960-03-08"}], {}),
    ("我闺女叫小雨", [{"relation": "daughter", "name": "小雨"}], {}),
    ("my old man lives in Leeds", [{"relation": "father", "city": "Leeds"}], {}),
    ("Mom's birthday is 3 May 1960", [{"relation": "mother", "birthday": "1960-05-03"}], {}),
    ("爸爸的生日是1960年5月3号", [{"relation": "father", "birthday": "1960-05-03"}], {}),
    ("我老爸不吃辣", [{"relation": "father", "not food": ("辣",)}], {}),
    ("My dad hates fish", [{"relation": "father", "not food": ("fish",)}], {}),
    ("我家领导住在苏州", [{"relation": "wife", "city": "苏州"}], {}),
    ("我媽對花生過敏", [{"relation": "mother", "allergies": ("花生",)}], {}),
    # what goes on about the same person, and names
    ("我妈叫王芳，生日是1960年6月1日", [{"relation": "mother", "name": "王芳", "birthday": "1960-06-01"}], {}),
    ("My dad is Jim. He lives in Leeds.", [{"relation": "father", "name": "Jim", "city": "Leeds"}], {}),
    ("我妈叫王芳。她住在苏州。", [{"relation": "mother", "name": "王芳", "city": "苏州"}], {}),
    ("My daughter Anna's birthday is 3 May 1960.", [{"relation": "daughter", "name": "Anna", "birthday": "1960-05-03"}], {}),
    ("我妈的电话是13800138000", [{"relation": "mother", "phone": "13800138000"}], {}),
    ("关系：母亲，姓名：王芳，生日：1960年6月1日",
     [{"relation": "mother", "name": "王芳", "birthday": "1960-06-01"}], {}),
    ("我爸生日是1960年5月3日，我妈生日是1960年6月1日",
     [{"relation": "father", "birthday": "1960-05-03"}, {"relation": "mother", "birthday": "1960-06-01"}], {}),
    ("我闺女小雨住在上海", [{"relation": "daughter", "name": "小雨", "city": "上海"}], {}),
    ("我大姨老家在绵阳", [], {}),
    ("I listen to My Brother, My Brother and Me a lot", [], {}),
    # mixed
    ("我 mom 的 birthday 是 3 May 1960", [{"relation": "mother", "birthday": "1960-05-03"}], {}),
    ("My 妈妈 is allergic to 花生", [{"relation": "mother", "allergies": ("花生",)}], {}),
    # somebody else's: nothing is stored rather than in the wrong place
    ("我爸的同事住在苏州", [], {}),
    ("我哥们住在苏州", [], {}),
    ("我爸妈住在苏州", [], {}),
    ("My mom and dad live in York", [], {}),
    ("My mom's friend is allergic to nuts", [], {}),
    ("My mother-in-law lives in Leeds", [], {}),
    ("他爸住在苏州", [], {}),
    ("His mom lives in Leeds", [], {}),
    ("王总的女儿住在苏州", [], {}),
    ("我表弟的生日是1960年5月3日", [], {}),
    ("My landlord's phone is 13800138000", [], {}),
    ("我爸公司预算50万", [], {}),
    ("My dad's company has a budget of $50k", [], {}),
    # not claimed
    ("我爸的生日是1960年5月3日吗？", [], {}),
    ("Does my mom live in York?", [], {}),
    ("如果我爸的生日是1960年5月3日就好了", [], {}),
    ("我爸不住在苏州", [], {}),
    ("My dad is not allergic to nuts", [], {}),
    ("开玩笑的，我爸住在火星", [], {}),
    # the speaker's own, with a relative beside
    ("我生日是1960年5月3日", [], {"birthday": "1960-05-03"}),
    ("我叫李海涛，我住在苏州", [], {"name": "李海涛", "city": "苏州"}),
    ("我给我妈买了花生，我住在苏州", [], {"city": "苏州"}),
    ("I'm allergic to peanuts and live in York", [], {"allergies": ("peanuts",), "city": "York"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "relatives", "own"), CASES, ids=[c[0] for c in CASES])
def test_whose_fact_a_message_tells(
    worlds: Worlds, text: str, relatives: list[dict[str, Any]], own: dict[str, Any]
) -> None:
    w = family(worlds)
    w.memory.observe(text, speaker="li", conversation="c1", time=NOW)
    forms = list(w.memory.find())
    kin = [told(f) for f in forms if f.type == "family_member"]
    assert sorted(kin, key=lambda told: str(told["relation"])) == relatives
    assert {k: v for f in forms if f.type != "family_member" for k, v in told(f).items()} == own
    for form in forms:
        for name, slot in form.slots.items():  # each value rests on words of the message
            if slot.value is None:
                continue
            assert slot.evidence is not None, name
            assert slot.evidence.text in text, name


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("我爸生日大概是1960年5月3日", "birthday"),
        ("my mom probably lives in Leeds", "city"),
        ("我妈的预算 maybe 50万", "budget"),
        ("My brother's budget is 大概 50k USD", "budget"),
    ],
)
def test_a_doubtful_fact_waits_with_the_relative(worlds: Worlds, text: str, slot: str) -> None:
    w = family(worlds)
    w.memory.observe(text, speaker="li", time=NOW)
    f = w.only("family_member")
    [p] = w.memory.pending()
    assert (p.form_id, p.slot, p.reason) == (f.id, slot, "hedged")
    assert f[slot] is None
    assert list(w.memory.find("user_profile")) == []


@on_both
def test_each_speaker_has_relatives_of_their_own(worlds: Worlds) -> None:
    w = family(worlds)
    w.memory.observe("我妈的生日是1960年5月3日", speaker="王总", conversation="c1", time=NOW)
    w.memory.observe("My mom's birthday is 7 June 1960.", speaker="Dana", conversation="c1", time=NOW)
    w.memory.observe("更正：我妈的生日是1960年5月4日", speaker="王总", conversation="c2", time=NOW)
    mothers = sorted(w.memory.find("family_member", relation="mother"), key=lambda f: str(f["birthday"]))
    assert [(f["birthday"], f.version) for f in mothers] == [(date(1960, 5, 4), 2), (date(1960, 6, 7), 1)]
    ask = w.memory.recall
    assert "1960-05-04" in ask("王总的妈妈什么时候生日？").text
    assert "1960-06-07" not in ask("王总的妈妈什么时候生日？").text
    assert "1960-06-07" in ask("When is Dana's mom's birthday?").text
    assert "1960-05-04" not in ask("When is Dana's mom's birthday?").text
    # who "my" is, a question does not say: both are told, each with whose she is
    both = ask("我妈什么时候生日？").text
    assert "王总的妈：生日 1960-05-04" in both
    assert "dana的妈：生日 1960-06-07" in both
    # and as users of their own they see their own alone
    for user, text in (("wang", "我妈的生日是1960年5月3日"), ("dana", "我妈的生日是1960年6月7日")):
        w.memory.scoped(user=user).observe(text, time=NOW)
    assert "1960-05-03" in w.memory.scoped(user="wang").recall("我妈什么时候生日？").text
    assert "1960-06-07" not in w.memory.scoped(user="wang").recall("我妈什么时候生日？").text


@on_both
def test_questions_tell_a_relative_from_the_speaker(worlds: Worlds) -> None:
    w = family(worlds)
    for text in (
        "我的生日是1960-08-09，我住在苏州。",
        "我爸的生日是1960年5月3日",
        "My mom is allergic to peanuts",
    ):
        w.memory.observe(text, speaker="li", time=NOW)
    for question in ("我爸什么时候生日？", "俺爹生日是哪天？", "我家老爷子哪天过生日？", "When is my dad's birthday?",
                     "我 dad 的 birthday 是哪天？", "爸爸什么时候生日？"):  # fmt: skip
        c = w.memory.recall(question)
        assert "1960-05-03" in c.text, question
        assert "08-09" not in c.text, question
        assert [f["relation"] for f in c.forms] == ["father"], question
    for question in ("我什么时候生日？", "我的生日是哪天？", "When is my birthday?"):
        c = w.memory.recall(question)
        assert "1960-08-09" in c.text, question
        assert "05-03" not in c.text, question
    assert "peanuts" in w.memory.recall("我妈对什么过敏？").text
    # nobody's fact stands in for that of another
    for question in ("我妈住在哪里？", "Where does my mom live?", "我表弟住在哪里？", "他爸住在哪里？", "我老婆的生日是哪天？"):  # fmt: skip
        c = w.memory.recall(question)
        assert [f for f in c.forms if f.type != "family_member"] == [], question
        assert "苏州" not in c.text, question


TEXT = """\
form_type: family_member
identity: {any: [[$speaker, relation]]}
slots:
  relation: {type: text, aliases: [关系]}
  birthday: {type: date, aliases: [生日, birthday]}
"""


def test_a_relation_in_free_text_makes_no_relatives(worlds: Worlds) -> None:
    """我爸, 我爸爸 and "my dad" would be three people: which words are one relative is for an enum to say."""
    w = worlds(types=["user_profile"], yaml=TEXT, messages=[], script=[], extractor=None, now=NOW)
    w.memory.observe("我的生日是1960年8月9日", speaker="li", time=NOW)
    for text in ("我爸的生日是1960年5月3日", "我爸爸的生日是1960年5月3日", "My dad's birthday is 3 May 1960"):
        w.memory.observe(text, speaker="li", time=NOW)
    assert list(w.memory.find("family_member")) == []
    assert told(w.only("user_profile")) == {"birthday": "1960-08-09"}


@on_both
def test_a_slot_whose_name_begins_as_the_relation_does_is_no_relation(worlds: Worlds) -> None:
    beside = "identity: {any: [[$speaker, relation], [$speaker, relation_note]]}"
    yaml = FAMILY.replace("identity: {any: [[$speaker, name], [$speaker, relation]]}", beside)
    w = worlds(
        yaml=f"{yaml}  relation_note: {{type: text}}\n", messages=[], script=[], extractor=None, now=NOW
    )
    w.memory.record(
        "family_member", {"relation": "mother", "relation_note": "father", "birthday": "1960-06-07"}
    )
    assert list(w.memory.recall("我爸什么时候生日？").forms) == []
    assert "06-07" not in w.memory.recall("When is my dad's birthday?").text
    assert "1960-06-07" in w.memory.recall("我妈什么时候生日？").text


def test_without_a_type_for_relatives_the_speakers_form_does_not_answer(worlds: Worlds) -> None:
    w = worlds(types=["user_profile"], messages=[], script=[], extractor=None, now=NOW)
    w.memory.observe("我的生日是1960年8月9日", speaker="li", time=NOW)
    w.memory.observe("我爸的生日是1960年5月3日", speaker="li", time=NOW)
    assert told(w.only("user_profile")) == {"birthday": "1960-08-09"}
    assert list(w.memory.recall("我爸什么时候生日？").forms) == []
    assert list(w.memory.recall("When is my dad's birthday?").forms) == []
    assert "1960-08-09" in w.memory.recall("我的生日是哪天？").text


def test_two_daughters_are_two_and_their_facts_are_asked_apart(worlds: Worlds) -> None:
    w = family(worlds)
    for text in ("My daughter Anna lives in Leeds.", "My daughter Bea lives in York."):
        w.memory.observe(text, speaker="li", time=NOW)
    daughters = {f["name"]: f["city"] for f in w.memory.find("family_member")}
    assert daughters == {"Anna": "Leeds", "Bea": "York"}
    r = w.memory.observe("My daughter's birthday is 3 May 1960.", speaker="li", time=NOW)
    assert r.state == "held"
    [p] = w.memory.pending()
    assert (p.reason, len(p.candidates)) == ("ambiguous_target", 2)
    assert all(f["birthday"] is None for f in w.memory.find("family_member"))


# -- a model's drafts ------------------------------------------------------------------------------------

BIRTHDAY = ("1960年5月3日", "生日是1960年5月3日")
HELD_OR_REFUSED: list[tuple[str, dict[str, Any]]] = [
    # a relative's words, drafted for the speaker
    ("我爸的生日是1960年5月3日", draft("user_profile", birthday=BIRTHDAY)),
    ("我爸的生日是1960年5月3日", draft("user_profile", birthday={"value": "1960年5月3日", "evidence": "1960年5月3日", "whose": "other"})),
    ("My mom is allergic to peanuts", draft("user_profile", allergies={"value": ["peanuts"], "evidence": "allergic to peanuts"})),
    ("我家领导的生日是1960年5月3日", draft("user_profile", birthday=BIRTHDAY)),
    # the speaker's, or another relative's, drafted for a relative
    ("我的生日是1960年5月3日，我爸住在苏州", draft("family_member", relation=("爸", "我爸"), birthday=BIRTHDAY)),
    ("我爸住在苏州，我妈的生日是1960年5月3日", draft("family_member", relation=("爸", "我爸"), birthday=BIRTHDAY)),
    ("My birthday is 3 May 1960 and my dad's is 7 June 1960", draft("family_member", relation=("dad", "my dad"), birthday=("3 May 1960", "My birthday is 3 May 1960"))),
    # a relation that the words do not give
    ("我爸的生日是1960年5月3日", draft("family_member", relation=("mother", "我爸"))),
]  # fmt: skip


@pytest.mark.parametrize(("text", "raw"), HELD_OR_REFUSED)
def test_a_wrong_draft_reaches_no_form(worlds: Worlds, text: str, raw: dict[str, Any]) -> None:
    w = family(worlds, script=[[raw]])
    w.memory.observe(text, speaker="li", time=NOW)
    for form in w.memory.find():
        assert form["birthday"] is None
        assert not form.slots.get("allergies")
        if form.type == "family_member" and form["relation"] is not None:
            assert form["relation"] == "father"


@on_both
def test_a_right_draft_lands_on_the_relative(worlds: Worlds) -> None:
    texts = ["我爸的生日是1960年5月3日，我的生日是1960年8月9日", "My mom is allergic to peanuts"]
    w = family(
        worlds,
        messages=[said(NOW, texts[0], speaker="li"), said(NOW, texts[1], speaker="li")],
        script=[
            [
                draft("family_member", relation=("爸", "我爸"), birthday={"value": "1960年5月3日", "evidence": "生日是1960年5月3日", "whose": "other"}),
                draft("user_profile", birthday=("1960年8月9日", "我的生日是1960年8月9日")),
            ],
            [draft("family_member", relation=("mom", "My mom"), allergies={"value": ["peanuts"], "evidence": "allergic to peanuts", "whose": "other"})],
        ],
    )  # fmt: skip
    w.play()
    assert told(w.only("user_profile")) == {"birthday": "1960-08-09"}
    assert told(w.only("family_member", relation="father")) == {
        "relation": "father",
        "birthday": "1960-05-03",
    }
    assert told(w.only("family_member", relation="mother")) == {
        "relation": "mother",
        "allergies": ("peanuts",),
    }


# -- accounts --------------------------------------------------------------------------------------------


@on_both
def test_two_accounts_of_a_speaker_become_one_person(worlds: Worlds) -> None:
    w = family(worlds)
    see = w.memory.observe
    mine = see("我叫李海涛。", speaker="wechat:hai", conversation="a", time=NOW).forms[0]
    mail = see(
        "My email is hai@x.com. I live in Leeds.", speaker="hai@x.com", conversation="b", time=NOW
    ).forms[0]
    mother = see("我妈的生日是1960年5月3日", speaker="wechat:hai", conversation="a", time=NOW).forms[0]
    mum = see("My mom lives in York.", speaker="hai@x.com", conversation="b", time=NOW).forms[0]
    assert len({mine, mail, mother, mum}) == 4
    acts = [w.memory.merge(mine, mail).act, w.memory.merge(mother, mum).act]
    # what either account says from now on reaches the one Form
    see("我住在苏州。", speaker="hai@x.com", conversation="b", time="2026-06-11T10:00:00+08:00")
    see("我妈对花生过敏", speaker="hai@x.com", conversation="c", time="2026-06-11T10:00:00+08:00")
    own, her = w.only("user_profile"), w.only("family_member")
    assert told(own) == {"name": "李海涛", "email": "hai@x.com", "city": "苏州"}
    assert told(her) == {
        "relation": "mother",
        "birthday": "1960-05-03",
        "city": "York",
        "allergies": ("花生",),
    }
    assert not any("\x1f" in alias for alias in her.aliases)
    for question in ("hai@x.com 住在哪里？", "Where does wechat:hai live?"):
        assert "苏州" in w.memory.recall(question).text, question
    for question in ("wechat:hai的妈妈什么时候生日？", "When is hai@x.com's mom's birthday?"):
        assert "1960-05-03" in w.memory.recall(question).text, question
    w.memory.rebuild()
    assert "苏州" in w.memory.recall("Where does hai@x.com live?").text
    for act in acts:
        assert act is not None
        w.memory.undo(act)
    assert told(w.memory.get(mail)) == {"email": "hai@x.com", "city": "Leeds"}
    see("我妈叫王芳", speaker="hai@x.com", conversation="d", time="2026-06-12T10:00:00+08:00")
    assert told(w.memory.get(mum)) == {"relation": "mother", "city": "York", "name": "王芳"}
    assert "name" not in told(w.memory.get(mother))
    assert w.memory.verify().ok
