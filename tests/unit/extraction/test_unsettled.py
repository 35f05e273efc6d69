"""What is only meant, comes later or holds for one time does not replace what holds now; what is so is stored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from forms_dynamics import Memory

BARN = """
form_type: barn
aliases: [鸡舍, barn]
identity: [barn_no]
slots:
  barn_no: {type: text, aliases: [舍号, barn number]}
  feed: {type: text, aliases: [饲料, feed]}
  egg_price: {type: money, unit: EUR, aliases: [蛋价, egg price]}
  hens: {type: integer, aliases: [母鸡数, hen count]}
"""
BARNS = ("舍号：B-2，饲料：玉米，蛋价：3欧元，母鸡数：40。",)
LEAD = ("我们公司是云岭食品，预算40万，付款方式分三期付款。", "我住在绍兴。")
LEAD_EN = ("Our company is Corley Mills, budget 90,000 USD.", "I live in Leeds.")


@pytest.fixture
def barns(tmp_path: Path) -> list[Path]:
    (tmp_path / "barn.yaml").write_text(BARN, encoding="utf-8")
    return [tmp_path]


def told(
    first: Sequence[str], last: str, types: Sequence[Path] | None = None
) -> tuple[dict[str, str], list[str]]:
    """slot → value of all Forms behind the texts, and what the last one asks."""
    own = {} if types is None else {"form_types": types, "relation_rules": []}
    with Memory.open(":memory:", settings={"timezone": "Asia/Shanghai"}, **own) as memory:  # type: ignore[arg-type]
        for text in first:
            memory.observe(text, conversation="c", time="2026-05-02T09:00:00+08:00")
        asked = memory.observe(last, conversation="c", time="2026-06-01T09:00:00+08:00").questions
        slots = {n: str(s.value) for f in memory.find() for n, s in f.slots.items() if s.value is not None}
        return slots, list(asked)


@pytest.mark.parametrize(
    ("first", "text"),
    [
        (LEAD, "我们打算把预算提到80万"),
        (LEAD, "公司计划年底前把预算增加到80万"),
        (LEAD, "我们准备把云岭食品的预算提高到80万"),
        (LEAD, "我们想把预算涨到80万"),
        (LEAD, "云岭食品考虑把预算降到30万"),
        (LEAD, "云岭食品可能会在年中评审之后把预算调高到80万"),
        (LEAD, "We might raise the budget of 云岭食品 to 80万."),
        (LEAD, "打算把budget提到80万"),
        (LEAD, "下个月预算会涨到80万"),
        (LEAD, "年底预算将达到80万"),
        (LEAD, "就这一次，预算按60万算"),
        (LEAD, "只限这次预算是60万"),
        (LEAD_EN, "We may raise the budget of Corley Mills to 120,000 USD."),
        (LEAD_EN, "Corley Mills intends to cut its budget to 70,000 USD."),
        (LEAD_EN, "We are thinking of lowering the budget of Corley Mills to 70,000 USD."),
        (LEAD_EN, "They are considering bumping the budget to 120,000 USD."),
        (LEAD_EN, "I hope to double the budget to 180,000 USD."),
        (LEAD_EN, "We're going to raise the budget to 120,000 USD."),
        (LEAD_EN, "We will cut the budget to 70,000 USD."),
        (LEAD_EN, "By next month the budget will be 120,000 USD."),
        (LEAD_EN, "The budget will be 120,000 USD next year."),
        (LEAD_EN, "Just this once the budget is 120,000 USD."),
        (LEAD_EN, "For this order only, the budget is 120,000 USD."),
    ],
)
def test_a_customers_plan_is_asked_about_and_replaces_nothing(first: Sequence[str], text: str) -> None:
    before, _ = told(first, "ok")
    after, asked = told(first, text)
    assert (after, len(asked)) == (before, 1)


@pytest.mark.parametrize(
    "text",
    [
        "打算把B-2的饲料换成小麦",
        "准备给B-2换饲料，下周把B-2的饲料可能换成小麦",
        "我想把B-2的饲料换成小麦",
        "We plan to switch the feed of B-2 to wheat.",
        "We might raise the egg price of B-2 to 5 EUR.",
        "May raise the egg price of B-2 to 5 EUR.",
        "就这一次B-2的蛋价是5欧元",
        "Only this time the egg price of B-2 is 5 EUR.",
        "By July the egg price of B-2 will be 5 EUR.",
        "计划把B-2的母鸡数增加到60",
    ],
)
def test_plans_for_a_thing_of_an_own_type_replace_nothing(barns: list[Path], text: str) -> None:
    before, _ = told(BARNS, "ok", barns)
    assert told(BARNS, text, barns)[0] == before


@pytest.mark.parametrize(
    ("first", "text"),
    [
        (LEAD, "我打算搬到宁波。"),
        (LEAD, "我计划明年搬去宁波"),
        (LEAD, "我想搬到宁波"),
        (LEAD, "我决定搬到宁波"),
        (LEAD, "打算把城市改成宁波"),
        (LEAD, "我不打算搬到宁波"),
        (LEAD, "我本来打算搬到宁波"),
        (LEAD_EN, "I'm planning to move to York."),
        (LEAD_EN, "I might move to York."),
        (LEAD_EN, "I have no plans to move to York."),
    ],
)
def test_where_people_mean_to_live_is_not_where_they_live(first: Sequence[str], text: str) -> None:
    before, _ = told(first, "ok")
    assert told(first, text) == (before, [])


@pytest.mark.parametrize(
    ("first", "text", "slot", "value"),
    [
        (LEAD, "我们把预算提到80万了", "budget", "800,000 CNY"),
        (LEAD, "我们决定把预算提到80万", "budget", "800,000 CNY"),
        (LEAD, "我想把预算改成80万", "budget", "800,000 CNY"),
        (LEAD, "考虑了很久，预算提到80万", "budget", "800,000 CNY"),
        (LEAD, "我们打算换一批设备预算是80万", "budget", "800,000 CNY"),
        (LEAD, "我搬到宁波了", "city", "宁波"),
        (LEAD_EN, "We have raised the budget of Corley Mills to 120,000 USD.", "budget", "120,000 USD"),
        (LEAD_EN, "We plan to replace our ERP with a budget of 120,000 USD.", "budget", "120,000 USD"),
        (LEAD_EN, "We are planning to move offices and our budget is 120,000 USD.", "budget", "120,000 USD"),
        (LEAD_EN, "I'd like to change the budget to 120,000 USD.", "budget", "120,000 USD"),
        (LEAD_EN, "In May we raised the budget to 120,000 USD.", "budget", "120,000 USD"),
        (LEAD_EN, "The budget will be 120,000 USD.", "budget", "120,000 USD"),
        (LEAD_EN, "This time the budget is 120,000 USD.", "budget", "120,000 USD"),
        (LEAD_EN, "I moved to York.", "city", "York"),
    ],
)
def test_what_is_so_is_stored_without_a_question(
    first: Sequence[str], text: str, slot: str, value: str
) -> None:
    before, _ = told(first, "ok")
    assert told(first, text) == ({**before, slot: value}, [])


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("B-2的饲料换成小麦", "feed", "小麦"),
        ("把B-2的饲料换成小麦", "feed", "小麦"),
        ("The egg price of B-2 is now 5 EUR.", "egg_price", "5 EUR"),
        ("B-2的蛋价涨到5欧元", "egg_price", "5 EUR"),
        ("B-2的母鸡数是60", "hens", "60"),
    ],
)
def test_what_is_so_of_a_thing_is_stored(barns: list[Path], text: str, slot: str, value: str) -> None:
    before, _ = told(BARNS, "ok", barns)
    assert told(BARNS, text, barns) == ({**before, slot: value}, [])


@pytest.mark.parametrize(
    ("text", "slot"),
    [("当前意图：订外卖，就这一次", "intent"), ("就这一次，临时地址：浦东机场旁的酒店", "address")],
)
def test_what_is_passing_anyway_is_stored(text: str, slot: str) -> None:
    with Memory.open(":memory:") as memory:
        assert not memory.observe(text).questions
        assert [slot] == [name for form in memory.find() for name in form.slots]
