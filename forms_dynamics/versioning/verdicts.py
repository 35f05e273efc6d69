"""What an item of a message is to what its slot holds: new, the same again, or a conflict."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal

from forms_dynamics.assertions import Assertion, rank
from forms_dynamics.language.money import says_currency
from forms_dynamics.model.gated import Item
from forms_dynamics.model.value import Money, Range, decode
from forms_dynamics.schema.coerce import key_text, same
from forms_dynamics.schema.spec import SlotSpec

Verdict = Literal["new", "same", "conflict"]


def verdict(
    spec: SlotSpec, item: Item, held: Assertion | None, avoided: Sequence[Any], strict: bool
) -> Verdict:
    """``held``: what holds when the item begins. ``avoided``: the values that the Form avoids. ``strict``: only an
    explicit correction displaces. What lower-ranked words say against higher-ranked ones is a conflict."""
    if item.negated:
        return "same" if _avoids(spec, item, held, avoided) else "new"
    if item.op == "clear":
        return "new" if held is not None else "same"
    if spec.many:
        return _of_a_list(spec, item, held)
    if item.op == "remove":
        return "new" if held is not None and same(spec, decode(held["v"]), item.value) else "same"
    if held is None:
        return "new"
    again = same(spec, decode(held["v"]), item.value)
    if again and not _respelt(spec, held, item):
        return "same"
    if item.correction and item.source == "user":
        return "new"
    if rank(spec, item.source) < rank(spec, held.get("src", "user")):
        return "same" if again else "conflict"
    return "conflict" if strict else "new"


_NEAR = 8  # characters beside an amount in which a currency may be said


def in_the_currency(item: Item, held: Assertion | None, text: str) -> Item:
    """The item; an amount of whose currency its words (of ``text``) say nothing is in that of the amount held: after
    15,000 USD, "I meant 18,000" is dollars, whatever the default."""
    if held is None or item.span is None or item.message is not None or item.source != "user":
        return item
    start, end = item.span
    said, was = _currencies(item.value), _currencies(decode(held["v"]))
    if not said or len(was) != 1 or said == was or says_currency(text[max(0, start - _NEAR) : end + _NEAR]):
        return item
    return item._replace(value=_with_currency(item.value, was.pop()))


def _currencies(value: Any) -> set[str]:
    if isinstance(value, Range):
        return _currencies(value.min) | _currencies(value.max)
    return {value.currency} if isinstance(value, Money) else set()


def _with_currency(value: Any, currency: str) -> Any:
    if isinstance(value, Range):
        return Range(_with_currency(value.min, currency), _with_currency(value.max, currency))
    return Money(value.amount, currency) if isinstance(value, Money) else value


def _of_a_list(spec: SlotSpec, item: Item, held: Assertion | None) -> Verdict:
    have = {key_text(spec, decode(v)) for v in (held["v"] if held is not None else ())}
    given = {key_text(spec, v) for v in values_of(item.value)}
    if item.op == "remove":
        return "new" if have & given else "same"
    if item.op == "set":
        return "same" if have == given else "new"
    return "same" if given <= have else "new"


def _avoids(spec: SlotSpec, item: Item, held: Assertion | None, avoided: Sequence[Any]) -> bool:
    """Whether all given values are avoided already, and none is held."""
    known = {
        key_text(spec, decode(v))
        for given in avoided
        for v in (given if isinstance(given, list) else [given])
    }
    liked = {key_text(spec, v) for v in values_of(decode(held["v"]))} if held is not None else set()
    given = {key_text(spec, v) for v in values_of(item.value)}
    return given <= known and not given & liked


def _respelt(spec: SlotSpec, held: Assertion, item: Item) -> bool:
    """A text given as it is to stand (structured input, a correction), in another spelling than is held: case,
    width and spaces are part of it, as "Yes" and "yes" in a row of a table."""
    return item.verbatim and spec.type == "text" and held["v"] != item.value


def says_no_more(spec: SlotSpec, held: Assertion, item: Item, yearless: date | None) -> bool:
    """Whether an item that waits says what is held anyway. ``yearless``: a day that it names without the year."""
    value = decode(held["v"])
    if yearless is not None:
        return isinstance(value, date) and (value.month, value.day) == (yearless.month, yearless.day)
    if spec.many:
        have = {key_text(spec, v) for v in values_of(value)}
        return item.op != "remove" and {key_text(spec, v) for v in values_of(item.value)} <= have
    return item.value is not None and same(spec, value, item.value)


def values_of(value: Any) -> tuple[Any, ...]:
    """The values of a list, the one of a single slot, or none."""
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


__all__ = ["Verdict", "in_the_currency", "says_no_more", "values_of", "verdict"]
