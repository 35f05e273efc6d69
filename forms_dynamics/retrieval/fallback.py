"""The fallback: full text and vectors over messages and Forms, when anchors are too few or unsure.

A document must share a content word with the question, or be near it by the embedder; below those floors it
is a near miss. What stands above them is put in order by :mod:`forms_dynamics.retrieval.ranking`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from forms_dynamics.errors import EmbedderMismatch
from forms_dynamics.language.normal import has_han
from forms_dynamics.language.stems import spellings, stem
from forms_dynamics.language.terms import query_terms
from forms_dynamics.model.record import MessageRecord, PendingRecord, Reach, Scope, TextHit
from forms_dynamics.ports import Embedder, Store
from forms_dynamics.retrieval.anchors import Anchor
from forms_dynamics.retrieval.confidence import HEARD
from forms_dynamics.retrieval.question import Question
from forms_dynamics.retrieval.quoted import chunks, is_long
from forms_dynamics.retrieval.ranking import Passage, Words, lifted, passage, stems, without_names
from forms_dynamics.retrieval.reach import outside
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
_NEAR = 200  # documents looked at for their vectors
_WITH_THE_BEST = 0.5  # of the best score: that much lets in a message that is below the floors
_BESIDE = 50  # of the best messages the neighbours are read
_MESSAGES = 20  # shown at most
_PAGE = 8  # messages judged in one go at least
_NEAR_MISSES = 10
_COUNTED = 1000  # documents left out beyond this are not counted


class Scored(NamedTuple):
    """A document with the share of the question's words that it holds; ``score`` orders."""

    doc: Document
    passage: Passage
    overlap: float
    score: float


_AT_ONCE = 40  # terms of one search
# the characters beside which most others stand
_FREQUENT = (
    "的了是不在有我他这个们来到时大地为子中你说生国年着就那和要她出也里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成只如"
    "事把还用第样道想作种开美总从无情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因很给名法间斯知世什两次使身者被高已亲其"
    "进此话常与活正感只上一人水喝吃买卖三二十几新黑白红绿小大老公母跑坏病修换送放店门口"
)


