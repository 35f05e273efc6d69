"""What is asked for is found by its words; what is not there is not made up."""

from __future__ import annotations

import pytest

from .doubles import Near, Words
from .world import PERSON, Worlds, at, draft, lead, money, on_both, said

NOTES = (
    "form_type: note\nidentity: [note_no]\nlife: {cold_after_days: 90}\n"
    "slots:\n  note_no: {type: text}\n  text: {type: text}\n"
)


@on_both
def test_pr_133(worlds: Worlds) -> None:
    w = worlds("PR-133")
    w.play()
    sentence = "今天主要讨论了部署方案和用户身份认证"
    for q in ("部署", "部署方案", "身份", "用户身份", "证"):
        c = w.memory.recall(q)
        assert sentence in c.text, q
        assert c.messages[0] == "m1"
    assert sentence not in w.memory.recall("db").text


@on_both
def test_pr_135(worlds: Worlds) -> None:
    w = worlds("PR-135")
    w.play()
    for q in ("don't", "pre-edit", "Downloads/specs", "ubuntu 20.04", "C++", "(v2", '"final'):
        assert "m1" in w.memory.recall(q).messages, q
    for q in ("*", "", "   ", "?"):
        c = w.memory.recall(q)
        assert list(c.messages) == [], q
        assert list(c.forms) == [], q


def test_pr_137(worlds: Worlds) -> None:
    w = worlds("PR-137", embedder=Words())
    w.play()
    c = w.memory.recall("Where is the spare van key?")
    assert list(c.forms) == []
    assert list(c.messages) == []
    assert "rye" not in c.text
    assert "Anke" not in c.text
    known = w.memory.recall("What does Anke Brandt bake?")
    assert c.confidence < known.confidence
    misses = [s for s in c.trace.steps if s.kind == "near_miss"]
    f = w.only("person_profile")
    assert [s for s in misses if s.subject in (f.id, "m1")]
    assert any("0." in s.reason or "floor" in s.reason for s in misses)


def test_pr_139(worlds: Worlds) -> None:
    w = worlds("PR-139", embedder=Near(0.46, "峰谷那边账期", "谁家的叉车坏了"))
    w.play()
    c = w.memory.recall("峰谷那边账期")
    assert "月结45天" in c.text
    d = w.memory.recall("谁家的叉车坏了")
    assert "月结45天" not in d.text
    assert [s for s in d.trace.steps if s.kind == "near_miss"]


@pytest.mark.parametrize("embedded", [False, True])
def test_pr_141(worlds: Worlds, embedded: bool) -> None:
    def told(crowd: bool) -> object:
        w = worlds(
            yaml=NOTES,
            messages=[],
            script=[],
            now="2026-01-01T00:00:00+00:00",
            embedder=Words() if embedded else None,
        )
        near = "the spare van key hangs in the red shed, hook {}"
        ids: dict[str, str] = {}

        def put(number: int, text: str) -> None:
            ids[f"N{number}"] = w.memory.record("note", {"note_no": f"N{number}", "text": text}).forms[0]

        if crowd:
            put(1, near.format("one"))
            put(2, near.format("two"))
            w.clock.advance(days=100)
            put(3, near.format("three"))
            put(4, near.format("four"))
            put(5, near.format("five"))
            w.memory.invalidate(ids["N3"])
            w.memory.invalidate(ids["N4"])
            w.memory.correct(ids["N5"], "text", "gone to the scrapyard")
        else:
            w.clock.advance(days=100)
        for number in range(6, 11):
            put(number, f"the van key of bay {number} is with the porter")
        return w, ids

    question = "Where does the spare van key hang?"
    (plain, _), (w, ids) = told(False), told(True)  # type: ignore[misc]
    expected = plain.memory.recall(question, max_tokens=120)
    c = w.memory.recall(question, max_tokens=120)
    assert expected.forms
    assert len(c.forms) == len(expected.forms)
    assert not {f["note_no"] for f in c.forms} & {"N1", "N2", "N3", "N4"}
    assert all(f.status == "active" and not f.cold for f in c.forms)
    assert "hook" not in c.text
    d = w.memory.recall(question, include_cold=True)
    cold = {f["note_no"]: f for f in d.forms if f.cold}
    assert set(cold) == {"N1", "N2"}
    assert not {ids["N3"], ids["N4"]} & {f.id for f in d.forms}
    lines = [line for line in d.text.splitlines() if "hook one" in line or "hook two" in line]
    assert len(lines) == 2
    assert all("cold" in line.lower() or "old" in line.lower() or "archiv" in line.lower() for line in lines)


