"""Values in words: enumerations, yes or no, and text that a colon, a copula or a cue introduces."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from forms_dynamics.extraction import names_en, names_zh
from forms_dynamics.extraction.booleans import stated
from forms_dynamics.extraction.found import (
    AT_START,
    CUED,
    EXPLICIT,
    KEY,
    PATTERN,
    Claim,
    Found,
    break_from,
    widen,
)
from forms_dynamics.extraction.lexicon import SELF_CUES, Hit, Slot, introduces, is_link
from forms_dynamics.extraction.verbs import OWNERS
from forms_dynamics.language.clauses import sentence_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.language.nulls import null_like
from forms_dynamics.language.spans import any_between, reach_back
from forms_dynamics.schema.spec import SlotSpec

_LINK_ZH = lazy(
    r"[\s\"“]*(?:这边|那边|目前|现在|大概|大约|差不多|初步|暂时|一共|总共|最终|最后|最多|一般|统一|就|都|也|先|约)*"
    r"(?:定在|定为|定的是|改成了?|改为了?|改到了?|换成了?|变成了?|变得?|调到了?|调成|升到了?|降到了?|是|为|叫做?|走|用|有|到|在|：|:)?[\s\"“]*"
)
# 新地址改了，改成…; "the new address has changed, it is now …": what it is follows that it has changed
_COPULA_ZH = lazy(
    r"\s*(?:(?:已经?|又|刚|要|得)*(?:改|换|变|更新|调整?)(?:了|过|一下|动)*[，,]\s*)?(?:现在|目前|就|都|也|统一|一般|最终|还)?(?:定在|定为|改成了?|改为了?|换成了?|变成了?|改到|是(?!不是|否)|为(?!什么|何)|叫做?)\s*[\"“]?"
)
_COPULA_EN = lazy(
    r"\s+(?:(?:has |have |had |was |is )?(?:just )?changed[,;:.]? (?:and )?(?:to|(?:it|that)(?:['’]s| is| will be)(?: now)?|is now) |(?:is|are|was|will be|would be) (?:now |currently |still |called |set to |going to be )?|(?:has )?changed to |(?:has been )?set to |becomes |= ?)[\"“]?",
    re.I,
)
# no longer Sam but Kim, 由李雷换成韩梅梅, "change the supervisor to Kim": what it is now
_INSTEAD = lazy(
    r"\s*(?:原来|原本|以前|之前|本来|曾经?|一?直?都?)*是[^，,。.；;！？\n]{1,24}?[，,；;]\s*(?:但是?|不过)?(?:现在|目前|如今|后来|这次|今年)(?:已经?)?(?:是|(?:改|换|变)(?:成|为|到|由))了?\s*[\"“]?"
    r"|\s+(?:was|used to be|had been)\s+[^,.;!?\n]{1,60}?[,;.]\s+(?:but |and )?(?:now|currently|today|since then)[, ]\s*(?:it['’]s|it is|(?:s?he|they)(?:['’](?:s|re)| is| are)|is)\s+"
    r"|\s*(?:现在|已经?|目前|早就)*(?:不再?是|由|从)[^，,。.；;！？\n]{1,16}?(?:了|的)?[，,]?\s*(?:而是|现在是|(?:改|换|变|升|降|调|转|提)(?:成|为|到|由|至))了?\s*[\"“]?"
    r"|\s*(?:现在|已经?|目前|早就)*不是[^，,。.；;！？\n是]{1,16}?[，,]?\s*(?:而|其实|应该|应当)?是"
    r"|\s+(?:is |was |are )?(?:no longer|not)\s+[^,.;!?\n]{1,40}?(?:,?\s+but(?: now| rather)?|,\s*(?:it['’]s|it is)(?: now)?)\s+"
    r"|\s+(?:is |was |has been |changed |moved |switched )*from\s+[^,.;!?\n]{1,40}?\s+to\s+",
    re.I,
)
_TO = lazy(r"(?: (?:of|for|at|on) [^,.;!?\n]{1,40}?)?\s+(?:to|into)\s+[\"“]?", re.I)
_SET_EN = lazy(r"\b(?:set|change|switch|update|move|correct|amend)(?:s|d|ed)?\b[^.;!?\n]*$", re.I)
# 技能还有采摘, "skills also include photography"
_INCLUDES = lazy(
    r"\s*(?:现在|目前|已经?)?(?:还|也|又|再|新)*(?:有|包括|包含|增加|添加|加上?|增|添)了?\s*|\s+(?:now |also )*(?:includes?|comprises?|contains?)(?: now| also)?\s+|\s+are (?:now |also )+",
    re.I,
)
_IS_ID = lazy(r"[A-Za-z甲乙丙丁]|\d{4}")
_HAS_CODE = lazy(r"\d|\b[A-Z]{4,}\b")
_CODE_NAME = lazy(r"(?:[_ ](?:id|no|number|code)|编号|单号|号码|证号|账号|房号|工号)$", re.I)
_ID = lazy(
    r"\s*(?:编号|号|no\.?|number|#)?\s*(?:[:：=]|是|为|is)?\s*[#＃]?(?P<id>(?=[A-Za-z0-9\u4e00-\u9fff-]*\d)(?:[A-Za-z]{1,6}[-_/]?|[甲乙丙丁])?\d[A-Za-z0-9_/-]*)(?![A-Za-z0-9_.]*[万亿元%])",
    re.I,
)
_TOKEN_END = (
    r"(?![A-Za-z0-9_/-])(?!\.\d)(?!\s?(?:万|亿|元|块|%|％|楼|层|天|个|人|件|台|年|月|日|点|折|公里|days?\b|weeks?\b|months?\b|years?\b|"
    r"people\b|dollars?\b|euros?\b|usd\b|eur\b|pcs\b|items?\b|times\b|am\b|pm\b|km\b|kg\b))"
)
_ID_BESIDE = lazy(
    r"\s*码?\s?(?:[:：=#＃]|就?是|为|is|was|=)?\s*[#＃]?\s?(?P<id>(?=[A-Za-z0-9_/-]*\d)[A-Za-z0-9]{1,16}(?:[-_/][A-Za-z0-9]{1,16}){0,5})"
    + _TOKEN_END,
    re.I,
)
# letters and digits, so that it is no quantity: "my booking is AB-101"
_ID_SAID = lazy(
    r"\s*(?:[:：=#＃]|就?是|为|\bis\b)\s*[#＃]?(?P<id>(?=[A-Za-z0-9_/-]*\d)(?=[0-9_/-]*[A-Z])[A-Za-z0-9]{1,12}(?:-[A-Za-z0-9]{1,12}){0,4})(?=.{0,1})"
    + _TOKEN_END,
)
# 换到教室402, "moved to room 402": with a digit, and all that is said
_CODE_BESIDE = lazy(
    r"\s?(?P<id>(?=[A-Za-z0-9-]*\d)[A-Za-z0-9]{1,4}(?:-[A-Za-z0-9]{1,6})?)(?=\s*(?:[了吧里上]*[，,。；;！!？?)）]|[了吧里上]*$|\.(?:\s|$)))"
)
# where a list of names or things is over: the next label (地点：三楼, "place: Room 3"), a clause that tells something
# (王强请假, "Kim is on leave"), and what is kept out of it (不包括王强, "but not Kim")
_LIST_ENDS = lazy(
    r"[，,;；、]\s*(?:and |和)?(?:(?=[A-Za-z\u4e00-\u9fff])[^：:，,、;；]{0,23}[^\d：:，,、;；]\s*[:：](?!//)|(?:but|except|excluding|without|not|other than)\b)"
    r"|[，,;；]\s*(?:"
    r"(?:请|大家|另外|其他|其余|务必|届时|我|你|他|她|它|但|不过|由|改|定于|没有)"
    r"|[^，,、;；。]{1,4}(?:请假|缺席|列席|主持|负责|迟到|出差|休假|准备|记录|参加|出席|不(?:来|去|到|在|能|会|想|参加|出席)|没(?:来|去|到|空|法|能|时间)|"
    r"未(?:到|定|确认)|会(?:来|到|去|晚)|[将已都也要](?:来|去|到|会|经|参加|在|要)|可能|去了|来了|[是在](?!$|[，,、;；。]))"
    r"|(?:i|we|you|he|she|they|it|please)\b"
    r"|[^，,;；.]{1,30}?\b(?:is|are|was|were|will(?= [a-z])|has|have|had|can|cannot|can['’]t|won['’]t|isn['’]t|joins|hosts|chairs)\b)"
    r"|\s+(?:but not|except(?: for)?|excluding|not including)\b|[，,、;；]?\s*[（(]?(?:不包括|不包含|不含|除了|除外)",
    re.I,
)
# the next statement of the same sentence: "… and my number is 4", "… but we can wait"
_ON = lazy(
    r"\s+(?:and (?:(?-i:[A-Z][\w&-]*(?: [A-Z][\w&-]*){0,3}['’]s [a-z])|(?:the|my|our|its|your)(?: [\w'’-]+){1,4}? (?:is|are|was|will|has|should)\b|(?:i|we|you|he|she|it|they|please)\b|(?:i|we|it)['’])|but|because|although|though|so (?:i|we|that)|which|who)\b",
    re.I,
)
_COMMA = lazy(r"[，,]\s*$")
# 改成苏州了, "I live in York now": no part of what it is
_NOW_BEHIND = lazy(
    r"(?<=\w)\s?了[吧啊呀]?$|,?\s+(?:now|already|currently|right now|at the moment|for now|these days|today|yesterday|again|instead|after all|as well|too|anyway|though|actually|indeed|really|once more|by the way|btw|of course)$"
)
# since when or until when: no part of a name
_WHILE_BEHIND = lazy(
    r"[,，]?\s+(?:(?:until|till|since|while|during|because|as of|effective)\b|(?:from|starting|after|before) (?:(?:early |mid[- ]?|late |the |next |this |last )*(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec|mon|tues|wednes|thurs|fri|satur|sun|spring|summer|autumn|fall|winter|week|month|year|today|tomorrow|yesterday|now|then|\d))|for (?:the next|another|now|a while|this|\d|two|three|years|months)\b|(?:and|but|so|who|which) (?-i:[a-z])).*$",
    re.I | re.S,
)
_NO_NAME = lazy(r"[a-z][a-z'’ -]*")
# names have capitals here, whatever an automatic one at the beginning
_WRITES_NAMES = lazy(r"(?<=.)[A-HJ-Z]|^[A-Z]\w*['’]s\b", re.S)
_POLITE = lazy(r",?\s+(?:please|thanks|thank you)$", re.I)
_QUESTION = lazy(
    r"什么|多少|哪|谁|怎么|如何|几[号个点月]|[？?]|吗$|呢$|^(?:what|which|who|how|when|where|why)\b|还没|没有定|没定|未定|待定|再说|再定|再议|不确定|不知道|不清楚|to be (?:decided|determined|confirmed)|\btbd\b|not (?:yet )?(?:known|sure|decided|clear)|unknown",
    re.I,
)
_NO_VALUE = lazy(
    r"(?:不|没|很|比较|有点|太|非常|挺|特别|真|做|搞|用来|个(?!体)|一[位名只条家]|需要|可以|能|会|要|想|在|由|因为|为了|指|的|你|您|我|他|她|它|这|那|大家|怎|啥|否|够|已经|一样|一个|按|根据|跟|和|否)|"
    r"(?:very|too|not|no longer|so|quite|really|pretty|rather|a bit|a little|getting|going|being|growing|based|due to|up to|to |that|this|it|on|in|at|for|from|with|about|because|still|also|always|never|only|just|now|fine|ok|okay|good|great|bad|high|low|important|wrong|right|correct|clear|ready|done|here|there|yours|mine|what|which|who|how|when|where|if|as|like|the same|one of|part of|some|any|all|under|over|my|your|our|his|her|their|something|nothing|already|previously|provided|given|listed|missing|coming|looking|working|doing|trying|able|available|nice|interesting|needed|required|attached|below|above)\b",
    re.I,
)


_DETERMINERS = frozenset(
    "my our the and a home current new present full own main actual correct real preferred usual old first last".split()
)


# 创建任务[编写季度总结报告], "create a task “Write the report”": the name of what is spoken of
_BRACKETS = {"[": "]", "【": "】", "「": "」", "《": "》", "“": "”", "‘": "’"}
_LEAD_IN = re.compile(r"[\s:：]*")
_NEVER_BARE = frozenset({"industry", "role", "liked", "allergies", "terms", "occupation"})
_NAMES = frozenset({"company", "person", "city", "preferred_name", "employer"})
_NAME = lazy(
    r"(?:(?![\u4e00-\u9fff]*(?:[的了是不在很个有没这那谁怎哪吗呢吧我你他她它说要想会能可]|什么|一[家位名]|公司$))[\u4e00-\u9fff·]{2,8}|"
    r"[A-Z][\w'’.-]*(?: (?:[A-Z][\w'’.-]*|de|van|von|of)){0,3})"
)


# where the name of an employer ends: "Acme since 2019", "the clinic on Mondays"; "Institute for Advanced Study" goes on
_NAME_ENDS = lazy(
    r",?\s+(?:(?i:since|as|on|in|where|until|till|from|during|with|near|while|because|every|these|now|currently|right now|full[- ]time|part[- ]time|at)\b"
    r"|and (?=[a-z])(?!sons?\b)|for\b(?<!stitute for)(?<!enter for)(?<!entre for)(?<!ouncil for)(?<!ociety for)(?<!chool for)(?<!gency for)(?<!ollege for))"
    r"|(?<=[\u4e00-\u9fff])(?=担任|当了?[\u4e00-\u9fff]|做[\u4e00-\u9fff])"
)


_ITEM = lazy(r"[^，,；;。\n]*[^，,；;。\n\s.!！]")
# what may stand behind a label with nothing between: a name or a noun, no clause
_PLAIN_VALUE = lazy(
    r"\s*(?:(?!.*(?:已|正在|[将会要了吗呢说问去来走把被让给不没很]|可以))[\u4e00-\u9fff][\u4e00-\u9fffA-Za-z0-9·-]{1,11}"
    r"|(?!(?:is|was|are|has|will|can|not|no|to|on|in|at|with|for|and|or|unknown)\b)[A-Za-z0-9][\w&.'’-]*(?: [A-Z0-9][\w&.'’-]*){0,3})\s*"
)
_OPENING = 12  # characters of what may open an item before its label
_FAR = 240  # characters behind a word where its value must be over
_LISTED = 3  # labels side by side make a list, with one other item in as many
_YES_NO = lazy(
    r"\s*(?:(?P<yes>yes|true|有|是|[√✓✔])|(?P<no>no|none|false|无|没有|否|[×✗✘]))(?=\s*(?:[,，;；。、\n）)]|\.(?:\s|$)|$))",
    re.I,
)
_AND_MORE = lazy(r"\s*、\s*|,\s+(?:and\s+)?|\s+and\s+(?=[a-z])")
_SHORT_ITEM = lazy(
    r"(?!(?:i|we|you|he|she|it|they|the|that|this|there|please|but|so|and|not|no|is|are|was|has|have|costs?|weighs?|will|now|which|who)\b)[\w'’-]+(?: (?!(?:is|are|was|were|has|have|had|will|can|costs?|weighs?|and)\b)[\w'’-]+){0,3}(?: and [\w'’-]+(?: [\w'’-]+)?)?"
)
_ITEM_ENDS = lazy(r"\s*(?:[,，;；。\n]|\.(?:\s|$)|$)")

PARTED = re.compile(r"\s*(?:[、,，;；]\s*(?:and\s+|和)?|和|与|以及|\band\b|&)\s*")


class Phrases:
    """Claims of announcing words on the words behind them, for one message."""

    def __init__(self, text: str, low: str, hits: Sequence[Hit]) -> None:
        self._text = text
        self._low = low
        self._hits = hits
        self._lists: dict[tuple[int, int], bool] = {}  # by sentence

    def claims(self, i: int, hit: Hit) -> Iterator[Claim]:
        """What the ``i``-th hit says in words."""
        enums = [s for s in hit.word.slots if s.spec.type == "enum"]
        if enums:
            yield from self._enum(hit, enums)
        booleans = [s for s in hit.word.slots if s.spec.type == "boolean"]
        if booleans:
            yield from self._boolean(hit, booleans)
        yield from self._texts(i, hit)

    def _enum(self, hit: Hit, slots: list[Slot]) -> Iterator[Claim]:
        key = KEY.match(self._text, hit.end)
        alone = hit.word.weak and not key  # "…, status running, …": the words must be all of the item
        if hit.word.role == "type" or (alone and not self._at_start(hit)):
            return
        meant: dict[tuple[int, int], list[Slot]] = {}  # one state of several types: routing decides
        for slot in slots:
            start = hit.end
            key_or_more = key or (
                _INCLUDES.match(self._text, start) if slot.spec.many else _INSTEAD.match(self._text, start)
            )
            m = key_or_more or _LINK_ZH.match(self._text, start)
            if m is None or not has_han(self._text):
                m = (
                    key_or_more
                    or _COPULA_EN.match(self._text, start)
                    or re.compile(r"\s+").match(self._text, start)
                )
            at = m.end() if m else start
            # 状态在途: what looks like a link may begin the word
            word = enum_word(self._low, at, slot.spec) or enum_word(self._low, start, slot.spec)
            if word is not None and not (alone and not _ITEM_ENDS.match(self._text, word[1])):
                meant.setdefault(word, []).append(slot)
        for (start, end), several in meant.items():
            value: Any = self._text[start:end]
            if all(s.spec.many for s in several):
                value = [value]
                while (m := PARTED.match(self._low, end)) and (
                    word := enum_word(self._low, m.end(), several[0].spec)
                ):
                    end = word[1]
                    value.append(self._text[slice(*word)])
            low, high = widen(self._text, hit.start, end)
            found = Found(
                tuple(several), start, end, low, high, value, EXPLICIT if key else CUED, aside=hit.word.aside
            )
            yield Claim((4.5 if key else 4.0) + (end - start) / 1000, found)

    def _boolean(self, hit: Hit, slots: list[Slot]) -> Iterator[Claim]:
        if hit.word.weak:
            return
        text, low = self._text, self._low
        value: bool | None = None
        start, end = hit.start, hit.end
        if key := KEY.match(text, hit.end):
            m = re.compile(
                r"(?P<yes>yes|true|y\b|是|有|对|需要|可以)|(?P<no>no\b|false|n\b|否|无|没有|不)", re.I
            ).match(text, key.end())
            value = None if m is None else m["yes"] is not None
            end = m.end() if m else end
        elif self._at_start(hit) and (m := _YES_NO.match(text, hit.end)) is not None:
            value, end = m["yes"] is not None, m.end()
        elif (said := stated(text, low, hit.start, hit.end, hit.word.beside)) is not None:
            value, start, end = said
        elif self._at_start(hit) and _ITEM_ENDS.match(text, hit.end) and self._in_list(hit):
            value = True  # "…, subjects polo, licensed"
        if value is not None:
            found = Found(
                tuple(slots),
                start,
                end,
                start,
                end,
                value,
                EXPLICIT if key else PATTERN,
                aside=hit.word.aside,
            )
            yield Claim(3.5, found)

    def _texts(self, i: int, hit: Hit) -> Iterator[Claim]:
        if hit.word.numbers and (m := _ID.match(self._text, hit.end)) and _IS_ID.search(m["id"]):
            yield Claim(4.1, Found(hit.word.numbers, *m.span("id"), hit.start, m.end("id"), m["id"], CUED))
        slots = [s for s in hit.word.slots if s.spec.type in ("text", "ref")]
        if not slots:
            return
        kinds = {s.kind for s in slots}
        if "number" in kinds and (m := _ID.match(self._text, hit.end)):
            numbered = tuple(s for s in slots if s.kind == "number")
            found = Found(numbered, *m.span("id"), hit.start, m.end("id"), m["id"], CUED)
            yield Claim(4.2, found)
            return
        if hit.word.role == "alias" and (known := self._identifier(hit)) is not None:
            found = Found(
                tuple(slots),
                *known,
                hit.start,
                known[1],
                self._text[slice(*known)],
                CUED,
                aside=hit.word.aside,
            )
            yield Claim(4.2, found)
            return
        span, confidence, firm = self._phrase(i, hit, kinds, slots)
        if span is not None and all(map(_of_somebody, slots)):
            span = self._named(span)
        if span is None:
            return
        if all(_is_code(s.spec) for s in slots) and not _HAS_CODE.search(self._text, *span):
            return  # "the reservation ID is on my desk"
        many = [s for s in slots if s.spec.many]
        if len(many) == len(slots):
            # 过敏原花粉、灰尘; "equipment is metronome, whiteboard and heater"
            while (joint := _AND_MORE.match(self._text, span[1])) is not None:
                more = self._clause_value(joint.end(), kinds)
                if more is None or not self._is_item(*more, joint[0]):
                    break
                span = (span[0], more[1])
        low, high = widen(self._text, hit.start, span[1])
        value: Any = self._text[span[0] : span[1]]
        if many and len(many) == len(slots):
            value = [p for p in PARTED.split(value) if p]
        found = Found(tuple(slots), *span, low, high, value, confidence, firm=firm, aside=hit.word.aside)
        yield Claim(4.4 if confidence == EXPLICIT else 3.2, found)

    def _is_item(self, start: int, end: int, joint: str) -> bool:
        """Whether the words can be one more of a list: a noun or two, and no label of its own."""
        words = self._text[start:end]
        if any_between(self._beginnings, start, end - 1):
            return False
        return "、" in joint or (not has_han(words) and _SHORT_ITEM.fullmatch(words) is not None)

    def _named(self, span: tuple[int, int]) -> tuple[int, int] | None:
        """The name in the words for a person or a thing; None where they are none, in a message that writes names
        with capitals ("the owner is gone")."""
        start, end = span
        if (tail := _WHILE_BEHIND.search(self._text, start, end)) is not None:
            end = tail.start()
        words = self._text[start:end]
        lower = _NO_NAME.fullmatch(words) is not None and _WRITES_NAMES.search(self._text) is not None
        return None if start == end or lower else (start, end)

    def _identifier(self, hit: Hit) -> tuple[int, int] | None:
        """The identifier beside an identifier's word (病历号B2001), or that any other word is said to be
        ("my booking is AB-101")."""
        if hit.word.ids:
            found = _ID_BESIDE.match(self._text, hit.end)
        elif not hit.word.weak:
            found = _ID_SAID.match(self._text, hit.end) or _CODE_BESIDE.match(self._text, hit.end)
        else:
            found = None
        return found.span("id") if found is not None else None

    def _phrase(
        self, i: int, hit: Hit, kinds: set[str], slots: list[Slot]
    ) -> tuple[tuple[int, int] | None, float, bool]:
        """The words that a colon, a copula or a cue introduces, with how surely, and whether firmly."""
        text = self._text
        at_start = self._at_start(hit)
        key = KEY.match(text, hit.end)
        clear = not hit.word.weak and (
            " " in hit.word.text or (has_han(hit.word.text) and len(hit.word.text) > 2)
        )
        if (
            key
            and (at_start or (clear and ":" in key.group().replace("：", ":")))
            and hit.word.role in ("alias", "cue")
        ):
            many = any(s.spec.many for s in slots)
            # "Error: …" alone is a line of any program
            firm = not hit.word.weak or bool(kinds - {""}) or any(s.naming for s in slots)
            return self._value_of_key(i, key.end(), kinds, many), EXPLICIT, firm
        if is_link(hit.word) or hit.word.role == "after":
            return None, 0, False
        if hit.word.role == "alias":
            if hit.word.weak and not at_start:
                return None, 0, False
            first, second = (_COPULA_ZH, _COPULA_EN) if has_han(hit.word.text) else (_COPULA_EN, _COPULA_ZH)
            link = _INSTEAD.match(text, hit.end) or first.match(text, hit.end) or second.match(text, hit.end)
            if link is None and _SET_EN.search(text, max(0, hit.start - 60), hit.start):
                link = _TO.match(text, hit.end)
            beside = link is None and (
                (at_start and "person" in kinds and has_han(hit.word.text)) or self._in_list(hit)
            )
            if (link is None and not beside) or kinds & {"industry", "employer"}:
                return None, 0, False
            span = self._clause_value(hit.end if link is None else link.end(), kinds)
            if beside and span is not None and not _PLAIN_VALUE.fullmatch(text, *span):
                return None, 0, False
            if kinds & {"company", "person"}:
                told = span is not None and not any(s.speakers for s in slots) and self._is_name(span, kinds)
                return (span, CUED, not hit.word.weak) if told else (None, 0, False)
            if span and "address" in kinds and "@" in self._text[slice(*span)]:
                return None, 0, False
            if span and any(s.speakers for s in slots) and not self._of_speaker(hit, span, kinds):
                return None, 0, False
            return (
                span,
                CUED,
                not hit.word.weak
                and (bool(kinds - {"", "origin", "destination"}) or (at_start and _tells(hit, slots))),
            )
        if not hit.word.weak and any(normal(cue) == hit.word.text for s in slots for cue in s.spec.cues):
            span = self._declared(hit, kinds)
            if span is not None:
                return span, PATTERN + 0.02, True
        if hit.word.weak or kinds & {
            "company",
            "person",
            "industry",
            "role",
            "liked",
            "allergies",
            "city",
            "terms",
            "preferred_name",
        }:
            return None, 0, False
        if hit.word.text in SELF_CUES or not introduces(hit.word.text):
            return None, 0, False
        lead = re.compile(r"[\s:：]*").match(text, hit.end)
        return self._clause_value(lead.end() if lead else hit.end, kinds), PATTERN, True

    def _at_start(self, hit: Hit) -> bool:
        return hit.word.beside or AT_START.search(self._text, max(0, hit.start - 12), hit.start) is not None

    def _declared(self, hit: Hit, kinds: set[str]) -> tuple[int, int] | None:
        """What stands behind a cue that the type declares: a name where the slot holds names (患者是李明), words
        where the cue is long enough to mean nothing else."""
        cue = hit.word.text
        if cue in SELF_CUES or kinds & _NEVER_BARE:
            return None
        named = bool(kinds & _NAMES)
        if named and not introduces(cue):
            return None
        if not named and not introduces(cue) and not (len(cue) >= 3 if has_han(cue) else " " in cue):
            return None
        lead = _LEAD_IN.match(self._text, hit.end)
        span = self._clause_value(lead.end() if lead else hit.end, kinds)
        if span is None or (named and not _NAME.fullmatch(self._text, *span)):
            return None
        if "company" in kinds and span is not None and not self._is_name(span, kinds):
            return None
        return span

    def _in_list(self, hit: Hit) -> bool:
        """Whether the hit is the label of an item in a list of such: "SF12: carrier DHL, weight 3 kg, destination
        Leeds", 运单号SF12，承运商顺丰，目的地成都."""
        return self._begins(hit) and self._is_list(*sentence_of(self._text, hit.start, hit.end))

    def _is_list(self, low: int, high: int) -> bool:
        """Whether the sentence is a list of labels, with few other items."""
        listed = self._lists.get((low, high))
        if listed is None:
            items = [part.span() for part in _ITEM.finditer(self._text, low, high)]
            labelled = sum(any_between(self._beginnings, a, b - 1) for a, b in items)
            others = len(items) - labelled
            # 单号：R-101，维修船只海燕号: two that begin with a key, and nothing else
            keyed = not others and KEY.search(self._text, *items[0]) is not None if items else False
            listed = labelled >= _LISTED - keyed and others * _LISTED <= len(items)
            self._lists[low, high] = listed
        return listed

    @cached_property
    def _beginnings(self) -> list[int]:
        """Where the labels stand with which items begin."""
        return sorted(h.start for h in self._hits if self._begins(h) and self._labels(h))

    @cached_property
    def _keys(self) -> list[int]:
        """Which of the hits may begin a value of their own."""
        return [
            i
            for i, h in enumerate(self._hits)
            if KEY.match(self._text, h.end) or (h.word.role == "alias" and not h.word.weak)
            if AT_START.search(self._text, reach_back(self._text, h.start, _OPENING, "\"'"), h.start)
        ]

    def _labels(self, hit: Hit) -> bool:
        return hit.word.role == "alias" or KEY.match(self._text, hit.end) is not None

    def _begins(self, hit: Hit) -> bool:
        """Whether an item begins with the hit."""
        if self._at_start(hit):
            return True
        before = reach_back(self._text, hit.start, 1)
        return self._text[before : before + 1] in (":", "：") and before < hit.start

    def _is_name(self, span: tuple[int, int], kinds: set[str]) -> bool:
        """Whether the words can be the name of what the slot holds: of a firm, or of a person."""
        words = self._text[slice(*span)]
        if not _NAME.fullmatch(words):
            return False
        names = names_zh if has_han(words) else names_en
        return ("company" in kinds and names.may_name_a_firm(words)) or (
            "person" in kinds and names.may_name_a_person(words)
        )

    def _of_speaker(self, hit: Hit, span: tuple[int, int], kinds: set[str]) -> bool:
        """Whether a noun is the speaker's own: "my city is Leeds", not "my departure city", "the city is facing"."""
        if has_han(hit.word.text):
            return True
        before = re.search(r"([a-z'’]+)\s+$", self._low[max(0, hit.start - 20) : hit.start])
        if before is not None and before[1] not in _DETERMINERS:
            return False
        value = self._text[slice(*span)]
        return "city" not in kinds or value[0].isupper() or self._text.islower()

    def _value_of_key(self, i: int, start: int, kinds: set[str], many: bool) -> tuple[int, int] | None:
        """From a colon to the end of the value: the line, the sentence, or the next key."""
        text = self._text
        broken = break_from(text, start, hard=True)
        end = len(text) if broken is None else broken
        keys = self._keys
        for at in range(bisect_left(keys, i + 1), len(keys)):
            other = self._hits[keys[at]]
            if other.start >= end:
                break
            if other.start > start and AT_START.search(
                text, max(start, reach_back(text, other.start, _OPENING, "\"'")), other.start
            ):
                end = other.start
                break
        if many and (closed := _LIST_ENDS.search(text, start, end)):
            end = closed.start()
        elif (
            not many
            and not kinds & {"terms", "address"}
            and (m := re.compile(r"[，,、]").search(text, start, end))
        ):
            end = m.start()
        return self._trim(start, end)

    def _clause_value(self, start: int, kinds: set[str]) -> tuple[int, int] | None:
        text = self._text
        end = len(text)
        if (closing := _BRACKETS.get(text[start : start + 1])) and (at := text.find(closing, start)) > 0:
            return self._trim(start + 1, at)
        if (broken := break_from(text, start, hard="address" in kinds)) is not None:
            end = broken
        if "address" in kinds:  # 地址是龙井路88号，钥匙保管人是老陈
            labels = (h.start for h in self._hits if start < h.start < end and h.word.role == "alias")
            end = next((a for a in labels if _COMMA.search(text, start, a)), end)
        if "address" not in kinds and (m := _ON.search(text, start, min(end, start + _FAR))):
            end = m.start()
        if "employer" in kinds and (m := _NAME_ENDS.search(text, start, min(end, start + _FAR))):
            end = m.start()
        if end - start > 60 or (end - start > 24 and has_han(text[start:end])):
            return None
        span = self._trim(start, end)
        if span is not None and (late := _NOW_BEHIND.search(text, *span)) and late.start() > span[0]:
            span = self._trim(span[0], late.start())
        return None if span is None or _NO_VALUE.match(text[span[0] : span[1]]) else span

    def _trim(self, start: int, end: int) -> tuple[int, int] | None:
        text = self._text
        while start < end and (text[start].isspace() or text[start] in "\"'“”‘’：:,，*_`"):
            start += 1
        while end > start and (text[end - 1].isspace() or text[end - 1] in "\"'“”‘’,，、.。;；!！}|*_`"):
            end -= 1
        if polite := _POLITE.search(text, start, end):
            end = polite.start()
        words = text[start:end]
        if not words or len(words) > 120 or null_like(words) or _QUESTION.search(words):
            return None
        return start, end


