"""Stored text as data inside a context: one line, no delimiter, no mark-up of its own at the line's start."""

from __future__ import annotations

import re
import unicodedata

OPEN = "<memory>"
CLOSE = "</memory>"

_DELIMITER = re.compile(r"<(?=\s*/?\s*memory\b)", re.I)
_SPACE = re.compile(r"\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+\s*")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_ROLE = re.compile(
    r"(?:system|assistant|user|tool|developer|human|ai|系统|助手|用户|指令|提示)\s*(?:[:：>\]）)]|message\b|prompt\b)",
    re.I,
)


def plain(text: str) -> str:
    """The text on one line, without control characters and with the context's delimiters escaped."""
    if not text.isprintable():
        text = _CONTROL.sub("", _SPACE.sub(" ", text))
    return _DELIMITER.sub("&lt;", text) if "<" in text else text


def line(text: str) -> str:
    """A line whose beginning cannot be taken for mark-up or for another speaker's turn."""
    text = text.strip()
    if not text:
        return text
    first = unicodedata.category(text[0])
    if first[0] in "LN" and _ROLE.match(text) is None:
        return text
    return text if text[0] in "“「《" else f"- {text}"


__all__ = ["CLOSE", "OPEN", "line", "plain"]
