"""How a memory is doing: how much is here, how complete, fresh and at one with itself, what waits, what it cost.

Reads a page of Forms at a time and keeps counts alone, so that any number of them fits; takes no lock. What the
figures mean is told by :class:`~forms_dynamics.model.report.Health`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from forms_dynamics.assertions import Assertion, ran_out, winner
from forms_dynamics.fading import FADED, MANY, fade_of, faded_to, fading_slots, last_confirmed
from forms_dynamics.model.record import FormRecord, Scope
from forms_dynamics.model.report import Growth, Health, Spent, UserHealth
from forms_dynamics.model.value import DAY
from forms_dynamics.ports import Store
from forms_dynamics.projection import State, confirmations, is_cold, state_of
from forms_dynamics.reader import Reader
from forms_dynamics.schema.spec import EXPECTED_FORM, Catalog, FormType, SlotSpec
from forms_dynamics.settings import Settings

YEAR = 365 * DAY
WINDOWS = (7, 30, 90)  # days
WORST = 10


@dataclass(slots=True)
class _Tally:
    """What was counted, of one space or of several."""

    count: Counter[str] = field(default_factory=Counter)  # figures that add up, by the names that Health has
    waiting: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    ages: Counter[int] = field(default_factory=Counter)  # whole days since a fact was confirmed → facts
    new: Counter[tuple[int, str]] = field(default_factory=Counter)  # (days, forms | facts | messages)
    covered: set[str] = field(default_factory=set)
    missing: Counter[str] = field(default_factory=Counter)
    today: Spent = field(default_factory=Spent)
    ever: Spent = field(default_factory=Spent)

    def add(self, other: _Tally) -> None:
        """Takes another's counts; ``covered`` is of one space alone."""
        for mine, its in (
            (self.count, other.count), (self.waiting, other.waiting), (self.asked, other.asked),
            (self.ages, other.ages), (self.new, other.new),
        ):  # fmt: skip
            mine.update(its)  # type: ignore[arg-type]
        self.today += other.today
        self.ever += other.ever

    @property
    def stale(self) -> int:
        return self.count["faded"] + self.count["expired_facts"]

    @property
    def freshness(self) -> float | None:
        return _share(self.count["facts"] - self.stale, self.count["facts"])


