"""Everything that hangs together, and hubs."""

from __future__ import annotations

from typing import Any

import pytest
from shelf import Shelf, empty, steps

from forms_dynamics.errors import InvalidInput
from forms_dynamics.model.value import Money

DAY = 86_400_000_000


def _sold(shelf: Shelf) -> None:
    said = shelf.say("Alder Arrow wants a quote")
    shelf.form(
        "f1",
        "lead_profile",
        {"company": "Alder Arrow", "budget": Money(9, "USD")},
        said,
        names=["Alder Arrow"],
    )
    for n in range(8):
        shelf.form(
            f"q{n}", "quote_form", {"quote_no": f"Q-{n}", "amount": Money(n, "USD")}, said, key="quote_no"
        )
        shelf.edge(f"q{n}", "refers_to", "f1")
    shelf.form("c1", "contract_form", {"contract_no": "C-1"}, said, key="contract_no")
    shelf.edge("c1", "evolves_from", "q0")


@pytest.mark.parametrize(
    "question",
    [
        "everything related to Alder Arrow",
        "追溯 Alder Arrow 的所有相关信息",
        "trace everything about Alder Arrow",
    ],
)
def test_all_that_hangs_together_is_told(question: str) -> None:
    shelf = empty()
    _sold(shelf)
    context = shelf.recall(question)
    assert all(f"Q-{n}" in context.text for n in range(8))  # more than five edges, and the second hop
    assert "C-1" in context.text
    assert "Q-7" not in shelf.recall("Alder Arrow").text or "C-1" not in shelf.recall("Alder Arrow").text


def test_where_a_neighbour_stands_is_no_further_thing_that_is_asked() -> None:
    shelf = empty()
    _sold(shelf)
    context = shelf.recall("What is the budget of the lead behind quote Q-3?")
    assert "9 USD" in context.text
    assert not [step for step in context.trace.steps if step.kind == "fallback"]


def test_old_neighbours_come_as_references() -> None:
    shelf = empty()
    _sold(shelf)
    late = shelf.now + 200 * DAY
    shelf.form("f1", "lead_profile", {"budget": Money(12, "USD")}, shelf.say("12 now", time=late - DAY))
    for n in range(8):
        shelf.edge(f"q{n}", "refers_to", "f1", last_hit=late)
    context = shelf.recall("everything related to Alder Arrow", at=late)
    old = [line for line in context.text.splitlines() if line.startswith("q3 ")]
    assert old == ["q3 quote Q-3 2026-06-01 (old) [refers_to: Q-3 → Alder Arrow]"]
    assert "Q-3" not in shelf.recall("Alder Arrow", at=late).text


def test_three_hops_are_refused() -> None:
    with pytest.raises(InvalidInput, match="max_hops is 3"):
        empty().recall("everything related to Alder Arrow", max_hops=3)


class Counting:
    """A store that counts what is asked of it."""

    def __init__(self, store: Any) -> None:
        self.store, self.calls = store, list[str]()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.store, name)
        if not callable(found):
            return found

        def call(*args: Any, **more: Any) -> Any:
            self.calls.append(name)
            return found(*args, **more)

        return call


def test_a_hub_costs_what_a_leaf_costs() -> None:
    shelf = empty()
    _sold(shelf)
    said = shelf.say("Birch Bow wants many quotes")
    shelf.form("h1", "lead_profile", {"company": "Birch Bow"}, said, names=["Birch Bow"])
    first = shelf.form("x0", "quote_form", {"quote_no": "X-0"}, said, key="quote_no")
    made = shelf.versions["x0"][0]
    names = [f"x{n}" for n in range(1, 10_000)]
    shelf.apply(
        forms=[first._replace(id=name) for name in names],
        versions=[made._replace(form=name) for name in names],
        heads=dict.fromkeys(names, 0),
    )
    edge = shelf.edge("x0", "refers_to", "h1")
    shelf.apply(edges=[edge._replace(source=name) for name in names])
    counting: Any = Counting(shelf.store)
    shelf.store = counting
    shelf.recall("Alder Arrow", max_hops=2)
    leaf = list(counting.calls)
    counting.calls.clear()
    hub = shelf.recall("Birch Bow", max_hops=2)
    assert "Birch Bow" in hub.text
    assert counting.calls.count("edges") <= leaf.count("edges") + 1
    assert len(counting.calls) <= len(leaf) + 4  # Forms read in batches until five stand
    assert len(steps(hub, "prune")) < 100
