"""Relations that a question names, by their names and aliases; and a chain of them that it follows from a name."""

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


def chain_named(text: str, name: tuple[int, int], catalog: Catalog) -> tuple[frozenset[str], ...]:
    """The relations that lead away from a name at ``text[name]``, the first one first: "the child of the spouse of
    X", "X's spouse's child", X的配偶的孩子. Empty where none stands beside it."""
    at, end = name
    if text[at:end].endswith(("'s", "’s")):
        end -= 2  # an owner's name stands with its ending
    before, after = text[:at], text[end:]
    found: list[frozenset[str]] = []
    while (linked := _OF.search(before)) is not None:
        before = before[: linked.start()]
        here = _longest(before, catalog, at_end=True)
        if not here:
            break
        found.append(here[1])
        before = before[: len(before) - len(here[0])]
    if found:
        return tuple(found)
    while (owned := _OWN.match(after)) is not None:
        here = _longest(after[owned.end() :], catalog, at_end=False)
        if not here:
            break
        found.append(here[1])
        after = after[owned.end() + len(here[0]) :]
    return tuple(found)


_OF = re.compile(r"\s+of\s+(?:the\s+|a\s+)?[\"'“‘]?$")
_OWN = re.compile(r"[\"”’]?(?:['’]s\s+|\s*的\s*)")


def _longest(text: str, catalog: Catalog, at_end: bool) -> tuple[str, frozenset[str]] | None:
    """The longest name of a relation at the end (else the beginning) of a text, with the relations it names."""
    best = ""
    for phrase, bounded, _ in _phrases(catalog):
        if len(phrase) <= len(best) or not (text.endswith(phrase) if at_end else text.startswith(phrase)):
            continue
        beside = text[: len(text) - len(phrase)][-1:] if at_end else text[len(phrase) : len(phrase) + 1]
        if bounded is None or not (beside.isalnum() or beside == "_"):
            best = phrase
    if not best:
        return None
    return best, frozenset(relation for phrase, _, relation in _phrases(catalog) if phrase == best)


__all__ = ["chain_named", "ties_named"]
