"""What of a Form type decides how its stored Forms are read: kept in the store, so that a changed YAML is
noticed when it meets Forms of the old one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from forms_dynamics.schema.spec import FormType

Shape = Mapping[str, Any]


def shape(form_type: FormType) -> dict[str, Any]:
    """Version, identity and each slot's type, cardinality, unit and enum values; nothing that only words,
    thresholds, life or recognisers depend on."""
    slots: dict[str, Any] = {}
    for name, spec in form_type.slots.items():
        told: dict[str, Any] = {"type": spec.type}
        if spec.many:
            told["many"] = True
        if spec.unit is not None:
            told["unit"] = spec.unit
        if spec.type == "enum":
            told["values"] = list(spec.values)
        slots[name] = told
    identity = "each" if form_type.identity.each else [list(key) for key in form_type.identity.keys]
    return {"version": form_type.version, "identity": identity, "slots": slots}


@lru_cache(maxsize=512)
def shape_text(form_type: FormType) -> str:
    """The shape as one canonical line of JSON."""
    return json.dumps(shape(form_type), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def narrower(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether a slot that was shaped ``old`` may hold what one shaped ``new`` has no place for."""
    if new["type"] != old["type"] or (old.get("many") and not new.get("many")):
        return True
    return bool(set(old.get("values", ())) - set(new.get("values", ())))


def renames_keys(old: Shape, new: Shape) -> bool:
    """Whether the names by which Forms are found may have changed."""
    if old["identity"] != new["identity"] or old["version"] != new["version"]:
        return True
    parts = {part for key in _keys(new) for part in key}
    return any(
        old["slots"].get(name, {}).get("type") != told["type"]
        for name, told in new["slots"].items()
        if name in parts or told["type"] == "ref"
    )


def _keys(told: Shape) -> Iterator[list[str]]:
    yield from () if told["identity"] == "each" else told["identity"]


__all__ = ["Shape", "narrower", "renames_keys", "shape", "shape_text"]
