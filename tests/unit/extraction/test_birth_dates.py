"""A date of birth has the year that was said, or waits for it."""

from __future__ import annotations

from datetime import date

import pytest

from forms_dynamics import InvalidInput, Memory
from forms_dynamics.schema.spec import SlotSpec
from forms_dynamics.schema.values.moments import is_birth_date

TIME = "2026-11-30T10:00:00+08:00"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("我的生日是5月3日", "您说的生日是5月3日，是哪一年？"),
        ("My birthday is March 3.", "You gave March 3 as birthday: of which year?"),
        ("我的 birthday 是 May 3", "您说的生日是May 3，是哪一年？"),
        ("我爸的生日是2月3日", "您说的生日是2月3日，是哪一年？"),
        ("I was born on March 3.", "You gave March 3 as birthday: of which year?"),
        ("我出生于5月3日", "您说的生日是5月3日，是哪一年？"),
    ],
)
def test_without_a_year_it_is_asked_for(text: str, question: str) -> None:
    with Memory.open(":memory:") as memory:
        receipt = memory.observe(text, speaker="小周", time=TIME)
        assert [form["birthday"] for form in map(memory.get, receipt.forms)] == [None]
        assert list(receipt.questions) == [question]
        [waiting] = memory.pending()
        assert waiting.reason == "ambiguous_value"
        memory.confirm(waiting.id, "1990-05-03")
        assert memory.get(receipt.forms[0])["birthday"] == date(1990, 5, 3)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("生日：1990年5月17日", date(1990, 5, 17)),
        ("My birthday is May 17, 1990.", date(1990, 5, 17)),
        ("我的 birthday 是 1990-05-17", date(1990, 5, 17)),
        ("我女儿是去年5月3日出生的", date(2025, 5, 3)),
    ],
)
def test_with_a_year_it_stands(text: str, day: date) -> None:
    with Memory.open(":memory:") as memory:
        receipt = memory.observe(text, speaker="小周", time=TIME)
        assert [form["birthday"] for form in map(memory.get, receipt.forms)] == [day]
        assert not memory.pending()


def test_the_day_of_a_known_birthday_asks_nothing() -> None:
    with Memory.open(":memory:") as memory:
        memory.observe("我的生日是1990年5月17日", speaker="小周", time=TIME)
        assert not memory.observe("My birthday is May 17.", speaker="小周", time=TIME).questions
        assert memory.observe("我的生日是5月18日", speaker="小周", time=TIME).questions
        [form] = memory.find("user_profile")
        assert form["birthday"] == date(1990, 5, 17)


def test_which_daughter_first_and_then_which_year() -> None:
    with Memory.open(":memory:") as memory:
        for name in ("Anna", "Bea"):
            memory.observe(f"My daughter {name} lives in Leeds.", speaker="小周", time=TIME)
        memory.observe("My daughter's birthday is May 3.", speaker="小周", time=TIME)
        [which] = memory.pending()
        assert "May 3" in which.question
        memory.confirm(which.id, which.candidates[0])
        daughter = memory.get(which.candidates[0])
        assert daughter["birthday"] is None
        [year] = memory.pending()
        memory.confirm(year.id, "2015-05-03")
        assert memory.get(daughter.id)["birthday"] == date(2015, 5, 3)


def test_a_deadline_still_lies_ahead() -> None:
    with Memory.open(":memory:") as memory:
        memory.observe("任务名称：写报告，截止日期：3月3日", speaker="小周", time=TIME)
        [task] = memory.find("task")
        assert task["due"] == date(2027, 3, 3)


def test_a_given_day_without_a_year_is_refused() -> None:
    with Memory.open(":memory:") as memory, pytest.raises(InvalidInput, match="names no year"):
        memory.record("user_profile", {"birthday": "5月3日"})


@pytest.mark.parametrize(
    ("names", "is_one"),
    [
        (("birthday",), True), (("day", "家人生日"), True), (("born",), True), (("date_of_birth",), True),
        (("x", "birthday of the relative"), True), (("dob",), True), (("x", "出生日期"), True),
        (("deadline",), False), (("x", "生日会日期"), False), (("birthday_party",), False), (("stubborn",), False),
    ],
)  # fmt: skip
def test_a_slot_is_a_birth_date_by_its_words(names: tuple[str, ...], is_one: bool) -> None:
    assert is_birth_date(SlotSpec(names[0], "date", aliases=names[1:])) is is_one
