"""The JSON Schema of the YAML files, so that an editor completes keys and marks mistakes while one types.

Made from the same key tables that the readers check with: a key that has no shape or no text here is a
KeyError, so that the two cannot drift. It says what a single value can tell; what needs the rest of the file
or other files (a slot that is named but not declared, two values that mean the same) is for ``check`` alone.

Written in draft 7, which editors know best, and in the part of regular expressions that Python and JavaScript
read alike.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from forms_dynamics.language.hedge_words import CLASSES
from forms_dynamics.model.value import MOST_DAYS
from forms_dynamics.schema import hover, query_hover
from forms_dynamics.schema.form_reader import (
    CONTAINERS,
    EXAMPLE_KEYS,
    FORM_KEYS,
    IDENTITY_KEYS,
    JSON_LD_KEYS,
    LIFE_KEYS,
    TERM_KEYS,
)  # fmt: skip
from forms_dynamics.schema.hedge_reader import HEDGE_KEYS
from forms_dynamics.schema.migration_reader import MIGRATION_STEPS
from forms_dynamics.schema.query_reader import (
    DIRECTIONS,
    INCLUDED,
    PARAMETER_KEYS,
    QUERY_KEYS,
    RESERVED_PARAMETERS,
    START_KEYS,
    STEP_KEYS,
    TEMPLATE_WORDS,
)
from forms_dynamics.schema.query_spec import FIGURES, MOST_LAYER, MOST_REPEATS, MOST_ROWS, MOST_STEPS
from forms_dynamics.schema.reader import LANGUAGES
from forms_dynamics.schema.relation_reader import ANY, CARDINALITIES, RELATION_KEYS, RESERVED, STRENGTH_KEYS
from forms_dynamics.schema.slot_reader import BOUNDED, NOT_A_SLOT, SLOT_KEYS, SOURCES, UNITED
from forms_dynamics.schema.spec import EVENTS, SLOT_TYPES
from forms_dynamics.schema.trigger_reader import LOAD_KEYS, MOST_LOADED, TRIGGER_KEYS

FILE_NAME = "forms_dynamics.schema.json"
MODELINE = "# yaml-language-server: $schema={}"  # the line by which an editor finds it, one a document

Shape = dict[str, Any]

# Python's \w knows all scripts, JavaScript's only ASCII. What can stand in no name is told instead: ASCII and
# full-width signs, general and Chinese punctuation.
_MARKS = r"\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u2000-\u206f\u3000-\u3004"
_MARKS += r"\u3008-\u3020\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
_BEGINS = r"[^\u0000-@\[-`{-" + _MARKS + "]"
_FOLLOWS = r"[^\u0000-,./:-@\[-^`{-" + _MARKS + "]*"
_NAMED = _BEGINS + _FOLLOWS
_SIDE = rf"\s*{_NAMED}\.{_NAMED}\s*"
_JOIN = f"{_SIDE}=={_SIDE}"
_GROUPED = r"^[-+]?[0-9]+(_[0-9]+)+(\.[0-9]+)?$"  # 15_552_000: a number here, a text to YAML 1.2

_SAID = r"\S"
_WORD: Shape = {"type": "string", "pattern": _SAID}
_TEXT: Shape = {"type": ["string", "number"], "pattern": _SAID}
_WORDS: Shape = {"type": ["string", "number", "array"], "pattern": _SAID, "items": _TEXT}
_NAME: Shape = {
    "type": "string",
    "pattern": f"^{_NAMED}$",
    "patternErrorMessage": "A name is letters (of any script), digits, _ and -, and begins with a letter.",
}
_BOOLEAN: Shape = {"type": "boolean"}
_SHARE: Shape = {"type": "number", "minimum": 0, "maximum": 1}
_FADE: Shape = {"type": "number", "exclusiveMinimum": 0, "maximum": 1}
_ANYTHING: Shape = {"type": ["string", "number", "boolean", "null", "array", "object"]}


def editor_schema() -> Shape:
    """JSON Schema (draft 7) of one document: a form type, a relation rule, a query, a trigger or words that hedge."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Form types, relation rules, queries, triggers and hedges of forms_dynamics",
        "oneOf": [_form_type(), _relation(), _query(), _trigger(), _hedges()],
    }


