"""The JSON Schema for editors and the readers agree, on every shipped file and on the keys."""

from __future__ import annotations

from typing import Any

import yaml

from forms_dynamics.schema import form_reader, relation_reader, shipped, slot_reader
from forms_dynamics.schema.editor import editor_schema


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """The part of JSON Schema that the editor's schema uses, without patterns."""
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
    if "anyOf" in schema and not any(fits(value, arm) for arm in schema["anyOf"]):
        return False
    if "oneOf" in schema and sum(fits(value, arm) for arm in schema["oneOf"]) != 1:
        return False
    if ("const" in schema and value != schema["const"]) or ("enum" in schema and value not in schema["enum"]):
        return False
    wanted = schema.get("type")
    if wanted:
        names = [wanted] if isinstance(wanted, str) else wanted
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not any(
            (name in ("number", "integer") and number) or isinstance(value, kinds.get(name, ()))
            for name in names
        ):
            return False
    if isinstance(value, list):
        return all(fits(item, schema.get("items", {})) for item in value)
    if not isinstance(value, dict):
        return True
    properties, extra = schema.get("properties", {}), schema.get("additionalProperties", {})
    if not set(schema.get("required", ())) <= value.keys():
        return False
    return all(
        fits(item, properties[key]) if key in properties else extra is not False and fits(item, extra)
        for key, item in value.items()
    )


def test_what_ships_fits() -> None:
    schema = editor_schema()
    for path in (*shipped.files("form_types"), *shipped.files("relation_rules")):
        # the pure Python parser is stricter than libyaml: what ships must please both
        for document in yaml.safe_load_all(path.read_text(encoding="utf-8")):
            assert fits(document, schema), path


def test_mistakes_do_not_fit() -> None:
    schema = editor_schema()
    good = {"form_type": "a", "slots": {"x": {"type": "text"}}}
    assert fits(good, schema)
    for bad in (
        {**good, "slotz": {}},
        {"form_type": "a"},
        {"form_type": "a", "slots": {"x": {"type": "txt"}}},
        {"form_type": "a", "slots": {"x": {"type": "text", "many": "yes"}}},
        {"relation": "r", "from": "a"},
        {"relation": "r", "from": "a", "to": "b", "cardinality": "some"},
    ):
        assert not fits(bad, schema), bad


def test_every_key_of_the_readers_has_a_shape() -> None:
    form, relation = editor_schema()["oneOf"]
    slot = form["properties"]["slots"]["additionalProperties"]["anyOf"][1]
    for shape, keys in (
        (form, form_reader.FORM_KEYS), (relation, relation_reader.RELATION_KEYS),
        (slot, slot_reader.SLOT_KEYS),
    ):  # fmt: skip
        assert tuple(shape["properties"]) == keys
        assert all(shape["properties"].values())
