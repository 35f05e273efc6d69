"""What a question starts from or puts forward is said; what it asks about is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory
from tests.unit.extraction.dialogue.conftest import CHINESE, ENGLISH, Reading, catalog


@pytest.mark.parametrize(
    ("before", "text", "wanted"),
    [
        # where and when something is wanted to be known for
        ((), "When is there a train to Oakham on the rail line?", {"train.destination": "Oakham"}),
        ((), "Can we look at the trains to Oakham?", {"train.destination": "Oakham"}),
        # whether it can be had
        ((), "Does the restaurant have any tables for 5 on Friday?", {"restaurant.party_size": "5", "restaurant.booking_day": "Friday"}),
        # what is put forward, asked or not
        (("At what time should the restaurant be booked?",), "How about 7 pm?", {"restaurant.booking_time": "7 pm"}),
        (("At what time should the restaurant be booked?",), "8 pm?", {"restaurant.booking_time": "8 pm"}),
        # what a thing that is known is like
        (("I found the restaurant Copper Ladle.",), "Is it a cheap restaurant?", {}),
        (("I found the train.",), "Is the ticket for 3 people?", {}),
    ],
)  # fmt: skip
def test_english(english: Reading, before: tuple[str, ...], text: str, wanted: dict[str, str]) -> None:
    assert english(text, *before) == wanted


@pytest.mark.parametrize(
    ("before", "text", "wanted"),
    [
        (("请问您想坐星期几的火车？",), "星期六呢？", {"火车.日期": "星期六"}),
        (("好的，酒店要什么类型的？",), "那豪华型呢？", {"酒店.酒店类型": "豪华型"}),
        ((), "能帮我查一下星期一的火车吗？", {"火车.日期": "星期一"}),
        (("为您找到一家酒店。",), "它是经济型酒店还是豪华型酒店呢？", {}),
    ],
)  # fmt: skip
def test_chinese(chinese: Reading, before: tuple[str, ...], text: str, wanted: dict[str, str]) -> None:
    assert chinese(text, *before) == wanted


@pytest.mark.parametrize(
    ("types", "turns", "slot", "value"),
    [
        (ENGLISH, ("user:I want to book a restaurant.", "assistant:At what time should the restaurant be booked?", "user:How about 7 pm?"), "booking_time", "7 pm"),
        (CHINESE, ("user:我要坐火车。", "assistant:请问星期几？", "user:星期六呢？"), "日期", "星期六"),
    ],
)  # fmt: skip
def test_it_is_held_as_said(
    tmp_path: Path, types: Any, turns: tuple[str, ...], slot: str, value: str
) -> None:
    catalog(types, tmp_path)
    with Memory.open(":memory:", form_types=[tmp_path], relation_rules=[]) as memory:
        for turn in turns:
            role, _, text = turn.partition(":")
            receipt = memory.observe(text, speaker=role, role=role, conversation="c")
        held = [form.slots[slot] for id in receipt.forms if slot in (form := memory.get(id)).slots]
        assert [(s.status, str(s.value)) for s in held] == [("known", value)]
        assert not receipt.questions
