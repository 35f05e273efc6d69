"""A question without a value to say yes to is an open one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from forms_dynamics.schema.load import load_catalog
from forms_dynamics.schema.questions import ask

CATALOG = load_catalog(["quote_form"])
QUOTE = next(t for t in CATALOG if t.name == "quote_form")
SPEC = next(replace(s, question={}) for s in QUOTE.slots.values() if s.type == "money")


@pytest.mark.parametrize(
    "reason", ["low_confidence", "hedged", "inferred", "conflict", "proposal", "faded", "range"]
)
def test_no_value_no_hole_in_the_question(reason: str) -> None:
    zh, en = (ask(QUOTE, SPEC, None, reason, (), lang) for lang in ("zh", "en"))
    assert zh == f"请问{SPEC.label('zh')}是什么？"
    assert en == f"What is the {SPEC.label('en')}?"


def test_values_that_contradict_each_other_are_offered() -> None:
    told = ask(QUOTE, SPEC, None, "proposal", ("300万", "320万"), "zh")
    assert told == f"您说的{SPEC.label('zh')}是哪一个：300万、320万？"


@pytest.mark.parametrize(
    ("label", "shown"),
    [("喜欢的茶", "您喜欢的茶"), ("公司的地址", "您公司的地址"), ("电话", "您的电话"), ("目的", "您的目的")],
)
def test_a_label_with_a_particle_of_its_own_takes_no_second_one(label: str, shown: str) -> None:
    spec = replace(SPEC, aliases=(label,))
    for reason in ("low_confidence", "faded", "faded_many"):
        assert ask(QUOTE, spec, "5", reason, (), "zh").startswith(f"{shown}是")
    assert ask(QUOTE, spec, None, "first_contact", (), "zh") == f"请问{shown}是什么？"
