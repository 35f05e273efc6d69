"""A long message is taken whole, whatever an embedder can hold."""

from __future__ import annotations

from datetime import date
from typing import Any

import openai

from forms_dynamics import FormExtractor
from forms_dynamics.testing.model_server import ModelServer, Reply

from .doubles import ENCODING, Words
from .world import Worlds, filler, lead, money, on_both, said


def test_pr_165(worlds: Worlds) -> None:
    embedder = Words(max_tokens=8192)
    w = worlds("PR-165", embedder=embedder)
    text = w.messages[0]["text"]
    assert len(text) > 60_000
    w.play()
    f = w.only("lead_profile")
    assert f["budget"] == money(44000, "USD")
    assert "44,000 USD" in w.memory.recall("Fernhill budget").text
    first, last = text[100:160], text[-500:-440]
    assert "m1" in w.memory.recall(first).messages
    assert "m1" in w.memory.recall(last).messages
    assert max(len(ENCODING.encode(t)) for t in embedder.given) <= 8192


@on_both
def test_pr_167_a(worlds: Worlds) -> None:
    w = worlds("PR-167")
    assert len(w.messages[0]["text"]) > 20_000
    w.play()
    f = w.only("lead_profile")
    assert (f["budget"], f["deadline"]) == (money(2600000, "CNY"), date(2027, 6, 18))
    assert "260万" in w.memory.recall("远桥地产预算").text


@on_both
def test_pr_167_b(worlds: Worlds) -> None:
    def model(request: dict[str, Any]) -> Any:
        if sum(len(m["content"]) for m in request["messages"]) > 4000:
            return Reply.failing(400, "This model's maximum context length is 4000 characters")
        said = request["messages"][-1]["content"]
        slots = {}
        if "远桥地产的预算" in said:
            slots["company"] = {"value": "远桥地产", "evidence": "远桥地产"}
            slots["budget"] = {"value": "260万", "evidence": "预算是260万"}
        if "要开盘" in said:
            slots["deadline"] = {"value": "6月18日", "evidence": "6月18日要开盘"}
        return [{"form_type": "lead_profile", "slots": slots}] if slots else []

    with ModelServer(model) as server:
        extractor = FormExtractor(
            ["lead_profile"], llm=openai.OpenAI(base_url=server.base_url, api_key="any")
        )
        w = worlds("PR-167", extractor=extractor)
        (r,) = w.play()
        parts = -(-len(w.messages[0]["text"]) // 1000)
        assert r.cost.model_calls == server.calls <= parts
    f = w.only("lead_profile")
    assert (f["budget"], f["deadline"]) == (money(2600000, "CNY"), date(2027, 6, 18))
    assert "260万" in w.memory.recall("远桥地产预算").text


# -- ours ------------------------------------------------------------------------------------------------


def test_facts_in_the_middle_of_a_long_message_have_their_evidence(worlds: Worlds) -> None:
    before, after = filler(15_000, "zh"), filler(15_000, "zh")
    text = f"{before}顺便说，宋江木业的预算是88万。{after}"
    w = worlds(
        types=["lead_profile"],
        embedder=Words(max_tokens=512),
        messages=[said("2026-08-21T09:00:00+08:00", text)],
        script=[[lead(company="宋江木业", budget=("88万", "预算是88万"))]],
    )
    w.play()
    evidence = w.only("lead_profile").slots["budget"].evidence
    assert evidence is not None
    assert text[evidence.start : evidence.end] == evidence.text
    assert "88万" in evidence.text


def test_a_recall_of_a_long_message_keeps_the_budget(worlds: Worlds) -> None:
    text = filler(40_000, "en") + "The spare van key hangs behind the green door. " + filler(40_000, "en")
    w = worlds(
        types=["document"],
        messages=[said("2026-08-21T09:00:00+00:00", text)],
        script=[[]],
        embedder=Words(max_tokens=512),
    )
    w.play()
    c = w.memory.recall("Where is the spare van key?", max_tokens=600)
    assert "m1" in c.messages
    assert "green door" in c.text
    assert c.tokens <= 600


def test_a_message_of_nothing_and_one_of_very_much(worlds: Worlds) -> None:
    w = worlds(
        types=["document"],
        messages=[said("2026-08-21T09:00:00+00:00", ""), said("2026-08-21T09:00:01+00:00", "啊" * 300_000)],
        script=[[], []],
        embedder=Words(max_tokens=256),
    )
    nothing, much = w.play()
    assert nothing.state in {"stored", "refused"}
    assert much.state == "stored"
    assert w.memory.recall("hello").text is not None
