"""The SQL of hot reads and of all writes, one spelling for both databases.

``?`` is a parameter; ``x IN ?[]`` takes a list as one parameter, and so does ``EACH ?[]``, a table of its texts in
a column ``value``; GREATEST and FOR UPDATE are PostgreSQL's
words. :func:`spelled` translates for the driver. Plans are checked by the contract tests.
"""

from __future__ import annotations

import re
from functools import lru_cache

# every table but the full-text index, which each database keeps its own way
TABLES = (
    "spaces", "symbols", "counters", "messages", "forms", "versions", "keys", "mentions", "edges", "pendings",
    "acts", "vectors", "vectors_archive", "shapes", "replies", "spent",
)  # fmt: skip
_LIST = re.compile(r"([\w.]+) IN \?\[\]")


@lru_cache(maxsize=512)
def spelled(sql: str, driver: str) -> str:
    """``sql`` as ``driver`` (sqlite or psycopg) takes it."""
    if driver == "sqlite":
        sql = sql.replace("EACH ?[]", "json_each(?)")
        sql = _LIST.sub(r"\1 IN (SELECT value FROM json_each(?))", sql)
        return sql.replace("GREATEST(", "max(").replace(" FOR UPDATE", "")
    sql = sql.replace("EACH ?[]", "(SELECT unnest(CAST(? AS text[])) AS value)")
    return _LIST.sub(r"\1 = ANY(?)", sql).replace("?", "%s")


def _put(table: str, columns: str, key: str, extra: str = "") -> str:
    names = columns.replace(" ", "").split(",")
    keys = set(key.replace(" ", "").split(","))
    marks = ", ".join("?" for _ in names)
    sets = ", ".join(f"{name} = excluded.{name}" for name in names if name not in keys)
    return f"INSERT INTO {table} ({columns}) VALUES ({marks}) ON CONFLICT ({key}) DO UPDATE SET {sets}{extra}"


def _add(table: str, columns: str, extra: str = "") -> str:
    marks = ", ".join("?" for _ in columns.split(","))
    return f"INSERT INTO {table} ({columns}) VALUES ({marks}){extra}"


# -- numbers ------------------------------------------------------------------------------------------
SPACE = "SELECT tenant_no, owner, owner_no FROM spaces WHERE tenant = ? AND owner IN ?[]"
TENANT_TOP = "SELECT max(tenant_no) FROM spaces"
OWNER_TOP = "SELECT max(owner_no) FROM spaces WHERE tenant = ?"
ADD_SPACE = _add("spaces", "tenant, owner, tenant_no, owner_no", " ON CONFLICT DO NOTHING")
RENAME_SPACE = "UPDATE spaces SET owner = ? WHERE tenant = ? AND owner = ?"
ADD_SALT = _add("counters", "tenant, name, value", " ON CONFLICT DO NOTHING")
SYMBOLS = "SELECT no, word FROM symbols WHERE tenant = ?"
ADD_SYMBOL = _add("symbols", "tenant, no, word")
COUNTERS = "SELECT name, value FROM counters WHERE tenant = ? FOR UPDATE"
ADD_COUNTERS = (
    "INSERT INTO counters (tenant, name, value) VALUES (?, 'no', 0), (?, 'seq', 0) ON CONFLICT DO NOTHING"
)
OWNERS = "SELECT owner FROM spaces WHERE tenant = ? ORDER BY owner"
TENANTS = "SELECT DISTINCT tenant FROM spaces ORDER BY tenant"
SHAPES = "SELECT type, shape FROM shapes WHERE tenant = ?"
NOTE_SHAPE = _add("shapes", "tenant, type, shape", " ON CONFLICT DO NOTHING")
PUT_SHAPE = _put("shapes", "tenant, type, shape", "tenant, type")
SET_COUNTER = "UPDATE counters SET value = ? WHERE tenant = ? AND name = ?"

