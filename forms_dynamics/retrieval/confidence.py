"""How surely a context answers its question: by what is known, else by whose fact it is.

How well a text fits a question does not tell whether it answers it: what another person said of the same thing fits
best of all. So the ground of the fallback is the question's subject: what this subject said, or what was said to or
of it, against what only others said.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.language.subjects import SURNAMES
from forms_dynamics.language.terms import index_terms
from forms_dynamics.language.voices import FIRST
from forms_dynamics.model.record import MessageRecord
from forms_dynamics.retrieval.question import Question

HEARD = 200  # messages that are weighed: a name in the question finds those that say it, and its bearer seldom does
MOST = 0.5  # of anything that was only searched for

_SECOND_HAND = 0.7  # what a subject did not say itself was told by somebody else, if at all
_ASKED = 0.5  # the words of a question state nothing
_PLACES = (4, 2, 1)  # what is said once may be a chance, what is said thrice is known
_ROLES = frozenset(("user", "assistant", "tool", "system", ""))

_SECOND = lazy(r"你|您|\b(?:you|your|yours|yourself|you're|you've|you'd|you'll)\b")
# "can you tell me": whom to tell is not whom it is about
_DATIVE = lazy(
    r"(?:告诉|提醒|教|回复|答复)我们?|[给跟和帮对替为]我们?(?=[说讲看查找列介总梳回算读念听打一])|"
    r"\b(?:tell|give|show|remind|help|let|walk|send|inform|update|provide|assure)(?:ing|s)? (?:me|us)\b"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])|\n+")
_NAME = re.compile(r"(?<![.!?] )(?<=[ \"'(“‘])[A-Z][\w&-]*(?:[ .][A-Z][\w&-]*)*")
_CAPITAL = re.compile(r"(?<=[ (\"'“])[A-Z][a-z]+")
_DAY = re.compile(
    r"(?:(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|i)(?: \d+)?$"
)
# a Chinese name is told by its surname, and by what goes on with 的 or with a verb of being and having
_NAME_ZH = lazy(
    rf"(?<![\u4e00-\u9fff])[{SURNAMES}][\u4e00-\u9fff]{{1,2}}(?=的|是|有|在|和|跟|会|去|喜欢|什么|最|几|哪)"
)
_ENDINGS = ("ing", "ed", "es", "s", "ly", "e")


class Subject(NamedTuple):
    """Whom a question is about. ``speakers``: labels of those who said something themselves; ``names``: in normal
    form, of one who did not; neither: nobody in particular. ``alone``: there are others whose fact it could be
    instead."""

    speakers: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    alone: bool = False

    @property
    def first_hand(self) -> bool:
        """Whether the subject spoke here."""
        return bool(self.speakers)


class Ground(NamedTuple):
    """What stands for an answer among messages. ``own`` and ``others`` in [0, 1]: how much of what is asked the
    subject's messages hold, and those of others; each the more, the more of its rare words a single message has."""

    subject: Subject
    own: float
    others: float

    @property
    def value(self) -> float:
        """In [0, 0.5]: 0.25 where nothing speaks for or against it; more by what the subject's own messages hold,
        less by what only others' do; at most 0.35 for a subject that never spoke."""
        hand = 1.0 if self.subject.first_hand else _SECOND_HAND
        return MOST / 2 * (1 + self.own - self.others * (1 - self.own)) * hand

    def told(self) -> str:
        """For the trace."""
        who = ", ".join(sorted(self.subject.speakers or self.subject.names)) or "nobody in particular"
        return f"about {who}: {self.own:.2f} of it in their own words, {self.others:.2f} in others'"


class Known(NamedTuple):
    """What the Forms of a context say of what is asked. ``sureness``: by how their anchors were found, 0 without
    anchors whose lines are shown; ``answered``: they know it, with ``confidence``; ``waiting``: a pending value of
    it is shown; ``asks``: the question asks for a slot; ``more``: it says more than their names; ``vague``: what
    they know is a list or a slot that the question does not name, and nothing of that more stands in it (likes tea,
    asked for a favourite pizza)."""

    sureness: float = 0.0
    answered: bool = False
    confidence: float = 0.0
    waiting: bool = False
    asks: bool = False
    more: bool = False
    vague: bool = False


