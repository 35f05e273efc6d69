"""One ``hedges:`` document to the words that leave a value unsure, and those that do not."""

from __future__ import annotations

import re

from forms_dynamics.language.hedge_words import CLASSES, Phrases, Words, as_pattern, fault, shipped_words
from forms_dynamics.language.numerals import lowered
from forms_dynamics.schema.reader import LANGUAGES, Reader
from forms_dynamics.schema.source import Node

HEDGE_KEYS = (*LANGUAGES, "not")
PLAIN_CLASS = "doubt"  # of words that are listed without a class


def read_hedges(reader: Reader, root: Node) -> Words:
    """The words of one document; what is wrong is reported and left out."""
    declared = reader.fields(root, ("hedges",), "a document of hedges")["hedges"]
    fields = reader.fields(declared, HEDGE_KEYS, "hedges")
    by_class = {name: _by_class(reader, fields[name], name) for name in LANGUAGES if name in fields}
    none = _phrases(reader, fields["not"], "hedges: not") if "not" in fields else ()
    words = Words(by_class, none)
    _check(reader, fields, words)
    return words


def _by_class(reader: Reader, node: Node, language: str) -> dict[str, Phrases]:
    what = f"hedges: {language}"
    if node.kind != "mapping":
        return {PLAIN_CLASS: _phrases(reader, node, what)}
    return {
        name: _phrases(reader, value, f"{what}: {name}")
        for name, value in reader.fields(node, CLASSES, what).items()
    }


def _phrases(reader: Reader, node: Node, what: str) -> Phrases:
    nodes = node.value if node.kind == "sequence" else [node]
    found: dict[str, None] = {}
    for item in nodes:
        text = reader.word(item, what)
        if text is None:
            continue
        if why := fault(text):
            reader.error(item, f"{what}: {text!r}: {why}")
        else:
            found[text] = None
    return tuple(found)


def _check(reader: Reader, fields: dict[str, Node], words: Words) -> None:
    """A word cannot be a hedge and none; a phrase under ``not`` is idle where no hedge stands in it."""
    own = {lowered(phrase) for phrase in words.every()}
    every = re.compile(as_pattern((shipped_words() + words).every()))
    for phrase in words.none:
        said = lowered(phrase)
        if said in own:
            reader.error(
                fields["not"], f"hedges: {phrase!r} stands under 'not' and among the hedges; leave one out"
            )
        elif not every.search(re.sub(r"[)|]", " ", said.replace("(", ""))):  # with the first of alternatives
            reader.warn(fields["not"], f"hedges: not: no hedge stands in {phrase!r}, so it changes nothing")


__all__ = ["HEDGE_KEYS", "PLAIN_CLASS", "read_hedges"]
