"""What is put onto a list or taken off it: "remove dust from Juniper's allergies", 专长再加一个马球, "dressage only".

The label of a slot that holds several values says which list; the words for what happens to it stand before or
behind the label, and the values beside them. What is listed ends without it, too: 闪电不再倔强了, "Helen no longer
teaches polo".
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from forms_dynamics.extraction.found import BREAK, CUED, PATTERN, Found
from forms_dynamics.extraction.lexicon import Hit, Lexicon, Slot
from forms_dynamics.extraction.mentioned import Mention
from forms_dynamics.extraction.phrases import PARTED, enum_word
from forms_dynamics.language.clauses import clause_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han

_ONE = r"(?:一?[个项种样位名条]|两[个项种])?"
_NOW_ZH = r"(?:名单|列表|清单)?[里中上]?(?:面)?(?:请|要|得|应该?|可以|现在|目前|已经?|今天|记得|帮我)*"
_NOW_EN = r"(?: list)?(?:\s{1,3}(?:now|also|currently|please|just|should|must))*"
# behind the label
_BEHIND: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("remove", lazy(rf"\s{{0,3}}{_NOW_ZH}(?:去掉|删掉|删除|删去|移除|拿掉|划掉|去除|除去|减去|不再(?:有|包括|包含|含|是|算)?|(?P<gone>没有?))了?\s{{0,3}}(?P<x>)")),
    ("set", lazy(rf"\s{{0,3}}{_NOW_ZH}[:：]?\s{{0,3}}(?:就)?(?:仅|只|唯独)(?:有|剩下?|是|为|含|包括|限)?了?\s{{0,3}}(?P<x>)")),
    ("add", lazy(rf"\s{{0,3}}{_NOW_ZH}(?:又|再|还|也|新)*(?:加上?|增加|添加|添上?|增添|新增|增|多了|补上|补充)了?{_ONE}\s{{0,3}}(?P<x>)")),
    ("add", lazy(rf"\s{{0,3}}{_NOW_ZH}(?:一共|总共|共|主要)?(?:包括|包含|含有?|有(?=[^，。；\n]{{1,12}}[、和及]))了?\s{{0,3}}(?P<x>)")),
    ("remove", lazy(rf"{_NOW_EN}\s{{1,3}}(?:no longer (?:includes?|contains?|has|have|covers?|is|are)|(?:do(?:es)?(?: not|n['’]t)) (?:include|contain|have|cover)|(?:has|have) lost|drops?|dropped|loses?)\s{{1,3}}(?P<x>)")),
    ("set", lazy(rf"{_NOW_EN}(?:\s{{0,3}}:|\s{{1,3}}(?:is|are|includes?))(?:\s{{1,3}}now)?\s{{1,3}}(?:only|just|solely|nothing but)\s{{1,3}}(?P<x>)")),
    ("add", lazy(rf"{_NOW_EN}\s{{1,3}}(?:gains?|gained|gets?|got|includes?|comprises?|contains?|consists? of)\s{{1,3}}(?P<x>)")),
)  # fmt: skip
_ONLY_BEHIND = lazy(r"\s+(?:only|alone)\b|\s*(?:而已|这一[个项种])")
_LINK = lazy(r"\s*(?:[:：]|是|为|有|\s(?:now )?(?:is|are))\s*(?:now )?")
# before the label, up to whose it is: "add polo to Helen's …", 把马球加到陈刚的…, 把障碍从陈刚的…去掉
_OWNER = (
    r"(?:(?:the|our|my|your|their|his|her|its)\s{1,3})?"
    r"(?:(?!(?:because|for|in|of|on|at|from|to|with|and|or|but|if|list)\b)[\w&.-]+\s){0,3}(?:[\w&.-]+['’]s?\s(?:\w+\s)?)?"
)
_BEFORE: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("add", lazy(rf"\b(?:add|put|append|include|list|note|write)(?:s|ed|ing)?\s+(?P<x>[^,.;!?\n]{{1,60}}?)\s+(?:to|onto|on|into|in|under|among)\s+{_OWNER}$")),
    ("remove", lazy(rf"\b(?:remov|delet|drop|tak|took|cross|strik|struck|scratch|eras|cut|get|got)\w*(?:\s+rid\s+of)?\s+(?P<x>[^,.;!?\n]{{1,60}}?)\s+(?:from|off|out of|off of)\s+{_OWNER}$")),
    ("add", lazy(r"把(?P<x>[^，。；,;\n]{1,20}?)(?:也|都|再)?(?:加|添|列|写|放|补)(?:加|充)?(?:到|进|入|在|上)?去?[^，。；,;\n]{0,16}$")),
    ("remove", lazy(r"把(?P<x>[^，。；,;\n]{1,20}?)(?:也|都)?从[^，。；,;\n]{0,16}$")),
)  # fmt: skip
_OFF_BEHIND = lazy(r"[里中上]?(?:面)?(?:去掉|删掉|删除|删去|删了|移除|拿掉|划掉|去除|除去|剔除|删)")
_FORBIDS = lazy(
    r"\b(?:don['’]?t|do not|does(?: not|n['’]t)|never|not|nobody|no one|without|if|unless|forgot|forget|almost|nearly|wrong|refus\w+|had)\b|n['’]t\b|别|不|勿|没|如果|要是|差点|险些|忘"
)
# who would like it done has not done it yet
_MEANT = lazy(
    r"\b(?:want|like|should|could|would|might|may|plan\w*|going to|think\w*|consider\w*)\b|想|打算|应该|可能|也许|考虑|计划"
)
# between who it is told of and what is so no more
_NO_LONGER = lazy(
    r"\s*(?:现在|如今|已经?|早就?|后来|其实)*(?P<plain>不再(?:是|有|会)?|不(?P<soft>)(?:那么)?)\s*|\s*(?:现在|已经?|早就?)*不再(?P<verb>[\u4e00-\u9fff]{1,2})\s*|"
    r"\s+(?:now )?(?P<be>(?:is|are|has been) no longer|has (?:stopped being|ceased to be))\s+|\s+(?:now )?(?P<does>no longer [a-z]+|(?:has )?(?:stopped|quit|given up|gave up) [a-z]+ing|does(?: not|n['’]t) [a-z]+)\s+"
)
_ENDS_HERE = lazy(
    r"(?P<so>了|啦)?[吧啊呀]?\s*(?:$|[，。,.;；！!、])|(?P<more>\s+any ?(?:more|longer))?\s*(?:$|[,.;!])"
)
# who likes it no longer may still have it
_OTHERWISE = lazy(
    r"喜欢|讨厌|爱|想|怕|担心|\b(?:lik|lov|hat|enjoy|want|prefer|need|think|feel|watch|see|know|mind|car|talk|mention)(?:e|es|s|ing)?\b"
)
_POINTS = lazy(r"(?:it|this|that|them|these|those|one|something|anything|everything|him|her|us|me|you|more|some|all|[它他她这那其新]|[一二两三四五六几](?:个|首|本|把|台|件|张|种|些)|什么|东西).*", re.I)  # fmt: skip
_ARTICLE = lazy(
    r"(?:an?|the|some|also)\s+|(?:再|还|又|也|另外?)(?:加上?|增加|添加?|有)(?:了|一[个项种])?", re.I
)
_TAIL = lazy(r"(?:\s+(?:now|too|as well|again|please|any ?more|any longer|today)|了|吧|啊|呀|啦|这[个项种])+$", re.I)  # fmt: skip
_ASKED = 0.6
_TAIL_LONG = 40
_LONGEST = {True: 12, False: 32}  # characters of one value of a list, in Chinese and otherwise
_REACH = 90


def changes(text: str, low: str, hits: Sequence[Hit]) -> Iterator[Found]:
    """Values put onto the list that a word of ``hits`` stands for, taken off it, or said to be all of it."""
    for hit in hits:
        slots = tuple(s for s in hit.word.slots if s.spec.many and s.spec.type in ("enum", "text"))
        if hit.word.role != "alias" or not slots:
            continue
        found = _behind(text, low, hit, slots) or _before(text, low, hit, slots)
        if found is not None:
            yield found


def _behind(text: str, low: str, hit: Hit, slots: tuple[Slot, ...]) -> Found | None:
    for op, pattern in _BEHIND:
        m = pattern.match(low, hit.end)
        if m is None:
            continue
        stop = BREAK.search(text, m.end())
        while stop is not None and stop[0] in "，,、" and PARTED.match(text, stop.start()) and op != "remove":
            stop = BREAK.search(text, stop.end())  # a list has commas
        end = stop.start() if stop else len(text)
        if m.groupdict().get("gone") and not text.startswith("了", end - 1):
            continue  # 性格没有变: only 没有…了 takes it away
        return _made(text, low, hit, slots, op, m.end(), end)
    m = _LINK.match(low, hit.end)
    if m is not None and slots[0].spec.type == "enum":
        words = enum_word(low, m.end(), slots[0].spec)
        if words is not None and _ONLY_BEHIND.match(low, words[1]):
            return _made(text, low, hit, slots, "set", *words)
    return None


def _before(text: str, low: str, hit: Hit, slots: tuple[Slot, ...]) -> Found | None:
    for op, pattern in _BEFORE:
        m = pattern.search(low, max(0, hit.start - _REACH), hit.start)
        if m is None:
            continue
        clause = clause_of(low, m.start(), m.end())[0]
        if _FORBIDS.search(low, clause, m.start()):
            continue
        sure = CUED if _MEANT.search(low, clause, m.start()) is None else _ASKED
        if m[0].startswith("把") and op == "remove" and not _OFF_BEHIND.match(low, hit.end):
            continue
        return _made(text, low, hit, slots, op, *m.span("x"), sure=sure, from_=m.start())
    return None


def _made(
    text: str,
    low: str,
    hit: Hit,
    slots: tuple[Slot, ...],
    op: str,
    start: int,
    end: int,
    sure: float = CUED,
    from_: int | None = None,
) -> Found | None:
    """The values between ``start`` and ``end``; None where they are none of the slot's."""
    spans = list(_values(text, low, slots[0], start, end))
    if not spans:
        return None
    low_end = hit.start if from_ is None else from_
    values: Any = [text[a:b] for a, b in spans]
    high = max(hit.end, spans[-1][1])
    if (
        op == "set"
        and _ENDS_HERE.match(low, spans[-1][1]) is None
        and _ONLY_BEHIND.match(low, spans[-1][1]) is None
    ):
        return None  # "only sitting in theory"
    return Found(slots, spans[0][0], spans[-1][1], low_end, high, values, sure, op=op)


