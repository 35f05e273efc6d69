"""Ranges and bounds with what is counted between the number and the bound, and of lengths of time."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from forms_dynamics.language.contacts import find_percents
from forms_dynamics.language.durations import find_durations, length
from forms_dynamics.language.money import find_money
from forms_dynamics.language.numbers import find_numbers
from forms_dynamics.model.value import Money, Range


def at_least(value: Any) -> Range:
    return Range(value, None)


def at_most(value: Any) -> Range:
    return Range(None, value)


def number(text: str) -> Decimal:
    return Decimal(text)


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("评分4.5分以上", at_least(number("4.5")), "4.5分以上"),
        ("评分要4分及以上", at_least(number("4")), "4分及以上"),
        ("来3个人以上才开", at_least(number("3")), "3个人以上"),
        ("30人以内", at_most(number("30")), "30人以内"),
        ("10天以内", at_most(number("10")), "10天以内"),
        ("面积100平米以上", at_least(number("100")), "100平米以上"),
        ("18岁以上", at_least(number("18")), "18岁以上"),
        ("2个工作日以内", at_most(number("2")), "2个工作日以内"),
        ("3 people or more", at_least(number("3")), "3 people or more"),
        ("5 guests or fewer", at_most(number("5")), "5 guests or fewer"),
        ("10,000 monthly users or less", at_most(number("10000")), "10,000 monthly users or less"),
        ("12 seats max", at_most(number("12")), "12 seats max"),
        ("4 beds at least", at_least(number("4")), "4 beds at least"),
        ("4分-5分", Range(number("4"), number("5")), "4分-5"),
        ("3人到5人", Range(number("3"), number("5")), "3人到5"),
    ],
)
def test_a_bound_behind_what_is_counted(text: str, value: Range, words: str) -> None:
    (found,) = find_numbers(text)
    assert found.value == value
    assert text[found.start : found.end] == words


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("3 rooms and over 5 baths", [number("3"), at_least(number("5"))]),
        ("3个人，以上是名单", [number("3")]),
        ("买3个苹果和5个梨", [number("3"), number("5")]),
        ("3 people or 5", [number("3"), number("5")]),
        ("5 people at least two cars", [number("5"), at_least(number("2"))]),
    ],
)
def test_no_bound_where_another_number_is_meant(text: str, values: list[Any]) -> None:
    assert [r.value for r in find_numbers(text)] == values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("50块钱以内", at_most(Money(number("50"), "CNY"))),
        ("200元一晚以上", at_least(Money(number("200"), "CNY"))),
        ("1000元/晚以内", at_most(Money(number("1000"), "CNY"))),
        ("50 dollars or less", at_most(Money(number("50"), "USD"))),
    ],
)
def test_a_bound_of_money(text: str, value: Range) -> None:
    assert [r.value for r in find_money(text)] == [value]


def test_a_bound_of_a_percentage() -> None:
    assert [r.value for r in find_percents("折扣10%以上")] == [at_least(number("10"))]
    assert [r.value for r in find_percents("30% or less")] == [at_most(number("30"))]


@pytest.mark.parametrize(
    ("text", "value", "vague"),
    [
        ("2小时 - 3小时", Range("PT2H", "PT3H"), False),
        ("4-6小时", Range("PT4H", "PT6H"), False),
        ("2到3天", Range("P2D", "P3D"), False),
        ("一到两个月", Range("P1M", "P2M"), False),
        ("12小时到3天", Range("PT12H", "P3D"), False),
        ("半年到一年", Range("P6M", "P1Y"), False),
        ("two to three days", Range("P2D", "P3D"), False),
        ("between 2 and 3 hours", Range("PT2H", "PT3H"), False),
        ("30-45 minutes", Range("PT30M", "PT45M"), False),
        ("2h-3h", Range("PT2H", "PT3H"), False),
        ("20分钟以上", at_least("PT20M"), False),
        ("10天以内", at_most("P10D"), False),
        ("两周内", at_most("P2W"), False),
        ("不超过2小时", at_most("PT2H"), False),
        ("至少一年半", at_least("P1Y6M"), False),
        ("at least 2 hours", at_least("PT2H"), False),
        ("3 days or more", at_least("P3D"), False),
        ("within two weeks", at_most("P2W"), False),
        ("3天以上5天以下", Range("P3D", "P5D"), False),
        ("两三天", Range("P2D", "P3D"), True),
        ("2 or 3 days", Range("P2D", "P3D"), True),
    ],
)
def test_ranges_and_bounds_of_lengths(text: str, value: Range, vague: bool) -> None:
    (found,) = find_durations(text)
    assert (found.value, found.vague) == (value, vague)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("从3天改成2天", ["P3D", "P2D"]),
        ("两小时内容讲解", ["PT2H"]),
        ("first 3 days, then 2 weeks", ["P3D", "P2W"]),
        ("3 days and 2 weeks", ["P17D"]),
        ("第2024-6小时", ["PT6H"]),
    ],
)
def test_lengths_that_make_no_range(text: str, values: list[str]) -> None:
    assert [r.value for r in find_durations(text)] == values


@pytest.mark.parametrize(
    ("longer", "shorter"),
    [
        ("P10D", "P9D"),
        ("P1M", "PT700H"),
        ("PT1H", "PT59M"),
        ("P1Y", "P11M"),
        ("P2W", "P13D"),
        ("PT1M", "PT59S"),
    ],
)
def test_lengths_compare(longer: str, shorter: str) -> None:
    assert length(longer) > length(shorter)


@given(st.text(alphabet="2 3五两半个小时天周月年到至-分钟以内上ohdaystwo", max_size=20))
@example("2h2周")
@settings(max_examples=300, deadline=None)
def test_any_text_gives_lengths_inside_it(text: str) -> None:
    last = 0
    for found in find_durations(text):
        assert last <= found.start < found.end <= len(text)
        last = found.end
        if isinstance(found.value, Range) and found.value.min and found.value.max:
            assert length(found.value.min) < length(found.value.max)
