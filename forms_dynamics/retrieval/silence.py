"""Which messages may be shown: none whose words support what no longer holds, was refused or waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from forms_dynamics.assertions import Assertion, begins, winner
from forms_dynamics.model.record import (
    FormRecord,
    MentionRecord,
    MessageRecord,
    PendingRecord,
    Scope,
    VersionRecord,
)
from forms_dynamics.ports import Store
from forms_dynamics.projection import State, fold, parse_payload, withdrawn
from forms_dynamics.retrieval.standing import Standing
from forms_dynamics.schema.spec import Catalog, SlotSpec

_AROUND = 50  # mentions of a conversation that are looked at for words of what was displaced
_MENTIONS = 500  # and for the Forms that a message itself told of


@dataclass(slots=True)
class Silence:
    """Judges messages of a scope. Reads chains of the Forms that they made; keeps what it has read.

    With ``history`` what is superseded, expired or invalid may be told; refused and erased words may not.
    """

    scope: Scope
    store: Store
    catalog: Catalog
    standing: Standing
    history: bool
    touched: dict[str, list[str]] = field(default_factory=dict)  # message → Forms that it made versions of
    _chains: dict[str, Sequence[VersionRecord]] = field(default_factory=dict)
    _states: dict[str, State] = field(default_factory=dict)
    _records: dict[str, FormRecord | None] = field(default_factory=dict)
    _mentions: dict[str, Sequence[MentionRecord]] = field(default_factory=dict)  # conversation → newest first
    _old: dict[str, list[str]] = field(default_factory=dict)  # Form → displaced words
    _pendings: dict[str, list[PendingRecord]] = field(default_factory=dict)

    def reason(self, message: MessageRecord) -> str | None:
        """Why the message is left out, or None."""
        request = self.standing.request
        if message.state in ("erased", "refused"):
            return f"silent: {message.state}"
        if (request.as_of is not None and message.time > request.as_of) or (
            request.known_at is not None and message.arrived > request.known_at
        ):
            return "silent: said later"
        for item in self.pendings(message.id):
            if item.state != "confirmed":
                return "silent: waits for confirmation" if item.state == "open" else f"silent: {item.state}"
        versions = self.store.versions_of_message(self.scope, message.id)
        self.touched[message.id] = list(dict.fromkeys(v.form for v in versions))
        for version in versions:
            fault = self._fault(version)
            if fault is not None:
                return f"silent: {fault}"
        if self.history:
            return None
        # a fact told again makes no version, and goes with its Form all the same
        fault = next((f for form in self._told(message) if (f := self._standing(form)) is not None), None)
        if fault is None and self._repeats_old(message, self.touched[message.id]):
            fault = "superseded"
        return None if fault is None else f"silent: {fault}"

    def pendings(self, message: str) -> Sequence[PendingRecord]:
        """Pending items, of any state, that came from the message."""
        if message not in self._pendings:
            self._pendings[message] = self.store.pendings(self.scope, None, None, [message])
        return self._pendings[message]

    def _fault(self, version: VersionRecord) -> str | None:
        if version.payload is None:
            return "erased"
        record = self._record(version.form)
        if record is None:
            return "erased"
        if self.history:
            return None
        standing = self._standing(version.form)
        if standing is not None:
            return standing
        if version.n in withdrawn(self._chain(version.form)):
            return None  # undone, or edited away: as if it had never been said
        form_type = self.catalog.types.get(record.type)
        state = self._state(version.form)
        _, assertions = parse_payload(version.payload, version.n)
        for slot, assertion in assertions:
            spec = form_type.slots.get(slot) if form_type else None
            if not _holds(
                spec, state["s"].get(slot, ()), state["av"].get(slot, ()), assertion, self.standing.moment
            ):
                return "superseded"
        return None

    def _repeats_old(self, message: MessageRecord, forms: Sequence[str]) -> bool:
        """Whether the message holds words of a value displaced since, of its own Forms or of those that its
        conversation touched ("not May but June"; an assistant that repeats what it was told)."""
        around = [m.form for m in self._of(message.conversation)[:_AROUND]]
        near = list(dict.fromkeys([*forms, *around]))
        self._read([form for form in near if form not in self._old])
        return any(said in message.text for form in near for said in self._displaced(form))

    def _told(self, message: MessageRecord) -> list[str]:
        """The Forms that the message told something of, be it nothing new."""
        return [m.form for m in self._of(message.conversation) if m.seq == message.seq]

    def _of(self, conversation: str) -> Sequence[MentionRecord]:
        if conversation not in self._mentions:
            self._mentions[conversation] = self.store.touched(self.scope, conversation, None, _MENTIONS)
        return self._mentions[conversation]

    def _standing(self, form: str) -> str | None:
        record = self._record(form)
        return None if record is None else self.standing.fault(record)

    def _displaced(self, form: str) -> list[str]:
        """The words of the Form's values that no longer hold and are no part of those that do."""
        if form not in self._old:
            record = self._record(form)
            form_type = self.catalog.types.get(record.type) if record else None
            moment = self.standing.moment
            out: list[str] = []
            changed = record is not None and _may_have_changed(record)
            state = self._state(form)["s"] if changed else {}
            told = _counting(self._chain(form)) if changed else []
            texts = self.store.messages(self.scope, sorted({a["m"] for _, a in told if "e" in a}))
            held: dict[str, Assertion | None] = {}
            for slot, old in told:
                timeline, spec = state.get(slot, ()), form_type.slots.get(slot) if form_type else None
                if slot not in held:
                    held[slot] = winner(spec, timeline, moment)
                said, now = _said(old, texts), held[slot]
                gone = begins(old) <= moment and not _holds(spec, timeline, (), old, moment)
                if gone and len(said) > 1 and (now is None or said not in _said(now, texts)):
                    out.append(said)
            self._old[form] = out
        return self._old[form]

    def _read(self, forms: Sequence[str]) -> None:
        """Records of Forms, in one go."""
        wanted = [form for form in forms if form not in self._records]
        found = self.store.forms(self.scope, wanted) if wanted else {}
        self._records.update({form: found.get(form) for form in wanted})

    def _record(self, form: str) -> FormRecord | None:
        self._read([form])
        return self._records[form]

    def _state(self, form: str) -> State:
        if form not in self._states:
            self._states[form] = fold(self._chain(form), None, self.standing.request.known_at)
        return self._states[form]

    def _chain(self, form: str) -> Sequence[VersionRecord]:
        if form not in self._chains:
            known = self.standing.request.known_at
            chain = self.store.versions(self.scope, form)
            self._chains[form] = [v for v in chain if known is None or v.arrived <= known]
        return self._chains[form]


