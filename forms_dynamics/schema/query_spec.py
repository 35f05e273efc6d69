"""Declared queries as the engine reads them: parameters, a start, steps over relations, what comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from forms_dynamics.schema.expression import Expression
from forms_dynamics.schema.spec import SlotSpec

Direction = Literal["out", "in", "either"]
Figure = Literal["count", "min", "max", "sum", "depth"]

ANY = "*"
FIGURES: tuple[Figure, ...] = ("count", "min", "max", "sum", "depth")
MOST_STEPS = 8
MOST_REPEATS = 20  # edges that one repeated step may follow one behind another
LAYER = 1000  # Forms of one step, where it names no limit
MOST_LAYER = 10_000
ROWS = 100  # rows, where the query names no limit
MOST_ROWS = 10_000


@dataclass(frozen=True, slots=True)
class QueryParameter:
    """``slot`` tells type, values, unit; its name is the parameter's. ``default``: as it is written, read when the
    query runs (``today``); None: there is none."""

    slot: SlotSpec
    required: bool = True
    default: Any = None
    description: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Start:
    """Where the paths begin. ``named``: a text, or ``$parameter``, by which the Forms are looked up (identity, name,
    alias, id); None: all of the type that meet ``where`` are looked through, ``limit`` of them at most."""

    name: str
    form_type: str
    named: str | None = None
    where: Expression | None = None
    limit: int = LAYER


@dataclass(frozen=True, slots=True)
class QueryStep:
    """From the Forms of ``source`` (the index of a step; 0 is the start) along edges. ``relations``: names, or one
    ``$parameter``. ``repeat``: how many edges one behind another, at least and at most. ``limit``: Forms kept."""

    name: str
    source: int
    relations: tuple[str, ...]
    direction: Direction = "out"
    to: str = ANY
    where: Expression | None = None
    repeat: tuple[int, int] | None = None
    every: bool = False
    optional: bool = False
    limit: int = LAYER


@dataclass(frozen=True, slots=True)
class Column:
    """One value of a row: slot ``slot`` of the Forms of step ``step`` (an index), or a figure over them."""

    name: str
    step: int
    slot: str | None = None
    figure: Figure | None = None


@dataclass(frozen=True, slots=True, eq=False)
class QuerySpec:
    """A query as declared. ``group``: the step (an index; 0 is the start) that rows are of. ``order``: (column,
    descending). ``asks``: patterns of questions by language."""

    name: str
    start: Start
    steps: Sequence[QueryStep]
    columns: Sequence[Column]
    group: int
    parameters: Mapping[str, QueryParameter] = field(default_factory=dict)
    description: Mapping[str, str] = field(default_factory=dict)
    order: Sequence[tuple[str, bool]] = ()
    limit: int = ROWS
    include: frozenset[str] = frozenset()  # cold, expired
    template: Mapping[str, str] = field(default_factory=dict)
    row: Mapping[str, str] = field(default_factory=dict)
    asks: Mapping[str, Sequence[str]] = field(default_factory=dict)
    file: str = ""
    line: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The start's name and those of the steps, by index."""
        return (self.start.name, *(step.name for step in self.steps))

    def label(self, lang: str) -> str:
        """What the query is called before its rows: its description in that language, else its name."""
        return self.description.get(lang) or self.name.replace("_", " ")
