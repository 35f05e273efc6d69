"""Things that go by a name: who a sentence is about, found wherever it was told of; nobody's facts go to the thing
that was spoken of last."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from forms_dynamics import Memory
from forms_dynamics.language.topics import topics

FIRM = """
form_type: firm
aliases: [客户, customer]
identity: [name]
slots:
  name: {type: text, aliases: [firm, company, 公司]}
  budget: {type: money, aliases: [budget, 预算]}
  contact: {type: text, aliases: [contact, 联系人]}
  deadline: {type: date, aliases: [deadline, 截止日期]}
"""
MACHINE = """
form_type: machine
aliases: [设备, machine]
identity: [name]
slots:
  name: {type: text, aliases: [设备名, machine name]}
  status: {type: enum, aliases: [状态, status], values: {running: [运行, 正常, running], stopped: [停机, 停了, down], repair: [维修, in repair]}}
  next_service: {type: date, aliases: [下次保养, next service]}
  operator: {type: text, aliases: [操作员, operator]}
  output: {type: integer, unit: 件, aliases: [日产量, daily output]}
  location: {type: text, aliases: [位置, location]}
"""
SHIPMENT = """
form_type: shipment
aliases: [运单, shipment]
identity: [tracking_no]
slots:
  tracking_no: {type: text, aliases: [运单号, tracking number]}
  carrier: {type: text, aliases: [承运商, carrier]}
  state: {type: enum, aliases: [状态, status], values: {transit: [在途, in transit], delivered: [已签收, delivered]}}
  weight: {type: number, unit: kg, aliases: [重量, weight]}
  dock: {type: text, aliases: [月台, dock]}
  destination: {type: text, aliases: [目的地, destination]}
