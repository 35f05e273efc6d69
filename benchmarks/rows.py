"""Rows of a benchmark: printing and the JSON form that other tools read."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

_WIDE = 200  # characters


@dataclass(frozen=True)
class Row:
    """One figure of one system on one set; ``n`` is the number of measurements behind it."""

    set: str
    system: str
    figure: str
    value: float | None
    n: int
    note: str = ""


def interval(right: int, n: int) -> str:
    """Wilson's interval at 95 %, as text; a dash without measurements."""
    if n == 0:
        return "–"
    z, p = 1.959964, right / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"[{max(0.0, middle - half):.3f}, {min(1.0, middle + half):.3f}]"


def write_json(name: str, rows: Sequence[Row], file: Path) -> None:
    """``{"benchmark": NAME, "rows": [{"set", "system", "figure", "value", "n", "note"}]}``."""
    data = {"benchmark": name, "rows": [asdict(row) for row in rows]}
    file.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def print_table(name: str, rows: Sequence[Row]) -> None:
    """One line a figure, one column a set and system; a table a set where one would be too wide."""
    sets = list(dict.fromkeys(row.set for row in rows))
    if len(sets) > 1 and sum(len(f"{s} {y}") + 2 for s, y in {(r.set, r.system) for r in rows}) > _WIDE:
        for one in sets:
            print_table(name, [row for row in rows if row.set == one])
            print()
        return
    columns = list(dict.fromkeys((row.set, row.system) for row in rows))
    figures = list(dict.fromkeys(row.figure for row in rows))
    values = {(row.set, row.system, row.figure): row.value for row in rows}
    heads = [f"{system} {set_}" for set_, system in columns]
    width = max((len(figure) for figure in figures), default=10)
    widths = [max(len(head), 9) for head in heads]
    print(name.ljust(width), *(h.rjust(w) for h, w in zip(heads, widths, strict=True)), sep="  ")
    for figure in figures:
        cells = [_cell(values.get((s, system, figure))) for s, system in columns]
        print(figure.ljust(width), *(c.rjust(w) for c, w in zip(cells, widths, strict=True)), sep="  ")
    for note in dict.fromkeys(f"{row.set}: {row.note}" for row in rows if row.note):
        print(f"  {note}")


def _cell(value: float | None) -> str:
    if value is None:
        return "-"
    if value == int(value) and abs(value) >= 10:
        return f"{int(value):,}"
    return f"{value:,.2f}" if abs(value) >= 10 else f"{value:.3f}"
