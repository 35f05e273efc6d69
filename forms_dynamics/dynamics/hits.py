"""Which edges a message hits: what a conversation touches again grows stronger.

A user's message hits an edge when it touches the Forms at both ends, or says again, of the Form that refers (the
quote, not the customer whom it is for), the value that ties it to the other. A relation that is stated again is a hit
as well (``relate``). One message hits an edge once at most, and the one that draws an edge not once more. Assistants,
tools and acts hit nothing here, and neither does being walked by a recall.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Protocol

from forms_dynamics.dynamics.relate import Graph, Node, moment, restate
from forms_dynamics.model.gated import Gated
from forms_dynamics.model.record import EdgeRecord, MessageRecord
from forms_dynamics.schema.coerce import key_text
from forms_dynamics.schema.spec import Catalog, FormType, RelationRule
from forms_dynamics.strength import MARKED, begun, expired, hit, life_of


class Live(Graph, Protocol):
    """What this stage reads beyond what ``relate`` does."""

    def live_edges(self, forms: Sequence[str]) -> list[EdgeRecord]: ...


def hit_edges(
    graph: Live,
    message: MessageRecord,
    touched: Mapping[str, Node],
    said: Sequence[tuple[Node, Gated]],
    drawn: Collection[str],
    edited: bool,
) -> None:
    """Hits what ``message`` hits; nothing where it is not a user's. ``touched``: the Forms of which it tells;
    ``said``: with what it says of them; ``drawn``: ids of edges that it draws or states itself. ``edited``: its words
    take the place of others, whose hits stand: an edge that was hit since is not hit by them again.

    One query at most for the edges, and none where none can be: of new Forms, and of types between which no relation
    is declared.
    """
    if message.role != "user" or message.kind != "message":
        return
    there = {id: node for id, node in touched.items() if node.base_n > 0 and node.active}
    again = [(node, gated) for node, gated in said if node.id in there and _refers(graph.catalog, node.type)]
    asked = dict.fromkeys([*(node.id for node, _ in again), *_pairs(graph.catalog, there)])
    if not asked:
        return
    at = moment(graph, message)
    edges = {e.id: e for e in graph.live_edges(list(asked))}
    told = {key: rule for node, gated in again for key, rule in _told(graph, node, gated, edges)}
    for key, edge in edges.items():
        if key in drawn or (edited and edge.last_hit >= at):
            continue
        if key in told:
            restate(graph, edge, told[key], message)
        elif edge.source in there and edge.target in there:
            life = life_of(graph.catalog, edge)
            if begun(edge, message.time) and not expired(edge, life, at):
                graph.put_edge(hit(edge, life, at))


def _pairs(catalog: Catalog, nodes: Mapping[str, Node]) -> Iterator[str]:
    """Those of the Forms that a relation may tie to another of them."""
    for node in nodes.values():
        for other in nodes.values():
            if other is not node and (
                catalog.rules_between(node.type, other.type) or catalog.rules_between(other.type, node.type)
            ):
                yield node.id
                break


def _refers(catalog: Catalog, type: str) -> bool:
    return any(next(_slots(catalog, rule, type), None) is not None for rule in catalog.rules if rule.when)


def _slots(catalog: Catalog, rule: RelationRule, type: str) -> Iterator[tuple[bool, frozenset[str]]]:
    """(whether the Form is the source, slots) where a Form of the type says of itself that the rule holds.

    A Form that goes by its joined slots (a customer by its name) only says who it is, and the other end refers to it;
    where both go by them, the source does.
    """
    sources = frozenset(join.source_slot for join in rule.when)
    targets = frozenset(join.target_slot for join in rule.when)
    named = _goes_by(catalog.types.get(rule.target), targets)
    if rule.source == type and (named or not _goes_by(catalog.types.get(rule.source), sources)):
        yield True, sources
    if rule.target == type and not named:
        yield False, targets


def _goes_by(form_type: FormType | None, slots: Collection[str]) -> bool:
    return form_type is not None and any(key and set(key) <= set(slots) for key in form_type.identity.keys)


def _told(
    graph: Live, node: Node, gated: Gated, edges: Mapping[str, EdgeRecord]
) -> Iterator[tuple[str, RelationRule]]:
    """The edges of rules that what is said of the Form says again."""
    values: dict[str, set[str]] = {}
    for item in gated.accepted:
        if item.op in ("set", "add") and not item.negated and item.value is not None:
            spec = graph.catalog.types[node.type].slots[item.slot]
            given = item.value if isinstance(item.value, tuple) else (item.value,)
            values.setdefault(item.slot, set()).update(key_text(spec, value) for value in given)
    for rule in graph.catalog.rules if values else ():
        for outward, slots in _slots(graph.catalog, rule, node.type) if rule.when else ():
            names = {name for slot in slots for name in values.get(slot, ())}
            if not names:
                continue
            mine = [
                (key, edge)
                for key, edge in edges.items()
                if edge.relation == rule.name
                and edge.made_by.removeprefix(MARKED) == f"rule:{rule.name}"
                and node.id == (edge.source if outward else edge.target)
            ]
            kind = rule.target if outward else rule.source
            others = {k.form for name in names for k in graph.names(name, kind)} if mine else set()
            yield from (
                (key, rule) for key, edge in mine if (edge.target if outward else edge.source) in others
            )


__all__ = ["hit_edges"]
