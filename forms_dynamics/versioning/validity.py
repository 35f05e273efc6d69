"""From when until when: other ends for many values or edges at once.

An end is so many days after the own beginning of each, a moment, or none. A value with another end is said again as
it was, with its source, its words and the time at which they were said: nothing about it becomes newer or surer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from forms_dynamics.assertions import segments, with_end
from forms_dynamics.errors import InvalidInput
from forms_dynamics.model.record import EdgeRecord
from forms_dynamics.model.value import MOST_DAYS, days_after
from forms_dynamics.strength import begins as edge_begins
from forms_dynamics.versioning.decide import Decider
from forms_dynamics.versioning.workspace import Working

CAUSE = "validity"


@dataclass(frozen=True, slots=True)
class End:
    """``days`` after the beginning, or ``until`` (microseconds); neither: open."""

    days: float | None = None
    until: int | None = None

    def __post_init__(self) -> None:
        if self.days is not None and self.until is not None:
            raise InvalidInput("validity ends after days or at until, not both; leave out one")
        if self.days is None:
            return
        number = isinstance(self.days, (int, float)) and not isinstance(self.days, bool)
        if not number or not 0 < self.days <= MOST_DAYS:
            raise InvalidInput(f"days is a number above 0, {MOST_DAYS} at most, not {self.days!r}")

    def of(self, start: int) -> int | None:
        """The end of what begins at ``start``."""
        return self.until if self.days is None else days_after(start, self.days)

    def before(self, start: int) -> bool:
        """Whether it lies before what begins at ``start``: that has no such end, and keeps its own."""
        return self.until is not None and self.until <= start


def end_values(decider: Decider, working: Working, slot: str | None, end: End) -> bool:
    """Gives the values that a Form holds now, held last or will hold (of ``slot``; None: all but those that it goes
    by) this end; whether any had another. What another value has taken the place of stays as it was."""
    ws = decider.ws
    form_type = ws.catalog.types.get(working.type)
    changed = False
    state = ws.full_state(working)
    names = form_type.identity.slots if form_type is not None else frozenset()
    for name in [slot] if slot is not None else [n for n in state["s"] if n not in names]:
        spec = form_type.slots.get(name) if form_type is not None else None
        for held, start, stop in segments(spec, state["s"].get(name, ())):
            own = held.get("u")
            if held["v"] is None or stop != own or held.get("left") or end.before(start):
                continue
            if end.of(start) == own and "us" not in held:
                continue
            decider.put(working, name, with_end({**held, "f": start}, end.of(start)))
            changed = True
    if changed:
        working.delta.cause = CAUSE
        decider.outcome.forms[working.id] = working
        decider.outcome.took = True
    return changed


def end_edges(decider: Decider, edges: Sequence[EdgeRecord], end: End) -> None:
    """Gives the edges this end."""
    for edge in edges:
        start = edge_begins(edge)
        if edge.valid_until == end.of(start) or end.before(start):
            continue
        decider.ws.put_edge(edge._replace(valid_until=end.of(start)))
        decider.outcome.edges.append(edge.id)
        decider.outcome.took = True


__all__ = ["CAUSE", "End", "end_edges", "end_values"]
