"""Time passes at read: what has ended, not begun, or grown old is told so, without any upkeep."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

from .world import PERSON, Worlds, at, draft, lines_with, money, on_both, quote, said


@on_both
def test_pr_151(worlds: Worlds) -> None:
    where: str | Path = worlds.url or worlds.where / "future.db"
    ids: dict[str, str] = {}
    days = {"A": 3650, "B": 10, "C": 0, "D": -1}
    start = at("2026-06-01T00:00:00+00:00")
    for name, offset in days.items():
        clock = FixedClock(start)
        clock.advance(days=offset)
        with Memory.open(where, form_types=["quote_form", "lead_profile"], clock=clock) as memory:
            memory.record("lead_profile", {"company": f"Firm {name}"})
            ids[name] = memory.record(
                "quote_form", {"company": f"Firm {name}", "amount": "100 EUR", "quote_no": f"Q-{name}"}
            ).forms[0]
    with Memory.open(where, form_types=["quote_form", "lead_profile"], clock=FixedClock(start)) as memory:
        for _ in range(2):
            forms = {name: memory.get(i) for name, i in ids.items()}
            sure = {name: f.slots["amount"].confidence for name, f in forms.items()}
            weights = {
                name: e.weight
                for name, i in ids.items()
                for e in memory.edges(i)
                if e.relation == "refers_to"
            }
            assert all(0 <= x <= 1 for x in [*sure.values(), *weights.values()])
            assert sure["A"] == sure["B"] == sure["C"] >= sure["D"]
            assert set(weights) == set("ABCD")
            assert weights["A"] == pytest.approx(weights["C"])
            assert weights["B"] == pytest.approx(weights["C"])
            assert weights["D"] <= weights["C"]
            c = memory.recall("quotes")
            assert 0 <= c.confidence <= 1
            memory.upkeep()


@on_both
def test_pr_153(worlds: Worlds) -> None:
    w = worlds("PR-153")
    w.play()
    w.turn("2026-09-20T09:00:00+08:00")
    f = w.only("quote_form")
    assert not f.expired
    assert "9.8万" in w.memory.recall("柏山仪表报价").text
    w.turn("2026-10-02T09:00:00+08:00")
    b = w.memory.recall("柏山仪表报价")
    d = w.memory.recall("柏山仪表报价", include_expired=True)
    f = w.memory.get(f.id)
    assert f.expired is True
    assert f.status == "active"
    assert all("已过期" in line for line in lines_with(b.text, "9.8万"))
    lines = lines_with(d.text, "9.8万")
    assert lines
    assert all("已过期" in line for line in lines)


@on_both
def test_pr_155(worlds: Worlds) -> None:
    w = worlds("PR-155")
    w.play()
    w.turn("2026-12-01T09:00:00+08:00")
    f = w.only("quote_form")
    assert f["amount"] == money(100, "CNY")
    a = w.memory.recall("青禾单价").text
    assert re.search(r"(?<!\d)100(?!\d)", a)
    assert all("2027-01-01" in line for line in lines_with(a, "120"))
    w.turn("2027-01-02T09:00:00+08:00")
    g = w.memory.get(f.id)
    assert g["amount"] == money(120, "CNY")
    b = w.memory.recall("青禾单价").text
    assert "120" in b
    assert not re.search(r"(?<!\d)100(?!\d)", b)
    s = {slot.value: slot for slot in w.memory.history(f.id, slot="amount")}
    turn = at("2027-01-01T00:00:00+08:00")
    assert s[money(100, "CNY")].valid_until == turn
    assert s[money(120, "CNY")].valid_from == turn


# -- ours ------------------------------------------------------------------------------------------------


def test_the_last_valid_day_still_counts(worlds: Worlds) -> None:
    w = worlds("PR-153")
    w.play()
    f = w.only("quote_form")
    w.turn("2026-09-30T23:59:00+08:00")
    assert not w.memory.get(f.id).expired
    assert "9.8万" in w.memory.recall("柏山仪表报价").text
    w.turn("2026-10-01T00:01:00+08:00")
    assert w.memory.get(f.id).expired


def test_a_value_that_ends_is_unknown_after_its_end(worlds: Worlds) -> None:
    w = worlds(
        yaml=PERSON,
        messages=[
            said("2026-06-01T09:00:00+00:00", "Runa lives in Bergen."),
            said("2026-06-10T09:00:00+00:00", "Runa stays in Turin until 20 June."),
        ],
        script=[
            [draft("person_profile", name="Runa", city="Bergen")],
            [
                draft(
                    "person_profile",
                    name="Runa",
                    city={
                        "value": "Turin",
                        "evidence": "in Turin until 20 June",
                        "valid_until": "2026-06-20T00:00:00+00:00",
                    },
                )
            ],
        ],
    )
    w.play()
    w.turn("2026-06-15T00:00:00+00:00")
    f = w.only("person_profile")
    assert f["city"] == "Turin"
    w.turn("2026-06-25T00:00:00+00:00")
    assert w.memory.get(f.id)["city"] != "Turin"
    text = w.memory.recall("Where does Runa live?").text
    assert all("expired" in line or "2026-06-20" in line for line in lines_with(text, "Turin"))


def test_a_change_that_is_called_off_never_happens(worlds: Worlds) -> None:
    w = worlds(
        types=["quote_form"],
        messages=[
            said("2026-11-01T09:00:00+00:00", "Q-5 is 100 EUR."),
            said("2026-11-20T09:00:00+00:00", "Q-5 will be 120 EUR from January 1."),
            said("2026-12-20T09:00:00+00:00", "We take that back, Q-5 stays at 100 EUR."),
        ],
        script=[
            [quote(quote_no="Q-5", amount="100 EUR")],
            [
                quote(
                    quote_no="Q-5",
                    amount={
                        "value": "120 EUR",
                        "evidence": "120 EUR",
                        "valid_from": "2027-01-01T00:00:00+00:00",
                    },
                )
            ],
            [
                quote(
                    quote_no="Q-5",
                    amount={
                        "value": "100 EUR",
                        "evidence": "stays at 100 EUR",
                        "correction": True,
                        "valid_from": "2027-01-01T00:00:00+00:00",
                    },
                )
            ],
        ],
    )
    w.play()
    f = w.only("quote_form")
    for day in ("2026-12-25", "2027-01-05", "2027-06-01"):
        w.turn(f"{day}T00:00:00+00:00")
        assert w.memory.get(f.id)["amount"] == money(100, "EUR")


def test_facts_fade_by_day_ask_below_half_and_are_never_dropped(worlds: Worlds) -> None:
    yaml = (
        "form_type: taste\nidentity: [name]\nlife: {fade_per_day: 0.95}\n"
        "slots:\n  name: {type: text}\n  dish: {type: text}\n"
    )
    w = worlds(
        yaml=yaml,
        messages=[said("2026-06-01T09:00:00+00:00", "Runa likes pancakes.")],
        script=[
            [
                draft(
                    "taste",
                    name="Runa",
                    dish={"value": "pancakes", "evidence": "pancakes", "confidence": 1.0},
                )
            ]
        ],
        now="2026-06-01T09:00:00+00:00",
    )
    w.play()
    f = w.only("taste")
    w.clock.advance(days=10)
    assert w.memory.get(f.id).slots["dish"].confidence == pytest.approx(0.95**10)
    w.clock.advance(days=10)
    faded = w.memory.get(f.id)
    assert faded["dish"] == "pancakes"
    assert faded.slots["dish"].confidence == pytest.approx(0.95**20)
    c = w.memory.recall("What dish does Runa like?")
    assert "pancakes" in c.text
    assert any("pancakes" in q or "dish" in q for q in c.questions)


def test_cold_forms_come_back_when_asked_for_and_daily_upkeep_changes_no_answer(worlds: Worlds) -> None:
    told = []
    for daily in (False, True):
        w = worlds(types=["lead_profile"], messages=[], script=[], now="2026-01-01T00:00:00+00:00")
        f = w.memory.record("lead_profile", {"company": "Orsa", "budget": "9000 EUR"}).forms[0]
        for _ in range(100):
            w.clock.advance(days=1)
            if daily:
                w.memory.upkeep()
        form = w.memory.get(f)
        cold = w.memory.recall("leads with a budget").text
        warm = w.memory.recall("leads with a budget", include_cold=True).text
        told.append((form.cold, form.status, form["budget"], "Orsa" in cold, "Orsa" in warm))
    assert told[0] == told[1] == (True, "active", money(9000, "EUR"), False, True)
