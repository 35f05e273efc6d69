"""Columns whose cells hold several values: JSON lists, and texts with 、 ; or | between the items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from forms_dynamics.language.nulls import null_like
from forms_dynamics.schema.compare import key_text
from forms_dynamics.schema.sketch.amounts import as_money
from forms_dynamics.schema.sketch.columns import Column, Inferred, is_blank
from forms_dynamics.schema.sketch.kinds import KINDS, LONG, STRONG, as_choice, fits
from forms_dynamics.schema.sketch.plain import plainly
from forms_dynamics.schema.spec import SlotSpec
from forms_dynamics.schema.values.lists import split_list


def is_parted(values: Sequence[Any]) -> bool:
    """Texts of which some are lists by 、 ; or |, and none is parted by anything else."""
    if not all(isinstance(value, str) for value in values):
        return False
    parted = [value for value in values if STRONG & set(value)]
    if len(parted) * 4 < len(values):
        return False
    for value in values:
        pieces = [value]
        for mark in STRONG:
            pieces = [part.strip() for piece in pieces for part in piece.split(mark)]
        if [p for p in pieces if p] != split_list(value, "text") or any(len(p) > LONG for p in pieces):
            return False
    return True


def listed(found: Inferred) -> None:
    """A column of JSON lists."""
    cells = found.column.cells
    items = [item for _, value in cells for item in (value if isinstance(value, list) else [value])]
    nested = [
        item
        for item in items
        if isinstance(item, list) or (isinstance(item, Mapping) and not is_one_value(item))
    ]
    if nested:
        found.doubts.append(
            "a list of objects is a Form type of its own: write those objects to a file of rows and make one of it"
        )
        return
    found.slot = of_items(found, [item for item in items if not is_blank(item)], many=True)
    for number, value in cells:
        if isinstance(value, str) and split_list(value, found.slot.type) != [value.strip()]:
            found.doubts.append(f"row {number} is one text among lists and will be parted: {value!r}")
            break


def is_one_value(item: Mapping[str, Any]) -> bool:
    return any(plainly(SlotSpec("x", kind), item) is not None for kind in ("money", "number", "date_range"))


def of_items(found: Inferred, values: Sequence[Any], many: bool) -> SlotSpec:
    """The slot of many values, its type told by the single ones."""
    column = found.column
    if all(isinstance(value, str) for value in values):
        pieces = [piece for value in values for piece in split_list(value, "text")]
        if not any(isinstance(value, list) for _, value in column.cells):
            values = pieces
    items = Column(column.path, column.name, column.bracket, [(0, value) for value in values])
    inner = Inferred(items, None)
    slot = as_choice(inner, values) or _typed_items(inner, values)
    found.doubts += [doubt for doubt in inner.doubts if "cell" not in doubt]
    for number, value in column.cells:
        if isinstance(value, list) and len({key_text(slot, str(v)) for v in value}) < len(value):
            found.doubts.append(f"row {number} has a value twice: a slot holds it once")
            break
    return replace(slot, many=many)


def _typed_items(inner: Inferred, values: Sequence[Any]) -> SlotSpec:
    values = [value for value in values if not null_like(value)]
    if values and (slot := as_money(inner, values)) is not None:
        return slot
    for kind in KINDS if values else ():
        if fits(inner.column, SlotSpec(inner.column.name, kind), values):
            return SlotSpec(inner.column.name, kind)
    return SlotSpec(inner.column.name, "text")
