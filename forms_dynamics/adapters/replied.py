"""What a completion says, and the JSON in it: bare, in a fence, among prose, behind thinking, in a tool call."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

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
        except (ValueError, RecursionError):
            return
        yield found


def prose(text: str) -> bool:
    """Whether the reply has words and no beginning of JSON."""
    text = _THINKING.sub("", text)
    return bool(text.strip()) and _BEGINS.search(text) is None


class ErrorBody(ValueError):
    """What a server says with status 200 in place of a reply."""


# -- completions ---------------------------------------------------------------------------------------------
def read(completion: Any, reply: type[BaseModel]) -> tuple[BaseModel | None, Exception | None]:
    """The reply that a completion holds in whatever place and wrapping; else what is wrong with it."""
    error = getattr(completion, "error", None)
    if error:
        return None, ErrorBody(f"the reply is an error: {str(error)[:200]}")
    text = said(completion)
    if not text.strip():
        return None, ValueError("the reply is empty")
    fault: Exception | None = None
    for found in found_in(text):
        try:
            return reply.model_validate(found), None
        except ValidationError as wrong:
            fault = fault or wrong
    return None, fault or ValueError(f"the reply holds no complete JSON ({len(text)} characters)")


def said(completion: Any) -> str:
    """What a completion says: the arguments of its tool call, else its content."""
    if isinstance(completion, str):
        return completion
    message = getattr(_choice(completion), "message", None)
    if message is None:
        return ""
    calls = getattr(message, "tool_calls", None)
    if isinstance(calls, list) and calls:
        arguments = getattr(getattr(calls[0], "function", None), "arguments", None)
        if isinstance(arguments, str) and arguments.strip():
            return arguments
        if isinstance(arguments, Mapping):
            return json.dumps(arguments, ensure_ascii=False)
    content = getattr(message, "content", None)
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) if isinstance(part, Mapping) else "" for part in content)
    return content if isinstance(content, str) else ""


def is_cut(completion: Any) -> bool:
    return getattr(_choice(completion), "finish_reason", None) == "length"


def _choice(completion: Any) -> Any:
    """The first choice; None where a server gives none, or something else in its place."""
    choices = getattr(completion, "choices", None)
    return choices[0] if isinstance(choices, (list, tuple)) and choices else None


def logprobs(completion: Any) -> Sequence[tuple[str, float]] | None:
    given = getattr(getattr(_choice(completion), "logprobs", None), "content", None)
    if not isinstance(given, list) or not given:
        return None
    try:
        return [(str(t.token), float(t.logprob)) for t in given]
    except (AttributeError, TypeError, ValueError):
        return None


__all__ = ["ErrorBody", "found_in", "is_cut", "logprobs", "prose", "read", "said"]
