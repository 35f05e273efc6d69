"""Schema versions: numbered steps, added at the end and never changed.

A new store takes the tables as they are now (``tables.ddl``, the sum of all steps) and records every step
as done; an older one takes the steps it lacks, in one transaction. Table ``schema_steps`` holds the number
and name of each; the highest number is the store's version.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from forms_dynamics.errors import StoreTooNew, StoreUnavailable


class Step(NamedTuple):
    """One change of the schema, as SQL for each database."""

    number: int
    name: str
    sqlite: Sequence[str]
    postgresql: Sequence[str]


# Which Form types a store of the first release holds; in what shape is not known.
_UNKNOWN_SHAPES = (
    "INSERT INTO shapes (tenant, type, shape) SELECT DISTINCT f.tenant, s.word, '' FROM forms f"
    " JOIN symbols s ON s.tenant = f.tenant AND s.no = f.type WHERE f.status <> 2"
)

_LIFE = (
    "ALTER TABLE edges ADD COLUMN valid_from BIGINT",
    "ALTER TABLE edges ADD COLUMN valid_until BIGINT",
    "ALTER TABLE messages ADD COLUMN archived BIGINT",
    "ALTER TABLE forms ADD COLUMN archived BIGINT",
    "ALTER TABLE forms ADD COLUMN recalled BIGINT",
    "UPDATE forms SET recalled = 1 WHERE accessed IS NOT NULL",  # by a recall, as a rule
    "CREATE INDEX messages_idle ON messages (tenant, owner, archived,"
    " (CASE WHEN arrived > time THEN arrived ELSE time END), seq) WHERE kind = 0 AND state <> 4",
    "CREATE INDEX forms_idle ON forms (tenant, owner, type, archived,"
    " (CASE WHEN accessed > coalesce(updated, created) THEN accessed ELSE coalesce(updated, created) END), no)"
    " WHERE status = 0",
)

# Step 1 is the first release's tables: a store that lacks them is new and takes tables.ddl.
STEPS: list[Step] = [
    Step(1, "first tables", (), ()),
    Step(
        2,
        "shapes of Form types",
        (
            "CREATE TABLE shapes (tenant BIGINT NOT NULL, type TEXT NOT NULL, shape TEXT NOT NULL,"
            " PRIMARY KEY (tenant, type)) WITHOUT ROWID",
            _UNKNOWN_SHAPES,
        ),
        (
            'CREATE TABLE shapes (tenant BIGINT NOT NULL, type TEXT COLLATE "C" NOT NULL,'
            ' shape TEXT COLLATE "C" NOT NULL, PRIMARY KEY (tenant, type))',
            _UNKNOWN_SHAPES,
        ),
    ),
    Step(
        3,
        "replies of models, their cost, and why a message waits",
        (
            "CREATE TABLE replies (tenant BIGINT NOT NULL, owner BIGINT NOT NULL, reply_key TEXT NOT NULL,"
            " message TEXT NOT NULL, kept BIGINT NOT NULL, content TEXT NOT NULL, logprobs TEXT,"
            " calls BIGINT NOT NULL, tokens_in BIGINT NOT NULL, tokens_out BIGINT NOT NULL,"
            " PRIMARY KEY (tenant, owner, reply_key))",
            "CREATE INDEX replies_kept ON replies (tenant, owner, kept)",
            # as tables.ddl tells a new store
            "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES"
            " ('replies', 'sqlite_autoindex_replies_1', '1000000 1000000 100000 1'),"
            " ('replies', 'replies_kept', '1000000 1000000 100000 1')",
            "CREATE TABLE spent (tenant BIGINT NOT NULL, owner BIGINT NOT NULL, day BIGINT NOT NULL,"
            " calls BIGINT NOT NULL, tokens_in BIGINT NOT NULL, tokens_out BIGINT NOT NULL,"
            " PRIMARY KEY (tenant, owner, day)) WITHOUT ROWID",
            "ALTER TABLE messages ADD COLUMN waiting TEXT",
            "ANALYZE sqlite_schema",
        ),
        (
            'CREATE TABLE replies (tenant BIGINT NOT NULL, owner BIGINT NOT NULL, reply_key TEXT COLLATE "C"'
            ' NOT NULL, message TEXT COLLATE "C" NOT NULL, kept BIGINT NOT NULL, content TEXT COLLATE "C"'
            ' NOT NULL, logprobs TEXT COLLATE "C", calls BIGINT NOT NULL, tokens_in BIGINT NOT NULL,'
            " tokens_out BIGINT NOT NULL, PRIMARY KEY (tenant, owner, reply_key))",
            "CREATE INDEX replies_kept ON replies (tenant, owner, kept)",
            "CREATE TABLE spent (tenant BIGINT NOT NULL, owner BIGINT NOT NULL, day BIGINT NOT NULL,"
            " calls BIGINT NOT NULL, tokens_in BIGINT NOT NULL, tokens_out BIGINT NOT NULL,"
            " PRIMARY KEY (tenant, owner, day))",
            'ALTER TABLE messages ADD COLUMN waiting TEXT COLLATE "C"',
        ),
    ),
    Step(
        4,
        "validity of edges, and the archive of documents long untouched",
        (
            *_LIFE,
            "CREATE TABLE vectors_archive (tenant BIGINT NOT NULL, owner BIGINT NOT NULL,"
            " fingerprint BIGINT NOT NULL, kind BIGINT NOT NULL, doc BIGINT NOT NULL, part BIGINT NOT NULL,"
            " vector BLOB NOT NULL,"
            " PRIMARY KEY (tenant, owner, fingerprint, kind, doc, part))",
            "CREATE VIRTUAL TABLE fulltext_archive USING fts5"
            "(terms, content='', columnsize=0, detail=none, tokenize='ascii')",
            "CREATE VIRTUAL TABLE fulltext_archive_postings USING fts5vocab(fulltext_archive, 'instance')",
            # as tables.ddl tells a new store
            "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES"
            " ('messages', 'messages_idle', '1000000 1000000 100000 50000 1 1'),"
            " ('forms', 'forms_idle', '1000000 1000000 100000 10000 5000 1 1'),"
            " ('vectors_archive', 'sqlite_autoindex_vectors_archive_1',"
            " '1000000 1000000 100000 100000 50000 1 1')",
            "ANALYZE sqlite_schema",
        ),
        (
            *_LIFE,
            "CREATE TABLE vectors_archive (tenant BIGINT NOT NULL, owner BIGINT NOT NULL,"
            " fingerprint BIGINT NOT NULL, kind BIGINT NOT NULL, doc BIGINT NOT NULL, part BIGINT NOT NULL,"
            " vector BYTEA NOT NULL,"
            " PRIMARY KEY (tenant, owner, fingerprint, kind, doc, part))",
            "CREATE TABLE fulltext_archive (tenant BIGINT NOT NULL, owner BIGINT NOT NULL, doc BIGINT NOT NULL,"
            " terms TSVECTOR NOT NULL, PRIMARY KEY (tenant, owner, doc))",
            "CREATE INDEX fulltext_archive_terms ON fulltext_archive USING gin (terms) WITH (fastupdate = off)",
        ),
    ),
    # a state that no table needs room for, and that earlier releases cannot read
    Step(5, "messages that are withheld", (), ()),
]

STEPS_TABLE = "CREATE TABLE schema_steps (number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL)"
ADD_STEP = "INSERT INTO schema_steps (number, name) VALUES (?, ?)"
VERSION = "SELECT max(number) FROM schema_steps"


def current() -> int:
    """The schema version that this release writes."""
    return STEPS[-1].number


def up_to_date(url: str, version: int) -> bool:
    """Whether a store of ``version`` needs no step; StoreTooNew when it is ahead of this release."""
    if version > current():
        raise StoreTooNew(
            f"{url} has schema version {version}, this release reads up to {current()}:"
            " nothing was changed; install a later forms_dynamics"
        )
    return version == current()


def migrate(url: str, dialect: str, version: int, run: Callable[[str, Sequence[object]], object]) -> None:
    """Takes a store of ``version`` (0: new) to the current one. The caller holds the transaction and takes it
    back when this raises StoreUnavailable, which names the step and the store's version."""
    if version == 0:
        from forms_dynamics.adapters.sql.tables import ddl

        for statement in (STEPS_TABLE, *ddl(dialect)):
            run(statement, ())
        todo: list[Step] = []
    else:
        todo = [step for step in STEPS if step.number > version]
    for step in todo:
        try:
            for statement in step.sqlite if dialect == "sqlite" else step.postgresql:
                run(statement, ())
        except Exception as failed:
            raise StoreUnavailable(
                f"{url}: schema step {step.number} ({step.name}) failed, the store stays at version {version}"
                f" and nothing was changed: {failed}"
            ) from failed
    for step in STEPS if version == 0 else todo:
        run(ADD_STEP, (step.number, step.name))
