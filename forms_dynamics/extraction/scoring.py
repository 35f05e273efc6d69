"""How surely a model's value is what the message says.

A model's own number is no measure: small models give the number of the example, large ones 0.95 for anything. The
score of a value that a model gave is

    e · (1 + t) / 2, at most c; with a recogniser's a for the same value: 1 − (1 − a)(1 − that)

    e  evidence: 0.95 where the quote stands in the message as it is and holds the value's words; 0.9 where case,
       width or script differ, or the value is read from the quote ("half a million" → 500000); 0.5 where the quote
       is there and does not give the value; 0 where the quote is not in the message
    t  the probability of the value's tokens, √(mean · least), where the endpoint gives log-probabilities; else 1
    c  the number that the model gave: it can only lower
    a  the confidence of a recogniser that found the same value (at most 0.99 comes of it)

A value that the model marks as hedged scores at most ``settings.hedge_cap``. With the default threshold of 0.8 a
literal value passes while t is at least 0.69.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from forms_dynamics.extraction.evidence import locate, narrow, supports
from forms_dynamics.model.message import Message, SlotDraft
from forms_dynamics.schema.coerce import coerce
from forms_dynamics.schema.spec import SlotSpec
from forms_dynamics.settings import Settings

LITERAL, DERIVED, LOOSE = 0.95, 0.9, 0.5
SUREST = 0.99
_VALUE = re.compile(r'"value"\s*:\s*(?="((?:[^"\\]|\\.)*)"|[-\d\[tf])')


@dataclass(frozen=True, slots=True)
class ModelSlot(SlotDraft):
    """A slot as a model gave it; ``confidence`` is the model's own number until it is scored.

    ``probability``: of the value's tokens, None where the endpoint gives none. ``hedged``: the model's mark.
    """

    probability: float | None = None
    hedged: bool = False


def score(spec: SlotSpec, draft: SlotDraft, message: Message, settings: Settings) -> float:
    """The score of a model's value by the formula above; another tier's own confidence."""
    if not isinstance(draft, ModelSlot):
        return draft.confidence
    if draft.op == "clear":
        found = LITERAL if locate(message.text, draft, None) is not None else 0.0
    else:
        found = evidence_match(spec, draft, message, settings)
    sure = 1.0 if draft.probability is None else draft.probability
    cap = settings.hedge_cap if draft.hedged else 1.0
    return min(found * (1 + sure) / 2, draft.confidence, cap)


def evidence_match(spec: SlotSpec, draft: SlotDraft, message: Message, settings: Settings) -> float:
    """How well the message bears the value out: e of the formula."""
    order = settings.date_order
    read = coerce(spec, draft.value, message.time, order, message.text)
    span = locate(message.text, draft, read)
    if span is None:
        return 0.0
    if draft.read:
        return DERIVED
    words = narrow(message.text, span, draft.value, read)
    if words is not None and draft.evidence == message.text[span[0] : span[1]]:
        return LITERAL
    if supports(spec, message, span, words, draft.value, read.value, order):
        return DERIVED
    return LOOSE


def agreed(one: float, other: float) -> float:
    """The confidence of what two tiers found independently."""
    return max(one, other, min(1 - (1 - one) * (1 - other), SUREST))


def probabilities(logprobs: Sequence[tuple[str, float]] | None, values: int) -> Sequence[float | None]:
    """√(mean · least) of the probabilities of the tokens of each ``value`` in a reply, in order; None where the
    tokens do not tell."""
    nothing: list[float | None] = [None] * values
    if not logprobs:
        return nothing
    text = "".join(token for token, _ in logprobs)
    found = list(_VALUE.finditer(text))
    if len(found) != values:
        return nothing
    ends: list[int] = []
    for token, _ in logprobs:
        ends.append((ends[-1] if ends else 0) + len(token))
    out: list[float | None] = []
    for match in found:
        start, end = match.span(1) if match[1] is not None else (match.end(), match.end() + 1)
        inside = []
        for at in range(bisect_right(ends, start), len(ends)):
            token, logprob = logprobs[at]
            if ends[at] - len(token) >= end:
                break
            if token.strip(' "') and not math.isnan(logprob):
                inside.append(math.exp(min(logprob, 0.0)))
        out.append(math.sqrt(sum(inside) / len(inside) * min(inside)) if inside else None)
    return out


__all__ = ["ModelSlot", "agreed", "evidence_match", "probabilities", "score"]
