"""What goes wrong in an extractor of one's own names its class and method, and the message waits."""

from __future__ import annotations

from typing import Any

import pytest

from forms_dynamics import FormExtractor, Memory
from forms_dynamics.model.answer import Answer
from forms_dynamics.model.message import Cost

TEXT = "we could stretch to half a mil for the Hailan people"


class Model:
    name = "m"
    asked = 0

    def ask(self, prompt: Any, reply: Any) -> Answer:
        Model.asked += 1
        fact = {"form": "lead_profile", "slot": "budget", "value": "half a mil", "quote": "half a mil"}
        return Answer({"facts": [fact]}, Cost(1, 10, 1))


def _fails(*given: Any) -> Any:
    return {}["gone"]


@pytest.mark.parametrize("method", ["prompt", "coerce", "score", "verify"])
def test_an_exception_names_class_and_method(method: str) -> None:
    def step(self: Any, *given: Any) -> Any:
        return _fails(*given)

    step.__qualname__ = f"Mine.{method}"
    mine = type("Mine", (FormExtractor,), {method: step})
    with Memory.open(
        ":memory:", form_types=["lead_profile"], extractor=mine(["lead_profile"], llm=Model())
    ) as memory:
        receipt = memory.observe(TEXT)
    assert receipt.state == "queued"
    assert receipt.waiting == f"KeyError: 'gone' (in Mine.{method})"


@pytest.mark.parametrize("given", ["x", None, [], ["x"], [{"role": "user"}]])
def test_a_prompt_that_is_none_is_not_sent(given: Any) -> None:
    class Mine(FormExtractor):
        def prompt(self, message: Any, form_types: Any, known: Any) -> Any:
            return given

    before = Model.asked
    with pytest.raises(TypeError, match=r"Mine\.prompt gives a list of"):
        Mine(["lead_profile"], llm=Model()).run(TEXT)
    assert Model.asked == before


@pytest.mark.parametrize("given", [None, float("nan"), "sure", True])
def test_a_score_that_is_none_is_told(given: Any) -> None:
    class Mine(FormExtractor):
        def score(self, form_type: str, slot: str, draft: Any, message: Any) -> Any:
            return given

    with pytest.raises(TypeError, match=r"Mine\.score gives a number from 0 to 1"):
        Mine(["lead_profile"], llm=Model()).run(TEXT)
