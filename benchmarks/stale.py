"""Whether a recall gives a value that no longer holds, above or beside the one that does.

Questions ask for what holds now, of things that a conversation stated otherwise before (``stale_pairs``). Figures:

stale_rate
    the share of questions for which a turn with the old value comes back, or any line or Form that gives the old
    value and not the new one
above_rate
    the share for which the old value stands above the current one, or comes back without it
current_rate
    the share for which the current value comes back

``ours`` is a memory with default settings and shipped types that observed the turns, in whose types these things
have no slot, so that the values stand in messages alone. ``ours, recorded`` has both values in a slot of the
declared type ``stated_fact``, recorded when their turns were said by a script that stands for a model; only
questions count whose values both stand in words and were both taken. Of ours the whole context counts, as it is
shown: a message from which the value is left out does not give it. Of ``bm25`` and ``vector`` the first ten turns
count.
"""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.baselines import Bm25, Vectors
from benchmarks.grounds import sets_there
from benchmarks.recall_sets import Ground
from benchmarks.rows import Row
from benchmarks.stale_pairs import SETS, Pair, read_pairs
from benchmarks.told import told
from forms_dynamics import Draft, Memory, Proposal, Slot, SlotDraft
from forms_dynamics.ports import Embedder

TOP = 10
OURS, RECORDED, BM25, VECTOR = "ours", "ours, recorded", "bm25", "vector"
FACT = "stated_fact"
_TYPE = Path(__file__).parent / "types" / f"{FACT}.yaml"


class Found(NamedTuple):
    """What one system gave for one pair, line by line, best first: (turn or None, text)."""

    pair: Pair
    system: str
    lines: Sequence[tuple[str | None, str]]

    @property
    def stale(self) -> list[int]:
        """Places of lines that give the old value and not the new one."""
        return [at for at in range(len(self.lines)) if self._tells(at, self.pair.old, self.pair.new)]

    @property
    def current(self) -> list[int]:
        return [at for at in range(len(self.lines)) if self._tells(at, self.pair.new, frozenset())]

    def _tells(self, at: int, side: frozenset[str], unless: frozenset[str]) -> bool:
        turn, text = self.lines[at]
        if turn in side and (turn in self.pair.said or not self.pair.recordable):
            return True
        if turn in unless or self._holds(text, unless):
            return False
        return self._holds(text, side)

    def _holds(self, text: str, side: frozenset[str]) -> bool:
        words = {self.pair.said[id] for id in side if id in self.pair.said}
        # a bare number of few digits is said of many things
        return any(_stands(w, text) for w in words if not re.fullmatch(r"\d{1,3}", w))


class _Script:
    """Gives the value that stands in a turn, as a model would that read it right."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._said: dict[str, list[tuple[str, str]]] = {}
        for pair in pairs:
            for id, words in pair.said.items():
                self._said.setdefault(id, []).append((pair.id, words))

    def extract(self, message: Any, known: Any = ()) -> Proposal:
        said = self._said.get(message.id, ())
        return Proposal([Draft(FACT, {"value": SlotDraft(w, evidence=w)}, external_id=id) for id, w in said])


def run(arguments: Namespace) -> list[Row]:
    """Rows of the sets that are in the folder; those that are not are told on stderr."""
    rows: list[Row] = []
    for name, grounds in sets_there("stale", arguments, SETS, read_pairs):
        found = [
            each
            for (ground, pairs), place in grounds
            for each in measured(ground, pairs, place.embedder, place.path)
        ]
        rows += rows_of(name, found)
    return rows


def measured(ground: Ground, pairs: Sequence[Pair], embedder: Embedder, folder: Path) -> Iterator[Found]:
    """What each system gives for each pair of a ground; ours keeps its memories in ``folder``."""
    folder.mkdir(parents=True)
    turns = ground.turns
    said = [turn.said for turn in turns]
    for system, index in ((BM25, Bm25(said)), (VECTOR, Vectors(said, embedder))):
        for pair in pairs:
            ranking = index.rank(pair.question)[:TOP]
            yield Found(pair, system, [(turns[at].id, turns[at].text) for at in ranking])
    texts = {turn.id: turn.text for turn in turns}
    recordable = [pair for pair in pairs if pair.recordable]
    how = {"extractor": _Script(recordable), "form_types": [_TYPE], "relation_rules": []}
    for system, wanted, more in ((OURS, pairs, {}), (RECORDED, recordable, how)):
        if wanted:
            memory = told(folder / f"{len(more)}.db", turns, embedder, **more)
            try:
                for pair in _recorded(memory, wanted) if more else wanted:
                    yield Found(pair, system, _lines(memory, pair, texts))
            finally:
                memory.close()


def _recorded(memory: Memory, pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs of which both values were taken, the current one last: the gate takes none from a question, say."""
    held = {id: form for form in memory.find(FACT, limit=len(pairs) + 1) for id in form.external_ids}
    return [
        pair
        for pair in pairs
        if pair.id in held
        and len(_values(memory, held[pair.id].id)) > 1
        and str(held[pair.id]["value"]) in {pair.said.get(id) for id in pair.new}
    ]


def _values(memory: Memory, form: str) -> set[str]:
    """All values that the Form has held."""
    return {str(each.value) for each in memory.history(form, slot="value") if isinstance(each, Slot)}


def _lines(memory: Memory, pair: Pair, texts: Mapping[str, str]) -> list[tuple[str | None, str]]:
    context = memory.recall(pair.question)
    told_of = [
        (None, str(form["value"]))
        for form in context.forms
        if form.type == FACT and pair.id in form.external_ids
    ]
    said = pair.said.values()
    silent = {words for words in said if not _stands(words, context.text)}
    shown = [id for id in context.messages if pair.said.get(id) not in silent]
    return [*told_of, *((id, _without(texts[id], silent)) for id in shown)]


def _without(text: str, silent: Set[str]) -> str:
    """A message without the words that its quote leaves out."""
    for words in silent:
        text = text.replace(words, "")
    return text


def _stands(words: str, text: str) -> bool:
    return re.search(rf"(?<![\w$]){re.escape(words)}(?!\w)", text) is not None


def rows_of(name: str, found: Sequence[Found]) -> list[Row]:
    rows = []
    for system in (OURS, RECORDED, BM25, VECTOR):
        some = [each for each in found if each.system == system]
        first = [(min(f.stale, default=None), min(f.current, default=None)) for f in some]
        figures = {
            "stale_rate": [old is not None for old, _ in first],
            "above_rate": [old is not None and (new is None or old < new) for old, new in first],
            "current_rate": [new is not None for _, new in first],
        }
        for figure, values in figures.items():
            rows.append(Row(name, system, figure, sum(values) / len(values) if values else None, len(values)))
    return rows
