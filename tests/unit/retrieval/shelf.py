"""A store filled by hand for tests of recall: rows as the projection describes them, and no write path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from forms_dynamics.adapters.sql import open_store
from forms_dynamics.assertions import dump
from forms_dynamics.language.normal import normal
from forms_dynamics.model.context import Context
from forms_dynamics.model.record import (
    ChangeSet,
    EdgeRecord,
    FormRecord,
    KeyRecord,
    MentionRecord,
    MessageRecord,
    PendingRecord,
    Scope,
    VersionRecord,
)
from forms_dynamics.model.value import encode, to_micros
from forms_dynamics.ports import Embedder, Store
from forms_dynamics.projection import compact, fold
from forms_dynamics.reader import Reader
from forms_dynamics.retrieval.recall import Request, recall
from forms_dynamics.schema.load import load_catalog
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings

START = datetime.fromisoformat("2026-06-01T09:00:00+08:00")
DAY = 86_400_000_000
SALES = ("lead_profile", "quote_form", "contract_form")


def catalog(*extra: str) -> Catalog:
    """The sales types that ship, and more from files."""
    return load_catalog([*SALES, *extra], None)


@dataclass
class Shelf:
    """Forms, messages and edges by hand, and recalls of them."""

    catalog: Catalog
    store: Store
    scope: Scope = field(default_factory=lambda: Scope("t", "", frozenset()))
    settings: Settings = field(default_factory=Settings)
    now: int = to_micros(START) + DAY
    seq: int = 0
    versions: dict[str, list[VersionRecord]] = field(default_factory=dict)
    records: dict[str, FormRecord] = field(default_factory=dict)

    def apply(self, **rows: Any) -> None:
        """Writes rows as one change set."""
        with self.store.writing(self.scope):
            self.store.apply(self.scope, ChangeSet(**rows))

    def say(
        self,
        text: str,
        *,
        id: str | None = None,
        speaker: str = "客户",
        time: int | None = None,
        conversation: str = "c1",
        role: str = "user",
        state: str = "stored",
        kind: str = "message",
    ) -> MessageRecord:
        """A message, by default a minute after the last one."""
        self.seq += 1
        said = to_micros(START + timedelta(minutes=self.seq)) if time is None else time
        message = MessageRecord(
            self.seq, id or f"m{self.seq}", conversation, speaker, role, text, said, 480, said, state, kind
        )
        self.apply(messages=[message])
        return message

    def form(
        self,
        id: str,
        type: str,
        slots: Mapping[str, Any],
        message: MessageRecord,
        *,
        names: Sequence[str] = (),
        ops: Mapping[str, Mapping[str, Any]] | None = None,
        status: str = "active",
        words: str | None = None,
        key: str = "company",
    ) -> FormRecord:
        """A new version of a Form: slots with evidence where their text stands in the message."""
        assertions: dict[str, dict[str, Any]] = {}
        for name, value in slots.items():
            assertions[name] = {"v": encode(value), "c": 0.95, **(ops or {}).get(name, {})}
            if isinstance(value, str) and value in message.text:
                at = message.text.index(value)
                assertions[name]["e"] = [at, at + len(value)]
        payload: dict[str, Any] = {"m": message.id, "t": message.time, "s": assertions}
        if status != "active":
            payload["st"] = status
        chain = self.versions.setdefault(id, [])
        n = len(chain) + 1
        version = VersionRecord(
            id, n, message.id, message.time, message.arrived, "stated", dump(payload), b"s" * 16, bytes(32)
        )
        chain.append(version)
        head = dump(compact(fold(chain), self.catalog.types.get(type), self.now)) if n > 1 else None
        first = self.records.get(id)
        latest = max(v.time for v in chain)
        record = FormRecord(
            id,
            self.scope.owner,
            type,
            1,
            n,
            status,
            first.created if first else message.time,
            latest,
            latest,
            message.conversation,
            head,
            None,
            0,
            words if words is not None else " ".join(str(v) for v in slots.values() if isinstance(v, str)),
        )
        self.records[id] = record
        keys = [
            KeyRecord(normal(name), type, key if i == 0 and n == 1 else f"{key}#{id}", id)
            for i, name in enumerate(names)
        ]
        mention = MentionRecord(message.conversation, type, message.seq, id, message.role == "user")
        self.apply(forms=[record], heads={id: n - 1}, versions=[version], keys_add=keys, mentions=[mention])
        return record

    def edge(self, source: str, relation: str, target: str, **fields: Any) -> EdgeRecord:
        """An edge, by default a strong and fresh one."""
        edge = EdgeRecord(
            source,
            relation,
            target,
            fields.get("weight", 0.9),
            1,
            fields.get("last_hit", self.now),
            fields.get("created", self.now),
            fields.get("status", "active"),
            fields.get("made_by", f"rule:{relation}"),
            None,
            0,
            0,
            None,
        )
        self.apply(edges=[edge])
        return edge

    def wait(
        self,
        id: str,
        form: str | None,
        slot: str,
        value: Any,
        message: str,
        state: str = "open",
        type: str = "lead_profile",
        question: str = "",
    ) -> None:
        """A pending item."""
        item = PendingRecord(
            id,
            self.scope.owner,
            form,
            type,
            slot,
            dump({"v": encode(value)}),
            0.5,
            "hedged",
            question,
            "[]",
            self.now,
            state,
            message,
            "{}",
        )
        forms = []
        if form is not None and state == "open":
            record = self.records[form] = self.records[form]._replace(pending=1)
            forms = [record]
        self.apply(pendings=[item], forms=forms, heads={r.id: r.n for r in forms})

    def recall(
        self,
        question: str | None = None,
        *,
        embedder: Embedder | None = None,
        at: int | None = None,
        **options: Any,
    ) -> Context:
        """A recall at ``at`` (a day after the start)."""
        reader = Reader(self.store, self.catalog, self.settings)
        request = Request(question=question, **options)
        now = self.now if at is None else at
        return recall(request, self.scope, self.store, reader, self.catalog, self.settings, now, embedder)


def steps(context: Context, kind: str) -> list[tuple[str, str]]:
    """Subject and reason of the steps of one kind."""
    return [(s.subject, s.reason) for s in context.trace.steps if s.kind == kind]


def empty(extra: Sequence[str] = (), **settings: Any) -> Shelf:
    """A shelf in memory with the sales types."""
    return Shelf(catalog(*extra), open_store(":memory:"), settings=Settings(**settings))
