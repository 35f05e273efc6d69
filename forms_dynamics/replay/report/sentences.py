"""What a report says in sentences: its verdict, what a setting does, settings in a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from forms_dynamics.replay.conditions import requirements, unmet
from forms_dynamics.replay.figures import FIGURES
from forms_dynamics.replay.report.numbers import change, figure, interval_text, same, shown, value_text
from forms_dynamics.replay.report.words import Words
from forms_dynamics.replay.values import Tuning


def said_changes(changes: Sequence[Mapping[str, Any]], words: Words) -> str:
    """Settings and their new values in one line."""
    parts = [
        f"{c['setting']} {value_text(c['today'], words)} → {value_text(c['chosen'], words)}" for c in changes
    ]
    return ("、" if words.lang == "zh" else ", ").join(parts)


def said_settings(settings: Mapping[str, Any], words: Words) -> str:
    """Settings of a run in one line."""
    if not settings:
        return words("the_same_settings")
    return ", ".join(f"{name}={value_text(value, words)}" for name, value in settings.items())


def _tuning_verdict(out: Mapping[str, Any], tuning: Tuning, words: Words) -> str:
    """What the figures of a tuning come to: a winner, or why there is none."""
    objective, gain = out["objective"], out["gain"]
    chosen = next((c for c in out["pareto"] if same(c["settings"], dict(tuning.candidate))), None)
    held_out = {name: i.value for name, i in tuning.tuned.items()}
    broken = [str(condition) for condition in unmet(requirements(tuning.constraints), held_out)]
    if tuning.winner:
        key = "won" if gain["low"] is not None and gain["low"] > 0 else "won_meets"
    elif gain["value"] is None or gain["low"] is None:
        key = "not_won_few"
    elif chosen and not chosen["allowed"]:
        key = "not_won_reach"
    elif broken:
        key = "not_won_broken"
    else:
        key = "not_won" if tuning.candidate else "not_won_none"
    constraints = broken if key == "not_won_broken" else out["constraints"]
    return words(
        key,
        changes=said_changes(out["changes"] or out["candidate"], words) or words("as_today"),
        constraints=("、" if words.lang == "zh" else ", ").join(constraints),
        n=out["log"]["held_out"],
        objective=objective,
        gain=change(objective, gain["value"], words),
        interval=interval_text(objective, gain, words),
    )


def verdict(out: Mapping[str, Any], tuning: Tuning | None, words: Words) -> str:
    objective = out["objective"]
    if tuning:
        return (
            tuning.verdict if tuning.verdict and words.lang == "en" else _tuning_verdict(out, tuning, words)
        )
    rows = {row["name"]: row for row in out["figures"]}
    turns = words("turns", n=shown(out["log"]["turns"]))
    if out["kind"] == "diff":
        changed = out["changed_turns"] or {"better": "—", "worse": "—"}
        before, after = (
            figure(objective, rows[objective][side]["value"], words) for side in ("before", "after")
        )
        return words("compared", objective=objective, before=before, after=after, **changed)
    if out["kind"] == "runs":
        sign = 1 if FIGURES[objective].better == "up" else -1
        best = max(
            out["runs"],
            key=lambda r: (r["figures"][objective] is not None, sign * (r["figures"][objective] or 0.0)),
        )
        if best["figures"][objective] is None:
            return words("ran_many_unjudged", n=len(out["runs"]), turns=turns)
        return words(
            "ran_many", n=len(out["runs"]), turns=turns, objective=objective,
            best=figure(objective, best["figures"][objective], words),
            settings=said_settings(best["settings"], words),
        )  # fmt: skip
    counts = out["runs"][0]["counts"]
    proposed = counts["accepted"] + counts["held"] + counts["refused"]
    return words(
        "ran", turns=turns, proposed=shown(proposed),
        **{name: shown(counts[name]) for name in ("accepted", "held", "refused")},
        **{name: figure(name, rows[name]["after"]["value"], words) for name in ("precision", "recall")},
    )  # fmt: skip


def beginning(content: Mapping[str, Any]) -> str:
    """The key of the text for the settings that others are compared with."""
    return "today" if content["kind"] == "tuning" else "first"


def flat(curve: Mapping[str, Any]) -> bool:
    """Whether a setting makes no difference."""
    return all(p["figures"] == curve["points"][0]["figures"] for p in curve["points"])


def curve_says(curve: Mapping[str, Any], content: Mapping[str, Any], words: Words) -> str:
    """The best allowed value of a setting and whether it is better than the one that all began with beyond noise."""
    if flat(curve):
        return words("curve_flat")
    objective, than = content["objective"], words(f"than_{beginning(content)}")
    judged = [p for p in curve["points"] if p["gain"] and p["gain"]["value"] is not None]
    if not judged:
        return ""
    fit = [p for p in judged if p["allowed"]]
    others = [p for p in fit if not same(p["value"], curve["today"])]
    if not others:
        return words("curve_none")
    best = max(others, key=lambda p: p["gain"]["value"])
    gain = best["gain"]
    if gain["value"] <= 0 and any(same(p["value"], curve["today"]) for p in fit):
        return words("curve_today", than=than)
    beyond = gain["low"] is not None and gain["low"] > 0
    return words(
        "curve_best" if beyond else "curve_noise",
        value=value_text(best["value"], words),
        objective=objective,
        than=than,
        gain=change(objective, gain["value"], words),
        interval=interval_text(objective, gain, words),
    )


__all__ = ["beginning", "curve_says", "flat", "said_changes", "said_settings", "verdict"]
