"""Whose type a value is meant for among twins, and words that hold a value and are no wish for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory
from tests.unit.extraction.dialogue.conftest import Reading, _enum, _reader, _text, catalog

TWINS: dict[str, Any] = {
    "hotel_search": {"name": _text("Hotel Name"), "area": _enum("north", "south"), "guest_name": _text("Guest Name"), "stars": _text("rating of the hotel")},
    "hotel_book": {"name": _text("Hotel Name"), "guest_name": _text("Guest Name"), "reference": _text("booking number")},
    "ferry_status": {"ticket_id": _text("Ticket Id")},
    "ferry_change": {"ticket_id": _text("Ticket Id")},
    "ride_book": {"car_model": _enum("Honda", "Ford"), "party_size": _text("number of people")},
    "ride_change": {"trip_id": _text("Trip Id")},
    "bank_balance": {"account_number": _text("Account Number")},
    "bank_fraud_report": {"account_number": _text("Account Number"), "told": _text("what happened")},
    "weather": {"city": _enum("Oakham", "Leeds"), "day": _text("day of the forecast")},
    "flight": {"airline": _enum("Skyway", "Blueline"), "arrival_city": _enum("Oakham", "Leeds"), "departure_city": _enum("Oakham", "Leeds"), "departure_time": _text("departure time")},
    "snack_order": {
        "snack": _text("what is to eat", "pasty", "chips", "wings", "pizza"), "drink": _text("what is to drink", "cider", "cold tea"), "quantity": _text(""), "size": _text("", "small", "large", "2", "thick"), "name": _text("", "lena", "marek"),
        "phone_number": _text("number to call"), "email_address": _text("address to write to"),
    },
}  # fmt: skip
CHINESE_TWINS: dict[str, Any] = {
    "酒店查询": {"酒店名称": _text(""), "区域": _enum("东区", "西区"), "入住日期": _text("")},
    "酒店预订": {"酒店名称": _text(""), "入住日期": _text(""), "入住人姓名": _text("")},
    "点餐": {
        "菜品": _text("", "炒饭", "鸡翅"),
        "数量": _text(""),
        "时间": _text("送餐时间"),
        "大小": _text("", "大份", "厚"),
    },
    "天气": {"城市": _enum("大连", "青岛"), "日期": _enum("周六", "周日")},
}


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    return _reader(TWINS, tmp_path_factory.mktemp("english"))


@pytest.fixture(scope="module")
def chinese(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    return _reader(CHINESE_TWINS, tmp_path_factory.mktemp("chinese"))


@pytest.mark.parametrize(
    ("before", "text", "wanted"),
    [
        # what was last said to be done
        (("I'd like to book a hotel.", "May I have the guest name?"), "Dana Whitfield", {"hotel_book.guest_name": "Dana Whitfield"}),
        (("I want to change my ferry trip.", "What is the ticket id?"), "4471", {"ferry_change.ticket_id": "4471"}),
        (("What is the status of my ferry?", "What is the ticket id?"), "4471", {"ferry_status.ticket_id": "4471"}),
        (("There has been suspicious behavior at my bank.", "What is the account number?"), "8431-8931", {"bank_fraud_report.account_number": "8431-8931"}),
        (("I want to change my ride.", "What can I change for you?"), "I want a Honda to pick me up", {}),
        # another thing that is dropped
        (("I want to book a hotel.", "In which hotel?"), "Skyway told me that you are quick.", {}),
        # how many of a listed thing, and a noun with what stands before it
        ((), "I want 3 pasties", {"snack_order.quantity": "3", "snack_order.snack": "pasties"}),
        ((), "I would like to order sweet chili wings", {"snack_order.snack": "sweet chili wings"}),
        ((), "I want 2 pasties and 1 baked potato", {}),
        # what says by itself what it is
        (("I want chips", ""), "8596235587", {"snack_order.phone_number": "8596235587"}),
        (("I want chips", ""), "lena 45 gmailcom", {"snack_order.email_address": "lena 45 gmailcom"}),
    ],
)  # fmt: skip
def test_english(english: Reading, before: tuple[str, ...], text: str, wanted: dict[str, str]) -> None:
    assert english(text, *(said for said in before if said)) == wanted


@pytest.mark.parametrize(
    ("before", "text", "wanted"),
    [
        (("我想预订一家酒店。", "请问入住日期是哪天？"), "5月3日", {"酒店预订.入住日期": "5月3日"}),
        (("帮我查询酒店。", "请问入住日期是哪天？"), "5月3日", {"酒店查询.入住日期": "5月3日"}),
        ((), "我要三份炒饭", {"点餐.数量": "三", "点餐.菜品": "炒饭"}),
    ],
)  # fmt: skip
def test_chinese(chinese: Reading, before: tuple[str, ...], text: str, wanted: dict[str, str]) -> None:
    assert chinese(text, *before) == wanted


@pytest.mark.parametrize(
    ("question", "text", "wanted"),
    [
        ("What is the departure time of the flight?", "It is already 7 pm here.", {}),
        ("What is the departure time of the flight?", "Any time between 4 pm and 8 pm", {}),
        ("What is the departure time of the flight?", "6 am is too early, 9 am please", {"flight.departure_time": "9 am"}),
        ("Which is the arrival city of the flight?", "I went to Oakham last week, so to Leeds please", {"flight.arrival_city": "Leeds"}),
        ("What is the ticket id of the ferry whose status you want?", "It was 4471 or 4417", {}),
        ("What is the rating of the hotel you are looking for?", "more than 3", {}),
    ],
)  # fmt: skip
def test_no_wish(english: Reading, question: str, text: str, wanted: dict[str, str]) -> None:
    assert english(text, "I need help.", question) == wanted


@pytest.mark.parametrize(
    ("question", "text", "wanted"),
    [
        ("点餐的送餐时间是几点？", "现在已经七点了", {}),
        ("点餐的送餐时间是几点？", "六点太早了", {}),
        ("点餐的送餐时间是几点？", "七点", {"点餐.时间": "七点"}),
    ],
)
def test_no_wish_chinese(chinese: Reading, question: str, text: str, wanted: dict[str, str]) -> None:
    assert chinese(text, "你好", question) == wanted


def test_what_it_is_moved_to_counts(english: Reading) -> None:
    said = english("I am busy on Friday. Can we move it to Saturday?", "How is the weather?", "For which day of the forecast?")  # fmt: skip
    assert said == {"weather.day": "Saturday"}


def test_the_folder_is_read(tmp_path: Path) -> None:
    """A part of a quotation that the schema took for a value is none."""
    read = _reader({"snack_order": {"snack": _text("", "pasty"), "variety": _text("", '"link')}}, tmp_path)
    assert read("I want one link") == {}


@pytest.mark.parametrize(
    ("before", "text", "wanted"),
    [
        # how big, and what
        ((), "I would like to order 2 large pizzas", {"snack_order.size": "large", "snack_order.snack": "pizzas", "snack_order.quantity": "2"}),
        ((), "I like pizza", {"snack_order.snack": "pizza"}),
        ((), "I paid for the pizza", {}),
        (("I want to order a snack", ""), "cider small", {"snack_order.drink": "cider", "snack_order.size": "small"}),
        # how it is made is not how big it is
        (("I want to order a snack", ""), "small", {"snack_order.size": "small"}),
        (("I want to order a snack", ""), "thick", {}),
        # a name that is all that is said is the speaker's
        (("I want to order a snack", ""), "marek", {"snack_order.name": "marek"}),
        (("I want to order a snack", ""), "marek jdh 947", {"snack_order.name": "marek"}),
        (("I want to order a snack", ""), "marek is late", {}),
        # what is told of a place asks nothing of it
        (("I want to book a flight.", "Fine."), "Leeds weather is amazing", {}),
        # one of several
        (("I want to book a ride.", "How many people will ride?"), "just me", {"ride_book.party_size": "just me"}),
        (("I want to book a ride.", "How many people will ride?"), "just me and my boss", {}),
    ],
)  # fmt: skip
def test_said_by_the_way(
    english: Reading, before: tuple[str, ...], text: str, wanted: dict[str, str]
) -> None:
    assert english(text, *(said for said in before if said)) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("大连的天气真好", {}), ("查一下大连的天气", {"天气.城市": "大连"}), ("我要点餐，厚", {})],
)
def test_said_by_the_way_chinese(chinese: Reading, text: str, wanted: dict[str, str]) -> None:
    assert chinese(text) == wanted


@pytest.mark.parametrize(
    ("days", "first", "then", "asks"),
    [
        (("Saturday", "Sunday"), "I want to know the weather on Saturday.", "We can't do this on Saturday.", True),
        (("Saturday", "Sunday"), "I want to know the weather on Saturday.", "Saturday is nice.", False),
        (("周六", "周日"), "查一下周六的天气", "周六不行", True),
        (("周六", "周日"), "查一下周六的天气", "周六很好", False),
    ],
)  # fmt: skip
def test_what_cannot_be_is_asked_again(
    tmp_path: Path, days: tuple[str, ...], first: str, then: str, asks: bool
) -> None:
    catalog(
        {"weather": {"weekday": _enum(*days)}} if days[0].isascii() else {"天气": {"星期": _enum(*days)}},
        tmp_path,
    )
    with Memory.open(":memory:", form_types=[tmp_path], relation_rules=[]) as memory:
        assert memory.observe(first, speaker="user", role="user", conversation="c").forms
        again = memory.observe(then, speaker="user", role="user", conversation="c")
        assert bool(again.questions) == asks
