"""The gate: what an extraction may write.

Each slot of a draft ends accepted, held (a pending item with a question) or refused (with a reason), and
nothing else. In order: declared? the speaker's own words? null-like? evidence in the message? one value a
span? readable as the slot's type? the speaker's claim (no hypothesis, negation, third party)? derivable
from its evidence? plain (no hedge, no vague range)? sure enough?

Pure: drafts, message, catalog and settings in; values out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from forms_dynamics.extraction.agreement import Consent, consent
from forms_dynamics.extraction.borders import nothing_said
from forms_dynamics.extraction.evidence import locate, narrow, supports
from forms_dynamics.extraction.standing import of_a_later_period
from forms_dynamics.extraction.told import of_people, told_of_other
from forms_dynamics.extraction.unlabelled import FIGURES, unlabelled
from forms_dynamics.extraction.unnamed import of_unknown
from forms_dynamics.extraction.weighed import Weighed, redacted, shared_spans, sure
from forms_dynamics.inputs import no_slot, no_type
from forms_dynamics.language import cues, voices
from forms_dynamics.language.bygone import bygone, dreamt, of_the_past, somebody_else
from forms_dynamics.language.clauses import clause_of
from forms_dynamics.language.intentions import for_once, intended, is_passing, to_be
from forms_dynamics.language.normal import language, normal
from forms_dynamics.language.nulls import null_like
from forms_dynamics.language.numerals import lowered
from forms_dynamics.language.occasions import occasion
from forms_dynamics.language.posed import posed
from forms_dynamics.language.rejection import rejected
from forms_dynamics.language.secrets import redact
from forms_dynamics.language.signals import signals
from forms_dynamics.language.subjects import another_subject
from forms_dynamics.language.units import unit_of
from forms_dynamics.language.until import over_since
from forms_dynamics.model.gated import Gated, Held, Item, Span
from forms_dynamics.model.message import Draft, Message, Refusal, SlotDraft
from forms_dynamics.model.value import Range, to_micros
from forms_dynamics.schema.coerce import Coerced, coerce
from forms_dynamics.schema.questions import ask
from forms_dynamics.schema.relatives import of_speaker_alone
from forms_dynamics.schema.spec import Catalog, FormType, Relatives, SlotSpec
from forms_dynamics.schema.values.moments import is_birth_date
from forms_dynamics.settings import Settings

# The rest of a value's clause, its mark included: it still bears on the value when another value comes after.
_OWN_CLAUSE = re.compile(r"[^，,。;；.!！?？]*[，,。;；.!！?？]")

_AROUND = 240  # characters before a value

_DATED = ("date", "datetime", "date_range")


def gate(
    message: Message,
    drafts: Iterable[Draft],
    catalog: Catalog,
    settings: Settings,
    turns: Callable[[], Sequence[Message]] = tuple,
) -> tuple[list[Gated], list[Refusal]]:
    """All drafts of one message. The second part refuses drafts of types that are not declared. ``turns``: what was
    said before the message; looked at where a draft says that the message agrees."""
    passed: list[Gated] = []
    strangers: list[Refusal] = []
    for draft in drafts:
        form_type = catalog.types.get(draft.form_type)
        if form_type is None and not (draft.form_type == "*" and draft.invalidate):
            why = no_type(draft.form_type, catalog.types)
            strangers.append(Refusal(draft.form_type, None, None, why))
            continue
        passed.append(_Gate(message, form_type, settings, catalog.relatives, turns).take(draft))
    return passed, strangers


class _Gate:
    """The gate for one draft of one message."""

    def __init__(
        self,
        message: Message,
        form_type: FormType | None,
        settings: Settings,
        relatives: Mapping[str, Relatives],
        turns: Callable[[], Sequence[Message]] = tuple,
        offered: bool = False,
    ) -> None:
        """``offered``: the message is the assistant's turn, as the user who agrees would state it."""
        self._message = message
        self._turns = turns
        self._offered = offered
        self._type = form_type
        self._settings = settings
        self._lang = language(message.text)
        self._identity = form_type.identity.slots if form_type else frozenset[str]()
        self._may = signals(message.text)
        self._starts: list[int] = []
        self._relatives = relatives
        self._about = relatives.get(form_type.name) if form_type else None
        self._speakers = form_type is not None and {"$speaker", "$user"} & set(form_type.identity.context)
        self._named: Sequence[Span] = ()  # where the Form's name stands
        self._texts: Sequence[str] = ()  # what else the draft says
        self._timed = False  # the Form is told its own day
        self._clears = False  # a slot of the Form is taken back, and its name denies nothing
        self._hearsay = False  # all that the draft says besides a name is told by or of somebody else
        self._of: Any = None  # the relative that the draft is about

    def take(self, draft: Draft) -> Gated:
        out = Gated(
            self._type.name if self._type else None,
            relations=draft.relations,
            external_id=draft.external_id,
            invalidate=draft.invalidate,
            unsure=draft.invalidate and cues.invalidating(self._message.text) is None,
        )
        if self._message.role in ("assistant", "system"):
            self._refuse_all(draft, out)
            return out
        if self._type is None:
            return out
        readings: list[Weighed] = []
        agreed: dict[str, Consent] = {}
        self._clears = any(slot.op == "clear" for slot in draft.slots.values())
        for name, slot in draft.slots.items():
            spec = self._type.slots.get(name)
            if spec is None:
                self._refuse(out, name, slot.value, no_slot(self._type.name, name, self._type.slots))
                continue
            if slot.agreed is not None:
                given = consent(self._message, self._turns(), slot, spec)
                if isinstance(given, str):
                    self._refuse(out, name, slot.value, given)
                else:
                    agreed[name] = given
                continue
            reading = self._read(spec, slot, out)
            if reading is not None:
                readings.append(reading)
        self._timed = any(r.spec.type in _DATED for r in readings)
        shared = shared_spans(readings)
        self._starts = sorted(r.words[0] for r in readings if r.words is not None)
        self._named = [
            span
            for r in readings
            if r.spec.name in self._identity and r.draft.op != "clear" and (span := r.words or r.evidence)
        ]
        self._texts = [r.read.value for r in readings if isinstance(r.read.value, str)]
        if self._may.others and not draft.invalidate and self._type is not None:
            facts = [r for r in readings if r.spec.name not in self._identity and r.draft.op != "clear"]
            self._hearsay = bool(facts) and all(self._told_elsewhere(r) for r in facts)
        bare = unlabelled(self._message.text, readings)
        has_name = any(r.spec.name in self._identity and r.draft.op != "clear" for r in readings)
        if self._about is not None:
            self._of = next((r.read.value for r in readings if r.spec.name == self._about.slot), None)
        for reading in readings:
            if reading.spec.name in shared:
                self._refuse(
                    out, reading.spec.name, reading.draft.value,
                    f"the words {self._text(reading.words)!r} already fill {shared[reading.spec.name]}",
                )  # fmt: skip
            else:
                self._judge(reading, out, has_name, reading.spec.name in bare)
        if agreed:
            self._agree(draft, agreed, out)
        return out

    def _agree(self, draft: Draft, agreed: Mapping[str, Consent], out: Gated) -> None:
        """What the user agrees to is judged as if they had said the assistant's words themselves."""
        for offer in dict.fromkeys(given.offer for given in agreed.values()):
            slots = {
                name: replace(draft.slots[name], agreed=None, evidence=None, span=given.words)
                for name, given in agreed.items()
                if given.offer is offer
            }
            inner = _Gate(offer.message(), self._type, self._settings, self._relatives, offered=True)
            judged = inner.take(Draft(draft.form_type, slots))
            out.refused.extend(judged.refused)
            out.third_party = out.third_party or judged.third_party
            for item in judged.accepted:
                given = agreed[item.slot]
                item = self._said_by_agreeing(item, given)
                if given.doubt is None:
                    out.accepted.append(item)
                else:
                    self._ask_again(item, given.doubt, given, out)
            for held in judged.held:
                given = agreed[held.item.slot]
                item = self._said_by_agreeing(held.item, given)
                out.held.append(held._replace(item=item))

    def _said_by_agreeing(self, item: Item, given: Consent) -> Item:
        span = item.span or given.words
        at = given.offer.back(span) or given.offer.part
        return item._replace(span=given.span, agreed=(given.offer.turn.id, *at))

    def _ask_again(self, item: Item, doubt: str, given: Consent, out: Gated) -> None:
        if self._type is None:
            return
        spec, candidates = self._type.slots[item.slot], list(given.candidates)
        cap = self._settings.hedge_cap
        item = item._replace(confidence=min(item.confidence, cap))
        if candidates:
            item = item._replace(value=None)
        question = ask(self._type, spec, item.value, doubt, candidates, self._lang)
        out.held.append(Held(item, doubt, question, candidates))

    def _refuse_all(self, draft: Draft, out: Gated) -> None:
        for name, slot in draft.slots.items():
            self._refuse(
                out, name, slot.value, f"the {self._message.role}'s words are no evidence of the user's facts"
            )
        if not draft.slots:
            self._refuse(
                out, None, None, f"the {self._message.role}'s words are no evidence of the user's facts"
            )
        out.relations = ()
        out.invalidate = False
        out.external_id = None

    def _refuse(self, out: Gated, slot: str | None, value: Any, reason: str) -> None:
        out.refused.append(Refusal(self._type.name if self._type else "*", slot, value, reason))

    def _text(self, span: Span | None) -> str:
        return self._message.text[span[0] : span[1]] if span else ""

    # -- reading ---------------------------------------------------------------------------------------------
    def _read(self, spec: SlotSpec, slot: SlotDraft, out: Gated) -> Weighed | None:
        if self._settings.redact == "at_rest":
            slot = redacted(slot)  # the message's text is: its quoted words must be found in it
        if slot.op == "clear":
            span = locate(self._message.text, slot, None)
            if slot.evidence and span is None:
                self._refuse(out, spec.name, slot.value, "its evidence is not in the message")
                return None
            return Weighed(spec, slot, Coerced(None), span, None)
        if slot.value is None:
            return None  # a null without op: clear says nothing
        if null_like(slot.value):
            self._refuse(
                out, spec.name, slot.value, "a null-like value neither fills nor clears; use op: clear"
            )
            return None
        if spec.name in self._identity and isinstance(slot.value, str) and "\n" in slot.value.strip():
            self._refuse(out, spec.name, slot.value, "a name is one line")
            return None
        named = spec.name in self._identity
        if spec.type in ("text", "ref") and isinstance(slot.value, str) and nothing_said(slot.value, named):
            self._refuse(out, spec.name, slot.value, f"{slot.value!r} says nothing")
            return None
        read = coerce(spec, slot.value, self._message.time, self._settings.date_order, self._message.text)
        span = locate(self._message.text, slot, read)
        if span is None:
            reason = (
                "its evidence is not in the message" if slot.evidence else "no words of the message say it"
            )
            self._refuse(out, spec.name, slot.value, reason)
            return None
        words = narrow(self._message.text, span, slot.value, read)
        if read.error is not None or (read.value is None and not read.candidates):
            read, first = self._from_evidence(spec, span, read), read
            if read.error is not None and first.yearless is not None:
                read = first
            if read.error is not None:
                out.silent = True
                self._refuse(out, spec.name, slot.value, read.error)
                return None
        return Weighed(spec, slot, read, span, words)

    def _from_evidence(self, spec: SlotSpec, span: Span, failed: Coerced) -> Coerced:
        """Where the value alone does not read, its own quoted words may ("120k" with evidence "120k USD")."""
        if spec.type in ("text", "enum", "boolean", "ref", "integer"):
            return failed if failed.error else Coerced(error=f"{spec.name}: no value")
        again = coerce(
            spec, self._text(span), self._message.time, self._settings.date_order, self._message.text
        )
        if again.error is None and (again.value is not None or again.candidates):
            return again
        return failed if failed.error else Coerced(error=f"{spec.name}: {failed.value!r} is no {spec.type}")

    # -- judging ---------------------------------------------------------------------------------------------
    def _judge(self, reading: Weighed, out: Gated, has_name: bool, bare: bool = False) -> None:
        """``bare``: nothing in the message says which slot it is of, and another value claims the same."""
        spec, slot = reading.spec, reading.draft
        item = self._item(reading)
        if isinstance(item, str):
            self._refuse(out, spec.name, slot.value, item)
            return
        if slot.op == "clear":
            ended = reading.evidence is not None and cues.ends(self._text(reading.evidence))
            self._finish(item, None if ended and not slot.inferred else "low_confidence", reading, out)
            return
        objection = self._objection(reading, has_name)
        if objection is not None:
            kind, why = objection
            if kind == "refuse":
                out.silent = True
                self._refuse(out, spec.name, slot.value, why)
            else:
                self._hold(item, why, reading, out, cap=True)
            return
        over = self._over_since(reading)
        if over is True:
            self._refuse(out, spec.name, slot.value, "it was so once")
            return
        if over is not False:
            item = item._replace(valid_until=to_micros(over))
        if slot.whose == "other" or self._third_party(reading):
            out.third_party = True
        self._finish(item, self._doubt(reading, item) or ("inferred" if bare else None), reading, out)

    def _finish(self, item: Item, doubt: str | None, reading: Weighed, out: Gated) -> None:
        if doubt is None:
            out.accepted.append(item)
        else:
            self._hold(item, doubt, reading, out, cap=doubt in ("hedged", "range"))

    def _hold(self, item: Item, reason: str, reading: Weighed, out: Gated, cap: bool) -> None:
        if self._type is None:
            return
        confidence = min(item.confidence, self._settings.hedge_cap) if cap else item.confidence
        held = item._replace(confidence=confidence)
        candidates = [str(c) for c in reading.read.candidates]
        yearless = reading.read.yearless
        if yearless is not None:
            words = self._text(reading.words or reading.evidence)
            question = ask(self._type, reading.spec, words, "no_year", (), self._lang)
        else:
            taken_off = item.op == "remove" and item.value is not None and reason != "ambiguous_target"
            asked = "removed" if taken_off else reason
            question = ask(self._type, reading.spec, item.value, asked, candidates, self._lang)
        out.held.append(Held(held, reason, question, candidates, yearless))

    def _item(self, reading: Weighed) -> Item | str:
        slot = reading.draft
        try:
            start, until = self._moment(slot.valid_from), self._moment(slot.valid_until)
        except ValueError as wrong:
            return f"valid_from and valid_until are ISO 8601 times with an offset: {wrong}"
        value = reading.read.value
        if self._settings.redact != "off" and isinstance(value, str):
            value = redact(value)
        elif self._settings.redact != "off" and isinstance(value, tuple):
            value = tuple(redact(v) if isinstance(v, str) else v for v in value)
        return Item(
            slot=reading.spec.name,
            value=value,
            confidence=sure(slot.confidence),
            source="tool" if self._message.role == "tool" else "user",
            span=reading.words or reading.evidence,
            op=slot.op or ("add" if reading.spec.many else "set"),
            negated=slot.negated,
            correction=slot.correction,
            valid_from=start,
            valid_until=until,
            tier=slot.tier,
        )

    def _moment(self, raw: Any) -> int | None:
        if raw is None:
            return None
        moment = datetime.fromisoformat(raw) if isinstance(raw, str) else raw
        if not isinstance(moment, datetime):
            raise ValueError(f"{raw!r}")
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=self._message.time.tzinfo)
        return to_micros(moment)

    def _objection(self, reading: Weighed, has_name: bool) -> tuple[str, str] | None:
        """Why the words are not the speaker's claim: ("refuse", reason) or ("hold", pending reason)."""
        spec, slot, text = reading.spec, reading.draft, self._message.text
        span = reading.words or reading.evidence
        if span is None or self._message.role == "tool":
            return None
        start, end = span
        if posed(text, start, end):
            return "refuse", "the user does not say it for themselves"
        may = self._may
        deniable = not slot.negated and slot.op != "remove" and spec.type != "boolean"
        if self._clears and spec.name in self._identity:
            return None
        if may.denies and deniable and cues.negated(text, start, end):
            return "refuse", "the message denies it"
        if spec.type in FIGURES and deniable and rejected(text, start, end):
            return "refuse", "the message turns it down"
        if spec.type in ("date", "datetime") and self._day_of_another_kind(spec, start, end):
            return "refuse", "the message says of that day what it is"
        if (
            slot.op == "remove"
            and slot.tier in ("model", "cache")
            and not cues.over(text, *(reading.evidence or span))
        ):
            return "hold", "low_confidence"
        if dreamt(text, start, end):
            return "refuse", "it was a dream"
        if self._told_elsewhere(reading):
            return "hold", "ambiguous_target"
        if (past := self._past_or_another(reading)) is not None:
            return "refuse", past
        if spec.name in self._identity:
            return None  # naming a thing in a question or a hypothesis still names it
        if not has_name and not slot.sought and self._of_unknown(reading):
            return "hold", "ambiguous_target"
        if slot.whose == "other" and not has_name:
            return "refuse", "it is told of somebody else who is not named"
        if (
            self._of_another(reading)
            if self._about is not None
            else not has_name and self._third_party(reading)
        ):
            return "hold", "ambiguous_target"
        if may.supposes and not self._offered and cues.hypothetical(text, start, end):
            return "refuse", "the message only supposes it"
        if may.asks and not slot.sought and cues.questioned(text, start, end):
            return "hold", "proposal"
        if may.jokes and cues.joking(text):
            return "hold", "hedged"
        if not self._offered and (unsettled := self._unsettled(reading, span)) is not None:
            return unsettled
        inside = spec.type != "enum" or reading.words is None
        if self._offered or (slot.sought and not slot.proposal):
            return None  # a proposal is what is agreed to, or asked to be done
        if slot.proposal or (
            may.proposes and not slot.correction and cues.proposing(text, start, end, inside)
        ):
            return "hold", "proposal"
        return None

    def _over_since(self, reading: Weighed) -> datetime | bool:
        """Since when the words say that it is over (True: some time), or False."""
        spec, slot, span = reading.spec, reading.draft, reading.words or reading.evidence
        if span is None or self._offered or self._message.role == "tool" or spec.name in self._identity:
            return False
        if spec.many or slot.negated or slot.op in ("remove", "clear") or slot.valid_until or slot.valid_from:
            return False
        return over_since(self._message.text, *span, self._message.time, self._settings.date_order)

    def _unsettled(self, reading: Weighed, span: Span) -> tuple[str, str] | None:
        """What is only meant to become so, comes later or holds for one time: nothing that holds now. Of themselves,
        people tell what they are up to without wanting it to be noted."""
        spec, slot, text = reading.spec, reading.draft, self._message.text
        if self._type is None or slot.op in ("remove", "clear") or slot.valid_from is not None:
            return None
        if self._later(reading):
            return None  # 下个月预算会涨到60万 is asked about as a figure of that month
        dated = spec.type in _DATED
        names = (self._type.name, *self._type.aliases, spec.name, *spec.aliases)
        measured = spec.type == "number" and bool(spec.unit) and unit_of(spec.unit or "") is not None
        meant = intended(text, *span, names, measured)
        if meant == "given up":
            return "refuse", "the message does not mean it to be so"
        if meant == "meant" or (meant == "decided" and not dated):
            if self._speakers and spec.type == "text":
                return "refuse", "it is only meant to become so"
            return "hold", "proposal"
        if spec.type in FIGURES and not dated and not self._timed and to_be(text, *span):
            return "hold", "proposal"
        if not dated and for_once(text, *span) and not is_passing(names):
            return "hold", "proposal"
        return None

    def _later(self, reading: Weighed) -> bool:
        """Whether a figure is told of a year, quarter or month to come: it does not replace the present one."""
        spec, span = reading.spec, reading.evidence or reading.words
        if spec.type not in FIGURES or spec.type in ("date", "datetime") or span is None:
            return False  # a period may have one budget, headcount or rate; a day is of its own
        if reading.draft.valid_from is not None:
            return False  # 下个月起预算是80万: it waits for its day
        text = self._message.text
        names = [lowered(name.replace("_", " ")) for name in (spec.name, *spec.aliases)]
        return of_a_later_period(text, lowered(text), span, names)

    def _told_elsewhere(self, reading: Weighed) -> bool:
        """Whether somebody else tells it or does it (老王说翡翠城300万, "my neighbour got Jade Court"), unmarked."""
        span = reading.words or reading.evidence
        if span is None or self._offered or not self._may.others or self._about is not None:
            return False
        if self._type is None or reading.draft.whose == "other":
            return False
        if reading.spec.name in self._identity:
            return self._hearsay
        return told_of_other(self._message.text, span, self._named, of_people(self._type)) is not None

    def _of_unknown(self, reading: Weighed) -> bool:
        """Whether the words say of what it is told, and no Form's name is among them."""
        if reading.evidence is None or self._type is None:
            return False
        return of_unknown(self._message.text, reading.evidence[0], self._type) is not None

    def _past_or_another(self, reading: Weighed) -> str | None:
        """Why the words are no present fact of the speaker, where the Form is the speaker's own; or None."""
        span, slot = reading.words or reading.evidence, reading.draft
        if span is None or self._type is None or not self._speakers or not of_speaker_alone(self._type):
            return None
        if slot.negated or slot.op == "remove" or slot.agreed is not None or self._offered:
            return None
        text, spec = self._message.text, reading.spec
        if bygone(text, *span) and not any(of_the_past(w) for w in (spec.name, *spec.aliases, *spec.cues)):
            return "it was so once"
        who = somebody_else(text, *span)
        return f"it is told of {who!r}" if who is not None else None

    def _day_of_another_kind(self, spec: SlotSpec, start: int, end: int) -> bool:
        """Whether the message calls the day a birthday or the like, and neither slot nor Form goes by that word."""
        word = occasion(self._message.text, start, end)
        if word is None or self._type is None or is_birth_date(spec):
            return False
        told = (spec.name, *spec.aliases, *spec.cues, self._type.name, *self._type.aliases, *self._texts)
        return not any(word in normal(one.replace("_", " ")) for one in told)

    def _of_another(self, reading: Weighed) -> bool:
        """Whether a relative's fact is told of another relative, or of the speaker."""
        span = reading.words or reading.evidence
        if span is None or self._about is None or self._of is None:
            return False
        text = self._message.text
        if self._may.others and voices.quoted(text, *span) is not None:
            return True
        of = self._about.kin.told(text, *span)
        if of is not None:
            return of != str(self._of)
        return voices.own(text, *span)

    def _third_party(self, reading: Weighed) -> bool:
        span = reading.words or reading.evidence
        if span is None or reading.spec.name in self._identity:
            return False
        if self._speakers and any(
            one.kin.told(self._message.text, *span) for one in self._relatives.values()
        ):
            return True
        if self._speakers and self._type is not None:
            start, told = span[0], reading.evidence or span
            verb = self._message.text.endswith("对", 0, start)
            low = start - 1 if verb else min(told[0], start)
            alone = of_speaker_alone(self._type)
            if another_subject(self._message.text, low, start, verb=verb, persons=not alone):
                return True
        if not self._may.others:
            return False
        who = cues.third_party(self._message.text, *span)
        return who is not None and not voices.pronoun(who)  # only a named other is a third party

    def _hedged(self, spec: SlotSpec, span: Span) -> bool:
        """A hedge behind the next value (50万，三十天左右) bears on that one: what follows it is not looked at."""
        text = self._message.text
        if not spec.hedging.may(text):
            return False
        following = bisect_left(self._starts, span[1])
        if following < len(self._starts):
            behind = self._starts[following]
            tail = min(behind, spec.hedging.tail(text, span[1]))
            if tail == span[1] and (clause := _OWN_CLAUSE.match(text, tail, behind)):
                tail = clause.end()
            # of a long message the words around it are enough: each would else be another text to read
            far = max(0, span[0] - _AROUND)
            head = max(clause_of(text, far, far + 1)[0], far - _AROUND)
            text, span = text[head:tail], (span[0] - head, span[1] - head)
        return spec.hedging.hedged(text, *span)

    def _doubt(self, reading: Weighed, item: Item) -> str | None:
        """The pending reason of a claim that is not sure enough, or None."""
        spec, slot, read = reading.spec, reading.draft, reading.read
        if read.value is None and (read.candidates or read.yearless is not None):
            return "ambiguous_value"
        if slot.inferred:
            return "inferred"
        span = reading.words or reading.evidence
        # 忘了我住在苏州吧 asks for it, and doubts nothing
        bidden = slot.op == "remove" and span is not None and self._message.text.startswith("吧", span[1])
        if not bidden and (read.hedged or (span is not None and self._hedged(spec, span))):
            return "hedged"
        if read.vague:
            return "range"
        if self._later(reading):
            return "ambiguous_target"
        if not slot.read and not supports(
            spec,
            self._message,
            reading.evidence,
            reading.words,
            slot.value,
            item.value,
            self._settings.date_order,
        ):
            return "inferred"
        if spec.exact and isinstance(item.value, Range) and spec.type != "date_range":
            return "range"
        if item.correction and item.source == "user":
            return None
        threshold = spec.threshold
        if threshold is None and self._type is not None:
            threshold = self._type.threshold
        if item.confidence < (self._settings.conf_threshold if threshold is None else threshold):
            return "low_confidence"
        return None


__all__ = ["gate"]
