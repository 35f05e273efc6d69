"""Cues of a clause beyond its values: doubt, denial, supposition, question, jest, correction, withdrawal,
proposal.

All take the message and the span of a value's words, and judge by the clause (or sentence) around them.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from functools import lru_cache

from forms_dynamics.language.clauses import break_after, clause_of, neighbours, sentence_of
from forms_dynamics.language.lazy import lazy, matches
from forms_dynamics.language.negation import negated
from forms_dynamics.language.numerals import lowered
from forms_dynamics.language.posed import posed
from forms_dynamics.language.requests import seeking
from forms_dynamics.language.voices import quoted, third_party

__all__ = [
    "ALL",
    "another",
    "correcting",
    "ends",
    "hypothetical",
    "invalidating",
    "joking",
    "negated",
    "over",
    "proposing",
    "questioned",
    "third_party",
    "withdrawn_many",
]  # fmt: skip

# -- suppositions ------------------------------------------------------------------------------------------
_IF = lazy(
    r"(?:如果|要是|假如|假设|假若|倘若|若是|若(?!干|是|非|隐)|万一|即使|即便|哪怕|就算|除非|一旦|要不是|"
    r"但凡|设想|想象一下|打个比方|举个例子|比方说|理论上)(?!没记错|没猜错|可以的?话?|方便|不介意|不麻烦|"
    r"有问题|有疑问|有需要|需要|您需要|你需要|您有|你有|有任何|有事|有变)"
    r"|\b(?:(?<!as )(?<!see )(?<!check )(?<!wonder )(?<!wondering )(?<!know )(?<!ask )(?<!noticed )"
    r"(?<!sure )(?<!ask me )"
    r"if(?! (?:you|possible|necessary|any\b|that helps|that's ok|i (?:remember|recall|may|am not|'m not)|"
    r"memory|so\b|not\b|needed|applicable|there(?:'s| is| are) any))|"
    r"hypothetical(?:ly)?|theoretically|in theory|what if|(?<!i )(?<!we )suppose(?!d)|supposing|"
    r"(?<!i )(?<!can )imagine(?! (?:that's|it's))|assuming|let's (?:say|assume|imagine|pretend)|pretend|"
    r"if only|(?:i|we)"
    r" wish(?! to)|wish (?:i|we)\b|were (?:we|i|it) to|had we|unless|in case(?! you)|provided that|"
    r"would have|could have|should we ever)\b"
)
_WISH = lazy(
    r"(?:就|该(?:多)?|那就?)(?:好了|好啦)|多好|但愿|would be (?:nice|great|lovely) if|if only|"
    r"\bi wish\b(?! to)|"
    r"\bwe wish\b(?! to)|wish (?:i|we)\b|做梦"
)
_IF_BEHIND = lazy(
    r"\s*(?:\bif\b(?! (?:possible|you|that))|\bunless\b|\bprovided that\b|\bassuming\b|的话(?=就好|多好))"
)


# What every supposition above holds.
_MAY_SUPPOSE = lazy(
    r"如果|要是|假|倘|若|万一|即[使便]|哪怕|就算|除非|一旦|要不是|但凡|设想|想象|比方|举个例子|理论上|"
    r"好[了啦]|多好|"
    r"但愿|做梦|的话|\bif\b|hypothetical|theor|suppos|imagin|assuming|let's|pretend|wish|were |had we|unless|"
    r"in case|provided|would|could have|should we"
)


@lru_cache(maxsize=1024)
def _may_suppose(text: str) -> bool:
    return _MAY_SUPPOSE.search(lowered(text)) is not None


@lru_cache(maxsize=2048)
def hypothetical(text: str, start: int, end: int) -> bool:
    """Whether the words stand in a condition, a wish or a thought experiment, or in what would follow from
    one."""
    if not _may_suppose(text):
        return False
    said = lowered(text)
    head, tail = sentence_of(text, start, end)
    low, high = clause_of(text, start, end)
    if _WISH.search(said, low, min(tail, high + 12)):
        return True
    for found in matches(_IF, said, head, max(end, head)):
        # 我们预算50万，如果…: what is said before the condition is not under it; "50k if approved" is
        if found.start() < start or (found.start() >= low and found.end() <= end):
            return True
    return _IF_BEHIND.match(said, end, high) is not None


# -- questions -----------------------------------------------------------------------------------------------
_ASKS_ZH = lazy(
    r"多少|几(?:钱|点|个月|天|号|月|家|折|年)|什么|哪(?:个|家|些|里|儿|天|种|位|款)?|谁|怎么(?!也|都)|怎样|"
    r"如何|为什么|为何|是否|是不是|能不能|可不可以|要不要|有没有|行不行|好不好|对不对|会不会|够不够|可否|"
    r"能否|难道|何时|多久|多长"
)
_ENDS_ZH = lazy(r"(?:吗|嘛|呢|么|不|没有?)$")
_ASKS_EN = lazy(
    r"^\s*(?:so |and |but |or |well |ok |okay |hi |hey |hello |also |then |just |hypothetically )*(?:what|"
    r"which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|would|will|should|"
    r"shall|may|might|has|have|had|am|isn't|aren't|don't|doesn't|won't)\b"
)
_INDIRECT = lazy(
    r"\b(?:wonder(?:ing)?|asking|want(?:ed)? to know|like to know|curious|not sure|any idea|tell me) (?:if|"
    r"whether|what|which|how|when)\b|想(?:知道|问|了解)|不知道(?:是不是|是否|能不能)|问问|"
    r"问一下(?!.{0,2}您)"
)
_REQUEST = lazy(
    r"\b(?:can|could|would|will) you (?:please |also |kindly |just |maybe )?(?!(?:tell|explain|say|confirm|"
    r"know|do|offer|accept|handle|manage|take|give (?:me|us) (?:a|the) (?:price|quote)|deliver|live|work|"
    r"think|be)\b)[a-z]+|"
    r"\b(?:can|could|may) (?:i|we) (?:please |also |just |maybe )?(?:get|have|book|make|change|reserve|"
    r"order|schedule|add|set|switch|move|update|request|place)\b|"
    r"(?:能|可以|可否|能否|能不能|可不可以|可以不可以)?(?:请您?|麻烦您?|劳驾)?(?:帮|给|替|为)(?:我们?|忙)|"
    r"请(?:您)?(?:记|把|将|安排|改|订|预)|麻烦(?:您|你)?(?:把|将|改|订|安排|记)"
)
_GUESS = lazy(r"(?<!对)(?<!是)(?<!错)(?<!行)(?<!好)(?<!可以)吧$")
_TAG = lazy(
    r"(?:对吧|对吗|对不对|是吧|是吗|是不是|没错吧|right|correct|isn't it|is that (?:right|correct)|"
    r"am i right|yes|no|yeah|ok with you)\s*"
)


# What every question above holds.
_MAY_ASK = lazy(
    r"[?？吗嘛呢么吧不没多几什哪谁怎如何否难久长想问]|wonder|asking|to know|curious|not sure|any idea|tell me"
)


@lru_cache(maxsize=1024)
def _may_ask(text: str) -> bool:
    return _MAY_ASK.search(lowered(text)) is not None


@lru_cache(maxsize=2048)
def questioned(text: str, start: int, end: int) -> bool:
    """Whether the words are asked about rather than stated. A request in the form of a question is no
    question."""
    if not _may_ask(text):
        return False
    said = lowered(text)
    low, high = clause_of(text, start, end)
    clause = said[low:high].strip(" \"'”“」）)")
    if _REQUEST.search(clause):
        return False
    if seeking(text, start, end):
        return False
    mark = break_after(text, end)
    if _GUESS.search(clause) and not _INDIRECT.search(clause):
        return False  # 三百多吧？ guesses; what it says is held as a guess
    if "?" in mark or "？" in mark:
        return True
    if _ENDS_ZH.search(clause) and not clause.endswith(("还没", "没有")):
        return True
    if _INDIRECT.search(clause[: max(0, start - low)] if start > low else ""):
        return True
    if _ASKS_ZH.search(clause) and not re.search(
        r"(?:无论|不管|不论|随便|没什么|什么都|谁都|哪都|怎么都)", clause
    ):
        return True
    behind = neighbours(text, start, end)[1]
    if behind and _TAG.fullmatch(behind):
        tail = sentence_of(text, start, end)[1]
        return text[max(0, tail - 1) : tail] in ("?", "？") or behind in (
            "对吧",
            "对吗",
            "是吧",
            "是吗",
            "没错吧",
        )
    if _ASKS_EN.search(clause) and not re.search(r"[。.!！]", mark or "."):
        # an English question whose mark comes later: "is it 50k, or less?"
        tail = sentence_of(text, start, end)[1]
        return text[max(0, tail - 1) : tail] in ("?", "？")
    return False


# -- jest --------------------------------------------------------------------------------------------------
_JOKE = lazy(
    r"(?<!不)(?<!没)(?<!没有)(?<!不是)(?<!别)(?<!不是在)(?<!没在)(?<!不是跟你)开(?:个|了个|你)?玩笑(?!吗)|"
    r"说着玩|逗你(?:玩|呢)|逗(?:一下|个乐|乐)|闹着玩|瞎说的|胡说的|乱说的|随口(?:一说|说说|胡诌)|骗你的|"
    r"当我没说|别当真|不要当真|吹(?:个)?牛的?$|"
    r"\b(?:(?<!not )(?<!no )(?<!ain't )(?:just |only |totally )?(?:kidding|joking)|jk|j/k|just a joke|"
    r"it's a joke|as a joke|pulling your leg|just messing|messing with you|don't take (?:it|that|me)"
    r" seriously|not (?:being )?serious)\b|\s/s\s*$"
)


@lru_cache(maxsize=1024)
def joking(text: str) -> bool:
    """Whether the message takes itself back as a joke. "No kidding" and 不开玩笑 do not."""
    return _JOKE.search(lowered(text)) is not None


# -- corrections
# ------------------------------------------------------------------------------------------------
_CORRECTION = lazy(
    r"说错|写错|打错|搞错|弄错|记错了|报错了|错了|更正|纠正|订正|修正|改(?:成|为|到|一下|回)|换成|"
    r"调(?:整)?(?:成|为|到)|更新(?:为|成|一下)|变(?:成|为|更)|才是(?:最终|对|准)|才对|最终(?:是|版|定|确定|"
    r"确认)|以(?:这个|这次|此|本次)为准|以.{1,12}为准|"
    r"不对|(?:应该|其实|实际上?|准确(?:地说|来说|说)?)是.{1,20}(?:不是|而不是)|不是.{1,20}[，,]?(?:而?是)|"
    r"而不是|更准确|前面(?:说|讲)的(?:不|有)|刚才(?:说|讲)的(?:不|有)|收回|"
    r"\b(?:correct(?:ion|ing|ed)?(?! (?:me|answer))|i meant|i mean(?=[ ,:])|(?:i )?misspoke|my (?:mistake|"
    r"bad|error)|sorry[, ]+(?:i meant|it's|it is|that's|make|not|should)|actually(?:,? (?:it's|it is|"
    r"that's|make|the|we|our|my|i|let's|no|they|is))|make (?:that|it)|scratch that|"
    r"rather than|instead of|not .{1,30}?(?:, ?|,? but |; ?)(?:it's |it is |is )?|change (?:it|that|this|"
    r"the .{1,30}?) to|changed (?:to|from)|chang(?:e|ing) .{1,30}? (?:to|from)|update[sd]? (?:to|from|the)|"
    r"revis(?:e|ed|ion)|amend(?:ed|ment)?|is (?:the )?final|final (?:answer|figure|number|is)|"
    r"(?:was|is) wrong|wrong(?:ly)?|typo|no longer|not anymore|any ?more|should (?:be|have been|read)|"
    r"let me (?:correct|fix|rephrase)|to be clear|switch (?:it |that )?to|(?:is|was) now|now (?:it's|it is)|instead(?=[.!,;]|\s*$)"
    r")"
)


@lru_cache(maxsize=1024)
def correcting(text: str) -> bool:
    """Whether the message says that something said before was wrong or has changed."""
    return _CORRECTION.search(lowered(text)) is not None


_ANOTHER = lazy(
    r"另外?(?:还有)?一?[个家位名单条台套间]|还有一?[个家位名]|第[二三四五]?[个家位名](?!电话|手机|号)|别的[个家位]?|新(?:来|接|加)?的?一?[个家位]?(?:客户|顾客|病人|患者|线索|商机)|"
    r"\b(?:another|an additional|(?:a|the) (?:second|third|different|new) (?!phone|number|mobile|cell|email|e-mail|mail|contact|one\b))"
)


def another(text: str) -> bool:
    """Whether the message speaks of another thing than before: 另一个客户, "a second customer"."""
    return _ANOTHER.search(lowered(text)) is not None


# -- withdrawals
# --------------------------------------------------------------------------------------------------
_THING_ZH = (
    "方案|报价单?|订单|合同|计划|安排|预约|预订|约定|协议|需求|申请|投诉|单子|项目|会议|任务|版本|提案|"
    "意向|那单|那版|那份|那个|这个|这单|这份|那次|那张|行程|机票|酒店|记录|信息|说法"
)
_OLD_ZH = "之前|以前|原来|原先|上次|上回|刚才|先前|前面|早先|旧|老|昨天|上周|上个?月|第[一二三四]个|所有|全部"
_VOID_ZH = (
    "作废|取消|不要了|不要啦|废掉|废了|废除|算了|不算数?|撤销|不用了|无效|终止|撤回|作罢|推翻|停掉|不做了|"
    "删掉|删了|不考虑了|放弃|失效|黄了|退掉|退了|不干了"
)
_WITHDRAW = lazy(
    rf"(?P<a>(?:(?:{_OLD_ZH})(?:我们?|你们?|您|给|说|定|谈|提|发|做|签|报|订|约)*的?|那个|这个|那份|那版|"
    rf"那)?[^，。；！？,.;!?\s、]{{0,10}}?(?:{_THING_ZH}|(?:{_OLD_ZH})(?:的|那个|那份|说的|定的|谈的)))"
    rf"(?:就|先|也|都|全部?|整个|已经?|可以|直接|请|帮我|麻烦|我们|我|给|统统|一律|彻底|正式|"
    rf"现在)*(?:{_VOID_ZH})(?!吗|么|政策|不了|费)"
    rf"|(?<!不要)(?<!别)(?<!不能)(?<!无法)(?<!没有)(?<!没)(?<!不会)(?<!不想)(?<!免费)(?:把)?(?:取消|作废|"
    rf"撤销|废掉|废除|终止|放弃|忘掉|忘了|别管|不要|删掉|撤回|退掉|推翻)(?:掉|了)?(?P<b>(?:(?:{_OLD_ZH}|那|"
    rf"这|我的?|我们的?)[^，。；！？,.;!?\s]{{0,12}}?)(?:{_THING_ZH}|$|(?=[，。；！？,.;!?\s])))"
    rf"|把(?P<c>[^，。；！？,.;!?\s]{{1,16}}?)(?:给)?(?:取消|作废|撤销|废掉|废了|删掉|删了|终止|撤回|退掉|"
    rf"推翻)(?!吗)"
)
_OLD_EN = (
    "old|previous|earlier|last|former|first|second|original|current|existing|prior|initial|whole|entire|other"
)
_THING_EN = (
    "plan|quote|quotation|order|contract|offer|proposal|booking|reservation|appointment|meeting|deal|"
    "request|version|budget|arrangement|agreement|idea|one|option|project|task|complaint|trip|flight|hotel|"
    "draft|estimate|figure|numbers?|schedule"
)
_WITHDRAW_EN = lazy(
    rf"(?<!not )(?<!n't )(?<!n’t )(?<!never )\b(?:forget(?<!always forget)(?<!i forget)(?<!to forget)"
    rf"(?<!you forget)(?<!often forget)(?<!ever forget)|scrap|cancel|drop|discard|void|ignore|disregard|"
    rf"withdraw|kill|bin|ditch|abandon|throw (?:out|away)|call off|nix|retract|tear up|cancelling|"
    rf"scrapping|dropping|cancelled|scrapped|dropped)(?: about)? "
    rf"(?P<a>(?:the|that|our|my|this|(?:all|both)(?: of)?(?: (?:the|these|those|my|our))?|every|those|these|your)"
    rf"(?: (?:{_OLD_EN})"
    rf")*(?: [\w'-]+){{0,5}}? (?:{_THING_EN})s?\b|everything (?:i|we) said(?: before)?|what (?:i|we)"
    rf" said(?: before| earlier)?|(?:the|that|our|my) (?:{_OLD_EN}) [\w'-]+)"
    rf"|(?P<b>(?:the|that|our|my|this|(?:all|both)(?: of)?(?: (?:the|these|those|my|our))?|those|these|your)"
    rf"(?: (?:{_OLD_EN})"
    rf")*(?: [\w'-]+){{0,5}}? (?:{_THING_EN})s?) (?:is|are|was|were|has been|have been)(?: now| hereby|"
    rf" officially)? (?:cancell?ed|void|off|scrapped|no longer (?:valid|needed|on)|dead|withdrawn|"
    rf"null and void|invalid|obsolete|dropped)\b",
)


# what is withdrawn goes by its number: "forget job J-8", 取消AP-103的预约
_NUMBERED = r"(?:(?<![a-z0-9-])(?=[a-z0-9_/-]*[0-9])[a-z]{1,6}[-_/]?[0-9][a-z0-9_/-]*|#[0-9]+)"
_DROPS_EN = (
    r"(?<!not )(?<!n't )(?<!n’t )(?<!never )\b(?:forget(?<!always forget)(?<!i forget)(?<!to forget)(?<!you forget)"
    r"(?<!often forget)(?<!ever forget)|scrap|cancel|drop|delete|remove|discard|void|ignore|disregard|withdraw|abandon|"
    r"call off)(?: about)?"
)
_WITHDRAW_NUMBERED = lazy(
    rf"{_DROPS_EN} (?P<a>(?:(?:the|that|our|my|this) )?(?:(?:[a-z]+ ){{0,3}}{_NUMBERED}|(?:[a-z]+ ){{1,3}}(?:no\.? ?|number )?"
    r"[0-9]+(?![0-9a-z%]| [a-z]))(?: [a-z]+)?)(?= ?please| ?$|[.,;!]| now\b| (?:and|as|because|since)\b)"
    rf"|(?P<b>(?:(?:the|that|our|my|this) )?(?:[a-z]+ ){{0,3}}{_NUMBERED}) (?:is|was|has been)(?: now| hereby| officially)? "
    r"(?:cancell?ed|void|off|scrapped|no longer (?:valid|needed|on)|withdrawn|invalid|obsolete|dropped|deleted)\b"
    r"|(?<!不要)(?<!别)(?<!不能)(?<!不)(?<!没有)(?<!没)(?<!无法)(?<!不想)(?<!不会)(?:取消|作废|撤销|废掉|终止|放弃|忘掉|删掉|删除|撤回|退掉)"
    rf"(?:掉|了|一下)?(?!的)(?P<c>[^，。；！？,.;!?\s]{{0,10}}?\s?{_NUMBERED}(?:\s?的?[^，。；！？,.;!?\s吗么]{{0,8}})?)(?=$|[，。；！？,.;!?\s])"
    rf"|(?:^|(?<=[，。；！？,.;!?\s]))(?:请|麻烦|帮我|给我|你|您|那|就|先)*把\s?(?P<e>[^，。；！？,.;!?\s不别]{{0,10}}?\s?{_NUMBERED})\s?(?:这[个条份]|那[个条份]|给|都|也|从记忆[里中])*忘(?:掉|了|记)(?:了|吧|掉)*(?=$|[，。；！!,.])"
    rf"|{_DROPS_EN} (?P<f>[\u4e00-\u9fff]{{1,8}}\s?{_NUMBERED})(?= ?please| ?$|[，。；！？,.;!?]|吧|了| now\b)"
    rf"|(?P<g>[^，。；！？,.;!?\s不别没]{{0,10}}?\s?{_NUMBERED})\s*(?:已经?|现在|is |was |has been )*(?:cancell?ed|void(?:ed)?|scrapped|withdrawn|dropped|deleted|invalid)\s*(?:了|掉|啦)+(?=$|[，。；！!,.])"
    rf"|(?P<d>[^，。；！？,.;!?\s不别]{{0,10}}?\s?{_NUMBERED}[^，。；！？,.;!?\s不别没]{{0,6}}?)(?:已经?|就|先|也|被|给|全部|请|帮我|麻烦|可以|直接)*"
    r"(?:作废|取消|撤销|不要|无效|终止|删掉|删除|删了|不用|忘了吧|忘掉吧|忘记吧)(?:了|掉|吧)*(?=$|[，。；！!,.])"
)


_VOID_HINT = lazy(
    "作废|取消|不要|废[掉了除]|算了|不算|撤[销回]|不用|删除|忘掉|无效|终止|作罢|推翻|停掉|删[掉了]|不做了|不考虑|"
    "放弃|失效|黄了|退[掉了]|忘[掉了]|别管|不干了|"
    "forget|scrap|cancel|drop|discard|void|ignore|disregard|withdraw|kill|bin|ditch|abandon|throw|call off|"
    "nix|retract|tear|delete|remove| off|no longer|dead|obsolete|invalid"
)


@lru_cache(maxsize=1024)
def invalidating(text: str) -> tuple[int, int] | None:
    """The span of the words for what is withdrawn (之前的方案作废, "forget the old plan"), or None.

    Questions about a withdrawal, refusals of one and conditions are none.
    """
    said = lowered(text)
    if not _VOID_HINT.search(said):
        return None
    numbered = any(sign.isdigit() for sign in said)
    for pattern in (_WITHDRAW, _WITHDRAW_EN, *((_WITHDRAW_NUMBERED,) if numbered else ())):
        if pattern is _WITHDRAW and said.isascii():
            continue
        for found in pattern.finditer(said):
            name = next(n for n in "abcdefg" if n in pattern.groupindex and found[n] is not None)
            start, end = found.span(name)
            if found.end() - found.start() < 2 or _asked_or_supposed(text, found.start(), found.end()):
                continue
            if _anothers_words(text, said, found.end() - 2, found.end()):
                continue
            return _trimmed(said, start, end)
    return None


ALL = -1
_ALL_MEANT = lazy(r"所有|全部|统统|一律|通通|每[个份张单条]|[这那]些|都|\b(?:all|every|each|these|those)\b")
_SO_MANY = lazy(
    r"(?P<two>(?:[两俩二2]|这两|那两)\s*[个份张单条版次项]|\b(?:both|two)\b)|(?P<three>[三3]\s*[个份张单条版次项]|\bthree\b)"
    r"|(?P<four>[四4]\s*[个份张单条版次项]|\bfour\b)"
)


def withdrawn_many(text: str) -> int | None:
    """How many things the words withdraw, where more than one: a count (both: 2), or :data:`ALL`; None for one."""
    words = invalidating(text)
    if words is None:
        return None
    start, end = words
    # 之前的报价全部作废, 把两个报价都取消: it may stand around what is withdrawn, in its clause
    low, high = clause_of(text, start, end)
    said = lowered(text)[max(low, start - 6) : min(high, end + 8)]
    counted = _SO_MANY.search(said)
    if counted is not None:
        return {"two": 2, "three": 3, "four": 4}[counted.lastgroup or "two"]
    return ALL if _ALL_MEANT.search(said) else None


_WRITTEN = lazy(
    r"(?:网上|网页|网站|新闻|邮件|短信|微信|群里|朋友圈|帖子|文章|公告|海报|书上|合同里?)[^，。；！？\n]{0,10}?(?:写|说|发|讲|显示|登|贴)|"
    r"\b(?:website|web ?page|page|article|post|e-?mail|mail|message|ad|sign|poster|news|book|label|document|note|internet) (?:just )?"
    r"(?:says?|said|reads?|states?|wrote|writes)\b"
)
_WORKED_ON_BEHIND = lazy(
    r"[^“”\"'‘’「」\n]{0,24}[”\"'’」]\s*(?:这句话?)?(?:帮我|给我|请)?(?:翻译|译成|润色|改写|用英语|用英文|用中文|是什么意思|怎么说)|"
    r"[^\"'\n]{0,24}[\"'”’] (?:in|into|to) (?:english|chinese|french|german|spanish)\b"
)


def _anothers_words(text: str, said: str, start: int, end: int) -> bool:
    """Whether the words that withdraw are not the speaker's: told or written by another, worked on, cited."""
    if quoted(text, start, end) is not None or posed(text, start, end):
        return True
    line = said.rfind("\n", 0, start) + 1
    if said[line:start].lstrip().startswith(">"):
        return True
    head = sentence_of(text, start, end)[0]
    return _WRITTEN.search(said, head, start) is not None or _WORKED_ON_BEHIND.match(said, end) is not None