# -- messages ------------------------------------------------------------------------------------------
_MESSAGE = (
    "SELECT seq, id, conversation, speaker, role, text, time, utc_offset, arrived, state, kind, body,"
    " waiting FROM messages"
)
MESSAGES = f"{_MESSAGE} WHERE tenant = ? AND owner = ? AND id IN ?[] AND state <> 4"
MESSAGE = f"{_MESSAGE} WHERE tenant = ? AND owner = ? AND id = ? AND state <> 4"
RECENT = (
    f"{_MESSAGE} WHERE tenant = ? AND owner = ? AND conversation = ? AND kind = ? AND seq < ?"
    " AND state <> 4 ORDER BY seq DESC LIMIT ?"
)
# the numbers of messages and of what was said just before and after each
BESIDE = (
    "SELECT m.seq, (SELECT p.seq FROM messages p WHERE p.tenant = m.tenant AND p.owner = m.owner"
    " AND p.conversation = m.conversation AND p.kind = 0 AND p.seq < m.seq AND p.state <> 4"
    " ORDER BY p.seq DESC LIMIT 1), (SELECT n.seq FROM messages n WHERE n.tenant = m.tenant AND n.owner = m.owner"
    " AND n.conversation = m.conversation AND n.kind = 0 AND n.seq > m.seq AND n.state <> 4"
    " ORDER BY n.seq LIMIT 1) FROM messages m WHERE m.tenant = ? AND m.owner = ? AND m.id IN ?[] AND m.kind = 0"
    " AND m.state <> 4"
)
MESSAGES_AT = (
    f"{_MESSAGE} WHERE tenant = ? AND owner = ? AND kind = 0 AND seq IN ?[] AND state <> 4 ORDER BY seq"
)
SCAN_MESSAGES = (
    f"{_MESSAGE} WHERE tenant = ? AND owner = ? AND kind = ? AND seq > ? AND state <> 4 ORDER BY seq LIMIT ?"
)
GONE_MESSAGES = "SELECT id FROM messages WHERE tenant = ? AND owner = ? AND id IN ?[] AND state = 4"
MESSAGE_STATE = (
    "SELECT id, seq, kind, state, text, archived FROM messages WHERE tenant = ? AND owner = ? AND id IN ?[]"
)
ADD_MESSAGE = _add(
    "messages",
    "tenant, owner, kind, seq, id, conversation, speaker, role, text, time, utc_offset, arrived, state, body,"
    " waiting",
)
DROP_MESSAGE = "DELETE FROM messages WHERE tenant = ? AND owner = ? AND kind = ? AND seq = ?"
SET_MESSAGE_STATE = (
    "UPDATE messages SET state = ?, lease = NULL, waiting = NULL"
    " WHERE tenant = ? AND owner = ? AND id = ? AND state <> 4"
)
BEYOND = 2**62  # beyond every seq
CURRENT_TO = (
    "SELECT id FROM messages WHERE tenant = ? AND owner = ? AND kind = 0 AND state <> 4 AND seq < coalesce("
    f"(SELECT min(seq) FROM messages WHERE tenant = ? AND owner = ? AND state = 3), {BEYOND})"
    " ORDER BY seq DESC LIMIT 1"
)
CURRENT_TO_OF = (
    "SELECT id FROM messages WHERE tenant = ? AND owner = ? AND conversation = ? AND kind = 0 AND state <> 4"
    " AND seq < coalesce((SELECT min(seq) FROM messages WHERE tenant = ? AND owner = ? AND conversation = ?"
    f" AND state = 3), {BEYOND}) ORDER BY seq DESC LIMIT 1"
)
SAID_SINCE = (
    "SELECT count(*) FROM messages WHERE tenant = ? AND owner = ? AND kind = 0 AND state <> 4 AND time > ?"
)
_QUEUE = f"{_MESSAGE} WHERE tenant = ? AND owner = ? AND state = 3 AND lease"
QUEUE = f"{_QUEUE} IS NULL ORDER BY seq LIMIT ?"
QUEUE_AGAIN = f"{_QUEUE} <= ? ORDER BY seq LIMIT ?"
LEASE = "UPDATE messages SET lease = ? WHERE tenant = ? AND owner = ? AND kind = ? AND seq = ?"
RENEW = (
    "UPDATE messages SET lease = ?, waiting = coalesce(?, waiting) WHERE tenant = ? AND owner = ? AND id = ?"
    " AND state = 3 AND lease = ?"
)
WAITS = (
    "SELECT coalesce(waiting, ''), count(*) FROM messages WHERE tenant = ? AND owner = ? AND state = 3"
    " GROUP BY waiting ORDER BY 2 DESC, 1"
)

# -- Forms ---------------------------------------------------------------------------------------------
_FORM = (
    "SELECT f.id, f.owner, f.type, f.type_version, f.n, f.status, f.created, coalesce(f.updated, f.created),"
    " coalesce(f.accessed, f.updated, f.created), f.conversation, coalesce(f.head,"
    " (SELECT v.payload FROM versions v WHERE v.tenant = f.tenant AND v.owner = f.owner AND v.form = f.no"
    " AND v.n = 1)), f.confirmed, f.pending, coalesce(f.recalled, 0), f.words FROM forms f"
)
FORM = f"{_FORM} WHERE f.tenant = ? AND f.owner = ? AND f.id = ? AND f.status <> 2"
FORMS = f"{_FORM} WHERE f.tenant = ? AND f.owner = ? AND f.id IN ?[] AND f.status <> 2"
SHARED_FORMS = (
    f"{_FORM} WHERE f.tenant = ? AND f.owner = 0 AND f.id IN ?[] AND f.type IN ?[] AND f.status <> 2"
)
FIND = f"{_FORM} WHERE f.tenant = ? AND f.owner = ? AND f.id > ? AND f.status <> 2 ORDER BY f.id LIMIT ?"
FIND_STATUS = (
    f"{_FORM} WHERE f.tenant = ? AND f.owner = ? AND f.id > ? AND f.status = ? ORDER BY f.id LIMIT ?"
)
FIND_TYPE = (
    f"{_FORM} WHERE f.tenant = ? AND f.owner = ? AND f.type = ? AND f.id > ? AND f.status <> 2"
    " ORDER BY f.id LIMIT ?"
)
FIND_TYPE_STATUS = (
    f"{_FORM} WHERE f.tenant = ? AND f.owner = ? AND f.type = ? AND f.id > ? AND f.status = ?"
    " ORDER BY f.id LIMIT ?"
)
NEWEST = (
    f"{_FORM} WHERE f.tenant = ? AND f.owner = ? AND f.type = ? AND f.status = 0 ORDER BY f.id DESC LIMIT ?"
)
FORM_STATE = (
    "SELECT id, no, n, status, words, archived FROM forms WHERE tenant = ? AND owner = ? AND id IN ?[]"
)
GONE_FORMS = "SELECT id FROM forms WHERE tenant = ? AND owner = ? AND id IN ?[] AND status = 2"
FORM_NO = "SELECT no, status, type FROM forms WHERE tenant = ? AND owner = ? AND id = ?"
PUT_FORM = _put(
    "forms",
    "tenant, owner, id, no, type, type_version, n, status, created, updated, accessed, conversation, head,"
    " confirmed, pending, words, recalled",
    "tenant, owner, id",
    ", archived = NULL",
)
ACCESS = (
    "UPDATE forms SET accessed = GREATEST(coalesce(accessed, updated, created), ?), recalled = 1"
    " WHERE tenant = ? AND owner = ? AND id = ? AND status <> 2"
)

