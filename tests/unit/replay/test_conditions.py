"""Conditions on figures, as people write them."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forms_dynamics.errors import InvalidInput
from forms_dynamics.replay.conditions import (
    UNMEASURED,
    Condition,
    alternatives,
    failing,
    requirements,
    told,
    unmet,
)
from forms_dynamics.replay.figures import FIGURES, figures
from forms_dynamics.replay.values import Counts

SIGNS = ["<", "<=", ">", ">=", "==", "!="]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("precision >= 0.98", Condition("precision", ">=", 0.98)),
        ("precision>=98%", Condition("precision", ">=", 0.98)),
        ("precision ≥ 98％", Condition("precision", ">=", 0.98)),
        ("  F1＞０．９ ", Condition("f1", ">", 0.9)),
        ("stale-rate ≤ .05", Condition("stale_rate", "<=", 0.05)),
        ("questions_per_turn＜97.3%", Condition("questions_per_turn", "<", 0.973)),
        ("questions_per_turn <= 150%", Condition("questions_per_turn", "<=", 1.5)),
        ("tokens != 1e3", Condition("tokens", "!=", 1000.0)),
        ("recall ≠ 1", Condition("recall", "!=", 1.0)),
        ("recall == -0", Condition("recall", "==", 0.0)),
        ("asked_twice ＝＝ 0", Condition("asked_twice", "==", 0.0)),
    ],
)
def test_one_condition(text: str, read: Condition) -> None:
    assert Condition.parse(text) == read


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("precison >= 0.9", "did you mean 'precision'?"),
        ("accuracy >= 0.9", "figures are precision, recall"),
        ("precision >= 98", "did you mean 98%?"),
        ("precision >= 101%", "lies between 0 and 1"),
        ("precision > -0.1", "lies between 0 and 1"),
        ("tokens < 5%", "leave the % out"),
        ("tokens < 1e999", "is 0 or more"),
        ("precision = 0.9", "write NAME SIGN NUMBER"),
        ("precision => 0.9", "write NAME SIGN NUMBER"),
        ("precision >= high", "write NAME SIGN NUMBER"),
        ("precision >= nan", "write NAME SIGN NUMBER"),
        ("0.9 <= precision", "write NAME SIGN NUMBER"),
        ("0.9 < precision < 1", "write NAME SIGN NUMBER"),
        ("precision", "write NAME SIGN NUMBER"),
        ("", "write NAME SIGN NUMBER"),
        ("__import__('os').abort() > 1", "write NAME SIGN NUMBER"),
        ("precision > 1e99999999999999", "write NAME SIGN NUMBER"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, said: str) -> None:
    with pytest.raises(InvalidInput) as wrong:
        Condition.parse(text)
    assert said in str(wrong.value)
    assert repr(text.strip()) in str(wrong.value)


def test_what_is_no_text_is_said() -> None:
    with pytest.raises(InvalidInput, match="not float"):
        requirements([0.98])  # type: ignore[list-item]


@given(
    st.sampled_from(sorted(FIGURES)),
    st.sampled_from(SIGNS),
    st.one_of(st.floats(0, 1), st.integers(0, 1000).map(lambda n: n / 1000)),
)
def test_text_and_back(name: str, sign: str, number: float) -> None:
    condition = Condition(name, sign, number)
    assert Condition.parse(str(condition)) == condition
    assert Condition.parse(str(condition).replace(" ", "")) == condition
    assert requirements(str(condition)) == (condition,)


@given(st.integers(0, 100_000).map(lambda n: n / 1000))
def test_a_percentage_is_the_number_that_a_person_means(percent: float) -> None:
    assert Condition.parse(f"f1 > {percent}%").number == float(f"{percent:.3f}e-2")


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(InvalidInput):
        assert all(isinstance(one, Condition) for one in requirements(text))


@given(st.lists(st.builds(Condition, st.sampled_from(sorted(FIGURES)), st.sampled_from(SIGNS), st.floats(0, 1)), min_size=1),
       st.sampled_from([", ", " and ", " AND ", "且", " 并且 ", "，", "、", "；"]))  # fmt: skip
def test_several_in_one_text(conditions: list[Condition], between: str) -> None:
    assert requirements(between.join(map(str, conditions))) == tuple(conditions)


def test_a_comma_parts_what_and_ties() -> None:
    a, b, c = (Condition("precision", "<", 0.9), Condition("recall", "<", 0.8), Condition("f1", "<", 0.7))
    text = "precision < 0.9 and recall < 80%, f1 < 0.7"
    assert alternatives(text) == ((a, b), (c,))
    assert alternatives(["precision < 0.9 且 recall < 0.8", c]) == ((a, b), (c,))
    assert requirements(text) == (a, b, c)
    measured = {"precision": 0.85, "recall": 0.9, "f1": 0.6}
    assert failing(alternatives(text), measured) == ((c,),)
    assert failing(alternatives(text), measured | {"recall": 0.5}) == ((a, b), (c,))
    assert failing(alternatives(text), measured | {"f1": 0.7}) == ()


@pytest.mark.parametrize(
    ("sign", "below", "at", "above"),
    [
        ("<", True, False, False), ("<=", True, True, False), (">", False, False, True),
        (">=", False, True, True), ("==", False, True, False), ("!=", True, False, True),
    ],
)  # fmt: skip
def test_signs(sign: str, below: bool, at: bool, above: bool) -> None:
    condition = Condition("f1", sign, 0.98)
    for value, holds in ((0.97, below), (98 / 100, at), (0.99, above)):
        assert condition.holds({"f1": value}) is holds
        assert (condition.shortfall({"f1": value}) == 0) is (holds or value == 0.98)


def test_a_margin_makes_the_figure_worse() -> None:
    assert Condition("f1", ">=", 0.9).holds_by(0.01, {"f1": 0.92})
    assert not Condition("f1", ">=", 0.9).holds_by(0.03, {"f1": 0.92})
    assert not Condition("tokens", "<", 100.0).holds_by(20, {"tokens": 90.0})
    assert not Condition("f1", ">=", 0.9).holds_by(0, {"f1": None})


def test_a_requirement_on_what_was_not_measured_is_not_met() -> None:
    condition = Condition("recall", ">=", 0.0)
    assert condition.holds({"recall": None}) is None
    assert unmet([condition], {"recall": None}) == (condition,)
    assert told([condition], {"recall": None}) == "recall >= 0 (not measured)"
    assert told([condition], {"recall": 0.51234}) == "recall >= 0 (it is 0.5123)"


@pytest.mark.parametrize("name", sorted(FIGURES))
def test_a_check_of_what_was_not_measured_fails_and_says_why(name: str) -> None:
    with pytest.raises(InvalidInput) as wrong:
        failing(alternatives(f"{name} < 0.5"), figures(Counts()))
    assert f"{name} was not measured: {UNMEASURED[name]}" in str(wrong.value)


def test_every_figure_says_what_it_lacks() -> None:
    assert UNMEASURED.keys() == FIGURES.keys()
