"""What a decision sees: rows read inside the write transaction, with its own changes laid over.

One workspace serves a batch of messages; ``changes`` is then one ChangeSet. Names and Forms are read in bulk
ahead (``prefetch``), the rest on demand; nothing is read twice.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from forms_dynamics.assertions import Assertion, as_written, dump
from forms_dynamics.errors import Conflict
from forms_dynamics.model.record import (
    HIDDEN,
    ActRecord,
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
from forms_dynamics.ports import Store
from forms_dynamics.projection import (
    State,
    add_assertion,
    compact,
    confirmations,
    empty_state,
    fold,
    placed,
    state_of,
    status_at,
    withdrawn,
)
from forms_dynamics.schema.shape import shape_text
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec
from forms_dynamics.versioning.chain import GENESIS, new_salt, resealed, seal
from forms_dynamics.versioning.keys import keys_for, words_of

_CROWD = 50  # a name that more Forms hold leads to too many to read them all
_STRONGEST = 64  # edges a Form and end that are looked at for a hit


@dataclass(slots=True)
class Delta:
    """What one message (or act) changes in one Form; becomes one version."""

    assertions: dict[str, list[Assertion]] = field(default_factory=dict)
    aliases: list[str] = field(default_factory=list)
    external: list[str] = field(default_factory=list)
    context: dict[str, str] = field(default_factory=dict)
    withdraws: list[int] = field(default_factory=list)
    status: str | None = None
    reason: str | None = None
    cause: str = "stated"

    def __bool__(self) -> bool:
        return bool(
            self.assertions or self.aliases or self.external or self.withdraws or self.status is not None
        )


@dataclass(slots=True)
class Working:
    """A Form being changed. ``complete`` tells that ``state`` is folded from the whole chain."""

    id: str
    type: str
    owner: str
    n: int
    base_n: int
    status: str
    created: int
    updated: int
    accessed: int
    conversation: str
    state: State
    confirmed: dict[str, int]
    pending: int
    type_version: int
    complete: bool
    keys: set[KeyRecord]
    tip: bytes
    delta: Delta = field(default_factory=Delta)
    dirty: bool = False
    recalled: bool = False
    overtook: int | None = None  # when it was last told of, before ``Workspace.overtake``

    @property
    def active(self) -> bool:
        """Whether it is active, by what the message being decided says of it as well."""
        return (self.delta.status or self.status) == "active"

    def at(self, now: int) -> int:
        """The moment at which the Form is read: an event time ahead of the clock counts as just now."""
        return max(now, self.updated)


class Workspace:
    """See the module."""

    def __init__(self, store: Store, scope: Scope, catalog: Catalog, now: int) -> None:
        self.store = store
        self.scope = scope
        self.catalog = catalog
        self.now = now
        self.changes = ChangeSet()
        self.added: dict[KeyRecord, None] = {}
        self.twins: dict[str, set[str]] = {}  # Form → others that hold its identity, for review
        self._added_names: list[str] = []
        self._names: dict[str, list[KeyRecord]] = {}
        self._forms: dict[str, Working | None] = {}
        self._mentions: dict[str, dict[MentionRecord, None]] = {}
        self._users: dict[str, int] = {}
        self._pendings: dict[str, PendingRecord] = {}
        self._pendings_of: dict[str, list[str]] = {}
        self._asked: dict[str, list[str]] = {}
        self._edges: dict[tuple[str, str, str], EdgeRecord] = {}
        self._edges_at: dict[str, dict[tuple[str, str, str], EdgeRecord]] = {}  # by end: those put here
        self._edges_read: dict[str, list[EdgeRecord]] = {}  # by end: all that the store holds

    # -- names -----------------------------------------------------------------------------------------------
    def prefetch(self, names: Iterable[str]) -> None:
        """Reads the keys of all ``names`` at once, and the Forms they lead to (of a name that many Forms say, such as
        a customer's, those of a type when they are asked for)."""
        wanted = [name for name in dict.fromkeys(names) if name not in self._names]
        if not wanted:
            return
        for name in wanted:
            self._names[name] = []
        for key in self.store.names(self.scope, wanted):
            self._names[key.name].append(key)
        self.load(key.form for name in wanted if not self._crowded(name) for key in self._names[name])

    def _crowded(self, name: str) -> bool:
        return len(self._names[name]) > _CROWD

    def names(self, name: str, type: str) -> list[KeyRecord]:
        """Keys of the type with exactly this name, those of this workspace included."""
        if name not in self._names:
            self.prefetch((name,))
        found = [key for key in self._names[name] if key.type == type]
        if self._crowded(name):
            self.load(key.form for key in found)
        return found

    def names_from(self, prefix: str, type: str) -> list[KeyRecord]:
        """Up to ten keys of the type whose names begin with ``prefix``, those of this workspace included."""
        stored = self.store.names_from(self.scope, prefix, 10)
        here: list[KeyRecord] = []
        start = bisect_left(self._added_names, prefix)
        for name in self._added_names[start:]:
            if not name.startswith(prefix):
                break
            here.extend(key for key in self._names[name] if key in self.added)
        return [k for k in dict.fromkeys([*stored, *here]) if k.type == type]

    def _put_key(self, key: KeyRecord) -> None:
        if key.name in self._names:
            self._names[key.name].append(key)
        else:
            # a name not read yet may have rows in the store
            self.prefetch((key.name,))
            self._names[key.name].append(key)
        self.added[key] = None
        insort(self._added_names, key.name)

    def _drop_key(self, key: KeyRecord) -> None:
        if key.name in self._names and key in self._names[key.name]:
            self._names[key.name].remove(key)
        if self.added.pop(key, key) is key:
            self.changes.keys_drop.append(key)

    # -- Forms -----------------------------------------------------------------------------------------------
    def load(self, ids: Iterable[str]) -> None:
        """Reads Forms that are not here yet."""
        wanted = [id for id in dict.fromkeys(ids) if id not in self._forms]
        if not wanted:
            return
        records = self.store.forms(self.scope, wanted)
        own = [id for id, record in records.items() if record.owner == self.scope.owner]
        tips = self.store.tips(self.scope, own) if own else {}
        for id in wanted:
            record = records.get(id)
            self._forms[id] = None if record is None else self._working(record, tips.get(id, GENESIS))

    def _working(self, record: FormRecord, tip: bytes) -> Working:
        form_type = self.catalog.types.get(record.type)
        state = state_of(record, form_type)
        at = max(self.now, record.updated)
        keys = self._keys(form_type, record.id, state, at, record.conversation, record.status == "active")
        return Working(
            id=record.id,
            type=record.type,
            owner=record.owner,
            n=record.n,
            base_n=record.n,
            status=record.status,
            created=record.created,
            updated=record.updated,
            accessed=record.accessed,
            conversation=record.conversation,
            state=state,
            confirmed=confirmations(record, form_type),
            pending=record.pending,
            type_version=record.type_version,
            complete=record.n == 1,
            keys=keys,
            tip=tip,
            recalled=record.recalled,
        )

    def _keys(
        self, form_type: FormType | None, id: str, state: State, at: int, conversation: str, active: bool
    ) -> set[KeyRecord]:
        if form_type is None:
            return set()
        indexed = self.catalog.indexed.get(form_type.name, frozenset())
        joined = self.catalog.joined.get(form_type.name, frozenset())
        return keys_for(
            form_type, id, state, at, conversation=conversation, active=active, indexed=indexed, joined=joined
        )

    def form(self, id: str) -> Working | None:
        """A Form of the scope, or None."""
        if id not in self._forms:
            self.load((id,))
        return self._forms[id]

    def own(self, id: str) -> Working | None:
        """A Form that the scope may write, or None."""
        found = self.form(id)
        return found if found is not None and found.owner == self.scope.owner else None

    def admit(self, record: FormRecord, chain: Sequence[VersionRecord]) -> Working:
        """A Form that comes whole from another store: its chain is sealed anew, a tombstone stays one."""
        form_type = self.catalog.types.get(record.type)
        # of a type that is not loaded nothing is known: it is looked at when it is
        self.changes.shapes.setdefault(record.type, "" if form_type is None else shape_text(form_type))
        working = Working(
            id=record.id, type=record.type, owner=record.owner, n=len(chain), base_n=0, status=record.status,
            created=record.created, updated=record.updated, accessed=record.accessed,
            conversation=record.conversation, state=empty_state(),
            confirmed=confirmations(record, form_type), pending=record.pending,
            type_version=record.type_version, complete=True, keys=set(), tip=GENESIS, recalled=record.recalled,
        )  # fmt: skip
        for version in chain:
            sealed = resealed(version, working.tip)
            self.changes.versions.append(sealed)
            working.tip = sealed.hash
        self._forms[record.id] = working
        self.settle(working, chain)
        working.status = record.status  # what it says where it comes from
        return working

    def settle(self, working: Working, chain: Sequence[VersionRecord]) -> None:
        """What follows from the whole chain, made anew: state and status (keys by ``sync_keys`` or ``name``)."""
        working.state = fold(chain, self.catalog.types.get(working.type))
        working.complete = True
        working.status = status_at(chain)
        working.dirty = True

    def name(self, forms: Sequence[Working]) -> None:
        """Writes the keys of Forms that have none in the store, with one look at who holds the unique ones."""
        wanted = {
            w.id: w.keys
            or self._keys(
                self.catalog.types.get(w.type), w.id, w.state, w.at(self.now), w.conversation, w.active
            )
            for w in forms
        }
        unique = {key.name for keys in wanted.values() for key in keys if "#" not in key.slots}
        # crowded names are read no further than to see that they are held
        held = self.store.names(self.scope, sorted(unique), limit=1) if unique else []
        holders = {key[:3]: key.form for key in held if "#" not in key.slots}
        for working in forms:
            working.keys = set()
            for key in sorted(wanted[working.id]):
                if "#" not in key.slots and holders.setdefault(key[:3], key.form) != key.form:
                    key = self._shared(key, (holders[key[:3]],))
                working.keys.add(key)
                self.added[key] = None

    def create(self, id: str, form_type: FormType, at: int, conversation: str) -> Working:
        """A new, empty Form; its first version is sealed with the message that made it."""
        working = Working(
            id=id, type=form_type.name, owner=self.scope.owner, n=0, base_n=0, status="active", created=at,
            updated=at, accessed=self.now, conversation=conversation, state=empty_state(), confirmed={},
            pending=0, type_version=form_type.version, complete=True, keys=set(), tip=GENESIS,
        )  # fmt: skip
        self.changes.shapes.setdefault(form_type.name, shape_text(form_type))
        self._forms[id] = working
        return working

    def full_state(self, working: Working) -> State:
        """The state folded from the whole chain: what late and withdrawn statements are weighed against. What the
        message being decided has said of the Form so far stays in it."""
        if not working.complete:
            so_far = working.state
            working.state = self._refold(working)
            working.complete = True
            for slot, timeline in so_far["s"].items():
                for assertion in timeline:
                    if assertion["n"] > working.n:
                        add_assertion(working.state, slot, assertion)
            for names in ("al", "ext"):
                working.state[names].extend(n for n in so_far[names] if n not in working.state[names])
        return working.state

    def overtake(self, working: Working, time: int) -> None:
        """What is said now, at ``time``, is weighed against what was dated ahead of the clock as said when that
        arrived (``projection.placed``). It stays so if a version comes of it (``seal_version``)."""
        last = max(working.updated, working.state.get("ah", 0))
        if working.overtook is not None or not working.n or time > self.now or time >= last:
            return
        kept = [v for v in self.chain(working) if v.n not in working.delta.withdraws]
        gone = withdrawn(kept)
        live = [v for v in kept if v.payload is not None and v.n not in gone]
        if not any(v.arrived <= time < v.time for v in live):
            return
        working.overtook = working.updated
        then = placed(live, (working.n + 1, time))
        working.state = fold(then, self.catalog.types.get(working.type))
        working.state["ah"] = max(v.time for v in live)
        working.complete = True
        working.updated = max(v.time for v in then)

    def withdraw(self, working: Working, n: int) -> None:
        """Takes back one version: from now on the state and the status are as if it had not been said."""
        working.delta.withdraws.append(n)
        chain = self.chain(working)
        working.status = status_at(chain, without=working.delta.withdraws)
        kept = [v for v in chain if v.n not in working.delta.withdraws]
        working.state = fold(kept, self.catalog.types.get(working.type))
        working.complete = True

    def _refold(self, working: Working) -> State:
        return fold(self.chain(working), self.catalog.types.get(working.type))

    def chain(self, working: Working) -> list[VersionRecord]:
        """All versions, those of this workspace included."""
        stored = self.store.versions(self.scope, working.id) if working.base_n else []
        return [*stored, *(v for v in self.changes.versions if v.form == working.id)]

    def seal_version(self, working: Working, message: MessageRecord) -> VersionRecord | None:
        """Turns what the message changed in a Form into its next version; None where nothing changed."""
        delta, working.delta = working.delta, Delta()
        before, working.overtook = working.overtook, None
        if not delta and working.n > 0:
            if before is not None:
                working.state, working.updated = self._refold(working), before
            return None
        payload: dict[str, Any] = {"m": message.id, "t": message.time}
        form_type = self.catalog.types.get(working.type)
        if delta.assertions:
            payload["s"] = {
                slot: as_written(given[0]) if len(given) == 1 else [as_written(a) for a in given]
                for slot, given in delta.assertions.items()
            }
        for short, value in (
            ("al", delta.aliases), ("ext", delta.external), ("k", delta.context), ("w", delta.withdraws),
            ("st", delta.status), ("why", delta.reason),
        ):  # fmt: skip
            if value:
                payload[short] = value
        if form_type is not None and form_type.version != 1:
            payload["y"] = form_type.version
        if before is not None:
            payload["ov"] = 1
            working.confirmed = {slot: min(at, message.time) for slot, at in working.confirmed.items()}
        if message.time > self.now:
            working.state["ah"] = max(message.time, working.state.get("ah", 0))
        text = dump(payload)
        salt = new_salt()
        working.n += 1
        version = VersionRecord(
            working.id, working.n, message.id, message.time, self.now, delta.cause, text, salt,
            seal(working.tip, salt, text),
        )  # fmt: skip
        self.changes.versions.append(version)
        working.tip = version.hash
        working.updated = max(working.updated, message.time)
        working.accessed = max(working.accessed, self.now)
        if delta.withdraws:
            working.state = self._refold(working)
            working.complete = True
            if "ah" in working.state:  # what overtook it may be what is withdrawn
                then = placed(self.chain(working))
                gone = withdrawn(then)
                working.updated = max([working.updated, *(v.time for v in then if v.n not in gone)])
        if delta.status is not None:
            working.status = delta.status
        working.dirty = True
        self.sync_keys(working)
        return version

    def sync_keys(self, working: Working) -> None:
        """Brings the Form's keys in line with its state."""
        form_type = self.catalog.types.get(working.type)
        wanted = self._keys(
            form_type, working.id, working.state, working.at(self.now), working.conversation, working.active
        )
        wanted = {self._free(key) for key in wanted}
        for key in working.keys - wanted:
            self._drop_key(key)
            # the store may hold it as a shared one: another Form had it when it was written (``_free``)
            if "#" not in key.slots and (kept := _as_shared(key)) not in wanted:
                self._drop_key(kept)
        for key in sorted(wanted - working.keys):
            self._put_key(key)
        working.keys = wanted

    def _free(self, key: KeyRecord) -> KeyRecord:
        """A unique key that another Form holds (two instances, one identity) is kept as a shared one."""
        if "#" in key.slots:
            return key
        holders = [
            k.form for k in self.names(key.name, key.type) if k.slots == key.slots and k.form != key.form
        ]
        return self._shared(key, holders) if holders else key

    def _shared(self, key: KeyRecord, holders: Iterable[str]) -> KeyRecord:
        if not key.name.startswith(HIDDEN) and key.slots != "@":
            self.twins.setdefault(key.form, set()).update(holders)
        return _as_shared(key)

    # -- conversation ----------------------------------------------------------------------------------------
    def mention(self, working: Working, message: MessageRecord, user: bool) -> None:
        """Notes that the message touched the Form."""
        mention = MentionRecord(message.conversation, working.type, message.seq, working.id, user)
        known = self._mentions.setdefault(message.conversation, {})
        if mention not in known:
            known[mention] = None
            self.changes.mentions.append(mention)

    def touched(self, conversation: str, type: str | None) -> list[MentionRecord]:
        """Mentions by user messages in the conversation, newest first."""
        here = [
            m for m in self._mentions.get(conversation, ()) if m.user and (type is None or m.type == type)
        ]
        stored = self.store.touched(self.scope, conversation, type, 50)
        return [*sorted(here, key=lambda m: -m.seq), *stored]

    def previous_user_seq(self, conversation: str, before: int) -> int | None:
        """The seq of the last user message of the conversation before this one."""
        if conversation in self._users and self._users[conversation] < before:
            return self._users[conversation]
        found = [
            m.seq
            for m in self.store.recent(self.scope, conversation, 20)
            if m.role == "user" and m.seq < before
        ]
        return max(found) if found else None

    def note_message(self, message: MessageRecord) -> None:
        """Adds a message to the changes."""
        self.changes.messages.append(message)

    def end_message(self, message: MessageRecord) -> None:
        """The message is decided: later ones may look back at it."""
        if message.role == "user" and message.kind == "message":
            self._users[message.conversation] = message.seq

    # -- pending ---------------------------------------------------------------------------------------------
    def open_pendings(self, working: Working) -> list[PendingRecord]:
        """Open items of a Form."""
        if working.id not in self._pendings_of:
            stored = (
                self.store.pendings(self.scope, [working.id]) if working.pending and working.base_n else []
            )
            self._pendings_of[working.id] = [item.id for item in stored]
            self._pendings.update((item.id, item) for item in stored)
        return [
            self._pendings[id] for id in self._pendings_of[working.id] if self._pendings[id].state == "open"
        ]

    def asked(self, messages: Iterable[str]) -> list[PendingRecord]:
        """Items of any state that came from what ``messages`` name, as this workspace leaves them."""
        wanted = list(dict.fromkeys(messages))
        unread = [message for message in wanted if message not in self._asked]
        if unread:
            self._asked.update((message, []) for message in unread)
            for item in self.store.pendings(self.scope, state=None, messages=unread):
                self._asked[item.message].append(item.id)
                self._pendings.setdefault(item.id, item)
            for item in self.changes.pendings:
                if item.message in unread and item.id not in self._asked[item.message]:
                    self._asked[item.message].append(item.id)
        return [self._pendings[id] for message in wanted for id in self._asked[message]]

    def put_pending(self, item: PendingRecord) -> None:
        """Adds or changes an item, and the count on its Form."""
        before = self._pendings.get(item.id)
        working = self.own(item.form) if item.form is not None else None
        if working is not None:
            self.open_pendings(working)
            if before is None:
                self._pendings_of[working.id].append(item.id)
            was_open = before is not None and before.state == "open"
            working.pending += (item.state == "open") - was_open
            working.dirty = True
        self._pendings[item.id] = item
        for i, other in enumerate(self.changes.pendings):
            if other.id == item.id:
                self.changes.pendings[i] = item
                return
        self.changes.pendings.append(item)
        if item.message in self._asked and item.id not in self._asked[item.message]:
            self._asked[item.message].append(item.id)

    def rehome_pending(self, item: PendingRecord, form: str | None) -> None:
        """An item that goes back to another Form: the counts on both follow."""
        here = self.own(item.form) if item.form is not None else None
        if here is not None and item.state == "open":
            here.pending -= 1
            here.dirty = True
        if here is not None and item.id in self._pendings_of.get(here.id, ()):
            self._pendings_of[here.id].remove(item.id)
        there = self.own(form) if form is not None else None
        if there is not None:
            self.open_pendings(there)
            if item.id not in self._pendings_of[there.id]:
                self._pendings_of[there.id].append(item.id)
        self._pendings[item.id] = item._replace(state="expired", form=form)

    def remember_pending(self, item: PendingRecord) -> None:
        """An item that the store holds and this workspace is about to change."""
        self._pendings[item.id] = item
        if item.form is not None:
            working = self.own(item.form)
            if working is not None:
                self.open_pendings(working)

    # -- edges -----------------------------------------------------------------------------------------------
    def edges(self, forms: Sequence[str]) -> list[EdgeRecord]:
        """Edges at either end of the Forms, those of this workspace included."""
        fresh = [id for id in forms if id not in self._edges_read and self._may_have_edges(id)]
        if fresh:
            self._edges_read.update((id, []) for id in fresh)
            for edge in self.store.edges(self.scope, fresh, inactive=True):
                for end in {edge.source, edge.target} & set(fresh):
                    self._edges_read[end].append(edge)
        return list(self._edges_of(forms).values())

    def standing_edges(self, ids: Collection[str]) -> list[EdgeRecord]:
        """Those of the edges with these ids that are active."""
        sources = sorted({id.partition(".")[0] for id in ids})
        return [edge for edge in self.edges(sources) if edge.id in ids and edge.status == "active"]

    def live_edges(self, forms: Sequence[str]) -> list[EdgeRecord]:
        """Active edges at either end of the Forms; of a Form with many its strongest, unless all are read already.
        One query at most."""
        fresh = [id for id in forms if id not in self._edges_read and self._may_have_edges(id)]
        found = self._edges_of(forms)
        for edge in self.store.edges(self.scope, fresh, limit=_STRONGEST) if fresh else ():
            found.setdefault(edge.key, edge)
        return [edge for edge in found.values() if edge.status == "active"]

    def _may_have_edges(self, form: str) -> bool:
        working = self._forms.get(form)
        return working is None or working.base_n > 0

    def _edges_of(self, forms: Sequence[str]) -> dict[tuple[str, str, str], EdgeRecord]:
        found: dict[tuple[str, str, str], EdgeRecord] = {}
        for id in forms:
            for edge in self._edges_read.get(id, ()):
                found[edge.key] = self._edges.get(edge.key, edge)
            found.update(self._edges_at.get(id, {}))
        return found

    def put_edge(self, edge: EdgeRecord) -> None:
        self._edges[edge.key] = edge
        for end in (edge.source, edge.target):
            self._edges_at.setdefault(end, {})[edge.key] = edge

    def drawn(self) -> list[EdgeRecord]:
        """The edges put so far."""
        return list(self._edges.values())

    def _type_version(self, working: Working) -> int:
        """The version of its type under which a changed Form is stored; Conflict where the store is ahead."""
        form_type = self.catalog.types.get(working.type)
        if form_type is None:
            return working.type_version
        if working.type_version > form_type.version:
            raise Conflict(
                f"{working.id} was written under version {working.type_version} of {form_type.name}, this memory"
                f" has version {form_type.version} ({form_type.file}): open it with the newer YAML"
            )
        return form_type.version

    def _record(self, working: Working, head: str | None, slots: Mapping[str, SlotSpec]) -> FormRecord:
        return FormRecord(
            id=working.id,
            owner=working.owner,
            type=working.type,
            type_version=self._type_version(working),
            n=working.n,
            status=working.status,
            created=working.created,
            updated=working.updated,
            accessed=working.accessed,
            conversation=working.conversation,
            head=head,
            confirmed=dump(working.confirmed) if working.confirmed else None,
            pending=working.pending,
            words=words_of(working.state, slots, working.at(self.now)),
            recalled=working.recalled,
        )

    # -- the end ---------------------------------------------------------------------------------------------
    def add_act(self, act: ActRecord) -> None:
        self.changes.acts.append(act)

    def finish(self) -> ChangeSet:
        """All changes as one ChangeSet, heads compacted."""
        changes = self.changes
        for working in self._forms.values():
            if working is None or not working.dirty:
                continue
            form_type = self.catalog.types.get(working.type)
            slots = form_type.slots if form_type else {}
            head = None
            if working.n > 1:
                # what is said next begins no earlier than what was said last, or is weighed against the whole chain
                state = compact(working.state, form_type, min(self.now, working.updated))
                if "k" in working.state:
                    state["k"] = working.state["k"]
                head = dump(state)
            changes.heads[working.id] = working.base_n
            changes.forms.append(self._record(working, head, slots))
        changes.keys_add = list(self.added)
        changes.edges = self.drawn()
        return changes


def _as_shared(key: KeyRecord) -> KeyRecord:
    return key._replace(slots=f"{key.slots}#{key.form}")
