"""Two runs of one recording, turn by turn: what other settings changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from forms_dynamics.errors import InvalidInput
from forms_dynamics.replay.values import Asked, Counts, Fact, Run, Turn

T = TypeVar("T")
Missed = tuple[str, str, str]  # form type, slot, value


class FactChange(NamedTuple):
    """One proposed slot with another outcome; None where a run did not propose it (a second look may)."""

    before: Fact | None
    after: Fact | None

    @property
    def fact(self) -> Fact:
        """The one that says what it is about."""
        found = self.after or self.before
        assert found is not None
        return found


class AskedChange(NamedTuple):
    """One labelled question whose context holds, lacks or ranks other things."""

    before: Asked
    after: Asked


class TurnDiff(NamedTuple):
    """What differs after one message; nothing else does. ``missed`` and ``found``: values missed only after, only
    before. ``asks`` and ``spares``: questions put to the user only after, only before. ``versions`` and ``edges``:
    how many (before, after)."""

    message: str
    conversation: str
    number: int
    role: str
    facts: tuple[FactChange, ...] = ()
    missed: tuple[Missed, ...] = ()
    found: tuple[Missed, ...] = ()
    asks: tuple[str, ...] = ()
    spares: tuple[str, ...] = ()
    asked: tuple[AskedChange, ...] = ()
    versions: tuple[int, int] = (0, 0)
    edges: tuple[int, int] = (0, 0)

    @property
    def empty(self) -> bool:
        """Whether nothing differs."""
        return not any(self[4:10]) and self.versions[0] == self.versions[1] and self.edges[0] == self.edges[1]

    def reversed(self) -> TurnDiff:
        """The way back."""
        return self._replace(
            facts=tuple(FactChange(c.after, c.before) for c in self.facts),
            missed=self.found,
            found=self.missed,
            asks=self.spares,
            spares=self.asks,
            asked=tuple(AskedChange(c.after, c.before) for c in self.asked),
            versions=self.versions[::-1],
            edges=self.edges[::-1],
        )


@dataclass(frozen=True)
class Diff:
    """``before`` and ``after``: the settings of the runs. ``turns``: those that differ, in the order of the log.
    ``total``: counts after less counts before."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]
    turns: Sequence[TurnDiff]
    total: Counts

    def reversed(self) -> Diff:
        """The way back: what ``diff`` gives for the runs in the other order."""
        return Diff(
            self.after,
            self.before,
            tuple(t.reversed() for t in self.turns),
            Counts(*(-n for n in self.total)),
        )


def diff(before: Run, after: Run) -> Diff:
    """What differs between two runs. InvalidInput where they are not runs of one recording against one truth, or
    one was played without keeping its turns."""
    check_comparable(before, after)
    changes = []
    for was, now in zip(before.turns, after.turns, strict=True):
        if _name(was) != _name(now):
            raise InvalidInput(
                f"the runs do not go through the same messages: {was.message!r} of conversation "
                f"{was.conversation!r} stands where the other has {now.message!r} of {now.conversation!r}"
            )
        if was is not now:
            change = _turn(was, now)
            if not change.empty:
                changes.append(change)
    total = Counts(*(b - a for a, b in zip(before.total(), after.total(), strict=True)))
    return Diff(before.settings, after.settings, tuple(changes), total)


def check_comparable(before: Run, after: Run) -> None:
    if before.recording != after.recording:
        raise InvalidInput(
            f"the runs are of two recordings, {before.recording} and {after.recording}: replay one recording under "
            "both settings"
        )
    if before.truth != after.truth:
        raise InvalidInput(
            f"one run was judged by {before.truth}, the other by {after.truth}: replay both with the same labels"
        )
    for which, run in (("first", before), ("second", after)):
        if not run.turns and run.total().turns:
            raise InvalidInput(
                f"the {which} run was played without keeping its turns: play it with keep_turns=True"
            )
    if len(before.turns) != len(after.turns):
        raise InvalidInput(
            f"the runs have {len(before.turns)} and {len(after.turns)} turns: one is cut short"
        )


def _name(turn: Turn) -> tuple[str, str, int]:
    return turn.conversation, turn.message, turn.number


def _turn(was: Turn, now: Turn) -> TurnDiff:
    return TurnDiff(
        now.message,
        now.conversation,
        now.number,
        now.role,
        _facts(was.facts, now.facts),
        _only(now.missed, was.missed),
        _only(was.missed, now.missed),
        _only(now.questions, was.questions),
        _only(was.questions, now.questions),
        _asked(was, now),
        (len(was.versions), len(now.versions)),
        (was.edges, now.edges),
    )


def _only(of: Sequence[T], other: Sequence[T]) -> tuple[T, ...]:
    """What stands in ``of`` more often than in ``other``, in order."""
    rest = Counter(other)
    out = []
    for one in of:
        if rest[one]:
            rest[one] -= 1
        else:
            out.append(one)
    return tuple(out)


def _facts(was: Sequence[Fact], now: Sequence[Fact]) -> tuple[FactChange, ...]:
    """Facts about one value are one fact; of several, those with one outcome belong together first."""
    groups: dict[tuple[str, str, str], tuple[list[Fact], list[Fact]]] = {}
    for side, facts in enumerate((was, now)):
        for fact in facts:
            groups.setdefault((fact.form_type, fact.slot, fact.value), ([], []))[side].append(fact)
    out = []
    for name in sorted(groups):
        gone, come = (_unmatched(groups[name][side], groups[name][1 - side]) for side in (0, 1))
        for i in range(max(len(gone), len(come))):
            out.append(FactChange(gone[i] if i < len(gone) else None, come[i] if i < len(come) else None))
    return tuple(out)


def _unmatched(facts: Sequence[Fact], others: Sequence[Fact]) -> list[Fact]:
    rest = Counter(other.outcome for other in others)
    out = []
    for fact in facts:
        if rest[fact.outcome]:
            rest[fact.outcome] -= 1
        else:
            out.append(fact)
    return out


def _asked(was: Turn, now: Turn) -> tuple[AskedChange, ...]:
    """Labels ask the same of both runs, in the same order."""
    return tuple(
        AskedChange(a, b)
        for a, b in zip(was.asked, now.asked, strict=False)
        if (a.missing, a.stale, a.rank) != (b.missing, b.stale, b.rank)
    )


__all__ = ["AskedChange", "Diff", "FactChange", "TurnDiff", "diff"]
