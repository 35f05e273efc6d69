"""What looks like an amount and is none: digits of a code; and a value that a question knows and asks about."""

from __future__ import annotations

import pytest

from forms_dynamics import Memory


@pytest.fixture
def memory() -> Memory:
    memory = Memory.open(":memory:")
    memory.record("lead_profile", {"company": "海蓝电子", "contact_name": "赵敏", "budget": "50万"})
    memory.record("quote_form", {"quote_no": "Q1", "company": "海蓝电子", "amount": "50万"})
    return memory


@pytest.mark.parametrize("question", ["Q1的联系人是谁？", "Who is the contact of quote Q1?"])
def test_a_number_inside_a_code_demands_nothing(memory: Memory, question: str) -> None:
    context = memory.recall(question, max_hops=2)
    assert "赵敏" in context.text
    assert not any("does not meet" in step.reason for step in context.trace.steps)


@pytest.mark.parametrize("question", ["为什么报价是60万？", "Why is the quote 600,000 CNY?"])
def test_asking_why_demands_nothing_of_the_value(memory: Memory, question: str) -> None:
    context = memory.recall(question)
    assert not any("does not meet" in step.reason for step in context.trace.steps)


@pytest.mark.parametrize(
    "question", ["我们的预算是多少，付款方式是什么？", "What is the budget and what are the payment terms?"]
)
def test_the_conversation_is_about_what_knows_the_answer(question: str) -> None:
    """A newer Form of the same type that knows nothing of what is asked does not stand before one that does."""
    memory = Memory.open(":memory:")
    terms = {"company": "海蓝电子", "budget": "50万", "payment_terms": "月结60天"}
    memory.record("lead_profile", terms, conversation="c", source="user")
    memory.record(
        "lead_profile", {"company": "华东设备", "deadline": "2026-08-22"}, conversation="c", source="user"
    )
    text = memory.recall(question, conversation="c").text
    assert "500,000" in text
    assert "月结60天" in text


@pytest.mark.parametrize(
    "question",
    [
        "我当时说的预算是多少？",
        "您一开始给我们提的预算是多少？",
        "签字之前再帮我看看，预算是多少？",
        "Before we wrap up, what is the budget?",
        "Before you hang up: what budget do you have?",
    ],
)
def test_whoever_asks_is_no_teller_and_what_leads_up_to_a_question_names_nothing(question: str) -> None:
    memory = Memory.open(":memory:", form_types=["lead_profile"])
    slots = {"company": "海蓝电子", "budget": "50万"}
    memory.record("lead_profile", slots, conversation="c", source="user", speaker="user")
    context = memory.recall(question, conversation="c")
    assert "500,000" in context.text
    assert not any("does not meet" in step.reason for step in context.trace.steps)
