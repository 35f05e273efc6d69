"""A made-up year of people talking to an assistant: what they say, what an ideal extractor reads in it, and what is
right at any moment of it.

A user has lasting facts, facts that change and facts taken back, most told again from time to time, a few told late
(a message that arrives weeks after it was written), and 30 % of the messages are of the moment: something wanted now,
a hotel for some days, a small task, a remark. Users are Chinese, English or both. The same seed gives the same year.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

from benchmarks.customers import chinese_company, english_company
from benchmarks.year_words import (
    ALLERGIES,
    CHAT,
    CITIES,
    DISHES,
    INTENTS,
    KINDS,
    LIKES,
    NAMES,
    REMARKS,
    STAY,
    STAYS,
    TASKS,
    TERMS,
    Kind,
    Pair,
)
from forms_dynamics import Draft, RelationDraft, SlotDraft

START = datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=8)))
DAYS = 365
NOISE, CHANGED, RETRACTED = 0.3, 0.2, 0.1
TOLD, RETOLD = 0.13, 0.27  # shares of the messages that tell a fact first, and again
STAYS_FOR = timedelta(days=7)
_LEADS = 60
# in this order a user's facts are taken; after the end the last ones repeat
_FIRST = "city budget birthday employer liked plan mother_birthday quote allergy name liked terms father_city".split()
_THEN = "budget plan liked quote terms".split()
_OFTEN = (
    "city",
    "employer",
    "budget",
    "liked",
)  # the first of each is retold, and asked, all through the year


@dataclass(frozen=True, slots=True)
class Said:
    """A message. ``time``: when it was said; ``arrives``: when the memory gets it. ``retract``: instead of words, a
    person's act: (type, slot, value of the slot that names the Form or None)."""

    id: str
    user: str
    text: str
    time: datetime
    arrives: datetime
    conversation: str
    drafts: tuple[Draft, ...] = ()
    retract: tuple[str, str, str | None] | None = None


@dataclass(frozen=True, slots=True)
class Gold:
    """What is right at a moment: ``value`` None: nothing is. ``stale``: what must not be told as current."""

    value: str | None
    stale: tuple[str, ...]
    truth: str | None  # what was so in the world by then, told or not
    confirmed: datetime | None


@dataclass(slots=True)
class Fact:
    """One thing that can be asked. ``told``: (event time, arrival, value as a context shows it; None: taken back).
    ``group``: stable, volatile, business, plan, gone (of the moment) or once (a small task, asked much later)."""

    user: str
    group: str
    kind: str
    zh: bool
    question: str
    name: str = ""
    about: str = ""  # of a quote: the company of its lead
    often: bool = False
    told: list[tuple[datetime, datetime, str | None]] = field(default_factory=list)
    truth: list[tuple[datetime, str | None]] = field(default_factory=list)
    renewed: list[datetime] = field(default_factory=list)
    lasts: timedelta | None = None

    def gold(self, at: datetime) -> Gold:
        """By what had arrived at ``at``, the newest event first."""
        known = sorted(((t, v) for t, arrived, v in self.told if arrived <= at), key=lambda told: told[0])
        values = [v for _, v in known if v is not None]
        value = known[-1][1] if known else None
        if value is not None and self.lasts is not None and known[-1][0] + self.lasts <= at:
            value = None
        stale = tuple(dict.fromkeys(v for v in values if v != value))
        said = bisect_right(self.renewed, at)
        true = [v for t, v in self.truth if t <= at]
        return Gold(value, stale, true[-1] if true else None, self.renewed[said - 1] if said else None)

    @property
    def first(self) -> datetime:
        """When the memory first hears of it."""
        return min(arrived for _, arrived, _ in self.told)


@dataclass(slots=True)
class User:
    """All that one user says, in order of arrival, and all that can be asked."""

    id: str
    messages: list[Said]
    facts: list[Fact]


