"""Which Forms a question is about."""

from __future__ import annotations

import pytest
from shelf import Shelf, empty, steps

from forms_dynamics.model.value import Money
from forms_dynamics.retrieval.lexicon import lexicon_of
from forms_dynamics.retrieval.question import Question, parse
from forms_dynamics.retrieval.words import CUES, beginnings

PERSON = """
form_type: person_card
identity: [name]
slots:
  name: {type: text}
  city: {type: text}
  company: {type: text}
  contact_role: {type: text}
  phone: {type: phone}
"""


@pytest.fixture
def shelf() -> Shelf:
    return empty()


@pytest.fixture
def people(tmp_path: object) -> Shelf:
    path = f"{tmp_path}/person_card.yaml"
    with open(path, "w", encoding="utf-8") as file:
        file.write(PERSON)
    return empty([path])


def lead(shelf: Shelf, id: str, company: str, **slots: object) -> None:
    message = shelf.say(f"{company} says hello")
    shelf.form(id, "lead_profile", {"company": company, **slots}, message, names=[company])


def asked(shelf: Shelf, question: str) -> Question:
    return parse(question, lexicon_of(shelf.catalog))


@pytest.mark.parametrize(
    "question",
    [
        "海蓝电子的预算是多少？",
        "請問海藍電子的預算",
        "海蓝现在的预算？",
        "海蓝电子預算",
        "帮我查一下海蓝的预算",
    ],
)
def test_a_name_or_its_beginning_anchors(shelf: Shelf, question: str) -> None:
    lead(shelf, "f1", "海蓝电子", budget=Money(500000, "CNY"))
    assert "50万" in shelf.recall(question).text


@pytest.mark.parametrize(
    "question", ["What is Northlake's budget?", "budget of Northlake Foods", "NORTHLAKE FOODS budget?"]
)
def test_english_names(shelf: Shelf, question: str) -> None:
    lead(shelf, "f1", "Northlake Foods", budget=Money(500000, "USD"))
    context = shelf.recall(question)
    assert "500,000 USD" in context.text
    assert context.forms[0].id == "f1"


@pytest.mark.parametrize(
    ("known", "question"),
    [
        ("海蓝电子", "海蓝机械的预算是多少？"),
        ("杭州天成食品", "杭州的天气怎么样？"),
        ("Northlake Foods", "What is the budget of Northlake Systems?"),
        ("Vanessa Pole", "Where is the spare van key?"),
        ("Marlow", "What is the budget of Harrow?"),
    ],
)
def test_another_name_is_not_anchored(shelf: Shelf, known: str, question: str) -> None:
    lead(shelf, "f1", known, budget=Money(500000, "CNY"))
    context = shelf.recall(question)
    assert not steps(context, "anchor")
    assert "500,000" not in context.text


def test_the_longest_name_wins(shelf: Shelf) -> None:
    lead(shelf, "f1", "海蓝", budget=Money(1000, "CNY"))
    lead(shelf, "f2", "海蓝电子", budget=Money(2000, "CNY"))
    context = shelf.recall("海蓝电子的预算")
    assert [f.id for f in context.forms] == ["f2"]


def test_a_place_before_a_name_finds_the_short_and_the_long(shelf: Shelf) -> None:
    lead(shelf, "f1", "杭州智澜科技有限公司", company_type="制造业")
    lead(shelf, "f2", "智澜", budget=Money(450000, "CNY"))
    context = shelf.recall("杭州智澜预算多少？")
    assert {s for s, _ in steps(context, "anchor")} == {"f1", "f2"}
    assert "45万" in context.text


def test_a_beginning_of_many_names_is_told_and_not_guessed(shelf: Shelf) -> None:
    for i in range(7):
        lead(shelf, f"f{i}", f"海蓝{'甲乙丙丁戊己庚'[i]}号", budget=Money(1000 + i, "CNY"))
    context = shelf.recall("海蓝的预算")
    assert not steps(context, "anchor")
    assert any("many names" in reason for _, reason in steps(context, "near_miss"))


