"""A clock that moves only when told."""

from __future__ import annotations

from datetime import datetime, timedelta

from forms_dynamics.errors import InvalidInput


class FixedClock:
    """Stands at ``time`` (an aware datetime or its ISO 8601 text) until ``advance`` or ``set``."""

    def __init__(self, time: datetime | str) -> None:
        self._time = _aware(time)

    def now(self) -> datetime:
        return self._time

    def advance(self, *, days: float = 0, seconds: float = 0) -> None:
        """Moves the clock; negative amounts move it back."""
        self._time += timedelta(days=days, seconds=seconds)

    def set(self, time: datetime | str) -> None:
        """Puts the clock at ``time``."""
        self._time = _aware(time)


def _aware(time: datetime | str) -> datetime:
    moment = datetime.fromisoformat(time) if isinstance(time, str) else time
    if moment.tzinfo is None:
        raise InvalidInput(f"the clock needs a time with an offset, not {time!r}")
    return moment
