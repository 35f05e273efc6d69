"""How a message begins to answer: it agrees, refuses, half agrees, or is only polite.

对，就这个 and "sounds good, go with that" point at what was proposed; 对 and "yes" answer a question; 好的 and "ok"
may do no more than acknowledge; 好的谢谢, 收到 and "got it, thanks" acknowledge and nothing else; 应该是吧 and "I think
so" leave a doubt. Words that only begin like these (对面, 好久, 行程, "right now", "No 5") answer nothing.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numerals import lowered

# strong: points at a proposal; plain: answers yes; weak: answers yes to a question, otherwise acknowledges
Kind = Literal["strong", "plain", "weak", "thanks", "maybe", "no"]


class Assent(NamedTuple):
    """``text[start:end]`` answers what was said before; ``all_of``: all of it (都可以, "both"); ``under``: on a
    condition, or not meant. ``but``: with a reservation behind it. What stands from ``end`` on is said beside it."""

    kind: Kind
    start: int
    end: int
    all_of: bool = False
    under: bool = False
    but: bool = False

    @property
    def agrees(self) -> bool:
        return self.kind in ("strong", "plain", "weak")


_TAIL = r"(?:的|了|啊|呀|吧|哈|嘛|啦|哦|噢|嘞|呢|滴)*"
_THIS = r"(?:这个|这样|这么|那个|那样|那么|它|这些|这款|这套|这家|这版|这份|这张|这台|这件|这一?个方案|这个方案|这个价|这个数|上面|上述|前面|刚才|原来)"
_ZH: dict[str, str] = {
    "no": r"不(?=[，,。.!！\s]|$)|不对|不是|不(?:太|大)?(?:行|好|合适)|不要(?:这个|这样|了)?|不用|不了|不必|不需要|不可以|不同意|不接受|没有|别|算了|错了|否|换一个|再(?:看看|想想|考虑(?:一下)?|说|商量)|(?:我)?(?:再)?考虑(?:一下|考虑)",
    "maybe": r"(?:应该|可能|大概|也许|或许|好像|估计)(?:是|对|可以|吧|行|这样|是这样)*|差不多|算是|我想是|我觉得(?:是|可以|行)|不(?:太)?(?:确定|清楚|知道)|说不准|看情况",
    "strong": (
        rf"(?:那)?(?:我们|咱们|我)?(?:就|还是)?(?:按照?|照|依|听)(?:着)?(?:你们?|您)?(?:{_THIS}|说的|讲的|建议的?|提的|推荐的|的|方案)+(?:来|办|做|定|执行|走|就行|就好|就可以)*"
        rf"|(?:那)?(?:我们|咱们|我)?就{_THIS}(?:定|办|来|做|说定|说好)?|(?:那)?就(?:听|依)(?:你|您)的?"
        r"|(?:那)?就这么(?:定|办|说定|着)|(?:那)?就(?:这么)?定|定下来|说定|成交|(?:我|我们)?(?:完全)?同意|(?:我|我们)?采纳|照办|(?:我|我们)?就要(?:这个|它|这款|这家)"
        r"|(?:我|我们)?(?:选|要|用)(?:这个|这款|这家|这套)(?:方案)?"
    ),
    "plain": (
        r"(?:都|全都?|两个都|三个都)?(?:对|是|没错|正确|可以|没问题|准确)(?:对|是|这样)*|对[，, ]?没错|是这样|就是(?:这样|这个|它)?|说得对|(?:完全|非常)正确|"
        r"(?:都|全都?)?行|当然(?:可以)?|确认|确切|确实(?:是|如此)?|(?:都|我|我们)?需要|(?:我|我们)?要|有|仍然是|还是|依然是|属实|(?:都)?好[啊呀]"
    ),
    "weak": r"好(?:好|嘞)?|嗯+|行吧|成|中|哦|噢|喔|(?<![a-z])ok(?:ay)?(?![a-z])",
    "thanks": r"谢谢(?:你|您|大家)?|多谢(?:你|您)?|感谢|辛苦(?:你|您)?|麻烦(?:你|您)?|知道|收到|明白|了解|懂|清楚|先这样|(?:先)?(?:回头|待会|下次|改天)(?:聊|说|联系)|再见|拜拜",
}  # fmt: skip
_THAT = r"(?:that|it|this|these|those|them|that one|this one|the (?:first|second|last) one|what you (?:said|suggest(?:ed)?|propose[d]?)|your (?:suggestion|proposal|idea))"
_EN: dict[str, str] = {
    "no": rf"no(?:pe| way| need| thanks| thank you)?|nah|not (?:{_THAT}|really|quite|yet|now|exactly|at all)|i(?:['’]d| would) rather not|don['’]t|do not|wrong|incorrect|never ?mind|forget it|that['’]s (?:wrong|not (?:right|it|correct|true))|let me think(?: about it)?|i(?:['’]ll| will) think about it",
    "maybe": r"i (?:think|guess|believe|suppose)(?: so| that['’]s (?:right|it))?|maybe|perhaps|probably|possibly|more or less|(?:kind|sort) of|i(?:['’]m| am) not sure|not sure|it depends|could be|might be",
    "strong": (
        rf"(?:please )?(?:do|go (?:ahead )?with|let['’]?s (?:do|go with|take|use|stick with|have)|i(?:['’]ll| will) (?:take|go with|have)|we(?:['’]ll| will) (?:take|go with|have)|stick with|take|use|keep|book|set|confirm|save|record) {_THAT}"
        r"|go ahead|please do(?: so)?|as you (?:say|said|suggest(?:ed)?|propose[d]?)|(?:that|it|this|which)?(?: all)? ?sounds (?:good|great|perfect|fine|right|lovely)|(?:that|it|this)(?: one)? works(?: for (?:me|us))?|works for (?:me|us)|(?:it['’]s a )?deal|(?:i |we )?agreed?|that['’]s the one|make it so|(?:that|it|this)['’]?s? (?:is )?(?:perfect|fine|great|good)(?: (?:for|with|by) (?:me|us))?|let['’]s do (?:so|this)"
    ),
    "plain": r"yes(?: please)?|yeah|yep|yup|yea|sure(?: thing)?|correct|right|exactly|precisely|that(?:['’]s| is) (?:right|correct|it|true)|you(?:['’]re| are) right|indeed|absolutely|definitely|certainly|of course|confirmed|true|perfect|(?:yes )?(?:to )?(?:both|all of (?:them|it|those|that))(?: (?:are|is))?(?: (?:right|correct|fine))?|(?:still|it) is|i (?:do|am|would)|please",
    "weak": r"ok(?:ay)?|alright|all right|fine|good|great|cool|k|mm+|uh[ -]huh|lovely|nice",
    "thanks": r"thanks?(?: you)?(?: (?:so|very) much| a lot)?|thx|cheers|got it|i see|noted|understood|makes sense|ty|bye|talk (?:soon|later)|see you",
}  # fmt: skip
_ORDER = ("strong", "maybe", "no", "plain", "thanks", "weak")
_GAP = lazy(r"[\s，,。.!！;；、~～…—\-:：]*")
_FILLER = lazy(
    r"(?:嗯|呃|那个|那|哦|噢|啊|哎|well|oh|ah|um|so|and|just|i mean)(?=[\s，,。.!！、…]|对|好|是|就)", re.I
)
# what may follow the words of an answer
_BEHIND_ZH = (
    r"(?=[^\u4e00-\u9fffA-Za-z0-9]|$|但|不过|可是|只是|另外|还有|再|谢|多谢|辛苦|麻烦|改|换|就|请|那|先|然后)"
)
_BEHIND_EN = r"(?=\s*(?:[,.!;:~…，。！—-]|$)|\s+(?:but|and|however|except|though|thanks|thank|please|just|only|with|for|it|that|the|my|i|we|make|let)\b)"
_UNDER = lazy(
    r"如果|要是|前提|除非|只要|条件是|的话|(?:等|得|要|先)(?:着|到)?[^，。；!！?？]{1,10}(?:同意|批准?|点头|答应|拍板|看过|确认|签字)|才怪|个[鬼屁头](?![\u4e00-\u9fff])|呵呵|你说的?都对|(?:开心|高兴|喜欢)就好|随便|随你|得了吧|想得美|做梦|反话|\b(?:if|unless|provided|as long as|on condition|assuming|once|until|pending|subject to|after (?:my|our|the|i|we)|when (?:my|our|the|pigs)|as if|yeah right|in your dreams|dream on|whatever|says who|good luck with that|just kidding|hell freezes)\b"
)
_BUT = lazy(r"但|不过|可是|只是|\b(?:but|however|except|though|only)\b")
_ALL = lazy(r"都|全|两个|\b(?:both|all)\b")


def _pattern(words: dict[str, str], tail: str, behind: str) -> dict[str, re.Pattern[str]]:
    return {kind: re.compile(rf"(?:{words[kind]}){tail}{behind}", re.I) for kind in _ORDER}


@lru_cache(maxsize=1)
def _patterns() -> tuple[dict[str, re.Pattern[str]], dict[str, re.Pattern[str]]]:
    every = "|".join(_ZH[kind] for kind in _ORDER)
    behind = rf"(?:(?=(?:{every}){_TAIL}(?:{_BEHIND_ZH}))|{_BEHIND_ZH})"
    zh = _pattern(_ZH, _TAIL, behind)
    en = _pattern(_EN, "", _BEHIND_EN)
    en["plain"] = re.compile(rf"(?:yes|yeah|yep|yup)\b(?! (?:but )?(?:you|no)\b)|{en['plain'].pattern}", re.I)
    return zh, en


@lru_cache(maxsize=1024)
def assent(text: str) -> Assent | None:
    """How the message begins to answer, or None where it does not. A question answers nothing."""
    said = lowered(text)
    zh, en = _patterns()
    at, start, end = 0, -1, 0
    kinds: list[str] = []
    while True:
        gap = _GAP.match(said, at)
        here = gap.end() if gap is not None else at
        found = next(
            (
                (kind, m)
                for kind in _ORDER
                for table in (zh, en)
                if (m := table[kind].match(said, here)) is not None and m.end() > here
            ),
            None,
        )
        if found is None:
            filler = _FILLER.match(said, here)
            if filler is not None:
                at = filler.end()
                continue
            break
        kind, m = found
        if re.match(r"\s*(?:[?？]|吗|么\b|嘛?[?？])", said[m.end() :]):
            return None  # 可以吗？ asks
        kinds.append(kind)
        start = here if start < 0 else start
        at = end = m.end()
    if not kinds:
        return None
    return Assent(
        _kind(kinds),
        start,
        end,
        _ALL.search(said, start, end) is not None,
        _UNDER.search(said, start) is not None,
        _BUT.search(said, end) is not None,
    )


def _kind(kinds: list[str]) -> Kind:
    """不，就按这个来 takes its first word back; 好的谢谢 is polite; a doubt or a no beside a yes is one."""
    if "maybe" in kinds:
        return "maybe"
    if "no" in kinds:
        return "strong" if kinds[-1] == "strong" and kinds[0] == "no" else "no"
    if "strong" in kinds:
        return "strong"
    if "plain" in kinds:
        return "plain"
    return "weak" if "thanks" not in kinds else "thanks"


__all__ = ["Assent", "assent"]
