"""Between records and rows: which words are small integers, what NULL stands for, how ids are numbered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from forms_dynamics.errors import InvalidInput
from forms_dynamics.model.record import (
    ActRecord,
    EdgeRecord,
    FormRecord,
    KeyRecord,
    MentionRecord,
    MessageRecord,
    NearRecord,
    PendingRecord,
    ReplyRecord,
    VersionRecord,
)

Row = tuple[Any, ...]

# A word's place is what the tables hold: add at the end only.
MESSAGE_STATES = ("stored", "held", "refused", "queued", "erased", "withheld")
MESSAGE_KINDS = ("message", "record", "tool", "act")
ROLES = ("user", "assistant", "tool", "system")
FORM_STATUSES = ("active", "invalid", "erased")
EDGE_STATUSES = ("active", "superseded", "invalid", "candidate")
PENDING_STATES = ("open", "confirmed", "refused", "expired")
DOCUMENTS = ("message", "form")

QUEUED, ERASED_MESSAGE, ERASED_FORM, CANDIDATE = 3, 4, 2, 3

_CODES = {
    "state of a message": {word: i for i, word in enumerate(MESSAGE_STATES)},
    "kind of message": {word: i for i, word in enumerate(MESSAGE_KINDS)},
    "role": {word: i for i, word in enumerate(ROLES)},
    "status of a Form": {word: i for i, word in enumerate(FORM_STATUSES)},
    "status of an edge": {word: i for i, word in enumerate(EDGE_STATUSES)},
    "state of a pending item": {word: i for i, word in enumerate(PENDING_STATES)},
    "kind of document": {word: i for i, word in enumerate(DOCUMENTS)},
}


def code(what: str, word: str) -> int:
    """The integer of one of the words above; InvalidInput for any other word."""
    found = _CODES[what].get(word)
    if found is None:
        raise InvalidInput(f"{word!r} is no {what}: one of {', '.join(_CODES[what])}")
    return found


def message_doc(seq: int) -> int:
    """A message's number in full text (even)."""
    return seq * 2


def form_doc(no: int) -> int:
    """A Form's number in full text (odd)."""
    return no * 2 + 1


def short_slots(slots: str, form: str) -> str:
    """``slots`` of a key without the Form's id at its end, so that few words serve all Forms."""
    return slots[: -len(form)] if form and slots.endswith("#" + form) else slots


def full_slots(slots: str, form: str) -> str:
    """The inverse of :func:`short_slots`."""
    return slots + form if slots.endswith("#") else slots


# -- records to rows: in the order of the INSERT statements of ``queries`` ----------------------------


def message_row(tenant: int, owner: int, m: MessageRecord) -> Row:
    return (
        tenant,
        owner,
        code("kind of message", m.kind),
        m.seq,
        m.id,
        m.conversation,
        m.speaker,
        code("role", m.role),
        m.text,
        m.time,
        m.offset,
        m.arrived,
        code("state of a message", m.state),
        m.body,
        m.waiting,
    )


def form_row(tenant: int, owner: int, no: int, type_no: int, f: FormRecord) -> Row:
    return (
        tenant,
        owner,
        f.id,
        no,
        type_no,
        f.type_version,
        f.n,
        code("status of a Form", f.status),
        f.created,
        None if f.updated == f.created else f.updated,
        None if f.accessed == f.updated else f.accessed,
        f.conversation,
        f.head,
        f.confirmed,
        f.pending,
        f.words,
        1 if f.recalled else None,
    )


def version_row(tenant: int, owner: int, no: int, cause: int, v: VersionRecord) -> Row:
    arrived = None if v.arrived == v.time else v.arrived
    return (tenant, owner, no, v.n, v.message, v.time, arrived, cause, v.payload, v.salt, v.hash)


