"""The course that the values of an enum list: what is not yet so, and what is over and done."""

from __future__ import annotations

from collections.abc import Sequence

from forms_dynamics.retrieval.restriction import Among
from forms_dynamics.schema.spec import FormType, SlotSpec

_FINISHED = frozenset(
    "completed complete finished done closed resolved final held delivered fulfilled settled archived returned "
    "cleared 完成 已完成 已结束 已解决 已关闭 已办结 已了结 已结清 已交付 已归档 已归还 归还".split()
)
_PAID = frozenset("paid 已付 已付款 已支付 已赔付".split())  # an end where nothing else is one


def unfinished(form_type: FormType) -> Among | None:
    """What is not finished yet, where an enum of the type lists the steps of a course."""
    for spec in form_type.slots.values():
        if spec.type != "enum":
            continue
        for words in (_FINISHED, _PAID):  # an order is paid before it is delivered
            ends = [v for v, said in spec.values.items() if not words.isdisjoint((v, *said))]
            if ends:
                return Among(spec.name, before_value(spec, ends[-1]) - set(ends))
    return None


def finished(value: str, said: Sequence[str]) -> bool:
    """Whether a value of an enum says that something is over and done."""
    return not (_FINISHED | _PAID).isdisjoint((value, *said))


def before_value(spec: SlotSpec, value: str) -> frozenset[str]:
    """Values that an enum declares before one: what is not yet so, where it lists the steps of a course."""
    values = list(spec.values)
    return frozenset(values[: values.index(value)])


__all__ = ["before_value", "finished", "unfinished"]
