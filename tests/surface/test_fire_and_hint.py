"""The commands fire and hint."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from forms_dynamics import InvalidInput, Memory
from forms_dynamics.cli import main
from forms_dynamics.retrieval.hint import usage_hint

RIDE = """
form_type: ride_preference
version: 1
aliases: [乘车偏好, ride preference]
usage: {zh: 叫车前先看, en: look before booking}
identity: [$speaker]
slots:
  vehicle: {type: text, aliases: [车型, vehicle]}
---
form_type: ride_order
version: 1
aliases: [行程, ride]
identity: [ride_no]
slots:
  ride_no: {type: text, aliases: [行程号, ride number]}
---
trigger: book
on: intent_recognized
when: intent == 'book_ride'
load: {form_type: ride_preference, slots: [vehicle]}
---
trigger: early
on: entity_extracted
when: entity.type == 'vehicle' and entity.value == 'SUV'
load: {form_type: ride_preference, slots: [vehicle]}
---
trigger: booked
on: action_executed
when: action == 'book' and result.ok == true
load: {form_type: ride_order, where: ride_no == arguments.ride_no}
"""
KINDS = [
    (["intent", "book_ride"], "vehicle SUV", "book"),
    (["entity", "vehicle", "SUV"], "vehicle SUV", "early"),
    (["action", "book", "--arguments", '{"ride_no": "R2"}', "--result", '{"ok": true}'], "R2", "booked"),
]


@pytest.fixture
def types(tmp_path: Path) -> Path:
    file = tmp_path / "ride.yaml"
    file.write_text(RIDE, encoding="utf-8")
    return file


@pytest.fixture
def common(types: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    told = ["--form-types", str(types), "--db", str(tmp_path / "m.db")]
    assert main(["record", "ride_preference", "vehicle=SUV", *told]) == 0
    assert main(["record", "ride_order", "ride_no=R1", *told]) == 0
    assert main(["record", "ride_order", "ride_no=R2", *told]) == 0
    capsys.readouterr()
    return told


@pytest.mark.parametrize(("event", "told", "trigger"), KINDS, ids=["intent", "entity", "action"])
def test_fire_shows_what_triggers_load(
    common: list[str], capsys: pytest.CaptureFixture[str], event: list[str], told: str, trigger: str
) -> None:
    assert main(["fire", *event, "--lang", "en", "--trace", *common]) == 0
    out = capsys.readouterr().out
    assert told in out
    assert "trace" in out
    assert "R1" not in out

    assert main(["fire", *event, "--lang", "en", "--json", *common]) == 0
    context = json.loads(capsys.readouterr().out)
    assert told in context["text"]
    assert len(context["forms"]) == 1
    fired = [s["subject"] for s in context["trace"]["steps"] if s["reason"].startswith("fired")]
    assert fired == [trigger]


def test_what_no_trigger_waits_for_loads_nothing(
    common: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for event in (
        ["intent", "cancel_ride"],
        ["entity", "vehicle", "van"],
        ["action", "book", "--result", "no"],
    ):
        assert main(["fire", *event, "--json", *common]) == 0
        context = json.loads(capsys.readouterr().out)
        assert (context["text"], context["forms"]) == ("", [])


@pytest.mark.parametrize(
    ("event", "wrong"),
    [
        (["inten", "book_ride"], "is not intent, entity or action"),
        (["entity", "vehicle"], "an entity needs a value"),
        (["intent", "book_ride", "SUV"], "an intent has no value"),
        (["action", "book", "--arguments", "{"], "is no JSON"),
        (["action", "book", "--arguments", "[1]"], "is no JSON object"),
        (["intent", "book_ride", "--about", "f1"], "belongs to an action, not to an intent"),
        (["action", "book", "--slot", "vehicle"], "belongs to an entity, not to an action"),
    ],
)
def test_fire_refuses_what_is_no_event(
    common: list[str], capsys: pytest.CaptureFixture[str], event: list[str], wrong: str
) -> None:
    assert main(["fire", *event, *common]) == 2
    assert wrong in capsys.readouterr().err


def test_fire_suggests_the_form_type_that_was_meant(
    common: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fire", "entity", "text", "x", "--form-type", "ride_ordr", *common]) == 1
    assert "ride_order" in capsys.readouterr().err


def test_hint_says_how_to_read_a_context(types: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint"]) == 0
    english = capsys.readouterr().out
    assert english.rstrip("\n") == usage_hint("en")
    assert "[unconfirmed]" in english
    assert main(["hint", "--lang", "zh"]) == 0
    assert "[待确认]" in capsys.readouterr().out

    assert main(["hint", str(types)]) == 0
    assert (
        capsys.readouterr().out.rstrip("\n") == f"{usage_hint('en')}\n- ride preference: look before booking"
    )
    assert main(["hint", "--json"]) == 0
    assert usage_hint("en") in json.loads(capsys.readouterr().out).values()


def test_hint_refuses_another_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", "--lang", "fr"]) == 2
    assert "zh or en" in capsys.readouterr().err
    with pytest.raises(InvalidInput, match="zh or en"):
        usage_hint("fr")  # type: ignore[arg-type]


def test_a_memory_hints_at_the_types_that_it_has_loaded(types: Path) -> None:
    with Memory.open(":memory:", form_types=[types]) as memory:
        assert memory.usage_hint() == usage_hint("en")
        assert memory.usage_hint("zh", form_types=True).endswith("\n- 乘车偏好：叫车前先看")
        assert "ride_order" not in memory.usage_hint("en", form_types=True)
