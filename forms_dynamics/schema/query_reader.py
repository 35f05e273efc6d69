"""One ``query:`` document as it stands; what its names lead to is :mod:`query_names`' to check."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from forms_dynamics.language.normal import has_han
from forms_dynamics.schema.expression import Expression, ExpressionError, parse
from forms_dynamics.schema.findings import Finding, nearest
from forms_dynamics.schema.query_spec import (
    ANY,
    FIGURES,
    LAYER,
    MOST_LAYER,
    MOST_REPEATS,
    MOST_ROWS,
    MOST_STEPS,
    ROWS,
    Direction,
    Figure,
)
from forms_dynamics.schema.reader import LANGUAGES, Reader
from forms_dynamics.schema.slot_reader import read_slot
from forms_dynamics.schema.source import Node
from forms_dynamics.schema.spec import SlotSpec

QUERY_KEYS = (
    "query", "description", "parameters", "start", "steps", "group", "return", "order", "limit", "include",
    "row", "template", "asks",
)  # fmt: skip
PARAMETER_KEYS = (
    "type", "slot", "ref", "values", "unit", "many", "min", "max", "required", "default", "description",
)  # fmt: skip
START_KEYS = ("form_type", "named", "where", "as", "limit")
STEP_KEYS = (
    "relation", "direction", "to", "as", "from", "where", "repeat", "every", "optional", "limit",
)  # fmt: skip
DIRECTIONS = ("out", "in", "either")
INCLUDED = ("cold", "expired")
# words of Memory.query's own, and of conditions
RESERVED_PARAMETERS = ("as_of", "known_at", "include_cold", "include_expired", "lang")
RESERVED_STEPS = ("edge", "now")
TEMPLATE_WORDS = ("rows", "count")
AVERAGES = frozenset({"avg", "average", "mean", "median"})

_SLOT_KEYS = frozenset({"type", "ref", "values", "unit", "many", "min", "max"})
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_REPEAT = re.compile(r"(\d+)(?:\s*(?:\.\.|-)\s*(\d+))?")


@dataclass(slots=True)
class ReadParameter:
    """``slot`` None: it is that of ``of`` (``type.slot``)."""

    node: Node
    slot: SlotSpec | None
    of: str | None
    required: bool
    default: Any
    fields: Mapping[str, Node]
    description: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class ReadStart:
    node: Node
    fields: Mapping[str, Node]
    form_type: str
    name: str
    named: str | None
    where: Expression | None
    limit: int


@dataclass(slots=True)
class ReadStep:
    node: Node
    fields: Mapping[str, Node]
    relations: tuple[str, ...]
    direction: Direction
    to: str
    name: str
    source: str | None
    where: Expression | None
    repeat: tuple[int, int] | None
    every: bool
    optional: bool
    limit: int


@dataclass(slots=True)
class ReadColumn:
    node: Node
    name: str
    of: str  # "slot", "step.slot" or "step"
    figure: Figure | None


@dataclass(slots=True)
class ReadQuery:
    """A query and the nodes that later checks point at."""

    name: str
    nodes: Mapping[str, Node]
    start: ReadStart
    parameters: dict[str, ReadParameter] = field(default_factory=dict)
    steps: list[ReadStep] = field(default_factory=list)
    columns: list[ReadColumn] = field(default_factory=list)
    order: list[tuple[str, bool, Node]] = field(default_factory=list)
    group: str | None = None
    limit: int = ROWS
    include: frozenset[str] = frozenset()
    description: Mapping[str, str] = field(default_factory=dict)
    row: Mapping[str, str] = field(default_factory=dict)
    template: Mapping[str, str] = field(default_factory=dict)
    asks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    asked: list[tuple[str, Node]] = field(default_factory=list)


def read_query(reader: Reader, root: Node) -> ReadQuery | None:
    """The query of one document; None when its name, its start or a step is unusable."""
    fields = reader.fields(root, QUERY_KEYS, "a query")
    name = reader.name(fields["query"], "query")
    for needed, why in (("start", "where it begins"), ("return", "which slots come back")):
        if needed not in fields:
            reader.error(fields["query"], f"a query needs '{needed}:', {why}")
    start = _start(reader, fields["start"]) if "start" in fields else None
    steps = _steps(reader, fields["steps"]) if "steps" in fields else []
    if name is None or start is None or steps is None:
        return None
    text = {
        key: reader.by_language(fields[key], key) if key in fields else {}
        for key in ("description", "row", "template")
    }
    read = ReadQuery(
        name,
        fields,
        start,
        steps=steps,
        description=text["description"],
        row=text["row"],
        template=text["template"],
    )
    if "parameters" in fields:
        read.parameters = _parameters(reader, fields["parameters"])
    if "return" in fields:
        read.columns = _columns(reader, fields["return"])
    if "group" in fields:
        read.group = reader.word(fields["group"], "group")
    if "order" in fields:
        read.order = _order(reader, fields["order"])
    if "limit" in fields:
        read.limit = reader.integer(fields["limit"], "limit", 1, MOST_ROWS) or ROWS
    if "include" in fields:
        found = (reader.choice(node, INCLUDED, "include") for node in _listed(fields["include"]))
        read.include = frozenset(word for word in found if word is not None)
    if "asks" in fields:
        read.asks, read.asked = _asks(reader, fields["asks"])
    return read


def place(node: Node, at: int) -> tuple[int, int]:
    """Line and column (from 1) of a character of a scalar's text; of the scalar where that can't be told."""
    if node.kind != "scalar" or node.end - node.start not in (len(node.value), len(node.value) + 2):
        return node.line + 1, node.column + 1
    return node.line + 1, node.column + 1 + at + (0 if node.plain else 1)


def condition(reader: Reader, node: Node, what: str) -> Expression | None:
    """A condition; what is wrong with it is reported at its character."""
    text = reader.word(node, what)
    if text is None:
        return None
    try:
        return parse(text)
    except ExpressionError as wrong:
        reader.findings.append(Finding(reader.file, *place(node, wrong.at), f"{what}: {wrong}"))
        return None


def _listed(node: Node) -> list[Node]:
    return list(node.value) if node.kind == "sequence" else [node]


# -- parameters ----------------------------------------------------------------------------------------------
def _parameters(reader: Reader, node: Node) -> dict[str, ReadParameter]:
    found: dict[str, ReadParameter] = {}
    for key, value in reader.pairs(node, "parameters"):
        name = reader.name(key, "parameter")
        if name is None:
            continue
        if name in RESERVED_PARAMETERS or name in TEMPLATE_WORDS or "-" in name:
            reader.error(key, f"a parameter cannot be called {name!r}; choose another name")
            continue
        found[name] = _parameter(reader, name, key, value)
    return found


def _parameter(reader: Reader, name: str, key: Node, node: Node) -> ReadParameter:
    what = f"parameter {name!r}"
    if node.kind == "scalar":
        return ReadParameter(key, read_slot(reader, name, key, node, {}, "parameter"), None, True, None, {})
    fields = reader.fields(node, PARAMETER_KEYS, what)
    of = None
    slot: SlotSpec | None = None
    if "slot" in fields:
        of = reader.word(fields["slot"], f"{what}: slot")
        if of is not None and of.count(".") != 1:
            reader.error(fields["slot"], f"{what}: slot is written form_type.slot, as in task.status")
            of = None
        for other in sorted(_SLOT_KEYS & fields.keys()):
            reader.error(fields[other], f"{what}: it is as its slot is; leave out '{other}:' or 'slot:'")
    else:
        pairs = [(k, v) for k, v in node.value if k.value in _SLOT_KEYS] if node.kind == "mapping" else []
        bare = Node.__new__(Node)
        bare.kind, bare.value, bare.plain, bare.size = "mapping", pairs, False, node.size
        bare.line, bare.column, bare.start, bare.end = node.line, node.column, node.start, node.end
        slot = read_slot(reader, name, key, bare, {}, "parameter")
    default = reader.plain(fields["default"], f"{what}: default") if "default" in fields else None
    required = "default" not in fields
    if "required" in fields:
        told = reader.boolean(fields["required"], f"{what}: required")
        required = required if told is None else told
        if told and "default" in fields:
            reader.error(fields["default"], f"{what}: what is required has no default")
    texts = (
        reader.by_language(fields["description"], f"{what}: description") if "description" in fields else {}
    )
    return ReadParameter(key, slot, of, required, default, fields, texts)


# -- start and steps -----------------------------------------------------------------------------------------
def _start(reader: Reader, node: Node) -> ReadStart | None:
    fields = reader.fields(node, START_KEYS, "start")
    if "form_type" not in fields:
        if node.kind == "mapping":
            reader.error(node, "start needs 'form_type:'")
        return None
    form_type = reader.name(fields["form_type"], "start: form_type")
    named = reader.word(fields["named"], "start: named") if "named" in fields else None
    where = condition(reader, fields["where"], "where") if "where" in fields else None
    limit = LAYER
    if "limit" in fields:
        limit = reader.integer(fields["limit"], "start: limit", 1, MOST_LAYER) or LAYER
    name = _step_name(reader, fields, form_type)
    if form_type is None or name is None:
        return None
    return ReadStart(node, fields, form_type, name, named, where, limit)


def _step_name(reader: Reader, fields: Mapping[str, Node], otherwise: str | None) -> str | None:
    if "as" not in fields:
        return otherwise
    name = reader.name(fields["as"], "as")
    if name in RESERVED_STEPS or (name and "-" in name):
        reader.error(fields["as"], f"a step cannot be called {name!r}; choose another name")
        return None
    return name


def _steps(reader: Reader, node: Node) -> list[ReadStep] | None:
    found = [_step(reader, item) for item in reader.items(node, "steps")]
    if len(found) > MOST_STEPS:
        reader.error(node, f"a query has at most {MOST_STEPS} steps; this one has {len(found)}")
    steps = [step for step in found if step is not None]
    return steps if len(steps) == len(found) else None


def _step(reader: Reader, node: Node) -> ReadStep | None:
    fields = reader.fields(node, STEP_KEYS, "a step")
    if "relation" not in fields:
        if node.kind == "mapping":
            reader.error(node, "a step needs 'relation:', the name of one, a list, or $parameter")
        return None
    relations = reader.words(fields["relation"], "relation")
    direction: Direction = "out"
    if "direction" in fields:
        told = reader.choice(fields["direction"], DIRECTIONS, "direction", _DIRECTION_SYNONYMS)
        direction = cast(Direction, told or direction)
    to: str | None = ANY
    if "to" in fields and fields["to"].value != ANY:
        to = reader.name(fields["to"], "to")
    name = _step_name(reader, fields, None if to == ANY else to)
    if name is None and to == ANY and "as" not in fields:
        reader.error(node, "a step to Forms of any type needs a name: 'as:'")
    repeat = _repeat(reader, fields["repeat"]) if "repeat" in fields else None
    flags = {key: bool(key in fields and reader.boolean(fields[key], key)) for key in ("every", "optional")}
    if flags["every"] and (repeat is not None or flags["optional"]):
        other = "repeat" if repeat is not None else "optional"
        reader.error(fields["every"], f"every goes with one edge a Form; leave out 'every:' or '{other}:'")
    limit = LAYER
    if "limit" in fields:
        limit = reader.integer(fields["limit"], "a step's limit", 1, MOST_LAYER) or LAYER
    if not relations or to is None or name is None:
        return None
    return ReadStep(
        node,
        fields,
        relations,
        direction,
        to,
        name,
        reader.word(fields["from"], "from") if "from" in fields else None,
        condition(reader, fields["where"], "where") if "where" in fields else None,
        repeat,
        flags["every"],
        flags["optional"],
        limit,
    )


_DIRECTION_SYNONYMS = {"outgoing": "out", "forward": "out", "incoming": "in", "back": "in", "both": "either"}


def _repeat(reader: Reader, node: Node) -> tuple[int, int] | None:
    found = _REPEAT.fullmatch(str(node.value).strip()) if node.kind == "scalar" else None
    if found is None:
        reader.error(node, "repeat is how many edges one behind another: a number, or 1..5")
        return None
    low = int(found[1]) if found[2] else 1
    high = int(found[2] or found[1])
    if not (low <= high and 1 <= high <= MOST_REPEATS):
        reader.error(node, f"repeat goes from 0 or more to at most {MOST_REPEATS}, the smaller number first")
        return None
    return low, high


# -- what comes back -----------------------------------------------------------------------------------------
def _columns(reader: Reader, node: Node) -> list[ReadColumn]:
    found: list[ReadColumn] = []
    items = reader.items(node, "return")
    if node.kind == "sequence" and not items:
        reader.error(node, "return needs at least one slot")
    for item in items:
        column = _column(reader, item)
        if column is None:
            continue
        if any(column.name == other.name for other in found):
            reader.error(item, f"return: {column.name!r} comes twice; name one, as in 'begins: {column.of}'")
        elif column.name in TEMPLATE_WORDS:
            reader.error(item, f"return: {column.name!r} is a word of templates; name it otherwise")
        else:
            found.append(column)
    return found


def _column(reader: Reader, node: Node) -> ReadColumn | None:
    if node.kind == "scalar":
        of = reader.word(node, "return")
        return None if of is None else ReadColumn(node, of.rpartition(".")[2], of, None)
    pairs = reader.pairs(node, "an item of return")
    if len(pairs) != 1:
        if node.kind == "mapping":
            reader.error(node, "an item of return is a slot, or one 'name: slot' or 'name: {count: step}'")
        return None
    key, value = pairs[0]
    name = reader.name(key, "return")
    if name is not None and value.kind == "mapping" and value.value:
        figure_key, of_node = value.value[0]
        if figure_key.value.casefold() in AVERAGES:
            reader.error(
                figure_key, "an average is no value that anybody said; count, sum, min and max are given"
            )
            return None
        figure = reader.choice(figure_key, FIGURES, "return: figure")
        if len(value.value) > 1:
            reader.error(value, "return: one figure an item")
        of = reader.word(of_node, f"return: {figure_key.value}")
        return ReadColumn(of_node, name, of, cast(Figure, figure)) if figure and of else None
    of = reader.word(value, "return")
    return None if name is None or of is None else ReadColumn(value, name, of, None)


def _order(reader: Reader, node: Node) -> list[tuple[str, bool, Node]]:
    found = []
    for item in _listed(node):
        word = reader.word(item, "order")
        if word is not None:
            found.append((word.removeprefix("-").strip(), word.startswith("-"), item))
    return found


def _asks(reader: Reader, node: Node) -> tuple[dict[str, tuple[str, ...]], list[tuple[str, Node]]]:
    by_language: dict[str, list[str]] = {}
    places: list[tuple[str, Node]] = []
    groups: list[tuple[str | None, Node]] = [(None, node)]
    if node.kind == "mapping":
        groups = [*reader.fields(node, LANGUAGES, "asks").items()]
    for language, group in groups:
        for item in _listed(group):
            text = reader.text(item, "asks")
            if text is None:
                continue
            told = language or ("zh" if has_han(_PLACEHOLDER.sub("", text)) else "en")
            by_language.setdefault(told, []).append(text)
            places.append((text, item))
    return {language: tuple(texts) for language, texts in by_language.items()}, places


def placeholders(pattern: str) -> Sequence[str]:
    """The parameters that a pattern of a question has places for."""
    return [found.strip() for found in _PLACEHOLDER.findall(pattern)]


def check_pattern(reader: Reader, pattern: str, node: Node, parameters: Mapping[str, ReadParameter]) -> None:
    """Each place is a parameter's, each required parameter has one, and there are words of its own."""
    named = placeholders(pattern)
    for name in named:
        if name not in parameters:
            at = place(node, pattern.find("{" + name) + 1)
            hint = nearest(name, tuple(parameters))
            reader.findings.append(
                Finding(reader.file, *at, f"asks: no parameter {name!r} is declared", hint)
            )
        elif named.count(name) > 1:
            reader.error(node, f"asks: {{{name}}} stands twice")
    missing = [name for name, each in parameters.items() if each.required and name not in named]
    if missing:
        reader.error(node, f"asks: the required parameter {{{missing[0]}}} has no place in {pattern!r}")
    rest = _PLACEHOLDER.sub("\0", pattern)
    if "{" in rest or "}" in rest:
        reader.error(node, f"asks: a place is written {{parameter}}; a bracket stands alone in {pattern!r}")
    elif re.search(r"\0[^\w\0]*\0", rest):
        reader.error(node, "asks: two places need a word between them")
    if sum(ch.isalnum() for ch in rest) < 2:
        reader.error(node, "asks: a pattern needs words of its own")


__all__ = [
    "PARAMETER_KEYS", "QUERY_KEYS", "START_KEYS", "STEP_KEYS", "ReadColumn", "ReadParameter", "ReadQuery",
    "ReadStart", "ReadStep", "check_pattern", "condition", "place", "placeholders", "read_query",
]  # fmt: skip
