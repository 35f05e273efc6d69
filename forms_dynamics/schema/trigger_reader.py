"""One ``trigger:`` document to a Trigger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from forms_dynamics.schema.conditions import Condition, read_condition, settled
from forms_dynamics.schema.expression import Expression
from forms_dynamics.schema.findings import nearest
from forms_dynamics.schema.reader import Reader
from forms_dynamics.schema.relatives import of_speaker_alone
from forms_dynamics.schema.source import Node
from forms_dynamics.schema.spec import EVENTS, FormType, Load, SlotSpec, Trigger

TRIGGER_KEYS = ("trigger", "on", "when", "load", "description")
LOAD_KEYS = ("form_type", "slots", "where", "relation", "limit")
MOST_LOADED = 50  # Forms of one load

# what is known of an event of each kind; a name that ends in a dot goes on as the data does
KNOWN: Mapping[str, Sequence[str]] = {
    "intent_recognized": ("intent",),
    "entity_extracted": ("entity.type", "entity.value", "entity.form_type", "entity.slot"),
    "action_executed": ("action", "result", "arguments.", "result."),
}


@dataclass(slots=True)
class ReadTrigger:
    """A trigger and what later checks point at: the nodes of its loads, the conditions."""

    trigger: Trigger
    node: Node
    when: Condition | None = None
    loads: list[tuple[Load, Mapping[str, Node], Condition | None]] = field(default_factory=list)


def read_trigger(reader: Reader, root: Node) -> ReadTrigger | None:
    """The trigger of one document; None when its name, its event or what it loads is unusable."""
    fields = reader.fields(root, TRIGGER_KEYS, "a trigger")
    name = reader.name(fields["trigger"], "trigger")
    event = None
    if "on" not in fields:
        reader.error(fields["trigger"], f"a trigger needs 'on:' with one of {', '.join(EVENTS)}")
    else:
        event = reader.choice(fields["on"], EVENTS, "on")
    when = read_condition(reader, fields["when"], "when") if "when" in fields else None
    if "load" not in fields:
        reader.error(fields["trigger"], "a trigger needs 'load:', a list of what it loads")
        return None
    listed = fields["load"]
    loads = [
        _load(reader, node)
        for node in ([listed] if listed.kind == "mapping" else reader.items(listed, "load"))
    ]
    if listed.kind == "sequence" and not loads:
        reader.error(listed, "load is empty: the trigger would load nothing")
    if loads and loads[0] is not None and loads[0][0].relation and event == "intent_recognized":
        reader.error(
            loads[0][1]["relation"],
            "an intent is about no Form, so there is none that this relation begins at: load Forms first",
        )
    usable = [load for load in loads if load is not None]
    if name is None or event is None or not usable:
        return None
    texts = fields.get("description")
    trigger = Trigger(
        name=name,
        on=event,
        loads=tuple(load for load, _, _ in usable),
        when=when.expression if when else None,
        description=reader.by_language(texts, "description") if texts else {},
        file=reader.file,
        line=fields["trigger"].line + 1,
    )
    return ReadTrigger(trigger, fields["trigger"], when, usable)


def _load(reader: Reader, node: Node) -> tuple[Load, Mapping[str, Node], Condition | None] | None:
    fields = reader.fields(node, LOAD_KEYS, "load")
    if "form_type" not in fields and "relation" not in fields:
        if node.kind == "mapping":
            reader.error(node, "load needs 'form_type:' or 'relation:'")
        return None
    form_type = reader.name(fields["form_type"], "form_type") if "form_type" in fields else None
    relation = reader.name(fields["relation"], "relation") if "relation" in fields else None
    slots: tuple[str, ...] = ()
    where = None
    for key in ("slots", "where"):
        if key in fields and "form_type" not in fields:
            reader.error(fields[key], f"{key} needs 'form_type:' beside it, to say of which type they are")
            return None
    if "slots" in fields:
        slots = reader.words(fields["slots"], "a slot")
    if "where" in fields:
        where = read_condition(reader, fields["where"], "where")
        if where is None:
            return None
    limit = Load().limit
    if "limit" in fields:
        limit = reader.integer(fields["limit"], "limit", 1, MOST_LOADED) or limit
    if ("form_type" in fields and form_type is None) or ("relation" in fields and relation is None):
        return None
    return Load(form_type, slots, where.expression if where else None, relation, limit), fields, where


def resolve_trigger(
    reader: Reader, read: ReadTrigger, types: Mapping[str, FormType], relations: Sequence[str]
) -> Trigger:
    """The trigger with enum values in place of their synonyms. Reports what it names and there is not: types, slots,
    relations, what its event does not tell."""
    on = read.trigger.on
    when, loads = None, []
    if read.when is not None:
        when = _settled(reader, read.when, "when", on, types, None)
    for load, nodes, where in read.loads:
        loads.append(load)
        form_type = None
        if load.form_type is not None:
            form_type = types.get(load.form_type)
            if form_type is None:
                reader.error(
                    nodes["form_type"],
                    f"load: the Form type {load.form_type!r} is not loaded",
                    nearest(load.form_type, tuple(types)),
                )
                continue
        if load.relation is not None and load.relation not in relations:
            reader.error(
                nodes["relation"],
                f"load: the relation {load.relation!r} is not loaded",
                nearest(load.relation, relations),
            )
        for slot in load.slots:
            if form_type is not None and slot not in form_type.slots:
                reader.error(
                    _item(nodes["slots"], slot),
                    f"load: {form_type.name} has no slot {slot!r}",
                    nearest(slot, tuple(form_type.slots)),
                )
        if where is not None:
            loads[-1] = replace(load, where=_settled(reader, where, "where", on, types, form_type))
    return replace(read.trigger, when=when, loads=tuple(loads))


def _item(node: Node, text: str) -> Node:
    inside = node.value if node.kind == "sequence" else ()
    return next((item for item in inside if item.kind == "scalar" and item.value.strip() == text), node)


def _settled(
    reader: Reader,
    condition: Condition,
    what: str,
    on: str,
    types: Mapping[str, FormType],
    form_type: FormType | None,
) -> Expression:
    slots = form_type.slots if form_type else {}
    known = [*KNOWN[on], *slots]
    owned = {name: t for name, t in types.items() if of_speaker_alone(t)}

    def spec_of(name: str) -> SlotSpec | str | None:
        if name in slots:
            return slots[name]
        if any(name == each or (each.endswith(".") and name.startswith(each)) for each in known):
            return None
        owner, dot, slot = name.partition(".")
        if dot and owner in owned:
            return owned[owner].slots.get(slot) or f"{owner} has no slot {slot!r}"
        if dot and owner in types:
            return f"{owner} is no type of which a user has one Form (identity [$speaker] or [$user])"
        other = next((event for event, names in KNOWN.items() if name in names or f"{owner}." in names), None)
        if other is not None and other != on:
            return f"{name} is not known on {on}, only on {other}"
        told = ", ".join(each + "…" if each.endswith(".") else each for each in KNOWN[on])
        own = f", slots of {form_type.name}" if form_type else ""
        return f"{name!r} is not known here; {told}{own} and slots of the user's own Forms (type.slot) are"

    options = [*known, *(f"{name}.{slot}" for name, t in owned.items() for slot in t.slots)]
    return settled(reader, condition, what, spec_of, options)


__all__ = [
    "KNOWN",
    "LOAD_KEYS",
    "MOST_LOADED",
    "TRIGGER_KEYS",
    "ReadTrigger",
    "read_trigger",
    "resolve_trigger",
]
