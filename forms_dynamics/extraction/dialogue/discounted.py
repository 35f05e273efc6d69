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
_EITHER = re.compile(r"\w*\d\w*,? (?:or|and maybe) \w*\d\w*", re.I)
_EITHER_ZH = re.compile(r"\d(?:或者?|还是)\d")


def discounted(text: str, low: str, slot: SlotProfile, value: object, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` is no wish for the value. ``low``: the text folded and in lower case."""
    if isinstance(value, str) and (_EITHER.fullmatch(value.strip()) or _EITHER_ZH.search(value)):
        return True
    first, last = sentence_of(text, start, end)
    before = low[max(first, start - 60) : start]
    if _TURNED_DOWN.match(low, end, last) or _CANNOT.search(before):
        return True
    if slot.kind == "time":
        if _IS_NOW.search(before) or _WHENEVER.search(before):
            return True
        return not slot.role and _BETWEEN.search(before) is not None
    if slot.kind in ("place", "city", "address", "name", "near"):
        clause, _ = clause_of(text, start, end)
        return _WAS_THERE.search(low[max(clause, start - 40) : start]) is not None
    if slot.kind in ("count", "duration", "rating", "price"):
        return _OUT_OF.search(before) is not None or _COMPARED.search(before) is not None
    return False


__all__ = ["discounted"]
