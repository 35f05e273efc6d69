"""The command line: exit codes, one document on stdout, sentences for mistakes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics.cli import main
from forms_dynamics.testing.model_server import ModelServer

ROOT = Path(__file__).resolve().parents[2]


class Shell:
    """Runs commands in this process; ``out`` and ``err`` of the last one."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self._capture = capture
        self.out = self.err = ""

    def __call__(self, *words: str, code: int = 0) -> str:
        self._capture.readouterr()
        got = main(words)
        self.out, self.err = self._capture.readouterr()
        assert got == code, f"{words} gave {got}\n{self.out}\n{self.err}"
        return self.out

    def json(self, *words: str, code: int = 0) -> Any:
        """The one document on stdout, and nothing on stderr when all went well."""
        out = self(*words, "--json", code=code)
        assert code or not self.err
        return json.loads(out)

    def error(self, *words: str, code: int) -> dict[str, str]:
        """The error that ``--json`` tells on stderr."""
        out = self(*words, "--json", code=code)
        assert out == ""
        return dict(json.loads(self.err)["error"])


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORMS_DYNAMICS_DB", raising=False)
    return Shell(capsys)


@pytest.fixture
def lead(shell: Shell) -> Callable[..., dict[str, Any]]:
    """Feeds messages and gives back the only lead as ``forms --json`` tells it."""

    def feed(*texts: str) -> dict[str, Any]:
        lines = [
            {"id": f"m{n}", "conversation": "c", "text": text, "time": f"2026-06-1{n}T10:00:00+08:00"}
            for n, text in enumerate(texts)
        ]
        Path("log.jsonl").write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
        shell.json("check")
        shell("observe", "log.jsonl", "--json")
        [form] = shell.json("forms", "lead_profile")
        return dict(form)

    return feed


def test_a_mistyped_database_is_no_empty_answer(shell: Shell) -> None:
    for words in (["recall", "预算？"], ["forms"], ["pending"], ["verify"], ["export"], ["show", "x"]):
        error = shell.error(*words, "--db", "nowhere.db", code=3)
        assert error["code"] == "store_unavailable"
        assert "nowhere.db" in error["message"]
    assert not Path("nowhere.db").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["bogus"],
        ["observe"],
        ["observe", "missing.jsonl"],
        ["recall"],
        ["record", "lead_profile"],
        ["record", "lead_profile", "budget"],
        ["record", "lead_profile", "--slots", "[1]"],
        ["record", "lead_profile", "a=b", "--source", "rumour"],
        ["forms", "--limit", "0"],
        ["recall", "x", "--as-of", "yesterday"],
        ["check", "./missing.yaml"],
        ["erase"],
        ["demo", "--lang", "fr"],
        ["show", "f1", "--version", "two"],
        ["forms", "--bogus"],
    ],
)
def test_wrong_usage_is_exit_code_2(shell: Shell, words: list[str]) -> None:
    if "--as-of" in words:
        shell("record", "lead_profile", "company=海蓝电子")
    assert shell.error(*words, code=2)["code"] == "usage"
    shell(*words, code=2)
    assert "Traceback" not in shell.err
    assert shell.out == ""


def test_settings_are_checked_by_name_and_value(shell: Shell) -> None:
    wrong = shell.error("record", "lead_profile", "company=A", "--set", "conf_treshold=0.7", code=2)
    assert "'conf_threshold'" in wrong["message"]
    assert (
        "conf_threshold"
        in shell.error("record", "lead_profile", "a=b", "--set", "conf_threshold=7", code=2)["message"]
    )
    Path("settings.yaml").write_text("timezone: Asia/Shanghai\n", encoding="utf-8")
    naive = ["record", "lead_profile", "company=海蓝电子", "--time", "2026-06-12T10:00:00"]
    assert shell.error(*naive, code=1)["code"] == "invalid_input"
    shell(*naive, "--settings", "settings.yaml")
    assert shell.error(*naive, "--settings", "none.yaml", code=2)["code"] == "usage"


