"""The same message twice is told once."""

from __future__ import annotations

import json

import pytest

from forms_dynamics import Conflict

from .world import Worlds, dump, lead, money, on_both, said


@on_both
def test_pr_019(worlds: Worlds) -> None:
    w = worlds("PR-019")
    message = dict(w.messages[0])
    text, identity = message.pop("text"), message.pop("id")
    w.memory.observe(text, id=identity, **message)
    before = dump(w.memory)
    second = w.memory.observe(text, id=identity, **message)
    assert second.duplicate is True
    assert second.message_id == identity
    f = w.only("lead_profile")
    assert (f.version, f["budget"]) == (1, money(75000, "EUR"))
    assert dump(w.memory) == before
    assert len(w.memory.history(f.id)) == 1
    with pytest.raises(Conflict):
        w.memory.observe("another text", id=identity, **message)
    assert dump(w.memory) == before
    assert before.count("budget is 75k EUR") == 1


@on_both
def test_pr_021(worlds: Worlds) -> None:
    w = worlds("PR-021")
    w.play()
    first = [json.dumps(row, ensure_ascii=False) for row in w.memory.export()]
    again = w.memory.observe_many(w.messages)
    second = [json.dumps(row, ensure_ascii=False) for row in w.memory.export()]
    assert first == second
    assert [r.duplicate for r in again] == [True, True, True]
    f = w.only("lead_profile")
    told = [(v.slots["budget"].value, v.current) for v in w.memory.history(f.id)]
    assert told[0] == (money(250000, "CNY"), False)
    assert told[-1] == (money(280000, "CNY"), True)
    assert f["deadline"].isoformat() == "2026-06-20"


# -- ours ------------------------------------------------------------------------------------------------


def test_a_duplicate_takes_no_entry_of_the_script(worlds: Worlds) -> None:
    messages = [
        said("2026-03-01T09:00:00+08:00", "宁远化工预算25万。", id="a1"),
        said("2026-03-01T09:00:00+08:00", "宁远化工预算25万。", id="a1"),
        said("2026-03-02T09:00:00+08:00", "宁远化工预算28万。", id="a2"),
    ]
    w = worlds(
        types=["lead_profile"],
        messages=messages,
        script=[
            [lead(company="宁远化工", budget=("25万", "预算25万"))],
            [lead(company="宁远化工", budget=("28万", "预算28万"))],
        ],
    )
    receipts = w.play()
    assert [r.duplicate for r in receipts] == [False, True, False]
    assert w.only("lead_profile")["budget"] == money(280000, "CNY")


def test_the_same_words_under_another_id_are_a_retelling(worlds: Worlds) -> None:
    script = {"Calder Optics has 75k EUR.": [lead(company="Calder Optics", budget="75k EUR")]}
    messages = [
        said("2026-06-01T12:00:00+00:00", "Calder Optics has 75k EUR.", id="x1"),
        said("2026-06-08T12:00:00+00:00", "Calder Optics has 75k EUR.", id="x2"),
    ]
    w = worlds(types=["lead_profile"], messages=messages, script=script)
    receipts = w.play()
    assert [r.duplicate for r in receipts] == [False, False]
    f = w.only("lead_profile")
    assert f.version == 1
    confirmed = f.slots["budget"].confirmed_at
    assert confirmed is not None
    assert confirmed.date().isoformat() == "2026-06-08"
    assert f.slots["budget"].confidence == pytest.approx(0.95)


def test_an_edit_replaces_what_the_message_gave(worlds: Worlds) -> None:
    script = {
        "Calder Optics has 75k EUR.": [lead(company="Calder Optics", budget="75k EUR")],
        "Calder Optics has 57k EUR.": [lead(company="Calder Optics", budget="57k EUR")],
    }
    w = worlds(types=["lead_profile"], messages=[], script=script, now="2026-06-01T13:00:00+00:00")
    time = "2026-06-01T12:00:00+00:00"
    w.memory.observe("Calder Optics has 75k EUR.", id="x1", time=time, conversation="c1")
    w.memory.observe("Calder Optics has 57k EUR.", id="x1", time=time, conversation="c1", edit=True)
    f = w.only("lead_profile")
    assert f["budget"] == money(57000, "EUR")
    assert "75,000" not in w.memory.recall("budget of Calder Optics").text


def test_a_record_twice_is_one_form_with_one_version(worlds: Worlds) -> None:
    w = worlds(types=["lead_profile"], messages=[], script=[])
    first = w.memory.record("lead_profile", {"company": "宁远化工", "budget": "25万"}, external_id="crm-7")
    again = w.memory.record("lead_profile", {"company": "宁远化工", "budget": "25万"}, external_id="crm-7")
    assert again.forms == first.forms
    f = w.only("lead_profile")
    assert (f.version, f["budget"]) == (1, money(250000, "CNY"))
    assert "crm-7" in f.external_ids


def test_a_dry_run_writes_nothing_and_tells_all(worlds: Worlds) -> None:
    script = {"Calder Optics has 75k EUR.": [lead(company="Calder Optics", budget="75k EUR")]}
    w = worlds(types=["lead_profile"], messages=[], script=script, now="2026-06-01T13:00:00+00:00")
    before = dump(w.memory)
    dry = w.memory.observe(
        "Calder Optics has 75k EUR.", id="x1", time="2026-06-01T12:00:00+00:00", dry_run=True
    )
    assert (dry.state, len(dry.forms), len(dry.versions)) == ("stored", 1, 1)
    assert dump(w.memory) == before
    assert list(w.memory.find("lead_profile")) == []
    real = w.memory.observe("Calder Optics has 75k EUR.", id="x1", time="2026-06-01T12:00:00+00:00")
    assert real.duplicate is False
    assert len(w.memory.find("lead_profile")) == 1
