"""Conversations as chat software keeps them, each known by its shape."""

from __future__ import annotations

from typing import Any

import pytest
from reading import json_lines, read

ZH = "这次预算50万，分三期付 🎉"


# -- ShareGPT ------------------------------------------------------------------------------------------------
def test_sharegpt() -> None:
    found = read(
        [
            {
                "id": "s-1",
                "system": "你负责记录客户需求。",
                "conversations": [
                    {"from": "human", "value": ZH},
                    {"from": "function_call", "value": '{"name": "crm"}'},
                    {"from": "observation", "value": '{"stage": "报价"}'},
                    {"from": "gpt", "value": "好的，已记下。"},
                    {"from": "gpt", "value": ""},
                ],
            },
            {"conversations": [{"from": "Alice", "value": "hi"}, {"from": "chatgpt", "value": "hello"}]},
        ]
    )
    assert found.bad == []
    assert found.turns("conversation", "role", "speaker", "text") == [
        ("s-1", "system", "system", "你负责记录客户需求。"),
        ("s-1", "user", "user", ZH),
        ("s-1", "tool", "tool", '{"stage": "报价"}'),
        ("s-1", "assistant", "assistant", "好的，已记下。"),
        ("log-2", None, "Alice", "hi"),
        ("log-2", "assistant", "assistant", "hello"),
    ]
    assert found.skipped == {"tool calls": 1, "empty messages": 1}


@pytest.mark.parametrize(
    "whole",
    [
        {"conversations": [{"from": "user", "value": "a"}, {"from": "assistant", "value": "b"}]},
        {"items": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}]},
        {"conversations": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]},
        {"conversation": [{"role": "human", "content": "a"}, {"role": "bot", "content": "b"}]},
        {"dialogue": [{"speaker": "客户", "text": "a"}, {"speaker": "客服", "text": "b"}]},
        [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}],
    ],
    ids=["user", "items", "role", "conversation", "客户", "bare"],
)
def test_variants_give_the_same(whole: Any) -> None:
    assert read(json_lines(whole, {"text": "x"})).said[:2] == [("user", "a"), ("assistant", "b")]


# -- LangChain -----------------------------------------------------------------------------------------------
def _lc(kind: str, **kwargs: Any) -> dict[str, Any]:
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", kind], "kwargs": kwargs}


def test_messages_to_dict() -> None:
    called = {"content": "", "tool_calls": [{"name": "lookup"}], "additional_kwargs": {"tool_calls": [{}]}}
    found = read(
        [
            {"type": "system", "data": {"content": "be brief"}},
            {"type": "human", "data": {"content": ZH, "type": "human", "id": None, "name": "王敏"}},
            {"type": "ai", "data": called},
            {"type": "tool", "data": {"content": "42", "name": "lookup", "tool_call_id": "c"}},
            {"type": "AIMessageChunk", "data": {"content": [{"type": "text", "text": "好"}], "id": "run-1"}},
            {"type": "chat", "data": {"content": "yes", "role": "human"}},
        ]
    )
    assert found.bad == []
    assert found.turns("role", "speaker", "text") == [
        ("system", "system", "be brief"),
        ("user", "王敏", ZH),
        ("tool", "tool", "42"),
        ("assistant", "assistant", "好"),
        ("user", "user", "yes"),
    ]
    assert found.lines[3].message["id"] == "run-1"
    assert found.skipped == {"tool calls": 1}


def test_constructor_dumps_and_what_holds_them() -> None:
    dumped = [
        _lc(
            "HumanMessage", content=[{"type": "text", "text": "看图"}, {"type": "image_url", "image_url": {}}]
        ),
        _lc("AIMessageChunk", content="收到", id="run-2"),
        _lc("ToolMessage", content="ok", tool_call_id="c"),
        {"lc": 1, "type": "not_implemented", "id": ["x", "Custom"]},
    ]
    expected = [("user", "看图"), ("assistant", "收到"), ("tool", "ok")]
    holders: list[Any] = [
        {"messages": dumped}, {"history": dumped}, {"values": {"messages": dumped}},
        _lc("ChatPromptValue", messages=dumped), dumped,
    ]  # fmt: skip
    for whole in holders:
        found = read(json_lines(whole, {"text": "x"}))
        assert found.said[:-1] == expected
        assert found.skipped == {"pictures, sound and files": 1, "unknown kind 'not_implemented'": 1}
        assert found.bad == []


