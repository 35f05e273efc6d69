"""What is only meant to become so: 打算把预算提到80万, "we might raise the price to 90", "by next week it will be 80k",
and what holds for one time alone ("just this once").

A verb of intention or possibility counts before a verb of change, whatever stands between them. Who would like
something *set* or *changed* asks for it to be noted, and is taken at their word; a new day for a meeting holds from when
it is decided.
"""

# ruff: noqa: E501 (a list of words reads best on one line)
from __future__ import annotations

from functools import lru_cache
from typing import Literal

from forms_dynamics.language.clauses import clause_of, neighbours
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numerals import lowered

Intention = Literal["meant", "decided", "given up"]

# -- Chinese -------------------------------------------------------------------------------------------------
_WORLD_ZH = (
    r"(?:搬(?:到|去|往|进|至|回)?|迁(?:到|往|至|居)?|换(?!算|句)|提(?:高|升|到|至)|涨|上调|下调|调(?:高|低)|升(?:到|至|级|为)|降(?:低|到|至|为|级)?|加(?:到|至|价)|增(?:加|至|到)|"
    r"减(?:少|到|至)|砍|压(?:到|缩|低)|缩减|扩(?:大|到|充)|转(?:到|为|去)|更换|跳槽)"
)
_NOTED_ZH = r"(?:改(?!天|日|善|进|革)|调整?(?:到|成|为|至)?|设(?:为|成|到|置)|更新|变(?:更|成|为)|定(?:为|成|到|在)|延(?:长|期|到|至)|推迟|提前)"
_MEANT_ZH = (
    r"(?:打算|(?<![按照原据])计划(?=把|将(?!来)|在|于|要|明|下|今|年|再|给|让|从|搬|换|提(?!前)|涨|降|升|加|增|减|扩|转|迁|对|近|以后|未来|月)|"
    r"准备(?!好|金|工作|时间|期|材料|阶段)|筹划|预备(?!费|金|期)|考虑(?!到)|有意|(?<!模)拟(?!定|好)|盘算|琢磨|寻思|可能|也许|或许|说不定|没准|兴许|不排除|争取|预计(?=会|要|把|将|再)|正?在讨论|在商量)"
)
_WISHED_ZH = r"(?:(?<![思理设联梦猜妄构])想(?!法|起|到|象|必)|希望|恨不得|巴不得)"
_BETWEEN_ZH = r"[^，。；！？,;!?\n]{0,30}?"
_ONLY_MEANT_ZH = lazy(
    rf"{_MEANT_ZH}{_BETWEEN_ZH}(?P<a>{_WORLD_ZH}|{_NOTED_ZH})|{_WISHED_ZH}{_BETWEEN_ZH}(?P<b>{_WORLD_ZH})"
)
_NO_MORE_ZH = lazy(r"(?:不|没有?|无|本来|原本|原来|曾经?|一度|之前|当初)(?:再|想|是|还|就|也)?$")
_DECIDED_ZH = lazy(
    r"(?:(?<![不需重主想只])要|将要?|即将|快要|就要|决定|下个?[周月]|下星期|下季度|明[天年]|后[天年]|过(?:几天|阵子|段时间)|以后|将来)"
    rf"{_BETWEEN_ZH}(?:搬(?:到|去|往|进|至|回)|迁(?:到|往|至|居))"
)
_RISES_ZH = lazy(rf"(?:将要?|即将|将会|快要|就要|马上要){_BETWEEN_ZH}{_WORLD_ZH}")
_WOULD = lazy(r"\bwould (?:then )?(?:be|cost|weigh|come to|go (?:up|down) to)\s*$")
# what a change leads to stands right before the value: 提到80万, "to $90", "with a Carniolan"; a budget for it does not
_TARGET = lazy(
    r"(?:[到至成为去往进回给用换]|更换)(?:了|大约|约|大概|差不多|近|一个|一位|新的?)*\s*[“\"「¥$￥]?$|"
    r"\b(?:to|into|at|with|by|make (?:it|the [\w ]{1,30}|our [\w ]{1,30}))\s+(?:(?:about|around|roughly|some|nearly|almost|maybe|a|an|the|only|over|under) )*[\"“$€£¥]?$"
)
_DID_ZH = lazy(r"已经|已[把将]|刚[把才]|刚刚|终于")

