"""What is asked of whom a slot of a named thing names: S-04的麻醉师电话, "the phone of the driver of parcel 12".

The thing's own slots say nothing of that: where the one who is named there has no Form, or it does not know, the answer
is not known.
"""

# ruff: noqa: E501 (a list of words and a pattern read best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from forms_dynamics.assertions import winner
from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.model.record import Scope
from forms_dynamics.model.value import decode
from forms_dynamics.ports import Store
from forms_dynamics.projection import state_of
from forms_dynamics.retrieval.lexicon import HINT, Word
from forms_dynamics.retrieval.names import EXACT, Anchor, from_key
from forms_dynamics.retrieval.question import Question
from forms_dynamics.schema.spec import Catalog, SlotSpec

# between the name and the slot, and between the slot and what is asked of whom it names
_AFTER_NAME = re.compile(r"['’]s (?:current )?|(?:['’]s)? ?的? ?(?:那个|现在的|目前的)?(?=[一-鿿])")
_BEFORE_NAME = re.compile(r" (?:of|for|on) (?:the |our |this )?(?:[a-z]+ )?(?:no\.? |#)?")
_OWNS = re.compile(
    r"(?:['’]s |的|他的|其)?(?:现在|目前)?(?:是?在|是|住在?|来自|来自于|叫|会[说讲]?|能[说讲]?|[说讲])?(?:哪[个一座里]?|什么|哪些)?(?:什么时候|何时|哪天|几号)?"
)
_AND = re.compile(r"\b(?:and|or|nor|plus)\b|[,，、&和与跟及或]")
_OWNED = re.compile(
    r"(?:的|['’]s )(?!名字|姓名|名称|全名|大名|name\b|full name\b|[是吗呢啊]|叫|$|[？?。，, ])"
)


@dataclass(frozen=True, slots=True)
class Through:
    """``anchors``: those whom the slot names, with the slots that are asked of them by type (``asked``). No anchors: nobody
    of that name is known here."""

    anchors: Sequence[Anchor] = ()
    asked: Mapping[str, tuple[str, ...]] | None = None


def through(
    question: Question, anchors: Sequence[Anchor], catalog: Catalog, scope: Scope, store: Store
) -> Through | None:
    """Where the question leads on from one of ``anchors`` over its slot to another thing; None where it does not."""
    for anchor in anchors:
        form_type = catalog.types.get(anchor.type)
        if form_type is None or anchor.span is None or anchor.how != EXACT:
            continue
        for word, spec in _links(question, anchor, form_type.slots):
            asked = _asked_of(question, word, anchor)
            beyond = {t: slots for t, slots in asked.items() if _may_be(spec, t)}
            if (
                not asked
                and _OWNED.match(question.text, word.end) is None
                and not _its_own(question, word, anchor)
            ):
                continue
            met = _named(anchor, spec, beyond, catalog, scope, store)
            if met:
                return Through(met, {t: beyond[t] for t in dict.fromkeys(a.type for a in met)})
            if anchor.type not in asked or _its_own(question, word, anchor):
                return Through()
    return None


def _its_own(question: Question, link: Word, anchor: Anchor) -> bool:
    """Whether what is asked can be of whom ``link`` names alone: "where does the consignee of … live", "the weight of
    the driver of …", 收件人是哪里人, 麻醉师电话 where no slot is called 电话."""
    text = question.text
    start, _ = anchor.span or (0, 0)
    if has_han(text[link.start : link.end]):
        return _OF_HIM_ZH.match(text, link.end) is not None or _goes_on(question, link.end)
    if _owner(text, link):
        return _NAME.match(text, link.end) is None
    behind = link.start > start and _OF.search(text, 0, start) is not None
    return behind or _OF_HIM.search(text, 0, link.start) is not None


def _goes_on(question: Question, at: int) -> bool:
    """Whether two Chinese characters and more that nothing explains stand there."""
    if question.whether or _NAME.match(question.text, at):
        return False
    behind = [
        (a, free and han) for (a, _, han), free in zip(question.units, question.free, strict=True) if a >= at
    ][:2]
    return len(behind) == 2 and all(free for _, free in behind) and behind[0][0] == at


