"""One ``form_type:`` document to a FormType."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from forms_dynamics.model.value import MOST_DAYS
from forms_dynamics.schema import template
from forms_dynamics.schema.findings import nearest
from forms_dynamics.schema.migration_reader import read_migrations
from forms_dynamics.schema.reader import Reader, is_null
from forms_dynamics.schema.slot_reader import read_fade, read_share, read_slots
from forms_dynamics.schema.source import Node
from forms_dynamics.schema.spec import EXPECTED_FORM, Example, FormType, Identity, Life, SlotSpec

FORM_KEYS = (
    "form_type", "version", "description", "aliases", "identity", "life", "threshold", "shared", "slots",
    "template", "first_contact", "expected", "examples", "usage", "json_ld", "migrations", "extractor",
)  # fmt: skip
LIFE_KEYS = ("ttl_seconds", "cold_after_days", "fade_per_day", "valid_days")
CONTEXT_PARTS = ("$user", "$speaker", "$conversation")
WHO = frozenset({"$user", "$speaker"})  # a key of these alone says whose Form it is
IDENTITY_KEYS = ("any",)
EXAMPLE_KEYS = ("text", "gives")
TERM_KEYS = ("id", "type", "container")
CONTAINERS = ("@list", "@set")
JSON_LD_KEYS = ("type", "version", "prefixes", "terms")
MANY_SLOTS = 12
MANY_QUESTIONS = 7


@dataclass(slots=True)
class ReadType:
    """A Form type and the nodes that later checks point at."""

    spec: FormType
    node: Node
    refs: dict[str, Node] = field(default_factory=dict)  # slot → its ref


def read_form(reader: Reader, root: Node, check_templates: bool = True) -> ReadType | None:
    """The Form type of one document; None when it has no usable name. Findings are the reader's."""
    fields = reader.fields(root, FORM_KEYS, "a form type")
    name_node = fields["form_type"]
    name = reader.name(name_node, "form_type")
    refs: dict[str, Node] = {}
    slots = read_slots(reader, fields.get("slots"), name_node, refs)
    if name is None:
        return None
    version = reader.integer(fields["version"], "version", 1) if "version" in fields else 1
    texts = fields.get("description")
    template_texts = reader.by_language(fields["template"], "template") if "template" in fields else {}
    if check_templates and "template" in fields:
        _check_templates(reader, fields["template"], template_texts, slots)
    migrations: Mapping[int, Sequence[Mapping[str, Any]]] = {}
    if "migrations" in fields:
        migrations = read_migrations(reader, fields["migrations"], version or 1, slots)
    identity = _identity(reader, fields["identity"], slots) if "identity" in fields else Identity()
    spec = FormType(
        name=name,
        version=max(version or 1, *migrations, 1),
        slots=slots,
        identity=identity,
        life=_life(reader, fields["life"]) if "life" in fields else Life(),
        description=reader.by_language(texts, "description") if texts else {},
        aliases=reader.words(fields["aliases"], "an alias") if "aliases" in fields else (),
        template=template_texts,
        examples=_examples(reader, fields["examples"], slots) if "examples" in fields else (),
        threshold=read_share(reader, fields, "threshold"),
        shared=bool("shared" in fields and reader.boolean(fields["shared"], "shared")),
        json_ld=_json_ld(reader, fields["json_ld"], slots) if "json_ld" in fields else {},
        migrations=migrations,
        usage=reader.by_language(fields["usage"], "usage") if "usage" in fields else {},
        extractor=reader.text(fields["extractor"], "extractor") if "extractor" in fields else None,
        extractor_at=(fields["extractor"].line + 1, fields["extractor"].column + 1)
        if "extractor" in fields
        else (0, 0),
        first_contact=_first_contact(reader, fields["first_contact"], slots, identity)
        if "first_contact" in fields
        else {},
        expected=_expected(reader, fields["expected"], slots) if "expected" in fields else (),
        file=reader.file,
        line=name_node.line + 1,
    )
    if len(slots) > MANY_SLOTS:
        reader.warn(
            fields["slots"],
            f"{name} has {len(slots)} slots; each costs confidence: keep to about {MANY_SLOTS} or split it",
        )
    return ReadType(spec, name_node, refs)


