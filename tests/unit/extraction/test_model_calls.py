"""The client that asks a model, against a real server that speaks the protocol: modes, lies, retries, cost."""

from __future__ import annotations

import time

import openai
import pytest

from forms_dynamics.adapters.instructor_llm import InstructorModel
from forms_dynamics.errors import ExtractorUnavailable, PromptTooLong
from forms_dynamics.extraction.reply import reply_model
from forms_dynamics.schema.load import load_catalog
from forms_dynamics.settings import Settings
from forms_dynamics.testing.model_server import ModelServer, Reply, asked

CATALOG = load_catalog(["lead_profile"])
REPLY = reply_model((CATALOG.types["lead_profile"],), ())
PROMPT = [{"role": "system", "content": "List the facts."}, {"role": "user", "content": "预算50万"}]
GOOD = {"facts": [{"form": "lead_profile", "slot": "budget", "value": "50万", "quote": "预算50万"}]}


def model(server: ModelServer, **settings: object) -> InstructorModel:
    return InstructorModel("m", Settings(base_url=server.base_url, api_key="any", **settings))


@pytest.mark.parametrize(
    ("mode", "way"),
    [("tools", "tools"), ("json_schema", "json_schema"), ("json", "text"), ("auto", "json_schema")],
)
def test_each_mode_asks_in_its_way_and_reads_the_reply(mode: str, way: str) -> None:
    with ModelServer(lambda request: GOOD) as server:
        answer = model(server, model_mode=mode).ask(PROMPT, REPLY)
        assert [asked(r) for r in server.requests] == [way]
    assert answer.content["facts"][0]["value"] == "50万"
    assert answer.cost.model_calls == 1
    assert answer.cost.tokens_in > 0
    assert answer.cost.tokens_out > 0


@pytest.mark.parametrize("mode", ["tools", "json_schema", "json"])
@pytest.mark.parametrize("reply", [Reply.fenced(GOOD), Reply.in_prose(GOOD), Reply(GOOD, as_text=True)])
def test_a_wrapped_reply_is_read_with_one_call(mode: str, reply: Reply) -> None:
    with ModelServer([reply]) as server:
        answer = model(server, model_mode=mode).ask(PROMPT, REPLY)
        assert server.calls == 1
    assert answer.content["facts"][0]["slot"] == "budget"


def test_braces_of_prose_and_thinking_are_no_reply() -> None:
    text = '<think>maybe {"facts": []}?</think>Sure {as asked}:\n' + '{"facts": []}' + "\nHope {that} helps!"
    with ModelServer([Reply(text)]) as server:
        assert model(server, model_mode="json").ask(PROMPT, REPLY).content == {"facts": []}


@pytest.mark.parametrize(
    ("lacks", "calls"),
    [
        (["json_schema"], 2),
        (["json_schema", "tools"], 3),
        (["logprobs"], 2),
        (["json_schema", "tools", "logprobs"], 4),
    ],
)
def test_what_an_endpoint_lacks_is_found_out_once(lacks: list[str], calls: int) -> None:
    with ModelServer(lambda request: GOOD, lacks=lacks) as server:
        asking = model(server, model_retries=0)
        first = asking.ask(PROMPT, REPLY)
        assert server.calls == calls
        assert first.cost.model_calls == calls
        assert asking.ask(PROMPT, REPLY).cost.model_calls == 1
        assert server.calls == calls + 1


def test_a_server_that_passes_over_the_schema_is_asked_in_words() -> None:
    def script(request: dict) -> object:
        told = any("schema" in m["content"] for m in request["messages"])
        return GOOD if told else Reply("The budget is 50万.")

    with ModelServer(script, ignores=["json_schema", "tools"]) as server:
        asking = model(server)
        assert asking.ask(PROMPT, REPLY).content == asking.ask(PROMPT, REPLY).content
        assert server.calls == 4  # schema, tool, words; then words at once


@pytest.mark.parametrize("option", ["temperature", "max_tokens"])
def test_an_option_that_a_model_does_not_take_is_left_out(option: str) -> None:
    def script(request: dict) -> object:
        if option in request:
            return Reply.failing(
                400, f"Unsupported parameter: '{option}'. Use 'max_completion_tokens' instead."
            )
        return GOOD

    with ModelServer(script) as server:
        asking = model(server)
        asking.ask(PROMPT, REPLY)
        asking.ask(PROMPT, REPLY)
        assert server.calls == 3
        assert (option == "max_tokens") == ("max_completion_tokens" in server.requests[-1])


LIES = {
    "wrong types": {"facts": [{**GOOD["facts"][0], "n": "one"}]},
    "wrong slot": {"facts": [{**GOOD["facts"][0], "slot": "colour"}]},
    "extra keys": {"facts": [{**GOOD["facts"][0], "why": "so"}]},
    "no facts": {"answer": 42},
    "truncated": Reply.truncated(GOOD),
    "cut at the limit": Reply.too_long(GOOD),
    "empty choices": Reply.empty(),
    "an error with status 200": Reply.error_body(),
    "a page with status 200": Reply.html(),
    "half a body": Reply.disconnected(GOOD),
    "500": Reply.failing(500),
    "503": Reply.failing(503),
    "429": Reply.failing(429, retry_after=0.01),
    "nothing": Reply(""),
}


