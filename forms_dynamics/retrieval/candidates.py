"""Where the names of things may stand in a question: runs of its words and characters, to be looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from forms_dynamics.language.contacts import phone_key
from forms_dynamics.retrieval.question import Question

NUMBER = re.compile(r"\+?\(?\d(?:[ ().-]{0,2}\d){6,}")  # telephone numbers, however they are grouped
_GAPS = frozenset(("", " ", "·", "-", ", ", ". ", " & ", "/", "’", "'", " ("))
_CLOSING = ").!"  # what a name may end with: (North America), F.C., Help!
_POSSESSIVE = frozenset("s'’")
_MAX_HAN = 24
_MAX_WORDS = 8
MAX_CANDIDATES = 600


def candidates(question: Question, thorough: bool = False) -> dict[str, tuple[int, int]]:
    """Strings of the question that could be a name → where they stand (their last place).

    At first those whose ends do not lie inside a function or declared word; ``thorough``: all.
    """
    out: dict[str, tuple[int, int]] = {}
    text = question.text
    cuts = set() if thorough else {k for w in question.words for k in range(w.start + 1, w.end)}
    declared = set() if thorough else {(w.start, w.end) for w in question.words}
    for start, end in _spans(question, cuts, thorough):
        if (start, end) not in declared:
            said = text[start:end]
            out[said] = (start, end)
            if said[-1] == "s" and len(said) > 4 and said[-2].isalpha():
                out.setdefault(said[:-1], (start, end))  # how many Desk Lamps
            if said[-1] in _POSSESSIVE:
                owner = _owner(said)
                if owner:
                    out[owner] = (start, end)
            if len(out) >= MAX_CANDIDATES:
                break
    for found in NUMBER.finditer(text):
        out[phone_key(found.group())] = found.span()
    return out


def _spans(question: Question, cuts: set[int], thorough: bool) -> Iterator[tuple[int, int]]:
    units, text = question.units, question.text
    breaks = [False] * len(units) if thorough else question.breaks
    apart = [i > 0 and text[units[i - 1][1] : start] not in _GAPS for i, (start, _, _) in enumerate(units)]
    count = len(units)
    for i in range(count):
        start, end, _ = units[i]
        if start in cuts or (breaks[i] and text[start:end] != "the" and not _titled(question, start, end)):
            continue
        hans = words = 0
        for j in range(i, count):
            _, b, is_han = units[j]
            if apart[j] and j > i:
                break
            if is_han:
                if breaks[j]:
                    break
                hans += 1
                if hans > _MAX_HAN:
                    break
                if hans == 1 and not words:
                    continue
            else:
                words += 1
                if words > _MAX_WORDS:
                    break
                if breaks[j]:
                    continue
            if b not in cuts:
                yield start, b
                if text[b : b + 1] in _CLOSING and b < len(text):
                    yield start, b + 1


def _titled(question: Question, start: int, end: int) -> bool:
    """A function word that begins a title: written with a capital inside the sentence ("With the Beatles")."""
    raw = question.raw
    if not start or len(raw) != len(question.text):
        return False
    return raw[start:end].istitle() and raw[:start].rstrip()[-1:] not in (".", "?", "!", "")


def _owner(said: str) -> str | None:
    """The name without the ending that makes an owner of it."""
    if said.endswith(("'s", "’s")):
        return said[:-2]
    return said[:-1] if said.endswith(("s'", "s’")) else None


def starts(question: Question, taken: Sequence[tuple[int, int]] = ()) -> list[tuple[int, str]]:
    """Where a name known only by its beginning may start: (offset, the prefix to look up)."""
    out: list[tuple[int, str]] = []
    text, units = question.text, question.units
    for i, (start, end, han) in enumerate(units):
        if not question.free[i] or any(a <= start < b for a, b in taken):
            continue
        if not han:
            word = text[start:end].removesuffix("'s").removesuffix("’s")
            if len(word) > 2:
                out.append((start, word))
        elif i + 1 < len(units) and units[i + 1][2] and units[i + 1][0] == end and question.free[i + 1]:
            out.append((start, text[start : start + 2]))
    return out[:24]


__all__ = ["MAX_CANDIDATES", "NUMBER", "candidates", "starts"]
