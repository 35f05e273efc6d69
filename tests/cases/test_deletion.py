"""What is erased is gone from every read and every file; what is only named stays."""

from __future__ import annotations

import pytest

from forms_dynamics import Conflict, Memory, NotFound
from forms_dynamics.testing import FixedClock

from .doubles import Words
from .world import Worlds, bytes_of, dump, lead, money, on_both, passes, quote, said


@pytest.mark.parametrize("embedded", [False, True])
def test_pr_095(worlds: Worlds, embedded: bool) -> None:
    w = worlds("PR-095", embedder=Words() if embedded else None)
    w.play()
    f = w.only("lead_profile")
    w.memory.recall("能源客户")
    w.memory.erase(form_id=f.id)
    with pytest.raises(NotFound):
        w.memory.get(f.id)
    assert list(w.memory.find()) == []
    with pytest.raises(NotFound):
        w.memory.edges(f.id)
    a = w.memory.recall("峰谷能源预算")
    assert "66万" not in a.text
    assert "660,000" not in a.text
    w.memory.erase(message="m1")
    b = w.memory.recall("峰谷能源的预算是66万", recent_turns=3, conversation="c1")
    assert "峰谷能源" not in b.text
    assert "66万" not in b.text
    report = w.memory.verify()
    assert passes(report)
    assert "erased" in str(report)
    w.memory.rebuild()
    assert passes(w.memory.verify())
    w.memory.close()
    content = bytes_of(worlds.where)
    assert "峰谷能源".encode() not in content
    assert "66万".encode() not in content


@on_both
def test_pr_097(worlds: Worlds) -> None:
    w = worlds("PR-097")
    w.play()
    q, l = w.only("quote_form"), w.only("lead_profile")
    w.memory.erase(form_id=q.id)
    c = w.memory.recall("Larkfield Foods", max_hops=2)
    edges = w.memory.edges(l.id, include_inactive=True)
    assert [e for e in edges if q.id in (e.source, e.target)] == []
    assert w.only("lead_profile", company="Larkfield Foods").id == l.id
    assert "12,000" not in c.text
    assert "12000" not in c.text


@on_both
def test_pr_099(worlds: Worlds) -> None:
    w = worlds("PR-099")
    w.play()
    f = w.only("lead_profile")
    before = dump(w.memory)
    assert list(w.memory.forget("删掉云梦的预算")) == []
    assert [form.id for form in w.memory.forget("峰谷能源的付款方式")] == [f.id]
    assert dump(w.memory) == before
    g = w.memory.get(f.id)
    assert (g["budget"], g["payment_terms"]) == (money(660000, "CNY"), "月结45天")
    w.memory.retract(f.id, "payment_terms")
    g = w.memory.get(f.id)
    assert "payment_terms" not in g.slots
    assert g["budget"] == money(660000, "CNY")
    before = dump(w.memory)
    with pytest.raises(NotFound):
        w.memory.erase(form_id="does-not-exist")
    assert dump(w.memory) == before


# -- ours ------------------------------------------------------------------------------------------------


@on_both
def test_erasing_a_message_leaves_what_another_said(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[
            said("2026-05-01T09:00:00+00:00", "Larkfield Foods has 66k USD."),
            said("2026-05-02T09:00:00+00:00", "Larkfield Foods pays net 45."),
            said("2026-05-03T09:00:00+00:00", "Larkfield Foods has 71k USD."),
        ],
        script=[
            [lead(company="Larkfield Foods", budget="66k USD")],
            [lead(company="Larkfield Foods", payment_terms="net 45")],
            [lead(company="Larkfield Foods", budget="71k USD")],
        ],
    )
    w.play()
    f = w.only("lead_profile")
    w.memory.erase(message="m3")
    g = w.memory.get(f.id)
    assert (g["budget"], g["payment_terms"]) == (money(66000, "USD"), "net 45")
    assert "71k" not in dump(w.memory)
    assert "71,000" not in w.memory.recall("budget of Larkfield Foods").text
    assert passes(w.memory.verify())


