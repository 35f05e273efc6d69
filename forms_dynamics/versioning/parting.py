"""One thing or two: Forms that were one are merged, a Form that was two is split. History goes with the facts, and
both are taken back by ``undo``."""

from __future__ import annotations

import json
from collections.abc import Sequence

from forms_dynamics.assertions import CERTAIN, Assertion, as_written, begins, said_at, winner
from forms_dynamics.errors import InvalidInput
from forms_dynamics.model.record import VersionRecord
from forms_dynamics.projection import withdrawn
from forms_dynamics.strength import ended
from forms_dynamics.versioning.decide import Decider
from forms_dynamics.versioning.keys import context_names
from forms_dynamics.versioning.near import near_match
from forms_dynamics.versioning.workspace import Working

_MERGED = "merged into "  # how the reason of a merged Form begins, before the id of the one it is part of


def merged_into(chain: Sequence[VersionRecord]) -> str | None:
    """The Form that a merge made this one part of, while it still is."""
    gone = withdrawn(chain)
    for version in reversed(chain):
        if version.cause == "undo":
            continue  # what stood before it decides
        if version.payload is not None and version.n not in gone and '"st":' in version.payload:
            why: str = json.loads(version.payload).get("why") or ""
            return why.removeprefix(_MERGED) if version.cause == "merge" else None
    return None


def merge(decider: Decider, one: Working, two: Working) -> None:
    """``two``'s facts and names go to ``one``, and ``two`` ends invalid."""
    ws = decider.ws
    if one.id == two.id or one.type != two.type:
        raise InvalidInput("merge takes two different Forms of one type")
    form_type = ws.catalog.types.get(one.type)
    identity = form_type.identity.slots if form_type else frozenset()
    mine = ws.full_state(one)
    theirs = ws.full_state(two)
    names = [a for a in theirs["al"] if a not in mine["al"]]
    decider.outcome.forms.update({one.id: one, two.id: two})
    decider.outcome.took = True
    for slot, timeline in theirs["s"].items():
        spec = form_type.slots.get(slot) if form_type else None
        held = winner(spec, timeline, two.at(ws.now))
        named = held is not None and isinstance(held["v"], str) and mine["s"].get(slot)
        if slot in identity and held is not None and named:
            ours = winner(spec, mine["s"][slot], one.at(ws.now))
            if ours is None or ours["v"] != held["v"]:
                names.append(held["v"])
            continue
        for assertion in timeline:
            decider.put(one, slot, _moved(assertion))
        now = winner(spec, one.state["s"].get(slot, ()), one.at(ws.now))
        if slot in two.confirmed and now is not None and held is not None and now["v"] == held["v"]:
            one.confirmed[slot] = max(two.confirmed[slot], one.confirmed.get(slot, 0))
    # whoever led to the other (its speaker, its conversation) leads to this one from now on
    names.extend(n for n in context_names(form_type, theirs, two.at(ws.now)) if n not in mine["al"])
    one.delta.aliases.extend(names)
    one.state["al"].extend(names)
    one.delta.external.extend(e for e in theirs["ext"] if e not in mine["ext"])
    one.state["ext"].extend(one.delta.external)
    one.delta.cause = two.delta.cause = "merge"
    two.delta.status = "invalid"
    two.delta.reason = f"{_MERGED}{one.id}"
    for edge in ws.edges([one.id]):
        if edge.status == "candidate" and {edge.source, edge.target} == {one.id, two.id}:
            ws.put_edge(ended(edge, "superseded", ws.now))


def _moved(assertion: Assertion) -> Assertion:
    """What was said of one Form, for another: it begins when it did, and is no newer for it."""
    return {"f": begins(assertion), "sd": said_at(assertion), **as_written(assertion)}


def split(decider: Decider, working: Working, slots: Sequence[str]) -> Working:
    """Takes the slots, with all that was ever said of them, into a new Form of the type. Names stay where they are,
    but for the slots' own. The two are no near match of each other: a person has just told them apart."""
    ws = decider.ws
    form_type = ws.catalog.types.get(working.type)
    if form_type is None:
        raise InvalidInput(f"the Form type {working.type} is not loaded: its Forms cannot be split")
    if not working.active:
        raise InvalidInput(f"Form {working.id!r} is invalid: roll it back before it is split")
    state = ws.full_state(working)
    wanted = list(dict.fromkeys(slots))
    if not wanted:
        raise InvalidInput("say which slots go to the new Form")
    empty = [slot for slot in wanted if not state["s"].get(slot) and not state["av"].get(slot)]
    if empty:
        raise InvalidInput(f"{working.id} holds nothing in {', '.join(empty)}")
    if not any(state["s"].get(slot) for slot in state["s"].keys() - set(wanted)):
        raise InvalidInput(f"these are all the slots of {working.id}: nothing would be left of it")
    part = decider.create(form_type, working.conversation)
    part.created, part.updated = working.created, working.updated
    decider.outcome.forms.update({working.id: working, part.id: part})
    decider.outcome.took = True
    working.delta.cause = part.delta.cause = "split"
    for slot in wanted:
        for assertion in list(state["s"].get(slot, ())):
            decider.put(part, slot, _moved(assertion))
        decider.put(working, slot, {"v": None, "c": CERTAIN, "op": "retract"})
        if slot in working.confirmed:
            part.confirmed[slot] = working.confirmed[slot]
    for item in ws.open_pendings(working):
        if item.slot in wanted:
            ws.rehome_pending(item, part.id)
            ws.put_pending(item._replace(form=part.id))
    ws.put_edge(near_match(part.id, working.id, ws.now)._replace(status="invalid", made_by="act"))
    return part


__all__ = ["merge", "merged_into", "split"]
