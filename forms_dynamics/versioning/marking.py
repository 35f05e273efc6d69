"""Right and wrong: a person's ✓ or ✗ on a slot or an edge.

✓ adds 0.05 to what a value's confidence is today, and says that the value still holds. ✗ takes 0.2 from it, and the
value is no longer told: it waits as pending, with the question what it should be. An edge's weight moves by as much;
one that is marked wrong is no longer walked and stands among the candidates for review until it is marked right.
"""

from __future__ import annotations

from forms_dynamics.assertions import CERTAIN, Assertion, dump, said_again, winner
from forms_dynamics.errors import Conflict, InvalidInput
from forms_dynamics.language.normal import language_of
from forms_dynamics.model.gated import Item, item_json
from forms_dynamics.model.record import EdgeRecord
from forms_dynamics.model.value import decode
from forms_dynamics.schema.questions import ask
from forms_dynamics.strength import MARKED, life_of, strength
from forms_dynamics.versioning.decide import Decider
from forms_dynamics.versioning.ends import usual_end
from forms_dynamics.versioning.near import NEAR
from forms_dynamics.versioning.workspace import Working

GAIN, LOSS = 0.05, 0.2
WRONG = "marked_wrong"  # the reason of what waits for a correction


def mark_slot(decider: Decider, working: Working, slot: str, *, right: bool, confidence: float) -> None:
    """Marks what the Form holds for a slot; ``confidence`` is what it is today. InvalidInput where it
    holds nothing."""
    ws = decider.ws
    form_type = ws.catalog.types.get(working.type)
    spec = form_type.slots.get(slot) if form_type is not None else None
    timeline = ws.full_state(working)["s"].get(slot, ())
    held = winner(spec, timeline, working.at(ws.now))
    if held is None:
        raise InvalidInput(
            f"{slot} of {working.id} holds no value to mark; confirm or refuse what is pending of it"
        )
    decider.outcome.forms[working.id] = working
    decider.outcome.took = True
    working.delta.cause = "mark"
    if right:
        until = None if form_type is None else usual_end(form_type, decider.message.time)
        decider.put(working, slot, _again(held, round(min(1.0, confidence + GAIN), 4), until))
        return
    if form_type is None or spec is None:
        raise InvalidInput(f"the Form type {working.type} is not loaded: nothing can be asked about {slot}")
    lower = round(max(0.0, confidence - LOSS), 4)
    decider.put(working, slot, {"v": None, "c": CERTAIN, "op": "clear", "x": 1})
    value = decode(held["v"])
    question = ask(form_type, spec, value, WRONG, (), language_of([value]))
    span, agreed = held.get("e"), held.get("ag")
    item = Item(
        slot, value, lower, held.get("src", "user"), tuple(span) if span else None, held.get("p"),
        "set", message=held.get("m"), agreed=tuple(agreed) if agreed else None,
    )  # fmt: skip
    for other in ws.open_pendings(working):
        if other.slot == slot:
            ws.put_pending(other._replace(state="expired"))
    decider.ask(
        working, form_type, slot, dump({"v": held["v"]}), lower, WRONG, question, (),
        {"items": [item_json(item)], "of": held.get("m")},
    )  # fmt: skip


def _again(held: Assertion, confidence: float, usual: int | None) -> Assertion:
    """The same value said again, with another confidence. It keeps its end, or those of its values; ``usual``: in
    place of one that its type gave."""
    ends = {key: held[key] for key in ("u", "ud", "us") if held.get(key) is not None}
    if usual is not None and "ud" in ends:
        ends = {"u": usual, "ud": 1}
    return said_again(held, c=confidence, **ends)


def mark_edge(decider: Decider, edge: EdgeRecord, *, right: bool) -> None:
    """Marks an edge. Conflict where it stands no more."""
    ws = decider.ws
    if edge.status not in ("active", "candidate"):
        raise Conflict(f"edge {edge.id} is {edge.status}: it says nothing to mark")
    now = strength(edge, life_of(ws.catalog, edge), ws.now)
    weight = min(1.0, now + GAIN) if right else max(0.0, now - LOSS)
    # what a person said of a rule's edge is no longer derived: rebuilding keeps it
    made_by = edge.made_by if edge.made_by.startswith(MARKED) else MARKED + edge.made_by
    near = edge.made_by.removeprefix(MARKED) == NEAR
    status = edge.status if near and right else "active" if right else "candidate"
    ws.put_edge(
        edge._replace(
            weight=round(weight, 6), last_hit=max(edge.last_hit, ws.now), status=status, made_by=made_by
        )
    )
    decider.outcome.edges.append(edge.id)
    decider.outcome.took = True
    if not right:
        labels = (decider.label(edge.source), decider.label(edge.target))
        decider.outcome.questions.append(
            ask(None, None, f"{labels[0]} → {labels[1]}", "wrong_edge", (), language_of(labels))
        )


__all__ = ["GAIN", "LOSS", "WRONG", "mark_edge", "mark_slot"]
