"""replay and tune on the command line: logs in, figures, reports and settings out."""

from __future__ import annotations

import json
import random
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from forms_dynamics.cli import main
from forms_dynamics.testing.model_server import ModelServer

TYPES = ["--form-types", "lead_profile"]


def said(n: int, text: str, conversation: str = "c1", **more: Any) -> dict[str, Any]:
    return {"id": f"{conversation}-{n}", "text": text, "conversation": conversation, **more}


def expect(**slots: Any) -> dict[str, Any]:
    return {"forms": [{"form_type": "lead_profile", "slots": slots}]}


BUDGET = {"question": "海蓝电子的预算是多少？", "contains": ["60万"], "lacks": ["50万"]}
LOG = [
    said(
        1,
        "我们海蓝电子，预算50万，分三期付款",
        expect=expect(company="海蓝电子", budget=500000, payment_terms="分三期付款"),
    ),
    said(2, "好的，已记录。", role="assistant"),
    said(3, "预算改成60万", expect={**expect(budget=600000), "recall": [BUDGET]}),
    said(
        1,
        "Our company is Blue Sea Ltd, the budget is about $50,000 🙂",
        "c2",
        expect=expect(company="Blue Sea Ltd"),
    ),
]


@pytest.fixture
def log(tmp_path: Path) -> str:
    return written(tmp_path / "log.jsonl", LOG)


def written(file: Path, messages: list[dict[str, Any]]) -> str:
    file.write_text("".join(json.dumps(m, ensure_ascii=False) + "\n" for m in messages), encoding="utf-8")
    return str(file)


class Ran:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def figures(self) -> dict[str, Any]:
        return {f["name"]: f["after"]["value"] for f in self.json["figures"]}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def go(*words: Any) -> Ran:
        code = main([str(word) for word in words])
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return go


def test_a_log_is_replayed_with_its_labels_as_truth(run: Any, log: str) -> None:
    ran = run("replay", log, *TYPES, "--json")
    assert ran.code == 0
    assert ran.json["kind"] == "run"
    assert ran.json["log"]["truth"] == "labels"
    assert ran.figures["precision"] == 1.0
    assert ran.figures["recall"] == 1.0
    assert ran.figures["answer_accuracy"] == 1.0
    assert ran.figures["stale_rate"] == 0.0


def test_several_values_are_several_runs(run: Any, log: str) -> None:
    ran = run("replay", log, *TYPES, "--set", "conf_threshold=0.7,0.99", "--set", "hedge_cap=0.4", "--json")
    assert [r["settings"] for r in ran.json["runs"]] == [
        {"hedge_cap": 0.4, "conf_threshold": 0.7},
        {"hedge_cap": 0.4, "conf_threshold": 0.99},
    ]
    low, high = (r["figures"]["recall"] for r in ran.json["runs"])
    assert low > high
    values = ["--set", "conf_threshold=0.7,0.8", "--set", "hedge_cap=0.3,0.5"]
    assert len(run("replay", log, *TYPES, *values, "--grid", "--json").json["runs"]) == 4
    many = ",".join(str(n / 1000) for n in range(100))
    values = ["--set", f"conf_threshold={many}", "--set", "max_anchors=1,2,3,4,5,6"]
    refused = run("replay", log, *TYPES, *values, "--grid")
    assert (refused.code, "600 combinations" in refused.err) == (2, True)


def test_the_terminal_tells_it_in_the_language_of_the_log(run: Any, log: str) -> None:
    assert "日志重放" in run("replay", log, *TYPES).out
    english = run("replay", log, *TYPES, "--lang", "en").out
    assert "precision" in english
    assert "\x1b" not in english


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("precision < 0.97", 0),
        ("recall ＜ 100%", 0),
        ("questions_per_turn > 0", 1),
        ("f1 >= 0.5 and recall > 0.9", 1),
    ],
)
def test_a_check_for_ci(run: Any, log: str, condition: str, code: int) -> None:
    ran = run("replay", log, *TYPES, "--fail-if", condition)
    assert ran.code == code
    assert ("it is" in ran.err) == bool(code)


def test_a_check_that_cannot_be_made_does_not_pass(run: Any, log: str) -> None:
    ran = run("replay", log, *TYPES, "--fail-if", "multi_hop_accuracy < 0.9")
    assert ran.code == 1
    assert "not measured" in ran.err
    wrong = run("replay", log, *TYPES, "--fail-if", "precison < 0.9")
    assert wrong.code == 2
    assert "precision" in wrong.err


def test_a_run_is_kept_and_compared_with(run: Any, log: str, tmp_path: Path) -> None:
    kept, recording, other = tmp_path / "before.run", tmp_path / "r.jsonl", tmp_path / "s.yaml"
    usual = [log, *TYPES, "--recording", recording]
    assert run("replay", *usual, "--set", "conf_threshold=0.99", "--save", kept, "--json").code == 0
    ran = run("replay", *usual, "--against", kept, "--json")
    assert ran.json["kind"] == "diff"
    assert ran.json["telling"][0]["conversation"] == "c1"
    assert [r["settings"] for r in ran.json["runs"]] == [{"conf_threshold": 0.99}, {}]
    assert run("replay", *usual, "--against", "conf_threshold=0.99", "--json").figures == ran.figures
    other.write_text("conf_threshold: 0.99\n", encoding="utf-8")
    assert run("replay", *usual, "--against", other, "--json").figures == ran.figures


