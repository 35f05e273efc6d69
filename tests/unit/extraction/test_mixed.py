"""Sentences half Chinese, half English: what is stored, held, and not stored."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory, Money, Range
from forms_dynamics.language.normal import language
from forms_dynamics.testing import FixedClock

NOW = datetime.fromisoformat("2026-06-10T10:00:00+08:00")  # a Wednesday
OPS = """\
form_type: meeting
aliases: [会议, meeting]
slots:
  start: {type: datetime, aliases: [会议时间, meeting time]}
  room:  {type: text, aliases: [会议室, room]}
---
form_type: order
aliases: [订单, order]
identity: [order_no]
slots:
  order_no: {type: text, aliases: [订单号, order number, Order 号]}
  status:   {type: enum, aliases: [订单状态, 状态, status], values: {shipped: [已发货, 发货了], paid: [已付款]}}
  weight:   {type: number, unit: kg, aliases: [重量, weight]}
  lead_time: {type: duration, aliases: [备货期, lead time]}
  discount: {type: percent, aliases: [折扣率, discount]}
"""


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """One store; each sentence is a user of its own."""
    ops = tmp_path_factory.mktemp("mixed") / "ops.yaml"
    ops.write_text(OPS, encoding="utf-8")
    types: list[str | Path] = ["user_profile", "preference", "lead_profile", "quote_form", ops]
    with Memory.open(":memory:", form_types=types, clock=FixedClock(NOW)) as memory:
        yield memory


def _plain(value: Any) -> Any:
    if isinstance(value, Money):
        return f"{value.amount.normalize():f} {value.currency}"
    if isinstance(value, Range):
        return (_plain(value.min), _plain(value.max))
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    return value


def told(memory: Memory) -> tuple[dict[str, Any], dict[str, Any]]:
    """Known values and values held, by slot; avoided values under ``not <slot>``."""
    known = {
        name: _plain(slot.value)
        for form in memory.find()
        for name, slot in form.slots.items()
        if slot.status == "known" and slot.value is not None
    }
    known |= {
        f"not {name}": tuple(sorted(slot.avoided))
        for form in memory.find()
        for name, slot in form.slots.items()
        if slot.avoided
    }
    held = {p.slot: _plain(p.value) for p in memory.pending() if p.reason != "identity_missing"}
    return known, held


STORED: list[tuple[str, dict[str, Any]]] = [
    # slots
    ("我们的 budget 是 50万 RMB", {"budget": "500000 CNY"}),
    ("Our 预算 is 50万", {"budget": "500000 CNY"}),
    ("预算 is $50k", {"budget": "50000 USD"}),
    ("budget：５０万元", {"budget": "500000 CNY"}),
    ("our budget is 五十万", {"budget": "500000 CNY"}),
    ("budget between 40万 and 50万", {"budget": ("400000 CNY", "500000 CNY")}),
    ("预算 40-50万 RMB", {"budget": ("400000 CNY", "500000 CNY")}),
    ("预算不超过 $60k", {"budget": (None, "60000 USD")}),
    ("budget up to 60万", {"budget": (None, "600000 CNY")}),
    ("budget 不是50万，是60万", {"budget": "600000 CNY"}),
    ("Correction: 预算 is 60万", {"budget": "600000 CNY"}),
    ("更正：budget 是 60万", {"budget": "600000 CNY"}),
    ("Payment terms: 分三期付款", {"payment_terms": "分三期付款"}),
    ("付款 net 45", {"payment_terms": "net 45"}),
    # traditional script, full width
    ("我們的預算是五十萬", {"budget": "500000 CNY"}),
    ("我們公司是海藍電子，budget 是 50萬", {"company": "海藍電子", "budget": "500000 CNY"}),
    ("我對 peanuts 過敏", {"allergies": ("peanuts",)}),
    ("phone：１３８００１３８０００，budget：５０萬", {"phone": "13800138000", "budget": "500000 CNY"}),
    # dates and times
    ("deadline 是 next Friday", {"deadline": "2026-06-19"}),
    ("我们的 deadline 是下周五", {"deadline": "2026-06-19"}),
    ("交期 is June 30, 2026", {"deadline": "2026-06-30"}),
    ("交付 before 6月30日", {"deadline": "2026-06-30"}),
    ("我们 need it by 6月30日", {"deadline": "2026-06-30"}),
    ("Please 把 meeting 改到下周三 3pm, room 换成 A301",
     {"start": "2026-06-17T15:00:00+08:00", "room": "A301"}),
    ("会议时间 is next Wednesday 下午3点", {"start": "2026-06-17T15:00:00+08:00"}),
    # names in the other script
    ("我叫 Dana Reyes，I live in Leeds", {"name": "Dana Reyes", "city": "Leeds"}),
    ("My name is 王建国", {"name": "王建国"}),
    ("My name is 李娜, 我住在苏州", {"name": "李娜", "city": "苏州"}),
    ("我 live in 苏州", {"city": "苏州"}),
    ("Call me 小李", {"preferred_name": "小李"}),
    ("我们公司是 Northlake Foods，预算50万", {"company": "Northlake Foods", "budget": "500000 CNY"}),
    ("Northlake Foods 的预算是 120k USD", {"company": "Northlake Foods", "budget": "120000 USD"}),
    ("我们是 Calder Optics, budget 30万", {"company": "Calder Optics", "budget": "300000 CNY"}),
    ("Our company is 海蓝电子, budget is 500k RMB", {"company": "海蓝电子", "budget": "500000 CNY"}),
    ("海蓝电子's budget is 50万", {"company": "海蓝电子", "budget": "500000 CNY"}),
    ("海蓝电子 budget 50万，deadline June 30", {"company": "海蓝电子", "budget": "500000 CNY", "deadline": "2026-06-30"}),
    ("Northlake Foods' budget is 50万", {"company": "Northlake Foods", "budget": "500000 CNY"}),
    ("公司：Northlake Foods，budget：50万，deadline：2026-09-30",
     {"company": "Northlake Foods", "budget": "500000 CNY", "deadline": "2026-09-30"}),
    ("联系人是 Dana Reyes，电话 +44 20 7946 0111", {"contact_name": "Dana Reyes", "phone": "+44 20 7946 0111"}),
    ("contact 是王建国, phone: 13800138000", {"contact_name": "王建国", "phone": "13800138000"}),
    ("我的email是 li@x.com, phone 13800138000", {"email": "li@x.com", "phone": "13800138000"}),
    ("My 邮箱 is li@x.com", {"email": "li@x.com"}),
    # ids, choices, units
    ("Order 号 A-102 的 status 是 shipped", {"order_no": "A-102", "status": "shipped"}),
    ("订单号 A-102 的状态是 shipped", {"order_no": "A-102", "status": "shipped"}),
    ("order number A-102, 状态：已发货", {"order_no": "A-102", "status": "shipped"}),
    ("Quote number Q-7, 客户：海蓝电子, 总价：58万", {"quote_no": "Q-7", "company": "海蓝电子", "amount": "580000 CNY"}),
    ("订单号 A-102，weight 是 35公斤", {"order_no": "A-102", "weight": 35}),
    ("订单号 A-102，lead time 是两周", {"order_no": "A-102", "lead_time": "P2W"}),
    ("order number A-102, 折扣率 is 5%", {"order_no": "A-102", "discount": 5}),
    # tastes
    ("我喜欢 oat milk", {"liked": ("oat milk",)}),
    ("I like 豆浆", {"liked": ("豆浆",)}),
    ("我 like 豆浆", {"liked": ("豆浆",)}),
    ("我不吃 cilantro，也不喝 coffee", {"not liked": ("cilantro", "coffee")}),
    ("I don't eat 香菜", {"not liked": ("香菜",)}),
    ("我对 peanuts 过敏", {"allergies": ("peanuts",)}),
    ("I'm allergic to 芒果", {"allergies": ("芒果",)}),
]  # fmt: skip

# what is held, and what is known beside it
HELD: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("我们 budget 大概 50万 RMB, deadline 是 next Friday 之前", {"budget": "500000 CNY"}, {"deadline": "2026-06-19"}),
    ("我们 budget maybe 50万", {"budget": "500000 CNY"}, {}),
    ("budget 大概 $50k", {"budget": "50000 USD"}, {}),
    ("我们预算 around 50万", {"budget": "500000 CNY"}, {}),
    ("预算50k USD 左右", {"budget": "50000 USD"}, {}),
    ("预算 roughly 80k", {"budget": "80000 CNY"}, {}),
    ("budget 初步定 60万", {"budget": "600000 CNY"}, {}),
    ("budget 是 50万 I think", {"budget": "500000 CNY"}, {}),
    ("I think 预算是50万", {"budget": "500000 CNY"}, {}),
    ("the budget is 50k 吧", {"budget": "50000 CNY"}, {}),
    ("預算大約５０萬", {"budget": "500000 CNY"}, {}),
    ("deadline 可能是 next Friday", {"deadline": "2026-06-19"}, {}),
    ("交期 maybe 6月30日", {"deadline": "2026-06-30"}, {}),
    ("海蓝电子's budget is probably 50万", {"budget": "500000 CNY"}, {"company": "海蓝电子"}),
]  # fmt: skip

NOTHING = [
    "Order 的 status 是 shipped 吗？",
    "要是 budget 有 100万就好了",
    "If only 预算 were 100万",
    "你们觉得 budget 定多少合适？",
    "What 预算 would you suggest?",
    "budget 是50万吗？",
    "Is the 预算 50万?",
    "Tom 说 budget 是 50万",
    "老板 said budget is 50k",
    "my boss 说预算50万",
    "王总 told me the budget is 50k",
    "budget TBD",
    "预算 to be confirmed",
    "just kidding，预算50万",
    "你喜欢 oat milk 吗？",
    "我妈不吃 cilantro",
    "My 同事 is allergic to 花生",
    "我用 Google 查了一下",
    "下午在 Starbucks 见",
]


def _user(text: str) -> str:
    return f"u{abs(hash(text))}"


@pytest.mark.parametrize(("text", "known"), STORED, ids=[t for t, _ in STORED])
def test_stored(memory: Memory, text: str, known: dict[str, Any]) -> None:
    mine = memory.scoped(user=_user(text))
    assert mine.observe(text, speaker="li").state == "stored"
    assert told(mine) == (known, {})


@pytest.mark.parametrize(("text", "held", "known"), HELD, ids=[t for t, _, _ in HELD])
def test_held(memory: Memory, text: str, held: dict[str, Any], known: dict[str, Any]) -> None:
    mine = memory.scoped(user=_user(text))
    mine.observe(text, speaker="li")
    assert told(mine) == (known, held)


@pytest.mark.parametrize("text", NOTHING)
def test_not_stored(memory: Memory, text: str) -> None:
    mine = memory.scoped(user=_user(text))
    mine.observe(text, speaker="li")
    assert told(mine) == ({}, {})


def test_a_question_names_the_order_and_no_status(memory: Memory) -> None:
    mine = memory.scoped(user="asks")
    mine.observe("Order 号 A-102 的 status 是 shipped 吗？", speaker="li")
    assert told(mine) == ({"order_no": "A-102"}, {})


QUESTIONS = [
    ("What is 海蓝电子's budget?", "en", "500,000 CNY"),
    ("What's the 预算 of 海蓝电子?", "en", "500,000 CNY"),
    ("海蓝电子的 budget 是多少？", "zh", "50万"),
    ("海蓝电子 budget 多少", "zh", "50万"),
    ("Northlake Foods 的预算是多少？", "zh", "120,000 USD"),
    ("Northlake Foods 的 deadline 是哪天？", "zh", "2026-09-30"),
    ("What is the 交期 of Northlake Foods?", "en", "2026-09-30"),
    ("How does 海蓝电子 pay?", "en", "月结30天"),
    ("海藍電子的付款方式？", "zh", "月结30天"),
    ("ＮＯＲＴＨＬＡＫＥ　Ｆｏｏｄｓ 的预算？", "zh", "120,000 USD"),
]


@pytest.mark.parametrize(("question", "lang", "answer"), QUESTIONS)
def test_a_question_in_the_other_language_finds_it(
    memory: Memory, question: str, lang: str, answer: str
) -> None:
    mine = memory.scoped(user="sales")
    if not mine.find():
        mine.observe("公司名：海蓝电子，预算：50万，付款方式：月结30天", speaker="li", conversation="a")
        mine.observe(
            "Company: Northlake Foods. Budget: 120,000 USD. Deadline: September 30, 2026.",
            speaker="dana",
            conversation="b",
        )
    context = mine.recall(question)
    assert answer in context.text.replace("（500,000 CNY）", ""), context.text
    assert len(context.forms) == 1
    # the answer is in the language of the question's grammar
    assert language(question) == lang
    assert ("【Agent工作记忆】" in context.text) == (lang == "zh")