def test_show_says_until_when_and_asks_nothing_of_an_earlier_day(shell: Shell) -> None:
    [form_id] = shell.json("record", "lead_profile", "company=海蓝电子", "budget=50万", "--source", "user")[
        "forms"
    ]
    shell("show", form_id)
    assert "until" not in shell.out
    shell.json(
        "validity", "--form-type", "lead_profile", "--slot", "budget", "--until", "2090-03-01T00:00:00Z"
    )
    shell("show", form_id)
    assert "until 2090-03-01" in shell.out
    shell.json("mark", form_id, "budget", "--wrong")
    assert [item["slot"] for item in shell.json("show", form_id)["pending"]] == ["budget"]
    assert shell.json("show", form_id, "--version", "1")["pending"] == []
    assert shell.json("show", form_id, "--as-of", "2089-01-01T00:00:00Z")["pending"] == []


def test_record_then_every_reading_command(shell: Shell) -> None:
    receipt = shell.json("record", "lead_profile", "company=海蓝电子", "budget=50万", "--source", "user")
    [form_id] = receipt["forms"]
    [form] = shell.json("forms", "lead_profile", "--where", "company=海蓝电子")
    assert form["id"] == form_id
    assert form["slots"]["budget"]["value"] == {"amount": "500000", "currency": "CNY"}
    page = shell.json("show", form_id)
    assert page["form"]["version"] == 1
    assert [version["number"] for version in page["versions"]] == [1]
    context = shell.json("recall", "海蓝电子的预算是多少？")
    assert "50万" in context["text"]
    assert context["forms"][0]["id"] == form_id
    assert context["trace"]["steps"]
    assert shell.json("why", form_id, "budget")
    assert shell.json("pending") == []
    assert shell.json("forms", "--status", "invalid") == []
    for words in (
        ["forms"],
        ["show", form_id],
        ["recall", "海蓝电子的预算？", "--trace"],
        ["why", form_id, "budget"],
    ):
        out = shell(*words)
        assert "\x1b" not in out, "colours are for terminals"
        assert "50万" in out or "500,000" in out


def test_acts_of_a_person(shell: Shell) -> None:
    [form_id] = shell.json("record", "lead_profile", "company=海蓝电子", "budget=50万", "--source", "user")[
        "forms"
    ]
    shell.json("correct", form_id, "budget", "60万")
    assert shell.json("show", form_id)["form"]["slots"]["budget"]["value"]["amount"] == "600000"
    shell.json("rollback", form_id, "1")
    assert shell.json("show", form_id)["form"]["slots"]["budget"]["value"]["amount"] == "500000"
    assert (
        shell.json("show", form_id, "--version", "2")["form"]["slots"]["budget"]["value"]["amount"]
        == "600000"
    )
    shell.json("retract", form_id, "budget")
    shell.json("invalidate", form_id, "--reason", "gone")
    assert shell.json("forms") == []
    assert [form["id"] for form in shell.json("forms", "--status", "invalid")] == [form_id]
    assert shell.error("rollback", form_id, "99", code=1)["code"] == "not_found"
    assert shell.error("correct", form_id, "budgt", "1", code=1)["message"].count("budget")
    for words in (["show", "nope"], ["confirm", "nope"], ["refuse", "nope"], ["why", "nope", "budget"]):
        assert shell.error(*words, code=1)["code"] == "not_found"


def test_a_hedge_waits_and_is_confirmed(shell: Shell, lead: Callable[..., dict[str, Any]]) -> None:
    form = lead("我们公司是青禾科技，预算大概四五十万吧")
    [item] = [item for item in shell.json("pending") if item["slot"] == "budget"]
    assert item["form_id"] == form["id"]
    assert item["question"] in shell("pending")
    shell.json("confirm", item["id"], "45万")
    assert shell.json("show", form["id"])["form"]["slots"]["budget"]["value"]["amount"] == "450000"
    assert not [item for item in shell.json("pending") if item["slot"] == "budget"]


