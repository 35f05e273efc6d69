"""Walking from the anchors along edges: at most two hops, few edges a layer, a reason for each left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from forms_dynamics.model.record import EdgeRecord, FormRecord, Scope
from forms_dynamics.ports import Store
from forms_dynamics.retrieval.request import Log, Request
from forms_dynamics.retrieval.standing import Standing
from forms_dynamics.schema.spec import Catalog, Strength
from forms_dynamics.settings import Settings
from forms_dynamics.strength import begun, cold, expired, held, life_of, outlived, strength

MAX_HOPS = 2
_ROWS = 16  # edges read a Form and end at first
NOT_YET = "not yet valid"
_STATES = frozenset({"superseded", "invalid", "candidate", "expired", "cold", NOT_YET})
_MORE_ROWS = 64  # and where the first ones were all left out


@dataclass(frozen=True, slots=True)
class Walked:
    """A Form reached over ``edge``; ``weight`` is the product of the weights on the way."""

    form: str
    weight: float
    hop: int
    edge: EdgeRecord


@dataclass(slots=True)
class Expansion:
    """Forms reached, best first, with their records; ``links`` are walked edges between anchors."""

    walked: list[Walked] = field(default_factory=list)
    records: dict[str, FormRecord] = field(default_factory=dict)
    links: list[EdgeRecord] = field(default_factory=list)


def expand(
    request: Request,
    anchors: Mapping[str, float],
    asked: Mapping[str, Sequence[str]],
    scope: Scope,
    store: Store,
    catalog: Catalog,
    settings: Settings,
    standing: Standing,
    log: Log,
) -> Expansion:
    """Walks from ``anchors`` (Form id → weight). Being walked is no hit: nothing is written."""
    out = Expansion()
    seen = dict(anchors)
    layer = dict(anchors)
    for hop in range(1, request.max_hops + 1):
        if not layer or not settings.max_edges_per_layer:
            break
        walk = _Layer(request, seen, asked, hop, scope, store, catalog, settings, standing, log)
        reached = walk.run(layer)
        out.links += walk.links.values()
        layer = {}
        for step, record in reached:
            out.walked.append(step)
            out.records[record.id] = record
            seen[record.id] = step.weight
            layer[record.id] = step.weight
    return out


@dataclass(slots=True)
class _Layer:
    request: Request
    seen: Mapping[str, float]
    asked: Mapping[str, Sequence[str]]
    hop: int
    scope: Scope
    store: Store
    catalog: Catalog
    settings: Settings
    standing: Standing
    log: Log
    told: set[tuple[str, str]] = field(default_factory=set)
    hiding: bool = False  # an edge was left out for its own or its Form's state
    links: dict[str, EdgeRecord] = field(default_factory=dict)

    def run(self, sources: Mapping[str, float]) -> list[tuple[Walked, FormRecord]]:
        """The Forms of this layer, at most ``max_edges_per_layer``."""
        limit = self.settings.max_edges_per_layer
        rows = self.store.edges(self.scope, list(sources), max(_ROWS, 2 * limit), True)
        reached = self._choose(self._candidates(rows, sources), limit)
        # strong edges that may not be walked can hide others; what does not fit or is weak hides none
        if len(reached) < limit and len(rows) >= _ROWS and self.hiding:
            then = self.request.as_of is not None  # what is over by now may have held then
            rows = self.store.edges(self.scope, list(sources), _MORE_ROWS, then)
            have = {step.form for step, _ in reached}
            again = [w for w in self._candidates(rows, sources) if w.form not in have]
            reached += self._choose(again, limit - len(reached))
        return reached

    def _candidates(self, rows: Sequence[EdgeRecord], sources: Mapping[str, float]) -> list[Walked]:
        now = self.standing.now if self.request.as_of is None else self.request.as_of
        best: dict[str, Walked] = {}
        for edge in rows:
            near, far = (edge.source, edge.target) if edge.source in sources else (edge.target, edge.source)
            known = far in self.seen
            if known and (self.hop > 1 or edge.id in self.links):
                continue
            if self.request.as_of is not None and edge.created > now and not held(edge, now):
                continue  # nobody had said it then
            if self.request.known_at is not None and edge.created > self.request.known_at:
                continue
            life = life_of(self.catalog, edge)
            weight = strength(edge, life, now)
            fault = self._fault(edge, life, now)
            if fault is not None:
                self._prune(edge, fault, weight)
            elif weight < self.settings.walk_cut:
                self._prune(edge, f"weight below {self.settings.walk_cut:g}", weight)
            elif known:
                self.links[edge.id] = edge
                self.log.add("walk", edge.id, f"{edge.relation} between anchors", weight, self.hop)
            elif self._unfit(edge.relation, outward=near == edge.source):
                self._prune(edge, "unfit", weight)
            else:
                step = Walked(far, weight * sources[near], self.hop, edge)
                if far not in best or best[far].weight < step.weight:
                    best[far] = step
        return sorted(best.values(), key=lambda w: (-w.weight, -w.edge.last_hit, w.form))

    def _fault(self, edge: EdgeRecord, life: Strength, now: int) -> str | None:
        """Why the edge is not walked at ``now``, whatever its weight; of an earlier moment it is told by what held
        then, not by what became of it since."""
        request = self.request
        if request.as_of is not None:
            if held(edge, now):
                return "expired" if outlived(edge, life, now) and not request.include_expired else None
            if edge.status == "active":
                return "expired" if begun(edge, now) else NOT_YET
            return edge.status
        if edge.status != "active":
            return edge.status
        if not begun(edge, now):
            return NOT_YET
        if expired(edge, life, now) and not request.include_expired:
            return "expired"
        if cold(edge, life, now) and not request.include_cold:
            return "cold"
        return None

    def _choose(self, steps: Sequence[Walked], limit: int) -> list[tuple[Walked, FormRecord]]:
        """The first ``limit`` of ``steps`` whose Forms stand; read in batches, so that Forms left out take no
        place."""
        out: list[tuple[Walked, FormRecord]] = []
        at = 0
        while len(out) < limit and at < len(steps):
            batch = steps[at : at + limit]
            at += len(batch)
            records = self.store.forms(self.scope, [w.form for w in batch])
            for step in batch:
                record = records.get(step.form)
                if record is None:
                    continue
                fault = self.standing.fault(record)
                if fault is None and self._misses(record.type):
                    fault = "unfit"
                if fault is not None:
                    self._prune(step.edge, fault, step.weight)
                elif len(out) == limit:
                    self._prune(step.edge, f"limit {self.settings.max_edges_per_layer} a layer", step.weight)
                else:
                    out.append((step, record))
                    self.log.add(
                        "walk",
                        step.edge.id,
                        f"{step.edge.relation} to {step.form}",
                        step.weight,
                        self.hop,
                    )
        for step in steps[at:]:
            self._prune(step.edge, f"limit {self.settings.max_edges_per_layer} a layer", step.weight)
        return out

    def _prune(self, edge: EdgeRecord, reason: str, weight: float) -> None:
        self.hiding = self.hiding or reason in _STATES
        key = (edge.id, reason)
        if key not in self.told:
            self.told.add(key)
            self.log.add("prune", key[0], reason, weight, self.hop)

    def _last(self) -> bool:
        return self.hop == self.request.max_hops

    def _misses(self, type: str) -> bool:
        """The type has none of the asked slots, and no hop is left in which to go on from it."""
        return bool(self.asked) and self._last() and type not in self.asked

    def _unfit(self, relation: str, outward: bool) -> bool:
        """No Form at the far end of such an edge can have what is asked."""
        if not self.asked or not self._last():
            return False
        ends = {r.target if outward else r.source for r in self.catalog.rules if r.name == relation}
        return bool(ends) and "*" not in ends and ends.isdisjoint(self.asked)


__all__ = ["MAX_HOPS", "Expansion", "Walked", "expand"]
