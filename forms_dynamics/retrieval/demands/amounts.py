"""Amounts of a question: what they are compared with, and how ("above 100k", 60万到100万之间, the highest)."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from forms_dynamics.language.money import find_money
from forms_dynamics.language.numbers import find_numbers
from forms_dynamics.language.reading import Reading
from forms_dynamics.model.value import Money, Range
from forms_dynamics.retrieval.demands.day_slots import aged, dated
from forms_dynamics.retrieval.demands.days import source
from forms_dynamics.retrieval.demands.denial import denied
from forms_dynamics.retrieval.demands.draft import Draft, Span, nearest
from forms_dynamics.retrieval.demands.measures import (
    NUMERIC,
    Measure,
    fits,
    in_its_unit,
    measure,
    measuring,
    unit_of_slot,
)
from forms_dynamics.retrieval.demands.ranks import placed, rank_at
from forms_dynamics.retrieval.demands.single import single_amounts
from forms_dynamics.retrieval.question import Question
from forms_dynamics.retrieval.restriction import Extreme, Other, Within
from forms_dynamics.schema.spec import SlotSpec

_MONEY = frozenset({"money"})
_NO_CURRENCY = "XXX"  # ISO 4217's code for none: what an amount that names none is read with
_STRICT = re.compile(
    r"超过|大于|高于|多于|超出|贵于|不到|低于|小于|少于|未满|不足|"
    r"比|\b(?:above|over|more|exceed\w*|below|under|less|before|after|\w{3,}er(?= than))\b"
)
_NOT_STRICT = re.compile(
    r"不(?:超过|大于|高于|多于|低于|小于|少于)|\b(?:no|not) (?:more|less|fewer|later|earlier)\b"
)
# a number inside a code (C9, Q-104, SKU_7) or an address (3栋201) is no amount
_CODED = re.compile(r"[A-Za-z][A-Za-z\d]*[-_#]?$|\d[\u4e00-\u9fff]$|(?:[栋幢座楼层室号位路区第]|单元)$")
_IN_NAME = re.compile(r"\b[A-Z][\w'’-]* $")  # Deck Two
_VERB = re.compile(  # pets that owe more than 100 yuan
    r"\b(?:that|who|which) (?P<verb>[a-z]+)(?: (?:between|above|over|below|under|at least|at most|up to|from|"
    r"more than|less than|fewer than|about))? ?$"
)
_UNIT = re.compile(r"\d ?[万千百]?多?([\u4e00-\u9fff])(?<![万千百元块多以])")
_AGE = re.compile(r"\d ?(?:周?岁|years? old|year-old)|[一二三四五六七八九十百]周?岁")
_SHORT = 3  # characters of what a count is called: 瓶数, 座位数
_HIGHEST = re.compile(
    r"(?:最|第[二三四五2-5])[高大多贵长久重远宽深厚](?![要点])|"
    r"\b(?:highest|largest|biggest|greatest|most expensive|dearest|priciest|longest|tallest|heaviest|farthest|"
    r"furthest|widest|deepest|maximum|(?<!at )most)\b"
)
_LOWEST = re.compile(
    r"(?:最|第[二三四五2-5])(?:[低小少短轻窄浅薄矮]|便宜)|"
    r"\b(?:lowest|smallest|cheapest|least expensive|fewest|shortest|lightest|nearest|narrowest|shallowest|minimum|"
    r"(?<!at )least)\b"
)
_FIRST = re.compile(r"最早|最先|最快|\b(?:earliest|soonest)\b|\bfirst(?=[ ?.!]*$)")
_LAST = re.compile(r"最晚|最迟|\b(?:latest) (?=due|deadline|delivery|end)|\blast(?=[ ?.!]*$)")
_OLDEST = re.compile(
    r"(?:资历|年[龄纪资]|工龄)?最(?:老|旧|古老|久|年长|资深)|\b(?:oldest|eldest|longest[- ]serving|most senior|with us (?:the )?longest)\b"
)
_NEWEST = re.compile(r"最新(?!鲜)|最近一[次场批个]|最年轻|\b(?:newest|youngest|latest|most recent)\b")
_CURRENCY = (
    ("USD", re.compile(r"\b(?:in )?(?:usd|us dollars?|dollars?)\b|(?:用|按)?美[元金]")),
    ("CNY", re.compile(r"\b(?:in )?(?:cny|rmb|yuan)\b|人民币")),
    ("EUR", re.compile(r"\b(?:in )?(?:eur|euros?)\b|欧元")),
)


def amounts_of(question: Question) -> list[Reading]:
    """Amounts of the question, ranges of plain numbers, and numbers that are compared or have a unit."""
    text = source(question)
    found = [r for r in find_money(text, _NO_CURRENCY) if r.value is not None and not _in_unit(r, text)]
    for reading in (*single_amounts(text), *find_numbers(text)):
        if any(r.start < reading.end and reading.start < r.end for r in found):
            continue
        said = measure(text, reading.start, reading.end)
        if isinstance(reading.value, Range) or said.side or said.unit is not None:
            found.append(reading)
    return [
        r
        for r in found
        if _CODED.search(text[: r.start]) is None
        and text[r.start : r.end] != "几"
        and not (text[r.start : r.start + 1].isupper() and _IN_NAME.search(text[: r.start]))
    ]


def _in_unit(reading: Reading, text: str) -> bool:
    """Whether an amount that names no currency is a measure: over 800 m."""
    value = reading.value
    ends = (value.min, value.max) if isinstance(value, Range) else (value,)
    plain = all(e is None or (isinstance(e, Money) and e.currency == _NO_CURRENCY) for e in ends)
    return plain and measure(text, reading.start, reading.end).unit is not None


def read_amounts(draft: Draft, amounts: Sequence[Reading]) -> None:
    """Adds what the question demands of amounts; those that name a day are read before."""
    for reading in amounts:
        span = reading.start, reading.end
        if draft.taken(span):
            continue
        value = reading.value
        said = measure(draft.text, *span)
        ends = (value.min, value.max) if isinstance(value, Range) else (value, value)
        money = [e for e in ends if isinstance(e, Money)]
        currency = next((m.currency for m in money if m.currency != _NO_CURRENCY), None)
        spec = _counted(draft, span) if currency is None else None
        spec = spec or _by_measure(draft, said, currency) or compared(draft, span, currency)
        if spec is not None and spec.type == "money" and _AGE.search(draft.text, span[0], span[1] + 12):
            spec = None  # how old a thing is is no price
        if spec is None or not (currency or fits(said.unit, spec)):
            draft.unread = draft.unread or isinstance(value, Range) or bool(said.side)
            continue
        known = isinstance(value, Range) or money or said.side
        if not known and (said.unit is None or unit_of_slot(spec) is None):
            continue
        low, high = (
            e.amount if isinstance(e, Money) else None if e is None else Decimal(str(e)) for e in ends
        )
        if said.side and low is not None and low == high:
            low, high = (low, None) if said.side == "more" else (None, high)
        low, high = in_its_unit(low, said.unit, spec), in_its_unit(high, said.unit, spec)
        near = draft.text[max(0, span[0] - 12) : span[1] + 3]
        strict = _STRICT.search(near) is not None and _NOT_STRICT.search(near) is None
        both = low is not None and high is not None
        if verb := _VERB.search(draft.text, 0, span[0]):
            draft.spans.append(verb.span("verb"))
        test = Within(spec.name, low, high, strict and not both, strict and not both, currency)
        whole = min(span[0], said.start), max(span[1], said.end)
        draft.add(whole, Other(test) if denied(draft.text, whole[0]) else test)


def _by_measure(draft: Draft, said: Measure, currency: str | None) -> SlotSpec | None:
    """The slot that what compares or the unit tells, where the question names none of its kind."""
    specs = [s for s in draft.form_type.slots.values() if s.type in (_MONEY if currency else NUMERIC)]
    named = [s for _, s in draft.named(NUMERIC) if s in specs and fits(said.unit, s)]
    if named or (currency is None and said.unit is None and not said.said):
        return None
    specs = [s for s in specs if currency or fits(said.unit, s)]
    if (spec := measuring(said.said, specs)) is not None:
        return spec
    units = [s for s in specs if said.unit is not None and unit_of_slot(s) is not None]
    return units[0] if len(units) == 1 else None


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
    return measuring(said, [s for s in draft.form_type.slots.values() if s.type in NUMERIC])


def read_extremes(draft: Draft) -> None:
    """Reads that the highest, lowest, first or last is meant."""
    text = draft.text
    for pattern, highest in ((_HIGHEST, True), (_LOWEST, False)):
        if (found := pattern.search(text)) and (
            spec := _measured(draft, found.group()) or compared(draft, found.span(), None)
        ):
            said = [(code, m) for code, p in _CURRENCY if (m := p.search(text))]
            rank = rank_at(text, found.start() + (text[found.start()] == "第") * 2, found.end())
            currency = said[0][0] if said else None
            draft.extreme = Extreme(spec.name, highest, currency, rank.first, rank.last)
            draft.spans += [found.span(), *rank.spans, *(m.span() for _, m in said)]
    for pattern, highest in ((_FIRST, False), (_LAST, True)):
        if (found := pattern.search(text)) and (spec := dated(draft, found.span())):
            rank = rank_at(text, *found.span())
            draft.extreme = Extreme(spec.name, highest, None, rank.first, rank.last)
            draft.spans += [found.span(), *rank.spans]
    for pattern, highest in ((_OLDEST, False), (_NEWEST, True)):
        if (found := pattern.search(text)) and draft.extreme is None and (spec := aged(draft, found.span())):
            rank = rank_at(text, *found.span())
            draft.extreme = Extreme(spec.name, highest, None, rank.first, rank.last)
            draft.spans += [found.span(), *rank.spans]
    place = placed(text) if draft.extreme is None else None
    if place is not None and (named := draft.named(NUMERIC)):
        draft.extreme = Extreme(nearest(named, place.spans[0]).name, True, None, place.first, place.last)
        draft.spans += place.spans


__all__ = ["NUMERIC", "amounts_of", "read_amounts", "read_extremes"]
