"""Where the marks of a curve stand: scales, ticks, lines and bands, in the units of its view box."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from forms_dynamics.replay.conditions import Condition
from forms_dynamics.replay.report.numbers import between, figure, same, share, value_text
from forms_dynamics.replay.report.words import Words

WIDTH, LEFT, RIGHT = 460, 50, 16
_SHARES = (34, 184)  # top and bottom of the panel of shares
_AMOUNTS = (218, 274)  # and of that of questions a turn
_ASIDE = 13  # between the marks of two figures over one category
_TICK_GAP = 38  # between labels on the axis of values


class Tick(NamedTuple):
    """A place on an axis and what stands there."""

    at: float
    label: str


class Dot(NamedTuple):
    """One point; ``hollow``: it breaks a constraint. ``title`` is its tooltip."""

    x: float
    y: float
    hollow: bool
    title: str


class Series(NamedTuple):
    """A figure's line and band as SVG paths; ``style`` names its colour and mark. Categories have no line, and
    their marks stand side by side."""

    name: str
    style: str
    line: str
    band: str
    dots: tuple[Dot, ...]


class Panel(NamedTuple):
    """One scale with what is drawn against it. ``bounds``: heights of the constraints on its figures."""

    top: float
    bottom: float
    ticks: tuple[Tick, ...]
    series: tuple[Series, ...]
    bounds: tuple[Tick, ...]


class Mark(NamedTuple):
    """A value of today's or the chosen settings: an upright line with a label."""

    x: float
    label: str
    style: str
    anchor: str


