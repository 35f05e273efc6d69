"""The telling turns as JSON, cut to what a reader takes in."""

from __future__ import annotations

from typing import Any

from forms_dynamics.replay.report.said import Said, cut
from forms_dynamics.replay.report.telling import Telling, faults
from forms_dynamics.replay.values import Asked, Fact, Run, Turn

_STEPS = 40  # of one trace
_FACTS = 20  # of one turn; as many missed values and questions put to the user
_QUESTIONS = 5  # labelled ones of one turn
_LONG = 200  # characters of one value, reason, question

Json = dict[str, Any]


def changed_turns(before: Run | None, after: Run | None) -> Json | None:
    """How many turns get better and worse; None where there are not two runs with turns."""
    if not before or not after or not before.turns or not after.turns:
        return None
    was = {(t.conversation, t.number): len(faults(t)) for t in before.turns}
    steps = [len(faults(t)) - was.get((t.conversation, t.number), 0) for t in after.turns]
    return {"better": sum(step < 0 for step in steps), "worse": sum(step > 0 for step in steps)}


def told(found: Telling, said: Said) -> Json:
    """A telling turn as JSON: its words, what was proposed, missed, asked of the user and of the memory."""
    turn, was = found.after, found.before
    message = said.words.get((turn.conversation, turn.message))
    sides = {"before": was, "after": turn} if was else {"after": turn}
    facts = _facts(was, turn)
    return {
        "why": found.why,
        "conversation": turn.conversation,
        "number": turn.number,
        "message": turn.message,
        "role": turn.role,
        "speaker": message.speaker if message else None,
        "text": message.text if message else None,
        "context": [line._asdict() for line in message.before] if message else [],
        "facts": facts[:_FACTS],
        "facts_left": max(0, len(facts) - _FACTS),
        "missed": {side: _missed(t) for side, t in sides.items()},
        "questions": {side: [cut(q, _LONG) for q in t.questions[:_FACTS]] for side, t in sides.items()},
        "asked": _asked(was, turn),
    }  # fmt: skip


def _missed(turn: Turn) -> list[list[str]]:
    return [[kind, slot, cut(value, _LONG)] for kind, slot, value in turn.missed[:_FACTS]]


def _facts(was: Turn | None, turn: Turn) -> list[Json]:
    """Every value that either run proposed, once, with what became of it in each; differing ones first."""
    table: dict[tuple[str, str, str], Json] = {}
    for side, one in (("before", was), ("after", turn)):
        for fact in one.facts if one else ():
            key = (fact.form_type, fact.slot, fact.value)
            row = table.setdefault(key, {
                "form_type": fact.form_type, "slot": fact.slot, "value": cut(fact.value, _LONG),
                "verdict": fact.verdict, "before": None, "after": None,
            })  # fmt: skip
            row[side] = _outcome(fact)
    rows = list(table.values())
    rows.sort(
        key=lambda row: (
            was is None or (row["before"] or {}).get("outcome") == (row["after"] or {}).get("outcome")
        )
    )
    return rows


def _outcome(fact: Fact) -> Json:
    return {"outcome": fact.outcome, "reason": cut(fact.reason, _LONG), "form": fact.form}


def _asked(was: Turn | None, turn: Turn) -> list[Json]:
    rows: dict[str, Json] = {}
    for side, one in (("before", was), ("after", turn)):
        for asked in one.asked if one else ():
            row = rows.setdefault(
                asked.question, {"question": cut(asked.question, _LONG), "before": None, "after": None}
            )
            row[side] = _answer(asked)
    return list(rows.values())[:_QUESTIONS]


def _answer(asked: Asked) -> Json:
    return {
        "right": asked.right,
        "missing": [cut(part, _LONG) for part in asked.missing[:_FACTS]],
        "stale": [cut(part, _LONG) for part in asked.stale[:_FACTS]],
        "rank": asked.rank,
        "hops": asked.hops,
        "tokens": asked.tokens,
        "confidence": round(asked.confidence, 6),
        "steps": [[cut(part, _LONG) for part in step] for step in asked.steps[:_STEPS]],
        "steps_left": max(0, len(asked.steps) - _STEPS),
    }


__all__ = ["changed_turns", "told"]
