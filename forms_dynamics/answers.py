"""A person's answers to what waits: yes, no, the value, or the Form that is meant."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from forms_dynamics.acting import Acting
from forms_dynamics.assertions import CERTAIN
from forms_dynamics.dynamics import relate
from forms_dynamics.errors import Conflict, InvalidInput, unknown_id
from forms_dynamics.inputs import no_slot
from forms_dynamics.language.secrets import redact
from forms_dynamics.migration import fits, pending_today
from forms_dynamics.model.gated import Gated, Held, Item, item_from_json
from forms_dynamics.model.message import Receipt
from forms_dynamics.model.record import PendingRecord
from forms_dynamics.schema.questions import ask
from forms_dynamics.schema.wording import format_value
from forms_dynamics.versioning.decide import Decider
from forms_dynamics.versioning.faded import fact_named, is_all, is_faded_id
from forms_dynamics.versioning.questionnaire import is_first_contact, says_none, speaker_of
from forms_dynamics.versioning.renewal import end, faded_fact, many_facts, renew
from forms_dynamics.versioning.settling import SETTLED, settle
from forms_dynamics.versioning.workspace import Working, Workspace


class Answers(Acting):
    """Answers in one scope."""

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
                self._may_relate(source, draft["relation"], target)
                if not target.active:
                    raise InvalidInput(
                        f"Form {target.id!r} is invalid: choose another, or roll it back first"
                    )
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
        if isinstance(value, str) and not value.strip():
            raise InvalidInput(
                "an empty value says nothing: leave it out where all still holds, give what holds now, or refuse what"
                " has ended"
            )

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

    def _standing(self, ws: Workspace, id: str) -> Working:
        """A Form, or the one that merges made it part of."""
        working = self._form(ws, id)
        while (into := self._merged_into(ws, working)) is not None:
            working = self._form(ws, into)
        return working

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


__all__ = ["Answers"]
