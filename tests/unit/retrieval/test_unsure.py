"""Where a Form that is named leaves open what is asked, what was said is searched as well."""

from __future__ import annotations

import pytest
from shelf import Shelf, empty

from forms_dynamics.model.value import Money
from forms_dynamics.retrieval.lexicon import lexicon_of
from forms_dynamics.retrieval.question import parse
from forms_dynamics.retrieval.unexplained import unexplained
from forms_dynamics.schema.load import load_catalog

SURE = 0.6


@pytest.fixture
def tastes() -> Shelf:
    """A speaker of whom the Forms know one thing that is liked, and the messages a few more."""
    shelf = empty(["preference"])
    told = shelf.say("我喜欢靠窗座位。 I like window seats.", speaker="小周", conversation="c0")
    shelf.form(
        "p1", "preference", {"liked": ("靠窗座位", "window seat")}, told, names=["小周"], key="$speaker"
    )
    shelf.say("要说喜欢的菜，肯定是番茄炒蛋。", speaker="小周", conversation="c2")
    shelf.say("My favourite colour has always been teal.", speaker="小周", conversation="c3")
    shelf.say("The weather was fine on the walk.", speaker="小周", conversation="c4")
    return shelf


@pytest.mark.parametrize(
    ("question", "said", "held"),
    [
        ("What is my favourite colour?", "teal", "window seat"),
        ("我最喜欢的菜是什么？", "番茄炒蛋", "靠窗座位"),
        ("我最喜欢的 colour 是什么", "teal", "window seat"),
    ],
)
def test_what_a_preference_does_not_speak_of_is_searched(
    tastes: Shelf, question: str, said: str, held: str
) -> None:
    context = tastes.recall(question, focus="p1")
    assert said in context.text
    assert context.text.index(held) < context.text.index(said)  # exact first
    assert context.confidence < SURE


@pytest.mark.parametrize(
    "question", ["What seat do I like?", "我喜欢什么座位？", "What do I like?", "我喜欢的 seat 是什么"]
)
def test_what_it_does_speak_of_is_not(tastes: Shelf, question: str) -> None:
    context = tastes.recall(question, focus="p1")
    assert "window seat" in context.text
    assert context.messages == ()
    assert context.confidence >= SURE


@pytest.fixture
def waiting() -> Shelf:
    """A customer whose only known budget waits for its user; what else was said of money is in messages."""
    shelf = empty()
    told = shelf.say("我们是海蓝电子。 We are Lantern Labs.")
    shelf.form("f1", "lead_profile", {"company": "海蓝电子"}, told, names=["海蓝电子"])
    shelf.form("f2", "lead_profile", {"company": "Lantern Labs"}, told, names=["Lantern Labs"])
    hedged = shelf.say("海蓝电子的预算可能有80万吧。", id="h1")
    shelf.wait("w1", "f1", "budget", Money(800000, "CNY"), hedged.id, question="预算是80万吗？")
    hedged = shelf.say("The budget of Lantern Labs might be 70,000 dollars.", id="h2")
    shelf.wait("w2", "f2", "budget", Money(70000, "USD"), hedged.id, question="Is the budget 70,000?")
    refused = shelf.say("海蓝电子的预算三百万。", id="r1")
    shelf.wait("w3", "f1", "budget", Money(3000000, "CNY"), refused.id, state="refused")
    shelf.say("海蓝电子的预算要等董事会批，月底才有准数。", conversation="c2")
    shelf.say("The budget of Lantern Labs is set by their board in July.", conversation="c3")
    return shelf


@pytest.mark.parametrize(
    ("question", "line", "said", "hidden"),
    [
        ("海蓝电子的预算董事会怎么说？", "[待确认]", "董事会", ["可能有80万", "三百万"]),
        ("What is the budget of Lantern Labs, by its board?", "[unconfirmed]", "board in July", ["might be"]),
        ("Lantern Labs 的预算 board 怎么说", "[待确认]", "board in July", ["might be"]),
    ],
)
def test_a_value_that_waits_does_not_hide_what_else_is_asked(
    waiting: Shelf, question: str, line: str, said: str, hidden: list[str]
) -> None:
    context = waiting.recall(question)
    assert line in context.text
    assert said in context.text
    assert context.text.index(line) < context.text.index(said)
    assert not any(each in context.text for each in hidden)
    assert context.questions != ()
    assert context.confidence < SURE


def test_where_a_value_that_waits_is_all_that_is_asked_nothing_is_searched_for(waiting: Shelf) -> None:
    context = waiting.recall("海蓝电子的预算是多少？")
    assert "[待确认]" in context.text
    assert context.messages == ()


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("海蓝电子的预算是多少？", []),
        ("What was the budget of 海蓝电子 before the change?", []),
        ("海蓝电子改之前的预算变过吗", []),
        ("What is 海蓝电子's marketing budget?", ["marketing"]),
        ("海蓝电子的市场推广预算是多少", ["市场推广"]),
        ("海蓝电子的 marketing 预算", ["marketing"]),
    ],
)
def test_what_no_line_takes_up(question: str, left: list[str]) -> None:
    catalog = load_catalog(["lead_profile"], None)
    asked = parse(question, lexicon_of(catalog))
    at = asked.text.index("海蓝电子")
    found = unexplained(asked, [(at, at + 4)], asked.asked(), ["海蓝电子：预算 60万"], catalog)
    assert found == left
