"""Whether a value is said with doubt or only roughly: 大概, 左右, 可能, about, maybe, I think …

The words are declared in YAML (``hedges.yaml`` beside this module, more in ``hedges:`` documents); here is where
they must stand. A hedge counts when it bears on the value: a word of measure (约, around) must lead to a quantity
that is the value's own, a word of doubt (可能, probably) must come shortly before it in its clause, a particle
(左右, or so) directly behind. 预约, 可能性, "talk about", "around the corner" are no hedges, and no more is
"I think" before a decision, praise or a farewell.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import NamedTuple

from forms_dynamics.language.asked import asked
from forms_dynamics.language.clauses import clause_of, neighbours
from forms_dynamics.language.hedge_words import Words, as_pattern, hints, shipped_words
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numerals import lowered
from forms_dynamics.language.opinions import DECISION, MOVES, PHATIC, PRAISED_ZH, STATED_ZH, TALK, VIEW
from forms_dynamics.language.spans import overlaps, reach_back, skip_space

# -- quantities ----------------------------------------------------------------------------------------------
_ZH_NUM = (
    r"(?:一(?![样起直定般旦切些会]|下(?!午))|"
    r"[0-9零〇二两三四五六七八九十百千万亿几数半壹贰叁肆伍陆柒捌玖拾廿卅])"
)
_ZH_QUANTITY = (
    rf"(?:(?:人民币|rmb|cny|usd|us|hk|[¥$€£])?\s?{_ZH_NUM}|上个?月|下个?月|本月|[这下上]周|[这下上]个?星期|"
    rf"明[天年后]|后[天年]|今[天年]|[早中晚]上|[上下中]午|傍晚|凌晨|年[底中初]|月[底中初]|周[一二三四五六日末])"
)
_ZH_LEAD = r"\s?(?:是|在|要|有|能|得|到|为|需要|也就|就|会|花|给|按|个|还|只|于)*\s?"
_MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)"
)
_EN_NUM = (
    r"(?:quarter|zero|one\b|two\b|three|four|five|six|seven|eight|nine|ten\b|eleven|twelve|thirteen|fourteen|"
    r"fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|"
    r"half|hundred|thousand|million|dozen|couple|few|noon|midnight|midday)"
)
_EN_QUANTITY = (
    rf"(?:(?:(?:an?|usd|eur|gbp|rmb|cny|us|hk|maybe|like) ?)?[$€£¥]? ?(?:[0-9]|{_EN_NUM}|mid[- ]|"
    r"(?:early|late|lunch|dinner|breakfast|lunchtime|dinnertime)\b|"
    rf"(?:the )?(?:morning|afternoon|evening)\b|"
    rf"(?:the )?(?:end|beginning|middle|start) of|{_MONTHS}\b|q[1-4]\b|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|christmas|easter|new year|next (?:week|month|year)|"
    r"this (?:time|month)|the [0-9]+(?:st|nd|rd|th)|"
    r"an? (?:good |whole )?(?:few|minute|hour|day|night|week|fortnight|month|quarter|year|decade)\b))"
)
_QUANTITY = lazy(rf"(?<![a-z0-9.,])(?:{_EN_QUANTITY}|{_ZH_QUANTITY})(?:[0-9.,]*[0-9])?")
_APPROXIMATE_SIGN = r"(?<![0-9a-z万千百亿十元块%$€£¥~-])(?P<sign>[~≈∼])\s?(?=[0-9$€£¥])"
_FIGURE = lazy(
    rf"[0-9]|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:tomorrow|tonight)\b|\b(?!one\b|half\b|few\b|couple\b){_EN_NUM}"
)
_PRONOUN = lazy(
    r"\b(?:this|that|the|which|another|other|odd|any|each|every)\s+one\b|\bone\s+(?:of|out)\b|\b(?:need|want|like|have|get|take|book|find|prefer)\s+one\b"
)
# What may stand between a value and the particle behind it: its unit.
_UNIT = lazy(
    r"\s?(?:的?样子|人民币|美元|元|块钱?|万|亿|千|百|个|天|月|号|日|人|年|周|小时|分钟|点|%|期|台|件|套|"
    r"[a-z]{1,10}|\s)*"
)
_UNIT_AND_MORE = lazy(
    r"(?:[元块钱毛万亿千百个天月号日人年周点半分钟小时台件套期岁米斤倍间位张份人民币美金%]|星期|上午|下午|晚上|早上|中午|以内|以上|以下|"
    r"之[前后]|前|后|左右|上下|样子|的样子|[a-z\s])*"
)
_COUNTED_BEFORE = lazy(
    rf"{_ZH_NUM}[^，。,.;!?\s]{{0,4}}\s?$|[0-9%]\s?$|(?:月|年|周)(?:底|初|中|末)$|[上下中]午$|晚上$|[早傍]晚?上?$"
    rf"|\b{_EN_NUM}(?:[\s-][a-z]+){{0,2}}\s?$|[0-9]\s?[a-z]+(?:\s[a-z]+)?\s?$"
)

# -- what stands around --------------------------------------------------------------------------------------
# 就50万吧, 改成周三吧, 帮我订…吧: a decision or a request is no doubt
_DECIDED = lazy(
    r"就(?!是)|那(?!边|个|里)|改|换|定(?:在|为|到|成)|选|按|订|预[订定约]|帮|给我|请|麻烦|推荐|来(?:一|两|"
    r"个|份)|还是.{1,12}吧|走吧|"
    r"(?:你|您|咱们?|我们)?(?:看看|查查|说说|试试|告诉|发|去|约)|安排|加|减|取消|不要|别"
)
_NEW_FACT = lazy(
    r"\band (?:the|our|my|we|i|it|they|is|are|their|his|her|payment|delivery)\b|另外|还有|并且|而且|同时|"
    r"然后|;|；|\bwhile\b|\bwith (?:a|the|payment|deadline)\b"
)
_CORRECTS = lazy(r"不是|才对|说错|错了|更正|不对|\bnot\b|rather than|instead|i meant")
# "not sure, but I need it by 9": what is needed is sure, whatever the doubt was about
_NEEDED = lazy(
    r"\s*(?:but\s+)?(?:(?:i|we)\s?(?:'d|need|want|must|have\s+to|would|do)\b|我们?(?:得|要|想|需要|必须|希望))"
)
_REMARK_LEAD = (
    r"(?:呃|嗯|额|啊|well|um+|uh|so|and|just|its?|it's|that's|this is|这个?|那|我|i'm|we're|i am|we are|也|"
    r"我们|具体)?\s*"
)
_REMARK_TAIL = r"\s*(?:吧|的|了|呢|啊|哈|though|yet|now)?\s*"

_CONTENT = re.compile(
    r"^(?!\W*(?:not|so|then)\W*$).*[a-z0-9]|[^\x00-\x7f，。！？、；：…吧啊呀呢的了哦嗯呵～]"
)
_JOINS = re.compile(r"\s*,\s*(?!(?:but|and|so)\b)")


class Hedge(NamedTuple):
    """``text[start:end]`` hedges; ``kind`` is its class. ``led``: where the quantity begins that it leads to."""

    start: int
    end: int
    kind: str
    led: int


class Hedging:
    """Hedges by the given words. Immutable and safe to share between threads; its patterns are made when needed."""

    def __init__(self, words: Words | None = None) -> None:
        self._given = words

    @cached_property
    def words(self) -> Words:
        """All words: those that ship, and those given."""
        return shipped_words() if self._given is None else shipped_words() + self._given

    # -- patterns --------------------------------------------------------------------------------------------
    def _of(self, *classes: str, languages: Sequence[str] = ("zh", "en")) -> str:
        return as_pattern(phrase for one in languages for phrase in self.words.of(one, *classes))

    @cached_property
    def _hints(self) -> tuple[frozenset[str], re.Pattern[str]]:
        return hints(self.words.every())

    @cached_property
    def _about(self) -> re.Pattern[str]:
        zh, en = (self._of("about", languages=(one,)) for one in ("zh", "en"))
        return re.compile(
            rf"(?P<zh>{zh})(?:能|可)?{_ZH_LEAD}(?={_ZH_QUANTITY})|(?P<en>{en})\s(?={_EN_QUANTITY})|{_APPROXIMATE_SIGN}"
        )

    def _doubt(self, *languages: str) -> re.Pattern[str]:
        kinds = ((kind, self._of(kind, languages=languages)) for kind in ("think", "unsure", "told", "doubt"))
        return re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in kinds))

    def _none(self, *languages: str) -> re.Pattern[str]:
        return re.compile(
            as_pattern(one for one in self.words.none if ("en" if one.isascii() else "zh") in languages)
        )

    @cached_property
    def _behind(self) -> re.Pattern[str]:
        return re.compile(self._of("behind"))

    def _at_end(self, *languages: str) -> re.Pattern[str]:
        closing = self._of("closing", "doubt", "think", "about", "behind", languages=languages)
        return re.compile(rf"(?:了(?=吧))?(?P<word>{closing})\s*$")

    def _remark(self, *languages: str) -> re.Pattern[str]:
        said = self._of("remark", "doubt", "told", "think", "unsure", "closing", languages=languages)
        return re.compile(f"{_REMARK_LEAD}(?:{said}){_REMARK_TAIL}")

    @cached_property
    def _opening(self) -> re.Pattern[str]:
        zh = self._of("about", "doubt", "told", languages=("zh",))
        en = self._of("doubt", "think", languages=("en",))
        about = self._of("about", languages=("en",))
        return re.compile(
            rf"(?:(?:我|我们)?(?:{zh})(?:就?是|在|要|为|有)?[，,：:]?\s*"
            rf"|(?:it's |it is |that's )?(?:{en}|(?:{about})(?=\s{_EN_QUANTITY}|,|$))"
            rf"(?: it's| it is| that)?[,:]?\s+)+"
        )

    @cached_property
    def _trailing(self) -> re.Pattern[str]:
        said = self._of("behind", "closing", "doubt", "think")
        return re.compile(rf"\s*[，,]?\s*(?P<word>{said})[。.!！]?$")

    # -- what a text holds -----------------------------------------------------------------------------------
    def may(self, text: str) -> bool:
        """Whether ``text`` holds anything that could be a hedge; cheap, and right when it says no."""
        return _may(self, text)

    def found(self, text: str) -> tuple[Hedge, ...]:
        """Every word of doubt, opinion and measure that could hedge something, in order of place."""
        return _found(self, text) if self.may(text) else ()

    def hedged(self, text: str, start: int, end: int) -> bool:
        """Whether ``text[start:end]`` (a value or its evidence) is said with doubt or only roughly."""
        return self.may(text) and _hedged(self, text, start, end)

    def hedges(self, text: str) -> tuple[Hedge, ...]:
        """The hedges that leave something which the speaker of ``text`` states unsure or approximate.

        What is hedged need not be a value of any slot. A hedge in a question to whom one speaks is left out, and
        hearsay, for which others vouch.
        """
        return _bearing(self, text) if self.may(text) else ()

    def unhedged(self, text: str) -> str:
        """``text`` without the hedges that open and close it; all of it when nothing else is left."""
        said = lowered(text)
        low = found.end() if (found := self._opening.match(said)) else 0
        high = len(said)
        while (closing := self._trailing.search(said, low, high)) and not self._voided(
            said, *closing.span("word")
        ):
            high = closing.start()
        return text[low:high].strip() or text

    def widened(self, text: str, start: int, end: int) -> tuple[int, int]:
        """The span with hedges that stand right beside it, so that evidence keeps its doubts."""
        if not self.may(text):
            return start, end
        said = lowered(text)
        hedges = _by_end(self, text)
        near = bisect_left(hedges, reach_back(said, start, _LINKED), key=_END)
        beside = [
            hedge
            for hedge in hedges[near : bisect_right(hedges, start, key=_END)]
            if _LINK.fullmatch(said, hedge.end, start)
        ]
        if beside:
            start = min(beside).start
        return start, self.tail(text, end)

    def tail(self, text: str, end: int) -> int:
        """Where the particles end that stand directly behind ``text[:end]`` (左右, 吧, "or so"); ``end`` if none."""
        said = lowered(text)
        for at in (end, skip_space(said, end), _past_currency(said, end)):
            behind = self._behind.match(said, at)
            if behind and not self._voided(said, *behind.span()):
                return behind.end()
            if said.startswith("吧", at):
                return at + 1
        return end

    # -- conditions ------------------------------------------------------------------------------------------
    def _voided(self, said: str, start: int, end: int) -> bool:
        """Whether the word is part of a phrase that hedges nothing."""
        return overlaps(_nones(self, said), start, end)

    def _stands_behind(self, said: str, start: int, end: int, low: int, high: int) -> bool:
        """A particle behind the value or its unit, at the end of its evidence, or a closing word of its clause."""
        unit = _UNIT.match(said, end, high)
        for at in dict.fromkeys(
            (end, end + 1 if said[end : end + 1] == " " else end, unit.end() if unit else end)
        ):
            found = self._behind.match(said, at, high)
            if found and not self._voided(said, *found.span()):
                return True
        tail = said[start:end].rstrip(" 的吧。.!！,，")
        for found in self._behind.finditer(tail):
            if found.end() == len(tail) and _COUNTED_BEFORE.search(tail, 0, found.start()):
                return True
        return self._closes(said, start, end, low, high)

    def _closes(self, said: str, start: int, end: int, low: int, high: int) -> bool:
        close = said[end:high]
        clause = said[start:high].rstrip(" 。.!！")
        found = _made(self, "_at_end", clause).search(clause)
        if found is None or self._voided(said, start + found.start("word"), start + found.end("word")):
            return False
        gap = close[: max(0, len(close.rstrip()) - len(found.group()))]
        near = len(gap) <= 5 or (gap.isascii() and len(gap.split()) <= 4)
        if not near or re.search(r"[0-9]", gap):
            return False
        if not found.group().strip().endswith("吧"):
            return found.start() > 0
        return _UNIT_AND_MORE.fullmatch(gap) is not None and not _DECIDED.search(said, low, high)

    def _bears(self, said: str, hedge: Hedge, start: int, end: int, low: int, high: int) -> bool:
        """Whether a word of doubt bears on a value of its clause."""
        word = said[hedge.start : hedge.end]
        if _settles(said, word, low, high):
            return False
        if hedge.start >= start and hedge.end <= end:
            # inside the evidence: it doubts what follows it there, or all of it when it closes the words
            return True
        if hedge.start >= start:
            return False
        if hedge.end > start:
            return True  # 我怀疑自己 | 对花生过敏: its last word opens the evidence
        between = said[hedge.end : start]
        own = self._about.match(said, hedge.start, high)
        if own and own.end() < start - 4:
            return False  # 大概30个人预算50万: it has a quantity of its own
        if _NEW_FACT.search(between):
            return False
        if hedge.kind == "unsure" and re.match(r"\s*(?:how|what|which|why|where|who|when)\b", between):
            return False
        return len(between.split()) <= 7 if between.isascii() else len(between) <= 14


def _settles(said: str, word: str, low: int, high: int) -> bool:
    """应该是60万，不是50万: what ought to stand there, no doubt."""
    return word.startswith("应该") and bool(
        _CORRECTS.search(said, max(0, low - 12), min(len(said), high + 14))
    )


_START, _END = attrgetter("start"), attrgetter("end")
_CURRENCY = re.compile(r"\s*(?:元|块|人民币)\s*")
_LINK = re.compile(r"\s*(?:是|在|会|it's|it is)?\s*")
_LINKED = 5  # characters of the longest of these


def _past_currency(said: str, end: int) -> int:
    found = _CURRENCY.match(said, end)
    return found.end() if found else end


# -- patterns by what a text is written in: an English text never pays for the Chinese words, nor the other way -----
_LATIN = re.compile("[a-z]")


def _made(hedging: Hedging, name: str, said: str) -> re.Pattern[str]:
    if said.isascii():
        return _compiled(hedging, name, ("en",))
    return _compiled(hedging, name, ("zh", "en") if _LATIN.search(said) else ("zh",))


@lru_cache(maxsize=256)
def _compiled(hedging: Hedging, name: str, languages: tuple[str, ...]) -> re.Pattern[str]:
    made: re.Pattern[str] = getattr(hedging, name)(*languages)
    return made


# -- cached by words and text --------------------------------------------------------------------------------
_WORD = re.compile(r"[a-z0-9]+")


@lru_cache(maxsize=1024)
def _may(hedging: Hedging, text: str) -> bool:
    said = lowered(text)
    words, pattern = hedging._hints
    return (
        pattern.search(said) is not None
        or not words.isdisjoint(_WORD.findall(said))
        or any(sign in said for sign in "~≈∼")
    )


@lru_cache(maxsize=256)
def _nones(hedging: Hedging, said: str) -> tuple[tuple[int, int], ...]:
    return tuple(found.span() for found in _made(hedging, "_none", said).finditer(said))


@lru_cache(maxsize=1024)
def _found(hedging: Hedging, text: str) -> tuple[Hedge, ...]:
    said = lowered(text)
    found: list[Hedge] = []
    idle = -1  # up to where words belong to an opinion that comes to nothing
    for one in hedging._about.finditer(said):
        start, end = one.span(one.lastgroup or 0)
        if not hedging._voided(said, start, end):
            found.append(Hedge(start, end, "about", one.end()))
    for one in _made(hedging, "_doubt", said).finditer(said):
        kind, (start, end) = one.lastgroup or "doubt", one.span()
        if start < idle or hedging._voided(said, start, end):
            continue
        if kind == "think" and not one.group().isascii() and not STATED_ZH.match(said, end):
            continue
        if kind == "think" and (nothing := _nothing(said, end, clause_of(text, start, end)[1])):
            idle = nothing
            continue
        if kind == "doubt" and (PRAISED_ZH.match(said, end) or MOVES.match(said, end)):
            continue
        found.append(Hedge(start, end, kind, end))
    return tuple(sorted(found))


@lru_cache(maxsize=1024)
def _by_end(hedging: Hedging, text: str) -> tuple[Hedge, ...]:
    return tuple(sorted(_found(hedging, text), key=_END))


def _nothing(said: str, end: int, high: int) -> int | None:
    """Where the words end that make an opinion none; a figure among them is doubted all the same."""
    if decided := DECISION.match(said, end):
        return decided.end()
    view = VIEW.match(said, end)
    return None if view is None or _FIGURE.search(said, end, high) else view.end()


@lru_cache(maxsize=4096)
def _hedged(hedging: Hedging, text: str, start: int, end: int, hearsay: bool = True) -> bool:
    said = lowered(text)
    low, high = clause_of(text, start, end)
    hedges = _found(hedging, text)
    for at in range(bisect_left(hedges, low - 1, key=_START), len(hedges)):
        hedge = hedges[at]
        if hedge.start > high:
            break
        if hedge.kind == "told" and not hearsay:
            continue
        if hedge.kind == "about":
            near = low - 1 <= hedge.start < high and start - 4 <= hedge.led < end
            if near and not _settles(said, said[hedge.start : hedge.end], low, high):
                return True
        elif low <= hedge.start and hedge.end <= high and hedging._bears(said, hedge, start, end, low, high):
            return True
    if hedging._stands_behind(said, start, end, low, high):
        return True
    before, behind = neighbours(text, start, end)
    if behind and _made(hedging, "_remark", behind).fullmatch(behind):
        return True
    if not before or start - low > 12 or not _made(hedging, "_remark", before).fullmatch(before):
        return False
    return _NEEDED.match(said, low, start) is None


@lru_cache(maxsize=1024)
def _bearing(hedging: Hedging, text: str) -> tuple[Hedge, ...]:
    said = lowered(text)
    bearing: dict[tuple[int, int], Hedge] = {}
    for hedge in _found(hedging, text):
        if hedge.kind == "told":
            continue
        if hedge.kind == "about" or (
            _says_something(hedging, text, said, hedge) and not asked(text, *hedge[:3])
        ):
            bearing[hedge.start, hedge.end] = hedge
    for found in hedging._behind.finditer(said):
        counted = _COUNTED_BEFORE.search(said, max(0, found.start() - 16), found.start())
        if counted and not hedging._voided(said, *found.span()):
            bearing[found.span()] = Hedge(*found.span(), "behind", found.start())
    for found in _QUANTITY.finditer(said):
        if _PRONOUN.search(said, max(0, found.start() - 8), found.end() + 4):
            continue
        value = Hedge(*found.span(), "remark", found.start())
        if not asked(text, *value[:3]) and _hedged(hedging, text, *found.span(), hearsay=False):
            bearing.setdefault(found.span(), value)
    return tuple(sorted(bearing.values()))


def _says_something(hedging: Hedging, text: str, said: str, hedge: Hedge) -> bool:
    """Whether anything stands where a word of doubt bears: behind it in its clause, else before it."""
    low, high = clause_of(text, hedge.start, hedge.end)
    after = said[hedge.end : high]
    if not after.strip() and hedge.kind != "unsure" and (joint := _JOINS.match(said, high)):
        after = said[joint.end() : clause_of(text, joint.end(), joint.end() + 1)[1]]
    if hedge.kind == "unsure":
        return _QUANTITY.search(after[:40]) is not None
    if _CONTENT.search(after) and not PHATIC.fullmatch(after):
        return True
    before = said[low : hedge.start].strip(" ,，")
    if not _CONTENT.search(before):
        before = neighbours(text, hedge.start, hedge.end)[0]
    return _CONTENT.search(before) is not None and not TALK.search(before)


SHIPPED = Hedging()


def hedged(text: str, start: int, end: int) -> bool:
    """:meth:`Hedging.hedged` by the words that ship."""
    return SHIPPED.hedged(text, start, end)


def hedges(text: str) -> tuple[Hedge, ...]:
    """:meth:`Hedging.hedges` by the words that ship."""
    return SHIPPED.hedges(text)


def unhedged(text: str) -> str:
    """:meth:`Hedging.unhedged` by the words that ship."""
    return SHIPPED.unhedged(text)


__all__ = ["SHIPPED", "Hedge", "Hedging", "hedged", "hedges", "unhedged"]
