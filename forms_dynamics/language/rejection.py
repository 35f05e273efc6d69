"""A figure that is named only to be turned down by what stands behind it: 总价300万不行, "$50k is out of the question",
"3m was last year's price"."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

from functools import lru_cache

from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numerals import lowered

_HINT = lazy(
    r"[不没沒免休别做疯傻]|去年|前年|以前|之前|当年|老黄历|上个?[季月周]|打死|question|table|possible|happen|accept|insane|crazy|nuts|mad|ridicul|absurd|joke|"
    r"no[- ]go|non-?starter|no way|last |years? ago|won['’]t|doesn['’]t|isn['’]t|forget it|never|nonsense|unthinkable|too much|dream"
)
_BEHIND_ZH = lazy(
    r"(?:元|块钱?|人民币|美元|左右|的?(?:价格?|价钱|报价|预算|数|话题))?\s*[，,、]?\s*(?:这个?(?:价格?|数|条件)?|那)?\s*"
    r"(?:对?我(?:们|家|司)?(?:老婆|老公|老板)?|咱们?|是|可|也|真|绝对|肯定|坚决|就|都|实在|根本|完全|当然|想都)*\s*(?:来说|而言)?\s*"
    r"(?:"
    r"(?:不行|不干|不买|不要|不接受|不同意|不可能|不可以|不考虑|不成|不能接受|不现实|不答应|没戏|没门儿?|没可能|没商量|免谈|休想|(?:想都)?别想|别指望|做梦|疯了|傻子才[买干]|打死(?:也|都)不[\u4e00-\u9fff]{1,3})"
    r"(?:了|的|啊|呀|哦|吧|呢|哈|啦)*(?=\s*(?:$|[，。！!？?；;,.~～…\n]))"
    r"|(?:去年|前年|以前|之前|当年|上个?(?:季度?|月|周)|老黄历)(?:的(?:老|旧)?(?:价格?|价钱|报价|预算|行情|数字?|事)?)(?:了|啊|呀|吧)*(?=\s*(?:$|[，。！!；;,.\n]))"
    r")"
)
_BEHIND_EN = lazy(
    r"(?: (?:dollars?|euros?|pounds?|usd|eur|gbp|cny|rmb|yuan|budget|price|down payment|total|figure|deposit))*\s*[,–—-]?\s*"
    r"(?:(?:that|which|it|this)(?:['’]s)? )?(?:(?:is|was|were|would be|['’]s|are|sounds|seems|would just be|could never be) )?"
    r"(?:(?:totally|absolutely|simply|just|completely|way|plain|utterly|clearly|definitely|frankly|really|a|an|pure|complete|total) )*"
    r"(?:out of the question|off the table|not (?:possible|(?:going to )?happen(?:ing)?|acceptable|an option|realistic|on the table|feasible)|unacceptable|impossible|unthinkable|"
    r"insane|insanity|crazy|nuts|madness|mad|ridiculous|absurd|joke|nonsense|non-?starter|no[- ]go|no way|too much|never (?:going to )?happen(?:ing)?|a pipe dream|"
    r"(?:last (?:year|month|quarter|week|season)['’]?s|\w+ years? ago)|"
    r"(?:won['’]t|will not|doesn['’]t|does not|wouldn['’]t|would not|can['’]?t|isn['’]t going to|is not going to|will never|would never|could never) (?:work|do|fly|happen|be possible|be accepted)|"
    r"(?:isn['’]t|wasn['’]t) (?:possible|happening|acceptable|an option|realistic|on the table|feasible|going to happen)|"
    r"(?:forget it|no thanks))\b"
)


@lru_cache(maxsize=2048)
def rejected(text: str, start: int, end: int) -> bool:
    """Whether what follows ``text[start:end]``, a figure or a date, turns it down or dates it back."""
    said = lowered(text)
    if _HINT.search(said, end) is None:
        return False
    return _BEHIND_ZH.match(said, end) is not None or _BEHIND_EN.match(said, end) is not None


__all__ = ["rejected"]
