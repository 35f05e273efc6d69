"""From anchors to what their Forms say: who may be shown, where edges lead from them, who meets what the question
demands, and the lines that tell it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC

from forms_dynamics.model.record import FormRecord, PendingRecord
from forms_dynamics.retrieval.anaphora import FOCUS, which
from forms_dynamics.retrieval.anchors import ALL, ANOTHERS, EXACT, Anchor, Anchored, understood
from forms_dynamics.retrieval.demands.days import past_span
from forms_dynamics.retrieval.expansion import NOT_KNOWN, Expansion, expand
from forms_dynamics.retrieval.facts import Facts, Reached, tell
from forms_dynamics.retrieval.fallback import Found
from forms_dynamics.retrieval.former import only_former
from forms_dynamics.retrieval.inquiry import Inquiry
from forms_dynamics.retrieval.onward import onward
from forms_dynamics.retrieval.question import Question
from forms_dynamics.retrieval.request import Log, Request
from forms_dynamics.retrieval.restriction import UNRESTRICTED, Restriction
from forms_dynamics.retrieval.saying import SAID_BY, asked_of
from forms_dynamics.retrieval.sources import Sources
from forms_dynamics.retrieval.standing import Standing
from forms_dynamics.retrieval.ties import chain_named, ties_named
from forms_dynamics.retrieval.words import AT_FIRST

SAYS_NOTHING = "knows nothing of what is asked"

Asked = Mapping[str, Sequence[str]]  # Form type → slots asked for


@dataclass(frozen=True, slots=True)
class Told:
    """A set of Forms with the lines that tell them; ``unmet``: Forms looked at that the question does not mean."""

    anchors: Sequence[Anchor] = ()
    reached: Sequence[Reached] = ()
    facts: Facts = field(default_factory=Facts)
    unmet: frozenset[str] = frozenset()
    explained: Sequence[tuple[int, int]] = ()  # words of the question by which they were chosen

    @property
    def forms(self) -> frozenset[str]:
        """Ids of the Forms that were reached."""
        return frozenset(r.form.id for r in self.reached)


@dataclass(frozen=True, slots=True)
class Telling:
    """Tells Forms for one question. ``since``: the past that is told begins here; ``unmet``: Forms known not to be
    meant, which are not read again."""

    sources: Sources
    standing: Standing
    question: Question
    history: bool
    log: Log
    since: int | None = None
    unmet: frozenset[str] = frozenset()

    @property
    def _request(self) -> Request:
        return self.standing.request

    def told(
        self,
        wanted: Sequence[Anchor],
        asked: Asked,
        restriction: Restriction = UNRESTRICTED,
        *,
        low: bool = False,
    ) -> Told:
        """Reads the anchors that may be shown, walks from them, and puts what is asked into lines. ``low``: the
        anchors were only searched for."""
        if not wanted:
            return Told()
        question, unmet = self.question, self.unmet
        with self.log.stage("expansion"):
            anchors, records = self._shown(wanted)
            # why a value was as it was may stand with a neighbour whose type has no such slot
            walked = self._expand(anchors, {} if self.history or question.tracing else asked)
        with self.log.stage("reading"):
            reached = self._read(anchors, records, walked, low)
            if restriction or question.listing:
                every = reached
                reached = self._meeting(anchors, every, restriction)
                unmet |= frozenset(r.form.id for r in every) - {r.form.id for r in reached}
                anchors = [a for a in anchors if any(a.form == r.form.id for r in reached)]
        with self.log.stage("facts"):
            called = {a.form: a.name for a in reversed(anchors) if a.name}
            forms = [r.form for r in reached]
            said_by = SAID_BY.search(question.text) is not None
            if said_by:
                asked = asked_of(asked, [r.form for r in reached if r.via is None])
            writer = self.sources.writer(
                question.lang, self.standing, called, forms, self.since, quoting=said_by
            )
            if self.history and AT_FIRST.search(question.text):
                writer = replace(writer, first=True)
            held = pendings_of(reached, asked, self.standing, self.sources)
            wanted_slots = {} if question.tracing else asked
            catalog = self.sources.catalog
            facts = tell(
                reached, walked.links, wanted_slots, self.history, held, writer, catalog, question.tracing
            )
            if said_by and not (writer.provenance and writer.provenance.known):
                facts.answered = False
            told = {id for item in facts.items for id in item.forms}
            for each in reached:
                if each.form.id not in told:
                    hop = 0 if each.via is None else each.via.hop
                    self.log.add("prune", each.form.id, SAYS_NOTHING, each.weight, hop)
        return Told(anchors, reached, facts, unmet, restriction.spans if anchors else ())

    def searched(self, hits: Found, barred: frozenset[str]) -> Told:
        """Forms that the fallback found, with what they say of the slots asked for."""
        catalog = self.sources.catalog
        records = self.sources.store.forms(self.sources.scope, [a.form for a in hits.forms])
        for anchor in hits.forms:
            if anchor.form in records and records[anchor.form].type in barred:
                self.log.add("prune", anchor.form, ANOTHERS, anchor.weight)
                del records[anchor.form]
        types = frozenset(r.type for r in records.values())
        asked, _ = understood(self.question, types, catalog)
        fitting = {t: slots for t, slots in asked.items() if t in types}
        return self.told([a for a in hits.forms if a.form in records], fitting, low=True)

    def never_otherwise(self, exact: Told, asked: Asked) -> bool:
        """Whether only what was before is asked for, and nothing of it has ever been otherwise."""
        if not (self.history and exact.facts.answered and only_former(self.question.text)):
            return False
        reader, scope, standing = self.sources.reader, self.sources.scope, self.standing
        return not any(
            len(reader.slot_history(scope, r.record, slot, standing.moment, self._request.known_at)) > 1
            for r in exact.reached
            for slot in asked.get(r.form.type, ())
        )

    def which(self, tie: Sequence[str], reached: Sequence[Reached]) -> list[str]:
        """The question which of equals is meant, where they are shown."""
        forms = {r.form.id: r.form for r in reached if r.form.id in tie}
        writer = self.sources.writer(self.question.lang, self.standing)
        types = self.sources.catalog.types
        names = [writer.name(form, types.get(form.type)) for form in forms.values()]
        return [which(sorted(names), self.question.lang)] if len(set(names)) > 1 else []

    def _shown(self, wanted: Sequence[Anchor]) -> tuple[list[Anchor], dict[str, FormRecord]]:
        records = self.sources.store.forms(self.sources.scope, [a.form for a in wanted])
        kept = []
        for anchor in wanted:
            record = records.get(anchor.form)
            fault = "not in this scope" if record is None else self.standing.fault(record)
            if fault is None:
                kept.append(anchor)
            else:
                self.log.add("prune", anchor.form, fault, anchor.weight)
        return kept, records

    def _expand(self, anchors: Sequence[Anchor], asked: Asked) -> Expansion:
        if not anchors or any(a.how == ALL for a in anchors) or self._listed(anchors, asked):
            return Expansion()
        sources = self.sources
        return expand(
            self._request,
            {a.form: a.weight for a in anchors},
            asked,
            sources.scope,
            sources.store,
            sources.catalog,
            sources.settings,
            self.standing,
            self.log,
            ties_named(self.question.text, sources.catalog),
            self._chain(anchors),
        )

    def _listed(self, anchors: Sequence[Anchor], asked: Asked) -> bool:
        """Whether nothing is asked for but the anchors themselves: all quotes of somebody."""
        question = self.question
        if not question.listing or question.tracing or not asked.keys() <= question.types:
            return False
        return all(a.type in question.types for a in anchors)

    def _chain(self, anchors: Sequence[Anchor]) -> tuple[frozenset[str], ...]:
        """Two relations and more that the question follows from its one name."""
        spans = {a.span for a in anchors if a.span is not None}
        if len(spans) != 1:
            return ()
        chain = chain_named(self.question.text, spans.pop(), self.sources.catalog)
        return chain if 2 <= len(chain) <= self._request.max_hops else ()

    def _read(
        self, anchors: Sequence[Anchor], records: Mapping[str, FormRecord], walked: Expansion, low: bool
    ) -> list[Reached]:
        every = {a.form: records[a.form] for a in anchors} | walked.records
        request, past = self._request, self.standing.past
        forms = self.sources.reader.project(
            self.sources.scope, every, list(every), self.sources.now, request.as_of, request.known_at
        )
        steps = {w.form: w for w in walked.walked}
        weights = {a.form: a.weight for a in anchors} | {id: w.weight for id, w in steps.items()}
        out = []
        for id in every:
            if id not in forms:
                self.log.add("prune", id, NOT_KNOWN, weights[id])
        for id, form in forms.items():
            if id in self.unmet:
                continue
            fault: str | None = None
            if past and form.status != "active":
                fault = form.status
            elif past and form.expired and not request.include_expired:
                fault = "expired"
            if fault is not None:
                self.log.add("prune", id, fault, weights[id])
            else:
                out.append(Reached(every[id], form, weights[id], steps.get(id), low))
        return out

    def _meeting(
        self, anchors: Sequence[Anchor], reached: Sequence[Reached], restriction: Restriction
    ) -> list[Reached]:
        """Without Forms that do not meet what the question demands of their type, and without neighbours of the
        type of which all that are meant were found. What it names stays, whatever it demands."""
        question = self.question
        hows = {a.form: a for a in anchors}
        listed = {a.type for a in anchors if a.type in question.types and a.how != FOCUS}
        shared = Counter((a.span, a.type) for a in anchors)
        several = {
            a.form
            for a in anchors
            if a.type in question.types and a.span is not None and shared[a.span, a.type] > 1
        }
        unmet: dict[str, str] = {}
        for type, demand in restriction.demands.items():
            tested = {
                r.form.id: r.form
                for r in reached
                if r.form.type == type
                and (r.via is not None or r.form.id in several or _sifted(hows[r.form.id], question))
            }
            failed = demand.unmet(tested, self.sources.here.tzinfo or UTC)
            if not question.listing and several and several <= failed.keys():
                # Acme's orders, none of which is as the question has it: what they are is the answer
                failed = {id: why for id, why in failed.items() if id not in several}
            unmet |= failed
        met = {a.type for a in anchors if a.how == ALL and a.form not in unmet and a.type in question.types}
        out = []
        for item in reached:
            id = item.form.id
            if (item.via is not None and item.form.type in listed) or (met and item.form.type not in met):
                unmet.setdefault(id, "unfit: those that are asked for were found")
            if id in unmet:
                self.log.add("prune", id, unmet[id], item.weight)
            else:
                out.append(item)
        return out


def told_exactly(
    inquiry: Inquiry, found: Anchored, standing: Standing, sources: Sources, log: Log
) -> tuple[Told, Telling, Standing]:
    """What the anchors that the question names say, what tells more for the same question, and when it is
    asked of: of a past that it speaks of nothing that came later is told."""
    telling = Telling(sources, standing, inquiry.question, inquiry.history, log)
    then = _then(inquiry, found, sources, log)
    if then is None:
        exact = telling.told(found.anchors, found.asked, found.restriction)
    else:
        exact, standing = then
    beyond = onward(inquiry.question, found, exact.anchors, sources.catalog, sources.scope, sources.store)
    if beyond is not None and not beyond.short:
        exact = replace(telling.told(beyond.anchors, beyond.asked), explained=exact.explained)
    if found.short or (beyond is not None and beyond.short) or telling.never_otherwise(exact, found.asked):
        exact.facts.answered = False
    if len(found.tie) > 1:
        exact.facts.questions += telling.which(found.tie, exact.reached)
    told = telling if exact.unmet == telling.unmet else replace(telling, unmet=exact.unmet)
    return exact, told, standing


def _then(inquiry: Inquiry, found: Anchored, sources: Sources, log: Log) -> tuple[Told, Standing] | None:
    """What held in the past that the question speaks of ("in April", 五月一号的时候), where its Forms knew what
    is asked by then; where they learnt it later, and the question says nothing else by which that could be meant, all
    that they held since, with its dates and as no answer. None: it speaks of no such time."""
    request = inquiry.request
    if request.as_of is not None or not found.anchors or not found.asked or found.restriction.timed:
        return None
    span = past_span(inquiry.question, sources.here)
    if span is None or any(a.how == ALL for a in found.anchors):
        return None
    log.add("anchor", "time", f"as it was from {span.first} to {span.last}")
    standing = sources.standing(replace(request, as_of=min(span.until, sources.now)))
    over = inquiry.history or span.first != span.last
    telling = Telling(sources, standing, inquiry.question, over, log, span.since)
    told = telling.told(found.anchors, found.asked)
    if told.facts.answered:
        return replace(told, unmet=frozenset()), standing
    if inquiry.question.leftover((*found.taken, span.span)):
        return None
    later = Telling(sources, sources.standing(request), inquiry.question, True, log).told(
        found.anchors, found.asked
    )
    if not later.facts.answered:
        return None
    log.note(
        "anchor", "time", f"nothing is known of {span.first} to {span.last}: what came later, with dates"
    )
    later.facts.answered = False
    return replace(later, unmet=frozenset()), standing


def pendings_of(
    reached: Sequence[Reached], asked: Asked, standing: Standing, sources: Sources
) -> dict[str, list[PendingRecord]]:
    """Values that wait for their user, by Form, where the Form's type is asked about; none of an earlier state."""
    ids = [r.form.id for r in reached if r.record.pending and r.form.type in asked]
    out: dict[str, list[PendingRecord]] = {}
    if ids and not standing.past:
        since = sources.settings.asked_since(sources.now)
        for item in sources.store.pendings(sources.scope, ids):
            if item.form is not None and item.asked >= since:
                out.setdefault(item.form, []).append(item)
    return out


def _sifted(anchor: Anchor, question: Question) -> bool:
    """Whether the question may leave the anchor out: one of many, not a thing that it names and asks about."""
    return anchor.how == ALL or (question.listing and not anchor.primary and anchor.how == EXACT)


__all__ = ["Asked", "Telling", "Told", "pendings_of", "told_exactly"]