def _trimmed(said: str, start: int, end: int) -> tuple[int, int]:
    lead = re.match(
        r"(?:那么|那就|我们|我|请|麻烦|帮我|把|所以|好的|嗯|哦|就|先|还是|还|对了)+", said[start:end]
    )
    if lead and lead.end() < end - start:
        start += lead.end()
    return start, end


def _asked_or_supposed(text: str, start: int, end: int) -> bool:
    said = lowered(text)
    low, high = clause_of(text, start, end)
    if re.search(
        r"(?:不要|别|不能|不可以?|没有?|无法|不会|不想|不)\s*(?:取消|作废|撤销|废掉|终止|放弃|删)",
        said[low:high],
    ):
        return True
    return hypothetical(text, start, end) or questioned(text, start, end)


# -- proposals
# ----------------------------------------------------------------------------------------------------
_PROPOSAL = lazy(
    r"建议|要不(?!是)|要么|不如|也?看看(?:有没有|能不能|是否)?|也问问|或者?(?!许)|还是说|或许可以|可以考虑|"
    r"考虑一下|也可以|也行|也成|备选|备用|另外看|再看看|(?<![给帮替])我推荐|推荐(?:你|您|用|选)|提议|何不|"
    r"是否可以|"
    r"\b(?:how about|what about|maybe (?:also|we|you|try)|perhaps (?:also|we|you)|(?:we|you|one) could|"
    r"could (?:we|it)|(?:i|we|he|she|they|would|'d) (?:suggest|recommend|propose)|(?:suggests|proposes|"
    r"suggested|proposed)|alternative(?:ly)?|or (?:maybe|"
    r"perhaps|we could|even)|why (?:don't we|not)|"
    r"let's (?:see|try|also|look)|shall we|another option|as an option|also (?:check|look|see|try|consider)"
    r"|see if|what if we|might also|as a (?:backup|fallback|second option)|plan b|recommends|recommended|"
    r"consider(?:ing)?|would .{1,40} work|should we)\b"
)
_EITHER = lazy(
    r"\b(?:either|or)\b(?! (?:so|less|more|under|over|above|below|thereabouts|something|later|earlier|not|take))"
    r"|或者?(?!许)|还是(?=[^，。]{1,10}(?:都|也)?(?:行|可以|好))|"
    # 50万还是60万 offers two; 预算还是50万不变 says again what was said
    r"(?<=[\d万千百亿元块号日点天周年月一二三四五六七八九十%人个])(?<![今明昨]天)(?<!今年)(?<!本月)还是(?=[周星礼\d一二三四五六七八九十])"
)
_UNCHANGED = lazy(r"不变|没变|没改|不改|照旧|维持|保持|\bunchanged\b|\bstill\b|\bstays?\b|\bremains?\b")
# "I don't eat meat or fish" denies both
_DENIED = lazy(
    r"\b(?:not|no|never|without|neither|nor|hate|dislike|detest|avoid|allergic to|refuse)\b|n['’]t\b"
)
# 周四也看看, "Friday could also work", 周四也行
_TRIED_BEHIND = lazy(
    r"\s*(?:那边|那家|上午|下午|晚上|的)?(?:也|都|再|我们|我|你们|你|能不能|可不可以)*\s*(?:看看|问问|"
    r"可以考虑|也?行|也?成|备选|备用)|\s*(?:could|might|would)(?: also| maybe)? (?:work|be an option|do)|"
    r"\s*(?:is|as) (?:an(?:other)? option|a backup|a fallback)"
)
_SETTLED = lazy(
    r"(?:就|那就|决定|确定|(?<!要不)定(?:在|为|成)|改(?:成|为)|换成)|\b(?:decided|settled|let's go with|"
    r"we'll go with|i'll take|confirmed|final)\b"
)


