"""Ranked full text over postings that are kept per tenant and owner.

The index holds tokens, a term with its tenant's and owner's number before it: a search reads the postings
of its own scope only, so that another owner's documents cost it neither places, rank nor time. Ranking is
BM25 over the candidates' texts; the weight of a term comes from its document count within the scope.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Sequence

from forms_dynamics.adapters.sql import queries
from forms_dynamics.adapters.sql.driver import NOBODY, Driver
from forms_dynamics.adapters.sql.mapping import form_doc, message_doc
from forms_dynamics.language.terms import index_terms
from forms_dynamics.model.record import Scope, TextHit

_MOST_TERMS = 64  # of a question
_LONGEST = 120  # characters of a term that count
_COUNTED = 10_000  # documents of a term beyond this are not counted: it is common
_READ = 6_000  # postings that one search reads
_PER_TERM = 3_000
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


class FullText(Driver):
    """``search_text`` and the texts of documents."""

    def search_text(self, scope: Scope, terms: Sequence[str], limit: int) -> list[TextHit]:
        space = self._space(scope)
        wanted = list(dict.fromkeys(terms))[:_MOST_TERMS]
        if space is None or not wanted or limit < 1:
            return []
        tenant, owner = space
        spaces = [] if owner == NOBODY else [(owner, False)]
        types: set[int] = set()
        if scope.shared and owner != 0:
            types = set(self._word_nos(tenant, scope.shared))
            spaces.append((0, True))
        by_term: dict[str, int] = {}
        for number, forms_only in spaces:
            for term, token in zip(wanted, tokens(tenant, number, wanted), strict=True):
                count = self._frequency(token, _COUNTED) if not forms_only else 0
                by_term[term] = by_term.get(term, 0) + count
        if len(spaces) == 1 and not any(by_term.values()) and not spaces[0][1]:
            return []
        weights = _weights(by_term)
        found: list[TextHit] = []
        pool = max(64, 4 * limit)
        for number, forms_only in spaces:
            ranked = self._candidates(tenant, number, weights, by_term, forms_only)
            found += self._read(tenant, number, ranked, pool, types if forms_only else None)
        return _rank(found, weights)[:limit]

    def _candidates(
        self, tenant: int, owner: int, weights: dict[str, float], counts: dict[str, int], forms_only: bool
    ) -> list[int]:
        """Documents worth reading, most promising first: rarest terms first, newest documents first."""
        order = sorted(weights, key=lambda term: counts[term])
        spelled = dict(zip(order, tokens(tenant, owner, order), strict=True))
        present = [term for term in order if counts[term] or forms_only]
        scores: dict[int, float] = {}
        whole: set[int] = set()
        if len(present) > 1:
            whole.update(self._postings([spelled[term] for term in present], _TOGETHER, forms_only))
            scores = dict.fromkeys(whole, sum(weights[term] for term in present))
        left = _READ
        for term in present:
            docs = self._postings([spelled[term]], min(left, _PER_TERM), forms_only)
            for doc in docs:
                if doc not in whole:
                    scores[doc] = scores.get(doc, 0.0) + weights[term]
            left -= len(docs)
            if left <= 0:
                break
        return heapq.nlargest(len(scores), scores, key=lambda doc: (scores[doc], doc))

    def _read(
        self, tenant: int, owner: int, ranked: Sequence[int], pool: int, types: set[int] | None
    ) -> list[TextHit]:
        """The texts of the first ``pool`` documents that are there to be read (of ``types``, if given)."""
        out: list[TextHit] = []
        for start in range(0, len(ranked), pool):
            part = ranked[start : start + pool]
            seqs = self._list(doc // 2 for doc in part if doc % 2 == 0)
            nos = self._list(doc // 2 for doc in part if doc % 2)
            if types is None:
                for _, id, text in self._rows(queries.MESSAGE_TEXTS, (tenant, owner, seqs)):
                    out.append(TextHit("message", id, text, 0.0))
            for _, id, words, type_no in self._rows(queries.FORM_TEXTS, (tenant, nos, owner)):
                if types is None or type_no in types:
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
                self._add_docs(tenant, owner, [(message_doc(seq), text) for seq, text in page])
                last = page[-1][0]
                count += len(page)
            after = ""
            while page := self._rows(queries.DOC_FORMS, (tenant, owner, after, 1000)):
                self._add_docs(tenant, owner, [(form_doc(no), words) for no, words, _ in page])
                after = page[-1][2]
                count += len(page)
        return count


def _weights(counts: dict[str, int]) -> dict[str, float]:
    """ln(1 + most frequent term's documents / this term's): needs no count of all documents."""
    top = max(counts.values(), default=0) or 1
    return {term: math.log1p(top / max(count, 1)) for term, count in counts.items()}


def _rank(found: Sequence[TextHit], weights: dict[str, float]) -> list[TextHit]:
    """BM25 with lengths measured against the candidates' mean; documents that hold no term fall out."""
    counted = [(hit, Counter(index_terms(hit.text))) for hit in found]
    mean = sum(c.total() for _, c in counted) / len(counted) if counted else 1.0
    scored: list[TextHit] = []
    for hit, counts in counted:
        norm = _K1 * (1 - _B + _B * counts.total() / (mean or 1.0))
        score = 0.0
        for term, weight in weights.items():
            times = counts.get(term, 0)
            if times:
                score += weight * times * (_K1 + 1) / (times + norm)
        if score > 0:
            scored.append(hit._replace(score=score))
    scored.sort(key=lambda hit: (-hit.score, hit.kind, hit.id))
    return scored
