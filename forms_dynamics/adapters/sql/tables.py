"""The tables, once for both databases: the source of the DDL of a new store.

Only a new store imports this module (and with it sqlmodel); reads and writes go through the driver.

What keeps rows small: a tenant and an owner are numbers (``spaces``), so are the words of the schema that
every row repeats (``symbols``: types, key names, relations, causes) and a Form where a derived row names it
(``forms.no``, unique in its tenant); closed sets of words are small integers (``mapping``); a column that
says what a default says is NULL. On SQLite tables of small rows are clustered by their primary key; wide
rows are not, since a clustered row beyond a quarter of a page spills. Every primary key and index begins
with the tenant.

Times are microseconds since 1970 UTC.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    Index,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Text,
    text,
)
from sqlmodel import Field, SQLModel

from forms_dynamics.adapters.sql.queries import FORM_AGE, MESSAGE_AGE

METADATA = MetaData()
# bytewise order and comparison on both databases: SQLite's own; PostgreSQL's would follow the locale
_TEXT = Text().with_variant(Text(collation="C"), "postgresql")


class _Row(SQLModel):
    metadata = METADATA


def _int(*, null: bool = False) -> Any:
    return Field(sa_column=Column(BigInteger, nullable=null))


def _text(*, null: bool = False) -> Any:
    return Field(sa_column=Column(_TEXT, nullable=null))


def _blob(*, null: bool = False) -> Any:
    return Field(sa_column=Column(LargeBinary, nullable=null))


def _real() -> Any:
    return Field(sa_column=Column(Float(53), nullable=False))


def _table(*constraints: Any) -> tuple[Any, ...]:
    return (*constraints, {"sqlite_with_rowid": False})


def _most(name: str, *columns: Any, condition: str) -> Index:
    """An index of those rows that are documents: nearly all."""
    where = text(condition)
    return Index(name, *columns, sqlite_where=where, postgresql_where=where, info={"most": True})


def _where(name: str, *columns: str, condition: str) -> Index:
    return Index(name, *columns, sqlite_where=text(condition), postgresql_where=text(condition))


class Space(_Row, table=True):
    """A tenant and an owner, and the numbers that stand for them in every other table; owner "" is 0."""

    __tablename__ = "spaces"
    __table_args__ = _table(PrimaryKeyConstraint("tenant", "owner"))
    tenant: str = _text()
    owner: str = _text()
    tenant_no: int = _int()
    owner_no: int = _int()


class Symbol(_Row, table=True):
    """A word of the schema (never of a person) and its number."""

    __tablename__ = "symbols"
    __table_args__ = _table(PrimaryKeyConstraint("tenant", "no"))
    tenant: int = _int()
    no: int = _int()
    word: str = _text()


class Counter(_Row, table=True):
    """Highest number given so far: ``seq`` of messages, ``no`` of Forms."""

    __tablename__ = "counters"
    __table_args__ = _table(PrimaryKeyConstraint("tenant", "name"))
    tenant: int = _int()
    name: str = _text()
    value: int = _int()


class Shape(_Row, table=True):
    """What of a Form type decides how its stored Forms are read, as it was when they were written last."""

    __tablename__ = "shapes"
    __table_args__ = _table(PrimaryKeyConstraint("tenant", "type"))
    tenant: int = _int()
    type: str = _text()
    shape: str = _text()


class MessageRow(_Row, table=True):
    """``lease``: until when a worker has claimed the queued message, or when it was last given back. ``waiting``:
    why it is queued. ``archived`` 1: its full text and vectors stand in the archive; else NULL."""

    __tablename__ = "messages"
    __table_args__ = (
        PrimaryKeyConstraint("tenant", "owner", "kind", "seq"),
        Index("messages_id", "tenant", "owner", "id", unique=True),
        Index("messages_conversation", "tenant", "owner", "conversation", "kind", "seq"),
        _where("messages_queue", "tenant", "owner", "state", "seq", condition="state = 3"),
        _where("messages_queue_of", "tenant", "owner", "conversation", "state", "seq", condition="state = 3"),
        _most(
            "messages_idle",
            "tenant",
            "owner",
            "archived",
            text(MESSAGE_AGE),
            "seq",
            condition="kind = 0 AND state <> 4",
        ),
    )
    tenant: int = _int()
    owner: int = _int()
    kind: int = _int()
    seq: int = _int()
    id: str = _text()
    conversation: str = _text()
    speaker: str = _text()
    role: int = _int()
    text: str = _text()
    time: int = _int()
    utc_offset: int = _int()
    arrived: int = _int()
    state: int = _int()
    body: str | None = _text(null=True)
    lease: int | None = _int(null=True)
    waiting: str | None = _text(null=True)
    archived: int | None = _int(null=True)


class FormRow(_Row, table=True):
    """``updated`` NULL: as ``created``; ``accessed`` NULL: as ``updated``; ``head`` NULL: version
    1's payload. ``archived`` as of a message; ``recalled`` 1: a recall has shown it.

    An erased Form leaves its id and number (status erased, the rest blank) for the tombstones of its chain.
    """

    __tablename__ = "forms"
    __table_args__ = _table(
        PrimaryKeyConstraint("tenant", "owner", "id"),
        Index("forms_no", "tenant", "no", unique=True),
        Index("forms_type", "tenant", "owner", "type", "id"),
        _most(
            "forms_idle", "tenant", "owner", "type", "archived", text(FORM_AGE), "no", condition="status = 0"
        ),
    )
    tenant: int = _int()
    owner: int = _int()
    id: str = _text()
    no: int = _int()
    type: int = _int()
    type_version: int = _int()
    n: int = _int()
    status: int = _int()
    created: int = _int()
    updated: int | None = _int(null=True)
    accessed: int | None = _int(null=True)
    conversation: str = _text()
    head: str | None = _text(null=True)
    confirmed: str | None = _text(null=True)
    pending: int = _int()
    words: str = _text()
    archived: int | None = _int(null=True)
    recalled: int | None = _int(null=True)


class VersionRow(_Row, table=True):
    """``arrived`` NULL: as ``time``; ``payload`` and ``salt`` NULL once erased."""

    __tablename__ = "versions"
    __table_args__ = (
        PrimaryKeyConstraint("tenant", "owner", "form", "n"),
        Index("versions_message", "tenant", "owner", "message"),
    )
    tenant: int = _int()
    owner: int = _int()
    form: int = _int()
    n: int = _int()
    message: str = _text()
    time: int = _int()
    arrived: int | None = _int(null=True)
    cause: int = _int()
    payload: str | None = _text(null=True)
    salt: bytes | None = _blob(null=True)
    hash: bytes = _blob()


class KeyRow(_Row, table=True):
    """A name of a Form; ``slots`` without the Form's id where the record ends in "#" + id."""

    __tablename__ = "keys"
    __table_args__ = _table(
        PrimaryKeyConstraint("tenant", "owner", "name", "type", "slots", "form"),
        Index("keys_form", "tenant", "owner", "form"),
    )
    tenant: int = _int()
    owner: int = _int()
    name: str = _text()
    type: int = _int()
    slots: int = _int()
    form: int = _int()


