"""Made-up service dialogues of 25 turns: a customer of an equipment supplier with a budget, orders, a complaint.

What is said first (budget, terms of payment) matters in the end; on the way the budget changes, the deadline, a telephone
number and the state of orders, and most of the talk is about other things. The same seed gives the same dialogue; no two are alike in
customer, values, wording or order of topics.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.customers import chinese_company, english_company

TURNS = 25


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that the answer of a turn needs. ``now``: spellings of it, any of which will do; ``old``: of values
    that it has displaced."""

    now: Sequence[str]
    old: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """What the customer says, what the assistant answers, what a tool returned in between (Form type → slots), and
    what the answer needed."""

    said: str
    answer: str
    records: Sequence[tuple[str, Mapping[str, Any]]] = ()
    needs: Sequence[Fact] = ()


@dataclass(slots=True)
class _Case:
    """The values of one dialogue."""

    rng: random.Random
    lang: str
    company: str
    name: str
    values: dict[str, Any] = field(default_factory=dict)


_NAMES = {"zh": "王敏 李建国 陈思远 赵晓燕 周立 孙倩 吴桐 郑浩 冯雪 许文博".split(),
          "en": "Dana Reyes|Priya Nair|Tom Hale|Marta Kowal|Owen Price|Lena Fischer|Sam Okoro|Ruth Bell".split("|")}  # fmt: skip
_GOODS = {"zh": "标签打印机 条码扫描枪 电动叉车 温控冷柜 包装机 金属货架 工业除湿机 称重输送带".split(),
          "en": "label printer|barcode scanner|pallet truck|cold cabinet|packing machine|steel shelf|dehumidifier|"
                "checkweigher".split("|")}  # fmt: skip
_TERMS = {
    "zh": ["分三期付款", "分两期付款", "分四期付款", "月结30天", "月结60天"],
    "en": ["three instalments", "two instalments", "four instalments", "net 45", "net 60"],
}
_FAULT = {"zh": ["外壳开裂", "开不了机", "少了配件", "噪音很大"],
          "en": ["a cracked case", "a dead display", "missing cables", "a loud fan"]}  # fmt: skip


def dialogue(lang: str, seed: int) -> list[Turn]:
    """The 25 turns of one dialogue in ``lang`` (zh or en)."""
    rng = random.Random(f"{lang}/{seed}")
    company = (chinese_company if lang == "zh" else english_company)(rng.randrange(30_000))
    case = _Case(rng, lang, company, rng.choice(_NAMES[lang]))
    goods = rng.sample(_GOODS[lang], 3)
    budgets = rng.sample(range(20, 96), 2)
    v = case.values
    v.update(
        company=company, name=case.name, terms=rng.choice(_TERMS[lang]), fault=rng.choice(_FAULT[lang]),
        p1=goods[0], p2=goods[1], p3=goods[2], few=rng.randint(2, 3),
        phone=_phone(lang, rng, "138"), phone2=_phone(lang, rng, "139"),
    )  # fmt: skip
    for i, key in enumerate(("b1", "b2")):
        v[key] = f"{budgets[i]}万" if lang == "zh" else f"{budgets[i]},000 USD"
    v["day"] = f"8月{rng.randint(1, 28)}日" if lang == "zh" else f"August {rng.randint(1, 28)}, 2026"
    for n in (1, 2, 3):
        amount = rng.randrange(3000, 90_000) // 10 * 10
        v[f"o{n}"] = f"{rng.choice('ABDKR')}{rng.randrange(10_000, 99_999)}"
        v[f"q{n}"] = rng.randint(3, 12)
        v[f"a{n}"] = f"{amount:,}"
        v[f"amount{n}"] = amount
        v[f"d{n}"] = f"2026-07-{rng.randint(1, 28):02d}"
    return _turns(case)


