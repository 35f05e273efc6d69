"""Lists: days without a year and their bounds, and what a question says is not meant."""

from collections.abc import Iterator

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

TASKS = {
    "写周报": ("completed", "2026-06-01", "张三"),
    "上线": ("in_progress", "2026-06-10", "李四"),
    "Write docs": ("todo", "2026-06-30", "Bob"),
    "Fix login bug": ("blocked", "2026-05-05", "Ann"),
    "Call the bank": ("todo", "2026-07-04", "Ann"),
    "New thing": (None, None, None),
}


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    clock = FixedClock("2026-06-12T10:00:00+08:00")
    with Memory.open(
        ":memory:", form_types=["task", "person"], clock=clock, settings={"timezone": "Asia/Shanghai"}
    ) as memory:
        for name, (status, due, owner) in TASKS.items():
            slots = {"name": name, "status": status, "due": due, "owner": owner}
            memory.record("task", {slot: value for slot, value in slots.items() if value})
        yield memory


def listed(memory: Memory, question: str) -> set[str]:
    return {str(form["name"]) for form in memory.recall(question).forms}


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("tasks due before June 10", {"写周报", "Fix login bug"}),
        ("tasks due by June 10", {"写周报", "Fix login bug", "上线"}),
        ("tasks due after June 10", {"Write docs", "Call the bank"}),
        ("tasks due later than June 10", {"Write docs", "Call the bank"}),
        ("tasks due on June 10", {"上线"}),
        ("tasks due between June 4 and June 10", {"上线"}),
        ("6月10日到期的任务", {"上线"}),
        ("6月10日之前到期的任务", {"写周报", "Fix login bug", "上线"}),
        ("6月前到期的任务", {"Fix login bug"}),
        ("五月之后到期的任务", {"写周报", "上线", "Write docs", "Call the bank"}),
        ("tasks due in May", {"Fix login bug"}),
    ],
)
def test_a_day_without_a_year_is_this_years_and_keeps_its_bound(
    memory: Memory, question: str, names: set[str]
) -> None:
    """ "Due" and 前 made June 10 next year's, so that "before June 10" listed all of June."""
    assert listed(memory, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("tasks not due in June", {"Fix login bug", "Call the bank"}),
        ("不是六月到期的任务", {"Fix login bug", "Call the bank"}),
        ("tasks not owned by Ann", {"写周报", "上线", "Write docs", "New thing"}),
        ("tasks not owned by Ann or Bob", {"写周报", "上线", "New thing"}),
        ("不是张三负责的任务", set(TASKS) - {"写周报"}),
        ("张三以外的任务", set(TASKS) - {"写周报"}),
        ("除了写周报还有哪些任务", set(TASKS) - {"写周报"}),
        ("tasks other than Write docs", set(TASKS) - {"Write docs"}),
        ("tasks except Bob's", set(TASKS) - {"Write docs"}),
        ("tasks of Ann", {"Fix login bug", "Call the bank"}),
    ],
)
def test_what_is_named_as_not_meant_is_left_out_and_all_others_are_listed(
    memory: Memory, question: str, names: set[str]
) -> None:
    """The name after "not" was taken for the one that is asked about: the list was the opposite of the question."""
    assert listed(memory, question) == names