class MentionRow(_Row, table=True):
    __tablename__ = "mentions"
    __table_args__ = _table(PrimaryKeyConstraint("tenant", "owner", "conversation", "type", "seq", "form"))
    tenant: int = _int()
    owner: int = _int()
    conversation: str = _text()
    type: int = _int()
    seq: int = _int()
    form: int = _int()
    by_user: int = _int()


class EdgeRow(_Row, table=True):
    """The two indexes give a hub's strongest active edges first, at either end."""

    __tablename__ = "edges"
    __table_args__ = _table(
        PrimaryKeyConstraint("tenant", "owner", "source", "relation", "target"),
        Index("edges_out", "tenant", "owner", "source", "status", "weight"),
        Index("edges_in", "tenant", "owner", "target", "status", "weight"),
        _where("edges_review", "tenant", "owner", "status", condition="status = 3"),
    )
    tenant: int = _int()
    owner: int = _int()
    source: int = _int()
    relation: int = _int()
    target: int = _int()
    weight: float = _real()
    hits: int = _int()
    last_hit: int = _int()
    created: int = _int()
    status: int = _int()
    made_by: int = _int()
    message: str | None = _text(null=True)
    span_start: int = _int()
    span_end: int = _int()
    attributes: str | None = _text(null=True)
    valid_from: int | None = _int(null=True)
    valid_until: int | None = _int(null=True)


