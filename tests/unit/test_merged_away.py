"""A Form that was merged away is part of another one: acts say so, answers reach the whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Conflict, Memory
from forms_dynamics.testing import FixedClock, ScriptedExtractor

HEDGED = {"company": {"value": "Orsa Ltd", "confidence": 0.95, "evidence": "Orsa Ltd"},
          "budget": {"value": "90k EUR", "confidence": 0.4, "evidence": "90k EUR"}}  # fmt: skip


@pytest.fixture
def memory(tmp_path: Path) -> Any:
    with Memory.open(
        tmp_path / "m.db",
        form_types=["lead_profile"],
        extractor=ScriptedExtractor(
            {"Orsa Ltd has maybe 90k EUR": [{"form_type": "lead_profile", "slots": HEDGED}]}
        ),
        clock=FixedClock("2026-06-01T09:00:00+00:00"),
    ) as memory:
        yield memory


def test_acts_on_a_merged_form_say_where_it_went(memory: Memory) -> None:
    one = memory.record("lead_profile", {"company": "Orsa", "budget": "5k EUR"}).forms[0]
    two = memory.record("lead_profile", {"company": "Orsa Ltd", "phone": "+44 20 7946 0111"}).forms[0]
    merged = memory.merge(one, two)
    for act in (
        lambda: memory.correct(two, "budget", "9k EUR"),
        lambda: memory.retract(two, "phone"),
        lambda: memory.rollback(two, 1),
        lambda: memory.invalidate(two),
        lambda: memory.merge(two, one),
        lambda: memory.merge(one, two),
    ):
        with pytest.raises(Conflict, match=f"merged into '{one}'"):
            act()
    assert [form.id for form in memory.find("lead_profile")] == [one]
    memory.correct(one, "budget", "9k EUR")
    memory.undo(merged.act or "")
    memory.correct(two, "budget", "7k EUR")
    assert str(memory.get(two)["budget"]) == "7,000 EUR"
    assert memory.verify().ok


def test_an_answer_about_a_merged_form_goes_to_the_one_it_is_part_of(memory: Memory) -> None:
    one = memory.record("lead_profile", {"company": "Orsa"}).forms[0]
    asked = memory.observe("Orsa Ltd has maybe 90k EUR")
    (two,) = asked.forms
    assert two != one
    memory.merge(one, two)
    memory.confirm(asked.pending[0])
    assert str(memory.get(one)["budget"]) == "90,000 EUR"


def test_two_loaded_forms_of_one_external_id_stay_two(tmp_path: Path) -> None:
    a = Memory.open(":memory:", form_types=["lead_profile"])
    b = Memory.open(":memory:", form_types=["lead_profile"])
    a.record("lead_profile", {"company": "海蓝", "budget": "5万"}, external_id="x")
    mine = b.record("lead_profile", {"company": "临江", "budget": "9万"}, external_id="x").forms[0]
    b.load(a.export())
    assert len(b.find("lead_profile")) == 2
    for budget in ("8万", "7万"):
        assert b.record("lead_profile", {"budget": budget}, external_id="x").forms == (mine,)
    b.rebuild()
    assert b.record("lead_profile", {"budget": "6万"}, external_id="x").forms[0] in {f.id for f in b.find()}
    assert len(b.find("lead_profile")) == 2
    assert b.verify().ok


def test_a_row_is_of_the_speaker_that_is_named() -> None:
    with Memory.open(":memory:", form_types=["user_profile"]) as memory:
        told = memory.observe("我叫李娜，我住在苏州。", speaker="李娜").forms
        assert memory.record("user_profile", {"occupation": "医生"}, speaker="李娜").forms == told
        other = memory.record("user_profile", {"occupation": "教师"}, speaker="王强").forms
        assert other != told
        assert memory.get(told[0])["occupation"] == "医生"


def test_erasing_a_shared_form_takes_the_edges_of_its_readers(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(
        "form_type: topic\nshared: true\nidentity: [title]\nslots:\n  title: {type: text}\n---\n"
        "form_type: note\nidentity: [code]\nslots:\n  code: {type: text}\n  topic: {type: text}\n---\n"
        'relation: about\nfrom: note\nto: topic\nwhen: "note.topic == topic.title"\n',
        encoding="utf-8",
    )
    with Memory.open(tmp_path / "m.db", form_types=[tmp_path / "t.yaml"]) as house:
        shared = house.record("topic", {"title": "T1"}).forms[0]
        ana = house.scoped(user="ana")
        note = ana.record("note", {"code": "N1", "topic": "T1"}).forms[0]
        assert [e.target for e in ana.edges(note) if e.relation == "about"] == [shared]
        house.erase(form_id=shared)
        assert [e for e in ana.edges(note, include_inactive=True) if e.relation == "about"] == []
        rows = list(house.export())
        with Memory.open(tmp_path / "n.db", form_types=[tmp_path / "t.yaml"]) as copy:
            copy.load(rows)
            assert list(copy.export()) == rows