def test_a_run_of_another_log_is_not_compared(run: Any, log: str, tmp_path: Path) -> None:
    kept = tmp_path / "before.run"
    run("replay", log, *TYPES, "--save", kept)
    other = written(tmp_path / "other.jsonl", LOG[:2])
    ran = run("replay", other, *TYPES, "--against", kept)
    assert ran.code == 1
    assert "recording" in ran.err
    assert run("replay", log, *TYPES, "--against", tmp_path / "none").code == 2


def test_a_recording_is_made_once_and_stands_alone(run: Any, log: str, tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    first = run("replay", log, *TYPES, "--recording", file, "--json")
    alone = run("replay", file, *TYPES, "--json")
    named = run("replay", *TYPES, "--recording", file, "--json")
    assert first.figures == alone.figures == named.figures
    stale = run("replay", log, "--form-types", "order", "--recording", file)
    assert stale.code == 1
    assert "stale" in stale.err
    assert "form type lead_profile is gone" in stale.err


class _Loads(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        far = any((told.get(name) or "").startswith(("http", "//")) for name in ("src", "href") if tag != "a")
        if tag in ("script", "link", "iframe") or far:
            self.outside.append(f"{tag} {told}")


def test_the_report_is_a_page_that_loads_nothing(run: Any, log: str, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    run("replay", log, *TYPES, "--set", "conf_threshold=0.7,0.8,0.99", "--report", page)
    html = page.read_text(encoding="utf-8")
    reader = _Loads()
    reader.feed(html)
    assert reader.outside == []
    assert "conf_threshold" in html
    assert "<svg" in html


def many(conversations: int = 40) -> list[dict[str, Any]]:
    """Budgets that recognisers read surely and rightly."""
    rnd = random.Random(7)
    out = []
    for n in range(conversations):
        amount = rnd.randrange(20, 90)
        out.append(said(1, f"我们的预算是{amount}万", f"k{n}", expect=expect(budget=amount * 10000)))
        out.append(said(2, "好的", f"k{n}", role="assistant"))
        out.append(said(3, "谢谢", f"k{n}"))
    return out


def test_tuning_says_when_nothing_is_better_and_writes_a_file_that_opens(run: Any, tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", many())
    out, page = tmp_path / "settings.yaml", tmp_path / "report.html"
    ran = run("tune", log, *TYPES, "--out", out, "--report", page, "--json")
    assert ran.code == 0
    assert ran.json["kind"] == "tuning"
    assert yaml.safe_load(out.read_text(encoding="utf-8")) == {}
    assert "today" in out.read_text(encoding="utf-8")
    assert page.stat().st_size < 500_000
    assert run("replay", log, *TYPES, "--settings", out, "--json").code == 0


def test_tuning_finds_a_threshold_that_lets_right_values_through(run: Any, tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", many())
    today, out = tmp_path / "today.yaml", tmp_path / "settings.yaml"
    today.write_text("conf_threshold: 0.98\nmax_anchors: 3\n", encoding="utf-8")
    ran = run(
        "tune", log, *TYPES, "--settings", today, "--set", "conf_threshold=0.5,0.8", "--out", out, "--json"
    )
    assert ran.code == 0
    chosen = yaml.safe_load(out.read_text(encoding="utf-8"))
    assert chosen["max_anchors"] == 3  # what was so already stays
    assert chosen.get("conf_threshold", 0.8) <= 0.8
    after = run("replay", log, *TYPES, "--settings", out, "--json").figures
    before = run("replay", log, *TYPES, "--settings", today, "--json").figures
    assert (before["recall"], after["recall"]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--objective", "f2"], "f1"),
        (["--require", "precision above 0.9"], "precision >= 0.98"),
        (["--set", "conf_threshold=0.5,1.5"], "conf_threshold"),
        (["--set", "conf_treshold=0.5,0.6"], "conf_threshold"),
        (["--set", "timezone=UTC,Asia/Shanghai"], "decides what is read"),
        (["--held-out", "1.5"], "held-out"),
    ],
)
def test_what_cannot_be_tuned_is_told(run: Any, log: str, words: list[str], told: str) -> None:
    ran = run("tune", log, *TYPES, *words)
    assert ran.code in (1, 2)
    assert told in ran.err
    assert "Traceback" not in ran.err


def test_what_is_no_log_is_told(run: Any, tmp_path: Path) -> None:
    assert run("replay", tmp_path / "none.jsonl", *TYPES).code == 2
    assert run("replay", *TYPES).code == 2
    empty = tmp_path / "empty.jsonl"
    empty.write_text("", encoding="utf-8")
    ran = run("replay", empty, *TYPES)
    assert (ran.code, "no message" in ran.err) == (2, True)
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"text": "预算50万"}\nnot json\n{"text": "谢谢"}\n', encoding="utf-8")
    ran = run("replay", broken, *TYPES, "--json")
    assert ran.code == 1  # as of observe: a line could not be taken
    assert "broken.jsonl:2" in ran.err
    assert ran.json["log"]["turns"] == 2


def test_messages_that_were_not_taken_end_with_1_in_json_too(run: Any, tmp_path: Path) -> None:
    once = written(tmp_path / "log.jsonl", [*LOG, {**LOG[0], "text": "别的话"}])
    for words in ([], ["--json"]):
        ran = run("replay", once, *TYPES, *words)
        assert (ran.code, "c1-1 was not taken" in ran.err) == (1, True)
    twice = written(tmp_path / "log.jsonl", [*LOG, LOG[0]])
    assert run("replay", twice, *TYPES).code == 0  # the same words are the same message


def test_what_is_read_is_never_written_over(run: Any, log: str, tmp_path: Path) -> None:
    kept, recording, types = tmp_path / "r.jsonl", tmp_path / "rec", tmp_path / "lead.yaml"
    types.write_text(
        "form_type: lead\nslots: {budget: {type: money, unit: CNY, aliases: [预算]}}\n", encoding="utf-8"
    )
    base = ["--form-types", types]
    assert run("replay", log, *TYPES, "--recording", recording, "--save", kept).code == 0
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    (tmp_path / "sub").mkdir()
    for words in (
        ["replay", recording, *TYPES, "--save", recording],
        ["replay", recording, *TYPES, "--report", tmp_path / "sub" / ".." / "rec"],
        ["replay", log, *TYPES, "--recording", recording, "--report", recording],
        ["replay", log, *TYPES, "--recording", recording, "--save", f"{recording}.part"],
        ["replay", log, *TYPES, "--save", log],
        ["replay", log, *TYPES, "--report", log],
        ["replay", log, *TYPES, "--report", kept],
        ["replay", log, *TYPES, "--against", kept, "--report", kept],
        ["replay", log, *TYPES, "--save", tmp_path / "one", "--report", tmp_path / "one"],
        ["replay", log, *base, "--report", types],
        ["tune", recording, *TYPES, "--out", recording],
        ["tune", log, *TYPES, "--out", types],
    ):
        ran = run(*words)
        assert ran.code == 2, words
    (tmp_path / "sub").rmdir()
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before
    assert run("replay", log, *TYPES, "--save", kept).code == 0  # a run may take a run's place


def test_an_unmeasured_check_says_of_which_run_and_why(run: Any, tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", LOG[:1])
    ran = run("replay", log, *TYPES, "--set", "conf_threshold=0.8,0.99", "--fail-if", "precision < 0.5")
    assert ran.code == 1
    assert "with conf_threshold 0.99: not measured, since nothing was accepted" in ran.err


def test_where_a_result_cannot_be_put_is_said_first(run: Any, log: str, tmp_path: Path) -> None:
    for words in (
        ["replay", log, *TYPES, "--report", tmp_path / "no" / "r.html"],
        ["replay", log, *TYPES, "--save", tmp_path],
        ["tune", log, *TYPES, "--out", tmp_path / "no" / "s.yaml"],
        ["tune", log, *TYPES, "--recording", tmp_path / "no" / "r"],
        ["replay", log, *TYPES, "--set", "conf_threshold=0.5,0.6", "--save", tmp_path / "x"],
        ["replay", log, *TYPES, "--set", "conf_threshold=0.5,0.6", "--against", "conf_threshold=0.7"],
    ):
        ran = run(*words)
        assert ran.code == 2, words
        assert "Traceback" not in ran.err


def test_logs_of_others_are_read(run: Any, tmp_path: Path) -> None:
    log = tmp_path / "sharegpt.json"
    talk = [{"from": "human", "value": "我们海蓝电子，预算50万"}, {"from": "gpt", "value": "好的"}]
    talk.append({"from": "human", "value": "对，海蓝电子，预算50万"})
    log.write_text(json.dumps([{"id": "x", "conversations": talk}], ensure_ascii=False), encoding="utf-8")
    ran = run("replay", log, *TYPES, "--json")
    assert ran.json["log"]["turns"] == 3
    assert ran.json["log"]["truth"] == "self-consistency"
    assert ran.figures["precision"] == 1.0


def test_a_model_is_paid_once_and_only_into_a_file(run: Any, tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", [said(1, "关于钱的事，老板点头给到五十万整，别的没说")])
    with ModelServer() as server:
        model = ["--set", "model=m", "--set", f"base_url={server.base_url}", "--set", "api_key=x"]
        refused = run("replay", log, *TYPES, *model)
        assert refused.code == 2
        assert "--recording" in refused.err
        file = tmp_path / "r.jsonl"
        assert run("replay", log, *TYPES, *model, "--recording", file, "--json").code == 0
        asked = server.calls
        assert asked > 0
        varied = ["--set", "conf_threshold=0.5,0.6,0.7"]
        assert run("replay", log, *TYPES, *model, "--recording", file, *varied, "--json").code == 0
        assert server.calls == asked
