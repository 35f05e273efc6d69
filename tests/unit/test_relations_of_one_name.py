"""Relations of one name between different types: each edge lives by the rule between its own two types."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from forms_dynamics import DynamicEdge, Memory
from forms_dynamics.testing import FixedClock

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def edges(memory: Memory, form: str) -> dict[str, DynamicEdge]:
    """Type at the other end → active edge."""
    found = [e for e in memory.edges(form) if e.relation not in ("derived_from", "supersedes")]
    return {memory.get(e.target if e.source == form else e.source).type: e for e in found}


def test_quotes_and_contracts_refer_to_a_customer_each_for_as_long_as_its_rule_says() -> None:
    clock = FixedClock(NOON)
    with Memory.open(":memory:", clock=clock, embedder=None) as memory:
        lead = memory.record("lead_profile", {"company": "海蓝电子"}).forms[0]
        memory.record("quote_form", {"quote_no": "Q1", "company": "海蓝电子"})
        memory.record("contract_form", {"contract_no": "C1", "company": "海蓝电子"})
        day = 180 * 86400
        assert {t: e.ttl_seconds for t, e in edges(memory, lead).items()} == {
            "quote_form": day,
            "contract_form": 365 * 86400,
        }
        clock.advance(days=30)
        weights = {t: e.weight for t, e in edges(memory, lead).items()}
        assert weights == pytest.approx(
            {"quote_form": 0.7 + 0.2 / 2, "contract_form": 0.7 + 0.15 / 2**0.5}, abs=1e-9
        )
        clock.advance(days=151)
        context = memory.recall(focus=lead, include_cold=True)
        assert {s.reason.partition(" to ")[0] for s in context.trace.steps if s.kind == "walk"} == {
            "refers_to"
        }
        assert [s.reason for s in context.trace.steps if s.kind == "prune"] == ["expired"]


@pytest.mark.parametrize("first", ["order", "product"])
def test_one_of_each_type_whichever_comes_first(first: str) -> None:
    """``complains_about`` goes to one order and to one product."""
    with Memory.open(":memory:", clock=FixedClock(NOON), embedder=None) as memory:
        complaint = memory.record("complaint", {"order_no": "A-1", "product": "oat milk"}).forms[0]
        rows = {"order": {"order_no": "A-1"}, "product": {"name": "oat milk"}}
        for kind in sorted(rows, key=lambda kind: kind != first):
            memory.record(kind, rows[kind])
        assert set(edges(memory, complaint)) == {"order", "product"}
        memory.rebuild()
        assert set(edges(memory, complaint)) == {"order", "product"}
