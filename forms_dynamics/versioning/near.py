"""Forms whose names are near each other: candidates for review, never a merge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from forms_dynamics.language.names import is_begun_by, is_short, is_slip, mishearings, shorter
from forms_dynamics.language.normal import has_han
from forms_dynamics.model.record import EdgeRecord, MessageRecord
from forms_dynamics.schema.spec import FormType
from forms_dynamics.versioning.keys import base
from forms_dynamics.versioning.workspace import Working, Workspace

NEAR_MATCH = "same_as"  # the relation of two Forms that may be one
NEAR = "near_match"  # what made such an edge
_DIGIT = re.compile(r"\d")


def near_match(one: str, other: str, at: int, message: str | None = None) -> EdgeRecord:
    """The candidate edge that asks whether two Forms are one; ``message``: the one that told of both."""
    return EdgeRecord(one, NEAR_MATCH, other, 0.5, 0, at, at, "candidate", NEAR, message, 0, 0, None)


def near_matches(
    ws: Workspace, working: Working, form_type: FormType, message: MessageRecord
) -> Iterator[EdgeRecord]:
    """Candidate edges, put into the workspace, from the Form to those that may be the same: that hold its identity,
    or have the name that it got now, one that begins it or that it begins, or one that differs by a slip."""
    for twin in ws.twins.pop(working.id, ()):
        yield from _candidate(ws, working, twin, message)
    fresh = [key for key in working.keys if key in ws.added and _is_name(key, form_type)]
    for key in fresh:
        near: dict[str, None] = {}
        for short in shorter(key.name):
            near.update((k.form, None) for k in ws.names(short, key.type) if _is_name(k, form_type))
        for k in ws.names(key.name, key.type):
            if _is_name(k, form_type):
                near[k.form] = None
        for k in ws.names_from(key.name, key.type) if is_short(key.name) else ():
            if _is_name(k, form_type) and is_begun_by(k.name, key.name):
                near[k.form] = None
        if message.kind == "message":  # rows are typed with care, and are many
            near.update((form, None) for form in _slips(ws, key.name, key.type, form_type))
        for other in near:
            if other != working.id:
                yield from _candidate(ws, working, other, message)


def _slips(ws: Workspace, name: str, type: str, form_type: FormType) -> Iterable[str]:
    """Forms whose name differs by a slip: 海兰电子 for 海蓝电子, Acmee Foods for Acme Foods."""
    heard = mishearings(name)
    ws.prefetch(heard)
    for other in heard:
        yield from (k.form for k in ws.names(other, type) if _is_name(k, form_type))
    if not heard and not has_han(name):
        begin = name[:3]
        yield from (
            k.form for k in ws.names_from(begin, type) if _is_name(k, form_type) and is_slip(k.name, name)
        )


def _candidate(ws: Workspace, working: Working, other: str, message: MessageRecord) -> Iterator[EdgeRecord]:
    target = ws.own(other)
    if target is None or not target.active or (working.state["ext"] and target.state["ext"]):
        return
    known = {(e.source, e.target) for e in ws.edges([working.id]) if e.relation == NEAR_MATCH}
    if (working.id, other) in known or (other, working.id) in known:
        return
    edge = near_match(working.id, other, message.time, message.id)
    ws.put_edge(edge)
    yield edge


def _is_name(key: Any, form_type: FormType) -> bool:
    """Whether a key is a name in words (an identity slot of type text, or its core), not a number or id."""
    kind = base(key.slots)
    if kind not in ("~", "alias"):
        spec = form_type.slots.get(kind)
        if spec is None or spec.type != "text" or kind not in form_type.identity.slots:
            return False
    if _DIGIT.search(key.name):
        return False
    return len(key.name) >= (2 if has_han(key.name) else 3)


__all__ = ["NEAR", "NEAR_MATCH", "near_match", "near_matches"]
