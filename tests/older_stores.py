"""What the tables were before a step of the migrations: the SQL that takes a store of today back."""

from __future__ import annotations

from collections.abc import Iterator

_FULL_TEXT = ("DROP TABLE fulltext_archive_postings",)  # SQLite alone has it
_LACKED = {
    4: (  # validity of edges, and the archive
        "ALTER TABLE edges DROP COLUMN valid_from",
        "ALTER TABLE edges DROP COLUMN valid_until",
        "DROP INDEX messages_idle",
        "DROP INDEX forms_idle",
        "ALTER TABLE messages DROP COLUMN archived",
        "ALTER TABLE forms DROP COLUMN archived",
        "ALTER TABLE forms DROP COLUMN recalled",
        "DROP TABLE vectors_archive",
        *_FULL_TEXT,
        "DROP TABLE fulltext_archive",
    ),
    3: (  # replies of models
        "DROP TABLE replies",
        "DROP TABLE spent",
        "ALTER TABLE messages DROP COLUMN waiting",
    ),
    2: ("DROP TABLE shapes",),  # of Form types
}


def before_step(number: int, sqlite: bool = True) -> Iterator[str]:
    """The statements that undo step ``number`` and those after it."""
    for step, lacked in _LACKED.items():
        if step >= number:
            yield from (sql for sql in lacked if sqlite or sql not in _FULL_TEXT)
    yield f"DELETE FROM schema_steps WHERE number >= {number}"
