"""What two versions of a Form differ in."""

from __future__ import annotations

from forms_dynamics.errors import Conflict, unknown_id
from forms_dynamics.model.form import Slot
from forms_dynamics.model.record import FormRecord, Scope
from forms_dynamics.model.report import Change
from forms_dynamics.ports import Store
from forms_dynamics.reader import Reader


def diff(
    store: Store, reader: Reader, scope: Scope, record: FormRecord, old: int, new: int
) -> tuple[Change, ...]:
    """The slots whose value, avoided values or interval are not the same right after ``old`` and right after ``new``,
    in the order of the type's slots. NotFound for a number that the Form has no version of; Conflict for one
    that was erased."""
    chain = store.versions(scope, record.id)
    sides = []
    for number in (old, new):
        version = next((v for v in chain if v.n == number), None)
        if version is None:
            raise unknown_id("version", f"{record.id}@{number}")
        if version.payload is None:
            raise Conflict(f"version {record.id}@{number} was erased: there is nothing to compare")
        form = reader.at_version(scope, record, chain, number)
        sides.append({} if form is None else form.slots)
    before, after = sides
    names = [*after, *(name for name in before if name not in after)]
    pairs = ((name, before.get(name), after.get(name)) for name in names)
    return tuple(Change(name, was, now) for name, was, now in pairs if _told(was) != _told(now))


def _told(slot: Slot | None) -> object:
    if slot is None:
        return None
    return slot.value, slot.status, slot.avoided, slot.valid_from, slot.valid_until


__all__ = ["diff"]
