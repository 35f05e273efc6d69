"""The store on SQLite and PostgreSQL.

sqlmodel gives the tables of a new store and is imported for that alone; reads and writes go through the
driver with the SQL of ``queries``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from forms_dynamics.errors import InvalidInput, StoreTooOld
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


@contextmanager
def opened_to_read(url: str | Path) -> Iterator[Store]:
    """A store that is only read, of an earlier release too: a SQLite file of one is read from a temporary copy."""
    try:
        store = open_store(url, read_only=True)
    except StoreTooOld:
        if str(url).startswith(("postgresql:", "postgres:")):
            raise
        with TemporaryDirectory() as folder:
            copy = Path(folder) / "copy.db"
            _copy(str(url).removeprefix("sqlite:///"), copy)
            store = open_store(copy)
            try:
                yield store
            finally:
                store.close()
        return
    try:
        yield store
    finally:
        store.close()


def _copy(path: str, to: Path) -> None:
    import sqlite3

    read = f"{Path(path).absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(read, uri=True)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target)


__all__ = ["open_store", "opened_to_read"]