def test_a_name_that_begins_like_many_others_is_found_among_them(shelf: Shelf) -> None:
    for i in range(60):
        lead(shelf, f"f{i:02}", f"Northlake Branch {i:02} Ltd", budget=Money(1000 + i, "USD"))
    assert "1,047 USD" in shelf.recall("What is the budget of Northlake Branch 47?").text


def test_the_type_that_has_what_is_asked_wins_a_shared_name(people: Shelf) -> None:
    message = people.say("Tolver lives in Leeds")
    people.form(
        "p1", "person_card", {"name": "Tolver", "city": "Leeds"}, message, names=["Tolver"], key="name"
    )
    lead(people, "f1", "Tolver", budget=Money(300000, "GBP"))
    context = people.recall("What budget does Tolver the company have?")
    assert "300,000 GBP" in context.text
    assert "Leeds" not in context.text
    assert next(reason for subject, reason in steps(context, "prune") if subject == "p1").startswith("unfit")
    assert "Leeds" in people.recall("Which city does Tolver live in?").text


def test_forms_of_one_company_both_anchor_when_both_fit(shelf: Shelf) -> None:
    lead(shelf, "f1", "临江重工", payment_terms="月结30天")
    message = shelf.say("给临江重工报价48万，预付30%")
    shelf.form(
        "q1",
        "quote_form",
        {"company": "临江重工", "amount": Money(480000, "CNY"), "payment_terms": "预付30%"},
        message,
        names=["临江重工"],
    )
    text = shelf.recall("临江重工的付款方式").text
    assert "月结30天" in text
    assert "预付30%" in text
    assert "月结" not in shelf.recall("临江重工的报价金额").text


@pytest.mark.parametrize(
    "question", ["Q-9", "What is the amount of quote Q-9?", "Q-9的金额是多少", "status of q-9, please"]
)
def test_numbers_of_things(shelf: Shelf, question: str) -> None:
    message = shelf.say("Quote Q-9 for Larkfield Foods: 12,000 USD.")
    shelf.form(
        "q1",
        "quote_form",
        {"quote_no": "Q-9", "company": "Larkfield Foods", "amount": Money(12000, "USD")},
        message,
        names=["Q-9"],
        key="quote_no",
    )
    assert "12,000 USD" in shelf.recall(question).text


def test_an_id_and_a_focus_anchor(shelf: Shelf) -> None:
    id = "f1m8jqbcg0p06a9xjm6g"
    lead(shelf, id, "海蓝电子", budget=Money(500000, "CNY"))
    for context in (
        shelf.recall(id),
        shelf.recall(f"budget of {id}@1?"),
        shelf.recall(focus=id),
        shelf.recall(focus="海蓝"),
    ):
        assert [f.id for f in context.forms] == [id]
    assert shelf.recall(focus="无此公司").forms == ()


def test_the_only_form_that_a_question_can_mean(shelf: Shelf) -> None:
    lead(shelf, "f1", "海蓝电子", budget=Money(500000, "CNY"))
    assert "50万" in shelf.recall("预算多少？").text
    assert "500,000 CNY" in shelf.recall("What is the customer's budget?").text
    lead(shelf, "f2", "星河材料", budget=Money(900000, "CNY"))
    assert not steps(shelf.recall("预算多少？"), "anchor")


def test_all_of_a_type(shelf: Shelf) -> None:
    for i in range(8):
        lead(shelf, f"f{i}", f"甲乙{i}号公司", budget=Money(1000 + i, "CNY"))
    context = shelf.recall("所有客户的预算")
    assert len(context.forms) == 8
    assert len(shelf.recall("customers").forms) == 8


