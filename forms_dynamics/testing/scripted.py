"""An extractor that stands for a model's raw words; the gate and all that follows run as in production."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from forms_dynamics.errors import ExtractorUnavailable, InvalidInput
from forms_dynamics.extraction.grammar import parse_drafts, parse_reply
from forms_dynamics.model.form import Form
from forms_dynamics.model.message import Cost, Message, Proposal

_Key = tuple[str | None, str, str, str]
Entry = Any  # [], a list of drafts, {"raise": …, "then": drafts} or {"raw": [reply, …]}


class ScriptedExtractor:
    """Answers from ``script`` and replaces every tier.

    ``script``: a list with one entry a message in the order observed (every role counts; duplicates consume
    nothing), or a mapping from message id or exact text to an entry. A message that the script does not know
    gives no drafts. ``{"raise": exception, "then": drafts}`` raises when first taken and gives ``then`` after;
    without ``then`` it raises every time. ``{"raw": [text, …]}``: a model's raw replies, one an attempt.
    """

    name = "scripted"

    def __init__(self, script: Sequence[Entry] | Mapping[str, Entry]) -> None:
        self._mapping = dict(script) if isinstance(script, Mapping) else None
        self._list = [] if isinstance(script, Mapping) else list(script)
        self._taken: dict[_Key, Entry] = {}
        self._next = 0
        self._attempts: dict[_Key, int] = {}

    def extract(self, message: Message, known: Sequence[Form] = ()) -> Proposal:
        # an edit (same id, other text) and another user's message of the same id are messages of their own
        key = (message.user, message.conversation, message.id, message.text)
        entry = self._entry(message, key)
        attempt = self._attempts.get(key, 0)
        self._attempts[key] = attempt + 1
        if isinstance(entry, Mapping):
            return self._special(entry, attempt)
        return Proposal(parse_drafts(entry, tier="script"))

    def _entry(self, message: Message, key: _Key) -> Entry:
        if self._mapping is not None:
            return self._mapping.get(message.id, self._mapping.get(message.text, []))
        if key not in self._taken:
            self._taken[key] = self._list[self._next] if self._next < len(self._list) else []
            self._next += 1
        return self._taken[key]

    def _special(self, entry: Mapping[str, Any], attempt: int) -> Proposal:
        if "raise" in entry:
            if attempt == 0 or "then" not in entry:
                raise _exception(entry["raise"])
            return Proposal(parse_drafts(entry["then"], tier="script"))
        if "raw" in entry:
            replies = entry["raw"]
            if attempt >= len(replies):
                raise ExtractorUnavailable("the script holds no further reply")
            return Proposal(parse_reply(replies[attempt]), Cost(model_calls=1))
        raise InvalidInput(f"a script entry is a list of drafts, 'raise' or 'raw', not {sorted(entry)}")


def _exception(what: Any) -> BaseException:
    if isinstance(what, BaseException):
        return what
    if isinstance(what, type) and issubclass(what, BaseException):
        return what()
    return ExtractorUnavailable(str(what))
