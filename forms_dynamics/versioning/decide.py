"""What a message changes: the schema and the source decide, no model does.

Each accepted item ends as a new assertion, a retelling (only the date of last confirmation moves), an alias,
or a candidate that waits (reason conflict). All that one message changes in one Form becomes one version.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from forms_dynamics.assertions import Assertion, begins, dump, said_at, winner
from forms_dynamics.language.cues import ALL, withdrawn_many
from forms_dynamics.language.normal import language, normal
from forms_dynamics.model.gated import Gated, Held, Item, item_json
from forms_dynamics.model.message import Refusal
from forms_dynamics.model.record import MessageRecord, PendingRecord
from forms_dynamics.model.value import DAY, decode, encode
from forms_dynamics.projection import add_assertion
from forms_dynamics.schema.coerce import same
from forms_dynamics.schema.questions import about, ask
from forms_dynamics.schema.spec import FormType, SlotSpec
from forms_dynamics.settings import Settings
from forms_dynamics.versioning.align import (
    Target,
    align,
    context_of,
    draft_values,
    of_all,
    of_all_but,
    spoken_of,
)
from forms_dynamics.versioning.chain import new_id
from forms_dynamics.versioning.ends import as_named, retold, usual_end
from forms_dynamics.versioning.keys import base
from forms_dynamics.versioning.labels import label, labels
from forms_dynamics.versioning.near import near_matches
from forms_dynamics.versioning.questionnaire import close_answered
from forms_dynamics.versioning.verdicts import in_the_currency, says_no_more, values_of, verdict
from forms_dynamics.versioning.workspace import Working, Workspace


@dataclass(slots=True)
class Outcome:
    """What became of one message, in order; ids are final once the ChangeSet is applied."""

    forms: dict[str, Working] = field(default_factory=dict)
    versions: list[str] = field(default_factory=list)
    edges: list[str] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    took: bool = False  # some item was stored, or told again
    created: set[str] = field(default_factory=set)
    sources: list[tuple[Working, Gated]] = field(default_factory=list)  # for drafts' relations


class Decider:
    """Decides the drafts of one message over a workspace."""

    def __init__(
        self, ws: Workspace, settings: Settings, message: MessageRecord, cause: str = "stated"
    ) -> None:
        self.ws = ws
        self.settings = settings
        self.message = message
        self.cause = cause
        self.lang = language(message.text)
        self.several = False  # more drafts follow: they must find what this one names
        # types of which the message tells of more than one Form
        self.told_of_several: set[str | None] = set()
        self.edited = False  # its words take the place of others
        self.replaced: set[str] = set()  # Forms of which those told
        self.since: int | None = None  # from when what it takes back counts no more, if not from now on
        self.outcome = Outcome()
        self._ordinal = 0

    def new_id(self, kind: str) -> str:
        """An id derived from tenant, owner, message and ordinal."""
        self._ordinal += 1
        scope = self.ws.scope
        return new_id(kind, self.ws.now, scope.tenant, scope.owner, self.message.id, self._ordinal)

    # -- one draft -------------------------------------------------------------------------------------------
    def take(self, gated: Gated) -> None:
        """Aligns one draft, then stores, holds or refuses what it says."""
        out = self.outcome
        out.refused.extend(gated.refused)
        if gated.silent:
            self._silence(gated)
        if gated.invalidate:
            self._invalidate(gated, align(self.ws, gated, self.message))
            return
        form_type = self.form_type(gated)
        if form_type is None or not (gated.accepted or gated.held or gated.external_id):
            return
        if of_all_but(form_type, gated, self.message) or self._hold_hearsay(form_type, gated):
            return
        if guessed := _guessed_names(form_type, gated):
            gated = replace(gated, held=[h for h in gated.held if h.item not in guessed])
            if align(self.ws, replace(gated, accepted=guessed, held=[]), self.message).form is not None:
                gated = replace(gated, accepted=[*guessed, *gated.accepted])
            elif not self._in_part(guessed[0], gated):
                self._hold_newcomer(form_type, gated, guessed[0])
                return
        target = align(self.ws, gated, self.message)
        if target.form is None and not target.candidates:
            target = self._same_breath(form_type, gated) or target
        if target.candidates:
            self._hold_unaligned(form_type, gated, target)
            return
        if target.form is None and not gated.accepted and self._homeless(gated):
            self._hold_loose(form_type, gated)
            return
        if target.form is None and (
            _only_removes(form_type, gated) or of_all(form_type, gated, self.message)
        ):
            return
        working = target.form or self.create(form_type)
        self.write(working, gated, target)
        out.sources.append((working, gated))

    def _same_breath(self, form_type: FormType, gated: Gated) -> Target | None:
        """The only Form of the type that earlier drafts of this message made, for a draft that names none."""
        if form_type.identity.each or draft_values(form_type, gated) or gated.external_id is not None:
            return None
        made = {
            w.id: w
            for w, _ in self.outcome.sources
            if w.id in self.outcome.created and w.type == form_type.name
        }
        return Target(next(iter(made.values()))) if len(made) == 1 else None

    def _silence(self, gated: Gated) -> None:
        """A closed item keeps the refusal beside its message: no recall quotes the refused words."""
        first = gated.refused[0]
        self.ws.put_pending(
            PendingRecord(
                id=self.new_id("p"),
                owner=self.ws.scope.owner,
                form=None,
                type=first.form_type,
                slot=first.slot,
                value=dump({"v": None}),
                confidence=0.0,
                reason="refused",
                question="",
                candidates="[]",
                asked=self.ws.now,
                state="refused",
                message=self.message.id,
                draft=dump({"why": first.reason}),
            )
        )

    def form_type(self, gated: Gated) -> FormType | None:
        """The draft's Form type; None for an invalidation that names none."""
        return self.ws.catalog.types[gated.type] if gated.type is not None else None

    def _homeless(self, gated: Gated) -> bool:
        """Held words about somebody who is not named found no Form: they wait without one."""
        return all(held.reason == "ambiguous_target" for held in gated.held)

    def create(self, form_type: FormType, conversation: str | None = None) -> Working:
        """A new, empty Form of the type, with what its identity takes from the message (or from another
        conversation)."""
        message = self.message
        if conversation is not None:
            message = message._replace(conversation=conversation)
        working = self.ws.create(self.new_id("f"), form_type, message.time, message.conversation)
        context = context_of(form_type, message, self.ws.scope.owner)
        if context:
            working.delta.context = context
            working.state["k"] = context
        self.outcome.created.add(working.id)
        return working

    def write(self, working: Working, gated: Gated, target: Target) -> None:
        """Writes a draft's items into the Form's delta and pending items."""
        form_type = self.ws.catalog.types[working.type]
        self.outcome.forms[working.id] = working
        self.ws.overtake(working, self.message.time)
        working.delta.cause = self.cause
        if gated.external_id is not None and gated.external_id not in working.state["ext"]:
            working.delta.external.append(gated.external_id)
            working.state["ext"].append(gated.external_id)
            self.outcome.took = True
        for place in target.places:
            working.delta.aliases.append(place)
            working.state["al"].append(place)
        for item in gated.accepted:
            self._accept(working, form_type, item, target)
        zone = self.settings.zone
        for slot, again in as_named(
            form_type, working.state, working.delta.assertions, working.n, self.message.time, zone
        ):
            self.put(working, slot, again)
        for held in gated.held:
            self.hold(working, form_type, held)
        if self.several:
            working.updated = max(working.updated, self.message.time)
            self.ws.sync_keys(working)

    # -- one item --------------------------------------------------------------------------------------------
    def _accept(self, working: Working, form_type: FormType, item: Item, target: Target) -> None:
        spec = form_type.slots[item.slot]
        if self._over(item):
            self._once(working, form_type, item)
            return
        start = item.valid_from if item.valid_from is not None else self.message.time
        if working.base_n and start < working.updated:
            self.ws.full_state(working)  # late: weighed against what held then
        timeline = working.state["s"].get(item.slot, ())
        said = self.message.kind == "message" and self.cause == "stated"
        if said and start < self.message.time and any(begins(a) > start for a in timeline):
            item = item._replace(valid_from=None)  # "since 2020", of one that was elsewhere in 2024
            start = self.message.time
        held = winner(spec, timeline, start)
        item = in_the_currency(item, held, self.message.text)
        if item.slot in target.other_keys and not item.correction and self._alias(working, spec, item, held):
            return
        now = winner(spec, timeline, self.message.time) if item.negated else held
        strict = self.settings.strict_corrections and self.cause == "stated"
        found = verdict(spec, item, now, working.state["av"].get(item.slot, ()), strict)
        if found == "conflict" or (found == "new" and self._said_otherwise(working, spec, item)):
            question = ask(form_type, spec, item.value, "conflict", (), self.lang)
            self.hold(working, form_type, Held(item, "conflict", question))
            return
        self.outcome.took = True
        if item.op == "remove" and not spec.many:
            item = item._replace(op="clear", value=None)  # the one value that the slot holds, if it is that
        if found == "same" and item.op in ("remove", "clear"):
            return  # what is taken back is not there: nothing is told again
        if found == "same":
            again = retold(form_type, item, held, self.message.time)
            if isinstance(again, Item):
                self.assert_item(working, form_type, again)
            elif again is not None:
                self.put(working, item.slot, again)
            self.confirm(working, item.slot, held)
        else:
            self.assert_item(working, form_type, item)
        if not item.negated and item.op in ("set", "clear"):
            self._settle(working, item.slot)

    def _over(self, item: Item) -> bool:
        """Whether it was so until a moment before the message, since nobody says when."""
        until, given = item.valid_until, item.valid_from
        return until is not None and given is None and until <= self.message.time and item.op == "set"

    def _once(self, working: Working, form_type: FormType, item: Item) -> None:
        """What is over is told of the day before its end, which is all that is sure; where something is known of that
        time already, that stays, as does all that came behind."""
        until = item.valid_until or 0
        self.outcome.took = True
        if working.base_n:
            self.ws.full_state(working)
        if not any(begins(a) < until for a in working.state["s"].get(item.slot, ())):
            self.assert_item(working, form_type, item._replace(valid_from=until - DAY))

    def _said_otherwise(self, working: Working, spec: SlotSpec, item: Item) -> bool:
        """The same message gave this single-valued slot another value already: alternatives, or a slip."""
        if spec.many or item.negated or item.correction or item.op != "set":
            return False
        return any(
            a.get("op", "set") == "set" and not a.get("neg")
            for a in working.delta.assertions.get(item.slot, ())
        )

    def _alias(self, working: Working, spec: SlotSpec, item: Item, held: Assertion | None) -> bool:
        """A differing name beside the key that matched is another name of the Form, not a change."""
        if held is None or not isinstance(item.value, str) or item.op != "set" or item.negated:
            return False
        if same(spec, decode(held["v"]), item.value):
            return False
        if spec.type not in ("text", "ref"):
            return False
        self.outcome.took = True
        if normal(item.value) not in {normal(a) for a in working.state["al"]}:
            working.delta.aliases.append(item.value)
            working.state["al"].append(item.value)
        return True

    def assert_item(self, working: Working, form_type: FormType, item: Item) -> None:
        """Adds the item to the Form's delta and state."""
        spec = form_type.slots[item.slot]
        value = list(values_of(item.value)) if spec.many and item.value is not None else item.value
        assertion: Assertion = {"v": encode(value), "c": round(item.confidence, 4)}
        if item.source != "user":
            assertion["src"] = item.source
        if item.span is not None:
            assertion["e"] = list(item.span)
        if item.message is not None:
            assertion["m"] = item.message
        if item.agreed is not None:
            assertion["ag"] = list(item.agreed)
        if item.path is not None:
            assertion["p"] = item.path
        if item.op != "set":
            assertion["op"] = item.op
        if item.negated:
            assertion["neg"] = 1
        if item.correction:
            assertion["x"] = 1
        if item.valid_from is not None:
            assertion["f"] = item.valid_from
        until = item.valid_until
        # what a thing goes by does not end: it would not be found when it is spoken of again
        if until is None and item.op != "clear" and item.slot not in form_type.identity.slots:
            until = usual_end(form_type, self.message.time, item.valid_from)
            if until is not None:
                assertion["ud"] = 1
        if until is not None:
            assertion["u"] = until
        if item.slot == "valid_until" and self.message.offset:
            assertion["z"] = self.message.offset
        if item.correction and working.delta.cause == "stated":
            working.delta.cause = "correction"
        self.put(working, item.slot, assertion)

    def put(self, working: Working, slot: str, assertion: Assertion) -> None:
        """Adds a ready assertion to the Form's delta and state."""
        self.ws.overtake(working, self.message.time)
        working.delta.assertions.setdefault(slot, []).append(assertion)
        placed = {**assertion, "t": self.message.time, "n": working.n + 1}
        placed.setdefault("m", self.message.id)
        add_assertion(working.state, slot, placed)

    def confirm(self, working: Working, slot: str, held: Assertion | None) -> None:
        """What a slot holds was told again: only the date of its last confirmation moves, and never back."""
        last = working.confirmed.get(slot, said_at(held) if held is not None else 0)
        if held is not None and self.message.time > max(last, begins(held)):
            working.confirmed[slot] = self.message.time
            working.accessed = max(working.accessed, self.ws.now)
            working.dirty = True

    def _settle(self, working: Working, slot: str) -> None:
        """A plain statement answers what was still asked about the slot."""
        for item in self.ws.open_pendings(working):
            if item.slot == slot:
                self.ws.put_pending(item._replace(state="expired"))

    # -- what waits ------------------------------------------------------------------------------------------
    def hold(self, working: Working | None, form_type: FormType, held: Held) -> None:
        """Keeps a held item as pending, once: the same value for the same slot is not asked twice."""
        item = held.item
        value = dump({"v": encode(item.value)})
        if working is not None:
            self.outcome.forms[working.id] = working
            spec = form_type.slots[item.slot]
            known = winner(spec, working.state["s"].get(item.slot, ()), self.message.time)
            if known is not None and not item.negated and says_no_more(spec, known, item, held.yearless):
                self.outcome.took = True
                return
            for other in self.ws.open_pendings(working):
                same_words = item.value is not None or other.question == held.question
                if other.slot == item.slot and other.value == value and same_words:
                    self.outcome.pending.append(other.id)
                    self.outcome.questions.append(other.question)
                    return
        self._ask(working, form_type, held, value)

    def _ask(self, working: Working | None, form_type: FormType, held: Held, value: str) -> None:
        item, question = held.item, held.question
        if working is not None and form_type.name in self.told_of_several:
            question = about(label(self.ws, working.id, self.lang), question, self.lang)
        self.ask(
            working, form_type, item.slot, value, item.confidence, held.reason, question, held.candidates,
            {"items": [item_json(item)]},
        )  # fmt: skip

    def ask(
        self,
        working: Working | None,
        form_type: FormType | None,
        slot: str | None,
        value: str,
        confidence: float,
        reason: str,
        question: str,
        candidates: Sequence[str],
        draft: dict[str, Any],
    ) -> str:
        """Opens a pending item and gives its id."""
        record = PendingRecord(
            self.new_id("p"), self.ws.scope.owner, working.id if working is not None else None,
            form_type.name if form_type is not None else "*", slot, value, confidence, reason, question,
            dump_list(candidates), self.ws.now, "open", self.message.id, dump(draft),
        )  # fmt: skip
        self.ws.put_pending(record)
        self.outcome.pending.append(record.id)
        if question:
            self.outcome.questions.append(question)
        return record.id

    def _hold_unaligned(self, form_type: FormType, gated: Gated, target: Target) -> None:
        """Several Forms could be meant: the whole draft waits for a choice."""
        items = [*gated.accepted, *(h.item for h in gated.held)]
        names = labels(self.ws, target.candidates, self.lang)
        # what is told of it, not what it goes by: that is what several share
        told = (item for item in items if item.slot not in form_type.identity.slots)
        first = next(told, items[0] if items else None)
        spec = form_type.slots[first.slot] if first is not None else None
        shown = first.value if first else None
        if first is not None and shown is None and first.span is not None:
            shown = self.message.text[
                slice(*first.span)
            ]  # a value that is asked about itself, as it was said
        question = ask(form_type, spec, shown, "ambiguous_target", names, self.lang)
        value = dump({"v": encode(first.value) if first else None})
        self.ask(
            None, form_type, first.slot if first else None, value, first.confidence if first else 0.0,
            "ambiguous_target", question, target.candidates, {"items": [item_json(i) for i in items]},
        )  # fmt: skip

    def _in_part(self, name: Item, gated: Gated) -> bool:
        """Whether the one that is meant anyway goes by a name of which ``name`` is a part (桂香: 王桂香)."""
        meant = align(self.ws, gated, self.message).form
        return meant is not None and normal(str(name.value)) in normal(self.label(meant.id))

    def _hold_newcomer(self, form_type: FormType, gated: Gated, name: Item) -> None:
        """Words that may name a Form that nobody knows (黑珍珠的体重是510公斤): whether they do is asked."""
        items = [name, *gated.accepted, *(h.item for h in gated.held)]
        first = next((item for item in items if item.slot != name.slot), name)
        question = ask(
            form_type, form_type.slots[first.slot], first.value, "newcomer", [str(name.value)], self.lang
        )
        self.ask(
            None, form_type, first.slot, dump({"v": encode(first.value)}), first.confidence, "ambiguous_target",
            question, (), {"items": [item_json(item) for item in items]},
        )  # fmt: skip

    def _hold_loose(self, form_type: FormType, gated: Gated) -> None:
        for held in gated.held:
            self._ask(None, form_type, held, dump({"v": encode(held.item.value)}))

    def _hold_hearsay(self, form_type: FormType, gated: Gated) -> bool:
        """What somebody else tells of a Form that is known (老板说东坑深2米): only whether to take it is asked."""
        names = [h.item for h in gated.held if h.item.slot in form_type.identity.slots]
        if gated.accepted or not names or any(h.reason != "ambiguous_target" for h in gated.held):
            return False
        working = align(self.ws, replace(gated, accepted=names, held=[]), self.message).form
        if working is None:
            return False
        for held in gated.held:
            if held.item not in names:
                spec = form_type.slots[held.item.slot]
                question = ask(form_type, spec, held.item.value, "proposal", (), self.lang)
                self.hold(working, form_type, Held(held.item, "proposal", question))
        return True

    def label(self, form: str) -> str:
        """How a Form is called in a question: its name, else its type and id."""
        return label(self.ws, form, self.lang)

    # -- invalidation ----------------------------------------------------------------------------------------
    def _invalidate(self, gated: Gated, target: Target) -> None:
        form_type = self.form_type(gated)
        kind = gated.type or "*"
        if form_type is not None and not draft_values(form_type, gated) and gated.external_id is None:
            many = withdrawn_many(self.message.text)
            live = spoken_of(self.ws, form_type.name, self.message.conversation) if many is not None else {}
            if live and many in (ALL, len(live)):
                for working in live.values():
                    self.invalidate(working, self.message.text)
                return
            if live:  # they count others than are known here: nobody guesses which
                target = Target(candidates=list(live))
        if target.candidates:
            names = labels(self.ws, target.candidates, self.lang)
            question = ask(form_type, None, None, "invalidate", names, self.lang)
            self.ask(
                None, form_type, None, dump({"v": None}), 1.0, "ambiguous_target", question,
                target.candidates, {"invalidate": True},
            )  # fmt: skip
        elif target.form is None:
            self.outcome.refused.append(Refusal(kind, None, None, "no Form here that could be meant"))
        elif gated.unsure:
            question = ask(form_type, None, None, "invalidate", [self.label(target.form.id)], self.lang)
            self.ask(
                target.form, form_type, None, dump({"v": None}), 0.5, "low_confidence", question,
                [target.form.id], {"invalidate": True},
            )  # fmt: skip
        else:
            self.invalidate(target.form, self.message.text)

    def invalidate(self, working: Working, reason: str) -> None:
        """Marks the Form invalid; its edges are not walked while it is."""
        self.ws.overtake(working, self.message.time)
        if working.active:
            working.delta.status = "invalid"
            working.delta.reason = reason[:200]
            working.delta.cause = "invalidation"
        self.outcome.forms[working.id] = working
        self.outcome.took = True

    # -- the end of a message --------------------------------------------------------------------------------
    def finish(self) -> Outcome:
        """Seals one version a changed Form, asks for what is missing, notes near matches."""
        out = self.outcome
        user = self.message.role == "user"
        for working in out.forms.values():
            version = self.ws.seal_version(working, self.message)
            if version is not None:
                out.versions.append(f"{working.id}@{version.n}")
            if self.message.seq:
                self.ws.mention(working, self.message, user)
            form_type = self.ws.catalog.types.get(working.type)
            if form_type is None or version is None:
                continue
            close_answered(self.ws, working)
            if working.id in out.created:
                self._ask_identity(working, form_type)
                self._ask_required(working, form_type)
            else:
                self._identity_found(working)
            if self.cause not in ("merge", "split", "undo"):  # names that come back, or are told apart
                near = near_matches(self.ws, working, form_type, self.message)
                out.edges.extend(edge.id for edge in near)
        return out

    def _complete(self, working: Working) -> bool:
        return not any(base(key.slots) == "?" for key in working.keys)

    def _ask_identity(self, working: Working, form_type: FormType) -> None:
        if self._complete(working):
            return
        known = working.state["s"]
        lacking = [[p for p in key if p[0] != "$" and not known.get(p)] for key in form_type.identity.keys]
        # a task is told by its name alone as well as by project and name: what is asked for is the least
        slot = next(iter(min(filter(None, lacking), key=len, default=())), None)
        if slot is None:
            return
        spec = form_type.slots[slot]
        for item in self.ws.open_pendings(working):
            if item.slot == slot:
                return
        question = ask(form_type, spec, None, "identity_missing", (), self.lang)
        self.ask(
            working, form_type, slot, dump({"v": None}), 0.0, "identity_missing", question, (), {"items": []}
        )

    def _identity_found(self, working: Working) -> None:
        if working.pending and self._complete(working):
            for item in self.ws.open_pendings(working):
                if item.reason == "identity_missing":
                    self.ws.put_pending(item._replace(state="expired"))

    def _ask_required(self, working: Working, form_type: FormType) -> None:
        for name, spec in form_type.slots.items():
            if spec.required and not working.state["s"].get(name):
                question = ask(form_type, spec, None, "required", (), self.lang)
                if question not in self.outcome.questions:
                    self.outcome.questions.append(question)


def _guessed_names(form_type: FormType, gated: Gated) -> list[Item]:
    """What the words alone suggest to be the name of a Form; a model's own guess is asked about for itself."""
    held = (h.item for h in gated.held if h.reason == "inferred" and h.item.tier == "recogniser")
    return [item for item in held if item.slot in form_type.identity.slots]


def _only_removes(form_type: FormType, gated: Gated) -> bool:
    """Whether it takes something from a list, or clears a slot of a Form that it does not name, and says nothing
    more: where there is no Form, nothing is taken."""
    rest = [item for item in gated.accepted if item.op not in ("remove", "clear")]
    cleared = any(item.op == "clear" for item in gated.accepted)
    return (
        len(rest) < len(gated.accepted)
        and not gated.held
        and gated.external_id is None
        and not (rest and cleared)
        and all(item.slot in form_type.identity.slots for item in rest)
    )


def dump_list(values: Iterable[str]) -> str:
    return json.dumps(list(values), ensure_ascii=False)


__all__ = ["Decider", "Outcome"]
