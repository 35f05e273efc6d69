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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.conversations import Conversation, State, Turn, domain_of, read_conversations
from benchmarks.rows import Row
from benchmarks.schema_types import SchemaTypes, from_name, to_name
from benchmarks.timeline import Held, Timeline

SETS = ("crosswoz", "star", "multiwoz_zh", "multiwoz", "sgd", "woz", "sim", "hr", "risawoz", "multidogo")
GOALS = frozenset({"crosswoz"})  # its `state` is the system's side; the user's is one instance a goal
_START = datetime(2026, 1, 1, tzinfo=UTC)
_TURN, _PAUSE = 60, 3600  # seconds between turns, and between conversations
_MANY = 1000  # more Forms than one conversation has

OpenMemory = Callable[[Path, Any], Any]  # (folder of form types, clock) → a Memory in a new, empty store


def run(arguments: argparse.Namespace) -> list[Row]:
    """Rows of every set that is there."""
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
    types = SchemaTypes(schema, _values(conversations, gold))
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        files = types.write(Path(folder, "form_types"))
        opener = open_memory or _in_file(Path(folder))
        first, exported = _play(name, conversations, files, opener, gold, True)
        second, again = _play(name, conversations, files, opener, gold, False)
    identical = exported == again
    first.seconds.extend(second.seconds)
    return _rows(name, first, identical, types, time.perf_counter() - began), first.misses


def _play(
    name: str, conversations: Sequence[Conversation], files: Path, opener: OpenMemory, gold: str, check: bool
) -> tuple[Replay, str]:
    """One replay of the set, and the digest of what it exports."""
    from forms_dynamics.testing import FixedClock

    clock = FixedClock(_start(conversations))
    with opener(files, clock) as memory:
        replay = Replay(name, memory, clock, gold, check)
        for conversation in conversations:
            replay.play(conversation)
        if check:
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


def _values(conversations: Iterable[Conversation], gold: str) -> Iterable[tuple[str, str, str]]:
    """(domain, slot, value) of all that the gold holds."""
    found: dict[tuple[str, str, str], None] = {}
    for conversation in conversations:
        for turn in conversation.turns:
            for instance, slots in (turn.state or {}).items():
                domain = domain_of(instance, gold)
                found.update(((domain, slot, value), None) for slot, value in slots.items())
    return found


@dataclass(frozen=True)
class Miss:
    """Something that did not come back; ``fault`` is ours or the data's."""

    set: str
    place: str
    what: str
    fault: str

    def __str__(self) -> str:
        return f"{self.set} {self.place}: {self.what} (fault: {self.fault})"


