"""Findings put up for review, once each, and taken down when they are no more.

Nothing is settled here: a finding waits among the pending items (or, of two Forms that may be one, among the
candidate links) until a person decides, so that no answer depends on whether upkeep ran.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from forms_dynamics.assertions import dump
from forms_dynamics.model.record import PendingRecord, Scope
from forms_dynamics.model.report import Finding, Upkeep
from forms_dynamics.ports import Store
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings
from forms_dynamics.upkeep.checks import Found, Judge, Suspect, suspects
from forms_dynamics.versioning.near import near_match

_AT_ONCE = 20  # suspects of one transaction
_MOST_OPEN = 50  # findings of one kind that wait in a scope at once: nobody is buried in questions
_MARK = '"finding"'


@dataclass(slots=True)
class SelfCheck:
    """The self-check of one scope. ``over``: whether time has run out."""

    store: Store
    scope: Scope
    catalog: Catalog
    settings: Settings
    now: int
    dry_run: bool
    over: Callable[[], bool]
    waiting: Counter[str] = field(default_factory=Counter)  # open findings by kind

    def run(self) -> Upkeep:
        """Closes what is no more, then puts up what is new."""
        since = self.settings.asked_since(self.now)
        items = [p for p in self.store.pendings(self.scope) if _MARK in p.draft]
        drafts = {item.id: json.loads(item.draft) for item in items}
        asked = [item for item in items if "finding" in drafts[item.id] and item.asked >= since]
        gone, left = self._close(asked, drafts)
        self.waiting.update(drafts[item.id]["finding"] for item in asked if item.id not in gone)
        done = Upkeep(gone=len(gone), left=left)
        return done if left else done + self._put_up()

    def judge(self) -> Judge:
        return Judge(self.store, self.scope, self.catalog, self.settings, self.now)

    # -- what is no more ---------------------------------------------------------------------------------------
    def _close(
        self, items: Sequence[PendingRecord], drafts: dict[str, dict[str, list[str]]]
    ) -> tuple[set[str], bool]:
        closed: set[str] = set()
        for start in range(0, len(items), _AT_ONCE):
            batch = items[start : start + _AT_ONCE]
            gone = self._gone(self.judge(), batch, drafts)
            if gone and not self.dry_run:
                with self.store.writing(self.scope):
                    gone = self._close_now(gone, drafts)
            closed.update(item.id for item in gone)
            if self.over():
                return closed, True
        return closed, False

    @staticmethod
    def _gone(
        judge: Judge, items: Iterable[PendingRecord], drafts: dict[str, dict[str, list[str]]]
    ) -> list[PendingRecord]:
        return [p for p in items if p.id not in {found.id for found in judge(drafts[p.id]["of"])}]

    def _close_now(
        self, items: Iterable[PendingRecord], drafts: dict[str, dict[str, list[str]]]
    ) -> list[PendingRecord]:
        """Looked at again where nobody else can write."""
        judge = self.judge()
        here = self.store.pending_items(self.scope, [item.id for item in items])
        gone = self._gone(judge, (p for p in here.values() if p.state == "open"), drafts)
        for item in gone:
            judge.ws.remember_pending(item)
            judge.ws.put_pending(item._replace(state="expired"))
        self.store.apply(self.scope, judge.ws.finish())
        return gone

    # -- what is new -------------------------------------------------------------------------------------------
    def _put_up(self) -> Upkeep:
        done = Upkeep()
        batch: list[Suspect] = []
        for suspect in suspects(self.store, self.scope, self.catalog, self.now):
            batch.append(suspect)
            if len(batch) == _AT_ONCE:
                done += self._take(batch)
                batch = []
                if self.over():
                    return done + Upkeep(left=True)
        return done + self._take(batch)

    def _take(self, batch: Sequence[Suspect]) -> Upkeep:
        if not batch:
            return Upkeep()
        new = self._new(self.judge(), batch)
        if new and not self.dry_run:
            with self.store.writing(self.scope):
                judge = self.judge()
                new = self._new(judge, dict.fromkeys(found.suspect for found in new))
                for found in new:
                    self._put(judge, found)
                self.store.apply(self.scope, judge.ws.finish())
        self.waiting.update(found.kind for found in new)
        told = [self._told(found) for found in new]
        return Upkeep(found=len(new), findings=tuple(told))

    def _new(self, judge: Judge, batch: Iterable[Suspect]) -> list[Found]:
        """Findings that wait nowhere yet, and that no person has refused."""
        found = [one for suspect in batch for one in judge(suspect)]
        here = self.store.pending_items(self.scope, [one.id for one in found if not one.links])
        room = Counter(self.waiting)
        out: list[Found] = []
        for one in found:
            old = here.get(one.id)
            known = old is not None and old.state in ("open", "refused")
            if not known and room[one.kind] < _MOST_OPEN:
                room[one.kind] += 1
                out.append(one)
        return out

    def _put(self, judge: Judge, found: Found) -> None:
        ws, now = judge.ws, self.now
        for one, other in found.links:
            ws.put_edge(near_match(other, one, now))
        if found.links:
            return
        item = PendingRecord(
            found.id, self.scope.owner, found.form, found.type, None, dump({"v": None}), 0.0,
            "relation_missing" if found.kind == "missing" else "conflict", found.question,
            json.dumps(list(found.candidates), ensure_ascii=False), now, "open", "",
            dump({"finding": found.kind, "of": list(found.suspect), **(found.draft or {})}),
        )  # fmt: skip
        old = self.store.pending_items(self.scope, [found.id]).get(found.id)
        if old is not None:  # answered or expired before, and here again
            ws.remember_pending(old)
        ws.put_pending(item)

    def _told(self, found: Found) -> Finding:
        return Finding(
            found.kind, tuple(found.forms), tuple(found.edges), found.question,
            None if found.links else found.id, self.scope.owner or None,
        )  # fmt: skip


__all__ = ["SelfCheck"]
