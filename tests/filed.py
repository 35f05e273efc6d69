"""A memory in a file, of types that a test declares, with scripted messages and a clock that stands still."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from forms_dynamics import DynamicEdge, Memory
from forms_dynamics.testing import FixedClock, ScriptedExtractor

START = datetime.fromisoformat("2026-01-01T09:00:00+00:00")


class Filed:
    """``yaml`` holds form types and relation rules. Whoever makes one closes ``memory``."""

    def __init__(self, path: Path, yaml: str, script: Mapping[str, Any]) -> None:
        self.clock = FixedClock(START)
        types = path / "types.yaml"
        types.write_text(yaml, encoding="utf-8")
        self.memory = Memory.open(
            path / "memory.db",
            form_types=[types],
            relation_rules=[types],
            extractor=ScriptedExtractor(script),
            clock=self.clock,
        )

    def drawn(self, relation: str, *forms: str) -> list[DynamicEdge]:
        """All edges of a relation at some Forms (none given: at all), those that have ended, too."""
        ids = forms or [form.id for form in self.memory.find()]
        every = {e.id: e for id in ids for e in self.memory.edges(id, include_inactive=True)}
        return sorted((e for e in every.values() if e.relation == relation), key=lambda e: e.id)
