"""The Store port over dicts: what the adapters are compared with. Plain, in memory, not fast."""

from __future__ import annotations

import copy
import json
import math
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from forms_dynamics.errors import Conflict, InvalidInput, StoreUnavailable
from forms_dynamics.language.terms import index_terms
from forms_dynamics.model.record import (
    ERASED_OWNER,
    ActRecord,
    Astray,
    ChangeSet,
    Condition,
    EdgeRecord,
    FormRecord,
    KeyRecord,
    MentionRecord,
    MessageRecord,
    NearRecord,
    PendingRecord,
    Reach,
    ReplyRecord,
    Scope,
    SpentRecord,
    TextHit,
    VectorChanges,
    VectorRow,
    VersionRecord,
)

_BEYOND = 2**62


def _unread(owner: str) -> str:
    return f"{ERASED_OWNER}{blake2b(owner.encode('utf-8', 'surrogatepass')).hexdigest()}"


@dataclass
class _Space:
    """The rows of one owner."""

    messages: dict[str, MessageRecord] = field(default_factory=dict)
    leases: dict[str, int] = field(default_factory=dict)
    forms: dict[str, FormRecord] = field(default_factory=dict)
    versions: dict[tuple[str, int], VersionRecord] = field(default_factory=dict)
    keys: set[KeyRecord] = field(default_factory=set)
    mentions: dict[tuple[str, str, int, str], MentionRecord] = field(default_factory=dict)
    edges: dict[tuple[str, str, str], EdgeRecord] = field(default_factory=dict)
    pendings: dict[str, PendingRecord] = field(default_factory=dict)
    acts: dict[str, ActRecord] = field(default_factory=dict)
    vectors: dict[tuple[str, str, str], list[VectorRow]] = field(
        default_factory=dict
    )  # fingerprint, kind, id
    gone: set[str] = field(default_factory=set)  # erased Forms
    replies: dict[str, ReplyRecord] = field(default_factory=dict)
    spent: dict[int, SpentRecord] = field(default_factory=dict)  # by day
    archived: set[tuple[str, str]] = field(default_factory=set)  # (kind, id)
    nameless: bool = False  # its owner was erased whole, and nothing came since

    def text(self, kind: str, id: str) -> str | None:
        """A document's text; None when there is none to be found."""
        if kind == "message":
            message = self.messages.get(id)
            alive = message is not None and message.kind == "message" and message.state != "erased"
            return message.text if message is not None and alive else None
        form = self.forms.get(id)
        return form.words if form is not None and form.status == "active" else None

    def documents(self) -> list[tuple[str, str]]:
        """(kind, id) of all documents, oldest first."""
        said = [m for m in self.messages.values() if self.text("message", m.id) is not None]
        out = [("message", m.id) for m in sorted(said)]
        return out + [("form", id) for id in sorted(self.forms) if self.text("form", id) is not None]

    def within(self, reach: Reach | None, doc: tuple[str, str]) -> bool:
        """Whether a document is young enough."""
        if reach is None:
            return True
        if doc[0] == "message":
            said = self.messages[doc[1]]
            return reach.messages is None or max(said.time, said.arrived) >= reach.messages
        form = self.forms[doc[1]]
        since = reach.forms.get(form.type, reach.others)
        return since is None or max(form.accessed, form.updated) >= since

    def astray(self, reach: Reach) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """Documents to archive, and archived ones to take back."""
        docs = self.documents()
        out = [doc for doc in docs if doc not in self.archived and not self.within(reach, doc)]
        return out, [doc for doc in docs if doc in self.archived and self.within(reach, doc)]


