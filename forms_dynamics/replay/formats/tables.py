"""CSV and TSV: a header that names the columns, one message a row."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

SUFFIXES = (".csv", ".tsv")
_MARKS = ",\t;|"
_LONGEST_CELL = (
    1 << 24
)  # characters; csv gives up at 131,072, less than a document that was pasted into a chat

# By which names a column is known, best first; spaces, hyphens, underscores and case don't count.
_COLUMNS = {
    "text": "text content message utterance body messagetext messagecontent 内容 消息 文本 消息内容 聊天内容 "
    "对话内容 发言内容 发言 话语",
    "role": "role speakerrole sendertype 角色 身份",
    "speaker": "speaker sender author speakername sendername from name 发送者 说话人 发言人 发送人 说话者 昵称 姓名",
    "conversation": "conversation conversationid session sessionid thread threadid dialog dialogid dialogue "
    "dialogueid chatid chat 会话 会话id 会话编号 对话 对话id 对话编号",
    "time": "time timestamp datetime createdat sentat createtime sendtime date 时间 发送时间 创建时间 时间戳 日期",
    "id": "messageid msgid id 消息id 消息编号",
    "user": "userid user 用户id 用户 用户编号",
    "expect": "expect",
}
_DAYS, _CLOCKS = ("date", "日期"), ("time", "时间")


class Row(NamedTuple):
    """One row by the line on which it begins: a message under the log format's names, or what is wrong."""

    line: int
    message: Mapping[str, Any] | None
    problem: str | None = None


def delimiter_of(header: str) -> str:
    """What parts the cells: the sign that the header holds most of, quoted names aside."""
    outside = "".join(header.split('"')[::2])
    return max(_MARKS, key=lambda mark: (outside.count(mark), mark == ","))


def is_header(line: str) -> bool:
    """Whether a line is a header with a column for the words."""
    try:
        [names] = csv.reader([line], delimiter=delimiter_of(line), strict=True)
    except (csv.Error, ValueError):
        return False
    return "text" in columns(names)


def columns(names: Sequence[str]) -> dict[str, int]:
    """Which column holds what."""
    known = [_key(name) for name in names]
    found = {}
    for what, aliases in _COLUMNS.items():
        place = next((known.index(alias) for alias in aliases.split() if alias in known), None)
        if place is not None:
            found[what] = place
    return found


def _key(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign not in " _-\ufeff\t")


def rows(lines: Iterator[str], mark: str) -> Iterator[Row]:
    """The messages of a table whose cells ``mark`` parts. ``lines`` keep their line ends; bytes that are no
    UTF-8 stand in them as surrogates.

    A quote that is never closed costs its own row only: reading goes on with the next line."""
    names: list[str] | None = None
    where: Mapping[str, int] = {}
    for line, cells in _records(_Lines(lines), mark):
        if isinstance(cells, str):
            yield Row(line, None, cells)
        elif not any(cell.strip() for cell in cells):
            continue
        elif names is None:
            names, where = cells, columns(cells)
            problem = _no_table(names, where)
            if problem:
                yield Row(line, None, problem)
                return
        else:
            yield _row(line, cells, names, where, mark)


def _no_table(names: Sequence[str], where: Mapping[str, int]) -> str | None:
    """What is wrong with a header, None where it will do."""
    shown = ", ".join(name.strip() or "(blank)" for name in names)
    if "text" not in where:
        return (
            "no column holds the words of messages: name one text (or content, message, utterance, 内容, 消息, 文本);"
            f" columns found: {shown:.500}"
        )
    known = [_key(name) for name in names]
    twice = [names[place].strip() for place in where.values() if known.count(known[place]) > 1]
    return f"the header names {twice[0]!r} twice; rename one" if twice else None


def _row(line: int, cells: Sequence[str], names: Sequence[str], where: Mapping[str, int], mark: str) -> Row:
    if len(cells) > len(names) and any(cell.strip() for cell in cells[len(names) :]):
        hint = f"put quotes around cells that hold {mark!r}"
        return Row(line, None, f"has {len(cells)} cells, the header {len(names)}; {hint}")
    if where["text"] >= len(cells):
        cell = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
        return Row(line, None, f"has {cell}, the header {len(names)}; its words are missing")
    for cell in cells:
        try:
            cell.encode("utf-8")
        except UnicodeEncodeError:
            return Row(line, None, "is not UTF-8; save the file as UTF-8 (in a spreadsheet: CSV UTF-8)")
    message: dict[str, Any] = {"text": cells[where["text"]]}
    for what, place in where.items():
        cell = cells[place].strip() if place < len(cells) else ""
        if what == "text" or not cell:
            continue
        message[what] = cell
    if "time" in message:
        message["time"] = _day_and_clock(message["time"], cells, names)
    if "expect" in message:
        try:
            message["expect"] = json.loads(message["expect"])
        except ValueError:
            return Row(line, None, "'expect' is no JSON; give an object, or leave the cell empty")
    return Row(line, message)


def _day_and_clock(time: str, cells: Sequence[str], names: Sequence[str]) -> str:
    """A day in one column and the time of day in another, put together."""
    known = {_key(name): cell.strip() for name, cell in zip(names, cells, strict=False)}
    day = next((known[key] for key in _DAYS if known.get(key)), "")
    clock = next((known[key] for key in _CLOCKS if known.get(key)), "")
    return f"{day} {clock}" if day and clock and len(clock) < 15 and clock[:3].count(":") == 1 else time


# -- records -------------------------------------------------------------------------------------------------
class _Lines:
    """Lines that can be handed back. ``taken``: those of the record that is being read; ``dry``: whether it
    asked for more than there are."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._back: list[str] = []
        self.number = 0  # lines given so far
        self.taken: list[str] = []
        self.dry = False

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self._back.pop() if self._back else next(self._lines, None)
        if line is None:
            self.dry = True
            raise StopIteration
        self.number += 1
        self.taken.append(line)
        return line

    def hand_back(self) -> None:
        """All lines of the record but its first."""
        self._back += reversed(self.taken[1:])
        self.number -= len(self.taken) - 1


def _records(source: _Lines, mark: str) -> Iterator[tuple[int, list[str] | str]]:
    """The line on which each record begins, with its cells or what is wrong with it."""
    reader = csv.reader(source, delimiter=mark, strict=True)
    while True:
        source.taken.clear()
        source.dry = False
        begins = source.number + 1
        try:
            cells = _next(reader)
        except csv.Error as error:
            loose = _loose(source.taken, mark) if len(source.taken) == 1 and not source.dry else None
            source.hand_back()
            reader = csv.reader(source, delimiter=mark, strict=True)
            yield (
                begins,
                loose or f"is no CSV ({error}); close every quote, and write one within a cell twice",
            )
            continue
        if cells is None:
            return
        yield begins, cells


def _next(reader: Iterator[list[str]]) -> list[str] | None:
    limit = csv.field_size_limit(_LONGEST_CELL)  # of the whole process: put back at once
    try:
        return next(reader, None)
    finally:
        csv.field_size_limit(limit)


def _loose(lines: Sequence[str], mark: str) -> list[str] | None:
    """A line whose quotes don't follow the rules, as spreadsheets take it; None where even they would not."""
    try:
        return _next(csv.reader(lines, delimiter=mark))
    except csv.Error:
        return None


__all__ = ["SUFFIXES", "Row", "columns", "delimiter_of", "is_header", "rows"]
