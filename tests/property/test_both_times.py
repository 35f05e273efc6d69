"""Two times, against a model of them in a page: what was true at a moment, by what had been said by another."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forms_dynamics import Conflict, InvalidInput, Memory, NotFound
from forms_dynamics.testing import FixedClock

TYPES = """\
form_type: thing
identity: [name]
life: {cold_after_days: null}
slots:
  name: {type: text}
  a: {type: text}
  b: {type: text}
"""
START = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)
RANK = {"user": 2, "import": 1}


@dataclass(frozen=True)
class Said:
    """One statement: ``value`` None takes the slot's value away from ``begins`` on."""

    order: tuple[int, ...]
    arrived: datetime
    time: datetime
    slot: str
    value: str | None
    begins: datetime
    ends: datetime | None = None
    rank: int = 2
    explicit: bool = False
    retracts: bool = False  # all that was said of the slot so far
    status: str | None = None
    always: bool = False  # the status holds for all times
    act: str | None = None


@dataclass
class Thing:
    """All that was ever said of a Form, and which acts were taken back when."""

    said: list[Said] = field(default_factory=list)
    undone: dict[str, datetime] = field(default_factory=dict)

    def known(self, known_at: datetime) -> list[Said]:
        return [
            s
            for s in self.said
            if s.arrived <= known_at and not (s.act in self.undone and self.undone[s.act] <= known_at)
        ]

    def standing(self, known_at: datetime) -> list[Said]:
        """What counts: not what a later statement took back."""
        known = self.known(known_at)
        cut = {s.slot: s.order for s in sorted(known, key=lambda s: s.order) if s.retracts}
        return [s for s in known if s.status is None and not s.retracts and s.order >= cut.get(s.slot, ())]

    def there(self, as_of: datetime, known_at: datetime) -> bool:
        return any(min(s.begins, s.time) <= as_of for s in self.known(known_at))

    def value(self, slot: str, as_of: datetime, known_at: datetime) -> str | None:
        held = self.held(slot, as_of, known_at)
        return None if held is None else held.value

    def held(self, slot: str, as_of: datetime, known_at: datetime) -> Said | None:
        held: Said | None = None
        line = sorted(
            (s for s in self.standing(known_at) if s.slot == slot), key=lambda s: (s.begins, s.order)
        )
        for said in line:
            if said.begins > as_of:
                break
            over = held is None or (held.ends is not None and held.ends <= said.begins)
            if over or said.explicit or (held is not None and said.rank >= held.rank):
                held = said
        return None if held is None or (held.ends is not None and held.ends <= as_of) else held

    def status(self, as_of: datetime, known_at: datetime) -> str:
        line = [s for s in self.known(known_at) if s.status is not None and (s.always or s.time <= as_of)]
        return max(line, key=lambda s: (s.time, s.order)).status or "" if line else "active"


