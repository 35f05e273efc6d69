"""Which documents a search may find at a moment: those that are not cold."""

from __future__ import annotations

import math
from collections.abc import Collection

from forms_dynamics.model.record import Reach, Scope
from forms_dynamics.model.value import DAY
from forms_dynamics.ports import Store
from forms_dynamics.retrieval.request import Request
from forms_dynamics.schema.spec import Catalog, Life
from forms_dynamics.settings import Settings


def reach_at(catalog: Catalog, settings: Settings, now: int) -> Reach:
    """What default recalls search at ``now``: Forms by the life of their type, messages by
    ``settings.archive_after_days``."""
    return Reach(
        _since(now, settings.archive_after_days),
        {name: _since(now, each.life.cold_after_days) for name, each in catalog.types.items()},
        _since(now, Life().cold_after_days),
    )


def reach_of(request: Request, catalog: Catalog, settings: Settings, now: int) -> Reach | None:
    """What a recall searches; None, everything, where it asks for cold ones or reads a past state."""
    if request.include_cold or request.as_of is not None or request.known_at is not None:
        return None
    return reach_at(catalog, settings, now)


def outside(
    store: Store, scope: Scope, reach: Reach, docs: Collection[tuple[str, str]]
) -> set[tuple[str, str]]:
    """Those of a few documents that ``reach`` leaves out, by their records."""
    out: set[tuple[str, str]] = set()
    if reach.messages is not None:
        for id, said in store.messages(scope, [id for kind, id in docs if kind == "message"]).items():
            if max(said.time, said.arrived) < reach.messages:
                out.add(("message", id))
    for id, form in store.forms(scope, [id for kind, id in docs if kind == "form"]).items():
        since = reach.forms.get(form.type, reach.others)
        if since is not None and max(form.accessed, form.updated) < since:
            out.add(("form", id))
    return out


def _since(now: int, days: float | None) -> int | None:
    """The first instant from which on ``days`` have not passed."""
    return None if days is None else math.ceil(now - days * DAY)


__all__ = ["outside", "reach_at", "reach_of"]
