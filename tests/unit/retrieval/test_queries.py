"""Declared queries answered: what the steps mean, what is left out, and at which moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory, Money
from forms_dynamics.errors import InvalidInput, NotFound
from forms_dynamics.testing import FixedClock

TYPES = """\
form_type: team
identity: [name]
life: {cold_after_days: 30}
slots: {name: text}
---
form_type: work
identity: [name]
slots:
  name: text
  team: text
  due: date
  cost: {type: money, unit: CNY}
  status: {type: enum, values: {open: [进行中], done: [完成, finished]}}
---
form_type: human
identity: [name]
slots: {name: text, city: text}
---
relation: of_team
from: work
to: team
cardinality: many_to_one
when: "work.team == team.name"
---
relation: done_by
from: work
to: human
aliases: [负责人]
---
relation: blocked_by
from: work
to: work
---
relation: knows
from: human
to: human
---
query: people
parameters: {team: {type: ref, ref: team}, status: {slot: work.status, required: false}}
start: {form_type: team, named: $team}
steps:
  - {relation: of_team, direction: in, to: work, as: works, where: "$status is unknown or status == $status"}
  - {relation: done_by, to: human, as: people}
return: [name, {works: {count: works}}, {cost: {sum: works.cost}}, {first: {min: works.due}}, {of: works.name}]
order: [-works, name]
---
query: everyone
parameters: {team: {type: ref, ref: team}}
start: {form_type: team, named: $team}
steps:
  - {relation: of_team, direction: in, to: work, as: works}
  - {relation: done_by, to: human, as: people, every: true}
return: [name]
---
query: chain
parameters: {work: {type: ref, ref: work}, by: {type: date, default: "2030-01-01"}}
start: {form_type: work, named: $work}
steps:
  - {relation: blocked_by, to: work, as: blockers, repeat: 1..10, where: "due < $by"}
