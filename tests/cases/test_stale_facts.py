"""After a change the new value is the one that is told; the old one is kept, and silent."""

from __future__ import annotations

import pytest

from .doubles import Words
from .world import PERSON, Worlds, at, draft, lead, on_both, said


@on_both
def test_pr_001(worlds: Worlds) -> None:
    w = worlds("PR-001")
    w.play()
    f = w.only("lead_profile")
    assert (f["company"], f.version) == ("海蓝电子", 2)
    assert f.slots["company"].status == "known"
    assert f["payment_terms"] == "预付50%，尾款验收后付"
    first, second = w.memory.history(f.id)
    assert (first.number, first.slots["payment_terms"].value, first.current) == (1, "月结30天", False)
    assert (second.number, second.current) == (2, True)
    supersedes = [e for e in w.memory.edges(f.id, include_inactive=True) if e.relation == "supersedes"]
    assert [(e.source, e.target) for e in supersedes] == [(second.id, first.id)]
    c = w.memory.recall("海蓝现在怎么付款？")
    assert "预付50%" in c.text
    assert "月结30天" not in c.text


@pytest.mark.parametrize("embedded", [False, True])
def test_pr_003(worlds: Worlds, embedded: bool) -> None:
    w = worlds("PR-003", embedder=Words() if embedded else None)
    w.play()
    f = w.only("lead_profile")
    assert (f["contact_role"], f.slots["contact_role"].status, f.version) == ("COO", "known", 2)
    old = [v for v in w.memory.history(f.id) if v.slots["contact_role"].value == "Head of Procurement"]
    assert [v.current for v in old] == [False]
    for more in ({}, {"recent_turns": 5, "conversation": "c1"}):
        c = w.memory.recall("What is Dana's role at Northlake?", **more)
        assert "COO" in c.text
        assert "Head of Procurement" not in c.text
        assert "m1" not in c.messages


def test_pr_005(worlds: Worlds) -> None:
    w = worlds("PR-005")
    w.play()
    f = w.only("person_profile", name="Marta")
    assert f["current_supplier"] is None
    assert "current_supplier" not in f.slots or f.slots["current_supplier"].value is None
    assert [p for p in w.memory.pending() if p.slot == "current_supplier"] == []
    s = w.memory.history(f.id, slot="current_supplier")
    assert s[0].value == "Brightpack"
    assert s[0].valid_until is not None
    assert s[0].valid_until == at("2026-10-16T00:00:00+02:00")
    assert [v.current for v in w.memory.history(f.id)] == [False, True]
    c = w.memory.recall("Who supplies cartons to Oakridge today?")
    assert "Brightpack" not in c.text


# -- ours ------------------------------------------------------------------------------------------------


@on_both
def test_three_changes_tell_only_the_last(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[
            said("2026-01-05T10:00:00+08:00", "我是松源机械的采购员。"),
            said("2026-04-05T10:00:00+08:00", "松源机械这边我升采购经理了。"),
            said("2026-08-05T10:00:00+08:00", "松源机械现在我是供应链总监。"),
        ],
        script=[
            [lead(company="松源机械", contact_role="采购员")],
            [lead(company="松源机械", contact_role="采购经理")],
            [lead(company="松源机械", contact_role="供应链总监")],
        ],
        embedder=Words(),
    )
    w.play()
    f = w.only("lead_profile")
    assert (f["contact_role"], f.version) == ("供应链总监", 3)
    c = w.memory.recall("松源机械的联系人是什么职位？", recent_turns=10, conversation="c1")
    assert "供应链总监" in c.text
    assert "采购员" not in c.text
    assert "采购经理" not in c.text
    assert [s.value for s in w.memory.history(f.id, slot="contact_role")] == [
        "采购员",
        "采购经理",
        "供应链总监",
    ]


def test_a_question_in_the_other_language_gets_the_new_value(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[
            said("2026-03-02T10:00:00+08:00", "澜图测绘预算12万。"),
            said("2026-05-02T10:00:00+08:00", "澜图测绘的预算只批了8万。"),
        ],
        script=[
            [lead(company="澜图测绘", budget=("12万", "预算12万"))],
            [lead(company="澜图测绘", budget=("8万", "只批了8万"))],
        ],
    )
    w.play()
    c = w.memory.recall("What is the budget of 澜图测绘?")
    assert "80,000 CNY" in c.text
    assert "120,000" not in c.text
    assert "12万" not in c.text


def test_an_ended_value_is_silent_in_chinese_too(worlds: Worlds) -> None:
    w = worlds(
        yaml=PERSON,
        messages=[
            said("2026-02-01T09:00:00+08:00", "顾宁的供应商是丰禾包装。"),
            said("2026-07-01T09:00:00+08:00", "顾宁和丰禾包装上月底就终止合作了，新的还没定。"),
        ],
        script=[
            [draft("person_profile", name="顾宁", current_supplier="丰禾包装")],
            [
                draft(
                    "person_profile",
                    name="顾宁",
                    current_supplier={
                        "value": None,
                        "evidence": "和丰禾包装上月底就终止合作了",
                        "op": "clear",
                        "valid_from": "2026-06-30T00:00:00+08:00",
                    },
                )
            ],
        ],
        embedder=Words(),
    )
    w.play()
    f = w.only("person_profile")
    assert f["current_supplier"] is None
    assert "丰禾" not in w.memory.recall("顾宁现在的供应商是谁？").text
    before = w.memory.get(f.id, as_of=at("2026-06-29T12:00:00+08:00"))
    after = w.memory.get(f.id, as_of=at("2026-06-30T12:00:00+08:00"))
    assert (before["current_supplier"], after["current_supplier"]) == ("丰禾包装", None)


def test_a_null_that_clears_nothing_changes_nothing(worlds: Worlds) -> None:
    w = worlds(
        yaml=PERSON,
        messages=[
            said("2026-02-01T09:00:00+00:00", "Pia buys from Corrux."),
            said("2026-02-02T09:00:00+00:00", "Pia says hello."),
        ],
        script=[
            [draft("person_profile", name="Pia", current_supplier="Corrux")],
            [draft("person_profile", name="Pia", current_supplier={"value": None, "evidence": None})],
        ],
    )
    w.play()
    f = w.only("person_profile")
    assert (f["current_supplier"], f.version) == ("Corrux", 1)
