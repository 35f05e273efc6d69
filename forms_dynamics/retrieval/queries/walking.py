"""The walk: from the start's Forms step by step, a layer at a time, each way to a Form kept once.

A way is what the later steps can still tell apart: the Forms of the steps that conditions, figures and rows ask for.
Ways that differ only in what nobody asks for again are one, so that a walk over many edges does not multiply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from forms_dynamics.model.form import Form
from forms_dynamics.model.value import from_micros
from forms_dynamics.retrieval.queries.reading import Rows, Tie
from forms_dynamics.schema.expression import Expression
from forms_dynamics.schema.query_spec import ANY, QuerySpec, QueryStep

WAYS = 50_000  # at most, after any step

Binding = tuple[str | None, ...]  # Form by step; None: no Form, or one that nobody asks for again


class Hop(NamedTuple):
    step: int
    tie: Tie


class Way(NamedTuple):
    """``at``: the Form of each step that may still be asked for; ``hops``: the edges of one way that leads there."""

    at: Binding
    hops: tuple[Hop, ...]
    depth: Mapping[int, int]  # step → edges that it took


@dataclass(slots=True)
class Walker:
    """Walks one query with typed parameters."""

    spec: QuerySpec
    rows: Rows
    parameters: Mapping[str, Any]
    relations: Callable[[QueryStep], frozenset[str]]
    now: datetime = field(init=False)

    def __post_init__(self) -> None:
        self.now = from_micros(self.rows.moment.at)
        zone = self.rows.settings.zone
        if zone is not None:
            self.now = self.now.astimezone(zone)

    # -- conditions ------------------------------------------------------------------------------------------
    def holds(
        self, where: Expression | None, step: int, form: Form, at: Binding = (), tie: Tie | None = None
    ) -> bool:
        """Whether the condition of a step is true of a Form, reached over ``tie`` from ``at``."""
        if where is None:
            return True
        names = self.spec.names
        forms, rows = self.rows.forms, self.rows

        def value_of(name: str) -> Any:
            first, dot, rest = name.partition(".")
            if not dot:
                return form[name]
            if first == "edge":
                return None if tie is None else tie.value(rest, rows.moment, rows.catalog)
            index = names.index(first)
            if index == step:
                return form[rest]
            id = at[index] if index < len(at) else None
            other = None if id is None else forms.get(id)
            return None if other is None else other[rest]

        return where.holds(value_of, self.now, self.parameters)

    # -- the walk --------------------------------------------------------------------------------------------
    def walk(self, starts: Sequence[str]) -> list[Way]:
        """The ways to the end, each with a Form for the steps that rows and figures ask for."""
        width = 1 + len(self.spec.steps)
        ways = [Way((id, *(None,) * (width - 1)), (), {}) for id in starts]
        for number, step in enumerate(self.spec.steps, 1):
            with self.rows.omitted.log.stage(f"step {step.name}"):
                ways = self._step(number, step, ways)
        return ways

    def _step(self, number: int, step: QueryStep, ways: Sequence[Way]) -> list[Way]:
        near = [id for id in dict.fromkeys(way.at[step.source] for way in ways) if id is not None]
        if step.repeat is None:
            found = self._one(number, step, ways, near)
        else:
            found = self._repeated(number, step, ways, near)
        found = self._limited(number, step, found)
        if step.every:
            found = self._every(number, step, ways, found)
        reached = {(way.at[:number], far) for way, far, _ in found}
        asked = self._asked_after(number)
        kept: dict[Binding, Way] = {}
        going_on = [(way, (*way.at[:number], far, *way.at[number + 1 :]), hops) for way, far, hops in found]
        if step.optional:
            with_one = {at for at, _ in reached}
            going_on += [(way, way.at, ()) for way in ways if way.at[:number] not in with_one]
        for way, at, hops in going_on:
            at = tuple(id if index in asked else None for index, id in enumerate(at))
            depth = {**way.depth, number: len(hops)}
            if at not in kept:
                if len(kept) == WAYS:
                    self.rows.omitted.add(
                        step.name, "limit", at[number] or "", f"more than {WAYS:,} ways", hop=number
                    )
                    break
                kept[at] = Way(at, way.hops + hops, depth)
            elif depth[number] < kept[at].depth.get(number, 0):
                kept[at] = Way(at, way.hops + hops, depth)
        self._told(number, kept.values())
        return list(kept.values())

    def _told(self, number: int, ways: Iterable[Way]) -> None:
        """The edges that this step took, in the trace: each once."""
        log = self.rows.omitted.log
        edges = {hop.tie.edge.id: hop.tie for way in ways for hop in way.hops if hop.step == number}
        for id, tie in list(edges.items())[:100]:
            log.add("walk", id, f"{tie.edge.relation} to {tie.far}", round(tie.edge.weight, 4), number)

    def _one(
        self, number: int, step: QueryStep, ways: Sequence[Way], near: Sequence[str]
    ) -> list[tuple[Way, str, tuple[Hop, ...]]]:
        ties = self._ties(number, step, near)
        out: list[tuple[Way, str, tuple[Hop, ...]]] = []
        for way in ways:
            id = way.at[step.source]
            seen: set[str] = set()
            for tie in ties.get(id, ()) if id is not None else ():
                if tie.far not in seen and self._fits(number, step, tie, way.at):
                    seen.add(tie.far)
                    out.append((way, tie.far, (Hop(number, tie),)))
        return out

    def _repeated(
        self, number: int, step: QueryStep, ways: Sequence[Way], near: Sequence[str]
    ) -> list[tuple[Way, str, tuple[Hop, ...]]]:
        """Breadth first from each way: a Form counts once, by the fewest edges; one that has been met, the first
        included, is not gone through again."""
        assert step.repeat is not None
        low, high = step.repeat
        out: list[tuple[Way, str, tuple[Hop, ...]]] = []
        fronts: list[dict[str, tuple[Hop, ...]]] = []
        met: list[set[str]] = []
        for way in ways:
            id = way.at[step.source]
            fronts.append({} if id is None else {id: ()})
            met.append(set() if id is None else {id})
            if low == 0 and id is not None:
                out.append((way, id, ()))
        ties: dict[str, list[Tie]] = {}
        for depth in range(1, high + 1):
            ahead = [id for id in dict.fromkeys(id for front in fronts for id in front) if id not in ties]
            if not any(fronts):
                break
            if ahead:
                ties |= self._ties(number, step, ahead)
            for index, way in enumerate(ways):
                fresh: dict[str, tuple[Hop, ...]] = {}
                for id, hops in fronts[index].items():
                    for tie in ties.get(id, ()):
                        if tie.far in met[index] or not self._fits(number, step, tie, way.at):
                            continue
                        met[index].add(tie.far)
                        fresh[tie.far] = (*hops, Hop(number, tie))
                        if depth >= low:
                            out.append((way, tie.far, fresh[tie.far]))
                fronts[index] = fresh
        return out

    def _ties(self, number: int, step: QueryStep, near: Sequence[str]) -> dict[str, list[Tie]]:
        """Edges of a layer to Forms of the type that may be used: one look-up for edges, one for Forms."""
        if not near:
            return {}
        rows = self.rows
        ties = rows.ties(near, self.relations(step), step.direction, step.name, number)
        if step.to != ANY:
            ties = {
                id: [tie for tie in some if step.to in (self._type(tie), "")] for id, some in ties.items()
            }
        rows.read(tie.far for some in ties.values() for tie in some)
        out = {}
        for id, some in ties.items():
            kept = []
            for tie in some:
                form = rows.usable(tie.far, step.name, number)
                if form is not None and step.to in (ANY, form.type):
                    kept.append(tie)
            out[id] = kept
        return out

    def _type(self, tie: Tie) -> str:
        return tie.edge.target_type if tie.forward else tie.edge.source_type

    def _fits(self, number: int, step: QueryStep, tie: Tie, at: Binding) -> bool:
        form = self.rows.forms[tie.far]
        assert form is not None
        if self.holds(step.where, number, form, at, tie):
            return True
        self.rows.omitted.add(step.name, "where", tie.far, hop=number)
        return False

    def _limited(
        self, number: int, step: QueryStep, found: list[tuple[Way, str, tuple[Hop, ...]]]
    ) -> list[tuple[Way, str, tuple[Hop, ...]]]:
        """At most ``limit`` Forms of the layer: those met first."""
        kept: dict[str, None] = {}
        for _, far, _ in found:
            if len(kept) < step.limit:
                kept.setdefault(far)
            elif far not in kept:
                self.rows.omitted.add(step.name, "limit", far, f"limit {step.limit}", hop=number)
        return found if len(kept) == len({far for _, far, _ in found}) else [f for f in found if f[1] in kept]

    def _every(
        self,
        number: int,
        step: QueryStep,
        ways: Sequence[Way],
        found: Sequence[tuple[Way, str, tuple[Hop, ...]]],
    ) -> list[tuple[Way, str, tuple[Hop, ...]]]:
        """Relational division: those tied to every Form of the layer before that lies on ways with the same Forms of
        all other steps."""

        def context(way: Way) -> Binding:
            return tuple(None if index == step.source else id for index, id in enumerate(way.at))

        wanted: dict[Binding, set[str]] = {}
        for way in ways:
            id = way.at[step.source]
            if id is not None:
                wanted.setdefault(context(way), set()).add(id)
        tied: dict[tuple[Binding, str], set[str]] = {}
        for way, far, _ in found:
            id = way.at[step.source]
            assert id is not None
            tied.setdefault((context(way), far), set()).add(id)
        out = []
        for way, far, hops in found:
            around = context(way)
            if tied[around, far] == wanted[around]:
                out.append((way, far, hops))
            else:
                lacks = len(wanted[around]) - len(tied[around, far])
                self.rows.omitted.add(
                    step.name, "every", far, f"not tied to every one: {lacks} lacking", hop=number
                )
        return out

    # -- what is still asked for ------------------------------------------------------------------------------
    def _asked_after(self, number: int) -> set[int]:
        """Steps whose Forms anything behind step ``number`` asks for."""
        spec = self.spec
        names = spec.names
        asked = {spec.group, number, *(column.step for column in spec.columns)}
        for later in range(number + 1, len(spec.steps) + 1):
            step = spec.steps[later - 1]
            asked.add(step.source)
            if step.every and step.source > 0:
                asked.add(spec.steps[step.source - 1].source)
            if step.where is not None:
                asked.update(
                    names.index(n.name.partition(".")[0])
                    for n in step.where.names()
                    if _step_of(n.name, names)
                )
        return {index for index in asked if index <= number}


def _step_of(name: str, names: Sequence[str]) -> bool:
    first, dot, _ = name.partition(".")
    return bool(dot) and first in names


__all__ = ["Hop", "Walker", "Way"]
