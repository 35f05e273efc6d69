"""examples/replay: thresholds from a log, and the check for CI, as its README shows them."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from forms_dynamics.cli import main
from forms_dynamics.schema.load import check

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "replay"
TYPES = [
    "--form-types", str(EXAMPLE / "form_types"), "--relation-rules", str(EXAMPLE / "relation_rules"), "--workers", "1",
]  # fmt: skip
README = (EXAMPLE / "README.md").read_text(encoding="utf-8")


def command(text: str) -> list[str]:
    """The words of the one replay in a script or a step of a workflow, without the program's name."""
    (found,) = re.findall(r"^ *forms-dynamics (replay log\.jsonl (?:.*\\\n)*.*)$", text, re.MULTILINE)
    return [word for word in shlex.split(found.replace("\\\n", " ")) if word != "$@"]


GATE = command((EXAMPLE / "check.sh").read_text(encoding="utf-8"))


def log() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (EXAMPLE / "log.jsonl").read_text(encoding="utf-8").splitlines()]


def gate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, falsify: Callable[[dict[str, Any]], None] | None = None
) -> int:
    """The exit code of check.sh's command over the log, or over a log whose labels were changed."""
    monkeypatch.chdir(EXAMPLE)
    words = list(GATE)
    if falsify is not None:
        messages = log()
        for message in messages:
            falsify(message.get("expect", {}))
        other = tmp_path / "log.jsonl"
        other.write_text("".join(json.dumps(one) + "\n" for one in messages), encoding="utf-8")
        words[1] = str(other)
    return main([*words, "--workers", "1"])


def test_the_log_is_what_the_readme_says() -> None:
    messages = log()
    conversations = {one["conversation"] for one in messages}
    assert len(conversations) >= 40
    assert 100 <= len(messages) <= 200
    hops = [q.get("max_hops", 0) for one in messages for q in one.get("expect", {}).get("recall", ()) or ()]
    assert hops.count(2) >= 3
    turns = [one["conversation"] for one in messages if one["role"] == "user"]
    assert max(map(turns.count, conversations)) > 10
    assert check([EXAMPLE / "form_types", EXAMPLE / "relation_rules"]) == []


def test_every_figure_is_measured_and_as_in_the_readme(capsys: pytest.CaptureFixture[str]) -> None:
    rows = re.findall(
        r"^\| (0\.\d+) \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) \|$", README, re.MULTILINE
    )
    assert len(rows) == 4
    varied = ",".join(row[0] for row in rows)
    assert (
        main(["replay", str(EXAMPLE / "log.jsonl"), *TYPES, "--set", f"conf_threshold={varied}", "--json"])
        == 0
    )
    content = json.loads(capsys.readouterr().out)
    measured = {one["name"]: one["after"]["value"] for one in content["figures"]}
    for name in (
        "precision", "recall", "field_accuracy", "ten_turn_consistency", "answer_accuracy", "multi_hop_accuracy",
    ):  # fmt: skip
        assert measured[name] is not None, name
    for row, run in zip(rows, content["runs"], strict=True):
        figures = run["figures"]
        told = [float(row[1]) / 100, float(row[2]) / 100, float(row[3]) / 100, float(row[4])]
        found = [figures[name] for name in ("f1", "precision", "recall", "questions_per_turn")]
        assert found == pytest.approx(told, abs=0.03), f"README says {row}: measure it again"


def test_tune_comes_to_what_the_readme_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, page = tmp_path / "settings.yaml", tmp_path / "tuning.html"
    words = ["tune", str(EXAMPLE / "log.jsonl"), *TYPES, "--settings", str(EXAMPLE / "today.yaml")]
    words += [
        "--set",
        "conf_threshold=0.8,0.9,0.93,0.96",
        "--require",
        "precision >= 0.9",
        "--lang",
        "en",
        "--json",
    ]
    assert main([*words, "--out", str(out), "--report", str(page)]) == 0
    content = json.loads(capsys.readouterr().out)
    (told,) = re.findall(r"^conf_threshold .* raises f1", README, re.MULTILINE)
    assert content["verdict"].startswith(told)
    assert content["gain"]["low"] > 0
    assert yaml.safe_load(out.read_text(encoding="utf-8")) == {"conf_threshold": 0.9}
    kept = yaml.safe_load((EXAMPLE / "settings.yaml").read_text(encoding="utf-8"))
    assert kept == {"conf_threshold": 0.9}
    assert page.stat().st_size > 10_000


def test_the_check_passes_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert gate(tmp_path, monkeypatch) == 0


def falsify_prices(expect: dict[str, Any]) -> None:
    for form in expect.get("forms") or ():
        if form["slots"].get("price"):
            form["slots"]["price"] += 1000


def falsify_a_question(expect: dict[str, Any]) -> None:
    for question in expect.get("recall") or ():
        if question["question"] == "M-201用的货车载重多少吨？":
            question["contains"] = "9.9"


@pytest.mark.parametrize(
    ("falsify", "told"),
    [(falsify_prices, "precision < 0.95"), (falsify_a_question, "multi_hop_accuracy < 0.6")],
    ids=["prices", "one question"],
)
def test_the_check_fails_when_labels_are_false(
    falsify: Callable[[dict[str, Any]], None],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert gate(tmp_path, monkeypatch, falsify) == 1
    assert told in capsys.readouterr().err


def test_the_workflow_runs_the_same_check() -> None:
    text = (EXAMPLE / "ci.yml").read_text(encoding="utf-8")
    steps = yaml.safe_load(text)["jobs"]["replay"]["steps"]
    uses = " ".join(step.get("uses", "") for step in steps)
    assert "actions/checkout@" in uses
    assert "actions/setup-python@" in uses
    assert any(step.get("run", "").startswith("pip install forms_dynamics") for step in steps)
    (run,) = (step["run"] for step in steps if "--fail-if" in step.get("run", ""))
    assert command(run) == [*GATE, "--report", "replay.html"]
