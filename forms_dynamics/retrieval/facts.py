"""From the Forms that were reached to the lines that tell them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from forms_dynamics.fading import FADED
from forms_dynamics.model.form import Form
from forms_dynamics.model.record import EdgeRecord, FormRecord, PendingRecord
from forms_dynamics.retrieval.assembly import FACT, FALLBACK, Item
from forms_dynamics.retrieval.entries import Writer
from forms_dynamics.retrieval.expansion import Walked
from forms_dynamics.schema.questions import ask_again
from forms_dynamics.schema.spec import Catalog, FormType


@dataclass(frozen=True, slots=True)
class Reached:
    """A Form to tell, how strongly it is meant, and the edge that led to it (None: an anchor)."""

    record: FormRecord
    form: Form
    weight: float
    via: Walked | None = None
    low: bool = False


@dataclass(slots=True)
class Facts:
    """Lines, questions to ask, and whether any Form knows an asked slot."""

    items: list[Item] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    answered: bool = False
    confidence: float = 0.0  # of the surest asked value shown


def tell(
    reached: Sequence[Reached],
    links: Sequence[EdgeRecord],
    asked: Mapping[str, Sequence[str]],
    history: bool,
    pendings: Mapping[str, Sequence[PendingRecord]],
    writer: Writer,
    catalog: Catalog,
    tracing: bool = False,
) -> Facts:
    """Newest valid first, then by weight, then by fit to the asked slots; the fallback's Forms last. ``tracing``: all
    that hangs together is told, and neighbours that are cold or over as references."""
    out = Facts()
    by_id = {r.form.id: r for r in reached}
    lines: dict[str, str] = {}
    if len(reached) > 1:
        writer.part((r.form, r.record, catalog.types.get(r.form.type)) for r in reached)
    for item in reached:
        if tracing and item.via is not None and (item.form.cold or item.form.expired):
            lines[item.form.id] = writer.reference(item.form, item.record, catalog.types.get(item.form.type))
            continue
        lines[item.form.id] = _answer(item, asked, history, writer, catalog)
    waiting = {
        r.form.id: [
            p
            for p in pendings.get(r.form.id, ())
            if p.slot is not None and p.slot in asked.get(r.form.type, ())
        ]
        for r in reached
        if r.form.id in pendings
    }
    out.answered = bool(asked) and any(lines.values())
    if not out.answered and not any(waiting.values()):
        for item in reached:
            if not asked or item.via is None:
                lines[item.form.id] = lines[item.form.id] or writer.whole(
                    item.form, item.record, catalog.types.get(item.form.type)
                )
    for item in sorted(reached, key=lambda r: _order(r, asked)):
        form_type = catalog.types.get(item.form.type)
        text = lines[item.form.id]
        section = FALLBACK if item.low else FACT
        if text:
            mark = f"{writer.speech.low} " if item.low else ""
            way = _way(item, by_id, lines, writer, catalog)
            forms = (item.form.id, *(f for f in way.forms if f != item.form.id))
            out.items.append(Item(mark + text + way.text, item.form.id, section, forms, weight=item.weight))
            if out.answered:
                for slot in asked.get(item.form.type, ()):
                    held = item.form.slots.get(slot)
                    if held is not None and held.status == "known":
                        out.confidence = max(out.confidence, held.confidence)
                        if held.confidence < FADED:
                            out.questions += _question(form_type, item.form, slot, writer.lang)
        for pending in waiting.get(item.form.id, ()):
            line = writer.pending(pending, item.form, form_type)
            out.items.append(Item(line, pending.id, section, (item.form.id,)))
            if pending.question:
                out.questions.append(pending.question)
    shown = {f for i in out.items for f in i.forms}
    for edge in links:
        if edge.source in shown and edge.target in shown:
            text = relation(edge, by_id, writer, catalog)
            out.items.append(Item(text, edge.id, FACT, (edge.source, edge.target)))
    return out


def _question(form_type: FormType | None, form: Form, slot: str, lang: str) -> list[str]:
    """A faded value is asked about again, as ``Memory.pending`` asks."""
    if form_type is None or slot not in form_type.slots:
        return []
    return [ask_again(form_type, form_type.slots[slot], form[slot], lambda part: form[part], lang)]


def _answer(
    item: Reached, asked: Mapping[str, Sequence[str]], history: bool, writer: Writer, catalog: Catalog
) -> str:
    form_type = catalog.types.get(item.form.type)
    slots = asked.get(item.form.type, ())
    if history and not slots and item.via is not None:
        slots = _kindred(form_type, asked, catalog)
    if history and (slots or not asked):
        text = writer.past(item.form, item.record, form_type, slots)
        if text or not slots:
            return text
    return writer.asked(item.form, item.record, form_type, slots) if slots else ""


def _kindred(
    form_type: FormType | None, asked: Mapping[str, Sequence[str]], catalog: Catalog
) -> tuple[str, ...]:
    """Slots of a neighbour that hold the same kind of value as those asked for: why a quote was 600,000 is told
    by how the customer's budget moved."""
    kinds = {
        catalog.types[t].slots[s].type for t, slots in asked.items() for s in slots if t in catalog.types
    }
    names = form_type.slots.values() if form_type else ()
    return tuple(
        spec.name for spec in names if spec.type in kinds and spec.type not in ("text", "enum", "ref")
    )


