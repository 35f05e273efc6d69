"""A denial is the opposite of the claim, never its copy."""

from __future__ import annotations

import re

import pytest

from .world import PERSON, Worlds, both, draft, lead, lines_with, on_both, said

PLEASE_NOT = re.compile(r"不|非|避|拒|禁|not|avoid|never|no\b|except", re.IGNORECASE)


@on_both
def test_pr_043(worlds: Worlds) -> None:
    w = worlds("PR-043")
    r = w.play()
    f = w.only("site_rule")
    assert f["allowed"] is False
    assert f.version == 2
    first, second = w.memory.history(f.id)
    assert (first.slots["allowed"].value, first.current, second.current) == (True, False, True)
    assert r[1].duplicate is False
    c = w.memory.recall("May we deliver to Dock 4 at the weekend?")
    lines = [line for line in c.text.splitlines() if "allowed" in line.lower()]
    assert lines
    assert all(re.search(r"\bnot?\b|false|: no\b", line, re.IGNORECASE) for line in lines)
    assert not re.search(r"allowed:? *(=|is)? *(true|yes)", c.text, re.IGNORECASE)


def test_pr_045(worlds: Worlds) -> None:
    for name, w in both(worlds, "PR-045"):
        w.play()
        f = w.only("lead_profile", company="康禾食品")
        if name == "script":
            assert f["payment_terms"] == "电汇"
            assert f.slots["payment_terms"].avoided == frozenset({"承兑汇票"})
            c = w.memory.recall("康禾食品能付承兑吗？")
            assert "电汇" in c.text
            lines = lines_with(c.text, "承兑汇票")
            assert lines
            assert all(PLEASE_NOT.search(line) for line in lines)
        else:
            assert f["payment_terms"] is None


def test_pr_047(worlds: Worlds) -> None:
    for name, w in both(worlds, "PR-047"):
        w.play()
        forms = w.memory.find("lead_profile")
        if name == "script":
            (f,) = forms
            slot = f.slots["payment_terms"]
            assert (slot.value, slot.status) == ("不接受超过45天的账期", "known")
            assert "不接受账期" not in slot.avoided
            c = w.memory.recall("他们接受账期吗？", conversation="c1")
            assert "45天" in c.text
        else:
            assert all(f["payment_terms"] is None for f in forms)


# -- ours ------------------------------------------------------------------------------------------------


def test_two_negations_are_both_avoided(worlds: Worlds) -> None:
    w = worlds(
        yaml=PERSON,
        messages=[said("2026-04-10T10:00:00+08:00", "沈悦不吃辣，也不喝咖啡。")],
        script=[
            [
                draft("person_profile", name="沈悦"),
                draft(
                    "person_profile",
                    name="沈悦",
                    food_preference={"value": ["辣"], "evidence": "不吃辣", "negated": True},
                ),
                draft(
                    "person_profile",
                    name="沈悦",
                    food_preference={"value": ["咖啡"], "evidence": "不喝咖啡", "negated": True},
                ),
            ]
        ],
    )
    w.play()
    f = w.only("person_profile")
    assert not f["food_preference"]
    assert f.slots["food_preference"].avoided == frozenset({"辣", "咖啡"})
    text = w.memory.recall("沈悦喝咖啡吗？").text
    assert all(PLEASE_NOT.search(line) for line in lines_with(text, "咖啡"))
    assert lines_with(text, "咖啡")


@pytest.mark.parametrize(
    ("text", "slot", "value", "evidence"),
    [
        ("Corvid Lab won't pay by cheque.", "payment_terms", "by cheque", "pay by cheque"),
        ("Corvid Lab never pays up front.", "payment_terms", "up front", "pays up front"),
        ("Corvid Lab isn't paying net 60.", "payment_terms", "net 60", "paying net 60"),
        ("康禾食品不走月结。", "payment_terms", "月结", "走月结"),
        ("康禾食品没有答应预付。", "payment_terms", "预付", "答应预付"),
    ],
)
def test_a_dropped_negation_is_not_known(
    worlds: Worlds, text: str, slot: str, value: str, evidence: str
) -> None:
    company = text[:10] if text.startswith("Corvid") else text[:4]
    w = worlds(
        types=["lead_profile"],
        messages=[said("2026-04-10T10:00:00+08:00", text)],
        script=[[lead(company=company, **{slot: (value, evidence)})]],
    )
    w.play()
    f = w.only("lead_profile")
    assert f[slot] is None


def test_not_the_old_but_the_new_is_no_denial_of_the_new(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[
            said("2026-04-10T10:00:00+08:00", "康禾食品走月结。"),
            said("2026-04-11T10:00:00+08:00", "康禾食品不走月结了，改现付。"),
        ],
        script=[
            [lead(company="康禾食品", payment_terms="月结")],
            [lead(company="康禾食品", payment_terms=("现付", "改现付"))],
        ],
    )
    w.play()
    f = w.only("lead_profile")
    assert (f["payment_terms"], f.version) == ("现付", 2)


def test_a_liked_thing_turned_down_later_is_liked_no_more(worlds: Worlds) -> None:
    w = worlds(
        yaml=PERSON,
        messages=[
            said("2026-04-10T10:00:00+00:00", "Ola likes rye bread and herring."),
            said("2026-05-10T10:00:00+00:00", "Ola does not eat herring any more."),
        ],
        script=[
            [
                draft(
                    "person_profile",
                    name="Ola",
                    food_preference=(["rye bread", "herring"], "rye bread and herring"),
                )
            ],
            [
                draft(
                    "person_profile",
                    name="Ola",
                    food_preference={"value": ["herring"], "evidence": "not eat herring", "negated": True},
                )
            ],
        ],
    )
    w.play()
    slot = w.only("person_profile").slots["food_preference"]
    assert set(slot.value) == {"rye bread"}
    assert slot.avoided == frozenset({"herring"})
