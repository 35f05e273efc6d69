"""A fact told again makes no version; the message that told it goes with the fact all the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock, ScriptedExtractor

SAID = {
    "zh": ("海蓝电子", "人民币812,345元", "{}的预算是{}。", "跟{}对过了，预算{}。", "{}的预算是多少？"),
    "en": (
        "Fjord Tooling", "CNY 812,345", "The budget of {} is {}.", "Talked to {}, budget {}.",
        "What is the budget of {}?",
    ),
}  # fmt: skip


def told(company: str, budget: str) -> list[dict[str, object]]:
    slots = {
        name: {"value": v, "confidence": 0.95, "evidence": v}
        for name, v in (("company", company), ("budget", budget))
    }
    return [{"form_type": "lead_profile", "slots": slots}]


ENDS: dict[str, Callable[[Memory, str], object]] = {
    "retracted": lambda memory, form: memory.retract(form, "budget"),
    "corrected": lambda memory, form: memory.correct(form, "budget", "900,000 CNY"),
    "invalid": lambda memory, form: memory.invalidate(form),
}


@pytest.mark.parametrize("lang", SAID)
@pytest.mark.parametrize("how", ENDS)
def test_what_was_told_again_is_not_found_after_its_end(lang: str, how: str) -> None:
    company, budget, first, again, question = SAID[lang]
    clock = FixedClock("2026-01-05T10:00:00+08:00")
    script = ScriptedExtractor([told(company, budget), told(company, budget), []])
    with Memory.open(":memory:", clock=clock, extractor=script) as memory:
        form = memory.observe(first.format(company, budget), conversation="a").forms[0]
        clock.advance(days=3)
        memory.observe(again.format(company, budget), conversation="b")
        clock.advance(days=3)
        memory.observe(f"{company}？", conversation="c")
        assert "812,345" in memory.recall(question.format(company)).text
        ENDS[how](memory, form)
        told_now = memory.recall(question.format(company) + " 对过了 talked", max_hops=0)
        assert "812,345" not in told_now.text, told_now.text
        assert "812,345" in memory.recall(question.format(company), history=True).text
