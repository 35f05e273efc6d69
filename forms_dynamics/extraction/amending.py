"""What a message takes back: corrections without a slot's name, removals, and Forms that no longer hold."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from forms_dynamics.extraction.found import BREAK, CUED, Found, Readings
from forms_dynamics.extraction.grouping import says_which
from forms_dynamics.extraction.lexicon import Hit, slot_of
from forms_dynamics.extraction.retracting import says
from forms_dynamics.language import cues
from forms_dynamics.language.clauses import clause_of
from forms_dynamics.language.dates import find_dates
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import normal
from forms_dynamics.language.reading import Reading
from forms_dynamics.model.form import Form
from forms_dynamics.model.known import with_called
from forms_dynamics.model.message import Draft, Message, SlotDraft
from forms_dynamics.model.value import Money, Range
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec

_NOT_BUT = lazy(
    r"不是(?P<old>[^，,。；;！!？?\n]{1,30}?)[，,、；;]?\s*(?:而|应该|其实)?是(?P<new>[^，,。；;！!？?\n]{1,40})|"
    r"\bnot (?P<old2>[^,.;!?\n]{1,40}?),? but (?P<new2>[^,.;!?\n]{1,40})|"
    r"(?:it['’]?s|it is|should be|make (?:it|that)) (?P<new3>[^,.;!?\n]{1,40}?),? (?:and )?not (?P<old3>[^,.;!?\n]{1,40})|"
    r"(?P<old4>[^，,。；;\s是]{1,20})(?:要|得|应该)?(?:改成|换成|改为|换为)(?P<new4>[^，,。；;！!？?\n]{1,30})",
    re.I,
)
_GONE = lazy(
    r"(?:(?:已经|现在|以后|我们|我)*(?:不再(?:用|使用|跟|和|与|找|需要|要|做|喜欢|吃|喝)?|不用了?|停用|停止(?:使用|合作)?|换掉|去掉|删掉|删除|拿掉|取消|撤掉|退掉|划掉|移除)(?P<x>[^，,。；;！!？?\n]{1,30}?)(?:了|合作了?|的合作|$|(?=[，,。；;！!？?\n])))|"
    r"把(?P<x2>[^，,。；;！!？?\n]{1,20}?)(?:去掉|删掉|删了|拿掉|取消|撤掉|退掉|划掉|移除)|"
    r"\b(?:no longer (?:uses?|using|needs?|wants?|works? with|buys? from|likes?|has|have|got|offers?|sells?|stocks?|carries|includes?)|stopped (?:using|buying from|working with|offering|selling|stocking|carrying)|stop using|don['’]t use|ended (?:the|our)|cancel(?:led)?|remove|drop(?:ped)?|delete|get rid of|take off) (?:the |our |my )?(?P<x3>[^,.;!?\n]{1,40})|"
    r"\btake (?:the |my |our )?(?P<x4>[^,.;!?\n]{1,30}?) off\b",
    re.I,
)
_VERB = lazy(
    r"(?:调整?|改|批|涨|降|加|减|提高?|追加|升|砍)(?:到|成|为|至)了?\s*$|\b(?:make it|\bnow|raised to|changed to|up to|down to|it['’]s|should be|\b(?:it|that|this|which) (?:is|comes to))\s+$",
    re.I,
)


_COUNTED = lazy(
    r"\s*(?:[个位名门条件台天次轮年月周人]|(?!(?:for|in|per|now|please|instead|then|and|or|not|is|all|net|total|exactly|max)\b)[A-Za-z]{3,})"
)

# what has a price of its own: said of it, an amount is not the one that a slot of another name holds
_PRICED = lazy(
    r"报价|单价|总价|价格|金额|费用|首付|定金|订金|尾款|房租|租金|工资|合同价|合同额|发票|"
    r"\b(?:quot(?:e|es|ed|ation)|prices?|cost|fees?|deposit|invoice|rent|salary|contract|offer|total|bill)\b",
    re.I,
)
# the new one in place of what is withdrawn: 重新报45万, "the new one is 45k"
_ANEW = lazy(
    r"(?:重新?|改|另)(?:报|签|定|订|做|开|谈|写|拟|出)(?:个|一[个份版]|了|为|成)*|新的?(?:报价单?|合同|方案|价格?|金额|一[版份个]|那[版份个]|版本)?|(?:改|换|变)(?:成|为|用)|"
    r"\b(?:the |our |a |my )?new (?:one|quote|offer|price|contract|plan|figure|version|amount|deal|order)?|\binstead\b,?|\breplace(?:d)? (?:it )?(?:with|by)|\bit['’]?s now\b|\b(?:re-?quote|re-?issue)d? (?:it )?(?:at|for)?",
    re.I,
)


# words that may stand for a Form of any type; others (flight, 机票) name a kind that is perhaps not declared
_GENERIC = lazy(
    r"方案|计划|版本|那版|提案|意向|那个|这个|那份|那单|说的|定的|谈的|说法|信息|记录|"
    r"\b(?:plan|version|idea|one|option|proposal|figures?|numbers?|everything|said|arrangement|deal|request|draft|estimate|info)s?\b",
    re.I,
)

_RENAMED = lazy(r"不是|而是|不叫|改名|更名|名字|名称|叫|\bnot\b|n['’]t\b|\bname|\bcalled\b", re.I)


class Amending:
    """Reads one message against the Forms that its conversation touched last (newest first)."""

    def __init__(
        self,
        text: str,
        message: Message,
        known: Sequence[Form],
        catalog: Catalog,
        hits: Sequence[Hit],
        readings: Readings,
    ) -> None:
        self._text = text
        self._message = message
        self._reach = known
        self._known = [form for form in known if form.type in catalog.types]
        self._catalog = catalog
        self._hits = hits
        self._readings = readings

    # -- corrections -----------------------------------------------------------------------------------------
    def corrections(self, taken: Sequence[tuple[int, int]]) -> Iterator[Found]:
        """不是8月底，是9月底: the slot that holds the old value takes the new one. With a word of correction
        ("it's 19,100 EUR, I read the wrong line") the only slot of that type does."""
        if not self._known:
            return
        done: set[tuple[int, int]] = set()
        for m in _NOT_BUT.finditer(self._text):
            for old, new in (("old", "new"), ("old2", "new2"), ("old3", "new3"), ("old4", "new4")):
                if m[old] and m[new]:
                    found = self._replaced(m.span(old), m.span(new), m.span())
                    if found is not None and not _overlaps(found, taken):
                        done.add((found.start, found.end))
                        yield found
        if done or len(self._text) > 400:
            return
        yield from self._bare(taken)

    def _replaced(self, old: tuple[int, int], new: tuple[int, int], whole: tuple[int, int]) -> Found | None:
        for form in self._known:
            form_type = self._catalog.types[form.type]
            for name, slot in form.slots.items():
                spec = form_type.slots.get(name)
                if spec is None or slot.value is None or spec.many:
                    continue
                target = slot_of(form_type, spec)
                if spec.type in ("text", "ref", "enum"):
                    if normal(str(slot.value)) == normal(self._text[slice(*old)].strip()):
                        if says_which(target) and not _RENAMED.search(self._text, *whole):
                            continue  # 陈静改成住5晚: something of hers changes, not who she is
                        start, end = _trim(self._text, *new)
                        return Found(
                            (target,), start, end, *whole, self._text[start:end], CUED, correction=True
                        )
                    continue
                readings = self._readings.of(spec)
                was = next((r for r in readings if old[0] <= r.start and r.end <= old[1]), None)
                now = next((r for r in readings if new[0] <= r.start and r.end <= new[1]), None)
                if was is not None and now is not None and _same(was, slot.value):
                    return Found(
                        (target,),
                        now.start,
                        now.end,
                        *whole,
                        self._text[now.start : now.end],
                        CUED,
                        correction=True,
                    )
        return None

    def _bare(self, taken: Sequence[tuple[int, int]]) -> Iterator[Found]:
        correcting = cues.correcting(self._text)
        for form in self._known[:1]:
            form_type = self._catalog.types[form.type]
            by_type: dict[str, list[str]] = {}
            for name, slot in form.slots.items():
                if name in form_type.slots and slot.value is not None:
                    by_type.setdefault(form_type.slots[name].type, []).append(name)
            for type_name, names in by_type.items():
                if type_name not in ("money", "date", "percent", "phone") or len(names) != 1:
                    continue
                spec = form_type.slots[names[0]]
                readings = [r for r in self._readings.of(spec) if not _overlaps_span(r, taken)]
                if type_name in ("money", "percent"):  # the 11 of July 11 is no amount
                    readings = [r for r in readings if not _overlaps_span(r, self._days)]
                if len(readings) != 1 or readings[0].kind == "money?":
                    continue
                reading = readings[0]
                verb = _VERB.search(self._text, max(0, reading.start - 12), reading.start)
                if not correcting and not (verb and type_name == "money"):
                    continue
                if type_name == "money" and (
                    self._of_another(spec, form_type, reading) or self._counts(reading)
                ):
                    continue
                low = verb.start() if verb else reading.start
                yield Found(
                    (slot_of(form_type, spec),), reading.start, reading.end, low, reading.end,
                    self._text[reading.start : reading.end], CUED, correction=correcting,
                )  # fmt: skip

    def _counts(self, reading: Reading) -> bool:
        """Whether a bare number counts what stands behind it: 3 online courses, 3个人."""
        bare = self._text[reading.start : reading.end].strip().isdigit()
        return bare and _COUNTED.match(self._text, reading.end) is not None

    @cached_property
    def _days(self) -> Sequence[tuple[int, int]]:
        return [(r.start, r.end) for r in find_dates(self._text, self._message.time)]

    def _of_another(self, spec: SlotSpec, form_type: FormType, reading: Reading) -> bool:
        """Whether the amount is said of a price that the slot is no word for: the quoted amount is no budget."""
        low, high = clause_of(self._text, reading.start, reading.end)
        if any(
            low <= h.start < high and h.word.role == "alias" and not any(s.spec == spec for s in h.word.slots)
            for h in self._hits
        ):
            return True  # B-12的容量从8改成10
        own = " ".join((spec.name, *spec.aliases, *spec.cues, form_type.name, *form_type.aliases)).casefold()
        said = _PRICED.findall(self._text, low, high)
        return any(word.casefold()[:4] not in own for word in said)

    # -- removals --------------------------------------------------------------------------------------------
    def removals(self) -> Iterator[Draft]:
        """不再用X: a known value that is said to hold no longer."""
        if not self._known:
            return
        for m in _GONE.finditer(self._text):
            words = next(g for g in m.groups() if g)
            start, end = m.span()
            if cues.questioned(self._text, start, end) or cues.hypothetical(self._text, start, end):
                continue
            gone = normal(words)
            for form in self._known:
                form_type = self._catalog.types[form.type]
                slots: dict[str, SlotDraft] = {}
                for name, slot in form.slots.items():
                    spec = form_type.slots.get(name)
                    if spec is None or slot.value is None or name in form_type.identity.slots:
                        continue
                    if spec.many and isinstance(slot.value, (tuple, list)):
                        removed = [v for v in slot.value if isinstance(v, str) and _names(gone, v)]
                        if removed:
                            slots[name] = self._removal(removed, "remove", start, end)
                    elif (
                        spec.type in ("text", "ref")
                        and isinstance(slot.value, str)
                        and _names(gone, slot.value)
                    ):
                        slots[name] = self._removal(None, "clear", start, end)
                if slots:
                    yield Draft(form.type, slots)
                    break

    def _removal(self, value: Any, op: str, start: int, end: int) -> SlotDraft:
        return SlotDraft(
            value=value, confidence=CUED, evidence=self._text[start:end], op=op, span=(start, end)
        )

    # -- invalidation ----------------------------------------------------------------------------------------
    def invalidations(self) -> Iterator[Draft]:
        """之前的方案作废: a draft that marks a Form invalid, for the type that the words name."""
        words = cues.invalidating(self._text)
        if words is None:
            yield from self._forgotten()
            return
        start, end = words
        named: dict[str, int] = {}
        for hit in self._hits:
            if start - 2 <= hit.start < end + 2:
                for name in hit.word.types:
                    named.setdefault(name, hit.start)
        number = _number_in(self._text, start, end)
        if not named and number is not None:
            for form, _ in self._called(normal(self._text[slice(*number)])):
                named.setdefault(form.type, start)
        if not named and _GENERIC.search(self._text[max(0, start - 4) : end]):
            touched = list(dict.fromkeys(form.type for form in self._known))
            named = dict.fromkeys(touched if len(touched) < 2 else ["*"], start)
        if not named and number is None:
            yield from self._forgotten()
        for name in named:
            yield Draft(name, self._numbered(name, number), invalidate=True)

    def _called(self, name: str) -> Iterator[tuple[Form, str]]:
        """The Forms that go by the name, wherever they were told of, and the slot that says so."""
        for form in with_called(self._reach, [name]):
            if form.type in self._catalog.types and form.status == "active":
                keys = self._catalog.types[form.type].identity.slots & form.slots.keys()
                key = next((k for k in sorted(keys) if normal(str(form.slots[k].value)) == name), None)
                if key is not None:
                    yield form, key

    def _forgotten(self) -> Iterator[Draft]:
        """忘掉青石书店, "Forget Fernwood Labs": the Forms of things that go by just that name. The gate asks."""
        for m in _FORGET.finditer(self._text):
            start, end = m.span("zh" if m["zh"] else "zh2" if m["zh2"] else "en")
            if not says(self._text, *m.span()):
                continue
            for low in (start, *(h.end for h in self._hits if h.word.types and h.start == start)):
                while low < end and self._text[low].isspace():
                    low += 1
                words = self._text[low:end].strip()
                for form, key in self._called(normal(words)) if len(words) > 1 else ():
                    if not self._catalog.types[form.type].identity.context:
                        name = SlotDraft(words, CUED, evidence=words, span=(low, low + len(words)))
                        yield Draft(form.type, {key: name}, invalidate=True)
                        return

    def _numbered(self, name: str, number: tuple[int, int] | None) -> dict[str, SlotDraft]:
        """The number by which what is withdrawn goes, as the slot that identifies it; else nothing."""
        form_type = self._catalog.types.get(name)
        if form_type is None or number is None:
            return {}
        slots = [
            s for s in form_type.slots.values() if s.name in form_type.identity.slots and s.type == "text"
        ]
        if len(slots) != 1:
            return {}
        words = self._text[slice(*number)]
        return {slots[0].name: SlotDraft(words, CUED, evidence=words, span=number)}

    def withdrawn(self, found: Found) -> bool:
        """Whether the words stand in what is withdrawn (之前48万的报价作废), not in what comes instead."""
        words = cues.invalidating(self._text)
        if words is None:
            return False
        low, high = clause_of(self._text, *words)
        return found.start < high and low < found.end and not _ANEW.search(self._text, words[1], found.start)

    def replacements(self, void: Sequence[Draft], found: Sequence[Found]) -> Iterator[Found]:
        """The amount of what comes in place of a withdrawn Form, where nothing else names its slot."""
        words = cues.invalidating(self._text)
        if words is None:
            return
        for draft in void:
            form_type = self._catalog.types.get(draft.form_type)
            specs = [s for s in form_type.slots.values() if s.type == "money"] if form_type else []
            if form_type is None or len(specs) != 1:
                continue
            for anew in _ANEW.finditer(self._text, words[1]):
                reading = next((r for r in self._readings.of(specs[0]) if r.start >= anew.end()), None)
                if (
                    reading is None
                    or reading.kind == "money?"
                    or _overlaps_span(reading, [(f.start, f.end) for f in found])
                ):
                    continue
                gap = self._text[anew.end() : reading.start]
                if len(gap) > 16 or BREAK.search(gap) or self._of_another(specs[0], form_type, reading):
                    continue
                yield Found(
                    (slot_of(form_type, specs[0]),), reading.start, reading.end, anew.start(), reading.end,
                    self._text[reading.start : reading.end], CUED,
                )  # fmt: skip
                break


_FORGET = lazy(
    r"(?:^|(?<=[，。；！？,.;!?\n]))\s*(?:请|麻烦|帮我|那就?|就|以后|好的?|你|您)*(?:忘掉|忘记(?!了)|删掉|删除|(?<=请)忘了)(?P<zh>[^，。；！？,.;!?\n的]{2,24}?)(?:了|吧|啦)*(?=\s*(?:[，。；！!,;]|\.(?!\w)|$))"
    r"|(?:^|(?<=[，。；！？,.;!?\n]))\s*(?:请|麻烦|帮我|你|您)*把(?P<zh2>[^，。；！？,.;!?\n的]{2,24}?)(?:忘掉|忘了吧|忘记吧|删掉|删除|删了)(?:吧|了)*(?=\s*(?:[，。；！!,;]|\.(?!\w)|$))"
    r"|(?:^|(?<=[.!?;,，。\n]))\s*(?:(?:ok(?:ay)?|please|so|well|actually|and|just),? )*(?:forget(?: about)?|erase|delete)\s+(?P<en>[^,;!?\n]{2,60}?)(?: from (?:your |the )?(?:memory|records?|notes))?(?:,? please| now)?(?=\s*(?:[,;!]|\.(?!\w)|$))",
    re.I,
)
_NUMBER = lazy(r"(?<![A-Za-z0-9-])[A-Za-z]{1,6}[-_/]?\d[A-Za-z0-9_/-]*(?![A-Za-z0-9])", re.A)


def _number_in(text: str, start: int, end: int) -> tuple[int, int] | None:
    found = _NUMBER.search(text, start, end)
    return found.span() if found is not None else None


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1] in " \t了吧啊。.!！":
        end -= 1
    return start, end


def _same(reading: Reading, value: Any) -> bool:
    if isinstance(reading.value, Money) and isinstance(value, Money):
        return reading.value.amount == value.amount
    if isinstance(value, Range) and not isinstance(reading.value, Range):
        return False
    return bool(reading.value == value)


def _names(gone: str, value: str) -> bool:
    """Whether the words name the stored value, whole."""
    held = normal(value)
    return held == gone or (
        len(held) > 1
        and (gone.startswith(held) or gone.endswith(held) or (held.endswith(gone) and len(gone) > 1))
    )


def _overlaps(found: Found, taken: Sequence[tuple[int, int]]) -> bool:
    return any(found.start < end and start < found.end for start, end in taken)


def _overlaps_span(reading: Reading, taken: Sequence[tuple[int, int]]) -> bool:
    return any(reading.start < end and start < reading.end for start, end in taken)
