"""Precision against recall, a dot for each set of settings: where the dots and their labels stand."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from forms_dynamics.replay.report.charts import Mark, Tick, scale, ticks
from forms_dynamics.replay.report.numbers import figure, shown
from forms_dynamics.replay.report.words import Words

_MOST_DOTS = 400
_BOX = (60.0, 20.0, 604.0, 352.0)  # left, top, right, bottom of what is drawn against the scales


class Bubble(NamedTuple):
    """One set of settings; ``shade`` 0 to 4 by questions a turn."""

    x: float
    y: float
    r: float
    shade: int
    hollow: bool
    front: bool
    role: str | None
    title: str


@dataclass(frozen=True)
class ParetoPicture:
    """Precision (up) against recall (across)."""

    bubbles: tuple[Bubble, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    legend: tuple[tuple[float, int, str], ...]  # radius, shade, label
    named: tuple[Mark, ...]
    named_at: tuple[float, ...]
    left_out: int
    width: float = 620
    height: float = 396
    box: tuple[float, float, float, float] = _BOX


def pareto_picture(
    tried: Sequence[Mapping[str, Any]], settings_of: Callable[[Mapping[str, Any]], str], words: Words
) -> ParetoPicture | None:
    """The picture of all that was tried; dots that fall together are one, and inner ones may be left out."""
    measured = [
        c for c in tried
        if c["figures"].get("precision") is not None and c["figures"].get("recall") is not None
    ]  # fmt: skip
    if not measured:
        return None
    picked, left_out = _picked(measured)
    left, top, right, bottom = _BOX
    recalls = [c["figures"]["recall"] for c, _ in picked]
    precisions = [c["figures"]["precision"] for c, _ in picked]
    xs, ys = _room(recalls), _room(precisions)
    x_of, y_of = scale(xs[0], xs[-1], left, right), scale(ys[0], ys[-1], bottom, top)
    most = max((c["figures"].get("questions_per_turn") or 0.0) for c, _ in picked) or 1.0
    bubbles = []
    for found, more in picked:
        f = found["figures"]
        asked = f.get("questions_per_turn") or 0.0
        parts = [
            f"precision {figure('precision', f['precision'], words)}",
            f"recall {figure('recall', f['recall'], words)}",
            f"questions_per_turn {figure('questions_per_turn', f.get('questions_per_turn'), words)}",
            f"tokens {figure('tokens', f.get('tokens'), words)}",
        ]
        title = f"{settings_of(found['settings'])}\n{', '.join(parts)}" + (f"\n+{more}" if more else "")
        bubbles.append(Bubble(
            x_of(f["recall"]), y_of(f["precision"]), radius(asked / most), shade(asked / most),
            not found["allowed"], found["best"], found["role"], title,
        ))  # fmt: skip
    bubbles.sort(key=lambda b: (b.role is not None, b.front, -b.r))
    named, heights = _named(bubbles, words)
    return ParetoPicture(
        tuple(bubbles),
        tuple(Tick(x_of(x), f"{100 * x:.4g}") for x in xs),
        tuple(Tick(y_of(y), f"{100 * y:.4g}") for y in ys),
        tuple(
            (radius(part), shade(part), shown(most * part) if part else "0") for part in (0.0, 0.25, 0.5, 1.0)
        ),
        named,
        heights,
        left_out,
    )


def radius(part: float) -> float:
    """Of a dot whose questions are ``part`` of the most: the area grows with them."""
    return round(math.sqrt(12 + 110 * part), 1)


def shade(part: float) -> int:
    """The step of the colour ramp, 0 to 4."""
    return min(4, int(part * 4.999))


def _room(values: Sequence[float]) -> list[float]:
    low, high = min(values), max(values)
    pad = max((high - low) * 0.08, 0.004)
    return ticks(max(0.0, low - pad), min(1.0, high + pad), 5)


def _picked(measured: Sequence[Mapping[str, Any]]) -> tuple[list[tuple[Mapping[str, Any], int]], int]:
    """One for each place in the picture, with how many more stand there; those that matter are never left out."""
    places: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for found in measured:
        f = found["figures"]
        numbers = (f["recall"], f["precision"], f.get("questions_per_turn") or 0.0)
        place = (*(round(n, 4) for n in numbers), found["allowed"], found["best"], found["role"])
        places.setdefault(place, []).append(found)
    picked = [(group[0], len(group) - 1) for group in places.values()]
    matter = [p for p in picked if p[0]["best"] or p[0]["role"]]
    rest = [p for p in picked if not (p[0]["best"] or p[0]["role"])]
    room = max(0, _MOST_DOTS - len(matter))
    step = len(rest) / room if room and len(rest) > room else 1
    kept = [rest[int(n * step)] for n in range(min(len(rest), room))]
    return matter[: _MOST_DOTS * 2] + kept, len(rest) - len(kept)


def _named(bubbles: Sequence[Bubble], words: Words) -> tuple[tuple[Mark, ...], tuple[float, ...]]:
    """Labels of today's settings and the winner, kept apart where they stand close."""
    keys = {"today": "today", "winner": "chosen", "candidate": "candidate"}
    marks: list[Mark] = []
    heights: list[float] = []
    for bubble in bubbles:
        if bubble.role is None:
            continue
        anchor = "end" if bubble.x > 500 else "start"
        x = bubble.x + (-1 if anchor == "end" else 1) * (bubble.r + 6)
        y = bubble.y + 4
        for other, height in zip(marks, heights, strict=True):
            if abs(height - y) < 15 and abs(other.x - x) < 110:
                y = height + (16 if y >= height else -16)
        marks.append(Mark(x, words(keys[bubble.role]), bubble.role, anchor))
        heights.append(round(y, 1))
    return tuple(marks), tuple(heights)


__all__ = ["ParetoPicture", "pareto_picture"]
