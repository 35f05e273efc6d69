"""Which conversations are held out."""

from __future__ import annotations

import pytest

from forms_dynamics.errors import InvalidInput
from forms_dynamics.replay.split import FEWEST_UNITS, split
from forms_dynamics.replay.values import Counts


def log(conversations: int, **counts: int) -> dict[str, Counts]:
    return {f"c{i}": Counts(turns=10, **counts) for i in range(conversations)}


@pytest.mark.parametrize(("share", "held"), [(0.3, 30), (0.05, 6), (0.5, 50), (0.8, 80), (0.335, 34)])
def test_shares(share: float, held: int) -> None:
    parts = split(log(100), share=share)
    assert (len(parts.chosen), len(parts.held_out)) == (100 - held, held)
    assert not parts.chosen.keys() & parts.held_out.keys()


@pytest.mark.parametrize("share", [0, 0.04, 0.81, 1, -0.3, True, "0.3", float("nan")])
def test_shares_that_cannot_be(share: object) -> None:
    with pytest.raises(InvalidInput, match=r"0\.05 to 0\.8"):
        split(log(100), share=share)  # type: ignore[arg-type]


def test_the_same_log_is_parted_the_same_way_in_any_order() -> None:
    one, other = split(log(50)), split(dict(reversed(log(50).items())))
    assert one.held_out == other.held_out
    assert split(log(50), seed=1).held_out != one.held_out
    assert list(one.held_out) == ["c0", "c3", "c9", "c10", "c16", "c18", "c19", "c24", "c29", "c34", "c39", "c40", "c43", "c46", "c48"]  # fmt: skip


@pytest.mark.parametrize("conversations", range(4 * FEWEST_UNITS))
def test_small_logs_give_both_sides_what_an_interval_needs(conversations: int) -> None:
    parts = split(log(conversations))
    sides = len(parts.chosen), len(parts.held_out)
    assert sum(sides) == conversations
    assert parts.too_few is (conversations < FEWEST_UNITS)
    if conversations >= FEWEST_UNITS:
        assert min(sides) >= FEWEST_UNITS // 2
        assert parts.note == ""
    else:
        assert f"only {conversations} conversation" in parts.note


def test_conversations_of_a_user_stay_together() -> None:
    users = {f"c{i}": f"u{i % 20}" for i in range(100)}
    parts = split(log(100), users)
    assert parts.unit == "user"
    assert not {users[c] for c in parts.chosen} & {users[c] for c in parts.held_out}
    assert len({users[c] for c in parts.held_out}) == 6
    assert parts.note == ""


def test_conversations_without_a_user_are_their_own() -> None:
    users: dict[str, str | None] = {f"c{i}": f"u{i % 12}" for i in range(60)}
    parts = split(log(100), users)
    assert parts.unit == "user"
    assert len(set(parts.chosen.values()) | set(parts.held_out.values())) == 12 + 40


@pytest.mark.parametrize("users", [1, 3, FEWEST_UNITS - 1])
def test_few_users_are_parted_by_conversation_and_that_is_said(users: int) -> None:
    parts = split(log(60), {f"c{i}": f"u{i % users}" for i in range(60)})
    assert parts.unit == "conversation"
    assert len(parts.held_out) == 18
    assert f"conversations of {users} user" in parts.note
    assert "other users" in parts.note


def test_a_conversation_named_like_a_user_is_not_that_user() -> None:
    users: dict[str, str | None] = {f"c{i}": f"c{i + 1}" for i in range(30)} | {"c29": None}
    parts = split(log(30), users)
    assert len(set(parts.chosen.values()) | set(parts.held_out.values())) == 30


def test_what_few_conversations_measure_is_on_both_sides() -> None:
    measured = log(100) | {f"c{i}": Counts(turns=10, asked=2, expected=3) for i in range(10)}
    for seed in range(20):
        held = split(measured, seed=seed).held_out
        assert len(held) == 30
        assert 2 <= sum(measured[c].asked > 0 for c in held) <= 4
