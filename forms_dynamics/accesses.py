"""When Forms were last shown by a recall: noted at most once a day a Form, and written a few at a time.

A recall stays a read. Its notes wait in memory, shared by all scopes of one opened memory, and are written together
when there are :data:`FULL` of them, when the first has waited :data:`SECONDS`, with upkeep and on close; at once
where a note makes a cold Form warm. Where another writes at that moment they stay for later: no recall waits for a
writer. Reads of the process count them as written. A process that is killed loses those that wait, of warm Forms
only: one may then grow cold a day too early, or seem never to have been recalled.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import suppress

from forms_dynamics.errors import StoreUnavailable
from forms_dynamics.model.record import ChangeSet, FormRecord, Scope
from forms_dynamics.model.value import DAY, SECOND
from forms_dynamics.ports import Store
from forms_dynamics.projection import is_cold
from forms_dynamics.schema.spec import Catalog

FULL = 64  # notes that are written without waiting for more
SECONDS = 5.0  # that a note waits for others, if a recall comes then
_MOST = 10_000  # notes that are kept where the store cannot be written; the oldest go first
_PAUSE = 0.02
_SETTLING = 2.0  # seconds that closing waits for another writer


class Accesses:
    """The notes that wait. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._flushing = threading.Lock()
        # (tenant, owner, Form) → when, in microseconds; in the order in which they were noted
        self._notes: dict[tuple[str, str, str], int] = {}
        self._since = (0.0, 0)  # when the first was noted: by the machine, and by the memory's clock
        self._urgent = False

    def __len__(self) -> int:
        return len(self._notes)

    def seen(self, tenant: str, record: FormRecord) -> FormRecord:
        """The record as it will be once the notes are written."""
        if not self._notes:
            return record
        when = self._notes.get((tenant, record.owner, record.id))
        if when is None:
            return record
        return record._replace(accessed=max(record.accessed, when), recalled=True)

    def note(
        self, store: Store, catalog: Catalog, scope: Scope, shown: Sequence[FormRecord], now: int
    ) -> None:
        """Notes that a recall showed these Forms, and writes what waits if it is time and nobody is in the way."""
        if store.read_only:
            return
        with self._lock:
            for stored in shown:
                record = self.seen(scope.tenant, stored)
                if record.owner != scope.owner or (record.recalled and now - record.accessed <= DAY):
                    continue
                if not self._notes:
                    self._since = time.monotonic(), now
                at = (scope.tenant, scope.owner, record.id)
                self._notes.pop(at, None)
                # of a day in which it was told only that it was recalled is news
                self._notes[at] = now if now - record.accessed > DAY else record.accessed
                self._urgent = self._urgent or is_cold(catalog.life(record.type), record, now)
            while len(self._notes) > _MOST:
                del self._notes[next(iter(self._notes))]
            due = bool(self._notes) and (self._urgent or len(self._notes) >= FULL)
        if due:
            with suppress(StoreUnavailable):  # the recall has read what it was asked for; the notes stay
                self.flush(store)

    def ripen(self, store: Store, now: int) -> None:
        """Writes the notes that have waited long enough, before a recall looks for what is cold by what is stored."""
        with self._lock:
            waited = max(time.monotonic() - self._since[0], (now - self._since[1]) / SECOND)
            due = bool(self._notes) and waited >= SECONDS
        if due:
            with suppress(StoreUnavailable):
                self.flush(store)

    def flush(self, store: Store, *, wait: float = 0.0) -> int:
        """Writes the notes that wait, a transaction an owner; how many. Those of an owner for whom somebody else
        writes stay, after up to ``wait`` seconds in all."""
        until = time.monotonic() + wait
        written = 0
        with self._flushing:
            with self._lock:
                waiting: dict[tuple[str, str], list[tuple[str, int]]] = {}
                for (tenant, owner, form), when in self._notes.items():
                    waiting.setdefault((tenant, owner), []).append((form, when))
            for (tenant, owner), notes in waiting.items():
                changes = ChangeSet(accesses=sorted(notes))
                while not (done := store.try_apply(Scope(tenant, owner), changes)):
                    if time.monotonic() >= until:
                        break
                    time.sleep(_PAUSE)
                if done:
                    written += len(notes)
                    self._drop(tenant, owner, notes)
        return written

    def settle(self, store: Store) -> None:
        """Writes what waits before the store is closed or copied; gives up where another writes all the while."""
        if self._notes:
            with suppress(StoreUnavailable):
                self.flush(store, wait=_SETTLING)

    def _drop(self, tenant: str, owner: str, written: Sequence[tuple[str, int]]) -> None:
        with self._lock:
            for form, when in written:
                if self._notes.get((tenant, owner, form)) == when:
                    del self._notes[tenant, owner, form]
            if not self._notes:
                self._urgent = False


__all__ = ["FULL", "SECONDS", "Accesses"]