def confidence(known: Known, likeness: float, ground: Ground | None) -> float:
    """In [0, 1]. ``likeness``: of the best Form that was searched for, 0 without one that is shown; ``ground``: of
    the messages, None where none is shown.

    A slot asked for that is known on a Form named exactly gives 0.9 or more, on one found less surely 0.6 or more; a
    Form of which nothing is asked nearly as much. Where a Form is named and does not know what is asked: 0.405 while
    a value waits for its user or where it knows a list that says nothing of it, else what messages give, 0.405 at
    most. What was only searched for gives 0.5 at most.
    """
    if known.sureness and known.answered and not known.vague:
        return round(known.sureness + 0.1 * known.confidence, 4)
    if known.sureness and not known.asks and not known.more:
        return round(known.sureness - 0.02, 4)
    unknown = known.sureness * 0.45
    if known.sureness and (known.waiting or ground is None):  # so too a list that says nothing of it
        return round(unknown, 4)
    found = 0.0 if ground is None else ground.value
    if known.sureness:
        return round(min(unknown, found), 4)
    if ground is None and likeness:
        found = MOST * (0.6 + 0.4 * likeness)
    return round(found, 4)


def ground_of(
    question: Question, terms: Sequence[str], heard: Sequence[MessageRecord], names: Iterable[str]
) -> Ground:
    """The ground of an answer in ``heard``, the messages that a search read, best first. ``terms``: content words of
    the question; ``names``: names of Forms that stand in it, in normal form."""
    heard = heard[:HEARD]
    people = frozenset(m.speaker for m in heard if m.role == "user" and m.speaker not in _ROLES)
    subject = subject_of(question, heard, people, names)
    known = {root(t) for name in (*subject.speakers, *subject.names) for t in index_terms(name)}
    known |= {
        t for t in map(root, terms) if subject.first_hand and any(n.startswith(t) for n in subject.names)
    }
    wanted = list(dict.fromkeys(r for t in terms if (r := root(t)) not in known))
    if not wanted:  # nothing but the name: whatever is about it answers
        wanted = list(dict.fromkeys(map(root, terms)))
    pieces = [_pieces(m, frozenset(wanted), subject, people) for m in heard]
    # rare among what others said: a message of the subject changes no word's weight, so that one more never counts
    # against it
    counts = {t: sum(t in other for _, other in pieces) for t in wanted}
    weights = {t: 1 / (1 + math.log(1 + max(1, n))) for t, n in counts.items()}
    return Ground(
        subject,
        _support([own for own, _ in pieces], weights),
        _support([other for _, other in pieces], weights) if subject.alone else 0.0,
    )


def subject_of(
    question: Question, heard: Sequence[MessageRecord], people: frozenset[str], names: Iterable[str] = ()
) -> Subject:
    """Whom the question is about: people who spoke, by their labels; the asker; else whom or what it names."""
    capital = [normal(w) for w in _CAPITAL.findall(question.raw)]
    named = frozenset(p for p in people if _stands(p, question.text, capital, people))
    if named:
        return Subject(named, frozenset(map(normal, named)), alone=named != people)
    if FIRST.search(_DATIVE.sub(" ", question.text)):
        users = frozenset(m.speaker for m in heard if m.role == "user")
        # who asks is not told: among several people it may be any of them
        return Subject(users, frozenset(), alone=False)
    every = frozenset(n for n in (*map(normal, names), *_named(question)) if n)
    return Subject(frozenset(), every, alone=bool(every))


def _named(question: Question) -> Iterable[str]:
    for found in _NAME.finditer(question.raw):
        name = normal(found.group())
        if not _DAY.match(name):
            yield name.removesuffix("'s")
    yield from (found.group() for found in _NAME_ZH.finditer(question.text))
    owner = question.possessor()
    if owner is not None:
        yield re.sub("['’]s$", "", owner)