@dataclass
class Replay:
    """A set on its way into one memory, and what was found when it was read back."""

    name: str
    memory: Any
    clock: Any
    gold: str
    check: bool
    misses: list[Miss] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)  # of each conversation's writes
    _last: str | None = None  # the Form with the greatest id so far: a conversation's own come after it
    _ends: dict[str, dict[str, str]] = field(
        default_factory=dict
    )  # external id → what its Form says in the end

    # -- in --------------------------------------------------------------------------------------------------
    def play(self, conversation: Conversation) -> None:
        """Takes one conversation, turn by turn, and reads it back."""
        self.clock.advance(seconds=_PAUSE)
        timeline = Timeline()
        moments = _moments(conversation)
        state: State = {}
        spent = 0.0
        asked: list[tuple[Turn, datetime, datetime]] = []  # turns with gold, their time and arrival
        for turn in conversation.turns:
            self.clock.advance(seconds=_TURN)
            moment = moments.get(turn.i) or self.clock.now()
            began = time.perf_counter()
            self._observe(conversation, turn, moment)
            if turn.state is not None:
                changes = _changes(state, turn.state)
                self._record(conversation, changes, moment)
                spent += time.perf_counter() - began
                timeline.add(changes, moment, self.clock.now())
                state = turn.state
                asked.append((turn, moment, self.clock.now()))
                if self.check:
                    self._compare(conversation, turn, timeline, moment)
            else:
                spent += time.perf_counter() - began
        self.seconds.append(spent)
        if self.check:
            self._look_back(conversation, timeline, asked)
            forms = self._forms(conversation)
            self._last = max((form.id for form in forms), default=self._last)
            said = timeline.state()
            for instance in timeline.instances:
                self._ends[_external(conversation, instance)] = said.get(instance, {})

    def _observe(self, conversation: Conversation, turn: Turn, moment: datetime) -> None:
        if not turn.text.strip():
            self.counts["empty"] += (
                1  # a message needs a text; what the turn changed is recorded all the same
            )
            return
        self.counts["messages"] += 1
        self.memory.observe(
            turn.text,
            speaker=turn.speaker,
            role=turn.role,
            conversation=conversation.id,
            time=moment,
            id=f"{conversation.id}:{turn.i}",
        )

    def _record(
        self, conversation: Conversation, changes: dict[str, dict[str, str | None]], moment: datetime
    ) -> None:
        from forms_dynamics import FormsDynamicsError

        for instance, slots in changes.items():
            self.counts["records"] += 1
            external = _external(conversation, instance)
            try:
                self.memory.record(
                    to_name(domain_of(instance, self.gold)),
                    {to_name(slot): {"op": "clear"} if v is None else v for slot, v in slots.items()},
                    external_id=external,
                    conversation=conversation.id,
                    time=moment,
                )
            except FormsDynamicsError as refused:
                self.misses.append(Miss(self.name, external, f"refused: {refused}", "ours"))

    # -- back ------------------------------------------------------------------------------------------------
    def _forms(self, conversation: Conversation, status: str = "active") -> list[Any]:
        """The Forms that this conversation made: ids are ordered by arrival."""
        return list(self.memory.find(status=status, after=self._last, limit=_MANY))

    def _compare(self, conversation: Conversation, turn: Turn, timeline: Timeline, moment: datetime) -> None:
        assert turn.state is not None
        read, strays = self._read(conversation, self._forms(conversation))
        self.counts["turns"] += 1
        if read == turn.state and not strays:
            self.counts["right"] += 1
            return
        excused = not strays and read == timeline.state()
        self._miss(conversation, turn, "state", turn.state, read, strays, excused)

    def _read(self, conversation: Conversation, forms: Iterable[Any]) -> tuple[State, list[str]]:
        """What Forms say, by instance, and what is wrong with any of them."""
        state: State = {}
        strays: list[str] = []
        start = f"{conversation.id}:"
        for form in forms:
            instances = [e.removeprefix(start) for e in form.external_ids if e.startswith(start)]
            if len(form.external_ids) != 1 or len(instances) != 1:
                strays.append(f"Form {form.id} bears the external ids {sorted(form.external_ids)}")
                continue
            (instance,) = instances
            if form.type != to_name(domain_of(instance, self.gold)) or instance in state:
                strays.append(f"Form {form.id} is a second {instance}, or one of type {form.type}")
                continue
            slots = {from_name(n): slot.value for n, slot in form.slots.items() if slot.status == "known"}
            strays += [
                f"{instance}/{from_name(n)} is pending" for n, s in form.slots.items() if s.status != "known"
            ]
            held = {name: value for name, value in slots.items() if value is not None}
            if held:
                state[instance] = held
        return state, strays

    def _look_back(
        self,
        conversation: Conversation,
        timeline: Timeline,
        asked: Sequence[tuple[Turn, datetime, datetime]],
    ) -> None:
        """Each earlier state once more, as of its turn's time; then every value that was replaced."""
        ids = [form.id for form in self._forms(conversation, "any")]
        for turn, moment, arrived in asked:
            assert turn.state is not None
            # turns that share a time, or came late, are told apart by what was known then
            known = arrived if timeline.mixed(moment, arrived) else None
            forms = self._as_of(ids, moment, known)
            read, strays = self._read(conversation, forms)
            self.counts["as_of"] += 1
            if read == turn.state and not strays:
                self.counts["as_of_right"] += 1
                continue
            excused = not strays and read == timeline.state(moment, known)
            self._miss(conversation, turn, "as-of state", turn.state, read, strays, excused)
        for held in timeline.replaced():
            self.counts["replaced"] += 1
            fault = self._kept(conversation, held)
            if fault is None:
                self.counts["kept"] += 1
            else:
                place = f"{conversation.id} {held.instance}/{held.slot}"
                self.misses.append(Miss(self.name, place, fault, "ours"))

    def _as_of(self, ids: Iterable[str], moment: datetime, known: datetime | None) -> list[Any]:
        from forms_dynamics import NotFound

        forms = []
        for id in ids:
            try:
                forms.append(self.memory.get(id, as_of=moment, known_at=known))
            except NotFound:
                continue  # not there yet
        return forms

    def _kept(self, conversation: Conversation, held: Held) -> str | None:
        """What is wrong with a replaced value's place in the history; None where nothing is."""
        external, slot = _external(conversation, held.instance), to_name(held.slot)
        forms = [f for f in self._forms(conversation, "any") if external in f.external_ids]
        if len(forms) != 1:
            return f"{len(forms)} Forms bear its external id"
        values = [(s.value, s.valid_from, s.valid_until) for s in self.memory.history(forms[0].id, slot=slot)]
        if (held.value, held.start, held.end) not in values:
            told = "; ".join(f"{v!r} from {a} until {b}" for v, a, b in values) or "nothing"
            return f"{held.value!r} held from {held.start} until {held.end}, its history says {told}"
        versions = self.memory.history(forms[0].id)
        if not any(
            v.time == held.start and slot in v.slots and v.slots[slot].value == held.value for v in versions
        ):
            return f"no version of {held.start} says {held.value!r}"
        return None

    def _miss(
        self,
        conversation: Conversation,
        turn: Turn,
        kind: str,
        gold: State,
        read: State,
        strays: Sequence[str],
        excused: bool,
    ) -> None:
        """``excused``: the Forms say what the turns' own times make of the gold, which is not the gold's order."""
        told = "; ".join([*strays, *_differences(gold, read)])
        fault = "the data's: its times contradict the order of its turns" if excused else "ours"
        self.misses.append(Miss(self.name, f"{conversation.id} turn {turn.i}", f"{kind}: {told}", fault))

    def read_all(self) -> None:
        """Every Form once more, and the chains: no conversation has touched another's."""
        left, after = dict(self._ends), None
        while page := self.memory.find(after=after, limit=_MANY):
            after = page[-1].id
            for form in page:
                held = {from_name(n): slot.value for n, slot in form.slots.items() if slot.value is not None}
                for external in form.external_ids:
                    if left.pop(external, None) != held:
                        self.misses.append(Miss(self.name, external, f"in the end it says {held}", "ours"))
        self.misses.extend(Miss(self.name, external, "its Form is gone", "ours") for external in left)
        verified = self.memory.verify()
        self.counts["versions"] = verified.versions
        self.misses.extend(Miss(self.name, "verify", problem, "ours") for problem in verified.problems)


