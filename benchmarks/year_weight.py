"""What a store weighs: all of it, and what a default recall may read.

Bytes are those of the pages of the real file (SQLite's dbstat: a table with its indexes), shared out among its rows
by the length of their values. A default recall may read a Form that is active, warm and unexpired, its versions and
names, edges between two such Forms, a message younger than ``archive_after_days``, and those documents' full text and
vectors.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from forms_dynamics import Memory
from forms_dynamics.adapters.sql.mapping import DOCUMENTS
from forms_dynamics.language.terms import index_terms
from forms_dynamics.model.value import DAY, to_micros

_ARCHIVE = ("fulltext_archive", "vectors_archive")  # which default recalls do not read
_TABLES = ("forms", "versions", "keys", "edges", "messages", "vectors")


@dataclass(frozen=True, slots=True)
class Weight:
    """Bytes of the file in use, of what recalls may read in all, and of what a default recall may read; how many
    Forms and messages, and how many of them active."""

    file: int
    whole: int
    active: int
    forms: int
    active_forms: int
    messages: int
    active_messages: int


def weigh(memory: Memory, file: Path, users: Sequence[str], at: datetime) -> Weight:
    """Weighs a store of ``users`` on SQLite as it is at the moment ``at`` of the memory's clock; nothing may be
    writing meanwhile."""
    connection = sqlite3.connect(file)
    try:
        pages = _pages(connection)
        forms = _active_forms(memory, users)
        numbers = {no: id in forms for id, no in connection.execute("SELECT id, no FROM forms")}
        now = to_micros(at)
        days = memory.settings.archive_after_days
        since = None if days is None else now - int(days * DAY)
        young = {
            seq: since is None or max(time, arrived) >= since
            for seq, time, arrived in connection.execute(
                "SELECT seq, time, arrived FROM messages WHERE kind = 0"
            )
        }
        shares = {
            "forms": _share(connection, "forms", lambda row: numbers[row["no"]]),
            "versions": _share(connection, "versions", lambda row: numbers[row["form"]]),
            "keys": _share(connection, "keys", lambda row: numbers[row["form"]]),
            "edges": _share(
                connection, "edges",
                lambda row: row["status"] == 0 and numbers[row["source"]] and numbers[row["target"]],
            ),
            "messages": _share(connection, "messages", lambda row: row["kind"] != 0 or young[row["seq"]]),
            "vectors": _share(connection, "vectors", lambda row: _document(row, numbers, young)),
        }  # fmt: skip
        whole = sum(pages.get(table, 0) for table in (*_TABLES, "fulltext", *_ARCHIVE))
        texts = _share_of_text(connection, numbers, young)
        active = (
            sum(pages.get(table, 0) * shares[table] for table in _TABLES) + pages.get("fulltext", 0) * texts
        )
        return Weight(
            sum(pages.values()), whole, int(active), len(numbers), sum(numbers.values()), len(young),
            sum(young.values()),
        )  # fmt: skip
    finally:
        connection.close()


def _pages(connection: sqlite3.Connection) -> dict[str, int]:
    """Bytes by table, its indexes included; the full text's own tables count as ``fulltext``."""
    tables = dict(connection.execute("SELECT name, tbl_name FROM sqlite_master"))
    out: dict[str, int] = {}
    try:
        found = connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name").fetchall()
    except sqlite3.OperationalError:  # not compiled in: values alone
        found = [(name, _length(connection, name)) for name in set(tables.values())]
    for name, size in found:
        table = tables.get(name, name)
        for virtual in ("fulltext_archive", "fulltext"):
            if table.startswith(virtual + "_"):
                table = virtual
                break
        out[table] = out.get(table, 0) + (size or 0)
    return out


def _length(connection: sqlite3.Connection, table: str) -> int:
    try:
        columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
        told = " + ".join(f'coalesce(length(CAST("{c}" AS BLOB)), 0)' for c in columns)
        return int(connection.execute(f'SELECT sum({told}) FROM "{table}"').fetchone()[0] or 0)
    except sqlite3.OperationalError:  # a virtual table that only its own tables hold
        return 0


def _share(connection: sqlite3.Connection, table: str, active: Callable[[sqlite3.Row], bool]) -> float:
    """The active rows' part of the length of all values of a table."""
    connection.row_factory = sqlite3.Row
    whole = part = 0
    for row in connection.execute(f"SELECT * FROM {table}"):
        size = sum(len(v) if isinstance(v, bytes | str) else 4 for v in row if v is not None)
        whole += size
        part += size if active(row) else 0
    connection.row_factory = None
    return part / whole if whole else 1.0


def _share_of_text(
    connection: sqlite3.Connection, forms: Mapping[int, bool], messages: Mapping[int, bool]
) -> float:
    """The active documents' part of the postings (terms of documents, each once) that stand outside the archive."""
    whole = part = 0
    columns = {row[1] for row in connection.execute("PRAGMA table_info(messages)")}
    outside = "archived IS NULL" if "archived" in columns else "1"
    for table, column, active in (("forms", "no", forms), ("messages", "seq", messages)):
        text = "words" if table == "forms" else "text"
        where = outside if table == "forms" else f"kind = 0 AND {outside}"
        for number, words in connection.execute(f"SELECT {column}, {text} FROM {table} WHERE {where}"):
            size = len(set(index_terms(words)))
            whole += size
            part += size if active[number] else 0
    return part / whole if whole else 1.0


def _document(row: sqlite3.Row, forms: Mapping[int, bool], messages: Mapping[int, bool]) -> bool:
    kind, doc = DOCUMENTS[row["kind"]], row["doc"]
    return forms.get(doc, False) if kind == "form" else messages.get(doc, False)


def _active_forms(memory: Memory, users: Sequence[str]) -> set[str]:
    """Ids of the users' Forms that a default recall may show now."""
    out: set[str] = set()
    for user in users:
        own, after = memory.scoped(user=user), None
        while page := own.find(status="active", limit=500, after=after):
            out.update(form.id for form in page if not form.expired and not form.cold)
            after = page[-1].id
    return out


__all__ = ["Weight", "weigh"]
