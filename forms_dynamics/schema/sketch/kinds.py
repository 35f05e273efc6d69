"""Whether a column is of one type of slot: flags, choices, and all that a reader takes plainly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.language.nulls import null_like
from forms_dynamics.model.value import Range
from forms_dynamics.schema.sketch.amounts import currencies_in
from forms_dynamics.schema.sketch.columns import (
    CODE,
    DAY,
    MONEY,
    STATE,
    WHO,
    Column,
    Inferred,
    currency_in,
    hints,
)
from forms_dynamics.schema.sketch.plain import is_moment, plainly, takes_all
from forms_dynamics.schema.spec import SlotSpec
from forms_dynamics.schema.values.choices import enum_key

# Types in the order in which they are tried: the narrower first.
KINDS = (
    "email", "url", "date", "phone", "percent", "integer", "number", "datetime", "duration", "date_range",
)  # fmt: skip
STRONG = frozenset("、；;|")  # what parts the items of a list and is no part of a name
LONG = 24  # characters of a word that may be one of a few
_MANY_VALUES = 12


def as_flag(column: Column) -> SlotSpec | None:
    """Yes and no: JSON booleans, or exactly two words that mean the two."""
    slot = SlotSpec(column.name, "boolean")
    values = [value for _, value in column.cells]
    if all(isinstance(value, bool) for value in values):
        return slot
    words = {normal(value) for value in values if isinstance(value, str)}
    if (
        len(words) != 2
        or not all(isinstance(value, str) for value in values)
        or any(w.isdigit() for w in words)
    ):
        return None
    return slot if {plainly(slot, word) for word in words} == {True, False} else None


def as_choice(found: Inferred, values: Sequence[Any]) -> SlotSpec | None:
    """Few words that come again and again. Words such as 待定 and pending are values among others."""
    column = found.column
    if not all(isinstance(value, str) for value in values) or hints(column, CODE):
        return None
    words = [value.strip() for value in values if not null_like(value) or _wordy(value)]
    spelled: dict[str, Counter[str]] = {}
    for word in words:
        spelled.setdefault(enum_key(word), Counter())[word] += 1
        if len(spelled) > _MANY_VALUES:
            return None
    few = len(spelled) >= 2 and "" not in spelled
    hinted = hints(column, STATE)
    often = 2 if hinted else 4
    if not few or len(words) < often * len(spelled) or (not hinted and hints(column, WHO)):
        return None
    if any(len(word) > LONG or STRONG & set(word) or word[:1].isdigit() for word in words):
        return None
    text = SlotSpec(column.name, "text")
    if any(takes_all(replace(text, type=kind), words) for kind in KINDS) or currencies_in(words):
        return None
    values_of = {count.most_common(1)[0][0]: tuple(sorted(count)) for count in spelled.values()}
    synonyms = {
        value: tuple(s for s in all_ if normal(s) != normal(value)) for value, all_ in values_of.items()
    }
    found.doubts.append("the values are those of the sample: add what else may come")
    if any(null_like(value) for value in synonyms):
        nothing = "、".join(value for value in synonyms if null_like(value))
        found.doubts.append(f"{nothing} is taken for a value: take it out if it means that nothing is known")
    return SlotSpec(column.name, "enum", values=synonyms)


def _wordy(value: str) -> bool:
    """A word for nothing that may as well be a state (pending, 待定), unlike N/A and 无."""
    text = value.strip()
    return (has_han(text) and len(text) > 1) or len(text) > 4


def fits(column: Column, slot: SlotSpec, values: Sequence[Any]) -> bool:
    """Whether all ``values`` are plainly of ``slot``, and nothing in the header says otherwise."""
    kind = slot.type
    if kind in ("email", "url", "percent", "duration") and not all(isinstance(v, str) for v in values):
        return False
    if any(isinstance(value, bool) for value in values):
        return False
    digits = all(
        isinstance(value, int) or (isinstance(value, str) and value.strip().isdigit()) for value in values
    )
    if kind == "date" and digits and not (hints(column, DAY) and all(isinstance(v, str) for v in values)):
        return False
    if kind in ("integer", "number") and digits and hints(column, CODE) and isinstance(values[0], str):
        return False  # a code of digits: others with letters will come
    if kind == "phone":
        if not digits and any(not isinstance(value, str) for value in values):
            return False
        values = [str(value) for value in values]
    if not takes_all(slot, values):
        return False
    if kind == "datetime":
        return any(_has_time(value) for value in values)
    if kind in ("date_range", "phone", "email", "url"):
        return True
    # 12-34 may be a code; one plain number beside it tells that it is a range
    return any(not isinstance(plainly(slot, value), Range) for value in values)


def _has_time(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(_has_time(end) for end in value.values() if end is not None)
    return is_moment(str(value)) or plainly(SlotSpec("x", "date"), value) is None


def told_of_number(found: Inferred, slot: SlotSpec, values: Sequence[Any]) -> SlotSpec:
    """The unit that the header names in brackets, and what is to be said of the type."""
    column = found.column
    if slot.type in ("integer", "number"):
        currency = currency_in(column)
        if currency is not None:
            found.doubts.append(
                f"may be money: then write {{type: money, unit: {currency}}}, as the header says"
            )
        elif hints(column, MONEY):
            found.doubts.append(
                "may be money; no currency is named: then write {type: money, unit: CNY} with the right one"
            )
        if {str(value).strip() for value in values} == {"0", "1"}:
            found.doubts.append("only 0 and 1: may be a boolean")
        if column.bracket and not column.bracket.isdigit():
            united = replace(slot, unit=column.bracket)
            if takes_all(united, values):
                if currency is None:
                    found.doubts.append(f"the unit is what the header has in brackets: {column.bracket}")
                return united
    if slot.type == "datetime" and not all(isinstance(v, str) and _zoned(v) for v in values):
        found.doubts.append("times without offset are taken in the offset of the record's time")
    if slot.type == "date" and all(isinstance(value, str) and value.strip().isdigit() for value in values):
        found.doubts.append("digits alone, read as dates for the header's sake")
    return slot


def _zoned(text: str) -> bool:
    return text.strip().endswith("Z") or "+" in text or text.count("-") == 3
