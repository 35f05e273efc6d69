"""The offline extractor: drafts from what a message states plainly, without a model.

Everything it knows of a Form type comes from its YAML: aliases, cues, slot types, enum synonyms. It prefers
silence to a guess: questions, wishes, hypotheses and other people's affairs give no draft, and a bare value
with nothing that says what it is stays unread.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from forms_dynamics.extraction.agreement import agreed_drafts, without_bare_amounts
from forms_dynamics.extraction.alike import alike
from forms_dynamics.extraction.amending import Amending
from forms_dynamics.extraction.announced import announced
from forms_dynamics.extraction.choices import choices_in
from forms_dynamics.extraction.dialogue.readers import READERS
from forms_dynamics.extraction.dialogue.turn import Dialogue
from forms_dynamics.extraction.ending import Ending, set_ends, valid_for
from forms_dynamics.extraction.found import CUED, EXPLICIT, PATTERN, Found, Kept, Readings
from forms_dynamics.extraction.grouping import by_thing, merged, says_which
from forms_dynamics.extraction.lexicon import Hit, Slot, compile_lexicon, slot_of
from forms_dynamics.extraction.lists import changes, no_longer
from forms_dynamics.extraction.mentioned import (
    Mention,
    is_another,
    is_number,
    labels_of,
    mentioned,
    owners,
    speakers_name,
    with_names,
)
from forms_dynamics.extraction.mixed import mixed_names, mixed_tastes
from forms_dynamics.extraction.names_zh import may_name_a_person
from forms_dynamics.extraction.naming import names_in
from forms_dynamics.extraction.offered import last_offers
from forms_dynamics.extraction.patterns import (
    money_to_spend,
    moved,
    one_more,
    routes,
    set_starts,
    terms_found,
)
from forms_dynamics.extraction.records import records
from forms_dynamics.extraction.retracting import Retracting, bidden, names_beside
from forms_dynamics.extraction.routing import Routing, dependency_order, dependents, kept_together
from forms_dynamics.extraction.several import SHARED, Part, apart, said_there
from forms_dynamics.extraction.structured import structured_drafts
from forms_dynamics.extraction.tastes import tastes_in
from forms_dynamics.extraction.unlabelled import FIGURES
from forms_dynamics.extraction.unnamed import Names, goes_by_name, said_owner
from forms_dynamics.extraction.verbs import SAID, agents, measures
from forms_dynamics.language import cues
from forms_dynamics.language.assent import Assent, assent
from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.language.numerals import folded
from forms_dynamics.language.posed import posed, without_code
from forms_dynamics.language.spans import merged as merged_spans
from forms_dynamics.language.spans import overlaps
from forms_dynamics.language.subjects import another_subject
from forms_dynamics.language.voices import pronoun, quoted
from forms_dynamics.model.form import Form
from forms_dynamics.model.known import turns_of, with_called
from forms_dynamics.model.message import Cost, Draft, Message, Proposal, SlotDraft
from forms_dynamics.schema.relatives import of_speaker_alone
from forms_dynamics.schema.spec import Catalog, FormType, Identity, Relatives
from forms_dynamics.settings import Settings

_NOTHING = Proposal((), Cost())
# without an announcing word, only texts with one of these can state anything
_STATES = re.compile(
    r"[0-9我俺咱作废忘]|删除|撤[销回]|收回|不[再吃喝要用碰沾爱]|喜欢|讨厌|忌口|停用|换成|改成|取消|去掉|删掉|过敏|公司|集团|分期|月结|[一二两三四五六七八九十]期|从.{2,8}[到至飞去往]|"
    r"\b(?:I|I['’]m|we|our|my|here|this is|at|from|not|no longer|stopped|cancel|forget|erase|scrap|drop|remove|delete|discard|ditch|void|ignore|disregard|"
    r"withdraw|abandon|instead|net|correction|add|take|get rid|hate|avoid)\b",
    re.I,
)
_THEIRS = re.compile(
    r"(?P<who>他们?|她们?|它|人家|对方|别人|同行|隔壁)(?:家|公司|单位|那边|那里)?的?$|\b(?P<en>(?i:his|her|their|its)|(?!(?:It|That|This|Let|What|There|Here|He|She|Who|How|Where|When|Today)['’]s)[A-Z][a-z]+['’]s|(?i:the|my|our) [a-z]+['’]s)\s+(?:[a-z]+ )?$"
)
_KIND_OF_NAME = {
    "company?": "company",
    "company~": "company",
    "contact": "person",
    "self": "person",
    "self?": "person",
}


class Recognisers:
    """Implements ``ports.Extractor``; stateless after construction and safe to share between threads."""

    verifies = True  # reading a message again gives the same

    def __init__(self, catalog: Catalog, settings: Settings, of: Relatives | None = None) -> None:
        """``of``: read is what those relatives say of themselves."""
        self._catalog = catalog
        self._of = of
        self._settings = settings
        kin = catalog.relatives
        self._lexicon = compile_lexicon(catalog, kin)
        self._dialogue = Dialogue(catalog, settings, READERS) if of is None else None
        self._kin = [(one, Recognisers(_spoken_of(catalog, one), settings, one)) for one in kin.values()]
        self._hangs = dependents(catalog)
        self._order = dependency_order(catalog, self._hangs)
        self._moments = _only_moments(catalog)
        self._lists = tuple(_only_lists(catalog))
        self._personal = {
            t.name for t in catalog for key in t.identity.keys if "$speaker" in key or "$user" in key
        }

    def extract(self, message: Message, known: Sequence[Form] = ()) -> Proposal:
        """Drafts for every Form type whose slots ``message`` states; only user and tool messages state any."""
        if message.role not in ("user", "tool"):
            return _NOTHING
        if message.role == "tool":
            drafts = structured_drafts(message.text, self._catalog)
            if drafts is not None:
                return _proposal(drafts)
        text = without_code(message.text)  # a program states nothing of its author
        drafts = self._stated(message, text, known)
        said = assent(text) if message.role == "user" else None
        if said is not None:
            if (
                said.kind == "no"
                and any(d.invalidate for d in drafts)
                and _only_refuses(text, said, turns_of(known))
            ):
                drafts = [draft for draft in drafts if not draft.invalidate]
            if said.but and said.agrees:
                drafts = without_bare_amounts(drafts, self._catalog)
            agreed: Iterable[Draft] = agreed_drafts(
                message, said, turns_of(known), lambda turn: self._stated(turn, turn.text, known, offered=True),
                self._catalog, known, drafts,
            )  # fmt: skip
            if self._dialogue is not None:
                agreed = self._dialogue.agreed(agreed, turns_of(known))
            drafts.extend(agreed)
        return _proposal(drafts) if drafts else _NOTHING

    def _stated(
        self, message: Message, text: str, known: Sequence[Form], offered: bool = False
    ) -> list[Draft]:
        """Drafts of what the message states: of its speaker, of things, and of the speaker's relatives."""
        drafts = self._spoken(message, text, known, offered)
        if self._dialogue is not None and not offered:
            drafts = self._dialogue.drafts(message, text, known, drafts)
        if self._kin:
            drafts = [own for d in drafts if (own := self._of_speaker(text, d)) is not None]
        if any(one.kin.keyed(text) for one, _ in self._kin):
            drafts = [d for d in drafts if d.form_type not in self._personal]  # 关系：母亲 tells of her alone
        drafts.extend(
            d for relatives, inner in self._kin for d in self._of_relatives(message, text, relatives, inner)
        )
        return drafts

    def _of_speaker(self, text: str, draft: Draft) -> Draft | None:
        """The draft without what is told of a relative, where its Form is the speaker's; None if nothing is left."""
        if draft.form_type not in self._personal or not draft.slots:
            return draft
        own = {
            name: slot
            for name, slot in draft.slots.items()
            if slot.span is None or not any(one.kin.told(text, *slot.span) for one, _ in self._kin)
        }
        return replace(draft, slots=own) if own else None

    def _spoken(
        self, message: Message, text: str, known: Sequence[Form], offered: bool = False, whole: bool = True
    ) -> list[Draft]:
        """Drafts of what the message states of its speaker and of things. ``offered``: an assistant's turn, whose
        suppositions are proposals. ``whole``: it may tell of several things."""
        low = folded(text).lower()
        if len(low) != len(text):
            low = folded(text)
        hits, named = records(text, low, self._lexicon.find(low), self._lexicon)
        choosing = self._lexicon.choosing
        chosen = [] if choosing is None else [m.start() for m in choosing.finditer(low)]
        chosen.extend(m.start() for m in SAID.finditer(low))
        speaks = bool(hits or chosen)
        reach = (
            with_called(known, [*owners(low, hits, chosen), *names_beside(low, hits)]) if speaks else known
        )
        mentions = mentioned(low, reach, self._catalog) if speaks else []
        unknown = alike(low, reach, self._catalog, hits, mentions) if speaks else []
        mentions += unknown
        readings = Readings(text, message.time, self._settings.date_order)
        if said := list(measures(text, low, mentions)):
            taken = merged_spans((hit.start, hit.end) for hit in hits)
            said = [hit for hit in said if not overlaps(taken, hit.start, hit.end)]
            hits = sorted((*hits, *said), key=lambda hit: (hit.start, -hit.end))
        own, called, nobodys = labels_of(text, low, hits, mentions, self._lexicon)
        if whole and (parts := apart(text, low, hits, mentions, [*named, *called], readings)) is not None:
            return list(self._of_each(message, text, parts, known, offered))
        retracting = None
        if self._of is None and not offered:
            retracting = Retracting(
                text, hits, mentions, reach, known, message.time, self._settings.date_order
            )
        hits = own
        if not speaks and not _STATES.search(text):
            return []
        amending = Amending(text, message, known, self._catalog, hits, readings)
        own_name = speakers_name(message, known, self._lexicon.kinds.get("person", ()))
        found = self._found(text, low, hits, readings, reach, own_name, mentions)
        claimed = [(f.start, f.end) for f in found]
        for one in named:
            title = Found((one.slot,), one.start, one.end, one.low, one.end, text[one.start : one.end], CUED)
            found = [f for f in found if f.end <= one.start or one.end <= f.start]
            found.append(title)
        ending = None
        if self._of is None and not offered:
            ending = Ending(text, known, self._catalog, hits, self._lexicon.kinds)
            found = ending.turned(found)
        if retracting is not None and retracting.found:
            found = retracting.besides(found)
        found = [f for f in found if self._stands(text, f, offered) and not bidden(text, f)]
        if mentions:  # "by next month", said of a thing that has no deadline, is none of another's
            of = {m.slot.type.name for m in mentions}
            found = [f for f in found if f.firm or not _is_due(f) or any(s.type.name in of for s in f.slots)]
        found = with_names(text, found, called, nobodys)
        routing = Routing(self._catalog, hits, known, self._hangs, mentions)
        found.extend(f for f in amending.corrections(claimed) if self._stands(text, f))
        taken_back = [] if retracting is None else retracting.found
        void = [] if taken_back else list(amending.invalidations())
        ended: list[Draft] = []
        told = {(s.type.name, s.spec.name) for f in found for s in f.slots if not s.spec.many}
        if ending is not None:
            ended = [d for draft in ending.drafts() if (d := _besides(draft, told)) is not None]
        if retracting is not None and taken_back:
            ended.extend(
                d
                for draft in retracting.drafts
                if (d := _besides(draft, told)) is not None and _says_more(d, self._catalog)
            )
        off = {(s.type.name, s.spec.name) for f in found if f.op == "remove" for s in f.slots}
        removed = [] if void or taken_back else [d for r in amending.removals() if (d := _besides(r, off))]
        removed.extend(ended)
        gone = {(draft.form_type, name) for draft in removed for name in draft.slots}
        found = [
            f for f in found if not (f.negated and any((s.type.name, s.spec.name) in gone for s in f.slots))
        ]
        if void:
            found = [f for f in found if all(says_which(s) for s in f.slots) or not amending.withdrawn(f)]
            found.extend(f for f in amending.replacements(void, found) if self._stands(text, f))
        routed = kept_together(text, routing, routing.route(found))
        made = list(self._drafts(message, routed, reach, Names(mentions, unknown)))
        voided = {d.form_type for d in void}
        # what is withdrawn may be named; alone the name is no new Form
        drafts = void + [d for d in made if d.form_type not in voided or _says_more(d, self._catalog)]
        drafts.extend(removed)
        return drafts

    def _of_each(
        self, message: Message, text: str, parts: Sequence[Part], known: Sequence[Form], offered: bool
    ) -> Iterator[Draft]:
        """Drafts of each of the things that the message tells of."""
        made: list[Draft] = []
        for said, named, sure in parts:
            for draft in self._spoken(
                replace(message, text=said.text), said.text, known, offered, whole=False
            ):
                form_type = self._catalog.types[draft.form_type]
                slots = said_there(text, said, draft)
                for name, slot in slots.items():
                    if not sure and form_type.slots[name].type in FIGURES:
                        slots[name] = replace(slot, confidence=min(slot.confidence, SHARED))
                title = None if named is None else named.slots.get(draft.form_type)
                if slots and named is not None and title is not None:
                    own = slots.get(title.spec.name)
                    if own is None or own.inferred:
                        slots[title.spec.name] = _quoted(text, (named.start, named.end))
                if (alone := replace(draft, slots=slots)) not in made:
                    made.append(alone)
        yield from made

    def _of_relatives(
        self, message: Message, text: str, relatives: Relatives, inner: Recognisers
    ) -> Iterator[Draft]:
        """What is told of the speaker's relatives: one draft a relative."""
        named = _name_of(relatives.type)
        told: list[tuple[str, str | None, dict[str, SlotDraft]]] = []  # relation, name, slots
        for mention, said in relatives.kin.spoken(text):
            if quoted(text, mention.start, mention.end) is not None:
                continue  # 老板说我爸对虾过敏: what another tells of them
            slots: dict[str, SlotDraft] = {}
            if mention.name is not None and named is not None:
                slots[named] = _quoted(text, mention.name)
            for draft in inner._spoken(replace(message, text=said.text), said.text, ()):
                for name, slot in said_there(text, said, draft).items():
                    if name not in slots and slot.span is not None and not _supposed(text, slot.span):
                        slots[name] = replace(slot, correction=slot.correction or cues.correcting(text))
            if not slots:
                continue
            who = normal(str(slots[named].value)) if named in slots else None
            slots = {relatives.slot: _quoted(text, mention.word), **slots}
            # my daughter Anna and my daughter Bea are two, and "my daughter" behind them is the last one
            same = next((t for t in reversed(told) if t[0] == mention.relation and who in (None, t[1])), None)
            if same is None:
                told.append((mention.relation, who, slots))
            else:
                for name, slot in slots.items():
                    same[2].setdefault(name, slot)
        yield from (Draft(relatives.type.name, slots) for _, _, slots in told)

    # -- finding ---------------------------------------------------------------------------------------------
    def _found(
        self,
        text: str,
        low: str,
        hits: Sequence[Hit],
        readings: Readings,
        known: Sequence[Form],
        known_name: str | None = None,
        mentions: Sequence[Mention] = (),
    ) -> list[Found]:
        """What is stated, by words of the types first, then by what is known of firms, terms and tastes."""
        found: list[Found] = []
        kept = Kept(found)
        if hits:
            for item in (*changes(text, low, hits), *announced(text, low, hits, readings)):
                kept.put(item)
        for item in (*no_longer(low, self._lexicon, mentions), *agents(text, mentions)):
            kept.put(item)
        for item in found:
            _without_place(text, item)
        kinds = self._lexicon.kinds
        kept = Kept(found)
        amounts: dict[int, list[Found]] = {}
        for amount in found:
            if not amount.firm and amount.slots[0].spec.type == "money":
                amounts.setdefault(amount.low, []).append(amount)
        for item in self._named(text, hits, known, known_name, mentions):
            there = kept.put(item) or (item.firm and item in found)
            for place in range(item.end, item.end + 3) if there and item.firm else ():
                for amount in amounts.get(
                    place, ()
                ):  # 青禾的单价是100元: a price said of a firm is a quote's
                    amount.firm = True
        if slots := kinds.get("terms"):
            for item in terms_found(folded(text), slots, hits):
                item.value = text[item.start : item.end]
                kept.put(item)
        if "liked" in kinds or "allergies" in kinds:
            for taste in (*tastes_in(folded(text)), *mixed_tastes(text)):
                slots = tuple(s for s in kinds.get(taste.kind, ()) if not (taste.others and s.speakers))
                if slots:
                    values = [text[s:e] for s, e in taste.items]
                    many = all(s.spec.many for s in slots)
                    item = Found(
                        slots, taste.items[0][0], taste.items[-1][1], taste.low, taste.high,
                        values if many else values[0], PATTERN + 0.03, negated=taste.negated,
                        op="remove" if taste.ended else None,
                    )  # fmt: skip
                    kept.put(item)
        if slots := kinds.get("budget"):
            for item in money_to_spend(text, slots, readings):
                kept.put(item)
        if slots := kinds.get("valid_until"):
            for item in valid_for(text, slots, readings):
                kept.put(item)
        for item in moved(low, hits, self._moments, readings):
            kept.put(item)
        for type in ("phone", "email"):
            if slots := self._lexicon.typed.get(type):
                for reading in readings.of(slots[0].spec):
                    at = (reading.start, reading.end)
                    kept.put(Found(slots, *at, *at, reading.value, PATTERN, firm=False))
        if "origin" in kinds or "destination" in kinds:
            for item in routes(text, kinds.get("origin", ()), kinds.get("destination", ())):
                kept.put(item)
        for item in choices_in(low, self._lexicon, mentions):
            item.value = text[item.start : item.end]
            # in a talk about other things it is theirs: a credit card pays for more than food
            talked = {f.type for f in known} - self._personal if item.firm else set()
            item.firm = item.firm and (not talked or any(s.type.name in talked for s in item.slots))
            kept.put(item)
        for item in one_more(text, self._lists):
            kept.put(item)
        set_starts(text, found, readings, self._settings.date_order)
        set_ends(text, found, readings, self._settings.date_order)
        return found

    def _named(
        self,
        text: str,
        hits: Sequence[Hit],
        known: Sequence[Form],
        known_name: str | None,
        mentions: Sequence[Mention],
    ) -> Iterator[Found]:
        kinds = self._lexicon.kinds
        if not self._lexicon.introduced and not kinds.keys() & {
            "company",
            "person",
            "role",
            "city",
            "industry",
            "employer",
            "preferred_name",
            "occupation",
        }:
            return
        for name in (*names_in(folded(text)), *mixed_names(text, hits)):
            kind = _KIND_OF_NAME.get(name.kind, name.kind)
            if name.kind == "company?" and (
                not _is_known(text[name.start : name.end], known) or is_number(mentions, name.start, name.end)
            ):
                continue
            slots = kinds.get(kind, ())
            if kind == "employer" and not slots:
                slots = kinds.get("company", ())
            if name.kind in ("self", "self?"):
                said = normal(text[name.low : name.start])
                for slot in self._lexicon.introduced:
                    if any(said == normal(cue) for cue in slot.spec.cues):
                        yield self._name(text, name, (slot,), True)
                        slots = tuple(s for s in slots if s != slot)
                own = tuple(s for s in slots if s.speakers)
                others = tuple(s for s in slots if not s.speakers)
                another = name.kind == "self?" and is_another(text[name.start : name.end], known_name)
                if own and not another:
                    yield self._name(text, name, own, True)
                if others:
                    # the contact of a customer, where the message is about one
                    yield self._name(text, name, others, not own and len({s.type.name for s in others}) == 1)
                continue
            if name.kind == "contact":
                slots = tuple(s for s in slots if not s.speakers)
            if slots:
                yield self._name(
                    text,
                    name,
                    slots,
                    name.kind in ("company", "company?", "employer", "city", "preferred_name", "occupation"),
                )

    @staticmethod
    def _name(text: str, name: Any, slots: tuple[Slot, ...], firm: bool) -> Found:
        value = text[name.start : name.end]
        return Found(slots, name.start, name.end, name.low, name.high, value, name.confidence, firm=firm)

    # -- judging ---------------------------------------------------------------------------------------------
    def _stands(self, text: str, item: Found, offered: bool = False) -> bool:
        """Whether the speaker claims it; marks denials of what can be avoided."""
        start, end = item.start, item.end
        if posed(text, start, end):
            return False
        naming = all(says_which(s) for s in item.slots)
        if (
            not item.negated
            and item.op != "remove"
            and item.value is not False
            and item.value is not True
            and cues.negated(text, start, end)
        ):
            if not any(s.spec.many or s.kind == "terms" for s in item.slots):
                return False
            if re.search(r"超过|不是不|多于|以上|more than|over", text[max(0, start - 6) : end]):
                return False
            if any(s.kind == "allergies" for s in item.slots):
                item.op = "remove"  # what one is not allergic to is nothing to avoid
            else:
                item.negated = True
        if naming:
            return True
        return not (
            (not offered and cues.hypothetical(text, start, end))
            or cues.questioned(text, start, end)
            or cues.joking(text)
        )

    # -- drafting --------------------------------------------------------------------------------------------
    def _drafts(
        self,
        message: Message,
        routed: dict[str, list[tuple[Slot, Found]]],
        known: Sequence[Form],
        names: Names,
    ) -> Iterator[Draft]:
        for name in sorted(routed, key=lambda n: self._order[n]):
            form_type = self._catalog.types[name]
            for group in by_thing(routed[name]):
                yield from self._one_draft(message, form_type, group, known, names)

    def _one_draft(
        self,
        message: Message,
        form_type: FormType,
        items: list[tuple[Slot, Found]],
        known: Sequence[Form],
        names: Names,
    ) -> Iterator[Draft]:
        text = message.text
        own_name = any(says_which(slot) for slot, _ in items)
        layers: list[dict[str, SlotDraft]] = [{}]
        for slot, item in merged(items):
            name = slot.spec.name
            taken = [layer for layer in layers if name in layer]
            if taken and not item.negated and not slot.spec.many:
                continue
            drafted = self._slot_draft(text, form_type, slot, item, own_name, known)
            if drafted is None:
                continue
            if len(taken) == len(layers):
                layers.append({})
            layers[len(taken)][name] = drafted
        if (
            layers[0]
            and not layers[1:]
            and all(says_which(s) or s.kind == "role" for s, _ in items)
            and self._of_kin(text, items)
        ):
            return  # where a relative works makes no customer
        title = self._lexicon.titles.get(form_type.name)
        called: dict[str, SlotDraft] = {}
        for layer in layers:
            owner = None if own_name or title is None else said_owner(text, form_type, layer, names)
            if owner is not None and title is not None:
                layer[title.spec.name] = owner
            called = called or {n: d for n, d in layer.items() if n in form_type.identity.slots}
            if layer:
                yield Draft(form_type.name, {**called, **layer})

    @staticmethod
    def _of_kin(text: str, items: Sequence[tuple[Slot, Found]]) -> bool:
        """Whether all the names are told of a person who is somebody to the speaker (我婶婶, "my cousin")."""
        return all(cues.third_party(text, item.start, item.end) is not None for _, item in items)

    def _slot_draft(
        self,
        text: str,
        form_type: FormType,
        slot: Slot,
        item: Found,
        own_name: bool,
        known: Sequence[Form],
    ) -> SlotDraft | None:
        named: str | None = None
        if not says_which(slot) or slot.speakers:
            other = cues.third_party(text, item.start, item.end)
            if other is None and (theirs := _THEIRS.search(text, max(0, item.low - 24), item.low)):
                other = theirs["who"] or theirs["en"]
                if _is_known(re.sub(r"['’]s$", "", other), known):
                    other = None  # Milo's weight, where Milo is one of those that are told of
            if other is None and not slot.speakers and _about_people(form_type):
                owner = another_subject(text, item.low, item.start, persons=True)
                if owner is not None and not _is_known(owner, known):
                    # 王老师的电话, 李雷的预算: not of whom the conversation is about
                    asks = goes_by_name(form_type) and may_name_a_person(owner)
                    other, named = (None, owner) if asks else (owner, None)
            recorded = self._of is not None and self._of.kin.keyed(text)  # 关系：父亲 says whose it all is
            if other is None and slot.speakers and not recorded and _of_another(text, slot, item):
                return None
            if other is not None:
                pointing = pronoun(other)
                if slot.speakers or not (
                    own_name or (pointing and any(f.type == form_type.name for f in known))
                ):
                    return None
        return SlotDraft(
            value=item.value,
            confidence=item.confidence,
            evidence=text[item.low : item.high],
            op=item.op or ("add" if slot.spec.many else None),
            negated=item.negated,
            correction=item.correction or (not says_which(slot) and cues.correcting(text)),
            proposal=not slot.naming and cues.proposing(text, item.start, item.end, slot.spec.type != "enum"),
            read=item.read,
            valid_from=item.valid_from,
            valid_until=item.valid_until,
            whose="speaker" if named is None else "other",
            span=(item.low, item.high),
        )


