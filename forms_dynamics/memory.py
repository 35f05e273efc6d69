"""The memory that an agent holds: messages in, context out, and the acts of a person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from forms_dynamics.errors import InvalidInput, unknown_id
from forms_dynamics.inputs import no_slot, parse_time
from forms_dynamics.model.context import Context
from forms_dynamics.model.form import DynamicEdge, Form, Pending, Slot, Version
from forms_dynamics.model.message import Receipt
from forms_dynamics.model.query import QueryResult
from forms_dynamics.model.record import FormRecord, Scope
from forms_dynamics.model.report import Change, Erased, Health, Loaded, Upkeep, Verification, Why
from forms_dynamics.model.value import to_micros
from forms_dynamics.reader import Reader
from forms_dynamics.schema.spec import Catalog

if TYPE_CHECKING:
    import networkx

    from forms_dynamics.compose import Parts
    from forms_dynamics.intake import Intake
    from forms_dynamics.retrieval.request import Request
    from forms_dynamics.settings import Settings


class Memory:
    """Opened with :meth:`open`; a context manager. Safe to use from several threads; several processes may
    hold one file or database. ``scoped`` gives the same store seen as another tenant or user."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._store = store = parts.store
        self._catalog = catalog = parts.catalog
        self._settings = settings = parts.settings
        self._clock = parts.clock
        self._embedder = parts.embedder
        self._scope = scope = parts.scope
        # what reads language compiles many patterns: paid when a memory is opened, not when it is imported
        from forms_dynamics.acts import Acts
        from forms_dynamics.answers import Answers
        from forms_dynamics.intake import Intake
        from forms_dynamics.ledger import Ledger

        self._reader = Reader(store, catalog, settings, partial(parts.accesses.seen, scope.tenant))
        self._intake = Intake(store, catalog, settings, parts.clock, parts.extractor, scope, self._reader)
        self._acts = Acts(self._intake)
        self._answers = Answers(self._intake)
        self._ledger = Ledger(self._intake)

    @classmethod
    def open(
        cls,
        url: str | Path,
        *,
        form_types: Sequence[str | Path] | None = None,
        relation_rules: Sequence[str | Path] | None = None,
        extractor: Any = None,
        embedder: Any = None,
        settings: Any = None,
        clock: Any = None,
        tenant: str = "default",
        user: str | None = None,
        read_only: bool = False,
    ) -> Memory:
        """Opens (and makes, where it is new) the memory at ``url``: a path, ``sqlite:///path``, ``:memory:``
        or ``postgresql://…``.

        ``form_types`` and ``relation_rules``: names of shipped ones, files or folders; when given, only these
        load. ``extractor``: None for the declared recognisers. ``embedder``: None for the one that the extra
        ``[embed]`` brings, hashed n-grams without it. ``settings``: a Settings or a mapping of its names.

        Raises SchemaError (also where stored Forms hold what the types have no place for), InvalidInput
        (settings), StoreUnavailable or StoreTooNew.
        """
        from forms_dynamics.compose import compose
        from forms_dynamics.evolution import adopt

        parts = compose(
            url,
            form_types=form_types,
            relation_rules=relation_rules,
            extractor=extractor,
            embedder=embedder,
            settings=settings,
            clock=clock,
            tenant=tenant,
            user=user,
            read_only=read_only,
        )
        try:
            adopt(parts.store, parts.catalog, parts.scope)
        except BaseException:
            parts.store.close()
            raise
        return cls(parts)

    def scoped(self, *, tenant: str | None = None, user: str | None = None) -> Memory:
        """The same store as ``tenant`` (None: this one) and ``user`` (None: the tenant's shared space).
        SchemaError as for :meth:`open`, where another tenant's Forms have no place in the types."""
        scope = Scope(self._scope.tenant if tenant is None else tenant, user or "", self._scope.shared)
        if scope.tenant != self._scope.tenant:
            from forms_dynamics.evolution import adopt

            adopt(self._store, self._catalog, scope)
        return Memory(replace(self._parts, scope=scope))

    def close(self) -> None:
        """Closes the store's connections; the memory cannot be used after."""
        self._parts.threads.shut()
        self._parts.accesses.settle(self._store)
        self._store.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def catalog(self) -> Catalog:
        """The loaded Form types and relation rules."""
        return self._catalog

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._settings

    # -- remember --------------------------------------------------------------------------------------------
    def observe(
        self,
        text: str,
        *,
        speaker: str = "user",
        role: str | None = None,
        conversation: str = "default",
        time: datetime | str | None = None,
        id: str | None = None,
        wait: bool = True,
        dry_run: bool = False,
        edit: bool = False,
    ) -> Receipt:
        """Takes one message, exactly once by its id, in one durable transaction.

        ``wait=False`` stores and queues it for :meth:`work`. ``dry_run`` tells what would be written, and writes
        nothing but a model's reply, so that the observe that follows pays for none. A known id with another text
        raises Conflict, or with ``edit=True`` takes back what the old text gave.
        """
        raw = {
            "text": text, "speaker": speaker, "role": role, "conversation": conversation, "time": time, "id": id
        }  # fmt: skip
        return self._intake.take([raw], wait=wait, dry_run=dry_run, edit=edit)[0]

    def observe_many(self, messages: Iterable[Mapping[str, Any]]) -> Sequence[Receipt]:
        """Takes messages in the log format, 200 a transaction and user. A message that cannot be taken (no text,
        an impossible time) gets a refused receipt that says why; the others are stored all the same. A message
        with a ``user`` other than this scope's goes to that user's scope.

        Calls of a model run side by side, ``settings.model_concurrency`` at once; what comes out is what one
        observe after another would give."""
        from forms_dynamics.batches import Batches

        of: dict[str, Intake] = {self._scope.owner: self._intake}

        def intake_of(user: str | None) -> Intake:
            owner = self._scope.owner if user is None else user
            if owner not in of:
                of[owner] = self.scoped(user=owner)._intake
            return of[owner]

        return Batches(intake_of).take(messages)

    def record(
        self,
        form_type: str,
        slots: Mapping[str, Any],
        *,
        source: Literal["tool", "import", "user"] = "import",
        external_id: str | None = None,
        conversation: str = "default",
        time: datetime | str | None = None,
        speaker: str | None = None,
    ) -> Receipt:
        """Stores structured input. A slot's value may be ``{"value", "op", "valid_from", "valid_until"}``; a
        plain None or a blank text says nothing. A text is kept as it is spelt, be it "None" or "about 5 pm", and
        another spelling is another value.

        ``speaker``: of whom the row is, for types that ``$speaker`` identifies; rows without one are all of one
        nameless speaker, so rows about several people need it, or an ``external_id``. InvalidInput (with nothing
        written) for an unknown type, slot or bad value."""
        from forms_dynamics.structured import record

        return record(self._intake, form_type, slots, source, external_id, conversation, time, speaker)

    def record_tool_call(
        self, name: str, arguments: Mapping[str, Any], result: Any, *, task: str | None = None,
        about: Sequence[str] = (), conversation: str = "default",
    ) -> Receipt:  # fmt: skip
        """Remembers a call as a ``tool_call`` Form, tied by ``about`` edges to the Forms it touched. Empty
        arguments and an empty result leave their slots unknown. InvalidInput, NotFound."""
        from forms_dynamics.structured import record_call

        return record_call(self._intake, name, arguments, result, task, about, conversation)

    def work(self, *, limit: int | None = None) -> int:
        """Takes queued messages, oldest first, each exactly once however many processes work; how many. One that
        still cannot be taken goes back to the queue with the reason (``health().waiting``)."""
        from forms_dynamics.backlog import Backlog

        return Backlog(self._intake).work(limit)

    def waiting(self) -> Mapping[str, int]:
        """Why messages wait in the queue, of this memory's user or else of the whole tenant: reason → messages."""
        from forms_dynamics.health import waiting

        return waiting(self._store, self._scopes(None))

    async def aobserve(self, text: str, **options: Any) -> Receipt:
        """:meth:`observe` in a thread: as many at once as ``settings.model_concurrency``."""
        import asyncio

        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._parts.threads(), lambda: self.observe(text, **options))

    async def arecall(self, question: str | None = None, **options: Any) -> Context:
        """:meth:`recall` in a thread."""
        import asyncio

        return await asyncio.to_thread(lambda: self.recall(question, **options))

    # -- read ------------------------------------------------------------------------------------------------
    def recall(
        self,
        question: str | None = None,
        *,
        focus: str | None = None,
        intent: str | None = None,
        conversation: str | None = None,
        max_tokens: int | None = None,
        max_hops: int = 1,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        history: bool | None = None,
        recent_turns: int = 0,
        include_cold: bool = False,
        include_expired: bool = False,
    ) -> Context:
        """What an agent should know for ``question``: exact Forms first, one or two hops, text last.

        ``intent`` fires the triggers that wait for it, ``conversation`` those for its last message and tool call.
        ``max_tokens`` None: the setting (3,000). ``history`` None: read from the question. Times are aware.
        ``max_hops`` above 2 is InvalidInput.
        """
        from forms_dynamics.retrieval.request import Request

        most = self._settings.max_tokens if max_tokens is None else max_tokens
        request = Request(
            question, focus, intent, conversation, most, max_hops, self._micros(as_of), self._micros(known_at),
            history, recent_turns, include_cold, include_expired,
        )  # fmt: skip
        return self._recalled(request, self._accessed)

    def on_intent_recognized(self, intent: str, **options: Any) -> Context:
        """What declared triggers load for an intent that the agent has recognised, before anything is asked.

        ``options``: ``conversation``, ``speaker`` and ``lang`` (else told from the conversation), and ``max_tokens``,
        ``as_of``, ``known_at``, ``include_cold``, ``include_expired`` as in :meth:`recall`. InvalidInput."""
        return self._on("intent", options, intent)

    def on_entity_extracted(
        self, type: str, value: Any, *, form_type: str | None = None, slot: str | None = None, **options: Any
    ) -> Context:
        """Likewise for an entity that the agent has extracted: a value, or its words ("tomorrow 8:00", 明早8点)."""
        return self._on("entity", options, type, value, form_type, slot)

    def on_action_executed(
        self, action: str, arguments: Mapping[str, Any] | None = None, result: Any = None, *,
        about: Sequence[str] = (), **options: Any,
    ) -> Context:  # fmt: skip
        """Likewise for an action that the agent has executed; ``about``: ids of the Forms that it touched."""
        return self._on("action", options, action, arguments, result, about)

    def _on(
        self, kind: Literal["intent", "entity", "action"], options: Mapping[str, Any], *told: Any
    ) -> Context:
        from forms_dynamics.retrieval.events import event_request

        here = self._catalog, self._settings, self._intake.now()
        return self._recalled(event_request(kind, told, options, *here), self._accessed)

    def usage_hint(self, lang: Literal["zh", "en"] = "en", *, form_types: bool = False) -> str:
        """For an agent's system prompt: how to read contexts; ``form_types``: what each loaded type is for, too."""
        from forms_dynamics.retrieval.hint import usage_hint

        return usage_hint(lang, self._catalog if form_types else None)

    def _recalled(self, request: Request, shown: Callable[[Sequence[FormRecord], int], None]) -> Context:
        from forms_dynamics.retrieval.recall import recall

        now = self._intake.now()
        self._parts.accesses.ripen(self._store, now)
        return recall(
            request, self._scope, self._store, self._reader, self._catalog, self._settings, now, self._embedder,
            lambda records: shown(records, now), self._parts.judge(self._intake.book),
        )  # fmt: skip

    def _micros(self, moment: datetime | str | None) -> int | None:
        return None if moment is None else to_micros(parse_time(moment, self._settings.zone))

    def _accessed(self, shown: Sequence[FormRecord], now: int) -> None:
        """Notes that a recall showed these Forms: a read stays a read."""
        self._parts.accesses.note(self._store, self._catalog, self._scope, shown, now)

    def _form_record(self, form_id: str) -> FormRecord:
        record = self._store.forms(self._scope, [form_id]).get(form_id)
        if record is None:
            raise unknown_id("Form", form_id)
        return record

    def get(
        self,
        form_id: str,
        *,
        version: int | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> Form:
        """One Form: now, as of a moment, as known at a moment, or right after one of its versions. NotFound;
        InvalidInput for a version and a moment at once."""
        record = self._form_record(form_id)
        if version is not None:
            if as_of is not None or known_at is not None:
                raise InvalidInput(
                    "a version is read as it left the Form: leave out as_of and known_at, or version"
                )
            chain = self._store.versions(self._scope, form_id)
            form = self._reader.at_version(self._scope, record, chain, version)
            if form is None:
                raise unknown_id("version", f"{form_id}@{version}")
            return form
        then, known = self._micros(as_of), self._micros(known_at)
        now = self._intake.now()
        found = self._reader.project(self._scope, {form_id: record}, [form_id], now, then, known)
        if form_id not in found:
            raise unknown_id("Form", form_id)
        return found[form_id]

    def find(
        self,
        form_type: str | None = None,
        *,
        status: str = "active",
        limit: int = 100,
        after: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        **slots: Any,
    ) -> Sequence[Form]:
        """Forms in order of id, from after ``after``: of a type, with a status (active, invalid, any), with
        these slot values; as of a moment and as known at a moment where one is given. A look-up by an identity or
        indexed slot costs nothing with the size of the store; other slots, and earlier states, are filtered page by
        page."""
        from forms_dynamics.lookup import find

        return find(
            self._store, self._reader, self._catalog, self._settings, self._scope, self._clock.now(),
            form_type, status, limit, after, slots, self._micros(as_of), self._micros(known_at),
        )  # fmt: skip

    def query(
        self,
        name: str, /, *, as_of: datetime | None = None, known_at: datetime | None = None,
        include_cold: bool = False, include_expired: bool = False, lang: Literal["zh", "en"] | None = None,
        **parameters: Any,
    ) -> QueryResult:  # fmt: skip
        """The answer of a query that is declared in YAML (docs/queries.md): rows with their Forms, the edges that led
        to each, and what was left out by which rule. Now, as of a moment, or as known at one.

        ``include_cold``, ``include_expired``: beside what the query itself includes. ``lang``: of ``.text``; None:
        that of the parameters. NotFound: no such query; InvalidInput: an unknown, missing or unfitting parameter."""
        from forms_dynamics.retrieval.queries.reading import Moment
        from forms_dynamics.retrieval.queries.run import query_named, run_query

        spec = query_named(self._catalog, name)
        also = {word for word, on in (("cold", include_cold), ("expired", include_expired)) if on}
        moment = Moment(self._intake.now(), self._micros(as_of), self._micros(known_at), frozenset(also))
        held = self._scope, self._store, self._reader, self._catalog, self._settings
        return run_query(spec, parameters, moment, *held, lang)

    def history(
        self,
        form_id: str,
        *,
        slot: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> Sequence[Version] | Sequence[Slot]:
        """A Form's versions in order of number, or the values of one slot in event order: those of what was said (a
        slot: what had begun) by ``as_of`` and had arrived by ``known_at``. NotFound."""
        record = self._form_record(form_id)
        then, known = self._micros(as_of), self._micros(known_at)
        if slot is None:
            return self._reader.history(self._scope, record, then, known)
        self._check_slot(record, slot)
        return self._reader.slot_history(self._scope, record, slot, then, known)

    def diff(self, form_id: str, old: int, new: int) -> Sequence[Change]:
        """The slots in which two versions of a Form, by number, differ, each as it stood right after them: values,
        avoided values, intervals. NotFound; Conflict where one of the two was erased."""
        from forms_dynamics.comparing import diff

        return diff(self._store, self._reader, self._scope, self._form_record(form_id), old, new)

    def _check_slot(self, record: FormRecord, slot: str) -> None:
        form_type = self._catalog.types.get(record.type)
        if form_type is not None and slot not in form_type.slots:
            raise InvalidInput(no_slot(record.type, slot, form_type.slots))

    def edges(self, form_id: str, *, include_inactive: bool = False) -> Sequence[DynamicEdge]:
        """Edges at either end of a Form, the strongest first, with ``supersedes`` between its versions (from
        new to old) and ``derived_from`` to its messages. NotFound."""
        from forms_dynamics.edges import edges

        record = self._form_record(form_id)
        return edges(self._store, self._catalog, self._scope, record, self._intake.now(), include_inactive)

    def graph(
        self,
        *,
        form_id: str | None = None,
        hops: int = 1,
        as_of: datetime | None = None,
        lang: Literal["zh", "en"] | None = None,
        messages: bool = False,
        include_inactive: bool = False,
    ) -> networkx.MultiDiGraph[Any]:
        """The scope's Forms and edges for networkx: its algorithms take it, its writers, and so Gephi.

        A node a Form (``label``, ``form_type``, ``status``, ``version``, ``confidence``, ``slot_…``, of money
        ``slot_…_amount`` as well), an edge by its id (``relation``, ``weight`` now in [0, 1], ``status``,
        ``made_by``, …). ``form_id``: only what is within ``hops`` (0 to 10) of it. ``as_of``: Forms as they were
        then, and the edges that held then. ``lang``: None for each Form's own. ``messages``:
        those that Forms rest on, too. ``include_inactive``: invalid Forms, superseded and candidate edges, too.
        NotFound, InvalidInput.
        """
        from forms_dynamics.graph import Drawing, Selection

        selection = Selection(
            form_id, hops, self._intake.now(), self._micros(as_of), lang, messages, include_inactive
        )
        return Drawing(self._store, self._reader, self._catalog, self._scope, selection).draw()

    def why(self, form_id: str, slot: str) -> Why:
        """Why a slot holds what it holds. NotFound, InvalidInput."""
        from forms_dynamics.explanation import explain
        from forms_dynamics.pendings import pendings_about

        record = self._form_record(form_id)
        self._check_slot(record, slot)
        now = self._intake.now()
        edges = [e for e in self.edges(form_id) if e.relation != "derived_from"]
        waiting = pendings_about(
            self._store, self._reader, self._catalog, self._settings, self._scope, now, record, slot
        )
        return explain(
            self._store, self._reader, self._catalog, self._scope, now, record, slot, edges, waiting
        )

    # -- the loop with the person ----------------------------------------------------------------------------
    def pending(self) -> Sequence[Pending]:
        """What waits for a person, oldest first; not what nobody answered in ``settings.pending_days``. Behind it
        each fact that has faded below 0.5 (reason ``faded``), the longest first: ``confirm`` says that it still
        holds, ``refuse`` that it holds no longer. More than 100 old facts are one item, ``faded:*``, whose
        candidates are their kinds; ``confirm`` with one of them means those only."""
        from forms_dynamics.pendings import pendings

        return pendings(
            self._store, self._reader, self._catalog, self._settings, self._scope, self._intake.now()
        )

    def first_contact(
        self,
        form_type: str | None = None,
        *,
        speaker: str = "user",
        language: Literal["zh", "en"] | None = None,
    ) -> Sequence[Pending]:
        """The questions by which a new user fills the anchors of a profile, as ``first_contact`` in YAML lists them:
        those that ``speaker`` has still to answer. ``form_type`` None: of all loaded types, in order.

        Each slot is asked about at most once; not when it is known, asked about otherwise, or refused. They wait
        like any pending item, of reason ``first_contact`` and with no Form: ``confirm(id, answer)`` stores the
        answer (and makes the Form), ``refuse(id)`` is "would rather not say". ``language`` None: as they were asked
        before, else that last spoken in the conversation ``default``, else English. InvalidInput: an unknown type
        or language, a type that declares no questions, a speaker that is no name."""
        from forms_dynamics.pendings import shown
        from forms_dynamics.versioning.questionnaire import first_contact

        items = first_contact(
            self._store, self._scope, self._catalog, self._intake.now(), form_type, speaker, language
        )
        return shown(self._catalog, items)

    def confirm(self, pending_id: str, value: Any = None) -> Receipt:
        """Takes a pending value as the user's own (or ``value`` in its place; the Form's id where a Form is to
        be chosen). Of one that has faded: it still holds. NotFound, Conflict when it is closed, InvalidInput."""
        return self._answers.confirm(pending_id, value)

    def refuse(self, pending_id: str) -> Receipt:
        """Closes a pending item without taking its value. A value that has faded ends now: history keeps it."""
        return self._answers.refuse(pending_id)

    def correct(self, form_id: str, slot: str, value: Any) -> Receipt:
        """An explicit correction: needs no confidence and displaces any value up to now."""
        return self._acts.correct(form_id, slot, value)

    def retract(self, form_id: str, slot: str) -> Receipt:
        """Takes a slot back: nothing said of it so far counts any more."""
        return self._acts.retract(form_id, slot)

    def rollback(self, form_id: str, version: int) -> Receipt:
        """A new version with the content of an old one; also brings an invalid Form back."""
        return self._acts.rollback(form_id, version)

    def invalidate(self, form_id: str, reason: str = "") -> Receipt:
        """Takes a Form out of the active graph; its history stays."""
        return self._acts.invalidate(form_id, reason)

    def set_validity(
        self,
        *,
        relation: str | None = None,
        form_type: str | None = None,
        slot: str | None = None,
        days: float | None = None,
        until: datetime | str | None = None,
        dry_run: bool = False,
    ) -> Receipt:
        """Another end for all active edges of a relation, or for what all active Forms of a type hold (in ``slot``;
        None: in all): ``days`` after the beginning of each, ``until`` a moment, or neither: open. What begins later
        than ``until`` keeps its own end. A value is said again as it was, in a new version; what has this end already
        is not written. One act, which ``undo(receipt.act)`` takes back; ``act`` is None where nothing changed.
        ``dry_run``: says what it would do. InvalidInput."""
        from forms_dynamics.versioning.validity import End

        return self._acts.set_validity(relation, form_type, slot, End(days, self._micros(until)), dry_run)

    def link(self, source: str, relation: str, target: str) -> Receipt:
        """Draws an edge of a declared relation between two Forms."""
        return self._acts.link(source, relation, target)

    def merge(self, form_id: str, other: str) -> Receipt:
        """Makes ``other`` part of ``form_id``; ``undo(receipt.act)`` parts them again."""
        return self._acts.merge(form_id, other)

    def split(self, form_id: str, slots: Sequence[str]) -> Receipt:
        """Takes ``slots``, with their history, out of a Form that was two things, into a new Form of the type (the
        last of ``receipt.forms``); ``undo(receipt.act)`` makes them one again. NotFound, InvalidInput."""
        return self._acts.split(form_id, slots)

    def mark(self, target: str, slot: str | None = None, *, right: bool) -> Receipt:
        """✓ or ✗: on the value of a Form's slot, or on an edge (``target`` is its id).

        Right adds 0.05 to the confidence that the value has today (to 1 at most) and dates its confirmation. Wrong
        takes 0.2, tells the value no longer and opens a pending item that asks for the right one: ``confirm`` it with
        the right value, or without one to bring the old back. An edge's weight moves by as much; marked wrong it is
        no longer walked and stands among :meth:`candidates` until it is marked right. NotFound, InvalidInput."""
        return self._acts.mark(target, slot, right=right)

    def undo(self, act_id: str) -> Receipt:
        """Takes back an act; ``Receipt.act`` names it."""
        return self._acts.undo(act_id)

    def candidates(self) -> Sequence[DynamicEdge]:
        """Near matches that wait for review: Forms that may be one."""
        from forms_dynamics.edges import as_seen

        rows = self._store.candidates(self._scope)
        return as_seen(self._store, self._scope, rows, self._catalog, self._intake.now())

    # -- the whole scope -------------------------------------------------------------------------------------
    def forget(self, query: str) -> Sequence[Form]:
        """The Forms that a description names exactly; nothing is changed (``erase`` erases)."""
        from forms_dynamics.retrieval.request import Request

        request = Request(question=query, max_hops=0, max_tokens=self._settings.max_tokens)
        context = self._recalled(request, lambda shown, now: None)
        anchors = {
            s.subject for s in context.trace.steps if s.kind == "anchor" and not s.reason.startswith("focus")
        }
        return [f for f in context.forms if f.id in anchors]

    def erase(
        self, *, user: str | None = None, form_id: str | None = None, message: str | None = None
    ) -> Erased:
        """Removes for good, from every table and index: all of a user, a Form, or a message and what rests on
        it. Leaves tombstones that ``verify`` counts as erased. NotFound."""
        from forms_dynamics.retrieval.nearness import forget

        ledger = self._ledger if user is None else self.scoped(user=user)._ledger
        try:
            return ledger.erase(user is not None, form_id, message)
        finally:
            forget(self._store)  # vectors in memory too

    def export(self, *, user: str | None = None) -> Iterable[Mapping[str, Any]]:
        """All that is canonical as plain JSON objects in a stable order (``exchange`` tells them), a page at a
        time: of ``user``, of the user this memory is of, or else of the whole tenant. ``load`` takes them.

        A Form that changes meanwhile comes as it was or as it is, never half; where a store in use must be
        exported as of one moment, export its ``backup``.
        """
        from forms_dynamics.exchange.export import export

        self._parts.accesses.settle(self._store)
        return export(self._store, self._scopes(user))

    def _scopes(self, user: str | None) -> Iterator[Scope]:
        """The scopes that a call over ``user`` spans: that user, or the one this memory is of, or all."""
        owner = self._scope.owner or None if user is None else user
        if owner is not None:
            yield self._scope._replace(owner=owner)
            return
        yield self._scope._replace(owner="")
        for other in self._store.owners(self._scope):
            if other:
                yield self._scope._replace(owner=other)

    def load(self, rows: Iterable[Mapping[str, Any] | str | bytes], *, dry_run: bool = False) -> Loaded:
        """Takes what ``export`` gave, as objects or as lines of JSON (an open file): the inverse of it, from
        and to either database. One transaction: all of it, or after an error nothing.

        The tenant is this memory's; ids, times and numbers stay. A memory opened without user gives each row
        to the user that the file names; one of a user takes a file of one user, whoever that was, as its own.
        What is here already stays (loading twice changes nothing); what is here with another content, or was
        erased here, is a Conflict that names line and id. Full text is made at once, vectors as for observed
        messages. ``dry_run``: checks everything, writes nothing. InvalidInput names the line, too: of a broken
        row, and of what the loaded types have no place for.
        """
        from forms_dynamics.exchange.load import Loader

        owner = self._scope.owner or None
        return Loader(self._store, self._catalog, self._scope, self._intake.now(), owner).run(rows, dry_run)

    def rebuild(self) -> Mapping[str, int]:
        """Makes all derived data anew (heads, names, rule edges, full text, vectors)."""
        done = self._ledger.rebuild()
        if self._embedder is not None:
            from forms_dynamics.retrieval.vectors import embed_all

            done["vectors"] = embed_all(self._store, self._scope, self._embedder, self._settings)
        return done

    def upkeep(
        self, *, now: datetime | None = None, dry_run: bool = False, seconds: float | None = None
    ) -> Upkeep:
        """Work that may wait, of this memory's user or else of the whole tenant. Safe to run twice, beside traffic
        and in several processes: it takes small steps, each a transaction of its own, and answers are the same
        whether it ran daily, once or never. Contradictions that it finds wait among :meth:`pending` and
        :meth:`candidates`. ``dry_run`` says what it would do. ``seconds``: it ends after the step in which they run
        out (``.left`` says so), and the next run goes on; each takes a piece of every step for one user at least."""
        from forms_dynamics.upkeep import run

        moment = self._intake.now() if now is None else to_micros(parse_time(now, self._settings.zone))
        return run(self._parts, self._scopes(None), moment, dry_run=dry_run, seconds=seconds)

    def verify(self, *, all_users: bool = False) -> Verification:
        """Checks chains, heads and the store's files: of this memory's user or the shared space alone, or
        (``all_users``, of a memory without user) of the whole tenant."""
        from forms_dynamics.ledger import verified

        scopes = self._scopes(None) if all_users else [self._scope]
        return verified(self._store, self._catalog, scopes, self._intake.now())

    def health(self, *, user: str | None = None) -> Health:
        """How this memory is doing (completeness, freshness, conflicts, growth, what waits, what it cost): of
        ``user``, of this memory's user, or else of the whole tenant. Reads every Form, a page at a time; no lock."""
        from forms_dynamics.health import health

        return health(
            self._store, self._reader, self._catalog, self._settings, self._scopes(user), self._intake.now()
        )  # fmt: skip

    def backup(self, path: str | Path) -> None:
        """A consistent copy of the store, taken beside traffic (SQLite)."""
        self._parts.accesses.settle(self._store)
        self._store.backup(str(path))
