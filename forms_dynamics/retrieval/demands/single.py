"""One or half of a unit as an amount: "over a kilo", "under half a metre", 一公斤以上, 不到半米."""

from __future__ import annotations

import re
from decimal import Decimal

from forms_dynamics.language.reading import Reading
from forms_dynamics.language.units import unit_behind
from forms_dynamics.model.value import Range

_EN = re.compile(
    r"\b(?:(?P<more>over|above|more than|at least|exceeding|no less than)|"
    r"(?P<less>under|below|less than|at most|up to|no more than|within)) "
    r"(?P<n>half an?|an?|one)(?: single)? (?=[a-z])(?! (?:week|month|year|day|hour))"
)
_ZH = re.compile(
    "(?:(?P<more>超过|大于|多于|高于|至少|不少于)|(?P<less>不到|小于|少于|低于|不超过|最多))?(?P<n>[半一两俩])个?(?=[\u4e00-\u9fff])"
)
_ZH_BEHIND = re.compile("(?P<more>以上|多)|(?P<less>以下|以内|之内)")
_SAID = {"半": "0.5", "一": "1", "两": "2", "俩": "2"}


def single_amounts(text: str) -> list[Reading]:
    """Bounds in one or half of a unit; nothing of what no unit stands behind, or of which no side is said."""
    out = []
    for found in _EN.finditer(text):
        if unit_behind(text, found.end()) is not None:
            amount = Decimal("0.5" if found["n"].startswith("half") else "1")
            out.append(_bound(found.start(), found.end() - 1, amount, bool(found["more"])))
    for found in _ZH.finditer(text):
        unit = unit_behind(text, found.end())
        if unit is None:
            continue
        behind = _ZH_BEHIND.match(text, unit[1])
        more = found["more"] or (behind and behind["more"])
        if more or found["less"] or (behind and behind["less"]):
            end = behind.end() if behind else found.end()
            out.append(_bound(found.start(), end, Decimal(_SAID[found["n"]]), bool(more)))
    return out


def _bound(start: int, end: int, amount: Decimal, more: bool) -> Reading:
    return Reading(start, end, Range(amount, None) if more else Range(None, amount), kind="number")


__all__ = ["single_amounts"]
