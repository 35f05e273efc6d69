"""The benchmark of hedges on a small made-up folder: figures, intervals, labels of other texts, marks instead."""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import hedges

TURNS = {
    "zh": ["预算大概50万", "预算50万", "可能周三吧", "这家店好像不错"],
    "en": ["maybe Friday", "I think that's all", "around 3pm please", "about my order"],
}


def lines(file: Path, rows: list[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for lang, texts in TURNS.items():
        folder = tmp_path / "data" / f"talk_{lang}"
        folder.mkdir(parents=True)
        turns = [{"i": i, "speaker": "user", "text": text, "time": None} for i, text in enumerate(texts)]
        turns.append({"i": 9, "speaker": "assistant", "text": "maybe 5pm?", "time": None})
        lines(folder / "conversations.jsonl", [{"id": "c1", "lang": lang, "turns": turns}])
        marks = [
            {"conversation": "c1", "turn": i, "mark": m}
            for i, m in ((0, "unsure"), (1, "revise"), (3, "approx"))
        ]
        lines(folder / "marks.jsonl", marks)
    return tmp_path / "data"


def label(lang: str, turn: int, final: int, text: str | None = None) -> dict[str, Any]:
    digest = hashlib.sha256((text or TURNS[lang][turn]).encode()).hexdigest()[:16]
    return {
        "set": f"talk_{lang}", "conversation": "c1", "turn": turn, "sha256": digest, "lang": lang, "part": "random",
        "first": final, "second": final, "final": final,
    }  # fmt: skip


def figures(data: Path, labels: Path) -> dict[tuple[str, str], tuple[float | None, int, str]]:
    rows = hedges.run(argparse.Namespace(data=data, labels=labels))
    return {(row.set, row.figure): (row.value, row.n, row.note) for row in rows}


def test_precision_and_recall_by_language_and_set(data: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    right = [label("zh", i, gold) for i, gold in enumerate((1, 0, 1, 0))]
    wrong = [label("en", i, gold) for i, gold in enumerate((1, 1, 0, 0))]
    lines(labels, right + wrong)
    found = figures(data, labels)
    assert found["zh", "precision"][:2] == (1.0, 2)
    assert found["zh", "recall"][:2] == (1.0, 2)
    assert found["en", "precision"][:2] == (0.5, 2)
    assert found["en", "recall"][:2] == (0.5, 2)
    assert found["all", "precision"][:2] == (0.75, 4)
    assert found["talk_en", "recall"][:2] == (0.5, 2)
    assert "8 labelled turns" in found["zh", "precision"][2]


def test_a_label_of_another_text_is_left_out_and_told(data: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    lines(labels, [label("zh", 0, 1), label("zh", 1, 1, text="预算51万")])
    found = figures(data, labels)
    assert found["zh", "recall"][:2] == (1.0, 1)
    assert "1 of another text left out" in found["zh", "precision"][2]


def test_without_labels_the_marks_are_the_measure(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = tmp_path / "labels.jsonl"
    labels.write_text("", encoding="utf-8")
    found = figures(data, labels)
    assert found["zh", "precision"][:2] == (0.5, 2)
    assert found["zh", "recall"][:2] == (0.5, 2)
    assert "against the marks as they stand" in found["zh", "precision"][2]
    assert "no turn of this folder has a label" in capsys.readouterr().err


def test_a_folder_without_sets_is_told(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no set with turns of a user"):
        hedges.run(argparse.Namespace(data=tmp_path, labels=None))


def test_wilsons_interval() -> None:
    assert hedges.interval(0, 0) == "–"
    assert hedges.interval(10, 10) == "[0.722, 1.000]"
    assert hedges.interval(50, 100) == "[0.404, 0.596]"


def test_the_labels_hold_places_and_digests_and_both_labellings() -> None:
    seen = set()
    for row in hedges._lines(hedges.LABELS):
        assert set(row) - {"again"} == {
            "set", "conversation", "turn", "sha256", "lang", "part", "first", "second", "final"
        }  # fmt: skip
        assert ("again" in row) == (row["part"] in ("marked", "random"))
        assert row["final"] in (0, 1)
        assert row["part"] in {part for parts in hedges.DRAWS.values() for part in parts}
        if row["second"] is not None and row["first"] == row["second"]:
            assert row["final"] == row["first"]
        if row["part"] in ("marked", "random"):
            assert row["second"] is not None
        key = (row["set"], row["conversation"], row["turn"])
        assert key not in seen
        seen.add(key)
    assert len(seen) > 700
