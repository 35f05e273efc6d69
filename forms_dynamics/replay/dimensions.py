"""What tuning may turn: settings that a replay can judge, and the values worth trying around today's."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from forms_dynamics.errors import InvalidInput
from forms_dynamics.inputs import did_you_mean
from forms_dynamics.settings import Settings

#: what the gate lets through, tried on every log
GATE: Mapping[str, Sequence[Any]] = {
    "conf_threshold": (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98),
    "back_check": ("off", "rules"),
    "strict_corrections": (False, True),
}
#: what a context holds, tried where questions are labelled
RECALL: Mapping[str, Sequence[Any]] = {
    "max_anchors": (1, 2, 3, 5, 8, 12),
    "max_edges_per_layer": (0, 2, 3, 5, 8, 12),
    "walk_cut": (0.3, 0.4, 0.5, 0.6, 0.7, 0.8),
    "max_tokens": (250, 500, 1000, 2000, 3000, 6000),
    "fallback_below_anchors": (0, 1, 2, 3, 5),
    "fallback_floor": (0.3, 0.4, 0.5, 0.6, 0.7),
    "fallback_share": (0.25, 0.5, 0.75, 1.0),
}
#: the figures that settings of recall can move; those of the gate move all
OF_RECALL = frozenset({"answer_accuracy", "multi_hop_accuracy", "stale_rate", "tokens"})
#: all that decide what is written. Of ``hedge_cap`` a replay shows little (what is hedged is held whatever the cap,
#: and a model's words are capped when they are read), so it is tried only when asked for
WRITING = (*GATE, "hedge_cap", "pending_days")
TUNABLE = (*WRITING, *RECALL)
MOST_COMBINATIONS = 500

Plan = Mapping[str, Any]  # settings that differ from today's


def dimensions(
    today: Settings,
    given: Mapping[str, Sequence[Any]] | None,
    *,
    questions: bool,
    without: Collection[str] = (),
) -> dict[str, tuple[Any, ...]]:
    """For each setting its values, today's among them, numbers in ascending order.

    ``given`` None: the gate's, and recall's where the log has labelled ``questions``, but those ``without``.
    InvalidInput names a setting that is unknown or that a replay cannot judge, and a value that is no value
    of it.
    """
    if given is None:
        given = {**GATE, **(RECALL if questions else {})}
        given = {name: values for name, values in given.items() if name not in without}
        given = {name: _around(name, values, getattr(today, name)) for name, values in given.items()}
    found: dict[str, tuple[Any, ...]] = {}
    for name, values in given.items():
        check_tunable(name)
        if isinstance(values, (str, bytes)) or not isinstance(values, Sequence):
            raise InvalidInput(f"{name}: the values to try are a list, not {values!r}")
        read = [getattr(Settings.read({name: value}), name) for value in values]
        found[name] = _ordered([*read, getattr(today, name)])
    return found


def check_tunable(name: str) -> None:
    """InvalidInput for what is no setting, or none that runs of one recording can differ in."""
    told = f"those that can be varied are {', '.join(TUNABLE)}"
    if name not in Settings.model_fields:
        raise InvalidInput(f"no setting {name!r}{did_you_mean(name, Settings.model_fields)}; {told}")
    if name not in TUNABLE:
        raise InvalidInput(f"{name} decides what is read, or nothing that a replay shows; {told}")


def product(of: Mapping[str, Sequence[Any]], today: Settings) -> list[dict[str, Any]]:
    """Every combination, as what differs from today's; today's first. InvalidInput above 500."""
    count = math.prod(map(len, of.values()))
    if count > MOST_COMBINATIONS:
        raise InvalidInput(
            f"{count} combinations ({' × '.join(f'{len(v)} {name}' for name, v in of.items())}) are more than "
            f"{MOST_COMBINATIONS}: give fewer settings or values, or tune one setting at a time"
        )
    combined = (dict(zip(of, values, strict=True)) for values in itertools.product(*of.values()))
    plans = [differing(plan, today) for plan in combined]
    return sorted(plans, key=bool)  # stable: {} first


def differing(plan: Plan, today: Settings) -> dict[str, Any]:
    """The part of a plan that is not as it is today."""
    return {name: value for name, value in plan.items() if value != getattr(today, name)}


def distance(plan: Plan, of: Mapping[str, Sequence[Any]], today: Settings) -> tuple[int, int]:
    """How far from today's: settings that differ, then steps along their values."""
    steps = 0
    for name, value in plan.items():
        values = of[name]
        ordered = not isinstance(value, (bool, str))
        steps += abs(values.index(value) - values.index(getattr(today, name))) if ordered else 1
    return len(plan), steps


def _around(name: str, values: Sequence[Any], now: Any) -> list[Any]:
    """Those that are worth trying anyway; of counts also half and double of today's."""
    if isinstance(now, int) and not isinstance(now, bool) and now not in values:
        sides = [value for value in (now // 2, now * 2) if _sound(name, value)]
        return [*values, *sides]
    return list(values)


def _sound(name: str, value: Any) -> bool:
    try:
        Settings.read({name: value})
    except InvalidInput:
        return False
    return True


def _ordered(values: Sequence[Any]) -> tuple[Any, ...]:
    different = list(dict.fromkeys(values))
    numbers = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in different if v is not None)
    if numbers:  # None of pending_days: never, which is beyond all numbers
        different.sort(key=lambda v: math.inf if v is None else v)
    return tuple(different)


__all__ = [
    "GATE", "MOST_COMBINATIONS", "OF_RECALL", "RECALL", "TUNABLE", "WRITING", "Plan", "check_tunable", "differing",
    "dimensions", "distance", "product",
]  # fmt: skip
