"""The words of a text as terms: stems in English, pairs of characters in Chinese, and what both mean in common.

"Where are you departing from?" and ``DepartureLocation``, 几位 and ``party_size`` share no word, yet a term:
a small thesaurus of what forms ask for maps words of both languages to one concept (``@people``).
"""

# ruff: noqa: E501 (a table reads best on one line a row)
from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

from forms_dynamics.extraction.dialogue.wording import stem
from forms_dynamics.language.normal import simplified
from forms_dynamics.language.numerals import folded

# a concept → its words; several words of a phrase are tried before single ones
_EN: Mapping[str, str] = {
    "time": "time|hour|hours|clock|o'clock|timing|schedule time",
    "day": "date|dates|day|days|weekday|month",
    "when": "when|how soon",
    "people": "people|person|persons|guest|guests|party size|party|group size|size of your party|individual|individuals|participant|participants|passenger|passengers|traveler|travelers|traveller|travellers|attendees|adults|folks|diners|seats|riders|group|dependents|employees",
    "count": "how many|number|num|numbers|count|quantity|size of group|amount of",
    "ticket": "ticket|tickets|seats",
    "price": "price|prices|priced|pricing|cost|costs|budget|budgetary|expensive|cheap|fare|spend|spending|afford|price range|pricerange|premium|pricey",
    "money": "how much money|amount|money|how much",
    "place": "where|location|locations|located|place|address|spot",
    "area": "area|part of town|side of town|region|district|neighborhood|neighbourhood|part of the city|side|part",
    "city": "city|town|cities|hometown",
    "from": "departure|depart|departing|departs|leave|leaving|origin|start from|starting point|pick up|pickup|picked up|from where|where from|going from|coming from|moving from|current location|current city|currently|starting from|traveling from|travelling from|from what|from which",
    "to": "arrival|arrive|arriving|arrives|destination|destinations|going to|moving to|move to|relocating to|new location|new city|where to|go to|traveling to|travelling to|headed|heading|drop off|dropoff|get to|visiting|to what|to which|to where",
    "start": "start|begin|starting|check in|check-in|checkin|beginning|starts|pickup date|effective",
    "end": "end|finish|return|ending|check out|check-out|checkout|until|returning|back|coming back|dropoff date|ends",
    "food": "food|cuisine|cuisines|dish|dishes|eat|meal type|type of restaurant",
    "type": "type|types|kind|kinds|category|sort|class|genre|style|what kind|form|format",
    "name": "name|names|named|called|title|who|whom",
    "self": "customer|user|guest|patient|renter|tenant|client|passenger|member|caller|buyer|your name|your full name|full name|borrower|account holder",
    "stay": "stay|staying|how many nights|nights|night|length of stay|stay length|days of stay|length",
    "long": "how long|duration|last|length of time|long",
    "rating": "rating|rate|rated|stars|star|rank|reviews|scale|score",
    "phone": "phone|telephone|mobile|cell|call you|phone number|phonenumber|cellphone",
    "email": "email|e-mail|mail address|mailbox",
    "contact": "contact|contacts|reach|contact information|contact info|contact details",
    "postcode": "postcode|postal code|zip|zipcode|zip code",
    "parking": "parking|park your|park the",
    "internet": "internet|wifi|wi-fi|wireless",
    "reason": "reason|reasons|why|purpose|be used for|using it for|use it for|using this for|using your time off for|important|importance|significant|meaningful|matter to you",
    "motive": "motivation|motivates|motivate|motivated|motivating|drives|inspires|inspire|inspiration|keeps you going",
    "impact": "impact|impacts|impacting|impacted|affect|affects|affected|affecting|effect|make you feel|made you feel|disruptive|disrupting",
    "often": "how often|how frequently|how regularly|frequency|interval|intervals|check in on your progress",
    "again": "recurring|recur|recurs|happen regularly|happens regularly|first time|happened before|new problem|how often does",
    "present": "witness|witnesses|witnessed|anyone else around|other people around|others around|anyone else there|anyone with you|anyone else see|bystanders|who saw|see what happened|anyone else present|colleagues present",
    "obstacle": "obstacle|obstacles|challenge|challenges|hurdle|hurdles|difficulty|difficulties|barrier|barriers|get in the way|throw you off|stand in your way",
    "better": "improvement|improvements|improve|weakness|weaknesses|work on|do better|development area",
    "tried": "steps taken|steps have you taken|steps have you already taken|have you tried|did you try|tried anything|tried so far|already tried|troubleshoot|troubleshooting",
    "severe": "severity|severe|serious|how bad|critical|minor|disruptive|urgent|urgency",
    "before": "previous|previously|before|past|prior|earlier|similar",
    "approved": "approval|approve|approves|approved|sign off|signed off|authorized|authorised",
    "special": "special needs|special accommodations|special requirements|special circumstances|accommodations|accommodate|accessibility",
    "happened": "what happened|exactly happened|what occurred|what exactly|what's going on|transpired|description|describe",
    "steps": "steps|step|action plan|actions|action",
    "skill": "skill|skills|skill level|level of experience|experience level|proficiency|proficient|expertise|ability|abilities",
    "support": "resource|resources|support|tools",
    "measure": "measure|measures|metric|metrics|measurable|measurement|measurements|criteria|gauge|determine if|know when you|know you've|how will you know",
    "answerable": "accountable|accountability",
    "target": "goal|achieve|accomplish|aiming|target|reach",
    "film": "movie|movies|film|films",
    "theatre": "theatre|theater|cinema|theaters|theatres|cinemas",
    "music": "song|songs|track|tune",
    "house": "house|home|apartment|property|flat|housing|accommodation",
    "birth": "birth|born|dob|birthday|birthdate",
    "id": "id|identification|identifier",
    "notes": "notes|note|comments|comment|additional|details|anything else|else|remarks|any other|information",
    "goal": "goal|goals|outcome|outcomes|objectives|objective|aim",
    "event": "event|events|show|concert|game",
    "doctor": "doctor|physician|dentist",
    "hotel": "hotel|hotels|inn|lodging|guesthouse",
    "car": "car|vehicle|automobile",
    "payment": "payment|pay",
    "symptom": "symptom|symptoms|illness|feeling",
    "device": "device|speaker|tv",
    "round": "round trip|return trip|one way",
}
_ZH: Mapping[str, str] = {
    "time": "时间|几点|钟头|时刻|时段|什么时候",
    "day": "日期|哪天|哪一天|星期几|周几|几号|几月几|什么时候|日子|哪日|何时|时间",
    "when": "何时|什么时候",
    "people": "人数|几个人|多少人|几位|几人|多少位|人群|人一起|个人",
    "count": "几|多少|数量|个数|数",
    "ticket": "票",
    "price": "价格|价位|预算|多少钱|消费|人均|价钱|费用|花费|贵|便宜|档次|价",
    "money": "金额|多少钱",
    "place": "地点|地址|位置|哪里|哪儿|什么地方|在哪|何处",
    "area": "区域|地区|哪个区|方位|哪一带|地段|位置|片区|哪个方向|地方|哪里|哪儿|方向",
    "city": "城市|哪座城|哪个市",
    "from": "出发地|出发|动身|启程|从哪|起点|始发|上车",
    "to": "目的地|到达|去哪|到哪|终点|抵达|前往|去什么",
    "start": "开始|起始|入住|出发",
    "end": "结束|退房|截止|返回|回来",
    "food": "菜系|食物|口味|菜|吃什么|吃哪|美食|料理|餐厅类型|什么样的餐厅",
    "type": "类型|种类|类别|什么样|哪种|哪类|哪一类|品种|分类|什么类",
    "name": "名称|名字|姓名|叫什么|哪家|哪个|贵姓|怎么称呼|哪部",
    "stay": "几天|几晚|停留|天数|住多久|多少天|多少晚|住几",
    "long": "多久|多长|时长|期限",
    "rating": "评分|星级|几星|几分|打分|评级|星",
    "phone": "电话|手机|联系方式|号码",
    "email": "邮箱|邮件|电邮",
    "contact": "联系",
    "parking": "停车|车位",
    "internet": "无线|网络|互联网|上网",
    "reason": "原因|理由|为什么|为何|用途|目的|意义|重要",
    "motive": "动力|动机|激励|驱动|鼓舞",
    "impact": "影响|感受",
    "often": "多久一次|频率|频次|间隔|多长时间一次|隔多久",
    "again": "反复|经常发生|首次|第一次|再次",
    "present": "目击|在场|证人|看到|看见",
    "obstacle": "困难|障碍|阻碍|挑战",
    "better": "改进|提高|提升|不足|改善",
    "tried": "尝试|试过|采取过|已采取|排查",
    "severe": "严重|紧急|程度",
    "before": "以前|之前|以往|此前|过去|曾经|曾",
    "approved": "批准|审批|同意|授权",
    "special": "特殊要求|特殊需求|特殊需要|特别需求|便利设施|照顾",
    "happened": "经过|发生了什么|怎么回事|描述|什么情况",
    "steps": "步骤|计划|行动|措施",
    "skill": "技能|水平|经验|能力|熟练",
    "support": "资源|支持|工具",
    "measure": "衡量|指标|标准|跟踪|追踪",
    "answerable": "督促|监督|负责",
    "target": "目标|达成|实现",
    "film": "电影|影片",
    "country": "国家|哪国|产地",
    "era": "年代|哪年",
    "actor": "主演|演员|明星",
    "seat": "座位|坐席|几座|舱位|座",
    "subject": "科目|学科|课程",
    "grade": "年级",
    "brand": "品牌|牌子",
    "payment": "付款|支付",
    "department": "科室|哪科|挂什么科",
    "metro": "地铁",
}
_STOP = frozenset(
    "a an the of for in on at by with about as is are was were be been being am do does did done have has had will would shall should can could may might must"
    " i you your yours we our us me my mine it its this that these those there here what which how any some all and or but if not no yes please so just also"
    " like want need looking look prefer preferred preference provide tell give know let say ask request require required requirement specify enter select share help find search"
    " book booking reserve reservation get make use using thing things something anything ok okay great sure thanks thank sorry problem got worries"
    " okay particular specific certain current new one they them he she him her who's their you're i'll i'm don't don t s ll m re ve d possible e.g etc eg such mind well"
    " to from available would more most other another up out then than now first next user service".split()
)
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?|[0-9]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_|(?<=[A-Za-z])(?=[0-9])")
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_HAN_STOP = frozenset(
    "的了吗呢吧您你我们要想请问有没什么么哪个些方面是需呀啊哦嗯好给帮和与或在可以能这那还为"
)


