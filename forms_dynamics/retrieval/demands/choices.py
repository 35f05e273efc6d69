"""Values of enums that a question demands or denies: "signed contracts", 还没完成的, "not cancelled or done"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta

from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.retrieval.demands.course import before_value, finished, unfinished
from forms_dynamics.retrieval.demands.day_slots import expiry
from forms_dynamics.retrieval.demands.draft import Condition, Draft, Span
from forms_dynamics.retrieval.restriction import Among, During, Expired
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
                draft.spans.append(denied.span())
                denial = spec.name, span[1]
        for name, (_, values) in found.items():
            spans = where[name]
            whole = min(a for a, _ in spans), max(b for _, b in spans)  # between them other words may stand
            draft.conditions.append(Condition(whole, (Among(name, frozenset(values)),)))

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
                        not (text[at - 1 : at].isalnum() and not text[at - 3 : at].strip().endswith("un"))
                        and not text[span[1] : span[1] + 1].isalnum()
                    )
                    if whole and not draft.taken(span) and not any(a < span[1] and at < b for a, b in taken):
                        taken.append(span)
                        yield span, *words[word], bare
                    at = text.find(word, span[1])


__all__ = ["Choices"]
