"""Values that are demanded to be there or not: 没有负责人的任务, "customers without a phone", "nobody owns it"."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping

from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.retrieval.confidence import root
from forms_dynamics.retrieval.demands.draft import Draft, Span
from forms_dynamics.retrieval.lexicon import HINT
from forms_dynamics.retrieval.restriction import During, Known, Within
from forms_dynamics.schema.bare_words import heads
from forms_dynamics.schema.spec import FormType

_SETTLED = (  # what is done to a value that was not there
    r"(?:确定|指定|指派|分配|安排|明确|落实|设定|设置|选定|约定|填写|登记|提供|录入|记录|留下|商定|敲定|任命|"
    r"定|填|留|给|写|设|派|选|约|报|知)"
)
_DECIDED = (
    r"(?:set|known|given|decided|assigned|fixed|filled|named|specified|there|agreed|chosen|recorded|provided)"
)
_LACKS = re.compile(
    rf"(?:(?:还|尚|都|仍|也|暂)*(?:没有?|未|无){_SETTLED}?[好过了下]?|"
    r"缺少?|缺乏|欠缺?|不知道?|不明|待定|待)(?:任何)?\s*$|"
    r"\b(?:(?:(?:have|has|with|there is|there are) )?no|without|lack(?:s|ing)?|missing|"
    r"\w+n['’]t (?:yet )?(?:have|got|given|left)|not (?:yet )?have|have yet to get|need(?:s|ing)?|await(?:s|ing)?)"
    r"(?: us)?(?: an?| any| the| their| its)?(?: known| set| named| assigned)? $"
)
_LACKS_AFTER = re.compile(
    rf"^\s*(?:(?:都|也|还|尚|仍|暂|一直|目前)*(?:(?:没有?|未|待){_SETTLED}[好过了下]?|"
    r"没有|缺失|空缺|空白|空着|不详|不明|未知|待定)|(?:都|还)?(?:为|是)空|不知道)(?!更|变)|"
    r"^ (?:(?:is|are|was|has|have)(?: still| yet| been)?|still|yet)? ?"
    rf"(?:(?:not|n['’]t)(?: yet| been)* {_DECIDED}|"
    r"missing|unknown|empty|blank|undecided|tbd|unset|open|to be (?:decided|set|named|confirmed))\b|"
    rf"^ (?:is|are|was|has|have)n['’]t (?:yet |been )*{_DECIDED}\b"
)
_HAS = re.compile(
    r"(?:有|留了|留下了?|提供了|填了|登记了)$|\b(?:with|have|has|gave|left)(?: us)?(?: an?| their| the)? $"
)
_OF = re.compile(r"^\s*的")
_NOBODY = re.compile(
    r"(?:没有?人|无人|没有?谁|谁都?[也还]?没有?)(?:来|去|在|会)?(?P<zh>[\u4e00-\u9fff]{2})|"
    r"\b(?:nobody|no one|no-one)(?: is| has| was| who|['’]s)?(?: yet| been| to)* (?P<en>[a-z]{3,})"
)
_UNASSIGNED = re.compile(
    r"(?:还没有?|尚未|没有?|未)(?:被)?(?:分配|指派|认领|领|派人)(?:出去|下去)?|无主|没主|"
    r"\b(?:unassigned|unowned|unclaimed|not (?:yet )?assigned)\b"
)
_RESPONSIBLE = (
    "assignee",
    "owner",
    "handler",
    "responsible",
    "负责人",
    "处理人",
    "经办人",
    "执行人",
    "跟进人",
)
_ENDINGS_ZH = "人者员官师方"
_DATED = ("date", "datetime", "date_range")
_DAY = re.compile(r" (?:date|day|time)\b|日期|时间")


class Lacking:
    """Reads what is missing or there for one type; made once a catalog."""

    def __init__(self, form_type: FormType) -> None:
        self.form_type = form_type
        self.words: Mapping[str, str] = dict(_words(form_type))
        self._verbs = re.compile("|".join(_verbs(form_type, self.words)) or "(?!)")
        self._longest = sorted(self.words, key=len, reverse=True)

    def read(self, draft: Draft, values: Container[str] = ()) -> None:
        """Adds what the question demands to be known, or not to be. ``values``: words for values of enums, which are
        no slots: "have shipped"."""
        text = draft.text
        self._nobody(draft)
        draft.spans += [m.span() for m in self._verbs.finditer(text) if not draft.taken(m.span())]
        compared = {t.slot for t in draft.tests if isinstance(t, Within | During)}
        found = dict(self._said(draft))
        for (start, end), slot in sorted(found.items()):
            lacks, after = _LACKS.search(text, 0, start), _LACKS_AFTER.match(text[end:])
            flag = self.form_type.slots[slot].type == "boolean"  # what is not so is known
            if slot in compared or draft.taken((start, end)) or flag or text[start:end] in values:
                continue
            if lacks or after:
                draft.add(
                    (lacks.start() if lacks else start, end + after.end() if after else end),
                    Known(slot, False),
                )
            elif (has := _HAS.search(text, 0, start)) and (
                has.group().strip() != "有" or _OF.match(text[end:])
            ):
                draft.add((has.start(), end), Known(slot, True))
        for word in draft.question.words:  # customers without a contract: what is tied to nothing
            span = word.start, word.end
            if any(m.slot is None for m in word.meanings) and word.start and span not in found:
                draft.unread = draft.unread or (
                    _LACKS.search(text, 0, word.start) is not None and not draft.taken(span)
                )

    def _said(self, draft: Draft) -> Iterator[tuple[Span, str]]:
        """Words for slots of the type, longest first: as they are declared, and without the type before them."""
        text, seen = draft.text, list[Span]()
        for word in self._longest:
            for found in re.finditer(_bounded(word), text):
                span = found.span()
                if self.form_type.slots[self.words[word]].type in _DATED and (
                    more := _DAY.match(text, span[1])
                ):
                    span = span[0], more.end()
                if not any(a < span[1] and span[0] < b for a, b in seen):
                    seen.append(span)
                    yield span, self.words[word]
        for each in dict.fromkeys((*draft.question.declared, *draft.question.words)):
            span = each.start, each.end
            slots = {m.slot: m.level for m in each.meanings if m.type == self.form_type.name and m.slot}
            if each in draft.question.declared or len(slots) > 1:
                slots = {slot: level for slot, level in slots.items() if level > HINT}
            taken = any(a < span[1] and span[0] < b for a, b in seen)
            if slots and not taken and not any(m.slot is None for m in each.meanings):
                seen.append(span)
                yield span, max(slots, key=lambda s: slots[s])

    def _nobody(self, draft: Draft) -> None:
        """没人负责的, "nobody owns", "unassigned": of whom nothing is known is told by a verb."""
        if ((found := _NOBODY.search(draft.text)) and (slot := self._doer(found["zh"], found["en"]))) or (
            (found := _UNASSIGNED.search(draft.text)) and (slot := self._responsible())
        ):
            draft.add(found.span(), Known(slot, False))

    def _doer(self, zh: str | None, en: str | None) -> str | None:
        """The slot that names who does it: 负责人 for 负责, owner for owns."""
        for word, slot in self.words.items():
            if self.form_type.slots[slot].type not in ("text", "ref"):
                continue
            if zh and word.startswith(zh) and word[len(zh) :][-1:] in tuple(_ENDINGS_ZH):
                return slot
            if en and any(part.startswith(root(en)) and part != en for part in word.split(" ")):
                return slot
        return self._responsible() if zh in ("负责", "认领", "接手", "跟进", "处理", "管的") else None

    def _responsible(self) -> str | None:
        return next(
            (slot for piece in _RESPONSIBLE for word, slot in self.words.items() if piece in word), None
        )


def _words(form_type: FormType) -> Iterator[tuple[str, str]]:
    """Words for each slot; the first slot that has one keeps it, and a whole alias goes before a shortened one."""
    calls = sorted((normal(a) for a in (form_type.name, *form_type.aliases)), key=len, reverse=True)
    full: dict[str, str] = {}
    short: dict[str, str] = {}
    for spec in form_type.slots.values():
        for said in (spec.name.replace("_", " "), *spec.aliases):
            word = normal(said)
            full.setdefault(word, spec.name)
            for call in calls:
                rest = word.removeprefix(call).strip() if word != call else ""
                rest = rest.removesuffix(f"of the {call}").removesuffix(f"of {call}").strip()
                if rest and rest != word:
                    short.setdefault(rest, spec.name)
    for word, spec in heads(form_type):
        short.setdefault(word, spec.name)
    own = set(calls)
    for word, slot in {**short, **full}.items():
        if len(word) > 1 and word not in own:
            yield word, slot


def _verbs(form_type: FormType, words: Mapping[str, str]) -> Iterator[str]:
    """What somebody does whom a slot names: 主讲 of 主讲人, "advised by" of adviser."""
    for word, slot in words.items():
        if form_type.slots[slot].type not in ("text", "ref"):
            continue
        if has_han(word):
            if len(word) == 3 and word[-1] in _ENDINGS_ZH:
                yield re.escape(word[:2]) + "(?=的|了|过)"
        elif " " not in word and word.endswith(("er", "or")) and len(word) > 4:
            yield rf"\b{re.escape(word[:-2])}e?d by\b"
            yield rf"\b{re.escape(word[:-2])}ed by\b"


def _bounded(word: str) -> str:
    if has_han(word):
        return re.escape(word)
    return rf"(?<![a-z0-9]){re.escape(word)}(?:s|es)?(?![a-z0-9])"


__all__ = ["Lacking"]
