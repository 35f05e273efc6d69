"""What a changed YAML does to Forms that are stored already: told before a deploy, minded at every opening.

A store notes the shape of each Form type that it holds Forms of. A memory that opens it with another shape
looks at the stored Forms where something might have no place any more, refuses what would be lost (SchemaError
says what to declare), and brings the names by which Forms are found in line. Forms themselves stay as they are
on disk until they are written again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from forms_dynamics.errors import SchemaError
from forms_dynamics.migration import (
    Misfit,
    as_read,
    misfits,
    name_today,
    remedy,
    steps_after,
    written_under,
)
from forms_dynamics.model.record import FormRecord, Scope, VersionRecord
from forms_dynamics.ports import Store
from forms_dynamics.projection import state_of
from forms_dynamics.schema.findings import Finding, Severity
from forms_dynamics.schema.shape import Shape, narrower, renames_keys, shape, shape_text
from forms_dynamics.schema.spec import Catalog, FormType
from forms_dynamics.versioning.workspace import Workspace

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Effect:
    """What the YAML does to the stored Forms of one type. ``versions``: version of the type → Forms that were
    last written under it. ``notes``: what is read otherwise than it stands, a line each."""

    form_type: str
    declared: int | None  # the version that the YAML declares; None: no such type
    forms: int
    versions: Mapping[int, int]
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class Compatibility:
    """A YAML beside a store. An error among ``findings`` refuses to open."""

    effects: Sequence[Effect]
    findings: Sequence[Finding]

    @property
    def ok(self) -> bool:
        """Whether nothing stored would lose its place."""
        return all(finding.severity != "error" for finding in self.findings)


def compatibility(
    store: Store, catalog: Catalog, tenants: Sequence[str] | None = None, types: Collection[str] | None = None
) -> Compatibility:
    """Reads every stored Form of ``tenants`` (None: all) and ``types`` (None: all) through the YAML, page by
    page, and tells what becomes of it. Writes nothing."""
    tallies: dict[str, _Tally] = {}
    for tenant in store.tenants() if tenants is None else tenants:
        noted = store.shapes(Scope(tenant, ""))
        for owner in store.owners(Scope(tenant, "")):
            for record, chain in _chains(store, Scope(tenant, owner)):
                if types is None or record.type in types:
                    form_type = catalog.types.get(record.type)
                    tally = tallies.setdefault(record.type, _Tally(record.type, form_type))
                    tally.add(record, chain, noted.get(record.type))
    told = [tallies[name] for name in sorted(tallies)]
    return Compatibility(
        tuple(tally.effect() for tally in told),
        tuple(finding for tally in told for finding in tally.findings()),
    )


def adopt(store: Store, catalog: Catalog, scope: Scope) -> None:
    """Opens what the scope's tenant holds to the catalog. SchemaError where something would lose its place;
    else the names of Forms are brought in line with what changed, and the new shapes noted.

    One query where nothing changed; a type whose shape is not known (a store of the first release, Forms loaded
    before their type) is read whole, once; where a slot is gone or narrower, the Forms of that type are read; where
    identity changed, their names are written anew.
    """
    noted = store.shapes(scope)
    changed: dict[str, Shape | None] = {
        name: json.loads(text) if text else None
        for name, text in noted.items()
        if name in catalog.types and text != shape_text(catalog.types[name])
    }
    if not changed:
        return
    now: dict[str, Shape] = {name: shape(catalog.types[name]) for name in changed}
    doubtful = [
        name for name, was in changed.items() if was is None or _may_lose(was, now[name], catalog.types[name])
    ]
    if doubtful:
        errors = [
            f
            for f in compatibility(store, catalog, [scope.tenant], doubtful).findings
            if f.severity == "error"
        ]
        if errors:
            raise SchemaError(errors)
    if store.read_only:
        return
    for name, was in changed.items():
        if was is None or renames_keys(was, now[name]):
            for owner in store.owners(scope):
                _name_anew(store, catalog, Scope(scope.tenant, owner), name)
    store.put_shapes(scope, {name: shape_text(catalog.types[name]) for name in changed})


def _may_lose(before: Shape, now: Shape, form_type: FormType) -> bool:
    """Whether Forms written under ``before`` may hold what the type has no place for: then they are read. Slots
    and values more, wider ones, and slots that the migrations rename or drop lose nothing."""
    if now["version"] < before["version"]:
        return True
    taken: set[str | None] = set()  # by a slot before: two in one may cover each other
    for slot, was in before["slots"].items():
        name = name_today(form_type, slot, before["version"])
        if name is not None and (
            name not in now["slots"] or narrower(was, now["slots"][name]) or name in taken
        ):
            return True
        taken.add(name)
    return False


def _name_anew(store: Store, catalog: Catalog, scope: Scope, type: str) -> None:
    """Makes the keys of all Forms of a type anew, in one transaction an owner."""
    with store.writing(scope):
        store.drop_keys(scope, type)
        after: str | None = None
        while page := store.find(scope, type, None, _CHUNK, after):
            ws = Workspace(store, scope, catalog, 0)
            ws.load(record.id for record in page)
            found = [working for record in page if (working := ws.own(record.id)) is not None]
            ws.name(found)
            store.apply(scope, ws.finish())
            after = page[-1].id


def _chains(store: Store, scope: Scope) -> Iterator[tuple[FormRecord, list[VersionRecord]]]:
    """Each Form of the owner with its chain; both scans are in order of the Forms' ids."""
    versions = store.scan(scope, "versions")
    ahead: VersionRecord | None = next(versions, None)
    for record in store.scan(scope, "forms"):
        chain: list[VersionRecord] = []
        while ahead is not None and ahead.form <= record.id:
            if ahead.form == record.id:
                chain.append(ahead)
            ahead = next(versions, None)
        yield record, chain


