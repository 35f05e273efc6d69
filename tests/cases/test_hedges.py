"""A vague figure stays vague: it waits, as a range or at half confidence, and is asked about."""

from __future__ import annotations

from decimal import Decimal

import pytest

from forms_dynamics import Money, Range

from .world import Worlds, lead, lines_with, money, on_both, only_unconfirmed, said


def amount(value: object) -> Decimal:
    return value.amount if isinstance(value, Money) else Decimal(str(value))


@on_both
def test_pr_049(worlds: Worlds) -> None:
    w = worlds("PR-049")
    w.play()
    f = w.only("lead_profile")
    assert f["budget"] is None
    assert f.slots["budget"].status == "pending"
    assert f.slots["budget"].confidence <= 0.5
    (p,) = w.memory.pending()
    assert p.reason in {"range", "hedged"}
    assert isinstance(p.value, Range)
    assert amount(p.value.min) >= 300000
    assert amount(p.value.max) < 400000
    assert p.value.min.currency == p.value.max.currency == "CNY"
    c = w.memory.recall("新港阀门预算多少？")
    lines = [line for line in c.text.splitlines() if "30" in line or "39" in line or "三十" in line]
    assert lines
    assert all(line.startswith("[待确认]") for line in lines)


@on_both
def test_pr_051(worlds: Worlds) -> None:
    w = worlds("PR-051")
    (r,) = w.play()
    f = w.only("lead_profile")
    (p,) = w.memory.pending()
    assert (p.slot, p.reason, p.value) == ("budget", "hedged", money(650000, "USD"))
    assert f.slots["budget"].status == "pending"
    assert f.slots["budget"].confidence <= 0.5
    assert f["budget"] is None
    assert "deadline" not in f.slots
    assert p.question
    assert p.question in r.questions
    assert list(r.pending) == [p.id]


def test_pr_053(worlds: Worlds) -> None:
    w = worlds("PR-053")
    w.play()
    f = w.only("lead_profile")
    assert f["budget"] is None
    waiting = [p for p in w.memory.pending() if p.slot == "budget"]
    for p in waiting:
        assert f.slots["budget"].confidence <= 0.5
        assert isinstance(p.value, Range)
        assert (p.value.min, p.value.max) == (money(200000, "CNY"), money(1000000, "CNY"))


@on_both
def test_pr_055(worlds: Worlds) -> None:
    w = worlds("PR-055")
    w.play()
    f = w.only("lead_profile")
    assert f["deadline"].isoformat() == "2026-05-29"
    assert f.slots["payment_terms"].status == "pending"
    assert f.slots["payment_terms"].confidence <= 0.5
    assert f["payment_terms"] is None
    assert [(p.slot, p.reason) for p in w.memory.pending()] == [("payment_terms", "hedged")]
    c = w.memory.recall("What are the terms and deadline of Pinecrest?")
    assert "2026-05-29" in c.text
    assert only_unconfirmed(c.text, "net 45", "en")


# -- ours ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "大概50万",
        "50万左右",
        "差不多50万",
        "可能50万",
        "50万上下",
        "估计50万",
        "约50万",
        "50万吧",
        "也许50万",
        "应该50万",
        "五十万出头",
        "around 500k CNY",
        "about 500k CNY",
        "roughly 500k CNY",
        "maybe 500k CNY",
        "approximately 500k CNY",
        "500k CNY or so",
        "probably 500k CNY",
        "some 500k CNY",
        "perhaps 500k CNY",
        "in the region of 500k CNY",
    ],
)
def test_every_hedge_caps_the_slot(worlds: Worlds, words: str) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[said("2026-05-05T10:00:00+08:00", f"霍林矿机预算{words}。")],
        script=[[lead(company="霍林矿机", budget={"value": words, "evidence": words, "confidence": 0.99})]],
    )
    (r,) = w.play()
    f = w.only("lead_profile")
    assert f["budget"] is None
    assert f.slots["budget"].status == "pending"
    assert f.slots["budget"].confidence <= 0.5
    (p,) = w.memory.pending()
    assert p.reason in {"hedged", "range"}
    assert p.question in r.questions


def test_the_hedge_beside_the_evidence_counts(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[said("2026-05-05T10:00:00+08:00", "霍林矿机预算大概50万左右，下个月底前要。")],
        script=[[lead(company="霍林矿机", budget=("50万", "50万"), deadline=("下个月底", "下个月底前"))]],
    )
    w.play()
    f = w.only("lead_profile")
    assert f["budget"] is None
    assert (f["deadline"].isoformat(), f.slots["deadline"].status) == ("2026-06-30", "known")
    (p,) = w.memory.pending()
    assert (p.slot, p.reason, p.value) == ("budget", "hedged", money(500000, "CNY"))
    w.memory.confirm(p.id)
    assert w.memory.get(f.id)["budget"] == money(500000, "CNY")
    assert list(w.memory.pending()) == []


@pytest.mark.parametrize(
    ("words", "low", "high"),
    [
        ("四五十万", 400000, 500000),
        ("两三百万", 2000000, 3000000),
        ("十几万", 100000, 199999),
        ("七八千", 7000, 8000),
    ],
)
def test_vague_ranges_wait_and_are_never_a_number(worlds: Worlds, words: str, low: int, high: int) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[said("2026-05-05T10:00:00+08:00", f"霍林矿机预算{words}吧。")],
        script=[[lead(company="霍林矿机", budget=(words, f"预算{words}吧"))]],
    )
    w.play()
    f = w.only("lead_profile")
    assert f["budget"] is None
    (p,) = w.memory.pending()
    assert isinstance(p.value, Range)
    assert low <= amount(p.value.min) <= low * Decimal("1.1")
    assert high * Decimal("0.9") <= amount(p.value.max) <= high
    assert lines_with(w.memory.recall("霍林矿机预算多少？").text, "[待确认]")


def test_exactly_at_the_threshold_passes_and_a_hair_below_waits(worlds: Worlds) -> None:
    for confidence, status in ((0.8, "known"), (0.79, "pending")):
        w = worlds(
            types=["lead_profile"],
            messages=[said("2026-05-05T10:00:00+00:00", "Tarrant Mills has 650k USD.")],
            script=[
                [
                    lead(
                        company="Tarrant Mills",
                        budget={"value": "650k USD", "evidence": "650k USD", "confidence": confidence},
                    )
                ]
            ],
        )
        w.play()
        f = w.only("lead_profile")
        assert f.slots["budget"].status == status
        assert [p.reason for p in w.memory.pending()] == ([] if status == "known" else ["low_confidence"])


def test_confirming_with_another_value_takes_that(worlds: Worlds) -> None:
    w = worlds("PR-051")
    w.play()
    (p,) = w.memory.pending()
    w.memory.confirm(p.id, "640k USD")
    assert w.only("lead_profile")["budget"] == money(640000, "USD")
    w2 = worlds("PR-051")
    w2.play()
    (p2,) = w2.memory.pending()
    w2.memory.refuse(p2.id)
    assert w2.only("lead_profile")["budget"] is None
    assert list(w2.memory.pending()) == []
    assert "650" not in w2.memory.recall("What is the budget of Tarrant Mills?").text
