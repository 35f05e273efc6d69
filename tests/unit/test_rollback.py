"""A rollback brings a version's values back with the ends that they had."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

TYPES = """\
form_type: stay
identity: [guest]
slots:
  guest: {type: text}
  hotel: {type: text}
  tags: {type: text, many: true}
---
form_type: visit
identity: [guest]
life: {valid_days: 7}
slots:
  guest: {type: text}
  hotel: {type: text}
"""
START = datetime(2026, 6, 1, tzinfo=UTC)
END = START + timedelta(days=10)


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


def until(value: Any) -> dict[str, Any]:
    return {"value": value, "valid_until": END}


def told(memory: Memory, type: str, **slots: Any) -> str:
    return memory.record(type, {"guest": "Ann", **slots}, source="user").forms[0]


@pytest.mark.parametrize(("old", "new"), [("Astoria", "Savoy"), ("锦江饭店", "和平饭店")])
def test_an_end_comes_back(memory: Memory, clock: FixedClock, old: str, new: str) -> None:
    id = told(memory, "stay", hotel=until(old))
    clock.advance(days=1)
    memory.correct(id, "hotel", new)
    clock.advance(days=1)
    done = memory.rollback(id, 1)
    slot = memory.get(id).slots["hotel"]
    assert (slot.value, slot.valid_until) == (old, END)
    memory.undo(done.act or "")
    assert memory.get(id).slots["hotel"].value == new
    memory.rollback(id, 1)
    clock.advance(days=20)
    assert "hotel" not in memory.get(id).slots
    assert memory.verify().ok


def test_the_same_value_with_another_end_is_another(memory: Memory, clock: FixedClock) -> None:
    id = told(memory, "stay", hotel=until("Astoria"))
    clock.advance(days=1)
    memory.set_validity(form_type="stay", slot="hotel")
    assert memory.get(id).slots["hotel"].valid_until is None
    memory.rollback(id, 1)
    assert memory.get(id).slots["hotel"].valid_until == END


def test_what_is_over_by_now_stays_over(memory: Memory, clock: FixedClock) -> None:
    id = told(memory, "stay", hotel=until("Astoria"))
    clock.advance(days=11)
    memory.correct(id, "hotel", "Savoy")
    memory.rollback(id, 1)
    assert "hotel" not in memory.get(id).slots


def test_the_end_that_a_type_gave_comes_back(memory: Memory, clock: FixedClock) -> None:
    id = told(memory, "visit", hotel="Astoria")
    ends = memory.get(id).slots["hotel"].valid_until
    assert ends == START + timedelta(days=7)
    clock.advance(days=2)
    memory.correct(id, "hotel", "Savoy")
    memory.rollback(id, 1)
    assert memory.get(id).slots["hotel"].valid_until == ends


def test_each_value_of_a_list_keeps_its_end(memory: Memory, clock: FixedClock) -> None:
    id = told(memory, "stay", tags=until(["quiet"]))
    told(memory, "stay", tags={"value": ["sunny"], "op": "add"})
    version = memory.get(id).version
    clock.advance(days=1)
    memory.correct(id, "tags", ["loud"])
    memory.rollback(id, version)
    assert memory.get(id)["tags"] == ("quiet", "sunny")
    clock.advance(days=15)
    assert memory.get(id)["tags"] == ("sunny",)