class PendingRow(_Row, table=True):
    __tablename__ = "pendings"
    __table_args__ = _table(
        PrimaryKeyConstraint("tenant", "owner", "id"),
        Index("pendings_form", "tenant", "owner", "form"),
        Index("pendings_state", "tenant", "owner", "state", "asked"),
        Index("pendings_message", "tenant", "owner", "message"),
    )
    tenant: int = _int()
    owner: int = _int()
    id: str = _text()
    form: str | None = _text(null=True)
    type: int = _int()
    slot: str | None = _text(null=True)
    value: str = _text()
    confidence: float = _real()
    reason: str = _text()
    question: str = _text()
    candidates: str = _text()
    asked: int = _int()
    state: int = _int()
    message: str = _text()
    draft: str = _text()


class ActRow(_Row, table=True):
    __tablename__ = "acts"
    __table_args__ = _table(PrimaryKeyConstraint("tenant", "owner", "id"))
    tenant: int = _int()
    owner: int = _int()
    id: str = _text()
    kind: str = _text()
    form: str | None = _text(null=True)
    time: int = _int()
    body: str = _text()


class ReplyRow(_Row, table=True):
    """A model's reply that was paid for; ``reply_key`` is a digest of the question."""

    __tablename__ = "replies"
    __table_args__ = (
        PrimaryKeyConstraint("tenant", "owner", "reply_key"),
        Index("replies_kept", "tenant", "owner", "kept"),
    )
    tenant: int = _int()
    owner: int = _int()
    reply_key: str = _text()
    message: str = _text()
    kept: int = _int()
    content: str = _text()
    logprobs: str | None = _text(null=True)
    calls: int = _int()
    tokens_in: int = _int()
    tokens_out: int = _int()


class SpentRow(_Row, table=True):
    """What models cost an owner on one day (UTC)."""

    __tablename__ = "spent"
    __table_args__ = _table(PrimaryKeyConstraint("tenant", "owner", "day"))
    tenant: int = _int()
    owner: int = _int()
    day: int = _int()
    calls: int = _int()
    tokens_in: int = _int()
    tokens_out: int = _int()


class _VectorRow(_Row):
    """One chunk of a document: ``doc`` is a message's seq or a Form's no, by ``kind``. Columns of more than one table
    are given by their type: a Column belongs to one."""

    tenant: int = Field(sa_type=BigInteger)
    owner: int = Field(sa_type=BigInteger)
    fingerprint: int = Field(sa_type=BigInteger)
    kind: int = Field(sa_type=BigInteger)
    doc: int = Field(sa_type=BigInteger)
    part: int = Field(sa_type=BigInteger)
    vector: bytes = Field(sa_type=LargeBinary)


def _vector_key() -> PrimaryKeyConstraint:
    return PrimaryKeyConstraint("tenant", "owner", "fingerprint", "kind", "doc", "part")


class VectorTableRow(_VectorRow, table=True):
    """Vectors of what default recalls search."""

    __tablename__ = "vectors"
    __table_args__ = (_vector_key(),)


class VectorArchiveRow(_VectorRow, table=True):
    """As ``vectors``, of documents that are archived."""

    __tablename__ = "vectors_archive"
    __table_args__ = (_vector_key(),)


