"""Words of what was undone or edited away: as if it had never been said."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock, ScriptedExtractor

TYPES = """\
form_type: firm
identity: [name]
slots:
  name: {type: text}
  city: {type: text}
"""


def told(name: str, city: str, words: str, confidence: float = 0.95) -> list[dict[str, Any]]:
    slots = {
        "name": {"value": name, "confidence": 0.99, "evidence": name},
        "city": {"value": city, "confidence": confidence, "evidence": words},
    }
    return [{"form_type": "firm", "slots": slots}]


def opened(folder: Path, script: dict[str, Any]) -> Memory:
    (folder / "types.yaml").write_text(TYPES, encoding="utf-8")
    return Memory.open(
        ":memory:", form_types=[folder / "types.yaml"], relation_rules=[],
        extractor=ScriptedExtractor(script), clock=FixedClock(datetime(2026, 6, 1, tzinfo=UTC)),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("said", "now", "old", "new", "question"),
    [
        (
            "Acme city Leeds, by the harbour",
            "I said: Acme city York, by the harbour",
            told("Acme", "Leeds", "city Leeds"),
            told("Acme", "York", "city York"),
            "harbour",
        ),
        (
            "海蓝在杭州，靠近港口",
            "我是说海蓝搬到了宁波，靠近港口",
            told("海蓝", "杭州", "在杭州"),
            told("海蓝", "宁波", "搬到了宁波"),
            "港口",
        ),
    ],
)
def test_an_edited_message_is_quoted_with_its_new_words(
    tmp_path: Path, said: str, now: str, old: Any, new: Any, question: str
) -> None:
    with opened(tmp_path, {said: old, now: new}) as memory:
        memory.observe(said, id="m1")
        memory.observe(now, id="m1", edit=True)
        context = memory.recall(question)
    assert context.messages == ("m1",)
    assert now[-4:] in context.text


@pytest.mark.parametrize(
    ("said", "other", "city", "name", "question"),
    [
        ("Acme city Leeds, by the harbour", "The harbour at Leeds is old", "Leeds", "Acme", "harbour"),
        ("海蓝在杭州，靠近港口", "杭州的港口很旧", "杭州", "海蓝", "港口"),
    ],
)
@pytest.mark.parametrize("act", ["confirm", "correct", "retract"])
def test_an_undone_act_silences_nothing(
    tmp_path: Path, said: str, other: str, city: str, name: str, question: str, act: str
) -> None:
    confidence = 0.6 if act == "confirm" else 0.95
    with opened(tmp_path, {said: told(name, city, city, confidence), other: []}) as memory:
        memory.observe(said, id="m1")
        memory.observe(other, id="m2")
        before = memory.recall(question).text
        (form,) = memory.find("firm")
        if act == "confirm":
            done = memory.confirm(memory.pending()[0].id)
        elif act == "correct":
            done = memory.correct(form.id, "city", "York")
            assert city not in memory.recall(question).text  # while it stands, it does silence
        else:
            done = memory.retract(form.id, "city")
        memory.undo(done.act)
        assert memory.recall(question).text == before
        assert city in before
