"""Logs are read line by line: what can be read is, what can't is named with its place."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from forms_dynamics.replay.logs import BadLine, Line, LogReader


def read(raw: bytes | str, **options: Any) -> list[Line | BadLine]:
    data = raw.encode() if isinstance(raw, str) else raw
    return list(LogReader("log.jsonl", **options).read(io.BytesIO(data)))


def messages(raw: bytes | str, **options: Any) -> list[dict[str, Any]]:
    found = read(raw, **options)
    assert all(isinstance(line, Line) for line in found), found
    return [dict(line.message) for line in found if isinstance(line, Line)]


def test_the_log_format_is_taken_as_it_stands() -> None:
    raw = {
        "conversation": "c1",
        "id": "m1",
        "speaker": "王总",
        "role": "user",
        "user": "u1",
        "text": "预算50万",
        "time": "2026-06-12T10:00:00+08:00",
        "expect": {"forms": []},
    }
    [line] = read(json.dumps(raw, ensure_ascii=False))
    assert isinstance(line, Line)
    assert line.user == "u1"
    assert line.message == {
        key: raw[key] for key in ("conversation", "id", "speaker", "role", "text", "time")
    }


def test_bad_lines_are_named_and_the_rest_goes_on() -> None:
    raw = b'\xef\xbb\xbf{"text": "one"}\n\n{"text": \n[1]\n{"speaker": "x"}\n\xff\xfe\n'
    raw += b'{"text": "  "}\n{"text": "two"}'
    found = read(raw)
    bad = [str(line) for line in found if isinstance(line, BadLine)]
    assert [line.message["text"] for line in found if isinstance(line, Line)] == ["one", "two"]
    assert [place.split(": ")[0] for place in bad] == [f"log.jsonl:{n}" for n in (3, 4, 5, 6, 7)]
    assert "JSON" in bad[0]
    assert "array" in bad[1]
    assert '"text"' in bad[2]
    assert "UTF-8" in bad[3]
    assert "empty" in bad[4]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"text": 5}', '"text"'),
        ('{"message": "hi"}', "'message'"),
        ('{"text": "hi", "role": "robot"}', "user, assistant, tool, system"),
        ('{"text": "hi", "id": ["a"]}', "'id' is an array"),
        ('"hi"', "a string"),
        ("null", "null"),
        ("{" * 100_000, "JSON"),
    ],
)
def test_each_mistake_says_what_to_do(line: str, said: str) -> None:
    [found] = read('{"text": "ok"}\n' + line)[1:]
    assert isinstance(found, BadLine)
    assert found.place.line == 2
    assert said in found.problem


def test_utf16_is_told_once() -> None:
    [found] = read('{"text": "hi"}\n'.encode("utf-16"))
    assert isinstance(found, BadLine)
    assert "UTF-16" in found.problem


def test_chat_messages_and_whole_conversations() -> None:
    parts = [{"type": "text", "text": "分三期"}, {"type": "image_url"}]
    turns = [("user", "预算50万"), ("assistant", None), ("user", parts)]
    chat = {"messages": [{"role": role, "content": content} for role, content in turns]}
    reader = LogReader("export.jsonl")
    found = list(reader.read(io.BytesIO(json.dumps(chat).encode())))
    assert [line.message["text"] for line in found if isinstance(line, Line)] == ["预算50万", "分三期"]
    assert {line.message["conversation"] for line in found if isinstance(line, Line)} == {"export-1"}
    assert reader.skipped == {"empty messages": 1, "pictures, sound and files": 1}


def test_an_array_of_messages_is_one_document() -> None:
    raw = json.dumps([{"role": "user", "content": "a"}, {"role": "developer", "content": "b"}], indent=1)
    assert [m["role"] for m in messages(raw)] == ["user", "system"]


def test_turns_take_their_role_from_the_speaker() -> None:
    raw = {
        "id": "x-1",
        "turns": [{"speaker": "user", "text": "a", "time": None}, {"speaker": "Ann", "text": "b"}],
    }
    first, second = messages(json.dumps(raw))
    assert (first["role"], first["conversation"]) == ("user", "x-1")
    assert "time" not in first
    assert "role" not in second
    assert second["speaker"] == "Ann"


def test_a_chatgpt_export_is_read_along_the_shown_branch() -> None:
    def node(parent: str | None, text: str | None, role: str = "user") -> dict[str, Any]:
        said = text and {"id": f"id-{text}", "author": {"role": role}, "create_time": 1767225600.5,
                         "content": {"content_type": "text", "parts": [text]}}  # fmt: skip
        return {"parent": parent, "message": said}

    mapping = {
        "a": node(None, None),
        "b": node("a", "first"),
        "c": node("b", "dropped"),
        "d": node("b", "last", "assistant"),
    }
    raw = [{"id": "conv", "current_node": "d", "mapping": mapping}]
    found = messages(json.dumps(raw))
    assert [(m["text"], m["role"], m["conversation"]) for m in found] == [
        ("first", "user", "conv"),
        ("last", "assistant", "conv"),
    ]
    assert found[0]["time"].startswith("2026-01-01T00:00:00.5")


def test_messages_without_ids_get_the_same_ones_again() -> None:
    raw = '{"text": "好的"}\n{"text": "好的"}\n{"text": "bye"}'
    first, again = messages(raw), messages(raw)
    assert [m["id"] for m in first] == [m["id"] for m in again]
    assert len({m["id"] for m in first}) == 3
    unstable = messages(raw, stable_ids=False)
    assert not {m["id"] for m in first} & {m["id"] for m in unstable}


def test_the_conversation_option_fills_what_is_not_named() -> None:
    named, unnamed = messages('{"text": "a", "conversation": "c"}\n{"text": "b"}', conversation="d")
    assert (named["conversation"], unnamed["conversation"]) == ("c", "d")
