"""The store on PostgreSQL, through psycopg 3.

A write transaction holds one advisory lock a (tenant, owner), so that what it read stays true until it
commits; seq and Form numbers are given under the tenant's row in ``counters``. Connections are taken from
those that are idle, one a thread at work.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, overload

from forms_dynamics.adapters.sql import migrations, queries
from forms_dynamics.adapters.sql.driver import Transaction
from forms_dynamics.adapters.sql.erasing import Erasing
from forms_dynamics.adapters.sql.fulltext import FullText, doc_tokens
from forms_dynamics.adapters.sql.mapping import Row
from forms_dynamics.adapters.sql.queries import spelled
from forms_dynamics.adapters.sql.suspects import Suspects
from forms_dynamics.errors import Conflict, InvalidInput, StoreTooOld, StoreUnavailable
from forms_dynamics.model.record import ChangeSet, Scope

if TYPE_CHECKING:
    import psycopg

_MOST_TERM_BYTES = 900_000  # a tsvector holds one megabyte: the rest of a longer document is not searched
_MANY = 2_000  # rows of one table and transaction of which the planner has to know
_MIGRATING = 0x464F524D  # the advisory lock under which one process at a time makes or migrates the tables
_FULL_TEXT = ("fulltext", "fulltext_archive")
_OURS = [*queries.TABLES, *_FULL_TEXT]


class PostgresStore(FullText, Suspects, Erasing):
    """Tables in the first schema of the connection's search path."""

    name = "psycopg"

    def __init__(self, url: str, *, read_only: bool = False, synchronous: str = "normal") -> None:
        try:
            import psycopg
        except ImportError as missing:
            raise StoreUnavailable(
                "PostgreSQL needs psycopg: pip install 'forms_dynamics[postgres]'"
            ) from missing
        super().__init__(url, read_only)
        self._psycopg = psycopg
        self._synchronous = "on" if synchronous == "full" else "local"
        self._idle: deque[psycopg.Connection[Row]] = deque()
        self._closed = False
        try:
            connection = self._connect()
            self._prepare(connection)
            self._give(connection)
        except BaseException:
            self.close()
            raise

    # -- opening -----------------------------------------------------------------------------------------
    def _connect(self) -> psycopg.Connection[Row]:
        try:
            connection = self._psycopg.connect(self.url, autocommit=True, connect_timeout=10)
            connection.prepare_threshold = 2
            connection.execute(f"SET synchronous_commit = {self._synchronous}")
            if self.read_only:
                connection.execute("SET default_transaction_read_only = on")
        except self._psycopg.Error as failed:
            raise self._failed(failed) from failed
        return connection

    def _version(self, connection: psycopg.Connection[Row]) -> int:
        """Schema version; 0 where there is none of our tables. StoreUnavailable beside tables of another."""
        rows = connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename = ANY(%s)",
            ([*_OURS, "schema_steps"],),
        ).fetchall()
        tables = {row[0] for row in rows}
        if "schema_steps" in tables:
            return int(connection.execute(migrations.VERSION).fetchall()[0][0] or 0)
        if tables:
            raise StoreUnavailable(
                f"{self._shown()} has tables of something else ({', '.join(sorted(tables))}):"
                " name another database, or a schema with ?options=-csearch_path%3Dname"
            )
        return 0

    def _prepare(self, connection: psycopg.Connection[Row]) -> None:
        with self._errors():
            version = self._version(connection)
            if version and migrations.up_to_date(self._shown(), version):
                return
            if self.read_only:
                raise StoreTooOld(
                    f"{self._shown()} has schema version {version},"
                    f" this release reads {migrations.current()}:"
                    " open it once for writing, which makes or migrates it"
                )
            with connection.transaction():
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATING,))
                version = self._version(connection)
                if not (version and migrations.up_to_date(self._shown(), version)):
                    migrations.migrate(self._shown(), "postgresql", version, lambda sql, params: self._step(
                        connection, sql, params
                    ))  # fmt: skip

    @staticmethod
    def _step(connection: psycopg.Connection[Row], sql: str, params: Sequence[object]) -> None:
        connection.execute(spelled(sql, "psycopg").encode(), params or None)

    def _shown(self) -> str:
        """The URL without its password."""
        head, at, tail = self.url.rpartition("@")
        scheme, _, user = head.partition("://")
        return f"{scheme}://{user.partition(':')[0]}@{tail}" if at else self.url

    def _failed(self, error: BaseException) -> StoreUnavailable:
        return StoreUnavailable(f"{self._shown()}: {str(error).strip()}")

    # -- statements --------------------------------------------------------------------------------------
    def _take(self) -> psycopg.Connection[Row]:
        if self._closed:
            raise StoreUnavailable(f"{self._shown()} is closed")
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return self._connect()
            if not connection.closed:
                return connection

    def _give(self, connection: psycopg.Connection[Row]) -> None:
        if self._closed:
            connection.close()
        elif not connection.closed:
            self._idle.append(connection)

    def _rows(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        transaction = self._local.transaction
        if transaction is not None:
            with self._errors():
                return self._fetch(transaction.connection, sql, params)
        connection = self._take()
        try:
            try:
                with self._errors():
                    return self._fetch(connection, sql, params)
            except StoreUnavailable:
                if not connection.closed:
                    raise
            # an idle connection that the server ended meanwhile: once more, on a new one
            self._idle.clear()
            connection = self._connect()
            with self._errors():
                return self._fetch(connection, sql, params)
        finally:
            self._give(connection)

    @staticmethod
    def _fetch(connection: psycopg.Connection[Row], sql: str, params: Sequence[Any]) -> list[Row]:
        return connection.execute(spelled(sql, "psycopg").encode(), params).fetchall()

    def _run(self, sql: str, params: Sequence[Any] = ()) -> int:
        with self._errors():
            return int(
                self._transaction().connection.execute(spelled(sql, "psycopg").encode(), params).rowcount
            )

    def _many(self, sql: str, rows: Sequence[Row]) -> int:
        if not rows:
            return 0
        with self._errors(), self._transaction().connection.cursor() as cursor:
            cursor.executemany(spelled(sql, "psycopg").encode(), rows)
            changed = int(cursor.rowcount)
        if sql.startswith("INSERT INTO "):
            self._tell_planner(sql.split(" ", 3)[2], len(rows))
        return changed

    def _tell_planner(self, table: str, rows: int) -> None:
        """The planner knows nothing of rows that are not committed: in a transaction of very many it would
        soon read the whole table for each look-up, so it is told as the table grows."""
        transaction = self._transaction()
        transaction.rows[table] += rows
        if transaction.rows[table] >= max(_MANY, 4 * transaction.told.get(table, 0)):
            transaction.told[table] = transaction.rows[table]
            with self._errors():
                transaction.connection.execute(f"ANALYZE (SKIP_LOCKED) {table}".encode())

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except self._psycopg.IntegrityError as clash:
            raise Conflict(f"another row stands in the way: {str(clash).strip()}") from clash
        except self._psycopg.DataError as unfit:
            raise InvalidInput(f"a value that cannot be stored: {str(unfit).strip()}") from unfit
        except self._psycopg.Error as failed:
            raise self._failed(failed) from failed
        except UnicodeEncodeError as unfit:
            raise InvalidInput(
                f"text with half a character (a lone surrogate) at {unfit.start} cannot be stored"
            ) from unfit

    def _list(self, values: Iterable[Any]) -> list[Any]:
        return list(values)

    # -- transactions ------------------------------------------------------------------------------------
    @contextmanager
    def writing(self, scope: Scope) -> Iterator[None]:
        if self.read_only:
            raise StoreUnavailable(f"{self._shown()} was opened read_only")
        if self._local.transaction is not None:
            with self._errors():
                self._lock(self._local.transaction, scope)
            yield
            return
        with self._errors():
            connection = self._begin(scope)
        with self._begun(connection, scope):
            yield

    @contextmanager
    def _begun(self, connection: psycopg.Connection[Row], scope: Scope) -> Iterator[None]:
        """This thread's transaction, which the connection has begun: committed at the end, or rolled back."""
        transaction = Transaction(connection)
        transaction.locked.add(scope[:2])
        try:
            self._local.transaction = transaction
            try:
                yield
                with self._errors():
                    connection.execute("COMMIT")
            except BaseException:
                if not connection.closed:
                    connection.execute("ROLLBACK")
                raise
            finally:
                self._local.transaction = None
        finally:
            self._give(connection)
        self._keep(transaction)
        if transaction.erased:
            self._scrub()

    def try_apply(self, scope: Scope, changes: ChangeSet) -> bool:
        if self.read_only or self._local.transaction is not None:
            self.apply(scope, changes)
            return True
        self._space(scope)  # known from here on: no other owner's first writer is waited for
        with self._errors():
            connection = self._begin(scope, wait=False)
        if connection is None:
            return False
        with self._begun(connection, scope):
            self.apply(scope, changes)
        return True

    @overload
    def _begin(self, scope: Scope) -> psycopg.Connection[Row]: ...

    @overload
    def _begin(self, scope: Scope, *, wait: Literal[False]) -> psycopg.Connection[Row] | None: ...

    def _begin(self, scope: Scope, *, wait: bool = True) -> psycopg.Connection[Row] | None:
        """A connection in a transaction that holds the owner's lock; a dead idle connection is replaced. Without
        ``wait`` None where another holds the lock."""
        while True:
            idle = bool(self._idle)
            connection = self._take()
            try:
                connection.execute("BEGIN")
                if wait:
                    self._lock_owner(connection, scope)
                elif not self._lock_free_owner(connection, scope):
                    connection.execute("ROLLBACK")
                    self._give(connection)
                    return None
                return connection
            except self._psycopg.OperationalError:
                if not (idle and connection.closed):
                    self._give(connection)
                    raise

    def _lock(self, transaction: Transaction, scope: Scope) -> None:
        """A transaction that goes on to another owner holds that one's lock as well."""
        if scope[:2] not in transaction.locked:
            self._lock_owner(transaction.connection, scope)
            transaction.locked.add(scope[:2])

    def _lock_owner(self, connection: psycopg.Connection[Row], scope: Scope) -> None:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_owner_lock(scope),))
        if scope[:2] not in self._spaces:
            # a tenant's and an owner's first writer numbers them, one at a time
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATING + 1,))

    def _lock_free_owner(self, connection: psycopg.Connection[Row], scope: Scope) -> bool:
        """The owner's lock, if nobody holds it; False, too, where the owner is still to be numbered."""
        if scope[:2] not in self._spaces:
            return False
        sql = "SELECT pg_try_advisory_xact_lock(%s)"
        return bool(connection.execute(sql, (_owner_lock(scope),)).fetchall()[0][0])

    @contextmanager
    def _atomic(self) -> Iterator[None]:
        with self._transaction().connection.transaction():
            yield

    # -- full text ---------------------------------------------------------------------------------------
    def _add_docs(
        self, tenant: int, owner: int, docs: Sequence[tuple[int, str]], archived: bool = False
    ) -> None:
        rows = [(tenant, owner, doc, _lexemes(doc_tokens(tenant, owner, text))) for doc, text in docs]
        self._many(
            f"INSERT INTO {_FULL_TEXT[archived]} (tenant, owner, doc, terms)"
            " VALUES (?, ?, ?, array_to_tsvector(?::text[]))"
            " ON CONFLICT (tenant, owner, doc) DO UPDATE SET terms = excluded.terms",
            rows,
        )

    def _drop_docs(
        self, tenant: int, owner: int, docs: Sequence[tuple[int, str]], archived: bool = False
    ) -> None:
        if docs:
            sql = f"DELETE FROM {_FULL_TEXT[archived]} WHERE tenant = ? AND owner = ? AND doc IN ?[]"
            self._run(sql, (tenant, owner, [doc for doc, _ in docs]))

    def _move_docs(self, space: tuple[int, int], docs: Sequence[tuple[int, str]], archived: bool) -> None:
        sql = (
            f"WITH moved AS (DELETE FROM {_FULL_TEXT[not archived]} WHERE tenant = ? AND owner = ? AND doc IN ?[]"
            f" RETURNING tenant, owner, doc, terms) INSERT INTO {_FULL_TEXT[archived]} SELECT * FROM moved"
        )
        self._run(sql, (*space, [doc for doc, _ in docs]))

    def _drop_all_docs(self, tenant: int, owner: int) -> None:
        for table in _FULL_TEXT:
            self._run(f"DELETE FROM {table} WHERE tenant = ? AND owner = ?", (tenant, owner))

    def _postings(
        self, tokens: Sequence[str], limit: int, forms_only: bool, archived: bool = False
    ) -> list[int]:
        odd = " AND doc & 1 = 1" if forms_only else ""
        # the inner query is fenced: else the planner may walk all documents from the newest
        sql = (
            f"WITH found AS MATERIALIZED (SELECT doc FROM {_FULL_TEXT[archived]} WHERE terms @@ ?::tsquery{odd})"
            " SELECT doc FROM found ORDER BY doc DESC LIMIT ?"
        )
        return [row[0] for row in self._rows(sql, (_query(tokens), limit))]

    def _frequency(self, token: str, most: int, archived: bool = False) -> int:
        table = _FULL_TEXT[archived]
        sql = f"SELECT count(*) FROM (SELECT 1 FROM {table} WHERE terms @@ ?::tsquery LIMIT ?) AS found"
        return int(self._rows(sql, (_query([token]), most))[0][0])

    # -- files -------------------------------------------------------------------------------------------
    def _scrub(self) -> None:
        """Dead rows are taken out of the tables (the server's log and backups keep their own rules)."""
        connection = self._take()
        try:
            with self._errors():
                for table in _OURS:
                    connection.execute(f"VACUUM {table}".encode())
        finally:
            self._give(connection)

    def compact(self, seconds: float) -> bool:
        """Tells the planner what is there now; dead rows are the server's own work (autovacuum)."""
        until = time.monotonic() + seconds
        connection = self._take()
        try:
            with self._errors():
                for table in _OURS:
                    if time.monotonic() > until:
                        return False
                    connection.execute(f"ANALYZE (SKIP_LOCKED) {table}".encode())
        finally:
            self._give(connection)
        return True

    def integrity(self) -> list[str]:
        rows = self._rows(
            "SELECT indexrelid::regclass::text FROM pg_index"
            " WHERE NOT indisvalid AND indrelid::regclass::text IN ?[]",
            (_OURS,),
        )
        return [f"index {row[0]} is not valid: REINDEX it" for row in rows]

    def backup(self, path: str) -> None:
        """A copy of every table as a SQLite store in one new file; ``open_store(path)`` reads it."""
        from forms_dynamics.adapters.sql.copying import copy_to_sqlite

        if os.path.exists(path):
            raise InvalidInput(f"{path} exists: name a new file")
        connection = self._take()
        try:
            with self._errors(), connection.transaction():
                connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                copy_to_sqlite(lambda sql: connection.execute(sql.encode()).fetchall(), path)
        finally:
            self._give(connection)

    def close(self) -> None:
        self._closed = True
        while self._idle:
            self._idle.pop().close()


def _owner_lock(scope: Scope) -> int:
    key = hashlib.blake2b(f"{scope.tenant}\0{scope.owner}".encode(), digest_size=8).digest()
    return int.from_bytes(key, "big", signed=True)


def _lexemes(joined: str) -> list[str]:
    """Tokens as an array, as many as a tsvector takes."""
    if len(joined) > _MOST_TERM_BYTES // 4:
        joined = joined.encode()[:_MOST_TERM_BYTES].decode(errors="ignore")
    return joined.split(" ") if joined else []


def _query(tokens: Sequence[str]) -> str:
    """A tsquery for documents with all of the tokens, which are letters and digits only."""
    return " & ".join(f"'{token}'" for token in tokens)
