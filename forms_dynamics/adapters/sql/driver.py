"""What the two databases do differently, as the few operations that the rest of the adapter stands on."""

from __future__ import annotations

import secrets
import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, ClassVar

from forms_dynamics.adapters.sql import queries
from forms_dynamics.adapters.sql.mapping import Row
from forms_dynamics.errors import StoreUnavailable
from forms_dynamics.model.record import ERASED_OWNER, Scope

NOBODY = -1  # number of an owner that has no rows
_SALT = "salt of erased owners"  # among the counters of a tenant
PAGE = 1000  # rows that a scan holds at once


@dataclass(slots=True)
class Transaction:
    """The write transaction of one thread. ``fresh``: words numbered in it, by tenant, known to others only
    after the commit; ``counters``: values read or raised in it; ``shaped``: types whose shape it noted;
    ``erased``: bytes must go afterwards."""

    connection: Any
    fresh: dict[int, dict[str, int]] = field(default_factory=dict)
    counters: dict[int, dict[str, int]] = field(default_factory=dict)
    spaces: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    shaped: set[tuple[int, str]] = field(default_factory=set)
    erased: bool = False
    locked: set[tuple[str, str]] = field(default_factory=set)  # (tenant, owner), where a lock is one owner's
    # table → rows written so far, and how many of them the planner knows of, where it has to be told
    rows: Counter[str] = field(default_factory=Counter)
    told: dict[str, int] = field(default_factory=dict)


class _Vocabulary(dict[int, str]):
    """Number → word of one tenant. A number it does not know was given by another process: it reads again."""

    def __init__(self, driver: Driver, tenant: int) -> None:
        super().__init__()
        self.driver, self.tenant = driver, tenant
        self.numbers: dict[str, int] = {}

    def load(self) -> None:
        for no, word in self.driver._rows(queries.SYMBOLS, (self.tenant,)):
            self.learn(no, word)

    def learn(self, no: int, word: str) -> None:
        self[no] = word
        self.numbers[word] = no

    def __missing__(self, no: int) -> str:
        self.load()
        return dict.__getitem__(self, no)


class _Local(threading.local):
    transaction: Transaction | None = None