def editor_schema_text() -> str:
    """The schema as it is published: the same characters that ``check --schema`` prints."""
    return json.dumps(editor_schema(), ensure_ascii=False, indent=2) + "\n"


# -- building blocks -----------------------------------------------------------------------------------------
def _object(
    keys: Sequence[str], shapes: Mapping[str, Shape], told: Mapping[str, str], required: Sequence[str] = ()
) -> Shape:
    """A mapping with these keys and no other, each with its text."""
    shape: Shape = {"type": "object"}
    if required:
        shape["required"] = list(required)
    properties = {key: {"description": told[key], **shapes[key]} for key in keys}
    return {**shape, "additionalProperties": False, "properties": properties}


def _choice(options: Sequence[str], told: Mapping[str, str]) -> Shape:
    return {"enum": list(options), "enumDescriptions": [told[option] for option in options]}


def _number(kind: str, *others: str, **bounds: float) -> Shape:
    return {"type": [kind, "string", *others], **bounds, "pattern": _GROUPED,
            "patternErrorMessage": "A number is wanted here."}  # fmt: skip


def _prose() -> Shape:
    """One text, or a text by language."""
    by_language = _object(LANGUAGES, dict.fromkeys(LANGUAGES, _TEXT), hover.LANGUAGE)
    return {**by_language, "type": ["string", "number", "object"], "pattern": _SAID}


def _seconds() -> Shape:
    return _number("integer", "null", minimum=1, maximum=MOST_DAYS * 86_400)


def _days() -> Shape:
    return _number("number", "null", exclusiveMinimum=0, maximum=MOST_DAYS)


# -- form types ----------------------------------------------------------------------------------------------
def _form_type() -> Shape:
    life = {"ttl_seconds": _seconds(), "cold_after_days": _days(), "valid_days": _days(),
            "fade_per_day": _FADE}  # fmt: skip
    slots = {"type": "object", "minProperties": 1, "additionalProperties": _slot(),
             "propertyNames": {**_NAME, "not": {"enum": list(NOT_A_SLOT)}}}  # fmt: skip
    values = {"type": "object", "propertyNames": _WORD, "additionalProperties": _ANYTHING}
    example = {"text": _TEXT, "gives": {**values, "type": ["object", "array"], "items": values}}
    worded = {"type": "object", "minProperties": 1, "maxProperties": 1, "propertyNames": _WORD,
              "additionalProperties": _prose()}  # fmt: skip
    shapes: dict[str, Shape] = {
        "form_type": _NAME, "version": _number("integer", minimum=1), "description": _prose(),
        "aliases": _WORDS, "identity": _identity(), "life": _object(LIFE_KEYS, life, hover.LIFE),
        "threshold": _SHARE, "shared": _BOOLEAN, "slots": slots, "template": _prose(), "usage": _prose(),
        "first_contact": {"type": "array", "minItems": 1, "items": {"anyOf": [_WORD, worded]}},
        "expected": {
            "anyOf": [
                {"const": True},
                {"type": "array", "minItems": 1, "items": _WORD, "uniqueItems": True},
            ]
        },
        "examples": {"type": "array", "items": _object(EXAMPLE_KEYS, example, hover.EXAMPLE, EXAMPLE_KEYS)},
        "json_ld": _json_ld(), "migrations": _migrations(), "extractor": _WORD,
    }  # fmt: skip
    form_type = _object(FORM_KEYS, shapes, hover.FORM, ("form_type", "slots"))
    return {"title": "Form type", **form_type}


