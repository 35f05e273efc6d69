"""What is said of a named thing by a verb or an adjective in place of a label: "Bramble weighs 430 kg", 云朵重490公斤,
"N7 is 60 m long", "Juniper is owned by Sara Quinn", 三号机由李雷负责.

Which slot is meant follows from its names alone: an adjective stands for the measure of its name (long: length), a
verb for the one who does it (train: trainer). The name of the thing stands right before.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from forms_dynamics.extraction.found import CUED, PATTERN, Found
from forms_dynamics.extraction.lexicon import Hit, Slot, Word, slot_of
from forms_dynamics.extraction.mentioned import Mention
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.units import converted, unit_behind, unit_of
from forms_dynamics.schema.spec import FormType, SlotSpec

_NOW = r"(?:现在|目前|今天|如今|已经?|也|都|足足|只|才)*"
_N = (
    r"(?:(?:about |around |nearly |约|大概|大约|近)*(?P<n>[0-9][0-9.,]*|[零一二三四五六七八九十百千万半两]+))"
)
_MEASURES_ZH = lazy(rf"\s*{_NOW}(?P<verb>(?P<how>[重高长宽深厚]))(?:达到?|有)?\s*{_N}")
_MEASURES_EN = lazy(
    rf"\s+(?:now |currently |also |still |only |just )*(?P<verb>(?P<how>weighs|stands)(?: in at)?|is|measures|['’]s)\s+(?:now |currently |only |just )*{_N}"
)
_HOW_EN = lazy(r"[ -]?(?P<how>heavy|tall|high|long|wide|deep|thick)\b(?! (?:than|enough|for))")
# "belongs to Ada Cole and weighs 32 kg"
_AND_WEIGHS = lazy(r"\s+(?!weighs|stands)[^,.;!?\n]{1,40}? and(?= (?:weighs|stands) )")
_JOINT = lazy(r"\s*[,，、]?(?:\s*(?:and|but|同时|而且|并且))?(?=\s)|\s*[,，、]")
_NAMES_OF = {
    "重": ("重", "weight"), "高": ("高", "height"), "长": ("长", "length"), "宽": ("宽", "width"),
    "深": ("深", "depth"), "厚": ("厚", "thickness"), "weighs": ("重", "weight"), "stands": ("高", "height"),
    "heavy": ("重", "weight"), "tall": ("高", "height"), "high": ("高", "height"), "long": ("长", "length"),
    "wide": ("宽", "width"), "deep": ("深", "depth"), "thick": ("厚", "thickness"),
}  # fmt: skip
# where one of the verbs may stand: what the clause begins with is looked up as a name
SAID = lazy(
    r"\b(?:weighs|stands|heavy|tall|high|long|wide|deep|thick|belongs?|allergic)\b|\b(?:is|are)(?: now| already| still)? (?:done|finished|open|on|off|new|old|good|bad|first|last)\b|[a-z]ed by\b|[重高长宽深厚](?:达到?|有|约|大概)?\s?[0-9零一二三四五六七八九十百千万半两]|[归由]|属于|过敏|(?<=[\u4e00-\u9fff])是(?=[\u4e00-\u9fff](?:$|[，。,；;]))"
)

_WHO = r"(?P<who>[A-Z](?:[\w'’-]|\.(?=[\w ]))*(?: (?:[A-Z](?:[\w'’-]|\.(?=\w))*|de|van|von)){0,3}|[\u4e00-\u9fff·]{2,4}?)"
_BY_END = r"(?=\s*(?:now|these days|from now on|any ?more|any longer|了|啦)?\s*(?:$|[,.;!?，。；！、]|\b(?:and|but|since|from|as)\b))"
_BE = r"\s+(?:(?P<no>(?:is|are) no longer|(?:is|are)(?: not|n['’]t)(?: any ?more)?)|(?:is|are|['’]s)(?: (?:now|currently|also))?)\s+"
_STEM = lazy(r"(?P<verb>[a-z]{2,}?)(?P<end>ers?|ors?)")
_AGENT_ZH = lazy(r"(?P<verb>[\u4e00-\u9fff]{2})[人员师者]")
OWNERS = frozenset(("owner", "主人", "所有人", "所有者", "拥有者", "物主"))


def measures(text: str, low: str, mentions: Sequence[Mention]) -> Iterator[Hit]:
    """The verbs and adjectives behind names that stand for the label of a measure, where unit and name agree."""
    for mention in mentions:
        at = mention.end
        direct = _MEASURES_ZH.match(low, at) or _MEASURES_EN.match(low, at)
        later = _AND_WEIGHS.match(low, at) if direct is None else None
        if later is not None and not any(
            at <= other.start < later.end() and other.slot.type is mention.slot.type for other in mentions
        ):
            at = later.end()
        while (m := _MEASURES_ZH.match(low, at) or _MEASURES_EN.match(low, at)) is not None:
            unit = unit_behind(text, m.end())
            if unit is None:
                break
            behind = _HOW_EN.match(low, unit[1])
            how = m["how"] if behind is None else behind["how"]
            slots = tuple(
                slot_of(mention.slot.type, s)
                for s in mention.slot.type.slots.values()
                if s.type in ("number", "integer") and how and _goes_by(s, how) and _measured_in(s, unit[0])
            )
            if len(slots) == 1:
                yield Hit(*m.span("verb"), Word(m["verb"], "alias", False, slots, beside=True))
            at = unit[1] if behind is None else behind.end()
            at = joint.end() if (joint := _JOINT.match(low, at)) is not None else at


def _goes_by(spec: SlotSpec, how: str) -> bool:
    zh, en = _NAMES_OF[how]
    return any(zh in one or en in one.lower() for one in (spec.name, *spec.aliases))


def _measured_in(spec: SlotSpec, said: str) -> bool:
    own = unit_of(spec.unit or "")
    return own is not None and converted(Decimal(1), said, own) is not None


def agents(text: str, mentions: Sequence[Mention]) -> Iterator[Found]:
    """Who does what a slot's name says, told of the thing that is named before: "is trained by", 由…负责, 归…所有."""
    for mention in mentions:
        name = text[mention.start : mention.end]
        for slot, pattern in _verbs_of(mention.slot.type):
            m = pattern.match(text, mention.end)
            if m is None:
                continue
            at = (mention.start, mention.end)
            op = "remove" if m["no"] else None
            yield Found((mention.slot,), *at, *at, name, CUED)
            yield Found((slot,), *m.span("who"), mention.end, m.end(), m["who"], PATTERN, op=op)


