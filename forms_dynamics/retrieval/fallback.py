"""The fallback: full text and vectors over messages and Forms, when anchors are too few or unsure.

A document must share a content word with the question, or be near it by the embedder; below those floors it
is a near miss. What the full text finds is scored again by how many of the question's rare words it holds.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from forms_dynamics.language.ngrams import cosine, hashed
from forms_dynamics.language.normal import has_han
from forms_dynamics.language.terms import index_terms, query_terms
from forms_dynamics.model.record import MessageRecord, PendingRecord, Reach, Scope
from forms_dynamics.ports import Embedder, Store
from forms_dynamics.retrieval.anchors import Anchor
from forms_dynamics.retrieval.confidence import HEARD
from forms_dynamics.retrieval.question import Question
from forms_dynamics.retrieval.quoted import chunks, is_long
from forms_dynamics.retrieval.request import Log, Request
from forms_dynamics.retrieval.silence import Silence
from forms_dynamics.retrieval.standing import Standing
from forms_dynamics.retrieval.vectors import Document, Likeness, similar
from forms_dynamics.retrieval.words import BREAKS_ZH, PARTICLES_ZH, STOP_EN
from forms_dynamics.settings import Settings

FORM, MESSAGE = "form", "message"
OVERLAP_FLOOR = 0.12  # share of the question's words, by rarity, that a document must hold

_WORDS_SHARED = 0.5  # which for a long question need be no more than this many words
_HITS = 200
_MORE_HITS = 5000
_NEAR = 1000  # documents looked at for their vectors
_MESSAGES = 20  # shown at most
_NEAR_MISSES = 10
_COUNTED = 1000  # documents left out beyond this are not counted
_RESCORED = 2000  # characters of a document that the n-grams are taken of
_ASKING = ("?", "？", "吗", "呢")


class Scored(NamedTuple):
    """A document with its likenesses to the question; ``score`` in [0, 1] orders."""

    kind: str
    id: str
    text: str
    overlap: float
    cosine: float | None
    score: float


@dataclass(slots=True)
class Found:
    """What the fallback found: Forms as low-confidence anchors, messages with the words to quote (None: all) and
    their score, pending items of messages that are left out; ``heard``: what was read of messages to find them, best
    first, with ``terms`` as what is asked."""

    forms: list[Anchor] = field(default_factory=list)
    messages: list[tuple[MessageRecord, str | None, float]] = field(default_factory=list)
    pendings: list[PendingRecord] = field(default_factory=list)
    heard: Sequence[MessageRecord] = ()
    terms: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Fallback:
    """Searches one scope for one request."""

    request: Request
    scope: Scope
    store: Store
    settings: Settings
    standing: Standing
    silence: Silence
    log: Log
    other: frozenset[str] = frozenset()  # Forms of another name than the question's
    reach: Reach | None = None  # None: cold ones and old messages are searched, too

    def search(self, question: Question, embedder: Embedder | None, known: Collection[str]) -> Found:
        """What lies near the question. ``known``: Forms shown already. Without embedder by words alone."""
        terms = content_terms(question)
        likeness = self._vectors(question, embedder)
        out = Found()
        self._tell_left_out()
        if not terms and not likeness:
            return out
        ranked = self._ranked(question, terms, likeness, _HITS)
        forms = self._forms(ranked, known)
        full = len(ranked) >= _HITS
        if full and len(forms) < self.settings.max_anchors:  # messages may have taken their places
            forms = self._forms(self._ranked(question, terms, likeness, _MORE_HITS, forms=True), known)
        self._messages(ranked, terms, out)
        if full and not out.messages:
            self._messages(self._ranked(question, terms, likeness, _MORE_HITS), terms, out)
        if out.messages:
            out.heard, out.terms = self._heard(ranked, out), terms
        limit = self.settings.max_anchors
        for hit in forms[:limit]:
            out.forms.append(_anchor(hit.id, hit.score, _why(hit)))
        for hit in forms[limit:]:
            self.log.add("near_miss", hit.id, f"beyond max_anchors {limit}", round(hit.score, 4))
        self._forms_of_messages(out, {f.form for f in out.forms} | set(known), limit)
        return out

    def _tell_left_out(self) -> None:
        count = 0 if self.reach is None else self.store.left_out(self.scope, self.reach, _COUNTED)
        if count:
            most = " or more" if count == _COUNTED else ""
            self.log.note("prune", "documents", f"cold: {count}{most} were not searched")

    def _vectors(self, question: Question, embedder: Embedder | None) -> Likeness:
        if embedder is None:
            self.log.note(
                "fallback", "words", "hashed n-grams (install forms_dynamics[embed] for a real embedder)"
            )
            return Likeness()
        clean = self.settings.redact != "off"
        return similar(question.raw, self.scope, self.store, embedder, clean, self.log, self.reach)

    def _ranked(
        self, question: Question, terms: Sequence[str], likeness: Likeness, limit: int, forms: bool = False
    ) -> list[Scored]:
        """Documents (``forms``: Forms alone) above a floor, best first; those below are told as near misses."""
        hits = self.store.search_text(self.scope, terms, limit, forms, self.reach) if terms else []
        texts: dict[Document, str] = {(h.kind, h.id): h.text for h in hits}
        scores = {(h.kind, h.id): h.score for h in hits}
        floor = self.settings.fallback_floor
        least = min(OVERLAP_FLOOR, _WORDS_SHARED / max(1, len(terms)))
        near = [(d, like) for d, like in likeness.nearest(min(limit, _NEAR)) if d[0] == FORM or not forms]
        unread = [d for d, like in near if like >= floor and d not in texts]
        texts.update(self.store.texts(self.scope, unread) if unread else {})
        held = {doc: frozenset(index_terms(text)) for doc, text in texts.items()}
        overlaps = _overlaps(terms, held)
        subject = set(subject_terms(question))
        best = max(scores.values(), default=0.0) or 1.0
        asked = hashed(question.raw)
        out = []
        missed: list[tuple[float, str, str]] = []
        for doc, text in texts.items():
            overlap, near_by = overlaps[doc], likeness.get(doc)
            alike = near_by is not None and near_by >= floor
            if subject and not alike and subject.isdisjoint(held[doc]):
                missed.append((overlap, doc[1], "shares no word of what the question is about"))
                continue
            if overlap < least and not alike:
                missed.append((overlap, doc[1], f"below the floor {least:.2f} of shared words"))
                continue
            words = 0.5 * max(0.0, scores.get(doc, 0.0)) / best + 0.5 * overlap
            like = cosine(asked, hashed(text[:_RESCORED])) if near_by is None else near_by
            out.append(Scored(*doc, text, overlap, near_by, _unit(0.6 * words + 0.4 * like)))
        missed += [
            (like, d[1], f"below fallback_floor {floor:g}")
            for d, like in near
            if like < floor and d not in texts
        ]
        for score, id, reason in sorted(missed, key=lambda m: -m[0])[:_NEAR_MISSES]:
            self.log.add("near_miss", id, reason, round(score, 4))
        if len(missed) > _NEAR_MISSES:
            rest = f"{len(missed) - _NEAR_MISSES:,} more documents below the floors"
            self.log.note("near_miss", "documents", rest)
        return sorted(out, key=lambda s: (-s.score, s.kind, s.id))

    def _forms(self, ranked: Sequence[Scored], known: Collection[str]) -> list[Scored]:
        """Forms that may be shown, best first; those left out take no place."""
        out: list[Scored] = []
        wanted = [s for s in ranked if s.kind == FORM and s.id not in known]
        for at in range(0, len(wanted), 64):
            batch = wanted[at : at + 64]
            records = self.store.forms(self.scope, [s.id for s in batch])
            for hit in batch:
                record = records.get(hit.id)
                fault = None if record is None else self.standing.fault(record)
                if record is None:
                    continue
                if fault is None and hit.id in self.other:
                    fault = "another name"
                if fault is not None:
                    self.log.add("prune", hit.id, fault, hit.score)
                else:
                    out.append(hit)
            if len(out) >= self.settings.max_anchors:
                break
        return out

    def _messages(self, ranked: Sequence[Scored], terms: Sequence[str], out: Found) -> None:
        wanted = [s for s in ranked if s.kind == MESSAGE]
        at = 0
        while at < len(wanted) and len(out.messages) < _MESSAGES:
            batch = wanted[at : at + _MESSAGES]
            at += len(batch)
            records = self.store.messages(self.scope, [s.id for s in batch])
            for hit in batch:
                message = records.get(hit.id)
                if message is None:
                    continue
                silent = self.silence.reason(message)
                if silent is None and self.other.intersection(self.silence.touched.get(message.id, ())):
                    silent = "another name"
                if silent is not None:
                    self.log.add("prune", message.id, silent, hit.score)
                    out.pendings += [p for p in self.silence.pendings(message.id) if p.state == "open"]
                    continue
                # a question found again answers nothing
                score = hit.score * (0.5 if message.text.rstrip().endswith(_ASKING) else 1.0)
                self.log.add("fallback", message.id, _why(hit), round(score, 4))
                words = _best_piece(message.text, terms) if is_long(message.text) else None
                out.messages.append((message, words, score))
        if at < len(wanted):
            rest = f"{len(wanted) - at:,} more messages: beyond the best {_MESSAGES}"
            self.log.note("near_miss", "messages", rest)

    def _heard(self, ranked: Sequence[Scored], out: Found) -> list[MessageRecord]:
        """The best messages, shown or not, less those that are silent."""
        shown = {m.id: m for m, _, _ in out.messages}
        ids = [s.id for s in ranked if s.kind == MESSAGE][:HEARD]
        unread = [id for id in ids if id not in shown and id not in self.silence.touched]
        every = {**shown, **(self.store.messages(self.scope, unread) if unread else {})}
        return [every[id] for id in ids if id in every]

    def _forms_of_messages(self, out: Found, known: set[str], limit: int) -> None:
        """Forms that the best messages made are anchors too."""
        for message, _, score in out.messages[:3]:
            for form in self.silence.touched.get(message.id, ()):
                if form not in known and len(out.forms) < limit:
                    known.add(form)
                    out.forms.append(_anchor(form, score, f"made by {message.id}"))


def _anchor(form: str, score: float, why: str) -> Anchor:
    return Anchor(form, "", "fallback", why, weight=round(score, 4))


def content_terms(question: Question) -> list[str]:
    """The terms of a question that say what it is about: without the function words of both languages, unless
    it has nothing else."""
    spans = [
        (a, b)
        for (a, b, han), blocked in zip(question.units, question.breaks, strict=True)
        if blocked or (han and question.text[a:b] in PARTICLES_ZH)
    ]
    kept = question.text
    for a, b in spans:
        kept = kept[:a] + " " * (b - a) + kept[b:]
    terms = [t for t in query_terms(kept) if t not in STOP_EN and t not in BREAKS_ZH]
    solid = [t for t in terms if not has_han(t) or len(t) > 1]
    every = query_terms(question.text)
    if solid or terms:
        # a lone Chinese character is a remnant unless it is all there is
        return solid or terms
    return every if len(every) <= 3 else []


def subject_terms(question: Question) -> list[str]:
    """The terms that are neither function words nor declared words: whom or what the question is about."""
    kept = list(" " * len(question.text))
    for (a, b, _), free in zip(question.units, question.free, strict=True):
        if free:
            kept[a:b] = question.text[a:b]
    return [t for t in query_terms("".join(kept)) if t not in STOP_EN and (not has_han(t) or len(t) > 1)]


def _overlaps(terms: Sequence[str], held: Mapping[Document, frozenset[str]]) -> dict[Document, float]:
    """The share of the question's terms in each text, each weighed by its rarity among the texts found."""
    wanted = frozenset(terms)
    shared = {doc: wanted & theirs for doc, theirs in held.items()}
    counts = dict.fromkeys(terms, 0)
    for found in shared.values():
        for term in found:
            counts[term] += 1
    weights = {term: 1 / (1 + math.log(1 + max(1, n))) for term, n in counts.items()}
    whole = sum(weights.values()) or 1.0
    return {doc: sum(weights[t] for t in found) / whole for doc, found in shared.items()}


def _best_piece(text: str, terms: Sequence[str]) -> str:
    """The piece of a long text that holds most of the terms."""
    wanted = set(terms)
    return max(chunks(text), key=lambda piece: len(wanted.intersection(index_terms(piece))), default=text)


def _why(hit: Scored) -> str:
    near = "" if hit.cosine is None else f", cosine {hit.cosine:.2f}"
    return f"words {hit.overlap:.2f}{near}"


def _unit(value: float) -> float:
    return min(1.0, max(0.0, value))


__all__ = ["OVERLAP_FLOOR", "Fallback", "Found", "content_terms"]