def _values(text: str, low: str, slot: Slot, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    while at < end:
        joint = PARTED.search(text, at, end)
        stop = joint.start() if joint and joint.end() > joint.start() else end
        a, b = at, stop
        while a < b and text[a].isspace():
            a += 1
        if article := _ARTICLE.match(text, a, b):
            a = article.end()
        while b > a and text[b - 1] in ".。!！":
            b -= 1
        if tail := _TAIL.search(text, max(a, b - _TAIL_LONG), b):
            b = tail.start()
        while b > a and text[b - 1].isspace():
            b -= 1
        if slot.spec.type == "enum":
            words = enum_word(low, a, slot.spec)
            if words is None:
                return  # the list is over
            yield words
        elif a < b and b - a <= _LONGEST[has_han(text[a:b])] and not _POINTS.fullmatch(text, a, b):
            yield a, b
        else:
            return
        at = joint.end() if joint and stop < end else end


def no_longer(low: str, lexicon: Lexicon, mentions: Sequence[Mention]) -> Iterator[Found]:
    """What is so no more of a Form that is named: 闪电不再倔强了, "Helen no longer teaches polo"."""
    if lexicon.choosing is None or not mentions or len(low) > 400:
        return
    for m in lexicon.choosing.finditer(low):
        ends = _ENDS_HERE.match(low, m.end())
        if ends is None:
            continue
        for mention in mentions:
            slots = tuple(
                s for s in lexicon.choices[m[0]] if s.spec.many and s.type.name == mention.slot.type.name
            )
            said = (
                _NO_LONGER.fullmatch(low, mention.end, m.start())
                if slots and mention.end <= m.start()
                else None
            )
            if said is None or (said["soft"] is not None and not ends["so"]):
                continue
            verb = said["verb"] or said["does"]
            if verb and verb.startswith("does") and not ends["more"]:
                continue
            if verb and _OTHERWISE.search(verb):
                continue
            yield Found(slots, *m.span(), said.start(), m.end(), [m[0]], PATTERN, op="remove")
            break


__all__ = ["changes", "no_longer"]
