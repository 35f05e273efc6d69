"""Whose a fact is that stands on a Form with a name of its own: Tom's, who tells it, or a neighbour's, who did it."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

from collections.abc import Sequence

from forms_dynamics.language import cues, voices
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import normal
from forms_dynamics.model.gated import Span
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


def _tied(text: str, one: Span, other: Span) -> bool:
    first, second = sorted((one, other))
    return first[1] > second[0] or _TIE.fullmatch(text, first[1], second[0]) is not None


__all__ = ["of_people", "told_of_other"]
