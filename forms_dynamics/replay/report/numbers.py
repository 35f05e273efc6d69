"""How figures, differences and setting values read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from forms_dynamics.replay.report.words import Words

_AMOUNTS = frozenset({"tokens", "questions_per_turn"})  # all other figures are shares of a whole
NOTHING = "—"


def share(name: str) -> bool:
    """Whether a figure is a share of a whole, read in per cent."""
    return name not in _AMOUNTS


def shown(number: float) -> str:
    """A count or an amount: thousands marked, no more digits than mean something."""
    if isinstance(number, int) or abs(number) >= 100 or number == 0:
        return f"{number:,.0f}"
    return f"{number:.1f}" if abs(number) >= 10 else f"{number:.2f}" if abs(number) >= 1 else f"{number:.3f}"


def figure(name: str, value: float | None, words: Words) -> str:
    """A figure as a person reads it: shares in per cent."""
    if value is None:
        return NOTHING
    if not share(name):
        return shown(value)
    return f"{100 * value:.1f}" + ("%" if words.lang == "zh" else " %")


def change(name: str, value: float | None, words: Words) -> str:
    """A difference with its sign: shares in percentage points."""
    if value is None:
        return NOTHING
    return words("points", n=_signed(name, value)) if share(name) else _signed(name, value)


def _signed(name: str, value: float) -> str:
    amount = f"{100 * abs(value):.1f}" if share(name) else shown(float(abs(value)))
    return ("" if not amount.strip("0.,") else "+" if value > 0 else "−") + amount


def between(name: str, given: Mapping[str, float | None] | None, words: Words) -> str:
    """The ends of an interval, without units; "" where there is none."""
    if given is None or given["low"] is None or given["high"] is None:
        return ""
    low, high = given["low"], given["high"]
    if share(name):
        return f"{100 * low:.1f}–{100 * high:.1f}"
    return f"{shown(low)}–{shown(high)}"


def change_between(name: str, given: Mapping[str, float | None] | None) -> str:
    """The ends of the interval of a difference, with signs and without units; "" where there is none."""
    if given is None or given["low"] is None or given["high"] is None:
        return ""
    return f"{_signed(name, given['low'])} … {_signed(name, given['high'])}"


def interval_text(name: str, given: Mapping[str, float | None], words: Words) -> str:
    """The interval of a difference, named as such, or that there is none."""
    ends = change_between(name, given)
    return words("interval", ends=ends) if ends else words("interval_none")


def value_text(value: Any, words: Words) -> str:
    """A setting's value: numbers short, switches as yes and no, nothing as a word."""
    if value is None:
        return words("none")
    if isinstance(value, bool):
        return words("yes" if value else "no")
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) >= 10_000 else str(value)
    return str(value)


def same(one: Any, other: Any) -> bool:
    """Whether two setting values are one: 1 and 1.0 are, 1 and True are not."""
    return isinstance(one, bool) == isinstance(other, bool) and one == other


__all__ = [
    "NOTHING", "between", "change", "change_between", "figure", "interval_text", "same", "share", "shown",
    "value_text",
]  # fmt: skip
