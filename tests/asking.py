"""An extractor that asks a model for everything, over real HTTP; and the model's words, made from the message's."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from forms_dynamics.errors import ExtractorUnavailable
from forms_dynamics.extraction.grammar import parse_drafts
from forms_dynamics.model.answer import Answer
from forms_dynamics.model.form import Form
from forms_dynamics.model.known import Known, turns_of
from forms_dynamics.model.message import NO_COST, Cost, Message, Proposal

ROOT = Path(__file__).parents[1]
TOKENS = (90, 10)  # of each call


class Drafts(BaseModel):
    """A reply."""

    drafts: list[dict[str, Any]]


class HttpModel:
    """``ports.Model`` over a plain client: one call, no retries."""

    name = "scripted"

    def __init__(self, base_url: str, timeout: float = 20.0) -> None:
        import openai

        self._client = openai.OpenAI(base_url=base_url, api_key="any", max_retries=0, timeout=timeout)

    def ask(self, prompt: Sequence[Mapping[str, str]], reply: type[BaseModel]) -> Answer:
        import openai

        messages: Any = [dict(m) for m in prompt]
        try:
            done = self._client.chat.completions.create(
                model=self.name, messages=messages, response_format={"type": "json_object"}
            )
        except openai.OpenAIError as failed:
            raise ExtractorUnavailable(f"the model is away: {failed}", Cost(1)) from failed
        assert done.usage is not None
        cost = Cost(1, done.usage.prompt_tokens, done.usage.completion_tokens)
        try:
            content = reply.model_validate_json(done.choices[0].message.content or "").model_dump()
        except ValueError as wrong:
            raise ExtractorUnavailable("the reply does not validate", cost) from wrong
        return Answer(content, cost, [("{", -0.1)])


class Asking:
    """Asks about each user message. One with "它" or "it" is asked about together with what the conversation knows."""

    def __init__(self, model: HttpModel, at_once: int = 16) -> None:
        self._model = model
        self._pool = ThreadPoolExecutor(at_once)
        self._begun: dict[tuple[Any, ...], Future[Answer]] = {}

    def extract(self, message: Message, known: Sequence[Form]) -> Proposal:
        if message.role != "user":
            return Proposal(())
        begun = self._begun.pop((message.user, message.conversation, message.id), None)
        answer = begun.result() if begun is not None else self._ask(self._prompt(message, known), known)
        return Proposal(parse_drafts(answer.content["drafts"], tier="model"), answer.cost)

    def ahead(self, pairs: Sequence[tuple[Message, Sequence[Form]]]) -> None:
        for message, known in pairs:
            if message.role != "user":
                continue
            try:
                prompt = self._prompt(message, known)
            except BaseException as later:
                if isinstance(later, (KeyboardInterrupt, SystemExit)):
                    raise
                continue
            begun = self._pool.submit(self._ask, prompt, known)
            self._begun[message.user, message.conversation, message.id] = begun

    @staticmethod
    def _prompt(message: Message, known: Sequence[Form]) -> list[dict[str, str]]:
        lines = [message.text]
        if re.search(r"它|\bit\b", message.text):
            lines += [
                f"known: {form.id} {sorted((n, str(s.value)) for n, s in form.slots.items())}"
                for form in known
            ]
            lines += [f"before: {turn.text}" for turn in turns_of(known)]
        return [{"role": "user", "content": "\n".join(lines)}]

    def _ask(self, prompt: list[dict[str, str]], known: Sequence[Form]) -> Answer:
        assert isinstance(known, Known)
        replies = known.replies
        assert replies is not None
        key = hashlib.sha256(json.dumps(prompt).encode()).hexdigest()
        kept = replies.get(key)
        if kept is not None:
            return Answer(kept.content, NO_COST, kept.logprobs)
        replies.admit()
        try:
            answer = self._model.ask(prompt, Drafts)
        except ExtractorUnavailable as failed:
            replies.spent(failed.cost)
            raise
        replies.put(key, answer)
        return answer


def drafts_of(request: Mapping[str, Any]) -> dict[str, Any]:
    """What a model would say: the company (…公司), the budget (预算…万) and the terms (月结…天) of the message."""
    said, *around = request["messages"][-1]["content"].split("\n")
    slots: dict[str, Any] = {}
    company = re.search(r"\w{2,8}?公司", said)
    if company:
        slots["company"] = {"value": company[0], "confidence": 0.95, "evidence": company[0]}
    budget = re.search(r"预算(\d+万)", said)
    if budget:
        # whose budget "它" has is only sure where the prompt tells of a Form
        sure = 0.95 if "它" not in said or any(line.startswith("known:") for line in around) else 0.3
        slots["budget"] = {"value": budget[1], "confidence": sure, "evidence": budget[0]}
    terms = re.search(r"月结\d+天", said)
    if terms:
        slots["payment_terms"] = {"value": terms[0], "confidence": 0.95, "evidence": terms[0]}
    if not slots:
        return {"drafts": []}
    return {"drafts": [{"form_type": "lead_profile", "slots": slots}]}


def answered(request: Mapping[str, Any]) -> Any:
    """:func:`drafts_of` at a price that tests can count on."""
    from forms_dynamics.testing.model_server import Reply

    return Reply(drafts_of(request), usage=TOKENS)


def environment() -> dict[str, str]:
    """For a process that imports this module."""
    import os

    return {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
