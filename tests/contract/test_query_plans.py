"""Every hot query goes through an index, on both databases, with thousands of rows around it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics.adapters.sql import open_store
from forms_dynamics.adapters.sql.queries import spelled
from forms_dynamics.model.record import (
    ActRecord,
    ChangeSet,
    EdgeRecord,
    KeyRecord,
    MentionRecord,
    Reach,
    Scope,
    VectorRow,
)
from forms_dynamics.testing.store_contract import NOON, floats, form, message, pending, reply, version

ANA = Scope("t1", "ana", frozenset({"product"}))
BIG = (
    "messages",
    "forms",
    "versions",
    "keys",
    "mentions",
    "edges",
    "pendings",
    "acts",
    "vectors",
    "vectors_archive",
    "fulltext",
    "fulltext_archive",
    "replies",
)
COUNT = 1500
REACH = Reach(NOON + COUNT * 3 // 4, {"quote": NOON + 1}, NOON - 1)


def fill(store: Any, scope: Scope) -> None:
    """``COUNT`` customers, half of them tied to one hub."""
    changes = ChangeSet()
    with store.writing(scope):
        seq = store.next_seq(scope)
        for i in range(COUNT):
            lead, quote, talk = f"l{i:05d}", f"q{i:05d}", f"c{i // 3}"
            said = message(seq + i, f"m{i}", f"budget {i} 海蓝电子{i}", conversation=talk)
            changes.messages.append(said._replace(kind=("message", "record")[i % 5 == 0]))
            changes.forms += [form(lead, scope.owner), form(quote, scope.owner, "quote")]
            changes.versions += [version(lead, 1, f"m{i}"), version(quote, 1, f"m{i}")]
            changes.keys_add += [
                KeyRecord(f"name {i}", "lead", "company", lead),
                KeyRecord(f"no {i}", "quote", f"quote_no#{quote}", quote),
            ]
            changes.mentions.append(MentionRecord(talk, "lead", seq + i, lead, True))
            ends = ("l00000", quote) if i % 2 else (quote, "l00000")
            changes.edges += [_edge(quote, lead, i), _edge(*ends, i)]
            item = pending(f"p{i}", lead, scope.owner, state=("open", "confirmed")[i % 9 > 0], asked=i)
            changes.pendings.append(item)
            changes.acts.append(ActRecord(f"a{i}", scope.owner, "link", lead, i, "{}"))
            changes.replies.append(reply(f"k{i}", f"m{i}", kept=i))
        store.apply(scope, changes)
    rows = [VectorRow("message", f"m{i}", 0, floats(i)) for i in range(1, COUNT, 2)]
    rows += [VectorRow("form", f"l{i:05d}", 0, floats(i)) for i in range(0, COUNT, 2)]
    store.put_vectors(scope, "e5", 1, rows)
    store.archive(scope, Reach(NOON + COUNT // 2, {"quote": NOON + 1}), 2 * COUNT)


def _edge(source: str, target: str, i: int) -> EdgeRecord:
    status = "candidate" if i % 500 == 0 else "active"
    return EdgeRecord(source, "refers_to", target, i / COUNT, 1, i, i, status, "rule:r", f"m{i}", 0, 1, None)


def ask(store: Any) -> None:
    """Every read that a recall or an ingest makes."""
    ids = [f"l{i:05d}" for i in range(0, 100, 9)]
    store.forms(ANA, ids[:1])
    store.forms(ANA, ids)
    store.find(ANA, None, None, 5, "l00700")
    store.find(ANA, None, "active", 5, None)
    store.find(ANA, "lead", None, 5, "l00700")
    store.find(ANA, "lead", "active", 5, None)
    store.newest(ANA, "lead", 5)
    store.versions(ANA, "l00007")
    store.chains(ANA, ids)
    store.tips(ANA, ids)
    store.versions_of_messages(ANA, ["m7", "m8"])
    store.names(ANA, [f"name {i}" for i in range(40)])
    store.names(ANA, ["name 4"], "lead")
    store.names_from(ANA, "name 12", 5)
    store.touched(ANA, "c7", None, 3)
    store.touched(ANA, "c7", "lead", 3)
    store.near(ANA, ["c7", "c9", "c11"], 50, 5)
    store.messages(ANA, ["m1"])
    store.messages(ANA, ["m1", "m2", "m3"])
    store.recent(ANA, "c7", 5)
    store.recent(ANA, "c7", 5, before=40)
    store.current_to(ANA, None)
    store.current_to(ANA, "c7")
    store.edges(ANA, ["l00000", "q00007"], 5)
    store.edges(ANA, ["l00007"], inactive=True)
    store.edges(ANA, ["l00007"], 16, inactive=True)
    store.edges(ANA, ["l00000", "q00007"], 16, inactive=True)
    store.degree(ANA, "l00000", 100)
    store.candidates(ANA)
    store.pendings(ANA)
    store.pendings(ANA, ids)
    store.pending_items(ANA, ["p7", "p8"])
    store.acts(ANA, ["a7", "a8"])
    store.search_text(ANA, ["海蓝", "budget", "777"], 5)
    store.search_text(ANA, ["海蓝", "budget", "777"], 5, reach=REACH)
    store.left_out(ANA, REACH, 100)
    store.astray(ANA, REACH)
    store.idle(ANA, REACH)
    store.unembedded(ANA, "e5", 5)
    store.texts(ANA, [("message", "m7"), ("form", "l00007")])
    store.embedders(ANA)
    store.reply(ANA, "k7", 0)
    store.waits(ANA)


def write(store: Any) -> None:
    """Every write that an observed message, a claim or a small erasure makes."""
    with store.writing(ANA):
        seq = store.next_seq(ANA)
        again = form("l00007", "ana", n=2, head="{}", words="other words")
        changes = ChangeSet(
            messages=[message(seq, "new", state="queued")],
            forms=[again],
            heads={"l00007": 1},
            versions=[version("l00007", 2, "new")],
            keys_add=[KeyRecord("fresh", "lead", "company", "l00007")],
            keys_drop=[KeyRecord("name 7", "lead", "company", "l00007")],
            edges=[_edge("q00007", "l00009", 7)],
            edges_drop=[("q00007", "refers_to", "l00007")],
            accesses=[("l00008", 10), ("q00008", 10)],
        )
        store.apply(ANA, changes)
    store.archive(ANA, REACH, 50)
    store.claim(ANA, 5, 1, 2)
    store.renew(ANA, ["new"], 2, 3)
    store.drop_replies(ANA, 5)
    store.apply(ANA, ChangeSet(message_states=[("new", "stored")]))
    store.put_vectors(ANA, "e5", 1, [VectorRow("message", "m7", 0, floats(1))])


class Recorder:
    """The statements that a store runs, each once, with its last parameters."""

    def __init__(self, store: Any) -> None:
        self.seen: dict[str, Sequence[Any]] = {}
        for name in ("_rows", "_run", "_many"):
            setattr(store, name, self._recording(getattr(store, name), name == "_many"))

    def _recording(self, call: Callable[..., Any], many: bool) -> Callable[..., Any]:
        def recorded(sql: str, params: Sequence[Any] = ()) -> Any:
            if not many or params:
                self.seen[sql] = params[0] if many else params
            return call(sql, params)

        return recorded

    def statements(self) -> list[tuple[str, Sequence[Any]]]:
        """Those that look rows up in a big table."""
        return [
            (sql, params)
            for sql, params in self.seen.items()
            # counting an embedder's documents is a walk of its index by nature
            if not sql.startswith(("INSERT", "SELECT count(*) FROM vectors", "SELECT max("))
            and re.search(rf"\b({'|'.join(BIG)})\b", sql)
        ]


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Any]:
    store = open_store(tmp_path / "a.db")
    yield store
    store.close()


@pytest.fixture
def postgres(postgres_schema: Callable[[], str]) -> Iterator[Any]:
    store = open_store(postgres_schema())
    yield store
    store.close()


def _loaded(store: Any) -> list[tuple[str, Sequence[Any]]]:
    for scope in (ANA, Scope("t1", "ben"), Scope("t1", "")):
        fill(store, scope)
    recorder = Recorder(store)
    ask(store)
    write(store)
    found = recorder.statements()
    assert len(found) > 40
    return found


def test_sqlite_searches_by_index(sqlite: Any) -> None:
    for sql, params in _loaded(sqlite):
        plan = [row[3] for row in sqlite._rows(f"EXPLAIN QUERY PLAN {sql}", params)]
        for step in plan:
            if re.match(
                r"SCAN (json_each|CONSTANT ROW|\(subquery|\w+ VIRTUAL TABLE|(source|target)_edges|part(_\d+)?$|kind$)",
                step,
            ):
                continue
            assert not step.startswith("SCAN"), f"{sql}\n{plan}"
            if step.startswith("SEARCH") and "VIRTUAL TABLE" not in step:
                # tenant and owner alone would read the whole scope; a tenant's number of a Form is one row
                narrow = re.search(r"\(tenant=\? AND (owner=\? AND \w+|no=)", step) or "spaces" in step
                assert narrow, f"{sql}\n{plan}"


def test_names_are_read_off_the_index_alone(sqlite: Any) -> None:
    fill(sqlite, ANA)
    recorder = Recorder(sqlite)
    sqlite.names(ANA, ["name 1", "name 2"])
    ((sql, params),) = [
        each for each in recorder.statements() if " keys k " in each[0] and "k.type" in each[0]
    ][:1]
    plan = " ".join(row[3] for row in sqlite._rows(f"EXPLAIN QUERY PLAN {sql}", params))
    assert "k USING PRIMARY KEY (tenant=? AND owner=? AND name=?" in plan
    assert "f USING COVERING INDEX forms_no" in plan


def test_postgres_searches_by_index(postgres: Any) -> None:
    statements = _loaded(postgres)
    connection = postgres._take()
    for table in BIG:
        connection.execute(f"ANALYZE {table}".encode())
    for sql, params in statements:
        rows = connection.execute(f"EXPLAIN {spelled(sql, 'psycopg')}".encode(), params).fetchall()
        plan = "\n".join(row[0] for row in rows)
        scanned = re.findall(r"Seq Scan on (\w+)", plan)
        assert not set(scanned) & set(BIG), f"{sql}\n{plan}"
    postgres._give(connection)


def test_a_large_transaction_of_postgres_searches_by_index_too(postgres: Any) -> None:
    """Rows that are not committed are in no statistics; a load of a whole memory looks them up all the same."""
    ids = [f"f{i:05d}" for i in range(4000)]
    with postgres.writing(ANA):
        for start in range(0, 4000, 500):
            changes = ChangeSet(forms=[form(id, "ana") for id in ids[start : start + 500]])
            postgres.apply(ANA, changes)
        recorder = Recorder(postgres)
        postgres.forms(ANA, ids[:20])
        ((sql, params),) = [each for each in recorder.statements() if "f.words FROM forms" in each[0]]
        plan = "\n".join(row[0] for row in postgres._rows(f"EXPLAIN {sql}", params))
    assert re.search(r"Index Cond: .*\bid = ANY", plan), plan


def test_every_key_and_index_begins_with_the_tenant() -> None:
    from forms_dynamics.adapters.sql.tables import METADATA

    tables = METADATA.sorted_tables
    assert len(tables) == 16
    for table in tables:
        assert next(iter(table.primary_key.columns)).name == "tenant", table.name
        for index in table.indexes:
            assert next(iter(index.columns)).name == "tenant", index.name
