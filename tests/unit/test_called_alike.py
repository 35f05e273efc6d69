"""Forms of one name are told apart in a question by what differs."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

TYPES = """\
form_type: firm
identity: [IDENTITY]
slots:
  name: {type: text, aliases: [名称]}
  city: {type: text, aliases: [城市]}
  number: {type: text}
  staff: {type: integer}
"""


def asked(folder: Path, one: dict[str, object], other: dict[str, object], first: str) -> str:
    """What is asked of two Forms that a changed identity (``first``, then the name) makes one."""
    file, clock = folder / "types.yaml", FixedClock(datetime(2026, 6, 1, tzinfo=UTC))

    def opened(identity: str) -> Memory:
        file.write_text(TYPES.replace("IDENTITY", identity), encoding="utf-8")
        return Memory.open(folder / "m.db", form_types=[file], relation_rules=[], clock=clock)

    with opened(first) as memory:
        for slots in (one, other):
            memory.record("firm", slots)
    with opened("name") as memory:
        (finding,) = memory.upkeep(dry_run=True).findings
        return str(finding.text)


@pytest.mark.parametrize(
    ("name", "cities", "shown"),
    [
        ("Acme", ("Leeds", "York"), ("Acme (city Leeds)", "Acme (city York)")),
        ("海蓝电子", ("杭州", "宁波"), ("海蓝电子（城市 杭州）", "海蓝电子（城市 宁波）")),
    ],
)
def test_by_the_first_value_that_differs(
    tmp_path: Path, name: str, cities: tuple[str, str], shown: tuple[str, str]
) -> None:
    one, other = ({"name": name, "city": city, "staff": 5, "number": f"N-{city}"} for city in cities)
    question = asked(tmp_path, one, other, "number")
    assert all(text in question for text in shown)


def test_by_what_one_of_them_holds_else_by_its_id(tmp_path: Path) -> None:
    question = asked(tmp_path, {"name": "Acme", "city": "Leeds"}, {"name": "Acme"}, "city, name")
    assert "Acme (city Leeds)" in question
    assert "Acme (f" in question