def year(users: int, messages: int, seed: int = 7) -> list[User]:
    """``users`` people with ``messages`` in all (each as many, at least 20)."""
    each = max(20, messages // users)
    return [_Person(number, each, random.Random(f"{seed}-{number}")).user() for number in range(users)]


class _Person:
    def __init__(self, number: int, count: int, rng: random.Random) -> None:
        self.id, self.count, self.rng, self.number = f"u{number:05d}", count, rng, number
        self.home = number % 3  # 0 Chinese, 1 English, 2 both
        self.messages: list[Said] = []
        self._leads: list[tuple[datetime, str]] = []
        order = rng.sample(range(4000), _LEADS)
        self._companies = (
            [chinese_company(n * 53 + number % 53) for n in order],
            [english_company(n * 7 + number % 7) for n in order],
        )
        self._pools: dict[tuple[str, int], list[str]] = {}
        self._given: dict[str, int] = {}

    def user(self) -> User:
        told = max(6, round(self.count * TOLD))
        lasting = [self._fact(kind) for kind in self._kinds(told)]
        noise = self._noise(round(self.count * NOISE))
        said = len(self.messages)
        self._retell(lasting, min(round(self.count * RETOLD), self.count - said))
        while len(self.messages) < self.count:
            self._say(self._moment(), self.rng.choice(CHAT[self._side()]))
        self.messages.sort(key=lambda m: (m.arrives, m.time, m.id))
        return User(self.id, self.messages, [*lasting, *noise])

    def _kinds(self, told: int) -> list[str]:
        kinds = _FIRST[:told]
        while len(kinds) < told:
            kinds.append(_THEN[len(kinds) % len(_THEN)])
        return kinds

    # -- what is said ----------------------------------------------------------------------------------------
    def _side(self) -> int:
        return self.home if self.home < 2 else self.rng.randrange(2)

    def _moment(self, after: float = 0, before: float = DAYS) -> datetime:
        """On a day in [after, before), between eight and eight."""
        day = self.rng.uniform(after, max(after + 0.5, before))
        return START + timedelta(days=int(day), hours=8, minutes=self.rng.randrange(720))

    def _say(
        self,
        time: datetime,
        text: str,
        *drafts: Draft,
        arrives: datetime | None = None,
        retract: tuple[str, str, str | None] | None = None,
    ) -> None:
        id = f"{self.id}-{len(self.messages)}"
        conversation = f"{self.id}-{(time - START).days}"
        self.messages.append(Said(id, self.id, text, time, arrives or time, conversation, drafts, retract))

    # -- facts that last -------------------------------------------------------------------------------------
    def _fact(self, name: str) -> Fact:
        kind, side = KINDS[name], self._side()
        n = self._next(name)
        named = self._name(kind, n, side)
        told = {m.time for m in self.messages}
        fact = Fact(
            self.id, kind.group, name, side == 0, kind.question[side].format(k=named), named,
            often=name in _OFTEN and n == 1,
        )  # fmt: skip
        at = self._moment(0, 20) if fact.often else self._moment(0, 30 if self.rng.random() < 0.5 else 300)
        while at in told:
            at += timedelta(minutes=1)
        said, shown = self._value(kind, side)
        self._tell(kind, side, fact, at, kind.tell, said, shown)
        self._leads += [(at, named)] if name == "budget" else []
        day, fate = (at - START).days, self.rng.random()
        changing = kind.group != "stable"
        if changing and fate < CHANGED * 1.25:  # a fifth of all: lasting kinds do not change
            later = self._moment(day + 15, 355)
            if later > at:
                self._change(kind, side, fact, later, said)
        elif changing and fate < (CHANGED + RETRACTED) * 1.25:
            later = self._moment(day + 10, 355)
            if later > at:
                self._retract(kind, side, fact, later, said)
        elif changing and name != "liked" and fate < (CHANGED + RETRACTED) * 1.25 + 0.05 and day > 3:
            older, seen = self._value(kind, side)  # written before, arrives long after
            early = at - timedelta(days=self.rng.randint(1, 3))
            self._tell(
                kind, side, fact, early, kind.tell, older, seen, arrives=at + timedelta(days=self.rng.randint(10, 40))
            )  # fmt: skip
            fact.truth.sort(key=lambda true: true[0])
        return fact

    def _name(self, kind: Kind, n: int, side: int) -> str:
        """The company, quote or task that the n-th fact of a kind is of; terms are of the companies of budgets."""
        if kind.key == "company":
            return self._companies[(self.number + n) % 2 if self.home == 2 else side][n]
        if kind.key == "quote_no":
            return f"Q-{self.number + 1:05d}{n:03d}"
        return self._task(side) if kind.key == "name" else ""

    def _task(self, side: int) -> str:
        n = self._next("task")
        verbs, things = TASKS[side]
        pick = (self.number * 31 + n * 37) % (len(verbs) * len(things))
        verb, thing = verbs[pick % len(verbs)], things[pick // len(verbs)]
        return f"{verb}{thing}" if side == 0 else f"{verb} the {thing}"

    def _value(self, kind: Kind, side: int) -> tuple[str, str]:
        """A value of its own in the user's year: as said, and as a context shows it."""
        rng = self.rng
        if kind.slot in ("budget", "amount"):
            amount = rng.randrange(101_000, 9_990_000, 7) + 1
            said = f"人民币{amount:,}元" if side == 0 else f"CNY {amount:,}"
            return said, f"{amount:,}"
        if kind.slot in ("birthday", "due"):
            first, years = (1950, 50) if kind.slot == "birthday" else (2027, 3)
            day = f"{first + rng.randrange(years)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
            return day, day
        if kind.slot == "payment_terms":
            said = TERMS[side][rng.randrange(2)].format(a=rng.randint(11, 49), b=rng.randint(11, 99))
            return said, said
        if kind.slot == "employer":
            said = self._companies[side][_LEADS - 1 - self._next("employer")]
            return said, said
        pool = {"city": CITIES, "name": NAMES, "allergies": ALLERGIES, "liked": LIKES}[kind.slot][side]
        key = (kind.slot, side)
        if not self._pools.get(key):
            self._pools[key] = rng.sample(pool, len(pool))
        said = self._pools[key].pop()
        return said, said

    def _next(self, what: str) -> int:
        self._given[what] = self._given.get(what, 0) + 1
        return self._given[what]

    def _tell(
        self,
        kind: Kind,
        side: int,
        fact: Fact,
        at: datetime,
        words: Pair,
        said: str,
        shown: str,
        old: str = "",
        arrives: datetime | None = None,
    ) -> None:
        text = words[side].format(v=said, k=fact.name, o=old)
        slots = self._named(kind, side, fact, text)
        slots[kind.slot] = _slot(said)
        drafts = [Draft(kind.form_type, slots, self._relations(fact, at))]
        if old and kind.many:
            drafts.insert(
                0, Draft(kind.form_type, {kind.slot: SlotDraft(old, 0.95, old, "remove", tier="script")})
            )
        self._say(at, text, *drafts, arrives=arrives)
        fact.told.append((at, arrives or at, shown))
        fact.renewed.append(at)
        fact.renewed.sort()
        fact.truth.append((at, shown))

    def _named(self, kind: Kind, side: int, fact: Fact, text: str) -> dict[str, SlotDraft]:
        out = {slot: _slot(value[side]) for slot, value in kind.given}
        if kind.key is not None and fact.name in text:
            out[kind.key] = _slot(fact.name)
        return out

    def _relations(self, fact: Fact, at: datetime) -> tuple[RelationDraft, ...]:
        """A quote is for the lead taken up last when it is first told."""
        leads = [name for when, name in self._leads if when < at]
        if fact.kind == "quote" and not fact.told and leads:
            fact.about = leads[-1]
        to = {"form_type": "lead_profile", "company": fact.about}
        return (RelationDraft("refers_to", to),) if fact.about else ()

    def _change(self, kind: Kind, side: int, fact: Fact, at: datetime, before: str) -> None:
        """Half with words that say so; half of all have been so for some weeks when they are told."""
        said, shown = self._value(kind, side)
        words = kind.change if kind.many or self.rng.random() < 0.5 else kind.tell
        self._tell(kind, side, fact, at, words, said, shown, old=before if kind.many else "")
        if self.rng.random() < 0.5:
            happened = max(
                fact.truth[0][0] + timedelta(days=5), at - timedelta(days=self.rng.randint(10, 60))
            )
            fact.truth[-1] = (min(happened, at), shown)

    def _retract(self, kind: Kind, side: int, fact: Fact, at: datetime, before: str) -> None:
        """A third by an act of the person, the others by words."""
        text = kind.retract[side].format(k=fact.name, o=before)
        named = self._named(kind, side, fact, text)
        if kind.many:
            drafts = Draft(
                kind.form_type, {kind.slot: SlotDraft(before, 0.95, before, "remove", tier="script")}
            )
            self._say(at, text, drafts)
        elif self.rng.random() < 1 / 3:
            self._say(at, text, retract=(kind.form_type, kind.slot, fact.name or None))
        elif kind.name in ("quote", "plan"):
            self._say(at, text, Draft(kind.form_type, named, invalidate=True))
        else:
            named[kind.slot] = SlotDraft(None, 0.95, text, "clear", tier="script")
            self._say(at, text, Draft(kind.form_type, named))
        fact.told.append((at, at, None))
        fact.truth.append((at, None))

    def _retell(self, facts: Sequence[Fact], count: int) -> None:
        """Most of what is told again is one of the few facts that matter every week."""
        often = [f for f in facts if f.often]
        for _ in range(count):
            fact = self.rng.choice(often if often and self.rng.random() < 0.6 else facts)
            at = self._moment((fact.told[0][0] - START).days + 1, DAYS)
            gold = fact.gold(at)
            ends = [t for t, _, v in fact.told if v is None]
            if (
                gold.value is None
                or (ends and min(ends) <= at)
                or any(t.date() == at.date() for t, _, _ in fact.told)
            ):
                self._say(at, self.rng.choice(CHAT[self._side()]))
                continue
            kind, side = KINDS[fact.kind], 0 if fact.zh else 1
            said = gold.value
            if kind.slot in ("budget", "amount"):
                said = f"人民币{gold.value}元" if side == 0 else f"CNY {gold.value}"
            text = kind.again[side].format(v=said, k=fact.name)
            slots = self._named(kind, side, fact, text)
            slots[kind.slot] = _slot(said)
            self._say(at, text, Draft(kind.form_type, slots))
            fact.renewed.append(at)
            fact.renewed.sort()

    # -- of the moment ---------------------------------------------------------------------------------------
    def _noise(self, count: int) -> list[Fact]:
        side = self._side()
        gone = Fact(
            self.id, "gone", "intent", side == 0, ("我现在的当前意图是什么？", "What is my current intent?")[side],
            lasts=timedelta(hours=2),
        )  # fmt: skip
        stay = Fact(
            self.id, "gone", "stay", side == 0, ("我的临时地址是哪里？", "What is my temporary address?")[side],
            lasts=STAYS_FOR,
        )  # fmt: skip
        once: list[Fact] = []
        for n in range(count):
            side, at, pick = self._side(), self._moment(), n % 10
            if pick < 4:
                wanted = self.rng.choice(INTENTS[side]).format(d=self.rng.choice(DISHES[side]))
                words = (f"{wanted}，现在就要。", f"Please {wanted}, right now.")[side]
                self._say(at, words, Draft("passing_intent", {"intent": _slot(wanted)}))
                gone.told.append((at, at, wanted))
            elif pick == 4 and n % 20 == 4:
                place = STAY[1 + side].format(self.rng.choice(STAYS[side]), self.rng.randrange(101, 999))
                self._say(
                    at, STAY[0][side].format(v=place), Draft("temporary_address", {"address": _slot(place)})
                )
                stay.told.append((at, at, place))
            elif pick < 7:
                kind = KINDS["plan"]
                fact = Fact(self.id, "once", "plan", side == 0, "", self._task(side))
                fact.question = kind.question[side].format(k=fact.name)
                said, shown = self._value(kind, side)
                self._tell(kind, side, fact, at, kind.tell, said, shown)
                once.append(fact)
            else:
                self._say(at, self.rng.choice(REMARKS[side]))
        return [f for f in (gone, stay) if f.told] + once


def _slot(value: str) -> SlotDraft:
    return SlotDraft(value, 0.95, value, tier="script")


__all__ = ["DAYS", "START", "Fact", "Gold", "Said", "User", "year"]
