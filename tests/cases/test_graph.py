"""Edges join what exists, are read from both ends, and are walked by a recall."""

from __future__ import annotations

import pytest

from forms_dynamics import InvalidInput, NotFound

from .world import Worlds, lead, money, on_both, quote, said


@on_both
def test_pr_147(worlds: Worlds) -> None:
    w = worlds("PR-147")
    f = w.memory.record("lead_profile", {"company": "Marlow"}).forms[0]
    with pytest.raises(NotFound, match="ghost_a"):
        w.memory.link("ghost_a", "refers_to", "ghost_b")
    with pytest.raises(NotFound, match="ghost_b"):
        w.memory.link(f, "refers_to", "ghost_b")
    with pytest.raises(InvalidInput):
        w.memory.link(f, "refers_to", f)
    with pytest.raises(InvalidInput, match="refers_to"):
        w.memory.link(f, "NO_SUCH_RELATION", f)
    assert list(w.memory.edges(f, include_inactive=True)) == []


@on_both
def test_pr_149(worlds: Worlds) -> None:
    w = worlds("PR-149")
    w.play()
    l, q = w.only("lead_profile"), w.only("quote_form")
    told = [[e for e in w.memory.edges(i) if e.relation == "refers_to"] for i in (l.id, q.id)]
    assert [[(e.source, e.target) for e in edges] for edges in told] == [[(q.id, l.id)]] * 2
    assert told[0][0].id == told[1][0].id
    c = w.memory.recall("临江重工", max_hops=1)
    assert "48万" in c.text
    assert [s for s in c.trace.steps if s.kind == "walk" and "refers_to" in s.reason + s.subject]


# -- ours ------------------------------------------------------------------------------------------------


@on_both
def test_a_declared_rule_makes_its_edge_by_itself_and_a_link_is_a_persons(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile", "quote_form", "contract_form"],
        messages=[
            said(
                "2026-07-22T09:00:00+00:00",
                "Q-11 for Marlow Rail is 48k EUR. The framework HT-2 is a separate paper.",
            )
        ],
        script=[
            [
                lead(company="Marlow Rail"),
                quote(quote_no="Q-11", company="Marlow Rail", amount="48k EUR"),
                {
                    "form_type": "contract_form",
                    "slots": {"contract_no": {"value": "HT-2", "confidence": 0.95, "evidence": "HT-2"}},
                },
            ]
        ],
    )
    w.play()
    l, q, k = w.only("lead_profile"), w.only("quote_form"), w.only("contract_form")
    (edge,) = [e for e in w.memory.edges(l.id) if e.relation == "refers_to"]
    assert (edge.source, edge.target, edge.status) == (q.id, l.id, "active")
    assert 0.6 < edge.weight <= 1
    receipt = w.memory.link(k.id, "evolves_from", q.id)
    assert len(receipt.edges) == 1
    (evolved,) = [e for e in w.memory.edges(k.id) if e.relation == "evolves_from"]
    assert (evolved.source, evolved.target) == (k.id, q.id)
    text = w.memory.recall("Marlow Rail", max_hops=2).text
    assert "48,000 EUR" in text
    assert "HT-2" in text


def test_a_target_that_is_not_known_waits_and_is_not_made(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile", "quote_form"],
        messages=[said("2026-07-22T09:00:00+08:00", "报价单BJ-9给沧浪造船，48万。")],
        script=[
            [
                {
                    **quote(quote_no="BJ-9", amount="48万"),
                    "relations": [
                        {"relation": "refers_to", "to": {"form_type": "lead_profile", "company": "沧浪造船"}}
                    ],
                }
            ]
        ],
    )
    w.play()
    assert list(w.memory.find("lead_profile")) == []
    assert "relation_missing" in {p.reason for p in w.memory.pending()}
    assert w.only("quote_form")["amount"] == money(480000, "CNY")


def test_three_hops_are_refused(worlds: Worlds) -> None:
    w = worlds(types=["lead_profile"], messages=[], script=[])
    with pytest.raises(InvalidInput):
        w.memory.recall("Marlow", max_hops=3)
    with pytest.raises(InvalidInput):
        w.memory.recall("Marlow", max_hops=-1)


def test_an_invalid_end_is_not_walked_and_the_trace_says_so(worlds: Worlds) -> None:
    w = worlds("PR-149")
    w.play()
    q = w.only("quote_form")
    w.memory.invalidate(q.id, "withdrawn")
    c = w.memory.recall("临江重工", max_hops=2)
    assert "48万" not in c.text
    assert q.id not in {f.id for f in c.forms}
    assert [s for s in c.trace.steps if s.kind == "prune"]


def test_a_removed_relation_is_gone_and_its_history_stays(worlds: Worlds) -> None:
    def relation(op: str, company: str) -> dict[str, object]:
        return {"relation": "refers_to", "op": op, "to": {"form_type": "lead_profile", "company": company}}

    w = worlds(
        types=["lead_profile", "quote_form"],
        rules="relation: refers_to\nfrom: quote_form\nto: lead_profile\n",
        messages=[
            said("2026-07-22T09:00:00+08:00", "BJ-3给东港船务，西岭矿业也在看。"),
            said("2026-07-23T09:00:00+08:00", "BJ-3不给东港船务了，换成西岭矿业。"),
        ],
        script=[
            [
                lead(company="东港船务"),
                lead(company="西岭矿业"),
                {**quote(quote_no="BJ-3"), "relations": [relation("add", "东港船务")]},
            ],
            [
                {
                    **quote(quote_no="BJ-3"),
                    "relations": [relation("remove", "东港船务"), relation("add", "西岭矿业")],
                }
            ],
        ],
    )
    w.play()
    q = w.only("quote_form")
    names = {f.id: f["company"] for f in w.memory.find("lead_profile")}
    assert [names[e.target] for e in w.memory.edges(q.id) if e.relation == "refers_to"] == ["西岭矿业"]
    all_edges = [e for e in w.memory.edges(q.id, include_inactive=True) if e.relation == "refers_to"]
    assert {names[e.target]: e.status == "active" for e in all_edges} == {"东港船务": False, "西岭矿业": True}
