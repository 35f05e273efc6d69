"""Real conversations kept without loss: gold states entered as structured input, message by message, read back.

Form types are made from a set's ``schema.json``. A conversation's messages are observed with their own texts and
times (an extractor that proposes nothing stands for the model), and what changed between two gold states is
recorded: a new value sets its slot, a value that the next state no longer holds clears it. After every turn with
gold the Forms that are active must say exactly the gold; at the end of a conversation the earlier states and every
replaced value are read back, and at the end of a set each Form once more.

A Form without values says nothing, so it is no part of a state: a domain that drops out of the gold is a Form
whose slots are cleared. A set without times gets a minute a turn. Values are compared as they are spelt.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.conversations import Conversation, domain_of, read_conversations
from benchmarks.gold_replay import Miss, Replay
from benchmarks.rows import Row
from benchmarks.schema_types import SchemaTypes

SETS = ("crosswoz", "star", "multiwoz_zh", "multiwoz", "sgd", "woz", "sim", "hr", "risawoz", "multidogo")
GOALS = frozenset({"crosswoz"})  # its `state` is the system's side; the user's is one instance a goal
_START = datetime(2026, 1, 1, tzinfo=UTC)

OpenMemory = Callable[[Path, Any], Any]  # (folder of form types, clock) → a Memory in a new, empty store


def run(arguments: argparse.Namespace) -> list[Row]:
    """Rows of every set that is there; each miss is printed."""
    if arguments.data is None:
        raise SystemExit("state needs --data: a folder with one folder a set")
    rows: list[Row] = []
    for name in SETS:
        source = arguments.data / name
        if not (source / "conversations.jsonl").is_file() or not (source / "schema.json").is_file():
            print(f"{name}: not there, skipped", file=sys.stderr)
            continue
        measured, misses = measure(name, source)
        rows.extend(measured)
        for miss in misses:
            print(miss)
    return rows


def measure(
    name: str, source: Path, open_memory: OpenMemory | None = None
) -> tuple[list[Row], Sequence[Miss]]:
    """The figures of one set, and every miss. The set is played twice, into two stores of its own."""
    gold = "goals" if name in GOALS else "state"
    conversations = list(read_conversations(source / "conversations.jsonl", gold))
    schema = json.loads((source / "schema.json").read_text(encoding="utf-8"))
    types = SchemaTypes(schema, values_of(conversations, gold))
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        files = types.write(Path(folder, "form_types"))
        opener = open_memory or _in_file(Path(folder))
        first, exported = _play(Replay(name, None, None, gold, True), conversations, files, opener)
        second, again = _play(Replay(name, None, None, gold, False), conversations, files, opener)
    first.recording += second.recording
    return _rows(first, exported == again, types, time.perf_counter() - began), first.misses


def _play(
    replay: Replay, conversations: Sequence[Conversation], files: Path, opener: OpenMemory
) -> tuple[Replay, str]:
    """The set in a new store under a clock of its own, and the digest of what that store exports."""
    from forms_dynamics.testing import FixedClock

    replay.clock = FixedClock(_start(conversations))
    with opener(files, replay.clock) as memory:
        replay.memory = memory
        for conversation in conversations:
            replay.play(conversation)
        if replay.check:
            replay.read_all()
        digest = hashlib.sha256()
        for row in memory.export():
            digest.update(json.dumps(row, ensure_ascii=False).encode() + b"\n")
    return replay, digest.hexdigest()


def _in_file(folder: Path) -> OpenMemory:
    def opener(files: Path, clock: Any) -> Any:
        from forms_dynamics import Memory
        from forms_dynamics.testing import ScriptedExtractor

        number = len(list(folder.glob("*.db")))
        return Memory.open(
            folder / f"{number}.db",
            form_types=[files],
            relation_rules=[],
            extractor=ScriptedExtractor({}),
            clock=clock,
        )

    return opener


def _start(conversations: Iterable[Conversation]) -> datetime:
    """When the clock starts: after all that the set tells, so that no event lies in the future."""
    times = [turn.time for c in conversations for turn in c.turns if turn.time is not None]
    return max([_START, *(t.astimezone(UTC) + timedelta(days=1) for t in times)])


def values_of(conversations: Iterable[Conversation], gold: str) -> Iterable[tuple[str, str, str]]:
    """(domain, slot, value) of all that the gold holds."""
    found: dict[tuple[str, str, str], None] = {}
    for conversation in conversations:
        for turn in conversation.turns:
            for instance, slots in (turn.state or {}).items():
                domain = domain_of(instance, gold)
                found.update(((domain, slot, value), None) for slot, value in slots.items())
    return found


def _rows(first: Replay, identical: bool, types: SchemaTypes, took: float) -> list[Row]:
    counts = first.counts
    notes = [f"{len(types.documents)} form types, {types.enums} enums", types.note()]
    if counts["empty"]:
        notes.append(f"{counts['empty']} turns without a text are no messages, their changes are recorded")
    if not counts["replaced"]:
        notes.append("no value was ever replaced")
    if first.misses:
        faults = Counter("ours" if miss.fault == "ours" else "the data's" for miss in first.misses)
        notes.append("misses: " + ", ".join(f"{n} {whose}" for whose, n in sorted(faults.items())))

    def row(figure: str, value: float, n: int, note: str = "") -> Row:
        return Row(first.name, "ours", figure, value, n, note)

    def share(figure: str, of: str, note: str = "") -> Row:
        return row(figure, counts[f"{of} right"] / counts[of] if counts[of] else 1.0, counts[of], note)

    records = 2 * counts["records"]
    return [
        share("joint_state_accuracy", "turns", "; ".join(filter(None, notes))),
        share("versions_kept", "replaced"),
        row("replay_identical", float(identical), counts["messages"] + counts["records"]),
        share("as_of_accuracy", "as_of"),
        share("known_at_accuracy", "known_at"),
        row("records_per_s", round(records / first.recording, 1) if records else 0.0, records),
        row("seconds", round(took, 1), 1),
    ]
