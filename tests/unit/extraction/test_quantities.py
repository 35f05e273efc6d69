"""How many of a thing is no name of a firm."""

from __future__ import annotations

import pytest

from forms_dynamics import Memory


@pytest.mark.parametrize(
    "text", ["全部设备的交期改到8月22日。", "其余材料的预算是20万。", "剩余设备的付款方式是月结。"]
)
def test_a_quantity_of_things_names_no_firm(text: str) -> None:
    memory = Memory.open(":memory:", form_types=["lead_profile"])
    memory.observe("我们公司是柏志帆工具有限公司，预算62万。")
    memory.observe(text)
    assert [form["company"] for form in memory.find("lead_profile")] == ["柏志帆工具有限公司"]


def test_a_firm_that_ends_in_a_thing_stays_one() -> None:
    memory = Memory.open(":memory:", form_types=["lead_profile"])
    memory.observe("华东设备的交期改到8月22日。")
    assert [form["company"] for form in memory.find("lead_profile")] == ["华东设备"]
