"""Logs given as values, read as a user's file would be."""

from __future__ import annotations

import io
import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

from forms_dynamics.replay.logs import BadLine, Line, LogReader


@dataclass
class Read:
    """What one log gave."""

    lines: list[Line]
    bad: list[str]
    skipped: Counter[str]

    def turns(self, *keys: str) -> list[tuple[Any, ...]]:
        """Each message as the values of ``keys``; None where it has none."""
        return [tuple(line.message.get(key) for key in keys) for line in self.lines]

    @property
    def said(self) -> list[tuple[Any, ...]]:
        return self.turns("role", "text")


def read(log: Any, name: str = "log.jsonl", **options: Any) -> Read:
    """Reads bytes, a text, or a value written as one JSON document."""
    text = log if isinstance(log, (str, bytes)) else json.dumps(log, ensure_ascii=False)
    reader = LogReader(name, **options)
    found = list(reader.read(io.BytesIO(text.encode() if isinstance(text, str) else text)))
    return Read(
        [item for item in found if isinstance(item, Line)],
        [str(item) for item in found if isinstance(item, BadLine)],
        reader.skipped,
    )


def json_lines(*items: Any) -> str:
    """One JSON value a line."""
    return "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items)
