"""What is made of a declaration: stems, kinds, ways to say a listed value."""

from __future__ import annotations

from typing import Any

import pytest

from forms_dynamics.extraction.dialogue.kinds import counted_by, kind_of, role_of, truth_of
from forms_dynamics.extraction.dialogue.wording import content, key, parts, stem, variants
from forms_dynamics.schema.spec import SlotSpec


@pytest.mark.parametrize(
    "words",
    [("arrive", "arrival", "arriving"), ("price", "pricing"), ("book", "booking"), ("leaving", "leave")],
)
def test_stems(words: tuple[str, ...]) -> None:
    assert len({stem(word) for word in words}) == 1


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("num_people", ("num", "people")),
        ("StartTimeHour", ("start", "time", "hour")),
        ("预订 人数", ("预订", "人数")),
        ("PINCode", ("pin", "code")),
    ],
)
def test_names_are_taken_apart(name: str, wanted: tuple[str, ...]) -> None:
    assert parts(name) == wanted


def test_words_without_content() -> None:
    assert content("Boolean flag indicating if the hotel has wifi") == {stem("hotel"), stem("wifi")}
    assert content("您想要什么价位？") >= {"价位"}


@pytest.mark.parametrize(
    ("name", "about", "kind"),
    [
        ("phone_number", "", "phone"), ("email", "", "email"), ("leave_at", "", "time"), ("check_in_date", "", "date"),
        ("number_of_rooms", "", "count"), ("total_price", "", "price"), ("length_of_stay", "", "duration"), ("area", "City where it lies", "city"),
        ("pickup_location", "", "place"), ("CustomerName", "", "person"), ("movie_title", "", "name"), ("confirmation_number", "", "id"),
        ("star_rating", "", "rating"), ("symptoms", "", "free"), ("人均消费", "", "price"), ("出发时间", "", "time"), ("入住天数", "", "duration"),
        ("预订人数", "", "count"), ("目的地", "", "place"), ("联系人", "", "person"), ("周边景点", "", "near"),
    ],
)  # fmt: skip
def test_kinds(name: str, about: str, kind: str) -> None:
    assert kind_of(_slot(name, description={"en": about} if about else {})) == kind


@pytest.mark.parametrize(
    ("name", "role"), [("from_city", "from"), ("目的地", "to"), ("出发地", "from"), ("arrival_time", "to"), ("check_out_date", "to"), ("cuisine", "")]
)  # fmt: skip
def test_roles(name: str, role: str) -> None:
    spec = _slot(name)
    assert role_of(spec, kind_of(spec)) == role


def test_what_is_counted() -> None:
    assert [counted_by(_slot(n)) for n in ("num_tickets", "party_size", "number_of_beds", "预订人数")] == [
        "ticket", "people", "bed", "people",
    ]  # fmt: skip


def test_yes_and_no() -> None:
    assert truth_of(_slot("wifi", type="enum", values={"True": (), "False": ()})) == {
        True: "True",
        False: "False",
    }
    assert truth_of(_slot("停车", type="enum", values={"有": (), "没有": (), "免费": ()})) == {
        True: "有",
        False: "没有",
    }
    assert truth_of(_slot("area", type="enum", values={"yes": (), "north": ()})) == {}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("theatre", "theaters"), ("guest house", "guesthouse"), ("two", "2"), ("full-size", "full size"), ("便宜的", "便宜"), ("星期二", "周二"),
        ("下周日", "下星期天"), ("翠湖饭庄(东门店)", "翠湖饭庄"), ("1小时 - 2小时", "1-2小时"), ("南方", "南边"), ("east", "east side"), ("中心", "市中心"), ("舒適型", "舒适型"),
    ],
)  # fmt: skip
def test_ways_to_say_a_value(value: str, said: str) -> None:
    assert key(said) in set(variants(value))


def _slot(name: str, **more: Any) -> SlotSpec:
    return SlotSpec(name, more.pop("type", "text"), **more)
