"""A YAML file as a tree of nodes that know their line and column.

The parser's events are walked with a stack, never by recursion, so that deep nesting cannot exhaust it. Plain
scalars keep their spelling: what YAML would make of ``no``, ``1.10`` or ``08`` is for the reader to judge.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any, Literal

import yaml

from forms_dynamics.schema.findings import Finding

MAX_DEPTH = 50
# Aliases may make a document at most this many times as large as it was written, or this large in all.
MAX_GROWTH = 10
FREE_GROWTH = 100_000

_PARSER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NOT_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
_KEY_PLACE = re.compile(r"[ \t]*(?:-[ \t]+)?[^\s#'\"\[\]{}：:\u3000]*:?[ \t]*([：\u3000])")
_TAB = re.compile(r" *(\t)")
_PLAIN_TAGS = frozenset({None, "!", *(f"tag:yaml.org,2002:{kind}" for kind in ("str", "map", "seq"))})

_WORDS = {
    "\t": "a tab (U+0009, 制表符)",
    "\u3000": "a full-width space (U+3000, 全角空格)",
    "：": "a full-width colon '：' (U+FF1A, 全角冒号)",
    "，": "a full-width comma '，' (U+FF0C, 全角逗号)",
    "\u00a0": "a no-break space (U+00A0)",
    "\u200b": "a zero-width space (U+200B)",
    "\ufeff": "a byte order mark (U+FEFF) inside the text",
    "“": "a curly quotation mark '“' (U+201C, 中文引号)",
    "”": "a curly quotation mark '”' (U+201D, 中文引号)",
}
_ADVICE = {
    "\t": "indent with spaces",
    "\u3000": "use ordinary spaces",
    "：": "use ':' and a space",
    "，": "use ',' and a space",
    "“": "use straight quotes",
    "”": "use straight quotes",
}


Kind = Literal["scalar", "mapping", "sequence"]


class Node:
    """A scalar (``value`` is its text), a mapping (list of key and value) or a sequence (list).

    ``line`` and ``column`` count from 0. ``plain``: written without quotes. ``size``: nodes with every alias
    written out. ``start`` and ``end`` are offsets of its text in the file.
    """

    __slots__ = ("column", "end", "kind", "line", "plain", "size", "start", "value")

    def __init__(self, kind: Kind, value: Any, start: Any, end: Any, plain: bool = False) -> None:
        self.kind = kind
        self.value = value
        self.line: int = start.line
        self.column: int = start.column
        self.start: int = start.index
        self.end: int = end.index
        self.plain = plain
        self.size = 1


def in_words(character: str) -> str:
    """A character that cannot be seen or looks like another, told so that a person finds it."""
    name = unicodedata.name(character, "unnamed").lower()
    return _WORDS.get(character) or f"{character!r} (U+{ord(character):04X}, {name})"


def advice(character: str) -> str:
    return _ADVICE.get(character, "leave it out or put the whole in quotes")


def read_text(path: Path, name: str) -> tuple[str | None, list[Finding]]:
    """The file's text without a byte order mark, or None and why not."""
    try:
        raw = path.read_bytes()
    except OSError as failure:
        return None, [Finding(name, 0, 0, f"cannot be read: {failure.strerror or failure}")]
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return None, [Finding(name, 1, 1, "is UTF-16; save it as UTF-8")]
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        before = raw[: failure.start].decode("utf-8-sig", "replace")
        line, column = place(before, len(before))
        byte = raw[failure.start]
        return None, [Finding(name, line, column, f"byte 0x{byte:02X} is not UTF-8; save the file as UTF-8")]
    strange = _NOT_TEXT.search(text)
    if strange:
        line, column = place(text, strange.start())
        code = f"U+{ord(strange.group()):04X}"
        return None, [Finding(name, line, column, f"the control character {code} cannot stand in YAML")]
    return text, []


def place(text: str, offset: int) -> tuple[int, int]:
    """Line and column, from 1, of an offset."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def strange_in(text: str, node: Node) -> tuple[int, int, str] | None:
    """Line, column and character of the first full-width look-alike or tab in a plain scalar's own text."""
    if node.kind != "scalar" or not node.plain:
        return None
    for offset in range(node.start, min(node.end, len(text))):
        if text[offset] in _WORDS:
            line, column = place(text, offset)
            return line, column, text[offset]
    return None


