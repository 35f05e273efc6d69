"""What every Store must do, as a pytest class to subclass::

    class TestMyStore(StoreContract):
        @pytest.fixture
        def store_factory(self, tmp_path):
            return lambda name="a": MyStore(tmp_path / name)

``store_factory(name)`` opens the store of that name: a new one first, then the same one again. Where a store
cannot be opened twice (in memory), set ``reopens = False``; where it keeps no files, leave ``files`` alone.
"""

from __future__ import annotations

import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics.errors import Conflict, InvalidInput, StoreUnavailable
from forms_dynamics.language.terms import query_terms
from forms_dynamics.model.record import (
    ERASED_OWNER,
    ActRecord,
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
    VectorRow,
    VersionRecord,
)
from forms_dynamics.ports import Store

NOON = 1_780_000_000_123_457  # an instant in microseconds
MINE = Scope("t1", "")
ANA = Scope("t1", "ana")
BEN = Scope("t1", "ben")
MARIA = Scope("t1", "maria.lopez@example.com")
OTHER = Scope("t2", "")


def message(seq: int, id: str = "", text: str = "", **changed: Any) -> MessageRecord:
    """A stored message of a user."""
    made = MessageRecord(
        seq, id or f"m{seq}", "c1", "王总", "user", text or f"text {seq}", NOON + seq, 480, NOON + 9, "stored"
    )
    return made._replace(**changed)


def form(id: str = "f1", owner: str = "", type: str = "lead", **changed: Any) -> FormRecord:
    """An active Form at version 1."""
    made = FormRecord(
        id, owner, type, 1, 1, "active", NOON, NOON, NOON, "c1", None, None, 0, f"words of {id}"
    )
    return made._replace(**changed)


def version(id: str = "f1", n: int = 1, said: str = "m1", **changed: Any) -> VersionRecord:
    """A version with a payload of its own."""
    payload = f'{{"{id}":{n},"钱":"５０万"}}'
    made = VersionRecord(id, n, said, NOON + n, NOON + 9, "stated", payload, b"\x00salt\xff", bytes([n]) * 32)
    return made._replace(**changed)


def edge(source: str, target: str, weight: float = 0.5, **changed: Any) -> EdgeRecord:
    """An active edge made by a rule, as it is read."""
    made = EdgeRecord(
        source, "refers_to", target, weight, 1, NOON, NOON, "active", "rule:r", "m1", 2, 5, '{"scope":"后端"}',
        source_type="lead", target_type="lead",
    )  # fmt: skip
    return made._replace(**changed)


def reply(key: str, said: str = "m1", **changed: Any) -> ReplyRecord:
    """A reply that was paid for."""
    made = ReplyRecord(key, said, NOON, f'{{"budget":"{key} 50万"}}', '[["50",-0.1]]', 1, 900, 40)
    return made._replace(**changed)


def pending(id: str, form: str | None = "f1", owner: str = "", **changed: Any) -> PendingRecord:
    """An open item."""
    made = PendingRecord(
        id, owner, form, "lead", "budget", '{"number":"5"}', 0.5, "hedged", "多少？", '["5"]', NOON, "open",
        "m1", "{}",
    )  # fmt: skip
    return made._replace(**changed)


def born(id: str = "f1", owner: str = "", type: str = "lead", **changed: Any) -> ChangeSet:
    """A new Form with its first version and two names."""
    return ChangeSet(
        forms=[form(id, owner, type, **changed)],
        heads={id: 0},
        versions=[version(id)],
        keys_add=[KeyRecord(f"{id} ltd", type, "company", id), KeyRecord("shared", type, f"alias#{id}", id)],
    )


def floats(*values: float) -> bytes:
    """A vector as stored."""
    return struct.pack(f"<{len(values)}f", *values)


