"""Ends that lie far away, and what never ends."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from forms_dynamics import InvalidInput, Memory, SchemaError
from forms_dynamics.testing import FixedClock

PERMIT = (
    "form_type: permit\nidentity: [nr]\nlife: {valid_days: 30, cold_after_days: null}\n"
    "slots:\n  nr: {type: text}\n  zone: {type: text}\n"
)


@pytest.fixture
def permits(tmp_path: Path) -> Path:
    file = tmp_path / "permit.yaml"
    file.write_text(PERMIT, encoding="utf-8")
    return file


@pytest.mark.parametrize("number", ["9999999", "1e30", "1e400", "36501"])
@pytest.mark.parametrize("key", ["valid_days", "cold_after_days", "ttl_seconds"])
def test_a_life_of_more_than_a_century_is_refused_with_its_place(
    tmp_path: Path, key: str, number: str
) -> None:
    given = number if key != "ttl_seconds" else "99999999999"
    file = tmp_path / "x.yaml"
    file.write_text(
        f"form_type: x\nlife: {{{key}: {given}}}\nslots:\n  a: {{type: text}}\n", encoding="utf-8"
    )
    with pytest.raises(SchemaError, match=key) as refused:
        Memory.open(":memory:", form_types=[file])
    assert refused.value.findings[0].line == 2


def test_what_ends_beyond_the_last_day_there_is_ends_on_it(permits: Path) -> None:
    clock = FixedClock("9999-12-15T00:00:00+00:00")
    with Memory.open(":memory:", form_types=[permits], clock=clock) as memory:
        memory.record("permit", {"nr": "K1", "zone": "A"}, time=clock.now())
        form = memory.find("permit")[0]
        assert form["zone"] == "A"
        until = form.slots["zone"].valid_until
        assert until is not None
        assert (until.year, until.month, until.day) == (9999, 12, 31)


@pytest.mark.parametrize("how", ["life", "bulk"])
def test_what_a_thing_goes_by_does_not_end(permits: Path, how: str) -> None:
    """Told again after its values have ended, it is the same Form."""
    clock = FixedClock("2026-03-01T00:00:00+00:00")
    with Memory.open(":memory:", form_types=[permits], clock=clock) as memory:
        id = memory.record("permit", {"nr": "K1", "zone": "甲区"}, time=clock.now()).forms[0]
        if how == "bulk":
            memory.set_validity(form_type="permit", days=20)
        clock.advance(days=31)
        ended = memory.get(id)
        assert (ended["nr"], ended["zone"]) == ("K1", None)
        assert memory.record("permit", {"nr": "K1", "zone": "乙区"}, time=clock.now()).forms == (id,)
        assert memory.get(id)["zone"] == "乙区"
        assert memory.get(id, as_of=clock.now() - timedelta(days=25))["zone"] == "甲区"


def test_a_missing_relation_takes_no_form_that_it_does_not_lead_to() -> None:
    clock = FixedClock("2026-03-01T00:00:00+00:00")
    with Memory.open(":memory:", clock=clock) as memory:
        quote = memory.record("quote_form", {"quote_no": "Q-7"}).forms[0]
        other = memory.record("quote_form", {"quote_no": "Q-8"}).forms[0]
        gone = memory.record("lead_profile", {"company": "海蓝电子"}).forms[0]
        lead = memory.record("lead_profile", {"company": "Acme Foods"}).forms[0]
        memory.invalidate(gone)
        clock.advance(days=2)
        found = {f.forms[0]: f.pending for f in memory.upkeep().findings if f.kind == "missing"}
        for wrong in (quote, other, gone):
            with pytest.raises(InvalidInput):
                memory.confirm(found[quote], wrong)
        assert memory.confirm(found[quote], lead).edges == (f"{quote}.refers_to.{lead}",)
