"""What is understood of task-oriented conversations by Form types made from a set's ``schema.json`` alone.

Every turn is observed as it was said; nothing of the conversations is known beforehand. A slot is *accepted* when a
user's turn gives it a value that it did not hold. Against the gold as it stands (the state after that turn):

- ``accepted_precision``: the share of accepted slots whose value the gold holds;
- ``accepted_recall``: of the values that the gold gains at a user's turn and that stand in that turn's words, the
  share that is held after it; ``accepted_recall_answered``: the same in the second run of below;
- ``questions_per_turn``: questions asked, a user turn;
- ``joint_goal_accuracy``: turns after which all that is held is all that the gold holds;
- ``joint_goal_accuracy_answered``: the same in a second run, in which each pending slot is answered at once with the
  gold's value (refused where the gold has none).

A set whose task gives a dialogue its services (sgd) has only their types loaded for it, as its own systems do; the
rows of ``sgd_all`` are with all of them at once. ``audited_precision``: of the accepted slots that were drawn at
random and judged by hand (``audits/``, without words of the sets), the share that the user's words bear out; the
note has its Wilson interval.

Values are compared as the sets' own scorers do: folded in case, width and script, numbers and clock times by
value, the free texts of sgd by similarity.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from benchmarks.agreement import agrees, stands_in
from benchmarks.conversations import Conversation, State, Turn, read_conversations
from benchmarks.rows import Row, interval
from benchmarks.schema_types import SchemaTypes, from_name, to_name

SETS = ("sgd", "star", "multiwoz", "multiwoz_zh", "crosswoz", "risawoz", "woz", "sim", "hr", "multidogo")
SERVICES = frozenset({"sgd"})  # a dialogue comes with the services that it is about
AUDITS = Path(__file__).with_name("audits")
_START = datetime(2026, 1, 1, 9, tzinfo=UTC)

Key = tuple[str, str]  # domain, slot


@dataclass(frozen=True)
class Accepted:
    """A slot that a turn filled, beside what the gold says of it after the turn."""

    conversation: str
    turn: int
    domain: str
    slot: str
    value: str
    gold: str | None
    right: bool


@dataclass
class Played:
    """One set played once."""

    name: str
    answering: bool
    counts: Counter[str] = field(default_factory=Counter)
    accepted: list[Accepted] = field(default_factory=list)
    missed: list[tuple[str, int, str, str, str]] = field(default_factory=list)
    questions: list[tuple[str, int, str, str]] = field(default_factory=list)


def run(arguments: argparse.Namespace) -> list[Row]:
    """Rows of every set that is there."""
    if arguments.data is None:
        raise SystemExit("understanding needs --data: a folder with one folder a set")
    rows: list[Row] = []
    for name in arguments.sets.split(",") if arguments.sets else SETS:
        source = arguments.data / name
        if not (source / "conversations.jsonl").is_file() or not (source / "schema.json").is_file():
            print(f"{name}: not there, skipped", file=sys.stderr)
            continue
        rows.extend(measure(name, source, arguments.keep))
        if name in SERVICES and arguments.sets is None:
            rows.extend(measure(name, source, None, f"{name}_all", services=False))
    return rows


def measure(
    name: str, source: Path, keep: Path | None = None, shown: str | None = None, services: bool = True
) -> list[Row]:
    """The figures of one set; ``keep``: a folder for what was accepted, missed and asked, a line each. ``shown``: the
    name in the rows; ``services``: where the set's task gives a dialogue its services, only these are loaded."""
    conversations = list(read_conversations(source / "conversations.jsonl"))
    types = SchemaTypes(json.loads((source / "schema.json").read_text(encoding="utf-8")))
    given = services and name in SERVICES
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        files = types.write(Path(folder, "form_types"))
        once = play(name, conversations, files, answering=False, services=given)
        took = time.perf_counter() - began
        answered = play(name, conversations, files, answering=True, services=given)
    if keep is not None:
        _write(keep / name, once)
    return _rows(shown or name, once, answered, types, took)


def play(
    name: str, conversations: Sequence[Conversation], files: Path, answering: bool, services: bool = False
) -> Played:
    """Observes every conversation in a new memory; ``answering``: pending slots are answered with the gold.
    ``services``: a memory has the types of a dialogue's own services alone."""
    from forms_dynamics import Memory
    from forms_dynamics.testing import FixedClock

    played = Played(name, answering)
    clock = FixedClock(_START)
    together: dict[tuple[str, ...], list[Conversation]] = {}
    for conversation in conversations:
        together.setdefault(_services(conversation) if services else (), []).append(conversation)
    for domains, some in together.items():
        chosen = [_file_of(files, domain) for domain in domains] or [files]
        with Memory.open(":memory:", form_types=chosen, relation_rules=[], clock=clock) as memory:
            for conversation in some:
                _Conversation(memory, clock, played, conversation).play()
    return played


def _services(conversation: Conversation) -> tuple[str, ...]:
    """The services that the dialogue is about."""
    return tuple(sorted({domain for turn in conversation.turns for domain in turn.state or ()}))


def _file_of(files: Path, domain: str) -> Path:
    return next(file for file in sorted(files.glob("*.yaml")) if _declares(file, to_name(domain)))


@lru_cache(maxsize=1000)
def _declares(file: Path, form_type: str) -> bool:
    return f'"form_type": "{form_type}"' in file.read_text(encoding="utf-8")


