"""Things of a type that are more or less than one that is named: "horses heavier than Bramble", 比闪电高的马,
"parcels that cost more than SF5678". What is known of the one named is what the others are compared with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal

from forms_dynamics.assertions import winner
from forms_dynamics.language.normal import has_han
from forms_dynamics.model.record import Scope
from forms_dynamics.model.value import Money, decode
from forms_dynamics.ports import Store
from forms_dynamics.projection import state_of
from forms_dynamics.retrieval.demands.amounts import NUMERIC
from forms_dynamics.retrieval.demands.day_slots import aged, dated
from forms_dynamics.retrieval.demands.draft import Draft, nearest
from forms_dynamics.retrieval.demands.measures import direction, measuring
from forms_dynamics.retrieval.names import EXACT, Anchor
from forms_dynamics.retrieval.question import Question
from forms_dynamics.retrieval.request import Log
from forms_dynamics.retrieval.restriction import During, Restriction, Within
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec

_THAN = re.compile(
    r"\b(?P<said>(?!oth|rath)\w{3,}er|more expensive|less expensive|(?:more|less|fewer)(?: [\w ]{1,20}?)?) than "
    r"(?:the |that of |those of )?(?:[a-z]+ )?$"
)
_DAY = re.compile(r"\b(?P<said>before|after) $")  # riders who joined before Nina
_IS_THAN = re.compile("比(?:[\u4e00-\u9fff]{1,3}(?=$))?$")
_THAN_ZH = re.compile(
    "(?:的[\u4e00-\u9fff]{1,6}?)?(?:还|更|要|都)*(?P<said>便宜|年轻|年长|[重轻沉高矮低长短久贵远近宽窄深浅厚薄大小快慢多少早晚老新])"
)
_OLDER, _YOUNGER = re.compile(r"\bolder|\belder|年长|老"), re.compile(r"\b(?:younger|newer)|年轻|新")
_EARLIER, _LATER = re.compile(r"\b(?:earlier|sooner|before)|早"), re.compile(r"\b(?:later|after)|晚")
_BY_DAY = ("before", "after")


def than_named(
    found: Sequence[Anchor],
    question: Question,
    catalog: Catalog,
    scope: Scope,
    store: Store,
    restriction: Restriction,
    now: datetime,
    log: Log,
) -> tuple[list[Anchor], Restriction]:
    """Without the things that others of the type are compared with, and with what is demanded of those. Where what
    they are compared by is not known of the one named, all is as it was."""
    types = question.types
    if not types and len({a.span for a in found}) == 1 and not question.anaphora:
        types = frozenset(a.type for a in found)  # "who is heavier than Bramble?", 谁比闪电重
    for anchor in found if types else ():
        form_type = catalog.types.get(anchor.type)
        if anchor.span is None or anchor.how != EXACT or form_type is None or anchor.type not in types:
            continue
        said = _said(question.text, *anchor.span)
        if said is None:
            continue
        words, span = said
        bare = not question.types and any(
            len(run) > 1 for run in question.leftover([*restriction.spans, span])
        )
        if bare or (words in _BY_DAY and not question.listing):
            continue
        draft = Draft(question, form_type, now)
        read = _slot(draft, words, span)
        if read is None:
            continue
        spec, more = read
        test = _test(spec, more, _value(anchor, spec, form_type, scope, store))
        if test is None:
            return list(found), restriction
        log.add("near_miss", anchor.form, "what others are compared with", anchor.weight)
        restriction = restriction.meeting(test, (anchor.type,))
        spans = (*restriction.spans, *draft.spans, span)
        return [a for a in found if a.span != anchor.span], replace(restriction, spans=spans, unread=False)
    return list(found), restriction


def _said(text: str, start: int, end: int) -> tuple[str, tuple[int, int]] | None:
    """The word that compares others with what stands at ``start``:``end``, and all that says so."""
    if (before := _THAN.search(text[:start]) or _DAY.search(text[:start])) is not None:
        return before["said"], (before.start(), end)
    lead = _IS_THAN.search(text[:start])
    if lead is not None and (behind := _THAN_ZH.match(text, end)) is not None:
        return behind["said"], (lead.start(), behind.end())
    return None


def _slot(draft: Draft, words: str, span: tuple[int, int]) -> tuple[SlotSpec, bool] | None:
    """The slot by which they are compared, and whether more of it is meant."""
    if _OLDER.search(words) or _YOUNGER.search(words):
        spec = aged(draft, span)
        return None if spec is None else (spec, _YOUNGER.search(words) is not None)
    numbers = [s for s in draft.form_type.slots.values() if s.type in NUMERIC]
    named = draft.named(NUMERIC)
    more = direction(words)
    spec = nearest(named, span) if named else measuring(words, numbers)
    if spec is not None and more is not None:
        return spec, more
    if _EARLIER.search(words) or _LATER.search(words):
        spec = dated(draft, span)
        return None if spec is None else (spec, _LATER.search(words) is not None)
    # 比闪电大: of whom no size is known that is the older one
    if has_han(words) and words in "大小" and (spec := aged(draft, span)) is not None:
        return spec, words == "小"
    return None


def _value(anchor: Anchor, spec: SlotSpec, form_type: FormType, scope: Scope, store: Store) -> object:
    record = store.forms(scope, [anchor.form]).get(anchor.form)
    if record is None:
        return None
    held = winner(spec, state_of(record, form_type)["s"].get(spec.name, ()), record.updated)
    return None if held is None else decode(held["v"])


def _test(spec: SlotSpec, more: bool, value: object) -> Within | During | None:
    if isinstance(value, datetime):
        value = value.date()
    if isinstance(value, date):
        if value == (date.max if more else date.min):
            return None  # nothing is later than the end of the calendar, nor earlier than its beginning
        day = timedelta(days=1)
        return During(spec.name, value + day, None) if more else During(spec.name, None, value - day)
    currency = value.currency if isinstance(value, Money) else None
    amount = value.amount if isinstance(value, Money) else value
    if isinstance(amount, bool) or not isinstance(amount, int | float | Decimal):
        return None
    bound = Decimal(str(amount))
    if more:
        return Within(spec.name, bound, None, above=True, currency=currency)
    return Within(spec.name, None, bound, below=True, currency=currency)


__all__ = ["than_named"]
