"""The same thing is one Form; another thing of the same name is not."""

from __future__ import annotations

from datetime import date

from .doubles import Unrelated
from .world import PERSON, Worlds, draft, lead, lines_with, money, on_both, said

PHONE_FIRST = PERSON.replace("identity: [name]", "identity: {any: [[phone], [name]]}")


@on_both
def test_pr_023(worlds: Worlds) -> None:
    w = worlds("PR-023")
    w.play()
    p, l = w.only("person_profile"), w.only("lead_profile")
    assert p.id != l.id
    assert p["city"] == "Leeds"
    assert "budget" not in p.slots
    assert "city" not in l.slots
    for form in (p, l):
        assert [
            e for e in w.memory.edges(form.id, include_inactive=True) if {e.source, e.target} == {p.id, l.id}
        ] == []
    c = w.memory.recall("What budget does Tolver the company have?")
    assert "300,000 GBP" in c.text
    assert "Leeds" not in c.text


@on_both
def test_pr_025(worlds: Worlds) -> None:
    w = worlds("PR-025")
    w.play()
    p = w.only("person_profile")
    assert (p["name"], p["phone"], p["city"], p["contact_role"]) == (
        "王建国",
        "13800138000",
        "苏州",
        "总经理",
    )
    assert "王总" in p.aliases


def test_pr_027(worlds: Worlds) -> None:
    w = worlds("PR-027", embedder=Unrelated())
    w.play()
    f = w.only("lead_profile")
    assert (f["company"], f["budget"], f["payment_terms"]) == (
        "NWPA",
        money(40000, "USD"),
        "quarterly invoices",
    )
    assert f["deadline"] == date(2026, 10, 1)
    assert list(w.memory.candidates()) == []


@on_both
def test_pr_029(worlds: Worlds) -> None:
    w = worlds("PR-029")
    w.play()
    forms = {f["company"]: f for f in w.memory.find("lead_profile")}
    assert set(forms) == {"杭州智澜科技有限公司", "智澜"}
    long, short = forms["杭州智澜科技有限公司"], forms["智澜"]
    (candidate,) = w.memory.candidates()
    assert candidate.status == "candidate"
    assert {candidate.source, candidate.target} == {long.id, short.id}
    assert "45万" in w.memory.recall("杭州智澜预算多少？").text
    receipt = w.memory.merge(long.id, short.id)
    f = w.only("lead_profile")
    assert (f["company_type"], f["budget"]) == ("制造业", money(450000, "CNY"))
    assert "智澜" in f.aliases
    assert "45万" in w.memory.recall("杭州智澜预算多少？").text
    act = getattr(receipt, "act", None)
    w.memory.undo(getattr(act, "id", act))
    assert {f["company"] for f in w.memory.find("lead_profile")} == {"杭州智澜科技有限公司", "智澜"}


# -- ours ------------------------------------------------------------------------------------------------


def test_spelling_of_a_key_does_not_matter(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[
            said("2026-08-03T13:36:00+08:00", "ＡＢＣ電機預算40萬。", conversation="a"),
            said("2026-08-04T13:36:00+08:00", "abc电机要月结。", conversation="b"),
        ],
        script=[
            [lead(company="ＡＢＣ電機", budget=("40萬", "預算40萬"))],
            [lead(company="abc电机", payment_terms="月结")],
        ],
    )
    w.play()
    f = w.only("lead_profile")
    assert (f["budget"], f["payment_terms"]) == (money(400000, "CNY"), "月结")


def test_a_different_phone_is_a_different_person(worlds: Worlds) -> None:
    w = worlds(
        yaml=PHONE_FIRST,
        messages=[
            said("2026-05-06T10:00:00+08:00", "李伟电话13900001111，在无锡。", conversation="a"),
            said("2026-05-07T10:00:00+08:00", "李伟电话13900002222，在常州。", conversation="b"),
            said("2026-05-08T10:00:00+08:00", "13900002222的李伟搬去镇江了。", conversation="c"),
        ],
        script=[
            [draft("person_profile", name="李伟", phone="13900001111", city="无锡")],
            [draft("person_profile", name="李伟", phone="13900002222", city="常州")],
            [draft("person_profile", name="李伟", phone="13900002222", city="镇江")],
        ],
    )
    w.play()
    people = {f["phone"]: f["city"] for f in w.memory.find("person_profile")}
    assert people == {"13900001111": "无锡", "13900002222": "镇江"}


def test_a_later_name_adopts_the_nameless_form_of_the_conversation(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[
            said("2026-05-06T10:00:00+00:00", "We have 20k EUR."),
            said("2026-05-06T10:01:00+00:00", "Oh, and we are Tindle Marine."),
            said("2026-05-07T10:00:00+00:00", "Tindle Marine pays net 15.", conversation="c2"),
        ],
        script=[
            [lead(budget="20k EUR")],
            [lead(company="Tindle Marine")],
            [lead(company="Tindle Marine", payment_terms="net 15")],
        ],
    )
    receipts = w.play()
    assert receipts[0].state == "stored"
    f = w.only("lead_profile")
    assert (f["company"], f["budget"], f["payment_terms"]) == ("Tindle Marine", money(20000, "EUR"), "net 15")
    assert {r.forms[0] for r in receipts} == {f.id}


def test_two_customers_in_one_talk_are_asked_apart(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[
            said("2026-05-06T10:00:00+08:00", "东港船务和西岭矿业都来问价。"),
            said("2026-05-06T10:01:00+08:00", "他们预算20万。"),
        ],
        script=[[lead(company="东港船务"), lead(company="西岭矿业")], [lead(budget=("20万", "预算20万"))]],
    )
    receipts = w.play()
    (p,) = w.memory.pending()
    assert (p.reason, p.slot) == ("ambiguous_target", "budget")
    assert len(p.candidates) == 2
    assert receipts[1].state == "held"
    assert all(f["budget"] is None for f in w.memory.find("lead_profile"))
    assert p.question
    target = next(f.id for f in w.memory.find("lead_profile", company="西岭矿业"))
    w.memory.confirm(p.id, target)
    assert w.memory.get(target)["budget"] == money(200000, "CNY")


def test_a_fruit_and_a_firm_do_not_merge(worlds: Worlds) -> None:
    w = worlds(
        yaml=PERSON,
        types=["lead_profile"],
        messages=[
            said("2026-05-06T10:00:00+08:00", "小苹果是仓库管理员，住在烟台。"),
            said("2026-05-06T11:00:00+08:00", "小苹果公司预算8万。", conversation="c2"),
        ],
        script=[
            [draft("person_profile", name="小苹果", city="烟台")],
            [lead(company="小苹果", budget=("8万", "预算8万"))],
        ],
    )
    w.play()
    assert w.only("person_profile").id != w.only("lead_profile").id
    assert list(w.memory.candidates()) == []
    text = w.memory.recall("小苹果公司的预算是多少？").text
    assert lines_with(text, "8万")
    assert "烟台" not in text
