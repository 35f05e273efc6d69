"""Ranked full text over postings that are kept per tenant and owner.

The index holds tokens, a term with its tenant's and owner's number before it: a search reads the postings
of its own scope only, so that another owner's documents cost it neither places, rank nor time. Ranking is
BM25 over the candidates' texts; the weight of a term comes from its document count within the scope.

With a Reach, postings of documents that it leaves out are passed over before anything is counted or ranked, whichever
index they stand in: places, weights and lengths are those of a store that never held them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from forms_dynamics.adapters.sql import queries
from forms_dynamics.adapters.sql.archiving import Archiving
from forms_dynamics.adapters.sql.mapping import form_doc, message_doc
from forms_dynamics.language.terms import index_terms
from forms_dynamics.model.record import Reach, Scope, TextHit

_MOST_TERMS = 48  # of a question
_LONGEST = 120  # characters of a term that count
_READ = 9_000  # postings that one search reads, shared among its terms
_COUNTED = 5_000  # documents of a term beyond this are not counted: it is common
_RANKED = 600  # documents that may be read, most promising first
_EVERY = 2**62
_TOGETHER = 300  # documents taken that hold all terms
_K1, _B = 1.2, 0.75


def tokens(tenant: int, owner: int, terms: Iterable[str]) -> list[str]:
    """Terms as the index keeps them, each once."""
    prefix = f"{tenant}x{owner}x"
    return [prefix + term[:_LONGEST] for term in dict.fromkeys(terms)]


def doc_tokens(tenant: int, owner: int, text: str) -> str:
    """The tokens of a document, joined by spaces; empty for a text without terms."""
    terms = dict.fromkeys(index_terms(text))
    if not terms:
        return ""
    if len(text) > _LONGEST:
        terms = dict.fromkeys(term[:_LONGEST] for term in terms)
    prefix = f"{tenant}x{owner}x"
    return prefix + f" {prefix}".join(terms)


class _View(NamedTuple):
    """What of one owner's documents a search sees: the active ones without ``out``, of the archive those in ``back``
    (None: all)."""

    space: tuple[int, int]
    forms_only: bool
    types: set[int] | None  # of Forms that may be read
    out: set[int]
    back: set[int] | None


class FullText(Archiving):
    """``search_text`` and the texts of documents."""

    def search_text(
        self, scope: Scope, terms: Sequence[str], limit: int, forms: bool = False, reach: Reach | None = None
    ) -> list[TextHit]:
        wanted = list(dict.fromkeys(terms))[:_MOST_TERMS]
        if not wanted or limit < 1:
            return []
        share = max(200, _READ // len(wanted))
        found: list[TextHit] = []
        counts = dict.fromkeys(wanted, 0)
        ranked: list[tuple[_View, list[int]]] = []
        for space, types in self._read_spaces(scope):
            sides = (set[int](), None) if reach is None else self._astray(space, reach, types=types)
            view = _View(space, forms or types is not None, types, *sides)
            lists = self._lists(view, wanted, share)
            common = all(len(docs) >= share for docs, _ in lists.values())
            for term, (docs, token) in lists.items():
                full = len(docs) >= share and not view.forms_only
                counts[term] += self._count(view, token) if full else len(docs)
            ranked.append((view, self._candidates(view, lists, _weights(counts), common)))
        pool = max(64, limit + limit // 4)
        for view, docs in ranked:
            found += self._read(view, docs, pool)
        return _rank(found, _weights(counts))[:limit]

    def _lists(self, view: _View, terms: Sequence[str], share: int) -> dict[str, tuple[list[int], str]]:
        """Term → its newest documents and its token, for terms that have any."""
        spelled = zip(terms, tokens(*view.space, terms), strict=True)
        lists = {term: (self._seen(view, [token], share), token) for term, token in spelled}
        return {term: found for term, found in lists.items() if found[0]}

    def _seen(self, view: _View, tokens: Sequence[str], limit: int) -> list[int]:
        """Numbers of documents within the view that hold all of ``tokens``, newest first."""
        docs = self._postings(tokens, limit, view.forms_only)
        asked = limit
        while view.out:
            kept = [doc for doc in docs if doc not in view.out]
            if len(kept) >= limit or len(docs) < asked:
                docs = kept[:limit]
                break
            asked = min(4 * asked, limit + len(view.out))
            docs = self._postings(tokens, asked, view.forms_only)
        if view.back is None:
            more = self._postings(tokens, limit, view.forms_only, archived=True)
        elif view.back:
            every = self._postings(tokens, _EVERY, view.forms_only, archived=True)
            more = [doc for doc in every if doc in view.back]
        else:
            return docs
        return sorted({*docs, *more}, reverse=True)[:limit] if more else docs

    def _count(self, view: _View, token: str) -> int:
        """How many documents within the view hold ``token``, counted up to ``_COUNTED``."""
        if view.out or view.back:
            return len(self._seen(view, [token], _COUNTED))
        count = self._frequency(token, _COUNTED)
        if view.back is None:
            count += self._frequency(token, _COUNTED, archived=True)
        return min(count, _COUNTED)

    def _candidates(
        self, view: _View, lists: dict[str, tuple[list[int], str]], weights: dict[str, float], common: bool
    ) -> list[int]:
        """Documents worth reading, most promising first. ``common``: no term's list is complete."""
        scores: dict[int, float] = {}
        for term, (docs, _) in lists.items():
            weight = weights[term]
            for doc in docs:
                scores[doc] = scores.get(doc, 0.0) + weight
        # those that hold all terms may be older than the lists reach; a complete list has them
        if common and len(lists) > 1:
            together = self._seen(view, [token for _, token in lists.values()], _TOGETHER)
            scores.update(dict.fromkeys(together, sum(weights[term] for term in lists)))
        best = list(zip(scores.values(), scores.keys(), strict=True))
        if len(best) > _RANKED:
            least = sorted(scores.values())[-_RANKED]
            best = [each for each in best if each[0] >= least]
        return [doc for _, doc in sorted(best, reverse=True)[:_RANKED]]

    def _read(self, view: _View, ranked: Sequence[int], pool: int) -> list[TextHit]:
        """The texts of the first ``pool`` documents that are there to be read."""
        out: list[TextHit] = []
        (tenant, owner), types = view.space, view.types
        for start in range(0, len(ranked), pool):
            part = ranked[start : start + pool]
            seqs = self._list(doc // 2 for doc in part if doc % 2 == 0)
            nos = self._list(doc // 2 for doc in part if doc % 2)
            if not view.forms_only:
                for id, text in self._rows(queries.MESSAGE_TEXTS, (tenant, owner, seqs)):
                    out.append(TextHit("message", id, text, 0.0))
            for id, words, own, type_no in self._rows(queries.FORM_TEXTS, (tenant, nos)):
                if own == owner and (types is None or type_no in types):
                    out.append(TextHit("form", id, words, 0.0))
            if len(out) >= pool:
                break
        return out

    def index_texts(self, scope: Scope) -> int:
        count = 0
        with self._written(scope) as (tenant, owner):
            self._drop_all_docs(tenant, owner)
            last = 0
            while page := self._rows(queries.DOC_MESSAGES, (tenant, owner, last, 1000)):
                self._add_sided(tenant, owner, [(message_doc(seq), *row) for seq, *row in page])
                last = page[-1][0]
                count += len(page)
            after = ""
            while page := self._rows(queries.DOC_FORMS, (tenant, owner, after, 1000)):
                self._add_sided(tenant, owner, [(form_doc(no), *row) for no, *row, _ in page])
                after = page[-1][3]
                count += len(page)
        return count

    def _add_sided(self, tenant: int, owner: int, docs: Sequence[tuple[Any, ...]]) -> None:
        """Documents as (number, text, archived), each into the full text that its mark names."""
        for archived in (False, True):
            some = [(doc, text) for doc, text, mark in docs if bool(mark) == archived]
            self._add_docs(tenant, owner, some, archived=archived)


def _weights(counts: dict[str, int]) -> dict[str, float]:
    """ln(1 + most frequent term's documents / this term's): needs no count of all documents."""
    top = max(counts.values(), default=0) or 1
    return {term: math.log1p(top / max(count, 1)) for term, count in counts.items()}


def _rank(found: Sequence[TextHit], weights: dict[str, float]) -> list[TextHit]:
    """BM25 with lengths measured against the candidates' mean; documents that hold no term fall out."""
    counted = [(hit, index_terms(hit.text)) for hit in found]
    mean = sum(len(terms) for _, terms in counted) / len(counted) if counted else 1.0
    place = {term: at for at, term in enumerate(weights)}
    scored: list[TextHit] = []
    for hit, terms in counted:
        norm = _K1 * (1 - _B + _B * len(terms) / (mean or 1.0))
        score = 0.0
        # summed in the question's order: what is equal is equal in every process
        for term in sorted(weights.keys() & terms, key=place.__getitem__):
            times = terms.count(term)
            score += weights[term] * times * (_K1 + 1) / (times + norm)
        if score > 0:
            scored.append(hit._replace(score=score))
    scored.sort(key=lambda hit: (-hit.score, hit.kind, hit.id))
    return scored
