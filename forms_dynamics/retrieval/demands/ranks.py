"""Which places of an order are meant: "the second heaviest", 最高的两匹, "top 3 by weight", 排第三."""

# ruff: noqa: E501 (a list of words and a pattern read best on one line)
from __future__ import annotations

import re
from typing import NamedTuple

from forms_dynamics.retrieval.words import MEASURES

_EN = {w: n for n, ws in enumerate(("first", "second|2nd|next|two", "third|3rd|three", "fourth|4th|four", "fifth|5th|five", "six", "seven", "eight", "nine", "ten"), 1) for w in ws.split("|")}  # fmt: skip
_ZH = {w: n for n, ws in enumerate("一 二两 三 四 五 六 七 八 九 十".split(), 1) for w in ws}
_N_EN = r"(?P<n>two|three|four|five|six|seven|eight|nine|ten|[1-9]\d?)"
_N_ZH = r"(?P<n>[两二三四五六七八九十]|[1-9]\d?)"
_PLACE = re.compile(
    r"(?<!-)\b(?P<n>second|third|fourth|fifth|next|2nd|3rd|4th|5th)[- ](?:most |least )?$|(?<![十百0-9])第(?P<z>[二三四五2-5])(?=最?$)"
)
_PLACED = re.compile(
    r"排(?:名|行|在)?(?:第|在第)(?P<z>[一二三四五1-5])(?![0-9零一二三四五六七八九十百])(?:位|名)?"
)
_MANY = (
    re.compile(rf"\b(?:top |first |last )?{_N_EN} (?:of the )?(?:most |least )?$"),
    re.compile(rf"(?:前|哪|^){_N_ZH}[{MEASURES}名位](?:[\u4e00-\u9fff]{{1,4}}?)?$"),
)
_MANY_BEFORE = re.compile(rf"\b(?:which|what) {_N_EN} (?:[a-z]+ )+(?:is|are|has|have|was|were) ")
_MANY_AFTER = (
    re.compile(rf" {_N_EN}\b(?! (?:kg|cm|m|km|g|days?|weeks?|months?|years?)\b)"),
    re.compile(rf"的?(?:是哪|那|前|的){_N_ZH}[{MEASURES}名位]?"),
)
_TOP = (
    re.compile(rf"\btop {_N_EN} (?=.{{0,80}}\bby\b)"),
    re.compile(rf"(?<=[\u4e00-\u9fff])前{_N_ZH}(?:[{MEASURES}名位强]|的)"),
)
_BY = re.compile(r"\b(?:ranked )?by\b")


class Rank(NamedTuple):
    """Places ``first`` to ``last``, the furthest being the first; ``spans``: words that say so."""

    first: int = 1
    last: int = 1
    spans: tuple[tuple[int, int], ...] = ()


def rank_at(text: str, start: int, end: int) -> Rank:
    """The places that the words around a superlative at ``start``:``end`` name."""
    before = text[:start]
    if (said := _PLACE.search(before)) is not None:
        place = _EN[said["n"]] if said["n"] else _number(said["z"])
        return Rank(place, place, (said.span(),))
    found = next((m for p in _MANY if (m := p.search(before))), None) or _MANY_BEFORE.search(before)
    if found is None:
        found = next((m for p in _MANY_AFTER if (m := p.match(text, end))), None)
    return Rank(1, _number(found["n"]), (found.span(),)) if found else Rank()


def placed(text: str) -> Rank | None:
    """Places that are named without a superlative, of what the question names besides: "top 3 by weight", 体重前三名的,
    身高排第二."""
    if (said := _PLACED.search(text)) is not None:
        place = _number(said["z"])
        return Rank(place, place, (said.span(),))
    if (top := next((m for p in _TOP if (m := p.search(text))), None)) is not None:
        return Rank(1, _number(top["n"]), (top.span(), *(m.span() for m in _BY.finditer(text))))
    return None


def _number(said: str) -> int:
    return int(said) if said.isdigit() else _EN.get(said) or _ZH[said]


__all__ = ["Rank", "placed", "rank_at"]
