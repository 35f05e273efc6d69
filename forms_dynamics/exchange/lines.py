"""The rows of an export with their line numbers, whole files only, older formats put in today's order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from forms_dynamics.errors import InvalidInput
from forms_dynamics.exchange.rows import FORMAT, Row, erased_form_row, refused

_BOM = "\ufeff"


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


_JSON = json.JSONDecoder(parse_constant=_no_number)


def read(given: Iterable[Mapping[str, Any] | str | bytes]) -> Iterator[Row]:
    """Rows in the order of format 2, ``end`` rows left out. InvalidInput for what is no export, is cut off,
    or is of a later format. A blank line is passed over, and counted as a line."""
    old = _OldOrder()
    format = 0  # of the part being read; 0 between parts
    last = 0
    for row in _rows(given):
        last = row.line
        if row.kind == "scope":
            if format:
                yield from old.rest()
            format = _format(row)
        elif not format:
            raise refused(
                row.line,
                f'an export begins with its scope line, {{"kind": "scope", …, "format": {FORMAT}}};'
                " this is none (conversation logs go in with observe)",
            )
        if row.kind == "end":
            format = 0
            continue
        if format == 1:
            yield from old.take(row)
        else:
            yield row
    yield from old.rest()
    if format > 1:
        raise refused(
            last, 'the file stops here, without its end row {"kind": "end"}: it was cut off; export again'
        )
    if not last:
        raise InvalidInput("nothing to load: the file is empty, and an export has at least its scope line")


def _format(row: Row) -> int:
    format = row.data.get("format")
    if type(format) is int and format > FORMAT:
        raise refused(
            row.line,
            f"the file has format {format}, this release reads up to {FORMAT}:"
            " load it with the release that wrote it, or a later one",
        )
    if type(format) is not int or format < 1:
        raise row.wrong(f"'format' is {format!r}, not 1 or {FORMAT}")
    return format


def _rows(given: Iterable[Mapping[str, Any] | str | bytes]) -> Iterator[Row]:
    lines = enumerate(given, 1)
    for number, line in lines:
        if isinstance(line, Mapping):
            yield Row(number, line)
            continue
        text = _decoded(number, line)
        if number == 1:
            text = text.removeprefix(_BOM)
        if not text.strip():
            continue
        try:
            data = _JSON.decode(text)
        except (ValueError, RecursionError) as wrong:
            ends = next(lines, None) is None
            cut = "; the file ends here, it was cut off: export again" if ends else ""
            raise refused(number, f"no JSON ({_mistake(wrong)}){cut}") from None
        if not isinstance(data, dict):
            raise refused(number, f"a row is a JSON object, not {text.strip()[:40]!r}")
        yield Row(number, data)


def _decoded(number: int, line: str | bytes) -> str:
    if isinstance(line, str):
        return line
    if not isinstance(line, (bytes, bytearray)):
        raise refused(number, f"a row is an object or a line of JSON, not {type(line).__name__}")
    if number == 1 and line[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise refused(1, "the file is UTF-16; save it as UTF-8")
    try:
        return bytes(line).decode("utf-8")
    except UnicodeDecodeError as wrong:
        # a line that ends within a character
        cut = (
            "; the file ends here, it was cut off: export again"
            if wrong.reason == "unexpected end of data"
            else ""
        )
        raise refused(number, f"not UTF-8 at byte {wrong.start + 1}{cut}") from None


def _mistake(wrong: Exception) -> str:
    if isinstance(wrong, json.JSONDecodeError):
        return f"{wrong.msg.lower().removesuffix(' at')} at column {wrong.colno}"
    return "nested too deeply" if isinstance(wrong, RecursionError) else str(wrong)


class _OldOrder:
    """Format 1 had all Forms before all versions: Forms are kept until their versions come."""

    def __init__(self) -> None:
        self._forms: dict[str, Row] = {}
        self._chain: list[Row] = []

    def take(self, row: Row) -> Iterator[Row]:
        if row.kind == "form":
            self._forms[row.name("id")] = row
        elif row.kind == "version":
            if self._chain and row.name("form_id") != self._chain[0].data["form_id"]:
                yield from self._whole()
            row.name("form_id")
            self._chain.append(row)
        else:
            if row.kind not in ("scope", "message", "record", "tool"):
                yield from self.rest()
            yield row

    def rest(self) -> Iterator[Row]:
        """The last chain; every Form must have come with one."""
        yield from self._whole()
        for row in self._forms.values():
            raise row.wrong("has no versions: the file was cut off or rows are missing; export again")

    def _whole(self) -> Iterator[Row]:
        if self._chain:
            first = self._chain[0]
            id = first.data["form_id"]
            form = self._forms.pop(id, None)
            yield form if form is not None else Row(first.line, erased_form_row(id, len(self._chain)))
            yield from self._chain
            self._chain = []
