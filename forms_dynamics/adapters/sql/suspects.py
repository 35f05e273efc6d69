"""What a self-check looks at closely: a few rows of a scope, found by the database, so that a scope in which all is
well costs a handful of short queries."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from forms_dynamics.adapters.sql import mapping, queries
from forms_dynamics.adapters.sql.driver import NOBODY, Driver
from forms_dynamics.model.record import Condition, EdgeRecord, Scope

_FRESH = 1.0  # seconds
_SWEPT = 500  # Forms whose remains go in one transaction


class Suspects(Driver):
    """Reads of the ``Store`` port for the self-check, ``sweep`` and the marks of upkeep."""

    def crowded(self, scope: Scope, relations: Sequence[str], outward: bool) -> list[tuple[str, str]]:
        space = self._own_space(scope)
        nos = [] if space is None else self._known(space[0], relations)
        if space is None or not nos:
            return []
        sql = queries.CROWDED_OUT if outward else queries.CROWDED_IN
        words = self._words(space[0])
        rows = self._rows(sql, (*space, self._list(nos), space[0]))
        return sorted((id, words[relation]) for id, relation in rows)

    def namesakes(self, scope: Scope, keys: Sequence[str]) -> list[tuple[str, str]]:
        space = self._own_space(scope)
        unique = [] if space is None else self._known(space[0], keys)
        if space is None or not unique:
            return []
        every = self._list([*unique, *self._known(space[0], [f"{key}#" for key in keys])])
        words = self._words(space[0])
        rows = self._rows(queries.NAMESAKES, (*space, every, self._list(unique)))
        return sorted((name, words[type_no]) for name, type_no in rows)

    def unrelated(self, scope: Scope, type: str, relation: str, before: int) -> list[str]:
        space = self._own_space(scope)
        types = [] if space is None else self._known(space[0], [type])
        if space is None or not types:
            return []
        # a relation that no edge has has no number
        no = next(iter(self._known(space[0], [relation])), 0)
        return [row[0] for row in self._rows(queries.UNRELATED, (*space, types[0], before, no))]

    def ties(self, scope: Scope, relation: str) -> list[tuple[str, str]]:
        space = self._own_space(scope)
        nos = [] if space is None else self._known(space[0], [relation])
        if space is None or not nos:
            return []
        return sorted((source, target) for source, target in self._rows(queries.TIES, (*space, nos[0])))

    def dangling(self, scope: Scope, makers: Sequence[str]) -> list[EdgeRecord]:
        space = self._own_space(scope)
        nos = [] if space is None else self._known(space[0], makers)
        if space is None or not nos:
            return []
        words = self._words(space[0])
        found = [mapping.edge(row, words) for row in self._rows(queries.DANGLING, (*space, self._list(nos)))]
        return sorted(found, key=lambda edge: edge.key)

    def unfounded(self, scope: Scope, conditions: Sequence[Condition]) -> list[tuple[str, str, str]]:
        space = self._own_space(scope)
        if space is None:
            return []
        asked = {word for c in conditions for word in (c.relation, f"rule:{c.relation}", c.source, c.target)}
        asked |= {word for c in conditions for slots in c.joins for slot in slots for word in _named(slot)}
        nos = self._numbers(space[0], asked)
        out: list[tuple[str, str, str]] = []
        for c in conditions:
            words = (c.relation, f"rule:{c.relation}", c.source, c.target)
            if not all(word in nos for word in words):
                continue  # no such edge can be here
            params = [*space, *(nos[word] for word in words)]
            for slots in c.joins:
                params += [self._list(nos[w] for w in _named(slot) if w in nos) for slot in slots]
            rows = self._rows(queries.unfounded(len(c.joins)), params)
            out += [(source, c.relation, target) for source, target in rows]
        return sorted(set(out))

    def sweep(self, scope: Scope, dry_run: bool = False) -> int:
        space = self._own_space(scope)
        if space is None:
            return 0
        done = 0
        gone = self._rows(queries.ERASED_FORMS, space)
        for start in range(0, len(gone), _SWEPT):
            part = gone[start : start + _SWEPT]
            ids, nos = self._list(row[0] for row in part), self._list(row[1] for row in part)
            remains = [
                (queries.KEYS_OF, queries.DROP_KEYS_OF, (*space, nos)),
                (queries.MENTIONS_OF, queries.DROP_MENTIONS_OF, (*space, nos)),
                (queries.PENDINGS_OF, queries.DROP_PENDINGS_OF, (*space, ids)),
            ]
            if space[1] == 0:  # readers' edges to what was shared as well
                remains.append((queries.EDGES_AT, queries.DROP_EDGES_TO, (space[0], nos, nos)))
            else:
                remains.append((queries.EDGES_OUT_OF, queries.DROP_EDGES_OUT, (*space, nos)))
                remains.append((queries.EDGES_INTO, queries.DROP_EDGES_IN, (*space, nos)))
            found = sum(self._rows(count, params)[0][0] for count, _, params in remains)
            if not found or dry_run:
                done += found
                continue
            with self._written(scope):
                done += sum(self._run(drop, params) for _, drop, params in remains)
        return done

    def mark(self, scope: Scope, name: str) -> int:
        space = self._space(scope)
        rows = [] if space is None else self._rows(queries.MARK, (space[0], f"mark:{name}"))
        return rows[0][0] if rows else 0

    def set_mark(self, scope: Scope, name: str, value: int) -> None:
        with self._written(scope) as (tenant, _):
            self._run(queries.SET_MARK, (tenant, f"mark:{name}", value))

    def _own_space(self, scope: Scope) -> tuple[int, int] | None:
        space = self._space(scope)
        return None if space is None or space[1] == NOBODY else space

    def _numbers(self, tenant: int, words: Iterable[str]) -> dict[str, int]:
        """Word → number of those that have one. What others numbered since is read once a second: most words of a
        schema are never used, and scopes are looked at by the thousand."""
        wanted = list(words)
        known = self._vocabulary(tenant).numbers
        if any(word not in known for word in wanted):
            now = time.monotonic()
            if now - self._words_read.get(tenant, -_FRESH) >= _FRESH:
                self._load_words(tenant)
                self._words_read[tenant] = now
        return {word: known[word] for word in wanted if word in known}

    def _known(self, tenant: int, words: Iterable[str]) -> list[int]:
        return list(self._numbers(tenant, words).values())


def _named(slot: str) -> tuple[str, str]:
    """The words of keys by which a slot's value is a name: alone, or shared."""
    return slot, f"{slot}#"
