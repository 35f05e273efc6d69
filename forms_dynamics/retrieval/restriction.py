"""What a question demands of the Forms of a type ("quotes above 100k", 六月到期的合同, "customers without a phone"):
values, and whether a Form meets them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, tzinfo
from decimal import Decimal
from typing import Any

from forms_dynamics.language.normal import normal
from forms_dynamics.model.form import Form
from forms_dynamics.model.value import Money, Range


@dataclass(frozen=True, slots=True)
class Within:
    """An amount between two bounds; ``above``/``below``: the bound itself is not meant. ``currency`` None: the
    question names none, and numbers are compared whatever their currency is."""

    slot: str
    low: Decimal | None
    high: Decimal | None
    above: bool = False
    below: bool = False
    currency: str | None = None

    def holds(self, form: Form, zone: tzinfo) -> bool:
        """Whether the value lies there wholly."""
        ends = _amounts(form[self.slot], self.currency)
        if ends is None:
            return False
        least, most = ends
        if self.low is not None and (least is None or least < self.low or (self.above and least == self.low)):
            return False
        return self.high is None or not (
            most is None or most > self.high or (self.below and most == self.high)
        )


@dataclass(frozen=True, slots=True)
class During:
    """A day between two days, both included."""

    slot: str
    first: date | None
    last: date | None

    def holds(self, form: Form, zone: tzinfo) -> bool:
        """Whether the value's day, in the asker's zone, lies there."""
        value = form[self.slot]
        begin, end = (value.min, value.max) if isinstance(value, Range) else (value, value)
        begin, end = _day(begin, zone), _day(end, zone)
        if begin is None and end is None:
            return False
        if self.first is not None and (end is not None and end < self.first):
            return False
        return self.last is None or begin is None or begin <= self.last


@dataclass(frozen=True, slots=True)
class Among:
    """One of an enum's values, or what a yes or no says."""

    slot: str
    values: frozenset[str] | frozenset[bool]

    def holds(self, form: Form, zone: tzinfo) -> bool:
        """Whether the value is one of them."""
        value = form[self.slot]
        return any(v in self.values for v in value) if isinstance(value, tuple) else value in self.values


@dataclass(frozen=True, slots=True)
class Known:
    """A slot of which something is known, or nothing is."""

    slot: str
    known: bool

    def holds(self, form: Form, zone: tzinfo) -> bool:
        """Whether it is so."""
        return (form[self.slot] not in (None, ())) == self.known


@dataclass(frozen=True, slots=True)
class Says:
    """Words that stand in a value: of ``slot``, or of any (None). ``whole``: what else a value may be: T4, where tent
    T4 is asked for."""

    slot: str | None
    words: str
    whole: str = ""

    def holds(self, form: Form, zone: tzinfo) -> bool:
        """Whether they do, in normal form."""
        slots = form.slots if self.slot is None else (self.slot,)
        said = [normal(text) for slot in slots for text in _texts(form[slot])]
        return any(self.words in text or (self.whole and self.whole == text) for text in said)


@dataclass(frozen=True, slots=True)
class Expired:
    """Forms past the end that their own slots give."""

    def holds(self, form: Form, zone: tzinfo) -> bool:
        """Whether it is over."""
        return form.expired


@dataclass(frozen=True, slots=True)
class Other:
    """What does not meet another test. Nothing is told of an unknown day or amount; words that stand nowhere are
    not said."""

    test: Within | During | Says

    def holds(self, form: Form, zone: tzinfo) -> bool:
        """Whether it is known, and otherwise."""
        known = isinstance(self.test, Says) or form[self.test.slot] not in (None, ())
        return known and not self.test.holds(form, zone)


@dataclass(frozen=True, slots=True)
class But:
    """All but some Forms."""

    forms: frozenset[str]

    def holds(self, form: Form, zone: tzinfo) -> bool:
        """Whether it is none of them."""
        return form.id not in self.forms


Single = Within | During | Among | Known | Says | Expired | Other | But


@dataclass(frozen=True, slots=True)
class Either:
    """Of several conditions one; each of them is tests that all hold."""

    parts: tuple[tuple[Single, ...], ...]

    def holds(self, form: Form, zone: tzinfo) -> bool:
        """Whether one of them is met."""
        return any(all(test.holds(form, zone) for test in part) for part in self.parts)


