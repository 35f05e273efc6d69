"""What is put onto lists and taken off them, said by verbs in place of labels, aimed at, forbidden, or was so once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory

TYPES = """
form_type: hound
aliases: [犬, 猎犬, hound]
identity: [name]
slots:
  name: {type: text, aliases: [犬名, hound name]}
  weight: {type: number, unit: kg, aliases: [体重, weight]}
  height: {type: number, unit: cm, aliases: [肩高, height]}
  tricks: {type: enum, many: true, aliases: [技能, tricks], values: {sit: [坐下, sitting], fetch: [捡球, fetching], guard: [看门, guarding]}}
  allergies: {type: text, many: true, aliases: [过敏原, allergies]}
  keeper: {type: text, aliases: [主人, owner]}
  trainer: {type: ref, ref: handler, aliases: [训练师, trainer]}
---
form_type: handler
aliases: [驯犬员, handler]
identity: [name]
slots:
  name: {type: text, aliases: [驯犬员姓名, handler name]}
  rate: {type: money, unit: CNY, aliases: [课时费, hourly rate]}
  member: {type: boolean, aliases: [会员, member]}
---
form_type: kennel
aliases: [犬舍, kennel]
identity: [code]
slots:
  code: {type: text, aliases: [犬舍号, kennel number]}
  length: {type: number, unit: m, aliases: [长度, length]}
  capacity: {type: integer, aliases: [容量, capacity]}
