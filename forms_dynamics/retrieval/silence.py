"""Which words of messages may be shown: none that support what no longer holds, was refused or waits.

A short message is silent as a whole: its sentences say one thing. Of a longer one the sentences go that hold such
words; the rest may be quoted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from forms_dynamics.assertions import Assertion, begins, rests_on, texts_of, winner
from forms_dynamics.language.cues import joking
from forms_dynamics.language.money import find_money
from forms_dynamics.language.normal import normal
from forms_dynamics.language.wording import distinctive, folded, places
from forms_dynamics.model.record import (
    MessageRecord,
    PendingRecord,
    Scope,
    VersionRecord,
)
from forms_dynamics.ports import Store
from forms_dynamics.projection import parse_payload, withdrawn
from forms_dynamics.retrieval.chains import AROUND, Chains, Passing
from forms_dynamics.retrieval.quoted import sentences, without
from forms_dynamics.retrieval.ranking import stems
from forms_dynamics.retrieval.standing import Standing
from forms_dynamics.retrieval.words import STOP_EN
from forms_dynamics.schema.compare import context_part
from forms_dynamics.schema.spec import Catalog, SlotSpec

_AMOUNT = re.compile(r"\d|[百千万亿]|thousand|million|billion")
_FEW = 3  # sentences that are silent together
_SOON = 4  # messages after a value was said in which its words mean it
_DAYS = ("date", "datetime", "time")
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
    """Judges messages of a scope.

    With ``history`` what is superseded, expired or invalid may be told; refused and erased words may not.
    """

    scope: Scope
    store: Store
    catalog: Catalog
    standing: Standing
    history: bool
    chains: Chains = field(init=False)
    touched: dict[str, list[str]] = field(default_factory=dict)  # message → Forms that it made versions of
    _made: dict[str, list[VersionRecord]] = field(default_factory=dict)  # by message
    _pendings: dict[str, list[PendingRecord]] = field(default_factory=dict)  # likewise
    _owned: dict[str, Sequence[str]] = field(default_factory=dict)  # speaker → the Forms that are theirs
    # message and currency → amounts that it says → where
    _money: dict[tuple[str, str], dict[Any, list[Span]]] = field(default_factory=dict)
    _own_faults: dict[str, Sequence[Fault]] = field(default_factory=dict)  # of what a message said itself

    def __post_init__(self) -> None:
        self.chains = Chains(self.scope, self.store, self.catalog, self.standing)

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
            # who says a value twice means it both times
            words = {message.text[a:b] for a, b in fault.spans}
            spans = [*fault.spans, *(span for each in words for span in places(message.text, each))]
            silent.update(
                at for at, (a, b) in enumerate(told) if any(a < end and start < b for start, end in spans)
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
        self.chains.read(made)
        if self.history:
            return
        self.chains.read_chains(made)
        open_to = [m for m in unread if not self._faults_itself(m)]
        self.chains.read_near(m.conversation for m in open_to)
        self.chains.read(list(dict.fromkeys(form for m in open_to for form in self._told(m))))
        self.chains.read_passing(list(dict.fromkeys(form for m in open_to for form in self._near(m))))

    def pendings(self, message: str) -> Sequence[PendingRecord]:
        """Pending items, of any state, that came from the message; it has been judged."""
        return self._pendings[message]

    def _faults(self, message: MessageRecord) -> Iterator[Fault]:
        yield from self._faults_itself(message)
        if self.history:
            return
        # a fact told again makes no version, and goes with its Form all the same
        for form in self._told(message):
            if (fault := self.chains.fault(form)) is not None:
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
        record = self.chains.record(version.form)
        if version.payload is None or record is None:
            yield Fault("erased")
            return
        if self.history:
            return
        _, assertions = parse_payload(version.payload, version.n)
        standing = self.chains.fault(version.form)
        if standing is not None:
            yield Fault(standing, [span for _, a in assertions if (span := _span(a, version.message))])
            return
        if version.n in withdrawn(self.chains.chain(version.form)):
            return  # undone, or edited away: as if it had never been said
        form_type = self.catalog.types.get(record.type)
        state = self.chains.state(version.form)
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
        self.chains.read_passing(near)
        text = folded(message.text)
        counts = _AMOUNT.search(text) is not None
        for form in near:
            fault = self.chains.over(form)
            if fault is not None:
                here = [s for s in self._words_in(message, form) if not self._holding(message, s)]
            elif passing := self.chains.passing[form]:
                fault, here = "superseded", self._old_in(message, form, passing, text, counts)
            else:
                continue
            if here:
                yield Fault(fault, here)

    def _near(self, message: MessageRecord) -> Sequence[str]:
        """The Forms of which the message may repeat something: its own, those around it, and its speaker's."""
        own = [version.form for version in self._made[message.id]]
        around = [m.form for m in self.chains.mentions(message.conversation)[:AROUND]]
        return list(dict.fromkeys([*own, *around, *self._own(message)]))

    def _holding(self, message: MessageRecord, span: Span) -> bool:
        """Whether something that the message said with these words is so: no version of its has a fault."""
        return any(
            own is not None and own[0] <= span[0] and span[1] <= own[1]
            for version in self._made[message.id]
            if self.chains.fault(version.form) is None
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
        return [m.form for m in self.chains.mentions(message.conversation) if m.seq == message.seq]

    def _old_in(
        self, message: MessageRecord, form: str, passing: Sequence[Passing], text: str, counts: bool
    ) -> list[Span]:
        """Where the message (``text``: folded; ``counts``: whether it may say amounts) repeats a value of the Form
        that no longer holds and is no part of what does: in the same words, or an amount in others (500k, 五十万)."""
        counted = counts and self._has_amounts(form)
        out: list[Span] = []
        for each in passing:
            old = each.assertion
            there = {
                said: spans
                for said, low in each.words
                if low in text and (spans := places(message.text, said))
            }
            if counted and each.amount is not None:
                for span in self._amounts(message, each):
                    there.setdefault(message.text[span[0] : span[1]], [span])
            if there and self._displaced(form, each.slot, old):
                held = self._held_in(form, each.slot)
                for said, spans in there.items():
                    if not any(folded(said) in folded(words) for words in held):
                        out += self._meant(message, form, each.slot, old, said, spans)
        return out

    def _has_amounts(self, form: str) -> bool:
        form_type = self.chains.form_type(form)
        return form_type is not None and any(spec.type == "money" for spec in form_type.slots.values())

    def _amounts(self, message: MessageRecord, passing: Passing) -> list[Span]:
        """Where the message says the amount, an amount without a currency taken in that of the value."""
        value = passing.amount
        assert value is not None
        at = message.id, value.currency
        if at not in self._money:
            said = self._money[at] = {}
            for reading in find_money(message.text, value.currency):
                said.setdefault(reading.value, []).append((reading.start, reading.end))
        bare = [s for words in passing.digits if words in message.text for s in places(message.text, words)]
        return [*bare, *self._money[at].get(value, ())]

    def _words_in(self, message: MessageRecord, form: str) -> list[Span]:
        """Where the message holds words that the Form's values rest on, but for what it goes by."""
        form_type = self.chains.form_type(form)
        names = form_type.identity.slots if form_type else frozenset()
        return [
            span
            for slot, old in self.chains.assertions(form)
            if slot not in names
            for said in self.chains.said(old)
            if len(said) > 1
            for span in self._meant(message, form, slot, old, said, places(message.text, said))
        ]

    def _meant(
        self,
        message: MessageRecord,
        form: str,
        slot: str,
        old: Assertion,
        said: str,
        found: Sequence[Span],
    ) -> Sequence[Span]:
        """Where the words mean the value, of the places where they stand (``found``). A message that tells of the
        Form, and what was said right after the value, mean it; words that are said of anything (a day, a small
        number) mean it in a sentence that names the slot, or shares a word with the message that told it."""
        if not found or form in self.touched[message.id] or form in self._told(message):
            return found
        source = self.chains.texts.get(rests_on(old)[0])
        if (
            source is not None
            and source.conversation == message.conversation
            and 0 <= message.seq - source.seq <= _SOON
        ):
            return found
        form_type = self.chains.form_type(form)
        spec = form_type.slots.get(slot) if form_type else None
        if spec is None or (spec.type not in _DAYS and distinctive(said)):
            return found
        names = [normal(each) for each in (spec.name.replace("_", " "), *spec.aliases, *spec.cues)]
        told = _content("" if source is None else source.text)
        naming = [
            (a, b)
            for a, b in sentences(message.text)
            if (sentence := normal(message.text[a:b]))
            and (any(name in sentence for name in names) or not told.isdisjoint(_content(sentence)))
        ]
        return [(a, b) for a, b in found if any(start <= a < end for start, end in naming)]

    def _displaced(self, form: str, slot: str, old: Assertion) -> bool:
        """Whether the value held, and does so no more."""
        form_type = self.chains.form_type(form)
        spec = form_type.slots.get(slot) if form_type else None
        moment = self.standing.moment
        timeline = self.chains.state(form)["s"].get(slot, ())
        return begins(old) <= moment and not _holds(spec, timeline, (), old, moment)

    def _held_in(self, form: str, slot: str) -> Sequence[str]:
        """The texts and words of what the slot holds."""
        form_type = self.chains.form_type(form)
        spec = form_type.slots.get(slot) if form_type else None
        now = winner(spec, self.chains.state(form)["s"].get(slot, ()), self.standing.moment)
        return () if now is None else [*texts_of(now), *self.chains.said(now)]


def _content(text: str) -> frozenset[str]:
    """What a text is about: the stems of its words without function words and numbers."""
    return frozenset(s for s in stems(text) if len(s) > 1 and s not in STOP_EN and not s.isdigit())


def _span(assertion: Assertion, message: str) -> Span | None:
    """The words of the message that the assertion rests on."""
    return (assertion["e"][0], assertion["e"][1]) if "e" in assertion and assertion["m"] == message else None


def _asked(item: PendingRecord) -> list[Span]:
    """The words that a pending item waits for, where it says of all that it holds."""
    spans = [each["span"] for each in json.loads(item.draft).get("items", ())]
    return [(span[0], span[1]) for span in spans] if all(spans) else []


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
