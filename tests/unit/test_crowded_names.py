"""A value that very many Forms share: what names it once more reads none of them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

TYPES = """
form_type: firm
identity: [name]
slots: {name: {type: text}, city: {type: text}}
---
form_type: bill
identity: [number]
slots: {number: {type: text}, firm: {type: text}}
"""
RULE = """
relation: for_firm
from: bill
to: firm
cardinality: many_to_one
when: "bill.firm == firm.name"
"""


def test_the_next_bill_of_a_firm_reads_the_firm_and_none_of_its_bills(
    tmp_path: Path, monkeypatch: Any
) -> None:
    (tmp_path / "types.yaml").write_text(TYPES, encoding="utf-8")
    (tmp_path / "rule.yaml").write_text(RULE, encoding="utf-8")
    with Memory.open(
        ":memory:", form_types=[tmp_path / "types.yaml"], relation_rules=[tmp_path / "rule.yaml"],
        clock=FixedClock(datetime(2026, 3, 2, 12, tzinfo=UTC)),
    ) as memory:  # fmt: skip
        firm = memory.record("firm", {"name": "Acme"}).forms[0]
        for n in range(60):
            memory.record("bill", {"number": f"B{n}", "firm": "Acme"})
        read: list[str] = []
        forms = memory._store.forms

        def counted(scope: Any, ids: Any) -> Any:
            read.extend(ids)
            return forms(scope, ids)

        monkeypatch.setattr(memory._store, "forms", counted)
        told = memory.record("bill", {"number": "B60", "firm": "Acme"})
        assert len(told.edges) == 1
        assert len(read) < 10
        monkeypatch.undo()
        # and all of them where they are what is asked for
        memory.correct(firm, "name", "Bolt")
        assert not [e for e in memory.edges(firm) if e.relation == "for_firm"]
        memory.correct(firm, "name", "Acme")
        assert len([e for e in memory.edges(firm) if e.relation == "for_firm"]) == 61