def test_plain_langchain_messages_under_messages_and_history() -> None:
    turns = [{"type": "human", "content": "a"}, {"type": "ai", "content": "b"}, {"type": "remove", "id": "1"}]
    for key in ("messages", "history"):
        found = read({"session_id": "s", "user": "u", key: turns})
        assert found.turns("conversation", "role", "text") == [("s", "user", "a"), ("s", "assistant", "b")]
        assert {line.user for line in found.lines} == {"u"}
        assert found.skipped == {"unknown kind 'remove'": 1}


# -- OpenAI --------------------------------------------------------------------------------------------------
def test_fine_tuning_examples_with_tools() -> None:
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function"}]}
    found = read(
        json_lines(
            {
                "messages": [
                    {"role": "developer", "content": "short"},
                    {"role": "user", "content": "weather?", "name": "Ann"},
                    call,
                    {"role": "tool", "tool_call_id": "c", "content": "sunny"},
                    {"role": "assistant", "content": "It is sunny.", "tool_calls": [{}, {}]},
                    {"role": "assistant", "content": None, "refusal": "I can't."},
                ]
            },
            {"messages": [{"role": "user", "content": ZH}]},
        )
    )
    assert found.turns("conversation", "role", "speaker", "text") == [
        ("log-1", "system", "system", "short"),
        ("log-1", "user", "Ann", "weather?"),
        ("log-1", "tool", "tool", "sunny"),
        ("log-1", "assistant", "assistant", "It is sunny."),
        ("log-1", "assistant", "assistant", "I can't."),
        ("log-2", "user", "user", ZH),
    ]
    assert found.skipped == {"tool calls": 3}


def test_responses_items() -> None:
    found = read(
        {
            "id": "resp_1",
            "object": "response",
            "created_at": 1767225600,
            "instructions": "用中文回答",
            "input": [
                {"role": "user", "content": [{"type": "input_text", "text": ZH}, {"type": "input_image"}]},
                {"type": "function_call_output", "call_id": "c", "output": "42"},
            ],
            "output": [
                {"type": "reasoning", "summary": []},
                {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
                {"type": "web_search_call", "id": "ws"},
                {
                    "type": "message",
                    "id": "msg_1",
                    "role": "assistant",
                    "content": [
                        {"type": "output_text", "text": "好"},
                        {"type": "refusal", "refusal": "不行"},
                    ],
                },
            ],
        }
    )
    assert found.turns("conversation", "role", "text", "time") == [
        ("resp_1", "system", "用中文回答", None),
        ("resp_1", "user", ZH, None),
        ("resp_1", "tool", "42", None),
        ("resp_1", "assistant", "好\n不行", "2026-01-01T00:00:00+00:00"),
    ]
    assert found.skipped == {"pictures, sound and files": 1, "reasoning of a model": 1, "tool calls": 2}


def test_a_request_and_its_reply() -> None:
    request = {"model": "m", "user": "u7", "messages": [{"role": "user", "content": "a"}]}
    choices = [{"message": {"role": "assistant", "content": text}} for text in ("b", "other")]
    reply = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1767225600, "choices": choices}
    for whole in (
        {"request": request, "response": reply},
        {"request": {"body": request}, "response": {"body": reply}},
        {**request, **reply},
        {"user": "u7", "input": request, "output": reply},
        {"user": "u7", "input": "a", "output": "b"},
    ):
        found = read(whole)
        assert found.said == [("user", "a"), ("assistant", "b")], whole
        assert {line.user for line in found.lines} == {"u7"}
    only = read(json_lines({"custom_id": "r-9", "response": {"status_code": 200, "body": reply}}))
    assert only.turns("conversation", "text") == [("chatcmpl-1", "b")]
    assert only.skipped == {"answers that were not preferred": 1}


