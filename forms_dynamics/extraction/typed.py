"""Typed values beside the words that announce them: 预算50万, "deadline is June 30", 昨天签好了.

A word takes the reading of its slot's type that stands nearest in the same clause, behind it or right before.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from forms_dynamics.extraction.found import (
    AT_START,
    BREAK,
    CUED,
    EXPLICIT,
    KEY,
    OWN,
    PATTERN,
    Claim,
    Found,
    Readings,
    widen,
)
from forms_dynamics.extraction.lexicon import Hit, Slot, introduces
from forms_dynamics.extraction.standing import holds_now
from forms_dynamics.language import cues
from forms_dynamics.language.amounts import UNIT
from forms_dynamics.language.clauses import clause_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.money import find_money
from forms_dynamics.language.normal import has_han
from forms_dynamics.language.reading import Reading, first_from, last_before
from forms_dynamics.language.units import factor, other_unit
from forms_dynamics.schema.spec import SlotSpec

_BESIDE = lazy(
    r"(?:元|块)?(?:左右|以内|上下|以下)?(?:的|(?:才|就)?是(?:我们的?)?(?:最终|最后|真正|实际)?的?)?\s*|\s+(?:total |overall |of )?"
)
_BEFORE_VERB = lazy(r"[^，。,.;；！!？?\n]{0,6}")
_CONTRAST = lazy(
    r"[，,、;；.\s]*(?:而|应该|其实|现在|应当|准确说|实际)*(?:是|改成|改为|为)\s*|[,;.\s—-]*(?:but |rather |it['’]?s |it is |make (?:it|that) |should be |instead )+(?:it['’]?s |is |to )?",
    re.I,
)
_CHANGE = lazy(
    r"\s*[，,]?\s*(?:现在|后来|又|已经)?[上下]?(?:改|调|提|涨|降|增|减|追加|升|变|砍|批|加|扩|缩|拓|压|延|放|收)[^，。,.；;\d]{0,4}(?:到|为|成|至)了?\s*|\s*(?:->|→|⇒)\s*|\s*,?\s+(?:(?:has |have |was |been |now )*(?:[a-z]+ed|cut|grown|shrunk|up|down) )?to\s+",
    re.I,
)
_NEEDED = lazy(
    r"(?<![主重])要|需|希望|必须|务必|得|前|最晚|最迟|截止|签|到期|生效|出生|生日|件|台|套|pieces|pcs|units",
    re.I,
)
_FAR, _FAR_ZH = 32, 14  # characters between a word and its reading
_LITTLE = 4  # words: "we need it by", "delivery by"
_DUE = lazy(
    r"\b(?:need|want|requir|must\b|ha(?:ve|s) to\b|should\b|deliver|ship|launch|go live|ready\b|install|arriv|receiv|"
    r"in (?:hand|place)\b|done\b|due\b|expect|hand over|rolled? out|submit|sign)"
)
_SO_BY_THEN = lazy(
    r"\b(?:the|our|my|its?|their) (?:[\w'’-]+ ){0,5}?(?:will (?:be|become|rise|drop|go|reach|stand|have)|was|were)\b(?! (?:done|ready|delivered|shipped|needed|due|in place|finished|installed))"
)
_OF_DAYS = lazy(r"[日号月天期年龄]")
_DAY_BEHIND = lazy(r"\s?(?:月(?!租|薪|供)|[日号](?=[，。；,;！!？?\s\d]|$|[前后的起止为是到至]))")
_HAS_DONE = lazy(r"\b(?:i|we|you|they|he|she)(?:['’]ve| have| has| had|['’]d) (?!to\b)")
_PARTY = lazy(
    r"['’]?s?\s*(?:party|dinner|gift|cake|present|celebration|bash|event|聚会|派对|蛋糕|礼物|宴|快乐|会)"
)
_DAY_OF_YEAR = lazy(
    r"\d|月|january|february|march|april|may|june|july|august|september|october|november|december", re.I
)
# "6 — no wait, 5", 2700，不对，2750元: the second
_CORRECTED = lazy(
    r"[\s,，.。;；:：…—–-]*(?:(?:oh |ah |er+ |um+ )?(?:no,? wait|no no|wait,? no|wait|sorry|i mean|i meant|make (?:that|it)|scratch that|correction|oops|rather|no)\b[\s,，.…—–-]*)+(?:(?:it['’]?s|it is|that['’]?s|make (?:it|that)|actually|i mean(?:t)?|should be)\s+)*|"
    r"[\s,，.。;；:：…—–-]*(?:(?:哦|噢|啊|呃|等等|等下)*[，,]?(?:不对|不不+|哦?不|错了|说错了|写错了|记错了|更正(?:一下)?|纠正(?:一下)?|抱歉|对不起|不好意思)[，,。.！!\s]*)+(?:应该|准确说|其实)?是?\s*",
    re.I,
)
_CURRENCY = lazy(r"[$€£¥万亿元块kK]|[A-Za-z]{2}")
# "over my budget by $8", "no missed deadlines since July 1"
_OTHERWISE = lazy(r"\b(?:by|since|after|ago)\s*(?:the |about |around )?$")
_FIGURES = ("money", "integer", "number", "percent")
_COUNTS = ("integer", "number", "duration")
_REACH_ME = ("my ", "mail me", "email me", "reach me", "call me", "text me")
_DRESSED = lazy(r"[^\d.,+~–-]|\d{3}|\d,\d")
_FEW = re.compile(
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[一二两三四五六七八九十])", re.I
)
_MEASURE = lazy(r"\s?(?:ms|s|kg|km|cm|mm|gb|mb|px|%|次|个|条|天|人|页|岁|米|公里)(?![a-z])", re.I)
_BY_NOW = lazy(
    r"\s*[，,;；]?\s*(?:但是?|不过|but )?\s*(?:现在|目前|如今|这次|今年|now|today|this year)\s*(?:是|为|有|[改调提涨降增减升变砍加扩缩][大小高低长短]?[到成为至]了?|it['’]?s|it is|is)?\s*",
    re.I,
)
_ONCE = lazy(
    r"原来|之前|原先|本来|以前|去年|上次|上回|\b(?:used to be|previously|last year|originally|formerly)\b",
    re.I,
)
_LEADS = lazy(
    r"(?:\b(?:is|at|of|for|comes to|totals?|worth)|[:：]|是|为|共|计)\s*(?:about |around |大概|约)?$"
)
# "lunch with coach Kim for 60": it is not the coach that costs it
_BESIDES = lazy(
    r"\b(?:with|from|by|near|beside|without)\s+(?:(?:the|our|my|your|a|an|both)\s+)?$|[跟和与找向给]$"
)
_FROM_TO = lazy(r"\bto\s+", re.I)
_MOVED = lazy(
    r"\b(?:raised|increased|cut|reduced|lowered|changed|moved|went|dropped|bumped|revised|upped|grew) "
)


class TypedWords:
    """Claims of announcing words on typed readings, for one message."""

    def __init__(self, text: str, low: str, hits: Sequence[Hit], readings: Readings) -> None:
        self._text = text
        self._low = low
        self._hits = hits
        self._readings = readings
        self._kept: dict[tuple[str, str | None, bool, bool], list[Reading]] = {}

    def claims(self, i: int, hit: Hit) -> Iterator[Claim]:
        groups: dict[tuple[str, str | None], list[Slot]] = {}
        for slot in hit.word.slots:
            groups.setdefault((slot.spec.type, slot.spec.unit), []).append(slot)
        if hit.word.prices and not any(type_name == "money" for type_name, _ in groups):
            for slot in hit.word.prices:
                yield from self._price(hit, slot)
        made: dict[tuple[str, int, int], Claim] = {}
        for (type_name, _), slots in groups.items():
            if type_name not in ("text", "ref", "enum", "boolean"):
                claim = self._nearest(i, hit, slots)
                if claim is None:
                    continue
                # budgets in different currencies are one word's: which type is meant is decided later
                same = made.setdefault((type_name, claim.found.start, claim.found.end), claim)
                if same is not claim:
                    same.found.slots += claim.found.slots
                    same.found.firm = same.found.firm or claim.found.firm
        yield from made.values()

    def _price(self, hit: Hit, slot: Slot) -> Iterator[Claim]:
        """An amount that a word of the type itself leads to: "The deal is US$1.2M", "Quote number Q-7 is 5,000 GBP"."""
        after = first_from(self._readings.of(slot.spec), hit.end)
        if after is None or after.kind == "money?" or cues.negated(self._text, after.start, after.end):
            return
        gap = self._low[hit.end : after.start]
        if (
            _BESIDES.search(self._low, max(0, hit.start - 16), hit.start) is None
            and len(gap) <= 48
            and _LEADS.search(gap)
            and not BREAK.search(gap.rstrip(" :："))
            and self._is_amount(after)
            and self._stands(hit, after, slot.spec)
        ):
            yield self._claim(2.0 - len(gap) / 60, hit, after, [slot], False, False)

    def _nearest(self, i: int, hit: Hit, slots: list[Slot]) -> Claim | None:
        counted = slots[0].spec.type in _COUNTS and not _OF_DAYS.search(hit.word.text)
        birthday = slots[0].kind == "birthday" or slots[0].spec.name == "birthday"
        readings = self._fitting(slots[0].spec, counted, birthday)
        if not readings or (birthday and _PARTY.match(self._low, hit.end)):
            return None
        role = hit.word.role
        base = 4.0 if role == "alias" else 3.0
        if hit.word.weak:
            base -= 2
        if role != "after":
            after = first_from(readings, hit.end)
            if after is not None and self._reaches(i, hit, after, slots[0].spec.type):
                chosen, correction = self._changed(hit, after, readings)
                if chosen is not None and chosen is after and not self._stands(hit, chosen, slots[0].spec):
                    return None
                if slots[0].kind == "deadline" and hit.word.weak and not self._due(hit):
                    return None
                if chosen is not None:
                    key = KEY.match(self._text, hit.end)
                    score = base + (1 if key else 0) - (after.start - hit.end) / 40
                    return self._claim(score, hit, chosen, slots, bool(key), correction)
        before = last_before(readings, hit.start, hit.end)
        if before is None or hit.word.weak or cues.negated(self._text, before.start, before.end):
            return None
        if slots[0].spec.type == "money" and not _CURRENCY.search(self._text, before.start, before.end):
            return None  # 2 tickets are no price of a ticket
        gap = self._low[before.end : hit.start]
        counts = slots[0].spec.type in _COUNTS and not has_han(hit.word.text)
        if before.end > hit.start:  # "15 days off" where "days off" is the word
            fits = role != "cue" or counts
        elif counts and role != "alias":  # "three people attending", "a 2-bedroom flat"
            fits = gap.strip(" -") == "" and (role == "after" or " " in hit.word.text)
        elif role == "cue":  # 昨天签好了: only right behind its value, and in Chinese
            fits = gap == "" and has_han(hit.word.text) and not introduces(hit.word.text)
        else:
            fits = (_BEFORE_VERB if role == "after" else _BESIDE).fullmatch(gap) is not None
        if not fits or not self._stands(hit, before, slots[0].spec):
            return None
        return self._claim(base - 0.5 - len(gap) / 40, hit, before, slots, False, False)

    def _fitting(self, spec: SlotSpec, counted: bool, birthday: bool) -> list[Reading]:
        """The readings for a word of ``spec``: of what is counted, or of a day of the year."""
        key = (spec.type, spec.unit, counted, birthday)
        kept = self._kept.get(key)
        if kept is None:
            kept = self._kept[key] = [
                r
                for r in self._readings.of(spec)
                # the 4 of 4月 counts nothing
                if not (counted and _DAY_BEHIND.match(self._text, r.end))
                and not (birthday and not _DAY_OF_YEAR.search(self._text, r.start, r.end))
            ]
        return kept

    def _due(self, hit: Hit) -> bool:
        """Whether a day that a bare "by" leads to is a deadline: something is needed or delivered by then, or little
        else is said. "I've read 40 books by May 3" tells none."""
        low, high = clause_of(self._text, hit.start, hit.end)
        said = self._low[low : hit.start]
        if not said.strip() and _SO_BY_THEN.search(self._low, hit.end, high):
            return False  # "By next week the budget will be …"
        return len(said.split()) <= _LITTLE or (
            _DUE.search(said) is not None and _HAS_DONE.search(said) is None
        )

    def _stands(self, hit: Hit, reading: Reading, spec: SlotSpec) -> bool:
        """Whether a figure is what the word's thing is now, in the unit of its slot."""
        if spec.type not in _FIGURES:
            return True
        if (
            spec.unit
            and spec.type in ("number", "integer")
            and other_unit(spec.unit, self._text, reading.end)
            and factor(spec.unit, self._text, reading.end) is None
        ):
            return False
        return holds_now(self._text, self._low, (hit.start, hit.end), (reading.start, reading.end))

    def _reaches(self, i: int, hit: Hit, reading: Reading, type_name: str) -> bool:
        """Whether the word still speaks of a reading behind it: one clause, near, no other word in between."""
        if reading.start - hit.end > _FAR:
            return False
        gap = self._low[hit.end : reading.start]
        if hit.word.weak and gap.strip(" :：=是为了") not in ("", "the"):
            return False
        key = KEY.match(self._text, hit.end)
        rest = gap[key.end() - hit.end :] if key and key.end() <= reading.start else gap
        if (len(gap) > _FAR_ZH and has_han(gap)) or len(gap.split()) > 6 or BREAK.search(rest):
            return False
        if _OTHERWISE.search(gap):
            return False
        if type_name == "money" and not key and not self._is_amount(reading):
            return False
        for at in range(i + 1, len(self._hits)):
            other = self._hits[at]
            if other.start >= reading.start:
                break
            if (
                other.start >= hit.end
                and not other.word.weak
                and other.word.role == "alias"
                and any(s.spec.type == type_name for s in other.word.slots)
            ):
                return False
        return True

    def _is_amount(self, reading: Reading) -> bool:
        """Whether a number is large or dressed enough for money: budget 8 in "budget topK 8" is not."""
        words = self._text[reading.start : reading.end]
        return (
            bool(_DRESSED.search(words))
            and not _FEW.fullmatch(words)
            and not _MEASURE.match(self._text, reading.end)
        )

    def _changed(self, hit: Hit, first: Reading, readings: Sequence[Reading]) -> tuple[Reading | None, bool]:
        """The reading that holds in the end: "from 40 to 30" and "not 40 but 30" give 30, "不是40万" none."""
        second = first_from(readings, first.end)
        gap = self._text[first.end : second.start] if second else ""
        if second and (unit := UNIT.match(gap)):
            gap = f" {gap[unit.end() :]}"  # from 70 cm to 90 cm
        if second and _CORRECTED.fullmatch(gap):
            return second, True
        if second and _BY_NOW.fullmatch(gap):
            return second, False
        if _ONCE.search(self._text, hit.end, first.start):
            return None, False
        if cues.negated(self._text, first.start, first.end):
            return (second, True) if second and _CONTRAST.fullmatch(gap) else (None, False)
        if second and _CHANGE.fullmatch(gap):
            return second, False
        raw = self._text[first.start : first.end]
        if (
            first.kind.startswith("money")
            and (m := _FROM_TO.search(raw))
            and _MOVED.search(self._low, max(0, first.start - 60), first.end)
        ):
            inner = find_money(raw[m.end() :])
            if len(inner) == 1:
                return Reading(
                    first.start + m.end() + inner[0].start, first.end, inner[0].value, kind=first.kind
                ), False
        return first, False

    def _claim(
        self, score: float, hit: Hit, reading: Reading, slots: list[Slot], key: bool, correction: bool
    ) -> Claim:
        low, high = widen(self._text, min(hit.start, reading.start), max(hit.end, reading.end))
        value = self._text[reading.start : reading.end]
        confidence = EXPLICIT if key else PATTERN if hit.word.weak else CUED
        # 明天上线 tells of anything; with 要, 前, 希望 it is what the speaker needs
        verb = hit.word.role == "after" or (reading.end <= hit.start and slots[0].kind == "deadline")
        counted = slots[0].spec.type in _COUNTS and not has_han(hit.word.text)
        firm = not hit.word.weak and (
            counted or not (verb and not _NEEDED.search(self._text, max(0, low - 10), high))
        )
        if hit.word.generic and not (key and AT_START.search(self._text, max(0, hit.start - 12), hit.start)):
            firm = False
        found = Found(
            tuple(slots),
            reading.start,
            reading.end,
            low,
            high,
            value,
            confidence,
            firm=firm,
            correction=correction,
            own=OWN.search(self._text, max(0, hit.start - 24), hit.start) is not None
            or (slots[0].spec.type in ("email", "phone") and hit.word.text.startswith(_REACH_ME)),
            aside=hit.word.aside,
        )
        return Claim(score, found)
