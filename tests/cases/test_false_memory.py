"""What was only weighed, joked or pasted is not remembered as a fact."""

from __future__ import annotations

import re
from typing import Any

import pytest

from forms_dynamics import FormExtractor

from .world import PERSON, Worlds, both, case, draft, dump, lead, on_both, only_unconfirmed, said


def waits_weakly(w: object, slot: str) -> None:
    """No known value; if one waits, it does so at 0.5 at most."""
    memory = w.memory  # type: ignore[attr-defined]
    for form in memory.find():
        assert form[slot] is None
        if slot in form.slots:
            assert form.slots[slot].confidence <= 0.5


@on_both
def test_pr_037(worlds: Worlds) -> None:
    w = worlds("PR-037")
    (r,) = w.play()
    assert "wiki_path" in {refusal.slot for refusal in r.refused}
    waits_weakly(w, "tool")
    for form in w.memory.find("project", name="Finch"):
        assert "wiki_path" not in form.slots
    c = w.memory.recall("Which wiki does Finch use?")
    assert "/home/dev" not in c.text
    assert only_unconfirmed(c.text, "Quillnest", "en")


def test_pr_039(worlds: Worlds) -> None:
    for name, w in both(worlds, "PR-039"):
        w.play()
        waits_weakly(w, "employment_status")
        for turns in (0, 3):
            c = w.memory.recall("小孟要离职吗？", recent_turns=turns, conversation="c1")
            if turns == 0:
                assert only_unconfirmed(c.text, "辞职", "zh"), name


def test_pr_041_b(worlds: Worlds) -> None:
    class Model:
        def __getattr__(self, name: str) -> Any:
            raise AssertionError(f"the model was asked: {name}")

    yaml = worlds.file("person.yaml", case("PR-041")["form_yaml"])
    w = worlds("PR-041", extractor=FormExtractor([yaml], llm=Model()))
    assert [r.cost.model_calls for r in w.play()] == [0] * 5
    assert list(w.memory.find()) == []


def test_pr_041_a(worlds: Worlds) -> None:
    given = case("PR-041")
    script = {m["text"]: drafts for m, drafts in zip(given["messages"], given["script"], strict=True)}
    w = worlds("PR-041", script=script, now="2026-12-01T00:00:00+00:00")
    for turn in range(200):
        day, hour = turn // 24 + 1, turn % 24
        messages = [
            {**m, "id": f"{m['id']}-{turn}", "time": f"2026-03-{day:02}T{hour:02}:0{place}:00+00:00"}
            for place, m in enumerate(w.messages)
        ]
        r = w.memory.observe_many(messages)
        assert [x.state for x in r] == ["refused", "stored", "stored", "stored", "stored"]
        if turn in (0, 199):
            assert list(w.memory.find("person_profile")) == []
            rows = list(w.memory.export())
            assert not [row for row in rows if "form_type" in row or "slots" in row]
            assert "Osaka" not in "".join(str(row) for row in rows if "text" not in row)


# -- ours ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "drafts", "slot"),
    [
        (
            "要是康源药业预算有100万就好了。",
            lead(company="康源药业", budget=("100万", "预算有100万")),
            "budget",
        ),
        (
            "假如康源药业预算有80万，能做到什么程度？",
            lead(company="康源药业", budget=("80万", "预算有80万")),
            "budget",
        ),
        ("康源药业的预算是80万吗？", lead(company="康源药业", budget=("80万", "预算是80万")), "budget"),
        ("If only Corvid Lab had 90k EUR to spend!", lead(company="Corvid Lab", budget="90k EUR"), "budget"),
        (
            "Suppose Corvid Lab had 90k EUR, what then?",
            lead(company="Corvid Lab", budget="90k EUR"),
            "budget",
        ),
        ("Does Corvid Lab pay net 60?", lead(company="Corvid Lab", payment_terms="net 60"), "payment_terms"),
        (
            "Corvid Lab pays in gold bars, just kidding.",
            lead(company="Corvid Lab", payment_terms="gold bars"),
            "payment_terms",
        ),
    ],
)
def test_hypotheses_questions_and_jokes_are_not_known(
    worlds: Worlds, text: str, drafts: object, slot: str
) -> None:
    w = worlds(types=["lead_profile"], messages=[said("2026-06-14T10:00:00+08:00", text)], script=[[drafts]])
    w.play()
    waits_weakly(w, slot)
    lang = "zh" if re.search("[一-鿿]", text) else "en"
    c = w.memory.recall(
        "康源药业的预算是多少？" if lang == "zh" else "What does Corvid Lab have and how does it pay?"
    )
    for words in ("80万", "100万", "90,000", "net 60", "gold bars"):
        assert only_unconfirmed(c.text, words, lang)


def test_a_proposal_does_not_displace(worlds: Worlds) -> None:
    w = worlds(
        yaml="form_type: meeting\nslots:\n  topic: {type: text}\n  date: {type: date}\n",
        messages=[
            said("2026-11-24T10:00:00+08:00", "评审会定在周三。"),
            said("2026-11-24T10:05:00+08:00", "评审会周四也看看有没有空。"),
        ],
        script=[
            [draft("meeting", topic="评审会", date=("周三", "定在周三"))],
            [draft("meeting", topic="评审会", date=("周四", "周四也看看有没有空"))],
        ],
    )
    w.play()
    f = w.only("meeting")
    assert (f["date"].isoformat(), f.version) == ("2026-11-25", 1)
    assert [(p.slot, p.reason) for p in w.memory.pending()] == [("date", "proposal")]


def test_a_default_that_nobody_said_is_refused(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[said("2026-06-14T10:00:00+00:00", "Hello, this is Corvid Lab.")],
        script=[
            [
                lead(
                    company="Corvid Lab",
                    payment_terms=("net 30", "net 30"),
                    budget={"value": "0 USD", "evidence": ""},
                    contact_role=("buyer", "Corvid Lab"),
                )
            ]
        ],
    )
    (r,) = w.play()
    assert {x.slot for x in r.refused} >= {"payment_terms", "budget"}
    f = w.only("lead_profile")
    assert all(f[slot] is None for slot in ("payment_terms", "budget", "contact_role"))
    assert f["company"] == "Corvid Lab"


def test_recalled_memory_pasted_by_an_agent_is_not_told_again(worlds: Worlds) -> None:
    w = worlds(
        yaml=PERSON,
        messages=[
            said("2026-06-14T10:00:00+00:00", "Runa lives in Bergen."),
            said(
                "2026-06-15T10:00:00+00:00",
                "Known facts: Runa lives in Oslo.",
                role="system",
                speaker="system",
            ),
        ],
        script=[
            [draft("person_profile", name="Runa", city="Bergen")],
            [draft("person_profile", name="Runa", city="Oslo")],
        ],
    )
    r = w.play()
    assert r[1].state == "refused"
    assert w.only("person_profile")["city"] == "Bergen"
    assert dump(w.memory).count("Oslo") == 1
