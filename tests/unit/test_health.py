"""The figures of a memory's health, worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from forms_dynamics import Conflict, Memory, NotFound
from forms_dynamics.testing import FixedClock

TYPES = """\
form_type: profile
identity: [$speaker]
life: {fade_per_day: 0.95, cold_after_days: 90}
expected: [name, city, likes]
slots:
  name: {type: text, fade_per_day: 1}
  city: {type: text}
  likes: {type: text, many: true}
---
form_type: pet
identity: [name]
expected: true
slots:
  name: {type: text}
  kind: {type: text}
"""
START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(START)


@pytest.fixture
def memory(tmp_path: Path, clock: FixedClock) -> Iterator[Memory]:
    (tmp_path / "types.yaml").write_text(TYPES, encoding="utf-8")
    with Memory.open(
        ":memory:", form_types=[tmp_path / "types.yaml"], relation_rules=[], clock=clock
    ) as opened:
        yield opened


def test_nothing_is_said_of_nothing(memory: Memory) -> None:
    told = memory.health()
    assert (told.users, told.facts, told.expected) == (0, 0, 4)
    assert told.completeness is told.freshness is told.conflict_rate is told.junk_rate is None
    assert told.confirmed_days_median is None


def test_completeness_freshness_and_growth(memory: Memory, clock: FixedClock) -> None:
    anna, bert = memory.scoped(user="anna"), memory.scoped(user="bert")
    until = START + timedelta(days=30)
    anna.record("profile", {"name": "Anna", "city": "Leeds"}, source="user")
    anna.record("profile", {"likes": {"value": ["tea"], "valid_until": until}}, source="user")
    bert.record("profile", {"name": "Bert"}, source="user")
    memory.record("pet", {"name": "Rex"})  # the shared space is no user where there are users
    first = memory.health()
    assert (first.users, first.covered, first.completeness) == (2, 2.0, 0.5)
    assert first.missing == {"pet": 2, "profile.city": 1, "profile.likes": 1}
    assert (first.facts, first.freshness) == (5, 1.0)
    assert first.ends_within_year == 1 / 5
    assert (first.growth[7].forms, first.growth[7].facts) == (3, 5)
    assert [w.user for w in first.worst] == ["bert", "anna"]
    clock.advance(days=40)  # the city fades (0.95 ** 40), what Anna likes has ended
    later = memory.health(user="anna")
    assert (later.faded, later.expired_facts, later.freshness) == (1, 1, 1 / 3)
    assert later.completeness == 2 / 4
    assert (later.confirmed_days_median, later.confirmed_days_p90) == (40, 40)
    assert later.growth[30].forms == 0 < later.growth[90].forms
    clock.advance(days=60)
    assert memory.health(user="anna").cold == 1


def test_a_memory_without_users_counts_as_one(memory: Memory) -> None:
    memory.record("pet", {"name": "Rex"})
    told = memory.health()
    assert (told.users, told.covered, told.completeness) == (1, 1.0, 0.25)


def test_a_diff_tells_what_came_and_went(memory: Memory) -> None:
    form = memory.record("profile", {"city": "Leeds", "likes": ["tea", "rye"]}, source="user").forms[0]
    memory.correct(form, "city", "York")
    memory.correct(form, "likes", ["rye", "figs"])
    changes = {c.slot: c for c in memory.diff(form, 1, 3)}
    assert (changes["city"].went, changes["city"].came) == (("Leeds",), ("York",))
    assert (changes["likes"].went, changes["likes"].came) == (("tea",), ("figs",))
    assert memory.diff(form, 2, 2) == ()
    assert [c.slot for c in memory.diff(form, 2, 3)] == ["likes"]
    with pytest.raises(NotFound):
        memory.diff(form, 1, 9)


def test_a_diff_and_an_undo_of_what_was_erased_are_refused(memory: Memory) -> None:
    one = memory.record("pet", {"name": "Rex", "kind": "dog"}).forms[0]
    two = memory.record("pet", {"name": "Tom", "kind": "cat"}).forms[0]
    act = memory.merge(one, two).act or ""
    memory.erase(form_id=two)
    assert "Tom" not in memory.get(one).aliases
    assert not memory.find("pet", name="Tom", status="any")
    assert memory.get(one)["kind"] == "dog"
    with pytest.raises(Conflict, match="erased"):
        memory.diff(one, 1, 2)
    with pytest.raises(Conflict, match="erased"):
        memory.undo(act)