# -- English -------------------------------------------------------------------------------------------------
_WORLD = (
    "raise increase lower cut reduce drop decrease bump lift boost double halve trim replace swap switch relocate transfer upgrade downgrade expand shrink slash hike"
).split()  # fmt: skip
_NOTED = (
    "change set adjust update revise extend shorten make bring put take rename shift push postpone".split()
)
_MOVE = r"move(?! (?:forward|ahead|on)\b)|go (?:up|down|with)|scale (?:up|down)|get (?:[\w'’]+ ){1,5}(?:up|down|back|under|below)"


def _ing(word: str) -> str:
    if word in ("cut", "drop", "set", "trim", "swap", "put", "bump"):
        return f"{word}{word[-1]}ing" if word != "bump" else "bumping"
    return f"{word.removesuffix('e')}ing"


_WORLD_EN = rf"(?:{'|'.join(_WORLD)}|{_MOVE})\b"
_ANY_EN = rf"(?:{'|'.join((*_WORLD, *_NOTED))}|{_MOVE})\b"
_ANY_ING = rf"(?:{'|'.join(map(_ing, (*_WORLD, *_NOTED)))}|moving(?! (?:forward|ahead|on)\b)|going (?:up|down|with)|scaling (?:up|down))\b"
_DONE_EN = r"(?:raised|increased|lowered|cut|reduced|dropped|decreased|bumped|lifted|boosted|doubled|halved|moved|replaced|swapped|switched|changed)\b"
_ADVERB = r"(?:(?:also|well|just|even|still|soon|later|perhaps|maybe|possibly|actually|eventually|not|then|probably|likely) )*"
_ONLY_MEANT_EN = lazy(
    rf"\b(?:(?:plan|plann?(?:s|ed|ing)|intend(?:s|ed|ing)?|hop(?:e|es|ed|ing)|aim(?:s|ed|ing)?|mean(?:s|t)?|look(?:s|ing)?|expect(?:s|ed|ing)?|propos(?:e|es|ed|ing)|tempted|inclined|in talks|(?:no )?plans?) to {_ADVERB}(?P<a>{_ANY_EN})"
    rf"|(?:might|may|could) {_ADVERB}(?:(?P<b>{_ANY_EN})|have (?P<c>{_DONE_EN})|be (?P<h>{_ANY_ING}))"
    rf"|(?:thinking (?:of|about)|think (?:of|about)|thought (?:of|about)|consider(?:s|ed|ing)?|contemplat(?:e|es|ed|ing)|toying with(?: the idea of)?|mulling(?: over)?|discuss(?:ing)?|debat(?:e|ing)|talk(?:ing)? (?:of|about)|leaning towards?|plann?ing on|in favou?r of) {_ADVERB}(?P<d>{_ANY_ING})"
    rf"|(?:want(?:s|ed)?|would like|['’]d like|would love|['’]d love|wish(?:es)?) to {_ADVERB}(?P<e>{_WORLD_EN}))"
)
# "I'd like to set it to 90, what do you think?", "I hope it will be 90", 希望能到90
_HOPED = lazy(
    r"\b(?:hop(?:e|es|ing)|hopefully|ideally|wish(?:es)?)\b[^.;!?\n]{0,60}\b(?:(?:will|would|can|could|might) (?:be|reach|hit|get|become|have|go)|(?:gets?|goes|comes|drops|falls|rises|stays|is|are))\b[^.;!?\n]{0,16}$|"
    r"(?:希望|但愿|盼着?|最好)[^，。；！？,;!?\n]{0,24}(?:能够?|会|可以)(?:涨|升|降|变|提高?|达|增加?|挖|做)?[到成至有]了?[^，。；！？,;!?\n]{0,6}$"
)
# what is aimed at: "aim for a weight of 475", "the target weight is 470", 体重目标是460公斤
_AIMED = lazy(
    r"\b(?:aim(?:s|ed|ing)? (?:for|at)|shoot(?:s|ing)? for|striv(?:e|es|ing) (?:for|towards?)|work(?:s|ing)? towards?|(?P<a>target|goal|ideal)s?)\b(?! (?:customer|group|market|audience))[^.,;!?\n]{0,40}$|"
    r"(?P<b>目标|理想|期望)(?!客户|人群|市场|用户|地)的?[^，。；！？,;!?\n]{0,12}$"
)
# a wish is no measurement: "we want her weight at 465 kg", 想让它的体重到460公斤
_WANTED = lazy(
    r"\b(?:want|wants|wanted|would like|['’]d like|need|needs|hop(?:e|es|ing))\b[^.,;!?\n]{0,48}\b(?:at|to|down|up|under|around|below|above|least|most|be|reach)\s*$|"
    r"(?:想(?!起|到|必)|希望|盼|要让|得让|力求|争取|尽量)[^，。；！？,;!?\n]{0,20}(?:到|至|成|在|为)?\s*$"
)
_BY_THEN = lazy(
    r"(?: [a-z%€$£]{1,8})?,? (?:by|before|until|from) (?:next|the end|end of|then|summer|autumn|winter|spring|tomorrow|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
)
_KEPT_AT = lazy(r"(?:控制|保持|维持|稳定|压)在?")
_OPINION = lazy(
    r"[^.;!?。；！？\n]{0,20}[,，.。;；—-]+\s*(?:but |and )?(?:what do you think|what['’]s your (?:view|opinion|take)|thoughts|any objections?|would that (?:be|work)|does that (?:work|make sense|sound)|is that (?:ok|okay|fine|alright)|do you agree|你觉得(?:呢|怎么样|如何|行吗|可以吗|合适吗)|你看(?:呢|行吗|怎么样|如何|可以吗)|怎么样|如何|行不行|好不好|可以吗|行吗|合适吗)[^?？.。\n]{0,20}[?？]"
)
_NO_MORE_EN = lazy(r"(?:\b(?:not|no|never|originally|once|had|was|were)|n['’]t)(?: \w+)?\s*$")
_DECIDED_EN = lazy(
    rf"\b(?:going to|gonna|about to|will|shall|decided to|due to|set to|scheduled to|agreed to)(?: {_ADVERB}|\s+)(?:{_WORLD_EN}|be {_ANY_ING})|['’]ll {_ADVERB}(?:{_WORLD_EN}|be {_ANY_ING})"
)
# what did not come about: 本来想把单价改成500元, "I almost set it to 90"
_UNDONE = lazy(
    r"(?:差点儿?|差一点儿?|险些|本来(?:是|还|就)?想|原本?想|本想)[^，。；！？,;!?\n]*$|"
    r"\b(?:almost (?:wrote|said|set|put|told|raised|changed|made|cut|moved)|(?:was|were) (?:going|about|planning) to)\b[^.;!?\n]*$"
)
_HINT = lazy(
    r"差|本来|原|本想|盼|最好|但愿|almost|ideally|目标|理想|期望|将|即|快要|就要|马上|would|target|goal|ideal|shoot|striv|work|need|力求|尽量|要让|得让|打算|计划|准备|筹划|预备|考虑|有意|拟|盘算|琢磨|寻思|可能|也许|或许|说不定|没准|兴许|不排除|争取|预计|讨论|商量|想|希望|恨不得|巴不得|[搬迁]|"
    r"\b(?:plan|intend|hop|aim|mean|look|expect|propos|tempted|inclined|talk|might|may|could|think|thought|consider|contemplat|toying|mulling|discuss|debat|leaning|favou?r|want|like|love|wish|going to|gonna|about to|will|shall|decided|due|set to|scheduled|agreed)|['’]ll\b"
)


