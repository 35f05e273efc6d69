"""What a message takes back of a thing's slots: 忘掉海蓝电子的预算, "the mite count of H-1 was wrong", 预算作废.

A slot is taken back where words of doing so stand right beside its label and the thing whose it is. The rest of what
is known of the thing stays; what is told in its place is enough by itself.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from forms_dynamics.extraction.found import CUED, Found
from forms_dynamics.extraction.grouping import says_which
from forms_dynamics.extraction.lexicon import Hit, Slot
from forms_dynamics.extraction.mentioned import Mention
from forms_dynamics.language import cues
from forms_dynamics.language.clauses import clause_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import normal
from forms_dynamics.language.posed import posed
from forms_dynamics.language.spans import Placed, reach_back, reach_on
from forms_dynamics.language.voices import quoted
from forms_dynamics.model.form import Form
from forms_dynamics.model.message import Draft, SlotDraft
from forms_dynamics.schema.coerce import coerce, same

_OPENS = r"(?:^|(?<=[,，.。;；:：!！?？、\n]))\s*"
_CLOSES = r"\s*(?=,(?!\d)|[，;；!！?？\n]|[.。](?![0-9A-Za-z])|$|\band\b|\bbut\b|\bbecause\b|但|因为)"

# -- words of taking back, before what they take back ---------------------------------------------------------
_BEFORE_ZH = lazy(
    rf"{_OPENS}(?:please |pls |请|麻烦|帮我|给我|帮忙|那就?|那么|就|以后|顺便|可以|先|好的?|嗯|对了|你|您|直接)*(?:把)?"
    r"(?:忘掉|忘记(?!了)|(?<=请)忘了|删掉|删除|删去|清除|清空|清掉|抹掉|抹去|去掉|划掉|取消|作废|撤销|撤回|收回|撤掉|(?:别|不要|不用|不必)再?记(?:住|着|录)?)(?:掉|一下|了)?"
    r"\s*(?P<colon>[:：])?\s*(?:关于|有关)?(?:那个|这个|之前的|原来的|旧的?|我的?|我们的?|the |my |our )?\s*$"
    rf"|{_OPENS}(?:我们?|咱们?)(?:要|想|现在|就|决定|先)*(?:收回|撤回|撤销|取消|作废)(?:了|一下)?\s*(?P<colon2>[:：])?\s*(?:关于|有关)?(?:之前的|原来的|旧的?)?\s*$"
    rf"|{_OPENS}(?:请|麻烦|帮我|那就?|就|先|你|您|可以)*把\s*(?:那个|这个|之前的|原来的|旧的?|我的?|我们的?)?\s*(?P<behind>)$"
    rf"|{_OPENS}(?P<late>忘了)\s*(?:我的?|我们的?)?\s*$"
)
_BEFORE_EN = lazy(
    rf"{_OPENS}\s*(?:(?:ok(?:ay)?|oh|well|and|then|so|actually|now|hey|hi|yes|no),? )*(?:(?:please|pls|kindly|just),? )*"
    r"(?:(?:can|could|would|will) you (?:please )?|you (?:can|should|may) (?:please )?|i['’]d like (?:you )?to |i want (?:you )?to |let['’]s )?"
    r"(?:(?:forget|erase|delete|clear|remove|wipe|drop|cancel|scrap|discard|void|disregard|withdraw|retract|take back|undo|strike|scratch)(?: about| out)?"
    r"|(?:do not|don['’]t|stop) (?:remember(?:ing)?|stor(?:e|ing)|keep(?:ing)?|sav(?:e|ing)|record(?:ing)?)"
    r"|(?:i|we) (?:hereby |have |just )*(?:withdraw|withdrew|withdrawn|retract(?:ed)?|take back|took back|cancel(?:led|ed)?|scrap(?:ped)?|drop(?:ped)?))"
    r"(?P<colon>\s*:)?\s*(?:what (?:i|we) (?:said|told you|wrote) (?:about|of) )?(?:(?:the|my|our|its|that|this|old|current|previous|stored) )*\s*$"
)
_GOT_EN = lazy(
    rf"{_OPENS}\s*(?:(?:oh|sorry|oops|so|and|well|actually),? )*(?:i|we) (?:must have |may have |have )?(?:got|gave(?: you)?|entered|wrote(?: down)?|told you|said|noted|typed|read|had)(?: you)? (?:(?:the|my|our|its) )?$"
)

# -- and behind it -------------------------------------------------------------------------------------------
_SURE_ZH = r"(?:就|先|也|都|已经?|现在|可以|请|帮我|麻烦|给我|统统|全部?|你|您|是|被|我|刚才|之前|其实|一律|正式|直接)*"
_OVER_BEHIND = lazy(
    rf"\s*{_SURE_ZH}(?:没有?了|空缺|作废|取消|撤销|撤回|无效|失效|不算数?|不作数|不要了|删掉|删除|删了|清除|清掉|清空|忘掉|忘了吧|忘记吧|收回|停用|注销|(?:别|不要|不用|不必)再?记(?:住|着|录)?)(?:了|掉|吧|啦)*{_CLOSES}"
    r"|\s+(?:is|are|was|were|has been|have been|got)(?: (?:now|hereby|officially|since|all|also))* (?:cancell?ed|void(?:ed)?|off|scrapped|withdrawn|null and void|invalid|obsolete|dropped|deleted|retracted|no longer valid)(?: now| already)?"
    rf"{_CLOSES}|\s*(?:is |was )?(?:cancell?ed|void|scrapped|withdrawn|dropped|deleted)\s*了{_CLOSES}"
)
_WRONG_BEHIND = lazy(
    rf"\s*{_SURE_ZH}(?:[说记写报弄搞填看读数抄打算讲录]错|有误|不对|错(?!过)|不准确?|不正确|是假的)(?:了|的|啦)*{_CLOSES}"
    r"|\s*(?:is|was|are|were|['’]s)(?: (?:all|just|completely|totally|simply|actually|plain|also|recorded|noted))* (?:wrong(?:ly)?|incorrect(?:ly)?|false|mistaken|not (?:right|correct|true)|a mistake|an error|a typo|inaccurate|untrue)"
    rf"{_CLOSES}|\s*(?:was |is )?wrong\s*了{_CLOSES}"
)
_GOT_BEHIND = lazy(rf"\s*(?:wrong(?:ly)?|incorrectly|by mistake){_CLOSES}")
_DENIED_BEHIND = lazy(
    rf"\s*(?:已经?|早就|现在|根本|其实|并)*不(?:再)?是(?P<zh>[^，。,;；！!？?\n]{{1,30}}?)(?:了|的)?{_CLOSES}"
    rf"|\s+(?:is|was|are|were)(?: not|n['’]t| no longer)(?: actually| really)? (?P<en>[^;!?\n]{{1,40}}?)(?: any ?more| any longer)?{_CLOSES}"
)
_SAID = lazy(
    rf"\s*(?:就?是|为|:|：|\bis\b|\bwas\b)\s*(?P<v>[^，。;；！!？?\n]{{1,40}}?)(?:这件事|这回事|的事|这一?条)?{_CLOSES}"
)
_DONE = lazy(
    rf"(?:\s*(?:了|吧|啦|呗|好吗|好了|这件事|,? ?(?:from (?:your |the )?(?:memory|records?|notes|profile|database)|please|now|again|too|as well|any ?more)\b))*{_CLOSES}"
)
# between a thing's name and the label of what it has no more
_HAS_NO = lazy(
    r"\s*(?:现在|目前|已经?|暂时|早就)*(?:没有?|不再有|无)(?:任何)?\s*"
    r"|\s+(?:(?:now |currently |still )?(?:has|have) (?:got )?no (?:longer (?:an? |any )?)?|no longer (?:has|have) (?:an? |any |the )?|(?:does not|doesn['’]t|do not|don['’]t) have (?:an? |any |the )?)"
)
_LATE = lazy(rf"\s*吧{_CLOSES}")

# -- the label and whose it is -------------------------------------------------------------------------------
_BEHIND_NAME = lazy(
    r"(?:['’]s?|的)?\s*(?:(?:the|its|new|old|current|previous) |新的?|旧的?|现在的?|之前的?|原来的?)*"
)
_OF_NAME = lazy(r"\s+(?:of|for|on|at) (?:the )?(?:[a-z]+ ){0,2}?")
_JOINED = lazy(r"\s*(?:、|和|与|以及|及|,|and|&)\s*(?:(?:the|its) )?")
_LEADS = lazy(
    r"\s*(?:(?:ok(?:ay)?|oh|well|and|then|so|actually|sorry|no|wait|hmm|the|my|our|that|this|old|previous),? |那个|这个|那|这|我的?|我们的?|刚才(?:说|讲|报)?的?|之前(?:说|讲|报)?的?|啊|哎|对了|不好意思|抱歉|等等|旧的?|[,，] ?)*",
    re.I,
)
_OF_SOMETHING = lazy(
    rf"\s+(?:of|for) (?P<x>(?!the (?:project|company|firm|order)\b|now\b)[^,;!?，。；！？\n]{{2,60}}?)(?: (?:is|was|has been|from|please|now)\b|{_CLOSES})"
)
_OF_ANOTHER = lazy(r"(?:的|['’]s?)\s*(?:new |old |current |新的?|旧的?)?$")
_MINE = lazy(r"\b(?:my|our)\s*$|我们?的?\s*$")


class Retracted(NamedTuple):
    """``text[start:end]`` takes ``slots`` back, of the Form that ``owner`` names (None: nobody is named).

    ``said``: the value that it denies, where it names one. ``led``: words of taking back come first. ``sure``: else the
    speaker only calls it wrong. ``own``: it is the speaker's. ``strange``: of something of which nothing is known.
    """

    start: int
    end: int
    slots: tuple[Slot, ...]
    owner: Mention | None
    said: tuple[int, int] | None
    led: bool
    sure: bool
    own: bool
    strange: bool = False


# from where to where something is taken back, the value that is denied, and whether surely
Bounds = tuple[int, int, tuple[int, int] | None, bool]

_HINT = lazy(
    r"忘|删|除|清|抹|去掉|划掉|取消|作废|撤|收回|[别不没无]|无效|失效|错|有误|是假|停用|注销|\b(?:forget|erase|delete|clear|remove|wipe|drop|cancel|scrap|discard|void|disregard|withdr[ae]w|retract|"
    r"take back|took back|undo|strike|scratch|store|keep|save|record|wrong|incorrect|false|mistake|not|off|invalid|obsolete|error|typo|untrue|inaccurate|no\b)|n['’]t\b",
    re.I,
)
_NUMBER = lazy(r"(?<![a-z0-9-])[a-z]{1,6}[-_/]?\d[a-z0-9_/-]*(?![a-z0-9])|#\d+")
_WORD = lazy(r"\s*[^\s,.;:!?，。；：！？、()（）]+")
_NEAR = 80  # characters, without space, between a label and the name of whose it is
_MANY = 8  # names to look up in one message


def names_beside(low: str, hits: Sequence[Hit]) -> list[str]:
    """What may name a thing where a slot may be taken back: numbers, and what stands behind a type's word. In normal
    form."""
    if _HINT.search(low) is None:
        return []
    out = dict.fromkeys(normal(m[0]) for m in _NUMBER.finditer(low))
    for hit in hits:
        if hit.word.types:
            end = hit.end
            for _ in range(4):
                if (word := _WORD.match(low, end)) is None:
                    break
                end = word.end()
                out.setdefault(normal(low[hit.end : end].removesuffix("'s")))
    return [name for name in out if len(name) > 1][:_MANY]


class Retracting:
    """Reads one message for the slots of things that it takes back."""

    def __init__(
        self,
        text: str,
        hits: Sequence[Hit],
        mentions: Sequence[Mention],
        known: Sequence[Form],
        touched: Sequence[Form],
        time: datetime,
        order: str | None,
    ) -> None:
        """``known``: the Forms that the message may speak of; ``touched``: those of the conversation."""
        self._text = text
        self._lowered = text.lower()
        self._mentions = Placed(mentions)
        self._same: dict[tuple[int, int], list[Mention]] = {}
        for mention in mentions:
            self._same.setdefault(mention[:2], []).append(mention)
        self._known = known
        self._touched = touched
        self._hits = hits
        typed = [hit for hit in hits if hit.word.types]
        self._typed = {(hit.start, hit.end) for hit in typed}
        self._words = Placed(typed)
        self._time = time
        self._order = order
        self.drafts: list[Draft] = []  # for each Form that holds what is taken back, the slots to clear
        self.found: list[Retracted] = []
        for one in self._find() if hits and _HINT.search(text) else ():
            made = list(self._drafts(one))
            if made or one.said is None or one.led:  # 5 is no weight of H-1 that anybody told of
                self.found.append(one)
                self.drafts.extend(made)

    def besides(self, found: Sequence[Found]) -> list[Found]:
        """``found``, without what stands in what is taken back; names there stay where more is told."""
        rest = [f for f in found if _names(f) or not self._covers(f)]
        if any(not _names(f) for f in rest):
            return rest
        return [f for f in rest if not self._covers(f)]

    def _covers(self, item: Found) -> bool:
        return any(item.start < one.end and one.start < item.end for one in self.found)

    def _drafts(self, one: Retracted) -> Iterator[Draft]:
        if one.owner is None and not one.strange:
            yield from self._unnamed(one)
        elif one.owner is not None:
            words = self._text[one.owner.start : one.owner.end]
            for form in self._known:
                # several types may have a thing of that name
                title = next(
                    (m.slot for m in self._same[one.owner[:2]] if m.slot.type.name == form.type), None
                )
                held = None if title is None else form[title.spec.name]
                if title is None or form.status != "active" or not isinstance(held, str):
                    continue
                if normal(held) == normal(words) and (cleared := self._cleared(one, form, sure=True)):
                    name = SlotDraft(words, CUED, evidence=words, span=(one.owner.start, one.owner.end))
                    yield Draft(form.type, {title.spec.name: name, **cleared})

    def _unnamed(self, one: Retracted) -> Iterator[Draft]:
        own = [s for s in one.slots if s.speakers]
        if own and one.own and one.said is None:
            yield Draft(
                own[0].type.name, {s.spec.name: self._clear(one) for s in own if s.type == own[0].type}
            )
        for form in self._touched:
            if form.status == "active" and (cleared := self._cleared(one, form, one.sure)):
                yield Draft(form.type, cleared)
                return

    def _cleared(self, one: Retracted, form: Form, sure: bool) -> dict[str, SlotDraft]:
        out: dict[str, SlotDraft] = {}
        for slot in one.slots:
            held = form.slots.get(slot.spec.name)
            if slot.type.name != form.type or held is None or held.value is None:
                continue
            if one.said is not None:
                words = self._text[slice(*one.said)].strip()
                read = coerce(slot.spec, words, self._time, self._order, self._text)
                if slot.spec.many or read.value is None or not same(slot.spec, read.value, held.value):
                    continue
            out[slot.spec.name] = self._clear(one, sure or one.said is not None)
        return out

    def _clear(self, one: Retracted, sure: bool = True) -> SlotDraft:
        span = (one.start, one.end)
        words = self._text[one.start : one.end]
        return SlotDraft(None, CUED, evidence=words, op="clear", span=span, inferred=not sure)

    # -- finding ---------------------------------------------------------------------------------------------
    def _find(self) -> Iterator[Retracted]:
        labels = [h for h in self._hits if h.word.role == "alias" and self._label(h)]
        at = 0
        while at < len(labels):
            last = at
            while last + 1 < len(labels) and _JOINED.fullmatch(
                self._text, labels[last].end, labels[last + 1].start
            ):
                last += 1
            found = self._judged(labels[at : last + 1])
            if found is not None:
                yield found
            at = last + 1

    def _label(self, hit: Hit) -> bool:
        """Whether it names a slot and no thing of a type; a thing goes by its name whatever is said of it."""
        return (hit.start, hit.end) not in self._typed and any(not says_which(s) for s in hit.word.slots)

    def _judged(self, labels: Sequence[Hit]) -> Retracted | None:
        text = self._text
        start, end = labels[0].start, labels[-1].end
        owner, bounds = self._owner(start, end), None
        yes_or_no = all(s.spec.type == "boolean" for h in labels for s in h.word.slots)
        if owner is None and not yes_or_no and (lacking := self._without(start, end)) is not None:
            owner, bounds = lacking
        types = None if owner is None else {m.slot.type.name for m in self._same[owner[:2]]}
        slots = tuple(
            s
            for h in labels
            for s in h.word.slots
            if not says_which(s) and (types is None or s.type.name in types)
        )
        if not slots or (owner is None and all(h.word.weak for h in labels)):
            return None
        if owner is not None:
            start, end = self._with_type(min(start, owner.start)), max(end, owner.end)
        of = _OF_SOMETHING.match(text, end) if owner is None else None
        elsewhere = of is not None
        if of is not None:  # "the budget of Acme", of which nothing is known
            end = of.end("x")
        low = clause_of(text, start, end)[0]
        bounds = bounds or self._taken(start, end)
        if bounds is None:
            return None
        first, last, said, sure = bounds
        led = first < start
        strange = elsewhere or (owner is None and not led and not _LEADS.fullmatch(text[low:start]))
        if strange and not elsewhere:  # 青禾科技的预算作废, of which nothing is known
            if said is not None or not _OF_ANOTHER.search(text, low, start):
                return None
            first = low
        own = _MINE.search(text, max(0, start - 12), start) is not None
        while first < start and text[first].isspace():
            first += 1
        if not says(text, first, last):
            return None
        return Retracted(first, last, slots, owner, said, led, sure, own, strange)

    def _taken(self, start: int, end: int) -> Bounds | None:
        """From where to where words beside the label take it back, the value that they deny, and how surely."""
        text = self._text
        head = max(0, start - 80)
        lead = _BEFORE_ZH.search(text, head, start) or _BEFORE_EN.search(text, head, start)
        lowered = self._lowered
        if lead is None and (found := _BEFORE_EN.search(lowered, head, start)) is not None:
            lead = found
        if lead is not None and "behind" in lead.re.groupindex:
            if lead["late"]:
                closed = _LATE.match(text, end)
                return (lead.start(), closed.end(), None, True) if closed else None
            if lead["behind"] is not None:
                over = _OVER_BEHIND.match(text, end)
                return (lead.start(), over.end(), None, True) if over else None
        if lead is not None:
            if (closed := _DONE.match(text, end)) is not None:
                return lead.start(), closed.end(), None, True
            if (value := _SAID.match(text, end)) is not None:
                return lead.start(), value.end(), value.span("v"), True
            return None
        if (over := _OVER_BEHIND.match(lowered, end)) is not None:
            return start, over.end(), None, True
        if (wrong := _WRONG_BEHIND.match(lowered, end)) is not None:
            return start, wrong.end(), None, False
        if (denied := _DENIED_BEHIND.match(text, end)) is not None:
            return start, denied.end(), denied.span("zh" if denied["zh"] else "en"), True
        got = _GOT_EN.search(lowered, head, start)
        if got is not None and (wrong := _GOT_BEHIND.match(lowered, end)) is not None:
            return got.start(), wrong.end(), None, False
        return None

    def _owner(self, start: int, end: int) -> Mention | None:
        low, high = reach_back(self._text, start, _NEAR), reach_on(self._text, end, _NEAR)
        for mention in self._mentions.beside(low, start, end, high):
            if mention.end <= start and _BEHIND_NAME.fullmatch(self._text, mention.end, start):
                return mention
            if end <= mention.start and _OF_NAME.fullmatch(self._text, end, mention.start):
                return mention
        return None

    def _without(self, start: int, end: int) -> tuple[Mention, Bounds] | None:
        """The thing that is said to have none (any more), and where the words of that stand."""
        if (closed := _DONE.match(self._text, end)) is None:
            return None
        for mention in self._mentions.ending(reach_back(self._text, start, _NEAR), start):
            if has := _HAS_NO.fullmatch(self._text, mention.end, start):
                return mention, (has.start(), closed.end(), None, True)
        return None

    def _with_type(self, start: int) -> int:
        """Where the word for the thing's type begins before its name: 蜂箱H-1, "hive H-1"."""
        for hit in self._words.ending(reach_back(self._text, start, 1), start):
            if not self._text[hit.end : start].strip():
                return hit.start
        return start


