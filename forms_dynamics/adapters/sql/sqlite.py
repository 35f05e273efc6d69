"""The store in one SQLite file (or in memory), through the driver of the standard library.

WAL, so that readers and one writer do not wait for each other; writers begin immediate and wait up to 30 s.
A connection serves one thread at a time: it is taken from those that are idle, so there are never more than
threads at work. A store in memory has one connection and a lock.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from forms_dynamics.adapters.sql import migrations
from forms_dynamics.adapters.sql.driver import Transaction
from forms_dynamics.adapters.sql.erasing import Erasing
from forms_dynamics.adapters.sql.followed import Followed
from forms_dynamics.adapters.sql.fulltext import FullText, doc_tokens
from forms_dynamics.adapters.sql.mapping import Row
from forms_dynamics.adapters.sql.queries import spelled
from forms_dynamics.adapters.sql.suspects import Suspects
from forms_dynamics.errors import Conflict, InvalidInput, StoreTooOld, StoreUnavailable
from forms_dynamics.model.record import ChangeSet, Scope

_WAIT = 30.0  # seconds for another writer
_LITTLE = 1_000_000  # bytes: with less than this free a disk counts as full
_PAGES = 100  # of full text that one step of ``compact`` writes at most
_AT_ONCE = 16_000_000  # bytes of full text that are merged in one go: a second and a half
_FULL_TEXT = ("fulltext", "fulltext_archive")
_APPLICATION = 0x464F524D  # "FORM", SQLite's application_id: which files are ours


class SqliteStore(FullText, Followed, Suspects, Erasing):
    """``path`` None: in memory, gone with ``close``."""

    name = "sqlite"

    def __init__(self, path: str | None, *, read_only: bool = False, synchronous: str = "normal") -> None:
        super().__init__(f"sqlite:///{path}" if path else "sqlite://", read_only)
        self.path = path
        self._synchronous = "FULL" if synchronous == "full" else "NORMAL"
        self._idle: deque[sqlite3.Connection] = deque()
        self._opened: list[sqlite3.Connection] = []
        self._lock = threading.RLock()
        self._one: sqlite3.Connection | None = None  # the only connection of a store in memory
        self._immutable = False
        self._closed = False
        self._complete = OrderedDict()
        try:
            self._start()
        except BaseException:
            for connection in self._opened:  # nobody else has any yet
                connection.close()
            raise

    # -- opening ---------------------------------------------------------------------------------------
    def _start(self) -> None:
        if self.path is None:
            self._one = self._connect()
            self._prepare(self._one)
            return
        self._look()
        try:
            connection = self._connect()
            if not self.read_only:
                self._prepare(connection)
            else:
                self._read_version(connection)
        except sqlite3.Error as failed:
            raise self._failed(failed) from failed
        self._idle.append(connection)

    def _look(self) -> None:
        """Says plainly what stands in the way of a file."""
        path = Path(str(self.path))
        if path.is_dir():
            raise StoreUnavailable(f"{path} is a folder: name a file in it")
        if not path.exists():
            if self.read_only:
                raise StoreUnavailable(f"no store at {path}: open it once for writing, which makes it")
            if not path.parent.is_dir():
                raise StoreUnavailable(f"no folder {path.parent}: make it first")
            if not os.access(path.parent, os.W_OK):
                raise StoreUnavailable(f"the folder {path.parent} is not writable")
        elif not self.read_only and not os.access(path, os.W_OK):
            raise StoreUnavailable(f"{path} is not writable: change its rights or open it read_only")
        elif not self.read_only and not writable(path):
            raise StoreUnavailable(
                f"the folder {path.parent} is not writable, and {path.name} needs files beside it to be written:"
                " change its rights or open it read_only"
            )
        elif not os.access(path, os.R_OK):
            raise StoreUnavailable(f"{path} is not readable: change its rights")
        # a folder that takes no -shm file and holds no -wal file: nobody is writing there, so the file may be read as
        # it is; a -wal file holds what is newer than the file
        apart = self.read_only and not os.access(path.parent, os.W_OK)
        log = _beside(path, "-wal")
        self._immutable = apart and not (log.exists() and log.stat().st_size)
        if apart and not self._immutable:
            for beside in (log, _beside(path, "-shm")):
                if not os.access(beside, os.R_OK):
                    raise StoreUnavailable(
                        f"{path} has changes in {log.name} that cannot be read without {beside.name}: open it once"
                        " where the folder is writable, or copy both files there"
                    )

    def _connect(self) -> sqlite3.Connection:
        if self.path is None:
            target, uri = ":memory:", False
        elif self.read_only:
            mode = "immutable=1" if self._immutable else "mode=ro"
            target, uri = f"{Path(self.path).absolute().as_uri()}?{mode}", True
        else:
            target, uri = self.path, False
        connection = sqlite3.connect(
            target,
            timeout=_WAIT,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
            uri=uri,
        )
        self._opened.append(connection)
        connection.execute(f"PRAGMA synchronous = {self._synchronous}")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA cache_size = -16000")
        return connection

    def _read_version(self, connection: sqlite3.Connection) -> None:
        """A store that is only read must be there and of this release's schema."""
        version = self._version(connection)
        if not migrations.up_to_date(self.url, version):
            raise StoreTooOld(
                f"{self.path} has schema version {version}, this release reads {migrations.current()}:"
                " open it once for writing, which migrates it"
            )

    def _version(self, connection: sqlite3.Connection) -> int:
        """Schema version; 0 for an empty file. StoreUnavailable for a database of something else."""
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "schema_steps" in tables:
            return int(connection.execute(migrations.VERSION).fetchone()[0] or 0)
        if tables:
            raise StoreUnavailable(f"{self.path} is a database of something else: name another file")
        return 0

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Makes or migrates the tables; several processes may come at once."""
        if self._version(connection) and migrations.up_to_date(self.url, self._version(connection)):
            return
        if self.path is not None:
            self._use_wal(connection)
        connection.execute("BEGIN IMMEDIATE")
        try:
            version = self._version(connection)
            if not (version and migrations.up_to_date(self.url, version)):
                migrations.migrate(self.url, "sqlite", version, connection.execute)
                if version == 0:
                    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    @staticmethod
    def _use_wal(connection: sqlite3.Connection) -> None:
        """The switch to WAL does not wait for others by itself."""
        until = time.monotonic() + _WAIT
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as busy:
                if busy.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
                time.sleep(0.01)

    def _failed(self, error: BaseException) -> StoreUnavailable:
        name = self.path or "the store in memory"
        text = str(error)
        if "locked" in text:
            return StoreUnavailable(f"{name}: another process has held the write lock for over {_WAIT:.0f} s")
        if "not a database" in text or "malformed" in text:
            return StoreUnavailable(f"{name} is damaged or no SQLite database: restore a backup ({text})")
        if "readonly" in text:
            return StoreUnavailable(f"{name} cannot be written ({text})")
        code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
        if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            return StoreUnavailable(f"{name}: {_of_the_disk(self.path, code, text)}")
        return StoreUnavailable(f"{name}: {text}")

    # -- statements ------------------------------------------------------------------------------------
    def _take(self) -> sqlite3.Connection:
        if self._closed:
            raise StoreUnavailable(f"{self.url} is closed")
        if self._one is not None:
            self._lock.acquire()
            return self._one
        try:
            return self._idle.pop()
        except IndexError:
            try:
                return self._connect()
            except sqlite3.Error as failed:
                raise self._failed(failed) from failed

    def _give(self, connection: sqlite3.Connection) -> None:
        if self._one is not None:
            self._lock.release()
            return
        with self._lock:
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def _rows(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        transaction = self._local.transaction
        connection = self._take() if transaction is None else transaction.connection
        try:
            return connection.execute(spelled(sql, "sqlite"), params).fetchall()
        except sqlite3.Error as failed:
            raise self._failed(failed) from failed
        except (UnicodeEncodeError, OverflowError) as unfit:
            raise _unfit(unfit) from unfit
        finally:
            if transaction is None:
                self._give(connection)

    def _run(self, sql: str, params: Sequence[Any] = ()) -> int:
        with self._errors():
            return int(self._transaction().connection.execute(spelled(sql, "sqlite"), params).rowcount)

    def _many(self, sql: str, rows: Sequence[Row]) -> int:
        if not rows:
            return 0
        with self._errors():
            return int(self._transaction().connection.executemany(spelled(sql, "sqlite"), rows).rowcount)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError as clash:
            raise Conflict(f"another row stands in the way: {clash}") from clash
        except sqlite3.Error as failed:
            raise self._failed(failed) from failed
        except (UnicodeEncodeError, OverflowError) as unfit:
            raise _unfit(unfit) from unfit

    def _list(self, values: Iterable[Any]) -> str:
        return json.dumps(list(values))

    # -- transactions ----------------------------------------------------------------------------------
    @contextmanager
    def writing(self, scope: Scope) -> Iterator[None]:
        if self.read_only:
            raise StoreUnavailable(f"{self.path} was opened read_only")
        if self._local.transaction is not None:
            yield
            return
        connection = self._take()
        try:
            with self._errors():
                connection.execute("BEGIN IMMEDIATE")
            with self._begun(connection) as transaction:
                yield
        finally:
            self._give(connection)
        self._finish(transaction)

    @contextmanager
    def _begun(self, connection: sqlite3.Connection) -> Iterator[Transaction]:
        """This thread's transaction, which the connection has begun: committed at the end, or rolled back."""
        transaction = self._local.transaction = Transaction(connection)
        try:
            yield transaction
            with self._errors():
                connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        finally:
            self._local.transaction = None

    def _finish(self, transaction: Transaction) -> None:
        self._keep(transaction)
        if transaction.erased:
            self._scrub()

    def try_apply(self, scope: Scope, changes: ChangeSet) -> bool:
        if self.read_only or self._local.transaction is not None:
            self.apply(scope, changes)
            return True
        if self._one is not None and not self._lock.acquire(blocking=False):
            return False  # a store in memory has one connection, which another thread holds
        try:
            connection = self._take()
            try:
                if not self._begin_now(connection):
                    return False
                with self._begun(connection) as transaction:
                    self.apply(scope, changes)
            finally:
                self._give(connection)
        finally:
            if self._one is not None:
                self._lock.release()
        self._finish(transaction)
        return True

    def _begin_now(self, connection: sqlite3.Connection) -> bool:
        """Begins to write without waiting; False where somebody else writes."""
        with self._errors():
            connection.execute("PRAGMA busy_timeout = 0")
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as busy:
                if busy.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                    raise
                return False
            finally:
                connection.execute(f"PRAGMA busy_timeout = {int(_WAIT * 1000)}")
        return True

    @contextmanager
    def _atomic(self) -> Iterator[None]:
        connection = self._transaction().connection
        connection.execute("SAVEPOINT change")
        try:
            yield
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK TO change")
                connection.execute("RELEASE change")
            raise
        connection.execute("RELEASE change")

    # -- full text -------------------------------------------------------------------------------------
    def _add_docs(
        self, tenant: int, owner: int, docs: Sequence[tuple[int, str]], archived: bool = False
    ) -> None:
        rows = self._terms(tenant, owner, docs)
        self._many(f"INSERT INTO {_FULL_TEXT[archived]} (rowid, terms) VALUES (?, ?)", rows)

    def _drop_docs(
        self, tenant: int, owner: int, docs: Sequence[tuple[int, str]], archived: bool = False
    ) -> None:
        self._drop_terms(self._terms(tenant, owner, docs), archived)

    def _drop_terms(self, rows: Sequence[Row], archived: bool) -> None:
        table = _FULL_TEXT[archived]
        self._many(f"INSERT INTO {table} ({table}, rowid, terms) VALUES ('delete', ?, ?)", rows)

    def _move_docs(self, space: tuple[int, int], docs: Sequence[tuple[int, str]], archived: bool) -> None:
        rows = self._terms(*space, docs)
        self._drop_terms(rows, not archived)
        self._many(f"INSERT INTO {_FULL_TEXT[archived]} (rowid, terms) VALUES (?, ?)", rows)

    @staticmethod
    def _terms(tenant: int, owner: int, docs: Sequence[tuple[int, str]]) -> list[Row]:
        """Documents without terms stay out: FTS5 counts rows, and calls one deletion too many a damage."""
        rows = [(doc, doc_tokens(tenant, owner, text)) for doc, text in docs]
        return [row for row in rows if row[1]]

    def _drop_all_docs(self, tenant: int, owner: int) -> None:
        prefix = f"{tenant}x{owner}x"
        for archived, table in enumerate(_FULL_TEXT):
            terms: dict[int, list[str]] = {}
            for term, doc in self._rows(
                f"SELECT term, doc FROM {table}_postings WHERE term >= ? AND term < ?",
                (prefix, prefix[:-1] + "y"),
            ):
                terms.setdefault(doc, []).append(term)
            self._drop_terms([(doc, " ".join(held)) for doc, held in terms.items()], bool(archived))

    def _postings(
        self, tokens: Sequence[str], limit: int, forms_only: bool, archived: bool = False
    ) -> list[int]:
        match = " AND ".join(f'"{token}"' for token in tokens)
        odd = " AND rowid & 1" if forms_only else ""
        table = _FULL_TEXT[archived]
        sql = f"SELECT rowid FROM {table} WHERE {table} MATCH ?{odd} ORDER BY rowid DESC LIMIT ?"
        return [row[0] for row in self._rows(sql, (match, limit))]

    def _frequency(self, token: str, most: int, archived: bool = False) -> int:
        table = _FULL_TEXT[archived]
        sql = f"SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT ?)"
        return int(self._rows(sql, (f'"{token}"', most))[0][0])

    # -- files -----------------------------------------------------------------------------------------
    def _scrub(self) -> None:
        """Merges old full-text segments away, empties the log. ``secure_delete`` is not enough: a page
        that was rebuilt may keep stale copies of rows that moved, so the file is written anew."""
        connection = self._take()
        try:
            with self._errors():
                for table in _FULL_TEXT:
                    connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
                if self.path is not None:
                    connection.execute("VACUUM")
                    self._checkpoint(connection)
        finally:
            self._give(connection)

    def _checkpoint(self, connection: sqlite3.Connection) -> None:
        """Empties the log; waits for readers that still need it."""
        until = time.monotonic() + _WAIT
        while connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            if time.monotonic() > until:
                raise StoreUnavailable(
                    f"{self.path}: erased, but a long read keeps the old log: end it, then erase again"
                )
            time.sleep(0.02)

    def compact(self, seconds: float) -> bool:
        """Merges segments of full text some pages at a time, then, where the rest is small, all of it, so that what
        was moved or erased takes no room; moves the log into the file as far as readers let it. (PRAGMA optimize is
        left alone: its statistics would take the place of ``tables``' own. A merge of a negative count, which would
        do it all in steps, damages an index without content after some thousand changes with SQLite 3.40.)"""
        until = time.monotonic() + seconds
        connection = self._take()
        try:
            with self._errors():
                for table in _FULL_TEXT:
                    command = f"INSERT INTO {table} ({table}, rank) VALUES (?, ?)"
                    connection.execute(command, ("usermerge", 2))
                    before = -2
                    # FTS5 says by fewer than two changes that nothing was left to merge
                    while connection.total_changes - before >= 2:
                        if time.monotonic() > until:
                            return False
                        before = connection.total_changes
                        connection.execute(command, ("merge", _PAGES))
                    size = connection.execute(f"SELECT sum(length(block)) FROM {table}_data").fetchone()[0]
                    if size <= _AT_ONCE:
                        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
                if self.path is not None:
                    connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        finally:
            self._give(connection)
        return True

    def integrity(self) -> list[str]:
        found = [row[0] for row in self._rows("PRAGMA integrity_check")]
        return [] if found == ["ok"] else [str(each) for each in found]

    def backup(self, path: str) -> None:
        """A compact copy in one new file, consistent, beside traffic."""
        if Path(path).exists():
            raise InvalidInput(f"{path} exists: name a new file")
        if not Path(path).absolute().parent.is_dir():
            raise StoreUnavailable(f"no folder {Path(path).absolute().parent}: make it first")
        part = f"{path}.part"
        connection = self._take()
        try:
            with self._errors():
                connection.execute("VACUUM INTO ?", (part,))
        finally:
            self._give(connection)
        os.replace(part, path)

    def close(self) -> None:
        # what a thread is using is closed by that thread when it gives it back: SQLite does not survive less
        with self._lock:
            self._closed = True
            while self._idle:
                self._idle.pop().close()
            if self._one is not None:
                self._one.close()


def writable(path: Path) -> bool:
    """Whether the file may be written here, and the files that SQLite keeps beside it: they are there, or the folder
    takes them."""
    beside = [_beside(path, ending) for ending in ("-wal", "-shm")]
    takes = os.access(path.parent, os.W_OK) or all(os.access(each, os.W_OK) for each in beside)
    return takes and os.access(path, os.W_OK)


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _unfit(error: Exception) -> InvalidInput:
    if isinstance(error, UnicodeEncodeError):
        return InvalidInput(
            f"text with half a character (a lone surrogate) at {error.start} cannot be stored"
        )
    return InvalidInput(f"a number beyond 64 bits cannot be stored: {error}")


def _of_the_disk(path: str | None, code: int, text: str) -> str:
    """What a disk refused, and what to do: SQLite calls a full one an I/O error where its shared memory meets it."""
    free = None
    if path is not None:
        with suppress(OSError):
            free = shutil.disk_usage(Path(path).absolute().parent).free
    if code == sqlite3.SQLITE_FULL or (free is not None and free < _LITTLE):
        return f"the disk or its quota is full ({text}): free some room and try again; nothing of this was written"
    return (
        f"the disk failed ({text}): look at its state, the rights and the quota; nothing of this was written"
    )
