"""Forms and edges as a query reads them: a layer at a time, each Form once, with the reason for each left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from forms_dynamics.model.context import Trace
from forms_dynamics.model.form import Form
from forms_dynamics.model.query import LeftOut, Rule
from forms_dynamics.model.record import EdgeRecord, FormRecord, Scope
from forms_dynamics.model.value import from_micros
from forms_dynamics.ports import Store
from forms_dynamics.reader import Reader
from forms_dynamics.retrieval.request import Log
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings
from forms_dynamics.strength import (
    attributes_of,
    begins,
    begun,
    cold,
    expired,
    held,
    life_of,
    outlived,
    strength,
)

EDGES = 1000  # edges read a Form and end, the strongest first
_TOLD = 20  # examples of one reason
_ENDED_TOLD = 16  # of so many Forms of a layer the edges that have ended are read, to be told
_ENDED_ROWS = 50


@dataclass(frozen=True, slots=True)
class Moment:
    """When a query reads: microseconds. ``as_of`` and ``known_at`` None: now."""

    now: int
    as_of: int | None = None
    known_at: int | None = None
    include: frozenset[str] = frozenset()  # cold, expired

    @property
    def past(self) -> bool:
        """Whether the read is of an earlier state."""
        return self.as_of is not None or self.known_at is not None

    @property
    def at(self) -> int:
        """The moment at which conditions and relations are judged."""
        return next((m for m in (self.as_of, self.known_at) if m is not None), self.now)


@dataclass(slots=True)
class Omitted:
    """Counts what each rule left out at each step, with the first ids."""

    log: Log
    counts: dict[tuple[str, Rule], list[Any]] = field(default_factory=dict)

    def add(
        self, step: str, rule: Rule, subject: str, detail: str = "", count: int = 1, hop: int = 0
    ) -> None:
        """``count`` things are left out; ``subject`` is the id of the first of them."""
        entry = self.counts.setdefault((step, rule), [0, {}, detail])
        entry[0] += count
        if len(entry[1]) < _TOLD and subject not in entry[1]:
            entry[1][subject] = None
            self.log.add(
                "cut" if rule == "limit" else "prune", subject, f"{step}: {detail or rule}", None, hop
            )

    def told(self) -> tuple[LeftOut, ...]:
        """All of it, in the order in which it happened."""
        return tuple(
            LeftOut(step, rule, count, tuple(examples), detail)
            for (step, rule), (count, examples, detail) in self.counts.items()
        )

    @property
    def cut(self) -> bool:
        """Whether a limit left anything out."""
        return any(rule == "limit" for _, rule in self.counts)


@dataclass(frozen=True, slots=True)
class Tie:
    """An edge as it is walked from ``near``."""

    near: str
    far: str
    edge: EdgeRecord
    forward: bool

    def value(self, word: str, moment: Moment, catalog: Catalog) -> Any:
        """What ``edge.word`` is in a condition."""
        edge = self.edge
        match word:
            case "relation":
                return edge.relation
            case "weight":
                return strength(edge, life_of(catalog, edge), moment.at)
            case "created_at":
                return from_micros(edge.created)
            case "valid_from":
                return from_micros(begins(edge))
            case "valid_until":
                return None if edge.valid_until is None else from_micros(edge.valid_until)
        return attributes_of(edge).get(word)


@dataclass(slots=True)
class Rows:
    """Reads for one query. ``forms``: those read so far; None for one that may not be used."""

    scope: Scope
    store: Store
    reader: Reader
    catalog: Catalog
    settings: Settings
    moment: Moment
    omitted: Omitted
    forms: dict[str, Form | None] = field(default_factory=dict)
    reasons: dict[str, Rule] = field(default_factory=dict)

    # -- Forms -----------------------------------------------------------------------------------------------
    def read(self, ids: Iterable[str], records: Mapping[str, FormRecord] | None = None) -> None:
        """Reads those of ``ids`` that were not read yet: one look-up for all of them."""
        new = [id for id in dict.fromkeys(ids) if id not in self.forms]
        if not new:
            return
        found = self.store.forms(self.scope, new) if records is None else records
        moment = self.moment
        standing = found
        if (
            not moment.past
        ):  # what has ended is not read any further; of an earlier state today's says nothing
            standing = {id: record for id, record in found.items() if record.status == "active"}
        forms = self.reader.project(
            self.scope,
            standing,
            [id for id in new if id in standing],
            moment.now,
            moment.as_of,
            moment.known_at,
        )
        for id in new:
            form = forms.get(id)
            if form is None:
                self.forms[id] = None
                self.reasons[id] = "not known then" if moment.past else "invalid"
                continue
            fault = self._fault(form)
            self.forms[id] = form if fault is None else None
            if fault is not None:
                self.reasons[id] = fault

    def _fault(self, form: Form) -> Rule | None:
        if form.status != "active":
            return "invalid"
        if form.expired and "expired" not in self.moment.include:
            return "expired"
        if form.cold and not self.moment.past and "cold" not in self.moment.include:
            return "cold"
        return None

    def usable(self, id: str, step: str, hop: int) -> Form | None:
        """A Form that was read and may be used; else the reason is told."""
        form = self.forms[id]
        if form is None:
            self.omitted.add(step, self.reasons[id], id, hop=hop)
        return form

    # -- edges -----------------------------------------------------------------------------------------------
    def ties(
        self, near: Sequence[str], relations: frozenset[str], direction: str, step: str, hop: int
    ) -> dict[str, list[Tie]]:
        """The edges of these relations that hold, by the Form they are walked from; one look-up for all Forms."""
        wanted = set(near)
        past = self.moment.past
        rows = self.store.edges(self.scope, near, EDGES + 1, past)
        self._crowded(rows, wanted, step, hop)
        found: dict[str, list[Tie]] = {id: [] for id in near}
        for edge in rows:
            for tie in self._walked(edge, wanted, relations, direction):
                fault = self._edge_fault(edge)
                if fault is None:
                    found[tie.near].append(tie)
                else:
                    self.omitted.add(step, fault, edge.id, hop=hop)
        if not past and len(wanted) <= _ENDED_TOLD:
            for edge in self.store.edges(self.scope, near, _ENDED_ROWS, True):
                if edge.status != "active" and any(self._walked(edge, wanted, relations, direction)):
                    self.omitted.add(step, edge.status, edge.id, hop=hop)  # type: ignore[arg-type]
        for ties in found.values():
            ties.sort(key=lambda tie: (-tie.edge.weight, tie.far, tie.edge.relation))
        return found

    def _walked(
        self, edge: EdgeRecord, wanted: set[str], relations: frozenset[str], direction: str
    ) -> Iterable[Tie]:
        if edge.relation not in relations:
            return
        if edge.source in wanted and direction in ("out", "either"):
            yield Tie(edge.source, edge.target, edge, True)
        if edge.target in wanted and direction in ("in", "either"):
            yield Tie(edge.target, edge.source, edge, False)

    def _crowded(self, rows: Sequence[EdgeRecord], wanted: set[str], step: str, hop: int) -> None:
        """Tells of Forms of which not all edges were read."""
        if len(rows) <= EDGES:
            return
        ends: dict[tuple[str, bool], int] = {}
        for edge in rows:
            for id, out in ((edge.source, True), (edge.target, False)):
                if id in wanted:
                    ends[id, out] = ends.get((id, out), 0) + 1
        for (id, _), count in ends.items():
            if count > EDGES:
                self.omitted.add(step, "limit", id, f"more than {EDGES:,} edges at one Form", hop=hop)

    def _edge_fault(self, edge: EdgeRecord) -> Rule | None:
        moment = self.moment
        at, life = moment.at, life_of(self.catalog, edge)
        if moment.known_at is not None and edge.created > moment.known_at:
            return "not known then"
        if moment.past:
            if edge.created > at and not held(edge, at):
                return "not known then"
            if held(edge, at):
                late = outlived(edge, life, at) and "expired" not in moment.include
                return "expired" if late else None
            if edge.status == "active":
                return "expired" if begun(edge, at) else "not yet valid"
            return edge.status  # type: ignore[return-value]
        if edge.status != "active":
            return edge.status  # type: ignore[return-value]
        if not begun(edge, at):
            return "not yet valid"
        if expired(edge, life, at) and "expired" not in moment.include:
            return "expired"
        if cold(edge, life, at) and "cold" not in moment.include:
            return "cold"
        return None


def trace_of(log: Log, lang: str) -> Trace:
    """What the query did."""
    return Trace(tuple(log.steps), dict(log.timings), lang=lang)


__all__ = ["EDGES", "Moment", "Omitted", "Rows", "Tie", "trace_of"]
