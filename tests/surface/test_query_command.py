"""The command query, and the benchmark that asks over several hops."""

from __future__ import annotations

import argparse
import json
import runpy
from pathlib import Path

import pytest

from benchmarks import multihop
from forms_dynamics.cli import main

ROOT = Path(__file__).resolve().parents[2]
TYPES = [
    "--form-types",
    "project",
    "--form-types",
    "meeting",
    "--form-types",
    "person",
    "--form-types",
    "task",
]


@pytest.fixture
def common(tmp_path: Path) -> list[str]:
    queries = str(ROOT / "examples" / "queries" / "queries.yaml")
    return [*TYPES, "--form-types", queries, "--db", str(tmp_path / "m.db")]


def test_a_query_on_the_command_line(common: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["project", "name=天穹"],
        ["person", "name=张三", "role=后端"],
        [
            "meeting",
            "purpose=评审",
            "project=天穹",
            "participants=张三",
            "starts_at=2026-06-01T10:00:00+08:00",
        ],
    ):
        assert main(["record", *words, *common]) == 0
    capsys.readouterr()
    assert main(["query", *common]) == 0
    listed = capsys.readouterr().out
    assert "joined_meetings" in listed
    assert "asked as 谁参加了{project}的会议" in listed

    assert main(["query", "joined_meetings", "--set", "project=天穹", "--trace", *common]) == 0
    told = capsys.readouterr().out
    assert "参加过天穹会议的有 1 人：张三（后端，1 次）" in told
    assert "天穹 ←belongs_to_project— 评审 —invites→ 张三" in told
    assert "start project: named: 天穹" in told

    assert main(["query", "joined_meetings", "--set", "project=天穹", "--json", *common]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["rows"][0]["values"]["meetings"] == 1
    assert document["lang"] == document["trace"]["lang"] == "zh"
    assert document["rows"][0]["paths"][0][1]["relation"] == "invites"
    assert document["complete"] is True

    assert main(["query", "joined_meeting", "--set", "project=天穹", *common]) == 1
    assert "did you mean 'joined_meetings'?" in capsys.readouterr().err
    assert main(["query", "joined_meetings", "--set", "projekt=天穹", *common]) == 1
    assert "did you mean 'project'?" in capsys.readouterr().err
    assert main(["query", "joined_meetings", "--set", "project", *common]) == 2
    before = ["query", "joined_meetings", "--set", "project=天穹", "--as-of", "2026-01-01T00:00:00Z", *common]
    assert main(before) == 0
    assert "(nothing is found)" in capsys.readouterr().out


def test_the_example_of_declared_queries(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "examples" / "queries" / "run.py"), run_name="__main__")
    out = capsys.readouterr().out
    assert "上线 → 联调 → 测试环境" in out
    assert "天穹项目的会议每次都参加的人：张三（项目经理）  (confidence 0.95)" in out
    now, before = (line for line in out.splitlines() if line.startswith(("  now", "  before")))
    assert "测试环境" not in now
    assert "测试环境" in before


def test_the_benchmark_follows_corrections_and_names_what_contradicts(tmp_path: Path) -> None:
    def case(
        id: str, facts: list[list[str]], edits: list[list[str]], chain: list[list[str]], old: str
    ) -> str:
        row = {
            "id": id, "facts": facts, "edits": edits, "chain": chain, "hops": len(chain), "old_answer": old,
            "new_answer": chain[-1][2], "question": "?",
        }  # fmt: skip
        return json.dumps(row, ensure_ascii=False)

    facts = [["With Love", "sung by", "Ann"], ["Ann", "home / town", "Oslo"], ["Bo (Jr.)", "home / town", "Rome"],
             ["Oslo", "mayor", "Kim"], ["Rome", "mayor", "Lee"]]  # fmt: skip
    first = ["With Love", "sung by", "Ann", "Bo (Jr.)"]
    lines = [
        case("two", facts[:3], [first], [["With Love", "sung by", "Bo (Jr.)"], ["Bo (Jr.)", "home / town", "Rome"]], "Oslo"),
        case(
            "three", facts, [first],
            [["With Love", "sung by", "Bo (Jr.)"], ["Bo (Jr.)", "home / town", "Rome"], ["Rome", "mayor", "Lee"]], "Kim",
        ),
        case("apart", facts[3:4], [["Oslo", "mayor", "Kim", "Max"]], [["Oslo", "mayor", "Max"]] * 2, "Kim"),
        case("other", facts[3:4], [["Oslo", "mayor", "Kim", "Eve"]], [["Oslo", "mayor", "Eve"]] * 2, "Kim"),
    ]  # fmt: skip
    (tmp_path / "cases.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    rows = {row.figure: row for row in multihop.run(argparse.Namespace(data=tmp_path))}
    assert rows["answer_in_context_2"].n == 2  # "apart" is edited otherwise by "other"
    assert "apart" in rows["answer_in_context_2"].note
    for hops in (2, 3):
        assert rows[f"old_answer_in_context_{hops}"].value == 0
        assert rows[f"as_of_before_{hops}"].value == 1
    assert rows["answer_in_context_3"].value == 1
    (tmp_path / "cases.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"cases\.jsonl:1"):
        multihop.run(argparse.Namespace(data=tmp_path))
