"""Only the user's own words about the right subject become facts."""

from __future__ import annotations

import pytest

from .world import PERSON, Worlds, both, case, draft, lead, on_both, said


def test_pr_031(worlds: Worlds) -> None:
    for name, w in both(worlds, "PR-031"):
        receipts = w.play()
        for form in w.memory.find("person_profile"):
            dislikes = form["dislikes"]
            avoided = form.slots["dislikes"].avoided if "dislikes" in form.slots else frozenset()
            if form["name"] == "Jakub":
                assert dislikes is None or set(dislikes) == {"running"}, name
            else:
                assert not dislikes, name
                assert not avoided, name
        c = w.memory.recall("What sports does Alicia dislike?")
        assert not [
            line
            for line in c.text.splitlines()
            if "Alicia" in line and "running" in line and "Jakub" not in line
        ]
        if name == "naive":
            assert receipts[0].state in {"refused", "held"} or w.memory.find("person_profile", name="Jakub")


@on_both
def test_pr_033(worlds: Worlds) -> None:
    w = worlds("PR-033")
    r = w.play()
    f = w.only("lead_profile", company="衡山纺织")
    assert r[1].state == "refused"
    assert {"budget", "payment_terms"} <= {refusal.slot for refusal in r[1].refused}
    assert "budget" not in f.slots
    assert "payment_terms" not in f.slots
    c = w.memory.recall("衡山纺织的预算是多少？")
    assert "80万" not in c.text
    assert "三期" not in c.text
    assert (len(w.memory.find("lead_profile")), f.version) == (1, 1)
    assert r[2].state == "stored"


@on_both
def test_pr_035(worlds: Worlds) -> None:
    given = worlds("PR-035", user="u1", now="2026-09-18T00:00:00+08:00", script=by_text("PR-035"))
    r = given.play()
    assert (r[1].state, r[2].state) == ("refused", "refused")
    for turn in range(11):
        (form,) = given.memory.find("person_profile")
        assert form["preferred_address"] is None
        assert form.slots["preferred_address"].status == "pending"
        assert form.slots["preferred_address"].confidence <= 0.4 + 1e-9
        (p,) = given.memory.pending()
        assert (p.slot, p.reason, p.value) == ("preferred_address", "inferred", "糯糯")
        again = [
            {**m, "id": f"{m['id']}-{turn}", "time": f"2026-08-{19 + turn % 10}T09:00:00+08:00"}
            for m in given.messages[1:]
        ]
        r = given.memory.observe_many(again)
        assert (r[0].state, r[1].state, r[2].state) == ("refused", "refused", "stored")


def by_text(case_id: str) -> dict[str, object]:
    """The script of a case by exact text of its messages."""
    given = case(case_id)
    return {
        message["text"]: drafts for message, drafts in zip(given["messages"], given["script"], strict=True)
    }


# -- ours ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["assistant", "system"])
def test_other_voices_are_no_evidence(worlds: Worlds, role: str) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[
            said("2026-07-01T10:00:00+00:00", "Quarry Lane has a budget of 9k EUR.", role=role, speaker=role)
        ],
        script=[[lead(company="Quarry Lane", budget="9k EUR")]],
    )
    (receipt,) = w.play()
    assert receipt.state == "refused"
    assert {r.slot for r in receipt.refused} >= {"company", "budget"}
    assert list(w.memory.find("lead_profile")) == []


def test_the_users_yes_to_a_proposal_is_the_users_word(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[
            said("2026-07-01T10:00:00+08:00", "我们衡山纺织做这套系统。"),
            said("2026-07-01T10:00:10+08:00", "建议预算80万。", role="assistant", speaker="assistant"),
            said("2026-07-01T10:01:00+08:00", "可以，衡山纺织预算就定80万。"),
        ],
        script=[
            [lead(company="衡山纺织")],
            [lead(budget=("80万", "预算80万"))],
            [lead(company="衡山纺织", budget=("80万", "预算就定80万"))],
        ],
    )
    w.play()
    f = w.only("lead_profile")
    assert str(f["budget"].amount) == "800000"
    evidence = f.slots["budget"].evidence
    assert evidence is not None
    assert evidence.message_id == "m3"
    assert "80万" in evidence.text


def test_a_fathers_fact_does_not_stay_with_the_child(worlds: Worlds) -> None:
    w = worlds(
        yaml=PERSON.replace("identity: [name]", "identity: [$speaker]"),
        messages=[said("2026-07-01T10:00:00+08:00", "我爸喜欢吃辣，住在绵阳。", speaker="小秦")],
        script=[
            [
                draft(
                    "person_profile",
                    food_preference={"value": ["辣"], "evidence": "喜欢吃辣", "whose": "other"},
                    city={"value": "绵阳", "evidence": "住在绵阳", "whose": "other"},
                )
            ]
        ],
    )
    w.play()
    for form in w.memory.find("person_profile"):
        assert form["city"] is None
        assert not form["food_preference"]


def test_an_inferred_value_never_displaces_a_stated_one(worlds: Worlds) -> None:
    w = worlds(
        yaml=PERSON,
        messages=[
            said("2026-07-01T10:00:00+00:00", "Runa lives in Bergen."),
            said("2026-07-02T10:00:00+00:00", "Runa takes the Stavanger ferry every day."),
        ],
        script=[
            [draft("person_profile", name="Runa", city="Bergen")],
            [
                draft(
                    "person_profile",
                    name="Runa",
                    city={"value": "Stavanger", "evidence": "the Stavanger ferry", "inferred": True},
                )
            ],
        ],
    )
    w.play()
    f = w.only("person_profile")
    assert (f["city"], f.version) == ("Bergen", 1)
    (p,) = w.memory.pending()
    assert (p.slot, p.value, p.reason) == ("city", "Stavanger", "inferred")
    w.memory.confirm(p.id)
    f = w.memory.get(f.id)
    assert (f["city"], f.slots["city"].source) == ("Stavanger", "user")
    assert list(w.memory.pending()) == []
