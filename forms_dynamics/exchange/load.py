"""Rows of an export into a store: all of them in one transaction, or none.

What is canonical is written as it stands, with chains sealed anew; heads, names, words and full text are made
by what every write makes them with. What is here already stays as it is.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from forms_dynamics.errors import Conflict, InvalidInput
from forms_dynamics.exchange.fit import check_payload, check_type_version
from forms_dynamics.exchange.lines import read
from forms_dynamics.exchange.rows import MESSAGES, Row
from forms_dynamics.model.record import (
    ActRecord,
    ChangeSet,
    EdgeRecord,
    FormRecord,
    MentionRecord,
    MessageRecord,
    PendingRecord,
    Scope,
    VersionRecord,
)
from forms_dynamics.model.report import Loaded
from forms_dynamics.ports import Store
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.versioning.chain import resealed
from forms_dynamics.versioning.decide import NEAR_MATCH
from forms_dynamics.versioning.keys import given_to
from forms_dynamics.versioning.workspace import Workspace

BATCH = 500
_STAGES = {
    **dict.fromkeys(MESSAGES, 0),
    "form": 1,
    "version": 1,
    "mention": 2,
    "edge": 3,
    "pending": 4,
    "act": 5,
}
_STAGE_NAMES = ("messages", "Forms with their versions", "mentions", "edges", "pending items", "acts")
_ELSEWHERE = "; nothing of the file was taken: load it into a new store, or as another tenant"
_NOBODY = ""


class _Rehearsed(Exception):
    """A dry run has come to its end: everything goes back."""


class _Mention(NamedTuple):
    message: str
    forms: Sequence[str]


@dataclass(slots=True)
class _Chain:
    """A Form (None: erased) and its versions so far."""

    row: Row
    id: str
    n: int
    record: FormRecord | None
    versions: list[VersionRecord] = field(default_factory=list)
    lines: list[Row] = field(default_factory=list)  # of the versions


class Loader:
    """One run. ``owner`` None: each part of the file goes to its own user; else all of it goes to that one."""

    def __init__(self, store: Store, catalog: Catalog, scope: Scope, now: int, owner: str | None) -> None:
        self._store = store
        self._catalog = catalog
        self._start = scope
        self._now = now
        self._owner = owner
        self._scope = scope  # of the part being read; ``_bare`` does not look into the shared space
        self._bare = Scope(scope.tenant, scope.owner)
        self._moved: tuple[str, str] | None = None  # user of the file, owner here, where they differ
        self._users: list[str | None] = []
        self._counts: Counter[str] = Counter()
        self._types: Counter[str] = Counter()
        self._stage = 0
        self._last: Any = None
        self._chain: _Chain | None = None
        self._batch: list[tuple[Row, Any]] = []
        self._blank = False  # the owner had nothing here when its part began
        self._derive_mentions = False
        self._fresh: set[str] = set()  # Forms that this run wrote, kept where the owner had some
        self._flushes: Sequence[Callable[[Sequence[tuple[Row, Any]]], None]] = (
            self._put_messages, self._put_chains, self._put_mentions, self._put_edges, self._put_pendings,
            self._put_acts,
        )  # fmt: skip

    def run(self, given: Iterable[Mapping[str, Any] | str | bytes], dry_run: bool) -> Loaded:
        """Takes all rows; see ``Memory.load``."""
        try:
            with self._store.writing(self._bare), ExitStack() as owners:
                for row in read(given):
                    if row.kind == "scope":
                        self._flush()
                        self._begin(row, owners)
                    else:
                        self._take(row)
                self._flush()
                if dry_run:
                    raise _Rehearsed
        except _Rehearsed:
            pass
        counts = self._counts
        return Loaded(
            tuple(self._users), counts["messages"], counts["forms"], counts["versions"], counts["edges"],
            counts["pending"], counts["acts"], counts["erased"], counts["known"], counts["loose"],
            dict(sorted(self._types.items())),
        )  # fmt: skip

    # -- rows in order -----------------------------------------------------------------------------------------
    def _begin(self, row: Row, owners: ExitStack) -> None:
        user = row.optional("user") or _NOBODY
        owner = user if self._owner is None else self._owner
        if self._owner is not None and self._users:
            raise InvalidInput(
                f"line {row.line}: the rows of a second user begin here ({user or 'the shared space'}), and all"
                " were to go to one: leave the user out, or export one user; nothing of the file was taken"
            )
        self._users.append(owner or None)
        self._moved = None if owner == user else (user, owner)
        self._scope = Scope(self._start.tenant, owner, self._start.shared)
        self._bare = Scope(self._start.tenant, owner)
        owners.enter_context(self._store.writing(self._bare))
        held = self._store.count(self._bare)
        self._blank = not any(held.values())
        self._derive_mentions = row.data["format"] == 1
        self._fresh.clear()
        self._stage, self._last = 0, None

    def _take(self, row: Row) -> None:
        stage = _STAGES.get(row.kind) if isinstance(row.kind, str) else None
        if stage is None:
            kinds = ", ".join(("scope", *_STAGES, "end"))
            raise InvalidInput(
                f"line {row.line}: no kind of row {row.kind!r} (there are {kinds}); nothing of the file was taken"
            )
        if stage < self._stage:
            raise row.wrong(
                f"stands behind {_STAGE_NAMES[self._stage]}, but {_STAGE_NAMES[stage]} come first: the rows are"
                " in another order than export wrote them"
            )
        if stage > self._stage:
            self._flush()
            self._stage, self._last = stage, None
        if stage == 1:
            self._link(row)
            return
        record, key = self._read(stage, row)
        if key is not None:
            self._rising(row, key)
        self._batch.append((row, record))
        if len(self._batch) >= BATCH:
            self._flush()

    def _read(self, stage: int, row: Row) -> tuple[Any, Any]:
        """The record, and what it is ordered by where an order is kept."""
        if stage == 0:
            return row.message(), None
        if stage == 2:
            return _Mention(row.name("message"), row.texts("forms")), None
        if stage == 3:
            edge = row.edge()
            return edge, None if self._derive_mentions else edge[:3]
        record = row.pending(self._scope.owner) if stage == 4 else row.act(self._scope.owner)
        return record, record.id

    def _rising(self, row: Row, key: Any) -> None:
        if self._last is not None and key <= self._last:
            raise row.wrong(
                "stands twice or out of order: the rows are in another order than export wrote them"
            )
        self._last = key

    def _link(self, row: Row) -> None:
        """A Form begins, or the next version of the one that is open."""
        if row.kind == "form":
            self._close()
            erased = row.data.get("status") == "erased"
            id = row.name("id")
            self._rising(row, id)
            record = None if erased else row.form(self._scope.owner)
            self._chain = _Chain(row, id, row.integer("version", 1), record)
            return
        chain = self._chain
        version = row.version(self._given_to(chain))
        if chain is None or version.form != chain.id:
            raise row.wrong("does not follow its Form: the rows are in another order than export wrote them")
        if version.n != len(chain.versions) + 1:
            raise row.wrong(
                f"is version {version.n} where version {len(chain.versions) + 1} should stand: the chain has a gap"
            )
        if chain.record is None and version.payload is not None:
            raise row.wrong("has a payload, but its Form is erased")
        chain.versions.append(version)
        chain.lines.append(row)

    def _given_to(self, chain: _Chain | None) -> Callable[[Mapping[str, Any]], Mapping[str, Any]] | None:
        """Makes a payload the owner's, where the file names another."""
        if self._moved is None or chain is None or chain.record is None:
            return None
        was, now = self._moved
        form_type = self._catalog.types.get(chain.record.type)
        return lambda payload: given_to(payload, form_type, was, now)

    def _close(self) -> None:
        chain, self._chain = self._chain, None
        if chain is None:
            return
        if len(chain.versions) != chain.n:
            raise chain.row.wrong(
                f"has {chain.n} versions, but {len(chain.versions)} follow: rows are missing, or the file was cut off"
            )
        self._batch.append((chain.row, chain))
        if len(self._batch) >= BATCH:
            self._flush()

    def _flush(self) -> None:
        self._close()
        batch, self._batch = self._batch, []
        if batch:
            self._flushes[self._stage](batch)

    def _write(self, changes: ChangeSet) -> None:
        self._store.apply(self._scope, changes)

    def _conflict(self, row: Row, why: str) -> Conflict:
        return Conflict(str(row.wrong(why)).rpartition(";")[0] + _ELSEWHERE)

    # -- messages ----------------------------------------------------------------------------------------------
    def _put_messages(self, batch: Sequence[tuple[Row, MessageRecord]]) -> None:
        ids = [message.id for _, message in batch]
        here = self._store.messages(self._bare, ids)
        gone = self._store.erased(self._bare, messages=ids)
        seq = self._store.next_seq(self._bare)
        fresh: list[MessageRecord] = []
        for row, message in batch:
            old = here.get(message.id)
            if message.id in gone:
                raise self._conflict(row, "was erased here, and load brings nothing back")
            if old is None:
                made = here[message.id] = message._replace(seq=seq)
                fresh.append(made)
                seq += 1
            elif _said(old) == _said(message):
                self._counts["known"] += 1
            else:
                raise self._conflict(row, "a message of this id is here with another content")
        self._write(ChangeSet(messages=fresh))
        self._counts["messages"] += len(fresh)

    # -- Forms -------------------------------------------------------------------------------------------------
    def _put_chains(self, batch: Sequence[tuple[Row, _Chain]]) -> None:
        ids = [chain.id for _, chain in batch]
        here = self._store.forms(self._bare, ids)
        gone = self._store.erased(self._bare, forms=ids)
        ws = Workspace(self._store, self._scope, self._catalog, self._now)
        fresh: list[_Chain] = []
        for _, chain in batch:
            if chain.id in here:
                self._same(chain, here[chain.id])
            elif chain.id not in gone:
                fresh.append(chain)
            elif chain.record is None:
                self._counts["known"] += 1 + chain.n
            else:
                raise self._conflict(chain.row, "was erased here, and load brings nothing back")
        alive = [(chain, chain.record) for chain in fresh if chain.record is not None]
        for chain, record in alive:
            form_type = self._catalog.types.get(record.type)
            if form_type is not None:
                check_type_version(chain.row, record.type_version, form_type)
                for row in chain.lines:
                    check_payload(row, form_type)
        admitted = [ws.admit(record, chain.versions) for chain, record in alive]
        ws.name(admitted)
        if self._derive_mentions:
            self._mention(ws, [chain for chain, _ in alive])
        if not self._blank:
            self._fresh.update(chain.id for chain in fresh)
            self._review(ws)
        for chain in fresh:
            if chain.record is None:
                ws.changes.forms.append(_tombstone(chain.id, self._scope.owner))
                ws.changes.versions.extend(resealed(version, b"") for version in chain.versions)
        self._write(ws.finish())
        self._counts["forms"] += len(alive)
        self._counts["erased"] += len(fresh) - len(alive)
        self._counts["versions"] += sum(chain.n for chain in fresh)
        for _, record in alive:
            if record.type not in self._catalog.types:
                self._types[record.type] += 1

    def _same(self, chain: _Chain, here: FormRecord) -> None:
        """The store holds the Form with the same versions, and perhaps later ones of its own."""
        record = chain.record
        if record is None:
            raise self._conflict(chain.row, "is erased in the file, but not here: erase it first")
        if (record.type, record.created) != (here.type, here.created):
            raise self._conflict(chain.row, "another Form of this id is here")
        stored = self._store.versions(self._bare, chain.id)
        if len(stored) < chain.n:
            raise self._conflict(
                chain.row, f"has {chain.n} versions in the file and {len(stored)} here: what is here is older"
            )
        for row, new, old in zip(chain.lines, chain.versions, stored, strict=False):
            if (new.payload is None) != (old.payload is None):
                where = "here, but not in the file" if old.payload is None else "in the file, but not here"
                raise self._conflict(row, f"version {new.n} is erased {where}")
            if _told(new) != _told(old):
                raise self._conflict(row, f"version {new.n} is here with another content")
        self._counts["known"] += 1 + chain.n

    def _mention(self, ws: Workspace, chains: Sequence[_Chain]) -> None:
        """Format 1 tells which Forms a message touched by its versions alone."""
        asked = {version.message for chain in chains for version in chain.versions if version.payload}
        said = self._store.messages(self._bare, sorted(asked))
        for chain in chains:
            working = ws.own(chain.id)
            for version in chain.versions:
                message = said.get(version.message)
                if working is not None and message is not None and version.payload:
                    ws.mention(working, message, message.role == "user")

    def _review(self, ws: Workspace) -> None:
        """A Form whose identity one of the owner's other Forms holds may be that one: a person is asked."""
        others = sorted({other for twins in ws.twins.values() for other in twins} - self._fresh)
        active = {id for id, form in self._store.forms(self._bare, others).items() if form.status == "active"}
        for id, twins in ws.twins.items():
            for other in sorted(twins & active):
                ws.put_edge(
                    EdgeRecord(
                        id, NEAR_MATCH, other, 0.5, 0, self._now, self._now, "candidate", "near_match", None, 0, 0,
                        None,
                    )
                )  # fmt: skip

    # -- what hangs on Forms -----------------------------------------------------------------------------------
    def _put_mentions(self, batch: Sequence[tuple[Row, _Mention]]) -> None:
        said = self._store.messages(self._bare, [mention.message for _, mention in batch])
        ids = dict.fromkeys(form for _, mention in batch for form in mention.forms)
        forms = self._store.forms(self._bare, list(ids))
        made: list[MentionRecord] = []
        for _, mention in batch:
            message = said.get(mention.message)
            for id in mention.forms:
                form = forms.get(id)
                if message is None or form is None:
                    self._counts["loose"] += 1
                    continue
                made.append(
                    MentionRecord(message.conversation, form.type, message.seq, id, message.role == "user")
                )
        self._write(ChangeSet(mentions=made))

    def _put_edges(self, batch: Sequence[tuple[Row, EdgeRecord]]) -> None:
        there = self._standing(dict.fromkeys(end for _, edge in batch for end in (edge.source, edge.target)))
        asked = [] if self._blank else sorted({e.source for _, e in batch} - self._fresh)
        held = self._store.edges(self._bare, asked, inactive=True) if asked else []
        here = {edge[:3]: edge for edge in held}
        fresh: list[EdgeRecord] = []
        for row, edge in batch:
            old = here.get(edge[:3])
            if edge.source not in there or edge.target not in there:
                self._counts["loose"] += 1
            elif old is None:
                fresh.append(edge)
            elif old.made_by != edge.made_by or (
                old.created != edge.created and not old.made_by.startswith(("rule:", "near_match"))
            ):
                raise self._conflict(row, f"an edge {'.'.join(edge[:3])} is here that was made otherwise")
            else:
                self._counts["known"] += 1
        self._write(ChangeSet(edges=fresh))
        self._counts["edges"] += len(fresh)

    def _standing(self, ids: Iterable[str]) -> set[str]:
        """Those of the Forms that are here, the owner's or the shared space's."""
        asked = list(ids)
        found = set(self._store.forms(self._bare, asked))
        if self._scope.owner and len(found) < len(asked):
            shared = Scope(self._scope.tenant, "")
            found.update(self._store.forms(shared, [id for id in asked if id not in found]))
        return found

    def _put_pendings(self, batch: Sequence[tuple[Row, PendingRecord]]) -> None:
        fresh: list[PendingRecord] = []
        for row, item in batch:
            old = None if self._blank else self._store.pending(self._bare, item.id)
            if old is None:
                fresh.append(item)
            elif _asked(old) == _asked(item):
                self._counts["known"] += 1
            else:
                raise self._conflict(row, "a pending item of this id is here with another content")
        opened = Counter(item.form for item in fresh if item.state == "open" and item.form is not None)
        forms = [
            form._replace(pending=form.pending + opened[form.id], head=None if form.n == 1 else form.head)
            for form in self._store.forms(self._bare, list(opened)).values()
        ]
        self._write(ChangeSet(pendings=fresh, forms=forms, heads={form.id: form.n for form in forms}))
        self._counts["pending"] += len(fresh)

    def _put_acts(self, batch: Sequence[tuple[Row, ActRecord]]) -> None:
        fresh: list[ActRecord] = []
        for row, act in batch:
            old = None if self._blank else self._store.act(self._bare, act.id)
            if old is None:
                fresh.append(act)
            elif old[:5] == act[:5] and json.loads(old.body) == json.loads(act.body):
                self._counts["known"] += 1
            else:
                raise self._conflict(row, "an act of this id is here with another content")
        self._write(ChangeSet(acts=fresh))
        self._counts["acts"] += len(fresh)


def _tombstone(id: str, owner: str) -> FormRecord:
    return FormRecord(id, owner, "", 0, 0, "erased", 0, 0, 0, "", None, None, 0, "")


def _said(m: MessageRecord) -> tuple[Any, ...]:
    """What makes a message the same; its state moves on."""
    body = None if m.body is None else json.loads(m.body)
    return m.conversation, m.speaker, m.role, m.text, m.time, m.offset, m.arrived, m.kind, body


def _told(v: VersionRecord) -> tuple[Any, ...]:
    return *v[:6], None if v.payload is None else json.loads(v.payload)


def _asked(p: PendingRecord) -> tuple[Any, ...]:
    """What makes a pending item the same; its state moves on."""
    return (
        *p[2:5], json.loads(p.value), *p[6:9], json.loads(p.candidates), p.asked, p.message, json.loads(p.draft)
    )  # fmt: skip


__all__ = ["Loader"]