def test_requests_that_repeat_what_was_said_go_on_with_one_conversation() -> None:
    def request(n: int, *texts: str) -> dict[str, Any]:
        roles = ("user", "assistant")
        turns = [{"role": roles[i % 2], "content": text} for i, text in enumerate(texts)]
        return {"messages": turns[:-1], "id": f"chatcmpl-{n}", "choices": [{"message": turns[-1]}]}

    found = read(
        json_lines(
            request(1, "你好", "您好"),
            request(2, "你好", "您好"),  # somebody else begins alike
            request(3, "你好", "您好", "预算50万", "好的"),
            request(4, "你好", "您好", "预算80万", "好的"),
            request(5, "你好", "您好", "预算50万", "好的", "分三期", "记下了"),
        )
    )
    told = found.turns("conversation", "text")
    by_name: dict[str, list[str]] = {}
    for conversation, text in told:
        by_name.setdefault(conversation, []).append(text)
    assert sorted(by_name.values()) == [
        ["你好", "您好", "预算50万", "好的", "分三期", "记下了"],
        ["你好", "您好", "预算80万", "好的"],
    ]
    assert found.skipped == {"messages that a later request repeats": 8}


def test_a_reply_is_followed_by_its_id() -> None:
    found = read(
        json_lines(
            {"id": "resp_1", "input": "a", "output": "b"},
            {"id": "resp_2", "previous_response_id": "resp_1", "input": "c", "output": "d"},
            {"id": "resp_3", "previous_response_id": "resp_2", "input": "e", "output": "f"},
        )
    )
    assert {name for (name,) in found.turns("conversation")} == {"resp_1"}
    assert "".join(text for _, text in found.said) == "abcdef"


def test_a_named_conversation_that_grows_is_told_once() -> None:
    a, b, c = ({"role": "user", "content": text} for text in "abc")
    found = read(json_lines(*({"session_id": "s", "messages": m} for m in ([a, b], [a, b, c], [c]))))
    assert [text for _, text in found.said] == ["a", "b", "c", "c"]
    assert len({line.message["id"] for line in found.lines}) == 4


def test_fine_tuning_conversations_that_begin_alike_stay_apart() -> None:
    a, b, c = ({"role": "user", "content": text} for text in "abc")
    found = read(json_lines({"messages": [a, b]}, {"messages": [a, b, c]}))
    assert found.turns("conversation", "text") == [
        ("log-1", "a"), ("log-1", "b"), ("log-2", "a"), ("log-2", "b"), ("log-2", "c"),
    ]  # fmt: skip


def test_a_list_of_a_thread_is_put_in_order() -> None:
    data = [
        {"object": "thread.message", "role": role, "created_at": 1767225600 + n,
         "content": [{"type": "text", "text": {"value": text, "annotations": []}}]}
        for n, role, text in ((2, "assistant", "b"), (1, "user", "a"))
    ]  # fmt: skip
    assert read({"object": "list", "data": data}).said == [("user", "a"), ("assistant", "b")]


def test_results_of_tools_among_the_users_parts_are_not_the_users_words() -> None:
    parts = [
        {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "预算80万"}]},
        {"type": "text", "text": "就按这个来"},
    ]
    thought = [{"type": "thinking", "thinking": "hm"}, {"type": "tool_use", "name": "crm"}]
    found = read(
        {
            "messages": [
                {"id": "m", "role": "user", "content": parts},
                {"role": "assistant", "content": thought},
            ]
        }
    )
    assert found.turns("role", "text", "id") == [
        ("tool", "预算80万", "m:result"),
        ("user", "就按这个来", "m"),
    ]
    assert found.skipped == {"reasoning of a model": 1, "tool calls": 1}


# -- ChatGPT data export -------------------------------------------------------------------------------------
def _node(parent: str | None, role: str, content: Any, **more: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [content]} if isinstance(content, str) else content
    return {"parent": parent, "message": {"id": None, "author": {"role": role}, "content": content, **more}}


