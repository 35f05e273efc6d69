"""The store on SQLite and PostgreSQL.

sqlmodel gives the tables of a new store and is imported for that alone; reads and writes go through the
driver with the SQL of ``queries``.
"""

from __future__ import annotations

from pathlib import Path

from forms_dynamics.errors import InvalidInput
from forms_dynamics.ports import Store


def open_store(url: str | Path, *, read_only: bool = False, synchronous: str = "normal") -> Store:
    """Opens (and makes or migrates) a store.

    ``url``: a path, ``sqlite:///path``, ``:memory:`` or ``sqlite://`` (in memory, shared by the threads of
    this process through the one Store), ``postgresql://…``. ``synchronous``: normal survives the end of the
    process, full the end of power too. Raises StoreUnavailable, StoreTooNew, InvalidInput (unknown scheme).
    """
    text = str(url)
    scheme, found, rest = text.partition("://")
    if found and scheme in ("postgresql", "postgres"):
        from forms_dynamics.adapters.sql.postgres import PostgresStore

        return PostgresStore(text, read_only=read_only, synchronous=synchronous)
    from forms_dynamics.adapters.sql.sqlite import SqliteStore

    if not found:
        path = None if text == ":memory:" else text
    elif scheme == "sqlite":
        path = None if rest in ("", "/", "/:memory:") else rest.removeprefix("/")
    else:
        raise InvalidInput(
            f"{text!r}: a store is a path, sqlite:///path, :memory: or postgresql://host/database"
        )
    if path == "":
        raise InvalidInput("an empty path names no store")
    return SqliteStore(path, read_only=read_only, synchronous=synchronous)


__all__ = ["open_store"]
