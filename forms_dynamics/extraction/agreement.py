"""Agreement: what the assistant proposed and the user takes ("要我把预算定为60万吗？" "对，就这个").

The value's words stand in the assistant's turn, the words that agree in the user's message; both are kept. A turn is
agreed to where nobody has spoken in between. Politeness agrees to nothing; a doubt, a condition, one of several
alternatives or one of several questions is asked about; a no answers yes-or-no slots and refuses the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from forms_dynamics.extraction.evidence import find, readings
from forms_dynamics.extraction.found import EXPLICIT, Readings
from forms_dynamics.extraction.offered import Offer, last_offers
from forms_dynamics.language import cues
from forms_dynamics.language.assent import Assent, assent
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.language.numerals import lowered
from forms_dynamics.model.form import Form
from forms_dynamics.model.gated import Span
from forms_dynamics.model.message import Draft, Message, SlotDraft
from forms_dynamics.schema.coerce import coerce
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec

_CHANGES = lazy(
    r"改|换|调|但|不过|就|只|是|要|\b(?:make|but|instead|change|only|just|exactly|it['’]s|is|to)\b"
)


# -- for the gate ------------------------------------------------------------------------------------------
class Consent(NamedTuple):
    """A proposal that the message answers. ``words``: of the value, in the stated turn; ``span``: of the answer, in
    the message. ``doubt``: why it is to be asked about all the same, with the readings to choose from."""

    offer: Offer
    words: Span
    span: Span
    doubt: str | None = None
    candidates: Sequence[str] = ()


def consent(message: Message, turns: Sequence[Message], slot: SlotDraft, spec: SlotSpec) -> Consent | str:
    """Whether the message agrees to the slot's words in the assistant's turn; else why not."""
    id, words = slot.agreed or ("", "")
    offers = [o for o in last_offers(turns)[:1] if id in ("", o.turn.id)]
    if not offers:
        return "no turn of the assistant's stands right before the message that agrees"
    found = next(((o, at) for o in offers if (at := _place(o, words)) is not None), None)
    if found is None:
        return "the words agreed to are not in the assistant's turn"
    offered, at = found
    stated = offered.there(at)
    if stated is None:
        return "the words agreed to are not in the assistant's turn"
    said = assent(message.text)
    if said is None:
        span = find(message.text, slot.evidence) if slot.evidence else None
        if span is None:
            return "the message does not agree to it"
        return Consent(offered, stated, span, "proposal")
    span = (said.start, said.end)
    if spec.type == "boolean":
        truth = said.agrees != cues.negated(offered.stated.text, *stated)
        if said.agrees or said.kind == "no":
            if coerce(spec, slot.value, message.time).value is not truth:
                return "the answer says the opposite"
            return Consent(offered, stated, span, _doubt(offered, said, at))
    if said.kind == "no":
        return "the user refuses it"
    if offered.removes(at):
        return "the turn proposes to end it"
    if not said.agrees and not (offered.asks or said.kind == "maybe"):
        return "politeness agrees to nothing"
    if said.kind == "weak" and not (offered.asks or offered.proposes):
        return "the message only acknowledges it"
    if offered.either(at):
        among = _among(offered, spec, at)
        return Consent(offered, stated, span, "ambiguous_value" if among else "proposal", among)
    return Consent(offered, stated, span, _doubt(offered, said, at))


def _place(offered: Offer, words: str) -> Span | None:
    """Where the words stand in the turn; of a yes-or-no answer, which needs none, the question."""
    return find(offered.turn.text, words) if words.strip() else offered.part


def _doubt(offered: Offer, said: Assent, at: Span) -> str | None:
    if said.kind == "maybe":
        return "hedged"
    if said.kind == "thanks" or said.under or said.but or offered.open:
        return "proposal"
    if said.kind == "weak" and not offered.asks:
        return "proposal"
    if offered.asks > 1 and not said.all_of:
        return "proposal"
    if not (offered.part[0] <= at[0] and at[1] <= offered.part[1]):
        return "proposal"
    stated = offered.there(at)
    if stated is not None and cues.hypothetical(offered.stated.text, *stated):
        return "proposal"
    return None


def _among(offered: Offer, spec: SlotSpec, at: Span) -> list[str]:
    """The readings between which a turn leaves the choice; none where they are not of a kind that can be read."""
    low, high = offered.around(at)
    turn = offered.turn
    found = [r for r in readings(spec, turn, None) if low <= r.start and r.end <= high]
    words = list(dict.fromkeys(turn.text[r.start : r.end] for r in found))
    return words if len(words) > 1 else []


# -- for the recognisers -----------------------------------------------------------------------------------
Read = Callable[[Message], Sequence[Draft]]


def agreed_drafts(
    message: Message,
    said: Assent,
    turns: Sequence[Message],
    read: Read,
    catalog: Catalog,
    known: Sequence[Form],
    own: Sequence[Draft],
) -> Iterator[Draft]:
    """What the message agrees to. ``read``: reads a turn as its speaker would state it; ``own``: what the message
    says in its own words, which goes before."""
    stated = {(draft.form_type, name) for draft in own for name in draft.slots}
    for offered in last_offers(turns)[:1]:
        if not said.agrees and said.kind != "no" and not offered.asks:
            continue
        if said.kind == "weak" and not (offered.asks or offered.proposes):
            continue
        if not (offered.asks or offered.proposes) and _informs(offered, turns):
            continue
        made = (
            [] if said.kind == "no" else [_taken(message, said, offered, d) for d in read(offered.message())]
        )
        drafts = [draft for draft in made if draft.slots]
        drafts.extend(_yes_or_no(message, said, offered, catalog, known, drafts))
        if not drafts:
            continue
        drafts = list(_changed(message, said, catalog, drafts))
        for draft in drafts:
            slots = {n: s for n, s in draft.slots.items() if (draft.form_type, n) not in stated}
            if slots:
                yield replace(draft, slots=slots)
        return


_INQUIRES = lazy(
    r"\b(?:what(?:['’]s| is| are| will| would)?|where|when|who|how)\b[^.?!]*[?]"
    r"|\b(?:tell|give|let) me\b|\bprovide\b|多少|几|什么|哪|谁|怎么"
)


def _informs(offered: Offer, turns: Sequence[Message]) -> bool:
    """Whether the turn only tells what the user's turn before it asked for."""
    at = next((i for i, turn in enumerate(turns) if turn.id == offered.turn.id), 0)
    before = turns[at - 1] if at else None
    return before is not None and before.role == "user" and _INQUIRES.search(lowered(before.text)) is not None


