"""What is wrong with a YAML file, where, and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark on a file. ``line`` and ``column`` count from 1, in characters; 0 means the whole file."""

    file: str
    line: int
    column: int
    message: str
    suggestion: str | None = None
    severity: Severity = "error"

    def __str__(self) -> str:
        hint = f" (did you mean {self.suggestion!r}?)" if self.suggestion else ""
        return f"{self.file}:{self.line}:{self.column}: {self.message}{hint}"


@lru_cache(maxsize=4096)
def _nearest(name: str, options: tuple[str, ...]) -> str | None:
    folded = {option.casefold(): option for option in options}
    close = difflib.get_close_matches(name.casefold().strip(), list(folded), n=1, cutoff=0.6)
    return folded[close[0]] if close else None


def nearest(name: str, options: Iterable[str]) -> str | None:
    """The valid name that ``name`` most likely stands for, or None."""
    return _nearest(name, tuple(options))
