"""A sketched form type as commented YAML, in the style of the files that ship."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from forms_dynamics.language.normal import has_han
from forms_dynamics.model.value import Money
from forms_dynamics.schema.editor import MODELINE
from forms_dynamics.schema.reader import is_name, meaning
from forms_dynamics.schema.source import Node
from forms_dynamics.schema.spec import Identity, SlotSpec

_TOLD = 6  # slots that a sketched template tells


@dataclass(slots=True)
class Sketch:
    """What goes into the file. ``notes``: slot → what is to be said of it; ``heading``: lines above all."""

    name: str
    slots: Mapping[str, SlotSpec]
    identity: Identity
    heading: Sequence[str] = ()
    description: Mapping[str, str] = field(default_factory=dict)
    aliases: Sequence[str] = ()
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    left_out: Sequence[str] = ()
    identity_notes: Sequence[str] = ()
    template: Mapping[str, str] = field(default_factory=dict)
    examples: Sequence[tuple[str, Mapping[str, Any]]] = ()


def written(sketch: Sketch, schema: str | None = None) -> str:
    """The YAML text. ``schema``: path of the JSON Schema for editors, relative to the file."""
    lines = [MODELINE.format(schema)] if schema else []
    lines += [f"# {_one_line(line)}" for line in sketch.heading]
    lines += [f"form_type: {scalar(sketch.name)}", "version: 1"]
    if sketch.description:
        lines.append(f"description: {_mapping(sketch.description)}")
    if sketch.aliases:
        lines.append(f"aliases: {_list(sketch.aliases)}")
    lines += ["", "# What makes two mentions the same thing. · 靠什么认定是同一个对象"]
    lines += [f"# {_one_line(note)}" for note in sketch.identity_notes]
    lines.append(f"identity: {_identity(sketch.identity)}")
    lines += ["", "slots:"]
    lines += [f"  # {_one_line(note)}" for note in sketch.left_out]
    for name, slot in sketch.slots.items():
        lines += [f"  # {_one_line(note)}" for note in sketch.notes.get(name, ())]
        lines.append(f"  {scalar(name)}: {_slot(slot)}")
    if sketch.template:
        lines += ["", "# How such a Form reads in a context. · 在上下文中的读法", "template:"]
        lines += [f"  {language}: {quoted(text)}" for language, text in sketch.template.items()]
    if sketch.examples:
        lines += [
            "",
            "# Messages and what they must give; {} for one that must give nothing. · 示例消息及其结果",
        ]
        lines.append("examples:")
        for text, gives in sketch.examples:
            lines.append(f"  - {{text: {quoted(text)}, gives: {_mapping(gives)}}}")
    return "\n".join(lines) + "\n"


def sketched_template(slots: Mapping[str, SlotSpec], labels: Mapping[str, str]) -> dict[str, str]:
    """A line for each language: the first slots, "label: value". ``labels``: how the type is called."""
    told = [slot for slot in slots.values() if not slot.many][:_TOLD] or list(slots.values())[:_TOLD]
    out = {}
    for language, colon, comma in (("zh", "：", "，"), ("en", ": ", ", ")):
        parts = [f"{_spoken(slot.label(language))}{colon}{{{{{slot.name}}}}}" for slot in told]
        out[language] = f"{_spoken(labels[language])}{comma if language == 'zh' else ', '}{comma.join(parts)}"
    return out


def _spoken(label: str) -> str:
    """A label without what a template would take for its own signs."""
    return re.sub(r"[{}%#，；、。：！,;:.!()（）]", " ", label).strip() or "-"


# -- scalars and flow collections ----------------------------------------------------------------------------
def scalar(text: str) -> str:
    """A text without quotes where YAML leaves it a text, else in double quotes."""
    node = Node.__new__(Node)
    node.kind, node.value, node.plain = "scalar", text, True
    return text if is_name(text) and meaning(node) is None else quoted(text)


def quoted(text: str) -> str:
    """A double-quoted scalar; what cannot be seen is escaped."""
    out = []
    for ch in text:
        if ch in '"\\':
            out.append("\\" + ch)
        elif ch == "\n":
            out.append("\\n")
        elif ch.isprintable():
            out.append(ch)
        else:
            code = ord(ch)
            out.append(
                f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
            )
    return '"' + "".join(out) + '"'


def _list(texts: Sequence[str]) -> str:
    return "[" + ", ".join(scalar(text) for text in texts) + "]"


def _mapping(values: Mapping[str, Any]) -> str:
    return "{" + ", ".join(f"{scalar(key)}: {_value(value)}" for key, value in values.items()) + "}"


def _value(value: Any) -> str:
    """What an example gives, as one writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Money):
        return quoted(f"{value.amount:f} {value.currency}")
    if isinstance(value, (date, datetime)):
        return quoted(value.isoformat())
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return scalar(str(value))


def _identity(identity: Identity) -> str:
    if identity.each:
        return "each"
    keys = [_list_of_parts(key) for key in identity.keys]
    return keys[0] if len(keys) == 1 else "{any: [" + ", ".join(keys) + "]}"


def _list_of_parts(key: Sequence[str]) -> str:
    return "[" + ", ".join(part if part.startswith("$") else scalar(part) for part in key) + "]"


def _slot(slot: SlotSpec) -> str:
    parts = [f"type: {slot.type}"]
    for flag in ("many", "required", "exact"):
        if getattr(slot, flag):
            parts.append(f"{flag}: true")
    if slot.unit:
        parts.append(f"unit: {scalar(slot.unit)}")
    if slot.ref:
        parts.append(f"ref: {scalar(slot.ref)}")
    if slot.values:
        synonyms = any(slot.values.values())
        pairs = ", ".join(f"{scalar(value)}: {_list(also)}" for value, also in slot.values.items())
        parts.append(f"values: {{{pairs}}}" if synonyms else f"values: {_list(list(slot.values))}")
    if slot.aliases:
        parts.append(f"aliases: {_list(list(slot.aliases))}")
    return "{" + ", ".join(parts) + "}"


def _one_line(text: str) -> str:
    """A comment that stays one, whatever stands in it."""
    return " ".join("".join(ch if ch.isprintable() else " " for ch in text).split())


def labels_of(name: str, zh: str = "", en: str = "") -> dict[str, str]:
    """How a type is called in each language when nobody said: by its name."""
    spoken = name.replace("_", " ")
    return {"zh": zh or spoken, "en": en or spoken}


def spoken_aliases(name: str, labels: Mapping[str, str]) -> tuple[str, ...]:
    """The labels as aliases, each once; a name alone needs none."""
    words = dict.fromkeys(word for word in labels.values() if word and word != name)
    return tuple(sorted(words, key=lambda word: not has_han(word)))
