"""The words that hedge, as YAML declares them: classes of phrases, and phrases in which such a word is none.

A class says where its words stand to what they bear on (:data:`CLASSES`). A phrase is plain text in which ``(a|b)``
is either, ``(a|)`` may be missing, ``...`` is up to three words, ``#`` a figure of two digits or more, and ``-`` at
the beginning an ending of a word (``-ish``). Case, width, script and the spelling of apostrophes do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from itertools import islice, product
from typing import Any

from forms_dynamics.language.numerals import lowered

LANGUAGES = ("zh", "en")
CLASSES = ("about", "doubt", "told", "think", "unsure", "closing", "behind", "remark")

Phrases = tuple[str, ...]
_NONE: Mapping[str, Phrases] = {}


@dataclass(frozen=True, slots=True)
class Words:
    """``by_class[language][class]``: phrases; ``none``: phrases in which a word of a class hedges nothing."""

    by_class: Mapping[str, Mapping[str, Phrases]] = field(default_factory=dict)
    none: Phrases = ()

    def of(self, language: str, *classes: str) -> Phrases:
        found = self.by_class.get(language, _NONE)
        return tuple(phrase for name in classes for phrase in found.get(name, ()))

    def every(self) -> Phrases:
        return tuple(phrase for language in LANGUAGES for phrase in self.of(language, *CLASSES))

    def __add__(self, other: Words) -> Words:
        by_class = {
            language: {name: self.of(language, name) + other.of(language, name) for name in CLASSES}
            for language in LANGUAGES
        }
        return Words(by_class, self.none + other.none)


@lru_cache(maxsize=1)
def shipped_words() -> Words:
    """The words of ``hedges.yaml`` beside this module."""
    import yaml

    text = resources.files("forms_dynamics.language").joinpath("hedges.yaml").read_text(encoding="utf-8")
    declared: dict[str, Any] = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))["hedges"]
    by_class = {
        language: {name: tuple(phrases) for name, phrases in declared[language].items()}
        for language in LANGUAGES
    }
    return Words(by_class, tuple(declared["not"]))


# -- a phrase and its pattern --------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Either:
    options: tuple[tuple[Any, ...], ...]
    optional: bool


def fault(phrase: str) -> str | None:
    """What is wrong with a phrase, or None."""
    depth = 0
    for sign in phrase:
        depth += (sign == "(") - (sign == ")")
        if depth not in (0, 1):
            break
        if sign == "|" and depth == 0:
            return "'|' stands between parentheses: (a|b)"
    if depth != 0:
        return "its parentheses do not pair, one level deep: (a|b)"
    if not re.search(r"\w", re.sub(r"\([^()]*\|\)", "", phrase)):
        return "nothing of it must be there; write a word that is not in (…|)"
    return None


def _parts(phrase: str) -> tuple[Any, ...]:
    parts: list[Any] = []
    phrase = re.sub(r"\s+\|\)", "|) ", phrase)  # (final |)approval is (final|) approval
    for found in re.finditer(r"\(([^()]*)\)|(\.\.\.)|(#)|(\s+)|(n['’]t)|(['’])|([^\s()#'’])", phrase):
        if found[1] is not None:
            options = [option for option in found[1].split("|") if option]
            parts.append(
                _Either(tuple(_parts(option) for option in options), len(options) <= found[1].count("|"))
            )
        else:
            parts.append(" " if found[4] else found[0])
    return tuple(parts)


# what an ending may stand behind: 50k-ish, sevenish; fish, English and Spanish are no measures
_COUNTS = (
    "one two three four five six seven eight nine ten eleven twelve noon midday midnight twenty thirty"
    " forty fifty sixty seventy eighty ninety hundred thousand"
).split()
_ENDED = r"(?:(?<=[0-9%\s-])|(?<=[0-9]k)|" + "|".join(f"(?<={count})" for count in _COUNTS) + ")"
_FIGURE = r"(?=\s[$€£¥]?\s?[0-9]{2}|(?:\s[a-z]+)?\s(?:hundred|thousand|million))"


def _pattern(parts: tuple[Any, ...]) -> str:
    made: list[str] = []
    at = 0
    while at < len(parts):
        part, behind = parts[at], parts[at + 1 : at + 2]
        if isinstance(part, _Either):
            inner = "(?:" + "|".join(_pattern(option) for option in part.options) + ")"
            if not part.optional:
                made.append(inner)
            elif behind == (" ",) and (not made or made[-1].endswith((r"\s+", r"\s+)?"))):
                made.append(rf"(?:{inner}\s+)?")
                at += 1
            elif made and made[-1] == r"\s+":
                made[-1] = rf"(?:\s+{inner})?"
            else:
                made.append(inner + "?")
        elif part == "...":
            spaced = behind == (" ",)
            made.append(r"(?:[^\s.,?!;]+\s+){0,3}?" if spaced else r"[^，。！？,.!?]{0,12}?")
            at += spaced
        elif part == ",":
            made.append(r"\s?,")
        elif part == "#":
            made[-1:] = [_FIGURE]
        elif part == " ":
            made.append(r"\s+")
        elif part in ("n't", "n’t"):
            made.append(r"\s?n'?t")
        elif part in ("'", "’"):
            made.append(r"\s?'?" if behind and behind[0] in "mv" else r"\s?'")
        else:
            made.append(re.escape(part))
        at += 1
    return "".join(made)


def as_pattern(phrases: Iterable[str]) -> str:
    """One pattern for lowered text that finds any of the phrases as words of their own, the longest first."""
    made = []
    for phrase in sorted(set(phrases), key=lambda one: (-len(one), one)):
        said = lowered(phrase.strip())
        body = _pattern(_parts(said.removeprefix("-")))
        if said.startswith("-"):
            body = _ENDED + "-?" + body + r"(?![a-z])"
        else:
            first, last = _ends(said)
            body = (r"(?<![a-z0-9])" if first else "") + body + (r"(?![a-z0-9])" if last else "")
        made.append(body)
    return "|".join(made) or r"(?!)"


def _ends(said: str) -> tuple[bool, bool]:
    """Whether a phrase begins and ends with a letter of the Latin script."""
    letters = re.sub(r"[^\w]", "", said)
    return letters[:1].isascii() and letters[:1].isalnum(), letters[-1:].isascii() and letters[-1:].isalnum()


# -- what a phrase surely holds ------------------------------------------------------------------------------
def hints(phrases: Iterable[str]) -> tuple[frozenset[str], re.Pattern[str]]:
    """Latin words and a pattern: a text that holds none of the words and not the pattern holds no phrase."""
    words: set[str] = set()
    pieces: set[str] = set()
    for phrase in phrases:
        said = lowered(phrase.strip()).removeprefix("-")
        if not phrase.startswith("-") and (sure := _surely(said)):
            (words if sure.isascii() else pieces).add(sure)
            continue
        for spelt in islice(_spellings(_parts(said)), 4000):
            if not spelt.isascii():
                pieces.add(max(re.findall(r"[^\x00-\x7f]+", spelt), key=len)[:2])
                continue
            longest = max(re.findall(r"[a-z0-9]+", spelt), key=len)
            if phrase.startswith("-") or len(longest) < 3:
                pieces.add(spelt.split("  ")[0])
            else:
                words.add(longest)
    pieces = {one for one in pieces if not any(other != one and other in one for other in pieces)}
    by_first: dict[str, list[str]] = {}
    for piece in sorted(pieces):
        by_first.setdefault(piece[0], []).append(re.escape(piece[1:]).replace(r"\ ", r"\s+"))
    pattern = "|".join(f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in sorted(by_first.items()))
    return frozenset(words), re.compile(pattern or r"(?!)")


def _surely(said: str) -> str:
    """A rare word of Latin letters, or two Chinese signs, that every spelling of the phrase holds; empty if none."""
    bare = re.sub(r"\([^()]*\)|n['’]t|['’]|\.\.\.|#", "\0", said)
    latin = re.findall(r"(?<![\0a-z0-9])[a-z0-9]{5,}(?![\0a-z0-9])", bare)
    han = re.findall(r"[^\x00-\x7f]{2,}", bare)
    return max(latin, key=len) if latin else max(han, key=len)[:2] if han else ""


def _spellings(parts: tuple[Any, ...]) -> Iterable[str]:
    choices: list[list[str]] = []
    for part in parts:
        if isinstance(part, _Either):
            spelt = [one for option in part.options for one in _spellings(option)]
            choices.append([*spelt, ""] if part.optional else spelt)
        else:
            choices.append(
                [" " if part in ("...", "#", "'", "’") else part.replace("n't", " ").replace("n’t", " ")]
            )
    return ("".join(pick) for pick in product(*choices))


__all__ = ["CLASSES", "LANGUAGES", "Words", "as_pattern", "fault", "hints", "shipped_words"]
