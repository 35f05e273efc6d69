"""What a message says of facts that may have faded: that they still hold, or hold no longer."""

from __future__ import annotations

from collections.abc import Sequence

from forms_dynamics.extraction.still import Doubted, StillAnswer, still_answers
from forms_dynamics.model.gated import Gated
from forms_dynamics.model.message import Message
from forms_dynamics.model.record import MessageRecord
from forms_dynamics.model.value import decode
from forms_dynamics.projection import state_of
from forms_dynamics.reader import Reader
from forms_dynamics.schema.reader import LANGUAGES
from forms_dynamics.schema.wording import format_value
from forms_dynamics.versioning.align import context_of
from forms_dynamics.versioning.decide import Decider
from forms_dynamics.versioning.faded import Fact, name_of, old_facts, question_of
from forms_dynamics.versioning.renewal import end, renew


def still_told(
    decider: Decider, message: Message, turns: Sequence[Message], gated: Sequence[Gated], reader: Reader
) -> list[StillAnswer[Fact]]:
    """The answers of the message; no no to a slot of which it says more in its own words (``gated``). The scope's
    Forms are read only where the turn before asks whether something still holds."""
    ws = decider.ws

    def facts() -> list[Doubted[Fact]]:
        found = old_facts(ws.store, ws.scope, ws.catalog, reader, ws.now, every=True)
        return [_doubted(fact) for fact in found if _speaks_of(fact, decider.message, ws.scope.owner)]

    told = {(one.type, item.slot) for one in gated for item in one.accepted}
    return [
        one
        for one in still_answers(message, turns, facts)
        if one.yes or (one.key.record.type, one.key.slot) not in told
    ]


def retell(decider: Decider, answers: Sequence[StillAnswer[Fact]]) -> None:
    """Writes the answers."""
    for said in answers:
        if said.yes:
            renew(decider, [said.key], said.span)
        else:
            end(decider, [said.key], said.span, said.values)


def _doubted(fact: Fact) -> Doubted[Fact]:
    value = decode(fact.held["v"])
    each = value if isinstance(value, tuple) else (value,)
    words = [(v, format_value(v, fact.spec, lang)) for v in each for lang in LANGUAGES]
    questions = [question_of(fact, lang) for lang in LANGUAGES]
    return Doubted(fact, fact.spec, questions, name_of(fact, LANGUAGES[0]), list(dict.fromkeys(words)))


def _speaks_of(fact: Fact, message: MessageRecord, owner: str) -> bool:
    """Whether the message is by the speaker whose Form it is."""
    if "$speaker" not in fact.form_type.identity.context:
        return True
    mine = context_of(fact.form_type, message, owner)["$speaker"]
    return bool(state_of(fact.record).get("k", {}).get("$speaker") == mine)


__all__ = ["retell", "still_told"]