def _is_due(item: Found) -> bool:
    return all(slot.kind == "deadline" for slot in item.slots)


def _besides(draft: Draft, told: Collection[tuple[str, str]]) -> Draft | None:
    """The draft without slots of which the message tells something new (``told``: types and slots), or None."""
    slots = {name: slot for name, slot in draft.slots.items() if (draft.form_type, name) not in told}
    return replace(draft, slots=slots) if slots else None


def _only_refuses(text: str, said: Assent, turns: Sequence[Message]) -> bool:
    """不要这个 behind a proposal refuses that; nothing that was known is withdrawn."""
    void = cues.invalidating(text)
    return void is not None and void[1] <= said.end and any(o.asks or o.proposes for o in last_offers(turns))


def _spoken_of(catalog: Catalog, relatives: Relatives) -> Catalog:
    """The one type, as the relatives themselves would fill it."""
    slots = {n: spec for n, spec in relatives.type.slots.items() if n != relatives.slot}
    alone = replace(relatives.type, slots=slots, identity=Identity(keys=(("$speaker",),)))
    return replace(catalog, types={alone.name: alone}, rules=(), relatives={})


def _name_of(form_type: FormType) -> str | None:
    """The slot that holds a person's name."""
    slots = (slot_of(form_type, spec) for spec in form_type.slots.values())
    return next((s.spec.name for s in slots if s.kind == "person"), None)


