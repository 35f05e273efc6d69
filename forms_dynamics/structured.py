"""Structured input: a row, a tool's result, a call; stored without an extractor."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from forms_dynamics.assertions import dump
from forms_dynamics.cells import cell
from forms_dynamics.dynamics.relate import draft_edge
from forms_dynamics.errors import InvalidInput, unknown_id
from forms_dynamics.inputs import check_name, no_type, parse_time
from forms_dynamics.intake import Intake
from forms_dynamics.language.nulls import null_like
from forms_dynamics.model.gated import Gated, Held, Item
from forms_dynamics.model.message import Receipt
from forms_dynamics.model.record import MessageRecord
from forms_dynamics.model.value import encode, to_micros
from forms_dynamics.versioning.chain import new_id
from forms_dynamics.versioning.decide import Decider
from forms_dynamics.versioning.workspace import Workspace


def record(
    intake: Intake,
    form_type: str,
    slots: Mapping[str, Any],
    source: str,
    external_id: str | None,
    conversation: str,
    time: Any,
    speaker: str | None = None,
    kind: str = "record",
    about: Sequence[str] = (),
) -> Receipt:
    """Stores the slots of a Form. ``kind``: of what stands for a message (record, tool); ``about``: Forms that
    an edge of that name ties it to. InvalidInput where a value cannot be taken."""
    if source not in ("tool", "import", "user"):
        raise InvalidInput(f"source is tool, import or user, not {source!r}")
    store, scope, settings = intake.store, intake.scope, intake.settings
    declared = intake.catalog.types.get(form_type)
    if declared is None:
        raise InvalidInput(no_type(form_type, intake.catalog.types))
    moment = intake.here() if time is None else parse_time(time, settings.zone)
    if not isinstance(slots, Mapping):
        raise InvalidInput(f"slots is a mapping of slot to value, not {type(slots).__name__}")
    cells = [
        one for name, raw in slots.items() if (one := cell(declared, name, raw, source, moment, settings))
    ]
    arrived = intake.now()
    gated = Gated(
        declared.name,
        accepted=[one for one in cells if isinstance(one, Item)],
        held=[one for one in cells if isinstance(one, Held)],
        external_id=None if external_id is None else str(external_id),
    )
    items = [one.item if isinstance(one, Held) else one for one in cells]
    body = dump(
        {"form_type": declared.name, "slots": {i.slot: encode(i.value) for i in items}, "source": source}
    )
    offset = moment.utcoffset() or timedelta(0)
    with store.writing(scope):
        ws = Workspace(store, scope, intake.catalog, arrived)
        seq = store.next_seq(scope)
        said = MessageRecord(
            seq, new_id("r", arrived, scope.tenant, scope.owner, seq, body), check_name("conversation", conversation),
            source if speaker is None else check_name("speaker", speaker), "user" if source == "user" else "tool", "",
            to_micros(moment), int(offset.total_seconds() // 60), arrived, "stored", kind, body,
        )  # fmt: skip
        decider = Decider(ws, settings, said, cause=kind)
        if not items and external_id is None:
            working = decider.create(declared)
            decider.outcome.forms[working.id] = working
            working.delta.cause = kind
            decider.outcome.took = True
        else:
            decider.take(gated)
        for target in about:
            mine, other = next(iter(decider.outcome.forms.values()), None), ws.form(target)
            if mine is None or other is None:
                raise InvalidInput(f"no Form {target!r} here to tie the call to")
            decider.outcome.edges.append(draft_edge(ws, mine, "about", other, said, {}))
        receipt = intake.close(ws, decider)
        ws.note_message(said._replace(state=receipt.state))
        store.apply(scope, ws.finish())
    return receipt


def record_call(
    intake: Intake,
    name: str,
    arguments: Mapping[str, Any],
    result: Any,
    task: str | None,
    about: Sequence[str],
    conversation: str = "default",
) -> Receipt:
    """Stores a call as a ``tool_call`` Form about others. NotFound for one that is not here."""
    slots: dict[str, Any] = {"name": name, "called_at": intake.clock.now()}
    for slot, given in (("arguments", arguments), ("result", result)):
        told = json.dumps(given, ensure_ascii=False, sort_keys=True, default=str)
        if not null_like(told):
            slots[slot] = told
    if task is not None:
        slots["task"] = task
    here = intake.store.forms(intake.scope, list(about))
    for target in about:
        if target not in here:
            raise unknown_id("Form", target)
    return record(intake, "tool_call", slots, "tool", None, conversation, None, kind="tool", about=about)


__all__ = ["record", "record_call"]
