"""The order of what a search found: by words, by likeness, by who said it, by what stands beside it.

A passage's *words* are BM25 over the stems of the question's content words, as a share of what a text of middling
length gets that holds each of them once: 0 for none, about 1 for all. Its *likeness* is a cosine. Both together make
its score, and then

- what a speaker said whom the question names counts more: whose fact it is tells more than any single word;
- what an assistant said counts less, unless the question asks for that: it repeats more than it knows;
- a turn gains by its better neighbour: the answer stands beside the question that was put there;
- a conversation and a day of it gain by their best turns: what belongs together is found together.

The constants are round, and held on halves of six sets of conversations (docs/benchmarks.md).
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from forms_dynamics.language.normal import has_han
from forms_dynamics.language.stems import stem
from forms_dynamics.language.terms import index_terms
from forms_dynamics.model.record import MessageRecord
from forms_dynamics.model.value import DAY
from forms_dynamics.retrieval.nearness import Document

_WORDS = 0.5  # of the score; the rest is likeness
_NAMED = 0.5  # more for the words of a named speaker
_BESIDE = 0.3  # of the better neighbour's score; half of it where the same speaker goes on
_ASSISTANT = 0.65  # of the score is left to what an assistant said
_TALK, _TALKS_BEST = (
    0.3,
    5,
)  # of the mean of a conversation's five best scores, where it has fewer as if of nothing
_DAY, _DAYS_BEST = 0.5, 3  # of the mean of the three best, or of those there are, of one day of it
_SAID_BY_YOU = re.compile(
    r"\b(?:did|have|had) you\b|\byou(?:'ve| have)? (?:said|told|suggested|recommended|mentioned|advised|gave)\b|"
    r"\byour (?:advice|suggestions?|recommendations?|answers?|reply|replies)\b|"
    "[你您](?:之前|上次|刚才|曾经?)?(?:说|推荐|建议|提|讲|回答|告诉)"
)
_MINUTE = 60_000_000  # microseconds
_K1, _B = 1.2, 0.75
_ROLES = frozenset({"user", "assistant", "system", "tool", "human", "ai", "用户", "助手", "系统"})


class Passage(NamedTuple):
    """A document that may answer: its stems, its cosine where it has a vector, its record where it is a message."""

    doc: Document
    stems: Sequence[str]
    like: float | None
    message: MessageRecord | None = None


@lru_cache(maxsize=8192)
def stems(text: str) -> tuple[str, ...]:
    """The stems of a text, with repeats, in order."""
    return tuple(map(stem, index_terms(text)))


def passage(doc: Document, text: str, like: float | None, message: MessageRecord | None) -> Passage:
    """A document as it is ranked: a message with the name of who said it."""
    held = stems(text)
    if message is not None and message.speaker:  # as if it stood before the text: "Ana: I moved"
        held = stems(message.speaker) + held
    return Passage(doc, held, like, message)


@dataclass(slots=True)
class Words:
    """Weighs the question's stems by their rarity among the passages found."""

    weights: dict[str, float]
    whole: float
    mean: float

    @classmethod
    def of(cls, wanted: Iterable[str], passages: Sequence[Passage]) -> Words:
        counts = dict.fromkeys(wanted, 0)
        for each in passages:
            for term in counts.keys() & set(each.stems):
                counts[term] += 1
        size = len(passages)
        weights = {term: math.log(1 + (size - n + 0.5) / (n + 0.5)) for term, n in counts.items()}
        mean = sum(len(each.stems) for each in passages) / size if size else 1.0
        return cls(weights, sum(weights.values()) or 1.0, mean or 1.0)

    def share(self, held: Sequence[str]) -> float:
        """The words of a text with these stems."""
        times: dict[str, int] = {}
        for term in held:
            if term in self.weights:
                times[term] = times.get(term, 0) + 1
        norm = _K1 * (1 - _B + _B * len(held) / self.mean)
        found = sum(self.weights[term] * n * (_K1 + 1) / (n + norm) for term, n in times.items())
        return found / self.whole

    def score(self, each: Passage) -> float:
        """Words and likeness together; words alone where there is no vector."""
        words = self.share(each.stems)
        return words if each.like is None else _WORDS * words + (1 - _WORDS) * max(0.0, each.like)


def lifted(
    question: str,
    scores: Mapping[Document, float],
    passages: Iterable[Passage],
    beside: Sequence[MessageRecord],
    best: Collection[Document],
) -> dict[Document, float]:
    """The scores with what speakers, neighbours and conversations add. ``beside``: by seq the messages among
    ``best`` and those said just before and after each."""
    messages = {each.doc: each.message for each in passages if each.message is not None}
    named = named_speakers(question, {m.speaker for m in messages.values() if m.role == "user"})
    lowered = 1.0 if _SAID_BY_YOU.search(question) else _ASSISTANT
    out = dict(scores)
    for doc, message in messages.items():
        out[doc] *= (
            1 + _NAMED if message.speaker in named else lowered if message.role == "assistant" else 1.0
        )
    neighbours: dict[Document, float] = {}
    last: dict[str, MessageRecord] = {}
    for message in beside:
        doc, before = ("message", message.id), last.get(message.conversation)
        last[message.conversation] = message
        if before is None:
            continue
        other = ("message", before.id)
        # two that are both no hits may have others between them
        if other in out and doc in out and (doc in best or other in best):
            share = _BESIDE / 2 if before.speaker == message.speaker else _BESIDE
            neighbours[doc] = max(neighbours.get(doc, 0.0), share * out[other])
            neighbours[other] = max(neighbours.get(other, 0.0), share * out[doc])
    out = {doc: score + neighbours.get(doc, 0.0) for doc, score in out.items()}
    talks: dict[str, list[float]] = {}
    days: dict[tuple[str, int], list[float]] = {}
    for doc, message in messages.items():
        talks.setdefault(message.conversation, []).append(out[doc])
        days.setdefault(_day(message), []).append(out[doc])
    talk = {key: _TALK * sum(sorted(held)[-_TALKS_BEST:]) / _TALKS_BEST for key, held in talks.items()}
    day = {
        key: _DAY * sum(held) / len(held)
        for key, some in days.items()
        if (held := sorted(some)[-_DAYS_BEST:])
    }
    return {
        doc: score + (talk[m.conversation] + day[_day(m)] if (m := messages.get(doc)) is not None else 0.0)
        for doc, score in out.items()
    }


def _day(message: MessageRecord) -> tuple[str, int]:
    """The conversation and the day on which the message was said there."""
    return message.conversation, (message.time + message.offset * _MINUTE) // DAY


def without_names(wanted: Sequence[str], question: str, passages: Iterable[Passage]) -> Sequence[str]:
    """The stems without the names of speakers whom the question names, unless it holds nothing else: they count as
    speakers, and "You too, Ana. Take care!" is no answer to anything."""
    speakers = {
        each.message.speaker for each in passages if each.message is not None and each.message.role == "user"
    }
    names = {term for speaker in named_speakers(question, speakers) for term in stems(speaker)}
    return [term for term in wanted if term not in names] or wanted


def named_speakers(question: str, speakers: Iterable[str]) -> set[str]:
    """Speakers whom the question names, by their whole name or the first word of it."""
    words = set(index_terms(question))
    out = set()
    for speaker in speakers:
        name = speaker.strip()
        if len(name) < 2 or name.casefold() in _ROLES:
            continue
        first = index_terms(name)[:1]
        if (has_han(name) and name in question) or (not has_han(name) and words.issuperset(first) and first):
            out.add(speaker)
    return out


__all__ = ["Passage", "Words", "lifted", "named_speakers", "passage", "stems", "without_names"]
