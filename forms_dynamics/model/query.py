"""What a declared query gives: rows, the ways to them, and what was left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from forms_dynamics.model.context import Trace
from forms_dynamics.model.form import Form

Rule = Literal[
    "where", "limit", "every", "superseded", "invalid", "candidate", "expired", "cold", "not yet valid",
    "not known then", "not found", "not comparable",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Walk:
    """One edge on the way to a row: from ``source`` to ``target`` as it was walked (``forward``: as it is drawn)."""

    step: str
    source: str
    relation: str
    target: str
    edge_id: str
    forward: bool


@dataclass(frozen=True, slots=True)
class QueryRow:
    """``values``: column → typed value; None where nothing is known, a tuple where several Forms or a many-valued
    slot gave several. ``forms``: step → the Forms of that step on the ways to this row. ``paths``: one way or more,
    each the edges from the start; empty for a row of the start itself."""

    form: Form
    values: Mapping[str, Any]
    forms: Mapping[str, Sequence[Form]]
    paths: Sequence[Sequence[Walk]]

    def __getitem__(self, column: str) -> Any:
        """The value of a column; KeyError for one that the query does not return."""
        return self.values[column]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """``count`` Forms or edges that ``rule`` kept out at a step; ``examples``: ids of the first of them."""

    step: str
    rule: Rule
    count: int
    examples: Sequence[str] = ()
    detail: str = ""


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The answer of :meth:`Memory.query`; a sequence of its rows. ``complete``: no limit cut anything off. ``forms``:
    those of the rows and on the ways to them, by id.

    ``text``: the rows as the query's template has them, empty where there are none."""

    name: str
    parameters: Mapping[str, Any]
    rows: Sequence[QueryRow] = ()
    forms: Mapping[str, Form] = field(default_factory=dict)
    text: str = ""
    left_out: Sequence[LeftOut] = ()
    complete: bool = True
    lang: str = "en"
    trace: Trace = field(default_factory=Trace)

    def __iter__(self) -> Iterator[QueryRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


__all__ = ["LeftOut", "QueryResult", "QueryRow", "Walk"]
