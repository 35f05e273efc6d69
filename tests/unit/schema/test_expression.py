"""The language of conditions: what it takes, what it refuses and where, and what it says of the unknown."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forms_dynamics.model.value import Money, Range
from forms_dynamics.schema.expression import ExpressionError, parse

NOW = datetime(2026, 6, 12, 9, 0, tzinfo=UTC)
HELD: dict[str, Any] = {
    "status": "Open", "amount": Money(Decimal(500000), "CNY"), "due": date(2026, 6, 10), "members": ("王敏", "Dana"),
    "entity.type": "time", "entity.value": "08:30", "done": False, "budget": Range(Decimal(400), Decimal(600)),
    "预算": Decimal(50), "at": datetime(2026, 6, 12, 8, 0, tzinfo=UTC), "name": "海藍電子",
}  # fmt: skip


def holds(text: str, **parameters: Any) -> bool:
    return parse(text).holds(HELD.get, NOW, parameters)


@pytest.mark.parametrize(
    "text",
    [
        "status == 'open'", "status != 'done'", "amount >= 500000", "amount in [500000, 1]", "due < now",
        "due == 2026-06-10", "due < $until", "members contains 'dana'", "'王敏' in members", "not done == true",
        "entity.type == 'time' and entity.value < '09:00'", "deadline is unknown", "due is known",
        "budget >= 400 and not budget > 400", "预算 == 50", "now - 7 days < due", "at > now - 2 hours",
        "at == 2026-06-12", "status in ['open', 'late'] and (due > 2027-01-01 or amount > 1)", "name == '海蓝电子'",
        "status not in ['done']", "due is not known or due < 2026-06-11T00:00", "amount > -1",
    ],
)  # fmt: skip
def test_true(text: str) -> None:
    assert holds(text, until="2026-06-11")


@pytest.mark.parametrize(
    "text",
    [
        "deadline == 'x'", "deadline != 'x'", "deadline < now", "budget > 500", "budget == 500", "status < 3",
        "members == '王敏'", "done", "due > $never",
    ],
)  # fmt: skip
def test_false_of_the_unknown_and_of_what_cannot_be_compared(text: str) -> None:
    if text == "done":
        with pytest.raises(ExpressionError):
            parse(text)
        return
    assert not holds(text)


@pytest.mark.parametrize(
    ("text", "at", "says"),
    [
        ("", 0, "empty"), ("status = 'open'", 7, "=="), ("status == 'open", 10, "never closed"),
        ("(due < now", 10, "never closed"), ("due <", 5, "missing"), ("due < now now", 10, "expected"),
        ("due + 3 < now", 8, "span"), ("due == 2026-13-01", 7, "no day"), ("__import__('os')", 10, "comparison"),
        ("a.b.c(1) == 1", 5, "comparison"), ("x in [a]", 7, "holds values"), ("(" * 60, 40, "inside each other"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(text: str, at: int, says: str) -> None:
    with pytest.raises(ExpressionError, match=says.replace("(", r"\(")) as wrong:
        parse(text)
    assert wrong.value.at == at


def test_names_and_parameters_are_told_for_the_checks() -> None:
    parsed = parse("task.due < $until and status in ['open'] or now > at + 1 day")
    assert [n.name for n in parsed.names()] == ["task.due", "status", "at"]
    assert [p.name for p in parsed.parameters()] == ["until"]


@given(st.text(max_size=60))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    wrong: ExpressionError | None = None
    try:
        said = parse(text).holds(HELD.get, NOW, {})
    except ExpressionError as refused:
        wrong = refused
    assert said in (True, False) if wrong is None else 0 <= wrong.at <= len(text)


# -- moments that move -----------------------------------------------------------------------------------------
SHANGHAI = ZoneInfo("Asia/Shanghai")
LATE = datetime(2026, 6, 12, 23, 30, tzinfo=SHANGHAI)  # 15:30 UTC: tomorrow is a question of the zone


@pytest.mark.parametrize("text", [
    "ride < tomorrow 9:00", "ride < 'tomorrow 9:00'", "ride < 明天 9:00", 'ride < "明天9:00"', "ride == tomorrow",
    "ride < 9:00", "ride < '09:00'", "ride > today", "ride > yesterday 23:59:59", "ride >= tomorrow 08:00",
    "day == tomorrow", "day == '明天'", "ride < today 9:00 + 1 day", "ride > 昨天", "clock < 09:00", "clock < '10:00'",
    "not ride < Today 9:00", "ride < tomorrow 9:00 - 30 minutes", "not day < 9:00",
])  # fmt: skip
@pytest.mark.parametrize("zone", [SHANGHAI, UTC])
def test_moments_that_move_are_those_of_the_readers_zone(text: str, zone: Any) -> None:
    ride = datetime(2026, 6, 13, 8, 0, tzinfo=SHANGHAI).astimezone(zone)
    held = {"ride": ride, "day": date(2026, 6, 13), "clock": "8:30"}
    assert parse(text).holds(held.get, LATE)


def test_a_moving_moment_is_another_in_another_zone() -> None:
    ride = {"ride": datetime(2026, 6, 13, 8, 0, tzinfo=SHANGHAI)}  # 00:00 UTC on the 13th
    assert parse("ride == tomorrow 8:00").holds(ride.get, LATE)
    assert not parse("ride == tomorrow 8:00").holds(ride.get, LATE.astimezone(UTC))


def test_a_time_on_the_day_when_clocks_change_is_the_one_on_the_clock() -> None:
    eve = datetime(2026, 3, 28, 12, 0, tzinfo=ZoneInfo("Europe/Berlin"))
    held = {"ride": datetime(2026, 3, 29, 7, 0, tzinfo=UTC)}  # 9:00 in summer time
    assert parse("ride == tomorrow 9:00").holds(held.get, eve)


@pytest.mark.parametrize(
    ("text", "at"), [("ride < 25:00", 7), ("ride < tomorrow 9:75", 16), ("ride < tomorrow 9", 16)]
)
def test_a_wrong_time_of_day_is_refused_where_it_stands(text: str, at: int) -> None:
    with pytest.raises(ExpressionError) as wrong:
        parse(text)
    assert wrong.value.at == at
