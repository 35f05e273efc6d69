"""What leaves the store: erasure down to the bytes, and derived rows before a rebuild."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterable

from forms_dynamics.adapters.sql import queries
from forms_dynamics.adapters.sql.driver import NOBODY, Driver
from forms_dynamics.adapters.sql.mapping import ERASED_MESSAGE, form_doc, message_doc
from forms_dynamics.adapters.sql.writing import Writing
from forms_dynamics.model.record import Scope

Space = tuple[int, int]


class Erasing(Writing, Driver):
    """``erase`` and ``drop_derived``."""

    @abstractmethod
    def _scrub(self) -> None:
        """Runs after the commit of an erasure: no file may keep what was deleted."""

    def erase(
        self,
        scope: Scope,
        *,
        forms: Iterable[str] = (),
        messages: Iterable[str] = (),
        versions: Iterable[tuple[str, int]] = (),
        withhold: Iterable[str] = (),
        owner: bool = False,
    ) -> dict[str, int]:
        """Inside ``writing`` the rows go with that transaction, and the bytes after its commit."""
        done = dict.fromkeys(_KINDS, 0)
        space = self._space(scope)
        if space is None or space[1] == NOBODY:
            return done
        with self._written(scope) as space:
            if owner:
                self._erase_owner(space, done)
            else:
                self._erase_messages(space, list(dict.fromkeys(messages)), done)
                self._erase_versions(space, set(versions), done)
                self._erase_forms(space, list(dict.fromkeys(forms)), done)
                done["withheld"] += self._run(queries.WITHHOLD, (*space, self._list(dict.fromkeys(withhold))))
            if any(done.values()):
                # a reply may repeat whatever its prompt held: the message, what was said before it, known Forms
                self._run(queries.COUNT_ERASURE, (space[0],))
                if space[1] == 0:  # all of the tenant read the shared space
                    done["replies"] += self._run(queries.DROP_TENANT_REPLIES, (space[0],))
                else:
                    done["replies"] += self._run(queries.DROP_REPLIES, space)
                self._transaction().erased = True
            if owner and scope.owner and self._unname(scope, space[0]):
                self._transaction().erased = True
        return done

    def _erase_owner(self, space: Space, done: dict[str, int]) -> None:
        counts = self._counts(space)
        self._drop_all_docs(*space)
        done["versions"] += self._run(queries.BLANK_ALL_VERSIONS, space)
        for table in (
            "keys",
            "mentions",
            "edges",
            "pendings",
            "acts",
            "vectors",
            "vectors_archive",
        ):  # the sums of what models cost stay: numbers, no words
            self._run(f"DELETE FROM {table} WHERE tenant = ? AND owner = ?", space)
        if space[1] == 0:  # edges of others that end there
            done["edges"] += self._run(queries.DROP_EDGES_TO_SHARED, (space[0],) * 3)
        self._run(queries.BLANK_ALL_FORMS, space)
        self._run(queries.BLANK_ALL_MESSAGES, space)
        for name in done:
            if name not in ("versions", "replies", "withheld"):
                done[name] += counts[name]
        if counts["replies"]:
            done["replies"] += self._run(queries.DROP_REPLIES, space)

    def _erase_messages(self, space: Space, ids: list[str], done: dict[str, int]) -> None:
        """The messages and what holds their words: pending items and edges drawn from them. An edge that a
        rule or a person made stays and no longer names the message."""
        rows = self._rows(queries.MESSAGE_STATE, (*space, self._list(ids))) if ids else []
        there = [row for row in rows if row[3] != ERASED_MESSAGE]
        if not there:
            return
        listed = self._list(row[0] for row in there)
        docs = [(message_doc(seq), text, archived) for _, seq, kind, _, text, archived in there if kind == 0]
        done["vectors"] += self._forget(space, docs)
        drawn = self._list(self._word_nos(space[0], ["draft", "marked:draft"]))
        done["edges"] += self._run(queries.DROP_EDGES_OF_MESSAGES, (*space, listed, drawn))
        self._run(queries.UNNAME_MESSAGES, (*space, listed))
        asked = {row[0] for row in self._rows(queries.PENDING_FORMS, (*space, listed))}
        done["pendings"] += self._run(queries.DROP_PENDINGS_OF_MESSAGES, (*space, listed))
        self._run(queries.COUNT_PENDINGS, (*space, self._list(id for id in asked if id is not None)))
        for _, seq, *_ in there:
            for (talk,) in self._rows(queries.CONVERSATION_AT, (*space, seq)):
                for no in list(self._mentioned_types((*space, talk))):
                    done["mentions"] += self._run(queries.DROP_MENTIONS_AT, (*space, talk, no, seq))
        done["messages"] += self._run(queries.BLANK_MESSAGES, (*space, listed))

    def _erase_versions(self, space: Space, versions: set[tuple[str, int]], done: dict[str, int]) -> None:
        rows = self._rows(queries.FORM_STATE, (*space, self._list({form for form, _ in versions})))
        nos = {row[0]: row[1] for row in rows}
        blank = [(*space, nos[form], n) for form, n in sorted(versions) if form in nos]
        done["versions"] += self._many(queries.BLANK_VERSION, blank)

    def _erase_forms(self, space: Space, ids: list[str], done: dict[str, int]) -> None:
        if not ids:
            return
        rows = self._rows(queries.FORM_STATE, (*space, self._list(ids)))
        there = [row for row in rows if row[3] != 2]
        if not there:
            return
        listed = self._list(row[0] for row in there)
        nos = self._list(row[1] for row in there)
        docs = [(form_doc(no), words, marked) for _, no, _, status, words, marked in there if status == 0]
        done["vectors"] += self._forget(space, docs)
        done["versions"] += self._run(queries.BLANK_VERSIONS, (*space, nos))
        done["keys"] += self._run(queries.DROP_KEYS_OF, (*space, nos))
        done["withheld"] += self._run(queries.WITHHOLD_TOLD, (*space, *space, nos))
        done["mentions"] += self._run(queries.DROP_MENTIONS_OF, (*space, nos))
        done["edges"] += self._run(queries.DROP_EDGES_OUT, (*space, nos))
        done["edges"] += self._run(queries.DROP_EDGES_IN, (*space, nos))
        if space[1] == 0:
            done["edges"] += self._run(queries.DROP_EDGES_TO, (space[0], nos, nos))
        done["pendings"] += self._run(queries.DROP_PENDINGS_OF, (*space, listed))
        done["pendings"] += self._drop_choices(space, {row[0] for row in there})
        done["acts"] += self._run(queries.DROP_ACTS_OF, (*space, listed))
        done["forms"] += self._run(queries.BLANK_FORMS, (*space, listed))

    def _drop_choices(self, space: Space, ids: set[str]) -> int:
        """Pending items that offer one of the Forms, or an edge of it, as a choice: their questions say its name."""
        rows = self._rows(queries.OPEN_CHOICES, space)
        told = [
            (id, form)
            for id, form, choices in rows
            if any(not ids.isdisjoint(choice.split(".")) for choice in json.loads(choices))
        ]
        if not told:
            return 0
        done = self._run(queries.DROP_PENDING_ITEMS, (*space, self._list(id for id, _ in told)))
        asked = self._list({form for _, form in told if form is not None})
        self._run(queries.COUNT_PENDINGS, (*space, asked))
        return done

    def drop_keys(self, scope: Scope, type: str) -> None:
        with self._written(scope) as (tenant, owner):
            for no in self._word_nos(tenant, [type]):
                self._run(queries.DROP_KEYS_OF_TYPE, (tenant, owner, no))

    def drop_derived(self, scope: Scope) -> None:
        with self._written(scope) as (tenant, owner):
            for table in ("keys", "mentions", "vectors", "vectors_archive"):
                self._run(f"DELETE FROM {table} WHERE tenant = ? AND owner = ?", (tenant, owner))
            rules = [no for no, word in self._rows(queries.SYMBOLS, (tenant,)) if word.startswith("rule:")]
            self._run(queries.DROP_EDGES_MADE_BY, (tenant, owner, self._list(rules)))


_KINDS = (
    "forms", "messages", "versions", "keys", "mentions", "edges", "pendings", "acts", "vectors", "replies",
    "withheld",
)  # fmt: skip
