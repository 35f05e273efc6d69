"""The model server speaks the protocol that clients of the OpenAI API speak, and goes wrong as servers do."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import instructor
import openai
import pytest
from instructor.core.exceptions import IncompleteOutputException
from pydantic import BaseModel

from forms_dynamics.testing.model_server import ModelProcess, ModelServer, Reply, asked, schema_of, smallest

SAY: list[Any] = [{"role": "user", "content": "预算50万，分三期"}]
MODES = {
    "tools": instructor.Mode.TOOLS,
    "json_schema": instructor.Mode.JSON_SCHEMA,
    "json_object": instructor.Mode.JSON,
}


class Budget(BaseModel):
    budget: int
    terms: str | None = None


GOOD = {"budget": 500000, "terms": "分三期"}


def client(server: ModelServer, retries: int = 0, **options: Any) -> openai.OpenAI:
    return openai.OpenAI(base_url=server.base_url, api_key="any", max_retries=retries, **options)


def ask(server: ModelServer, retries: int = 0, **options: Any) -> Any:
    return client(server, retries).chat.completions.create(model="m", messages=SAY, **options)


@pytest.fixture
def quiet() -> Iterator[None]:
    import logging

    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("how", list(MODES))
def test_one_content_is_given_in_each_way_that_instructor_asks(how: str) -> None:
    seen: list[str] = []

    def script(request: dict[str, Any]) -> Any:
        seen.append(asked(request))
        return GOOD

    with ModelServer(script) as server:
        made, completion = instructor.from_openai(client(server), mode=MODES[how]).create_with_completion(
            model="m", messages=SAY, response_model=Budget, max_retries=0
        )
    assert made.model_dump() == GOOD
    assert seen == [how]
    assert completion.usage.prompt_tokens > 0
    assert (
        completion.usage.total_tokens == completion.usage.prompt_tokens + completion.usage.completion_tokens
    )
    assert "预算50万" in json.dumps(server.requests[0], ensure_ascii=False)


@pytest.mark.parametrize("how", ["tools", "json_schema"])
def test_without_a_script_the_least_that_the_schema_takes_is_said(how: str) -> None:
    with ModelServer() as server:
        made = instructor.from_openai(client(server), mode=MODES[how]).create(
            model="m", messages=SAY, response_model=Budget, max_retries=0
        )
    assert made.model_dump() == {"budget": 0, "terms": None}
    assert (schema_of(server.requests[0]) or {})["properties"].keys() == {"budget", "terms"}


def test_the_least_of_nested_schemas() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {"$ref": "#/$defs/A"}, "b": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "c": {"type": "array", "items": {"type": "integer"}, "minItems": 2}, "d": {"type": "string"},
            "e": {"type": "array", "items": {"$ref": "#/$defs/A"}}, "f": {"const": "x"},
        },
        "required": ["a", "b", "c", "e", "f"],
        "$defs": {"A": {"enum": ["p", "q"]}},
    }  # fmt: skip
    assert smallest(schema) == {"a": "p", "b": None, "c": [0, 0], "e": [], "f": "x"}


def test_replies_come_in_order_and_an_ended_script_says_so() -> None:
    with ModelServer(["one", "two"]) as server:
        assert [ask(server).choices[0].message.content for _ in range(2)] == ["one", "two"]
        with pytest.raises(openai.InternalServerError, match="no further reply"):
            ask(server, retries=2)
        assert server.calls == 3


def test_what_a_script_raises_is_seen_at_the_end() -> None:
    def script(request: dict[str, Any]) -> Any:
        raise LookupError("not in the script")

    def use() -> None:
        with ModelServer(script) as server, pytest.raises(openai.InternalServerError):
            ask(server)

    with pytest.raises(LookupError, match="not in the script"):
        use()


def test_a_client_that_retries_gets_through_rate_limits_and_errors() -> None:
    replies = [Reply.failing(429, retry_after=0.01), Reply.failing(500), Reply.error_body(status=503), "ok"]
    with ModelServer(replies) as server:
        assert ask(server, retries=3).choices[0].message.content == "ok"
        assert server.calls == 4


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply.failing(401), openai.AuthenticationError),
        (Reply.failing(400), openai.BadRequestError),
        (Reply.failing(429, retry_after=3), openai.RateLimitError),
        (Reply.failing(500), openai.InternalServerError),
        (Reply.disconnected(GOOD), openai.APIConnectionError),
    ],
)
def test_errors_are_those_that_the_client_knows(reply: Reply, error: type[openai.APIError]) -> None:
    with ModelServer([reply]) as server, pytest.raises(error) as raised:
        ask(server)
    if isinstance(raised.value, openai.RateLimitError):
        assert raised.value.response.headers["retry-after"] == "3"


def test_a_slow_reply_times_out() -> None:
    with ModelServer([Reply.slow(GOOD, 1.0)]) as server, pytest.raises(openai.APITimeoutError):
        client(server, timeout=0.1).chat.completions.create(model="m", messages=SAY)


@pytest.mark.parametrize("lacking", ["tools", "json_schema", "json_object", "logprobs"])
def test_what_a_server_lacks_is_a_bad_request(lacking: str) -> None:
    tool: Any = {"type": "function", "function": {"name": "t", "parameters": Budget.model_json_schema()}}
    form: Any = {"type": "json_schema", "json_schema": {"name": "t", "schema": Budget.model_json_schema()}}
    wants: dict[str, dict[str, Any]] = {
        "tools": {"tools": [tool]},
        "json_schema": {"response_format": form},
        "json_object": {"response_format": {"type": "json_object"}},
        "logprobs": {"logprobs": True},
    }
    with ModelServer(lambda _: GOOD, lacks=[lacking]) as server:
        with pytest.raises(openai.BadRequestError):
            ask(server, **wants[lacking])
        for other, options in wants.items():
            if other != lacking:
                ask(server, **options)
    with ModelServer(lambda _: GOOD, ignores=[lacking]) as server:
        choice = ask(server, **wants[lacking]).choices[0]
        assert choice.message.tool_calls is None
        assert choice.logprobs is None
        assert json.loads(choice.message.content) == GOOD
    with pytest.raises(ValueError, match="tools"):
        ModelServer(lacks=["tolls"])


def test_replies_that_are_not_what_was_asked_for(quiet: None) -> None:
    replies = [
        Reply.fenced(GOOD), Reply.in_prose(GOOD), Reply.truncated(GOOD), Reply.too_long(GOOD), Reply.empty(),
        Reply.uncounted(GOOD), Reply.html(), Reply.error_body(), Reply("no JSON at all"),
    ]  # fmt: skip
    tool: Any = {"type": "function", "function": {"name": "t", "parameters": Budget.model_json_schema()}}
    with ModelServer(replies) as server:
        fenced = ask(server, tools=[tool]).choices[0].message
        assert (fenced.tool_calls, fenced.content[:7]) == (None, "```json")
        assert json.loads(fenced.content[8:-4]) == GOOD
        assert "budget" in ask(server, tools=[tool]).choices[0].message.content
        cut = ask(server, tools=[tool]).choices[0]
        assert cut.finish_reason == "stop"
        with pytest.raises(json.JSONDecodeError):
            json.loads(cut.message.tool_calls[0].function.arguments)
        with pytest.raises(IncompleteOutputException):
            instructor.from_openai(client(server)).create(
                model="m", messages=SAY, response_model=Budget, max_retries=0
            )
        assert ask(server).choices == []
        assert ask(server).usage is None
        assert "<html>" in str(ask(server))
        assert getattr(ask(server), "choices", None) is None
        assert ask(server, tools=[tool]).choices[0].message.content == "no JSON at all"


def test_log_probabilities_make_up_the_reply_and_doubts_are_in_their_place() -> None:
    reply = Reply(GOOD, doubts={"500000": -2.5})
    with ModelServer(lambda _: reply) as server:
        form: Any = {"type": "json_object"}
        choice = ask(server, logprobs=True, response_format=form).choices[0]
        tokens = choice.logprobs.content
        assert "".join(t.token for t in tokens) == choice.message.content
        assert {t.token for t in tokens if t.logprob == -2.5} == {"500", "000"}
        assert ask(server, response_format=form).choices[0].logprobs is None
        tool: Any = {"type": "function", "function": {"name": "t", "parameters": {}}}
        assert ask(server, logprobs=True, tools=[tool]).choices[0].logprobs is None
    with ModelServer(lambda _: reply, tool_logprobs=True) as server:
        assert ask(server, logprobs=True, tools=[tool]).choices[0].logprobs.content


def test_a_wrong_key_is_refused() -> None:
    with ModelServer(["ok"], api_key="right") as server:
        with pytest.raises(openai.AuthenticationError):
            ask(server)
        right = openai.OpenAI(base_url=server.base_url, api_key="right")
        assert right.chat.completions.create(model="m", messages=SAY).choices[0].message.content == "ok"


def test_a_closed_server_is_out_of_reach_of_connections_that_it_had() -> None:
    with ModelServer(["ok", "ok"]) as server:
        kept = client(server)
        kept.chat.completions.create(model="m", messages=SAY)
    with pytest.raises(openai.APIConnectionError):
        kept.chat.completions.create(model="m", messages=SAY)
    assert server.calls == 1


def test_sixteen_connections_wait_side_by_side_at_little_cost() -> None:
    import http.client

    body = json.dumps({"model": "m", "messages": SAY, "response_format": {"type": "json_object"}})
    each, latency = 8, 0.2

    def caller(port: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        for _ in range(each):
            connection.request("POST", "/v1/chat/completions", body, {"Content-Type": "application/json"})
            assert json.load(connection.getresponse())["choices"]
        connection.close()

    with ModelServer(lambda _: GOOD, latency=latency) as server:
        port = int(server.base_url.rsplit(":", 1)[1].split("/")[0])
        threads = [threading.Thread(target=caller, args=(port,)) for _ in range(16)]
        began, cpu = time.perf_counter(), time.process_time()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        took, spent = time.perf_counter() - began, time.process_time() - cpu
    assert server.calls == 16 * each
    assert server.most_at_once == 16
    assert took < each * latency * 2
    assert spent / server.calls < 0.01  # seconds, callers included


def test_one_in_a_process_of_its_own() -> None:
    with ModelProcess(reply=GOOD, lacks=["tools"]) as served:
        asking = openai.OpenAI(base_url=served.base_url, api_key="any", max_retries=0)
        said = asking.chat.completions.create(model="m", messages=SAY).choices[0].message.content
        assert json.loads(said or "") == GOOD
        with pytest.raises(openai.BadRequestError):
            asking.chat.completions.create(
                model="m", messages=SAY, tools=[{"type": "function", "function": {"name": "t"}}]
            )
        assert served.seen() == {"calls": 2, "most_at_once": 1}
        assert asking.models.list().data[0].id == "scripted"
    with pytest.raises(openai.APIConnectionError):
        asking.chat.completions.create(model="m", messages=SAY)


def test_the_module_runs() -> None:
    command = [sys.executable, "-m", "forms_dynamics.testing.model_server", "--while-stdin-is-open"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert openai.OpenAI(base_url=url, api_key="any").models.list().data
        process.stdin.close()
        assert process.wait(timeout=10) == 0
