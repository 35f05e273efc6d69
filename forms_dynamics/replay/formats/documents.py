"""JSON as logs hold it: one value a line, or one document on one line or on many."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import IO, Any, NamedTuple

BOM = b"\xef\xbb\xbf"
_BLANKS = " \t\n\r"


class Item(NamedTuple):
    """One JSON value, or what is wrong with it. ``line``: on which it stands, from 1; ``place``: its place in
    the array that is the whole document, from 1. Both 0: the document itself, on more than one line."""

    line: int
    place: int
    value: Any
    problem: str | None = None


class NumberedLines:
    """The lines of a stream with their numbers, without a byte order mark."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.number = 0

    def __iter__(self) -> NumberedLines:
        return self

    def __next__(self) -> tuple[int, bytes]:
        raw = self._stream.readline()
        if not raw:
            raise StopIteration
        self.number += 1
        return self.number, raw.removeprefix(BOM) if self.number == 1 else raw

    def next_with_words(self) -> tuple[int, bytes]:
        """The next line that isn't blank; an empty one at the end."""
        return next(((number, raw) for number, raw in self if raw.strip()), (self.number, b""))

    def rest(self) -> bytes:
        """All that was not read yet."""
        return self._stream.read()


def items(head: bytes, lines: NumberedLines) -> Iterator[Item]:
    """The values of a log whose first line with words is ``head``. Lines are read as they come; a document is
    read as a whole, and its first values are given though a later one is broken."""
    first = lines.number
    if head.lstrip()[:1] not in (b"[", b"{"):
        yield from _each_line(chain([(first, head)], lines))
        return
    number, second = lines.next_with_words()
    buffered = [(first, head), (number, second)]
    if second and _is_whole(head):
        yield from _each_line(chain(buffered, lines))
        return
    if not (second and head.lstrip()[:1] == b"{" and _is_whole(second)):
        yield from _document(head + b"\n" * (number - first - 1) + second + lines.rest(), first)
        return
    # an object that begins like a document, or a broken line with whole ones after it
    if head.rstrip()[-1:] in b"[{,:":
        buffered += lines
        whole = b"".join(raw for _, raw in buffered)
        if _is_whole(whole):
            yield from _document(whole, first)
            return
    yield from _each_line(chain(buffered, lines))


def _is_whole(raw: bytes) -> bool:
    """Whether a line is a JSON object or array by itself."""
    try:
        return isinstance(json.loads(raw), (dict, list))
    except RecursionError:
        return True
    except ValueError:
        return False


def _each_line(lines: Iterable[tuple[int, bytes]]) -> Iterator[Item]:
    for number, raw in lines:
        if not raw.strip():
            continue
        try:
            yield Item(number, 0, json.loads(raw.removeprefix(BOM).decode("utf-8")))
        except UnicodeDecodeError as wrong:
            yield Item(number, 0, None, f"is not UTF-8 at byte {wrong.start + 1}; save the file as UTF-8")
        except (ValueError, RecursionError) as wrong:
            yield Item(number, 0, None, f"is no JSON ({_mistake(wrong)}); one JSON object a line is needed")


def _document(raw: bytes, first: int) -> Iterator[Item]:
    """One object, or the items of one array. ``first``: the line on which it begins."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as wrong:
        yield Item(0, 0, None, f"is not UTF-8 at byte {wrong.start + 1}; save the file as UTF-8")
        return
    if text.lstrip()[0] == "[":
        yield from _array(text, first)
        return
    line = 0 if "\n" in text.strip() else first
    try:
        yield Item(line, 0, json.loads(text))
    except (ValueError, RecursionError) as wrong:
        yield Item(
            line, 0, None, f"is no JSON ({_mistake(wrong, first)}); one JSON object a line is read too"
        )


def _array(text: str, first: int) -> Iterator[Item]:
    decoder = json.JSONDecoder()
    at = _past(text, _past(text, 0) + 1)
    place = 0
    wrong: Exception | None = None
    while text[at : at + 1] != "]" or place:
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as mistake:
            wrong = mistake
            break
        place += 1
        yield Item(0, place, value)
        at = _past(text, at)
        if text[at : at + 1] != ",":
            break
        at = _past(text, at + 1)
    if wrong is None and text[at : at + 1] != "]":
        wrong = json.JSONDecodeError("Expecting ',' delimiter", text, at)
    elif wrong is None and text[at + 1 :].strip():
        wrong = json.JSONDecodeError("Extra data", text, _past(text, at + 1))
    if wrong is not None:
        rest = (
            f"; {place} before it were read, nothing after"
            if place
            else "; one JSON object a line is read too"
        )
        yield Item(0, place + 1 if place else 0, None, f"is no JSON ({_mistake(wrong, first)}){rest}")


def _past(text: str, at: int) -> int:
    """Where the next sign stands that is no blank."""
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _mistake(wrong: Exception, first: int = 1) -> str:
    if isinstance(wrong, json.JSONDecodeError):
        line = f"line {wrong.lineno + first - 1} " if wrong.lineno > 1 or first > 1 else ""
        return f"{wrong.msg.lower().removesuffix(' at')} at {line}column {wrong.colno}"
    return "nested too deeply" if isinstance(wrong, RecursionError) else str(wrong)


__all__ = ["BOM", "Item", "NumberedLines", "items"]
