"""What older versions of a Form type wrote, read as today's: renames, maps, drops, changed types, defaults.

Every payload says under which version of its type it was written (``y``; 1 where it says nothing), and a head
is in the terms of its record's ``type_version``. The steps of the versions after that one are taken in order;
then a value that its slot's type can't hold any more is read as that type says. What is stored stays as it is
until the Form is written again.

``slots`` are a payload's or a state's: slot → assertion or list of assertions, changed in place.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from forms_dynamics.model.record import PendingRecord
from forms_dynamics.model.value import decode, encode, from_micros
from forms_dynamics.schema.spec import FormType, SlotSpec

Slots = MutableMapping[str, Any]

_TEXTUAL = frozenset({"text", "ref", "phone", "email", "url", "duration"})
_KEYS = {
    "money": {"amount", "currency"}, "number": {"number"}, "percent": {"number"}, "date": {"date"},
    "datetime": {"time"},
}  # fmt: skip
_ORDERED = frozenset({"integer", "number", "percent", "money", "date", "datetime"})


@dataclass(frozen=True, slots=True)
class Unread:
    """A stored value that today's type has no place for: ``spec`` None where the slot itself is gone."""

    slot: str
    value: Any
    spec: SlotSpec | None
    why: str


def steps_after(form_type: FormType, written: int) -> Iterator[tuple[int, str, Any]]:
    """(version, kind, what) of the migration steps that lead from ``written`` to today, in order."""
    for version, steps in form_type.migrations.items():  # in order, as read
        if version > written:
            for step in steps:
                for kind, what in step.items():
                    yield version, kind, what


def migrate(slots: Slots, written: int, form_type: FormType) -> list[str]:
    """Brings assertions written under version ``written`` into the terms of today's type. Nothing to do for
    what today's version wrote; a value that can't be read as its slot's type stays as it was said. Tells what
    the steps did, in words."""
    told: list[str] = []
    if written >= form_type.version:
        return told
    for version, kind, what in steps_after(form_type, written):
        if kind in _STEPS:
            told += [f"{version}: {words}" for words in _STEPS[kind](slots, what)]
    for name, given in slots.items():
        spec = form_type.slots.get(name)
        for assertion in _each(given):
            if spec is not None and not fits(spec, assertion.get("v")):
                read = _reread(spec, assertion)
                if read is not None:
                    assertion["v"] = read
                    told.append(f"{form_type.version}: {name} is read as {spec.type}")
    return told


def migrate_avoided(avoided: Slots, written: int, form_type: FormType) -> None:
    """The same for a state's avoided values (slot → encoded values)."""
    if written >= form_type.version:
        return
    for _, kind, what in steps_after(form_type, written):
        if kind == "rename":
            for old, new in what.items():
                if old in avoided:
                    avoided[new] = [*avoided.pop(old), *avoided.pop(new, ())]
        elif kind == "drop":
            for name in what:
                avoided.pop(name, None)
        elif kind == "map":
            for name, values in what.items():
                if name in avoided:
                    avoided[name] = [_mapped(value, values) for value in avoided[name]]


def defaults(form_type: FormType, written: int) -> Iterator[tuple[str, Any]]:
    """(slot, encoded value) that a Form first written under ``written`` is read with where it says nothing,
    under the slot's name of today."""
    for version, kind, what in steps_after(form_type, written):
        if kind != "default":
            continue
        for name, value in what.items():
            if value is None:
                continue
            made: dict[str, Any] = {name: {"v": encode(value), "t": 0}}
            migrate(made, version, form_type)
            for slot, assertion in made.items():
                spec = form_type.slots.get(slot)
                if spec is not None and not fits(spec, assertion["v"]):
                    assertion["v"] = _reread(spec, assertion) or assertion["v"]
                yield slot, assertion["v"]


def name_today(form_type: FormType, slot: str, written: int = 1) -> str | None:
    """The name of today for a slot named under ``written``; None where it was dropped."""
    name = slot
    for _, kind, what in steps_after(form_type, written):
        if kind == "rename":
            name = what.get(name, name)
        elif kind == "drop" and name in what:
            return None
    return name


def pending_today(item: PendingRecord, form_type: FormType | None) -> PendingRecord:
    """A pending item that was asked under an older version, with its slots named as today."""
    if form_type is None or item.slot is None or item.slot in form_type.slots:
        return item
    slot = name_today(form_type, item.slot)
    if slot is None:
        return item
    draft = json.loads(item.draft)
    for raw in draft.get("items", ()):
        raw["slot"] = name_today(form_type, raw["slot"]) or raw["slot"]
    return item._replace(slot=slot, draft=json.dumps(draft, ensure_ascii=False))


