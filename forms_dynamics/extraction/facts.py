"""From a model's flat reply to drafts in the terms of the message.

Every quote is looked for in the message: where it stands, the draft has its span; where it does not, the draft keeps
the quote and the gate refuses it. Nothing of a link or a withdrawal is taken whose words the message does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from forms_dynamics.extraction.evidence import find
from forms_dynamics.extraction.prompt import KNOWN
from forms_dynamics.extraction.scoring import ModelSlot, probabilities
from forms_dynamics.language import cues
from forms_dynamics.model.answer import Answer
from forms_dynamics.model.form import Form
from forms_dynamics.model.message import Draft, Message, RelationDraft, SlotDraft
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec

_NO_FACT = frozenset({"hypothetical", "assistant"})
_OPS = ("clear", "remove", "add")
Coerce = Callable[[str, str, Any, Message], Any]


class Part(NamedTuple):
    """The words that a model was shown: ``text`` stands at ``offset`` of the message, but for secrets left out."""

    text: str
    offset: int = 0

    def span(self, message: str, quote: str) -> tuple[int, int] | None:
        """Where the quote stands in the message, in this part of it if it can be told."""
        if not quote.strip():
            return None
        if message.startswith(self.text, self.offset):
            inside = find(self.text, quote)
            return None if inside is None else (self.offset + inside[0], self.offset + inside[1])
        return find(message, quote)


class Facts:
    """Reads the replies of one message. ``known``: the Forms that were offered by number."""

    def __init__(self, message: Message, catalog: Catalog, known: Sequence[Form], coerce: Coerce) -> None:
        self._message = message
        self._catalog = catalog
        self._known = known
        self._coerce = coerce
        self._correcting = cues.correcting(message.text)

    def drafts(self, answer: Answer, part: Part, tier: str) -> list[Draft]:
        """The drafts of one reply."""
        content = answer.content
        facts = content.get("facts") or []
        sure = probabilities(answer.logprobs, len(facts))
        grouped: dict[tuple[str, int], dict[str, list[ModelSlot]]] = {}
        for fact, probability in zip(facts, sure, strict=True):
            slot = self._slot(fact, part, tier, probability)
            if slot is not None:
                form = grouped.setdefault((fact["form"], fact.get("n", 1)), {})
                form.setdefault(fact["slot"], []).append(slot)
        relations: dict[tuple[str, int], list[RelationDraft]] = {}
        for link in content.get("links") or []:
            relation = self._link(link, part)
            if relation is not None:
                relations.setdefault((link["form"], link.get("n", 1)), []).append(relation)
        out = [draft for void in content.get("void") or [] if (draft := self._void(void, part, tier))]
        for key in dict.fromkeys([*grouped, *relations]):
            out.extend(self._form(key[0], grouped.get(key, {}), relations.get(key, ())))
        return out

    # -- slots -----------------------------------------------------------------------------------------------
    def _slot(
        self, fact: Mapping[str, Any], part: Part, tier: str, probability: float | None
    ) -> ModelSlot | None:
        marks = set(fact.get("marks") or ())
        spec = self._spec(fact["form"], fact["slot"])
        if marks & _NO_FACT:
            return None  # the model itself says that nobody claims it
        span = part.span(self._message.text, fact["quote"])
        op = next((op for op in _OPS if op in marks), None)
        said = raw = None if op == "clear" else fact["value"]
        if raw is not None and spec is not None:
            raw = self._coerce(fact["form"], fact["slot"], raw, self._message)
        if op is None and spec is not None and spec.many:
            op = "add"
        if op == "add" and spec is not None and not spec.many:
            op = None
        return ModelSlot(
            value=raw,
            confidence=float(fact.get("sure", 1.0)),
            evidence=self._message.text[slice(*span)] if span is not None else fact["quote"],
            op=op,
            negated="negated" in marks,
            correction="correct" in marks and self._correcting,
            proposal=bool(marks & {"proposal", "question"}),
            whose="other" if "other" in marks else "speaker",
            span=span,
            tier=tier,
            read=raw is not said,
            probability=probability,
            hedged="hedged" in marks,
        )

    def _spec(self, form: str, slot: str) -> SlotSpec | None:
        form_type = self._catalog.types.get(form)
        return form_type.slots.get(slot) if form_type is not None else None

    def _form(
        self, name: str, slots: Mapping[str, Sequence[ModelSlot]], relations: Sequence[RelationDraft]
    ) -> Iterable[Draft]:
        """One draft; more where a slot both gets and loses values (likes one thing, avoids another)."""
        form_type = self._catalog.types.get(name)
        layers: list[dict[str, SlotDraft]] = [{}]
        for slot, given in slots.items():
            spec = form_type.slots.get(slot) if form_type is not None else None
            for i, one in enumerate(_united(given, spec, self._message.text)):
                while len(layers) <= i:
                    layers.append({})
                layers[i][slot] = one
        identity = _identity(form_type, layers[0])
        yield Draft(name, layers[0], relations=tuple(relations))
        for layer in layers[1:]:
            yield Draft(name, {**identity, **layer})

    # -- links and withdrawals -------------------------------------------------------------------------------
    def _link(self, link: Mapping[str, Any], part: Part) -> RelationDraft | None:
        if part.span(self._message.text, link["quote"]) is None:
            return None
        form = self._numbered(link["to"])
        rules = [
            r for r in self._catalog.rules if r.name == link["relation"] and r.source in (link["form"], "*")
        ]
        if form is not None:
            fits = any(r.target in (form.type, "*") for r in rules)
            return RelationDraft(link["relation"], {"id": form.id}) if fits else None
        span = part.span(self._message.text, link["to"])
        if span is None:
            return None
        for rule in rules:
            target = self._catalog.types.get(rule.target)
            slot = _naming(target) if target is not None else None
            if slot is not None:
                words = self._message.text[slice(*span)]
                return RelationDraft(link["relation"], {"form_type": rule.target, slot: words})
        return None

    def _void(self, void: Mapping[str, Any], part: Part, tier: str) -> Draft | None:
        if part.span(self._message.text, void["quote"]) is None:
            return None
        form_type = self._catalog.types.get(void["form"])
        span = part.span(self._message.text, void.get("to") or "")
        slot = _naming(form_type)
        if span is None or slot is None:
            return Draft(void["form"], invalidate=True)
        words = self._message.text[slice(*span)]
        return Draft(
            void["form"], {slot: SlotDraft(words, 0.9, evidence=words, span=span, tier=tier)}, invalidate=True
        )

    def _numbered(self, to: str) -> Form | None:
        """The Form that was offered under ``#n``."""
        number = to.strip().removeprefix("#")
        if not to.strip().startswith("#") or not number.isdigit():
            return None
        at = int(number) - 1
        return self._known[at] if 0 <= at < min(len(self._known), KNOWN) else None


