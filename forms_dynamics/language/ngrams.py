"""Character n-grams hashed into a fixed number of places: a likeness of texts that needs no model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from zlib import crc32

from forms_dynamics.language.normal import has_han, normal

PLACES = 512


@lru_cache(maxsize=4096)
def hashed(text: str) -> Mapping[int, float]:
    """A unit vector as place → weight: pieces of two to four characters (Chinese: one and two), each weighed
    by its length and the square root of its count; the sign is the hash's, so that collisions cancel."""
    folded = f" {normal(text)} "
    sizes = (1, 2) if has_han(folded) else (2, 3, 4)
    counts: dict[str, int] = {}
    for size in sizes:
        for at in range(len(folded) - size + 1):
            piece = folded[at : at + size]
            if not piece.isspace():
                counts[piece] = counts.get(piece, 0) + 1
    out: dict[int, float] = {}
    for piece, count in counts.items():
        code = crc32(piece.encode("utf-8", "surrogatepass"))
        weight = math.sqrt(count) * len(piece)
        place = (code >> 1) % PLACES
        out[place] = out.get(place, 0.0) + (weight if code & 1 else -weight)
    norm = math.sqrt(sum(v * v for v in out.values()))
    return {place: v / norm for place, v in out.items()} if norm else {}


def cosine(a: Mapping[int, float], b: Mapping[int, float]) -> float:
    """The cosine of two such vectors."""
    if len(b) < len(a):
        a, b = b, a
    return sum(v * b[place] for place, v in a.items() if place in b)


__all__ = ["PLACES", "cosine", "hashed"]
