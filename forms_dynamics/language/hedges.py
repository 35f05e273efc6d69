"""Whether a value is said with doubt or only roughly: 大概, 左右, 可能, about, maybe, I think …

A hedge counts when it stands in the value's clause and bears on the value: a word of measure (约, around)
must
lead to a quantity that is the value's own, a word of doubt (可能, probably) must come shortly before it, a
particle (左右, or so, 吧) directly behind. 预约, 可能性, "talk about", "around the corner" are no hedges.
"""

from __future__ import annotations

import re
from functools import lru_cache

from forms_dynamics.language.clauses import clause_of, neighbours
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numerals import lowered

_ZH_NUM = r"[0-9０-９零〇一二两三四五六七八九十百千万亿几数半壹贰叁肆伍陆柒捌玖拾廿卅]"
_ZH_QUANTITY = (
    rf"(?=(?:人民币|rmb|cny|usd|us|hk|[¥$€£])?\s?{_ZH_NUM}|上个?月|下个?月|本月|[这下上]周|[这下上]个?星期|"
    rf"明[天年后]|后[天年]|今[天年]|[早中晚]上|年[底中初]|月[底中初]|周[一二三四五六日末])"
)
_ZH_LEAD = r"\s?(?:是|在|要|有|能|得|到|为|需要|也就|就|会|花|给|按|个|还|只|于)*\s?"
_MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_EN_QUANTITY = (
    r"(?=(?:(?:an?|usd|eur|gbp|rmb|cny|us|hk|maybe|like) ?)?[$€£¥]? ?(?:[0-9]|zero|one\b|two\b|three|four|"
    r"five|six|seven|eight|nine|ten\b|eleven|twelve|"
    r"thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|"
    r"seventy|eighty|ninety|half|hundred|thousand|"
    rf"million|dozen|couple|few|noon|midnight|midday|mid[- ]|early|late|(?:the )?(?:end|beginning|middle|"
    rf"start) of|{_MONTHS}\b|q[1-4]\b|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|christmas|easter|new year|next (?:week|month|year)|"
    r"this (?:time|month)|the [0-9]+(?:st|nd|rd|th))"
    r")"
)
# Words of measure: they bear on the quantity that follows, and on no other.
_MEASURE = lazy(
    rf"(?:大概|大约|大致|大体上?|约莫|约(?<![预合签节违条邀纽公履特制婉相契守誓盟失爽赴有要如]约)|差不多|"
    rf"将近|接近|临近|(?<![最附亲靠走邻新就相远临接将])近(?![期况日年来]))(?:能|"
    rf"可)?{_ZH_LEAD}{_ZH_QUANTITY}"
    r"|(?<![a-z])(?:about(?<!how about)(?<!what about)(?<!talk about)(?<!talked about)(?<!talking about)"
    r"(?<!ask about)(?<!asked about)(?<!asking about)"
    r"(?<!know about)(?<!heard about)(?<!hear about)(?<!forget about)(?<!worry about)(?<!worried about)"
    r"(?<!care about)(?<!tell about)(?<!questions about)"
    r"(?<!question about)(?<!information about)(?<!info about)(?<!details about)(?<!more about)"
    r"(?<!read about)(?<!book about)(?<!article about)"
    r"(?<!email about)(?<!call about)(?<!discuss about)(?<!tell me about)(?<!excited about)"
    r"(?<!concerned about)(?<!complained about)"
    r"|around(?<!turn around)(?<!walk around)(?<!look around)(?<!shop around)|roughly|approximately|"
    r"approx\.?|circa|ca\.|some(?= [$€£¥]?[0-9]{2}|(?: [a-z]+)? (?:hundred|thousand|million))|nearly|"
    r"almost|close to|"
    r"something like|in the (?:region|neighbou?rhood|ballpark|vicinity|range) of|on the order of|or about|"
    r"at around|somewhere (?:around|near|between|in)|"
    rf"more or less|just (?:under|over)|a little (?:over|under)|give or take|say(?<!lets say)(?<!let's say)"
    rf"(?<!to say)) {_EN_QUANTITY}"
    r"|(?<![0-9a-z万千百亿十元块%$€£¥~-])[~≈∼]\s?(?=[0-9$€£¥])"
)
# Words of doubt: they bear on what follows in their clause.
_DOUBT = lazy(
    r"(?<!不)(?<!尽)可能(?!性|的话|没|不太会)|有可能|也许|或许|兴许|没准|说不定|说不准|多半|八成是|"
    r"(?<!保守)估计|估摸|估算|预估|"
    r"应该(?=是|有|在|能|会|差不多|够|不超|就是|也就|可以|叫|"
    rf"\s?{_ZH_NUM})|好像|似乎|貌似|感觉(?=是|像|差不多|应该|大概)|看样子|听说是?|"
    r"大概(?!念|括)|大约|大致|大体(?=上|是)|差不多(?=是|要|得|有|能|就|在)|印象中|记得好像|如果没记错|"
    r"没记错的话|不确定(?=是|是不是)|不太确定|说不好|"
    r"(?<!不)(?<!毫无)怀疑|疑似|(?<!无)疑心|拿不准|吃不准|"
    r"初步(?=定|估|预算|考虑|意向|想|打算|是|的|看|计划|暂)|暂定|暂按|暂时(?=定|按|考虑|想|打算|计划|是想)|"
    r"待定|(?:还在|正在|在|正|先)考虑(?!到|过|清楚|好了)|考虑(?=用|买|选|上|换|做|走|找|投)|倾向于?|"
    r"想着(?=是|大概|可能)|顶多可能|可能会|大抵|怕是|恐怕(?=要|得|是|有)|搞不好|"
    r"\b(?:maybe|perhaps|probably|possibly|likely|(?<!most )presumably|supposedly|apparently|seemingly|"
    r"tentative(?:ly)?|provisional(?:ly)?|"
    r"might(?! (?:i|we|you)\b)|could be|could end up|could go|may(?= (?:be|have|go|want|need|take|end|"
    r"become|move|spend|pay|use|come|get|cost|stretch|also|well|only|"
    r"not|possibly|even|still|change|do|reach|settle|sign|buy|choose)\b)(?<!in may)(?<!of may)|"
    r"i think(?! (?:that )?(?:i'll|i will|i'd|i want|i need|i better|i should|that's (?:all|it)|"
    r"that is (?:all|it)|that was all|so\b|about\b|we're done|it's time))|"
    r"i guess|i suppose|i believe|i assume|i reckon|suspect(?:s|ed|ing)?|i'd (?:say|guess|imagine|estimate)|"
    r"i would (?:say|guess|imagine)|i imagine|we think|we guess|"
    r"i'm thinking|we're thinking|thinking (?:of|about|around|maybe)|(?:sort|kind)"
    r" of(?! (?:[a-z]+ )?(?:food|place|hotel|thing|car|person|event|music))|kinda|sorta|"
    r"ballpark|guesstimate|(?:i|we|they|rough|an?|my|our) estimate|estimated at|rough(?! (?:day|time|week|"
    r"start))|seems?(?: to be| like)?|looks like|sounds like|leaning towards?|considering|"
    r"not (?:100% |entirely |quite |too |really |so |very |completely |totally )?(?:sure|certain)"
    r"(?! (?:why|how))|unsure|if i (?:remember|recall)(?: correctly| right)?|"
    r"if memory serves|iirc|afaik|as far as i (?:know|remember|recall)|from memory|off the top of my head|"
    r"something like|hopefully|"
    r"don't (?:quite )?(?:remember|recall)|can't (?:quite )?(?:remember|recall)|on a guess|at a guess|"
    r"to be confirmed|up in the air)\b"
)
_TYPE_LEAD = lazy(
    r"\s?(?:的?样子|人民币|美元|元|块钱?|万|亿|千|百|个|天|月|号|日|人|年|周|小时|分钟|点|%|期|台|件|套|"
    r"[a-z]{1,10}|\s)*"
)
# Particles behind the value.
_BEHIND = lazy(
    r"(?:左右|上下(?!车|学|班|文|级|楼|游)|前后(?!端|台)|出头|开外|来着|的样子|那样子|这样子|差不多|大概)|"
    r"(?:or so|or thereabouts|-?ish|give or take|more or less|thereabouts|plus or minus|or something)\b"
)
_BAR = "(?<![酒网網书書氧迪啡])"  # 酒吧, 网吧, 咖啡吧: a place, no particle
# sevenish, 50k-ish; fish, English and Spanish are no measures
_ROUGHLY_AT_END = lazy(
    r"(?:左右|上下|差不多|出头|\bor so|(?:[0-9k%]|[\s-]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|"
    r"eleven|twelve|noon|midday|midnight|thirty|forty|fifty|hundred|thousand))-?ish|give or take|or thereabouts|"
    r"more or less)$"
)
_AT_END = lazy(
    rf"(?:[了的]?{_BAR}吧|估计|大概|可能|应该|差不多|也许|好像|没准|说不定|\b(?:maybe|perhaps|probably|"
    r"possibly|i (?:think|guess|suppose|believe|reckon)|roughly|approximately|approx|"
    r"tentatively|likely|ballpark|for now|or so|at a guess))\s*$"
)
# 就50万吧, 改成周三吧, 帮我订…吧: a decision or a request is no doubt
_DECIDED = lazy(
    r"就(?!是)|那(?!边|个|里)|改|换|定(?:在|为|到|成)|选|按|订|预[订定约]|帮|给我|请|麻烦|推荐|来(?:一|两|"
    r"个|份)|还是.{1,12}吧|走吧|"
    r"(?:你|您|咱们?|我们)?(?:看看|查查|说说|试试|告诉|发|去|约)|安排|加|减|取消|不要|别"
)
_ONLY = lazy(
    r"(?:呃|嗯|额|啊|well|um+|uh|so|and|just|its?|it's|that's|this is|这个?|那|我|i'm|we're|i am|we are|也|"
    r"我们|具体)?\s*"
    r"(?:大概|大约|差不多|可能|应该|估计|也许|好像|左右|大概吧|可能吧|应该吧|差不多吧|也许吧|不太?确定|"
    r"不敢确定|还没(?:最后|完全)?(?:定|确定|敲定)|尚未确定|没想好|还没想好|没定死|暂定|说不准|记不清了?|"
    r"我?记不太清|不一定准|不保证|待定|初步(?:意向|想法|的?估计)|只是个?(?:初步|大概|估计)\w*|仅供参考|"
    r"可能会变|可能有变|会再调整|"
    r"maybe|perhaps|probably|possibly|roughly|approximately|approx|about|around|more or less|give or take|"
    r"or so|tentatively|ballpark|i (?:think|guess|suppose|believe|reckon)|"
    r"not (?:100% |entirely |quite |too |really )?(?:sure|certain|final|fixed|firm|set in stone)(?: yet|"
    r" though| about (?:it|that))?|(?:still )?(?:to be confirmed|tbc|tbd|tentative|provisional|"
    r"subject to change)|"
    r"don't (?:quote|hold) me(?: on (?:that|it)| to (?:that|it))?|(?:it )?(?:may|might|could)"
    r" (?:still )?change|just a (?:guess|rough estimate|ballpark|rough idea|rough figure)|"
    r"a (?:rough )?(?:guess|estimate)|"
    r"off the top of my head|from memory|if i (?:remember|recall)(?: correctly| right)?|iirc|afaik|"
    r"as far as i (?:know|remember)|i can't remember exactly|我?没记错的话|如果没记错)"
    r"\s*(?:吧|的|了|呢|啊|哈|though|yet|now)?\s*"
)
_NEW_FACT = lazy(
    r"\band (?:the|our|my|we|i|it|they|is|are|their|his|her|payment|delivery)\b|另外|还有|并且|而且|同时|"
    r"然后|;|；|\bwhile\b|\bwith (?:a|the|payment|deadline)\b"
)
_CORRECTS = lazy(r"不是|才对|说错|错了|更正|不对|\bnot\b|rather than|instead|i meant")