_NAME = re.compile(r" ?(?:的)?(?:名字|姓名|名称|全名|大名)| (?:full |first |last )?name\b")
_OF = re.compile(
    r"(?<!\bname)(?<!\bnames)(?<!\bany)(?<!\bsome)(?<!\ball)(?<!\bwhich)(?<!\bone) of (?:the |our )?$"
)
_OF_HIM_ZH = re.compile(
    "(?:现在|目前)?(?:是|在|住|来自)?(?:哪[里儿国]|多[大高重少长]|几岁|什么时候|何时|怎么)|的(?!名字|姓名|名称|是|吗)[一-鿿]"
)
_OF_HIM = re.compile(
    r"\b(?:where|when|how \w+) (?:does|do|did|is|was|are|were|has) (?:the |our )?$|\w of (?:the |our )$"
)


def _may_be(spec: SlotSpec, type: str) -> bool:
    return spec.type != "ref" or spec.ref == type


def _links(
    question: Question, anchor: Anchor, slots: Mapping[str, SlotSpec]
) -> Iterator[tuple[Word, SlotSpec]]:
    """Words right beside the anchor's name for a slot of its type that names somebody or something."""
    start, end = anchor.span or (0, 0)
    text = question.text
    if text[start:end].endswith(("'s", "’s")):
        end -= 2
    for word in dict.fromkeys((*question.declared, *question.words)):
        for meaning in word.meanings:
            if meaning.type != anchor.type or meaning.slot is None or meaning.level <= HINT:
                continue
            spec = slots[meaning.slot]
            if spec.type not in ("text", "ref"):
                continue
            behind = word.start >= end and _after(text, end, word.start)
            ahead = word.end <= start and _BEFORE_NAME.fullmatch(text, word.end, start)
            if not ahead and word.end <= start:  # "the consignee's phone for parcel 12"
                ahead = _owner(text, word) and re.search(r" (?:of|for|on) (?:[a-z]+ )?$", text[:start])
            if behind or ahead:
                yield word, spec


def _after(text: str, end: int, start: int) -> bool:
    said = _AFTER_NAME.match(text, end)
    return said is not None and said.end() == start


def _owner(text: str, word: Word) -> bool:
    """Whether an English word stands as an owner: consignee's."""
    return text[word.start : word.end].endswith(("'s", "’s")) or text[word.end : word.end + 2] in ("'s", "’s")


def _asked_of(question: Question, link: Word, anchor: Anchor) -> dict[str, tuple[str, ...]]:
    """Slots that are asked of whom ``link`` names, by type."""
    text = question.text
    out: dict[str, dict[str, None]] = {}
    for word in dict.fromkeys((*question.declared, *question.words)):
        if word.start < link.end and link.start < word.end:
            continue
        behind = word.start >= link.end
        between = text[link.end : word.start] if behind else text[word.end : link.start]
        if _AND.search(between) or (
            anchor.span and word.start < anchor.span[1] and anchor.span[0] < word.end
        ):
            continue
        if has_han(text[link.start : link.end]) and (not behind or not _OWNS.fullmatch(between)):
            continue
        verb = between.strip() and not re.search(r"\b(?:speak|have|has|live|use|work)", between)
        past = anchor.span is not None and word.start >= anchor.span[1] and _its_own(question, link, anchor)
        if (
            not has_han(text[link.start : link.end])
            and behind
            and verb
            and not past
            and not _owner(text, link)
        ):
            continue
        for meaning in word.meanings:
            if meaning.slot is not None:
                out.setdefault(meaning.type, {})[meaning.slot] = None
    return {type: tuple(slots) for type, slots in out.items()}


def _named(
    anchor: Anchor,
    spec: SlotSpec,
    asked: dict[str, tuple[str, ...]],
    catalog: Catalog,
    scope: Scope,
    store: Store,
) -> list[Anchor]:
    """Anchors for those whom the slot of the anchor's Form names, of the types of which something is asked."""
    record = store.forms(scope, [anchor.form]).get(anchor.form)
    if record is None or not asked:
        return []
    held = winner(spec, state_of(record, catalog.types[anchor.type])["s"].get(spec.name, ()), record.updated)
    values = [] if held is None else held["v"] if isinstance(held["v"], list) else [held["v"]]
    names = [normal(v) for v in map(decode, values) if isinstance(v, str)]
    keys = [k for k in store.names(scope, names) if k.type in asked and "#" not in k.slots] if names else []
    return [from_key(k, anchor.span, EXACT, f"the {spec.name} of {anchor.name}: {k.name}") for k in keys]


__all__ = ["Through", "through"]
