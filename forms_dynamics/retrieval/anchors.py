"""Anchors: the Forms that a question is about, found by index look-ups alone.

In order: ids and the given focus; names that stand in the question (the longest wins); names that the
question gives by their beginning; the Forms that the conversation touched; the only Form of the type asked
about, or all of them where the question asks for all.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from forms_dynamics.language.bilingual import Bilingual
from forms_dynamics.language.normal import normal
from forms_dynamics.model.record import Scope
from forms_dynamics.ports import Store
from forms_dynamics.retrieval.anaphora import FOCUS, by_conversation, in_order
from forms_dynamics.retrieval.candidates import starts
from forms_dynamics.retrieval.compared import than_named
from forms_dynamics.retrieval.contacted import by_contact
from forms_dynamics.retrieval.demands.denial import denied, left_out
from forms_dynamics.retrieval.lexicon import HINT, Lexicon
from forms_dynamics.retrieval.names import (
    EXACT,
    OTHERWISE,
    PARTIAL,
    PLACE,
    Anchor,
    Span,
    by_name,
    from_key,
    partial,
)
from forms_dynamics.retrieval.question import Question, parse
from forms_dynamics.retrieval.relatives import by_relative
from forms_dynamics.retrieval.request import Log, Request
from forms_dynamics.retrieval.restriction import UNRESTRICTED, Restriction, Says
from forms_dynamics.retrieval.sifting import ALL, ONLY, Sifting, owner
from forms_dynamics.retrieval.through import through
from forms_dynamics.retrieval.words import MEASURES
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings

ANOTHERS = "the question asks about another person"

_TOLD = 20  # anchors too many that are told one by one


@dataclass(frozen=True, slots=True)
class Anchored:
    """``asked``: slots asked for by Form type, as the anchors make them understood. ``taken``: where names stand.
    ``other``: Forms whose names begin as one in the question does and go on otherwise. ``barred``: types of people
    whom it does not ask about. ``restriction``: what anchors must meet that are no named Forms. ``tie``: Forms among
    which nothing tells which is meant."""

    anchors: Sequence[Anchor]
    asked: Mapping[str, tuple[str, ...]]
    taken: Sequence[Span] = ()
    other: frozenset[str] = frozenset()
    barred: frozenset[str] = frozenset()
    restriction: Restriction = UNRESTRICTED
    tie: Sequence[str] = ()
    short: bool = (
        False  # what is asked is asked of somebody whom they name, and of whom nothing is known here
    )


def find_anchors(
    request: Request,
    question: Question,
    lexicon: Lexicon,
    scope: Scope,
    store: Store,
    settings: Settings,
    log: Log,
    here: datetime,
    restriction: Restriction = UNRESTRICTED,
) -> Anchored:
    """At most ``settings.max_anchors`` anchors (more only where all of a type are asked for), best first."""
    found: list[Anchor] = []
    if request.focus:
        found = _by_focus(request.focus, lexicon, scope, store, log)
    if question.ids:
        records = store.forms(scope, question.ids)
        found += [Anchor(id, r.type, EXACT, "its id is in the question") for id, r in records.items()]
        for id in question.ids:
            if id not in records:
                log.add("near_miss", id, "no Form here has this id")
    barred: frozenset[str] = frozenset()
    if question.units:
        relatives, barred = by_relative(question, lexicon.catalog, scope, store)
        found += relatives
        for anchor in by_name(question, scope, store, settings.max_anchors, log):
            if anchor.type in barred:
                log.add("prune", anchor.form, ANOTHERS, anchor.weight)
            elif anchor.how == EXACT or not _within(anchor.span, restriction.spans):
                found.append(anchor)  # 2026 begins no name where it is the year of a day
    if restriction.done:
        for anchor in found:
            log.add("near_miss", anchor.form, "it does what is asked for", anchor.weight)
        found = []
    whole, said = _whole(found, question, lexicon.catalog, log)
    found = in_order(question, whole)
    aside = [a.span for a in whole if a.span is not None and a not in found]
    if said:
        spans = (*restriction.spans, *said)
        restriction = replace(restriction.saying(list(said.values()), question.types), spans=spans)
    found, restriction = _apart(found, question, lexicon.catalog, restriction, log)
    if found and request.as_of is None:
        found, restriction = than_named(
            found, question, lexicon.catalog, scope, store, restriction, here, log
        )
    tie: Sequence[str] = ()
    listed = (restriction or (question.listing and question.types)) and not _back(request, question)
    sifting = Sifting(question, scope, store, barred, lexicon.catalog, log)
    owner = not found and bool(question.units)
    if owner:
        found = by_contact(question, scope, store, lexicon.catalog, restriction.spans, settings.max_anchors)
        owner = bool(found)
        if owner:
            restriction = UNRESTRICTED
    if found and question.listing and question.types:
        found, restriction = sifting.of_one_name(found, restriction)
    if not found and listed:
        found, restriction = sifting.by_type(restriction)
    if not found and not listed and not question.anaphora:
        found = sifting.by_value(settings.max_anchors)
    if not found:
        meant = by_conversation(request, question, lexicon, scope, store, settings, barred)
        found, tie = list(meant.anchors), meant.tie
    if not found and not listed:
        found, restriction = sifting.by_type(restriction)
    other = frozenset(s.subject for s in log.steps if s.reason.endswith((OTHERWISE, PLACE)))
    question = question.about(sorted({a.type for a in found}), lexicon)
    question = question.outside(restriction.spans)  # 结题 of 已结题 asks for no day
    beyond = through(question, found, lexicon.catalog, scope, store) if len(found) == 1 else None
    if beyond is not None and beyond.anchors:
        found = list(beyond.anchors)
    fitting = _fitting(found, question, lexicon.catalog, settings, log, other)
    if beyond is not None:
        fitting = replace(fitting, short=not beyond.anchors, asked=beyond.asked or fitting.asked)
    own = {a.type for a in fitting.anchors}
    if (
        owner
        and own.isdisjoint(fitting.asked)
        and not question.leftover([*fitting.taken])
        and _WHOSE.search(question.text)
    ):
        # whose it is was asked, and with it the Form is told
        fitting = replace(fitting, asked={a.type: (a.slot,) for a in fitting.anchors})
    taken = (*fitting.taken, *aside)
    return replace(fitting, taken=taken, barred=barred, restriction=restriction, tie=tie)


_WHOSE = Bilingual(
    f"谁的|是谁(?=[？?。]?$)|谁是|是?哪[{MEASURES}]", r"\b(?:who(?:se)? (?:is|has|have)|whose|which)\b"
)


def _within(span: Span | None, spans: Sequence[Span]) -> bool:
    return span is not None and any(a <= span[0] and span[1] <= b for a, b in spans)


_OR = re.compile(r"(?:'s|’s)?\s*(?:,|、|or|nor|and|和|与|及|或者?|跟)\s*")


def _apart(
    found: Sequence[Anchor], question: Question, catalog: Catalog, restriction: Restriction, log: Log
) -> tuple[list[Anchor], Restriction]:
    """Without Forms that are named as not meant ("tasks other than X", "not owned by Bob"): then all others are."""
    out: list[Anchor] = []
    reach: Span | None = None  # the last words that are not meant: "not Ann's or Bob's" says it of both
    for anchor in sorted(found, key=lambda a: a.span or (0, 0)):
        form_type = catalog.types.get(anchor.type)
        if anchor.span is None or form_type is None or anchor.type not in question.types:
            out.append(anchor)
            continue
        by_value = anchor.slot is not None and (anchor.slot,) not in map(tuple, form_type.identity.keys)
        start, end = anchor.span
        said = left_out(question.text, start, end)
        if said is None and by_value and (words := denied(question.text, start)):
            said = words.start(), end
        if said is None and reach and _OR.fullmatch(question.text, reach[1], start):
            said = start, end
        if said is None:
            out.append(anchor)
            continue
        reach = said
        log.add("near_miss", anchor.form, "named as not meant", anchor.weight)
        if by_value:  # more Forms may have the value than were found by it
            restriction = restriction.otherwise(
                Says(anchor.slot, owner(question.text[start:end])), anchor.type
            )
        else:
            restriction = restriction.but(anchor.form, anchor.type)
        restriction = replace(restriction, spans=(*restriction.spans, said))
    # nor are Forms of other types meant that are found by the same words (whoever rides Bramble)
    gone = {a.span for a in found if a not in out}
    return [a for a in found if a in out and a.span not in gone], restriction


def _back(request: Request, question: Question) -> bool:
    """Whether it speaks of what the conversation has named (this week names a time)."""
    return request.conversation is not None and question.anaphora and not question.listing


def _whole(
    found: Sequence[Anchor], question: Question, catalog: Catalog, log: Log
) -> tuple[list[Anchor], dict[Span, str]]:
    """Without what is no name by itself: a part of a joint identity (an industry, 制造业) inside a longer word, or
    where all that are such are asked for; and where those words stand."""
    out = []
    # whose relative is meant stands before the word for them: 我爸 is no longer name that ends in 爸
    kin = {t.type.name for t in catalog.relatives.values()}
    parts = {
        a.span
        for a in found
        if a.how == EXACT and a.span is not None and a.type not in kin and _is_part(a, catalog)
    }
    listed = {
        a.span
        for a in found
        if a.span in parts and question.listing and a.type in question.types and _is_part(a, catalog)
    }
    for anchor in found:
        part = anchor.span in parts and _is_part(anchor, catalog)
        if anchor.span in listed:
            log.add("near_miss", anchor.form, f"all are asked for that say {anchor.name}", anchor.weight)
        elif part and anchor.span is not None and _goes_before(question, anchor.span):
            log.add("near_miss", anchor.form, f"{anchor.name} ends another name", anchor.weight)
        else:
            out.append(anchor)
    names = {a.span: a.name for a in found if a.span is not None and a.span in listed}
    return out, names


def _is_part(anchor: Anchor, catalog: Catalog) -> bool:
    form_type = catalog.types.get(anchor.type)
    complete = catalog.joined.get(anchor.type, frozenset())
    if form_type is None or anchor.slot not in form_type.identity.slots - complete:
        return False
    return (anchor.slot,) not in {tuple(key) for key in form_type.identity.keys}


def _goes_before(question: Question, span: Span) -> bool:
    """Whether a word that nothing explains runs into the one at ``span``."""
    units = question.units
    here = next((i for i, u in enumerate(units) if u[0] >= span[0]), 0)
    if not here or not question.free[here - 1]:
        return False
    start, end, han = units[here - 1]
    if han:
        return units[here][2] and end == span[0]
    at = question.raw.casefold().find(question.text[start:end])
    return span[0] - end == 1 and at >= 0 and question.raw[at : at + 1].isupper()


def _by_focus(focus: str, lexicon: Lexicon, scope: Scope, store: Store, log: Log) -> list[Anchor]:
    id = focus.partition("@")[0]
    records = store.forms(scope, [id])
    if id in records:
        return [Anchor(id, records[id].type, EXACT, "given as focus")]
    keys = [k for k in store.names(scope, [normal(focus)]) if "\x1f" not in k.name]
    if keys:
        return [from_key(k, None, EXACT, "the focus is its name") for k in keys]
    named = parse(focus, lexicon)
    found = [a for a, _ in partial(named, starts(named), scope, store, log)] if named.units else []
    if not found:
        log.add("near_miss", focus, "no Form here has this id or name, which was given as focus")
    return found


# -- choice --------------------------------------------------------------------------------------------------
def _fitting(
    found: Sequence[Anchor],
    question: Question,
    catalog: Catalog,
    settings: Settings,
    log: Log,
    other: frozenset[str],
) -> Anchored:
    """Each Form once; of Forms that share a name those of a type that fits; at most ``max_anchors``."""
    unique: dict[str, Anchor] = {}
    for anchor in found:
        unique.setdefault(anchor.form, anchor)
    anchors = list(unique.values())
    types = frozenset(a.type for a in anchors)
    question = question.outside([a.span for a in anchors if a.span is not None and a.how == EXACT])
    asked, hinted = understood(question, types, catalog, {a.slot for a in anchors if a.slot})
    fits = {t: len(asked.get(t, ())) * 2 + (t in hinted) + (t in question.types) for t in types}
    kept = []
    answering = {a.span for a in anchors if a.span is not None and fits[a.type]}
    meant = _meant(anchors, question, asked, catalog)
    for anchor in anchors:
        if not fits[anchor.type] and anchor.span in answering:
            log.add("prune", anchor.form, "unfit: another Form of this name has what is asked", anchor.weight)
        elif anchor.form not in meant.get(anchor.span, {anchor.form}):
            log.add(
                "prune", anchor.form, "unfit: the question means another Form of this name", anchor.weight
            )
        else:
            kept.append(anchor)
    kept.sort(key=lambda a: a.form, reverse=True)  # newest first
    kept.sort(key=lambda a: (-a.weight, -min(fits[a.type], 1), not a.primary))
    limit = settings.max_anchors
    if any(a.how == ALL for a in kept) or (question.listing and question.types):
        limit = max(limit, sum(a.how == ALL or a.type in question.types for a in kept))
    for anchor in kept[:limit]:
        log.add("anchor", anchor.form, f"{anchor.how}: {anchor.reason}", anchor.weight)
    for anchor in kept[limit : limit + _TOLD]:
        log.add("near_miss", anchor.form, f"beyond max_anchors {settings.max_anchors}", anchor.weight)
    if len(kept) > limit + _TOLD:
        rest = f"{len(kept) - limit - _TOLD:,} more Forms: beyond max_anchors {settings.max_anchors}"
        log.note("near_miss", "Forms", rest)
    asked = _own_first(asked, question, frozenset(a.type for a in kept[:limit] if owns(a, catalog)))
    return Anchored(kept[:limit], asked, tuple(a.span for a in kept[:limit] if a.span is not None), other)


def _meant(
    anchors: Sequence[Anchor], question: Question, asked: Mapping[str, tuple[str, ...]], catalog: Catalog
) -> dict[Span | None, frozenset[str]]:
    """Of the Forms that share a name those that are meant, by where the name stands: of a type that the question
    names ("the Apollo project"), else those whose own name it is, where they have what is asked."""
    out: dict[Span | None, frozenset[str]] = {}
    sure = question.sure_types
    for span in {a.span for a in anchors if a.span is not None}:
        here = [a for a in anchors if a.span == span]
        if len(here) < 2:
            continue
        named = [a for a in here if a.type in question.types]
        if named and not question.history and (not sure or any(a.type in sure for a in named)):
            out[span] = frozenset(a.form for a in named)
            continue
        own = [a for a in here if owns(a, catalog)]
        if own and not question.types and any(a.type in asked for a in own):
            out[span] = frozenset(a.form for a in own)
    return out


def owns(anchor: Anchor, catalog: Catalog) -> bool:
    """Whether the name is the Form's own, not that of something it speaks of."""
    form_type = catalog.types.get(anchor.type)
    if form_type is None or anchor.slot in ("", "~", "alias", "@"):
        return True
    return tuple(anchor.slot.split("+")) in {tuple(key) for key in form_type.identity.keys}


