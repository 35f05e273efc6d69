"""How an act of a person is done: one transaction, or one for all its steps, with an ActRecord of its own, whose id
stands as the message of the versions that it made, and with what ``undo`` needs to take it back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from forms_dynamics.assertions import dump
from forms_dynamics.cells import value_of
from forms_dynamics.errors import Conflict, InvalidInput, shared_id, unknown_id
from forms_dynamics.inputs import no_slot, no_type
from forms_dynamics.intake import Intake
from forms_dynamics.model.gated import Gated, Item
from forms_dynamics.model.message import Receipt
from forms_dynamics.model.record import ActRecord, ChangeSet, MessageRecord
from forms_dynamics.versioning.align import Target
from forms_dynamics.versioning.chain import new_id
from forms_dynamics.versioning.decide import Decider
from forms_dynamics.versioning.parting import merged_into
from forms_dynamics.versioning.undoing import TRACES, as_before, traces
from forms_dynamics.versioning.validity import CAUSE
from forms_dynamics.versioning.workspace import Working, Workspace


class Acting:
    """What acts of every kind do alike, on one scope."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._store = intake.store
        self._catalog = intake.catalog
        self._scope = intake.scope

    def _act(
        self,
        kind: str,
        form: str | None,
        body: Mapping[str, Any],
        write: Callable[[Workspace, Decider], None],
        speaker: str = "",
    ) -> Receipt:
        """One act: ``write`` changes the workspace; versions, edges and the act's record follow. ``speaker``: whose
        words it brings, where that says whose Form they are about."""
        return self._steps(kind, form, body, [write], speaker)

    def _steps(
        self,
        kind: str,
        form: str | None,
        body: Mapping[str, Any],
        steps: Iterable[Callable[[Workspace, Decider], None]],
        speaker: str = "",
        *,
        dry_run: bool = False,
    ) -> Receipt:
        """One act over much, a step at a time in one transaction, so that a step's Forms alone are in memory."""
        now = self._intake.now()
        done: Receipt | None = None
        made: dict[str, Any] = {trace: [] for trace in TRACES}
        with self._store.writing(self._scope):
            id = self._new_id(now, kind, form)
            record = MessageRecord.of_act(id, now, now, speaker)
            for write in steps:
                ws = Workspace(self._store, self._scope, self._catalog, now)
                decider = Decider(ws, self._intake.settings, record, cause=kind)
                write(ws, decider)
                receipt = self._intake.close(ws, decider)
                if kind == "undo":
                    as_before(ws, decider)
                for name, rows in traces(ws, decider, receipt).items():
                    made[name] += rows
                done = receipt if done is None else _together(done, receipt)
                if not dry_run:
                    self._store.apply(self._scope, ws.finish())
            if done is None or (kind == CAUSE and not any(made.values())):
                return Receipt(id)
            if dry_run:
                return done
            told = ActRecord(id, self._scope.owner, kind, form, now, dump({**body, **made}))
            self._store.apply(self._scope, ChangeSet(acts=[told]))
        return replace(done, act=id)

    def _new_id(self, now: int, kind: str, form: str | None) -> str:
        ordinal = 0
        while True:
            id = new_id("a", now, self._scope.tenant, self._scope.owner, kind, form, ordinal)
            if self._store.acts(self._scope, [id]).get(id) is None:
                return id
            ordinal += 1

    def _form(self, ws: Workspace, id: str) -> Working:
        working = ws.form(id)
        if working is None:
            raise unknown_id("Form", id)
        if working.owner != self._scope.owner:
            raise shared_id(id)
        return working

    def _merged_into(self, ws: Workspace, working: Working) -> str | None:
        return None if working.active else merged_into(ws.chain(working))

    def _open_form(self, ws: Workspace, id: str, *, says: bool = True) -> Working:
        """A Form to be written by an act: one that was merged away is no longer written by itself. ``says``: of what
        holds now; else only where it is kept."""
        working = self._form(ws, id)
        into = self._merged_into(ws, working)
        if into is not None:
            raise Conflict(f"Form {id!r} was merged into {into!r}: act on that one, or undo the merge")
        if says:
            ws.overtake(working, ws.now)
        return working

    def _slot(self, working: Working, slot: str) -> None:
        form_type = self._catalog.types.get(working.type)
        if form_type is not None and slot not in form_type.slots:
            raise InvalidInput(no_slot(working.type, slot, form_type.slots))

    def _value(self, type: str, slot: str, value: Any) -> Any:
        form_type = self._catalog.types.get(type)
        if form_type is None:
            raise InvalidInput(no_type(type, self._catalog.types))
        return value_of(form_type, slot, value, self._intake.here(), self._intake.settings)

    def _may_relate(self, source: Working, relation: str, target: Working) -> None:
        """InvalidInput where the relation is not declared between the two."""
        if source.id == target.id:
            raise InvalidInput("a Form has no relation to itself")
        rules = self._catalog.rules_between(source.type, target.type)
        if relation not in {r.name for r in rules}:
            fit = ", ".join(sorted({r.name for r in rules})) or "none"
            raise InvalidInput(
                f"{relation!r} does not go from {source.type} to {target.type}; declared between them: {fit}"
            )

    def _write(self, decider: Decider, working: Working, items: Sequence[Item]) -> None:
        decider.write(working, Gated(working.type, accepted=list(items)), Target(working))


def _together(one: Receipt, two: Receipt) -> Receipt:
    """What two steps of one act did."""
    return replace(
        one,
        forms=(*one.forms, *two.forms),
        versions=(*one.versions, *two.versions),
        edges=(*one.edges, *two.edges),
        pending=(*one.pending, *two.pending),
        refused=(*one.refused, *two.refused),
        questions=(*one.questions, *two.questions),
    )


__all__ = ["Acting"]
