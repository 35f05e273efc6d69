"""What a person decides about a finding of the self-check: which edge stands, which step of a circle goes, which of
two records the other becomes part of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from forms_dynamics.errors import Conflict, InvalidInput
from forms_dynamics.model.record import EdgeRecord, PendingRecord
from forms_dynamics.strength import MARKED, begins, ended
from forms_dynamics.versioning.decide import Decider
from forms_dynamics.versioning.parting import merge

# what is asked, by the kind of the finding; the Form at the other end of a missing relation is asked for like one
# that a draft could not find
SETTLED = ("several", "double", "cycle", "tied", "unfounded")


def settle(decider: Decider, item: PendingRecord, draft: Mapping[str, Any], value: Any) -> None:
    """Does what a person chose. InvalidInput where the choice is none of the candidates, Conflict where what was
    asked about is no longer there."""
    choices: list[str] = json.loads(item.candidates)
    kind = draft["finding"]
    if kind == "unfounded":
        if value is not None:
            raise InvalidInput("confirm without a value drops these edges; refuse keeps them")
        for edge in decider.ws.standing_edges(choices):
            _give_way(decider, edge, decider.message.time, marked=False)
        return
    chosen = choices[0] if value is None and len(choices) == 1 else value
    if chosen not in choices:
        raise InvalidInput(f"say which is meant: {', '.join(choices)}")
    if kind == "double":
        _merge(decider, chosen, [id for id in choices if id != chosen])
        return
    standing = {edge.id: edge for edge in decider.ws.standing_edges(choices)}
    if chosen not in standing:
        raise Conflict(f"edge {chosen} is no longer active: run upkeep, which looks again")
    if kind == "several":
        _keep(decider, standing.pop(chosen))
        for edge in standing.values():
            _give_way(decider, edge, begins(edge), marked=True)
    elif kind == "cycle":
        _give_way(decider, standing[chosen], begins(standing[chosen]), marked=True)
    else:  # what a Form that is no longer valid is tied to
        _give_way(decider, standing[chosen], decider.message.time, marked=True)


def _keep(decider: Decider, edge: EdgeRecord) -> None:
    """A rule would let go of an edge that it would not draw today: what a person chose is the person's."""
    decider.outcome.took = True
    if edge.made_by.removeprefix(MARKED).startswith("rule:"):
        decider.ws.put_edge(edge._replace(made_by="act"))
        decider.outcome.edges.append(edge.id)


def _give_way(decider: Decider, edge: EdgeRecord, at: int, *, marked: bool) -> None:
    """Ends the edge at a moment; its beginning: it was wrong, and never held. ``marked``: a rule does not draw it
    again, for a person has said so."""
    by_rule = edge.made_by.startswith("rule:")
    made_by = MARKED + edge.made_by if marked and by_rule else edge.made_by
    decider.ws.put_edge(ended(edge, "superseded", at)._replace(made_by=made_by))
    decider.outcome.edges.append(edge.id)
    decider.outcome.took = True


def _merge(decider: Decider, chosen: str, others: Sequence[str]) -> None:
    one = decider.ws.own(chosen)
    if one is None or not one.active:
        raise Conflict(f"Form {chosen!r} is no longer active: run upkeep, which looks again")
    for other in others:
        two = decider.ws.own(other)
        if two is not None and two.active:
            merge(decider, one, two)


__all__ = ["SETTLED", "settle"]
