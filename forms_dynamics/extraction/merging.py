"""Two tiers' drafts of one message as one: where they agree a value is surer, where they differ it is asked about.

A recogniser's value stands: it was found by declared words. The model adds what was not found, raises what it found
too, and turns a value into a choice where its own, as well borne out by the message, is another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from forms_dynamics.extraction.facts import together
from forms_dynamics.extraction.scoring import LOOSE, agreed, evidence_match
from forms_dynamics.model.message import Draft, Message, SlotDraft
from forms_dynamics.schema.coerce import coerce, same
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec
from forms_dynamics.settings import Settings


class Merging:
    """Merges the drafts of one message."""

    def __init__(self, message: Message, catalog: Catalog, settings: Settings) -> None:
        self._message = message
        self._catalog = catalog
        self._settings = settings

    def merge(self, first: Sequence[Draft], second: Sequence[Sequence[Draft]]) -> list[Draft]:
        """``first``: of the recognisers, ``second``: of the model, by part of the message: what one part says of a
        Form may complete what another says."""
        out = list(first)
        found = len(out)
        gone = {d.form_type for d in out if d.invalidate}
        for drafts in second:
            before = len(out)
            for draft in drafts:
                if draft.invalidate:
                    if draft.form_type not in gone and "*" not in gone:
                        out.append(draft)
                        gone.add(draft.form_type)
                    continue
                at = self._counterpart(draft, out[:before])
                if at is None:
                    out.append(draft)
                    continue
                out[at], left = self._united(out[at], draft, found=at < found)
                if left is not None:
                    out.append(left)
        return out

    def _counterpart(self, draft: Draft, others: Sequence[Draft]) -> int | None:
        """The draft that tells of the same Form: of its type, with the most values in common and no other name; a
        draft that has neither is the only one of its type."""
        form_type = self._catalog.types.get(draft.form_type)
        if form_type is None or form_type.identity.each:
            alike = [i for i, o in enumerate(others) if o.form_type == draft.form_type and not o.invalidate]
            shared = [i for i in alike if form_type and self._shared(form_type, draft, others[i])]
            return shared[0] if shared else None
        best: tuple[int, int] | None = None
        alike = [i for i, o in enumerate(others) if o.form_type == draft.form_type and not o.invalidate]
        for i in alike:
            if self._named_otherwise(form_type, draft, others[i]):
                continue
            shared_slots = self._shared(form_type, draft, others[i])
            if best is None or shared_slots > best[0]:
                best = (shared_slots, i)
        if best is None or (best[0] == 0 and len(alike) > 1):
            return None
        return best[1]

    def _shared(self, form_type: FormType, one: Draft, other: Draft) -> int:
        return sum(
            self._same(form_type.slots[name], one.slots[name], other.slots[name])
            for name in one.slots.keys() & other.slots.keys() & form_type.slots.keys()
        )

    def _named_otherwise(self, form_type: FormType, one: Draft, other: Draft) -> bool:
        both = one.slots.keys() & other.slots.keys() & form_type.identity.slots
        return any(
            not self._same(form_type.slots[n], one.slots[n], other.slots[n])
            and not _overlap(one.slots[n], other.slots[n])
            for n in both
        )

    def _united(self, kept: Draft, given: Draft, found: bool) -> tuple[Draft, Draft | None]:
        """The two as one, and what of ``given`` has no place in it: a list gains and loses values in one message."""
        form_type = self._catalog.types[kept.form_type]
        slots = dict(kept.slots)
        left: dict[str, SlotDraft] = {}
        for name, slot in given.slots.items():
            spec = form_type.slots.get(name)
            if name not in slots or spec is None:
                slots.setdefault(name, slot)
            elif spec.many and (slots[name].negated, slots[name].op) != (slot.negated, slot.op):
                left[name] = slot
            else:
                slots[name] = self._slot(spec, slots[name], slot, found)
        relations = (*kept.relations, *(r for r in given.relations if r not in kept.relations))
        names = {n: s for n, s in slots.items() if n in form_type.identity.slots}
        rest = Draft(kept.form_type, {**names, **left}) if left else None
        return replace(kept, slots=slots, relations=relations), rest

    def _slot(self, spec: SlotSpec, kept: SlotDraft, given: SlotDraft, found: bool) -> SlotDraft:
        if kept.op == "clear" or given.op == "clear" or (kept.op != given.op and kept.op and given.op):
            return kept
        if spec.many:
            return self._list(spec, kept, given)
        if self._same(spec, kept, given):
            if kept.negated != given.negated or (given.proposal and not kept.proposal):
                return replace(kept, confidence=min(kept.confidence, self._settings.hedge_cap))
            if getattr(given, "hedged", False):
                return replace(kept, confidence=min(kept.confidence, given.confidence))
            return replace(kept, confidence=agreed(kept.confidence, given.confidence)) if found else kept
        if spec.type in ("text", "ref") and _overlap(kept, given):
            return kept  # 宁远化工 and 宁远化工公司: the same words, cut in two ways
        borne_out = evidence_match(spec, given, self._message, self._settings) > LOOSE
        if not borne_out or given.negated or given.proposal or kept.negated or kept.correction:
            return kept
        choice: SlotDraft = together([kept, given], self._message.text)
        return replace(choice, correction=False)

    def _list(self, spec: SlotSpec, kept: SlotDraft, given: SlotDraft) -> SlotDraft:
        """What the model names beside the items that were found."""
        if kept.negated != given.negated or kept.proposal != given.proposal:
            return kept
        mine, theirs = self._items(spec, kept), self._items(spec, given)
        if mine is None or theirs is None:
            return kept
        more = [raw for raw, key in theirs if key not in {k for _, k in mine}]
        if not more:
            return replace(kept, confidence=agreed(kept.confidence, given.confidence))
        extra = replace(given, value=more)
        united: SlotDraft = together([kept, extra], self._message.text)
        return replace(united, tier=kept.tier)

    def _items(self, spec: SlotSpec, slot: SlotDraft) -> list[tuple[object, str]] | None:
        raws = slot.value if isinstance(slot.value, (list, tuple)) else [slot.value]
        out = []
        for raw in raws:
            read = coerce(spec, raw, self._message.time, self._settings.date_order, self._message.text)
            if read.value is None:
                return None
            out.append((raw, str(read.value)))
        return out

    def _same(self, spec: SlotSpec, one: SlotDraft, other: SlotDraft) -> bool:
        order = self._settings.date_order
        a = coerce(spec, one.value, self._message.time, order, self._message.text)
        b = coerce(spec, other.value, self._message.time, order, self._message.text)
        if a.value is None or b.value is None:
            return a.value is None and b.value is None and str(one.value) == str(other.value)
        return same(spec, a.value, b.value)


def _overlap(one: SlotDraft, other: SlotDraft) -> bool:
    if one.span is None or other.span is None:
        return False
    return one.span[0] < other.span[1] and other.span[0] < one.span[1]


__all__ = ["Merging"]
