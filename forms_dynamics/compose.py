"""The only wiring."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forms_dynamics.accesses import Accesses
from forms_dynamics.extractors import chosen_extractor, chosen_model
from forms_dynamics.inputs import check_name
from forms_dynamics.model.record import Scope
from forms_dynamics.ports import Clock, Embedder, Extractor, Store
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from forms_dynamics.evolution import Compatibility
    from forms_dynamics.extraction.asking import Asking
    from forms_dynamics.replies import ReplyBook
    from forms_dynamics.retrieval.rerank import Judge


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class Threads:
    """The threads of asynchronous calls, made when the first comes; all scopes of a memory share them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None

    def __call__(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._pool is None:
                from concurrent.futures import ThreadPoolExecutor

                self._pool = ThreadPoolExecutor(self._most, "forms-dynamics")
            return self._pool

    def shut(self) -> None:
        """Ends the threads; what they still do is finished."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown()


@dataclass(frozen=True, slots=True)
class Parts:
    """All that a memory is made of."""

    store: Store
    catalog: Catalog
    settings: Settings
    clock: Clock
    extractor: Extractor
    embedder: Embedder | None
    scope: Scope
    threads: Threads
    accesses: Accesses = field(default_factory=Accesses)
    asking: Asking | None = None  # the model that recalls ask

    def judge(self, book: ReplyBook) -> Judge | None:
        """The model as recalls of the book's owner ask it: what it costs is booked there, and the same question about
        the same hits is not paid for twice. None without a model."""
        asking = self.asking
        if asking is None or not (self.settings.rerank or self.settings.question_by_model):
            return None
        from forms_dynamics.retrieval.rerank import Judge

        def ask(prompt: Any, reply: Any) -> Any:
            replies = book.of("recall")
            try:
                return asking.ask(prompt, reply, replies)
            finally:
                replies.end()

        return Judge(asking.model.name, ask)


def against(url: str | Path, form_types: Sequence[str | Path] | None = None) -> Compatibility:
    """What the form types (None: all that ship) do to the Forms stored at ``url``, of all tenants. Reads only.

    Raises SchemaError where the YAML is wrong by itself, StoreUnavailable or StoreTooNew.
    """
    from forms_dynamics.adapters.sql import opened_to_read
    from forms_dynamics.evolution import compatibility
    from forms_dynamics.schema.load import load_catalog

    catalog = load_catalog(form_types)
    with opened_to_read(url) as store:
        return compatibility(store, catalog)


def only_readable(url: str | Path) -> bool:
    """Whether ``url`` is a SQLite file that is there and that nobody here may write."""
    from forms_dynamics.adapters.sql.sqlite import writable

    path = Path(str(url).removeprefix("sqlite:///"))
    return path.is_file() and not writable(path)


def compose(
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
) -> Parts:
    """Makes the parts that ``Memory.open`` was asked for, defaults filled in. The store is opened last: what
    is wrong with the types or settings is said before a file is made."""
    from forms_dynamics.adapters.embedders import default_embedder
    from forms_dynamics.adapters.sql import open_store
    from forms_dynamics.schema.load import load_catalog

    chosen = Settings.read(settings)
    catalog = load_catalog(form_types, relation_rules)
    extractor = chosen_extractor(extractor, catalog, chosen)
    model = chosen_model(extractor, chosen)
    asking = None
    if model is not None:
        from forms_dynamics.extraction.asking import Asking

        asking = Asking(model, chosen.model_concurrency)
    check_name("tenant", tenant)
    return Parts(
        store=open_store(url, read_only=read_only, synchronous=chosen.synchronous),
        catalog=catalog,
        settings=chosen,
        clock=clock if clock is not None else SystemClock(),
        extractor=extractor,
        embedder=embedder if embedder is not None else default_embedder(),
        scope=Scope(tenant, user or "", frozenset(t.name for t in catalog if t.shared)),
        threads=Threads(chosen.model_concurrency),
        asking=asking,
    )
