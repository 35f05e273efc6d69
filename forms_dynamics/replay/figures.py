"""Figures from counts: what each is called, what it divides, and which way is better."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from forms_dynamics.replay.values import Counts


class Figure(NamedTuple):
    """``of`` gives None where nothing was measured. ``better``: "up" or "down"."""

    name: str
    better: str
    of: Callable[[Counts], float | None]
    about: str


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _precision(c: Counts) -> float | None:
    return _share(c.accepted_right, c.accepted_right + c.accepted_wrong)


def _recall(c: Counts) -> float | None:
    return _share(c.found, c.expected)


def _f(beta: float) -> Callable[[Counts], float | None]:
    def of(c: Counts) -> float | None:
        precision, recall = _precision(c), _recall(c)
        if recall is None:
            return None
        if not precision or not recall:
            return 0.0
        return (1 + beta * beta) * precision * recall / (beta * beta * precision + recall)

    return of


FIGURES: Mapping[str, Figure] = {
    f.name: f
    for f in (
        Figure("precision", "up", _precision, "accepted values that are right, of those that can be judged"),
        Figure("recall", "up", _recall, "values that the truth gains and that are held after their turn"),
        Figure("f1", "up", _f(1.0), "harmonic mean of precision and recall"),
        Figure("f05", "up", _f(0.5), "the same, precision counting twice as much as recall"),
        Figure(
            "field_accuracy", "up", lambda c: _share(c.fields_right, c.fields),
            "labelled values in force that are held exactly so",
        ),
        Figure(
            "joint_accuracy", "up", lambda c: _share(c.states_right, c.states),
            "labelled turns after which all that is held is all that is labelled",
        ),
        Figure(
            "ten_turn_consistency", "up", lambda c: _share(c.kept_right, c.kept),
            "values still in force and held at the user's tenth turn, counted from the one that gave them",
        ),
        Figure(
            "answer_accuracy", "up", lambda c: _share(c.asked_right, c.asked),
            "labelled questions whose context holds all it should and nothing it should not",
        ),
        Figure(
            "multi_hop_accuracy", "up", lambda c: _share(c.asked_far_right, c.asked_far),
            "the same, of questions of two hops or more",
        ),
        Figure(
            "stale_rate", "down", lambda c: _share(c.asked_stale, c.asked),
            "labelled questions whose context holds what it should not",
        ),
        Figure(
            "tokens", "down", lambda c: _share(c.tokens, c.asked), "tokens of a context, mean over labelled questions"
        ),
        Figure(
            "questions_per_turn", "down", lambda c: _share(c.questions, c.user_turns),
            "questions put to the user, a user turn",
        ),
        Figure(
            "asked_twice", "down", lambda c: _share(c.twice, c.questions),
            "questions about what the user had answered before",
        ),
    )
}  # fmt: skip

#: figures that are no shares and may be above 1
NO_SHARE = frozenset({"tokens", "questions_per_turn"})


def figures(counts: Counts) -> dict[str, float | None]:
    """Every figure, by name."""
    return {name: figure.of(counts) for name, figure in FIGURES.items()}


__all__ = ["FIGURES", "NO_SHARE", "Figure", "figures"]
