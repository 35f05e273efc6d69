"""What a prompt costs in a service dialogue of 25 turns, and whether what was said first is still there.

At each turn the customer's message is stored, then the memory is asked with it; the prompt is the context that it
gives (with the last two exchanges verbatim), beside what an agent without it would send: the whole history, the last
ten turns, or the ten messages nearest to the question by the same embedder. Messages are read by the shipped
recognisers, orders and complaints come as a tool returns them; no model is asked. Tokens are o200k_base, the current
message included.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from benchmarks.embedding import KeptEmbedder
from benchmarks.rows import Row
from benchmarks.tokens_talk import Fact, Turn, dialogue
from forms_dynamics import Memory
from forms_dynamics.adapters.embedders import default_embedder
from forms_dynamics.language.tokens import count
from forms_dynamics.ports import Embedder
from forms_dynamics.testing import FixedClock

START = datetime(2026, 6, 12, 9, 0, tzinfo=timezone(timedelta(hours=8)))
DIALOGUES = 10  # of each language
RECENT = 4  # messages that ours quotes: two exchanges
NEAREST = 10
EARLY, LATE = 20, 25
TYPES = ["lead_profile", "quote_form", "contract_form", "order", "product", "complaint"]
OURS = "ours"
SYSTEMS = (
    OURS, "ours without turns", "ours with days", "whole history", "last 10 turns", "vector top 10"
)  # fmt: skip


@dataclass(slots=True)
class _Seen:
    """What each system's prompts held, turn by turn: their tokens, and at turns that need facts whether all were
    there, and whether a value that was displaced was."""

    tokens: dict[str, list[int]] = field(default_factory=dict)
    there: dict[tuple[str, int], bool] = field(default_factory=dict)
    stale: dict[tuple[str, int], bool] = field(default_factory=dict)

    def add(self, system: str, prompt: str, turn: int, needs: Sequence[Fact]) -> None:
        self.tokens.setdefault(system, []).append(count(prompt))
        if needs:
            self.there[system, turn] = all(any(_holds(prompt, s) for s in fact.now) for fact in needs)
            self.stale[system, turn] = any(_holds(prompt, s) for fact in needs for s in fact.old)


def _holds(text: str, spelling: str) -> bool:
    """Whether a spelling stands there, not as the end of a longer number."""
    at = text.find(spelling)
    while at >= 0:
        if not (spelling[0].isdigit() and at and (text[at - 1].isdigit() or text[at - 1] in ".,")):
            return True
        at = text.find(spelling, at + 1)
    return False


def run(arguments: argparse.Namespace) -> list[Row]:
    embedder = default_embedder()
    if embedder is not None and arguments.keep is not None:
        embedder = KeptEmbedder(embedder, Path(arguments.keep))
    rows: list[Row] = []
    for lang in ("zh", "en"):
        seen = [play(lang, arguments.seed * 1000 + i, embedder) for i in range(DIALOGUES)]
        for system in SYSTEMS:
            if system in seen[0].tokens:
                rows += _rows(lang, system, seen)
    return rows


def play(lang: str, seed: int, embedder: Embedder | None) -> _Seen:
    """One dialogue through every system."""
    turns, seen = dialogue(lang, seed), _Seen()
    clock = FixedClock(START)
    said: list[str] = []
    vectors: list[Any] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(f"{folder}/m.db", form_types=TYPES, clock=clock, embedder=embedder) as memory,
        Memory.open(
            f"{folder}/m.db",
            form_types=TYPES,
            clock=clock,
            embedder=embedder,
            settings={"provenance": "always"},
        ) as with_days,
    ):
        for number, turn in enumerate(turns, 1):
            question = f"user: {turn.said}"
            memory.observe(turn.said, speaker="user", conversation="c", time=clock.now())
            whole = memory.recall(turn.said, conversation="c", recent_turns=RECENT)
            seen.add(OURS, whole.text, number, turn.needs)
            facts = memory.recall(turn.said, conversation="c")
            seen.add("ours without turns", f"{facts.text}\n{question}", number, turn.needs)
            dated = with_days.recall(turn.said, conversation="c", recent_turns=RECENT)
            seen.add("ours with days", dated.text, number, turn.needs)
            seen.add("whole history", "\n".join([*said, question]), number, turn.needs)
            seen.add("last 10 turns", "\n".join([*said[-20:], question]), number, turn.needs)
            if embedder is not None:
                near = _nearest(embedder, said, vectors, turn.said)
                seen.add("vector top 10", "\n".join([*near, question]), number, turn.needs)
            said += [question, f"assistant: {turn.answer}"]
            _return(memory, turn, clock)
            clock.advance(seconds=120)
    return seen


def _return(memory: Memory, turn: Turn, clock: FixedClock) -> None:
    """What tools returned in this turn, and the assistant's answer."""
    for form_type, slots in turn.records:
        memory.record(form_type, slots, source="tool", conversation="c", time=clock.now())
    memory.observe(turn.answer, speaker="assistant", role="assistant", conversation="c", time=clock.now())


def _nearest(embedder: Embedder, said: Sequence[str], vectors: list[Any], question: str) -> list[str]:
    import numpy

    if len(vectors) < len(said):
        vectors += [numpy.asarray(v, dtype="float32") for v in embedder.embed(list(said[len(vectors) :]))]
    if not said:
        return []
    ask = getattr(embedder, "embed_query", embedder.embed)
    query = numpy.asarray(ask([question])[0], dtype="float32")
    matrix = numpy.stack(vectors)
    scores = matrix @ query / (numpy.linalg.norm(matrix, axis=1) * numpy.linalg.norm(query) + 1e-9)
    best = sorted(numpy.argsort(-scores)[:NEAREST])
    return [said[i] for i in best]


def _rows(lang: str, system: str, seen: Sequence[_Seen]) -> list[Row]:
    n = len(seen)

    def mean(values: Sequence[float]) -> float:
        return statistics.fmean(values)

    at = {turn: [s.tokens[system][turn - 1] for s in seen] for turn in (EARLY, LATE)}
    saving = [1 - s.tokens[system][EARLY - 1] / s.tokens["whole history"][EARLY - 1] for s in seen]
    right = {
        turn: [float(s.there[system, turn] and not s.stale[system, turn]) for s in seen]
        for turn in (EARLY, LATE)
    }
    return [
        Row(lang, system, "saving_at_20", mean(saving), n),
        Row(lang, system, "fact_at_25", mean(right[LATE]), n),
        Row(lang, system, "fact_at_20", mean(right[EARLY]), n),
        Row(lang, system, "present_at_25", mean([float(s.there[system, LATE]) for s in seen]), n),
        Row(lang, system, "superseded_at_25", mean([float(s.stale[system, LATE]) for s in seen]), n),
        Row(lang, system, "tokens_at_20", mean(at[EARLY]), n),
        Row(lang, system, "tokens_at_25", mean(at[LATE]), n),
        Row(lang, system, "tokens_a_turn", mean([t for s in seen for t in s.tokens[system]]), n * LATE),
    ]


__all__ = ["play", "run"]
