"""``apply``: preconditions first, then one ChangeSet's rows; claiming; vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from forms_dynamics.adapters.sql import mapping, queries
from forms_dynamics.adapters.sql.archiving import Archiving
from forms_dynamics.adapters.sql.driver import Driver
from forms_dynamics.adapters.sql.mapping import Row, form_doc, message_doc
from forms_dynamics.adapters.sql.paid import Paid
from forms_dynamics.adapters.sql.queries import side as _side
from forms_dynamics.errors import Conflict, InvalidInput
from forms_dynamics.model.record import ChangeSet, FormRecord, KeyRecord, MessageRecord, Scope, VectorRow


@dataclass(slots=True)
class _Standing:
    """What the store holds of the Forms and messages that a ChangeSet names."""

    forms: dict[str, tuple[int, int, int, str, int | None]]  # id → no, n, status, words, archived
    shared: dict[str, int]  # id → no, of the shared space
    messages: dict[str, tuple[int, int, int, str, int | None]]  # id → seq, kind, state, text, archived

    def n(self, id: str) -> int:
        """The highest version; 0 for a Form that is not there or erased."""
        found = self.forms.get(id)
        return 0 if found is None or found[2] == mapping.ERASED_FORM else found[1]


class Writing(Archiving, Paid, Driver):
    """Writes of the ``Store`` port."""

    def next_seq(self, scope: Scope) -> int:
        self._transaction()
        tenant, _ = self._given_space(scope)
        return self._counters(tenant)["seq"] + 1

    def apply(self, scope: Scope, changes: ChangeSet) -> None:
        _check_owner(scope, changes)
        with self._written(scope) as (tenant, owner):
            if changes.tells:
                self._name(scope, tenant)
            standing = self._standing(tenant, owner, changes)
            words = self._give_words(tenant, _vocabulary(changes))
            self._check_heads(standing, changes)
            self._check_messages(standing, changes)
            nos = self._numbered(tenant, standing, changes)
            self._check_keys(tenant, owner, changes, nos, words)
            self._note_shapes(tenant, changes.shapes)
            self._put_messages(tenant, owner, standing, changes)
            self._put_forms(tenant, owner, standing, changes.forms, nos, words)
            self._put_versions(tenant, owner, changes, nos, words)
            self._put_derived(tenant, owner, changes, nos, words)
            self._put_paid(tenant, owner, changes)

    # -- preconditions ---------------------------------------------------------------------------------
    def _standing(self, tenant: int, owner: int, changes: ChangeSet) -> _Standing:
        ids = {form.id for form in changes.forms}
        ids.update(changes.heads)
        ids.update(version.form for version in changes.versions)
        ids.update(key.form for key in changes.keys_add)
        ids.update(key.form for key in changes.keys_drop)
        ids.update(mention.form for mention in changes.mentions)
        ends = {end for edge in changes.edges for end in (edge.source, edge.target)}
        ends.update(end for source, _, target in changes.edges_drop for end in (source, target))
        ids |= ends
        forms: dict[str, tuple[int, int, int, str, int | None]] = {}
        shared: dict[str, int] = {}
        if ids:
            rows = self._rows(queries.FORM_STATE, (tenant, owner, self._list(ids)))
            forms = {row[0]: row[1:] for row in rows}
        away = ends - forms.keys() - {form.id for form in changes.forms}
        if away and owner != 0:
            rows = self._rows(queries.FORM_STATE, (tenant, 0, self._list(away)))
            shared = {row[0]: row[1] for row in rows if row[3] != mapping.ERASED_FORM}
        said = [message.id for message in changes.messages]
        rows = self._rows(queries.MESSAGE_STATE, (tenant, owner, self._list(said))) if said else []
        return _Standing(forms, shared, {row[0]: row[1:] for row in rows})

    def _check_heads(self, standing: _Standing, changes: ChangeSet) -> None:
        for id, expected in changes.heads.items():
            found = standing.n(id)
            if found != expected:
                raise Conflict(
                    f"Form {id} is at version {found}, not {expected}: read it again and decide again"
                )

    def _check_messages(self, standing: _Standing, changes: ChangeSet) -> None:
        seen: set[str] = set()
        for message in changes.messages:
            if message.seq < 1:
                raise InvalidInput(f"message {message.id!r} has no seq: take one from next_seq")
            if message.id in seen:
                raise Conflict(f"message {message.id!r} stands twice in one change")
            seen.add(message.id)
            found = standing.messages.get(message.id)
            if found and found[2] != mapping.ERASED_MESSAGE and found[0] != message.seq:
                raise Conflict(f"message {message.id!r} is stored already")

    def _numbered(self, tenant: int, standing: _Standing, changes: ChangeSet) -> dict[str, int]:
        """Number of every Form that the change names; new Forms get theirs."""
        nos = dict(standing.shared)
        for id, (no, _, status, *_) in standing.forms.items():
            if status != mapping.ERASED_FORM:
                nos[id] = no
        new = [form.id for form in changes.forms if form.id not in nos]
        if new:
            top = self._counters(tenant)["no"]
            for id in dict.fromkeys(new):
                known = standing.forms.get(id)
                if known is not None:  # erased, and now told again
                    nos[id] = known[0]
                else:
                    top += 1
                    nos[id] = top
            self._raise_counter(tenant, "no", top)
        return nos

    def _check_keys(
        self, tenant: int, owner: int, changes: ChangeSet, nos: dict[str, int], words: dict[str, int]
    ) -> None:
        unique = [key for key in changes.keys_add if "#" not in key.slots]
        if not unique:
            return
        names = self._list({key.name for key in unique})
        holders: dict[tuple[str, int, int], set[int]] = {}
        for name, type_no, slots, no in self._rows(queries.HOLDERS, (tenant, owner, names)):
            holders.setdefault((name, type_no, slots), set()).add(no)
        for key in changes.keys_drop:
            row = _key_row(key, nos, words)
            holders.get(row[:3], set()).discard(row[3])
        for key in unique:
            row = _key_row(key, nos, words)
            held = holders.setdefault(row[:3], set())
            if held - {row[3]}:
                raise Conflict(
                    f"{key.type} {key.slots} {key.name!r} is another Form's: read again and decide again"
                )
            held.add(row[3])

    # -- rows ------------------------------------------------------------------------------------------
    def _put_messages(self, tenant: int, owner: int, standing: _Standing, changes: ChangeSet) -> None:
        messages = changes.messages
        if messages:
            again = [standing.messages[m.id] for m in messages if m.id in standing.messages]
            if again:  # a tombstone that is told again, or the same message anew
                space = (tenant, owner)
                self._forget(space, [(message_doc(row[0]), row[3], row[4]) for row in again if row[1] == 0])
                self._many(queries.DROP_MESSAGE, [(*space, kind, seq) for seq, kind, *_ in again])
            rows = [mapping.message_row(tenant, owner, message) for message in messages]
            self._many(queries.ADD_MESSAGE, rows)
            self._raise_counter(tenant, "seq", max(message.seq for message in messages))
            self._add_docs(tenant, owner, [(message_doc(m.seq), m.text) for m in messages if _searched(m)])
        if changes.message_states:
            states = [
                (mapping.code("state of a message", state), tenant, owner, id)
                for id, state in changes.message_states
            ]
            if self._many(queries.SET_MESSAGE_STATE, states) != len(states):
                raise Conflict("a message whose state was to change is not there")

    def _put_forms(
        self,
        tenant: int,
        owner: int,
        standing: _Standing,
        forms: Sequence[FormRecord],
        nos: dict[str, int],
        words: dict[str, int],
    ) -> None:
        if not forms:
            return
        self._many(
            queries.PUT_FORM,
            [mapping.form_row(tenant, owner, nos[form.id], words[form.type], form) for form in forms],
        )
        gone: list[tuple[int, str, int | None]] = []
        come: list[tuple[int, str]] = []
        back: list[tuple[int, str]] = []
        for form in {form.id: form for form in forms}.values():
            known = standing.forms.get(form.id)
            before = known[3] if known is not None and known[2] == 0 else None
            after = form.words if form.status == "active" else None
            doc = form_doc(nos[form.id])
            if before != after:
                if known is not None and before is not None:
                    gone.append((doc, before, known[4]))
                if after is not None:
                    come.append((doc, after))
                    if known is not None and before is None:
                        self._returned(tenant, owner)
            elif known is not None and before is not None and known[4]:
                back.append((doc, before))
        self._forget((tenant, owner), gone)
        self._move((tenant, owner), back, archived=False)  # PUT_FORM took the mark off all of them
        self._add_docs(tenant, owner, come)

    def _put_versions(
        self, tenant: int, owner: int, changes: ChangeSet, nos: dict[str, int], words: dict[str, int]
    ) -> None:
        if not changes.versions:
            return
        rows = [
            mapping.version_row(tenant, owner, _no(nos, version.form), words[version.cause], version)
            for version in changes.versions
        ]
        if self._many(queries.ADD_VERSION, rows) != len(rows):
            raise Conflict("a version of this number is stored already: read the Form again and decide again")

    def _put_derived(
        self,
        tenant: int,
        owner: int,
        changes: ChangeSet,
        nos: dict[str, int],
        words: dict[str, int],
    ) -> None:
        space = (tenant, owner)
        if changes.keys_drop:
            known = [key for key in changes.keys_drop if key.form in nos]
            self._many(queries.DROP_KEY, [(*space, *_key_row(key, nos, words)) for key in known])
        if changes.keys_add:
            self._many(queries.ADD_KEY, [(*space, *_key_row(key, nos, words)) for key in changes.keys_add])
        if changes.mentions:
            rows = [
                (*space, m.conversation, words[m.type], m.seq, _no(nos, m.form), int(m.user))
                for m in changes.mentions
            ]
            self._many(queries.ADD_MENTION, rows)
        if changes.edges_drop:
            ends = [(s, words[r], t) for s, r, t in changes.edges_drop if s in nos and t in nos]
            self._many(queries.DROP_EDGE, [(*space, nos[s], relation, nos[t]) for s, relation, t in ends])
        if changes.edges:
            edges = [
                mapping.edge_row(
                    *space, (_no(nos, e.source), words[e.relation], _no(nos, e.target)), words[e.made_by], e
                )
                for e in changes.edges
            ]
            self._many(queries.PUT_EDGE, edges)
        if changes.pendings:
            self._many(
                queries.PUT_PENDING, [mapping.pending_row(*space, words[p.type], p) for p in changes.pendings]
            )
        if changes.acts:
            self._many(queries.PUT_ACT, [mapping.act_row(*space, act) for act in changes.acts])
        if changes.accesses:
            self._many(queries.ACCESS, [(when, *space, id) for id, when in changes.accesses])
            self._return_forms(space, [id for id, _ in changes.accesses])

    # -- shapes of Form types --------------------------------------------------------------------------
    def _note_shapes(self, tenant: int, shapes: Mapping[str, str]) -> None:
        """Notes shapes of types that have none yet, once a process."""
        noted = self._transaction().shaped
        new = [(tenant, t) for t in shapes if (tenant, t) not in self._shaped and (tenant, t) not in noted]
        if new:
            self._many(queries.NOTE_SHAPE, [(*at, shapes[at[1]]) for at in new])
            noted.update(new)

    def put_shapes(self, scope: Scope, shapes: Mapping[str, str]) -> None:
        with self._written(scope) as (tenant, _):
            self._many(queries.PUT_SHAPE, [(tenant, type, shape) for type, shape in sorted(shapes.items())])

    # -- queue and vectors -----------------------------------------------------------------------------
    def claim(self, scope: Scope, limit: int, now: int, until: int) -> list[MessageRecord]:
        if limit < 1 or self._space(scope) is None:
            return []
        with self._written(scope) as space:
            rows = self._rows(queries.QUEUE, (*space, limit))
            if len(rows) < limit:
                rows += self._rows(queries.QUEUE_AGAIN, (*space, now, limit - len(rows)))
            if rows:
                self._many(queries.LEASE, [(until, *space, row[10], row[0]) for row in rows])
        return [mapping.message(row) for row in rows]

    def renew(
        self, scope: Scope, ids: Sequence[str], held: int, until: int, waiting: str | None = None
    ) -> set[str]:
        if not ids or self._space(scope) is None:
            return set()
        with self._written(scope) as space:
            return {id for id in ids if self._run(queries.RENEW, (until, waiting, *space, id, held))}

    def put_vectors(self, scope: Scope, fingerprint: str, dimensions: int, rows: Sequence[VectorRow]) -> None:
        for row in rows:
            if len(row.vector) != 4 * dimensions:
                raise InvalidInput(
                    f"vector of {row.kind} {row.id} has {len(row.vector)} bytes, not 4 × {dimensions}"
                )
        with self._written(scope) as (tenant, owner):
            no = self._give_words(tenant, {fingerprint})[fingerprint]
            docs = self._doc_numbers(tenant, owner, {(row.kind, row.id) for row in rows})
            for archived in (False, True):
                there = {doc: at[:2] for doc, at in docs.items() if bool(at[2]) == archived}
                heads = sorted((tenant, owner, no, *at) for at in there.values())
                found = [
                    (tenant, owner, no, *there[row.kind, row.id], row.part, row.vector)
                    for row in rows
                    if (row.kind, row.id) in there
                ]
                self._many(_side(queries.DROP_VECTORS_OF, archived), heads)
                self._many(_side(queries.ADD_VECTOR, archived), found)

    def _doc_numbers(
        self, tenant: int, owner: int, docs: set[tuple[str, str]]
    ) -> dict[tuple[str, str], tuple[int, int, int | None]]:
        """(kind, id) → (code of the kind, seq or no, archived) of the scope's own documents that are still there."""
        said = self._list(id for kind, id in docs if kind == "message")
        forms = self._list(id for kind, id in docs if kind == "form")
        out: dict[tuple[str, str], tuple[int, int, int | None]] = {}
        for id, seq, kind, state, _, archived in self._rows(queries.MESSAGE_STATE, (tenant, owner, said)):
            if kind == 0 and state != mapping.ERASED_MESSAGE:
                out["message", id] = (0, seq, archived)
        for id, no, _, status, _, archived in self._rows(queries.FORM_STATE, (tenant, owner, forms)):
            if status == 0:
                out["form", id] = (1, no, archived)
        return out

    def _forget(self, space: tuple[int, int], docs: Sequence[tuple[int, str, int | None]]) -> int:
        """Documents (number, text as it was added, archived) go out of full text, and their vectors go: how many."""
        done = 0
        for archived in (False, True):
            gone = [(doc, text) for doc, text, there in docs if bool(there) == archived]
            if not gone:
                continue
            self._drop_docs(*space, gone, archived=archived)
            sql = _side(queries.DROP_VECTORS_OF, archived)
            for no in self._fingerprints(space, archived):
                done += self._many(sql, [(*space, no, doc % 2, doc // 2) for doc, _ in gone])
        return done


def _searched(message: MessageRecord) -> bool:
    return message.kind == "message" and message.state != "erased"


def _no(nos: dict[str, int], form: str) -> int:
    found = nos.get(form)
    if found is None:
        raise Conflict(f"no Form {form!r} here: it is gone or was never stored")
    return found


def _key_row(key: KeyRecord, nos: dict[str, int], words: dict[str, int]) -> Row:
    slots = words[mapping.short_slots(key.slots, key.form)]
    return key.name, words[key.type], slots, _no(nos, key.form)


def _vocabulary(changes: ChangeSet) -> set[str]:
    """Words of the schema that the change's rows repeat."""
    words = {form.type for form in changes.forms}
    words.update(version.cause for version in changes.versions)
    for keys in (changes.keys_add, changes.keys_drop):
        words.update(key.type for key in keys)
        words.update(mapping.short_slots(key.slots, key.form) for key in keys)
    words.update(mention.type for mention in changes.mentions)
    for edge in changes.edges:
        words.update((edge.relation, edge.made_by))
    words.update(relation for _, relation, _ in changes.edges_drop)
    words.update(pending.type for pending in changes.pendings)
    return words


def _check_owner(scope: Scope, changes: ChangeSet) -> None:
    owned = [(form.id, form.owner) for form in changes.forms]
    owned += [(pending.id, pending.owner) for pending in changes.pendings]
    owned += [(act.id, act.owner) for act in changes.acts]
    for id, owner in owned:
        if owner != scope.owner:
            raise InvalidInput(f"{id} belongs to {owner!r}: it cannot be written by {scope.owner!r}")
