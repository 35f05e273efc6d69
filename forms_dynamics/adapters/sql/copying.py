"""A PostgreSQL store as a SQLite file: the tables are the same."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from forms_dynamics.adapters.sql import queries
from forms_dynamics.adapters.sql.sqlite import SqliteStore
from forms_dynamics.model.record import Scope


def copy_to_sqlite(read: Callable[[str], Sequence[tuple[Any, ...]]], path: str) -> None:
    """Writes what ``read`` gives, table by table, into a new store at ``path``; full text is built anew."""
    part = f"{path}.part"
    store = SqliteStore(part)
    try:
        scope = Scope("", "")
        with store.writing(scope):
            for table in queries.TABLES:
                columns = [row[1] for row in store._rows(f"PRAGMA table_info({table})")]
                rows = read(f"SELECT {', '.join(columns)} FROM {table}")
                marks = ", ".join("?" for _ in columns)
                store._many(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)
        for tenant, owner in store._rows("SELECT tenant, owner FROM spaces"):
            store.index_texts(Scope(tenant, owner))
    except BaseException:
        store.close()
        os.unlink(part)
        raise
    store.close()
    os.replace(part, path)
