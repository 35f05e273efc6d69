"""Whether a value's words are denied in their clause: 不接受承兑汇票, "no meat", "instead of Acme".

Double negation (不是不, 不得不), limits (不超过, no more than), A-not-A questions (是不是) and fixed words
(不错, 不过,
"not only") deny nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from forms_dynamics.language.clauses import clause_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numerals import lowered

# Struck out before looking: they hold a negator and negate nothing, or twice.
_HARMLESS_ZH = lazy(
    r"(?:并?不是|并非|没有|不能|不会|不可能|不该|绝非|无)(?:说|是)?(?:完全|绝对|都)?不(?!是)|不得不|不由得|"
    r"不能不|不可不|不无|非(?=.{1,12}不可)|(?<=非).{1,12}不可|"
    r"(?:不|没|别|未|勿|莫)(?:会|能|得|要|可以?|应|想|有|宜)?(?:超过|超出|高于|大于|多于|突破|低于|少于|"
    r"小于|下于|止|亚于|晚于|早于|迟于)|"
    r"不(?:怀疑|否认)|不(?:仅|但|光|只|单)(?:仅|是|要)?|不过|不一会|不久|不同|不错|不妨|不断|不少|不多|不到|不足|不管|不论|"
    r"不如|不然|不至于|不料|不愧|不用说|不知不觉|不好意思|不客气|不限|"
    r"不(?:太|大|很|敢|怎么)?(?:确定|清楚|知道|记得|了解|肯定|好说)(?:是不是|是否)?|不含(?:税|运费|运|"
    r"安装费?|增值税)?|不算(?:税|运费)?|不包(?:括|含)?(?:税|运费|安装费?)|不带|"
    r"差不多|说不定|说不准|要不(?:然|就|是)?|好不容易|对不起|了不起|来不及|不等|不变|不止|不日|不必说|"
    r"不见不散|"
    r"(?P<v>[\u4e00-\u9fff])[不没](?P=v)|有没有|是否|能否|可否|"
    r"没(?:问题|错|关系|事|准|想到|说错|记错|办法)|没有(?:问题|错|关系|办法)|别(?:的|人|处|墅|致|名|说|提|"
    r"忘|急|担心|客气)|分别|特别|级别|区别|个别|性别|类别|差别|识别|告别|"
    r"无(?:论|锡|线|人机|尽|数|需|须)|非(?:常|洲|凡|得|要)|未(?:来|婚|必|知)|否则|没有[^，。]{0,4}之前"
)
_NEGATOR_ZH = lazy(
    r"不再|不是|并非|不|没有|没|别|勿|莫要|未曾|未|无需|无法|无|非(?=[\u4e00-\u9fff])|拒绝|拒收|禁止|谢绝|"
    r"避免|忌|戒(?!指|备)|除了(?=.{1,12}(?:都|其他|之外|以外))|而不是|取消|排除|停止使用|弃用"
)
_CONTRAST_ZH = lazy(
    r"而是|(?<=[\u4e00-\u9fff0-9a-z]{2})是(?!否|不|的)|只(?:接受|要|走|能|用|收|认|做|支持|吃|喝)|就要|"
    r"改为|改成|换成|才(?:是|要)|，|但|却"
)
# 别把体重改成600公斤, 不要记成8月: what is forbidden is no change that was made
_FORBIDS_ZH = lazy(
    r"(?:(?<!要)不要|(?<!能)不能|不可以?|不许|不准|不得|不应该?|不该|不必|不用|切勿|请勿|勿|甭|(?<![特分区级类性差识告个])别)(?!的|人|墅|处|致|忘|错过|管)"
    r"[^，。；！？,;!?\n]{0,24}?(?:改|换|调|设|写|定|变|更新|登记|录|记|填|标|算|当|涨|提|降|升|加|减)[成为到作做回至]?\s*$"
)
_HARMLESS_EN = lazy(
    r"\b(?:not (?:only|just|merely|simply|until|to mention|exceeding|to exceed|over|above|below|under|"
    r"(?:more|less|fewer|higher|lower|greater|later|earlier) than|sure|certain|"
    r"without|un[a-z]+|impossible|never|a problem|bad|at all sure)|no (?:more|less|fewer|later|earlier|"
    r"higher|lower|greater) than|no (?:doubt|problem|worries|idea|matter|need to worry)|"
    r"why (?:not|don't we)|whether or not|or not\b|if not\b|(?:can't|cannot|couldn't) (?:wait|be (?:better|"
    r"happier)|not)|don't (?:forget|worry|hesitate|mind|not)|n't exceed|won't exceed|(?:do|does)n't matter|"
    r"never (?:mind|not)|nothing but)|\bno\.? ?(?=[0-9]|$)|^\s*(?:no|nope|nah)\b(?= (?:it|it's|the|we|i|"
    r"our|that|this|my|they|actually|make))|(?:isn't|aren't|wasn't|don't you|won't you|didn't you|"
    r"haven't we) (?:it|you|we|they|that|the)\b(?=.*\?)"
)
_NEGATOR_EN = lazy(
    r"\b(?:not|no longer|no|never|none of|neither|nor|without|cannot|cant|dont|wont|isnt|doesnt|didnt|"
    r"refus(?:e|es|ed|ing)|reject(?:s|ed|ing)?|declin(?:e|es|ed|ing)|avoid(?:s|ed|ing)?|"
    r"exclud(?:e|es|ed|ing)|except(?: for)?|instead of|rather than|anything but|other than|stop(?:s|"
    r"ped)? (?:using|eating|drinking|taking)|den(?:y|ies|ied)|quit|gave up|against)\b|n['’]t\b"
)
_CONTRAST_EN = lazy(
    r"\b(?:but|only|rather|instead|just|except|and (?:the|our|my|we|i|it|they|is|are|payment|delivery|want|"
    r"need|prefer|will|would))\b|[,:;]"
)
_DENIED_BEHIND = lazy(
    r"[\"'”’」]\s*,?\s*(?:i (?:meant|mean) nothing|i (?:did not|didn['’]t|do not|don['’]t) (?:really )?mean|"
    r"(?:这句?话|这)?(?:我)?(?:没有?(?:别的|什么|任何)?意思|不算数|不作数))|"
    r"\s*(?:(?:is|are|was|were)(?: not|n't) (?:our|my|the|a|an|true|right|correct)\b|(?:这个|这|"
    r"那)?(?:并)?不是(?:我们的?|我的?|最终|真的|事实|对的)|不对|是错的|(?:is|was) (?:wrong|incorrect|"
    r"not it)\b)"
)


# What every denial above holds: most texts hold none of it and need no closer look.
_HINT = lazy(
    "[不没沒别別勿莫未无無非拒禁谢謝避忌戒除取排停弃棄]|n['’]t\\b|"
    r"\bno|\bnever|\bneither|\bnor\b|without|cannot|\b(?:cant|dont|wont|isnt|doesnt|didnt)\b|refus|reject|"
    r"declin|"
    r"avoid|exclud|except|instead|rather|other than|anything but|\bstop|\bden[yi]|\bquit|gave up|against|"
    r"wrong|"
    r"incorrect"
)


@lru_cache(maxsize=1024)
def may_deny(text: str) -> bool:
    """Whether ``text`` holds anything that could deny; right when it says no."""
    return _HINT.search(lowered(text)) is not None


@lru_cache(maxsize=4096)
def negated(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]``, the value's own words, is denied by what stands around it in its clause.

    A negation inside the words belongs to the value (不接受承兑汇票 as a value is not negated).
    """
    if not may_deny(text):
        return False
    said = lowered(text)
    low, high = clause_of(text, start, end)
    before = said[low:start]
    if _DENIED_BEHIND.match(said, end, high):
        return True
    if not before.isascii() and _zh(before):
        # 取消AP-103 withdraws the thing that goes by the number; the number is not denied
        return not (_NUMBER.fullmatch(text, start, end) and _WITHDRAWS.search(before))
    return _en(before)


_NUMBER = lazy(r"[A-Za-z]{1,6}[-_/]?\d[A-Za-z0-9_/-]*")
_WITHDRAWS = lazy(r"(?<!不)(?<!要)(?<!别)取消[^，。；]{0,12}$")


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return found[-1] if found else None


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


def _zh(before: str) -> bool:
    left = _HARMLESS_ZH.sub(_blank, before)
    if _FORBIDS_ZH.search(left) is not None:
        return True
    last = _last(_NEGATOR_ZH, left)
    if last is None:
        return False
    between = left[last.end() :]
    if last.group() in ("而不是", "除了"):
        return len(between) <= 8
    if _CONTRAST_ZH.search(between):
        return False
    return len(between) <= 12


def _en(before: str) -> bool:
    left = _HARMLESS_EN.sub(_blank, before)
    last = _last(_NEGATOR_EN, left)
    if last is None:
        return False
    between = left[last.end() :]
    return not _CONTRAST_EN.search(between) and len(between.split()) <= 8