class Driver(ABC):
    """Connections, transactions, the numbers of tenants, owners and words. Thread-safe."""

    name: ClassVar[str]
    url: str
    read_only: bool

    def __init__(self, url: str, read_only: bool) -> None:
        self.url = url
        self.read_only = read_only
        self._local = _Local()
        self._spaces: dict[tuple[str, str], tuple[int, int]] = {}
        self._vocabularies: dict[int, _Vocabulary] = {}
        self._words_read: dict[int, float] = {}  # tenant → when a self-check read its words (monotonic)
        self._shaped: set[tuple[int, str]] = set()  # (tenant, type): known to have a shape

    # -- what a database gives -------------------------------------------------------------------------
    @abstractmethod
    def _rows(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        """All rows of a query, in this thread's transaction when it has one."""

    @abstractmethod
    def _run(self, sql: str, params: Sequence[Any] = ()) -> int:
        """One statement inside ``writing``; the number of rows it changed."""

    @abstractmethod
    def _many(self, sql: str, rows: Sequence[Row]) -> int:
        """One statement for many rows inside ``writing``; the number of rows it changed."""

    @abstractmethod
    def _list(self, values: Iterable[Any]) -> Any:
        """A list as one parameter (``IN ?[]``)."""

    @abstractmethod
    def writing(self, scope: Scope) -> AbstractContextManager[None]: ...

    @abstractmethod
    def _atomic(self) -> AbstractContextManager[None]:
        """All or nothing within the transaction."""

    @abstractmethod
    def _add_docs(
        self, tenant: int, owner: int, docs: Sequence[tuple[int, str]], archived: bool = False
    ) -> None:
        """Full text of new documents: (number, text); ``archived``: into the archive's."""

    @abstractmethod
    def _drop_docs(
        self, tenant: int, owner: int, docs: Sequence[tuple[int, str]], archived: bool = False
    ) -> None:
        """Takes documents out of full text; ``text`` as it was added."""

    @abstractmethod
    def _drop_all_docs(self, tenant: int, owner: int) -> None:
        """Takes every document of the owner out of both full texts, whatever text it was added with."""

    @abstractmethod
    def _postings(
        self, tokens: Sequence[str], limit: int, forms_only: bool, archived: bool = False
    ) -> list[int]:
        """Numbers of documents that hold all of ``tokens``, newest first."""

    @abstractmethod
    def _frequency(self, token: str, most: int, archived: bool = False) -> int:
        """How many documents hold ``token``, counted up to ``most``."""

    @abstractmethod
    def integrity(self) -> list[str]: ...

    @abstractmethod
    def close(self) -> None: ...

    # -- transactions ----------------------------------------------------------------------------------
    def _transaction(self) -> Transaction:
        """This thread's write transaction."""
        found = self._local.transaction
        if found is None:
            raise StoreUnavailable("this write needs a transaction: call it inside writing()")
        return found

    @contextmanager
    def _written(self, scope: Scope) -> Iterator[tuple[int, int]]:
        """A write transaction, this thread's own or a new one, and (tenant, owner) in numbers."""
        transaction = self._local.transaction
        if transaction is not None:
            before = (
                _copied(transaction.fresh), _copied(transaction.counters), dict(transaction.spaces),
                set(transaction.shaped),
            )  # fmt: skip
            try:
                with self._atomic():
                    yield self._given_space(scope)
            except BaseException:
                transaction.fresh, transaction.counters, transaction.spaces, transaction.shaped = before
                raise
        else:
            with self.writing(scope):
                yield self._given_space(scope)

    def _keep(self, transaction: Transaction) -> None:
        """After a commit: what was numbered in it is everybody's."""
        self._spaces.update(transaction.spaces)
        self._shaped |= transaction.shaped
        for tenant, words in transaction.fresh.items():
            known = self._vocabulary(tenant)
            for word, no in words.items():
                known.learn(no, word)

    # -- tenants and owners ----------------------------------------------------------------------------
    def _space(self, scope: Scope) -> tuple[int, int] | None:
        """(tenant, owner) in numbers: None when the tenant has nothing here, owner NOBODY when the owner."""
        at = (scope.tenant, scope.owner)
        transaction = self._local.transaction
        found = self._spaces.get(at)
        if found is None and transaction is not None:
            found = transaction.spaces.get(at)
        if found is not None:
            return found
        rows = self._rows(queries.SPACE, (scope.tenant, self._list(["", scope.owner])))
        if len(rows) == 1 and scope.owner:  # the shared space alone: perhaps the owner was erased
            rows += self._erased_space(scope, rows[0][0])
        for tenant, owner, no in rows:
            if owner != "" or scope.owner == "":
                # one that a transaction numbered may be taken back
                (self._spaces if transaction is None else transaction.spaces)[at] = (tenant, no)
                return tenant, no
        return (rows[0][0], NOBODY) if rows else None

    def _given_space(self, scope: Scope) -> tuple[int, int]:
        """As :meth:`_space`, numbering a tenant or owner that is new (inside a write transaction)."""
        found = self._space(scope)
        if found is None:
            tenant = (self._rows(queries.TENANT_TOP)[0][0] or 0) + 1
            self._run(queries.ADD_SPACE, (scope.tenant, "", tenant, 0))
            self._run(queries.ADD_COUNTERS, (tenant, tenant))
            found = (tenant, NOBODY if scope.owner else 0)
        if found[1] == NOBODY:
            no = (self._rows(queries.OWNER_TOP, (scope.tenant,))[0][0] or 0) + 1
            self._run(queries.ADD_SPACE, (scope.tenant, scope.owner, found[0], no))
            found = (found[0], no)
        return found

    # -- owners who were erased ------------------------------------------------------------------------
    def _name(self, scope: Scope, tenant: int) -> None:
        """Gives an owner who was erased the name again, for something of it is written. Its number stayed, and other
        processes may know it."""
        if scope.owner and not self._rows(queries.SPACE, (scope.tenant, self._list([scope.owner]))):
            name = self._erased_name(tenant, scope.owner)
            self._run(queries.RENAME_SPACE, (scope.owner, scope.tenant, name))

    def _erased_space(self, scope: Scope, tenant: int) -> list[Row]:
        """The space of an owner who was erased whole."""
        name = self._erased_name(tenant, scope.owner)
        return [] if name is None else self._rows(queries.SPACE, (scope.tenant, self._list([name])))

    def _erased_name(self, tenant: int, owner: str) -> str | None:
        """What stands in the place of the owner's name once all of it is erased: a digest that tells the same owner
        again and cannot be read; None where the tenant has erased nobody."""
        if owner.startswith(ERASED_OWNER):
            return owner
        salt = self._rows(queries.MARK, (tenant, _SALT))
        if not salt:
            return None
        said = owner.encode("utf-8", "surrogatepass")
        return ERASED_OWNER + blake2b(said, digest_size=16, key=salt[0][0].to_bytes(8)).hexdigest()

    def _unname(self, scope: Scope, tenant: int) -> bool:
        """Takes the owner's name out of the store; whether it stood there."""
        self._run(queries.ADD_SALT, (tenant, _SALT, secrets.randbits(62)))
        name = self._erased_name(tenant, scope.owner)
        return self._run(queries.RENAME_SPACE, (name, scope.tenant, scope.owner)) > 0

    # -- words -----------------------------------------------------------------------------------------
    def _vocabulary(self, tenant: int) -> _Vocabulary:
        found = self._vocabularies.get(tenant)
        if found is None:
            found = self._vocabularies.setdefault(tenant, _Vocabulary(self, tenant))
        return found

    def _words(self, tenant: int) -> Mapping[int, str]:
        """Number → word, with those that this thread's transaction added."""
        known = self._vocabulary(tenant)
        transaction = self._local.transaction
        fresh = transaction.fresh.get(tenant) if transaction is not None else None
        if not fresh:
            return known
        if not known:
            known.load()
        return {**known, **{no: word for word, no in fresh.items()}}

    def _word_nos(self, tenant: int, words: Iterable[str]) -> list[int]:
        """Numbers of those words that have one."""
        known = self._vocabulary(tenant)
        transaction = self._local.transaction
        fresh = transaction.fresh.get(tenant, {}) if transaction is not None else {}
        out: list[int] = []
        for word in words:
            no = known.numbers.get(word) or fresh.get(word)
            if no is None:
                self._load_words(tenant)
                no = known.numbers.get(word)
            if no is not None:
                out.append(no)
        return out

    def _load_words(self, tenant: int) -> None:
        """Words that others added since; inside a transaction its own must not leak before the commit."""
        transaction = self._local.transaction
        fresh = transaction.fresh.get(tenant, {}) if transaction is not None else {}
        known = self._vocabulary(tenant)
        for no, word in self._rows(queries.SYMBOLS, (tenant,)):
            if word not in fresh:
                known.learn(no, word)

    def _give_words(self, tenant: int, words: set[str]) -> dict[str, int]:
        """A number for each word, new ones numbered in this transaction."""
        transaction = self._transaction()
        numbers = self._vocabulary(tenant).numbers
        fresh = transaction.fresh.setdefault(tenant, {})
        missing = sorted(word for word in words if word not in numbers and word not in fresh)
        if missing:
            self._counters(tenant)  # the tenant's numbers are given by one writer at a time
            self._load_words(tenant)
            missing = [word for word in missing if word not in numbers]
            top = max([*numbers.values(), *fresh.values(), 0])
            for no, word in enumerate(missing, top + 1):
                fresh[word] = no
                self._run(queries.ADD_SYMBOL, (tenant, no, word))
        return {word: numbers.get(word) or fresh[word] for word in words}

    def _counters(self, tenant: int) -> dict[str, int]:
        """Highest seq and no of the tenant, held until this transaction ends."""
        held = self._transaction().counters
        found = held.get(tenant)
        if found is None:
            rows = self._rows(queries.COUNTERS, (tenant,))
            found = held[tenant] = dict(rows)
        return found

    def _raise_counter(self, tenant: int, name: str, value: int) -> None:
        counters = self._counters(tenant)
        if value > counters[name]:
            counters[name] = value
            self._run(queries.SET_COUNTER, (value, tenant, name))


def _copied(numbers: dict[int, dict[str, int]]) -> dict[int, dict[str, int]]:
    return {tenant: dict(words) for tenant, words in numbers.items()}
