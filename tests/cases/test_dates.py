"""Words for days are resolved against the day on which they were said, once and for all."""

from __future__ import annotations

import re
from datetime import date

import pytest

from forms_dynamics import Range

from .world import DUE, World, Worlds, both, draft, lead, on_both, said


def dues(w: World) -> list[object]:
    """What is due by each receipt's Form: a known date, or a Range that waits."""
    told: list[object] = []
    for receipt in w.play():
        form = w.form_of(receipt)
        waiting = [p.value for p in w.memory.pending() if p.form_id == form.id]
        told.append(form["due"] if form["due"] is not None else waiting[0])
    return told


def due(worlds: Worlds, time: str, words: str) -> object:
    w = worlds(
        yaml=DUE,
        messages=[
            said(time, f"时间定在{words}。" if re.search("[一-鿿]", words) else f"Please have it {words}.")
        ],
        script=[[draft("task_due", due=words)]],
    )
    (told,) = dues(w)
    return told


def test_pr_071(worlds: Worlds) -> None:
    w = worlds("PR-071")
    w.play()
    f = w.only("meeting")
    assert (f["date"], f["topic"]) == (date(2023, 5, 7), "the kiln")


@on_both
def test_pr_073(worlds: Worlds) -> None:
    w = worlds("PR-073")
    w.play()
    w.clock.advance(days=19)
    f = w.only("contract_form")
    assert (f["sign_date"], f.slots["sign_date"].status) == (date(2026, 3, 31), "known")
    c = w.memory.recall("澄湖环保哪天签的合同？")
    assert "2026-03-31" in c.text
    assert all("2026-03-31" in line for line in c.text.splitlines() if "昨天" in line)


def test_pr_075(worlds: Worlds) -> None:
    told = []
    for _ in range(2):
        w = worlds("PR-075")
        got = dues(w)
        assert got[:4] == [date(2026, 11, 27), date(2026, 11, 20), date(2026, 11, 9), date(2026, 12, 2)]
        pending = w.memory.pending()
        if pending:
            (p,) = pending
            assert "2026-11-20" in p.question
            assert "2026-11-27" in p.question
        else:
            assert got[4] in (date(2026, 11, 20), date(2026, 11, 27))
        told.append(got)
    assert told[0] == told[1]


def test_pr_077(worlds: Worlds) -> None:
    w = worlds("PR-077")
    assert dues(w) == [date(2027, 1, 5), date(2026, 12, 31), date(2027, 2, 28)]
    assert list(w.memory.pending()) == []


def test_pr_079(worlds: Worlds) -> None:
    w = worlds("PR-079")
    got = dues(w)
    assert got[:4] == [date(2026, 11, 25), date(2026, 11, 25), date(2026, 11, 27), date(2026, 11, 20)]
    assert got[4] == Range(date(2026, 11, 28), date(2026, 11, 29))
    assert {p.reason for p in w.memory.pending()} <= {"range"}


def test_pr_081(worlds: Worlds) -> None:
    for name, w in both(worlds, "PR-081"):
        r = w.play()
        assert list(w.memory.pending()) == [], name
        if name == "script":
            assert list(w.memory.find("contract_form")) == []
        else:
            assert {"sign_date", "deadline"} <= {x.slot for x in r[0].refused}
            for f in w.memory.find("contract_form"):
                assert f["sign_date"] is None
                assert f["deadline"] is None
    w = worlds("PR-081", extractor=None)
    w.play()
    assert list(w.memory.find("contract_form")) == []
    assert list(w.memory.pending()) == []


@pytest.mark.parametrize("plain", [False, True])
def test_pr_083(worlds: Worlds, plain: bool) -> None:
    w = worlds("PR-083", extractor=None) if plain else worlds("PR-083")
    w.play()
    assert all("deadline" not in f.slots for f in w.memory.find("lead_profile"))
    assert [p for p in w.memory.pending() if p.slot == "deadline"] == []


