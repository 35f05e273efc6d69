"""How facts fade: ``confidence × fade_per_day ^ days since the last confirmation``, told by the clock at read.

The rate is the slot's own ``fade_per_day``, else that of its type's life; none, or 1, never fades. Nothing is stored:
what falls below :data:`FADED` is asked about again and shown as unsure, and stays known until somebody says
otherwise. A confirmation or a retelling raises no confidence; it begins the count of days anew.
"""

from __future__ import annotations

import math

from forms_dynamics.assertions import Assertion, said_at
from forms_dynamics.model.value import DAY
from forms_dynamics.schema.spec import FormType, SlotSpec

FADED = 0.5  # a value less sure than this is shown as unsure
MANY = 100  # old facts of a user that are asked about one by one; more are one question


def fade_of(form_type: FormType | None, spec: SlotSpec | None) -> float | None:
    """What a day without confirmation leaves of a slot's confidence; None where it never fades."""
    fade = spec.fade_per_day if spec is not None else None
    if fade is None and form_type is not None:
        fade = form_type.life.fade_per_day
    return None if fade is None or fade >= 1 else fade


def fading_slots(form_type: FormType) -> frozenset[str]:
    """The slots of a type that fade."""
    return frozenset(n for n, spec in form_type.slots.items() if fade_of(form_type, spec) is not None)


def faded_to(confidence: float, fade: float | None, last: int, at: int) -> float:
    """What is left of a confidence at a moment; ``last``: when the value was last confirmed (one that lies ahead, by
    a clock that is wrong, takes nothing away). Microseconds."""
    if fade is None or at <= last:
        return confidence
    left: float = confidence * fade ** ((at - last) / DAY)
    return left


def last_confirmed(held: Assertion, confirmed: int | None) -> int:
    """When an assertion was said or, later than that, confirmed."""
    said = said_at(held)
    return said if confirmed is None or confirmed < said else confirmed


def falls_at(confidence: float, fade: float, last: int) -> int:
    """The first moment at which a confidence is below :data:`FADED`; ``last``, where it is from the beginning."""
    if confidence < FADED:
        return last
    at = last + math.floor(DAY * math.log(FADED / confidence) / math.log(fade))
    while faded_to(confidence, fade, last, at) >= FADED:  # the logarithm is a few microseconds off at most
        at += 1
    return at


__all__ = ["FADED", "MANY", "fade_of", "faded_to", "fading_slots", "falls_at", "last_confirmed"]