@dataclass(frozen=True)
class CurvePicture:
    """A curve card's picture."""

    height: float
    panels: tuple[Panel, ...]
    ticks: tuple[Tick, ...]
    marks: tuple[Mark, ...]
    legend: tuple[tuple[str, str], ...]  # (figure, style)
    width: float = WIDTH


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers from at or below ``low`` to at or above ``high``, at most ``most`` + 2 of them."""
    if high <= low:
        high = low + (abs(low) * 0.1 or 0.1)
    raw = (high - low) / most
    power = 10 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= raw * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(n * step, 12) for n in range(first, last + 1)]


def scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    """Maps [low, high] onto [start, end]."""
    span = (high - low) or 1.0
    return lambda value: round(start + (value - low) / span * (end - start), 1)


def pictured_figures(curve: Mapping[str, Any], objective: str) -> list[str]:
    """Precision, recall, the objective and questions a turn; where the gate's figures do not move but those of
    recall do, answers and tokens stand in for them."""

    def moves(name: str) -> bool:
        return len({(p["figures"].get(name) or {}).get("value") for p in curve["points"]}) > 1

    names = ["precision", "recall", objective, "questions_per_turn"]
    if not any(map(moves, names)) and any(map(moves, ("answer_accuracy", "multi_hop_accuracy", "tokens"))):
        names = ["answer_accuracy", "multi_hop_accuracy", objective, "tokens"]
    return list(dict.fromkeys(names))


def curve_picture(
    curve: Mapping[str, Any], names: Sequence[str], constraints: Sequence[str], begin: str, words: Words
) -> CurvePicture | None:
    """The picture of a curve of the figures ``names``: shares against one scale, amounts against another below;
    ``begin``: the key of the text at the value that all began with. None where nothing was measured."""
    points = curve["points"]
    across, labels = _across(curve, words)
    upper = [n for n in names if share(n) and _measured(points, n)]
    lower = [n for n in names if not share(n) and _measured(points, n)]
    groups = [(group, place) for group, place in ((upper, _SHARES), (lower, _AMOUNTS)) if group]
    if not groups:
        return None
    if len(groups) == 1:
        groups = [(groups[0][0], _SHARES)]
    limits = {c.figure: c.number for c in map(Condition.parse, constraints)}
    joined = curve["scale"] == "numeric"
    panels = tuple(
        _panel(points, across, group, place, names, limits, joined, words) for group, place in groups
    )
    return CurvePicture(
        height=panels[-1].bottom + 24,
        panels=panels,
        ticks=tuple(labels),
        marks=tuple(_marks(curve, across, begin, words)),
        legend=tuple((n, _style(n, names)) for n in names if _measured(points, n)),
    )


def _measured(points: Sequence[Mapping[str, Any]], name: str) -> bool:
    return any((p["figures"].get(name) or {}).get("value") is not None for p in points)


def _style(name: str, names: Sequence[str]) -> str:
    """a, b and c: shares in their order; d: amounts."""
    return "d" if not share(name) else "abc"[[n for n in names if share(n)].index(name)]


def _across(curve: Mapping[str, Any], words: Words) -> tuple[list[float], list[Tick]]:
    """Where each point stands: numbers to scale, anything else side by side."""
    values = [p["value"] for p in curve["points"]]
    left, right = LEFT + 14, WIDTH - RIGHT - 14
    if curve["scale"] == "numeric" and min(values) < max(values):
        to = scale(min(values), max(values), left, right)
        xs = [to(value) for value in values]
    else:
        gap = (right - left) / len(values)
        xs = [round(left + gap * (n + 0.5), 1) for n in range(len(values))]
    shown_ticks: list[Tick] = []
    room = max(_TICK_GAP, *(7.0 * _width(value_text(v, words)[:16]) for v in values))
    if curve["scale"] != "numeric":
        room = 0
    keep = {n for n, v in enumerate(values) if same(v, curve["today"]) or same(v, curve["chosen"])}
    order = sorted(range(len(xs)), key=lambda n: (n not in keep, n not in (0, len(xs) - 1), n))
    for n in order:
        if all(abs(xs[n] - other.at) >= room for other in shown_ticks):
            label = value_text(values[n], words)
            shown_ticks.append(Tick(xs[n], label if len(label) <= 16 else label[:15] + "…"))
    return xs, sorted(shown_ticks)


def _width(text: str) -> float:
    """Letters that a text is wide; a Chinese character is two."""
    return sum(1.0 if ord(ch) < 0x2E80 else 1.8 for ch in text)


def _panel(
    points: Sequence[Mapping[str, Any]],
    across: Sequence[float],
    names: Sequence[str],
    place: tuple[float, float],
    every: Sequence[str],
    limits: Mapping[str, float],
    joined: bool,
    words: Words,
) -> Panel:
    top, bottom = place
    ends = [
        end for p in points for n in names for end in (p["figures"].get(n) or {}).values() if end is not None
    ]
    ends += [limits[n] for n in names if n in limits]
    low, high = min(ends), max(ends)
    if share(names[0]):
        pad = max((high - low) * 0.06, 0.004)
        steps = ticks(max(0.0, low - pad), min(1.0, high + pad), 4)
    else:
        steps = ticks(0.0, high or 1.0, 2)
    up = scale(steps[0], steps[-1], bottom, top)
    of_whole = 100 if share(names[0]) else 1
    return Panel(
        top,
        bottom,
        tuple(Tick(up(step), f"{of_whole * step:.4g}") for step in steps),
        tuple(
            _series(points, across, n, _style(n, every), up, words)
            if joined
            else _series(
                points,
                [x + _ASIDE * (at - (len(names) - 1) / 2) for x in across],
                n,
                _style(n, every),
                up,
                words,
                joined=False,
            )
            for at, n in enumerate(names)
        ),
        tuple(Tick(up(limits[n]), n) for n in names if n in limits),
    )


def _series(
    points: Sequence[Mapping[str, Any]],
    across: Sequence[float],
    name: str,
    style: str,
    up: Callable[[float], float],
    words: Words,
    joined: bool = True,
) -> Series:
    """A line breaks where nothing was measured; a band stands where there is an interval."""
    line: list[str] = []
    dots: list[Dot] = []
    runs: list[list[tuple[float, float, float]]] = [[]]
    pen = "M"
    for x, point in zip(across, points, strict=True):
        found = point["figures"].get(name) or {}
        value = found.get("value")
        if value is None:
            pen = "M"
            runs.append([])
            continue
        line.append(f"{pen}{x:g} {up(value):g}")
        pen = "L"
        about = between(name, found, words)
        text = f"{value_text(point['value'], words)}: {name} {figure(name, value, words)}"
        dots.append(Dot(x, up(value), not point["allowed"], f"{text} ({about})" if about else text))
        if found.get("low") is not None and found.get("high") is not None:
            runs[-1].append((x, up(found["low"]), up(found["high"])))
        if not joined:
            runs.append([])
    bands = []
    for run in runs:
        if len(run) == 1:  # one point alone: a short upright bar
            x, low, high = run[0]
            run = [(x - 3, low, high), (x + 3, low, high)]
        if run:
            there = "L".join(f"{x:g} {high:g}" for x, _, high in run)
            back = "L".join(f"{x:g} {low:g}" for x, low, _ in reversed(run))
            bands.append(f"M{there}L{back}Z")
    return Series(name, style, "".join(line) if joined else "", "".join(bands), tuple(dots))


def _marks(curve: Mapping[str, Any], across: Sequence[float], begin: str, words: Words) -> list[Mark]:
    values = [p["value"] for p in curve["points"]]
    out: list[Mark] = []

    def mark(value: Any, key: str, style: str) -> None:
        for x, other in zip(across, values, strict=True):
            if same(value, other):
                text = words(key)
                half = 3.6 * _width(text)
                anchor = "start" if x - half < LEFT else "end" if x + half > WIDTH - RIGHT else "middle"
                out.append(Mark(x, text, style, anchor))
                return

    if curve["chosen"] is not None and same(curve["today"], curve["chosen"]):
        mark(curve["today"], "today_and_chosen", "chosen")
        return out
    mark(curve["today"], begin, "today")
    if curve["chosen"] is not None:
        mark(curve["chosen"], "chosen", "chosen")
    return out


__all__ = ["CurvePicture", "Tick", "curve_picture", "pictured_figures", "scale", "ticks"]
