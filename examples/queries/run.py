"""Questions over several Forms, declared once: python examples/queries/run.py

Who joined the meetings of a project, who joined all of them, why a task is late; asked by name, in words (zh and en),
and as of an earlier day. No model, no network; a fixed clock, so that it prints the same on every day.
"""

from __future__ import annotations

from pathlib import Path

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

HERE = Path(__file__).resolve().parent
TYPES = ["project", "meeting", "person", "task", HERE / "queries.yaml"]


def fill(memory: Memory) -> None:
    memory.record("project", {"name": "天穹", "owner": "张三"})
    for name, role in (("张三", "项目经理"), ("李四", "后端"), ("王五", "测试")):
        memory.record("person", {"name": name, "role": role})
    for purpose, day, people in (
        ("需求评审", "2026-06-01", ["张三", "李四"]),
        ("接口评审", "2026-06-04", ["张三", "李四", "王五"]),
        ("上线评审", "2026-06-09", ["张三", "王五"]),
    ):
        begins = f"{day}T10:00:00+08:00"
        memory.record(
            "meeting",
            {
                "purpose": purpose,
                "project": "天穹",
                "starts_at": begins,
                "participants": people,
                "status": "held",
            },
        )
    for name, due, owner, status, waits in (
        ("上线", "2026-06-10", "张三", "blocked", ["联调"]),
        ("联调", "2026-06-08", "李四", "in_progress", ["测试环境"]),
        ("测试环境", "2026-06-05", "王五", "todo", []),
    ):
        slots = {"name": name, "due": due, "owner": owner, "status": status}
        memory.record("task", {**slots, "depends_on": waits} if waits else slots)


def main() -> None:
    clock = FixedClock("2026-06-12T09:00:00+08:00")
    with Memory.open(
        ":memory:", form_types=TYPES, clock=clock, settings={"timezone": "Asia/Shanghai"}
    ) as memory:
        fill(memory)

        print("By name")
        result = memory.query("joined_meetings", project="天穹", since="2026-06-03")
        print(f"  {result.text}")
        for left in result.left_out:
            print(f"  left out at {left.step}: {left.count} by {left.rule}")
        print(f"  {memory.query('joined_all_meetings', project='天穹', lang='en').text}")

        print("\nWhy")
        late = memory.query("why_late", task="上线")
        print(f"  {late.text}")
        names = {id: form["name"] for id, form in late.forms.items()}
        for row in late:
            [path, *_] = row.paths
            blocked = [walk for walk in path if walk.step == "blockers"]
            print("  " + " → ".join([names[blocked[0].source], *(names[walk.target] for walk in blocked)]))

        print("\nAsked in words")
        for question in (
            "请问谁参加了天穹项目的所有会议？",
            "Who joined the meetings of 天穹?",
            "上线怎么还没完成呢",
            "有哪些逾期任务？",
        ):
            context = memory.recall(question)
            print(f"  {question}")
            print(f"    {context.text.splitlines()[2]}  (confidence {context.confidence})")

        print("\nAs of an earlier day")
        clock.advance(days=3)
        [environment] = memory.find("task", name="测试环境")
        memory.record("task", {"name": "测试环境", "status": "completed"})
        print(f"  now     {memory.query('why_late', task='上线').text}")
        print(f"  before  {memory.query('why_late', task='上线', as_of='2026-06-13T00:00:00+08:00').text}")
        assert memory.get(environment.id)["status"] == "completed"


if __name__ == "__main__":
    main()
