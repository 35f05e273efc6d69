"""Why a slot holds what it holds."""

from __future__ import annotations

from collections.abc import Sequence

from forms_dynamics.model.form import DynamicEdge, Pending
from forms_dynamics.model.record import FormRecord, Scope
from forms_dynamics.model.report import Why
from forms_dynamics.model.value import from_micros
from forms_dynamics.ports import Store
from forms_dynamics.reader import Reader
from forms_dynamics.schema.spec import Catalog


def explain(
    store: Store,
    reader: Reader,
    catalog: Catalog,
    scope: Scope,
    now: int,
    record: FormRecord,
    slot: str,
    edges: Sequence[DynamicEdge],
    waiting: Sequence[Pending],
) -> Why:
    """The words that a slot's value rests on, who said them and when, what it replaced, and what waits."""
    form_type = catalog.types.get(record.type)
    held = reader.project(scope, {record.id: record}, [record.id], now)[record.id].slots.get(slot)
    chain = store.versions(scope, record.id)
    evidence = held.evidence if held is not None else None
    source = None
    if evidence is not None and evidence.message_id is not None:
        source = store.messages(scope, [evidence.message_id]).get(evidence.message_id)
    at = max(now, record.updated)
    maker = reader.maker(chain, form_type, slot, at)
    earlier = [s for s in reader.slot_history(scope, record, slot) if s.valid_until is not None]
    return Why(
        form_id=record.id,
        slot=slot,
        value=held.value if held is not None else None,
        status="unknown" if held is None else held.status,
        confidence=held.confidence if held is not None else 0.0,
        source=held.source if held is not None else None,
        cause=maker.cause if maker is not None else None,
        version=maker.n if maker is not None else None,
        evidence=evidence,
        speaker=source.speaker if source is not None else None,
        said_at=from_micros(source.time) if source is not None else None,
        earlier=tuple(earlier),
        pending=tuple(waiting),
        edges=tuple(edges),
        agreed=reader.agreed(scope, chain, form_type, slot, at),
    )


__all__ = ["explain"]
