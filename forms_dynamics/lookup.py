"""Finding Forms by type, status and slot values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from forms_dynamics.errors import InvalidInput
from forms_dynamics.inputs import no_slot, no_type
from forms_dynamics.model.form import Form
from forms_dynamics.model.record import FormRecord, Scope
from forms_dynamics.model.value import to_micros
from forms_dynamics.ports import Store
from forms_dynamics.projection import state_of
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
    status: str,
    limit: int,
    after: str | None,
    slots: Mapping[str, Any],
    as_of: int | None,
    known_at: int | None,
) -> list[Form]:
    """Forms in order of id whose known values equal ``slots`` (normalised; any one of a many-valued slot).
    InvalidInput for a status, type, slot or value that there is not."""
    if status not in ("active", "invalid", "any"):
        raise InvalidInput(f"status is active, invalid or any, not {status!r}")
    if form_type is not None and form_type not in catalog.types:
        from forms_dynamics.schema import shipped

        if form_type in shipped.names():
            return []  # a good name, of which this memory can hold nothing
        raise InvalidInput(no_type(form_type, catalog.types))
    state = None if status == "any" else status
    wanted = _wanted(catalog, settings, form_type, slots, at) if slots else {}
    now = to_micros(at)
    past = as_of is not None or known_at is not None
    if not past:
        by_name = _by_index(store, catalog, scope, form_type, wanted)
        if by_name is not None:
            named = [r for id, r in sorted(by_name.items()) if after is None or id > after]
            named = [r for r in named if r.type == form_type and state in (None, r.status)]
            forms = _project(reader, scope, named, now)
            return [f for f in forms.values() if _matches(f, wanted)][:limit]
        if not wanted and state == "active":
            records = store.find(scope, form_type, state, limit, after)
            return list(_project(reader, scope, records, now).values())
    found: list[Form] = []
    page = _PAGE if wanted or past else min(_PAGE, limit)
    while len(found) < limit:
        # today's status says nothing of then
        records = store.find(scope, form_type, None if past else state, page, after)
        forms = _project(reader, scope, records, now, as_of, known_at)
        gone = {r.id for r in records if r.status == "invalid" and _is_empty(r)}
        found.extend(
            f
            for f in forms.values()
            if state in (None, f.status) and f.id not in gone and _matches(f, wanted)
        )
        if len(records) < page:
            break
        after = records[-1].id
    return found[:limit]


def _is_empty(record: FormRecord) -> bool:
    """Whether all that was ever said of it has been taken back, as of a Form that an undone act made."""
    state = state_of(record)
    return not (state["s"] or state["av"] or state["al"] or state["ext"])


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
