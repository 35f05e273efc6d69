"""What runs of one recording share, and what stands in production's places while they are played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from forms_dynamics.extraction.gate import gate
from forms_dynamics.extraction.weighed import sure
from forms_dynamics.model.form import Form
from forms_dynamics.model.gated import Gated
from forms_dynamics.model.message import Draft, Message, Proposal, Refusal
from forms_dynamics.model.record import ChangeSet, Scope
from forms_dynamics.ports import Store
from forms_dynamics.replay.raws import Key, Raw, played
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings


class Sharing:
    """What flows side by side ask alike, asked once: the drafts of a window, and the gate about them."""

    def __init__(self) -> None:
        self.raws: dict[Key, Raw] = {}
        # by the drafts' place in memory, so they are kept: another draft must not come to stand there
        self._gated: dict[tuple[Any, ...], tuple[Iterable[Draft], tuple[list[Gated], list[Refusal]]]] = {}

    def begin(self, raws: Iterable[Raw]) -> None:
        """The messages that come now."""
        self.raws = {raw.key: raw for raw in raws}
        self._gated.clear()

    def gate(
        self,
        message: Message,
        drafts: Iterable[Draft],
        catalog: Catalog,
        settings: Settings,
        turns: Callable[[], Sequence[Message]] = tuple,
    ) -> tuple[list[Gated], list[Refusal]]:
        """As the gate itself. It compares confidences with the threshold and looks at it in no other way, so
        that thresholds between the same two confidences give the same.
        """
        stated = {slot.confidence for draft in drafts for slot in draft.slots.values()}
        below = sum(sure(confidence) < settings.conf_threshold for confidence in stated)
        key = message.user, message.id, id(drafts), below, settings.hedge_cap
        found = self._gated.get(key)
        if found is None:
            found = self._gated[key] = drafts, gate(message, drafts, catalog, settings, turns)
        return found[1]


class Watched:
    """A store that remembers what was written last, and whose it is. All else is the store's own."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.written: list[tuple[str, ChangeSet]] = []

    def apply(self, scope: Scope, changes: ChangeSet) -> None:
        self._store.apply(scope, changes)
        self.written.append((scope.owner, changes))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class Recorded:
    """What was recorded, in an extractor's place."""

    def __init__(self, sharing: Sharing) -> None:
        self._sharing = sharing
        self._served: dict[Key, int] = {}

    def begin(self) -> None:
        """Messages of another window come now."""
        self._served.clear()

    def extract(self, message: Message, known: Sequence[Form] = ()) -> Proposal:
        key = (message.user or "", message.id)
        return played(self._sharing.raws[key], self._served, key)