def _identity() -> Shape:
    key = {"type": "array", "minItems": 1, "items": _WORD}
    alternatives = {"any": {"type": "array", "minItems": 1, "items": key}}
    return {
        "anyOf": [
            {"const": "each"},
            key,
            _object(IDENTITY_KEYS, alternatives, hover.IDENTITY, IDENTITY_KEYS),
        ]
    }


def _slot() -> Shape:
    short = [kind for kind in SLOT_TYPES if kind not in ("enum", "ref")]
    values = {"type": ["array", "object"], "items": _WORD, "uniqueItems": True, "minItems": 1,
              "minProperties": 1, "propertyNames": _WORD,
              "additionalProperties": {**_WORDS, "type": [*_WORDS["type"], "null"]}}  # fmt: skip
    ruled = {"type": "object", "propertyNames": _WORD, "additionalProperties": _WORDS}
    authority = {
        "anyOf": [
            {"const": "newest"},
            {"type": "array", "items": _choice(SOURCES, hover.SOURCE)},
        ]
    }
    shapes: dict[str, Shape] = {
        "type": _choice(SLOT_TYPES, hover.SLOT_TYPE), "many": _BOOLEAN, "required": _BOOLEAN,
        "exact": _BOOLEAN, "unit": _WORD, "ref": _NAME, "values": values, "aliases": _WORDS, "cues": _WORDS,
        "description": _prose(), "question": _prose(), "examples": _WORDS, "threshold": _SHARE,
        "min": {"type": ["number", "string"]}, "max": {"type": ["number", "string"]}, "authority": authority,
        "fade_per_day": _FADE, "rules_out": ruled, "avoided_rules_out": ruled,
    }  # fmt: skip
    long = {**_object(SLOT_KEYS, shapes, hover.SLOT, ("type",)), "allOf": _conditions()}
    return {"anyOf": [_choice(short, hover.SLOT_TYPE), long]}


def _conditions() -> list[Shape]:
    """Which keys go with which type of slot."""

    def of(kinds: Sequence[str]) -> Shape:
        return {"required": ["type"], "properties": {"type": {"enum": list(kinds)}}}

    def but(*kinds: str) -> Shape:
        return of([kind for kind in SLOT_TYPES if kind not in kinds])

    def limits(shape: Shape | bool) -> Shape:
        return {"properties": {"min": shape, "max": shape}}

    numbers = [kind for kind in BOUNDED if kind not in ("integer", "date")]
    day = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
           "patternErrorMessage": "A date such as 2026-01-31 is wanted here."}  # fmt: skip
    return [
        {"if": of(["enum"]), "then": {"required": ["values"]}},
        {"if": but("enum"), "then": {"properties": {"values": False}}},
        {"if": of(["ref"]), "then": {"required": ["ref"]}},
        {"if": but("ref"), "then": {"properties": {"ref": False}}},
        {"if": of(["money"]), "then": {"properties": {"unit": {
            "pattern": "^[A-Z]{3}$",
            "patternErrorMessage": "The unit of money is its ISO 4217 code, such as CNY."}}}},
        {"if": but(*UNITED), "then": {"properties": {"unit": False}}},
        {"if": of(["integer"]), "then": limits(_number("integer"))},
        {"if": of(numbers), "then": limits(_number("number"))},
        {"if": of(["date"]), "then": limits(day)},
        {"if": but(*BOUNDED), "then": limits(False)},
    ]  # fmt: skip


def _json_ld() -> Shape:
    term = {"id": _WORD, "type": _WORD, "container": _choice(CONTAINERS, hover.CONTAINER)}
    terms = {**_object(TERM_KEYS, term, hover.TERM, ("id",)), "type": ["string", "object"], "pattern": _SAID}
    shapes: dict[str, Shape] = {
        "type": {"type": ["string", "array"], "pattern": _SAID, "items": _WORD},
        "version": _number("integer", minimum=1),
        "prefixes": {"type": "object", "additionalProperties": _WORD},
        "terms": {"type": "object", "propertyNames": _WORD, "additionalProperties": terms},
    }
    return _object(JSON_LD_KEYS, shapes, hover.JSON_LD)


