"""Rows to columns: nested objects flattened, each column with a name that a slot can bear."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from forms_dynamics.errors import InvalidInput
from forms_dynamics.language.money import currency_of
from forms_dynamics.language.normal import has_han
from forms_dynamics.language.nulls import null_like
from forms_dynamics.schema.reader import is_name
from forms_dynamics.schema.sketch.plain import plainly
from forms_dynamics.schema.slot_reader import NOT_A_SLOT
from forms_dynamics.schema.spec import SlotSpec

MAX_COLUMNS = 100
MAX_NESTING = 4
Path = tuple[str, ...]

_BRACKETED = re.compile(r"\s*[(（\[【]\s*([^()（）\[\]【】]{1,12})\s*[)）\]】]\s*$")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_GAPS = re.compile(r"\W+")
# words of a header that hint at what its column is
MONEY = (
    "金额", "价", "费", "款", "预算", "营收", "amount", "price", "fee", "cost", "budget", "total", "revenue",
)  # fmt: skip
DAY = ("日期", "日", "date", "day", "time", "时间")
CODE = ("编号", "单号", "号", "代码", "编码", "id", "no", "number", "code", "sku", "uuid", "key", "ref")
STATE = (
    "状态", "类型", "类别", "等级", "级别", "阶段", "优先级", "性别", "渠道", "status", "state", "type", "kind",
    "category", "level", "stage", "priority", "gender", "channel", "grade",
)  # fmt: skip
WHO = (
    "名", "人", "公司", "客户", "地址", "备注", "name", "company", "customer", "address", "note", "title", "city",
)  # fmt: skip
_WHOLE = tuple(SlotSpec("x", kind) for kind in ("money", "date_range", "datetime", "number"))


@dataclass(slots=True)
class Column:
    """The cells of one header. ``cells``: number of the row (from 1) and value, empty ones left out."""

    path: Path
    name: str = ""  # of the slot
    bracket: str = ""  # what stands in brackets behind the header, often a unit
    cells: list[tuple[int, Any]] = field(default_factory=list)

    @property
    def header(self) -> str:
        return ".".join(self.path)

    @property
    def label(self) -> str:
        """The header as one would say it, without the unit in brackets."""
        said = " ".join(self.path)
        return (_BRACKETED.sub("", said) if self.bracket else said).strip()

    @property
    def words(self) -> frozenset[str]:
        """The words of the header, small: for hints that it gives."""
        said = " ".join(_CAMEL.sub(" ", part) for part in self.path)
        return frozenset(re.split(r"[\W_]+", said.casefold())) - {""}


@dataclass(slots=True)
class Inferred:
    """A column and the slot it became. ``slot`` None: left out, ``doubts`` say why."""

    column: Column
    slot: SlotSpec | None
    doubts: list[str] = field(default_factory=list)

    @property
    def filled(self) -> int:
        return len(self.column.cells)


def columns_of(rows: Iterable[Mapping[str, Any]]) -> list[Column]:
    """The columns in order of first sight, named; InvalidInput where there are none or too many."""
    found: dict[Path, Column] = {}
    for number, row in enumerate(rows, 1):
        for path, value in leaves(row):
            column = found.get(path)
            if column is None:
                column = found[path] = Column(path)
                if len(found) > MAX_COLUMNS:
                    raise InvalidInput(
                        f"the rows have more than {MAX_COLUMNS} columns; a Form type takes few: keep those that "
                        "matter, or split the rows by subject and make a type of each"
                    )
            if not is_blank(value):
                column.cells.append((number, value))
    if not found:
        raise InvalidInput("the rows hold no column; each row needs at least one key")
    _name(list(found.values()))
    return list(found.values())


def leaves(row: Mapping[str, Any], at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The values of a row with the keys that lead to them; an amount of money or a span stays one value."""
    for key, value in row.items():
        path = (*at, str(key))
        inside = isinstance(value, Mapping) and value and len(path) < MAX_NESTING
        if inside and not any(plainly(slot, value) is not None for slot in _WHOLE):
            yield from leaves(value, path)
        else:
            yield path, value


def is_blank(value: Any) -> bool:
    """Whether nothing stands in a cell at all; words that say so (无, N/A) are another matter."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, (list, Mapping)) and not value) or null_like(value)


def _name(columns: Sequence[Column]) -> None:
    taken: set[str] = set()
    for place, column in enumerate(columns, 1):
        bracket = _BRACKETED.search(column.path[-1])
        if bracket is not None and bracket.start() > 0:
            column.bracket = bracket[1].strip()
        name = slot_name(column.label) or f"column_{place}"
        count = 2
        unique = name
        while unique in taken:
            unique, count = f"{name}_{count}", count + 1
        taken.add(unique)
        column.name = unique


def slot_name(header: str) -> str:
    """A header as the name of a slot (客户名称, "Order No." → order_no); empty where no letter stands in it."""
    text = unicodedata.normalize("NFKC", header)
    name = _GAPS.sub("_", _CAMEL.sub("_", text)).strip("_").lower()
    if name and not is_name(name):
        name = f"slot_{name}"
    if name in NOT_A_SLOT:
        name += "_value"
    return name if is_name(name) else ""


def currency_in(column: Column) -> str | None:
    """The currency that a header names: 金额（元）, ``price_usd``; 万元 is none, it is another scale."""
    if column.bracket:
        return currency_of(column.bracket)
    return next((code for word in sorted(column.words) if (code := currency_of(word))), None)


def hints(column: Column, words: Sequence[str]) -> bool:
    """Whether the header holds one of ``words``: an English one whole, a Chinese one anywhere."""
    return any(word in column.label if has_han(word) else word in column.words for word in words)
