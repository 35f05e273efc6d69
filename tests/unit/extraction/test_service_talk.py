"""How service talk tells of changes, in types and words of other trades than the shipped ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

TYPES = """
form_type: stay
version: 1
description: {en: A pet boarded with us., zh: 寄养在店里的宠物}
aliases: [寄养, boarding]
identity: {any: [[stay_number], [phone]]}
slots:
  stay_number: {type: text, aliases: [寄养单号, stay number, boarding number], description: {en: Its number., zh: 寄养单的编号}}
  phone: {type: phone, aliases: [电话, 手机, phone], description: {en: Owner's number., zh: 主人的电话}}
  food: {type: text, aliases: [平时口粮, 吃的粮, usual food], description: {en: What it eats., zh: 平时吃的粮}}
  pick_up: {type: date, aliases: [接走日期, pick-up date], description: {en: The day it goes home., zh: 接走的日子}}
  limit: {type: money, unit: CNY, aliases: [寄养花费, boarding cost], description: {en: At most., zh: 最多能花的钱}}
  vet: {type: text, aliases: [常去医院, usual vet], cues: [送到], description: {en: Where it is treated., zh: 平时看病的地方}}
---
form_type: grooming
version: 1
description: {en: A grooming session., zh: 一次洗护}
aliases: [洗护, grooming]
identity: [session_no]
slots:
  session_no: {type: text, aliases: [洗护单号, session number], description: {en: Its number., zh: 洗护单的编号}}
  ready_on: {type: date, aliases: [洗护取件日期, grooming ready date], question: {en: "Which day shall it be ready?", zh: 希望哪天洗好？}, description: {en: Ready., zh: 洗好的日子}}
"""


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    (tmp_path / "pets.yaml").write_text(TYPES, encoding="utf-8")
    clock = FixedClock("2026-06-12T09:00:00+08:00")
    with Memory.open(":memory:", form_types=[tmp_path / "pets.yaml"], clock=clock) as memory:
        yield memory


def told(memory: Memory, said: Sequence[str], form_type: str = "stay") -> dict[str, Any]:
    for text in said:
        role, _, words = text.rpartition("|")
        memory.observe(words, speaker=role or "user", role="assistant" if role else "user", conversation="c")
    (form,) = memory.find(form_type)
    return {name: slot.value for name, slot in form.slots.items() if slot.value is not None}


@pytest.mark.parametrize(
    ("said", "food"),
    [
        (("寄养单号：P-71，平时口粮：鸡肉味狗粮。", "平时口粮换了，换成三文鱼味狗粮。"), "三文鱼味狗粮"),
        (("寄养单号：P-71，平时口粮：鸡肉味狗粮。", "平时口粮已经改了，现在是鸭肉味狗粮。"), "鸭肉味狗粮"),
        (("Boarding number: P-71. Usual food: oats.", "The usual food has changed, it is now brown rice."), "brown rice"),
    ],
)  # fmt: skip
def test_the_new_value_stands_behind_what_has_changed(memory: Memory, said: Sequence[str], food: str) -> None:
    assert told(memory, said)["food"] == food


@pytest.mark.parametrize("asked", ["那帮我看看，平时口粮是哪种，送到哪？", "再帮我看看，如果病了送到哪儿？"])
def test_a_question_word_is_no_value(memory: Memory, asked: str) -> None:
    assert told(memory, ("寄养单号：P-71，常去医院：安安宠物医院。", asked))["vet"] == "安安宠物医院"


@pytest.mark.parametrize(
    "said",
    [
        ("寄养单号：P-71，接走日期：7月4日，寄养花费：900元。", "接走日期改到7月11日。"),
        ("Boarding number: P-71. Pick-up date: July 4. Boarding cost: 900 CNY.", "It's settled, we come on July 11 instead."),
        ("Boarding number: P-71. Pick-up date: July 4. Boarding cost: 900 CNY.", "The pick-up date was moved to July 11."),
    ],
)  # fmt: skip
def test_the_day_that_something_is_moved_to_lies_ahead(memory: Memory, said: Sequence[str]) -> None:
    stay = told(memory, said)
    assert str(stay["pick_up"]) == "2026-07-11"
    assert str(stay["limit"].amount) == "900"  # the 11 of July 11 is no amount


@pytest.mark.parametrize(
    "said",
    [
        ("寄养单号：P-71，电话：13800138000。", "当天请联系我老婆，她的电话是13911112222。"),
        (
            "Boarding number: P-71. Phone: 13800138000.",
            "On the day please call my sister, her number is 13911112222.",
        ),
    ],
)
def test_the_number_of_somebody_else_is_not_the_speakers(memory: Memory, said: Sequence[str]) -> None:
    assert told(memory, said)["phone"] == "13800138000"


@pytest.mark.parametrize(
    "said",
    [
        ("寄养单号：P-71，电话：13800138000。", "assistant|好的，寄养单的编号记下了，请问狗狗哪里不舒服？", "咳嗽三天了。"),
        ("Boarding number: P-71.", "assistant|Thanks, what seems to be wrong, and since when?", "It has been coughing for three days."),
    ],
)  # fmt: skip
def test_a_count_is_no_number_of_a_record(memory: Memory, said: Sequence[str]) -> None:
    assert told(memory, said)["stay_number"] == "P-71"


@pytest.mark.parametrize(
    "said",
    [
        ("洗护单号：G-5", "寄养单号：P-71", "assistant|希望哪天洗好？", "接走日期：8月3日。"),
        ("Session number: G-5", "Boarding number: P-71", "assistant|Which day shall it be ready?", "The pick-up date is August 3."),
    ],
)  # fmt: skip
def test_what_another_slots_word_announces_is_no_answer(memory: Memory, said: Sequence[str]) -> None:
    assert str(told(memory, said)["pick_up"]) == "2026-08-03"
    (session,) = memory.find("grooming")
    assert session["ready_on"] is None