return: [name, due, {steps: {depth: blockers}}]
order: [steps, name]
---
query: works
start: {form_type: work, where: "name is known", limit: 3}
steps: [{relation: done_by, to: human, as: who, optional: true}]
group: work
return: [name, {who: who.name}]
order: [name]
---
query: friends
parameters: {human: {type: ref, ref: human}, relation: text}
start: {form_type: human, named: $human}
steps: [{relation: $relation, direction: either, to: human, as: friends, where: "edge.since >= 2020 or edge.since is unknown", limit: 5}]
return: [name]
---
query: team_of
parameters: {team: {type: ref, ref: team}}
start: {form_type: team, named: $team}
return: [name]
asks: {zh: ["{team}是什么"], en: ["what is {team}"]}
"""


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    if request.param == "sqlite":
        return ":memory:"
    fresh: Callable[[], str] = request.getfixturevalue("postgres_schema")
    return fresh()


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock("2026-06-01T09:00:00+08:00")


@pytest.fixture
def memory(url: str, clock: FixedClock, tmp_path: Path) -> Iterator[Memory]:
    file = tmp_path / "types.yaml"
    file.write_text(TYPES, encoding="utf-8")
    with Memory.open(url, form_types=[file], clock=clock, settings={"timezone": "Asia/Shanghai"}) as opened:
        yield opened


def put(memory: Memory, kind: str, name: str, **slots: Any) -> str:
    return memory.record(kind, {"name": name, **slots}).forms[0]


def names(result: Any) -> list[str]:
    return [row["name"] for row in result]


@pytest.fixture
def filled(memory: Memory) -> Memory:
    put(memory, "team", "天穹")
    ann, bo = put(memory, "human", "安"), put(memory, "human", "博")
    for name, cost, due, status, people in (
        ("甲", "10万", "2026-06-10", "open", [ann, bo]),
        ("乙", "5万", "2026-06-05", "done", [ann]),
    ):
        work = put(memory, "work", name, team="天穹", cost=cost, due=due, status=status)
        for person in people:
            memory.link(work, "done_by", person)
    put(memory, "work", "丙", team="别处")
    return memory


def test_rows_with_figures_and_the_ways_to_them(filled: Memory) -> None:
    result = filled.query("people", team="天穹")
    assert names(result) == ["安", "博"]
    first = result.rows[0]
    assert first["works"] == 2
    assert first["cost"] == Money(150000, "CNY")
    assert str(first["first"]) == "2026-06-05"
    assert set(first["of"]) == {"甲", "乙"}
    assert [[walk.relation for walk in path] for path in first.paths] == [["of_team", "done_by"]] * 2
    assert not first.paths[0][0].forward
    assert first.paths[0][1].forward
    assert result.complete
    assert result.left_out == ()


def test_synonyms_of_an_enum_are_its_values(filled: Memory) -> None:
    for word in ("done", "完成", "finished"):
        result = filled.query("people", team="天穹", status=word)
        assert names(result) == ["安"]
        assert [(left.step, left.rule, left.count) for left in result.left_out] == [("works", "where", 1)]


def test_every_is_tied_to_all_of_the_step_before(filled: Memory) -> None:
    result = filled.query("everyone", team="天穹")
    assert names(result) == ["安"]
    [left] = result.left_out
    assert (left.rule, left.count) == ("every", 1)


def test_repeat_ends_in_a_cycle_and_stops_at_what_the_condition_leaves_out(memory: Memory) -> None:
    ids = {n: put(memory, "work", n, due=f"2026-06-0{i}") for i, n in enumerate("abcd", 1)}
    for source, target in ("ab", "bc", "ca", "cd"):
        memory.link(ids[source], "blocked_by", ids[target])
    assert [(r["name"], r["steps"]) for r in memory.query("chain", work="a")] == [
        ("b", 1),
        ("c", 2),
        ("d", 3),
    ]
    assert names(memory.query("chain", work="a", by="2026-06-03")) == ["b"]  # c is left out, and d behind it


def test_optional_keeps_what_has_nothing(filled: Memory) -> None:
    rows = {row["name"]: row["who"] for row in filled.query("works")}
    assert rows["丙"] is None
    assert rows["乙"] == "安"
    assert set(rows["甲"]) == {"安", "博"}
    put(filled, "work", "丁")
    cut = filled.query("works")
    assert len(cut) == 3
    assert not cut.complete
    assert [left.rule for left in cut.left_out] == ["limit"]


def test_what_holds_no_longer_is_not_walked_and_told(filled: Memory, clock: FixedClock) -> None:
    clock.advance(days=1)
    before = clock.now()
    clock.advance(days=1)
    [work] = filled.find("work", name="乙")
    put(filled, "team", "别处")
    filled.correct(work.id, "team", "别处")
    now = filled.query("people", team="天穹")
    assert now.rows[0]["works"] == 1
    assert "superseded" in {left.rule for left in now.left_out}
    assert filled.query("people", team="天穹", as_of=before).rows[0]["works"] == 2
    assert filled.query("people", team="天穹", known_at=before).rows[0]["works"] == 2
    assert filled.query("people", team="天穹", as_of="2026-05-01T00:00:00+08:00").rows == ()
    [person] = filled.find("human", name="博")
    filled.invalidate(person.id)
    assert names(filled.query("people", team="天穹")) == ["安"]


def test_cold_forms_are_left_out_unless_asked_for(filled: Memory, clock: FixedClock) -> None:
    clock.advance(days=40)
    result = filled.query("people", team="天穹")
    assert result.rows == ()
    assert [(left.step, left.rule) for left in result.left_out] == [("team", "cold")]
    assert names(filled.query("people", team="天穹", include_cold=True)) == ["安", "博"]


def test_a_crowded_form_is_bounded_and_told(memory: Memory) -> None:
    hub = put(memory, "human", "hub")
    for number in range(8):
        memory.link(put(memory, "human", f"p{number}"), "knows", hub)
    result = memory.query("friends", human="hub", relation="knows")
    assert len(result) == 5
    assert not result.complete
    assert [(left.step, left.rule, left.count) for left in result.left_out] == [("friends", "limit", 3)]
    with pytest.raises(InvalidInput, match="no relation 'knws'; did you mean 'knows'"):
        memory.query("friends", human="hub", relation="knws")


def test_a_name_is_looked_up_and_never_guessed(filled: Memory) -> None:
    [team] = filled.find("team", name="天穹")
    assert names(filled.query("team_of", team="天穹")) == ["天穹"]
    assert names(filled.query("team_of", team=team.id)) == ["天穹"]
    missing = filled.query("team_of", team="天")
    assert missing.rows == ()
    assert missing.left_out[0].detail == "no team is called '天'"
    # a work only speaks of the team by that name
    assert filled.query("chain", work="天穹").left_out[0].rule == "not found"


def test_wrong_names_and_values_are_told(filled: Memory) -> None:
    with pytest.raises(NotFound, match="no query 'peple'; did you mean 'people'"):
        filled.query("peple")
    with pytest.raises(InvalidInput, match="no parameter 'tem'; did you mean 'team'"):
        filled.query("people", tem="天穹")
    with pytest.raises(InvalidInput, match="needs the parameter 'team'"):
        filled.query("people")
    with pytest.raises(InvalidInput, match="status"):
        filled.query("people", team="天穹", status="asleep")
    with pytest.raises(InvalidInput, match="by"):
        filled.query("chain", work="甲", by="some day")
    with pytest.raises(InvalidInput, match="lang is zh or en"):
        filled.query("people", team="天穹", lang="fr")  # type: ignore[arg-type]


def test_another_user_s_forms_are_not_seen(filled: Memory) -> None:
    assert filled.scoped(user="u2").query("people", team="天穹").rows == ()
    assert filled.scoped(tenant="t2").query("people", team="天穹").rows == ()


def test_a_layer_is_one_look_up(filled: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[str] = []
    for name in ("edges", "forms", "names", "find"):
        whole = getattr(filled._store, name)

        def spy(*given: Any, _name: str = name, _whole: Any = whole, **more: Any) -> Any:
            counted.append(_name)
            return _whole(*given, **more)

        monkeypatch.setattr(filled._store, name, spy)

    def cost() -> int:
        counted.clear()
        filled.query("people", team="天穹")
        return len(counted)

    few = cost()
    for number in range(30):
        person = put(filled, "human", f"h{number}")
        filled.link(put(filled, "work", f"w{number}", team="天穹"), "done_by", person)
    assert len(filled.query("people", team="天穹")) == 32
    assert cost() <= few
    assert "find" not in counted


@pytest.mark.parametrize(
    "question",
    ["天穹是什么？", "请问 天穹 是什么呢", "what is 天穹?", "Could you tell me what is 天穹, please?"],
)
def test_a_question_that_a_query_answers(filled: Memory, question: str) -> None:
    context = filled.recall(question)
    assert context.confidence == 0.95
    assert context.trace.steps[0].subject == "query team_of"
    assert "天穹" in context.text.splitlines()[2]


@pytest.mark.parametrize("question", ["天穹是什么时候的", "地平线是什么", "不知道天穹是什么东西"])
def test_a_question_that_it_does_not_answer(filled: Memory, question: str) -> None:
    context = filled.recall(question)
    assert not any(s.kind == "anchor" and s.subject.startswith("query") for s in context.trace.steps)