def _migrations() -> Shape:
    by_slot = {"type": "object", "propertyNames": _WORD}
    shapes: dict[str, Shape] = {
        "rename": {**by_slot, "additionalProperties": _NAME},
        "default": {**by_slot, "additionalProperties": _ANYTHING},
        "drop": _WORDS,
        "map": {**by_slot, "additionalProperties": {"type": "object", "additionalProperties": _ANYTHING}},
    }
    steps = {"type": "array", "items": _object(MIGRATION_STEPS, shapes, hover.MIGRATION)}
    version = {"pattern": "^[+]?0*([2-9]|[1-9][0-9]+)$",
               "patternErrorMessage": "The version that the steps lead to: a whole number from 2."}  # fmt: skip
    return {"type": "object", "propertyNames": version, "additionalProperties": steps}


# -- relation rules ------------------------------------------------------------------------------------------
def _relation() -> Shape:
    strength = {"weight": _SHARE, "floor": _SHARE, "half_life_days": _days(), "ttl_seconds": _seconds(),
                "cold_after_days": _days(), "valid_days": _days()}  # fmt: skip
    end = {"anyOf": [{"const": ANY}, _NAME]}
    shapes: dict[str, Shape] = {
        "relation": {**_NAME, "not": {"enum": list(RESERVED)}}, "from": end, "to": end, "required": _BOOLEAN,
        "cardinality": _choice(CARDINALITIES, hover.CARDINALITY),
        "strength": _object(STRENGTH_KEYS, strength, hover.STRENGTH),
        "when": {
            "type": "string",
            "pattern": rf"^{_JOIN}(\s+and\s+{_JOIN})*$",
            "patternErrorMessage": "type.slot == type.slot, joined by and.",
        },
        "attributes": {"type": "object", "propertyNames": _NAME, "additionalProperties": _ANYTHING},
        "description": _prose(), "aliases": _WORDS, "acyclic": _BOOLEAN,
    }  # fmt: skip
    rule = _object(RELATION_KEYS, shapes, hover.RELATION, ("relation", "from", "to"))
    conditions = [
        {"if": {"required": [end], "properties": {end: {"const": ANY}}}, "then": {"properties": {"when": False}}}
        for end in ("from", "to")
    ]  # fmt: skip
    return {"title": "Relation rule", **rule, "allOf": conditions}


# -- triggers ------------------------------------------------------------------------------------------------
def _trigger() -> Shape:
    load: dict[str, Shape] = {
        "form_type": _NAME, "slots": _WORDS, "where": _WORD, "relation": _NAME,
        "limit": _number("integer", minimum=1, maximum=MOST_LOADED),
    }  # fmt: skip
    one = {
        **_object(LOAD_KEYS, load, hover.LOAD),
        "anyOf": [{"required": ["form_type"]}, {"required": ["relation"]}],
        "dependencies": {"slots": ["form_type"], "where": ["form_type"]},
    }
    shapes: dict[str, Shape] = {
        "trigger": _NAME, "on": _choice(EVENTS, hover.EVENT), "when": _WORD, "description": _prose(),
        "load": {"anyOf": [one, {"type": "array", "minItems": 1, "items": one}]},
    }  # fmt: skip
    return {"title": "Trigger", **_object(TRIGGER_KEYS, shapes, hover.TRIGGER, ("trigger", "on", "load"))}