def _external(conversation: Conversation, instance: str) -> str:
    return f"{conversation.id}:{instance}"


def _moments(conversation: Conversation) -> dict[int, datetime]:
    """The turns' own times; a turn without one has the one before it, the first ones the first that there is;
    empty for a conversation without times."""
    told = [turn.time for turn in conversation.turns if turn.time is not None]
    if not told:
        return {}
    moments: dict[int, datetime] = {}
    last = told[0]
    for turn in conversation.turns:
        last = turn.time or last
        moments[turn.i] = last
    return moments


def _changes(before: State, after: State) -> dict[str, dict[str, str | None]]:
    """What turns one state into the next: instance → slot → the new value, None where it is dropped."""
    changes: dict[str, dict[str, str | None]] = {}
    for instance in dict.fromkeys([*before, *after]):
        old, new = before.get(instance, {}), after.get(instance, {})
        slots: dict[str, str | None] = {slot: None for slot in old if slot not in new}
        slots.update((slot, value) for slot, value in new.items() if old.get(slot) != value)
        if slots:
            changes[instance] = slots
    return changes


def _differences(gold: State, read: State) -> Iterator[str]:
    for instance in dict.fromkeys([*gold, *read]):
        wanted, got = gold.get(instance, {}), read.get(instance, {})
        for slot in dict.fromkeys([*wanted, *got]):
            if wanted.get(slot) != got.get(slot):
                yield f"{instance}/{slot} is {wanted.get(slot)!r} in the gold, {got.get(slot)!r} in its Form"


def _rows(name: str, first: Replay, identical: bool, types: SchemaTypes, took: float) -> list[Row]:
    counts = first.counts
    misses = Counter("ours" if miss.fault == "ours" else "the data's" for miss in first.misses)
    notes = [f"{len(types.documents)} form types, {types.enums} enums", types.note()]
    if counts["empty"]:
        notes.append(f"{counts['empty']} turns without a text are no messages, their changes are recorded")
    if misses:
        notes.append("misses: " + ", ".join(f"{n} {whose}" for whose, n in sorted(misses.items())))
    written = sum(first.seconds)
    records = 2 * counts["records"]

    def row(figure: str, value: float, n: int, note: str = "") -> Row:
        return Row(name, "ours", figure, value, n, note)

    def share(part: str, of: str) -> float:
        return counts[part] / counts[of] if counts[of] else 1.0

    return [
        row("joint_state_accuracy", share("right", "turns"), counts["turns"], "; ".join(filter(None, notes))),
        row("versions_kept", share("kept", "replaced"), counts["replaced"]),
        row("replay_identical", float(identical), counts["messages"] + counts["records"]),
        row("as_of_accuracy", share("as_of_right", "as_of"), counts["as_of"]),
        row("records_per_s", round(records / written, 1) if written else 0.0, records),
        row("seconds", round(took, 1), 1),
    ]
