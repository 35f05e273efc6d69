"""What a message ends of its speaker's facts: "I no longer live in Leeds", 我离开海蓝电子了, and what it asks to forget
("forget my email", 别再记我的生日了, "forget that I live in Leeds").

A fact that is told to be over names its value, and that value alone is taken back: "I no longer live in York" ends
nothing where the city is Leeds. What is asked to be forgotten by its name is cleared, whatever it holds.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta

from forms_dynamics.extraction.found import CUED, Found, Readings
from forms_dynamics.extraction.lexicon import Hit, Slot
from forms_dynamics.extraction.retracting import says
from forms_dynamics.language.dates import find_ranges
from forms_dynamics.language.days import add_months
from forms_dynamics.language.durations import find_durations
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han
from forms_dynamics.language.reading import Reading
from forms_dynamics.language.spans import Placed
from forms_dynamics.model.form import Form
from forms_dynamics.model.message import Draft, SlotDraft
from forms_dynamics.model.value import Range
from forms_dynamics.schema.spec import Catalog

# -- told to be over -----------------------------------------------------------------------------------------
_CLOSE_EN = r"(?=\s*(?:[,.;!]|$|\b(?:and|but|because|since|so)\b))"
_OVER_EN = lazy(
    r"\bI(?:['’]m|['’]ve| am| have)? ?(?:(?:just|also|actually|sadly|now|probably|perhaps|maybe|likely) )*(?P<no>no longer|do not|don['’]t|am not|not) "
    rf"(?P<said>[a-z][^,.;!?\n]{{2,60}}?)(?P<more> any ?more| any longer| now)?{_CLOSE_EN}",
    re.I,
)
# 我不住在苏州了, 我已经不在苏州住了
_WHEN_ZH = r"(?:我|俺|本人)(?:现在|如今|目前|已经?|早就?|早已|都|也|其实|可能|大概|应该)*"
_OVER_ZH = lazy(
    rf"{_WHEN_ZH}(?:不再?|没再?)(?P<said>[^，。,.；;！!？?\n不]{{2,20}}?)(?P<more>了)?(?:啦)?(?=[，。,.；;！!\n]|\s|$)"
)
# the words of a fact that is over, by what the slot is about: what stands in the place of x is its value
_FRAMES: Mapping[str, re.Pattern[str]] = {
    "city": lazy(
        r"在(?P<x>\S{2,10}?)(?:居住|生活|定居|住)|(?:住|居住|定居|生活)在(?P<x2>\S{2,10})|(?:liv(?:e|ing)|resid(?:e|ing)|based) in (?P<x3>.{2,40})",
        re.I,
    ),
    "employer": lazy(
        r"在(?P<x>\S{2,16}?)(?:上班|工作|任职|就职|干)|(?:就职|任职)于(?P<x2>\S{2,16})|(?:work(?:ing)?|employed) (?:at|for|by|with) (?P<x3>.{2,40})",
        re.I,
    ),
}
_LEFT: Mapping[str, re.Pattern[str]] = {
    "city": lazy(
        rf"{_WHEN_ZH}(?:从(?P<x>[^，。,.；;！!？?\n\s]{{2,10}}?)搬(?:走|出来?|离)|搬(?:离|出))(?P<x2>[^，。,.；;！!？?\n\s]{{0,10}}?)了?(?=[，。,.；;！!\n]|\s|$)|"
        rf"\bI(?:['’]ve| have)? (?:just )?moved (?:out of|away from) (?P<x3>[^,.;!?\n]{{2,40}}?){_CLOSE_EN}",
        re.I,
    ),
    "employer": lazy(
        rf"{_WHEN_ZH}(?:从(?P<x>[^，。,.；;！!？?\n\s]{{2,16}}?)(?:离职|辞职|离开|退休)|(?:离开|辞去|辞掉|辞了))(?P<x2>[^，。,.；;！!？?\n\s]{{0,16}}?)(?:的工作|的职务)?了?(?=[，。,.；;！!\n]|\s|$)|"
        rf"\bI(?:['’]ve| have)? (?:(?:just|recently) )?(?:(?:quit|left|resigned from)(?: my (?:job|position|post) (?:at|with))?|was laid off (?:by|from)|stopped working (?:at|for|with)) (?P<x3>(?!my\b)[^,.;!?\n]{{2,40}}?){_CLOSE_EN}",
        re.I,
    ),
}
# the job that the speaker has is over, whichever it is
_LEFT_IT: Mapping[str, re.Pattern[str]] = {
    "employer": lazy(
        rf"{_WHEN_ZH}(?:刚|刚刚|上周|昨天|今天|上个月)?(?:辞职|离职|辞工|辞掉工作|辞了工作|失业|退休)了(?=[，。,.；;！!\n]|\s|$)|"
        rf"\bI(?:['’]ve| have)? (?:(?:just|recently) )?(?:(?:quit|left|lost|resigned from) my job|resigned|retired){_CLOSE_EN}",
        re.I,
    ),
}
_ARTICLE = re.compile(r"^(?:an?|the) ", re.I)

# -- asked to be forgotten -----------------------------------------------------------------------------------
_START_EN = r"(?:^|(?<=[.!?;,，。！？；\n]))\s*(?:(?:ok(?:ay)?|oh|well|and|then|so|actually|now|hey|hi|yes|no),? )?(?:(?:please|pls|kindly|just),? )*"
_KEEP_EN = r"(?:forget(?: about)?|erase|stop (?:remembering|storing|keeping)|(?:don['’]t|do not) (?:store|keep|save|record)|(?<=please )(?:don['’]t|do not) remember)"
_FORGET_EN = lazy(
    rf"{_START_EN}(?P<verb>{_KEEP_EN}|(?:delete|remove|clear|wipe)(?=[^.!?;\n]* from (?:your |the )?(?:memory|records?|profile|notes)\b)) (?P<x>(?:[^,.;!?\n]|[.,](?=\w)){{2,80}}?)"
    r"(?: from (?:your |the )?(?:memory|records?|profile|notes))?(?:,? please| now| again| any ?more)?(?=\s*(?:[,.](?!\w)|[;!]|$))",
    re.I,
)
_START_ZH = r"(?:^|(?<=[，。；！？,.;!?\n\s]))(?:请|麻烦|那就?|那么|帮我|给我|就|以后|顺便|可以|先|好的?|嗯)*"
_END_ZH = r"(?:了|吧|啦|呗|哈|好吗)*(?=[，。；！!,.;\n]|\s|$)"
_FORGET_ZH = lazy(
    rf"{_START_ZH}(?:(?:你|您)?(?:别再?|不(?:要|用|必)再?)(?:记(?:住|着|录)?|保存|留着?)|忘掉|删(?:掉|除))(?P<x>[^，。；！？,.;!?\n]{{2,24}}?){_END_ZH}|"
    rf"(?:^|(?<=[，。；！？,.;!?\n\s]))(?:(?:那就?|那么|就)*(?:请|麻烦|帮我|把)+)(?:忘(?:了|记))(?P<x2>[^，。；！？,.;!?\n]{{2,24}}?){_END_ZH}|"
    rf"{_START_ZH}忘(?:了|记)(?P<x3>[^，。；！？,.;!?\n]{{2,24}}?)吧(?=[，。；！!,.;\n]|\s|$)|"
    rf"{_START_ZH}把?(?P<x4>(?:我|那个|这个)?的?[^，。；！？,.;!?\n]{{2,16}}?)(?:就|也|都|请|你|可以|以后|给我)*(?:(?:别再?|不(?:要|用|必)再?)(?:记(?:住|着|录)?|保存|留)|忘(?:了|掉)吧|忘掉|删(?:掉|除|了))(?:它)?{_END_ZH}"
)
_CLAUSE_X_EN = re.compile(r"(?:the fact )?(?:that\b|(?:i|we|i['’]m|we['’]re|i['’]ve) )", re.I)
_CLAUSE_X_ZH = re.compile(r"我(?!的)")
# what is meant by a question word: "where I live", 我住哪儿
_ASKED: Mapping[str, re.Pattern[str]] = {
    "city": lazy(r"where (?:i live|i['’]m living|i['’]m based)|我?(?:住|居住)(?:在)?(?:哪[里儿]?|什么地方)|我在哪[里儿]?住", re.I),
    "address": lazy(r"where (?:i live)|我?住(?:在)?(?:哪[里儿]?|什么地方)|我在哪[里儿]?住", re.I),
    "employer": lazy(r"where (?:i work|i['’]m working)|(?:who|whom) i work for|我在哪[里儿]?(?:家公司)?(?:工作|上班)", re.I),
    "occupation": lazy(r"what i do(?: for a living)?|what my job is|我(?:是)?做什么(?:工作)?的?", re.I),
    "birthday": lazy(r"when (?:i was born|my birthday is)|我(?:是)?(?:什么时候|哪天|哪年)(?:出)?生的?|我(?:哪天|什么时候)过?生日", re.I),
}  # fmt: skip
_GAP = re.compile(
    r"\s*(?:(?:my|our|the|that|old|current|all|of|about|我们?的?|那个|这个|之前的?|的)\s*)*", re.I
)
_WORD = 16  # characters of the longest of these
_MINE = re.compile(r"\b(?:my|our)\b|我", re.I)


class Ending:
    """Reads one message for what it ends of Forms that are the speaker's, and what it asks to forget of any."""

    def __init__(
        self,
        text: str,
        known: Sequence[Form],
        catalog: Catalog,
        hits: Sequence[Hit],
        kinds: Mapping[str, tuple[Slot, ...]],
    ) -> None:
        self._text = text
        self._known = [form for form in known if form.type in catalog.types]
        self._catalog = catalog
        self._placed = Placed(hits)
        self._own = {
            kind: tuple(s for s in slots if s.speakers and not s.spec.many) for kind, slots in kinds.items()
        }
        self._asked = list(self._requests()) if _hints(text) else []

    # -- what is asked to be forgotten -----------------------------------------------------------------------
    def _requests(self) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Spans of requests to forget, and of what is to be forgotten in each."""
        for pattern in (_FORGET_EN, _FORGET_ZH):
            for m in pattern.finditer(self._text):
                name = next(n for n in ("x", "x2", "x3", "x4") if n in pattern.groupindex and m[n])
                whole = m.span()
                if says(self._text, *whole):
                    yield whole, m.span(name)

    def turned(self, found: Sequence[Found]) -> list[Found]:
        """``found``, with what stands in "forget that I live in Leeds" to be taken back instead of told."""
        clauses = [
            (whole, x)
            for whole, x in self._asked
            if (_CLAUSE_X_ZH if has_han(self._text[slice(*x)]) else _CLAUSE_X_EN).match(self._text[slice(*x)])
        ]
        out = []
        for item in found:
            within = next(
                (w for w in clauses if w[1][0] <= item.start < w[1][1] and item.end <= w[0][1]), None
            )
            if within is None or any(map(_says_which, item.slots)):
                out.append(item)
            elif not item.negated:  # "forget that I hate milk" is no taking back of a liking
                (low, high), (_, end) = within
                value = item.value
                if end < item.end and value == self._text[item.start : item.end]:
                    value = self._text[item.start : end]  # 忘了我住在苏州吧
                out.append(
                    replace(
                        item,
                        value=value,
                        op="remove",
                        end=min(item.end, end),
                        low=low,
                        high=high,
                        correction=False,
                    )
                )
        told = {s for f in out if f.op != "remove" for s in _single(f)}
        # "forget that I live in Leeds, I live in York": what comes in its place is enough
        return [f for f in out if f.op != "remove" or not any(s in told for s in _single(f))]

    def drafts(self) -> Iterator[Draft]:
        """Of each Form, the slots that are over or to be forgotten."""
        made: dict[str, dict[str, SlotDraft]] = {}
        for form_type, name, draft in (*self._over(), *self._forgotten()):
            made.setdefault(form_type, {}).setdefault(name, draft)
        yield from (Draft(form_type, slots) for form_type, slots in made.items())

    def _forgotten(self) -> Iterator[tuple[str, str, SlotDraft]]:
        for whole, (start, end) in self._asked:
            words = self._text[start:end].strip()
            for kind, pattern in _ASKED.items():
                if pattern.fullmatch(words):
                    for slot in self._own.get(kind, ()):
                        yield slot.type.name, slot.spec.name, self._cleared(*whole)
            for slot in self._named(start, end):
                yield slot.type.name, slot.spec.name, self._cleared(*whole)

    def _named(self, start: int, end: int) -> list[Slot]:
        """The slots that ``text[start:end]`` is a name of: the speaker's own, else those of the Form that the
        conversation touched last."""
        gap = _GAP.match(self._text, start)
        hits = [
            h
            for h in self._placed.beginning(start, (start if gap is None else gap.end()) + _WORD)
            if h.word.role == "alias"
            and self._text[h.end : end].strip() in ("", "s", "address", "地址")
            and _GAP.fullmatch(self._text, start, h.start)
        ]
        if not hits:
            return []
        hit = min(hits, key=lambda h: h.start)
        slots = [s for s in hit.word.slots if not _says_which(s)]
        own = [s for s in slots if s.speakers]
        if own and (_MINE.search(self._text, start, hit.end) or not self._known):
            return own
        for form in self._known:
            held = [s for s in slots if s.type.name == form.type and s.spec.name in form.slots]
            if held:
                return held
        return own

    def _cleared(self, start: int, end: int) -> SlotDraft:
        return SlotDraft(None, CUED, evidence=self._text[start:end], op="clear", span=(start, end))

    # -- what is told to be over -----------------------------------------------------------------------------
    def _over(self) -> Iterator[tuple[str, str, SlotDraft]]:
        text = self._text
        for pattern in (_OVER_EN, _OVER_ZH):
            for m in pattern.finditer(text):
                if not m["more"] and m[0].isascii() and m["no"].lower() not in ("no longer",):
                    continue  # "I don't work at Acme" may be a denial of what another said
                if not m["more"] and not m[0].isascii() and "不再" not in m[0]:
                    continue
                for kind, frame in _FRAMES.items():
                    said = frame.fullmatch(text, *m.span("said"))
                    if said is not None:
                        yield from self._taken(kind, said, m.span())
        for kind, pattern in _LEFT.items():
            for m in pattern.finditer(text):
                yield from self._taken(kind, m, m.span())
        for kind, pattern in _LEFT_IT.items():
            for m in pattern.finditer(text):
                if says(text, *m.span()):
                    for slot in self._own.get(kind, ()):
                        yield slot.type.name, slot.spec.name, self._cleared(*m.span())

    def _taken(
        self, kind: str, said: re.Match[str], whole: tuple[int, int]
    ) -> Iterator[tuple[str, str, SlotDraft]]:
        """The one value that is over, of the speaker's slots of the kind."""
        value = next((said[n] for n in ("x", "x2", "x3") if said[n]), None)
        if value is None or not says(self._text, *whole):
            return
        words = self._text[slice(*whole)]
        for slot in self._own.get(kind, ()):
            yield (
                slot.type.name,
                slot.spec.name,
                SlotDraft(_ARTICLE.sub("", value), CUED, evidence=words, op="remove", span=whole),
            )