def _order(item: Reached, asked: Mapping[str, Sequence[str]]) -> tuple[object, ...]:
    """Newest valid first, then weight, then fit to what is asked; of equals the surer, then the one that was in use
    last."""
    form = item.form
    slots = [slot for slot in asked.get(form.type, ()) if form[slot] is not None]
    known = [form.slots[slot] for slot in slots] or [s for s in form.slots.values() if s.status == "known"]
    sure = sum(slot.confidence for slot in known) / len(known) if known else 0.0
    stale = form.expired or form.cold or form.status != "active"
    # what the fallback found goes by its score
    age = (False, 0) if item.low else (stale, -item.record.updated)
    return (item.low, age, -item.weight, -len(slots), -round(sure, 6), -item.record.accessed, form.id)


@dataclass(frozen=True, slots=True)
class _Way:
    text: str = ""
    forms: tuple[str, ...] = ()


def _way(
    item: Reached, by_id: Mapping[str, Reached], lines: Mapping[str, str], writer: Writer, catalog: Catalog
) -> _Way:
    """The relations that lead to a walked Form, back to a Form that has a line or is an anchor."""
    texts: list[str] = []
    forms: list[str] = []
    step = item.via
    current = item.form.id
    while step is not None:
        texts.append(relation(step.edge, by_id, writer, catalog))
        forms += [step.edge.source, step.edge.target]
        current = step.edge.target if step.edge.source == current else step.edge.source
        before = by_id.get(current)
        step = before.via if before is not None and not lines.get(current) else None
    return _Way("".join(f" {t}" for t in reversed(texts)), tuple(dict.fromkeys(forms)))


def relation(edge: EdgeRecord, by_id: Mapping[str, Reached], writer: Writer, catalog: Catalog) -> str:
    """``[refers_to: Q-1 → Alder Arrow]``."""
    ends = [by_id.get(id) for id in (edge.source, edge.target)]
    names = [
        id if end is None else writer.name(end.form, catalog.types.get(end.form.type))
        for id, end in zip((edge.source, edge.target), ends, strict=True)
    ]
    if names[0] == names[1]:
        kinds = [None if e is None else catalog.types.get(e.form.type) for e in ends]
        labels = ["" if kind is None else kind.label(writer.lang) for kind in kinds]
        names = [f"{label} {name}".strip() for label, name in zip(labels, names, strict=True)]
    return f"[{edge.relation}: {names[0]} → {names[1]}]"


__all__ = ["Facts", "Reached", "relation", "tell"]
