"""A Form's few edges are read at once, and come as they do where each status is looked for by itself."""

from __future__ import annotations

import random
from typing import Any

import pytest

from forms_dynamics.adapters.sql import open_store
from forms_dynamics.model.record import ChangeSet, EdgeRecord, Scope
from forms_dynamics.testing.store_contract import form

ANA = Scope("t", "ana", frozenset({"product"}))
STATUSES = ("active", "superseded", "invalid", "candidate")


@pytest.fixture
def store() -> Any:
    """30 Forms with up to a dozen edges at either end, of any status and of few weights; some end in the shared space."""
    store = open_store("sqlite://")
    drawn = random.Random(3)
    shared = Scope("t", "", frozenset())
    with store.writing(shared):
        store.apply(shared, ChangeSet(forms=[form(f"s{i}", "", "product") for i in range(3)]))
    ids = [f"f{i:02d}" for i in range(30)]
    pairs = {(drawn.choice(ids), drawn.choice([*ids, "s0", "s1"])) for _ in range(200)}
    with store.writing(ANA):
        edges = [
            EdgeRecord(
                a, drawn.choice(["about", "near"]), b, drawn.choice([0.2, 0.5, 0.9]), 1, i, i,
                drawn.choice(STATUSES), "rule:r", f"m{i}", 0, 1, None,
            )
            for i, (a, b) in enumerate(sorted(pairs)) if a != b
        ]  # fmt: skip
        store.apply(ANA, ChangeSet(forms=[form(id, "ana") for id in ids], edges=edges))
    return store


@pytest.mark.parametrize("limit", [1, 3, 5, 16])
def test_few_edges_come_in_the_order_of_many(store: Any, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [[f"f{i:02d}"] for i in range(30)] + [["f01", "f02"], ["f03", "s0", "f04"], ["f05"] * 2, ["none"]]
    at_once = [store.edges(ANA, ids, limit, inactive=True) for ids in asked]
    monkeypatch.setattr(store, "_few_edge_rows", lambda *_: None)
    assert at_once == [store.edges(ANA, ids, limit, inactive=True) for ids in asked]
    assert any(len(found) > 2 for found in at_once)


def test_what_a_form_with_few_edges_costs(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    scope, run = Scope("t", "ana", frozenset()), list[str]()
    store.forms(scope, ["f01"])  # the owner's number is known from here on
    rows = store._rows
    monkeypatch.setattr(store, "_rows", lambda sql, params=(): run.append(sql) or rows(sql, params))
    store.edges(scope, ["f01"], 16, inactive=True)
    assert len(run) == 1
    assert run[0].count("FROM edges") == 2  # either end once, whatever the statuses
