"""The only wiring, and the only reader of the environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from forms_dynamics.errors import InvalidInput
from forms_dynamics.memory import Memory
from forms_dynamics.model.record import Scope
from forms_dynamics.settings import Settings


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        return datetime.now(timezone.utc)


def read_settings(given: Any) -> Settings:
    """Settings from None, a Settings or a mapping; InvalidInput names each wrong entry."""
    if given is None:
        return Settings()
    if isinstance(given, Settings):
        return given
    if not isinstance(given, Mapping):
        raise InvalidInput(f"settings are a Settings or a mapping, not {type(given).__name__}")
    try:
        return Settings(**given)
    except ValidationError as wrong:
        lines = [f"settings.{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in wrong.errors()]
        names = ", ".join(Settings.model_fields)
        raise InvalidInput("; ".join(lines) + f" (settings are {names})") from None


def open_memory(
    url: str | Path,
    *,
    form_types: Sequence[str | Path] | None = None,
    relation_rules: Sequence[str | Path] | None = None,
    extractor: Any = None,
    embedder: Any = None,
    settings: Any = None,
    clock: Any = None,
    tenant: str = "default",
    user: str | None = None,
    read_only: bool = False,
) -> Memory:
    """See :meth:`Memory.open`."""
    from forms_dynamics.adapters.embedders import default_embedder
    from forms_dynamics.adapters.sql import open_store
    from forms_dynamics.schema.load import load_catalog

    chosen = read_settings(settings)
    catalog = load_catalog(form_types, relation_rules)
    if extractor is None:
        from forms_dynamics.extraction.recognisers import Recognisers

        extractor = Recognisers(catalog, chosen)
    if not hasattr(extractor, "extract"):
        raise InvalidInput(f"an extractor has a method extract(message, known); {extractor!r} has none")
    store = open_store(url, read_only=read_only, synchronous=chosen.synchronous)
    shared = frozenset(t.name for t in catalog if t.shared)
    return Memory(
        store,
        catalog,
        chosen,
        clock if clock is not None else SystemClock(),
        extractor,
        embedder if embedder is not None else default_embedder(),
        Scope(tenant, user or "", shared),
    )
