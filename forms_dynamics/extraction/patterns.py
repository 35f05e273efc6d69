"""What is stated by its form alone, without a slot's own word: terms, money to spend, one more of a list."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from operator import attrgetter

from forms_dynamics.extraction.found import BREAK, CUED, PATTERN, Found, Readings, widen
from forms_dynamics.extraction.grouping import says_which
from forms_dynamics.extraction.lexicon import Hit, Slot
from forms_dynamics.language.contacts import find_terms
from forms_dynamics.language.dates import find_dates
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.reading import Reading
from forms_dynamics.language.spans import Placed, merged, overlaps, reach_back, reach_on
from forms_dynamics.model.value import Range

_MOMENTS = ("date", "datetime", "time", "duration")
_SENTENCE = lazy(r"[。！？!?；;\n]")
# without one of these no date need be read
_STARTS = lazy(r"从|自|起|开始|\b(?:from|starting|effective|as of|beginning|since)\b", re.I)
_STARTING = lazy(r"(?:从|自)\s*$|\b(?:from|starting|effective|as of|beginning|since)\s+(?:on\s+)?$", re.I)
_FROM_THEN = lazy(r"\s*(?:起|开始)")
_BARE_GAP = lazy(r"[\s,，]*[元块了]?[\s,，]*")
_LEADING = 16  # characters, without space, of the longest of these
_FAR = 80  # and between a thing and its new time
_START = attrgetter("start")
_TO = lazy(r"\s*(?:to|till|until|through|–|—|-|到|至)", re.I)
_HAVE = lazy(
    r"\b(?:[Ww]e|[Ii])(?:['’]ve got| have got| have|['’]ve| got| can do| can go up to)\b|我们?(?:手上|手里|手头|这边)?(?:还|只|就|大概)?有"
)
_FOR_USE = lazy(
    r"\s*(?:for (?:this|it|the (?:project|job|whole|purchase)|that)|to spend|to work with|set aside|available)\b|"
    r"元?(?:左右)?(?:可以用|能用|可用|可以花|来做这)"
)
_ONE_MORE = lazy(
    r"(?:再|还要|另外|也)(?:加上|加个|加一个|加|添加|添|来个|来一份|要个|要一份)(?P<zh>[^，。,.;；！!？?\n\s\d的了个份]{1,16})(?=[，。,.;；！!\s]|$)|"
    r"\b[Aa]dd (?:also |some |the |an? )?(?P<en>[a-z][a-z -]{1,30}?)(?: too| as well| to (?:the|my|our) \w+)?(?=[.,;!]|$)"
)
_POINTS = lazy(r"(?:that|this|it|these|those|them|more|another|one more)\b|[那这它]")
_AND = lazy(r"、|和|与|,\s*|\s+and\s+")


def terms_found(text: str, slots: tuple[Slot, ...], hits: Sequence[Hit]) -> Iterator[Found]:
    """How is paid, said without a colon: 分三期付款, 月结30天, net 45; beside 付款 or "terms" where that is said."""
    found = (*find_terms(text), *_invoices(text))
    placed = Placed(hits if found else ())
    for reading in found:
        low = reading.start
        named = False
        for hit in placed.ending(reading.start - 12, reading.start):
            near = not BREAK.search(text, hit.end, reading.start)
            if near and any(s.kind == "terms" for s in hit.word.slots):
                low, named = min(low, hit.start), True
        words = text[reading.start : reading.end]
        firm = named or bool(
            re.search(r"\d|[一二两三四五六七八九十]+[期次批天]|期付|月结|季结|货到付款|款到发货", words)
        )
        low, high = widen(text, low, reading.end)
        yield Found(
            slots, reading.start, reading.end, low, high, words, CUED if named else PATTERN, firm=firm
        )


_INVOICES = lazy(r"\b(?:monthly|quarterly|annual|yearly|weekly) (?:invoices|invoicing)\b", re.I)


def _invoices(text: str) -> Iterator[Reading]:
    for m in _INVOICES.finditer(text):
        yield Reading(m.start(), m.end(), m[0], kind="terms")


def money_to_spend(text: str, slots: tuple[Slot, ...], readings: Readings) -> Iterator[Found]:
    """We have 650k dollars for this: an amount that one has for something is what one can spend."""
    if _HAVE.search(text) is None:
        return
    having = list(_HAVE.finditer(text))
    ends = [m.end() for m in having]
    for reading in readings.of(slots[0].spec):
        at = bisect_left(ends, reading.start - 24)
        have = having[at] if at < len(ends) and ends[at] <= reading.start else None
        use = _FOR_USE.match(text, reading.end)
        if have and use and not re.search(r"[,.;，。；]", text[have.end() : reading.start]):
            words = text[reading.start : reading.end]
            yield Found(slots, reading.start, reading.end, have.start(), use.end(), words, PATTERN)


_MOVED_ZH = r"(?:的?时间|的?日期)?(?:已经?|也|先|就|都|请|帮我|给)*(?:改|挪|移|推迟|延期?|提前|调整?|换)(?:到|至|成|在)了?"
_MOVED_EN = r"(?:(?: (?:time|date))?(?: (?:has been|have been|is|was|gets|got|will be))? (?:moved|pushed(?: back)?|postponed|rescheduled|brought forward|changed|shifted))? to(?: the)?"
_MOVED = lazy(rf"\s*(?:{_MOVED_ZH}|{_MOVED_EN})\s*")
_MOVES = lazy(
    r"(?:\b(?:move|push(?: back)?|postpone|reschedule|bring forward|change|shift)\w*(?: the| our| my| this| that)?(?: [a-z]+)?|moved|pushed|postponed|rescheduled|changed|shifted|[改挪移迟延期前调换][到至成在])",
    re.I,
)


def moved(low: str, hits: Sequence[Hit], moments: Mapping[str, Slot], readings: Readings) -> Iterator[Found]:
    """会议改到下周三下午3点, "move the meeting to Friday 3pm": the new time of a thing that is called by its type. ``moments``: by
    Form type, its only slot for a moment."""
    for hit in hits:
        slot = next((moments[t] for t in hit.word.types if t in moments), None)
        if slot is None:
            continue
        times = readings.of(slot.spec)
        far = reach_on(low, hit.end, _FAR) if times else 0
        for at in range(bisect_left(times, hit.end + 1, key=_START), len(times)):
            reading = times[at]
            if reading.start > far:
                break
            if _MOVED.fullmatch(low[hit.end : reading.start]) is None:
                continue
            start = _MOVES.search(low, max(0, hit.start - 40), reading.start)
            if start is not None:
                begins = min(start.start(), hit.start)
                words = readings.text[reading.start : reading.end]
                yield Found(
                    (slot,), reading.start, reading.end, begins, reading.end, words, CUED, correction=True
                )


_ROUTE = re.compile(
    r"\b(?:[Ff]rom) (?P<a>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,3})(?: \([A-Z]{3}\))? to (?P<b>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,3})(?![\w])|"
    r"从(?P<za>[\u4e00-\u9fff]{2,6}?)(?:出发)?(?:飞往?|去往?|前往|开往|到|至)(?P<zb>[\u4e00-\u9fff]{2,6}?)(?=的|[，。,.;；！!？?\s]|$|飞机|机票|火车|高铁|航班|动车|大巴|船票)"
)
_NO_PLACE = re.compile(
    r"[的了我你他她它这那哪什谁几]|早上|晚上|上午|下午|[上下][班周个]|周[一二三四五六日天末]|星期|[一二三四五六七八九十\d]+(?:月|日|号|点|年|天|楼|层|期)|现在|开始|结束|以前|以后|"
    r"\b(?:I|We|You|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December|Option|Basic|Economy|Business|First)\b"
)


# "change the name from Lee to Garcia" is no way
_ALTERS = re.compile(
    r"\b(?:chang|renam|updat|switch|correct|rais|increas|cut|reduc|upgrad|downgrad|mov)\w*\b[^,.;!?\n]*$",
    re.I,
)
_TRIP = re.compile(
    r"\b(?:flights?|fly|trip|tickets?|train|bus|route|journey|booking|reservation|ride|nonstop|travel|segment)\b",
    re.I,
)


def routes(text: str, origins: tuple[Slot, ...], destinations: tuple[Slot, ...]) -> Iterator[Found]:
    """ "from Leeds to Gdansk", 从苏州到北京: the two ends of a way, for a type that the talk is about."""
    for m in _ROUTE.finditer(text):
        ends = ("a", "b") if m["a"] else ("za", "zb")
        lead = text[max(0, m.start() - 40) : m.start()]
        if any(_NO_PLACE.search(m[end]) for end in ends) or (_ALTERS.search(lead) and not _TRIP.search(lead)):
            continue
        for end, slots in zip(ends, (origins, destinations), strict=True):
            if slots:
                yield Found(slots, *m.span(end), *m.span(), m[end], PATTERN, firm=False)


def one_more(text: str, slots: tuple[Slot, ...]) -> Iterator[Found]:
    """再加垫片, "add olives": one more for the list of a type that the message or the conversation is about."""
    for m in _ONE_MORE.finditer(text):
        span = m.span("zh") if m["zh"] else m.span("en")
        words = [w for w in _AND.split(text[slice(*span)]) if w]
        if words and all(len(w) <= 24 and not _POINTS.match(w) for w in words):
            yield Found(slots, *span, m.start(), m.end(), words, PATTERN, firm=False, op="add")


_YEAR = lazy(r"\b[Ss]ince (?P<y>(?:19|20)\d\d)\b(?!-)")


def _years(text: str) -> Iterator[Reading]:
    """Years that a since leads to."""
    for m in _YEAR.finditer(text):
        yield Reading(*m.span("y"), date(int(m["y"]), 1, 1))


def set_starts(text: str, found: Sequence[Found], readings: Readings, order: str | None) -> None:
    """从明年1月1日起调到120元, 下个月起预算是80万, "the budget is 800k as of July 1": from when a value holds."""
    if _STARTS.search(text) is None:
        return
    taken = merged((f.start, f.end) for f in found)
    placed = Placed(found)
    for reading in (*find_dates(text, readings.base, order), *_years(text)):
        if reading.value is None:
            continue
        led = _STARTING.search(text, reach_back(text, reading.start, _LEADING), reading.start)
        if overlaps(taken, reading.start, reading.end) and not (
            led and led[0].casefold().startswith("since")
        ):  # some types have a slot for it
            continue
        if not led and not _FROM_THEN.match(text, reading.end):
            continue
        low = led.start() if led else reading.start
        day = reading.value.min if isinstance(reading.value, Range) else reading.value
        start = datetime.combine(day, time(), tzinfo=readings.base.tzinfo)
        beside = placed.beside(reach_back(text, low, _LEADING), low, reading.end, reading.end + 24)
        for item in beside:
            if any(s.spec.type in _MOMENTS or s.spec.many or says_which(s) for s in item.slots):
                continue
            ahead = 0 <= item.start - reading.end <= 24
            before = ahead and not _SENTENCE.search(text, reading.end, item.start)
            behind = (
                led
                and item.end <= low
                and _BARE_GAP.fullmatch(text, item.end, low)
                and not _TO.match(text, reading.end)
            )
            if before or behind:
                item.valid_from = start
                item.low, item.high = min(item.low, low), max(item.high, reading.end if behind else item.high)
