"""What triggers load, as lines that stand behind what the question itself names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from forms_dynamics.model.record import PendingRecord
from forms_dynamics.retrieval.assembly import FACT, Item
from forms_dynamics.retrieval.entries import Writer
from forms_dynamics.retrieval.facts import Facts, Reached
from forms_dynamics.retrieval.question import Question
from forms_dynamics.retrieval.request import Log
from forms_dynamics.retrieval.sources import Sources
from forms_dynamics.retrieval.standing import Standing
from forms_dynamics.retrieval.telling import Asked, Told, pendings_of
from forms_dynamics.retrieval.triggers import Loaded, Triggers
from forms_dynamics.schema.spec import Catalog


def loaded_by_triggers(
    question: Question, exact: Told, asked: Asked, standing: Standing, sources: Sources, log: Log
) -> tuple[Question, Told]:
    """What triggers load beside ``exact``, and the question in the language to tell it in. Nothing is read where no
    trigger is declared."""
    if not sources.catalog.triggers:
        return question, Told()
    request = standing.request
    with log.stage("triggers"):
        triggers = Triggers(
            request, sources.scope, sources.store, sources.reader, sources.catalog, sources.settings, standing,
            sources.now, log,
        )  # fmt: skip
        loaded = triggers.run()
        if not question.units:
            lang = request.lang or triggers.lang(loaded)
            question = question if lang is None else replace(question, lang=lang)
        if not loaded:
            return question, Told()
        named = {item.form.type: item.slots for item in loaded if item.slots}
        held = pendings_of([_reached(item) for item in loaded], named, standing, sources)
        writer = sources.writer(question.lang, standing, forms=[item.form for item in loaded])
        facts, told = _tell(loaded, exact.facts, asked, held, writer, sources.catalog, log)
    return question, Told((), told, facts)


def _reached(item: Loaded) -> Reached:
    return Reached(item.record, item.form, 1.0)


def _tell(
    loaded: Sequence[Loaded],
    said: Facts,
    asked: Asked,
    pendings: Mapping[str, Sequence[PendingRecord]],
    writer: Writer,
    catalog: Catalog,
    log: Log,
) -> tuple[Facts, list[Reached]]:
    """Lines of what was loaded, less what the question's own lines ``said``. ``asked``: the slots that the question
    asks for, by type; ``pendings``: what waits, by Form: told where the trigger names its slot."""
    out, reached = Facts(), []
    lines = {item.subject for item in said.items}
    for item in loaded:
        form_type = catalog.types.get(item.form.type)
        slots: Sequence[str] = item.slots
        if item.form.id in lines:
            known = asked.get(item.form.type, ()) if said.answered else ()
            slots = [slot for slot in item.slots if slot not in known]
            if not known or not slots:
                log.note("trigger", item.form.id, f"{item.trigger}: told already")
                continue
        if slots:
            text = writer.asked(item.form, item.record, form_type, slots)
        else:
            text = writer.whole(item.form, item.record, form_type)
        waiting = [p for p in pendings.get(item.form.id, ()) if p.slot in item.slots and p.id not in lines]
        if text:
            out.items.append(Item(text, item.form.id, FACT, (item.form.id,)))
        elif not waiting:
            log.add(
                "trigger", item.form.id, f"{item.trigger}: nothing is known of {', '.join(slots) or 'it'}"
            )
        for pending in waiting:
            out.items.append(
                Item(writer.pending(pending, item.form, form_type), pending.id, FACT, (item.form.id,))
            )
            if pending.question:
                out.questions.append(pending.question)
        reached.append(_reached(item))
    return out, reached


__all__ = ["loaded_by_triggers"]
