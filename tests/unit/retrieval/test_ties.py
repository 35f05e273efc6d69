"""Relations that a question names, and names that are hard to tell from the words around them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from forms_dynamics import Memory
from forms_dynamics.retrieval.ties import chain_named, ties_named
from forms_dynamics.testing import FixedClock

TYPES = """\
form_type: entity
identity: [name]
slots: {name: text}
---
relation: spouse
from: entity
to: entity
cardinality: many_to_one
aliases: [配偶, husband]
---
relation: child
from: entity
to: entity
aliases: [孩子]
---
relation: likes
from: entity
to: entity
strength: {weight: 1.0}
"""


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    file = tmp_path / "types.yaml"
    file.write_text(TYPES, encoding="utf-8")
    clock = FixedClock("2026-06-01T09:00:00Z")
    with Memory.open(":memory:", form_types=[file], relation_rules=[], clock=clock) as opened:
        yield opened


def entities(memory: Memory, *names: str) -> list[str]:
    return [memory.record("entity", {"name": name}).forms[0] for name in names]


def test_a_chain_is_read_from_its_name(memory: Memory) -> None:
    def chain(text: str, name: str) -> list[set[str]]:
        at = text.index(name)
        return [set(link) for link in chain_named(text, (at, at + len(name)), memory.catalog)]

    assert chain("who is the child of the spouse of ann?", "ann") == [{"spouse"}, {"child"}]
    assert chain("ann's husband's child", "ann") == [{"spouse"}, {"child"}]
    assert chain("安的配偶的孩子是谁", "安") == [{"spouse"}, {"child"}]
    assert chain("the age of ann", "ann") == []
    assert chain("the grandchild of ann", "ann") == []
    assert ties_named("who is the grandchild of ann", memory.catalog) == frozenset()
    assert ties_named("安的配偶喜欢什么", memory.catalog) == {"spouse"}


@pytest.mark.parametrize(
    "question", ["Who is the child of the spouse of Ann?", "Ann's husband's child?", "Ann的配偶的孩子是谁？"]
)
def test_a_chain_is_walked_link_by_link_and_nothing_else(memory: Memory, question: str) -> None:
    ann, bo, cy, *others = entities(memory, "Ann", "Bo", "Cy", *(f"Other{n}" for n in range(8)))
    memory.link(ann, "spouse", bo)
    memory.link(bo, "child", cy)
    for other in others:
        memory.link(bo, "likes", other)  # stronger, and enough to crowd the child out
        memory.link(ann, "likes", other)
    context = memory.recall(question, max_hops=2)
    assert "Cy" in context.text
    assert "Other" not in context.text
    assert {s.reason for s in context.trace.steps if s.kind == "prune"} == {"unfit"}


def test_an_edge_that_is_named_is_not_crowded_out(memory: Memory) -> None:
    hub, cy, *others = entities(memory, "Ann", "Cy", *(f"Other{n}" for n in range(30)))
    for other in others:
        memory.link(hub, "likes", other)
    memory.link(hub, "child", cy)
    assert "Cy" in memory.recall("Does Ann have a child?").text
    assert "Cy" not in memory.recall("Tell me about Ann").text  # thirty stronger ones go before it


@pytest.mark.parametrize(
    ("name", "other"),
    [("With the Band", "The Band"), ("Falcon (North America)", "North America"), ("Help!", "Hel"), ("Unity F.C.", "Unit")],
)  # fmt: skip
def test_a_name_is_found_whole(memory: Memory, name: str, other: str) -> None:
    wanted, _ = entities(memory, name, other)
    context = memory.recall(f"Who is the child of {name}?")
    assert [s.subject for s in context.trace.steps if s.kind == "anchor"] == [wanted]
