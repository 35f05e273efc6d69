"""Forms as a reader sees them: chains projected at a moment, with the evidence and history of each slot."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import TYPE_CHECKING, Any

from forms_dynamics.assertions import Assertion, begins, dump, ran_out, said_at, segments, winner
from forms_dynamics.fading import fade_of, faded_to, last_confirmed
from forms_dynamics.migration import pending_today
from forms_dynamics.model.form import Form, Slot, Version
from forms_dynamics.model.record import (
    FormRecord,
    MessageRecord,
    PendingRecord,
    Scope,
    VersionRecord,
    is_hidden,
)
from forms_dynamics.model.value import SECOND, Evidence, decode, from_micros, to_micros
from forms_dynamics.ports import Store
from forms_dynamics.projection import (
    State,
    confirmations,
    current_version,
    fold,
    folds,
    is_cold,
    parse_payload,
    placed,
    record_then,
    state_of,
    status_at,
)
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec

if TYPE_CHECKING:
    from forms_dynamics.settings import Settings

_NOTHING: frozenset[Any] = frozenset()
_EVIDENCE_SOURCE = {"tool": "tool call", "import": "import"}


def _as_stored(record: FormRecord) -> FormRecord:
    return record


def _end_of(day: Any, zone: tzinfo) -> int | None:
    if isinstance(day, datetime):
        return to_micros(day)
    if isinstance(day, date):
        return to_micros(datetime(day.year, day.month, day.day, tzinfo=zone) + timedelta(days=1))
    return None


def named_end(form_type: FormType | None, state: State, at: int, zone: tzinfo) -> int | None:
    """The end of the day, where it was said, that a Form's own ``valid_until`` slot names at a moment."""
    if "valid_until" not in state["s"]:
        return None
    spec = form_type.slots.get("valid_until") if form_type else None
    bound = winner(spec, state["s"]["valid_until"], at)
    if bound is None:
        return None
    return _end_of(decode(bound["v"]), timezone(timedelta(minutes=bound["z"])) if "z" in bound else zone)


