"""Questions as people ask them, in Chinese, English and both at once, of a whole Memory: what must be told, and what
may not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from asked import ask, faults, questions, world

from forms_dynamics import Memory

FILES = (
    "sales", "team", "orders", "home", "chat", "office", "estate", "cellar", "clinic", "college", "theatre", "charter",
    "dig", "garden", "freight", "stable", "bakery",
)  # fmt: skip


@pytest.fixture(scope="module")
def memories() -> Iterator[dict[str, Memory]]:
    made = {name: world(name, ":memory:") for name in FILES}
    yield made
    for memory in made.values():
        memory.close()


@pytest.mark.parametrize(
    ("name", "asked"),
    [pytest.param(n, q, id=f"{n}-{q['ask']}") for n in FILES for q in questions(n)],
)
def test_a_question_is_answered(memories: dict[str, Memory], name: str, asked: dict[str, Any]) -> None:
    context = ask(memories[name], asked)
    assert faults(asked, context) == [], context.text


def test_a_fault_is_seen(memories: dict[str, Memory]) -> None:
    """The judge of these tests can fail."""
    context = ask(memories["sales"], {"ask": "海蓝电子的预算是多少？"})
    assert faults({"in": ["99万"], "not": ["60万"], "asks": ["哪一个"], "sure": False}, context) == [
        "lacks 99万",
        "tells 60万",
        "does not ask about 哪一个",
        f"is sure: {context.confidence}",
    ]