def _counting(chain: Sequence[VersionRecord]) -> list[tuple[str, Assertion]]:
    """What a chain says, without what was undone or edited away: the words that an undone act took are as good as
    they were, and those of an edited message are no longer there."""
    gone = withdrawn(chain)
    kept = (v for v in chain if v.payload is not None and v.n not in gone)
    return [each for v in kept for each in parse_payload(v.payload or "", v.n)[1]]


def _may_have_changed(record: FormRecord) -> bool:
    """Whether any slot can have had two assertions, or one that ends: a single version seldom says a slot twice."""
    head = record.head
    return record.n != 1 or head is None or '"m":' not in head or ":[{" in head or '"u":' in head


def _said(assertion: Assertion, texts: Mapping[str, MessageRecord]) -> str:
    message = texts.get(assertion["m"])
    if "e" not in assertion or message is None:
        return ""
    start, end = assertion["e"]
    return message.text[start:end]


def _holds(
    spec: SlotSpec | None,
    timeline: Sequence[Assertion],
    avoided: Sequence[Any],
    assertion: Assertion,
    at: int,
) -> bool:
    """Whether what the assertion says is still so: held, or ended as it says, or yet to come."""
    if begins(assertion) > at:
        return True
    held = winner(spec, timeline, at)
    if assertion.get("op") in ("clear", "retract"):
        return held is None or begins(held) < begins(assertion)
    values = assertion["v"] if isinstance(assertion["v"], list) else [assertion["v"]]
    now = [] if held is None else held["v"] if isinstance(held["v"], list) else [held["v"]]
    if assertion.get("neg"):
        return not any(v in now for v in values) and (not avoided or assertion["v"] in avoided)
    if assertion.get("op") == "remove":
        return not any(v in now for v in values)
    return all(v in now for v in values)


__all__ = ["Silence"]