"""
ACME, BOREALIS = "Company: Acme, budget 10,000 EUR.", "Company: Borealis, budget 7,000 EUR."
HAICHUAN, DONGLING = "公司：海川贸易，预算50万元。", "公司：东岭重工，预算30万元。"


@pytest.fixture
def types(tmp_path: Path) -> list[Path]:
    (tmp_path / "firm.yaml").write_text(FIRM, encoding="utf-8")
    (tmp_path / "machine.yaml").write_text(MACHINE, encoding="utf-8")
    (tmp_path / "shipment.yaml").write_text(SHIPMENT, encoding="utf-8")
    return [tmp_path]


def held(memory: Memory) -> dict[str, dict[str, str]]:
    """Name → the other slots, of all Forms."""
    return {
        str(form[name]): {
            n: str(slot.value) for n, slot in form.slots.items() if slot.value is not None and n != name
        }
        for form in memory.find()
        for name in ("name", "tracking_no")
        if name in form.slots
    }


def told(types: Sequence[Path], *texts: str, known: Sequence[dict[str, str]] = ()) -> tuple[dict, list[str]]:  # type: ignore[type-arg]
    """What firms hold after the texts, and what was asked at the last."""
    with Memory.open(":memory:", form_types=types, relation_rules=[]) as memory:
        for slots in known:
            memory.record("firm", slots)
        questions: Sequence[str] = ()
        for text in texts:
            questions = memory.observe(text, conversation="c", time="2026-03-01T09:00:00+08:00").questions
        return held(memory), list(questions)


@pytest.mark.parametrize(
    ("text", "name", "budget"),
    [
        ("Acme's budget is now 20,000 EUR.", "Acme", "20,000 EUR"),
        ("Acme has raised its budget to 20,000 EUR.", "Acme", "20,000 EUR"),
        ("The budget for Acme is now 20,000 EUR.", "Acme", "20,000 EUR"),
        ("Update on Acme: budget 20,000 EUR.", "Acme", "20,000 EUR"),
        ("Elm Terrace Fabrics cut their budget to 20,000 EUR.", "Elm Terrace Fabrics", "20,000 EUR"),
        ("Elm Terrace Fabrics's budget is 20,000 EUR.", "Elm Terrace Fabrics", "20,000 EUR"),
        ("星野的预算改成80万元了。", "星野", "800,000 CNY"),
        ("星野的budget是80万元", "星野", "800,000 CNY"),
        ("星野把他们的预算提高到80万元", "星野", "800,000 CNY"),
        ("Acme的预算现在是2万欧元。", "Acme", "20,000 EUR"),
    ],
)
@pytest.mark.parametrize("before", [(), (BOREALIS,)], ids=["alone", "behind another"])
def test_a_form_that_was_only_recorded_is_told_of_by_its_name(
    types: list[Path], before: tuple[str, ...], text: str, name: str, budget: str
) -> None:
    known = [
        {"name": "Acme", "budget": "10,000 EUR"},
        {"name": "星野", "budget": "500,000 CNY"},
        {"name": "Elm Terrace Fabrics", "budget": "10,000 EUR"},
    ]
    firms = {k["name"]: {"budget": k["budget"]} for k in known}
    if before:
        firms["Borealis"] = {"budget": "7,000 EUR"}
    assert told(types, *before, text, known=known) == ({**firms, name: {"budget": budget}}, [])


@pytest.mark.parametrize(
    "text",
    [
        "Globex raised its budget to 20,000 EUR.",
        "Globex raised the budget to 20,000 EUR.",
        "Update on Globex: budget 20,000 EUR.",
        "As for Globex, the budget is 20,000 EUR now.",
        "关于格洛比斯，预算改成2万欧元。",
        "格洛比斯把预算提高到2万欧元。",
        "星野的预算是2万欧元。",
    ],
)
def test_what_is_told_of_an_unknown_thing_is_not_the_last_ones(types: list[Path], text: str) -> None:
    firms, questions = told(types, BOREALIS, text)
    assert firms == {"Borealis": {"budget": "7,000 EUR"}}
    assert questions in (
        ["Is 20,000 EUR the budget of Borealis, or of something else?"],
        ["预算2万（20,000 EUR）说的是Borealis，还是别的？"],
    )


@pytest.mark.parametrize(
    "text",
    [
        "Great, the budget is 20,000 EUR now.",
        "Finance raised the budget to 20,000 EUR.",
        "Jo raised the budget to 20,000 EUR.",  # their contact
        "For March, the budget is 20,000 EUR.",
        "我们把预算提高到2万欧元。",
        "老板把预算提高到2万欧元。",
        "王总那边预算提到2万欧元了。",
        "今年的预算是2万欧元。",
    ],
)
def test_what_opens_a_sentence_need_not_be_a_thing(types: list[Path], text: str) -> None:
    firms, questions = told(types, BOREALIS, "Contact: Jo Reed", text)
    assert firms == {"Borealis": {"budget": "20,000 EUR", "contact": "Jo Reed"}}
    assert questions == []


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("The firm is Acme, its budget is 10,000 EUR.",), {"Acme": {"budget": "10,000 EUR"}}),
        (("Customer: Acme, budget 10,000 EUR.",), {"Acme": {"budget": "10,000 EUR"}}),
        (("New customer Acme, budget 10,000 EUR.",), {"Acme": {"budget": "10,000 EUR"}}),
        (("Customer Acme: budget 10,000 EUR",), {"Acme": {"budget": "10,000 EUR"}}),
        (("Customer: Acme\nBudget: 10,000 EUR\nContact: Jo Reed",), {"Acme": {"budget": "10,000 EUR", "contact": "Jo Reed"}}),
        (("客户：海川贸易，预算50万元。",), {"海川贸易": {"budget": "500,000 CNY"}}),
        (("客户名称：星野；预算：50万元",), {"星野": {"budget": "500,000 CNY"}}),
        (("新客户海川贸易，预算50万元，联系人王敏。",), {"海川贸易": {"budget": "500,000 CNY", "contact": "王敏"}}),
        (("客户：星野\n预算：50万元\n联系人：王敏",), {"星野": {"budget": "500,000 CNY", "contact": "王敏"}}),
        ((ACME, "The contact is Jo Reed."), {"Acme": {"budget": "10,000 EUR", "contact": "Jo Reed"}}),
        ((ACME, BOREALIS, "Acme's contact is Jo Reed, Borealis's contact is Lena Fox."), {
            "Acme": {"budget": "10,000 EUR", "contact": "Jo Reed"}, "Borealis": {"budget": "7,000 EUR", "contact": "Lena Fox"}}),
        ((HAICHUAN, "联系人是王敏。", "联系人换成李强了。"), {"海川贸易": {"budget": "500,000 CNY", "contact": "李强"}}),
        ((HAICHUAN, DONGLING, "海川贸易的联系人是王敏。"), {
            "海川贸易": {"budget": "500,000 CNY", "contact": "王敏"}, "东岭重工": {"budget": "300,000 CNY"}}),
        ((HAICHUAN, "联系人是我同事。"), {"海川贸易": {"budget": "500,000 CNY"}}),
        ((HAICHUAN, "联系人是财务。"), {"海川贸易": {"budget": "500,000 CNY"}}),
        ((ACME, "Globex那边预算2万欧元。"), {"Acme": {"budget": "10,000 EUR"}, "Globex": {"budget": "20,000 EUR"}}),
        (("设备：冲床3号，状态正常，操作员：刘伟", "冲床3号停机了"), {"冲床3号": {"status": "stopped", "operator": "刘伟"}}),
        (("Machine: Press 3, status running, operator: Dan Cole", "Press 3 is down"), {"Press 3": {"status": "stopped", "operator": "Dan Cole"}}),
        (("Machine: Press 3, operator: Dan Cole", "Press 3 was down yesterday", "If Press 3 is down, call Dan", "Is Press 3 down?"), {
            "Press 3": {"operator": "Dan Cole"}}),
        (("冲床3号的操作员是刘伟，日产量1200件", "车床A的操作员是陈静", "冲床3号日产量改成1500件"), {
            "冲床3号": {"operator": "刘伟", "output": "1500"}, "车床A": {"operator": "陈静"}}),
        (("Press 3's operator is Dan Cole", "Lathe A's operator is Ana Ruiz", "Press 3 location: hall C"), {
            "Press 3": {"operator": "Dan Cole", "location": "hall C"}, "Lathe A": {"operator": "Ana Ruiz"}}),
        ((HAICHUAN, "如果海川贸易的预算是70万就能开工"), {"海川贸易": {"budget": "500,000 CNY"}}),
        (("设备名：冲床3号，操作员：刘伟", "机身的日产量是1200件"), {"冲床3号": {"operator": "刘伟", "output": "1200"}}),
        ((ACME, "The customer I met raised the budget to 20,000 EUR"), {"Acme": {"budget": "20,000 EUR"}}),
        # what was so, or almost became so
        ((ACME, "The old budget of Acme was 60,000 EUR"), {"Acme": {"budget": "10,000 EUR"}}),
        ((ACME, "I almost set the budget of Acme to 90,000 EUR"), {"Acme": {"budget": "10,000 EUR"}}),
        ((ACME, "I was going to set the budget of Acme to 90,000 EUR"), {"Acme": {"budget": "10,000 EUR"}}),
        ((HAICHUAN, "海川贸易原来的预算是60万元"), {"海川贸易": {"budget": "500,000 CNY"}}),
        ((HAICHUAN, "上次海川贸易的预算是60万元"), {"海川贸易": {"budget": "500,000 CNY"}}),
        ((HAICHUAN, "原来的预算是60万元，海川贸易现在的预算是90万元"), {"海川贸易": {"budget": "900,000 CNY"}}),
        ((HAICHUAN, "本来想把海川贸易的预算改成90万元，算了"), {"海川贸易": {"budget": "500,000 CNY"}}),
        ((HAICHUAN, "差点把海川贸易的预算写成90万元"), {"海川贸易": {"budget": "500,000 CNY"}}),
        ((HAICHUAN, "上次说的海川贸易的预算是60万元"), {"海川贸易": {"budget": "600,000 CNY"}}),
        ((HAICHUAN, "海川贸易改成月底付款"), {"海川贸易": {"budget": "500,000 CNY"}}),
        (("Machine Press 3 in hall B has daily output 1500",), {"Press 3": {"output": "1500"}}),
        ((ACME, "The contact is on leave."), {"Acme": {"budget": "10,000 EUR"}}),
    ],
)  # fmt: skip
def test_what_names_a_thing_and_who_stands_for_it(
    types: list[Path], texts: tuple[str, ...], expected: dict[str, dict[str, str]]
) -> None:
    assert told(types, *texts) == (expected, [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("运单号SF12，承运商顺丰，状态在途，重量12.5公斤，目的地成都", {"carrier": "顺丰", "state": "transit", "weight": "12.5", "destination": "成都"}),
        ("Shipment SF12: carrier DHL, status in transit, weight 12.5 kg, destination Leeds", {
            "carrier": "DHL", "state": "transit", "weight": "12.5", "destination": "Leeds"}),
        ("运单号SF12，承运商顺丰已经接单，重量3公斤，目的地未定", {"weight": "3"}),
        ("运单号SF12，承运商问过了，状态在途，目的地要改", {"state": "transit"}),
        ("Tracking number SF12, carrier complaints go to Ann, destination unknown, weight 3 kg", {"weight": "3"}),
        ("Tracking number SF12, carrier DHL", {}),  # two do not make a list
        ("Tracking number SF12. It moved to dock 7B.", {"dock": "7B"}),
        ("运单号SF12换到月台12了", {"dock": "12"}),
        ("Tracking number SF12. The dock 7 crew is on leave.", {}),
    ],
)  # fmt: skip
def test_labels_side_by_side_need_no_colon(types: list[Path], text: str, expected: dict[str, str]) -> None:
    assert told(types, text) == ({"SF12": expected}, [])


@pytest.mark.parametrize(
    ("first", "second", "firms_then"),
    [
        ("The budget is 10,000 EUR.", ACME.replace("10,000", "30,000"), {"None": "10,000 EUR", "Acme": "30,000 EUR"}),
        ("The budget is 10,000 EUR.", ACME, {"Acme": "10,000 EUR"}),
        ("The budget is 10,000 EUR.", "Company: Acme.", {"Acme": "10,000 EUR"}),
        ("预算50万元。", "公司：海川贸易，预算30万元。", {"None": "500,000 CNY", "海川贸易": "300,000 CNY"}),
    ],
)  # fmt: skip
def test_a_name_is_given_to_what_has_none_unless_they_contradict(
    types: list[Path], first: str, second: str, firms_then: dict[str, str]
) -> None:
    firms, _ = told(types, first, second)
    assert {name: slots["budget"] for name, slots in firms.items()} == firms_then


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Update on Globex: budget 20,000 EUR.", ["Globex"]),
        ("We met. Globex wants a discount.", ["Globex"]),
        ("As for Elm Terrace Fabrics, their deadline moved.", ["Elm Terrace Fabrics"]),
        ("Great news: budget 20,000.", []),
        ("Hi Anna, our budget is 20,000.", []),
        ("关于合同，预算改成80万元。", []),
        ("星野那边预算提到80万", ["星野"]),
        ("我们把预算提高到80万", []),
    ],
)
def test_topics(text: str, names: list[str]) -> None:
    assert [topic.name for topic in topics(text)] == names


DIGGER = """
form_type: digger
aliases: [茶农]
identity: [name]
slots:
  name: {type: text, aliases: [digger name, 茶农姓名]}
  role: {type: enum, aliases: [role], values: {surveyor: [surveyor], conservator: [conservator]}}
  day_rate: {type: money, unit: GBP, aliases: [day rate, 日薪]}
  notice: {type: duration, aliases: [notice, 账期]}
  tent: {type: ref, ref: digger, aliases: [tent]}