def without_bare_amounts(drafts: Sequence[Draft], catalog: Catalog) -> list[Draft]:
    """Without figures of money that say neither currency nor scale: "yes but 60" beside a proposal of $50k may be 60
    or 60k, and of which currency is not said."""
    out = []
    for draft in drafts:
        specs = catalog.types[draft.form_type].slots if draft.form_type in catalog.types else {}
        slots = {
            name: slot
            for name, slot in draft.slots.items()
            if not (name in specs and specs[name].type == "money" and str(slot.evidence).strip().isdigit())
        }
        if slots or not draft.slots:
            out.append(replace(draft, slots=slots))
    return out


def _taken(message: Message, said: Assent, offered: Offer, draft: Draft) -> Draft:
    """The draft of a turn as what the message agrees to."""
    slots: dict[str, SlotDraft] = {}
    for name, slot in draft.slots.items():
        span = offered.back(slot.span) if slot.span is not None else None
        if span is None or not (offered.part[0] <= span[0] and span[1] <= offered.part[1]):
            continue
        if offered.removes(span):
            continue
        slots[name] = _agreeing(message, said, offered, span, slot)
    return Draft(draft.form_type, slots)


def _agreeing(message: Message, said: Assent, offered: Offer, span: Span, slot: SlotDraft) -> SlotDraft:
    return replace(
        slot,
        evidence=message.text[said.start : said.end],
        span=(said.start, said.end),
        agreed=(offered.turn.id, offered.turn.text[slice(*span)]),
        proposal=False,
        correction=False,
    )


def _changed(message: Message, said: Assent, catalog: Catalog, drafts: Sequence[Draft]) -> Iterator[Draft]:
    """可以，但改成60万: an amount, a date beside the agreement takes the place of the only one of its kind."""
    rest = message.text[said.end :]
    found = Readings(rest, message.time, None)
    typed: dict[str, list[tuple[int, str]]] = {}
    for place, draft in enumerate(drafts):
        for name in draft.slots:
            spec = catalog.types[draft.form_type].slots[name]
            typed.setdefault(spec.type, []).append((place, name))
    slots = [dict(draft.slots) for draft in drafts]
    for places in typed.values():
        if len({name for _, name in places}) != 1:
            continue
        spec = catalog.types[drafts[places[0][0]].form_type].slots[places[0][1]]
        told = found.of(spec)
        if len(told) != 1 or (
            not _CHANGES.search(lowered(rest), 0, told[0].start) and rest[: told[0].start].strip(" ，,。.")
        ):
            continue
        low, high = said.end + told[0].start, said.end + told[0].end
        words = message.text[low:high]
        if spec.type == "money" and words.strip().isdigit():
            continue  # "yes but 60": of what?
        for place, name in places:
            slots[place][name] = SlotDraft(words, EXPLICIT, words, span=(low, high))
    for draft, mine in zip(drafts, slots, strict=True):
        yield replace(draft, slots=mine)


def _yes_or_no(
    message: Message,
    said: Assent,
    offered: Offer,
    catalog: Catalog,
    known: Sequence[Form],
    drafts: Sequence[Draft],
) -> Iterator[Draft]:
    """The answer to a question that names one yes-or-no slot: "Do you need an invoice?" "No"."""
    if not offered.asks or offered.open or said.kind in ("thanks", "maybe"):
        return
    text = lowered(offered.turn.text)
    named: list[tuple[int, FormType, SlotSpec, Span]] = []
    for form_type in catalog:
        for spec in form_type.slots.values():
            if spec.type != "boolean" or any(
                d.form_type == form_type.name and spec.name in d.slots for d in drafts
            ):
                continue
            for raw in (spec.name.replace("_", " "), *spec.aliases):
                at = _word(text, normal(raw), offered.part)
                if at is not None:
                    named.append((at[1] - at[0], form_type, spec, at))
    if not named:
        return
    longest = max(size for size, *_ in named)
    best = {(t.name, s.name): (t, s, at) for size, t, s, at in named if size == longest}
    if len(best) > 1:
        touched = {form.type for form in known}
        best = {key: found for key, found in best.items() if key[0] in touched}
    if len(best) != 1:
        return
    form_type, spec, at = next(iter(best.values()))
    there = offered.there(at)
    denied = there is not None and cues.negated(offered.stated.text, *there)
    slot = SlotDraft(said.agrees != denied, EXPLICIT)
    yield Draft(form_type.name, {spec.name: _agreeing(message, said, offered, at, slot)})


def _word(text: str, word: str, part: Span) -> Span | None:
    at = text.find(word, *part) if len(word) > 1 else -1
    if at < 0:
        return None
    end = at + len(word)
    if not has_han(word) and ((at and text[at - 1].isalnum()) or text[end : end + 1].isalpha()):
        return None
    return at, end


__all__ = ["Consent", "agreed_drafts", "consent", "without_bare_amounts"]
