"""What a recall returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from forms_dynamics.model.form import Form

StepKind = Literal["anchor", "walk", "prune", "near_miss", "fallback", "cut", "trigger"]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a recall kept or left out. ``subject`` is a Form, edge or message id, of a trigger its name, or
    a word for what has none.

    ``weight`` of an edge that was walked is the product of the strengths on the way to it; ``base`` is an edge's
    weight before it faded, so that strength / base is its decay.
    """

    kind: StepKind
    subject: str
    reason: str
    weight: float | None = None
    hop: int = 0
    base: float | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """Why a recall returned what it did, in the order it happened; timings by stage in milliseconds.

    ``names``: what people call the Forms and messages that steps are about, by id; they are looked up when first
    asked for, and an id that is gone by then has none. ``lang``: the question's language, ``zh`` or ``en``.
    """

    steps: Sequence[Step] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    lang: str = "en"

    def tree(self, *, ids: bool = False, lang: str | None = None) -> str:
        """The trace as a tree of plain text for a person, in ``lang`` (the question's). ``ids``: beside the names."""
        from forms_dynamics.model.trace_tree import drawn, tree_of

        return drawn(tree_of(self, ids=ids, lang=lang or self.lang))

    def __str__(self) -> str:
        return self.tree()


@dataclass(frozen=True, slots=True)
class Context:
    """Text for a prompt and what stands behind it. ``tokens`` is o200k_base of ``text``; ``confidence`` in [0, 1].

    ``messages``: ids whose words are in ``text``, in the order in which they stand there: those that a search
    found are ranked, best first. ``current_to``: the last message taken before the first
    one that still waits.
    """

    text: str
    forms: Sequence[Form] = ()
    messages: Sequence[str] = ()
    tokens: int = 0
    confidence: float = 0.0
    questions: Sequence[str] = ()
    current_to: str | None = None
    trace: Trace = Trace()