# -- versions ------------------------------------------------------------------------------------------
_VERSION = (
    "v.n, v.message, v.time, coalesce(v.arrived, v.time), v.cause, v.payload, v.salt, v.hash FROM versions v"
)
VERSIONS = f"SELECT {_VERSION} WHERE v.tenant = ? AND v.owner = ? AND v.form = ? ORDER BY v.n"
# CROSS: the few Forms first, whatever the statistics say
CHAINS = (
    f"SELECT f.id, {_VERSION.replace('FROM versions v', 'FROM forms f CROSS JOIN versions v')}"
    " WHERE f.tenant = ? AND f.owner = ? AND f.id IN ?[] AND v.tenant = f.tenant AND v.owner = f.owner"
    " AND v.form = f.no"
)
SHARED_CHAINS = f"{CHAINS} AND f.status <> 2 AND f.type IN ?[]"
TIPS = (
    "SELECT f.id, (SELECT v.hash FROM versions v WHERE v.tenant = f.tenant AND v.owner = f.owner"
    " AND v.form = f.no ORDER BY v.n DESC LIMIT 1) FROM forms f"
    " WHERE f.tenant = ? AND f.owner = ? AND f.id IN ?[]"
)
VERSIONS_OF_MESSAGES = (
    f"SELECT f.id, {_VERSION} JOIN forms f ON f.tenant = v.tenant AND f.no = v.form"
    " WHERE v.tenant = ? AND v.owner = ? AND v.message IN ?[]"
)
VERSIONS_NAMING = (
    f"SELECT f.id, {_VERSION} JOIN forms f ON f.tenant = v.tenant AND f.no = v.form"
    " WHERE v.tenant = ? AND v.owner = ? AND v.payload LIKE ? ESCAPE '!'"
)
SCAN_VERSIONS = (
    f"SELECT f.id, {_VERSION} JOIN forms f ON f.tenant = v.tenant AND f.no = v.form"
    " WHERE v.tenant = ? AND v.owner = ? AND f.id IN ?[] ORDER BY f.id, v.n"
)
# only a tombstone gives way: where another version stands, nothing is written and the count tells
ADD_VERSION = _put(
    "versions",
    "tenant, owner, form, n, message, time, arrived, cause, payload, salt, hash",
    "tenant, owner, form, n",
    " WHERE versions.payload IS NULL",
)