def test_observe_goes_on_after_bad_lines(shell: Shell) -> None:
    lines = [
        '{"id": "a", "text": "我们公司是海蓝电子，预算50万", "time": "2026-06-12T10:00:00+08:00"}',
        "{oops",
        '{"id": "b", "text": "hi", "time": "2026-13-45T10:00:00+08:00"}',
        '{"id": "c", "text": "预算是60万", "time": "2026-06-13T10:00:00+08:00"}',
        '{"id": "a", "text": "other words", "time": "2026-06-12T10:00:00+08:00"}',
    ]
    Path("log.jsonl").write_text("\n".join(lines), encoding="utf-8")
    out = shell("observe", "log.jsonl", "--json", code=1)
    assert [json.loads(line)["message_id"] for line in out.splitlines()] == ["a", "c"]
    errors = [json.loads(line)["error"]["message"] for line in shell.err.splitlines()]
    assert [error.split(": ")[0] for error in errors] == ["log.jsonl:2", "log.jsonl:3", "log.jsonl:5"]
    shell("observe", "log.jsonl", code=1)
    assert "known already" in shell.out
    assert "log.jsonl:3" in shell.err


def test_observe_reads_stdin(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    said = '{"text": "我们公司是海蓝电子，预算50万"}\n{"text": "好的"}\n'.encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(said), encoding="ascii"))
    receipts = [json.loads(line) for line in shell("observe", "-", "--json").splitlines()]
    assert [receipt["state"] for receipt in receipts] == ["stored", "stored"]
    assert [bool(receipt["forms"]) for receipt in receipts] == [True, False]
    assert shell.json("work") == {"taken": 0}


def test_users_named_in_a_log_own_what_they_say(shell: Shell) -> None:
    lines = [
        {"text": "我们公司是海蓝电子，预算50万", "user": "u1"},
        {"text": "我们公司是青禾科技", "user": "u2"},
    ]
    Path("log.jsonl").write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    shell("observe", "log.jsonl")
    for user, company in (("u1", "海蓝电子"), ("u2", "青禾科技")):
        [form] = shell.json("forms", "--user", user)
        assert form["slots"]["company"]["value"] == company
    assert shell.json("forms") == []


def test_dry_run_writes_nothing(shell: Shell) -> None:
    Path("log.jsonl").write_text('{"id": "a", "text": "我们公司是海蓝电子，预算50万"}', encoding="utf-8")
    [receipt] = [
        json.loads(line) for line in shell("observe", "log.jsonl", "--dry-run", "--json").splitlines()
    ]
    assert receipt["forms"]
    assert shell.json("forms") == []


def test_users_and_tenants_are_apart(shell: Shell) -> None:
    shell.json("record", "lead_profile", "company=海蓝电子", "--user", "u1")
    assert shell.json("forms") == []
    assert len(shell.json("forms", "--user", "u1")) == 1
    assert shell.json("forms", "--user", "u1", "--tenant", "other") == []
    lines = [json.loads(line) for line in shell("export", "--user", "u1", "--json").splitlines()]
    assert "海蓝电子" in json.dumps(lines, ensure_ascii=False)
    shell.json("erase", "--user", "u1")
    assert shell.json("forms", "--user", "u1") == []


def told(shell: Shell, path: str = "all.jsonl") -> list[str]:
    """Everything in a file, and its lines."""
    text = shell("export", "--json")
    Path(path).write_text(text, encoding="utf-8")
    return text.splitlines()