def _quoted(text: str, span: tuple[int, int]) -> SlotDraft:
    """The words themselves as a value."""
    words = text[slice(*span)]
    return SlotDraft(value=words, confidence=EXPLICIT, evidence=words, span=span)


def _supposed(text: str, span: tuple[int, int]) -> bool:
    """Whether the message asks or only supposes it."""
    return cues.hypothetical(text, *span) or cues.questioned(text, *span) or cues.joking(text)


def _about_people(form_type: FormType) -> bool:
    """Whether the type's Forms are of a firm or a person, whose phone and budget they hold."""
    return any(slot_of(form_type, s).kind in ("company", "person") for s in form_type.slots.values())


_FIRMS_OWN = re.compile(r"(?:公司|店里|客服|对公|官方|门店|前台)的?$")


_IN_PLACE = re.compile(r"(?P<name>[A-Z0-9][^,;.]*?) (?:in|based in) [A-Z][\w'’ -]*")


def _without_place(text: str, item: Found) -> None:
    """Employer: Acme in London: where the firm sits is no part of its name."""
    if item.slots[0].kind in ("company", "employer") and isinstance(item.value, str):
        found = _IN_PLACE.fullmatch(item.value)
        if found is not None and text[item.start : item.end] == item.value:
            item.value = found["name"]
            item.end = item.start + len(item.value)