# -- keys and mentions ---------------------------------------------------------------------------------
_KEY = (
    "SELECT k.name, k.type, k.slots, f.id FROM keys k JOIN forms f ON f.tenant = k.tenant AND f.no = k.form"
)
NAMES = f"{_KEY} WHERE k.tenant = ? AND k.owner = ? AND k.name IN ?[]"
NAMES_TYPED = f"{_KEY} WHERE k.tenant = ? AND k.owner = ? AND k.name IN ?[] AND k.type IN ?[]"
SOME_NAMES = f"{NAMES} LIMIT ?"
SOME_NAMES_TYPED = f"{NAMES_TYPED} LIMIT ?"
NEXT_KIND = (
    "SELECT type, slots FROM keys WHERE tenant = ? AND owner = ? AND name = ? AND (type, slots) > (?, ?)"
    " ORDER BY type, slots LIMIT 1"
)
NEWEST_OF_KIND = (
    f"{_KEY} WHERE k.tenant = ? AND k.owner = ? AND k.name = ? AND k.type = ? AND k.slots = ?"
    " ORDER BY k.form DESC LIMIT ?"
)
NAMES_FROM = (
    f"{_KEY} WHERE k.tenant = ? AND k.owner = ? AND k.name >= ? AND k.name <= ?"
    " ORDER BY k.name, k.type, k.slots, k.form LIMIT ?"
)
NAMES_FROM_TYPED = (
    f"{_KEY} WHERE k.tenant = ? AND k.owner = ? AND k.name >= ? AND k.name <= ? AND k.type IN ?[]"
    " ORDER BY k.name, k.type, k.slots, k.form LIMIT ?"
)
SCAN_KEYS = (
    "SELECT name, type, slots, form FROM keys WHERE tenant = ? AND owner = ?"
    " AND (name, type, slots, form) > (?, ?, ?, ?) ORDER BY name, type, slots, form LIMIT ?"
)
HOLDERS = "SELECT name, type, slots, form FROM keys WHERE tenant = ? AND owner = ? AND name IN ?[]"
FORM_IDS = "SELECT no, id FROM forms WHERE tenant = ? AND no IN ?[]"
ADD_KEY = _add("keys", "tenant, owner, name, type, slots, form", " ON CONFLICT DO NOTHING")
DROP_KEYS_OF_TYPE = "DELETE FROM keys WHERE tenant = ? AND owner = ? AND type = ?"
DROP_KEY = (
    "DELETE FROM keys WHERE tenant = ? AND owner = ? AND name = ? AND type = ? AND slots = ? AND form = ?"
)
NEXT_TYPE = "SELECT min(type) FROM mentions WHERE tenant = ? AND owner = ? AND conversation = ? AND type > ?"
TOUCHED = (
    "SELECT m.conversation, m.type, m.seq, f.id, m.by_user FROM mentions m"
    " JOIN forms f ON f.tenant = m.tenant AND f.no = m.form"
    " WHERE m.tenant = ? AND m.owner = ? AND m.conversation = ? AND m.type = ? AND m.by_user = 1"
    " ORDER BY m.seq DESC, m.form DESC LIMIT ?"
)
# of each type that a conversation touched the newest, with the heads of those that are nearer still; CROSS: a
# conversation's few rows first; LIMIT: the seqs from which on they are looked at are found once; the list of
# conversations again: PostgreSQL cannot tell how few are in the other
_TOUCHED_TYPE = (
    "(SELECT min(n.type) FROM mentions n WHERE n.tenant = ? AND n.owner = ? AND n.conversation = {of}"
    " AND n.type > {no})"
)
_TOUCHED_SINCE = (
    "coalesce((SELECT n.seq FROM mentions n WHERE n.tenant = ? AND n.owner = ? AND n.conversation = kind.conversation"
    " AND n.type = kind.no AND n.by_user = 1 ORDER BY n.seq DESC LIMIT 1 OFFSET ?), -1)"
)
NEAR = (
    "WITH RECURSIVE kind (conversation, no) AS ("
    f"SELECT t.value, {_TOUCHED_TYPE.format(of='t.value', no='0')} FROM EACH ?[] t UNION ALL"
    f" SELECT kind.conversation, {_TOUCHED_TYPE.format(of='kind.conversation', no='kind.no')} FROM kind"
    " WHERE kind.no IS NOT NULL),"
    " part (conversation, no, since, close) AS ("
    f"SELECT kind.conversation, kind.no, {_TOUCHED_SINCE}, {_TOUCHED_SINCE} FROM kind WHERE kind.no IS NOT NULL"
    f" LIMIT {BEYOND})"
    " SELECT m.conversation, m.type, m.seq, f.id, f.n, CASE WHEN m.seq >= part.close AND f.status = 0"
    " AND f.owner = m.owner THEN coalesce(f.head, (SELECT v.payload FROM versions v WHERE v.tenant = f.tenant"
    " AND v.owner = f.owner AND v.form = f.no AND v.n = 1)) END"
    " FROM part CROSS JOIN mentions m JOIN forms f ON f.tenant = m.tenant AND f.no = m.form"
    " WHERE m.tenant = ? AND m.owner = ? AND m.conversation = part.conversation AND m.conversation IN ?[]"
    " AND m.type = part.no"
    " AND m.seq >= part.since AND m.by_user = 1 ORDER BY m.conversation, m.seq DESC, m.type, m.form DESC"
)
SCAN_MENTIONS = (
    "SELECT m.conversation, m.type, m.seq, f.id, m.by_user FROM mentions m"
    " JOIN forms f ON f.tenant = m.tenant AND f.no = m.form"
    " WHERE m.tenant = ? AND m.owner = ? AND m.conversation IN ?[] AND m.type IN ?[]"
    " AND m.seq >= ? AND m.seq <= ?"
)
ADD_MENTION = _put(
    "mentions",
    "tenant, owner, conversation, type, seq, form, by_user",
    "tenant, owner, conversation, type, seq, form",
)

# -- edges ---------------------------------------------------------------------------------------------
_EDGE = (
    "SELECT s.id, e.relation, t.id, e.weight, e.hits, e.last_hit, e.created, e.status, e.made_by, e.message,"
    " e.span_start, e.span_end, e.attributes, e.valid_from, e.valid_until, s.type, t.type FROM edges e"
    " JOIN forms s ON s.tenant = e.tenant AND s.no = e.source"
    " JOIN forms t ON t.tenant = e.tenant AND t.no = e.target"
    " WHERE e.tenant = ? AND e.owner = ?"
)
# a Form by id: the owner's, else (an own edge may end there) the shared space's
_NO_OF = (
    "coalesce((SELECT no FROM forms WHERE tenant = ? AND owner = ? AND id = ? AND status <> 2),"
    " (SELECT no FROM forms WHERE tenant = ? AND owner = 0 AND id = ? AND status <> 2))"
)
_ENDS = " UNION ALL ".join(
    f"SELECT * FROM ({_EDGE} AND e.{end} = {_NO_OF} AND e.status = %d ORDER BY e.weight DESC LIMIT ?) {end}_edges"
    for end in ("source", "target")
)


@lru_cache(maxsize=64)
def edges_of(statuses: tuple[int, ...]) -> str:
    """Edges at both ends of one Form for each status listed; each takes, for either end, the parameters
    tenant, owner, tenant, owner, id, tenant, id, limit. A status is spelled out: SQLite plans a statement
    anew whenever a parameter may decide about a partial index."""
    return " UNION ALL ".join(_ENDS % (status, status) for status in statuses)


@lru_cache(maxsize=16)
def few_edges_of(forms: int) -> str:
    """Edges of any status and in any order at both ends of so many Forms, with the parameters of :func:`edges_of`:
    all that there are where an end gives fewer than its limit."""
    some = " UNION ALL ".join(
        f"SELECT * FROM ({_EDGE} AND e.{end} = {_NO_OF} LIMIT ?) {end}_edges" for end in ("source", "target")
    )
    return " UNION ALL ".join([some] * forms)


