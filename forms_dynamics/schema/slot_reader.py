"""The ``slots:`` of a form type to SlotSpecs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from forms_dynamics.language.normal import normal
from forms_dynamics.schema.reader import Reader, is_null, iso_date
from forms_dynamics.schema.source import Node
from forms_dynamics.schema.spec import SLOT_TYPES, SlotSpec

SLOT_KEYS = (
    "type", "many", "required", "exact", "unit", "ref", "values", "aliases", "cues", "description",
    "question", "examples", "threshold", "min", "max", "authority", "fade_per_day",
    "rules_out", "avoided_rules_out",
)  # fmt: skip
SOURCES = ("user", "tool", "import", "inferred")

_TYPE_SYNONYMS = {
    "str": "text", "string": "text", "varchar": "text", "int": "integer", "float": "number",
    "decimal": "number", "double": "number", "bool": "boolean", "currency": "money", "amount": "money",
    "timestamp": "datetime",
    "time": "datetime", "choice": "enum", "mail": "email", "e-mail": "email", "link": "url", "uri": "url",
    "reference": "ref", "percentage": "percent", "tel": "phone", "daterange": "date_range",
}  # fmt: skip
BOUNDED = ("integer", "number", "percent", "money", "date")  # types that take min and max
UNITED = ("integer", "number", "percent", "money", "duration")  # types that take a unit
NOT_A_SLOT = ("form_type",)


def read_slots(
    reader: Reader, node: Node | None, name_node: Node, refs: dict[str, Node]
) -> dict[str, SlotSpec]:
    """The slots in order; ``refs`` is filled with slot → the node of its ref."""
    if node is None or is_null(node):
        reader.error(node or name_node, "a form type needs 'slots:' with at least one slot")
        return {}
    slots: dict[str, SlotSpec] = {}
    callers: dict[str, str] = {}
    pairs = reader.pairs(node, "slots")
    if node.kind == "mapping" and not node.value:
        reader.error(node, "a form type needs at least one slot")
    for key, value in pairs:
        name = reader.name(key, "slot name")
        if name in NOT_A_SLOT:
            reader.error(key, f"{name!r} cannot be a slot: drafts use the word for the type itself")
            continue
        if name is None:
            continue
        slot = read_slot(reader, name, key, value, refs)
        # a slot with a mistake still exists, so that what refers to it is not called unknown as well
        slots[name] = slot or SlotSpec(name=name, type="text")
        _one_meaning(reader, slots[name], value, callers)
    return slots


def _one_meaning(reader: Reader, slot: SlotSpec, node: Node, callers: dict[str, str]) -> None:
    """Two slots that go by one word cannot be told apart in a message."""
    for word in (slot.name, *slot.aliases):
        other = callers.setdefault(normal(word), slot.name)
        if other != slot.name:
            reader.warn(node, f"{word!r} stands for two slots, {other!r} and {slot.name!r}; keep it on one")


def read_slot(
    reader: Reader, name: str, key: Node, node: Node, refs: dict[str, Node], kind: str = "slot"
) -> SlotSpec | None:
    """One slot; ``kind``: what messages call it (a query's parameter is told as a slot is)."""
    what = f"{kind} {name!r}"
    if node.kind == "scalar" and not is_null(node):
        type_name = reader.choice(node, SLOT_TYPES, f"{what}: type", _TYPE_SYNONYMS)
        if type_name in ("enum", "ref"):
            reader.error(node, f"{what}: {type_name} needs more, as in {_NEEDS[type_name]}")
        return None if type_name is None else SlotSpec(name=name, type=type_name)
    if is_null(node):
        reader.error(key, f"{what} has no type; write '{name}: {{type: text}}'")
        return None
    fields = reader.fields(node, SLOT_KEYS, what)
    if "type" not in fields:
        if node.kind == "mapping":
            reader.error(key, f"{what} has no type; add 'type: text' or one of {', '.join(SLOT_TYPES[1:])}")
        return None
    type_name = _type(reader, fields["type"], what)
    if type_name is None:
        return None
    low, high = _bounds(reader, fields, type_name, what)
    examples = fields.get("examples")
    return SlotSpec(
        name=name,
        type=type_name,
        many=_flag(reader, fields, "many", what),
        required=_flag(reader, fields, "required", what),
        exact=_flag(reader, fields, "exact", what),
        unit=_unit(reader, fields.get("unit"), type_name, what),
        ref=_ref(reader, fields.get("ref"), type_name, name, fields["type"], refs),
        values=_values(reader, fields.get("values"), type_name, what, fields["type"]),
        aliases=reader.words(fields["aliases"], f"{what}: an alias") if "aliases" in fields else (),
        description=_texts(reader, fields, "description", what),
        question=_texts(reader, fields, "question", what),
        examples=reader.words(examples, f"{what}: an example", prose=True) if examples else (),
        threshold=read_share(reader, fields, "threshold", what),
        min=low,
        max=high,
        authority=_authority(reader, fields["authority"], what) if "authority" in fields else None,
        fade_per_day=read_fade(reader, fields, what),
        cues=reader.words(fields["cues"], f"{what}: a cue") if "cues" in fields else (),
        rules_out=_ruled_out(reader, fields.get("rules_out"), type_name, f"{what}: rules_out"),
        avoided_rules_out=_ruled_out(
            reader, fields.get("avoided_rules_out"), type_name, f"{what}: avoided_rules_out"
        ),
    )


_NEEDS = {"enum": "{type: enum, values: [new, done]}", "ref": "{type: ref, ref: lead_profile}"}


def _type(reader: Reader, node: Node, what: str) -> str | None:
    if node.kind == "scalar" and node.value in ("list", "array", "set"):
        reader.error(node, f"{what}: a list is 'many: true' beside the type of its items", "text, many: true")
        return None
    return reader.choice(node, SLOT_TYPES, f"{what}: type", _TYPE_SYNONYMS)


def _flag(reader: Reader, fields: Mapping[str, Node], key: str, what: str) -> bool:
    return bool(key in fields and reader.boolean(fields[key], f"{what}: {key}"))


def _texts(reader: Reader, fields: Mapping[str, Node], key: str, what: str) -> dict[str, str]:
    return reader.by_language(fields[key], f"{what}: {key}") if key in fields else {}


def read_share(reader: Reader, fields: Mapping[str, Node], key: str, what: str = "") -> float | None:
    if key not in fields:
        return None
    value = reader.number(fields[key], f"{what}: {key}" if what else key, low=0, high=1)
    return None if value is None else float(value)


def read_fade(reader: Reader, fields: Mapping[str, Node], what: str) -> float | None:
    if "fade_per_day" not in fields:
        return None
    value = reader.number(fields["fade_per_day"], f"{what}: fade_per_day", above=0, high=1)
    return None if value is None else float(value)


def _unit(reader: Reader, node: Node | None, type_name: str, what: str) -> str | None:
    if node is None:
        return None
    unit = reader.word(node, f"{what}: unit")
    if type_name not in UNITED:
        reader.error(node, f"{what}: unit goes with {', '.join(UNITED)}, this is {type_name}")
        return None
    if unit is None or type_name != "money":
        return unit
    code = len(unit) == 3 and unit.isascii() and unit.isalpha()
    if code and unit.isupper():
        return unit
    hint = _CURRENCIES.get(unit) or (unit.upper() if code else None)
    reader.error(node, f"{what}: the unit of money is its ISO 4217 code, such as CNY, not {unit!r}", hint)
    return None


_CURRENCIES = {
    "元": "CNY", "人民币": "CNY", "RMB": "CNY", "rmb": "CNY", "¥": "CNY", "$": "USD", "€": "EUR", "£": "GBP",
    "美元": "USD", "欧元": "EUR", "日元": "JPY", "港元": "HKD", "港币": "HKD",
}  # fmt: skip


def _ref(
    reader: Reader, node: Node | None, type_name: str, name: str, type_node: Node, refs: dict[str, Node]
) -> str | None:
    if node is None:
        if type_name == "ref":
            reader.error(type_node, f"slot {name!r}: ref needs a Form type, as in {_NEEDS['ref']}")
        return None
    if type_name != "ref":
        reader.error(node, f"slot {name!r}: only a slot of type ref has a ref, this is {type_name}")
        return None
    target = reader.name(node, f"slot {name!r}: ref")
    if target is not None:
        refs[name] = node
    return target


def _values(
    reader: Reader, node: Node | None, type_name: str, what: str, type_node: Node
) -> dict[str, tuple[str, ...]]:
    if node is None:
        if type_name == "enum":
            reader.error(type_node, f"{what}: enum needs values, as in {_NEEDS['enum']}")
        return {}
    if type_name != "enum":
        reader.error(node, f"{what}: only a slot of type enum has values, this is {type_name}", "type: enum")
        return {}
    entries: list[tuple[Node, Node | None]]
    if node.kind == "mapping":
        entries = list(node.value)
    else:
        entries = [(item, None) for item in reader.items(node, f"{what}: values")]
    values: dict[str, tuple[str, ...]] = {}
    taken: dict[str, str] = {}
    for key, synonyms in entries:
        value = reader.word(key, f"{what}: value")
        words = () if synonyms is None or is_null(synonyms) else reader.words(synonyms, f"{what}: a synonym")
        if value is None:
            continue
        for place, word in [(key, value), *((synonyms or key, word) for word in words)]:
            owner = taken.setdefault(normal(word), value)
            if owner != value or (place is key and value in values):
                reader.error(place, f"{what}: {word!r} stands for two values, {owner!r} and {value!r}")
        values[value] = words
    if not entries:
        reader.error(node, f"{what}: enum needs at least one value")
    return values


def _ruled_out(reader: Reader, node: Node | None, type_name: str, what: str) -> dict[str, tuple[str, ...]]:
    """Value → the things that are against it."""
    if node is None:
        return {}
    if type_name not in ("text", "enum"):
        reader.error(node, f"{what} goes with text and enum, this is {type_name}")
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for key, things in reader.pairs(node, what):
        value = reader.word(key, what)
        if value is not None:
            found[value] = reader.words(things, f"{what}: a thing")
    return found


def _bounds(reader: Reader, fields: Mapping[str, Node], type_name: str, what: str) -> tuple[Any, Any]:
    found: dict[str, Any] = {"min": None, "max": None}
    for key in ("min", "max"):
        node = fields.get(key)
        if node is None:
            continue
        if type_name not in BOUNDED:
            reader.error(node, f"{what}: {key} goes with {', '.join(BOUNDED)}, this is {type_name}")
        elif type_name == "date":
            found[key] = iso_date(str(node.value)) if node.kind == "scalar" else None
            if found[key] is None:
                reader.error(node, f"{what}: {key} must be a date such as 2026-01-31")
        elif type_name == "integer":
            found[key] = reader.integer(node, f"{what}: {key}")
        else:
            found[key] = reader.number(node, f"{what}: {key}")
    low, high = found["min"], found["max"]
    if low is not None and high is not None and low > high:
        reader.error(fields["min"], f"{what}: min {low} is above max {high}")
    return low, high


def _authority(reader: Reader, node: Node, what: str) -> Any:
    if node.kind == "scalar":
        return reader.choice(node, ("newest",), f"{what}: authority")
    what = f"{what}: authority"
    order = [reader.choice(item, SOURCES, what) for item in reader.items(node, what)]
    return tuple(dict.fromkeys(source for source in order if source)) or None
