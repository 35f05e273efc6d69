"""One message in any of the shapes that chat software keeps, as one in the log format.

OpenAI (chat and Responses items, with typed parts), ShareGPT (``from`` and ``value``), LangChain (``type`` with
``data`` or ``content``, and constructor dumps) and their kin. Only words are taken; what else a message holds is
counted by kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from forms_dynamics.replay.formats.roles import role_of

CALLS = "tool calls"
MEDIA = "pictures, sound and files"
REASONING = "reasoning of a model"
EMPTY = "empty messages"
HIDDEN = "hidden messages"

_CALL_KINDS = {
    "function_call",
    "tool_call",
    "tool_calls",
    "tool_use",
    "server_tool_use",
    "mcp_approval_request",
}
_REASONING_KINDS = {"reasoning", "reasoning_content", "thinking", "redacted_thinking", "thoughts"}
_MEDIA_WORDS = ("image", "audio", "video", "file", "media", "document", "asset", "picture")
_TIMES = ("time", "timestamp", "created_at", "create_time", "created")
_LOG_FORMAT = frozenset(("conversation", "id", "speaker", "role", "user", "text", "time", "expect"))
_WORDS = ("text", "content", "value", "parts", "refusal")


class Said(NamedTuple):
    """What a message gives: messages in the log format (two where a tool's result and words share one), and
    what was left out, by kind. A message without words whose lack nothing explains keeps its ``text`` as it
    was given; one that has no place for words at all has ``near`` beside it: a key that may have been meant for
    them, or ""."""

    messages: list[dict[str, Any]]
    left_out: Counter[str]


def in_log_format(raw: Any) -> bool:
    """Whether a value is a message as it should be, so that nothing has to be found out about it."""
    return isinstance(raw, dict) and isinstance(raw.get("text"), str) and raw.keys() <= _LOG_FORMAT


def read_message(raw: Mapping[str, Any]) -> Said:
    """One message."""
    left: Counter[str] = Counter()
    said = {**{key: raw[key] for key in ("user", "conversation", "expect") if key in raw}, **_unwrapped(raw)}
    kind = said["type"] if isinstance(said.get("type"), str) else None
    who = said.get("role", said.get("from"))
    if kind in _REASONING_KINDS:
        return Said([], Counter({REASONING: 1}))
    if (
        _is_call(kind) and not any(isinstance(said.get(key), str) for key in ("text", "content"))
    ) or _is_call(who):
        return Said([], Counter({CALLS: 1}))
    if kind is not None and kind.endswith("_call_output"):
        said = {**said, "role": "tool", "content": said.get("output")}
    given = next((said[key] for key in _WORDS if said.get(key) is not None), None)
    text, result = _words(given, left)
    left[CALLS] += _calls(said)
    left += Counter()  # drops what was counted as none
    flat = _flat(said, kind)
    messages = []
    if result and result.strip():
        alone = {key: value for key, value in flat.items() if key not in ("speaker", "expect")}
        messages.append({**alone, "role": "tool", "text": result})
    if text and text.strip():
        messages.append({**flat, "text": text})
    if len(messages) == 2 and flat.get("id") is not None:  # two messages can't bear one id
        messages[0]["id"] = f"{flat['id']}:result"
    if messages:
        return Said(messages, left)
    if left:
        return Said([], left)
    if kind is not None and given is None and "role" not in flat and "speaker" not in flat:
        return Said([], Counter({f"unknown kind {kind!r}": 1}))
    if given is None and not any(key in said for key in _WORDS):
        near = next((key for key in ("message", "msg", "utterance", "body") if key in said), "")
        return Said([{**flat, "text": None, "near": near}], left)
    return Said([{**flat, "text": given}], left)


def _unwrapped(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """The message itself, out of LangChain's ``data`` or ``kwargs`` or a ``message`` that holds it."""
    kind = raw.get("type")
    if "lc" in raw and isinstance(raw.get("kwargs"), Mapping):
        named = raw.get("id")
        name = named[-1] if isinstance(named, list) and named and isinstance(named[-1], str) else ""
        return {"type": _class_kind(name), **raw["kwargs"]}
    if isinstance(kind, str) and isinstance(raw.get("data"), Mapping) and "content" in raw["data"]:
        return {**raw["data"], "type": kind}
    inner = raw.get("message")
    if isinstance(inner, Mapping) and not any(key in raw for key in _WORDS):
        return {**{key: value for key, value in raw.items() if key != "message"}, **inner}
    return raw


def _class_kind(name: str) -> str:
    """``human`` of ``HumanMessage`` or ``HumanMessageChunk``."""
    return name.removesuffix("Chunk").removesuffix("Message").lower() or name


def _is_call(kind: Any) -> bool:
    return isinstance(kind, str) and (kind in _CALL_KINDS or kind.endswith("_call"))


def _calls(said: Mapping[str, Any]) -> int:
    """How many tools a message calls beside its words."""
    extra = said.get("additional_kwargs")
    for holder in (said, extra if isinstance(extra, Mapping) else {}):
        if isinstance(holder.get("tool_calls"), list) and holder["tool_calls"]:
            return len(holder["tool_calls"])
        if isinstance(holder.get("function_call"), Mapping):
            return 1
    return 0


def _flat(said: Mapping[str, Any], kind: str | None) -> dict[str, Any]:
    """All but the words, under the names of the log format."""
    flat = {
        key: said[key] for key in ("conversation", "id", "speaker", "user", "expect") if said.get(key) is not None
    }  # fmt: skip
    author = said.get("author")
    role = said.get("role")
    if role is None and isinstance(author, Mapping):
        role = author.get("role")
    if role is None and role_of(_class_kind(kind or "")) and "speaker" not in flat:
        role = role_of(_class_kind(kind or ""))
    for name in (said.get("from"), said.get("sender"), author, said.get("speaker")):
        if role is None:
            role = role_of(name)
        if isinstance(name, str) and role_of(name) is None:
            flat.setdefault("speaker", name)
    if role is not None:
        flat["role"] = role
    name = said.get("name")
    if isinstance(name, str) and name.strip() and role_of(role) in ("user", "assistant"):
        flat.setdefault("speaker", name)
    time = next((said[key] for key in _TIMES if said.get(key) is not None), None)
    if time is not None:
        flat["time"] = time
    return flat


def _words(given: Any, left: Counter[str]) -> tuple[Any, str | None]:
    """The words of a message, and those of results of tools among its parts."""
    if isinstance(given, Mapping):
        given = [given]
    if not isinstance(given, list):
        return given if isinstance(given, str) else None, None
    own: list[str] = []
    results: list[str] = []
    for part in given:
        if isinstance(part, str):
            own.append(part)
        elif not isinstance(part, Mapping):
            left["parts that are neither text nor object"] += 1
        elif part.get("type") == "tool_result":
            words, inner = _words(part.get("content"), left)
            results += [words for words in (words, inner) if words]
        elif (words := _part(part, left)) is not None:
            own.append(words)
    return "\n".join(own), "\n".join(results)


def _part(part: Mapping[str, Any], left: Counter[str]) -> str | None:
    """The words of one typed part; None, and counted, where it has none."""
    kind = part.get("type") or part.get("content_type") or ""
    kind = kind if isinstance(kind, str) else ""
    if kind in _REASONING_KINDS:
        left[REASONING] += 1
        return None
    if _is_call(kind):
        left[CALLS] += 1
        return None
    for key in ("text", "refusal", "transcript", "value"):
        words = part.get(key)
        if isinstance(words, Mapping):
            words = words.get("value")
        if isinstance(words, str):
            return words
    if any(word in kind for word in _MEDIA_WORDS) or any(
        word in key for key in part for word in _MEDIA_WORDS
    ):
        left[MEDIA] += 1
    else:
        left[f"unknown kind {kind!r}" if kind else "parts without words"] += 1
    return None


__all__ = ["CALLS", "EMPTY", "HIDDEN", "MEDIA", "REASONING", "Said", "in_log_format", "read_message"]
