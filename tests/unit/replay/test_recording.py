"""A recording: what it keeps, when it is refused, and that nothing stops it for good."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forms_dynamics import Conflict, ExtractorUnavailable, InvalidInput
from forms_dynamics.model.message import Cost, Draft, Message, Proposal, RelationDraft, SlotDraft
from forms_dynamics.model.value import Money, Range
from forms_dynamics.replay.drafts import packed, unpacked
from forms_dynamics.replay.recording import Recording, record
from forms_dynamics.testing import ScriptedExtractor

LOG: list[dict[str, Any]] = [
    {
        "id": "1",
        "text": "海蓝电子，预算50万，分三期付款",
        "conversation": "c",
        "time": "2026-06-10T10:00:00+08:00",
    },
    {"id": "2", "text": "好的，已记录。", "role": "assistant", "speaker": "assistant", "conversation": "c"},
    {
        "id": "3",
        "text": "Our budget is 600,000 now 😀",
        "conversation": "c",
        "time": "2026-06-11T10:00:00+08:00",
    },
]
LEADS = ["lead_profile"]


class Counting:
    """Drafts one budget a message and counts how often it is asked."""

    def __init__(self, fails: Sequence[str] = (), cost: int = 10) -> None:
        self.asked: list[str] = []
        self._fails = set(fails)
        self._cost = cost

    def extract(self, message: Message, known: Sequence[Any] = ()) -> Proposal:
        self.asked.append(message.id)
        if message.id in self._fails:
            raise ExtractorUnavailable("the model is away")
        return Proposal([Draft("lead_profile", {"budget": SlotDraft(50, 0.9)})], Cost(1, self._cost, 0))


def leftovers(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_it_holds_the_log_the_labels_and_the_drafts_before_the_gate(tmp_path: Path) -> None:
    script = {
        "1": [
            {
                "form_type": "lead_profile",
                "slots": {
                    "budget": {"value": 500000, "confidence": 0.3, "evidence": "预算50万"},
                    "company": {"value": "无中生有", "confidence": 0.99},
                },
            }
        ]
    }
    expect = {"forms": [{"form_type": "lead_profile", "slots": {"budget": 500000}}]}
    log = [{**LOG[0], "expect": expect}, *LOG[1:]]
    made = record(log, tmp_path / "r.jsonl", form_types=LEADS, extractor=ScriptedExtractor(script))
    first, *rest = made.raws()
    assert made.messages == 3
    assert first.message == LOG[0]
    assert first.expect == expect
    budget = first.looks[0][0].slots["budget"]
    assert (budget.value, budget.confidence, budget.evidence) == (500000, 0.3, "预算50万")
    assert first.looks[0][0].slots["company"].value == "无中生有"  # what the gate would refuse is in it
    assert [raw.message["text"] for raw in rest] == [m["text"] for m in LOG[1:]]
    assert leftovers(tmp_path) == ["r.jsonl"]


def test_what_is_recorded_is_not_read_again(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    first = Counting()
    one = record(LOG, file, form_types=LEADS, extractor=first)
    before = file.read_bytes()
    again = Counting()
    two = record(LOG, file, form_types=LEADS, extractor=again)
    assert (first.asked, again.asked) == (["1", "2", "3"], [])
    assert one == two
    assert file.read_bytes() == before


def test_a_log_that_grew_costs_only_what_is_new(tmp_path: Path) -> None:
    record(LOG, tmp_path / "r.jsonl", form_types=LEADS, extractor=Counting())
    more = Counting()
    edited = [
        LOG[0],
        {**LOG[1], "text": "好的，预算60万。"},
        LOG[2],
        {"id": "4", "text": "就这样", "conversation": "c"},
    ]
    made = record(edited, tmp_path / "r.jsonl", form_types=LEADS, extractor=more)
    assert more.asked == ["2", "4"]
    assert [raw.message["id"] for raw in made.raws()] == ["1", "2", "3", "4"]


def test_a_shorter_log_throws_away_nothing_that_was_read(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    whole = record(LOG, file, form_types=LEADS, extractor=Counting())
    part = record(LOG[:1], file, form_types=LEADS, extractor=Counting())
    assert [raw.message["id"] for raw in part.raws()] == ["1"]
    assert (part.messages, part.digest) != (whole.messages, whole.digest)
    again = Counting()
    back = record(LOG, file, form_types=LEADS, extractor=again)
    assert again.asked == []
    assert list(back.raws()) == list(whole.raws())
    assert back.digest == whole.digest


def test_new_labels_come_to_a_recording_without_reading_anything(tmp_path: Path) -> None:
    record(LOG, tmp_path / "r.jsonl", form_types=LEADS, extractor=Counting())
    labelled = [{**LOG[0], "expect": {"forms": []}}, *LOG[1:]]
    again = Counting()
    made = record(labelled, tmp_path / "r.jsonl", form_types=LEADS, extractor=again)
    assert again.asked == []
    assert [raw.expect for raw in made.raws()] == [{"forms": []}, None, None]


@pytest.mark.parametrize(
    ("then", "now", "told"),
    [
        ({}, {"form_types": ["lead_profile", "order"]}, "form type order is new"),
        ({"form_types": ["lead_profile", "order"]}, {}, "form type order is gone"),
        ({}, {"settings": {"date_order": "DMY"}}, "settings.date_order was None, is DMY"),
        ({}, {"extractor": ScriptedExtractor([])}, "the extractor was"),
    ],
)
def test_a_stale_recording_is_refused_with_what_changed_and_stays(
    tmp_path: Path, then: Mapping[str, Any], now: Mapping[str, Any], told: str
) -> None:
    file = tmp_path / "r.jsonl"
    usual: dict[str, Any] = {"form_types": LEADS, "extractor": Counting()}
    record(LOG, file, **{**usual, **then})
    before = file.read_bytes()
    with pytest.raises(InvalidInput, match=told):
        record(LOG, file, **{**usual, **now})
    assert file.read_bytes() == before


TYPE = """
form_type: room
description: {en: A room that is booked.}
slots:
  size: {type: integer, aliases: [size]%s}
  name: {type: text}