@dataclass(slots=True)
class Found:
    """What the fallback found: Forms as low-confidence anchors, messages with the words to quote and
    their score, pending items of messages that are left out; ``heard``: what was read of messages to find them, best
    first, with ``terms`` as what is asked."""

    forms: list[Anchor] = field(default_factory=list)
    messages: list[tuple[MessageRecord, str, float]] = field(default_factory=list)
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

    def search(
        self, question: Question, embedder: Embedder | None, known: Collection[str], alone: bool = True
    ) -> Found:
        """What lies near the question. ``known``: Forms shown already. Without embedder by words alone, and so it is
        with vectors of another embedder, unless nothing else can answer (``alone``): then EmbedderMismatch."""
        terms = content_terms(question)
        try:
            likeness = self._vectors(question, embedder)
        except EmbedderMismatch as mismatch:
            if alone:
                raise
            self.log.note("fallback", "words", str(mismatch))
            likeness = Likeness()
        out = Found()
        self._tell_left_out()
        if not terms and not likeness:
            return out
        ranked = self._ranked(question, terms, likeness, _HITS, alone)
        forms = self._forms(ranked, known)
        full = len(ranked) >= _HITS
        if full and len(forms) < self.settings.max_anchors:  # messages may have taken their places
            forms = self._forms(self._ranked(question, terms, likeness, _MORE_HITS, alone, forms=True), known)
        self._messages(ranked, terms, out)
        if full and not out.messages:
            self._messages(self._ranked(question, terms, likeness, _MORE_HITS, alone), terms, out)
        if out.messages:
            out.heard, out.terms = self._heard(ranked, out), terms
        limit = self.settings.max_anchors
        for hit in forms[:limit]:
            out.forms.append(_anchor(hit.doc[1], _unit(hit.score), _why(hit)))
        for hit in forms[limit:]:
            self.log.add("near_miss", hit.doc[1], f"beyond max_anchors {limit}", round(hit.score, 4))
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
        self,
        question: Question,
        terms: Sequence[str],
        likeness: Likeness,
        limit: int,
        alone: bool,
        forms: bool = False,
    ) -> list[Scored]:
        """Documents (``forms``: Forms alone) above a floor, best first; those below are told as near misses. Beside
        anchors (not ``alone``) nothing comes along that shares no word of what the question is about."""
        hits = self.store.search_text(self.scope, _spelled(terms), limit, forms, self.reach) if terms else []
        singles = single_characters(terms)
        for char in singles:
            hits += self._holding(char, limit, forms)
        texts: dict[Document, str] = {(h.kind, h.id): h.text for h in hits}
        floor = self.settings.fallback_floor
        least = min(OVERLAP_FLOOR, _WORDS_SHARED / max(1, len(terms)))
        near = [(d, like) for d, like in likeness.nearest(min(limit, _NEAR)) if d[0] == FORM or not forms]
        unread = [d for d, like in near if like >= floor * _WITH_THE_BEST and d not in texts]
        texts.update(self.store.texts(self.scope, unread) if unread else {})
        wanted = list(dict.fromkeys(map(stem, terms)))
        found = self._passages(texts, likeness, singles)
        overlaps = _overlaps(wanted, {each.doc: frozenset(each.stems) for each in found})
        subject = set(map(stem, subject_terms(question)))
        words = Words.of(without_names(wanted, question.text, found), found)
        kept: list[Passage] = []
        below: list[tuple[Passage, str]] = []
        for each in found:
            overlap, alike = overlaps[each.doc], each.like is not None and each.like >= floor
            if not overlap and not alike:
                below.append((each, f"below fallback_floor {floor:g}"))
            elif subject and not (alike and alone) and subject.isdisjoint(each.stems):
                below.append((each, "shares no word of what the question is about"))
            elif overlap < least and not alike:
                below.append((each, f"below the floor {least:.2f} of shared words"))
            else:
                kept.append(each)
        others = [each for each, _ in below if each.doc[0] == MESSAGE]
        scores, more = self._scores(question, kept, others, words, likeness)
        # where something answers, what is nearly as good belongs to it, or stands beside it
        enough = _WITH_THE_BEST * max((scores[each.doc] for each in kept), default=math.inf)
        if alone:
            kept += [each for each in (*others, *more) if scores[each.doc] >= enough]
        shown = {each.doc for each in kept}
        missed = [(overlaps[each.doc], each.doc[1], why) for each, why in below if each.doc not in shown]
        missed += [
            (like, d[1], f"below fallback_floor {floor:g}")
            for d, like in near
            if like < floor and d not in texts and d not in shown
        ]
        for score, id, reason in sorted(missed, key=lambda m: -m[0])[:_NEAR_MISSES]:
            self.log.add("near_miss", id, reason, round(score, 4))
        if len(missed) > _NEAR_MISSES:
            rest = f"{len(missed) - _NEAR_MISSES:,} more documents below the floors"
            self.log.note("near_miss", "documents", rest)
        out = [Scored(each.doc, each, overlaps.get(each.doc, 0.0), scores[each.doc]) for each in kept]
        return sorted(out, key=lambda s: (-s.score, s.doc))

    def _holding(self, char: str, limit: int, forms: bool) -> list[TextHit]:
        """Documents that hold a Chinese character anywhere: the index has it alone only where a run ends with it;
        else as a half of a pair, so that the pairs which it most often makes are looked up."""
        pairs = [
            pair
            for other in dict.fromkeys(_FREQUENT)
            for pair in (char + other, other + char)
            if other != char
        ]
        hits: dict[str, TextHit] = {}
        for at in range(0, len(pairs), _AT_ONCE):
            if len(hits) >= limit:
                break
            for hit in self.store.search_text(
                self.scope, pairs[at : at + _AT_ONCE], limit, forms, self.reach
            ):
                hits.setdefault(hit.id, hit)
        return list(hits.values())[:limit]

    def _passages(
        self, texts: Mapping[Document, str], likeness: Likeness, singles: Sequence[str] = ()
    ) -> list[Passage]:
        """What is ranked of texts; ``singles``: characters that count wherever they stand, not only at an end."""
        said = self.store.messages(self.scope, [id for kind, id in texts if kind == MESSAGE])
        found = [
            passage(doc, text, likeness.get(doc), said.get(doc[1]) if doc[0] == MESSAGE else None)
            for doc, text in texts.items()
        ]
        if not singles:
            return found
        return [
            each._replace(
                stems=(*each.stems, *(c for c in singles if c in texts[each.doc] and c not in each.stems))
            )
            for each in found
        ]

    def _scores(
        self,
        question: Question,
        kept: Sequence[Passage],
        others: Sequence[Passage],
        words: Words,
        likeness: Likeness,
    ) -> tuple[dict[Document, float], list[Passage]]:
        """Each passage by itself and by what stands beside it, and what stands there besides: the neighbours of the
        best of those that are kept."""
        scores = {each.doc: words.score(each) for each in (*kept, *others)}
        first = sorted((p.doc for p in kept if p.doc[0] == MESSAGE), key=lambda d: (-scores[d], d))[:_BESIDE]
        beside = self.store.beside(self.scope, [id for _, id in first])
        unknown = [m for m in beside if (MESSAGE, m.id) not in scores]
        if self.reach is not None and unknown:
            old = outside(self.store, self.scope, self.reach, [(MESSAGE, m.id) for m in unknown])
            beside = [m for m in beside if (MESSAGE, m.id) not in old]
            unknown = [m for m in unknown if (MESSAGE, m.id) not in old]
        more = [passage((MESSAGE, m.id), m.text, likeness.get((MESSAGE, m.id)), m) for m in unknown]
        scores.update({each.doc: words.score(each) for each in more})
        return lifted(question.text, scores, [*kept, *others, *more], beside, set(first)), more

    def _forms(self, ranked: Sequence[Scored], known: Collection[str]) -> list[Scored]:
        """Forms that may be shown, best first; those left out take no place."""
        out: list[Scored] = []
        wanted = [s for s in ranked if s.doc[0] == FORM and s.doc[1] not in known]
        for at in range(0, len(wanted), 64):
            batch = wanted[at : at + 64]
            records = self.store.forms(self.scope, [s.doc[1] for s in batch])
            for hit in batch:
                id = hit.doc[1]
                record = records.get(id)
                fault = None if record is None else self.standing.fault(record)
                if record is None:
                    continue
                if fault is None and id in self.other:
                    fault = "another name"
                if fault is not None:
                    self.log.add("prune", id, fault, round(hit.score, 4))
                else:
                    out.append(hit)
            if len(out) >= self.settings.max_anchors:
                break
        return out

    def _messages(self, ranked: Sequence[Scored], terms: Sequence[str], out: Found) -> None:
        said = [(hit, hit.passage.message) for hit in ranked]
        wanted = [(hit, message) for hit, message in said if message is not None]
        asked = set(map(stem, terms))
        read = 0
        for at, (hit, message) in enumerate(wanted):
            if len(out.messages) == _MESSAGES:
                rest = f"{len(wanted) - at:,} more messages: beyond the best {_MESSAGES}"
                self.log.note("near_miss", "messages", rest)
                break
            if at == read:  # as many as there is room for, were none of them silent
                read += max(_PAGE, _MESSAGES - len(out.messages))
                self.silence.read([each for _, each in wanted[at:read]])
            text, silent = self.silence.spoken(message)
            if text is not None and self.other.intersection(self.silence.touched[message.id]):
                text, silent = None, "another name"
            score = _unit(hit.score)
            if silent is not None:
                self.log.add("prune", message.id, silent, round(score, 4))
                out.pendings += [p for p in self.silence.pendings(message.id) if p.state == "open"]
                if text is None or asked.intersection(hit.passage.stems).isdisjoint(stems(text)):
                    continue
            assert text is not None
            self.log.add("fallback", message.id, _why(hit), round(score, 4))
            words = _best_piece(text, terms) if is_long(text) else text
            out.messages.append((message, words, score))

    def _heard(self, ranked: Sequence[Scored], out: Found) -> list[MessageRecord]:
        """The best messages, shown or not, less those that are silent."""
        shown = {message.id for message, _, _ in out.messages}
        said = [hit.passage.message for hit in ranked]
        heard = [m for m in said if m is not None and (m.id in shown or m.id not in self.silence.touched)]
        return heard[:HEARD]

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


def single_characters(terms: Sequence[str]) -> list[str]:
    """The terms of a question that has none but single Chinese characters: 茶 of 茶呢."""
    return list(terms[:2]) if terms and all(len(t) == 1 and has_han(t) for t in terms) else []


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
    # summed in the question's order, so that what is equal is equal whatever order a set has in this process
    return {
        doc: sum(weight for term, weight in weights.items() if term in found) / whole
        for doc, found in shared.items()
    }


def _best_piece(text: str, terms: Sequence[str]) -> str:
    """The piece of a long text that holds most of the terms."""
    wanted = set(map(stem, terms))
    return max(chunks(text), key=lambda piece: len(wanted.intersection(stems(piece))), default=text)


def _spelled(terms: Sequence[str]) -> list[str]:
    """The terms, then their other forms: a search takes so many and no more."""
    return list(dict.fromkeys([*terms, *(each for term in terms for each in spellings(term))]))


def _why(hit: Scored) -> str:
    like = hit.passage.like
    near = "" if like is None else f", cosine {like:.2f}"
    return f"words {hit.overlap:.2f}{near}"


def _unit(value: float) -> float:
    return min(1.0, max(0.0, value))


__all__ = ["OVERLAP_FLOOR", "Fallback", "Found", "content_terms"]
