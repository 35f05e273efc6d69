"""Words of a turn that hold a value and are no wish for it: what the clock says, where somebody has been, an option
that is turned down, one of two that are left open, the edge of a range."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re

from forms_dynamics.extraction.dialogue.profile import SlotProfile
from forms_dynamics.language.clauses import clause_of, sentence_of
from forms_dynamics.language.lazy import lazy

# "it is already 7 pm", 现在已经七点
_IS_NOW = lazy(
    r"\b(?:it(?: ?['’]? ?s| is)|its|time is)(?: (?:already|currently|now|only|just|about|like))+ $|(?:现在|目前)(?:都|已经|快)?(?:是)?(?:晚上|下午|上午|早上)?$"
)
# "I went to the clinic", 我去了医院
_WAS_THERE = lazy(
    r"\b(?:went|drove|walked|flew|came|travell?ed|stayed|ate|moved|had to (?:go|run|drive)|have been|has been|['’]ve been)(?: (?:back|over|out|there|up|down|home))?(?: (?:to|from|in|at|by|with))?(?: the| a| an| my| our)? $|(?:去了|到了|去过|到过|来过|住过|吃过|刚去|刚从)(?:一?趟)?$"
)
_BAD = r"(?:scary|risky|bad|awful|terrible|horrible|boring|expensive|pricey|far|late|early|dangerous|unsafe|gross|disgusting|crowded|noisy|inconvenient|weird)"
_TURNED_DOWN = lazy(
    rf"(?: [a-z]+)?(?: just| really| all)? (?:sounds?|looks?|seems?|feels?|is|are|would be|will be|might be)(?: (?:just|really|a bit|a little|so|too|very|kind of|pretty|rather|way))* {_BAD}\b|"
    r"(?: [a-z]+)? (?:won['’]?t|wont|will not|does ?n['’]?t|doesnt|does not|can['’]?t) (?:work|do|fit|be possible)\b|"
    r"(?:的话)?(?:听起来|看起来|感觉|有点|太)[^，。！]{0,4}(?:吓人|可怕|危险|贵|远|吵|晚|早|差|糟|难吃|冒险)|(?:的话)?(?:不行|不可以|不合适|不方便|没空|没时间|来不了|去不了)"
)
_CANNOT = lazy(
    r"\b(?:can ?['’]?t|cannot|can not|could ?n['’]?t|won['’]?t|will not|unable to|not able to)(?! (?:you|we|i)\b) (?:do|make|come|go|be|meet|attend|manage|get|have|hold|stay|eat|fly|leave|travel)\b[^.?!,;]{0,24}\b(?:on|at|in|to|for|with|by|before|after) (?:the )?$|(?:不能|没法|无法|没办法|不方便)(?:在|于|到)?$"
)
_WHENEVER = lazy(
    r"\b(?:any ?time|any ?thing|some ?time|whenever)\b (?:between|after|before|from|past|until|starting)\b[^.?!;]{0,24}$|(?:任何|随便|什么)(?:时间|时候)[^，。！？]{0,6}$"
)
_BETWEEN = lazy(r"\bbetween (?:[^.?!;,]{1,14} (?:and|to) )?$")
_OUT_OF = lazy(r"\bout of (?:a (?:possible )?)?$|满分(?:是|为)?$")
_COMPARED = lazy(
    r"\b(?:less|fewer|more|higher|greater|lower) than (?:about )?$|(?:少于|多于|不到|低于|高于|超过)$"
)
# what was turned down is no longer held, if it was; praise and blame leave it
_NO_LONGER = lazy(
    r"(?: [a-z]+)? (?:won['’]?t|wont|will not|does ?n['’]?t|doesnt|does not|can['’]?t) (?:work|do|be possible)\b|"
    r"(?:的话)?(?:不行|不可以|不合适|不方便|没空|没时间|来不了|去不了)"
)
# thick and high say how something is made, not how big it is
_NO_SIZE = lazy(
    r"(?:extra |very |more )?(?:thick|thin|high|low|deep|shallow)(?:er)?\b|[很更特加]?[厚薄高低深浅]"
)
_SIZE = frozenset("size sizes 大小 尺寸 尺码 份量 规格".split())
# what was spent, or several things come to, is not what one thing costs
_SPENT = lazy(
    r"\b(?:expenses?|total(?:s|led)?|sum|altogether|in all)(?: (?:is|are|was|were|of))?\W*$|(?:开销|支出|总共|一共|合计|总计)(?:是|为|花了)?$"
)
_SUMS = frozenset(
    "cost costs expense expenses total sum amount budget 费用 总额 金额 总价 开销 支出 预算".split()
)
# one of several: "just me and my boss", 就我和老板
_WITH_ME = lazy(r"\s+(?:and|or|plus|in|with)\s+(?:my|the|a|an|one|two|three|his|her)\b|\s*[和跟与]")
_ONLY_ME = lazy(r"(?:just|only) (?:me|myself)$|(?:就|只有|只)我$")
# "Leeds weather is amazing", 大连的天气真好
_IS_PRAISED = lazy(
    r"(?: ?['’]?s)? (?:weather|climate) (?:is|was|has been)(?: [a-z]+)? [a-z]+|的?(?:天气|气候)(?:真|很|太|总是|一直|特别|非常)"
)
_EITHER = re.compile(r"\w*\d\w*,? (?:or|and maybe) \w*\d\w*", re.I)
_EITHER_ZH = re.compile(r"\d(?:或者?|还是)\d")


_ASKS = re.compile(r"[?？]|\b(?:how|what|check|tell)\b|吗|怎么|如何|多少|查")


def no_longer(text: str, low: str, start: int, end: int) -> bool:
    """Whether a sentence takes ``text[start:end]`` back: "We can't do this on Saturday", 周六不行."""
    first, last = sentence_of(text, start, end)
    if _ASKS.search(low, first, last):
        return False
    return (
        _NO_LONGER.match(low, end, last) is not None
        or _CANNOT.search(low[max(first, start - 60) : start]) is not None
    )


def discounted(text: str, low: str, slot: SlotProfile, value: object, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` is no wish for the value. ``low``: the text folded and in lower case."""
    if isinstance(value, str) and (_EITHER.fullmatch(value.strip()) or _EITHER_ZH.search(value)):
        return True
    first, last = sentence_of(text, start, end)
    before = low[max(first, start - 60) : start]
    if _TURNED_DOWN.match(low, end, last) or _CANNOT.search(before):
        return True
    if _SIZE.intersection(" ".join(slot.names).split()) and _NO_SIZE.match(low, start, end):
        return True
    if slot.kind == "time":
        if _IS_NOW.search(before) or _WHENEVER.search(before):
            return True
        return not slot.role and _BETWEEN.search(before) is not None
    if slot.kind in ("place", "city", "address", "name", "near"):
        if _IS_PRAISED.match(low, end, last) and not _ASKS.search(low, first, last):
            return True
        clause, _ = clause_of(text, start, end)
        return _WAS_THERE.search(low[max(clause, start - 40) : start]) is not None
    if slot.kind == "price" and _SPENT.search(before):
        return not _SUMS.intersection(" ".join(slot.names).split())
    if slot.kind == "count" and _ONLY_ME.search(low, first, end) and _WITH_ME.match(low, end, last):
        return True
    if slot.kind in ("count", "duration", "rating", "price"):
        return _OUT_OF.search(before) is not None or _COMPARED.search(before) is not None
    return False


__all__ = ["discounted", "no_longer"]
