"""A memory as rows, a page of the store at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from forms_dynamics.exchange import rows
from forms_dynamics.model.record import ERASED_OWNER, Scope, VersionRecord
from forms_dynamics.ports import Store


def export(store: Store, scopes: Iterable[Scope]) -> Iterator[dict[str, Any]]:
    """The rows of ``scopes`` and the end row. Of scopes but the first, only those that hold anything; the
    tombstones of users who were erased whole are nobody's and stay here."""
    for place, scope in enumerate(scopes):
        if scope.owner.startswith(ERASED_OWNER):
            continue
        head = {"kind": "scope", "tenant": scope.tenant, "user": scope.owner or None, "format": rows.FORMAT}
        if place == 0:
            yield head
        for row in _section(store, scope):
            if place and head:
                yield head
                head = {}
            yield row
    yield {"kind": "end"}


def _section(store: Store, scope: Scope) -> Iterator[dict[str, Any]]:
    last = 0
    for message in store.scan(scope, "messages"):
        last = message.seq
        yield rows.message_row(message)
    yield from _forms(store, scope)
    yield from _mentions(store, scope, last)
    for edge in store.scan(scope, "edges"):
        yield rows.edge_row(edge)
    for item in store.scan(scope, "pendings"):
        yield rows.pending_row(item)
    for act in store.scan(scope, "acts"):
        yield rows.act_row(act)


def _forms(store: Store, scope: Scope) -> Iterator[dict[str, Any]]:
    """Each Form before its versions. What arrives while the pages are read is left out, never half of it."""
    forms = iter(store.scan(scope, "forms"))
    form = next(forms, None)
    for id, chain in groupby(store.scan(scope, "versions"), key=lambda version: version.form):
        while form is not None and form.id < id:
            form = next(forms, None)
        versions: list[VersionRecord] = list(chain)
        if form is not None and form.id == id:
            yield rows.form_row(form)
            yield from (rows.version_row(version) for version in versions[: form.n])
        elif all(version.payload is None for version in versions):
            yield rows.erased_form_row(id, len(versions))
            yield from (rows.version_row(version) for version in versions)


def _mentions(store: Store, scope: Scope, last: int) -> Iterator[dict[str, Any]]:
    """Which Forms each message up to seq ``last`` touched."""
    said = iter(store.scan(scope, "messages"))
    for seq, mentions in groupby(store.scan(scope, "mentions"), key=lambda mention: mention.seq):
        message = next((each for each in said if each.seq >= seq), None)
        if message is None or seq > last:
            return
        if message.seq == seq:
            yield {"kind": "mention", "message": message.id, "forms": [mention.form for mention in mentions]}
