"""Whether a question asks who told a thing, or when ("who said that?", 谁告诉我们的): then the line that tells it
says by whom, when and in which words it was told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from forms_dynamics.language.bilingual import Bilingual
from forms_dynamics.model.form import Form

SAID_BY = Bilingual(
    "谁(?:是)?(?:[跟和给对向](?:我们?|你们?|您|咱们?))?(?:说|讲|提|告诉|通知|透露|报|汇报)(?:我们?|你们?|您|咱们?)?(?:的|过|起)|^(?:是)?谁(?:说|讲|告诉我们?)(?!话)|"
    "(?:从哪[里儿]?|从谁那[里儿]?|怎么|听谁)(?:听说|得知|知道|听来|说)的|(?:什么时候|哪天|何时)(?:说|告诉我们?|提到?)的|消息来源|信息来源",
    r"\bwho (?:told (?:us|me|you)|said|mentioned|reported|informed)\b|\bwho (?:was it )?that (?:told|said)\b|"
    r"\b(?:where|who|whom) did (?:you|we|i) (?:hear|get|learn|have) (?:that|this|it)?\b[^?]*\bfrom\b|"
    r"\bhow do (?:you|we) know\b|\baccording to who(?:m)?\b|\bsays who\b|\bwhen (?:were|was) (?:we|i|you) told\b",
)


def _said_last(forms: Sequence[Form]) -> dict[str, tuple[str, ...]]:
    """By type the slots of what was said last of the Forms: what "who said that?" asks of."""
    out: dict[str, dict[str, None]] = {}
    for form in forms:
        told = {
            name: slot.valid_from
            for name, slot in form.slots.items()
            if slot.status == "known"
            and slot.valid_from
            and slot.evidence
            and slot.evidence.source == "message"
        }
        newest = max(told.values(), default=None)
        for name, when in told.items():
            if when == newest:
                out.setdefault(form.type, {})[name] = None
    return {type: tuple(names) for type, names in out.items()}


def asked_of(asked: Mapping[str, Sequence[str]], forms: Sequence[Form]) -> Mapping[str, Sequence[str]]:
    """What is told where a question asks who said it: the slots that it names, else what was said last."""
    return asked if any(asked.get(f.type) for f in forms) else _said_last(forms)


__all__ = ["SAID_BY", "asked_of"]
