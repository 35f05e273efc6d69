"""Secrets never reach a model or an embedder, or, where so set, any file."""

from __future__ import annotations

import json
import logging

import openai
import pytest

from forms_dynamics import FormExtractor
from forms_dynamics.testing import ScriptedExtractor
from forms_dynamics.testing.model_server import ModelServer

from .doubles import Words
from .world import Worlds, bytes_of, draft, dump, said

NOTES = "form_type: note\nslots:\n  text: {type: text}\n"
SECRETS = ("Tr0ub4dor-77", "sk-test-abcdefghijklmnopqrstuvwx0123")


@pytest.mark.parametrize("redact", ["model", "at_rest", "off"])
def test_pr_111(worlds: Worlds, redact: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    embedder = Words()
    w = worlds("PR-111", embedder=embedder, settings={"redact": redact})
    w.play()
    contexts = [
        w.memory.recall("staging DB"),
        w.memory.recall("staging DB", recent_turns=2, conversation="c1"),
    ]
    exported = list(w.memory.export())
    told = dump(w.memory)
    slots = " ".join(str(slot.value) for f in w.memory.find() for slot in f.slots.values())
    w.memory.close()
    content = bytes_of(worlds.where)
    trace = " ".join(f"{s.subject} {s.reason}" for c in contexts for s in c.trace.steps)
    shown = " ".join(c.text for c in contexts)
    message = w.messages[0]["text"]
    for secret in SECRETS:
        if redact == "off":
            assert secret in told
            assert secret in slots
            continue
        assert secret not in shown
        assert secret not in " ".join(embedder.given)
        assert secret not in caplog.text
        assert secret not in trace
        if redact == "at_rest":
            assert secret not in told
            assert secret.encode() not in content
    if redact != "at_rest":
        assert message in [row.get("text") for row in exported]


@pytest.mark.parametrize("redact", ["model", "at_rest"])
def test_pr_113_embedder(worlds: Worlds, redact: str) -> None:
    embedder = Words()
    w = worlds("PR-113", embedder=embedder, settings={"redact": redact})
    w.play()
    w.memory.recall("连不上库怎么办？")
    w.memory.work()
    told = dump(w.memory)
    rows = [row.get("text") for row in w.memory.export()]
    w.memory.close()
    content = bytes_of(worlds.where)
    for secret in ("Qw8-secret", "110101190001010006"):
        assert secret not in " ".join(embedder.given)
        if redact == "at_rest":
            assert secret not in told
            assert secret.encode() not in content
    if redact == "model":
        assert w.messages[0]["text"] in rows


@pytest.mark.parametrize("redact", ["model", "at_rest"])
def test_pr_113_prompts(worlds: Worlds, redact: str) -> None:
    with ModelServer(lambda request: {"facts": []}) as server:
        client = openai.OpenAI(base_url=server.base_url, api_key="any")
        w = worlds(
            "PR-113", extractor=FormExtractor(["lead_profile"], llm=client), settings={"redact": redact}
        )
        (r,) = w.play()
        w.memory.observe(
            "刚才那个库还是连不上，帮我看看那一条", conversation="c1", time="2026-09-09T10:00:00+08:00"
        )
        assert server.calls == 2
        sent = json.dumps(server.requests, ensure_ascii=False)
    assert "连不上库" in sent
    for secret in ("Qw8-secret", "110101190001010006"):
        assert secret not in sent
    assert r.state == "stored"


KEY = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
CARD = "4111.1111.1111.1111"
MEMBER = f"""
form_type: member
slots:
  card_no: {{type: text, aliases: [卡号, card]}}
  note: {{type: text, aliases: [备注, note]}}
examples:
  - {{text: "卡号：{CARD}", gives: {{card_no: "{CARD}"}}}}
"""


@pytest.mark.parametrize("said_now", [f"我这个{KEY}凑一凑就能用", f"I could stretch it with {KEY} or so"])
def test_nothing_of_a_prompt_holds_a_secret(worlds: Worlds, said_now: str) -> None:
    """The message, the turns before it, the examples of a type, the back-check."""
    text = f"备注：卡{CARD}凑一凑"
    facts = {"facts": [{"form": "member", "slot": "note", "value": "凑一凑", "quote": "凑一凑"}]}
    with ModelServer(lambda request: facts) as server:
        w = worlds(
            yaml=MEMBER,
            settings={"model": "x", "base_url": server.base_url, "api_key": "k", "back_check": "model"},
            messages=[],
            script=[],
            extractor="model",
        )
        w.memory.observe(text, conversation="c1")
        w.memory.observe(f"之前那个{CARD}凑一凑嘛", conversation="c1")
        w.memory.observe(said_now, conversation="c1")
        sent = json.dumps(server.requests, ensure_ascii=False)
    assert server.calls >= 3
    assert KEY not in sent
    assert CARD not in sent


def test_a_slot_read_from_a_secret_holds_a_mark_and_the_message_its_bytes(worlds: Worlds) -> None:
    w = worlds(yaml=MEMBER, messages=[], extractor="recognisers", script=[])
    text = f"备注：卡{CARD}"
    w.memory.observe(text, conversation="c1")
    assert w.only("member")["note"] == "卡[REDACTED]"
    assert text in [row.get("text") for row in w.memory.export()]


# -- ours ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("登录密码：Hx9#kk2pL，别告诉别人。", "Hx9#kk2pL"),
        ("密码是Zebra-4417，先用着。", "Zebra-4417"),
        (
            "My API key is ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8.",
            "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8",
        ),
        ("Card 4111 1111 1111 1111 expires in May.", "4111 1111 1111 1111"),
        ("AWS: AKIAIOSFODNN7EXAMPLE is the id.", "AKIAIOSFODNN7EXAMPLE"),
        ("mysql://root:pa55-word@db.example:3306/x is down.", "pa55-word"),
        (
            "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
        ),
    ],
)
def test_other_secrets_in_other_words(worlds: Worlds, text: str, secret: str) -> None:
    for redact in ("model", "at_rest"):
        embedder = Words()
        w = worlds(
            yaml=NOTES,
            embedder=embedder,
            settings={"redact": redact},
            messages=[said("2026-06-11T09:00:00+08:00", text)],
            script=[[]],
        )
        w.play()
        shown = w.memory.recall(text[:6], recent_turns=3, conversation="c1").text
        assert secret not in shown
        assert secret not in " ".join(embedder.given)
        assert (secret in dump(w.memory)) is (redact == "model")


@pytest.mark.parametrize(
    "text",
    [
        "电话13800138000，合同号HT-2026-0611，订单20260611000123。",
        "Ring +44 20 7946 0111 about order 4111-22.",
    ],
)
def test_plain_numbers_are_no_secrets(worlds: Worlds, text: str) -> None:
    w = worlds(
        yaml=NOTES,
        settings={"redact": "at_rest"},
        messages=[said("2026-06-11T09:00:00+08:00", text)],
        script=[[draft("note", text=text)]],
    )
    w.play()
    assert w.only("note")["text"] == text
    assert text in dump(w.memory)


def test_a_record_is_redacted_too(worlds: Worlds) -> None:
    w = worlds(
        yaml=NOTES, settings={"redact": "at_rest"}, messages=[], extractor=ScriptedExtractor([]), script=[]
    )
    w.memory.record("note", {"text": f"the password is {SECRETS[0]}"})
    told = dump(w.memory)
    w.memory.close()
    assert SECRETS[0] not in told
    assert SECRETS[0].encode() not in bytes_of(worlds.where)