def _phrases(table: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    out: dict[str, tuple[str, ...]] = {}
    for concept, words in table.items():
        for word in words.split("|"):
            out[word] = (*out.get(word, ()), "@" + concept)
    return out


_PHRASES = _phrases(_EN)
# words of a name that say too little in a sentence
_IN_NAMES = {"to": "@to", "from": "@from"}
_PHRASES_ZH = _phrases(_ZH)
_KNOWN_EN = re.compile(r"\b(?:" + "|".join(sorted(map(re.escape, _PHRASES), key=len, reverse=True)) + r")\b")
_KNOWN_ZH = re.compile("(?=(" + "|".join(sorted(map(re.escape, _PHRASES_ZH), key=len, reverse=True)) + "))")
# words of which names are run together: pricerange, bookpeople, arriveby
_PARTS = sorted(
    {w for w in _PHRASES if " " not in w and len(w) > 1} | set("book range fee open by at ref car train".split()),
    key=len, reverse=True,
)  # fmt: skip
_JOINED = re.compile("(?:" + "|".join(map(re.escape, _PARTS)) + "){2,}")
_JOINED_PART = re.compile("|".join(map(re.escape, _PARTS)))


def spaced(name: str) -> str:
    """A slot's or type's name as words: ``StartTimeHour``, ``price_range`` and ``bookpeople``."""
    words = _CAMEL.sub(" ", name).replace("-", " ").split()
    out: list[str] = []
    for word in words:
        low = word.lower()
        if low not in _PHRASES and _JOINED.fullmatch(low):
            out.extend(_JOINED_PART.findall(low))
        else:
            out.append(word)
    return " ".join(out)


def root(word: str) -> str:
    """A stem in which relocate and relocation are one as well, and so are recent and recently."""
    short = stem(word[:-2] if len(word) > 6 and word.endswith("ly") else word)
    return short[:-2] if len(short) > 5 and short.endswith("at") else short


@lru_cache(maxsize=4096)
def terms(text: str) -> frozenset[str]:
    """The terms of a text: stems, concepts (``@…``) and pairs of Chinese characters."""
    low = simplified(folded(text)).lower()
    out: set[str] = set()
    if len(low) < 40:
        out.update(_IN_NAMES[w] for w in low.split() if w in _IN_NAMES and len(low.split()) <= 3)
    for m in _KNOWN_EN.finditer(low):
        out.update(_PHRASES[m[0]])
    for word in _WORD.findall(low):
        if word not in _STOP and (len(word) > 1 or word.isdigit()):
            out.add(root(word.partition("'")[0]))
    if not low.isascii():
        for m in _KNOWN_ZH.finditer(low):
            out.update(_PHRASES_ZH[m[1]])
        for run in _HAN_RUN.findall(low):
            out.update(a + b for a, b in pairwise(run) if a not in _HAN_STOP and b not in _HAN_STOP)
    return frozenset(out)


# a stem → the concepts that its words mean
MEANT: Mapping[str, frozenset[str]] = {
    root(word): frozenset(concepts) for word, concepts in _PHRASES.items() if " " not in word
}

__all__ = ["MEANT", "root", "spaced", "terms"]
