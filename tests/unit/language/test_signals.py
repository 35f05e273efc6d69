"""Where a cue is found, the cheap look before it must have said that it may be there."""

from __future__ import annotations

import ast
import re
from itertools import chain
from pathlib import Path

import pytest

from forms_dynamics.language import cues
from forms_dynamics.language.signals import signals

_WORD = re.compile(r"[A-Za-z0-9']+|[Ａ-Ｚａ-ｚ０-９]+|[^\x00-\x7f]{1,3}")
_HERE = Path(__file__).parent


def _sentences() -> list[str]:
    """Every string of the tables of this folder and of the recognisers' tests."""
    files = chain(_HERE.glob("test_*.py"), (_HERE.parent / "extraction").glob("test_*.py"))
    found = {
        node.value
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and 3 < len(node.value) < 200
    }
    return sorted(found)


SENTENCES = _sentences()


@pytest.mark.parametrize(
    ("field", "cue"),
    [
        ("denies", cues.negated),
        ("supposes", cues.hypothetical),
        ("asks", cues.questioned),
        ("proposes", cues.proposing),
        ("others", cues.third_party),
    ],
)
def test_no_cue_is_missed(field: str, cue: object) -> None:
    assert len(SENTENCES) > 500
    missed = [
        text
        for text in SENTENCES
        if not getattr(signals(text), field) and any(cue(text, *word.span()) for word in _WORD.finditer(text))  # type: ignore[operator]
    ]
    assert missed == []


def test_no_joke_is_missed() -> None:
    assert [t for t in SENTENCES if cues.joking(t) and not signals(t).jokes] == []
