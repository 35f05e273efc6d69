"""Yes and no to a fact that has faded: it holds from now on anew, or it has ended now.

A yes is a retelling: the date of last confirmation moves, and no version is made, unless the type gave the
value its end, which then counts anew. Where the value was never surer than the mark below which it is asked
about, and where its own validity is over, it is stated again instead. A no ends the value now and keeps it in
the history.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from forms_dynamics.assertions import CERTAIN, Assertion, said_again
from forms_dynamics.errors import Conflict, InvalidInput, shared_id, unknown_id
from forms_dynamics.fading import FADED
from forms_dynamics.model.gated import Span
from forms_dynamics.model.record import FormRecord
from forms_dynamics.model.value import encode
from forms_dynamics.projection import is_cold, state_of
from forms_dynamics.reader import Reader
from forms_dynamics.schema.spec import FormType
from forms_dynamics.versioning.decide import Decider
from forms_dynamics.versioning.ends import renewed, usual_end
from forms_dynamics.versioning.faded import MANY, Fact, fact_named, facts_of, old_facts
from forms_dynamics.versioning.workspace import Working, Workspace


def faded_fact(ws: Workspace, reader: Reader, pending_id: str) -> Fact:
    """The fact that a question is about. NotFound where it names nothing; Conflict where it asks nothing any more."""
    form, slot = fact_named(pending_id)
    record = ws.store.forms(ws.scope, [form]).get(form)
    form_type = ws.catalog.types.get(record.type) if record is not None else None
    if record is None or form_type is None or slot not in form_type.slots:
        raise unknown_id("pending item", pending_id)
    if record.owner != ws.scope.owner:
        raise shared_id(form)
    for fact in facts_of(record, form_type, reader, ws.now):
        if fact.slot == slot and not fact.expired:
            return fact
    raise Conflict(
        f"pending item {pending_id!r} asks nothing: {_silent(ws, reader, record, form_type, slot)}"
    )


def _silent(ws: Workspace, reader: Reader, record: FormRecord, form_type: FormType, slot: str) -> str:
    """Why nothing is asked about a slot."""
    record = reader.noted(record)
    at = max(ws.now, record.updated)
    if record.status != "active":
        return f"{record.id} is {record.status}; roll it back first, or undo what made it so"
    if is_cold(form_type.life, record, at):
        return f"{record.id} is cold, and comes back when a recall with include_cold shows it, or it is told of again"
    if reader.expired(form_type, state_of(record, form_type), record, at):
        return f"{record.id} has expired: say the value again, or correct the slot"
    return f"{slot} of {record.id} has not faded, or was confirmed, changed or ended meanwhile"


def many_facts(ws: Workspace, reader: Reader, kind: str | None) -> list[Fact]:
    """The facts that the one question for many is about, of a ``kind`` ("place.address") or all. Conflict where they
    are no longer many, InvalidInput for a kind of which there are none."""
    facts = list(old_facts(ws.store, ws.scope, ws.catalog, reader, ws.now))
    if len(facts) <= MANY:
        many = "1 fact is" if len(facts) == 1 else f"{len(facts) or 'no'} facts are"
        raise Conflict(f"{many} old now; up to {MANY} are asked about one by one: answer what is pending")
    if kind is None:
        return facts
    wanted = kind.partition(":")[0].strip()  # as a candidate gives it, with its count, or without
    chosen = [fact for fact in facts if fact.kind == wanted]
    if not chosen:
        known = ", ".join(sorted({fact.kind for fact in facts}))
        raise InvalidInput(f"no old facts are of kind {kind!r}; there are: {known}")
    return chosen


def renew(decider: Decider, facts: Sequence[Fact], span: Span | None = None) -> None:
    """Says of the facts that they still hold. ``span``: of the words that say so, in the message."""
    for fact in facts:
        working = _opened(decider, fact)
        if not fact.expired and fact.held["c"] >= FADED:
            again = renewed(fact.form_type, fact.slot, fact.held, decider.message.time)
            if again is not None:
                decider.put(working, fact.slot, again)
                working.delta.cause = "confirmation"
            decider.confirm(working, fact.slot, fact.held)
            continue
        decider.put(working, fact.slot, _again(decider, fact, span))
        working.delta.cause = "confirmation"


def end(
    decider: Decider, facts: Sequence[Fact], span: Span | None = None, values: Sequence[Any] | None = None
) -> None:
    """Says of the facts that they hold no longer; of a many-valued one, where ``values`` are given, only those."""
    for fact in facts:
        working = _opened(decider, fact)
        over: Assertion = {"v": None, "c": CERTAIN, "op": "clear", "x": 1}
        if values is not None:
            over.update(v=encode(list(values)), op="remove")
        if span is not None:
            over["e"] = list(span)
        decider.put(working, fact.slot, over)
        if decider.cause == "stated":
            working.delta.cause = "correction"


def _opened(decider: Decider, fact: Fact) -> Working:
    working = decider.ws.own(fact.record.id)
    if working is None:
        raise unknown_id("Form", fact.record.id)
    decider.ws.full_state(working)
    working.delta.cause = decider.cause
    decider.outcome.forms[working.id] = working
    decider.outcome.took = True
    return working


def _again(decider: Decider, fact: Fact, span: Span | None) -> Assertion:
    """The value stated anew: certain, and valid as long as a new statement of its type is."""
    again = said_again(fact.held, c=CERTAIN, x=1)
    if span is not None:
        again.update(e=list(span), m=decider.message.id)
        again.pop("p", None)
    until = usual_end(fact.form_type, decider.message.time)
    return again if until is None else {**again, "u": until, "ud": 1}


__all__ = ["end", "faded_fact", "many_facts", "renew"]
