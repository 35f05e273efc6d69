"""What a message answers of the questions that wait ("您提到的预算，是确切的，还是初步意向？" "确切的，就是50万").

A question counts as asked where its words stand in the assistant's turn just before, or where the user's own last
message made it wait and nobody has spoken since. A bare yes answers one question, not several; a hedge's question
(firm, or a first idea?) wants a word for firm or the value itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from forms_dynamics.extraction.found import Readings
from forms_dynamics.extraction.offered import last_offers
from forms_dynamics.language import cues
from forms_dynamics.language.assent import Assent, assent
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import normal
from forms_dynamics.language.numerals import lowered
from forms_dynamics.model.gated import Span
from forms_dynamics.model.message import Message
from forms_dynamics.model.record import PendingRecord
from forms_dynamics.model.value import decode
from forms_dynamics.schema.coerce import same
from forms_dynamics.schema.spec import Catalog, SlotSpec

_SHORT = 24  # characters that an answer without a word of answering may have
_FIRM = lazy(
    r"确切|确定|准确|肯定|就是|没错|说定|敲定|定下|定了|\b(?:exact(?:ly)?|firm|definite(?:ly)?|certain|precise(?:ly)?|final|fixed)\b"
)


class PendingAnswer(NamedTuple):
    """``text[span]`` answers a pending item. ``value``: the value given instead of the one that waits, the chosen
    candidate, or None; ``yes`` False refuses the item."""

    pending: PendingRecord
    yes: bool
    span: Span
    value: Any = None


def may_answer(text: str) -> bool:
    """A cheap look that is right when it says no."""
    return len(text) <= _SHORT or assent(text) is not None or _FIRM.search(lowered(text)) is not None


def pending_answers(
    message: Message,
    turns: Sequence[Message],
    waiting: Callable[[Sequence[str]], Sequence[PendingRecord]],
    catalog: Catalog,
    label: Callable[[str], str],
) -> list[PendingAnswer]:
    """See the module. ``waiting``: the open items that came from messages; ``label``: what a Form is called."""
    if message.role != "user" or not turns:
        return []
    items = [i for i in waiting([t.id for t in turns]) if i.state == "open" and i.question]
    asked = _asked(items, turns)
    if not asked:
        return []
    said = assent(message.text)
    if said is not None and (said.under or said.kind == "maybe"):
        return []
    given = list(_with_value(message, said, asked, catalog, label))
    if given or said is None:
        return given
    if len(asked) > 1 and not said.all_of:
        return []
    return [a for item in asked if (a := _plainly(message, said, item, bool(last_offers(turns)))) is not None]


def _asked(items: Sequence[PendingRecord], turns: Sequence[Message]) -> list[PendingRecord]:
    spoken = [normal(o.turn.text) for o in last_offers(turns)]
    if spoken:
        return [item for item in items if any(normal(item.question) in text for text in spoken)]
    return [item for item in items if item.message == turns[-1].id and turns[-1].role == "user"]


def _plainly(message: Message, said: Assent, item: PendingRecord, asked: bool) -> PendingAnswer | None:
    """Yes or no, without a value."""
    span = (said.start, said.end)
    if said.kind == "no":
        return PendingAnswer(item, False, span) if asked else None
    if not said.agrees or json.loads(item.candidates) or item.reason in ("range", "ambiguous_value"):
        return None
    known = json.loads(item.value).get("v") is not None
    if item.reason == "hedged":
        return (
            PendingAnswer(item, True, span) if known and _FIRM.search(lowered(message.text), *span) else None
        )
    if not asked and said.kind != "strong":
        return None  # 好的 behind one's own message is no answer to what it left open
    return PendingAnswer(item, True, span) if known else None


def _with_value(
    message: Message,
    said: Assent | None,
    asked: Sequence[PendingRecord],
    catalog: Catalog,
    label: Callable[[str], str],
) -> Iterator[PendingAnswer]:
    """The value itself, or one of the candidates, in the message."""
    text = message.text
    firm = _FIRM.search(lowered(text)) is not None
    for item in asked:
        spec = _spec(item, catalog)
        if spec is None and item.reason != "ambiguous_target":
            continue  # what the self-check asks is told by id, not in talk
        options: list[str] = json.loads(item.candidates)
        chosen = [(option, at) for option in options if (at := _stands(text, label(option))) is not None]
        if len(chosen) == 1:
            if _picks(message, item, spec):
                yield PendingAnswer(item, True, chosen[0][1], chosen[0][0])
            continue
        if spec is None or item.reason == "ambiguous_target":
            continue
        found = [
            r for r in Readings(text, message.time, None).of(spec) if not _IN_CODE.search(text, 0, r.start)
        ]
        if len(found) != 1 or found[0].value is None or found[0].vague:
            continue
        reading = found[0]
        span = (reading.start, reading.end)
        if spec.hedging.hedged(text, *span) or cues.questioned(text, *span) or cues.hypothetical(text, *span):
            continue
        value = decode(json.loads(item.value).get("v"))
        if value is not None and not spec.many and same(spec, value, reading.value):
            if said is None and not firm and len(text) > _SHORT:
                continue
            start = min(span[0], said.start) if said is not None else span[0]
            yield PendingAnswer(item, True, (start, span[1]))
        elif (said is not None and len(asked) == 1) or _alone(text, span):
            yield PendingAnswer(item, True, span, text[slice(*span)])


def _spec(item: PendingRecord, catalog: Catalog) -> SlotSpec | None:
    form_type = catalog.types.get(item.type)
    return form_type.slots.get(item.slot) if form_type is not None and item.slot is not None else None


_DENIES = lazy(r"不是|[没不]|\b(?:not?|never|neither)\b|n['’]t\b")


def _picks(message: Message, item: PendingRecord, spec: SlotSpec | None) -> bool:
    """Whether the message, which names one candidate, chooses it: it denies nothing and tells no other value."""
    text = message.text
    if _DENIES.search(lowered(text)) is not None:
        return False
    value = decode(json.loads(item.value).get("v"))
    if spec is None or spec.many or value is None:
        return True
    told = [r.value for r in Readings(text, message.time, None).of(spec) if r.value is not None]
    return not told or any(same(spec, value, one) for one in told)


def _stands(text: str, words: str) -> Span | None:
    at = lowered(text).find(words.casefold()) if words else -1
    return (at, at + len(words)) if at >= 0 else None


_IN_CODE = lazy(r"[A-Za-z][-_/#]?$|\w[-_/#]$")  # the 3 of C-3
_AROUND = lazy(
    r"[\s，,。.!！、~]*(?:就是|是|嗯|那就|正好|刚好|it['’]?s|it is|exactly|just)?[\s，,。.!！、吧的~]*"
)


def _alone(text: str, span: Span) -> bool:
    """Whether the message is the value and no more."""
    said = lowered(text)
    return bool(_AROUND.fullmatch(said, 0, span[0]) and _AROUND.fullmatch(said, span[1]))


__all__ = ["PendingAnswer", "may_answer", "pending_answers"]