class _Conversation:
    """One conversation on its way into the memory."""

    def __init__(self, memory: Any, clock: Any, played: Played, conversation: Conversation) -> None:
        self._memory, self._clock, self._played, self._conversation = memory, clock, played, conversation
        self._forms: dict[str, None] = {}
        self._held: dict[Key, str] = {}

    def play(self) -> None:
        self._clock.advance(seconds=3600)
        gold: State = {}
        for turn in self._conversation.turns:
            self._clock.advance(seconds=60)
            receipt = self._observe(turn)
            if turn.role != "user" or turn.state is None:
                continue
            if receipt is not None and self._played.answering:
                self._answer(receipt, turn.state)
            self._judge(turn, gold)
            gold = turn.state

    def _observe(self, turn: Turn) -> Any:
        if not turn.text.strip():
            return None
        at = turn.time or self._clock.now()
        receipt = self._memory.observe(
            turn.text, speaker=turn.speaker, role=turn.role, conversation=self._conversation.id,
            time=at, id=f"{self._conversation.id}:{turn.i}",
        )  # fmt: skip
        self._forms.update(dict.fromkeys(receipt.forms))
        if turn.role == "user":
            self._played.counts["questions"] += len(receipt.questions)
            self._played.questions.extend(
                (self._conversation.id, turn.i, turn.text, q) for q in receipt.questions
            )
        return receipt

    def _answer(self, receipt: Any, state: State) -> None:
        from forms_dynamics import FormsDynamicsError

        wanted = set(receipt.pending)
        for item in [p for p in self._memory.pending() if p.id in wanted]:
            truth = state.get(from_name(item.form_type), {}).get(from_name(item.slot or ""))
            try:
                if truth is None:
                    self._memory.refuse(item.id)
                else:
                    done = self._memory.confirm(item.id, truth)
                    self._forms.update(dict.fromkeys(done.forms))
            except FormsDynamicsError:
                self._played.counts["unanswerable"] += 1

    def _judge(self, turn: Turn, before: State) -> None:
        played, state = self._played, turn.state or {}
        held = dict(self._read())
        played.counts["turns"] += 1
        gold = {(d, s): v for d, slots in state.items() for s, v in slots.items()}
        for key, value in held.items():
            if self._held.get(key) != value:
                right = key in gold and agrees(played.name, value, gold[key])
                played.accepted.append(
                    Accepted(self._conversation.id, turn.i, *key, value, gold.get(key), right)
                )
        old = {(d, s): v for d, slots in before.items() for s, v in slots.items()}
        for key, value in gold.items():
            if old.get(key) != value and stands_in(value, turn.text):
                played.counts["literal"] += 1
                if key in held and agrees(played.name, held[key], value):
                    played.counts["found"] += 1
                else:
                    played.missed.append((self._conversation.id, turn.i, *key, value))
        played.counts["joint"] += held.keys() == gold.keys() and all(
            agrees(played.name, held[key], gold[key]) for key in held
        )
        self._held = held

    def _read(self) -> Iterator[tuple[Key, str]]:
        for id in self._forms:
            form = self._memory.get(id)
            if form.status != "active":
                continue
            for name, slot in form.slots.items():
                if slot.status == "known" and slot.value is not None:
                    yield (from_name(form.type), from_name(name)), _text(slot.value)


def _text(value: Any) -> str:
    if isinstance(value, (tuple, list, frozenset)):
        return ", ".join(_text(part) for part in value)
    return str(value)


def _rows(name: str, once: Played, answered: Played, types: SchemaTypes, took: float) -> list[Row]:
    counts = once.counts
    right = sum(a.right for a in once.accepted)
    turns = counts["turns"]

    def row(figure: str, value: float | None, n: int, note: str = "") -> Row:
        return Row(name, "ours", figure, None if value is None else round(value, 4), n, note)

    def share(figure: str, part: int, whole: int, note: str = "") -> Row:
        return row(figure, part / whole if whole else None, whole, note)

    return [
        share("accepted_precision", right, len(once.accepted), types.note()),
        *_audited(name, once),
        share("accepted_recall", counts["found"], counts["literal"]),
        share("accepted_recall_answered", answered.counts["found"], answered.counts["literal"]),
        share("questions_per_turn", counts["questions"], turns),
        share("joint_goal_accuracy", counts["joint"], turns),
        share("joint_goal_accuracy_answered", answered.counts["joint"], answered.counts["turns"]),
        row("seconds", round(took, 1), 1),
    ]


def _audited(name: str, once: Played) -> list[Row]:
    """The verdicts by hand on those of the accepted slots that were drawn for it."""
    file = AUDITS / f"{name}.jsonl"
    if not file.is_file():
        return []
    verdicts = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        verdicts[one["conversation"], one["turn"], one["domain"], one["slot"], one["hash"]] = one["right"]
    found = [
        verdicts[key]
        for a in once.accepted
        if (key := (a.conversation, a.turn, a.domain, a.slot, digest(a.value))) in verdicts
    ]
    if not found:
        return []
    note = f"audited: {sum(found)} of {len(found)} right {interval(sum(found), len(found))}"
    return [Row(name, "ours", "audited_precision", round(sum(found) / len(found), 4), len(found), note)]


def _write(folder: Path, played: Played) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "accepted.jsonl").open("w", encoding="utf-8") as out:
        for one in played.accepted:
            out.write(json.dumps({**one.__dict__, "hash": digest(one.value)}, ensure_ascii=False) + "\n")
    for kind in ("missed", "questions"):
        with (folder / f"{kind}.jsonl").open("w", encoding="utf-8") as out:
            for line in getattr(played, kind):
                out.write(json.dumps(line, ensure_ascii=False) + "\n")


def digest(value: str) -> str:
    """A value's name in the audits, which hold no words of the sets."""
    return hashlib.sha256(value.encode()).hexdigest()[:12]


__all__ = ["Accepted", "Played", "measure", "play", "run"]
