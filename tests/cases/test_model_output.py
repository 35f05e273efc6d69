"""Raw words of a model: late, broken, in other letters, with keys that mean nothing here."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import openai
import pytest

from forms_dynamics import FormExtractor
from forms_dynamics.testing.model_server import ModelServer, Reply

from .world import Worlds, draft, lead, money, on_both, raw_replies, said


def reading(server: ModelServer) -> FormExtractor:
    """An extractor that asks the server as any program would."""
    return FormExtractor(["lead_profile"], llm=openai.OpenAI(base_url=server.base_url, api_key="any"))


def cut(text: str) -> Callable[[dict[str, Any]], Reply]:
    """A model whose every reply ends at the token limit."""
    return lambda request: Reply(text, finish_reason="length")


@on_both
def test_pr_115_a(worlds: Worlds) -> None:
    w = worlds("PR-115")
    (r,) = w.play()
    assert r.state == "queued"
    assert list(w.memory.find()) == []
    assert w.memory.work() == 1
    f = w.only("lead_profile")
    assert (f["company"], f["budget"], f.version) == ("霁月灯具", money(150000, "CNY"), 1)
    assert w.memory.work() == 0
    assert w.only("lead_profile").version == 1


@on_both
def test_pr_115_b(worlds: Worlds) -> None:
    with ModelServer([Reply(text) for text in raw_replies("PR-115")]) as server:
        w = worlds("PR-115", extractor=reading(server))
        w.play()
        w.memory.work()
        assert server.calls == 2
    f = w.only("lead_profile")
    assert (f["company"], f["budget"], f.version) == ("霁月灯具", money(150000, "CNY"), 1)
    "".join(row.get("text", "") for row in w.memory.export()).encode()  # no half of a character


@on_both
def test_pr_115_c(worlds: Worlds) -> None:
    first = raw_replies("PR-115")[0]
    with ModelServer(lambda request: Reply(first)) as server:
        w = worlds("PR-115", extractor=reading(server))
        (r,) = w.play()
        assert r.state == "queued"
        assert server.calls == 3
        assert w.memory.work() == 0
        assert server.calls == 6
    assert list(w.memory.find()) == []
    assert w.memory.health().queued == 1


def test_pr_117_a(worlds: Worlds) -> None:
    w = worlds("PR-117")
    (r,) = w.play()
    f = w.only("lead_profile")
    assert (r.state, f["company"], f["budget"]) == ("stored", "Brookline Paper", money(30000, "USD"))


def test_pr_117_b(worlds: Worlds) -> None:
    with ModelServer([Reply(text) for text in raw_replies("PR-117")]) as server:
        w = worlds("PR-117", extractor=reading(server))
        (r,) = w.play()
        assert server.calls == 1
    f = w.only("lead_profile")
    assert (r.state, f["company"], f["budget"]) == ("stored", "Brookline Paper", money(30000, "USD"))
    assert r.cost.model_calls == 1


def test_pr_119_a(worlds: Worlds) -> None:
    w = worlds("PR-119")
    (r,) = w.play()
    assert r.state == "queued"
    w.memory.work()
    f = w.only("lead_profile")
    assert (f["budget"], f["company"], f.version) == (money(30000, "USD"), "Brookline Paper", 1)


def test_pr_119_b(worlds: Worlds) -> None:
    broken = raw_replies("PR-119")[0].removeprefix("<finish_reason=length> ")
    with ModelServer(cut(broken)) as server:
        w = worlds("PR-119", extractor=reading(server))
        (r,) = w.play()
        assert r.state == "queued"
        assert server.calls == 2
        w.memory.work()
        assert server.calls == 4
        prompts = [json.dumps(request["messages"]) for request in server.requests]
    assert list(w.memory.find()) == []
    assert all("Broo\\" not in prompt and '"Broo"' not in prompt for prompt in prompts)
    assert len({len(prompt) for prompt in prompts}) == 1


@on_both
def test_pr_121(worlds: Worlds) -> None:
    w = worlds("PR-121")
    r = w.memory.observe_many(w.messages[:2])
    f = w.only("lead_profile", company="昆仑")
    assert (f["priority"], f.version) == ("medium", 1)
    (last,) = w.memory.observe_many(w.messages[2:])
    told = [x.reason for x in last.refused if x.slot == "priority"] + [p.question for p in w.memory.pending()]
    assert any(all(value in text for value in ("high", "medium", "low")) for text in told)
    f = w.only("lead_profile", company="昆仑")
    assert (f["priority"], f.version) == ("medium", 1)
    assert [x.state for x in r] == ["stored", "stored"]


def test_pr_123(worlds: Worlds) -> None:
    w = worlds("PR-123")
    (r,) = w.play()
    f = w.only("lead_profile")
    assert f["company"] == "星野包装"
    assert {"type", "form_type", "status"} <= {x.slot for x in r.refused}
    assert (f.type, f.status) == ("lead_profile", "active")
    assert list(w.memory.find("quote_form")) == []


# -- ours ------------------------------------------------------------------------------------------------

GOOD = [lead(company="Brookline Paper", budget="30k USD")]
TEXT = "Brookline Paper has 30k USD."


@pytest.mark.parametrize(
    "reply",
    [
        json.dumps(GOOD),
        "Here you are:\n```json\n" + json.dumps(GOOD, indent=2) + "\n```\nAnything {else}?",
        "Sure {as asked}: " + json.dumps(GOOD) + " [done]",
        json.dumps({"forms": GOOD}),
        json.dumps(GOOD[0]),
        "\ufeff" + json.dumps(GOOD),
        "<think>{maybe} [not]</think>" + json.dumps(GOOD),
        json.dumps(GOOD).replace("]", ",]", 1) if json.dumps(GOOD).endswith("]") else "",
    ],
)
def test_raw_replies_around_the_json(worlds: Worlds, reply: str) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[said("2026-06-29T09:00:00+00:00", TEXT)],
        script=[{"raw": [reply, json.dumps(GOOD)]}],
    )
    (r,) = w.play()
    if r.state == "queued":
        w.memory.work()
    f = w.only("lead_profile")
    assert (f["company"], f["budget"], f.version) == ("Brookline Paper", money(30000, "USD"), 1)


def test_replies_that_never_mend_keep_the_message_queued(worlds: Worlds) -> None:
    cut = '[{"form_type": "lead_profile", "slots": {"company": {"value": "Broo'
    w = worlds(
        types=["lead_profile"],
        messages=[said("2026-06-29T09:00:00+00:00", TEXT)],
        script=[{"raw": [cut, cut, cut, cut]}],
    )
    (r,) = w.play()
    assert r.state == "queued"
    assert list(w.memory.find()) == []
    assert w.memory.health() is not None
    assert TEXT in [row.get("text") for row in w.memory.export()]


def test_an_exception_in_earnest_queues_too(worlds: Worlds) -> None:
    for failure in (
        ValueError("bad escape"),
        ConnectionError("refused"),
        KeyError("choices"),
        "RuntimeError: odd",
    ):
        w = worlds(
            types=["lead_profile"],
            messages=[said("2026-06-29T09:00:00+00:00", TEXT)],
            script=[{"raise": failure, "then": GOOD}],
        )
        (r,) = w.play()
        assert r.state == "queued"
        assert w.memory.work() == 1
        assert w.only("lead_profile")["budget"] == money(30000, "USD")


@pytest.mark.parametrize(
    "drafts",
    [
        [
            {
                "form_type": "no_such_type",
                "slots": {"company": {"value": "Brookline Paper", "evidence": "Brookline Paper"}},
            }
        ],
        [
            lead(
                **{
                    "class": ("x", "Brookline"),
                    "__init__": ("x", "Brookline"),
                    "id": ("7", "Brookline"),
                    "slots": ("x", "Brookline"),
                }
            )
        ],
        [lead(company={"value": {"name": "Brookline Paper"}, "evidence": "Brookline Paper"})],
        [lead(company={"value": ["Brookline Paper", "Other"], "evidence": "Brookline Paper"})],
        [lead(budget={"value": "30k USD", "evidence": "30k USD", "confidence": 9})],
        [lead(budget={"value": "NaN", "evidence": "30k USD"})],
        [lead(budget={"value": True, "evidence": "30k USD"})],
        [
            lead(company={"value": "N/A", "evidence": "Brookline"}),
            lead(company={"value": "unknown", "evidence": "has"}),
        ],
    ],
)
def test_odd_drafts_are_refused_without_an_exception(worlds: Worlds, drafts: object) -> None:
    w = worlds(types=["lead_profile"], messages=[said("2026-06-29T09:00:00+00:00", TEXT)], script=[drafts])
    (r,) = w.play()
    assert r.state in {"stored", "held", "refused"}
    for f in w.memory.find("lead_profile"):
        assert f["company"] in (None, "Brookline Paper")
        assert f["budget"] in (None, money(30000, "USD"))


def test_enum_values_in_any_case_and_language(worlds: Worlds) -> None:
    yaml = (
        "form_type: task\nidentity: each\nslots:\n  state:\n    type: enum\n"
        "    values: {in_progress: [进行中, ongoing], done: [已完成, finished]}\n"
    )
    texts = ["In Progress", "IN_PROGRESS", "进行中", "ongoing ", "Ongoing", "in-progress"]
    w = worlds(
        yaml=yaml,
        messages=[said("2026-06-29T09:00:00+08:00", f"状态是{text}。") for text in texts],
        script=[[draft("task", state=(text, text.strip()))] for text in texts],
    )
    assert [w.form_of(r)["state"] for r in w.play()] == ["in_progress"] * len(texts)
    assert len(w.memory.find("task", state="进行中")) == len(texts)
