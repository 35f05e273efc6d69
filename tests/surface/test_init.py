"""``init``: the starter with its schema, and a form type of one's own from rows or answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from terminal import on_terminal

from forms_dynamics.cli import main
from forms_dynamics.schema import load
from forms_dynamics.schema.editor import editor_schema_text

ROOT = Path(__file__).resolve().parents[2]
ROWS = [
    {"订单号": "SO-1", "客户": "海蓝电子", "金额（元）": "1,200", "日期": "2026-03-05"},
    {"订单号": "SO-2", "客户": "明光", "金额（元）": "980.50", "日期": "2026年3月6日"},
    {"订单号": "SO-3", "客户": "明光", "金额（元）": "", "日期": None},
]


class Shell:
    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self.capture = capture
        self.out = self.err = ""

    def __call__(self, *words: str, code: int = 0) -> str:
        self.capture.readouterr()
        got = main(words)
        self.out, self.err = self.capture.readouterr()
        assert got == code, f"{words} gave {got}\n{self.out}\n{self.err}"
        return self.out

    def refusal(self, *words: str, code: int) -> str:
        assert self(*words, "--json", code=code) == ""
        return str(json.loads(self.err)["error"]["message"])


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORMS_DYNAMICS_DB", raising=False)
    return Shell(capsys)


def modeline_leads_to_the_schema(path: Path) -> None:
    first = path.read_text(encoding="utf-8").splitlines()[0]
    prefix = "# yaml-language-server: $schema="
    assert first.startswith(prefix), first
    schema = json.loads((path.parent / first.removeprefix(prefix)).read_text(encoding="utf-8"))
    Draft7Validator.check_schema(schema)
    assert json.dumps(schema) == json.dumps(json.loads(editor_schema_text()))


# -- the starter ---------------------------------------------------------------------------------------------
def test_every_yaml_of_the_starter_names_the_schema_beside_it(shell: Shell) -> None:
    shell("init", "mine", "--json")
    told = [Path(name) for name in json.loads(shell.out)["files"]]
    assert sorted(told) == sorted(path for path in Path("mine").rglob("*") if path.is_file())
    files = list(Path("mine").rglob("*.yaml"))
    assert len(files) == 3
    for path in files:
        modeline_leads_to_the_schema(path)
    shell("check", "mine/form_types", "mine/relation_rules")


def test_nothing_is_overwritten(shell: Shell) -> None:
    Path("mine/form_types").mkdir(parents=True)
    Path("mine/form_types/customer.yaml").write_text("mine", encoding="utf-8")
    assert "customer.yaml" in shell.refusal("init", "mine", code=1)
    assert [path.name for path in Path("mine").rglob("*") if path.is_file()] == ["customer.yaml"]
    Path("rows.json").write_text(json.dumps(ROWS), encoding="utf-8")
    assert "customer.yaml" in shell.refusal(
        "init", "mine", "--type", "customer", "--from", "rows.json", code=1
    )
    Path("a file").write_text("x", encoding="utf-8")
    assert "is a file" in shell.refusal("init", "a file", code=2)


def test_a_schema_that_is_there_is_left_as_it_is(shell: Shell) -> None:
    Path("mine/schemas").mkdir(parents=True)
    kept = Path("mine/schemas/forms_dynamics.schema.json")
    kept.write_text("{}", encoding="utf-8")
    Path("rows.json").write_text(json.dumps(ROWS), encoding="utf-8")
    shell("init", "mine", "--type", "order", "--from", "rows.json")
    shell("init", "mine")
    assert kept.read_text(encoding="utf-8") == "{}"


# -- from rows -----------------------------------------------------------------------------------------------
def as_json(rows: list[Any]) -> bytes:
    return json.dumps(rows, ensure_ascii=False).encode()


def as_json_lines(rows: list[Any]) -> bytes:
    return "\r\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode() + b"\n\n"


def as_csv(rows: list[dict[str, Any]], mark: str = ",") -> str:
    lines = [mark.join(rows[0])]
    lines += [mark.join(f'"{cell}"' if cell is not None else "" for cell in row.values()) for row in rows]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rows.json", as_json(ROWS)),
        ("rows.json", json.dumps({"total": 3, "data": ROWS}).encode()),
        ("rows.jsonl", as_json_lines(ROWS)),
        ("rows.json", as_json_lines(ROWS)),
        ("rows.csv", as_csv(ROWS).encode()),
        ("rows.csv", as_csv(ROWS).encode("utf-8-sig")),
        ("rows.csv", as_csv(ROWS).encode("utf-16")),
        ("rows.csv", as_csv(ROWS).encode("gb18030")),
        ("rows.csv", as_csv(ROWS, ";").encode()),
        ("rows.tsv", as_csv(ROWS, "\t").replace("\n", "\r\n").encode()),
        ("rows.txt", as_csv(ROWS).encode()),
    ],
)
def test_the_same_rows_from_any_file(shell: Shell, name: str, content: bytes) -> None:
    Path(name).write_bytes(content)
    report = json.loads(shell("init", ".", "--type", "order", "--from", name, "--json"))
    assert report["rows"] == 3
    assert report["identity"] == [["订单号"]]
    assert report["slots"] == {"订单号": "text", "客户": "text", "金额": "money", "日期": "date"}
    assert [c["filled"] for c in report["columns"]] == [3, 3, 2, 2]
    modeline_leads_to_the_schema(Path("form_types/order.yaml"))
    assert load.check(["form_types/order.yaml"]) == []


def test_the_steps_it_names_work(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    import shlex

    Path("rows.jsonl").write_bytes(as_json_lines(ROWS))
    out = shell("init", "a b", "--type", "order", "--from", "rows.jsonl")
    steps = [shlex.split(line) for line in out.splitlines() if line.startswith("  ") and " " in line.strip()]
    steps = [words for words in steps if words[0] in ("cd", "forms-dynamics")]
    assert [words[1] for words in steps] == ["a b", "check", "record", "forms"]
    monkeypatch.chdir(steps[0][1])
    for words in steps[1:]:
        shell(*words[1:])
    assert "SO-1" in shell.out
    [form] = json.loads(shell("forms", "order", "--form-types", "form_types", "--json"))
    assert form["slots"]["金额"]["value"] == {"amount": "1200", "currency": "CNY"}


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("rows.csv", b"", "is empty"),
        ("rows.csv", b" \n\n", "is empty"),
        ("rows.csv", b"a,b\n", "no rows"),
        ("rows.csv", b",,\na,b,c\n", "rows.csv:1 is the header, and all its cells are blank"),
        ("rows.json", b"[]", "no rows"),
        ("rows.json", b'[{"a": 1},', "no JSON"),
        ("rows.json", b'"rows"', "an array of objects"),
        ("rows.json", b"[[1, 2], [3, 4]]", "row 1 is a list"),
        ("rows.json", b'[{"a": 1}, null]', "row 2 is nothing"),
        ("rows.json", b'[{"a": 1, "a": 2}]', "'a' stands twice"),
        ("rows.json", b"[{}]", "no column"),
        ("rows.json", b"[" * 100_000, "no JSON"),
        ("rows.jsonl", b'{"a": 1}\n[2]\n', "rows.jsonl:2 is a list"),
        ("rows.jsonl", b'{"a": 1}\n{"a"\n', "rows.jsonl:2 is no JSON"),
        ("rows.csv", b"a,b,a\n1,2,3\n", "'a' twice"),
        ("rows.csv", b"a,b\n1,2,3\n", "has 3 cells, the header 2"),
        ("rows.csv", b'a,b\n"1,2\n', "no CSV"),
        ("rows.csv", b"caf\xe9,b\n1,2\n", "neither UTF-8"),
        ("rows.csv", b"PK\x03\x04xyz", "save the sheet as CSV"),
        ("rows.csv", ",".join(f"c{n}" for n in range(10_000)).encode() + b"\n" + b",".join([b"1"] * 10_000), "100 columns"),
        ("rows.json", json.dumps([{f"c{n}": 1 for n in range(10_000)}]).encode(), "100 columns"),
    ],
)  # fmt: skip
def test_rows_that_cannot_be_used_are_told_and_nothing_is_written(
    shell: Shell, name: str, content: bytes, told: str
) -> None:
    Path(name).write_bytes(content)
    assert told in shell.refusal("init", "out", "--type", "x", "--from", name, code=1)
    assert not Path("out").exists()


def test_wrong_usage(shell: Shell) -> None:
    assert "no such file" in shell.refusal("init", ".", "--type", "x", "--from", "none.csv", code=2)
    assert "begins with a letter" in shell.refusal("init", ".", "--type", "1 x", "--from", "none.csv", code=2)
    assert "--type NAME" in shell.refusal("init", ".", "--from", "none.csv", code=2)
    assert not list(Path().iterdir())


def test_what_was_assumed_is_said(shell: Shell) -> None:
    Path("rows.csv").write_bytes(as_csv(ROWS).encode("gb18030"))
    out = shell("init", ".", "--type", "order", "--from", "rows.csv")
    assert "GB18030" in out
    Path("mixed.json").write_text('[{"n": 1, "fee": "5元"}, {"n": 2, "fee": "6元"}, {"n": 2, "fee": "free"}]')
    out = shell("init", ".", "--type", "mixed", "--from", "mixed.json")
    assert "2 of 3 different values read as money" in " ".join(out.split())
    assert "# mixed: 2 of 3" in Path("form_types/mixed.yaml").read_text(encoding="utf-8")


# -- questions -----------------------------------------------------------------------------------------------
def test_without_a_terminal_it_says_what_to_pass(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "forms_dynamics.cli", "init", ".", "--type", "visit"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=tmp_path, env=env, input="", capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "--from FILE" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_the_questions_make_a_type_that_works(tmp_path: Path) -> None:
    answers = [
        "上门记录", "",  # called in zh, en
        "order no", "", "单号，维修单号",  # slot: named order_no; its type text by default
        "fee", "4", "", "维修费",  # the type by number; money in CNY by default
        "state", "nonsense", "enum", "done, 待定", "状态",
        "",  # no more slots
        "order", "order_no",  # identity: no such slot, then a good one
        "{{oops", "",  # a template that is none, then the sketched one, then en
        "",
        "单号：R-7，维修费：320元",
    ]  # fmt: skip
    code, shown = on_terminal(tmp_path, ["init", ".", "--type", "visit"], answers)
    assert code == 0, shown
    assert "'nonsense' is none of them" in shown
    assert "no slot order;" in shown
    path = tmp_path / "form_types" / "visit.yaml"
    assert load.check([path]) == []
    spec = load.load_catalog([path], []).types["visit"]
    assert {name: slot.type for name, slot in spec.slots.items()} == {
        "order_no": "text",
        "fee": "money",
        "state": "enum",
    }
    assert spec.identity.keys == (("order_no",),)
    assert spec.label("zh") == "上门记录"
    assert list(spec.slots["state"].values) == ["done", "待定"]
    [example] = spec.examples
    assert example.gives["order_no"] == "R-7"
    assert example.gives["fee"] == "320 CNY"


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_enter_takes_every_default(tmp_path: Path) -> None:
    code, shown = on_terminal(tmp_path, ["init", "new", "--type", "合同", "--json"], [""] * 20)
    assert code == 0, shown
    path = tmp_path / "new" / "form_types" / "合同.yaml"
    assert load.check([path]) == []
    spec = load.load_catalog([path], []).types["合同"]
    assert list(spec.slots) == ["名称"]
    assert spec.identity.keys == (("名称",),)


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_ending_the_questions_changes_nothing(tmp_path: Path) -> None:
    code, shown = on_terminal(tmp_path, ["init", "new", "--type", "visit"], ["", "\x04"])
    assert code in (1, 130), shown
    assert "nothing was changed" in shown
    assert not (tmp_path / "new").exists()


def test_of_a_large_file_the_first_rows_are_looked_at(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forms_dynamics.cli.tabular.MAX_ROWS", 50)
    Path("rows.csv").write_text("a,b\n" + "".join(f"x{n},{n}\n" for n in range(51)), encoding="utf-8")
    report = json.loads(shell("init", ".", "--type", "row", "--from", "rows.csv", "--json"))
    assert (report["rows"], report["notes"]) == (50, ["only the first 50 rows were looked at"])
