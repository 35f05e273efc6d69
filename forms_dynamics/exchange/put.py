"""One user's part of an export into the store, a batch at a time.

What is canonical is written as it stands, with chains sealed anew; heads, names, words and full text are made
by what every write makes them with. What is here already stays as it is.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from forms_dynamics.exchange.fit import check_payload, check_type_version
from forms_dynamics.exchange.rows import Row
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
from forms_dynamics.ports import Store
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.versioning.chain import resealed
from forms_dynamics.versioning.near import NEAR, near_match
from forms_dynamics.versioning.questionnaire import close_answered
from forms_dynamics.versioning.workspace import Workspace


class Mention(NamedTuple):
    message: str
    forms: Sequence[str]


@dataclass(slots=True)
class Chain:
    """A Form (None: erased) and its versions so far."""

    row: Row
    id: str
    n: int
    record: FormRecord | None
    versions: list[VersionRecord] = field(default_factory=list)
    lines: list[Row] = field(default_factory=list)  # of the versions


@dataclass(slots=True)
class Tally:
    """What became of the rows, by kind, and the Forms of types that are not loaded."""

    counts: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)


class Part:
    """The part of one user: ``old`` where it is of format 1. Its kinds come in the order of the methods."""

    def __init__(
        self, store: Store, catalog: Catalog, scope: Scope, now: int, tally: Tally, old: bool
    ) -> None:
        self._store = store
        self._catalog = catalog
        self._scope = scope
        self._bare = Scope(scope.tenant, scope.owner)  # does not look into the shared space
        self._now = now
        self._tally = tally
        self._old = old
        self._blank = not any(store.count(self._bare).values())  # the owner had nothing here
        self._fresh: set[str] = set()  # Forms that this run wrote, kept where the owner had some

    def _write(self, changes: ChangeSet) -> None:
        self._store.apply(self._scope, changes)

    # -- messages ----------------------------------------------------------------------------------------------
    def messages(self, batch: Sequence[tuple[Row, MessageRecord]]) -> None:
        ids = [message.id for _, message in batch]
        here = self._store.messages(self._bare, ids)
        gone = self._store.erased(self._bare, messages=ids)
        seq = self._store.next_seq(self._bare)
        fresh: list[MessageRecord] = []
        for row, message in batch:
            old = here.get(message.id)
            if message.id in gone:
                raise row.clash("was erased here, and load brings nothing back")
            if old is None:
                made = here[message.id] = message._replace(seq=seq)
                fresh.append(made)
                seq += 1
            elif _said(old) == _said(message):
                self._tally.counts["known"] += 1
            else:
                raise row.clash("a message of this id is here with another content")
        self._write(ChangeSet(messages=fresh))
        self._tally.counts["messages"] += len(fresh)

    # -- Forms -------------------------------------------------------------------------------------------------
    def chains(self, batch: Sequence[tuple[Row, Chain]]) -> None:
        ids = [chain.id for _, chain in batch]
        here = self._store.forms(self._bare, ids)
        gone = self._store.erased(self._bare, forms=ids)
        ws = Workspace(self._store, self._scope, self._catalog, self._now)
        fresh: list[Chain] = []
        for _, chain in batch:
            if chain.id in here:
                self._same(chain, here[chain.id])
            elif chain.id not in gone:
                fresh.append(chain)
            elif chain.record is None:
                self._tally.counts["known"] += 1 + chain.n
            else:
                raise chain.row.clash("was erased here, and load brings nothing back")
        alive = [(chain, chain.record) for chain in fresh if chain.record is not None]
        for chain, record in alive:
            form_type = self._catalog.types.get(record.type)
            if form_type is not None:
                check_type_version(chain.row, record.type_version, form_type)
                for row in chain.lines:
                    check_payload(row, form_type)
        admitted = [ws.admit(record, chain.versions) for chain, record in alive]
        ws.name(admitted)
        if self._old:
            self._mention(ws, [chain for chain, _ in alive])
        if not self._blank:
            self._fresh.update(chain.id for chain in fresh)
            self._review(ws)
            for working in admitted:
                close_answered(ws, working)
        for chain in fresh:
            if chain.record is None:
                ws.changes.forms.append(_tombstone(chain.id, self._scope.owner))
                ws.changes.versions.extend(resealed(version, b"") for version in chain.versions)
        self._write(ws.finish())
        self._tally.counts["forms"] += len(alive)
        self._tally.counts["erased"] += len(fresh) - len(alive)
        self._tally.counts["versions"] += sum(chain.n for chain in fresh)
        for _, record in alive:
            if record.type not in self._catalog.types:
                self._tally.types[record.type] += 1

    def _same(self, chain: Chain, here: FormRecord) -> None:
        """The store holds the Form with the same versions, and perhaps later ones of its own."""
        record = chain.record
        if record is None:
            raise chain.row.clash("is erased in the file, but not here: erase it first")
        if (record.type, record.created) != (here.type, here.created):
            raise chain.row.clash("another Form of this id is here")
        stored = self._store.versions(self._bare, chain.id)
        if len(stored) < chain.n:
            raise chain.row.clash(
                f"has {chain.n} versions in the file and {len(stored)} here: what is here is older"
            )
        for row, new, old in zip(chain.lines, chain.versions, stored, strict=False):
            if (new.payload is None) != (old.payload is None):
                where = "here, but not in the file" if old.payload is None else "in the file, but not here"
                raise row.clash(f"version {new.n} is erased {where}")
            if _told(new) != _told(old):
                raise row.clash(f"version {new.n} is here with another content")
        self._tally.counts["known"] += 1 + chain.n

    def _mention(self, ws: Workspace, chains: Sequence[Chain]) -> None:
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
                ws.put_edge(near_match(id, other, self._now))

    # -- what hangs on Forms -----------------------------------------------------------------------------------
    def mentions(self, batch: Sequence[tuple[Row, Mention]]) -> None:
        said = self._store.messages(self._bare, [mention.message for _, mention in batch])
        ids = dict.fromkeys(form for _, mention in batch for form in mention.forms)
        forms = self._store.forms(self._bare, list(ids))
        made: list[MentionRecord] = []
        for _, mention in batch:
            message = said.get(mention.message)
            for id in mention.forms:
                form = forms.get(id)
                if message is None or form is None:
                    self._tally.counts["loose"] += 1
                    continue
                made.append(
                    MentionRecord(message.conversation, form.type, message.seq, id, message.role == "user")
                )
        self._write(ChangeSet(mentions=made))

    def edges(self, batch: Sequence[tuple[Row, EdgeRecord]]) -> None:
        there = self._standing(dict.fromkeys(end for _, edge in batch for end in (edge.source, edge.target)))
        asked = [] if self._blank else sorted({e.source for _, e in batch} - self._fresh)
        held = self._store.edges(self._bare, asked, inactive=True) if asked else []
        here = {edge.key: edge for edge in held}
        fresh: list[EdgeRecord] = []
        for row, edge in batch:
            old = here.get(edge.key)
            if edge.source not in there or edge.target not in there:
                self._tally.counts["loose"] += 1
            elif old is None:
                fresh.append(edge)
            elif old.made_by != edge.made_by or (
                old.created != edge.created and not old.made_by.startswith(("rule:", NEAR))
            ):
                raise row.clash(f"an edge {edge.id} is here that was made otherwise")
            else:
                self._tally.counts["known"] += 1
        self._write(ChangeSet(edges=fresh))
        self._tally.counts["edges"] += len(fresh)

    def _standing(self, ids: Iterable[str]) -> set[str]:
        """Those of the Forms that are here, the owner's or the shared space's."""
        asked = list(ids)
        found = set(self._store.forms(self._bare, asked))
        if self._scope.owner and len(found) < len(asked):
            shared = Scope(self._scope.tenant, "")
            found.update(self._store.forms(shared, [id for id in asked if id not in found]))
        return found

    def pendings(self, batch: Sequence[tuple[Row, PendingRecord]]) -> None:
        here = self._store.pending_items(self._bare, [item.id for _, item in batch])
        fresh: list[PendingRecord] = []
        for row, item in batch:
            old = here.get(item.id)
            if old is None:
                fresh.append(item)
            elif _asked(old) == _asked(item):
                self._tally.counts["known"] += 1
            else:
                raise row.clash("a pending item of this id is here with another content")
        opened = Counter(item.form for item in fresh if item.state == "open" and item.form is not None)
        forms = [
            form._replace(pending=form.pending + opened[form.id], head=None if form.n == 1 else form.head)
            for form in self._store.forms(self._bare, list(opened)).values()
        ]
        self._write(ChangeSet(pendings=fresh, forms=forms, heads={form.id: form.n for form in forms}))
        self._tally.counts["pending"] += len(fresh)

    def acts(self, batch: Sequence[tuple[Row, ActRecord]]) -> None:
        here = self._store.acts(self._bare, [act.id for _, act in batch])
        fresh: list[ActRecord] = []
        for row, act in batch:
            old = here.get(act.id)
            if old is None:
                fresh.append(act)
            elif old[:5] == act[:5] and json.loads(old.body) == json.loads(act.body):
                self._tally.counts["known"] += 1
            else:
                raise row.clash("an act of this id is here with another content")
        self._write(ChangeSet(acts=fresh))
        self._tally.counts["acts"] += len(fresh)


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


__all__ = ["Chain", "Mention", "Part", "Tally"]
