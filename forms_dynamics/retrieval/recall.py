"""A recall, stage by stage: question → declared query → anchors → expansion → fallback → assembly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, timezone
from functools import partial

from forms_dynamics.errors import InvalidInput
from forms_dynamics.language.secrets import redact
from forms_dynamics.language.terms import index_terms
from forms_dynamics.model.context import Context, Trace
from forms_dynamics.model.record import FormRecord, MessageRecord, PendingRecord, Scope
from forms_dynamics.model.value import from_micros
from forms_dynamics.ports import Embedder, Store
from forms_dynamics.reader import Reader
from forms_dynamics.retrieval.anaphora import FOCUS, which
from forms_dynamics.retrieval.anchors import (
    ALL,
    ANOTHERS,
    EXACT,
    PARTIAL,
    Anchor,
    Anchored,
    find_anchors,
    understood,
)
from forms_dynamics.retrieval.assembly import FACT, FALLBACK, QUOTED, RECENT, Item, assemble, without_repeats
from forms_dynamics.retrieval.confidence import Known, confidence, ground_of, root
from forms_dynamics.retrieval.entries import SPEECH, Writer
from forms_dynamics.retrieval.expansion import MAX_HOPS, NOT_KNOWN, TRACED_EDGES, Expansion, expand
from forms_dynamics.retrieval.facts import Facts, Reached, tell
from forms_dynamics.retrieval.fallback import Fallback, Found
from forms_dynamics.retrieval.lexicon import Lexicon, lexicon_of
from forms_dynamics.retrieval.naming import Names, names_of
from forms_dynamics.retrieval.provenance import Provenance
from forms_dynamics.retrieval.queries.answering import Told as Queried
from forms_dynamics.retrieval.queries.answering import answered
from forms_dynamics.retrieval.question import Question, as_of, parse
from forms_dynamics.retrieval.quoted import quote
from forms_dynamics.retrieval.reach import reach_of
from forms_dynamics.retrieval.reading_by_model import read_by_model
from forms_dynamics.retrieval.request import Log, Request
from forms_dynamics.retrieval.rerank import Judge, reranked
from forms_dynamics.retrieval.restricting import past_span, restricting_of
from forms_dynamics.retrieval.restriction import UNRESTRICTED, Restriction
from forms_dynamics.retrieval.silence import Silence
from forms_dynamics.retrieval.standing import Standing
from forms_dynamics.retrieval.ties import chain_named, ties_named
from forms_dynamics.retrieval.triggers import Triggers, tell_loaded
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings

SAYS_NOTHING = "knows nothing of what is asked"

_SURENESS = {EXACT: 0.9, PARTIAL: 0.75, "focus": 0.7, "only": 0.65, ALL: 0.6}


def recall(
    request: Request,
    scope: Scope,
    store: Store,
    reader: Reader,
    catalog: Catalog,
    settings: Settings,
    now: int,
    embedder: Embedder | None,
    shown: Callable[[Sequence[FormRecord]], None] | None = None,
    judge: Judge | None = None,
) -> Context:
    """What an agent should know for the question, with the trace of how it was found. ``shown`` is told the Forms
    that the context tells of, as they are stored. ``judge``: the model that reranks what the fallback finds.

    Raises InvalidInput for arguments out of range, and EmbedderMismatch where nothing but vectors could
    answer and all that are stored come from another embedder.
    """
    _check(request)
    return _Recall(request, scope, store, reader, catalog, settings, now, embedder, shown, judge).run()


def _check(request: Request) -> None:
    if request.max_hops not in range(MAX_HOPS + 1):
        raise InvalidInput(f"max_hops is {request.max_hops}: 0, 1 or {MAX_HOPS} are allowed")
    if request.max_tokens < 0:
        raise InvalidInput(f"max_tokens is {request.max_tokens}: it may not be negative")
    if request.recent_turns < 0:
        raise InvalidInput(f"recent_turns is {request.recent_turns}: it may not be negative")


@dataclass(slots=True)
class _Told:
    """A set of Forms with the lines that tell them."""

    anchors: Sequence[Anchor] = ()
    reached: Sequence[Reached] = ()
    facts: Facts = field(default_factory=Facts)


@dataclass(slots=True)
class _Recall:
    request: Request
    scope: Scope
    store: Store
    reader: Reader
    catalog: Catalog
    settings: Settings
    now: int
    embedder: Embedder | None
    shown: Callable[[Sequence[FormRecord]], None] | None = None
    judge: Judge | None = None
    log: Log = field(default_factory=Log)
    offsets: dict[str, int] = field(default_factory=dict)
    since: int | None = None  # the past that is told begins here
    unmet: frozenset[str] = frozenset()  # Forms looked at that the question does not mean

    def run(self) -> Context:
        log = self.log
        with log.stage("question"):
            lexicon = lexicon_of(self.catalog)
            question = self._question(lexicon)
            history = question.history if self.request.history is None else self.request.history
            if self.request.as_of is None and question.dated:
                self.request = replace(self.request, as_of=as_of(question, self.now, self._home()))
            restriction = self._restriction(question)
            if question.tracing:
                self._widen()
            if restriction.expired:
                self.request = replace(self.request, include_expired=True)
        standing = Standing(self.request, self.reader, self.catalog, self.now)
        queried = answered(
            self.request, self.scope, self.store, self.reader, self.catalog, self.settings, self.now, log
        )
        with log.stage("anchors"):
            told_by_event = self.request.event is not None
            found = Anchored((), {}) if told_by_event else self._find(question, lexicon, restriction)
        if not found.anchors and not question.asks and not told_by_event:
            read = read_by_model(question, self.judge, self.catalog, self.settings, self._here(self.now), log)
            if read is not None:
                question, history = read.question, history or read.question.history
                if self.request.as_of is None and read.as_of is not None:
                    self.request = replace(self.request, as_of=read.as_of)
                    standing = replace(standing, request=self.request)
                with log.stage("anchors"):
                    found = self._find(question, lexicon, self._restriction(question))
        exact = self._then(question, found, history) or self._told(
            question, found.anchors, found.asked, history, standing, low=False, restriction=found.restriction
        )
        if len(found.tie) > 1:
            exact.facts.questions += self._which(question, found.tie, exact)
        question, loaded = self._loaded(question, exact, found.asked, standing)
        silence = Silence(self.scope, self.store, self.catalog, standing, history)
        hits, low = Found(), _Told()
        alone = len(exact.anchors) < self.settings.fallback_below_anchors
        if question.units and not queried.items and (alone or self._unsure(question, found, exact.facts)):
            with log.stage("fallback"):
                known = {r.form.id for r in (*exact.reached, *loaded.reached)} | self.unmet
                reach = reach_of(self.request, self.catalog, self.settings, self.now)
                fallback = Fallback(
                    self.request,
                    self.scope,
                    self.store,
                    self.settings,
                    standing,
                    silence,
                    log,
                    found.other,
                    reach,
                )
                hits = fallback.search(question, self.embedder, known, alone)
            hits = reranked(question.raw, hits, self.judge, self.scope, self.store, self.settings, log)
            for anchor in hits.forms:
                self.log.add(
                    "fallback" if alone else "near_miss",
                    anchor.form,
                    anchor.reason if alone else "exact anchors stand",
                    anchor.weight,
                )
            if hits.forms and alone:
                low = self._low(question, hits, history, standing, found.barred)
        return self._context(question, queried, exact, loaded, low, hits, silence)

    def _question(self, lexicon: Lexicon) -> Question:
        request = self.request
        question = parse(request.question or "", lexicon)
        aside = request.focus or request.intent
        if request.intent and not question.asks:
            meant = parse(request.intent.replace("_", " "), lexicon)
            question = replace(question, words=(*question.words, *meant.words))
        if not question.units and aside:
            question = replace(question, lang=parse(aside, lexicon).lang)
        return question

    def _widen(self) -> None:
        """Everything that hangs together: two hops, more edges a layer, and what is cold or over, too."""
        self.request = replace(self.request, max_hops=MAX_HOPS, include_cold=True, include_expired=True)
        most = max(self.settings.max_edges_per_layer, TRACED_EDGES)
        self.settings = self.settings.model_copy(update={"max_edges_per_layer": most})

    def _find(self, question: Question, lexicon: Lexicon, restriction: Restriction) -> Anchored:
        return find_anchors(
            self.request,
            question,
            lexicon,
            self.scope,
            self.store,
            self.settings,
            self.log,
            restriction,
        )

    def _restriction(self, question: Question) -> Restriction:
        if not question.types and not question.asks:
            return UNRESTRICTED
        return restricting_of(self.catalog).read(question, self._here(self.now))

    def _here(self, moment: int) -> datetime:
        """The moment in the asker's zone."""
        return from_micros(moment).astimezone(timezone(timedelta(minutes=self._home())))

    def _then(self, question: Question, found: Anchored, history: bool) -> _Told | None:
        """What held in the past that the question speaks of ("in April", 五月一号的时候), where its Forms knew what
        is asked by then; None: it speaks of no such time."""
        request = self.request
        if request.as_of is not None or not found.anchors or not found.asked or found.restriction.timed:
            return None
        span = past_span(question, self._here(self.now))
        if span is None or any(a.how == ALL for a in found.anchors):
            return None
        self.log.add("anchor", "time", f"as it was from {span.first} to {span.last}")
        then = replace(
            self, request=replace(request, as_of=min(span.until, self.now)), since=span.since, offsets={}
        )
        standing = Standing(then.request, self.reader, self.catalog, self.now)
        over = history or span.first != span.last
        told = then._told(question, found.anchors, found.asked, over, standing, low=False)
        return told if told.facts.answered else None

    def _which(self, question: Question, tie: Sequence[str], exact: _Told) -> list[str]:
        """The question which of equals is meant, where they are shown."""
        forms = {r.form.id: r.form for r in exact.reached if r.form.id in tie}
        writer = self._writer(question, Standing(self.request, self.reader, self.catalog, self.now), {})
        names = [writer.name(form, self.catalog.types.get(form.type)) for form in forms.values()]
        return [which(sorted(names), question.lang)] if len(set(names)) > 1 else []

    def _unsure(self, question: Question, found: Anchored, facts: Facts) -> bool:
        """The anchors' Forms do not know what is asked, and the question says more than their names."""
        return not facts.answered and not facts.questions and bool(question.leftover(found.taken))

    # -- Forms -----------------------------------------------------------------------------------------------
    def _told(
        self,
        question: Question,
        wanted: Sequence[Anchor],
        asked: Mapping[str, Sequence[str]],
        history: bool,
        standing: Standing,
        low: bool,
        restriction: Restriction = UNRESTRICTED,
    ) -> _Told:
        """Reads the anchors that may be shown, walks from them, and puts what is asked into lines."""
        if not wanted:
            return _Told()
        with self.log.stage("expansion"):
            anchors, records = self._shown(wanted, standing)
            # why a value was as it was may stand with a neighbour whose type has no such slot
            walked = self._expand(question, anchors, {} if history or question.tracing else asked, standing)
        with self.log.stage("reading"):
            reached = self._read(anchors, records, walked, standing, low)
            if restriction or question.listing:
                every = reached
                reached = self._meeting(question, anchors, every, restriction)
                self.unmet |= frozenset(r.form.id for r in every) - {r.form.id for r in reached}
                anchors = [a for a in anchors if any(a.form == r.form.id for r in reached)]
        with self.log.stage("facts"):
            called = {a.form: a.name for a in reversed(anchors) if a.name}
            writer = self._writer(question, standing, called, reached)
            held = self._pendings(reached, asked, standing)
            wanted_slots = {} if question.tracing else asked
            facts = tell(
                reached, walked.links, wanted_slots, history, held, writer, self.catalog, question.tracing
            )
            told = {id for item in facts.items for id in item.forms}
            for each in reached:
                if each.form.id not in told:
                    hop = 0 if each.via is None else each.via.hop
                    self.log.add("prune", each.form.id, SAYS_NOTHING, each.weight, hop)
        return _Told(anchors, reached, facts)

    def _low(
        self, question: Question, hits: Found, history: bool, standing: Standing, barred: frozenset[str]
    ) -> _Told:
        """Forms that the fallback found, with what they say of the slots asked for."""
        records = self.store.forms(self.scope, [a.form for a in hits.forms])
        for anchor in hits.forms:
            if anchor.form in records and records[anchor.form].type in barred:
                self.log.add("prune", anchor.form, ANOTHERS, anchor.weight)
                del records[anchor.form]
        types = frozenset(r.type for r in records.values())
        asked, _ = understood(question, types, self.catalog)
        fitting = {t: slots for t, slots in asked.items() if t in types}
        anchors = [a for a in hits.forms if a.form in records]
        return self._told(question, anchors, fitting, history, standing, low=True)

    def _loaded(
        self, question: Question, exact: _Told, asked: Mapping[str, Sequence[str]], standing: Standing
    ) -> tuple[Question, _Told]:
        """What triggers load, and the question in the language to tell it in."""
        if not self.catalog.triggers:
            return question, _Told()
        with self.log.stage("triggers"):
            triggers = Triggers(
                self.request, self.scope, self.store, self.reader, self.catalog, self.settings, standing, self.now,
                self.log,
            )  # fmt: skip
            loaded = triggers.run()
            if not question.units:
                lang = self.request.lang or triggers.lang(loaded)
                question = question if lang is None else replace(question, lang=lang)
            if not loaded:
                return question, _Told()
            named = {item.form.type: item.slots for item in loaded if item.slots}
            reached = [Reached(item.record, item.form, 1.0) for item in loaded]
            held = self._pendings(reached, named, standing)
            writer = self._writer(question, standing, {}, reached)
            facts, told = tell_loaded(loaded, exact.facts, asked, held, writer, self.catalog, self.log)
        return question, _Told((), told, facts)

    def _shown(
        self, wanted: Sequence[Anchor], standing: Standing
    ) -> tuple[list[Anchor], dict[str, FormRecord]]:
        records = self.store.forms(self.scope, [a.form for a in wanted])
        kept = []
        for anchor in wanted:
            record = records.get(anchor.form)
            fault = "not in this scope" if record is None else standing.fault(record)
            if fault is None:
                kept.append(anchor)
            else:
                self.log.add("prune", anchor.form, fault, anchor.weight)
        return kept, records

    def _expand(
        self,
        question: Question,
        anchors: Sequence[Anchor],
        asked: Mapping[str, Sequence[str]],
        standing: Standing,
    ) -> Expansion:
        if not anchors or any(a.how == ALL for a in anchors):
            return Expansion()
        weights = {a.form: a.weight for a in anchors}
        return expand(
            self.request,
            weights,
            asked,
            self.scope,
            self.store,
            self.catalog,
            self.settings,
            standing,
            self.log,
            ties_named(question.text, self.catalog),
            self._chain(question, anchors),
        )

    def _chain(self, question: Question, anchors: Sequence[Anchor]) -> tuple[frozenset[str], ...]:
        """Two relations and more that the question follows from its one name."""
        spans = {a.span for a in anchors if a.span is not None}
        chain = chain_named(question.text, spans.pop(), self.catalog) if len(spans) == 1 else ()
        return chain if 2 <= len(chain) <= self.request.max_hops else ()

    def _read(
        self,
        anchors: Sequence[Anchor],
        records: Mapping[str, FormRecord],
        walked: Expansion,
        standing: Standing,
        low: bool,
    ) -> list[Reached]:
        every = {a.form: records[a.form] for a in anchors} | walked.records
        request = self.request
        forms = self.reader.project(self.scope, every, list(every), self.now, request.as_of, request.known_at)
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
            if standing.past and form.status != "active":
                fault = form.status
            elif standing.past and form.expired and not request.include_expired:
                fault = "expired"
            if fault is not None:
                self.log.add("prune", id, fault, weights[id])
            else:
                out.append(Reached(every[id], form, weights[id], steps.get(id), low))
        return out

    def _meeting(
        self,
        question: Question,
        anchors: Sequence[Anchor],
        reached: Sequence[Reached],
        restriction: Restriction,
    ) -> list[Reached]:
        """Without Forms that do not meet what the question demands of their type, and without neighbours of the
        type of which all that are meant were found. What it names stays, whatever it demands."""
        hows = {a.form: a for a in anchors}
        listed = {a.type for a in anchors if a.type in question.types and a.how != FOCUS}
        unmet: dict[str, str] = {}
        for type, demand in restriction.demands.items():
            tested = {
                r.form.id: r.form
                for r in reached
                if r.form.type == type and (r.via is not None or _sifted(hows[r.form.id], question))
            }
            unmet |= demand.unmet(tested, self._here(self.now).tzinfo or UTC)
        out = []
        for item in reached:
            id = item.form.id
            if item.via is not None and item.form.type in listed:
                unmet.setdefault(id, "unfit: those that are asked for were found")
            if id in unmet:
                self.log.add("prune", id, unmet[id], item.weight)
            else:
                out.append(item)
        return out

    def _writer(
        self,
        question: Question,
        standing: Standing,
        called: Mapping[str, str],
        reached: Sequence[Reached] = (),
    ) -> Writer:
        provenance = Provenance(
            self.settings.provenance,
            question.lang,
            self._offset,
            lambda ids: self.store.messages(self.scope, ids),
        )
        provenance.gather(r.form for r in reached)
        return Writer(
            question.lang, self.scope, self.reader, standing.moment, self._offset, not standing.past,
            self.request.known_at, self.request.include_expired, called, provenance, self.since,
        )  # fmt: skip

    def _offset(self, message: str | None) -> int:
        """Minutes east of UTC in which a message was said; the settings' zone where there is none."""
        if message is not None:
            if message not in self.offsets:
                found = self.store.messages(self.scope, [message]).get(message)
                self.offsets[message] = self._home() if found is None else found.offset
            return self.offsets[message]
        return self._home()

    def _home(self) -> int:
        zone = self.settings.zone
        if zone is None:
            return 0
        away = from_micros(self.now).astimezone(zone).utcoffset()
        return 0 if away is None else int(away.total_seconds() // 60)

    def _pendings(
        self, reached: Sequence[Reached], asked: Mapping[str, Sequence[str]], standing: Standing
    ) -> dict[str, list[PendingRecord]]:
        ids = [r.form.id for r in reached if r.record.pending and r.form.type in asked]
        out: dict[str, list[PendingRecord]] = {}
        if ids and not standing.past:
            since = self.settings.asked_since(self.now)
            for item in self.store.pendings(self.scope, ids):
                if item.form is not None and item.asked >= since:
                    out.setdefault(item.form, []).append(item)
        return out

    # -- the context -----------------------------------------------------------------------------------------
    def _context(
        self,
        question: Question,
        queried: Queried,
        exact: _Told,
        loaded: _Told,
        low: _Told,
        hits: Found,
        silence: Silence,
    ) -> Context:
        speech = SPEECH[question.lang]
        with self.log.stage("assembly"):
            recent = self._recent(silence)
            again = {m.id for m in recent}
            waiting = self._waiting(question, hits, silence, exact, low)
            items = [
                *queried.items,
                *exact.facts.items,
                *loaded.facts.items,
                *(Item(quote(m), m.id, RECENT, (), m.id) for m in recent),
                *low.facts.items,
                *(Item(text, item.id, FALLBACK) for item, text in waiting),
                *(
                    Item(quote(m, words, clock=False), m.id, QUOTED, (), m.id, score)
                    for m, words, score in hits.messages
                    if m.id not in again
                ),
            ]
            made = assemble(
                self._clean(without_repeats(items, self.log)),
                speech.header,
                {RECENT: speech.recent, QUOTED: speech.low},
                self.request.max_tokens,
                self.settings.fallback_share,
                self.log,
            )
        reached = (*exact.reached, *loaded.reached, *low.reached)
        forms = {**queried.forms, **{r.form.id: r.form for r in reached}}
        shown = dict.fromkeys(id for item in made.items for id in item.forms if id in forms)
        if self.shown is not None:
            records = {**queried.records, **{r.form.id: r.record for r in reached}}
            self.shown([records[id] for id in shown if id in records])
        questions = [
            *exact.facts.questions,
            *loaded.facts.questions,
            *low.facts.questions,
            *(i.question for i, _ in waiting if i.question),
        ]
        return Context(
            text=made.text,
            forms=tuple(forms[id] for id in shown),
            messages=tuple(dict.fromkeys(i.message for i in made.items if i.message is not None)),
            tokens=made.tokens,
            confidence=self._confidence(question, queried, exact, loaded, low, hits, made.items),
            questions=tuple(dict.fromkeys(map(self._redacted, questions))),
            current_to=self.store.current_to(self.scope, self.request.conversation),
            trace=self._trace(question, silence.standing),
        )

    def _trace(self, question: Question, standing: Standing) -> Trace:
        steps, writer = self.log.told(), self._writer(question, standing, {})
        look = partial(
            names_of, steps, self.request, self.store, self.catalog, writer, self.settings.redact != "off"
        )
        return Trace(steps, dict(self.log.timings), Names(look), question.lang)

    def _recent(self, silence: Silence) -> list[MessageRecord]:
        """The last turns of the conversation, less those that are silent."""
        if not self.request.recent_turns or self.request.conversation is None:
            return []
        out = []
        for message in self.store.recent(self.scope, self.request.conversation, self.request.recent_turns):
            reason = silence.reason(message)
            if reason is None:
                out.append(message)
            else:
                self.log.add("prune", message.id, reason)
        return out

    def _waiting(
        self, question: Question, hits: Found, silence: Silence, exact: _Told, low: _Told
    ) -> list[tuple[PendingRecord, str]]:
        """Pending values of asked slots whose messages the fallback met, as lines that say so."""
        asked = question.asked()
        told = {i.subject for i in (*exact.facts.items, *low.facts.items)}
        wanted = {p.id: p for p in hits.pendings if p.slot in asked.get(p.type, ()) and p.id not in told}
        if not wanted:
            return []
        writer = self._writer(question, silence.standing, {})
        named = self.reader.forms(
            self.scope, [p.form for p in wanted.values() if p.form is not None], self.now
        )
        return [
            (p, writer.pending(p, named.get(p.form) if p.form else None, self.catalog.types.get(p.type)))
            for p in wanted.values()
        ]

    def _clean(self, items: Sequence[Item]) -> list[Item]:
        if self.settings.redact == "off":
            return list(items)
        cleaned = [(item, redact(item.text)) for item in items]
        return [item if text == item.text else replace(item, text=text) for item, text in cleaned]

    def _redacted(self, text: str) -> str:
        return text if self.settings.redact == "off" else redact(text)

    def _confidence(
        self,
        question: Question,
        queried: Queried,
        exact: _Told,
        loaded: _Told,
        low: _Told,
        hits: Found,
        shown: Sequence[Item],
    ) -> float:
        """How surely the text answers."""
        if not shown:
            return 0.0
        if any(item in shown for item in queried.items):
            return queried.confidence
        if loaded.reached and not exact.anchors and not question.units:
            return _SURENESS[EXACT]
        told = bool(exact.anchors) and any(item.section == FACT for item in shown)
        taken = [a.span for a in exact.anchors if a.span is not None]
        known = Known(
            max(_SURENESS[a.how] for a in exact.anchors) if told else 0.0,
            exact.facts.answered,
            exact.facts.confidence,
            bool(exact.facts.questions),
            question.asks,
            bool(question.leftover(taken)),
            self._vague(question, exact, question.leftover(taken)),
        )
        likeness = max(a.weight for a in low.anchors) if low.reached and any(i.forms for i in shown) else 0.0
        ground = None
        if hits.heard and any(i.section == QUOTED for i in shown):
            ground = ground_of(question, hits.terms, hits.heard, [a.name for a in exact.anchors])
            self.log.add("fallback", "confidence", ground.told(), round(ground.value, 4))
        return confidence(known, likeness, ground)

    def _vague(self, question: Question, exact: _Told, more: Sequence[str]) -> bool:
        """Whether only lists are known of what is asked, and what else the question says is not in them."""
        types = {r.form.type for r in exact.reached}
        asked = [(t, slot) for t, slots in question.asked(frozenset(types)).items() for slot in slots]
        if not more or not asked or not all(self.catalog.types[t].slots[slot].many for t, slot in asked):
            return False
        told = {root(t) for item in exact.facts.items for t in index_terms(item.text)}
        return told.isdisjoint(root(t) for said in more for t in index_terms(said))


def _sifted(anchor: Anchor, question: Question) -> bool:
    """Whether the question may leave the anchor out: one of many, not a thing that it names and asks about."""
    return anchor.how == ALL or (question.listing and not anchor.primary and anchor.how == EXACT)


__all__ = ["Request", "recall"]
