"""The steps that a user's extractor may take otherwise. What one of them raises, or gives that is of no use, names
its class and method: the message waits, and who reads why it does knows where to look."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from forms_dynamics.model.form import Form
from forms_dynamics.model.message import Message, SlotDraft
from forms_dynamics.schema.spec import FormType


class Steps(Protocol):
    """What a user's extractor may do otherwise; see ``FormExtractor``."""

    def prompt(self, message: Message, form_types: Sequence[FormType], known: Sequence[Form]) -> Any: ...
    def coerce(self, form_type: str, slot: str, raw: Any, message: Message) -> Any: ...
    def score(self, form_type: str, slot: str, draft: SlotDraft, message: Message) -> float: ...


class Named:
    """Implements :class:`Steps` by another's."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps

    def prompt(self, message: Message, form_types: Sequence[FormType], known: Sequence[Form]) -> Any:
        made = named(self._steps.prompt, message, form_types, known)
        if not _chat(made):
            where = name_of(self._steps.prompt)
            raise TypeError(
                f"{where} gives a list of {{'role': …, 'content': …}} with texts, not {made!r:.80}"
            )
        return made

    def coerce(self, form_type: str, slot: str, raw: Any, message: Message) -> Any:
        return named(self._steps.coerce, form_type, slot, raw, message)

    def score(self, form_type: str, slot: str, draft: SlotDraft, message: Message) -> float:
        sure = named(self._steps.score, form_type, slot, draft, message)
        if isinstance(sure, bool) or not isinstance(sure, (int, float)) or math.isnan(sure):
            raise TypeError(f"{name_of(self._steps.score)} gives a number from 0 to 1, not {sure!r:.80}")
        return sure


def named(step: Callable[..., Any], *given: Any) -> Any:
    """What the step gives; an exception of it bears a note with its class and method."""
    try:
        return step(*given)
    except Exception as failed:
        failed.add_note(f"in {name_of(step)}")
        raise


def name_of(step: Callable[..., Any]) -> str:
    """``Class.method`` of a bound method."""
    return str(getattr(step, "__qualname__", step))


def _chat(prompt: Any) -> bool:
    return (
        isinstance(prompt, Sequence)
        and not isinstance(prompt, (str, bytes))
        and len(prompt) > 0
        and all(
            isinstance(m, Mapping) and isinstance(m.get("role"), str) and isinstance(m.get("content"), str)
            for m in prompt
        )
    )


__all__ = ["Named", "Steps", "name_of", "named"]
