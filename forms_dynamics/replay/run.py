"""A recording played again: the same code as in production, other settings, a fresh store a run.

A run takes the messages of a recording in order through the write flow, with what was recorded in the
extractor's place, and puts each labelled question right after its message. Settings that only recall looks at
share one run of the write flow. Nothing is asked of a model.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

from forms_dynamics.batches import uncollected
from forms_dynamics.compose import compose
from forms_dynamics.errors import InvalidInput
from forms_dynamics.intake import Taken, Talk
from forms_dynamics.memory import Memory
from forms_dynamics.model.form import Form
from forms_dynamics.model.message import Message, Proposal, Receipt
from forms_dynamics.model.record import ChangeSet, PendingRecord, Scope, VersionRecord
from forms_dynamics.model.value import decode, to_micros
from forms_dynamics.ports import Embedder, Store
from forms_dynamics.projection import fold, parse_payload, status_at
from forms_dynamics.replay.clock import LogClock
from forms_dynamics.replay.dimensions import WRITING, Plan, check_tunable
from forms_dynamics.replay.fingerprints import READING, changes, declared
from forms_dynamics.replay.instances import typed
from forms_dynamics.replay.judge import Held, Judge, Written
from forms_dynamics.replay.labels import Label
from forms_dynamics.replay.probes import FAR, ProbedMemory, RememberedEmbedder, ask
from forms_dynamics.replay.recording import Key, Raw, Recording, played
from forms_dynamics.replay.truths import truths_of
from forms_dynamics.replay.values import Asked, Counts, Run, Turn
from forms_dynamics.settings import Settings

WINDOW = 200
_SPAN = timedelta(hours=1)  # of the log's time, that one transaction may cover
_STEP = 1000  # messages between two words about progress

NO_LABEL = Label()


class Part(NamedTuple):
    """What one worker plays: one run of the write flow, and the plans that share it. ``places``: of the plans
    among all that were asked for.
    """

    file: str
    form_types: Sequence[str | Path] | None
    relation_rules: Sequence[str | Path] | None
    settings: Mapping[str, Any]
    plans: Sequence[Plan]
    places: Sequence[int]
    keep_turns: bool
    embedder: Embedder | None


def checked(recording: Recording, plans: Sequence[Plan], settings: Settings, catalog: Any) -> list[Settings]:
    """The settings of each plan. InvalidInput: a plan that names no setting that a replay can vary, a value that
    it cannot have, or a recording made under other Form types or other readings than these.
    """
    now = {"settings": {name: getattr(settings, name) for name in READING if not name.startswith("model")}}
    if changed := changes(recording.fingerprints, {**now, **declared(catalog)}):
        raise InvalidInput(f"{recording.file} is stale: {'; '.join(changed)}. Record the log again")
    for plan in plans:
        for name, value in plan.items():
            check_tunable(name)
            if (name, value) == ("back_check", "model"):
                raise InvalidInput(
                    "back_check: model asks a model, which a replay never does; try rules and off"
                )
    return [Settings.read({**settings.model_dump(), **plan}) for plan in plans]


def parts(plans: Sequence[Plan], settings: Settings) -> list[list[int]]:
    """The places of plans that write alike, together; in the order of the first of each."""
    alike: dict[str, list[int]] = {}
    for place, plan in enumerate(plans):
        written = {name: plan.get(name, getattr(settings, name)) for name in WRITING}
        alike.setdefault(json.dumps(written, sort_keys=True), []).append(place)
    return list(alike.values())


def play_part(part: Part, told: Callable[[int], None] = lambda _: None) -> list[Run]:
    """Plays one part; ``told`` hears how many messages were taken since it last heard."""
    return _Player(part, told).play()


class _Watched:
    """A store that remembers what was written last. All else is the store's own."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.written: list[ChangeSet] = []

    def apply(self, scope: Scope, changes: ChangeSet) -> None:
        self._store.apply(scope, changes)
        self.written.append(changes)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class _Recorded:
    """What was recorded, in an extractor's place."""

    def __init__(self) -> None:
        self.raws: dict[Key, Raw] = {}
        self._served: dict[Key, int] = {}

    def begin(self, raws: Iterable[Raw]) -> None:
        """The messages that come now."""
        self.raws = {raw.key: raw for raw in raws}
        self._served.clear()

    def extract(self, message: Message, known: Sequence[Form] = ()) -> Proposal:
        key = (message.user or "", message.id)
        return played(self.raws[key], self._served, key)


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
    """What a transaction wrote, by message."""

    def __init__(self, written: Iterable[ChangeSet]) -> None:
        self.versions: dict[str, list[VersionRecord]] = {}
        self.pendings: dict[str, PendingRecord] = {}
        self.types: dict[str, str] = {}
        for changes_ in written:
            for version in changes_.versions:
                self.versions.setdefault(version.message, []).append(version)
            self.pendings.update((item.id, item) for item in changes_.pendings)
            self.types.update((form.id, form.type) for form in changes_.forms)


