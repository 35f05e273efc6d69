"""A context keeps to its tokens by leaving entries out whole."""

from __future__ import annotations

import pytest

from .doubles import ENCODING, Words
from .world import NOTE, Worlds, on_both, said


def tokens(text: str) -> int:
    return len(ENCODING.encode(text))


@on_both
def test_pr_143(worlds: Worlds) -> None:
    w = worlds("PR-143", now="2026-06-01T00:00:00+08:00")
    for k in range(200):
        w.memory.record(
            "lead_profile",
            {
                "company": f"恒通第{k}号精密机械制造公司",
                "budget": f"{k + 10}万",
                "payment_terms": f"签约后预付三成，第{k}批到货验收合格后付清余款",
                "contact_role": "采购部经理",
            },
        )
    c = w.memory.recall("所有客户的预算", max_tokens=500)
    assert 0 < tokens(c.text) <= 500
    assert c.tokens == tokens(c.text)
    assert [s for s in c.trace.steps if s.kind == "cut"]
    assert c.forms
    shown = [line for line in c.text.splitlines() if "恒通" in line]
    assert shown
    everything = w.memory.recall("所有客户的预算", max_tokens=100_000).text.splitlines()
    assert all(line in everything for line in shown)


@pytest.mark.parametrize("embedded", [False, True])
def test_pr_145(worlds: Worlds, embedded: bool) -> None:
    w = worlds(
        yaml=NOTE,
        messages=[],
        script=[],
        now="2026-06-01T00:00:00+00:00",
        embedder=Words() if embedded else None,
    )
    filling = {"A": 4, "B": 75, "C": 3}
    for name in ("C", "B", "A"):
        w.memory.record(
            "note",
            {"text": "The gate code of the depot " + "and so on with it " * filling[name] + f"[{name}-END]"},
        )
        w.clock.advance(seconds=60)
    question = "gate code of the depot"
    c = w.memory.recall(question, max_tokens=100)
    assert c.tokens == tokens(c.text) <= 100
    assert "[A-END]" in c.text
    assert "[C-END]" in c.text
    assert "[B-END]" not in c.text
    assert "and so on with it " * 10 not in c.text
    b = next(f for f in w.memory.find("note") if "[B-END]" in f["text"])
    assert b.id in {s.subject for s in c.trace.steps if s.kind == "cut"}
    d = w.memory.recall(question, max_tokens=10)
    assert tokens(d.text) <= 10
    assert "gate code" not in d.text
    assert len([s for s in d.trace.steps if s.kind == "cut"]) >= 3


# -- ours ------------------------------------------------------------------------------------------------


def test_every_budget_holds_and_grows_monotonously(worlds: Worlds) -> None:
    w = worlds(yaml=NOTE, messages=[], script=[], now="2026-06-01T00:00:00+08:00")
    for k in range(12):
        w.memory.record(
            "note", {"text": f"仓库门禁说明{k}：" + "先刷卡再输入密码，" * (k % 5 + 1) + f"【完{k}】"}
        )
    seen = 0
    for budget in (0, 1, 15, 40, 80, 160, 320, 640, 3000):
        c = w.memory.recall("仓库门禁说明", max_tokens=budget)
        assert c.tokens == tokens(c.text) <= budget
        assert all(f"【完{f['text'].split('：')[0][6:]}】" in c.text for f in c.forms)
        assert len(c.forms) >= seen
        seen = len(c.forms)
    assert seen >= 5


def test_fallback_text_is_never_half_a_message(worlds: Worlds) -> None:
    texts = [
        f"Talk {k}: the forklift in hall {k} " + "hums and " * (10 * k + 1) + f"stops. <end {k}>"
        for k in range(6)
    ]
    w = worlds(
        types=["document"], messages=[said("2026-06-01T00:00:00+00:00", t) for t in texts], script=[[]] * 6
    )
    w.play()
    for budget in (30, 60, 120, 240, 480):
        c = w.memory.recall("forklift", max_tokens=budget)
        assert c.tokens == tokens(c.text) <= budget
        for message in c.messages:
            k = int(message[1:]) - 1
            assert f"hall {k} " in c.text
