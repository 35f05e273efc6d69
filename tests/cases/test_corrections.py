"""A correction replaces; it needs no confidence, no name and no second record."""

from __future__ import annotations

from datetime import date

from .world import Worlds, at, lead, money, on_both, quote, said


@on_both
def test_pr_007(worlds: Worlds) -> None:
    w = worlds("PR-007")
    w.play()
    f = w.only("lead_profile")
    assert (f["deadline"], f.slots["deadline"].status) == (date(2026, 9, 30), "known")
    first, second = w.memory.history(f.id)
    assert (first.slots["deadline"].value, first.current) == (date(2026, 8, 31), False)
    assert (second.slots["deadline"].value, second.current) == (date(2026, 9, 30), True)
    c = w.memory.recall("瑞泰什么时候上线？")
    assert "2026-09-30" in c.text
    assert "8月底" not in c.text
    assert "2026-08-31" not in c.text


@on_both
def test_pr_009(worlds: Worlds) -> None:
    w = worlds("PR-009")
    w.play()
    f = w.only("quote_form")
    slot = f.slots["amount"]
    assert (slot.value, slot.status, slot.source) == (money(19100, "EUR"), "known", "user")
    assert abs(slot.confidence - 0.82) < 1e-9
    first, second = w.memory.history(f.id)
    assert (first.slots["amount"].value, first.current) == (money(18400, "EUR"), False)
    assert (second.slots["amount"].value, second.current) == (money(19100, "EUR"), True)
    assert "correction" in second.cause


# -- ours ------------------------------------------------------------------------------------------------


def test_a_correction_below_the_threshold_still_counts(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[
            said("2026-03-03T10:00:00+08:00", "岚山重机预算60万。"),
            said("2026-03-03T10:02:00+08:00", "更正一下，岚山重机预算是65万。"),
        ],
        script=[
            [lead(company="岚山重机", budget={"value": "60万", "evidence": "预算60万", "confidence": 0.99})],
            [
                lead(
                    company="岚山重机",
                    budget={"value": "65万", "evidence": "是65万", "correction": True, "confidence": 0.55},
                )
            ],
        ],
    )
    w.play()
    f = w.only("lead_profile")
    assert f["budget"] == money(650000, "CNY")
    assert [v.current for v in w.memory.history(f.id)] == [False, True]


def test_a_corrected_correction(worlds: Worlds) -> None:
    w = worlds(
        types=["quote_form"],
        messages=[
            said("2026-05-11T10:00:00+00:00", "Quote Q-70 stands at 4,100 GBP."),
            said("2026-05-11T10:01:00+00:00", "Sorry, Q-70 is 4,010 GBP."),
            said("2026-05-11T10:02:00+00:00", "No wait, the first was right: Q-70 is 4,100 GBP."),
        ],
        script=[
            [quote(quote_no="Q-70", amount="4,100 GBP")],
            [
                quote(
                    quote_no="Q-70",
                    amount={"value": "4,010 GBP", "evidence": "4,010 GBP", "correction": True},
                )
            ],
            [
                quote(
                    quote_no="Q-70",
                    amount={"value": "4,100 GBP", "evidence": "4,100 GBP", "correction": True},
                )
            ],
        ],
    )
    w.play()
    f = w.only("quote_form")
    assert (f["amount"], f.version) == (money(4100, "GBP"), 3)
    assert [v.slots["amount"].value for v in w.memory.history(f.id)] == [
        money(4100, "GBP"), money(4010, "GBP"), money(4100, "GBP"),
    ]  # fmt: skip
    c = w.memory.recall("How much is quote Q-70?")
    assert "4,100 GBP" in c.text
    assert "4,010" not in c.text


def test_a_persons_correction_over_a_tool_and_a_later_tool_result(worlds: Worlds) -> None:
    w = worlds(types=["lead_profile"], messages=[], script=[], now="2026-06-01T00:00:00+00:00")
    f = w.memory.record("lead_profile", {"company": "Orsa", "budget": "10000 EUR"}, source="tool").forms[0]
    w.clock.advance(days=1)
    w.memory.correct(f, "budget", "12000 EUR")
    assert w.memory.get(f)["budget"] == money(12000, "EUR")
    w.clock.advance(days=1)
    w.memory.record("lead_profile", {"company": "Orsa", "budget": "9000 EUR"}, source="tool")
    assert w.memory.get(f)["budget"] == money(12000, "EUR")
    assert len(w.memory.find("lead_profile")) == 1


def test_strict_corrections_let_only_a_correction_replace(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        settings={"strict_corrections": True},
        messages=[
            said("2026-03-03T10:00:00+08:00", "岚山重机预算60万。"),
            said("2026-03-04T10:00:00+08:00", "岚山重机预算70万。"),
            said("2026-03-05T10:00:00+08:00", "说错了，岚山重机预算是75万。"),
        ],
        script=[
            [lead(company="岚山重机", budget=("60万", "预算60万"))],
            [lead(company="岚山重机", budget=("70万", "预算70万"))],
            [
                lead(
                    company="岚山重机", budget={"value": "75万", "evidence": "预算是75万", "correction": True}
                )
            ],
        ],
    )
    w.memory.observe_many(w.messages[:2])
    f = w.only("lead_profile")
    assert f["budget"] == money(600000, "CNY")
    assert [p.slot for p in w.memory.pending()] == ["budget"]
    w.memory.observe_many(w.messages[2:])
    assert w.memory.get(f.id)["budget"] == money(750000, "CNY")


def test_a_late_correction_reaches_only_up_to_its_time(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[
            said("2026-03-01T10:00:00+00:00", "Helm Works has 10k EUR."),
            said("2026-05-01T10:00:00+00:00", "Helm Works now has 30k EUR."),
            said("2026-04-01T10:00:00+00:00", "I misspoke: Helm Works has 20k EUR, not 10k."),
        ],
        script=[
            [lead(company="Helm Works", budget="10k EUR")],
            [lead(company="Helm Works", budget="30k EUR")],
            [
                lead(
                    company="Helm Works",
                    budget={"value": "20k EUR", "evidence": "20k EUR", "correction": True},
                )
            ],
        ],
    )
    w.play()
    f = w.only("lead_profile")
    assert (f["budget"], f.version) == (money(30000, "EUR"), 3)
    assert w.memory.get(f.id, as_of=at("2026-04-15T00:00:00+00:00"))["budget"] == money(20000, "EUR")
