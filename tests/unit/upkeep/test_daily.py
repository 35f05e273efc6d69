"""A year of daily upkeep: the indexes stay sound, and hold what the marks say."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock


def docs(raw: sqlite3.Connection, table: str) -> set[int]:
    return {row[0] for row in raw.execute(f"SELECT DISTINCT doc FROM {table}_postings")}


@pytest.mark.parametrize("owners", [3])
def test_a_year_of_daily_upkeep_leaves_sound_indexes(tmp_path: Path, owners: int) -> None:
    path = tmp_path / "m.db"
    clock = FixedClock(datetime(2026, 1, 1, tzinfo=UTC))
    settings = {"archive_after_days": 30}
    with Memory.open(
        path, form_types=["lead_profile"], clock=clock, settings=settings, embedder=None
    ) as memory:
        for day in range(200):
            mine = memory.scoped(user=f"u{day % owners}")
            mine.record("lead_profile", {"company": f"Firm {day % 40}", "budget": f"{day + 1} EUR"})
            mine.observe(f"day {day} 天 nothing 无事 {day * 7}", id=f"m{day}")
            if day % 3 == 0:
                mine.recall(f"Firm {day % 20}?", include_cold=True)
            memory.upkeep()
            clock.advance(days=1)
        assert memory.verify().ok
    raw = sqlite3.connect(path)
    with raw:
        for table, mark in (("fulltext", "IS NULL"), ("fulltext_archive", "IS NOT NULL")):
            raw.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")
            kept = {
                2 * seq
                for (seq,) in raw.execute(f"SELECT seq FROM messages WHERE kind = 0 AND archived {mark}")
            }
            kept |= {2 * no + 1 for (no,) in raw.execute(f"SELECT no FROM forms WHERE archived {mark}")}
            assert docs(raw, table) == kept
    raw.close()
