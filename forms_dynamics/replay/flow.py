"""One run of the write flow over a recording, in a store of its own, and what its turns are worth."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from forms_dynamics.compose import Parts
from forms_dynamics.intake import Taken, Talk
from forms_dynamics.memory import Memory
from forms_dynamics.model.message import Message, Receipt
from forms_dynamics.model.record import ChangeSet, PendingRecord, VersionRecord
from forms_dynamics.model.value import decode, to_micros
from forms_dynamics.projection import fold, parse_payload, placed, status_at
from forms_dynamics.replay.clock import LogClock
from forms_dynamics.replay.dimensions import Plan
from forms_dynamics.replay.instances import typed
from forms_dynamics.replay.judge import Held, Judge, Question, Written
from forms_dynamics.replay.labels import Label
from forms_dynamics.replay.probes import FAR, ProbedMemory, ask
from forms_dynamics.replay.raws import Key, Raw, Recording
from forms_dynamics.replay.sharing import Recorded, Sharing, Watched
from forms_dynamics.replay.truths import truths_of
from forms_dynamics.replay.values import Asked, Counts, Run, Turn
from forms_dynamics.settings import Settings


@dataclass(slots=True)
class _Lane:
    """One owner's way into the store, and the ways of asking it."""

    memory: Memory
    probed: list[ProbedMemory]
    talk: Talk = field(default_factory=Talk)
    times: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _Talked:
    """A conversation so far."""

    judge: Judge
    number: int = 0
    forms: dict[str, None] = field(default_factory=dict)  # that it touched


class _Effects:
    """What a window's transactions wrote: versions by message, the rest by id."""

    def __init__(self, written: Iterable[tuple[str, ChangeSet]]) -> None:
        self.versions: dict[Key, list[VersionRecord]] = {}
        self.pendings: dict[str, PendingRecord] = {}
        self.types: dict[str, str] = {}
        for owner, changes_ in written:
            for version in changes_.versions:
                self.versions.setdefault((owner, version.message), []).append(version)
            self.pendings.update((item.id, item) for item in changes_.pendings)
            self.types.update((form.id, form.type) for form in changes_.forms)


