"""What a decided message or act does to edges: rules, drafts' relations, and hits.

A relation's target is found by what the draft says of it, and never made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta, timezone
from typing import Any

from forms_dynamics.assertions import dump
from forms_dynamics.dynamics import relate
from forms_dynamics.dynamics.hits import hit_edges
from forms_dynamics.model.message import Refusal, RelationDraft
from forms_dynamics.model.record import MessageRecord
from forms_dynamics.model.value import encode, from_micros
from forms_dynamics.schema.coerce import coerce, key_text
from forms_dynamics.schema.questions import ask
from forms_dynamics.settings import Settings
from forms_dynamics.versioning.decide import Decider
from forms_dynamics.versioning.keys import external_name
from forms_dynamics.versioning.workspace import Working, Workspace


def draw(ws: Workspace, decider: Decider, settings: Settings) -> None:
    """Draws, ends and hits the edges of one message or act, once its versions are sealed."""
    out = decider.outcome
    sealed = {id.rpartition("@")[0] for id in out.versions}
    for id, working in list(out.forms.items()):
        if id in sealed:
            out.edges.extend(
                relate.apply_rules(ws, working, working.base_n > 0, decider.message, decider.since)
            )
    for working, gated in out.sources:
        for relation in gated.relations:
            _relation(ws, decider, settings, working, relation)
    said = {working.id for working, _ in out.sources}
    touched = {id: w for id, w in out.forms.items() if id not in decider.replaced or id in said}
    hit_edges(ws, decider.message, touched, out.sources, set(out.edges), decider.edited)


def _relation(
    ws: Workspace, decider: Decider, settings: Settings, source: Working, relation: RelationDraft
) -> None:
    out, catalog = decider.outcome, ws.catalog
    if relation.relation not in catalog.relations:
        known = ", ".join(sorted(catalog.relations)) or "none are declared"
        reason = f"no relation {relation.relation!r}; declared: {known}"
        out.refused.append(Refusal(source.type, None, relation.relation, reason))
        return
    try:
        span = relate.said_span(relation.valid_from, relation.valid_until, when(decider.message))
    except ValueError as wrong:
        out.refused.append(Refusal(source.type, None, relation.relation, str(wrong)))
        return
    found = _resolve(ws, relation.to, decider.message, settings)
    if len(found) == 1 and found[0].id != source.id:
        if relation.op == "remove":
            end = decider.message.time if span.end is None else span.end
            relate.drop_edge(ws, source, relation.relation, found[0], end)
        else:
            edge = relate.draft_edge(
                ws, source, relation.relation, found[0], decider.message, relation.attributes, span
            )
            out.edges.append(edge)
        out.took = True
        return
    form_type = catalog.types[source.type]
    target = catalog.types.get(str(relation.to.get("form_type")))
    label = target.label(decider.lang) if target else relation.relation
    question = ask(form_type, None, None, "relation_missing", (), decider.lang)
    question = question.replace("内容", label) if decider.lang == "zh" else question.replace("part", label)
    said = {k: encode(v) for k, v in relation.to.items()}
    draft: dict[str, Any] = {"relation": relation.relation, "to": said}
    if relation.attributes:
        draft["attributes"] = dict(relation.attributes)
    if span != relate.OPEN:
        draft["span"] = list(span)
    decider.ask(
        source, form_type, None, dump({"v": None}), 0.0, "relation_missing", question,
        [w.id for w in found], draft,
    )  # fmt: skip


def _resolve(
    ws: Workspace, to: Mapping[str, Any], record: MessageRecord, settings: Settings
) -> list[Working]:
    """The Forms that a relation's target describes: by id, external id, or any identity slot given."""
    if "id" in to:
        found = ws.form(str(to["id"]))
        return [found] if found is not None and found.active else []
    form_type = ws.catalog.types.get(str(to.get("form_type")))
    if form_type is None:
        return []
    if to.get("external_id") is not None:
        wanted = str(to["external_id"])
        names = ws.names(external_name(wanted), form_type.name)
        live = _live(ws, (k.form for k in names if k.slots.startswith("@")))
        return [w for w in live if wanted in w.state["ext"]]
    hits: set[str] | None = None
    for slot, raw in to.items():
        spec = form_type.slots.get(slot)
        if spec is None or raw is None:
            continue
        read = coerce(spec, raw, from_micros(record.time), settings.date_order)
        if read.value is None:
            return []
        here = {k.form for k in ws.names(key_text(spec, read.value), form_type.name)}
        hits = here if hits is None else hits & here
    return _live(ws, hits or ())


def _live(ws: Workspace, ids: Iterable[str]) -> list[Working]:
    found = (ws.form(id) for id in dict.fromkeys(ids))
    return [w for w in found if w is not None and w.active]


def when(record: MessageRecord) -> datetime:
    """The record's time in the offset it was said in."""
    return from_micros(record.time).astimezone(timezone(timedelta(minutes=record.offset)))


__all__ = ["draw", "when"]
