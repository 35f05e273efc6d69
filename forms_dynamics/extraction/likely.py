"""Which Form types a message is likely about: those that a model is asked for.

Announcing words count most, then what the conversation is about, then the kinds of value in the message (an amount, a
date) and words that a type shares with it. Where nothing tells, the types that others hang on come first.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from forms_dynamics.extraction.lexicon import Lexicon, compile_lexicon
from forms_dynamics.extraction.routing import dependents
from forms_dynamics.language.numerals import folded
from forms_dynamics.language.terms import query_terms
from forms_dynamics.model.form import Form
from forms_dynamics.model.message import Message
from forms_dynamics.schema.spec import Catalog, FormType

MOST = 3  # types in one prompt
_SURE = 4.0  # a score that more words do not make surer
_NAMED, _ANNOUNCED, _WEAK, _KNOWN, _SAID = 3.0, 2.0, 0.4, 1.2, 0.5
_KINDS = {
    "money": re.compile(
        r"[$¥€£￥]|\d\s?(?:k|m|万|亿|元|块)\b|[万亿元块]"
        r"|\b(?:usd|eur|cny|rmb|gbp|dollars?|euros?|mil|million|grand|bucks)\b",
        re.I,
    ),
    "date": re.compile(
        r"[月日号周年]|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:today|tomorrow|week|month|by)\b"
        r"|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\b",
        re.I,
    ),
    "datetime": re.compile(r"\d\s?(?:[点時时:]|am|pm)|[上下]午|晚上", re.I),
    "phone": re.compile(r"\d[\d\s-]{6,}\d"),
    "email": re.compile(r"@\w"),
    "url": re.compile(r"https?://|www\."),
}


class Likely:
    """Ranks the types of one catalog. Stateless after construction; thread-safe."""

    def __init__(self, catalog: Catalog) -> None:
        self._types = [t for t in catalog if t.name != "tool_call" and t.slots]
        self._order = {t.name: i for i, t in enumerate(self._types)}
        self._lexicon: Lexicon = compile_lexicon(catalog, catalog.relatives)
        hangs = dependents(catalog)
        held = Counter(target for targets in hangs.values() for target in targets)
        self._prior = {
            t.name: 0.25 * min(held[t.name], 3) / 3
            + (0.1 if "$speaker" in t.identity.context or "$user" in t.identity.context else 0.0)
            for t in self._types
        }
        self._required = [(r.source, r.target) for r in catalog.rules if r.required]
        self._terms = {t.name: _terms(t) for t in self._types}
        self._often = Counter(term for terms in self._terms.values() for term in terms)

    def types(self, text: str, known: Sequence[Form] = (), turns: Sequence[Message] = ()) -> list[FormType]:
        """Up to :data:`MOST` types, the likeliest first; all of them where there are no more."""
        scores = dict(self._prior)
        self._by_words(text, 1.0, scores)
        for turn in reversed(turns[-2:]):
            self._by_words(turn.text, 0.3, scores)
        for i, name in enumerate(dict.fromkeys(form.type for form in known)):
            if name in scores:
                scores[name] += _KNOWN / (1 + i)
        for kind, pattern in _KINDS.items():
            if pattern.search(text):
                for form_type in self._types:
                    if any(s.type == kind for s in form_type.slots.values()):
                        scores[form_type.name] += 0.3
        self._by_terms(text, scores)
        for source, target in self._required:  # a quote needs its customer
            if scores.get(source, 0.0) >= _ANNOUNCED and target in scores:
                scores[target] += _SAID
        ranked = sorted(self._types, key=lambda t: (-scores[t.name], self._order[t.name]))
        if len(ranked) <= MOST:
            return ranked
        least = 0.2 * min(scores[ranked[0].name], _SURE)
        return [t for t in ranked if scores[t.name] >= least][:MOST]

    def _by_words(self, text: str, share: float, scores: dict[str, float]) -> None:
        low = folded(text).lower()
        for hit in self._lexicon.find(low):
            word = hit.word
            weight = _WEAK if word.weak else 1.0
            for name in word.types:
                if name in scores:
                    scores[name] += _NAMED * weight * share
            names = {slot.type.name for slot in word.slots}
            for name in names & scores.keys():
                scores[name] += _ANNOUNCED * weight * share / math.sqrt(len(names))

    def _by_terms(self, text: str, scores: dict[str, float]) -> None:
        said = set(query_terms(text))
        for name, terms in self._terms.items():
            shared = sum(1.0 / self._often[term] for term in said & terms)
            scores[name] += min(_SAID, _SAID * shared)


def _terms(form_type: FormType) -> frozenset[str]:
    """The words of a type's own texts."""
    texts = [*form_type.description.values(), *form_type.aliases]
    for spec in form_type.slots.values():
        texts += [*spec.description.values(), *spec.aliases, *spec.cues, *spec.examples]
    texts += [example.text for example in form_type.examples if example.gives]
    return frozenset(term for text in texts for term in query_terms(text) if len(term) > 1)


__all__ = ["MOST", "Likely"]