def _turns(case: _Case) -> list[Turn]:
    texts = ZH if case.lang == "zh" else EN
    v, rng = case.values, case.rng

    def turn(
        key: str, records: Sequence[tuple[str, Mapping[str, Any]]] = (), needs: Sequence[Fact] = ()
    ) -> Turn:
        said, answer = texts[key]
        told = rng.choice(said) if isinstance(said, list) else said
        return Turn(told.format(**v), answer.format(**v), records, needs)

    def order(n: int, status: str) -> tuple[str, Mapping[str, Any]]:
        currency = "CNY" if case.lang == "zh" else "USD"
        slots = {
            "order_no": v[f"o{n}"], "customer": v["company"], "items": [f"{v[f'p{n}']} × {v[f'q{n}']}"],
            "amount": {"value": f"{v[f'amount{n}']} {currency}"}, "delivery_date": v[f"d{n}"], "status": status,
        }  # fmt: skip
        return "order", slots

    complaint = ("complaint", _complaint(case))
    fixed: dict[int, Callable[[], Turn]] = {
        1: lambda: turn("opening"),
        2: lambda: turn("contact"),
        3: lambda: turn("order1", [order(1, "placed")]),
        6: lambda: turn("order2", [order(2, "placed")]),
        rng.choice((8, 9, 10)): lambda: turn("budget"),
        12: lambda: turn("state1", [order(1, "shipped")]),
        14: lambda: turn("complaint", [complaint]),
        16: lambda: turn("deadline"),
        17: lambda: turn("phone"),
        18: lambda: turn("order3", [order(3, "placed")]),
        20: lambda: turn("ask_order", needs=[_amount(v, 1), Fact([v["d1"]])]),
        25: lambda: turn("ask_budget", needs=[Fact(_spelt(v["b2"]), _spelt(v["b1"])), Fact([v["terms"]])]),
    }
    rest = rng.sample([key for key in texts if key.startswith("talk")], TURNS - len(fixed))
    return [fixed[i]() if i in fixed else turn(rest.pop()) for i in range(1, TURNS + 1)]


def _phone(lang: str, rng: random.Random, begins: str) -> str:
    if lang == "zh":
        return f"{begins}{rng.randrange(10**8):08d}"
    return f"+44 20 7{rng.randrange(100, 1000)} {rng.randrange(10**4):04d}"


def _complaint(case: _Case) -> Mapping[str, Any]:
    v = case.values
    told = f"{v['p1']}：{v['fault']}" if case.lang == "zh" else f"{v['p1']}: {v['fault']}"
    return {"complaint_no": f"C-{v['o1'][1:]}", "subject": told, "order_no": v["o1"], "status": "open"}


def _amount(v: Mapping[str, Any], n: int) -> Fact:
    return Fact([v[f"a{n}"], str(v[f"amount{n}"])])


def _spelt(budget: str) -> list[str]:
    """A budget as it may stand in a prompt: 50万, 500,000."""
    if budget.endswith("万"):
        return [budget, f"{int(budget[:-1]) * 10_000:,}"]
    return [budget, f"$ {budget[:-4]}", f"${budget[:-4]}"]