@lru_cache(maxsize=1024)
def _hinted(said: str) -> bool:
    return _HINT.search(said) is not None


@lru_cache(maxsize=2048)
def intended(
    text: str, start: int, end: int, names: tuple[str, ...] = (), measured: bool = False
) -> Intention | None:
    """How far ``text[start:end]`` is only to become so: "meant" (打算, may), "decided" (will raise, 要搬到), "given up"
    (不打算, "no plans to"); None where it is not. ``names``: what the value goes by; a "target price" is told its own
    figure. ``measured``: it is a measure, which no wish makes true."""
    said = lowered(text)
    asked = _OPINION.match(said, end) is not None
    if not asked and not _hinted(said):
        return None
    low, _ = clause_of(text, start, end)
    if _UNDONE.search(said, low, start) is not None:
        return "given up"
    if asked or _HOPED.search(said, low, start) is not None:
        return "meant"
    if _WOULD.search(said, low, start) is not None:
        return "meant"
    aimed = _AIMED.search(said, low, start)
    if aimed is not None and not any((aimed["a"] or aimed["b"] or "?") in name.lower() for name in names):
        return "meant"
    if (measured or _BY_THEN.match(said, end)) and _WANTED.search(said, low, start) is not None:
        return "meant"
    kept = _KEPT_AT.match(said, start, end) is not None
    if not kept and _TARGET.search(said[max(low, start - 48) : start]) is None:
        return None
    for pattern, gone in ((_ONLY_MEANT_ZH, _NO_MORE_ZH), (_ONLY_MEANT_EN, _NO_MORE_EN)):
        for found in pattern.finditer(said, low, end):
            change = next(found.start(n) for n in found.groupdict() if found[n] is not None)
            if change < end and found.start() <= start and not _DID_ZH.search(said, found.start(), change):
                before = gone.search(said, max(low, found.start() - 12), found.start())
                return "given up" if before is not None else "meant"
    for pattern in (_DECIDED_ZH, _RISES_ZH, _DECIDED_EN):
        settled = pattern.search(said, low, end)
        if settled is not None and settled.start() <= start:
            return None if _DID_ZH.search(said, low, settled.start()) else "decided"
    return None


