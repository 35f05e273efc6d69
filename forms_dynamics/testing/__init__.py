"""For those who extend or test: a clock that stands still, an extractor that says what it is told."""

from __future__ import annotations

from forms_dynamics.testing.clock import FixedClock
from forms_dynamics.testing.scripted import ScriptedExtractor

__all__ = ["FixedClock", "ScriptedExtractor"]
