"""The extractor that users call, subclass and name: recognisers, then a model, then the gate."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from forms_dynamics.errors import ExtractorUnavailable, InvalidInput
from forms_dynamics.extraction import backcheck, scoring
from forms_dynamics.extraction.asking import Asking
from forms_dynamics.extraction.backcheck import Disagreement
from forms_dynamics.extraction.gate import gate
from forms_dynamics.extraction.prompt import Prompts
from forms_dynamics.extraction.recognisers import Recognisers
from forms_dynamics.extraction.steps import named
from forms_dynamics.extraction.tiers import Tiers
from forms_dynamics.inputs import check_text, parse_time
from forms_dynamics.language.normal import language
from forms_dynamics.model.form import Form, Pending, Slot
from forms_dynamics.model.gated import Gated, Held, Item
from forms_dynamics.model.known import Known, turns_of
from forms_dynamics.model.message import NO_COST, Cost, Draft, Message, Proposal, Refusal, SlotDraft
from forms_dynamics.model.value import Evidence, from_micros
from forms_dynamics.schema.questions import ask
from forms_dynamics.schema.spec import Catalog, FormType
from forms_dynamics.settings import Settings

if TYPE_CHECKING:
    from forms_dynamics.ports import Model


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one text gives, before anything is stored.

    ``forms``: in the order that the text tells of them, with provisional ids; a value that waits shows as a pending
    slot without a value. ``refused``: what was not taken, and why. ``cost``: of the model, all attempts.
    """

    forms: Sequence[Form] = ()
    pending: Sequence[Pending] = ()
    refused: Sequence[Refusal] = ()
    cost: Cost = NO_COST
    drafts: Sequence[Draft] = ()

    @property
    def form(self) -> Form | None:
        """The first Form; None where the text states nothing."""
        return self.forms[0] if self.forms else None

    def passed(self) -> bool:
        """Whether there is a Form and nothing of it waits: no pending value, no required slot without one."""
        return bool(self.forms) and not self.pending

    def pending_slots(self) -> Sequence[Pending]:
        """What waits for a person, each with its question: unsure values, and required slots that were not said."""
        return self.pending


