"""``upkeep`` and ``backup`` as a scheduler runs them: one line, an exit code, no question."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tied import beside

from forms_dynamics import Memory
from forms_dynamics.cli import main

NOON, LATER = "2026-06-12T12:00:00+08:00", "2026-06-15T12:00:00+08:00"


@pytest.fixture
def db(tmp_path: Path) -> str:
    """One quote with two customers."""
    path = tmp_path / "memory.db"
    with Memory.open(path) as memory:
        quote = memory.record("quote_form", {"quote_no": "Q-7"}).forms[0]
        for name in ("海蓝电子", "明光科技"):
            beside(memory, quote, "refers_to", memory.record("lead_profile", {"company": name}).forms[0])
    return str(path)


def test_it_says_in_a_line_what_it_did(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["upkeep", "--db", db, "--dry-run"]) == 0
    assert capsys.readouterr().out == "would do: 1 finding put up for review, 3 documents embedded\n"
    assert main(["upkeep", "--db", db]) == 0
    assert capsys.readouterr().out == "1 finding put up for review, 3 documents embedded\n"
    assert main(["upkeep", "--db", db, "--seconds", "60"]) == 0
    told = capsys.readouterr()
    assert (told.out, told.err) == ("nothing to do\n", "")


def test_json_lists_the_findings(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["upkeep", "--db", db, "--dry-run", "--json"]) == 0
    done = json.loads(capsys.readouterr().out)
    [finding] = done["findings"]
    assert (done["found"], done["dry_run"], finding["kind"], len(finding["edges"])) == (1, True, "several", 2)
    assert finding["text"].startswith("“Q-7”的“对应客户”只能有一个")
    assert main(["pending", "--db", db, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert main(["upkeep", "--db", db, "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["findings"] == [finding]
    assert main(["confirm", finding["pending"], finding["edges"][0], "--db", db, "--json"]) == 0


def test_the_clock_may_be_another(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["upkeep", "--db", db, "--json"]) == 0
    assert main(["upkeep", "--db", db, "--now", "2126-06-15T12:00:00+08:00"]) == 0
    assert "1 unanswered question closed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["upkeep", "--seconds", "-1"], 2),
        (["upkeep", "--seconds", "soon"], 2),
        (["upkeep", "--now", "yesterday"], 2),
        (["upkeep", "--loud"], 2),
        (["backup"], 2),
    ],
)
def test_wrong_usage(db: str, words: Sequence[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--db", db]) == code
    assert capsys.readouterr().out == ""


def test_a_database_out_of_reach(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["upkeep", "--db", str(tmp_path / "none.db")]) == 3
    assert main(["upkeep", "--db", "postgresql://nobody@127.0.0.1:1/none"]) == 3
    assert capsys.readouterr().err.count("error:") == 2


class _Deaf:
    fingerprint, dimensions, max_tokens = "deaf", 2, 100

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        raise ConnectionError("no route to embedder")


def test_an_embedder_out_of_reach(
    db: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forms_dynamics.adapters.embedders.default_embedder", _Deaf)
    assert main(["upkeep", "--db", db]) == 3
    told = capsys.readouterr()
    assert told.out == "1 finding put up for review\n"
    assert told.err == "vectors could not be done: ConnectionError: no route to embedder\n"


def test_backup_makes_a_copy_and_overwrites_nothing(
    db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.db"
    assert main(["backup", str(copy), "--db", db, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": str(copy), "bytes": copy.stat().st_size}
    with Memory.open(db) as one, Memory.open(copy) as other:
        assert list(one.export()) == list(other.export())
    before = copy.read_bytes()
    assert main(["backup", str(copy), "--db", db]) == 1
    assert "exists: name a new file" in capsys.readouterr().err
    assert copy.read_bytes() == before
    assert main(["backup", str(tmp_path / "no" / "copy.db"), "--db", db]) == 3