class Flow:
    """One run of the write flow in a store of its own, and the ways of asking it."""

    def __init__(
        self,
        made: Parts,
        plans: Sequence[tuple[int, Plan]],
        recording: Recording,
        base: Settings,
        sharing: Sharing,
        keep_turns: bool,
    ) -> None:
        self._recording = recording
        self._places = plans
        self._plans = [Settings.read({**base.model_dump(), **plan}) for _, plan in plans]
        self._settings = self._plans[0]
        self._keep_turns = keep_turns
        self._sharing = sharing
        self._clock = LogClock(recording.begins, base.zone)
        self._extractor = Recorded(sharing)
        self._store = Watched(made.store)
        store: Any = self._store
        self._parts = replace(
            made, store=store, clock=self._clock, extractor=self._extractor, settings=self._settings
        )
        self._catalog = made.catalog
        self._lanes: dict[str, _Lane] = {}
        self._talks: dict[tuple[str, str], _Talked] = {}
        self._chains: dict[str, list[VersionRecord]] = {}
        self._types: dict[str, str] = {}
        self._pendings: dict[str, PendingRecord] = {}  # a question is put again as long as it is open
        self.truths = truths_of(recording, self._catalog, base)
        self._counts: list[dict[str, list[int]]] = [{} for _ in plans]
        self._said: dict[str, tuple[int, dict[str, tuple[Any, ...]]]] = {}
        self._turns: list[list[Turn]] = [[] for _ in plans]

    def runs(self, seconds: float) -> Iterator[tuple[int, Run]]:
        """What was found, by place. ``seconds``: that each run took."""
        for (place, plan), counts, turns in zip(self._places, self._counts, self._turns, strict=True):
            by_conversation = {name: Counts(*numbers) for name, numbers in counts.items()}
            yield (
                place,
                Run(dict(plan), self._recording.digest, self.truths.kind, by_conversation, turns, seconds),
            )

    def close(self) -> None:
        """Drops the store."""
        self._parts.store.close()

    def take(self, window: Sequence[tuple[Raw, Label]]) -> None:
        """Takes messages in one transaction an owner, then judges them in order."""
        for raw, _ in window:
            self._clock.tell(raw.message)
        self._extractor.begin()
        self._store.written.clear()
        receipts = self._received([raw for raw, _ in window])
        effects = _Effects(self._store.written)
        self._types.update(effects.types)
        self._pendings.update(effects.pendings)
        for raw, label in window:
            self._judge(raw, label, *receipts[raw.key], effects)

    def _received(self, raws: Sequence[Raw]) -> dict[Key, tuple[Taken, Receipt]]:
        """The window through the write flow, owner by owner."""
        out: dict[Key, tuple[Taken, Receipt]] = {}
        by_owner: dict[str, list[Raw]] = {}
        for raw in raws:
            by_owner.setdefault(raw.key[0], []).append(raw)
        for owner, own in by_owner.items():
            lane = self._lane(owner)
            intake = lane.memory._intake
            taken = [intake.prepare(raw.message, intake.now(), lane.times) for raw in own]
            for raw, one, receipt in zip(own, taken, intake.finish(taken, lane.talk), strict=True):
                out[raw.key] = one, receipt
        return out

    def _lane(self, owner: str) -> _Lane:
        if owner not in self._lanes:
            parts_ = replace(self._parts, scope=self._parts.scope._replace(owner=owner))
            probed = [ProbedMemory(replace(parts_, settings=settings)) for settings in self._plans]
            self._lanes[owner] = lane = _Lane(Memory(parts_), probed)
            lane.memory._intake.gate = self._sharing.gate
        return self._lanes[owner]

    # -- one message -----------------------------------------------------------------------------------------
    def _judge(self, raw: Raw, label: Label, taken: Taken, receipt: Receipt, effects: _Effects) -> None:
        owner, id = raw.key
        conversation = taken.message.conversation
        talked = self._talks.get((owner, conversation))
        if talked is None:
            truth = self.truths.conversations.get((owner, conversation))
            talked = self._talks[owner, conversation] = _Talked(Judge(truth, self.truths.catalog))
        talked.number += 1
        versions = effects.versions.get(raw.key, ())
        for version in versions:
            self._chains.setdefault(version.form, []).append(version)
        talked.forms.update(dict.fromkeys(receipt.forms))
        raised = [self._pendings[item] for item in receipt.pending]
        judged = talked.judge.turn(
            raw.key, taken.message.role, self._written(versions, raised, receipt, taken.message),
            lambda: self._held(talked.forms), _asked(raised, receipt),
        )  # fmt: skip
        lane = self._lanes[owner]
        own = judged.counts
        if versions or receipt.edges or receipt.state == "queued":
            own = own.plus(
                Counts(
                    forms=sum(v.n == 1 for v in versions),
                    versions=len(versions),
                    edges=len(receipt.edges),
                    queued=receipt.state == "queued",
                )
            )
        name = conversation_name(owner, raw.message)
        for place, probed in enumerate(lane.probed):
            asked = tuple(ask(probed, probe, conversation) for probe in label.recall)
            counts = own.plus(_counted(asked)) if asked else own
            _add(counts, self._counts[place].setdefault(name, [0] * len(counts)))
            if self._keep_turns:
                self._turns[place].append(
                    Turn(
                        message=id if not owner else f"{owner}/{id}",
                        conversation=name,
                        number=talked.number,
                        role=taken.message.role,
                        facts=judged.facts,
                        missed=judged.missed,
                        versions=tuple(f"{v.form}@{v.n}" for v in versions),
                        edges=len(receipt.edges),
                        questions=tuple(receipt.questions),
                        asked=asked,
                        counts=counts,
                    )
                )

    def _written(
        self,
        versions: Iterable[VersionRecord],
        raised: Iterable[PendingRecord],
        receipt: Receipt,
        message: Message,
    ) -> list[Written]:
        """What became of each slot that was proposed."""
        out: list[Written] = []
        for version in versions:
            type_ = self._types[version.form]
            if version.payload is not None:
                for slot, said in parse_payload(version.payload, version.n)[1]:
                    out.append(
                        Written(
                            type_, slot, decode(said.get("v")), "accepted", "avoided" if said.get("neg") else "",
                            version.form, said.get("op", "set"), bool(said.get("neg")),
                        )
                    )  # fmt: skip
        for item in raised:
            if item.slot is not None and _proposed(item):
                value = decode(json.loads(item.value).get("v"))
                out.append(Written(item.type, item.slot, value, "held", item.reason, item.form or ""))
        for refusal in receipt.refused:
            if refusal.slot is not None:
                form_type = self._catalog.types.get(refusal.form_type)
                value = typed(form_type, refusal.slot, refusal.value, message.time, self._settings)
                out.append(Written(refusal.form_type, refusal.slot, value, "refused", refusal.reason))
        return out

    def _held(self, forms: Iterable[str]) -> Held:
        """What the Forms hold after what was judged so far, which may be less than what is stored."""
        now = to_micros(self._clock.now())
        out: dict[str, tuple[str, dict[str, tuple[Any, ...]]]] = {}
        for id in forms:
            chain = self._chains.get(id)
            if chain is None or status_at(chain) != "active":
                continue
            out[id] = self._types[id], self._holds(id, chain, now)
        return out

    def _holds(self, id: str, chain: Sequence[VersionRecord], now: int) -> dict[str, tuple[Any, ...]]:
        """What one Form holds; reckoned anew when it has changed, or where the time of day decides."""
        known = self._said.get(id)
        if known is not None and known[0] == len(chain):
            return known[1]
        form_type = self._catalog.types.get(self._types[id])
        state = fold(chain, form_type)
        reader = next(iter(self._lanes.values())).memory._reader
        slots = reader.slots(form_type, state, max(now, max(v.time for v in placed(chain))), {}, {})
        held = {
            name: slot.value if isinstance(slot.value, tuple) else (slot.value,)
            for name, slot in slots.items()
            if slot.value is not None
        }
        if not any("f" in a or "u" in a for timeline in state["s"].values() for a in timeline):
            self._said[id] = len(chain), held
        return held


