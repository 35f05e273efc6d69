"""The readers of a dialogue, in the order in which they are asked."""

from __future__ import annotations

from forms_dynamics.extraction.dialogue import answers
from forms_dynamics.extraction.dialogue.cued import cued
from forms_dynamics.extraction.dialogue.labelled import features, labelled
from forms_dynamics.extraction.dialogue.stated import stated
from forms_dynamics.extraction.dialogue.turn import Reader
from forms_dynamics.extraction.dialogue.values import known_values

READERS: tuple[Reader, ...] = (answers.read, labelled, known_values, stated, cued, features)

__all__ = ["READERS"]
