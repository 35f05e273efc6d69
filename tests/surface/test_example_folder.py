"""The examples run, and show what their words promise."""

from __future__ import annotations

import json
import runpy
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.adapters.embedders import HashedNgrams
from forms_dynamics.schema.load import check, load_catalog
from forms_dynamics.testing.model_server import ModelServer

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_quickstart(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "quickstart.py"), run_name="__main__")
    out = capsys.readouterr().out
    assert "lead_profile @2: budget 600,000 USD" in out
    assert "@1 stated: 500,000 USD" in out
    context = out[out.index("<memory>") :]
    assert "600,000 USD" in context
    assert "500,000" not in context


def test_an_extractor_of_ones_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = EXAMPLES / "custom_extractor" / "slang.py"
    source = path.read_text(encoding="utf-8")
    body = source[source.index("class SlangExtractor") : source.index("def main")].strip().splitlines()
    assert len(body) < 15
    monkeypatch.delenv("FORMS_DYNAMICS_MODEL", raising=False)
    runpy.run_path(str(path), run_name="__main__")
    assert "500,000" not in capsys.readouterr().out  # no recogniser knows the slang

    def model(request: dict[str, Any]) -> Any:
        said = request["messages"][-1]["content"]
        name, words = ("Hailan", "half a mil") if "Hailan" in said else ("海蓝", "半个小目标")
        return {
            "facts": [
                {"form": "lead_profile", "slot": "company", "value": name, "quote": name},
                {"form": "lead_profile", "slot": "budget", "value": words, "quote": words},
            ]
        }

    with ModelServer(model) as server:
        monkeypatch.setenv("FORMS_DYNAMICS_MODEL", "any")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "any")
        runpy.run_path(str(path), run_name="__main__")
        assert server.calls == 2
    out = capsys.readouterr().out
    assert "Hailan: 500,000 USD" in out
    assert "海蓝: 50,000,000 CNY" in out


def test_a_family_and_a_team(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "family_and_team" / "run.py"), run_name="__main__")
    out = capsys.readouterr().out
    assert len((EXAMPLES / "family_and_team" / "run.py").read_text(encoding="utf-8").splitlines()) <= 80
    told = _answers(out)
    nothing = ["(nothing that this user may read)"]
    assert told["lina  P-7 的 budget 是多少？"] == ["P-7：预算 50万（500,000 CNY）"]
    assert told["tom   What is the deadline of P-7?"] == ["P-7: deadline 2026-06-19"]
    assert told["tom   李娜的 birthday 是哪天？"] == nothing
    assert told["rival P-7 的预算是多少？"] == nothing
    assert told["lina  我爸什么时候生日？"] == ["爸：生日 1960-05-03"]
    assert told["lina  我什么时候生日？"] == ["李娜：生日 1991-08-09"]
    assert told["lina  What is my mum allergic to?"] == ["mother: allergies 花生"]
    assert told["tom   我妈什么时候生日？"] == ["妈：生日 1960-06-07"]
    assert told["tom   When is my dad's birthday?"] == nothing
    [question] = told["Two daughters: asked, not guessed"]
    assert "2015-05-03" in question
    assert "Anna" in question
    assert "Bea" in question
    assert "before  2 clients" in out
    assert "merged  李海涛, also Harry Li: shop:77, wechat:hai" in out
    assert told["house Harry Li 的 style 是什么？"] == ["Harry Li：风格 minimal"]
    assert "undone  2 clients" in out
    assert "stored  P-7 的 deadline 改到 June 30" in out
    assert "stored  P-9 budget 大概 60万  项目预算是确切的吗？" in out  # its number; the budget waits
    assert told["house What is the 交期 of P-7?"] == ["P-7: deadline 2026-06-30"]
    assert all(line.startswith("[待确认]") for line in told["house P-9 的预算是多少？"])
    assert "90万" not in out  # what the assistant suggested


