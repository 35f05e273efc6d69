"""A whole scope at once: verify (of several), rebuild, erase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from forms_dynamics.assertions import from_now_on
from forms_dynamics.dynamics import relate
from forms_dynamics.errors import InvalidInput
from forms_dynamics.intake import Intake
from forms_dynamics.model.record import ChangeSet, EdgeRecord, FormRecord, MessageRecord, Scope, VersionRecord
from forms_dynamics.model.report import Erased, Verification
from forms_dynamics.ports import Store
from forms_dynamics.projection import fold, state_of
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.strength import again, ended
from forms_dynamics.versioning.chain import problems
from forms_dynamics.versioning.workspace import Workspace

_CHUNK = 500


def verified(store: Store, catalog: Catalog, scopes: Iterable[Scope], now: int) -> Verification:
    """Re-derives every chain and head of the scopes, and asks the backend about its files."""
    found = list(store.integrity())
    forms = versions = erased = 0
    for scope in scopes:
        chains = _grouped(store.scan(scope, "versions"))
        heads: dict[str, FormRecord] = {f.id: f for f in store.scan(scope, "forms")}
        for id, chain in chains.items():
            versions += len(chain)
            erased += sum(v.payload is None for v in chain)
            found.extend(problems(chain))
            record = heads.get(id)
            if record is None:
                if any(v.payload is not None for v in chain):
                    found.append(f"{id}: its versions have no Form")
                continue
            forms += 1
            found.extend(_head_problems(catalog, record, chain, now))
        found.extend(f"{id}: a Form without versions" for id in heads if id not in chains)
    return Verification(not found, forms, versions, erased, tuple(found))


def _head_problems(
    catalog: Catalog, record: FormRecord, chain: Sequence[VersionRecord], now: int
) -> Iterator[str]:
    if record.n != chain[-1].n:
        yield f"{record.id}: its head says version {record.n}, its chain {chain[-1].n}"
        return
    form_type = catalog.types.get(record.type)
    kept, told = state_of(record, form_type)["s"], fold(chain, form_type)["s"]
    at = max(now, record.updated)
    for slot in sorted({*kept, *told}):
        spec = form_type.slots.get(slot) if form_type else None
        ours, theirs = (_changes(from_now_on(spec, s.get(slot, ()), at)) for s in (kept, told))
        if ours != theirs:
            yield f"{record.id}: slot {slot} differs from its chain; rebuild mends it"


class Ledger:
    """Repairs one scope as a whole, and erases from it."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._store = intake.store
        self._scope = intake.scope
        self._catalog = intake.catalog

    # -- rebuild ---------------------------------------------------------------------------------------------
    def rebuild(self) -> dict[str, int]:
        """Makes what is derived anew from messages and versions: heads, names, mentions, rule edges, full
        text. When edges of rules were hit and held is no matter of versions, and is kept. The stored vectors go;
        ``Memory.rebuild`` makes new ones. Says how many Forms and texts."""
        store, scope = self._store, self._scope
        with store.writing(scope):
            messages = {m.id: m for m in store.scan(scope, "messages")}
            chains = _grouped(store.scan(scope, "versions"))
            records: dict[str, FormRecord] = {f.id: f for f in store.scan(scope, "forms")}
            drawn = {e.key: e for e in store.scan(scope, "edges") if e.made_by.startswith("rule:")}
            store.drop_derived(scope)
            ids = [id for id in chains if id in records]
            for start in range(0, len(ids), _CHUNK):
                ws = Workspace(store, scope, self._catalog, self._intake.now())
                for id in ids[start : start + _CHUNK]:
                    self._restore(ws, records[id], chains[id], messages)
                store.apply(scope, ws.finish())
            for start in range(0, len(ids), _CHUNK):
                ws = Workspace(store, scope, self._catalog, self._intake.now())
                self._draw(ws, ids[start : start + _CHUNK], chains, messages)
                for edge in ws.drawn():
                    ws.put_edge(_as_it_was(edge, drawn.pop(edge.key, None)))
                store.apply(scope, ws.finish())
            rest = [_gone(edge) for edge in drawn.values()]
            for start in range(0, len(rest), _CHUNK):
                store.apply(scope, ChangeSet(edges=rest[start : start + _CHUNK]))
            texts = store.index_texts(scope)
        return {"forms": len(ids), "texts": texts}

    def _restore(
        self,
        ws: Workspace,
        record: FormRecord,
        chain: Sequence[VersionRecord],
        messages: Mapping[str, MessageRecord],
    ) -> None:
        working = ws.own(record.id)
        if working is None:
            return
        working.keys = set()
        ws.settle(working, chain)
        ws.sync_keys(working)
        for version in chain:
            message = messages.get(version.message)
            if message is not None and version.payload is not None:
                ws.mention(working, message, message.role == "user")

    def _draw(
        self,
        ws: Workspace,
        ids: Sequence[str],
        chains: Mapping[str, Sequence[VersionRecord]],
        messages: Mapping[str, MessageRecord],
    ) -> None:
        for id in ids:
            working = ws.own(id)
            made_by = messages.get(chains[id][0].message)
            if working is not None and made_by is not None:
                relate.apply_rules(ws, working, False, made_by)

    # -- erase -----------------------------------------------------------------------------------------------
    def erase(self, user: bool, form_id: str | None, message: str | None) -> Erased:
        """Removes a Form, a message with all that rests on it, or everything of the scope's user, for good."""
        from forms_dynamics.erasure import Erasure

        if sum((user, form_id is not None, message is not None)) != 1:
            raise InvalidInput("erase takes one of user, form_id and message")
        if user:
            done = self._store.erase(self._scope, owner=True)
        else:
            erasure = Erasure(self._store, self._scope, self._catalog, self._intake.now())
            done = erasure.form(form_id) if form_id is not None else erasure.message(message or "")
        return Erased(
            done.get("forms", 0), done.get("versions", 0), done.get("messages", 0), done.get("withheld", 0)
        )


def _as_it_was(edge: EdgeRecord, old: EdgeRecord | None) -> EdgeRecord:
    """An edge that its rule demands, with the hits and the times that were stored of it."""
    if old is None or old.status != "active":
        return edge if old is None else again(edge, old)
    return old


def _gone(edge: EdgeRecord) -> EdgeRecord:
    """An edge that its rule does not demand: it is kept for what held in its time."""
    return ended(edge, "superseded", edge.last_hit) if edge.status == "active" else edge


def _changes(held: Iterable[tuple[int, Any]]) -> list[tuple[int, Any]]:
    """Without the moments at which the value stays what it was."""
    out: list[tuple[int, Any]] = []
    for moment, value in held:
        if not out or out[-1][1] != value:
            out.append((moment, value))
    return out


def _grouped(versions: Iterable[VersionRecord]) -> dict[str, list[VersionRecord]]:
    out: dict[str, list[VersionRecord]] = {}
    for version in versions:
        out.setdefault(version.form, []).append(version)
    return out
