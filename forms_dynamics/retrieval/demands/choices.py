"""Values of enums and booleans that a question demands or denies: "signed contracts", 还没完成的, "not cancelled or
done", "unpaid batches", 没付清的."""

# ruff: noqa: E501 (a list of words and a pattern read best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta

from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.retrieval.demands.course import before_value, finished, unfinished
from forms_dynamics.retrieval.demands.day_slots import expiry
from forms_dynamics.retrieval.demands.draft import Condition, Draft, Span
from forms_dynamics.retrieval.restriction import Among, During, Expired
from forms_dynamics.retrieval.words import STOP_EN, kindred
from forms_dynamics.schema.spec import FormType, SlotSpec

_OVER = re.compile(
    r"(?<!没)(?<!未)(?<!没有)(?:已经?)?(?:过期|失效|作废)(?:了|的)?|\b(?:have |has )?(?:expired|lapsed)\b"
)
_STANDING = re.compile(
    r"(?:还|仍|依然)?(?:有效(?!期)|没有?过期|未过期|没失效)|"
    r"\b(?:still )?(?:valid|in force|good|open|current|outstanding)\b(?! until| from)"
)
_UNFINISHED = re.compile(
    r"(?:还|尚)?(?:没有?|未)(?:做完|结束|完结|搞定|弄完|干完|处理完|了结|完)|未结|"
    r"\b(?:unfinished|incomplete|outstanding|open|unresolved|not (?:yet )?(?:done|finished|complete))\b"
)
_UNYET = re.compile(
    r"(?:还没有?|尚未|还未|没有?|未)(?:被|给|有)?$|\b(?:not yet|yet to be|un|never)(?: been)? ?$|"
    r"(?:\bnot|n['’]t|\bnever) (?:been |yet )?$"
)
_NOT = re.compile(r"(?:不是|并非|非|除了?)$|(?:\bnot|n['’]t)(?: in)? ?$|\b(?:non-|except(?: for)? )$")
_YET = re.compile(r"(?:还没|尚|还未|没|未)(?:有|被|给)?$|\bun$|yet")
_PLURAL = re.compile(r"s(?![a-z0-9])")  # vaccines
# a yes or no said before its word: 没付清, 不是会员, 没有休假, "not been drawn", "aren't on", "did not", "without"
_NO = re.compile(
    r"(?:没有?|未|待|不是|不属于|并非|不算|非|无|不|不能|没能)(?:被|给|做过?|有|再|在|正在|能|过)*$|"
    r"(?:\bnot|n['’]t|\bnever|\bno longer|\bwithout|\bnon-?|\bno|\bun|\b(?:needs?|has|have|yet|remains?|waits?|waiting) (?:still )?to)(?: (?:yet|been|be|being|have|had|get|got|gotten|an?|any|"
    r"fully|even|actually|currently|still))* ?$"
)
# whether it is so is asked of each: 是否付清, "whether they are paid", 付款情况
_EACH = re.compile(
    r"(?:是否|有没有|是不是|有无)(?:已经?|被)?$|\b(?:whether|if)(?: \w+){0,3} $|\b(?:when|why|how(?! many\b))\b[^?]*$"
)
_STANDS = re.compile(
    r"\s*(?:了)?(?:情况|与否|没有?(?=$|[?？。])|吗(?=$|[?？。])|状态|状况|日期|时间| (?:status|state|date|day|time|by)\b)"
)
# a question whether there are such asks for them, and is answered by them
_ANY = re.compile(r"\b(?:is|are|was|were) there\b|\bany\b|^(?:还|现在|目前)*有|有没有|有哪|有谁|是不是有")
_LED_BY = re.compile(r"^(?:is|are|was|were|has|have|had)(?: been)? |^(?:be|being|been) ")
_LED_BY_ZH = re.compile("^(?:是否|有无|是不是|有没有)?(?:已经?|被)?")
_NOR = re.compile(r"\s*(?:,|、|，)?\s*(?:or|nor|和|或者?|以及|也没有?|,|、|，)\s*(?:已|被)?")

