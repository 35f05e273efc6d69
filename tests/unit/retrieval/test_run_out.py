"""What has run out is told on request, with its date."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

TYPES = """\
form_type: stay
identity: [guest]
slots:
  guest: {type: text, aliases: [客人, guest]}
  hotel: {type: text, aliases: [酒店, hotel]}
  room: {type: text, aliases: [房号, room]}
"""
START = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("guest", "hotel", "question", "line"),
    [
        ("Ann Lee", "Astoria", "Which hotel is Ann Lee in?", "hotel until 2026-06-11: Astoria"),
        ("王芳", "锦江饭店", "王芳住哪家酒店", "酒店 2026-06-11 之前：锦江饭店"),
    ],
)
def test_an_ended_value_is_told_with_its_date(
    tmp_path: Path, guest: str, hotel: str, question: str, line: str
) -> None:
    (tmp_path / "types.yaml").write_text(TYPES, encoding="utf-8")
    clock = FixedClock(START)
    with Memory.open(
        ":memory:", form_types=[tmp_path / "types.yaml"], relation_rules=[], clock=clock
    ) as memory:
        until = {"value": hotel, "valid_until": START + timedelta(days=10)}
        memory.record("stay", {"guest": guest, "hotel": until, "room": "7"}, source="user")
        clock.advance(days=20)
        for asked in (question, guest):
            assert hotel not in memory.recall(asked).text
            assert line in memory.recall(asked, include_expired=True).text
        # what was taken back is not what ran out
        (form,) = memory.find("stay")
        memory.retract(form.id, "hotel")
        assert hotel not in memory.recall(question, include_expired=True).text
