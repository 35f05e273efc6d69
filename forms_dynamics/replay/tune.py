"""Settings chosen from a log, and judged on conversations that they were not chosen on.

One setting at a time is moved while the others stay as they are today: a curve each. The best value is kept when its
gain is above zero with its whole interval, then the other settings are moved around the new base, a few rounds. Among
values that are within one standard error of the best, the one nearest to today's is taken (Breiman et al. 1984,
*Classification and Regression Trees*, section 3.4.3: the one-standard-error rule). What was chosen is compared with
today's settings once, on the conversations held out; only that comparison decides.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from forms_dynamics.errors import InvalidInput
from forms_dynamics.inputs import did_you_mean
from forms_dynamics.replay import dimensions as dims
from forms_dynamics.replay import verdict
from forms_dynamics.replay.bootstrap import SEED, Resamples, Sample
from forms_dynamics.replay.conditions import Condition, requirements, unmet, why_unmeasured
from forms_dynamics.replay.dimensions import Plan
from forms_dynamics.replay.figures import FIGURES
from forms_dynamics.replay.pareto import front
from forms_dynamics.replay.split import split
from forms_dynamics.replay.values import Candidate, Curve, Interval, Point, Run, Tuning
from forms_dynamics.settings import Settings

RunAll = Callable[[Sequence[Mapping[str, Any]]], Sequence[Run]]

ROUNDS = 4  # settings that can be moved together, one after the other
AT_ONCE = 64  # plans handed over together: their runs are in memory at one time


def tune(
    run_all: RunAll,
    today: Settings,
    dimensions: Mapping[str, Sequence[Any]] | None = None,
    *,
    objective: str = "f1",
    constraints: str | Condition | Iterable[str | Condition] = (),
    grid: bool = False,
    held_out: float = 0.3,
    seed: int = SEED,
    users: Mapping[str, str | None] | None = None,
    without: Collection[str] = (),
) -> Tuning:
    """Choose settings by the runs that ``run_all`` makes of plans (what differs from ``today``, {} first).

    ``dimensions``: for each setting the values to try; None takes those of
    :mod:`~forms_dynamics.replay.dimensions`. ``objective``: the figure to better. ``constraints``: conditions
    that all must hold; where today's settings break them, one that meets them is better whatever its objective.
    ``grid``: every combination, at most 500, in place of one setting at a time. ``held_out``: the share of
    conversations to judge on. ``users``: whose each conversation is. ``without``: settings
    that are not tried by default. The outcome depends on the runs and
    ``seed`` alone; no plan is run twice.

    InvalidInput: unknown names, values out of range, too many combinations, an objective that the log cannot
    measure.
    """
    if objective not in FIGURES:
        raise InvalidInput(f"no figure {objective!r}{did_you_mean(objective, FIGURES)}: {', '.join(FIGURES)}")
    required = requirements(constraints)
    if dimensions is not None:  # what is wrong is said before anything is run
        _check(dims.dimensions(today, dimensions, questions=False), today, grid)
    on = _Field(run_all, today, objective, required, held_out, seed, users)
    moved = dims.dimensions(today, dimensions, questions=on.first.total().asked > 0)
    _check(moved, today, grid)

    if grid:
        tried = on.tried(dims.product(moved, today))
    else:
        tried = on.tried([{name: v} for name, values in moved.items() for v in values])
    curves = [_curve(on, name, values) for name, values in moved.items()]
    here = on.tried([{}])[0]
    steps = [_step(on, here, tried, moved)] if grid else _climb(on, here, moved)
    reached = next((step for step in reversed(steps) if step is not None), here)
    return _judged(on, here, reached, moved, curves)


def _check(moved: Mapping[str, Sequence[Any]], today: Settings, grid: bool) -> None:
    if all(len(values) == 1 for values in moved.values()):
        raise InvalidInput("there is nothing to try: give a setting with a value other than today's")
    if grid:
        dims.product(moved, today)


@dataclass
class _Tried:
    """One plan, as it did where settings are chosen; ``held``: as it did where they are judged."""

    plan: dict[str, Any]
    sample: Sample
    held: Sample
    allowed: bool
    shortfall: float  # of all constraints together


@dataclass
class _Field:
    """What is tried on: the log's two parts, and every run that has been made."""

    run_all: RunAll
    today: Settings
    objective: str
    required: tuple[Condition, ...]
    share: float
    seed: int
    users: Mapping[str, str | None] | None
    memo: dict[tuple[tuple[str, Any], ...], _Tried] = field(default_factory=dict)
    turns: int = 0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.first = self._runs([{}])[0]
        if not self.first.by_conversation:
            raise InvalidInput("there is nothing to tune on: the log holds no conversation")
        total = self.first.total()
        if FIGURES[self.objective].of(total) is None:
            raise InvalidInput(f"nothing can be chosen by it: {why_unmeasured(self.objective)}")
        self.parts = split(self.first.by_conversation, self.users, share=self.share, seed=self.seed)
        self._chosen = Resamples(self.parts.chosen, seed=self.seed)
        self._held = Resamples(self.parts.held_out, seed=self.seed)
        self._keep({}, self.first)

    def tried(self, plans: Iterable[Plan]) -> list[_Tried]:
        """What each plan does, running those that have not been run."""
        keys = [self._key(dims.differing(plan, self.today)) for plan in plans]
        missing = [dict(key) for key in dict.fromkeys(keys) if key not in self.memo]
        for start in range(0, len(missing), AT_ONCE):
            some = missing[start : start + AT_ONCE]
            for plan, run in zip(some, self._runs(some), strict=True):
                self._keep(plan, run)
        return [self.memo[key] for key in keys]

    def value(self, one: _Tried) -> float:
        """The objective, greater is better; below all where it was not measured."""
        got = one.sample.figures[self.objective]
        return float("-inf") if got is None else got if FIGURES[self.objective].better == "up" else -got

    def safe(self, one: _Tried) -> bool:
        """Whether the constraints hold with a standard error to spare: what was taken because it just meets a
        bound meets it by luck half of the time."""
        figures = one.sample.figures
        return all(c.holds_by(one.sample.spread(c.figure), figures) for c in self.required)

    def gain(self, one: Sample, base: Sample) -> Interval:
        """Of the objective, above zero is better."""
        better_up = FIGURES[self.objective].better == "up"
        return one.less(base, self.objective) if better_up else base.less(one, self.objective)

    def _runs(self, plans: list[dict[str, Any]]) -> Sequence[Run]:
        began = time.perf_counter()
        runs = self.run_all(plans)
        self.seconds += time.perf_counter() - began
        self.turns += sum(counts.turns for run in runs for counts in run.by_conversation.values())
        return runs

    def _keep(self, plan: dict[str, Any], run: Run) -> None:
        if (
            run.recording != self.first.recording
            or run.by_conversation.keys() != self.first.by_conversation.keys()
        ):
            raise InvalidInput(f"the run under {plan} is of another log than that of today's settings")
        sample = self._chosen.sample(run.by_conversation)
        missing = unmet(self.required, sample.figures)
        self.memo[self._key(plan)] = _Tried(
            plan,
            sample,
            self._held.sample(run.by_conversation),
            not missing,
            sum(condition.shortfall(sample.figures) for condition in missing),
        )

    @staticmethod
    def _key(plan: Plan) -> tuple[tuple[str, Any], ...]:
        return tuple(sorted(plan.items()))


