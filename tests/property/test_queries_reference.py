"""The engine of declared queries against a naive reference over a networkx graph."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

SIZE = 7
TYPES = """\
form_type: node
identity: [name]
slots: {name: text, size: integer}
---
relation: a
from: node
to: node
---
relation: b
from: node
to: node
---
query: two
parameters: {node: {type: ref, ref: node}, least: integer}
start: {form_type: node, named: $node}
steps:
  - {relation: a, to: node, as: near, where: "size >= $least"}
  - {relation: b, direction: either, to: node, as: far, where: "size != near.size"}
return: [name, {ways: {count: near}}, {total: {sum: near.size}}]
---
query: every
parameters: {node: {type: ref, ref: node}}
start: {form_type: node, named: $node}
steps:
  - {relation: a, to: node, as: near}
  - {relation: b, to: node, as: far, every: true}
return: [name]
---
query: reach
parameters: {node: {type: ref, ref: node}, least: integer}
start: {form_type: node, named: $node}
steps: [{relation: [a, b], to: node, as: reached, repeat: 1..4, where: "size >= $least"}]
return: [name, {far: {depth: reached}}]
---
query: maybe
parameters: {node: {type: ref, ref: node}}
start: {form_type: node, named: $node}
steps:
  - {relation: a, to: node, as: near}
  - {relation: b, to: node, as: far, optional: true}
group: near
return: [name, {several: {count: far}}]
"""

graphs = st.lists(
    st.tuples(st.integers(0, SIZE - 1), st.sampled_from("ab"), st.integers(0, SIZE - 1)),
    max_size=22,
    unique=True,
)


@settings(max_examples=25, deadline=None)
@given(edges=graphs, sizes=st.lists(st.integers(0, 3), min_size=SIZE, max_size=SIZE), least=st.integers(0, 3))
def test_the_engine_gives_what_the_definition_says(
    edges: list[tuple[int, str, int]], sizes: list[int], least: int
) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "types.yaml"
        file.write_text(TYPES, encoding="utf-8")
        with Memory.open(":memory:", form_types=[file], clock=FixedClock("2026-06-01T00:00:00Z")) as memory:
            ids = [memory.record("node", {"name": f"n{i}", "size": sizes[i]}).forms[0] for i in range(SIZE)]
            graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
            graph.add_nodes_from(range(SIZE))
            for source, relation, target in edges:
                if source != target:  # nothing is tied to itself
                    memory.link(ids[source], relation, ids[target])
                    graph.add_edge(source, target, key=relation)
            for start in range(0, SIZE, 3):
                compare(memory, graph, sizes, start, least)


def compare(memory: Memory, graph: Any, sizes: list[int], start: int, least: int) -> None:
    def out(node: int, relations: str) -> set[int]:
        return {t for _, t, key in graph.out_edges(node, keys=True) if key in relations}

    def either(node: int, relation: str) -> set[int]:
        return out(node, relation) | {s for s, _, key in graph.in_edges(node, keys=True) if key == relation}

    def asked(query: str, **more: Any) -> list[Any]:
        result = memory.query(query, node=f"n{start}", **more)
        assert result.complete
        return list(result)

    near = out(start, "a")
    ways: dict[int, set[int]] = {}
    for n in near:
        if sizes[n] >= least:
            for far in either(n, "b"):
                if sizes[far] != sizes[n]:
                    ways.setdefault(far, set()).add(n)
    assert {(r["name"], r["ways"], r["total"]) for r in asked("two", least=least)} == {
        (f"n{far}", len(some), sum(sizes[n] for n in some)) for far, some in ways.items()
    }
    every = set.intersection(*(out(n, "b") for n in near)) if near else set()
    assert {r["name"] for r in asked("every")} == {f"n{n}" for n in every}

    simple = nx.DiGraph((s, t) for s, t, _ in graph.edges(keys=True) if sizes[t] >= least)
    simple.add_node(start)
    lengths = nx.single_source_shortest_path_length(simple, start, cutoff=4)
    assert {(r["name"], r["far"]) for r in asked("reach", least=least)} == {
        (f"n{n}", steps) for n, steps in lengths.items() if n != start
    }
    assert {(r["name"], r["several"]) for r in asked("maybe")} == {(f"n{n}", len(out(n, "b"))) for n in near}
