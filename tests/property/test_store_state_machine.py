"""A SQL store and the reference store, told the same things in any order, give the same answers."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from forms_dynamics.adapters.sql import open_store
from forms_dynamics.errors import Conflict
from forms_dynamics.language.terms import index_terms
from forms_dynamics.model.record import ChangeSet, KeyRecord, MentionRecord, Reach, Scope, VectorRow
from forms_dynamics.ports import Store
from forms_dynamics.testing.reference_store import ReferenceStore
from forms_dynamics.testing.store_contract import NOON, edge, floats, form, message, pending, version

PLAIN, ANA, ELSE = Scope("t", ""), Scope("t", "ana", frozenset({"product"})), Scope("u", "")
At = tuple[Scope, str]  # a scope and the id of a Form that it could own: ids say whose they are
SAID = st.sampled_from(["m1", "m2"])
SCOPES = st.sampled_from([PLAIN, ANA, PLAIN, ANA, PLAIN, ANA, ELSE])


def _ids(scope: Scope) -> list[str]:
    return [f"{scope.owner}f{i}" for i in (1, 2, 3)]


OWN = SCOPES.flatmap(lambda scope: st.tuples(st.just(scope), st.sampled_from(_ids(scope))))
SINCE = st.sampled_from([0, 2, 6, 10, 20])
TYPES = st.sampled_from(["lead", "product"])
NAMES = st.sampled_from(["海蓝", "abc"])
TEXTS = st.text(st.sampled_from("预算五万 abC+é🎉𠮷\n'\"*"), max_size=8)
TABLES = ("messages", "forms", "versions", "keys", "edges", "pendings", "acts")


class StoreMachine(RuleBasedStateMachine):
    """Writes go to both stores and must meet the same fate; reads of every scope must agree."""

    make: Callable[[], Store]

    def __init__(self) -> None:
        super().__init__()
        self.real: Store = type(self).make()
        self.model: Store = ReferenceStore()
        self.terms = ["预算", "ab"]

    @initialize()
    def begin(self) -> None:
        """Something to contradict from the first step on."""
        for scope in (PLAIN, ANA):
            for id, type in zip(_ids(scope), ("product", "lead"), strict=False):
                self.add_version((scope, id), type, 0, "预算 ab", "m1", False)
            self.say(scope, "m1", "预算 ab", "stored", False)

    def teardown(self) -> None:
        self.real.close()

    def both(self, act: Callable[[Store], Any]) -> Any:
        """The one outcome of both stores."""
        outcomes = []
        for store in (self.real, self.model):
            try:
                outcomes.append(act(store))
            except Conflict:
                outcomes.append(Conflict)
        assert outcomes[0] == outcomes[1]
        return outcomes[0]

    @rule(
        scope=SCOPES,
        id=SAID,
        text=TEXTS,
        state=st.sampled_from(["stored", "queued", "held"]),
        record=st.booleans(),
    )
    def say(self, scope: Scope, id: str, text: str, state: str, record: bool) -> None:
        def told(store: Store) -> None:
            with store.writing(scope):
                made = message(
                    store.next_seq(scope), id, text, state=state, kind="record" if record else "message"
                )
                store.apply(scope, ChangeSet(messages=[made]))

        self.both(told)
        self.terms = [*index_terms(text), *self.terms][:4]

    @rule(scope=SCOPES, id=SAID, state=st.sampled_from(["stored", "queued", "refused"]))
    def change_state(self, scope: Scope, id: str, state: str) -> None:
        self.both(lambda store: store.apply(scope, ChangeSet(message_states=[(id, state)])))

    @rule(at=OWN, type=TYPES, n=st.integers(0, 2), words=TEXTS, said=SAID, head=st.booleans())
    def add_version(self, at: At, type: str, n: int, words: str, said: str, head: bool) -> None:
        scope, id = at
        changes = ChangeSet(
            forms=[form(id, scope.owner, type, n=n + 1, words=words, head="{}" if head else None)],
            heads={id: n},
            versions=[version(id, n + 1, said)],
        )
        self.both(lambda store: store.apply(scope, changes))

    @rule(at=OWN, words=TEXTS, status=st.sampled_from(["active", "invalid"]))
    def put_form(self, at: At, words: str, status: str) -> None:
        scope, id = at
        found = self.model.forms(scope, [id]).get(id)
        if found is not None:
            made = found._replace(words=words, status=status)
            changes = ChangeSet(forms=[made], accesses=[(id, made.accessed + 5)])
            self.both(lambda store: store.apply(scope, changes))

    @rule(
        at=OWN, type=st.just("lead"), name=NAMES, slots=st.sampled_from(["company", "company", "@", "alias#"])
    )
    def name(self, at: At, type: str, name: str, slots: str) -> None:
        scope, id = at
        key = KeyRecord(name, type, slots + id if slots.endswith("#") else slots, id)
        self.both(lambda store: store.apply(scope, ChangeSet(keys_add=[key])))

    @rule(at=OWN, type=TYPES, name=NAMES)
    def unname(self, at: At, type: str, name: str) -> None:
        scope, id = at
        keys = [KeyRecord(name, type, "company", id), KeyRecord(name, type, f"alias#{id}", id)]
        self.both(lambda store: store.apply(scope, ChangeSet(keys_drop=keys)))

    @rule(at=OWN, to=OWN, weight=st.integers(1, 9), status=st.sampled_from(["active", "candidate"]))
    def relate(self, at: At, to: At, weight: int, status: str) -> None:
        made_by = "draft" if weight > 5 else "rule:r"
        made = edge(at[1], to[1], weight / 10, status=status, message="m1", made_by=made_by)
        self.both(lambda store: store.apply(at[0], ChangeSet(edges=[made])))

    @rule(at=OWN, to=OWN)
    def unrelate(self, at: At, to: At) -> None:
        self.both(lambda store: store.apply(at[0], ChangeSet(edges_drop=[(at[1], "refers_to", to[1])])))

    @rule(at=OWN, said=SAID, user=st.booleans(), type=TYPES)
    def mention(self, at: At, said: str, user: bool, type: str) -> None:
        scope, id = at
        item = pending(f"p{said}", id, scope.owner, message=said)
        mention = MentionRecord("c1", type, 1 + int(said[1]), id, user)
        self.both(lambda store: store.apply(scope, ChangeSet(mentions=[mention], pendings=[item])))

    @rule(scope=SCOPES, now=st.sampled_from([0, 10, 15, 20]), limit=st.integers(1, 2))
    def claim(self, scope: Scope, now: int, limit: int) -> None:
        self.both(lambda store: store.claim(scope, limit, now, now + 10))

    @rule(at=OWN)
    def erase_form(self, at: At) -> None:
        self.both(lambda store: store.erase(at[0], forms=[at[1]]))

    @rule(at=OWN, said=SAID, n=st.integers(1, 2))
    def erase_words(self, at: At, said: str, n: int) -> None:
        self.both(lambda store: store.erase(at[0], messages=[said], versions=[(at[1], n)]))

    @rule(scope=SCOPES)
    def erase_owner(self, scope: Scope) -> None:
        self.both(lambda store: store.erase(scope, owner=True))

    @rule(scope=SCOPES)
    def rebuild(self, scope: Scope) -> None:
        self.both(lambda store: store.drop_derived(scope))
        self.both(lambda store: store.index_texts(scope))

    @rule(scope=SCOPES, since=SINCE)
    def archive(self, scope: Scope, since: int) -> None:
        self.both(lambda store: store.archive(scope, _reach(since), 99))

    @rule(at=OWN, since=SINCE)
    def access(self, at: At, since: int) -> None:
        self.both(lambda store: store.apply(at[0], ChangeSet(accesses=[(at[1], NOON + since)])))

    @rule(at=OWN)
    def embed(self, at: At) -> None:
        rows = [VectorRow("form", at[1], 0, floats(1)), VectorRow("message", "m1", 0, floats(2))]
        self.both(lambda store: store.put_vectors(at[0], "e", 1, rows))

    @invariant()
    def reads_agree(self) -> None:
        for scope in (PLAIN, ANA, ELSE):
            self.both(lambda store, scope=scope: _answers(store, scope))  # type: ignore[misc]
            self.both(lambda store, scope=scope: _found(store, scope, self.terms))  # type: ignore[misc]
            self.both(lambda store, scope=scope: _within(store, scope, self.terms))  # type: ignore[misc]


def _answers(store: Store, scope: Scope) -> list[Any]:
    forms, said = [*_ids(scope), *_ids(PLAIN)], ["m1", "m2"]
    return [
        *({table: sorted(store.scan(scope, table)) for table in TABLES}.items()),
        store.count(scope),
        store.forms(scope, forms),
        store.forms(scope, forms[:1]),
        store.find(scope, None, "active", 2, None),
        store.find(scope, "product", None, 5, "f1"),
        [store.versions(scope, id) for id in forms],
        store.tips(scope, forms),
        store.versions_of_messages(scope, ["m1"]),
        sorted(store.names(scope, ["海蓝", "abc"])),
        sorted(store.names_from(scope, "海", 9)),
        sorted(store.touched(scope, "c1", None, 9)),
        store.messages(scope, said),
        store.recent(scope, "c1", 2),
        store.current_to(scope, None),
        store.current_to(scope, "c1"),
        sorted(store.edges(scope, forms)),
        sorted(store.edges(scope, forms[:2], inactive=True)),
        store.candidates(scope),
        store.pendings(scope),
        store.pendings(scope, forms[:1], None),
        store.unembedded(scope, "e", 9),
    ]


def _found(store: Store, scope: Scope, terms: list[str]) -> set[tuple[str, str, str]]:
    return {hit[:3] for hit in store.search_text(scope, terms, 99)}


def _reach(since: int) -> Reach:
    return Reach(NOON + since, {"product": NOON + since}, NOON + 8)


def _within(store: Store, scope: Scope, terms: list[str]) -> list[Any]:
    """What the archive must not change, and what stands in it."""
    out: list[Any] = [sorted(store.vectors(scope, "e")), store.embedders(scope)]
    for side in (False, True):
        out.append(sorted(row for _, row in store.vector_changes(scope, "e", None, side).came))
    for reach in map(_reach, (0, 6, 20)):
        out += [store.astray(scope, reach), store.idle(scope, reach), store.left_out(scope, reach, 2)]
        for forms in (False, True):
            out.append({hit[:3] for hit in store.search_text(scope, terms, 99, forms, reach)})
    return out


def _run(make: Callable[[], Store], examples: int) -> None:
    """FORMS_DYNAMICS_EXAMPLES multiplies the number of examples, for a nightly run."""
    examples *= int(os.environ.get("FORMS_DYNAMICS_EXAMPLES", "1"))

    class Machine(StoreMachine):
        pass

    Machine.make = staticmethod(make)  # type: ignore[method-assign]
    checks = [HealthCheck.too_slow, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=examples, stateful_step_count=25, deadline=None, suppress_health_check=checks
        ),
    )


def test_sqlite_agrees_with_the_reference() -> None:
    _run(lambda: open_store(":memory:"), 6)


def test_sqlite_file_agrees_with_the_reference() -> None:
    with tempfile.TemporaryDirectory() as folder:
        names = iter(range(10**6))
        _run(lambda: open_store(Path(folder) / f"{next(names)}.db"), 2)


def test_postgres_agrees_with_the_reference(postgres_url: str) -> None:
    import psycopg

    names = iter(range(10**6))
    made: list[str] = []

    def fresh() -> Store:
        made.append(f"machine{next(names)}")
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {made[-1]}".encode())
        mark = "&" if "?" in postgres_url else "?"
        return open_store(f"{postgres_url}{mark}options=-csearch_path%3D{made[-1]}")

    try:
        _run(fresh, 1)
    finally:
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            for name in made:
                connection.execute(f"DROP SCHEMA {name} CASCADE".encode())
