"""Whether a figure beside a word is what the thing is now: not a change (涨了10万), a comparison, a figure of
last year, of another shop, below zero, or one that the speaker calls false.
"""

# ruff: noqa: E501 (a list of words reads best on one line)
from __future__ import annotations

from collections.abc import Sequence

from forms_dynamics.language.clauses import clause_of, sentence_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.units import unit_behind

_LESS_THAN_NOTHING = lazy(r"(?:(?<=[\w\u4e00-\u9fff])[-−－]|\bminus\s*|\bnegative\s*|负)\s?$")
_MAY_BE_NEGATIVE = lazy(
    r"余额|结余|盈亏|利润|净|差额|温度|balance|profit|net|difference|temperature|change|delta|margin|偏差|变动|调整|减免"
)
_BY_HOW_MUCH = lazy(
    r"(?:上涨|下降|涨|降|上升|升|增加|增|减少|减|削减|提高|上调|下调|加|砍|追加|超出|超支|超|(?<![最至很许差不])多|(?<![最至减缺])少|便宜|贵|(?<![最超])高|(?<![最降])低|(?<![价相时温])差|缺口|缺|短缺|省|压缩|剩余|剩|(?<![单])调[高低])(?:了|出来?|出了|是|为)?\s*(?:大概|大约|约)?\s*$|"
    r"\b(?:up|down|increased|decreased|rose|grew|fell|dropped|shrank|higher|lower|cut|raised|reduced|short)(?: by)?(?: about| around)?\s+$"
)
_IS_A_CHANGE = lazy(
    r"加急|加价费|差旅|涨幅|降幅|increase|raise|discount|优惠|节省|savings?|shortfall|缺口|gap|超支|overrun|差价|加班"
)
_COMPARED = lazy(r"(?<![百占对评反])比(?!例|如|较|亚|赛|价)|相比|较(?=去|上|之|原)|\b(?:than|compared)\b")
_MORE = lazy(
    r"\s*(?:more|less|higher|lower|cheaper|dearer|greater|bigger|smaller)(?: than\b|\s*(?:[.,;!]|$))|\s?[a-z%°²³]{1,8} (?:more|less|fewer|(?!rather|other)[a-z]{3,}er) than\b|"
    r"\s*(?:short|too (?:high|low|much|little))\b|"
    r"\s*(?:over|above|below|under)\s+(?:the |our |my |their )?(?:what|last|list|budget|before|quote|estimate|limit|plan)\b"
)
_FALSE = lazy(
    r"\s*(?:元|块)?的?(?:这个?|那个?)?(?:说法|数字?|话|消息)?(?:都|纯属|完全|全|就|也|根本|纯粹|其实|绝对)*是?(?:我|他|她|别人|瞎|胡|乱)*(?:假的|假话|瞎[编说扯]|编的|编造|骗人?的|胡[说编扯]|乱[说讲编]|谣言|虚构|误传|误会|错的|不对|不准|不实|不是真|没有?的事|开玩笑|说笑)|"
    r"\s*(?:figure|number|amount|thing|one)?\s*(?:is|was|['’]s)(?: a| an| all| just| completely| totally| simply| only)*\s(?:fake|false|wrong|made[ -]up|lie|untrue|not true|not real|nonsense|fiction|fictional|bogus|joke|rumou?r|incorrect|outdated|invented|hypothetical)\b"
)
_PAST_BEFORE = lazy(
    r"去年|前年|往年|历年|上个?(?:月|季度?|周|年度?|学期|财年|星期)|上半年(?=的)|(?<![月日号底初天周年点末\d])(?:以前|之前)的?(?!.{0,6}(?:说|讲|提|谈|报|定|给|告诉))|曾经?|过去的?|当年|当时|旧的?|历史|原[来先本]的(?!价)|上一?[次回](?!.{0,8}(?:说|讲|提|谈|报|定|给|告诉|聊))|(?:^|[的，\s])原$|"
    r"\b(?:last|previous|prior|past)(?: \w+)?['’]?s? (?:year|quarter|month|week|season|fiscal year)(?:['’]s)?\b|\blast (?:year|quarter|month|week)['’]?s?\b|\bformer\b|\b(?:old|original|earlier|previous|prior)\s+$|\bused to\b|\bformerly\b|\bback then\b|\bat the time\b|\byears ago\b"
)
_PAST_BEHIND = lazy(
    r"\s*(?:total |overall |each |in total )?(?:back )?(?:(?:in|during|for) )?(?:the )?(?:last|previous|prior|past) (?:year|quarter|month|week|season)\b|\s*(?:a|one|two|three|\d+|some) (?:years?|months?|weeks?|days?) ago\b|\s*(?:back then|at the time|in the past)\b|\s*(?:yesterday)\b(?=\s*[.!]?$)|\s*(?:元|块)?是(?:去年|前年|上个?月|上个?季度|以前|之前|过去)的"
)
# "was 520 kg back in May"
_WAS = lazy(r"\b(?:was|were|stood at|had been)\b")
_THEN_AHEAD = lazy(
    r"\b(?:in|during|back in) (?:early |mid[- ]?|late )?(?:(?:19|20)\d\d|january|february|march|april|may|june|july|august|september|october|november|december)\b"
)
_OPENS_IN_THE_PAST = lazy(
    r"\s*(?:(?:我记得|那时候?|其实|原来)?(?:去年|前年|往年|上个?(?:月|季度?|周|年度?|学期|星期)|以前|之前|从前|当时|当年|小时候)|(?:last|the previous) (?:week|month|year|quarter|season)\b|back then\b|in the past\b)"
)
_BY_NOW = lazy(
    r"现在|如今|目前|今天|今年|本[周月]|这[周个]|后来|改|涨|降|变|提|\b(?:now|today|currently|since|this (?:week|month|year)|has been|went|rose|fell|changed)\b"
)
_THEN_BEHIND = lazy(
    r"\s*(?:back |only |still )?(?:(?:in|during|around) (?:early |mid[- ]?|late )?(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|(?:19|20)\d\d|the (?:spring|summer|autumn|winter|beginning|past))\b|at (?:first|birth|the (?:start|beginning))\b|originally\b|initially\b|before\b|then\b|when (?:she|he|it|they|we|i)\b|when \w+ (?:ran|owned|was|were|had|lived|worked|managed|started|bought|arrived|came|still)\b)"
)
_ANOTHERS_ZH = lazy(
    r"(?:另外?一?|其他|其它|别的?|(?<![这那哪])第二|旁边那?|隔壁那?|对面那?)(?:一)?(?:家|个)?(?:店|供应商|公司|厂家|厂商|商家|平台|修理厂|维修店|门店|单位|工厂|厂|中介|卖家|同行|人|客户|部门|项目)|另外?一?家|别家|其他家|人家|隔壁|竞争对手|竞品|同行|友商"
)
_WHOSE = r"(?:shop|store|vendor|supplier|company|firm|dealer|dealership|garage|place|provider|contractor|seller|agency|bidder|party|workshop|mechanic|team|department|client|customer|project|guy|person|quote|bid)"
_ANOTHERS_EN = lazy(
    rf"\b(?:another|other|different|rival|competing|second|somebody else['’]s|someone else['’]s) (?:[a-z]+ )?{_WHOSE}s?\b|\bcompetitors?\b|\brivals?\b|\belsewhere\b|\b(?:someone|somebody) else\b"
)

