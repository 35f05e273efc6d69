"""Random traffic, one act, its undo: everything reads as if the act had not been."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forms_dynamics import Conflict, InvalidInput, Memory, NotFound
from forms_dynamics.testing import FixedClock, ScriptedExtractor

TYPES = """\
form_type: firm
identity: [name]
life: {fade_per_day: 0.99}
slots:
  name: {type: text, fade_per_day: 1}
  city: {type: text}
  staff: {type: integer}
  tags: {type: text, many: true}
---
form_type: deal
identity: [title]
slots:
  title: {type: text}
  firm: {type: text}
  staff: {type: integer}
"""
RULES = """\
relation: for_firm
from: deal
to: firm
when: "deal.firm == firm.name"
strength: {weight: 0.8, half_life_days: 30, floor: 0.3}
---
relation: knows
from: firm
to: firm
---
relation: near
from: deal
to: firm
"""
FIRMS = ("Acme", "Birch", "海蓝电子")
DEALS = ("Pumps", "Valves")
VALUES: dict[str, tuple[Any, ...]] = {
    "city": ("Leeds", "杭州", "York"), "staff": (3, 7, 9), "tags": ("old", "新", "big"), "firm": FIRMS,
}  # fmt: skip


def message(number: int, said: tuple[Any, ...]) -> tuple[str, list[dict[str, Any]]]:
    """A message about a firm or a deal, and what is read from it; where it is not sure, it waits for a person."""
    kind, name, slot, value, sure, negated = said
    names, key = (FIRMS, "name") if kind == "firm" else (DEALS, "title")
    called = names[name % len(names)]
    if slot not in (("city", "staff", "tags") if kind == "firm" else ("firm", "staff")):
        slot = "staff"
    given = VALUES[slot][value % len(VALUES[slot])]
    told: dict[str, Any] = {
        "value": given,
        "confidence": 0.95 if sure else 0.6,
        "evidence": f"{slot} {given}",
    }
    if negated and slot == "tags":
        told["negated"] = True
    named = {key: {"value": called, "confidence": 0.99, "evidence": called}}
    text = f"{number}: {called} {slot} {given}"
    return text, [{"form_type": kind, "slots": {**named, slot: told}}]


class World:
    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    # -- one act ---------------------------------------------------------------------------------------------
    def act(self, kind: str, one: int, two: int, slot: str, value: int) -> str | None:
        """The id of the act; None where it cannot be done here."""
        memory = self.memory
        forms = memory.find(status="any")
        form, other = forms[one % len(forms)], forms[two % len(forms)]
        waiting = memory.pending()
        edges = [
            e
            for f in forms
            for e in memory.edges(f.id)
            if "@" not in e.source and e.relation != "derived_from"
        ]
        edges = [*edges, *memory.candidates()]
        acts: dict[str, Callable[[], Any]] = {
            "correct": lambda: memory.correct(form.id, slot, VALUES.get(slot, (1,))[value % 3]),
            "retract": lambda: memory.retract(form.id, slot),
            "invalidate": lambda: memory.invalidate(form.id, "gone"),
            "rollback": lambda: memory.rollback(form.id, 1 + value % form.version),
            "merge": lambda: memory.merge(form.id, other.id),
            "split": lambda: memory.split(form.id, [slot]),
            "right": lambda: memory.mark(form.id, slot, right=True),
            "wrong": lambda: memory.mark(form.id, slot, right=False),
            "link": lambda: memory.link(form.id, "near" if form.type == "deal" else "knows", other.id),
        }
        if waiting:
            item = waiting[one % len(waiting)]
            acts["confirm"] = lambda: memory.confirm(item.id)
            acts["refuse"] = lambda: memory.refuse(item.id)
        if edges:
            edge = edges[two % len(edges)]
            acts["edge right"] = lambda: memory.mark(edge.id, right=True)
            acts["edge wrong"] = lambda: memory.mark(edge.id, right=False)
        if kind not in acts:
            return None
        try:
            receipt = acts[kind]()
        except (InvalidInput, Conflict, NotFound):
            return None
        return str(receipt.act)

    # -- what must be the same -------------------------------------------------------------------------------
    def told(self, since: set[str] | None = None) -> dict[str, Any]:
        """All that a reader can see. What the act made stays in the history alone: ``since`` names the edges and Forms
        that were there before."""
        memory = self.memory
        forms = [f for f in memory.find(status="any") if since is None or f.id in since]
        edges = {}
        for form in forms:
            for edge in memory.edges(form.id, include_inactive=True):
                if "@" in edge.source or edge.relation == "derived_from":
                    continue
                if since is None or edge.id in since:
                    edges[edge.id] = replace(edge, last_accessed=edge.created_at)
                else:
                    assert edge.status in ("invalid", "superseded"), edge
        questions = ["Acme city", "海蓝电子 staff", "Pumps firm"]
        return {
            "forms": {f.id: (f.status, dict(f.slots), f.aliases, f.external_ids, f.user) for f in forms},
            "found": {n: [f.id for f in memory.find("firm", name=n)] for n in FIRMS},
            "deals": {n: [f.id for f in memory.find("deal", title=n)] for n in DEALS},
            "edges": edges,
            "pending": sorted(map(str, memory.pending())),
            "candidates": sorted(e.id for e in memory.candidates()),
            "recalls": {q: self.recalled(q) for q in (*questions, "Birch", "Leeds")},
        }

    def recalled(self, question: str) -> Any:
        context = self.memory.recall(question, max_hops=2)
        return context.text, [f.id for f in context.forms], context.questions


def same(before: dict[str, Any], after: dict[str, Any]) -> None:
    for part in before:
        assert after[part] == before[part], part


KINDS = (
    "correct", "retract", "invalidate", "rollback", "merge", "split", "right", "wrong", "link", "confirm", "refuse",
    "edge right", "edge wrong",
)  # fmt: skip
SAY = st.tuples(
    st.sampled_from(["firm", "firm", "deal"]), st.integers(0, 2), st.sampled_from(["city", "staff", "tags", "firm"]),
    st.integers(0, 2), st.sampled_from([True, True, False]), st.sampled_from([False, False, True]),
)  # fmt: skip
ACT_PARTS = (
    st.sampled_from(KINDS), st.integers(0, 7), st.integers(0, 7), st.sampled_from(["city", "staff", "tags", "firm"]),
    st.integers(0, 5),
)  # fmt: skip
ACT = st.tuples(*ACT_PARTS)


def opened(folder: Path, script: dict[str, Any], clock: FixedClock) -> Memory:
    return Memory.open(
        ":memory:", form_types=[folder / "types.yaml"], relation_rules=[folder / "rules.yaml"],
        extractor=ScriptedExtractor(script), clock=clock,
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("schema")
    (path / "types.yaml").write_text(TYPES, encoding="utf-8")
    (path / "rules.yaml").write_text(RULES, encoding="utf-8")
    return path


def check(folder: Path, says: list[Any], acts: list[Any], last: Any) -> None:
    clock = FixedClock(datetime(2026, 6, 1, tzinfo=UTC))
    said = [message(number, one) for number, one in enumerate(says)]
    with opened(folder, dict(said), clock) as memory:
        world = World(memory)
        for number, (text, _) in enumerate(said):
            memory.observe(text, conversation=f"c{number % 2}", id=f"m{number}")
            clock.advance(days=1)
        for earlier in acts:
            world.act(*earlier)
        before = world.told()
        act = world.act(*last)
        if act is None:
            return
        try:
            memory.undo(act)
        except Conflict as no:
            if "nothing to take back" not in str(no):  # it changed nothing
                raise
        same(before, world.told({*before["forms"], *before["edges"]}))
        assert memory.verify().ok, memory.verify().problems
        memory.rebuild()
        after = world.told({*before["forms"], *before["edges"]})
        same({part: before[part] for part in ("forms", "found", "deals", "pending")}, after)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(says=st.lists(SAY, min_size=2, max_size=7), acts=st.lists(ACT, max_size=2), last=ACT)
def test_an_act_that_is_undone_leaves_nothing(
    folder: Path, says: list[Any], acts: list[Any], last: Any
) -> None:
    check(folder, says, acts, last)


def chain(folder: Path, says: list[Any], acts: list[Any]) -> None:
    """Acts, one on the other, then their undos, the last first: after each all reads as before its act."""
    clock = FixedClock(datetime(2026, 6, 1, tzinfo=UTC))
    said = [message(number, one) for number, one in enumerate(says)]
    with opened(folder, dict(said), clock) as memory:
        world = World(memory)
        for number, (text, _) in enumerate(said):
            memory.observe(text, conversation=f"c{number % 2}", id=f"m{number}")
            clock.advance(days=1)
        done: list[tuple[str, dict[str, Any]]] = []
        for undo, *one in acts:
            before = world.told()
            if not undo:
                act = world.act(*one)
                if act is not None:
                    done.append((act, before))
            elif done:
                take_back(world, *done.pop())
        while done:
            take_back(world, *done.pop())
        assert memory.verify().ok, memory.verify().problems
        before = world.told()
        memory.rebuild()
        same({part: before[part] for part in ("forms", "found", "deals", "pending")}, world.told())


def take_back(world: World, act: str, before: dict[str, Any]) -> None:
    try:
        world.memory.undo(act)
    except Conflict as no:
        if "nothing to take back" not in str(no):  # it changed nothing
            raise
    same(before, world.told({*before["forms"], *before["edges"]}))


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    says=st.lists(SAY, min_size=2, max_size=5),
    acts=st.lists(st.tuples(st.sampled_from([False, False, True]), *ACT_PARTS), min_size=2, max_size=8),
)
def test_acts_and_undos_in_any_chain_restore_each_state(
    folder: Path, says: list[Any], acts: list[Any]
) -> None:
    chain(folder, says, acts)


@pytest.mark.parametrize("kind", ["right", "wrong", "correct", "retract", "rollback", "invalidate", "split"])
@pytest.mark.parametrize("first", ["invalidate", "merge", "split"])
def test_a_status_comes_back_whatever_was_undone_in_between(folder: Path, first: str, kind: str) -> None:
    one, two = (first, 0, 1, "city", 0), (kind, 0, 1, "staff", 0)
    back = ("rollback", 0, 0, "city", 0)
    says = [
        ("firm", 0, "city", 0, True, False),
        ("firm", 0, "staff", 0, True, False),
        ("firm", 1, "city", 1, True, False),
    ]
    chain(folder, says, [(False, *one), (False, *two), (False, *back), (True, *back), (True, *two)])


SAID = ("firm", 0, "city", 0, True, False)


@pytest.mark.parametrize("times", [2, 4])
def test_the_words_of_an_undone_confirmation_are_quoted_as_before(folder: Path, times: int) -> None:
    unsure = ("firm", 1, "city", 0, False, False)
    check(folder, [SAID] * times + [unsure], [], ("confirm", 0, 0, "city", 0))
