"""Types of one thing that differ in what is done with it: ``hotel_search`` and ``hotel_book``, 酒店查询 and 酒店预订.

Their slots are called alike. Which of them is meant is told by what was last said to be done.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache

from forms_dynamics.extraction.dialogue.everyday import things
from forms_dynamics.extraction.dialogue.profile import Profiles, SlotProfile
from forms_dynamics.extraction.dialogue.wording import parts, stem
from forms_dynamics.language.normal import has_han
from forms_dynamics.language.numerals import lowered

# each line is one thing that is done, under its several names
# ruff: noqa: E501 (a list of words reads best on one line)
_ACTS = r"""
book|booking(?! (?:id|number|reference|code|confirmation))|booked|reserve|reserved|reserving|reservation|reservations ; (?:预订|预定|预约)(?!号|编号|人)|订(?!单)
search|find|finding|looking for|look for|looking to find|recommend|suggest|narrow|browse ; 查询|查找|搜索|寻找|推荐|找
schedule|scheduled|scheduling|appointment|viewing|arrange|set up ; 安排|预约
change|changed|changing|modify|update|amend|switch ; 修改|更改|变更|改
status|check on|how far|how long until ; 状态|进度
cancel|cancelled|cancellation ; 取消|退订
plan(?! (?:to|on)\b)|planned|planning(?! (?:to|on)\b)|organise|organised|organize|organized|throw ; 策划|筹办|举办
rsvp|rsvping|attend|attending|invited|invitation ; 参加|出席
order|ordered|ordering|buy|purchase ; 购买|下单|买
report|reported|reporting ; 举报|报告|投诉
fraud|fraudulent|suspicious|unauthori[sz]ed|scam|scammed|hacked|stolen ; 欺诈|诈骗|盗刷|可疑|被盗
balance|balances|how much money (?:do i have|i have|is left|is (?:in|on)) ; 余额|还剩多少钱
"""
_CHANGES = frozenset("change modify update amend switch 修改 更改 变更 改 改签".split())


class Twins:
    """The families of a catalog's types, and the words by which one of a family is meant."""

    def __init__(self, profiles: Profiles) -> None:
        self.family: dict[str, str] = {}
        self._done: dict[str, tuple[re.Pattern[str], ...]] = {}
        self._own: dict[str, tuple[str, ...]] = {}
        self._profiles = profiles
        named: dict[str, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
        nouns = frozenset(noun for thing in things() for noun in thing.nouns)
        taken = {form_type: _taken_apart(form_type, nouns) for form_type in profiles.types}
        for n in range(2):  # what a name begins with comes before what it ends with
            for form_type, apart in taken.items():
                for thing, acts in apart[n : n + 1]:
                    named[f"{thing} {n}"].append((form_type, acts))
        for thing, members in named.items():
            if len({acts for _, acts in members}) < 2:
                continue
            for form_type, acts in members:
                if form_type not in self.family:
                    self.family[form_type] = thing
                    self._done[form_type] = tuple(map(_said, acts))
                    self._own[form_type] = acts

    def members(self, form_type: str) -> list[str]:
        """The types of the family, itself included; none where it has no twin."""
        of = self.family.get(form_type)
        return [name for name, family in self.family.items() if family == of] if of is not None else []

    def meant(self, texts: Iterable[str], touched: Iterable[str] = ()) -> dict[str, str]:
        """Family → its type that is meant, by the first of ``texts`` (the latest first) that says what is done; where
        none does, by the first of the types that are ``touched``."""
        out: dict[str, str] = {}
        left = set(self.family.values())
        for text in texts:
            if not left:
                break
            low = lowered(text)
            best: dict[str, tuple[float, bool, int, str]] = {}
            for form_type, acts in self._done.items():
                family = self.family[form_type]
                if family not in left:
                    continue
                found = [[m.end() for m in act.finditer(low)] for act in acts]
                share = sum(map(bool, found)) / len(acts)
                if share:
                    own = any(act in low for act in self._own[form_type])  # it says more than "appointment"
                    rank = (share, own, max(end for ends in found for end in ends), form_type)
                    best[family] = max(best.get(family, (0.0, False, 0, "")), rank)
            for family, (_, _, _, form_type) in best.items():
                out[family] = form_type
                left.discard(family)
        for form_type in touched:
            if (family := self.family.get(form_type, "")) in left:
                out.setdefault(family, form_type)
        return out

    def other(self, slot: SlotProfile, meant: Mapping[str, str]) -> SlotProfile | None:
        """The slot that is filled in place of ``slot``: the one called alike of the twin that is meant, itself where
        no twin has such a slot, None where the twin has another of its kind for persons or is for changes."""
        twin = meant.get(self.family.get(slot.type, ""), slot.type)
        if twin == slot.type:
            return slot
        found = self._profiles.slot(twin, slot.name)
        if found is not None:
            return found
        if any(act in _CHANGES for act in self._own.get(twin, ())):
            return None  # what is told is how a thing that there is shall be changed
        if slot.kind == "person" and any(s.kind == "person" for s in self._profiles.types[twin].slots):
            return None
        return slot


def _taken_apart(name: str, nouns: frozenset[str]) -> list[tuple[str, tuple[str, ...]]]:
    """The thing that a type's name speaks of, and what is done with it."""
    words = [word for word in parts(name) if not word.isdigit()]
    if len(words) > 1:
        out = [(words[0], tuple(words[1:]))]
        if words[-1] in nouns:
            out.append((words[-1], tuple(words[:-1])))
        return out
    if words and has_han(words[0]):
        inside = [n for n in nouns if n in words[0] and len(words[0]) > len(n) > 1]
        if inside:
            noun = max(inside, key=lambda n: (len(n), n))
            return [(noun, (words[0].replace(noun, ""),))]
    return []


@lru_cache(maxsize=512)
def _said(act: str) -> re.Pattern[str]:
    """The ways of saying what a word of a name says is done."""
    for line in _ACTS.strip().splitlines():
        latin, _, han = line.partition(" ; ")
        if re.search(rf"(?:^|[|(]){re.escape(act)}(?:[|()]|$)", han if has_han(act) else latin):
            return re.compile(rf"\b(?:{latin})\b|{han}")
    return re.compile(rf"\b{re.escape(stem(act))}[a-z]*" if act.isascii() else re.escape(act))


@lru_cache(maxsize=8)
def twins_of(profiles: Profiles) -> Twins:
    """The twins of a catalog, compiled once."""
    return Twins(profiles)


__all__ = ["Twins", "twins_of"]
