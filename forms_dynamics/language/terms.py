"""Search terms: the same for SQLite's FTS5, PostgreSQL's tsvector and the scorer in Python.

A Chinese run gives its two-character pieces and each of its last characters alone (so that a one-character
question can match); other runs give casefolded words. ``C++`` and ``pre-edit`` give their parts.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from forms_dynamics.language.normal import CJK, simplified

# a run ends where the script changes: 预算50万 is 预算, 50, 万
_RUN = re.compile(f"[{CJK}]+|[^\\W_{CJK}]+", re.UNICODE)
_HAN_RUN = re.compile(f"[{CJK}]")
_MARKS = "，：；？！（）"
_SHORT = 2000  # characters: the terms of longer texts take more room than they are worth


def _runs(text: str) -> list[str]:
    if not text.isascii():
        # Chinese marks are no part of any run, and the only thing of most texts that would be normalised
        for mark in _MARKS:
            text = text.replace(mark, " ")
        text = simplified(unicodedata.normalize("NFKC", text))
    found: list[str] = _RUN.findall(text.casefold())
    return found


def index_terms(text: str) -> tuple[str, ...]:
    """Terms under which a document is found, with repeats, in order. Those of the last texts are kept: a search
    ranks, weighs and judges the same ones in turn."""
    return _kept(text) if len(text) <= _SHORT else _terms(text)


def _terms(text: str) -> tuple[str, ...]:
    runs = _runs(text)
    if text.isascii() or _HAN_RUN.search(text) is None:
        return tuple(runs)
    out: list[str] = []
    for run in runs:
        if "\u4e00" <= run[0] <= "\u9fff" or (not run.isascii() and _HAN_RUN.match(run)):
            out += [run[at : at + 2] for at in range(len(run))]
        else:
            out.append(run)
    return tuple(out)


_kept = lru_cache(maxsize=1024)(_terms)


def query_terms(text: str) -> list[str]:
    """Terms to look for, without repeats: a Chinese run of two or more gives only its two-character pieces;
    a single character stands for itself."""
    out: dict[str, None] = {}
    for run in _runs(text):
        if _HAN_RUN.match(run) and len(run) > 1:
            for i in range(len(run) - 1):
                out[run[i : i + 2]] = None
        else:
            out[run] = None
    return list(out)
