"""Whether of several conditions all must hold or one: "urgent and closed", "closed or overdue", 已完成和逾期的."""

from __future__ import annotations

import re
from collections.abc import Sequence

from forms_dynamics.retrieval.demands.draft import Condition
from forms_dynamics.retrieval.restriction import Among, During, Either, Known, Single, Test, Within

# what makes two conditions alternatives; without one they both hold, as far as they can
_EITHER = re.compile(r"\bor\b|或|要么|^(?:了?的)\s*(?:和|以及|及|与|跟|还有|、|,|，)")
_MOST_BETWEEN = 24  # characters: an "or" farther off joins something else


def joined(text: str, conditions: Sequence[Condition]) -> tuple[Test, ...]:
    """The tests that all must hold. Conditions that ``text`` names as alternatives, or that no value can meet
    together (completed and overdue, due in June and August), are met where one of them is."""
    groups: list[list[Condition]] = []
    for condition in sorted(conditions, key=lambda c: c.span):
        last = groups[-1][-1] if groups else None
        if last is not None and _alternative(text, last, condition):
            groups[-1].append(condition)
            continue
        against = next((g for g in groups if any(_excludes(c, condition) for c in g)), None)
        if against is None:
            groups.append([condition])
        else:
            against.append(condition)
    out: list[Test] = []
    for group in groups:
        if len(group) == 1:
            out += group[0].tests
        else:
            out.append(Either(tuple(condition.tests for condition in group)))
    return tuple(out)


def _alternative(text: str, one: Condition, other: Condition) -> bool:
    between = text[one.span[1] : other.span[0]]
    return len(between) <= _MOST_BETWEEN and _EITHER.search(between) is not None


def _excludes(one: Condition, other: Condition) -> bool:
    return any(_apart(a, b) for a in one.tests for b in other.tests)


def _apart(one: Single, other: Single) -> bool:
    """Whether no value meets both."""
    match one, other:
        case Among(a, values), Among(b, others):
            return a == b and values.isdisjoint(others)
        case During(a, first, last), During(b, begin, end):
            return a == b and (
                (last is not None and begin is not None and last < begin)
                or (end is not None and first is not None and end < first)
            )
        case Within(a, low, high), Within(b, least, most):
            return a == b and (
                (high is not None and least is not None and high < least)
                or (most is not None and low is not None and most < low)
            )
        case Known(a, known), Known(b, also):
            return a == b and known != also
        case (Known(a, False), Within(b) | During(b) | Among(b)) | (
            Within(b) | During(b) | Among(b),
            Known(a, False),
        ):
            return a == b
    return False


__all__ = ["joined"]
