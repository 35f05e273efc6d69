"""What default recalls do not search goes out of the indexes that they search."""

from __future__ import annotations

from collections.abc import Callable

from forms_dynamics.model.record import Scope
from forms_dynamics.ports import Store
from forms_dynamics.retrieval.reach import reach_at
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings


def archive_idle(
    store: Store,
    scope: Scope,
    catalog: Catalog,
    settings: Settings,
    now: int,
    dry_run: bool = False,
    limit: int = 500,
    over: Callable[[], bool] = lambda: False,
) -> tuple[int, bool]:
    """Moves search data of the owner's cold Forms and old messages into the archive, and back what is in reach
    again (a setting or the clock changed); how many documents (``dry_run``: would be), and whether some are left
    since time was ``over``. ``limit``: documents a transaction."""
    reach = reach_at(catalog, settings, now)
    if dry_run:
        return store.idle(scope, reach), False
    done = 0
    while moved := store.archive(scope, reach, limit):
        done += moved
        if moved < limit:
            break
        if over():
            return done, True
    return done, False


__all__ = ["archive_idle"]