class ReferenceStore:
    """In memory; one lock for everything, so a reader waits for a writer."""

    read_only = False

    def __init__(self) -> None:
        self._spaces: dict[tuple[str, str], _Space] = {}
        self._seqs: dict[str, int] = {}
        self._shapes: dict[str, dict[str, str]] = {}  # tenant → type → shape
        self._erasures: Counter[str] = Counter()  # by tenant
        self._marks: dict[tuple[str, str], int] = {}  # by tenant and name
        self._lock = threading.RLock()
        self._depth = 0
        self._closed = False

    # -- spaces ------------------------------------------------------------------------------------------
    def _own(self, scope: Scope) -> _Space:
        if self._closed:
            raise StoreUnavailable("the store is closed")
        if scope.owner.startswith(ERASED_OWNER):
            erased = (at for at, space in self._spaces.items() if space.nameless)
            at = next((at for at in erased if at[0] == scope.tenant and _unread(at[1]) == scope.owner), None)
            return _Space() if at is None else self._spaces[at]
        return self._spaces.setdefault(scope[:2], _Space())

    def _seen(self, scope: Scope) -> list[tuple[_Space, frozenset[str] | None]]:
        """Spaces that the scope may read Forms of, each with the types (None: all)."""
        out: list[tuple[_Space, frozenset[str] | None]] = [(self._own(scope), None)]
        if scope.owner and scope.shared:
            out.append((self._own(Scope(scope.tenant, "")), scope.shared))
        return out

    def _form(self, scope: Scope, id: str) -> FormRecord | None:
        for space, types in self._seen(scope):
            found = space.forms.get(id)
            if found is not None and (types is None or found.type in types):
                return found
        return None

    def _filled(self, scope: Scope, form: FormRecord) -> FormRecord:
        if form.head is not None:
            return form
        first = self._own(Scope(scope.tenant, form.owner)).versions.get((form.id, 1))
        return form._replace(head=first.payload if first is not None else None)

    # -- writing -----------------------------------------------------------------------------------------
    @contextmanager
    def writing(self, scope: Scope) -> Iterator[None]:
        with self._lock:
            before = self._copied() if self._depth == 0 else None
            self._depth += 1
            try:
                yield
            except BaseException:
                if before is not None:
                    self._spaces, self._seqs, self._shapes = before
                raise
            finally:
                self._depth -= 1

    def _copied(self) -> tuple[dict[tuple[str, str], _Space], dict[str, int], dict[str, dict[str, str]]]:
        """The state to go back to; records never change, so their containers are enough."""
        spaces = {at: _Space(*map(copy.copy, vars(s).values())) for at, s in self._spaces.items()}
        return spaces, dict(self._seqs), {at: dict(shapes) for at, shapes in self._shapes.items()}

    def next_seq(self, scope: Scope) -> int:
        if not self._depth:
            raise StoreUnavailable("this write needs a transaction: call it inside writing()")
        return self._seqs.get(scope.tenant, 0) + 1

    def apply(self, scope: Scope, changes: ChangeSet) -> None:
        with self.writing(scope):
            before = self._copied()
            try:
                self._check(scope, changes)
                self._write(scope, changes)
            except BaseException:
                self._spaces, self._seqs, self._shapes = before
                raise

    def _check(self, scope: Scope, changes: ChangeSet) -> None:
        space = self._own(scope)
        for row in (*changes.forms, *changes.pendings, *changes.acts):
            if row.owner != scope.owner:  # type: ignore[attr-defined]
                raise InvalidInput(f"a row of another owner cannot be written by {scope.owner!r}")
        for id, n in changes.heads.items():
            found = space.forms.get(id)
            if (found.n if found is not None else 0) != n:
                raise Conflict(f"Form {id} is not at version {n}")
        for message in changes.messages:
            known = space.messages.get(message.id)
            if message.seq < 1:
                raise InvalidInput(f"message {message.id!r} has no seq")
            if known is not None and known.state != "erased" and known.seq != message.seq:
                raise Conflict(f"message {message.id!r} is stored already")
        if len({m.id for m in changes.messages}) != len(changes.messages):
            raise Conflict("a message stands twice in one change")
        held = {k[:3]: k.form for k in space.keys - set(changes.keys_drop) if "#" not in k.slots}
        for key in changes.keys_add:
            if "#" not in key.slots and held.setdefault(key[:3], key.form) != key.form:
                raise Conflict(f"{key.name!r} is another Form's")

    def _write(self, scope: Scope, changes: ChangeSet) -> None:
        space = self._own(scope)
        space.nameless = space.nameless and not changes.tells
        for message in changes.messages:
            self._drop_vectors(space, "message", message.id)
            space.archived.discard(("message", message.id))
            space.messages[message.id] = message
            space.leases.pop(message.id, None)
            self._seqs[scope.tenant] = max(self._seqs.get(scope.tenant, 0), message.seq)
        for id, state in changes.message_states:
            known = space.messages.get(id)
            if known is None or known.state == "erased":
                raise Conflict("a message whose state was to change is not there")
            space.messages[id] = known._replace(state=state, waiting=None)
            space.leases.pop(id, None)
        for form in changes.forms:
            if form.status == "erased":
                space.gone.add(form.id)
                continue
            space.gone.discard(form.id)
            space.archived.discard(("form", form.id))
            if space.text("form", form.id) not in (None, form.words) or form.status != "active":
                self._drop_vectors(space, "form", form.id)
            space.forms[form.id] = form
        for version in changes.versions:
            if version.form not in space.gone:
                self._need(scope, version.form, False)
            there = space.versions.get(version[:2])
            if there is not None and there.payload is not None:
                raise Conflict("a version of this number is stored already")
            space.versions[version[:2]] = version
        space.keys -= set(changes.keys_drop)
        for key in changes.keys_add:
            self._need(scope, key.form, False)
            space.keys.add(key)
        for mention in changes.mentions:
            self._need(scope, mention.form, False)
            space.mentions[mention[:4]] = mention
        for triple in changes.edges_drop:
            space.edges.pop(triple, None)
        for edge in changes.edges:
            self._need(scope, edge.source, True)
            self._need(scope, edge.target, True)
            space.edges[edge.key] = edge._replace(source_type="", target_type="")
        for type, shape in changes.shapes.items():
            self._shapes.setdefault(scope.tenant, {}).setdefault(type, shape)
        space.pendings.update((p.id, p) for p in changes.pendings)
        space.acts.update((a.id, a) for a in changes.acts)
        if changes.erasures in (None, self._erasures[scope.tenant]):
            space.replies.update((r.key, r) for r in changes.replies)
        for day, *more in changes.spent:
            so_far = space.spent.get(day, SpentRecord(day, 0, 0, 0))[1:]
            space.spent[day] = SpentRecord(day, *(a + b for a, b in zip(so_far, more, strict=True)))
        for id, when in changes.accesses:
            known_form = space.forms.get(id)
            space.archived.discard(("form", id))
            if known_form is not None:
                space.forms[id] = known_form._replace(accessed=max(known_form.accessed, when), recalled=True)

    def try_apply(self, scope: Scope, changes: ChangeSet) -> bool:
        if not self._lock.acquire(blocking=False):
            return False
        try:
            self.apply(scope, changes)
        finally:
            self._lock.release()
        return True

    def _need(self, scope: Scope, form: str, edge: bool) -> None:
        """A derived row names a Form that is there; an edge may end at one of the shared space."""
        there = form in self._own(scope).forms
        if not there and not (edge and form in self._own(Scope(scope.tenant, "")).forms):
            raise Conflict(f"no Form {form!r} here")

    # -- Forms -------------------------------------------------------------------------------------------
    def forms(self, scope: Scope, ids: Sequence[str]) -> dict[str, FormRecord]:
        with self._lock:
            found = {id: self._form(scope, id) for id in ids}
            return {id: self._filled(scope, form) for id, form in found.items() if form is not None}

    def find(
        self, scope: Scope, type: str | None, status: str | None, limit: int, after: str | None
    ) -> list[FormRecord]:
        with self._lock:
            ids = {id for space, _ in self._seen(scope) for id in space.forms}
            found = [form for id in sorted(ids) if (form := self._form(scope, id)) is not None]
            return [
                self._filled(scope, form)
                for form in found
                if (type is None or form.type == type)
                and (status is None or form.status == status)
                and form.id > (after or "")
            ][: max(limit, 0)]

    def newest(self, scope: Scope, type: str, limit: int) -> list[FormRecord]:
        every = self.find(scope, type, "active", sys.maxsize, None)
        return every[::-1][: max(limit, 0)]

    def versions(self, scope: Scope, form: str) -> list[VersionRecord]:
        with self._lock:
            own = [v for v in self._own(scope).versions.values() if v.form == form]
            found = self._form(scope, form)
            if found is not None and found.owner != scope.owner:
                shared = self._own(Scope(scope.tenant, found.owner))
                own = [v for v in shared.versions.values() if v.form == form]
            return sorted(own, key=lambda v: v.n)

    def tips(self, scope: Scope, forms: Sequence[str]) -> dict[str, bytes]:
        chains = {form: self.versions(scope, form) for form in forms}
        return {form: chain[-1].hash for form, chain in chains.items() if chain}

    def chains(self, scope: Scope, forms: Sequence[str]) -> dict[str, list[VersionRecord]]:
        found = {form: self.versions(scope, form) for form in forms}
        return {form: chain for form, chain in found.items() if chain}

    def versions_of_messages(self, scope: Scope, messages: Sequence[str]) -> list[VersionRecord]:
        with self._lock:
            own = [v for v in self._own(scope).versions.values() if v.message in messages]
            return sorted(own, key=lambda v: (v.form, v.n))

    def versions_naming(self, scope: Scope, message: str) -> list[VersionRecord]:
        with self._lock:
            quoted = json.dumps(message, ensure_ascii=False)
            own = [v for v in self._own(scope).versions.values() if quoted in (v.payload or "")]
            return sorted(own, key=lambda v: (v.form, v.n))

    # -- names -------------------------------------------------------------------------------------------
    def _keys(self, scope: Scope) -> list[KeyRecord]:
        seen = self._seen(scope)
        return sorted(k for space, types in seen for k in space.keys if types is None or k.type in types)

    def names(
        self, scope: Scope, names: Sequence[str], type: str | None = None, limit: int | None = None
    ) -> list[KeyRecord]:
        with self._lock:
            return [k for k in self._keys(scope) if k.name in names and type in (None, k.type)]

    def names_from(self, scope: Scope, prefix: str, limit: int) -> list[KeyRecord]:
        with self._lock:
            return [k for k in self._keys(scope) if k.name.startswith(prefix)][:limit]

    # -- conversation ------------------------------------------------------------------------------------
    def touched(self, scope: Scope, conversation: str, type: str | None, limit: int) -> list[MentionRecord]:
        with self._lock:
            found = [
                m
                for m in self._own(scope).mentions.values()
                if m.conversation == conversation and m.user and type in (None, m.type)
            ]
            return sorted(found, key=lambda m: m.seq, reverse=True)[: max(limit, 0)]

    def near(
        self, scope: Scope, conversations: Sequence[str], limit: int, close: int
    ) -> dict[str, list[NearRecord]]:
        with self._lock:
            found = {each: self.touched(scope, each, None, limit) for each in conversations}
            return {
                each: [self._near(scope, m, at < close) for at, m in enumerate(mentions)]
                for each, mentions in found.items()
                if mentions
            }

    def _near(self, scope: Scope, mention: MentionRecord, close: bool) -> NearRecord:
        form = self._own(scope).forms.get(mention.form)
        if form is None or form.status != "active":
            return NearRecord(*mention[:4], 0 if form is None else form.n, None)
        return NearRecord(*mention[:4], form.n, self._filled(scope, form).head if close else None)

    def messages(self, scope: Scope, ids: Sequence[str]) -> dict[str, MessageRecord]:
        with self._lock:
            own = self._own(scope).messages
            return {id: own[id] for id in ids if id in own and own[id].state != "erased"}

    def _said(self, scope: Scope) -> list[MessageRecord]:
        return sorted(m for m in self._own(scope).messages.values() if m.state != "erased")

    def recent(
        self, scope: Scope, conversation: str, limit: int, kind: str = "message", before: int | None = None
    ) -> list[MessageRecord]:
        end = _BEYOND if before is None else before
        with self._lock:
            said = [
                m
                for m in self._said(scope)
                if m.conversation == conversation and m.kind == kind and m.seq < end
            ]
            return said[-limit:] if limit > 0 else []

    def beside(self, scope: Scope, messages: Sequence[str]) -> list[MessageRecord]:
        with self._lock:
            talks: dict[str, list[MessageRecord]] = {}
            for said in self._said(scope):
                if said.kind == "message":
                    talks.setdefault(said.conversation, []).append(said)
            wanted, out = set(messages), set[MessageRecord]()
            for talk in talks.values():
                for at, said in enumerate(talk):
                    if said.id in wanted:
                        out.update(talk[max(0, at - 1) : at + 2])
            return sorted(out)

    def current_to(self, scope: Scope, conversation: str | None) -> str | None:
        with self._lock:
            said = [m for m in self._said(scope) if conversation in (None, m.conversation)]
            first = min((m.seq for m in said if m.state == "queued"), default=_BEYOND)
            before = [m.id for m in said if m.kind == "message" and m.seq < first]
            return before[-1] if before else None

    def claim(self, scope: Scope, limit: int, now: int, until: int) -> list[MessageRecord]:
        with self.writing(scope):
            space = self._own(scope)
            queued = [m for m in self._said(scope) if m.state == "queued"]
            free = [m for m in queued if m.id not in space.leases]
            free += [m for m in queued if space.leases.get(m.id, _BEYOND) <= now]
            taken = free[: max(limit, 0)]
            space.leases.update((m.id, until) for m in taken)
            return taken

    def renew(
        self, scope: Scope, ids: Sequence[str], held: int, until: int, waiting: str | None = None
    ) -> set[str]:
        with self.writing(scope):
            space = self._own(scope)
            queued = {m.id for m in self._said(scope) if m.state == "queued"}
            mine = {id for id in ids if id in queued and space.leases.get(id) == held}
            space.leases.update(dict.fromkeys(mine, until))
            for id in mine if waiting is not None else ():
                space.messages[id] = space.messages[id]._replace(waiting=waiting)
            return mine

    def waits(self, scope: Scope) -> list[tuple[str, int]]:
        with self._lock:
            reasons = Counter(m.waiting or "" for m in self._said(scope) if m.state == "queued")
            return sorted(reasons.items(), key=lambda each: (-each[1], each[0]))

    # -- what models cost --------------------------------------------------------------------------------
    def reply(self, scope: Scope, key: str, since: int) -> ReplyRecord | None:
        with self._lock:
            found = self._own(scope).replies.get(key)
            return found if found is not None and found.kept >= since else None

    def drop_replies(self, scope: Scope, before: int, dry_run: bool = False) -> int:
        with self.writing(scope):
            replies = self._own(scope).replies
            old = [key for key, reply in replies.items() if reply.kept < before]
            for key in old if not dry_run else ():
                del replies[key]
            return len(old)

    def erasures(self, scope: Scope) -> int:
        return self._erasures[scope.tenant]

    def spent(self, scope: Scope, day: int | None = None) -> SpentRecord:
        with self._lock:
            rows = [s for s in self._own(scope).spent.values() if day in (None, s.day)]
            sums = [sum(column) for column in zip(*(row[1:] for row in rows), strict=True)] or [0, 0, 0]
            return SpentRecord(day or 0, *sums)

    # -- edges -------------------------------------------------------------------------------------------
    def edges(
        self, scope: Scope, forms: Sequence[str], limit: int | None = None, inactive: bool = False
    ) -> list[EdgeRecord]:
        with self._lock:
            found: dict[tuple[str, str, str], EdgeRecord] = {}
            for space, types in self._seen(scope):
                rows = [e for e in space.edges.values() if inactive or e.status == "active"]
                if types is not None:
                    open_to = {form.id for form in space.forms.values() if form.type in types}
                    rows = [e for e in rows if e.source in open_to and e.target in open_to]
                rows.sort(key=lambda e: -e.weight)
                for form in forms:
                    for end in (0, 2):
                        for edge in [e for e in rows if e[end] == form][:limit]:
                            found.setdefault(edge.key, edge)
            return [self._typed(scope, edge) for edge in found.values()]

    def degree(self, scope: Scope, form: str, most: int) -> int:
        return min(most, len(self.edges(scope, [form], None, True)))

    def _typed(self, scope: Scope, edge: EdgeRecord) -> EdgeRecord:
        """The edge with the types of the Forms at its ends."""
        source, target = (self._end(scope, id) for id in (edge.source, edge.target))
        return edge._replace(
            source_type=source.type if source is not None else "",
            target_type=target.type if target is not None else "",
        )

    def candidates(self, scope: Scope) -> list[EdgeRecord]:
        with self._lock:
            found = [
                self._typed(scope, e) for e in self._own(scope).edges.values() if e.status == "candidate"
            ]
            return sorted(found, key=lambda e: (e.created, e.source, e.target))

    # -- what a self-check looks at ------------------------------------------------------------------------
    def _active(self, scope: Scope) -> list[EdgeRecord]:
        return [e for at, e in sorted(self._own(scope).edges.items()) if e.status == "active"]

    def _end(self, scope: Scope, id: str) -> FormRecord | None:
        return self._own(scope).forms.get(id) or self._own(Scope(scope.tenant, "")).forms.get(id)

    def _stands(self, scope: Scope, id: str, type: str | None = None) -> bool:
        form = self._end(scope, id)
        return form is not None and form.status == "active" and type in (None, form.type)

    def crowded(self, scope: Scope, relations: Sequence[str], outward: bool) -> list[tuple[str, str]]:
        with self._lock:
            rows = [e for e in self._active(scope) if e.relation in relations]
            ends = Counter((e.source if outward else e.target, e.relation) for e in rows)
            return sorted(at for at, n in ends.items() if n > 1 and self._stands(scope, at[0]))

    def namesakes(self, scope: Scope, keys: Sequence[str]) -> list[tuple[str, str]]:
        with self._lock:
            holders: dict[tuple[str, str], set[str]] = {}
            unique: set[tuple[str, str]] = set()
            for key in self._own(scope).keys:
                if key.slots.partition("#")[0] in keys:
                    holders.setdefault(key[:2], set()).add(key.form)
                    if "#" not in key.slots:
                        unique.add(key[:2])
            return sorted(at for at, forms in holders.items() if len(forms) > 1 and at in unique)

    def unrelated(self, scope: Scope, type: str, relation: str, before: int) -> list[str]:
        with self._lock:
            tied = {
                e.source
                for e in self._active(scope)
                if e.relation == relation and self._stands(scope, e.target)
            }
            forms = self._own(scope).forms
            return sorted(
                id
                for id, form in forms.items()
                if id not in tied and form.created < before and self._stands(scope, id, type)
            )

    def ties(self, scope: Scope, relation: str) -> list[tuple[str, str]]:
        with self._lock:
            rows = [e for e in self._active(scope) if e.relation == relation]
            return [
                (e.source, e.target)
                for e in sorted(rows)
                if self._stands(scope, e.source) and self._stands(scope, e.target)
            ]

    def dangling(self, scope: Scope, makers: Sequence[str]) -> list[EdgeRecord]:
        with self._lock:
            rows = [e for e in self._active(scope) if e.made_by in makers]
            ends = {id: self._end(scope, id) for e in rows for id in (e.source, e.target)}
            bad = {id for id, form in ends.items() if form is not None and form.status == "invalid"}
            return [self._typed(scope, e) for e in rows if e.source in bad or e.target in bad]

    def unfounded(self, scope: Scope, conditions: Sequence[Condition]) -> list[tuple[str, str, str]]:
        with self._lock:
            named: dict[tuple[str, str], set[str]] = {}  # Form and slot → names
            for space in (self._own(scope), self._own(Scope(scope.tenant, ""))):
                for key in space.keys:
                    named.setdefault((key.form, key.slots.partition("#")[0]), set()).add(key.name)
            out = set()
            for c in conditions:
                for e in self._active(scope):
                    ours = e.relation == c.relation and e.made_by == f"rule:{c.relation}"
                    if (
                        ours
                        and self._stands(scope, e.source, c.source)
                        and self._stands(scope, e.target, c.target)
                        and not all(
                            named.get((e.source, a), set()) & named.get((e.target, b), set())
                            for a, b in c.joins
                        )
                    ):
                        out.add(e.key)
            return sorted(out)

    def sweep(self, scope: Scope, dry_run: bool = False) -> int:
        return 0  # everything of a Form goes with it under one lock

    def mark(self, scope: Scope, name: str) -> int:
        with self._lock:
            return self._marks.get((scope.tenant, name), 0)

    def set_mark(self, scope: Scope, name: str, value: int) -> None:
        with self._lock:
            self._marks[scope.tenant, name] = value

    # -- pending items, acts -----------------------------------------------------------------------------
    def pendings(
        self,
        scope: Scope,
        forms: Sequence[str] | None = None,
        state: str | None = "open",
        messages: Sequence[str] | None = None,
    ) -> list[PendingRecord]:
        with self._lock:
            found = [
                p
                for p in self._own(scope).pendings.values()
                if state in (None, p.state)
                and (forms is None or p.form in forms)
                and (forms is not None or messages is None or p.message in messages)
            ]
            return sorted(found, key=lambda p: (p.asked, p.id))

    def pending_items(self, scope: Scope, ids: Sequence[str]) -> dict[str, PendingRecord]:
        with self._lock:
            held = self._own(scope).pendings
            return {id: held[id] for id in ids if id in held}

    def acts(self, scope: Scope, ids: Sequence[str]) -> dict[str, ActRecord]:
        with self._lock:
            held = self._own(scope).acts
            return {id: held[id] for id in ids if id in held}

    # -- full text and vectors ---------------------------------------------------------------------------
    def search_text(
        self, scope: Scope, terms: Sequence[str], limit: int, forms: bool = False, reach: Reach | None = None
    ) -> list[TextHit]:
        with self._lock:
            docs: list[tuple[str, str, str]] = []
            for space, types in self._seen(scope):
                for kind, id in space.documents():
                    open_to = types is None or (kind == "form" and space.forms[id].type in types)
                    open_to = open_to and (kind == "form" or not forms) and space.within(reach, (kind, id))
                    text = space.text(kind, id)
                    if open_to and text is not None:
                        docs.append((kind, id, text))
            counts = [Counter(index_terms(text)) for _, _, text in docs]
            weights = {t: math.log1p(len(docs) / max(1, sum(t in c for c in counts))) for t in set(terms)}
            hits = [
                TextHit(*doc, sum(w * c[t] / (c[t] + 1) for t, w in weights.items() if c[t]))
                for doc, c in zip(docs, counts, strict=True)
            ]
            return sorted((h for h in hits if h.score > 0), key=lambda h: -h.score)[: max(limit, 0)]

    def unembedded(self, scope: Scope, fingerprint: str, limit: int) -> list[tuple[str, str, str]]:
        with self._lock:
            space = self._own(scope)
            bare = [doc for doc in space.documents() if (fingerprint, *doc) not in space.vectors]
            return [(*doc, text) for doc in bare if (text := space.text(*doc))][: max(limit, 0)]

    def put_vectors(self, scope: Scope, fingerprint: str, dimensions: int, rows: Sequence[VectorRow]) -> None:
        for row in rows:
            if len(row.vector) != 4 * dimensions:
                raise InvalidInput(f"vector of {row.id} has {len(row.vector)} bytes, not 4 × {dimensions}")
        with self.writing(scope):
            space = self._own(scope)
            for doc in {(row.kind, row.id) for row in rows}:
                if space.text(*doc) is not None:
                    parts = [row for row in rows if (row.kind, row.id) == doc]
                    space.vectors[(fingerprint, *doc)] = sorted(parts, key=lambda row: row.part)

    def vectors(self, scope: Scope, fingerprint: str) -> list[VectorRow]:
        return [row for side in (False, True) for row in self._vectors(scope, fingerprint, side)]

    def _vectors(self, scope: Scope, fingerprint: str, archived: bool) -> list[VectorRow]:
        with self._lock:
            return [
                row
                for space, types in self._seen(scope)
                for doc, rows in space.vectors.items()
                if doc[0] == fingerprint
                and (doc[1:] in space.archived) == archived
                and (types is None or (doc[1] == "form" and space.forms[doc[2]].type in types))
                for row in rows
            ]

    def vector_changes(
        self, scope: Scope, fingerprint: str, since: Any, archived: bool = False
    ) -> VectorChanges:
        return VectorChanges(None, list(enumerate(self._vectors(scope, fingerprint, archived))), frozenset())

    def embedders(self, scope: Scope) -> list[tuple[str, int, int]]:
        with self._lock:
            vectors = self._own(scope).vectors
            sizes = {doc[0]: len(rows[0].vector) // 4 for doc, rows in vectors.items()}
            counts = Counter(doc[0] for doc in vectors)
            return sorted((name, size, counts[name]) for name, size in sizes.items())

    @staticmethod
    def _drop_vectors(space: _Space, kind: str, id: str) -> int:
        gone = [doc for doc in space.vectors if doc[1:] == (kind, id)]
        return sum(len(space.vectors.pop(doc)) for doc in gone)

    def texts(self, scope: Scope, docs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
        said = self.messages(scope, [id for kind, id in docs if kind == "message"])
        forms = self.forms(scope, [id for kind, id in docs if kind == "form"])
        out = {("message", id): m.text for id, m in said.items()}
        return out | {("form", id): f.words for id, f in forms.items()}

    # -- the archive -------------------------------------------------------------------------------------
    def astray(self, scope: Scope, reach: Reach) -> Astray:
        with self._lock:
            sides: tuple[set[tuple[str, str]], set[tuple[str, str]]] = (set(), set())
            for space, types in self._seen(scope):
                for side, docs in zip(sides, space.astray(reach), strict=True):
                    side.update(doc for doc in docs if self._open(space, types, doc))
            return Astray(*map(frozenset, sides))

    @staticmethod
    def _open(space: _Space, types: frozenset[str] | None, doc: tuple[str, str]) -> bool:
        return types is None or (doc[0] == "form" and space.forms[doc[1]].type in types)

    def left_out(self, scope: Scope, reach: Reach, most: int) -> int:
        with self._lock:
            count = sum(
                self._open(space, types, doc) and not space.within(reach, doc)
                for space, types in self._seen(scope)
                for doc in space.documents()
            )
            return min(count, most)

    def idle(self, scope: Scope, reach: Reach) -> int:
        with self._lock:
            return sum(map(len, self._own(scope).astray(reach)))

    def archive(self, scope: Scope, reach: Reach, limit: int) -> int:
        with self.writing(scope):
            space = self._own(scope)
            out, back = space.astray(reach)
            moved = [*out, *back][: max(limit, 0)]
            space.archived ^= set(moved)
            return len(moved)

    # -- whole scope -------------------------------------------------------------------------------------
    def scan(self, scope: Scope, table: str) -> Iterator[Any]:
        with self._lock:
            space = self._own(scope)
            tables: dict[str, list[Any]] = {
                "messages": self._said(scope),
                "forms": [self._filled(scope, space.forms[id]) for id in sorted(space.forms)],
                "versions": [space.versions[at] for at in sorted(space.versions)],
                "keys": sorted(space.keys),
                "mentions": self._mentions(space),
                "edges": [space.edges[at] for at in sorted(space.edges)],
                "pendings": [space.pendings[id] for id in sorted(space.pendings)],
                "acts": [space.acts[id] for id in sorted(space.acts)],
            }
        if table not in tables:
            raise InvalidInput(f"{table!r} is nothing to scan: one of {', '.join(tables)}")
        return iter(tables[table])

    def _mentions(self, space: _Space) -> list[MentionRecord]:
        said = {m.seq: m.conversation for m in space.messages.values() if m.state != "erased"}
        found = [m for m in space.mentions.values() if said.get(m.seq) == m.conversation]
        return sorted(found, key=lambda m: (m.seq, m.form))

    def owners(self, scope: Scope) -> list[str]:
        with self._lock:
            tenant = [(at[1], space) for at, space in self._spaces.items() if at[0] == scope.tenant]
            there = [(owner, space) for owner, space in tenant if any(vars(space).values())]
            held = {_unread(owner) if space.nameless else owner for owner, space in there}
            return sorted({"", *held}) if held else []

    def erased(self, scope: Scope, messages: Sequence[str] = (), forms: Sequence[str] = ()) -> set[str]:
        with self._lock:
            space = self._own(scope)
            said = {id for id in messages if id in space.messages and space.messages[id].state == "erased"}
            return said | space.gone.intersection(forms)

    def erase(
        self,
        scope: Scope,
        *,
        forms: Iterable[str] = (),
        messages: Iterable[str] = (),
        versions: Iterable[tuple[str, int]] = (),
        withhold: Iterable[str] = (),
        owner: bool = False,
    ) -> dict[str, int]:
        with self.writing(scope):
            before, blank, elsewhere = self.count(scope), self._payloads(scope), 0
            space = self._own(scope)
            if owner:
                forms, messages = list(space.forms), list(space.messages)
                space.pendings, space.acts, space.edges = {}, {}, {}
            for id in messages:
                self._erase_message(space, id)
            for at in versions:
                self._blank(space, at)
            quiet = sum(m.state == "withheld" for m in space.messages.values())
            forms = [id for id in dict.fromkeys(forms) if id in space.forms]
            for id in forms:
                self._erase_form(space, id)
            cut = 0 if scope.owner else self._cut_off(scope.tenant, space, set(forms))
            self._withhold(space, () if owner else withhold)
            kept = 0 if owner else sum(m.state == "withheld" for m in space.messages.values()) - quiet
            after = self.count(scope)
            if cut or after != before or blank != self._payloads(scope):
                self._erasures[scope.tenant] += 1
                others = [] if scope.owner else [s for at, s in self._spaces.items() if at[0] == scope.tenant]
                read = [each for each in others if each is not space]
                elsewhere = sum(len(each.replies) for each in read)
                for each in (space, *read):
                    each.replies = {}
            if owner:
                space.replies = {}
                space.nameless = space.nameless or (bool(scope.owner) and any(vars(space).values()))
            after = self.count(scope)
            done = {name: before[name] - after[name] for name in before if name != "queued"}
            replies = done["replies"] + elsewhere
            return done | {
                "versions": blank - self._payloads(scope), "replies": replies, "withheld": kept,
                "edges": done["edges"] + cut,
            }  # fmt: skip

    def _cut_off(self, tenant: str, shared: _Space, gone: set[str]) -> int:
        """Drops the edges that others have to shared Forms that are ``gone``; how many."""
        cut = 0
        for at, space in self._spaces.items():
            if at[0] == tenant and space is not shared:
                ends = [key for key, e in space.edges.items() if not gone.isdisjoint((e.source, e.target))]
                for key in ends:
                    del space.edges[key]
                cut += len(ends)
        return cut

    def _payloads(self, scope: Scope) -> int:
        return sum(v.payload is not None for v in self._own(scope).versions.values())

    @staticmethod
    def _blank(space: _Space, at: tuple[str, int]) -> None:
        if at in space.versions:
            space.versions[at] = space.versions[at]._replace(payload=None, salt=None)

    def _erase_message(self, space: _Space, id: str) -> None:
        known = space.messages.get(id)
        if known is None or known.state == "erased":
            return
        for at, edge in list(space.edges.items()):
            if edge.message == id and edge.made_by in ("draft", "marked:draft"):
                del space.edges[at]
            elif edge.message == id:
                space.edges[at] = edge._replace(message=None, start=0, end=0)
        asked = {p.form for p in space.pendings.values() if p.message == id and p.form is not None}
        space.pendings = {p.id: p for p in space.pendings.values() if p.message != id}
        for form in asked & space.forms.keys():
            still = sum(p.form == form and p.state == "open" for p in space.pendings.values())
            space.forms[form] = space.forms[form]._replace(pending=still)
        said = (known.conversation, known.seq)
        space.mentions = {a: m for a, m in space.mentions.items() if (m.conversation, m.seq) != said}
        self._drop_vectors(space, "message", id)
        space.archived.discard(("message", id))
        space.messages[id] = known._replace(
            state="erased", text="", body=None, waiting=None, speaker="", conversation=""
        )

    @staticmethod
    def _withhold(space: _Space, ids: Iterable[str]) -> None:
        for id in ids:
            if id in space.messages and space.messages[id].state in ("stored", "held"):
                space.messages[id] = space.messages[id]._replace(state="withheld")

    def _erase_form(self, space: _Space, id: str) -> None:
        if space.forms.pop(id, None) is None:
            return
        told = {m.seq for m in space.mentions.values() if m.form == id}
        self._withhold(
            space, [m.id for m in space.messages.values() if m.seq in told and m.kind == "message"]
        )
        space.archived.discard(("form", id))
        space.gone.add(id)
        for at in [at for at in space.versions if at[0] == id]:
            self._blank(space, at)
        space.keys = {key for key in space.keys if key.form != id}
        space.mentions = {at: m for at, m in space.mentions.items() if m.form != id}
        space.edges = {at: e for at, e in space.edges.items() if id not in (e.source, e.target)}
        offers = {
            p.id
            for p in space.pendings.values()
            if any(id in choice.split(".") for choice in json.loads(p.candidates))
        }
        asked = {space.pendings[item].form for item in offers}
        space.pendings = {p.id: p for p in space.pendings.values() if p.form != id and p.id not in offers}
        for form in [each for each in asked if each in space.forms]:
            still = sum(p.form == form and p.state == "open" for p in space.pendings.values())
            space.forms[str(form)] = space.forms[str(form)]._replace(pending=still)
        space.acts = {a.id: a for a in space.acts.values() if a.form != id}
        self._drop_vectors(space, "form", id)

    def said_since(self, scope: Scope, moments: Sequence[int]) -> list[int]:
        with self._lock:
            said = [m.time for m in self._said(scope) if m.kind == "message"]
            return [sum(time > moment for time in said) for moment in moments]

    def count(self, scope: Scope) -> dict[str, int]:
        with self._lock:
            space = self._own(scope)
            return {
                "messages": len(self._said(scope)),
                "forms": len(space.forms),
                "versions": len(space.versions),
                "keys": len(space.keys),
                "mentions": len(space.mentions),
                "edges": len(space.edges),
                "pendings": len(space.pendings),
                "acts": len(space.acts),
                "vectors": sum(len(rows) for rows in space.vectors.values()),
                "replies": len(space.replies),
                "queued": sum(m.state == "queued" for m in self._said(scope)),
            }

    def tenants(self) -> list[str]:
        with self._lock:
            return sorted(
                {tenant for (tenant, _), space in self._spaces.items() if any(vars(space).values())}
            )

    def shapes(self, scope: Scope) -> dict[str, str]:
        with self._lock:
            return dict(self._shapes.get(scope.tenant, {}))

    def put_shapes(self, scope: Scope, shapes: Mapping[str, str]) -> None:
        with self.writing(scope):
            self._shapes.setdefault(scope.tenant, {}).update(shapes)

    def drop_keys(self, scope: Scope, type: str) -> None:
        with self._lock:
            space = self._own(scope)
            space.keys = {key for key in space.keys if key.type != type}

    def drop_derived(self, scope: Scope) -> None:
        with self.writing(scope):
            space = self._own(scope)
            space.keys, space.mentions, space.vectors = set(), {}, {}
            space.edges = {a: e for a, e in space.edges.items() if not e.made_by.startswith("rule:")}

    def index_texts(self, scope: Scope) -> int:
        with self.writing(scope):
            space = self._own(scope)
            return len(space.documents())

    def compact(self, seconds: float) -> bool:
        return True

    def integrity(self) -> list[str]:
        return []

    def backup(self, path: str) -> None:
        raise StoreUnavailable("the reference store has no file to copy")

    def close(self) -> None:
        self._closed = True
