"""Forms that a question gives by what belongs to them alone: a telephone number, an e-mail address, a plate."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from forms_dynamics.assertions import winner
from forms_dynamics.language.contacts import find_emails, phone_key
from forms_dynamics.language.normal import normal
from forms_dynamics.language.terms import index_terms
from forms_dynamics.model.record import FormRecord, Scope
from forms_dynamics.model.value import decode
from forms_dynamics.ports import Store
from forms_dynamics.projection import state_of
from forms_dynamics.retrieval.candidates import NUMBER
from forms_dynamics.retrieval.names import EXACT, Anchor, Span
from forms_dynamics.retrieval.question import Question
from forms_dynamics.schema.spec import Catalog

_LEAST = 7  # digits that make two spellings of a number one
_READ = 60  # Forms that are looked at by their words
_SCANNED = 500  # and of a type whose numbers may be grouped in another way
# letters and digits in one word, a Chinese letter of a province before it, or in two: T4, 粤B12345, LB72 XKD
_CODE = re.compile(r"(?<![a-z\d])[一-鿿]?(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{2,}(?:[ -][a-z\d]{2,4})?(?![a-z\d])")
_APART = re.compile(r"[\s·-]+")


@dataclass(frozen=True, slots=True)
class _Given:
    """What stands in the question at ``span``; ``kind`` phone, email or text."""

    kind: str
    said: str
    span: Span

    def holds(self, kind: str, value: Any) -> bool:
        """Whether a value of a slot of this kind is it."""
        if not isinstance(value, str):
            return False
        if self.kind == "phone":
            return kind == "phone" and same_number(self.said, value)
        if self.kind == "email":
            return kind in ("email", "text") and value.casefold() == self.said
        return kind in ("text", "ref") and _APART.sub("", normal(value)) == _APART.sub("", self.said)


def same_number(one: str, other: str) -> bool:
    """Whether two spellings are of one telephone number: with its country code or without."""
    short, long = sorted((phone_key(one).lstrip("0"), phone_key(other).lstrip("0")), key=len)
    return len(short) >= _LEAST and long.endswith(short)


def by_contact(
    question: Question, scope: Scope, store: Store, catalog: Catalog, aside: Sequence[Span], most: int
) -> list[Anchor]:
    """Anchors for Forms one of whose values is such a number, address or code, where no more than ``most`` have it;
    of ``aside`` (places of what is compared) nothing is looked up."""
    given = [g for g in _given(question) if not any(a < g.span[1] and g.span[0] < b for a, b in aside)]
    for each in given:
        found: dict[str, Anchor] = {}
        for record, slot in _having(each, scope, store, catalog):
            why = f"its {slot} is {each.said}"
            found.setdefault(record.id, Anchor(record.id, record.type, EXACT, why, each.span, slot=slot))
        meant = [a for a in found.values() if a.type in question.types] or list(found.values())
        if meant and len(meant) <= most:
            return meant
    return []


def _given(question: Question) -> Iterator[_Given]:
    text = question.text
    for mail in find_emails(text):
        yield _Given("email", text[mail.start : mail.end], (mail.start, mail.end))
    for number in NUMBER.finditer(text):
        yield _Given("phone", number.group(), number.span())
    for code in _CODE.finditer(text):
        for said in dict.fromkeys((code.group(), re.split("[ -]", code.group())[0])):
            yield _Given("text", said, (code.start(), code.start() + len(said)))


def _having(given: _Given, scope: Scope, store: Store, catalog: Catalog) -> Iterator[tuple[FormRecord, str]]:
    terms = list(dict.fromkeys((*index_terms(given.said), *index_terms(_APART.sub("", given.said)))))
    hits = store.search_text(scope, terms, _READ, forms=True)
    records = list(store.forms(scope, [hit.id for hit in hits]).values())
    found = list(_that_hold(given, records, catalog))
    if not found and given.kind == "phone":
        for form_type in catalog:
            if any(spec.type == "phone" for spec in form_type.slots.values()):
                more = store.find(scope, form_type.name, "active", _SCANNED, None)
                found += _that_hold(given, more, catalog)
    yield from found


def _that_hold(
    given: _Given, records: Iterable[FormRecord], catalog: Catalog
) -> Iterator[tuple[FormRecord, str]]:
    for record in records:
        form_type = catalog.types.get(record.type)
        if form_type is None or record.status != "active":
            continue
        slots = state_of(record, form_type)["s"]
        for spec in form_type.slots.values():
            if spec.type not in ("phone", "email", "text", "ref"):
                continue
            held = winner(spec, slots.get(spec.name, ()), record.updated)
            values = [] if held is None else held["v"] if isinstance(held["v"], list) else [held["v"]]
            if any(given.holds(spec.type, value) for value in map(decode, values)):
                yield record, spec.name
                break


__all__ = ["by_contact", "same_number"]
