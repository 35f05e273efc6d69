"""From the one thing that stands out to what it names: "whose is the horse with the highest fee", 最重的马的马主电话,
"where does the owner of the lightest horse live"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from forms_dynamics.model.record import Scope
from forms_dynamics.ports import Store
from forms_dynamics.retrieval.anchors import ALL, Anchored
from forms_dynamics.retrieval.names import EXACT, Anchor
from forms_dynamics.retrieval.question import Question
from forms_dynamics.retrieval.restriction import UNRESTRICTED
from forms_dynamics.retrieval.through import through
from forms_dynamics.schema.spec import Catalog


def onward(
    question: Question,
    found: Anchored,
    left: Sequence[Anchor],
    catalog: Catalog,
    scope: Scope,
    store: Store,
) -> Anchored | None:
    """What is asked of whom a slot of the one thing names that is the furthest of its type (``left``, of those
    found); None where more than one is left, or nothing more is asked of anyone."""
    demand = next((d for d in found.restriction.demands.values() if d.extreme is not None), None)
    if demand is None or len(left) != 1 or left[0].how != ALL:
        return None
    only = left[0]
    span = _phrase(question, found, only.type)
    if span is None:
        return None
    named = replace(only, how=EXACT, span=span, name="")
    beyond = through(question, [named], catalog, scope, store)
    if beyond is None:
        return None
    if not beyond.anchors:
        return replace(found, short=True)
    anchors: list[Anchor] = [replace(a, how=ALL) for a in beyond.anchors]
    return replace(found, anchors=anchors, asked=beyond.asked or {}, restriction=UNRESTRICTED, taken=(span,))


def _phrase(question: Question, found: Anchored, type: str) -> tuple[int, int] | None:
    """Where the thing itself is spoken of: the word for its type with what makes it the one (the heaviest horse,
    最重的马, "horse with the highest fee")."""
    calls = [
        (w.start, w.end)
        for w in question.declared
        if any(m.slot is None and m.type == type for m in w.meanings)
    ]
    tests = found.restriction.spans
    if not calls or not tests:
        return None
    start, end = next((c for c in calls if any(b <= c[0] and c[0] - b <= 3 for _, b in tests)), calls[0])
    before = [a for a, b in tests if b <= start and start - b <= 3]
    start = min([start, *before])
    return start, end


__all__ = ["onward"]
