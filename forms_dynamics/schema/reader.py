"""Nodes to values, strictly: each method returns the value, or reports what is wrong and returns None.

YAML 1.1 reads an unquoted ``no``, ``on`` or ``yes`` as a boolean and ``1.10`` as 1.1. Where a word is wanted
these are refused with the advice to quote, so that a country NO never becomes False.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from forms_dynamics.language.normal import has_han
from forms_dynamics.schema.findings import Finding, Severity, nearest
from forms_dynamics.schema.source import Node, advice, in_words, strange_in

_NAME = re.compile(r"[^\W\d_][\w-]*")
_NUMBER = re.compile(
    r"[-+]?(?:\d[\d_,:]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|0[xob][\da-fA-F_]+|[-+]?\.(?:inf|nan)"
)
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?(?:[Tt ].*)?")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_INTEGER = re.compile(r"[-+]?\d(?:_?\d)*")
_DECIMAL = re.compile(r"[-+]?(?:\d(?:_?\d)*)?\.?\d+(?:[eE][-+]?\d+)?")
_FALSE = frozenset({"no", "No", "NO", "off", "Off", "OFF", "n", "N", "false", "False", "FALSE"})
_TRUE = frozenset({"yes", "Yes", "YES", "on", "On", "ON", "y", "Y", "true", "True", "TRUE"})
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
LANGUAGES = ("zh", "en")


def meaning(node: Node) -> str | None:
    """What YAML takes an unquoted scalar for, when that is no word: for messages."""
    if not node.plain:
        return None
    text = node.value
    if text in _NULL:
        return "nothing"
    if text in _FALSE:
        return "the boolean false"
    if text in _TRUE:
        return "the boolean true"
    if text[0] not in "+-.0123456789":
        return None
    if _DATE.fullmatch(text):
        return "a date"
    if _NUMBER.fullmatch(text):
        return "a number"
    return None


def is_name(text: str) -> bool:
    """Whether ``text`` may name a Form type, slot or relation."""
    return _NAME.fullmatch(text) is not None


def is_null(node: Node) -> bool:
    return node.kind == "scalar" and node.plain and node.value in _NULL


class Reader:
    """Reads the nodes of one file and gathers findings."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.source = text
        self.findings: list[Finding] = []

    # -- reporting -------------------------------------------------------------------------------------------
    def error(
        self, node: Node, message: str, suggestion: str | None = None, severity: Severity = "error"
    ) -> None:
        """Reports at the node; at a look-alike inside it when one stands there, for that is the cause."""
        strange = strange_in(self.source, node) if severity == "error" else None
        if strange:
            line, column, character = strange
            message = f"{in_words(character)} where YAML needs plain characters; {advice(character)}"
            self.findings.append(Finding(self.file, line, column, message))
            return
        self.findings.append(
            Finding(self.file, node.line + 1, node.column + 1, message, suggestion, severity)
        )

    def warn(self, node: Node, message: str, suggestion: str | None = None) -> None:
        self.error(node, message, suggestion, "warning")

    # -- shapes ----------------------------------------------------------------------------------------------
    def pairs(self, node: Node, what: str) -> list[tuple[Node, Node]]:
        """Keys and values of a mapping."""
        if node.kind != "mapping":
            self.error(node, f"{what} must be a mapping (key: value), not {_kind(node)}")
            return []
        return list(node.value)

    def fields(self, node: Node, allowed: Sequence[str], what: str) -> dict[str, Node]:
        """A mapping whose keys are fixed; others are refused with the nearest valid one."""
        found: dict[str, Node] = {}
        for key, value in self.pairs(node, what):
            if key.value in allowed:
                found[key.value] = value
            else:
                hint = nearest(key.value, allowed)
                known = "" if hint else f"; it takes {', '.join(allowed)}"
                if " " in key.value and is_null(value):
                    known = "; a comma inside {…} ends a text, so put texts with commas in quotes"
                self.error(key, f"{what} has no key {key.value!r}{known}", hint)
        return found

    def items(self, node: Node, what: str) -> list[Node]:
        if node.kind != "sequence":
            self.error(node, f"{what} must be a list, not {_kind(node)}")
            return []
        return list(node.value)

    # -- scalars ---------------------------------------------------------------------------------------------
    def word(self, node: Node, what: str) -> str | None:
        """A text that must not be mistaken: numbers, booleans and nulls have to be quoted."""
        if node.kind != "scalar":
            self.error(node, f"{what} must be a text, not {_kind(node)}")
            return None
        other = meaning(node)
        if other == "nothing":
            self.error(node, f"{what} is empty")
            return None
        if other:
            quoted = f'"{node.value}"'
            self.error(
                node, f"{what}: YAML takes unquoted {node.value} for {other}; put it in quotes", quoted
            )
            return None
        text: str = node.value.strip()
        if node.plain and text != node.value.strip(" \t"):
            # Python strips a full-width space at either end; the writer would never see why it is there
            self.error(node, f"{what} {text!r} has a space that YAML keeps as text")
            return None
        if not text:
            self.error(node, f"{what} is empty")
            return None
        return text

    def name(self, node: Node, what: str) -> str | None:
        """A name for use in rules and templates: letters (of any script), digits, ``_`` and ``-``."""
        text = self.word(node, what)
        if text is None:
            return None
        if not _NAME.fullmatch(text):
            bad = next((ch for ch in text if not re.fullmatch(r"[\w-]", ch)), text[0])
            self.error(
                node,
                f"{what} {text!r}: a name is letters, digits, '_' and '-', begins with a letter, "
                f"and cannot hold {in_words(bad)} there",
            )
            return None
        return text

    def text(self, node: Node, what: str) -> str | None:
        """Prose: a number stays as it was written."""
        if node.kind == "scalar" and meaning(node) in ("a number", "a date"):
            return str(node.value)
        if node.kind == "scalar" and not node.plain:
            if not node.value.strip():
                self.error(node, f"{what} is empty")
                return None
            return str(node.value)
        return self.word(node, what)

    def words(self, node: Node, what: str, prose: bool = False) -> tuple[str, ...]:
        """A list of texts, or one text; numbers are taken as written, repeats dropped."""
        nodes = node.value if node.kind == "sequence" else [node]
        found: dict[str, None] = {}
        for item in nodes:
            if item.kind == "scalar" and meaning(item) in ("a number", "a date"):
                found[item.value] = None
                continue
            text = self.word(item, what)
            if text is not None:
                found[text] = None
                if item.plain and "，" in text and not prose:
                    self.warn(
                        item, f"{text!r} is one item with {in_words('，')}; {advice('，')} to separate items"
                    )
        return tuple(found)

    def by_language(self, node: Node, what: str) -> dict[str, str]:
        """``{zh: …, en: …}``, or one text, whose language is told by its characters."""
        if node.kind != "mapping":
            text = self.text(node, what)
            return {} if text is None else {"zh" if has_han(text) else "en": text}
        found: dict[str, str] = {}
        for language, value in self.fields(node, LANGUAGES, what).items():
            text = self.text(value, f"{what} in {language}")
            if text is not None:
                found[language] = text
        return found

    def boolean(self, node: Node, what: str) -> bool | None:
        if node.kind == "scalar" and node.plain and node.value in ("true", "false"):
            return bool(node.value == "true")
        hint = None
        if node.kind == "scalar":
            hint = "true" if node.value in _TRUE else "false" if node.value in _FALSE else None
        self.error(node, f"{what} must be true or false", hint)
        return None

    def number(
        self,
        node: Node,
        what: str,
        low: float | None = None,
        high: float | None = None,
        above: float | None = None,
    ) -> Decimal | None:
        """A plain number; ``low`` and ``high`` included, ``above`` excluded."""
        if node.kind != "scalar" or not node.plain or not _DECIMAL.fullmatch(node.value):
            self.error(node, f"{what} must be a number, not {_told(node)}")
            return None
        value = Decimal(node.value.replace("_", ""))
        wrong = (
            (low is not None and value < Decimal(str(low)))
            or (high is not None and value > Decimal(str(high)))
            or (above is not None and value <= Decimal(str(above)))
        )
        if wrong:
            parts = [f"above {above:g}"] if above is not None else []
            parts += [f"at least {low:g}"] if low is not None else []
            parts += [f"at most {high:g}"] if high is not None else []
            self.error(node, f"{what} must be {' and '.join(parts)}, not {node.value}")
            return None
        return value

    def integer(self, node: Node, what: str, low: int | None = None, high: int | None = None) -> int | None:
        if node.kind == "scalar" and node.plain and _INTEGER.fullmatch(node.value):
            value = self.number(node, what, low, high)
            return None if value is None else int(value)
        self.error(node, f"{what} must be a whole number, not {_told(node)}")
        return None

    def choice(
        self, node: Node, options: Sequence[str], what: str, synonyms: Mapping[str, str] | None = None
    ) -> str | None:
        """One of a few fixed words."""
        if node.kind != "scalar":
            self.error(node, f"{what} must be one of {', '.join(options)}, not {_kind(node)}")
            return None
        if node.value in options:
            return str(node.value)
        hint = (synonyms or {}).get(node.value.casefold()) or nearest(node.value, options)
        known = "" if hint else f"; it is one of {', '.join(options)}"
        self.error(node, f"{what} {node.value!r} is not known{known}", hint)
        return None

    def known(self, node: Node, options: Iterable[str], what: str) -> str | None:
        """A name declared elsewhere."""
        text = self.word(node, what)
        options = tuple(options)
        if text is None or text in options:
            return text
        self.error(node, f"{what} {text!r} is not declared", nearest(text, options))
        return None

    def plain(self, node: Node, what: str) -> Any:
        """Any value as YAML 1.2 has it: int, Decimal, bool, None, str, list, dict; dates stay texts."""
        if node.kind == "sequence":
            return [self.plain(item, what) for item in node.value]
        if node.kind == "mapping":
            return {key.value: self.plain(value, what) for key, value in node.value}
        text = str(node.value)
        if not node.plain:
            return text
        if text in _NULL:
            return None
        if text in ("true", "false"):
            return text == "true"
        if text in _TRUE or text in _FALSE:
            self.error(node, f"{what}: write true or false, or put {text} in quotes", f'"{text}"')
            return None
        if _INTEGER.fullmatch(text) and not re.match(r"[-+]?0\d", text):
            return int(text.replace("_", ""))
        if _DECIMAL.fullmatch(text) and not re.match(r"[-+]?0\d", text):
            return Decimal(text.replace("_", ""))
        return text


def iso_date(text: str) -> date | None:
    """A day written as 2026-01-31 and in no other way."""
    if not _DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _kind(node: Node) -> str:
    if node.kind == "scalar":
        return "empty" if is_null(node) else f"the text {node.value!r}"
    return "a list" if node.kind == "sequence" else "a mapping"


def _told(node: Node) -> str:
    return repr(node.value) if node.kind == "scalar" else _kind(node)
