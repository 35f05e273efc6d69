"""Conversations with gold states, as the sets' ``conversations.jsonl`` hold them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

_ROLES = ("assistant", "tool", "system")

State = dict[str, dict[str, str]]  # instance → slot → value; what holds no value is left out


@dataclass(frozen=True)
class Turn:
    """One turn; ``time`` is aware or None, ``state`` None where the set has no gold for the turn."""

    i: int
    speaker: str
    text: str
    time: datetime | None
    state: State | None

    @property
    def role(self) -> str:
        return self.speaker if self.speaker in _ROLES else "user"


@dataclass(frozen=True)
class Conversation:
    id: str
    turns: tuple[Turn, ...]


def read_conversations(file: Path, gold: str = "state") -> Iterator[Conversation]:
    """The conversations of one file. ``gold`` names the field that holds the gold: ``state`` (domain → slots) or
    ``goals`` (one instance a goal, such as ``hotel#2``)."""
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                raw = json.loads(line)
                read = Conversation(raw["id"], tuple(_turn(turn, gold) for turn in raw["turns"]))
            except (KeyError, TypeError, ValueError, AttributeError) as wrong:
                raise SystemExit(
                    f"{file}, line {number}: no conversation of these sets: {wrong!r}"
                ) from wrong
            yield read


def domain_of(instance: str, gold: str = "state") -> str:
    """The domain that an instance is one of: ``hotel`` of the goal ``hotel#2``, a state's key as it is."""
    return instance.rpartition("#")[0] or instance if gold == "goals" else instance


def _turn(raw: Mapping[str, Any], gold: str) -> Turn:
    time, state = raw.get("time"), raw.get(gold)
    return Turn(
        raw["i"],
        raw["speaker"],
        raw["text"],
        None if time is None else _aware(time),
        None if state is None else _state(state),
    )


def _aware(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _state(raw: Mapping[str, Any]) -> State:
    state: State = {}
    for instance, slots in raw.items():
        held = {slot: text for slot, value in (slots or {}).items() if (text := _text(value)) is not None}
        if held:
            state[instance] = held
    return state


def _text(value: Any) -> str | None:
    """A gold value as text; None for what says nothing: null and blanks."""
    if isinstance(value, str):
        return value if value.strip() else None
    if value is None:
        return None
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict, bool)) else str(value)
