"""Conversations held out: chosen on one part of a log, judged on another that nothing was chosen on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Literal, NamedTuple

from forms_dynamics.errors import InvalidInput
from forms_dynamics.replay.bootstrap import FEWEST, SEED, rank
from forms_dynamics.replay.values import Counts

FEWEST_UNITS = 2 * FEWEST  # with fewer there is no interval on both sides


class Split(NamedTuple):
    """Which conversations settings are chosen on, and which judge the choice.

    ``unit``: what is never parted. ``chosen`` and ``held_out``: for each conversation its unit. ``note``: what
    a reader should know; may be empty.
    """

    unit: Literal["user", "conversation"]
    chosen: Mapping[str, str]
    held_out: Mapping[str, str]
    note: str

    @property
    def too_few(self) -> bool:
        """Whether one side has too few units for an interval."""
        return min(len(set(self.chosen.values())), len(set(self.held_out.values()))) < FEWEST


def split(
    by_conversation: Mapping[str, Counts],
    users: Mapping[str, str | None] | None = None,
    *,
    share: float = 0.3,
    seed: int = SEED,
) -> Split:
    """Part a log by a hash of names: the same log is parted the same way everywhere, in any order.

    ``users``: whose each conversation is. All conversations of a user share one memory and stay on one side
    where the log has at least :data:`FEWEST_UNITS` users. Units that measure the same things (values, labelled
    questions) at like length are parted in the same proportion. A small log gives both sides as many units as
    an interval needs, even where ``share`` says otherwise. InvalidInput: ``share`` outside 0.05 to 0.8.
    """
    if not isinstance(share, (int, float)) or isinstance(share, bool) or not 0.05 <= share <= 0.8:
        raise InvalidInput(f"the share of conversations to hold out is 0.05 to 0.8, not {share!r}")
    owners = {c: (users or {}).get(c) for c in by_conversation}
    known = {owner for owner in owners.values() if owner is not None}
    unit: Literal["user", "conversation"] = "user" if len(known) >= FEWEST_UNITS else "conversation"
    if unit == "user":
        # a conversation that nobody owns is nobody else's either
        unit_of = {c: f"c\n{c}" if owner is None else f"u\n{owner}" for c, owner in owners.items()}
    else:
        unit_of = {c: f"c\n{c}" for c in by_conversation}

    totals: dict[str, Counts] = {}
    for conversation, counts in by_conversation.items():
        name = unit_of[conversation]
        totals[name] = totals[name].plus(counts) if name in totals else counts
    ordered = sorted(totals, key=lambda name: (_kind(totals[name]), rank(seed, name), name))
    n = len(ordered)
    least = min(FEWEST, n // 2)
    k = min(max(round(share * n), least), n - least)
    held = {
        name for i, name in enumerate(ordered) if ((i + 1) * k + n // 2) // n > (i * k + n // 2) // n
    }  # every n/k-th, in whole numbers
    return Split(
        unit,
        {c: name for c, name in unit_of.items() if name not in held},
        {c: name for c, name in unit_of.items() if name in held},
        _note(unit, n, len(known), owners),
    )


def _kind(counts: Counts) -> tuple[bool, bool, int]:
    """What a unit can measure, and how long it is; nothing of how well it went."""
    return (counts.expected > 0 or counts.fields > 0, counts.asked > 0, int(math.log2(counts.turns + 1)) // 2)


def _note(unit: str, units: int, known: int, owners: Mapping[str, str | None]) -> str:
    if units < FEWEST_UNITS:
        return (
            f"only {units} {unit}{'' if units == 1 else 's'}: at least {FEWEST_UNITS} are needed before a "
            "difference can be told from chance"
        )
    shared = max(Counter(owner for owner in owners.values() if owner is not None).values(), default=1)
    if unit == "conversation" and shared > 1:
        return (
            f"conversations of {known} user{'' if known == 1 else 's'} share memory and were parted all the same: "
            "what holds for them need not hold for other users, and intervals may be too narrow"
        )
    return ""


__all__ = ["FEWEST_UNITS", "Split", "split"]