class _Survey:
    """Counts spaces at one moment."""

    def __init__(self, store: Store, reader: Reader, catalog: Catalog, settings: Settings, now: int) -> None:
        self._store = store
        self._reader = reader
        self._catalog = catalog
        self._now = now
        self._since = settings.asked_since(now)
        self.kinds = {
            kind(form_type.name, slot): None for form_type in catalog for slot in form_type.expected
        }

    def space(self, scope: Scope) -> _Tally:
        """All that one owner has."""
        store, tally = self._store, _Tally()
        tally.count.update(store.count(scope))
        tally.waiting.update(dict(store.waits(scope)))
        tally.today += Spent(*store.spent(scope, self._now // DAY)[1:])
        tally.ever += Spent(*store.spent(scope)[1:])
        for record in store.scan(scope, "forms"):
            self._form(record, tally)
        said = store.said_since(scope, [self._now - days * DAY for days in WINDOWS])
        tally.new.update({(days, "messages"): n for days, n in zip(WINDOWS, said, strict=True)})
        if tally.count["pendings"]:
            open_items = (p for p in store.scan(scope, "pendings") if p.state == "open")
            tally.asked.update(p.reason for p in open_items if p.asked >= self._since)
        return tally

    def _form(self, record: FormRecord, tally: _Tally) -> None:
        count = tally.count
        count[record.status] += 1
        for days in WINDOWS:
            tally.new[days, "forms"] += record.created > self._now - days * DAY
        if record.status != "active":
            return
        form_type = self._catalog.types.get(record.type)
        state = state_of(record, form_type)
        at = max(self._now, record.updated)  # an event time ahead of the clock counts as just now
        expired = self._reader.expired(form_type, state, record, at)
        count["expired_forms"] += expired
        cold = is_cold(self._catalog.life(record.type), record, at)
        count["cold"] += cold
        # what one question may be about: see versioning.faded
        asked = frozenset() if expired or cold or form_type is None else fading_slots(form_type)
        count["junk"] += not record.recalled
        if form_type is not None and form_type.expected:
            self._cover(form_type, state, at, tally)
        told = confirmations(record, form_type)
        for slot, timeline in state["s"].items():
            spec = form_type.slots.get(slot) if form_type else None
            held = winner(spec, timeline, at)
            if held is not None:
                count["facts"] += 1
                faded = self._fact(form_type, spec, held, told.get(slot), at, expired, tally)
                count["old"] += faded and slot in asked
            elif ran_out(spec, timeline, at) is not None:
                count["facts"] += 1
                count["expired_facts"] += 1
                count["old"] += slot in asked

    def _fact(
        self,
        form_type: FormType | None,
        spec: SlotSpec | None,
        held: Assertion,
        confirmed: int | None,
        at: int,
        expired: bool,
        tally: _Tally,
    ) -> bool:
        """Counts a fact that holds; whether it has faded."""
        count, last = tally.count, last_confirmed(held, confirmed)
        tally.ages[max(0, at - last) // DAY] += 1
        for days in WINDOWS:
            tally.new[days, "facts"] += held["t"] > self._now - days * DAY
        if expired:
            count["expired_facts"] += 1
            return False
        count["held"] += 1
        until = held.get("u")
        count["ends"] += until is not None and until <= at + YEAR
        fade = fade_of(form_type, spec)
        faded = fade is not None and faded_to(held["c"], fade, last, at) < FADED
        count["faded"] += faded
        return faded

    def _cover(self, form_type: FormType, state: State, at: int, tally: _Tally) -> None:
        for slot in form_type.expected:
            name = kind(form_type.name, slot)
            if name in tally.covered:
                continue
            holds = slot == EXPECTED_FORM or bool(state["av"].get(slot))
            if holds or winner(form_type.slots[slot], state["s"].get(slot, ()), at) is not None:
                tally.covered.add(name)


def kind(form_type: str, slot: str) -> str:
    """An expected kind by its name: ``type`` for a Form at all, else ``type.slot``."""
    return form_type if slot == EXPECTED_FORM else f"{form_type}.{slot}"


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _percentile(ages: Mapping[int, int], share: float) -> int | None:
    """The least age that ``share`` of the facts do not exceed (nearest rank)."""
    left = share * sum(ages.values())
    for age in sorted(ages):
        left -= ages[age]
        if left <= 1e-9:
            return age
    return None


def waiting(store: Store, scopes: Iterable[Scope]) -> Mapping[str, int]:
    """Why messages wait in the queue: reason → messages, the most first."""
    found: Counter[str] = Counter()
    for scope in scopes:
        found.update(dict(store.waits(scope)))
    return dict(found.most_common())


def health(
    store: Store, reader: Reader, catalog: Catalog, settings: Settings, scopes: Iterable[Scope], now: int
) -> Health:
    """The figures of all ``scopes`` together."""
    survey = _Survey(store, reader, catalog, settings, now)
    whole, users, covered, overdue = _Tally(), 0, 0, 0
    worst: list[tuple[float, float, UserHealth]] = []
    for owner, tally in _units(survey, scopes, whole):
        users += 1
        covered += len(tally.covered)
        lacks = [name for name in survey.kinds if name not in tally.covered]
        whole.missing.update(lacks)
        overdue += tally.count["old"] > MANY
        complete = _share(len(tally.covered), len(survey.kinds))
        fresh = tally.freshness
        if owner and min(_or_one(complete), _or_one(fresh)) < 1:
            told = UserHealth(owner, complete, tuple(lacks), fresh, tally.count["facts"], tally.stale)
            worst.append((_or_one(complete), _or_one(fresh), told))
            worst.sort(key=lambda item: (*item[:2], item[2].user))
            del worst[WORST:]
    return _told(whole, survey, users, covered, overdue, [item[2] for item in worst])


def _units(survey: _Survey, scopes: Iterable[Scope], whole: _Tally) -> Iterator[tuple[str, _Tally]]:
    """The users of whom anything is here, each counted, and added to ``whole`` with all the rest; the shared space
    where nobody else is there."""
    shared: _Tally | None = None
    alone = True
    for scope in scopes:
        tally = survey.space(scope)
        whole.add(tally)
        if not (tally.count["forms"] or tally.count["messages"]):
            continue
        if scope.owner:
            alone = False
            yield scope.owner, tally
        else:
            shared = tally
    if shared is not None and alone:
        yield "", shared


def _or_one(share: float | None) -> float:
    return 1.0 if share is None else share


def _told(
    whole: _Tally, survey: _Survey, users: int, covered: int, overdue: int, worst: list[UserHealth]
) -> Health:
    count, expected = whole.count, len(survey.kinds)
    known = bool(expected and users)
    conflicts = whole.asked["conflict"]
    return Health(
        forms=count["forms"], versions=count["versions"], edges=count["edges"], pending=count["pendings"],
        messages=count["messages"], queued=count["queued"], waiting=dict(whole.waiting.most_common()),
        spent_today=whole.today, spent=whole.ever, users=users, expected=expected,
        covered=covered / users if known else None,
        completeness=covered / (users * expected) if known else None,
        missing=dict(whole.missing.most_common()),
        facts=count["facts"], faded=count["faded"], expired_facts=count["expired_facts"],
        freshness=whole.freshness, ends_within_year=_share(count["ends"], count["held"]),
        conflicts=conflicts, conflict_rate=_share(conflicts, count["facts"]),
        asked=dict(whole.asked.most_common()),
        active=count["active"], invalid=count["invalid"], expired=count["expired_forms"], cold=count["cold"],
        junk=count["junk"], junk_rate=_share(count["junk"], count["active"]),
        confirmed_days_median=_percentile(whole.ages, 0.5), confirmed_days_p90=_percentile(whole.ages, 0.9),
        growth={
            days: Growth(*(whole.new[days, name] for name in ("forms", "facts", "messages")))
            for days in WINDOWS
        },
        overdue=overdue, worst=tuple(worst) if users > 1 else (),
    )  # fmt: skip


__all__ = ["health", "kind", "waiting"]
