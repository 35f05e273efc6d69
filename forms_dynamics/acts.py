"""What a person does to the memory: confirm, refuse, correct, retract, roll back, invalidate,
link, merge, split, mark, set_validity, undo.

Each act is one transaction with an ActRecord of its own, whose id stands as the message of the versions that it
made. An explicit act of a person needs no confidence and wins over any value up to its time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from forms_dynamics.cells import value_of
from forms_dynamics.dynamics import relate
from forms_dynamics.errors import Conflict, InvalidInput, shared_id, unknown_id
from forms_dynamics.inputs import did_you_mean, no_slot, no_type
from forms_dynamics.intake import Intake
from forms_dynamics.language.secrets import redact
from forms_dynamics.migration import fits, pending_today
from forms_dynamics.model.gated import Gated, Held, Item
from forms_dynamics.model.message import Receipt
from forms_dynamics.model.record import ActRecord, ChangeSet, EdgeRecord, MessageRecord, PendingRecord
from forms_dynamics.projection import CERTAIN, State, begins, dump, fold, said_again, winner
from forms_dynamics.schema.questions import ask
from forms_dynamics.schema.wording import format_value
from forms_dynamics.versioning.align import Target
from forms_dynamics.versioning.chain import new_id
from forms_dynamics.versioning.decide import Decider, item_from_json
from forms_dynamics.versioning.faded import fact_named, is_all, is_faded_id
from forms_dynamics.versioning.marking import mark_edge, mark_slot
from forms_dynamics.versioning.parting import merge, merged_into, split
from forms_dynamics.versioning.questionnaire import is_first_contact, says_none, speaker_of
from forms_dynamics.versioning.renewal import end, faded_fact, many_facts, renew
from forms_dynamics.versioning.settling import SETTLED, settle
from forms_dynamics.versioning.undoing import TRACES, as_before, take_back, traces
from forms_dynamics.versioning.validity import CAUSE, End, end_edges, end_values
from forms_dynamics.versioning.workspace import Working, Workspace

_STEP = 500  # Forms or edges of an act over many that are in memory at once


class Acts:
    """Acts on one scope."""

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

    def _open_form(self, ws: Workspace, id: str) -> Working:
        """A Form to be written by an act: one that was merged away is no longer written by itself."""
        working = self._form(ws, id)
        into = self._merged_into(ws, working)
        if into is not None:
            raise Conflict(f"Form {id!r} was merged into {into!r}: act on that one, or undo the merge")
        return working

    def _standing(self, ws: Workspace, id: str) -> Working:
        """A Form, or the one that merges made it part of."""
        working = self._form(ws, id)
        while (into := self._merged_into(ws, working)) is not None:
            working = self._form(ws, into)
        return working

    def _slot(self, working: Working, slot: str) -> None:
        form_type = self._catalog.types.get(working.type)
        if form_type is not None and slot not in form_type.slots:
            raise InvalidInput(no_slot(working.type, slot, form_type.slots))

    # -- the loop with the person ----------------------------------------------------------------------------
    def confirm(self, pending_id: str, value: Any) -> Receipt:
        """The person says yes (or gives the value, or chooses the Form)."""
        if is_faded_id(pending_id):
            return self._faded("confirmation", pending_id, value)
        asked = self._open(pending_id)

        def write(ws: Workspace, decider: Decider) -> None:
            item = self._open(pending_id)  # again: another may have closed it before this one could write
            ws.remember_pending(item)
            draft = json.loads(item.draft)
            if draft.get("finding") in SETTLED:
                settle(decider, item, draft, value)
            elif draft.get("invalidate"):
                decider.invalidate(self._chosen(ws, item, value), "confirmed")
            elif "relation" in draft:
                source = self._standing(ws, item.form or "")
                target = self._chosen(ws, item, value)
                span = relate.Span(*draft.get("span", ()))
                told = draft.get("attributes", {})
                decider.outcome.edges.append(
                    relate.draft_edge(ws, source, draft["relation"], target, decider.message, told, span)
                )
                decider.outcome.took = True
            elif is_first_contact(item):
                self._asked_of(item, draft, value)
                self._answer(decider, item, value)
            elif item.form is None:
                self._asked_of(item, draft, value)
                self._place(ws, decider, item, draft, value)
            else:
                self._asked_of(item, draft, value)
                working = self._standing(ws, item.form)
                self._write(decider, working, self._items(item, draft, value))
            ws.put_pending(item._replace(state="confirmed"))

        return self._act("confirmation", asked.form, {"pending": pending_id}, write, speaker_of(asked))

    def refuse(self, pending_id: str) -> Receipt:
        """The person says no: the item is closed and its value is not taken; one that has faded ends."""
        if is_faded_id(pending_id):
            return self._faded("refusal", pending_id, None)
        form = self._open(pending_id).form

        def write(ws: Workspace, decider: Decider) -> None:
            item = self._open(pending_id)
            ws.remember_pending(item)
            ws.put_pending(item._replace(state="refused"))
            decider.outcome.took = True

        return self._act("refusal", form, {"pending": pending_id}, write)

    def _faded(self, kind: str, pending_id: str, value: Any) -> Receipt:
        """Yes or no to what is asked again, of one fact or of many."""
        many = is_all(pending_id)
        if many and value is not None and not isinstance(value, str):
            raise InvalidInput("say which kind is meant, such as place.address, or nothing for all")

        def write(ws: Workspace, decider: Decider) -> None:
            reader = self._intake.reader
            if many:
                facts = many_facts(ws, reader, value)
                ws.load([fact.record.id for fact in facts])
            else:
                facts = [faded_fact(ws, reader, pending_id)]
            if kind == "refusal":
                end(decider, facts)
            elif value is None or many:
                renew(decider, facts)
            else:
                working = self._open_form(ws, facts[0].record.id)
                given = self._value(working.type, facts[0].slot, value)
                told = Item(facts[0].slot, given, CERTAIN, correction=True, verbatim=True)
                self._write(decider, working, [told])

        form = None if many else fact_named(pending_id)[0]
        return self._act(kind, form, {"pending": pending_id}, write)

    def _open(self, pending_id: str) -> PendingRecord:
        item = self._store.pending_items(self._scope, [pending_id]).get(pending_id)
        if item is None:
            raise unknown_id("pending item", pending_id)
        if item.state != "open":
            raise Conflict(f"pending item {pending_id!r} is already {item.state}")
        if item.asked < self._intake.settings.asked_since(self._intake.now()):
            raise Conflict(
                f"pending item {pending_id!r} has expired: say the value again, or correct the slot"
            )
        return pending_today(item, self._catalog.types.get(item.type))

    def _asked_of(self, item: PendingRecord, draft: Mapping[str, Any], value: Any) -> None:
        """InvalidInput where a slot that was asked about is no longer declared, or takes no such value any more."""
        form_type = self._catalog.types.get(item.type)
        if form_type is None:
            return
        for slot in (item.slot, *(raw["slot"] for raw in draft.get("items", ()))):
            if slot is not None and slot not in form_type.slots:
                raise InvalidInput(no_slot(item.type, slot, form_type.slots) + "; refuse this item")
        for place, raw in enumerate(draft.get("items", ())):
            answered = value is not None and place == 0 and not json.loads(item.candidates)
            if not answered and not fits(form_type.slots[raw["slot"]], raw["value"]):
                asked = json.dumps(raw["value"], ensure_ascii=False)
                raise InvalidInput(
                    f"{item.type}.{raw['slot']}: {asked} is no value of it any more; give the value, or refuse"
                    " this item"
                )

    def _chosen(self, ws: Workspace, item: PendingRecord, value: Any) -> Working:
        candidates = json.loads(item.candidates)
        if value is None and len(candidates) == 1:
            value = candidates[0]
        if not isinstance(value, str):
            choices = ", ".join(candidates) or "the id of a Form"
            raise InvalidInput(f"say which Form is meant: {choices}")
        return self._standing(ws, value)

    def _place(
        self, ws: Workspace, decider: Decider, item: PendingRecord, draft: Mapping[str, Any], value: Any
    ) -> None:
        """Items that found no Form: into the chosen one, or (nobody was named) into a new one."""
        candidates = json.loads(item.candidates)
        items = [self._certain(item_from_json(raw), item) for raw in draft.get("items", ())]
        if candidates:
            working = self._chosen(ws, item, value)
            self._write(decider, working, [i for i in items if i.value is not None or i.op == "clear"])
            form_type = self._catalog.types[working.type]
            for unsaid in (i for i in items if i.value is None and i.op != "clear"):
                question = ask(form_type, form_type.slots[unsaid.slot], None, "required", (), decider.lang)
                decider.hold(working, form_type, Held(unsaid, "ambiguous_value", question))
            return
        if value is not None:
            items = [i._replace(value=self._value(item.type, i.slot, value)) for i in items]
        decider.take(Gated(item.type, accepted=items))

    def _answer(self, decider: Decider, item: PendingRecord, value: Any) -> None:
        """The answer to a question of a first contact, into the Form of whoever was asked, which it may make."""
        slot = item.slot or ""
        if value is None:
            raise InvalidInput(f"{slot}: give the answer, or refuse this item")
        form_type = self._catalog.types.get(item.type)
        decider.outcome.took = True
        if form_type is not None and says_none(form_type.slots[slot], value):
            return  # there is none: nothing to store, and nothing to ask again
        given = self._value(item.type, slot, value)
        if isinstance(value, str):
            words = redact(value) if self._intake.settings.redact == "at_rest" else value
        else:
            words = format_value(given, form_type.slots[slot] if form_type else None, decider.lang)
        told = Item(slot, given, CERTAIN, path=words, correction=True, verbatim=True)
        decider.take(Gated(item.type, accepted=[told]))

    def _items(self, item: PendingRecord, draft: Mapping[str, Any], value: Any) -> list[Item]:
        items = [self._certain(item_from_json(raw), item) for raw in draft.get("items", ())]
        if not items and item.slot is not None:
            items = [Item(item.slot, None, CERTAIN, correction=True)]
        if value is not None and items:
            given = self._value(item.type, items[0].slot, value)
            # the answer is the evidence now, not the vague words that were asked about
            items[0] = items[0]._replace(
                value=given,
                op="set" if items[0].op == "clear" else items[0].op,
                span=None,
                message=None,
                verbatim=True,
            )
        if any(i.value is None and i.op != "clear" for i in items):
            choices = ", ".join(json.loads(item.candidates))
            raise InvalidInput(f"{item.slot}: give the value" + (f", one of: {choices}" if choices else ""))
        return items

    def _certain(self, item: Item, pending: PendingRecord) -> Item:
        source = "user" if item.source == "inferred" else item.source
        return item._replace(
            confidence=CERTAIN,
            correction=True,
            source=source,
            message=json.loads(pending.draft).get("of") or pending.message,
        )

    def _value(self, type: str, slot: str, value: Any) -> Any:
        form_type = self._catalog.types.get(type)
        if form_type is None:
            raise InvalidInput(no_type(type, self._catalog.types))
        return value_of(form_type, slot, value, self._intake.here(), self._intake.settings)

    def _write(self, decider: Decider, working: Working, items: Sequence[Item]) -> None:
        decider.write(working, Gated(working.type, accepted=list(items)), Target(working))

    # -- corrections -----------------------------------------------------------------------------------------
    def correct(self, form_id: str, slot: str, value: Any) -> Receipt:
        """An explicit correction of one slot."""

        def write(ws: Workspace, decider: Decider) -> None:
            working = self._open_form(ws, form_id)
            self._slot(working, slot)
            given = self._value(working.type, slot, value)
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
        """A new version that says again what ``version`` said."""

        def write(ws: Workspace, decider: Decider) -> None:
            working = self._open_form(ws, form_id)
            chain = ws.chain(working)
            wanted = next((v for v in chain if v.n == version), None)
            if wanted is None:
                raise unknown_id("version", f"{form_id}@{version}")
            if wanted.payload is None:
                raise Conflict(f"version {form_id}@{version} was erased")
            earlier = [v for v in chain if (v.time, v.n) <= (wanted.time, wanted.n)]
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
            if (old and old["v"]) == (new and new["v"]):
                continue
            if old is None:
                decider.put(working, slot, {"v": None, "c": CERTAIN, "op": "clear", "x": 1})
                continue
            decider.put(working, slot, said_again(old, x=1))

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
            yield partial(_end_edges, some=some, end=end)

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
            if source == target:
                raise InvalidInput("a Form has no relation to itself")
            rules = self._catalog.rules_between(one.type, other.type)
            if relation not in {r.name for r in rules}:
                fit = ", ".join(sorted({r.name for r in rules})) or "none"
                raise InvalidInput(
                    f"{relation!r} does not go from {one.type} to {other.type}; declared between them: {fit}"
                )
            decider.outcome.edges.append(relate.draft_edge(ws, one, relation, other, decider.message, {}))
            decider.outcome.forms[one.id] = one
            decider.outcome.took = True

        return self._act("link", source, {"relation": relation, "target": target}, write)

    def merge(self, form_id: str, other: str) -> Receipt:
        """Makes two Forms one: ``other``'s facts and names go to ``form_id``, and ``other`` ends invalid."""

        def write(ws: Workspace, decider: Decider) -> None:
            merge(decider, self._open_form(ws, form_id), self._open_form(ws, other))

        return self._act("merge", form_id, {"other": other}, write)

    def split(self, form_id: str, slots: Sequence[str]) -> Receipt:
        """Makes one Form two: the slots, with their history, go to a new one."""
        if isinstance(slots, str):
            raise InvalidInput("split takes a list of slots")

        def write(ws: Workspace, decider: Decider) -> None:
            working = self._open_form(ws, form_id)
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


def _end_edges(ws: Workspace, decider: Decider, some: Sequence[EdgeRecord], end: End) -> None:
    end_edges(decider, some, end)


__all__ = ["Acts"]
