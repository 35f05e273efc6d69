"""Columns of money."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from forms_dynamics.language.money import find_money
from forms_dynamics.model.value import Money, Range
from forms_dynamics.schema.sketch.columns import MONEY, Inferred, currency_in, hints
from forms_dynamics.schema.sketch.plain import plainly, takes_all
from forms_dynamics.schema.spec import SlotSpec


def as_money(found: Inferred, values: Sequence[Any]) -> SlotSpec | None:
    """Money, when the cells or the header name the currency."""
    column = found.column
    if any(isinstance(value, bool) for value in values):
        return None
    hinted = currency_in(column) if column.bracket or hints(column, MONEY) else None
    named: Counter[str] = Counter()
    bare = False
    for value in values:
        said = currencies_in([value])
        if not said and not _is_amount(value):
            return None  # most columns end here, at their first cell
        named += said
        bare = bare or not said
    unit = hinted or commonest(named)
    if unit is None:
        return None
    several = SlotSpec(column.name, "money")
    if len(named) > 1 and not bare and takes_all(several, values):
        return several  # each amount names its own
    slot = SlotSpec(column.name, "money", unit=unit)
    if not takes_all(slot, values):
        return None
    yen = "JPY" in named and "CNY" in named
    if bare and len(named) > (2 if yen else 1):
        return None  # which of several currencies a bare amount is in, nobody can tell
    if hinted is None and (bare or yen):
        guess = "¥ is taken for" if yen else "an amount without currency is taken in"
        found.doubts.append(f"{guess} {unit}")
    return slot


def _is_amount(value: Any) -> bool:
    """Whether a cell that names no currency is an amount all the same: a number, or 5万."""
    if not isinstance(value, str):
        return isinstance(value, (int, float, Mapping))
    found = find_money(value.strip())
    return len(found) == 1 and found[0].end - found[0].start == len(value.strip())


def currencies_in(values: Sequence[Any]) -> Counter[str]:
    """The currencies that the cells themselves name; ¥ counts for each that it may mean."""
    counts: Counter[str] = Counter()
    for value in values:
        if isinstance(value, Mapping):
            read = plainly(SlotSpec("x", "money"), value)
            counts.update([read.currency] if isinstance(read, Money) else [])
            continue
        for reading in find_money(value) if isinstance(value, str) else ():
            if reading.kind == "money":
                ends = (reading.value, *reading.alternatives)
                amounts = [e.min or e.max if isinstance(e, Range) else e for e in ends]
                counts.update({a.currency for a in amounts if isinstance(a, Money)})
    return counts


def commonest(named: Counter[str]) -> str | None:
    top = max(named.values(), default=0)
    best = [code for code, count in named.items() if count == top]
    return "CNY" if "CNY" in best else best[0] if best else None
