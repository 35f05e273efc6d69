"""Runs, a tuning and a log made by hand, small enough to reckon with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from forms_dynamics.replay.figures import FIGURES, figures
from forms_dynamics.replay.values import (
    Asked,
    Candidate,
    Counts,
    Curve,
    Fact,
    Interval,
    Point,
    Run,
    Tuning,
    Turn,
)

EN = (
    "Our budget is 500k, in three instalments.",
    "Sorry, make that 600k.",
    "Maybe around ten people will come.",
    "Who signs the contract for Lanting?",
)
ZH = ("我们的预算是50万，分三期付款。", "不对，预算改成60万。", "大概来十个人吧。", "岚亭的合同由谁签字？")
STEPS = (
    ("anchor", "lead_01", "name: Lanting"),
    ("walk", "lead_01.refers_to.quote_01", "refers_to to quote_01"),
    ("prune", "quote_01.evolves_from.contract_01", "weight below 0.6"),
    ("near_miss", "lead_02", "beyond max_anchors 1"),
    ("fallback", "m2", "words"),
    ("cut", "quote_01", "120 tokens do not fit in what is left of 80"),
)


def log(conversations: int = 6, lang: str = "en") -> Iterator[Mapping[str, Any]]:
    """Four messages a conversation, two users in all."""
    for c in range(conversations):
        for n, text in enumerate(ZH if lang == "zh" else EN, 1):
            yield {
                "id": f"c{c}-m{n}", "conversation": f"c{c}", "speaker": "Ann" if lang == "en" else "小安",
                "role": "user", "user": f"u{c % 2}", "text": text, "time": None,
            }  # fmt: skip


def run(threshold: float = 0.8, conversations: int = 6, *, turns: bool = True, **settings: Any) -> Run:
    """Below 0.7 wrong values come in, above 0.8 right ones stay out."""
    kept = [turn for c in range(conversations) for turn in _turns(c, threshold)]
    by: dict[str, Counts] = {}
    for turn in kept:
        by[turn.conversation] = by.get(turn.conversation, Counts()).plus(turn.counts)
    changed = settings if threshold == 0.8 else {"conf_threshold": threshold, **settings}
    return Run(changed, "sha256:0123456789abcdef", "labels", by, kept if turns else (), 1.25)


def _turns(c: int, threshold: float) -> Iterator[Turn]:
    low, high = threshold < 0.7, threshold > 0.8
    facts = (
        (Fact("lead_profile", "budget", "500,000 CNY", "accepted", "", "right", "lead_01"),),
        (
            Fact("lead_profile", "budget", "600,000 CNY", *(("held", "low_confidence") if high else ("accepted", "")),
                 "right", "lead_01"),
        ),
        (
            Fact("meeting", "people", "10", *(("accepted", "") if low else ("held", "hedged")), "wrong", "meeting_01"),
        ),
        (),
    )  # fmt: skip
    missed = ((), (("lead_profile", "budget", "600,000 CNY"),) if high else (), (), ())
    for n in range(4):
        asked = (
            (
                Asked("Who signs for Lanting?", ("Wang",) if high else (), ("Li",) if low else (),
                      None if high else 3, 2, 120, 0.9, STEPS, 4.2),
            )
            if n == 3
            else ()
        )  # fmt: skip
        accepted = [f for f in facts[n] if f.outcome == "accepted"]
        held = [f for f in facts[n] if f.outcome == "held"]
        counts = Counts(
            turns=1, user_turns=1,
            accepted=len(accepted),
            accepted_right=sum(f.verdict == "right" for f in accepted),
            accepted_wrong=sum(f.verdict == "wrong" for f in accepted),
            held=len(held), held_right=sum(f.verdict == "right" for f in held),
            expected=int(n < 2), found=int(n < 2) - len(missed[n]),
            fields=2, fields_right=2 - len(missed[n]), states=1, states_right=1 - len(missed[n]),
            questions=len(held), asked=len(asked), asked_right=sum(a.right for a in asked),
            asked_stale=sum(bool(a.stale) for a in asked), asked_far=len(asked),
            asked_far_right=sum(a.right for a in asked), tokens=sum(a.tokens for a in asked),
            forms=int(n == 0), versions=len(accepted),
        )  # fmt: skip
        yield Turn(
            f"c{c}-m{n + 1}", f"c{c}", n + 1, "user", facts[n], missed[n], (), 0,
            ("Is the budget final?",) if held else (), asked, counts,
        )  # fmt: skip


def spread(found: Mapping[str, float | None], wide: float = 0.02) -> dict[str, Interval]:
    """Each figure with an interval around it."""
    return {
        name: Interval(value, None if value is None else max(0.0, value - wide), None if value is None else value + wide)
        for name, value in found.items()
    }  # fmt: skip


def tuning(*, won: bool = True, **changed: Any) -> Tuning:
    """A threshold, a cap, a switch and a limit of days; 0.7 is best where ``won``."""
    now, then = (figures(run(t, turns=False).total()) for t in (0.9, 0.7))
    by = {value: figures(run(value, turns=False).total()) for value in (0.5, 0.6, 0.7, 0.8, 0.9)}
    base = by[0.9]["f1"] or 0.0

    def points(values: tuple[Any, ...], of: Any, today: Any) -> list[Point]:
        return [
            Point(
                v, spread(found := of(v)),
                Interval(0.0, 0.0, 0.0) if v == today
                else Interval((found["f1"] or 0.0) - base, (found["f1"] or 0.0) - base - 0.03, (found["f1"] or 0.0) - base + 0.03),
                (found["precision"] or 0.0) >= 0.9,
            )
            for v in values
        ]  # fmt: skip

    curves = [
        Curve("conf_threshold", 0.9, points((0.5, 0.6, 0.7, 0.8, 0.9), by.__getitem__, 0.9)),
        Curve(
            "back_check", "rules", points(("off", "rules"), lambda v: by[0.6 if v == "off" else 0.9], "rules")
        ),
        Curve("pending_days", 90, points((30, 90, None), lambda v: by[0.9], 90)),
    ]
    tried = [
        Candidate({} if v == 0.9 else {"conf_threshold": v}, found, (found["precision"] or 0.0) >= 0.9, v in (0.6, 0.7, 0.8))
        for v, found in by.items()
    ]  # fmt: skip
    given: dict[str, Any] = {
        "objective": "f1", "constraints": ("precision >= 0.9",), "truth": "labels", "chosen_on": 4, "held_out": 2,
        "today": spread(now), "tuned": spread(then if won else now),
        "winner": {"conf_threshold": 0.7} if won else {}, "candidate": {"conf_threshold": 0.7},
        "gain": Interval(0.21, 0.12, 0.3) if won else Interval(0.004, -0.02, 0.03),
        "curves": curves, "tried": tried,
        "verdict": "conf_threshold 0.7 (today 0.9) raises f1." if won else "Nothing is better than today's settings beyond noise.",
        "notes": ("no message is labelled twice",), "turns_per_s": 1234.5,
    }  # fmt: skip
    return Tuning(**(given | changed))


__all__ = ["EN", "FIGURES", "STEPS", "ZH", "log", "run", "spread", "tuning"]
