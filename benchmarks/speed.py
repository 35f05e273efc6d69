"""How fast and how large: ours beside plain vector search with the same embedder and the bare SQL floor.

Each size runs in a process of its own. Model time is excluded: messages come with what an ideal extractor
read in them. ``vector`` keeps one vector a fact (hashed character n-grams, as our own fallback uses without
the extra) and returns the ten nearest; ``raw`` reads the same row by its key with the same driver.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks import long_messages
from benchmarks.customers import (
    FORM_TYPES,
    Customer,
    Said,
    budget_question,
    customers,
    said,
    terms_question,
)
from benchmarks.rows import Row

ASKED = 400  # customers asked about
CHUNK = 100
_clock: Callable[[], float] = time.perf_counter
GROW = 100_000  # stores of more Forms are grown from one of so many
EMBEDDED = 300_000  # texts of which vectors are made
HUB_EDGES = 10_000


def run(arguments: argparse.Namespace) -> list[Row]:
    """Rows of all sizes."""
    rows: list[Row] = []
    for size in (int(s) for s in arguments.sizes.split(",")):
        command = [sys.executable, "-m", "benchmarks.speed", str(size), str(arguments.grow)]
        command += [str(arguments.keep or ""), "cpu" if arguments.cpu else ""]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.stderr)
        rows.extend(Row(*row) for row in json.loads(done.stdout.splitlines()[-1]))
    with tempfile.TemporaryDirectory() as folder:
        rows.extend(long_messages.measure(Path(folder)))
    return rows


class Extracted:
    """Gives each message's drafts by its id; holds those of the messages at hand."""

    def __init__(self) -> None:
        self.drafts: dict[str, Any] = {}

    def extract(self, message: Any, known: Any = ()) -> Any:
        from forms_dynamics import Proposal

        return Proposal(self.drafts.get(message.id, ()))