def edge_row(tenant: int, owner: int, ends: tuple[int, int, int], made_by: int, e: EdgeRecord) -> Row:
    return (
        tenant,
        owner,
        *ends,
        e.weight,
        e.hits,
        e.last_hit,
        e.created,
        code("status of an edge", e.status),
        made_by,
        e.message,
        e.start,
        e.end,
        e.attributes,
        e.valid_from,
        e.valid_until,
    )


def pending_row(tenant: int, owner: int, type_no: int, p: PendingRecord) -> Row:
    return (
        tenant,
        owner,
        p.id,
        p.form,
        type_no,
        p.slot,
        p.value,
        p.confidence,
        p.reason,
        p.question,
        p.candidates,
        p.asked,
        code("state of a pending item", p.state),
        p.message,
        p.draft,
    )


def act_row(tenant: int, owner: int, a: ActRecord) -> Row:
    return (tenant, owner, a.id, a.kind, a.form, a.time, a.body)


def reply_row(tenant: int, owner: int, r: ReplyRecord) -> Row:
    return (tenant, owner, *r)


# -- rows to records: in the order of the SELECT lists of ``queries`` ---------------------------------

Words = Mapping[int, str]


def message(row: Row) -> MessageRecord:
    seq, id, conversation, speaker, role, text, time, offset, arrived, state, kind, body, waiting = row
    return MessageRecord(
        seq, id, conversation, speaker, ROLES[role], text, time, offset, arrived,
        MESSAGE_STATES[state], MESSAGE_KINDS[kind], body, waiting,
    )  # fmt: skip


def form(row: Row, owner: str, words: Words) -> FormRecord:
    (id, own, type_no, type_version, n, status, created, updated, accessed, conversation, head, confirmed,
     pending, recalled, text) = row  # fmt: skip
    return FormRecord(
        id, owner if own else "", words[type_no], type_version, n, FORM_STATUSES[status],
        created, updated, accessed, conversation, head, confirmed, pending, text, bool(recalled),
    )  # fmt: skip


def version(row: Row, words: Words) -> VersionRecord:
    form_id, n, said, time, arrived, cause, payload, salt, digest = row
    return VersionRecord(form_id, n, said, time, arrived, words[cause], payload, blob(salt), bytes(digest))


def key(row: Row, words: Words) -> KeyRecord:
    name, type_no, slots, form_id = row
    return KeyRecord(name, words[type_no], full_slots(words[slots], form_id), form_id)


def mention(row: Row, words: Words) -> MentionRecord:
    conversation, type_no, seq, form_id, by_user = row
    return MentionRecord(conversation, words[type_no], seq, form_id, bool(by_user))


def near(row: Row, words: Words) -> NearRecord:
    conversation, type_no, seq, form_id, n, head = row
    return NearRecord(conversation, words[type_no], seq, form_id, n, head)


def edge(row: Row, words: Words) -> EdgeRecord:
    (source, relation, target, weight, hits, last_hit, created, status, made_by, said, start, end, extra,
     begins, ends, *types) = row  # fmt: skip
    return EdgeRecord(
        source, words[relation], target, weight, hits, last_hit, created, EDGE_STATUSES[status],
        words[made_by], said, start, end, extra, begins, ends, *(words[type] for type in types),
    )  # fmt: skip


def pending(row: Row, owner: str, words: Words) -> PendingRecord:
    (id, form_id, type_no, slot, value, confidence, reason, question, candidates, asked, state, said,
     draft) = row  # fmt: skip
    return PendingRecord(
        id, owner, form_id, words[type_no], slot, value, confidence, reason, question, candidates, asked,
        PENDING_STATES[state], said, draft,
    )  # fmt: skip


def act(row: Row, owner: str) -> ActRecord:
    id, kind, form_id, time, body = row
    return ActRecord(id, owner, kind, form_id, time, body)


def blob(value: Any) -> bytes | None:
    """Bytes, whatever buffer the driver gives."""
    return value if value is None or type(value) is bytes else bytes(value)
