"""Answers to what the assistant asked, by types of which no more is declared than names, descriptions and values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from forms_dynamics import Memory

TIME = "2026-11-30T10:00:00+08:00"


def _text(description: str = "", **more: Any) -> dict[str, Any]:
    return {"type": "text", **({"description": description} if description else {}), **more}


def _enum(*values: str, description: str = "") -> dict[str, Any]:
    return {"type": "enum", "values": list(values), **({"description": description} if description else {})}


TYPES: dict[str, Any] = {
    "table_booking": {
        "description": "book a table at a restaurant",
        "slots": {
            "city": _text("city of the restaurant"),
            "cuisine": _text("kind of food that the restaurant serves", examples=["thai", "greek", "dontcare"]),
            "price_level": _enum("cheap", "moderate", "expensive", "dontcare", description="how expensive it is"),
            "party_size": _text("number of people at the table"),
            "day": _text("date of the booking"),
            "time": _text("time of the booking"),
            "guest_name": _text("name of the guest"),
            "outdoor_seating": _enum("yes", "no", description="whether there is outdoor seating"),
        },
    },
    "trip": {
        "description": "a ride across town",
        "slots": {
            "DepartureLocation": _text("Departure Location"),
            "ArrivalLocation": _text("Arrival Location"),
            "TravelMode": _enum("Walking", "Driving", "Transit", description="Travel Mode"),
        },
    },
    "equipment_request": {
        "description": "equipment request",
        "slots": {
            "reason_for_equipment": _text("What is the reason for this equipment request?"),
            "kind_of_equipment": _text("What kind of equipment do you need? (e.g., Laptop, Monitor, Chair)"),
            "approver": _text("Who approved the equipment? (Name of approver)"),
            "days_needed": _text("How many days do you need it? (Enter a number)"),
            "damage": _text("Has there been any damage to your present equipment?"),
            "loan": _text("Is this loan temporary or permanent?"),
            "satisfaction": _enum("1", "2", "3", "4", "5", description="How would you rate your present equipment? (Rate from 1 to 5)"),
        },
    },
    "酒店预订": {
        "slots": {
            "区域": _enum("东区", "西区", "湖滨区", "不在意"),
            "价位": _enum("便宜", "中等", "偏贵"),
            "房型": _enum("大床房", "双床房"),
            "入住日期": _text(),
            "入住人数": _text(),
            "联系人": _text("联系人姓名"),
            "电话": _text(),
        },
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("form_types")
    for name, document in TYPES.items():
        text = yaml.safe_dump({"form_type": name, **document}, allow_unicode=True, default_style='"')
        Path(made, f"{name}.yaml").write_text(text, encoding="utf-8")
    return made


@pytest.fixture
def memory(folder: Path) -> Iterator[Memory]:
    with Memory.open(
        ":memory:", form_types=[folder], relation_rules=[], settings={"timezone": "Asia/Shanghai"}
    ) as made:
        yield made


def held(memory: Memory, *turns: str) -> dict[str, str]:
    """What the Forms hold after the turns: a user's, an assistant's, a user's …, the last one a user's."""
    forms: dict[str, None] = {}
    for n, text in enumerate(turns):
        role = "user" if (len(turns) - n) % 2 else "assistant"
        receipt = memory.observe(text, speaker=role, role=role, conversation="c", time=TIME)
        forms.update(dict.fromkeys(receipt.forms))
    return {
        name: str(slot.value)
        for form in map(memory.get, forms)
        for name, slot in form.slots.items()
        if slot.status == "known"
    }


START = "I need a table at a restaurant."
ASK = "I have an equipment request."
BOOK = "我想做一个酒店预订。"


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((START, "What city?", "Lakewood"), {"city": "Lakewood"}),
        ((START, "Which city should I look in?", "In Lakewood, please."), {"city": "Lakewood"}),
        ((START, "In what city is the restaurant?", "I'd like something in Port Ellis please"), {"city": "Port Ellis"}),
        ((START, "How many people are at the table?", "4"), {"party_size": "4"}),
        ((START, "How many people?", "There will be six of us."), {"party_size": "six"}),
        ((START, "What time should I make the booking?", "7:30 pm would be great"), {"time": "7:30 pm"}),
        ((START, "Which day and what time?", "Friday at 8 pm"), {"day": "Friday", "time": "8 pm"}),
        ((START, "Cheap, moderate or expensive?", "moderate please"), {"price_level": "moderate"}),
        ((START, "May I have the name of the guest?", "My name is Dana Whitfield."), {"guest_name": "Dana Whitfield"}),
        ((START, "Would you like outdoor seating?", "Yes please"), {"outdoor_seating": "yes"}),
        ((START, "Would you like outdoor seating?", "No, I would not."), {"outdoor_seating": "no"}),
        ((START, "What kind of food would you like?", "A greek restaurant"), {"cuisine": "greek"}),
        ((START, "What kind of food?", "I'd like Peruvian food please"), {"cuisine": "Peruvian"}),
        (("I need a ride.", "Where are you departing from?", "From the harbour, please."), {"DepartureLocation": "harbour"}),
        (("I need directions for a trip.", "Do you want to walk, drive or take transit?", "driving"), {"TravelMode": "Driving"}),
        ((ASK, "What is the reason for the equipment request?", "The reason is a new project."), {"reason_for_equipment": "new project"}),
        ((ASK, "What kind of equipment do you need, like a laptop or a chair?", "I am looking for a chair."), {"kind_of_equipment": "chair"}),
        ((ASK, "Who approved the equipment?", "Ruth Calloway approved it."), {"approver": "Ruth Calloway"}),
        ((ASK, "How many days do you need it?", "I will need it for 12 days."), {"days_needed": "12"}),
        ((ASK, "Has there been any damage to your equipment?", "Yes, the screen is cracked."), {"damage": "Yes, the screen is cracked"}),
        ((ASK, "Is the loan temporary or permanent?", "It will be a permanent one."), {"loan": "permanent"}),
        ((ASK, "How would you rate your present equipment?", "I would rate my equipment a 3."), {"satisfaction": "3"}),
        ((ASK, "Who approved the equipment? And how many days do you need it?", "Ruth Calloway approved it. I need it for 5 days."), {"approver": "Ruth Calloway", "days_needed": "5"}),
        ((BOOK, "请问您想住哪个区域？", "湖滨区"), {"区域": "湖滨区"}),
        ((BOOK, "请问您想住什么价位的？", "中等的就行"), {"价位": "中等"}),
        ((BOOK, "您要什么房型？", "我想要大床房"), {"房型": "大床房"}),
        ((BOOK, "请问哪天入住？", "下周三"), {"入住日期": "下周三"}),
        ((BOOK, "几位入住？", "3位"), {"入住人数": "3"}),
        ((BOOK, "请留一下电话。", "13800138000"), {"电话": "13800138000"}),
    ],
)  # fmt: skip
def test_an_answer_fills_the_slot(memory: Memory, turns: Sequence[str], expected: dict[str, str]) -> None:
    assert held(memory, *turns) == expected


@pytest.mark.parametrize(
    "turns",
    [
        (START, "What city?", "What do you have?"),
        (START, "What city?", "I'm not sure yet."),
        (START, "What time?", "Sorry, what?"),
        (START, "How many people?", "Let me check and come back."),
        (START, "What kind of food?", "What would you recommend?"),
        (START, "Is there anything else I can help you with?", "No, thank you."),
        (START, "Shall I book it for you?", "Yes please"),
        (START, "Lucerne has three restaurants.", "Great"),
        (ASK, "Who approved the equipment?", "I don't know."),
        (BOOK, "请问您想住哪个区域？", "有哪些？"),
        (BOOK, "请问哪天入住？", "还没定"),
        (BOOK, "还有什么可以帮您？", "没有了，谢谢"),
    ],
)
def test_what_is_no_answer_fills_nothing(memory: Memory, turns: Sequence[str]) -> None:
    assert held(memory, *turns) == {}


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((START, "How many people?", "5", "For what time?", "6 pm"), {"party_size": "5", "time": "6 pm"}),
        (
            (START, "How many people?", "5", "How many people was that?", "Actually make it 6."),
            {"party_size": "6"},
        ),
        ((START, "Cheap or expensive?", "Any price is fine."), {"price_level": "dontcare"}),
        ((BOOK, "请问您想住哪个区域？", "都可以"), {"区域": "不在意"}),
    ],
)
def test_later_answers_and_no_preference(
    memory: Memory, turns: Sequence[str], expected: dict[str, str]
) -> None:
    assert held(memory, *turns) == expected


@pytest.mark.parametrize(
    ("turns", "form_type", "slot", "value"),
    [
        (("我是海蓝电子的小周。", "您的预算是多少？", "50万"), "lead_profile", "budget", "500,000 CNY"),
        (("I'm Dana from Harbor Foods.", "What's your budget?", "50k USD"), "lead_profile", "budget", "50,000 USD"),
    ],
)  # fmt: skip
def test_shipped_types_understand_answers(
    turns: Sequence[str], form_type: str, slot: str, value: str
) -> None:
    with Memory.open(":memory:", settings={"timezone": "Asia/Shanghai"}) as memory:
        for n, text in enumerate(turns):
            role = "assistant" if n % 2 else "user"
            memory.observe(text, speaker=role, role=role, conversation="c", time=TIME)
        assert [str(form[slot]) for form in memory.find(form_type)] == [value]
