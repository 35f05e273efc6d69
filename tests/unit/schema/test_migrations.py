"""``migrations:`` in a Form type: what leads nowhere is told, with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from forms_dynamics.schema.load import check, load_catalog

HEAD = """\
form_type: deal
version: 3
identity: [number]
slots:
  number: {type: text}
  level: {type: enum, values: [low, high]}
  budget: {type: money, unit: CNY}
  source: {type: text}
migrations:
"""


def told(tmp_path: Path, steps: str) -> list[str]:
    path = tmp_path / "deal.yaml"
    path.write_text(HEAD + steps, encoding="utf-8")
    found = check([path])
    assert all(finding.line > 9 for finding in found)
    return [
        f"{f.line}:{f.column} {f.message}" + (f" [{f.suggestion}]" if f.suggestion else "") for f in found
    ]


@pytest.mark.parametrize(
    "steps",
    [
        "  2: [{rename: {code: number}}]\n",
        "  2: [{rename: {code: nr}}]\n  3: [{rename: {nr: number}}]\n",
        "  2: [{rename: {a: b}}]\n  3: [{drop: [b]}]\n",
        "  2: [{rename: {number: source, source: number}}]\n",
        "  3: [{drop: [b]}]\n  2: [{rename: {a: b}}]\n",
        "  2: [{default: {way: web}}, {rename: {way: source}}]\n",
        "  2: [{map: {level: {mid: medium}}}]\n  3: [{map: {level: {medium: low}}}]\n",
        "  2: [{map: {grade: {mid: low}}}]\n  3: [{rename: {grade: level}}]\n",
        "  2: [{default: {level: low, budget: 5000 CNY, source: null}}]\n",
        "  2: [{default: {grade: mid}}]\n  3: [{rename: {grade: level}}, {map: {level: {mid: high}}}]\n",
        "  2: [{drop: [source]}]\n  3: [{default: {source: web}}]\n",
        "  2: [{drop: [old, older]}]\n",
        "  3: [{drop: [source]}, {rename: {origin: source}}]\n",
    ],
)
def test_steps_that_lead_to_today_are_taken(tmp_path: Path, steps: str) -> None:
    assert told(tmp_path, steps) == []


@pytest.mark.parametrize(
    ("steps", "finding"),
    [
        ("  2: [{rename: {code: numbr}}]\n", "10:23 migrations 2: rename: there is no slot 'numbr' [number]"),
        ("  2: [{map: {levl: {mid: low}}}]\n", "10:14 migrations 2: map: there is no slot 'levl' [level]"),
        (
            "  2: [{map: {level: {mid: medium}}}]\n",
            "10:14 migrations 2: map: 'mid' becomes 'medium', which 'level' does not take",
        ),
        ("  2: [{default: {levels: low}}]\n", "10:18 migrations 2: default: there is no slot 'levels' [level]"),
        ("  2: [{default: {level: lo}}]\n", "10:25 migrations 2: default: level: 'lo' is none of its values; write one of low, high [low]"),
        ("  3: [{drop: [source]}]\n", "10:15 migrations 3: drop: the slot 'source' is declared; drop it there or keep it here"),
        ("  2: [{renam: {a: b}}]\n", "10:8 a migration step has no key 'renam' [rename]"),
        ("  1: [{drop: [x]}]\n", "10:3 migrations: the version that the steps lead to must be at least 2, not 1"),
    ],
)  # fmt: skip
def test_steps_that_lead_nowhere_are_told(tmp_path: Path, steps: str, finding: str) -> None:
    assert finding in told(tmp_path, steps)


def test_steps_beyond_the_version_raise_it(tmp_path: Path) -> None:
    """Declared slots are those of the last step, whatever ``version`` was forgotten to say."""
    path = tmp_path / "deal.yaml"
    path.write_text(HEAD + "  4: [{rename: {code: number}}]\n", encoding="utf-8")
    (found,) = check([path])
    assert found.severity == "warning"
    assert "steps to version 4, but the type says version 3" in found.message
    assert load_catalog([path]).types["deal"].version == 4
