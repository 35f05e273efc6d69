"""The labels of a record are its own; lists end where they end; each number has its own facts."""

from __future__ import annotations

from typing import Any

import pytest

from forms_dynamics import Memory

TIME = "2026-11-30T10:00:00+08:00"


def told(text: str) -> tuple[dict[str, list[dict[str, Any]]], list[tuple[str, str | None]]]:
    """Values by Form type, and what was asked."""
    with Memory.open(":memory:", settings={"timezone": "Asia/Shanghai"}) as memory:
        receipt = memory.observe(text, speaker="小周", time=TIME)
        forms: dict[str, list[dict[str, Any]]] = {}
        for form in map(memory.get, receipt.forms):
            values = {name: form[name] for name in form.slots}
            shown = {
                n: list(v) if isinstance(v, tuple) else str(v) for n, v in values.items() if v is not None
            }
            forms.setdefault(form.type, []).append(shown)
        return forms, [(p.form_type, p.slot) for p in memory.pending()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("项目名称：天际，负责人：李娜，截止日期：12月31日。", {"project": [{"name": "天际", "owner": "李娜", "end_date": "2026-12-31"}]}),
        ("Project name: Skyline, owner: Lina, deadline: December 31.", {"project": [{"name": "Skyline", "owner": "Lina", "end_date": "2026-12-31"}]}),
        ("项目名称：Skyline，owner：李娜，deadline：12月31日", {"project": [{"name": "Skyline", "owner": "李娜", "end_date": "2026-12-31"}]}),
        ("负责人：李娜，项目名称：天际", {"project": [{"name": "天际", "owner": "李娜"}]}),
        ("任务名称：写报告，负责人：李娜，状态：进行中", {"task": [{"name": "写报告", "owner": "李娜", "status": "in_progress"}]}),
        ("新建任务：写报告，6月20日截止", {"task": [{"name": "写报告", "due": "2027-06-20"}]}),
        ("Task: Call the landlord, deadline: December 20.", {"task": [{"name": "Call the landlord", "due": "2026-12-20"}]}),
        ("The deadline of task Call the landlord is December 20.", {"task": [{"name": "Call the landlord", "due": "2026-12-20"}]}),
        ("The owner of project Skyline is Dana Reyes.", {"project": [{"name": "Skyline", "owner": "Dana Reyes"}]}),
        ("任务“给房东打电话”的截止日期是12月20日。", {"task": [{"name": "给房东打电话", "due": "2026-12-20"}]}),
        ("地点名称：健身房，城市：苏州。", {"place": [{"name": "健身房", "city": "苏州"}]}),
        ("Place name: Gym, city: Leeds.", {"place": [{"name": "Gym", "city": "Leeds"}]}),
        ("地点名称：Gym，city：苏州", {"place": [{"name": "Gym", "city": "苏州"}]}),
        ("商品名称：打印机，单价899元，订单号A1，订单金额1798元。", {"product": [{"name": "打印机", "price": "899 CNY"}], "order": [{"order_no": "A1", "amount": "1,798 CNY"}]}),
        ("订单号A1，单价899元，订单金额1798元。", {"order": [{"order_no": "A1", "amount": "1,798 CNY"}]}),
        ("Project: Skyline. Owner: Dana. Status: in progress.", {"project": [{"name": "Skyline", "owner": "Dana", "status": "in_progress"}]}),
        # the customer's record keeps what is the customer's
        ("公司名：海蓝电子，截止日期：12月31日，项目名称：天际", {"lead_profile": [{"company": "海蓝电子", "deadline": "2026-12-31"}], "project": [{"name": "天际"}]}),
        ("公司名：海蓝电子，负责人：李娜，截止日期：12月31日", {"lead_profile": [{"company": "海蓝电子", "contact_name": "李娜", "deadline": "2026-12-31"}]}),
        ("订单号：PO-77，状态：已发货", {"order": [{"order_no": "PO-77", "status": "shipped"}]}),
    ],
)  # fmt: skip
def test_bare_labels_are_of_the_record(text: str, expected: dict[str, Any]) -> None:
    assert told(text) == (expected, [])


@pytest.mark.parametrize(
    "text", ["订单A1金额10元，订单A2金额20元。", "订单号：A1，金额：10元；订单号：A2，金额：20元", "Order A1 amount is 10 CNY, order A2 amount is 20 CNY."]
)  # fmt: skip
def test_two_numbers_are_two_forms(text: str) -> None:
    forms, asked = told(text)
    found = sorted(forms["order"], key=lambda f: f["order_no"])
    assert found == [{"order_no": "A1", "amount": "10 CNY"}, {"order_no": "A2", "amount": "20 CNY"}]
    assert not asked


@pytest.mark.parametrize(
    ("text", "names", "more"),
    [
        ("会议主题：评审，参会人员：张伟、李娜，地点：三楼，时间：12月1日下午3点。", ["张伟", "李娜"], {"place": "三楼", "starts_at": "2026-12-01 15:00:00+08:00"}),
        ("会议主题：评审，参会人员：张伟、李娜，主持人：王强", ["张伟", "李娜"], {}),
        ("会议主题：评审，参会人员：张伟、李娜，王强请假", ["张伟", "李娜"], {}),
        ("会议主题：评审，参会人员：张伟、李娜，不包括王强", ["张伟", "李娜"], {}),
        ("会议主题：评审，参会人员：张伟、李娜，请准时到", ["张伟", "李娜"], {}),
        ("Meeting topic: 评审. Participants: Tom, Ana, but not Kim.", ["Tom", "Ana"], {}),
        ("Meeting topic: 评审. Meeting participants: Tom, Ana except Kim.", ["Tom", "Ana"], {}),
        ("Meeting topic: 评审, participants: Tom, Ana, Kim is on leave.", ["Tom", "Ana"], {}),
        ("Meeting topic: 评审, participants: Tom, 李娜, place: Room 3.", ["Tom", "李娜"], {"place": "Room 3"}),
        # names that hold a verb's character, and a comma between names
        ("会议主题：评审，参会人员：张伟，李娜，赵六", ["张伟", "李娜", "赵六"], {}),
        ("会议主题：评审，参会人员：张伟、李娜和赵不凡", ["张伟", "李娜", "赵不凡"], {}),
        ("会议主题：评审，参会人员：张伟、会计小李、林都", ["张伟", "会计小李", "林都"], {}),
        ("Meeting topic: 评审, participants: Tom, Ana and Will", ["Tom", "Ana", "Will"], {}),
    ],
)  # fmt: skip
def test_a_list_ends_where_the_next_statement_begins(
    text: str, names: list[str], more: dict[str, str]
) -> None:
    forms, asked = told(text)
    assert forms == {"meeting": [{"purpose": "评审", "participants": names, **more}]}
    assert not asked


@pytest.mark.parametrize(
    "text",
    [
        "The deadline of the project is December 20 and our budget is 50k USD.",
        "项目进展顺利，负责人是李娜，我们预算50万。",
    ],
)
def test_the_word_for_a_type_alone_names_nothing(text: str) -> None:
    assert "project" not in told(text)[0]


@pytest.mark.parametrize("text", ["任务截止日期：2026年12月31日。", "Task due date: December 31, 2026."])
def test_a_task_without_a_name_is_asked_for_its_name(text: str) -> None:
    assert told(text) == ({"task": [{"due": "2026-12-31"}]}, [("task", "name")])


def test_a_childs_allergy_leaves_nothing_with_the_speaker() -> None:
    assert told("孩子对花生过敏。") == ({"family_member": [{"relation": "child", "health": ["花生"]}]}, [])
