"""CSV and TSV: columns by name, quotes, broken rows."""

from __future__ import annotations

import csv
import io
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import read

ROWS = (
    "会话,角色,发送者,内容,时间,消息ID,用户ID\r\n"
    'c1,客户,王敏,"预算50万,\r\n分三期 🎉",2026/6/12 9:05,m1,u1\r\n'
    "c1,客服,小李,好的,1767225600,m2,u1\r\n"
    "\r\n"
    "c2,客户,,您好,2026-06-12T10:00:00+08:00,,\r\n"
)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_chinese_columns(mark: str) -> None:
    found = read(mark + ROWS, "chat.csv")
    assert found.bad == []
    assert found.turns("conversation", "role", "speaker", "text", "time") == [
        ("c1", "user", "王敏", "预算50万,\r\n分三期 🎉", "2026-06-12T09:05:00"),
        ("c1", "assistant", "小李", "好的", "2026-01-01T00:00:00+00:00"),
        ("c2", "user", "user", "您好", "2026-06-12T10:00:00+08:00"),
    ]
    assert [line.message["id"] for line in found.lines[:2]] == ["m1", "m2"]
    assert [line.user for line in found.lines] == ["u1", "u1", None]
    assert [line.place.line for line in found.lines] == [2, 4, 6]


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("Session ID,Sender,Message,Created At", "s,Ann,hi,1767225600000"),
        ("thread\tauthor\tutterance\ttimestamp", "s\tAnn\thi\t1767225600"),
        ("dialog_id;speaker;content;date", "s;Ann;hi;2026-01-01T00:00:00+00:00"),
        ("会话|说话人|消息|时间", "s|Ann|hi|1767225600.0"),
    ],
)
def test_english_names_and_other_separators(header: str, row: str) -> None:
    for name in ("a.csv", "a.tsv", "stdin", "export.txt"):
        found = read(f"{header}\n{row}\n", name)
        assert found.turns("conversation", "speaker", "text", "time") == [
            ("s", "Ann", "hi", "2026-01-01T00:00:00+00:00")
        ]


def test_the_day_and_the_time_of_day_may_stand_apart() -> None:
    found = read("日期,时间,内容\n2026/6/1,9:05,早\n2026年6月2日,21:30:15,晚\n", "a.csv")
    assert found.turns("time") == [("2026-06-01T09:05:00",), ("2026-06-02T21:30:15",)]


def test_a_table_without_a_column_for_words_says_what_there_is() -> None:
    found = read("name,budget\nAnn,5\nBob,6\n", "leads.csv")
    [bad] = found.bad
    assert bad.startswith("leads.csv:1: no column holds the words")
    assert "columns found: name, budget" in bad
    assert found.lines == []
    assert "twice" in read("text,Text\na,b\n", "a.csv").bad[0]
    assert read("text\n", "a.csv").bad == read("", "a.csv").bad == []


def test_broken_rows_are_named_and_the_others_read() -> None:
    raw = (
        "speaker,text,role\n"
        'Ann,"never closed,user\n'  # 2
        "Bob,fine,user\n"
        "Bob,one,too,many\n"  # 4
        "Bob\n"  # 5
        "Bob,x,店长\n"  # 6
        "Bob,,user\n"
        'Bob,he said "hi" to me,user\n'
        'Bob,"quoted" loosely,user\n'
        'Bob,"multi\nline",user\n'
        'Cy,"open again,user'  # 12
    )
    found = read(raw, "a.csv")
    assert [text for _, text in found.said] == ["fine", 'he said "hi" to me', "quoted loosely", "multi\nline"]
    assert [bad.split(": ")[0] for bad in found.bad] == [f"a.csv:{n}" for n in (2, 4, 5, 6, 12)]
    assert "quote" in found.bad[0]
    assert "4 cells, the header 3" in found.bad[1]
    assert "'店长'" in found.bad[3]
    assert found.skipped == {"empty messages": 1}


def test_other_encodings_are_refused_row_by_row_or_as_a_whole() -> None:
    raw = "内容\n".encode() + "你好\n".encode("gb18030") + "好\n".encode()
    found = read(raw, "a.csv")
    assert found.said == [(None, "好")]
    assert found.bad == ["a.csv:2: is not UTF-8; save the file as UTF-8 (in a spreadsheet: CSV UTF-8)"]
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        for name, text in (("a.csv", "text\nhi\n"), ("a.jsonl", '{"text": "hi"}\n')):
            found = read(text.encode(encoding), name)
            assert (found.lines, len(found.bad)) == ([], 1)
            assert "UTF-16" in found.bad[0]


def test_a_long_cell_is_read_and_the_limit_of_the_process_stays() -> None:
    before = csv.field_size_limit()
    words = "长" * 300_000
    assert read(f'text\n"{words}\n{words}"\nnext\n', "a.csv").said == [
        (None, f"{words}\n{words}"),
        (None, "next"),
    ]
    assert csv.field_size_limit() == before


def test_an_open_quote_does_not_make_reading_slow() -> None:
    rows = 20_000
    began = time.process_time()
    found = read('n,text\n1,"open\n' + "2,plain\n" * rows, "a.csv")
    assert (len(found.lines), len(found.bad)) == (rows, 1)
    assert time.process_time() - began < 20


def test_expectations_stand_in_a_column() -> None:
    found = read(
        f'text;expect\nhi;"{json.dumps({"forms": []}).replace(chr(34), chr(34) * 2)}"\nyo;\nno;[1]\nbad;{{\n',
        "a.csv",
    )
    assert [line.expect for line in found.lines] == [{"forms": []}, None]
    assert [bad.split(": ")[0] for bad in found.bad] == ["a.csv:4", "a.csv:5"]


_cells = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@given(st.lists(st.tuples(_cells, _cells), min_size=1))
def test_what_csv_writes_is_read_back(rows: list[tuple[str, str]]) -> None:
    file = io.StringIO(newline="")
    csv.writer(file).writerows([("text", "note"), *rows])
    found = read(file.getvalue(), "a.csv")
    assert found.bad == []
    assert [text for _, text in found.said] == [text for text, _ in rows]
