"""What one recall reads: a scope of a store, with the types and settings that tell how, at one moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone, tzinfo
from functools import lru_cache

from forms_dynamics.model.form import Form
from forms_dynamics.model.record import Scope
from forms_dynamics.model.value import from_micros
from forms_dynamics.ports import Store
from forms_dynamics.reader import Reader
from forms_dynamics.retrieval.entries import Writer
from forms_dynamics.retrieval.expansion import TRACED_EDGES
from forms_dynamics.retrieval.provenance import Provenance
from forms_dynamics.retrieval.request import Request
from forms_dynamics.retrieval.standing import Standing
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings


@dataclass(frozen=True, slots=True)
class Sources:
    """The same for every stage of a recall; what changes between stages is an argument of theirs."""

    scope: Scope
    store: Store
    reader: Reader
    catalog: Catalog
    settings: Settings
    now: int
    _offsets: dict[str, int] = field(default_factory=dict)  # message → minutes, as far as they were read

    def traced(self) -> Sources:
        """These, with as many edges a layer as it takes to tell all that hangs together."""
        most = max(self.settings.max_edges_per_layer, TRACED_EDGES)
        return replace(self, settings=self.settings.model_copy(update={"max_edges_per_layer": most}))

    @property
    def home(self) -> int:
        """Minutes east of UTC of the settings' zone today."""
        return _away(self.settings.zone, self.now)

    @property
    def here(self) -> datetime:
        """Now, in the asker's zone."""
        return from_micros(self.now).astimezone(timezone(timedelta(minutes=self.home)))

    def offset(self, message: str | None) -> int:
        """Minutes east of UTC in which a message was said; the settings' zone where there is none."""
        if message is None:
            return self.home
        if message not in self._offsets:
            found = self.store.messages(self.scope, [message]).get(message)
            self._offsets[message] = self.home if found is None else found.offset
        return self._offsets[message]

    def standing(self, request: Request) -> Standing:
        """Which Forms may be shown for the request."""
        return Standing(request, self.reader, self.catalog, self.now)

    def writer(
        self,
        lang: str,
        standing: Standing,
        called: Mapping[str, str] | None = None,
        forms: Iterable[Form] = (),
        since: int | None = None,
        quoting: bool = False,
    ) -> Writer:
        """Writes lines about ``forms``. ``called``: the names that the question gives them; ``since``: the past that
        is told begins here; ``quoting``: who said it, and how, is asked."""
        request = standing.request
        provenance = Provenance(
            self.settings.provenance,
            lang,
            self.offset,
            lambda ids: self.store.messages(self.scope, ids),
            quoting,
        )
        provenance.gather(forms)
        return Writer(
            lang, self.scope, self.reader, standing.moment, self.offset, not standing.past, request.known_at,
            request.include_expired, called or {}, provenance, since,
        )  # fmt: skip


@lru_cache(maxsize=64)
def _away(zone: tzinfo | None, now: int) -> int:
    away = None if zone is None else from_micros(now).astimezone(zone).utcoffset()
    return 0 if away is None else int(away.total_seconds() // 60)


__all__ = ["Sources"]
