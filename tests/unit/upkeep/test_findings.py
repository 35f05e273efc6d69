"""Each contradiction by rule: seen, put up once, settled by a person, taken back, and closed when it is no more."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tied import beside

from forms_dynamics import Conflict, InvalidInput, Memory, Pending
from forms_dynamics.compose import compose
from forms_dynamics.testing import FixedClock
from forms_dynamics.upkeep.cycles import cycles, steps

NOON = "2026-06-12T12:00:00+08:00"


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def memory(clock: FixedClock) -> Iterator[Memory]:
    """All that ships, and no step of ``depends_on`` may lead back."""
    parts = compose(":memory:", clock=clock)
    rules = [replace(r, acyclic=r.name == "depends_on") for r in parts.catalog.rules]
    with Memory(replace(parts, catalog=replace(parts.catalog, rules=rules))) as opened:
        yield opened


def made(memory: Memory, form_type: str, /, **slots: Any) -> str:
    return memory.record(form_type, slots).forms[0]


def asked(memory: Memory, kind: str) -> Pending:
    """The only open item of a finding's kind."""
    found = [f.pending for f in memory.upkeep().findings if f.kind == kind]
    assert len(found) == 1, found
    return next(item for item in memory.pending() if item.id == found[0])


def walked(memory: Memory, form: str, relation: str) -> set[str]:
    return {e.target for e in memory.edges(form) if e.relation == relation and e.status == "active"}


def everything(memory: Memory) -> list[str]:
    return [json.dumps(row, ensure_ascii=False, sort_keys=True) for row in memory.export()]


