"""Edges from declared rules and from drafts, each with what made it.

A rule's edge is a function of the two Forms: where its ``when`` no longer holds the edge is superseded. Of a
list any value joins: who is invited, what an order contains. A
draft's relation never makes its target: what cannot be found waits, reason relation_missing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from forms_dynamics.model.record import EdgeRecord, KeyRecord, MessageRecord
from forms_dynamics.model.value import decode
from forms_dynamics.projection import State, winner
from forms_dynamics.schema.coerce import key_text
from forms_dynamics.schema.spec import Catalog, FormType, RelationRule
from forms_dynamics.strength import DEFAULT, MARKED, hit


class Node(Protocol):
    """A Form as this stage needs it."""

    @property
    def id(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def state(self) -> State: ...
    @property
    def active(self) -> bool: ...
    @property
    def updated(self) -> int: ...
    @property
    def base_n(self) -> int: ...
    def at(self, now: int) -> int: ...


class Graph(Protocol):
    """What this stage reads and where it puts edges."""

    @property
    def catalog(self) -> Catalog: ...
    @property
    def now(self) -> int: ...
    def names(self, name: str, type: str) -> list[KeyRecord]: ...
    def form(self, id: str) -> Any: ...
    def edges(self, forms: Sequence[str]) -> list[EdgeRecord]: ...
    def put_edge(self, edge: EdgeRecord) -> None: ...


def value_keys(form_type: FormType, node: Node, slot: str, now: int) -> tuple[str, ...]:
    """The key texts of what a Form says for a slot: one, each of a list, or none."""
    spec = form_type.slots.get(slot)
    held = winner(spec, node.state["s"].get(slot, ()), node.at(now)) if spec is not None else None
    if spec is None or held is None:
        return ()
    value = decode(held["v"])
    if not isinstance(value, tuple):
        return (key_text(spec, value),)
    return tuple(dict.fromkeys(key_text(spec, one) for one in value))


def apply_rules(graph: Graph, node: Node, changed: bool, message: MessageRecord) -> list[str]:
    """Draws the edges that the rules now demand of this Form; ids of new ones. ``changed``: the Form was
    there before, so edges whose condition has gone are looked for and superseded."""
    made: list[str] = []
    form_type = graph.catalog.types.get(node.type)
    if form_type is None:
        return made
    wanted: dict[tuple[str, str, str], RelationRule] = {}
    for rule in graph.catalog.rules:
        if not rule.when:
            continue
        if rule.source == node.type:
            for other in _partners(graph, rule, node, form_type, outward=True):
                wanted[(node.id, rule.name, other.id)] = rule
        if rule.target == node.type:
            for other in _partners(graph, rule, node, form_type, outward=False):
                if _takes(graph, rule, other, node):
                    wanted[(other.id, rule.name, node.id)] = rule
    known: dict[tuple[str, str, str], EdgeRecord] = {}
    if changed or wanted:
        known = {(e.source, e.relation, e.target): e for e in graph.edges([node.id])}
    for key, rule in wanted.items():
        old = known.get(key)
        if old is not None and (old.status == "active" or _marked_wrong(old)):
            continue
        graph.put_edge(_edge(key, rule, message, f"rule:{rule.name}", rule.attributes))
        made.append(".".join(key))
    ruled = {r.name for r in graph.catalog.rules if r.when}
    for key, old in known.items():
        if (
            key not in wanted
            and old.status == "active"
            and old.made_by.removeprefix(MARKED).startswith("rule:")
            and key[1] in ruled
        ):
            graph.put_edge(old._replace(status="superseded"))
    return made


def _marked_wrong(edge: EdgeRecord) -> bool:
    """A person has said that the rule's edge is wrong: the rule does not draw it again."""
    return edge.status == "candidate" and edge.made_by.startswith(MARKED)


def _edge(
    key: tuple[str, str, str],
    rule: RelationRule | None,
    message: MessageRecord,
    made_by: str,
    attributes: Mapping[str, Any],
) -> EdgeRecord:
    weight = rule.strength.weight if rule is not None else 0.8
    source, relation, target = key
    return EdgeRecord(
        source, relation, target, weight, 1, message.time, message.time, "active", made_by, message.id, 0, 0,
        json.dumps(dict(attributes), ensure_ascii=False, sort_keys=True) if attributes else None,
    )  # fmt: skip


def _partners(graph: Graph, rule: RelationRule, node: Node, form_type: FormType, outward: bool) -> list[Any]:
    """The Forms at the other end for which every join holds; for a to-one relation the newest of them."""
    first = rule.when[0]
    mine = first.source_slot if outward else first.target_slot
    kind = rule.target if outward else rule.source
    other_type = graph.catalog.types.get(kind)
    if other_type is None or not node.active:
        return []
    values = value_keys(form_type, node, mine, graph.now)
    found: dict[str, Any] = {}
    for key in (key for value in values for key in graph.names(value, kind)):
        other = graph.form(key.form) if key.form != node.id else None
        if other is not None and other.active and other.type == kind:
            source, target = (node, other) if outward else (other, node)
            types = (form_type, other_type) if outward else (other_type, form_type)
            if _holds(rule, source, target, types, graph.now):
                found[other.id] = other
    partners = list(found.values())
    single = rule.cardinality in (("many_to_one", "one_to_one") if outward else ("one_to_many", "one_to_one"))
    return [max(partners, key=lambda w: (w.updated, w.id))] if single and partners else partners


def _holds(
    rule: RelationRule, source: Node, target: Node, types: tuple[FormType, FormType], now: int
) -> bool:
    for join in rule.when:
        left = value_keys(types[0], source, join.source_slot, now)
        if not left or not set(left) & set(value_keys(types[1], target, join.target_slot, now)):
            return False
    return True


def _takes(graph: Graph, rule: RelationRule, source: Node, target: Node) -> bool:
    """Whether a source that may have one target only is still free for this one."""
    if rule.cardinality not in ("many_to_one", "one_to_one"):
        return True
    return not any(
        e.source == source.id and e.relation == rule.name and e.status == "active" and e.target != target.id
        for e in graph.edges([source.id])
    )


def draft_edge(
    graph: Graph,
    source: Node,
    relation: str,
    target: Node,
    message: MessageRecord,
    attributes: Mapping[str, Any],
) -> str:
    """The edge that a draft's relation (or a person's link) makes; a known one is hit again."""
    key = (source.id, relation, target.id)
    rules = graph.catalog.rules_between(source.type, target.type)
    rule = next((r for r in rules if r.name == relation), None)
    known = next((e for e in graph.edges([source.id]) if (e.source, e.relation, e.target) == key), None)
    if known is not None and known.status == "active":
        graph.put_edge(hit(known, rule.strength if rule is not None else DEFAULT, message.time))
    else:
        made_by = "draft" if message.kind == "message" else message.kind
        graph.put_edge(_edge(key, rule, message, made_by, attributes or (rule.attributes if rule else {})))
    return ".".join(key)


def drop_edge(graph: Graph, source: Node, relation: str, target: Node) -> bool:
    """Marks an edge invalid; says whether there was one."""
    for edge in graph.edges([source.id]):
        if (edge.source, edge.relation, edge.target) == (source.id, relation, target.id):
            graph.put_edge(edge._replace(status="invalid"))
            return True
    return False
