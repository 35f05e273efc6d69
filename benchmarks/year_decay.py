"""Recall with decay against recall without it: the same questions to the same store, read with parts of its life off.

Life is a function of the clock at each read, so one store serves all readings; it is opened read only.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.rows import Row
from benchmarks.year_asking import GROUPS, Answer, ask, share
from benchmarks.year_store import ALL, COLD, EDGES, END, FADING, opened, without
from benchmarks.year_talk import Fact
from forms_dynamics.testing import FixedClock

LINKED = "linked"
VARIANTS: tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...] = (
    ("ours", (), {}),
    ("no fading", (FADING,), {}),
    ("no edge decay", (EDGES,), {}),
    ("no cold", (COLD,), {}),
    ("no decay", ALL, {}),
    ("include_cold", (), {"include_cold": True}),
)


def linked(facts: Sequence[Fact]) -> list[Fact]:
    """Questions over an edge: from a quote's number to the budget of the lead that it is for."""
    budgets = {(f.user, f.name): f for f in facts if f.kind == "budget"}
    out = []
    for quote in facts:
        budget = budgets.get((quote.user, quote.about))
        if (
            quote.kind == "quote"
            and budget is not None
            and all(value is not None for *_, value in quote.told)
        ):
            asked = ("报价单{}对应客户的预算是多少？", "What is the budget of the customer behind quote {}?")
            question = asked[0 if quote.zh else 1].format(quote.name)
            out.append(replace(budget, group=LINKED, often=False, question=question))
    return out


def decay(file: Path, facts: Sequence[Fact], folder: Path, rounds: int = 1) -> list[Row]:
    """Rows for each variant and group of questions at the end of the year."""
    rows: list[Row] = []
    for name, parts, options in VARIANTS:
        how = without(folder / name.replace(" ", "_"), parts)
        with opened(file, FixedClock(END), how, read_only=True) as memory:
            answers = ask(memory, facts, END, **options)
        for group in ("all", *GROUPS, LINKED):
            some = [a for a in answers if group in ("all", a.group)]
            if some:
                rows.extend(_rows(f"decay: {group}", name, some))
    return rows


def _rows(where: str, system: str, answers: Sequence[Answer]) -> list[Row]:
    wanted = [a for a in answers if a.expected]
    asked = [a for a in answers if a.asked]
    n = len(answers)
    rows = [Row(where, system, "stale_rate", share(sum(a.stale for a in answers), n), n)]
    if wanted:
        m = len(wanted)
        rows += [
            Row(where, system, "current_rate", share(sum(a.current for a in wanted), m), m),
            Row(where, system, "current_first", share(sum(a.first for a in wanted), m), m),
            Row(where, system, "wrongly_missing", share(sum(not a.current for a in wanted), m), m),
        ]
    rows += [
        Row(where, system, "tokens", round(sum(a.tokens for a in answers) / n, 1), n),
        Row(where, system, "questions_needless", share(sum(not a.outdated for a in asked), n), n),
        Row(where, system, "questions_due", share(sum(a.outdated for a in asked), n), n),
    ]
    return rows


def sample(facts: Sequence[Fact], most: int, seed: int = 7) -> list[Fact]:
    """As many of each group as there are, ``most`` at most."""
    rng = random.Random(seed)
    out: list[Fact] = []
    for group in (*GROUPS, LINKED):
        some = [f for f in facts if f.group == group]
        out += rng.sample(some, min(most, len(some)))
    return out


__all__ = ["decay", "linked", "sample"]