# how many edges a Form has at either end, counted no further than a limit; in the shared space those of a reader
DEGREE = " UNION ALL ".join(
    f"SELECT count(*) FROM (SELECT 1 FROM edges e WHERE e.tenant = ? AND e.owner = ? AND e.{end} = {_NO_OF}"
    f" LIMIT ?) {end}_edges"
    for end in ("source", "target")
)
SHARED_DEGREE = " UNION ALL ".join(
    "SELECT count(*) FROM (SELECT 1 FROM edges e JOIN forms f ON f.tenant = e.tenant AND f.no = e."
    f"{far} WHERE e.tenant = ? AND e.owner = 0 AND e.{end} = (SELECT no FROM forms WHERE tenant = ? AND owner = 0"
    f" AND id = ? AND status <> 2 AND type IN ?[]) AND f.type IN ?[] LIMIT ?) {end}_edges"
    for end, far in (("source", "target"), ("target", "source"))
)
CANDIDATES = f"{_EDGE} AND e.status = 3 ORDER BY e.created, s.id, t.id"
SCAN_EDGES = (
    "SELECT source, relation, target, weight, hits, last_hit, created, status, made_by, message, span_start,"
    " span_end, attributes, valid_from, valid_until FROM edges WHERE tenant = ? AND owner = ? AND source IN ?[]"
)
# sources in the shared space of edges that are an owner's; CROSS: SQLite would walk the shared space instead
SHARED_SOURCES = (
    "SELECT DISTINCT s.id, s.no FROM edges e CROSS JOIN forms s"
    " WHERE e.tenant = ? AND e.owner = ? AND s.tenant = e.tenant AND s.no = e.source AND s.owner = 0"
)
PUT_EDGE = _put(
    "edges",
    "tenant, owner, source, relation, target, weight, hits, last_hit, created, status, made_by, message,"
    " span_start, span_end, attributes, valid_from, valid_until",
    "tenant, owner, source, relation, target",
)
DROP_EDGE = "DELETE FROM edges WHERE tenant = ? AND owner = ? AND source = ? AND relation = ? AND target = ?"

# -- pending items and acts ----------------------------------------------------------------------------
_PENDING = (
    "SELECT id, form, type, slot, value, confidence, reason, question, candidates, asked, state, message,"
    " draft FROM pendings WHERE tenant = ? AND owner = ?"
)
PENDING_ITEMS = f"{_PENDING} AND id IN ?[]"
PENDINGS = f"{_PENDING} AND id > ? ORDER BY id LIMIT ?"
PENDINGS_STATE = f"{_PENDING} AND state = ? ORDER BY asked, id"
PENDINGS_FORMS = f"{_PENDING} AND form IN ?[]"
PENDINGS_MESSAGES = f"{_PENDING} AND message IN ?[]"
PUT_PENDING = _put(
    "pendings",
    "tenant, owner, id, form, type, slot, value, confidence, reason, question, candidates, asked, state,"
    " message, draft",
    "tenant, owner, id",
)
_ACT = "SELECT id, kind, form, time, body FROM acts WHERE tenant = ? AND owner = ?"
ACTS = f"{_ACT} AND id IN ?[]"
SCAN_ACTS = f"{_ACT} AND id > ? ORDER BY id LIMIT ?"
PUT_ACT = _put("acts", "tenant, owner, id, kind, form, time, body", "tenant, owner, id")

# -- what models cost ----------------------------------------------------------------------------------
_REPLY = "reply_key, message, kept, content, logprobs, calls, tokens_in, tokens_out"
REPLY = f"SELECT {_REPLY} FROM replies WHERE tenant = ? AND owner = ? AND reply_key = ? AND kept >= ?"
PUT_REPLY = _put("replies", f"tenant, owner, {_REPLY}", "tenant, owner, reply_key")
OLD_REPLIES = "SELECT count(*) FROM replies WHERE tenant = ? AND owner = ? AND kept < ?"
DROP_OLD_REPLIES = (
    "DELETE FROM replies WHERE tenant = ? AND owner = ? AND reply_key IN (SELECT reply_key FROM replies"
    " WHERE tenant = ? AND owner = ? AND kept < ? ORDER BY kept LIMIT ?)"
)
DROP_REPLIES = "DELETE FROM replies WHERE tenant = ? AND owner = ?"
DROP_TENANT_REPLIES = "DELETE FROM replies WHERE tenant = ?"
ERASURES = "SELECT value FROM counters WHERE tenant = ? AND name = 'erasures'"
COUNT_ERASURE = (
    "INSERT INTO counters (tenant, name, value) VALUES (?, 'erasures', 1)"
    " ON CONFLICT (tenant, name) DO UPDATE SET value = counters.value + 1"
)
_SPENT = (
    "SELECT coalesce(sum(calls), 0), coalesce(sum(tokens_in), 0), coalesce(sum(tokens_out), 0) FROM spent"
)
SPENT = f"{_SPENT} WHERE tenant = ? AND owner = ?"
SPENT_ON = f"{_SPENT} WHERE tenant = ? AND owner = ? AND day = ?"
ADD_SPENT = _add(
    "spent",
    "tenant, owner, day, calls, tokens_in, tokens_out",
    " ON CONFLICT (tenant, owner, day) DO UPDATE SET calls = spent.calls + excluded.calls,"
    " tokens_in = spent.tokens_in + excluded.tokens_in, tokens_out = spent.tokens_out + excluded.tokens_out",
)

