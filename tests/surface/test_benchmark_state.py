"""The benchmark ``state`` on a small folder of its own, in the sets' format: all kept, and nothing hidden."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.gold_replay import Miss
from benchmarks.rows import Row
from benchmarks.schema_types import SchemaTypes, from_name, to_name
from benchmarks.state import measure
from forms_dynamics import Memory
from forms_dynamics.testing import ScriptedExtractor

ROOT = Path(__file__).parents[2]
State = dict[str, dict[str, Any]] | None

HOTEL = {
    "description": "a place to sleep",
    "slots": {
        "area": {"categorical": True, "description": "part of town", "values": ["north", "south", "None"]},
        "parking": {"categorical": True, "description": "", "values": ["Yes", "No", "yes"]},
        "price range": {"categorical": False, "description": "", "values": []},
        "book/day": {"categorical": False, "description": "", "values": ["5 pm"]},
        "status": {"categorical": False, "description": "", "values": []},
        "stars": {"categorical": True, "description": "", "values": ["3", "4"]},
    },
}
TAXI = {"description": "", "slots": {"form_type": {"categorical": False, "description": "", "values": []}}}
SPOT = {"description": "", "slots": {"名称": {"categorical": False, "description": "", "values": []}}}
CAFE = {
    "description": "吃饭的地方",
    "slots": {
        "营业-时间": {"categorical": False, "description": "", "values": []},
        "菜 系": {"categorical": True, "description": "", "values": ["川菜", "无"]},
        "24小时": {"categorical": True, "description": "", "values": ["是", "否"]},
    },
}


def turns(*states: tuple[str | None, State], times: bool = False) -> list[dict[str, Any]]:
    """A user's turn with its gold, and the assistant's answer without one."""
    out: list[dict[str, Any]] = []
    for i, (time, state) in enumerate(states):
        out.append(
            {"i": 2 * i, "speaker": "user", "text": f"我想换一下 number {i}", "time": time, "state": state}
        )
        answer = "" if i == 1 else "Is None of them fine? 大概可以吧"
        out.append({"i": 2 * i + 1, "speaker": "assistant", "text": answer, "time": time, "state": None})
    return out


# changes of value, case, width and spaces; values dropped, a domain dropped and back; what reads as "no value"
PLAIN = turns(
    (None, {"hotel": {"area": "north", "price range": "cheap"}}),
    (None, {"hotel": {"area": "None", "price range": "about 30", "parking": "Yes", "status": "None"}}),
    (None, {"hotel": {"area": "None", "parking": "yes"}, "taxi": {"form_type": "n/a"}}),
    (None, {"taxi": {"form_type": "无"}}),
    (None, None),
    (None, {"hotel": {"area": "south", "book/day": "5 pm|6 pm", "price range": "> 30", "stars": "dontcare"}}),
    (None, {"hotel": {"area": "south", "book/day": "５ pm ", "stars": 4, "price range": ""}, "bus": {"leave at": "no"}}),
)  # fmt: skip
ZH = turns(
    (None, {"餐 馆": {"营业-时间": "每天 11:00", "菜 系": "无"}}),
    (None, {"餐 馆": {"营业-时间": "每天 11:00", "菜 系": "川菜", "24小时": "否"}}),
    (None, {"餐 馆": {"营业-时间": "无", "24小时": "是", "酒吧": "蓝鲸餐厅酒吧"}}),
    (None, {}),
    (None, {"餐 馆": {"营业-时间": "不知道"}}),
)
# the second time ties, the third runs back without touching what is held by then
CLOCKED = turns(
    ("2021-03-01T10:00:00Z", {"hotel": {"area": "north"}}),
    ("2021-03-01T10:00:00Z", {"hotel": {"area": "south"}}),
    ("2021-03-01T09:00:00Z", {"hotel": {"area": "south", "price range": "cheap"}}),
    ("2021-03-01T11:00:00+01:00", {"hotel": {"area": "south", "price range": "cheap", "stars": "3"}}),
    (None, {"hotel": {"area": "south", "stars": "3"}, "taxi": {"form_type": "black"}}),
)
# the gold says south, but at a time before north was said
CONTRADICTORY = turns(
    ("2021-03-01T10:00:00Z", {"hotel": {"area": "north"}}),
    ("2021-03-01T09:00:00Z", {"hotel": {"area": "south"}}),
)


def conversation(id: str, said: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": id, "lang": "en", "source": "made up", "turns": said}


def goals() -> dict[str, Any]:
    """Two goals of one domain in one conversation; ``state`` is another's and must not count."""
    said = turns(
        (None, {"景点#1": {"名称": "南山塔"}}),
        (None, {"景点#1": {"名称": "南山塔"}, "景点#2": {"名称": "\t听雨茶馆"}}),
        (None, {"景点#1": {"名称": "北湖公园"}, "景点#2": {"名称": "听雨茶馆"}}),
    )
    for turn in said:
        if turn["state"] is not None:
            turn["goals"], turn["state"] = turn["state"], {"景点": {"名称": "西门"}}
    return conversation("g1", said)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """multiwoz (en), risawoz (zh), star (with times) and crosswoz (goals)."""
    both = {"hotel": HOTEL, "taxi": TAXI}
    sets: Mapping[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
        "multiwoz": (both, [conversation("c1", PLAIN), conversation("C1", PLAIN[:6])]),
        "risawoz": ({"餐 馆": CAFE}, [conversation("甲", ZH), conversation("乙", ZH[2:])]),
        "star": (both, [conversation("s1", CLOCKED)]),
        "crosswoz": ({"景点": SPOT}, [goals()]),
    }
    for name, (schema, conversations) in sets.items():
        write(tmp_path / name, schema, conversations)
    return tmp_path


