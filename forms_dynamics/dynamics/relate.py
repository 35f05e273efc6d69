"""Edges from declared rules and from drafts, each with what made it.

A rule's edge is a function of the two Forms: where its ``when`` no longer holds the edge is superseded, and has its
end at the time of what was said. Of a list any value joins: who is invited, what an order contains. A
draft's relation never makes its target: what cannot be found waits, reason relation_missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from forms_dynamics.assertions import winner
from forms_dynamics.model.record import EdgeRecord, KeyRecord, MessageRecord
from forms_dynamics.model.value import days_after, decode, to_micros
from forms_dynamics.projection import State
from forms_dynamics.schema.coerce import key_text
from forms_dynamics.schema.spec import Catalog, FormType, RelationRule
from forms_dynamics.strength import (
    DEFAULT,
    MARKED,
    again,
    attributes_of,
    attributes_text,
    begins,
    ended,
    hit,
    never,
    outlived,
    over,
    rule_between,
)

NEVER = 0
NOT_ITSELF = ("assistant", "system")  # whose words draw edges, but never hit them


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


class Span(NamedTuple):
    """From when until when a relation was said to hold; None: nothing was said."""

    start: int | None = None
    end: int | None = None


OPEN = Span()


def said_span(start: Any, end: Any, said: datetime) -> Span:
    """The span that a draft gives, in ISO 8601 or datetimes; ``said``: its zone is that of a time without offset.
    ValueError says what is wrong with it."""
    try:
        span = Span(_micros(start, said), _micros(end, said))
    except ValueError as wrong:
        raise ValueError(
            f"valid_from and valid_until of a relation are ISO 8601 times with an offset: {wrong}"
        ) from wrong
    if span.start is not None and span.end is not None and span.end <= span.start:
        raise ValueError(f"valid_until of a relation is after its valid_from, not {end!r}")
    return span


def _micros(raw: Any, said: datetime) -> int | None:
    if raw is None:
        return None
    moment = datetime.fromisoformat(raw) if isinstance(raw, str) else raw
    if not isinstance(moment, datetime):
        raise ValueError(repr(raw))
    return to_micros(moment if moment.tzinfo is not None else moment.replace(tzinfo=said.tzinfo))


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


def apply_rules(
    graph: Graph, node: Node, changed: bool, message: MessageRecord, since: int | None = None
) -> list[str]:
    """Draws the edges that the rules now demand of this Form; ids of new ones. ``changed``: the Form was
    there before, so edges whose condition has gone are looked for and superseded. ``since``: from when what is taken
    back counts no more, where it never should have been: edges that it ended hold again as before; NEVER: whatever
    was said of a slot that is empty now tied nothing at any time."""
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
        known = {e.key: e for e in graph.edges([node.id])}
    for key, rule in wanted.items():
        old = known.get(key)
        if old is not None and (old.status == "active" or _marked_wrong(old)):
            continue
        if old is not None and since is not None and _ended_since(old, since):
            graph.put_edge(old._replace(status="active", valid_until=_end(rule, begins(old))))
        else:
            types = rule.source, rule.target
            draw(graph, _edge(graph, key, types, rule, message, f"rule:{rule.name}", rule.attributes), old)
        made.append(".".join(key))
    ruled = {r.name for r in graph.catalog.rules if r.when}
    for key, old in known.items():
        by_rule = old.made_by.removeprefix(MARKED).startswith("rule:") and key[1] in ruled
        if key in wanted or not by_rule or old.status == "candidate":
            continue
        if since == NEVER and _unsaid(graph, node, old):
            graph.put_edge(never(old))
        elif old.status == "active":
            # with the condition, a person's mark on what it gave goes as well
            old = old._replace(made_by=old.made_by.removeprefix(MARKED))
            graph.put_edge(ended(old, "superseded", message.time if since is None else since))
    return made


def _unsaid(graph: Graph, node: Node, edge: EdgeRecord) -> bool:
    """Nothing that was said of this end counts any more for a rule that drew the edge."""
    for rule in graph.catalog.rules:
        if (
            rule.name == edge.relation
            and (rule.source if edge.source == node.id else rule.target) == node.type
        ):
            slots = (j.source_slot if edge.source == node.id else j.target_slot for j in rule.when)
            if any(not node.state["s"].get(slot) for slot in slots):
                return True
    return False


def _ended_since(edge: EdgeRecord, since: int) -> bool:
    until = edge.valid_until
    return until is not None and (until >= since or until <= begins(edge))


def draw(graph: Graph, fresh: EdgeRecord, old: EdgeRecord | None) -> None:
    """Puts a new edge; ``old``: as it stood before, which is remembered."""
    graph.put_edge(fresh if old is None else again(fresh, old))


def _marked_wrong(edge: EdgeRecord) -> bool:
    """A person has said that the rule's edge is wrong: the rule does not draw it again."""
    return edge.status in ("candidate", "superseded") and edge.made_by.startswith(MARKED)


