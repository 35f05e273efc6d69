"""Known Forms that a message calls by their number or name alone: "A-1 total: 350 USD", A-1的总价是350美元.

A label right beside such a name is that Form's, whichever type the conversation touched last; where its type has
no such slot, it is nobody's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from forms_dynamics.extraction.lexicon import Hit, Lexicon, Slot, names_alone, slot_of
from forms_dynamics.extraction.records import Named
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.model.form import Form
from forms_dynamics.schema.spec import Catalog

_BEHIND = lazy(r"(?:['’]s|的|\s*[:：,，])?\s*(?:(?:the|its|new|current) |新的?|现在的?)?")
_OF = lazy(r"\s+(?:of|for|on) (?:the )?")
_CALLED = lazy(r"\s*(?:号|编号|number|no\.?|#|＃)?\s*[:：]?\s*[#＃]?")
_PLAIN = lazy(r"['’]s\b|的|\s*[:：]")


class Mention(NamedTuple):
    """``text[start:end]`` names a known Form of ``slot``'s type."""

    start: int
    end: int
    slot: Slot

    @property
    def numbered(self) -> bool:
        """Whether a digit tells it from the words of a sentence."""
        return self.slot.kind == "number"


def mentioned(low: str, known: Sequence[Form], catalog: Catalog) -> list[Mention]:
    """The known Forms of things, the last touched first, that ``low`` names as whole words; a name inside a longer
    one does not count."""
    found: dict[tuple[int, int, str], Mention] = {}
    for form in known:
        form_type = catalog.types.get(form.type)
        if form_type is None or form.status != "active":
            continue
        for spec in form_type.slots.values():
            value = form[spec.name]
            if not isinstance(value, str) or not names_alone(form_type, spec):
                continue
            slot = slot_of(form_type, spec)
            if slot.speakers:
                continue
            for start, end in _places(low, normal(value)):
                found.setdefault((start, end, form.type), Mention(start, end, slot))
    all_ = list(found.values())
    return [
        one
        for one in all_
        if not any(
            o.start <= one.start and one.end <= o.end and o.end - o.start > one.end - one.start for o in all_
        )
    ]


def _places(low: str, name: str) -> Iterator[tuple[int, int]]:
    if len(name) < 2:
        return
    begins = r"(?<![a-z0-9])(?<![a-z0-9][-_/.])" if name[0].isascii() else ""
    ends = r"(?![a-z0-9])(?![-_/.][a-z0-9])" if name[-1].isascii() else ""
    for m in re.finditer(begins + re.escape(name) + ends, low):
        # 5000 is an amount unless something is said of it
        if not name.isdecimal() or _PLAIN.match(low, m.end()):
            yield m.span()


def labels_of(
    low: str, hits: Sequence[Hit], mentions: Sequence[Mention], lexicon: Lexicon
) -> tuple[list[Hit], list[Named]]:
    """The hits, where those of labels beside a mention mean the slots of its Form's type alone, and what the labels
    are of."""
    alone = [m for m in mentions if m.slot.kind not in ("company", "person") and not _called(low, hits, m)]
    if not alone:
        return list(hits), []
    out: list[Hit] = []
    named: dict[tuple[int, int], Named] = {}
    for hit in hits:
        beside = [m for m in alone if _beside(low, hit, m)]
        if not beside or hit.word.role != "alias" or hit.word.types or hit.word.bare:
            out.append(hit)
            continue
        first = beside[0]
        beside = [m for m in beside if (m.start, m.end) == (first.start, first.end)]
        types = {m.slot.type.name for m in beside}
        slots = tuple(s for s in hit.word.slots if s.type.name in types)
        slots += tuple(
            s
            for m in beside
            for word in lexicon.bare.get(m.slot.type.name, ())
            if word.text == hit.word.text
            for s in word.slots
            if s not in slots
        )
        if slots:
            word = replace(hit.word, slots=slots, weak=False, generic=False, aside=frozenset())
            end = max(hit.end, first.end)  # "the total of A-1"
            out.append(Hit(hit.start, end, word))
            if len(types) == 1:
                named[first.start, first.end] = Named(first.slot, first.start, first.end, first.start)
        elif not first.numbered:
            out.append(hit)
    return out, list(named.values())


def _called(low: str, hits: Sequence[Hit], mention: Mention) -> bool:
    """Whether the message itself says of which type it is (order A-1, 订单号A-1)."""
    return any(
        (hit.word.types or hit.word.ids)
        and hit.end <= mention.start
        and _CALLED.fullmatch(low, hit.end, mention.start) is not None
        for hit in hits
    )


def _beside(low: str, hit: Hit, mention: Mention) -> bool:
    if mention.end <= hit.start:
        gap = low[mention.end : hit.start]
        # 天际预算 needs nothing between, "Skyline budget" a space
        return _BEHIND.fullmatch(gap) is not None and (gap != "" or has_han(low[hit.start]))
    return hit.end <= mention.start and _OF.fullmatch(low, hit.end, mention.start) is not None


__all__ = ["Mention", "labels_of", "mentioned"]
