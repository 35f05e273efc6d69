"""Values of one list, each until its own end: what ends takes nothing along, and does not come back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
TYPES = """
form_type: taste
identity: [$speaker]
life: {valid_days: 100, cold_after_days: null}
slots:
  liked: {type: text, many: true}
---
form_type: crew
identity: [$speaker]
life: {cold_after_days: null}
slots:
  names: {type: text, many: true}
"""


class World:
    def __init__(self, folder: Path, url: str | Path) -> None:
        (folder / "types.yaml").write_text(TYPES, encoding="utf-8")
        self.clock = FixedClock(NOON)
        self.memory = Memory.open(
            url, form_types=[folder / "types.yaml"], relation_rules=[], clock=self.clock, embedder=None
        )
        self.form = ""

    def tell(self, value: str, until: float | None = None, kind: str = "taste", slot: str = "liked") -> None:
        """Adds the value now; ``until``: a day after the start."""
        given: dict[str, Any] = {"value": [value], "op": "add"}
        if until is not None:
            given["valid_until"] = (NOON + timedelta(days=until)).isoformat()
        told = self.memory.record(kind, {slot: given}, source="user", time=self.clock.now())
        self.form = told.forms[0]

    def on(self, day: float, slot: str = "liked") -> Any:
        """What the list holds on a day, which comes."""
        self.clock.advance(seconds=(NOON + timedelta(days=day) - self.clock.now()).total_seconds())
        return self.memory.get(self.form)[slot]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path, tmp_path / "m.db")
    yield made
    made.memory.close()


def test_what_was_added_for_two_days_takes_nothing_along(world: World) -> None:
    world.tell("茶")
    world.tell("promo", until=2)
    assert world.on(1) == ("茶", "promo")
    assert world.memory.get(world.form).slots["liked"].valid_until == NOON + timedelta(days=2)
    assert world.on(3) == ("茶",)
    assert world.on(99) == ("茶",)
    assert world.on(101) is None
    # whatever the store kept in between, the chain tells the same
    for day, held in ((1, ("茶", "promo")), (3, ("茶",)), (101, None)):
        assert world.memory.get(world.form, as_of=NOON + timedelta(days=day))["liked"] == held
    told = [(s.value, s.valid_until) for s in world.memory.history(world.form, slot="liked")]
    assert told[-1] == (("茶",), NOON + timedelta(days=100))


def test_what_is_over_does_not_come_back_with_what_is_told_next(world: World) -> None:
    world.tell("茶")
    assert world.on(150) is None
    world.tell("coffee")
    assert world.memory.get(world.form)["liked"] == ("coffee",)
    assert world.memory.rebuild()
    assert world.memory.get(world.form)["liked"] == ("coffee",)
    assert world.memory.get(world.form, as_of=NOON + timedelta(days=150))["liked"] == ("coffee",)


def test_values_without_an_end_stay_when_another_ends(world: World) -> None:
    world.tell("Ana", kind="crew", slot="names")
    world.tell("Ben", until=5, kind="crew", slot="names")
    world.tell("Cleo", kind="crew", slot="names")
    assert world.on(4, "names") == ("Ana", "Ben", "Cleo")
    assert world.on(6, "names") == ("Ana", "Cleo")
    world.tell("Dora", kind="crew", slot="names")
    assert world.on(900, "names") == ("Ana", "Cleo", "Dora")


def test_a_retelling_moves_the_end_of_what_it_names(world: World) -> None:
    world.tell("茶")
    world.tell("promo", until=5)
    assert world.on(1)
    world.tell("promo", until=9)
    assert world.on(8) == ("茶", "promo")
    world.tell("promo")  # names no end: the one that was named stays
    assert world.on(10) == ("茶",)
    assert world.on(60) == ("茶",)
    world.tell("茶")
    assert world.on(150) == ("茶",)
    assert world.on(161) is None


def test_the_usual_end_is_renewed_for_all_that_have_it(world: World) -> None:
    world.tell("茶")
    world.tell("promo", until=90)
    assert world.on(80)
    world.tell("coffee")
    assert world.on(120) == ("茶", "coffee")
    version = world.memory.get(world.form).version
    world.tell("coffee")
    world.tell("coffee")  # within a day: no news
    assert world.memory.get(world.form).version == version + 1


def test_one_end_for_all_and_back(world: World) -> None:
    world.tell("茶")
    world.tell("promo", until=2)
    act = world.memory.set_validity(form_type="taste", days=20).act
    assert act is not None
    assert world.on(10) == ("茶", "promo")
    world.memory.undo(act)
    assert world.memory.get(world.form)["liked"] == ("茶",)
    world.memory.set_validity(form_type="taste")
    assert "茶" in world.on(500)


def test_exports_tell_each_end(world: World, tmp_path: Path) -> None:
    world.tell("茶")
    world.tell("promo", until=2)
    world.memory.set_validity(form_type="taste", slot="liked", until=NOON + timedelta(days=50))
    other = World(tmp_path, ":memory:")
    other.memory.load(world.memory.export())
    other.form = world.form
    assert other.on(40) == world.on(40)
    assert other.on(60) == world.on(60)
    other.memory.close()


def test_a_tick_leaves_each_value_its_end(world: World) -> None:
    world.tell("tea", kind="crew", slot="names")
    world.on(1, "names")
    world.tell("sauna", until=3, kind="crew", slot="names")
    world.memory.mark(world.form, "names", right=True)
    assert world.on(2, "names") == ("tea", "sauna")
    assert world.on(4, "names") == ("tea",)
    assert world.memory.verify().ok