def _add(counts: Counts, to: list[int]) -> None:
    for place, number in enumerate(counts):
        if number:
            to[place] += number


def _asked(raised: Iterable[PendingRecord], receipt: Receipt) -> list[Question]:
    """What each question of a message is about; nothing that is known for what waits for no value, such as an
    objection."""
    waiting = [(item.type, item.slot or "", item.form or "") for item in raised if item.question]
    return [*waiting, *[("", "", "")] * (len(receipt.questions) - len(waiting))]


def _proposed(item: PendingRecord) -> bool:
    """Whether a pending item holds back what was read, rather than asks for what was not said."""
    return json.loads(item.value).get("v") is not None or item.candidates != "[]"


def conversation_name(user: str, message: Mapping[str, Any]) -> str:
    """How runs call the conversation of a message of a log."""
    name = str(message.get("conversation") or "default")
    return f"{user}/{name}" if user else name


def _counted(asked: Sequence[Asked]) -> Counts:
    far = [one for one in asked if one.hops >= FAR]
    return Counts(
        asked=len(asked),
        asked_right=sum(one.right for one in asked),
        asked_stale=sum(bool(one.stale) for one in asked),
        asked_far=len(far),
        asked_far_right=sum(one.right for one in far),
        tokens=sum(one.tokens for one in asked),
    )
