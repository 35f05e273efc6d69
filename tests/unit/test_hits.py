"""Which messages hit an edge, and that recalls do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from filed import Filed

from forms_dynamics import DynamicEdge, Memory

YAML = """\
form_type: firm
identity: [name]
slots: {name: {type: text}, city: {type: text}}
---
form_type: bill
identity: {any: [[number], [firm]]}
slots: {number: {type: text}, firm: {type: text}, sum: {type: integer}}
---
form_type: meeting
identity: [title]
slots: {title: {type: text}, guests: {type: text, many: true}}
---
form_type: person
identity: [name]
slots: {name: {type: text}, phone: {type: text}}
---
relation: for_firm
from: bill
to: firm
cardinality: many_to_one
strength: {weight: 0.7, floor: 0.6, half_life_days: 30}
when: "bill.firm == firm.name"
---
relation: invites
from: meeting
to: person
strength: {weight: 0.7}
when: "meeting.guests == person.name"
---
relation: partner_of
from: firm
to: firm
strength: {weight: 0.7}
"""


def draft(form_type: str, relations: Sequence[Any] = (), **slots: Any) -> dict[str, Any]:
    made = {n: {"value": v, "evidence": str(v), "confidence": 0.95} for n, v in slots.items()}
    for given in made.values():
        if isinstance(given["value"], list):
            given["evidence"] = " and ".join(given["value"])
    return {"form_type": form_type, "slots": made, "relations": list(relations)}


SCRIPT: dict[str, Any] = {
    "B-1 for Alder is 100": [draft("bill", number="B-1", firm="Alder", sum=100), draft("firm", name="Alder")],
    "B-1 is 120 now": [draft("bill", number="B-1", sum=120)],
    "B-1 is for Alder": [draft("bill", number="B-1", firm="Alder")],
    "Alder is in Bergen": [draft("firm", name="Alder", city="Bergen")],
    "Alder in Oslo, B-1 120": [draft("firm", name="Alder", city="Oslo"), draft("bill", number="B-1", sum=120)],
    "Birch is in Turin": [draft("firm", name="Birch", city="Turin")],
    "Kickoff with Ann and Bo": [
        draft("meeting", title="Kickoff", guests=["Ann", "Bo"]), draft("person", name="Ann"),
        draft("person", name="Bo"),
    ],
    "Kickoff, Ann comes": [draft("meeting", title="Kickoff", guests=["Ann"])],
    "Alder is a partner of Birch": [
        draft("firm", name="Birch"),
        draft("firm", [{"relation": "partner_of", "to": {"form_type": "firm", "name": "Birch"}}], name="Alder"),
    ],
}  # fmt: skip


class World(Filed):
    def __init__(self, path: Path) -> None:
        super().__init__(path, YAML, SCRIPT)

    def say(self, text: str, **more: Any) -> Any:
        return self.memory.observe(text, **{"time": self.clock.now(), **more})

    def edges(self, relation: str = "for_firm") -> list[DynamicEdge]:
        return self.drawn(relation)

    def edge(self, relation: str = "for_firm") -> DynamicEdge:
        (found,) = self.edges(relation)
        return found

    def hits(self, relation: str = "for_firm") -> list[int]:
        rows = [r for r in self.memory.export() if r["kind"] == "edge" and r["relation"] == relation]
        return [r["hits"] for r in sorted(rows, key=lambda r: (r["source"], r["target"]))]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    with made.memory:
        yield made


def test_the_message_that_draws_an_edge_is_its_first_hit(world: World) -> None:
    world.say("B-1 for Alder is 100")
    assert world.hits() == [1]
    assert world.edge().weight == pytest.approx(0.7)


def test_touching_both_ends_is_a_hit_and_one_end_is_none(world: World) -> None:
    world.say("B-1 for Alder is 100")
    world.clock.advance(days=30)
    before = world.edge()
    world.say("B-1 is 120 now")
    world.say("Alder is in Bergen")
    assert world.hits() == [1]
    assert world.edge() == before
    world.say("Alder in Oslo, B-1 120")
    assert world.hits() == [2]
    after = world.edge()
    assert before.weight == pytest.approx(0.65)
    assert after.weight == pytest.approx(0.65 + 0.35 * 0.2, abs=1e-6)
    assert after.last_accessed == world.clock.now()
    assert after.created_at == before.created_at


def test_saying_the_joined_value_again_is_a_hit_even_where_it_makes_no_version(world: World) -> None:
    world.say("B-1 for Alder is 100")
    world.clock.advance(days=30)
    receipt = world.say("B-1 is for Alder")
    assert not receipt.versions
    assert world.hits() == [2]


def test_of_a_list_the_edges_to_what_was_named_are_hit(world: World) -> None:
    world.say("Kickoff with Ann and Bo")
    names = {f.id: f["name"] for f in world.memory.find("person")}
    world.clock.advance(days=3)
    world.say("Kickoff, Ann comes")
    told = {names[e.target]: e.last_accessed == world.clock.now() for e in world.edges("invites")}
    assert told == {"Ann": True, "Bo": False}


def test_a_relation_stated_again_is_one_hit_though_the_message_touches_both_ends(world: World) -> None:
    world.say("Alder is a partner of Birch")
    assert world.hits("partner_of") == [1]
    world.clock.advance(days=30)
    world.say("Alder is a partner of Birch")
    assert world.hits("partner_of") == [2]
    assert world.edge("partner_of").weight == pytest.approx(0.7 + 0.3 * 0.2, abs=1e-6)


def test_an_assistants_turn_hits_nothing(world: World) -> None:
    world.say("B-1 for Alder is 100")
    world.say("Alder is a partner of Birch")
    world.clock.advance(days=30)
    for text in ("B-1 is for Alder", "Alder in Oslo, B-1 120", "Alder is a partner of Birch"):
        world.say(text, role="assistant", speaker="bot")
    assert world.hits() == [1]
    assert world.hits("partner_of") == [1]


def test_the_same_message_again_and_a_dry_run_hit_nothing(world: World) -> None:
    world.say("B-1 for Alder is 100", id="m1")
    world.clock.advance(days=30)
    world.say("B-1 is for Alder", id="m2", dry_run=True)
    assert world.hits() == [1]
    world.say("B-1 is for Alder", id="m2")
    world.say("B-1 is for Alder", id="m2")
    assert world.hits() == [2]


def test_a_burst_of_messages_counts_less_than_one_a_month_later(world: World) -> None:
    world.say("B-1 for Alder is 100")
    world.memory.observe_many(
        [{"text": "B-1 is for Alder", "time": world.clock.now(), "id": f"b{n}"} for n in range(100)]
    )
    assert world.hits() == [101]
    burst = world.edge().weight
    assert burst < 0.7 + 0.3 * 0.2
    world.clock.advance(days=30)
    before = world.edge().weight
    world.say("B-1 is for Alder")
    assert world.edge().weight - before > burst - 0.7


def test_a_thousand_recalls_change_no_weight_and_no_last_hit(world: World) -> None:
    world.say("B-1 for Alder is 100")
    before = [r for r in world.memory.export() if r["kind"] == "edge"]
    walked = 0
    for _ in range(1000):
        context = world.memory.recall("Alder")
        walked += any(s.kind == "walk" for s in context.trace.steps)
    assert walked == 1000
    assert [r for r in world.memory.export() if r["kind"] == "edge"] == before


def test_late_messages_and_clocks_that_run_ahead_do_not_turn_a_last_hit(world: World) -> None:
    world.say("B-1 for Alder is 100")
    world.clock.advance(days=30)
    world.say("B-1 is for Alder")
    last = world.edge().last_accessed
    world.say("B-1 is for Alder", time=world.clock.now() - timedelta(days=20))
    assert world.edge().last_accessed == last
    world.say("B-1 is for Alder", time=world.clock.now() + timedelta(days=3650))
    assert world.edge().last_accessed == world.clock.now()
    assert world.hits() == [4]
    world.clock.advance(days=30)
    assert world.edge().weight < 0.71


def test_an_edited_message_hits_once(world: World) -> None:
    world.say("B-1 for Alder is 100")
    world.clock.advance(days=30)
    world.say("B-1 is for Alder", id="m2")
    weight = world.edge().weight
    world.say("Alder in Oslo, B-1 120", id="m2", edit=True)
    assert world.hits() == [2]
    assert world.edge().weight == pytest.approx(weight)


def test_an_edit_takes_back_the_edge_that_only_its_old_words_drew(world: World) -> None:
    world.say("Alder is a partner of Birch", id="m1")
    world.say("Alder is in Bergen", id="m1", edit=True)
    assert world.edge("partner_of").status == "invalid"
    world.say("Alder is a partner of Birch", id="m2")
    made = world.edge("partner_of")
    assert (made.status, made.valid_until) == ("active", None)


def test_undoing_a_link_restores_the_edge_as_it_stood(world: World) -> None:
    world.say("Alder is a partner of Birch")
    before = [r for r in world.memory.export() if r["kind"] == "edge"]
    ids = {f["name"]: f.id for f in world.memory.find("firm")}
    world.clock.advance(days=30)
    act = world.memory.link(ids["Alder"], "partner_of", ids["Birch"]).act
    assert world.hits("partner_of") == [2]
    assert act is not None
    world.memory.undo(act)
    assert [r for r in world.memory.export() if r["kind"] == "edge"] == before


def test_rebuilding_keeps_hits_and_ends(world: World) -> None:
    world.say("B-1 for Alder is 100")
    world.say("Birch is in Turin")
    world.clock.advance(days=30)
    world.say("B-1 is for Alder")
    world.clock.advance(days=1)
    (bill,) = world.memory.find("bill")
    world.memory.correct(bill.id, "firm", "Birch")
    before = [r for r in world.memory.export() if r["kind"] == "edge"]
    assert len(before) == 2
    world.memory.rebuild()
    assert [r for r in world.memory.export() if r["kind"] == "edge"] == before


class Counting:
    """How often the store is asked for edges."""

    def __init__(self, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked = 0
        store = memory._store
        real = type(store).edges

        def edges(inner: Any, *args: Any, **more: Any) -> Any:
            self.asked += 1
            return real(inner, *args, **more)

        monkeypatch.setattr(type(store), "edges", edges)


def test_a_message_costs_one_query_at_most_and_none_where_no_edge_can_be(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.say("B-1 for Alder is 100")
    world.say("Kickoff with Ann and Bo")
    counting = Counting(world.memory, monkeypatch)
    world.say("B-1 is for Alder")  # nothing changes: the hit's own query
    assert counting.asked == 1
    counting.asked = 0
    world.say("nothing at all")
    assert counting.asked == 0