class _Builder:
    """Events to nodes for one file; keeps what it finds."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self.findings: list[Finding] = []
        self.documents: list[Node] = []

    def report(self, mark: Any, message: str, suggestion: str | None = None) -> None:
        self.findings.append(Finding(self.name, mark.line + 1, mark.column + 1, message, suggestion))

    def build(self) -> None:
        try:
            self._events()
        except yaml.MarkedYAMLError as failure:
            self._broken(failure)
        except yaml.YAMLError as failure:
            self.findings.append(Finding(self.name, 1, 1, f"not valid YAML: {failure}"))

    def _events(self) -> None:
        anchors: dict[str, Node | None] = {}
        open_nodes: list[tuple[Node, str | None]] = []
        written = 0
        events: Any = yaml.parse(self.text, Loader=_PARSER)
        for event in events:
            kind = type(event)
            if kind is yaml.ScalarEvent:
                if event.tag not in _PLAIN_TAGS:
                    self.report(event.start_mark, f"the tag {event.tag} is not taken; leave it out")
                node = Node("scalar", event.value, event.start_mark, event.end_mark, not event.style)
                if event.anchor:
                    anchors[event.anchor] = node
                written += 1
            elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                if event.tag not in _PLAIN_TAGS:
                    self.report(event.start_mark, f"the tag {event.tag} is not taken; leave it out")
                what: Kind = "mapping" if kind is yaml.MappingStartEvent else "sequence"
                open_nodes.append((Node(what, [], event.start_mark, event.end_mark), event.anchor))
                if event.anchor:
                    anchors[event.anchor] = None
                if len(open_nodes) > MAX_DEPTH:
                    self.report(event.start_mark, f"nested more than {MAX_DEPTH} deep")
                    return
                written += 1
                continue
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                node, anchor = open_nodes.pop()
                node.end = event.end_mark.index
                node.size = min(1 + sum(child.size for child in node.value), 10**12)
                if node.kind == "mapping":
                    node.value = self._pairs(node)
                if anchor:
                    anchors[anchor] = node
            elif kind is yaml.AliasEvent:
                target = anchors.get(event.anchor)
                if target is None:
                    inside = event.anchor in anchors
                    reason = "stands inside itself" if inside else "is not declared above"
                    self.report(event.start_mark, f"the anchor &{event.anchor} {reason}")
                    node = Node("scalar", "", event.start_mark, event.end_mark, True)
                else:
                    node = target
            elif kind is yaml.DocumentStartEvent:
                anchors, written = {}, 0
                continue
            else:
                continue
            if open_nodes:
                open_nodes[-1][0].value.append(node)
            else:
                self._finish(node, written)

    def _finish(self, root: Node, written: int) -> None:
        if root.size > max(FREE_GROWTH, MAX_GROWTH * written):
            self.findings.append(
                Finding(
                    self.name, root.line + 1, root.column + 1,
                    f"aliases (*name) swell this document from {written} to {root.size} values, beyond "
                    f"{MAX_GROWTH} times; write the repeated parts out",
                )
            )  # fmt: skip
        else:
            self.documents.append(root)

    def _pairs(self, node: Node) -> list[tuple[Node, Node]]:
        """Keys and values; duplicates are reported, merge keys (``<<``) filled in behind the own keys."""
        children = node.value
        seen: dict[str, Node] = {}
        pairs: list[tuple[Node, Node]] = []
        merged: list[Node] = []
        for i in range(0, len(children) - 1, 2):
            key, value = children[i], children[i + 1]
            if key.kind != "scalar":
                self._at(key, "a key must be a word, not a list or mapping")
            elif key.plain and key.value == "<<":
                merged.extend(value.value if value.kind == "sequence" else [value])
            elif key.value in seen:
                first = seen[key.value]
                self._at(key, f"the key {key.value!r} stands twice (first in line {first.line + 1})")
            else:
                seen[key.value] = key
                pairs.append((key, value))
        for base in merged:
            if base.kind != "mapping":
                self._at(base, "<< takes a mapping, as in '<<: *name'")
                continue
            for key, value in base.value:
                if key.value not in seen:
                    seen[key.value] = key
                    pairs.append((key, value))
        return pairs

    def _at(self, node: Node, message: str) -> None:
        self.findings.append(Finding(self.name, node.line + 1, node.column + 1, message))

    def _broken(self, failure: yaml.MarkedYAMLError) -> None:
        """A syntax error, told by the look-alike that made it where one stands at or just above it."""
        mark: Any = failure.problem_mark or failure.context_mark
        lines = re.split("\r\n|\n|\r", self.text)
        for number in range(min(mark.line, len(lines) - 1), max(mark.line - 4, -1), -1):
            for pattern in (_TAB, _KEY_PLACE):
                found = pattern.match(lines[number])
                if found:
                    character = found.group(1)
                    place = "in the indentation" if character == "\t" else "where YAML needs plain characters"
                    self.findings.append(
                        Finding(
                            self.name, number + 1, found.start(1) + 1,
                            f"{in_words(character)} {place}; {advice(character)}",
                        )
                    )  # fmt: skip
                    return
        problem = " ".join(part for part in (failure.context, failure.problem) if part)
        self.report(mark, f"not valid YAML: {problem}")


def documents(name: str, text: str) -> tuple[list[Node], list[Finding]]:
    """The documents of a file (empty ones left out) and what is wrong with its YAML."""
    builder = _Builder(name, text)
    builder.build()
    kept = [
        root for root in builder.documents
        if not (root.kind == "scalar" and root.plain and root.value in ("", "~", "null"))
    ]  # fmt: skip
    if not kept and not builder.findings:
        builder.findings.append(Finding(name, 1, 1, "is empty; a form type begins with 'form_type: name'"))
    return kept, builder.findings