def _answers(out: str) -> dict[str, list[str]]:
    """The lines that are set in below each line."""
    told: dict[str, list[str]] = {}
    last = ""
    for line in out.splitlines():
        if line.startswith(" " * 10):
            told.setdefault(last, []).append(line.strip())
        else:
            last = line.strip()
    return told


@pytest.mark.parametrize("folder", ["own_types", "family_and_team"])
def test_own_types_check_clean(folder: str) -> None:
    assert check([EXAMPLES / folder]) == []


def test_own_types_take_their_log(tmp_path: Path) -> None:
    log = (EXAMPLES / "own_types" / "log.jsonl").read_text(encoding="utf-8")
    url, types = tmp_path / "rental.db", [EXAMPLES / "own_types"]
    with Memory.open(url, form_types=types, embedder=HashedNgrams()) as memory:
        memory.observe_many([json.loads(line) for line in log.splitlines()])
        flats = {form["flat_no"]: form for form in memory.find("flat")}
        assert flats["A-1203"]["rent"].amount == Decimal(5000)
        assert flats["A-1203"]["heating"] == "central"
        assert flats["B-7"]["rent"].amount == Decimal(6100)
        assert [item.slot for item in memory.pending() if item.form_id == flats["B-7"].id] == ["rent"]
        receipt = memory.record("viewing", {"phone": "13800138000", "flat_no": "A-1203", "day": "2026-03-09"})
        [edge] = [edge for edge in memory.edges(receipt.forms[0]) if edge.relation == "refers_to"]
        assert edge.target == flats["A-1203"].id
        assert "5000" in memory.recall("A-1203的月租是多少？").text.replace(",", "")


STARTER = Path(__file__).resolve().parents[2] / "forms_dynamics" / "cli" / "starter_files"


FAMILY = EXAMPLES / "family_and_team"


@pytest.mark.parametrize(
    "folder", [EXAMPLES / "own_types", FAMILY, STARTER], ids=["own_types", "family", "starter"]
)
def test_examples_inside_the_yaml_hold(folder: Path) -> None:
    """Each example message gives the slots that it says, and nothing gives nothing."""
    types = [folder / "form_types"] if folder == STARTER else [folder]
    rules = [folder / "relation_rules"] if folder == STARTER else None
    tried = 0
    for form_type in load_catalog(types, rules):
        for example in form_type.examples:
            with Memory.open(
                ":memory:", form_types=types, relation_rules=rules, embedder=HashedNgrams()
            ) as memory:
                receipt = memory.observe(example.text, time="2026-06-10T10:00:00+08:00")
                forms = [form for form in map(memory.get, receipt.forms) if form.type == form_type.name]
                known = {name: slot.value for form in forms for name, slot in form.slots.items()}
                wanted = {
                    name: _coerced(memory, form_type.name, name, raw) for name, raw in example.gives.items()
                }
            assert known == wanted, example.text
            tried += 1
    assert tried >= 3


def _coerced(memory: Memory, form_type: str, slot: str, raw: object) -> object:
    """What ``record`` makes of a value as YAML writes it."""
    with Memory.open(
        ":memory:", form_types=[*_types(form_type)], relation_rules=[], embedder=HashedNgrams()
    ) as plain:
        receipt = plain.record(form_type, {slot: raw})
        return plain.get(receipt.forms[0])[slot]


def _types(form_type: str) -> list[Path]:
    found = [path for path in (STARTER / "form_types").glob("*.yaml") if path.stem == form_type]
    folder = FAMILY if form_type in ("member", "family_member") else EXAMPLES / "own_types"
    return found or [folder]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_dialogue_is_a_log_that_observe_reads(lang: str) -> None:
    from forms_dynamics.replay.logs import Line, LogReader

    path = EXAMPLES / "dialogue" / f"{lang}.jsonl"
    with path.open("rb") as stream:
        lines = list(LogReader(path.name).read(stream))
    assert len(lines) == 8
    assert all(isinstance(line, Line) for line in lines)
