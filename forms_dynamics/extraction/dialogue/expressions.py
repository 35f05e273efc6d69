"""Typed expressions in a message as phrases: the words of a time, a day, a price, a number of people.

A schema's slots are mostly texts, and what is kept of them is what was said: these finders delimit phrases
and do not read them.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from forms_dynamics.extraction.dialogue.kinds import units_of
from forms_dynamics.language.lazy import lazy


class Expression(NamedTuple):
    """``text[start:end]`` is a phrase of ``kind``; ``counted``: what a number counts, where a unit says so."""

    kind: str
    start: int
    end: int
    counted: str = ""


_N = r"(?:[0-9]+(?:\.[0-9]+)?|[一二三四五六七八九十两百]+)"
_EN_N = r"(?:[0-9]{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a single|a)"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_ORD = r"(?:[0-9]{1,2} ?(?:st|nd|rd|th))"
_ORD_WORD = r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth)"

_TIME = lazy(
    r"(?<![\w.:$£€])(?:(?:morning|afternoon|evening) (?:at )?)?(?:[01]?[0-9]|2[0-4])[:.][0-5][0-9](?: ?[ap]\.?m\b\.?)?(?![\w:]|\.[0-9])(?:(?<![12][0-9][:.][0-9]{2}) (?:in the (?:morning|afternoon|evening|night)|at night)\b)?|(?<![\w.:$£€])(?:(?:morning|afternoon|evening) (?:at )?)?(?:1[0-2]|0?[1-9]) ?(?:[ap]\.?m\b\.?|o ?['’]? ?clock(?: in the (?:morning|afternoon|evening))?)|"
    r"\b(?:half past|quarter (?:past|to|after)|ten (?:past|to)|twenty (?:past|to)) (?:[0-9]{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: in the (?:morning|afternoon|evening)|(?: at night))?|"
    r"\b(?:[0-9]{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?:in the (?:morning|afternoon|evening)|at night)|\b(?:noon|midday|midnight)\b|"
    r"(?:凌晨|清晨|早晨|早上|上午|中午|正午|午后|下午|傍晚|晚上|夜里)?(?:[01]?[0-9]|2[0-4]|(?<![贵便宜好多少早晚快慢高低大小近远有差这那])[零一二两三四五六七八九十]{1,3})(?:点钟?(?:半|一刻|三刻|[0-9零一二三四五六七八九十]{1,3}分?)?|[:：][0-5][0-9])(?![0-9])"
)
_DATE = lazy(
    rf"\b(?:(?:this|next|coming|on|the) )?(?:{_WEEKDAY})(?: (?:this|next) week)?(?:,? (?:the )?{_ORD}(?: of {_MONTH})?|,? {_MONTH} (?:[0-9]{{1,2}}(?:st|nd|rd|th)?))?\b|"
    rf"\b{_MONTH}\.? (?:the )?(?:[0-9]{{1,2}}(?: ?(?:st|nd|rd|th))?|{_ORD_WORD})(?![0-9:])(?:,? (?:19|20)[0-9]{{2}})?\b|\b(?:the )?(?:{_ORD}|{_ORD_WORD}) (?:of )?{_MONTH}\b(?:,? (?:19|20)[0-9]{{2}})?|\b[0-9]{{1,2}} (?:of )?{_MONTH}\b(?:,? (?:19|20)[0-9]{{2}})?|"
    rf"\b(?:the )?{_ORD}(?: of (?:this|next) month)?(?! (?:floor|street|st|ave|avenue|time|one|day|class|birthday|question|century|of (?!this|next)))\b|\bthe day after tomorrow\b|\bday after tomorrow\b|\b(?:later )?(?:today|tomorrow|tonight)\b|\b(?:this|next) (?:weekend|week)\b|"
    r"\b(?:19|20)[0-9]{2}[-/][0-9]{1,2}[-/][0-9]{1,2}\b|\b[0-9]{1,2}/[0-9]{1,2}(?:/[0-9]{2,4})?\b|"
    r"(?:下下|(?<!一)下|这|本)?(?:个)?(?:周|星期|礼拜)[一二三四五六日天](?:[上下]午|晚上|早上|中午)?|(?:今|明|后|大后)天(?![气])|(?:今|明)晚|(?:[0-9]{4}年)?(?:[0-9]{1,2}|[一二三四五六七八九十]{1,2})月(?:[0-9]{1,2}|[一二三四五六七八九十]{1,3})[日号]|(?<![0-9.月])[0-9]{1,2}[日号](?![线楼院店厅门馆])|这个?周末|下个?周末"
)
_PRICE = lazy(
    r"[$£€¥] ?[0-9][0-9,]*(?:\.[0-9]{1,2})?(?: ?(?:k|thousand|million))?|\b[0-9][0-9,]*(?:\.[0-9]{1,2})? ?(?:dollars?|bucks|pounds?|euros?|yuan|usd|gbp|rmb)\b|"
    r"(?<![0-9.])[0-9]+(?:\.[0-9]+)?(?:元|块钱?)? ?[-~～—到至] ?[0-9]+(?:\.[0-9]+)?(?:元|块钱?)|(?<![0-9.\-])[0-9]+(?:\.[0-9]+)?(?:元|块钱?)(?:以上|以下|以内|之内|左右)?(?!一下|上下)"
)
_RATING = lazy(
    r"(?<![0-9.])[0-9](?:\.[0-9])?分(?:以上|以下|左右)?(?!钟)|(?<![0-9.])[0-9一二三四五](?:星级|颗星|星)|\b(?P<stars>[0-9]|one|two|three|four|five|zero)[ -]?stars?\b"
)
_DURATION = lazy(
    rf"(?<![0-9.这那哪几前近第]){_N}(?:[、,，]{_N})?(?:个半|个|半)?(?: ?[-~～—到至] ?{_N}(?:个半|个|半)?)?(?:小时|钟头|分钟|天|晚|夜|(?<!四)周|个?星期|个?月)(?: ?[-~～—到至] ?{_N}(?:个半|个|半)?(?:小时|钟头|分钟|天|晚|夜|周))?(?![0-9])(?!前台|热水|营业|服务|供|客房|洗衣|自助|之内到|后到|[的之]?后)|半天|半个小时|"
    rf"\b(?<!wait )(?<!just )(?<!last )(?<!past )(?<!next )(?!a (?:minute|day|month|year|week))(?:{_EN_N}|[0-9]+)[ -](?:night|day|week|hour|minute|month|year)s?\b"
)
_PARTY = lazy(
    r"\b(?:party|group|table|reservation|booking|seats|family|tickets?) (?:of|for) (?P<n>[0-9]{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b(?! ?(?::|\.[0-9]|[ap]\.?m|nights?|days?|hours?|rooms?|o'clock))|\bfor (?P<m>[0-9]|one|two|three|four|five|six|seven|eight|nine|ten)\b(?=\s*(?:$|[.,!?]|at\b|on\b|please\b|and\b|in\b|,))(?!\.[0-9])|\b(?P<o>[0-9]{1,2}|one|two|three|four|five|six|seven|eight) of us\b|\b(?P<self>just me|just myself|only me|by myself|for myself|alone)\b"
)
_COUNT_EN = {
    group: re.compile(rf"\b(?P<n>{_EN_N})[ -](?:more |other |adult |bus |train |movie |plane |flight |checked |separate )?{units_of(group)}", re.A)
    for group in ("people", "ticket", "room", "bed", "bath", "bag", "stop", "piece")
}  # fmt: skip
_COUNT_ZH = {
    group: re.compile(rf"(?P<n>[0-9]{{1,3}}|[一二两三四五六七八九十]{{1,3}})个?(?:{units})")
    for group, units in (("people", "人(?!均|民)|位(?!于|置)|名(?!字|称)|大人|口人"), ("ticket", "张(?:票|车票|机票|门票)?"), ("room", "间"), ("night", "晚(?!上|会)|天(?!气)|夜"))
}  # fmt: skip


def expressions(low: str) -> Iterator[Expression]:
    """All typed expressions of a folded, lower case text; phrases of different kinds may overlap."""
    for kind, pattern in (("time", _TIME), ("date", _DATE), ("price", _PRICE), ("duration", _DURATION)):
        for found in pattern.finditer(low):
            start, end = found.span()
            if kind == "duration" and _AGO.match(low, end):
                continue
            if kind == "date":
                start += len(_LEAD.match(low, start, end)[0])  # type: ignore[index]
            yield Expression(
                kind, start, end, "night" if kind == "duration" and _NIGHT.search(found[0]) else ""
            )
    # the whole message is a number to call, or an address of which the marks were lost
    if phone := _PHONE_ALONE.fullmatch(low):
        yield Expression("phone", *phone.span("p"))
    if mail := _MAIL_ALONE.fullmatch(low):
        yield Expression("email", *mail.span("m"))
    for found in _RATING.finditer(low):
        start, end = found.span("stars") if found["stars"] else found.span()
        yield Expression("rating", start, end)
    yield from _counts(low)


_PHONE_ALONE = re.compile(
    r"\s*(?:(?:yes|ok|okay|sure|it is|it['’]?s|phone|ph|my|contact|mobile|number|no|is)[ ,:]+)*(?P<p>\+?(?:[0-9][ -]?){9,13}[0-9])[ .!]*(?:please|thanks|sir)?\W*"
)
_MAIL_ALONE = re.compile(
    r"\s*(?:(?:yes|ok|okay|sure|it is|it['’]?s|e-?mail|my|mail|id|address|is)[ ,:]+)*(?P<m>[a-z0-9._]+(?: [0-9]+)? ?@? ?(?:g ?mail|yahoo|hotmail|outlook|icloud|live|aol|msn|mail|qq|163|126)[ .]?(?:com|net|org|cn|co ?uk|in)|[a-z0-9._]*[a-z](?:gmail|yahoo|hotmail|outlook|icloud|mail)(?:com|net|org))\W*"
)
_LEAD = re.compile(r"(?:on |coming )?")
_AGO = re.compile(r"\s+(?:ago|earlier|before that)\b|\s*(?:之?前|以前)")  # when, not how long
_NIGHT = re.compile(r"night|day|晚|天|夜")


def _counts(low: str) -> Iterator[Expression]:
    for found in _PARTY.finditer(low):
        name = next((n for n in ("n", "m", "o", "self") if found[n]), "n")
        yield Expression("count", *found.span(name), "people")
    for group, pattern in _COUNT_EN.items():
        for found in pattern.finditer(low):
            yield Expression("count", *found.span("n"), group)
    for group, pattern in _COUNT_ZH.items():
        for found in pattern.finditer(low):
            yield Expression("count", *found.span("n"), group)


_NUMBERS = {
    **{word: n for n, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())},
    "a": 1, "a single": 1, "just me": 1, "just myself": 1, "only me": 1, "by myself": 1, "for myself": 1, "alone": 1,
    **{han: n for n, han in enumerate("零一二三四五六七八九十")}, "两": 2, "十一": 11, "十二": 12,
}  # fmt: skip


def number_of(words: str) -> int | None:
    """The whole number that a count's words say; None where they say none."""
    said = words.strip().lower()
    return int(said) if said.isdecimal() else _NUMBERS.get(said)


_CLOCK = re.compile(
    r"(?P<h>[0-9]{1,2})(?:[:.](?P<m>[0-9]{2}))?\s?(?P<half>[ap])?\.?(?:m\b\.?)?(?:\s?o\s?['’]?\s?clock)?"
)


def minutes_of(words: str) -> int | None:
    """Minutes of the day of a clock time that says which half of the day it means, or is on the 24 hour clock."""
    said = words.strip().lower()
    if said in ("noon", "midday", "midnight"):
        return 0 if said == "midnight" else 720
    found = _CLOCK.fullmatch(said)
    if found is None or not (found["m"] or found["half"]):
        return None
    hour, minute = int(found["h"]), int(found["m"] or 0)
    if found["half"]:
        hour = hour % 12 + (12 if found["half"] == "p" else 0)
    return hour * 60 + minute


__all__ = ["Expression", "expressions", "minutes_of", "number_of"]
