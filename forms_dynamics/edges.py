"""Edges as a caller sees them: what is stored of a Form, and what is read off its chain."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from forms_dynamics.model.form import DynamicEdge
from forms_dynamics.model.record import EdgeRecord, FormRecord, Scope, VersionRecord
from forms_dynamics.model.value import from_micros
from forms_dynamics.ports import Store
from forms_dynamics.projection import placed
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.strength import life_of, public_edge


def edges(
    store: Store, catalog: Catalog, scope: Scope, record: FormRecord, now: int, inactive: bool
) -> list[DynamicEdge]:
    """Edges at either end of a Form, the strongest first; then ``supersedes`` and ``derived_from``."""
    chain = store.versions(scope, record.id)
    rows = store.edges(scope, [record.id], inactive=inactive)
    said = store.messages(scope, list(dict.fromkeys(v.message for v in chain)))
    messages = {id for id, source in said.items() if source.kind == "message"}
    return [*as_seen(store, scope, rows, catalog, now), *_chain_edges(record, chain, messages)]


def as_seen(
    store: Store, scope: Scope, rows: Sequence[EdgeRecord], catalog: Catalog, now: int
) -> list[DynamicEdge]:
    """Stored edges with their strength at ``now``, and the words that drew them: the whole message where no part of
    it did alone, as with the edge of a rule."""
    wanted = sorted({edge.message for edge in rows if edge.message is not None})
    said = {id: m.text for id, m in store.messages(scope, wanted).items()} if wanted else {}
    return [public_edge(e, life_of(catalog, e), now, said.get(e.message or "", "")) for e in rows]


def _chain_edges(record: FormRecord, chain: Sequence[VersionRecord], messages: set[str]) -> list[DynamicEdge]:
    """``supersedes`` from each version to the one before it in event order; ``derived_from`` to messages."""
    out: list[DynamicEdge] = []

    def edge(source: str, relation: str, target: str, version: VersionRecord) -> DynamicEdge:
        made = from_micros(version.arrived)
        return DynamicEdge(
            f"{source}.{relation}.{target}", source, target, relation, 1.0, None, made, "active", version.cause,
            None, made,
        )  # fmt: skip

    live = [v for v in chain if v.payload is not None]
    ordered = sorted(placed(live), key=lambda v: (v.time, v.n))
    for old, new in pairwise(ordered):
        out.append(edge(f"{record.id}@{new.n}", "supersedes", f"{record.id}@{old.n}", new))
    for version in live:
        if version.message in messages:
            messages.discard(version.message)
            out.append(edge(record.id, "derived_from", version.message, version))
    return out


__all__ = ["as_seen", "edges"]
