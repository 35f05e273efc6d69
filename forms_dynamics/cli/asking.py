"""The questions of ``init --type`` on a terminal. They stand on stderr; each has a default that Enter takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import typer

from forms_dynamics.language.normal import has_han
from forms_dynamics.schema import hover, template
from forms_dynamics.schema.form_reader import CONTEXT_PARTS
from forms_dynamics.schema.reader import is_name
from forms_dynamics.schema.sketch.columns import slot_name
from forms_dynamics.schema.sketch.write import Sketch, labels_of, sketched_template, spoken_aliases
from forms_dynamics.schema.slot_reader import UNITED
from forms_dynamics.schema.spec import SLOT_TYPES, Identity, SlotSpec

Gives = Callable[[Sketch, str], Mapping[str, Any]]


def ask_for(name: str, gives: Gives) -> Sketch:
    """The sketch that the answers make. ``gives`` tells what a message gives with a sketch so far.

    Abort when the person ends it (Ctrl-C, end of input): nothing has been written then.
    """
    _say(f"A Form type {name!r}. Enter takes what stands in brackets. · 回车即采用括号内的默认值")
    spoken = name.replace("_", " ")
    zh = _ask("What is it called in Chinese? · 中文叫什么", spoken if has_han(name) else "")
    en = _ask("What is it called in English? · 英文叫什么", "" if has_han(name) else spoken)
    labels = labels_of(name, zh, en)
    slots = _slots(has_han(name))
    sketch = Sketch(
        name=name,
        slots=slots,
        identity=_identity(slots),
        heading=(f"Check it with: forms-dynamics check form_types/{name}.yaml",),
        description={language: text for language, text in (("zh", zh), ("en", en)) if text},
        aliases=spoken_aliases(name, labels),
    )
    sketch.template = _templates(slots, sketched_template(slots, labels))
    message = _ask("One message that such a Form is read from (or none) · 一条示例消息（可不填）", "")
    if message:
        found = dict(gives(sketch, message))
        _say(f"It gives: {', '.join(f'{slot} = {value}' for slot, value in found.items()) or 'nothing yet'}")
        if found:
            sketch.examples = [(message, found)]
        else:
            sketch.heading = (*sketch.heading, f"An example to add when aliases and cues fit: {message}")
    return sketch


def _say(text: str) -> None:
    typer.echo(text, err=True)


def _ask(question: str, default: str) -> str:
    answer: str = typer.prompt(question, default=default, show_default=bool(default), err=True)
    return answer.strip()


def _slots(chinese: bool) -> dict[str, SlotSpec]:
    slots: dict[str, SlotSpec] = {}
    while True:
        first = "名称" if chinese else "name"
        question = (
            "Next slot (Enter: no more) · 下一个槽位（回车结束）" if slots else "First slot · 第一个槽位"
        )
        said = _ask(question, "" if slots else first)
        if not said:
            return slots
        name = said if is_name(said) else slot_name(said)
        if not name or name in slots:
            _say(
                f"{said!r} is there already" if name else f"{said!r} holds no letter; a name begins with one"
            )
            continue
        slot = _typed(SlotSpec(name, _type()))
        words = _words(
            "Other words for it, with commas (or none) · 其他叫法，逗号分隔", "" if said == name else said
        )
        slots[name] = replace(slot, aliases=tuple(word for word in words if word != name))


def _type() -> str:
    _say("  " + ", ".join(f"{n} {kind}" for n, kind in enumerate(SLOT_TYPES, 1)))
    while True:
        said = _ask("Its type, by number or name (? explains) · 类型", "text")
        if said.isdecimal() and 1 <= int(said) <= len(SLOT_TYPES):
            return SLOT_TYPES[int(said) - 1]
        if said in SLOT_TYPES:
            return said
        if said in ("?", "？"):
            for n, kind in enumerate(SLOT_TYPES, 1):
                _say(f"  {n:>2} {kind:<10} {hover.SLOT_TYPE[kind]}")
            continue
        _say(f"{said!r} is none of them")


def _typed(slot: SlotSpec) -> SlotSpec:
    """What the type needs beside its name."""
    if slot.type == "enum":
        values: tuple[str, ...] = ()
        while len(values) < 1:
            values = _words("Its values, with commas · 取值，逗号分隔", "new, done")
        return replace(slot, values=dict.fromkeys(values, ()))
    if slot.type == "ref":
        target = ""
        while not is_name(target):
            target = _ask("Which Form type does it point to? · 指向哪个表单类型", "person")
        return replace(slot, ref=target)
    if slot.type == "money":
        code = ""
        while not re.fullmatch("[A-Z]{3}", code):
            code = _ask("Currency of an amount that names none (ISO 4217) · 默认币种", "CNY").upper()
        return replace(slot, unit=code)
    if slot.type in UNITED:
        return replace(slot, unit=_ask("Its unit (or none) · 单位（可不填）", "") or None)
    return slot


def _words(question: str, default: str) -> tuple[str, ...]:
    parts = re.split(r"[,，、;；]", _ask(question, default))
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


def _identity(slots: Mapping[str, SlotSpec]) -> Identity:
    single = [name for name, slot in slots.items() if not slot.many]
    while True:
        parts = _words(
            "What identifies it: slots with commas, or each (every mention is new) · 靠什么认定同一个",
            single[0],
        )
        if parts == ("each",):
            return Identity(keys=(), each=True)
        strange = [part for part in parts if part not in slots and part not in CONTEXT_PARTS]
        if parts and not strange:
            return Identity(keys=(parts,))
        _say(f"no slot {', '.join(strange)}; there are {', '.join(slots)}")


def _templates(slots: Mapping[str, SlotSpec], sketched: Mapping[str, str]) -> dict[str, str]:
    told = {}
    for language, default in sketched.items():
        while True:
            line = _ask(f"How it reads in a context ({hover.LANGUAGE[language]})", default)
            wrong = [message for _, message, _ in template.problems(line, tuple(slots))]
            if not wrong:
                told[language] = line
                break
            _say(f"{wrong[0]}; slots stand as {{{{{next(iter(slots))}}}}}")
    return told