# 左右, "or so" count behind a number or its unit
_COUNTED = frozenset("万千百十亿元块个天月号日人年周点半分台件套期% k")

# What every hedge above holds, in both scripts: most texts hold none of it and need no closer look.
_HINT = lazy(
    "大概|大约|大約|大致|大体|大體|大抵|约|約|差不多|近|可能|也许|也許|或许|或許|兴许|没准|沒準|说不|說不|"
    "多半|八成|估|应该|應該|好像|似乎|貌似|感[觉覺]|"
    "看样子|看樣子|听说|聽說|印象|没记错|沒記錯|确定|確定|初步|暂|暫|待定|考虑|考慮|倾向|傾向|想[着著]|"
    "怕是|恐怕|搞不好|怀疑|懷疑|疑似|疑心|不准|左右|上下|前[后後]|出头|出頭|"
    "开外|開外|来着|來著|样子|樣子|吧|[~～≈∼]|没定|沒定|没想好|定死|敲定|記不|记不|不保证|参考|会变|会再|"
    "有变|临近|接近"
)
_HINT_EN = lazy(
    r"about|around|roughly|approx|circa|ca\.|some(?= [$€£¥]?[0-9]{2}|(?: [a-z]+)? (?:hundred|thousand|"
    r"million))|nearly|almost|close to|region|neighb|order of|more or less|just|little|give or|say|maybe|"
    r"perhaps|prob|"
    r"poss|likely|presum|suppos|apparent|seem|tentat|provis|might|could|may|think|guess|believe|assume|"
    r"reckon|suspect|imagine|sort|kind|kinda|ballpark|"
    r"estim|rough|looks|sounds|leaning|consider|sure|certain|if i|memory|iirc|afaik|far as|head|hopeful|"
    r"remember|recall|confirm|in the air|"
    r"or so|thereabouts|ish|plus or|or something|for now|final|fixed|firm|stone|tbc|tbd|change|quote me|"
    r"hold me|[~≈]"
)


