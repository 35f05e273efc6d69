"""Structured, versioned, explainable memory for agents.

``Memory.open`` is the way in; the values and errors that its calls give and raise are here beside it. Names
are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forms_dynamics.errors import (
        Conflict,
        EmbedderMismatch,
        ExtractorUnavailable,
        FormsDynamicsError,
        InvalidInput,
        NotFound,
        SchemaError,
        StoreTooNew,
        StoreUnavailable,
    )
    from forms_dynamics.extractor import Extraction, FormExtractor
    from forms_dynamics.memory import Memory
    from forms_dynamics.model.context import Context, Step, Trace
    from forms_dynamics.model.form import DynamicEdge, Form, Pending, Slot, Version
    from forms_dynamics.model.message import (
        Cost,
        Draft,
        Message,
        Proposal,
        Receipt,
        Refusal,
        RelationDraft,
        SlotDraft,
    )
    from forms_dynamics.model.query import QueryResult
    from forms_dynamics.model.report import Act, Erased, Health, Loaded, Verification, Why
    from forms_dynamics.model.value import Evidence, Money, Range
    from forms_dynamics.ports import Embedder
    from forms_dynamics.settings import Settings

__version__ = "0.10.0"

_HOMES = {
    "errors": (
        "Conflict", "EmbedderMismatch", "ExtractorUnavailable", "FormsDynamicsError", "InvalidInput", "NotFound",
        "SchemaError", "StoreTooNew", "StoreUnavailable",
    ),
    "extractor": ("Extraction", "FormExtractor"),
    "memory": ("Memory",),
    "model.context": ("Context", "Step", "Trace"),
    "model.form": ("DynamicEdge", "Form", "Pending", "Slot", "Version"),
    "model.message": (
        "Cost", "Draft", "Message", "Proposal", "Receipt", "Refusal", "RelationDraft", "SlotDraft",
    ),
    "model.query": ("QueryResult",),
    "model.report": ("Act", "Erased", "Health", "Loaded", "Verification", "Why"),
    "model.value": ("Evidence", "Money", "Range"),
    "ports": ("Embedder",),
    "settings": ("Settings",),
}  # fmt: skip
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Act", "Conflict", "Context", "Cost", "Draft", "DynamicEdge", "Embedder", "EmbedderMismatch", "Erased",
    "Evidence", "Extraction", "ExtractorUnavailable", "Form", "FormExtractor", "FormsDynamicsError", "Health",
    "InvalidInput", "Loaded", "Memory", "Message", "Money", "NotFound", "Pending", "Proposal", "QueryResult",
    "Range", "Receipt", "Refusal", "RelationDraft", "SchemaError", "Settings", "Slot", "SlotDraft",
    "Step", "StoreTooNew", "StoreUnavailable", "Trace", "Verification", "Version", "Why",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
