"""One slot on its way through the gate: the draft, how it reads, and where its words stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from forms_dynamics.language.secrets import redact
from forms_dynamics.model.gated import Span
from forms_dynamics.model.message import SlotDraft
from forms_dynamics.schema.coerce import Coerced
from forms_dynamics.schema.spec import SlotSpec


class Weighed(NamedTuple):
    """One slot on its way through the gate."""

    spec: SlotSpec
    draft: SlotDraft
    read: Coerced
    evidence: Span | None
    words: Span | None  # of the value itself, inside its evidence


def sure(confidence: Any) -> float:
    """A confidence in [0, 1]; whatever is no number in that interval counts as none at all."""
    if isinstance(confidence, bool) or not isinstance(confidence, (int, float)) or not 0 <= confidence <= 1:
        return 0.0
    return float(confidence)


def redacted(slot: SlotDraft) -> SlotDraft:
    evidence = redact(slot.evidence) if slot.evidence is not None else None
    return replace(
        slot, evidence=evidence, value=redact(slot.value) if isinstance(slot.value, str) else slot.value
    )


def shared_spans(readings: Sequence[Weighed]) -> Mapping[str, str]:
    """Slots whose very words another single-valued slot of the Form claims with more right: slot → that slot.

    The longer evidence says more of what the words mean; then the confidence decides, then the order.
    """
    losers: dict[str, str] = {}
    for i, one in enumerate(readings):
        for other in readings[i + 1 :]:
            if one.words is None or one.words != other.words or one.spec.many or other.spec.many:
                continue
            if "clear" in (one.draft.op, other.draft.op):
                continue
            first, second = (one, other) if _claim(one) >= _claim(other) else (other, one)
            losers[second.spec.name] = first.spec.name
    return losers


def _claim(reading: Weighed) -> tuple[int, float]:
    start, end = reading.evidence or (0, 0)
    return end - start, reading.draft.confidence


__all__ = ["Weighed", "redacted", "shared_spans", "sure"]
