"""The sentences and clauses of an answer, and which of them answers which question."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from forms_dynamics.extraction.dialogue.asked import Asked
from forms_dynamics.extraction.dialogue.concepts import spaced, terms
from forms_dynamics.extraction.dialogue.expected import kind_of_answer
from forms_dynamics.extraction.dialogue.polarity import asks_back
from forms_dynamics.extraction.dialogue.question import ANY_OTHER, proposed

Span = tuple[int, int]

_UNIT = re.compile(r"[^.?!;\n。？！；]*(?:[.](?=\w)[^.?!;\n。？！；]*)*[.?!;\n。？！；]*")
_ABBREVIATED = re.compile(r"\b(?:dr|mr|mrs|ms|st|ave|no|approx)\.\s*$", re.I)
_CLAUSE = re.compile(
    r",? and (?=(?:i|we|my|our|the|it|there|he|she|they|no|you|please)\b)|(?<!\bno)(?<!\byes), (?=(?:i|we|my|our|it|there|and)\b)|[,，](?=\s?(?:我|时间|地点|预算|价格|人数))",
    re.I,
)


# where somebody is written to is no place
_MAILED = re.compile(
    r"\b(?:(?:e-?mail|write|text|message|call|reach|contact) (?:me|us)|e-?mails?)\b[^.;]*", re.I
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
            echoing = [len(self._echo(one, u, True)) for u in telling]
            most = max(echoing)
            return telling[echoing.index(most)] if echoing.count(most) == 1 else telling[0]
        return self._told_apart(one, units)

    def _told_apart(self, one: Asked, units: Sequence[Span]) -> Span | None:
        found = self._echoing(one, units) or self._by_order(one, units)
        if found is None and all(a.alone for a in self._asked):
            return self._echoing(one, units, True)
        return found

    def _echoing(self, one: Asked, units: Sequence[Span], any_word: bool = False) -> Span | None:
        """The one that takes up the most words of the question. ``any_word``: also those that the type itself is called."""
        echoes = sorted(((len(self._echo(one, u, any_word)), u) for u in units), key=lambda e: -e[0])
        return echoes[0][1] if echoes[0][0] > echoes[1][0] else None

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
            others = [self._echo(a, unit, True) for a in self._asked if a is not one]
            own = self._echo(one, unit, True)
            if proposed(self._text[slice(*unit)]):
                return unit if own and not any(others) else None
            if one.of == 1 and one is self._asked[0] and len(own) >= max(map(len, others), default=0):
                return unit  # one question, whose words speak for this slot first
            return unit if own and not any(others) else None
        return self._told_apart(one, clauses)

    def _echo(self, one: Asked, unit: Span, any_word: bool = False) -> frozenset[str]:
        """The words that a sentence takes up; without those of the type's own name, which all of its slots are about."""
        slot = one.slots[0]
        said = ANY_OTHER.sub(" ", self._text[slice(*unit)])
        if kind_of_answer(slot) in ("city", "place", "address"):
            said = _MAILED.sub(" ", said)
        wanted = one.shared | terms(" ".join(slot.names))
        return terms(said) & (wanted if any_word else wanted - terms(spaced(slot.type)))


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
