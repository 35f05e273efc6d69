"""The grammar of drafts: how an extractor writes what it read, as JSON.

A list of ``{"form_type", "external_id", "invalidate", "slots": {name: slot}, "relations": [{"relation", "to",
"op", "attributes", "valid_from", "valid_until"}]}``. A slot is ``{"value", "confidence", "evidence", "op",
"negated", "correction", "inferred", "proposal", "whose", "valid_from", "valid_until", "agreed"}``; every key of it
but ``value`` may be left out.

``agreed`` says that the assistant proposed the value and this message agrees: ``true`` (its words are the
value's own), the quoted words of the assistant's turn, or ``{"message": id, "words": words}``; ``evidence`` is
then the words that agree. Whether the turn says so, and whether this is agreement, is for the gate to find.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from forms_dynamics.errors import ExtractorUnavailable
from forms_dynamics.model.message import Draft, Proposal, RelationDraft, SlotDraft

OPS = ("set", "add", "remove", "clear")
_LIST_OF_DRAFTS = re.compile(r'\[\s*\{\s*"')


def parse_drafts(raw: Any, tier: str = "model") -> list[Draft]:
    """Drafts from their JSON form; ready :class:`Draft` values pass through.

    Raises :class:`ExtractorUnavailable` where the shape is not that of the grammar: the message is then
    queued rather than half taken.
    """
    if raw is None:
        return []
    if isinstance(raw, Mapping):
        raw = [raw]
    if not isinstance(raw, Sequence) or isinstance(raw, str):
        raise ExtractorUnavailable(f"drafts are a list, not {type(raw).__name__}")
    return [item if isinstance(item, Draft) else _draft(item, tier) for item in raw]


def checked(proposal: Any) -> Proposal:
    """A proposal whose shape can be relied on; ExtractorUnavailable says what is wrong with another's."""
    if not isinstance(proposal, Proposal) or not isinstance(proposal.drafts, Sequence):
        raise ExtractorUnavailable(
            f"an extractor gives a Proposal with a list of drafts, not {proposal!r:.80}"
        )
    for draft in proposal.drafts:
        if not isinstance(draft, Draft) or not isinstance(draft.slots, Mapping):
            raise ExtractorUnavailable(f"a Proposal holds Drafts with slots by name, not {draft!r:.80}")
        for name, slot in draft.slots.items():
            if not isinstance(name, str) or not isinstance(slot, SlotDraft):
                raise ExtractorUnavailable(f"slots of a Draft are SlotDrafts by name, not {name!r:.40}")
            if slot.evidence is not None and not isinstance(slot.evidence, str):
                raise ExtractorUnavailable(f"evidence of {name} is quoted text, not {slot.evidence!r:.40}")
            if slot.agreed is not None and not _is_words(slot.agreed):
                raise ExtractorUnavailable(
                    f"agreed of {name} is a message id and words, not {slot.agreed!r:.40}"
                )
            if slot.span is not None and not _is_span(slot.span):
                raise ExtractorUnavailable(f"the span of {name} is two offsets, not {slot.span!r:.40}")
    return proposal


def _is_words(agreed: Any) -> bool:
    return isinstance(agreed, tuple) and len(agreed) == 2 and all(isinstance(part, str) for part in agreed)


def _is_span(span: Any) -> bool:
    return isinstance(span, tuple) and len(span) == 2 and all(type(n) is int for n in span)


def _draft(raw: Any, tier: str) -> Draft:
    if not isinstance(raw, Mapping) or not isinstance(raw.get("form_type"), str):
        raise ExtractorUnavailable("a draft is an object with a form_type")
    slots = raw.get("slots") or {}
    if not isinstance(slots, Mapping):
        raise ExtractorUnavailable(f"slots of a {raw['form_type']} draft are an object")
    relations = raw.get("relations") or ()
    external = raw.get("external_id")
    return Draft(
        form_type=raw["form_type"],
        slots={str(name): _slot(value, tier) for name, value in slots.items()},
        relations=tuple(_relation(r) for r in relations),
        external_id=None if external is None else str(external),
        invalidate=bool(raw.get("invalidate", False)),
    )


def _slot(raw: Any, tier: str) -> SlotDraft:
    if isinstance(raw, SlotDraft):
        return raw
    if not isinstance(raw, Mapping) or not ("value" in raw or "op" in raw):
        return SlotDraft(raw, tier=tier)
    get = raw.get
    op = get("op")
    if op is not None and op not in OPS:
        raise ExtractorUnavailable(f"op is one of {', '.join(OPS)}, not {op!r}")
    return SlotDraft(
        value=get("value"),
        confidence=_number(get("confidence", 1.0)),
        evidence=get("evidence"),
        op=op,
        negated=bool(get("negated", False)),
        correction=bool(get("correction", False)),
        inferred=bool(get("inferred", False)),
        proposal=bool(get("proposal", False)),
        whose=get("whose") or "speaker",
        valid_from=get("valid_from"),
        valid_until=get("valid_until"),
        tier=tier,
        agreed=_agreed(get("agreed"), get("value")),
    )


def _agreed(raw: Any, value: Any) -> tuple[str, str] | None:
    """The turn ("" for the last one) and the words in it; None where the value is the message's own."""
    if raw is None or raw is False:
        return None
    if raw is True:
        return "", "" if value is None or isinstance(value, bool) else str(value)
    if isinstance(raw, str):
        return ("", raw) if raw.strip() else None
    if isinstance(raw, Mapping):
        return str(raw.get("message") or ""), str(raw.get("words") or value)
    raise ExtractorUnavailable(
        f"agreed is true, quoted words or an object with message and words, not {raw!r:.40}"
    )


def _number(raw: Any) -> float:
    """A confidence in [0, 1]; whatever is no number in that interval counts as none at all."""
    if isinstance(raw, bool) or not isinstance(raw, (int, float)) or not 0 <= raw <= 1:
        return 0.0
    return float(raw)


def _relation(raw: Any) -> RelationDraft:
    if isinstance(raw, RelationDraft):
        return raw
    if not isinstance(raw, Mapping) or not isinstance(raw.get("relation"), str):
        raise ExtractorUnavailable("a relation is an object with a relation name and a target")
    to = raw.get("to")
    return RelationDraft(
        relation=raw["relation"],
        to={"id": to} if isinstance(to, str) else dict(to or {}),
        op=raw.get("op") or "add",
        attributes=dict(raw.get("attributes") or {}),
        valid_from=raw.get("valid_from"),
        valid_until=raw.get("valid_until"),
    )


def parse_reply(text: str) -> list[Draft]:
    """Drafts from a model's raw reply: the JSON of the grammar, fenced or among prose.

    Raises :class:`ExtractorUnavailable` when no complete JSON list or object of drafts is in it.
    """
    decoder = json.JSONDecoder()
    for start in _openings(text):
        try:
            found, _ = decoder.raw_decode(text, start)
        except ValueError:
            if _LIST_OF_DRAFTS.match(text, start):
                break  # cut or broken in the middle: a part of it would be a silent loss
            continue
        if isinstance(found, list) and (not found or isinstance(found[0], Mapping)):
            return parse_drafts(found)
        if isinstance(found, Mapping) and "form_type" in found:
            return parse_drafts([found])
        if isinstance(found, Mapping) and isinstance(found.get("drafts"), list):
            return parse_drafts(found["drafts"])
    raise ExtractorUnavailable("the reply holds no drafts")


def _openings(text: str) -> Iterator[int]:
    yield from (i for i, ch in enumerate(text) if ch in "[{")