# -- to be so later ------------------------------------------------------------------------------------------
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_WILL = lazy(
    r"会(?:是|变成|变为|到|达到|涨到|降到|升到|有)|将(?:会)?(?:是|为|达到|变成|变为|调到)|(?:要|就)(?:变成|变为)|\b(?:will|['’]ll|is going to|are going to|shall) (?:be|become|have|go|rise|reach|grow|fall|drop|stand)\b|['’]ll be\b"
)
_LATER = lazy(
    r"下个?(?:周|月|季度?|学期|年度|财年|星期)|明[天年]|后[天年]|来年|年底|月底|周末|到时候?|以后|将来|过(?:几天|一?阵子?|段时间)|\d+[天周月年]个?[之以]?后|\d{1,2}月|[一二三四五六七八九十]{1,2}月|"
    rf"\b(?:next|coming|following) (?:week|month|year|quarter|spring|summer|autumn|fall|winter|season|{_MONTH}|\w+day)|\btomorrow\b|\b(?:by|from|in|come|starting|as of|after|at the end of|by the end of) (?:early |mid[- ]?|late |the )?(?:{_MONTH}|q[1-4]|20\d\d|\w+day|then|summer|autumn|winter|spring|end of|next)\b|"
    r"\bin (?:a|an|two|three|four|five|six|a few|\d+) (?:day|week|month|quarter|year)s?\b|\blater (?:this|on)\b|\bsoon\b"
)


@lru_cache(maxsize=2048)
def to_be(text: str, start: int, end: int) -> bool:
    """Whether the clause says that the words will be so at a time to come: "by next week the budget will be 80k"."""
    said = lowered(text)
    low, high = clause_of(text, start, end)
    if _WILL.search(said, low, end) is None:
        return False
    head = low
    if "," in said[max(0, low - 2) : low]:  # By next week, the budget will be …
        head = clause_of(text, max(0, low - 2), max(0, low - 1))[0]
    return any(
        not (found.start() >= start and found.end() <= end) for found in _LATER.finditer(said, head, high)
    )


# -- for one time only ---------------------------------------------------------------------------------------
_ONCE = lazy(
    r"(?:就|只|仅|单)(?:限|在|有|用)?(?:这|此|本)(?:一)?[次回趟单顿](?!不)|仅此一[次回]|下不为例|(?:破个?例|例外)一?[次回]|(?:只|仅)限?今[天晚]|[次回天](?:例外|破例|特例)|"
    r"\b(?:just|only) (?:for )?this (?:once|time|trip|order|occasion)\b|\b(?:just|only) for (?:this (?:week|month)|today|tonight|now)\b|\bfor (?:this (?:time|once|trip|order|occasion|week|month)|today|tonight) only\b|"
    r"\bthis (?:time|trip|order|week|month) only\b|\bfor once\b|\bas an exception\b|\bas a one[- ]off\b|\b(?:make|making) an exception\b|\bexceptionally\b"
)
_FEW = 8  # characters besides the words themselves, in a clause beside: 就这一次吧，预算60万
_PASSING = lazy(r"intent|passing|tempor|one[ _-]?off|session|临时|当前意图|本次|这次|一次性|例外")


@lru_cache(maxsize=2048)
def for_once(text: str, start: int, end: int) -> bool:
    """Whether the clause of the words, or one beside that says no more, says that they hold for one time only."""
    said = lowered(text)
    if _ONCE.search(said, *clause_of(text, start, end)) is not None:
        return True
    found = (_ONCE.search(beside) for beside in neighbours(text, start, end))
    beside = (len(m.string) - len(m[0]) for m in found if m is not None)
    return any(more <= _FEW for more in beside)


def is_passing(names: tuple[str, ...]) -> bool:
    """Whether what goes by the names holds for one time anyway."""
    return any(_PASSING.search(name.lower()) is not None for name in names)


__all__ = ["Intention", "for_once", "intended", "is_passing", "to_be"]
