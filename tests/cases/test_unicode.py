"""Every character comes back as it went in, whole."""

from __future__ import annotations

import json
import re

import pytest

from forms_dynamics import InvalidInput

from .world import Worlds, both, draft, dump, on_both, said

FAMILY = "👨\u200d👩\u200d👧"


@on_both
def test_pr_173(worlds: Worlds) -> None:
    w = worlds("PR-173", settings={"conf_threshold": 0.8})
    w.play()
    lone = "收到\ud83d了"
    try:
        w.memory.observe(lone, id="m2", conversation="c1", time="2026-08-21T09:00:00+08:00")
    except InvalidInput:
        taken = None
    else:
        taken = dump(w.memory)
    for n in range(20, 200):
        c = w.memory.recall("收到", recent_turns=1, max_tokens=n, conversation="c1")
        json.dumps(c.text, ensure_ascii=False).encode("utf-8")
        if taken is None:
            assert "\ufffd" not in c.text
        assert not re.search("[\ud800-\udfff]", c.text)
        assert c.text.replace(FAMILY, "").count("👨") == 0
        assert c.text.replace(FAMILY, "").count("👧") == 0
    if taken is not None:
        taken.encode("utf-8")


def test_pr_173_one_rule_on_both_stores(worlds: Worlds, request: pytest.FixtureRequest) -> None:
    told = []
    url = request.getfixturevalue("postgres_schema")()
    other = Worlds(worlds.where / "other", url)
    (worlds.where / "other").mkdir()
    for place in (worlds, other):
        w = place("PR-173")
        try:
            w.memory.observe("收到\ud83d了", id="m2", conversation="c1", time="2026-08-21T09:00:00+08:00")
        except InvalidInput:
            told.append("refused")
        else:
            told.append(next(row["text"] for row in w.memory.export() if row.get("id") == "m2"))
    other.close()
    assert told[0] == told[1]


def test_pr_177(worlds: Worlds) -> None:
    for name, w in both(worlds, "PR-177"):
        w.play()
        english = {"Lingnan Ceramics", "Purchasing Director", "cash on delivery"}
        forms = w.memory.find("lead_profile")
        if name == "script":
            (f,) = forms
            assert (f["company"], f["contact_role"], f["payment_terms"]) == (
                "岭南陶瓷",
                "采购总监",
                "货到付款",
            )
            c = w.memory.recall("岭南陶瓷怎么付款？")
            assert "货到付款" in c.text
            assert not re.search(r"payment[ _]terms", c.text)
        else:
            known = {slot.value for f in forms for slot in f.slots.values() if slot.status == "known"}
            assert not known & english
            assert {p.reason for p in w.memory.pending() if p.value in english} <= {"inferred"}


# -- ours ------------------------------------------------------------------------------------------------

ODD = [
    "★龘🎉👨\u200d👩\u200d👧 𠮷野家",
    "é e\u0301 ﬁ Å",
    "अनुच्छेद ไทย العربية",
    "a\u0000b",
    "tab\tand\r\nline",
    "\u202egnp.exe",
    "💶𝟙𝟚",
    "\ufeffBOM",
]


@pytest.mark.parametrize("text", ODD)
@on_both
def test_messages_are_kept_byte_for_byte(worlds: Worlds, text: str) -> None:
    w = worlds(types=["document"], messages=[], script={})
    try:
        w.memory.observe(text, id="odd", time="2026-08-21T09:00:00+08:00")
    except InvalidInput:
        assert "\u0000" in text
        return
    assert text in [row.get("text") for row in w.memory.export()]
    w.memory.recall(text)


def test_a_value_in_another_language_than_the_words_is_not_known(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[said("2026-11-04T09:00:00+00:00", "Kettle Works pays cash on delivery.")],
        script=[
            [draft("lead_profile", company="Kettle Works", payment_terms=("货到付款", "cash on delivery"))]
        ],
    )
    w.play()
    f = w.only("lead_profile")
    assert f["company"] == "Kettle Works"
    assert f["payment_terms"] is None


def test_the_language_of_a_context_follows_the_question(worlds: Worlds) -> None:
    w = worlds(types=["lead_profile"], messages=[], script=[])
    w.memory.record("lead_profile", {"company": "岭南陶瓷", "budget": "50万", "payment_terms": "货到付款"})
    chinese, english = (
        w.memory.recall("岭南陶瓷的预算").text,
        w.memory.recall("What is the budget of 岭南陶瓷?").text,
    )
    assert "50万（500,000 CNY）" in chinese
    assert "500,000 CNY" in english
    assert "50万" not in english
    assert "货到付款" in english or "货到付款" in w.memory.recall("How does 岭南陶瓷 pay?").text


def test_evidence_counts_code_points(worlds: Worlds) -> None:
    text = f"{FAMILY}🎉𠮷野家的预算是30万。"
    w = worlds(
        types=["lead_profile"],
        messages=[said("2026-11-04T09:00:00+08:00", text)],
        script=[[draft("lead_profile", company="𠮷野家", budget=("30万", "预算是30万"))]],
    )
    w.play()
    for slot in w.only("lead_profile").slots.values():
        assert slot.evidence is not None
        assert text[slot.evidence.start : slot.evidence.end] == slot.evidence.text
