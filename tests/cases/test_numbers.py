"""Amounts are read exactly, keep their currency, and a bound is not a figure."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from forms_dynamics import Memory, Money, Range
from forms_dynamics.testing import FixedClock

from .world import PRICE, Worlds, at, draft, dump, lead, money, on_both, said

OPEN_PRICE = "form_type: open_price\nidentity: each\nslots:\n  amount: {type: money}\n"


def amounts(w: object) -> list[object]:
    """The known amount of each receipt's Form."""
    world = w  # type: ignore[assignment]
    told = []
    for receipt in world.play():  # type: ignore[attr-defined]
        form = world.form_of(receipt)  # type: ignore[attr-defined]
        assert form.slots["amount"].status == "known", (receipt, form)
        told.append(form["amount"])
    return told


@on_both
def test_pr_057(worlds: Worlds) -> None:
    w = worlds("PR-057")
    w.play()
    slot = w.only("lead_profile").slots["budget"]
    value = slot.value if slot.status == "known" else w.memory.pending()[0].value
    assert isinstance(value, Range)
    assert value.min is None or value.min == money(0, "CNY")
    assert value.max == money(400000, "CNY")
    text = w.memory.recall("广成家具预算多少？").text
    lines = [line for line in text.splitlines() if "40万" in line or "400,000" in line]
    assert lines
    assert all(
        any(bound in line for bound in ("小于", "不超过", "以内", "≤", "<", "少于", "低于")) for line in lines
    )
    assert "39" not in text


@on_both
def test_pr_059(worlds: Worlds) -> None:
    w = worlds("PR-059")
    w.play()
    assert w.only("lead_profile")["budget"] == money(1200000, "USD")
    assert {f["size"] for f in w.memory.find("deal")} == {money(4700000000, "USD"), money(1200000, "USD")}
    assert len(w.memory.find("deal")) == 2


def test_pr_061(worlds: Worlds) -> None:
    told = amounts(worlds("PR-061"))
    assert told == [money(n, "CNY") for n in (132000, 32000, 25000, 2300, 256000, 120)]


def test_pr_063(worlds: Worlds) -> None:
    w = worlds("PR-063")
    w.play()
    assert sorted(f["amount"].amount for f in w.memory.find("price")) == [8000, 20000]
    assert {f["item"]: f["amount"] for f in w.memory.find("price")} == {
        "Line3": money(20000, "EUR"),
        "Cell7": money(8000, "EUR"),
    }
    plain = worlds("PR-063", extractor=None)
    plain.play()
    seen = [f["amount"] for f in plain.memory.find("price")] + [p.value for p in plain.memory.pending()]
    assert all(
        value in (None, money(20000, "EUR"), money(8000, "EUR"))
        for value in seen
        if isinstance(value, (Money, type(None)))
    )
    assert "320000" not in dump(plain.memory)


def test_pr_065(worlds: Worlds) -> None:
    told = amounts(worlds("PR-065"))
    assert told == [money(n, "CNY") for n in (105000, 105000, 505000, 103453, 1903971)]


@on_both
def test_pr_067(worlds: Worlds) -> None:
    w = worlds("PR-067")
    (observed,) = w.play()
    ids = [w.memory.record("price", {"amount": f"{v} USD"}).forms[0] for v in ("19.99", "0.10", "0.20")]
    w.memory.close()
    where = worlds.url or worlds.where / "memory1.db"
    memory = Memory.open(where, form_types=[worlds.where / "types1.yaml"], clock=FixedClock(w.clock.now()))
    assert memory.get(observed.forms[0])["amount"] == Money(Decimal("12345678901234.56"), "USD")
    read = [memory.get(i)["amount"].amount for i in ids]
    assert read[0] == Decimal("19.99")
    assert read[1] + read[2] == Decimal("0.30")
    written = json.dumps(list(memory.export()))
    assert "19.99" in written
    assert "19.98999" not in written
    assert "12345678901234.56" in written
    memory.close()


@on_both
def test_pr_069(worlds: Worlds) -> None:
    w = worlds("PR-069")
    r = w.play()
    known = [w.form_of(r[i])["amount"] for i in (0, 1, 2, 4)]
    assert known == [money(7270, "CNY"), money(1200000, "JPY"), money(500, "CNY"), money(500, "CNY")]
    assert w.form_of(r[3])["amount"] is None
    (p,) = w.memory.pending()
    assert any(word in p.question for word in ("币种", "货币", "人民币", "日元", "CNY"))
    assert p.reason == "ambiguous_value"
    assert {"CNY", "JPY"} <= {code for code in ("CNY", "JPY") if any(code in c for c in p.candidates)}


