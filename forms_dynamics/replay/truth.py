"""What labels make true over a conversation.

A label tells what is to be held after its message, of the Forms that its conversation touches; it may tell what the
message adds, or repeat all that holds. A value is *gained* at the first label that gives it to a slot of a Form after
another or none; it stays *in force* until a label gives the slot another value or null. A ``complete`` label ends
all that it does not list. A label with ``forms`` is exhaustive for its own message, over the slots that labels of the
log name anywhere: what is taken from there and is not in force after it is wrong. Of a slot that no label names it
says nothing, for people label what matters to them; unless it is ``complete``, or ``forms`` is empty: then nothing
was to be taken.

A message without ``forms`` is judged by the labels around it: a value in force there is right; otherwise the next
label that names the slot decides; otherwise a value differing from the one in force is wrong; a slot that no label
names is unknown. So label every message that changes a value: a change that nobody labelled counts as wrong.

Labels with one identity are about one Form, and so are labels with one ``external_id`` (which tells a Form whose name
is changed from another Form). Without either a label goes to the Form of the type it is likest to.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from forms_dynamics.replay.instances import NOTHING, Instance, Keys, Roster, keys_of
from forms_dynamics.replay.labels import Label
from forms_dynamics.replay.values import Truth as RestsOn
from forms_dynamics.replay.values import Verdict
from forms_dynamics.schema.spec import Catalog

KEPT_TURNS = 10  # of the user, the one that gave the value and the one at which it is looked at both counted
Slot = tuple[str, str]  # Form type, slot
Key = Hashable  # of a message, unique in its conversation


class Value(NamedTuple):
    """A value that is to be held; of a many-valued slot one item. ``instance``: -1 for whichever Form."""

    instance: int
    form_type: str
    slot: str
    key: str
    value: Any  # typed


class Wanted(NamedTuple):
    """A Form as it is to be: slot → keys, none empty."""

    instance: int
    form_type: str
    slots: Mapping[str, Keys]


class Told(NamedTuple):
    """What is known of the moment after a message. ``due``: values given ten user turns ago and in force all the
    while; ``ended``: values that no longer hold; ``state``: all in force, None where only values are known;
    ``exhaustive``: the label speaks of every slot, whether or not labels name it."""

    gains: tuple[Value, ...] = ()
    due: tuple[Value, ...] = ()
    ended: tuple[Value, ...] = ()
    state: tuple[Wanted, ...] | None = None
    labelled: bool = False
    complete: bool = False
    exhaustive: bool = False


class Said(NamedTuple):
    """One message of a conversation, as far as its labels need it."""

    key: Key
    role: str
    label: Label | None = None


@dataclass(frozen=True, slots=True)
class Truth:
    """What is known of one conversation; made once, used under any settings. ``told``: messages after which there is
    something to look at."""

    rests_on: RestsOn
    told: Mapping[Key, Told] = field(default_factory=dict)
    _course: Mapping[Slot, _Course] = field(default_factory=dict)
    _order: Mapping[Key, int] = field(default_factory=dict)
    _verdicts: Mapping[Key, Mapping[Slot, Mapping[str, Verdict]]] = field(default_factory=dict)
    _named: frozenset[Slot] | None = None  # slots that labels of the log name anywhere; None: all

    @property
    def knows(self) -> bool:
        """Whether it tells right from wrong anywhere."""
        found = (
            v for by_slot in self._verdicts.values() for by_key in by_slot.values() for v in by_key.values()
        )
        return (
            bool(self._course)
            or any(t.labelled for t in self.told.values())
            or any(v != "unknown" for v in found)
        )

    def verdict(self, key: Key, form_type: str, slot: str, keys: Keys, ends: bool = False) -> Verdict:
        """Whether the message ``key`` says this of the slot rightly. ``ends``: it takes ``keys`` away, or
        whatever is there where there are none."""
        if self.rests_on == "self-consistency":
            return self._by_consistency(key, (form_type, slot), keys, ends)
        course, at = self._course.get((form_type, slot)), self._order.get(key)
        if course is None or at is None:
            return "wrong" if keys and not ends and self.minds(key, form_type, slot) else "unknown"
        return course.verdict(at, keys, ends, self.told[key].labelled if key in self.told else False)

    def minds(self, key: Key, form_type: str, slot: str) -> bool:
        """Whether the label of the message ``key`` would have named the slot, had the message told it."""
        told = self.told.get(key)
        if told is None or not told.labelled:
            return False
        return told.exhaustive or self._named is None or (form_type, slot) in self._named

    def _by_consistency(self, key: Key, slot: Slot, keys: Keys, ends: bool) -> Verdict:
        known = self._verdicts.get(key, {}).get(slot)
        if known is None or ends or not keys:
            return "unknown"
        found = {known.get(one, "unknown") for one in keys}
        return "wrong" if "wrong" in found else "right" if found == {"right"} else "unknown"


@dataclass(slots=True)
class _Course:
    """Of one slot, over the Forms of its type: what is in force from which message on, and what labels name."""

    changed: list[int] = field(default_factory=list)
    force: list[Keys] = field(default_factory=list)
    named: list[int] = field(default_factory=list)
    names: list[Keys] = field(default_factory=list)

    def verdict(self, at: int, keys: Keys, ends: bool, labelled: bool) -> Verdict:
        before = self._in_force(bisect_left(self.changed, at))
        if labelled:
            after: Keys | None = self._in_force(bisect_right(self.changed, at))
        else:
            before = self._in_force(bisect_right(self.changed, at))
            coming = bisect_right(self.named, at)
            after = self.names[coming] if coming < len(self.named) else None
        if ends:
            return _of_an_end(keys, before, after if after is not None else before)
        if not keys:
            return "unknown"
        if after is None:
            # every slot here is named by some label, so that nothing in force means that it is to be empty
            return "right" if keys <= before else "wrong"
        return "right" if keys <= after or (not labelled and keys <= before | after) else "wrong"

    def _in_force(self, upto: int) -> Keys:
        return self.force[upto - 1] if upto else NOTHING


def _of_an_end(keys: Keys, before: Keys, after: Keys) -> Verdict:
    if keys:
        return "wrong" if keys & after else "right" if keys & before else "unknown"
    return "right" if before - after else "wrong" if after else "unknown"


def named_slots(labels: Iterable[Label]) -> frozenset[Slot]:
    """The slots that labels name at all: those that whoever labelled the log looked at."""
    return frozenset(
        (expected.form_type, slot)
        for label in labels
        for expected in label.forms or ()
        for slot in expected.slots
    )


def truth_of(messages: Iterable[Said], catalog: Catalog, named: frozenset[Slot] | None = None) -> Truth:
    """The truth that the labels of one conversation tell; ``messages`` are all of them, in order. ``named``: the
    slots that labels of the whole log name; None: they name all that there is to say."""
    writing = _Writing(catalog)
    for message in messages:
        writing.take(message)
    return Truth("labels", writing.told, writing.course, writing.order, _named=named)


class _Writing:
    """Goes through a conversation and notes what holds after each message."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._roster = Roster()
        self._since: dict[tuple[int, str, str], int] = {}  # what is in force → the gain that made it so
        self._due: dict[int, list[tuple[int, Value]]] = {}
        self._state: tuple[Wanted, ...] = ()
        self._gains = 0
        self._user_turns = 0
        self.told: dict[Key, Told] = {}
        self.course: dict[Slot, _Course] = {}
        self.order: dict[Key, int] = {}

    def take(self, message: Said) -> None:
        at = self.order[message.key] = len(self.order)
        user = message.role == "user"
        self._user_turns += user
        label = message.label
        gains: list[Value] = []
        ended: list[Value] = []
        labelled = label is not None and label.forms is not None
        if label is not None and label.forms is not None:
            self._apply(label, at, gains, ended)
            self._state = tuple(
                Wanted(one.number, one.form_type.name, dict(one.slots))
                for one in self._roster.instances
                if one.slots
            )
        due = tuple(
            value
            for gain, value in (self._due.pop(self._user_turns, ()) if user else ())
            if self._since.get((value.instance, value.slot, value.key)) == gain
        )
        if labelled or due:
            complete = label is not None and label.complete
            exhaustive = complete or (label is not None and label.forms == ())
            self.told[message.key] = Told(
                tuple(gains), due, tuple(ended), self._state, labelled, complete, exhaustive
            )

    def _apply(self, label: Label, at: int, gains: list[Value], ended: list[Value]) -> None:
        named: dict[Slot, Keys] = {}
        taken: set[int] = set()
        for expected in label.forms or ():
            form_type = self._catalog.types[expected.form_type]
            keys = {slot: keys_of(form_type.slots[slot], value) for slot, value in expected.slots.items()}
            one = self._roster.place(form_type, keys, expected.external_id, taken)
            assert one is not None  # it guesses
            taken.add(one.number)
            for slot, value in expected.slots.items():
                where = (expected.form_type, slot)
                named[where] = named.get(where, NOTHING) | keys[slot]
                self._set(one, slot, value, gains, ended)
            if label.complete:
                for slot in one.slots.keys() - expected.slots.keys():
                    named.setdefault((expected.form_type, slot), NOTHING)
                    self._set(one, slot, None, gains, ended)
        if label.complete:
            for one in self._roster.instances:
                for slot in tuple(one.slots) if one.number not in taken else ():
                    named.setdefault((one.form_type.name, slot), NOTHING)
                    self._set(one, slot, None, gains, ended)
        for (form_type_name, slot), names in named.items():
            course = self.course.setdefault((form_type_name, slot), _Course())
            course.named.append(at)
            course.names.append(names)
            course.changed.append(at)
            course.force.append(
                frozenset().union(
                    *(
                        one.slots.get(slot, NOTHING)
                        for one in self._roster.instances
                        if one.form_type.name == form_type_name
                    )
                )
            )

    def _set(self, one: Instance, slot: str, value: Any, gains: list[Value], ended: list[Value]) -> None:
        spec = one.form_type.slots[slot]
        keys = keys_of(spec, value)
        before = one.slots.pop(slot, NOTHING)
        if keys:
            one.slots[slot] = keys
        for key in sorted(before - keys):
            del self._since[one.number, slot, key]
            ended.append(Value(one.number, one.form_type.name, slot, key, None))
        for item in value if isinstance(value, tuple) else () if value is None else (value,):
            (key,) = keys_of(spec, item)
            if key in before or (one.number, slot, key) in self._since:
                continue
            self._gains += 1
            self._since[one.number, slot, key] = self._gains
            gained = Value(one.number, one.form_type.name, slot, key, item)
            gains.append(gained)
            due = max(self._user_turns, 1) + KEPT_TURNS - 1
            self._due.setdefault(due, []).append((self._gains, gained))


__all__ = ["KEPT_TURNS", "Said", "Told", "Truth", "Value", "Wanted", "truth_of"]
