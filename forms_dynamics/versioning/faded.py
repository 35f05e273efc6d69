"""What has faded, and the questions that it asks again: a function of the clock, with nothing stored.

A fact is asked about when its confidence has fallen below ``fading.FADED``, its Form is active, neither expired nor
cold, and nothing is asked about the slot otherwise. Above :data:`MANY` old facts (those that faded, and those whose
own ``valid_until`` has passed with nothing in their place) one question stands for all.

Only Forms of types with a slot that fades are read, 500 at a time: the cost grows with their number in the scope, and
business types, which do not fade, cost nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from forms_dynamics.assertions import Assertion, dump, ran_out, winner
from forms_dynamics.fading import FADED, MANY, fade_of, faded_to, fading_slots, falls_at, last_confirmed
from forms_dynamics.language.normal import language, language_of
from forms_dynamics.model.record import FormRecord, PendingRecord, Scope
from forms_dynamics.model.value import decode
from forms_dynamics.ports import Store
from forms_dynamics.projection import confirmations, is_cold, state_of
from forms_dynamics.reader import Reader
from forms_dynamics.schema.questions import ask_again, ask_of_many, named
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec

REASON = "faded"
PREFIX = "faded:"
ALL = "faded:*"
_PAGE = 500
_SAMPLE = 20  # of the newest of many facts, whose words say in which language to ask


class Fact(NamedTuple):
    """An old fact. ``since``: when it fell below the mark, or when its validity ended (``expired``)."""

    record: FormRecord
    form_type: FormType
    slot: str
    held: Assertion
    since: int
    expired: bool

    @property
    def spec(self) -> SlotSpec:
        return self.form_type.slots[self.slot]

    @property
    def kind(self) -> str:
        return f"{self.record.type}.{self.slot}"

    @property
    def id(self) -> str:
        return f"{PREFIX}{self.record.id}:{self.slot}"


def is_all(pending_id: str) -> bool:
    """Whether the id names the one question for many facts."""
    return pending_id in (ALL, f"{PREFIX}all")


def is_faded_id(pending_id: str) -> bool:
    """Whether the id names a question about something that has faded."""
    return pending_id.startswith(PREFIX)


def fact_named(pending_id: str) -> tuple[str, str]:
    """Form and slot that the id of a question names."""
    form, _, slot = pending_id.removeprefix(PREFIX).rpartition(":")
    return form, slot


def facts_of(
    record: FormRecord, form_type: FormType, reader: Reader, now: int, every: bool = False
) -> list[Fact]:
    """The old facts of one Form; none where it is invalid, expired or cold. ``every``: all that it holds now in slots
    that fade, however sure."""
    record = reader.noted(record)
    at = max(now, record.updated)  # an event time ahead of the clock counts as just now
    if record.status != "active" or (is_cold(form_type.life, record, at) and not every):
        return []
    state = state_of(record, form_type)
    wanted = fading_slots(form_type) & state["s"].keys()
    if not wanted or reader.expired(form_type, state, record, at):
        return []
    confirmed = confirmations(record, form_type)
    out: list[Fact] = []
    for slot in form_type.slots:
        if slot not in wanted:
            continue
        spec, timeline = form_type.slots[slot], state["s"][slot]
        held = winner(spec, timeline, at)
        if held is None:
            over = ran_out(spec, timeline, at)
            if over is not None and not every:
                out.append(Fact(record, form_type, slot, over[0], over[1], True))
            continue
        fade = fade_of(form_type, spec)
        last = last_confirmed(held, confirmed.get(slot))
        if every or (fade is not None and faded_to(held["c"], fade, last, at) < FADED):
            since = last if fade is None else falls_at(held["c"], fade, last)
            out.append(Fact(record, form_type, slot, held, since, False))
    return out


def old_facts(
    store: Store, scope: Scope, catalog: Catalog, reader: Reader, now: int, every: bool = False
) -> Iterator[Fact]:
    """The old facts of the scope's own Forms, in no order; ``every`` as for :func:`facts_of`."""
    for form_type in catalog:
        if not fading_slots(form_type):
            continue
        after = None
        while page := store.find(scope, form_type.name, "active", _PAGE, after):
            for record in page:
                yield from facts_of(record, form_type, reader, now, every)
            if len(page) < _PAGE:
                break
            after = page[-1].id