def _identity(reader: Reader, node: Node, slots: Mapping[str, SlotSpec]) -> Identity:
    if node.kind == "scalar":
        if node.value == "each":
            return Identity(keys=(), each=True)
        hint = f"[{node.value}]" if node.value in slots or node.value in CONTEXT_PARTS else None
        reader.error(node, f"identity is [slots], {{any: [[…], […]]}} or each, not {node.value!r}", hint)
        return Identity()
    if node.kind == "sequence":
        if node.value and all(item.kind == "sequence" for item in node.value):
            reader.error(node, "alternatives stand under any, as in {any: [[phone], [name, company]]}")
            return Identity()
        key = _key(reader, node, slots)
        return Identity(keys=(key,)) if key else Identity()
    fields = reader.fields(node, IDENTITY_KEYS, "identity")
    if "any" not in fields:
        if not node.value:
            reader.error(node, "identity is empty; write [slot], {any: [[slot], [slot, slot]]} or each")
        return Identity()
    keys: dict[tuple[str, ...], None] = {}
    for item in reader.items(fields["any"], "identity: any"):
        if item.kind != "sequence":
            hint = f"[{item.value}]" if item.kind == "scalar" else None
            reader.error(item, "each alternative of an identity is a list of slots", hint)
            continue
        key = _key(reader, item, slots)
        if key:
            keys[key] = None
    if not fields["any"].value:
        reader.error(fields["any"], "identity: any needs at least one list of slots")
    return Identity(keys=tuple(keys)) if keys else Identity()


def _key(reader: Reader, node: Node, slots: Mapping[str, SlotSpec]) -> tuple[str, ...]:
    parts: list[str] = []
    if not node.value:
        reader.error(node, "an identity needs at least one slot")
    for item in node.value:
        name = reader.known(item, (*slots, *CONTEXT_PARTS), "identity: slot")
        if name is not None and name in slots and slots[name].many:
            reader.error(item, f"identity: slot {name!r} holds many values and cannot tell Forms apart")
        elif name is not None and name not in parts:
            parts.append(name)
    return tuple(parts)


def _first_contact(
    reader: Reader, node: Node, slots: Mapping[str, SlotSpec], identity: Identity
) -> dict[str, Mapping[str, str]]:
    """The slots to ask about, in order, each with its own words where it has some."""
    asked: dict[str, Mapping[str, str]] = {}
    items = reader.items(node, "first_contact")
    if node.kind == "sequence" and not items:
        reader.error(node, "first_contact is empty; list the slots to ask about, or leave it out")
    for item in items:
        slot, words = item, None
        if item.kind == "mapping":
            if len(item.value) != 1:
                reader.error(
                    item,
                    "an entry of first_contact is a slot, or one slot with its words: city: {zh: …, en: …}",
                )
                continue
            slot, words = item.value[0]
        name = reader.known(slot, slots, "first_contact: slot")
        texts = {} if words is None else reader.by_language(words, f"first_contact: {slot.value}")
        if name in asked:
            reader.error(slot, f"first_contact asks about {name!r} twice")
        elif name is not None:
            asked[name] = texts
    if not any(WHO.issuperset(key) for key in identity.keys):
        reader.error(
            node,
            "first_contact asks the speaker, so identity must be [$speaker] or [$user]: an answer goes to the Form"
            " of whoever gives it",
        )
    if len(asked) > MANY_QUESTIONS:
        reader.warn(
            node,
            f"first_contact asks {len(asked)} questions; few people answer more than {MANY_QUESTIONS}: keep those"
            " that matter from the first day",
        )
    return asked


def _expected(reader: Reader, node: Node, slots: Mapping[str, SlotSpec]) -> tuple[str, ...]:
    """What every user's memory should know of this type: a Form at all, or these slots."""
    if node.kind == "scalar":
        if node.value in slots:
            reader.error(node, "expected is true or a list of slots", f"[{node.value}]")
            return ()
        if reader.boolean(node, "expected: a Form of the type at all") is False:
            reader.error(node, "expected is true or a list of slots; leave it out where nothing is expected")
            return ()
        return (EXPECTED_FORM,)
    items = reader.items(node, "expected")
    if node.kind == "sequence" and not items:
        reader.error(node, "expected is empty; list the slots that a memory should know, or leave it out")
    found: list[str] = []
    for item in items:
        name = reader.known(item, slots, "expected: slot")
        if name in found:
            reader.error(item, f"expected lists {name!r} twice")
        elif name is not None:
            found.append(name)
    return tuple(found)