# -- documents and vectors -----------------------------------------------------------------------------
MESSAGE_TEXTS = (
    "SELECT id, text FROM messages WHERE tenant = ? AND owner = ? AND kind = 0 AND seq IN ?[] AND state <> 4"
)
# the owner is compared by the caller: as a condition it would lure SQLite to the wrong index
FORM_TEXTS = "SELECT id, words, owner, type FROM forms WHERE tenant = ? AND no IN ?[] AND status = 0"
DOC_MESSAGES = (
    "SELECT seq, text, archived FROM messages WHERE tenant = ? AND owner = ? AND kind = 0 AND seq > ? AND state <> 4"
    " ORDER BY seq LIMIT ?"
)
DOC_FORMS = (
    "SELECT no, words, archived, id FROM forms WHERE tenant = ? AND owner = ? AND id > ? AND status = 0"
    " ORDER BY id LIMIT ?"
)
UNEMBEDDED_MESSAGES = (
    "SELECT m.id, m.text FROM messages m WHERE m.tenant = ? AND m.owner = ? AND m.kind = 0 AND m.state <> 4"
    " AND m.seq > ? AND m.text <> '' AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.tenant = m.tenant"
    " AND v.owner = m.owner AND v.fingerprint = ? AND v.kind = 0 AND v.doc = m.seq)"
    " AND NOT EXISTS (SELECT 1 FROM vectors_archive v WHERE m.archived = 1 AND v.tenant = m.tenant"
    " AND v.owner = m.owner AND v.fingerprint = ? AND v.kind = 0 AND v.doc = m.seq) ORDER BY m.seq LIMIT ?"
)
UNEMBEDDED_FORMS = (
    "SELECT f.id, f.words FROM forms f WHERE f.tenant = ? AND f.owner = ? AND f.status = 0"
    " AND f.words <> '' AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.tenant = f.tenant"
    " AND v.owner = f.owner AND v.fingerprint = ? AND v.kind = 1 AND v.doc = f.no)"
    " AND NOT EXISTS (SELECT 1 FROM vectors_archive v WHERE f.archived = 1 AND v.tenant = f.tenant"
    " AND v.owner = f.owner AND v.fingerprint = ? AND v.kind = 1 AND v.doc = f.no) ORDER BY f.id LIMIT ?"
)
ADD_VECTOR = _add("vectors", "tenant, owner, fingerprint, kind, doc, part, vector")
DROP_VECTORS_OF = (
    "DELETE FROM vectors WHERE tenant = ? AND owner = ? AND fingerprint = ? AND kind = ? AND doc = ?"
)
NEXT_FINGERPRINT = "SELECT min(fingerprint) FROM vectors WHERE tenant = ? AND owner = ? AND fingerprint > ?"
VECTORS_MESSAGES = (
    "SELECT m.id, v.part, v.vector FROM vectors v JOIN messages m ON m.tenant = v.tenant"
    " AND m.owner = v.owner AND m.kind = 0 AND m.seq = v.doc"
    " WHERE v.tenant = ? AND v.owner = ? AND v.fingerprint = ? AND v.kind = 0 AND m.state <> 4"
    " ORDER BY v.doc, v.part"
)
VECTORS_FORMS = (
    "SELECT f.id, f.type, v.part, v.vector FROM vectors v"
    " JOIN forms f ON f.tenant = v.tenant AND f.no = v.doc"
    " WHERE v.tenant = ? AND v.owner = ? AND v.fingerprint = ? AND v.kind = 1 AND f.status = 0"
    " ORDER BY v.doc, v.part"
)
VECTOR_LENGTH = (
    "SELECT length(vector) FROM vectors WHERE tenant = ? AND owner = ? AND fingerprint = ?"
    " ORDER BY kind, doc, part LIMIT 1"
)
VECTOR_DOCS = "SELECT count(*) FROM vectors WHERE tenant = ? AND owner = ? AND fingerprint = ? AND part = 0"


@lru_cache(maxsize=64)
def side(sql: str, archived: bool) -> str:
    """A statement about ``vectors``, put to the active ones or to the archive's."""
    return sql if not archived else re.sub(r"\bvectors\b", "vectors_archive", sql)


