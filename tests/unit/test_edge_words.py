"""An edge tells the words that drew it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from filed import Filed

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

YAML = """\
form_type: bill
identity: [number]
slots: {number: {type: text}, firm: {type: text}}
---
form_type: firm
identity: [name]
slots: {name: {type: text}}
---
relation: billed_to
from: bill
to: firm
"""


@pytest.mark.parametrize(
    ("text", "number", "firm"), [("B-1 goes to Alder", "B-1", "Alder"), ("账单B-1开给海蓝", "B-1", "海蓝")]
)
def test_the_words_of_a_drafted_edge(tmp_path: Path, text: str, number: str, firm: str) -> None:
    def slot(value: str) -> dict[str, object]:
        return {"value": value, "confidence": 0.95, "evidence": value}

    script = {
        text: [
            {"form_type": "firm", "slots": {"name": slot(firm)}},
            {
                "form_type": "bill", "slots": {"number": slot(number)},
                "relations": [{"relation": "billed_to", "to": {"form_type": "firm", "name": firm}}],
            },
        ]
    }  # fmt: skip
    world = Filed(tmp_path, YAML, script)
    with world.memory as memory:
        memory.observe(text, id="m1", time=datetime(2026, 1, 2, tzinfo=UTC))
        (edge,) = world.drawn("billed_to")
        assert edge.evidence is not None
        assert edge.evidence.message_id == "m1"
        assert (edge.evidence.start, edge.evidence.end, edge.evidence.text) == (0, len(text), text)


def test_the_words_that_point_back_and_a_candidate_have_theirs() -> None:
    """之前那份报价: the part of the message that points at another Form."""
    clock = FixedClock(datetime(2026, 1, 2, tzinfo=UTC))
    with Memory.open(
        ":memory:", form_types=["lead_profile", "quote_form", "contract_form"], clock=clock
    ) as memory:
        memory.observe("给海蓝电子的报价单Q-7，金额48万", id="m1")
        memory.observe("合同C-9按之前的报价签，金额48万", id="m2")
        edges = {e.id: e for f in memory.find() for e in memory.edges(f.id) if e.evidence is not None}
        said = {"m1": "给海蓝电子的报价单Q-7，金额48万", "m2": "合同C-9按之前的报价签，金额48万"}
        assert edges
        for edge in edges.values():
            words = edge.evidence
            assert words is not None
            assert words.text == said[words.message_id or ""][words.start : words.end] != ""
