"""One ``relation:`` document to a RelationRule."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from forms_dynamics.model.value import MOST_DAYS
from forms_dynamics.schema.findings import nearest
from forms_dynamics.schema.reader import Reader, is_null
from forms_dynamics.schema.source import Node
from forms_dynamics.schema.spec import FormType, Join, RelationRule, Strength

RELATION_KEYS = (
    "relation", "from", "to", "required", "cardinality", "strength", "when", "attributes", "description",
    "aliases", "acyclic",
)  # fmt: skip
STRENGTH_KEYS = ("weight", "floor", "half_life_days", "ttl_seconds", "cold_after_days", "valid_days")
CARDINALITIES = ("one_to_one", "one_to_many", "many_to_one", "many_to_many")
RESERVED = ("supersedes", "derived_from")
ANY = "*"

_SIDE = re.compile(r"\s*([^\W\d_][\w-]*)\.([^\W\d_][\w-]*)\s*")


@dataclass(frozen=True, slots=True)
class Term:
    """``type.slot`` as written in a condition."""

    form_type: str
    slot: str


@dataclass(slots=True)
class ReadRule:
    """A rule and the nodes that later checks point at. ``terms``: the sides of each ``==``."""

    rule: RelationRule
    nodes: Mapping[str, Node]
    terms: list[tuple[Term, Term]] = field(default_factory=list)


def read_relation(reader: Reader, root: Node) -> ReadRule | None:
    """The rule of one document; None when its name or an end is unusable."""
    fields = reader.fields(root, RELATION_KEYS, "a relation")
    name = reader.name(fields["relation"], "relation")
    if name in RESERVED:
        reader.error(fields["relation"], f"{name!r} is always there, never declared; choose another name")
        return None
    ends: dict[str, str | None] = {}
    for end in ("from", "to"):
        if end not in fields:
            reader.error(fields["relation"], f"a relation needs '{end}:' with a Form type, or \"*\" for any")
            ends[end] = None
        else:
            node = fields[end]
            anything = node.kind == "scalar" and node.value == ANY
            ends[end] = ANY if anything else reader.name(node, end)
    cardinality = "many_to_many"
    if "cardinality" in fields:
        cardinality = reader.choice(fields["cardinality"], CARDINALITIES, "cardinality") or cardinality
    if name is None or ends["from"] is None or ends["to"] is None:
        return None
    texts = fields.get("description")
    rule = RelationRule(
        name=name,
        source=ends["from"],
        target=ends["to"],
        required=bool("required" in fields and reader.boolean(fields["required"], "required")),
        cardinality=cast(Any, cardinality),
        strength=_strength(reader, fields["strength"]) if "strength" in fields else Strength(),
        attributes=_attributes(reader, fields["attributes"]) if "attributes" in fields else {},
        description=reader.by_language(texts, "description") if texts else {},
        aliases=reader.words(fields["aliases"], "an alias") if "aliases" in fields else (),
        acyclic=bool("acyclic" in fields and reader.boolean(fields["acyclic"], "acyclic")),
        file=reader.file,
        line=fields["relation"].line + 1,
    )
    return ReadRule(rule, fields, _condition(reader, fields["when"], rule) if "when" in fields else [])


def _strength(reader: Reader, node: Node) -> Strength:
    fields = reader.fields(node, STRENGTH_KEYS, "strength")
    default = Strength()
    weight, floor, ttl = default.weight, default.floor, default.ttl_seconds
    if "weight" in fields:
        weight = _share(reader, fields["weight"], "strength: weight", weight)
    if "floor" in fields:
        floor = _share(reader, fields["floor"], "strength: floor", floor)
    days = {
        name: reader.number(fields[name], f"strength: {name}", above=0, high=MOST_DAYS)
        for name in ("half_life_days", "cold_after_days", "valid_days")
        if name in fields and not is_null(fields[name])
    }
    if "ttl_seconds" in fields and not is_null(fields["ttl_seconds"]):
        ttl = reader.integer(fields["ttl_seconds"], "strength: ttl_seconds", 1, MOST_DAYS * 86_400)
    if floor > weight and "floor" in fields:
        reader.error(fields["floor"], f"strength: floor {floor:g} is above weight {weight:g}")
    given = {name: None if value is None else float(value) for name, value in days.items()}
    return Strength(weight=weight, floor=floor, ttl_seconds=ttl, **given)


def _share(reader: Reader, node: Node, what: str, otherwise: float) -> float:
    value = reader.number(node, what, low=0, high=1)
    return otherwise if value is None else float(value)


def _attributes(reader: Reader, node: Node) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in reader.pairs(node, "attributes"):
        name = reader.name(key, "attribute")
        if name is not None:
            found[name] = reader.plain(value, f"attribute {name!r}")
    return found


def _condition(reader: Reader, node: Node, rule: RelationRule) -> list[tuple[Term, Term]]:
    """``a.x == b.y and a.z == b.w``: nothing else, and nothing is ever evaluated."""
    text = reader.word(node, "when")
    if text is None:
        return []
    if ANY in (rule.source, rule.target):
        reader.error(node, "when compares slots of two named Form types; name them in from and to")
        return []
    terms: list[tuple[Term, Term]] = []
    for clause in re.split(r"\s+and\s+", text):
        sides = [_SIDE.fullmatch(side) for side in clause.split("==")]
        if len(sides) != 2 or sides[0] is None or sides[1] is None:
            reader.error(
                node,
                f"when: {clause.strip()!r} is not understood: 'type.slot == type.slot', joined by 'and'",
            )
            continue
        terms.append((Term(*sides[0].groups()), Term(*sides[1].groups())))
    return terms


def resolve(reader: Reader, read: ReadRule, types: Mapping[str, FormType]) -> RelationRule:
    """The rule with its joins, its names checked against the types that are loaded."""
    rule = read.rule
    unknown = False
    for end, name in (("from", rule.source), ("to", rule.target)):
        if name != ANY and name not in types:
            unknown = True
            reader.error(
                read.nodes[end], f"{end}: the Form type {name!r} is not loaded", nearest(name, tuple(types))
            )
    if unknown:
        return rule
    joins = [_join(reader, read.nodes["when"], rule, left, right, types) for left, right in read.terms]
    return replace(rule, when=tuple(join for join in joins if join))


def _join(
    reader: Reader, node: Node, rule: RelationRule, left: Term, right: Term, types: Mapping[str, FormType]
) -> Join | None:
    wrong = False
    for term in (left, right):
        if term.form_type not in (rule.source, rule.target):
            hint = nearest(term.form_type, (rule.source, rule.target))
            reader.error(node, f"when: {term.form_type!r} is neither end of this relation", hint)
            wrong = True
        elif term.slot not in types[term.form_type].slots:
            hint = nearest(term.slot, tuple(types[term.form_type].slots))
            reader.error(node, f"when: {term.form_type} has no slot {term.slot!r}", hint)
            wrong = True
    if wrong:
        return None
    if left.form_type == rule.source and right.form_type == rule.target:
        return Join(left.slot, right.slot)
    if left.form_type == rule.target and right.form_type == rule.source:
        return Join(right.slot, left.slot)
    reader.error(node, "when: each == has a slot of one end on its left and of the other on its right")
    return None
