"""Vectors kept in memory follow the store through all that happens to it."""

from __future__ import annotations

import math
import random
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics.adapters.sql import open_store
from forms_dynamics.model.record import ChangeSet, Scope, VectorRow
from forms_dynamics.retrieval.nearness import Document, Likeness, Shelf, forget, of
from forms_dynamics.testing.reference_store import ReferenceStore
from forms_dynamics.testing.store_contract import form, message, version

MINE, OTHER = Scope("t", "", frozenset()), Scope("t", "ben", frozenset())
READER = Scope("t", "ana", frozenset({"lead"}))
ASKED = [0.3, -1.0, 0.5]


@pytest.fixture(params=["file", "memory", "reference"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    made: Any = ReferenceStore() if request.param == "reference" else None
    if made is None:
        made = open_store(tmp_path / "a.db" if request.param == "file" else ":memory:")
    yield made
    made.close()


def expected(store: Any, scope: Scope) -> dict[Document, float]:
    """The cosine of each document's nearest vector, worked out from all of them."""
    out: dict[Document, float] = {}
    for row in store.vectors(scope, "e5"):
        vector = array("f", row.vector)
        size = math.hypot(*vector) * math.hypot(*ASKED)
        cosine = sum(a * b for a, b in zip(vector, ASKED, strict=True)) / size
        out[row.kind, row.id] = max(cosine, out.get((row.kind, row.id), -2.0))
    return out


def same(shelf: Shelf, store: Any) -> None:
    """The shelf, brought up to date, says what the store's own vectors say."""
    wanted = expected(store, shelf.scope)
    assert shelf.refresh(store) == bool(wanted)
    like = shelf.like(ASKED)
    assert {doc: like.get(doc) for doc in wanted} == pytest.approx(wanted, abs=1e-5)
    found = like.nearest(10_000)
    assert dict(found) == pytest.approx(wanted, abs=1e-5)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    assert like.nearest(3) == found[:3]


def vector(chance: random.Random) -> bytes:
    return array("f", (chance.gauss(0, 1) or 1.0 for _ in ASKED)).tobytes()


class Life:
    """Things that happen to one scope: messages and Forms come, change, and go; vectors follow."""

    def __init__(self, store: Any, scope: Scope, seed: int) -> None:
        self.store, self.scope, self.chance = store, scope, random.Random(seed)
        self.said: list[str] = []
        self.forms: dict[str, int] = {}

    def say(self, count: int) -> None:
        with self.store.writing(self.scope):
            seq = self.store.next_seq(self.scope)
            new = [message(seq + i, f"m{self.scope.owner}{seq + i}", f"text {seq + i}") for i in range(count)]
            self.store.apply(self.scope, ChangeSet(messages=new))
        self.said += [m.id for m in new]

    def fill_in(self) -> None:
        id = f"f{self.scope.owner}{len(self.forms)}"
        self.forms[id] = 1
        made = form(id, self.scope.owner, words=f"words {id}")
        self.store.apply(self.scope, ChangeSet(forms=[made], versions=[version(id, 1, "m")]))

    def change(self) -> None:
        if self.forms:
            id = self.chance.choice(list(self.forms))
            self.forms[id] += 1
            changed = form(id, self.scope.owner, words=f"words {id} {self.forms[id]}")
            self.store.apply(self.scope, ChangeSet(forms=[changed]))

    def erase(self) -> None:
        if self.said:
            self.store.erase(self.scope, messages=[self.said.pop(self.chance.randrange(len(self.said)))])

    def embed(self, limit: int) -> None:
        rows = [
            VectorRow(kind, id, part, vector(self.chance))
            for kind, id, _ in self.store.unembedded(self.scope, "e5", limit)
            for part in range(self.chance.choice((1, 1, 2)))
        ]
        self.store.put_vectors(self.scope, "e5", len(ASKED), rows)

    def happen(self) -> None:
        act = self.chance.choice(("say", "fill", "change", "change", "embed", "embed", "erase"))
        if act == "say":
            self.say(self.chance.randint(1, 4))
        elif act == "fill":
            self.fill_in()
        elif act == "embed":
            self.embed(self.chance.choice((1, 3, 64)))
        else:
            self.change() if act == "change" else self.erase()


@pytest.mark.parametrize("seed", range(4))
def test_a_shelf_follows_its_store(store: Any, seed: int) -> None:
    mine, other = Life(store, MINE, seed), Life(store, OTHER, seed + 100)
    shelves = [Shelf(scope, "e5", len(ASKED)) for scope in (MINE, OTHER, READER)]
    for step in range(60):
        mine.happen()
        if step % 3 == 0:
            other.happen()
        same(shelves[step % 3], store)
    mine.embed(1000)
    assert store.unembedded(MINE, "e5", 9) == []
    for shelf in shelves:
        same(shelf, store)


def test_changes_far_from_the_end_are_seen(tmp_path: Path) -> None:
    store = open_store(tmp_path / "a.db")
    life = Life(store, MINE, 7)
    for _ in range(3):
        life.fill_in()
    life.say(1500)
    life.embed(5000)
    shelf = Shelf(MINE, "e5", len(ASKED))
    same(shelf, store)
    numbers = {number for number, row in shelf._rows.items() if row < 900}
    life.say(5)
    life.embed(64)
    same(shelf, store)
    life.change()
    same(shelf, store)
    life.embed(64)
    same(shelf, store)
    assert shelf._matrix is not None
    assert shelf._rows.keys() >= numbers  # followed, not read anew
    life.erase()
    same(shelf, store)
    store.close()


def test_what_a_rebuild_dropped_is_embedded_again(store: Any) -> None:
    life = Life(store, MINE, 3)
    life.say(5)
    life.fill_in()
    life.embed(64)
    assert store.unembedded(MINE, "e5", 9) == []
    store.drop_derived(MINE)
    assert len(store.unembedded(MINE, "e5", 9)) == 6
    life.embed(2)
    assert len(store.unembedded(MINE, "e5", 9)) == 4


def test_documents_stay_waiting_until_they_have_vectors(store: Any) -> None:
    life = Life(store, MINE, 3)
    life.say(3)
    assert len(store.unembedded(MINE, "e5", 9)) == len(store.unembedded(MINE, "e5", 9)) == 3
    life.embed(9)
    assert store.unembedded(MINE, "e5", 9) == []
    life.fill_in()
    life.say(1)
    assert [doc[0] for doc in store.unembedded(MINE, "e5", 9)] == ["message", "form"]


def test_few_shelves_are_kept_and_none_after_forgetting(store: Any) -> None:
    first = of(store, MINE, "e5", 3)
    assert of(store, MINE, "e5", 3) is first
    assert of(store, MINE, "other", 3) is not first
    for i in range(4):
        of(store, Scope("t", f"u{i}", frozenset()), "e5", 3)
    assert of(store, MINE, "e5", 3) is not first
    held = of(store, MINE, "e5", 3)
    forget(store)
    assert of(store, MINE, "e5", 3) is not held


def test_rows_that_could_not_be_stored_count_too(store: Any) -> None:
    life = Life(store, MINE, 5)
    life.say(2)
    life.embed(9)
    shelf = Shelf(MINE, "e5", 3)
    shelf.refresh(store)
    near = array("f", ASKED).tobytes()
    like = shelf.like(ASKED, [VectorRow("message", "fresh", 0, near)])
    assert like.nearest(1) == [(("message", "fresh"), pytest.approx(1.0, abs=1e-5))]
    assert like.get(("message", life.said[0])) is not None


def test_without_numpy_the_cosines_are_the_same(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forms_dynamics.retrieval.nearness._numpy", lambda: None)
    life = Life(store, MINE, 9)
    shelf = Shelf(MINE, "e5", 3)
    for _ in range(30):
        life.happen()
        same(shelf, store)


def test_nothing_is_near_nothing() -> None:
    assert not Likeness()
    assert Likeness().nearest(5) == []
    assert Likeness().get(("message", "m1")) is None