def test_an_import_is_the_inverse_of_an_export(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for user in ([], ["--user", "u1"], ["--user", "本"]):
        shell.json("record", "lead_profile", "company=海蓝电子", "budget=50万", *user)
    lines = told(shell)
    assert [json.loads(line)["user"] for line in lines if '"scope"' in line] == [None, "u1", "本"]
    done = shell.json("import", "all.jsonl", "--db", "two.db", "--dry-run")
    assert (done["forms"], done["users"]) == (3, [None, "u1", "本"])
    assert not Path("two.db").exists()
    assert shell.json("import", "all.jsonl", "--db", "two.db")["forms"] == 3
    assert shell("export", "--json", "--db", "two.db").splitlines() == lines
    again = shell.json("import", "all.jsonl", "--db", "two.db")
    assert (again["forms"], again["known"]) == (0, 9)
    shell("import", "all.jsonl", "--db", "two.db")
    assert "known: 9" in shell.out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\n".join(lines).encode())))
    assert shell.json("import", "-", "--db", "three.db", "--tenant", "t2")["forms"] == 3
    assert shell.json("health", "--db", "three.db", "--tenant", "t2")["forms"] == 3
    assert shell.json("health", "--db", "three.db")["forms"] == 0
    assert shell.json("health", "--user", "本")["forms"] == 1
    assert shell.json("verify", "--db", "three.db", "--tenant", "t2", "--user", "u1")["ok"]


def test_an_import_says_what_is_wrong_and_where(shell: Shell) -> None:
    shell.json("record", "lead_profile", "company=海蓝电子")
    lines = told(shell)
    assert shell.error("import", "nowhere.jsonl", code=2)["code"] == "usage"
    cases = {
        "cut.jsonl": (lines[:-1], f"line {len(lines) - 1}: the file stops here"),
        "torn.jsonl": ([*lines[:2], lines[2][:40]], "line 3: no JSON"),
        "log.jsonl": (['{"text": "hello"}'], "line 1: an export begins"),
        "newer.jsonl": (
            [lines[0].replace('"format": 2', '"format": 9'), *lines[1:]],
            "line 1: the file has format 9",
        ),
    }
    for name, (text, problem) in cases.items():
        Path(name).write_text("\n".join(text), encoding="utf-8")
        error = shell.error("import", name, "--db", "new.db", code=1)
        assert error["code"] == "invalid_input"
        assert error["message"].startswith(problem)
    assert shell.json("health", "--db", "new.db")["messages"] == 0
    changed = [line.replace("海蓝电子", "青禾科技") for line in lines]
    Path("other.jsonl").write_text("\n".join(changed), encoding="utf-8")
    error = shell.error("import", "other.jsonl", code=1)
    assert error["code"] == "conflict"
    assert "line 2: record r" in error["message"]


def test_an_import_tells_of_types_that_are_not_loaded(shell: Shell) -> None:
    shell.json("record", "lead_profile", "company=海蓝电子")
    told(shell)
    shell("import", "all.jsonl", "--db", "two.db", "--form-types", "quote_form")
    assert "1 Form of type lead_profile, which is not loaded" in shell.err
    shell("rebuild", "--db", "two.db")
    assert len(shell.json("forms", "lead_profile", "--db", "two.db", "--where", "company=海蓝电子")) == 1


def test_a_graph_to_look_at_and_for_gephi(shell: Shell) -> None:
    import networkx

    [lead] = shell.json("record", "lead_profile", "company=海蓝电子", "budget=50万")["forms"]
    [quote] = shell.json("record", "quote_form", "company=海蓝电子", "amount=48万", "quote_no=Q1")["forms"]
    shell("graph")
    assert "2 nodes, 1 edge" in shell.out
    assert "─refers_to→ lead_profile 海蓝电子" in shell.out
    drawn = shell.json("graph", "--form-id", quote, "--hops", "1")
    assert {node["id"] for node in drawn["nodes"]} == {lead, quote}
    assert [(edge["source"], edge["target"]) for edge in drawn["edges"]] == [(quote, lead)]
    assert shell.json("graph", "--form-id", quote, "--hops", "0")["edges"] == []
    assert shell.json("graph", "--as-of", "2020-01-01T00:00:00+00:00")["nodes"] == []
    then = ["--as-of", "2030-01-01T00:00:00+00:00"]  # a weight that no longer moves
    written = shell.json("graph", "--out", "g.graphml", *then)
    assert (written["format"], written["nodes"], written["edges"]) == ("graphml", 2, 1)
    back = networkx.read_graphml("g.graphml")
    assert {node["label"] for _, node in back.nodes(data=True)} == {"海蓝电子", "Q1"}
    assert shell("graph", "--format", "graphml", *then) == Path("g.graphml").read_text("utf-8")
    assert shell("graph", "--format", "dot").startswith("digraph {")
    shell("graph", "--out", "g.png", code=2)
    assert "--format" in shell.err
    assert shell.error("graph", "--form-id", "nobody", code=1)["code"] == "not_found"
    assert shell.error("graph", "--form-id", quote, "--hops", "99", code=1)["code"] == "invalid_input"
    assert shell.error("graph", "--out", "no/such/folder/g.graphml", code=3)["code"] == "environment"


def test_verify_and_rebuild(shell: Shell, lead: Callable[..., dict[str, Any]]) -> None:
    form = lead("我们公司是海蓝电子，预算50万", "更正，预算是60万")
    assert form["version"] == 2
    shell.json("verify")
    shell.json("rebuild")
    assert shell.json("forms") == [shell.json("show", form["id"])["form"]]
    import sqlite3

    with sqlite3.connect("memory.db") as base:
        [table] = [
            name
            for (name,) in base.execute("select name from sqlite_master where type = 'table'")
            if {"payload", "hash"} <= {row[1] for row in base.execute(f"pragma table_info({name})")}
        ]
        base.execute(f"update {table} set payload = replace(payload, '500000', '900000')")
    base.close()
    assert not shell.json("verify", code=1).get("ok", True)


def test_a_file_that_is_no_database(shell: Shell) -> None:
    Path("memory.db").write_text("this is a letter, not a database\n" * 100, encoding="utf-8")
    assert shell.error("forms", code=3)["code"] == "store_unavailable"
    assert shell.error("record", "lead_profile", "company=A", "--db", "no/such/folder/x.db", code=3)


def test_check_tells_place_and_nearest_name(shell: Shell) -> None:
    Path("bad.yaml").write_text(
        "form_type: x\nslots:\n  a: {typ: text}\n  b: {type: mony}\n", encoding="utf-8"
    )
    found = shell.json("check", "bad.yaml", code=1)
    assert found["ok"] is False
    assert {item["suggestion"] for item in found["findings"]} >= {"type", "money"}
    assert {item["line"] for item in found["findings"]} == {3, 4}
    shell("check", "bad.yaml", code=1)
    assert "bad.yaml:4:" in shell.out
    assert shell.error("record", "x", "a=1", "--form-types", "bad.yaml", code=1)["code"] == "schema"


def test_check_prints_the_schema_for_editors(shell: Shell) -> None:
    schema = json.loads(shell("check", "--schema"))
    assert shell.json("check", "--schema") == schema
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    form, relation, query, trigger, hedges = schema["oneOf"]
    assert query["required"] == ["query", "start", "return"]
    assert trigger["required"] == ["trigger", "on", "load"]
    assert hedges["required"] == ["hedges"]
    assert "slots" in form["properties"]
    assert "cardinality" in relation["properties"]


def test_the_starter_works_as_it_says(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from forms_dynamics.cli.starter import next_steps

    shell("init", "mine")
    shell("init", "mine", code=1)
    assert "there already" in shell.err
    monkeypatch.chdir("mine")
    import shlex

    for step in next_steps(Path("mine"))[1:]:
        words = shlex.split(step)
        assert words[0] == "forms-dynamics"
        shell(*words[1:])
    declared = ["--form-types", "form_types", "--relation-rules", "relation_rules"]
    orders = {
        form["slots"]["order_no"]["value"]: form for form in shell.json("forms", "repair_order", *declared)
    }
    assert orders["R-2041"]["slots"]["fee"]["value"]["amount"] == "320"
    assert orders["R-2042"]["slots"]["fee"]["value"]["amount"] == "420"


def test_output_is_utf8_whatever_the_locale_says(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "forms_dynamics.cli"]
    base = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "PYTHON"))}
    env = {**base, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    for words in (["record", "lead_profile", "company=海蓝电子"], ["recall", "海蓝电子", "--json"]):
        done = subprocess.run([*command, *words], cwd=tmp_path, env=env, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
    assert "海蓝电子" in json.loads(done.stdout.decode("utf-8"))["text"]


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    script = f"{sys.executable} -m forms_dynamics.cli --help | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written(shell: Shell, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    assert shell.error("record", "lead_profile", "company=A", "--db", str(closed / "x.db"), code=3)


def test_a_model_is_named_by_settings(shell: Shell) -> None:
    text = "half a bar it is for the Hailan people"
    fact = {"form": "lead_profile", "slot": "company", "value": "Hailan", "quote": "Hailan"}
    line = {"conversation": "c1", "id": "m1", "text": text, "time": "2026-06-12T10:00:00+08:00"}
    Path("log.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    with ModelServer(lambda request: {"facts": [fact]}) as server:
        shell(
            "observe", "log.jsonl", "--set", "model=m", "--set", f"base_url={server.base_url}",
            "--form-types", "lead_profile",
        )  # fmt: skip
        assert [request["model"] for request in server.requests] == ["m"]
    assert "Hailan" in shell("forms", "--form-types", "lead_profile")


def test_messages_that_wait_are_exit_code_3(shell: Shell) -> None:
    said = {
        "text": "we could stretch to half a mil for the Hailan people",
        "time": "2026-06-11T10:00:00+08:00",
    }
    Path("log.jsonl").write_text(json.dumps(said), encoding="utf-8")
    away = ("--set", "model=m", "--set", "base_url=http://127.0.0.1:9/v1", "--set", "model_retries=0")
    receipt = shell.json("observe", "log.jsonl", *away, code=3)
    assert receipt["state"] == "queued"
    assert json.loads(shell.err)["error"]["code"] == "waiting"
    shell("work", *away, code=3)
    assert "1 message waits in the queue" in shell.err
    with ModelServer(lambda request: {"facts": []}) as server:
        shell("work", "--set", "model=m", "--set", f"base_url={server.base_url}")
    assert shell.err == ""


def test_an_extractor_that_nobody_knows_is_found_by_check(shell: Shell) -> None:
    Path("own.yaml").write_text(
        "form_type: visit\nextractor: modle\nslots:\n  place:\n    type: text\n", encoding="utf-8"
    )
    told = shell.json("check", "own.yaml", code=1)
    [finding] = told["findings"]
    assert (finding["line"], finding["column"], finding["suggestion"]) == (2, 12, "model")
    assert finding["message"].count("recognisers") == 1
    assert "did you mean" not in finding["message"]


def test_other_ends_in_bulk(shell: Shell) -> None:
    lead = shell.json("record", "lead_profile", "company=海蓝电子", "budget=50万", "--source", "user")[
        "forms"
    ][0]
    shell.json("record", "quote_form", "company=海蓝电子", "amount=48万", "--source", "user")
    planned = shell.json("validity", "--relation", "refers_to", "--days", "30", "--dry-run")
    assert len(planned["edges"]) == 1
    assert planned["act"] is None
    until = "2030-01-01T00:00:00+00:00"
    done = shell.json("validity", "--form-type", "lead_profile", "--slot", "budget", "--until", until)
    assert done["versions"] == [f"{lead}@2"]
    assert done["act"]
    slots = shell.json("show", lead)["form"]["slots"]
    assert datetime.fromisoformat(slots["budget"]["valid_until"]) == datetime.fromisoformat(until)
    assert slots["company"]["valid_until"] is None
    assert (
        shell.json("validity", "--form-type", "lead_profile", "--slot", "budget", "--until", until)["act"]
        is None
    )
    for words, said in (
        (["--relation", "refers_to"], "--open"),
        (["--relation", "refers_to", "--open", "--days", "3"], "--open"),
        (["--open"], "one of relation and form_type"),
        (["--relation", "refers_t", "--open"], "refers_to"),
        (["--relation", "refers_to", "--days", "0"], "above 0"),
    ):
        assert said in shell.error("validity", *words, code=1)["message"]
    assert (
        "--until" in shell.error("validity", "--relation", "refers_to", "--until", "soon", code=2)["message"]
    )
