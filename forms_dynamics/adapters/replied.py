"""The JSON that a model's reply holds: bare, in a fence, among prose, behind its thinking."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_THINKING = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_BEGINS = re.compile(r"\{\s*[\"}]|\[\s*[\[{\]]")  # braces of prose begin otherwise


def found_in(text: str) -> Iterator[Any]:
    """The JSON objects and lists of the reply, outermost first, in order. Where one is cut or broken in the middle
    nothing of it is given: a part of it would be a silent loss."""
    text = _THINKING.sub("", text)
    decoder = json.JSONDecoder()
    at = 0
    while (begin := _BEGINS.search(text, at)) is not None:
        try:
            found, at = decoder.raw_decode(text, begin.start())
        except ValueError:
            return
        yield found


def prose(text: str) -> bool:
    """Whether the reply has words and no beginning of JSON."""
    text = _THINKING.sub("", text)
    return bool(text.strip()) and _BEGINS.search(text) is None


__all__ = ["found_in", "prose"]
