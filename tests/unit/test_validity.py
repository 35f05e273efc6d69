"""When a relation holds, what a recall walks as of a day, and other ends in bulk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from filed import START, Filed

from forms_dynamics import Conflict, Context, DynamicEdge, InvalidInput

YAML = """\
form_type: deal
identity: [title]
slots: {title: {type: text}, firm: {type: text}}
---
form_type: firm
identity: [name]
slots: {name: {type: text}, town: {type: text}, phone: {type: text}}
---
form_type: town
identity: [name]
slots: {name: {type: text}, mayor: {type: text}}
---
form_type: taste
identity: [who]
slots: {who: {type: text}, likes: {type: text, many: true}, drink: {type: text, fade_per_day: 0.95}}
---
relation: with_firm
from: deal
to: firm
cardinality: many_to_one
strength: {weight: 0.9, floor: 0.7, half_life_days: 30}
when: "deal.firm == firm.name"
---
relation: seated_in
from: firm
to: town
cardinality: many_to_one
strength: {weight: 0.9, floor: 0.7}
when: "firm.town == town.name"
---
relation: stays_in
from: firm
to: town
cardinality: many_to_one
strength: {weight: 0.9, valid_days: 7, cold_after_days: 5}
---
relation: visits
from: firm
to: town
strength: {weight: 0.9}
"""


def day(n: float) -> datetime:
    return START + timedelta(days=n)


class World(Filed):
    def __init__(self, path: Path, script: Mapping[str, Any]) -> None:
        super().__init__(path, YAML, script)

    def on(self, n: float) -> None:
        self.clock.advance(seconds=(day(n) - self.clock.now()).total_seconds())

    def id(self, form_type: str, **slots: Any) -> str:
        (form,) = self.memory.find(form_type, **slots)
        return form.id

    def edges(self, form_id: str, relation: str) -> list[DynamicEdge]:
        return self.drawn(relation, form_id)


Made = Callable[..., World]


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    worlds: list[World] = []

    def make(script: Mapping[str, Any] | None = None) -> World:
        worlds.append(World(tmp_path, script or {}))
        return worlds[-1]

    yield make
    for world in worlds:
        world.memory.close()


def pruned(context: Context) -> set[str]:
    return {step.reason for step in context.trace.steps if step.kind == "prune"}


@pytest.fixture
def corrected(made: Made) -> World:
    """A deal with Alder (in Bergen) that turns out on day 10 to be with Birch (in Turin)."""
    world = made()
    for name, mayor in (("Bergen", "Mayor Nilsen"), ("Turin", "Mayor Rossi")):
        world.memory.record("town", {"name": name, "mayor": mayor})
    world.memory.record("firm", {"name": "Alder", "town": "Bergen", "phone": "A-111"})
    world.memory.record("firm", {"name": "Birch", "town": "Turin", "phone": "B-222"})
    world.memory.record("deal", {"title": "Kite", "firm": "Alder"}, source="user")
    world.on(10)
    world.memory.correct(world.id("deal"), "firm", "Birch")
    world.on(20)
    return world


# -- as of a day ---------------------------------------------------------------------------------------------
def test_a_corrected_edge_is_walked_as_of_the_days_on_which_it_held(corrected: World) -> None:
    recall = corrected.memory.recall
    for hops, old, new in ((1, "A-111", "B-222"), (2, "Nilsen", "Rossi")):
        before = recall("Kite", max_hops=hops, as_of=day(9)).text
        assert old in before, hops
        assert new not in before, hops
        for moment in (day(10), day(11), None):
            after = recall("Kite", max_hops=hops, as_of=moment).text
            assert new in after, (hops, moment)
            assert old not in after, (hops, moment)
    assert "superseded" in pruned(recall("Kite"))
    assert "A-111" not in recall("Kite", include_expired=True).text, "superseded is not over"


def test_the_ends_are_told(corrected: World) -> None:
    old, new = sorted(corrected.edges(corrected.id("deal"), "with_firm"), key=lambda e: e.created_at)
    assert (old.status, old.valid_from, old.valid_until) == ("superseded", day(0), day(10))
    assert (new.status, new.valid_from, new.valid_until) == ("active", day(10), None)


def test_undoing_a_correction_is_as_if_it_had_never_been(corrected: World) -> None:
    acts = [row for row in corrected.memory.export() if row["kind"] == "act"]
    corrected.memory.undo(acts[0]["id"])
    for moment in (day(9), day(15), None):
        text = corrected.memory.recall("Kite", as_of=moment).text
        assert "A-111" in text, moment
        assert "B-222" not in text, moment
    (there,) = [e for e in corrected.edges(corrected.id("deal"), "with_firm") if e.status == "active"]
    assert (there.valid_from, there.valid_until) == (day(0), None)


def test_what_comes_back_keeps_when_it_held_before(corrected: World) -> None:
    corrected.memory.correct(corrected.id("deal"), "firm", "Alder")
    corrected.on(30)
    told = {n: corrected.memory.recall("Kite", as_of=day(n)).text for n in (5, 15, 25)}
    assert ["A-111" in told[n] for n in (5, 15, 25)] == [True, False, True]
    assert ["B-222" in told[n] for n in (5, 15, 25)] == [False, True, False]
    assert all(e.attributes == {} for e in corrected.edges(corrected.id("deal"), "with_firm"))


def test_a_retracted_value_never_tied_anything_and_undo_brings_it_back(corrected: World) -> None:
    act = corrected.memory.retract(corrected.id("deal"), "firm").act
    assert act is not None
    for moment in (day(5), day(15), None):
        text = corrected.memory.recall("Kite", as_of=moment).text
        assert "A-111" not in text, moment
        assert "B-222" not in text, moment
    corrected.memory.undo(act)
    assert "B-222" in corrected.memory.recall("Kite", as_of=day(15)).text
    assert "B-222" in corrected.memory.recall("Kite").text


def test_a_form_that_is_invalid_is_reached_as_of_the_days_before(corrected: World) -> None:
    corrected.memory.invalidate(corrected.id("firm", name="Birch"), "gone")
    corrected.on(21)
    assert "B-222" not in corrected.memory.recall("Kite").text
    assert "B-222" in corrected.memory.recall("Kite", as_of=day(19)).text
    (edge,) = [e for e in corrected.edges(corrected.id("deal"), "with_firm") if e.valid_from == day(10)]
    assert (edge.status, edge.valid_until) == ("superseded", day(20))


def test_nobody_walks_an_edge_before_it_was_said(made: Made) -> None:
    world = made()
    firm = world.memory.record("firm", {"name": "Alder"}).forms[0]
    town = world.memory.record("town", {"name": "Bergen", "mayor": "Nilsen"}).forms[0]
    world.on(5)
    world.memory.link(firm, "visits", town)
    assert "Nilsen" not in world.memory.recall("Alder", as_of=day(4)).text
    assert "Nilsen" in world.memory.recall("Alder", as_of=day(5)).text


# -- said ends -----------------------------------------------------------------------------------------------
def firm_visits(relation: str, name: str, town: str, **more: Any) -> dict[str, Any]:
    return {
        "form_type": "firm",
        "slots": {"name": {"value": name, "evidence": name, "confidence": 0.95}},
        "relations": [{"relation": relation, "to": {"form_type": "town", "name": town}, **more}],
    }


SAID = {
    "en": ("Alder is in Bergen from 5 to 9 January.", "Alder", "Bergen", "Mayor Nilsen", "Who is the mayor? Alder"),
    "zh": ("海蓝电子1月5日到9日在大理办公。", "海蓝电子", "大理", "段市长", "海蓝电子"),
}  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_draft_says_from_when_until_when_its_relation_holds(made: Made, lang: str) -> None:
    text, firm, town, mayor, question = SAID[lang]
    ends = {"valid_from": "2026-01-05T00:00:00+00:00", "valid_until": "2026-01-09T00:00:00"}
    world = made({text: [firm_visits("visits", firm, town, attributes={"for": "talks"}, **ends)]})
    world.memory.record("town", {"name": town, "mayor": mayor})
    world.memory.observe(text, time="2026-01-01T09:00:00+00:00")
    (edge,) = world.edges(world.id("firm"), "visits")
    assert edge.valid_from == datetime.fromisoformat("2026-01-05T00:00:00+00:00")
    assert edge.valid_until == datetime.fromisoformat("2026-01-09T00:00:00+00:00")
    assert edge.attributes == {"for": "talks"}
    early = world.memory.recall(question)
    assert mayor not in early.text
    assert "not yet valid" in pruned(early)
    world.on(5)
    assert mayor in world.memory.recall(question).text
    world.on(10)
    late = world.memory.recall(question)
    assert mayor not in late.text
    assert "expired" in pruned(late)
    assert world.edges(world.id("firm"), "visits")[0].expired
    assert mayor in world.memory.recall(question, include_expired=True).text
    assert mayor in world.memory.recall(question, as_of=day(6)).text
    assert mayor not in world.memory.recall(question, as_of=day(2)).text


@pytest.mark.parametrize(
    ("ends", "reason"),
    [
        ({"valid_until": "next week"}, "ISO 8601"),
        ({"valid_from": 5}, "ISO 8601"),
        (
            {"valid_from": "2026-02-01T00:00:00Z", "valid_until": "2026-01-01T00:00:00Z"},
            "after its valid_from",
        ),
    ],
)
def test_an_end_that_is_no_time_refuses_the_relation_and_nothing_else(
    made: Made, ends: dict[str, Any], reason: str
) -> None:
    world = made({"Alder visits Bergen": [firm_visits("visits", "Alder", "Bergen", **ends)]})
    world.memory.record("town", {"name": "Bergen"})
    receipt = world.memory.observe("Alder visits Bergen")
    assert [reason in refusal.reason for refusal in receipt.refused] == [True]
    assert world.memory.get(world.id("firm"))["name"] == "Alder"
    assert not world.edges(world.id("firm"), "visits")


def test_a_relation_that_waits_for_its_target_keeps_what_was_said_of_it(made: Made) -> None:
    until = "2026-03-01T00:00:00+00:00"
    world = made({"x": [firm_visits("visits", "x", "Bergen", valid_until=until, attributes={"a": "b"})]})
    world.memory.observe("x")
    (item,) = [p for p in world.memory.pending() if p.reason == "relation_missing"]
    town = world.memory.record("town", {"name": "Bergen"}).forms[0]
    world.memory.confirm(item.id, town)
    (edge,) = world.edges(world.id("firm"), "visits")
    assert (edge.valid_until, edge.attributes) == (datetime.fromisoformat(until), {"a": "b"})


def test_a_removed_relation_ends_and_is_open_again_when_it_is_said_again(made: Made) -> None:
    world = made({
        "Alder visits Bergen": [firm_visits("visits", "Alder", "Bergen")],
        "Alder does not visit Bergen": [firm_visits("visits", "Alder", "Bergen", op="remove")],
    })  # fmt: skip
    world.memory.record("town", {"name": "Bergen", "mayor": "Nilsen"})
    for n, text in (
        (0, "Alder visits Bergen"),
        (10, "Alder does not visit Bergen"),
        (20, "Alder visits Bergen"),
    ):
        world.on(n)
        world.memory.observe(text, time=day(n))
        (edge,) = world.edges(world.id("firm"), "visits")
        assert edge.valid_until == (day(10) if n == 10 else None)
    world.on(30)
    told = ["Nilsen" in world.memory.recall("Alder", as_of=day(n)).text for n in (5, 15, 25)]
    assert told == [True, False, True]


def test_a_relation_to_one_target_leaves_the_one_before(made: Made) -> None:
    world = made({f"Alder in {t}": [firm_visits("stays_in", "Alder", t)] for t in ("Bergen", "Turin")})
    for town in ("Bergen", "Turin"):
        world.memory.record("town", {"name": town, "mayor": f"Mayor {town}"})
    for n, town in ((0, "Bergen"), (3, "Turin")):
        world.on(n)
        world.memory.observe(f"Alder in {town}", time=day(n))
    told = {e.status: e.valid_until for e in world.edges(world.id("firm"), "stays_in")}
    assert told == {"superseded": day(3), "active": day(10)}
    assert "Mayor Bergen" in world.memory.recall("Alder", as_of=day(1)).text
    assert "Mayor Bergen" not in world.memory.recall("Alder", as_of=day(4)).text


def test_the_days_of_a_relation_end_its_edges_and_saying_it_again_renews_them(made: Made) -> None:
    world = made({"Alder in Bergen": [firm_visits("stays_in", "Alder", "Bergen")]})
    world.memory.record("town", {"name": "Bergen", "mayor": "Nilsen"})

    def end(n: float) -> datetime | None:
        world.on(n)
        world.memory.observe("Alder in Bergen", time=day(n))
        (edge,) = world.edges(world.id("firm"), "stays_in")
        return edge.valid_until

    assert end(0) == day(7)
    assert end(4) == day(11)
    world.on(12)
    assert "expired" in pruned(world.memory.recall("Alder"))
    assert end(20) == day(27)
    assert "Nilsen" in world.memory.recall("Alder").text
    assert "Nilsen" not in world.memory.recall("Alder", as_of=day(15)).text
    assert "Nilsen" in world.memory.recall("Alder", as_of=day(6)).text


def test_an_edge_not_hit_for_its_days_is_cold(made: Made) -> None:
    world = made({"Alder in Bergen": [firm_visits("stays_in", "Alder", "Bergen")]})
    world.memory.record("town", {"name": "Bergen", "mayor": "Nilsen"})
    world.memory.observe("Alder in Bergen", time=day(0))
    world.on(6)
    assert world.edges(world.id("firm"), "stays_in")[0].cold
    default = world.memory.recall("Alder")
    assert "Nilsen" not in default.text
    assert "cold" in pruned(default)
    assert "Nilsen" in world.memory.recall("Alder", include_cold=True).text
    world.memory.observe("Alder in Bergen", time=day(6))
    assert "Nilsen" in world.memory.recall("Alder").text


# -- in bulk -------------------------------------------------------------------------------------------------
@pytest.fixture
def many(made: Made) -> World:
    world = made()
    towns = [world.memory.record("town", {"name": f"T{n}"}).forms[0] for n in range(3)]
    for n in range(3):
        world.on(n)
        firm = world.memory.record("firm", {"name": f"F{n}"}).forms[0]
        world.memory.link(firm, "visits", towns[n])
        world.memory.record(
            "taste", {"who": f"W{n}", "likes": ["tea", "rain"], "drink": "cocoa"}, source="user"
        )
    world.on(10)
    return world


def rows(world: World, kind: str) -> list[Any]:
    return [row for row in world.memory.export() if row["kind"] == kind]


def ends(world: World, relation: str = "visits") -> list[datetime | None]:
    found = {e.id: e for f in world.memory.find("firm") for e in world.edges(f.id, relation)}
    return [e.valid_until for e in sorted(found.values(), key=lambda e: e.created_at)]


def test_ends_of_edges_by_relation(many: World) -> None:
    before = rows(many, "edge")
    planned = many.memory.set_validity(relation="visits", days=30, dry_run=True)
    assert len(planned.edges) == 3
    assert planned.act is None
    assert rows(many, "edge") == before
    assert not [a for a in rows(many, "act") if a["act"] == "validity"]
    done = many.memory.set_validity(relation="visits", days=30)
    assert sorted(done.edges) == sorted(planned.edges)
    assert ends(many) == [day(30), day(31), day(32)]
    assert many.memory.set_validity(relation="visits", days=30).act is None, (
        "nothing changes, nothing is written"
    )
    later = many.memory.set_validity(relation="visits", until=day(1.5))
    assert ends(many) == [day(1.5), day(1.5), day(32)], "what begins later keeps its own"
    opened = many.memory.set_validity(relation="visits")
    assert ends(many) == [None, None, None]
    for act in (opened.act, later.act, done.act):
        assert act is not None
        many.memory.undo(act)
    assert rows(many, "edge") == before
    assert done.act is not None
    with pytest.raises(Conflict):
        many.memory.undo(done.act)


def test_ends_of_values_by_form_type_and_slot(many: World) -> None:
    forms = {f["who"]: f for f in many.memory.find("taste")}
    done = many.memory.set_validity(form_type="taste", slot="drink", days=20)
    assert len(done.versions) == 3
    for n in range(3):
        was = forms[f"W{n}"]
        now = many.memory.get(was.id)
        assert now.version == 2
        old, new = was.slots["drink"], now.slots["drink"]
        assert new.valid_until == day(n + 20)
        assert (new.value, new.confidence, new.source, new.valid_from, new.confirmed_at, new.evidence) == (
            old.value, old.confidence, old.source, old.valid_from, old.confirmed_at, old.evidence,
        )  # fmt: skip
        assert now.slots["likes"] == was.slots["likes"]
        assert many.memory.history(was.id)[-1].cause == "validity"
        assert [s.valid_until for s in many.memory.history(was.id, slot="drink")] == [day(n + 20)]
    assert many.memory.set_validity(form_type="taste", slot="drink", days=20).versions == ()
    assert many.memory.verify().ok
    many.on(30)
    assert all(f["drink"] is None for f in many.memory.find("taste"))
    assert all(many.memory.get(f.id, as_of=day(15))["drink"] == "cocoa" for f in forms.values())
    opened = many.memory.set_validity(form_type="taste", slot="drink")
    assert [f["drink"] for f in many.memory.find("taste")] == ["cocoa"] * 3, "what is over is open again"
    for act in (opened.act, done.act):
        assert act is not None
        many.memory.undo(act)
    assert {f.slots["drink"].valid_until for f in many.memory.find("taste")} == {None}


def test_ends_of_all_slots_and_of_lists(many: World) -> None:
    done = many.memory.set_validity(form_type="taste", days=5)
    one = many.memory.find("taste")
    assert one == [] or all(f["likes"] is None for f in one)
    taste = done.forms[0]
    (told,) = many.memory.history(taste, slot="likes")
    assert (told.value, told.valid_from, told.valid_until) == (("tea", "rain"), day(0), day(5))
    assert done.act is not None
    many.memory.undo(done.act)
    assert many.memory.get(taste)["likes"] == ("tea", "rain")


def test_values_that_another_took_the_place_of_stay_as_they_were(many: World) -> None:
    form = many.memory.find("taste")[0]
    many.memory.correct(form.id, "drink", "milk")
    many.on(12)
    before = many.memory.history(form.id, slot="drink")
    many.memory.set_validity(form_type="taste", slot="drink", days=90)
    after = many.memory.history(form.id, slot="drink")
    assert [(s.value, s.valid_from) for s in after] == [(s.value, s.valid_from) for s in before]
    assert after[0] == before[0]
    assert after[1].valid_until == day(100)


def test_fading_goes_on_from_the_day_on_which_it_was_said(many: World) -> None:
    form = many.memory.find("taste", who="W0")[0]
    many.on(40)
    sure = many.memory.get(form.id).slots["drink"].confidence
    many.memory.set_validity(form_type="taste", slot="drink", days=365)
    assert many.memory.get(form.id).slots["drink"].confidence == pytest.approx(sure)
    many.on(41)
    assert many.memory.get(form.id).slots["drink"].confidence == pytest.approx(sure * 0.95)


def test_more_than_a_step_is_one_act(many: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forms_dynamics.acts._STEP", 2)
    before = rows(many, "edge")
    edges = many.memory.set_validity(relation="visits", days=30)
    values = many.memory.set_validity(form_type="taste", days=300)
    assert (len(edges.edges), len(values.versions)) == (3, 3)
    assert [a["act"] for a in rows(many, "act")].count("validity") == 2
    for act in (values.act, edges.act):
        assert act is not None
        many.memory.undo(act)
    assert rows(many, "edge") == before
    assert {f.slots["likes"].valid_until for f in many.memory.find("taste")} == {None}


WRONG: Sequence[tuple[dict[str, Any], str]] = [
    ({}, "one of relation and form_type"),
    ({"relation": "visits", "form_type": "firm"}, "one of relation and form_type"),
    ({"relation": "vists"}, "did you mean 'visits'"),
    ({"form_type": "tast"}, "did you mean 'taste'"),
    ({"form_type": "taste", "slot": "drnk"}, "did you mean 'drink'"),
    ({"relation": "visits", "slot": "drink"}, "a slot is of a form_type"),
    ({"relation": "visits", "days": 3, "until": START}, "not both"),
    ({"relation": "visits", "days": 0}, "above 0"),
    ({"relation": "visits", "days": -1.5}, "above 0"),
    ({"relation": "visits", "days": float("nan")}, "above 0"),
    ({"relation": "visits", "days": float("inf")}, "above 0"),
    ({"relation": "visits", "days": "7"}, "above 0"),
    ({"relation": "visits", "days": True}, "above 0"),
    ({"relation": "visits", "until": "soon"}, "ISO 8601"),
    ({"relation": "visits", "until": datetime(2026, 1, 1)}, "no offset"),
]


@pytest.mark.parametrize(("given", "says"), WRONG)
def test_bad_input_says_what_is_wrong_and_writes_nothing(
    many: World, given: dict[str, Any], says: str
) -> None:
    before = list(many.memory.export())
    with pytest.raises(InvalidInput, match=says):
        many.memory.set_validity(**given)
    assert list(many.memory.export()) == before


def test_a_graph_as_of_a_day_has_the_edges_that_held_then(corrected: World) -> None:
    def drawn(**at: Any) -> set[str]:
        graph = corrected.memory.graph(lang="en", **at)
        return {
            graph.nodes[end]["label"] for _, end, row in graph.edges(data=True) if row["label"] == "with_firm"
        }

    assert drawn(as_of=day(5)) == {"Alder"}
    assert drawn(as_of=day(15)) == {"Birch"}
    assert drawn() == {"Birch"}
