"""The archive: full text and vectors of documents that default searches leave out stand in tables of their own.

A mark on the document's row (``archived``) says in which. A search never trusts the mark: it asks an index of the
ages for what stands on the wrong side of its Reach, so it finds the same whether documents were moved or not; moving
makes that list short and the active index small.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from forms_dynamics.adapters.sql import queries
from forms_dynamics.adapters.sql.driver import NOBODY
from forms_dynamics.adapters.sql.mapping import Row, form_doc, message_doc
from forms_dynamics.adapters.sql.reading import Reading
from forms_dynamics.model.record import Astray, Reach, Scope

Space = tuple[int, int]

# active and left out; archived and left out; archived and not left out
OUT, COLD, BACK = "out", "cold", "back"
_MESSAGES = {
    OUT: queries.OLD_MESSAGES, COLD: queries.OLD_ARCHIVED_MESSAGES, BACK: queries.NEW_ARCHIVED_MESSAGES,
}  # fmt: skip
_FORMS = {OUT: queries.OLD_FORMS, COLD: queries.OLD_ARCHIVED_FORMS, BACK: queries.NEW_ARCHIVED_FORMS}
_WHENEVER = -(2**62)
_NO_LIMIT = 2**62
_TOGETHER = 50  # parts of one query


class Part(NamedTuple):
    """Documents of one kind on one side of a Reach: SQL from FROM to LIMIT, and its parameters but the limit."""

    side: str
    kind: str
    sql: str
    params: Row


class Archiving(Reading):
    """Moves between the active tables and the archive, and what a Reach leaves out."""

    def _move_docs(self, space: Space, docs: Sequence[tuple[int, str]], archived: bool) -> None:
        """Full text of documents into the archive, or out of it."""
        self._drop_docs(*space, docs, archived=not archived)
        self._add_docs(*space, docs, archived=archived)

    # -- which documents stand where -------------------------------------------------------------------------
    def _parts(
        self, space: Space, reach: Reach, sides: Collection[str], types: Collection[int] | None = None
    ) -> Iterator[Part]:
        """``types``: Forms of these alone, and no messages."""
        if space[1] == NOBODY:
            return
        if types is None:
            since = _WHENEVER if reach.messages is None else reach.messages
            for side in sides:
                if since != _WHENEVER or side == BACK:
                    yield Part(side, "message", _MESSAGES[side], (*space, since))
        words = self._words(space[0])
        for (no,) in self._rows(queries.FORM_TYPES, space * 2):
            if types is None or no in types:
                named = reach.forms.get(words[no], reach.others)
                since = _WHENEVER if named is None else named
                for side in sides:
                    if since != _WHENEVER or side == BACK:
                        yield Part(side, "form", _FORMS[side], (*space, no, since))

    def _of_parts(self, parts: Iterator[Part], limit: int, columns: str) -> Iterator[tuple[Part, Row]]:
        """The rows of all parts, a few parts a query; ``columns``: id, or count."""
        while some := list(islice(parts, _TOGETHER)):
            params = [each for part in some for each in (*part.params, limit)]
            for row in self._rows(_joined(tuple(part.sql for part in some), columns), params):
                yield some[row[0]], row[1:]

    def _astray(
        self, space: Space, reach: Reach, limit: int = _NO_LIMIT, types: Collection[int] | None = None
    ) -> tuple[set[int], set[int]]:
        """Numbers in full text of documents to leave out, and of archived ones to take; ``limit`` a part."""
        out: set[int] = set()
        back: set[int] = set()
        parts = self._parts(space, reach, (OUT, BACK), types)
        while some := list(islice(parts, _TOGETHER)):
            params = [each for part in some for each in (*part.params, limit)]
            rows = self._rows(_numbers(tuple(part[:3] for part in some)), params)
            out.update([doc for away, doc in rows if away])
            back.update([doc for away, doc in rows if not away])
        return out, back

    def astray(self, scope: Scope, reach: Reach) -> Astray:
        found: dict[str, set[tuple[str, str]]] = {OUT: set(), BACK: set()}
        for space, types in self._read_spaces(scope):
            for part, row in self._of_parts(self._parts(space, reach, (OUT, BACK), types), _NO_LIMIT, "id"):
                found[part.side].add((part.kind, row[0]))
        return Astray(frozenset(found[OUT]), frozenset(found[BACK]))

    def _read_spaces(self, scope: Scope) -> list[tuple[Space, set[int] | None]]:
        """The spaces whose documents the scope may read, each with the types of Forms (None: all, and messages)."""
        space = self._space(scope)
        if space is None:
            return []
        out: list[tuple[Space, set[int] | None]] = [(space, None)] if space[1] != NOBODY else []
        if scope.shared and space[1] != 0:
            out.append(((space[0], 0), set(self._word_nos(space[0], scope.shared))))
        return out

    def left_out(self, scope: Scope, reach: Reach, most: int) -> int:
        count = 0
        for space, types in self._read_spaces(scope):
            count += self._counted(self._parts(space, reach, (OUT, COLD), types), most)
        return min(count, most)

    def idle(self, scope: Scope, reach: Reach) -> int:
        space = self._space(scope)
        return 0 if space is None else self._counted(self._parts(space, reach, (OUT, BACK)), _NO_LIMIT)

    def _counted(self, parts: Iterator[Part], most: int) -> int:
        return sum(row[0] for _, row in self._of_parts(parts, most, "count"))

    # -- moving ----------------------------------------------------------------------------------------------
    def archive(self, scope: Scope, reach: Reach, limit: int) -> int:
        space = self._space(scope)
        if space is None or space[1] == NOBODY or limit < 1 or not any(self._astray(space, reach, 1)):
            return 0  # nobody waits for a lock that nothing needs
        with self._written(scope) as space:
            out, back = (sorted(docs)[:limit] for docs in self._astray(space, reach, limit))
            self._move(space, self._doc_texts(space, out), archived=True)
            back = back[: limit - len(out)]
            self._move(space, self._doc_texts(space, back), archived=False)
        return len(out) + len(back)

    def _doc_texts(self, space: Space, docs: Sequence[int]) -> list[tuple[int, str]]:
        seqs = self._list(doc // 2 for doc in docs if doc % 2 == 0)
        nos = self._list(doc // 2 for doc in docs if doc % 2)
        out = [(message_doc(seq), text) for seq, text in self._rows(queries.SEQ_TEXTS, (*space, seqs))]
        return out + [(form_doc(no), words) for no, words in self._rows(queries.NO_TEXTS, (space[0], nos))]

    def _move(self, space: Space, docs: Sequence[tuple[int, str]], archived: bool) -> None:
        """Documents whose mark says the other side, with their texts, to this one."""
        if not docs:
            return
        self._move_docs(space, docs, archived)
        mark = 1 if archived else None
        seqs = [doc // 2 for doc, _ in docs if doc % 2 == 0]
        nos = [doc // 2 for doc, _ in docs if doc % 2]
        self._run(queries.MARK_MESSAGES, (mark, *space, self._list(seqs)))
        self._run(queries.MARK_FORMS, (mark, space[0], self._list(nos)))
        for fingerprint in self._fingerprints(space, not archived):
            for kind, numbers in ((0, seqs), (1, nos)):
                at = (*space, fingerprint, kind, self._list(numbers))
                self._run(queries.ARCHIVE_VECTORS if archived else queries.RETURN_VECTORS, at)
                self._run(queries.side(queries.DROP_VECTOR_ROWS, not archived), at)

    def _return_forms(self, space: Space, ids: Sequence[str]) -> None:
        """Forms that were accessed leave the archive."""
        rows = self._rows(queries.ARCHIVED_FORMS, (*space, self._list(ids)))
        self._move(space, [(form_doc(no), words) for no, words in rows], archived=False)


@lru_cache(maxsize=256)
def _joined(parts: tuple[str, ...], columns: str) -> str:
    """One query of the parts; each row begins with the part's place."""
    out: list[str] = []
    for i, sql in enumerate(parts):
        if columns == "count":
            out.append(f"SELECT {i}, count(*) FROM (SELECT 1 {sql}) part_{i}")
        else:
            out.append(f"SELECT {i}, id FROM (SELECT id {sql}) part_{i}")
    return " UNION ALL ".join(out)


@lru_cache(maxsize=256)
def _numbers(parts: tuple[tuple[str, str, str], ...]) -> str:
    """One query of the parts: whether to leave out (1) or to take (0), and the number in full text."""
    out: list[str] = []
    for i, (side, kind, sql) in enumerate(parts):
        column, number = ("seq", "seq * 2") if kind == "message" else ("no", "no * 2 + 1")
        out.append(f"SELECT {int(side == OUT)}, {number} FROM (SELECT {column} {sql}) part_{i}")
    return " UNION ALL ".join(out)
