"""observe takes the logs that people have, and tells what it left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics.cli import main

TURNS = [
    {"from": "human", "value": "我们公司是海蓝电子，预算50万"},
    {"from": "function_call", "value": "{}"},
    {"from": "gpt", "value": "好的"},
    {"from": "human", "value": " "},
    {"from": "human", "value": "预算改成60万"},
]


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "share.json"
    path.write_text(json.dumps([{"id": "s", "conversations": TURNS}], ensure_ascii=False), encoding="utf-8")
    return path


def test_what_was_left_out_is_told_at_the_end(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["observe", str(log), "--db", "a.db"]) == 0
    told = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["3", "messages"] in told
    assert "1 left out: tool calls".split() in told
    assert "1 left out: empty messages".split() in told
    assert main(["forms", "--db", "a.db"]) == 0
    assert "600,000" in capsys.readouterr().out


def test_json_tells_it_beside_the_receipts_and_knows_them_again(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def observed() -> list[dict[str, Any]]:
        assert main(["observe", str(log), "--db", "a.db", "--json"]) == 0
        out, err = capsys.readouterr()
        assert json.loads(err) == {"skipped": {"tool calls": 1, "empty messages": 1}}
        return [json.loads(line) for line in out.splitlines()]

    first, again = observed(), observed()
    assert [r["duplicate"] for r in first] == [False] * 3
    assert [r["duplicate"] for r in again] == [True] * 3
    assert [r["message_id"] for r in first] == [r["message_id"] for r in again]


def test_a_table_without_words_is_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "leads.csv"
    table.write_text("公司,预算\n海蓝电子,50万\n", encoding="utf-8")
    assert main(["observe", str(table), "--db", str(tmp_path / "a.db")]) == 1
    assert "leads.csv:1: no column holds the words" in (err := capsys.readouterr().err)
    assert "公司, 预算" in err
