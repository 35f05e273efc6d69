"""Until when a statement holds: the end that it names, or the one that its type gives, which a retelling renews."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, tzinfo
from typing import Any

from forms_dynamics.assertions import USUAL, Assertion, begins, rank, winner, with_end
from forms_dynamics.model.gated import Item
from forms_dynamics.model.value import DAY, days_after, decode, encode
from forms_dynamics.projection import State
from forms_dynamics.reader import named_end
from forms_dynamics.schema.coerce import key_text
from forms_dynamics.schema.spec import FormType, SlotSpec
from forms_dynamics.versioning.verdicts import values_of


def usual_end(form_type: FormType, said: int, start: int | None = None) -> int | None:
    """The end that the type gives to a value that names none, said at a moment, from ``start`` (None: then) on."""
    days = form_type.life.valid_days
    return None if days is None else days_after(start or said, days)


def retold(form_type: FormType, item: Item, held: Assertion | None, said: int) -> Item | Assertion | None:
    """What a retelling changes about until when: one that names another end moves it; where the type gave the end, it
    counts anew. An item or an assertion to be added, or None."""
    if held is None or item.negated or item.op in ("clear", "remove") or said < held["t"]:
        return None
    spec = form_type.slots[item.slot]
    if item.valid_until is not None and rank(spec, item.source) < rank(spec, held.get("src", "user")):
        return None
    if spec.many and (item.valid_until is not None or "us" in held):
        usual = item.valid_until is None
        end = usual_end(form_type, said, item.valid_from) if usual else item.valid_until
        due = None if end is None else _other_ends(spec, held, item.value, end, usual)
        return item._replace(value=due, op="add") if due else None
    if item.valid_until is None:
        return renewed(form_type, item.slot, held, said, item.valid_from)
    return with_end(held, item.valid_until) if item.valid_until != held.get("u") else None


def renewed(
    form_type: FormType, slot: str, held: Assertion, said: int, start: int | None = None
) -> Assertion | None:
    """Where the type gave what is held its end, that which lets it count anew from now on (from a day on: a word
    repeated within one is no news)."""
    own, until = held.get("u"), usual_end(form_type, said, start)
    if until is None:
        return None
    if "us" in held:
        due = _other_ends(form_type.slots[slot], held, decode(held["v"]), until, True)
        again: Assertion = {k: v for k, v in held.items() if k in ("c", "src", "m")}
        return {"v": encode(due), **again, "op": "add", "u": until, "ud": 1} if due else None
    if own is None or until - own < DAY:
        return None
    if not held.get("ud") and own != begins(held) + int((form_type.life.valid_days or 0) * DAY):
        return None
    return {**with_end(held, until), "ud": 1}


def _other_ends(spec: SlotSpec, held: Assertion, value: Any, end: int, usual: bool) -> tuple[Any, ...]:
    """Those of the values told again that a list holds until another end; where none was named (``usual``), those
    whose end its type gave, a day ago or more."""
    ends = held.get("us", [(held.get("u"), USUAL)] * len(held["v"]))
    known = {key_text(spec, decode(v)): its for v, its in zip(held["v"], ends, strict=True)}
    out = []
    for one in values_of(value):
        until, span = known.get(key_text(spec, one), (None, None))
        if until != end and not (usual and (span != USUAL or until is None or end - until < DAY)):
            out.append(one)
    return tuple(out)


def as_named(
    form_type: FormType,
    state: State,
    told: Mapping[str, list[Assertion]],
    n: int,
    at: int,
    zone: tzinfo | None,
) -> Iterator[tuple[str, Assertion]]:
    """Where the Form names its last day (``valid_until``), values end with it and not when the type says. What is
    told now (``told``, in ``state`` above version ``n``) is given that end; what was held before is to be said again,
    by slot."""
    if form_type.life.valid_days is None or "valid_until" not in form_type.slots or not told:
        return
    end = named_end(form_type, state, at, zone or UTC)
    for name in list(state["s"]) if end is not None else ():
        held = winner(form_type.slots.get(name), state["s"][name], at)
        if held is None or end is None or not held.get("ud") or held["u"] == end or end <= begins(held):
            continue
        fresh = [a for a in state["s"][name] if a["n"] > n]
        if not fresh:
            yield name, {**with_end(held, end), "ud": 1}
        for assertion in (*told.get(name, ()), *fresh) if fresh else ():
            if assertion.get("ud"):
                assertion["u"] = end


__all__ = ["as_named", "renewed", "retold", "usual_end"]