_MADE: dict[int, tuple[FormType, list[tuple[Slot, re.Pattern[str]]]]] = {}


def _verbs_of(form_type: FormType) -> list[tuple[Slot, re.Pattern[str]]]:
    """The slots of the type that name who does something, with each of the ways to say so."""
    made = _MADE.get(id(form_type))
    if made is None or made[0] is not form_type:
        out = [
            (slot_of(form_type, spec), re.compile(way))
            for spec in form_type.slots.values()
            if spec.type in ("text", "ref") and not spec.many and spec.name not in form_type.identity.slots
            for way in _ways((spec.name, *spec.aliases))
        ]
        if len(_MADE) > 1024:
            _MADE.clear()
        made = _MADE[id(form_type)] = (form_type, out)
    return made[1]


def _ways(names: Sequence[str]) -> Iterator[str]:
    done = [
        rf"{m['verb']}(?:{m['verb'][-1]})?ed|{m['verb']}d"
        for name in names
        if (m := _STEM.fullmatch(name.lower())) is not None
    ]
    if done:
        yield rf"{_BE}(?:{'|'.join(done)}) by {_WHO}{_BY_END}"
    if any(name.lower() in OWNERS or name.endswith("主") for name in names):
        yield (
            r"\s+(?:now )?(?:(?P<no>no longer belongs? to|do(?:es)?(?: not|n['’]t) belong to)|(?:now )?belongs? to) "
            + f"{_WHO}{_BY_END}"
        )
        yield rf"\s*{_NOW}(?:(?P<no>不再(?:归|属于)|不归|不属于)|归|属于){_WHO}(?:所有|名下)?{_BY_END}"
    elif verbs := [m["verb"] for name in names if (m := _AGENT_ZH.fullmatch(name)) is not None]:
        yield rf"\s*{_NOW}(?:(?P<no>不再)|改)?由{_WHO}(?:来)?(?:{'|'.join(verbs)}){_BY_END}"


__all__ = ["OWNERS", "SAID", "agents", "measures"]
