"""Which of a type's values are said of one thing, where a message names several; parts of one list are one value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from forms_dynamics.extraction.found import Found
from forms_dynamics.extraction.lexicon import Slot, names_alone
from forms_dynamics.language.normal import normal


def says_which(slot: Slot) -> bool:
    """Whether the slot names the thing in words; a phone number identifies, but it is a fact like any other."""
    return slot.naming and slot.spec.type in ("text", "ref")


def by_thing(items: list[tuple[Slot, Found]]) -> list[list[tuple[Slot, Found]]]:
    """Values grouped by the firm that they are said of, when the message names several for one type."""
    firms = sorted({f.start: f.value for s, f in items if s.kind == "company"}.items())
    if len({value for _, value in firms}) < 2:
        return _by_name(items)
    groups: dict[int, list[tuple[Slot, Found]]] = {start: [] for start, _ in firms}
    for slot, item in items:
        before = [start for start, _ in firms if start <= item.start]
        groups[before[-1] if before else firms[0][0]].append((slot, item))
    return [_unique(group) for group in groups.values()]


def _by_name(items: list[tuple[Slot, Found]]) -> list[list[tuple[Slot, Found]]]:
    """订单A1金额10元，订单A2金额20元: what stands behind each name is said of it, where it is said of each."""
    names = sorted(
        {
            f.start: normal(str(f.value))
            for s, f in items
            if says_which(s) and names_alone(s.type, s.spec) and not f.correction
        }.items()
    )
    if len({value for _, value in names}) < 2:
        return [_unique(items)]
    groups: dict[str, list[tuple[Slot, Found]]] = {value: [] for _, value in names}
    for slot, item in items:
        before = [value for start, value in names if start <= item.start]
        groups[before[-1] if before else names[0][1]].append((slot, item))
    if not all(any(not says_which(slot) for slot, _ in group) for group in groups.values()):
        return [_unique(items)]
    return [_unique(group) for group in groups.values()]


def merged(items: list[tuple[Slot, Found]]) -> Iterator[tuple[Slot, Found]]:
    """不吃辣，也不喝咖啡: what is added to (or kept from) one list is one value of several parts."""
    lists: dict[tuple[str, bool, str | None, Any], Found] = {}
    for slot, item in items:
        if not slot.spec.many or not isinstance(item.value, list):
            yield slot, item
            continue
        key = (slot.spec.name, item.negated, item.op, item.valid_until)
        if (first := lists.get(key)) is None:
            lists[key] = item = replace(item, value=list(item.value))
            continue
        first.value.extend(v for v in item.value if v not in first.value)
        first.low, first.high = min(first.low, item.low), max(first.high, item.high)
        first.start, first.end = min(first.start, item.start), max(first.end, item.end)
    by_name = {slot.spec.name: slot for slot, _ in items}
    yield from ((by_name[name], item) for (name, *_), item in lists.items())


def _unique(items: list[tuple[Slot, Found]]) -> list[tuple[Slot, Found]]:
    """One mention of the firm, the surest, and the rest as it is."""
    # 订单金额 is the order's before 单价, which may be anything's
    ordered = sorted(items, key=lambda pair: (not pair[1].firm, -pair[1].confidence, pair[1].start))
    return sorted(ordered, key=lambda pair: (not pair[0].naming, pair[1].negated, 0))


__all__ = ["by_thing", "merged", "says_which"]
