"""A file of rows for ``init --from``: a JSON array, JSON Lines or CSV, in UTF-8, UTF-16 or GB18030."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from forms_dynamics.errors import InvalidInput
from forms_dynamics.replay.formats.tables import delimiter_of

MAX_ROWS = 10_000


@dataclass(slots=True)
class Rows:
    """``rows`` in order, at most ``MAX_ROWS``; ``notes``: what was assumed in reading them."""

    rows: list[Mapping[str, Any]]
    notes: list[str] = field(default_factory=list)


def read_rows(path: Path) -> Rows:
    """The rows of a file; InvalidInput says what is wrong with it and where. OSError when it can't be read."""
    notes: list[str] = []
    text = _text(path, notes)
    if not text.strip():
        raise InvalidInput(f"{path} is empty; it needs rows: a JSON array, JSON Lines or CSV with a header")
    first = text.lstrip()[0]
    suffix = path.suffix.lower()
    if suffix in (".csv", ".tsv") or (suffix not in (".json", ".jsonl", ".ndjson") and first not in "[{"):
        found: Iterator[Mapping[str, Any]] = _csv(path, text)
    elif suffix in (".jsonl", ".ndjson"):
        found = _json_lines(path, text)
    else:
        found = _json(path, text, notes)
    rows = list(islice(found, MAX_ROWS + 1))
    if not rows:
        raise InvalidInput(f"{path} holds no rows; one is the least, some twenty tell more")
    if len(rows) > MAX_ROWS:
        rows.pop()
        notes.append(f"only the first {MAX_ROWS:,} rows were looked at")
    return Rows(rows, notes)


def _text(path: Path, notes: list[str]) -> str:
    raw = path.read_bytes()
    if raw[:4] == b"PK\x03\x04":
        raise InvalidInput(f"{path} is a workbook or archive; save the sheet as CSV (UTF-8)")
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encodings: Sequence[str] = ("utf-16",)
    else:
        encodings = ("utf-8-sig", "gb18030")
    for encoding in encodings:
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding != "utf-8-sig":
            notes.append(f"not UTF-8, read as {encoding.upper()}; save it as UTF-8 if words look wrong")
        return text
    raise InvalidInput(f"{path} is neither UTF-8, UTF-16 nor GB18030; save it as UTF-8")


# -- JSON ----------------------------------------------------------------------------------------------------
class _Twice(ValueError):
    """A key stands twice in an object: one of its values would be lost."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]
        raise _Twice(f"the key {twice[0]!r} stands twice in one object")
    return found


def _load(text: str, where: str, hint: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object)
    except _Twice as wrong:
        raise InvalidInput(f"{where}: {wrong}; rename one") from None
    except json.JSONDecodeError as wrong:
        at = f"line {wrong.lineno}, column {wrong.colno}"
        raise InvalidInput(f"{where} is no JSON ({wrong.msg} at {at}); {hint}") from None
    except (ValueError, RecursionError):
        raise InvalidInput(f"{where} is no JSON that can be read (too deep or a number too long)") from None


def _json(path: Path, text: str, notes: list[str]) -> Iterator[Mapping[str, Any]]:
    if text.lstrip()[0] == "{" and len(text.strip().splitlines()) > 1:
        try:
            json.loads(text.strip().splitlines()[0])
        except ValueError:
            pass
        else:
            yield from _json_lines(path, text)
            return
    body = _load(text, str(path), "rows are an array of objects, or one object a line in a .jsonl file")
    if isinstance(body, dict):
        inner = [key for key, value in body.items() if _is_rows(value)]
        if len(inner) == 1:
            notes.append(f"the rows are those under {inner[0]!r}")
            body = body[inner[0]]
        else:
            body = [body]
    if not isinstance(body, list):
        raise InvalidInput(f"{path} is {_kind(body)}; rows are an array of objects")
    for number, row in enumerate(body, 1):
        yield _checked(row, f"{path}: row {number}")


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _json_lines(path: Path, text: str) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            where = f"{path}:{number}"
            yield _checked(_load(line, where, "one JSON object a line is needed"), where)


def _checked(row: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(row, dict):
        raise InvalidInput(f'{where} is {_kind(row)}; a row is an object such as {{"name": "海蓝电子"}}')
    return row


def _kind(value: Any) -> str:
    if isinstance(value, list):
        return "a list"
    return "nothing (null)" if value is None else f"the value {value!r:.60}"


# -- CSV -----------------------------------------------------------------------------------------------------
def _csv(path: Path, text: str) -> Iterator[Mapping[str, Any]]:
    mark = delimiter_of(next(line for line in text.splitlines() if line.strip()))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    header: list[str] | None = None
    rows = blank = 0
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                blank = blank or (reader.line_num if header is None and len(cells) > 1 else 0)
                continue
            if header is None:
                header = _header(path, cells)
                continue
            if len(cells) > len(header) and any(cell.strip() for cell in cells[len(header) :]):
                raise InvalidInput(
                    f"{path}:{reader.line_num} has {len(cells)} cells, the header {len(header)}; put quotes around "
                    f"cells that hold {mark!r}"
                )
            rows += 1
            yield {name: cell for name, cell in zip(header, cells, strict=False) if name}
    except csv.Error as wrong:
        raise InvalidInput(f"{path}:{reader.line_num} is no CSV: {wrong}") from None
    if blank and not rows:
        raise InvalidInput(
            f"{path}:{blank} is the header, and all its cells are blank; name the columns there"
        )


def _header(path: Path, cells: Sequence[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    twice = [name for name, count in Counter(names).items() if name and count > 1]
    if twice:
        raise InvalidInput(f"{path}: the header names {', '.join(map(repr, twice))} twice; rename one")
    return [name or f"column {place}" for place, name in enumerate(names, 1)]
