"""Labels of one record: 项目名称：天际，负责人：李娜，截止日期：12月31日 tells of one project.

What a message calls by its name (项目名称：…, 新建任务：…, "Task name: …") is what the labels beside it tell of: the
words that its type qualifies by its own name (项目负责人, "task due date") may then stand bare (负责人, "due
date"), and are its before any other type's.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from forms_dynamics.extraction.found import AT_START, KEY, TITLED, break_from
from forms_dynamics.extraction.lexicon import Hit, Lexicon, Slot, Word, names_alone
from forms_dynamics.extraction.names_en import is_common
from forms_dynamics.extraction.names_zh import TRADES, may_name_a_person
from forms_dynamics.language.normal import has_han
from forms_dynamics.language.spans import Covering, Placed, merged, overlaps, reach_back

_ID = re.compile(r"\s*[#＃]?(?=[a-z0-9_/-]*\d)[a-z0-9]")
_OVER = re.compile(rf"[，,。;；\n]|{TITLED}\.(?=\s)")
_NAMED = {
    # the deadline of task Call the landlord is …
    "en": re.compile(
        r"\s+[\"“']?(?P<name>(?!(?:is|was|are|has|have|will|we|our|i|that|which|and|in|on|at|for)\b)"
        r"[^,.;:\"”\n]{2,60}?)[\"”']?\s+(?:is|was|are|has been|will be)\b"
    ),
    # 任务“给房东打电话”的截止日期是…
    "zh": re.compile(
        r"\s*[“\"「《【]?(?P<name>(?![组部书里上中下的])[^的，。,.;；：:“”\"「」《》【】\n]{2,20})[”\"」》】]?的"
    ),
}


# customer Acme, …; 客户海川贸易，…
_CALLED = re.compile(
    r"\s*[\"“「]?(?P<name>[A-Z][A-Za-z0-9&.'’-]*(?: [A-Z0-9][A-Za-z0-9&.'’-]*){0,4}|[\u4e00-\u9fffA-Za-z0-9]{2,12}(?:"
    + TRADES
    + r"))(?:[\"”」]?\s*(?=[:：,，(（]|[-–—] )|(?<=[A-Za-z0-9]) (?=[a-z]))"
)
_LINE = re.compile(r"[;；\n]")
_FIRST = re.compile(r"(?:^|[。；;\n]|\.\s)\s*(?:[-*•]\s*)?$")
# between a type's word and one of its labels
_BEFORE_LABEL = re.compile(
    r"(?:e?s\b)?\s*(?:[:：]\s*|[,，]\s*(?=[A-Z])|叫做?|名叫|名为|(?:called|named|is)\s+)?[\"“「《]?(?P<name>[A-Z][\w&.'’-]*?(?: [A-Z0-9][\w&.'’-]*?){0,4}(?: and [A-Z][\w&.'’-]*(?: [A-Z0-9][\w&.'’-]*){0,3})?"
    r"|(?=[\w-]*\d)[A-Za-z0-9_/-]+号?(?:[、和与及](?=[\w-]*\d)[A-Za-z0-9_/-]+号?)*|[\u4e00-\u9fff]{2,8}?(?:、[\u4e00-\u9fff]{2,8}?)*|[\u4e00-\u9fff]{1,6}[A-Za-z0-9-]+[\u4e00-\u9fff]{0,3})[\"”」》]?"
    r"(?P<mark>\s*[:：,，(（]|\s*[-–—]|['’]s|的|)\s*(?:has |with |an? |its |the |are |is |both |他?她?的|都|均|分别)*"
)
_GOES_BY = re.compile(
    r"(?:的名字)?(?:叫做?|名叫|名为|取名(?:叫|为)?|起名叫?)[“\"「《]?(?P<name>[\u4e00-\u9fffA-Za-z0-9·]{1,10}?)[”\"」》]?(?=[，,。；;！!、\s]|$)"
    r"|(?:['’]s name)? (?:is|was) (?:called|named) [\"“]?(?=[A-Z\u4e00-\u9fff])(?P<name2>[\w&'’-]+(?: [A-Z][\w&'’-]*){0,3})[\"”]?(?=[,.;!]| (?:and|which|who|she|he|it|is|has|weighs)\b|$)"
)
# "Blue Heron, a wooden boat", "her boat is Blue Heron, 8 m long"
_WHICH_IS = re.compile(r"(?P<name>[A-Z][\w&'’-]*(?: [A-Z][\w&'’-]*){0,3}), an? (?:[a-z0-9-]+ ){0,3}$")
_OWNED = re.compile(r"(?:\b[A-Z][\w.-]*['’]s|\b(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir)) (?:new |other )?$")
_IS_NAME = re.compile(r" is (?P<name>(?:[A-Z][\w&'’-]*(?: [A-Z][\w&'’-]*){0,3}|[\u4e00-\u9fff]{2,6}))(?=,)")
_JOINED_ZH = re.compile(r"(?<=[\u4e00-\u9fff0-9])[和、与及](?=[\u4e00-\u9fffA-Z0-9])")
_JOINT = re.compile(r" and |[、和与及]")
_ITEM = re.compile(r"\s*(?:[，;；、\n]|,(?!\d))\s*(?:and |和)?")
# of what is told of a thing, not what it is called
_SAYS = re.compile(
    "[说讲示馈意填停开完始结束了已正在要会想能可把被给让请问答复告诉同拒批过消变调认换进没不很太都也还就再来去到从对跟和与及或等是有这那哪某每各将向为其他]|内部|方面|部分"
)
# what stands behind a type's word and names nothing
_NOTHING = re.compile(
    r"\s*(?:一共|总共|这边|那边|这里|那里|明天|今天|昨天|一般|通常|最近|以前|之前|现在|目前|大家|平均|全部|所有|各自|还没|没有|未|待|见|同上|暂无|"
    r"(?:still|see|none|same|not|no|tbd|unknown|pending|nobody|nothing|someone|somebody|anyone)\b)",
    re.I,
)
_NEW = re.compile(
    r"(?:\b(?:[Aa]|[Tt]he|[Oo]ur|[Oo]ne) )?(?:\b[Nn]ew |\b[Aa]nother |\b(?:second|third) )?$|"
    r"(?:又来了?|另外?)?(?:新?[来增添]?了?(?:[一两二三四五六七八九十\d]+[个只条名家位头匹艘台辆块]))?(?:新[来招到]?的?|一?[个家位名])?$"
)


_LOW = attrgetter("low")


class Named(NamedTuple):
    """``text[start:end]`` is the name of a Form of ``slot``'s type, told by the type's word at ``low``.

    ``label``: the label that stands before it ("the owner of project Skyline"), up to the name's end.
    """

    slot: Slot
    start: int
    end: int
    low: int
    label: Hit | None = None


def records(text: str, low: str, hits: Sequence[Hit], lexicon: Lexicon) -> tuple[list[Hit], list[Named]]:
    """The hits, with those of bare labels among them, and the names that no label announces."""
    leads: list[tuple[int, str]] = []
    for hit in hits:
        name = _leads(low, hit)
        if name is not None and not (leads and _is_bare(hit, leads[-1][1], lexicon)):
            leads.append((hit.start, name))
    named: list[Named] = []
    if not leads:
        one = list(_named(text, low, hits, lexicon))
        several = list(_introduced(text, low, hits, lexicon))
        # 新马：墨玉，体重…；黑珍珠，体重…
        lines = all(_LINE.search(text, a.end, b.start) for a, b in pairwise(several))
        named = several if len(several) > len(one) and (lines or not one) else one
        named = named or list(_by_name(text, hits, lexicon))
        leads = [(one.low, one.slot.type.name) for one in named]
    more: list[Hit] = [] if leads else list(_of_its_type(low, hits, lexicon))
    for i, (start, name) in enumerate(leads):
        # labels before the name are its too, unless they name something else
        others = i or any(_names(low, h) and not _is_bare(h, name, lexicon) for h in hits if h.start < start)
        begin = start if others else 0
        end = leads[i + 1][0] if i + 1 < len(leads) else len(low)
        more.extend(lexicon.bare_hits(low, begin, end, name))
    taken = merged((one.start, one.end) for one in named)
    own = {
        (hit.start, hit.end, s.type.name)
        for hit in hits
        for s in hit.word.slots
        if len(_types(hit.word)) == 1
    }
    longer = Covering((hit.start, hit.end) for hit in hits) if more else None
    more = [
        hit
        for hit in more
        if (hit.start, hit.end, hit.word.slots[0].type.name) not in own
        and not overlaps(taken, hit.start, hit.end)
        and not (longer is not None and longer.has(hit.start, hit.end))
    ]
    more.extend(one.label for one in named if one.label is not None)
    own_hits = [_of_record(text, hit, named) for hit in hits]
    if not more:
        return own_hits, named
    return sorted((*own_hits, *more), key=lambda hit: (hit.start, -hit.end, not hit.word.bare)), named


def _of_record(text: str, hit: Hit, named: Sequence[Named]) -> Hit:
    """The hit with the slots of the record alone in whose sentence it stands, where that has some: 课程：单板入门，教练高雪，价格260元
    tells the price of a lesson."""
    at = bisect_right(named, hit.start, key=_LOW)
    if hit.word.role != "alias" or not at:
        return hit
    last = named[at - 1]
    broken = break_from(text, last.end, hard=True)
    if broken is not None and broken < hit.start:
        return hit
    slots = tuple(s for s in hit.word.slots if s.type.name == last.slot.type.name)
    return hit._replace(word=replace(hit.word, slots=slots)) if slots else hit


def _of_its_type(low: str, hits: Sequence[Hit], lexicon: Lexicon) -> Iterator[Hit]:
    """任务的截止日期, "the task's due date": a label said of a type's word is that type's, whichever it is of."""
    for hit in hits:
        owner = next((mark for mark in ("的", "'s ", "’s ") if low.startswith(mark, hit.end)), None)
        if owner is None or len(hit.word.types) != 1 or hit.word.weak:
            continue
        at = hit.end + len(owner)
        yield from (h for h in lexicon.bare_hits(low, at, at + 24, hit.word.types[0]) if h.start == at)


def _types(word: Word) -> set[str]:
    return {s.type.name for s in word.slots}


def _is_bare(hit: Hit, name: str, lexicon: Lexicon) -> bool:
    return any(word.text == hit.word.text for word in lexicon.bare.get(name, ()))


def _names(low: str, hit: Hit) -> bool:
    return any(s.naming for s in hit.word.slots) and KEY.match(low, hit.end) is not None


def _leads(low: str, hit: Hit) -> str | None:
    """The type that the hit names a Form of."""
    word = hit.word
    if word.weak or word.role not in ("alias", "cue"):
        return None
    types = {
        s.type.name for s in word.slots if s.spec.type == "text" and names_alone(s.type, s.spec)
    } - word.aside
    if len(types) != 1 or (word.role == "alias" and len(_types(word) - word.aside) != 1):
        return None
    stated = KEY.match(low, hit.end) or word.role == "cue" or (word.ids and _ID.match(low, hit.end))
    return next(iter(types)) if stated else None


def _named(text: str, low: str, hits: Sequence[Hit], lexicon: Lexicon) -> Iterator[Named]:
    """A type's word with the name behind it, where a label of the type stands beside."""
    placed = Placed(hits)
    labels = _Labels(low, hits, lexicon)
    for hit in hits:
        slots = [s for name in hit.word.types if (s := lexicon.titles.get(name)) is not None]
        if len(slots) != 1:
            continue
        slot = slots[0]
        label = None
        if _FIRST.search(_without_new(text, hit.start)) and (
            key := KEY.match(text, hit.end)
        ):  # Task: Call the landlord, deadline: …
            over = _OVER.search(text, key.end())
            end = over.start() if over is not None else len(text)
            start, behind = key.end(), end
        elif (
            not hit.word.ids
            and (m := _CALLED.match(text, hit.end))
            and not is_common(m["name"].split()[0])
            and AT_START.search(_without_new(text, hit.start))
        ):
            start, behind = m.span("name")  # New customer Acme, budget 10,000 EUR
            end = m.end()
        elif m := _NAMED["zh" if has_han(hit.word.text) else "en"].match(text, hit.end):
            start, behind = m.span("name")
            end = m.end()
            if has_han(hit.word.text):
                if not AT_START.search(text, max(0, hit.start - 12), hit.start):
                    continue
            elif (label := _label(low, hit, m, lexicon, slot.type.name)) is None:
                continue
        else:
            continue
        while start < behind and text[start].isspace():
            start += 1
        if text[behind - 2 : behind] in ("'s", "’s"):
            behind -= 2
        if _JOINED_ZH.search(text, start, behind):
            continue  # 围场3号和5号的检查日期
        if (
            start < behind
            and not any(slot.type.name in _types(h.word) for h in placed.beginning(start + 1, behind - 1))
            and not _NOTHING.match(text, start)
            and labels.outside(hit.start, end, slot.type.name)
        ):
            yield Named(slot, start, behind, hit.start, label)
            if not AT_START.search(_without_new(text, hit.start)):
                return