# -- ours ------------------------------------------------------------------------------------------------


@on_both
def test_short_names_and_other_scripts_find_the_form(worlds: Worlds) -> None:
    w = worlds(types=["lead_profile"], messages=[], script=[])
    w.memory.record("lead_profile", {"company": "海蓝电子", "budget": "50万"})
    w.memory.record("lead_profile", {"company": "Northlake Foods", "budget": "9000 EUR"})
    for q in ("海蓝的预算", "海蓝电子有多少预算？", "海藍電子預算", "what is 海蓝电子's budget"):
        text = w.memory.recall(q).text
        assert "500,000 CNY" in text, q
        assert "9,000" not in text, q
    for q in (
        "Northlake budget",
        "what budget has NORTHLAKE FOODS",
        "northlake foods' budget?",
        "北湖 Northlake 的预算",
    ):
        assert "9,000 EUR" in w.memory.recall(q).text, q


def test_digits_dates_and_numbers_are_found_exactly(worlds: Worlds) -> None:
    texts = [
        "合同号HT-2026-07在周五前寄出。",
        "合同号HT-2026-70不用寄。",
        "Parcel 00417 left on 2026-03-09.",
        "Parcel 00471 is late.",
    ]
    w = worlds(
        types=["document"], messages=[said("2026-03-10T09:00:00+08:00", t) for t in texts], script=[[]] * 4
    )
    w.play()
    assert w.memory.recall("HT-2026-07").messages[0] == "m1"
    assert w.memory.recall("where is parcel 00471").messages[0] == "m4"
    assert w.memory.recall("2026-03-09").messages[0] == "m3"


def test_an_unknown_firm_gets_no_other_firms_facts(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[
            said("2026-03-10T09:00:00+08:00", "海蓝电子预算50万。"),
            said("2026-03-10T09:01:00+00:00", "Northlake Foods has 9k EUR."),
        ],
        script=[
            [lead(company="海蓝电子", budget=("50万", "预算50万"))],
            [lead(company="Northlake Foods", budget="9k EUR")],
        ],
    )
    w.play()
    for q in ("绿原纸业的预算是多少？", "What is the budget of Southgate Mills?"):
        c = w.memory.recall(q)
        assert list(c.forms) == [], q
        assert "50万" not in c.text
        assert "9,000" not in c.text
    assert w.memory.recall("海蓝电子的预算").confidence > c.confidence


def test_an_invalid_plan_is_out_and_its_words_too(worlds: Worlds) -> None:
    w = worlds(
        types=["quote_form"],
        messages=[
            said("2026-03-10T09:00:00+08:00", "给青禾的报价是12万。"),
            said("2026-03-11T09:00:00+08:00", "之前的方案作废。"),
        ],
        script=[
            [draft("quote_form", company="青禾", amount=("12万", "报价是12万"))],
            [{"form_type": "quote_form", "slots": {}, "invalidate": True}],
        ],
        embedder=Words(),
    )
    w.play()
    (f,) = w.memory.find("quote_form", status="invalid")
    assert list(w.memory.find("quote_form")) == []
    c = w.memory.recall("青禾的报价是多少？", recent_turns=4, conversation="c1")
    assert "12万" not in c.text
    assert f.id not in {x.id for x in c.forms}
    assert w.memory.get(f.id)["amount"] == money(120000, "CNY")


def test_focus_and_conversation_resolve_that_one(worlds: Worlds) -> None:
    w = worlds(
        yaml=PERSON,
        messages=[
            said("2026-03-10T09:00:00+00:00", "Runa lives in Bergen."),
            said("2026-03-10T09:01:00+00:00", "Ola lives in Oslo.", conversation="c2"),
        ],
        script=[
            [draft("person_profile", name="Runa", city="Bergen")],
            [draft("person_profile", name="Ola", city="Oslo")],
        ],
    )
    w.play()
    text = w.memory.recall("Where does she live?", conversation="c1").text
    assert "Bergen" in text
    assert "Oslo" not in text
    ola = w.only("person_profile", name="Ola")
    assert "Oslo" in w.memory.recall("which city?", focus=ola.id).text
    assert (
        at("2026-03-10T09:00:00+00:00") == w.memory.history(w.only("person_profile", name="Runa").id)[0].time
    )
