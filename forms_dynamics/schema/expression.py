"""Conditions of queries and triggers: a small language that only compares, parsed once and never evaluated as code.

::

    status != 'done' and due < now
    amount >= 500000 or customer.level in ['A', 'S']
    entity.type == 'time' and entity.value < tomorrow 9:00
    deadline is unknown, items contains 'chair', not (due > $until), now - 7 days

Comparisons are ``==  !=  <  <=  >  >=  in  not in  contains  is known  is unknown``, joined by ``and``, ``or``,
``not`` and brackets. Literals are numbers, quoted text, days and instants (``2026-06-12``, ``2026-06-12T09:00``),
times of day (``9:00``), spans (``7 days``, ``2 hours``), ``true``, ``false``, lists, and moments that move: ``now``,
``today``, ``tomorrow``, ``yesterday`` (今天, 明天, 昨天), alone a day, with a time (``tomorrow 9:00``) an instant, in
the zone of the ``now`` that the expression is tested with; in quotes, too, where a moment stands on the other side. A
span is added to or taken from a moment. ``$name`` is a parameter. Names may be Chinese.

Nothing is true of what is unknown but ``is unknown``; of a Range only what is true of all of it. Text compares folded
(case, width, traditional script); money with a bare number by its amount; a day with an instant by the day; a time
of day with an instant by its clock.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from forms_dynamics.language.normal import normal
from forms_dynamics.model.value import Money, Range

Comparing = Literal["==", "!=", "<", "<=", ">", ">=", "in", "not in", "contains", "is known", "is unknown"]
MAX_LENGTH = 2000  # characters of one expression
_MAX_DEPTH = 40  # brackets and nots inside each other

_TOKEN = re.compile(
    r"\s*(?:(?P<moment>\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?)"
    r"|(?P<clock>\d{1,2}:\d\d(?::\d\d)?(?![\d:]))"
    r"|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<text>'[^']*'|\"[^\"]*\")"
    r"|(?P<name>\$?[^\W\d]\w*(?:\.[^\W\d]\w*)*)"
    r"|(?P<sign>==|!=|<=|>=|[<>()\[\],+-]))"
)
_DAYS = {"today": 0, "今天": 0, "tomorrow": 1, "明天": 1, "yesterday": -1, "昨天": -1}
_CLOCK = re.compile(r"\d{1,2}:\d\d(?::\d\d)?")
_MOVING = re.compile(rf"({'|'.join(_DAYS)})(?:\s*({_CLOCK.pattern}))?", re.I)
_SIGNS = ("==", "!=", "<", "<=", ">", ">=")
_SPANS = {
    "minute": timedelta(minutes=1), "hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1),
}  # fmt: skip


class ExpressionError(ValueError):
    """What is wrong with an expression, and at which character of it (from 0)."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


@dataclass(frozen=True, slots=True)
class Name:
    """A dotted name, such as ``entity.type``; its value is asked for when the expression is tested."""

    name: str
    at: int = 0


@dataclass(frozen=True, slots=True)
class Parameter:
    """``$name``, without the dollar."""

    name: str
    at: int = 0


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal: str, Decimal, bool, date, datetime, time, timedelta, or a tuple of such."""

    value: Any


@dataclass(frozen=True, slots=True)
class Now:
    """The moment at which the expression is tested."""


@dataclass(frozen=True, slots=True)
class Day:
    """So many days from the day of ``Now``: that day, or a time on it."""

    days: int
    clock: time | None = None

    def on(self, now: datetime) -> date:
        """The day, or the instant, as seen at ``now`` and in its zone."""
        day = now.date() + timedelta(days=self.days)
        return day if self.clock is None else datetime.combine(day, self.clock, now.tzinfo)


@dataclass(frozen=True, slots=True)
class Shift:
    """A moment and a span: ``sign`` 1 adds, -1 takes away."""

    moment: Operand
    span: timedelta
    sign: int


Operand = Name | Parameter | Constant | Now | Day | Shift


@dataclass(frozen=True, slots=True)
class Comparison:
    left: Operand
    by: Comparing
    right: Operand | None = None  # None where ``by`` is "is known" or "is unknown"


@dataclass(frozen=True, slots=True)
class Both:
    parts: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Either:
    parts: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Not:
    part: Test


Test = Comparison | Both | Either | Not


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression. ``source`` is what was written."""

    source: str
    test: Test

    def comparisons(self) -> Iterator[Comparison]:
        """Every comparison in it, in order."""
        yield from _comparisons(self.test)

    def names(self) -> list[Name]:
        """The names that it asks for, in order, each as often as it stands there."""
        return [each for each in self._operands() if isinstance(each, Name)]

    def parameters(self) -> list[Parameter]:
        """The parameters that it takes, likewise."""
        return [each for each in self._operands() if isinstance(each, Parameter)]

    def holds(
        self, value_of: Callable[[str], Any], now: datetime, parameters: Mapping[str, Any] | None = None
    ) -> bool:
        """Whether it is true. ``value_of`` gives the value of a name, None where it is unknown; ``now`` is aware.

        Values of kinds that cannot be compared are not equal, and neither below nor above each other."""
        return _holds(self.test, _Reading(value_of, now, parameters or {}))

    def _operands(self) -> Iterator[Operand]:
        for comparison in self.comparisons():
            for side in (comparison.left, comparison.right):
                while isinstance(side, Shift):
                    side = side.moment
                if side is not None:
                    yield side