# 明年的预算, next quarter's budget: a figure of a period to come
_NEXT_ZH = (
    r"(?:明年|后年|来年|次年|下个?(?:季度|季|月|年度|财年|半年|学期)|下一个?(?:季度|年度|财年|学期|年))"
)
_NEXT_EN = r"(?:next|(?:the\s+)?(?:coming|following))\s+(?:fiscal\s+|financial\s+)?(?:year|quarter|month|season|semester)"
_NEXT_BEFORE = lazy(
    rf"{_NEXT_ZH}度?的?(?:总|新|整体|全年)?\s*$|\b{_NEXT_EN}(?:['’]s)?\s+(?:total\s+|overall\s+|whole\s+)?$"
)
_NEXT_WITHIN = lazy(rf"{_NEXT_ZH}|\b{_NEXT_EN}\b")
_NEXT_BEHIND = lazy(rf"\s*(?:for|in)\s+(?:the\s+)?{_NEXT_EN}\b|\s*(?:元|块钱?)?是{_NEXT_ZH}的")


def of_a_later_period(text: str, low: str, told: tuple[int, int], names: Sequence[str]) -> bool:
    """Whether ``text[slice(*told)]``, a figure with the word that names it, is said of a year, quarter or month to come.

    ``names``: what the slot is called; one that is of such a period itself (下季度预算) is told its own figure.
    """
    if any(_NEXT_WITHIN.search(name) for name in names):
        return False
    first, last = clause_of(text, *told)
    return (
        _NEXT_BEFORE.search(low[first : told[0]]) is not None
        or _NEXT_WITHIN.search(low[slice(*told)]) is not None
        or _NEXT_BEHIND.match(low[told[1] : last]) is not None
    )


def holds_now(text: str, low: str, word: tuple[int, int], value: tuple[int, int]) -> bool:
    """Whether the figure ``text[slice(*value)]`` that stands beside ``text[slice(*word)]`` says what the thing
    is. ``low`` is the text folded and in lower case."""
    first, last = clause_of(text, min(word[0], value[0]), max(word[1], value[1]))
    named = low[word[0] : word[1]]
    before = low[first : min(word[0], value[0])]
    gap = low[word[1] : value[0]] if word[1] <= value[0] else ""
    behind_at = max(word[1], value[1])
    unit = unit_behind(text, behind_at)
    behind = low[behind_at:last]
    past = behind if unit is None else low[unit[1] : last]
    # a value that begins with its sign, or one that the reading left outside
    minus = low[value[0]] in "-−－" or _LESS_THAN_NOTHING.search(low[max(first, value[0] - 10) : value[0]])
    if minus and not _MAY_BE_NEGATIVE.search(named):
        return False
    if gap and _BY_HOW_MUCH.search(gap) and not _IS_A_CHANGE.search(named):
        return False
    if _COMPARED.search(gap) or _MORE.match(behind) or _FALSE.match(behind):
        return False
    if _PAST_BEFORE.search(before) or _PAST_BEFORE.search(gap) or _PAST_BEHIND.match(past):
        return False
    if _WAS.search(gap) and (_THEN_BEHIND.match(past) or _THEN_AHEAD.search(before)):
        return False
    head = sentence_of(text, *value)[0]
    if (
        head < first
        and _OPENS_IN_THE_PAST.match(low, head, first)
        and not _BY_NOW.search(low, head, value[0])
    ):
        return False  # 上周C-9还是开放的，租金才200
    return not any(
        pattern.search(part) for pattern in (_ANOTHERS_ZH, _ANOTHERS_EN) for part in (before, gap, behind)
    )


__all__ = ["holds_now", "of_a_later_period"]
