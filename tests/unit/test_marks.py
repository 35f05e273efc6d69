"""✓ and ✗ on slots and edges; Forms split in two."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from firms import DEAL, FIRM, together

from forms_dynamics import InvalidInput, Memory, Money, NotFound
from forms_dynamics.testing import FixedClock, ScriptedExtractor

RULES = "relation: for_firm\nfrom: deal\nto: firm\nwhen: deal.firm == firm.name\n"


def draft(**slots: Any) -> list[Any]:
    return [{"form_type": "firm", "slots": {k: {"value": v, "confidence": 0.8} for k, v in slots.items()}}]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    (tmp_path / "types.yaml").write_text(together(FIRM, DEAL), encoding="utf-8")
    (tmp_path / "rules.yaml").write_text(RULES, encoding="utf-8")
    with Memory.open(
        ":memory:",
        form_types=[tmp_path / "types.yaml"],
        relation_rules=[tmp_path / "rules.yaml"],
        extractor=ScriptedExtractor(
            {
                "m1": draft(name="Acme", city="Leeds", tags=["old", "big"]),
                "m2": draft(name="Acme", city="York"),
            }
        ),
        clock=FixedClock(datetime(2026, 6, 1, tzinfo=UTC)),
    ) as opened:
        opened.observe("Acme is in Leeds, it is old and big", id="m1")
        yield opened


def firm(memory: Memory) -> Any:
    return memory.find("firm")[0]


def test_right_raises_confidence_to_one_at_most(memory: Memory) -> None:
    id = firm(memory).id
    receipt = memory.mark(id, "city", right=True)
    slot = firm(memory).slots["city"]
    assert (slot.value, slot.confidence, slot.status) == ("Leeds", 0.85, "known")
    assert slot.evidence.message_id == "m1"
    assert receipt.act is not None
    for _ in range(5):
        memory.mark(id, "city", right=True)
    assert firm(memory).slots["city"].confidence == 1.0
    assert [s.value for s in memory.history(id, slot="city")][-1] == "Leeds"


def test_right_on_a_list_keeps_it(memory: Memory) -> None:
    memory.mark(firm(memory).id, "tags", right=True)
    slot = firm(memory).slots["tags"]
    assert (slot.value, slot.confidence) == (("old", "big"), 0.85)


def test_wrong_takes_the_value_back_and_asks_for_the_right_one(memory: Memory) -> None:
    id = firm(memory).id
    receipt = memory.mark(id, "city", right=False)
    slot = firm(memory).slots["city"]
    assert (slot.value, slot.status) == (None, "pending")
    assert slot.confidence == pytest.approx(0.6)
    (item,) = memory.pending()
    assert (item.slot, item.value, item.reason) == ("city", "Leeds", "marked_wrong")
    assert receipt.questions == (item.question,)
    assert "Leeds" in item.question
    assert memory.find("firm", city="Leeds") == []
    memory.confirm(item.id, "York")
    assert firm(memory)["city"] == "York"
    assert not memory.pending()


def test_wrong_can_be_taken_back_by_confirming_and_by_undo(memory: Memory) -> None:
    id = firm(memory).id
    memory.mark(id, "city", right=False)
    memory.confirm(memory.pending()[0].id)
    assert firm(memory)["city"] == "Leeds"
    act = memory.mark(id, "city", right=False).act or ""
    before = firm(memory)
    assert before["city"] is None
    memory.undo(act)
    assert firm(memory)["city"] == "Leeds"
    assert not memory.pending()


def test_a_later_statement_answers_what_was_marked_wrong(memory: Memory) -> None:
    memory.mark(firm(memory).id, "city", right=False)
    memory.observe("Acme is in York", id="m2", time="2026-06-02T00:00:00Z")
    assert firm(memory)["city"] == "York"
    assert not memory.pending()


def test_marks_survive_rebuild_and_load(memory: Memory, tmp_path: Path) -> None:
    id = firm(memory).id
    memory.mark(id, "tags", right=True)
    act = memory.mark(id, "city", right=False).act or ""
    memory.rebuild()
    files = [tmp_path / "types.yaml"]
    with Memory.open(
        ":memory:", form_types=files, clock=FixedClock(datetime(2026, 6, 1, tzinfo=UTC))
    ) as other:
        other.load(memory.export())
        for one in (memory, other):
            assert one.get(id).slots["tags"].confidence == 0.85
            assert one.get(id)["city"] is None
            assert [p.reason for p in one.pending()] == ["marked_wrong"]
            one.undo(act)
            assert one.get(id)["city"] == "Leeds"


def deal(memory: Memory) -> Any:
    memory.record("deal", {"title": "Pumps", "firm": "Acme"})
    (edge,) = [e for e in memory.edges(firm(memory).id) if e.relation == "for_firm"]
    return edge


def test_an_edge_marked_right_gains_weight(memory: Memory) -> None:
    edge = deal(memory)
    act = memory.mark(edge.id, right=True).act or ""
    (after,) = [e for e in memory.edges(firm(memory).id) if e.relation == "for_firm"]
    assert after.weight == pytest.approx(min(1, edge.weight + 0.05))
    memory.rebuild()
    (after,) = [e for e in memory.edges(firm(memory).id) if e.relation == "for_firm"]
    assert after.weight == pytest.approx(min(1, edge.weight + 0.05))
    memory.undo(act)
    (back,) = [e for e in memory.edges(firm(memory).id) if e.relation == "for_firm"]
    assert (back.weight, back.made_by) == (edge.weight, edge.made_by)


def test_an_edge_marked_wrong_is_not_drawn_again_until_marked_right(memory: Memory) -> None:
    edge = deal(memory)
    receipt = memory.mark(edge.id, right=False)
    assert receipt.questions
    id = firm(memory).id

    def walked() -> list[str]:
        return [e.id for e in memory.edges(id) if e.relation == "for_firm"]

    assert not walked()
    memory.record("firm", {"name": "Acme", "staff": 9})  # the rule looks again
    memory.rebuild()
    assert not walked()
    (candidate,) = memory.candidates()
    assert candidate.id == edge.id
    assert candidate.weight == pytest.approx(edge.weight - 0.2)
    memory.mark(edge.id, right=True)
    assert walked() == [edge.id]
    assert not memory.candidates()


def test_what_cannot_be_marked_is_said(memory: Memory) -> None:
    id = firm(memory).id
    with pytest.raises(InvalidInput, match="holds no value"):
        memory.mark(id, "staff", right=True)
    with pytest.raises(InvalidInput, match="no edge"):
        memory.mark(id, right=True)
    with pytest.raises(InvalidInput, match="no slot"):
        memory.mark(id, "colour", right=True)
    with pytest.raises(NotFound):
        memory.mark("f0", "city", right=True)
    with pytest.raises(NotFound):
        memory.mark(f"{id}.for_firm.f0", right=False)
    with pytest.raises(InvalidInput, match="no slots"):
        memory.mark(f"{id}.for_firm.f0", "city", right=False)


# -- split ---------------------------------------------------------------------------------------------------
def test_a_form_that_was_two_is_split_with_its_history(memory: Memory) -> None:
    id = firm(memory).id
    memory.observe("Acme is in York", id="m2", time="2026-06-02T00:00:00Z")
    receipt = memory.split(id, ["city"])
    part = memory.get(receipt.forms[-1])
    assert part["city"] == "York"
    assert [s.value for s in memory.history(part.id, slot="city")] == ["Leeds", "York"]
    evidence = part.slots["city"].evidence
    assert evidence is not None
    assert evidence.message_id == "m2"
    assert firm(memory).slots.keys() == {"name", "tags"}
    assert memory.get(id, version=1)["city"] == "Leeds"
    assert not memory.candidates()
    assert memory.verify().ok
    memory.rebuild()
    assert memory.get(part.id)["city"] == "York"
    memory.undo(receipt.act or "")
    assert memory.get(id)["city"] == "York"
    assert memory.get(part.id).status == "invalid"
    assert not [p for p in memory.pending() if p.form_id == part.id]


def test_pending_questions_go_with_their_slot(memory: Memory) -> None:
    id = firm(memory).id
    memory.mark(id, "city", right=False)
    receipt = memory.split(id, ["tags"])
    assert [p.form_id for p in memory.pending() if p.slot == "city"] == [id]
    memory.undo(receipt.act or "")
    memory.confirm(memory.pending()[0].id)
    receipt = memory.split(id, ["city"])
    assert memory.get(receipt.forms[-1])["city"] == "Leeds"


@pytest.mark.parametrize(
    ("slots", "why"),
    [([], "say which"), (["staff"], "nothing in"), (["name", "city", "tags"], "all the slots")],
)
def test_what_cannot_be_split_is_said(memory: Memory, slots: list[str], why: str) -> None:
    before = list(memory.export())
    with pytest.raises(InvalidInput, match=why):
        memory.split(firm(memory).id, slots)
    assert list(memory.export()) == before
    with pytest.raises(InvalidInput, match="list"):
        memory.split(firm(memory).id, "city")


def test_money_is_kept_exact_through_a_split(memory: Memory) -> None:
    memory.record("firm", {"name": "Acme", "budget": "500000 CNY"}, source="user")
    receipt = memory.split(firm(memory).id, ["budget"])
    assert memory.get(receipt.forms[-1])["budget"] == Money(500000, "CNY")


def test_the_question_is_in_the_language_of_a_value_of_several() -> None:
    with Memory.open(":memory:", user="u1") as memory:
        taste = memory.observe("我喜欢喝龙井茶").forms[0]
        memory.mark(taste, "liked", right=False)
        (asked,) = memory.pending()
        assert "龙井茶" in asked.question
        assert "what is it" not in asked.question
