"""An edge beside another where one may stand: as an import leaves it, or a relation that once took several."""

from __future__ import annotations

from forms_dynamics import Memory
from forms_dynamics.model.record import ChangeSet, EdgeRecord
from forms_dynamics.model.value import to_micros


def beside(memory: Memory, source: str, relation: str, target: str) -> None:
    """Ties two Forms as a person's link does, and leaves the other edges of the relation where they are."""
    now = to_micros(memory._clock.now())
    edge = EdgeRecord(source, relation, target, 0.9, 1, now, now, "active", "act", None, 0, 0, None)
    memory._store.apply(memory._scope, ChangeSet(edges=[edge]))
