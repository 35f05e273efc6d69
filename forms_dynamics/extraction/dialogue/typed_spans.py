"""Where times, days, numbers, amounts and addresses of a kind stand in a turn, as whole phrases."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache

from forms_dynamics.extraction.dialogue.kinds import units_of
from forms_dynamics.language.contacts import find_emails, find_phones, find_urls
from forms_dynamics.language.dates import find_dates
from forms_dynamics.language.durations import find_durations
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.money import find_money
from forms_dynamics.language.times import find_times

Span = tuple[int, int]

_NUMBER_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty|thirty|forty|fifty"
_PART = r"(?:\s+in the (?:early |late )?(?:morning|afternoon|evening|night)|\s+at night|\s+(?:morning|afternoon|evening)\b)"
_CLOCK = lazy(
    rf"\b(?:(?:half|quarter|\d{{1,2}}) (?:past|to) (?:\d{{1,2}}|{_NUMBER_WORDS})\b(?: ?o['’ ]{{0,2}}clock)?(?:\s?(?:[ap]\.m\.|[ap]m\b))?{_PART}?"
    rf"|(?:(?:morning|afternoon|evening|night) (?:at )?)?(?:\d{{1,2}}|{_NUMBER_WORDS})(?:[:.]\d\d)?(?:\s?(?:[ap]\. ?m\.?|[ap] ?m\b)| ?o['’ ]{{0,2}}clock\b)(?:{_PART})?"
    rf"|(?:morning|afternoon|evening|night) (?:at )?\d{{1,2}}(?:[:.]\d\d)?\b|\d{{1,2}}[:.]\d\d\b(?!\s?(?:dollars|km|miles|%)){_PART}?|(?:\d{{1,2}}|{_NUMBER_WORDS}){_PART}|noon\b|midnight\b)",
    re.I,
)
_FULL_STOP = re.compile(r"[ap]m\.$", re.I)  # the sentence's, not of a.m.
_DAY = lazy(
    r"\b(?:the )?\d{1,2}(?:st|nd|rd|th)\b(?: of (?:this|next|the) month| of (?:january|february|march|april|may|june|july|august|september|october|november|december))?"
    r"|\b(?:this |next |on )?(?:coming )?(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b|(?:今|明|后)[天日]|(?:这|本|下)?(?:周|星期|礼拜)[一二三四五六日天]",
    re.I,
)
_NUMBER = lazy(
    rf"(?<![\w.:$€£¥/-])(?:\d+(?:,\d{{3}})*(?:\.\d+)?|(?:{_NUMBER_WORDS})\b)(?![\d%:/]|[.,]\d|(?:st|nd|rd|th)\b)|[零一二两三四五六七八九十百]+(?=[个位人张间晚天名口份桌套号点星座])",
    re.I,
)
# "that one", "a cheap one", "no one", "one of them"
_PRONOUN_BEFORE = lazy(
    r"\b(?:that|this|the|which|another|other|no|any|some|every|each|first|second|last|cheap(?:er|est)?|good|nice|new|a [a-z]+|[a-z]+er)\s*$",
    re.I,
)
_PRONOUN_BEHIND = lazy(r"\s+(?:of|that|which|who|with|in|near|where|by|from|is|has|staying)\b", re.I)
_CURRENCY = re.compile(r"[$€£¥元块]|dollar|pound|euro|yuan|usd|gbp|bucks", re.I)
_ID = lazy(r"(?<![\w.])(?=[\w-]*\d)[A-Za-z0-9](?:[\w-]*[A-Za-z0-9])?(?:(?<=\d)[ -]\d+)*(?![\w@])")


@lru_cache(maxsize=512)
def spans(kind: str, text: str, base: datetime) -> tuple[Span, ...]:
    """The phrases of a kind, in order, not overlapping."""
    if kind == "time":
        times = _longest(
            [*(m.span() for m in _CLOCK.finditer(text)), *((r.start, r.end) for r in find_times(text))]
        )
        return tuple((start, end - 1 if _FULL_STOP.search(text[start:end]) else end) for start, end in times)
    if kind == "date":
        found = [(r.start, r.end) for r in find_dates(text, base)]
        return _longest([*found, *(_trimmed(text, *m.span()) for m in _DAY.finditer(text))])
    if kind == "datetime":
        return _joined(text, [*spans("date", text, base), *spans("time", text, base)])
    if kind == "duration":
        return tuple((r.start, r.end) for r in find_durations(text))
    if kind == "price":
        return tuple(_bare_amount(text, r.start, r.end) for r in find_money(text))
    if kind == "email":
        return tuple((r.start, r.end) for r in find_emails(text))
    if kind == "phone":
        return tuple((r.start, r.end) for r in find_phones(text))
    if kind == "url":
        return tuple((r.start, r.end) for r in find_urls(text))
    if kind == "id":
        return tuple(m.span() for m in _ID.finditer(text))
    return ()


_BETWEEN = re.compile(r"\s*,?\s*(?:(?:at|around|about|on)\s+)*|\s*的?\s*")


def _joined(text: str, found: list[Span]) -> tuple[Span, ...]:
    """A day and a time beside each other are one moment."""
    out: list[Span] = []
    for start, end in sorted(found):
        if out and _BETWEEN.fullmatch(text, out[-1][1], max(start, out[-1][1])):
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return tuple(out)


def _bare_amount(text: str, start: int, end: int) -> Span:
    """An amount without the words that bound it ("limit is $500")."""
    found = re.compile(r"[$€£¥]|\d").search(text, start, end)
    return (found.start() if found else start), end


def _trimmed(text: str, start: int, end: int) -> Span:
    return (start + 3, end) if text[start : start + 3].lower() == "on " else (start, end)


def numbers(text: str, base: datetime, unit: str = "") -> list[Span]:
    """Numbers that are no part of a time, a day, an amount or a phone number; those before ``unit`` alone, if any are."""
    taken = [s for kind in ("time", "date", "phone", "email") for s in spans(kind, text, base)]
    taken += [s for s in spans("price", text, base) if _CURRENCY.search(text[slice(*s)])]
    out = []
    for m in _NUMBER.finditer(text):
        start, end = m.span()
        if any(start < high and low < end for low, high in taken):
            continue
        if m[0].lower() == "one" and _PRONOUN_BEFORE.search(text, max(0, start - 24), start):
            continue
        if m[0].lower() == "one" and _PRONOUN_BEHIND.match(text, end):
            continue
        if unit and _counts_another(text, end, unit):
            continue
        out.append((start, end))
    if unit and len(out) > 1:
        with_unit = [s for s in out if _unit(unit).match(text, s[1])]
        if with_unit:
            return with_unit
    return out


_GROUPS = ("people", "ticket", "room", "bed", "bath", "night", "star", "bag", "stop")


@lru_cache(maxsize=32)
def _unit(group: str) -> re.Pattern[str]:
    return re.compile(rf"[ -]?(?:[a-z]+ )?{units_of(group)}", re.I)


def _counts_another(text: str, end: int, unit: str) -> bool:
    """Whether the number before ``end`` counts something else than ``unit``: three days are no rooms."""
    return not _unit(unit).match(text, end) and any(_unit(g).match(text, end) for g in _GROUPS if g != unit)


def _longest(found: list[Span]) -> tuple[Span, ...]:
    out: list[Span] = []
    for start, end in sorted(found, key=lambda s: (s[0], -s[1])):
        if out and start < out[-1][1]:
            if end - start > out[-1][1] - out[-1][0]:
                out[-1] = (start, end)
            continue
        out.append((start, end))
    return tuple(out)


__all__ = ["numbers", "spans"]
