"""A retelling counts as a sign of life: for the end that a type gives its values, and for a Form's time to live."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

START = datetime.fromisoformat("2026-01-01T09:00:00+08:00")
TYPES = """
form_type: habit
identity: [$speaker]
life: {valid_days: 365, cold_after_days: null}
slots:
  drink: {type: text}
  liked: {type: text, many: true}
---
form_type: taste
identity: [$speaker]
life: {valid_days: 365, fade_per_day: 0.99, cold_after_days: null}
slots:
  drink: {type: text}
---
form_type: stay
identity: [$speaker]
life: {valid_days: 7, cold_after_days: null}
slots:
  hotel: {type: text}
---
form_type: wish
identity: [$speaker]
life: {ttl_seconds: 7200, cold_after_days: null}
slots:
  wish: {type: text}
"""


class Talk:
    """What one speaker says; times in days after the start."""

    def __init__(self, folder: Path) -> None:
        types = folder / "types.yaml"
        types.write_text(TYPES, encoding="utf-8")
        self.clock = FixedClock(START)
        self.memory = Memory.open(":memory:", form_types=[types], clock=self.clock)

    def say(self, day: float, form_type: str, **slots: Any) -> None:
        moment = START + timedelta(days=day)
        if moment > self.clock.now():
            self.at(day)
        given = {slot: {"value": value, **extra} for slot, (value, extra) in slots.items()}
        receipt = self.memory.record(form_type, given, source="user", time=moment, speaker="王总")
        assert receipt.state == "stored", receipt

    def at(self, day: float) -> None:
        self.clock.advance(seconds=(START + timedelta(days=day) - self.clock.now()).total_seconds())

    def now(self, form_type: str) -> Any:
        return self.memory.find(form_type)[0]


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    made = Talk(tmp_path)
    yield made
    made.memory.close()


@pytest.mark.parametrize("word", ["乌龙茶", "oat milk"])
def test_a_preference_told_again_holds_a_year_from_then(talk: Talk, word: str) -> None:
    talk.say(0, "habit", drink=(word, {}))
    talk.say(300, "habit", drink=(word, {}))
    talk.at(400)
    form = talk.now("habit")
    assert form["drink"] == word
    assert form.slots["drink"].valid_until == START + timedelta(days=665)
    assert form.slots["drink"].valid_from == START
    talk.at(666)
    assert talk.now("habit")["drink"] is None


def test_a_list_is_renewed_whole(talk: Talk) -> None:
    talk.say(0, "habit", liked=("靠窗座位", {}))
    talk.say(10, "habit", liked=("oat milk", {"op": "add"}))
    talk.say(300, "habit", liked=("oat milk", {"op": "add"}))
    talk.at(500)
    assert talk.now("habit")["liked"] == ("靠窗座位", "oat milk")


def test_what_still_holds_has_its_end_counted_anew(talk: Talk) -> None:
    talk.say(0, "taste", drink=("oat milk", {}))
    talk.at(300)
    (asked,) = talk.memory.pending()
    act = talk.memory.confirm(asked.id).act
    assert talk.now("taste").slots["drink"].valid_until == START + timedelta(days=665)
    assert talk.now("taste").slots["drink"].confidence == 1
    assert not talk.memory.pending()
    assert act is not None
    talk.memory.undo(act)
    assert talk.now("taste").slots["drink"].valid_until == START + timedelta(days=365)
    assert talk.memory.pending()[0].asked_at == asked.asked_at
    talk.memory.mark(talk.now("taste").id, "drink", right=True)
    assert talk.now("taste").slots["drink"].valid_until == START + timedelta(days=665)


def test_a_word_repeated_within_a_day_makes_no_version(talk: Talk) -> None:
    talk.say(0, "habit", drink=("茶", {}))
    talk.say(0.5, "habit", drink=("茶", {}))
    assert talk.now("habit").version == 1


def test_another_end_for_the_same_value_is_a_change(talk: Talk) -> None:
    def until(day: int) -> dict[str, Any]:
        return {"valid_until": (START + timedelta(days=day)).isoformat()}

    talk.say(0, "stay", hotel=("听涛酒店", until(3)))
    talk.say(1, "stay", hotel=("听涛酒店", until(12)))
    talk.say(2, "stay", hotel=("听涛酒店", {}))  # names no end: the one that was named stays
    talk.at(11)
    assert talk.now("stay")["hotel"] == "听涛酒店"
    talk.at(13)
    assert talk.now("stay")["hotel"] is None


def test_a_late_message_takes_no_end_back(talk: Talk) -> None:
    talk.say(0, "stay", hotel=("Hotel Adria", {}))
    talk.say(5, "stay", hotel=("Hotel Adria", {}))
    talk.say(2, "stay", hotel=("Hotel Adria", {}))  # arrives after day 5
    talk.at(11)
    assert talk.now("stay")["hotel"] == "Hotel Adria"


def test_an_end_that_somebody_set_in_bulk_stays(talk: Talk) -> None:
    talk.say(0, "habit", drink=("茶", {}))
    talk.memory.set_validity(form_type="habit", days=30)
    talk.say(20, "habit", drink=("茶", {}))
    talk.at(31)
    assert talk.now("habit")["drink"] is None


def test_a_wish_told_again_lives_on(talk: Talk) -> None:
    talk.say(0, "wish", wish=("book a ride", {}))
    talk.say(1.5 / 24, "wish", wish=("book a ride", {}))
    talk.at(3 / 24)
    assert not talk.now("wish").expired
    talk.at(4 / 24)
    assert talk.now("wish").expired


def test_what_was_known_before_keeps_its_end(talk: Talk) -> None:
    talk.say(0, "habit", drink=("茶", {}))
    talk.say(300, "habit", drink=("茶", {}))
    assert talk.memory.verify().ok
    form = talk.now("habit")
    earlier = talk.memory.get(form.id, as_of=START + timedelta(days=10), known_at=START + timedelta(days=10))
    assert earlier.slots["drink"].valid_until == START + timedelta(days=365)


@pytest.mark.parametrize(
    ("address", "last"),
    [
        ("临时地址：浦东机场旁的酒店", "临时地址截止日期：2026年1月20日"),
        ("Temporary address: Hotel Adria room 12", "Temporary address valid until: 2026-01-20"),
    ],
)
@pytest.mark.parametrize("together", [True, False])
def test_a_named_last_day_takes_the_place_of_the_usual_end(address: str, last: str, together: bool) -> None:
    clock = FixedClock(START)
    with Memory.open(":memory:", clock=clock, embedder=None) as memory:
        memory.observe("。".join([address, last]) if together else address, time=START)
        if not together:
            clock.advance(days=1)
            memory.observe(last, time=clock.now())
        [form] = memory.find("temporary_address")
        clock.advance(days=(START + timedelta(days=18) - clock.now()).days)
        held = memory.get(form.id)
        assert held["address"]
        assert held["valid_until"]
        assert held.slots["address"].valid_until == datetime.fromisoformat("2026-01-21T00:00:00+08:00")
        clock.advance(days=2)
        assert memory.get(form.id)["address"] is None
        # a stay that is told later is not of that end
        memory.observe(address, time=clock.now())
        clock.advance(days=6)
        assert memory.get(form.id)["address"]
        assert not memory.get(form.id).expired
        clock.advance(days=2)
        assert memory.get(form.id)["address"] is None
