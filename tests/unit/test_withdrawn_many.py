"""Forgetting several things at once: all that are counted, or a question."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from forms_dynamics import Memory
from forms_dynamics.language import cues
from forms_dynamics.testing import FixedClock

ENGLISH = (
    "Quote Q-1 for Acme is 5000 USD",
    "Quote Q-2 for Acme is 7000 USD",
    "Quote Q-3 for Acme is 9000 USD",
)
CHINESE = ("报价单Q-1，金额5万", "报价单Q-2，金额7万", "报价单Q-3，金额9万")


def told(*texts: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """Quote → status after the texts, and what the last one asked."""
    clock = FixedClock(datetime(2026, 6, 1, tzinfo=UTC))
    with Memory.open(":memory:", form_types=["lead_profile", "quote_form"], clock=clock) as memory:
        for text in texts:
            receipt = memory.observe(text)
        forms = memory.find("quote_form", status="any")
        assert memory.verify().ok
        return {str(form["quote_no"]): form.status for form in forms}, tuple(receipt.questions)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (ENGLISH, "Forget both quotes"),
        (ENGLISH, "Please cancel all the quotes"),
        (ENGLISH, "Scrap both of the old quotes, please."),
        (ENGLISH, "Both quotes are cancelled"),
        (ENGLISH, "Drop these two quotes"),
        (CHINESE, "两个报价都作废"),
        (CHINESE, "之前的报价全部作废"),
        (CHINESE, "把这两个报价都取消"),
        (CHINESE, "所有报价单作废"),
    ],
)
def test_all_that_are_counted_go(said: tuple[str, ...], words: str) -> None:
    assert told(*said[:2], words) == ({"Q-1": "invalid", "Q-2": "invalid"}, ())


@pytest.mark.parametrize(("said", "words"), [(ENGLISH, "Forget both quotes"), (CHINESE, "两个报价都作废")])
def test_another_count_is_asked_about(said: tuple[str, ...], words: str) -> None:
    statuses, questions = told(*said, words)
    assert set(statuses.values()) == {"active"}
    (question,) = questions
    assert all(number in question for number in ("Q-1", "Q-2", "Q-3"))


@pytest.mark.parametrize(("said", "words"), [(ENGLISH, "Forget the old quote"), (CHINESE, "之前的报价作废")])
def test_one_is_the_one_that_was_spoken_of_last(said: tuple[str, ...], words: str) -> None:
    assert told(*said[:2], words) == ({"Q-1": "active", "Q-2": "invalid"}, ())


@pytest.mark.parametrize(
    ("text", "many"),
    [
        ("Forget both quotes", 2),
        ("cancel the three orders", 3),
        ("cancel every order", cues.ALL),
        ("Forget the old quote", None),
        ("I like all of it, but cancel the order", None),
        ("三个报价都作废", 3),
        ("报价统统作废", cues.ALL),
        ("之前的方案作废", None),
        ("大家都同意，之前的方案作废", None),
        ("两个人来，订单取消", None),
    ],
)
def test_how_many_are_meant(text: str, many: int | None) -> None:
    assert cues.withdrawn_many(text) == many
