"""A condition as it stands in a YAML file: parsed, and each fault told at its own character."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from forms_dynamics.schema.expression import Expression, ExpressionError, parse
from forms_dynamics.schema.findings import Finding, nearest
from forms_dynamics.schema.query_conditions import KIND_OF, Fault, Side, settle
from forms_dynamics.schema.reader import Reader
from forms_dynamics.schema.source import Node, place
from forms_dynamics.schema.spec import SlotSpec


@dataclass(frozen=True, slots=True)
class Condition:
    """A parsed condition and the node that it was written in."""

    expression: Expression
    node: Node

    def wrong(self, reader: Reader, at: int, message: str, suggestion: str | None = None) -> None:
        """Reports a fault at a character of the expression (from 0)."""
        _report(reader, self.node, self.expression.source, at, message, suggestion)


def read_condition(reader: Reader, node: Node, what: str) -> Condition | None:
    """The condition at a node; None, and told where, when it cannot be read."""
    text = reader.word(node, what)
    if text is None:
        return None
    try:
        return Condition(parse(text), node)
    except ExpressionError as wrong:
        _report(reader, node, text, wrong.at, f"{what}: {wrong}", None)
        return None


SpecOf = Callable[[str], SlotSpec | str | None]


@dataclass(frozen=True, slots=True)
class _Known:
    """Names of an event and of slots. ``spec_of``: see :func:`settled`."""

    spec_of: SpecOf
    options: Sequence[str]

    def named(self, name: str, at: int, fault: Fault) -> Side | None:
        found = self.spec_of(name)
        if isinstance(found, str):
            fault(at, found, nearest(name, self.options))
            return None
        return Side(None, (), at) if found is None else Side(KIND_OF[found.type], (found,), at)

    def parameter(self, name: str, at: int, fault: Fault) -> Side | None:
        fault(at, f"${name} is a parameter, and nobody gives one here", None)
        return None


def settled(
    reader: Reader, condition: Condition, what: str, spec_of: SpecOf, options: Iterable[str]
) -> Expression:
    """The condition with enum values in place of their synonyms. Reports names that there are not, parameters, values
    that an enum does not have, and kinds that cannot be compared.

    ``spec_of``: a name's slot; None where it is a good name without one; a text where it is none, saying why.
    ``options``: good names, from which the nearest is suggested."""

    def fault(at: int, message: str, suggestion: str | None) -> None:
        condition.wrong(reader, at, f"{what}: {message}", suggestion)

    return settle(condition.expression, _Known(spec_of, tuple(options)), fault)


def _report(reader: Reader, node: Node, text: str, at: int, message: str, suggestion: str | None) -> None:
    written = reader.source[node.start : node.end]
    begins = written.find(text)
    if begins < 0:  # folded over lines, or with escapes
        reader.error(node, message, suggestion)
        return
    line, column = place(reader.source, node.start + begins + min(at, len(text)))
    reader.findings.append(Finding(reader.file, line, column, message, suggestion))


__all__ = ["Condition", "read_condition", "settled"]
