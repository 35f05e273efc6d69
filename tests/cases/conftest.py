from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .world import Worlds


@pytest.fixture
def worlds(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Worlds]:
    """Makes Worlds on SQLite, or on PostgreSQL where a test is marked with ``on_both``."""
    on = getattr(request, "param", "sqlite")
    url = request.getfixturevalue("postgres_schema")() if on == "postgres" else None
    made = Worlds(tmp_path, url)
    yield made
    made.close()
