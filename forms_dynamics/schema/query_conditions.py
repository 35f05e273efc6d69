"""What the names and values of a condition are, checked against the slots that are declared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, Protocol

from forms_dynamics.language.normal import normal
from forms_dynamics.schema.expression import (
    Both,
    Comparison,
    Constant,
    Day,
    Either,
    Expression,
    Name,
    Not,
    Now,
    Operand,
    Parameter,
    Shift,
    Test,
    is_moment,
)
from forms_dynamics.schema.findings import nearest
from forms_dynamics.schema.spec import SlotSpec

TEXT, NUMBER, MOMENT, TRUTH, SPAN, ENUM = "text", "a number", "a day or time", "yes or no", "a span", "enum"
KIND_OF = {
    "text": TEXT, "ref": TEXT, "phone": TEXT, "email": TEXT, "url": TEXT, "integer": NUMBER, "number": NUMBER,
    "money": NUMBER, "percent": NUMBER, "boolean": TRUTH, "date": MOMENT, "datetime": MOMENT,
    "date_range": MOMENT, "duration": SPAN, "enum": ENUM,
}  # fmt: skip
# what an edge knows of itself; what else ``edge.`` names is an attribute of any kind
EDGE_WORDS = {
    "relation": TEXT, "weight": NUMBER, "created_at": MOMENT, "valid_from": MOMENT, "valid_until": MOMENT,
}  # fmt: skip

Fault = Callable[[int, str, str | None], None]  # character of the condition, message, suggestion


@dataclass(frozen=True, slots=True)
class Side:
    """What one side of a comparison is. ``kind`` None: may be anything."""

    kind: str | None
    slots: Sequence[SlotSpec] = ()
    at: int = 0

    @property
    def many(self) -> bool:
        return any(slot.many for slot in self.slots)


class Names(Protocol):
    """What a condition may name; None, and told to ``fault``, for a name that there is not."""

    def named(self, name: str, at: int, fault: Fault) -> Side | None: ...

    def parameter(self, name: str, at: int, fault: Fault) -> Side | None: ...


@dataclass(frozen=True, slots=True)
class Scope:
    """What a condition of a query may name: ``own`` slots (name → its declarations in the types that may stand
    there), those of earlier ``steps``, ``parameters``; ``edge``: whether an edge led here."""

    own: Mapping[str, Sequence[SlotSpec]]
    steps: Mapping[str, Mapping[str, Sequence[SlotSpec]]]
    parameters: Mapping[str, SlotSpec]
    edge: bool

    def named(self, name: str, at: int, fault: Fault) -> Side | None:
        first, dot, rest = name.partition(".")
        if not dot:
            return _slot(name, at, self.own, "here", fault)
        if first == "edge":
            if not self.edge:
                fault(at, "no edge leads to the start", None)
                return None
            return Side(EDGE_WORDS.get(rest), (), at)
        if first not in self.steps:
            options = (*self.steps, *(("edge",) if self.edge else ()))
            fault(at, f"no earlier step is called {first!r}", nearest(first, options))
            return None
        return _slot(rest, at + len(first) + 1, self.steps[first], f"in {first}", fault)

    def parameter(self, name: str, at: int, fault: Fault) -> Side | None:
        slot = self.parameters.get(name)
        if slot is None:
            fault(at + 1, f"no parameter {name!r} is declared", nearest(name, tuple(self.parameters)))
            return None
        return Side(KIND_OF[slot.type], (slot,), at)


def settle(expression: Expression, scope: Names, fault: Fault) -> Expression:
    """The condition with enum values in place of their synonyms; what is wrong in it goes to ``fault``."""
    return replace(expression, test=_settled(expression.test, scope, fault))


def _settled(test: Test, scope: Names, fault: Fault) -> Test:
    match test:
        case Both(parts):
            return Both(tuple(_settled(part, scope, fault) for part in parts))
        case Either(parts):
            return Either(tuple(_settled(part, scope, fault) for part in parts))
        case Not(part):
            return Not(_settled(part, scope, fault))
        case Comparison():
            return _comparison(test, scope, fault)


def _comparison(test: Comparison, scope: Names, fault: Fault) -> Comparison:
    left = _side(test.left, scope, fault)
    if test.right is None:
        return test
    right = _side(test.right, scope, fault)
    if left is None or right is None:
        return test
    at = left.at or right.at
    for mine, other, which in ((left, test.right, "right"), (right, test.left, "left")):
        if mine.kind == ENUM and isinstance(other, Constant):
            settled = _enum(mine.slots, other, at, fault)
            return replace(test, right=settled) if which == "right" else replace(test, left=settled)
    _check(test, left, right, at, fault)
    return test


def _check(test: Comparison, left: Side, right: Side, at: int, fault: Fault) -> None:
    if left.kind is None or right.kind is None:
        return
    kinds = {left.kind, right.kind}
    ordered = test.by in ("<", "<=", ">", ">=")
    if kinds == {ENUM}:
        if {v for s in left.slots for v in s.values}.isdisjoint(v for s in right.slots for v in s.values):
            fault(at, "these two have no value in common", None)
    elif kinds == {ENUM, TEXT} and not any(isinstance(side, Parameter) for side in (test.left, test.right)):
        return
    elif kinds == {ENUM, TEXT}:
        slot = next(s for side in (left, right) if side.kind == ENUM for s in side.slots)
        fault(
            at,
            f"a text is no value of {slot.name}: declare the parameter with 'slot: type.{slot.name}'",
            None,
        )
    elif kinds == {MOMENT, TEXT} and _says_a_moment(test.left, test.right):
        return
    elif kinds == {SPAN} or kinds == {SPAN, TEXT}:
        if ordered:
            fault(at, "durations are only compared by == and !=", None)
    elif len(kinds) > 1:
        fault(at, f"{left.kind} and {right.kind} cannot be compared", None)
    elif ordered and (left.many or right.many):
        fault(
            at, f"{test.by} compares single values, and one of these holds several: use contains or in", None
        )
    if test.by == "contains" and not left.many and left.kind != TEXT:
        fault(at, "contains is asked of a text or of a slot that holds several values", None)


def _says_a_moment(*sides: Operand | None) -> bool:
    """Whether a quoted text is a day, a time or a moment that moves: '2026-06-12', '9:00', 'tomorrow 9:00'."""
    return any(
        isinstance(side, Constant) and isinstance(side.value, str) and is_moment(side.value) for side in sides
    )


def _enum(slots: Sequence[SlotSpec], told: Constant, at: int, fault: Fault) -> Constant:
    if isinstance(told.value, tuple):
        return Constant(tuple(_value(slots, each, at, fault) for each in told.value))
    return Constant(_value(slots, told.value, at, fault))


def _value(slots: Sequence[SlotSpec], told: Any, at: int, fault: Fault) -> Any:
    words = {
        normal(word): value
        for slot in slots
        for value, synonyms in slot.values.items()
        for word in (value, *synonyms)
    }
    found = words.get(normal(str(told)))
    if found is not None:
        return found
    values = list(dict.fromkeys(value for slot in slots for value in slot.values))
    hint = words.get(nearest(normal(str(told)), words) or "")
    known = "" if hint else f"; it is one of {', '.join(values)}"
    fault(at, f"{told!r} is no value of {slots[0].name}{known}", hint)
    return told


def _side(operand: Operand, scope: Names, fault: Fault) -> Side | None:
    match operand:
        case Constant(value):
            return Side(_kind(value))
        case Now() | Day():
            return Side(MOMENT)
        case Shift(moment, _, _):
            side = _side(moment, scope, fault)
            if side is not None and side.kind not in (None, MOMENT):
                fault(side.at, f"a span is added to a day or time, not to {side.kind}", None)
                return None
            return side
        case Parameter(name, at):
            return scope.parameter(name, at, fault)
        case Name(name, at):
            return scope.named(name, at, fault)


def _slot(
    name: str, at: int, slots: Mapping[str, Sequence[SlotSpec]], where: str, fault: Fault
) -> Side | None:
    found = slots.get(name)
    if not found:
        fault(at, f"no slot {name!r} {where}", nearest(name, tuple(slots)))
        return None
    kinds = {KIND_OF[slot.type] for slot in found}
    return Side(kinds.pop() if len(kinds) == 1 else None, found, at)


def _kind(value: Any) -> str | None:
    if isinstance(value, tuple):
        kinds = {_kind(each) for each in value}
        return kinds.pop() if len(kinds) == 1 else None
    if isinstance(value, bool):
        return TRUTH
    if isinstance(value, Decimal):
        return NUMBER
    if isinstance(value, (date, datetime)):
        return MOMENT
    return SPAN if isinstance(value, timedelta) else TEXT


def slots_of(slots: Iterable[SlotSpec]) -> dict[str, list[SlotSpec]]:
    """Declarations by name."""
    found: dict[str, list[SlotSpec]] = {}
    for slot in slots:
        found.setdefault(slot.name, []).append(slot)
    return found


__all__ = ["ENUM", "KIND_OF", "MOMENT", "NUMBER", "Names", "Scope", "Side", "settle", "slots_of"]
