"""What the gate gives: items that may be written now, items that wait, refusals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from forms_dynamics.model.message import Refusal, RelationDraft
from forms_dynamics.model.value import decode, encode

Span = tuple[int, int]


class Item(NamedTuple):
    """A slot that may be written: now (accepted) or when a person says so (held)."""

    slot: str
    value: Any
    confidence: float
    source: str = "user"
    span: Span | None = None
    path: str | None = None
    op: str = "set"
    negated: bool = False
    correction: bool = False
    valid_from: int | None = None
    valid_until: int | None = None
    tier: str = "recogniser"
    message: str | None = None  # whose words ``span`` is in, when not the message being decided
    agreed: tuple[str, int, int] | None = None  # the assistant's turn that holds the value, and where in it
    verbatim: bool = False  # given by a caller as it is to stand: another spelling of a text is another value


class Held(NamedTuple):
    """An item that waits, with the reason, the question to ask and the readings to choose from. ``yearless``: the day
    that was said without a year, in whichever year."""

    item: Item
    reason: str
    question: str
    candidates: Sequence[str] = ()
    yearless: date | None = None


@dataclass(slots=True)
class Gated:
    """One draft after the gate. ``type`` None: an invalidation that names no type."""

    type: str | None
    accepted: list[Item] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    relations: Sequence[RelationDraft] = ()
    external_id: str | None = None
    invalidate: bool = False
    unsure: bool = False  # no words of the message withdraw anything: an invalidation is asked about
    silent: bool = False  # words of the message were refused as no fact: they are not to be quoted either
    third_party: bool = False  # some accepted fact is told of another than the speaker


def item_json(item: Item) -> dict[str, Any]:
    """An item as plain JSON, for a pending item's draft."""
    return {
        "slot": item.slot, "value": encode(item.value), "confidence": item.confidence, "source": item.source,
        "span": list(item.span) if item.span else None, "path": item.path, "op": item.op,
        "negated": item.negated, "correction": item.correction, "from": item.valid_from,
        "until": item.valid_until, **({"agreed": list(item.agreed)} if item.agreed else {}),
    }  # fmt: skip


def item_from_json(raw: dict[str, Any]) -> Item:
    """The inverse of :func:`item_json`."""
    span, agreed = raw["span"], raw.get("agreed")
    return Item(
        raw["slot"], decode(raw["value"]), raw["confidence"], raw["source"], tuple(span) if span else None,
        raw["path"], raw["op"], raw["negated"], raw["correction"], raw["from"], raw["until"],
        agreed=tuple(agreed) if agreed else None,
    )  # fmt: skip


__all__ = ["Gated", "Held", "Item", "Span", "item_from_json", "item_json"]
