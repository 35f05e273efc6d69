"""Where a draft's words stand in the message, and whether they carry its value."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from forms_dynamics.extraction.borders import cut, holds, odd_figure, same_phone, signed, widened
from forms_dynamics.extraction.dialogue.kinds import DONT_CARE
from forms_dynamics.extraction.dialogue.polarity import indifferent
from forms_dynamics.extraction.dialogue.wording import key, variants
from forms_dynamics.language.normal import normal, simplified
from forms_dynamics.language.reading import Reading
from forms_dynamics.language.terms import index_terms
from forms_dynamics.model.gated import Span
from forms_dynamics.model.message import Message, SlotDraft
from forms_dynamics.model.value import Money, Range
from forms_dynamics.schema.coerce import Coerced, coerce, same
from forms_dynamics.schema.spec import SlotSpec
from forms_dynamics.schema.values.moments import is_birth_date
from forms_dynamics.schema.values.quantities import in_unit


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
    """The first occurrence of ``words`` in ``text``, exactly or in the folded form of both; one that is no part of a
    longer word comes first ("wood" in "the Marblewood wood")."""
    at = _first(text, words)
    if at >= 0 and not cut(text, at, at + len(words)):
        return at, at + len(words)
    folded, places = _fold(text)
    wanted, _ = _fold(words)
    wanted = wanted.strip()
    other = _first(folded, wanted) if wanted else -1
    if at >= 0 and (other < 0 or cut(folded, other, other + len(wanted))):
        return at, at + len(words)
    if other < 0:
        return None
    return places[other], places[other + len(wanted) - 1] + 1


def _first(text: str, words: str) -> int:
    """Where ``words`` first stand whole in ``text``; else where they first stand; else -1."""
    first = at = text.find(words)
    while at >= 0 and cut(text, at, at + len(words)):
        at = text.find(words, at + 1)
    return at if at >= 0 else first


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


# What stands right beside a number when its words are cut out of a larger one, or bounded, or denied by a sign.
_CUT_BEFORE = re.compile(
    r"(?:[0-9０-９零〇一二两三四五六七八九十百千万亿半几点][.,，]?|[-－−~～+＋到至约负]|不超过|不多于|至少|最少|最多|不低于|不高于|"
    r"小于|大于|少于|多于|超过|低于|高于|\b(?:at least|at most|up to|under|over|below|above|less than|more than"
    r"|between|from|minus|to))\s*$"
)
_CUT_BEHIND = re.compile(
    r"\s*(?:[0-9０-９%％万亿千百十]|[.,][0-9]|[kKmM](?![a-z])|[-~～到至–—]\s?[0-9]|美元|美金|欧元|英镑|日元|港币|港元|台币|卢布|"
    r"韩元|以上|以下|以内|之间|(?:dollars?|euros?|pounds?|yen|usd|eur|gbp|jpy|hkd|cny|rmb|thousand|million|billion)\b"
    r"|or (?:more|less)\b|(?:higher|lower|more|less) than\b|[月日号年](?=[0-9一二三四五六七八九十]))",
    re.IGNORECASE,
)


# what is taken from words as it stands, whole
_WORDED = frozenset({"text", "ref", "url", "email", "enum"})


def supports(
    spec: SlotSpec,
    message: Message,
    span: Span | None,
    words: Span | None,
    raw: Any,
    value: Any,
    date_order: str | None,
) -> bool:
    """Whether the value can be derived from its evidence: it stands in those words, whole, or they read as it."""
    if span is None:
        return False
    if spec.type == "boolean":
        return True
    if spec.type == "phone":
        return same_phone(message.text, words or span, value)
    if spec.type in _WORDED:
        span = widened(message.text, span)
    elif odd_figure(message.text, *(words or span)):
        return False
    said = message.text[span[0] : span[1]]
    if isinstance(value, str) and value.lower() in DONT_CARE and indifferent(said):
        return True  # "any will do" says the value that a schema has for it
    if spec.type in _FINDERS and _is_cut(message.text, words or span):
        return _among(spec, message, words or span, value, date_order)
    if isinstance(raw, str):
        text, wanted = normal(said), normal(raw)
        if holds(text, wanted) if spec.type in _WORDED else wanted in text:
            return True
    text = normal(said)
    if spec.type == "enum":
        values = value if isinstance(value, tuple) else (value,)
        return all(
            _says(one, said) or any(holds(text, normal(s), "enum") for s in _ways(spec, one))
            for one in values
        )
    if isinstance(value, tuple):
        return all(_in_text(v, text, said) for v in value)
    if spec.type in _WORDED:
        return _in_text(value, text, said) or (value in spec.examples and _says(value, said))
    again = coerce(spec, said, message.time, date_order, message.text)
    if again.value is not None and same(spec, again.value, value):
        return True
    return _among(spec, message, span, value, date_order)


def _ways(spec: SlotSpec, value: Any) -> tuple[str, ...]:
    """The words that declare a listed value."""
    return (str(value), *spec.values.get(str(value), ()))


def _says(value: Any, said: str) -> bool:
    """Whether the words are one of the ways to say a listed value (西边 for 西部)."""
    words = key(said)
    return any(spelling == words for spelling in variants(str(value)))


def _is_cut(text: str, span: Span) -> bool:
    """Whether what stands beside the words may belong to them; a cheap look that is right when it says no."""
    start, end = span
    return bool(_CUT_BEFORE.search(text[max(0, start - 12) : start]) or _CUT_BEHIND.match(text, end))


def _in_text(value: Any, text: str, said: str) -> bool:
    if not isinstance(value, str):
        return any(part in text for part in _spellings(value))
    if holds(text, normal(value)):
        return True
    terms = set(index_terms(value))
    return bool(terms) and terms <= set(index_terms(said))


def _spellings(value: Any) -> tuple[str, ...]:
    if isinstance(value, Money):
        return (format(value.amount, "f"), format(value.amount, ",f"))
    return (str(value),)


def _money(spec: SlotSpec, message: Message, order: str | None) -> list[Reading]:
    from forms_dynamics.language.money import find_money

    return find_money(message.text, spec.unit)


def _dates(spec: SlotSpec, message: Message, order: str | None) -> list[Reading]:
    from forms_dynamics.language.dates import find_dates

    found = find_dates(message.text, message.time, order)
    return [r for r in found if not r.yearless] if is_birth_date(spec) else found


def _datetimes(spec: SlotSpec, message: Message, order: str | None) -> list[Reading]:
    from forms_dynamics.language.times import find_datetimes

    return find_datetimes(message.text, message.time, order)


def _numbers(spec: SlotSpec, message: Message, order: str | None) -> list[Reading]:
    from forms_dynamics.language.numbers import find_numbers

    found = find_numbers(message.text)
    return found if not spec.unit else [in_unit(spec.unit, r, message.text) for r in found]


def _percents(spec: SlotSpec, message: Message, order: str | None) -> list[Reading]:
    from forms_dynamics.language.contacts import find_percents

    return find_percents(message.text)


_FINDERS: Mapping[str, Callable[[SlotSpec, Message, str | None], list[Reading]]] = {
    "money": _money,
    "date": _dates,
    "datetime": _datetimes,
    "integer": _numbers,
    "number": _numbers,
    "percent": _percents,
}


def readings(spec: SlotSpec, message: Message, date_order: str | None) -> list[Reading]:
    """All that the message says of the slot's type, where that is a number, an amount or a date; else nothing."""
    finder = _FINDERS.get(spec.type)
    return [] if finder is None else finder(spec, message, date_order)


def _among(spec: SlotSpec, message: Message, span: Span, value: Any, date_order: str | None) -> bool:
    """Whether one of the readings of the message that touch the words is the value: evidence may hold several
    ("from 40k to 60k by June"), and a reading may reach beyond the evidence."""
    touching = [r for r in readings(spec, message, date_order) if r.start < span[1] and span[0] < r.end]
    if not isinstance(value, (Range, date)):
        touching = [r for r in touching if not signed(message.text, r.start)]
    values = [v for r in touching for v in (r.value, *r.alternatives) if v is not None]
    if isinstance(value, Range):
        return any(same(spec, v, value) for v in values) or {value.min, value.max} <= {*values, None}
    return any(same(spec, v, value) for v in values)
