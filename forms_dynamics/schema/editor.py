"""The JSON Schema of the YAML files, so that an editor completes keys and marks mistakes while one types.

Made from the same key tables that the readers check with, so that the two cannot drift.
"""

from __future__ import annotations

from typing import Any

from forms_dynamics.schema.form_reader import FORM_KEYS, JSON_LD_KEYS, LIFE_KEYS
from forms_dynamics.schema.migration_reader import MIGRATION_STEPS
from forms_dynamics.schema.relation_reader import CARDINALITIES, RELATION_KEYS, RESERVED, STRENGTH_KEYS
from forms_dynamics.schema.slot_reader import SLOT_KEYS, SOURCES
from forms_dynamics.schema.spec import SLOT_TYPES

_NAME = {"type": "string", "pattern": r"^[^\W\d_][\w-]*$"}
_TEXT = {"type": ["string", "number"]}
_TEXTS = {"anyOf": [{"type": "string"}, {"type": "array", "items": _TEXT}]}
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_POSITIVE = {"type": ["number", "null"], "exclusiveMinimum": 0}
_BOOLEAN = {"type": "boolean"}
_PROSE = {
    "anyOf": [
        _TEXT,
        {"type": "object", "properties": {"zh": _TEXT, "en": _TEXT}, "additionalProperties": False},
    ]
}
_FADE = {"type": "number", "exclusiveMinimum": 0, "maximum": 1}
_GIVES = {"anyOf": [{"type": "object"}, {"type": "array", "items": {"type": "object"}}]}
_EXAMPLE = {"type": "object", "required": ["text", "gives"], "additionalProperties": False,
            "properties": {"text": _TEXT, "gives": _GIVES}}  # fmt: skip
_KEY = {"type": "array", "minItems": 1, "items": {"type": "string"}}
_IDENTITY = {
    "anyOf": [
        {"const": "each"},
        _KEY,
        {
            "type": "object",
            "required": ["any"],
            "additionalProperties": False,
            "properties": {"any": {"type": "array", "minItems": 1, "items": _KEY}},
        },
    ]
}


def editor_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of one document: a form type or a relation."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Form types and relation rules",
        "oneOf": [_form_type(), _relation()],
    }


def _object(keys: tuple[str, ...], known: dict[str, Any], required: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(required),
        "additionalProperties": False,
        "properties": {key: known.get(key, {}) for key in keys},
    }


def _slot() -> dict[str, Any]:
    synonyms = {"anyOf": [_TEXTS, {"type": "null"}]}
    values = {
        "anyOf": [
            {"type": "array", "items": {"type": "string"}},
            {"type": "object", "additionalProperties": synonyms},
        ]
    }
    authority = {"anyOf": [{"const": "newest"}, {"type": "array", "items": {"enum": list(SOURCES)}}]}
    known: dict[str, Any] = {
        "type": {"enum": list(SLOT_TYPES)}, "many": _BOOLEAN, "required": _BOOLEAN, "exact": _BOOLEAN,
        "unit": {"type": "string"}, "ref": _NAME, "values": values, "aliases": _TEXTS, "cues": _TEXTS,
        "description": _PROSE, "question": _PROSE, "examples": _TEXTS, "threshold": _SHARE,
        "min": {"type": ["number", "string"]}, "max": {"type": ["number", "string"]}, "authority": authority,
        "fade_per_day": _FADE,
    }  # fmt: skip
    return {"anyOf": [{"enum": list(SLOT_TYPES)}, _object(SLOT_KEYS, known, ("type",))]}


def _form_type() -> dict[str, Any]:
    step = {"type": "object", "propertyNames": {"enum": list(MIGRATION_STEPS)}}
    life = {"ttl_seconds": {"type": ["integer", "null"], "minimum": 1}, "cold_after_days": _POSITIVE,
            "fade_per_day": _FADE, "valid_days": _POSITIVE}  # fmt: skip
    known: dict[str, Any] = {
        "form_type": _NAME, "version": {"type": "integer", "minimum": 1}, "description": _PROSE,
        "aliases": _TEXTS, "identity": _IDENTITY, "life": _object(LIFE_KEYS, life), "threshold": _SHARE,
        "shared": _BOOLEAN, "template": _PROSE, "usage": _PROSE,
        "slots": {"type": "object", "minProperties": 1, "propertyNames": _NAME,
                  "additionalProperties": _slot()},
        "examples": {"type": "array", "items": _EXAMPLE},
        "json_ld": _object(JSON_LD_KEYS, {"version": {"type": "integer", "minimum": 1}}),
        "migrations": {"type": "object", "additionalProperties": {"type": "array", "items": step}},
    }  # fmt: skip
    return _object(FORM_KEYS, known, ("form_type", "slots"))


def _relation() -> dict[str, Any]:
    strength = {"weight": _SHARE, "floor": _SHARE, "half_life_days": _POSITIVE,
                "ttl_seconds": {"type": ["integer", "null"], "minimum": 1}}  # fmt: skip
    end = {"anyOf": [{"const": "*"}, _NAME]}
    known: dict[str, Any] = {
        "relation": {**_NAME, "not": {"enum": list(RESERVED)}}, "from": end, "to": end, "required": _BOOLEAN,
        "cardinality": {"enum": list(CARDINALITIES)}, "strength": _object(STRENGTH_KEYS, strength),
        "when": {"type": "string"}, "attributes": {"type": "object"}, "description": _PROSE,
        "aliases": _TEXTS,
    }  # fmt: skip
    return _object(RELATION_KEYS, known, ("relation", "from", "to"))
