"""What a store keeps: one frozen record a row. Times are microseconds since 1970 UTC (``model.value``).

Canonical: messages, versions, pending items, acts, the confirmations on a Form and the edges of drafts, links
and tool calls. Derived, and rebuilt from
them: heads, keys, mentions, edges made by rules, full text and vectors. ``supersedes`` and ``derived_from``
edges are read off the versions and have no row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

# begins the name under which the tombstones of an owner stand who was erased whole
ERASED_OWNER = "\x1ferased:"


class Scope(NamedTuple):
    """Who asks: rows of ``owner`` are read and written; ``""`` is the tenant's shared space, of which others
    read only the types in ``shared``."""

    tenant: str
    owner: str
    shared: frozenset[str] = frozenset()


class MessageRecord(NamedTuple):
    seq: int  # arrival order in the store; 0 before it is stored
    id: str
    conversation: str
    speaker: str
    role: str
    text: str
    time: int
    offset: int  # minutes east of UTC in which ``time`` was said
    arrived: int
    # stored | held | refused | queued | erased | withheld: it told of a Form that was erased, and is not to be quoted
    state: str
    kind: str = "message"  # message | record | tool | act
    # for ``record`` and ``tool``: the structured input as JSON; ``export`` gives it back
    body: str | None = None
    waiting: str | None = None  # why it is queued; not exported

    @classmethod
    def of_act(cls, id: str, time: int, arrived: int, speaker: str = "") -> MessageRecord:
        """What stands for a message where a person acts: the act's id, and no words."""
        return cls(0, id, "", speaker, "user", "", time, 0, arrived, "stored", "act")


class FormRecord(NamedTuple):
    id: str
    owner: str
    type: str
    type_version: int
    n: int  # highest version number
    status: str  # active | invalid
    created: int
    updated: int
    accessed: int  # last shown by a recall, or written
    conversation: str
    # the state, as projection.compact leaves it; None while version 1's payload says the same
    head: str | None
    # slot → microseconds of its last confirmation, as JSON; None while no slot was confirmed since it was said
    confirmed: str | None
    pending: int  # open pending items of this Form
    words: str  # what full text and vectors index
    recalled: bool = False  # whether a recall has ever shown it


class VersionRecord(NamedTuple):
    form: str
    n: int
    message: str
    time: int  # event time
    arrived: int
    cause: str  # stated | edit | record | tool, or the kind of the act
    payload: str | None  # compact JSON, as projection tells it; None once erased
    salt: bytes | None
    hash: bytes


# in names: what joins the parts of a key, and the beginning of a part that no question should meet by chance
JOINT = "\x1f"
HIDDEN = "\x02"


def is_hidden(alias: str) -> bool:
    """Whether an alias only leads to a Form and is no name to show: another conversation, a key of several parts."""
    return JOINT in alias or alias.startswith(HIDDEN)


class KeyRecord(NamedTuple):
    """A name by which Forms are found. ``slots`` says which: an identity key ("company", "name+company"; its
    primary key is unique in (tenant, owner, type, slots, name)), "@" an external id (unique), or a shared
    name whose ``slots`` ends in "#" + form id (aliases, later identity keys, indexed slots, short names)."""

    name: str
    type: str
    slots: str
    form: str


class MentionRecord(NamedTuple):
    """Message ``seq`` of ``conversation`` touched ``form``; ``user`` tells that a user spoke."""

    conversation: str
    type: str
    seq: int
    form: str
    user: bool


class NearRecord(NamedTuple):
    """A mention by a user, with how the Form stands: its highest version ``n`` and its ``head`` as a FormRecord has
    it; None of one that is not active, is not the owner's, or was not asked for."""

    conversation: str
    type: str
    seq: int
    form: str
    n: int
    head: str | None


