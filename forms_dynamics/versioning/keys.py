"""The names under which a Form is found: a pure function of its state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from forms_dynamics.assertions import winner
from forms_dynamics.language.names import core
from forms_dynamics.language.normal import normal
from forms_dynamics.model.record import HIDDEN, JOINT, KeyRecord, is_hidden
from forms_dynamics.model.value import decode
from forms_dynamics.projection import State
from forms_dynamics.schema.coerce import key_text
from forms_dynamics.schema.spec import FormType


def anonymous_name(conversation: str) -> str:
    """The name of Forms of a conversation whose identity is not yet known."""
    return HIDDEN + "?" + conversation


def external_name(external_id: str) -> str:
    """The key text of an external id."""
    return normal(external_id)


def alias_name(alias: str) -> str:
    """The key text of an alias; what joins the parts of a key stays, and so does the id of a conversation or user."""
    return JOINT.join(part if part.startswith(HIDDEN) else normal(part) for part in alias.split(JOINT))


def context_names(form_type: FormType | None, state: State, at: int) -> list[str]:
    """The complete keys of a Form that hold who spoke, or where."""
    if form_type is None or form_type.identity.each:
        return []
    values = own_values(form_type, state, at)
    keys = [key for key in form_type.identity.keys if any(p.startswith("$") for p in key)]
    return [JOINT.join(values[p] for p in key) for key in keys if all(p in values for p in key)]


def given_to(payload: Mapping[str, Any], form_type: FormType | None, was: str, now: str) -> dict[str, Any]:
    """A version's payload as it stands where its Form goes from the owner ``was`` to ``now``: what holds the
    owner in it is the context of the Form and, once Forms were merged, whole keys among the aliases."""
    out = dict(payload)
    held, holds = HIDDEN + was, HIDDEN + now
    if out.get("k", {}).get("$user") == held:
        out["k"] = {**out["k"], "$user": holds}
    if out.get("al"):
        out["al"] = [_given_to(alias, form_type, held, holds) for alias in out["al"]]
    return out


def _given_to(alias: str, form_type: FormType | None, held: str, holds: str) -> str:
    """A conversation may be called as the owner is: the keys of the type tell which of them a part is."""
    parts = alias.split(JOINT)
    keys = [key for key in (form_type.identity.keys if form_type else ()) if len(key) == len(parts)]
    for at, part in enumerate(parts):
        here = {key[at] for key in keys}
        if part == held and ("$user" in here or "$conversation" not in here):
            parts[at] = holds
    return JOINT.join(parts)


def base(slots: str) -> str:
    """What a key is of, without the Form id that makes a shared key unique."""
    return slots.partition("#")[0]


def own_values(form_type: FormType, state: State, at: int) -> dict[str, str]:
    """Identity slots (and ``$`` parts kept at creation) → key text of what the Form says now."""
    out: dict[str, str] = dict(state.get("k", {}))
    for name in form_type.identity.slots:
        held = winner(form_type.slots[name], state["s"].get(name, ()), at)
        if held is not None:
            out[name] = key_text(form_type.slots[name], decode(held["v"]))
    return out


def keys_for(
    form_type: FormType,
    form: str,
    state: State,
    at: int,
    *,
    conversation: str,
    active: bool,
    indexed: frozenset[str],
    joined: frozenset[str] = frozenset(),
) -> set[KeyRecord]:
    """All keys of a Form. Its first complete identity key is unique while it is active; all others are shared.
    Slots in ``joined`` are names though they be part of an identity key that is not complete."""
    kind = form_type.name
    values = own_values(form_type, state, at)
    out: set[KeyRecord] = set()
    primary_open = active and not form_type.identity.each
    complete = False
    covered: set[str] = set()
    for key in form_type.identity.keys if not form_type.identity.each else ():
        if not all(part in values for part in key):
            continue
        complete = True
        covered.update(key)
        name = JOINT.join(values[part] for part in key)
        slots = "+".join(key)
        out.add(KeyRecord(name, kind, slots if primary_open else f"{slots}#{form}", form))
        primary_open = False
        if len(key) == 1:
            short = core(name)
            if short != name:
                out.add(KeyRecord(short, kind, f"~#{form}", form))
        else:
            out.update(KeyRecord(values[p], kind, f"{p}#{form}", form) for p in key if not p.startswith("$"))
    if not complete and not form_type.identity.each:
        out.add(KeyRecord(anonymous_name(conversation), kind, f"?#{form}", form))
    out.update(KeyRecord(alias_name(alias), kind, f"alias#{form}", form) for alias in state["al"])
    out.update(KeyRecord(external_name(e), kind, "@" if active else f"@#{form}", form) for e in state["ext"])
    out.update(
        _indexed(form_type, form, state, at, (indexed - form_type.identity.slots) | (joined - covered))
    )
    return out


def _indexed(form_type: FormType, form: str, state: State, at: int, slots: frozenset[str]) -> set[KeyRecord]:
    out: set[KeyRecord] = set()
    for name in slots:
        spec = form_type.slots.get(name)
        held = winner(spec, state["s"].get(name, ()), at) if spec is not None else None
        if spec is None or held is None:
            continue
        value = decode(held["v"])
        for one in value if isinstance(value, tuple) else (value,):
            out.add(KeyRecord(key_text(spec, one), form_type.name, f"{name}#{form}", form))
    return out


def words_of(state: State, slots: Mapping[str, Any], at: int) -> str:
    """What full text and vectors index of a Form: its values as words."""
    out: list[str] = []
    for name, timeline in state["s"].items():
        held = timeline[0] if len(timeline) == 1 else winner(slots.get(name), timeline, at)
        if held is not None:
            _say(held["v"], out)
    out.extend(alias for alias in state["al"] if not is_hidden(alias))
    return " ".join(out)


def _say(value: Any, out: list[str]) -> None:
    if isinstance(value, str):
        out.append(value)
    elif isinstance(value, list):
        for item in value:
            _say(item, out)
    elif isinstance(value, dict):
        for item in value.values():
            _say(item, out)
    elif value is not None and not isinstance(value, bool):
        out.append(str(value))
