"""A condition as it stands in a YAML file: parsed, and each fault told at its own character."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from forms_dynamics.language.normal import normal
from forms_dynamics.schema.expression import (
    Comparison,
    Constant,
    Expression,
    ExpressionError,
    Name,
    parse,
)
from forms_dynamics.schema.findings import Finding, nearest
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


def check_names(
    reader: Reader,
    condition: Condition,
    what: str,
    spec_of: Callable[[str], SlotSpec | str | None],
    options: Iterable[str],
) -> None:
    """Reports names that there are not, parameters, and values that an enum does not have.

    ``spec_of``: a name's slot; None where it is a good name without one; a text where it is none, saying why.
    ``options``: good names, from which the nearest is suggested."""
    for parameter in condition.expression.parameters():
        condition.wrong(
            reader, parameter.at, f"{what}: ${parameter.name} is a parameter, and nobody gives one here"
        )
    for name in condition.expression.names():
        found = spec_of(name.name)
        if isinstance(found, str):
            condition.wrong(reader, name.at, f"{what}: {found}", nearest(name.name, options))
    for comparison in condition.expression.comparisons():
        _check_values(reader, condition, what, comparison, spec_of)


def _check_values(
    reader: Reader,
    condition: Condition,
    what: str,
    comparison: Comparison,
    spec_of: Callable[[str], SlotSpec | str | None],
) -> None:
    for name, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
        if not isinstance(name, Name) or not isinstance(other, Constant):
            continue
        spec = spec_of(name.name)
        if not isinstance(spec, SlotSpec) or spec.type != "enum":
            continue
        words = _words(spec.values)
        for value in other.value if isinstance(other.value, tuple) else (other.value,):
            if isinstance(value, str) and normal(value) not in map(normal, spec.values):
                hint = words.get(normal(value)) or nearest(value, tuple(spec.values))
                known = "" if hint else f"; it has {', '.join(spec.values)}"
                message = f"{what}: {name.name} has no value {value!r}{known}"
                condition.wrong(reader, name.at, message, hint)


def _words(values: Mapping[str, Iterable[str]]) -> dict[str, str]:
    return {normal(word): value for value, synonyms in values.items() for word in synonyms}


def _report(reader: Reader, node: Node, text: str, at: int, message: str, suggestion: str | None) -> None:
    written = reader.source[node.start : node.end]
    begins = written.find(text)
    if begins < 0:  # folded over lines, or with escapes
        reader.error(node, message, suggestion)
        return
    line, column = place(reader.source, node.start + begins + min(at, len(text)))
    reader.findings.append(Finding(reader.file, line, column, message, suggestion))


__all__ = ["Condition", "check_names", "read_condition"]