def unread(slots: Slots, form_type: FormType) -> Iterator[Unread]:
    """What of migrated assertions today's type can't hold."""
    for name, given in slots.items():
        spec = form_type.slots.get(name)
        for assertion in _each(given):
            value = assertion.get("v")
            if value is None:
                continue
            if spec is None:
                yield Unread(name, value, None, "the slot is gone")
            elif not fits(spec, value):
                yield Unread(name, value, spec, _why(spec, value))


def fits(spec: SlotSpec, value: Any) -> bool:
    """Whether an encoded value is one that the slot holds, or could have been given."""
    if value is None:
        return True
    if isinstance(value, list):
        return spec.many and all(_fits_one(spec, item) for item in value)
    return _fits_one(spec, value)


def _fits_one(spec: SlotSpec, value: Any) -> bool:
    kind = spec.type
    if kind in _TEXTUAL:
        return isinstance(value, str)
    if kind == "enum":
        return isinstance(value, str) and value in spec.values
    if kind == "boolean":
        return isinstance(value, bool)
    if isinstance(value, dict) and value.keys() == {"min", "max"}:
        ends = [end for end in value.values() if end is not None]
        if kind == "date_range":
            return all(isinstance(end, dict) and end.keys() == {"date"} for end in ends)
        return kind in _ORDERED and all(_fits_one(spec, end) for end in ends)
    if kind in ("integer", "number", "percent") and isinstance(value, int):
        return not isinstance(value, bool)
    if kind == "integer":
        return False
    return isinstance(value, dict) and value.keys() == _KEYS.get(kind)


def _reread(spec: SlotSpec, assertion: Mapping[str, Any]) -> Any:
    """The encoded value as the slot's type reads it; None where it can't without a guess."""
    from forms_dynamics.schema.coerce import coerce

    said = from_micros(assertion["t"]).astimezone(UTC)
    value = decode(assertion["v"])
    if isinstance(value, tuple) and not spec.many:
        if len(value) != 1:
            return None
        value = value[0]
    for given in (value, _plain(value)):
        try:
            read = coerce(spec, given, said)
        except (TypeError, ValueError, ArithmeticError):
            continue
        if read.value is not None and not (read.hedged or read.vague or read.candidates):
            return encode(list(read.value) if isinstance(read.value, tuple) else read.value)
    return None


def _plain(value: Any) -> Any:
    from forms_dynamics.schema.wording import format_value

    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str) else format_value(value, None, "en").replace(",", "")


def _why(spec: SlotSpec, value: Any) -> str:
    if isinstance(value, list) and not spec.many:
        return f"it holds {len(value)} values and the slot takes one"
    if spec.type == "enum":
        return "the enum has no such value"
    return f"it can't be read as {spec.type}"


# -- steps ---------------------------------------------------------------------------------------------------
def _each(given: Any) -> Sequence[dict[str, Any]]:
    return given if isinstance(given, list) else (given,)


def _rename(slots: Slots, names: Mapping[str, str]) -> list[str]:
    told: list[str] = []
    for old, new in names.items():
        if old in slots:
            moved = slots.pop(old)
            both = [*_each(slots[new]), *_each(moved)] if new in slots else None
            if both is not None and all("t" in one for one in both):
                both.sort(key=lambda a: (a.get("f", a["t"]), a.get("n", 0)))
            slots[new] = moved if both is None else both
            told.append(f"{old} is read as {new}")
    return told


def _map(slots: Slots, changes: Mapping[str, Mapping[Any, Any]]) -> list[str]:
    told: list[str] = []
    for name, values in changes.items():
        for assertion in _each(slots[name]) if name in slots else ():
            before = assertion.get("v")
            assertion["v"] = _mapped(before, values)
            if assertion["v"] != before:
                told.append(f"{name}: {_shown(before)} is read as {_shown(assertion['v'])}")
    return told


def _shown(value: Any) -> str:
    return str(_plain(decode(value)))


def _mapped(value: Any, values: Mapping[Any, Any]) -> Any:
    """Keys of a ``map`` are texts: they stand for the value whose plain form they are."""
    if isinstance(value, list):
        return [_mapped(item, values) for item in value]
    told = str(value).lower() if isinstance(value, bool) else value if isinstance(value, str) else None
    if told is None and value is not None:
        told = str(_plain(decode(value)))
    return encode(values[told]) if told in values else value


def _drop(slots: Slots, names: Sequence[str]) -> list[str]:
    dropped = [name for name in names if name in slots]
    for name in dropped:
        del slots[name]
    return [f"{name} is not read any more" for name in dropped]


_STEPS: Mapping[str, Callable[[Slots, Any], list[str]]] = {"rename": _rename, "map": _map, "drop": _drop}

__all__ = [
    "Unread", "defaults", "fits", "migrate", "migrate_avoided", "name_today", "pending_today",
    "steps_after", "unread",
]  # fmt: skip