def _stands(label: str, text: str, capital: Sequence[str], people: frozenset[str]) -> bool:
    """Whether a speaker's label, a part of it that nobody else here has, or the beginning of one (Mel for Melanie)
    stands in the question."""
    label = normal(label)
    others = [normal(o) for o in people if normal(o) != label]
    if has_han(label):
        parts = [label, label[1:]] if len(label) == 3 else [label]
        return any(p in text for p in parts if not any(p in o for o in others))
    shared = {p for o in others for p in o.split()}
    parts = [label, *(p for p in label.split() if len(p) > 2 and p not in shared)]
    if any(re.search(rf"\b{re.escape(p)}s?\b", text) for p in parts):
        return True
    short = {c for c in capital if len(c) > 2 and not any(o.startswith(c) for o in others)}
    return any(p.startswith(c) for p in parts for c in short)


Weighed = Mapping[str, float]  # term → 1 where it is stated, less where it stands in a question


def _pieces(
    message: MessageRecord, wanted: frozenset[str], subject: Subject, people: frozenset[str]
) -> tuple[Weighed, Weighed]:
    """Terms of the message that are told of the subject, and those that are told of others, sentence by sentence."""
    own: dict[str, float] = {}
    other: dict[str, float] = {}
    held = wanted.intersection(_roots(message.text))
    if not held:
        return own, other
    about = not subject.first_hand and _mentions(message.text, subject.names)
    said = [sentence for sentence in _SENTENCE.split(message.text) if sentence]
    for sentence in said:
        terms = held if len(said) == 1 else held.intersection(_roots(sentence))
        if not terms:
            continue
        if not subject.alone:
            side = own
        elif subject.first_hand:
            side = own if _of_speaker(sentence, message, subject, people) else other
        else:
            side = own if about else other
        sure = _ASKED if sentence.rstrip().endswith(("?", "？", "吗", "呢")) else 1.0
        for term in terms:
            side[term] = max(sure, side.get(term, 0.0))
    return own, other


def _of_speaker(sentence: str, message: MessageRecord, subject: Subject, people: frozenset[str]) -> bool:
    """Whether the sentence tells of a subject that spoke: its own of itself, another's to or of it."""
    mine = message.speaker in subject.speakers
    lower = sentence.casefold()
    if FIRST.search(lower):
        return mine
    if _mentions(sentence, subject.names):
        return True
    if _SECOND.search(lower):
        # among several it is told to one of the others: to the subject only where its name says so
        return not mine and (len(people) <= 2)
    return mine


def _mentions(text: str, names: Iterable[str]) -> bool:
    text = normal(text)
    return any(
        (name in text) if has_han(name) else re.search(rf"\b{re.escape(name)}\b", text) is not None
        for name in names
    )


def _support(pieces: Iterable[Weighed], weights: Mapping[str, float]) -> float:
    """How much of the words single messages hold: the best three, each as much as two of the next."""
    whole = sum(weights.values()) or 1.0
    shares = sorted((sum(weights[t] * sure for t, sure in p.items()) / whole for p in pieces), reverse=True)
    return sum(w * share for w, share in zip(_PLACES, shares, strict=False)) / sum(_PLACES)


def _roots(text: str) -> Iterator[str]:
    return map(root, index_terms(text))


@lru_cache(maxsize=16384)
def root(term: str) -> str:
    """An English word without its endings, so that painted and paints are one word; any other as it is."""
    if not term.isascii() or not term.isalpha():
        return term
    if len(term) > 4 and term.endswith(("ies", "ied")):
        return term[:-3] + "y"
    for ending in _ENDINGS:
        if term.endswith(ending) and len(term) - len(ending) >= 3:
            term = term[: -len(ending)]
            break
    return term.removesuffix("e") if len(term) > 3 else term


__all__ = ["HEARD", "MOST", "Ground", "Known", "Subject", "confidence", "ground_of", "root", "subject_of"]
