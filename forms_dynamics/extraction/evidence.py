"""Where a draft's words stand in the message, and whether they carry its value."""

from __future__ import annotations

import unicodedata
from typing import Any

from forms_dynamics.language.normal import normal, simplified
from forms_dynamics.language.terms import index_terms
from forms_dynamics.model.gated import Span
from forms_dynamics.model.message import Message, SlotDraft
from forms_dynamics.model.value import Money, Range
from forms_dynamics.schema.coerce import Coerced, coerce, same
from forms_dynamics.schema.spec import SlotSpec


def locate(text: str, slot: SlotDraft, read: Coerced | None) -> Span | None:
    """The span of the draft's evidence in the message; without evidence, of the value's own words.

    Case, width, script and runs of white space do not matter; anything else does. None when it is not there.
    """
    if slot.span is not None and 0 <= slot.span[0] < slot.span[1] <= len(text):
        return slot.span
    if slot.evidence is not None:
        return find(text, slot.evidence) if slot.evidence.strip() else None
    value = slot.value
    if isinstance(value, str):
        return find(text, value) if value.strip() else None
    if isinstance(value, (list, tuple)) and value and all(isinstance(v, str) for v in value):
        spans = [find(text, v) for v in value]
        found = [s for s in spans if s is not None]
        return (min(s for s, _ in found), max(e for _, e in found)) if len(found) == len(spans) else None
    # a bare number or boolean without evidence: the whole message, and ``supports`` looks for it there
    return (0, len(text)) if value is not None and read is not None and read.error is None else None


def find(text: str, words: str) -> Span | None:
    """The first occurrence of ``words`` in ``text``, exactly or in the folded form of both."""
    at = text.find(words)
    if at >= 0:
        return at, at + len(words)
    folded, places = _fold(text)
    wanted, _ = _fold(words)
    wanted = wanted.strip()
    at = folded.find(wanted) if wanted else -1
    if at < 0:
        return None
    return places[at], places[at + len(wanted) - 1] + 1


def _fold(text: str) -> tuple[str, list[int]]:
    """Folded characters and, for each, its place in the original."""
    out: list[str] = []
    places: list[int] = []
    for i, ch in enumerate(text):
        piece = " " if ch.isspace() else unicodedata.normalize("NFKC", simplified(ch)).casefold()
        if piece == " " and out and out[-1] == " ":
            continue
        for part in piece:
            out.append(part)
            places.append(i)
    return "".join(out), places


def narrow(text: str, span: Span, value: Any, read: Coerced) -> Span | None:
    """The span of the value's own words inside its evidence, or None where they are not there as such."""
    start, end = span
    for words in (value, read.value):
        if isinstance(words, str) and words.strip():
            inside = find(text[start:end], words)
            if inside is not None:
                return start + inside[0], start + inside[1]
    return None


def supports(
    spec: SlotSpec, message: Message, span: Span | None, raw: Any, value: Any, date_order: str | None
) -> bool:
    """Whether the value can be derived from the words: it stands in them, or they read as the same value."""
    if span is None:
        return False
    words = message.text[span[0] : span[1]]
    if spec.type == "boolean":
        return True
    if isinstance(raw, str) and normal(raw) in normal(words):
        return True
    if isinstance(value, tuple):
        text = normal(message.text)
        return all(_in_text(v, text, message) for v in value)
    if spec.type == "enum":
        synonyms = (str(value), *spec.values.get(str(value), ()))
        text = normal(words)
        return any(normal(s) in text for s in synonyms)
    if spec.type in ("text", "ref", "url", "email", "phone"):
        return _in_text(value, normal(message.text), message)
    again = coerce(spec, words, message.time, date_order, message.text)
    if again.value is not None and same(spec, again.value, value):
        return True
    return _among(spec, message, span, value, date_order)


def _in_text(value: Any, text: str, message: Message) -> bool:
    if not isinstance(value, str):
        return any(part in text for part in _spellings(value))
    if normal(value) in text:
        return True
    terms = set(index_terms(value))
    return bool(terms) and terms <= set(index_terms(message.text))


def _spellings(value: Any) -> tuple[str, ...]:
    if isinstance(value, Money):
        return (format(value.amount, "f"), format(value.amount, ",f"))
    return (str(value),)


def _among(spec: SlotSpec, message: Message, span: Span, value: Any, date_order: str | None) -> bool:
    """Evidence that holds several readings ("from 40k to 60k by June"): one of them is enough."""
    from forms_dynamics.language.dates import find_dates
    from forms_dynamics.language.money import find_money
    from forms_dynamics.language.numbers import find_numbers
    from forms_dynamics.language.times import find_datetimes

    words = message.text[span[0] : span[1]]
    if spec.type == "money":
        readings = find_money(words, spec.unit)
    elif spec.type == "date":
        readings = find_dates(words, message.time, date_order)
    elif spec.type == "datetime":
        readings = find_datetimes(words, message.time, date_order)
    else:
        readings = find_numbers(words)
    values = [v for r in readings for v in (r.value, *r.alternatives) if v is not None]
    if isinstance(value, Range):
        return any(same(spec, v, value) for v in values) or {value.min, value.max} <= {*values, None}
    return any(same(spec, v, value) for v in values)