def _climb(on: _Field, here: _Tried, moved: Mapping[str, Sequence[Any]]) -> list[_Tried | None]:
    """One setting after the other, each around what was kept before."""
    names = [condition.figure for condition in on.required]
    recall = not dims.OF_RECALL.isdisjoint([on.objective, *names])
    steps: list[_Tried | None] = []
    base = here
    for _ in range(ROUNDS):
        free = [name for name in moved if name not in base.plan and (recall or name not in dims.RECALL)]
        step = _step(on, base, on.tried({**base.plan, name: v} for name in free for v in moved[name]), moved)
        if step is None:
            break
        steps.append(step)
        base = step
    return steps


def _step(
    on: _Field, base: _Tried, tried: Sequence[_Tried], moved: Mapping[str, Sequence[Any]]
) -> _Tried | None:
    """The best to go to from ``base``; None where nothing is better beyond noise."""
    near = _nearness(on, moved)
    others = [one for one in tried if one is not base and on.value(one) > float("-inf")]
    allowed = [one for one in others if one.allowed]
    if base.allowed:
        allowed = [one for one in allowed if verdict.above_zero(on.gain(one.sample, base.sample))]
    if allowed:
        allowed = [one for one in allowed if on.safe(one)] or allowed
        best = max(allowed, key=on.value)
        within = [
            one
            for one in allowed
            if on.value(best) - on.value(one) <= best.sample.spread(on.objective, one.sample)
        ]
        return min(within, key=lambda one: (near(one), -on.value(one)))
    if not base.allowed and others:
        closest = min(others, key=lambda one: (one.shortfall, near(one)))
        return closest if closest.shortfall < base.shortfall else None
    return None


