"""What an act leaves so that it can be undone, and taking it back.

An act keeps, by :data:`TRACES`: the versions that it sealed; each edge that it drew, as it left it and as it stood
before; pending items and dates of last confirmation likewise. What somebody said since is left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from forms_dynamics.errors import Conflict, shared_id, unknown_id
from forms_dynamics.model.message import Receipt
from forms_dynamics.projection import confirmations, placed, withdrawn
from forms_dynamics.strength import begins, ended
from forms_dynamics.versioning.decide import Decider
from forms_dynamics.versioning.near import NEAR
from forms_dynamics.versioning.workspace import Workspace

TRACES = ("versions", "edges", "pendings", "confirmed")  # in the order in which they are taken back
# what an act changes in an edge that is there, in the order in which acts keep it
_STANDING = (
    "status", "weight", "hits", "last_hit", "made_by", "created", "message", "start", "end", "attributes",
    "valid_from", "valid_until",
)  # fmt: skip


# -- what is kept ------------------------------------------------------------------------------------------------
def traces(ws: Workspace, decider: Decider, receipt: Receipt) -> dict[str, list[Any]]:
    """What the act wrote and what stood there before. An edge of a rule follows from the versions, but not its weight
    and hits; new near matches follow from the versions."""
    drawn = ws.drawn()
    ends = sorted({e.source for e in drawn})
    stored = ws.store.edges(ws.scope, ends, inactive=True) if ends else ()
    before = {e.key: e for e in stored}
    edges = []
    for edge in drawn:
        old = before.get(edge.key)
        if old is not None or edge.made_by != NEAR:
            was = None if old is None else [getattr(old, name) for name in _STANDING]
            left = [edge.status, edge.hits, was, edge.weight, edge.valid_until]
            edges.append([*edge.key, *left])
    answered = ws.changes.pendings
    asked = ws.store.pending_items(ws.scope, [item.id for item in answered]) if answered else {}
    pendings = [
        [p.id, p.state, *((asked[p.id].state, asked[p.id].form) if p.id in asked else (None, p.form))]
        for p in answered
    ]
    versions = [list(v.rpartition("@")[::2]) for v in receipt.versions]
    return {
        "versions": versions, "edges": edges, "pendings": pendings, "confirmed": _confirmed(ws, decider)
    }  # fmt: skip


def _confirmed(ws: Workspace, decider: Decider) -> list[list[Any]]:
    """Form, slot, when it was confirmed before the act, and by it."""
    forms = decider.outcome.forms
    stored = ws.store.forms(ws.scope, list(forms)) if forms else {}
    out: list[list[Any]] = []
    for id, working in forms.items():
        record = stored.get(id)
        before = {} if record is None else confirmations(record, ws.catalog.types.get(record.type))
        for slot in sorted({*before, *working.confirmed}):
            if before.get(slot) != working.confirmed.get(slot):
                out.append([id, slot, before.get(slot), working.confirmed.get(slot)])
    return out


# -- taking it back ----------------------------------------------------------------------------------------------
def take_back(ws: Workspace, decider: Decider, act: str, kind: str, rows: Sequence[Sequence[Any]]) -> bool:
    """Takes back some traces of one kind; whether there was anything left to take back. Conflict where it is done
    already, and where what the act wrote was erased."""
    if kind == "versions":
        gone = ws.store.erased(ws.scope, forms=[id for id, _ in rows])
        if gone:
            raise Conflict(f"act {act!r} cannot be undone: {', '.join(sorted(gone))} was erased")
        for id, n in rows:
            _withdraw(ws, decider, act, id, int(n))
        return bool(rows)
    if kind == "edges":
        return _undraw(ws, decider, rows)
    if kind == "pendings":
        return _reopen(ws, rows)
    return _undate(ws, decider, rows)


def _withdraw(ws: Workspace, decider: Decider, act: str, id: str, n: int) -> None:
    working = ws.form(id)
    if working is None:
        raise unknown_id("Form", id)
    if working.owner != ws.scope.owner:
        raise shared_id(id)
    chain = ws.chain(working)
    gone = withdrawn(chain)
    if n in gone:
        raise Conflict(f"act {act!r} is already undone")
    if any(v.n == n and v.payload is None for v in chain):
        raise Conflict(f"act {act!r} cannot be undone: what it wrote in {id} was erased")
    ws.withdraw(working, n)
    working.delta.cause = "undo"
    decider.outcome.forms[id] = working


def _undraw(ws: Workspace, decider: Decider, edges: Sequence[Sequence[Any]]) -> bool:
    """Edges as they stood before, unless something has been said of them since."""
    written = {(e[0], e[1], e[2]): e[3:] for e in edges}
    done = False
    for edge in ws.edges(sorted({key[0] for key in written})):
        told = written.get(edge.key)
        if told is None:
            continue
        status, hits, was, *more = told  # acts of older stores tell less
        left = [edge.weight, edge.valid_until][: len(more)]
        if edge.status != status or edge.hits != hits or more != left:
            continue
        if was is None:
            ws.put_edge(ended(edge, "invalid", begins(edge)))  # it never held
        else:
            ws.put_edge(edge._replace(**dict(zip(_STANDING, was, strict=False))))
        decider.outcome.edges.append(edge.id)
        done = True
    return done


def _reopen(ws: Workspace, pendings: Sequence[Sequence[Any]]) -> bool:
    """Pending items as they stood before; those that the act opened are closed."""
    done = False
    for id, state, before, *rest in pendings:
        item = ws.store.pending_items(ws.scope, [id]).get(id)
        if item is not None and item.state == state:
            ws.remember_pending(item)
            home = rest[0] if rest else item.form  # a split takes questions along
            if home != item.form:
                ws.rehome_pending(item, home)
            ws.put_pending(item._replace(state=before or "expired", form=home))
            done = True
    return done


def _undate(ws: Workspace, decider: Decider, dates: Sequence[Sequence[Any]]) -> bool:
    """Dates of last confirmation as they stood before, unless another came since."""
    done = False
    ws.load([id for id, *_ in dates])
    for id, slot, before, after in dates:
        working = ws.own(id)
        if working is None or working.confirmed.get(slot) != after:
            continue
        if before is None:
            del working.confirmed[slot]
        else:
            working.confirmed[slot] = before
        working.dirty = done = True
        decider.outcome.forms.setdefault(id, working)
    return done


def as_before(ws: Workspace, decider: Decider) -> None:
    """What is taken back is no news: the Forms were last told of when they were before."""
    for working in decider.outcome.forms.values():
        chain = placed(ws.chain(working))
        gone = withdrawn(chain)
        told = [v.time for v in chain if v.n not in gone and v.cause != "undo"]
        working.updated = max(told, default=working.updated)


__all__ = ["TRACES", "as_before", "take_back", "traces"]
