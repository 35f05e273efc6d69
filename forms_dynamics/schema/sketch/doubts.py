"""Why a column stayed text: which type nearly fits, and the cell that it does not take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from forms_dynamics.schema.coerce import coerce
from forms_dynamics.schema.sketch.amounts import commonest, currencies_in
from forms_dynamics.schema.sketch.columns import Inferred
from forms_dynamics.schema.sketch.kinds import KINDS
from forms_dynamics.schema.sketch.plain import DAYS, distinct, plainly
from forms_dynamics.schema.spec import SlotSpec


def why_text(found: Inferred, cells: Sequence[tuple[int, Any]]) -> None:
    """Which type nearly fits, and the cell that it does not take; what no text can hold."""
    name = found.column.name
    rows: dict[Any, int] = {}  # different value → the first row that has it
    for number, value in cells:
        rows.setdefault(distinct(value), number)
    sample = list(rows.items())[:50]
    text = SlotSpec(name, "text")
    bad = [number for value, number in rows.items() if plainly(text, value) is None]
    if bad:
        found.doubts.append(f"row {bad[0]} holds what no text may hold: mend it before it is recorded")
    if all(isinstance(value, str) and value.strip().isdigit() for value, _ in sample):
        found.doubts.append("digits alone, kept as text: a code may begin with 0 or hold letters")
        return
    for kind in (*KINDS, "money"):
        slot = SlotSpec(
            name, kind, unit=commonest(currencies_in([v for v, _ in sample])) if kind == "money" else None
        )
        taken = [
            value for value, _ in sample if not isinstance(value, bool) and plainly(slot, value) is not None
        ]
        if len(taken) * 2 > len(sample) and len(taken) < len(sample):
            other, number = next((v, n) for v, n in sample if v not in taken)
            shown = repr(other) if len(repr(other)) <= 40 else repr(other)[:37] + "…'"
            found.doubts.append(
                f"mixed: {len(taken)} of {len(sample)} different values read as {kind}, not {shown} (row {number}); "
                "kept as text"
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