def test_chatgpt_export_names_all_that_it_leaves_out() -> None:
    image = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
    sound = {"content_type": "audio_transcription", "text": "说出来的话"}
    mapping = {
        "root": {"parent": None, "message": None},
        "sys": _node("root", "system", ""),
        "ctx": _node("sys", "user", {"content_type": "user_editable_context", "user_profile": "secret"}),
        "hid": _node("ctx", "system", "hidden", metadata={"is_visually_hidden_from_conversation": True}),
        "q": _node(
            "hid",
            "user",
            {"content_type": "multimodal_text", "parts": [image, sound, ZH]},
            create_time=1767225600.5,
        ),
        "th": _node("q", "assistant", {"content_type": "thoughts", "thoughts": []}),
        "code": _node("th", "assistant", {"content_type": "code", "text": "print(1)"}, recipient="python"),
        "out": _node("code", "tool", {"content_type": "execution_output", "text": "1"}),
        "old": _node("out", "assistant", "first answer", create_time=1767225601),
        "new": _node("out", "assistant", "second answer", create_time=1767225602),
    }
    whole = {"conversation_id": "c-1", "title": "t", "mapping": mapping}
    for export in ([{**whole, "current_node": "new"}], [whole], {**whole, "current_node": "gone"}):
        found = read(export, "conversations.json")
        assert found.turns("conversation", "role", "text") == [
            ("c-1", "user", "说出来的话\n" + ZH),
            ("c-1", "tool", "1"),
            ("c-1", "assistant", "second answer"),
        ]
        assert found.lines[0].message["time"] == "2026-01-01T00:00:00.500000+00:00"
        assert found.bad == []
        assert found.skipped == {
            "empty messages": 1,
            "hidden messages": 2,
            "pictures, sound and files": 1,
            "reasoning of a model": 1,
            "tool calls": 1,
            "answers on a branch that was left": 1,
        }


def test_a_chatgpt_tree_that_runs_in_circles_ends() -> None:
    mapping = {"a": _node("b", "user", "x"), "b": _node("a", "user", "y")}
    assert sorted(text for _, text in read({"mapping": mapping, "current_node": "a"}).said) == ["x", "y"]
    assert read({"mapping": {}}).said == []


# -- mistakes ------------------------------------------------------------------------------------------------
def test_turns_that_cannot_be_read_are_named_by_their_number() -> None:
    turns = [{"foo": "words"}, 5, {"role": "user", "content": 7}, {"role": "critic", "content": "x"},
             {"role": "user", "message": "hi"}, {"role": "user", "content": "ok"}]  # fmt: skip
    found = read(json_lines({"system": "s", "messages": turns}, {"text": "next"}))
    assert [text for _, text in found.said] == ["s", "ok", "next"]
    assert [bad.split(" ")[:3] for bad in found.bad] == [
        ["log.jsonl:1:", "turn", str(n)] for n in (1, 2, 3, 4, 5)
    ]
    assert "'critic'" in found.bad[3]
    assert "only 'message'" in found.bad[4]
    assert not found.skipped


def test_what_is_no_conversation_among_conversations_is_named() -> None:
    found = read([{"messages": [{"role": "user", "content": "a"}]}, 7, {"mapping": 3}, [[]]])
    assert found.said == [("user", "a")]
    assert [bad.split(": ")[0] for bad in found.bad] == ["log.jsonl[2]", "log.jsonl[3]", "log.jsonl[4]"]


def test_a_call_in_the_log_format_keeps_its_words() -> None:
    assert read({"type": "phone_call", "text": "call me back"}).said == [(None, "call me back")]


@pytest.mark.parametrize(
    ("before", "after"),
    [('{"messages": [', "]}"), ('{"request": ', "}"), ('{"type": "tool_result", "content": [', "]}")],
)
def test_what_is_nested_without_end_is_named(before: str, after: str) -> None:
    inner = before * 300 + '{"role": "user", "content": "a"}' + after * 300
    for whole in (inner, f'{{"messages": [{{"role": "user", "content": [{inner}]}}]}}'):
        found = read(whole + '\n{"text": "next"}\n')
        assert found.said[-1] == (None, "next")
        assert found.bad or found.skipped or len(found.lines) > 1


def test_items_about_tools_may_stand_in_any_list() -> None:
    items = [
        {"type": "mcp_call", "id": "m", "name": "f", "arguments": "{}", "output": "1"},
        {"type": "custom_tool_call", "call_id": "c", "name": "g", "input": "x"},
        {"type": "local_shell_call_output", "id": "s", "output": "done"},
        {"role": "user", "content": "thanks"},
    ]
    for whole in ({"messages": items}, {"items": items}, {"input": items}):
        found = read(whole)
        assert found.said == [("tool", "done"), ("user", "thanks")]
        assert found.skipped == {"tool calls": 2}
