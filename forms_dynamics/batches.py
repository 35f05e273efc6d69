"""Many messages at once: a window at a time, the model calls of the next one begun while this one is stored."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any

from forms_dynamics.errors import Conflict, InvalidInput
from forms_dynamics.intake import Intake, Taken, Talk
from forms_dynamics.model.message import Receipt, Refusal

WINDOW = 200


@dataclass(slots=True)
class _Lane:
    """The messages of one owner, in order."""

    intake: Intake
    talk: Talk
    times: dict[str, datetime] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)  # prepared in this call
    open: set[str] = field(default_factory=set)  # conversations of the window that is not stored yet


@dataclass(slots=True)
class _Window:
    """Some messages of all owners: prepared, or refused for what they are."""

    receipts: list[Receipt | None] = field(default_factory=list)
    taken: dict[str, list[tuple[int, Taken]]] = field(default_factory=dict)  # by owner


class Batches:
    """Takes messages of several owners; ``intake_of`` gives the intake of a ``user`` (None: the memory's own)."""

    def __init__(self, intake_of: Callable[[str | None], Intake]) -> None:
        self._intake_of = intake_of
        self._lanes: dict[str, _Lane] = {}

    def take(self, raws: Iterable[Mapping[str, Any]]) -> list[Receipt]:
        """A receipt for each message in order. A message that cannot be taken gets a refused one that says why."""
        out: list[Receipt] = []
        source = iter(raws)
        before: _Window | None = None
        while raw := list(islice(source, WINDOW)):
            with uncollected():
                window = self._prepared(raw)
                if before is not None:
                    out.extend(self._finished(before))
            before = window
        if before is not None:
            with uncollected():
                out.extend(self._finished(before))
        return out

    # -- before its turn -------------------------------------------------------------------------------------
    def _prepared(self, raws: Sequence[Any]) -> _Window:
        window = _Window([None] * len(raws))
        opened: dict[str, set[str]] = {}
        begun: dict[str, list[Taken]] = {}
        for i, raw in enumerate(raws):
            try:
                lane = self._lane(raw)
                taken = lane.intake.prepare(raw, lane.intake.now(), lane.times)
            except (InvalidInput, Conflict) as bad:
                window.receipts[i] = _refused(raw, bad)
                continue
            owner = lane.intake.scope.owner
            window.taken.setdefault(owner, []).append((i, taken))
        for owner, own in window.taken.items():
            lane = self._lanes[owner]
            if hasattr(lane.intake.extractor, "ahead"):
                begun[owner] = self._known(lane, [taken for _, taken in own])
            opened[owner] = {taken.message.conversation for _, taken in own}
        for owner, batch in begun.items():
            self._lanes[owner].intake.begin(batch)
        for owner, lane in self._lanes.items():
            lane.open = opened.get(owner, set())
        return window

    def _lane(self, raw: Any) -> _Lane:
        user = raw.get("user") if isinstance(raw, Mapping) else None
        intake = self._intake_of(None if user is None else str(user))
        return self._lanes.setdefault(intake.scope.owner, _Lane(intake, Talk()))

    @staticmethod
    def _known(lane: _Lane, own: Sequence[Taken]) -> list[Taken]:
        """Those that are new here, with what they may look at: no model is asked about a message twice."""
        intake = lane.intake
        stored = intake.store.messages(intake.scope, [t.record.id for t in own if not t.generated])
        fresh = []
        open = set(lane.open)
        for taken in own:
            id = taken.record.id
            if id not in stored and id not in lane.ids:
                intake.know(taken, lane.talk, follows=taken.message.conversation in open)
                open.add(taken.message.conversation)
                fresh.append(taken)
            lane.ids.add(id)
        return fresh

    # -- in turn ---------------------------------------------------------------------------------------------
    def _finished(self, window: _Window) -> list[Receipt]:
        for owner, own in window.taken.items():
            lane = self._lanes[owner]
            taken = [each for _, each in own]
            try:
                done = lane.intake.finish(taken, lane.talk)
            except (InvalidInput, Conflict):
                lane.talk.unsettled.clear()
                done = [self._alone(lane, each) for each in taken]
            for (i, _), receipt in zip(own, done, strict=True):
                window.receipts[i] = receipt
        return [receipt for receipt in window.receipts if receipt is not None]

    @staticmethod
    def _alone(lane: _Lane, taken: Taken) -> Receipt:
        if taken.receipt is not None:
            return taken.receipt
        try:
            return lane.intake.finish([taken], lane.talk)[0]
        except (InvalidInput, Conflict) as bad:
            return _refused({"id": None if taken.generated else taken.record.id}, bad)


def _refused(raw: Any, bad: Exception) -> Receipt:
    id = str(raw.get("id") or "") if isinstance(raw, Mapping) else ""
    return Receipt(id, "refused", refused=(Refusal("", None, None, str(bad)),))


@contextmanager
def uncollected() -> Iterator[None]:
    """A window makes many small values and no cycles: it does not stop to look for some."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


__all__ = ["Batches", "uncollected"]