@pytest.mark.parametrize("mode", ["tools", "json_schema", "json"])
@pytest.mark.parametrize("lie", LIES.values(), ids=LIES.keys())
def test_a_bad_reply_is_asked_for_again(mode: str, lie: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    with ModelServer([lie, GOOD]) as server:
        answer = model(server, model_mode=mode).ask(PROMPT, REPLY)
        assert server.calls == 2
        assert server.requests[0]["messages"] == server.requests[1]["messages"]  # nothing of it in the prompt
    assert answer.cost.model_calls == 2
    assert answer.content["facts"][0]["value"] == "50万"


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES.keys())
def test_a_model_that_keeps_failing_is_given_up_within_the_bound(
    lie: object, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    with ModelServer(lambda request: lie) as server:
        with pytest.raises(ExtractorUnavailable) as raised:
            model(server, model_mode="json_schema", model_retries=3).ask(PROMPT, REPLY)
        cut = lie is LIES["cut at the limit"]
        assert server.calls == (2 if cut else 4)  # twice the room did not do either
        assert raised.value.cost.model_calls == server.calls
        assert server.base_url in str(raised.value)
    assert capfd.readouterr().err == ""


def test_tokens_of_replies_in_vain_are_counted() -> None:
    with ModelServer([Reply({"answer": 1}, usage=(700, 50)), Reply(GOOD, usage=(700, 40))]) as server:
        cost = model(server).ask(PROMPT, REPLY).cost
    assert (cost.model_calls, cost.tokens_in, cost.tokens_out) == (2, 1400, 90)


def test_without_usage_tokens_are_estimated() -> None:
    with ModelServer([Reply.uncounted(GOOD)]) as server:
        cost = model(server).ask(PROMPT, REPLY).cost
    assert 100 < cost.tokens_in < 600
    assert 10 < cost.tokens_out < 60


@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_no_retry_mends_is_said_at_once(status: int) -> None:
    with ModelServer(lambda request: Reply.failing(status, "no")) as server:
        with pytest.raises(ExtractorUnavailable) as raised:
            model(server).ask(PROMPT, REPLY)
        assert server.calls == 1
    told = str(raised.value)
    assert "'m'" in told
    assert server.base_url in told
    assert "settings." in told


def test_the_time_that_a_server_asks_for_is_kept() -> None:
    with ModelServer([Reply.failing(429, retry_after=0.4), GOOD]) as server:
        began = time.monotonic()
        model(server).ask(PROMPT, REPLY)
        assert time.monotonic() - began >= 0.4


def test_a_server_that_asks_for_an_hour_is_given_up_at_once() -> None:
    with ModelServer(lambda request: Reply.failing(429, retry_after=3600)) as server:
        with pytest.raises(ExtractorUnavailable, match="429"):
            model(server).ask(PROMPT, REPLY)
        assert server.calls == 1


def test_a_slow_server_is_not_waited_for() -> None:
    with ModelServer([Reply.slow(GOOD, 2.0), GOOD]) as server:
        began = time.monotonic()
        assert model(server, model_timeout=0.3).ask(PROMPT, REPLY).cost.model_calls == 2
        assert time.monotonic() - began < 1.9


def test_a_server_out_of_reach() -> None:
    with ModelServer() as server:
        pass
    with pytest.raises(ExtractorUnavailable, match="connection"):
        model(server, model_retries=0).ask(PROMPT, REPLY)


def test_a_prompt_that_is_too_long_is_told_apart() -> None:
    refusal = Reply.failing(400, "This model's maximum context length is 4096 tokens.")
    with ModelServer(lambda request: refusal) as server:
        with pytest.raises(PromptTooLong):
            model(server).ask(PROMPT, REPLY)
        assert server.calls == 1


@pytest.mark.parametrize(
    "lie", [{"answer": "The contract exceeds it"}, Reply('{"facts": [], "why": "the term is too long')]
)
def test_a_bad_reply_that_speaks_of_length_is_no_prompt_too_long(lie: object) -> None:
    with ModelServer(lambda request: lie) as server, pytest.raises(ExtractorUnavailable) as raised:
        model(server, model_retries=0).ask(PROMPT, REPLY)
    assert not isinstance(raised.value, PromptTooLong)
    assert "too long" not in str(raised.value)  # nothing of a reply is quoted: it may repeat the message


@pytest.mark.parametrize("kind", [openai.OpenAI, openai.AsyncOpenAI])
def test_a_client_of_either_kind(kind: type) -> None:
    with ModelServer(lambda request: GOOD) as server:
        client = kind(base_url=server.base_url, api_key="any")
        asking = InstructorModel(client, Settings(model="m"))
        assert asking.ask(PROMPT, REPLY).content == asking.ask(PROMPT, REPLY).content
        assert [r["model"] for r in server.requests] == ["m", "m"]


def test_the_address_and_the_key_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer(lambda request: GOOD, api_key="secret-key") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "secret-key")
        assert InstructorModel("m", Settings()).ask(PROMPT, REPLY).content


def test_a_server_of_ones_own_needs_no_key_and_the_public_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with ModelServer(lambda request: GOOD) as server:
        assert InstructorModel("m", Settings(base_url=server.base_url)).ask(PROMPT, REPLY).content
    with pytest.raises(ExtractorUnavailable, match="OPENAI_API_KEY"):
        InstructorModel("m", Settings()).ask(PROMPT, REPLY)


def test_logprobs_come_with_the_answer_where_the_endpoint_gives_them() -> None:
    with ModelServer([Reply(GOOD, doubts={"50万": -1.5})]) as server:
        answer = model(server).ask(PROMPT, REPLY)
    assert answer.logprobs is not None
    assert min(p for _, p in answer.logprobs) == -1.5


def test_an_answer_in_the_grammar_of_drafts_is_read() -> None:
    drafts = [{"form_type": "lead_profile", "slots": {"budget": {"value": 500000, "evidence": "预算50万"}}}]
    with ModelServer([Reply.in_prose(drafts)]) as server:
        facts = model(server).ask(PROMPT, REPLY).content["facts"]
        assert server.calls == 1
    assert facts == [{"form": "lead_profile", "slot": "budget", "value": "500000", "quote": "预算50万"}]
