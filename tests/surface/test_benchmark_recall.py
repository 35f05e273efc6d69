"""The benchmark ``recall`` on a small folder of its own: exact baselines, and a memory that is really asked."""

from __future__ import annotations

import json
import math
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import grounds, recall
from benchmarks.baselines import Bm25, Vectors, fused, words
from benchmarks.recall_sets import read_set
from forms_dynamics.adapters.embedders import HashedNgrams

TALK = [
    ("Nora", "Where did you leave the boat trailer?"),
    ("Omar", "Behind the bakery, next to the green gate."),
    ("Nora", "Thanks! How was your week?"),
    ("Omar", "Busy. The bakery hired two people."),
    ("Nora", "我把备用钥匙放在花盆下面了。"),
    ("Omar", "The trailer has a flat tyre by the way."),
]


def folder(where: Path, name: str, questions: list[dict[str, Any]], ids: tuple[str, ...] = ("c1",)) -> Path:
    """A set of one or more equal conversations."""
    (where / name).mkdir(parents=True)
    turns = [
        {"i": i, "speaker": who, "text": text, "time": f"2026-05-0{i + 1}T09:00:00", "session": None}
        for i, (who, text) in enumerate(TALK)
    ]
    rows = [{"id": id, "lang": "en", "turns": turns} for id in ids]
    for file, some in (("conversations", rows), ("questions", questions)):
        lines = [json.dumps(row, ensure_ascii=False) for row in some]
        (where / name / f"{file}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return where


def question(text: str, *evidence: int, **more: Any) -> dict[str, Any]:
    return {
        "id": text,
        "conversation": "c1",
        "question": text,
        "evidence": [f"c1:{i}" for i in evidence],
        **more,
    }


def test_bm25_is_exact_and_knows_only_what_had_been_said() -> None:
    index = Bm25(["red fox", "red red barn owl", "blue owl"])
    idf, mean = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5)), 8 / 3
    expected = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 4 / mean))
    assert index.scores("Red!")[1] == pytest.approx(expected)
    assert index.rank("red owl") == [1, 0, 2]
    assert index.rank("owl", 1) == []
    assert index.scores("red", 1)[0] == pytest.approx(math.log(1 + 0.5 / 1.5) * 2.2 / (1 + 1.2))
    assert words("备用钥匙 Key-2") == ["备用", "用钥", "钥匙", "key", "2"]


def test_vectors_and_fusion() -> None:
    near = Vectors(["a green gate", "two bakers", "the green gates"], HashedNgrams())
    assert near.rank("a green gate")[0] == 0
    assert near.rank("a green gate", 2) == [0, 1]
    assert fused([[2, 0], [0, 1, 2]]) == [0, 2, 1]


def test_grounds_are_what_may_be_searched(tmp_path: Path) -> None:
    asked = [
        question("Where is the trailer?", 1, asked_turn="c1:3"),
        question("audited", 1, audit={"error": "WRONG_CITATION"}),
        question("nothing answers"),
        question("whose?", 3, kind="adversarial", asked_turn="d7:3"),
    ]
    (ground,) = read_set("locomo", folder(tmp_path, "locomo", asked))
    assert [(q.text, q.before, q.answerable) for q in ground.questions] == [
        ("Where is the trailer?", 3, True),
        ("whose?", None, False),
    ]
    (pooled,) = read_set("memdaily", folder(tmp_path, "memdaily", asked[:1], ("c1", "c2")))
    assert len(pooled.turns) == 12
    assert [t.id for t in pooled.turns[:2]] == ["c1:0", "c2:0"]
    (tmp_path / "beam").mkdir()
    (tmp_path / "beam" / "conversations.jsonl").write_text("{}\n")
    with pytest.raises(SystemExit, match=r"conversations.jsonl, line 1"):
        read_set("beam", tmp_path)


def test_a_memory_is_told_the_turns_and_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [
        question("Where is the boat trailer?", 0, 1),
        question("备用钥匙在哪里", 4),
        question("What about the tyre of the trailer?", 5, asked_turn="c1:4"),
        question("Whose bakery is it?", 3, kind="adversarial"),
    ]
    data = folder(tmp_path / "data", "locomo", asked)
    monkeypatch.setattr(grounds, "default_embedder", HashedNgrams)
    rows = recall.run(Namespace(data=data, sets="locomo,beam", keep=tmp_path / "kept"))
    told = {(r.set, r.system, r.figure): r for r in rows}
    assert "beam is not in" in capsys.readouterr().err
    for system in ("ours", "ours, unbounded", "bm25", "vector", "fusion"):
        assert told["locomo", system, "mrr"].n == 4
        assert told["locomo (answerable)", system, "mrr"].n == 3
    # the tyre was not spoken of before the question: nobody can find it
    assert told["locomo (answerable)", "fusion", "evidence_recall_at_10"].value == pytest.approx(2 / 3)
    unbounded = told["locomo (answerable)", "ours, unbounded", "evidence_recall_at_10"]
    assert unbounded.value is not None
    assert 1 / 3 <= unbounded.value <= 2 / 3
    ours, fusion = (told["locomo", s, "tokens"].value for s in ("ours", "fusion"))
    assert ours is not None
    assert fusion is not None
    assert 0 < ours <= fusion
    dated = told["locomo", "ours", "tokens_with_dates"].value
    assert dated is not None
    assert dated > ours
    assert (tmp_path / "kept" / "vectors.db").exists()
