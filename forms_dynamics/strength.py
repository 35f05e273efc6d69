"""How strong an edge is now, and when it holds: all of it told by the clock at read, from what is stored of the edge.

Stored are its base weight, the number of its hits, the last of them, and the interval in which the relation holds.
Between hits the weight decays towards its floor; a hit raises it. Sources of both formulas are in ``docs/time.md``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from forms_dynamics.model.form import DynamicEdge
from forms_dynamics.model.record import EdgeRecord
from forms_dynamics.model.value import DAY, SECOND, Evidence, from_micros
from forms_dynamics.schema.spec import Catalog, RelationRule, Strength

GAIN = 0.2  # the share of what a weight lacks to 1 that a spaced hit adds
SPACING_DAYS = 1.0  # after so long a pause half of a hit counts as spaced

DEFAULT = Strength()
MARKED = "marked:"  # what made an edge that a person has marked right or wrong begins so
# among the attributes: intervals in which the relation held before, as pairs of microseconds
EARLIER = "$held"


def rule_of(catalog: Catalog, edge: EdgeRecord) -> RelationRule | None:
    """The declared rule that an edge follows: the one between the types of its two Forms, else (types that are no
    longer declared so) the first of its relation."""
    rule = rule_between(catalog, edge.relation, (edge.source_type, edge.target_type))
    return rule or next((r for r in catalog.rules if r.name == edge.relation), None)


def rule_between(catalog: Catalog, relation: str, types: tuple[str, str]) -> RelationRule | None:
    """The rule of a relation between two types: one that names both before one for any type."""
    fitting = [rule for rule in catalog.rules_between(*types) if rule.name == relation]
    return min(fitting, key=lambda rule: (rule.source == "*") + (rule.target == "*"), default=None)


def life_of(catalog: Catalog, edge: EdgeRecord) -> Strength:
    """How long and how strongly the edge lives: as its rule says, else by default."""
    rule = rule_of(catalog, edge)
    return DEFAULT if rule is None else rule.strength


# -- weight ----------------------------------------------------------------------------------------------------
def strength(edge: EdgeRecord, life: Strength, now: int) -> float:
    """The edge's weight at ``now``, in [0, 1].

    ``floor + (weight - floor) * 2 ** (-age / half_life)``, with ``age`` the time since the last hit:
    exponential decay towards a baseline, in the half-life form that Rutherford gave it (1900). A weight below
    its floor counts as the floor; past its time to live an edge has no floor. Without half-life it does not
    decay. A last hit that lies ahead of ``now`` counts as just now.
    """
    weight = _unit(edge.weight)
    floor = 0.0 if outlived(edge, life, now) else _unit(life.floor)
    if weight <= floor:
        return floor
    age = now - edge.last_hit
    if life.half_life_days is None or age <= 0:
        return weight
    if life.half_life_days <= 0:
        return floor
    faded: float = 0.5 ** (age / (life.half_life_days * DAY))
    return _unit(floor + (weight - floor) * faded)


def gain(gap: int, hits: int) -> float:
    """The share of what a weight lacks to 1 that a hit adds, in [0, ``GAIN``], ``gap`` microseconds after the last
    of ``hits`` hits: ``GAIN * (spaced + (1 - spaced) / (1 + hits) ** 2)`` with ``spaced = 1 - 2 ** (-gap / 1 day)``.

    Repetition helps the more, the longer the pause before it (the spacing effect: Ebbinghaus 1885; Cepeda, Pashler,
    Vul, Wixted and Rohrer 2006). What a hit adds beyond that falls with the square of the hits before it, so that a
    burst of any length together adds less than one spaced hit (1/4 + 1/9 + … < 0.65), as in ACT-R's base level
    each further use of what was just used adds little (Anderson and Schooler 1991).
    """
    together: float = 0.5 ** (max(gap, 0) / (SPACING_DAYS * DAY))
    return GAIN * (1.0 - together + together / (1.0 + max(hits, 0)) ** 2)


def hit(edge: EdgeRecord, life: Strength, now: int) -> EdgeRecord:
    """The edge after a conversation has touched it again at ``now``: it gains a share of what it lacks to 1.

    A hit that comes late (before the last one) counts as at the same time as that one, and does not turn back the
    clock. Hits at one moment give the same in any order. Repeated hits saturate: the weight never passes 1.
    """
    weight = strength(edge, life, now)
    more = (1.0 - weight) * gain(now - edge.last_hit, edge.hits)
    return edge._replace(weight=_unit(weight + more), hits=edge.hits + 1, last_hit=max(now, edge.last_hit))


# -- when it holds ---------------------------------------------------------------------------------------------
def outlived(edge: EdgeRecord, life: Strength, now: int) -> bool:
    """Whether the edge has outlived its time to live since its last hit."""
    return life.ttl_seconds is not None and now - edge.last_hit > life.ttl_seconds * SECOND


def over(edge: EdgeRecord, now: int) -> bool:
    """Whether the relation holds no longer at ``now``."""
    return edge.valid_until is not None and edge.valid_until <= now


def expired(edge: EdgeRecord, life: Strength, now: int) -> bool:
    """Whether the edge has outlived its time to live or its validity."""
    return outlived(edge, life, now) or over(edge, now)


def cold(edge: EdgeRecord, life: Strength, now: int) -> bool:
    """Whether the edge was not hit for as long as its relation says."""
    return life.cold_after_days is not None and now - edge.last_hit > life.cold_after_days * DAY


def begins(edge: EdgeRecord) -> int:
    """From when the relation holds."""
    return edge.created if edge.valid_from is None else edge.valid_from


def begun(edge: EdgeRecord, now: int) -> bool:
    """Whether the relation holds already at ``now``. The time at which it was drawn may lie ahead of the clock and
    counts as just now; a beginning that was said does not."""
    return edge.valid_from is None or edge.valid_from <= now


def held(edge: EdgeRecord, at: int) -> bool:
    """Whether the relation held at a moment, whatever became of it since; a candidate never did."""
    if edge.status == "candidate":
        return False
    told = edge.status == "active" or edge.valid_until is not None  # stores of old noted no end
    if told and begins(edge) <= at and not over(edge, at):
        return True
    return any(start <= at < end for start, end in earlier(edge))


def earlier(edge: EdgeRecord) -> Sequence[tuple[int, int]]:
    """The intervals in which the relation held before it was drawn anew, the oldest first."""
    if edge.attributes is None or EARLIER not in edge.attributes:
        return ()
    return tuple((start, end) for start, end in json.loads(edge.attributes).get(EARLIER, ()))


def ended(edge: EdgeRecord, status: str, at: int) -> EdgeRecord:
    """The edge with its end at ``at``, unless it ended before; of a candidate nothing ever held."""
    if edge.status == "candidate":
        at = begins(edge)
    until = at if edge.valid_until is None else min(at, edge.valid_until)
    return edge._replace(status=status, valid_until=until)


def never(edge: EdgeRecord) -> EdgeRecord:
    """The edge as one that holds no more, and never did."""
    return edge._replace(
        status="superseded", valid_until=begins(edge), attributes=attributes_text(attributes_of(edge))
    )


def again(fresh: EdgeRecord, old: EdgeRecord) -> EdgeRecord:
    """An edge drawn anew: ``fresh``, with the intervals in which it held before; one that meets the new interval
    becomes a part of it."""
    spans = list(earlier(old))
    if old.status != "candidate" and old.valid_until is not None and begins(old) < old.valid_until:
        spans.append((begins(old), old.valid_until))
    start = begins(fresh)
    for span in list(spans):
        if span[0] < start <= span[1]:
            spans.remove(span)
            start = min(start, span[0])
    told = attributes_of(fresh)
    if spans:
        told[EARLIER] = sorted(spans)
    fresh = fresh._replace(attributes=attributes_text(told))
    if start == begins(fresh):
        return fresh
    return fresh._replace(created=start) if fresh.valid_from is None else fresh._replace(valid_from=start)


def attributes_of(edge: EdgeRecord) -> dict[str, Any]:
    """What a relation was told to be: its attributes, without the store's own."""
    told: dict[str, Any] = {} if edge.attributes is None else json.loads(edge.attributes)
    told.pop(EARLIER, None)
    return told


