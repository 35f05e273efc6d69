"""What the explaining and checking calls return."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any

from forms_dynamics.model.form import DynamicEdge, Pending, Slot
from forms_dynamics.model.value import Evidence

_MOST_FINDINGS = 1_000  # told of one run


@dataclass(frozen=True, slots=True)
class Why:
    """Why a slot holds what it holds: the words, who said them when, what they replaced, what still waits."""

    form_id: str
    slot: str
    value: Any
    status: str  # known | pending | unknown
    confidence: float
    source: str | None
    cause: str | None
    version: int | None
    evidence: Evidence | None
    speaker: str | None
    said_at: datetime | None
    earlier: Sequence[Slot] = ()
    pending: Sequence[Pending] = ()
    edges: Sequence[DynamicEdge] = ()
    agreed: Evidence | None = None  # the assistant's words that ``evidence`` agrees to

    def __str__(self) -> str:
        if self.status == "unknown":
            lines = [f"{self.slot} is not known"]
        else:
            lines = [f"{self.slot} = {self.value} ({self.status}, confidence {self.confidence:.2f})"]
        if self.evidence is not None and self.said_at is not None:
            who = f"{self.speaker}: " if self.speaker else ""
            words = self.evidence.text
            lines.append(f"  because {who}“{words}” on {self.said_at.date()} [{self.evidence.message_id}]")
        if self.agreed is not None:
            lines.append(f"  agreeing to “{self.agreed.text}” [{self.agreed.message_id}]")
        if self.cause is not None:
            lines.append(f"  made by {self.cause} ({self.source}), version {self.version}")
        lines.extend(f"  before: {old.value} until {_day(old.valid_until)}" for old in self.earlier)
        lines.extend(f"  waiting: {item.value} ({item.reason}): {item.question}" for item in self.pending)
        return "\n".join(lines)


def _day(moment: datetime | None) -> str:
    return "now" if moment is None else str(moment.date())


@dataclass(frozen=True, slots=True)
class Verification:
    """What ``verify`` found: counts, and the problems, none when ``ok``. ``erased`` counts tombstones."""

    ok: bool
    forms: int
    versions: int
    erased: int
    problems: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Erased:
    """What ``erase`` removed, by kind; ``withheld``: messages that stay and are not quoted any more."""

    forms: int
    versions: int
    messages: int
    withheld: int = 0


@dataclass(frozen=True, slots=True)
class Loaded:
    """What ``load`` added, by kind. ``forms`` are those with content, ``erased`` tombstones; ``known``: rows
    that were here already; ``loose``: edges and mentions whose other end is not here, left out;
    ``unknown_types``: type → Forms kept of a type that is not loaded, which no name finds before it is."""

    users: Sequence[str | None]
    messages: int
    forms: int
    versions: int
    edges: int
    pending: int
    acts: int
    erased: int
    known: int
    loose: int
    unknown_types: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Act:
    """An act of a person; ``id`` is what ``undo`` takes."""

    id: str
    kind: str
    form_id: str | None
    time: datetime


@dataclass(frozen=True, slots=True)
class Spent:
    """What models cost: calls, and tokens sent and received."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def tokens(self) -> int:
        """Sent and received."""
        return self.tokens_in + self.tokens_out

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
        )


@dataclass(frozen=True, slots=True)
class Growth:
    """What was said in the last days and is still here: Forms begun, values told, messages."""

    forms: int = 0
    facts: int = 0
    messages: int = 0


@dataclass(frozen=True, slots=True)
class UserHealth:
    """How the memory of one user is doing; the figures mean what they mean in :class:`Health`."""

    user: str
    completeness: float | None
    missing: Sequence[str]
    freshness: float | None
    facts: int
    stale: int


