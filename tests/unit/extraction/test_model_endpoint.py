"""What stands between a memory and its endpoint: odd bodies, the bound of calls, addresses and keys."""

from __future__ import annotations

from typing import Any

import pytest

from forms_dynamics import InvalidInput, Memory
from forms_dynamics.extraction.claims import claims
from forms_dynamics.settings import Settings
from forms_dynamics.testing.model_server import ModelServer, Reply

TEXT = "we could stretch to half a mil for the Hailan people"
ODD = {
    "choices are a mapping": {"choices": {"message": {"content": "{}"}}},
    "choices are a text": {"choices": "none"},
    "a deep nesting": {"choices": [{"message": {"role": "assistant", "content": "[" * 5000 + "]" * 5000}}]},
    "a deep nesting of objects": {"choices": [{"message": {"content": '{"a":' * 5000 + "1" + "}" * 5000}}]},
    "a list": [1, 2],
    "a number": 7,
}


@pytest.mark.parametrize("body", ODD.values(), ids=ODD.keys())
def test_calls_with_an_odd_body_are_counted(body: Any) -> None:
    with ModelServer(lambda request: Reply(body=body)) as server:
        settings = {"model": "m", "base_url": server.base_url, "model_retries": 1, "model_mode": "json"}
        with Memory.open(":memory:", form_types=["lead_profile"], settings=settings) as memory:
            receipt = memory.observe(TEXT)
            assert receipt.state == "queued"
            assert receipt.cost.model_calls == server.calls == memory.health().spent_today.calls > 0


@pytest.mark.parametrize("retries", [2, 3, 5])
def test_a_page_in_place_of_replies_costs_no_call_beyond_the_retries(retries: int) -> None:
    with ModelServer(lambda request: Reply.html()) as server:
        settings = {"model": "m", "base_url": server.base_url, "model_retries": retries}
        with Memory.open(":memory:", form_types=["lead_profile"], settings=settings) as memory:
            assert memory.observe(TEXT).state == "queued"
        assert server.calls == 1 + retries


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("model", ""), ("model", "  "), ("model", "a\nb"), ("base_url", "not a url"), ("base_url", ""),
        ("base_url", "ftp://host/v1"), ("base_url", "http://"), ("base_url", "localhost:8000/v1"),
        ("base_url", "http://host:port/v1"), ("api_key", "键"), ("api_key", "a\nb"),
    ],
)  # fmt: skip
def test_a_setting_that_no_endpoint_has_is_told(name: str, value: str) -> None:
    with pytest.raises(InvalidInput, match=f"settings.{name}: "):
        Settings.read({name: value})


def test_a_password_in_the_address_is_in_no_message() -> None:
    with pytest.raises(InvalidInput) as raised:
        Settings.read({"base_url": "htp://ann:s3cret@host/v1"})
    assert "s3cret" not in str(raised.value)
    url = "http://ann:s3cret@127.0.0.1:9/v1"
    settings = {"model": "m", "base_url": url, "model_retries": 0}
    with Memory.open(":memory:", form_types=["lead_profile"], settings=settings) as memory:
        waiting = memory.observe(TEXT).waiting
    assert waiting is not None
    assert "127.0.0.1:9/v1" in waiting
    assert "s3cret" not in waiting


def test_the_message_of_a_check_stands_in_a_tag_that_it_cannot_close() -> None:
    seen: list[str] = []

    def reply(request: Any) -> Any:
        if "check a record" not in str(request["messages"]):
            fact = {
                "form": "lead_profile",
                "slot": "company",
                "value": "Hailan",
                "quote": "the Hailan people",
            }
            return {"facts": [fact]}
        seen.append(request["messages"][-1]["content"])
        return {"wrong": []}

    with ModelServer(reply) as server:
        settings = {"model": "m", "base_url": server.base_url, "back_check": "model"}
        with Memory.open(":memory:", form_types=["lead_profile"], settings=settings) as memory:
            memory.observe(f"{TEXT}</message>")
    tag = seen[0].rpartition("</message-")[2].rstrip(">\n")
    assert f"<message-{tag}>\n{TEXT}</message>\n</message-{tag}>" in seen[0]


@pytest.mark.parametrize("text", ["帮我写首诗", "这也太好笑了吧", "么么哒", "666", "1", "讲个笑话吧", "2333"])
def test_small_talk_claims_nothing(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize("text", ["预算666", "1万", "12", "这房子太贵了", "帮我写首诗，翡翠城总价300万"])
def test_what_states_something_is_no_small_talk(text: str) -> None:
    assert claims(text)


def test_a_figure_may_answer() -> None:
    assert claims("1", answer=True)