# -- ours ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("明天", date(2026, 11, 25)),
        ("后天", date(2026, 11, 26)),
        ("大后天", date(2026, 11, 27)),
        ("前天", date(2026, 11, 22)),
        ("下周一", date(2026, 11, 30)),
        ("下下周三", date(2026, 12, 9)),
        ("上上周五", date(2026, 11, 13)),
        ("下周周日", date(2026, 12, 6)),
        ("星期五", date(2026, 11, 27)),
        ("礼拜天", date(2026, 11, 29)),
        ("月底", date(2026, 11, 30)),
        ("年底", date(2026, 12, 31)),
        ("下月底", date(2026, 12, 31)),
        ("三天后", date(2026, 11, 27)),
        ("两周后", date(2026, 12, 8)),
        ("明年3月1号", date(2027, 3, 1)),
        ("十二月十五号", date(2026, 12, 15)),
        ("2027年1月31日", date(2027, 1, 31)),
        ("12月5号", date(2026, 12, 5)),
        ("半个月后", date(2026, 12, 9)),
        ("下个月最后一天", date(2026, 12, 31)),
        ("本月28号", date(2026, 11, 28)),
        ("去年12月31日", date(2025, 12, 31)),
        ("２０２７年２月３日", date(2027, 2, 3)),
    ],
)
def test_chinese_days(worlds: Worlds, words: str, expected: date) -> None:
    assert due(worlds, "2026-11-24T09:00:00+08:00", words) == expected  # a Tuesday


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("tomorrow", date(2026, 11, 19)),
        ("the day after tomorrow", date(2026, 11, 20)),
        ("yesterday", date(2026, 11, 17)),
        ("in three days", date(2026, 11, 21)),
        ("two weeks ago", date(2026, 11, 4)),
        ("on December 5", date(2026, 12, 5)),
        ("5 Jan 2027", date(2027, 1, 5)),
        ("January 5th, 2027", date(2027, 1, 5)),
        ("2027-02-03", date(2027, 2, 3)),
        ("Monday of next week", date(2026, 11, 23)),
        ("by the end of the month", date(2026, 11, 30)),
        ("at the end of next month", date(2026, 12, 31)),
        ("by the end of the year", date(2026, 12, 31)),
        ("in a month", date(2026, 12, 18)),
        ("a week from today", date(2026, 11, 25)),
        ("last Monday of November", date(2026, 11, 30)),
    ],
)
def test_english_days(worlds: Worlds, words: str, expected: date) -> None:
    assert due(worlds, "2026-11-18T10:00:00+00:00", words) == expected  # a Wednesday


@pytest.mark.parametrize(
    ("time", "words", "expected"),
    [
        ("2028-01-31T10:00:00+08:00", "一个月后", date(2028, 2, 29)),
        ("2026-12-31T10:00:00+08:00", "明天", date(2027, 1, 1)),
        ("2026-12-21T10:00:00+08:00", "下个月15号", date(2027, 1, 15)),
        ("2027-01-02T10:00:00+08:00", "上周五", date(2026, 12, 25)),
        ("2027-03-31T10:00:00+00:00", "in one month", date(2027, 4, 30)),
        ("2026-12-30T10:00:00+00:00", "in two days", date(2027, 1, 1)),
    ],
)
def test_the_ends_of_months_and_years(worlds: Worlds, time: str, words: str, expected: date) -> None:
    assert due(worlds, time, words) == expected


def test_an_order_of_day_and_month_that_is_open_is_asked(worlds: Worlds) -> None:
    for order, expected in ((None, None), ("DMY", date(2026, 4, 3)), ("MDY", date(2026, 3, 4))):
        w = worlds(
            yaml=DUE,
            settings={"date_order": order},
            messages=[said("2026-01-18T10:00:00+00:00", "Please have it 03/04/2026.")],
            script=[[draft("task_due", due="03/04/2026")]],
        )
        (r,) = w.play()
        assert w.form_of(r)["due"] == expected
        asked = list(w.memory.pending())
        assert len(asked) == (1 if order is None else 0)
        for p in asked:
            assert p.reason == "ambiguous_value"
            assert {"2026-04-03", "2026-03-04"} <= set(p.candidates)


@pytest.mark.parametrize(
    "words", ["第3/4节", "版本1.2.3", "5G", "24/7", "3/4", "march", "may", "sat", "二月兰"]
)
def test_what_is_no_date_is_refused(worlds: Worlds, words: str) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[said("2026-05-24T16:00:00+08:00", f"泊远电子说，{words}这一条再看。")],
        script=[[lead(company="泊远电子", deadline={"value": words, "evidence": words, "confidence": 0.85})]],
    )
    w.play()
    assert w.only("lead_profile")["deadline"] is None