class FormExtractor:
    """Reads messages into Forms. Subclass it and override one method, or use it as it is::

        extraction = FormExtractor(["lead_profile"], llm="gpt-4o-mini").run("我们预算50万，分三期付款")
        extraction.form["budget"]          # Money(500000, CNY)

    ``form_types``: as for ``Memory.open``. ``llm``: an OpenAI or AsyncOpenAI client, the name of a model (address
    and key from ``settings``, else OPENAI_BASE_URL and OPENAI_API_KEY), or None: recognisers alone. Implements
    ``ports.Extractor``; ``Memory.open(extractor=…)`` takes the class, an instance, or its name. Thread-safe.
    """

    verifies = True  # it has its drafts compared with the message itself

    def __init__(
        self,
        form_types: Sequence[str | Path] | Catalog | None = None,
        llm: Any = None,
        conf_threshold: float | None = None,
        *,
        relation_rules: Sequence[str | Path] | None = None,
        settings: Any = None,
    ) -> None:
        """Raises SchemaError (types), InvalidInput (settings). Nothing is asked of ``llm`` before a message needs
        it. ``conf_threshold``: for :meth:`run`; within a Memory its own settings decide."""
        from forms_dynamics.schema.load import load_catalog

        self.catalog = (
            form_types if isinstance(form_types, Catalog) else load_catalog(form_types, relation_rules)
        )
        self._own_settings = settings is not None
        chosen = Settings.read(settings)
        if conf_threshold is not None:
            chosen = Settings.read({**chosen.model_dump(), "conf_threshold": conf_threshold})
        self.settings = chosen
        self._llm = llm
        self._wire()

    def _wire(self) -> None:
        recognisers = Recognisers(self.catalog, self.settings)
        self._prompts = Prompts(self.catalog, recognisers, self.settings.redact != "off")
        model = model_of(self._llm, self.settings)
        self._asking = None if model is None else Asking(model, self.settings.model_concurrency)
        self._tiers = Tiers(self.catalog, self.settings, recognisers, self._asking, self, self._prompts)

    def within(self, settings: Settings) -> FormExtractor:
        """This extractor under a memory's settings, where it was made without any of its own."""
        if self._own_settings or settings == self.settings:
            return self
        bound = copy.copy(self)
        bound.settings = settings
        bound._wire()
        return bound

    @property
    def model(self) -> Model | None:
        """The model that it asks; None: recognisers alone."""
        return None if self._asking is None else self._asking.model

    # -- what a subclass may do otherwise --------------------------------------------------------------------
    def prompt(self, message: Message, form_types: Sequence[FormType], known: Sequence[Form]) -> Any:
        """The chat messages (``{"role", "content"}``) that ask a model about ``message``, whose text is as it is to
        be sent: secrets left out, of a long message one part. ``known``: Forms that it may point back to."""
        turns = turns_of(known)
        plan = self._prompts.plan(form_types, message.text, bool(known or turns))
        return self._prompts.build(plan, message.text, known, turns)

    def coerce(self, form_type: str, slot: str, raw: Any, message: Message) -> Any:
        """A model's raw value as the slot is to have it, before the gate. Another value than ``raw`` counts as read
        from its words: those must stand in the message, but need not give the value by themselves."""
        return raw

    def score(self, form_type: str, slot: str, draft: SlotDraft, message: Message) -> float:
        """The confidence of one slot, in [0, 1]: a model's by the formula of ``extraction.scoring``, a recogniser's
        own."""
        declared = self.catalog.types.get(form_type)
        spec = declared.slots.get(slot) if declared is not None else None
        if spec is None:
            return draft.confidence
        return scoring.score(spec, draft, message, self.settings)

    def verify(self, draft: Draft, message: Message) -> Any:
        """The back-check of one draft: the draft as it may go to the gate, None to drop it, or a Disagreement: the
        message is then read once more by the model, and what disagrees after that is refused."""
        declared = self.catalog.types.get(draft.form_type)
        if self.settings.back_check == "off" or declared is None or draft.invalidate:
            return draft
        gated, _ = gate(message, [draft], self.catalog, self.settings)
        wrong = backcheck.checked(gated[0], message, declared, self.settings.date_order) if gated else None
        return draft if wrong is None else wrong

    # -- the port --------------------------------------------------------------------------------------------
    def extract(self, message: Message, known: Sequence[Form] = ()) -> Proposal:
        """Drafts of a message, as ``ports.Extractor`` says."""
        first = self._verified(self._tiers.extract(message, known), message, known)
        if not first.told:
            return first.proposal
        try:
            again = self._tiers.extract(message, known, first.told)
            second = self._verified(again, message, known)
        except ExtractorUnavailable as failed:  # it was read once: it is not lost for a second look
            return first.proposal._replace(cost=first.proposal.cost + (failed.cost or NO_COST))
        return second.proposal._replace(cost=first.proposal.cost + second.proposal.cost)

    def _verified(self, proposal: Proposal, message: Message, known: Sequence[Form]) -> _Verified:
        """What the back-check leaves of drafts that a model had a part in, and what it finds wrong with them."""
        if not any(slot.tier in ("model", "cache") for d in proposal.drafts for slot in d.slots.values()):
            return _Verified(proposal, "")
        kept: list[Draft] = []
        told: list[str] = []
        for draft in proposal.drafts:
            found = named(self.verify, draft, message)
            if isinstance(found, Disagreement):
                told.append(found.told())
                found = draft
            if found is not None:
                kept.append(found)
        cost = proposal.cost
        if self.settings.back_check == "model" and self._asking is not None and not told:
            asking, replies = self._asking, known.replies if isinstance(known, Known) else None
            try:
                wrong, spent = backcheck.ask_model(
                    lambda prompt, reply: asking.ask(prompt, reply, replies),
                    kept, message, self.catalog, self.settings,
                )  # fmt: skip
            except ExtractorUnavailable as failed:
                failed.cost = cost + (failed.cost or NO_COST)
                raise
            cost += spent
            for place, found in wrong.items():
                told.append(found.told())
                kept[place] = _doubted(kept[place], found)
        return _Verified(proposal._replace(drafts=kept, cost=cost), " ".join(told))

    def ahead(self, pairs: Sequence[tuple[Message, Sequence[Form]]]) -> None:
        """Begins the model calls of a batch of messages; ``extract`` joins them. Returns at once."""
        self._tiers.ahead(pairs)

    def abandon(self) -> None:
        """Gives up what ``ahead`` began: no call starts any more, and those under way have ended when it returns."""
        self._tiers.abandon()

    # -- without a memory ------------------------------------------------------------------------------------
    def run(self, text: str, **message: Any) -> Extraction:
        """Reads one text. ``message``: speaker, role, conversation, time, id, user as of ``Memory.observe``, and
        ``known``: Forms that it may point back to. Raises InvalidInput, and ExtractorUnavailable where the model is
        needed and cannot be asked."""
        known = message.pop("known", ())
        said = self._message(text, message)
        proposal = self.extract(said, known)
        gated, strangers = gate(said, proposal.drafts, self.catalog, self.settings)
        if self.settings.back_check != "off":
            gated = [self._agreeing(one, said) for one in gated]
        tiers = {f"{d.form_type}.{n}": s.tier for d in proposal.drafts for n, s in d.slots.items()}
        return _Shown(said, self.catalog).extraction(
            gated, strangers, replace(proposal.cost, tiers=tiers), proposal.drafts
        )

    def _agreeing(self, gated: Gated, message: Message) -> Gated:
        """What the message says of a Form; the rest is refused."""
        declared = self.catalog.types.get(gated.type or "")
        if declared is None or not gated.accepted:
            return gated
        wrong = backcheck.checked(gated, message, declared, self.settings.date_order)
        return gated if wrong is None else backcheck.refused(gated, wrong)

    def _message(self, text: str, given: Mapping[str, Any]) -> Message:
        unknown = given.keys() - {"speaker", "role", "conversation", "time", "id", "user"}
        if unknown:
            raise InvalidInput(
                f"run takes speaker, role, conversation, time, id, user and known, not {', '.join(sorted(unknown))}"
            )
        zone = self.settings.zone
        time = given.get("time")
        return Message(
            id=str(given.get("id") or "text"),
            text=check_text(text),
            speaker=given.get("speaker") or "user",
            role=given.get("role") or "user",
            conversation=given.get("conversation") or "default",
            time=datetime.now(zone or UTC) if time is None else parse_time(time, zone),
            user=given.get("user"),
        )


