"""Requests in the form of questions: what somebody looks for is stated, not asked.

"Is there any place in the centre that serves Thai food?", 有没有免费停车的酒店？, 哪个景点可以玩一天？ ask for a thing of a
kind, and say what it must be like. "Is it in the centre?", 它的评分是多少？, 这家酒店有停车场吗？ ask about a thing that is known.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

from functools import lru_cache

from forms_dynamics.language.clauses import clause_of, sentence_of
from forms_dynamics.language.lazy import last_match, lazy
from forms_dynamics.language.numerals import lowered

_ASKS_FOR_ZH = (
    r"有没有|有无|有什么|有啥|有哪些|有哪[个家种]|有(?:合适|适合|好|推荐)的|哪[儿里家个些款班趟种间部位]|什么(?:好|样)?的?(?:地方|店|餐|酒店|景)|(?:^|[，。！,\s]|中心|[区部边面]|附近|那|里|还|市|镇)有[^，。？?]{0,12}(?:餐[厅馆]|酒店|宾馆|旅馆|景点|地方|饭店|公园|影院|航班|火车|列车|车次|高铁|动车|博物馆|剧院|学院|[^，。?？]{1,4}[院馆园所])(?=吗|么|嘛)|推荐|介绍|天气(?:怎么?样|如何|好)|气温|"
    r"(?:帮|给|替)(?:我们?|忙|俺|咱们?).{0,6}?(?:找|查|看|搜|推荐|选|挑|订(?!单)|预[订定约]|安排|叫|约)|(?:能|可以|可否|能否|能不能|可不可以|麻烦|请|想要?|打算|准备|需要).{0,8}?(?:找|搜|挑|订(?!单)|预[订定])|找(?:一|到|个|家|间|趟|班|部|款|找)|来(?:一|个)|知道(?:一|有)"
)
_ASKS_FOR_EN = (
    r"\b(?:is|are|were|would) there (?:also |still |maybe )?(?:an?|any|some|anything|something|one|other|another|places?|somewhere)\b|\bis there (?=[a-z]+ing\b)|\bis there (?!the|that|this|parking|wifi|wi|internet|free)|\bare there (?!the|those|these)|"
    r"\b(?:do|does|did) (?:you|u|they|the city|the town|this town)(?: guys)? (?:have|know|offer|know of|see|serve|recommend|get) (?:of )?(?:an?|any|some|anything|something|anywhere|one|other)\b|"
    r"\b(?:can|could|would|will|may) (?:you|u|i|we) (?:please |also |kindly |just |maybe |help me |help |try to |able to )*(?:to )?(?:find|search|look|recommend|suggest|show|get|give|book|reserve|check for|list|locate|see|have|make|try|order|buy|change|play|schedule|set|pull|name|provide me|direct|point|arrange|transfer|send|pick|watch|listen|hear|rent)\b|"
    r"\b(?:what|which)(?: [a-z]+){0,3}? (?:restaurants?|hotels?|places?|trains?|attractions?|flights?|movies?|options?|events?|museums?|[a-z]+s) (?:are|do|can|have|has|is|serve|serves|offer|offers|that|which|in|on|near|with|leave|leaves|would)\b|\bwhere (?:can|could|should) (?:i|we)\b|\bany (?:[a-z]+ ){0,3}(?:restaurants?|hotels?|places?|[a-z]+s)\b|"
    r"\b(?:how|what) about (?:an?|some|any|one|something|somewhere|the (?:north|south|east|west|cent))|\b(?:looking|look|searching|search|hunting) for\b|\bi(?: ?['’] ?d| would)? (?:also |really |still |just )*(?:want|need|like|love|prefer)\b|\b(?:how|what)(?: ?['’]? ?s| is| will| would|s)?(?: be)? the (?:weather|forecast|temperature)\b|\bwill it (?:rain|snow|be)\b|\bmind (?:finding|booking|looking|checking)\b|\bhelp (?:me|us) (?:find|with|to find|book|locate)\b"
)
_ASKS_FOR = lazy(_ASKS_FOR_ZH + "|" + _ASKS_FOR_EN)
# a thing that is known is asked about
_OF_THAT_ZH = lazy(
    r"它|他家|她家|这家|这个|这里|这间|这款|这趟|这些|(?<![在])那家|那个|那里|那间|该|此|你们|您们|贵"
)
_OF_THAT_EN = lazy(
    r"\b(?:does|do|is|are|has|have|will|can|did|was) (?:it|they|that|this|these|those|he|she|the|either|both|all|my|your|one of (?:them|those))\b|\b(?:what|when|where|who|how)(?: [a-z]+){0,3} (?:is|are|was|does|do) (?:it|they|that|this|the|their|its|my)\b|\b(?:what|when|where)['’]s (?:the(?! weather| forecast| temperature)|their|its)\b"
)


@lru_cache(maxsize=2048)
def seeking(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` says what the thing must be like that its sentence asks for."""
    said = lowered(text)
    low, high = sentence_of(text, start, end)
    if not _asks(said, low, high):
        return False
    first, _ = clause_of(text, start, end)
    about = _OF_THAT_ZH.search(said, first, start) or _OF_THAT_EN.search(said, first, start)
    if about is None:
        return True
    # "does it have parking, and can you find me a museum in the west?": the nearer one counts
    within = last_match(_ASKS_FOR, said, low, start)
    return within is not None and within.start() > about.start()


@lru_cache(maxsize=1024)
def _asks(said: str, low: int, high: int) -> bool:
    return _ASKS_FOR.search(said, low, high) is not None


__all__ = ["seeking"]