Test = Single | Either


@dataclass(frozen=True, slots=True)
class Extreme:
    """The highest (lowest, first, last) value of a slot; amounts of each currency apart. ``first`` to ``last``: the
    places that are meant, counted from it (2 to 2: the second heaviest; 1 to 3: the three heaviest)."""

    slot: str
    highest: bool
    currency: str | None = None
    first: int = 1
    last: int = 1


@dataclass(frozen=True, slots=True)
class Demand:
    """What is demanded of the Forms of one type: all ``tests``, of those that meet them such as meet one of ``maybe``
    (words that may be no demand: where none meets them they are none), of each of ``rather`` the first that any
    meets, and of the rest the ``extreme``."""

    tests: Sequence[Test] = ()
    extreme: Extreme | None = None
    maybe: Sequence[Says] = ()
    rather: Sequence[Sequence[Says]] = ()

    @property
    def every(self) -> tuple[Single, ...]:
        """The tests one by one, those of alternatives among them."""
        return tuple(
            each
            for test in self.tests
            for each in (sum(test.parts, ()) if isinstance(test, Either) else (test,))
        )

    def unmet(self, forms: Mapping[str, Form], zone: tzinfo) -> dict[str, str]:
        """Forms (id → Form) that are not meant, with the test that each fails."""
        out: dict[str, str] = {}
        for id, form in forms.items():
            failed = next((t for t in self.tests if not t.holds(form, zone)), None)
            if failed is not None:
                out[id] = f"does not meet the question: {_told(failed)}"
        for test in self.maybe:
            left = {id: form for id, form in forms.items() if id not in out}
            said = {id for id, form in left.items() if test.holds(form, zone)}
            if said:
                out |= {id: f"does not meet the question: {_told(test)}" for id in left if id not in said}
        for tests in self.rather:
            left = {id: form for id, form in forms.items() if id not in out}
            first = next((t for t in tests if any(t.holds(form, zone) for form in left.values())), tests[0])
            out |= {
                id: f"does not meet the question: {_told(first)}"
                for id, form in left.items()
                if not first.holds(form, zone)
            }
        if self.extreme is not None:
            left = {id: form for id, form in forms.items() if id not in out}
            kept = _furthest(left, self.extreme, zone)
            out |= {id: f"another has the {_told(self.extreme)}" for id in left if id not in kept}
        return out


@dataclass(frozen=True, slots=True)
class Restriction:
    """The demands of a question by Form type. ``spans``: words that say them. ``unread``: it demands something
        that no slot was found for, so that no list of Forms can be right. ``done``: it asks for what
    somebody does, and names the doer alone."""

    demands: Mapping[str, Demand] = field(default_factory=dict)
    spans: Sequence[tuple[int, int]] = ()
    unread: bool = False
    done: bool = False

    def __bool__(self) -> bool:
        return bool(self.demands) or self.unread

    @property
    def expired(self) -> bool:
        """Whether Forms that are over are meant."""
        return any(isinstance(t, Expired) for d in self.demands.values() for t in d.every)

    @property
    def timed(self) -> bool:
        """Whether a day of the question is taken for the value of a slot."""
        return any(isinstance(t, During) for d in self.demands.values() for t in d.every)

    def saying(self, runs: Iterable[str], types: Iterable[str], denied: Sequence[str] = ()) -> Restriction:
        """The same with words that a Form of one of ``types`` must hold, too, or, of ``denied``, must not."""
        return self._with((*map(_says, runs), *(Other(_says(run)) for run in denied)), types)

    def but(self, form: str, type: str) -> Restriction:
        """The same without one Form."""
        return self._with((But(frozenset((form,))),), (type,))

    def otherwise(self, test: Within | During | Says, type: str) -> Restriction:
        """The same without Forms that meet ``test``."""
        return self._with((Other(test),), (type,))

    def meeting(self, test: Test, types: Iterable[str]) -> Restriction:
        """The same of Forms that meet ``test``, too."""
        return self._with((test,), types)

    def rather(self, readings: Sequence[str], types: Iterable[str]) -> Restriction:
        """The same of Forms that hold the first of these words that any holds."""
        demands = self.demands or {t: Demand() for t in types}
        says = tuple(map(_says, readings))
        return replace(self, demands={t: replace(d, rather=(*d.rather, says)) for t, d in demands.items()})

    def _with(self, tests: Sequence[Test], types: Iterable[str]) -> Restriction:
        demands = self.demands or {t: Demand() for t in types}
        return replace(self, demands={t: replace(d, tests=(*d.tests, *tests)) for t, d in demands.items()})

    def perhaps(self, runs: Sequence[str]) -> Restriction:
        """The same with words that a Form may have to hold: where none does they are no demand."""
        says = tuple(map(_says, runs))
        return replace(
            self, demands={t: replace(d, maybe=(*d.maybe, *says)) for t, d in self.demands.items()}
        )


