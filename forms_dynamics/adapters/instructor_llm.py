"""A model behind an endpoint that speaks the OpenAI protocol, asked through ``instructor``.

``instructor`` makes the request of a mode (a JSON schema as response format, or a tool) and validates the reply. What
it cannot read (a fence, prose around the JSON, an answer beside the tool) is read here from the same completion, so
that nothing is paid for twice. What an endpoint cannot do is found out once for each client and remembered.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, TypeGuard

from pydantic import BaseModel

from forms_dynamics.adapters.faults import complaint, retry_after, status, too_long
from forms_dynamics.adapters.replied import is_cut, logprobs, prose, read, said
from forms_dynamics.errors import ExtractorUnavailable, InvalidInput, PromptTooLong
from forms_dynamics.language.tokens import count
from forms_dynamics.model.answer import Answer
from forms_dynamics.model.message import Cost
from forms_dynamics.settings import Settings

DEFAULT_MODEL = "gpt-4o-mini"  # where a client comes without the name of a model
MODES = ("json_schema", "tools", "json")  # in the order that ``auto`` tries them
_MOST_TOKENS = 10_000_000  # in one call: no model takes or gives more
_LONGEST_WAIT = 30.0  # seconds: a server that asks for more is given up, and the message waits in the queue
# words by which a refused request tells what it does not take
_LACKS: Mapping[str, tuple[str, ...]] = {
    "json_schema": ("response_format", "json_schema", "json schema", "grammar", "structured output"),
    "tools": ("tool", "function"),
}
_OPTIONS = ("logprobs", "temperature", "max_tokens")
_USERINFO = re.compile(r"(?<=://)[^/\s]*@")  # of an address: a password stands there
_FINAL = {
    401: "the key is not accepted: set settings.api_key or OPENAI_API_KEY",
    403: "the key may not use this model: use another key or settings.model",
    404: "there is no such model or no such address: check settings.model and settings.base_url",
}


class _Shape(NamedTuple):
    """How an endpoint is spoken to."""

    mode: str
    dropped: frozenset[str] = frozenset()  # options that it does not take
    completion_tokens: bool = False  # it calls the limit of a reply max_completion_tokens


class _Got(NamedTuple):
    """One call: the completion, the reply that it held, and what was wrong."""

    completion: Any = None
    reply: BaseModel | None = None
    fault: Exception | None = None


@dataclass(slots=True)
class _Asking:
    """One question on its way."""

    prompt: Sequence[Mapping[str, str]]
    reply: type[BaseModel]
    limit: int
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cut: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def cost(self) -> Cost:
        return Cost(self.calls, self.tokens_in, self.tokens_out)


class InstructorModel:
    """Implements ``ports.Model``. Thread-safe; one client, made when it is first asked and used from then on."""

    def __init__(self, llm: Any, settings: Settings) -> None:
        """``llm``: the name of a model, an OpenAI or AsyncOpenAI client, or what has ``chat.completions.create``.
        Nothing is called before the first question."""
        self._settings = settings
        self._given = None if isinstance(llm, str) else llm
        self.name = llm if isinstance(llm, str) else settings.model or DEFAULT_MODEL
        auto = settings.model_mode == "auto"
        self._modes: tuple[str, ...] = MODES if auto else (settings.model_mode,)
        self._shape = _Shape(self._modes[0])
        self._proven = False
        self._lock = threading.Lock()
        self._first = threading.Event()  # the first question has found out what the endpoint can do
        self._finding_out = False
        self._creates: dict[str, Any] = {}
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def once(self) -> InstructorModel:
        """The same model for questions that somebody waits for: a fault ends the question, which is not put again."""
        given = self.name if self._given is None else self._given
        made = InstructorModel(given, self._settings.model_copy(update={"model_retries": 0}))
        made.name = self.name
        return made

    # -- the port --------------------------------------------------------------------------------------------
    def ask(self, prompt: Sequence[Mapping[str, str]], reply: type[BaseModel]) -> Answer:
        """As ``ports.Model`` says. A reply that was cut at the token limit is asked for once more, with twice the
        room, and is never part of a prompt; no faulty reply is."""
        pioneer = self._goes_first()
        asking = _Asking(prompt, reply, self._settings.model_max_tokens)
        try:
            return self._ask(asking)
        except (ExtractorUnavailable, InvalidInput):
            raise
        except Exception as odd:  # whatever a body holds, its calls are paid for and counted
            raise ExtractorUnavailable(
                f"model {self.name!r} at {self._where()} gave no usable reply: {type(odd).__name__}: "
                f"{str(odd)[:200]}",
                asking.cost,
            ) from odd
        finally:
            if pioneer:
                self._first.set()

    def _goes_first(self) -> bool:
        """Whether this question finds out what the endpoint can do; the others wait for its end."""
        if self._proven or self._first.is_set():
            return False
        with self._lock:
            first = not self._finding_out
            self._finding_out = True
        if not first:
            self._first.wait(self._settings.model_timeout)
        return first

    def _ask(self, asking: _Asking) -> Answer:
        shape = self._shape
        left = self._settings.model_retries
        while True:
            got = self._call(shape, asking)
            if got.reply is not None:
                self._remember(shape)
                return Answer(
                    got.reply.model_dump(exclude_defaults=True), asking.cost, logprobs(got.completion)
                )
            other = self._other_shape(shape, got)
            if other is not None:
                shape = other
                if got.completion is not None:  # a refused request costs nothing; what was answered counts
                    left = max(0, left - 1)
                continue
            wait = self._wait(got, asking, self._settings.model_retries - left)
            if wait is None or left == 0:
                raise self._unavailable(asking, got)
            left -= 1
            if wait:
                time.sleep(wait)

    def _remember(self, shape: _Shape) -> None:
        if not self._proven or shape != self._shape:
            with self._lock:
                self._shape, self._proven = shape, True

    # -- what an endpoint can do -----------------------------------------------------------------------------
    def _other_shape(self, shape: _Shape, got: _Got) -> _Shape | None:
        """Another way to ask, where the fault says that this one is not understood; None where it does not."""
        code = status(got.fault)
        if code is None:
            # words and no JSON at all: the endpoint passed over the schema or the tool
            unasked = (
                got.completion is not None and not is_cut(got.completion) and prose(said(got.completion))
            )
            proven = self._proven and self._shape.mode == shape.mode
            return self._next_mode(shape) if unasked and not proven else None
        if code in (401, 403, 408, 429) or (code == 404 and "tool" not in str(got.fault).lower()):
            return None
        told = str(got.fault).lower()
        if code < 500:
            for option in _OPTIONS:
                if option in told and option not in shape.dropped:
                    if option == "max_tokens" and "max_completion_tokens" in told:
                        return shape._replace(completion_tokens=True, dropped=shape.dropped | {option})
                    return shape._replace(dropped=shape.dropped | {option})
        if any(word in told for word in _LACKS.get(shape.mode, ())):
            return self._next_mode(shape)
        if code == 400 and not self._proven and not too_long(got.fault):
            if "logprobs" not in shape.dropped:  # it does not say what it is about: the rarest goes first
                return shape._replace(dropped=shape.dropped | {"logprobs"})
            return self._next_mode(shape)
        return None

    def _next_mode(self, shape: _Shape) -> _Shape | None:
        later = self._modes[self._modes.index(shape.mode) + 1 :]
        return shape._replace(mode=later[0]) if later else None

    # -- one call --------------------------------------------------------------------------------------------
    def _call(self, shape: _Shape, asking: _Asking) -> _Got:
        from instructor.core.exceptions import InstructorRetryException
        from instructor.core.hooks import Hooks

        create = self._create(shape.mode)
        came: list[Any] = []
        hooks = Hooks()
        hooks.on("completion:response", came.append)
        asking.calls += 1
        try:
            done = self._run(create, hooks=hooks, **self._request(shape, asking))
        except InstructorRetryException as failed:
            fault = failed.__cause__ if isinstance(failed.__cause__, Exception) else failed
            got = _Got(came[-1] if came else None, None, fault)
        except Exception as fault:
            got = _Got(came[-1] if came else None, None, fault)
        else:
            valid = isinstance(done, asking.reply)
            got = _Got(came[-1] if came else None, done) if valid else _Got(done)
        self._note_usage(got, asking)
        if got.reply is None and got.completion is not None and not is_cut(got.completion):
            reply, wrong = read(got.completion, asking.reply)
            got = _Got(got.completion, reply, None if reply is not None else wrong or got.fault)
        return got

    def _request(self, shape: _Shape, asking: _Asking) -> dict[str, Any]:
        messages = [dict(m) for m in asking.prompt]
        request: dict[str, Any] = {"model": self.name, "messages": messages}
        if shape.mode == "json":
            request["response_model"] = None
            request["messages"] = _with_shape(messages, asking.reply)
        else:
            request["response_model"] = _prepared(asking.reply)
            request["max_retries"] = 0
            request["strict"] = False
        if "temperature" not in shape.dropped:
            request["temperature"] = 0.0
        if "logprobs" not in shape.dropped:
            request["logprobs"] = True
        if shape.completion_tokens:
            request["max_completion_tokens"] = asking.limit
        elif "max_tokens" not in shape.dropped:
            request["max_tokens"] = asking.limit
        return request

    def _note_usage(self, got: _Got, asking: _Asking) -> None:
        if got.completion is None:
            return
        usage = getattr(got.completion, "usage", None)
        sent, came = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
        if not _plausible(sent):
            schema = json.dumps(asking.reply.model_json_schema(), ensure_ascii=False)
            sent = count(schema) + sum(count(m["content"]) + 4 for m in asking.prompt)
        if not _plausible(came):
            came = count(said(got.completion))
        asking.tokens_in += sent
        asking.tokens_out += came

    # -- what went wrong -------------------------------------------------------------------------------------
    def _wait(self, got: _Got, asking: _Asking, tries: int) -> float | None:
        """Seconds until the same question may be put again; None where that would not help."""
        if got.completion is not None:
            if is_cut(got.completion):
                asking.cut += 1
                asking.limit *= 2
                asking.faults.append(f"cut at {asking.limit // 2} tokens (settings.model_max_tokens)")
                return 0.0 if asking.cut == 1 else None
            asking.faults.append(complaint(got.fault))
            return 0.0
        asking.faults.append(complaint(got.fault))
        if too_long(got.fault):
            return None
        code = status(got.fault)
        if code is not None and code < 500 and code not in (408, 409, 425, 429):
            return None
        asked = retry_after(got.fault)
        if asked is not None:
            return asked if asked <= _LONGEST_WAIT else None
        return float(min(0.5 * 2**tries, 8.0)) * random.uniform(0.75, 1.25)

    def _unavailable(self, asking: _Asking, got: _Got) -> ExtractorUnavailable:
        where = f"model {self.name!r} at {self._where()}"
        hint = _FINAL.get(status(got.fault) or 0)
        told = "; ".join(dict.fromkeys(asking.faults))
        why = f"{hint} ({told})" if hint else told
        tries = f" after {asking.calls} calls" if asking.calls > 1 else ""
        kind = PromptTooLong if too_long(got.fault) else ExtractorUnavailable
        raised = kind(_USERINFO.sub("", f"{where} gave no usable reply{tries}: {why}"), asking.cost)
        raised.__cause__ = got.fault
        return raised

    def _where(self) -> str:
        url = getattr(self._client, "base_url", None)
        where = str(url).rstrip("/") if url is not None else (self._settings.base_url or "the given client")
        return _USERINFO.sub("", where)

    # -- the client ------------------------------------------------------------------------------------------
    def _create(self, mode: str) -> Any:
        made = self._creates.get(mode)
        if made is None:
            with self._lock:
                made = self._creates.get(mode) or self._creates.setdefault(mode, self._patched(mode))
        return made

    def _patched(self, mode: str) -> Any:
        """instructor's ``create`` in a mode, over the one client."""
        import instructor

        _quiet()
        if self._client is None:
            self._client = self._open()
        modes = {"tools": instructor.Mode.TOOLS, "json_schema": instructor.Mode.JSON_SCHEMA}
        try:
            create = self._client.chat.completions.create
        except AttributeError:
            raise InvalidInput(
                f"llm is an OpenAI or AsyncOpenAI client, the name of a model or None: "
                f"{type(self._client).__name__} has no chat.completions.create"
            ) from None
        return instructor.patch(create=create, mode=modes.get(mode, instructor.Mode.JSON))

    def _open(self) -> Any:
        import openai

        timeout = self._settings.model_timeout
        if self._given is not None:
            if type(self._given) not in (openai.OpenAI, openai.AsyncOpenAI):
                return self._given
            if "create" in vars(self._given.chat.completions):
                return self._given  # somebody put a method of their own there, which a copy would lose
            # retries are counted here: the client must not make its own beside them
            return self._given.with_options(max_retries=0, timeout=timeout)
        key = self._settings.api_key
        made: dict[str, Any] = {
            "base_url": self._settings.base_url,  # None: what OPENAI_BASE_URL says, by the client's own rule
            "api_key": key.get_secret_value() if key is not None else None,
            "timeout": timeout,
            "max_retries": 0,
        }
        try:
            return openai.OpenAI(**made)
        except openai.OpenAIError:
            client = openai.OpenAI(**{**made, "api_key": "none"})  # a server of one's own asks for no key
            if "api.openai.com" in str(client.base_url):
                raise ExtractorUnavailable(
                    f"model {self.name!r} needs a key: set settings.api_key or OPENAI_API_KEY, or name a server of "
                    "your own in settings.base_url or OPENAI_BASE_URL"
                ) from None
            return client

    def _run(self, create: Any, **request: Any) -> Any:
        done = create(**request)
        if not asyncio.iscoroutine(done):
            return done
        return asyncio.run_coroutine_threadsafe(done, self._own_loop()).result()

    def _own_loop(self) -> asyncio.AbstractEventLoop:
        """An event loop in a thread of its own: an asynchronous client lives in one loop."""
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="model-calls", daemon=True).start()
            return self._loop


