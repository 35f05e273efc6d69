from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .world import Worlds


@pytest.fixture
def worlds(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Worlds]:
    """Makes Worlds on SQLite, or on PostgreSQL where a test is marked with ``on_both``."""
    url = (
        request.getfixturevalue("postgres_url") if getattr(request, "param", "sqlite") == "postgres" else None
    )
    made = Worlds(tmp_path, url)
    yield made
    made.close()
