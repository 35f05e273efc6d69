"""Rows of an export into a store: all of them in one transaction, or none.

Here they are read in the order in which export wrote them; ``put`` writes what they hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from typing import Any

from forms_dynamics.exchange.lines import read
from forms_dynamics.exchange.put import Chain, Mention, Part, Tally
from forms_dynamics.exchange.rows import MESSAGES, Row, refused
from forms_dynamics.model.record import Scope
from forms_dynamics.model.report import Loaded
from forms_dynamics.ports import Store
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.versioning.keys import given_to

BATCH = 500
_STAGES = {
    **dict.fromkeys(MESSAGES, 0),
    "form": 1,
    "version": 1,
    "mention": 2,
    "edge": 3,
    "pending": 4,
    "act": 5,
}
_STAGE_NAMES = ("messages", "Forms with their versions", "mentions", "edges", "pending items", "acts")
_NOBODY = ""


class _Rehearsed(Exception):
    """A dry run has come to its end: everything goes back."""


class Loader:
    """One run. ``owner`` None: each part of the file goes to its own user; else all of it goes to that one."""

    def __init__(self, store: Store, catalog: Catalog, scope: Scope, now: int, owner: str | None) -> None:
        self._store = store
        self._catalog = catalog
        self._start = scope
        self._now = now
        self._owner = owner
        self._scope = scope  # of the part being read
        self._part: Part  # since its scope row, with which every file begins
        self._old = False  # it is of format 1
        self._moved: tuple[str, str] | None = None  # user of the file, owner here, where they differ
        self._users: list[str | None] = []
        self._tally = Tally()
        self._stage = 0
        self._last: Any = None
        self._chain: Chain | None = None
        self._batch: list[tuple[Row, Any]] = []

    def run(self, given: Iterable[Mapping[str, Any] | str | bytes], dry_run: bool) -> Loaded:
        """Takes all rows; see ``Memory.load``."""
        try:
            with self._store.writing(Scope(self._start.tenant, self._start.owner)), ExitStack() as owners:
                for row in read(given):
                    if row.kind == "scope":
                        self._flush()
                        self._begin(row, owners)
                    else:
                        self._take(row)
                self._flush()
                if dry_run:
                    raise _Rehearsed
        except _Rehearsed:
            pass
        counts = self._tally.counts
        return Loaded(
            tuple(self._users), counts["messages"], counts["forms"], counts["versions"], counts["edges"],
            counts["pending"], counts["acts"], counts["erased"], counts["known"], counts["loose"],
            dict(sorted(self._tally.types.items())),
        )  # fmt: skip

    # -- rows in order -----------------------------------------------------------------------------------------
    def _begin(self, row: Row, owners: ExitStack) -> None:
        user = row.optional("user") or _NOBODY
        owner = user if self._owner is None else self._owner
        if self._owner is not None and self._users:
            raise refused(
                row.line,
                f"the rows of a second user begin here ({user or 'the shared space'}), and all were to go to"
                " one: leave the user out, or export one user",
            )
        self._users.append(owner or None)
        self._moved = None if owner == user else (user, owner)
        self._scope = Scope(self._start.tenant, owner, self._start.shared)
        owners.enter_context(self._store.writing(Scope(self._start.tenant, owner)))
        self._old = row.data["format"] == 1
        self._part = Part(self._store, self._catalog, self._scope, self._now, self._tally, self._old)
        self._stage, self._last = 0, None

    def _take(self, row: Row) -> None:
        stage = _STAGES.get(row.kind) if isinstance(row.kind, str) else None
        if stage is None:
            kinds = ", ".join(("scope", *_STAGES, "end"))
            raise refused(row.line, f"no kind of row {row.kind!r} (there are {kinds})")
        if stage < self._stage:
            raise row.wrong(
                f"stands behind {_STAGE_NAMES[self._stage]}, but {_STAGE_NAMES[stage]} come first: the rows are"
                " in another order than export wrote them"
            )
        if stage > self._stage:
            self._flush()
            self._stage, self._last = stage, None
        if stage == 1:
            self._link(row)
            return
        record, key = self._read(stage, row)
        if key is not None:
            self._rising(row, key)
        self._batch.append((row, record))
        if len(self._batch) >= BATCH:
            self._flush()

    def _read(self, stage: int, row: Row) -> tuple[Any, Any]:
        """The record, and what it is ordered by where an order is kept."""
        if stage == 0:
            return row.message(), None
        if stage == 2:
            return Mention(row.name("message"), row.texts("forms")), None
        if stage == 3:
            edge = row.edge()
            return edge, None if self._old else edge.key
        record = row.pending(self._scope.owner) if stage == 4 else row.act(self._scope.owner)
        return record, record.id

    def _rising(self, row: Row, key: Any) -> None:
        if self._last is not None and key <= self._last:
            raise row.wrong(
                "stands twice or out of order: the rows are in another order than export wrote them"
            )
        self._last = key

    def _link(self, row: Row) -> None:
        """A Form begins, or the next version of the one that is open."""
        if row.kind == "form":
            self._close()
            erased = row.data.get("status") == "erased"
            id = row.name("id")
            self._rising(row, id)
            record = None if erased else row.form(self._scope.owner)
            self._chain = Chain(row, id, row.integer("version", 1), record)
            return
        chain = self._chain
        version = row.version(self._given_to(chain))
        if chain is None or version.form != chain.id:
            raise row.wrong("does not follow its Form: the rows are in another order than export wrote them")
        if version.n != len(chain.versions) + 1:
            raise row.wrong(
                f"is version {version.n} where version {len(chain.versions) + 1} should stand: the chain has a gap"
            )
        if chain.record is None and version.payload is not None:
            raise row.wrong("has a payload, but its Form is erased")
        chain.versions.append(version)
        chain.lines.append(row)

    def _given_to(self, chain: Chain | None) -> Callable[[Mapping[str, Any]], Mapping[str, Any]] | None:
        """Makes a payload the owner's, where the file names another."""
        if self._moved is None or chain is None or chain.record is None:
            return None
        was, now = self._moved
        form_type = self._catalog.types.get(chain.record.type)
        return lambda payload: given_to(payload, form_type, was, now)

    def _close(self) -> None:
        chain, self._chain = self._chain, None
        if chain is None:
            return
        if len(chain.versions) != chain.n:
            raise chain.row.wrong(
                f"has {chain.n} versions, but {len(chain.versions)} follow: rows are missing, or the file was cut off"
            )
        self._batch.append((chain.row, chain))
        if len(self._batch) >= BATCH:
            self._flush()

    def _flush(self) -> None:
        self._close()
        batch, self._batch = self._batch, []
        if batch:
            part = self._part
            (part.messages, part.chains, part.mentions, part.edges, part.pendings, part.acts)[self._stage](
                batch
            )


__all__ = ["Loader"]
