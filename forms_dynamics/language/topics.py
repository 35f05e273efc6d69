"""Whom or what a sentence says it is about by a frame that opens it: "Update on Globex: …", "Globex raised its …",
关于Globex，…, 星野把…. A value in such a sentence is told of that thing and no other.
"""

# ruff: noqa: E501 (a list of words reads best on few lines)
from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from forms_dynamics.language.clauses import clause_of, sentence_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.subjects import SURNAMES

_CAP = r"[A-Z][\w&'’-]*(?:\.(?=[\w]))?[\w&-]*"
_CAPS = rf"{_CAP}(?: (?:(?:of|and|&|de|van|von) )?{_CAP}){{0,4}}"
_LATIN = r"[A-Za-z][\w&.'’-]*(?: [A-Z][\w&.'’-]*)*"
_HAN = r"[\u4e00-\u9fff]{2,8}?"
_OPENS_EN = r"(?:^|(?<=[.!?;:\n] )|(?<=\n))"
_OPENS_ZH = r"(?:^|(?<=[。！？；，!?;,\s]))"
_TITLED = (
    rf"{_OPENS_EN}(?:(?:(?:[Qq]uick |[Aa]n? )?(?:[Uu]pdate|[Nn]ews|[Nn]ote|[Ii]nfo|[Ww]ord)s? (?:on|about|from|for)"
    rf"|[Aa]bout|[Aa]s for|[Rr]egarding|[Rr][Ee]:?|[Ff]or|[Oo]n|[Cc]oncerning|[Ww]ith)"
    rf" (?P<one>{_CAPS})\s*(?:[:,–—]|- ))"
)
_ACTS = (
    rf"{_OPENS_EN}(?P<two>{_CAPS})(?: (?:has|have|had|just|also|now|recently|since))*"
    rf" (?:raised|cut|increased|reduced|lowered|upped|changed|moved|extended|postponed|wants|needs|has|have)"
    rf" (?:its|their|his|her|the|an?)\b"
)
_TOPIC_ZH = (
    rf"{_OPENS_ZH}(?:(?:关于|对于|至于)\s?(?P<a>{_LATIN}|{_HAN})\s?(?:那边|这边|那头)?(?:的事情?)?[，,：:]"
    rf"|(?P<b>{_LATIN}|{_HAN})\s?(?:那边|那头)|(?P<c>{_LATIN}|{_HAN})\s?(?:把|将)(?![来要会近])|(?P<d>{_LATIN}|{_HAN})的(?!时候|话|是))"
)
_OWNS = rf"(?<![\w'’])(?P<own>{_CAP}(?: {_CAP}){{0,3}}?)['’]s (?=[a-z])"
_HEADED = rf"^\s*(?P<head>{_CAP}(?: (?:(?:of|and|&|de|van|von) )?{_CAP}){{1,4}})\s*[:：](?!//)"
_ALL = r"(?:^|(?<=[.!?;,] ))(?P<all>(?:[Nn]obody|[Nn]o one|[Ee]very(?:one|body)|(?:[Bb]oth|[Aa]ll) (?:of )?(?:(?:the|our|my|these|those) )?(?!of us|in|told|together)[a-z]+s)) (?:has|have|gets?|is|are|costs?)\b"
_EN = lazy(f"{_ALL}|{_TITLED}|{_ACTS}|{_OWNS}|{_HEADED}")
_ALL_ZH = lazy(
    rf"{_OPENS_ZH}(?P<x>所有的?[\u4e00-\u9fff]{{1,6}}?的|每[个位家条块][\u4e00-\u9fff]{{1,4}}?的|(?:所有的?|全部的?|两[个条只位艘家块台])[\u4e00-\u9fff]{{1,6}}?(?=都|全)|大家的?|市场上|一般的)"
)
_ZH = lazy(_TOPIC_ZH)
# what opens a sentence in capitals or in Chinese, and is no name of a thing of its own
_COMMON = frozenset(
    "i we you he she it they this that these those there yes no ok okay so and but or also now then well great thanks hi hello hey dear everyone everybody "
    "someone nobody anyone both all my our your his her its their the a an today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday "
    "january february march april may june july august september october november december spring summer autumn fall winter who what which how when where why "
    "management finance marketing legal sales procurement purchasing accounting hr it engineering operations support logistics production headquarters hq "
    "boss ceo cfo coo cto client customer customers team company firm plan project update note news good fine sure please let what that's it's let's reminder fyi todo ps summary hi if as since after before "
    "correction summary details info status report request quote order invoice meeting call minutes answer reply confirmed decision important question "
    "budget price deadline contact phone total user agent assistant".split()
)
_NO_NAME_ZH = lazy(
    r"[我你您他她它咱这那哪谁的了吗呢吧就都也还又再先后很不没是在有要想请让给帮把将被从到个些么怎今明昨前上下]|对方|对面|客户|老板|领导|财务|市场|销售|采购|法务|技术|"
    r"公司|集团$|总部|部门|部$|团队|大家|自己|项目|合同|方案|预算|付款|时间|价格|报价|交期|交货|设备|系统|产品|活动|会议|问题|情况|事情|最终|另外|所以|因为|如果|可以"
)
_TITLE_ZH = lazy(rf"[{SURNAMES}](?:总|工|经理|老师|主任|先生|女士|小姐|姐|哥|老板|董|处|科长|部长)?$")


class Topic(NamedTuple):
    """``name`` as it is said; what is said of it stands in ``text[start:end]``. Not ``sure``: it may be a common noun
    (东岭的 as well as 客厅的)."""

    name: str
    start: int
    end: int
    sure: bool = True
    every: bool = False  # all there are, or none


@lru_cache(maxsize=256)
def topics(text: str) -> tuple[Topic, ...]:
    """The things that frames of the text name; common nouns, people of one's own side and pronouns are none."""
    return tuple(_topics(text))


def _topics(text: str) -> Iterator[Topic]:
    for m in _EN.finditer(text):
        name = m[m.lastindex or 0]
        first = name.split()[0].casefold()
        if m["head"] and not _COMMON.isdisjoint(name.casefold().split()):
            continue
        if not m["all"] and (first in _COMMON or first.removesuffix("'s").removesuffix("’s") in _COMMON):
            continue
        reach = sentence_of if m["one"] or m["head"] else clause_of
        yield Topic(name, m.end(), reach(text, m.end() - 1, m.end())[1], every=m["all"] is not None)
    if text.isascii():
        return
    for m in _ALL_ZH.finditer(text):
        yield Topic(m["x"], m.end(), clause_of(text, m.end() - 1, m.end())[1], every=True)
    for m in _ZH.finditer(text):
        name = m["a"] or m["b"] or m["c"] or m["d"]
        if name.casefold() in _COMMON or _NO_NAME_ZH.search(name) or _TITLE_ZH.match(name):
            continue
        reach = clause_of if m["c"] or m["d"] else sentence_of
        sure = m["d"] is None or name[0].isascii()
        yield Topic(name, m.end(), reach(text, m.end() - 1, m.end())[1], sure)


__all__ = ["Topic", "topics"]
