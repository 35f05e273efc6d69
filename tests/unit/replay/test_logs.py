"""Logs are read line by line: what can be read is, what can't is named with its place."""

from __future__ import annotations

import gzip
import io
import json
import random
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forms_dynamics.replay.logs import BadLine, Line, LogReader, read_logs


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
    assert line.expect == {"forms": []}
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
        ('{"text": "hi", "expect": [1]}', "'expect' is an array"),
        ('{"text": "hi", "time": 12}', "Unix time"),
        ('{"text": "hi", "time": true}', "ISO 8601"),
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


def test_crlf_and_byte_order_marks_within() -> None:
    raw = b'\xef\xbb\xbf{"text": "a"}\r\n\r\n\xef\xbb\xbf{"text": "b"}\r\n'
    assert [m["text"] for m in messages(raw)] == ["a", "b"]


@pytest.mark.parametrize("name", ["log.jsonl", "log.json", "stdin"])
def test_a_document_may_stand_on_many_lines(name: str) -> None:
    whole = {"messages": [{"role": "user", "content": "a"}]}
    texts = [
        json.dumps(whole, indent=2),
        '{ "messages": [\n{"role": "user", "content": "a"}\n]}',
        "\n\n" + json.dumps([whole]),
    ]
    for text in texts:
        [line] = LogReader(name).read(io.BytesIO(text.encode()))
        assert isinstance(line, Line)
        assert line.message["text"] == "a"


@pytest.mark.parametrize("first", ['{"text": "cut', '{"text": ', '{"text": "a", ', '{"messages": ['])
def test_a_broken_first_line_costs_itself_only(first: str) -> None:
    bad, *rest = read(first + '\n{"text": "b"}\n{"text": "c"}\n')
    assert isinstance(bad, BadLine)
    assert bad.place.line == 1
    assert [line.message["text"] for line in rest if isinstance(line, Line)] == ["b", "c"]


def test_a_broken_document_gives_what_comes_before_the_break() -> None:
    found = read('[\n{"text": "a"},\n{"text": "b"},\n{"text" "c"},\n{"text": "d"}]')
    assert [line.message["text"] for line in found if isinstance(line, Line)] == ["a", "b"]
    assert str(found[-1]).startswith("log.jsonl[3]: is no JSON (expecting ':' delimiter at line 4 column 9)")
    for cut in ('[{"text": "a"}', '[{"text": "a"}] x', '[{"text": "a"},]'):
        line, bad = read(cut)
        assert isinstance(line, Line)
        assert isinstance(bad, BadLine)
    [bad] = read("[oops")
    assert "no JSON" in str(bad)
    assert read("[]") == read("") == read("\n \n") == []


def test_a_huge_line_is_read() -> None:
    words = "预算50万。" * 400_000
    assert [m["text"] for m in messages(json.dumps({"text": words}) + '\n{"text": "b"}')] == [words, "b"]


def test_an_array_a_line_is_a_conversation() -> None:
    raw = "".join(json.dumps([{"role": "user", "content": text}]) + "\n" for text in "ab")
    assert [(m["conversation"], m["text"]) for m in messages(raw)] == [("log-1", "a"), ("log-2", "b")]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (1767225600, "2026-01-01T00:00:00+00:00"),
        (1767225600.25, "2026-01-01T00:00:00.250000+00:00"),
        (1767225600000, "2026-01-01T00:00:00+00:00"),
        ("1767225600000", "2026-01-01T00:00:00+00:00"),
        ("2026-06-12T10:00:00+08:00", "2026-06-12T10:00:00+08:00"),
        ("2026/6/2 9:05", "2026-06-02T09:05:00"),
        ("2026年6月2日 9时05分", "2026-06-02T09:05:00"),
        ("2026.6.2", "2026-06-02"),
        ("2026/6/2 9:05:07.5 +0800", "2026-06-02T09:05:07.5+0800"),
        ("6/2/2026", "6/2/2026"),  # day or month first: left for observe to refuse
    ],
)
def test_times(given: Any, kept: str) -> None:
    [message] = messages(json.dumps({"text": "a", "time": given}))
    assert message["time"] == kept
    if kept != given or "T" in kept:
        assert datetime.fromisoformat(kept)


