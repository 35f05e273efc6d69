"""Where one clause ends and the next begins: a cue counts for the clause that it stands in."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache

from forms_dynamics.language.numerals import lowered

# A point or comma inside a number (1,234.56), an abbreviation (approx.) or a name (a.b@c.com) ends nothing.
_BREAK = re.compile(
    r"(?=[，。；！？!?;…\n\r,.—–但可然不-])(?:[，。；！？!?;…\n\r]+|,(?![0-9])|(?<![0-9]),"
    r"|(?<!\bapprox)(?<!\bca)(?<!\bvs)(?<!\bmr)(?<!\bms)(?<!\bdr)(?<!\bmrs)(?:(?<!\bno)\.|\.(?!\s?[0-9]))"
    r"(?![0-9A-Za-z@/_-])"
    r"|——(?![0-9¥$€£])|(?<=\s)[-–—](?=\s)(?!\s?[0-9¥$€£])|—(?![0-9¥$€£])"
    r"|(?:但是?|可是|然而|(?<![超通说受来得过])不过(?![去来关瘾分])))"
)
_CONJUNCTION = re.compile(r"\b(?:but|however|though|although|whereas|(?<!not )yet)\b")
_SENTENCE = re.compile(r"[。！？!?\n\r]+|(?<![0-9])\.(?![0-9A-Za-z])|(?<=[0-9])\.(?=\s|$)")


@lru_cache(maxsize=1024)
def _parts(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Starts and ends of the clauses; what lies between is punctuation or a conjunction."""
    said = lowered(text)
    starts, ends = [0], []
    breaks = list(_BREAK.finditer(said))
    if "but" in said or "though" in said or "however" in said or "whereas" in said or "yet" in said:
        breaks = sorted([*breaks, *_CONJUNCTION.finditer(said)], key=lambda found: found.start())
    for found in breaks:
        ends.append(found.start())
        starts.append(found.end())
    ends.append(len(said))
    return tuple(starts), tuple(ends)


def clause_of(text: str, start: int, end: int) -> tuple[int, int]:
    """The clause that ``text[start:end]`` lies in; the clauses from first to last when it spans several."""
    starts, ends = _parts(text)
    first = max(bisect_right(starts, start) - 1, 0)
    last = max(bisect_right(starts, max(start, end - 1)) - 1, first)
    return min(starts[first], start), max(ends[last], end)


def neighbours(text: str, start: int, end: int) -> tuple[str, str]:
    """The clauses before and behind, folded and lower case; empty when there is none."""
    starts, ends = _parts(text)
    said = lowered(text)
    first = max(bisect_right(starts, start) - 1, 0)
    last = max(bisect_right(starts, max(start, end - 1)) - 1, first)
    before = said[starts[first - 1] : ends[first - 1]].strip() if first else ""
    if not before and first > 1:
        before = said[starts[first - 2] : ends[first - 2]].strip()
    behind = said[starts[last + 1] : ends[last + 1]].strip() if last + 1 < len(starts) else ""
    if not behind and last + 2 < len(starts):
        behind = said[starts[last + 2] : ends[last + 2]].strip()
    return before, behind


def break_after(text: str, end: int) -> str:
    """The punctuation (or conjunction) that ends the clause around ``end``."""
    starts, ends = _parts(text)
    i = max(bisect_right(starts, max(0, end - 1)) - 1, 0)
    return text[ends[i] : starts[i + 1]] if i + 1 < len(starts) else ""


def sentence_of(text: str, start: int, end: int) -> tuple[int, int]:
    """The sentence around ``text[start:end]``, its closing mark included."""
    starts, ends = _sentence_ends(text)
    first = bisect_right(ends, start)
    last = max(first, bisect_left(starts, end - 1))
    return ends[first - 1] if first else 0, ends[last] if last < len(ends) else len(text)


@lru_cache(maxsize=1024)
def _sentence_ends(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Starts and ends of the marks that close a sentence."""
    marks = [found.span() for found in _SENTENCE.finditer(text)]
    return tuple(start for start, _ in marks), tuple(end for _, end in marks)
