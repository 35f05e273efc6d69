"""A message changes the slots that it speaks of, each once, and no others."""

from __future__ import annotations

from datetime import date

from .world import NOTE, Worlds, at, draft, lead, money, on_both, said

TRIP = "form_type: trip\nslots:\n  origin: {type: text}\n  destination: {type: text}\n"


@on_both
def test_pr_017(worlds: Worlds) -> None:
    w = worlds("PR-017")
    receipts = w.play()
    f = w.only("lead_profile")
    assert f["contact_role"] == "plant manager"
    assert f["budget"] == money(120000, "USD")
    assert f["deadline"] == date(2026, 6, 30)
    assert all(f.slots[name].status == "known" for name in ("contact_role", "budget", "deadline"))
    assert f.version == 1
    assert len(w.memory.history(f.id)) == 1
    assert f.slots["company"].confirmed_at == at("2026-04-09T10:00:00+00:00")
    assert receipts[1].state == "stored"


def test_pr_089(worlds: Worlds) -> None:
    w = worlds("PR-089")
    (receipt,) = w.play()
    f = w.only("trip")
    assert (f["destination"], f.slots["destination"].status) == ("Gdansk", "known")
    assert f["origin"] is None
    waiting = [p for p in w.memory.pending() if p.slot == "origin"]
    refused = [r for r in receipt.refused if r.slot == "origin"]
    assert len(waiting) + len(refused) == 1
    assert all("origin" in p.question.lower() for p in waiting)


def test_pr_091(worlds: Worlds) -> None:
    w = worlds("PR-091")
    w.play()
    f = w.only("lead_profile", company="博雅印务")
    assert (f["budget"], f.version) == (money(600000, "CNY"), 1)
    assert f.slots["budget"].status == "known"
    assert len(w.memory.history(f.id)) == 1


@on_both
def test_pr_093(worlds: Worlds) -> None:
    w = worlds("PR-093")
    w.play()
    f = w.only("order")
    assert set(f["toppings"]) == {"mushrooms", "bacon"}
    assert [set(v.slots["toppings"].value) for v in w.memory.history(f.id)] == [
        {"mushrooms", "olives"}, {"mushrooms", "olives", "bacon"}, {"mushrooms", "bacon"},
    ]  # fmt: skip


# -- ours ------------------------------------------------------------------------------------------------


def test_one_span_for_two_slots_in_chinese(worlds: Worlds) -> None:
    w = worlds(
        yaml=TRIP,
        messages=[
            said("2026-04-24T10:00:00+08:00", "下周要去厦门出差。"),
            said("2026-04-24T10:01:00+08:00", "从青岛出发。"),
        ],
        script=[
            [
                draft(
                    "trip",
                    origin={"value": "厦门", "evidence": "厦门", "confidence": 0.9},
                    destination=("厦门", "去厦门"),
                )
            ],
            [draft("trip", origin=("青岛", "从青岛出发"))],
        ],
    )
    w.play()
    f = w.only("trip")
    assert (f["origin"], f["destination"]) == ("青岛", "厦门")


def test_the_same_word_said_twice_may_fill_two_slots(worlds: Worlds) -> None:
    w = worlds(
        yaml=TRIP,
        messages=[said("2026-04-24T10:00:00+00:00", "From Oslo and back to Oslo.")],
        script=[[draft("trip", origin=("Oslo", "From Oslo"), destination=("Oslo", "back to Oslo"))]],
    )
    w.play()
    f = w.only("trip")
    assert (f["origin"], f["destination"]) == ("Oslo", "Oslo")


def test_one_figure_is_not_two_values(worlds: Worlds) -> None:
    w = worlds(
        types=["quote_form", "lead_profile"],
        messages=[said("2026-04-24T10:00:00+08:00", "桐川阀门预算30万。")],
        script=[
            [
                lead(
                    company="桐川阀门",
                    budget=("30万", "预算30万"),
                    payment_terms={"value": "30万", "evidence": "30万", "confidence": 0.82},
                )
            ]
        ],
    )
    (_receipt,) = w.play()
    f = w.only("lead_profile")
    assert f["budget"] == money(300000, "CNY")
    assert f["payment_terms"] is None


def test_another_firms_words_do_not_move_a_confirmed_slot(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[
            said("2026-01-15T10:00:00+00:00", "Ferro Tools pays net 30."),
            said("2026-01-16T10:00:00+00:00", "A competitor of ours pays net 90, can you imagine."),
        ],
        script=[
            [lead(company="Ferro Tools", payment_terms="net 30")],
            [lead(payment_terms={"value": "net 90", "evidence": "net 90", "whose": "other"})],
        ],
    )
    w.play()
    f = w.only("lead_profile", company="Ferro Tools")
    assert (f["payment_terms"], f.version) == ("net 30", 1)


def test_adding_what_is_there_and_removing_what_is_not_make_no_version(worlds: Worlds) -> None:
    w = worlds(
        yaml="form_type: order\nslots:\n  toppings: {type: text, many: true}\n",
        messages=[
            said("2026-10-07T18:00:00+08:00", "来份蘑菇和橄榄。"),
            said("2026-10-07T18:00:10+08:00", "橄榄也要。"),
            said("2026-10-07T18:00:20+08:00", "不要培根。"),
            said("2026-10-07T18:00:30+08:00", "整个换成只要芝士。"),
        ],
        script=[
            [draft("order", toppings=(["蘑菇", "橄榄"], "蘑菇和橄榄"))],
            [draft("order", toppings={"value": ["橄榄"], "evidence": "橄榄也要", "op": "add"})],
            [draft("order", toppings={"value": ["培根"], "evidence": "不要培根", "op": "remove"})],
            [draft("order", toppings={"value": ["芝士"], "evidence": "只要芝士", "op": "set"})],
        ],
    )
    w.memory.observe_many(w.messages[:3])
    f = w.only("order")
    assert set(f["toppings"]) == {"蘑菇", "橄榄"}
    assert f.version == 1
    w.memory.observe_many(w.messages[3:])
    f = w.only("order")
    assert (set(f["toppings"]), f.version) == ({"芝士"}, 2)


def test_two_drafts_of_one_form_make_one_version(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[said("2026-01-15T10:00:00+00:00", "Ferro Tools pays net 30 and has 9k EUR.")],
        script=[
            [
                lead(company="Ferro Tools", payment_terms="net 30"),
                lead(company="Ferro Tools", budget="9k EUR"),
            ]
        ],
    )
    (receipt,) = w.play()
    f = w.only("lead_profile")
    assert f.version == 1
    assert len(receipt.versions) == 1
    assert (f["payment_terms"], f["budget"]) == ("net 30", money(9000, "EUR"))


def test_notes_of_their_own_stay_apart(worlds: Worlds) -> None:
    w = worlds(
        yaml=NOTE,
        messages=[said("2026-01-15T10:00:00+00:00", "One: milk. Two: milk again.")],
        script=[
            [draft("note", text=("milk", "One: milk")), draft("note", text=("milk again", "Two: milk again"))]
        ],
    )
    w.play()
    assert sorted(f["text"] for f in w.memory.find("note")) == ["milk", "milk again"]
