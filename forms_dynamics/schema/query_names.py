"""A query's names, led to what is declared: parameters, Form types, relations, slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from forms_dynamics.schema import template
from forms_dynamics.schema.coerce import coerce
from forms_dynamics.schema.expression import Comparison, Expression, Parameter
from forms_dynamics.schema.findings import Finding, nearest
from forms_dynamics.schema.query_conditions import KIND_OF, MOMENT, NUMBER, Scope, settle, slots_of
from forms_dynamics.schema.query_reader import (
    TEMPLATE_WORDS,
    ReadColumn,
    ReadParameter,
    ReadQuery,
    ReadStep,
    check_pattern,
    place,
    placeholders,
)
from forms_dynamics.schema.query_spec import (
    ANY,
    Column,
    Direction,
    QueryParameter,
    QuerySpec,
    QueryStep,
    Start,
)
from forms_dynamics.schema.reader import Reader
from forms_dynamics.schema.source import Node
from forms_dynamics.schema.spec import FormType, RelationRule, SlotSpec

_TRIED_AT = datetime(2026, 1, 1, tzinfo=UTC)  # against which a default such as "today" is tried
Slots = Mapping[str, Sequence[SlotSpec]]


def resolve_query(
    reader: Reader, read: ReadQuery, types: Mapping[str, FormType], rules: Sequence[RelationRule]
) -> QuerySpec | None:
    """The query, checked; None where anything is wrong with it. What is unwise is a warning."""
    before = sum(finding.severity == "error" for finding in reader.findings)
    spec = _Resolution(reader, read, types, rules).run()
    wrong = sum(finding.severity == "error" for finding in reader.findings) > before
    return None if wrong else spec


@dataclass(slots=True)
class _Resolution:
    reader: Reader
    read: ReadQuery
    types: Mapping[str, FormType]
    rules: Sequence[RelationRule]
    parameters: dict[str, SlotSpec] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    reach: list[list[str]] = field(default_factory=list)  # Form types that may stand at a step
    used: set[str] = field(default_factory=set)

    def run(self) -> QuerySpec | None:
        read, reader = self.read, self.reader
        declared = self._parameters()
        start = self._start()
        if start is None:
            return None
        steps = [self._step(number, step) for number, step in enumerate(read.steps, 1)]
        if any(step is None for step in steps):
            return None
        group = self._group()
        columns = [column for each in read.columns if (column := self._column(each, group)) is not None]
        for name, _, node in read.order:
            if name not in {column.name for column in columns}:
                hint = nearest(name, [column.name for column in columns])
                reader.error(node, f"order: {name!r} is not among what is returned", hint)
        self._texts(columns)
        for pattern, node in read.asked:
            check_pattern(reader, pattern, node, read.parameters)
            self.used.update(placeholders(pattern))
        for name, parameter in read.parameters.items():
            if name not in self.used:
                reader.warn(parameter.node, f"parameter {name!r} is not used")
        return QuerySpec(
            name=read.name,
            start=start,
            steps=tuple(step for step in steps if step is not None),
            columns=tuple(columns),
            group=group,
            parameters=declared,
            description=read.description,
            order=tuple((name, down) for name, down, _ in read.order),
            limit=read.limit,
            include=read.include,
            template=read.template,
            row=read.row,
            asks=read.asks,
            file=reader.file,
            line=read.nodes["query"].line + 1,
        )

    # -- parameters ------------------------------------------------------------------------------------------
    def _parameters(self) -> dict[str, QueryParameter]:
        found: dict[str, QueryParameter] = {}
        for name, each in self.read.parameters.items():
            slot = self._parameter_slot(name, each)
            self.parameters[name] = slot
            if each.default is not None:
                told = coerce(slot, each.default, _TRIED_AT)
                if told.value is None:
                    why = told.error or f"{each.default!r} is no {slot.type}"
                    self.reader.error(each.fields["default"], f"parameter {name!r}: default: {why}")
            if slot.ref is not None and slot.ref not in self.types:
                node = each.fields.get("ref", each.node)
                hint = nearest(slot.ref, tuple(self.types))
                self.reader.error(node, f"parameter {name!r}: the Form type {slot.ref!r} is not loaded", hint)
            found[name] = QueryParameter(slot, each.required, each.default, each.description)
        return found

    def _parameter_slot(self, name: str, each: ReadParameter) -> SlotSpec:
        if each.of is None:
            return each.slot or SlotSpec(name, "text")
        form_type, _, slot = each.of.partition(".")
        declared = self.types.get(form_type)
        if declared is None:
            hint = nearest(form_type, tuple(self.types))
            self.reader.error(each.fields["slot"], f"the Form type {form_type!r} is not loaded", hint)
        elif slot not in declared.slots:
            hint = nearest(slot, tuple(declared.slots))
            self.reader.error(each.fields["slot"], f"{form_type} has no slot {slot!r}", hint)
        else:
            return replace(declared.slots[slot], name=name, many=False, min=None, max=None)
        return SlotSpec(name, "text")

    def _parameter(self, text: str, node: Node) -> bool:
        """Whether ``$name`` leads to a parameter."""
        name = text[1:]
        self.used.add(name)
        if name in self.parameters:
            return True
        hint = nearest(name, tuple(self.parameters))
        self.reader.error(node, f"no parameter {name!r} is declared", hint)
        return False

    # -- steps -----------------------------------------------------------------------------------------------
    def _start(self) -> Start | None:
        read = self.read.start
        if read.form_type not in self.types:
            hint = nearest(read.form_type, tuple(self.types))
            node = read.fields["form_type"]
            self.reader.error(node, f"start: the Form type {read.form_type!r} is not loaded", hint)
            return None
        if read.named is not None and read.named.startswith("$"):
            self._parameter(read.named, read.fields["named"])
        elif read.named is None and read.where is None:
            message = "start needs 'named: $parameter', or 'where:' to look through all of the type"
            self.reader.error(read.node, message)
        self.names.append(read.name)
        self.reach.append([read.form_type])
        where = self._condition(read.where, read.fields.get("where"), 0)
        return Start(read.name, read.form_type, read.named, where, read.limit)

    def _step(self, number: int, read: ReadStep) -> QueryStep | None:
        reader = self.reader
        source = number - 1
        if read.source is not None:
            if read.source not in self.names:
                hint = nearest(read.source, self.names)
                reader.error(read.fields["from"], f"from: no earlier step is called {read.source!r}", hint)
                return None
            source = self.names.index(read.source)
        if read.name in self.names:
            node = read.fields.get("as", read.node)
            reader.error(node, f"two steps are called {read.name!r}; name one with 'as:'")
            return None
        if read.to != ANY and read.to not in self.types:
            hint = nearest(read.to, tuple(self.types))
            reader.error(read.fields["to"], f"to: the Form type {read.to!r} is not loaded", hint)
            return None
        reached = self._reached(read, source)
        if reached is None:
            return None
        self.names.append(read.name)
        self.reach.append(reached)
        where = self._condition(read.where, read.fields.get("where"), number)
        return QueryStep(
            read.name, source, read.relations, read.direction, read.to, where, read.repeat, read.every,
            read.optional, read.limit,
        )  # fmt: skip

    def _reached(self, read: ReadStep, source: int) -> list[str] | None:
        """Form types at the far ends of the step's edges; None where there is no such edge."""
        node = read.fields["relation"]
        if any(relation.startswith("$") for relation in read.relations):
            if len(read.relations) > 1:
                self.reader.error(node, "relation is one $parameter, or names")
                return None
            if not self._parameter(read.relations[0], node):
                return None
            return [read.to] if read.to != ANY else list(self.types)
        names = sorted({rule.name for rule in self.rules})
        found: dict[str, None] = {}
        nodes = node.value if node.kind == "sequence" else [node]
        for relation, at in zip(read.relations, [*nodes, *[node] * len(read.relations)], strict=False):
            rules = [rule for rule in self.rules if rule.name == relation]
            if not rules:
                called = next((r.name for r in self.rules if relation in r.aliases), None)
                hint = called or nearest(relation, names)
                self.reader.error(at, f"the relation {relation!r} is not declared", hint)
                return None
            ends = self._ends(rules, self.reach[source], read)
            if not ends:
                ways = ", ".join(sorted({f"{r.source} → {r.target}" for r in rules}))
                other = f" {read.direction} of" if read.direction != "either" else " of"
                to = "" if read.to == ANY else f" to {read.to}"
                message = (
                    f"no {relation!r} leads{other} {' or '.join(self.reach[source][:3])}{to}; it is {ways}"
                )
                self.reader.error(at, message, self._turned(rules, source, read))
                return None
            found.update(dict.fromkeys(ends))
        return list(found)

    def _ends(self, rules: Sequence[RelationRule], sources: Sequence[str], read: ReadStep) -> list[str]:
        found: dict[str, None] = {}
        for rule in rules:
            for near, far, way in ((rule.source, rule.target, "out"), (rule.target, rule.source, "in")):
                if read.direction in (way, "either") and (near == ANY or near in sources):
                    if read.to == ANY:
                        found.update(dict.fromkeys(self.types if far == ANY else [far]))
                    elif far in (ANY, read.to):
                        found[read.to] = None
        return [name for name in found if name in self.types]

    def _turned(self, rules: Sequence[RelationRule], source: int, read: ReadStep) -> str | None:
        """The other direction, where it would do."""
        if read.direction == "either":
            return None
        other: Direction = "in" if read.direction == "out" else "out"
        turned = replace(read, direction=other)
        return f"direction: {other}" if self._ends(rules, self.reach[source], turned) else None

    # -- conditions ------------------------------------------------------------------------------------------
    def _slots(self, step: int) -> Slots:
        return slots_of(slot for name in self.reach[step] for slot in self.types[name].slots.values())

    def _condition(self, where: Expression | None, node: Node | None, step: int) -> Expression | None:
        if where is None or node is None:
            return None
        self.used.update(parameter.name for parameter in where.parameters())
        earlier = {name: self._slots(number) for number, name in enumerate(self.names[: step + 1])}
        scope = Scope(self._slots(step), earlier, self.parameters, step > 0)

        def fault(at: int, message: str, hint: str | None) -> None:
            self.reader.findings.append(
                Finding(self.reader.file, *place(node, at), f"where: {message}", hint)
            )

        self._left_out(where, fault)
        return settle(where, scope, fault)

    def _left_out(self, where: Expression, fault: object) -> None:
        """A parameter that may be left out is tested for it: nothing else is true of what is unknown."""
        tested = {
            each.left.name
            for each in where.comparisons()
            if isinstance(each, Comparison) and isinstance(each.left, Parameter) and each.right is None
        }
        for parameter in where.parameters():
            read = self.read.parameters.get(parameter.name)
            if read is None or read.required or read.default is not None or parameter.name in tested:
                continue
            message = (
                f"${parameter.name} may be left out, and then this is never true: give it a default, "
                f"or write ${parameter.name} is unknown or …"
            )
            fault(parameter.at, message, None)  # type: ignore[operator]

    # -- what comes back -------------------------------------------------------------------------------------
    def _group(self) -> int:
        read, last = self.read, len(self.read.steps)
        group = last
        node = read.nodes.get("group", read.nodes["query"])
        if read.group is not None:
            if read.group not in self.names:
                self.reader.error(
                    node, f"group: no step is called {read.group!r}", nearest(read.group, self.names)
                )
                return last
            group = self.names.index(read.group)
        if self._missing(group):
            message = "rows are of a step that may find nothing: say 'group:' with the step that they are of"
            self.reader.error(node, message)
        return group

    def _missing(self, step: int) -> bool:
        """Whether paths may have no Form at a step."""
        while step > 0:
            read = self.read.steps[step - 1]
            if read.optional:
                return True
            step = step - 1 if read.source is None else self.names.index(read.source)
        return False

    def _column(self, read: ReadColumn, group: int) -> Column | None:
        first, dot, rest = read.of.partition(".")
        if read.figure in ("count", "depth"):
            if dot or first not in self.names:
                message = f"return: {read.figure} is of a step, by its name; {read.of!r} is none"
                self.reader.error(read.node, message, nearest(first, self.names))
                return None
            return Column(read.name, self.names.index(first), None, read.figure)
        if dot and first not in self.names:
            self.reader.error(read.node, f"return: no step is called {first!r}", nearest(first, self.names))
            return None
        step = self.names.index(first) if dot else group
        slots = self._slots(step)
        slot = rest if dot else first
        if slot not in slots:
            hint = nearest(slot, tuple(slots))
            self.reader.error(read.node, f"return: {self.names[step]} has no slot {slot!r}", hint)
            return None
        kinds = {KIND_OF[spec.type] for spec in slots[slot]}
        fit = {"sum": {NUMBER}, "min": {NUMBER, MOMENT}, "max": {NUMBER, MOMENT}}.get(read.figure or "")
        if fit is not None and not kinds <= fit:
            wanted = " or ".join(sorted(fit))
            self.reader.error(read.node, f"return: {read.figure} is of {wanted}, and {slot} is {kinds.pop()}")
            return None
        return Column(read.name, step, slot, read.figure)

    def _texts(self, columns: Sequence[Column]) -> None:
        words = (*self.parameters, *(column.name for column in columns))
        for key, texts, options in (
            ("row", self.read.row, words),
            ("template", self.read.template, (*self.parameters, *TEMPLATE_WORDS)),
        ):
            node = self.read.nodes.get(key)
            places = (
                {k.value: v for k, v in node.value} if node is not None and node.kind == "mapping" else {}
            )
            for language, source in texts.items():
                self.used.update(name for name in self.parameters if name in source)
                at = places.get(language, node)
                for _, message, wrong in template.problems(source, options):
                    message = message.replace("there is no slot", "there is nothing called")
                    hint = nearest(wrong, options) if wrong else None
                    self.reader.error(at or self.read.nodes["query"], f"{key} in {language}: {message}", hint)


__all__ = ["resolve_query"]