ZH: Mapping[str, tuple[Any, str]] = {
    "opening": (
        ["你好，我们是{company}，预算{b1}，{terms}。", "您好，我们公司是{company}，想添一批设备，预算是{b1}，付款方式：{terms}。"],
        "您好，欢迎{company}！已记下预算{b1}，{terms}。按这个预算，仓储和包装环节的设备都能覆盖，我先把几款常用型号的资料发给您：{p1}、{p2}和{p3}都有现货，标准交期在两周以内，超过五台可以安排专车送货上门并负责卸货。",
    ),
    "contact": (
        ["联系人是{name}，电话：{phone}。", "后面的事找{name}，电话：{phone}。"],
        "好的，已登记。之后的报价、发货通知和验收安排都会先联系这位同事，如果临时换人，随时告诉我一声就行，资料我这边同步更新。",
    ),
    "order1": (
        ["{p1}先来{q1}台。", "先下一单，{p1}要{q1}台。"],
        "已为您下单，订单号{o1}：{p1}{q1}台，合计{a1}元，预计{d1}到货。电子版订单确认函稍后发到您的邮箱，盖章后回传即可，首批货会从华东仓发出，到货前一天司机会电话联系收货人。",
    ),
    "order2": (
        ["{p2}也要{q2}台，一起走。", "再加一单，{p2}{q2}台。"],
        "好的，第二单订单号{o2}：{p2}{q2}台，合计{a2}元，预计{d2}到货。这一批货在华南仓，和上一单分开发运，两张送货单请分别签收，发票会在两单都签收之后合并开具。",
    ),
    "budget": (
        ["预算改成{b2}了，刚批下来的。", "跟您说一下，我们的预算调到{b2}了。"],
        "收到，已把预算更新为{b2}，之前的数字不再使用。按新的预算，您之前看中的几款都可以保留，其余部分我建议优先考虑售后服务和备件，这样后面两年的维护成本会低不少。",
    ),
    "state1": (
        ["订单{o1}现在到哪一步了？", "帮我查一下{o1}的状态。"],
        "订单{o1}已经发货，目前在途中，预计{d1}送达。司机会提前一天联系收货人确认卸货时间，如果现场需要叉车或者液压拖车，请提前告知，我们可以一并安排，不另外收费。",
    ),
    "complaint": (
        ["{o1}收到了，有{few}台{fault}，这怎么处理？", "我要投诉，{o1}里有{few}台{fault}。"],
        "非常抱歉给您带来麻烦。已为订单{o1}登记投诉，{few}台{fault}的设备我们安排上门取回并免费更换，新机三个工作日内发出，期间如果影响生产，可以先借用一台备用机，您看可以吗？",
    ),
    "deadline": (
        ["交期改到{day}。", "全部设备的交期：{day}，麻烦记一下。"],
        "好的，交期已经更新为{day}，我们会倒排每一批的发货时间，确保留出安装和调试的余量，如果中间有一批可能延误，我会至少提前三天跟您说，并给出补救的办法。",
    ),
    "phone": (
        ["电话换了，改成{phone2}。", "我们的联系电话改成{phone2}了。", "我换号了，以后打{phone2}。"],
        "好的，联系电话已更新，旧号码不再使用。后续的发货通知和回访都会打新的号码，如果有多人需要收到通知，也可以把他们的号码发给我，最多可以登记五个。",
    ),
    "order3": (
        ["再订{q3}台{p3}。", "{p3}也下一单，{q3}台。"],
        "已下单，订单号{o3}：{p3}{q3}台，合计{a3}元，预计{d3}到货。这款需要现场安装，工程师会在到货当天上门，安装和调试大约需要半天，请预留好电源和两米见方的场地。",
    ),
    "ask_order": (
        ["订单{o1}的金额是多少，预计哪天到货？", "最早那单{o1}，金额多少、预计到货日期是哪天？"],
        "订单{o1}合计{a1}元，预计到货日期是{d1}。如果需要对账单，我可以把三张订单的明细合在一起发给您，财务核对起来会方便一些。",
    ),
    "ask_budget": (
        ["最后核对一下：我们的预算是多少，付款方式是什么？", "签之前再确认一遍，我们的预算和付款方式是什么？"],
        "您的预算是{b2}，付款方式是{terms}。合同会按这个来拟，今天之内发给您确认。",
    ),
    "talk_warranty": ("这些设备保修多久？", "整机保修两年，易损件保修六个月，保修期内上门服务不收费。保修期外只收配件成本价和每次两百元的上门费，如果签年度维护合同，上门费全免，每年还有两次例行检查。"),
    "talk_difference": ("{p2}的标准款和加强款差别大吗？", "主要差在功率和外壳材质：加强款功率高三成，外壳是不锈钢的，适合潮湿或者粉尘大的车间；普通仓库用标准款就够了，耗电也更低一些，噪音大概低五个分贝。"),
    "talk_invoice": ("发票能开专票吗？", "可以开增值税专用发票，税率百分之十三，请把开票资料（抬头、税号、开户行和账号、地址电话）发给我，签收后五个工作日内开具，电子专票会直接发到您的邮箱。"),
    "talk_training": ("工人不会用怎么办？", "我们提供免费的现场培训，一般半天就能上手，培训结束会留下操作手册和视频教程，新员工入职也可以扫码学习。如果人多，可以分两批，每批不超过十五个人效果最好。"),
    "talk_noise": ("车间里噪音会不会很大？", "正常工作时一米处约六十二分贝，和正常说话差不多，国家标准是八十五分贝以下，所以不需要戴耳塞。如果放在办公区旁边，建议加一层隔音板，我们有配套的可以选购。"),
    "talk_power": ("对电源有什么要求？", "单相两百二十伏就可以，功率在一点五千瓦以内的普通插座就行，加强款建议单独走一路十六安的线，并且做好接地，工程师上门时会带检测仪现场确认。"),
    "talk_thanks": ("好的，辛苦了。", "不客气，应该的。有任何问题随时找我，工作日早上八点半到晚上八点都有人在线，周末有值班同事，紧急故障可以拨打二十四小时服务热线。"),
    "talk_weather": ("最近你们那边雨大吗？", "这几天确实一直在下，不过仓库地势高，没有受影响，发货都正常。路上可能会慢半天左右，司机会提前联系，如果卸货区没有雨棚，我们会多带几块防水布过去。"),
    "talk_spare": ("备件好买吗？", "常用备件全国四个仓都有库存，当天下单次日到。易损件建议一次备齐半年的量，套装价比单买便宜两成左右，清单我可以按您的设备数量列一份，您看着选就行。"),
    "talk_install": ("安装需要我们准备什么？", "需要一块平整的地面、就近的电源插座，还有一个人配合搬运。大件由我们的师傅用液压车卸货，门宽低于一米二的话请提前告诉我，我们会拆箱分件运进去再组装。"),
    "talk_return": ("用着不合适能退吗？", "签收后七天内，没有使用痕迹、包装完整的可以无理由退货，运费各承担一半；有质量问题三十天内包退换，运费我们出。定制款不支持无理由退货，下单前会特别提醒您。"),
    "talk_partner": ("你们还给哪些行业供货？", "食品、医药、电商仓储和汽车零部件都有，去年光电商仓储就交付了三百多个项目。不同行业关注点不一样，食品厂看重清洁和不锈钢材质，电商更看重速度和稳定性。"),
    "talk_env": ("夏天车间四十度能用吗？", "工作温度范围是零下十度到四十五度，四十度没有问题。建议避免阳光直射，每个月清一次散热口的灰，这样电子件的寿命会长很多，我们例行检查时也会顺手清理。"),
    "talk_later": ("行，我跟领导汇报一下。", "好的，不着急。如果汇报需要资料，我可以准备一份两页的简介，把配置、交期、服务承诺和同行案例都列上，领导看起来一目了然，需要的话今天下午就能发您。"),
    "talk_forklift": ("卸货要我们自己找叉车吗？", "不用，单件三百公斤以内随车带尾板和液压车，超过的我们会叫叉车到现场，费用包含在运费里。请提前确认货车能不能进厂区，有没有限高和限行时段就行。"),
    "talk_night": ("晚上能送货吗？", "可以，夜间送货需要提前一天预约，晚上十点之前到不加钱，十点之后每车加两百元。很多商圈白天限行，所以夜间送货挺常见的，司机都熟悉流程，您安排好收货的人就行。"),
}  # fmt: skip

