"""What older versions of a Form type wrote, read as today's: renames, maps, drops, changed types, defaults.

Every payload says under which version of its type it was written (``y``; 1 where it says nothing), and a head
is in the terms of its record's ``type_version``. The steps of the versions after that one are taken in order;
then a value that its slot's type can't hold any more is read as that type says. What is stored stays as it is
until the Form is written again.

``slots`` are a payload's or a state's: slot → assertion or list of assertions, changed in place.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from forms_dynamics.model.record import PendingRecord
from forms_dynamics.model.value import Money, Range, decode, encode, from_micros
from forms_dynamics.schema.findings import nearest
from forms_dynamics.schema.spec import ORDERED, TEXTUAL, FormType, SlotSpec

Slots = MutableMapping[str, Any]

_HELD: Mapping[str, type | tuple[type, ...]] = {
    "integer": int, "number": (int, Decimal), "percent": (int, Decimal), "money": Money, "datetime": datetime,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Misfit:
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
    if written >= form_type.version:
        return []
    return _through(slots, steps_after(form_type, written), form_type)


def _through(slots: Slots, steps: Iterable[tuple[int, str, Any]], form_type: FormType) -> list[str]:
    told: list[str] = []
    for version, kind, what in steps:
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


def written_under(data: Mapping[str, Any]) -> int:
    """The version of its type under which a payload was written."""
    version: int = data.get("y", 1)
    return version


def as_read(payload: Mapping[str, Any], form_type: FormType) -> tuple[Slots, list[str]]:
    """A payload's assertions as today's type reads them, in a copy, and what the steps did."""
    slots: Slots = copy.deepcopy(payload.get("s", {}))
    for given in slots.values():
        for assertion in _each(given):
            assertion.setdefault("t", payload["t"])
    return slots, migrate(slots, written_under(payload), form_type)


def migrate_avoided(avoided: Slots, written: int, form_type: FormType) -> None:
    """The same for a state's avoided values (slot → encoded values)."""
    if written >= form_type.version:
        return
    for _, kind, what in steps_after(form_type, written):
        if kind == "rename":
            taken = {old: avoided.pop(old) for old in what if old in avoided}
            for old, values in taken.items():
                avoided[what[old]] = [*avoided.get(what[old], ()), *values]
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
    steps = list(steps_after(form_type, written))
    for i, (_, kind, what) in enumerate(steps):
        for name, value in what.items() if kind == "default" else ():
            if value is not None:
                made: dict[str, Any] = {name: {"v": encode(value), "t": 0}}
                _through(made, steps[i + 1 :], form_type)
                yield from ((slot, assertion["v"]) for slot, assertion in made.items())


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
    """A pending item that was asked under an older version, its slots and values as today's type has them; what
    the type has no slot for any more keeps its name."""
    if form_type is None or not form_type.migrations:
        return item
    value, draft = json.loads(item.value), json.loads(item.draft)
    slot, value["v"] = _today(form_type, item.slot, value.get("v"), item.asked)
    for raw in draft.get("items", ()):
        raw["slot"], raw["value"] = _today(form_type, raw["slot"], raw["value"], item.asked)
    told = (json.dumps(each, ensure_ascii=False) for each in (value, draft))
    return item._replace(slot=slot, value=next(told), draft=next(told))


def _today(form_type: FormType, slot: Any, value: Any, asked: int) -> tuple[Any, Any]:
    if slot is None or (slot in form_type.slots and fits(form_type.slots[slot], value)):
        return slot, value
    made: dict[str, Any] = {slot: {"v": value, "t": asked}}
    _through(made, steps_after(form_type, 1), form_type)
    return next(((name, told["v"]) for name, told in made.items()), (slot, value))


def misfits(slots: Slots, form_type: FormType) -> Iterator[Misfit]:
    """What of migrated assertions today's type can't hold."""
    for name, given in slots.items():
        spec = form_type.slots.get(name)
        for assertion in _each(given):
            value = assertion.get("v")
            if value is None:
                continue
            if spec is None:
                yield Misfit(name, value, None, "the slot is gone")
            elif not fits(spec, value):
                yield Misfit(name, value, spec, _why(spec, value))


def remedy(form_type: FormType, written: int, misfit: Misfit) -> tuple[str, str | None]:
    """What to declare so that a misfit of Forms last written under ``written`` has its place, and the name of
    today that is nearest to what is gone."""
    slot, value, spec = misfit.slot, misfit.value, misfit.spec
    version = form_type.version if form_type.version > written else form_type.version + 1
    raised = "" if version == form_type.version else f"set version: {version} and "
    declare = f"{raised}declare under migrations {version}:"
    if spec is None:
        near = nearest(slot, form_type.slots)
        way = f"{declare} [{{rename: {{{slot}: {near or 'new_name'}}}}}], or [{{drop: [{slot}]}}] to leave it unread"
        return way, near
    if isinstance(value, list) and len(value) > 1 and not spec.many:
        return "keep many: true", None
    if spec.type == "enum" and isinstance(value, str):
        return f"{declare} [{{map: {{{slot}: {{{value}: {nearest(value, spec.values) or '…'}}}}}}}]", None
    if raised:
        return (
            f"set version: {version}; then what can be read as {spec.type} is, and the rest named here",
            None,
        )
    return f"{declare} [{{map: {{{slot}: …}}}}], or keep the old type", None


def fits(spec: SlotSpec, value: Any) -> bool:
    """Whether an encoded value is one that the slot holds."""
    if value is None:
        return True
    if isinstance(value, list):
        return spec.many and all(_fits_one(spec, decode(item)) for item in value)
    return _fits_one(spec, decode(value))


def _fits_one(spec: SlotSpec, value: Any) -> bool:
    kind = spec.type
    if isinstance(value, Range):
        ends = [end for end in (value.min, value.max) if end is not None]
        item = replace(spec, type="date") if kind == "date_range" else spec
        return item.type in ORDERED and all(_fits_one(item, end) for end in ends)
    if kind in TEXTUAL:
        return isinstance(value, str)
    if kind == "enum":
        return isinstance(value, str) and value in spec.values
    if kind == "date":
        return isinstance(value, date) and not isinstance(value, datetime)
    if isinstance(value, bool) or kind == "boolean":
        return isinstance(value, bool) and kind == "boolean"
    return kind in _HELD and isinstance(value, _HELD[kind])


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
    if isinstance(value, list) and not spec.many and len(value) > 1:
        return "it holds several values and the slot takes one"
    if spec.type == "enum":
        return "the enum has no such value"
    return f"it can't be read as {spec.type}"


# -- steps ---------------------------------------------------------------------------------------------------
def _each(given: Any) -> Sequence[dict[str, Any]]:
    return given if isinstance(given, list) else (given,)


def _rename(slots: Slots, names: Mapping[str, str]) -> list[str]:
    """All at once: ``{a: b, b: a}`` swaps two slots."""
    taken = {old: slots.pop(old) for old in names if old in slots}
    for old, moved in taken.items():
        new = names[old]
        both = [*_each(slots[new]), *_each(moved)] if new in slots else None
        if both is not None and all("t" in one for one in both):
            both.sort(key=lambda a: (a.get("f", a["t"]), a.get("n", 0)))
        slots[new] = moved if both is None else both
    return [f"{old} is read as {names[old]}" for old in taken]


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
    "Misfit",
    "as_read",
    "defaults",
    "fits",
    "migrate",
    "migrate_avoided",
    "misfits",
    "name_today",
    "pending_today",
    "remedy",
    "steps_after",
    "written_under",
]  # fmt: skip
