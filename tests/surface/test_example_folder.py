"""The examples run, and show what their words promise."""

from __future__ import annotations

import json
import runpy
from decimal import Decimal
from pathlib import Path

import pytest

from forms_dynamics import Memory
from forms_dynamics.adapters.embedders import HashedNgrams
from forms_dynamics.schema.load import check, load_catalog

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_quickstart(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "quickstart.py"), run_name="__main__")
    out = capsys.readouterr().out
    assert "lead_profile @2: budget 600,000 USD" in out
    assert "@1 stated: 500,000 USD" in out
    context = out[out.index("<memory>") :]
    assert "600,000 USD" in context
    assert "500,000" not in context


def test_own_types_check_clean() -> None:
    assert check([EXAMPLES / "own_types"]) == []


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


@pytest.mark.parametrize("folder", [EXAMPLES / "own_types", STARTER], ids=["own_types", "starter"])
def test_examples_inside_the_yaml_hold(folder: Path) -> None:
    """Each example message gives the slots that it says, and nothing gives nothing."""
    types = [folder] if folder.name == "own_types" else [folder / "form_types"]
    rules = None if folder.name == "own_types" else [folder / "relation_rules"]
    tried = 0
    for form_type in load_catalog(types, rules):
        for example in form_type.examples:
            with Memory.open(
                ":memory:", form_types=types, relation_rules=rules, embedder=HashedNgrams()
            ) as memory:
                receipt = memory.observe(example.text)
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
    return found or [EXAMPLES / "own_types"]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_dialogue_is_a_log_that_observe_reads(lang: str) -> None:
    from forms_dynamics.cli.logs import Line, LogReader

    path = EXAMPLES / "dialogue" / f"{lang}.jsonl"
    with path.open("rb") as stream:
        lines = list(LogReader(path.name).read(stream))
    assert len(lines) == 8
    assert all(isinstance(line, Line) for line in lines)
