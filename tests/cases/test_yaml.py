"""A mistake in a YAML file is named where it is, by ``check`` and on opening."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import perf_counter

import pytest

from forms_dynamics import Memory, SchemaError

from .world import ROOT, Worlds, case

COMMAND = [sys.executable, "-c", "import sys; from forms_dynamics.cli import main; sys.exit(main())"]


def check(path: Path) -> tuple[int, str]:
    """Exit code and all output of ``forms-dynamics check``."""
    done = subprocess.run(
        [*COMMAND, "check", str(path)],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
        cwd=ROOT,
    )
    return done.returncode, done.stdout + done.stderr


def findings(path: Path) -> dict[int, str]:
    """Line → message and suggestion of everything that opening complains of."""
    with pytest.raises(SchemaError) as error:
        Memory.open(path.with_suffix(".db"), form_types=[path])
    told: dict[int, str] = {}
    for finding in error.value.findings:
        assert str(path.name) in str(finding.file)
        told[finding.line] = f"{told.get(finding.line, '')} {finding.message} {finding.suggestion}"
    return told


def test_pr_179(worlds: Worlds) -> None:
    text = case("PR-179")["form_yaml"]
    path = worlds.file("shipment.yaml", text)
    code, output = check(path)
    assert code == 1
    assert "shipment.yaml" in output
    assert ":5" in output or "line 5" in output
    assert "quot" in output.lower()
    told = findings(path)
    assert set(told) == {5}
    assert "quot" in told[5].lower()
    quoted = worlds.file(
        "quoted.yaml", text.replace("[de, no, se, on, yes]", '["de", "no", "se", "on", "yes"]')
    )
    assert check(quoted)[0] == 0
    w = worlds(yaml=quoted.read_text(), messages=[], script=[])
    f = w.memory.record("shipment", {"country": "no"}).forms[0]
    assert w.memory.get(f)["country"] == "no"
    for value in (False, True):
        with pytest.raises(Exception, match="country"):
            w.memory.record("shipment", {"country": value})


def test_pr_181(worlds: Worlds) -> None:
    text = case("PR-181")["form_yaml"]
    path = worlds.file("regions.yaml", text)
    code, output = check(path)
    assert code == 1
    assert "NO" in output
    assert "1.10" in output
    told = findings(path)
    assert {3, 6} <= set(told)
    assert "NO" in told[3]
    assert "NO" in told[6]
    assert "1.10" in told[6]
    assert all("quot" in told[line].lower() for line in (3, 6))
    quoted = worlds.file(
        "quoted.yaml", text.replace("NO:", '"NO":').replace("1.10:", '"1.10":').replace("08:", '"08":')
    )
    assert check(quoted)[0] == 0
    w = worlds(yaml=quoted.read_text(encoding="utf-8"), messages=[], script=[])
    for value in ("NO", "1.10", "08"):
        f = w.memory.record("区域表", {"NO": "任", "level": value}, external_id=value).forms[0]
        assert w.memory.get(f)["level"] == value
        assert w.memory.get(f)["NO"] == "任"


def test_pr_183(worlds: Worlds) -> None:
    folder = worlds.where / "many"
    folder.mkdir()
    for part in range(20):
        types = []
        for k in range(100):
            slots = "".join(
                f"  slot_{s}: {{type: text, description: {{en: Thing {s}, zh: 第{s}件}}}}\n"
                for s in range(20)
            )
            types.append(f"form_type: kind_{part}_{k}\nidentity: [slot_0]\nslots:\n{slots}")
        (folder / f"part{part}.yaml").write_text("---\n".join(types), encoding="utf-8")
    start = perf_counter()
    code, output = check(folder)
    assert code == 0, output[-500:]
    assert perf_counter() - start < 60
    assert "bomb" not in output.lower()
    assert "alias" not in output.lower()
    start = perf_counter()
    with Memory.open(worlds.where / "many.db", form_types=[folder]) as memory:
        assert perf_counter() - start < 60
        f = memory.record("kind_19_99", {"slot_0": "x", "slot_19": "y"}).forms[0]
        assert memory.get(f)["slot_19"] == "y"
    anchors = worlds.file(
        "anchors.yaml",
        "form_type: bag\nslots:\n"
        "  a: {type: enum, values: &v {hi: &h [高], lo: &l [低]}}\n"
        "  b: {type: enum, values: *v}\n  c: {type: text, aliases: *h}\n  d: {type: text, aliases: *l}\n",
    )
    code, output = check(anchors)
    assert code in (0, 1)
    assert code == 0 or "anchor" in output.lower()


BAD = {
    "tab": ("\tamount: {type: money}", "tab"),
    "wide space": ("\u3000\u3000amount: {type: money}", "3000"),
    "wide colon": ("  amount： {type: money}", "："),
}


@pytest.mark.parametrize("fault", sorted(BAD))
def test_pr_185_faults(worlds: Worlds, fault: str) -> None:
    line, word = BAD[fault]
    path = worlds.file("order.yaml", f"form_type: 订单\nslots:\n{line}\n")
    code, output = check(path)
    assert code == 1
    assert "order.yaml" in output
    assert ":3" in output or "line 3" in output
    told = findings(path)
    assert 3 in told
    assert word in told[3].lower() or (fault == "wide space" and "full" in told[3].lower())


def test_pr_185_harmless(worlds: Worlds) -> None:
    good = "form_type: 订单\nslots:\n  amount: {type: money}\n"
    for name, text in (("bom", "\ufeff" + good), ("crlf", good.replace("\n", "\r\n"))):
        path = worlds.where / f"{name}.yaml"
        path.write_bytes(text.encode("utf-8"))
        assert check(path)[0] == 0
        with Memory.open(path.with_suffix(".db"), form_types=[path]) as memory:
            assert memory.find("订单") is not None


# -- ours ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("form_type: a\nslots:\n  x: {type: txt}\n", 3, ["txt", "text"]),
        ("form_type: a\nslots:\n  x: {type: text}\n  x: {type: date}\n", 4, ["x"]),
        ("form_type: a\nidentiy: [x]\nslots:\n  x: {type: text}\n", 2, ["identiy", "identity"]),
        ("form_type: a\nidentity: [y]\nslots:\n  x: {type: text}\n", 2, ["y"]),
        ("form_type: a\nslots:\n  x: {type: text, mny: true}\n", 3, ["mny", "many"]),
        ("form_type: a\nslots:\n  x: {type: enum, values: [hi, yes]}\n", 3, ["yes", "quot"]),
        ("form_type: a\nslots:\n  x:\n    type: enum\n    values:\n      off: [关]\n", 6, ["off", "quot"]),
    ],
)
def test_other_mistakes_are_named_with_their_line(
    worlds: Worlds, text: str, line: int, words: list[str]
) -> None:
    path = worlds.file("types.yaml", text)
    assert check(path)[0] == 1
    told = findings(path)
    assert line in told, told
    assert all(word in told[line] for word in words), told


def test_a_bomb_is_refused_quickly(worlds: Worlds) -> None:
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"] + [
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)
    ]
    path = worlds.file("bomb.yaml", "\n".join(levels) + "\nform_type: a\nslots:\n  x: {type: text}\n")
    start = perf_counter()
    assert check(path)[0] == 1
    assert perf_counter() - start < 10


def test_the_shipped_types_pass_the_check() -> None:
    code, output = check(ROOT / "form_types")
    assert code == 0, output
