"""The same words said again in a conversation are asked about once, where they do not point back."""

from __future__ import annotations

from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing.model_server import ModelServer

LONG = "碧桂园凑一凑300万能拿下"
SHORT = "海蓝凑50万"


def _reply(request: Any) -> Any:
    said = request["messages"][-1]["content"]
    facts = []
    if LONG in said:
        facts = [
            {"form": "lead_profile", "slot": "company", "value": "碧桂园", "quote": "碧桂园凑一凑300万"},
            {"form": "lead_profile", "slot": "budget", "value": "300万", "quote": "碧桂园凑一凑300万"},
        ]
    elif SHORT in said:
        facts = [{"form": "lead_profile", "slot": "company", "value": "海蓝", "quote": SHORT}]
    return {"facts": facts}


def _calls(turns: list[tuple[str, str]]) -> list[int]:
    with ModelServer(_reply) as server:
        settings = {"model": "m", "base_url": server.base_url}
        with Memory.open(":memory:", form_types=["lead_profile"], settings=settings) as memory:
            return [memory.observe(text, role=role).cost.model_calls for role, text in turns]


@pytest.mark.parametrize("text", [LONG, "we could stretch to half a mil for the Hailan people", SHORT])
def test_the_same_words_twice_are_paid_for_once(text: str) -> None:
    assert _calls([("user", text)] * 3) == [1, 0, 0]


def test_words_that_stand_by_themselves_cost_nothing_behind_other_turns() -> None:
    others = [("assistant", "好的，已记下。"), ("user", "谢谢"), ("assistant", "不客气。")]
    assert _calls([("user", LONG), *others, ("user", LONG)]) == [1, 0, 0, 0, 0]


def test_words_that_may_answer_are_asked_about_beside_each_question() -> None:
    asked = [("assistant", "海蓝电子想凑多少？"), ("assistant", "碧桂园那边凑多少？")]
    turns = [asked[0], ("user", "凑一凑五六十个吧"), asked[1], ("user", "凑一凑五六十个吧")]
    assert _calls(turns) == [0, 1, 0, 1]
