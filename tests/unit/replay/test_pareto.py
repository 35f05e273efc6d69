"""What nothing else beats."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forms_dynamics.replay.pareto import front

SHARE = st.one_of(st.none(), st.integers(0, 4).map(lambda n: n / 4))
TRIED = st.lists(st.fixed_dictionaries({"precision": SHARE, "recall": SHARE, "questions_per_turn": SHARE}), max_size=12)  # fmt: skip


def at(
    precision: float | None, recall: float | None, questions: float | None = None
) -> dict[str, float | None]:
    return {"precision": precision, "recall": recall, "questions_per_turn": questions}


def test_by_hand() -> None:
    tried = [at(0.9, 0.5), at(0.8, 0.6), at(0.8, 0.5), at(0.7, 0.6), at(0.95, 0.1), at(0.9, 0.5)]
    assert front(tried) == [True, True, False, False, True, True]


def test_fewer_questions_are_better() -> None:
    assert front([at(0.9, 0.5, 0.2), at(0.9, 0.5, 0.1)]) == [False, True]
    assert front([at(0.9, 0.5, 0.2), at(0.8, 0.5, 0.1)]) == [True, True]


def test_what_was_not_measured_is_worst() -> None:
    assert front([at(None, 0.5), at(0.1, 0.5)]) == [False, True]
    assert front([at(None, None), at(None, None)]) == [False, False]
    assert front([]) == []


def key(figures: dict[str, float | None]) -> tuple[float, float, float]:
    p, r, q = figures["precision"], figures["recall"], figures["questions_per_turn"]
    return (-1 if p is None else p, -1 if r is None else r, -2 if q is None else -q)


@given(TRIED)
def test_whatever_is_not_best_is_beaten_by_something_that_is(tried: list[dict[str, float | None]]) -> None:
    best = front(tried)
    if not any(v is not None for figures in tried for v in figures.values()):
        return
    assert any(best)
    for figures, good in zip(tried, best, strict=True):
        beats = [
            other
            for other, fine in zip(tried, best, strict=True)
            if fine and key(other) != key(figures) and all(a >= b for a, b in zip(key(other), key(figures), strict=True))
        ]  # fmt: skip
        assert bool(beats) is not good


@given(TRIED, st.integers(0, 11))
def test_leaving_out_what_is_beaten_changes_nothing(tried: list[dict[str, float | None]], at: int) -> None:
    best = front(tried)
    left = [
        (figures, good) for i, (figures, good) in enumerate(zip(tried, best, strict=True)) if good or i != at
    ]
    assert front([figures for figures, _ in left]) == [good for _, good in left]
