"""Questions that a declared query answers: its ``asks:`` patterns, compiled once a catalog.

A pattern fits a whole question or none: case, width, script, punctuation and politeness aside. What stands in the
place of a parameter must be one of its values; in that of the start's name, the name of a Form. Otherwise the
question is no question of this query, and a recall goes on as if there were none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from forms_dynamics.errors import InvalidInput
from forms_dynamics.language.normal import CJK, normal
from forms_dynamics.model.record import Scope
from forms_dynamics.ports import Store
from forms_dynamics.retrieval.queries.beginning import named
from forms_dynamics.retrieval.queries.parameters import value_of
from forms_dynamics.schema.query_spec import QuerySpec
from forms_dynamics.schema.spec import Catalog

_PLACE = re.compile(r"\{\s*([^{}]*?)\s*\}")
_MARKS = re.compile(r"[\s,;:!?.，。；：！？、…~～\"“”‘’「」『』《》()（）\[\]【】]+")
_MOST = 400  # characters of a question that a pattern is tried on

_BEFORE = (
    r"(?:(?:请问一下|请问|麻烦问一下|麻烦|劳驾|你好|您好|嗨|想问一下|想问|问一下|我想知道|想知道|我想问一下|我想问|"
    r"请?帮我查一下|请?帮我查查|请?帮我看一下|请?帮我看看|请?帮忙查一下|帮我查|查一下|查查|看一下|看看|你知道|您知道|"
    r"请?告诉我|能不能告诉我|能告诉我|可以告诉我|那么|那|请|"
    r"hi|hello|hey|please|so|ok|okay|and|"
    r"(?:could|can|would|will) you (?:please )?(?:tell me|show me|say|find out|look up|check)|"
    r"do you (?:happen to )?know|tell me|show me|i(?: woul|')d like to know|i want to know|i wonder)\s*)*"
)
_AFTER = r"(?:\s*(?:吗|呢|啊|呀|吧|么|来着|谢谢你|谢谢您|谢谢|多谢|拜托了|拜托|please|thanks|thank you|again|then))*"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way of asking; ``words``: what must stand in a question for it to fit."""

    spec: QuerySpec
    lang: str
    source: str
    words: tuple[str, ...]
    shape: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that a query answers, with the values of its parameters; ``pattern`` is how it was asked."""

    spec: QuerySpec
    lang: str
    pattern: str
    parameters: Mapping[str, Any]


_kept: list[tuple[Catalog, tuple[Pattern, ...]]] = []


def patterns_of(catalog: Catalog) -> tuple[Pattern, ...]:
    """The catalog's patterns; the last eight catalogs' are kept."""
    for known, made in _kept:
        if known is catalog:
            return made
    made = tuple(
        compiled(spec, lang, source)
        for spec in catalog.queries.values()
        for lang, sources in spec.asks.items()
        for source in sources
    )
    # what says more is tried first: its words are the surer ones
    made = tuple(sorted(made, key=lambda pattern: -sum(map(len, pattern.words))))
    _kept.insert(0, (catalog, made))
    del _kept[8:]
    return made


def folded(text: str) -> str:
    """A question as patterns compare it: normal form, marks as single spaces, none beside a Chinese character."""
    text = _MARKS.sub(" ", normal(text)).strip()
    return re.sub(f"(?<=[{CJK}]) | (?=[{CJK}])", "", text)


def compiled(spec: QuerySpec, lang: str, source: str) -> Pattern:
    """The pattern of a declared way of asking."""
    parts = _PLACE.split(source)
    words, shape = [], []
    for index, part in enumerate(parts):
        if index % 2:
            shape.append(f"(?P<{_group(part, spec)}>.+?)")
            continue
        text = folded(part)
        if text:
            words.append(text)
        # a space beside a place stands or falls with what the place holds
        shape.append(r"\s*" + re.escape(text) + r"\s*" if text else r"\s*")
    return Pattern(spec, lang, source, tuple(words), re.compile(_BEFORE + "".join(shape) + _AFTER))


def _group(name: str, spec: QuerySpec) -> str:
    return f"p{list(spec.parameters).index(name)}"


def asked(
    question: str, catalog: Catalog, scope: Scope, store: Store, at: datetime, date_order: str | None
) -> tuple[Asked | None, Sequence[tuple[str, str]]]:
    """The query that the question asks, or None; and (query, reason) for those whose words fit and whose values do
    not. Costs nothing where no query declares a pattern; else a comparison of texts for each."""
    patterns = patterns_of(catalog)
    if not patterns or len(question) > _MOST:
        return None, ()
    text = folded(question)
    refused: list[tuple[str, str]] = []
    for pattern in patterns:
        if not all(word in text for word in pattern.words):
            continue
        fitting = pattern.shape.fullmatch(text)
        if fitting is None:
            continue
        values, reason = _values(pattern.spec, fitting, question, catalog, scope, store, at, date_order)
        if values is not None:
            return Asked(pattern.spec, pattern.lang, pattern.source, values), refused
        refused.append((pattern.spec.name, reason))
    return None, refused


def _values(
    spec: QuerySpec,
    fitting: re.Match[str],
    question: str,
    catalog: Catalog,
    scope: Scope,
    store: Store,
    at: datetime,
    date_order: str | None,
) -> tuple[dict[str, Any] | None, str]:
    given = {
        name: said.strip()
        for index, name in enumerate(spec.parameters)
        if (said := fitting.groupdict().get(f"p{index}"))
    }
    values: dict[str, Any] = {}
    for name, said in given.items():
        parameter = spec.parameters[name]
        form_type = spec.start.form_type if spec.start.named == f"${name}" else parameter.slot.ref
        if form_type is not None and form_type in catalog.types:
            if not named(said, form_type, scope, store, catalog):
                return None, f"no {form_type} is called {said!r}"
            values[name] = _as_written(said, question)
            continue
        try:
            value_of(spec, name, parameter, said, at, date_order)
        except InvalidInput as wrong:
            return None, str(wrong)
        values[name] = said
    return values, ""


def _as_written(said: str, question: str) -> str:
    """The words as the question has them, where case is all that folding took."""
    at = question.casefold().find(said)
    found = question[at : at + len(said)]
    return found if at >= 0 and found.casefold() == said else said


__all__ = ["Asked", "asked", "compiled", "folded", "patterns_of"]
