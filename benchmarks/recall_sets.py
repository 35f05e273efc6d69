"""Sets of questions with the turns that answer them: what may be searched for each, and what should be found.

A *ground* is what one memory holds: the turns of one conversation, or of all conversations of a set where they are
pooled. A question may be asked in the middle of it, and then only earlier turns count.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

DATA = Path("shared/data")
NAMES = ("locomo", "beam", "realmem", "madial", "vehicle", "memdaily")
ANSWERABLE = "locomo (answerable)"  # without the questions that ask of one speaker what another one said

_ROLES = ("assistant", "tool", "system")
_BEFORE_ALL = datetime(2000, 1, 1, tzinfo=UTC)  # of turns without a time, which are the same for every system


@dataclass(frozen=True)
class Turn:
    """One turn; ``id`` is ``conversation:i``."""

    id: str
    conversation: str
    speaker: str
    text: str
    time: datetime
    session: str | None = None

    @property
    def role(self) -> str:
        return self.speaker if self.speaker in _ROLES else "user"

    @property
    def said(self) -> str:
        """``speaker: text``, the unit that all systems index and count."""
        return f"{self.speaker}: {self.text}"

    @property
    def dated(self) -> str:
        """The same as a context shows it."""
        return f"{self.speaker} ({self.time.date().isoformat()}): {self.text}"


@dataclass(frozen=True)
class Asked:
    """A question. ``before``: only so many of the ground's first turns may be searched (None: all)."""

    id: str
    text: str
    kind: str
    evidence: frozenset[str]
    before: int | None = None
    at: datetime | None = None
    answerable: bool = True


@dataclass(frozen=True)
class Ground:
    """The turns of one memory in order, and what is asked of it."""

    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Asked, ...]


def read_set(
    name: str, data: Path = DATA, wanted: Callable[[Mapping[str, Any]], bool] | None = None
) -> list[Ground]:
    """The grounds of a set that have questions. ``wanted`` chooses questions by their raw fields; by default those
    with evidence that no audit flags.

    Raises FileNotFoundError where the set is not there, SystemExit with file and line for what is not one.
    """
    turns = {raw["id"]: turns_of(raw) for raw in _lines(data / name / "conversations.jsonl")}
    asked: dict[str, list[Asked]] = {}
    for raw in _lines(data / name / "questions.jsonl"):
        if _sound(raw) if wanted is None else wanted(raw):
            ground = "all" if name == "memdaily" else raw["conversation"]
            asked.setdefault(ground, []).append(_asked(raw))
    if name == "memdaily":
        pooled = sorted((t for some in turns.values() for t in some), key=lambda t: t.time)
        turns = {"all": tuple(pooled)}
    return [Ground(id, turns[id], tuple(questions)) for id, questions in asked.items()]


def _sound(raw: Mapping[str, Any]) -> bool:
    return bool(raw.get("evidence")) and not raw.get("audit")


def _asked(raw: Mapping[str, Any]) -> Asked:
    conversation, _, place = (raw.get("asked_turn") or "").rpartition(":")
    at = raw.get("asked_at")
    return Asked(
        raw["id"],
        raw["question"],
        raw.get("kind") or "",
        frozenset(raw.get("evidence") or ()),
        int(place)
        if conversation == raw["conversation"]
        else None,  # else asked in a conversation of its own
        None if at is None else _aware(at),
        raw.get("kind") not in ("adversarial", "abstention"),
    )


def turns_of(raw: Mapping[str, Any]) -> tuple[Turn, ...]:
    """The turns of one row of ``conversations.jsonl``."""
    out: list[Turn] = []
    for turn in raw["turns"]:
        time = _aware(turn["time"]) if turn.get("time") else out[-1].time if out else _BEFORE_ALL
        out.append(
            Turn(
                f"{raw['id']}:{turn['i']}",
                raw["id"],
                turn["speaker"],
                turn["text"],
                time,
                turn.get("session"),
            )
        )
    return tuple(out)


def _aware(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    raw = json.loads(line)
                    raw["id"]
                except (KeyError, TypeError, ValueError) as wrong:
                    raise SystemExit(f"{file}, line {number}: no row of these sets: {wrong!r}") from wrong
                yield raw


__all__ = ["ANSWERABLE", "DATA", "NAMES", "Asked", "Ground", "Turn", "read_set", "turns_of"]
