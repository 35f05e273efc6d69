"""The benchmark ``year`` at a tiny size: what its people say and what is right, its figures, and that it sees faults."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from benchmarks.year_answers import same_answers
from benchmarks.year_asking import judged, search, stands
from benchmarks.year_store import ALL, END, Extracted, Filling, opened, without
from benchmarks.year_talk import DAYS, NOISE, START, Fact, year
from benchmarks.year_weight import weigh
from forms_dynamics import Memory
from forms_dynamics.schema.load import load_catalog
from forms_dynamics.testing import FixedClock

ROOT = Path(__file__).parents[2]
FIGURES = {"stale_rate", "current_rate", "active_share", "recall_growth", "upkeep_s", "same_answers"}


# -- what is said --------------------------------------------------------------------------------------------
def test_a_seed_gives_one_year() -> None:
    assert year(3, 300, seed=1) == year(3, 300, seed=1)
    assert year(3, 300, seed=1) != year(3, 300, seed=2)


def test_the_year_has_what_it_promises() -> None:
    users = year(60, 60 * 300)
    assert sum(len(user.messages) for user in users) == 60 * 300
    lasting = [f for user in users for f in user.facts if f.group not in ("gone", "once")]
    changed = sum(len({v for *_, v in f.told if v is not None}) > 1 for f in lasting) / len(lasting)
    ended = sum(f.told[-1][2] is None for f in lasting) / len(lasting)
    late = sum(any(arrived > time for time, arrived, _ in f.told) for f in lasting)
    assert 0.17 < changed < 0.27
    assert 0.07 < ended < 0.13
    assert late > 20
    assert NOISE == 0.3
    langs = {any("一" <= ch <= "鿿" for m in user.messages for ch in m.text) for user in users}
    assert langs == {True, False}
    assert all(START <= m.time <= START + timedelta(days=DAYS) for u in users for m in u.messages)
    # what is read stands in the words
    for message in (m for u in users for m in u.messages):
        for draft in message.drafts:
            assert all(s.evidence is not None and s.evidence in message.text for s in draft.slots.values())


def test_gold_goes_by_what_had_arrived() -> None:
    day = timedelta(days=1)
    fact = Fact("u", "volatile", "city", False, "Which city do I live in?")
    fact.told = [(START, START, "Leeds"), (START + 9 * day, START + 9 * day, "Cork")]
    fact.told += [(START + day, START + 30 * day, "Turku"), (START + 50 * day, START + 50 * day, None)]
    assert fact.gold(START + day).value == "Leeds"
    assert fact.gold(START + 10 * day) == fact.gold(START + 20 * day)
    late = fact.gold(START + 40 * day)
    assert (late.value, set(late.stale)) == ("Cork", {"Leeds", "Turku"})
    over = fact.gold(START + 60 * day)
    assert (over.value, set(over.stale)) == (None, {"Leeds", "Turku", "Cork"})


@pytest.mark.parametrize(
    ("value", "text", "there"),
    [("1,500", "budget 1,500 CNY", True), ("1,500", "11,500 CNY", False), ("500", "1,500", False), ("Cork", "in Cork.", True)],
)  # fmt: skip
def test_a_number_is_no_part_of_another(value: str, text: str, there: bool) -> None:
    assert (stands(value, text) >= 0) is there


def test_an_answer_beside_a_stale_one_is_stale() -> None:
    fact = Fact("u", "volatile", "city", False, "?")
    fact.told = [(START, START, "Leeds"), (START + timedelta(days=9), START + timedelta(days=9), "Cork")]
    gold = fact.gold(END)
    assert judged(fact, gold, END, "lives in Cork", False, 3, 1.0).stale is False
    both = judged(fact, gold, END, "lives in Leeds\nlives in Cork", False, 3, 1.0)
    assert (both.current, both.stale, both.first) == (True, True, False)
    unsure = judged(fact, gold, END, "x\n[unconfirmed] Cork?", False, 3, 1.0)
    assert (unsure.current, unsure.sure) == (True, False)


# -- life switched off ---------------------------------------------------------------------------------------
def test_a_store_that_keeps_everything_has_no_life(tmp_path: Path) -> None:
    how = without(tmp_path / "kept", ALL)
    catalog = load_catalog(how["form_types"], how["relation_rules"])
    assert "archive_after_days" not in how["settings"]
    for form_type in catalog:
        life = form_type.life
        assert (life.ttl_seconds, life.cold_after_days, life.fade_per_day, life.valid_days) == (None,) * 4
        assert all(spec.fade_per_day is None for spec in form_type.slots.values())
    assert all(r.strength.half_life_days is None and r.strength.ttl_seconds is None for r in catalog.rules)
    assert {t.name for t in catalog} == {t.name for t in load_catalog()}


# -- figures -------------------------------------------------------------------------------------------------
def test_the_command_prints_and_writes_its_figures(tmp_path: Path) -> None:
    out = tmp_path / "rows.json"
    command = [
        sys.executable,
        "-m",
        "benchmarks",
        "year",
        "--users",
        "3",
        "--messages",
        "150",
        "--json",
        str(out),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    told = json.loads(out.read_text(encoding="utf-8"))
    assert told["benchmark"] == "year"
    assert all(set(row) == {"set", "system", "figure", "value", "n", "note"} for row in told["rows"])
    ours = {row["figure"]: row for row in told["rows"] if (row["set"], row["system"]) == ("year", "ours")}
    assert set(ours) >= FIGURES
    assert ours["stale_rate"]["value"] == 0
    assert ours["same_answers"]["value"] == 1
    assert 0 < ours["active_share"]["value"] < 1
    systems = {row["system"] for row in told["rows"] if row["set"] == "year"}
    assert systems == {"ours", "keep_everything", "bm25", "vector"}
    assert "decay: all" in {row["set"] for row in told["rows"]}
    assert "stale_rate" in done.stdout


def test_plain_search_tells_what_no_longer_holds() -> None:
    users = year(6, 6 * 200)
    facts = [fact for user in users for fact in user.facts]
    answers = search(users, facts, END, "bm25")
    assert any(a.stale for a in answers)
    assert sum(a.current for a in answers if a.expected) > len(answers) / 2


def test_what_is_weighed_shrinks_with_time(tmp_path: Path) -> None:
    users, clock, file = year(2, 120), FixedClock(START), tmp_path / "m.db"
    with opened(file, clock, without(tmp_path, ()), extractor=Extracted(users)) as memory:
        Filling(memory, clock, users, label="weighed").run()
        names = [user.id for user in users]
        now, later = (weigh(memory, file, names, at) for at in (END, END + timedelta(days=400)))
    assert now.whole == later.whole
    assert 0 < now.active_messages < now.messages == 120
    assert later.active_messages == 0
    assert later.active < now.active < now.whole <= now.file


def test_a_memory_whose_upkeep_changes_answers_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = year(2, 80)
    upkeep = Memory.upkeep

    def meddling(self: Memory, **more: object) -> object:
        for user in users:
            own = self.scoped(user=user.id)
            for form in own.find("user_profile"):
                own.invalidate(form.id)
        return upkeep(self, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Memory, "upkeep", meddling)
    rows = {row.figure: row for row in same_answers(users, tmp_path)}
    assert rows["same_answers"].value == 0
    assert rows["differing_answers"].value
    assert "daily" in rows["same_answers"].note
