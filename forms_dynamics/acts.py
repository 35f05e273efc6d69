"""What a person does to the memory: correct, retract, roll back, invalidate, link, merge, split, mark, set_validity,
undo. An explicit act of a person needs no confidence and wins over any value up to its time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from forms_dynamics.acting import Acting
from forms_dynamics.assertions import CERTAIN, begins, said_again, winner
from forms_dynamics.dynamics import relate
from forms_dynamics.errors import Conflict, InvalidInput, unknown_id
from forms_dynamics.inputs import did_you_mean, no_slot, no_type
from forms_dynamics.model.gated import Item
from forms_dynamics.model.message import Receipt
from forms_dynamics.model.record import EdgeRecord
from forms_dynamics.projection import State, fold, placed
from forms_dynamics.versioning.decide import Decider
from forms_dynamics.versioning.marking import mark_edge, mark_slot
from forms_dynamics.versioning.parting import merge, split
from forms_dynamics.versioning.undoing import TRACES, take_back
from forms_dynamics.versioning.validity import CAUSE, End, end_edges, end_values
from forms_dynamics.versioning.workspace import Working, Workspace

_STEP = 500  # Forms or edges of an act over many that are in memory at once


class Acts(Acting):
    """Acts on one scope."""

    def correct(self, form_id: str, slot: str, value: Any) -> Receipt:
        """An explicit correction of one slot."""

        def write(ws: Workspace, decider: Decider) -> None:
            working = self._open_form(ws, form_id)
            self._slot(working, slot)
            given = self._value(working.type, slot, value)
            # behind a clock that stood later, what a person says now is still the last that was said
            decider.message = decider.message._replace(time=working.at(ws.now))
            self._write(decider, working, [Item(slot, given, CERTAIN, correction=True, verbatim=True)])

        return self._act("correction", form_id, {"slot": slot}, write)

    def retract(self, form_id: str, slot: str) -> Receipt:
        """Withdraws a slot: what was said of it no longer counts, at any time."""

        def write(ws: Workspace, decider: Decider) -> None:
            working = self._open_form(ws, form_id)
            self._slot(working, slot)
            ws.full_state(working)
            decider.outcome.forms[working.id] = working
            decider.outcome.took = True
            working.delta.cause = "retraction"
            decider.since = relate.NEVER
            if working.state["s"].get(slot) or working.state["av"].get(slot):
                decider.put(working, slot, {"v": None, "c": CERTAIN, "op": "retract"})
            for item in ws.open_pendings(working):
                if item.slot == slot:
                    ws.put_pending(item._replace(state="expired"))

        return self._act("retraction", form_id, {"slot": slot}, write)

    def rollback(self, form_id: str, version: int) -> Receipt:
        """A new version that says again what ``version`` said, with the ends that its values had."""

        def write(ws: Workspace, decider: Decider) -> None:
            working = self._open_form(ws, form_id)
            chain = ws.chain(working)
            wanted = next((v for v in chain if v.n == version), None)
            if wanted is None:
                raise unknown_id("version", f"{form_id}@{version}")
            if wanted.payload is None:
                raise Conflict(f"version {form_id}@{version} was erased")
            then = placed(chain, (working.n + 1, ws.now))
            wanted = next(v for v in then if v.n == version)
            earlier = [v for v in then if (v.time, v.n) <= (wanted.time, wanted.n)]
            before = fold(earlier, self._catalog.types.get(working.type))
            decider.outcome.forms[working.id] = working
            decider.outcome.took = True
            working.delta.cause = "rollback"
            self._restore(ws, decider, working, before, wanted.time)
            if not working.active:
                working.delta.status = "active"

        return self._act("rollback", form_id, {"version": version}, write)

    def _restore(self, ws: Workspace, decider: Decider, working: Working, before: State, at: int) -> None:
        form_type = self._catalog.types.get(working.type)
        state = ws.full_state(working)
        for slot in sorted({*before["s"], *state["s"]}):
            spec = form_type.slots.get(slot) if form_type else None
            old_line = before["s"].get(slot, ())
            moment = max([at, *(begins(a) for a in old_line)])
            old, new = (
                winner(spec, old_line, moment),
                winner(spec, state["s"].get(slot, ()), working.at(ws.now)),
            )
            ends = {} if old is None else {k: old[k] for k in ("u", "ud", "us") if old.get(k) is not None}
            if old is not None and ends.get("u", ws.now + 1) <= working.at(ws.now) and "us" not in ends:
                old = None  # what it held is over by now, as it said itself
            there = {} if new is None else {k: new[k] for k in ("u", "us") if new.get(k) is not None}
            if (old and old["v"]) == (new and new["v"]) and (
                old is None or there == {k: v for k, v in ends.items() if k != "ud"}
            ):
                continue
            if old is None:
                decider.put(working, slot, {"v": None, "c": CERTAIN, "op": "clear", "x": 1})
                continue
            decider.put(working, slot, said_again(old, x=1, **ends))

    def set_validity(
        self, relation: str | None, form_type: str | None, slot: str | None, end: End, dry_run: bool
    ) -> Receipt:
        """Gives the edges of a relation, or the values of a type's Forms, another end; see ``Memory``."""
        if (relation is None) == (form_type is None):
            raise InvalidInput("set_validity takes one of relation and form_type")
        body = {
            "relation": relation,
            "form_type": form_type,
            "slot": slot,
            "days": end.days,
            "until": end.until,
        }
        if form_type is None:
            if slot is not None:
                raise InvalidInput("a slot is of a form_type; edges of a relation have none")
            if relation not in self._catalog.relations:
                raise InvalidInput(
                    f"no relation {relation!r}{did_you_mean(str(relation), self._catalog.relations)}"
                )
            steps = self._edge_steps(relation, end)
        else:
            declared = self._catalog.types.get(form_type)
            if declared is None:
                raise InvalidInput(no_type(form_type, self._catalog.types))
            if slot is not None and slot not in declared.slots:
                raise InvalidInput(no_slot(form_type, slot, declared.slots))
            steps = self._value_steps(form_type, slot, end)
        return self._steps(CAUSE, None, body, steps, dry_run=dry_run)

    def _edge_steps(self, relation: str, end: End) -> Iterator[Callable[[Workspace, Decider], None]]:
        every = self._store.scan(self._scope, "edges")
        found = (edge for edge in every if edge.relation == relation and edge.status == "active")
        while some := list(islice(found, _STEP)):

            def write(ws: Workspace, decider: Decider, some: Sequence[EdgeRecord] = some) -> None:
                end_edges(decider, some, end)

            yield write

    def _value_steps(
        self, form_type: str, slot: str | None, end: End
    ) -> Iterator[Callable[[Workspace, Decider], None]]:
        after: str | None = None
        while page := self._store.find(self._scope, form_type, "active", _STEP, after):
            after = page[-1].id
            ids = [record.id for record in page if record.owner == self._scope.owner]

            def write(ws: Workspace, decider: Decider, ids: Sequence[str] = ids) -> None:
                ws.load(ids)
                for id in ids:
                    if (working := ws.own(id)) is not None:
                        end_values(decider, working, slot, end)

            yield write

    def invalidate(self, form_id: str, reason: str) -> Receipt:
        """Takes a Form out of the active graph."""

        def write(ws: Workspace, decider: Decider) -> None:
            decider.invalidate(self._open_form(ws, form_id), reason)

        return self._act("invalidation", form_id, {"reason": reason}, write)

    # -- relations and identity ------------------------------------------------------------------------------
    def link(self, source: str, relation: str, target: str) -> Receipt:
        """Draws an edge by hand."""

        def write(ws: Workspace, decider: Decider) -> None:
            one = self._open_form(ws, source)
            other = ws.form(target)
            if other is None:
                raise unknown_id("Form", target)
            if relation not in self._catalog.relations:
                known = ", ".join(sorted(self._catalog.relations)) or "none are declared"
                raise InvalidInput(f"no relation {relation!r}; declared: {known}")
            self._may_relate(one, relation, other)
            decider.outcome.edges.append(relate.draft_edge(ws, one, relation, other, decider.message, {}))
            decider.outcome.forms[one.id] = one
            decider.outcome.took = True

        return self._act("link", source, {"relation": relation, "target": target}, write)

    def merge(self, form_id: str, other: str) -> Receipt:
        """Makes two Forms one: ``other``'s facts and names go to ``form_id``, and ``other`` ends invalid."""

        def write(ws: Workspace, decider: Decider) -> None:
            merge(decider, self._open_form(ws, form_id, says=False), self._open_form(ws, other, says=False))

        return self._act("merge", form_id, {"other": other}, write)

    def split(self, form_id: str, slots: Sequence[str]) -> Receipt:
        """Makes one Form two: the slots, with their history, go to a new one."""
        if isinstance(slots, str):
            raise InvalidInput("split takes a list of slots")

        def write(ws: Workspace, decider: Decider) -> None:
            working = self._open_form(ws, form_id, says=False)
            for slot in slots:
                self._slot(working, slot)
            split(decider, working, slots)

        return self._act("split", form_id, {"slots": list(slots)}, write)

    # -- right and wrong -------------------------------------------------------------------------------------
    def mark(self, target: str, slot: str | None, *, right: bool) -> Receipt:
        """✓ or ✗ on a Form's slot, or on an edge by its id."""
        source, _, rest = target.partition(".")
        relation, _, other = rest.partition(".")
        if slot is None and not other:
            raise InvalidInput(f"{target!r} is no edge: name the slot of the Form that is meant")
        if slot is not None and other:
            raise InvalidInput(f"{target!r} is an edge, which has no slots")

        def write(ws: Workspace, decider: Decider) -> None:
            working = self._open_form(ws, source)
            if slot is not None:
                self._slot(working, slot)
                mark_slot(decider, working, slot, right=right, confidence=self._confidence(source, slot))
                return
            found = [e for e in ws.edges([source]) if e.key == (source, relation, other)]
            if not found:
                raise unknown_id("edge", target)
            mark_edge(decider, found[0], right=right)

        body = {"target": target, "slot": slot, "right": right}
        return self._act("mark", source, body, write)

    def _confidence(self, form_id: str, slot: str) -> float:
        """What a slot's confidence is today."""
        forms = self._intake.reader.forms(self._scope, [form_id], self._intake.now())
        held = forms[form_id].slots.get(slot) if form_id in forms else None
        return 0.0 if held is None else held.confidence

    def undo(self, act_id: str) -> Receipt:
        """Takes back what an act wrote: its versions count no more, its edges are as they were before, and the
        questions that it closed are open again. NotFound; Conflict for an undo, and where nothing is left to
        take back."""
        act = self._store.acts(self._scope, [act_id]).get(act_id)
        if act is None:
            wrote = self._store.versions_of_messages(self._scope, [act_id])
            if wrote and all(version.payload is None for version in wrote):
                told = ", ".join(sorted({version.form for version in wrote}))
                raise Conflict(f"act {act_id!r} cannot be undone: what it wrote in {told} was erased")
            raise unknown_id("act", act_id)
        if act.kind == "undo":
            raise Conflict(f"act {act_id!r} is an undo itself: do again what it took back")
        body = json.loads(act.body)

        parts = [(kind, part) for kind in TRACES for part in _parts(body.get(kind, ()))]
        whole = len(parts) <= len(TRACES) and all(len(part) < _STEP for _, part in parts)
        undone: list[bool] = []

        def write(ws: Workspace, decider: Decider, some: Sequence[tuple[str, Sequence[Any]]]) -> None:
            decider.since = act.time
            for kind, part in some:
                undone.append(take_back(ws, decider, act_id, kind, part))
            last = not parts or some[-1] is parts[-1]
            if last and not any(undone):
                raise Conflict(f"act {act_id!r} left nothing to take back: it changed nothing, or is undone")
            decider.outcome.took = True

        steps = [parts] if whole else [[one] for one in parts]
        return self._steps("undo", act.form, {"act": act_id}, (partial(write, some=some) for some in steps))


def _parts(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (rows[start : start + _STEP] for start in range(0, len(rows), _STEP))


__all__ = ["Acts"]
