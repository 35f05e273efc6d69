"""What was true then, what was known then, and lines that arrive late."""

from __future__ import annotations

from datetime import date

from .world import Worlds, at, lead, lines_with, money, on_both, said


@on_both
def test_pr_011(worlds: Worlds) -> None:
    w = worlds("PR-011")
    w.play()
    f = w.only("person_profile")
    a = w.memory.recall("What was Noor's previous number?")
    lines = [line for line in a.text.splitlines() if "7946 0111" in line or "79460111" in line]
    assert lines
    assert any("2026-03-09" in line for line in lines)
    b = w.memory.recall("What is Noor's number?")
    assert "7946 0888" in b.text
    assert "0111" not in b.text
    s = w.memory.history(f.id, slot="phone")
    assert len(s) == 2
    assert s[0].valid_until == at("2026-03-09T10:00:00+00:00")


@on_both
def test_pr_013(worlds: Worlds) -> None:
    w = worlds("PR-013")
    w.play()
    moment = at("2026-07-15T00:00:00+08:00")
    c = w.memory.recall("启明的预算", as_of=moment)
    assert "70万" in c.text
    assert "40万" not in c.text
    assert "400,000" not in c.text
    f = w.memory.get(w.only("lead_profile").id, as_of=moment)
    assert f["budget"] == money(700000, "CNY")


@on_both
def test_pr_015(worlds: Worlds) -> None:
    w = worlds("PR-015", now="2026-11-01T09:00:00+08:00")
    w.memory.observe_many(w.messages[:1])
    assert w.only("lead_profile")["budget"] == money(900000, "CNY")
    between = at("2026-11-01T10:00:00+08:00")
    w.clock.advance(seconds=7200)
    w.memory.observe_many(w.messages[1:])
    f = w.only("lead_profile")
    assert (f["budget"], f.version) == (money(900000, "CNY"), 2)
    late = w.memory.history(f.id)[1]
    assert (late.number, late.current) == (2, False)
    s = {slot.value: slot for slot in w.memory.history(f.id, slot="budget")}
    old = s[money(350000, "CNY")]
    assert old.valid_from == at("2024-05-06T10:00:00+08:00")
    assert old.valid_until == at("2026-10-10T10:00:00+08:00")
    a = w.memory.recall("星河材料预算多少？")
    assert "90万" in a.text
    assert "35万" not in a.text
    then = at("2025-01-01T00:00:00+08:00")
    b = w.memory.recall("星河材料预算", as_of=then)
    assert "35万" in b.text
    assert "90万" not in b.text
    k = w.memory.recall("星河材料预算", as_of=then, known_at=between)
    assert "35万" not in k.text
    assert "90万" not in k.text


# -- ours ------------------------------------------------------------------------------------------------


def test_a_reason_asked_for_shows_both_values_with_their_dates(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[
            said("2026-07-01T10:00:00+08:00", "启明仪器的预算是60万。"),
            said("2026-07-10T10:00:00+08:00", "启明仪器的预算是55万。"),
        ],
        script=[
            [lead(company="启明仪器", budget=("60万", "预算是60万"))],
            [lead(company="启明仪器", budget=("55万", "预算是55万"))],
        ],
    )
    w.play()
    c = w.memory.recall("启明仪器的预算为什么上次是60万？")
    assert "55万" in c.text
    old = lines_with(c.text, "60万")
    assert old
    assert any("2026-07-10" in line for line in old)
    plain = w.memory.recall("启明仪器的预算为什么上次是60万？", history=False)
    assert "60万（" not in plain.text


def test_as_of_before_between_and_after(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[
            said("2026-02-01T10:00:00+00:00", "Brant Cycles wants it by 1 June 2026."),
            said("2026-03-01T10:00:00+00:00", "Brant Cycles moved the deadline to 1 July 2026."),
            said("2026-04-01T10:00:00+00:00", "Brant Cycles moved the deadline to 1 August 2026."),
        ],
        script=[
            [lead(company="Brant Cycles", deadline="1 June 2026")],
            [lead(company="Brant Cycles", deadline="1 July 2026")],
            [lead(company="Brant Cycles", deadline="1 August 2026")],
        ],
    )
    w.play()
    f = w.only("lead_profile")
    told = {
        moment: w.memory.get(f.id, as_of=at(f"{moment}T00:00:00+00:00"))["deadline"]
        for moment in ("2026-02-15", "2026-03-15", "2026-04-15")
    }
    assert list(told.values()) == [date(2026, 6, 1), date(2026, 7, 1), date(2026, 8, 1)]
    for moment, deadline in told.items():
        text = w.memory.recall("deadline of Brant Cycles", as_of=at(f"{moment}T00:00:00+00:00")).text
        assert deadline.isoformat() in text
        assert all(other.isoformat() not in text for other in told.values() if other != deadline)
    early = w.memory.recall("deadline of Brant Cycles", as_of=at("2026-01-01T00:00:00+00:00"))
    assert "2026-0" not in early.text


def test_known_at_tells_what_had_arrived(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[
            said("2026-02-01T10:00:00+00:00", "Brant Cycles has 5k EUR."),
            said("2026-03-01T10:00:00+00:00", "Brant Cycles has 8k EUR."),
        ],
        script=[
            [lead(company="Brant Cycles", budget="5k EUR")],
            [lead(company="Brant Cycles", budget="8k EUR")],
        ],
        now="2026-02-01T10:00:00+00:00",
    )
    w.memory.observe_many(w.messages[:1])
    w.turn("2026-03-05T00:00:00+00:00")
    w.memory.observe_many(w.messages[1:])
    f = w.only("lead_profile")
    known = {
        d: w.memory.get(f.id, known_at=at(f"{d}T00:00:00+00:00"))["budget"]
        for d in ("2026-03-02", "2026-03-06")
    }
    assert list(known.values()) == [money(5000, "EUR"), money(8000, "EUR")]
    assert len(w.memory.history(f.id)) == 2


def test_backfill_in_reverse_order_gives_the_same_present(worlds: Worlds) -> None:
    messages = [
        said(f"2026-0{month}-01T10:00:00+08:00", f"星河材料预算{month}0万。", id=f"k{month}")
        for month in (1, 2, 3, 4)
    ]
    script = {
        m["id"]: [lead(company="星河材料", budget=(f"{i}0万", f"预算{i}0万"))]
        for i, m in enumerate(messages, 1)
    }
    forwards = worlds(types=["lead_profile"], messages=messages, script=script)
    backwards = worlds(types=["lead_profile"], messages=messages[::-1], script=script)
    told = []
    for w in (forwards, backwards):
        w.play()
        f = w.only("lead_profile")
        assert f.version == 4
        told.append([
            (s.value, s.valid_from, s.valid_until)
            for s in sorted(w.memory.history(f.id, slot="budget"), key=lambda s: s.valid_from or f.created_at)
        ])  # fmt: skip
        assert f["budget"] == money(400000, "CNY")
    assert told[0] == told[1]
