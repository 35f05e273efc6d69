"""What a recall is asked: the question as it is read, and the request as the question makes it.

A question may itself say of when it asks ("as of May"), that everything related is meant, or that what has run out
counts, too: then the request says so from here on. Where the rules find nothing in it that is known, a model may read
it (``question_by_model``), and what it reads goes the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from forms_dynamics.retrieval.expansion import MAX_HOPS
from forms_dynamics.retrieval.lexicon import Lexicon
from forms_dynamics.retrieval.question import Question, as_of, parse
from forms_dynamics.retrieval.reading_by_model import read_by_model
from forms_dynamics.retrieval.request import Log, Request
from forms_dynamics.retrieval.rerank import Judge
from forms_dynamics.retrieval.restricting import restricting_of
from forms_dynamics.retrieval.restriction import Restriction
from forms_dynamics.retrieval.sources import Sources

_TOUCHED = 8  # mentions that tell what kind of thing a conversation is about


@dataclass(frozen=True, slots=True)
class Inquiry:
    """``history``: whether earlier values are asked for; ``restriction``: what the question demands of Forms that it
    does not name."""

    request: Request
    question: Question
    history: bool
    restriction: Restriction


def inquiry_of(request: Request, lexicon: Lexicon, sources: Sources) -> Inquiry:
    """The request and its question, read by the rules."""
    question = _question(request, lexicon)
    history = question.history if request.history is None else request.history
    if request.as_of is None and question.dated:
        request = replace(request, as_of=as_of(question, sources.now, sources.home))
    restriction = _restriction(request, question, sources)
    if question.tracing:  # everything that hangs together: what is cold or over, too
        request = replace(request, max_hops=MAX_HOPS, include_cold=True, include_expired=True)
    if restriction.expired:
        request = replace(request, include_expired=True)
    return Inquiry(request, question, history, restriction)


def in_its_language(inquiry: Inquiry, names: Sequence[tuple[int, int]]) -> Inquiry:
    """The inquiry with the language of its question's own words, now that it is known where its ``names`` stand."""
    question = inquiry.question.spoken_beside(names) if names else inquiry.question
    return inquiry if question is inquiry.question else replace(inquiry, question=question)


def read_again(inquiry: Inquiry, judge: Judge | None, sources: Sources, log: Log) -> Inquiry | None:
    """The inquiry as a model reads its question; None where no model is asked or its reply is of no use."""
    read = read_by_model(inquiry.question, judge, sources.catalog, sources.settings, sources.here, log)
    if read is None:
        return None
    request = inquiry.request
    if request.as_of is None and read.as_of is not None:
        request = replace(request, as_of=read.as_of)
    history = inquiry.history or read.question.history
    return Inquiry(request, read.question, history, _restriction(request, read.question, sources))


def _question(request: Request, lexicon: Lexicon) -> Question:
    question = parse(request.question or "", lexicon)
    aside = request.focus or request.intent
    if request.intent and not question.asks:
        meant = parse(request.intent.replace("_", " "), lexicon)
        question = replace(question, words=(*question.words, *meant.words))
    if not question.units and aside:
        question = replace(question, lang=parse(aside, lexicon).lang)
    return question


def _restriction(request: Request, question: Question, sources: Sources) -> Restriction:
    restricting = restricting_of(sources.catalog)
    ranged = restricting.ranged(question)
    focus: list[str] = []
    if ranged and request.conversation is not None:
        touched = sources.store.touched(sources.scope, request.conversation, None, _TOUCHED)
        focus = [mention.type for mention in touched]
    return restricting.read(question, sources.here, focus)


__all__ = ["Inquiry", "in_its_language", "inquiry_of", "read_again"]
