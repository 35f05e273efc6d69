"""A Form type as a pydantic model, for programs that hold typed values, and the source of a JSON Schema.

Strict: a value has the Python type that ``model.value`` names for its slot type, or is a ``Range`` of it
where the type is ordered. Reading words such as "50万" is the extractors' work and done before.
"""

from __future__ import annotations

import keyword
import re
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

from forms_dynamics.model.value import Money, Range
from forms_dynamics.schema.spec import ORDERED, FormType, SlotSpec

if TYPE_CHECKING:
    from pydantic import BaseModel

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")
_DURATION = re.compile(r"P(?=.)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?")


@lru_cache(maxsize=512)
def pydantic_model(form_type: FormType) -> type[BaseModel]:
    """The model of a Form type: every slot optional (``required`` never blocks), no others taken.

    Built once for each FormType. A slot whose name pydantic keeps for itself is a field with ``_`` behind it
    and the slot's name as alias, so fill and dump by alias.
    """
    from pydantic import BaseModel, ConfigDict, Field, create_model

    taken = set(dir(BaseModel))
    fields: dict[str, Any] = {}
    for name, spec in form_type.slots.items():
        field = name.replace("-", "_")
        while field in taken or field in fields or keyword.iskeyword(field):
            field += "_"
        told = spec.description.get("en") or spec.description.get("zh")
        fields[field] = (_annotation(spec) | None, Field(default=None, alias=name, description=told))
    return create_model(
        form_type.name,
        __config__=ConfigDict(
            strict=True, extra="forbid", frozen=True, populate_by_name=True, protected_namespaces=(),
            title=form_type.name,
        ),
        **fields,
    )  # fmt: skip


def _annotation(spec: SlotSpec) -> Any:
    from pydantic import AfterValidator

    base = _base(spec)
    bounded = spec.min is not None or spec.max is not None
    if bounded:
        base = Annotated[base, AfterValidator(lambda value: _within(value, spec))]
    if spec.type == "date_range" or (spec.type in ORDERED and not spec.exact):
        ends = date if spec.type == "date_range" else _PYTHON[spec.type]
        ranged = Annotated[Range, AfterValidator(lambda value: _range(value, ends, spec))]
        base = ranged if spec.type == "date_range" else base | ranged
    return tuple.__class_getitem__((base, ...)) if spec.many else base


_PYTHON: dict[str, type] = {
    "integer": int, "number": Decimal, "percent": Decimal, "money": Money, "date": date, "datetime": datetime,
    "boolean": bool,
}  # fmt: skip


def _base(spec: SlotSpec) -> Any:
    from pydantic import AfterValidator, AwareDatetime, StringConstraints

    kind = spec.type
    if kind == "enum":
        return Literal[tuple(spec.values)]
    if kind == "datetime":
        return AwareDatetime
    if kind == "money":
        return Annotated[Money, AfterValidator(_currency)]
    if kind in _PYTHON:
        return _PYTHON[kind]
    text = Annotated[str, StringConstraints(min_length=1, strict=True)]
    if kind == "email":
        return Annotated[text, AfterValidator(lambda value: _shaped(value, _EMAIL, "an e-mail address"))]
    if kind == "duration":
        return Annotated[
            text, AfterValidator(lambda value: _shaped(value, _DURATION, "an ISO 8601 duration (P3M)"))
        ]
    return text


def _shaped(value: str, pattern: re.Pattern[str], what: str) -> str:
    if not pattern.fullmatch(value):
        raise ValueError(f"{value!r} is not {what}")
    return value


def _currency(value: Money) -> Money:
    if not re.fullmatch("[A-Z]{3}", value.currency):
        raise ValueError(f"{value.currency!r} is no ISO 4217 code such as CNY")
    if not value.amount.is_finite():
        raise ValueError("an amount of money must be finite")
    return value


def _within(value: Any, spec: SlotSpec) -> Any:
    """``min`` and ``max`` of money are amounts in the slot's own unit."""
    amount = value
    if isinstance(value, Money):
        if spec.unit is not None and value.currency != spec.unit:
            return value
        amount = value.amount
    if spec.min is not None and amount < spec.min:
        raise ValueError(f"{amount} is below the minimum {spec.min}")
    if spec.max is not None and amount > spec.max:
        raise ValueError(f"{amount} is above the maximum {spec.max}")
    return value


def _range(value: Range, ends: type, spec: SlotSpec) -> Range:
    known = [end for end in (value.min, value.max) if end is not None]
    if not known:
        raise ValueError("a range needs at least one end")
    for end in known:
        # bool is an int and datetime a date to Python, not to a reader
        if not isinstance(end, ends) or isinstance(end, bool) or (ends is date and isinstance(end, datetime)):
            raise ValueError(f"{end!r} is no {spec.type}")
        _within(_currency(end) if isinstance(end, Money) else end, spec)
    if len(known) == 2:
        low, high = known
        if isinstance(low, Money):
            if low.currency != high.currency:
                raise ValueError(f"a range of money has one currency, not {low.currency} and {high.currency}")
            low, high = low.amount, high.amount
        if low > high:
            raise ValueError("a range begins before it ends")
    return value