class EdgeRecord(NamedTuple):
    source: str
    relation: str
    target: str
    weight: float  # base weight when last hit
    hits: int
    last_hit: int
    created: int
    status: str  # active | superseded | invalid | candidate
    made_by: str  # rule:<name> | draft | record | tool | act (a link) | near_match
    message: str | None
    start: int
    end: int
    attributes: str | None  # JSON
    # when the relation holds: from ``valid_from`` (None: ``created``) until ``valid_until`` (None: open). An edge
    # that is superseded or invalid got its end with that.
    valid_from: int | None = None
    valid_until: int | None = None
    # types of the two Forms, which tell its rule from others of the same name; read with the edge, not stored ("": in
    # a scan, which reads none)
    source_type: str = ""
    target_type: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells the edge from all others: source, relation, target."""
        return self[:3]

    @property
    def id(self) -> str:
        """The id by which callers, traces and questions call the edge."""
        return ".".join(self[:3])


class Reach(NamedTuple):
    """Which documents a search may find: messages that were said or arrived at ``messages`` or later, Forms of a type
    that were accessed or updated at ``forms[type]`` or later (of a type that is not there: at ``others``). None:
    whenever."""

    messages: int | None = None
    forms: Mapping[str, int | None] = {}  # a value of None: whenever
    others: int | None = None


class Condition(NamedTuple):
    """What a rule demands of the two Forms that its edge ties, as a store looks it up: Form types, and pairs of
    slots that share a value."""

    relation: str
    source: str
    target: str
    joins: tuple[tuple[str, str], ...]


class PendingRecord(NamedTuple):
    id: str
    owner: str
    form: str | None
    type: str
    slot: str | None
    value: str  # JSON, model.value.encode
    confidence: float
    reason: str
    question: str
    candidates: str  # JSON list of strings
    asked: int
    state: str  # open | confirmed | refused | expired
    message: str
    draft: str  # JSON: what confirm needs to write the value


class ActRecord(NamedTuple):
    """An act of a person, kept so that it can be told and undone."""

    id: str
    owner: str
    kind: str
    form: str | None
    time: int
    body: str  # JSON


class ReplyRecord(NamedTuple):
    """A model's reply that was paid for. ``key`` tells the question from all others and holds none of its words."""

    key: str
    message: str  # that it was asked for; another message of the same words may use it
    kept: int  # when
    content: str  # JSON
    logprobs: str | None  # JSON, pairs of token and logarithm
    calls: int
    tokens_in: int
    tokens_out: int


class SpentRecord(NamedTuple):
    """What models cost an owner on one day (UTC), counted in days since 1970."""

    day: int
    calls: int
    tokens_in: int
    tokens_out: int


class TextHit(NamedTuple):
    """A document found by full text: ``kind`` message or form."""

    kind: str
    id: str
    text: str
    score: float  # higher is better; comparable within one search only


class Astray(NamedTuple):
    """(kind, id) of documents that are on the wrong side of a Reach: ``out`` stand in the active index though it
    leaves them out, ``back`` in the archive though it doesn't."""

    out: frozenset[tuple[str, str]]
    back: frozenset[tuple[str, str]]


class VectorRow(NamedTuple):
    kind: str  # message | form
    id: str
    part: int  # number of the chunk
    vector: bytes  # float32, little endian


class VectorChanges(NamedTuple):
    """What has changed among a scope's vectors since a mark: rows by a number of their own that came, and the
    numbers of those that went. ``mark`` None: the store keeps no marks, and ``came`` is all there is."""

    mark: Any
    came: list[tuple[int, VectorRow]]
    gone: frozenset[int]


@dataclass(slots=True)
class ChangeSet:
    """One transaction's writes and its preconditions; empty lists write nothing.

    ``heads`` maps Form id → the ``n`` that must still be its highest (0: the Form must not exist). A key in
    ``keys_add`` without "#" in its ``slots`` must be free or the same Form's. Where one does not hold, the
    store writes nothing and raises Conflict.
    """

    messages: list[MessageRecord] = field(default_factory=list)
    message_states: list[tuple[str, str]] = field(default_factory=list)  # (message id, state)
    forms: list[FormRecord] = field(default_factory=list)  # inserted or replaced whole, by id
    heads: dict[str, int] = field(default_factory=dict)
    versions: list[VersionRecord] = field(default_factory=list)
    keys_add: list[KeyRecord] = field(default_factory=list)
    keys_drop: list[KeyRecord] = field(default_factory=list)
    mentions: list[MentionRecord] = field(default_factory=list)
    edges: list[EdgeRecord] = field(default_factory=list)  # put by (source, relation, target)
    edges_drop: list[tuple[str, str, str]] = field(default_factory=list)
    pendings: list[PendingRecord] = field(default_factory=list)  # put by id
    acts: list[ActRecord] = field(default_factory=list)
    accesses: list[tuple[str, int]] = field(default_factory=list)  # (form id, micros): last_accessed only
    # Form type → its shape (schema.shape), noted where the tenant has none for it yet
    shapes: dict[str, str] = field(default_factory=dict)
    replies: list[ReplyRecord] = field(default_factory=list)  # put by key
    # ``Store.erasures`` before the question was made: where it has risen, ``replies`` are left out in silence, for
    # the prompt may have held what is erased now
    erasures: int | None = None
    spent: list[SpentRecord] = field(default_factory=list)  # added to what the day has cost so far

    @property
    def tells(self) -> bool:
        """Whether it writes anything of the owner, not only when it was read or what that cost."""
        rows = (self.messages, self.forms, self.versions, self.keys_add, self.edges, self.pendings, self.acts)
        return any(rows)