def measure(forms: int, keep: Path | None = None, grow: int = GROW) -> list[Row]:
    """All figures of one size (number of Forms)."""
    from forms_dynamics import Memory
    from forms_dynamics.language.tokens import count as count_tokens

    rows: list[Row] = []

    def row(system: str, figure: str, value: float | None, n: int, note: str = "") -> None:
        rows.append(Row(f"{forms}", system, figure, None if value is None else round(value, 4), n, note))

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        office, stored, loaded = _stored(forms, keep or folder, min(grow, forms))
        if loaded is not None:
            facts = sum(m.facts for m in said(office))
            row("ours", "ingest_facts_per_s", facts / loaded[0], facts)
            row("ours", "ingest_growth", loaded[1], message_count(office))
        row("ours", "disk_kb_per_customer", stored.stat().st_size / 1024 / len(office), len(office))
        file = folder / "measured.db"
        shutil.copyfile(stored, file)
        count_tokens("load the tokenizer")
        types, extractor = _types(folder), Extracted()
        given = {"form_types": [types], "relation_rules": [types], "extractor": extractor}
        gc.collect()
        before = _rss()
        memory = Memory.open(file, embedder=_NoEmbedder(), **given)
        memory.recall("warm")
        # an odd step: every other customer is Chinese
        asked = office[:: max(1, len(office) // ASKED) | 1][:ASKED]
        times, right, stale, tokens = _ask(memory, asked, budget_question, lambda c: f"{c.current:,}")
        row("ours", "anchored_p50_ms", _p(times, 50), len(times))
        row("ours", "anchored_p95_ms", _p(times, 95), len(times))
        row("ours", "right", right, len(times))
        row("ours", "stale", stale, len(times))
        row("ours", "context_tokens", tokens, len(times))
        hops, right, _, tokens = _ask(memory, asked, terms_question, lambda c: c.terms)
        row("ours", "two_hop_p50_ms", _p(hops, 50), len(hops))
        row("ours", "two_hop_right", right, len(hops))
        row("ours", "two_hop_tokens", tokens, len(hops))
        row("ours", "rss_mb", (_rss() - before) / 1e6, 1)
        hub, leaf, edges = _hub(memory, asked)
        row("ours", "hub_p50_ms", hub, 100, f"{edges:,} edges")
        row("ours", "leaf_p50_ms", leaf, 100)
        row("ours", "durable_update_ms", _updates(memory, office, extractor), 100)
        memory.close()
        texts = message_count(office) + forms
        loose = [_loose(c) for c in asked[:60]]
        with Memory.open(file, embedder=None, **given) as memory:
            # by words: the extra's model is not asked, whether it is installed or not
            memory._embedder = None
            spent = _p(_recalls(memory, loose), 50)
            row("ours", "fallback_p50_ms", spent, len(loose), f"{texts:,} texts")
            row("ours", "fallback_ms_per_100k", spent * 100_000 / texts, len(loose))
        if texts <= EMBEDDED:
            with Memory.open(file, embedder=_Instant(), **given) as memory:
                _give_vectors(memory)
                spent = _p(_recalls(memory, loose), 50)
                row("ours", "fallback_vectors_p50_ms", spent, len(loose), f"{texts:,} texts")
                row("ours", "fallback_vectors_ms_per_100k", spent * 100_000 / texts, len(loose))
        for figure, value in _raw(file, asked):
            row("raw", figure, value, len(asked))
        if texts <= EMBEDDED:
            for figure, value in _vector(list(said(office)), asked):
                row("vector", figure, value, len(asked))
    return rows


def _types(folder: Path) -> Path:
    types = folder / "types.yaml"
    types.write_text(FORM_TYPES, encoding="utf-8")
    return types


def _stored(
    forms: int, folder: Path, base: int
) -> tuple[Sequence[Customer], Path, tuple[float, float] | None]:
    """An office, its store, and what loading it cost (None: it was kept, or grown)."""
    from benchmarks.grown import grow, grown_office
    from forms_dynamics import Memory

    folder.mkdir(parents=True, exist_ok=True)
    office = customers(base // 2)
    small = folder / f"loaded-{base}.db"
    spent = None
    if not small.exists():
        part, types, extractor = small.with_suffix(".part"), _types(folder), Extracted()
        part.unlink(missing_ok=True)
        with Memory.open(
            part, form_types=[types], relation_rules=[types], extractor=extractor, embedder=_NoEmbedder()
        ) as memory:
            spent = _ingest(memory, office, extractor)
        _checkpoint(part)
        part.rename(small)
    if base == forms:
        return office, small, spent
    every = grown_office(office, forms // base)
    large = folder / f"grown-{base}-{forms}.db"
    if not large.exists():
        part = large.with_suffix(".part")
        grow(small, part, office, every)
        part.rename(large)
    return every, large, None


def _recalls(memory: Any, questions: Sequence[str]) -> list[float]:
    for question in questions[:3]:
        memory.recall(question)
    return [_timed(lambda q=q: memory.recall(q)) for q in questions]


def _hub(memory: Any, asked: Sequence[Customer]) -> tuple[float, float, int]:
    """The same recall from a Form with very many edges and from one with a single edge (medians, ms)."""
    from forms_dynamics.model.record import ChangeSet

    store, scope = memory._store, memory._scope
    (hub,) = memory.find("lead", lead_no=asked[0].lead_no)
    (leaf,) = memory.find("lead", lead_no=asked[1].lead_no)
    (edge,) = store.edges(scope, [leaf.id])
    after, made = None, 0
    while made < HUB_EDGES and (page := store.find(scope, "quote", "active", 1000, after)):
        edges = [edge._replace(source=quote.id, target=hub.id, weight=0.8) for quote in page]
        with store.writing(scope):
            store.apply(scope, ChangeSet(edges=edges))
        after, made = page[-1].id, made + len(page)
    spent = [
        _p([_timed(lambda f=form: memory.recall(focus=f.id)) for _ in range(100)], 50) for form in (hub, leaf)
    ]
    return spent[0], spent[1], made


def _give_vectors(memory: Any) -> None:
    """A vector for every document, as an embedder would leave them, at no cost."""
    import numpy

    from forms_dynamics.model.record import VectorRow

    store, scope, size = memory._store, memory._scope, _Instant.dimensions
    drawn = numpy.random.default_rng(7)
    while waiting := store.unembedded(scope, _Instant.fingerprint, 5000):
        made = drawn.standard_normal((len(waiting), size), dtype="float32")
        rows = [VectorRow(kind, id, 0, v.tobytes()) for (kind, id, _), v in zip(waiting, made, strict=True)]
        store.put_vectors(scope, _Instant.fingerprint, size, rows)


def _ingest(memory: Any, office: Sequence[Customer], extractor: Extracted) -> tuple[float, float]:
    """Seconds for all, and the last hundred messages' time against the first hundred's (medians of single
    chunks of a hundred at either end, the very first left out: it pays for caches)."""
    spent: list[float] = []
    total = message_count(office)
    messages = said(office)
    for start in range(0, total, CHUNK):
        some = list(islice(messages, CHUNK))
        extractor.drafts = {m.id: m.drafts for m in some}
        chunk = [_raw_message(start + i, m, total) for i, m in enumerate(some)]
        began = _clock()
        memory.observe_many(chunk)
        spent.append(_clock() - began)
    full = spent[1:-1] if len(spent) > 3 else spent
    edge = max(1, min(5, len(full) // 2))
    return sum(spent), statistics.median(full[-edge:]) / statistics.median(full[:edge])


def message_count(office: Sequence[Customer]) -> int:
    """How many messages :func:`benchmarks.customers.said` makes of an office."""
    return 2 * len(office) + sum(c.changed is not None for c in office)


def _raw_message(i: int, message: Said, total: int) -> dict[str, str]:
    """The ``i``-th message of the load as a log's line has it."""
    return {
        "id": message.id,
        "text": message.text,
        "speaker": "rep",
        "conversation": f"c{i // 50}",
        "time": f"2026-{1 + 9 * i // total:02d}-10T10:00:00+08:00",
    }


def _ask(
    memory: Any,
    asked: Sequence[Customer],
    question: Callable[[Customer], str],
    answer: Callable[[Customer], str],
) -> tuple[list[float], float, float, float]:
    for customer in asked[:20]:
        memory.recall(question(customer))
    times: list[float] = []
    right = stale = tokens = 0
    for customer in asked:
        text = question(customer)
        began = _clock()
        context = memory.recall(text)
        times.append((_clock() - began) * 1e3)
        right += answer(customer) in context.text
        stale += customer.changed is not None and f"{customer.budget:,}" in context.text
        tokens += context.tokens
    return times, right / len(asked), stale / len(asked), tokens / len(asked)


def _loose(c: Customer) -> str:
    """A question that names no customer: only words of the messages lead to it."""
    return (
        f"谁想{c.terms}而且做{c.industry}？" if c.zh else f"Who wanted {c.terms} and works in {c.industry}?"
    )


def _updates(memory: Any, office: Sequence[Customer], extractor: Extracted) -> float:
    """One durable change a call, in milliseconds (median)."""
    from forms_dynamics import Draft, SlotDraft

    times: list[float] = []
    for i, customer in enumerate(office[:: max(1, len(office) // 100)][:100]):
        budget = customer.money(50_000_000 + i)
        text = f"{customer.lead_no}: {budget}"
        slots = {
            "lead_no": SlotDraft(customer.lead_no, 0.95, customer.lead_no),
            "budget": SlotDraft(budget, 0.95, budget),
        }
        extractor.drafts[f"u{i}"] = (Draft("lead", slots),)
        times.append(
            _timed(lambda t=text, i=i: memory.observe(t, id=f"u{i}", time="2026-11-01T10:00:00+08:00"))
        )
    return statistics.median(times)


def _raw(file: Path, asked: Sequence[Customer]) -> list[tuple[str, float]]:
    """The floor: a name's row, its Form's row and its first version's, by their keys; nothing else is done."""
    connection = sqlite3.connect(file)
    sql = (
        "SELECT f.head, v.payload FROM keys k JOIN forms f ON f.tenant = k.tenant AND f.no = k.form "
        "JOIN versions v ON v.tenant = k.tenant AND v.owner = k.owner AND v.form = k.form AND v.n = 1 "
        "WHERE k.tenant = 1 AND k.owner = 0 AND k.name = ?"
    )
    found = [connection.execute(sql, (c.company.casefold(),)).fetchall() for c in asked]
    assert all(found), "the floor must find what it times"
    times = [_timed(lambda c=c: connection.execute(sql, (c.company.casefold(),)).fetchall()) for c in asked]
    connection.close()
    return [("anchored_p50_ms", _p(times, 50)), ("anchored_p95_ms", _p(times, 95))]


def _vector(messages: Sequence[Said], asked: Sequence[Customer]) -> list[tuple[str, float]]:
    """One vector a message, cosine, the ten nearest."""
    import numpy

    from forms_dynamics.adapters.embedders import HashedNgrams
    from forms_dynamics.language.tokens import count as count_tokens

    embedder = HashedNgrams()
    began = _clock()
    matrix = numpy.array([embedder.embed([m.text])[0] for m in messages], dtype="float32")
    matrix /= numpy.linalg.norm(matrix, axis=1, keepdims=True) + 1e-9
    spent = _clock() - began
    times: list[float] = []
    right = stale = tokens = 0
    for customer in asked:
        began = _clock()
        query = numpy.array(embedder.embed([budget_question(customer)])[0], dtype="float32")
        scores = matrix @ (query / (numpy.linalg.norm(query) + 1e-9))
        best = numpy.argpartition(scores, -10)[-10:]
        text = "\n".join(messages[i].text for i in best[numpy.argsort(-scores[best])])
        times.append((_clock() - began) * 1e3)
        right += f"{customer.current:,}" in text
        stale += customer.changed is not None and f"{customer.budget:,}" in text
        tokens += count_tokens(text)
    n = len(asked)
    return [
        ("ingest_facts_per_s", sum(m.facts for m in messages) / spent), ("anchored_p50_ms", _p(times, 50)),
        ("anchored_p95_ms", _p(times, 95)), ("right", right / n), ("stale", stale / n),
        ("context_tokens", tokens / n),
    ]  # fmt: skip


class _NoEmbedder:
    """Fails when used: an anchored recall and an ingest compute no embedding."""

    fingerprint, dimensions, max_tokens = "none", 1, 512

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [[1.0] for _ in texts]


class _Instant:
    """Gives any question the same vector at once: what is measured is all but the question's embedding."""

    fingerprint, dimensions, max_tokens = "instant", 384, 512

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [[1.0] + [0.5] * (self.dimensions - 1) for _ in texts]


def _timed(call: Callable[[], Any]) -> float:
    began = _clock()
    call()
    return (_clock() - began) * 1e3


def _p(times: Sequence[float], percent: int) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def _rss() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if Path("/proc/self/statm").exists() else 0
    return (
        pages * os.sysconf("SC_PAGE_SIZE")
        if pages
        else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    )


def _checkpoint(file: Path) -> None:
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


if __name__ == "__main__":
    size, base, kept, clock = sys.argv[1:5]
    if clock == "cpu":
        _clock = time.process_time
    result = measure(int(size), Path(kept) if kept else None, int(base))
    print(json.dumps([[r.set, r.system, r.figure, r.value, r.n, r.note] for r in result], ensure_ascii=False))