def _names(item: Found) -> bool:
    return all(says_which(s) for s in item.slots)


_BIDS = lazy(
    r"(?:请|麻烦|帮我|给我|别|不要|不用|先)*(?:把)?(?:忘掉|忘记|忘了|取消|删除|删掉|删去|作废|撤销|撤回|收回|清除|清空|终止|别记|不要记)|(?:如果|要是|假如|假设|万一|假若|打算|(?:准备|计划)(?=[换买做给]))"
    r"|(?:please |kindly |just |don['’]t |do not )*(?:forget|cancel|delete|erase|remove|clear|withdraw|retract|discard|scrap|disregard)\b(?=\s)",
    re.I,
)
_HANDLES = lazy(r"(?:请|麻烦|帮我|打算|计划|准备|决定|考虑|我们?|想|要|先)*把(?=.{2})")


def bidden(text: str, item: Found) -> bool:
    """Whether what would be a thing's name begins with what is to be done about it: 忘掉海蓝电子, "cancel Acme". Of
    把海蓝电子 the name is taken alone."""
    if not all(says_which(s) for s in item.slots) or item.start >= item.end:
        return False
    told = item.low < item.start  # 任务：取消订阅 is called so
    firm = any(s.kind in ("company", "person") for s in item.slots)
    lead = _HANDLES.match(text, item.start, item.end) if firm else None
    if lead is not None and item.value == text[item.start : item.end]:
        item.value = text[lead.end() : item.end]
        item.start = lead.end()
        item.low = item.low if told else item.start
    return (firm or not told) and _BIDS.match(text, item.start, item.end) is not None


def says(text: str, start: int, end: int) -> bool:
    """Whether the speaker says the words for themselves, and neither asks nor supposes them."""
    return not (
        cues.questioned(text, start, end)
        or cues.hypothetical(text, start, end)
        or cues.joking(text)
        or posed(text, start, end)
        or quoted(text, start, end) is not None
    )


__all__ = ["Retracted", "Retracting", "bidden", "names_beside", "says"]
