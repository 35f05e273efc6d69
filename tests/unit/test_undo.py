"""Undo: every act is taken back whole, or refused in words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from firms import DEAL, FIRM, together

from forms_dynamics import Conflict, Memory, Money, NotFound
from forms_dynamics.testing import FixedClock, ScriptedExtractor

TYPES = together(FIRM, DEAL)
RULES = "relation: for_firm\nfrom: deal\nto: firm\n"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    (tmp_path / "types.yaml").write_text(TYPES, encoding="utf-8")
    (tmp_path / "rules.yaml").write_text(RULES, encoding="utf-8")
    with Memory.open(
        ":memory:",
        form_types=[tmp_path / "types.yaml"],
        relation_rules=[tmp_path / "rules.yaml"],
        extractor=ScriptedExtractor(SCRIPT),
        clock=FixedClock(datetime(2026, 6, 1, tzinfo=UTC)),
    ) as opened:
        yield opened


SCRIPT = {
    "m1": [
        {
            "form_type": "firm",
            "slots": {
                "name": {"value": "Acme", "confidence": 0.95, "evidence": "Acme"},
                "budget": {"value": "500000 yuan", "confidence": 0.95, "evidence": "500000 yuan"},
            },
        }
    ],
    "m2": [
        {
            "form_type": "deal",
            "slots": {"title": {"value": "Pumps", "confidence": 0.95, "evidence": "Pumps"}},
            "relations": [{"relation": "for_firm", "to": {"form_type": "firm", "name": "Nobody"}}],
        }
    ],
}


def firm(memory: Memory, **slots: object) -> str:
    return memory.record("firm", {"name": "Acme", **slots}).forms[0]


def test_a_link_is_undrawn(memory: Memory) -> None:
    acme, deal = firm(memory), memory.record("deal", {"title": "Pumps"}).forms[0]
    receipt = memory.link(deal, "for_firm", acme)
    assert [e.relation for e in memory.edges(acme)] == ["for_firm"]
    memory.undo(receipt.act or "")
    assert memory.edges(acme) == []
    assert [e.status for e in memory.edges(acme, include_inactive=True)] == ["invalid"]
    with pytest.raises(Conflict, match="nothing to take back"):
        memory.undo(receipt.act or "")


def test_a_second_link_adds_weight_and_its_undo_takes_only_that(memory: Memory) -> None:
    acme, deal = firm(memory), memory.record("deal", {"title": "Pumps"}).forms[0]
    memory.link(deal, "for_firm", acme)
    (before,) = memory.edges(acme)
    again = memory.link(deal, "for_firm", acme)
    (stronger,) = memory.edges(acme)
    assert stronger.weight > before.weight
    memory.undo(again.act or "")
    assert [e.weight for e in memory.edges(acme)] == [before.weight]


def test_a_confirmation_is_undone_and_asks_again(memory: Memory) -> None:
    receipt = memory.observe("Acme has a budget of maybe 500000 yuan.", conversation="c", id="m1")
    waiting = [p for p in memory.pending() if p.slot == "budget"]
    assert waiting, receipt
    act = memory.confirm(waiting[0].id, "500000 CNY")
    (form,) = memory.find("firm")
    assert form["budget"] == Money(Decimal(500_000), "CNY")
    memory.undo(act.act or "")
    assert [p.id for p in memory.pending() if p.slot == "budget"] == [waiting[0].id]
    assert [f["budget"] for f in memory.find("firm", status="any")] == [None]


def test_a_relation_that_was_confirmed_is_undone(memory: Memory) -> None:
    acme = firm(memory)
    memory.observe("The deal is called Pumps.", conversation="c", id="m2")
    (waiting,) = [p for p in memory.pending() if p.reason == "relation_missing"]
    act = memory.confirm(waiting.id, acme)
    assert [e.relation for e in memory.edges(acme)] == ["for_firm"]
    memory.undo(act.act or "")
    assert [e.relation for e in memory.edges(acme)] == []
    assert waiting.id in [p.id for p in memory.pending()]
    memory.confirm(waiting.id, acme)
    assert [e.relation for e in memory.edges(acme)] == ["for_firm"]


def test_a_rollback_and_a_merge_are_undone(memory: Memory) -> None:
    acme = firm(memory, city="Leeds")
    memory.correct(acme, "city", "York")
    memory.undo(memory.rollback(acme, 1).act or "")
    assert memory.get(acme)["city"] == "York"
    other = memory.record("firm", {"name": "Zenith", "budget": "10 CNY"}).forms[0]
    merged = memory.merge(acme, other)
    assert (memory.get(acme)["budget"], memory.get(other).status) == (Money(Decimal(10), "CNY"), "invalid")
    memory.undo(merged.act or "")
    assert (memory.get(acme)["budget"], memory.get(other).status) == (None, "active")
    with pytest.raises(Conflict, match="already undone"):
        memory.undo(merged.act or "")
    assert memory.verify().ok


def test_a_refusal_is_undone(memory: Memory) -> None:
    memory.observe("Acme has a budget of maybe 500000 yuan.", conversation="c", id="m1")
    waiting = [p.id for p in memory.pending()]
    act = memory.refuse(waiting[0])
    assert waiting[0] not in [p.id for p in memory.pending()]
    memory.undo(act.act or "")
    assert [p.id for p in memory.pending()] == waiting


def test_a_correction_a_retraction_and_an_invalidation_are_undone(memory: Memory) -> None:
    acme = firm(memory, city="Leeds")
    memory.undo(memory.correct(acme, "city", "York").act or "")
    assert memory.get(acme)["city"] == "Leeds"
    memory.undo(memory.retract(acme, "city").act or "")
    assert memory.get(acme)["city"] == "Leeds"
    memory.undo(memory.invalidate(acme).act or "")
    assert memory.get(acme).status == "active"
    assert memory.verify().ok


def test_an_undo_is_not_undone(memory: Memory) -> None:
    acme = firm(memory, city="Leeds")
    act = memory.correct(acme, "city", "York")
    undone = memory.undo(act.act or "")
    with pytest.raises(Conflict, match="is an undo itself"):
        memory.undo(undone.act or "")
    with pytest.raises(Conflict, match="already undone"):
        memory.undo(act.act or "")


def test_an_act_that_changed_nothing_has_nothing_to_undo(memory: Memory) -> None:
    acme = firm(memory, city="Leeds")
    act = memory.correct(acme, "city", "Leeds")
    with pytest.raises(Conflict, match="nothing to take back"):
        memory.undo(act.act or "")


def test_a_tool_call_names_the_edges_that_tie_it() -> None:
    with Memory.open(":memory:") as memory:
        lead = memory.record("lead_profile", {"company": "Acme"}).forms[0]
        receipt = memory.record_tool_call("crm", {}, {"ok": True}, about=[lead])
        assert receipt.edges == (f"{receipt.forms[0]}.about.{lead}",)


def test_a_form_is_revived_though_a_rollback_was_undone_in_between(memory: Memory) -> None:
    acme = firm(memory, budget="500000 yuan")
    gone = memory.invalidate(acme).act
    back = memory.rollback(acme, 1).act
    assert gone is not None
    assert back is not None
    memory.undo(back)
    assert memory.get(acme).status == "invalid"
    memory.undo(gone)
    assert memory.get(acme).status == "active"
    assert "500,000" in memory.recall("What is Acme's budget?").text
    assert memory.history(acme)[-1].slots["budget"].value == Money(Decimal(500000), "CNY")
    # the other way round: what was undone last restores what still stands
    gone, back = memory.invalidate(acme).act, memory.rollback(acme, 1).act
    assert gone is not None
    assert back is not None
    memory.undo(gone)
    assert memory.get(acme).status == "active"
    memory.undo(back)
    assert memory.get(acme).status == "active"
    memory.rebuild()
    assert memory.get(acme).status == "active"
    assert memory.verify().ok


def test_words_that_withdrew_a_form_and_were_edited_revive_it() -> None:
    memory = Memory.open(":memory:")
    lead = memory.observe("海蓝电子的预算是50万。", id="x", conversation="c").forms[0]
    memory.observe("海蓝电子的方案作废。", id="y", conversation="c")
    assert memory.get(lead).status == "invalid"
    memory.observe("海蓝电子的方案很好。", id="y", conversation="c", edit=True)
    assert memory.get(lead).status == "active"
    assert "50万" in memory.recall("海蓝电子的预算是多少？").text
    # what somebody else said of it stays
    memory.invalidate(lead)
    memory.observe("海蓝电子的方案不错。", id="y", conversation="c", edit=True)
    assert memory.get(lead).status == "invalid"


def test_an_act_whose_form_was_erased_cannot_be_undone(memory: Memory) -> None:
    acme = firm(memory, city="Leeds")
    act = memory.correct(acme, "city", "York").act or ""
    memory.erase(form_id=acme)
    with pytest.raises(Conflict, match="was erased"):
        memory.undo(act)
    with pytest.raises(NotFound):
        memory.undo("a-nobody-did")


def test_what_a_split_made_is_not_found_once_the_split_is_undone(memory: Memory) -> None:
    acme = firm(memory, city="Leeds", budget="10 CNY")
    gone = memory.record("firm", {"name": "Zenith"}).forms[0]
    memory.invalidate(gone)
    split = memory.split(acme, ["city"])
    part = split.forms[-1]
    memory.undo(split.act or "")
    assert memory.get(acme)["city"] == "Leeds"
    assert memory.get(part).status == "invalid"
    assert [f.id for f in memory.find(status="invalid")] == [gone]
    assert {f.id for f in memory.find(status="any", limit=2)} == {acme, gone}
    assert [f.id for f in memory.find(status="any", limit=1, after=min(acme, gone))] == [max(acme, gone)]
