"""Patterns that are compiled when they are first used: a text in one language never needs the other's."""

from __future__ import annotations

import re
from typing import Any, cast


class _Lazy:
    """Stands for a compiled pattern; what is asked of it once is an attribute from then on."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._source = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = self.__dict__.get("_compiled")
        if compiled is None:
            pattern, flags = self._source
            compiled = self._compiled = re.compile(pattern, flags)
        found = getattr(compiled, name)
        setattr(self, name, found)
        return found


def lazy(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """``re.compile(pattern, flags)``, put off until the first search; a mistake in it shows only then.

    Safe to share between threads: two may compile it at once, and either result does.
    """
    return cast("re.Pattern[str]", _Lazy(pattern, int(flags)))
