"""Walking from the anchors along edges: at most two hops, few edges a layer, a reason for each left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from forms_dynamics.model.record import EdgeRecord, FormRecord, Scope
from forms_dynamics.ports import Store
from forms_dynamics.retrieval.request import Log, Request
from forms_dynamics.retrieval.standing import Standing
from forms_dynamics.schema.spec import Catalog, Strength
from forms_dynamics.settings import Settings
from forms_dynamics.strength import begun, cold, expired, held, life_of, outlived, strength

MAX_HOPS = 2
TRACED_EDGES = 20  # edges a layer where everything related is asked for
_ROWS = 16  # edges read a Form and end at first
NOT_YET = "not yet valid"
NOT_SAID, NOT_KNOWN = "not yet said", "not yet known"
_STATES = frozenset({"superseded", "invalid", "candidate", "expired", "cold", NOT_YET})
_MORE_ROWS = 64  # and where the first ones were all left out
_COUNTED = 10_000  # edges of one Form beyond this are not counted


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
    ties: frozenset[str] = frozenset(),
    chain: Sequence[frozenset[str]] = (),
) -> Expansion:
    """Walks from ``anchors`` (Form id → weight). Being walked is no hit: nothing is written. ``ties``: relations that
    the question names, which go first: an edge that it asks for is not crowded out by stronger ones. ``chain``: those
    that it follows hop by hop ("the child of the spouse of …"): where there is such an edge, only it is walked."""
    out = Expansion()
    seen = dict(anchors)
    layer = dict(anchors)
    for hop in range(1, request.max_hops + 1):
        if not layer or not settings.max_edges_per_layer:
            break
        trodden = {step.edge.id for step in out.walked} | {edge.id for edge in out.links}
        via = {step.form: step.edge.relation for step in out.walked}
        link = chain[hop - 1] if hop <= len(chain) else frozenset()
        walk = _Layer(
            request,
            seen,
            trodden,
            asked,
            hop,
            scope,
            store,
            catalog,
            settings,
            standing,
            log,
            link or ties,
            via,
            bool(link),
        )
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
    trodden: Collection[str]  # edges that were walked on the way here
    asked: Mapping[str, Sequence[str]]
    hop: int
    scope: Scope
    store: Store
    catalog: Catalog
    settings: Settings
    standing: Standing
    log: Log
    ties: frozenset[str] = frozenset()
    via: Mapping[str, str] = field(default_factory=dict)  # Form → the relation that led to it
    only: bool = False  # nothing but ``ties`` is walked, where there is any of them
    told: set[tuple[str, str]] = field(default_factory=set)
    hiding: bool = False  # an edge was left out for its own or its Form's state
    links: dict[str, EdgeRecord] = field(default_factory=dict)

    def run(self, sources: Mapping[str, float]) -> list[tuple[Walked, FormRecord]]:
        """The Forms of this layer, at most ``max_edges_per_layer``."""
        limit = self.settings.max_edges_per_layer
        read = max(_ROWS, 2 * limit)
        rows = self.store.edges(self.scope, list(sources), read, True)
        reached = self._choose(self._candidates(rows, sources), limit)
        # strong edges that may not be walked can hide others; what does not fit or is weak hides none, unless the
        # question names another relation
        named = not self.ties or any(step.edge.relation in self.ties for step, _ in reached)
        if len(rows) >= _ROWS and not named:
            rows = self.store.edges(self.scope, list(sources), _MORE_ROWS, self.request.as_of is not None)
            again = self._candidates([row for row in rows if row.relation in self.ties], sources)
            first = self._choose(again, limit)
            reached = [*first, *reached][:limit]
        if len(reached) < limit and len(rows) >= _ROWS and self.hiding:
            then = self.request.as_of is not None  # what is over by now may have held then
            more = self.store.edges(self.scope, list(sources), _MORE_ROWS, then)
            seen = {edge.key for edge in more}
            rows = [*more, *(edge for edge in rows if edge.key not in seen)]
            have = {step.form for step, _ in reached}
            again = [w for w in self._candidates(rows, sources) if w.form not in have]
            reached += self._choose(again, limit - len(reached))
        if len(rows) >= read:
            self._tell_unread(sources, rows)
        return reached

    def _tell_unread(self, sources: Mapping[str, float], rows: Sequence[EdgeRecord]) -> None:
        """How many edges of a hub were not so much as looked at."""
        read = Counter(end for edge in rows for end in {edge.source, edge.target} if end in sources)
        for form, known in read.items():
            if known >= _ROWS:
                count = self.store.degree(self.scope, form, _COUNTED)
                if count > known:
                    most = " or more further" if count == _COUNTED else " more"
                    unread = f"{count - known:,}{most} edges, none of them stronger, were not read"
                    self.log.add("prune", form, unread, None, self.hop)

    def _candidates(self, rows: Sequence[EdgeRecord], sources: Mapping[str, float]) -> list[Walked]:
        now = self.standing.now if self.request.as_of is None else self.request.as_of
        best: dict[str, Walked] = {}
        for edge in rows:
            near, far = (edge.source, edge.target) if edge.source in sources else (edge.target, edge.source)
            known = far in self.seen
            if edge.id in self.links or edge.id in self.trodden:
                continue  # it led here
            if self.request.as_of is not None and edge.created > now and not held(edge, now):
                self._prune(edge, NOT_SAID, edge.weight)
                continue
            if self.request.known_at is not None and edge.created > self.request.known_at:
                self._prune(edge, NOT_KNOWN, edge.weight)
                continue
            life = life_of(self.catalog, edge)
            weight = strength(edge, life, now)
            fault = self._fault(edge, life, now)
            if fault is not None:
                self._prune(edge, fault, weight)
            elif weight < self.settings.walk_cut:
                self._prune(edge, f"weight below {self.settings.walk_cut:g}", weight)
            elif known and self.hop > 1:
                self._prune(edge, "both ends are here already", weight)
            elif known:
                self.links[edge.id] = edge
                self.log.add(
                    "walk", edge.id, f"{edge.relation} between anchors", weight, self.hop, edge.weight
                )
            elif self._unfit(edge.relation, outward=near == edge.source):
                self._prune(edge, "unfit", weight)
            else:
                step = Walked(far, weight * sources[near], self.hop, edge)
                other = best.get(far)
                if other is None or other.weight < step.weight:
                    best[far] = step
                if other is not None:
                    weaker = other if best[far] is step else step
                    self._prune(weaker.edge, "another edge leads there", weaker.weight)
        if self.only:
            self._keep_link(best, sources)
        return sorted(
            best.values(), key=lambda w: (self._aside(w, sources), -w.weight, -w.edge.last_hit, w.form)
        )

    def _keep_link(self, best: dict[str, Walked], sources: Mapping[str, float]) -> None:
        """Leaves out what is no link of the chain; a link as it is drawn goes before one against its direction."""
        links = [step for step in best.values() if step.edge.relation in self.ties]
        drawn = [step for step in links if step.edge.source in sources]
        for step in list(best.values()) if links else ():
            if step not in (drawn or links):
                self._prune(step.edge, "unfit", step.weight)
                del best[step.form]

    def _aside(self, step: Walked, sources: Mapping[str, float]) -> int:
        """What the question names goes first, and of that what does not lead back the way that led here (the other
        songs of a song's performer)."""
        relation = step.edge.relation
        if relation not in self.ties:
            return 2
        near = step.edge.source if step.edge.source in sources else step.edge.target
        return int(self.via.get(near) == relation)

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
                    self._prune(step.edge, "not in this scope", step.weight)
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
                        step.edge.weight,
                    )
        for step in steps[at:]:
            self._prune(step.edge, f"limit {self.settings.max_edges_per_layer} a layer", step.weight)
        return out

    def _prune(self, edge: EdgeRecord, reason: str, weight: float) -> None:
        self.hiding = self.hiding or reason in _STATES
        key = (edge.id, reason)
        if key not in self.told:
            self.told.add(key)
            self.log.add("prune", key[0], reason, weight, self.hop, edge.weight)

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


__all__ = ["MAX_HOPS", "TRACED_EDGES", "Expansion", "Walked", "expand"]
