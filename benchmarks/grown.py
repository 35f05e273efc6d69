"""A large office's store out of a small one's, in minutes: every row of the small one again, many times.

Each copy of a customer has a name and numbers of its own, wherever they stand (texts, spans, payloads, names, full
text), and chains that verify; what else is said of it is the same. So it is a store as a load of its messages would
leave it but for the order in which the rows came, and times of day that repeat.
"""

from __future__ import annotations

import random
import re
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.customers import (
    CHINESE_NAMES,
    ENGLISH_NAMES,
    Customer,
    chinese_company,
    english_company,
)
from forms_dynamics.adapters.sql.fulltext import doc_tokens
from forms_dynamics.adapters.sql.mapping import form_doc, message_doc
from forms_dynamics.language.names import core
from forms_dynamics.language.normal import normal
from forms_dynamics.versioning.chain import GENESIS, seal

TENANT, OWNER = 1, 0  # a store of one tenant, its shared space
_SPAN = re.compile(r'"e":\[(\d+),(\d+)\]')
_MESSAGE = re.compile(r'"(lead|quote|change)-(\d+)"')
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def grown_office(base: Sequence[Customer], times: int, seed: int = 11) -> list[Customer]:
    """``base`` and ``times - 1`` copies of it under other names and numbers."""
    rng = random.Random(seed)
    used = {c.company for c in base}
    wanted = len(base) * (times - 1)
    english = iter(rng.sample(range(ENGLISH_NAMES), wanted // 2 + 1))  # with a town: no base name has one
    chinese = iter(rng.sample(range(CHINESE_NAMES), wanted // 2 + 1 + len(base)))
    out = list(base)
    for copy in range(1, times):
        for c in base:
            number = c.number + copy * len(base)
            if c.zh:
                name = next(n for n in map(chinese_company, chinese) if n not in used)
            else:
                name = english_company(next(english), town=True)
            out.append(
                replace(
                    c,
                    number=number,
                    company=name,
                    lead_no=f"L-{number + 1:06d}",
                    quote_no=f"Q-{900_000 - number}",
                )
            )
    return out


def grow(source: Path, target: Path, base: Sequence[Customer], office: Sequence[Customer]) -> None:
    """Writes ``office``, which :func:`grown_office` made of ``base``, into a new file."""
    shutil.copyfile(source, target)
    connection = sqlite3.connect(target, isolation_level=None)
    try:
        for pragma in ("journal_mode = MEMORY", "synchronous = OFF", "cache_size = -200000"):
            connection.execute(f"PRAGMA {pragma}")
        rows = _Rows(connection, base)
        for start in range(len(base), len(office), len(base)):
            connection.execute("BEGIN")
            rows.again(start // len(base), office[start : start + len(base)])
            connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()


class _Rows:
    """The rows of the small store, each with the customer that it is about."""

    def __init__(self, connection: sqlite3.Connection, base: Sequence[Customer]) -> None:
        self.connection, self.base = connection, base
        ask = connection.execute
        self.spans = dict(ask("SELECT name, value FROM counters WHERE tenant = ?", (TENANT,)))
        by_name = {c.lead_no.casefold(): i for i, c in enumerate(base)} | {
            c.quote_no.casefold(): i for i, c in enumerate(base)
        }
        at = (TENANT, OWNER)
        self.keys = list(ask("SELECT * FROM keys WHERE tenant = ? AND owner = ?", at))
        self.of_form = {row[5]: by_name[row[2]] for row in self.keys if row[2] in by_name}
        self.forms = list(ask("SELECT * FROM forms WHERE tenant = ? AND owner = ?", at))
        self.messages = list(ask("SELECT * FROM messages WHERE tenant = ? AND owner = ? ORDER BY seq", at))
        self.versions = list(
            ask("SELECT * FROM versions WHERE tenant = ? AND owner = ? ORDER BY form, n", at)
        )
        self.mentions = list(ask("SELECT * FROM mentions WHERE tenant = ? AND owner = ?", at))
        self.edges = list(ask("SELECT * FROM edges WHERE tenant = ? AND owner = ?", at))
        self.talks = 1 + max(int(row[5][1:]) for row in self.messages)
        self.texts = {row[4]: row[8] for row in self.messages}

    def again(self, copy: int, customers: Sequence[Customer]) -> None:
        """Adds one copy."""
        self.copy, self.customers = copy, customers
        self.no, self.seq = copy * self.spans["no"], copy * self.spans["seq"]
        self._put("messages", map(self._message, self.messages))
        self._put("forms", map(self._form, self.forms))
        self._put("versions", self._chains())
        self._put("keys", map(self._key, self.keys))
        self._put(
            "mentions",
            ((*r[:2], self._talk(r[2]), r[3], r[4] + self.seq, r[5] + self.no, r[6]) for r in self.mentions),
        )
        self._put("edges", (self._edge(r) for r in self.edges))
        self._put("fulltext (rowid, terms)", self._documents(), 2)
        for name in ("no", "seq"):
            value = (copy + 1) * self.spans[name]
            self.connection.execute(
                "UPDATE counters SET value = ? WHERE tenant = ? AND name = ?", (value, TENANT, name)
            )

    def _put(self, table: str, rows: Iterator[Sequence[Any]], width: int = 0) -> None:
        every = list(rows)
        marks = ", ".join("?" * (width or len(every[0])))
        self.connection.executemany(f"INSERT INTO {table} VALUES ({marks})", every)

    # -- one row ---------------------------------------------------------------------------------------------
    def _said(self, text: str, i: int) -> str:
        old, new = self.base[i], self.customers[i]
        for was, now in (
            (old.company, new.company),
            (old.lead_no, new.lead_no),
            (old.quote_no, new.quote_no),
        ):
            text = text.replace(was, now)
        return text

    def _id(self, message: str) -> str:
        kind, _, number = message.partition("-")
        return f"{kind}-{int(number) + self.copy * len(self.base)}"

    def _talk(self, conversation: str) -> str:
        return f"c{int(conversation[1:]) + self.copy * self.talks}"

    def _message(self, row: Sequence[Any]) -> Sequence[Any]:
        i = int(row[4].partition("-")[2])
        talk, text = self._talk(row[5]), self._said(row[8], i)
        return (*row[:3], row[3] + self.seq, self._id(row[4]), talk, *row[6:8], text, *row[9:])

    def _form(self, row: Sequence[Any]) -> Sequence[Any]:
        i = self.of_form[row[3]]
        head = None if row[12] is None else self._payload(row[12], i)
        id = row[2][:-6] + _code(row[3] + self.no)
        return (
            *row[:2], id, row[3] + self.no, *row[4:11], self._talk(row[11]), head, *row[13:15],
            self._said(row[15], i), *row[16:],
        )  # fmt: skip

    def _payload(self, payload: str, i: int) -> str:
        moved = _MESSAGE.sub(lambda m: f'"{self._id(f"{m[1]}-{m[2]}")}"', self._said(payload, i))
        old, new = self.base[i].company, self.customers[i].company
        longer = len(new) - len(old)
        # all spans of a payload are of texts that hold the name at one place, or of those that do not hold it
        at = self.texts[f"lead-{i}"].find(old)
        return (
            _SPAN.sub(lambda m: _moved(m, at, len(old), longer), moved)
            if longer and old in payload
            else moved
        )

    def _chains(self) -> Iterator[Sequence[Any]]:
        parent, form = GENESIS, 0
        for row in self.versions:
            if row[2] != form:
                parent, form = GENESIS, row[2]
            payload = self._payload(row[8], self.of_form[form])
            parent = seal(parent, row[9], payload)
            yield (*row[:2], form + self.no, row[3], self._id(row[4]), *row[5:8], payload, row[9], parent)

    def _key(self, row: Sequence[Any]) -> Sequence[Any]:
        i = self.of_form[row[5]]
        name = normal(self.base[i].company)
        new = normal(self.customers[i].company)
        names = {name: new, core(name): core(new)}
        return (
            *row[:2],
            names.get(row[2]) or self._said(row[2].upper(), i).casefold(),
            *row[3:5],
            row[5] + self.no,
        )

    def _edge(self, row: Sequence[Any]) -> Sequence[Any]:
        return (
            *row[:2],
            row[2] + self.no,
            row[3],
            row[4] + self.no,
            *row[5:11],
            self._id(row[11]),
            *row[12:],
        )

    def _documents(self) -> Iterator[tuple[int, str]]:
        for row in map(self._message, self.messages):
            yield message_doc(row[3]), doc_tokens(TENANT, OWNER, row[8])
        for row in map(self._form, self.forms):
            yield form_doc(row[3]), doc_tokens(TENANT, OWNER, row[15])


def _moved(span: re.Match[str], at: int, size: int, longer: int) -> str:
    start, end = int(span[1]), int(span[2])
    return f'"e":[{start + longer * (start > at)},{end + longer * (end >= at + size)}]'


def _code(number: int) -> str:
    out = ""
    for _ in range(6):
        number, digit = divmod(number, len(_DIGITS))
        out = _DIGITS[digit] + out
    return out


__all__ = ["grow", "grown_office"]
