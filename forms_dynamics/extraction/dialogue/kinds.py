"""What sort of thing a slot holds and which end of a journey or a span it is, by the words that declare it."""

# ruff: noqa: E501 (a list of words reads best on one line)
from __future__ import annotations

import re
from collections.abc import Sequence

from forms_dynamics.extraction.dialogue.wording import parts
from forms_dynamics.language.normal import CJK
from forms_dynamics.schema.spec import SlotSpec

KINDS = (
    "boolean", "email", "phone", "url", "id", "rating", "duration", "count", "price", "time", "date", "city",
    "place", "address", "person", "name", "near", "choice", "free",
)  # fmt: skip
_TYPED = {
    "boolean": "boolean", "email": "email", "phone": "phone", "url": "url", "money": "price", "date": "date", "datetime": "time",
    "duration": "duration", "date_range": "date",
}  # fmt: skip
# the words of a name that settle it, first come first served
_BY_NAME: Sequence[tuple[str, re.Pattern[str]]] = [
    (kind, re.compile(rf"\b(?:{latin})\b|{han}"))
    for kind, latin, han in (
        ("email", r"e ?mail(?: address)?|mail address", "邮箱|邮件|电邮"),
        ("phone", r"phone(?:number)?|telephone|mobile|cell ?phone|fax", "电话|手机|联系方式"),
        ("url", r"url|link|website", "网址|链接|网站"),
        ("duration", r"duration|length|stay length|length of stay|bookstay|wait time|wait|(?:number|num)(?: of)? (?:days|nights|hours|weeks|minutes)|total days(?: off)?|minutes|nights|hours", "时长|天数|游玩时间|用时|耗时|住几晚|晚数|停留"),
        ("id", r"(?:account|confirmation|order|flight|seat|room|booking|ticket|policy|card|item|serial|tracking|reference|registration|plate|license) (?:number|no|code|id|plate)|id|ref|reference|code|pin|passcode|password|postcode|zip(?: code)?|trainid|train id|license plate|number plate|access code", "编号|号码|单号|账号|帐号|密码|邮编|车牌|车次|航班号|订单号|(?<!型)号$"),
        ("rating", r"rating|stars|star rating|stars?|score", "星级|评分|评级|打分"),
        ("count", r"(?:number|num|no|count|how many)(?: of)? [a-z]+(?: [a-z]+)?|(?:party|group|team) size|max party size|size of (?:group|party)|bookpeople|quantity|qty|headcount|passengers|travelers|travellers|riders|guests|adults|kids|children|seats|rooms|tickets|participants|level|floor|transfers", "人数|数量|几位|张数|间数|座位数|个数|件数|份数|预订人数"),
        ("price", r"price(?: range| per [a-z]+)?|pricerange|cost|fare|rent|amount|budget|fee|entrancefee|total(?: price| cost| amount)?|balance|salary|income|transfer amount|constraints budget|budget [a-z]+", "价格|价位|消费|费用|门票|票价|预算|金额|价钱|房价|花费|售价"),
        ("time", r"time|times|hour|hours|leaveat|arriveby|leave at|arrive by|booktime|openhours|open hours|time hour", "时间|时刻|几点|时段"),
        ("date", r"date|dates|day|bookday|birthday|date of birth|dob|month", "日期|哪天|日子|生日|星期"),
        ("city", r"city|town|cities", "城市|市区"),
        ("address", r"address|street(?: address)?", "地址|住址"),
        ("place", r"location|place|station|airport|destination|departure|origin|area|where(?: to)?|region|district|venue location|pickup|dropoff|(?<![a-z] )(?:to|from)|(?:to|from)(?! [a-z])|neighbou?rhood|address", "地点|位置|出发地|目的地|到达地|始发|终点|区域|地区|站$|地$"),
        ("person", r"(?:first|last|full|customer|guest|host|patient|renter|contact|recipient|user|employee|driver|passenger|client|approver|stylist|doctor|dentist|therapist|receiver|reporter|your|manager) name|full ?name|recipient|receiver|director|directed by|actors?|cast|starring|artist|author|performer|witnesses|individuals involved", "姓名|联系人|主演|导演|演员|歌手|作者|收件人|乘客|嘉宾"),
        ("name", r"name|title|track|album|song|movie", "名称|名字|标题|店名|片名|酒店名|餐厅名"),
    )
]  # fmt: skip
_NEAR = re.compile(r"\b(?:nearby|near|around|close to)\b|周边|附近|周围|旁边")
_CITY = re.compile(r"\b(?:city|town)\b|城市")
_PERSON = re.compile(
    r"\b(?:name of (?:the )?(?:recipient|contact|artist|actor|director|person|employee|patient|guest|user|customer|dentist|doctor|stylist|therapist|hair)|celebs?|actors?)\b|姓名|联系人|人名"
)
_FROM = re.compile(
    r"\b(?:from|origin|departure|departs?|departing|leaving|leaveat|leave|starting|outbound|source|current)\b|出发|始发|起点|上车|离开"
)
_TO = re.compile(
    r"\b(?:to|destination|arrival|arrives?|arriving|arriveby|ending|inbound|drop ?off|target|going)\b|目的|到达|终点|抵达|下车|前往"
)
_START = re.compile(
    r"\b(?:start|starting|begin|beginning|check in|departure|depart|leaving|leave|leaveat|outbound|pick ?up|open|first)\b|开始|入住|出发|起始|取车"
)
_END = re.compile(
    r"\b(?:end|ending|check out|return|arrival|arrive|arriveby|inbound|drop ?off|close|last|until)\b|结束|离店|退房|到达|返回|截止|还车"
)
# what is counted: words of one group are said for one another
_COUNTED = {
    "people": ("person|people|adult|guest|traveler|traveller|passenger|rider|attendee|participant|diner|individual|party|group|bookpeople|headcount|pax|member|friend|kid|child|children", "人|位|名|口|大人|成人|旅客|乘客|客人"),
    "ticket": ("ticket|seat", "张|票|座"),
    "room": ("room", "间|房间|套"),
    "bed": ("bed|bedroom", "床|卧室|室"),
    "bath": ("bath|bathroom", "卫|浴室|卫生间"),
    "night": ("night|day|stay|bookstay", "晚|天|夜|日"),
    "star": ("star", "星|颗星"),
    "bag": ("bag|luggage|suitcase", "件|行李"),
    "stop": ("stop|stopover|layover|transfer", "站|次中转"),
    "piece": ("item|piece|unit|quantity|license|copy|order", "个|份|件|台|套|瓶|杯|碗|盘"),
}  # fmt: skip


