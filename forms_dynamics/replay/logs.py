"""Conversation logs, read leniently: what can't be read is named with its place and what to do, the rest goes on.

Taken are the log format (JSON Lines: ``{"conversation", "id", "speaker", "role", "user", "text", "time",
"expect"}``), what OpenAI's interfaces, ChatGPT, ShareGPT and LangChain write, CSV and TSV; each is known by its
shape. Lines of JSON and rows of tables are read as they come, a JSON document as a whole.
"""

from __future__ import annotations

import gzip
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import IO, Any, cast

from forms_dynamics.replay.formats.chats import Conversation, conversations
from forms_dynamics.replay.formats.documents import NumberedLines, items
from forms_dynamics.replay.formats.messages import EMPTY, in_log_format, read_message
from forms_dynamics.replay.formats.roles import ROLES, role_of
from forms_dynamics.replay.formats.tables import SUFFIXES, delimiter_of, is_header, rows
from forms_dynamics.replay.formats.threads import REPEATED, Threads
from forms_dynamics.replay.formats.times import iso_time

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")


@dataclass(frozen=True)
class Place:
    """Where in a log something stands; ``line`` counts from 1, 0 for the file as a whole."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True)
class Line:
    """One message, ready for ``Memory.observe_many``. ``expect``: what should be held and recalled after it,
    as the log says it; None where it says nothing."""

    place: Place
    message: Mapping[str, Any]
    user: str | None
    expect: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class BadLine:
    """What could not be read, and what to do."""

    place: Place
    problem: str

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


@dataclass
class LogReader:
    """Reads one log. ``conversation``: for messages that name none. ``skipped`` counts what was left out so far,
    by kind: messages without words, and parts of messages that are none."""

    name: str
    conversation: str | None = None
    stable_ids: bool = True
    skipped: Counter[str] = field(default_factory=Counter)
    _seen: Counter[tuple[str, ...]] = field(default_factory=Counter)
    _threads: Threads = field(default_factory=Threads)

    def read(self, stream: IO[bytes]) -> Iterator[Line | BadLine]:
        """Messages and bad lines in order."""
        lines = NumberedLines(stream)
        number, head = lines.next_with_words()
        if head[:2] in _UTF16 or b"\x00" in head[:4]:
            yield BadLine(Place(self.name, 0), "is UTF-16; save it as UTF-8 and read it again")
        elif self._is_table(head):
            yield from self._table(chain([b"\n"] * (number - 1), [head], stream), head)
        elif head:
            for item in items(head, lines):
                place = Place(f"{self.name}[{item.place}]" if item.place else self.name, item.line)
                if item.problem is not None:
                    yield BadLine(place, item.problem)
                    continue
                try:
                    yield from self._item(item.value, place, item.line or item.place or 1)
                except RecursionError:
                    yield BadLine(place, "is nested too deeply to be a conversation")

    def _item(self, item: Any, place: Place, number: int) -> Iterator[Line | BadLine]:
        """A message, or conversations with their turns."""
        if in_log_format(item):
            yield self._message(item, place, None)
            return
        found = conversations(item)
        for index, one in enumerate(found, 1):
            part = f"-{index}" if len(found) > 1 else ""
            yield from self._turns(one, place, f"{Path(self.name).stem}-{number}{part}")
        if not found and isinstance(item, Mapping):
            for message in self._said(item, alone=True):
                yield self._message(message, place, None)
        elif not found:
            yield BadLine(place, f'is {_kind(item)}; a message is an object such as {{"text": "…"}}')

    def _turns(self, whole: Conversation, place: Place, otherwise: str) -> Iterator[Line | BadLine]:
        self.skipped += whole.left_out
        said: list[tuple[int, Mapping[str, Any] | str]] = []
        for index, turn in enumerate(whole.turns, 1 - whole.added):
            if isinstance(turn, Mapping):
                said += [(index, message) for message in self._said({**whole.given, **turn})]
            else:
                said.append((index, f"is {_kind(turn)}, not an object"))
        words = [
            ("", message)
            if isinstance(message, str)
            else (str(role_of(message.get("role"))), str(message["text"]))
            for _, message in said
        ]
        name, known = self._threads.place(whole, words, otherwise)
        if known:
            self.skipped[REPEATED] += known
        for index, message in said[known:]:
            read = (
                BadLine(place, message) if isinstance(message, str) else self._message(message, place, name)
            )
            yield BadLine(place, f"turn {index} {read.problem}") if isinstance(read, BadLine) else read

    def _is_table(self, head: bytes) -> bool:
        """By the file's name; where that doesn't tell, by a header that names a column for the words."""
        suffix = Path(self.name.removesuffix(".gz")).suffix.lower()
        if not head or suffix in SUFFIXES:
            return bool(head)
        if suffix in _JSON_SUFFIXES or head.lstrip()[:1] in (b"[", b"{"):
            return False
        return is_header(head.decode("utf-8", "replace"))

    def _table(self, lines: Iterator[bytes], head: bytes) -> Iterator[Line | BadLine]:
        texts = (line.decode("utf-8", "surrogateescape") for line in lines)
        for row in rows(texts, delimiter_of(head.decode("utf-8", "replace"))):
            place = Place(self.name, row.line)
            if row.message is None:
                yield BadLine(place, row.problem or "cannot be read")
            elif not row.message["text"].strip():
                self.skipped[EMPTY] += 1
            else:
                yield self._message(row.message, place, None)

    def _said(self, raw: Mapping[str, Any], alone: bool = False) -> Iterator[Mapping[str, Any]]:
        """What one message of any shape gives; what is left out of it is counted. A line in the log format
        that stands by itself and has no words is a mistake; a turn of a chat may be empty."""
        said = read_message(raw)
        self.skipped += said.left_out
        for message in said.messages:
            text = message["text"]
            blank = text in (None, []) or (isinstance(text, str) and not text.strip())
            if blank and "near" not in message and not (alone and "text" in raw):
                self.skipped[EMPTY] += 1
            else:
                yield message

    def _message(self, raw: Mapping[str, Any], place: Place, conversation: str | None) -> Line | BadLine:
        text = raw.get("text")
        if not isinstance(text, str):
            near = f", only {raw['near']!r}" if raw.get("near") else ""
            return BadLine(place, f'has no "text"{near}; give the message as "text"')
        if not text.strip():
            return BadLine(place, 'has an empty "text"; leave the line out or give the words')
        speaker = raw.get("speaker")
        role = role_of(speaker) if raw.get("role") is None else role_of(raw["role"])
        if role is None and raw.get("role") is not None:
            hint = 'or a name of one (human, bot, 客户, 客服); a person belongs under "speaker"'
            return BadLine(place, f"role {raw['role']!r:.60} is none of {', '.join(ROLES)}, {hint}")
        for key in ("conversation", "speaker", "id", "user"):
            if raw.get(key) is not None and not isinstance(raw[key], (str, int)):
                return BadLine(place, f"{key!r} is {_kind(raw[key])}; a string is needed")
        expect = raw.get("expect")
        if expect is not None and not isinstance(expect, Mapping):
            return BadLine(place, f"'expect' is {_kind(expect)}; an object with forms and recall is needed")
        message: dict[str, Any] = {"text": text}
        where = raw.get("conversation") or conversation or self.conversation
        if where is not None:
            message["conversation"] = str(where)
        if role is not None:
            message["role"] = role
        if speaker is not None or role is not None:
            message["speaker"] = str(speaker if speaker is not None else role)
        if raw.get("time") is not None:
            try:
                message["time"] = iso_time(raw["time"])
            except ValueError as wrong:
                return BadLine(place, str(wrong))
        message["id"] = str(raw["id"]) if raw.get("id") is not None else self._id(message)
        user = raw.get("user")
        return Line(place, message, None if user is None else str(user), expect)

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


def read_logs(
    names: Iterable[str], conversation: str | None = None, skipped: Counter[str] | None = None
) -> Iterator[Line | BadLine]:
    """The messages of several logs, one after another; ``-`` is stdin, and a name that ends in .gz is unpacked.
    What is left out is counted in ``skipped``. OSError where a file can't be opened."""
    counted: Counter[str] = Counter() if skipped is None else skipped
    for name in names:
        if name == "-":
            reader = LogReader("stdin", conversation, stable_ids=False, skipped=counted)
            yield from reader.read(sys.stdin.buffer)
            continue
        reader = LogReader(name, conversation, skipped=counted)
        with open(name, "rb") as file:
            stream = cast("IO[bytes]", gzip.GzipFile(fileobj=file)) if name.endswith(".gz") else file
            try:
                yield from reader.read(stream)
            except (EOFError, gzip.BadGzipFile, zlib.error) as wrong:
                yield BadLine(Place(name, 0), f"is no whole gzip file ({wrong}); what follows was not read")


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


__all__ = ["BadLine", "Line", "LogReader", "Place", "read_logs"]
