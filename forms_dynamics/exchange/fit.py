"""Whether what a file holds has its place in the Form types that are loaded: what opening a store asks of it."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any

from forms_dynamics import migration
from forms_dynamics.exchange.rows import Row
from forms_dynamics.projection import written_under
from forms_dynamics.schema.findings import nearest
from forms_dynamics.schema.spec import FormType


def check_type_version(row: Row, written: int, form_type: FormType) -> None:
    """InvalidInput where the Form or version was written under a later version of its type."""
    if written > form_type.version:
        raise row.wrong(
            f"was written under version {written} of {form_type.name}, this memory has version"
            f" {form_type.version} ({form_type.file}): load it with the newer YAML"
        )


def check_payload(row: Row, form_type: FormType) -> None:
    """InvalidInput where the version's row says what the type has no place for, its migrations done."""
    payload: Mapping[str, Any] | None = row.data["payload"]
    if payload is None:
        return
    written = written_under(payload)
    check_type_version(row, written, form_type)
    slots = payload.get("s", {})
    if written < form_type.version:
        slots = copy.deepcopy(slots)
        for given in slots.values():
            for assertion in given if isinstance(given, list) else (given,):
                assertion.setdefault("t", payload["t"])
        migration.migrate(slots, written, form_type)
    for each in migration.unread(slots, form_type):
        raise row.wrong(_told(form_type, written, each.slot, each.value, each.why))


def _told(form_type: FormType, written: int, slot: str, value: Any, why: str) -> str:
    version = form_type.version if form_type.version > written else form_type.version + 1
    declare = f"declare under migrations {version}: "
    if version != form_type.version:
        declare = f"set version: {version} and {declare}"
    spec = form_type.slots.get(slot)
    if spec is None:
        near = nearest(slot, form_type.slots) or "new_name"
        why = "has no place"
        way = f"{declare}[{{rename: {{{slot}: {near}}}}}], or [{{drop: [{slot}]}}] to leave it unread"
    elif isinstance(value, list) and not spec.many:
        way = "keep many: true"
    elif spec.type == "enum" and isinstance(value, str):
        way = f"{declare}[{{map: {{{slot}: {{{value}: {nearest(value, spec.values) or '…'}}}}}}}]"
    else:
        way = f"{declare}[{{map: {{{slot}: …}}}}], or keep the old type"
    shown = json.dumps(value, ensure_ascii=False)
    return f"slot {slot!r} of {form_type.name} {why} ({shown}): {way}"


__all__ = ["check_payload", "check_type_version"]