def attributes_text(told: Mapping[str, Any]) -> str | None:
    """Attributes as an EdgeRecord keeps them."""
    return json.dumps(dict(told), ensure_ascii=False, sort_keys=True) if told else None


def public_edge(edge: EdgeRecord, life: Strength, now: int, said: str = "") -> DynamicEdge:
    """The edge as a caller sees it; ``said``: the text of the message that drew it."""
    evidence = None
    if edge.message is not None:
        start, end = (edge.start, edge.end) if edge.end > edge.start else (0, len(said))
        evidence = Evidence(edge.message, start, end, said[start:end], "message")
    return DynamicEdge(
        id=edge.id,
        source=edge.source,
        target=edge.target,
        relation=edge.relation,
        weight=strength(edge, life, now),
        ttl_seconds=life.ttl_seconds,
        last_accessed=from_micros(edge.last_hit),
        status=edge.status,  # type: ignore[arg-type]
        made_by=edge.made_by,
        evidence=evidence,
        created_at=from_micros(edge.created),
        attributes=attributes_of(edge),
        valid_from=from_micros(begins(edge)),
        valid_until=None if edge.valid_until is None else from_micros(edge.valid_until),
        expired=expired(edge, life, now),
        cold=cold(edge, life, now),
    )


def _unit(value: float) -> float:
    return 0.0 if value < 0.0 else 1.0 if value > 1.0 else value


__all__ = [
    "DEFAULT", "EARLIER", "GAIN", "MARKED", "SPACING_DAYS", "again", "attributes_of", "attributes_text", "begins",
    "begun", "cold", "earlier", "ended", "expired", "gain", "held", "hit", "life_of", "never", "outlived", "over",
    "public_edge", "rule_between", "rule_of", "strength",
]  # fmt: skip