def _single(item: Found) -> list[tuple[str, str]]:
    """The slots of one value that the item may fill."""
    return [(s.type.name, s.spec.name) for s in item.slots if not s.spec.many]


def _says_which(slot: Slot) -> bool:
    """Whether the slot names the thing that the message speaks of."""
    return slot.naming and slot.spec.type in ("text", "ref") and not slot.speakers


_HINT = lazy(r"忘|[别不]|删|forget|erase|stop|n['’]t|not\b|delete|remove|clear|wipe", re.I)


def _hints(text: str) -> bool:
    return _HINT.search(text) is not None


# -- until when ----------------------------------------------------------------------------------------------
_UNTIL = lazy(
    r"\s*,?\s*(?:until|till|through|up to)\s|[，,]?(?:一直|直)?(?:住|待|工作|干|做|呆|用|吃|喝)?[到至]", re.I
)
_ENDED = re.compile(r"\b(?:worked|lived|was|were|used to)\b|(?:曾|以前)", re.I)


def set_ends(text: str, found: Sequence[Found], readings: Readings, order: str | None) -> None:
    """我住在宁波到月底, "I live in Lyon until June 30": until when a fact of the speaker holds, that day included."""
    ranges = [r for r in find_ranges(text, readings.base, order) if _UNTIL.match(text, r.start)]
    placed = Placed(ranges)
    for item in found if ranges else ():
        _without_end(text, item, placed)
        if item.valid_until is not None or not all(_may_end(s) for s in item.slots):
            continue
        behind = _UNTIL.match(text, max(item.end, item.high))
        if behind is None or _ENDED.search(text, item.low, item.start):
            continue
        for reading in placed.beginning(behind.start(), behind.end()):
            if behind.end() >= reading.end:
                continue
            if isinstance(reading.value, Range) and reading.value.max is not None:
                day = reading.value.max + timedelta(days=1)
                end = datetime.combine(day, time(), tzinfo=readings.base.tzinfo)
                if end > readings.base:
                    item.valid_until = end
                    item.high = max(item.high, reading.end)
            break


