"""The dialogue that the demo plays: each stage is true in the memory, in both languages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.adapters.embedders import HashedNgrams
from forms_dynamics.cli import main
from forms_dynamics.cli.demo import STORY, Scene, StoryClock, dialogue, tell

Told = tuple[str, Memory, StoryClock, dict[str, Scene]]
COMPANY = {"zh": ("海蓝电子", "青禾科技"), "en": ("Northlake Robotics", "Fernwood Labs")}
CURRENCY = {"zh": "CNY", "en": "USD"}
BUDGET = {"zh": "{}的预算是多少？", "en": "What is the budget of {}?"}


@pytest.fixture(scope="module", params=["zh", "en"])
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    lang: str = request.param
    clock = StoryClock()
    with Memory.open(
        tmp_path_factory.mktemp(lang) / "demo.db", embedder=HashedNgrams(), clock=clock
    ) as memory:
        scenes = tell(memory, clock, lang)
        yield lang, memory, clock, {scene.kind: scene for scene in scenes}


def budget(scene: Scene) -> Any:
    assert scene.form is not None
    return scene.form["budget"]


def test_a_message_becomes_a_form_with_its_words(told: Told) -> None:
    lang, _, _, scenes = told
    scene = scenes["form"]
    assert scene.form is not None
    assert scene.receipt.state == "stored"
    assert (scene.form.type, scene.form.version, scene.form["company"]) == ("lead_profile", 1, None)
    assert (budget(scene).amount, budget(scene).currency) == (Decimal(500_000), CURRENCY[lang])
    assert scene.form["deadline"].isoformat() == "2026-06-30"
    for name in ("budget", "payment_terms", "deadline"):
        evidence = scene.form.slots[name].evidence
        assert evidence is not None
        assert evidence.text == scene.message["text"][evidence.start : evidence.end] != ""


def test_the_first_payment_is_found_by_its_slot(told: Told) -> None:
    lang, _, _, scenes = told
    scene = scenes["asked"]
    assert not scene.receipt.forms, "a question is no fact"
    assert scene.context is not None
    assert {"zh": "三期", "en": "three instal"}[lang] in scene.context.text
    assert [step.kind for step in scene.context.trace.steps][:1] == ["anchor"]
    assert "fallback" not in {step.kind for step in scene.context.trace.steps}


def test_the_name_comes_later_to_the_same_form(told: Told) -> None:
    lang, _, _, scenes = told
    first, named = scenes["form"].form, scenes["named"].form
    assert first is not None
    assert named is not None
    assert (named.id, named.version, named["company"]) == (first.id, 2, COMPANY[lang][0])
    assert named["budget"] == first["budget"]


def test_a_correction_keeps_the_old_value_in_the_chain(told: Told) -> None:
    lang, memory, _, scenes = told
    scene = scenes["corrected"]
    assert budget(scene).amount == Decimal(600_000)
    assert [v.slots["budget"].value.amount for v in scene.versions] == [500_000, 500_000, 600_000]
    assert [v.current for v in scene.versions] == [False, False, True]
    assert scene.form is not None
    supersedes = [edge for edge in scene.edges if edge.relation == "supersedes"]
    assert (f"{scene.form.id}@3", f"{scene.form.id}@2") in {(edge.source, edge.target) for edge in supersedes}
    text = memory.recall(BUDGET[lang].format(COMPANY[lang][0])).text
    assert {"zh": "60万", "en": "600,000"}[lang] in text
    assert "500,000" not in text
    assert "550,000" not in text
    before = memory.get(scene.form.id, as_of=datetime.fromisoformat("2026-06-05T00:00:00+00:00"))
    assert before["budget"].amount == Decimal(500_000)


def test_the_quote_is_linked_to_its_customer(told: Told) -> None:
    _, _, _, scenes = told
    scene, lead = scenes["related"], scenes["form"].form
    assert scene.form is not None
    assert lead is not None
    assert scene.form.type == "quote_form"
    assert scene.form["amount"].amount == Decimal(600_000)
    [edge] = [edge for edge in scene.edges if edge.relation == "refers_to"]
    assert (edge.source, edge.target, edge.status) == (scene.form.id, lead.id, "active")
    assert edge.made_by.startswith("rule:")
    assert edge.weight > 0.6


def test_why_brings_both_versions_with_their_dates(told: Told) -> None:
    lang, _, _, scenes = told
    scene, quote, lead = scenes["history"], scenes["related"].form, scenes["form"].form
    assert scene.context is not None
    assert quote is not None
    assert lead is not None
    assert {quote.id, lead.id} <= {form.id for form in scene.context.forms}
    wanted = {"zh": ("60万", "50万"), "en": ("600,000", "500,000")}[lang]
    for part in (*wanted, "2026-06-08"):
        assert part in scene.context.text
    assert "55" not in scene.context.text.replace("555", "")
    assert {"anchor", "walk"} <= {step.kind for step in scene.context.trace.steps}


def test_a_hedge_waits_and_is_stored_when_confirmed(told: Told) -> None:
    lang, _, _, scenes = told
    scene = scenes["held"]
    [item] = scene.pending
    assert item.reason in ("hedged", "range")
    assert item.question
    assert scene.context is not None
    assert {"zh": "[待确认]", "en": "[unconfirmed]"}[lang] in scene.context.text
    assert "450,000" not in scene.context.text
    assert scene.confirmed_context is not None
    assert {"zh": "45万", "en": "450,000"}[lang] in scene.confirmed_context.text
    assert budget(scene).amount == Decimal(450_000)


def test_a_withdrawn_plan_leaves_recall_and_keeps_its_history(told: Told) -> None:
    lang, memory, _, scenes = told
    scene, held = scenes["invalid"], scenes["held"].form
    assert scene.form is not None
    assert held is not None
    assert (scene.form.id, scene.form.status) == (held.id, "invalid")
    text = memory.recall(BUDGET[lang].format(COMPANY[lang][1])).text
    assert "450,000" not in text
    assert len(memory.history(held.id)) >= 3
    assert [form["company"] for form in memory.find("lead_profile")] == [COMPANY[lang][0]]


def test_the_logs_own_expectations_hold(told: Told, tmp_path: Path) -> None:
    """``expect`` in the logs, checked by playing them without the demo's own acts."""
    lang = told[0]
    clock = StoryClock()
    with Memory.open(tmp_path / "plain.db", embedder=HashedNgrams(), clock=clock) as memory:
        for raw in dialogue(lang):
            clock.time = datetime.fromisoformat(raw["time"])
            memory.observe(**{key: value for key, value in raw.items() if key != "expect"})
            expect = raw.get("expect", {})
            for wanted in expect.get("forms", ()):
                forms = memory.find(wanted["form_type"])
                assert any(all(_is(form[k], v) for k, v in wanted["slots"].items()) for form in forms), wanted
            for asked in expect.get("recall", ()):
                text = memory.recall(asked["question"], conversation=raw["conversation"]).text
                assert [part for part in asked.get("contains", ()) if part not in text] == [], text
                assert [part for part in asked.get("lacks", ()) if part in text] == [], text
        assert memory.verify().ok


def _is(value: Any, wanted: Any) -> bool:
    return value is not None and wanted in (value, getattr(value, "amount", None))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_command_shows_the_whole_story(
    lang: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["demo", "--lang", lang]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "\x1b" not in out
    for number in range(1, len(STORY) + 1):
        assert f"\n{number}  " in out
    for raw in dialogue(lang):
        assert raw["text"] in out
    trace = {"zh": ("锚点", "衰减"), "en": ("anchors", "decay")}[lang]
    for word in ("lead_profile", "quote_form", "refers_to", "supersedes", *trace, "?", "tokens"):
        assert word in out
    assert main(["demo", "--lang", lang, "--json"]) == 0
    assert [scene["kind"] for scene in json.loads(capsys.readouterr().out)[lang]] == list(STORY)
