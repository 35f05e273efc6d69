"""What changed among vectors and documents since they were last looked at, told by SQLite's row numbers.

A row number is given again only when all rows from it on have gone. So of the rows that a mark knows, those
before its *tail* are as they were unless their number is missing, as long as the row that the tail stands on
is the same; the tail itself is read again.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

from forms_dynamics.adapters.sql.driver import NOBODY
from forms_dynamics.adapters.sql.queries import side as _side
from forms_dynamics.adapters.sql.reading import Reading
from forms_dynamics.model.record import Scope, VectorChanges, VectorRow

_TAIL = 512  # rows: more than one recall embeds
_MARKED = 64  # spaces whose documents are known to be complete

_COUNT = "SELECT count(*) FROM vectors WHERE tenant = ? AND owner = ? AND fingerprint = ? AND kind = ?"
_LAST_SAID = "SELECT max(doc) FROM vectors WHERE tenant = ? AND owner = ? AND fingerprint = ? AND kind = 0"
_LAST_NUMBER = "SELECT max(rowid) FROM vectors"
_LAST = "SELECT rowid, kind, doc, part, vector FROM vectors ORDER BY rowid DESC LIMIT 1"
_ROW = "SELECT rowid, kind, doc, part, vector FROM vectors WHERE rowid = ?"
_KINDS_FROM = "SELECT kind FROM vectors WHERE rowid > ? AND +tenant = ? AND +owner = ? AND +fingerprint = ?"
_NUMBERS = "SELECT rowid FROM vectors WHERE tenant = ? AND owner = ? AND fingerprint = ?"
_MESSAGES_FROM = (
    "SELECT v.rowid, m.id, v.part, v.vector FROM vectors v JOIN messages m ON m.tenant = v.tenant"
    " AND m.owner = v.owner AND m.kind = 0 AND m.seq = v.doc WHERE v.rowid > ? AND +v.tenant = ?"
    " AND +v.owner = ? AND +v.fingerprint = ? AND +v.kind = 0 AND m.state <> 4 ORDER BY v.rowid"
)
_FORMS_FROM = (
    "SELECT v.rowid, f.id, f.type, v.part, v.vector FROM vectors v JOIN forms f ON f.tenant = v.tenant"
    " AND f.no = v.doc WHERE v.rowid > ? AND +v.tenant = ? AND +v.owner = ? AND +v.fingerprint = ?"
    " AND +v.kind = 1 AND f.status = 0 ORDER BY v.rowid"
)
_TOPS = "SELECT value FROM counters WHERE tenant = ? AND name IN ('no', 'seq') ORDER BY name"


def _both(sql: str) -> tuple[str, str]:
    return _side(sql, False), _side(sql, True)


class _Stamp(NamedTuple):
    """Equal stamps: nothing came or went."""

    counts: tuple[int, int]  # of rows of messages, of Forms
    last: int
    digest: bytes


@dataclass(slots=True)
class _Held:
    """The rows of one owner that a reader has; ``stands``: number and digest of the row before the tail."""

    stamp: _Stamp
    rows: set[int]
    stands: tuple[int, bytes]


@dataclass(slots=True)
class _Mark:
    owners: dict[int, _Held] = field(default_factory=dict)


class _Complete(NamedTuple):
    """How things stood when every document had vectors: the highest numbers of Forms and messages in the tenant,
    vectors of Forms, the last message with vectors, the last vector, active and archived."""

    tops: tuple[int, ...]
    forms: int
    said: int
    last: tuple[int, ...]


class Followed(Reading):
    """``vector_changes`` with marks, and ``unembedded`` that looks at new documents only."""

    _complete: OrderedDict[tuple[int, int, int], _Complete]

    def vector_changes(
        self, scope: Scope, fingerprint: str, since: Any, archived: bool = False
    ) -> VectorChanges:
        space = self._space(scope)
        nos = [] if space is None else self._word_nos(space[0], [fingerprint])
        if space is None or not nos:
            return VectorChanges(None, [], frozenset())
        tenant, owner = space
        before: _Mark = since if isinstance(since, _Mark) else _Mark()
        mark = _Mark()
        came: list[tuple[int, VectorRow]] = []
        gone: set[int] = set()
        wanted: list[tuple[int, set[int] | None]] = [] if owner == NOBODY else [(owner, None)]
        if scope.shared and owner != 0:
            wanted.append((0, set(self._word_nos(tenant, scope.shared))))
        for number, types in wanted:
            at = (tenant, number, nos[0])
            held, new, lost = self._followed(at, archived, types, before.owners.get(number))
            mark.owners[number] = held
            came += new
            gone |= lost
        return VectorChanges(mark, came, frozenset(gone))

    def _followed(
        self, at: tuple[int, int, int], archived: bool, types: set[int] | None, held: _Held | None
    ) -> tuple[_Held, list[tuple[int, VectorRow]], set[int]]:
        stamp = self._stamp(at, archived)
        if held is not None and held.stamp == stamp:
            return held, [], set()
        if held is not None and self._only_added(at, archived, held.stamp, stamp):
            came = self._from(at, archived, held.stamp.last, types)
            rows = held.rows.union(number for number, _ in came)
            return self._held(archived, stamp, rows, held.stands), came, set()
        known: set[int] = set() if held is None else held.rows
        start, kept = 0, set[int]()
        if (
            held is not None
            and held.stands[0]
            and self._digest(_side(_ROW, archived), (held.stands[0],)) == held.stands
        ):
            start = held.stands[0]
            there = {row[0] for row in self._rows(_side(_NUMBERS, archived), at)}
            kept = {number for number in known if number <= start and number in there}
        came = self._from(at, archived, start, types)
        rows = kept | {number for number, _ in came}
        return self._held(archived, stamp, rows, (0, b"")), came, known - kept

    def _only_added(self, at: tuple[int, int, int], archived: bool, before: _Stamp, now: _Stamp) -> bool:
        """Whether the new rows explain the new counts and the rows before them stand."""
        if before.last == 0 or self._digest(_side(_ROW, archived), (before.last,)) != before[1:]:
            return False
        kinds = [row[0] for row in self._rows(_side(_KINDS_FROM, archived), (before.last, *at))]
        return now.counts == (before.counts[0] + kinds.count(0), before.counts[1] + kinds.count(1))

    def _from(
        self, at: tuple[int, int, int], archived: bool, start: int, types: set[int] | None
    ) -> list[tuple[int, VectorRow]]:
        """Rows beyond a number; ``types``: Forms of these alone."""
        said = self._rows(_side(_MESSAGES_FROM, archived), (start, *at)) if types is None else []
        out = [(number, VectorRow("message", id, part, vector)) for number, id, part, vector in said]
        for number, id, type_no, part, vector in self._rows(_side(_FORMS_FROM, archived), (start, *at)):
            if types is None or type_no in types:
                out.append((number, VectorRow("form", id, part, vector)))
        return out

    def _held(self, archived: bool, stamp: _Stamp, rows: set[int], stands: tuple[int, bytes]) -> _Held:
        if stands[0] < stamp.last - 2 * _TAIL:
            best = max((number for number in rows if number <= stamp.last - _TAIL), default=0)
            stands = self._digest(_side(_ROW, archived), (best,)) if best else (0, b"")
        return _Held(stamp, rows, stands)

    def _stamp(self, at: tuple[int, int, int], archived: bool) -> _Stamp:
        counts = [int(self._rows(_side(_COUNT, archived), (*at, kind))[0][0]) for kind in (0, 1)]
        return _Stamp((counts[0], counts[1]), *self._digest(_side(_LAST, archived), ()))

    def _digest(self, sql: str, params: tuple[int, ...]) -> tuple[int, bytes]:
        """Number and digest of one row; (0, empty) where there is none."""
        for number, kind, doc, part, vector in self._rows(sql, params):
            return number, blake2b(f"{kind} {doc} {part} ".encode() + vector, digest_size=16).digest()
        return 0, b""

    def _returned(self, tenant: int, owner: int) -> None:
        for key in [key for key in self._complete if key[:2] == (tenant, owner)]:
            del self._complete[key]

    def unembedded(self, scope: Scope, fingerprint: str, limit: int) -> list[tuple[str, str, str]]:
        space = self._space(scope)
        if space is None or limit < 1:
            return []
        no = next(iter(self._word_nos(space[0], [fingerprint])), 0)
        key = (*space, no)
        now = _Complete(
            tuple(row[0] for row in self._rows(_TOPS, (space[0],))),
            sum(self._rows(sql, (*key, 1))[0][0] for sql in _both(_COUNT)),
            max(self._rows(sql, key)[0][0] or 0 for sql in _both(_LAST_SAID)),
            tuple(self._rows(sql)[0][0] or 0 for sql in _both(_LAST_NUMBER)),
        )
        known = self._complete.get(key)
        if known == now:
            return []
        # vectors of messages go with their messages, but for a rebuild, which takes them all
        fresh = known is None or not known.tops or now.said < known.said
        out = self._bare(space, no, limit, -1 if known is None or fresh else known.tops[-1])
        if not out and self._local.transaction is None:
            self._complete[key] = now
            self._complete.move_to_end(key)
            while len(self._complete) > _MARKED:
                self._complete.popitem(last=False)
        return out
