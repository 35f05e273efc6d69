"""How a memory is doing: how much is here, how much waits, what it cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from forms_dynamics.model.record import Scope
from forms_dynamics.model.report import Health, Spent
from forms_dynamics.model.value import DAY
from forms_dynamics.ports import Store


def health(store: Store, scopes: Iterable[Scope], now: int) -> Health:
    """The figures of all ``scopes`` together."""
    count: Counter[str] = Counter()
    waiting: Counter[str] = Counter()
    today, ever = Spent(), Spent()
    for scope in scopes:
        count.update(store.count(scope))
        waiting.update(dict(store.waits(scope)))
        today += Spent(*store.spent(scope, now // DAY)[1:])
        ever += Spent(*store.spent(scope)[1:])
    return Health(
        count["forms"], count["versions"], count["edges"], count["pendings"], count["messages"], count["queued"],
        dict(waiting.most_common()), today, ever,
    )  # fmt: skip


__all__ = ["health"]
