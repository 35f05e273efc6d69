"""Declared queries as they are read: what is right, and what is wrong, with its place and a suggestion."""

from __future__ import annotations

from pathlib import Path

import pytest

from forms_dynamics.errors import SchemaError
from forms_dynamics.schema.load import check, load_catalog

GOOD = """\
query: q
parameters:
  project: {type: ref, ref: project}
  priority: {slot: task.priority, required: false}
start: {form_type: project, named: $project}
steps:
  - relation: belongs_to_project
    direction: in
    to: task
    as: tasks
    where: "status == '已完成' and ($priority is unknown or priority == $priority)"
return: [name, due]
"""


def findings(text: str, tmp_path: Path) -> list[tuple[int, int, str, str | None, str]]:
    file = tmp_path / "q.yaml"
    file.write_text(text, encoding="utf-8")
    return [(f.line, f.column, f.message, f.suggestion, f.severity) for f in check([file])]


def test_a_query_is_read_with_its_synonyms_settled(tmp_path: Path) -> None:
    file = tmp_path / "q.yaml"
    file.write_text(GOOD, encoding="utf-8")
    spec = load_catalog(["project", "task", file]).queries["q"]
    assert spec.names == ("project", "tasks")
    assert spec.group == 1
    [comparison, *_] = spec.steps[0].where.comparisons()  # type: ignore[union-attr]
    assert comparison.right.value == "completed"  # type: ignore[union-attr]
    assert tuple(spec.parameters["priority"].slot.values) == ("high", "medium", "low")
    assert findings(GOOD, tmp_path) == []


@pytest.mark.parametrize(
    ("old", "new", "place", "message", "hint"),
    [
        ("return: [name, due]", "return: [name, dew]", (12, 16), "tasks has no slot 'dew'", "due"),
        ("relation: belongs_to_project", "relation: belongs_project", (7, 15), "is not declared", "belongs_to_project"),
        ("direction: in", "direction: out", (7, 15), "no 'belongs_to_project' leads out of project to task", "direction: in"),
        ("to: task", "to: tsk", (9, 9), "'tsk' is not loaded", "task"),
        ("status == '已完成'", "statuss == '已完成'", (11, 13), "no slot 'statuss' here", "status"),
        ("status == '已完成'", "status == 'complete'", (11, 13), "is no value of status", "completed"),
        ("status == '已完成'", "due > 5", (11, 13), "a day or time and a number cannot be compared", None),
        ("status == '已完成'", "status = '已完成'", (11, 20), "equal is written ==", None),
        ("status == '已完成'", "project.nam == 'x'", (11, 21), "no slot 'nam' in project", "name"),
        ("status == '已完成'", "projct.name == 'x'", (11, 13), "no earlier step is called 'projct'", "project"),
        ("named: $project", "named: $projekt", (5, 36), "no parameter 'projekt' is declared", "project"),
        ("form_type: project,", "form_type: projekt,", (5, 20), "'projekt' is not loaded", "project"),
        ("slot: task.priority", "slot: task.priorty", (4, 20), "task has no slot 'priorty'", "priority"),
        ("($priority is unknown or priority == $priority)", "priority == $priority", (11, 45), "may be left out", None),
        ("($priority is unknown or priority == $priority)", "$prio is unknown", (11, 34), "no parameter 'prio'", None),
        ("due]", "{late: {sum: name}}]", (12, 29), "sum is of a number, and name is text", None),
        ("due]", "{several: {count: taks}}]", (12, 34), "count is of a step", "tasks"),
        ("return: [name, due]", "return: [name]\norder: [-due]", (13, 9), "is not among what is returned", None),
        ("return: [name, due]", "return: [name]\ngroup: taks", (13, 8), "no step is called 'taks'", "tasks"),
        ("return: [name, due]", "return: [name]\nrow: '{{nam}}'", (13, 6), "nothing called 'nam'", "name"),
        ("return: [name, due]", "return: [name]\nasks: '{projct} tasks'", (13, 9), "no parameter 'projct'", "project"),
        ("return: [name, due]", "return: [name]\nasks: open tasks", (13, 7), "the required parameter {project}", None),
        ("as: tasks", "as: project", (10, 9), "two steps are called 'project'", None),
        ("as: tasks", "as: tasks\n    optional: true", (1, 8), "say 'group:'", None),
        ("as: tasks", "as: tasks\n    every: true\n    repeat: 2", (11, 12), "every goes with one edge", None),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(
    old: str, new: str, place: tuple[int, int], message: str, hint: str | None, tmp_path: Path
) -> None:
    assert old in GOOD
    told = [f for f in findings(GOOD.replace(old, new, 1), tmp_path) if f[4] == "error"]
    assert any(message in f[2] for f in told), told
    [found] = [f for f in told if message in f[2]][:1]
    assert found[:2] == place, found
    if hint is not None:
        assert found[3] == hint


def test_what_is_wrong_stops_a_memory_from_opening(tmp_path: Path) -> None:
    file = tmp_path / "q.yaml"
    file.write_text(GOOD.replace("due]", "dew]"), encoding="utf-8")
    with pytest.raises(
        SchemaError, match=r"q\.yaml:12:16: return: tasks has no slot 'dew' \(did you mean 'due'\?\)"
    ):
        load_catalog(["project", "task", file])


def test_an_unused_parameter_is_a_warning(tmp_path: Path) -> None:
    text = GOOD.replace("parameters:", "parameters:\n  idle: {type: date, default: today}")
    assert [(f[0], f[1], f[2], f[4]) for f in findings(text, tmp_path)] == [
        (3, 3, "parameter 'idle' is not used", "warning")
    ]


def test_a_query_is_declared_once(tmp_path: Path) -> None:
    told = findings(f"{GOOD}---\n{GOOD}", tmp_path)
    assert len(told) == 1
    assert told[0][0] == 14
    assert "declared in" in told[0][2]


def test_an_average_is_not_offered(tmp_path: Path) -> None:
    told = findings(GOOD.replace("due]", "{mean: {average: due}}]"), tmp_path)
    assert "an average is no value that anybody said" in told[0][2]
