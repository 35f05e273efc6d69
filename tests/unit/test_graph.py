"""The graph for networkx, and the GraphML that Gephi opens."""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

import networkx
import pytest
from firms import DEAL, FIRM, diary, together

from forms_dynamics import InvalidInput, Memory, NotFound
from forms_dynamics.graph import node_link, written
from forms_dynamics.testing import FixedClock

NS = "{http://graphml.graphdrawing.org/xmlns}"
# what Gephi's importer takes; it reads ``label`` and ``weight`` by their names
GEPHI_TYPES = {"string", "boolean", "int", "long", "float", "double"}
GEPHI_RESERVED = {"x", "y", "z", "size", "color", "r", "g", "b", "id", "source", "target"}
TYPES = together(FIRM, DEAL, diary("$conversation"))
RULES = """\
relation: for_firm
from: deal
to: firm
strength: {weight: 0.9, half_life_days: 30, ttl_seconds: 864000}
when: "deal.firm == firm.name"
---
relation: after
from: deal
to: deal
"""
NOW = datetime(2026, 6, 1, 8, tzinfo=UTC)


@pytest.fixture(params=["sqlite", "postgres"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    (tmp_path / "types.yaml").write_text(TYPES, encoding="utf-8")
    (tmp_path / "rules.yaml").write_text(RULES, encoding="utf-8")
    url = request.getfixturevalue("postgres_schema")() if request.param == "postgres" else ":memory:"
    with ExitStack() as stack:
        made = Memory.open(
            url,
            form_types=[tmp_path / "types.yaml"],
            relation_rules=[tmp_path / "rules.yaml"],
            clock=FixedClock(NOW),
        )
        yield stack.enter_context(made)


Chain = Callable[[], dict[str, str]]


@pytest.fixture
def chain(memory: Memory) -> dict[str, str]:
    """A firm, three deals of which one follows the other, an invalid one, a diary; name → id."""
    ids = {}
    hostile = '<海蓝>&"电子"🎉\u2028𠮷'
    ids["firm"] = memory.record(
        "firm",
        {
            "name": hostile, "city": "a" * 300, "budget": "50万", "staff": 40, "share": "12.5%", "listed": True,
            "founded": "2010-05-01", "tags": ["a", "b"], "size": "large",
        },
    ).forms[0]  # fmt: skip
    for title in ("D1", "D2", "D3", "D4"):
        slots = {"title": title, "staff": "many", "share": 3}
        if title == "D1":
            slots["firm"] = hostile
        ids[title] = memory.record("deal", slots).forms[0]
    memory.link(ids["D2"], "after", ids["D1"])
    memory.link(ids["D3"], "after", ids["D2"])
    memory.link(ids["D4"], "after", ids["D3"])
    memory.invalidate(ids["D4"])
    ids["diary"] = memory.observe("hello", conversation="c", id="m1").message_id
    return ids


def names(graph: networkx.MultiDiGraph, ids: dict[str, str]) -> set[str]:
    back = {id: name for name, id in ids.items()}
    return {back[node] for node in graph}


def test_forms_are_nodes_and_relations_edges(memory: Memory, chain: dict[str, str]) -> None:
    graph = memory.graph()
    assert isinstance(graph, networkx.MultiDiGraph)
    assert names(graph, chain) == {"firm", "D1", "D2", "D3"}
    assert {(u, v, k) for u, v, k in graph.edges(keys=True)} == {
        (chain["D1"], chain["firm"], f"{chain['D1']}.for_firm.{chain['firm']}"),
        (chain["D2"], chain["D1"], f"{chain['D2']}.after.{chain['D1']}"),
        (chain["D3"], chain["D2"], f"{chain['D3']}.after.{chain['D2']}"),
    }
    node = graph.nodes[chain["firm"]]
    assert node["label"] == '<海蓝>&"电子"🎉 𠮷'
    assert (node["form_type"], node["version"], node["status"], node["confidence"]) == (
        "firm",
        1,
        "active",
        1.0,
    )
    assert (node["slot_budget"], node["slot_budget_amount"]) == ("50万（500,000 CNY）", 500000.0)
    assert (node["slot_listed"], node["slot_founded"], node["slot_tags"]) == (True, "2010-05-01", "a、b")
    assert (node["slot_staff"], node["slot_share"]) == (
        "40",
        12.5,
    )  # of one type with the deals' words and numbers
    assert graph.nodes[chain["D1"]]["slot_share"] == 3.0
    edge = graph.edges[chain["D1"], chain["firm"], f"{chain['D1']}.for_firm.{chain['firm']}"]
    assert (edge["weight"], edge["made_by"], edge["ttl_seconds"]) == (0.9, "rule:for_firm", 864000)
    assert networkx.shortest_path(graph, chain["D3"], chain["firm"]) == [
        chain[name] for name in ("D3", "D2", "D1", "firm")
    ]


def test_a_part_of_it(memory: Memory, chain: dict[str, str]) -> None:
    hops = [names(memory.graph(form_id=chain["firm"], hops=n), chain) for n in range(4)]
    assert hops == [{"firm"}, {"firm", "D1"}, {"firm", "D1", "D2"}, {"firm", "D1", "D2", "D3"}]
    everything = memory.graph(include_inactive=True)
    assert names(everything, chain) == {"firm", "D1", "D2", "D3", "D4"}
    assert everything.nodes[chain["D4"]]["status"] == "invalid"
    assert names(memory.graph(form_id=chain["D4"], hops=0), chain) == {"D4"}
    for wrong in ({"hops": -1}, {"hops": 11}, {"lang": "de"}):
        with pytest.raises(InvalidInput):
            memory.graph(**wrong)
    with pytest.raises(NotFound):
        memory.graph(form_id="nobody")
    with pytest.raises(NotFound):
        memory.graph(form_id=chain["firm"], as_of=NOW - timedelta(days=1))


def test_as_of_a_moment_and_as_time_passes(memory: Memory, chain: dict[str, str]) -> None:
    memory._clock.advance(days=3)  # type: ignore[attr-defined]
    memory.correct(chain["firm"], "city", "Leeds")
    late = memory.record("deal", {"title": "late"}).forms[0]
    memory.link(late, "after", chain["D1"])
    now, then = memory.graph(), memory.graph(as_of=NOW + timedelta(days=1))
    assert now.nodes[chain["firm"]]["slot_city"] == "Leeds"
    assert then.nodes[chain["firm"]]["slot_city"] == "a" * 300
    assert (late in now, late in then) == (True, False)
    assert len(memory.graph(as_of=NOW - timedelta(days=1))) == 0
    key = (chain["D1"], chain["firm"], f"{chain['D1']}.for_firm.{chain['firm']}")
    assert math.isclose(now.edges[key]["weight"], 0.9 * 0.5 ** (3 / 30), rel_tol=1e-9)
    memory._clock.advance(days=30)  # type: ignore[attr-defined]
    assert memory.graph().edges[key]["expired"]


def test_messages_on_demand(memory: Memory, chain: dict[str, str], tmp_path: Path) -> None:
    with Memory.open(":memory:", form_types=["lead_profile"], clock=FixedClock(NOW)) as leads:
        leads.observe("我们公司是海蓝电子，预算50万\x07", conversation="c", id="m1")
        graph = leads.graph(messages=True)
        [form] = leads.find("lead_profile")
        assert set(graph) == {form.id, "message:m1"}
        assert graph.nodes["message:m1"]["text"] == "我们公司是海蓝电子，预算50万 "
        [(source, target, edge)] = graph.edges(data=True)
        assert (source, target, edge["relation"]) == (form.id, "message:m1", "derived_from")
        gephi(written(graph, "graphml"))


def test_labels_in_either_language(tmp_path: Path) -> None:
    with Memory.open(":memory:", form_types=["lead_profile"], clock=FixedClock(NOW)) as memory:
        memory.observe("预算50万", conversation="c", id="m1")
        [form] = memory.find()
        labels = [memory.graph(lang=lang).nodes[form.id]["label"] for lang in ("zh", "en")]
        assert "预算" in labels[0]
        assert "50万" in labels[0]
        assert "500,000 CNY" in labels[1]


# how Gephi's importer chooses: by a key's id, else by its name, it takes these for labels and weights
GEPHI_NODE = {"label": "label", "d3": "label"}
GEPHI_EDGE = {
    "label": "label",
    "edgelabel": "label",
    "d7": "label",
    "weight": "weight",
    "Edge Weight": "weight",
}


def as_gephi(document: str) -> tuple[dict[str, str], dict[str, tuple[str, float]]]:
    """Node → label, edge → (label, weight), as Gephi's importer would take them."""
    root = ElementTree.fromstring(document.encode("utf-8"))
    props = {}
    for key in root.findall(f"{NS}key"):
        table = {"node": GEPHI_NODE, "edge": GEPHI_EDGE}.get(key.get("for") or "", {})
        props[key.get("id")] = table.get(key.get("id") or "") or table.get(key.get("attr.name") or "")
    taken: list[dict[str, dict[str, str]]] = [{}, {}]
    for at, name in enumerate(("node", "edge")):
        for element in root.iter(f"{NS}{name}"):
            mine = taken[at].setdefault(element.get("id") or "", {})
            for data in element.findall(f"{NS}data"):
                prop = props[data.get("key")]
                if prop is not None:
                    assert prop not in mine, "two keys for one property"
                    mine[prop] = data.text or ""
    nodes = {id: got["label"] for id, got in taken[0].items()}
    return nodes, {id: (got["label"], float(got["weight"])) for id, got in taken[1].items()}


def same_for_gephi(document: str, graph: networkx.MultiDiGraph) -> None:
    nodes, edges = as_gephi(document)
    assert nodes == dict(graph.nodes(data="label"))
    assert edges == {k: (e["label"], e["weight"]) for _, _, k, e in graph.edges(keys=True, data=True)}


def gephi(document: str) -> None:
    """What GraphML demands and Gephi relies on."""
    root = ElementTree.fromstring(document.encode("utf-8"))
    assert root.tag == f"{NS}graphml"
    keys = {key.get("id"): key for key in root.findall(f"{NS}key")}
    assert len(keys) == len(root.findall(f"{NS}key"))
    named = [(key.get("for"), key.get("attr.name")) for key in keys.values()]
    assert len(named) == len(set(named)), "one type for each name"
    for key in keys.values():
        assert key.get("for") in ("node", "edge", "graph")
        assert re.fullmatch(r"[\w.-]+", key.get("attr.name") or "")
        assert key.get("attr.type") in GEPHI_TYPES
        assert key.get("attr.name") not in GEPHI_RESERVED or key.get("for") == "graph"
    kinds = {(key.get("for"), key.get("attr.name")): key.get("attr.type") for key in keys.values()}
    [graph] = root.findall(f"{NS}graph")
    assert graph.get("edgedefault") == "directed"
    nodes, edges = graph.findall(f"{NS}node"), graph.findall(f"{NS}edge")
    ids = [node.get("id") for node in nodes]
    assert len(ids) == len(set(ids))
    edge_ids = [edge.get("id") for edge in edges]
    assert len(edge_ids) == len(set(edge_ids))
    assert None not in edge_ids
    if nodes:
        assert kinds["node", "label"] == "string"
    if edges:
        assert kinds["edge", "weight"] == "double"
    for edge in edges:
        assert {edge.get("source"), edge.get("target")} <= set(ids)
    for element in (*nodes, *edges):
        held = {keys[data.get("key")].get("attr.name"): data.text for data in element.findall(f"{NS}data")}
        assert held["label"]
        for data in element.findall(f"{NS}data"):
            assert keys[data.get("key")].get("for") == element.tag.removeprefix(NS)
        if element.tag == f"{NS}edge":
            assert 0 <= float(held["weight"] or "") <= 1


def test_graphml_is_what_gephi_reads(memory: Memory, chain: dict[str, str]) -> None:
    graph = memory.graph(include_inactive=True)
    document = written(graph, "graphml")
    gephi(document)
    same_for_gephi(document, graph)
    assert 'for="graph"' not in document
    assert document == written(memory.graph(include_inactive=True), "graphml")
    back = networkx.read_graphml(io.BytesIO(document.encode()), force_multigraph=True)
    assert dict(back.nodes(data=True)) == dict(graph.nodes(data=True))
    assert list(back.edges(keys=True, data=True)) == list(graph.edges(keys=True, data=True))
    gephi(written(Memory.open(":memory:").graph(), "graphml"))


def test_networkx_writes_it_without_help(memory: Memory, chain: dict[str, str], tmp_path: Path) -> None:
    networkx.write_graphml(memory.graph(), tmp_path / "own.graphml")
    gephi((tmp_path / "own.graphml").read_text("utf-8"))
    same_for_gephi((tmp_path / "own.graphml").read_text("utf-8"), memory.graph())
    networkx.write_gexf(memory.graph(), tmp_path / "own.gexf")


def test_other_documents(memory: Memory, chain: dict[str, str]) -> None:
    graph = memory.graph()
    told = json.loads(written(graph, "json"))
    assert told == node_link(graph)
    assert networkx.utils.graphs_equal(networkx.node_link_graph(told, edges="edges"), graph)
    dot = written(graph, "dot")
    assert dot.startswith("digraph {\n")
    assert f'"{chain["firm"]}" [label="<海蓝>&\\"电子\\"🎉 𠮷"];' in dot
    assert f'"{chain["D1"]}" -> "{chain["firm"]}" [label="for_firm 0.90"];' in dot
    with pytest.raises(InvalidInput):
        written(graph, "svg")


def test_a_scope_draws_what_it_may_read(memory: Memory, chain: dict[str, str]) -> None:
    ana = memory.scoped(user="ana")
    assert len(ana.graph()) == 0
    mine = ana.record("deal", {"title": "mine"}).forms[0]
    assert set(ana.graph()) == {mine}
    assert ana.graph().nodes[mine]["user"] == "ana"
    with pytest.raises(NotFound):
        ana.graph(form_id=chain["firm"])
