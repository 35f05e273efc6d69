"""A disk that is full: said in words, with nothing half written."""

from __future__ import annotations

from pathlib import Path

import pytest

from forms_dynamics import Memory
from forms_dynamics.errors import StoreUnavailable


def fill(memory: Memory) -> int:
    """Writes until nothing more fits; the number of what did not."""
    for number in range(200):
        try:
            memory.observe(f"words {number} " * 400, id=f"n{number}")
        except StoreUnavailable:
            return number
    raise AssertionError("the disk takes everything")


def test_a_full_disk_is_told_and_loses_nothing(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "a.db", form_types=["lead_profile"]) as memory:
        memory.observe("Acme has a budget of 500,000 CNY", id="m1")
        store, scope = memory._store, memory._scope
        with store.writing(scope):
            connection = store._transaction().connection  # type: ignore[attr-defined]
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count = {pages}")
        number = fill(memory)
        with pytest.raises(StoreUnavailable) as told:
            memory.observe(f"words {number} " * 400, id=f"n{number}")
        assert "the disk or its quota is full" in str(told.value)
        assert "free some room and try again" in str(told.value)
        assert str(tmp_path / "a.db") in str(told.value)
        assert memory.verify().ok
        with store.writing(scope):
            connection.execute("PRAGMA max_page_count = 1000000")
        assert not memory.observe(f"words {number} " * 400, id=f"n{number}").duplicate
