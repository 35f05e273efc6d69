"""What callers give: texts, names and times that every store can keep; InvalidInput says what would do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any

from forms_dynamics.errors import InvalidInput
from forms_dynamics.schema.findings import nearest

_FIRST, _LAST = datetime(1, 1, 3, tzinfo=UTC), datetime(9999, 12, 29, tzinfo=UTC)


def check_text(text: Any, what: str = "text") -> str:
    """A text that both stores can keep; InvalidInput otherwise."""
    if not isinstance(text, str):
        raise InvalidInput(f"{what} is a string, not {type(text).__name__}")
    if what == "text" and not text.strip():
        raise InvalidInput("a message needs a text")
    if "\x00" in text:
        raise InvalidInput(f"{what} holds a NUL character at {text.index(chr(0))}; remove it")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as lone:
        raise InvalidInput(f"{what} holds half a character (a lone surrogate) at {lone.start}") from None
    return text


def check_name(what: str, name: Any) -> str:
    """An id, speaker or conversation: a non-empty line of at most 500 characters."""
    if not isinstance(name, str) or not name.strip():
        raise InvalidInput(f"{what} is a non-empty string, not {name!r}")
    check_text(name, what)
    if len(name) > 500 or "\n" in name:
        raise InvalidInput(f"{what} is one line of at most 500 characters")
    return name


def role_of(message: Mapping[str, Any]) -> Any:
    """The role of a message of a log: as given, else as its speaker is called, else user."""
    speaker = message.get("speaker")
    return message.get("role") or (speaker if speaker in ("assistant", "tool", "system") else "user")


def parse_time(raw: Any, zone: tzinfo | None) -> datetime:
    """An aware time from a datetime or ISO 8601 text; naive ones take ``zone`` or are InvalidInput."""
    if isinstance(raw, str):
        try:
            moment = datetime.fromisoformat(raw)
        except ValueError:
            raise InvalidInput(f"{raw!r} is no ISO 8601 time, such as 2026-06-12T10:00:00+08:00") from None
    elif isinstance(raw, datetime):
        moment = raw
    else:
        raise InvalidInput(f"a time is a datetime or ISO 8601 text, not {type(raw).__name__}")
    if moment.tzinfo is None:
        if zone is None:
            raise InvalidInput(f"{raw} has no offset; add one (+08:00) or set settings.timezone")
        moment = moment.replace(tzinfo=zone)
    if not _FIRST < moment < _LAST:
        raise InvalidInput(f"{raw} lies outside the years that can be kept")
    return moment


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """``; did you mean 'x'?`` where one of ``names`` is near, and all of them where they are few; may be
    empty."""
    known = list(names)
    near = nearest(str(name), known)
    hint = f"; did you mean {near!r}?" if near is not None else ""
    return hint + (f" (there are: {', '.join(known)})" if len(known) <= 12 else "")


def no_slot(form_type: str, slot: str, slots: Iterable[str]) -> str:
    """What is said of a slot that its type does not declare."""
    return f"{form_type} has no slot {slot!r}{did_you_mean(slot, slots)}"


def no_type(form_type: str, types: Iterable[str]) -> str:
    """What is said of a Form type that is not loaded."""
    return f"no Form type {form_type!r}{did_you_mean(form_type, types)}"