def _may_end(slot: Slot) -> bool:
    """Whether words behind a value can tell its end: not of what a thing goes by, of a day, nor where a slot of its
    type holds it."""
    return (
        slot.spec.type not in ("date", "datetime", "time", "duration")
        and not _says_which(slot)
        and "valid_until" not in slot.type.slots
    )


_VALID_FOR = lazy(
    r"(?:有效期|有效时间)(?:限)?(?:为|是)?\s*[:：]?\s*$|\b(?:valid|good|open|holds) for\s+(?:the next |another )?$",
    re.I,
)
_LASTS = re.compile(r"P(?P<number>\d+)(?P<unit>[DWM])")


def valid_for(text: str, slots: tuple[Slot, ...], readings: Readings) -> Iterator[Found]:
    """有效期14天, "valid for 2 weeks": the last day, counted from the message, of a type that is talked about."""
    for reading in find_durations(text):
        lead = _VALID_FOR.search(text, max(0, reading.start - 20), reading.start)
        lasts = _LASTS.fullmatch(reading.value) if isinstance(reading.value, str) else None
        if lead is None or lasts is None or reading.vague:
            continue
        today, number = readings.base.date(), int(lasts["number"])
        try:
            last = add_months(today, number) if lasts["unit"] == "M" else None
            last = last or today + timedelta(days=number * (7 if lasts["unit"] == "W" else 1))
        except (OverflowError, ValueError):
            continue
        yield Found(
            slots, reading.start, reading.end, lead.start(), reading.end, last.isoformat(), CUED, firm=False, read=True
        )  # fmt: skip


def _without_end(text: str, item: Found, ranges: Placed[Reading]) -> None:
    """Takes the words for its end from a value that took them in: 宁波到月底."""
    if not isinstance(item.value, str) or item.value != text[item.start : item.end]:
        return
    inside = ranges.beginning(item.start + 1, item.end - 1)
    cut = next((r for r in inside if item.end <= r.end), None)
    if cut is not None and all(s.spec.type == "text" for s in item.slots):
        end = cut.start
        while end > item.start and text[end - 1] in " ,，一直":
            end -= 1
        if end > item.start:
            item.end, item.value = end, text[item.start : end]
            item.high = item.end


__all__ = ["Ending", "set_ends", "valid_for"]