class Reader:
    """Reads Forms as they are at a moment. Cheap; holds no rows."""

    def __init__(
        self,
        store: Store,
        catalog: Catalog,
        settings: Settings,
        noted: Callable[[FormRecord], FormRecord] | None = None,
    ) -> None:
        """``noted``: a record with the accesses that are not written yet."""
        self._store = store
        self.noted = noted if noted is not None else _as_stored
        self._catalog = catalog
        self._zone = settings.zone or UTC
        self._settings = settings

    def forms(self, scope: Scope, ids: Sequence[str], now: int) -> dict[str, Form]:
        """Forms by id, in the order asked; ids unknown to the scope are left out."""
        if not ids:
            return {}
        return self.project(scope, self._store.forms(scope, ids), ids, now)

    def project(
        self,
        scope: Scope,
        records: Mapping[str, FormRecord],
        ids: Sequence[str],
        now: int,
        as_of: int | None = None,
        known_at: int | None = None,
    ) -> dict[str, Form]:
        """Forms from records already read; those not yet known then are left out."""
        states: dict[str, State] = {}
        for id in ids:
            record = records.get(id)
            if record is None:
                continue
            if (noted := self.noted(record)) is not record:
                record, records = noted, {**records, id: noted}
            if as_of is None and known_at is None:
                states[id] = state_of(record, self._catalog.types.get(record.type))
                continue
            chain = self._store.versions(scope, id)
            then = record_then(record, chain, as_of, known_at, now)
            if then is None:
                continue
            states[id] = fold(chain, self._catalog.types.get(record.type), known_at)
            records = {**records, id: then}
        waiting = [id for id in states if records[id].pending]
        pendings: dict[str, list[PendingRecord]] = {}
        if waiting and as_of is None and known_at is None:
            since = self._settings.asked_since(now)
            for item in self._store.pendings(scope, waiting):
                if item.form is not None and item.asked >= since:
                    pendings.setdefault(item.form, []).append(item)
        texts = self._texts(scope, states.values())
        # an event time ahead of the clock (skew, or a replayed log) counts as just now
        return {
            id: self._form(
                records[id],
                state,
                max(now, records[id].updated) if as_of is None else as_of,
                pendings.get(id, ()),
                texts,
            )
            for id, state in states.items()
        }

    def _texts(self, scope: Scope, states: Iterable[State]) -> dict[str, str]:
        wanted = {
            assertion["m"]
            for state in states
            for timeline in state["s"].values()
            for assertion in timeline
            if "e" in assertion
        }
        return {id: m.text for id, m in self._store.messages(scope, sorted(wanted)).items()} if wanted else {}

    def _form(
        self,
        record: FormRecord,
        state: State,
        at: int,
        pendings: Sequence[PendingRecord],
        texts: Mapping[str, str],
    ) -> Form:
        form_type = self._catalog.types.get(record.type)
        slots = self.slots(form_type, state, at, confirmations(record, form_type), texts)
        for item in pendings:
            slot = pending_today(item, form_type).slot
            if slot is not None and (slot not in slots or slots[slot].value is None):
                avoided = slots[slot].avoided if slot in slots else _NOTHING
                slots[slot] = Slot(None, "pending", item.confidence, "user", None, avoided)
        return Form(
            id=record.id,
            type=record.type,
            version=record.n,
            status=record.status,  # type: ignore[arg-type]
            slots=slots,
            aliases=frozenset(alias for alias in state["al"] if not is_hidden(alias)),
            external_ids=frozenset(state["ext"]),
            user=record.owner or None,
            created_at=from_micros(record.created),
            updated_at=from_micros(record.updated),
            last_accessed=from_micros(record.accessed),
            expired=self.expired(form_type, state, record, at),
            cold=is_cold(self._catalog.life(record.type), record, at),
        )

    def expired(self, form_type: FormType | None, state: State, record: FormRecord, at: int) -> bool:
        """Past its time to live since it was last told or confirmed, or past the day (where it was said) in its own
        ``valid_until`` slot."""
        life = self._catalog.life(record.type)
        if life.ttl_seconds is not None:
            told = max([record.updated, *confirmations(record, form_type).values()])
            if at - told > life.ttl_seconds * SECOND:
                return True
        end = named_end(form_type, state, at, self._zone)
        return end is not None and end <= at

    def slots(
        self,
        form_type: FormType | None,
        state: State,
        at: int,
        confirmed: Mapping[str, int],
        texts: Mapping[str, str],
    ) -> dict[str, Slot]:
        """The projection of a state at a moment: slot → Slot, in the declared order."""
        out: dict[str, Slot] = {}
        declared = form_type.slots if form_type else {}
        said, shunned = state["s"], state["av"]
        names = [n for n in declared if n in said or n in shunned]
        names += [n for n in said if n not in declared]
        for name in names:
            spec = declared.get(name)
            held = winner(spec, said.get(name, ()), at)
            avoided = _avoided(shunned[name], held) if name in shunned else _NOTHING
            if held is not None:
                out[name] = self._slot(form_type, spec, held, avoided, at, confirmed.get(name), texts)
            elif avoided:
                out[name] = Slot(None, avoided=avoided)
        return out

    def _slot(
        self,
        form_type: FormType | None,
        spec: SlotSpec | None,
        held: Assertion,
        avoided: frozenset[Any],
        at: int,
        confirmed: int | None,
        texts: Mapping[str, str],
    ) -> Slot:
        source = held.get("src", "user")
        time = said_at(held)
        last = last_confirmed(held, confirmed)
        confidence = faded_to(held["c"], fade_of(form_type, spec), last, at)
        until = held.get("u")
        return Slot(
            decode(held["v"]),
            "known",
            confidence,
            source,
            _evidence(held, source, texts),
            avoided,
            from_micros(held.get("f", time)),
            None if until is None else from_micros(until),
            from_micros(last),
        )

    def ran_out(
        self, scope: Scope, record: FormRecord, slot: str, at: int, known_at: int | None = None
    ) -> Slot | None:
        """The last value of a slot, where its own end is over at a moment and nothing came in its place."""
        form_type = self._catalog.types.get(record.type)
        state = fold(self._store.versions(scope, record.id), form_type, known_at)
        spec = form_type.slots.get(slot) if form_type else None
        over = ran_out(spec, state["s"].get(slot, ()), at)
        if over is None:
            return None
        texts = self._texts(scope, (state,))
        return self._slot(form_type, spec, {**over[0], "u": over[1]}, frozenset(), at, None, texts)

    def history(
        self, scope: Scope, record: FormRecord, as_of: int | None = None, known_at: int | None = None
    ) -> list[Version]:
        """The chain in order of number, each with the whole state after it in event order: what was said up to
        ``as_of`` and had arrived by ``known_at``."""
        chain = [
            v
            for v in placed(
                [
                    v
                    for v in self._store.versions(scope, record.id)
                    if known_at is None or v.arrived <= known_at
                ]
            )
            if as_of is None or v.time <= as_of
        ]
        form_type = self._catalog.types.get(record.type)
        texts = self._texts(scope, (fold(chain, form_type),))
        out: list[Version] = []
        head = current_version(chain)
        for version, state in folds(chain, form_type):
            at = max(version.time, _last_start(version))
            slots = self.slots(form_type, state, at, {}, texts)
            out.append(
                Version(
                    id=f"{record.id}@{version.n}",
                    number=version.n,
                    slots=slots,
                    cause=version.cause,
                    time=from_micros(version.time),
                    arrived=from_micros(version.arrived),
                    current=version.n == head,
                    hash=version.hash.hex(),
                )
            )
        return sorted(out, key=lambda version: version.number)

    def at_version(
        self, scope: Scope, record: FormRecord, chain: Sequence[VersionRecord], number: int
    ) -> Form | None:
        """The Form right after one of its versions (in event order); None where there is no such version."""
        chain = placed(chain)
        wanted = next((v for v in chain if v.n == number), None)
        if wanted is None:
            return None
        earlier = [v for v in chain if (v.time, v.n) <= (wanted.time, wanted.n)]
        state = fold(earlier, self._catalog.types.get(record.type))
        at = max(wanted.time, _last_start(wanted))
        form = self._form(
            record._replace(status=status_at(earlier, at), confirmed=None, pending=0),
            state, at, (), self._texts(scope, (state,)),
        )  # fmt: skip
        return replace(form, version=number, expired=False, cold=False)

    def maker(
        self, chain: Sequence[VersionRecord], form_type: FormType | None, slot: str, now: int
    ) -> VersionRecord | None:
        """The version whose statement a slot rests on now."""
        spec = form_type.slots.get(slot) if form_type else None
        held = winner(spec, fold(chain, form_type)["s"].get(slot, ()), now)
        return next((v for v in chain if held is not None and v.n == held["n"]), None)

    def agreed(
        self, scope: Scope, chain: Sequence[VersionRecord], form_type: FormType | None, slot: str, now: int
    ) -> Evidence | None:
        """The assistant's words that the user took as the slot's value, where it rests on agreement."""
        spec = form_type.slots.get(slot) if form_type else None
        held = winner(spec, fold(chain, form_type)["s"].get(slot, ()), now)
        if held is None or "ag" not in held:
            return None
        id, start, end = held["ag"]
        turn = self._store.messages(scope, [id]).get(id)
        return Evidence(id, start, end, "" if turn is None else turn.text[start:end], "message")

    def slot_history(
        self,
        scope: Scope,
        record: FormRecord,
        slot: str,
        as_of: int | None = None,
        known_at: int | None = None,
    ) -> list[Slot]:
        """Every value the slot has held, in event order, with its interval: those that had begun by ``as_of``, of
        what had arrived by ``known_at``."""
        chain = self._store.versions(scope, record.id)
        form_type = self._catalog.types.get(record.type)
        spec = form_type.slots.get(slot) if form_type else None
        state = fold(chain, form_type, known_at)
        shown_once = fold(_retractions_as_ends(chain), form_type, known_at)
        told = segments(spec, state["s"].get(slot, ()))
        standing = {a["n"] for a in state["s"].get(slot, ())}
        # what was taken back was told until then, and counts for nothing beside what was not
        taken = [s for s in segments(spec, shown_once["s"].get(slot, ())) if s[0]["n"] not in standing]
        texts = self._texts(scope, (state, shown_once))
        out: list[Slot] = []
        for held, start, end in sorted([*told, *taken], key=lambda s: (s[1], s[0]["n"])):
            if held["v"] is not None and (as_of is None or start <= as_of):
                shown = {**held, "f": start}
                if end is not None:
                    shown["u"] = end
                out.append(self._slot(form_type, spec, shown, frozenset(), held["t"], None, texts))
        return out


