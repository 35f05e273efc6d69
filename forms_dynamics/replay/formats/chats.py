"""Whole conversations in JSON, found by their shape: lists of messages under the names that exports use, requests
to and replies of OpenAI's interfaces, and the trees of a ChatGPT data export."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from forms_dynamics.replay.formats.messages import CALLS, EMPTY, HIDDEN, REASONING

BRANCHES = "answers on a branch that was left"
NOT_CHOSEN = "answers that were not preferred"

_LISTS = ("messages", "turns", "conversations", "chat_messages")
_LOOSE_LISTS = (
    "conversation",
    "items",
    "history",
    "dialogue",
    "dialog",
    "data",
)  # lists of other things elsewhere
_NAMES = (
    "conversation", "conversation_id", "session_id", "session", "thread_id", "thread", "dialogue_id", "dialog_id",
)  # fmt: skip
_WRAPPERS = ("kwargs", "values", "body", "request", "response")


@dataclass
class Conversation:
    """``turns``: messages as they stand. ``given``: what holds for every turn that does not say otherwise.
    ``left_out``: what was left out already, by kind. ``name``: what the log calls the conversation; ``id``: of the
    object that holds it. ``exchange``: a request to a model, a reply or both; ``follows``: the id of the reply
    that it goes on from. ``added``: how many turns stand before the first of the list that was given."""

    turns: list[Any]
    name: str | None = None
    id: str | None = None
    given: dict[str, Any] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    exchange: bool = False
    follows: str | None = None
    added: int = 0


def conversations(item: Any) -> list[Conversation]:
    """The conversations that a JSON value holds; empty where it is a single message, or nothing known."""
    if isinstance(item, list):
        return [Conversation(item)] if any(isinstance(turn, Mapping) for turn in item) else []
    if not isinstance(item, Mapping):
        return []
    found = _found(item)
    given = {"user": item["user"]} if item.get("user") is not None else {}
    for one in found:
        one.given = {**given, **one.given}
        if len(found) == 1:
            one.name = _first(item, _NAMES) or one.name
            one.id = one.id or _first(item, ("id", "custom_id"))
            one.follows = one.follows or _first(item, ("previous_response_id",))
    return found


def _found(item: Mapping[str, Any]) -> list[Conversation]:
    if isinstance(item.get("mapping"), Mapping):
        return [_chatgpt(item)]
    turns = _exchange(item)
    if turns is not None:
        left = Counter({NOT_CHOSEN: len(_items(item.get("non_preferred_output"))) + len(_choices(item)[1:])})
        return [Conversation(turns, left_out=+left, exchange=True)]
    worded = any(isinstance(item.get(key), str) for key in ("text", "content"))
    for key in _LISTS if worded else (*_LISTS, *_LOOSE_LISTS):
        held = item.get(key)
        if isinstance(held, list):
            return _told(item, _of_list(held))
    if isinstance(item.get("request"), Mapping) and isinstance(item.get("response"), Mapping):
        both = [
            part for key in ("request", "response") for part in conversations(item[key]) or _lone(item[key])
        ]
        return [_joined(both)]
    for key in _WRAPPERS:
        if isinstance(item.get(key), Mapping) and (inner := conversations(item[key])):
            return inner
    return []


def _of_list(held: list[Any]) -> list[Conversation]:
    """A list of conversations, or the turns of one."""
    parts = [conversations(part) for part in held]
    if any(parts):
        return [inner for part, raw in zip(parts, held, strict=True) for inner in part or _lone(raw)]
    times = [turn.get("created_at") for turn in held if isinstance(turn, Mapping)]
    stamps = [time for time in times if isinstance(time, (int, float))]
    newest_first = (
        len(stamps) == len(held) and stamps == sorted(stamps, reverse=True) and stamps[:1] != stamps[-1:]
    )
    return [Conversation(held[::-1] if newest_first else held)]


def _told(item: Mapping[str, Any], found: list[Conversation]) -> list[Conversation]:
    """With what the model was told beforehand, where that stands beside the turns."""
    system = item.get("system")
    if system and isinstance(system, (str, list)):
        for one in found:
            one.turns = [{"role": "system", "content": system}, *one.turns]
            one.added += 1
    return found


def _lone(raw: Any) -> list[Conversation]:
    """One turn by itself, which tells its mistake where it is none."""
    return [Conversation([raw])]


def _joined(parts: list[Conversation]) -> Conversation:
    """A request and its reply as one."""
    joined = Conversation([turn for part in parts for turn in part.turns], exchange=True)
    for part in parts:
        joined.given |= part.given
        joined.left_out += part.left_out
        joined.name = joined.name or part.name
        joined.id = part.id or joined.id
        joined.follows = joined.follows or part.follows
    return joined


def _first(item: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    """What the first of ``keys`` that is there names."""
    for key in keys:
        value = item.get(key)
        if isinstance(value, Mapping):
            value = value.get("id")
        if isinstance(value, (str, int)) and value:
            return str(value)
    return None


# -- OpenAI's interfaces -------------------------------------------------------------------------------------
def _exchange(item: Mapping[str, Any]) -> list[Any] | None:
    """The turns of a request with its reply, or of either: ``messages`` or ``input``, then ``output`` or
    ``choices``; None where the object is neither."""
    if any(isinstance(item.get(key), str) for key in ("text", "content")) or _is_of_a_call(item):
        return None
    replied = [
        *_items(item.get("output")), *_items(item.get("preferred_output")), *_choices(item)[:1]
    ]  # fmt: skip
    asked = _items(item.get("input"), "user")
    if not replied and not asked:
        return None
    for key in ("messages", "history"):
        if isinstance(item.get(key), list):
            asked = [*item[key], *(asked if key == "history" else [])]
            break
    created = item.get("created") or item.get("created_at")
    if isinstance(created, (int, float)):
        replied = [{"created_at": created, **turn} if isinstance(turn, Mapping) else turn for turn in replied]
    told = [
        ("system", item.get("system")),
        ("system", item.get("instructions")),
        ("user", item.get("instruction")),
    ]
    first = [{"role": role, "content": text} for role, text in told if text and isinstance(text, (str, list))]
    return [*first, *asked, *replied]


def _is_of_a_call(item: Mapping[str, Any]) -> bool:
    """Whether it is an item about a tool, whose ``input`` and ``output`` are the tool's."""
    kind = item.get("type")
    return "call_id" in item or (
        isinstance(kind, str) and (kind == "mcp_call" or kind.endswith("_call_output"))
    )