# -- making requests -----------------------------------------------------------------------------------------
def _with_shape(messages: list[dict[str, str]], reply: type[BaseModel]) -> list[dict[str, str]]:
    """The prompt with the shape of the reply in it, where neither tool nor response format tells it."""
    schema = json.dumps(reply.model_json_schema(), ensure_ascii=False, separators=(",", ":"))
    told = f"Reply with JSON alone, of this schema:\n{schema}"
    if messages and messages[0]["role"] == "system":
        first = {**messages[0], "content": f"{messages[0]['content']}\n{told}"}
        return [first, *messages[1:]]
    return [{"role": "system", "content": told}, *messages]


@lru_cache(maxsize=256)
def _prepared(reply: type[BaseModel]) -> type[BaseModel]:
    """The reply as instructor wants it, made once: it would make a class of it for every call."""
    from instructor import ResponseSchema
    from pydantic import create_model

    made: type[BaseModel] = create_model(
        reply.__name__, __base__=(reply, ResponseSchema), __doc__=reply.__doc__
    )
    return made


def _plausible(tokens: Any) -> TypeGuard[int]:
    """Whether a server's own count can be believed; what cannot is counted here."""
    return isinstance(tokens, int) and not isinstance(tokens, bool) and 0 < tokens <= _MOST_TOKENS


def _quiet() -> None:
    """What instructor logs of failed calls is told by the error raised here; without a handler of the
    program's own it would go to stderr."""
    logger = logging.getLogger("instructor")
    if not any(isinstance(handler, logging.NullHandler) for handler in logger.handlers):
        logger.addHandler(logging.NullHandler())


__all__ = ["DEFAULT_MODEL", "InstructorModel"]
