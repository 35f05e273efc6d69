"""What an extractor may look at beside the message: what its conversation knows, what was said before, and
replies that are paid for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

from forms_dynamics.model.answer import Replies
from forms_dynamics.model.form import Form
from forms_dynamics.model.message import Message

TURNS = 6  # how many turns before the message an extractor can look back


class Known(Sequence[Form]):
    """The Forms that the conversation touched last, and its last turns; each read when first looked at. ``called``
    looks up others by their names, wherever they were told of."""

    def __init__(
        self,
        forms: Callable[[], Sequence[Form]] | None = None,
        turns: Callable[[], Sequence[Message]] | None = None,
        replies: Replies | None = None,
        called: Callable[[Sequence[str]], Sequence[Form]] | None = None,
    ) -> None:
        self._load_forms = forms
        self._called = called
        self._load_turns = turns
        self._replies = replies
        self.books = False  # whether the extractor took ``replies``, and so books there what it costs
        self._forms: Sequence[Form] | None = None
        self._turns: Sequence[Message] | None = None

    @property
    def replies(self) -> Replies | None:
        """Of the message's owner; None outside a memory. Who takes them tells them what calls cost."""
        self.books = True
        return self._replies

    @property
    def turns(self) -> Sequence[Message]:
        """Up to :data:`TURNS` messages said before this one in the conversation, by anybody, oldest first. They
        tell what the message answers; none of their words is evidence of what it says."""
        if self._turns is None:
            self._turns = () if self._load_turns is None else tuple(self._load_turns())
        return self._turns

    def called(self, names: Sequence[str]) -> Sequence[Form]:
        """The Forms that go by one of ``names`` (in normal form)."""
        return () if self._called is None or not names else self._called(names)

    def _all(self) -> Sequence[Form]:
        if self._forms is None:
            self._forms = () if self._load_forms is None else self._load_forms()
        return self._forms

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, index: int) -> Form: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Form]: ...
    def __getitem__(self, index: int | slice) -> Form | Sequence[Form]:
        return self._all()[index]


def with_called(known: Sequence[Form], names: Sequence[str]) -> Sequence[Form]:
    """``known``, and behind them the Forms that go by one of ``names``; as it is where it is a plain list."""
    if not isinstance(known, Known) or not (called := known.called(names)):
        return known
    touched = {form.id for form in known}
    return [*known, *(form for form in called if form.id not in touched)]


def turns_of(known: Sequence[Form]) -> Sequence[Message]:
    """The turns before the message; none where ``known`` is a plain list of Forms."""
    return known.turns if isinstance(known, Known) else ()


__all__ = ["TURNS", "Known", "turns_of", "with_called"]