@dataclass(frozen=True, slots=True)
class Health:
    """How a memory is doing, by its clock. Shares are in [0, 1]; a figure that cannot be said (a share of
    nothing, a completeness where nothing is expected) is None.

    First the counts of a scope, how many messages still wait and why, and what models cost: today (UTC, by the
    memory's clock, which ``settings.cost_cap`` bounds for each user) and in all. ``waiting``: reason → messages.

    A *user* is an owner of whom anything is here; a memory without users counts as one. A *fact* is what an active
    Form holds of a slot (all values of a many-valued slot are one fact), or held until its own ``valid_until`` with
    nothing told since.

    ``completeness``: the share of the ``expected`` kinds (``expected`` in YAML) that are covered, the mean of all
    users; ``covered``: how many kinds those are. A kind is covered when an active Form of the user holds the slot,
    or values to be avoided (for a type: when there is one). ``missing``: kind → users without it, the most first.
    ``freshness``: the share of facts that are neither ``faded`` (confidence today below 0.5, where it fades at all)
    nor ``expired_facts`` (past their ``valid_until``, or in an expired Form). ``ends_within_year``: the share
    of facts that hold now and say that they end within 365 days.
    ``conflicts``: questions that wait because two sources disagree; ``conflict_rate``: for each fact.
    ``asked``: reason → questions that wait for a person.
    ``active``, ``invalid``: Forms by status; ``expired`` and ``cold``: of the active ones. ``junk``: active Forms
    that no recall has shown; ``junk_rate``: their share of the active ones.
    ``confirmed_days_median``, ``confirmed_days_p90``: since when, in whole days, facts have not been said or
    confirmed (half and nine tenths of them: no longer ago than this). ``growth``: days → what those days
    brought.
    ``overdue``: users whom ``pending`` asks one question for more than 100 old facts: of slots that fade, in Forms
    that are neither expired nor cold, faded or past their end. ``worst``: up to ten users who lack most:
    the least complete first, then the least fresh.
    """

    forms: int
    versions: int
    edges: int
    pending: int
    messages: int
    queued: int
    waiting: Mapping[str, int] = field(default_factory=dict)
    spent_today: Spent = Spent()
    spent: Spent = Spent()
    users: int = 0
    expected: int = 0
    covered: float | None = None
    completeness: float | None = None
    missing: Mapping[str, int] = field(default_factory=dict)
    facts: int = 0
    faded: int = 0
    expired_facts: int = 0
    freshness: float | None = None
    ends_within_year: float | None = None
    conflicts: int = 0
    conflict_rate: float | None = None
    asked: Mapping[str, int] = field(default_factory=dict)
    active: int = 0
    invalid: int = 0
    expired: int = 0
    cold: int = 0
    junk: int = 0
    junk_rate: float | None = None
    confirmed_days_median: int | None = None
    confirmed_days_p90: int | None = None
    growth: Mapping[int, Growth] = field(default_factory=dict)
    overdue: int = 0
    worst: Sequence[UserHealth] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A contradiction that the self-check saw. ``kind``: several (facts where one may stand), double (records of one
    speaker), same_identity, cycle, missing (a required relation), tied (to a Form that is no longer valid) or
    unfounded (a rule's edge whose condition no longer holds). ``text`` is the question that a person is asked,
    ``pending`` the item that asks it (None: a candidate link among ``candidates()``)."""

    kind: str
    forms: Sequence[str]
    edges: Sequence[str]
    text: str
    pending: str | None = None
    user: str | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """A step of upkeep that could not be done for a user (None: for the shared space, or the whole store)."""

    step: str
    reason: str
    user: str | None = None


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What a run of upkeep did (``dry_run``: would do), in numbers of things.

    ``archived``: Forms and messages taken out of the indexes that default recalls search. ``accesses``: noted since
    the last run. ``found``: contradictions newly put up for review, the first thousand of them in ``findings``;
    ``gone``: those put up before that are no more; ``dropped``: derived rows that led to nothing. ``left``: time ran
    out before the end. ``failed``: what could not be done, while all else was.
    """

    vectors: int = 0
    replies: int = 0
    expired_questions: int = 0
    accesses: int = 0
    archived: int = 0
    found: int = 0
    gone: int = 0
    dropped: int = 0
    findings: Sequence[Finding] = ()
    failed: Sequence[Failure] = ()
    dry_run: bool = False
    left: bool = False

    def __add__(self, other: Upkeep) -> Upkeep:
        counts = {
            f.name: getattr(self, f.name) + getattr(other, f.name)
            for f in fields(self)
            if isinstance(f.default, int) and not isinstance(f.default, bool)
        }
        return Upkeep(
            **counts,
            findings=(*self.findings, *other.findings)[:_MOST_FINDINGS],
            failed=(*self.failed, *other.failed),
            dry_run=self.dry_run or other.dry_run,
            left=self.left or other.left,
        )


@dataclass(frozen=True, slots=True)
class Change:
    """One slot that two versions of a Form differ in; None where it held nothing."""

    slot: str
    before: Slot | None
    after: Slot | None

    @property
    def came(self) -> Sequence[Any]:
        """Values that only the newer version holds."""
        return _without(_values(self.after), _values(self.before))

    @property
    def went(self) -> Sequence[Any]:
        """Values that only the older version holds."""
        return _without(_values(self.before), _values(self.after))

    @property
    def avoided_came(self) -> Sequence[Any]:
        """Values that only the newer version avoids."""
        return _without(_avoided(self.after), _avoided(self.before))

    @property
    def avoided_went(self) -> Sequence[Any]:
        """Values that only the older version avoids."""
        return _without(_avoided(self.before), _avoided(self.after))


def _values(slot: Slot | None) -> Sequence[Any]:
    if slot is None or slot.value is None:
        return ()
    return slot.value if isinstance(slot.value, tuple) else (slot.value,)


def _avoided(slot: Slot | None) -> Sequence[Any]:
    return () if slot is None else tuple(sorted(slot.avoided, key=str))


def _without(these: Sequence[Any], those: Sequence[Any]) -> Sequence[Any]:
    return tuple(value for value in these if value not in those)
