"""Whether a context knows that nothing here answers: ``confidence`` on questions with and without an answer.

``locomo`` asks in its adversarial questions of one speaker what another one said, ``beam`` for details of things
that were told without them. ``auroc`` is the chance that a question with an answer scores above one without; 0.5 is
a coin. ``ours`` is ``Context.confidence`` of a memory as anybody opens it (a SQLite file, shipped types, default
settings) that observed the turns and is asked the question. The baselines are the best score of a hit, which nothing
but the texts decides, and the number of words of the question. Questions that an audit found wrong are left out.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.baselines import Bm25, Vectors
from benchmarks.calibration import auroc
from benchmarks.grounds import sets_there
from benchmarks.recall_sets import Ground, read_set
from benchmarks.rows import Row
from benchmarks.told import told
from forms_dynamics.language.terms import index_terms
from forms_dynamics.ports import Embedder

SETS = ("locomo", "beam")
OURS, FUSED, VECTOR, LENGTH = "ours", "top fused score", "top vector", "question length"
_RANK = 60
_CUTS = (0.25, 0.3, 0.35)


class Scored(NamedTuple):
    """One question with what each system makes of it; ``half`` is the half of the set that its conversation is in."""

    answerable: bool
    half: int
    scores: Mapping[str, float]


def run(arguments: Namespace) -> list[Row]:
    """Rows of the sets that are in the folder; those that are not are told on stderr."""
    rows: list[Row] = []
    for name, grounds in sets_there("abstain", arguments, SETS, partial(read_set, wanted=_sound)):
        scored = [
            each
            for number, (ground, place) in enumerate(grounds)
            for each in _asked(ground, number % 2, place.embedder, place.path)
        ]
        rows += rows_of(name, scored)
    return rows


def _sound(raw: Mapping[str, Any]) -> bool:
    return not raw.get("audit")


def _asked(ground: Ground, half: int, embedder: Embedder, file: Path) -> Iterator[Scored]:
    said = [turn.said for turn in ground.turns]
    words, near = Bm25(said), Vectors(said, embedder)
    memory = told(file, ground.turns, embedder)
    try:
        for question in ground.questions:
            by_words, cosines = words.rank(question.text), near.scores(question.text)
            by_vector = sorted(cosines, key=lambda at: -cosines[at])
            yield Scored(
                question.answerable,
                half,
                {
                    OURS: memory.recall(question.text).confidence,
                    FUSED: _top(by_words, by_vector),
                    VECTOR: max(cosines.values(), default=0.0),
                    LENGTH: float(len(index_terms(question.text))),
                },
            )
    finally:
        memory.close()


def _top(*rankings: Sequence[int]) -> float:
    """The best sum of reciprocal ranks."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for place, at in enumerate(ranking, 1):
            scores[at] = scores.get(at, 0.0) + 1 / (_RANK + place)
    return max(scores.values(), default=0.0)


def rows_of(name: str, scored: Sequence[Scored]) -> list[Row]:
    """``auroc`` of each system, of ours by halves of the conversations too, and what a cut keeps and lets through."""
    rows = []
    for system in (OURS, FUSED, VECTOR, LENGTH):
        rows.append(Row(name, system, "auroc", _auroc(scored, system), len(scored)))
    for half in (0, 1):
        some = [each for each in scored if each.half == half]
        rows.append(Row(name, OURS, f"auroc_half_{half + 1}", _auroc(some, OURS), len(some)))
    for cut in _CUTS:
        for figure, wanted in (("kept", True), ("let_through", False)):
            above = [each.scores[OURS] >= cut for each in scored if each.answerable is wanted]
            share = sum(above) / len(above) if above else None
            rows.append(Row(name, OURS, f"{figure}_at_{cut:g}", share, len(above)))
    return rows


def _auroc(scored: Sequence[Scored], system: str) -> float | None:
    return auroc([(each.scores[system], each.answerable) for each in scored])
