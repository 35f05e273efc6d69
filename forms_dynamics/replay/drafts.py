"""Drafts as lines of a recording hold them: the inverse of one another, whatever an extractor gave.

What JSON can say stays as it is (a model's raw words); typed values (``Money``, dates, ranges, tuples) are
wrapped as ``{"$": …}`` in the encoding of ``model.value``, so that both come back as they were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

from forms_dynamics.model.message import Draft, RelationDraft, SlotDraft
from forms_dynamics.model.value import decode, encode

_DEFAULTS = {f.name: f.default for f in fields(SlotDraft) if f.default is not MISSING}
_TUPLES = ("span", "agreed")
_ENDS = ("valid_from", "valid_until")  # of a relation


def packed(drafts: Sequence[Draft]) -> list[dict[str, Any]]:
    """Drafts as plain JSON, what has its default left out. TypeError: a value that is neither JSON nor a slot's."""
    return [_draft(draft) for draft in drafts]


def unpacked(rows: Sequence[Mapping[str, Any]]) -> tuple[Draft, ...]:
    """The inverse of :func:`packed`. KeyError, TypeError or ValueError where a row is none of its."""
    return tuple(
        Draft(
            form_type=row["form_type"],
            slots={name: _slot_back(slot) for name, slot in row.get("slots", {}).items()},
            relations=tuple(
                RelationDraft(
                    r["relation"],
                    _back(r["to"]),
                    r["op"],
                    _back(r["attributes"]),
                    *(_back(r.get(e)) for e in _ENDS),
                )
                for r in row.get("relations", ())
            ),
            external_id=row.get("external_id"),
            invalidate=row.get("invalidate", False),
        )
        for row in rows
    )


def _draft(draft: Draft) -> dict[str, Any]:
    row: dict[str, Any] = {"form_type": draft.form_type}
    if draft.slots:
        row["slots"] = {name: _slot(slot) for name, slot in draft.slots.items()}
    if draft.relations:
        row["relations"] = [_relation(relation) for relation in draft.relations]
    if draft.external_id is not None:
        row["external_id"] = draft.external_id
    if draft.invalidate:
        row["invalidate"] = True
    return row


def _relation(r: RelationDraft) -> dict[str, Any]:
    row = {"relation": r.relation, "to": _plain(r.to), "op": r.op, "attributes": _plain(r.attributes)}
    row.update((end, _plain(given)) for end in _ENDS if (given := getattr(r, end)) is not None)
    return row


def _slot(slot: SlotDraft) -> dict[str, Any]:
    row: dict[str, Any] = {"value": _plain(slot.value)}
    for name, default in _DEFAULTS.items():
        given = getattr(slot, name)
        if given != default:
            row[name] = _plain(list(given) if name in _TUPLES else given)
    return row


def _slot_back(row: Mapping[str, Any]) -> SlotDraft:
    given = {name: _back(value) for name, value in row.items()}
    for name in _TUPLES:
        if given.get(name) is not None:
            given[name] = tuple(given[name])
    return SlotDraft(**given)


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        plain = {str(key): _plain(item) for key, item in value.items()}
        return {"$": plain, "raw": True} if "$" in plain else plain
    return {"$": encode(value)}


def _back(value: Any) -> Any:
    if isinstance(value, list):
        return [_back(item) for item in value]
    if isinstance(value, dict):
        if "$" not in value:
            return {key: _back(item) for key, item in value.items()}
        return {k: _back(v) for k, v in value["$"].items()} if value.get("raw") else decode(value["$"])
    return value


__all__ = ["packed", "unpacked"]