# -- ours ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "amount"),
    [
        ("3.5万", "35000"),
        ("１２万", "120000"),
        ("1,234.50元", "1234.50"),
        ("八千八", "8800"),
        ("二十五万", "250000"),
        ("1亿2千万", "120000000"),
        ("一亿二", "120000000"),
        ("三百零五万", "3050000"),
        ("两百五", "250"),
        ("一万零五十", "10050"),
        ("十二万三", "123000"),
        ("贰佰万元整", "2000000"),
        ("0.8万", "8000"),
        ("廿万", "200000"),
        ("三千零八十元五角", "3080.5"),
        ("120w", "1200000"),
        ("5k", "5000"),
        ("50萬", "500000"),
        ("一百二十八万六", "1286000"),
    ],
)
def test_chinese_amounts(worlds: Worlds, words: str, amount: str) -> None:
    w = worlds(
        yaml=PRICE,
        messages=[said("2026-02-02T10:00:00+08:00", f"报价{words}，含税。")],
        script=[[draft("price", amount=words)]],
    )
    assert amounts(w) == [money(amount, "CNY")]


@pytest.mark.parametrize(
    ("words", "amount", "currency"),
    [
        ("$1.25M", "1250000", "USD"),
        ("€3,499.95", "3499.95", "EUR"),
        ("£12k", "12000", "GBP"),
        ("12.5k EUR", "12500", "EUR"),
        ("USD 1,000,000", "1000000", "USD"),
        ("two million dollars", "2000000", "USD"),
        ("0.07 USD", "0.07", "USD"),
        ("HK$20,000", "20000", "HKD"),
        ("1.1bn EUR", "1100000000", "EUR"),
        ("fifteen thousand euros", "15000", "EUR"),
        ("US$4.35 million", "4350000", "USD"),
        ("RMB 50k", "50000", "CNY"),
        ("CHF 1'200", "1200", "CHF"),
    ],
)
def test_english_amounts(worlds: Worlds, words: str, amount: str, currency: str) -> None:
    w = worlds(
        yaml=OPEN_PRICE,
        messages=[said("2026-02-02T10:00:00+00:00", f"The price is {words}, all in.")],
        script=[[draft("open_price", amount=words)]],
    )
    assert amounts(w) == [money(amount, currency)]


@pytest.mark.parametrize(
    ("words", "low", "high"),
    [
        ("不超过40万", None, 400000),
        ("40万以内", None, 400000),
        ("至少25万", 250000, None),
        ("30万以上", 300000, None),
        ("30万到40万", 300000, 400000),
        ("30-40万", 300000, 400000),
        ("低于8万", None, 80000),
        ("最多12万", None, 120000),
        ("at least 20k CNY", 20000, None),
        ("up to 20k CNY", None, 20000),
        ("between 10k and 20k CNY", 10000, 20000),
        ("under 20k CNY", None, 20000),
        ("no more than 20k CNY", None, 20000),
    ],
)
def test_plain_ranges_and_bounds_are_known_ranges(
    worlds: Worlds, words: str, low: int | None, high: int | None
) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[said("2026-04-01T10:00:00+08:00", f"广成家具的预算{words}。")],
        script=[[lead(company="广成家具", budget=(words, f"预算{words}"))]],
    )
    w.play()
    slot = w.only("lead_profile").slots["budget"]
    assert slot.status == "known"
    assert slot.value == Range(
        None if low is None else money(low, "CNY"), None if high is None else money(high, "CNY")
    )


def test_an_exact_slot_asks_about_a_range(worlds: Worlds) -> None:
    w = worlds(
        yaml="form_type: price\nidentity: each\nslots:\n  amount: {type: money, unit: CNY, exact: true}\n",
        messages=[said("2026-04-01T10:00:00+08:00", "报价30到40万。")],
        script=[[draft("price", amount="30到40万")]],
    )
    w.play()
    (p,) = w.memory.pending()
    assert (p.reason, p.value) == ("range", Range(money(300000, "CNY"), money(400000, "CNY")))


def test_no_amount_is_lost_between_currencies(worlds: Worlds) -> None:
    w = worlds(
        types=["quote_form"],
        messages=[
            said("2026-04-01T10:00:00+00:00", "Q-1 was 100 USD."),
            said("2026-04-02T10:00:00+00:00", "Q-1 is 100 EUR."),
        ],
        script=[
            [draft("quote_form", quote_no="Q-1", amount="100 USD")],
            [draft("quote_form", quote_no="Q-1", amount="100 EUR")],
        ],
    )
    w.play()
    f = w.only("quote_form")
    assert (f["amount"], f.version) == (money(100, "EUR"), 2)


def test_an_amount_that_its_evidence_does_not_bear_is_only_a_candidate(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        now="2026-04-02T00:00:00+08:00",
        messages=[said("2026-04-01T10:00:00+08:00", "广成家具的预算是40万。")],
        script=[[lead(company="广成家具", budget=(450000, "预算是40万"))]],
    )
    (r,) = w.play()
    assert w.clock.now() == at("2026-04-02T00:00:00+08:00")
    assert [p.reason for p in w.memory.pending()] in ([], ["inferred"])
    assert r.pending or "budget" in {x.slot for x in r.refused}
    assert w.only("lead_profile")["budget"] is None