EN: Mapping[str, tuple[Any, str]] = {
    "opening": (
        ["Hello, we are from {company}. Our budget is {b1}, payment terms: {terms}.", "Hi, I'm with {company}. Our budget is {b1}. Payment terms: {terms}."],
        "Welcome, {company}! I have noted a budget of {b1} and {terms}. That covers equipment for storage and for packing. Let me send you the data sheets of the usual models: the {p1}, the {p2} and the {p3} are all in stock, standard delivery takes less than two weeks, and from five units on our own lorry brings them and unloads.",
    ),
    "contact": (
        ["Contact person: {name}. Phone: {phone}.", "The contact is {name}, phone: {phone}."],
        "Thank you, I have put that down. Quotes, shipping notices and the acceptance visit will go there first; if somebody else takes over for a while, just tell me and I will change it on our side as well.",
    ),
    "order1": (
        ["Let us start with {q1} of the {p1}.", "First order, please: {p1}, {q1} units."],
        "Done. Order {o1}: {p1}, {q1} units, {a1} USD in total, expected on {d1}. The confirmation comes by e-mail in a minute; please sign it and send it back. The goods leave from our eastern warehouse, and the driver will call the day before to agree on a time.",
    ),
    "order2": (
        ["We also need {q2} of the {p2}.", "Please add {q2} units of the {p2}."],
        "Of course. Your second order is {o2}: {p2}, {q2} units, {a2} USD in total, expected on {d2}. It ships from another warehouse than the first, so please sign both delivery notes separately; there will be one invoice once both have arrived.",
    ),
    "budget": (
        ["Our budget is now {b2}, it has just been approved.", "By the way, our budget has changed to {b2}."],
        "Thank you, the budget is updated to {b2} and the earlier figure no longer counts. All the models that you liked stay possible; I would put what is left into service and spare parts, which keeps the cost of the next two years low.",
    ),
    "state1": (
        ["Where is order {o1} now?", "What is the status of {o1}?"],
        "Order {o1} has shipped and is on its way, expected on {d1}. The driver will call a day ahead to agree on unloading. If you need a forklift or a pallet truck on site, tell us before and we bring one along at no charge.",
    ),
    "complaint": (
        ["{o1} has arrived, but {few} units have {fault}. What now?", "I have a complaint: {few} units of {o1} have {fault}."],
        "I am very sorry. I have opened a complaint on order {o1}: we collect the {few} units with {fault} and replace them free of charge, the new ones leave within three working days. If production suffers meanwhile, we can lend you a spare one. Would that be all right?",
    ),
    "deadline": (
        ["Our deadline is now {day}.", "Deadline: {day}. Please note it for all the machines."],
        "Noted: the deadline is {day}. We plan the batches backwards from there, with time left for installation and tests; should one of them be at risk, I will tell you at least three days ahead and say what we do about it.",
    ),
    "phone": (
        ["Our phone number has changed to {phone2}.", "The phone number is now {phone2}.", "I have a new number: {phone2}."],
        "Thank you, the telephone number is updated and the old one is no longer used. Shipping notices and follow-up calls go to the new number; if several people should get them, send me their numbers too, up to five can be registered.",
    ),
    "order3": (
        ["Another order: {q3} of the {p3}.", "Please order {q3} units of the {p3} as well."],
        "Ordered. The number is {o3}: {p3}, {q3} units, {a3} USD in total, expected on {d3}. This model is installed on site; the engineer comes on the day of delivery and needs half a day, a socket nearby and a clear space of two by two metres.",
    ),
    "ask_order": (
        ["What is the total of order {o1}, and when is the expected arrival?", "That first order, {o1}: what is the order total and when does it arrive?"],
        "Order {o1} comes to {a1} USD in total and is expected on {d1}. If you need a statement, I can put the details of all three orders on one page, which makes it easier for your accountants.",
    ),
    "ask_budget": (
        ["One last check: what is our budget, and what are the payment terms?", "Before we sign: what are our budget and our payment terms?"],
        "Your budget is {b2} and the payment terms are {terms}. The contract will say so; you will have it today.",
    ),
    "talk_warranty": ("How long is the warranty?", "Two years on the machine and six months on wearing parts, with free service on site. After that you pay parts at cost and 30 for a visit; with a yearly maintenance contract the visits are free, and there are two routine checks a year."),
    "talk_difference": ("Is there much between the standard and the heavy version of the {p2}?", "Mostly power and casing: the heavy one has a third more power and a stainless casing, made for damp or dusty halls. For an ordinary warehouse the standard one does; it also uses less current and is about five decibels quieter."),
    "talk_invoice": ("Can we have the invoice as a PDF?", "Yes, every invoice comes as a PDF with the structured data inside, so that your accounting can read it. Please send me your VAT number and the address of your accounts department; it goes out within five working days of delivery."),
    "talk_training": ("What if our people cannot operate it?", "Training on site is included and takes about half a day. We leave a manual and short videos, so that newcomers can learn by scanning a code. With many people we do two rounds; up to fifteen at a time works best."),
    "talk_noise": ("Will it be loud in the hall?", "About 62 decibels at one metre, like a normal conversation, and far below the limit of 85, so nobody needs ear plugs. Next to an office we would add an acoustic panel, which is an option in the catalogue."),
    "talk_power": ("What does it need in the way of power?", "An ordinary single-phase socket will do for everything below 1.5 kilowatts. For the heavy version we suggest a line of its own with 16 amperes and proper earthing; the engineer brings a tester and checks it on site."),
    "talk_thanks": ("Thanks for your help.", "You are most welcome. Somebody is here from half past eight in the morning until eight in the evening on working days, a colleague is on call at weekends, and for urgent faults there is a hotline day and night."),
    "talk_weather": ("Is it raining at your place, too?", "It has been raining all week, but the warehouse stands high and everything ships as usual. On the road it may take half a day longer; the driver calls ahead, and if your ramp has no roof we bring a few more tarpaulins."),
    "talk_spare": ("Are spare parts easy to get?", "The common ones are in stock in four warehouses and arrive the next day. We suggest half a year's worth of wearing parts at once; the set is about a fifth cheaper, and I can make a list that fits the number of your machines."),
    "talk_install": ("What do we have to prepare for the installation?", "A level floor, a socket nearby and one person who lends a hand. Our people unload heavy pieces with a pallet truck; if a door is narrower than 1.2 metres, tell me before and we bring it in parts and put it together inside."),
    "talk_return": ("Can we return it if it does not suit us?", "Within seven days, unused and in its packing, you can return it without a reason and we share the freight. With a defect we take it back within thirty days at our cost. Custom-made models are excluded; we say so before you order."),
    "talk_partner": ("Which industries do you supply?", "Food, pharmaceuticals, online retail and car parts; last year alone we finished three hundred projects for online retailers. Food plants look at cleaning and stainless steel, retailers at speed and at how seldom it stops."),
    "talk_env": ("Does it work at 40 degrees in summer?", "It is made for -10 to 45 degrees, so 40 is fine. Keep it out of direct sunlight and clear the vents of dust once a month, then the electronics last much longer; we do that at the routine checks, too."),
    "talk_later": ("All right, I will talk to my boss.", "There is no hurry. If it helps, I can prepare a brief of two pages with the configuration, the delivery times, our service promise and a few cases from your line of business; you could have it this afternoon."),
    "talk_forklift": ("Do we need our own forklift?", "No. Up to 300 kilos the lorry brings a tail lift and a pallet truck; for more we send a forklift to the site, and the freight covers it. Please just check whether the lorry may enter your yard and whether there is a height limit."),
    "talk_night": ("Can you deliver at night?", "Yes, with a day's notice. Until ten in the evening there is no surcharge, after that it is 30 a lorry. Many town centres are closed to lorries by day, so the drivers know the routine; you only need somebody there to sign."),
}  # fmt: skip

__all__ = ["TURNS", "Fact", "Turn", "dialogue"]
