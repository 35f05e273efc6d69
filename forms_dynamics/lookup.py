"""Finding Forms by type, status and slot values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from forms_dynamics.errors import InvalidInput
from forms_dynamics.inputs import no_slot
from forms_dynamics.model.form import Form
from forms_dynamics.model.record import FormRecord, Scope
from forms_dynamics.model.value import to_micros
from forms_dynamics.ports import Store
from forms_dynamics.reader import Reader
from forms_dynamics.schema.coerce import coerce, key_text, same
from forms_dynamics.schema.spec import Catalog, SlotSpec
from forms_dynamics.settings import Settings

_PAGE = 500


def find(
    store: Store,
    reader: Reader,
    catalog: Catalog,
    settings: Settings,
    scope: Scope,
    at: datetime,
    form_type: str | None,
    status: str | None,
    limit: int,
    after: str | None,
    slots: Mapping[str, Any],
    as_of: int | None = None,
    known_at: int | None = None,
) -> list[Form]:
    """Forms in order of id whose known values equal ``slots`` (normalised; any one of a many-valued slot)."""
    now = to_micros(at)
    if as_of is not None or known_at is not None:
        wanted = _wanted(catalog, settings, form_type, slots, at) if slots else {}
        found: list[Form] = []
        while len(found) < limit:  # today's names and status say nothing of then
            records = store.find(scope, form_type, None, _PAGE, after)
            forms = _project(reader, scope, records, now, as_of, known_at)
            found.extend(f for f in forms.values() if status in (None, f.status) and _matches(f, wanted))
            if len(records) < _PAGE:
                break
            after = records[-1].id
        return found[:limit]
    if not slots:
        records = store.find(scope, form_type, status, limit, after)
        return list(_project(reader, scope, records, now).values())
    wanted = _wanted(catalog, settings, form_type, slots, at)
    by_name = _by_index(store, catalog, scope, form_type, wanted)
    out: list[Form] = []
    while len(out) < limit:
        if by_name is not None:
            records = [r for id, r in sorted(by_name.items()) if after is None or id > after]
            records = [r for r in records if r.type == form_type and (status is None or r.status == status)]
        else:
            records = store.find(scope, form_type, status, _PAGE, after)
        forms = _project(reader, scope, records, now)
        out.extend(f for f in forms.values() if _matches(f, wanted))
        if by_name is not None or len(records) < _PAGE:
            break
        after = records[-1].id
    return out[:limit]


def _project(
    reader: Reader,
    scope: Scope,
    records: Sequence[FormRecord],
    now: int,
    as_of: int | None = None,
    known_at: int | None = None,
) -> dict[str, Form]:
    return reader.project(scope, {r.id: r for r in records}, [r.id for r in records], now, as_of, known_at)


def _wanted(
    catalog: Catalog, settings: Settings, form_type: str | None, slots: Mapping[str, Any], at: datetime
) -> dict[str, tuple[SlotSpec, Any]]:
    if form_type is None:
        raise InvalidInput("finding by slot values needs a form_type")
    declared = catalog.types[form_type]
    out: dict[str, tuple[SlotSpec, Any]] = {}
    for name, raw in slots.items():
        spec = declared.slots.get(name)
        if spec is None:
            raise InvalidInput(no_slot(form_type, name, declared.slots))
        read = coerce(spec, raw, at, settings.date_order, verbatim=True)
        if read.value is None:
            raise InvalidInput(f"{form_type}.{name}: {read.error or f'{raw!r} is no {spec.type}'}")
        out[name] = (spec, read.value)
    return out


def _by_index(
    store: Store,
    catalog: Catalog,
    scope: Scope,
    form_type: str | None,
    wanted: Mapping[str, tuple[SlotSpec, Any]],
) -> dict[str, FormRecord] | None:
    """The Forms behind an indexed slot's value, or None when no given slot is indexed."""
    if form_type is None:
        return None
    for name, (spec, value) in wanted.items():
        single = any(key == (name,) for key in catalog.types[form_type].identity.keys)
        if not isinstance(value, tuple) and (single or name in catalog.indexed.get(form_type, ())):
            keys = store.names(scope, [key_text(spec, value)], form_type)
            return store.forms(scope, list(dict.fromkeys(k.form for k in keys)))
    return None


def _matches(form: Form, wanted: Mapping[str, tuple[SlotSpec, Any]]) -> bool:
    for name, (spec, value) in wanted.items():
        held = form[name]
        if held is None:
            return False
        if isinstance(held, tuple) and not isinstance(value, tuple):
            if not any(same(spec, one, value) for one in held):
                return False
        elif isinstance(held, tuple) and isinstance(value, tuple):
            if not all(any(same(spec, one, v) for one in held) for v in value):
                return False
        elif not same(spec, held, value):
            return False
    return True
