"""How much of the evidence for a question is recalled, how high it stands, and what it costs in tokens.

Every system indexes the same turns (``speaker: text``) and embeds with the same embedder. ``ours`` is a memory as
anybody opens it (a SQLite file, shipped types, default settings) that is told the turns and asked the question, no
more; its ranking is the order in which messages stand in the text. Figures a set and system:

evidence_recall_at_10
    the share of a question's evidence among the first ten turns
mrr
    one over the place of the first turn that is evidence, 0 where none came back
tokens
    of what is returned: ten turns as ``speaker: text``, for ``ours`` the whole context, headers and Forms too, save
    the dates that stand with its quotes and that no other system gives
tokens_with_dates
    the same with dates: of the context as it is, and of ten turns as ``speaker (date): text``

``ours`` may not spend more ``tokens`` on a question than fusion's ten turns take: it recalls with the largest
``max_tokens`` that keeps it below. ``ours, unbounded`` has the tokens that a recall has by default.
"""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.baselines import Bm25, Vectors, fused
from benchmarks.grounds import sets_there
from benchmarks.recall_sets import ANSWERABLE, NAMES, Asked, Ground, read_set
from benchmarks.rows import Row
from benchmarks.told import Telling
from forms_dynamics import Memory
from forms_dynamics.language.tokens import count
from forms_dynamics.ports import Embedder

TOP = 10
OURS, UNBOUNDED, BM25, VECTOR, FUSION = "ours", "ours, unbounded", "bm25", "vector", "fusion"
_NOTES = {
    OURS: "ours spends no more tokens on a question than fusion's ten turns, headers and Forms included",
    UNBOUNDED: "ours, unbounded has the 3,000 tokens of the default settings, and shows what it finds within them",
}
_STAMP = 8  # tokens of a date in brackets
_DATE = re.compile(r"^(.{1,70}?) \(\d{4}-\d\d-\d\d\): ", re.M)


@dataclass(frozen=True)
class Found:
    """What one system gave for one question: ids of turns, best first, and the tokens of what it returned."""

    question: Asked
    system: str
    ids: Sequence[str]
    tokens: int
    dated: int  # tokens with dates

    @property
    def recalled(self) -> float:
        return len(self.question.evidence.intersection(self.ids[:TOP])) / len(self.question.evidence)

    @property
    def reciprocal(self) -> float:
        return next((1 / place for place, id in enumerate(self.ids, 1) if id in self.question.evidence), 0.0)


def run(arguments: Namespace) -> list[Row]:
    """Rows of every set that is in the folder; those that are not are told on stderr."""
    rows: list[Row] = []
    for name, grounds in sets_there("recall", arguments, NAMES, read_set):
        found = [each for ground, place in grounds for each in measured(ground, place.embedder, place.path)]
        rows += _rows(name, found)
        if not all(each.question.answerable for each in found):
            rows += _rows(ANSWERABLE, [each for each in found if each.question.answerable])
    return rows


def measured(ground: Ground, embedder: Embedder, file: Path) -> Iterator[Found]:
    """What each system finds for each question of a ground; ours keeps its memory in ``file``."""
    turns = ground.turns
    words = Bm25([turn.said for turn in turns])
    near = Vectors([turn.said for turn in turns], embedder)
    telling = Telling(file, turns, embedder)
    try:
        for question in sorted(ground.questions, key=lambda q: len(turns) if q.before is None else q.before):
            size = len(turns) if question.before is None else question.before
            by_words, by_vector = words.rank(question.text, size), near.rank(question.text, size)
            bound = 0
            both = fused([by_words, by_vector])
            for system, ranking in ((BM25, by_words), (VECTOR, by_vector), (FUSION, both)):
                tokens = sum(count(turns[at].said) for at in ranking[:TOP])
                dated = sum(count(turns[at].dated) for at in ranking[:TOP])
                bound = tokens if system == FUSION else bound
                yield Found(question, system, [turns[at].id for at in ranking], tokens, dated)
            telling.tell(size)
            yield from _ours(telling.memory, question, bound)
    finally:
        telling.memory.close()


def _ours(memory: Memory, question: Asked, bound: int) -> Iterator[Found]:
    """What a memory answers: with the tokens of the settings, and within ``bound``."""
    context = memory.recall(question.text)
    tokens = _undated(context.text)
    yield Found(question, UNBOUNDED, context.messages, tokens, context.tokens)
    # where Forms are told quotes may take a share of the budget only, by default the half
    most = (2 if context.forms else 1) * (bound + TOP * _STAMP)
    while tokens > bound:
        context = memory.recall(question.text, max_tokens=most)
        tokens = _undated(context.text)
        most -= max(1, tokens - bound)
    yield Found(question, OURS, context.messages, tokens, context.tokens)


def _undated(text: str) -> int:
    """The tokens of a context without the dates of its quotes."""
    return count(_DATE.sub(r"\1: ", text))


def _rows(name: str, found: Sequence[Found]) -> list[Row]:
    out = []
    for system in (OURS, UNBOUNDED, BM25, VECTOR, FUSION):
        some = [each for each in found if each.system == system]
        figures = {
            f"evidence_recall_at_{TOP}": [each.recalled for each in some],
            "mrr": [each.reciprocal for each in some],
            "tokens": [float(each.tokens) for each in some],
            "tokens_with_dates": [float(each.dated) for each in some],
        }
        for figure, values in figures.items():
            note = _NOTES.get(system, "") if figure == "tokens" else ""
            mean = sum(values) / len(values) if values else None
            out.append(Row(name, system, figure, mean, len(values), note))
    return out
