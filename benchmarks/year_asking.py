"""Questions of the made-up year, put to a memory and to plain search over messages, and what answers are worth."""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from benchmarks.rows import Row
from benchmarks.year_talk import Fact, Gold, User
from forms_dynamics import Memory
from forms_dynamics.language.terms import index_terms, query_terms
from forms_dynamics.language.tokens import count as count_tokens

UNSURE = ("[待确认]", "[unconfirmed]")
GROUPS = ("stable", "volatile", "business", "plan", "once", "gone")
_TOP = 10  # messages that plain search shows


@dataclass(frozen=True, slots=True)
class Answer:
    """``expected``: something was to be said. ``current``: it stands in the text. ``sure``: on a line that does not
    call it unconfirmed. ``first``: before everything stale. ``stale``: something that no longer holds stands there.
    ``asked``: a question to the user comes along; ``outdated``: what was told last is no longer so in the world."""

    group: str
    expected: bool
    current: bool
    sure: bool
    first: bool
    stale: bool
    asked: bool
    outdated: bool
    tokens: int
    ms: float
    unsaid_days: int
    fact: Fact


def stands(value: str, text: str) -> int:
    """Where the value stands in the text, not as a part of a longer number; -1: nowhere."""
    if not value[0].isdigit():
        return text.find(value)
    found = re.search(rf"(?<![\d,-]){re.escape(value)}(?![\d,-])", text)
    return -1 if found is None else found.start()


def judged(fact: Fact, gold: Gold, at: datetime, text: str, asked: bool, tokens: int, ms: float) -> Answer:
    """What the text is worth by the gold."""
    place = -1 if gold.value is None else stands(gold.value, text)
    old = [p for value in gold.stale if (p := stands(value, text)) >= 0]
    line = text[text.rfind("\n", 0, place) + 1 :] if place >= 0 else ""
    return Answer(
        fact.group, gold.value is not None, place >= 0, place >= 0 and not line.startswith(UNSURE),
        place >= 0 and (not old or place < min(old)), bool(old), asked,
        gold.truth != gold.value and fact.group != "gone", tokens, ms,
        0 if gold.confirmed is None else (at - gold.confirmed).days, fact,
    )  # fmt: skip


def ask(memory: Memory, facts: Iterable[Fact], at: datetime, **options: Any) -> list[Answer]:
    """Each fact's question, put to its user's memory, as of which something had been told."""
    out: list[Answer] = []
    scoped: dict[str, Memory] = {}
    for fact in facts:
        if fact.first > at:
            continue
        if fact.user not in scoped:
            scoped[fact.user] = memory.scoped(user=fact.user)
        began = time.perf_counter()
        context = scoped[fact.user].recall(fact.question, **options)
        ms = (time.perf_counter() - began) * 1e3
        out.append(judged(fact, fact.gold(at), at, context.text, bool(context.questions), context.tokens, ms))
    return out


def share(part: int, whole: int) -> float | None:
    """Rounded; None of nothing."""
    return round(part / whole, 4) if whole else None


def rows_of(name: str, system: str, answers: Sequence[Answer], note: str = "") -> list[Row]:
    """stale_rate over all answers, current_rate over those where something was to be said."""
    wanted = [a for a in answers if a.expected]
    stale = sum(a.stale for a in answers)
    by_group = Counter(a.group for a in answers if a.stale)
    if by_group:
        note = "; ".join(filter(None, [note, "stale: " + ", ".join(f"{g} {n}" for g, n in by_group.items())]))
    tokens = round(sum(a.tokens for a in answers) / max(1, len(answers)), 1)
    return [
        Row(name, system, "stale_rate", share(stale, len(answers)), len(answers), note),
        Row(name, system, "current_rate", share(sum(a.current for a in wanted), len(wanted)), len(wanted)),
        Row(name, system, "context_tokens", tokens, len(answers)),
    ]  # fmt: skip


# -- plain search over messages ------------------------------------------------------------------------------
def search(users: Sequence[User], facts: Sequence[Fact], at: datetime, ranker: str) -> list[Answer]:
    """The ten best messages of the user by BM25 or by vectors of hashed n-grams, best first."""
    by_user: dict[str, list[Fact]] = {}
    for fact in facts:
        if fact.first <= at:
            by_user.setdefault(fact.user, []).append(fact)
    out: list[Answer] = []
    for user in users:
        if user.id not in by_user:
            continue
        texts = [m.text for m in user.messages if m.arrives <= at]
        best = _bm25(texts) if ranker == "bm25" else _vectors(texts)
        for fact in by_user[user.id]:
            began = time.perf_counter()
            text = "\n".join(texts[i] for i in best(fact.question))
            ms = (time.perf_counter() - began) * 1e3
            out.append(judged(fact, fact.gold(at), at, text, False, count_tokens(text), ms))
    return out


Best = Callable[[str], list[int]]


def _bm25(texts: Sequence[str], k: float = 1.2, b: float = 0.75) -> Best:
    """Robertson and Zaragoza's formula (2009), over the same terms as our full text."""
    held = [Counter(index_terms(text)) for text in texts]
    lengths = [sum(terms.values()) for terms in held]
    mean = sum(lengths) / max(1, len(lengths)) or 1.0
    having = Counter(term for terms in held for term in terms)

    def score(i: int, terms: Sequence[str]) -> float:
        total = 0.0
        for term in terms:
            n = held[i].get(term, 0)
            if n:
                idf = math.log(1 + (len(held) - having[term] + 0.5) / (having[term] + 0.5))
                total += idf * n * (k + 1) / (n + k * (1 - b + b * lengths[i] / mean))
        return total

    def best(question: str) -> list[int]:
        terms = list(dict.fromkeys(query_terms(question)))
        scores = [(score(i, terms), i) for i in range(len(held))]
        return [i for found, i in sorted(scores, reverse=True)[:_TOP] if found > 0]

    return best


def _vectors(texts: Sequence[str]) -> Best:
    import numpy

    from forms_dynamics.adapters.embedders import HashedNgrams

    embedder = HashedNgrams()
    matrix = numpy.array(embedder.embed(list(texts)), dtype="float32")
    matrix /= numpy.linalg.norm(matrix, axis=1, keepdims=True) + 1e-9

    def best(question: str) -> list[int]:
        query = numpy.array(embedder.embed([question])[0], dtype="float32")
        return [int(i) for i in numpy.argsort(-(matrix @ query))[:_TOP]]

    return best


__all__ = ["GROUPS", "Answer", "ask", "rows_of", "search", "share", "stands"]
