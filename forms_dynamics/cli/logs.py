"""Conversation logs: JSON Lines, one message a line, or a chat export; read leniently line by line.

Taken are: the log format (``{"conversation", "id", "speaker", "role", "user", "text", "time"}``), chat
messages (``{"role", "content"}``), whole conversations on a line or in an array (``{"messages": […]}`` or
``{"turns": […]}``), and the ``conversations.json`` of a ChatGPT data export. What cannot be read is named
with its place and what to do, and the rest goes on.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any

ROLES = ("user", "assistant", "tool", "system")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Place:
    """Where in a log something stands; ``line`` counts from 1, 0 for the file as a whole."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True)
class Line:
    """One message, ready for ``Memory.observe_many``."""

    place: Place
    message: Mapping[str, Any]
    user: str | None


@dataclass(frozen=True)
class BadLine:
    """What could not be read, and what to do."""

    place: Place
    problem: str

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


@dataclass
class LogReader:
    """Reads one log. ``wordless`` counts turns of exports that carry no text, such as bare tool calls."""

    name: str
    conversation: str | None = None
    stable_ids: bool = True
    wordless: int = 0
    _seen: Counter[tuple[str, ...]] = field(default_factory=Counter)

    def read(self, stream: IO[bytes]) -> Iterator[Line | BadLine]:
        """Messages and bad lines in order."""
        head = stream.readline()
        if head[:2] in _UTF16:
            yield BadLine(Place(self.name, 0), "is UTF-16; save it as UTF-8 and observe it again")
            return
        head = head.removeprefix(b"\xef\xbb\xbf")
        if head.lstrip()[:1] == b"[" or (head.strip() == b"{"):
            yield from self._document(head + stream.read())
            return
        number = 1
        raw = head
        while raw:
            if raw.strip():
                yield from self._line(raw, Place(self.name, number))
            raw, number = stream.readline(), number + 1

    def _document(self, raw: bytes) -> Iterator[Line | BadLine]:
        """A file that is one JSON document: an array of messages or conversations, or one of them."""
        place = Place(self.name, 0)
        try:
            found = json.loads(raw)
        except (UnicodeDecodeError, ValueError, RecursionError) as wrong:
            yield BadLine(place, f"is no JSON ({_json_mistake(wrong)}); one JSON object a line is read too")
            return
        items = found if isinstance(found, list) else [found]
        for number, item in enumerate(items, 1):
            yield from self._item(item, Place(f"{self.name}[{number}]", 0), number)

    def _line(self, raw: bytes, place: Place) -> Iterator[Line | BadLine]:
        try:
            item = json.loads(raw.decode("utf-8"))
        except UnicodeDecodeError as wrong:
            yield BadLine(place, f"is not UTF-8 at byte {wrong.start + 1}; save the file as UTF-8")
        except (ValueError, RecursionError) as wrong:
            yield BadLine(place, f"is no JSON ({_json_mistake(wrong)}); one JSON object a line is needed")
        else:
            yield from self._item(item, place, place.line)

    def _item(self, item: Any, place: Place, number: int) -> Iterator[Line | BadLine]:
        if not isinstance(item, dict):
            yield BadLine(place, f'is {_kind(item)}; a message is an object such as {{"text": "…"}}')
        elif isinstance(item.get("mapping"), dict):
            yield from self._turns(item, _chatgpt_turns(item), place, number)
        elif isinstance(item.get("messages"), list):
            yield from self._turns(item, item["messages"], place, number)
        elif isinstance(item.get("turns"), list):
            yield from self._turns(item, item["turns"], place, number)
        else:
            yield self._message(item, place, None)

    def _turns(
        self, whole: Mapping[str, Any], turns: Sequence[Any], place: Place, number: int
    ) -> Iterator[Line | BadLine]:
        named = whole.get("conversation") or whole.get("conversation_id") or whole.get("id")
        conversation = str(named) if named else f"{Path(self.name).stem}-{number}"
        for index, turn in enumerate(turns):
            if not isinstance(turn, dict):
                yield BadLine(place, f"turn {index + 1} is {_kind(turn)}, not an object")
            elif not _text(turn):
                self.wordless += 1
            else:
                read = self._message({"user": whole.get("user"), **turn}, place, conversation)
                if isinstance(read, BadLine):
                    read = BadLine(place, f"turn {index + 1} {read.problem}")
                yield read

    def _message(self, raw: Mapping[str, Any], place: Place, conversation: str | None) -> Line | BadLine:
        text = _text(raw)
        if text is None:
            near = next((key for key in ("message", "msg", "utterance", "body") if key in raw), None)
            return BadLine(
                place, f'has no "text"{f", only {near!r}" if near else ""}; give the message as "text"'
            )
        if not text.strip():
            return BadLine(place, 'has an empty "text"; leave the line out or give the words')
        speaker, role = raw.get("speaker"), raw.get("role")
        if role is None and isinstance(speaker, str) and speaker in ROLES:
            role = speaker
        if role == "developer":
            role = "system"
        if role is not None and role not in ROLES:
            return BadLine(place, f"role {role!r} is none of {', '.join(ROLES)}")
        for key in ("conversation", "speaker", "id", "user"):
            if raw.get(key) is not None and not isinstance(raw[key], (str, int)):
                return BadLine(place, f"{key!r} is {_kind(raw[key])}; a string is needed")
        message: dict[str, Any] = {"text": text}
        where = raw.get("conversation") or conversation or self.conversation
        if where is not None:
            message["conversation"] = str(where)
        if role is not None:
            message["role"] = role
        if speaker is not None or role is not None:
            message["speaker"] = str(speaker if speaker is not None else role)
        if raw.get("time") is not None:
            message["time"] = raw["time"]
        message["id"] = str(raw["id"]) if raw.get("id") is not None else self._id(message)
        user = raw.get("user")
        return Line(place, message, None if user is None else str(user))

    def _id(self, message: Mapping[str, Any]) -> str:
        """An id for a message without one, the same whenever the same file is read again (exactly once)."""
        if not self.stable_ids:
            from uuid import uuid4

            return f"log-{uuid4().hex}"
        name = (
            Path(self.name).name,
            *(str(message.get(key)) for key in ("conversation", "speaker", "text", "time")),
        )
        self._seen[name] += 1
        body = "\x1f".join((*name, str(self._seen[name])))
        return "log-" + blake2b(body.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()


def _text(raw: Mapping[str, Any]) -> str | None:
    """The words of a message: ``text``, or ``content`` as a string or as typed parts; None without any."""
    words = raw["text"] if "text" in raw else raw.get("content")
    if isinstance(words, list):
        words = "\n".join(
            part if isinstance(part, str) else part["text"]
            for part in words
            if isinstance(part, str) or (isinstance(part, dict) and isinstance(part.get("text"), str))
        )
        return words or None
    return words if isinstance(words, str) else None


def _chatgpt_turns(export: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The branch of a ChatGPT export that was shown last, oldest first."""
    nodes: Mapping[str, Any] = export["mapping"]
    at = export.get("current_node")
    branch: list[dict[str, Any]] = []
    walked: set[str] = set()
    while isinstance(at, str) and at in nodes and at not in walked:
        walked.add(at)
        node = nodes[at]
        said = node.get("message") or {}
        content = said.get("content") or {}
        if said:
            turn: dict[str, Any] = {
                "id": said.get("id"),
                "role": (said.get("author") or {}).get("role"),
                "content": content.get("parts") or content.get("text"),
            }
            if isinstance(said.get("create_time"), (int, float)):
                turn["time"] = datetime.fromtimestamp(said["create_time"], UTC).isoformat()
            branch.append(turn)
        at = node.get("parent")
    return branch[::-1]


def _json_mistake(wrong: Exception) -> str:
    if isinstance(wrong, json.JSONDecodeError):
        where = f"column {wrong.colno}" if wrong.lineno == 1 else f"line {wrong.lineno} column {wrong.colno}"
        return f"{wrong.msg.lower()} at {where}"
    return "nested too deeply" if isinstance(wrong, RecursionError) else str(wrong)


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")
