"""A store of an earlier release goes on working; one of a later release is left alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from forms_dynamics import Memory, StoreTooNew, StoreUnavailable
from forms_dynamics.adapters.sql import migrations
from forms_dynamics.testing import FixedClock, ScriptedExtractor

from .world import Worlds, lead, money, on_both, passes


def settle(path: Path) -> bytes:
    """The bytes of a store's file once no log of changes stands beside it."""
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()
    return path.read_bytes()


def one_table(path: Path) -> str:
    with sqlite3.connect(path) as raw:
        names = [row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    raw.close()
    return next(name for name in names if "form" in name and "fts" not in name)


def reopen(path: Path, script: object = ()) -> Memory:
    return Memory.open(
        path,
        form_types=["lead_profile"],
        extractor=ScriptedExtractor(list(script)),  # type: ignore[call-overload]
        clock=FixedClock("2026-07-01T00:00:00+00:00"),
    )


def old_store(worlds: Worlds) -> Path:
    """A store with three Forms, as the release before the next step wrote it."""
    w = worlds("PR-161", messages=[], script=[])
    for name in ("Orsa", "Tindle", "Marlow"):
        w.memory.record("lead_profile", {"company": name, "budget": "9000 EUR"})
    w.memory.close()
    return worlds.where / "memory1.db"


def test_pr_161(worlds: Worlds, monkeypatch: pytest.MonkeyPatch) -> None:
    path = old_store(worlds)
    table = one_table(path)
    number = migrations.current() + 1
    wider = (f"ALTER TABLE {table} ADD COLUMN spare TEXT",)
    steps = [*migrations.STEPS, migrations.Step(number, "one column more", wider, wider)]
    monkeypatch.setattr(migrations, "STEPS", steps)
    with reopen(path, [[lead(company="Quarry", budget="5k EUR")]]) as memory:
        assert len(memory.find("lead_profile")) == 3
        assert "9,000 EUR" in memory.recall("budget of Tindle").text
        memory.observe("Quarry has 5k EUR.", id="m1", time="2026-06-30T00:00:00+00:00")
        assert memory.find("lead_profile", company="Quarry")[0]["budget"] == money(5000, "EUR")
    before = settle(path)
    with reopen(path) as memory:
        assert len(memory.find("lead_profile")) == 4
    assert settle(path) == before
    broken = ("CREATE TABLE half_done (x TEXT)", "ALTER TABLE no_such_table ADD COLUMN x TEXT")
    monkeypatch.setattr(
        migrations, "STEPS", [*steps, migrations.Step(number + 1, "a broken step", broken, broken)]
    )
    with pytest.raises(StoreUnavailable, match="a broken step") as failed:
        reopen(path)
    assert str(number) in str(failed.value)
    assert settle(path) == before
    monkeypatch.setattr(migrations, "STEPS", steps[:-1])
    with pytest.raises(StoreTooNew):
        reopen(path)
    assert settle(path) == before


# -- ours ------------------------------------------------------------------------------------------------


def test_a_file_that_is_no_store_is_left_alone(worlds: Worlds) -> None:
    path = worlds.where / "notes.db"
    path.write_text("these are not the tables you look for\n" * 50)
    before = path.read_bytes()
    with pytest.raises(StoreUnavailable, match=r"notes\.db"):
        reopen(path)
    assert path.read_bytes() == before
    with pytest.raises(StoreUnavailable):
        reopen(worlds.where / "no" / "such" / "folder" / "x.db")


def test_a_changed_type_reads_its_old_forms(worlds: Worlds) -> None:
    first = (
        "form_type: deal\nversion: 1\nidentity: [deal_no]\nslots:\n"
        "  deal_no: {type: text}\n  pay_terms: {type: text}\n"
    )
    second = (
        "form_type: deal\nversion: 2\nidentity: [deal_no]\nslots:\n"
        "  deal_no: {type: text}\n  payment_terms: {type: text}\n  channel: {type: text}\n"
        "migrations:\n  2: [{rename: {pay_terms: payment_terms}}, {default: {channel: null}}]\n"
    )
    path = worlds.where / "deals.db"
    with Memory.open(path, form_types=[worlds.file("one.yaml", first)]) as memory:
        f = memory.record("deal", {"deal_no": "D-1", "pay_terms": "net 30"}).forms[0]
    with Memory.open(path, form_types=[worlds.file("two.yaml", second)]) as memory:
        form = memory.get(f)
        assert (form["payment_terms"], form["channel"]) == ("net 30", None)
        memory.record("deal", {"deal_no": "D-1", "payment_terms": "net 60"})
        assert memory.get(f)["payment_terms"] == "net 60"
        assert [v.slots["payment_terms"].value for v in memory.history(f)] == ["net 30", "net 60"]
        assert "net 60" in memory.recall("D-1").text
        assert passes(memory.verify())


@on_both
def test_opening_twice_changes_nothing(worlds: Worlds) -> None:
    w = worlds("PR-161", messages=[], script=[])
    f = w.memory.record("lead_profile", {"company": "Orsa"}).forms[0]
    again = Memory.open(worlds.url or worlds.where / "memory1.db", form_types=["lead_profile"])
    assert again.get(f)["company"] == "Orsa"
    again.close()
    assert w.memory.get(f)["company"] == "Orsa"