def test_the_conversation_tells_what_is_meant(shelf: Shelf) -> None:
    lead(shelf, "f1", "海蓝电子", payment_terms="不接受超过45天的账期")
    lead(shelf, "f2", "星河材料", payment_terms="预付")
    other = shelf.say("衡山纺织", conversation="c2")
    shelf.form(
        "f3", "lead_profile", {"company": "衡山纺织", "payment_terms": "现结"}, other, names=["衡山纺织"]
    )
    assert "预付" in shelf.recall("他们怎么付款？", conversation="c1").text
    assert "现结" in shelf.recall("那个客户的付款方式", conversation="c2").text
    assert "现结" in shelf.recall("付款方式？", conversation="c2").text
    assert not steps(shelf.recall("今天天气怎么样？", conversation="c1"), "anchor")
    assert not steps(shelf.recall("中原机械的付款方式", conversation="c1"), "anchor")


def test_no_more_than_max_anchors() -> None:
    shelf = empty(max_anchors=2)
    for i, name in enumerate(["Marlow", "Harrow", "Barrow"]):
        lead(shelf, f"f{i}", name, budget=Money(1000 + i, "CNY"))
    context = shelf.recall("budget of Marlow, Harrow and Barrow")
    assert len(steps(context, "anchor")) == 2
    assert any("max_anchors" in reason for _, reason in steps(context, "near_miss"))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("海蓝以前的预算", True),
        ("为什么上次报价是60万？", True),
        ("预算改过吗", True),
        ("8月底之前能上线吗", False),
        ("what was the budget before the change", True),
        ("What was Noor's previous number?", True),
        ("Why was the quote 60k?", True),
        ("Can we ship before May 3?", False),
        ("What is the budget?", False),
        ("海蓝的预算", False),
        ("What did they use to pay, I mean what they used to pay?", True),
        # something is still to come, and what holds now is asked
        ("出院之前再问一下，忌口有哪些？", False),
        ("搬家之前，麻烦核对一遍新地址", False),
        ("涨价之前确认的单价是多少", True),
        ("我们之前确认过的单价", True),
        ("改签之前是几点的车", True),
        ("Before I hang up, which address do you have?", False),
        ("Before they load the truck, what is the gate code?", False),
        ("Before it ships, what is the address?", False),
        ("Which address did you have before we moved?", True),
        ("What was the fee before it changed?", True),
    ],
)
def test_history_is_read_from_the_question(shelf: Shelf, question: str, wanted: bool) -> None:
    assert asked(shelf, question).history is wanted


@pytest.mark.parametrize(
    ("question", "slot"),
    [
        ("怎么付款", "payment_terms"),
        ("首付多少", "payment_terms"),
        ("账期", "payment_terms"),
        ("什么时候上线", "deadline"),
        ("What is Dana's role", "contact_role"),
        ("how can I reach her by phone", "phone"),
        ("底价", "budget"),
        ("When do they need it?", "deadline"),
    ],
)
def test_ways_of_asking(shelf: Shelf, question: str, slot: str) -> None:
    assert slot in asked(shelf, question).asked()["lead_profile"]


@pytest.mark.parametrize("said", ["13800138000", "138 0013 8000", "+86 138-0013-8000"])
def test_a_telephone_number_is_a_name(shelf: Shelf, said: str) -> None:
    message = shelf.say("电话13800138000")
    shelf.form("f1", "lead_profile", {"company": "海蓝电子"}, message, names=["13800138000"], key="phone")
    assert [f.id for f in shelf.recall(f"{said}是哪家公司").forms] == ["f1"]


def test_cues_are_found_as_by_their_patterns_alone() -> None:
    texts = [
        "什么时候付款", "它多少钱", "住哪儿", "怎么联系他", "do they reply to e-mail", "re-pay by when?",
        "is it ok to call", "which day", "what time", "who supplies the pumps", "favorite colour", "where",
        "the tender", "客户的预算", "how soon", "供应商", "邮箱", "may we", "what is the budget",
    ]  # fmt: skip
    for text in texts:
        for cue in CUES:
            if cue.pattern.search(text):
                assert not cue.begins.isdisjoint(beginnings(text)), (text, cue.pattern.pattern)
