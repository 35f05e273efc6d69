"""When a value of ours and one of the gold are the same, and whether a value stands in a turn's words."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from functools import lru_cache

from forms_dynamics.language.normal import simplified

_CLOCK = re.compile(r"\b(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm|a\.m\.?|p\.m\.?)?(?=\W|$)")
_WORDS = {
    w: str(n)
    for n, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen".split()
    )
}
_SAME = {
    "centre": "center", "theatre": "theater", "guesthouse": "guest house", "don't care": "dontcare",
    "do not care": "dontcare", "true": "yes", "false": "no",
}  # fmt: skip
_FUZZY = frozenset({"sgd"})  # its scorer takes free texts by similarity
_ENOUGH = 0.9


@lru_cache(maxsize=100_000)
def folded(text: str) -> str:
    """``text`` without what no scorer tells apart: case, width, script, punctuation, articles, spelt numbers."""
    text = simplified(unicodedata.normalize("NFKC", text)).casefold()
    text = re.sub(r"[^\w:.+-]+|(?<!\d)[.:](?!\d)|[.:](?!\w)", " ", text)
    words = [
        _SAME.get(_WORDS.get(w, w), _WORDS.get(w, w)) for w in text.split() if w not in ("the", "a", "an")
    ]
    return " ".join(words)


@lru_cache(maxsize=100_000)
def _minutes(text: str) -> int | None:
    """Minutes of the day where the whole text is a clock time."""
    found = _CLOCK.fullmatch(folded(text).replace(" ", "") or "-")
    if found is None or (found[2] is None and found[3] is None):
        return None
    hour, minute, half = int(found[1]), int(found[2] or 0), (found[3] or "")[:1]
    hour = hour % 12 + 12 if half == "p" else hour % 12 if half == "a" else hour
    return hour * 60 + minute


def agrees(set_: str, ours: str, gold: str) -> bool:
    """Whether ``ours`` is the value that the gold holds; alternatives of the gold are parted by ``|``."""
    return any(_one(set_, ours, one) for one in gold.split("|"))


def _one(set_: str, ours: str, gold: str) -> bool:
    left, right = folded(ours), folded(gold)
    if left == right or left.replace(" ", "") == right.replace(" ", ""):
        return True
    moment = _minutes(ours)
    if moment is not None and moment == _minutes(gold):
        return True
    return set_ in _FUZZY and SequenceMatcher(None, left, right).ratio() >= _ENOUGH


def stands_in(value: str, text: str) -> bool:
    """Whether the value's own words stand in the text."""
    wanted, said = folded(value), folded(text)
    if not wanted:
        return False
    if re.search(r"[\u3400-\u9fff]", wanted):
        return wanted.replace(" ", "") in said.replace(" ", "")
    return f" {wanted} " in f" {said} "


__all__ = ["agrees", "folded", "stands_in"]