def _own_first(
    asked: Mapping[str, tuple[str, ...]], question: Question, types: frozenset[str]
) -> dict[str, tuple[str, ...]]:
    """Without what only a way of asking ("how much") asks of neighbours, where the things that are named, or types
    that are, have such a slot themselves: what a repair costs is not told by its boat's daily rate."""
    named = {(m.type, m.slot) for w in question.words for m in w.meanings if m.level > HINT}
    own = types | question.types
    met = [w for w in question.ways if any(m.type in own for m in w.meanings)]
    apart = {(m.type, m.slot) for w in met for m in w.meanings if m.type not in own}
    apart -= named | {(m.type, m.slot) for w in question.ways if w not in met for m in w.meanings}
    kept = {t: tuple(s for s in slots if (t, s) not in apart) for t, slots in asked.items()}
    return {t: slots for t, slots in kept.items() if slots}


def understood(
    question: Question, types: frozenset[str], catalog: Catalog, given: Collection[str] = ()
) -> tuple[dict[str, tuple[str, ...]], frozenset[str]]:
    """Slots asked for by type, and types that a word hints at.

    A word that names an identity slot of an anchor's type tells which Form is meant ("Tolver the company"),
    so it asks for nothing while other words do; ``given``: the slots whose values the question gives, where it
    gives any (by its company the phone is asked for, too).
    """
    if not question.words:
        return {}, frozenset()
    identity = {t: catalog.types[t].identity.slots for t in types if t in catalog.types}
    parts = {part for slots in given for part in slots.split("+")}
    if parts and parts.isdisjoint(("~", "alias", "@")):
        identity = {t: slots & parts for t, slots in identity.items()}
    telling = {
        i: frozenset(m.type for m in w.meanings if m.slot in identity.get(m.type, ()))
        for i, w in enumerate(question.words)
    }
    others = any(not telling[i] and any(m.slot for m in w.meanings) for i, w in enumerate(question.words))
    if not others:
        return question.asked(), frozenset()
    asked: dict[str, dict[str, None]] = {}
    for i, word in enumerate(question.words):
        if not telling[i]:
            for meaning in word.meanings:
                if meaning.slot is not None:
                    asked.setdefault(meaning.type, {})[meaning.slot] = None
    return {t: tuple(s) for t, s in asked.items()}, frozenset().union(*telling.values())


__all__ = [
    "ALL",
    "EXACT",
    "FOCUS",
    "ONLY",
    "PARTIAL",
    "Anchor",
    "Anchored",
    "find_anchors",
    "owns",
    "understood",
]