@pytest.mark.parametrize(
    ("name", "role"),
    [("human", "user"), ("AI", "assistant"), ("gpt", "assistant"), ("bot", "assistant"), ("model", "assistant"),
     ("function", "tool"), ("用户", "user"), ("客户", "user"), ("客服", "assistant"), ("助手", "assistant"),
     ("Customer Service", "assistant"), ("系统", "system"), ("工具", "tool")],
)  # fmt: skip
def test_roles_have_many_names(name: str, role: str) -> None:
    for key in ("role", "speaker"):
        [message] = messages(json.dumps({"text": "a", key: name}))
        assert message["role"] == role
    assert message["speaker"] == name


def test_packed_files_are_read(tmp_path: Path) -> None:
    good, cut = tmp_path / "a.jsonl.gz", tmp_path / "b.csv.gz"
    good.write_bytes(gzip.compress(b'{"role": "assistant", "content": null}\n{"text": "a"}\n'))
    cut.write_bytes(gzip.compress("内容\n好\n".encode() + random.Random(1).randbytes(9_000))[:5_000])
    skipped: Counter[str] = Counter()
    found = list(read_logs([str(good), str(cut)], None, skipped))
    assert [line.message["text"] for line in found if isinstance(line, Line)][:2] == ["a", "好"]
    assert "gzip" in str(found[-1])
    assert skipped == {"empty messages": 1}
    [line] = read_logs([str(good)])
    assert line.message["id"] == found[0].message["id"]  # type: ignore[union-attr]


_words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)
_name = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20).filter(str.strip)
_messages = st.fixed_dictionaries(
    {"text": _words},
    optional={
        "conversation": _name,
        "id": _name,
        "speaker": _name,
        "role": st.sampled_from(["user", "assistant", "tool", "system"]),
        "user": st.none() | _name,
        "time": st.datetimes(timezones=st.just(UTC)).map(datetime.isoformat),
        "expect": st.dictionaries(_name, st.integers() | _words, max_size=3),
    },
)


@given(st.lists(_messages), st.booleans(), st.sampled_from(["\n", "\r\n", "\n\n"]))
def test_json_lines_are_read_as_they_were_written(given: list[dict[str, Any]], ascii: bool, end: str) -> None:
    raw = "".join(json.dumps(m, ensure_ascii=ascii) + end for m in given)
    found = read(raw)
    assert all(isinstance(line, Line) for line in found)
    assert len(found) == len(given)
    for line, wrote in zip(found, given, strict=True):
        assert isinstance(line, Line)
        assert line.user == wrote.get("user")
        assert line.expect == wrote.get("expect")
        for key in ("text", "conversation", "id", "speaker", "role", "time"):
            if key in wrote:
                assert line.message[key] == wrote[key]
    assert [line.message["id"] for line in read(raw) if isinstance(line, Line)] == [
        line.message["id"] for line in found if isinstance(line, Line)
    ]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "text",
                        "content",
                        "role",
                        "from",
                        "value",
                        "messages",
                        "mapping",
                        "message",
                        "type",
                        "id",
                        "parent",
                        "items",
                        "input",
                        "output",
                        "choices",
                        "request",
                        "response",
                        "lc",
                        "kwargs",
                        "current_node",
                        "author",
                        "parts",
                        "data",
                        "time",
                        "tool_calls",
                        "user",
                    ]
                ),
                inner,
                max_size=5,
            )
        ),
    )
)
def test_no_shape_breaks_the_reader(value: Any) -> None:
    """Whatever JSON a log holds, something is said of it or counted, and the line after it is read."""
    reader = LogReader("log.jsonl")
    *found, last = reader.read(io.BytesIO((json.dumps(value) + '\n{"text": "the end"}\n').encode()))
    assert isinstance(last, Line)
    assert last.message["text"] == "the end"
    for line in found:
        assert isinstance(line, BadLine) or (
            isinstance(line.message["text"], str) and line.message["text"].strip()
        )
