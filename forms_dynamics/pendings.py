"""What waits for a person, as callers see it: open items of the store, and behind them what has faded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from forms_dynamics.migration import pending_today
from forms_dynamics.model.form import Pending
from forms_dynamics.model.record import FormRecord, PendingRecord, Scope
from forms_dynamics.model.value import decode, from_micros
from forms_dynamics.ports import Store
from forms_dynamics.reader import Reader
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings
from forms_dynamics.versioning import faded


def pendings(
    store: Store, reader: Reader, catalog: Catalog, settings: Settings, scope: Scope, now: int
) -> list[Pending]:
    """All that waits in a scope, oldest first, and behind it what has faded, the longest first."""
    waiting = _open(store, settings, scope, now)
    again = faded.questions(store, scope, catalog, reader, now, waiting)
    return [*shown(catalog, waiting), *map(_pending, again)]


def pendings_about(
    store: Store,
    reader: Reader,
    catalog: Catalog,
    settings: Settings,
    scope: Scope,
    now: int,
    record: FormRecord,
    slot: str,
) -> list[Pending]:
    """What waits about one slot of a Form; where nothing does, whether it has faded."""
    waiting = shown(catalog, _open(store, settings, scope, now, [record.id]))
    again = map(_pending, faded.questions_of(store, scope, catalog, reader, now, record))
    return [p for p in waiting if p.slot == slot] or [p for p in again if p.slot == slot]


def shown(catalog: Catalog, items: Iterable[PendingRecord]) -> list[Pending]:
    """Stored items, in the terms of today's types."""
    return [_pending(pending_today(item, catalog.types.get(item.type))) for item in items]


def _open(
    store: Store, settings: Settings, scope: Scope, now: int, forms: Sequence[str] | None = None
) -> list[PendingRecord]:
    """Open items that have not expired (of these Forms)."""
    since = settings.asked_since(now)
    return [item for item in store.pendings(scope, forms) if item.asked >= since]


def _pending(record: PendingRecord) -> Pending:
    return Pending(
        id=record.id,
        form_id=record.form,
        form_type=record.type,
        slot=record.slot,
        value=decode(json.loads(record.value).get("v")),
        reason=record.reason,
        question=record.question,
        candidates=tuple(json.loads(record.candidates)),
        asked_at=from_micros(record.asked),
    )


__all__ = ["pendings", "pendings_about", "shown"]
