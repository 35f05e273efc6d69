"""Two values of one kind of which the message says neither (头期出30万，全下来100万): which is whose is asked.

What an extractor makes of such words it has guessed from the order or from what is usual, and may have swapped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from forms_dynamics.extraction.borders import holds
from forms_dynamics.extraction.weighed import Weighed
from forms_dynamics.language.clauses import clause_of
from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.schema.spec import SlotSpec

FIGURES = frozenset({"money", "integer", "number", "percent", "date", "datetime"})
_WORD = re.compile(r"[a-z]{4,}")
_RANGE = re.compile(r"\s*(?:到|至|[-–—~～]|to|until|till|through)\s*", re.I)


def unlabelled(text: str, readings: Sequence[Weighed]) -> frozenset[str]:
    """The slots with a single figure or date that a model gave, of which another of the same kind was given too,
    where no word of either slot stands by its words."""
    given = [r for r in readings if _counts(r)]
    if len(given) < 2:
        return frozenset()
    words = {word for r in given for word in _words(r.spec)}
    bare = [r for r in given if not _named(text, r, words)]
    out = set()
    for i, one in enumerate(bare):
        for other in bare[i + 1 :]:
            if one.spec.type == other.spec.type and not _from_to(text, one, other):
                out |= {one.spec.name, other.spec.name}
    return frozenset(out)


def _counts(reading: Weighed) -> bool:
    slot = reading.draft
    return (
        slot.tier in ("model", "cache")
        and slot.op in (None, "set")
        and reading.spec.type in FIGURES
        and not reading.spec.many
        and reading.evidence is not None
    )


def _named(text: str, reading: Weighed, words: Set[str]) -> bool:
    """Whether a word of the slot, or of another that was given, stands by: what is swapped disagrees with it."""
    assert reading.evidence is not None
    said = normal(text[slice(*clause_of(text, *reading.evidence))])
    return any(holds(said, word, "enum") for word in words)


def _words(spec: SlotSpec) -> set[str]:
    words = {normal(raw) for raw in (spec.name.replace("_", " "), *spec.aliases, *spec.cues)}
    parts = {part for word in words if not has_han(word) for part in _WORD.findall(word)}
    unit = {normal(spec.unit)} if spec.unit and spec.type != "money" else set()
    return {word for word in words | parts | unit if word}


def _from_to(text: str, one: Weighed, other: Weighed) -> bool:
    """6月3日到6月8日: the order says which is which."""
    first, second = sorted((r.words or r.evidence or (0, 0)) for r in (one, other))
    return _RANGE.fullmatch(text, first[1], second[0]) is not None


__all__ = ["FIGURES", "unlabelled"]
