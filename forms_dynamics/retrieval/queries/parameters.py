"""What a caller gives, as typed values of the declared parameters."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from forms_dynamics.errors import InvalidInput
from forms_dynamics.inputs import did_you_mean
from forms_dynamics.schema.coerce import coerce
from forms_dynamics.schema.query_spec import QueryParameter, QuerySpec


def typed(spec: QuerySpec, given: Mapping[str, Any], at: datetime, date_order: str | None) -> dict[str, Any]:
    """Parameter → value, defaults filled in; None for an optional one that was left out. InvalidInput names what is
    unknown, missing or of another type."""
    for name in given:
        if name not in spec.parameters:
            raise InvalidInput(
                f"query {spec.name!r} has no parameter {name!r}{did_you_mean(name, spec.parameters)}"
            )
    out: dict[str, Any] = {}
    for name, parameter in spec.parameters.items():
        raw = given.get(name)
        if raw is None:
            raw = parameter.default
        if raw is None or (isinstance(raw, str) and not raw.strip()):
            if parameter.required:
                raise InvalidInput(
                    f"query {spec.name!r} needs the parameter {name!r} ({parameter.slot.type})"
                )
            out[name] = None
            continue
        out[name] = value_of(spec, name, parameter, raw, at, date_order)
    return out


def value_of(
    spec: QuerySpec, name: str, parameter: QueryParameter, raw: Any, at: datetime, date_order: str | None
) -> Any:
    """One value; InvalidInput where it is none of the parameter's type."""
    slot = parameter.slot
    if slot.type in ("text", "ref") and not slot.many and not isinstance(raw, str):
        raise InvalidInput(f"query {spec.name!r}: {name} is a text, not {type(raw).__name__}")
    read = coerce(slot, raw, at, date_order, verbatim=True)
    if read.value is None:
        why = read.error or f"{raw!r} is no {slot.type}"
        if read.candidates:
            why = f"{raw!r} can be read as {', '.join(map(str, read.candidates))}; say which"
        known = f" (there are: {', '.join(slot.values)})" if slot.values else ""
        raise InvalidInput(f"query {spec.name!r}: {why}{known}")
    return read.value


__all__ = ["typed", "value_of"]