def _of_another(text: str, slot: Slot, item: Found) -> bool:
    """Whether a Chinese clause names somebody else whose it is; a thing may own what only the speaker tells of."""
    if (
        slot.spec.type in ("phone", "email")
        and (firms := _FIRMS_OWN.search(text, max(0, item.low - 6), item.low)) is not None
        and not any(alias.startswith(firms[0].rstrip("的")) for alias in slot.spec.aliases)
    ):
        return True  # 公司邮箱 is the firm's
    verb = text.startswith("对", item.low) or any(
        has_han(cue) and text.startswith(cue, item.low) for cue in slot.spec.cues
    )
    alone = of_speaker_alone(slot.type)
    return another_subject(text, item.low, item.start, verb=verb, persons=not alone) is not None


def _says_more(draft: Draft, catalog: Catalog) -> bool:
    """Whether the draft says more of its Form than which one it is."""
    form_type = catalog.types[draft.form_type]
    return any(not says_which(slot_of(form_type, form_type.slots[name])) for name in draft.slots)


def _only_lists(catalog: Catalog) -> Iterator[Slot]:
    """The one list of words of each type that has just one, and is not about the speaker."""
    for form_type in catalog:
        lists = [slot_of(form_type, s) for s in form_type.slots.values() if s.many and s.type == "text"]
        if len(lists) == 1 and not lists[0].speakers:
            yield lists[0]


def _only_moments(catalog: Catalog) -> dict[str, Slot]:
    """By Form type, the slot for a moment of those that have one."""
    out: dict[str, Slot] = {}
    for form_type in catalog:
        for kind in ("datetime", "date"):
            slots = [s for s in form_type.slots.values() if s.type == kind]
            if len(slots) == 1 and form_type.name not in out:
                out[form_type.name] = slot_of(form_type, slots[0])
            if slots:
                break
    return out


def _is_known(name: str, known: Sequence[Form]) -> bool:
    """Whether a Form that the conversation touched goes by the name, or by one that holds it."""
    wanted = normal(name)
    for form in known:
        held = [*form.aliases, *(s.value for s in form.slots.values() if isinstance(s.value, str))]
        if any(wanted in normal(value) for value in held):
            return True
    return False


def _proposal(drafts: Iterable[Draft]) -> Proposal:
    made = tuple(drafts)
    tiers = {f"{d.form_type}.{slot}": "recogniser" for d in made for slot in d.slots}
    return Proposal(made, Cost(tiers=tiers))


__all__ = ["Recognisers"]