def _life(reader: Reader, node: Node) -> Life:
    fields = reader.fields(node, LIFE_KEYS, "life")
    life = Life()
    ttl, cold, valid = life.ttl_seconds, life.cold_after_days, life.valid_days
    if "ttl_seconds" in fields and not is_null(fields["ttl_seconds"]):
        ttl = reader.integer(fields["ttl_seconds"], "life: ttl_seconds", 1, MOST_DAYS * 86_400)
    if "cold_after_days" in fields:
        cold = _days(reader, fields["cold_after_days"], "life: cold_after_days")
    if "valid_days" in fields:
        valid = _days(reader, fields["valid_days"], "life: valid_days")
    return Life(ttl, cold, read_fade(reader, fields, "life"), valid)


def _days(reader: Reader, node: Node, what: str) -> float | None:
    """Days above zero; null means never."""
    if is_null(node):
        return None
    value = reader.number(node, what, above=0, high=MOST_DAYS)
    return None if value is None else float(value)


def _examples(reader: Reader, node: Node, slots: Mapping[str, SlotSpec]) -> tuple[Example, ...]:
    found: list[Example] = []
    for item in reader.items(node, "examples"):
        fields = reader.fields(item, EXAMPLE_KEYS, "an example")
        if not {"text", "gives"} <= fields.keys():
            if item.kind == "mapping":
                reader.error(
                    item, "an example has a text and what it gives: {text: …, gives: {budget: 500000}}"
                )
            continue
        text = reader.text(fields["text"], "an example's text")
        given = fields["gives"]
        forms = given.value if given.kind == "sequence" else [given]
        values = [_gives(reader, form, slots) for form in forms]
        if text is not None:
            found.append(Example(text, values if given.kind == "sequence" else values[0]))  # type: ignore[arg-type]
    return tuple(found)


def _gives(reader: Reader, node: Node, slots: Mapping[str, SlotSpec]) -> dict[str, Any]:
    if is_null(node):
        reader.error(node, "an example that gives nothing says 'gives: {}'")
        return {}
    values: dict[str, Any] = {}
    for key, value in reader.pairs(node, "gives"):
        name = reader.known(key, slots, "slot")
        if name is not None and name in slots:
            values[name] = reader.plain(value, f"slot {name!r}")
    return values


def _check_templates(
    reader: Reader, node: Node, texts: Mapping[str, str], slots: Mapping[str, SlotSpec]
) -> None:
    """Points at the line inside the template where one can be told."""
    places = {key.value: value for key, value in node.value} if node.kind == "mapping" else {}
    for language, source in texts.items():
        place = places.get(language, node)
        block = reader.source[place.start : place.start + 1] in ("|", ">")
        for line, message, wrong in template.problems(source, tuple(slots)):
            at = Node.__new__(Node)
            at.kind, at.value, at.plain, at.start, at.end, at.size = "scalar", "", False, 0, 0, 1
            at.line = place.line + (line if block else 0)
            at.column = 0 if block else place.column
            reader.error(at, f"template in {language}: {message}", nearest(wrong, slots) if wrong else None)


def _json_ld(reader: Reader, node: Node, slots: Mapping[str, SlotSpec]) -> dict[str, Any]:
    fields = reader.fields(node, JSON_LD_KEYS, "json_ld")
    if "type" in fields:
        for item in fields["type"].value if fields["type"].kind == "sequence" else [fields["type"]]:
            reader.word(item, "json_ld: type")
    if "version" in fields:
        reader.integer(fields["version"], "json_ld: version", 1)
    for _, value in reader.pairs(fields["prefixes"], "json_ld: prefixes") if "prefixes" in fields else []:
        reader.word(value, "json_ld: a prefix")
    for key, value in reader.pairs(fields["terms"], "json_ld: terms") if "terms" in fields else []:
        reader.known(key, slots, "json_ld: slot")
        if value.kind == "mapping":
            term = reader.fields(value, TERM_KEYS, f"json_ld: term {key.value!r}")
            if "id" not in term:
                reader.error(value, f"json_ld: term {key.value!r} needs an id")
            for part in ("id", "type"):
                if part in term:
                    reader.word(term[part], f"json_ld: {part} of term {key.value!r}")
            if "container" in term:
                reader.choice(term["container"], CONTAINERS, "json_ld: container")
        else:
            reader.word(value, f"json_ld: term {key.value!r}")
    return {key: reader.plain(value, f"json_ld: {key}") for key, value in fields.items()}
