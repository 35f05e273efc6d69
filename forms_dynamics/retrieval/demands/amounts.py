"""Amounts of a question: what they are compared with, and how ("above 100k", 60万到100万之间, the highest)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from forms_dynamics.language.money import find_money
from forms_dynamics.language.numbers import find_numbers
from forms_dynamics.language.reading import Reading
from forms_dynamics.model.value import Money, Range
from forms_dynamics.retrieval.demands.day_slots import dated
from forms_dynamics.retrieval.demands.days import source
from forms_dynamics.retrieval.demands.denial import denied
from forms_dynamics.retrieval.demands.draft import Draft, Span, nearest
from forms_dynamics.retrieval.question import Question
from forms_dynamics.retrieval.restriction import Extreme, Other, Within
from forms_dynamics.schema.spec import SlotSpec

NUMERIC = frozenset({"money", "integer", "number", "percent"})
_MONEY = frozenset({"money"})
_NO_CURRENCY = "XXX"  # ISO 4217's code for none: what an amount that names none is read with
_STRICT = re.compile(
    r"超过|大于|高于|多于|超出|贵于|不到|低于|小于|少于|未满|不足|"
    r"\b(?:above|over|more|greater|higher|bigger|larger|exceed\w*|below|under|less|lower|fewer|cheaper|smaller|before|after)\b"
)
_NOT_STRICT = re.compile(
    r"不(?:超过|大于|高于|多于|低于|小于|少于)|\b(?:no|not) (?:more|less|fewer|later|earlier)\b"
)
# a number inside a code (C9, Q-104, SKU_7) or an address (3栋201) is no amount
_CODED = re.compile(r"[A-Za-z][A-Za-z\d]*[-_#]?$|\d[\u4e00-\u9fff]$|(?:[栋幢座楼层室号位路区第]|单元)$")
_VERB = re.compile(  # pets that owe more than 100 yuan
    r"\b(?:that|who|which) (?P<verb>[a-z]+)(?: (?:between|above|over|below|under|at least|at most|up to|from|"
    r"more than|less than|fewer than|about))? ?$"
)
_UNIT = re.compile(r"\d ?[万千百]?多?([\u4e00-\u9fff])(?<![万千百元块多以])")
_SHORT = 3  # characters of what a count is called: 瓶数, 座位数
_HIGHEST = re.compile(
    r"最[高大多贵长久重远宽深厚]|"
    r"\b(?:highest|largest|biggest|greatest|most expensive|dearest|priciest|longest|tallest|heaviest|farthest|"
    r"furthest|widest|deepest|maximum|(?<!at )most)\b"
)
_LOWEST = re.compile(
    r"最[低小少短轻窄浅薄]|最便宜|"
    r"\b(?:lowest|smallest|cheapest|least expensive|fewest|shortest|lightest|nearest|narrowest|shallowest|minimum|"
    r"(?<!at )least)\b"
)
_MEASURED = (  # what is most or least, where it says of what → pieces of the names of slots that hold it
    (r"[贵宜]|expensive|dear|pric|cheap", ("price", "rate", "cost", "worth", "value", "amount", "fee")),
    (r"最[长短久]|longest|shortest", ("length", "duration", "minutes", "hours", "running")),
    (r"最高|tallest", ("height",)),
    (r"最[重轻]|heaviest|lightest", ("weight",)),
    (r"最远|f[au]r?thest|nearest", ("distance",)),
    (r"最[宽窄]|widest|narrowest", ("width",)),
    (r"最[深浅]|deepest|shallowest", ("depth", "draft", "draught")),
)
_FIRST = re.compile(r"最早|最先|最快|\b(?:earliest|soonest)\b")
_LAST = re.compile(r"最晚|最迟|\b(?:latest) (?=due|deadline|delivery|end)")
_CURRENCY = (
    ("USD", re.compile(r"\b(?:in )?(?:usd|us dollars?|dollars?)\b|(?:用|按)?美[元金]")),
    ("CNY", re.compile(r"\b(?:in )?(?:cny|rmb|yuan)\b|人民币")),
    ("EUR", re.compile(r"\b(?:in )?(?:eur|euros?)\b|欧元")),
)


def amounts_of(question: Question) -> list[Reading]:
    """Amounts of the question, and ranges of plain numbers."""
    text = source(question)
    found = [r for r in find_money(text, _NO_CURRENCY) if r.value is not None]
    for reading in find_numbers(text):
        if isinstance(reading.value, Range) and not any(
            r.start < reading.end and reading.start < r.end for r in found
        ):
            found.append(reading)
    return [r for r in found if _CODED.search(text[: r.start]) is None and text[r.start : r.end] != "几"]


def read_amounts(draft: Draft, amounts: Sequence[Reading]) -> None:
    """Adds what the question demands of amounts; those that name a day are read before."""
    for reading in amounts:
        span = reading.start, reading.end
        if draft.taken(span):
            continue
        value = reading.value
        ends = (value.min, value.max) if isinstance(value, Range) else (value, value)
        money = [e for e in ends if isinstance(e, Money)]
        currency = next((m.currency for m in money if m.currency != _NO_CURRENCY), None)
        spec = _counted(draft, span) if currency is None else None
        spec = spec or compared(draft, span, currency)
        if spec is None:
            draft.unread = draft.unread or isinstance(value, Range)
            continue
        if not isinstance(value, Range) and not money:
            continue
        low, high = (e.amount if isinstance(e, Money) else e for e in ends)
        near = draft.text[max(0, span[0] - 12) : span[1] + 3]
        strict = _STRICT.search(near) is not None and _NOT_STRICT.search(near) is None
        both = low is not None and high is not None
        if verb := _VERB.search(draft.text, 0, span[0]):
            draft.spans.append(verb.span("verb"))
        test = Within(spec.name, low, high, strict and not both, strict and not both, currency)
        draft.add(span, Other(test) if denied(draft.text, span[0]) else test)


def _counted(draft: Draft, span: Span) -> SlotSpec | None:
    """The slot that holds how many there are of what the number counts: 瓶数 for 500瓶."""
    unit = _UNIT.search(draft.text, span[0], min(len(draft.text), span[1] + 2))
    if unit is None:
        return None
    for spec in draft.form_type.slots.values():
        if spec.type in NUMERIC - _MONEY and any(
            alias.startswith(unit[1]) and len(alias) <= _SHORT for alias in spec.aliases
        ):
            return spec
    return None


def compared(draft: Draft, span: Span, currency: str | None) -> SlotSpec | None:
    """The slot that an amount there is compared with."""
    kinds = _MONEY if currency is not None else NUMERIC
    named = draft.named(kinds)
    if named:
        return nearest(named, span)
    specs = [s for s in draft.form_type.slots.values() if s.type in kinds]
    money = [s for s in specs if s.type == "money"]
    if len(money) == 1:
        return money[0]
    return specs[0] if len(specs) == 1 else None


def _measured(draft: Draft, said: str) -> SlotSpec | None:
    """The slot whose values "longest", 最重 or "cheapest" compares, where the question names none."""
    if draft.named(NUMERIC):
        return None
    pieces = [piece for pattern, pieces in _MEASURED if re.search(pattern, said) for piece in pieces]
    specs = [s for s in draft.form_type.slots.values() if s.type in NUMERIC]
    if pieces[:1] == ["price"] and len(money := [s for s in specs if s.type == "money"]) == 1:
        return money[0]
    return next((s for piece in pieces for s in specs if piece in s.name), None)


def read_extremes(draft: Draft) -> None:
    """Reads that the highest, lowest, first or last is meant."""
    text = draft.text
    for pattern, highest in ((_HIGHEST, True), (_LOWEST, False)):
        if (found := pattern.search(text)) and (
            spec := _measured(draft, found.group()) or compared(draft, found.span(), None)
        ):
            said = [(code, m) for code, p in _CURRENCY if (m := p.search(text))]
            draft.extreme = Extreme(spec.name, highest, said[0][0] if said else None)
            draft.spans += [found.span(), *(m.span() for _, m in said)]
    for pattern, highest in ((_FIRST, False), (_LAST, True)):
        if (found := pattern.search(text)) and (spec := dated(draft, found.span())):
            draft.extreme = Extreme(spec.name, highest)
            draft.spans.append(found.span())


__all__ = ["NUMERIC", "amounts_of", "read_amounts", "read_extremes"]
