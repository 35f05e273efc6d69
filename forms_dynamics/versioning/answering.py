"""A pending item that a message of the conversation answers: written as the user's, with the answer as evidence."""

from __future__ import annotations

import json
from typing import Any

from forms_dynamics.assertions import dump
from forms_dynamics.model.gated import Gated, Item, Span, item_from_json
from forms_dynamics.model.record import PendingRecord
from forms_dynamics.versioning.align import Target
from forms_dynamics.versioning.decide import Decider
from forms_dynamics.versioning.workspace import Working

BY = "by"  # in a pending's draft: the message that answered it


def answer(decider: Decider, item: PendingRecord, *, yes: bool, span: Span, value: Any = None) -> None:
    """Closes the item. ``value``: a typed value in place of the one that waits, or the id of the Form meant."""
    ws = decider.ws
    ws.remember_pending(item)
    draft: dict[str, Any] = json.loads(item.draft)
    closed = item._replace(
        state="confirmed" if yes else "refused", draft=dump({**draft, BY: decider.message.id})
    )
    decider.outcome.took = True
    if not yes:
        ws.put_pending(closed)
        return
    chosen = ws.own(value) if isinstance(value, str) and item.reason == "ambiguous_target" else None
    working = chosen if chosen is not None else _standing(decider, item)
    if draft.get("invalidate"):
        if working is not None:
            ws.put_pending(closed)
            decider.invalidate(working, "confirmed")
        return
    items = [_certain(item_from_json(raw), span) for raw in draft.get("items", ())]
    if not items and item.slot is not None:
        items = [Item(item.slot, None, 1.0, span=span, correction=True)]
    if value is not None and chosen is None and items:
        first = items[0]
        items[0] = first._replace(value=value, op="set" if first.op == "clear" else first.op, agreed=None)
    items = [i for i in items if i.value is not None or i.op == "clear"]
    if not items:
        return
    ws.put_pending(closed)
    if working is None:
        decider.take(Gated(item.type, accepted=items))
    else:
        decider.write(working, Gated(item.type, accepted=items), Target(working))
        working.delta.cause = "confirmation"


def _standing(decider: Decider, item: PendingRecord) -> Working | None:
    working = decider.ws.own(item.form) if item.form is not None else None
    return working if working is not None and working.active else None


def _certain(item: Item, span: Span) -> Item:
    source = "user" if item.source == "inferred" else item.source
    return item._replace(confidence=1.0, correction=True, source=source, span=span, message=None)


__all__ = ["BY", "answer"]