def model_of(llm: Any, settings: Settings) -> Model | None:
    """A ports.Model of what was given as ``llm``; one that is a Model already stays."""
    if llm is None:
        return None
    if callable(getattr(type(llm), "ask", None)) and not isinstance(llm, str):
        model: Model = llm
        return model
    # what else has no chat.completions is told when it is asked: nothing of a client is looked at before
    if not isinstance(llm, str) and type(llm).__module__ == "builtins":
        raise InvalidInput(
            f"llm is an OpenAI or AsyncOpenAI client, the name of a model or None, not {type(llm).__name__}"
        )
    from forms_dynamics.adapters.instructor_llm import InstructorModel

    return InstructorModel(llm, settings)


class _Verified(NamedTuple):
    """Drafts after the back-check; ``told``: what it found wrong, in words."""

    proposal: Proposal
    told: str


def _doubted(draft: Draft, wrong: Disagreement) -> Draft:
    """The draft with what a model does not find in the message put to the user."""
    slots = {n: replace(s, confidence=0.0) if n in wrong.slots else s for n, s in draft.slots.items()}
    return replace(draft, slots=slots)


class _Shown:
    """What the gate gave for one message, as Forms that nobody has stored."""

    def __init__(self, message: Message, catalog: Catalog) -> None:
        self._message = message
        self._catalog = catalog
        self._lang = language(message.text)

    def extraction(
        self, gated: Sequence[Gated], strangers: Sequence[Refusal], cost: Cost, drafts: Sequence[Draft]
    ) -> Extraction:
        forms: list[Form] = []
        pending: list[Pending] = []
        refused = list(strangers)
        for one in gated:
            refused.extend(one.refused)
            if one.type is None or one.invalidate or not (one.accepted or one.held):
                continue
            id = f"{self._message.id}#{len(forms) + 1}"
            forms.append(self._form(id, one.type, one))
            pending.extend(self._pending(id, one.type, one))
        return Extraction(forms, pending, refused, cost, drafts)

    def _form(self, id: str, type: str, gated: Gated) -> Form:
        slots: dict[str, Slot] = {}
        for held in gated.held:
            slots[held.item.slot] = Slot(
                None, "pending", held.item.confidence, _source(held.item), self._evidence(held.item)
            )
        for item in gated.accepted:
            if item.op in ("clear", "remove"):
                continue
            avoided = _values(item) if item.negated else frozenset[Any]()
            slots[item.slot] = Slot(
                None if item.negated else item.value,
                "known",
                item.confidence,
                _source(item),
                self._evidence(item),
                avoided,
                None if item.valid_from is None else from_micros(item.valid_from),
                None if item.valid_until is None else from_micros(item.valid_until),
            )
        now = self._message.time
        return Form(id, type, 1, "active", slots, frozenset(), frozenset(), self._message.user, now, now, now)

    def _pending(self, id: str, type: str, gated: Gated) -> list[Pending]:
        declared = self._catalog.types[type]
        out = [self._waiting(id, type, held) for held in gated.held]
        there = {item.slot for item in gated.accepted} | {held.item.slot for held in gated.held}
        for spec in declared.slots.values():
            if spec.required and spec.name not in there:
                question = ask(declared, spec, None, "required", (), self._lang)
                out.append(
                    Pending("", id, type, spec.name, None, "required", question, (), self._message.time)
                )
        return out

    def _waiting(self, id: str, type: str, held: Held) -> Pending:
        item = held.item
        return Pending(
            "",
            id,
            type,
            item.slot,
            item.value,
            held.reason,
            held.question,
            held.candidates,
            self._message.time,
        )

    def _evidence(self, item: Item) -> Evidence | None:
        if item.span is None:
            return None
        start, end = item.span
        return Evidence(self._message.id, start, end, self._message.text[start:end])


def _source(item: Item) -> Any:
    return "tool" if item.source == "tool" else "user"


def _values(item: Item) -> frozenset[Any]:
    return frozenset(item.value) if isinstance(item.value, tuple) else frozenset([item.value])


__all__ = ["Extraction", "FormExtractor", "model_of"]