def founded(graph: Graph, edge: EdgeRecord) -> bool:
    """Whether some rule of the edge's relation demands it of the two Forms today, or none speaks of them."""
    source, target = graph.form(edge.source), graph.form(edge.target)
    if source is None or target is None:
        return False
    types = graph.catalog.types.get(source.type), graph.catalog.types.get(target.type)
    rules = [
        r for r in graph.catalog.rules_between(source.type, target.type) if r.when and r.name == edge.relation
    ]
    if types[0] is None or types[1] is None or not rules:
        return True
    ends = (types[0], types[1])
    return any(_holds(rule, source, target, ends, graph.now) for rule in rules)


def _edge(
    graph: Graph,
    key: tuple[str, str, str],
    types: tuple[str, str],
    rule: RelationRule | None,
    message: MessageRecord,
    made_by: str,
    attributes: Mapping[str, Any],
    span: Span = OPEN,
) -> EdgeRecord:
    weight = rule.strength.weight if rule is not None else DEFAULT.weight
    source, relation, target = key
    start = message.time if span.start is None else span.start
    return EdgeRecord(
        source, relation, target, weight, 1, moment(graph, message), message.time, "active", made_by, message.id, 0,
        0, attributes_text(attributes),
        span.start, span.end if span.end is not None else _end(rule, start), *types,
    )  # fmt: skip


def moment(graph: Graph, message: MessageRecord) -> int:
    """When a message hits: a time ahead of the clock counts as just now."""
    return min(message.time, graph.now)


def _end(rule: RelationRule | None, start: int) -> int | None:
    """The end of an edge of which none was said."""
    days = rule.strength.valid_days if rule is not None else None
    return None if days is None else days_after(start, days)


def restate(
    graph: Graph, edge: EdgeRecord, rule: RelationRule | None, message: MessageRecord, span: Span = OPEN
) -> None:
    """A message says again that an active edge holds: it is a hit, an end by default is counted anew, and what was
    over is drawn again."""
    life = rule.strength if rule is not None else DEFAULT
    at = moment(graph, message)
    start = message.time if span.start is None else span.start
    if over(edge, start) or outlived(edge, life, at):
        types = edge.source_type, edge.target_type
        fresh = _edge(graph, edge.key, types, rule, message, edge.made_by, attributes_of(edge), span)
        draw(graph, fresh._replace(hits=edge.hits + 1), edge)
        return
    told = hit(edge, life, at)
    if span.start is not None:
        told = told._replace(valid_from=span.start)
    if span.end is not None:
        told = told._replace(valid_until=span.end)
    elif told.valid_until is not None and (default := _end(rule, start)) is not None:
        told = told._replace(valid_until=max(told.valid_until, default))
    graph.put_edge(told)


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
    single = rule.to_one if outward else rule.from_one
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
    if not rule.to_one:
        return True
    return not any(
        e.source == source.id
        and e.relation == rule.name
        and e.target_type == rule.target
        and e.status == "active"
        and e.target != target.id
        for e in graph.edges([source.id])
    )


def draft_edge(
    graph: Graph,
    source: Node,
    relation: str,
    target: Node,
    message: MessageRecord,
    attributes: Mapping[str, Any],
    span: Span = OPEN,
) -> str:
    """The edge that a draft's relation (or a person's link) makes; a known one is hit again. Of a relation to one
    target, the target before is superseded."""
    key = (source.id, relation, target.id)
    types = source.type, target.type
    rule = rule_between(graph.catalog, relation, types)
    edges = graph.edges([source.id])
    known = next((e for e in edges if e.key == key), None)
    if known is not None and known.status == "active":
        if message.role not in NOT_ITSELF:
            restate(graph, known, rule, message, span)
    else:
        made_by = "draft" if message.kind == "message" else message.kind
        told = attributes or (rule.attributes if rule else {})
        draw(graph, _edge(graph, key, types, rule, message, made_by, told, span), known)
    if rule is not None and rule.to_one:
        _succeed(graph, edges, source, target, rule, message.time if span.start is None else span.start)
    return ".".join(key)


def _succeed(
    graph: Graph, edges: Sequence[EdgeRecord], source: Node, target: Node, rule: RelationRule, start: int
) -> None:
    """Ends the edges to other targets of a relation to one; those of rules follow from their Forms."""
    for old in edges:
        if (
            old.relation == rule.name
            and old.target != target.id
            and old.status == "active"
            and not old.made_by.removeprefix(MARKED).startswith("rule:")
            and old.source == source.id
            and begins(old) <= start
            and (rule.target == "*" or old.target_type == target.type)
        ):
            graph.put_edge(ended(old, "superseded", start))


def drop_edge(graph: Graph, source: Node, relation: str, target: Node, at: int) -> bool:
    """Marks an edge invalid from ``at`` on; says whether there was one."""
    for edge in graph.edges([source.id]):
        if edge.key == (source.id, relation, target.id):
            graph.put_edge(ended(edge, "invalid", at))
            return True
    return False