%s"""


@pytest.mark.parametrize(
    ("slot", "form", "told"),
    [
        (", description: {en: How many people}", "", "slot room.size was changed"),
        ("", "aliases: [chamber]\n", "type room was changed"),
        ("", "  price: {type: money}\n", "slot room.price is new"),
        (", threshold: 0.6, question: {en: How large?}", "", None),
        ("", "life: {cold_after_days: 3}\ntemplate: {en: '{{name}}'}\n", None),
    ],
)
def test_only_what_is_read_makes_it_stale(tmp_path: Path, slot: str, form: str, told: str | None) -> None:
    yaml = tmp_path / "room.yaml"
    file = tmp_path / "r.jsonl"
    yaml.write_text(TYPE % ("", ""), encoding="utf-8")
    record(LOG, file, form_types=[yaml])
    yaml.write_text(TYPE % (slot, form), encoding="utf-8")
    if told is None:
        assert record(LOG, file, form_types=[yaml]).messages == 3
        return
    with pytest.raises(InvalidInput, match=told):
        record(LOG, file, form_types=[yaml])


def test_a_model_that_is_away_stops_it_and_the_same_call_goes_on(tmp_path: Path) -> None:
    log = [{"id": str(n), "text": f"budget {n}", "conversation": "c"} for n in range(20)]
    file = tmp_path / "r.jsonl"
    away = Counting(fails=[str(n) for n in range(8, 20)])
    with pytest.raises(
        ExtractorUnavailable, match=r"5 messages in a row.*the model is away.*goes on from there"
    ):
        record(log, file, form_types=LEADS, extractor=away)
    assert not file.exists()
    back = Counting()
    made = record(log, file, form_types=LEADS, extractor=back)
    assert back.asked == [str(n) for n in range(8, 20)]
    assert (made.messages, made.failed) == (20, 0)
    assert leftovers(tmp_path) == ["r.jsonl"]


def test_a_message_that_cannot_be_read_is_in_it_as_failed_and_tried_again_next_time(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    made = record(LOG, file, form_types=LEADS, extractor=Counting(fails=["2"]))
    assert (made.messages, made.failed) == (3, 1)
    assert next(r.failed for r in made.raws() if r.message["id"] == "2") == "the model is away"
    again = Counting()
    assert record(LOG, file, form_types=LEADS, extractor=again).failed == 0
    assert again.asked == ["2"]


def test_the_cost_cap_ends_a_call_not_the_recording(tmp_path: Path) -> None:
    log = [{"id": str(n), "text": f"budget {n}"} for n in range(10)]

    def go(extractor: Counting) -> Recording:
        return record(
            log, tmp_path / "r.jsonl", form_types=LEADS, extractor=extractor, settings={"cost_cap": 400}
        )

    first, second, third = (Counting(cost=100) for _ in range(3))
    for extractor in (first, second):
        with pytest.raises(ExtractorUnavailable, match="cost cap of 400"):
            go(extractor)
    made = go(third)
    assert [len(one.asked) for one in (first, second, third)] == [4, 4, 2]
    assert made.cost == Cost(10, 1000, 0)


KILLED = """
import sys, time
from pathlib import Path
from forms_dynamics.model.message import Draft, Proposal, SlotDraft
from forms_dynamics.replay.recording import record

