"""``first-contact``: the first questions to a new user, as a list, as JSON, and asked on a terminal."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from terminal import on_terminal

from forms_dynamics import Memory
from forms_dynamics.cli import main

SLOTS = ["preferred_name", "language", "city", "allergies"]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORMS_DYNAMICS_DB", raising=False)

    def command(*words: str, code: int = 0) -> tuple[str, str]:
        capsys.readouterr()
        assert main(words) == code
        return tuple(capsys.readouterr())

    return command


def test_it_lists_what_is_open_as_json(run: Any) -> None:
    out, err = run("first-contact", "--lang", "zh", "--json")
    items = json.loads(out)
    assert err == ""
    assert [item["slot"] for item in items] == SLOTS
    assert items[2]["question"] == "您平时住在哪座城市？"
    assert {item["reason"] for item in items} == {"first_contact"}
    run("confirm", items[2]["id"], "苏州")
    run("refuse", items[1]["id"])
    out, _ = run("first-contact", "user_profile", "--json")
    assert [item["slot"] for item in json.loads(out)] == ["preferred_name", "allergies"]
    out, _ = run("first-contact", "--speaker", "Ana", "--user", "ana", "--json")
    assert [item["slot"] for item in json.loads(out)] == SLOTS


def test_without_a_terminal_it_asks_nobody(run: Any) -> None:
    out, _ = run("first-contact", "--lang", "en")
    assert "? Which city do you live in?" in out
    assert out == run("first-contact")[0]
    assert "user_profile" not in run("forms")[0]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("user_profil",), 1, "did you mean 'user_profile'"),
        (("preference",), 1, "preference declares no first_contact"),
        (("--speaker", ""), 1, "speaker is a non-empty string"),
        (("--lang", "fr"), 2, "fr"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(run: Any, words: tuple[str, ...], code: int, told: str) -> None:
    out, err = run("first-contact", *words, "--json", code=code)
    assert out == ""
    assert told in json.loads(err)["error"]["message"]


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("lang", "answers", "stored", "left"),
    [
        ("zh", ["老王", "-", "", "没有"], {"preferred_name": "老王"}, ["city"]),
        (
            "zh",
            ["老王", "中文", "我住在苏州", "有", "芒果、虾"],
            {"preferred_name": "老王", "language": "中文", "city": "苏州", "allergies": ("芒果", "虾")},
            [],
        ),
        (
            "en",  # one sentence answers a later question, too: that one is not put any more
            ["Petra", "English", "I live in Leeds and I'm allergic to nuts."],
            {"preferred_name": "Petra", "language": "English", "city": "Leeds", "allergies": ("nuts",)},
            [],
        ),
    ],
)
def test_on_a_terminal_it_asks_and_stores(
    tmp_path: Path, lang: str, answers: list[str], stored: dict[str, Any], left: list[str]
) -> None:
    code, shown = on_terminal(tmp_path, ["first-contact", "--lang", lang, "--db", "m.db"], answers)
    assert code == 0, shown
    with Memory.open(tmp_path / "m.db") as memory:
        (form,) = memory.find("user_profile")
        assert {name: form[name] for name in form.slots} == stored
        assert [item.slot for item in memory.first_contact()] == left
        assert memory.pending() == memory.first_contact()
    assert ("does not say which" in shown) == ("有" in answers)


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_an_interruption_keeps_what_was_answered(tmp_path: Path) -> None:
    code, shown = on_terminal(tmp_path, ["first-contact", "--db", "m.db"], ["Petra", "\x03"])
    assert code == 130, shown
    assert "what was answered stays stored" in shown
    with Memory.open(tmp_path / "m.db") as memory:
        assert memory.find("user_profile")[0]["preferred_name"] == "Petra"


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_an_unsure_answer_is_shown_for_confirmation(tmp_path: Path) -> None:
    answers = ["叫我老王吧", "", "", ""]
    code, shown = on_terminal(tmp_path, ["first-contact", "--lang", "zh", "--db", "m.db"], answers)
    assert code == 0, shown
    with Memory.open(tmp_path / "m.db") as memory:
        held = next(item for item in memory.pending() if item.form_id)
        assert (held.slot, held.value) == ("preferred_name", "老王")
    assert held.id in shown