def _items(held: Any, role: str = "assistant") -> list[Any]:
    """What an ``input`` or ``output`` holds: a text, items, or an object with messages or choices."""
    if isinstance(held, str):
        return [{"role": role, "content": held}] if held.strip() else []
    if isinstance(held, Mapping):
        inner = [turn for part in conversations(held) for turn in part.turns]
        return inner or ([held] if "role" in held or "lc" in held else [])
    return list(held) if isinstance(held, list) else []


def _choices(item: Mapping[str, Any]) -> list[Any]:
    """The answers of a chat completion, of which the first is what was said."""
    held = item.get("choices")
    choices = [choice for choice in held if isinstance(choice, Mapping)] if isinstance(held, list) else []
    return [
        choice.get("message") or {"role": "assistant", "content": choice.get("text")} for choice in choices
    ]


# -- ChatGPT data export -------------------------------------------------------------------------------------
def _chatgpt(export: Mapping[str, Any]) -> Conversation:
    """The branch that was shown last, oldest first."""
    nodes: Mapping[str, Any] = {
        key: node for key, node in export["mapping"].items() if isinstance(node, Mapping)
    }  # fmt: skip
    found = Conversation([])
    walked: set[str] = set()
    at = export.get("current_node")
    if not isinstance(at, str) or at not in nodes:
        at = _last_leaf(nodes)
    branch: list[Mapping[str, Any]] = []
    while isinstance(at, str) and at in nodes and at not in walked:
        walked.add(at)
        branch.append(nodes[at])
        at = nodes[at].get("parent")
    for node in reversed(branch):
        found.turns += _node_turn(node, found.left_out)
    left: Counter[str] = Counter()
    found.left_out[BRANCHES] += sum(
        len(_node_turn(node, left)) for key, node in nodes.items() if key not in walked
    )
    found.left_out += Counter()
    return found


def _last_leaf(nodes: Mapping[str, Any]) -> str | None:
    parents = {node.get("parent") for node in nodes.values()}
    leaves = [key for key in nodes if key not in parents]

    def when(key: str) -> float:
        said = nodes[key].get("message")
        time = said.get("create_time") if isinstance(said, Mapping) else None
        return float(time) if isinstance(time, (int, float)) else 0.0

    return max(leaves, key=when, default=None)


def _node_turn(node: Mapping[str, Any], left: Counter[str]) -> list[dict[str, Any]]:
    """The turn of one node, in a list; empty, and counted, where it is none to be read."""
    said = node.get("message")
    if not isinstance(said, Mapping):
        return []
    content = said["content"] if isinstance(said.get("content"), Mapping) else {}
    kind = content.get("content_type")
    author = said["author"] if isinstance(said.get("author"), Mapping) else {}
    role = author.get("role")
    metadata = said["metadata"] if isinstance(said.get("metadata"), Mapping) else {}
    words = content.get("parts") or content.get("text") or content.get("result")
    if kind in ("thoughts", "reasoning_recap"):
        left[REASONING] += 1
    elif metadata.get("is_visually_hidden_from_conversation") or kind in (
        "user_editable_context", "model_editable_context"
    ):  # fmt: skip
        left[HIDDEN] += 1
    elif role == "assistant" and (said.get("recipient") or "all") != "all":
        left[CALLS] += 1
    elif not words or words == [""]:
        left[EMPTY] += 1
    else:
        return [{"id": said.get("id"), "role": role, "content": words, "time": said.get("create_time")}]
    return []


__all__ = ["BRANCHES", "NOT_CHOSEN", "Conversation", "conversations"]
