"""Whether a Form may be shown: active, not expired, not cold, unless asked for."""

from __future__ import annotations

from dataclasses import dataclass

from forms_dynamics.model.record import FormRecord
from forms_dynamics.projection import is_cold, state_of
from forms_dynamics.reader import Reader
from forms_dynamics.retrieval.request import Request
from forms_dynamics.schema.spec import Catalog


@dataclass(frozen=True, slots=True)
class Standing:
    """Judges records as they are at ``now`` (or as of the moment that the request reads at)."""

    request: Request
    reader: Reader
    catalog: Catalog
    now: int

    @property
    def moment(self) -> int:
        """The moment at which values are read."""
        return self.now if self.request.as_of is None else self.request.as_of

    @property
    def past(self) -> bool:
        """Whether the read is of an earlier state; then today's status says nothing."""
        return self.request.as_of is not None or self.request.known_at is not None

    def fault(self, record: FormRecord) -> str | None:
        """Why the Form is left out (invalid, expired, cold), or None."""
        if self.past:
            return None
        if record.status != "active":
            return record.status
        if not self.request.include_expired and self.expired(record):
            return "expired"
        if not self.request.include_cold and self.cold(record):
            return "cold"
        return None

    def cold(self, record: FormRecord) -> bool:
        """Whether the Form has not been touched for the time that its type says."""
        return is_cold(self.catalog.life(record.type), self.reader.noted(record), self.moment)

    def expired(self, record: FormRecord) -> bool:
        """Whether the Form is past its time to live or the end that its own slots give."""
        form_type = self.catalog.types.get(record.type)
        if self.catalog.life(record.type).ttl_seconds is None and (
            record.head is None or '"valid_until"' not in record.head
        ):
            return False
        return self.reader.expired(form_type, state_of(record, form_type), record, self.moment)
