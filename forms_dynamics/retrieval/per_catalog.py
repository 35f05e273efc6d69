"""What is made once of a catalog: reading its words anew would cost more than the rest of a recall."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from forms_dynamics.schema.spec import Catalog

_KEPT = 8  # catalogs


class _Made(Protocol):
    @property
    def catalog(self) -> Catalog: ...


_T = TypeVar("_T", bound=_Made)


def per_catalog(make: Callable[[Catalog], _T]) -> Callable[[Catalog], _T]:
    """``make``, called once a catalog; what it made of the last eight is kept."""
    kept: list[_T] = []

    def made_of(catalog: Catalog) -> _T:
        for made in kept:
            if made.catalog is catalog:
                return made
        made = make(catalog)
        kept.insert(0, made)
        del kept[_KEPT:]
        return made

    return made_of


__all__ = ["per_catalog"]