def _introduced(text: str, low: str, hits: Sequence[Hit], lexicon: Lexicon) -> Iterator[Named]:
    """What stands between a type's word and a label of the type (茶农李梅，日薪180元), and before its labels behind (new
    trenches: A-7 depth 50 cm, A-8 depth 60 cm)."""
    own: dict[str, list[tuple[int, int]]] = {}  # by type, where its labels stand
    for hit in hits:
        slots = [s for name in hit.word.types if (s := lexicon.titles.get(name)) is not None]
        if (
            len(slots) != 1
            or (hit.word.weak and len(hit.word.text) > 1)
            or not AT_START.search(_without_new(text, hit.start))
        ):
            continue
        slot, begin, joint = slots[0], hit.end, ""
        labels = own.get(slot.type.name)
        if labels is None:
            told = [
                h
                for h in hits
                if h.word.role == "alias" and slot.type.name in _types(h.word) and not _names(low, h)
            ]
            told += lexicon.bare_hits(low, 0, len(low), slot.type.name)
            labels = own[slot.type.name] = sorted({(h.start, h.end) for h in told})
        found: list[Named] = []
        for at in range(bisect_left(labels, (hit.end, -1)), len(labels)):
            start, end = labels[at]
            m = _BEFORE_LABEL.fullmatch(text, begin, start)
            parts = [] if m is None else _apart(text, *m.span("name"))
            sure = m is not None and (":" in m["mark"] or "：" in m["mark"])
            if (
                m is not None
                and found
                and m["mark"].strip() in ("，", ",")
                and joint.strip() not in (";", "；", "")
            ):
                parts = []  # 性格温顺、活泼，教练陈刚: one more of a list
            if parts and all(_may_name(text[a:b], slot, sure) for a, b in parts):
                found.extend(Named(slot, a, b, a if found else hit.start) for a, b in parts)
            elif not found:
                break
            begin = end
            if (item := _ITEM.search(text, end)) is not None:
                begin, joint = item.end(), item[0]
        if found:
            yield from found
            return


