"""What a model gives back, and where replies that were paid for are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from forms_dynamics.model.message import NO_COST, Cost


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's reply. ``content`` is its JSON, validated against what was asked for; ``logprobs`` are (token,
    natural logarithm of its probability) of the whole reply in order, where the endpoint gives them."""

    content: Mapping[str, Any]
    cost: Cost = NO_COST
    logprobs: Sequence[tuple[str, float]] | None = None


class Replies(Protocol):
    """Replies kept for one message's owner, so that no identical question is paid for twice. Thread-safe."""

    def get(self, key: str) -> Answer | None:
        """The reply kept under the key; its cost is what it cost then."""
        ...

    def put(self, key: str, answer: Answer) -> None:
        """Keeps a reply, durably and at once; it goes when anything of its owner is erased."""
        ...

    def admit(self) -> None:
        """Called before a model is asked; raises ExtractorUnavailable where the owner's cost cap is reached."""
        ...

    def spent(self, cost: Cost) -> None:
        """Notes what calls cost whose reply is of no use, so that the cap counts them too."""
        ...


__all__ = ["Answer", "Replies"]
