"""The messages of a log, read once: how many, by whom, in which language, and the words of those that are shown."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from forms_dynamics.language.normal import language

_BEFORE = 2  # messages shown before a telling one
_LONG = 600  # characters of a message that a report shows
_LONG_BEFORE = 200
# controls have no place in HTML and speak to terminals, lone surrogates have none in UTF-8, and overrides would turn
# what follows
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufffe\uffff]")


class Line(NamedTuple):
    """A message in short."""

    role: str
    speaker: str | None
    text: str


class Message(NamedTuple):
    """The words of a message and what was said just before it."""

    speaker: str | None
    text: str
    before: tuple[Line, ...]


@dataclass
class Said:
    """``users``: how many the log names; None where it names none. ``language``: that of most messages."""

    turns: int = 0
    user_turns: int = 0
    users: int | None = None
    language: str = "en"
    words: dict[tuple[str, str], Message] = field(default_factory=dict)


def read_messages(messages: Iterable[Mapping[str, Any]], wanted: Collection[tuple[str, str]]) -> Said:
    """Reads a log from start to end, keeping words of the (conversation, id) ``wanted`` only."""
    out = Said()
    talks = {conversation for conversation, _ in wanted}
    recent: dict[str, deque[Line]] = {talk: deque(maxlen=_BEFORE) for talk in talks}
    users: set[str] = set()
    chinese = 0
    for message in messages:
        text = str(message.get("text") or "")
        role = str(message.get("role") or "user")
        speaker = message.get("speaker")
        talk = str(message.get("conversation"))
        out.turns += 1
        out.user_turns += role == "user"
        if message.get("user") is not None:
            users.add(str(message["user"]))
        chinese += 1 if language(text) == "zh" else -1
        if talk in recent:
            name = None if speaker is None else str(speaker)
            key = (talk, str(message.get("id")))
            if key in wanted:
                out.words[key] = Message(name, cut(text, _LONG), tuple(recent[talk]))
            recent[talk].append(Line(role, name, cut(text, _LONG_BEFORE)))
    out.users = len(users) or None
    out.language = "zh" if chinese > 0 else "en"
    return out


def cut(text: str, most: int) -> str:
    """``text``, with an ellipsis where it is longer than ``most`` characters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def visible(text: object) -> str:
    """``text`` with what a page or a terminal may not hold, or would be bent by, as U+ numbers in brackets."""
    lines = str(text).replace("\r\n", "\n").replace("\r", "\n")
    return _UNFIT.sub(lambda found: f"[U+{ord(found[0]):04X}]", lines)


__all__ = ["Line", "Message", "Said", "cut", "read_messages", "visible"]
