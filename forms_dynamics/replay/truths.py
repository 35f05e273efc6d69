"""What is known of a whole recording: labels where the log has any, else what the log itself bears out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from forms_dynamics.errors import InvalidInput
from forms_dynamics.inputs import role_of
from forms_dynamics.replay.clock import LogClock
from forms_dynamics.replay.consistency import Conversation, consistency, conversation_of
from forms_dynamics.replay.labels import Label, read_label, without_currency
from forms_dynamics.replay.raws import Key, Recording
from forms_dynamics.replay.truth import Said, Truth, named_slots, truth_of
from forms_dynamics.replay.values import Truth as RestsOn
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings


@dataclass(frozen=True)
class Truths:
    """``labels``: of the messages that have one; ``conversations``: by user and name; ``catalog``: by which
    values are compared.
    """

    kind: RestsOn
    labels: Mapping[Key, Label]
    conversations: Mapping[Conversation, Truth]
    catalog: Catalog


def truths_of(recording: Recording, catalog: Catalog, settings: Settings) -> Truths:
    """The same for every run of a recording, and made once for all that one process plays.

    InvalidInput names the message whose label is wrong, and what is wrong with it.
    """
    return _truths(recording.digest, _By(recording, catalog, settings))


class _By:
    """What truths are made by; one recording's digest tells it from others."""

    def __init__(self, recording: Recording, catalog: Catalog, settings: Settings) -> None:
        self.recording, self.catalog, self.settings = recording, catalog, settings
        self._same = catalog.fingerprint, settings.timezone, settings.date_order, settings.redact

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _By) and self._same == other._same

    def __hash__(self) -> int:
        return hash(self._same)


@lru_cache(maxsize=1)
def _truths(digest: str, by: _By) -> Truths:
    labels: dict[Key, Label] = {}
    said: dict[Conversation, list[Said]] = {}
    clock = LogClock(by.recording.begins, by.settings.zone)
    for raw in by.recording.raws():
        clock.tell(raw.message)
        label = None
        if raw.expect is not None:
            time = clock.moment(raw.message) or clock.now()
            try:
                label = labels[raw.key] = read_label(raw.expect, by.catalog, by.settings, time)
            except InvalidInput as wrong:
                raise InvalidInput(f"message {raw.message['id']}: {wrong}") from None
        said.setdefault(conversation_of(raw.message), []).append(Said(raw.key, role_of(raw.message), label))
    if any(label.forms is not None for label in labels.values()):
        named = named_slots(labels.values())
        compared = without_currency((raw.expect for raw in by.recording.raws() if raw.expect), by.catalog)
        truths = {where: truth_of(talk, compared, named) for where, talk in said.items()}
        return Truths("labels", labels, truths, compared)
    found = consistency(by.recording.raws(), by.catalog, by.settings)
    if any(truth.knows for truth in found.values()):
        return Truths("self-consistency", labels, found, by.catalog)
    return Truths("none", labels, {}, by.catalog)


__all__ = ["Truths", "truths_of"]