def _of_somebody(slot: Slot) -> bool:
    """Whether the slot holds who or what goes by a name."""
    names = {slot.spec.name, *slot.spec.aliases}
    return slot.spec.type == "ref" or slot.kind in ("person", "company") or not OWNERS.isdisjoint(names)


def _tells(hit: Hit, slots: Sequence[Slot]) -> bool:
    """Whether the word says by itself which slot is meant: of one type, and no everyday word (原因, result)."""
    words = hit.word.text
    if hit.word.beside and all(s.spec.type == "ref" for s in slots):
        return True  # it names somebody, of what is named before
    return len({s.type.name for s in slots}) == 1 and (len(words) >= 3 if has_han(words) else " " in words)


def _is_code(spec: SlotSpec) -> bool:
    """Whether the slot holds an id, by its name: order_no, "reservation id", 编号."""
    return any(_CODE_NAME.search(name) for name in (spec.name, *spec.aliases))


def enum_word(low: str, at: int, spec: SlotSpec) -> tuple[int, int] | None:
    """The synonym that stands at ``at`` as a whole word, longest first."""
    for synonym in _synonyms(spec):
        if low.startswith(synonym, at):
            end = at + len(synonym)
            if synonym[-1].isascii():
                if end < len(low) and low[end].isascii() and low[end].isalnum():
                    continue
            elif (
                len(synonym) == 1 and end < len(low) and has_han(low[end]) and low[end] not in "的了吧啊，。"
            ):
                continue
            return at, end
    return None


_SYNONYMS: dict[int, tuple[SlotSpec, list[str]]] = {}


def _synonyms(spec: SlotSpec) -> list[str]:
    cached = _SYNONYMS.get(id(spec))
    if cached is None or cached[0] is not spec:
        words = {
            normal(w)
            for value, synonyms in spec.values.items()
            for w in (value, value.replace("_", " "), *synonyms)
        }
        cached = (spec, sorted(words, key=len, reverse=True))
        if len(_SYNONYMS) > 4096:
            _SYNONYMS.clear()
        _SYNONYMS[id(spec)] = cached
    return cached[1]
