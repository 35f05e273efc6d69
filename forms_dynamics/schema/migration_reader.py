"""The ``migrations:`` of a Form type: steps from older versions to today's, checked to lead there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from forms_dynamics.schema.findings import nearest
from forms_dynamics.schema.reader import Reader
from forms_dynamics.schema.source import Node
from forms_dynamics.schema.spec import SlotSpec

MIGRATION_STEPS = ("rename", "default", "drop", "map")


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry of a step, with the nodes to point at."""

    version: int
    step: int  # entries of one step are taken at once
    kind: str
    slot: str
    key: Node
    value: Node | None = None
    read: Any = None


def read_migrations(
    reader: Reader, node: Node, version: int, slots: Mapping[str, SlotSpec]
) -> dict[int, Sequence[Mapping[str, Any]]]:
    """Version → steps that lead to it, in order. What leads nowhere is an error: a rename to a slot that is not
    there in the end, a map to a value that the enum lacks, a default that the slot can't hold, the loss of a
    slot that is declared. Steps beyond ``version`` raise it (a warning)."""
    found: dict[int, Sequence[Mapping[str, Any]]] = {}
    entries: list[_Entry] = []
    for key, steps in reader.pairs(node, "migrations"):
        to = reader.integer(key, "migrations: the version that the steps lead to", 2)
        read = []
        for item in reader.items(steps, f"migrations: {key.value}"):
            step = _step(reader, item, to or 0, entries)
            if step:
                read.append(step)
        if to is None:
            continue
        if to > version:
            reader.warn(
                key,
                f"migrations: steps to version {to}, but the type says version {version}: it is taken for {to}",
            )
        found[to] = tuple(read)
    for entry in entries:
        _check(reader, entry, entries, slots)
    return dict(sorted(found.items()))


def _step(reader: Reader, node: Node, version: int, entries: list[_Entry]) -> dict[str, Any]:
    """``rename: {old: new}``, ``default: {slot: value}``, ``drop: [old]``, ``map: {slot: {old: new}}``."""
    step: dict[str, Any] = {}
    number = entries[-1].step if entries else 0
    for kind, body in reader.fields(node, MIGRATION_STEPS, "a migration step").items():
        what = f"migrations: {kind}"
        number += 1
        if kind == "drop":
            step[kind] = reader.words(body, what)
            nodes = body.value if body.kind == "sequence" else [body]
            entries += [
                _Entry(version, number, kind, name, at) for name, at in zip(step[kind], nodes, strict=False)
            ]
            continue
        made: dict[str, Any] = {}
        for key, value in reader.pairs(body, what):
            name = reader.word(key, what)
            if name is None:
                continue
            if kind == "rename":
                read: Any = reader.name(value, what)
            elif kind == "map":
                changes = reader.pairs(value, f"{what} of {name!r}")
                read = {old.value: reader.plain(new, what) for old, new in changes}
            else:
                read = reader.plain(value, what)
            if kind == "rename" and read is None:
                continue
            made[name] = read
            entries.append(_Entry(version, number, kind, name, key, value, read))
        step[kind] = made
    return step


def _after(entry: _Entry, entries: Sequence[_Entry], kind: str) -> Iterator[_Entry]:
    """Entries of a kind that are taken after this one."""
    return (other for other in entries if other.kind == kind and _later(other, entry))


def _later(other: _Entry, entry: _Entry) -> bool:
    return (other.version, other.step) > (entry.version, entry.step)


def _named_today(entry: _Entry, entries: Sequence[_Entry], name: str) -> str | None:
    """What a slot of that step is called in the end; None where a later step drops it."""
    renamed = -1  # the step that named it last
    for other in sorted(entries, key=lambda e: (e.version, e.step)):
        if not _later(other, entry) or other.slot != name or other.step == renamed:
            continue
        if other.kind == "rename":
            name, renamed = other.read, other.step
        elif other.kind == "drop":
            return None
    return name


def _check(reader: Reader, entry: _Entry, entries: Sequence[_Entry], slots: Mapping[str, SlotSpec]) -> None:
    where = f"migrations {entry.version}: {entry.kind}"
    if entry.kind == "drop":
        renamed = any(other.read == entry.slot for other in _after(entry, entries, "rename"))
        if entry.slot in slots and not renamed and entry.version == _last(entries):
            reader.error(
                entry.key, f"{where}: the slot {entry.slot!r} is declared; drop it there or keep it here"
            )
        return
    start = entry.read if entry.kind == "rename" else entry.slot
    name = _named_today(entry, entries, start)
    if name is None:
        return
    spec = slots.get(name)
    if spec is None:
        at = entry.value if entry.kind == "rename" and entry.value is not None else entry.key
        reader.error(at, f"{where}: there is no slot {name!r}", nearest(name, slots))
    elif entry.kind == "map" and spec.type == "enum":
        for old, new in entry.read.items():
            told = _mapped_today(entry, entries, name, str(new))
            if told not in spec.values:
                reader.error(
                    entry.key, f"{where}: {old!r} becomes {told!r}, which {name!r} does not take",
                    nearest(told, spec.values),
                )  # fmt: skip
    elif entry.kind == "default" and entry.read is not None:
        _check_default(reader, entry, where, name, spec, entries)


def _last(entries: Sequence[_Entry]) -> int:
    return max(entry.version for entry in entries)


def _mapped_today(entry: _Entry, entries: Sequence[_Entry], name: str, value: str) -> str:
    for other in _after(entry, entries, "map"):
        if _named_today(other, entries, other.slot) == name:
            value = str(other.read.get(value, value))
    return value


def _check_default(
    reader: Reader, entry: _Entry, where: str, name: str, spec: SlotSpec, entries: Sequence[_Entry]
) -> None:
    from forms_dynamics.schema.coerce import coerce

    value = entry.read
    if isinstance(value, str):
        value = _mapped_today(entry, entries, name, value)
    read = coerce(spec, value, datetime(2000, 1, 1, tzinfo=UTC))
    if read.value is None or read.hedged or read.vague:
        hint = nearest(str(value), spec.values) if spec.type == "enum" else None
        why = read.error or f"{name}: {value!r} is no {spec.type}"
        reader.error(entry.value or entry.key, f"{where}: {why}", hint)


__all__ = ["MIGRATION_STEPS", "read_migrations"]
