"""The write flow: message → propose → gate → align → decide → relate → one ChangeSet → apply.

Extractors run before the transaction and never again for the same message; the rest runs inside it, over a
workspace that reads ahead for the whole batch.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter, deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

from forms_dynamics.drawing import draw, when
from forms_dynamics.errors import Conflict, InvalidInput, reason
from forms_dynamics.extraction import backcheck
from forms_dynamics.extraction.gate import gate
from forms_dynamics.extraction.grammar import checked
from forms_dynamics.extraction.pending_answers import PendingAnswer, may_answer, pending_answers
from forms_dynamics.inputs import check_name, check_text, parse_time, role_of
from forms_dynamics.language.assent import assent
from forms_dynamics.language.secrets import redact
from forms_dynamics.migration import pending_today
from forms_dynamics.model.form import Form
from forms_dynamics.model.gated import Gated
from forms_dynamics.model.known import TURNS, Known
from forms_dynamics.model.message import NO_COST, Cost, Message, Receipt, Refusal, Role
from forms_dynamics.model.record import MessageRecord, Scope
from forms_dynamics.model.value import to_micros
from forms_dynamics.ports import Clock, Extractor, Store
from forms_dynamics.reader import Reader, following
from forms_dynamics.replies import KeptReplies, ReplyBook
from forms_dynamics.retelling import retell, still_told
from forms_dynamics.schema.coerce import coerce
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings
from forms_dynamics.strength import begins, ended
from forms_dynamics.versioning.align import names_needed
from forms_dynamics.versioning.answering import BY, answer
from forms_dynamics.versioning.chain import new_id
from forms_dynamics.versioning.decide import Decider, Outcome
from forms_dynamics.versioning.objections import objections
from forms_dynamics.versioning.workspace import Working, Workspace

LEFT = "left for work (wait=False)"
_ROLES = get_args(Role)
_TOUCHED = 10  # Forms of its conversation that a message is read beside
_CALLED = 40  # others that it calls by name


@dataclass(slots=True)
class Taken:
    """A message on its way: what it is, what the gate let through, what it cost."""

    message: Message
    record: MessageRecord
    generated: bool
    gated: Sequence[Gated] = ()
    strangers: Sequence[Refusal] = ()
    cost: Cost = NO_COST
    queued: bool = False
    replaces: bool = False
    waiting: str | None = None  # why it is queued
    known: Known | None = None
    replies: KeptReplies | None = None
    in_turn: bool = False  # all that came before it are decided, or will be committed when it asks
    proposed: bool = False
    receipt: Receipt | None = None  # once it is committed


@dataclass(slots=True)
class Talk:
    """What the messages of one call say to each other, by conversation."""

    said: dict[str, deque[Message]] = field(default_factory=dict)  # the last turns
    unsettled: set[str] = field(default_factory=set)  # of which some facts wait for the commit


class _Unsettled(BaseException):
    """Passes through an extractor, which may catch any Exception."""


class Intake:
    """Takes messages, new and queued ones, of one scope."""

    def __init__(
        self,
        store: Store,
        catalog: Catalog,
        settings: Settings,
        clock: Clock,
        extractor: Extractor,
        scope: Scope,
        reader: Reader,
    ) -> None:
        self.store = store
        self.catalog = catalog
        self.settings = settings
        self.clock = clock
        self.extractor = extractor
        self.scope = scope
        self.reader = reader
        self.gate = gate  # replays put another in its place, which gives the same
        self.book = ReplyBook(store, scope, clock, settings)
        self._counter = itertools.count()
        self._zone = settings.zone

    def now(self) -> int:
        """The clock's now in microseconds."""
        return to_micros(self.clock.now())

    def here(self) -> datetime:
        """The clock's now in the zone of the settings: what "tomorrow at 3" is told from."""
        now = self.clock.now()
        return now if self._zone is None else now.astimezone(self._zone)

    # -- messages --------------------------------------------------------------------------------------------
    def take(
        self,
        raws: Sequence[Mapping[str, Any]],
        *,
        wait: bool = True,
        dry_run: bool = False,
        edit: bool = False,
    ) -> list[Receipt]:
        """One transaction for all ``raws`` (more where an extractor looks back at earlier ones); raises for the
        first that cannot be taken, with nothing written. ``dry_run``: a model's reply is kept all the same."""
        times: dict[str, datetime] = {}
        arrived = self.now()
        prepared = [self.prepare(raw, arrived, times) for raw in raws]
        return self.finish(prepared, Talk(), wait=wait, dry_run=dry_run, edit=edit)

    def finish(
        self,
        prepared: Sequence[Taken],
        talk: Talk,
        *,
        wait: bool = True,
        dry_run: bool = False,
        edit: bool = False,
    ) -> list[Receipt]:
        """Takes prepared messages in order; those that have a receipt are done already."""
        stored = self.store.messages(self.scope, [t.record.id for t in prepared])
        receipts: list[Receipt | None] = [t.receipt for t in prepared]
        fresh: list[tuple[int, Taken]] = []
        seen: dict[str, Taken] = {}
        for i, taken in enumerate(prepared):
            if receipts[i] is not None:
                continue
            old = stored.get(taken.record.id)
            twin = seen.get(taken.record.id)
            before = old or (twin.record if twin is not None else None)
            if before is not None and not taken.generated:
                receipts[i] = self._repeat(taken, before, edit)
            if receipts[i] is None:
                if old is not None and not taken.generated:
                    taken.replaces = True
                    taken.record = taken.record._replace(seq=old.seq)
                seen[taken.record.id] = taken
                fresh.append((i, taken))
        waiting: list[tuple[int, Taken]] = []

        def commit() -> None:
            done = self._commit([t for _, t in waiting], dry_run)
            for (i, taken), receipt in zip(waiting, done, strict=True):
                receipts[i] = receipt
                if not dry_run:
                    taken.receipt = receipt
            waiting.clear()
            talk.unsettled.clear()

        for i, taken in fresh:
            self.know(taken, talk)
            if not wait:
                taken.queued, taken.waiting = True, LEFT
            elif not taken.proposed:
                try:
                    self.propose(taken)
                except _Unsettled:
                    commit()
                    self.propose(taken)
            if taken.gated:
                talk.unsettled.add(taken.record.conversation)
            waiting.append((i, taken))
        if waiting:
            commit()
        if edit and not dry_run:
            self._agree_anew([t.record for _, t in fresh if t.replaces and t.record.role == "assistant"])
        return [r for r in receipts if r is not None]

    def _agree_anew(self, edited: Sequence[MessageRecord]) -> None:
        """A user who agreed to a turn agreed to its old words: the answer to an edited one is weighed again."""
        for turn in edited:
            answered = following(self.store, self.scope, turn)
            if answered is not None and answered.state != "queued" and assent(answered.text) is not None:
                taken = Taken(message_of(answered, self.scope), answered, generated=False, replaces=True)
                self.know(taken, Talk())
                self.propose(taken)
                self._commit([taken], dry_run=False)

    def know(self, taken: Taken, talk: Talk, *, follows: bool = False, begin: bool = False) -> None:
        """Gives the message what an extractor may look at, once. ``follows``: messages of its conversation that
        come before it may be undecided when it is looked at ahead. ``begin``: its words are stored already."""
        if taken.known is not None:
            return
        conversation = taken.message.conversation
        turns = talk.said.setdefault(conversation, deque(maxlen=TURNS + 1))
        before = tuple(turns)
        turns.append(taken.message)
        replies = self.book.of(taken.record.id)
        if begin:
            replies.begin()

        def forms() -> Sequence[Form]:
            if conversation in talk.unsettled or (follows and not taken.in_turn):
                raise _Unsettled
            replies.begin()
            return self._touched_forms(conversation)

        def said() -> Sequence[Message]:
            replies.begin()
            return self._turns(taken, before)

        def called(names: Sequence[str]) -> Sequence[Form]:
            if talk.unsettled or (follows and not taken.in_turn):
                raise _Unsettled
            return self._called_forms(names)

        taken.known, taken.replies = Known(forms, said, replies, called), replies

    def begin(self, batch: Sequence[Taken]) -> None:
        """Lets the extractor begin the model calls of messages that come soon, where it can."""
        ahead = getattr(self.extractor, "ahead", None)
        if ahead is not None and len(batch) > 1:
            ahead([(taken.message, taken.known) for taken in batch])

    def prepare(self, raw: Mapping[str, Any], arrived: int, times: dict[str, datetime]) -> Taken:
        """The message as it will be stored; InvalidInput where it cannot be. ``times``: of the last message by
        conversation, in the same call."""
        if not isinstance(raw, Mapping):
            raise InvalidInput(f"a message is a mapping with a text, not {type(raw).__name__}")
        text = check_text(raw.get("text"))
        speaker = check_name("speaker", raw.get("speaker") or "user")
        role = role_of(raw)
        if role not in _ROLES:
            raise InvalidInput(f"role is one of {', '.join(_ROLES)}, not {role!r}")
        conversation = check_name("conversation", raw.get("conversation") or "default")
        time = self._time(raw.get("time"), conversation, times)
        times[conversation] = time
        if self.settings.redact == "at_rest":
            text = redact(text)
        id = raw.get("id")
        generated = id is None
        if generated:
            # should another process have made the same id, ``_settle`` makes a new one
            count = next(self._counter)
            id = new_id("m", arrived, self.scope.tenant, self.scope.owner, conversation, speaker, text, count)
        id = check_name("id", str(id))
        said: Role = role
        message = Message(id, text, speaker, said, conversation, time, self.scope.owner or None)
        offset = time.utcoffset() or timedelta(0)
        record = MessageRecord(
            0, id, conversation, speaker, role, text, to_micros(time), int(offset.total_seconds() // 60),
            arrived, "stored",
        )  # fmt: skip
        return Taken(message, record, generated)

    def _time(self, raw: Any, conversation: str, times: Mapping[str, datetime]) -> datetime:
        if raw is None:
            if conversation in times:
                return times[conversation]
            last = self.store.recent(self.scope, conversation, 1)
            return when(last[-1]) if last else self.here()
        return parse_time(raw, self._zone)

    def _repeat(self, taken: Taken, old: MessageRecord, edit: bool) -> Receipt | None:
        """A message whose id is known: the same words change nothing, other words are an edit."""
        if old.text == taken.record.text:
            forms = dict.fromkeys(v.form for v in self.store.versions_of_messages(self.scope, [old.id]))
            # that it is withheld from recalls is no matter of what it gave
            was = "stored" if old.state == "withheld" else old.state
            state: Literal["stored", "held", "refused", "queued"] = was  # type: ignore[assignment]
            return Receipt(old.id, state, duplicate=True, forms=tuple(forms), waiting=old.waiting)
        if not edit:
            raise Conflict(
                f"message {old.id!r} is already here with another text; pass edit=True to replace what it said"
            )
        return None

    def propose(self, taken: Taken) -> None:
        """Asks the extractor, outside any transaction. When it looks at what the conversation knows while earlier
        messages of it are not committed yet, it stops with _Unsettled before it has cost anything."""
        assert taken.known is not None
        taken.in_turn = True
        try:
            self._proposed(taken, taken.known)
        finally:
            if taken.replies is not None:
                taken.replies.end()

    def _proposed(self, taken: Taken, known: Known) -> None:
        message = taken.message
        try:
            proposal = checked(self.extractor.extract(message, known))
        except InvalidInput:
            raise
        except Exception as failed:
            # whatever an extractor raises, the message is not lost: it waits for `work`
            taken.queued, taken.waiting, taken.proposed = True, reason(failed), True
            self._in_vain(taken, known, failed)
            return
        tiers = {
            f"{d.form_type}.{name}": slot.tier for d in proposal.drafts for name, slot in d.slots.items()
        }
        taken.cost = replace(proposal.cost, tiers=tiers) if tiers else proposal.cost
        self._note_cost(known, proposal.cost)
        if proposal.drafts:
            taken.gated, taken.strangers = self.gate(
                message, proposal.drafts, self.catalog, self.settings, lambda: known.turns
            )
            if self.settings.back_check != "off":
                self._back_check(taken, known)
        taken.proposed = True

    def _in_vain(self, taken: Taken, known: Known, failed: Exception) -> None:
        """What an extractor paid before it failed."""
        cost = getattr(failed, "cost", None)
        if isinstance(cost, Cost):
            taken.cost += cost
            self._note_cost(known, cost)

    def _note_cost(self, known: Known, cost: Cost) -> None:
        """Who takes the replies tells them what calls cost; of another extractor it is noted here."""
        if cost.model_calls and not known.books:
            self.book.spent(cost)

    def _back_check(self, taken: Taken, known: Known) -> None:
        """Compares what the gate let through with the message. The Forms that disagree are read once more, where
        the extractor has not done so itself and could read otherwise; what disagrees then is refused."""
        found = self._disagreements(taken)
        if found and not getattr(self.extractor, "verifies", False):
            self._read_again(taken, known, {wrong.form_type for wrong in found.values()})
            found = self._disagreements(taken)
        if found:
            taken.gated = [
                backcheck.refused(gated, found[i]) if i in found else gated
                for i, gated in enumerate(taken.gated)
            ]

    def _disagreements(self, taken: Taken) -> dict[int, backcheck.Disagreement]:
        """By the draft's place, what the message does not say of it."""
        out: dict[int, backcheck.Disagreement] = {}
        for place, gated in enumerate(taken.gated):
            if gated.type is not None and gated.accepted:
                form_type = self.catalog.types[gated.type]
                wrong = backcheck.checked(gated, taken.message, form_type, self.settings.date_order)
                if wrong is not None:
                    out[place] = wrong
        return out

    def _read_again(self, taken: Taken, known: Known, types: Collection[str]) -> None:
        """The drafts of these types, as the extractor gives them when asked once more; where it does not answer,
        the first ones stay."""
        try:
            again = checked(self.extractor.extract(taken.message, known))
        except Exception as failed:  # the message was read once: it is not lost for a second look
            self._in_vain(taken, known, failed)
            return
        self._note_cost(known, again.cost)
        taken.cost += again.cost
        fresh = [draft for draft in again.drafts if draft.form_type in types]
        if fresh:
            gated, _ = self.gate(taken.message, fresh, self.catalog, self.settings, lambda: known.turns)
            taken.gated = [*(g for g in taken.gated if g.type not in types), *gated]

    def _turns(self, taken: Taken, said: Sequence[Message]) -> Sequence[Message]:
        """What was said before the message: in this call, and before it in the store."""
        own = [m for m in said if m.id != taken.record.id][-TURNS:]
        if len(own) == TURNS:
            return own
        here = {m.id for m in said}
        stored = self.store.recent(
            self.scope, taken.record.conversation, TURNS, before=taken.record.seq or None
        )
        older = [message_of(r, self.scope) for r in stored if r.id not in here and r.id != taken.record.id]
        return [*older, *own][-TURNS:]

    def _touched_forms(self, conversation: str) -> Sequence[Form]:
        ids = dict.fromkeys(m.form for m in self.store.touched(self.scope, conversation, None, 20))
        return list(self.reader.forms(self.scope, list(ids)[:_TOUCHED], self.now()).values())

    def _called_forms(self, names: Sequence[str]) -> Sequence[Form]:
        ids = dict.fromkeys(key.form for key in self.store.names(self.scope, names, limit=_CALLED))
        forms = self.reader.forms(self.scope, list(ids)[:_CALLED], self.now()).values()
        return [form for form in forms if (form.user or "") == self.scope.owner]

    # -- the transaction -------------------------------------------------------------------------------------
    def _commit(self, batch: Sequence[Taken], dry_run: bool) -> list[Receipt]:
        with self.store.writing(self.scope):
            ws = self.workspace(batch)
            seq = self.store.next_seq(self.scope)
            # another process may have stored some of these meanwhile
            here = self.store.messages(self.scope, [t.record.id for t in batch])
            receipts: list[Receipt] = []
            for taken in batch:
                receipts.append(self._settle(ws, taken, seq, here))
                seq += 1
            if not dry_run:
                self.store.apply(self.scope, ws.finish())
        return receipts

    def workspace(self, batch: Sequence[Taken]) -> Workspace:
        """A workspace that has read ahead what the batch will look up."""
        ws = Workspace(self.store, self.scope, self.catalog, self.now())
        names: list[str] = []
        for taken in batch:
            for gated in taken.gated:
                if gated.type is None:
                    continue
                form_type = self.catalog.types[gated.type]
                names.extend(names_needed(form_type, gated, taken.record, self.scope.owner))
                for relation in gated.relations:
                    names.extend(text for text in relation.to.values() if isinstance(text, str))
        ws.prefetch(names)
        return ws

    def _settle(self, ws: Workspace, taken: Taken, seq: int, here: Mapping[str, MessageRecord]) -> Receipt:
        record = taken.record._replace(seq=seq)
        if record.id in here and taken.generated:
            record = record._replace(id=new_id("m", record.arrived, record.id, seq))
        elif record.id in here and not taken.replaces:
            again = self._repeat(taken, here[record.id], edit=False)
            if again is not None:
                return again
        replaced: Sequence[Working] = ()
        if taken.replaces:
            record = record._replace(seq=here[record.id].seq)
            replaced = self._withdraw(ws, record)
        if taken.queued:
            # words that were taken back hold no longer, whenever the new ones are understood
            gone = self.decide(ws, record, (), replaced=replaced) if replaced else Receipt(record.id)
            ws.note_message(record._replace(state="queued", waiting=taken.waiting))
            ws.end_message(record)
            return replace(gone, state="queued", cost=taken.cost, waiting=taken.waiting)
        receipt = self.decide(
            ws, record, taken.gated, taken.strangers, taken.cost, replaced=replaced, taken=taken
        )
        # new words do not lift what an erasure asked for
        kept = taken.replaces and here[record.id].state == "withheld"
        ws.note_message(record._replace(state="withheld" if kept else receipt.state))
        return receipt

    def _withdraw(self, ws: Workspace, record: MessageRecord) -> list[Working]:
        """An edited message takes back what its old words gave, before the new ones are weighed."""
        touched: dict[str, Working] = {}
        for version in self.store.versions_of_messages(self.scope, [record.id]):
            working = ws.own(version.form)
            if working is not None:
                was = working.status
                ws.withdraw(working, version.n)
                working.delta.cause = "edit"
                if was == "active":
                    working.status = was  # what its old words made is told anew by its new ones
                touched[working.id] = working
        for edge in ws.edges(list(touched)):
            # what its old words alone drew never held
            if edge.message == record.id and edge.made_by == "draft" and edge.hits == 1:
                ws.put_edge(ended(edge, "invalid", begins(edge)))
        for item in self.store.pendings(self.scope, messages=[record.id]):
            ws.remember_pending(item)
            ws.put_pending(item._replace(state="expired"))
        turns = self.store.recent(self.scope, record.conversation, TURNS, before=record.seq)
        for item in ws.asked([turn.id for turn in turns]):
            if json.loads(item.draft).get(BY) == record.id:  # what it answered waits again
                ws.remember_pending(item)
                ws.put_pending(item._replace(state="open"))
        return list(touched.values())

    def decide(
        self,
        ws: Workspace,
        record: MessageRecord,
        gated: Sequence[Gated],
        strangers: Sequence[Refusal] = (),
        cost: Cost = NO_COST,
        cause: str = "stated",
        replaced: Sequence[Working] = (),
        taken: Taken | None = None,
    ) -> Receipt:
        """Decides one message's gated drafts, and what it answers, over the workspace; the receipt as it will be."""
        decider = Decider(ws, self.settings, record, cause)
        answered = [] if taken is None else self._answers(ws, decider, taken)
        turns = () if taken is None or taken.known is None else taken.known.turns
        still = still_told(decider, taken.message, turns, gated, self.reader) if taken and turns else []
        if not (gated or strangers or replaced or answered or still):
            ws.end_message(record)
            told = objections(ws, record) if taken is not None else ()
            return Receipt(record.id, "stored", cost=cost, questions=tuple(told))
        decider.several = len(gated) + len(answered) + len(still) > 1
        kinds = Counter(draft.type for draft in gated)
        decider.told_of_several = {kind for kind, times in kinds.items() if times > 1}
        decider.edited = taken is not None and taken.replaces
        for working in replaced:
            decider.replaced.add(working.id)
            decider.outcome.forms[working.id] = working
            decider.outcome.took = True
        for one in answered:
            answer(decider, one.pending, yes=one.yes, span=one.span, value=one.value)
        retell(decider, still)
        for draft in gated:
            decider.take(draft)
        if taken is not None:
            decider.outcome.questions.extend(objections(ws, record, decider.outcome.forms.values()))
        return self.close(ws, decider, strangers, cost)

    def _answers(self, ws: Workspace, decider: Decider, taken: Taken) -> list[PendingAnswer]:
        """The waiting questions that the message answers, each with a value that its slot takes."""
        message = taken.message
        if message.role != "user" or taken.known is None or not may_answer(message.text):
            return []
        found = pending_answers(message, taken.known.turns, ws.asked, self.catalog, decider.label)
        out: list[PendingAnswer] = []
        for one in found:
            item = pending_today(one.pending, self.catalog.types.get(one.pending.type))
            value = one.value
            if value is not None and item.reason != "ambiguous_target":
                spec = self.catalog.types[item.type].slots[item.slot or ""]
                read = coerce(spec, value, message.time, self.settings.date_order)
                value = (read.value,) if spec.many and not isinstance(read.value, tuple) else read.value
                if read.value is None:
                    continue
            out.append(one._replace(pending=item, value=value))
        return out

    def close(
        self, ws: Workspace, decider: Decider, strangers: Sequence[Refusal] = (), cost: Cost = NO_COST
    ) -> Receipt:
        """Seals versions, draws the edges of rules and drafts, and says what became of the message."""
        record = decider.message
        out = decider.finish()
        draw(ws, decider, self.settings)
        ws.end_message(record)
        out.refused.extend(strangers)
        return _receipt(record.id, out, cost)


def _receipt(id: str, out: Outcome, cost: Cost) -> Receipt:
    state: Literal["stored", "held", "refused"] = "stored"
    if not out.took and not out.versions:
        state = "held" if out.pending else "refused" if out.refused else "stored"
    elif not out.took and out.pending:
        state = "held"
    return Receipt(
        message_id=id,
        state=state,
        forms=tuple(out.forms),
        versions=tuple(out.versions),
        edges=tuple(dict.fromkeys(out.edges)),
        pending=tuple(dict.fromkeys(out.pending)),
        refused=tuple(out.refused),
        questions=tuple(dict.fromkeys(out.questions)),
        cost=cost,
    )


def message_of(record: MessageRecord, scope: Scope) -> Message:
    """The message that a record keeps."""
    role: Role = record.role  # type: ignore[assignment]
    return Message(
        record.id, record.text, record.speaker, role, record.conversation, when(record), scope.owner or None
    )
