"""Relations that a question names: "the director of the performer of …", 参会, by their names and aliases."""

from __future__ import annotations

import re

from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.schema.spec import Catalog

_kept: list[tuple[Catalog, tuple[tuple[str, re.Pattern[str] | None, str], ...]]] = []


def ties_named(text: str, catalog: Catalog) -> frozenset[str]:
    """The relations whose name or alias stands in a question (normal form): whole words, or two Chinese characters
    and more."""
    found = set()
    for phrase, bounded, relation in _phrases(catalog):
        if phrase in text and (bounded is None or bounded.search(text) is not None):
            found.add(relation)
    return frozenset(found)


def _phrases(catalog: Catalog) -> tuple[tuple[str, re.Pattern[str] | None, str], ...]:
    for known, made in _kept:
        if known is catalog:
            return made
    phrases: dict[tuple[str, str], re.Pattern[str] | None] = {}
    for rule in catalog.rules:
        for word in (rule.name, *rule.aliases):
            phrase = normal(word.replace("_", " "))
            if len(phrase) > 1:
                bounded = None if has_han(phrase) else re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)")
                phrases[phrase, rule.name] = bounded
    made = tuple((phrase, bounded, relation) for (phrase, relation), bounded in phrases.items())
    _kept.insert(0, (catalog, made))
    del _kept[8:]
    return made


__all__ = ["ties_named"]
