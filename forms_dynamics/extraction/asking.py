"""One way to ask a model: the reply that is kept for the same question, or a new one, which is kept then."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from pydantic import BaseModel

from forms_dynamics.errors import ExtractorUnavailable
from forms_dynamics.model.answer import Answer, Replies
from forms_dynamics.model.message import NO_COST, Cost
from forms_dynamics.ports import Model

Prompt = Sequence[Mapping[str, str]]


class Asking:
    """Puts questions to one model, at most ``at_once`` together. Thread-safe."""

    def __init__(self, model: Model, at_once: int) -> None:
        self.model = model
        self._slots = threading.BoundedSemaphore(at_once)

    def key(self, prompt: Prompt, reply: type[BaseModel]) -> str:
        """What makes two questions the same: the model, the prompt and the reply's schema."""
        whole = json.dumps([self.model.name, _schema(reply), prompt], ensure_ascii=False, default=str)
        return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()

    def ask(self, prompt: Prompt, reply: type[BaseModel], replies: Replies | None) -> Answer:
        """The answer, as :meth:`answer` gives it."""
        return self.answer(self.key(prompt, reply), reply, replies, lambda: self.model.ask(prompt, reply))

    def answer(
        self, key: str, reply: type[BaseModel], replies: Replies | None, call: Callable[[], Answer]
    ) -> Answer:
        """What is kept under the key, at ``NO_COST``, or what ``call`` gives. Raises what that raises; calls in vain
        are noted with ``replies``."""
        if replies is not None:
            kept = replies.get(key)
            if kept is not None and (read := _valid(kept, reply)) is not None:
                return read
            replies.admit()
        try:
            with self._slots:
                answer = call()
        except ExtractorUnavailable as failed:
            if replies is not None and isinstance(failed.cost, Cost):
                replies.spent(failed.cost)
            raise
        if replies is not None:
            replies.put(key, answer)
        return answer


def _valid(kept: Answer, reply: type[BaseModel]) -> Answer | None:
    """A kept reply as it may be used; None where it is of no use any more."""
    try:
        content = reply.model_validate(dict(kept.content)).model_dump(exclude_defaults=True)
    except ValueError:
        return None
    return Answer(content, NO_COST, kept.logprobs)


@lru_cache(maxsize=256)
def _schema(reply: type[BaseModel]) -> str:
    return json.dumps(reply.model_json_schema(), sort_keys=True)


__all__ = ["Asking", "Prompt"]