def _by_name(text: str, hits: Sequence[Hit], lexicon: Lexicon) -> Iterator[Named]:
    """What a thing is told to be called behind its type's word: 我妹妹的马叫胡椒, "her horse is called Pepper"."""
    for hit in hits:
        slots = [s for name in hit.word.types if (s := lexicon.titles.get(name)) is not None]
        if len(slots) != 1 or slots[0].speakers:
            continue
        m = _GOES_BY.match(text, hit.end) or _WHICH_IS.search(text, max(0, hit.start - 60), hit.start)
        if m is None and _OWNED.search(text, max(0, hit.start - 24), hit.start):
            m = _IS_NAME.match(text, hit.end)
        if m is None:
            continue
        start, end = next(span for name in m.groupdict() if (span := m.span(name))[0] >= 0)
        if not _NOTHING.match(text, start) and not may_say(text[start:end]):
            yield Named(slots[0], start, end, min(start, hit.start))


def _apart(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The names in 年糕和布丁, "Momo and Kiki"."""
    out = []
    for joint in [*_JOINT.finditer(text, start, end), None]:
        stop = end if joint is None else joint.start()
        if stop == start:
            return []
        out.append((start, stop))
        start = stop if joint is None else joint.end()
    return out


def _may_name(words: str, slot: Slot, sure: bool) -> bool:
    """Whether the words can be what a thing is called. ``sure``: a colon follows them."""
    if _NOTHING.match(words) or is_common(words.split()[0]):
        return False
    if not has_han(words):
        return True
    if any(c.isascii() and c.isalnum() for c in words):
        return not may_say(words)
    if slot.kind == "person":
        return may_name_a_person(words)
    return not may_say(words) and (sure or slot.kind != "company")


def may_say(words: str) -> bool:
    """Whether there is a sign among Chinese words that tells of a thing and is no part of a name."""
    return _SAYS.search(words) is not None


class _Labels:
    """Where a message has labels of each type."""

    def __init__(self, low: str, hits: Sequence[Hit], lexicon: Lexicon) -> None:
        self._low = low
        self._hits = hits
        self._lexicon = lexicon
        self._made: dict[tuple[str, bool], tuple[int, int]] = {}

    def outside(self, start: int, end: int, form_type: str) -> bool:
        """Whether one stands outside ``low[start:end]``."""
        for bare in (False, True):
            first, last = self._ends(form_type, bare)
            if first <= start or end <= last:
                return True
        return False

    def _ends(self, form_type: str, bare: bool) -> tuple[int, int]:
        """Where the first of the type's labels, or of its bare words, ends, and the last begins."""
        made = self._made.get((form_type, bare))
        if made is None:
            if bare:
                labels = self._lexicon.bare_hits(self._low, 0, len(self._low), form_type)
            else:
                labels = [
                    h
                    for h in self._hits
                    if h.word.role == "alias"
                    and (not h.word.weak or KEY.match(self._low, h.end))
                    and form_type in _types(h.word)
                ]
            first = min((h.end for h in labels), default=len(self._low) + 1)
            made = self._made[form_type, bare] = (first, max((h.start for h in labels), default=-1))
        return made


def _without_new(text: str, end: int) -> str:
    """What stands before a type's word, but for what introduces a thing: "New ", 新."""
    return _NEW.sub("", text[max(0, end - 16) : end])


_OF_THE = re.compile(r"\s+of (?:the )?$")


def _label(low: str, hit: Hit, name: re.Match[str], lexicon: Lexicon, form_type: str) -> Hit | None:
    """The label that is said "of" what the type's word at ``hit`` names."""
    of = _OF_THE.search(low, reach_back(low, hit.start, 6), hit.start)
    labels = lexicon.bare_hits(low, 0, of.start(), form_type) if of is not None else []
    last = next((one for one in labels if of is not None and one.end == of.start()), None)
    if last is None:
        return None
    end = name.end("name") + (low[name.end("name")] in "\"”'")
    return Hit(last.start, end, replace(last.word, weak=False))


__all__ = ["Named", "may_say", "records"]
