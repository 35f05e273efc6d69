"""What the columns of a sample of rows are: the type of each slot, and what makes two rows the same thing.

A column is of a type when that type's reader takes every cell of it plainly (:mod:`.plain`); else it is text,
which keeps any words. What rests on a guess is said as a doubt.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from forms_dynamics.language.normal import normal
from forms_dynamics.language.nulls import null_like
from forms_dynamics.schema.coerce import coerce
from forms_dynamics.schema.compare import key_text
from forms_dynamics.schema.sketch.amounts import as_money, commonest, currencies_in
from forms_dynamics.schema.sketch.columns import (
    CODE,
    MAX_NESTING,
    Column,
    Inferred,
    columns_of,
    hints,
    is_blank,
    leaves,
)
from forms_dynamics.schema.sketch.kinds import KINDS, as_choice, as_flag, fits, told_of_number
from forms_dynamics.schema.sketch.lists import is_one_value, is_parted, listed, of_items
from forms_dynamics.schema.sketch.plain import DAYS, plainly
from forms_dynamics.schema.spec import Identity, SlotSpec

_LONG_KEY = 60  # what is longer is no name of a thing


@dataclass(slots=True)
class Sample:
    """What a sample of rows is, as far as it tells."""

    rows: int
    columns: Sequence[Inferred]
    identity: Identity
    doubts: list[str] = field(default_factory=list)  # of the identity

    @property
    def slots(self) -> dict[str, SlotSpec]:
        return {item.slot.name: item.slot for item in self.columns if item.slot is not None}

    def record(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """A row as ``Memory.record`` takes it: by slot, flattened, without cells that say nothing."""
        by_path = {item.column.path: item.slot for item in self.columns if item.slot is not None}
        found: dict[str, Any] = {}
        for path, value in leaves(row):
            slot = by_path.get(path)
            if slot is not None and not _says_nothing(slot, value):
                found[slot.name] = {"value": value} if isinstance(value, Mapping) else value
        return found


def infer(rows: Iterable[Mapping[str, Any]]) -> Sample:
    """The slots and the identity that fit ``rows``. InvalidInput for rows without or with too many columns."""
    kept = list(rows)
    columns = [_column(column) for column in columns_of(kept)]
    sample = Sample(len(kept), columns, Identity(keys=(), each=True))
    _aliases(columns)
    _identify(sample, kept)
    return sample


def _says_nothing(slot: SlotSpec, value: Any) -> bool:
    if is_blank(value):
        return True
    # a text would keep the words, but in a table N/A and 无 say that nothing is known
    return null_like(value) and (slot.type not in ("enum", "boolean") or plainly(slot, value) is None)


def _column(column: Column) -> Inferred:
    found = Inferred(column, None)
    cells = column.cells
    if not cells:
        found.slot = SlotSpec(column.name, "text")
        found.doubts.append("no row has a value: the type is a guess")
        return found
    if any(isinstance(value, list) for _, value in cells):
        listed(found)
        return _without_objects(found)
    if any(isinstance(value, Mapping) and not is_one_value(value) for _, value in cells):
        found.doubts.append(f"nested more than {MAX_NESTING} deep: lift what matters to the top of the row")
        return found
    slot = as_flag(column) or as_choice(found, [v for _, v in cells])
    if slot is None:
        said = [(n, value) for n, value in cells if not null_like(value)]
        empty = [value for _, value in cells if null_like(value)]
        if empty:
            shown = "、".join(sorted({str(value) for value in empty})[:3])
            found.doubts.append(f"{_cells(len(empty))} nothing ({shown}): such a cell is left out")
        slot = _typed(found, said) if said else SlotSpec(column.name, "text")
        if not said:
            found.doubts.append("no row has a value: the type is a guess")
    found.slot = slot
    return _without_objects(found)


def _without_objects(found: Inferred) -> Inferred:
    """A text holds no objects: a column of both is for its owner to mend."""
    if found.slot is not None and found.slot.type == "text":
        for number, value in found.column.cells:
            if any(isinstance(item, Mapping) for item in (value if isinstance(value, list) else [value])):
                found.slot = None
                found.doubts = [
                    f"row {number} has an object where other rows have words: make all of one kind"
                ]
                break
    return found


def _cells(count: int) -> str:
    return f"{count} cell{' says' if count == 1 else 's say'}"


def _typed(found: Inferred, cells: Sequence[tuple[int, Any]]) -> SlotSpec:
    """The narrowest type whose reader takes every cell."""
    column, name = found.column, found.column.name
    values = [value for _, value in cells]
    slot = as_money(found, values)
    if slot is not None:
        return slot
    for kind in KINDS:
        if fits(column, SlotSpec(name, kind), values):
            return told_of_number(found, SlotSpec(name, kind), values)
    if is_parted(values):
        return of_items(found, values, many=True)
    _why_text(found, cells)
    return SlotSpec(name, "text")


def _why_text(found: Inferred, cells: Sequence[tuple[int, Any]]) -> None:
    """Which type nearly fits, and the cell that it does not take; what no text can hold."""
    name = found.column.name
    rows: dict[str, tuple[Any, int]] = {}  # different value → the first row that has it
    for number, value in cells:
        rows.setdefault(repr(value), (value, number))
    sample = list(rows.values())[:50]
    text = SlotSpec(name, "text")
    bad = [number for value, number in rows.values() if plainly(text, value) is None]
    if bad:
        found.doubts.append(f"row {bad[0]} holds what no text may hold: mend it before it is recorded")
    if all(isinstance(value, str) and value.strip().isdigit() for value, _ in sample):
        found.doubts.append("digits alone, kept as text: a code may begin with 0 or hold letters")
        return
    for kind in (*KINDS, "money"):
        slot = SlotSpec(
            name, kind, unit=commonest(currencies_in([v for v, _ in sample])) if kind == "money" else None
        )
        refused = [(v, n) for v, n in sample if isinstance(v, bool) or plainly(slot, v) is None]
        if refused and len(refused) * 2 < len(sample):
            other, number = refused[0]
            shown = repr(other) if len(repr(other)) <= 40 else repr(other)[:37] + "…'"
            found.doubts.append(
                f"mixed: {len(sample) - len(refused)} of {len(sample)} different values read as {kind}, "
                f"not {shown} (row {number}); kept as text"
            )
            return
    if len({type(value) for value, _ in sample} - {int, float}) > 1 or (
        any(not isinstance(v, str) for v, _ in sample) and any(isinstance(v, str) for v, _ in sample)
    ):
        found.doubts.append("mixed: kept as text")
    for value, number in sample:
        if isinstance(value, str) and coerce(SlotSpec(name, "date"), value, DAYS[0]).candidates:
            found.doubts.append(
                f"{value!r} (row {number}) may be two dates: write 2026-03-04, or make it a date and set date_order"
            )
            return


def _aliases(columns: Sequence[Inferred]) -> None:
    """The original headers as aliases, unless a word would stand for two slots."""
    taken = {normal(item.slot.name) for item in columns if item.slot is not None}
    for item in columns:
        slot, column = item.slot, item.column
        if slot is None:
            continue
        words: list[str] = []
        own = normal(slot.name)
        for word in dict.fromkeys((column.label, column.header.strip())):
            # of a header with its unit, the short word is how the slot is called
            needed = word != slot.name or column.bracket
            free = normal(word) == own or normal(word) not in taken
            if needed and free and word.isprintable() and 0 < len(word) <= 80:
                words.append(word)
                taken.add(normal(word))
        item.slot = replace(slot, aliases=tuple(words))


def _identify(sample: Sample, rows: Sequence[Mapping[str, Any]]) -> None:
    """The first column that every row has and no two rows share; codes before contacts before names."""
    records = list({repr(record): record for record in map(sample.record, rows) if record}.values())
    ranked: list[tuple[int, int, str]] = []
    for place, item in enumerate(sample.columns):
        slot = item.slot
        if slot is None or slot.many or slot.type not in ("text", "integer", "phone", "email", "url"):
            continue
        hinted = hints(item.column, CODE) and slot.type in ("text", "integer")
        if slot.type == "integer" and not hinted:
            continue
        keys = [key_text(slot, plainly(slot, record[slot.name])) for record in records if slot.name in record]
        if (
            records
            and len(keys) == len(records)
            and len(set(keys)) == len(keys)
            and all(len(key) <= _LONG_KEY for key in keys)
        ):
            rank = 0 if hinted else 1 if slot.type in ("phone", "email", "url") else 2
            ranked.append((rank, place, slot.name))
    ranked.sort()
    if not ranked:
        sample.doubts.append(
            "no column is complete and different in every row: each row is a Form of its own"
        )
        return
    rank, _, name = ranked[0]
    sample.identity = Identity(keys=((name,),))
    if rank == 2 or len(records) < 3:
        sample.doubts.append(f"{name} is different in every row of the sample: is it so in all?")
    others = [other for _, _, other in ranked[1:] if other != name]
    if others:
        sample.doubts.append(f"different in every row, too: {', '.join(others)}")
