"""Merge and split, undone, leave what was there: states, names, edges, questions."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from forms_dynamics import InvalidInput, Memory
from forms_dynamics.testing import FixedClock

FIRM = """
form_type: firm
identity: [name]
slots:
  name: {type: text}
  city: {type: text}
  staff: {type: integer}
  tags: {type: text, many: true}
"""
NAMES = st.sampled_from(["Acme", "海蓝电子", "Birch Ltd"])
SLOTS = st.fixed_dictionaries(
    {},
    optional={
        "city": st.sampled_from(["Leeds", "杭州", "York"]),
        "staff": st.integers(1, 9),
        "tags": st.lists(st.sampled_from(["a", "b", "旧"]), min_size=1, max_size=3, unique=True),
    },
)


def facts(memory: Memory, ids: list[str]) -> Any:
    """All that the export tells of the Forms but acts, versions and counts of them; and as they are read."""
    forms = [
        (f.id, f.status, dict(f.slots), f.aliases, f.external_ids)
        for f in memory.find("firm", status="any")
        if f.id in ids
    ]
    edges = {
        e for id in ids for e in ((e.id, e.status, e.weight) for e in memory.edges(id)) if "@" not in e[0]
    }
    waiting = sorted((p.id, p.form_id, p.slot) for p in memory.pending() if p.form_id in ids)
    found = {
        name: [f.id for f in memory.find("firm", name=name)] for name in ("Acme", "海蓝电子", "Birch Ltd")
    }
    return forms, edges, waiting, found, [(c.id, c.status) for c in memory.candidates()]


@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(st.tuples(NAMES, SLOTS), min_size=2, max_size=6),
    slots=st.lists(st.sampled_from(["name", "city", "staff", "tags"]), min_size=1, max_size=3),
    marks=st.booleans(),
    pick=st.integers(0, 5),
)
def test_undone_is_as_if_it_had_not_been(
    rows: list[tuple[str, dict[str, Any]]], slots: list[str], marks: bool, pick: int, tmp_path_factory: Any
) -> None:
    file = tmp_path_factory.mktemp("types") / "firm.yaml"
    file.write_text(FIRM, encoding="utf-8")
    with Memory.open(
        ":memory:", form_types=[file], clock=FixedClock(datetime(2026, 6, 1, tzinfo=UTC))
    ) as memory:
        for i, (name, values) in enumerate(rows):
            memory.record(
                "firm", {"name": name, **values}, source="user", time=f"2026-01-{i + 1:02}T00:00:00Z"
            )
        ids = [f.id for f in memory.find("firm")]
        if marks:
            memory.mark(ids[0], "name", right=True)
        before = facts(memory, ids)
        if len(ids) > 1:
            act = memory.merge(ids[pick % len(ids)], ids[(pick + 1) % len(ids)]).act or ""
            assert facts(memory, ids) != before
            memory.undo(act)
            assert facts(memory, ids) == before
        try:
            act = memory.split(ids[pick % len(ids)], slots).act or ""
        except InvalidInput:
            return
        assert facts(memory, ids) != before
        memory.undo(act)
        assert facts(memory, ids) == before
        assert memory.verify().ok
        memory.rebuild()
        assert facts(memory, ids) == before