def test_a_whole_person_goes_and_the_others_stay(worlds: Worlds) -> None:
    w = worlds(types=["lead_profile"], messages=[], script={
        "昆吾玻璃预算31万。": [lead(company="昆吾玻璃", budget=("31万", "预算31万"))],
        "鹿鸣音响预算52万。": [lead(company="鹿鸣音响", budget=("52万", "预算52万"))],
    })  # fmt: skip
    anna, bert = w.memory.scoped(user="anna"), w.memory.scoped(user="bert")
    anna.observe("昆吾玻璃预算31万。", id="a1", conversation="c1")
    bert.observe("鹿鸣音响预算52万。", id="b1", conversation="c1")
    w.memory.erase(user="anna")
    assert list(anna.find()) == []
    assert list(w.memory.export(user="anna")) == [] or "昆吾" not in dump(w.memory, user="anna")
    assert [f["company"] for f in bert.find("lead_profile")] == ["鹿鸣音响"]
    assert "52万" in bert.recall("鹿鸣音响预算").text
    w.memory.close()
    content = bytes_of(worlds.where)
    assert "昆吾玻璃".encode() not in content
    assert "鹿鸣音响".encode() in content


def test_a_person_who_goes_takes_the_id_along(worlds: Worlds) -> None:
    w = worlds(types=["lead_profile"], messages=[], script={
        "昆吾玻璃预算31万。": [lead(company="昆吾玻璃", budget=("31万", "预算31万"))],
        "鹿鸣音响预算52万。": [lead(company="鹿鸣音响", budget=("52万", "预算52万"))],
    })  # fmt: skip
    maria = w.memory.scoped(user="maria.lopez@example.com")
    maria.observe("昆吾玻璃预算31万。", id="a1", conversation="c1")
    before = list(maria.export())
    for _ in range(2):  # the second time nothing else is left of her
        w.memory.erase(user="maria.lopez@example.com")
        assert b"maria.lopez" not in bytes_of(worlds.where)
        assert maria.recall("昆吾玻璃的预算？").text == ""
        assert "maria" not in dump(w.memory)
        every, own = w.memory.verify(all_users=True), maria.verify()
        assert every.ok
        assert (every.erased, own.erased, w.memory.verify().erased) == (1, 1, 0)
        with pytest.raises(Conflict, match="was erased here"):
            w.memory.load(before)
        w.memory.upkeep()
        assert b"maria.lopez" not in bytes_of(worlds.where)
    maria.observe("鹿鸣音响预算52万。", id="a2", conversation="c1")
    assert [row["user"] for row in w.memory.export() if row["kind"] == "scope"] == [
        None,
        "maria.lopez@example.com",
    ]
    assert "52万" in maria.recall("鹿鸣音响预算").text
    assert maria.verify().erased == 1


def test_erased_stays_erased_after_reopening_and_rebuilding(worlds: Worlds) -> None:
    w = worlds("PR-095")
    w.play()
    f = w.only("lead_profile")
    w.memory.erase(form_id=f.id)
    w.memory.close()
    memory = Memory.open(
        worlds.where / "memory1.db", form_types=["lead_profile"], clock=FixedClock(w.clock.now())
    )
    memory.rebuild()
    assert list(memory.find()) == []
    assert "66万" not in memory.recall("峰谷能源预算").text
    assert "66万" not in memory.recall("峰谷能源预算", recent_turns=4, conversation="c1").text
    assert passes(memory.verify())
    memory.close()


def test_forget_by_words_shows_only_what_bears_the_name(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile", "quote_form"],
        messages=[
            said(
                "2026-05-01T09:00:00+00:00",
                "Harrow Print and Harlow Paint each asked, Q-3 is for Harrow Print.",
            )
        ],
        script=[
            [
                lead(company="Harrow Print"),
                lead(company="Harlow Paint"),
                quote(quote_no="Q-3", company="Harrow Print"),
            ]
        ],
        embedder=Words(),
    )
    w.play()
    told = w.memory.forget("everything about Harlow Paint")
    assert [f["company"] for f in told] == ["Harlow Paint"]
    assert list(w.memory.forget("everything about Barlow Pine")) == []
    assert len(w.memory.find("lead_profile")) == 2
