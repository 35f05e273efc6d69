"""Questions about a period that is over: what held then, never what came later as if it had been so."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    clock = FixedClock("2025-01-10T09:00:00+08:00")
    with Memory.open(":memory:", clock=clock, user="u", settings={"timezone": "Asia/Shanghai"}) as opened:
        for day, words in (
            ("2025-04-02", "海蓝电子的预算是50万。"),
            ("2025-06-02", "青禾科技的预算是50万。"),
            ("2025-07-10", "更正：青禾科技的预算是70万。"),
            ("2025-11-10", "海蓝电子的预算是80万。"),
        ):
            clock.set(datetime.fromisoformat(f"{day}T09:00:00+08:00"))
            opened.observe(words, conversation="c", time=clock.now())
        clock.set("2025-11-30T09:00:00+08:00")
        yield opened


@pytest.mark.parametrize(
    "question",
    [
        "去年海蓝电子的预算是多少？",
        "What was the budget of 海蓝电子 last year?",
        "2024年海蓝电子的预算是多少？",
    ],
)
def test_what_is_not_known_of_a_period_is_not_answered_by_what_came_later(
    memory: Memory, question: str
) -> None:
    context = memory.recall(question)
    assert context.confidence < 0.5
    assert "2025-11-10" in context.text  # what there is stands with its dates
    assert any("nothing is known of 2024-01-01" in step.reason for step in context.trace.steps)


@pytest.mark.parametrize(
    "question",
    [
        "4月份海蓝电子的预算是多少？", "海蓝电子在4月20日的预算是多少？", "四月份海蓝电子的预算是多少？",
        "What was the budget of 海蓝电子 on April 20?", "10月份海蓝电子的预算是多少？",
    ],
)  # fmt: skip
def test_a_month_without_a_year_that_has_been_is_this_years(memory: Memory, question: str) -> None:
    context = memory.recall(question)
    assert ("50万" if "预算是" in question else "500,000") in context.text
    assert "80万" not in context.text
    assert context.confidence > 0.9


@pytest.mark.parametrize(
    "question",
    ["12月份海蓝电子的预算是多少？", "明年4月海蓝电子的预算会是多少？", "4月份海蓝电子的预算会是多少？"],
)
def test_what_is_to_come_is_not_taken_for_what_has_been(memory: Memory, question: str) -> None:
    assert "80万" in memory.recall(question).text


@pytest.mark.parametrize(
    "question", ["青禾科技6月份的预算是多少？", "What was the budget of 青禾科技 in June?"]
)
def test_a_period_in_the_words_brings_no_later_message_along(memory: Memory, question: str) -> None:
    context = memory.recall(question)
    assert "50万" in context.text or "500,000" in context.text
    assert "70万" not in context.text
    assert "700,000" not in context.text
