"""Which settings nothing else beats: the Pareto front over the figures that pull against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from forms_dynamics.replay.figures import FIGURES

PICTURED = ("precision", "recall", "questions_per_turn", "tokens")


def front(tried: Sequence[Mapping[str, float | None]], names: Sequence[str] = PICTURED) -> list[bool]:
    """For each, whether no other is better in one of ``names`` and as good in the rest.

    Names that none of them measured are left out; what one alone did not measure counts as worst there. Equal
    ones stand or fall together.
    """
    measured = [name for name in names if any(figures.get(name) is not None for figures in tried)]
    if not measured:
        return [False] * len(tried)
    scores = [tuple(_upward(name, figures.get(name)) for name in measured) for figures in tried]
    different = set(scores)
    beaten = {
        score
        for score in different
        if any(other != score and all(map(float.__ge__, other, score)) for other in different)
    }
    return [score not in beaten for score in scores]


def _upward(name: str, value: float | None) -> float:
    if value is None:
        return float("-inf")
    return float(value) if FIGURES[name].better == "up" else -float(value)


__all__ = ["PICTURED", "front"]