class World:
    """A memory and its model, told the same."""

    def __init__(self, memory: Memory, clock: FixedClock) -> None:
        self.memory, self.clock = memory, clock
        self.things: dict[str, Thing] = {}
        self.acts: list[str] = []
        self.order = 0
        self.days = 0

    @property
    def now(self) -> datetime:
        return self.clock.now()

    def next(self) -> int:
        self.order += 1
        return self.order

    def tell(
        self, name: str, slot: str, value: str | None, ago: int, start: int, length: int, source: str
    ) -> None:
        time = self.now - ago * DAY
        given: dict[str, Any] = {"value": value} if value is not None else {"value": None, "op": "clear"}
        begins = time + (start - 3) * DAY if start else time
        ends = begins + length * DAY if length and value is not None else None
        if start:
            given["valid_from"] = begins
        if ends is not None:
            given["valid_until"] = ends
        receipt = self.memory.record("thing", {"name": name, slot: given}, source=source, time=time)  # type: ignore[arg-type]
        for form in receipt.forms:
            thing = self.things.setdefault(form, Thing())
            if not any(v.startswith(form + "@") for v in receipt.versions):
                continue  # nothing new was said
            held = thing.held(slot, begins, self.now)
            thing.said.append(Said((self.next(),), self.now, time, "name", name, time))
            said = Said((self.next(),), self.now, time, slot, value, begins, ends, RANK[source])
            if held is None or value != held.value:
                if held is not None or value is not None:
                    thing.said.append(said)
            elif ends is not None and time >= held.time and said.rank >= held.rank:
                thing.said.append(
                    replace(said, begins=held.begins, rank=held.rank)
                )  # told again, with an end

    def pick(self, number: int) -> str | None:
        ids = sorted(self.things)
        return ids[number % len(ids)] if ids else None

    def act(self, kind: str, one: int, two: int, slot: str, value: str) -> None:
        form, other = self.pick(one), self.pick(two)
        if form is None or other is None:
            return
        thing, now, order = self.things[form], self.now, (self.next(),)
        try:
            if kind == "correct":
                receipt = self.memory.correct(form, slot, value)
                new = [Said(order, now, now, slot, value, now, explicit=True)]
            elif kind == "retract":
                receipt = self.memory.retract(form, slot)
                new = [Said(order, now, now, slot, None, now, retracts=True)]
            elif kind == "invalidate":
                receipt = self.memory.invalidate(form)
                new = [Said(order, now, now, "", None, now, status="invalid")]
            elif kind == "merge":
                receipt = self.memory.merge(form, other)
                moved = [s for s in self.things[other].standing(now) if s.slot != "name"]
                new = [
                    replace(s, order=(*order, *s.order), arrived=now, time=now)
                    for s in sorted(moved, key=lambda s: s.order)
                ]
                gone = Said(order, now, now, "", None, now, status="invalid", always=True, act=receipt.act)
                self.things[other].said.append(gone)
            else:
                self.undo(one)
                return
        except (InvalidInput, Conflict):
            return
        self.acts.append(receipt.act or "")
        if receipt.versions:
            thing.said += [replace(s, act=receipt.act) for s in new]

    def undo(self, number: int) -> None:
        if not self.acts:
            return
        act = self.acts[number % len(self.acts)]
        try:
            self.memory.undo(act)
        except Conflict:
            return
        for thing in self.things.values():
            if any(s.act == act for s in thing.said):
                thing.undone[act] = self.now

    # -- what must be the same -------------------------------------------------------------------------------
    def check(self) -> None:
        moments = [START + d * DAY for d in range(-12, self.days + 3, 2)]
        knowns = [START + d * DAY + timedelta(hours=1) for d in range(0, self.days + 1, 3)]
        for known in [*knowns, self.now]:
            for moment in moments:
                self.check_at(moment, known)
        for form, thing in self.things.items():
            now = self.memory.get(form)
            for slot in ("a", "b"):
                assert now[slot] == thing.value(slot, self.now, self.now), (form, slot, "now")
            assert now.status == thing.status(self.now, self.now)
            for known in knowns:
                self.check_history(form, thing, known)

    def check_at(self, moment: datetime, known: datetime) -> None:
        there = set()
        for form, thing in self.things.items():
            where = (form, moment.date(), known.date())
            if not thing.there(moment, known):
                with pytest.raises(NotFound):
                    self.memory.get(form, as_of=moment, known_at=known)
                continue
            found = self.memory.get(form, as_of=moment, known_at=known)
            assert found.status == thing.status(moment, known), where
            for slot in ("a", "b"):
                assert found[slot] == thing.value(slot, moment, known), (*where, slot)
            if found.status == "active" and found["a"] == "x":
                there.add(form)
        listed = self.memory.find("thing", a="x", as_of=moment, known_at=known)
        assert {f.id for f in listed} == there

    def check_history(self, form: str, thing: Thing, known: datetime) -> None:
        """Every value that is told as of some moment stands in the history, too, known as of the same day."""
        told = {(s.value) for s in self.memory.history(form, slot="a", known_at=known)}
        held = {thing.value("a", START + d * DAY, known) for d in range(-12, self.days + 1)} - {None}
        assert held <= told
        for version in self.memory.history(form, known_at=known):
            assert version.arrived <= known  # type: ignore[union-attr]


TELL = st.tuples(
    st.just("tell"), st.sampled_from(["N1", "N2", "N3"]), st.sampled_from(["a", "b"]),
    st.sampled_from(["x", "y", "z", None]), st.integers(0, 8), st.integers(0, 5), st.integers(0, 4),
    st.sampled_from(["user", "user", "import"]),
)  # fmt: skip
ACT = st.tuples(
    st.sampled_from(["correct", "retract", "invalidate", "merge", "undo", "undo"]), st.integers(0, 5),
    st.integers(0, 5), st.sampled_from(["a", "b"]), st.sampled_from(["x", "y"]),
)  # fmt: skip


@pytest.fixture(scope="module")
def types(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("types") / "types.yaml"
    path.write_text(TYPES, encoding="utf-8")
    return path


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(TELL | TELL | ACT, min_size=3, max_size=14))
def test_both_times_agree_with_a_model(types: Path, steps: list[tuple[Any, ...]]) -> None:
    clock = FixedClock(START)
    with Memory.open(":memory:", form_types=[types], relation_rules=[], clock=clock) as memory:
        world = World(memory, clock)
        for step in steps:
            if step[0] == "tell":
                world.tell(*step[1:])
            else:
                world.act(*step)
            clock.advance(days=1)
            world.days += 1
        world.check()
        assert memory.verify().ok