# -- the archive: what of the documents stands on which side of a moment ----------------------------------
# how old a document is: the indexes of ``tables`` are on these expressions, and serve no other
MESSAGE_AGE = "(CASE WHEN arrived > time THEN arrived ELSE time END)"
FORM_AGE = (
    "(CASE WHEN accessed > coalesce(updated, created) THEN accessed ELSE coalesce(updated, created) END)"
)
_SAID = "FROM messages WHERE tenant = ? AND owner = ? AND kind = 0 AND state <> 4 AND archived"
_KEPT = "FROM forms WHERE tenant = ? AND owner = ? AND type = ? AND status = 0 AND archived"
OLD_MESSAGES = f"{_SAID} IS NULL AND {MESSAGE_AGE} < ? ORDER BY archived, {MESSAGE_AGE} LIMIT ?"
OLD_ARCHIVED_MESSAGES = f"{_SAID} = 1 AND {MESSAGE_AGE} < ? ORDER BY archived, {MESSAGE_AGE} LIMIT ?"
NEW_ARCHIVED_MESSAGES = f"{_SAID} = 1 AND {MESSAGE_AGE} >= ? ORDER BY archived, {MESSAGE_AGE} LIMIT ?"
OLD_FORMS = f"{_KEPT} IS NULL AND {FORM_AGE} < ? ORDER BY archived, {FORM_AGE} LIMIT ?"
OLD_ARCHIVED_FORMS = f"{_KEPT} = 1 AND {FORM_AGE} < ? ORDER BY archived, {FORM_AGE} LIMIT ?"
NEW_ARCHIVED_FORMS = f"{_KEPT} = 1 AND {FORM_AGE} >= ? ORDER BY archived, {FORM_AGE} LIMIT ?"
SEQ_TEXTS = "SELECT seq, text FROM messages WHERE tenant = ? AND owner = ? AND kind = 0 AND seq IN ?[]"
NO_TEXTS = "SELECT no, words FROM forms WHERE tenant = ? AND no IN ?[]"
ARCHIVED_FORMS = "SELECT no, words FROM forms WHERE tenant = ? AND owner = ? AND id IN ?[] AND archived = 1"
# which types an owner has Forms of: one index seek each
FORM_TYPES = (
    "WITH RECURSIVE kind (no) AS (SELECT min(type) FROM forms WHERE tenant = ? AND owner = ? AND type > 0"
    " UNION ALL"
    " SELECT (SELECT min(f.type) FROM forms f WHERE f.tenant = ? AND f.owner = ? AND f.type > kind.no) FROM kind"
    " WHERE kind.no IS NOT NULL) SELECT no FROM kind WHERE no IS NOT NULL"
)
MARK_MESSAGES = "UPDATE messages SET archived = ? WHERE tenant = ? AND owner = ? AND kind = 0 AND seq IN ?[]"
MARK_FORMS = "UPDATE forms SET archived = ? WHERE tenant = ? AND no IN ?[]"
_VECTOR_ROWS = "tenant = ? AND owner = ? AND fingerprint = ? AND kind = ? AND doc IN ?[]"
ARCHIVE_VECTORS = f"INSERT INTO vectors_archive SELECT * FROM vectors WHERE {_VECTOR_ROWS}"
RETURN_VECTORS = f"INSERT INTO vectors SELECT * FROM vectors_archive WHERE {_VECTOR_ROWS}"
DROP_VECTOR_ROWS = f"DELETE FROM vectors WHERE {_VECTOR_ROWS}"

# -- whole scope ---------------------------------------------------------------------------------------
FORM_ROWS = "SELECT id, no FROM forms WHERE tenant = ? AND owner = ? AND id > ? ORDER BY id LIMIT ?"
_OF = "WHERE tenant = ? AND owner = ?"
COUNTS = {
    "messages": f"SELECT count(*) FROM messages {_OF} AND state <> 4",
    "forms": f"SELECT count(*) FROM forms {_OF} AND status <> 2",
    "versions": f"SELECT count(*) FROM versions {_OF}",
    "keys": f"SELECT count(*) FROM keys {_OF}",
    "mentions": f"SELECT count(*) FROM mentions {_OF}",
    "edges": f"SELECT count(*) FROM edges {_OF}",
    "pendings": f"SELECT count(*) FROM pendings {_OF}",
    "acts": f"SELECT count(*) FROM acts {_OF}",
    "vectors": f"SELECT count(*) FROM vectors {_OF}",
    "replies": f"SELECT count(*) FROM replies {_OF}",
    "queued": f"SELECT count(*) FROM messages {_OF} AND state = 3",
}

# -- erasure: what stays is a tombstone ----------------------------------------------------------------
_BLANK_VERSION = f"UPDATE versions SET payload = NULL, salt = NULL {_OF} AND payload IS NOT NULL"
BLANK_VERSIONS = f"{_BLANK_VERSION} AND form IN ?[]"
BLANK_VERSION = f"{_BLANK_VERSION} AND form = ? AND n = ?"
BLANK_ALL_VERSIONS = _BLANK_VERSION
_BLANK_FORM = (
    "UPDATE forms SET status = 2, n = 0, updated = NULL, accessed = NULL, conversation = '', head = NULL,"
    f" confirmed = NULL, pending = 0, words = '', archived = NULL, recalled = NULL {_OF} AND status <> 2"
)
BLANK_FORMS = f"{_BLANK_FORM} AND id IN ?[]"
BLANK_ALL_FORMS = _BLANK_FORM
_BLANK_MESSAGE = (
    "UPDATE messages SET state = 4, text = '', body = NULL, speaker = '', conversation = '', lease = NULL,"
    f" waiting = NULL, archived = NULL {_OF} AND state <> 4"
)
BLANK_MESSAGES = f"{_BLANK_MESSAGE} AND id IN ?[]"
BLANK_ALL_MESSAGES = _BLANK_MESSAGE
CONVERSATION_AT = f"SELECT conversation FROM messages {_OF} AND kind IN (0, 1, 2, 3) AND seq = ?"
_WITHHOLD = f"UPDATE messages SET state = 5 {_OF} AND state IN (0, 1)"
WITHHOLD = f"{_WITHHOLD} AND id IN ?[]"
WITHHOLD_TOLD = (
    f"{_WITHHOLD} AND kind = 0 AND seq IN"
    " (SELECT seq FROM mentions WHERE tenant = ? AND owner = ? AND form IN ?[])"
)
DROP_MENTIONS_AT = f"DELETE FROM mentions {_OF} AND conversation = ? AND type = ? AND seq = ?"
DROP_MENTIONS_OF = f"DELETE FROM mentions {_OF} AND form IN ?[]"
DROP_KEYS_OF = f"DELETE FROM keys {_OF} AND form IN ?[]"
DROP_EDGES_OUT = f"DELETE FROM edges {_OF} AND source IN ?[]"
DROP_EDGES_IN = f"DELETE FROM edges {_OF} AND target IN ?[]"
# of the shared space's Forms, whose edges are their readers': every owner's
DROP_EDGES_TO = "DELETE FROM edges WHERE tenant = ? AND (target IN ?[] OR source IN ?[])"
_OF_SHARED = "(SELECT no FROM forms f WHERE f.tenant = ? AND f.owner = 0)"
DROP_EDGES_TO_SHARED = (
    f"DELETE FROM edges WHERE tenant = ? AND (target IN {_OF_SHARED} OR source IN {_OF_SHARED})"
)
DROP_EDGES_OF_MESSAGES = f"DELETE FROM edges {_OF} AND message IN ?[] AND made_by IN ?[]"
UNNAME_MESSAGES = f"UPDATE edges SET message = NULL, span_start = 0, span_end = 0 {_OF} AND message IN ?[]"
PENDING_FORMS = f"SELECT form FROM pendings {_OF} AND message IN ?[]"
COUNT_PENDINGS = (
    "UPDATE forms SET pending = (SELECT count(*) FROM pendings p WHERE p.tenant = forms.tenant"
    f" AND p.owner = forms.owner AND p.form = forms.id AND p.state = 0) {_OF} AND id IN ?[]"
)
DROP_EDGES_MADE_BY = f"DELETE FROM edges {_OF} AND made_by IN ?[]"
DROP_PENDINGS_OF = f"DELETE FROM pendings {_OF} AND form IN ?[]"
DROP_PENDINGS_OF_MESSAGES = f"DELETE FROM pendings {_OF} AND message IN ?[]"
# questions that offer a Form repeat its name
OPEN_CHOICES = f"SELECT id, form, candidates FROM pendings {_OF} AND candidates <> '[]'"
DROP_PENDING_ITEMS = f"DELETE FROM pendings {_OF} AND id IN ?[]"
DROP_ACTS_OF = f"DELETE FROM acts {_OF} AND form IN ?[]"


