"""Whether what a file holds has its place in the Form types that are loaded: what opening a store asks of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from forms_dynamics import migration
from forms_dynamics.exchange.rows import Row
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
    written = migration.written_under(payload)
    check_type_version(row, written, form_type)
    slots = payload.get("s", {}) if written == form_type.version else migration.as_read(payload, form_type)[0]
    for misfit in migration.misfits(slots, form_type):
        way, _ = migration.remedy(form_type, written, misfit)
        why = "has no place" if misfit.spec is None else misfit.why
        shown = json.dumps(misfit.value, ensure_ascii=False)
        raise row.wrong(f"slot {misfit.slot!r} of {form_type.name}: {why} ({shown}): {way}")


__all__ = ["check_payload", "check_type_version"]
