"""An instant is an instant in every zone; the day is the speaker's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, date, datetime

import pytest

from forms_dynamics import InvalidInput

from .world import DUE, ROOT, Worlds, at, case, draft, said

PROGRAM = """
import json, sys
from pathlib import Path
from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock, ScriptedExtractor
from datetime import datetime
given = json.loads(sys.stdin.read())
memory = Memory.open(Path(sys.argv[1]), form_types=given["form_types"],
                     extractor=ScriptedExtractor(given["script"]),
                     clock=FixedClock(datetime.fromisoformat("2025-07-25T02:00:00+00:00")))
memory.observe_many(given["messages"])
form = memory.find("lead_profile", company="Kestrel")[0]
print(json.dumps([form.created_at.isoformat(), list(memory.export())], ensure_ascii=False))
"""


def test_pr_085(worlds: Worlds) -> None:
    w = worlds("PR-085", settings={"timezone": "Asia/Shanghai"})
    w.play()
    f = w.only("meeting")
    assert f["start"] == at("2026-09-15T15:00:00+08:00")
    assert f["start"].astimezone(UTC) == datetime(2026, 9, 15, 7, tzinfo=UTC)
    c = w.memory.recall("评审会几点？", conversation="c1")
    assert "15:00" in c.text
    assert "07:00" not in c.text
    assert "23:00" not in c.text


def test_pr_087(worlds: Worlds) -> None:
    told = []
    for number, zone in enumerate(("UTC", "America/Los_Angeles", "Asia/Shanghai")):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(worlds.where / f"zone{number}.db")],
            input=json.dumps(case("PR-087")),
            env={**os.environ, "TZ": zone},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        told.append(done.stdout)
    assert told[0] == told[1] == told[2]
    created = datetime.fromisoformat(json.loads(told[0])[0])
    assert created.tzinfo is not None
    assert created == at("2025-07-25T02:00:00+00:00")
    assert "2025-07-24" not in told[0]


# -- ours ------------------------------------------------------------------------------------------------


def test_the_same_word_is_another_day_for_another_offset(worlds: Worlds) -> None:
    w = worlds(
        yaml=DUE,
        messages=[
            said("2026-09-14T23:30:00+00:00", "Please have it tomorrow."),
            said("2026-09-15T07:30:00+08:00", "时间定在明天。"),
        ],
        script=[[draft("task_due", due="tomorrow")], [draft("task_due", due="明天")]],
    )
    told = [w.form_of(r)["due"] for r in w.play()]
    assert told == [date(2026, 9, 15), date(2026, 9, 16)]


def test_a_naive_time_is_an_error_unless_a_zone_is_set(worlds: Worlds) -> None:
    w = worlds(yaml=DUE, messages=[], script={})
    with pytest.raises(InvalidInput):
        w.memory.observe("hello", time="2026-09-15T07:30:00")
    with pytest.raises(InvalidInput):
        w.memory.observe("hello", time=datetime(2026, 9, 15, 7, 30))
    assert [row for row in w.memory.export() if "text" in row] == []


def test_a_naive_time_is_read_in_the_zone_that_is_set(worlds: Worlds) -> None:
    w = worlds(
        yaml=DUE,
        settings={"timezone": "Asia/Shanghai"},
        messages=[],
        script={"时间定在今天。": [draft("task_due", due="今天")]},
        now="2026-11-01T00:00:00+00:00",
    )
    r = w.memory.observe("时间定在今天。", time="2026-09-15T00:30:00")
    f = w.form_of(r)
    assert f["due"] == date(2026, 9, 15)
    assert w.memory.history(f.id)[0].time == at("2026-09-14T16:30:00+00:00")


def test_a_message_without_time_takes_the_last_of_its_conversation(worlds: Worlds) -> None:
    w = worlds(
        yaml=DUE,
        messages=[],
        script={"时间定在后天。": [draft("task_due", due="后天")], "hello": []},
        now="2026-11-01T00:00:00+00:00",
    )
    w.memory.observe("hello", time="2026-09-15T10:00:00+08:00", conversation="a")
    first = w.form_of(w.memory.observe("时间定在后天。", conversation="a"))
    second = w.form_of(w.memory.observe("时间定在后天。", conversation="b"))
    assert (first["due"], second["due"]) == (date(2026, 9, 17), date(2026, 11, 3))
