"""The turns of a log that say most about its settings, by a rule that a reader can check.

In this order: turns where two runs differ in what is right (those that get better and those that get worse in
turns), turns with a wrong value accepted, with a right value kept out or missed, with a wrong answer; in each class
those with most of it first, then in the order of the log. While other turns are left no conversation and no kind
(class and slot) stands for more than two of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from typing import Literal, NamedTuple

from forms_dynamics.replay.values import Turn

Why = Literal["better", "worse", "both", "wrong", "missed", "answer"]
MOST = 10
_OF_ONE = 2  # turns of one conversation, and of one kind
_Fault = tuple[str, ...]  # ("wrong" | "missed", form type, slot, value) or ("answer", question)


class Telling(NamedTuple):
    """A turn under one or two runs; ``before`` is None where there is only one."""

    why: Why
    before: Turn | None
    after: Turn


class _Candidate(NamedTuple):
    why: Why
    at: int  # place in the log
    weight: int
    kind: tuple[str, ...]


def telling(after: Sequence[Turn], before: Sequence[Turn] = (), most: int = MOST) -> list[Telling]:
    """At most ``most`` turns of ``after``, each with the same turn of ``before`` where that is given."""
    earlier = {(turn.conversation, turn.number): turn for turn in before}
    changed: tuple[list[_Candidate], list[_Candidate]] = ([], [])
    faulty: dict[str, list[_Candidate]] = {"wrong": [], "missed": [], "answer": []}
    for at, turn in enumerate(after):
        now = faults(turn)
        was = earlier.get((turn.conversation, turn.number))
        then = now if was is None else faults(was)
        mended, broken = then - now, now - then
        if mended or broken:
            why: Why = "both" if mended and broken else "better" if mended else "worse"
            found = _Candidate(why, at, len(mended ^ broken), _kind(why, mended | broken))
            changed[len(broken) > len(mended)].append(found)
        for name, found_here in faulty.items():
            here = {fault for fault in now if fault[0] == name}
            if here:
                found_here.append(_Candidate(name, at, len(here), _kind(name, here)))  # type: ignore[arg-type]
    for group in (*changed, *faulty.values()):
        group.sort(key=lambda c: (-c.weight, c.at))
    in_turns = (c for pair in zip_longest(*changed) for c in pair if c is not None)
    ranked = list(chain(in_turns, *faulty.values()))
    chosen = sorted(_spread(ranked, after, most))
    return [
        Telling(why, earlier.get((after[at].conversation, after[at].number)), after[at])
        for _, at, why in chosen
    ]


def faults(turn: Turn) -> frozenset[_Fault]:
    """What is not right after a turn: wrong values accepted, right ones kept out or missed, wrong answers."""
    return frozenset(_faults(turn))


def _faults(turn: Turn) -> Iterator[_Fault]:
    for fact in turn.facts:
        if fact.outcome == "accepted" and fact.verdict == "wrong":
            yield ("wrong", fact.form_type, fact.slot, fact.value)
        elif fact.outcome != "accepted" and fact.verdict == "right":
            yield ("missed", fact.form_type, fact.slot, fact.value)
    for missed in turn.missed:
        yield ("missed", *missed)
    for asked in turn.asked:
        if not asked.right:
            yield ("answer", asked.question)


def _kind(why: str, found: frozenset[_Fault] | set[_Fault]) -> tuple[str, ...]:
    """What makes two turns tell the same: the class and the first slot (of questions: that they are questions)."""
    first = min(found)
    return (why, first[0], *first[1:3]) if len(first) > 2 else (why, first[0])


def _spread(ranked: Sequence[_Candidate], turns: Sequence[Turn], most: int) -> Iterator[tuple[int, int, Why]]:
    """Rank, place and reason of those chosen: first with at most two of one conversation and kind, then any."""
    taken: set[int] = set()
    of: Counter[object] = Counter()
    for limit in (_OF_ONE, len(ranked)):
        for rank, (why, at, _, kind) in enumerate(ranked):
            talk = ("conversation", turns[at].conversation)
            if len(taken) == most:
                return
            if at not in taken and of[talk] < limit and of[kind] < limit:
                taken.add(at)
                of.update((talk, kind))
                yield rank, at, why


__all__ = ["MOST", "Telling", "faults", "telling"]
