"""The course that the values of an enum list: what is not yet so, and what is over and done."""

from __future__ import annotations

from collections.abc import Sequence

from forms_dynamics.retrieval.restriction import Among
from forms_dynamics.schema.spec import FormType, SlotSpec

_FINISHED = frozenset(
    "completed complete finished done closed resolved final held delivered fulfilled paid settled archived "
    "完成 已完成 已结束 已解决 已关闭 已办结 已了结 已结清 已付 已付款 已支付 已赔付 已交付 已归档".split()
)


def unfinished(form_type: FormType) -> Among | None:
    """What is not finished yet, where an enum of the type lists the steps of a course."""
    for spec in form_type.slots.values():
        if spec.type == "enum":
            ends = [v for v, said in spec.values.items() if finished(v, said)]
            if ends:  # an order is paid before it is delivered
                return Among(spec.name, before_value(spec, ends[-1]))
    return None


def finished(value: str, said: Sequence[str]) -> bool:
    """Whether a value of an enum says that something is over and done."""
    return not _FINISHED.isdisjoint((value, *said))


def before_value(spec: SlotSpec, value: str) -> frozenset[str]:
    """Values that an enum declares before one: what is not yet so, where it lists the steps of a course."""
    values = list(spec.values)
    return frozenset(values[: values.index(value)])


__all__ = ["before_value", "finished", "unfinished"]
