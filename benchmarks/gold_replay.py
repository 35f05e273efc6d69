"""One set played into one memory: messages observed, gold changes recorded, everything read back.

A conversation's messages are taken in turn with their own texts and times; what differs between two gold states is
recorded. Reads go through ``find`` and the Forms' external ids, never by ids remembered from a receipt.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from benchmarks.conversations import Conversation, State, Turn, domain_of
from benchmarks.schema_types import from_name, to_name
from benchmarks.timeline import Held, Timeline
from forms_dynamics import FormsDynamicsError, NotFound

_TURN, _PAUSE = 60, 3600  # seconds between turns, and between conversations
_MANY = 1000  # more Forms than one conversation has

Changes = Mapping[str, Mapping[str, str | None]]  # instance → slot → new value, None where it is dropped


@dataclass(frozen=True)
class Miss:
    """Something that did not come back; ``fault`` is ours or the data's."""

    set: str
    place: str
    what: str
    fault: str

    def __str__(self) -> str:
        return f"{self.set} {self.place}: {self.what} (fault: {self.fault})"


@dataclass(frozen=True)
class Asked:
    """A turn with gold: its time, and when it arrived by the clock."""

    turn: int
    state: State
    time: datetime
    arrived: datetime


@dataclass
class Replay:
    """A set on its way into ``memory``, and what was found when it was read back (where ``check`` is set)."""

    name: str
    memory: Any
    clock: Any
    gold: str
    check: bool
    misses: list[Miss] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    recording: float = 0.0  # seconds spent in ``record``
    _last: str | None = None  # the Form with the greatest id so far: a conversation's own come after it
    _ends: dict[str, dict[str, str]] = field(default_factory=dict)  # external id → what its Form says at last

    # -- in --------------------------------------------------------------------------------------------------
    def play(self, conversation: Conversation) -> None:
        """Takes one conversation, turn by turn, and reads it back."""
        self.clock.advance(seconds=_PAUSE)
        timeline, state = Timeline(), State()
        moments = _moments(conversation)
        asked: list[Asked] = []
        for turn in conversation.turns:
            self.clock.advance(seconds=_TURN)
            moment = moments.get(turn.i) or self.clock.now()
            self._observe(conversation, turn, moment)
            if turn.state is None:
                continue
            changes = changes_between(state, turn.state)
            self._record(conversation, changes, moment)
            timeline.add(changes, moment, self.clock.now())
            state = turn.state
            asked.append(Asked(turn.i, state, moment, self.clock.now()))
            if self.check:
                said = self._forms(conversation)
                self._compare(conversation, asked[-1], "turns", "state", said, timeline.state())
        if self.check:
            self._look_back(conversation, timeline, asked)

    def _observe(self, conversation: Conversation, turn: Turn, moment: datetime) -> None:
        if not turn.text.strip():
            # a message needs a text; what the turn changed is recorded all the same
            self.counts["empty"] += 1
            return
        self.counts["messages"] += 1
        try:
            self.memory.observe(
                turn.text,
                speaker=turn.speaker,
                role=turn.role,
                conversation=conversation.id,
                time=moment,
                id=f"{conversation.id}:{turn.i}",
            )
        except FormsDynamicsError as refused:
            self._tell(f"{conversation.id} turn {turn.i}", f"message refused: {refused}")

    def _record(self, conversation: Conversation, changes: Changes, moment: datetime) -> None:
        began = time.perf_counter()
        for instance, slots in changes.items():
            self.counts["records"] += 1
            external = external_id(conversation, instance)
            try:
                self.memory.record(
                    to_name(domain_of(instance, self.gold)),
                    {to_name(slot): {"op": "clear"} if v is None else v for slot, v in slots.items()},
                    external_id=external,
                    conversation=conversation.id,
                    time=moment,
                )
            except FormsDynamicsError as refused:
                self._tell(external, f"refused: {refused}")
        self.recording += time.perf_counter() - began

    # -- back ------------------------------------------------------------------------------------------------
    def _forms(self, conversation: Conversation, status: str = "active") -> list[Any]:
        """The Forms that this conversation made: ids are ordered by arrival."""
        return list(self.memory.find(status=status, after=self._last, limit=_MANY))

    def _compare(
        self,
        conversation: Conversation,
        asked: Asked,
        count: str,
        kind: str,
        forms: Iterable[Any],
        timed: State,
    ) -> None:
        """Counts one reading of a turn's gold. Where the Forms say ``timed``, what the turns' own times make of
        the gold, the gold's order is contradicted by the data itself."""
        read, strays = self._read(conversation, forms)
        self.counts[count] += 1
        if read == asked.state and not strays:
            self.counts[f"{count} right"] += 1
            return
        told = "; ".join([*strays, *_differences(asked.state, read)])
        excused = not strays and read == timed
        fault = "the data's: its times contradict the order of its turns" if excused else "ours"
        self._tell(f"{conversation.id} turn {asked.turn}", f"{kind}: {told}", fault)

    def _read(self, conversation: Conversation, forms: Iterable[Any]) -> tuple[State, list[str]]:
        """What Forms say, by instance, and what is wrong with any of them."""
        state: State = {}
        strays: list[str] = []
        start = external_id(conversation, "")
        for form in forms:
            external = next(iter(form.external_ids)) if len(form.external_ids) == 1 else ""
            if not external.startswith(start):
                strays.append(f"Form {form.id} bears the external ids {sorted(form.external_ids)}")
                continue
            instance = external.removeprefix(start)
            if form.type != to_name(domain_of(instance, self.gold)) or instance in state:
                strays.append(f"Form {form.id} is a second {instance}, or one of type {form.type}")
                continue
            strays += [f"{instance}/{n} is pending" for n, s in form.slots.items() if s.status != "known"]
            if held := _held(form):
                state[instance] = held
        return state, strays

    def _look_back(self, conversation: Conversation, timeline: Timeline, asked: Sequence[Asked]) -> None:
        """At the end of a conversation: each earlier state as of its turn's time, and as it was known then; every
        value that was replaced."""
        forms = self._forms(conversation, "any")
        for one in asked:
            # turns that share a time, or come late, are told apart by what was known then
            known = one.arrived if timeline.mixed(one.time, one.arrived) else None
            was, timed = self._at(forms, one.time, known), timeline.state(one.time, known)
            self._compare(conversation, one, "as_of", "as-of state", was, timed)
            was, timed = self._at(forms, None, one.arrived), timeline.state(None, one.arrived)
            self._compare(conversation, one, "known_at", "state known then", was, timed)
        for held in timeline.replaced():
            self.counts["replaced"] += 1
            fault = self._unkept(conversation, held)
            if fault is None:
                self.counts["replaced right"] += 1
            else:
                self._tell(f"{conversation.id} {held.instance}/{held.slot}", fault)
        said = timeline.state()
        for instance in timeline.instances:
            self._ends[external_id(conversation, instance)] = said.get(instance, {})
        self._last = max((form.id for form in forms), default=self._last)

    def _at(self, forms: Iterable[Any], moment: datetime | None, known: datetime | None) -> Iterator[Any]:
        for form in forms:
            try:
                yield self.memory.get(form.id, as_of=moment, known_at=known)
            except NotFound:
                continue  # not there yet

    def _unkept(self, conversation: Conversation, held: Held) -> str | None:
        """What is wrong with a replaced value's place in the history; None where nothing is."""
        external, slot = external_id(conversation, held.instance), to_name(held.slot)
        forms = [f for f in self._forms(conversation, "any") if external in f.external_ids]
        if len(forms) != 1:
            return f"{len(forms)} Forms bear its external id"
        values = [(s.value, s.valid_from, s.valid_until) for s in self.memory.history(forms[0].id, slot=slot)]
        if (held.value, held.start, held.end) not in values:
            told = "; ".join(f"{v!r} from {a} until {b}" for v, a, b in values) or "nothing"
            return f"{held.value!r} held from {held.start} until {held.end}, its history says {told}"
        for version in self.memory.history(forms[0].id):
            said = version.slots.get(slot)
            if version.time == held.start and said is not None and said.value == held.value:
                return None
        return f"no version of {held.start} says {held.value!r}"

    def read_all(self) -> None:
        """Every Form once more, and the chains: no conversation has touched another's."""
        left, after = dict(self._ends), None
        while page := self.memory.find(after=after, limit=_MANY):
            after = page[-1].id
            for form in page:
                held = _held(form)
                for external in form.external_ids:
                    if left.pop(external, None) != held:
                        self._tell(external, f"in the end it says {held}")
        for external in left:
            self._tell(external, "its Form is gone")
        for problem in self.memory.verify().problems:
            self._tell("verify", problem)

    def _tell(self, place: str, what: str, fault: str = "ours") -> None:
        self.misses.append(Miss(self.name, place, what, fault))


def external_id(conversation: Conversation, instance: str) -> str:
    """The instance's key in every record of the conversation."""
    return f"{conversation.id}:{instance}"


def changes_between(before: State, after: State) -> Changes:
    """What turns one state into the next."""
    changes: dict[str, dict[str, str | None]] = {}
    for instance in dict.fromkeys([*before, *after]):
        old, new = before.get(instance, {}), after.get(instance, {})
        slots: dict[str, str | None] = {slot: None for slot in old if slot not in new}
        slots.update((slot, value) for slot, value in new.items() if old.get(slot) != value)
        if slots:
            changes[instance] = slots
    return changes


def _held(form: Any) -> dict[str, Any]:
    return {from_name(name): slot.value for name, slot in form.slots.items() if slot.value is not None}


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


def _differences(gold: State, read: State) -> Iterator[str]:
    for instance in dict.fromkeys([*gold, *read]):
        wanted, got = gold.get(instance, {}), read.get(instance, {})
        for slot in dict.fromkeys([*wanted, *got]):
            if wanted.get(slot) != got.get(slot):
                yield f"{instance}/{slot} is {wanted.get(slot)!r} in the gold, {got.get(slot)!r} in its Form"