Said = Mapping[str, tuple[SlotSpec, str]]


class Choices:
    """Words of a type's enum values; made once a catalog. ``bare``: those that count only when denied."""

    def __init__(self, form_type: FormType) -> None:
        words: dict[str, tuple[SlotSpec, str]] = {}
        bare: dict[str, tuple[SlotSpec, str]] = {}
        for spec in form_type.slots.values():
            if spec.type != "enum":
                continue
            for value, synonyms in spec.values.items():
                for said in (value.replace("_", " "), value, *synonyms):
                    word = normal(said)
                    if len(word) > 1:
                        words.setdefault(word, (spec, value))
                    if has_han(word) and word[0] in "已被" and len(word) > 1:
                        bare.setdefault(word[1:], (spec, value))
        self.words: Said = words
        self._bare: Said = bare
        self._flags: dict[str, str] = {}
        self._kin: dict[str, str] = {}
        calls = {normal(a) for a in (form_type.name, *form_type.aliases)}
        for spec in form_type.slots.values():
            if spec.type != "boolean":
                continue
            for said in (spec.name.replace("_", " "), *spec.aliases):
                word = normal(said)
                word = _LED_BY_ZH.sub("", word) if has_han(word) else _LED_BY.sub("", word)
                if len(word) > 1 and word not in calls and word not in STOP_EN:
                    self._flags.setdefault(word, spec.name)
                    short = word[:2]
                    if has_han(word) and len(word) >= 4 and not _begins_other(form_type, spec, short):
                        self._flags.setdefault(short, spec.name)  # 有机 of 有机认证
                    if " " not in word and (kin := kindred(word)) is not None:
                        self._kin.setdefault(kin, spec.name)

    @property
    def said(self) -> frozenset[str]:
        """Words that say a value, and name no slot that may be missing."""
        return frozenset((*self.words, *self._flags))

    def said_in(self, draft: Draft) -> list[Span]:
        """Where words for values stand."""
        return [span for span, _, _, bare in self._said(draft) if not bare]

    def read(self, draft: Draft) -> None:
        """Adds the values that the question demands: of each enum one condition."""
        text = draft.text
        found: dict[str, tuple[SlotSpec, set[str]]] = {}
        where: dict[str, list[Span]] = {}
        denial: tuple[str, int] | None = (
            None  # the enum of which a value was denied last, and where that ends
        )
        for span, spec, value, bare in sorted(self._said(draft), key=lambda said: said[0]):
            before = text[: span[0]]
            yet = _UNYET.search(before)
            denied = yet or _NOT.search(before)
            goes_on = (
                denial is not None
                and denial[0] == spec.name
                and _NOR.fullmatch(text, denial[1], span[0]) is not None
            )
            if bare and not denied and not goes_on:
                continue
            have = found.setdefault(spec.name, (spec, set()))[1]
            where.setdefault(spec.name, []).append(span)
            draft.spans.append(span)
            if goes_on and denied is None:  # neither completed nor cancelled
                have.discard(value)
                denial = spec.name, span[1]
            elif denied is None:
                have.add(value)
                denial = None
            else:
                later = _YET.search(denied.group()) or text[span[1] :].startswith(" yet")
                early = before_value(spec, value) if later or finished(value, spec.values[value]) else ()
                have |= set(early) or set(spec.values) - {value}
                draft.spans.append(denied.span() if denied.end() < span[0] else (denied.start(), span[1]))
                denial = spec.name, span[1]
        for name, (_, values) in found.items():
            spans = where[name]
            whole = min(a for a, _ in spans), max(b for _, b in spans)  # between them other words may stand
            draft.conditions.append(Condition(whole, (Among(name, frozenset(values)),)))

    def read_flags(self, draft: Draft) -> None:
        """Adds what must be so, or not: "which batches are not paid", 没付清的. Of what is not known nothing is said."""
        text = draft.text
        if not self._flags or (draft.question.whether and _ANY.search(text) is None):
            return
        for (start, end), slot in self._flagged(draft):
            if _EACH.search(text, 0, start) or _STANDS.match(text, end):
                continue
            no = _NO.search(text[:start])
            draft.add((no.start() if no else start, end), Among(slot, frozenset((no is None,))))

    def _flagged(self, draft: Draft) -> Iterator[tuple[Span, str]]:
        """Words for booleans in the question, the longest first, none inside another word that it declares."""
        text, taken = draft.text, list(draft.spans)
        longer = [(w.start, w.end) for w in draft.question.declared]
        for word in sorted(self._flags, key=len, reverse=True):
            edge = "" if has_han(word) else r"(?:(?<=\bun)|\b)"
            close = "" if has_han(word) else r"s?\b"
            # 保了价, 打过疫苗
            said = f"{word[0]}[了过]?{re.escape(word[1:])}" if has_han(word[:2]) else re.escape(word)
            for found in re.finditer(f"{edge}{said}{close}", text):
                span = found.span()
                inside = any(a <= span[0] and span[1] <= b and b - a > span[1] - span[0] for a, b in longer)
                if not inside and not any(a < span[1] and span[0] < b for a, b in taken):
                    taken.append(span)
                    yield span, self._flags[word]
        for start, end, han in draft.question.units if self._kin else ():
            slot = None if han else self._kin.get(kindred(text[start:end]) or "")
            if slot is not None and not any(a < end and start < b for a, b in taken):
                taken.append((start, end))
                yield (start, end), slot

    def read_standing(self, draft: Draft) -> None:
        """Reads whether what is over is meant, what is unfinished, or what still holds."""
        text = draft.text
        bounded = "valid_until" in draft.form_type.slots
        if bounded and (over := _OVER.search(text)):
            draft.add(over.span(), Expired())
        elif (ends := expiry(draft.form_type)) and (over := _OVER.search(text)):
            if not any(isinstance(t, During) and t.slot == ends.name for t in draft.tests):
                draft.add(over.span(), During(ends.name, None, draft.now.date() - timedelta(days=1)))
        elif (
            (found := _UNFINISHED.search(text))
            and not draft.taken((found.start(), found.start() + 1))
            and found.group() not in self.words  # an open complaint: its own status
        ):
            begun = unfinished(draft.form_type)
            draft.spans.append(found.span())
            if begun is not None:
                draft.add(found.span(), begun)
        if bounded and (found := _STANDING.search(text)):
            draft.spans.append(found.span())

    def _said(self, draft: Draft) -> Iterator[tuple[Span, SlotSpec, str, bool]]:
        """Enum words of the question, none inside another, the longest first."""
        text = draft.text
        taken = [
            (w.start, w.end)
            for w in draft.question.declared
            if any(m.slot is None and m.type == draft.form_type.name for m in w.meanings)
        ]
        for words, bare in ((self.words, False), (self._bare, True)):
            for word in sorted(words, key=len, reverse=True):
                at = text.find(word)
                while at >= 0:
                    plural = not has_han(word) and _PLURAL.match(text, at + len(word)) is not None
                    span = at, at + len(word) + plural
                    whole = has_han(word) or (
                        not (
                            text[at - 1 : at].isalnum()
                            and not text[max(0, at - 3) : at].strip().endswith("un")
                        )
                        and not text[span[1] : span[1] + 1].isalnum()
                    )
                    if whole and not draft.taken(span) and not any(a < span[1] and at < b for a, b in taken):
                        taken.append(span)
                        yield span, *words[word], bare
                    at = text.find(word, span[1])


def _begins_other(form_type: FormType, spec: SlotSpec, word: str) -> bool:
    others = (s for s in form_type.slots.values() if s is not spec)
    return any(normal(alias).startswith(word) for s in others for alias in s.aliases)


__all__ = ["Choices"]