class Slow:
    def extract(self, message, known=()):
        with open(sys.argv[2], "a") as asked:
            asked.write(message.id + "\\n")
        time.sleep(0.01)
        return Proposal([Draft("lead_profile", {"budget": SlotDraft(50, 0.9)})])

log = [{"id": str(n), "text": f"预算 {n} 万", "conversation": f"c{n % 7}"} for n in range(300)]
record(log, sys.argv[1], form_types=["lead_profile"], extractor=Slow())
print("done")
"""


def test_kill_9_in_the_middle_loses_at_most_the_message_in_hand(tmp_path: Path) -> None:
    file, asked = tmp_path / "r.jsonl", tmp_path / "asked"
    command = [sys.executable, "-c", KILLED, str(file), str(asked)]
    for after in (40, 240):
        child = subprocess.Popen(command, stdout=subprocess.PIPE)
        deadline = time.monotonic() + 60
        while len(asked.read_text().splitlines() if asked.exists() else []) < after:
            assert time.monotonic() < deadline, "the recording does not move"
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
        child.wait()
    assert not file.exists()
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "done\n"
    ids = asked.read_text().splitlines()
    assert set(ids) == {str(n) for n in range(300)}
    assert len(ids) <= 302  # each kill may have come between a reading and its line
    made = Recording.open(file)
    assert [raw.message["id"] for raw in made.raws()] == [str(n) for n in range(300)]


def test_two_processes_do_not_make_one_recording_at_once(tmp_path: Path) -> None:
    file, asked = tmp_path / "r.jsonl", tmp_path / "asked"
    command = [sys.executable, "-c", KILLED, str(file), str(asked)]
    first = subprocess.Popen(command, stdout=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not asked.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    with pytest.raises(Conflict, match="another process is making"):
        record(LOG, file, form_types=LEADS, extractor=Counting())
    assert first.wait() == 0
    assert Recording.open(file).messages == 300
    assert leftovers(tmp_path) == ["asked", "r.jsonl"]


def test_messages_that_cannot_be_taken_are_told(tmp_path: Path) -> None:
    log = [
        *LOG,
        {**LOG[0]},
        {**LOG[0], "text": "别的话"},
        {"id": "9", "text": "  "},
        {"id": "10", "text": "x", "role": "boss"},
    ]
    made = record(log, tmp_path / "r.jsonl", form_types=LEADS)
    assert made.messages == 3
    told = dict(made.skipped)
    assert set(told) == {"1", "9", "10"}
    assert "text" in told["9"]
    assert "role" in told["10"]
    again = record(log, tmp_path / "r.jsonl", form_types=LEADS)
    assert (again.messages, dict(again.skipped)) == (3, told)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "no complete recording"),
        (b'{"id": "m1", "text": "hello"}\n', "is no recording"),
        (b"\xff\xfe\x00", "is no recording"),
        (b'{"recording": 99}\n', "format 99"),
    ],
)
def test_what_is_no_recording_is_refused(tmp_path: Path, content: bytes, told: str) -> None:
    file = tmp_path / "r.jsonl"
    file.write_bytes(content)
    with pytest.raises(InvalidInput, match=told):
        Recording.open(file)
    with pytest.raises(InvalidInput):
        Recording.open(tmp_path / "none.jsonl")


def test_a_recording_that_was_changed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    record(LOG, file, form_types=LEADS)
    file.write_text(file.read_text(encoding="utf-8").replace("600,000", "900,000"), encoding="utf-8")
    with pytest.raises(InvalidInput, match="was changed"):
        Recording.open(file)
    lines = file.read_bytes().splitlines(keepends=True)
    for rest in (lines[:-1], [*lines[:-1], lines[-1][:20]]):
        file.write_bytes(b"".join(rest))
        with pytest.raises(InvalidInput, match="no complete recording"):
            Recording.open(file)


def test_two_users_may_use_one_id(tmp_path: Path) -> None:
    log = [{"id": "1", "text": "预算50万", "user": u, "conversation": "c"} for u in ("a", "b")]
    made = record(log, tmp_path / "r.jsonl", form_types=LEADS)
    assert [raw.key for raw in made.raws()] == [("a", "1"), ("b", "1")]
    assert all(raw.looks[0] for raw in made.raws())


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4) | st.just("$"), inner, max_size=3)
    ),
    max_leaves=6,
)
TYPED = (
    st.builds(Money, st.decimals(allow_nan=False, allow_infinity=False, places=2), st.just("CNY"))
    | st.dates()
    | st.builds(Range, st.dates(), st.none())
    | st.just((date(2026, 1, 1), "甲"))
    | st.just(Range(Money(Decimal(1), "USD"), None))
)
SLOTS = st.builds(
    SlotDraft,
    value=PLAIN | TYPED,
    confidence=st.floats(0, 1),
    evidence=st.none() | st.text(),
    op=st.sampled_from([None, "set", "add", "remove", "clear"]),
    negated=st.booleans(),
    correction=st.booleans(),
    read=st.booleans(),
    span=st.none() | st.tuples(st.integers(0, 99), st.integers(0, 99)),
    tier=st.sampled_from(["recogniser", "model"]),
    agreed=st.none() | st.tuples(st.text(), st.text()),
)
DRAFTS = st.lists(
    st.builds(
        Draft,
        form_type=st.text(),
        slots=st.dictionaries(st.text(), SLOTS, max_size=2),
        relations=st.tuples()
        | st.tuples(
            st.builds(
                RelationDraft,
                st.text(),
                st.dictionaries(st.text(), st.text()),
                valid_from=st.none() | st.text(),
                valid_until=st.none() | st.text(),
            )
        ),
        external_id=st.none() | st.text(),
        invalidate=st.booleans(),
    ),
    max_size=3,
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(DRAFTS)
def test_drafts_come_back_as_they_were(drafts: list[Draft]) -> None:
    line = json.dumps(packed(drafts), ensure_ascii=True)
    back = list(unpacked(json.loads(line)))
    assert back == drafts
    assert repr(back) == repr(drafts)
