"""Which messages may be shown: none whose words support what no longer holds, was refused or waits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from forms_dynamics.assertions import Assertion, begins, winner
from forms_dynamics.language.cues import joking
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

_SPAN = re.compile(r'"e":\[(\d+),(\d+)\]')
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
    # Form → words that were ever said of it, none for one that never changed; None: not known without its chain
    _words: dict[str, frozenset[str] | None] = field(default_factory=dict)
    _texts: dict[str, MessageRecord] = field(default_factory=dict)
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
        if message.role == "user" and joking(message.text):
            return "silent: said as a joke"
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
        self._read_chains(near)
        return any(self._holds_old(message.text, form) for form in near)

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

    def _read_chains(self, forms: Sequence[str]) -> None:
        """Chains of Forms that may have changed, with the words of each, in one go: every message asks about all
        Forms around it, and of nearly all of them it holds no word."""
        wanted = [form for form in forms if form not in self._words]
        self._read(wanted)
        changed = [f for f in wanted if (r := self._records[f]) is not None and _may_have_changed(r)]
        unread = [form for form in changed if form not in self._chains]
        chains = self.store.chains(self.scope, unread) if unread else {}
        for form in unread:
            self._keep_chain(form, chains.get(form, []))
        said = {v.message for form in changed for v in self._chains[form]} - self._texts.keys()
        self._texts.update(self.store.messages(self.scope, sorted(said)))
        self._words.update(dict.fromkeys(wanted, frozenset()))
        for form in changed:
            self._words[form] = _words(self._chains[form], self._texts)

    def _holds_old(self, text: str, form: str) -> bool:
        """Whether the text holds words of a value of the Form that no longer holds and is no part of what does."""
        words = self._words[form]
        if words is not None and not any(word in text for word in words):
            return False
        told = _counting(self._chain(form))
        return any(
            len(said := self._said(old)) > 1 and said in text and self._gone(form, slot, old, said)
            for slot, old in told
        )

    def _gone(self, form: str, slot: str, old: Assertion, said: str) -> bool:
        record = self._record(form)
        form_type = self.catalog.types.get(record.type) if record else None
        spec = form_type.slots.get(slot) if form_type else None
        moment = self.standing.moment
        timeline = self._state(form)["s"].get(slot, ())
        if begins(old) > moment or _holds(spec, timeline, (), old, moment):
            return False
        now = winner(spec, timeline, moment)
        return now is None or said not in self._said(now)

    def _said(self, assertion: Assertion) -> str:
        """The words that an assertion rests on; "" where it has none, or they are gone."""
        id = assertion["m"]
        if "e" in assertion and id not in self._texts:
            self._texts.update(self.store.messages(self.scope, [id]))
        message = self._texts.get(id)
        if "e" not in assertion or message is None:
            return ""
        start, end = assertion["e"]
        return message.text[start:end]

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
            self._keep_chain(form, self.store.versions(self.scope, form))
        return self._chains[form]

    def _keep_chain(self, form: str, chain: Sequence[VersionRecord]) -> None:
        known = self.standing.request.known_at
        self._chains[form] = [v for v in chain if known is None or v.arrived <= known]


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


def _words(chain: Sequence[VersionRecord], texts: Mapping[str, MessageRecord]) -> frozenset[str] | None:
    """The words of a chain's evidence, by their spans alone: payloads are not parsed. None where a payload names
    another message than its own."""
    words: set[str] = set()
    for version in chain:
        payload, message = version.payload or "", texts.get(version.message)
        spans = _SPAN.findall(payload)
        if spans and (message is None or payload.count('"m":') != 1):
            return None
        if message is not None:
            words.update(message.text[int(start) : int(end)] for start, end in spans)
    return frozenset(word for word in words if len(word) > 1)


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
