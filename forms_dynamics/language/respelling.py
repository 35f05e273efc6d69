"""A text with some of its words put otherwise, and the way back to the words that stand there.

Used where a sentence is read in a form that it does not have: a relative's words as the speaker's, a sentence
of two languages as one of one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Respelled:
    """``pieces``: (start here, start in the original, length here, length there), in order, those of equal words
    and those put in their place alike."""

    text: str
    pieces: tuple[tuple[int, int, int, int], ...]

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """The original's words behind ``text[start:end]``; a word that was put otherwise counts whole. None where
        nothing stands behind them."""
        low = high = None
        for here, there, size, real in self.pieces:
            if here <= start < here + size:
                low = there + (start - here if size == real else 0)
            if here < end <= here + size:
                high = there + (end - here if size == real else real)
        return None if low is None or high is None or low >= high else (low, high)

    @property
    def first(self) -> int:
        """Where it begins in the original."""
        return self.pieces[0][1] if self.pieces else 0

    @property
    def last(self) -> int:
        """Where it ends in the original."""
        return self.pieces[-1][1] + self.pieces[-1][3] if self.pieces else 0


def respell(text: str, start: int, end: int, swaps: Iterable[tuple[int, int, str]]) -> Respelled:
    """``text[start:end]`` with each ``text[a:b]`` of ``swaps`` put otherwise; of overlapping ones the first."""
    pieces: list[tuple[int, int, int, int]] = []
    words = ""
    at = start
    for low, high, put in sorted(swaps):
        if low < at or high > end:
            continue
        for there, size, piece in ((at, low - at, text[at:low]), (low, high - low, put)):
            if piece or size:
                pieces.append((len(words), there, len(piece), size))
                words += piece
        at = high
    if at < end:
        pieces.append((len(words), at, end - at, end - at))
        words += text[at:end]
    return Respelled(words, tuple(pieces))


__all__ = ["Respelled", "respell"]
