"""What upkeep does for one scope: steps of short transactions, each safe to be cut off and to run twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from forms_dynamics.model.record import Scope
from forms_dynamics.model.report import Upkeep
from forms_dynamics.model.value import DAY
from forms_dynamics.versioning.workspace import Workspace

if TYPE_CHECKING:
    from forms_dynamics.compose import Parts

_AT_ONCE = 50  # questions that one transaction closes


class Tending:
    """The steps over one memory's parts. ``over``: whether time has run out."""

    def __init__(self, parts: Parts, now: int, *, dry_run: bool, over: Callable[[], bool]) -> None:
        self._parts = parts
        self._store, self._catalog, self._settings = parts.store, parts.catalog, parts.settings
        self._now, self._dry_run, self.over = now, dry_run, over
        self._reaches_embedder = parts.embedder is not None

    def steps(self, scope: Scope) -> Iterator[tuple[str, Callable[[], Upkeep]]]:
        """The steps by name, in order; derived work last, since it may call on a model elsewhere."""
        yield "replies", lambda: self.replies(scope)
        yield "questions", lambda: self.questions(scope)
        yield "sweep", lambda: self.swept(scope)
        yield "self-check", lambda: self.checked(scope)
        yield "archive", lambda: self.archived(scope)
        if self._reaches_embedder:
            yield "vectors", lambda: self.vectors(scope)

    def give_up_vectors(self) -> None:
        """The embedder is out of reach: it is not asked for every scope in turn."""
        self._reaches_embedder = False

    def replies(self, scope: Scope) -> Upkeep:
        """Replies of models older than ``settings.reply_days``."""
        before = self._now - self._settings.reply_days * DAY + 1
        return Upkeep(replies=self._store.drop_replies(scope, before, self._dry_run))

    def questions(self, scope: Scope) -> Upkeep:
        """Questions that nobody answered in ``settings.pending_days``."""
        store, since = self._store, self._settings.asked_since(self._now)
        old = [item.id for item in store.pendings(scope) if item.asked < since]
        if self._dry_run:
            return Upkeep(expired_questions=len(old))
        done = 0
        for start in range(0, len(old), _AT_ONCE):
            with store.writing(scope):
                ws = Workspace(store, scope, self._catalog, self._now)
                # whoever answered meanwhile was in time
                here = store.pending_items(scope, old[start : start + _AT_ONCE]).values()
                for item in (p for p in here if p.state == "open"):
                    ws.remember_pending(item)
                    ws.put_pending(item._replace(state="expired"))
                    done += 1
                store.apply(scope, ws.finish())
            if self.over():
                return Upkeep(expired_questions=done, left=start + _AT_ONCE < len(old))
        return Upkeep(expired_questions=done)

    def swept(self, scope: Scope) -> Upkeep:
        """Derived rows that lead to nothing."""
        return Upkeep(dropped=self._store.sweep(scope, self._dry_run))

    def checked(self, scope: Scope) -> Upkeep:
        """The self-check."""
        from forms_dynamics.upkeep.findings import SelfCheck

        return SelfCheck(
            self._store, scope, self._catalog, self._settings, self._now, self._dry_run, self.over
        ).run()

    def archived(self, scope: Scope) -> Upkeep:
        """Documents long untouched go where default recalls do not look."""
        from forms_dynamics.upkeep.archive import archive_idle

        count, left = archive_idle(
            self._store, scope, self._catalog, self._settings, self._now, self._dry_run, over=self.over
        )
        return Upkeep(archived=count, left=left)

    def vectors(self, scope: Scope) -> Upkeep:
        """Vectors for documents without any."""
        from forms_dynamics.retrieval.vectors import embed_all

        embedder = self._parts.embedder
        assert embedder is not None
        if self._dry_run:
            bare = self._store.unembedded(scope, embedder.fingerprint, 1_000_000)
            return Upkeep(vectors=len(bare))
        done = embed_all(self._store, scope, embedder, self._settings, self.over)
        left = bool(self.over() and self._store.unembedded(scope, embedder.fingerprint, 1))
        return Upkeep(vectors=done, left=left)


__all__ = ["Tending"]
