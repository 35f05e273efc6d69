"""Work that may wait: what the clock decides at each read is made to cost less, and contradictions are looked for.

Nothing here changes an answer: what is faded, cold, expired or archived is told by the clock whenever it is read, and
a contradiction waits for a person.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from forms_dynamics.errors import StoreUnavailable, reason
from forms_dynamics.model.record import Scope
from forms_dynamics.model.report import Failure, Upkeep
from forms_dynamics.upkeep.steps import Tending

if TYPE_CHECKING:
    from forms_dynamics.compose import Parts

_TURN = "upkeep"  # the mark that says at which scope the next run begins
_WAIT = 5.0  # seconds for another writer, before noted accesses stay for the next run
_COMPACTING = 5.0  # seconds that go into the files at most, where nothing else bounds the run


def run(
    parts: Parts, scopes: Iterable[Scope], now: int, *, dry_run: bool = False, seconds: float | None = None
) -> Upkeep:
    """Tends every scope in turn, then the store as a whole; what was done, in all.

    A run that ``seconds`` cut off notes where, and the next one begins there, so that no scope starves. A step that
    fails (an embedder that is down) ends that step alone and is told in ``failed``; a store that is out of reach ends
    the run: StoreUnavailable.
    """
    store = parts.store
    began = time.monotonic()

    def remaining() -> float:
        return float("inf") if seconds is None else seconds - (time.monotonic() - began)

    tending = Tending(parts, now, dry_run=dry_run, over=lambda: remaining() <= 0)
    every = list(scopes)
    # a run over one user alone has no turn to keep
    turn = store.mark(parts.scope, _TURN) if len(every) > 1 else 0
    # those of all scopes are written together
    accesses = len(parts.accesses) if dry_run else parts.accesses.flush(store, wait=_WAIT)
    done = Upkeep(accesses=accesses, dry_run=dry_run)
    for place in range(len(every)):
        at = (turn + place) % len(every)
        done += _tend(tending, every[at], first=place == 0)
        if done.left:
            if len(every) > 1 and not dry_run:
                # one that was cut off is gone on with, unless it was the only one that this run came to
                store.set_mark(parts.scope, _TURN, (at if place else at + 1) % len(every))
            return done
    if dry_run:
        return done
    if turn:
        store.set_mark(parts.scope, _TURN, 0)
    return done + _compact(parts, remaining())


def _tend(tending: Tending, scope: Scope, *, first: bool) -> Upkeep:
    """``first``: of the run, which takes a piece of every step however little time it has, so that runs that are cut
    off come to their end one day."""
    done = Upkeep()
    for name, step in tending.steps(scope):
        if tending.over() and not first:
            return done + Upkeep(left=True)
        try:
            done += step()
        except StoreUnavailable:
            raise
        except Exception as failed:  # one user's trouble must not leave the others untended
            if name == "vectors":
                tending.give_up_vectors()
            done += Upkeep(failed=(Failure(name, reason(failed), scope.owner or None),))
        if done.left:
            break
    return done


def _compact(parts: Parts, seconds: float) -> Upkeep:
    return Upkeep(left=not parts.store.compact(min(seconds, _COMPACTING)) and seconds < _COMPACTING)


__all__ = ["run"]
