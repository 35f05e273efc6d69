"""Which Form of a conversation a label or a draft is about, where a conversation may speak of several of one type.

Identity tells, as in production: the same complete key is the same Form, another one is another Form; a Form whose
key is not known yet takes it. What remains open is either settled by the likest (labels, which were written by
somebody who had one Form in mind) or left open (evidence, which a wrong guess would turn into a lie).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from forms_dynamics.model.value import Money, Range
from forms_dynamics.schema.coerce import coerce, key_text
from forms_dynamics.schema.spec import FormType, SlotSpec
from forms_dynamics.settings import Settings

Keys = frozenset[str]  # of the values of one slot: one, or one an item of a many-valued slot
NOTHING: Keys = frozenset()
ANY_CURRENCY = (
    "*"  # unit of a money slot whose labels are bare numbers: they are of the currency that was spoken of
)


def keys_of(spec: SlotSpec | None, value: Any) -> Keys:
    """The texts by which production compares values; of a many-valued slot one an item. None has none."""
    if value is None:
        return NOTHING
    items = value if isinstance(value, (tuple, list, set, frozenset)) else (value,)
    return frozenset(_key(spec, one) for one in items)


def _key(spec: SlotSpec | None, one: Any) -> str:
    if spec is None:
        return str(one)
    if spec.unit == ANY_CURRENCY:
        if isinstance(one, Range):
            return f"{_key(spec, one.min)}..{_key(spec, one.max)}"
        if isinstance(one, Money):
            return format(one.amount.normalize(), "f")
    return key_text(spec, one)


def typed(form_type: FormType | None, slot: str, raw: Any, time: datetime, settings: Settings) -> Any:
    """What was refused as it was given, as a value of its slot; as it is where it is none."""
    spec = form_type.slots.get(slot) if form_type is not None else None
    if spec is None or raw is None:
        return raw
    read = coerce(spec, raw, time, settings.date_order)
    return raw if read.value is None else read.value


@dataclass(eq=False, slots=True)
class Instance:
    """One Form that a conversation speaks of. ``number``: in the order in which they come up."""

    number: int
    form_type: FormType
    slots: dict[str, Keys] = field(default_factory=dict)
    external: set[str] = field(default_factory=set)
    last: int = 0  # the moment at which it was last spoken of


@dataclass(slots=True)
class Roster:
    """The Forms that a conversation has spoken of so far."""

    instances: list[Instance] = field(default_factory=list)
    _moment: int = 0

    def place(
        self,
        form_type: FormType,
        slots: Mapping[str, Keys],
        external: str | None = None,
        taken: Collection[int] = (),
        guess: bool = True,
    ) -> Instance | None:
        """The instance that ``slots`` are about, a new one where none fits; None where several fit and ``guess`` is
        off. ``taken``: numbers of instances that are spoken for."""
        own = [i for i in self.instances if i.form_type is form_type and i.number not in taken]
        found = self._among(own, form_type, slots, external, guess)
        if isinstance(found, str):
            return None
        if found is None:
            found = Instance(len(self.instances), form_type)
            self.instances.append(found)
        if external is not None:
            found.external.add(external)
        self._moment += 1
        found.last = self._moment
        return found

    def _among(
        self,
        own: list[Instance],
        form_type: FormType,
        slots: Mapping[str, Keys],
        external: str | None,
        guess: bool,
    ) -> Instance | str | None:
        if external is not None:
            for one in own:
                if external in one.external:
                    return one
            own = [one for one in own if not one.external]
        if form_type.identity.each:
            return _likest([one for one in own if _alike(one, slots)], slots) if guess else None
        keys = _own_keys(form_type)
        named = any(all(slots.get(part) for part in key) for key in keys)
        open_: list[Instance] = []
        for one in sorted(own, key=lambda i: -i.last):
            same = _same_key(one, keys, slots)
            if same:
                return one
            if same is None:
                open_.append(one)
        if named:
            nameless = [one for one in open_ if not any(all(p in one.slots for p in key) for key in keys)]
            if not nameless and ("$conversation",) in form_type.identity.keys:
                nameless = open_  # the conversation's own, which has another key so far: phone, then number
            if not guess:
                return nameless[0] if len(nameless) == 1 else None
            return _likest(nameless or [one for one in open_ if _alike(one, slots)], slots)
        if not guess and len(open_) > 1:
            return "several"
        return _likest(open_, slots)


def _own_keys(form_type: FormType) -> list[tuple[str, ...]]:
    """The identity keys without what only the place and the speaker give."""
    own = (tuple(p for p in key if not p.startswith("$")) for key in form_type.identity.keys)
    return [key for key in own if key]


def _same_key(one: Instance, keys: list[tuple[str, ...]], slots: Mapping[str, Keys]) -> bool | None:
    """Whether the first identity key that both know is one; None where they know none in common."""
    for key in keys:
        if all(slots.get(part) for part in key) and all(part in one.slots for part in key):
            return all(slots[part] == one.slots[part] for part in key)
    return None


def _alike(one: Instance, slots: Mapping[str, Keys]) -> int:
    return sum(1 for slot, keys in slots.items() if keys and one.slots.get(slot) == keys)


def _likest(among: list[Instance], slots: Mapping[str, Keys]) -> Instance | None:
    """The one with most equal slots, then fewest that differ, then the one last spoken of."""
    if not among:
        return None

    def fit(one: Instance) -> tuple[int, int, int]:
        differ = sum(1 for slot, keys in slots.items() if keys and one.slots.get(slot, keys) != keys)
        return (_alike(one, slots), -differ, one.last)

    return max(among, key=fit)


__all__ = ["NOTHING", "Instance", "Keys", "Roster", "keys_of", "typed"]