def _nearness(on: _Field, moved: Mapping[str, Sequence[Any]]) -> Callable[[_Tried], tuple[int, int]]:
    return lambda one: dims.distance(one.plan, moved, on.today)


def _curve(on: _Field, name: str, values: Sequence[Any]) -> Curve:
    here = on.tried([{}])[0]
    points = [
        Point(value, intervals(one.sample), on.gain(one.sample, here.sample), one.allowed)
        for value, one in zip(values, on.tried({name: value} for value in values), strict=True)
    ]
    return Curve(name, getattr(on.today, name), points)


def intervals(sample: Sample) -> dict[str, Interval]:
    """Every figure with its interval."""
    return {name: sample.interval(name) for name in FIGURES}


def _judged(
    on: _Field, here: _Tried, reached: _Tried, moved: Mapping[str, Sequence[Any]], curves: Sequence[Curve]
) -> Tuning:
    """The one comparison on the conversations held out, and what follows from it."""
    every = list(on.memo.values())
    near = _nearness(on, moved)
    candidate = reached
    if not reached.allowed:
        candidate = min(every, key=lambda one: (one.shortfall, near(one)))
    elif reached is here:  # nothing was better beyond noise there: what looked best is judged all the same
        candidate = min((one for one in every if one.allowed), key=lambda one: (-on.value(one), near(one)))
    gain = on.gain(candidate.held, here.held)
    broken = unmet(on.required, candidate.held.figures)
    outcome: verdict.Outcome
    if on.parts.too_few:
        outcome = "too few"
    elif not reached.allowed:
        outcome = "out of reach"
    elif here.allowed and not verdict.above_zero(gain):
        outcome = "no better"
    elif broken:
        outcome = "broken"
    else:
        outcome = "better" if here.allowed else "meets"

    pictured = front([one.sample.figures for one in every])
    compared = verdict.Compared(
        today=on.today,
        objective=on.objective,
        required=on.required,
        parts=on.parts,
        candidate=candidate.plan,
        before=here.held,
        after=candidate.held,
        chosen_on=candidate.sample,
        gain=gain,
    )
    return Tuning(
        objective=on.objective,
        constraints=tuple(map(str, on.required)),
        truth=on.first.truth,
        chosen_on=len(on.parts.chosen),
        held_out=len(on.parts.held_out),
        today=intervals(here.held),
        tuned=intervals(candidate.held),
        winner=dict(candidate.plan) if outcome in ("better", "meets") else {},
        candidate=dict(candidate.plan),
        gain=gain,
        curves=curves,
        tried=[
            Candidate(one.plan, one.sample.figures, one.allowed, best)
            for one, best in zip(every, pictured, strict=True)
        ],
        verdict=verdict.sentence(outcome, compared),
        notes=verdict.notes(outcome, compared, on.first.total(), on.first.truth, moved),
        turns_per_s=on.turns / on.seconds if on.seconds else 0.0,
    )


__all__ = ["AT_ONCE", "ROUNDS", "RunAll", "intervals", "tune"]
