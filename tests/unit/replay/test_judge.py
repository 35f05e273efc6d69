"""Turns judged by labels, against counts worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forms_dynamics import Range
from forms_dynamics.replay.judge import Judge, Judged
from forms_dynamics.replay.labels import Label
from forms_dynamics.replay.values import Counts
from tests.unit.replay.talks import CATALOG, cny, expects, held, play, truth, wrote


def counted(judged: Judged) -> dict[str, int]:
    """What is not zero, but for the turns."""
    return {k: v for k, v in judged.counts._asdict().items() if v and k not in ("turns", "user_turns")}


def verdicts(judged: Judged) -> list[str]:
    return [fact.verdict for fact in judged.facts]


# -- one message -------------------------------------------------------------------------------------------
def test_of_two_proposed_values_one_is_right_and_one_is_missed() -> None:
    known = truth(expects({"name": "锦江饭店", "stars": 4, "price": "300元"}))
    [turn] = play(
        known,
        (
            [
                wrote("name", "锦江饭店"),
                wrote("stars", 5),
                wrote("price", cny(300), "held", reason="low_confidence"),
            ],
            held({"name": "锦江饭店", "stars": 5}),
        ),
    )
    assert verdicts(turn) == ["right", "wrong", "right"]
    assert turn.missed == (("hotel", "stars", "4"), ("hotel", "price", "300 CNY"))
    assert counted(turn) == {
        "accepted": 2, "accepted_right": 1, "accepted_wrong": 1, "held": 1, "held_right": 1,
        "expected": 3, "found": 1, "fields": 3, "fields_right": 1, "states": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("slot", "labelled", "kept"),
    [
        ("price", "50万", cny(500_000)),
        ("price", {"min": 300, "max": 400}, Range(cny(300), cny(400))),
        ("area", "城南", "south"),
        ("arrival", "2026年6月30日", date(2026, 6, 30)),
        ("name", "鳳凰飯店", "凤凰饭店"),
        ("name", "Jade  Court", "ＪＡＤＥ court"),
        ("extras", ["泳池", "gym"], ("Gym", "泳池")),
        ("stars", "4", 4),
    ],
)
def test_values_are_compared_as_production_compares_them(slot: str, labelled: Any, kept: Any) -> None:
    [turn] = play(truth(expects({slot: labelled})), ([wrote(slot, kept)], held({slot: kept})))
    assert verdicts(turn) == ["right"]
    assert turn.counts.fields_right == turn.counts.states_right == 1


def test_a_list_is_gained_item_by_item_and_right_as_a_whole() -> None:
    known = truth(expects({"extras": ["泳池"]}), expects({"extras": ["泳池", "健身房", "停车场"]}))
    first, second = play(
        known,
        ([wrote("extras", ("泳池",), op="add")], held({"extras": ("泳池",)})),
        ([wrote("extras", ("健身房",), op="add")], held({"extras": ("泳池", "健身房")})),
    )
    assert counted(first)["found"] == 1
    assert verdicts(second) == ["right"]
    assert second.missed == (("hotel", "extras", "停车场"),)
    assert (second.counts.expected, second.counts.found, second.counts.fields_right) == (2, 1, 0)


def test_nothing_is_to_be_gained_where_a_label_has_no_forms() -> None:
    known = truth(expects({"name": "锦江饭店"}), expects())
    _, turn = play(
        known,
        ([wrote("name", "锦江饭店")], held({"name": "锦江饭店"})),
        ([wrote("name", "锦江饭店"), wrote("stars", 3)], held({"name": "锦江饭店", "stars": 3})),
    )
    assert verdicts(turn) == ["right", "wrong"]
    assert (turn.counts.states, turn.counts.states_right, turn.counts.expected) == (1, 0, 0)


def test_the_words_of_the_assistant_have_no_verdict() -> None:
    [turn] = play(truth(expects({"stars": 4})), ([wrote("stars", 4, "refused")], held()), roles=["assistant"])
    assert verdicts(turn) == ["unknown"]
    assert turn.counts.refused_right == 0
    assert turn.counts.user_turns == 0


# -- over a conversation -----------------------------------------------------------------------------------
CHANGES = [expects({"name": "锦江饭店", "price": "300元"}), expects(), expects({"price": "400元"})]
WHOLE = [
    expects({"name": "锦江饭店", "price": "300元"}),
    expects({"name": "锦江饭店", "price": "300元"}),
    expects({"name": "锦江饭店", "price": "400元"}),
]
COMPLETE = [label._replace(complete=True) for label in WHOLE]


@pytest.mark.parametrize(
    "labels", [CHANGES, WHOLE, COMPLETE], ids=["what is added", "all that holds", "complete"]
)
def test_labels_may_tell_what_is_added_or_all_that_holds(labels: Sequence[Label]) -> None:
    before, after = {"name": "锦江饭店", "price": cny(300)}, {"name": "锦江饭店", "price": cny(400)}
    turns = play(
        truth(*labels),
        ([wrote("name", "锦江饭店"), wrote("price", cny(300))], held(before)),
        ([], held(before)),
        ([wrote("price", cny(400), "held")], held(before)),
    )
    assert [t.counts.expected for t in turns] == [2, 0, 1]
    assert [t.counts.found for t in turns] == [2, 0, 0]
    assert [t.counts.fields for t in turns] == [2, 2, 2]
    assert [t.counts.fields_right for t in turns] == [2, 2, 1]
    assert [t.counts.states_right for t in turns] == [1, 1, 0]
    [better] = play(truth(*labels), ([], held(after)))[-1:]
    assert better.missed == (("hotel", "price", "300 CNY"),)


def test_a_value_told_again_is_gained_once_but_gained_anew_after_another() -> None:
    known = truth(*(expects({"stars": stars}) for stars in (3, 3, 4, 3)))
    assert [t.counts.expected for t in play(known, *[([], held({"stars": 3}))] * 4)] == [1, 0, 1, 1]


def test_null_ends_a_value() -> None:
    known = truth(expects({"stars": 3, "area": "north"}), expects({"stars": None}))
    full, rest = held({"stars": 3, "area": "north"}), held({"area": "north"})
    kept = play(known, ([], full), ([], full))[1]
    assert (kept.counts.fields, kept.counts.fields_right, kept.counts.states_right) == (1, 1, 0)
    cleared = play(known, ([], full), ([wrote("stars", None, op="clear")], rest))[1]
    assert verdicts(cleared) == ["right"]
    assert cleared.counts.states_right == 1
    assert cleared.counts.expected == 0
    wrong = play(known, ([wrote("area", None, op="clear")], rest))[0]
    assert verdicts(wrong) == ["wrong"]


def test_what_is_taken_off_a_list_is_right_when_the_label_has_it_no_more() -> None:
    known = truth(expects({"extras": ["泳池", "早餐"]}), expects({"extras": ["泳池"]}))
    turn = play(
        known,
        ([], held()),
        ([wrote("extras", (gone,), op="remove") for gone in ("早餐", "泳池", "spa")], held()),
    )[1]
    assert verdicts(turn) == ["right", "wrong", "unknown"]


def test_a_complete_label_ends_all_that_it_does_not_list() -> None:
    known = truth(
        expects({"name": "锦江饭店", "stars": 4}, {"name": "和平饭店", "stars": 5}),
        expects({"name": "和平饭店"}, complete=True),
    )
    both = held({"name": "锦江饭店", "stars": 4}, {"name": "和平饭店", "stars": 5})
    _, turn = play(known, ([], both), ([], both))
    assert (turn.counts.fields, turn.counts.fields_right, turn.counts.states_right) == (1, 1, 0)
    _, turn = play(known, ([], both), ([], held({"name": "和平饭店"})))
    assert turn.counts.states_right == 1


def test_what_nobody_labelled_spoils_no_state_unless_the_label_says_all() -> None:
    for complete, right in ((False, 1), (True, 0)):
        known = truth(None, expects({"stars": 4}, complete=complete))
        turns = play(
            known,
            ([wrote("area", "north")], held({"area": "north"})),
            ([], held({"area": "north", "stars": 4})),
        )
        # of a slot that no label names nothing is known
        assert verdicts(turns[0]) == ["unknown"]
        assert turns[1].counts.states_right == right


# -- messages without a label ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("labels", "value", "verdict"),
    [
        ([expects({"stars": 4}), None], 4, "right"),  # in force
        ([expects({"stars": 4}), None], 5, "wrong"),  # another is in force
        ([None, None, expects({"stars": 5})], 5, "right"),  # the next label tells
        ([None, None, expects({"stars": 5})], 4, "wrong"),
        ([expects({"stars": 4}), None, expects({"stars": 5})], 5, "right"),  # said first, labelled later
        ([expects({"stars": 4}), None, expects({"area": "north"})], 5, "wrong"),
        ([expects({"stars": None}), None], 5, "wrong"),  # it is to hold nothing
        ([expects({"area": "north"}), None], 5, "unknown"),
        ([None, None], 5, "unknown"),
    ],
)
def test_a_message_without_forms_is_judged_by_the_labels_around_it(
    labels: Any, value: int, verdict: str
) -> None:
    turns = play(truth(*labels), ([], held()), ([wrote("stars", value)], held({"stars": value})))
    assert verdicts(turns[1]) == [verdict]


def test_what_is_held_is_read_only_where_it_is_looked_at() -> None:
    def never() -> Any:
        raise AssertionError

    judge = Judge(truth(None, None), CATALOG)
    assert judge.turn(1, "user", [wrote("stars", 4)], never).facts[0].verdict == "unknown"
    assert judge.turn(2, "user", [], never).counts == Counts(turns=1, user_turns=1)
    assert Judge(None, CATALOG).turn(1, "tool", [], never).counts == Counts(turns=1)


# -- several Forms of one type -----------------------------------------------------------------------------
TWO = expects(
    {"name": "锦江饭店", "stars": 4, "area": "north"}, {"name": "和平饭店", "stars": 5, "area": "south"}
)


def test_two_hotels_are_matched_by_what_they_share() -> None:
    mixed = held(
        {"name": "和平饭店", "stars": 4, "area": "south"}, {"name": "锦江饭店", "stars": 5, "area": "north"}
    )
    written = [wrote("stars", 4, form="f1"), wrote("stars", 5, form="f2"), wrote("area", "south", form="f1")]
    [turn] = play(truth(TWO), (written, mixed))
    # each star is right for the other hotel only
    assert verdicts(turn) == ["wrong", "wrong", "right"]
    assert (turn.counts.expected, turn.counts.found, turn.counts.states_right) == (6, 4, 0)


def test_of_equal_matches_identity_decides_then_age() -> None:
    known = truth(expects({"name": "锦江饭店", "stars": 4}, {"name": "和平饭店", "stars": 4}))
    [turn] = play(known, ([], held({"stars": 4}, {"name": "和平饭店"}, {"name": "锦江饭店", "stars": 3})))
    assert turn.counts.found == 2  # both names; the nameless Form is nobody's
    [turn] = play(known, ([], held({"stars": 4}, {"stars": 4, "area": "north"})))
    assert turn.counts.found == 2
    [turn] = play(known, ([], held({"stars": 4})))
    assert turn.missed == (
        ("hotel", "name", "锦江饭店"), ("hotel", "name", "和平饭店"), ("hotel", "stars", "4"),
    )  # fmt: skip


def test_a_label_goes_to_the_form_that_it_names_or_is_likest_to() -> None:
    named = truth(TWO, expects({"name": "锦江饭店", "price": "300元"}))
    unnamed = truth(TWO, expects({"area": "north", "price": "300元"}))
    now = held(
        {"name": "锦江饭店", "stars": 4, "area": "north", "price": cny(300)},
        {"name": "和平饭店", "stars": 5, "area": "south"},
    )
    for known in (named, unnamed):
        assert [t.counts.states_right for t in play(known, ([], now), ([], now))] == [1, 1]
    last = truth(TWO, expects({"price": "300元"}))  # the one that was spoken of last
    assert [t.counts.states_right for t in play(last, ([], now), ([], now))] == [1, 0]


def test_an_external_id_tells_a_new_name_from_a_new_form() -> None:
    renamed = truth(expects({"id": "h", "name": "海兰宾馆"}), expects({"id": "h", "name": "海蓝宾馆"}))
    other = truth(expects({"name": "海兰宾馆"}), expects({"name": "海蓝宾馆"}))
    now = held({"name": "海蓝宾馆"})
    assert [t.counts.fields for t in play(renamed, ([], now), ([], now))] == [1, 1]
    assert [t.counts.fields for t in play(other, ([], now), ([], now))] == [1, 2]


# -- ten turns ---------------------------------------------------------------------------------------------
def test_a_value_is_looked_at_in_the_tenth_turn_of_the_user() -> None:
    labels: list[Any] = [expects({"stars": 4, "price": "300元"})]
    for _ in range(9):
        labels += ["assistant", None]
    labels[10] = expects({"price": "400元"})  # the user's sixth turn
    roles = ["user" if i % 2 == 0 else "assistant" for i in range(len(labels) + 10)]
    now = held({"stars": 4, "price": cny(300)})
    turns = play(truth(*labels, *["assistant", None] * 5), *[([], now)] * 29, roles=roles)
    looked = {n: (t.counts.kept, t.counts.kept_right) for n, t in enumerate(turns, 1) if t.counts.kept}
    # stars in the tenth turn of the user; the first price has gone by then, the second is due in the fifteenth
    assert looked == {19: (1, 1), 29: (1, 0)}


def test_a_value_that_the_label_ends_in_the_tenth_turn_is_not_looked_at() -> None:
    labels = [expects({"stars": 4}), *[None] * 8, expects({"stars": 5})]
    assert [t.counts.kept for t in play(truth(*labels), *[([], held())] * 10)] == [0] * 10


# -- questions ---------------------------------------------------------------------------------------------
def test_a_question_counts_twice_once_the_user_has_answered_it() -> None:
    judge = Judge(None, CATALOG)
    price, name = ("hotel", "price", "f1"), ("hotel", "name", "f1")
    said = [
        judge.turn(1, "user", [wrote("stars", 4)], held, [price, name]),
        judge.turn(2, "user", [], held, [price]),  # not answered yet
        judge.turn(3, "user", [wrote("price", cny(300), "held")], held, [price]),  # answered, and asked again
        judge.turn(4, "assistant", [wrote("name", "x", "refused")], held, [name]),  # not the user's answer
        judge.turn(
            5, "user", [wrote("stars", 5)], held, [("hotel", "stars", "f1")]
        ),  # told before, but never asked
    ]
    assert [(t.counts.questions, t.counts.twice) for t in said] == [(2, 0), (1, 0), (1, 1), (1, 0), (1, 0)]
    other = judge.turn(6, "user", [], held, [("hotel", "price", "f2"), ("hotel", "price", "")])
    assert other.counts.twice == 1  # of another Form nothing was answered; what names no Form may be the one


# -- properties --------------------------------------------------------------------------------------------
SLOTS: dict[str, list[Any]] = {
    "stars": [3, 4], "area": ["north", "south"], "extras": [("泳池",), ("gym", "泳池")], "name": ["锦江饭店", "Jade Court"],
}  # fmt: skip
slots = st.fixed_dictionaries({}, optional={s: st.sampled_from(values) for s, values in SLOTS.items()})
forms_ = st.none() | st.lists(slots, max_size=2)
proposals = st.lists(
    st.tuples(
        st.sampled_from([(s, v) for s, values in SLOTS.items() for v in values]),
        st.sampled_from(["accepted", "held", "refused"]),
        st.sampled_from(["f1", "f2", ""]),
    ).map(lambda drawn: wrote(drawn[0][0], drawn[0][1], drawn[1], form=drawn[2])),
    max_size=4,
)
holdings = st.lists(slots, max_size=2).map(lambda forms: held(*forms))


def label_of(forms: Any) -> Label | None:
    if forms is None:
        return None
    return expects(*({s: list(v) if isinstance(v, tuple) else v for s, v in form.items()} for form in forms))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(forms_, proposals, holdings), min_size=1, max_size=13))
def test_counts_of_parts_make_the_whole(talk: Any) -> None:
    turns = play(
        truth(*(label_of(forms) for forms, _, _ in talk)), *((written, now) for _, written, now in talk)
    )
    total = Counts()
    for (label, written, _), turn in zip(talk, turns, strict=True):
        c = turn.counts
        total = total.plus(c)
        assert len(turn.facts) == len(written) == c.accepted + c.held + c.refused
        for outcome in ("accepted", "held", "refused"):
            right = sum(f.outcome == outcome and f.verdict == "right" for f in turn.facts)
            assert getattr(c, f"{outcome}_right") == right
        assert c.accepted_wrong == sum(f.outcome == "accepted" and f.verdict == "wrong" for f in turn.facts)
        assert c.expected == c.found + len(turn.missed)
        assert c.fields_right <= c.fields
        assert c.states == (label is not None)
        assert c.kept_right <= c.kept
        if c.states_right:
            assert c.fields_right == c.fields
        if label is None:
            assert (c.expected, c.fields) == (0, 0)
        else:
            assert "unknown" not in {f.verdict for f in turn.facts}
    assert (total.turns, total.user_turns) == (len(talk), len(talk))


@settings(max_examples=40, deadline=None)
@given(st.lists(forms_, min_size=1, max_size=12))
def test_who_holds_all_that_is_in_force_misses_nothing(talk: Any) -> None:
    known = truth(*map(label_of, talk))
    now: Any = {}
    judge = Judge(known, CATALOG)
    for number in range(1, len(talk) + 1):
        told = known.told.get(number)
        if told is not None and told.state is not None:
            now = {
                f"f{one.instance}": (one.form_type, {s: tuple(sorted(keys)) for s, keys in one.slots.items()})
                for one in told.state
            }
        judged = judge.turn(number, "user", [], lambda now=now: now)
        assert judged.missed == ()
        assert judged.counts.fields_right == judged.counts.fields
        assert judged.counts.states_right == judged.counts.states
        assert judged.counts.kept_right == judged.counts.kept
