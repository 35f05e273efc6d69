"""Which lines of a context end with the day on which they were said, and with who said it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock, ScriptedExtractor

TRIP = """
form_type: trip
version: 1
aliases: [旅行, trip]
identity: [city]
life: {cold_after_days: null}
slots:
  city: {type: text, aliases: [城市, city]}
  hotel: {type: text, aliases: [酒店, hotel]}
  mood: {type: text, aliases: [心情, mood], fade_per_day: 0.5}
"""


def _draft(city: str, slot: str, value: str) -> list[dict[str, object]]:
    said = {"city": city, slot: value}
    return [{"form_type": "trip", "slots": {k: {"value": v, "evidence": v} for k, v in said.items()}}]


SCRIPT = {
    "Oslo, hotel Nordlys": _draft("Oslo", "hotel", "Nordlys"),
    "Oslo, glad": _draft("Oslo", "mood", "glad"),
    "Turin, hotel Ponte": _draft("Turin", "hotel", "Ponte"),
}
Told = Callable[[str], Memory]


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    """Ann speaks of Oslo, Ben of Turin two days later; Rome is recorded. Both days begin in Shanghai before UTC's."""
    file = tmp_path / "trip.yaml"
    file.write_text(TRIP, encoding="utf-8")
    opened: list[Memory] = []

    def open_with(provenance: str) -> Memory:
        clock = FixedClock("2026-03-02T00:30:00+08:00")
        memory = Memory.open(
            ":memory:",
            form_types=[file],
            clock=clock,
            extractor=ScriptedExtractor(SCRIPT),
            embedder=None,
            settings={"provenance": provenance, "timezone": "Asia/Shanghai"},
        )
        opened.append(memory)
        memory.observe("Oslo, hotel Nordlys", speaker="Ann", conversation="a", time=clock.now())
        memory.observe("Oslo, glad", speaker="Ann", conversation="a", time=clock.now())
        clock.advance(days=2)
        memory.observe("Turin, hotel Ponte", speaker="Ben", conversation="b", time=clock.now())
        memory.record("trip", {"city": "Rome", "hotel": "Eden"}, conversation="r", time=clock.now())
        return memory

    yield open_with
    for memory in opened:
        memory.close()


def line(memory: Memory, question: str) -> str:
    return memory.recall(question).text.splitlines()[2]


def test_off_tells_no_day(told: Told) -> None:
    memory = told("off")
    assert line(memory, "What is the hotel in Oslo?") == "Oslo: hotel Nordlys"
    assert "2026" not in line(memory, "What is the mood in Oslo?")
    assert "2026" not in line(memory, "Rome的酒店是哪家？")


def test_unsure_tells_the_day_of_what_has_faded_alone(told: Told) -> None:
    memory = told("unsure")
    assert line(memory, "What is the hotel in Oslo?") == "Oslo: hotel Nordlys"
    assert line(memory, "Rome的酒店是哪家？") == "Rome：酒店 Eden"
    assert line(memory, "What is the mood in Oslo?").endswith(" (said 2026-03-02)")
    assert line(memory, "Oslo的心情怎么样？").endswith("（2026-03-02说的）")


def test_always_tells_the_day_in_the_zone_where_it_was_said(told: Told) -> None:
    memory = told("always")
    assert line(memory, "What is the hotel in Oslo?") == "Oslo: hotel Nordlys (said 2026-03-02)"
    assert line(memory, "Oslo的酒店是哪家？") == "Oslo：酒店 Nordlys（2026-03-02说的）"


def test_what_nobody_said_was_recorded(told: Told) -> None:
    memory = told("always")
    assert line(memory, "What is the hotel in Rome?") == "Rome: hotel Eden (recorded 2026-03-04)"
    assert line(memory, "Rome的酒店是哪家？") == "Rome：酒店 Eden（2026-03-04记录的）"


def test_where_several_speak_each_line_names_its_own(told: Told) -> None:
    context = told("always").recall("Oslo and Turin: which hotel?").text
    assert "Nordlys (said by Ann 2026-03-02)" in context
    assert "Ponte (said by Ben 2026-03-04)" in context
    chinese = told("always").recall("Oslo和Turin的酒店").text.splitlines()
    assert [("Ann" in each, "2026-03-02" in each) for each in chinese if "Nordlys" in each] == [(True, True)]
    assert [("Ben" in each, "2026-03-04" in each) for each in chinese if "Ponte" in each] == [(True, True)]
