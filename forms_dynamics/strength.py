"""How strong an edge is now: base weight, half-life, floor, time to live."""

from __future__ import annotations

import json

from forms_dynamics.model.form import DynamicEdge
from forms_dynamics.model.record import EdgeRecord
from forms_dynamics.model.value import DAY, Evidence, from_micros
from forms_dynamics.schema.spec import Catalog, RelationRule, Strength

_SECOND = 1_000_000
_GAIN = 0.2  # the part of what is missing to 1 that a hit adds, so that repeated hits saturate

DEFAULT = Strength()
MARKED = "marked:"  # what made an edge that a person has marked right or wrong begins so


def rule_of(catalog: Catalog, edge: EdgeRecord) -> RelationRule | None:
    """The declared rule that an edge follows: the one that made it, else the first of its relation."""
    made_by = edge.made_by.removeprefix(MARKED).removeprefix("rule:")
    found: RelationRule | None = None
    for rule in catalog.rules:
        if rule.name == edge.relation and (found is None or rule.name == made_by):
            found = rule
    return found


def strength(edge: EdgeRecord, rule: Strength, now: int) -> float:
    """The edge's weight at ``now``, in [0, 1].

    ``floor + (weight - floor) * 2 ** (-age / half_life)``, with ``age`` the time since the last hit:
    exponential decay towards a baseline, in the half-life form that Rutherford gave it (1900). A weight below
    its floor counts as the floor; past its time to live an edge has no floor. Without half-life it does not
    decay. A last hit that lies ahead of ``now`` counts as just now.
    """
    weight = _unit(edge.weight)
    floor = 0.0 if expired(edge, rule, now) else _unit(rule.floor)
    if weight <= floor:
        return floor
    age = now - edge.last_hit
    if rule.half_life_days is None or age <= 0:
        return weight
    if rule.half_life_days <= 0:
        return floor
    faded: float = 0.5 ** (age / (rule.half_life_days * DAY))
    return _unit(floor + (weight - floor) * faded)


def expired(edge: EdgeRecord, rule: Strength, now: int) -> bool:
    """Whether the edge has outlived its time to live since its last hit."""
    return rule.ttl_seconds is not None and now - edge.last_hit > rule.ttl_seconds * _SECOND


def hit(edge: EdgeRecord, rule: Strength, now: int) -> EdgeRecord:
    """The edge after a conversation has touched it again: a fifth of what it lacks to 1 is added."""
    weight = strength(edge, rule, now)
    return edge._replace(
        weight=_unit(weight + (1.0 - weight) * _GAIN), hits=edge.hits + 1, last_hit=max(now, edge.last_hit)
    )


def public_edge(edge: EdgeRecord, rule: Strength, now: int, text: str | None = None) -> DynamicEdge:
    """The edge as a caller sees it; ``text``: the message that its span is in, when at hand."""
    evidence = None
    if edge.message is not None:
        said = "" if text is None else text[edge.start : edge.end]
        evidence = Evidence(edge.message, edge.start, edge.end, said, "message")
    return DynamicEdge(
        id=f"{edge.source}.{edge.relation}.{edge.target}",
        source=edge.source,
        target=edge.target,
        relation=edge.relation,
        weight=strength(edge, rule, now),
        ttl_seconds=rule.ttl_seconds,
        last_accessed=from_micros(edge.last_hit),
        status=edge.status,  # type: ignore[arg-type]
        made_by=edge.made_by,
        evidence=evidence,
        created_at=from_micros(edge.created),
        attributes={} if edge.attributes is None else json.loads(edge.attributes),
    )


def _unit(value: float) -> float:
    return 0.0 if value < 0.0 else 1.0 if value > 1.0 else value


__all__ = ["DEFAULT", "MARKED", "expired", "hit", "public_edge", "rule_of", "strength"]
