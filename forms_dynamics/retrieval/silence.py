"""Which words of messages may be shown: none that support what no longer holds, was refused or waits.

A short message is silent as a whole: its sentences say one thing. Of a longer one the sentences go that hold such
words; the rest may be quoted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from forms_dynamics.assertions import Assertion, begins, rests_on, sayings, texts_of, winner
from forms_dynamics.language.cues import joking
from forms_dynamics.language.normal import normal
from forms_dynamics.language.wording import distinctive, folded, places
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
from forms_dynamics.retrieval.quoted import sentences, without
from forms_dynamics.retrieval.standing import Standing
from forms_dynamics.schema.compare import context_part
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec

_SPAN = re.compile(r'"e":\[(\d+),(\d+)\]')
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
_VALUE = re.compile(rf'"v":({_TEXT.pattern}|\[[^\]]*\])')
_AROUND = 50  # mentions of a conversation that are looked at for words of what was displaced
_MENTIONS = 500  # and for the Forms that a message itself told of
_FEW = 3  # sentences that are silent together
_SOON = 4  # messages after a value was said in which its words mean it
_DAYS = ("date", "datetime", "time")
_NONE: frozenset[str] = frozenset()
_PERSONS = (("$speaker",), ("$user",))  # identities of what a person has one of

Span = tuple[int, int]


class Fault(NamedTuple):
    """Why words of a message may not be shown; ``spans``: which words (empty: not known, so all of them)."""

    reason: str
    spans: Sequence[Span] = ()


class Spoken(NamedTuple):
    """What may be shown of a message (``text``; None: nothing of it), and why the rest may not."""

    text: str | None
    reason: str | None = None


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
    _made: dict[str, list[VersionRecord]] = field(default_factory=dict)  # by message
    _pendings: dict[str, list[PendingRecord]] = field(default_factory=dict)  # likewise
    _owned: dict[str, Sequence[str]] = field(default_factory=dict)  # speaker → the Forms that are theirs
    _faulty: dict[str, str | None] = field(default_factory=dict)  # Form → why it may not be shown
    _own_faults: dict[str, Sequence[Fault]] = field(default_factory=dict)  # of what a message said itself

    def spoken(self, message: MessageRecord) -> Spoken:
        """The words of the message that may be shown."""
        self.read([message])
        self.touched[message.id] = list(dict.fromkeys(v.form for v in self._made[message.id]))
        told = sentences(message.text)
        reasons: dict[str, None] = {}
        silent: set[int] = set()
        for fault in self._faults(message):
            if len(told) <= _FEW or not fault.spans:
                return Spoken(None, f"silent: {fault.reason}")
            reasons[fault.reason] = None
            silent.update(
                at
                for at, (a, b) in enumerate(told)
                if any(a < end and start < b for start, end in fault.spans)
            )
        if not silent:
            return Spoken(message.text)
        text = without(message.text, told, silent)
        reason = ", ".join(reasons)
        return Spoken(text, f"silent: {reason}" if text is None else f"silent in part: {reason}")

    def read(self, messages: Sequence[MessageRecord]) -> None:
        """Reads what it takes to judge these messages, in one go: what each made, then, for those that are not
        silent for that alone, the Forms around them."""
        unread = [m for m in messages if m.id not in self._made]
        if not unread:
            return
        ids = [m.id for m in unread]
        self._made.update({id: [] for id in ids})
        self._pendings.update({id: [] for id in ids})
        versions = self.store.versions_of_messages(self.scope, ids)
        for version in versions:
            self._made[version.message].append(version)
        for item in self.store.pendings(self.scope, None, None, ids):
            self._pendings[item.message].append(item)
        made = list(dict.fromkeys(v.form for v in versions))
        self._read(made)
        if self.history:
            return
        self._keep_chains(made)
        open_to = [m for m in unread if not self._faults_itself(m)]
        self._read_chains(list(dict.fromkeys(form for m in open_to for form in self._near(m))))

    def pendings(self, message: str) -> Sequence[PendingRecord]:
        """Pending items, of any state, that came from the message; it has been judged."""
        return self._pendings[message]

    def _faults(self, message: MessageRecord) -> Iterator[Fault]:
        yield from self._faults_itself(message)
        if self.history:
            return
        # a fact told again makes no version, and goes with its Form all the same
        for form in self._told(message):
            if (fault := self._standing(form)) is not None:
                yield Fault(fault, self._words_in(message, form))
        yield from self._repeats_old(message)

    def _faults_itself(self, message: MessageRecord) -> Sequence[Fault]:
        """The faults of a message and of what it made, whatever else was said."""
        if message.id not in self._own_faults:
            self._own_faults[message.id] = list(self._found_itself(message))
        return self._own_faults[message.id]

    def _found_itself(self, message: MessageRecord) -> Iterator[Fault]:
        request = self.standing.request
        if message.state in ("erased", "refused"):
            yield Fault(message.state)
        if message.state == "withheld":
            yield Fault("erased")
        if (request.as_of is not None and message.time > request.as_of) or (
            request.known_at is not None and message.arrived > request.known_at
        ):
            yield Fault("said later")
        if message.role == "user" and joking(message.text):
            yield Fault("said as a joke")
        for item in self._pendings[message.id]:
            # a question what a Form is called says nothing of the words that made it
            if item.state != "confirmed" and item.reason != "identity_missing":
                yield Fault("waits for confirmation" if item.state == "open" else item.state, _asked(item))
        for version in self._made[message.id]:
            yield from self._faults_of(version)

    def _faults_of(self, version: VersionRecord) -> Iterator[Fault]:
        record = self._record(version.form)
        if version.payload is None or record is None:
            yield Fault("erased")
            return
        if self.history:
            return
        _, assertions = parse_payload(version.payload, version.n)
        standing = self._standing(version.form)
        if standing is not None:
            yield Fault(standing, [span for _, a in assertions if (span := _span(a, version.message))])
            return
        if version.n in withdrawn(self._chain(version.form)):
            return  # undone, or edited away: as if it had never been said
        form_type = self.catalog.types.get(record.type)
        state = self._state(version.form)
        for slot, assertion in assertions:
            spec = form_type.slots.get(slot) if form_type else None
            if not _holds(
                spec, state["s"].get(slot, ()), state["av"].get(slot, ()), assertion, self.standing.moment
            ):
                if "ag" in assertion:
                    continue  # another's words say it, and go
                span = _span(assertion, version.message)
                yield Fault("superseded", [span] if span else ())

    def _repeats_old(self, message: MessageRecord) -> Iterator[Fault]:
        """Whether the message holds words of a value displaced since, of its own Forms, of those that its
        conversation touched ("not May but June"; an assistant that repeats what it was told), or of its speaker's
        own. What is no longer so at all is silent in other words of the conversation, too."""
        near = self._near(message)
        self._read_chains(near)
        for form in near:
            if self._words[form] == _NONE:
                continue
            fault = self._standing(form)
            if fault in ("invalid", "expired"):
                here = [s for s in self._words_in(message, form) if not self._holding(message, s)]
            else:
                fault, here = "superseded", self._old_in(message, form)
            if here:
                yield Fault(fault, here)

    def _near(self, message: MessageRecord) -> Sequence[str]:
        """The Forms of which the message may repeat something: its own, those around it, and its speaker's."""
        own = [version.form for version in self._made[message.id]]
        around = [m.form for m in self._of(message.conversation)[:_AROUND]]
        return list(dict.fromkeys([*own, *around, *self._own(message)]))

    def _holding(self, message: MessageRecord, span: Span) -> bool:
        """Whether something that the message said with these words is so: no version of its has a fault."""
        return any(
            own is not None and own[0] <= span[0] and span[1] <= own[1]
            for version in self._made[message.id]
            if self._standing(version.form) is None
            for _, assertion in parse_payload(version.payload or "{}", version.n)[1]
            if (own := _span(assertion, message.id))
        )

    def _own(self, message: MessageRecord) -> Sequence[str]:
        """The Forms that by their identity a person has one of, of the speaker's."""
        if message.role != "user":
            return ()
        if message.speaker not in self._owned:
            names: dict[str, list[str]] = {}
            for name, form_type in self.catalog.types.items():
                for key in form_type.identity.keys:
                    if key in _PERSONS:
                        part = context_part(
                            key[0], speaker=message.speaker, conversation="", owner=self.scope.owner
                        )
                        names.setdefault(part, []).append(name)
            keys = self.store.names(self.scope, list(names)) if names else []
            self._owned[message.speaker] = [k.form for k in keys if k.type in names.get(k.name, ())]
        return self._owned[message.speaker]

    def _told(self, message: MessageRecord) -> list[str]:
        """The Forms that the message told something of, be it nothing new."""
        return [m.form for m in self._of(message.conversation) if m.seq == message.seq]

    def _of(self, conversation: str) -> Sequence[MentionRecord]:
        if conversation not in self._mentions:
            self._mentions[conversation] = self.store.touched(self.scope, conversation, None, _MENTIONS)
        return self._mentions[conversation]

    def _standing(self, form: str) -> str | None:
        if form not in self._faulty:
            record = self._record(form)
            self._faulty[form] = None if record is None else self.standing.fault(record)
        return self._faulty[form]

    def _read_chains(self, forms: Sequence[str]) -> None:
        """Chains of Forms that may have changed, with the words of each, in one go: every message asks about all
        Forms around it, and of nearly all of them it holds no word."""
        wanted = [form for form in forms if form not in self._words]
        self._read(wanted)
        changed = [
            form
            for form in wanted
            if (record := self._records[form]) is not None
            and (_may_have_changed(record) or self._standing(form) is not None)
        ]
        self._keep_chains(changed)
        said = {v.message for form in changed for v in self._chains[form]} - self._texts.keys()
        self._texts.update(self.store.messages(self.scope, sorted(said)))
        self._words.update(dict.fromkeys(wanted, _NONE))
        for form in changed:
            self._words[form] = _words(self._chains[form], self._texts)

    def _old_in(self, message: MessageRecord, form: str) -> list[Span]:
        """Where the message repeats a value of the Form that no longer holds and is no part of what does."""
        words, text = self._words[form], folded(message.text)
        if words is not None and not any(word in text for word in words):
            return []
        return [
            span
            for slot, old in _counting(self._chain(form))
            for said in self._said(old)
            if len(said) > 1 and folded(said) in text and self._gone(form, slot, old, said)
            for span in self._repeated(message, form, slot, old, said)
        ]

    def _words_in(self, message: MessageRecord, form: str) -> list[Span]:
        """Where the message holds words that the Form's values rest on, but for what it goes by."""
        form_type = self._type(form)
        names = form_type.identity.slots if form_type else frozenset()
        return [
            span
            for slot, old in _counting(self._chain(form))
            if slot not in names
            for said in self._said(old)
            if len(said) > 1
            for span in self._repeated(message, form, slot, old, said)
        ]

    def _repeated(
        self, message: MessageRecord, form: str, slot: str, old: Assertion, said: str
    ) -> list[Span]:
        """Where the words stand and mean the value. A message that tells of the Form, and what was said right after
        the value, mean it; words that are said of anything (a day, a small number) mean it in a sentence that
        names the slot."""
        found = places(message.text, said)
        if not found or form in self.touched[message.id] or form in self._told(message):
            return found
        source = self._texts.get(rests_on(old)[0])
        if (
            source is not None
            and source.conversation == message.conversation
            and 0 <= message.seq - source.seq <= _SOON
        ):
            return found
        form_type = self._type(form)
        spec = form_type.slots.get(slot) if form_type else None
        if spec is None or (spec.type not in _DAYS and distinctive(said)):
            return found
        names = [normal(each) for each in (spec.name.replace("_", " "), *spec.aliases, *spec.cues)]
        naming = [
            (a, b)
            for a, b in sentences(message.text)
            if (sentence := normal(message.text[a:b])) and any(name in sentence for name in names)
        ]
        return [(a, b) for a, b in found if any(start <= a < end for start, end in naming)]

    def _type(self, form: str) -> FormType | None:
        record = self._record(form)
        return self.catalog.types.get(record.type) if record else None

    def _gone(self, form: str, slot: str, old: Assertion, said: str) -> bool:
        form_type = self._type(form)
        spec = form_type.slots.get(slot) if form_type else None
        moment = self.standing.moment
        timeline = self._state(form)["s"].get(slot, ())
        if begins(old) > moment or _holds(spec, timeline, (), old, moment):
            return False
        now = winner(spec, timeline, moment)
        held = [] if now is None else [*texts_of(now), *self._said(now)]
        return not any(folded(said) in folded(each) for each in held)

    def _said(self, assertion: Assertion) -> list[str]:
        """The words by which an assertion's value is said."""
        id, span = rests_on(assertion)
        if span is not None and id not in self._texts:
            self._texts.update(self.store.messages(self.scope, [id]))
        return sayings(assertion, self._texts)

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

    def _keep_chains(self, forms: Sequence[str]) -> None:
        """Chains of Forms, in one go."""
        unread = [form for form in forms if form not in self._chains]
        chains = self.store.chains(self.scope, unread) if unread else {}
        for form in unread:
            self._keep_chain(form, chains.get(form, []))

    def _keep_chain(self, form: str, chain: Sequence[VersionRecord]) -> None:
        known = self.standing.request.known_at
        self._chains[form] = [v for v in chain if known is None or v.arrived <= known]


def _span(assertion: Assertion, message: str) -> Span | None:
    """The words of the message that the assertion rests on."""
    return (assertion["e"][0], assertion["e"][1]) if "e" in assertion and assertion["m"] == message else None


def _asked(item: PendingRecord) -> list[Span]:
    """The words that a pending item waits for, where it says of all that it holds."""
    spans = [each["span"] for each in json.loads(item.draft).get("items", ())]
    return [(span[0], span[1]) for span in spans] if all(spans) else []


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
    """The words of a chain's evidence and its values that are text, folded, by their places alone: payloads are not
    parsed. None where a payload names another message than its own."""
    words: set[str] = set()
    for version in chain:
        payload, message = version.payload or "", texts.get(version.message)
        spans = _SPAN.findall(payload)
        if '"ag":' in payload or (spans and (message is None or payload.count('"m":') != 1)):
            return None
        if message is not None:
            words.update(message.text[int(start) : int(end)] for start, end in spans)
        words.update(json.loads(text) for value in _VALUE.findall(payload) for text in _TEXT.findall(value))
    return frozenset(folded(word) for word in words if len(word) > 1)


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


__all__ = ["Silence", "Spoken"]
