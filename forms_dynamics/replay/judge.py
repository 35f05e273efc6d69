"""What a replayed turn is worth against the truth of its conversation: a verdict on each proposed slot, what is
missed, and the counts that figures are made of.

Where a conversation has several Forms of one type (two hotels), those of the truth are matched with those that are
held by most equal slots, then most equal identity slots, then age; a value must then be right for the Form it went
to. Words of the assistant or the system are no evidence: what they propose has no verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from forms_dynamics.replay.instances import NOTHING, Keys, keys_of
from forms_dynamics.replay.truth import Key, Told, Truth, Value, Wanted
from forms_dynamics.replay.values import Counts, Fact, Verdict
from forms_dynamics.schema.spec import Catalog, SlotSpec
from forms_dynamics.schema.wording import format_value

Held = Mapping[str, tuple[str, Mapping[str, tuple[Any, ...]]]]  # Form id → (form type, slot → typed values)
Question = tuple[str, str, str]  # Form type, slot, Form
_NO_EVIDENCE = frozenset({"assistant", "system"})


class Written(NamedTuple):
    """What became of one proposed slot. ``value``: typed (a tuple in a many-valued slot), None for a clear and for
    what is held until one of several readings is chosen; what was refused may be as it was given. ``form``: "" where
    no Form was reached. ``op`` and ``negated`` as the draft has them."""

    form_type: str
    slot: str
    value: Any
    outcome: Literal["accepted", "held", "refused"]
    reason: str = ""
    form: str = ""
    op: str = "set"
    negated: bool = False


class Judged(NamedTuple):
    """The facts in the order of what was written; ``missed``: gained values that are not held, as (form type, slot,
    value); ``counts``: without what recall and the store are asked for."""

    facts: tuple[Fact, ...] = ()
    missed: tuple[tuple[str, str, str], ...] = ()
    counts: Counts = Counts()


_PLAIN = {True: Judged(counts=Counts(turns=1, user_turns=1)), False: Judged(counts=Counts(turns=1))}


class Judge:
    """Judges the turns of one conversation, in order. ``truth`` None: nothing is known; ``lang``: of shown values."""

    def __init__(self, truth: Truth | None, catalog: Catalog, lang: str = "en") -> None:
        self._truth = truth
        self._told: Mapping[Key, Told] = truth.told if truth is not None else {}
        self._catalog = catalog
        self._lang = lang
        self._asked: set[Question] = set()
        self._answered: set[Question] = set()
        self._condemned: set[tuple[str, str, str]] = set()  # what is known to be wrong by now

    def turn(
        self,
        key: Key,
        role: str,
        written: Sequence[Written],
        held: Callable[[], Held],
        questions: Sequence[Question] = (),
    ) -> Judged:
        """One message. ``held``: what the conversation's Forms hold after it, called only where it is looked at;
        ``questions``: (form type, slot, Form) of each question put to the user because of it, "" for what is
        not known."""
        told = self._told.get(key)
        if told is None and not written and not questions:
            return _PLAIN[role == "user"]
        n = dict.fromkeys(Counts._fields, 0)
        n["turns"], n["user_turns"] = 1, int(role == "user")
        now = _Now(held(), told.state, self._catalog) if told is not None else None
        if told is not None:
            self._condemned.update((v.form_type, v.slot, v.key) for v in told.ended)
        facts = tuple(self._fact(key, role, one, now, n) for one in written)
        missed: tuple[tuple[str, str, str], ...] = ()
        if told is not None and now is not None:
            missed = self._look(told, now, n)
        self._count_questions(role, written, questions, n)
        return Judged(facts, missed, Counts(**n))

    # -- facts -----------------------------------------------------------------------------------------------
    def _fact(self, key: Key, role: str, one: Written, now: _Now | None, n: dict[str, int]) -> Fact:
        spec = self._spec(one.form_type, one.slot)
        keys = keys_of(spec, one.value)
        verdict = self._verdict(key, role, one, keys, now)
        n[one.outcome] += 1
        if one.outcome == "accepted" and verdict != "unknown":
            n[f"accepted_{verdict}"] += 1
            if not _ends(one):
                values = {(one.form_type, one.slot, k) for k in keys}
                self._condemned = self._condemned - values if verdict == "right" else self._condemned | values
        elif one.outcome != "accepted" and verdict == "right":
            n[f"{one.outcome}_right"] += 1
        shown = self._shown(one.form_type, one.slot, one.value)
        return Fact(one.form_type, one.slot, shown, one.outcome, one.reason, verdict, one.form)

    def _verdict(self, key: Key, role: str, one: Written, keys: Keys, now: _Now | None) -> Verdict:
        if self._truth is None or role in _NO_EVIDENCE or one.form_type not in self._catalog.types:
            return "unknown"
        if one.outcome == "accepted" and now is not None and not _ends(one):
            wanted = now.meant(one.form, one.form_type)
            known = wanted is not None and (
                one.slot in wanted.slots or self._truth.minds(key, one.form_type, one.slot)
            )
            if wanted is not None and known and self._told[key].labelled:
                return "right" if keys <= wanted.slots.get(one.slot, NOTHING) else "wrong"
        return self._truth.verdict(key, one.form_type, one.slot, keys, _ends(one))

    def _spec(self, form_type: str, slot: str) -> SlotSpec | None:
        declared = self._catalog.types.get(form_type)
        return declared.slots.get(slot) if declared is not None else None

    def _shown(self, form_type: str, slot: str, value: Any) -> str:
        return format_value(value, self._spec(form_type, slot), self._lang)

    # -- the state after the message -------------------------------------------------------------------------
    def _look(self, told: Told, now: _Now, n: dict[str, int]) -> tuple[tuple[str, str, str], ...]:
        missed = []
        n["expected"] = len(told.gains)
        for value in told.gains:
            if now.holds(value):
                n["found"] += 1
            else:
                missed.append(
                    (value.form_type, value.slot, self._shown(value.form_type, value.slot, value.value))
                )
        n["kept"] = len(told.due)
        n["kept_right"] = sum(map(now.holds, told.due))
        if told.labelled and told.state is not None:
            exact = True
            for wanted in told.state:
                has = now.of(wanted)
                n["fields"] += len(wanted.slots)
                right = sum(has.get(slot) == keys for slot, keys in wanted.slots.items())
                n["fields_right"] += right
                exact = exact and right == len(wanted.slots)
            n["states"] = 1
            n["states_right"] = int(exact and not self._surplus(told, now))
        return tuple(missed)

    def _surplus(self, told: Told, now: _Now) -> bool:
        """Whether something is held that is not so. What came from a message without a label, or from another
        conversation, may be so though no label lists it; unless the label lists all."""
        for form, (form_type, slots) in now.held.items():
            wanted = now.matched.get(form)
            for slot, keys in slots.items():
                if not keys or (wanted is not None and slot in wanted.slots):
                    continue
                if told.complete or any((form_type, slot, key) in self._condemned for key in keys):
                    return True
        return False

    # -- questions -------------------------------------------------------------------------------------------
    def _count_questions(
        self, role: str, written: Sequence[Written], questions: Sequence[Question], n: dict[str, int]
    ) -> None:
        if role == "user":
            self._answered.update(q for q in self._asked if any(_about(q, w) for w in written))
        n["questions"] = len(questions)
        n["twice"] = sum(any(_alike(one, q) for q in self._answered) for one in questions)
        self._asked.update(questions)


def _about(question: Question, one: Written) -> bool:
    return _alike(question, (one.form_type, one.slot, one.form))


def _alike(one: Question, other: Question) -> bool:
    """Whether both are about one slot of one Form; a Form that is not known may be any."""
    return one[:2] == other[:2] != ("", "") and (one[2] == other[2] or not one[2] or not other[2])


def _ends(one: Written) -> bool:
    """Whether it takes a value away; what is held without a value may be one of several readings."""
    return one.negated or one.op in ("remove", "clear") or (one.value is None and one.outcome == "accepted")


class _Now:
    """What is held after a message, by keys, and which held Form is which of the truth's."""

    def __init__(self, held: Held, state: tuple[Wanted, ...] | None, catalog: Catalog) -> None:
        self.held: dict[str, tuple[str, dict[str, Keys]]] = {}
        for form, (form_type, slots) in held.items():
            specs = catalog.types[form_type].slots if form_type in catalog.types else {}
            self.held[form] = form_type, {s: keys_of(specs.get(s), values) for s, values in slots.items()}
        self._state = state
        self.matched: dict[str, Wanted] = _match(state or (), self.held, catalog)
        self._form = {wanted.instance: form for form, wanted in self.matched.items()}

    def of(self, wanted: Wanted) -> Mapping[str, Keys]:
        """What its Form holds; nothing where none is its."""
        form = self._form.get(wanted.instance)
        return self.held[form][1] if form is not None else {}

    def holds(self, value: Value) -> bool:
        if self._state is None:
            return any(
                form_type == value.form_type and value.key in slots.get(value.slot, NOTHING)
                for form_type, slots in self.held.values()
            )
        form = self._form.get(value.instance)
        return form is not None and value.key in self.held[form][1].get(value.slot, NOTHING)

    def meant(self, form: str, form_type: str) -> Wanted | None:
        """Which Form of the truth this one is, where the truth has several of its type; one that is none of them is
        to hold nothing."""
        if sum(one.form_type == form_type for one in self._state or ()) < 2:
            return None
        return self.matched.get(form) or Wanted(-1, form_type, {})


def _match(
    state: Sequence[Wanted], held: Mapping[str, tuple[str, Mapping[str, Keys]]], catalog: Catalog
) -> dict[str, Wanted]:
    """Form → what it is to be; the likest pairs first, none without an equal slot."""
    pairs = []
    for wanted in state:
        identity = catalog.types[wanted.form_type].identity.slots
        for form, (form_type, slots) in held.items():
            if form_type != wanted.form_type:
                continue
            equal = [slot for slot, keys in wanted.slots.items() if slots.get(slot) == keys]
            # a many-valued slot of which only some items are held is better than none
            some = sum(bool(keys & slots.get(slot, NOTHING)) for slot, keys in wanted.slots.items())
            if some:
                named = sum(slot in identity for slot in equal)
                pairs.append((-len(equal), -named, -some, wanted.instance, form, wanted))
    out: dict[str, Wanted] = {}
    placed: set[int] = set()
    for *_, instance, form, wanted in sorted(pairs, key=lambda pair: pair[:5]):
        if instance not in placed and form not in out:
            placed.add(instance)
            out[form] = wanted
    return out


__all__ = ["Held", "Judge", "Judged", "Written"]