def _words(spec: SlotSpec) -> str:
    return " ".join(parts(" ".join((spec.name, *spec.aliases))))


def _said(spec: SlotSpec) -> str:
    return " ".join(parts(" ".join((*spec.description.values(), *spec.question.values()))))


def kind_of(spec: SlotSpec) -> str:
    """One of :data:`KINDS`: what the slot holds, by its type, its name and aliases, and last by its description."""
    if spec.type in _TYPED:
        return _TYPED[spec.type]
    if truth_of(spec):
        return "boolean"
    name, said = _words(spec), _said(spec)
    if _NEAR.search(name):
        return "near"
    kind = next((kind for kind, pattern in _BY_NAME if pattern.search(name)), None)
    if (
        kind in ("place", "address", None)
        and _CITY.search(said)
        and not re.search(r"\b(?:station|airport|address)\b", name)
    ):
        return "city"
    if kind in ("name", None) and not spec.values and _PERSON.search(said):
        return "person"
    if kind is None or (kind == "count" and spec.type == "enum" and not _numeric(spec)):
        kind = "choice" if spec.values else None
    if kind is None and said:
        kind = next(
            (
                k
                for k, p in _BY_NAME
                if k not in ("name", "place", "count", "person", "time", "date") and p.search(said)
            ),
            None,
        )
    return kind or ("count" if spec.type in ("integer", "number") else "free")


def _numeric(spec: SlotSpec) -> bool:
    return sum(re.match(r"[0-9]+$", str(value)) is not None for value in spec.values) > len(spec.values) / 2


_TRUE = frozenset(("true", "yes", "y", "是", "有", "需要", "免费", "free", "可以"))
_FALSE = frozenset(("false", "no", "n", "否", "没有", "无", "不需要", "不可以", "不是"))
DONT_CARE = frozenset(
    (
        "dontcare",
        "don't care",
        "dont care",
        "do not care",
        "any",
        "no preference",
        "doesn't matter",
        "不在意",
        "无所谓",
        "都可以",
        "随便",
        "不限",
        "任意",
    )
)


def truth_of(spec: SlotSpec) -> dict[bool, str]:
    """The listed values that mean yes and no, where the slot holds nothing else (but for no preference)."""
    values = [str(value) for value in spec.values]
    if not values or any(v.lower() not in _TRUE | _FALSE | DONT_CARE for v in values):
        return {}
    yes = [v for v in values if v.lower() in _TRUE]
    no = [v for v in values if v.lower() in _FALSE]
    plain = sorted(yes, key=lambda v: v.lower() in ("free", "免费"))
    return {True: plain[0], False: no[0]} if yes and no else {}


def role_of(spec: SlotSpec, kind: str) -> str:
    """``from`` or ``to`` for the ends of a journey or of a span of time; empty for neither."""
    first, last = (
        (_FROM, _TO) if kind in ("city", "place", "address", "name", "free", "choice") else (_START, _END)
    )
    if kind == "free":  # "steps taken to resolve", "reason for time off" have no end
        return next((role for role, end in (("from", first), ("to", last)) if end.match(_words(spec))), "")
    # "city to pick up a car": to is no direction before a verb
    for text in (_words(spec), re.sub(r"\bto (?=[a-z])", "", _said(spec))):
        begins, ends = first.search(text), last.search(text)
        if begins and not ends:
            return "from"
        if ends and not begins:
            return "to"
        if begins and ends and text == _words(spec):
            break
    return ""


def counted_by(spec: SlotSpec) -> str:
    """What a slot of kind count or duration counts: a key of the groups above, or empty."""
    for text in (_words(spec), _said(spec)):
        for group, (latin, han) in _COUNTED.items():
            if re.search(rf"\b(?:{latin})s?\b", text):
                return group
            if re.search(rf"[{CJK}]", text) and re.search(
                rf"(?:{'|'.join(h for h in han.split('|') if len(h) > 1) or '~'})", text
            ):
                return group
        if "人数" in text or "位" in text:
            return "people"
        if "天数" in text or "晚" in text:
            return "night"
    return ""


def unit_named(spec: SlotSpec) -> bool:
    """Whether the slot's name says what its number counts (total_days, DurationMinutes): the number alone is kept."""
    return (
        re.search(
            r"\b(?:days|nights|hours|minutes|weeks|months|number|num|count)\b|天数|晚数|小时数|分钟数|人数",
            _words(spec),
        )
        is not None
        or re.search(r"\b(?:number of|in) (?:days|nights)\b", _said(spec)) is not None
    )


def units_of(group: str) -> str:
    """A pattern of the words that stand behind a number of the group."""
    if group not in _COUNTED:
        return r"(?!)"
    latin, han = _COUNTED[group]
    return rf"(?:(?:{latin})s?\b|{han})"


__all__ = ["DONT_CARE", "KINDS", "counted_by", "kind_of", "role_of", "truth_of", "unit_named", "units_of"]
