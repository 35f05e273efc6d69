"""Work that may wait: what the clock decides at each read is made to cost less, and contradictions are looked for.

Nothing here changes an answer: what is faded, cold, expired or archived is told by the clock whenever it is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from forms_dynamics.model.record import Scope
from forms_dynamics.model.report import Upkeep
from forms_dynamics.upkeep.steps import tend

if TYPE_CHECKING:
    from forms_dynamics.compose import Parts


def run(
    parts: Parts, scopes: Iterable[Scope], now: int, *, dry_run: bool = False, seconds: float | None = None
) -> Upkeep:
    """Tends every scope in turn; what was done, in all."""
    done = Upkeep(dry_run=dry_run)
    for scope in scopes:
        done += tend(replace(parts, scope=scope), now, dry_run=dry_run)
    return done


__all__ = ["run"]
