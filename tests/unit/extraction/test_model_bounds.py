"""What a server or a user's own code may say is taken within bounds: numbers of tokens, many facts, long texts, no
numbers, clients that are none."""

from __future__ import annotations

import math
import time
from decimal import Decimal
from typing import Any

import pytest

from forms_dynamics import ExtractorUnavailable, FormExtractor, InvalidInput, Memory, Money
from forms_dynamics.extraction.scoring import probabilities
from forms_dynamics.model.answer import Answer
from forms_dynamics.model.message import Cost
from forms_dynamics.testing.model_server import ModelServer, Reply

TEXT = "we could stretch to half a mil for the Hailan people"


@pytest.mark.parametrize("usage", [(10**30, 10), (-5, -5), (0, 0)])
def test_a_count_of_tokens_that_cannot_be_is_counted_here(usage: tuple[int, int]) -> None:
    with (
        ModelServer(lambda request: Reply({"facts": []}, usage=usage)) as server,
        Memory.open(":memory:", settings={"model": "m", "base_url": server.base_url}) as memory,
    ):
        cost = memory.observe(TEXT).cost
        assert cost.model_calls == 1
        assert 100 < cost.tokens_in < 2000
        assert 0 < cost.tokens_out < 100
        assert memory.health().spent_today.tokens_in == cost.tokens_in


def test_a_check_that_gives_no_verdict_is_counted_and_the_message_waits() -> None:
    def reply(request: Any) -> Any:
        checks = "check a record" in str(request["messages"])
        fact = {"form": "lead_profile", "slot": "company", "value": "Hailan", "quote": "the Hailan people"}
        return {"agree": True} if checks else {"facts": [fact]}

    with ModelServer(reply) as server:
        settings = {
            "model": "m",
            "base_url": server.base_url,
            "back_check": "model",
            "model_retries": 1,
        }
        with Memory.open(":memory:", form_types=["lead_profile"], settings=settings) as memory:
            receipt = memory.observe(TEXT)
            assert receipt.state == "queued"
            assert receipt.cost.model_calls == len(server.requests)
            assert memory.health().spent_today.calls == len(server.requests)


def test_a_value_that_is_no_number_is_refused() -> None:
    class Odd(FormExtractor):
        def coerce(self, form_type: str, slot: str, raw: Any, message: Any) -> Any:
            return Money(Decimal("NaN"), "CNY")

    class Model:
        name = "m"

        def ask(self, prompt: Any, reply: Any) -> Answer:
            fact = {"form": "lead_profile", "slot": "budget", "value": "half a mil", "quote": "half a mil"}
            return Answer({"facts": [fact]}, Cost(1, 1, 1))

    extraction = Odd(["lead_profile"], llm=Model()).run(TEXT)
    assert extraction.form is None
    assert "NaN" in extraction.refused[0].reason


def test_the_probabilities_of_many_facts_take_time_in_step_with_them() -> None:
    def seconds(facts: int) -> float:
        logprobs = [(t, -0.1) for _ in range(facts) for t in ('{"value', '": "', "12", "34", '"}, ')]
        began = time.perf_counter()
        found = probabilities(logprobs, facts)
        assert found[0] == pytest.approx(math.exp(-0.1))
        return time.perf_counter() - began

    few, many = (min(seconds(facts) for _ in range(3)) for facts in (500, 8000))
    assert many < 100 * max(few, 0.0005)  # 256 times as long where it is quadratic


def test_a_long_text_takes_time_in_step_with_it() -> None:
    class Model:
        name = "m"

        def ask(self, prompt: Any, reply: Any) -> Answer:
            return Answer({"facts": []}, Cost(1, 1, 1))

    extractor = FormExtractor(["lead_profile"], llm=Model())

    def seconds(times: int) -> float:
        began = time.perf_counter()
        extractor.run(f"{TEXT} " * times)
        return time.perf_counter() - began

    seconds(10)
    short, long = (min(seconds(times) for _ in range(3)) for times in (100, 800))
    assert long < 30 * short  # 64 times as long where it is quadratic


@pytest.mark.parametrize("llm", [5, object(), ["m"]])
def test_what_is_no_client_is_told(llm: Any) -> None:
    with pytest.raises(InvalidInput, match="llm is an OpenAI"):
        FormExtractor(["lead_profile"], llm=llm)


def test_unavailable_is_still_told_of_a_client_that_fails() -> None:
    class Fails:
        class chat:
            class completions:
                @staticmethod
                def create(**request: Any) -> Any:
                    raise ConnectionError("gone")

    with pytest.raises(ExtractorUnavailable):
        FormExtractor(["lead_profile"], llm=Fails(), settings={"model_retries": 0}).run(TEXT)
