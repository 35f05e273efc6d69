"""Walking edges."""

from __future__ import annotations

from datetime import date

import pytest
from shelf import DAY, Shelf, empty, steps

from forms_dynamics.errors import InvalidInput
from forms_dynamics.model.value import Money
from forms_dynamics.strength import rule_of


# -- walking ---------------------------------------------------------------------------------------------------
@pytest.fixture
def shelf() -> Shelf:
    shelf = empty()
    message = shelf.say("Quote Q-1 for Alder Arrow")
    shelf.form(
        "f1",
        "lead_profile",
        {"company": "Alder Arrow", "budget": Money(500000, "CNY")},
        message,
        names=["Alder Arrow"],
    )
    shelf.form(
        "q1",
        "quote_form",
        {"quote_no": "Q-1", "amount": Money(480000, "CNY")},
        message,
        names=["Q-1"],
        key="quote_no",
    )
    shelf.form(
        "k1",
        "contract_form",
        {"contract_no": "K-1", "amount": Money(470000, "CNY")},
        message,
        names=["K-1"],
        key="contract_no",
    )
    return shelf


def test_one_hop_answers_what_the_neighbour_knows(shelf: Shelf) -> None:
    shelf.edge("q1", "refers_to", "f1")
    context = shelf.recall("What is the budget of the customer behind quote Q-1?")
    assert "500,000 CNY" in context.text
    assert "[refers_to: Q-1 → Alder Arrow]" in context.text
    assert context.tokens <= 90
    assert steps(context, "walk") == [("q1.refers_to.f1", "refers_to to f1")]


def test_two_hops_only_when_asked_for_and_never_three(shelf: Shelf) -> None:
    shelf.edge("q1", "refers_to", "f1")
    shelf.edge("k1", "evolves_from", "q1")
    question = "What is the budget behind contract K-1?"
    assert "500,000 CNY" not in shelf.recall(question).text
    context = shelf.recall(question, max_hops=2)
    assert "500,000 CNY" in context.text
    assert "[evolves_from: K-1 → Q-1]" in context.text
    assert "[refers_to: Q-1 → Alder Arrow]" in context.text
    assert context.tokens <= 90
    with pytest.raises(InvalidInput, match="max_hops"):
        shelf.recall(question, max_hops=3)


def test_a_named_form_shows_its_neighbours(shelf: Shelf) -> None:
    shelf.edge("q1", "refers_to", "f1")
    context = shelf.recall("Alder Arrow")
    assert "480,000 CNY" in context.text
    assert "refers_to" in context.text
    assert not steps(shelf.recall("Alder Arrow", max_hops=0), "walk")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"status": "superseded"}, "superseded"),
        ({"status": "invalid"}, "invalid"),
        ({"status": "candidate"}, "candidate"),
        ({"weight": 0.3, "made_by": "draft", "relation": "part_of"}, "weight below 0.6"),
        ({"last_hit": -DAY * 400}, "expired"),
    ],
)
def test_edges_left_out_are_told_with_their_rule(
    shelf: Shelf, fields: dict[str, object], reason: str
) -> None:
    if "last_hit" in fields:
        fields = {"last_hit": shelf.now - 400 * DAY}
    relation = str(fields.pop("relation", "refers_to"))
    shelf.edge("q1", relation, "f1", **fields)
    context = shelf.recall("Alder Arrow")
    assert (f"q1.{relation}.f1", reason) in steps(context, "prune")
    assert "480,000" not in context.text


def test_forms_left_out_are_told_with_their_state(shelf: Shelf) -> None:
    shelf.edge("q1", "refers_to", "f1")
    shelf.edge("k1", "refers_to", "f1")
    message = shelf.say("Q-1 is off")
    shelf.form("q1", "quote_form", {}, message, status="invalid")
    shelf.form("k1", "contract_form", {}, message)
    context = shelf.recall("Alder Arrow")
    assert ("q1.refers_to.f1", "invalid") in steps(context, "prune")
    assert "480,000" not in context.text
    assert "470,000" in context.text


def test_forms_left_out_take_no_place() -> None:
    shelf = empty(max_edges_per_layer=2)
    message = shelf.say("quotes")
    shelf.form("f1", "lead_profile", {"company": "Alder"}, message, names=["Alder"])
    for i in range(30):
        slots = {
            "quote_no": f"Q-{i}",
            "amount": Money(1000 + i, "CNY"),
            "valid_until": date(2026, 6, 1 if i < 28 else 30),
        }
        shelf.form(f"q{i}", "quote_form", slots, message, names=[f"Q-{i}"], key="quote_no")
        shelf.edge(f"q{i}", "refers_to", "f1", weight=0.99 - i / 1000)
    context = shelf.recall("amounts of the quotes for Alder", at=shelf.now + 5 * DAY)
    assert "1,028" in context.text
    assert "1,029" in context.text
    assert len(steps(context, "walk")) == 2


def test_a_hub_walks_a_few_of_its_edges(shelf: Shelf) -> None:
    message = shelf.say("many")
    for i in range(40):
        shelf.form(
            f"x{i}",
            "quote_form",
            {"quote_no": f"X-{i}", "amount": Money(i + 1, "CNY")},
            message,
            names=[f"X-{i}"],
            key="quote_no",
        )
        shelf.edge(f"x{i}", "refers_to", "f1", weight=0.7 + i / 1000)
    context = shelf.recall("Alder Arrow")
    assert [s.split(".")[0] for s, _ in steps(context, "walk")] == ["x39", "x38", "x37", "x36", "x35"]
    assert any(reason.startswith("limit 5") for _, reason in steps(context, "prune"))


def test_relations_that_do_not_fit_the_question_are_skipped(shelf: Shelf) -> None:
    shelf.edge("k1", "evolves_from", "q1")
    context = shelf.recall("the phone for Q-1?")
    assert not any("evolves_from" in s for s, _ in steps(context, "walk"))


def test_a_walk_writes_nothing(shelf: Shelf) -> None:
    shelf.edge("q1", "refers_to", "f1")
    before = shelf.store.edges(shelf.scope, ["f1"])
    shelf.recall("Alder Arrow")
    assert shelf.store.edges(shelf.scope, ["f1"]) == before
    rule = rule_of(shelf.catalog, before[0])
    assert rule is not None
    assert rule.strength.floor > 0.6
