"""Words of slots that say their type (预约时间, "booking fee"), asked for without it where the type is spoken of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from forms_dynamics import Memory

TYPES = """
form_type: booking
version: 1
description: {en: A booked treatment., zh: 客人约好的一次护理}
aliases: [预约, booking]
identity: [booking_no]
slots:
  booking_no: {type: text, aliases: [预约号, booking number], description: {en: Its number., zh: 预约的编号}}
  held_on: {type: datetime, aliases: [预约时间, time of the booking], description: {en: When it is., zh: 约定到店的时刻}}
  settled: {type: money, unit: CNY, aliases: [预约押金, booking deposit], description: {en: Paid ahead., zh: 到店前已付的钱}}
---
form_type: gift_card
version: 1
description: {en: A gift card., zh: 顾客手里的礼品卡}
aliases: [礼品卡, gift card]
identity: [card_no]
slots:
  card_no: {type: text, aliases: [礼品卡号, card number], description: {en: Its number., zh: 卡面上的编号}}
  sum: {type: money, unit: CNY, aliases: [押金, deposit], description: {en: What was left for it., zh: 办卡时留下的钱}}
"""


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    (tmp_path / "salon.yaml").write_text(TYPES, encoding="utf-8")
    with Memory.open(":memory:", form_types=[tmp_path / "salon.yaml"], embedder=None) as memory:
        slots = {"booking_no": "Y2041", "held_on": "2026-07-03T14:30:00+08:00", "settled": "260"}
        memory.record("booking", slots, source="user", conversation="c")
        other = {"booking_no": "Y7770", "held_on": "2026-07-09T10:00:00+08:00", "settled": "90"}
        memory.record("booking", other, source="user", conversation="d")
        yield memory


@pytest.mark.parametrize(
    "question",
    [
        "预约Y2041的押金是多少，是几点？",
        "Y2041的押金交了多少？",
        "What is the deposit of booking Y2041?",
        "How large was the deposit for Y2041?",
    ],
)
def test_the_bare_word_asks_for_the_slot_of_what_is_named(memory: Memory, question: str) -> None:
    text = memory.recall(question, conversation="c").text
    assert "260" in text
    assert "90元" not in text


@pytest.mark.parametrize("question", ["押金是多少？", "What is the deposit?"])
def test_the_bare_word_asks_for_the_slot_of_what_the_talk_is_about(memory: Memory, question: str) -> None:
    assert "260" in memory.recall(question, conversation="c").text
    memory.record("gift_card", {"card_no": "L-5", "sum": "700"}, source="user", conversation="c")
    text = memory.recall(question, conversation="c").text
    assert "700" in text  # a type that has the word as it is goes before
    assert "260" not in text


@pytest.mark.parametrize("question", ["L-5的押金是多少？", "What is the deposit of gift card L-5?"])
def test_another_types_word_is_not_taken(memory: Memory, question: str) -> None:
    memory.record("gift_card", {"card_no": "L-5", "sum": "700"}, source="user", conversation="c")
    text = memory.recall(question, conversation="c").text
    assert "700" in text
    assert "260" not in text