_FULL_TEXT = {
    # Postings only: the text stands in messages and forms, ranking reads it there. The ascii tokenizer takes
    # every character beyond ASCII as part of a term, so terms go in and come out as they are.
    "sqlite": (
        "CREATE VIRTUAL TABLE fulltext USING fts5"
        "(terms, content='', columnsize=0, detail=none, tokenize='ascii')",
        "CREATE VIRTUAL TABLE fulltext_terms USING fts5vocab(fulltext, 'row')",
        "CREATE VIRTUAL TABLE fulltext_postings USING fts5vocab(fulltext, 'instance')",
        "CREATE VIRTUAL TABLE fulltext_archive USING fts5"
        "(terms, content='', columnsize=0, detail=none, tokenize='ascii')",
        "CREATE VIRTUAL TABLE fulltext_archive_postings USING fts5vocab(fulltext_archive, 'instance')",
    ),
    "postgresql": (
        "CREATE TABLE fulltext (tenant BIGINT NOT NULL, owner BIGINT NOT NULL, doc BIGINT NOT NULL,"
        " terms TSVECTOR NOT NULL, PRIMARY KEY (tenant, owner, doc))",
        # each lexeme begins with tenant and owner, see fulltext.token
        "CREATE INDEX fulltext_terms ON fulltext USING gin (terms) WITH (fastupdate = off)",
        "CREATE TABLE fulltext_archive (tenant BIGINT NOT NULL, owner BIGINT NOT NULL, doc BIGINT NOT NULL,"
        " terms TSVECTOR NOT NULL, PRIMARY KEY (tenant, owner, doc))",
        "CREATE INDEX fulltext_archive_terms ON fulltext_archive USING gin (terms) WITH (fastupdate = off)",
    ),
}


# Without statistics SQLite takes a tenant for ten rows and scans it; ANALYZE on a young store says the same.
# So a store is told from the start how many values a column has, in a store of a million rows a table.
_ROWS = 1_000_000
_VALUES = {
    "tenant": 1, "owner": 10, "kind": 2, "type": 10, "slots": 10, "status": 4, "state": 4, "relation": 5,
    "fingerprint": 1, "part": 1, "conversation": 1_000, "archived": 2,
}  # fmt: skip
_SMALL = ("spaces", "symbols", "counters", "shapes", "spent")


def _statistics() -> list[str]:
    """Rows of sqlite_stat1: for each index the rows of the table and the rows a prefix of its columns finds."""
    out = ["ANALYZE", "DELETE FROM sqlite_stat1"]
    for table in METADATA.sorted_tables:
        if table.name in _SMALL:
            continue
        clustered = not table.dialect_options["sqlite"]["with_rowid"]
        key = table.name if clustered else f"sqlite_autoindex_{table.name}_1"
        indexes: list[tuple[str, Any, int]] = [(key, table.primary_key.columns, _ROWS)]
        for index in table.indexes:
            few = index.dialect_options["sqlite"]["where"] is not None and not index.info
            indexes.append((str(index.name), index.expressions, 1_000 if few else _ROWS))
        for name, columns, rows in indexes:
            found = [rows]
            for column in columns:
                found.append(max(1, found[-1] // _VALUES.get(getattr(column, "name", ""), _ROWS)))
            stat = " ".join(str(each) for each in found)
            out.append(
                f"INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('{table.name}', '{name}', '{stat}')"
            )
    return [*out, "ANALYZE sqlite_schema"]


def ddl(dialect: str) -> list[str]:
    """The statements that make every table of the current release; ``dialect``: sqlite or postgresql."""
    from sqlalchemy.dialects import postgresql, sqlite
    from sqlalchemy.schema import CreateIndex, CreateTable

    spoken: Any = sqlite.dialect() if dialect == "sqlite" else postgresql.dialect()  # type: ignore[no-untyped-call]
    out: list[str] = []
    for table in METADATA.sorted_tables:
        out.append(str(CreateTable(table).compile(dialect=spoken)).strip())
        for index in sorted(table.indexes, key=lambda each: str(each.name)):
            out.append(str(CreateIndex(index).compile(dialect=spoken)).strip())
    return [*out, *_FULL_TEXT[dialect], *(_statistics() if dialect == "sqlite" else ())]