def write(folder: Path, schema: Mapping[str, Any], conversations: list[dict[str, Any]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "schema.json").write_text(json.dumps(schema, ensure_ascii=False), encoding="utf-8")
    lines = "".join(json.dumps(c, ensure_ascii=False) + "\n" for c in conversations)
    (folder / "conversations.jsonl").write_text(lines, encoding="utf-8")


def figures(rows: list[Row]) -> dict[str, float | None]:
    return {row.figure: row.value for row in rows}


KEPT = {"joint_state_accuracy": 1.0, "versions_kept": 1.0, "replay_identical": 1.0}


def test_the_command_prints_and_writes_what_was_kept(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.json"
    command = [sys.executable, "-m", "benchmarks", "state", "--data", str(data), "--json", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert "sgd: not there, skipped" in done.stderr
    assert "joint_state_accuracy" in done.stdout
    told = json.loads(out.read_text(encoding="utf-8"))
    assert told["benchmark"] == "state"
    assert all(set(row) == {"set", "system", "figure", "value", "n", "note"} for row in told["rows"])
    values = {(row["set"], row["figure"]): (row["value"], row["n"]) for row in told["rows"]}
    for name in ("multiwoz", "risawoz", "star", "crosswoz"):
        assert {figure: values[name, figure][0] for figure in KEPT} == KEPT, done.stdout
    assert values["multiwoz", "joint_state_accuracy"][1] == 9
    assert values["multiwoz", "versions_kept"][1] == 17
    assert values["crosswoz", "versions_kept"][1] == 2
    notes = " ".join(row["note"] for row in told["rows"])
    assert "bus/leave at" in notes
    assert "dontcare" in notes
    assert "without a text" in notes


@pytest.mark.parametrize("name", ["multiwoz", "risawoz", "crosswoz"])
def test_earlier_states_are_given_back(data: Path, name: str) -> None:
    rows, misses = measure(name, data / name)
    assert list(misses) == []
    assert figures(rows)["as_of_accuracy"] == 1.0
    assert figures(rows)["known_at_accuracy"] == 1.0


def test_times_that_tie_are_told_apart_and_one_that_runs_back_is_the_datas(data: Path) -> None:
    rows, misses = measure("star", data / "star")
    assert {k: v for k, v in figures(rows).items() if k in KEPT} == KEPT
    # as of nine o'clock, nothing of what was said at ten had been said
    assert [(m.place, m.fault) for m in misses] == [
        ("s1 turn 4", "the data's: its times contradict the order of its turns")
    ]


def test_a_gold_that_its_times_contradict_is_a_miss_of_the_data(tmp_path: Path) -> None:
    write(tmp_path / "star", {"hotel": HOTEL}, [conversation("s1", CONTRADICTORY)])
    rows, misses = measure("star", tmp_path / "star")
    assert figures(rows)["joint_state_accuracy"] == 0.5
    assert figures(rows)["versions_kept"] == 1.0  # south held from nine until ten
    assert {m.fault for m in misses} == {"the data's: its times contradict the order of its turns"}
    assert any("hotel/area is 'south' in the gold, 'north' in its Form" in str(m) for m in misses)


# -- what is wrong is told -----------------------------------------------------------------------------------

Sabotage = Callable[[Memory, str, dict[str, Any], dict[str, Any]], Any]


def losing(record: Any) -> Sabotage:
    return lambda memory, kind, slots, more: record(
        memory, kind, {k: v for k, v in slots.items() if v != "about 30"}, **more
    )


def folding(record: Any) -> Sabotage:
    return lambda memory, kind, slots, more: record(
        memory, kind, {k: v.lower() if isinstance(v, str) else v for k, v in slots.items()}, **more
    )


def never_clearing(record: Any) -> Sabotage:
    return lambda memory, kind, slots, more: record(
        memory, kind, {k: v for k, v in slots.items() if not isinstance(v, dict)}, **more
    )


def forgetting_times(record: Any) -> Sabotage:
    def run(memory: Memory, kind: str, slots: dict[str, Any], more: dict[str, Any]) -> Any:
        return record(memory, kind, slots, **{**more, "time": "2026-01-01T00:00:00Z"})

    return run


def without_instance(record: Any) -> Sabotage:
    return lambda memory, kind, slots, more: record(memory, kind, slots, **{**more, "external_id": None})


def refusing(record: Any) -> Sabotage:
    return lambda memory, kind, slots, more: record(memory, kind, {**slots, "no_such_slot": 1}, **more)


@pytest.mark.parametrize(
    ("sabotage", "figure", "said"),
    [
        (losing, "joint_state_accuracy", "hotel/price range is 'about 30' in the gold, 'cheap' in its Form"),
        (folding, "joint_state_accuracy", "hotel/parking is 'Yes' in the gold, 'yes' in its Form"),
        (never_clearing, "joint_state_accuracy", "hotel/status is None in the gold, 'None' in its Form"),
        (forgetting_times, "as_of_accuracy", "as-of state"),
        (forgetting_times, "versions_kept", "its history says"),
        (without_instance, "joint_state_accuracy", "bears the external ids []"),
        (refusing, "joint_state_accuracy", "refused: hotel has no slot 'no_such_slot'"),
    ],
)
def test_a_store_that_loses_something_is_found_out(
    data: Path, monkeypatch: pytest.MonkeyPatch, sabotage: Callable[[Any], Sabotage], figure: str, said: str
) -> None:
    wrong = sabotage(Memory.record)
    monkeypatch.setattr(
        Memory, "record", lambda self, kind, slots, **more: wrong(self, kind, dict(slots), more)
    )
    rows, misses = measure("multiwoz", data / "multiwoz")
    value = figures(rows)[figure]
    assert value is not None
    assert value < 1.0
    assert any(said in str(miss) and miss.fault == "ours" for miss in misses), [str(m) for m in misses]
    assert "ours" in rows[0].note


def test_a_line_that_is_no_conversation_is_named(tmp_path: Path) -> None:
    write(tmp_path / "woz", {}, [conversation("c1", PLAIN), {"id": "c2", "turns": [{"i": 0}]}])
    with pytest.raises(SystemExit, match="line 2: no conversation of these sets"):
        measure("woz", tmp_path / "woz")


def test_a_replay_that_differs_is_found_out(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export, seen = Memory.export, []

    def once(self: Memory, **more: Any) -> Any:
        seen.append(1)
        return [*export(self, **more), {"run": len(seen)}]

    monkeypatch.setattr(Memory, "export", once)
    rows, _ = measure("risawoz", data / "risawoz")
    assert figures(rows)["replay_identical"] == 0.0


def test_a_change_after_the_end_of_a_conversation_is_found_out(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    observe = Memory.observe

    def meddling(self: Memory, text: str, **more: Any) -> Any:
        if more["conversation"] == "乙":
            for form in self.find(to_name("餐 馆")):
                if form.external_ids == {"甲:餐 馆"}:
                    self.retract(form.id, "营业-时间")
        return observe(self, text, **more)

    monkeypatch.setattr(Memory, "observe", meddling)
    _, misses = measure("risawoz", data / "risawoz")
    assert [m for m in misses if m == Miss("risawoz", "甲:餐 馆", "in the end it says {}", "ours")]


def test_the_same_through_postgresql(data: Path, postgres_schema: Callable[[], str]) -> None:
    def opener(files: Path, clock: Any) -> Memory:
        return Memory.open(
            postgres_schema(),
            form_types=[files],
            relation_rules=[],
            extractor=ScriptedExtractor({}),
            clock=clock,
        )

    for name in ("multiwoz", "risawoz", "star", "crosswoz"):
        rows, misses = measure(name, data / name, opener)
        assert {k: v for k, v in figures(rows).items() if k in KEPT} == KEPT
        assert all(miss.fault != "ours" for miss in misses)


# -- form types from a schema --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["area", "price range", "营业-时间", "菜 系", "24小时", "book/day", 'salad"', "_x", "_x20_", "a_xab c", "n_x_a", " ",
     "form_type", "form_x5f_type", "é", "e\u0301", "😀", "制片国家/地区", "-a", "n", "NO", "x_x20_y z"],
)  # fmt: skip
def test_a_name_can_be_read_back(text: str) -> None:
    assert from_name(to_name(text)) == text


def test_names_stay_apart() -> None:
    parts = ["_", "x", "2", "0", "n", " ", "f"]
    texts = {a + b + c + d + e for a in parts for b in parts for c in parts for d in parts for e in parts}
    assert len({to_name(t) for t in texts}) == len(texts)
    assert all(from_name(to_name(t)) == t for t in texts)


def test_categorical_slots_are_enums_where_an_enum_keeps_them(tmp_path: Path) -> None:
    made = SchemaTypes({"hotel": HOTEL}, [("hotel", "stars", "dontcare"), ("hotel", "pool", "no")])
    with Memory.open(":memory:", form_types=[made.write(tmp_path / "types")], relation_rules=[]) as memory:
        slots = memory.catalog.types["hotel"].slots
    assert {name: slot.type for name, slot in slots.items()} == {
        "area": "enum", "parking": "text", "price_x20_range": "text", "book_x2f_day": "text", "status": "text",
        "stars": "text", "pool": "text",
    }  # fmt: skip
    assert list(slots["area"].values) == ["north", "south", "None"]
    assert slots["price_x20_range"].aliases == ("price range",)
    assert slots["area"].description == {"en": "part of town"}
    assert "hotel/pool" in made.note()
    assert "dontcare" in made.note()
    assert "hotel/parking" in made.note()
