"""What upkeep does for one scope, a step at a time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from forms_dynamics.model.report import Upkeep

if TYPE_CHECKING:
    from forms_dynamics.compose import Parts


_WAIT = 5.0  # seconds for another writer, before noted accesses stay for the next run


def tend(parts: Parts, now: int, *, dry_run: bool) -> Upkeep:
    """One scope: vectors for documents without any, replies older than ``settings.reply_days``, questions that nobody
    answered in ``settings.pending_days``."""
    from forms_dynamics.acts import Acts
    from forms_dynamics.intake import Intake
    from forms_dynamics.reader import Reader
    from forms_dynamics.retrieval.vectors import embed_all

    store, scope = parts.store, parts.scope
    reader = Reader(store, parts.catalog, parts.settings, partial(parts.accesses.seen, scope.tenant))
    intake = Intake(store, parts.catalog, parts.settings, parts.clock, parts.extractor, scope, reader)
    replies = store.drop_replies(scope, intake.book.oldest(now), dry_run)
    expired = Acts(intake).expire(now, dry_run=dry_run)
    if parts.embedder is None:
        vectors = 0
    elif dry_run:
        vectors = len(store.unembedded(scope, parts.embedder.fingerprint, 1_000_000))
    else:
        vectors = embed_all(store, scope, parts.embedder, parts.settings)
    # those of all scopes are written together, whichever comes first
    accesses = len(parts.accesses) if dry_run else parts.accesses.flush(store, wait=_WAIT)
    return Upkeep(
        vectors=vectors, replies=replies, expired_questions=expired, accesses=accesses, dry_run=dry_run
    )


__all__ = ["tend"]
