"""The file of a run: read back it is the run; a broken or foreign one says what it is and where."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings

from forms_dynamics import InvalidInput
from forms_dynamics.replay.files import read_run, write_run
from forms_dynamics.replay.values import Asked, Counts, Fact, Run, Turn
from tests.unit.replay import runs

TURN = Turn(
    "m1", "c", 1, "user", (Fact("lead_profile", "budget", "50万（500,000 CNY）", "accepted", "", "right", "f1"),),
    (("lead_profile", "deadline", "2026-09-30"),), ("f1@1",), 1, ("交期是？",),
    (Asked("预算？", (), ("60万",), 1, 0, 31, 0.9, (("anchor", "f1", "海蓝"),), 0.25),), Counts(turns=1, expected=2, found=1),
)  # fmt: skip
RUN = Run({"conf_threshold": 0.7, "date_order": None}, "abc", "labels", {"c": TURN.counts}, (TURN, TURN), 1.5)


@settings(max_examples=40, deadline=None)
@given(runs.one)
def test_what_is_read_is_what_was_written(run: Run) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder, "run.jsonl")
        write_run(run, file)
        again = read_run(file)
        assert again == run
        assert list(again.by_conversation) == list(run.by_conversation)
        assert len(file.read_bytes().splitlines()) == 1 + len(run.turns)
        assert [p.name for p in Path(folder).iterdir()] == ["run.jsonl"]


def test_a_file_says_what_it_holds(tmp_path: Path) -> None:
    write_run(RUN, str(tmp_path / "run.jsonl"))
    head, first, _ = (tmp_path / "run.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(head)["settings"] == {"conf_threshold": 0.7, "date_order": None}
    assert json.loads(first)["counts"] == {"turns": 1, "expected": 2, "found": 1}
    assert "50万" in first


def _changed(change: Callable[[list[Any]], None]) -> Callable[[list[bytes]], None]:
    def of(lines: list[bytes]) -> None:
        rows = [json.loads(line) for line in lines]
        change(rows)
        lines[:] = [json.dumps(row).encode() + b"\n" for row in rows]

    return of


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda lines: lines.clear(), "is no file of a run: its first line is not a run's header"),
        (lambda lines: lines.pop(0), "is no file of a run"),
        (lambda lines: lines.__setitem__(0, b'{"recording": 1, "fingerprints": {}}\n'), "is no file of a run"),
        (lambda lines: lines.__setitem__(0, b"\xff\xfe\n"), "is no file of a run"),
        (lambda lines: lines.pop(), "holds 1 of 2 turns, it was cut short: play it again"),
        (lambda lines: lines.__setitem__(2, lines[2][:-20]), "jsonl:3 is not a turn of a run \\(it was cut short\\)"),
        (lambda lines: lines.__setitem__(1, b"[]\n"), "jsonl:2 is not a turn of a run"),
        (_changed(lambda rows: rows[0].update(run=9)), "is a run of format 9, this release reads format 1"),
        (_changed(lambda rows: rows[0].pop("settings")), "jsonl:1 is not the header of a run \\('settings'\\)"),
        (_changed(lambda rows: rows[0].update(truth="hope")), "jsonl:1 is not the header of a run"),
        (_changed(lambda rows: rows[0]["counts"].pop()), "it counts other things"),
        (_changed(lambda rows: rows[0]["by_conversation"].update(c=[1])), "\\[1\\] are no counts"),
        (_changed(lambda rows: rows[1].pop("message")), "jsonl:2 is not a turn of a run \\('message'\\)"),
        (_changed(lambda rows: rows[1].update(message=5)), "jsonl:2 is not a turn of a run \\(5 is no text\\)"),
        (_changed(lambda rows: rows[2]["facts"][0].pop()), "jsonl:3 is not a turn of a run"),
        (_changed(lambda rows: rows[2]["counts"].update(hits=1)), "jsonl:3 is not a turn of a run"),
    ],
)  # fmt: skip
def test_a_broken_or_foreign_file_is_refused(
    harm: Callable[[list[bytes]], None], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    write_run(RUN, file)
    lines = file.read_bytes().splitlines(keepends=True)
    harm(lines)
    file.write_bytes(b"".join(lines))
    with pytest.raises(InvalidInput, match=said):
        read_run(file)


def test_what_cannot_be_written_or_read_loses_nothing(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"no run can be read from .*none"):
        read_run(tmp_path / "none")
    with pytest.raises(InvalidInput, match=r"the run cannot be written to .*away"):
        write_run(RUN, tmp_path / "away" / "run.jsonl")
    file = tmp_path / "run.jsonl"
    write_run(RUN, file)
    with pytest.raises(
        InvalidInput, match=r"settings\.api_key is object, which the file of a run does not keep"
    ):
        write_run(Run({"api_key": object()}, "abc", "labels", {}), file)
    assert read_run(file) == RUN
