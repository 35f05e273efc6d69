"""All that a recall found, before a context is made of it; and how surely it answers: what is shown of it, put into
the terms of :mod:`forms_dynamics.retrieval.confidence`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from forms_dynamics.model.form import Form
from forms_dynamics.model.record import FormRecord
from forms_dynamics.retrieval.anchors import ALL, EXACT, PARTIAL, owns
from forms_dynamics.retrieval.assembly import FACT, QUOTED, Item
from forms_dynamics.retrieval.confidence import Known, confidence, ground_of
from forms_dynamics.retrieval.demands.day_slots import DATED, said_of_days
from forms_dynamics.retrieval.fallback import Found
from forms_dynamics.retrieval.lexicon import lexicon_of
from forms_dynamics.retrieval.queries.answering import Told as Queried
from forms_dynamics.retrieval.question import Question
from forms_dynamics.retrieval.request import Log
from forms_dynamics.retrieval.saying import SAID_BY
from forms_dynamics.retrieval.telling import Told
from forms_dynamics.retrieval.ties import ties_named
from forms_dynamics.retrieval.unexplained import loosely, unexplained
from forms_dynamics.retrieval.words import HISTORY, TOTAL, WHEN, WHY
from forms_dynamics.schema.spec import Catalog

_SURENESS = {EXACT: 0.9, PARTIAL: 0.75, "focus": 0.7, "only": 0.65, ALL: 0.7}


@dataclass(frozen=True, slots=True)
class Gathered:
    """In the order in which it is told: rows of a declared query, what the question names, what triggers loaded,
    Forms that were only searched for, and ``hits``, what the search met besides."""

    queried: Queried
    exact: Told
    loaded: Told
    low: Told = field(default_factory=Told)
    hits: Found = field(default_factory=Found)

    @property
    def forms(self) -> Mapping[str, Form]:
        """Every Form that was read, by its id."""
        return {**self.queried.forms, **{r.form.id: r.form for told in self._told for r in told.reached}}

    @property
    def records(self) -> Mapping[str, FormRecord]:
        """The same Forms as they are stored."""
        return {**self.queried.records, **{r.form.id: r.record for told in self._told for r in told.reached}}

    @property
    def questions(self) -> list[str]:
        """What the Forms told leave to ask."""
        return [question for told in self._told for question in told.facts.questions]

    @property
    def _told(self) -> tuple[Told, Told, Told]:
        return self.exact, self.loaded, self.low

    def sureness(self, question: Question, shown: Sequence[Item], catalog: Catalog, log: Log) -> float:
        """In [0, 1]: how surely ``shown`` answers; 0 where nothing is shown. A declared query says itself how sure
        its rows are; what a trigger loaded where nothing was asked is as sure as what is named exactly."""
        exact, low, hits = self.exact, self.low, self.hits
        if not shown:
            return 0.0
        if any(item in shown for item in self.queried.items):
            return self.queried.confidence
        if self.loaded.reached and not exact.anchors and not question.units:
            return _SURENESS[EXACT]
        told = bool(exact.anchors) and any(item.section == FACT for item in shown)
        taken = [*(a.span for a in exact.anchors if a.span is not None), *exact.explained]
        lines = [item.text for item in exact.facts.items if item.section == FACT]
        if question.whether:  # "does it have a radar?": it is so where its line says it
            more = unexplained(question, taken, {}, lines, catalog) or question.single(taken, lines)
        else:
            more = question.leftover(taken) or unexplained(question, taken, {}, (), catalog)
        known = Known(
            max(_SURENESS[a.how] for a in exact.anchors) if told else 0.0,
            exact.facts.answered,
            exact.facts.confidence,
            bool(exact.facts.questions),
            _asks(question, exact),
            bool(more) or question.of_a_kind(exact.explained),
            question.compares_unknown(taken)
            or _vague(question, exact, catalog)
            or _distant(question, exact, catalog)
            or _beside(question, exact, catalog),
        )
        likeness = max(a.weight for a in low.anchors) if low.reached and any(i.forms for i in shown) else 0.0
        ground = None
        if hits.heard and any(i.section == QUOTED for i in shown):
            ground = ground_of(question, hits.terms, hits.heard, [a.name for a in exact.anchors])
            log.add("fallback", "confidence", ground.told(), round(ground.value, 4))
        return confidence(known, likeness, ground)


def _asks(question: Question, exact: Told) -> bool:
    """Whether a slot is asked for by other words than those by which the Forms were chosen: 经纪人 of
    没有经纪人的演员 is none."""
    listed = {a.type for a in exact.anchors} if all(a.how == ALL for a in exact.anchors) else None
    return any(
        meaning.slot is not None and (listed is None or meaning.type in listed)
        for word in question.words
        for meaning in word.meanings
        if not any(a <= word.start and word.end <= b for a, b in exact.explained)
    )


def _vague(question: Question, exact: Told, catalog: Catalog) -> bool:
    """Whether what else the question says stands nowhere in what is known, and that is a list, or a slot that the
    question does not name."""
    types = {r.form.type for r in exact.reached}
    asked = {t: slots for t, slots in question.asked(frozenset(types)).items() if slots}
    if not asked:
        return False
    if TOTAL.search(question.text) and not question.types and loosely(question, asked):
        return all(a.how == ALL for a in exact.anchors)  # what came in altogether is no list of prices
    taken = [*(a.span for a in exact.anchors if a.span is not None), *exact.explained]
    lists = all(catalog.types[t].slots[slot].many for t, slots in asked.items() for slot in slots)
    # "is it true that it goes to Cairn?": what is supposed need not be what is known
    return (lists or (loosely(question, asked) and not question.whether)) and bool(
        unexplained(question, taken, asked, [item.text for item in exact.facts.items], catalog)
    )


def _distant(question: Question, exact: Told, catalog: Catalog) -> bool:
    """Whether none of what is asked is known of what is named, but only of what has to do with it, which the
    question does not name: the weight of what somebody found is not theirs. What it belongs to may say by whom."""
    if question.history or ties_named(question.text, catalog):
        return False
    anchors = {a.form: a for a in exact.anchors}
    asked = question.asked()
    seen = False
    for item in exact.reached:
        slots = [s for s in asked.get(item.form.type, ()) if item.form[s] is not None]
        if not slots:
            continue
        anchor = anchors.get(item.form.id)
        if anchor is not None and (anchor.how != EXACT or anchor.primary or owns(anchor, catalog)):
            return False
        specs = catalog.types[item.form.type].slots
        onward = item.via is not None and item.via.edge.target == item.form.id
        told = (onward or _WHO.search(question.text)) and all(specs[s].type in ("text", "ref") for s in slots)
        if item.form.type in question.types or told:
            return False
        seen = True
    return seen


def _beside(question: Question, exact: Told, catalog: Catalog) -> bool:
    """Whether a cause is asked for that no slot tells, or a moment that no day tells."""
    asked = {
        (t, s)
        for t, slots in question.asked(frozenset(r.form.type for r in exact.reached)).items()
        for s in slots
    }
    specs = [catalog.types[t].slots[s] for t, s in asked]
    if WHY.search(question.text):
        named = any(_REASON.search(" ".join((s.name, *s.aliases))) for s in specs)
        return not named and (
            HISTORY.search(question.text) is None or all(s.type == "boolean" for s in specs)
        )
    if SAID_BY.search(question.text):
        return False
    if _WHO_DOES.search(question.text) and specs and [a.how for a in exact.anchors] == [EXACT]:
        return not any(s.type in ("text", "ref") for s in specs)  # who paid it is not told by how much
    when = WHEN.search(question.text) is not None
    if when and specs and all(s.type in DATED for s in specs) and loosely(question, question.asked()):
        values = [
            w
            for r in exact.reached
            for w in lexicon_of(catalog).values(question.text, question.units, r.form.type)
        ]
        past = _WHEN_DONE.search(question.text) is not None  # "when was it delivered?" is no day of "due"
        if values and (past or not said_of_days(question.text, [s.name for s in specs])):
            return True  # when it was cleared, where no day is that of clearing
    lines = [item.text for item in exact.facts.items]
    return (
        bool(specs)
        and when
        and all(s.type in ("boolean", "enum") for s in specs)
        and not any(_DAY.search(line) for line in lines)
    )


_WHO = re.compile(r"谁|哪位|\bwho\b")
_WHO_DOES = re.compile(r"谁(?!的|是)(?=[\u4e00-\u9fff])|^who (?!is|are|was|were|has|have)[a-z]+")
_REASON = re.compile("reason|cause|why|remark|note|comment|because|原因|理由|缘由|备注|说明", re.I)
_WHEN_DONE = re.compile(
    r"\bwhen (?:was|were|did|has|have|had)\b|(?:什么时候|何时|哪天|几号)[^，。？?]{1,6}[的了](?=[？?]|$)"
)
_DAY = re.compile(r"\d{4}-\d\d-\d\d")

__all__ = ["Gathered"]