def questions(
    store: Store, scope: Scope, catalog: Catalog, reader: Reader, now: int, waiting: Iterable[PendingRecord]
) -> list[PendingRecord]:
    """What is asked again, the longest faded first; ``waiting`` is what is asked otherwise."""
    asked = {(item.form, item.slot) for item in waiting}
    facts = [f for f in old_facts(store, scope, catalog, reader, now) if (f.record.id, f.slot) not in asked]
    facts.sort(key=lambda f: (f.since, f.record.id, f.slot))
    if len(facts) > MANY:
        return [_of_many(store, scope, facts)]
    return questions_about(store, scope, [f for f in facts if not f.expired])


def questions_of(
    store: Store, scope: Scope, catalog: Catalog, reader: Reader, now: int, record: FormRecord
) -> list[PendingRecord]:
    """What is asked again of one Form, however many others wait."""
    form_type = catalog.types.get(record.type)
    facts = [] if form_type is None else facts_of(record, form_type, reader, now)
    return questions_about(store, scope, [f for f in facts if not f.expired])


def questions_about(
    store: Store, scope: Scope, facts: Sequence[Fact], lang: str | None = None
) -> list[PendingRecord]:
    """One question a fact, in the language of the words that it rests on (or in ``lang``)."""
    said = {} if lang is not None else _texts(store, scope, facts)
    return [
        PendingRecord(
            fact.id, fact.record.owner, fact.record.id, fact.record.type, fact.slot, dump({"v": fact.held["v"]}),
            fact.held["c"], REASON, question_of(fact, lang or _language(fact, said)), "[]", fact.since, "open",
            fact.held["m"], "{}",
        )
        for fact in facts
    ]  # fmt: skip


def question_of(fact: Fact, lang: str) -> str:
    """Whether the fact still holds, as a yes or a no answers it."""
    return ask_again(fact.form_type, fact.spec, decode(fact.held["v"]), _values(fact), lang)


def name_of(fact: Fact, lang: str) -> str:
    """What tells the fact's Form from others of its type; "" where there is one, or where the fact tells it."""
    return named(fact.form_type, fact.slot, _values(fact), lang)


def _values(fact: Fact) -> Callable[[str], Any]:
    """Slot → what the fact's Form holds of it."""
    told = state_of(fact.record, fact.form_type)["s"]

    def value_of(slot: str) -> Any:
        held = winner(fact.form_type.slots[slot], told.get(slot, ()), fact.since)
        return None if held is None else decode(held["v"])

    return value_of


def _texts(store: Store, scope: Scope, facts: Sequence[Fact]) -> dict[str, str]:
    wanted = sorted({fact.held["m"] for fact in facts})
    return {id: m.text for id, m in store.messages(scope, wanted).items()} if wanted else {}


def _language(fact: Fact, said: dict[str, str]) -> str:
    text = said.get(fact.held["m"], "")
    return language(text) if text else language_of([fact.held["v"]])


def _of_many(store: Store, scope: Scope, facts: Sequence[Fact]) -> PendingRecord:
    """One question for all: how many there are, and mostly of what kind."""
    newest = facts[-_SAMPLE:]
    said = _texts(store, scope, newest)
    lang = Counter(_language(fact, said) for fact in newest).most_common(1)[0][0]
    kinds = Counter(fact.kind for fact in facts)
    types = Counter(fact.form_type.name for fact in facts)
    by_name = {fact.form_type.name: fact.form_type for fact in facts}
    mostly = [by_name[name].label(lang) for name, _ in sorted(types.items(), key=_most)[:2]]
    candidates = [f"{kind}: {count}" for kind, count in sorted(kinds.items(), key=_most)]
    return PendingRecord(
        ALL, scope.owner, None, "*", None, dump({"v": None}), 0.0, REASON, ask_of_many(len(facts), mostly, lang),
        json.dumps(candidates, ensure_ascii=False), facts[0].since, "open", "", "{}",
    )  # fmt: skip


def _most(counted: tuple[str, int]) -> tuple[int, str]:
    return -counted[1], counted[0]


__all__ = [
    "ALL", "MANY", "REASON", "Fact", "fact_named", "facts_of", "is_all", "is_faded_id", "name_of", "old_facts",
    "question_of", "questions", "questions_about", "questions_of",
]  # fmt: skip