@lru_cache(maxsize=1024)
def _may_propose(text: str) -> bool:
    said = lowered(text)
    return _PROPOSAL.search(said) is not None or _EITHER.search(said) is not None


@lru_cache(maxsize=2048)
def proposing(text: str, start: int, end: int, inside: bool = True) -> bool:
    """Whether the words are offered as a suggestion or one of several alternatives, not settled.

    ``inside`` False: words of proposing inside ``text[start:end]`` do not count (a state that is called 备选).
    """
    if not _may_propose(text):
        return False
    said = lowered(text)
    low, high = clause_of(text, start, end)
    found = _PROPOSAL.search(said, low, high)
    if found is not None and not inside and start <= found.start() < end:
        found = None
    if found is not None and (found.start() < end or _TRIED_BEHIND.match(said, end, high)):
        return not _SETTLED.search(said, found.end(), start)
    if _SETTLED.search(said, low, start):
        return False
    near = max(low, start - 8)
    if (either := _EITHER.search(said, near, min(high, end + 12))) is None:
        return False
    if either.group() == "or" and _DENIED.search(said, low, either.start()):
        return False
    return not (either.group().startswith("还是") and _UNCHANGED.search(said, low, min(len(said), high + 8)))


_ENDS = re.compile(
    r"[不没無无]|取消|结束|終止|终止|停|离开|離開|离职|離職|辞职|辭職|辞[了掉去]|失业|退休|搬[走离出]|换掉|換掉|删|刪|去掉|作废|退|失效|到期|再见|忘[了掉记記]|[别別]再?[记記]|错|錯|有误|是假的|撤|收回|清[除空掉]|抹|划掉|不对|停用|注销|不[算作]|"
    r"(?<![a-z])(?:forget|not|no|n't|never|end(?:s|ed|ing)?|stop(?:s|ped|ping)?|left|leave|leaving|quit|resign(?:s|ed)?|retired?|lost|laid off|moved (?:out|away)|eras(?:e|es|ed)|wipe[ds]?|cancel(?:s|led|ed)?|drop(?:s|ped)?|"
    r"remove[ds]?|delete[ds]?|clear(?:s|ed)?|expired?|over|gone|former|ex|without|anymore|terminat\w+|withdr[ae]w\w*|wrong(?:ly)?|incorrect(?:ly)?|false|untrue|inaccurate|mistaken?|error|typo|void(?:ed)?|"
    r"invalid|scrap(?:ped)?|off|discard|disregard|retract\w*|take back|took back|undo|strike|scratch|obsolete)(?![a-z])|n't\b"
)


def ends(text: str) -> bool:
    """Whether the words say that something is no more: what a cleared value must rest on."""
    return _ENDS.search(lowered(text)) is not None


_OVER = lazy(
    r"划掉|拿掉|免了|算了|戒|省[掉去]|以前|原来|曾|小时候|从前|好了|改成|改为|换|"
    r"\b(?:used to|was|were|as a (?:child|kid)|cross(?:ed)? (?:it |that )?off|take[sn]? (?:it |that )?off|(?:take|took|taking|leave|cross) .{1,24} (?:off|out)|scratch|forget|skip|ditch|scrap|gave up|give up|switch(?:ed)?|instead)\b"
)


@lru_cache(maxsize=1024)
def over(text: str, start: int, end: int) -> bool:
    """Whether the clause of the words says that something ends or was so once: what a removed value must rest on."""
    low, high = clause_of(text, start, end)
    return (
        ends(text[low:high])
        or correcting(text)
        or _OVER.search(lowered(text), *sentence_of(text, start, end)) is not None
    )
