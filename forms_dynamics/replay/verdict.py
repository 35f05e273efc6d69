"""What tuning found, in one sentence, and what a reader should know beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from forms_dynamics.replay.bootstrap import Sample
from forms_dynamics.replay.conditions import UNMEASURED, Condition, unmet
from forms_dynamics.replay.figures import FIGURES
from forms_dynamics.replay.split import FEWEST_UNITS, Split
from forms_dynamics.replay.values import Counts, Interval, Truth
from forms_dynamics.settings import Settings

Outcome = Literal["too few", "out of reach", "no better", "broken", "meets", "better"]


class Compared(NamedTuple):
    """Today's settings and the candidate, on the conversations held out."""

    today: Settings
    objective: str
    required: Sequence[Condition]
    parts: Split
    candidate: Mapping[str, Any]
    before: Sample
    after: Sample
    chosen_on: Sample  # the candidate where it was chosen
    gain: Interval


def above_zero(gain: Interval) -> bool:
    """Whether the whole interval is."""
    return gain.low is not None and gain.low > 0


def sentence(outcome: Outcome, of: Compared) -> str:
    """What to do, and on what evidence."""
    what, on = changes(of.candidate, of.today), f"{_count(of.parts.held_out, 'held-out conversation')}"
    verb = {"up": ("raises", "lowers"), "down": ("lowers", "raises")}[FIGURES[of.objective].better]
    match outcome:
        case "too few":
            units = {*of.parts.chosen.values(), *of.parts.held_out.values()}
            return (
                f"Too few conversations to choose on: {_count(units, of.parts.unit)}, where at least {FEWEST_UNITS} "
                "are needed; today's settings stay."
            )
        case "out of reach":
            missing = unmet(of.required, of.chosen_on.figures)
            kept = f"the closest is {what}, with" if of.candidate else "today's are the closest, with"
            return (
                f"No settings that were tried meet {_joined(missing)}: {kept} "
                f"{_reached(missing, of.chosen_on)} where it was chosen; today's settings stay."
            )
        case "broken":
            missing = unmet(of.required, of.after.figures)
            return (
                f"{what} meets the constraints where it was chosen but not {_joined(missing)} on {on}, with "
                f"{_reached(missing, of.after)}; today's settings stay."
            )
        case "meets":
            return (
                f"{what} meets {_joined(of.required)}, which today's settings do not: on {on} it has "
                f"{_reached(of.required, of.after)}, and changes {of.objective} by "
                f"{interval(_raw(of.gain, of.objective), signed=True)}."
            )
        case "better":
            return (
                f"{what} {verb[0]} {of.objective} from {_number(of.before.figures[of.objective])} to "
                f"{_number(of.after.figures[of.objective])} on {on} that it was not chosen on: "
                f"{interval(_raw(of.gain, of.objective), signed=True)}."
            )
        case "no better":
            if not of.candidate:
                return (
                    f"Nothing that was tried is better than today's settings: {of.objective} is "
                    f"{interval(of.before.interval(of.objective))} on {on}."
                )
            return (
                f"Nothing is better than today's settings beyond noise: the best where it was chosen, {what}, "
                f"changes {of.objective} by {interval(_raw(of.gain, of.objective), signed=True)} on {on}."
            )


def notes(
    outcome: Outcome, of: Compared, total: Counts, truth: Truth, moved: Mapping[str, Sequence[Any]]
) -> tuple[str, ...]:
    """What limits the verdict: few conversations, figures not measured, what truth rests on."""
    found = [of.parts.note] if of.parts.note and outcome != "too few" else []
    if truth == "self-consistency":
        found.append(
            "no labels: what is right is read from later confirmations and corrections in the log, so only values "
            "that somebody came back to are judged, and errors that nobody noticed count for nothing"
        )
    elif truth == "none":
        found.append("neither labels nor later messages tell what is right: only counts are compared")
    judged = total.accepted_right + total.accepted_wrong
    if 0 < judged < total.accepted:
        found.append(
            f"{total.accepted - judged} of {total.accepted} values that today's settings accept could not be judged; "
            "precision is of the others"
        )
    if total.queued:
        found.append(
            f"{total.queued} of {total.turns} messages could not be read when they were recorded and count as empty"
        )
    if outcome in ("better", "meets"):
        found += _worse(of)
    for name, value in of.candidate.items() if outcome != "too few" else ():
        if not isinstance(value, (bool, str)) and value in (moved[name][0], moved[name][-1]):
            end = "lowest" if value == moved[name][0] else "highest"
            found.append(f"{name} {value} is the {end} that was tried; one beyond it may do better")
    lacking: dict[str, list[str]] = {}
    for name in FIGURES:
        if of.before.figures[name] is None and of.after.figures[name] is None:
            here = FIGURES[name].of(total) is None
            why = (
                UNMEASURED[name]
                if here
                else "the conversations held out have nothing that it is reckoned from"
            )
            lacking.setdefault(why, []).append(name)
    found += [f"not measured: {', '.join(names)}, since {why}" for why, names in lacking.items()]
    return tuple(found)


def _worse(of: Compared) -> list[str]:
    """Figures that pay for the gain, beyond noise."""
    found = []
    for name, figure in FIGURES.items():
        change = of.after.less(of.before, name)
        loss = change.high is not None and change.high < 0
        rise = change.low is not None and change.low > 0
        if loss if figure.better == "up" else rise:
            found.append(
                f"worse with it: {name} goes from {_number(of.before.figures[name])} to "
                f"{_number(of.after.figures[name])}, {interval(change, signed=True)}"
            )
    return found


def changes(plan: Mapping[str, Any], today: Settings) -> str:
    """``conf_threshold 0.7 (today 0.8)``, one after the other."""
    return " and ".join(
        f"{name} {scalar(v)} (today {scalar(getattr(today, name))})" for name, v in plan.items()
    )


def interval(of: Interval, *, signed: bool = False) -> str:
    """``0.912 [0.9, 0.925]``."""
    if of.value is None:
        return "not measured"
    sign = "+" if signed else ""
    if of.low is None or of.high is None:
        return f"{of.value:{sign}.4g} (too few conversations for an interval)"
    return f"{of.value:{sign}.4g} [{of.low:{sign}.4g}, {of.high:{sign}.4g}]"


def _raw(gain: Interval, objective: str) -> Interval:
    """The change of the figure itself, where a gain of one that is better lower has its sign turned."""
    if FIGURES[objective].better == "up" or gain.value is None:
        return gain
    low = None if gain.high is None else 0.0 - gain.high
    high = None if gain.low is None else 0.0 - gain.low
    return Interval(0.0 - gain.value, low, high)


def _reached(conditions: Iterable[Condition], sample: Sample) -> str:
    names = dict.fromkeys(condition.figure for condition in conditions)
    return " and ".join(f"{name} {interval(sample.interval(name))}" for name in names)


def _joined(conditions: Iterable[Condition]) -> str:
    return " and ".join(map(str, conditions))


def _number(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.4g}"


def scalar(value: Any) -> str:
    """As it stands in a settings file."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


def _count(of: Iterable[Any], noun: str) -> str:
    count = len(list(of))
    return f"{count} {noun}{'' if count == 1 else 's'}"


__all__ = ["Compared", "Outcome", "above_zero", "changes", "interval", "notes", "scalar", "sentence"]
