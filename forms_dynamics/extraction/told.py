"""Whose a fact is that stands on a Form with a name of its own: Tom's, who tells it, or a neighbour's, who did it."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

from collections.abc import Mapping, Sequence

from forms_dynamics.extraction.lexicon import slot_of
from forms_dynamics.language import cues, voices
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import normal
from forms_dynamics.language.numerals import lowered
from forms_dynamics.language.subjects import owner_before
from forms_dynamics.model.gated import Span
from forms_dynamics.model.message import SlotDraft
from forms_dynamics.schema.spec import FormType

# between a person and the name that the Form goes by: 我朋友的公司海蓝电子, "my neighbour, Jakub", 我爸叫张三
_TIE = lazy(
    r"(?:['’]s|的|家的?)?\s*(?:公司|单位|厂|店|company|firm|shop|school)?\s*[,，:：(（]?\s*(?:名?叫做?|是|is|was|called|named|is called)?\s*"
)
_PERSON = frozenset("name person full_name contact 姓名 名字 人 人名 联系人".split())


def of_people(form_type: FormType) -> bool:
    """Whether Forms of the type go by a person's name: what is told of them is theirs, whoever they are."""
    return any(
        word in _PERSON
        for name in form_type.identity.slots
        if (spec := form_type.slots.get(name)) is not None
        for word in (name, *(normal(alias) for alias in spec.aliases))
    )


def told_of_other(text: str, span: Span, names: Sequence[Span], people: bool) -> str | None:
    """Who tells or does what the words say, unless the Form goes by that one's name; else None."""
    teller = voices.quoted(text, *span)
    who = teller or (None if people else cues.third_party(text, *span))
    if who is None or (teller is None and voices.pronoun(who)):
        return None
    at = text.rfind(who, 0, span[0] + len(who))
    for start, end in names:
        name = text[start:end]
        if name in who or (teller is None and at >= 0 and _tied(text, (at, at + len(who)), (start, end))):
            return None
    return who


_SURE = 0.6  # of a name that nothing but its place suggests
_SEVERAL = lazy("[和与及跟、]")
# what anything is said to have or to be at a time: no name
_NO_OWNER = lazy(
    r"(?:这|那|该|此|本|其|它|他|她|咱|我|你|您|大家|双方|各|每|第|上|下|前|后|今|明|昨|去年|现|目|总|整|全|最|新|旧|原|初|当|同|两|三|几|一).*|.*(?:[年月日周天时期次后前中里内外上下]|我们|你们|自己|公司|部门|团队)|"
    r"(?:[机车船主本整箱墙桥楼]|外)[身体机车面板门壳]|.*[^\u4e00-\u9fff].*"
)


def of_unknown(text: str, at: int, form_type: FormType) -> str | None:
    """What the label at ``at`` is said to be of, where that may be another thing than the Forms that the talk is about:
    黑珍珠的体重, in a talk about 云朵. None for Forms that have no names, or go by a firm's."""
    if len(form_type.identity.slots) != 1 or any(
        "$" in part for key in form_type.identity.keys for part in key
    ):
        return None
    if any(slot_of(form_type, spec).kind == "company" for spec in form_type.slots.values()):
        return None  # 装修的预算 is its customer's
    labels = {normal(w) for spec in form_type.slots.values() for w in (spec.name, *spec.aliases)}
    owner = owner_before(text, at) if lowered(text).startswith(tuple(labels), at) else None
    if owner is None or not 2 <= len(owner) <= 8:
        return None
    said = normal(owner)
    if said.endswith(tuple(labels)):
        return None  # 马主的电话
    for word in sorted((form_type.name, *form_type.aliases), key=len, reverse=True):
        said = said.removesuffix(normal(word))  # 这匹马的体重, 东门围场的容量
    return None if not said or _NO_OWNER.fullmatch(said) else owner


def said_owner(text: str, form_type: FormType, slots: Mapping[str, SlotDraft]) -> SlotDraft | None:
    """A draft of the name of what all of ``slots`` are said to be of, where that may be a Form that nobody knows."""
    told = sorted(slot.span[0] for slot in slots.values() if slot.span is not None)
    name = of_unknown(text, told[0], form_type) if told else None
    if name is None or _SEVERAL.search(name):
        return None
    if any(of_unknown(text, at, form_type) not in (None, name) for at in told):
        return None
    start = text.rindex(name, 0, told[0])
    span = (start, start + len(name))
    return SlotDraft(value=name, confidence=_SURE, evidence=name, span=span, inferred=True)


def _tied(text: str, one: Span, other: Span) -> bool:
    first, second = sorted((one, other))
    return first[1] > second[0] or _TIE.fullmatch(text, first[1], second[0]) is not None


__all__ = ["of_people", "of_unknown", "said_owner", "told_of_other"]
