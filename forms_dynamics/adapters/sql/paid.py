"""What models cost: replies that were paid for, and the sums of each day."""

from __future__ import annotations

from forms_dynamics.adapters.sql import mapping, queries
from forms_dynamics.adapters.sql.driver import NOBODY, Driver
from forms_dynamics.adapters.sql.reading import Reading
from forms_dynamics.model.record import ChangeSet, ReplyRecord, Scope, SpentRecord

_SLICE = 200


class Paid(Reading, Driver):
    """Replies, costs and why messages wait, of the ``Store`` port."""

    def reply(self, scope: Scope, key: str, since: int) -> ReplyRecord | None:
        space = self._space(scope)
        rows = [] if space is None else self._rows(queries.REPLY, (*space, key, since))
        return ReplyRecord(*rows[0]) if rows else None

    def drop_replies(self, scope: Scope, before: int, dry_run: bool = False) -> int:
        space = self._space(scope)
        old = 0 if space is None else int(self._rows(queries.OLD_REPLIES, (*space, before))[0][0])
        if dry_run or not old:
            return old
        done = 0
        while True:  # in slices: a writer beside it does not wait for all of them
            with self._written(scope) as space:
                gone = self._run(queries.DROP_OLD_REPLIES, (*space, *space, before, _SLICE))
            done += gone
            if gone < _SLICE:
                return done

    def erasures(self, scope: Scope) -> int:
        space = self._space(scope)
        return 0 if space is None else self._erasures(space[0])

    def _erasures(self, tenant: int) -> int:
        rows = self._rows(queries.ERASURES, (tenant,))
        return int(rows[0][0]) if rows else 0

    def spent(self, scope: Scope, day: int | None = None) -> SpentRecord:
        space = self._space(scope) or (NOBODY, NOBODY)
        if day is None:
            return SpentRecord(0, *map(int, self._rows(queries.SPENT, space)[0]))
        return SpentRecord(day, *map(int, self._rows(queries.SPENT_ON, (*space, day))[0]))

    def waits(self, scope: Scope) -> list[tuple[str, int]]:
        space = self._space(scope)
        return [] if space is None else [(row[0], row[1]) for row in self._rows(queries.WAITS, space)]

    def _put_paid(self, tenant: int, owner: int, changes: ChangeSet) -> None:
        if changes.replies and changes.erasures in (None, self._erasures(tenant)):
            rows = [mapping.reply_row(tenant, owner, reply) for reply in changes.replies]
            self._many(queries.PUT_REPLY, rows)
        if changes.spent:
            self._many(queries.ADD_SPENT, [(tenant, owner, *spent) for spent in changes.spent])
