"""Accesses: noted at most once a day a Form, written together, never waited for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.accesses import FULL, Accesses
from forms_dynamics.errors import StoreUnavailable
from forms_dynamics.model.record import ChangeSet, FormRecord, Scope
from forms_dynamics.testing.clock import FixedClock

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
Open = Callable[..., Memory]


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def opened(tmp_path: Path, clock: FixedClock) -> Iterator[Open]:
    """Opens the same file, as often as wanted."""
    held: list[Memory] = []

    def open_(**options: Any) -> Memory:
        given = {"form_types": ["lead_profile", "preference"], "clock": clock, "embedder": None, **options}
        held.append(Memory.open(tmp_path / "m.db", **given))
        return held[-1]

    yield open_
    for memory in held:
        memory.close()


def stored(memory: Memory, id: str) -> FormRecord:
    return memory._store.forms(memory._scope, [id])[id]


def waiting(memory: Memory) -> Accesses:
    return memory._parts.accesses


def lead(memory: Memory, company: str = "海蓝电子") -> str:
    return memory.record("lead_profile", {"company": company, "budget": "50万"}).forms[0]


def test_the_first_recall_is_noted_even_on_the_day_of_making(opened: Open) -> None:
    memory = opened()
    id = lead(memory)
    assert not stored(memory, id).recalled
    assert memory.recall("海蓝电子的预算是多少？").forms
    assert len(waiting(memory)) == 1
    assert not stored(memory, id).recalled  # not written yet
    assert memory.upkeep().accesses == 1
    assert stored(memory, id).recalled


def test_a_form_is_noted_once_a_day(opened: Open, clock: FixedClock) -> None:
    memory = opened()
    id = lead(memory)
    memory.recall("海蓝电子的预算是多少？")
    memory.upkeep()
    clock.advance(seconds=23 * 3600)
    memory.recall("海蓝电子的预算是多少？")
    assert len(waiting(memory)) == 0
    clock.advance(seconds=2 * 3600)
    memory.recall("海蓝电子的预算是多少？")
    memory.recall("海蓝电子的预算是多少？")
    assert len(waiting(memory)) == 1
    assert abs(memory.get(id).last_accessed - clock.now()) < timedelta(seconds=1)  # read as if written


def test_notes_of_all_scopes_are_written_together_and_on_close(opened: Open) -> None:
    memory = opened()
    one, two = memory.scoped(user="ana"), memory.scoped(tenant="other")
    ids = [lead(one), lead(two)]
    for m in (one, two):
        assert m.recall("海蓝电子的预算是多少？").forms
    assert len(waiting(memory)) == 2
    memory.close()
    again = opened()
    assert stored(again.scoped(user="ana"), ids[0]).recalled
    assert stored(again.scoped(tenant="other"), ids[1]).recalled


def test_the_same_id_in_another_tenant_is_another_form(opened: Open) -> None:
    memory = opened()
    id = lead(memory)
    other = memory.scoped(tenant="other")
    other.load(list(memory.export()))
    memory.recall("海蓝电子的预算是多少？")
    assert memory._reader.noted(stored(memory, id)).recalled
    assert not other._reader.noted(stored(other, id)).recalled


def test_a_full_buffer_is_written(opened: Open) -> None:
    memory = opened(form_types=["preference"])
    records = []
    for i in range(FULL):
        user = memory.scoped(user=f"u{i}")
        id = user.record("preference", {"liked": ["茶"]}).forms[0]
        records.append((user, id))
    for user, id in records[:-1]:
        user._accessed([stored(user, id)], user._intake.now())
    assert len(waiting(memory)) == FULL - 1
    user, id = records[-1]
    user._accessed([stored(user, id)], user._intake.now())
    assert len(waiting(memory)) == 0
    assert all(stored(u, i).recalled for u, i in records)


def test_what_has_waited_goes_with_the_next_recall(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = opened()
    first, second = lead(memory), lead(memory, "丰源机械")
    memory.recall("海蓝电子的预算是多少？")
    monkeypatch.setattr("forms_dynamics.accesses.SECONDS", 0.0)
    memory.recall("丰源机械的预算是多少？")
    assert stored(memory, first).recalled
    assert not stored(memory, second).recalled  # its own note waits in its turn


def test_a_cold_form_that_was_shown_is_warm_at_once(opened: Open, clock: FixedClock) -> None:
    memory = opened()
    id = lead(memory)
    clock.advance(days=91)
    assert memory.get(id).cold
    assert not memory.recall("海蓝电子的预算是多少？").forms
    assert memory.recall("海蓝电子的预算是多少？", include_cold=True).forms
    assert stored(memory, id).recalled  # written at once
    assert memory.recall("海蓝电子的预算是多少？").forms
    assert not memory.get(id).cold


def test_no_recall_waits_for_a_writer(opened: Open, clock: FixedClock) -> None:
    """Another process holds the write lock; the Form is cold, so the note would be written at once."""
    memory, other = opened(), opened()
    id = lead(memory)
    clock.advance(days=91)
    began, end = threading.Event(), threading.Event()

    def hold() -> None:
        with other._store.writing(other._scope):
            began.set()
            end.wait(10)

    writer = threading.Thread(target=hold)
    writer.start()
    assert began.wait(10)
    try:
        before = time.monotonic()
        assert memory.recall("海蓝电子的预算是多少？", include_cold=True).forms
        assert memory.recall("海蓝电子的预算是多少？").forms  # warm already, for this process
        assert time.monotonic() - before < 5
        assert not stored(memory, id).recalled
        assert len(waiting(memory)) == 1
    finally:
        end.set()
        writer.join()
    memory.recall("海蓝电子的预算是多少？")
    assert stored(memory, id).recalled


def test_a_memory_that_only_reads_notes_nothing(opened: Open) -> None:
    lead(opened())
    memory = opened(read_only=True)
    assert memory.recall("海蓝电子的预算是多少？").forms
    assert len(waiting(memory)) == 0


def test_a_store_that_fails_leaves_the_recall_its_answer(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = opened()
    id = lead(memory)

    def fails(scope: Scope, changes: ChangeSet) -> bool:
        raise StoreUnavailable("disk full")

    monkeypatch.setattr("forms_dynamics.accesses.SECONDS", 0.0)
    with monkeypatch.context() as broken:
        broken.setattr(memory._store, "try_apply", fails)
        assert memory.recall("海蓝电子的预算是多少？").forms
    assert len(waiting(memory)) == 1
    assert memory.upkeep(dry_run=True).accesses == 1
    assert not stored(memory, id).recalled
    assert memory.upkeep().accesses == 1


def test_notes_of_many_threads_are_all_written(opened: Open) -> None:
    memory = opened()
    names = ["海蓝电子", "丰源机械", "Harbor Studio", "Calder Optics"]
    ids = [lead(memory, name) for name in names]

    def ask(name: str) -> None:
        for _ in range(5):
            memory.recall(f"{name}的预算是多少？")
            waiting(memory).flush(memory._store)

    threads = [threading.Thread(target=ask, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    waiting(memory).flush(memory._store)
    assert all(stored(memory, id).recalled for id in ids)
    assert len(waiting(memory)) == 0


def test_that_a_form_was_recalled_outlives_a_write(opened: Open, clock: FixedClock) -> None:
    memory = opened()
    id, never = lead(memory), lead(memory, "丰源机械")
    memory.recall("海蓝电子的预算是多少？")
    memory.upkeep()
    clock.advance(days=2)
    for form in (id, never):
        memory.correct(form, "budget", "60万")
    assert stored(memory, id).recalled
    assert not stored(memory, never).recalled


def test_a_recall_of_the_same_day_changes_no_export(opened: Open, clock: FixedClock) -> None:
    memory = opened()
    id = lead(memory)
    before = list(memory.export())
    clock.advance(seconds=3600)
    memory.recall("海蓝电子的预算是多少？")
    memory.upkeep()
    assert stored(memory, id).recalled
    assert list(memory.export()) == before


def test_notes_are_written_before_a_recall_of_a_later_day_looks_for_what_is_cold(
    opened: Open, clock: FixedClock
) -> None:
    memory = opened()
    id = lead(memory)
    clock.advance(days=60)
    memory.recall("海蓝电子的预算是多少？")
    clock.advance(days=60)
    assert not memory.get(id).cold
    assert "50" in memory.recall("海蓝电子的预算是多少？").text


def test_a_late_message_warms_its_form_and_is_no_recall(opened: Open, clock: FixedClock) -> None:
    memory = opened()
    id = memory.record("lead_profile", {"company": "海蓝电子"}, time=NOON - timedelta(days=200)).forms[0]
    assert not stored(memory, id).recalled
    assert not memory.get(id).cold
    clock.advance(days=91)
    assert memory.get(id).cold


def test_a_retelling_warms_its_form(opened: Open, clock: FixedClock) -> None:
    memory = opened()
    id = lead(memory)
    clock.advance(days=91)
    assert memory.get(id).cold
    assert lead(memory) == id
    assert memory.get(id).version == 1
    assert not memory.get(id).cold
    assert not stored(memory, id).recalled
