"""A made-up sales office: customers with a lead and a quote each, a third of whom later change their budget.

Half are written in Chinese, half in English; names share their parts, as real ones do; every budget is unique,
so that a right answer cannot come from another customer. The same seed gives the same office.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from forms_dynamics import Draft, RelationDraft, SlotDraft

FORM_TYPES = """
form_type: lead
version: 1
aliases: [线索, lead, leads]
identity: {any: [[lead_no], [company]]}
slots:
  lead_no: {type: text, aliases: [线索号, lead number]}
  company: {type: text, aliases: [公司, company]}
  industry: {type: text, aliases: [行业, industry]}
  contact_role: {type: text, aliases: [联系人职务, contact role]}
  budget: {type: money, aliases: [预算, budget]}
  payment_terms: {type: text, aliases: [付款条件, payment terms]}
  deadline: {type: date, aliases: [截止日期, deadline]}
---
form_type: quote
version: 1
aliases: [报价单, quote, quotes]
identity: [quote_no]
slots:
  quote_no: {type: text, aliases: [报价单号, quote number]}
  amount: {type: money, unit: CNY, aliases: [报价金额, quoted amount]}
---
relation: refers_to
from: quote
to: lead
cardinality: many_to_one
strength: {weight: 0.9, floor: 0.7, half_life_days: 30}
"""

_EN_FIRST = (
    "Anvil Arbor Argent Autumn Beacon Bishop Boulder Bramble Breeze Bronze Cascade Castle Chalk Compass Cypress "
    "Dawn Dapple Dolphin Drum Eagle Elm Evergreen Fathom Feather Fjord Fox Garnet Glacier Gull Hearth Hemlock Hollow "
    "Horizon Iris Kestrel Lantern Linden Lynx Marble Meadow Mist Moss Nimbus Oriole Otter Pebble Pine Plover Prairie "
    "Quill Rowan Ruby Sail Silver Sparrow Spruce Swan Thistle Thunder Timber Topaz Tundra Velvet Walnut Whistle"
).split()
_EN_SECOND = (
    "Acre Bank Barn Basin Bend Bluff Bough Branch Brook Cairn Cape Chase Cross Dale Dell Dock Downs Fen Glade Gorge "
    "Grange Green Gulch Heath Hook Inlet Jetty Keep Ledge Lock Lodge Marsh Mead Mews Notch Pass Pier Pike Place "
    "Plain Ranch Rapids Rest Ridge Rise Row Shelf Shoal Slope Sound Spur Strand Summit Terrace Tower Vale View Wharf"
).split()
_EN_TRADE = (
    "Freight,Imports,Bakery,Automation,Fabrics,Lenses,Biotech,Solar,Tooling,Cartons,Systems,Engines".split(
        ","
    )
)
_EN_TOWN = "Aldham Brixby Carlow Denholm Eskdale Farley Grantham Halden Ilford Kelso".split()
_ZH = list(
    "安柏昌辰川德东帆丰福冠海和恒宏华皓嘉建江锦景凯康朗乐黎联亮凌龙鹿明宁平启乔青庆荣瑞森盛水松泰天庭同万伟文祥新兴轩亚阳一永优宇远源越云泽展振正志中卓"
)
_ZH_TRADE = "货运 进出口 烘焙 自动化 面料 光电 生物 光伏 工具 纸箱 系统 动力".split()
ENGLISH_NAMES = len(_EN_FIRST) * len(_EN_SECOND) * len(_EN_TRADE) * len(_EN_TOWN)  # with a town
CHINESE_NAMES = len(_ZH) ** 2 * 8 * len(_ZH_TRADE)
_EN_INDUSTRY = (
    "cold storage,sea freight,frozen bread,line robots,outdoor fabrics,camera lenses,vaccines".split(",")
)
_ZH_INDUSTRY = "冷库,海运,冷冻面包,产线机器人,户外面料,镜头,疫苗".split(",")
_EN_ROLE = "head of buying,finance director,site manager,IT manager,owner,chief engineer".split(",")
_ZH_ROLE = "采购主管,财务经理,车间主任,信息经理,老板,总工程师".split(",")


@dataclass(frozen=True)
class Customer:
    """All that is ever said of one customer; ``changed`` is the later budget, where there is one."""

    number: int
    zh: bool
    company: str
    lead_no: str
    quote_no: str
    industry: str
    role: str
    budget: int
    changed: int | None
    terms: str
    deadline: str
    amount: int

    @property
    def current(self) -> int:
        return self.budget if self.changed is None else self.changed

    def money(self, amount: int) -> str:
        return f"人民币{amount:,}元" if self.zh else f"USD {amount:,}"


@dataclass(frozen=True)
class Said:
    """A message and what an ideal extractor reads in it; ``facts`` slots."""

    id: str
    text: str
    drafts: tuple[Draft, ...]
    facts: int
    kind: str


def customers(count: int, seed: int = 7) -> list[Customer]:
    """The office; ``count`` up to 600,000. Where short English names run out, each has its town behind it."""
    rng = random.Random(seed)
    short = ENGLISH_NAMES // len(_EN_TOWN)
    towns = count // 2 + 1 > short
    english = rng.sample(range(ENGLISH_NAMES if towns else short), count // 2 + 1)
    chinese = rng.sample(range(CHINESE_NAMES), count // 2 + 1)
    budgets = rng.sample(range(1_000_000, 99_000_000), 2 * count)
    out = []
    for i in range(count):
        zh = i % 2 == 1
        share, days = rng.choice((10, 20, 30, 40, 50)), rng.randint(10, 90)
        out.append(
            Customer(
                number=i,
                zh=zh,
                company=chinese_company(chinese[i // 2]) if zh else english_company(english[i // 2], towns),
                lead_no=f"L-{i + 1:06d}",
                quote_no=f"Q-{900_000 - i}",
                industry=rng.choice(_ZH_INDUSTRY if zh else _EN_INDUSTRY),
                role=rng.choice(_ZH_ROLE if zh else _EN_ROLE),
                budget=budgets[2 * i],
                changed=budgets[2 * i + 1] if rng.random() < 0.3 else None,
                terms=f"预付{share}%，余款{days}天" if zh else f"{share}% upfront, rest net {days}",
                deadline=f"2027-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}",
                amount=rng.randint(100_000, 999_999),
            )
        )
    return out


def english_company(n: int, town: bool = False) -> str:
    """The ``n``-th of some 32,000 names; with a ``town`` of ten times as many."""
    if town:
        n, place = divmod(n, len(_EN_TOWN))
        return f"{english_company(n)} {_EN_TOWN[place]}"
    n, trade = divmod(n, len(_EN_TRADE))
    first, second = divmod(n, len(_EN_SECOND))
    return f"{_EN_FIRST[first]} {_EN_SECOND[second]} {_EN_TRADE[trade]}"


def chinese_company(n: int) -> str:
    """The ``n``-th of some 400,000 names."""
    n, trade = divmod(n, len(_ZH_TRADE))
    n, third = divmod(n, 8)
    first, second = divmod(n, len(_ZH))
    return f"{_ZH[first]}{_ZH[second]}{_ZH[third]}{_ZH_TRADE[trade]}有限公司"


def said(office: Sequence[Customer], block: int = 20) -> Iterator[Said]:
    """What is said, in order: leads and quotes of a block, then the changes of the block before."""
    before: list[Customer] = []
    for start in range(0, len(office), block):
        now = office[start : start + block]
        for customer in now:
            yield _lead(customer)
            yield _quote(customer)
        yield from (_change(c) for c in before if c.changed is not None)
        before = now
    yield from (_change(c) for c in before if c.changed is not None)


def _slot(value: str, confidence: float = 0.95) -> SlotDraft:
    return SlotDraft(value, confidence, value, tier="script")


def _lead(c: Customer) -> Said:
    budget = c.money(c.budget)
    text = (
        f"登记线索{c.lead_no}：公司是{c.company}，行业{c.industry}，对接人是{c.role}。预算{budget}，付款条件为{c.terms}，截止{c.deadline}。"
        if c.zh
        else f"Please file lead {c.lead_no}: company {c.company}, industry {c.industry}, we talk to the {c.role}. "
        f"Budget {budget}, payment terms {c.terms}, deadline {c.deadline}."
    )
    slots = {
        "lead_no": c.lead_no, "company": c.company, "industry": c.industry, "contact_role": c.role,
        "budget": budget, "payment_terms": c.terms, "deadline": c.deadline,
    }  # fmt: skip
    draft = Draft("lead", {k: _slot(v) for k, v in slots.items()})
    return Said(f"lead-{c.number}", text, (draft,), len(slots), "lead")


def _quote(c: Customer) -> Said:
    amount = f"{c.amount:,}"
    text = (
        f"报价单{c.quote_no}已发出，对应线索{c.lead_no}，金额{amount}。"
        if c.zh
        else f"Quote {c.quote_no} is out, it belongs to lead {c.lead_no}, amount {amount}."
    )
    draft = Draft(
        "quote",
        {"quote_no": _slot(c.quote_no), "amount": _slot(amount)},
        (RelationDraft("refers_to", {"form_type": "lead", "lead_no": c.lead_no}),),
    )
    return Said(f"quote-{c.number}", text, (draft,), 2, "quote")


def _change(c: Customer) -> Said:
    assert c.changed is not None
    budget = c.money(c.changed)
    text = (
        f"{c.company}（线索{c.lead_no}）的预算现在是{budget}。"
        if c.zh
        else f"The budget of {c.company} (lead {c.lead_no}) is now {budget}."
    )
    draft = Draft("lead", {"lead_no": _slot(c.lead_no), "company": _slot(c.company), "budget": _slot(budget)})
    return Said(f"change-{c.number}", text, (draft,), 1, "change")


def budget_question(c: Customer) -> str:
    """In the customer's language; a quarter of those of Chinese customers in English."""
    return (
        f"{c.company}的预算是多少？" if c.zh and c.number % 8 != 1 else f"What is the budget of {c.company}?"
    )


def terms_question(c: Customer) -> str:
    """Two hops: from the quote to its lead's payment terms."""
    if c.zh and c.number % 8 != 1:
        return f"报价单{c.quote_no}对应的线索，付款条件是什么？"
    return f"What are the payment terms of the lead behind quote {c.quote_no}?"
