"""A recall, stage by stage: question → declared query → anchors → exact Forms → triggers → fallback → assembly.

The flow alone stands here. What a stage does is told where it is done: :mod:`.inquiry` reads the question,
:mod:`.anchors` finds the Forms that it means, :mod:`.telling` tells what they say, :mod:`.loading` what triggers add,
:mod:`.fallback` searches where too little is known, :mod:`.writing` makes the context.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from forms_dynamics.errors import InvalidInput
from forms_dynamics.model.context import Context
from forms_dynamics.model.record import Scope
from forms_dynamics.ports import Embedder, Store
from forms_dynamics.reader import Reader
from forms_dynamics.retrieval.anchors import Anchored, find_anchors
from forms_dynamics.retrieval.expansion import MAX_HOPS
from forms_dynamics.retrieval.fallback import Fallback, Found
from forms_dynamics.retrieval.gathered import Gathered
from forms_dynamics.retrieval.inquiry import Inquiry, in_its_language, inquiry_of, read_again
from forms_dynamics.retrieval.lexicon import Lexicon, lexicon_of
from forms_dynamics.retrieval.loading import loaded_by_triggers
from forms_dynamics.retrieval.queries.answering import answered
from forms_dynamics.retrieval.question import Question
from forms_dynamics.retrieval.reach import reach_of
from forms_dynamics.retrieval.request import Log, Request
from forms_dynamics.retrieval.rerank import Judge, reranked
from forms_dynamics.retrieval.silence import Silence
from forms_dynamics.retrieval.sources import Sources
from forms_dynamics.retrieval.telling import Told, told_exactly
from forms_dynamics.retrieval.unexplained import unexplained
from forms_dynamics.retrieval.writing import Shown, Writing
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings


def recall(
    request: Request,
    scope: Scope,
    store: Store,
    reader: Reader,
    catalog: Catalog,
    settings: Settings,
    now: int,
    embedder: Embedder | None,
    shown: Shown | None = None,
    judge: Judge | None = None,
) -> Context:
    """What an agent should know for the question, with the trace of how it was found. ``shown`` is told the Forms
    that the context tells of, as they are stored. ``judge``: the model that reads a question which the rules do not
    understand, and reranks what the fallback finds.

    Raises InvalidInput for arguments out of range, and EmbedderMismatch where nothing but vectors could
    answer and all that are stored come from another embedder.
    """
    _check(request)
    log, sources = Log(), Sources(scope, store, reader, catalog, settings, now)
    with log.stage("question"):
        lexicon = lexicon_of(catalog)
        inquiry = inquiry_of(request, lexicon, sources)
        if inquiry.question.tracing:
            sources = sources.traced()
    queried = answered(inquiry.request, scope, store, reader, catalog, sources.settings, now, log)
    inquiry, found = _anchored(inquiry, lexicon, sources, judge, log)
    inquiry = in_its_language(inquiry, found.taken)
    standing = sources.standing(inquiry.request)
    exact, telling, then = told_exactly(inquiry, found, standing, sources, log)
    question, loaded = loaded_by_triggers(inquiry.question, exact, found.asked, standing, sources, log)
    silence = Silence(scope, store, catalog, then, inquiry.history)
    gathered = Gathered(queried, exact, loaded)
    alone = len(exact.anchors) < settings.fallback_below_anchors
    if question.units and not queried.items and (alone or _unsure(question, found, exact, catalog)):
        known = exact.forms | loaded.forms | exact.unmet
        hits = _searched(question, found, known, alone, silence, sources, embedder, judge, log)
        low = Told()
        if hits.forms and alone:
            low = replace(telling, question=question).searched(hits, found.barred)
        gathered = replace(gathered, hits=hits, low=low)
    return Writing(sources, silence, question, log).context(gathered, shown)


def _check(request: Request) -> None:
    if request.max_hops not in range(MAX_HOPS + 1):
        raise InvalidInput(f"max_hops is {request.max_hops}: 0, 1 or {MAX_HOPS} are allowed")
    if request.max_tokens < 0:
        raise InvalidInput(f"max_tokens is {request.max_tokens}: it may not be negative")
    if request.recent_turns < 0:
        raise InvalidInput(f"recent_turns is {request.recent_turns}: it may not be negative")


def _anchored(
    inquiry: Inquiry, lexicon: Lexicon, sources: Sources, judge: Judge | None, log: Log
) -> tuple[Inquiry, Anchored]:
    """The Forms that the question means; where it means none and asks for nothing known, as a model reads it. What
    happened (an event) is told by triggers alone."""
    if inquiry.request.event is not None:
        with log.stage("anchors"):
            return inquiry, Anchored((), {})
    found = _found(inquiry, lexicon, sources, log)
    question = inquiry.question.about(sorted({a.type for a in found.anchors}), lexicon)
    if question is not inquiry.question:
        inquiry = replace(inquiry, question=question)
    if not found.anchors and not inquiry.question.asks:
        again = read_again(inquiry, judge, sources, log)
        if again is not None:
            return again, _found(again, lexicon, sources, log)
    return inquiry, found


def _found(inquiry: Inquiry, lexicon: Lexicon, sources: Sources, log: Log) -> Anchored:
    with log.stage("anchors"):
        return find_anchors(
            inquiry.request,
            inquiry.question,
            lexicon,
            sources.scope,
            sources.store,
            sources.settings,
            log,
            sources.here,
            inquiry.restriction,
        )


def _unsure(question: Question, found: Anchored, exact: Told, catalog: Catalog) -> bool:
    """The anchors' Forms do not know what is asked (or know only what waits for its user), or say nothing of what
    else the question speaks of, and it says more than their names."""
    facts, taken = exact.facts, (*found.taken, *exact.explained)
    if not facts.answered:
        return bool(question.leftover(taken))
    return bool(unexplained(question, taken, found.asked, (item.text for item in facts.items), catalog))


def _searched(
    question: Question,
    found: Anchored,
    known: Collection[str],
    alone: bool,
    silence: Silence,
    sources: Sources,
    embedder: Embedder | None,
    judge: Judge | None,
    log: Log,
) -> Found:
    """What full text and vectors find besides ``known``, reranked. ``alone``: too few anchors stand beside it."""
    standing, scope, store, settings = silence.standing, sources.scope, sources.store, sources.settings
    with log.stage("fallback"):
        reach = reach_of(standing.request, sources.catalog, settings, sources.now)
        fallback = Fallback(
            standing.request, scope, store, settings, standing, silence, log, found.other, reach
        )
        hits = fallback.search(question, embedder, known, alone)
    hits = reranked(question.raw, hits, judge, scope, store, settings, log)
    for anchor in hits.forms:
        if alone:
            log.add("fallback", anchor.form, anchor.reason, anchor.weight)
        else:
            log.add("near_miss", anchor.form, "exact anchors stand", anchor.weight)
    return hits


__all__ = ["Request", "recall"]
