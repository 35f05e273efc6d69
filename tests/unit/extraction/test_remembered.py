"""What the offline recognisers make of a conversation, seen in the memory."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.model.value import Money
from forms_dynamics.testing import FixedClock


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(
        tmp_path / "memory.db",
        form_types=["lead_profile", "quote_form", "user_profile", "preference"],
        clock=FixedClock(datetime(2026, 6, 12, 2, tzinfo=UTC)),
    ) as opened:
        yield opened


def say(memory: Memory, *texts: str) -> None:
    for text in texts:
        memory.observe(text, speaker="ana", conversation="c1")


def liked(memory: Memory) -> tuple[Any, set[Any]]:
    (form,) = memory.find("preference")
    return form.slots["liked"].value, set(form.slots["liked"].avoided)


@pytest.mark.parametrize(
    ("texts", "held", "avoided"),
    [
        (("喜欢喝茶，不吃辣",), ("茶",), {"辣"}),
        (("不吃辣，喜欢喝茶",), ("茶",), {"辣"}),
        (("我喜欢清淡的菜", "我不吃辣，也不喝咖啡"), ("清淡的菜",), {"辣", "咖啡"}),
        (("I love tea but I don't eat pork",), ("tea",), {"pork"}),
        (("I love tea.", "I hate coffee.", "I love cake."), ("tea", "cake"), {"coffee"}),
        (("我喜欢喝茶", "我不喝茶"), None, {"茶"}),
    ],
)
def test_likes_and_dislikes_are_one_form(
    memory: Memory, texts: tuple[str, ...], held: tuple[str, ...] | None, avoided: set[str]
) -> None:
    say(memory, *texts)
    assert liked(memory) == (held, avoided)


@pytest.mark.parametrize(
    ("before", "now", "amount"),
    [
        ("给临安重工报价48万。", "之前的报价作废，重新报45万", Money(Decimal(450_000), "CNY")),
        (
            "Quote for Harrow Foods: 50k USD.",
            "scrap the old quote, the new one is 45k USD",
            Money(Decimal(45_000), "USD"),
        ),
    ],
)
def test_a_new_quote_in_place_of_a_withdrawn_one(
    memory: Memory, before: str, now: str, amount: Money
) -> None:
    say(memory, before)
    (old,) = memory.find("quote_form")
    say(memory, now)
    (new,) = memory.find("quote_form")
    assert new.id != old.id
    assert new.slots["amount"].value == amount
    gone = memory.get(old.id)
    assert gone is not None
    assert gone.status == "invalid"
    assert gone.slots["amount"].value == old.slots["amount"].value


def test_what_stays_as_it_was_asks_nothing(memory: Memory) -> None:
    say(memory, "我们预算50万")
    receipt = memory.observe("预算还是50万不变", speaker="ana", conversation="c1")
    assert (receipt.state, receipt.pending, receipt.versions) == ("stored", (), ())


def test_two_customers_in_one_message_stay_two(memory: Memory) -> None:
    say(memory, "晨光纺织的预算是40万，云峰能源的预算是70万。")
    held = {f.slots["company"].value: f.slots["budget"].value.amount for f in memory.find("lead_profile")}
    assert held == {"晨光纺织": Decimal(400_000), "云峰能源": Decimal(700_000)}
