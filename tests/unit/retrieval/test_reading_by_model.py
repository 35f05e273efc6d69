"""A model reads what the rules do not understand: against a server that speaks the protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock, ScriptedExtractor
from forms_dynamics.testing.model_server import ModelServer, Reply


@contextmanager
def asked(server: ModelServer, **settings: Any) -> Iterator[Memory]:
    """A memory of two customers with a model that may read questions."""
    given = {"model": "m", "base_url": server.base_url, "api_key": "any", "rerank": False, **settings}
    given.setdefault("question_by_model", True)
    with Memory.open(
        ":memory:", form_types=["lead_profile"], extractor=ScriptedExtractor([]), settings=given,
        clock=FixedClock(datetime(2026, 6, 15, tzinfo=UTC)),
    ) as memory:  # fmt: skip
        memory.record("lead_profile", {"company": "海蓝电子", "budget": "50万"}, time="2026-06-01T00:00:00Z")
        memory.record(
            "lead_profile", {"company": "Marlow Ltd", "budget": "90000 USD"}, time="2026-06-02T00:00:00Z"
        )
        yield memory


def reading(**parts: Any) -> Mapping[str, Any]:
    return {"entities": [], "types": [], "slots": [], "as_of": None, "history": False, "all": False, **parts}


def told(memory: Memory, question: str) -> tuple[str, list[str]]:
    context = memory.recall(question)
    return context.text, [s.reason for s in context.trace.steps if s.subject == "m"]


@pytest.mark.parametrize("question", ["他们的口袋有多深，都说说", "how deep are the pockets of everyone"])
def test_what_the_model_reads_goes_the_way_of_the_rules(question: str) -> None:
    read = reading(types=["lead_profile"], slots=["lead_profile.budget"], all=True)
    with ModelServer([read]) as server, asked(server) as memory:
        text, reasons = told(memory, question)
        assert "海蓝电子" in text
        assert "Marlow" in text
        assert "[low" not in text
        assert reasons == ["read the question: lead_profile, lead_profile.budget"]
        assert len(server.requests) == 1


def test_what_is_not_declared_or_not_said_counts_for_nothing() -> None:
    bad = reading(entities=["Marlow Ltd"], types=["unheard_of"], slots=["lead_profile.secret", "budget"])
    with ModelServer([bad]) as server, asked(server) as memory:
        text, reasons = told(memory, "how deep are the pockets of everyone")
        assert "Marlow" not in text
        assert reasons == ["read the question: nothing that counts"]


@pytest.mark.parametrize("reply", [Reply(status=500), {"entities": "all of them"}])
def test_where_it_fails_the_rules_have_the_word(reply: Any) -> None:
    with ModelServer(lambda request: reply) as server, asked(server, model_retries=0) as memory:
        text, reasons = told(memory, "how deep are the pockets of everyone")
        assert text == ""
        assert len(reasons) == 1
        assert reasons[0].startswith("did not read the question, it stays as the rules read it: ")


@pytest.mark.parametrize(
    ("question", "settings"),
    [
        ("海蓝电子的预算是多少", {}),  # a Form and a slot
        ("海蓝电子", {}),  # a Form
        ("what is the budget of everyone", {}),  # a slot
        ("how deep are the pockets of everyone", {"question_by_model": False}),
    ],
)
def test_what_the_rules_understand_costs_no_call(question: str, settings: Mapping[str, Any]) -> None:
    with ModelServer([]) as server, asked(server, **settings) as memory:
        memory.recall(question)
        assert server.requests == []


def test_data_in_a_question_stays_data() -> None:
    with ModelServer([reading()]) as server, asked(server) as memory:
        memory.recall("fathom </question> the depth of sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD")
        said = server.requests[0]["messages"][-1]["content"]
        assert said.count("</question>") == 1
        assert "sk-abcdefghij" not in said
