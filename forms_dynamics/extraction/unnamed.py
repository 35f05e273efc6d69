"""Of what a message tells where it names none of the Forms that are known: 黑珍珠的体重 in a talk about 云朵, "Blue Heron
isn't insured", R-102是晨曦号的，故障是漏油.

What is told of a name that nobody knows is not written to the thing spoken of last: the name goes with it, as sure as
its form is, and a name that only stands where names do is asked about.
"""

# ruff: noqa: E501 (a list of words reads best on one line)
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from forms_dynamics.extraction.found import CUED
from forms_dynamics.extraction.lexicon import is_id_word, slot_of
from forms_dynamics.extraction.mentioned import Mention
from forms_dynamics.extraction.names_en import is_common
from forms_dynamics.extraction.records import may_say
from forms_dynamics.language.clauses import clause_of, sentence_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import normal
from forms_dynamics.language.numerals import lowered
from forms_dynamics.language.subjects import another_subject, owner_before
from forms_dynamics.model.message import SlotDraft
from forms_dynamics.schema.spec import FormType

_SURE = 0.6  # of a name that nothing but its place suggests
_SEVERAL = lazy("[和与及跟、]")
# what anything is said to have or to be at a time: no name
_NO_OWNER = lazy(
    r"(?:所有|全部|其[他它余]|别的|任何|有[的些]|这|那|该|此|本|其|它|他|她|咱|我|你|您|大家|双方|各|每|第|上|下|前|后|今|明|昨|去年|现|目|总|整|全|最|新|旧|原|初|当|同|两|三|几|一).*|.*(?:[年月日周天时期次后前中里内外上下]|我们|你们|自己|公司|部门|团队)|"
    r"(?:[机车船主本整箱墙桥楼]|外)[身体机车面板门壳]|.*[^\u4e00-\u9fff].*"
)
_SUBJECT_EN = lazy(
    r"\s*(?:and |but |so |also )?(?P<x>[A-Z][\w&'’-]*?(?: [A-Z0-9][\w&'’-]*?){0,3})(?: (?:is|has|was|does|now|still|also|no longer|belongs|weighs|costs|stands|measures|holds|needs|lives|dropped|rose|went)\b|(?:['’]s)? (?:isn|hasn|doesn)['’]t\b)"
)
_NO_SUBJECT = lazy(
    r"[\s,，]*(?:and |but |also )*(?:weighs|costs|stands|measures|belongs|has|is|was|isn['’]t|holds|seats|[重高长宽价]|体?重|\d|没有?|不|已经?|有)"
)
_SUBJECT_ZH = lazy(
    r"\s*(?P<x>[\u4e00-\u9fff]{2,5}?)(?:现在|目前|已经?|都|也|还)*(?:没有?|未|不是?|是(?!否)|有(?!没)|已经?|尚未)"
)


class Names(NamedTuple):
    """What a message names, and which of it is the name of no Form that is known."""

    all: Sequence[Mention] = ()
    unknown: Sequence[Mention] = ()


def goes_by_name(form_type: FormType) -> bool:
    """Whether Forms of the type are told apart by one name, and not a firm's, of which much else is said (装修的预算 is
    its customer's)."""
    keys = form_type.identity.keys
    if len(form_type.identity.slots) != 1 or any("$" in part for key in keys for part in key):
        return False
    return all(slot_of(form_type, spec).kind != "company" for spec in form_type.slots.values())


def of_unknown(text: str, at: int, form_type: FormType) -> str | None:
    """What the label at ``at`` is said to be of (黑珍珠的体重), where that may be another thing than the Forms that the
    talk is about."""
    if not goes_by_name(form_type):
        return None
    if "的" not in text[max(0, at - 2) : at]:
        return None
    labels = _labels(form_type)
    owner = owner_before(text, at) if lowered(text).startswith(tuple(labels), at) else None
    if owner is None or not 2 <= len(owner) <= 8:
        return None
    said = normal(owner)
    if said.endswith(tuple(labels)):
        return None  # 马主的电话
    for word in sorted((form_type.name, *form_type.aliases), key=len, reverse=True):
        said = said.removesuffix(normal(word))  # 这匹马的体重, 东门围场的容量
    return None if not said or _NO_OWNER.fullmatch(said) else owner


def _labels(form_type: FormType) -> set[str]:
    return {normal(w) for spec in form_type.slots.values() for w in (spec.name, *spec.aliases)}


def said_owner(
    text: str, form_type: FormType, slots: Mapping[str, SlotDraft], names: Names
) -> SlotDraft | None:
    """A draft of the name of what all of ``slots`` are told of, where that is no Form that is known."""
    told = sorted(slot.span for slot in slots.values() if slot.span is not None)
    if not told:
        return None
    at, end = told[0]
    head = sentence_of(text, at, end)[0]
    for one in names.unknown:
        begins = head <= one.start < at and not text[head : one.start].strip()
        if begins and one.slot.type.name == form_type.name:
            return _named(text, one.start, one.end)
    if any(slot.whose == "other" for slot in slots.values()):
        name = another_subject(text, at, at, persons=True)  # 李丽的押金
    else:
        name = of_unknown(text, at, form_type) or _subject(text, at, end, form_type)
    if name is None or _SEVERAL.search(name):
        return None
    if any(of_unknown(text, start, form_type) not in (None, name) for start, _ in told):
        return None
    start = text.rindex(name, 0, end)
    known = [m for m in names.all if m.start < start + len(name) and start < m.end]
    if known:
        own = next((m for m in known if m.slot.type.name == form_type.name), None)
        return None if own is None else _named(text, own.start, own.end)
    return replace(_named(text, start, start + len(name)), confidence=_SURE, inferred=True)


def _named(text: str, start: int, end: int) -> SlotDraft:
    return SlotDraft(value=text[start:end], confidence=CUED, evidence=text[start:end], span=(start, end))


def _subject(text: str, at: int, end: int, form_type: FormType) -> str | None:
    """Of what a clause says something without a label: "Blue Heron isn't insured", 银鸥没有保险."""
    if not goes_by_name(form_type):
        return None
    low, high = clause_of(text, at, end)
    if (head := sentence_of(text, at, end)[0]) < low and _NO_SUBJECT.match(text, low):
        low = head  # "Old Maple is a cello, weighs 3.4 kg": of whom the clauses before tell
    if (m := _SUBJECT_EN.match(text, low, high)) is not None and m.end("x") <= at:
        words = [normal(word) for word in m["x"].split()]
        called = {normal(w) for w in (form_type.name, *form_type.aliases)} | _labels(form_type)
        return None if is_common(words[0]) or called & {words[0], words[-1]} else m["x"]
    m = _SUBJECT_ZH.match(text, low, high)
    if m is None or m.end("x") > at or may_say(m["x"]) or is_id_word(m["x"]) or _NO_OWNER.fullmatch(m["x"]):
        return None
    subject = another_subject(text, m.end("x"), m.end("x"), verb=True)
    return m["x"] if subject == m["x"] else None


__all__ = ["Names", "goes_by_name", "of_unknown", "said_owner"]
