"""What Forms were told, for whoever judges words by it: chains, states and words, each read once, many in one go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from forms_dynamics.assertions import Assertion, rests_on, sayings
from forms_dynamics.language.wording import folded
from forms_dynamics.model.record import FormRecord, MessageRecord, NearRecord, Scope, VersionRecord
from forms_dynamics.model.value import Money, decode
from forms_dynamics.ports import Store
from forms_dynamics.projection import State, fold, moving, parse_payload, placed, withdrawn
from forms_dynamics.retrieval.standing import Standing
from forms_dynamics.schema.spec import Catalog, FormType

AROUND = 50  # mentions of a conversation that are looked at for words of what was displaced
_MENTIONS = 500  # that are looked at for what a message told
_TELLS = 1000  # an amount as large is known by its digits alone


class Passing(NamedTuple):
    """An assertion that may hold no more, and how its value is said: ``words``, each with its folded form; an
    ``amount``, and its ``digits`` where they tell it by themselves."""

    slot: str
    assertion: Assertion
    words: Sequence[tuple[str, str]]
    amount: Money | None
    digits: Sequence[str]


@dataclass(slots=True)
class Chains:
    """Reads for one request; keeps what it has read. ``passing``: of the Forms given to ``read_passing``."""

    scope: Scope
    store: Store
    catalog: Catalog
    standing: Standing
    passing: dict[str, Sequence[Passing]] = field(default_factory=dict)
    texts: dict[str, MessageRecord] = field(default_factory=dict)
    _chains: dict[str, Sequence[VersionRecord]] = field(default_factory=dict)
    _states: dict[str, State] = field(default_factory=dict)
    _records: dict[str, FormRecord | None] = field(default_factory=dict)
    _near: dict[str, Sequence[NearRecord]] = field(default_factory=dict)  # conversation → newest first
    # Forms near a conversation of which nothing can be over → their types, and of those whether they changed
    _lasting: dict[str, str] = field(default_factory=dict)
    _changed: set[str] = field(default_factory=set)
    _assertions: dict[str, Sequence[tuple[str, Assertion]]] = field(default_factory=dict)
    _faulty: dict[str, str | None] = field(default_factory=dict)  # Form → why it may not be shown

    def mentions(self, conversation: str) -> Sequence[NearRecord]:
        """The newest mentions of the conversation, newest first."""
        self.read_near([conversation])
        return self._near[conversation]

    def read_near(self, conversations: Iterable[str]) -> None:
        """Mentions of conversations with what their Forms say, in one go: nearly all of these never changed, and are
        not looked at again."""
        unread = [each for each in dict.fromkeys(conversations) if each not in self._near]
        if not unread:
            return
        found = self.store.near(self.scope, unread, _MENTIONS, AROUND)
        for conversation in unread:
            self._near[conversation] = found.get(conversation, ())
        for each in (each for mentions in found.values() for each in mentions):
            head = each.head
            # what ends by itself is judged by its whole record
            if head is None or '"valid_until"' in head or self._ends(each.type):
                continue
            if each.form not in self._lasting:
                self._lasting[each.form] = each.type
                if _may_have_changed(each.n, head):
                    self._changed.add(each.form)
                else:
                    self.passing[each.form] = ()

    def _ends(self, type: str) -> bool:
        return self.catalog.life(type).ttl_seconds is not None

    def over(self, form: str) -> str | None:
        """Why nothing that the Form says holds any more: it is invalid, or expired."""
        if form in self._lasting:
            return None
        fault = self.fault(form)
        return None if fault == "cold" else fault

    def fault(self, form: str) -> str | None:
        """Why the Form may not be shown; None also of one that is not here."""
        if form not in self._faulty:
            record = self.record(form)
            self._faulty[form] = None if record is None else self.standing.fault(record)
        return self._faulty[form]

    def read_passing(self, forms: Sequence[str]) -> None:
        """What of Forms may hold no more, in one go: every message asks about all Forms around it, and nearly all of
        them never changed. Of those that may not be shown the messages that told them are read, too."""
        wanted = [form for form in forms if form not in self.passing]
        self.read([form for form in wanted if form not in self._lasting])
        changed = [
            form
            for form in wanted
            if form in self._changed
            or (
                (record := self._records.get(form)) is not None
                and (_may_have_changed(record.n, record.head) or self.over(form) is not None)
            )
        ]
        self.read_chains(changed)
        changes = {form: moving(self._kept(form)) for form in changed}
        said = {rests_on(old)[0] for each in changes.values() for _, old in each}
        said.update(v.message for form in changed if self.over(form) is not None for v in self._chains[form])
        self.texts.update(self.store.messages(self.scope, sorted(said - self.texts.keys())))
        self.passing.update(dict.fromkeys(wanted, ()))
        for form, each in changes.items():
            self.passing[form] = [self._passing(slot, old) for slot, old in each]

    def _passing(self, slot: str, old: Assertion) -> Passing:
        words = [(each, folded(each)) for each in self.said(old) if len(each) > 1]
        value = old["v"]
        amount: Money | None = decode(value) if isinstance(value, dict) and "amount" in value else None
        digits: list[str] = []
        if amount is not None and amount.amount >= _TELLS:
            digits = [f"{amount.amount:f}", f"{amount.amount:,f}"]
        return Passing(slot, old, words, amount, digits)

    def form_type(self, form: str) -> FormType | None:
        if form in self._lasting:
            return self.catalog.types.get(self._lasting[form])
        record = self.record(form)
        return self.catalog.types.get(record.type) if record else None

    def said(self, assertion: Assertion) -> list[str]:
        """The words by which an assertion's value is said."""
        id, span = rests_on(assertion)
        if id not in self.texts and span is not None:
            self.texts.update(self.store.messages(self.scope, [id]))
        return sayings(assertion, self.texts)

    def read(self, forms: Sequence[str]) -> None:
        """Records of Forms, in one go."""
        wanted = [form for form in forms if form not in self._records]
        found = self.store.forms(self.scope, wanted) if wanted else {}
        self._records.update({form: found.get(form) for form in wanted})

    def record(self, form: str) -> FormRecord | None:
        """The Form's record; None of one that is not here, or was erased."""
        if form not in self._records:
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
        self._chains[form] = placed([v for v in chain if known is None or v.arrived <= known])

    def assertions(self, form: str) -> Sequence[tuple[str, Assertion]]:
        """What the Form's chain says, without what was undone or edited away: the words that an undone act took are
        as good as they were, and those of an edited message are no longer there."""
        if form not in self._assertions:
            kept = self._kept(form)
            self._assertions[form] = [each for v in kept for each in parse_payload(v.payload or "", v.n)[1]]
        return self._assertions[form]

    def _kept(self, form: str) -> list[VersionRecord]:
        chain = self.chain(form)
        gone = withdrawn(chain)
        return [v for v in chain if v.payload is not None and v.n not in gone]


def _may_have_changed(n: int, head: str | None) -> bool:
    """Whether any slot can have had two assertions, or one that ends: a single version seldom says a slot twice."""
    return n != 1 or head is None or '"m":' not in head or ":[{" in head or '"u":' in head


__all__ = ["AROUND", "Chains", "Passing"]