SEVERAL = [
    ("海蓝电子", "明光科技", "Q-7", "“Q-7”的“对应客户”只能有一个，现在记着2个：明光科技、海蓝电子。应以哪一个为准？"),
    (
        "Acme Foods", "Bolt Ltd", "Q-7",
        "“Q-7” can have only one “quoted for”, but 2 are noted: Bolt Ltd, Acme Foods. Which one is right?",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("ruled", "linked", "number", "question"), SEVERAL)
def test_two_facts_where_one_may_stand(
    memory: Memory, ruled: str, linked: str, number: str, question: str
) -> None:
    one, other = made(memory, "lead_profile", company=ruled), made(memory, "lead_profile", company=linked)
    quote = made(memory, "quote_form", quote_no=number, company=ruled)
    memory.link(quote, "refers_to", other)
    before = memory.recall(f"{number}?").text
    item = asked(memory, "several")
    assert (item.question, item.reason, item.form_id, item.slot) == (question, "conflict", quote, None)
    # a person's link stands before what a rule drew
    assert item.candidates == (f"{quote}.refers_to.{other}", f"{quote}.refers_to.{one}")
    assert memory.recall(f"{number}?").text == before
    assert walked(memory, quote, "refers_to") == {one, other}
    done = memory.upkeep()
    assert (done.found, done.gone, len(memory.pending())) == (0, 0, 1)


def test_the_edge_that_a_person_chooses_stands_until_undone(memory: Memory) -> None:
    one, other = (
        made(memory, "lead_profile", company="海蓝电子"),
        made(memory, "lead_profile", company="明光"),
    )
    quote = made(memory, "quote_form", quote_no="Q-7", company="海蓝电子")
    memory.link(quote, "refers_to", other)
    item = asked(memory, "several")
    with pytest.raises(InvalidInput, match="say which is meant"):
        memory.confirm(item.id)
    with pytest.raises(InvalidInput, match="say which is meant"):
        memory.confirm(item.id, one)
    act = memory.confirm(item.id, f"{quote}.refers_to.{other}").act
    assert walked(memory, quote, "refers_to") == {other}
    memory.correct(quote, "amount", "60万")  # the rule is applied again, and keeps to what was said
    assert walked(memory, quote, "refers_to") == {other}
    memory.rebuild()
    assert walked(memory, quote, "refers_to") == {other}
    assert memory.upkeep().found == 0
    assert act is not None
    memory.undo(act)
    assert walked(memory, quote, "refers_to") == {one, other}
    assert [open_.id for open_ in memory.pending()] == [item.id]
    memory.confirm(item.id, f"{quote}.refers_to.{one}")  # what the rule drew
    memory.correct(quote, "amount", "70万")
    assert walked(memory, quote, "refers_to") == {one}


def test_links_of_one_person_are_never_settled_silently(memory: Memory) -> None:
    """Equal sources: only a person says which of them is right."""
    quote = made(memory, "quote_form", quote_no="Q-7")
    ends = {made(memory, "lead_profile", company=name) for name in ("Acme Foods", "Bolt Ltd", "Cobalt Inc")}
    for end in sorted(ends):
        beside(memory, quote, "refers_to", end)
    item = asked(memory, "several")
    assert len(item.candidates) == 3
    for _ in range(3):
        memory.upkeep()
    assert walked(memory, quote, "refers_to") == ends


def test_a_refused_finding_comes_back_only_when_something_has_changed(memory: Memory) -> None:
    quote = made(memory, "quote_form", quote_no="Q-7")
    for name in ("Acme Foods", "Bolt Ltd"):
        beside(memory, quote, "refers_to", made(memory, "lead_profile", company=name))
    memory.refuse(asked(memory, "several").id)
    assert memory.upkeep().found == 0
    assert memory.upkeep(dry_run=True).findings == ()
    beside(memory, quote, "refers_to", made(memory, "lead_profile", company="Cobalt Inc"))
    assert len(asked(memory, "several").candidates) == 3


def test_a_finding_that_is_no_more_is_closed(memory: Memory) -> None:
    quote = made(memory, "quote_form", quote_no="Q-7")
    leads = [made(memory, "lead_profile", company=name) for name in ("Acme Foods", "Bolt Ltd")]
    memory.link(quote, "refers_to", leads[0])
    beside(memory, quote, "refers_to", leads[1])
    item = asked(memory, "several")
    memory.link(quote, "refers_to", leads[0])  # said again: it is this one
    assert memory.upkeep(dry_run=True).gone == 1
    assert memory.upkeep().gone == 1
    assert memory.pending() == []
    assert memory.upkeep().gone == 0
    with pytest.raises(Conflict, match="already expired"):
        memory.confirm(item.id, item.candidates[0])
    beside(memory, quote, "refers_to", leads[1])  # and is asked again when it comes back
    assert memory.upkeep().found == 1


def test_the_one_end_of_a_relation_from_one_to_many(memory: Memory) -> None:
    fact = made(memory, "health_fact", name="peanut allergy")
    people = [memory.record("user_profile", {"name": name}, speaker=name).forms[0] for name in ("Ann", "Bob")]
    for person in people:
        memory.link(person, "has_health_fact", fact)
    item = asked(memory, "several")
    assert item.form_id == fact
    assert {c.partition(".")[0] for c in item.candidates} == set(people)
    kept = next(c for c in item.candidates if c.startswith(people[0]))
    memory.confirm(item.id, kept)
    assert walked(memory, people[0], "has_health_fact") == {fact}
    assert walked(memory, people[1], "has_health_fact") == set()


CIRCLES = [
    (("采购", "安装", "验收"), "“依赖”绕成了一个圈：{0} → {1} → {2} → {0}。其中哪一步不对？"),
    (
        ("buy parts", "install", "accept"),
        "“depends on” leads round in a circle: {0} → {1} → {2} → {0}. Which step is wrong?",
    ),
]


@pytest.mark.parametrize(("names", "question"), CIRCLES)
def test_a_circle(memory: Memory, names: Sequence[str], question: str) -> None:
    tasks = [made(memory, "task", name=name) for name in names]
    away = made(memory, "task", name="x")
    for one, other in [*zip(tasks, [*tasks[1:], tasks[0]], strict=True), (tasks[0], away)]:
        memory.link(one, "depends_on", other)
    item = asked(memory, "cycle")
    labels = dict(zip(tasks, names, strict=True))
    ends = [c.split(".")[0] for c in item.candidates]
    first = ends.index(min(ends))
    assert first == 0
    assert item.question == question.format(*(labels[end] for end in ends))
    assert sorted(ends) == sorted(tasks)
    assert memory.upkeep().found == 0
    act = memory.confirm(item.id, item.candidates[1]).act
    source, _, target = item.candidates[1].split(".")
    assert target not in walked(memory, source, "depends_on")
    assert memory.upkeep().found == 0
    assert act is not None
    memory.undo(act)
    assert target in walked(memory, source, "depends_on")
    assert [p.id for p in memory.pending()] == [item.id]


def test_circles_are_found_whatever_the_order() -> None:
    ties = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d"), ("f", "a"), ("g", "g")]
    wanted = [("a", "b", "c"), ("d", "e"), ("g",)]
    assert list(cycles(ties)) == wanted
    assert list(cycles(reversed(ties))) == wanted
    assert list(cycles([(f"n{i}", f"n{i + 1}") for i in range(2_000)])) == []
    assert steps(("a", "b", "c")) == [("a", "b"), ("b", "c"), ("c", "a")]
    assert steps(("g",)) == [("g", "g")]


@pytest.mark.parametrize(
    ("number", "lead", "question"),
    [
        ("报价一", "海蓝电子", "报价“报价一”对应哪一个商机客户：海蓝电子？"),
        ("Q-9", "Acme Foods", "Which lead does the quote “Q-9” belong to: Acme Foods?"),
    ],
)
def test_a_required_relation_that_is_missing(
    memory: Memory, clock: FixedClock, number: str, lead: str, question: str
) -> None:
    quote, customer = made(memory, "quote_form", quote_no=number), made(memory, "lead_profile", company=lead)
    clock.advance(days=1)
    assert memory.upkeep().found == 0  # it may still come
    clock.advance(seconds=1)
    item = asked(memory, "missing")
    assert (item.reason, item.form_id, item.candidates) == ("relation_missing", quote, (customer,))
    assert item.question == question
    act = memory.confirm(item.id).act
    assert walked(memory, quote, "refers_to") == {customer}
    assert act is not None
    memory.undo(act)
    assert walked(memory, quote, "refers_to") == set()
    memory.refuse(item.id)
    assert memory.upkeep().found == 0


def test_what_is_cold_or_expired_is_not_asked_about(memory: Memory, clock: FixedClock) -> None:
    made(memory, "quote_form", quote_no="Q-1", valid_until="2026-06-13")
    made(memory, "quote_form", quote_no="Q-2")
    clock.advance(days=3)
    item = asked(memory, "missing")
    assert "Q-2" in item.question
    clock.advance(days=100)
    done = memory.upkeep()
    # the item itself grew too old; what it was about is cold by now
    assert (done.expired_questions, done.found) == (1, 0)


def test_one_question_is_enough_where_a_message_asked_already(memory: Memory, clock: FixedClock) -> None:
    from forms_dynamics.testing import ScriptedExtractor

    draft = {
        "form_type": "quote_form",
        "slots": {"quote_no": {"value": "Q-9", "confidence": 0.95, "evidence": "Q-9"}},
        "relations": [
            {"relation": "refers_to", "to": {"form_type": "lead_profile", "company": "Acme Foods"}}
        ],
    }
    with Memory.open(":memory:", extractor=ScriptedExtractor([[draft]]), clock=clock) as other:
        other.observe("Q-9 is for Acme Foods")
        clock.advance(days=2)
        assert [p.reason for p in other.pending()] == ["relation_missing"]
        assert other.upkeep().found == 0


@pytest.mark.parametrize(
    ("names", "question"),
    [
        (("海蓝电子", "王总"), "“海蓝电子”已作废，但“Q-7 → 海蓝电子”（对应客户）这条关系还留着。要去掉吗？"),
        (
            ("Acme Foods", "Bo"),
            "“Acme Foods” is no longer valid, but “Q-7 → Acme Foods” (quoted for) still stands. Drop it?",
        ),
    ],
)
def test_what_a_person_tied_to_a_form_that_is_no_longer_valid(
    memory: Memory, names: Sequence[str], question: str
) -> None:
    lead, quote = (
        made(memory, "lead_profile", company=names[0], contact_name=names[1]),
        made(memory, "quote_form", quote_no="Q-7"),
    )
    memory.link(quote, "refers_to", lead)
    memory.invalidate(lead)
    item = asked(memory, "tied")
    assert item.question == question
    act = memory.confirm(item.id).act
    assert act is not None
    assert [e.status for e in memory.edges(quote) if e.relation == "refers_to"] in ([], ["superseded"])
    assert memory.upkeep().found == 0
    memory.undo(act)
    memory.rollback(lead, 1)  # valid again: nothing is left to ask
    assert memory.upkeep().gone == 1
    assert walked(memory, quote, "refers_to") == {lead}


def test_a_tie_that_is_dropped_held_until_then(memory: Memory, clock: FixedClock) -> None:
    lead, quote = made(memory, "lead_profile", company="Acme"), made(memory, "quote_form", quote_no="Q-7")
    memory.link(quote, "refers_to", lead)
    clock.advance(days=1)
    then = clock.now()
    clock.advance(days=1)
    memory.invalidate(lead)
    memory.confirm(asked(memory, "tied").id)
    (edge,) = (e for e in memory.edges(quote, include_inactive=True) if e.relation == "refers_to")
    assert (edge.status, edge.valid_until) == ("superseded", clock.now())
    assert memory.graph(as_of=then).has_edge(quote, lead)


def test_an_edge_that_is_not_the_right_one_never_held(memory: Memory, clock: FixedClock) -> None:
    one, other = (made(memory, "lead_profile", company=name) for name in ("Acme Foods", "Bolt Ltd"))
    quote = made(memory, "quote_form", quote_no="Q-7", company="Acme Foods")
    memory.link(quote, "refers_to", other)
    clock.advance(days=1)
    then = clock.now()
    memory.confirm(asked(memory, "several").id, f"{quote}.refers_to.{other}")
    told = memory.graph(as_of=then)
    assert (told.has_edge(quote, one), told.has_edge(quote, other)) == (False, True)


OWN = """\
form_type: {name}
aliases: [{zh}, {name}]
identity: [code]
slots:
  code: {{type: text}}
  city: {{type: text}}
  area: {{type: text}}
"""
RULE = "relation: near\nfrom: shop\nto: depot\naliases: [就近, close to]\nwhen: {when}\n"


@pytest.mark.parametrize(
    ("cities", "question"),
    [
        (("成都", "甲店", "乙库"), "“甲店 → 乙库”（就近）不再符合这条关系的规则。要去掉吗？"),
        (
            ("Leeds", "shop one", "depot two"),
            "“shop one → depot two” (close to) no longer meets the rule of that relation. Drop it?",
        ),
    ],
)
def test_edges_of_a_rule_that_was_changed(
    tmp_path: Path, clock: FixedClock, cities: Sequence[str], question: str
) -> None:
    city, shop_name, depot_name = cities
    (tmp_path / "types").mkdir()
    for name, zh in (("shop", "门店"), ("depot", "仓库")):
        (tmp_path / "types" / f"{name}.yaml").write_text(OWN.format(name=name, zh=zh), encoding="utf-8")
    rule = tmp_path / "near.yaml"

    def opened(when: str) -> Memory:
        rule.write_text(RULE.format(when=json.dumps(when)), encoding="utf-8")
        return Memory.open(
            tmp_path / "m.db", form_types=[tmp_path / "types"], relation_rules=[rule], clock=clock
        )

    with opened("shop.city == depot.city") as memory:
        shop = made(memory, "shop", code=shop_name, city=city, area="north")
        depot = made(memory, "depot", code=depot_name, city=city, area="south")
        assert memory.upkeep().found == 0
    with opened("shop.area == depot.area") as memory:
        item = asked(memory, "unfounded")
        assert item.question == question
        assert memory.upkeep().found == 0
        act = memory.confirm(item.id).act
        assert walked(memory, shop, "near") == set()
        assert act is not None
        memory.undo(act)
        assert walked(memory, shop, "near") == {depot}
    with opened("shop.city == depot.city") as memory:  # changed back
        assert memory.upkeep().gone == 1


def test_two_forms_that_a_changed_identity_makes_one(tmp_path: Path, clock: FixedClock) -> None:
    file = tmp_path / "shop.yaml"

    def opened(identity: str) -> Memory:
        text = OWN.format(name="shop", zh="门店").replace("[code]", identity)
        file.write_text(text, encoding="utf-8")
        return Memory.open(tmp_path / "m.db", form_types=[file], relation_rules=[], clock=clock)

    with opened("[code]") as memory:
        one, other = (
            made(memory, "shop", code="A1", city="成都"),
            made(memory, "shop", code="A2", city="成都"),
        )
        assert memory.upkeep().found == 0
    with opened("[city]") as memory:
        assert memory.candidates() == []
        before = everything(memory)
        [finding] = memory.upkeep(dry_run=True).findings
        assert everything(memory) == before
        assert (finding.kind, finding.pending) == ("same_identity", None)
        assert finding.text == "有两份门店的标识相同：成都（code A1）、成都（code A2）。是同一个吗？"
        assert memory.upkeep().found == 1
        [edge] = memory.candidates()
        assert ({edge.source, edge.target}, edge.relation) == ({one, other}, "same_as")
        assert memory.upkeep().found == 0
        memory.merge(one, other)
        assert memory.candidates() == []
        assert memory.upkeep().found == 0


def test_two_records_of_one_speaker(tmp_path: Path, clock: FixedClock) -> None:
    with Memory.open(":memory:", clock=clock) as memory, Memory.open(":memory:", clock=clock) as elsewhere:
        elsewhere.record("user_profile", {"city": "成都"}, speaker="王敏")
        rows = list(elsewhere.export())
        clock.advance(seconds=5)
        memory.record("user_profile", {"city": "重庆"}, speaker="王敏")
        memory.load(rows)
        mine = [form.id for form in memory.find("user_profile")]
        assert len(mine) == 2
        item = asked(memory, "double")
        assert sorted(item.candidates) == sorted(mine)
        assert item.question.startswith("“王敏”名下有2份")
        chosen, gone = item.candidates
        act = memory.confirm(item.id, chosen).act
        assert [form.id for form in memory.find("user_profile")] == [chosen]
        assert memory.upkeep().found == 0
        assert act is not None
        memory.undo(act)
        assert sorted(form.id for form in memory.find("user_profile")) == sorted([chosen, gone])


def test_no_scope_is_buried_in_questions(memory: Memory, clock: FixedClock) -> None:
    for i in range(60):
        made(memory, "quote_form", quote_no=f"Q-{i}")
    clock.advance(days=2)
    assert memory.upkeep().found == 50
    assert memory.upkeep().found == 0
    for item in list(memory.pending())[:7]:
        memory.refuse(item.id)
    assert memory.upkeep().found == 7


def test_an_erased_form_leaves_no_word_in_the_questions_about_others(
    tmp_path: Path, clock: FixedClock
) -> None:
    path = tmp_path / "m.db"
    with Memory.open(path, clock=clock) as memory:
        quote = made(memory, "quote_form", quote_no="Q-7")
        leads = [made(memory, "lead_profile", company=name) for name in ("Zyxwerk", "Bolt Ltd")]
        for lead in leads:
            beside(memory, quote, "refers_to", lead)
        asked(memory, "several")
        memory.erase(form_id=leads[0])
        assert memory.pending() == []
        assert memory.upkeep().gone == 0
        items = [row for row in everything(memory) if '"kind": "pending"' in row]
        assert items == []
    with sqlite3.connect(path) as raw:
        assert raw.execute("SELECT count(*) FROM pendings").fetchone() == (0,)


def test_what_is_left_of_an_erased_form_is_dropped(tmp_path: Path, clock: FixedClock) -> None:
    """As a write beside the erasure may leave it."""
    path = tmp_path / "m.db"
    with Memory.open(path, clock=clock) as memory:
        lead, quote = (
            made(memory, "lead_profile", company="Acme"),
            made(memory, "quote_form", quote_no="Q-7"),
        )
        beside(memory, quote, "refers_to", lead)
        with sqlite3.connect(path) as raw:
            edge = raw.execute("SELECT * FROM edges").fetchall()
            keys = raw.execute("SELECT * FROM keys").fetchall()
        memory.erase(form_id=lead)
        with sqlite3.connect(path) as raw:
            raw.executemany(f"INSERT INTO edges VALUES ({','.join('?' * len(edge[0]))})", edge)
            raw.executemany("INSERT OR IGNORE INTO keys VALUES (?,?,?,?,?,?)", keys)
        held = memory.upkeep(dry_run=True).dropped
        assert held >= 2
        assert memory.upkeep().dropped == held
        assert memory.upkeep().dropped == 0
        assert memory.verify().ok
