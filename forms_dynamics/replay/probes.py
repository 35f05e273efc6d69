"""Labelled questions put to a memory in the middle of a replay."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from forms_dynamics.errors import NotFound
from forms_dynamics.language.normal import normal
from forms_dynamics.memory import Memory
from forms_dynamics.model.context import Context, Step
from forms_dynamics.model.record import FormRecord
from forms_dynamics.ports import Embedder
from forms_dynamics.replay.labels import Probe
from forms_dynamics.replay.values import Asked
from forms_dynamics.retrieval.vectors import embed_all
from forms_dynamics.schema.spec import SlotSpec
from forms_dynamics.schema.wording import format_value

FAR = 2  # hops from which on a question is one of several
_LOOK = 3  # hops that are looked at for what a question needs
_FORMS = 400  # Forms that are looked at, all hops together


class ProbedMemory(Memory):
    """A memory that is asked without anybody noticing: a label is no access, and keeps no Form from growing
    cold. Vectors are made whenever one is missing, so that no question finds more because another came before.
    """

    def _accessed(self, shown: Sequence[FormRecord], now: int) -> None:
        pass

    def caught_up(self, context: Context) -> bool:
        """Makes the vectors that ``context`` was made without, as upkeep does; False where none was missing."""
        if self._embedder is None or not any(_lacks_vectors(step) for step in context.trace.steps):
            return False
        embed_all(self._store, self._scope, self._embedder, self._settings)
        return True


def ask(memory: ProbedMemory, probe: Probe, conversation: str) -> Asked:
    """The context for the question, against what it should hold and should not. It is asked in ``conversation``,
    unless the label names another."""
    options = {"conversation": conversation, **probe.options}
    began = time.perf_counter()
    context = memory.recall(probe.question, **options)
    if memory.caught_up(context):
        began = time.perf_counter()
        context = memory.recall(probe.question, **options)
    took = (time.perf_counter() - began) * 1000
    lines = [normal(line) for line in context.text.splitlines()]
    wanted = {part: _line_of(normal(part), lines) for part in probe.contains}
    found = [line for line in wanted.values() if line is not None]
    return Asked(
        question=probe.question,
        missing=tuple(part for part, line in wanted.items() if line is None),
        stale=tuple(part for part in probe.lacks if _line_of(normal(part), lines) is not None),
        rank=max(found) if found and len(found) == len(wanted) else None,
        hops=_distance(
            memory, context, [normal(part) for part in probe.contains], probe.options.get("max_hops", 0)
        ),
        tokens=context.tokens,
        confidence=context.confidence,
        steps=tuple((step.kind, step.subject, step.reason) for step in context.trace.steps),
        ms=took,
    )


def _lacks_vectors(step: Step) -> bool:
    return step.kind == "fallback" and step.reason.endswith("had no vectors yet")


def _line_of(part: str, lines: Sequence[str]) -> int | None:
    """The first line that holds the part, from 1; the whole text where a part runs over lines. A number is not held
    by a longer one: 50万 is not in 150万, nor 5 in 1.5 or 5,000."""
    holds = _holder(part)
    for number, line in enumerate(lines, 1):
        if holds(line):
            return number
    return len(lines) if holds(" ".join(lines)) else None


@lru_cache(maxsize=4096)
def _holder(part: str) -> Callable[[str], bool]:
    before = r"(?<!\d)(?<!\d[.,])" if part[:1].isdigit() else ""
    after = r"(?!\d)(?![.,]\d)" if part[-1:].isdigit() else ""
    if not before and not after:
        return lambda text: part in text
    whole = re.compile(f"{before}{re.escape(part)}{after}")
    return lambda text: part in text and whole.search(text) is not None


def _distance(memory: Memory, context: Context, parts: Sequence[str], otherwise: int) -> int:
    """How many edges lie between the anchors and the nearest Forms that hold what is needed, whatever the walk
    did; 0 where the anchors hold it. ``otherwise``: where no Form within three hops does, the hops that the label
    allows: a wrong or missing edge makes a question wrong, and no nearer.
    """
    layer = [step.subject for step in context.trace.steps if step.kind == "anchor"]
    left, seen = set(parts), set(layer)
    for hop in range(_LOOK + 1):
        for id in layer:
            said = _words(memory, id)
            left -= {part for part in left if _holder(part)(said)}
        if not left:
            return hop
        if hop < _LOOK:
            layer = [
                id for id in dict.fromkeys(_around(memory, layer)) if id not in seen and len(seen) < _FORMS
            ]
            seen.update(layer)
    return otherwise


def _around(memory: Memory, ids: Iterable[str]) -> Iterable[str]:
    for id in ids:
        for edge in memory.edges(id):
            if edge.relation not in ("supersedes", "derived_from"):
                yield edge.target if edge.source == id else edge.source


def _words(memory: Memory, id: str) -> str:
    """What a Form says now, as text to look for parts in."""
    try:
        form = memory.get(id)
    except NotFound:
        return ""
    declared = memory.catalog.types.get(form.type)
    return normal(
        "\n".join(
            text
            for name, slot in form.slots.items()
            if slot.value is not None
            for text in _shown(slot.value, declared.slots.get(name) if declared is not None else None)
        )
    )


def _shown(value: Any, spec: SlotSpec | None) -> Iterator[str]:
    """A value as contexts show it (8 t, 是, "yes") and bare, for questions and labels come in either language."""
    yield str(value)
    yield format_value(value, spec, "en")
    yield format_value(value, spec, "zh")


class RememberedEmbedder:
    """An embedder that embeds no text twice: a sweep asks about the same texts again and again."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.fingerprint = inner.fingerprint
        self.dimensions = inner.dimensions
        self.max_tokens = inner.max_tokens
        self._known: dict[tuple[bool, str], Sequence[float]] = {}

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return self._vectors(texts, False)

    def embed_query(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Vectors of questions, where the embedder tells them from texts."""
        return self._vectors(texts, hasattr(self._inner, "embed_query"))

    def _vectors(self, texts: Sequence[str], query: bool) -> Sequence[Sequence[float]]:
        new = [text for text in dict.fromkeys(texts) if (query, text) not in self._known]
        if new:
            make = self._inner.embed_query if query else self._inner.embed  # type: ignore[attr-defined]
            for text, vector in zip(new, make(new), strict=True):
                self._known[query, text] = vector
        return [self._known[query, text] for text in texts]


__all__ = ["FAR", "ProbedMemory", "RememberedEmbedder", "ask"]