class StoreContract:
    """Subclass it and give ``store_factory``."""

    reopens = True

    def files(self) -> Sequence[Path]:
        """Every file of the stores made by ``store_factory``, if there are any to search."""
        return ()

    @pytest.fixture
    def store_factory(self) -> Callable[..., Store]:
        raise NotImplementedError("give a fixture store_factory")

    @pytest.fixture
    def store(self, store_factory: Callable[..., Store]) -> Iterator[Store]:
        opened = store_factory()
        yield opened
        opened.close()

    # -- applying ----------------------------------------------------------------------------------------
    def test_what_is_written_is_read(self, store: Store) -> None:
        said = message(1, text="王总🎉𠮷野家 “50万”\n")
        acted = ActRecord("a1", "", "correct", "f1", NOON, '{"slot":"budget"}')
        changes = born("f1", head='{"s":{}}', confirmed='{"budget":1}', updated=NOON + 1, accessed=NOON + 3)
        changes.messages = [said, message(2, "r1", kind="record", body='{"a":1}', role="tool", offset=-330)]
        changes.mentions = [MentionRecord("c1", "lead", 1, "f1", True)]
        changes.pendings = [pending("p1"), pending("p2", None, slot=None, asked=NOON - 1)]
        changes.acts = [acted]
        store.apply(MINE, changes)
        assert store.messages(MINE, ["m1", "r1", "nobody"]) == {m.id: m for m in changes.messages}
        assert store.messages(MINE, ["m1"]) == {"m1": said}
        assert store.forms(MINE, ["f1", "f9"]) == {"f1": changes.forms[0]}
        assert store.versions(MINE, "f1") == changes.versions
        assert store.versions_of_messages(MINE, ["m1"]) == changes.versions
        assert store.tips(MINE, ["f1", "f9"]) == {"f1": changes.versions[0].hash}
        assert sorted(store.names(MINE, [k.name for k in changes.keys_add])) == sorted(changes.keys_add)
        assert store.touched(MINE, "c1", None, 5) == changes.mentions
        assert store.pendings(MINE) == [changes.pendings[1], changes.pendings[0]]
        assert store.pending_items(MINE, ["p1", "gone"]) == {"p1": changes.pendings[0]}
        assert store.acts(MINE, ["a1", "gone"]) == {"a1": acted}
        assert store.pending_items(MINE, []) == {}
        assert store.acts(MINE, []) == {}
        assert store.texts(MINE, [("message", "m1"), ("form", "f1"), ("form", "f9")]) == {
            ("message", "m1"): said.text,
            ("form", "f1"): "words of f1",
        }

    def test_an_empty_head_reads_as_version_one(self, store: Store) -> None:
        store.apply(MINE, born("f1"))
        payload = version("f1").payload
        assert payload is not None
        assert store.forms(MINE, ["f1"])["f1"].head == payload
        assert store.find(MINE, "lead", "active", 5, None)[0].head == payload
        assert next(iter(store.scan(MINE, "forms"))).head == payload
        changed = ChangeSet(forms=[form("f1", n=2, head="{}")], heads={"f1": 1}, versions=[version("f1", 2)])
        store.apply(MINE, changed)
        assert store.forms(MINE, ["f1"])["f1"].head == "{}"

    @pytest.mark.parametrize(("id", "expected"), [("f1", 0), ("f1", 2), ("f9", 1)])
    def test_a_stale_head_writes_nothing(self, store: Store, id: str, expected: int) -> None:
        store.apply(MINE, born("f1"))
        before = store.count(MINE)
        stale = ChangeSet(
            messages=[message(1)],
            forms=[form("f1", n=2), form("f2")],
            heads={"f2": 0, id: expected},
            versions=[version("f1", 2), version("f2")],
            keys_add=[KeyRecord("new", "lead", "company", "f2")],
        )
        with pytest.raises(Conflict):
            store.apply(MINE, stale)
        assert store.count(MINE) == before
        assert store.names(MINE, ["new"]) == []
        assert store.search_text(MINE, ["text"], 5) == []

    @pytest.mark.parametrize(
        "bad",
        [
            ChangeSet(messages=[message(5, "m1", text="another text")]),
            ChangeSet(message_states=[("nobody", "stored")]),
            ChangeSet(versions=[version("f1", 1, "m9")]),
            ChangeSet(versions=[version("nobody")]),
            ChangeSet(mentions=[MentionRecord("c1", "lead", 1, "nobody", True)]),
            ChangeSet(edges=[edge("f1", "nobody")]),
            ChangeSet(keys_add=[KeyRecord("f1 ltd", "lead", "company", "f2")]),
        ],
    )
    def test_a_contradiction_is_a_conflict_and_all_or_nothing(self, store: Store, bad: ChangeSet) -> None:
        store.apply(MINE, ChangeSet(messages=[message(1)]))
        store.apply(MINE, born("f1"))
        store.apply(MINE, born("f2"))
        before = store.count(MINE)
        bad.pendings = [pending("p9")]
        with pytest.raises(Conflict):
            store.apply(MINE, bad)
        assert store.count(MINE) == before

    def test_a_conflict_inside_writing_leaves_the_rest_of_the_transaction(self, store: Store) -> None:
        with store.writing(MINE):
            store.apply(MINE, born("f1"))
            with pytest.raises(Conflict):
                store.apply(MINE, ChangeSet(messages=[message(1)], heads={"f1": 7}))
            again = born("f1", type="fresh_type")
            again.versions = [version("f1", 1)]
            with pytest.raises(Conflict):
                store.apply(MINE, again)
            store.apply(MINE, born("f2"))
        assert store.count(MINE)["forms"] == 2
        assert store.count(MINE)["messages"] == 0
        assert store.find(MINE, "fresh_type", None, 5, None) == []

    def test_what_raises_inside_writing_takes_all_back(self, store: Store) -> None:
        def failing() -> None:
            with store.writing(MINE):
                store.apply(MINE, born("f1", type="never_seen"))
                assert store.forms(MINE, ["f1"])
                raise RuntimeError

        with pytest.raises(RuntimeError):
            failing()
        assert store.forms(MINE, ["f1"]) == {}
        assert store.names(MINE, ["f1 ltd"]) == []
        store.apply(MINE, born("f1", type="seen"))
        assert store.forms(MINE, ["f1"])["f1"].type == "seen"

    def test_a_row_of_another_owner_is_refused(self, store: Store) -> None:
        with pytest.raises(InvalidInput):
            store.apply(ANA, born("f1", owner="ben"))
        assert store.count(ANA)["forms"] == 0
        assert store.count(BEN)["forms"] == 0

    def test_what_was_said_since(self, store: Store) -> None:
        changes = ChangeSet(messages=[message(1), message(2), message(3, kind="record")])
        store.apply(MINE, changes)
        assert store.said_since(MINE, [NOON, NOON + 1, NOON + 2]) == [2, 1, 0]
        assert store.said_since(OTHER, [NOON]) == [0]

    def test_versions_that_name_a_message(self, store: Store) -> None:
        changes = born("f1")
        changes.versions.append(version("f1", 2, "a1", payload='{"m":"a1","s":{"x":{"v":1,"m":"M%_!9"}}}'))
        changes.forms[0] = changes.forms[0]._replace(n=2, head="{}")
        store.apply(MINE, changes)
        assert [v.n for v in store.versions_naming(MINE, "M%_!9")] == [2]
        assert store.versions_naming(MINE, "m%_!9") == store.versions_naming(MINE, "M%") == []
        assert store.versions_naming(OTHER, "M%_!9") == []

    def test_accesses_only_move_forward(self, store: Store) -> None:
        store.apply(MINE, born("f1"))
        store.apply(MINE, ChangeSet(accesses=[("f1", NOON + 50), ("gone", NOON)]))
        store.apply(MINE, ChangeSet(accesses=[("f1", NOON + 20)]))
        found = store.forms(MINE, ["f1"])["f1"]
        assert (found.accessed, found.updated) == (NOON + 50, NOON)

    def test_whether_a_recall_has_shown_a_form(self, store: Store) -> None:
        """A Form that was written later than it was said is not recalled by that."""
        store.apply(MINE, born("f1"))
        store.apply(MINE, born("f2", accessed=NOON + 9))
        store.apply(MINE, born("f3", accessed=NOON + 8, recalled=True))
        found = store.forms(MINE, ["f1", "f2", "f3"])
        assert [(f.accessed, f.recalled) for f in found.values()] == [
            (NOON, False),
            (NOON + 9, False),
            (NOON + 8, True),
        ]
        store.apply(MINE, ChangeSet(accesses=[("f1", NOON), ("f2", NOON)]))
        found = store.forms(MINE, ["f1", "f2"])
        assert [(f.accessed, f.recalled) for f in found.values()] == [(NOON, True), (NOON + 9, True)]
        assert next(iter(store.scan(MINE, "forms"))) == found["f1"]
        store.apply(MINE, ChangeSet(forms=[found["f1"]._replace(n=1, status="invalid")]))
        assert store.find(MINE, None, "invalid", 9, None)[0].recalled

    def test_what_may_wait_does_not_wait_for_a_writer(self, store: Store) -> None:
        store.apply(MINE, born("f1"))
        noted = ChangeSet(accesses=[("f1", NOON + 6)])
        began, end, told = threading.Event(), threading.Event(), []

        def write() -> None:
            with store.writing(MINE):
                began.set()
                end.wait(10)

        writer = threading.Thread(target=write)
        writer.start()
        try:
            assert began.wait(10)
            before = time.monotonic()
            told.append(store.try_apply(MINE, noted))
            assert time.monotonic() - before < 5
        finally:
            end.set()
            writer.join()
        assert not store.forms(MINE, ["f1"])["f1"].recalled
        told.append(store.try_apply(MINE, noted))
        assert told == [False, True]
        assert store.forms(MINE, ["f1"])["f1"].accessed == NOON + 6
        with store.writing(MINE):
            assert store.try_apply(MINE, ChangeSet(accesses=[("f1", NOON + 8)]))  # its own writer
        assert store.forms(MINE, ["f1"])["f1"].accessed == NOON + 8

    def test_numbers_of_messages_rise(self, store: Store) -> None:
        with store.writing(MINE):
            first = store.next_seq(MINE)
            store.apply(MINE, ChangeSet(messages=[message(first), message(first + 1)]))
            assert store.next_seq(MINE) == first + 2
        with store.writing(ANA):
            assert store.next_seq(ANA) == first + 2
        store.erase(MINE, messages=[f"m{first + 1}"])
        with store.writing(MINE):
            assert store.next_seq(MINE) == first + 2

    # -- keys and names ----------------------------------------------------------------------------------
    def test_a_unique_key_belongs_to_one_form(self, store: Store) -> None:
        store.apply(MINE, born("f1"))
        store.apply(MINE, born("f2"))
        held = KeyRecord("f1 ltd", "lead", "company", "f1")
        store.apply(MINE, ChangeSet(keys_add=[held]))  # the same Form's: nothing to do
        assert store.names(MINE, ["f1 ltd"]) == [held]
        for free in (
            held._replace(form="f2", slots="alias#f2"),
            held._replace(form="f2", type="quote"),
            held._replace(form="f2", slots="name"),
        ):
            store.apply(MINE, ChangeSet(keys_add=[free]))
        both = [KeyRecord("x", "lead", "@", "f1"), KeyRecord("x", "lead", "@", "f2")]
        with pytest.raises(Conflict):
            store.apply(MINE, ChangeSet(keys_add=both))
        moved = held._replace(form="f2")
        store.apply(MINE, ChangeSet(keys_drop=[held], keys_add=[moved]))
        assert moved in store.names(MINE, ["f1 ltd"], "lead")
        assert held not in store.names(MINE, ["f1 ltd"])

    def test_names_are_found_exactly_and_by_prefix(self, store: Store) -> None:
        changes = born("f1")
        names = ["海蓝", "海蓝电子", "海", "abc", "ab", "ab%", "ab_", "𠮷野家", "abé"]
        changes.keys_add = [KeyRecord(name, "lead", "alias#f1", "f1") for name in names]
        store.apply(MINE, changes)
        asked = [*names, *(f"no {i}" for i in range(200))]
        assert {key.name for key in store.names(MINE, asked)} == set(names)
        assert store.names(MINE, ["海蓝"], "quote") == []
        assert store.names(MINE, []) == []
        assert [key.name for key in store.names_from(MINE, "海蓝", 9)] == ["海蓝", "海蓝电子"]
        assert [key.name for key in store.names_from(MINE, "ab", 3)] == ["ab", "ab%", "ab_"]
        assert [key.name for key in store.names_from(MINE, "𠮷", 9)] == ["𠮷野家"]
        assert len(store.names_from(MINE, "", 99)) == len(names)

    # -- history and conversation --------------------------------------------------------------------------
    def test_history_is_in_order_of_number(self, store: Store) -> None:
        store.apply(MINE, born("f1"))
        for n in range(2, 13):
            late = version("f1", n, f"m{n}", time=NOON - n)
            store.apply(MINE, ChangeSet(forms=[form("f1", n=n)], heads={"f1": n - 1}, versions=[late]))
        assert [v.n for v in store.versions(MINE, "f1")] == list(range(1, 13))
        assert [v.n for v in store.scan(MINE, "versions")] == list(range(1, 13))
        assert store.tips(MINE, ["f1"]) == {"f1": bytes([12]) * 32}

    def test_recent_messages_oldest_first(self, store: Store) -> None:
        said = [message(i) for i in range(1, 8)] + [message(8, conversation="c2"), message(9, kind="act")]
        store.apply(MINE, ChangeSet(messages=said))
        assert [m.id for m in store.recent(MINE, "c1", 3)] == ["m5", "m6", "m7"]
        assert [m.id for m in store.recent(MINE, "c1", 3, kind="act")] == ["m9"]
        assert store.recent(MINE, "c1", 0) == []
        assert [m.id for m in store.recent(MINE, "c1", 2, before=6)] == ["m4", "m5"]
        assert store.recent(MINE, "c1", 2, before=1) == []
        assert store.recent(MINE, "elsewhere", 3) == []

    def test_messages_with_what_was_said_just_before_and_after(self, store: Store) -> None:
        talks = {1: "c1", 2: "c2", 3: "c1", 4: "c2", 5: "c1", 6: "c2", 7: "c1"}
        said = [message(i, conversation=talk) for i, talk in talks.items()]
        store.apply(MINE, ChangeSet(messages=[*said, message(8, kind="act")]))
        assert [m.id for m in store.beside(MINE, ["m3"])] == ["m1", "m3", "m5"]
        assert [m.id for m in store.beside(MINE, ["m7", "m2"])] == ["m2", "m4", "m5", "m7"]
        assert store.beside(MINE, ["m5"])[1] == store.messages(MINE, ["m5"])["m5"]
        assert store.beside(MINE, ["m8", "m99"]) == []
        assert store.beside(MINE, []) == []
        assert store.beside(OTHER, ["m3"]) == []
        store.erase(MINE, messages=["m5"])
        assert [m.id for m in store.beside(MINE, ["m3", "m5"])] == ["m1", "m3", "m7"]

    def test_touched_forms_newest_first_of_users_only(self, store: Store) -> None:
        for id, type in (("f1", "lead"), ("f2", "quote"), ("f3", "lead")):
            store.apply(MINE, born(id, type=type))
        mentions = [
            MentionRecord("c1", "lead", 1, "f1", True),
            MentionRecord("c1", "quote", 2, "f2", True),
            MentionRecord("c1", "lead", 3, "f3", False),
            MentionRecord("c2", "lead", 4, "f3", True),
            MentionRecord("c1", "lead", 5, "f1", True),
        ]
        store.apply(MINE, ChangeSet(mentions=mentions))
        store.apply(MINE, ChangeSet(mentions=mentions[:1]))  # once more: no second row
        assert [(m.seq, m.form) for m in store.touched(MINE, "c1", None, 9)] == [
            (5, "f1"),
            (2, "f2"),
            (1, "f1"),
        ]
        assert [m.seq for m in store.touched(MINE, "c1", "lead", 1)] == [5]
        assert store.touched(MINE, "c1", "contract", 9) == []

    def test_what_conversations_touched_with_how_it_stands(self, store: Store) -> None:
        for id, type in (("f1", "lead"), ("f2", "quote"), ("f3", "lead"), ("f4", "lead")):
            store.apply(MINE, born(id, type=type))
        mentions = [
            MentionRecord("c1", "lead", 1, "f1", True),
            MentionRecord("c1", "quote", 2, "f2", True),
            MentionRecord("c1", "lead", 3, "f3", False),
            MentionRecord("c2", "lead", 4, "f3", True),
            MentionRecord("c1", "lead", 5, "f4", True),
            MentionRecord("c1", "lead", 6, "f1", True),
        ]
        store.apply(MINE, ChangeSet(mentions=mentions))
        changed = form("f1", n=2, head='{"s": {}, "av": {}}')
        store.apply(MINE, ChangeSet(forms=[changed], heads={"f1": 1}, versions=[version("f1", 2)]))
        over = form("f3", status="invalid")
        store.apply(MINE, ChangeSet(forms=[over], heads={"f3": 1}))
        first = store.versions(MINE, "f2")[0].payload
        assert first is not None
        found = store.near(MINE, ["c1", "c2", "none"], 9, 9)
        assert found == {
            "c1": [
                NearRecord("c1", "lead", 6, "f1", 2, changed.head),
                NearRecord("c1", "lead", 5, "f4", 1, store.versions(MINE, "f4")[0].payload),
                NearRecord("c1", "quote", 2, "f2", 1, first),
                NearRecord("c1", "lead", 1, "f1", 2, changed.head),
            ],
            "c2": [NearRecord("c2", "lead", 4, "f3", 1, None)],  # not active
        }
        assert [m.seq for m in store.near(MINE, ["c1"], 2, 2)["c1"]] == [6, 5]
        # beyond the closest the heads may be left out
        close = store.near(MINE, ["c1"], 9, 1)["c1"]
        assert [m.seq for m in close] == [6, 5, 2, 1]
        assert close[0].head == changed.head
        assert close[3].head is None
        assert store.near(MINE, [], 9, 9) == store.near(MINE, ["c1"], 0, 0) == {}
        assert store.near(OTHER, ["c1"], 9, 9) == {}

    def test_current_to_stops_before_what_waits(self, store: Store) -> None:
        assert store.current_to(MINE, None) is None
        said = [
            message(1),
            message(2, conversation="c2"),
            message(3, state="queued"),
            message(4),
            message(5, kind="record"),
        ]
        store.apply(MINE, ChangeSet(messages=said))
        assert store.current_to(MINE, None) == "m2"
        assert store.current_to(MINE, "c1") == "m1"
        assert store.current_to(MINE, "c2") == "m2"
        assert store.current_to(ANA, None) is None
        assert store.count(MINE)["queued"] == 1
        store.apply(MINE, ChangeSet(message_states=[("m3", "stored")]))
        assert store.current_to(MINE, None) == "m4"
        assert store.count(MINE)["queued"] == 0

    def test_a_queued_message_is_claimed_by_one(self, store: Store) -> None:
        said = [message(i, state="queued") for i in range(1, 6)]
        store.apply(MINE, ChangeSet(messages=said))
        assert [m.id for m in store.claim(MINE, 2, NOON, NOON + 60)] == ["m1", "m2"]
        assert [m.id for m in store.claim(MINE, 9, NOON + 1, NOON + 61)] == ["m3", "m4", "m5"]
        assert store.claim(MINE, 9, NOON + 59, NOON + 99) == []
        assert [m.id for m in store.claim(MINE, 1, NOON + 60, NOON + 99)] == ["m1"]
        assert store.claim(ANA, 9, NOON + 99, NOON + 199) == []
        store.apply(MINE, ChangeSet(message_states=[("m2", "stored"), ("m3", "queued")]))
        assert [m.id for m in store.claim(MINE, 9, NOON + 60, NOON + 99)] == ["m3"]

    def test_what_was_never_tried_is_claimed_before_what_was_given_back(self, store: Store) -> None:
        said = [message(i, state="queued", waiting="no model") for i in range(1, 5)]
        store.apply(MINE, ChangeSet(messages=said))
        store.claim(MINE, 2, NOON, NOON + 60)
        assert store.renew(MINE, ["m1"], NOON + 60, NOON + 5) == {"m1"}
        assert [m.id for m in store.claim(MINE, 9, NOON + 5, NOON + 90)] == ["m3", "m4", "m1"]
        assert [m.id for m in store.claim(MINE, 9, NOON + 60, NOON + 99)] == ["m2"]

    def test_a_claim_is_moved_by_who_holds_it(self, store: Store) -> None:
        said = [message(i, state="queued") for i in range(1, 4)]
        store.apply(MINE, ChangeSet(messages=said))
        store.claim(MINE, 2, NOON, NOON + 60)
        assert store.renew(MINE, ["m1", "m2", "m3", "m9"], NOON + 60, NOON + 120) == {"m1", "m2"}
        assert [m.id for m in store.claim(MINE, 9, NOON + 60, NOON + 99)] == ["m3"]
        assert store.renew(MINE, ["m1"], NOON + 60, NOON + 200) == set()  # it holds another claim by now
        store.apply(MINE, ChangeSet(message_states=[("m1", "stored")]))
        assert store.renew(MINE, ["m1", "m2"], NOON + 120, NOON, "the model is away") == {"m2"}
        assert store.messages(MINE, ["m1", "m2"])["m1"].waiting is None
        assert store.messages(MINE, ["m1", "m2"])["m2"].waiting == "the model is away"
        assert store.renew(BEN, ["m2"], NOON, NOON + 1) == set()
        assert store.renew(OTHER, ["m2"], NOON, NOON + 1) == set()
        assert [m.id for m in store.claim(MINE, 9, NOON, NOON + 99)] == ["m2"]

    def test_why_messages_wait(self, store: Store) -> None:
        assert store.waits(MINE) == []
        said = [message(i, state="queued", waiting="b" if i < 3 else None) for i in range(1, 4)]
        said.append(message(4, waiting="of old"))
        store.apply(MINE, ChangeSet(messages=said))
        assert store.messages(MINE, ["m1"])["m1"].waiting == "b"
        assert store.waits(MINE) == [("b", 2), ("", 1)]
        assert store.waits(ANA) == []
        store.apply(MINE, ChangeSet(message_states=[("m1", "stored"), ("m2", "queued")]))
        assert store.waits(MINE) == [("", 2)]

    # -- what models cost ----------------------------------------------------------------------------------
    def test_a_reply_is_found_by_its_key_for_its_owner_alone(self, store: Store) -> None:
        kept = reply("k1")
        store.apply(ANA, ChangeSet(replies=[kept, reply("k2", logprobs=None)]))
        assert store.reply(ANA, "k1", NOON) == kept
        assert store.reply(ANA, "k2", 0) == reply("k2", logprobs=None)
        assert store.reply(ANA, "k1", NOON + 1) is None
        assert store.reply(ANA, "k9", 0) is None
        for stranger in (BEN, MINE, OTHER, Scope("t2", "ana")):
            assert store.reply(stranger, "k1", 0) is None
            assert store.count(stranger)["replies"] == 0
        again = reply("k1", "m2", kept=NOON + 5, content="{}")
        store.apply(ANA, ChangeSet(replies=[again]))
        assert store.reply(ANA, "k1", NOON) == again
        assert store.count(ANA)["replies"] == 2

    def test_old_replies_are_dropped(self, store: Store) -> None:
        store.apply(ANA, ChangeSet(replies=[reply("k1"), reply("k2", kept=NOON + 1)]))
        store.apply(BEN, ChangeSet(replies=[reply("k1")]))
        assert store.drop_replies(ANA, NOON) == 0
        assert store.drop_replies(OTHER, NOON + 1) == 0
        assert store.drop_replies(ANA, NOON + 1, dry_run=True) == 1
        assert store.drop_replies(ANA, NOON + 1) == 1
        assert store.reply(ANA, "k1", 0) is None
        assert store.reply(ANA, "k2", 0)
        assert store.reply(BEN, "k1", 0)

    @pytest.mark.parametrize("gone", [{"forms": ["f1"]}, {"messages": ["m1"]}, {"versions": [("f1", 1)]}])
    def test_replies_go_with_whatever_is_erased(self, store: Store, gone: dict[str, Any]) -> None:
        for scope in (ANA, BEN, MINE):
            self._fill(store, scope)
            store.apply(scope, ChangeSet(replies=[reply("k1"), reply("k2", "m2")]))
        before = store.erasures(ANA)
        assert store.erase(ANA, **gone)["replies"] == 2
        assert store.count(ANA)["replies"] == 0
        assert store.count(BEN)["replies"] == store.count(MINE)["replies"] == 2
        assert store.erasures(BEN) == store.erasures(ANA) > before
        store.erase(ANA, **gone)
        # the shared space is read by all of the tenant, so its words may be in their replies
        assert store.erase(MINE, **gone)["replies"] == 4
        assert store.count(BEN)["replies"] == store.count(MINE)["replies"] == 0

    def test_a_reply_to_a_question_from_before_an_erasure_is_not_kept(self, store: Store) -> None:
        self._fill(store, ANA)
        before = store.erasures(ANA)
        store.apply(ANA, ChangeSet(replies=[reply("k1")], erasures=before))
        assert store.reply(ANA, "k1", 0)
        store.erase(ANA, messages=["m1"])
        late = ChangeSet(replies=[reply("k1")], erasures=before, spent=[SpentRecord(7, 1, 900, 40)])
        store.apply(ANA, late)
        assert store.reply(ANA, "k1", 0) is None
        assert store.spent(ANA, 7) == SpentRecord(7, 1, 900, 40)  # it was paid for all the same
        store.apply(ANA, ChangeSet(replies=[reply("k1")], erasures=store.erasures(ANA)))
        assert store.reply(ANA, "k1", 0)

    def test_costs_add_up_by_day_and_owner(self, store: Store) -> None:
        assert store.spent(ANA) == SpentRecord(0, 0, 0, 0)
        store.apply(ANA, ChangeSet(spent=[SpentRecord(7, 1, 900, 40), SpentRecord(8, 1, 10, 2)]))
        store.apply(ANA, ChangeSet(spent=[SpentRecord(7, 2, 100, 60)]))
        store.apply(BEN, ChangeSet(spent=[SpentRecord(7, 5, 5, 5)]))
        assert store.spent(ANA, 7) == SpentRecord(7, 3, 1000, 100)
        assert store.spent(ANA, 9) == SpentRecord(9, 0, 0, 0)
        assert store.spent(ANA) == SpentRecord(0, 4, 1010, 102)
        assert store.spent(OTHER) == SpentRecord(0, 0, 0, 0)
        store.erase(ANA, owner=True)
        assert store.spent(ANA) == SpentRecord(0, 4, 1010, 102)  # numbers alone: a day's cap stays reached
        assert store.spent(BEN).calls == 5

    def test_costs_of_many_threads_add_up(self, store: Store) -> None:
        def pay(name: str) -> None:
            for i in range(20):
                paid = ChangeSet(replies=[reply(f"{name}{i}")], spent=[SpentRecord(7, 1, 10, 1)])
                store.apply(ANA, paid)

        threads = [threading.Thread(target=pay, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.spent(ANA, 7) == SpentRecord(7, 80, 800, 80)
        assert store.count(ANA)["replies"] == 80

    # -- edges -------------------------------------------------------------------------------------------
    def test_neighbours_by_weight_at_either_end(self, store: Store) -> None:
        for i in range(6):
            store.apply(MINE, born(f"f{i}"))
        edges = [edge(f"f{i}", "f0", i / 10) for i in range(1, 5)]
        edges += [
            edge("f0", "f5", 0.9, valid_from=NOON - 5),
            edge("f1", "f5", 0.8, status="superseded", valid_from=NOON - 9, valid_until=NOON + 9),
        ]
        store.apply(MINE, ChangeSet(edges=edges))
        assert sorted(store.edges(MINE, ["f0"])) == sorted(edges[:5])
        assert {e[:3:2] for e in store.edges(MINE, ["f0"], 2)} == {("f0", "f5"), ("f4", "f0"), ("f3", "f0")}
        assert store.edges(MINE, ["f5"], 1) == [edges[4]]
        assert sorted(store.edges(MINE, ["f5"], inactive=True)) == sorted(edges[4:])
        assert sorted(store.edges(MINE, ["f0", "f5"])) == sorted(edges[:5])
        assert [store.degree(MINE, id, 100) for id in ("f0", "f5", "f1", "none")] == [5, 2, 2, 0]
        assert [store.degree(MINE, "f0", most) for most in (0, 1, 4, 5, 6)] == [0, 1, 4, 5, 5]
        stronger = edge("f1", "f0", 0.95, hits=2, last_hit=NOON + 5, valid_until=NOON + 7)
        store.apply(MINE, ChangeSet(edges=[stronger], edges_drop=[("f0", "refers_to", "f5")]))
        assert store.edges(MINE, ["f0"], 1) == [stronger]
        kept = [*edges[1:4], edges[5], stronger]
        assert list(store.scan(MINE, "edges")) == [
            e._replace(source_type="", target_type="") for e in sorted(kept)
        ]
        reopened = stronger._replace(valid_until=None)
        store.apply(MINE, ChangeSet(edges=[reopened]))
        assert store.edges(MINE, ["f0"], 1) == [reopened]

    def test_an_edge_tells_the_types_of_its_ends(self, store: Store) -> None:
        store.apply(MINE, born("q1", type="quote"))
        store.apply(MINE, born("l1"))
        told = edge("q1", "l1", source_type="quote", target_type="lead")
        near = edge("l1", "q1", status="candidate", source_type="lead", target_type="quote")
        store.apply(MINE, ChangeSet(edges=[told._replace(source_type="", target_type=""), near]))
        assert store.edges(MINE, ["l1"]) == store.edges(MINE, ["q1"], 1) == [told]
        assert store.candidates(MINE) == [near]

    def test_candidate_links_wait_apart(self, store: Store) -> None:
        store.apply(MINE, born("f1"))
        store.apply(MINE, born("f2"))
        near = edge("f1", "f2", status="candidate", made_by="near_match", message=None, attributes=None)
        store.apply(MINE, ChangeSet(edges=[near]))
        assert store.candidates(MINE) == [near]
        assert store.edges(MINE, ["f1"]) == []
        assert store.edges(MINE, ["f1"], inactive=True) == [near]
        assert store.candidates(ANA) == []

    # -- pending items -------------------------------------------------------------------------------------
    def test_pending_items_by_form_and_state(self, store: Store) -> None:
        store.apply(MINE, born("f1"))
        items = [pending("p2"), pending("p1"), pending("p3", "f2", asked=NOON - 5), pending("p4", None)]
        store.apply(MINE, ChangeSet(pendings=items))
        assert [p.id for p in store.pendings(MINE)] == ["p3", "p1", "p2", "p4"]
        assert [p.id for p in store.pendings(MINE, ["f1"])] == ["p1", "p2"]
        store.apply(MINE, ChangeSet(pendings=[pending("p1", state="confirmed")]))
        assert [p.id for p in store.pendings(MINE, ["f1"])] == ["p2"]
        assert [p.id for p in store.pendings(MINE, ["f1"], None)] == ["p1", "p2"]
        assert [p.id for p in store.pendings(MINE, None, "confirmed")] == ["p1"]
        assert len(store.pendings(MINE, None, None)) == 4
        assert store.pendings(MINE, []) == []

    # -- scopes ------------------------------------------------------------------------------------------
    @pytest.mark.parametrize("stranger", [BEN, OTHER, MINE, Scope("t1", "nobody"), Scope("none", "ana")])
    def test_no_read_shows_rows_of_another(self, store: Store, stranger: Scope) -> None:
        self._fill(store, ANA)
        store.apply(BEN, born("b1", "ben"))
        store.apply(OTHER, ChangeSet(messages=[message(1, "x1", "nothing alike")]))
        own = {ANA: 1, BEN: 0}
        assert len(store.messages(ANA, ["m1"])) == own[ANA]
        seen = (
            store.forms(stranger, ["f1", "f2"]),
            [f for f in store.find(stranger, None, None, 9, None) if f.id in ("f1", "f2")],
            store.versions(stranger, "f1"),
            store.tips(stranger, ["f1"]),
            store.versions_of_messages(stranger, ["m1"]) if stranger != BEN else [],
            store.names(stranger, ["f1 ltd"]),
            store.names_from(stranger, "f1", 9),
            store.touched(stranger, "c1", None, 9),
            store.near(stranger, ["c1"], 9, 9),
            store.messages(stranger, ["m1"]),
            store.recent(stranger, "c1", 9) if stranger != OTHER else [],
            store.claim(stranger, 9, NOON, NOON + 1),
            store.edges(stranger, ["f1", "f2"], inactive=True),
            store.candidates(stranger),
            store.pendings(stranger, ["f1"], None),
            store.pending_items(stranger, ["p1"]),
            store.acts(stranger, ["a1"]),
            store.search_text(stranger, query_terms("海蓝电子"), 9),
            store.vectors(stranger, "e5"),
            store.embedders(stranger),
            store.texts(stranger, [("message", "m1"), ("form", "f1")]),
            [row for row in store.scan(stranger, "messages") if row.id == "m1"],
            [row for row in store.scan(stranger, "forms") if row.id == "f1"],
            list(store.scan(stranger, "edges")),
        )
        assert [each for each in seen if each] == []
        assert store.erase(stranger, forms=["f1"], messages=["m1"], versions=[("f1", 1)])["forms"] == 0
        assert store.forms(ANA, ["f1"])
        assert store.versions(ANA, "f1")[0].payload

    def test_the_same_ids_of_two_owners_stay_apart(self, store: Store) -> None:
        for seq, scope in enumerate((ANA, BEN, MINE, OTHER), 1):
            changes = born("f1", scope.owner, words=f"words {scope}")
            changes.messages = [message(seq, "m1", f"text {scope}")]
            store.apply(scope, changes)
        for scope in (ANA, BEN, MINE, OTHER):
            assert store.messages(scope, ["m1"])["m1"].text == f"text {scope}"
            assert store.forms(scope, ["f1"])["f1"].words == f"words {scope}"
            assert len(store.names(scope, ["f1 ltd"])) == 1
            assert len(store.search_text(scope, ["words"], 9)) == 1
        store.erase(BEN, owner=True)
        assert store.forms(BEN, ["f1"]) == {}
        assert all(store.forms(scope, ["f1"]) for scope in (ANA, MINE, OTHER))

    def test_of_very_many_that_share_a_name_the_newest_are_enough(self, store: Store) -> None:
        reader = Scope("t1", "ana", frozenset({"lead"}))
        for scope, letter in ((ANA, "a"), (MINE, "s")):
            changes = ChangeSet()
            for i in range(300):
                one = born(f"{letter}{i:03d}", scope.owner, type="lead" if i % 3 else "quote")
                changes.forms += one.forms
                changes.versions += one.versions
                changes.keys_add += one.keys_add
            store.apply(scope, changes)
        whole = {key.form for key in store.names(reader, ["shared", "a007 ltd", "no such"])}
        assert len(whole) == 500
        some = {key.form for key in store.names(reader, ["shared", "a007 ltd", "no such"], limit=5)}
        newest = {f"a{i}" for i in (299, 298, 296, 295, 293, 297, 294, 291, 288, 285)}
        assert {"a007", *newest, "s299", "s298", "s296", "s295", "s293"} <= some <= whole
        assert {key.type for key in store.names(reader, ["shared"], "lead", limit=5)} == {"lead"}
        assert [key.form for key in store.names(reader, ["a007 ltd"], limit=5)] == ["a007"]

    def test_the_shared_space_shows_its_shared_types(self, store: Store) -> None:
        store.apply(MINE, born("s1", type="product"))
        store.apply(MINE, born("s2", type="product"))
        store.apply(MINE, born("s3", type="diary"))
        between = [edge("s1", "s2"), edge("s1", "s3")]
        store.apply(MINE, ChangeSet(messages=[message(1, text="shared words")], edges=between))
        store.put_vectors(MINE, "e5", 1, [VectorRow("form", id, 0, floats(1)) for id in ("s1", "s3")])
        reader = Scope("t1", "ana", frozenset({"product"}))
        store.apply(ANA, born("f1", "ana"))
        assert set(store.forms(reader, ["s1", "s3", "f1"])) == {"s1", "f1"}
        assert [f.id for f in store.find(reader, None, "active", 9, None)] == ["f1", "s1", "s2"]
        assert [f.id for f in store.find(reader, "product", None, 1, "s1")] == ["s2"]
        assert store.find(reader, "diary", None, 9, None) == []
        assert [f.id for f in store.newest(reader, "product", 1)] == ["s2"]
        assert store.newest(reader, "diary", 9) == []
        assert [v.form for v in store.versions(reader, "s1")] == ["s1"]
        assert store.versions(reader, "s3") == []
        assert list(store.chains(reader, ["s1", "s3", "f1", "none"])) in (["f1", "s1"], ["s1", "f1"])
        assert store.chains(reader, ["s1", "s3"]) == {"s1": store.versions(reader, "s1")}
        assert store.chains(ANA, ["s1"]) == store.chains(ANA, []) == {}
        assert [store.degree(reader, id, 9) for id in ("s1", "s2", "s3")] == [1, 1, 0]
        assert {key.form for key in store.names(reader, ["shared"])} == {"f1", "s1", "s2"}
        assert {key.form for key in store.names(reader, ["shared"], "product")} == {"s1", "s2"}
        assert [key.form for key in store.names_from(reader, "s", 9) if key.name == "s3 ltd"] == []
        assert [e.key for e in store.edges(reader, ["s1"])] == [between[0].key]
        assert {hit.id for hit in store.search_text(reader, ["words"], 9)} == {"f1", "s1", "s2"}
        assert {hit.kind for hit in store.search_text(MINE, ["words"], 9)} == {"message", "form"}
        assert {hit.id for hit in store.search_text(MINE, ["words"], 9, forms=True)} == {"s1", "s2", "s3"}
        assert [row.id for row in store.vectors(reader, "e5")] == ["s1"]
        assert store.recent(reader, "c1", 9) == []
        assert {f.id for f in store.scan(reader, "forms")} == {"f1"}
        assert store.forms(ANA, ["s1"]) == {}
        store.apply(reader, ChangeSet(edges=[edge("f1", "s1")]))  # an own edge may end in the shared space
        assert [e.target for e in store.edges(reader, ["f1"])] == ["s1"]

    # -- full text -----------------------------------------------------------------------------------------
    @pytest.mark.parametrize(
        ("question", "found"),
        [
            ("预算", ["m1"]),
            ("海蓝", ["m1"]),
            ("款", ["m1"]),
            ("budget of Larkfield", ["m2"]),
            ("C++", ["m3"]),
            ('"final', ["m3"]),
            ("(v2)", ["m3"]),
            ("Downloads/specs", ["m3"]),
            ("don't", ["m3"]),
            ("pre-edit OR builds NOT ubuntu NEAR", ["m3"]),
            ("*", []),
            ("terms:预", []),
            ("𠮷野家", ["m4"]),
            ("CAFÉ", ["m4"]),
            ("無關", []),
        ],
    )
    def test_full_text_takes_any_words(self, store: Store, question: str, found: list[str]) -> None:
        texts = [
            "我们海蓝电子的预算是50万，分三期付款",
            "Larkfield Foods: budget 66k USD",
            'Don\'t use pre-edit builds; see Downloads/specs, ubuntu 20.04, C++ (v2) "final".',
            "𠮷野家🎉 café",
        ]
        store.apply(MINE, ChangeSet(messages=[message(i, text=text) for i, text in enumerate(texts, 1)]))
        assert [hit.id for hit in store.search_text(MINE, query_terms(question), 9)] == found

    def test_full_text_ranks_rare_words_first(self, store: Store) -> None:
        said = [message(i, text=f"the invoice number of case {i}") for i in range(1, 30)]
        said.append(message(30, text="the invoice number is overdue"))
        store.apply(MINE, ChangeSet(messages=said))
        hits = store.search_text(MINE, query_terms("invoice number overdue"), 3)
        assert hits[0].id == "m30"
        assert len(hits) == 3
        assert hits[0].score > hits[1].score
        assert hits[0].text == "the invoice number is overdue"

    def test_another_owners_documents_take_no_place(self, store: Store) -> None:
        alone = self._small_search(store, 0)
        for seq in range(2, 400):
            store.apply(BEN, ChangeSet(messages=[message(seq, text="invoice number invoice number")]))
            if seq == 50:
                break
        assert self._small_search(store, 1) == alone

    def _small_search(self, store: Store, again: int) -> list[Any]:
        if not again:
            store.apply(ANA, ChangeSet(messages=[message(1, text="Our invoice number is INV-9001.")]))
        return store.search_text(ANA, query_terms("invoice number"), 5)

    def test_full_text_follows_forms(self, store: Store) -> None:
        store.apply(MINE, born("f1", words="梅花 plum"))
        assert [(h.kind, h.id) for h in store.search_text(MINE, ["plum"], 5)] == [("form", "f1")]
        changed = ChangeSet(
            forms=[form("f1", n=2, words="pear")], heads={"f1": 1}, versions=[version("f1", 2)]
        )
        store.apply(MINE, changed)
        assert store.search_text(MINE, ["plum"], 5) == []
        assert [h.text for h in store.search_text(MINE, ["pear"], 5)] == ["pear"]
        store.apply(MINE, ChangeSet(forms=[form("f1", n=2, words="pear", status="invalid")]))
        assert store.search_text(MINE, ["pear"], 5) == []
        store.apply(MINE, ChangeSet(forms=[form("f1", n=2, words="pear")]))
        assert len(store.search_text(MINE, ["pear"], 5)) == 1
        store.apply(MINE, ChangeSet(messages=[message(1, kind="record", text="pear")]))
        assert len(store.search_text(MINE, ["pear"], 5)) == 1

    def test_very_long_words_and_texts(self, store: Store) -> None:
        long = "x" * 5000
        many = " ".join(f"w{i}" for i in range(20_000))
        store.apply(MINE, ChangeSet(messages=[message(1, text=long), message(2, text=many)]))
        assert store.messages(MINE, ["m1"])["m1"].text == long
        assert [h.id for h in store.search_text(MINE, ["w77"], 5)] == ["m2"]

    # -- vectors -----------------------------------------------------------------------------------------
    def test_vectors_by_embedder(self, store: Store) -> None:
        store.apply(MINE, ChangeSet(messages=[message(1), message(2), message(3, kind="tool")]))
        store.apply(MINE, born("f1"))
        waiting = store.unembedded(MINE, "e5", 9)
        assert waiting == [
            ("message", "m1", "text 1"),
            ("message", "m2", "text 2"),
            ("form", "f1", "words of f1"),
        ]
        assert store.unembedded(MINE, "e5", 1) == waiting[:1]
        rows = [
            VectorRow("message", "m1", 0, floats(1, 2)),
            VectorRow("message", "m1", 1, floats(3, 4)),
            VectorRow("form", "f1", 0, floats(5, 6)),
        ]
        store.put_vectors(MINE, "e5", 2, [*rows, VectorRow("message", "gone", 0, floats(0, 0))])
        store.put_vectors(MINE, "other", 1, [VectorRow("message", "m1", 0, floats(7))])
        assert sorted(store.vectors(MINE, "e5")) == sorted(rows)
        assert store.embedders(MINE) == [("e5", 2, 2), ("other", 1, 1)]
        changes = store.vector_changes(MINE, "e5", None)
        assert sorted(row for _, row in changes.came) == sorted(rows)
        assert len({number for number, _ in changes.came}) == 3
        assert [doc[1] for doc in store.unembedded(MINE, "e5", 9)] == ["m2"]
        store.put_vectors(MINE, "e5", 2, [VectorRow("message", "m1", 0, floats(8, 9))])
        assert [r.vector for r in store.vectors(MINE, "e5") if r.id == "m1"] == [floats(8, 9)]
        with pytest.raises(InvalidInput):
            store.put_vectors(MINE, "e5", 3, [VectorRow("message", "m2", 0, floats(1, 2))])

    def test_changed_words_lose_their_vector(self, store: Store) -> None:
        store.apply(MINE, born("f1"))
        store.put_vectors(MINE, "e5", 1, [VectorRow("form", "f1", 0, floats(1))])
        store.apply(MINE, ChangeSet(forms=[form("f1", accessed=NOON + 1)]))
        assert store.unembedded(MINE, "e5", 9) == []
        store.apply(MINE, ChangeSet(forms=[form("f1", words="new words")]))
        assert store.unembedded(MINE, "e5", 9) == [("form", "f1", "new words")]
        assert store.vectors(MINE, "e5") == []

    # -- the archive -----------------------------------------------------------------------------------------
    def _old_and_new(self, store: Store, scope: Scope = MINE) -> Reach:
        """Messages m1 to m5 and Forms f1, f2 and p1; what the reach leaves out are m1 to m3, f1 and p1."""
        changes = ChangeSet(
            messages=[message(i, text=f"zebra {'plum ' * i}", arrived=NOON) for i in range(1, 6)],
            forms=[
                form("f1", scope.owner, words="zebra plum"),
                form("f2", scope.owner, words="zebra", updated=NOON + 1, accessed=NOON + 20),
                form("p1", scope.owner, "product", words="zebra product"),
            ],
        )
        store.apply(scope, changes)
        rows = [VectorRow("message", f"m{i}", 0, floats(i)) for i in range(1, 6)]
        rows += [VectorRow("form", id, 0, floats(9)) for id in ("f1", "f2", "p1")]
        store.put_vectors(scope, "e5", 1, rows)
        return Reach(NOON + 4, {"lead": NOON + 20}, NOON + 2)

    def test_archived_or_not_a_search_finds_the_same(self, store: Store) -> None:
        reach = self._old_and_new(store)
        asked = [
            (terms, limit, r)
            for terms in (["zebra"], ["plum", "zebra"])
            for limit in (1, 9)
            for r in (None, reach)
        ]
        before = [store.search_text(MINE, terms, limit, reach=r) for terms, limit, r in asked]
        assert {hit.id for hit in before[3]} == {hit.id for hit in before[7]} == {"m4", "m5", "f2"}
        assert {hit.id for hit in store.search_text(MINE, ["zebra"], 9, True, reach)} == {"f2"}
        vectors = sorted(store.vectors(MINE, "e5"))
        assert store.astray(MINE, reach).out == {
            ("message", "m1"), ("message", "m2"), ("message", "m3"), ("form", "f1"), ("form", "p1"),
        }  # fmt: skip
        assert (store.idle(MINE, reach), store.left_out(MINE, reach, 99), store.left_out(MINE, reach, 4)) == (
            5,
            5,
            4,
        )
        assert [store.archive(MINE, reach, 2) for _ in range(4)] == [2, 2, 1, 0]
        assert store.astray(MINE, reach) == (frozenset(), frozenset())
        assert (store.idle(MINE, reach), store.left_out(MINE, reach, 99), store.left_out(MINE, reach, 4)) == (
            0,
            5,
            4,
        )
        assert [store.search_text(MINE, terms, limit, reach=r) for terms, limit, r in asked] == before
        assert sorted(store.vectors(MINE, "e5")) == vectors
        active, archived = (store.vector_changes(MINE, "e5", None, side).came for side in (False, True))
        assert {row.id for _, row in active} == {"m4", "m5", "f2"}
        assert {row.id for _, row in archived} == {"m1", "m2", "m3", "f1", "p1"}
        assert store.embedders(MINE) == [("e5", 1, 8)]
        assert store.count(MINE)["vectors"] == 8
        assert store.unembedded(MINE, "e5", 9) == []

    def test_another_reach_than_that_of_the_archive(self, store: Store) -> None:
        reach = self._old_and_new(store)
        store.archive(MINE, reach, 99)
        wider = Reach(NOON + 3, {"lead": NOON}, NOON + 2)
        assert {h.id for h in store.search_text(MINE, ["zebra"], 9, reach=wider)} == {
            "m3",
            "m4",
            "m5",
            "f1",
            "f2",
        }
        assert store.astray(MINE, wider).out == frozenset()
        assert store.astray(MINE, wider).back == {("message", "m3"), ("form", "f1")}
        assert store.left_out(MINE, wider, 99) == 3
        everything = store.search_text(MINE, ["zebra"], 9)
        assert store.search_text(MINE, ["zebra"], 9, reach=Reach()) == everything
        assert store.archive(MINE, wider, 99) == store.idle(MINE, reach) == 2
        assert {h.id for h in store.search_text(MINE, ["zebra"], 9, reach=wider)} == {
            "m3",
            "m4",
            "m5",
            "f1",
            "f2",
        }
        assert store.search_text(MINE, ["zebra"], 9) == everything

    def test_a_form_that_is_written_or_accessed_leaves_the_archive(self, store: Store) -> None:
        reach = self._old_and_new(store)
        store.archive(MINE, reach, 99)
        store.apply(MINE, ChangeSet(accesses=[("f1", NOON + 30)]))
        later = form("p1", "", "product", n=2, words="quagga product", updated=NOON + 30, accessed=NOON + 30)
        store.apply(MINE, ChangeSet(forms=[later], heads={"p1": 1}, versions=[version("p1", 2)]))
        assert store.idle(MINE, reach) == 0
        assert {h.id for h in store.search_text(MINE, ["zebra"], 9, True, reach)} == {"f1", "f2"}
        assert [h.id for h in store.search_text(MINE, ["quagga"], 9, reach=reach)] == ["p1"]
        assert [h.id for h in store.search_text(MINE, ["product"], 9)] == ["p1"]
        active = [row.id for _, row in store.vector_changes(MINE, "e5", None).came]
        assert sorted(active) == ["f1", "f2", "m4", "m5"]
        assert store.unembedded(MINE, "e5", 9) == [("form", "p1", "quagga product")]
        store.archive(MINE, reach, 99)
        store.apply(
            MINE, ChangeSet(forms=[form("f1", words="zebra plum", pending=1)])
        )  # as it was, but for a count
        assert {h.id for h in store.search_text(MINE, ["zebra"], 9, True)} == {"f1", "f2"}
        assert len(store.vectors(MINE, "e5")) == 7

    def test_what_is_no_document_is_not_archived(self, store: Store) -> None:
        reach = self._old_and_new(store)
        store.archive(MINE, reach, 99)
        store.apply(MINE, ChangeSet(forms=[form("f1", words="zebra plum", status="invalid")]))
        store.apply(MINE, ChangeSet(forms=[form("f3", words="zebra", status="invalid")]))
        store.apply(MINE, ChangeSet(messages=[message(9, kind="tool", text="zebra", time=0, arrived=0)]))
        store.erase(MINE, forms=["p1"], messages=["m1", "m2"])
        assert (store.idle(MINE, reach), store.left_out(MINE, reach, 99)) == (0, 1)
        assert {h.id for h in store.search_text(MINE, ["zebra"], 9)} == {"m3", "m4", "m5", "f2"}
        assert {row.id for row in store.vectors(MINE, "e5")} == {"m3", "m4", "m5", "f2"}
        store.apply(MINE, ChangeSet(forms=[form("f1", words="zebra plum")]))
        assert {h.id for h in store.search_text(MINE, ["zebra"], 9, True)} == {"f1", "f2"}

    def test_the_archive_is_rebuilt(self, store: Store) -> None:
        reach = self._old_and_new(store)
        store.archive(MINE, reach, 99)
        before = [store.search_text(MINE, ["zebra", "plum"], 9, reach=r) for r in (None, reach)]
        store.drop_derived(MINE)
        assert store.vectors(MINE, "e5") == []
        assert store.index_texts(MINE) == 8
        assert [store.search_text(MINE, ["zebra", "plum"], 9, reach=r) for r in (None, reach)] == before
        assert len(store.unembedded(MINE, "e5", 99)) == 8
        store.put_vectors(MINE, "e5", 1, [VectorRow("message", "m1", 0, floats(3))])
        assert [row.id for _, row in store.vector_changes(MINE, "e5", None, True).came] == ["m1"]
        store.put_vectors(MINE, "e5", 1, [VectorRow("message", "m1", 0, floats(4))])
        assert store.vectors(MINE, "e5") == [VectorRow("message", "m1", 0, floats(4))]

    def test_an_archive_is_its_owners(self, store: Store) -> None:
        reach = self._old_and_new(store)
        store.apply(
            ANA, ChangeSet(messages=[message(6, text="zebra"), message(7, text="zebra", arrived=NOON + 99)])
        )
        reader = ANA._replace(shared=frozenset({"product"}))
        assert store.left_out(reader, Reach(NOON + 50, {}, NOON + 2), 99) == 2
        assert store.archive(ANA, Reach(NOON + 50), 99) == 1
        assert store.idle(MINE, reach) == 5
        assert (
            store.archive(OTHER, reach, 99) == store.idle(OTHER, reach) == store.left_out(BEN, reach, 9) == 0
        )
        store.archive(MINE, reach, 99)
        assert [
            h.id for h in store.search_text(reader, ["zebra"], 9, reach=Reach(NOON + 50, {}, NOON + 2))
        ] == ["m7"]
        assert {h.id for h in store.search_text(reader, ["zebra"], 9)} == {"m6", "m7", "p1"}
        assert store.astray(reader, Reach()).back == {("message", "m6"), ("form", "p1")}
        store.erase(ANA, owner=True)
        assert store.search_text(ANA, ["zebra"], 9) == []
        assert len(store.search_text(MINE, ["zebra"], 9)) == 8

    def test_no_file_keeps_what_was_erased_from_the_archive(self, store: Store) -> None:
        for i in range(40):
            self._fill(store, ANA, f"_{i}")
        changes = born("x1", "ana", words="峰谷能源 zebra-9931")
        changes.messages = [message(900, "x", "我们峰谷能源的预算是66万", arrived=NOON, time=NOON)]
        store.apply(ANA, changes)
        rows = [
            VectorRow(kind, id, 0, b"gone-vector-5521") for kind, id in (("message", "x"), ("form", "x1"))
        ]
        store.put_vectors(ANA, "e5", 4, rows)
        old = Reach(NOON + 10**9, {}, NOON + 10**9)
        assert store.archive(ANA, old, 10**6) > 40
        store.erase(ANA, forms=["x1"], messages=["x"])
        for path in self.files():
            held = path.read_bytes()
            for secret in ("峰谷", "谷能", "能源", "66万", "zebra-9931", "9931", "gone-vector-5521"):
                assert secret.encode() not in held, f"{secret} in {path.name}"
        assert store.integrity() == []

    def test_archiving_beside_traffic_and_twice(self, store: Store) -> None:
        reach = self._old_and_new(store)
        store.apply(
            MINE,
            ChangeSet(messages=[message(i, text=f"zebra {i}", arrived=NOON, time=0) for i in range(10, 90)]),
        )
        errors: list[BaseException] = []
        moved: list[int] = []

        def move() -> None:
            try:
                while done := store.archive(MINE, reach, 7):
                    moved.append(done)
            except BaseException as error:
                errors.append(error)

        def write() -> None:
            try:
                for i in range(10):
                    store.apply(MINE, ChangeSet(accesses=[("f1", NOON + 30 + i)]))
                    with store.writing(MINE):
                        said = message(store.next_seq(MINE), text="zebra", arrived=NOON + 99)
                        store.apply(MINE, ChangeSet(messages=[said]))
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=call) for call in (move, move, write)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert sum(moved) in (84, 85)  # f1 may have been accessed before
        found = {h.id for h in store.search_text(MINE, ["zebra"], 99, reach=reach)}
        assert found == {"m4", "m5", "f1", "f2", *(f"m{i}" for i in range(90, 100))}
        assert len(store.search_text(MINE, ["zebra"], 200)) == 98

    # -- whole scope -----------------------------------------------------------------------------------------
    def test_find_in_pages(self, store: Store) -> None:
        for i in range(7):
            store.apply(MINE, born(f"f{i}", type="lead" if i % 2 else "quote"))
        store.apply(MINE, ChangeSet(forms=[form("f1", status="invalid")]))
        assert [f.id for f in store.find(MINE, None, None, 3, None)] == ["f0", "f1", "f2"]
        assert [f.id for f in store.find(MINE, None, "active", 3, "f0")] == ["f2", "f3", "f4"]
        assert [f.id for f in store.find(MINE, "lead", "active", 9, None)] == ["f3", "f5"]
        assert [f.id for f in store.find(MINE, "lead", None, 9, "f1")] == ["f3", "f5"]
        assert [f.id for f in store.newest(MINE, "lead", 9)] == ["f5", "f3"]
        assert [f.id for f in store.newest(MINE, "quote", 2)] == ["f6", "f4"]
        assert store.newest(MINE, "nothing", 9) == store.newest(MINE, "lead", 0) == []
        assert store.find(MINE, "nothing", None, 9, None) == []
        assert store.find(MINE, None, "active", 0, None) == []

    def test_scan_and_count(self, store: Store) -> None:
        self._fill(store, ANA)
        tables = ("messages", "forms", "versions", "keys", "mentions", "edges", "pendings", "acts")
        rows = {table: list(store.scan(ANA, table)) for table in tables}
        counts = store.count(ANA)
        assert {table: len(found) for table, found in rows.items()} == {
            table: counts[table] for table in tables
        }
        assert all(rows.values())
        assert [m.seq for m in rows["messages"]] == sorted(m.seq for m in rows["messages"])
        assert rows["keys"] == list(store.scan(ANA, "keys"))
        assert list(store.scan(OTHER, "forms")) == []
        with pytest.raises(InvalidInput):
            list(store.scan(ANA, "secrets"))

    def test_scans_are_in_an_order_that_every_store_shares(self, store: Store) -> None:
        """Numbers that a store gives are its own; an export has to be the same from each."""
        store.apply(MINE, born("s5"))
        store.apply(MINE, born("s1"))
        for id in ("f3", "f1", "f2"):
            store.apply(ANA, born(id, "ana"))
        edges = [edge("f3", "f1"), edge("f1", "f3"), edge("f1", "f2"), edge("s5", "f1"), edge("f2", "s1")]
        edges += [edge("f1", "f2", relation="about"), edge("f1", "f2", relation="zeta", status="invalid")]
        said = [
            message(i, f"m{9 - i}", kind=("message", "record")[i % 2], conversation=f"c{i % 3}")
            for i in (1, 2, 3)
        ]
        mentions = [
            MentionRecord("c0", "lead", 3, "f2", True),
            MentionRecord("c1", "lead", 1, "f3", True),
            MentionRecord("c1", "lead", 1, "f1", False),
            MentionRecord("c2", "lead", 1, "f1", True),  # of no message that was there
            MentionRecord("c9", "lead", 77, "f1", True),
        ]
        acts = [ActRecord(id, "ana", "link", None, NOON, "{}") for id in ("a2", "a1")]
        store.apply(ANA, ChangeSet(messages=said, edges=edges, mentions=mentions, acts=acts))
        assert [e[:3] for e in store.scan(ANA, "edges")] == sorted(e[:3] for e in edges)
        assert list(store.scan(MINE, "edges")) == []
        assert list(store.scan(ANA, "mentions")) == [mentions[2], mentions[1], mentions[0]]
        assert [v.form for v in store.scan(ANA, "versions")] == ["f1", "f2", "f3"]
        assert [a.id for a in store.scan(ANA, "acts")] == ["a1", "a2"]

    def test_owners_of_a_tenant(self, store: Store) -> None:
        assert store.owners(MINE) == []
        store.apply(BEN, born("f1", "ben"))
        store.apply(ANA, ChangeSet(messages=[message(1)]))
        store.apply(OTHER, born("f1"))
        assert store.owners(MINE) == store.owners(ANA) == ["", "ana", "ben"]
        assert store.owners(OTHER) == [""]

    def test_the_name_of_an_erased_owner_is_not_kept(self, store: Store) -> None:
        self._fill(store, MARIA)
        store.apply(BEN, born("f9", "ben"))

        def failing() -> None:
            with store.writing(MARIA):
                store.erase(MARIA, owner=True)
                raise RuntimeError

        with pytest.raises(RuntimeError):
            failing()
        assert store.owners(MINE) == ["", "ben", MARIA.owner]
        store.erase(MARIA, owner=True)
        kept = store.owners(MINE)
        assert [o for o in kept if not o.startswith(ERASED_OWNER)] == ["", "ben"]
        (nobody,) = (MARIA._replace(owner=o) for o in kept if o.startswith(ERASED_OWNER))
        assert MARIA.owner not in nobody.owner
        for path in self.files():
            assert MARIA.owner.encode() not in path.read_bytes(), path.name
        # what is left stands under both, and other owners have nothing of it
        stones = list(store.scan(MARIA, "versions"))
        assert len(stones) == 2
        assert list(store.scan(nobody, "versions")) == stones
        assert store.erased(MARIA, ["m1"], ["f1"]) == {"m1", "f1"}
        assert store.erased(BEN, ["m1"], ["f1"]) == set()
        # notes of a recall, costs and a second erasure tell nothing of the owner
        store.apply(MARIA, ChangeSet(accesses=[("f1", NOON)], spent=[SpentRecord(7, 1, 2, 3)]))
        store.erase(MARIA, owner=True)
        assert store.owners(MINE) == kept
        store.apply(MARIA, born("f5", MARIA.owner))
        assert store.owners(MINE) == ["", "ben", MARIA.owner]
        assert len(list(store.scan(MARIA, "versions"))) == 3
        store.erase(MARIA, owner=True)
        assert store.owners(MINE) == kept

    def test_an_owner_erased_by_another_process_has_a_name_again_once_something_is_written(
        self, store: Store, store_factory: Callable[..., Store]
    ) -> None:
        if not self.reopens:
            pytest.skip("one process holds it all")
        self._fill(store, MARIA)
        other = store_factory()
        assert other.forms(MARIA, ["f1"])
        store.erase(MARIA, owner=True)
        for path in self.files():
            assert MARIA.owner.encode() not in path.read_bytes(), path.name
        assert other.forms(MARIA, ["f1"]) == {}
        other.apply(MARIA, born("f5", MARIA.owner))
        assert store.owners(MINE) == other.owners(MINE) == ["", MARIA.owner]
        assert list(store.forms(MARIA, ["f5"])) == list(other.forms(MARIA, ["f5"])) == ["f5"]
        third = store_factory()
        assert len(list(third.scan(MARIA, "versions"))) == 3
        third.close()
        other.close()

    def test_tombstones_are_known_and_can_be_put(self, store: Store) -> None:
        self._fill(store, ANA)
        assert store.erased(ANA, ["m1", "nobody"], ["f1", "nobody"]) == set()
        store.erase(ANA, forms=["f1"], messages=["m1"])
        assert store.erased(ANA, ["m1", "m2", "nobody"], ["f1", "f2"]) == {"m1", "f1"}
        assert store.erased(BEN, ["m1"], ["f1"]) == set()
        blank = [version("x1", n, payload=None, salt=None) for n in (1, 2)]
        store.apply(
            BEN, ChangeSet(forms=[form("x1", "ben", "", status="erased", n=0, words="")], versions=blank)
        )
        assert store.versions(BEN, "x1") == blank == list(store.scan(BEN, "versions"))
        assert store.forms(BEN, ["x1"]) == {}
        assert list(store.scan(BEN, "forms")) == []
        assert store.find(BEN, None, None, 9, None) == []
        assert store.erased(BEN, [], ["x1"]) == {"x1"}
        assert store.count(BEN)["forms"] == 0
        store.apply(BEN, born("x1", "ben"))  # told again
        assert store.versions(BEN, "x1") == [version("x1", 1), blank[1]]
        assert store.erased(BEN, [], ["x1"]) == set()

    def test_one_transaction_over_two_owners(self, store: Store) -> None:
        def failing() -> None:
            with store.writing(ANA):
                store.apply(ANA, born("f1", "ana", type="first"))
                with store.writing(BEN):
                    store.apply(BEN, born("f1", "ben", type="second"))
                    assert store.forms(BEN, ["f1"])["f1"].type == "second"
                raise RuntimeError

        with pytest.raises(RuntimeError):
            failing()
        assert store.forms(ANA, ["f1"]) == store.forms(BEN, ["f1"]) == {}
        with store.writing(ANA):
            seq = store.next_seq(ANA)
            store.apply(ANA, ChangeSet(messages=[message(seq)]))
            with store.writing(BEN):
                store.apply(BEN, ChangeSet(messages=[message(store.next_seq(BEN))]))
        assert [m.seq for m in store.scan(BEN, "messages")] == [seq + 1]

    def test_scans_of_many_rows_are_whole(self, store: Store) -> None:
        said = [message(i, kind=("message", "record")[i % 2]) for i in range(1, 2502)]
        store.apply(MINE, ChangeSet(messages=said))
        assert list(store.scan(MINE, "messages")) == said

    def test_derived_rows_are_dropped_and_built_anew(self, store: Store) -> None:
        self._fill(store, ANA)
        store.apply(ANA, ChangeSet(edges=[edge("f2", "f1", made_by="link")]))
        store.apply(BEN, ChangeSet(messages=[message(90, "b1", "海蓝电子")]))
        before = store.search_text(ANA, query_terms("海蓝电子"), 9)
        assert before
        store.drop_derived(ANA)
        counts = store.count(ANA)
        assert [counts[t] for t in ("keys", "mentions", "vectors", "edges")] == [0, 0, 0, 1]
        assert counts["versions"] == 2
        assert store.index_texts(ANA) == 4
        assert len(store.search_text(BEN, query_terms("海蓝电子"), 9)) == 1
        assert store.index_texts(ANA) == 4
        assert store.search_text(ANA, query_terms("海蓝电子"), 9) == before

    def test_keys_of_a_type_are_dropped_alone(self, store: Store) -> None:
        self._fill(store, ANA)
        store.apply(ANA, ChangeSet(forms=[form("f3", "ana", "quote")], versions=[version("f3")]))
        store.apply(ANA, ChangeSet(keys_add=[KeyRecord("q-1", "quote", "quote_no", "f3")]))
        store.drop_keys(ANA, "lead")
        store.drop_keys(ANA, "nothing of the kind")
        assert store.names(ANA, ["f1 ltd", "shared"]) == []
        assert [key.form for key in store.names(ANA, ["q-1"])] == ["f3"]

    def test_tenants_are_told(self, store: Store) -> None:
        assert store.tenants() == []
        for at in (ANA, MINE, OTHER):
            store.apply(at, ChangeSet(messages=[message(1, f"m of {at}")]))
        assert store.tenants() == ["t1", "t2"]

    # -- shapes of Form types ----------------------------------------------------------------------------
    def test_a_shape_is_noted_once_and_put_anew(self, store: Store) -> None:
        assert store.shapes(MINE) == {}
        store.apply(ANA, ChangeSet(shapes={"lead": "one"}))
        store.apply(MINE, ChangeSet(shapes={"lead": "other", "报价": "两"}))
        assert store.shapes(ANA) == store.shapes(MINE) == {"lead": "one", "报价": "两"}
        assert store.shapes(OTHER) == {}
        store.put_shapes(MINE, {"lead": "three"})
        assert store.shapes(ANA) == {"lead": "three", "报价": "两"}

        def taken_back() -> None:
            with store.writing(MINE):
                store.apply(MINE, ChangeSet(shapes={"taken back": "x"}))
                store.put_shapes(MINE, {"lead": "four"})
                raise RuntimeError

        with pytest.raises(RuntimeError):
            taken_back()
        assert store.shapes(MINE) == {"lead": "three", "报价": "两"}
        store.apply(MINE, ChangeSet(shapes={"taken back": "x"}))
        assert store.shapes(MINE)["taken back"] == "x"

    # -- what a self-check looks at ----------------------------------------------------------------------
    def knot(self, store: Store, scope: Scope = MINE) -> None:
        """Four quotes and three leads, one of them invalid, tied by rules and a person."""
        mark = scope.owner
        changes = ChangeSet()
        for id, type in (
            ("q1", "quote"),
            ("q2", "quote"),
            ("q3", "quote"),
            ("q4", "quote"),
            ("l1", "lead"),
            ("l2", "lead"),
        ):
            changes.forms.append(form(id + mark, scope.owner, type))
        changes.forms.append(form("l3" + mark, scope.owner, "lead", status="invalid"))
        for made in changes.forms:
            changes.versions.append(version(made.id))
        for id, name in (("q1", "acme"), ("q2", "acme"), ("l1", "acme"), ("l2", "bolt")):
            kind = "quote" if id[0] == "q" else "lead"
            unique = "#" if id == "q2" else ""
            slots = f"company{unique}{id}{mark}" if unique else "company"
            changes.keys_add.append(KeyRecord(name, kind, slots, id + mark))
        changes.edges = [
            edge("q1" + mark, "l1" + mark),
            edge("q1" + mark, "l2" + mark),
            edge("q2" + mark, "l1" + mark, made_by="act"),
            edge("q3" + mark, "l3" + mark, made_by="act"),
            edge("q3" + mark, "l2" + mark, status="superseded"),
            edge("l1" + mark, "l2" + mark)._replace(relation="depends_on"),
        ]
        store.apply(scope, changes)

    def test_crowded_forms_are_those_with_several_active_edges(self, store: Store) -> None:
        assert store.crowded(MINE, ["refers_to"], True) == []
        self.knot(store)
        assert store.crowded(MINE, ["refers_to", "depends_on", "unheard_of"], True) == [("q1", "refers_to")]
        assert store.crowded(MINE, ["refers_to"], False) == [("l1", "refers_to")]
        assert store.crowded(MINE, ["depends_on"], True) == []
        assert store.crowded(MINE, [], True) == store.crowded(ANA, ["refers_to"], True) == []

    def test_namesakes_share_a_key(self, store: Store) -> None:
        self.knot(store)
        assert store.namesakes(MINE, ["company", "phone"]) == [("acme", "quote")]
        assert store.namesakes(MINE, ["phone"]) == store.namesakes(ANA, ["company"]) == []

    def test_unrelated_forms_have_no_active_edge_to_an_active_form(self, store: Store) -> None:
        self.knot(store)
        assert store.unrelated(MINE, "quote", "refers_to", NOON + 1) == ["q3", "q4"]
        assert store.unrelated(MINE, "quote", "refers_to", NOON) == []
        assert store.unrelated(MINE, "quote", "unheard_of", NOON + 1) == ["q1", "q2", "q3", "q4"]
        assert store.unrelated(MINE, "unheard_of", "refers_to", NOON + 1) == []

    def test_ties_and_dangling_edges(self, store: Store) -> None:
        self.knot(store)
        assert store.ties(MINE, "refers_to") == [("q1", "l1"), ("q1", "l2"), ("q2", "l1")]
        assert store.ties(MINE, "depends_on") == [("l1", "l2")]
        assert store.ties(MINE, "unheard_of") == store.ties(OTHER, "refers_to") == []
        assert [e[:3] for e in store.dangling(MINE, ["act", "unheard_of"])] == [("q3", "refers_to", "l3")]
        assert store.dangling(MINE, ["rule:r"]) == store.dangling(ANA, ["act"]) == []

    def test_unfounded_edges_share_no_name(self, store: Store) -> None:
        self.knot(store)
        made = [e._replace(made_by="rule:refers_to") for e in store.edges(MINE, ["q1", "q2"])]
        store.apply(MINE, ChangeSet(edges=made))
        same = Condition("refers_to", "quote", "lead", (("company", "company"),))
        assert store.unfounded(MINE, [same]) == [("q1", "refers_to", "l2")]
        both = same._replace(joins=(("company", "company"), ("phone", "phone")))
        assert len(store.unfounded(MINE, [both])) == 3
        assert store.unfounded(MINE, [same._replace(source="lead")]) == []
        assert store.unfounded(MINE, [same._replace(relation="unheard_of")]) == []
        assert store.unfounded(ANA, [same]) == []

    def test_each_owner_is_looked_at_alone(self, store: Store) -> None:
        self.knot(store, ANA)
        self.knot(store, BEN)
        assert store.crowded(ANA, ["refers_to"], True) == [("q1ana", "refers_to")]
        assert store.ties(BEN, "depends_on") == [("l1ben", "l2ben")]
        assert store.crowded(MINE, ["refers_to"], True) == []

    def test_erased_forms_leave_nothing_to_sweep(self, store: Store) -> None:
        self.knot(store)
        store.erase(MINE, forms=["q1", "l2"])
        assert store.sweep(MINE, dry_run=True) == store.sweep(MINE) == 0

    def test_questions_that_offer_an_erased_form_go_with_it(self, store: Store) -> None:
        self.knot(store)
        item = pending("p1", "q1", candidates='["q1.refers_to.l1", "q1.refers_to.l2"]')
        changes = ChangeSet(
            pendings=[item, pending("p2", "q1"), pending("p3", None, candidates='["l2", "q2"]')]
        )
        changes.forms = [form("q1", type="quote", pending=2)]
        store.apply(MINE, changes)
        assert store.erase(MINE, forms=["l2"])["pendings"] == 2
        assert [p.id for p in store.pendings(MINE)] == ["p2"]
        assert store.forms(MINE, ["q1"])["q1"].pending == 1

    def test_marks_are_a_tenants(self, store: Store) -> None:
        assert store.mark(MINE, "upkeep") == 0
        store.set_mark(MINE, "upkeep", 7)
        store.set_mark(ANA, "upkeep", 8)
        assert store.mark(MINE, "upkeep") == store.mark(ANA, "upkeep") == 8
        assert store.mark(OTHER, "upkeep") == store.mark(MINE, "other") == 0

    def test_compaction_comes_to_an_end_and_changes_nothing(self, store: Store) -> None:
        for i in range(1, 30):
            store.apply(MINE, ChangeSet(messages=[message(i, text=f"budget {i} 海蓝电子")]))
        before = list(store.scan(MINE, "messages"))
        hits = store.search_text(MINE, query_terms("budget 海蓝电子"), 50)
        assert store.compact(60.0)
        assert store.compact(60.0)
        assert list(store.scan(MINE, "messages")) == before
        assert store.search_text(MINE, query_terms("budget 海蓝电子"), 50) == hits
        assert store.integrity() == []

    # -- erasing -----------------------------------------------------------------------------------------
    def test_an_erased_form_leaves_its_tombstones(self, store: Store) -> None:
        self._fill(store, ANA)
        done = store.erase(ANA, forms=["f1", "nobody"])
        assert (done["forms"], done["versions"], done["edges"], done["pendings"]) == (1, 1, 1, 1)
        assert store.forms(ANA, ["f1"]) == {}
        assert [f.id for f in store.find(ANA, None, None, 9, None)] == ["f2"]
        assert [key.form for key in store.names(ANA, ["f1 ltd", "shared"])] == ["f2"]
        assert store.edges(ANA, ["f2"], inactive=True) == []
        assert store.pendings(ANA, ["f1"], None) == []
        assert store.touched(ANA, "c1", "lead", 9) == []
        assert store.search_text(ANA, ["zebra"], 9) == []
        assert [row.id for row in store.vectors(ANA, "e5")] == ["m1"]
        kept = version("f1")._replace(payload=None, salt=None)
        assert store.versions(ANA, "f1") == [kept]
        assert kept in list(store.scan(ANA, "versions"))
        assert store.messages(ANA, ["m1"])
        assert store.erase(ANA, forms=["f1"])["forms"] == 0

    def test_what_told_of_an_erased_form_is_withheld(self, store: Store) -> None:
        self._fill(store, ANA)
        self._fill(store, BEN)
        refused = message(9, "m9")._replace(state="refused")
        store.apply(ANA, ChangeSet(messages=[message(8, "m8"), refused]))
        assert store.erase(ANA, forms=["f1"], withhold=["m8", "m9", "nobody"])["withheld"] == 2
        told = {"m1": "withheld", "m2": "stored", "m8": "withheld", "m9": "refused"}
        assert {id: m.state for id, m in store.messages(ANA, list(told)).items()} == told
        assert store.messages(ANA, ["m1"])["m1"].text == "海蓝电子预算50万"
        assert store.messages(BEN, ["m1"])["m1"].state == "stored"
        store.erase(ANA, messages=["m1"])
        assert store.erased(ANA, messages=["m1", "m8"]) == {"m1"}

    def test_an_erased_message_is_gone_but_its_number(self, store: Store) -> None:
        self._fill(store, ANA)
        done = store.erase(ANA, messages=["m1", "nobody"])
        assert (done["messages"], done["versions"], done["pendings"]) == (1, 0, 1)
        assert store.messages(ANA, ["m1"]) == {}
        assert [m.id for m in store.recent(ANA, "c1", 9)] == ["m2"]
        assert "m1" not in [m.id for m in store.scan(ANA, "messages")]
        assert store.touched(ANA, "c1", "lead", 9) == []
        assert store.search_text(ANA, query_terms("海蓝电子"), 9) == []
        assert [row.id for row in store.vectors(ANA, "e5")] == ["f1"]
        assert [e.message for e in store.edges(ANA, ["f1"])] == [None]
        assert store.forms(ANA, ["f1"])["f1"].pending == 0
        store.apply(ANA, ChangeSet(messages=[message(7, "m1", "told again")]))
        assert store.messages(ANA, ["m1"])["m1"].seq == 7

    def test_erased_versions_keep_their_hash(self, store: Store) -> None:
        store.apply(MINE, born("f1"))
        changed = ChangeSet(forms=[form("f1", n=2, head="{}")], heads={"f1": 1}, versions=[version("f1", 2)])
        store.apply(MINE, changed)
        assert store.erase(MINE, versions=[("f1", 1), ("f1", 9), ("f9", 1)])["versions"] == 1
        blank = version("f1")._replace(payload=None, salt=None)
        assert store.versions(MINE, "f1") == [blank, version("f1", 2)]
        assert store.forms(MINE, ["f1"])["f1"].n == 2

    def test_an_erased_owner_is_gone(self, store: Store) -> None:
        self._fill(store, ANA)
        store.apply(ANA, ChangeSet(replies=[reply("k1")], spent=[SpentRecord(7, 1, 2, 3)]))
        store.apply(MINE, born("f1"))
        done = store.erase(ANA, owner=True)
        assert (done["forms"], done["messages"], done["versions"], done["acts"]) == (2, 2, 2, 1)
        assert (done["replies"], store.spent(ANA).calls) == (1, 1)
        counts = store.count(ANA)
        assert counts.pop("versions") == 2
        assert set(counts.values()) == {0}
        assert store.search_text(ANA, ["zebra"], 9) == []
        assert all(v.payload is None for v in store.scan(ANA, "versions"))
        assert store.forms(MINE, ["f1"])

    def test_erasing_inside_writing_goes_with_the_transaction(self, store: Store) -> None:
        self._fill(store, ANA)

        def failing() -> None:
            with store.writing(ANA):
                store.erase(ANA, owner=True)
                raise RuntimeError

        with pytest.raises(RuntimeError):
            failing()
        assert store.forms(ANA, ["f1"])
        with store.writing(ANA):
            store.erase(ANA, forms=["f1"])
            store.apply(ANA, born("f1", "ana", words="told again"))
        assert store.versions(ANA, "f1") == [version("f1")]
        assert [h.id for h in store.search_text(ANA, ["again"], 5)] == ["f1"]

    def test_no_file_keeps_what_was_erased(self, store: Store) -> None:
        secrets = ["峰谷能源", "66万", "zebra-9931", "gone-salt-5521", "张三丰", "attr-7713"]
        for i in range(60):  # rows around, so that pages split and move
            self._fill(store, ANA, f"_{i}")
        changes = born(
            "x1", "ana", words="峰谷能源 66万 zebra-9931", head='{"v":"66万"}', confirmed='{"a":"66万"}'
        )
        changes.messages = [
            message(900, "x", "我们峰谷能源的预算是66万", speaker="张三丰", body='"zebra-9931"')
        ]
        changes.versions = [version("x1", 1, "x", payload='{"company":"峰谷能源"}', salt=b"gone-salt-5521")]
        changes.keys_add.append(KeyRecord("峰谷能源", "lead", "company", "x1"))
        changes.pendings = [pending("xp", "x1", "ana", value='"66万"', question="zebra-9931?")]
        changes.acts = [ActRecord("xa", "ana", "correct", "x1", NOON, '{"to":"66万"}')]
        changes.edges = [edge("x1", "f1_3", attributes='{"a":"attr-7713"}')]
        changes.replies = [reply("x9", "x", content='{"company":"峰谷能源","budget":"66万"}')]
        store.apply(ANA, changes)
        for i in range(60, 80):
            self._fill(store, ANA, f"_{i}")
        store.erase(ANA, forms=["x1"], messages=["x"])
        for path in self.files():
            held = path.read_bytes()
            for secret in (*secrets, "峰谷", "谷能", "能源"):
                assert secret.encode() not in held, f"{secret} in {path.name}"
        assert store.integrity() == []

    # -- several at once -----------------------------------------------------------------------------------
    def test_two_writers_lose_nothing(self, store: Store) -> None:
        store.apply(MINE, born("f1", n=1))
        errors: list[BaseException] = []

        def write(name: str) -> None:
            try:
                for i in range(15):
                    with store.writing(MINE):
                        seq = store.next_seq(MINE)
                        n = store.forms(MINE, ["f1"])["f1"].n
                        said = f"{name}{i}"
                        store.apply(
                            MINE,
                            ChangeSet(
                                messages=[message(seq, said)],
                                forms=[form("f1", n=n + 1, head="{}")],
                                heads={"f1": n},
                                versions=[version("f1", n + 1, said)],
                            ),
                        )
            except BaseException as failed:
                errors.append(failed)

        threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        chain = store.versions(MINE, "f1")
        assert [v.n for v in chain] == list(range(1, 47))
        assert [m.seq for m in store.scan(MINE, "messages")] == list(range(1, 46))

    def test_two_workers_never_take_the_same_message(self, store: Store) -> None:
        store.apply(MINE, ChangeSet(messages=[message(i, state="queued") for i in range(1, 41)]))
        taken: list[list[str]] = [[], [], []]

        def work(mine: list[str]) -> None:
            while batch := store.claim(MINE, 3, NOON, NOON + 10):
                mine.extend(m.id for m in batch)

        threads = [threading.Thread(target=work, args=(mine,)) for mine in taken]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(id for mine in taken for id in mine) == sorted(f"m{i}" for i in range(1, 41))

    def test_two_owners_write_at_once(self, store: Store) -> None:
        errors: list[BaseException] = []

        def write(scope: Scope) -> None:
            try:
                for i in range(10):
                    with store.writing(scope):
                        seq = store.next_seq(scope)
                        changes = born(f"f{i}", scope.owner, type=f"type{i}")
                        changes.messages = [message(seq, f"s{seq}")]
                        store.apply(scope, changes)
            except BaseException as failed:
                errors.append(failed)

        scopes = (ANA, BEN, MINE, OTHER)
        threads = [threading.Thread(target=write, args=(scope,)) for scope in scopes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        seqs = [m.seq for scope in (ANA, BEN, MINE) for m in store.scan(scope, "messages")]
        assert sorted(seqs) == list(range(1, 31))
        for scope in scopes:
            assert [f.type for f in store.find(scope, None, None, 99, None)] == [
                f"type{i}" for i in range(10)
            ]

    # -- opening again ---------------------------------------------------------------------------------------
    def test_everything_is_there_after_opening_again(self, store_factory: Callable[..., Store]) -> None:
        if not self.reopens:
            pytest.skip("kept in memory only")
        first = store_factory()
        self._fill(first, ANA)
        tables = ("messages", "forms", "versions", "keys", "edges", "pendings", "acts")
        before = {table: list(first.scan(ANA, table)) for table in tables}
        hits = first.search_text(ANA, query_terms("海蓝电子"), 9)
        first.close()
        second = store_factory()
        assert {table: list(second.scan(ANA, table)) for table in tables} == before
        assert second.search_text(ANA, query_terms("海蓝电子"), 9) == hits
        with second.writing(ANA):
            assert second.next_seq(ANA) == 3
        second.close()

    def test_two_openings_see_each_other(self, store_factory: Callable[..., Store]) -> None:
        if not self.reopens:
            pytest.skip("kept in memory only")
        first, second = store_factory(), store_factory()
        first.apply(ANA, born("f1", "ana", type="one"))
        assert second.forms(ANA, ["f1"])["f1"].type == "one"
        second.apply(ANA, born("f2", "ana", type="two"))
        assert first.forms(ANA, ["f2"])["f2"].type == "two"
        first.apply(ANA, born("f3", "ana", type="two"))
        assert [f.type for f in second.find(ANA, "two", None, 9, None)] == ["two", "two"]
        first.close()
        second.close()

    def test_a_closed_store_says_so(self, store_factory: Callable[..., Store]) -> None:
        store = store_factory()
        store.close()
        store.close()
        with pytest.raises(StoreUnavailable):
            store.messages(MINE, ["m1"])

    def _fill(self, store: Store, scope: Scope, mark: str = "") -> None:
        """Two messages, two Forms and one of everything else in the scope."""
        with store.writing(scope):
            seq = store.next_seq(scope)
            a, b = f"f1{mark}", f"f2{mark}"
            changes = born(a, scope.owner, words=f"zebra {mark}", pending=1)
            for name in ("forms", "versions", "keys_add"):
                getattr(changes, name).extend(getattr(born(b, scope.owner), name))
            changes.messages = [message(seq, f"m1{mark}", "海蓝电子预算50万"), message(seq + 1, f"m2{mark}")]
            changes.mentions = [MentionRecord("c1", "lead", seq, a, True)]
            changes.edges = [edge(b, a, message=f"m1{mark}")]
            changes.pendings = [pending(f"p1{mark}", a, scope.owner, message=f"m1{mark}")]
            changes.acts = [ActRecord(f"a1{mark}", scope.owner, "link", b, NOON, "{}")]
            if mark:
                changes.replies = [reply(f"k{mark}", f"m1{mark}")]
            store.apply(scope, changes)
        rows = [VectorRow("message", f"m1{mark}", 0, floats(1)), VectorRow("form", a, 0, floats(2))]
        store.put_vectors(scope, "e5", 1, rows)