def parse(source: str) -> Expression:
    """The expression that ``source`` is. Raises ExpressionError."""
    if len(source) > MAX_LENGTH:
        raise ExpressionError(f"the condition has more than {MAX_LENGTH} characters", MAX_LENGTH)
    return Expression(source, _Parser(_tokens(source), len(source)).whole())


# -- reading -------------------------------------------------------------------------------------------------
class _Token(NamedTuple):
    kind: str  # moment, clock, number, text, name, sign, end
    text: str
    at: int


def _tokens(source: str) -> list[_Token]:
    out, at, end = [], 0, len(source.rstrip())
    while at < end:
        found = _TOKEN.match(source, at)
        if found is None:
            at += len(source[at:]) - len(source[at:].lstrip())
            wrong = source[at]
            if wrong in "'\"":
                raise ExpressionError("this quotation mark is never closed", at)
            hint = "; equal is written ==" if wrong == "=" else ""
            raise ExpressionError(f"{wrong!r} is not part of a condition{hint}", at)
        kind = str(found.lastgroup)
        out.append(_Token(kind, found.group(kind), found.start(kind)))
        at = found.end()
    return out


class _Parser:
    def __init__(self, tokens: list[_Token], end: int) -> None:
        self._tokens, self._at = [*tokens, _Token("end", "", end)], 0
        self._depth = 0

    def whole(self) -> Test:
        if self._now.kind == "end":
            raise self._wrong("the condition is empty")
        test = self._either()
        if self._now.kind != "end":
            raise self._wrong(f"{self._now.text!r} stands where 'and', 'or' or the end was expected")
        return test

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _wrong(self, message: str) -> ExpressionError:
        return ExpressionError(message, self._now.at)

    def _take(self, *texts: str) -> bool:
        """Moves past the words or signs ``texts`` where they come next."""
        ahead = self._tokens[self._at : self._at + len(texts)]
        if [t.text for t in ahead if t.kind in ("name", "sign")] != list(texts):
            return False
        self._at += len(texts)
        return True

    def _either(self) -> Test:
        parts = [self._both()]
        while self._take("or"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else Either(tuple(parts))

    def _both(self) -> Test:
        parts = [self._not()]
        while self._take("and"):
            parts.append(self._not())
        return parts[0] if len(parts) == 1 else Both(tuple(parts))

    def _not(self) -> Test:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._wrong(f"more than {_MAX_DEPTH} brackets inside each other")
        try:
            if self._take("not"):
                return Not(self._not())
            if self._take("("):
                test = self._either()
                if not self._take(")"):
                    raise self._wrong("a bracket is never closed")
                return test
            return self._comparison()
        finally:
            self._depth -= 1

    def _comparison(self) -> Comparison:
        left = self._operand()
        if self._take("is", "not", "known") or self._take("is", "unknown"):
            return Comparison(left, "is unknown")
        if self._take("is", "known"):
            return Comparison(left, "is known")
        if self._take("not", "in"):
            return Comparison(left, "not in", self._operand())
        for sign in (*_SIGNS, "in", "contains"):
            if self._take(sign):
                return Comparison(left, sign, self._operand())  # type: ignore[arg-type]
        raise self._wrong(
            "a comparison is missing here: ==, !=, <, <=, >, >=, in, contains, is known, is unknown"
        )

    def _operand(self) -> Operand:
        side = self._atom()
        while self._now.text in ("+", "-") and self._now.kind == "sign":
            sign = 1 if self._now.text == "+" else -1
            self._at += 1
            span = self._atom()
            if not isinstance(span, Constant) or not isinstance(span.value, timedelta):
                raise self._wrong("only a span such as '7 days' is added to or taken from a moment")
            side = Shift(side, span.value, sign)
        return side

    def _atom(self) -> Operand:
        token = self._now
        self._at += 1
        match token.kind:
            case "number":
                return self._number(token)
            case "text":
                return Constant(token.text[1:-1])
            case "moment":
                return Constant(self._moment(token))
            case "clock":
                return Constant(self._clock(token))
            case "name" if token.text.lower() in _DAYS:
                at = self._clock(self._next()) if self._now.kind == "clock" else None
                return Day(_DAYS[token.text.lower()], at)
            case "name" if token.text not in ("and", "or", "not", "in", "is", "contains"):
                if token.text.startswith("$"):
                    return Parameter(token.text[1:], token.at)
                named: dict[str, Operand] = {"true": Constant(True), "false": Constant(False), "now": Now()}
                return named.get(token.text, Name(token.text, token.at))
            case "sign" if token.text == "-" and self._now.kind == "number":
                self._at += 1
                return Constant(-Decimal(self._tokens[self._at - 1].text))
            case "sign" if token.text == "[":
                return self._list()
        self._at -= 1
        raise self._wrong("a name or a value is missing here")

    def _number(self, token: _Token) -> Constant:
        unit = _SPANS.get(self._now.text.removesuffix("s")) if self._now.kind == "name" else None
        if unit is None:
            return Constant(Decimal(token.text))
        self._at += 1
        try:
            return Constant(float(token.text) * unit)
        except OverflowError:
            raise ExpressionError(f"{token.text} is too long a span", token.at) from None

    def _next(self) -> _Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def _clock(self, token: _Token) -> time:
        clock = _clock(token.text)
        if clock is None:
            raise ExpressionError(f"{token.text} is no time of day: 0:00 to 23:59", token.at)
        return clock

    def _moment(self, token: _Token) -> date:
        try:
            if len(token.text) == 10:
                return date.fromisoformat(token.text)
            return datetime.fromisoformat(token.text)
        except ValueError as wrong:
            raise ExpressionError(f"{token.text} is no day or time: {wrong}", token.at) from None

    def _list(self) -> Constant:
        items: list[Any] = []
        while not self._take("]"):
            if items and not self._take(","):
                raise self._wrong("a comma or ] is missing here")
            item = self._atom()
            if not isinstance(item, Constant) or isinstance(item.value, tuple):
                raise self._wrong("a list holds values: numbers, quoted text, days")
            items.append(item.value)
        return Constant(tuple(items))


def _comparisons(test: Test) -> Iterator[Comparison]:
    match test:
        case Comparison():
            yield test
        case Not(part):
            yield from _comparisons(part)
        case Both(parts) | Either(parts):
            for part in parts:
                yield from _comparisons(part)


# -- testing -------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Reading:
    value_of: Callable[[str], Any]
    now: datetime
    parameters: Mapping[str, Any]

    def value(self, side: Operand | None) -> Any:
        match side:
            case None:
                return None
            case Constant(value):
                return value
            case Name(name):
                return self.value_of(name)
            case Parameter(name):
                return self.parameters.get(name)
            case Now():
                return self.now
            case Day():
                return side.on(self.now)
            case Shift(moment, span, sign):
                held = _moment(self.value(moment), self.now)
                try:
                    return None if held is None else held + sign * span
                except OverflowError:
                    return None


def _holds(test: Test, reading: _Reading) -> bool:
    match test:
        case Both(parts):
            return all(_holds(part, reading) for part in parts)
        case Either(parts):
            return any(_holds(part, reading) for part in parts)
        case Not(part):
            return not _holds(part, reading)
        case Comparison(left, by, right):
            return compare(reading.value(left), by, reading.value(right), reading.now)


def compare(left: Any, by: Comparing, right: Any, now: datetime) -> bool:
    """Whether the comparison is true of two typed values; ``now`` gives naive moments their zone."""
    if by in ("is known", "is unknown"):
        return (left is not None and left != ()) == (by == "is known")
    if left is None or right is None:
        return False
    if by == "contains":
        if isinstance(left, str) and isinstance(right, str):
            return normal(right) in normal(left)
        return any(_equal(each, right, now) for each in _items(left))
    if by in ("in", "not in"):
        found = any(_equal(ours, each, now) for ours in _items(left) for each in _items(right))
        return found == (by == "in")
    if by in ("==", "!="):
        ours, theirs = _items(left), _items(right)
        same = len(ours) == len(theirs) and all(any(_equal(a, b, now) for b in theirs) for a in ours)
        return same == (by == "==")
    order = _order(_end(left, by, left=True), _end(right, by, left=False), now)
    return order is not None and {"<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[by]


def _items(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (tuple, list, set, frozenset)) else [value]


def _end(value: Any, by: str, left: bool) -> Any:
    """The end of a Range of which the comparison must be true, to be true of all of it."""
    if not isinstance(value, Range):
        return value
    return value.max if by.startswith("<") == left else value.min


def _equal(left: Any, right: Any, now: datetime) -> bool:
    if isinstance(left, Range) or isinstance(right, Range):
        return bool(left == right)
    return _order(left, right, now) == 0


def _order(left: Any, right: Any, now: datetime) -> int | None:
    """Negative, 0 or positive as ``left`` is below, at or above ``right``; None where they are not of one kind."""
    if left is None or right is None:
        return None
    if isinstance(left, bool) or isinstance(right, bool):
        return None if type(left) is not type(right) else int(left) - int(right)
    if isinstance(left, Money) and isinstance(right, Money):
        return None if left.currency != right.currency else _sign(left.amount, right.amount)
    numbers = _number(left), _number(right)
    if None not in numbers:
        return _sign(*numbers)
    if isinstance(left, timedelta) and isinstance(right, timedelta):
        return _sign(left, right)
    if isinstance(left, date) or isinstance(right, date):
        if _clock(left) is None and _clock(right) is None:
            return _by_time(left, right, now)
        clocks = _clock(left, now), _clock(right, now)
        return None if None in clocks else _sign(*clocks)
    if isinstance(left, (str, time)) and isinstance(right, (str, time)):
        clocks = _clock(left), _clock(right)
        return _sign(*clocks) if None not in clocks else _sign(normal(str(left)), normal(str(right)))
    return None


def _by_time(left: Any, right: Any, now: datetime) -> int | None:
    ours, theirs = _moment(left, now), _moment(right, now)
    if ours is None or theirs is None:
        return None
    if not isinstance(ours, datetime) or not isinstance(theirs, datetime):
        return _sign(*(m.date() if isinstance(m, datetime) else m for m in (ours, theirs)))
    return _sign(*(m if m.tzinfo else m.replace(tzinfo=now.tzinfo or UTC) for m in (ours, theirs)))


def _moment(value: Any, now: datetime) -> date | None:
    if isinstance(value, date):
        return value
    if isinstance(value, str):
        moving = _MOVING.fullmatch(value.strip())
        if moving is not None:
            clock = None if moving[2] is None else _clock(moving[2])
            return None if moving[2] and clock is None else Day(_DAYS[moving[1].lower()], clock).on(now)
        try:
            return date.fromisoformat(value) if len(value) == 10 else datetime.fromisoformat(value)
        except ValueError:
            return None
    return None


def is_moment(text: str) -> bool:
    """Whether a quoted text is compared as a day, an instant or a time of day."""
    return _clock(text) is not None or _moment(text, datetime(2000, 1, 1)) is not None


def _clock(value: Any, now: datetime | None = None) -> time | None:
    """The time of day that a value is; of an instant (where ``now`` gives the zone) the one on its clock."""
    if isinstance(value, time):
        return value
    if isinstance(value, str) and _CLOCK.fullmatch(value):
        hour, minute, second = (*map(int, value.split(":")), 0)[:3]
        return time(hour, minute, second) if hour < 24 and minute < 60 and second < 60 else None
    if isinstance(value, datetime) and now is not None:
        return (value.astimezone(now.tzinfo) if value.tzinfo else value).time()
    return None


def _number(value: Any) -> Decimal | None:
    if isinstance(value, Money):
        return value.amount
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        number = Decimal(str(value))
        # what an agent handed over may be no number: nothing is known
        return None if number.is_nan() else number
    return None


def _sign(left: Any, right: Any) -> int:
    return int(left > right) - int(left < right)


__all__ = [
    "Comparing",
    "Comparison",
    "Constant",
    "Day",
    "Expression",
    "ExpressionError",
    "Name",
    "Now",
    "Parameter",
    "compare",
    "is_moment",
    "parse",
]