def following(store: Store, scope: Scope, turn: MessageRecord) -> MessageRecord | None:
    """The user's first message behind a turn of the conversation."""
    limit = 50
    while True:
        last = store.recent(scope, turn.conversation, limit)
        if len(last) < limit or (last and last[0].seq <= turn.seq):
            return next((m for m in last if m.seq > turn.seq and m.role == "user"), None)
        limit *= 4


def _retractions_as_ends(chain: Sequence[VersionRecord]) -> list[VersionRecord]:
    out: list[VersionRecord] = []
    for version in chain:
        if version.payload is not None and '"retract"' in version.payload:
            data = json.loads(version.payload)
            for given in data.get("s", {}).values():
                for assertion in given if isinstance(given, list) else (given,):
                    if assertion.get("op") == "retract":
                        assertion.update(op="clear", x=1)
            version = version._replace(payload=dump(data))
        out.append(version)
    return out


def _last_start(version: VersionRecord) -> int:
    if version.payload is None or '"f":' not in version.payload:
        return version.time
    _, assertions = parse_payload(version.payload, version.n)
    return max((begins(a) for _, a in assertions), default=version.time)


def _avoided(values: Sequence[Any], held: Assertion | None) -> frozenset[Any]:
    now_held: list[Any] = []
    if held is not None:
        now_held = held["v"] if isinstance(held["v"], list) else [held["v"]]
    flat = [v for given in values for v in (given if isinstance(given, list) else [given])]
    return frozenset(decode(v) for v in flat if v not in now_held)


def _evidence(held: Assertion, source: str, texts: Mapping[str, str]) -> Evidence | None:
    if "e" in held:
        start, end = held["e"]
        return Evidence(held["m"], start, end, texts.get(held["m"], "")[start:end], "message")
    if "p" in held:
        return Evidence(held["m"], 0, 0, held["p"], _EVIDENCE_SOURCE.get(source, "message"))
    return None


__all__ = ["Reader", "following", "named_end"]