"""


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        # what a Form refers to is no name of its own
        (("Digger: Piet Marsh, tent: Red Hill", "Digger: Salma Idris, day rate £60", "The tent is Red Hill and the day rate is £70"), {
            "Piet Marsh": {"tent": "Red Hill"}, "Salma Idris": {"tent": "Red Hill", "day_rate": "70 GBP"}}),
        (("茶农：王桂香，日薪180元", "茶农：胡建明，日薪200元", "桂香的日薪是190元"), {
            "王桂香": {"day_rate": "190 CNY"}, "胡建明": {"day_rate": "200 CNY"}}),
        (("Digger: Piet Marsh, role: surveyor", "Digger: Salma Idris, role: conservator"), {
            "Piet Marsh": {"role": "surveyor"}, "Salma Idris": {"role": "conservator"}}),
        # another one, with a name or without
        (("Digger: Piet Marsh, day rate £50", "Another digger: Bo Lind, day rate £55"), {
            "Piet Marsh": {"day_rate": "50 GBP"}, "Bo Lind": {"day_rate": "55 GBP"}}),
        (("Digger: Piet Marsh, day rate £50", "A new digger, day rate £55"), {
            "Piet Marsh": {"day_rate": "50 GBP"}, "None": {"day_rate": "55 GBP"}}),
        (("茶农：王桂香，日薪180元", "新来的茶农日薪100元"), {"王桂香": {"day_rate": "180 CNY"}, "None": {"day_rate": "100 CNY"}}),
        # all of them, or none
        (("Digger: Piet Marsh, day rate £50", "Everyone gets a day rate of £110"), {"Piet Marsh": {"day_rate": "50 GBP"}}),
        (("Digger: Piet Marsh, day rate £50", "All diggers have a day rate of £77"), {"Piet Marsh": {"day_rate": "50 GBP"}}),
        (("Digger: Piet Marsh, day rate £50", "Nobody's day rate is £77"), {"Piet Marsh": {"day_rate": "50 GBP"}}),
        (("茶农：王桂香，日薪180元", "所有茶农的日薪都是300元"), {"王桂香": {"day_rate": "180 CNY"}}),
        # words that are no names
        (("Digger: still looking, day rate £90",), {"None": {"day_rate": "90 GBP"}}),
        (("茶农：还没找到，日薪200元",), {"None": {"day_rate": "200 CNY"}}),
        # a day is no duration
        (("茶农：王桂香，账期60天", "王桂香的账期从4月12日起是20天"), {"王桂香": {"notice": "P20D"}}),
        (("Digger: Piet Marsh, day rate £50", "Day rate: £60"), {"Piet Marsh": {"day_rate": "60 GBP"}}),
    ],
)  # fmt: skip
def test_who_is_meant_among_several(
    tmp_path: Path, texts: tuple[str, ...], expected: dict[str, dict[str, str]]
) -> None:
    (tmp_path / "digger.yaml").write_text(DIGGER, encoding="utf-8")
    assert told([tmp_path], *texts)[0] == expected


PET = """
form_type: pet
aliases: [宠物, pet]
identity: [name]
slots:
  name: {type: text, aliases: [宠物名, pet name]}
  weight: {type: number, unit: kg, aliases: [体重, weight]}
  allergies: {type: text, many: true, aliases: [过敏, allergies]}
"""


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("Pet: Biscuit, weight 12 kg", "Biscuit's weight is 13 kg"),
        ("Pet: Biscuit, weight 12 kg", "The weight of Biscuit is 13 kg"),
        ("宠物名：豆豆，体重12公斤", "豆豆的体重是13公斤"),
        ("宠物名：豆豆，体重12公斤", "豆豆体重13公斤了"),
    ],
)
def test_a_pet_is_told_of_in_another_conversation(tmp_path: Path, said: str, then: str) -> None:
    """Types of whom only people have a name and an allergy, and one more with the same label."""
    (tmp_path / "pet.yaml").write_text(PET, encoding="utf-8")
    (tmp_path / "shipment.yaml").write_text(SHIPMENT, encoding="utf-8")
    with Memory.open(":memory:", form_types=[tmp_path], relation_rules=[]) as memory:
        memory.observe(said, conversation="a")
        memory.observe(then, conversation="b")
        (pet,) = memory.find()
        assert str(pet["weight"]) == "13"
