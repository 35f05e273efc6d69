"""Stores of the made-up year: opened with or without a life, filled a step at a time, weighed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

from benchmarks.year_talk import DAYS, START, Said, User
from forms_dynamics import Memory, Proposal
from forms_dynamics.schema import shipped
from forms_dynamics.testing import FixedClock

ARCHIVE_AFTER = 90.0
SETTINGS = {"timezone": "Asia/Shanghai", "archive_after_days": ARCHIVE_AFTER}
END = START + timedelta(days=DAYS)

FADING, EDGES, COLD, EXPIRY = "fading", "edge decay", "cold and archive", "expiry"
ALL = (FADING, EDGES, COLD, EXPIRY)


def without(folder: Path, parts: Sequence[str]) -> dict[str, Any]:
    """The shipped types and rules, less some parts of their lives, as arguments of ``Memory.open``."""
    if not parts:
        return {"settings": SETTINGS}
    folder.mkdir(parents=True, exist_ok=True)
    for kind in ("form_types", "relation_rules"):
        (folder / kind).mkdir(exist_ok=True)
        for file in shipped.files(kind):  # type: ignore[arg-type]
            documents = list(yaml.safe_load_all(file.read_text(encoding="utf-8")))
            for document in documents:
                _strip(document, parts)
            told = yaml.safe_dump_all(documents, allow_unicode=True, sort_keys=False)
            (folder / kind / file.name).write_text(told, encoding="utf-8")
    settings = {k: v for k, v in SETTINGS.items() if k != "archive_after_days" or COLD not in parts}
    return {
        "form_types": [folder / "form_types"], "relation_rules": [folder / "relation_rules"],
        "settings": settings,
    }  # fmt: skip


def _strip(document: dict[str, Any], parts: Sequence[str]) -> None:
    life, strength = document.get("life", {}), document.get("strength", {})
    if FADING in parts:
        life.pop("fade_per_day", None)
        for slot in document.get("slots", {}).values():
            slot.pop("fade_per_day", None)
    if COLD in parts:
        if "form_type" in document:
            document["life"] = life = {**life, "cold_after_days": None}
        strength.pop("cold_after_days", None)
    if EXPIRY in parts:
        life.pop("ttl_seconds", None)
        life.pop("valid_days", None)
    if EDGES in parts:
        for key in ("half_life_days", "ttl_seconds", "valid_days"):
            strength.pop(key, None)


class Extracted:
    """Gives each message's drafts by its id."""

    def __init__(self, users: Sequence[User]) -> None:
        self._drafts = {m.id: m.drafts for user in users for m in user.messages if m.drafts}

    def extract(self, message: Any, known: Any = ()) -> Any:
        return Proposal(self._drafts.get(message.id, ()))


def opened(file: Path, clock: FixedClock, how: Mapping[str, Any], **more: Any) -> Memory:
    """A memory without embedder, whatever is installed: vectors are made at a model's speed, not at a store's."""
    memory = Memory.open(file, clock=clock, **how, **more)
    return Memory(replace(memory._parts, embedder=None))


@dataclass
class Filling:
    """Brings what arrives to a store, ``step`` days at once, the clock at the end of each step."""

    memory: Memory
    clock: FixedClock
    users: Sequence[User]
    step: int = 7
    label: str = ""
    refused: int = 0
    held: int = 0
    seconds: float = 0.0
    _next: dict[str, int] = field(default_factory=dict)

    def run(self, after: Callable[[datetime], None] | None = None) -> None:
        """``after`` is called at the end of each step."""
        began, taken = time.perf_counter(), 0
        for day in range(self.step, DAYS + self.step, self.step):
            at = min(START + timedelta(days=day), END)
            self.clock.set(at)
            batch = [message for user in self.users for message in self._arrived(user, at)]
            start = time.perf_counter()
            receipts = self.memory.observe_many(_line(m) for m in batch if m.retract is None)
            self.refused += sum(bool(r.refused) for r in receipts)
            self.held += sum(bool(r.pending) for r in receipts)
            self._acts(batch)
            self.seconds += time.perf_counter() - start
            if after is not None:
                after(at)
            taken += len(batch)
            if sys.stderr.isatty() or day % 28 < self.step:
                spent = time.perf_counter() - began
                print(f"year {self.label}: day {day}, {taken:,} messages, {spent:.0f} s", file=sys.stderr)

    def _arrived(self, user: User, at: datetime) -> Iterator[Said]:
        i = self._next.get(user.id, 0)
        while i < len(user.messages) and user.messages[i].arrives < at:
            yield user.messages[i]
            i += 1
        self._next[user.id] = i

    def _acts(self, batch: Sequence[Said]) -> None:
        for message in batch:
            if message.retract is None:
                continue
            kind, slot, name = message.retract
            own = self.memory.scoped(user=message.user)
            named = {} if name is None else {own.catalog.types[kind].identity.keys[0][-1]: name}
            for form in own.find(kind, **named):
                if slot in form.slots:
                    own.retract(form.id, slot)


def _line(message: Said) -> dict[str, str]:
    return {
        "id": message.id, "text": message.text, "user": message.user, "speaker": "user",
        "conversation": message.conversation, "time": message.time.isoformat(),
    }  # fmt: skip


__all__ = [
    "ALL",
    "COLD",
    "EDGES",
    "END",
    "EXPIRY",
    "FADING",
    "SETTINGS",
    "Extracted",
    "Filling",
    "opened",
    "without",
]
