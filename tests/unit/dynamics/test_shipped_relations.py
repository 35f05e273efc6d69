"""The relations that ship: an equality of slots draws its edge whichever Form comes first, and takes it back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.schema.load import load_catalog
from forms_dynamics.schema.spec import FormType, RelationRule
from forms_dynamics.testing import FixedClock

CATALOG = load_catalog()
DRAWN = [rule for rule in CATALOG.rules if rule.when]
each_drawn = pytest.mark.parametrize("rule", DRAWN, ids=lambda r: f"{r.source}-{r.name}-{r.target}")


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", clock=FixedClock(datetime(2026, 6, 12, tzinfo=UTC))) as opened:
        yield opened


def given(form_type: FormType, slots: dict[str, Any]) -> dict[str, Any]:
    """The slots, and for the rest of the first identity key something of the slot's own examples."""
    out = dict(slots)
    for part in form_type.identity.keys[0] if not form_type.identity.each else ():
        if not part.startswith("$"):
            spec = form_type.slots[part]
            out.setdefault(part, next(iter(spec.values)) if spec.type == "enum" else spec.examples[0])
    return out


def ends(rule: RelationRule, value: str) -> tuple[dict[str, Any], dict[str, Any]]:
    source = {join.source_slot: value for join in rule.when}
    target = {join.target_slot: value for join in rule.when}
    return given(CATALOG.types[rule.source], source), given(CATALOG.types[rule.target], target)


def record(memory: Memory, form_type: str, slots: dict[str, Any]) -> str:
    receipt = memory.record(form_type, slots)
    (form_id,) = receipt.forms
    return form_id


def drawn(memory: Memory, form_id: str, relation: str) -> set[tuple[str, str]]:
    return {
        (e.source, e.target) for e in memory.edges(form_id) if e.relation == relation and e.status == "active"
    }


@each_drawn
@pytest.mark.parametrize("source_first", [True, False])
def test_equal_slots_draw_an_edge_in_either_order(
    rule: RelationRule, source_first: bool, memory: Memory
) -> None:
    source_slots, target_slots = ends(rule, "X-2026")
    if source_first:
        source = record(memory, rule.source, source_slots)
        assert drawn(memory, source, rule.name) == set()
        target = record(memory, rule.target, target_slots)
    else:
        target = record(memory, rule.target, target_slots)
        assert drawn(memory, target, rule.name) == set()
        source = record(memory, rule.source, source_slots)
    (edge,) = [e for e in memory.edges(source) if e.relation == rule.name and e.target == target]
    assert edge.source == source
    assert edge.weight == pytest.approx(rule.strength.weight)
    assert dict(edge.attributes) == dict(rule.attributes)
    assert drawn(memory, target, rule.name) == {(source, target)}


@each_drawn
def test_other_values_draw_none(rule: RelationRule, memory: Memory) -> None:
    source_slots, _ = ends(rule, "X-2026")
    _, target_slots = ends(rule, "Y-2027")
    source = record(memory, rule.source, source_slots)
    record(memory, rule.target, target_slots)
    assert drawn(memory, source, rule.name) == set()


def test_of_a_list_each_value_joins_and_leaves(memory: Memory) -> None:
    """李四 cannot come, 赵六 comes in his place: the invitation moves, the others stand, what was is kept."""
    people = {
        name: record(memory, "person", {"name": name, "dept": "后端组"}) for name in ("张三", "李四", "赵六")
    }
    meeting = record(memory, "meeting", {"purpose": "API设计评审", "participants": ["张三", "李四"]})
    assert drawn(memory, meeting, "invites") == {(meeting, people["张三"]), (meeting, people["李四"])}
    memory.record(
        "meeting",
        {"purpose": "API设计评审", "participants": {"value": ["李四"], "op": "remove"}},
        source="user",
    )
    memory.record(
        "meeting", {"purpose": "API设计评审", "participants": {"value": ["赵六"], "op": "add"}}, source="user"
    )
    assert memory.get(meeting)["participants"] == ("张三", "赵六")
    assert drawn(memory, meeting, "invites") == {(meeting, people["张三"]), (meeting, people["赵六"])}
    every = memory.edges(meeting, include_inactive=True)
    assert [e.status for e in every if e.target == people["李四"]] == ["superseded"]


def test_a_list_finds_its_members_when_they_come_later(memory: Memory) -> None:
    order = record(memory, "order", {"order_no": "A1009", "items": ["温控器", "分拣线"]})
    product = record(memory, "product", {"name": "分拣线"})
    record(memory, "product", {"name": "打印机"})
    assert drawn(memory, order, "contains") == {(order, product)}


def test_meetings_of_a_project_lead_to_their_people(memory: Memory) -> None:
    """Who joined all meetings for project 天穹: project ← meeting → people, and through the document."""
    project = record(memory, "project", {"name": "天穹", "owner": "张三"})
    document = record(memory, "document", {"title": "API设计文档", "project": "天穹"})
    first = record(
        memory, "meeting", {"purpose": "API设计评审", "document": "API设计文档", "participants": ["张三"]}
    )
    second = record(memory, "meeting", {"purpose": "周会", "project": "天穹", "participants": ["王五"]})
    people = {name: record(memory, "person", {"name": name}) for name in ("张三", "王五")}
    assert drawn(memory, project, "belongs_to_project") == {(document, project), (second, project)}
    assert drawn(memory, document, "has_purpose") == {(first, document)}
    assert drawn(memory, people["张三"], "invites") == {(first, people["张三"])}
    assert drawn(memory, people["王五"], "invites") == {(second, people["王五"])}
    assert drawn(memory, people["张三"], "responsible_for") == {(people["张三"], project)}


def test_why_a_task_is_late_stands_in_its_edges(memory: Memory) -> None:
    late = record(memory, "task", {"name": "写报告", "depends_on": ["整理数据"], "status": "blocked"})
    cause = record(memory, "task", {"name": "整理数据", "status": "阻塞"})
    assert drawn(memory, late, "depends_on") == {(late, cause)}
    assert memory.get(cause)["status"] == "blocked"


def test_a_tool_call_is_tied_to_the_task_that_it_names(memory: Memory) -> None:
    task = record(memory, "task", {"name": "编写季度总结报告"})
    (call,) = memory.record_tool_call(
        "query_sales", {"quarter": 1}, {"total": 3}, task="编写季度总结报告"
    ).forms
    assert drawn(memory, task, "part_of") == {(call, task)}


def test_the_life_of_user_memory(memory: Memory) -> None:
    """A preference holds a year, a temporary address a week, a passing intent two hours; health does not fade."""
    life = {name: form_type.life for name, form_type in memory.catalog.types.items()}
    assert life["preference"].valid_days == 365
    assert life["temporary_address"].valid_days == 7
    assert life["passing_intent"].ttl_seconds == 7200
    assert life["preference"].fade_per_day == 0.95
    assert life["health_fact"].fade_per_day is None
    assert life["family_member"].fade_per_day is None
    for name in (
        "lead_profile",
        "quote_form",
        "contract_form",
        "order",
        "product",
        "complaint",
        "task",
        "meeting",
    ):
        assert life[name].fade_per_day is None
        assert life[name].cold_after_days == 90