@dataclass(slots=True)
class _Lost:
    """Values that have no place, of one slot and for one reason."""

    example: Any
    values: int = 0
    forms: set[str] = field(default_factory=set)


class _Tally:
    """What is seen of one type."""

    def __init__(self, name: str, form_type: FormType | None) -> None:
        self.name = name
        self.form_type = form_type
        self.forms = 0
        self.versions: Counter[int] = Counter()
        self.ahead: list[str] = []
        self.lost: dict[tuple[str, str], _Lost] = {}
        self.covered: dict[tuple[int, str, str], set[str]] = {}  # version, slot, the slot it is renamed to
        self.units: dict[tuple[str, str, str], set[str]] = {}  # slot, its unit as stored and as declared
        self.read: dict[str, set[str]] = {}  # a step, in words → Forms that it concerns

    def add(self, record: FormRecord, chain: Sequence[VersionRecord], noted: str | None) -> None:
        """``noted``: the shape in which the store has the type."""
        self.forms += 1
        self.versions[record.type_version] += 1
        form_type = self.form_type
        if form_type is None:
            return
        if record.type_version > form_type.version:
            self.ahead.append(record.id)
            return
        said = [json.loads(version.payload) for version in chain if version.payload is not None]
        self._covered(record.id, form_type, said)
        seen: set[str] = set()
        for data in said:
            self._payload(record.id, form_type, data, seen)
        held = state_of(record, form_type)["s"]
        for item in misfits(held, form_type):
            # added one by one, which no version tells by itself
            known = self.lost.get((item.slot, item.why))
            if isinstance(item.value, list) and (known is None or record.id not in known.forms):
                self._miss(record.id, item)
        if noted:
            self._units(record.id, form_type, json.loads(noted)["slots"], held)
        oldest = min(map(written_under, said), default=form_type.version)
        for step, kind, what in steps_after(form_type, oldest):
            if kind == "default":
                for slot, value in what.items():
                    if value is not None and slot not in seen:
                        self._note(f"{step}: default {slot} = {value}", record.id)

    def _payload(self, form: str, form_type: FormType, data: Mapping[str, Any], seen: set[str]) -> None:
        seen.update(data.get("s", {}))
        slots, told = as_read(data, form_type)
        for words in told:
            self._note(words, form)
        seen.update(slots)
        for item in misfits(slots, form_type):
            self._miss(form, item)

    def _covered(self, form: str, form_type: FormType, said: Sequence[Mapping[str, Any]]) -> None:
        """Renames that bring two slots of the Form into one, where only one of them would be read."""
        written = sorted(((written_under(data), set(data.get("s", {}))) for data in said), key=lambda w: w[0])
        names: set[str] = set()
        for version, kind, what in steps_after(form_type, written[0][0] if written else form_type.version):
            while written and written[0][0] < version:
                names |= written.pop(0)[1]
            if kind == "drop":
                names -= set(what)
            if kind != "rename":
                continue
            moved = {old: new for old, new in what.items() if old in names}
            kept = names - moved.keys()
            for old, new in moved.items():
                if new in kept:
                    self.covered.setdefault((version, old, new), set()).add(form)
                kept.add(new)
            names = kept

    def _units(
        self, form: str, form_type: FormType, before: Mapping[str, Any], held: Collection[str]
    ) -> None:
        for slot in held:
            spec, was = form_type.slots.get(slot), before.get(slot)
            if spec is None or was is None or spec.type == "money" or was.get("unit") == spec.unit:
                continue
            self.units.setdefault((slot, was.get("unit") or "no unit", spec.unit or "no unit"), set()).add(
                form
            )

    def _note(self, words: str, form: str) -> None:
        self.read.setdefault(words, set()).add(form)

    def _miss(self, form: str, item: Misfit) -> None:
        lost = self.lost.setdefault((item.slot, item.why), _Lost(item.value))
        lost.values += 1
        lost.forms.add(form)

    # -- telling ---------------------------------------------------------------------------------------------
    def effect(self) -> Effect:
        notes = [f"{words} ({_count(len(forms), 'Form')})" for words, forms in self.read.items()]
        declared = self.form_type.version if self.form_type else None
        return Effect(self.name, declared, self.forms, dict(sorted(self.versions.items())), tuple(notes))

    def findings(self) -> Iterator[Finding]:
        form_type = self.form_type
        if form_type is None:
            yield Finding(
                "", 0, 0,
                f"{_count(self.forms, 'Form')} of type {self.name}, which is not declared: kept, and read by id"
                " only, without labels and identity",
                severity="warning",
            )  # fmt: skip
            return
        if self.ahead:
            yield self._at(
                f"version {form_type.version} is declared here, and {_count(len(self.ahead), 'Form')} of version"
                f" {max(self.versions)} stored (such as {self.ahead[0]}): use the newer YAML"
            )
        for (slot, why), lost in self.lost.items():
            yield self._finding(form_type, slot, why, lost)
        for (version, old, new), forms in self.covered.items():
            yield self._at(
                f"migrations {version}: the rename covers slot {new!r} with {old!r}, and {_count(len(forms), 'Form')}"
                f" hold both: name another slot, or {{drop: [{new}]}} in a step before"
            )
        for (slot, was, now), forms in self.units.items():
            yield self._at(
                f"slot {slot!r}: {_count(len(forms), 'Form')} hold numbers in {was}, which will read as {now}: name a"
                " new slot for the new unit, unless only the word was wrong",
                severity="warning",
            )

    def _finding(self, form_type: FormType, slot: str, why: str, lost: _Lost) -> Finding:
        misfit = Misfit(slot, lost.example, form_type.slots.get(slot), why)
        way, near = remedy(form_type, max(self.versions), misfit)
        held = f"{_count(len(lost.forms), 'Form')} ({_count(lost.values, 'value')}), such as"
        held = f"{held} {json.dumps(lost.example, ensure_ascii=False)}"
        if misfit.spec is None:
            return self._at(f"slot {slot!r} is gone, and held by {held}: {way}", near)
        return self._at(f"slot {slot!r}: {why}, in {held}: {way}")

    def _at(self, message: str, suggestion: str | None = None, severity: Severity = "error") -> Finding:
        declared = self.form_type
        file, line = (declared.file, declared.line) if declared is not None else ("", 0)
        return Finding(file, line, 1 if line else 0, f"{self.name}: {message}", suggestion, severity)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


__all__ = ["Compatibility", "Effect", "adopt", "compatibility"]
