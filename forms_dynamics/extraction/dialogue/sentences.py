"""The sentences and clauses of an answer, and which of them answers which question."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from forms_dynamics.extraction.dialogue.asked import Asked
from forms_dynamics.extraction.dialogue.concepts import terms
from forms_dynamics.extraction.dialogue.polarity import asks_back
from forms_dynamics.extraction.dialogue.question import proposed

Span = tuple[int, int]

_UNIT = re.compile(r"[^.?!;\n。？！；]*(?:[.](?=\w)[^.?!;\n。？！；]*)*[.?!;\n。？！；]*")
_ABBREVIATED = re.compile(r"\b(?:dr|mr|mrs|ms|st|ave|no|approx)\.\s*$", re.I)
_CLAUSE = re.compile(
    r",? and (?=(?:i|we|my|our|the|it|there|he|she|they|no|you|please)\b)|(?<!\bno)(?<!\byes), (?=(?:i|we|my|our|it|there|and)\b)|[,，](?=\s?(?:我|时间|地点|预算|价格|人数))",
    re.I,
)


class Sentences:
    """The sentences of a turn that do not ask themselves, beside the questions of the turn before."""

    def __init__(self, text: str, asked: Sequence[Asked]) -> None:
        self._text, self._asked = text, asked
        self.units = [
            u for u in sentences_of(text) if proposed(said := text[slice(*u)]) or not asks_back(said)
        ]

    def answering(self, one: Asked) -> Span | None:
        """The sentence that answers the question."""
        units = self.units
        if len(units) == 1:
            if one.of == 1 and len(self._asked) == 1:
                return units[0]
            return self._clause(one, units[0])
        if one.of == 1 and len(self._asked) == 1:
            telling = [u for u in units if terms(self._text[slice(*u)])] or units
            echoing = [len(self._echo(one, u)) for u in telling]
            most = max(echoing)
            return telling[echoing.index(most)] if echoing.count(most) == 1 else telling[0]
        echoes = sorted(((len(self._echo(one, u)), u) for u in units), key=lambda e: -e[0])
        if echoes[0][0] > echoes[1][0]:
            return echoes[0][1]
        return self._by_order(one, units)

    def _by_order(self, one: Asked, units: Sequence[Span]) -> Span | None:
        if len(units) == one.of and all(a.alone for a in self._asked):
            return units[one.place]
        return (
            units[self._asked.index(one)] if len(units) == len(self._asked) and one.of <= len(units) else None
        )

    def _clause(self, one: Asked, unit: Span) -> Span | None:
        """The clause of one sentence that answers one of several questions."""
        cuts = [unit[0], *(m.start() for m in _CLAUSE.finditer(self._text, *unit)), unit[1]]
        clauses = [_begun(self._text, *c) for c in pairwise(cuts)]
        if len(clauses) == 1:
            others = [self._echo(a, unit) for a in self._asked if a is not one]
            own = self._echo(one, unit)
            if proposed(self._text[slice(*unit)]):
                return unit if own and not any(others) else None
            if one.of == 1 and one is self._asked[0] and len(own) >= max(map(len, others), default=0):
                return unit  # one question, whose words speak for this slot first
            return unit if own and not any(others) else None
        echoes = sorted(((len(self._echo(one, c)), c) for c in clauses), key=lambda e: -e[0])
        if echoes[0][0] > echoes[1][0]:
            return echoes[0][1]
        return self._by_order(one, clauses)

    def _echo(self, one: Asked, unit: Span) -> frozenset[str]:
        said = terms(self._text[slice(*unit)])
        return said & (one.shared | terms(" ".join(one.slots[0].names)))


def _begun(text: str, start: int, end: int) -> Span:
    """A clause without the comma and conjunction before it."""
    found = re.compile(r"[\s,，]*(?:and\s+)?", re.I).match(text, start, end)
    return (found.end() if found else start), end


def sentences_of(text: str) -> list[Span]:
    """The sentences of a turn."""
    out: list[Span] = []
    for m in _UNIT.finditer(text):
        if not re.search(r"\w", m[0]):
            continue
        start = m.start() + len(m[0]) - len(m[0].lstrip())
        if out and _ABBREVIATED.search(text, out[-1][0], out[-1][1]):
            out[-1] = (out[-1][0], m.end())
        else:
            out.append((start, m.end()))
    return out


__all__ = ["Sentences", "Span", "sentences_of"]