# -- queries -------------------------------------------------------------------------------------------------
def _query() -> Shape:
    short = [kind for kind in SLOT_TYPES if kind not in ("enum", "ref")]
    slot = _slot()["anyOf"][1]
    parameter_shapes: dict[str, Shape] = {
        **{key: slot["properties"][key] for key in ("type", "ref", "values", "unit", "many", "min", "max")},
        "slot": {"type": "string", "pattern": r"^[^.]+\.[^.]+$",
                 "patternErrorMessage": "form_type.slot, as in task.status"},
        "required": _BOOLEAN, "default": _ANYTHING, "description": _prose(),
    }  # fmt: skip
    long = {**_object(PARAMETER_KEYS, parameter_shapes, query_hover.PARAMETER), "allOf": _conditions(),
            "anyOf": [{"required": ["type"]}, {"required": ["slot"]}]}  # fmt: skip
    parameters = {"type": "object", "additionalProperties": {"anyOf": [_choice(short, hover.SLOT_TYPE), long]},
                  "propertyNames": {**_NAME, "not": {"enum": [*RESERVED_PARAMETERS, *TEMPLATE_WORDS]}}}  # fmt: skip
    limit = _number("integer", minimum=1, maximum=MOST_LAYER)
    start = {"form_type": _NAME, "named": _WORD, "where": _WORD, "as": _NAME, "limit": limit}
    repeat = {"type": ["integer", "string"], "minimum": 1, "maximum": MOST_REPEATS,
              "pattern": r"^\s*[0-9]+(\s*(\.\.|-)\s*[0-9]+)?\s*$",
              "patternErrorMessage": "A number of edges, or 1..5."}  # fmt: skip
    step: dict[str, Shape] = {
        "relation": _WORDS, "direction": _choice(DIRECTIONS, query_hover.DIRECTION),
        "to": {"anyOf": [{"const": ANY}, _NAME]}, "as": _NAME, "from": _WORD, "where": _WORD, "repeat": repeat,
        "every": _BOOLEAN, "optional": _BOOLEAN, "limit": limit,
    }  # fmt: skip
    figure = {**_object(FIGURES, dict.fromkeys(FIGURES, _WORD), query_hover.FIGURE), "minProperties": 1,
              "maxProperties": 1}  # fmt: skip
    column = {"type": ["string", "object"], "pattern": _SAID, "minProperties": 1, "maxProperties": 1,
              "propertyNames": _NAME,
              "additionalProperties": {**figure, "type": ["string", "object"], "pattern": _SAID}}  # fmt: skip
    included = _choice(INCLUDED, query_hover.INCLUDE)
    asks = {**_object(LANGUAGES, dict.fromkeys(LANGUAGES, _WORDS), hover.LANGUAGE),
            "type": ["string", "number", "array", "object"], "pattern": _SAID, "items": _TEXT}  # fmt: skip
    shapes: dict[str, Shape] = {
        "query": _NAME, "description": _prose(), "parameters": parameters,
        "start": _object(START_KEYS, start, query_hover.START, ("form_type",)),
        "steps": {"type": "array", "maxItems": MOST_STEPS,
                  "items": _object(STEP_KEYS, step, query_hover.STEP, ("relation",))},
        "group": _WORD, "return": {"type": "array", "minItems": 1, "items": column},
        "order": {"type": ["string", "array"], "pattern": _SAID, "items": _WORD},
        "limit": _number("integer", minimum=1, maximum=MOST_ROWS),
        "include": {"anyOf": [included, {"type": "array", "items": included}]},
        "row": _prose(), "template": _prose(), "asks": asks,
    }  # fmt: skip
    return {"title": "Query", **_object(QUERY_KEYS, shapes, query_hover.QUERY, ("query", "start", "return"))}


# -- hedges --------------------------------------------------------------------------------------------------
def _hedges() -> Shape:
    phrases: Shape = {"type": ["string", "array"], "pattern": _SAID, "items": _WORD}
    by_class = _object(CLASSES, dict.fromkeys(CLASSES, phrases), hover.HEDGE_CLASS)
    language = {**by_class, "type": ["string", "array", "object"], "pattern": _SAID, "items": _WORD}
    shapes = {"zh": language, "en": language, "not": phrases}
    words = _object(HEDGE_KEYS, shapes, hover.HEDGES)
    return {"title": "Hedges", **_object(("hedges",), {"hedges": words}, hover.HEDGE_DOCUMENT, ("hedges",))}