class _Player:
    def __init__(self, part: Part, told: Callable[[int], None]) -> None:
        self._part = part
        self._told = told
        self._recording = Recording.open(part.file)
        base = Settings.read(part.settings)
        first = Settings.read({**base.model_dump(), **part.plans[0]})
        self._plans = [Settings.read({**base.model_dump(), **plan}) for plan in part.plans]
        self._clock = LogClock((raw.message for raw in self._recording.raws()), base.zone)
        self._extractor = _Recorded()
        made = compose(
            ":memory:",
            form_types=part.form_types,
            relation_rules=part.relation_rules,
            extractor=self._extractor,
            embedder=part.embedder,
            settings=first,
            clock=self._clock,
        )
        self._store = _Watched(made.store)
        embedder = None if made.embedder is None else RememberedEmbedder(made.embedder)
        store: Any = self._store
        self._parts = replace(made, store=store, embedder=embedder)
        self._catalog = made.catalog
        self._settings = first
        self._lanes: dict[str, _Lane] = {}
        self._talks: dict[tuple[str, str], _Talked] = {}
        self._chains: dict[str, list[VersionRecord]] = {}
        self._types: dict[str, str] = {}
        self._truths = truths_of(self._recording, self._catalog, base)
        self._counts: list[dict[str, Counts]] = [{} for _ in part.plans]
        self._turns: list[list[Turn]] = [[] for _ in part.plans]

    def play(self) -> list[Run]:
        began = time.process_time()
        done = 0
        try:
            for window in self._windows():
                with uncollected():
                    self._take(window)
                done += len(window)
                if done >= _STEP:
                    self._told(done)
                    done = 0
        finally:
            self._parts.store.close()
        self._told(done)
        took = time.process_time() - began
        return [
            Run(
                dict(plan),
                self._recording.digest,
                self._truths.kind,
                counts,
                tuple(turns),
                took / len(self._plans),
            )
            for plan, counts, turns in zip(self._part.plans, self._counts, self._turns, strict=True)
        ]

    def _windows(self) -> Iterator[list[tuple[Raw, Label]]]:
        """Runs of messages that are taken together: none after a question, none further apart than the span."""
        window: list[tuple[Raw, Label]] = []
        for raw in self._recording.raws():
            moment = self._clock.moment(raw.message)
            if window and (
                len(window) >= WINDOW or (moment is not None and moment - self._clock.now() > _SPAN)
            ):
                yield window
                window = []
            if not window:
                self._clock.tell(raw.message)
            label = self._truths.labels.get(raw.key, NO_LABEL)
            window.append((raw, label))
            if label.recall:
                yield window
                window = []
        if window:
            yield window

    def _take(self, window: Sequence[tuple[Raw, Label]]) -> None:
        for raw, _ in window:
            self._clock.tell(raw.message)
        self._extractor.begin(raw for raw, _ in window)
        self._store.written.clear()
        receipts = self._received([raw for raw, _ in window])
        effects = _Effects(self._store.written)
        self._types.update(effects.types)
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
            self._lanes[owner] = _Lane(Memory(parts_), probed)
        return self._lanes[owner]

    # -- one message -----------------------------------------------------------------------------------------
    def _judge(self, raw: Raw, label: Label, taken: Taken, receipt: Receipt, effects: _Effects) -> None:
        owner, id = raw.key
        conversation = taken.message.conversation
        talked = self._talks.get((owner, conversation))
        if talked is None:
            truth = self._truths.conversations.get((owner, conversation))
            talked = self._talks[owner, conversation] = _Talked(Judge(truth, self._truths.catalog))
        talked.number += 1
        versions = effects.versions.get(id, ())
        for version in versions:
            self._chains.setdefault(version.form, []).append(version)
        talked.forms.update(dict.fromkeys(receipt.forms))
        raised = [effects.pendings[item] for item in receipt.pending if item in effects.pendings]
        judged = talked.judge.turn(
            raw.key, taken.message.role, self._written(versions, raised, receipt, taken.message),
            lambda: self._held(talked.forms), [(item.type, item.slot or "") for item in raised],
        )  # fmt: skip
        lane = self._lanes[owner]
        own = judged.counts.plus(
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
            by_conversation = self._counts[place]
            before = by_conversation.get(name)
            by_conversation[name] = counts if before is None else before.plus(counts)
            if self._part.keep_turns:
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
                            type_, slot, decode(said.get("v")), "accepted", "", version.form,
                            said.get("op", "set"), bool(said.get("neg")),
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
        reader = next(iter(self._lanes.values())).memory._reader
        out: dict[str, tuple[str, dict[str, tuple[Any, ...]]]] = {}
        for id in forms:
            chain = self._chains.get(id)
            if chain is None or status_at(chain) != "active":
                continue
            form_type = self._catalog.types.get(self._types[id])
            at = max(now, max(v.time for v in chain))
            slots = reader.slots(form_type, fold(chain, form_type), at, {}, {})
            out[id] = (
                self._types[id],
                {
                    name: slot.value if isinstance(slot.value, tuple) else (slot.value,)
                    for name, slot in slots.items()
                    if slot.value is not None
                },
            )
        return out


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
