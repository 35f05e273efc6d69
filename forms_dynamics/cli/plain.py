"""Any value of the public surface as plain JSON: fields keep their Python names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from forms_dynamics.model.value import Money, Range, encode


def plain(value: Any) -> Any:
    """``value`` as dicts, lists, strings, numbers, booleans and null.

    Slot values take the encoding of :func:`forms_dynamics.model.value.encode` (money as amount and currency,
    exact numbers as strings); times are ISO 8601; sets are sorted.
    """
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (Money, Range, Decimal, date)):
        return encode(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if hasattr(value, "_asdict"):
        return {name: plain(item) for name, item in value._asdict().items()}
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted((plain(item) for item in value), key=repr)
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).hex()
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    return [plain(item) for item in value]