# -- what a self-check looks at ------------------------------------------------------------------------
def _crowded(end: str) -> str:
    return (
        f"SELECT f.id, e.relation FROM (SELECT {end} AS form, relation FROM edges WHERE tenant = ? AND owner = ?"
        f" AND status = 0 AND relation IN ?[] GROUP BY {end}, relation HAVING count(*) > 1) e"
        " JOIN forms f ON f.tenant = ? AND f.no = e.form WHERE f.status = 0"
    )


CROWDED_OUT, CROWDED_IN = _crowded("source"), _crowded("target")
NAMESAKES = (
    "SELECT name, type FROM keys WHERE tenant = ? AND owner = ? AND slots IN ?[] GROUP BY name, type"
    " HAVING min(form) <> max(form) AND sum(CASE WHEN slots IN ?[] THEN 1 ELSE 0 END) > 0"
)
UNRELATED = (
    "SELECT f.id FROM forms f WHERE f.tenant = ? AND f.owner = ? AND f.type = ? AND f.status = 0 AND f.created < ?"
    " AND NOT EXISTS (SELECT 1 FROM edges e JOIN forms t ON t.tenant = e.tenant AND t.no = e.target"
    " WHERE e.tenant = f.tenant AND e.owner = f.owner AND e.source = f.no AND e.relation = ? AND e.status = 0"
    " AND t.status = 0) ORDER BY f.id"
)
_BETWEEN = (
    "SELECT s.id, t.id FROM edges e JOIN forms s ON s.tenant = e.tenant AND s.no = e.source"
    " JOIN forms t ON t.tenant = e.tenant AND t.no = e.target WHERE e.tenant = ? AND e.owner = ?"
    " AND e.status = 0 AND e.relation = ?"
)
TIES = f"{_BETWEEN} AND s.status = 0 AND t.status = 0"
DANGLING = f"{_EDGE} AND e.status = 0 AND e.made_by IN ?[] AND (s.status = 1 OR t.status = 1)"
_JOINED = (
    "EXISTS (SELECT 1 FROM keys a JOIN keys b ON b.tenant = a.tenant AND b.name = a.name"
    " WHERE a.tenant = e.tenant AND a.owner = s.owner AND a.form = e.source AND a.slots IN ?[]"
    " AND b.owner = t.owner AND b.form = e.target AND b.slots IN ?[])"
)


@lru_cache(maxsize=16)
def unfounded(joins: int) -> str:
    """Active edges of a rule between two types whose ends share no name for one of the joins; after relation,
    made_by and the types, it takes the keys of either side of each join."""
    holds = " AND ".join([_JOINED] * joins)
    return (
        f"{_BETWEEN} AND e.made_by = ? AND s.type = ? AND t.type = ? AND s.status = 0 AND t.status = 0"
        f" AND NOT ({holds})"
    )


ERASED_FORMS = "SELECT id, no FROM forms WHERE tenant = ? AND owner = ? AND status = 2 ORDER BY id"
KEYS_OF = f"SELECT count(*) FROM keys {_OF} AND form IN ?[]"
MENTIONS_OF = f"SELECT count(*) FROM mentions {_OF} AND form IN ?[]"
PENDINGS_OF = f"SELECT count(*) FROM pendings {_OF} AND form IN ?[]"
EDGES_OUT_OF = f"SELECT count(*) FROM edges {_OF} AND source IN ?[]"
EDGES_INTO = f"SELECT count(*) FROM edges {_OF} AND target IN ?[]"
EDGES_AT = "SELECT count(*) FROM edges WHERE tenant = ? AND (target IN ?[] OR source IN ?[])"
MARK = "SELECT value FROM counters WHERE tenant = ? AND name = ?"
SET_MARK = (
    "INSERT INTO counters (tenant, name, value) VALUES (?, ?, ?)"
    " ON CONFLICT (tenant, name) DO UPDATE SET value = excluded.value"
)