@lru_cache(maxsize=1024)
def may_hedge(text: str) -> bool:
    """Whether ``text`` holds anything that could be a hedge; cheap, and right when it says no."""
    if not text.isascii() and _HINT.search(text):
        return True
    return _HINT_EN.search(text.lower()) is not None


def hedged(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` (a value or its evidence) is said with doubt or only roughly."""
    return may_hedge(text) and _hedged(text, start, end)


@lru_cache(maxsize=4096)
def _hedged(text: str, start: int, end: int) -> bool:
    said = lowered(text)
    low, high = clause_of(text, start, end)
    for found in _MEASURE.finditer(said, max(0, low - 1), high):
        if start - 4 <= found.end() < end:
            return True
    for found in _DOUBT.finditer(said, max(0, low - 1), high):
        if found.start() < low or not _bears(said, found, start, end, low, high):
            continue
        return True
    return _behind(said, start, end, low, high) or _clause_of_doubt(text, start, end, low)


def _bears(said: str, found: re.Match[str], start: int, end: int, low: int, high: int) -> bool:
    word = found.group()
    if word.startswith("应该") and _CORRECTS.search(said, max(0, low - 12), min(len(said), high + 14)):
        return False
    if found.start() >= start and found.end() <= end:
        # inside the evidence: it doubts what follows it there, or all of it when it closes the words
        return True
    if found.end() > start:
        return False
    between = said[found.end() : start]
    if (own := _MEASURE.match(said, found.start(), high)) and own.end() < start - 4:
        return False  # 大概30个人预算50万: it has a quantity of its own
    if _NEW_FACT.search(between):
        return False
    if between.isascii():
        return len(between.split()) <= 7
    return len(between) <= 14


def _behind(said: str, start: int, end: int, low: int, high: int) -> bool:
    lead = _TYPE_LEAD.match(said, end, high)
    at = lead.end() if lead else end
    for position in dict.fromkeys((end, at)):
        if _BEHIND.match(said, position, high):
            return True
        if said[position : position + 1] == " " and _BEHIND.match(said, position + 1, high):
            return True
    # inside the evidence: "40万左右" given whole; but 一周左右交付50万 is not about 50万
    tail = said[start:end].rstrip(" 的吧。.!！,，")
    if _ROUGHLY_AT_END.search(tail):
        return True
    close = said[end:high]
    if found := _AT_END.search(said[start:high].rstrip(" 。.!！")):
        gap = close[: max(0, len(close.rstrip()) - len(found.group()))]
        near = len(gap) <= 5 or (gap.isascii() and len(gap.split()) <= 4)
        if near and not re.search(r"[0-9]", gap):
            if not found.group().strip().endswith("吧"):
                return start + found.start() > start
            return gap.strip() != "的" and not _DECIDED.search(said, low, high)
    return False


def _clause_of_doubt(text: str, start: int, end: int, low: int) -> bool:
    """A neighbouring clause that is nothing but a hedge: "50k, I think", "not sure, 50k", "50万，还没定"."""
    before, behind = neighbours(text, start, end)
    if behind and _ONLY.fullmatch(behind):
        return True
    return bool(before) and _ONLY.fullmatch(before) is not None and start - low <= 12


_LEADING = lazy(
    r"(?:(?:我|我们)?(?:大概|大约|大致|差不多|可能|也许|或许|估计|好像|似乎|应该|多半|说不定|没准|暂定|"
    r"初步定?|没记错的话|如果没记错的话?)(?:就?是|在|要|为|有)?[，,：:]?\s*"
    r"|(?:it's |it is |that's )?(?:probably|maybe|perhaps|possibly|likely|tentatively|roughly|"
    r"approximately|approx\.?|i (?:think|guess|believe|suppose)(?: it's| it is| that)?|"
    r"might be|could be|may be|somewhere around|something like|(?:about|around)(?= (?:[$€£¥]?[0-9]|an? |"
    r"one|two|three|mid|early|late|the end)))[,:]?\s+)+",
    re.IGNORECASE,
)
_TRAILING = lazy(
    rf"\s*(?:[，,]?\s*(?:左右|上下|差不多|大概|可能|应该|估计|{_BAR}吧|的样子|{_BAR}吧。)|[,]?\s+(?:maybe|perhaps|"
    r"probably|possibly|i (?:think|guess|believe|suppose)|or so|roughly|approximately|tentatively)"
    r")+[。.!！]?$",
    re.IGNORECASE,
)


def unhedged(text: str) -> str:
    """``text`` without the hedges that open and close it; all of it when nothing else is left."""
    bare = _TRAILING.sub("", _LEADING.sub("", text, count=1) if _LEADING.match(text) else text).strip()
    return bare or text