def _naming(form_type: FormType | None) -> str | None:
    """The slot by which people name a Form of the type: the first text of its identity."""
    if form_type is None:
        return None
    for key in form_type.identity.keys:
        for part in key:
            if part in form_type.slots and form_type.slots[part].type in ("text", "ref"):
                return part
    return None


def _identity(form_type: FormType | None, slots: Mapping[str, SlotDraft]) -> dict[str, SlotDraft]:
    if form_type is None:
        return {}
    return {name: slot for name, slot in slots.items() if name in form_type.identity.slots}


def _united(given: Sequence[ModelSlot], spec: SlotSpec | None, text: str) -> list[ModelSlot]:
    """What a reply says of one slot, as few drafts as it takes: the values of a list together; of a slot with one
    value, values that contradict each other as a choice, and what is only denied left out beside what is said."""
    if len(given) == 1:
        return list(given)
    if spec is None or not spec.many:
        said = [g for g in given if not g.negated] or list(given)
        plain = [g for g in said if not g.proposal] or said
        distinct = list({str(g.value): g for g in plain}.values())
        return [distinct[0] if len(distinct) == 1 else together(distinct, text)]
    groups: dict[tuple[Any, ...], list[ModelSlot]] = {}
    for one in given:
        groups.setdefault((one.op, one.negated, one.whose, one.proposal, one.hedged), []).append(one)
    return [group[0] if len(group) == 1 else together(group, text) for group in groups.values()]


def together(slots: Sequence[SlotDraft], text: str) -> Any:
    """Several values of one slot as one draft with the words of all; the least sure of them counts."""
    values: list[Any] = []
    for slot in slots:
        values.extend(slot.value if isinstance(slot.value, (list, tuple)) else [slot.value])
    spans = [slot.span for slot in slots if slot.span is not None]
    whole = len(spans) == len(slots)
    span = (min(s for s, _ in spans), max(e for _, e in spans)) if whole else None
    least = min(slots, key=lambda s: s.confidence)
    evidence = text[slice(*span)] if span is not None else next(s.evidence for s in slots if s.span is None)
    return replace(least, value=list(dict.fromkeys(values)), span=span, evidence=evidence)


__all__ = ["Facts", "Part", "together"]
