"""What Forms were told, for whoever judges words by it: chains, states and words, each read once, many in one go."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from forms_dynamics.assertions import Assertion, rests_on, sayings
from forms_dynamics.language.wording import folded
from forms_dynamics.model.record import FormRecord, MentionRecord, MessageRecord, Scope, VersionRecord
from forms_dynamics.ports import Store
from forms_dynamics.projection import State, fold, parse_payload, withdrawn
from forms_dynamics.retrieval.standing import Standing
from forms_dynamics.schema.spec import Catalog, FormType

_SPAN = re.compile(r'"e":\[(\d+),(\d+)\]')
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
_VALUE = re.compile(rf'"v":({_TEXT.pattern}|\[[^\]]*\])')
_MENTIONS = 500  # of a conversation that are looked at
NONE: frozenset[str] = frozenset()


@dataclass(slots=True)
class Chains:
    """Reads for one request; keeps what it has read.

    ``words``: by Form the words that were ever said of it, NONE for one that never changed, None where they are not
    known without its chain; of the Forms given to ``read_words``.
    """

    scope: Scope
    store: Store
    catalog: Catalog
    standing: Standing
    words: dict[str, frozenset[str] | None] = field(default_factory=dict)
    texts: dict[str, MessageRecord] = field(default_factory=dict)
    _chains: dict[str, Sequence[VersionRecord]] = field(default_factory=dict)
    _states: dict[str, State] = field(default_factory=dict)
    _records: dict[str, FormRecord | None] = field(default_factory=dict)
    _mentions: dict[str, Sequence[MentionRecord]] = field(default_factory=dict)  # conversation → newest first
    _faulty: dict[str, str | None] = field(default_factory=dict)  # Form → why it may not be shown

    def mentions(self, conversation: str) -> Sequence[MentionRecord]:
        """The newest mentions of the conversation, newest first."""
        if conversation not in self._mentions:
            self._mentions[conversation] = self.store.touched(self.scope, conversation, None, _MENTIONS)
        return self._mentions[conversation]

    def fault(self, form: str) -> str | None:
        """Why the Form may not be shown; None also of one that is not here."""
        if form not in self._faulty:
            record = self.record(form)
            self._faulty[form] = None if record is None else self.standing.fault(record)
        return self._faulty[form]

    def read_words(self, forms: Sequence[str]) -> None:
        """Chains of Forms that may have changed, with the words of each, in one go: every message asks about all
        Forms around it, and of nearly all of them it holds no word."""
        wanted = [form for form in forms if form not in self.words]
        self.read(wanted)
        changed = [
            form
            for form in wanted
            if (record := self._records[form]) is not None
            and (_may_have_changed(record) or self.fault(form) is not None)
        ]
        self.read_chains(changed)
        said = {v.message for form in changed for v in self._chains[form]} - self.texts.keys()
        self.texts.update(self.store.messages(self.scope, sorted(said)))
        self.words.update(dict.fromkeys(wanted, NONE))
        for form in changed:
            self.words[form] = _words_of(self._chains[form], self.texts)

    def form_type(self, form: str) -> FormType | None:
        record = self.record(form)
        return self.catalog.types.get(record.type) if record else None

    def said(self, assertion: Assertion) -> list[str]:
        """The words by which an assertion's value is said."""
        id, span = rests_on(assertion)
        if span is not None and id not in self.texts:
            self.texts.update(self.store.messages(self.scope, [id]))
        return sayings(assertion, self.texts)

    def read(self, forms: Sequence[str]) -> None:
        """Records of Forms, in one go."""
        wanted = [form for form in forms if form not in self._records]
        found = self.store.forms(self.scope, wanted) if wanted else {}
        self._records.update({form: found.get(form) for form in wanted})

    def record(self, form: str) -> FormRecord | None:
        """The Form's record; None of one that is not here, or was erased."""
        self.read([form])
        return self._records[form]

    def state(self, form: str) -> State:
        """What the Form's chain comes to."""
        if form not in self._states:
            self._states[form] = fold(self.chain(form), None, self.standing.request.known_at)
        return self._states[form]

    def chain(self, form: str) -> Sequence[VersionRecord]:
        """The Form's versions that the request may know."""
        if form not in self._chains:
            self._keep_chain(form, self.store.versions(self.scope, form))
        return self._chains[form]

    def read_chains(self, forms: Sequence[str]) -> None:
        """Chains of Forms, in one go."""
        unread = [form for form in forms if form not in self._chains]
        chains = self.store.chains(self.scope, unread) if unread else {}
        for form in unread:
            self._keep_chain(form, chains.get(form, []))

    def _keep_chain(self, form: str, chain: Sequence[VersionRecord]) -> None:
        known = self.standing.request.known_at
        self._chains[form] = [v for v in chain if known is None or v.arrived <= known]

    def assertions(self, form: str) -> list[tuple[str, Assertion]]:
        """What the Form's chain says, without what was undone or edited away: the words that an undone act took are
        as good as they were, and those of an edited message are no longer there."""
        chain = self.chain(form)
        gone = withdrawn(chain)
        kept = (v for v in chain if v.payload is not None and v.n not in gone)
        return [each for v in kept for each in parse_payload(v.payload or "", v.n)[1]]


def _may_have_changed(record: FormRecord) -> bool:
    """Whether any slot can have had two assertions, or one that ends: a single version seldom says a slot twice."""
    head = record.head
    return record.n != 1 or head is None or '"m":' not in head or ":[{" in head or '"u":' in head


def _words_of(chain: Sequence[VersionRecord], texts: Mapping[str, MessageRecord]) -> frozenset[str] | None:
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


__all__ = ["NONE", "Chains"]
