"""Constraints as the pictures and verdicts need them: a figure, a sign and a number."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

_SIGNS: Mapping[str, Callable[[float, float], bool]] = {
    "<=": operator.le, ">=": operator.ge, "==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
_BOUND = re.compile(r"\s*([a-z_0-9]+)\s*(<=|>=|==|!=|<|>)\s*([0-9.]+(?:e-?[0-9]+)?)\s*")


def bounds(constraints: Sequence[str]) -> dict[str, float]:
    """Figure to the number that a constraint sets for it, where it sets one."""
    return {found[1]: float(found[3]) for found in _read(constraints)}


def unmet(constraints: Sequence[str], figures: Mapping[str, float | None]) -> list[str]:
    """Constraints that the figures do not keep; one whose figure was not measured is not kept."""
    return [
        found[0].strip()
        for found in _read(constraints)
        if (value := figures.get(found[1])) is None or not _SIGNS[found[2]](value, float(found[3]))
    ]


def _read(constraints: Iterable[str]) -> list[re.Match[str]]:
    return [found for text in constraints if (found := _BOUND.fullmatch(text))]


__all__ = ["bounds", "unmet"]