"""
KNOWN: list[tuple[str, dict[str, Any]]] = [
    ("handler", {"name": "Ada Cole", "rate": "300 CNY"}),
    ("handler", {"name": "周强", "rate": "200 CNY"}),
    (
        "hound",
        {"name": "Rufus", "weight": 30, "tricks": ["sit", "fetch"], "allergies": ["soy", "dust"], "keeper": "Ben Holt", "trainer": "Ada Cole"},
    ),
    ("hound", {"name": "黑豆", "weight": 12, "tricks": ["guard"], "allergies": ["花粉"], "keeper": "李雷", "trainer": "周强"}),
    ("kennel", {"code": "K7", "capacity": 6, "length": 4}),
    ("kennel", {"code": "3号", "capacity": 8, "length": 5}),
]  # fmt: skip
NOW = "2027-03-01T09:00:00+08:00"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    (tmp_path / "types.yaml").write_text(TYPES, encoding="utf-8")
    with Memory.open(":memory:", form_types=[tmp_path], relation_rules=[]) as memory:
        for form_type, slots in KNOWN:
            memory.record(form_type, slots)
        yield memory


def held(memory: Memory) -> dict[str, str]:
    out = {}
    for form in memory.find():
        who = form["name"] or form["code"]
        for name, slot in form.slots.items():
            if name not in ("name", "code") and slot.value is not None:
                value = slot.value
                out[f"{who} {name}"] = ", ".join(sorted(value)) if isinstance(value, tuple) else str(value)
    return out


def changed(memory: Memory, text: str) -> tuple[dict[str, str | None], int]:
    """What differs after the message (None: no more), and how many questions it asks."""
    before = held(memory)
    receipt = memory.observe(text, conversation="c", time=NOW)
    after = held(memory)
    return (
        {key: after.get(key) for key in before | after if before.get(key) != after.get(key)},
        len(receipt.questions),
    )


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("Add guarding to Rufus's tricks.", {"Rufus tricks": "fetch, guard, sit"}),
        ("Remove fetching from Rufus's tricks", {"Rufus tricks": "sit"}),
        ("Rufus's tricks no longer include sitting", {"Rufus tricks": "fetch"}),
        ("Rufus's tricks: guarding only.", {"Rufus tricks": "guard"}),
        ("Rufus's tricks are just guarding and sitting", {"Rufus tricks": "guard, sit"}),
        ("黑豆 is no longer guarding", {"黑豆 tricks": None}),
        ("Please add guarding to Rufus's tricks", {"Rufus tricks": "fetch, guard, sit"}),
        ("Rufus no longer does fetching", {"Rufus tricks": "sit"}),
        ("黑豆的技能再加一个捡球。", {"黑豆 tricks": "fetch, guard"}),
        ("把捡球加到黑豆的技能里", {"黑豆 tricks": "fetch, guard"}),
        ("黑豆的技能去掉看门", {"黑豆 tricks": None}),
        ("把看门从黑豆的技能里删掉", {"黑豆 tricks": None}),
        ("黑豆的技能只有捡球和坐下", {"黑豆 tricks": "fetch, sit"}),
        ("黑豆不再看门了", {"黑豆 tricks": None}),
        ("Rufus的tricks里去掉坐下", {"Rufus tricks": "fetch"}),
        ("Remove dust from Rufus's allergies", {"Rufus allergies": "soy"}),
        ("Rufus is no longer allergic to soy.", {"Rufus allergies": "dust"}),
        ("Rufus is allergic to barley and rye", {"Rufus allergies": "barley, dust, rye, soy"}),
        ("黑豆的过敏原加上灰尘和大麦", {"黑豆 allergies": "大麦, 灰尘, 花粉"}),
        ("黑豆的过敏原去掉花粉", {"黑豆 allergies": None}),
    ],
)
def test_a_list_changes(memory: Memory, text: str, want: dict[str, str | None]) -> None:
    assert changed(memory, text) == (want, 0)


@pytest.mark.parametrize(
    "text",
    [
        "Don't add guarding to Rufus's tricks",
        "Should I remove fetching from Rufus's tricks?",
        "别把捡球加到黑豆的技能里",
        "如果黑豆不再看门了，就换一只",
        "Rufus no longer likes fetching",
        "黑豆的技能没有变",
        "Nobody may add guarding to Rufus's tricks.",
        "I forgot to add guarding to Rufus's tricks.",
        "It would be wrong to remove fetching from Rufus's tricks.",
        "I almost removed fetching from Rufus's tricks",
        "差点把看门从黑豆的技能里删掉",
        "We removed dust from Rufus's kennel because of Rufus's allergies",
        "Get soy off the shelf in Rufus's allergies aisle",
        "Add soy milk to the shopping list for Rufus's allergies",
        "Rufus's tricks are only sitting in theory",
        "My brother is allergic to nuts",
    ],
)
def test_what_does_not_change_a_list(memory: Memory, text: str) -> None:
    assert changed(memory, text)[0] == {}


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("Rufus weighs 31 kg", {"Rufus weight": "31"}),
        ("黑豆重13公斤，Rufus重31公斤", {"黑豆 weight": "13", "Rufus weight": "31"}),
        ("Rufus is 60 cm tall and weighs 31.5 kg", {"Rufus height": "60", "Rufus weight": "31.5"}),
        ("黑豆高45厘米、重13公斤", {"黑豆 height": "45", "黑豆 weight": "13"}),
        ("Kennel K7 is 4.5 m long", {"K7 length": "4.5"}),
        ("犬舍3号长6米", {"3号 length": "6"}),
        ("Rufus is owned by Ada Cole", {"Rufus keeper": "Ada Cole"}),
        ("Rufus is now trained by 周强.", {"Rufus trainer": "周强"}),
        ("Rufus no longer belongs to Ben Holt.", {"Rufus keeper": None}),
        ("黑豆现在归韩梅所有", {"黑豆 keeper": "韩梅"}),
        ("黑豆属于韩梅了", {"黑豆 keeper": "韩梅"}),
        ("Ada Cole is a member", {"Ada Cole member": "True"}),
        ("Ada Cole is no longer a member.", {"Ada Cole member": "False"}),
    ],
)
def test_verbs_stand_for_labels(memory: Memory, text: str, want: dict[str, str | None]) -> None:
    assert changed(memory, text) == (want, 0)


@pytest.mark.parametrize(
    "text",
    [
        "黑豆比Rufus重3公斤",
        "Does Rufus weigh 40 kg?",
        "If Rufus weighs 40 kg, he is too heavy",
        "Rufus is 5 m away",
        "Rufus waited 3 m long",
        "Rufus's weight was 33 kg last week.",
        "Rufus's weight was 33 kg back in May",
        "上周黑豆的体重是15公斤",
        "Rufus's height is 15 hands",
        "I had lunch with handler Ada Cole for 60 CNY.",
        "别把黑豆的体重改成20公斤。",
        "千万不要把黑豆的训练师换成Ada Cole",
        "黑豆的体重别写成20公斤",
        "Don't set Rufus's weight to 40 kg.",
        "Rufus's owner is gone",
        "Rufus's owner is away this week",
        "上周黑豆还在训练，体重才11公斤。",
        "In 2025 Rufus's weight was 28 kg.",
        "For Rufus the weight was 28 kg when Tom ran the place.",
        "I heard Rufus's weight is 33 kg now",
        "黑豆的体重将涨到20公斤",
        "Rufus's weight would be 33 kg with a coat.",
    ],
)
def test_what_is_no_fact_of_now(memory: Memory, text: str) -> None:
    assert changed(memory, text)[0] == {}


@pytest.mark.parametrize(
    "text",
    [
        "We plan to get Rufus's weight down to 28 kg.",
        "We aim for a weight of 28 kg for Rufus.",
        "We want Rufus's weight at 28 kg.",
        "Rufus's target weight is 28 kg",
        "黑豆的目标体重是10公斤。",
        "黑豆的体重目标是10公斤",
        "争取把黑豆的体重控制在10公斤",
    ],
)
def test_an_aim_is_asked_about(memory: Memory, text: str) -> None:
    assert changed(memory, text) == ({}, 1)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("犬舍3号的容量从8扩到10", {"3号 capacity": "10"}),
        ("犬舍3号原来容量8，现在扩到10", {"3号 capacity": "10"}),
        ("犬舍3号的容量缩到6", {"3号 capacity": "6"}),
        ("Kennel K7's capacity was expanded from 6 to 9", {"K7 capacity": "9"}),
        ("Rufus's trainer was Ada Cole until January, now it's 周强.", {"Rufus trainer": "周强"}),
        ("Rufus's trainer is 周强 from March", {"Rufus trainer": "周强"}),
        ("黑豆的训练师以前是周强，现在换成Ada Cole了", {"黑豆 trainer": "Ada Cole"}),
        ("Rufus's owner was Ben Holt, but now it's Ada Cole.", {"Rufus keeper": "Ada Cole"}),
        ("Rufus's weight is 33 kg — no wait, 32.", {"Rufus weight": "32"}),
        ("Rufus's weight is 33 kg. No wait, it's 32.", {"Rufus weight": "32"}),
        ("The weight of Rufus is 33 kg, sorry, 32 kg.", {"Rufus weight": "32"}),
        ("黑豆的体重是13公斤，不对，14公斤", {"黑豆 weight": "14"}),
        ("Ada Cole的课时费320元，哦不，330元", {"Ada Cole rate": "330 CNY"}),
        ("Rufus's owner is Ada Cole after all", {"Rufus keeper": "Ada Cole"}),
        ("Rufus belongs to Ada Cole and weighs 32 kg.", {"Rufus keeper": "Ada Cole", "Rufus weight": "32"}),
        ("犬舍K-1和K-2的容量分别是4和5", {"K-1 capacity": "4", "K-2 capacity": "5"}),
        ("Rufus's allergies are soy, barley and rye", {"Rufus allergies": "barley, dust, rye, soy"}),
    ],
)
def test_what_it_became(memory: Memory, text: str, want: dict[str, str | None]) -> None:
    assert changed(memory, text) == (want, 0)


def test_a_name_of_two_types_may_be_measured(tmp_path: Path) -> None:
    twin = TYPES.split("---")[0].replace("form_type: hound", "form_type: pup").replace("hound", "pup")
    (tmp_path / "types.yaml").write_text(f"{TYPES}---{twin}", encoding="utf-8")
    with Memory.open(":memory:", form_types=[tmp_path], relation_rules=[]) as memory:
        for form_type in ("hound", "pup"):
            memory.record(form_type, {"name": "Rufus", "weight": 30})
        memory.observe("Rufus weighs 31 kg", conversation="c", time=NOW)
        assert 31 in {form["weight"] for form in memory.find()}
