"""The parts that results on a terminal are made of: values, times, slots, changes, trees of anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text
from rich.tree import Tree

if TYPE_CHECKING:
    from forms_dynamics import Form, Slot
    from forms_dynamics.model.report import Change
    from forms_dynamics.model.trace_tree import Branch

# one meaning, one colour
STYLES = {
    "known": "green",
    "pending": "yellow",
    "old": "dim",
    "invalid": "red",
    "id": "cyan",
    "words": "italic",
    "aside": "dim",
}
# the parts of a trace's lines
TRACE_STYLES = {
    "head": "bold",
    "name": "bold cyan",
    "id": "cyan",
    "edge": "green",
    "weight": "",
    "reason": "dim",
    "out": "red",
    "aside": "dim",
    "bar": "blue",
}
STEP_STYLES = {
    "anchor": "bold green",
    "walk": "green",
    "prune": "red",
    "near_miss": "yellow",
    "fallback": "yellow",
    "cut": "red",
    "trigger": "cyan",
}


# a terminal obeys these; stored text must not speak to it
_CONTROLS = {code: None for code in (*range(0x20), *range(0x7F, 0xA0)) if code not in (0x09, 0x0A)}


def clean(text: str) -> str:
    """``text`` without characters that a terminal takes as commands."""
    return text.translate(_CONTROLS)


def said(value: Any, lang: str = "en") -> str:
    """A value in one line, as contexts write it."""
    from forms_dynamics.schema.wording import format_value

    if isinstance(value, datetime):
        return when(value)
    return format_value(value, None, lang) or "—"


def when(moment: datetime | None, zone: tzinfo | None = None) -> str:
    """A time to the minute, in ``zone`` (None: the machine's)."""
    return "—" if moment is None else f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"


def slot_table(form: Form, lang: str, zone: tzinfo | None = None) -> Table:
    """Slot, value, confidence, until when it holds (where any of them ends), the words it rests on."""
    table = Table.grid(padding=(0, 2))
    ends = any(slot.valid_until is not None for slot in form.slots.values())
    for name, slot in form.slots.items():
        first, value, sure, words = _slot_cells(name, slot, lang)
        until = "" if slot.valid_until is None else f"until {when(slot.valid_until, zone)}"
        table.add_row(first, value, sure, *([Text(until, STYLES["aside"])] if ends else []), words)
    return table


def form_marks(form: Form) -> str:
    marks = [f"[red]{form.status}[/]"] if form.status != "active" else []
    marks += ["[dim]cold[/]"] if form.cold else []
    marks += ["[dim]expired[/]"] if form.expired else []
    return "".join(f" {mark}" for mark in marks)


def _slot_cells(name: str, slot: Slot, lang: str) -> tuple[Text, Text, Text, Text]:
    value = Text(said(slot.value, lang), STYLES["known"] if slot.status == "known" else STYLES["pending"])
    if slot.avoided:
        value.append(
            f"  not {', '.join(sorted(said(item, lang) for item in slot.avoided))}", STYLES["invalid"]
        )
    sure = f"{slot.confidence:.2f}" + ("" if slot.source == "user" else f" {slot.source}")
    if slot.status == "pending":
        sure = "pending"
    return Text(name), value, Text(sure, STYLES["aside"]), words_of(slot)


def words_of(slot: Slot) -> Text:
    return (
        Text(f"“{clean(slot.evidence.text)}”", STYLES["words"])
        if slot.evidence and slot.evidence.text
        else Text("")
    )


def change(name: str, old: Slot | None, new: Slot, lang: str) -> Text:
    label = Text(f"{name}: ")
    if old is not None and old.value is not None:
        label.append(said(old.value, lang), "dim strike")
        label.append(" → ", "dim")
    label.append(said(new.value, lang), STYLES["known"] if new.status == "known" else STYLES["pending"])
    if new.avoided:
        label.append(
            f"  not {', '.join(sorted(said(item, lang) for item in new.avoided))}", STYLES["invalid"]
        )
    words = words_of(new)
    if words:
        label.append("  ")
        label.append_text(words)
    return label


def difference(change: Change, lang: str, zone: tzinfo | None = None) -> Text:
    """One slot of two versions: what came and went; of a single value the old one and the new one."""
    label = Text()

    def add(sign: str, value: Any, style: str) -> None:
        label.append("  " if label else "").append(f"{sign}{said(value, lang)}", style)

    came, went = change.came, change.went
    if len(came) == len(went) == 1 and not _many(change):
        label.append(said(went[0], lang), "dim strike").append(" → ", "dim")
        label.append(said(came[0], lang), STYLES["known"])
    else:
        for value in went:
            add("− ", value, STYLES["invalid"])
        for value in came:
            add("+ ", value, STYLES["known"])
    for value in change.avoided_went:
        add("− not ", value, STYLES["aside"])
    for value in change.avoided_came:
        add("+ not ", value, STYLES["invalid"])
    if not label and change.before is not None and change.after is not None:
        add("", change.after.value, "")
        spans = (
            f"{when(slot.valid_from, zone)} to {when(slot.valid_until, zone)}"
            for slot in (change.before, change.after)
        )
        label.append("  " + " → ".join(spans), STYLES["aside"])
    if change.after is not None and (words := words_of(change.after)):
        label.append("  ").append_text(words)
    return label


def _many(change: Change) -> bool:
    return any(slot is not None and isinstance(slot.value, tuple) for slot in (change.before, change.after))


def tree_of(title: str, value: Any) -> Tree:
    tree = Tree(Text(title, "bold"), guide_style="dim")
    _grow(tree, value)
    return tree


def grown(branch: Branch) -> Tree:
    """A trace's tree in colours; where it does not fit, lines are broken."""
    tree = Tree(_styled(branch), guide_style="dim")

    def under(tree: Tree, branch: Branch) -> None:
        for each in branch.branches:
            under(tree.add(_styled(each)), each)

    under(tree, branch)
    return tree


def _styled(branch: Branch) -> Text:
    return Text.assemble(*((clean(part.text), TRACE_STYLES.get(part.style, "")) for part in branch.parts))


def _grow(tree: Tree, value: Any) -> None:
    """Adds any value to a tree: fields and keys as branches, plain values as leaves."""
    if is_dataclass(value) and not isinstance(value, type):
        items: Iterable[tuple[str, Any]] = [
            (field.name, getattr(value, field.name)) for field in fields(value)
        ]
    elif isinstance(value, Mapping):
        items = [(str(key), item) for key, item in value.items()]
    elif isinstance(value, (list, tuple)) and not all(isinstance(item, (str, int, float)) for item in value):
        items = [(str(number), item) for number, item in enumerate(value, 1)]
    else:
        tree.add(Text(said(value)))
        return
    for name, item in items:
        if item is None or item == () or item == [] or item == {}:
            continue
        if _is_leaf(item):
            leaf = Text(f"{name.replace('_', ' ')}: ", "dim")
            leaf.append(said(item))
            tree.add(leaf)
        else:
            _grow(tree.add(Text(name.replace("_", " "), "dim")), item)


def _is_leaf(value: Any) -> bool:
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(isinstance(item, (str, int, float)) for item in value)
    if isinstance(value, Mapping):
        return False
    from forms_dynamics.model.value import Money, Range

    return isinstance(value, (Money, Range)) or not is_dataclass(value)


def name_of(form: Form) -> str:
    """What a person calls a Form: its first known text, else its id."""
    texts = (slot.value for slot in form.slots.values() if slot.status == "known")
    return next((clean(value) for value in texts if isinstance(value, str)), form.id)
