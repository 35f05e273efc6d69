"""What was read so far of a question's demands on one type: the readers write it, one after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from forms_dynamics.retrieval.lexicon import HINT
from forms_dynamics.retrieval.question import Question
from forms_dynamics.retrieval.restriction import Extreme, Says, Single
from forms_dynamics.schema.spec import FormType, SlotSpec

Span = tuple[int, int]


class Condition(NamedTuple):
    """Tests of which all must hold, said by the words at ``span``."""

    span: Span
    tests: tuple[Single, ...]


@dataclass(slots=True)
class Draft:
    """``spans``: words that are explained by what was read; ``unread``: something is demanded that no slot was found
    for."""

    question: Question
    form_type: FormType
    now: datetime
    conditions: list[Condition] = field(default_factory=list)
    maybe: list[Says] = field(default_factory=list)
    extreme: Extreme | None = None
    spans: list[Span] = field(default_factory=list)
    unread: bool = False

    @property
    def text(self) -> str:
        """The question in normal form, into which all spans point."""
        return self.question.text

    @property
    def tests(self) -> list[Single]:
        """All that is demanded so far."""
        return [test for condition in self.conditions for test in condition.tests]

    def add(self, span: Span, *tests: Single) -> None:
        """One condition more, said at ``span``."""
        self.conditions.append(Condition(span, tests))
        self.spans.append(span)

    def taken(self, span: Span) -> bool:
        """Whether a word there is explained already."""
        return any(a < span[1] and span[0] < b for a, b in self.spans)

    def named(self, kinds: frozenset[str]) -> list[tuple[Span, SlotSpec]]:
        """Slots of these kinds that the question names, in order."""
        out = []
        for word in self.question.declared:
            for meaning in word.meanings:
                if meaning.type == self.form_type.name and meaning.slot and meaning.level > HINT:
                    spec = self.form_type.slots[meaning.slot]
                    if spec.type in kinds:
                        out.append(((word.start, word.end), spec))
        return out


def nearest(named: Sequence[tuple[Span, SlotSpec]], span: Span) -> SlotSpec:
    """The slot named closest to what stands at ``span``; there is one at least."""
    return min(named, key=lambda each: max(each[0][0] - span[1], span[0] - each[0][1]))[1]


__all__ = ["Condition", "Draft", "Span", "nearest"]
