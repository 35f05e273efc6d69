"""Every read but full text: the scope is part of each query."""

from __future__ import annotations

import heapq
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from forms_dynamics.adapters.sql import mapping, queries
from forms_dynamics.adapters.sql.driver import NOBODY, PAGE, Driver
from forms_dynamics.adapters.sql.mapping import Row
from forms_dynamics.adapters.sql.queries import side as _side
from forms_dynamics.errors import InvalidInput
from forms_dynamics.model.record import (
    ActRecord,
    EdgeRecord,
    FormRecord,
    KeyRecord,
    MentionRecord,
    MessageRecord,
    NearRecord,
    PendingRecord,
    Scope,
    VectorChanges,
    VectorRow,
    VersionRecord,
)

_NO_LIMIT = 2**31 - 1
_CROWD = 256  # keys of a few names: more, and they are looked up one by one
_PARTS = 16  # Forms and statuses of one query for edges
_BEYOND = "\U0010ffff"


class Reading(Driver):
    """Reads of the ``Store`` port."""

    # -- Forms -----------------------------------------------------------------------------------------
    def forms(self, scope: Scope, ids: Sequence[str]) -> dict[str, FormRecord]:
        space = self._space(scope)
        if space is None or not ids:
            return {}
        tenant, owner = space
        words = self._words(tenant)
        if len(ids) == 1:
            rows = self._rows(queries.FORM, (tenant, owner, ids[0]))
        else:
            rows = self._rows(queries.FORMS, (tenant, owner, self._list(ids)))
        found = {row[0]: mapping.form(row, scope.owner, words) for row in rows}
        if scope.shared and owner != 0 and len(found) < len(ids):
            missing = self._list(id for id in ids if id not in found)
            types = self._list(self._word_nos(tenant, scope.shared))
            for row in self._rows(queries.SHARED_FORMS, (tenant, missing, types)):
                found[row[0]] = mapping.form(row, "", words)
        return found

    def find(
        self, scope: Scope, type: str | None, status: str | None, limit: int, after: str | None
    ) -> list[FormRecord]:
        space = self._space(scope)
        if space is None or limit < 1:
            return []
        tenant, owner = space
        code = None if status is None else mapping.code("status of a Form", status)
        type_nos: list[int | None] = [None]
        if type is not None:
            type_nos = list(self._word_nos(tenant, [type]))
        found = {
            record.id: record
            for no in type_nos
            for record in self._find(scope, (tenant, owner), no, code, limit, after)
        }
        if scope.shared and owner != 0:
            for no in self._word_nos(tenant, [t for t in sorted(scope.shared) if type is None or t == type]):
                for record in self._find(scope, (tenant, 0), no, code, limit, after):
                    found.setdefault(record.id, record)
        return [found[id] for id in sorted(found)][:limit]

    def newest(self, scope: Scope, type: str, limit: int) -> list[FormRecord]:
        space = self._space(scope)
        if space is None or limit < 1:
            return []
        tenant, owner = space
        words = self._words(tenant)
        owners = {owner, 0} if type in scope.shared else {owner}
        found = [
            mapping.form(row, scope.owner, words)
            for no in self._word_nos(tenant, [type])
            for each in owners
            for row in self._rows(queries.NEWEST, (tenant, each, no, limit))
        ]
        return sorted(found, key=lambda record: record.id, reverse=True)[:limit]

    def _find(
        self,
        scope: Scope,
        space: tuple[int, int],
        type: int | None,
        code: int | None,
        limit: int,
        after: str | None,
    ) -> list[FormRecord]:
        sql = {
            (False, False): queries.FIND,
            (False, True): queries.FIND_STATUS,
            (True, False): queries.FIND_TYPE,
            (True, True): queries.FIND_TYPE_STATUS,
        }[type is not None, code is not None]
        params: list[Any] = [*space]
        if type is not None:
            params.append(type)
        params.append(after or "")
        if code is not None:
            params.append(code)
        words = self._words(space[0])
        return [mapping.form(row, scope.owner, words) for row in self._rows(sql, (*params, limit))]

    def versions(self, scope: Scope, form: str) -> list[VersionRecord]:
        found = self._form_no(scope, form)
        if found is None:
            return []
        tenant, owner, no = found
        words = self._words(tenant)
        rows = self._rows(queries.VERSIONS, (tenant, owner, no))
        return [mapping.version((form, *row), words) for row in rows]

    def chains(self, scope: Scope, forms: Sequence[str]) -> dict[str, list[VersionRecord]]:
        space = self._space(scope)
        if space is None or not forms:
            return {}
        tenant, owner = space
        wanted = dict.fromkeys(forms)
        rows = self._rows(queries.CHAINS, (tenant, owner, self._list(wanted)))
        if scope.shared and owner != 0 and (missing := wanted.keys() - {row[0] for row in rows}):
            types = self._list(self._word_nos(tenant, scope.shared))
            rows = rows + self._rows(queries.SHARED_CHAINS, (tenant, 0, self._list(missing), types))
        rows.sort(key=lambda row: (row[0], row[1]))
        words = self._words(tenant)
        out: dict[str, list[VersionRecord]] = {}
        for row in rows:
            out.setdefault(row[0], []).append(mapping.version(row, words))
        return out

    def tips(self, scope: Scope, forms: Sequence[str]) -> dict[str, bytes]:
        space = self._space(scope)
        if space is None or not forms:
            return {}
        tenant, owner = space
        rows = self._rows(queries.TIPS, (tenant, owner, self._list(forms)))
        found = {id: bytes(digest) for id, digest in rows if digest is not None}
        if scope.shared and owner != 0 and len(found) < len(forms):
            shared = self.forms(scope, [id for id in forms if id not in found])
            for id, digest in self._rows(queries.TIPS, (tenant, 0, self._list(shared))):
                if digest is not None:
                    found[id] = bytes(digest)
        return found

    def versions_of_messages(self, scope: Scope, messages: Sequence[str]) -> list[VersionRecord]:
        space = self._space(scope)
        if space is None or not messages:
            return []
        words = self._words(space[0])
        rows = self._rows(queries.VERSIONS_OF_MESSAGES, (*space, self._list(messages)))
        rows.sort(key=lambda row: (row[0], row[1]))  # not in SQL: SQLite would walk the scope for the order
        return [mapping.version(row, words) for row in rows]

    def versions_naming(self, scope: Scope, message: str) -> list[VersionRecord]:
        space = self._space(scope)
        if space is None:
            return []
        quoted = json.dumps(message, ensure_ascii=False)
        like = "".join(f"!{c}" if c in "!%_" else c for c in quoted)
        rows = self._rows(queries.VERSIONS_NAMING, (*space, f"%{like}%"))
        words = self._words(space[0])
        found = [mapping.version(row, words) for row in sorted(rows, key=lambda row: (row[0], row[1]))]
        return [v for v in found if quoted in (v.payload or "")]  # LIKE takes no notice of case

    def _form_no(self, scope: Scope, form: str) -> tuple[int, int, int] | None:
        """(tenant, owner, no) of a Form that the scope may read; an erased one only of the own owner."""
        space = self._space(scope)
        if space is None:
            return None
        tenant, owner = space
        rows = self._rows(queries.FORM_NO, (tenant, owner, form))
        if rows:
            return tenant, owner, rows[0][0]
        if scope.shared and owner != 0:
            for no, status, type_no in self._rows(queries.FORM_NO, (tenant, 0, form)):
                if status != mapping.ERASED_FORM and type_no in self._word_nos(tenant, scope.shared):
                    return tenant, 0, no
        return None

    # -- names -----------------------------------------------------------------------------------------
    def names(
        self, scope: Scope, names: Sequence[str], type: str | None = None, limit: int | None = None
    ) -> list[KeyRecord]:
        if not names:
            return []
        listed = (self._list(names),)
        if limit is None:
            return self._keys(scope, queries.NAMES, queries.NAMES_TYPED, listed, (), type)
        most = max(_CROWD, limit)
        found = self._keys(scope, queries.SOME_NAMES, queries.SOME_NAMES_TYPED, listed, (most,), type)
        return found if len(found) < most else self._newest(scope, names, type, limit)

    def _newest(self, scope: Scope, names: Sequence[str], type: str | None, limit: int) -> list[KeyRecord]:
        """The newest keys of each name, type and slots: one index seek each, however many there are."""
        tenant, owner = self._space(scope) or (NOBODY, NOBODY)
        every = None if type is None else {type}
        spaces = [(owner, every)]
        if scope.shared and owner != 0:
            spaces.append((0, {t for t in scope.shared if every is None or t in every}))
        words = self._words(tenant)
        rows: list[Row] = []
        for number, types in spaces:
            for name in dict.fromkeys(names):
                at = (tenant, number, name)
                kind: tuple[int, int] = (0, 0)
                while more := self._rows(queries.NEXT_KIND, (*at, *kind)):
                    kind = more[0]
                    if types is None or words[kind[0]] in types:
                        rows += self._rows(queries.NEWEST_OF_KIND, (*at, *kind, limit))
        return [mapping.key(row, words) for row in rows]

    def names_from(self, scope: Scope, prefix: str, limit: int) -> list[KeyRecord]:
        bounds = (prefix, prefix + _BEYOND)
        found = self._keys(scope, queries.NAMES_FROM, queries.NAMES_FROM_TYPED, bounds, (limit,), None)
        return sorted(found, key=lambda key: key.name)[:limit]

    def _keys(
        self,
        scope: Scope,
        sql: str,
        typed: str,
        params: tuple[Any, ...],
        tail: tuple[Any, ...],
        type: str | None,
    ) -> list[KeyRecord]:
        space = self._space(scope)
        if space is None:
            return []
        tenant, owner = space
        if type is None:
            rows = self._rows(sql, (tenant, owner, *params, *tail))
        else:
            nos = self._list(self._word_nos(tenant, [type]))
            rows = self._rows(typed, (tenant, owner, *params, nos, *tail))
        if scope.shared and owner != 0:
            nos = self._list(self._word_nos(tenant, [t for t in scope.shared if type is None or t == type]))
            rows = rows + self._rows(typed, (tenant, 0, *params, nos, *tail))
        words = self._words(tenant)
        return [mapping.key(row, words) for row in rows]

    # -- conversation ----------------------------------------------------------------------------------
    def touched(self, scope: Scope, conversation: str, type: str | None, limit: int) -> list[MentionRecord]:
        space = self._space(scope)
        if space is None or limit < 1:
            return []
        words = self._words(space[0])
        rows: list[Row] = []
        for no in (
            self._mentioned_types((*space, conversation))
            if type is None
            else self._word_nos(space[0], [type])
        ):
            rows += self._rows(queries.TOUCHED, (*space, conversation, no, limit))
        rows.sort(key=lambda row: row[2], reverse=True)
        return [mapping.mention(row, words) for row in rows[:limit]]

    def _mentioned_types(self, conversation: tuple[int, int, str]) -> Iterator[int]:
        """Types touched in the conversation: one index seek each."""
        last = 0
        while (no := self._rows(queries.NEXT_TYPE, (*conversation, last))[0][0]) is not None:
            yield no
            last = no

    def near(
        self, scope: Scope, conversations: Sequence[str], limit: int, close: int
    ) -> dict[str, list[NearRecord]]:
        space = self._space(scope)
        if space is None or limit < 1 or not conversations:
            return {}
        wanted = self._list(dict.fromkeys(conversations))
        params = (*space, wanted, *space, *space, limit - 1, *space, max(close, 1) - 1, *space, wanted)
        words = self._words(space[0])
        out: dict[str, list[NearRecord]] = {}
        for row in self._rows(queries.NEAR, params):
            out.setdefault(row[0], []).append(mapping.near(row, words))
        return {conversation: found[:limit] for conversation, found in out.items()}

    def messages(self, scope: Scope, ids: Sequence[str]) -> dict[str, MessageRecord]:
        space = self._space(scope)
        if space is None or not ids:
            return {}
        if len(ids) == 1:
            rows = self._rows(queries.MESSAGE, (*space, ids[0]))
        else:
            rows = self._rows(queries.MESSAGES, (*space, self._list(ids)))
        return {row[1]: mapping.message(row) for row in rows}

    def recent(
        self, scope: Scope, conversation: str, limit: int, kind: str = "message", before: int | None = None
    ) -> list[MessageRecord]:
        space = self._space(scope)
        if space is None or limit < 1:
            return []
        code = mapping.code("kind of message", kind)
        end = queries.BEYOND if before is None else before
        rows = self._rows(queries.RECENT, (*space, conversation, code, end, limit))
        return [mapping.message(row) for row in reversed(rows)]

    def beside(self, scope: Scope, messages: Sequence[str]) -> list[MessageRecord]:
        space = self._space(scope)
        if space is None or not messages:
            return []
        near = self._rows(queries.BESIDE, (*space, self._list(messages)))
        seqs = sorted({seq for row in near for seq in row if seq is not None})
        return [mapping.message(row) for row in self._rows(queries.MESSAGES_AT, (*space, self._list(seqs)))]

    def current_to(self, scope: Scope, conversation: str | None) -> str | None:
        space = self._space(scope)
        if space is None:
            return None
        at = space if conversation is None else (*space, conversation)
        rows = self._rows(queries.CURRENT_TO if conversation is None else queries.CURRENT_TO_OF, at * 2)
        return rows[0][0] if rows else None

    # -- edges -----------------------------------------------------------------------------------------
    def edges(
        self, scope: Scope, forms: Sequence[str], limit: int | None = None, inactive: bool = False
    ) -> list[EdgeRecord]:
        space = self._space(scope)
        if space is None or not forms:
            return []
        tenant, owner = space
        rows = self._edge_rows(tenant, owner, forms, limit, inactive) if owner != NOBODY else []
        if scope.shared and owner != 0:
            shared = self._edge_rows(tenant, 0, forms, limit, inactive)
            if shared:
                ends = {row[0] for row in shared} | {row[2] for row in shared}
                types = self._list(self._word_nos(tenant, scope.shared))
                seen = {row[0] for row in self._rows(queries.SHARED_FORMS, (tenant, self._list(ends), types))}
                rows += [row for row in shared if row[0] in seen and row[2] in seen]
        words = self._words(tenant)
        unique = {(row[0], row[1], row[2]): row for row in rows}
        return [mapping.edge(row, words) for row in unique.values()]

    def _edge_rows(
        self, tenant: int, owner: int, forms: Sequence[str], limit: int | None, inactive: bool
    ) -> list[Row]:
        most = _NO_LIMIT if limit is None else limit
        if inactive and limit is not None:
            few = self._few_edge_rows(tenant, owner, forms, most)
            if few is not None:
                return _strongest(few, forms, most)
        statuses = range(len(mapping.EDGE_STATUSES)) if inactive else (0,)
        parts = [(id, status) for id in dict.fromkeys(forms) for status in statuses]
        rows: list[Row] = []
        for start in range(0, len(parts), _PARTS):
            chunk = parts[start : start + _PARTS]
            params: list[Any] = []
            for id, _ in chunk:
                params += (tenant, owner, tenant, owner, id, tenant, id, most) * 2
            rows += self._rows(queries.edges_of(tuple(status for _, status in chunk)), params)
        return _strongest(rows, forms, most) if inactive and limit is not None else rows

    def _few_edge_rows(self, tenant: int, owner: int, forms: Sequence[str], most: int) -> list[Row] | None:
        """Every edge of the Forms; None where one has more than ``most`` at an end, or there are many Forms. Most
        have few, and to look for each status by itself costs thrice as much."""
        ids = list(dict.fromkeys(forms))
        if len(ids) * len(mapping.EDGE_STATUSES) > _PARTS:
            return None
        params: list[Any] = []
        for id in ids:
            params += (tenant, owner, tenant, owner, id, tenant, id, most + 1) * 2
        rows = self._rows(queries.few_edges_of(len(ids)), params)
        held = Counter((row[end], end) for row in {row[:3]: row for row in rows}.values() for end in (0, 2))
        return None if any(held[id, end] > most for id in ids for end in (0, 2)) else rows

    def degree(self, scope: Scope, form: str, most: int) -> int:
        space = self._space(scope)
        if space is None or most < 1:
            return 0
        tenant, owner = space
        rows: list[Row] = []
        if owner != NOBODY:
            rows += self._rows(queries.DEGREE, (tenant, owner, tenant, owner, form, tenant, form, most) * 2)
        if scope.shared and owner != 0:
            types = self._list(self._word_nos(tenant, scope.shared))
            rows += self._rows(queries.SHARED_DEGREE, (tenant, tenant, form, types, types, most) * 2)
        return min(most, sum(int(row[0]) for row in rows))

    def candidates(self, scope: Scope) -> list[EdgeRecord]:
        space = self._space(scope)
        if space is None:
            return []
        words = self._words(space[0])
        return [mapping.edge(row, words) for row in self._rows(queries.CANDIDATES, space)]

    # -- pending items, acts ---------------------------------------------------------------------------
    def pendings(
        self,
        scope: Scope,
        forms: Sequence[str] | None = None,
        state: str | None = "open",
        messages: Sequence[str] | None = None,
    ) -> list[PendingRecord]:
        space = self._space(scope)
        if space is None:
            return []
        code = None if state is None else mapping.code("state of a pending item", state)
        wanted = forms if forms is not None else messages
        if wanted is not None:
            sql = queries.PENDINGS_FORMS if forms is not None else queries.PENDINGS_MESSAGES
            rows = self._rows(sql, (*space, self._list(wanted))) if wanted else []
            rows = [row for row in rows if code is None or row[10] == code]
        elif code is not None:
            rows = self._rows(queries.PENDINGS_STATE, (*space, code))
        else:
            rows = self._rows(queries.PENDINGS, (*space, "", _NO_LIMIT))
        rows.sort(key=lambda row: (row[9], row[0]))
        words = self._words(space[0])
        return [mapping.pending(row, scope.owner, words) for row in rows]

    def pending_items(self, scope: Scope, ids: Sequence[str]) -> dict[str, PendingRecord]:
        space = self._space(scope)
        if space is None or not ids:
            return {}
        words = self._words(space[0])
        rows = self._rows(queries.PENDING_ITEMS, (*space, self._list(ids)))
        return {row[0]: mapping.pending(row, scope.owner, words) for row in rows}

    def acts(self, scope: Scope, ids: Sequence[str]) -> dict[str, ActRecord]:
        space = self._space(scope)
        if space is None or not ids:
            return {}
        rows = self._rows(queries.ACTS, (*space, self._list(ids)))
        return {row[0]: mapping.act(row, scope.owner) for row in rows}

    # -- vectors and texts -----------------------------------------------------------------------------
    def unembedded(self, scope: Scope, fingerprint: str, limit: int) -> list[tuple[str, str, str]]:
        space = self._space(scope)
        if space is None or limit < 1:
            return []
        return self._bare(space, next(iter(self._word_nos(space[0], [fingerprint])), 0), limit, -1)

    def _bare(
        self, space: tuple[int, int], fingerprint: int, limit: int, after: int
    ) -> list[tuple[str, str, str]]:
        """Messages beyond seq ``after``, then Forms, that have no vectors."""
        said = self._rows(queries.UNEMBEDDED_MESSAGES, (*space, after, fingerprint, fingerprint, limit))
        out = [("message", id, text) for id, text in said]
        if len(out) < limit:
            least = (fingerprint, fingerprint, limit - len(out))
            forms = self._rows(queries.UNEMBEDDED_FORMS, (*space, *least))
            out += [("form", id, text) for id, text in forms]
        return out

    def vectors(self, scope: Scope, fingerprint: str) -> list[VectorRow]:
        active, archived = (self._vectors(scope, fingerprint, side) for side in (False, True))
        return active + archived

    def _vectors(self, scope: Scope, fingerprint: str, archived: bool) -> list[VectorRow]:
        space = self._space(scope)
        nos = [] if space is None else self._word_nos(space[0], [fingerprint])
        if space is None or not nos:
            return []
        tenant, owner = space
        of_messages, of_forms = queries.VECTORS_MESSAGES, queries.VECTORS_FORMS
        of_messages, of_forms = _side(of_messages, archived), _side(of_forms, archived)
        out = [
            VectorRow("message", id, part, bytes(vector))
            for id, part, vector in self._rows(of_messages, (tenant, owner, nos[0]))
        ]
        own = self._rows(of_forms, (tenant, owner, nos[0]))
        if scope.shared and owner != 0:
            types = set(self._word_nos(tenant, scope.shared))
            shared = self._rows(of_forms, (tenant, 0, nos[0]))
            own += [row for row in shared if row[1] in types]
        return out + [VectorRow("form", id, part, bytes(vector)) for id, _, part, vector in own]

    def _returned(self, tenant: int, owner: int) -> None:
        """A Form came back (erased and told again, or active again) under the number that it had."""

    def vector_changes(
        self, scope: Scope, fingerprint: str, since: Any, archived: bool = False
    ) -> VectorChanges:
        return VectorChanges(None, list(enumerate(self._vectors(scope, fingerprint, archived))), frozenset())

    def embedders(self, scope: Scope) -> list[tuple[str, int, int]]:
        space = self._space(scope)
        if space is None:
            return []
        words = self._words(space[0])
        sizes: dict[int, int] = {}
        docs: Counter[int] = Counter()
        for archived in (True, False):
            for no in self._fingerprints(space, archived):
                sizes[no] = self._rows(_side(queries.VECTOR_LENGTH, archived), (*space, no))[0][0] // 4
                docs[no] += self._rows(_side(queries.VECTOR_DOCS, archived), (*space, no))[0][0]
        return sorted((words[no], size, docs[no]) for no, size in sizes.items())

    def _fingerprints(self, space: tuple[int, int], archived: bool = False) -> list[int]:
        """Numbers of the embedders that gave vectors: one index seek each."""
        out: list[int] = []
        last = 0
        sql = _side(queries.NEXT_FINGERPRINT, archived)
        while (no := self._rows(sql, (*space, last))[0][0]) is not None:
            out.append(no)
            last = no
        return out

    def texts(self, scope: Scope, docs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
        out: dict[tuple[str, str], str] = {}
        said = [id for kind, id in docs if kind == "message"]
        out.update((("message", id), m.text) for id, m in self.messages(scope, said).items())
        forms = [id for kind, id in docs if kind == "form"]
        out.update((("form", id), f.words) for id, f in self.forms(scope, forms).items())
        return out

    # -- whole scope -----------------------------------------------------------------------------------
    def tenants(self) -> list[str]:
        return [row[0] for row in self._rows(queries.TENANTS)]

    def owners(self, scope: Scope) -> list[str]:
        return [row[0] for row in self._rows(queries.OWNERS, (scope.tenant,))]

    def shapes(self, scope: Scope) -> dict[str, str]:
        space = self._space(scope)
        return {} if space is None else dict(self._rows(queries.SHAPES, (space[0],)))

    def scan(self, scope: Scope, table: str) -> Iterator[Any]:
        scans: dict[str, Callable[[Scope, tuple[int, int]], Iterator[Any]]] = {
            "messages": self._scan_messages,
            "forms": self._scan_forms,
            "versions": self._scan_versions,
            "keys": self._scan_keys,
            "mentions": self._scan_mentions,
            "edges": self._scan_edges,
            "pendings": self._scan_pendings,
            "acts": self._scan_acts,
        }
        if table not in scans:
            raise InvalidInput(f"{table!r} is nothing to scan: one of {', '.join(scans)}")
        space = self._space(scope)
        return iter(()) if space is None else scans[table](scope, space)

    def _pages(
        self, sql: str, head: tuple[Any, ...], start: tuple[Any, ...], place: Sequence[int]
    ) -> Iterator[Row]:
        """Rows in pages, each a query of its own: a slow reader holds up no checkpoint."""
        after = start
        while page := self._rows(sql, (*head, *after, PAGE)):
            yield from page
            if len(page) < PAGE:
                return
            after = tuple(page[-1][i] for i in place)

    def _scan_messages(self, scope: Scope, space: tuple[int, int]) -> Iterator[MessageRecord]:
        kinds = range(len(mapping.MESSAGE_KINDS))
        pages = [self._pages(queries.SCAN_MESSAGES, (*space, kind), (-1,), (0,)) for kind in kinds]
        return map(mapping.message, heapq.merge(*pages, key=lambda row: row[0]))

    def _scan_forms(self, scope: Scope, space: tuple[int, int]) -> Iterator[FormRecord]:
        for row in self._pages(queries.FIND, space, ("",), (0,)):
            yield mapping.form(row, scope.owner, self._words(space[0]))

    def _scan_versions(self, scope: Scope, space: tuple[int, int]) -> Iterator[VersionRecord]:
        forms = self._pages(queries.FORM_ROWS, space, ("",), (0,))
        for ids in _grouped((row[0] for row in forms), PAGE):
            words = self._words(space[0])
            for row in self._rows(queries.SCAN_VERSIONS, (*space, self._list(ids))):
                yield mapping.version(row, words)

    def _scan_keys(self, scope: Scope, space: tuple[int, int]) -> Iterator[KeyRecord]:
        rows = self._pages(queries.SCAN_KEYS, space, ("", 0, 0, 0), (0, 1, 2, 3))
        for page in _grouped(rows, PAGE):
            ids = self._form_ids(space[0], {row[3] for row in page})
            words = self._words(space[0])
            for name, type_no, slots, no in page:
                yield mapping.key((name, type_no, slots, ids[no]), words)

    def _scan_mentions(self, scope: Scope, space: tuple[int, int]) -> Iterator[MentionRecord]:
        types = [row[0] for row in self._rows(queries.FORM_TYPES, space * 2)]
        for page in _grouped(self._scan_messages(scope, space), PAGE):
            talk = {message.seq: message.conversation for message in page}
            talks = self._list(dict.fromkeys(talk.values()))
            at = (*space, talks, self._list(types), page[0].seq, page[-1].seq)
            words = self._words(space[0])
            rows = [row for row in self._rows(queries.SCAN_MENTIONS, at) if talk.get(row[2]) == row[0]]
            yield from (mapping.mention(row, words) for row in sorted(rows, key=lambda row: (row[2], row[3])))

    def _scan_edges(self, scope: Scope, space: tuple[int, int]) -> Iterator[EdgeRecord]:
        own = ((row[0], row[1]) for row in self._pages(queries.FORM_ROWS, space, ("",), (0,)))
        away = sorted(self._rows(queries.SHARED_SOURCES, space)) if space[1] != 0 else []
        for page in _grouped(heapq.merge(own, away), PAGE):
            ids = {no: id for id, no in page}
            rows = self._rows(queries.SCAN_EDGES, (*space, self._list(ids)))
            ids.update(self._form_ids(space[0], {row[2] for row in rows} - ids.keys()))
            words = self._words(space[0])
            edges = (mapping.edge((ids[row[0]], row[1], ids[row[2]], *row[3:]), words) for row in rows)
            yield from sorted(edges, key=lambda edge: edge.key)

    def _scan_pendings(self, scope: Scope, space: tuple[int, int]) -> Iterator[PendingRecord]:
        for row in self._pages(queries.PENDINGS, space, ("",), (0,)):
            yield mapping.pending(row, scope.owner, self._words(space[0]))

    def _scan_acts(self, scope: Scope, space: tuple[int, int]) -> Iterator[ActRecord]:
        return (mapping.act(row, scope.owner) for row in self._pages(queries.SCAN_ACTS, space, ("",), (0,)))

    def _form_ids(self, tenant: int, nos: Iterable[int]) -> dict[int, str]:
        return dict(self._rows(queries.FORM_IDS, (tenant, self._list(nos))))

    def said_since(self, scope: Scope, moments: Sequence[int]) -> list[int]:
        space = self._space(scope)
        if space is None:
            return [0 for _ in moments]
        return [self._rows(queries.SAID_SINCE, (*space, moment))[0][0] for moment in moments]

    def erased(self, scope: Scope, messages: Sequence[str] = (), forms: Sequence[str] = ()) -> set[str]:
        space = self._space(scope)
        if space is None:
            return set()
        asked = ((queries.GONE_MESSAGES, messages), (queries.GONE_FORMS, forms))
        return {row[0] for sql, ids in asked if ids for row in self._rows(sql, (*space, self._list(ids)))}

    def count(self, scope: Scope) -> dict[str, int]:
        return self._counts(self._space(scope) or (NOBODY, NOBODY))

    def _counts(self, space: tuple[int, int]) -> dict[str, int]:
        out = {name: int(self._rows(sql, space)[0][0]) for name, sql in queries.COUNTS.items()}
        out["vectors"] += int(self._rows(_side(queries.COUNTS["vectors"], True), space)[0][0])
        return out


def _strongest(rows: list[Row], forms: Sequence[str], most: int) -> list[Row]:
    """At most ``most`` rows a Form and end, over all statuses; of equally strong ones the active and the newest."""
    out: list[Row] = []
    for id in forms:
        for end, far in ((0, 2), (2, 0)):
            some = {row[:3]: row for row in rows if row[end] == id}.values()
            out += sorted(some, key=lambda row: (row[3], -row[7], row[6], row[far], row[1]), reverse=True)[
                :most
            ]
    return out


def _grouped(rows: Iterable[Any], size: int) -> Iterator[list[Any]]:
    page: list[Any] = []
    for row in rows:
        page.append(row)
        if len(page) == size:
            yield page
            page = []
    if page:
        yield page