UNRESTRICTED = Restriction()


def _says(words: str) -> Says:
    return Says(None, words)


def _told(test: Test | Extreme) -> str:
    match test:
        case Within(slot, low, high, above, below, currency):
            ends = [
                *([f"{'>' if above else '≥'} {low:,f}"] if low is not None else []),
                *([f"{'<' if below else '≤'} {high:,f}"] if high is not None else []),
            ]
            return f"{slot} {' and '.join(ends)}{f' {currency}' if currency else ''}"
        case During(slot, first, last):
            return f"{slot} from {first or '…'} to {last or '…'}"
        case Among(slot, values):
            return f"{slot} is {' or '.join(sorted(map(str, values)))}"
        case Known(slot, known):
            return f"{slot} is {'known' if known else 'unknown'}"
        case Says(slot, words, _):
            return f"{slot or 'a value'} says {words}"
        case Other(other):
            return f"not {_told(other)}"
        case But():
            return "named as not meant"
        case Either(parts):
            return ", or ".join(" and ".join(map(_told, part)) for part in parts)
        case Extreme(slot, highest, _, first, last):
            place = f" ({first} to {last})" if last > 1 else ""
            return f"{'highest' if highest else 'lowest'} {slot}{place}"
        case _:
            return "expired"


def _furthest(forms: Mapping[str, Form], extreme: Extreme, zone: tzinfo) -> set[str]:
    """Those with the values at the places that are meant; of each currency its own."""
    groups: dict[str, dict[str, Any]] = {}
    for id, form in forms.items():
        value = form[extreme.slot]
        kind = value.currency if isinstance(value, Money) else ""
        if extreme.currency is not None and kind and kind != extreme.currency:
            continue
        if isinstance(value, datetime | date):
            groups.setdefault(kind, {})[id] = _day(value, zone)
        elif (ends := _amounts(value, None)) is not None and None not in ends:
            groups.setdefault(kind, {})[id] = ends[1 if extreme.highest else 0]
    out: set[str] = set()
    for values in groups.values():
        # of equals each has the place of the first; a single place is counted by values
        order = sorted(
            values.values() if extreme.first == 1 else set(values.values()), reverse=extreme.highest
        )
        meant = set(order[extreme.first - 1 : extreme.last])
        out |= {id for id, value in values.items() if value in meant}
    return out


def _amounts(value: Any, currency: str | None) -> tuple[Decimal | None, Decimal | None] | None:
    """Least and most of an amount; None where it is none, or of another currency."""
    if isinstance(value, Range):
        ends = [_amounts(v, currency) if v is not None else (None, None) for v in (value.min, value.max)]
        return None if ends[0] is None or ends[1] is None else (ends[0][0], ends[1][1])
    if isinstance(value, Money):
        return None if currency not in (None, value.currency) else (value.amount, value.amount)
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    return Decimal(str(value)), Decimal(str(value))


def _day(value: Any, zone: tzinfo) -> date | None:
    if isinstance(value, datetime):
        return value.astimezone(zone).date()
    return value if isinstance(value, date) else None


def _texts(value: Any) -> list[str]:
    return [v for v in (value if isinstance(value, tuple) else (value,)) if isinstance(v, str)]


__all__ = [
    "UNRESTRICTED",
    "Among",
    "But",
    "Demand",
    "During",
    "Either",
    "Expired",
    "Extreme",
    "Known",
    "Other",
    "Restriction",
    "Says",
    "Single",
    "Test",
    "Within",
]
