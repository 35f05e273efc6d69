"""Two runs of one recording: what differs turn by turn, and when they cannot be compared."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from forms_dynamics import InvalidInput
from forms_dynamics.replay.diff import FactChange, diff
from forms_dynamics.replay.values import Asked, Counts, Fact, Run, Turn
from tests.unit.replay import runs


def fact(outcome: Any, value: str = "50万", reason: str = "", form: str = "f1") -> Fact:
    return Fact("lead_profile", "budget", value, outcome, reason, "right", form)


def asked(rank: int | None, *stale: str, ms: float = 1.0) -> Asked:
    return Asked("海蓝的预算？", () if rank else ("50万",), stale, rank, 0, 20, 0.9, (), ms)


def run(*turns: Turn, **settings: Any) -> Run:
    total = Counts()
    for turn in turns:
        total = total.plus(turn.counts)
    return Run(settings, "r1", "labels", {"c": total}, turns)


def turn(number: int, **rest: Any) -> Turn:
    counts = rest.pop("counts", Counts(turns=1))
    return Turn(f"m{number}", "c", number, "user", counts=counts, **rest)


STRICT = run(
    turn(1, facts=(fact("held", reason="low_confidence"),), missed=(("lead_profile", "budget", "50万"),),
         questions=("预算是50万吗？",), asked=(asked(None),), counts=Counts(turns=1, held=1, expected=1, questions=1)),
    turn(2, facts=(fact("accepted", "60万"),), versions=("f1@1",), counts=Counts(turns=1, accepted=1)),
    turn(3, asked=(asked(2),)),
    conf_threshold=0.9,
)  # fmt: skip
LOOSE = run(
    turn(1, facts=(fact("accepted"),), versions=("f1@1",), edges=1, asked=(asked(1),),
         counts=Counts(turns=1, accepted=1, expected=1, found=1)),
    turn(2, facts=(fact("accepted", "60万"),), versions=("f1@2",), counts=Counts(turns=1, accepted=1)),
    turn(3, asked=(asked(3, "50万", ms=9.0),)),
    conf_threshold=0.6,
)  # fmt: skip


def test_what_a_lower_threshold_changes() -> None:
    found = diff(STRICT, LOOSE)
    assert (found.before, found.after) == ({"conf_threshold": 0.9}, {"conf_threshold": 0.6})
    first, third = found.turns
    assert (first.message, first.conversation, first.number, first.role) == ("m1", "c", 1, "user")
    assert first.facts == (FactChange(fact("held", reason="low_confidence"), fact("accepted")),)
    assert first.facts[0].fact.outcome == "accepted"
    assert (first.missed, first.found) == ((), (("lead_profile", "budget", "50万"),))
    assert (first.asks, first.spares) == ((), ("预算是50万吗？",))
    assert (first.versions, first.edges) == ((0, 1), (0, 1))
    assert [(c.before.rank, c.after.rank) for c in first.asked] == [(None, 1)]
    # the same version under another number is no difference, nor is the time that a question took
    assert third.message == "m3"
    assert [(c.before.rank, c.after.rank, c.after.stale) for c in third.asked] == [(2, 3, ("50万",))]
    assert found.total == Counts(accepted=1, held=-1, found=1, questions=-1)


def test_a_fact_that_only_one_run_has_stands_alone_and_equal_ones_are_paired() -> None:
    two = run(turn(1, facts=(fact("accepted"), fact("refused"), fact("held", "60万"))))
    one = run(turn(1, facts=(fact("refused"), fact("refused"))))
    [change] = diff(two, one).turns
    assert change.facts == (
        FactChange(fact("accepted"), fact("refused")),
        FactChange(fact("held", "60万"), None),
    )


@pytest.mark.parametrize(
    ("other", "part"),
    [
        (replace(LOOSE, recording="r2"), "two recordings, r1 and r2"),
        (replace(LOOSE, truth="self-consistency"), "judged by labels, the other by self-consistency"),
        (replace(LOOSE, turns=()), "the second run was played without keeping its turns"),
        (replace(LOOSE, turns=LOOSE.turns[:2]), "have 3 and 2 turns"),
        (
            replace(LOOSE, turns=LOOSE.turns[::-1]),
            "'m1' of conversation 'c' stands where the other has 'm3' of 'c'",
        ),
    ],
)
def test_runs_that_are_not_of_one_recording_are_refused(other: Run, part: str) -> None:
    with pytest.raises(InvalidInput, match=part):
        diff(STRICT, other)


@settings(max_examples=40, deadline=None)
@given(runs.one)
def test_a_run_does_not_differ_from_itself(one: Run) -> None:
    # from itself as another process would hand it over, too
    copy = replace(one, turns=tuple(t._replace(edges=t.edges) for t in one.turns))
    if one.turns or not one.total().turns:
        found = diff(one, copy)
        assert found.turns == ()
        assert found.total == Counts()


@settings(max_examples=40, deadline=None)
@given(runs.pairs)
def test_the_way_back_is_the_way_there_reversed(pair: tuple[Run, Run]) -> None:
    there, back = diff(*pair), diff(*reversed(pair))
    assert there == back.reversed()
    assert [t.message for t in there.turns] == [t.message for t in back.turns]


@settings(max_examples=40, deadline=None)
@given(runs.pairs)
def test_what_one_run_misses_less_the_other_found(pair: tuple[Run, Run]) -> None:
    found = {t.message: t for t in diff(*pair).turns}
    for was, now in zip(pair[0].turns, pair[1].turns, strict=True):
        change = found.get(now.message)
        more, less = (len(change.missed), len(change.found)) if change is not None else (0, 0)
        assert len(now.missed) - len(was.missed) == more - less
