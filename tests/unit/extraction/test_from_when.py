"""From when and until when a value holds, in words; what stands behind a value and is no part of it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

SHOP = """
form_type: shop
aliases: [客户, buyer]
identity: [name]
slots:
  name: {type: text, aliases: [客户名, buyer name]}
  price: {type: money, unit: CNY, aliases: [收购价, buying price]}
  address: {type: text, aliases: [地址, address]}
  keyholder: {type: text, aliases: [钥匙保管人, keyholder]}
"""
SAID = "2026-06-01T09:00:00+00:00"


@pytest.fixture
def types(tmp_path: Path) -> list[Path]:
    (tmp_path / "shop.yaml").write_text(SHOP, encoding="utf-8")
    return [tmp_path]


def at(day: str) -> datetime:
    return datetime.fromisoformat(f"{day}T12:00:00+00:00")


def held(
    text: str, slot: str, days: tuple[str, ...], types: list[Path] | None = None, *before: str
) -> list[str | None]:
    """What the slot holds, asked on each of the days."""
    clock = FixedClock(at("2026-06-01"))
    with Memory.open(":memory:", settings={"timezone": "UTC"}, form_types=types, clock=clock) as memory:
        for said in (*before, text):
            receipt = memory.observe(said, conversation="c", time=SAID)
            assert receipt.state == "stored"
        (form,) = receipt.forms
        found = []
        for day in days:
            if at(day) > clock.now():
                clock.set(at(day))
                now = memory.get(form)
            else:
                now = memory.get(form, as_of=at(day))
            value = None if now is None else now[slot]
            found.append(None if value is None else str(value))
        return found


@pytest.mark.parametrize(
    ("text", "slot", "expected"),
    [
        ("从7月1日起我住在宁波。", "city", [None, "宁波"]),
        ("Starting July 1, I live in York.", "city", [None, "York"]),
        ("From July on I live in York.", "city", [None, "York"]),
        ("下个月起预算是80万", "budget", [None, "800,000 CNY"]),
        ("The budget is $800,000 as of July 1.", "budget", [None, "800,000 USD"]),
        ("From July 1 on, the budget is $800,000.", "budget", [None, "800,000 USD"]),
        ("The budget is $800,000.", "budget", ["800,000 USD", "800,000 USD"]),
        ("I live in York.", "city", ["York", "York"]),
    ],
)
def test_what_begins_later_is_waited_for(text: str, slot: str, expected: list[str | None]) -> None:
    assert held(text, slot, ("2026-06-02", "2026-07-02")) == expected


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("I have lived in Leeds since 2020", "Leeds"),
        ("I've lived in Leeds since March 2020.", "Leeds"),
        ("我从2020年起住在利兹。", "利兹"),
        ("我自2020年以来一直住在利兹。", "利兹"),
    ],
)
def test_what_began_long_ago_held_then(text: str, city: str) -> None:
    assert held(text, "city", ("2021-03-01", "2026-06-02")) == [city, city]


def test_what_holds_since_long_ago_ends_what_was_told_since() -> None:
    """Who lives in Leeds since 2020 does not live in York, where he was said to have moved in 2026."""
    assert held("I have lived in Leeds since 2020.", "city", ("2026-06-02",), None, "I live in York.") == [
        "Leeds"
    ]


@pytest.mark.parametrize(
    ("text", "slot", "expected"),
    [
        ("I live in York until the end of August.", "city", ["York", None]),
        ("The budget is $800,000 until the end of August.", "budget", ["800,000 USD", None]),
    ],
)
def test_what_is_said_to_end_ends(text: str, slot: str, expected: list[str | None]) -> None:
    assert held(text, slot, ("2026-06-02", "2026-09-02")) == expected


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("我的城市改成苏州了", "city", "苏州"),
        ("我的职业换成老师了", "occupation", "老师"),
        ("我的 city 换成 Leeds 了", "city", "Leeds"),
        ("我的城市现在是苏州了", "city", "苏州"),
        ("My city is York now", "city", "York"),
    ],
)
def test_what_says_since_when_is_no_part_of_the_value(text: str, slot: str, value: str) -> None:
    assert held(text, slot, ("2026-06-01",)) == [value]


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("客户：青石。地址是龙井路88号，钥匙保管人是老陈", "address", "龙井路88号"),
        ("客户：青石。钥匙保管人换成小吴了", "keyholder", "小吴"),
        ("Buyer Honeypot: address is 5 Elm Street, York, keyholder: Joan", "address", "5 Elm Street, York"),
        ("Buyer Honeypot: keyholder is Joan Lee now", "keyholder", "Joan Lee"),
    ],
)
def test_a_value_ends_where_the_next_label_begins(
    types: list[Path], text: str, slot: str, value: str
) -> None:
    assert held(text, slot, ("2026-06-01",), types) == [value]
