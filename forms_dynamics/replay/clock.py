"""The clock of a replay: as late as the latest message that was told so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from typing import Any

from forms_dynamics.errors import InvalidInput
from forms_dynamics.inputs import parse_time

START = datetime(2026, 1, 1, tzinfo=UTC)  # of a log without times


def moment_of(message: Mapping[str, Any], zone: tzinfo | None) -> datetime | None:
    """When a message of a log was said, with the offset it was given in; None where it says nothing readable."""
    if message.get("time") is not None:
        with suppress(InvalidInput):
            return parse_time(message["time"], zone)
    return None


def first_time(messages: Iterable[Mapping[str, Any]], zone: tzinfo | None) -> datetime:
    """The first time that a log tells; that of a log without times is fixed."""
    return next((time for m in messages if (time := moment_of(m, zone)) is not None), START)


class LogClock:
    """Begins at the log's first time and never goes back. Implements ``ports.Clock``."""

    def __init__(self, begins: datetime, zone: tzinfo | None) -> None:
        self._now = begins
        self._zone = zone

    def now(self) -> datetime:
        return self._now

    def moment(self, message: Mapping[str, Any]) -> datetime | None:
        """When the message was said."""
        return moment_of(message, self._zone)

    def tell(self, message: Mapping[str, Any]) -> None:
        """Moves to the message's time, where that is later."""
        moment = self.moment(message)
        if moment is not None and moment > self._now:
            self._now = moment

    def told(self, messages: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
        """The messages, each told when it is taken."""
        for message in messages:
            self.tell(message)
            yield message


__all__ = ["START", "LogClock", "first_time", "moment_of"]
