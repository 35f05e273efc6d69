"""What is swapped: the store, the extractor, the embedder, the clock.

A Store method takes a :class:`~forms_dynamics.model.record.Scope` first and never shows rows of another
tenant or of an owner that the scope may not read: that is enforced here and nowhere else. Erased messages
and Forms do not come back from any read. ``forms``/``names`` reads also see the shared space's Forms of the
types in ``scope.shared``; messages, pendings and mentions are read of the scope's own owner only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from forms_dynamics.model.answer import Answer
from forms_dynamics.model.form import Form
from forms_dynamics.model.message import Message, Proposal
from forms_dynamics.model.record import (
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

if TYPE_CHECKING:
    from pydantic import BaseModel


class Clock(Protocol):
    """Where "now" comes from; always aware."""

    def now(self) -> datetime: ...


class Embedder(Protocol):
    """Texts to vectors. ``fingerprint`` names model and version; ``max_tokens`` bounds one text."""

    fingerprint: str
    dimensions: int
    max_tokens: int

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]: ...


class Model(Protocol):
    """A language model behind an endpoint. ``name`` tells it from others in the key of a kept reply."""

    name: str

    def ask(self, prompt: Sequence[Mapping[str, str]], reply: type[BaseModel]) -> Answer:
        """Sends chat messages (role, content) and gives the reply as JSON that ``reply`` validates.

        Retries what may pass (rate limits, 5xx, time-outs, replies that do not validate) within its bounds; then
        raises ExtractorUnavailable, whose ``cost`` counts every call made. Thread-safe.
        """
        ...


class Extractor(Protocol):
    """Message to drafts, outside any transaction.

    Raises :class:`~forms_dynamics.errors.ExtractorUnavailable` or anything else when it cannot answer: the
    message is then queued. ``known`` are Forms that the conversation touched last; what comes from a memory is a
    :class:`~forms_dynamics.model.known.Known`, whose ``turns`` were said before the message. What calls cost is
    booked from ``Proposal.cost``, unless the extractor takes ``known.replies``, which it tells then.

    An extractor that asks a model may have a method ``ahead(pairs)`` as well. It is called with the (message,
    known) of a batch before they are extracted one after another, begins their calls side by side and returns at
    once. What ``known`` cannot tell yet, since an earlier message of the batch may change it, raises a
    BaseException there: such a message is left to its turn.
    """

    def extract(self, message: Message, known: Sequence[Form]) -> Proposal: ...


class Store(Protocol):
    """Rows in, rows out. Thread-safe; several processes may hold the same store.

    Errors of a driver surface as StoreUnavailable (with the cause), never raw.
    """

    read_only: bool

    # -- writing ---------------------------------------------------------------------------------------------
    def writing(self, scope: Scope) -> AbstractContextManager[None]:
        """A write transaction of this thread: reads inside it see a state that only its own ``apply`` calls
        change. Commits at the end, rolls back when the block raises. Inside another one, of this or another
        owner, it is part of that. SQLite: BEGIN IMMEDIATE, waiting up to 30 s for another writer;
        PostgreSQL: one advisory lock a (tenant, owner)."""
        ...

    def apply(self, scope: Scope, changes: ChangeSet) -> None:
        """Writes all of ``changes`` or nothing (inside ``writing``, or as a transaction of its own).
        Conflict when a precondition does not hold. Full text follows in the same transaction. A Form of
        status ``erased`` stands for the tombstones that are its versions: no read gives it back."""
        ...

    def try_apply(self, scope: Scope, changes: ChangeSet) -> bool:
        """As ``apply`` where no other writer is in the way; else False at once, with nothing written. For what may
        wait: an owner who has never written counts as one in the way."""
        ...

    def next_seq(self, scope: Scope) -> int:
        """The seq that the next stored message may take (inside ``writing``)."""
        ...

    # -- Forms -----------------------------------------------------------------------------------------------
    def forms(self, scope: Scope, ids: Sequence[str]) -> dict[str, FormRecord]:
        """Forms by id; where a row's head is None its version 1 payload is filled in as ``head``."""
        ...

    def find(
        self, scope: Scope, type: str | None, status: str | None, limit: int, after: str | None
    ) -> list[FormRecord]:
        """Forms in order of id, from after ``after``; heads filled in. ``status`` None: all."""
        ...

    def newest(self, scope: Scope, type: str, limit: int) -> list[FormRecord]:
        """The active Forms of a type that were made last, newest first; heads filled in. Reads ``limit`` rows,
        whatever is there."""
        ...

    def versions(self, scope: Scope, form: str) -> list[VersionRecord]:
        """The whole chain in order of n."""
        ...

    def chains(self, scope: Scope, forms: Sequence[str]) -> dict[str, list[VersionRecord]]:
        """The whole chains of many Forms, each in order of n, in one query; one without versions is left out."""
        ...

    def tips(self, scope: Scope, forms: Sequence[str]) -> dict[str, bytes]:
        """Form → hash of its highest version."""
        ...

    def versions_of_messages(self, scope: Scope, messages: Sequence[str]) -> list[VersionRecord]:
        """The versions that these messages made, by Form and n, in one query."""
        ...

    def versions_naming(self, scope: Scope, message: str) -> list[VersionRecord]:
        """Versions whose payload names the message anywhere, by Form and n. Reads all versions of the owner: for what
        is done seldom, such as erasing."""
        ...

    # -- names -----------------------------------------------------------------------------------------------
    def names(
        self, scope: Scope, names: Sequence[str], type: str | None = None, limit: int | None = None
    ) -> list[KeyRecord]:
        """Keys whose name is one of ``names`` (exact); any number of names, one or few queries. ``limit``: where
        very many Forms share names, the newest of each name, type and slots; at least that many."""
        ...

    def names_from(self, scope: Scope, prefix: str, limit: int) -> list[KeyRecord]:
        """Up to ``limit`` keys whose name begins with ``prefix``, in order of name (index range)."""
        ...

    # -- conversation ----------------------------------------------------------------------------------------
    def touched(self, scope: Scope, conversation: str, type: str | None, limit: int) -> list[MentionRecord]:
        """The newest mentions by user messages in the conversation, newest first."""
        ...

    def near(
        self, scope: Scope, conversations: Sequence[str], limit: int, close: int
    ) -> dict[str, list[NearRecord]]:
        """Of each conversation the newest mentions by user messages, newest first, ``limit`` at most, in one query;
        those of the ``close`` newest at least with what their Forms say. One without mentions is left out."""
        ...

    def messages(self, scope: Scope, ids: Sequence[str]) -> dict[str, MessageRecord]: ...

    def recent(
        self, scope: Scope, conversation: str, limit: int, kind: str = "message", before: int | None = None
    ) -> list[MessageRecord]:
        """The last messages of the conversation, oldest first; ``before``: those of a lower seq."""
        ...

    def beside(self, scope: Scope, messages: Sequence[str]) -> list[MessageRecord]:
        """Those messages themselves and the ones said just before and just after each in its conversation (of kind
        ``message``, erased ones passed over), by seq; few look-ups however many messages the store holds."""
        ...

    def current_to(self, scope: Scope, conversation: str | None) -> str | None:
        """The last message before the first queued one (of the conversation, or of the scope)."""
        ...

    def claim(self, scope: Scope, limit: int, now: int, until: int) -> list[MessageRecord]:
        """Takes up to ``limit`` queued messages of the scope's own owner, so that no other process takes them
        before ``until``: first those that nobody has tried yet, then those that were given back or whose time
        ran out by ``now``; oldest first."""
        ...

    def renew(
        self, scope: Scope, ids: Sequence[str], held: int, until: int, waiting: str | None = None
    ) -> set[str]:
        """Moves the claim of queued messages from ``held`` to ``until`` (by now or before: gives them back) and
        says which were still claimed until ``held``; the others are left alone. ``waiting``: why they wait."""
        ...

    def waits(self, scope: Scope) -> list[tuple[str, int]]:
        """Reason → number of queued messages of the scope's own owner, the most first; "" where none was noted."""
        ...

    # -- what models cost ------------------------------------------------------------------------------------
    def reply(self, scope: Scope, key: str, since: int) -> ReplyRecord | None:
        """The reply under the key that the scope's own owner paid for, if it was kept at ``since`` or later."""
        ...

    def drop_replies(self, scope: Scope, before: int, dry_run: bool = False) -> int:
        """Drops the owner's replies that were kept before an instant; how many (``dry_run``: would be)."""
        ...

    def erasures(self, scope: Scope) -> int:
        """How often something was erased in the tenant: a number that only rises."""
        ...

    def spent(self, scope: Scope, day: int | None = None) -> SpentRecord:
        """What the owner's models cost on a day, or (None, told as day 0) in all; zeros where nothing."""
        ...

    # -- edges -----------------------------------------------------------------------------------------------
    def edges(
        self, scope: Scope, forms: Sequence[str], limit: int | None = None, inactive: bool = False
    ) -> list[EdgeRecord]:
        """Edges with one of ``forms`` at either end: active ones, with ``inactive`` all. With ``limit``: at most
        that many a Form and end, by base weight, highest first (index order; a hub with 10,000 edges reads
        ``limit`` rows)."""
        ...

    def degree(self, scope: Scope, form: str, most: int) -> int:
        """How many edges, active or not, the Form has at both ends together; counted no further than ``most``."""
        ...

    def candidates(self, scope: Scope) -> list[EdgeRecord]: ...

    # -- what a self-check looks at: of the scope's own owner only -------------------------------------------
    def crowded(self, scope: Scope, relations: Sequence[str], outward: bool) -> list[tuple[str, str]]:
        """(Form, relation): active Forms at which more than one active edge of the relation begins (not
        ``outward``: ends), in order. One query, whatever is there."""
        ...

    def namesakes(self, scope: Scope, keys: Sequence[str]) -> list[tuple[str, str]]:
        """(name, type): names that more than one Form of the type has as one of ``keys``, or as that key shared
        ("key#…"), and at least one as the key itself."""
        ...

    def unrelated(self, scope: Scope, type: str, relation: str, before: int) -> list[str]:
        """Active Forms of the type, created before an instant, from which no active edge of the relation leads to
        an active Form."""
        ...

    def ties(self, scope: Scope, relation: str) -> list[tuple[str, str]]:
        """(source, target) of the relation's active edges between active Forms, in order."""
        ...

    def dangling(self, scope: Scope, makers: Sequence[str]) -> list[EdgeRecord]:
        """Active edges made by one of ``makers`` with an invalid Form at an end, in order."""
        ...

    def unfounded(self, scope: Scope, conditions: Sequence[Condition]) -> list[tuple[str, str, str]]:
        """Active edges made by a condition's rule between active Forms of its types that, by their keys, do not
        meet it."""
        ...

    def sweep(self, scope: Scope, dry_run: bool = False) -> int:
        """Drops what is left of erased Forms beside their tombstones: keys, mentions, edges, pending items (a write
        beside the erasure may leave some); how many rows (``dry_run``: would be)."""
        ...

    def mark(self, scope: Scope, name: str) -> int:
        """A number that the tenant keeps under a name; 0 where it keeps none."""
        ...

    def set_mark(self, scope: Scope, name: str, value: int) -> None: ...

    # -- pending, acts ---------------------------------------------------------------------------------------
    def pendings(
        self,
        scope: Scope,
        forms: Sequence[str] | None = None,
        state: str | None = "open",
        messages: Sequence[str] | None = None,
    ) -> list[PendingRecord]:
        """Pending items of ``forms``, or that came from ``messages`` (both None: all of the scope), oldest
        first; ``state`` None: of any state."""
        ...

    def pending_items(self, scope: Scope, ids: Sequence[str]) -> dict[str, PendingRecord]:
        """Pending items of any state by id; those that are not here are left out."""
        ...

    def acts(self, scope: Scope, ids: Sequence[str]) -> dict[str, ActRecord]: ...

    # -- full text and vectors -------------------------------------------------------------------------------
    def search_text(
        self, scope: Scope, terms: Sequence[str], limit: int, forms: bool = False, reach: Reach | None = None
    ) -> list[TextHit]:
        """Documents (messages of kind message; words of active Forms) that hold any of ``terms`` (as made by
        ``language.terms.index_terms``; ``forms``: Forms alone), best first by BM25 or the backend's nearest. The
        owner filter is part of the search, so that another owner's documents take no place; so is ``reach``:
        hits, scores and order are those of a store that held nothing else, archived or not. Term counts are
        counts within reach. None: all, archived ones too. Costs a few index seeks for each type of Form,
        a walk over what ``archive`` has not moved yet, and the archive nothing."""
        ...

    def unembedded(self, scope: Scope, fingerprint: str, limit: int) -> list[tuple[str, str, str]]:
        """(kind, id, text) of documents without vectors of this embedder, oldest first, archived ones too."""
        ...

    def put_vectors(
        self, scope: Scope, fingerprint: str, dimensions: int, rows: Sequence[VectorRow]
    ) -> None: ...

    def vectors(self, scope: Scope, fingerprint: str) -> list[VectorRow]:
        """All of them, archived ones too."""
        ...

    def vector_changes(
        self, scope: Scope, fingerprint: str, since: Any, archived: bool = False
    ) -> VectorChanges:
        """What came and went since an earlier mark of this scope and embedder (None: all), so that a reader may
        keep the rest; cheap where nothing changed. A store without marks gives all rows each time. ``archived``:
        of the archive instead, whose marks are its own. ``astray`` says which of them a Reach leaves out."""
        ...

    def embedders(self, scope: Scope) -> list[tuple[str, int, int]]:
        """(fingerprint, dimensions, number of documents) of stored vectors."""
        ...

    def texts(self, scope: Scope, docs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Text by (kind, id)."""
        ...

    # -- the archive ---------------------------------------------------------------------------------------
    # Search data (full text, vectors) of documents that a Reach leaves out may stand in an archive, so that the
    # active index stays small. No answer depends on it. A Form that is written or accessed leaves it at once.
    def astray(self, scope: Scope, reach: Reach) -> Astray:
        """The documents that the scope may read and that stand on the wrong side of ``reach``. An index seek a
        type, and a row for each that is found: none where ``archive`` has run."""
        ...

    def left_out(self, scope: Scope, reach: Reach, most: int) -> int:
        """How many documents that the scope may read ``reach`` leaves out, counted up to ``most`` (index order)."""
        ...

    def idle(self, scope: Scope, reach: Reach) -> int:
        """How many documents of the scope's own owner ``archive`` would move; a count over an index."""
        ...

    def archive(self, scope: Scope, reach: Reach, limit: int) -> int:
        """Moves search data of up to ``limit`` of the owner's own documents into the archive that ``reach`` leaves
        out, or back that it doesn't: how many; 0: all stand where they should. One transaction; they are
        looked for in it, so that several processes may call it at once and beside traffic. Costs about what
        adding that many documents to full text does."""
        ...

    # -- whole scope -----------------------------------------------------------------------------------------
    def tenants(self) -> list[str]:
        """All tenants that have anything here, in order."""
        ...

    def owners(self, scope: Scope) -> list[str]:
        """All owners that the scope's tenant has ever had rows of, in order; ``""``, the shared space, is one.

        One who was erased whole, and of whom nothing was written since, stands there under a name that begins with
        ``ERASED_OWNER`` and does not tell theirs; a scope of it reads the tombstones, as one of the old name does."""
        ...

    def shapes(self, scope: Scope) -> dict[str, str]:
        """Form type → the shape (``schema.shape``) that the tenant's Forms of it were last written in."""
        ...

    def put_shapes(self, scope: Scope, shapes: Mapping[str, str]) -> None:
        """Puts shapes of the tenant's Form types in the place of those noted before (``ChangeSet.shapes`` only
        notes what has none yet)."""
        ...

    def scan(self, scope: Scope, table: str) -> Iterator[Any]:
        """All records of one kind in a stable order: messages (by seq), forms, versions, keys, mentions (of
        messages that are there, by seq and Form), edges (by source, relation and target), pendings, acts (by
        id). Own owner only; rows of ``forms`` with heads filled in. A page at a time, whatever is there."""
        ...

    def erased(self, scope: Scope, messages: Sequence[str] = (), forms: Sequence[str] = ()) -> set[str]:
        """Those of the ids of which only a tombstone is left."""
        ...

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
        """``forms``: whole Forms; ``messages``: the messages alone; ``versions``: (form, n), payload and salt
        only; ``owner``: all of the scope, and the owner's name (``owners``). Deletes payloads, salts, texts, keys,
        edges, pendings, mentions, full text and vectors so that no file keeps their bytes; leaves version and
        message tombstones. Messages that touched one of ``forms``, and those of ``withhold``, are withheld from then
        on: they keep their words, and their state says that they are not to be quoted (a refused one stays refused).
        Whatever is erased, all replies of the owner go with it (of the shared space: of the tenant), for each may
        repeat what its prompt held. Says how many of each."""
        ...

    def said_since(self, scope: Scope, moments: Sequence[int]) -> list[int]:
        """For each moment, how many messages (of kind message) of the scope's owner were said after it."""
        ...

    def count(self, scope: Scope) -> dict[str, int]:
        """Rows by table of the scope's owner, and ``queued``."""
        ...

    def drop_keys(self, scope: Scope, type: str) -> None:
        """Takes all keys of the owner's Forms of a type away (to be made anew)."""
        ...

    def drop_derived(self, scope: Scope) -> None:
        """Empties keys, mentions, rule edges and vectors of the scope (first step of rebuild; full text stays in
        step with the rows and is made anew by ``index_texts``)."""
        ...

    def index_texts(self, scope: Scope) -> int:
        """Builds full text anew for all documents of the scope; says how many."""
        ...

    def compact(self, seconds: float) -> bool:
        """Makes files smaller and reads cheaper in short steps beside traffic, for as long as ``seconds`` allow;
        whether it came to its end. No row changes."""
        ...

    def integrity(self) -> list[str]:
        """Problems that the backend itself finds in its files; empty when sound."""
        ...

    def backup(self, path: str) -> None: ...

    def close(self) -> None: ...


__all__ = ["Clock", "Embedder", "Extractor", "Model", "Store"]
