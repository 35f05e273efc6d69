"""A model behind the OpenAI chat-completions protocol, for tests: a real HTTP server that says what a script tells.

::

    with ModelServer([{"budget": 500000}, Reply.failing(429, retry_after=1), Reply.fenced({})]) as server:
        client = openai.OpenAI(base_url=server.base_url, api_key="any")
        ...
        assert server.calls == 3

The same content is given in whichever way a request asks for it: as the call of the tool that it sends, or as
text where it wants JSON. ``python -m forms_dynamics.testing.model_server --latency 0.2`` runs one in a process of
its own, which :class:`ModelProcess` starts and ends.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

Asked = Literal["tools", "json_schema", "json_object", "text"]
_TOKEN = re.compile(r"[A-Za-z]{1,6}|\d{1,3}|\s+|.", re.DOTALL)
# what real servers say of what they lack
_LACKS = {
    "tools": '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    "json_schema": "This response_format type is unavailable now",
    "json_object": "'response_format' of type json_object is not supported by this model",
    "logprobs": "logprobs are not supported by this model",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server answers to one request. ``content``: a mapping or list is JSON, given in the way that was
    asked for; a text is given as it stands. All else is how a reply may go wrong."""

    content: Any = None
    before: str = ""  # text put before the JSON, and after it
    after: str = ""
    keep: float = 1.0  # share of the JSON's text that is sent
    as_text: bool = False  # as text, even where a tool was sent
    finish_reason: str | None = None
    usage: tuple[int, int] | Literal["counted"] | None = "counted"  # prompt, completion; None leaves it out
    latency: float | None = None  # seconds; None: the server's
    logprob: float = -0.01  # of each token
    doubts: Mapping[str, float] = field(default_factory=dict)  # text within the reply → its tokens' logprob
    no_choices: bool = False
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None  # the whole body, in place of a completion: text as it stands, else JSON
    cut_off: bool = False  # the connection closes in the middle of the body

    @classmethod
    def failing(cls, status: int, message: str | None = None, *, retry_after: float | None = None) -> Reply:
        """An HTTP error with OpenAI's error object."""
        kind = {401: "authentication_error", 429: "rate_limit_error"}.get(
            status, "invalid_request_error" if status < 500 else "server_error"
        )
        said = message or {401: "Incorrect API key provided", 429: "Rate limit reached for requests"}.get(
            status, "The request is not valid" if status < 500 else "The server had an error"
        )
        headers = {} if retry_after is None else {"Retry-After": f"{retry_after:g}"}
        return cls(status=status, headers=headers, body=_error(said, kind, str(status)))

    @classmethod
    def error_body(cls, message: str = "upstream is overloaded", status: int = 200) -> Reply:
        """An error object where a completion should be, as some gateways send it with status 200."""
        return cls(status=status, body=_error(message, "server_error", "overloaded"))

    @classmethod
    def html(cls, status: int = 200) -> Reply:
        """The page of a proxy or a portal."""
        page = "<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>"
        return cls(status=status, headers={"Content-Type": "text/html; charset=utf-8"}, body=page)

    @classmethod
    def slow(cls, content: Any, seconds: float) -> Reply:
        """A good reply, after ``seconds``."""
        return cls(content, latency=seconds)

    @classmethod
    def truncated(cls, content: Any, keep: float = 0.6, finish_reason: str = "stop") -> Reply:
        """JSON that ends in the middle, though the server calls it whole."""
        return cls(content, keep=keep, finish_reason=finish_reason)

    @classmethod
    def too_long(cls, content: Any, keep: float = 0.6) -> Reply:
        """JSON that ends in the middle since the bound on tokens was met: finish_reason length."""
        return cls.truncated(content, keep, "length")

    @classmethod
    def fenced(cls, content: Any) -> Reply:
        """JSON in a Markdown fence, as text."""
        return cls(content, before="```json\n", after="\n```", as_text=True)

    @classmethod
    def in_prose(cls, content: Any) -> Reply:
        """JSON with words before and after it, as text."""
        return cls(content, before="Here is what I found:\n\n", after="\n\nLet me know!", as_text=True)

    @classmethod
    def empty(cls) -> Reply:
        """A completion without choices."""
        return cls(no_choices=True)

    @classmethod
    def disconnected(cls, content: Any = None) -> Reply:
        """The connection closes in the middle of a good reply."""
        return cls(content if content is not None else {}, cut_off=True)

    @classmethod
    def uncounted(cls, content: Any) -> Reply:
        """A good reply without ``usage``."""
        return cls(content, usage=None)


Script = Callable[[dict[str, Any]], Any] | Iterable[Any]


def asked(request: Mapping[str, Any]) -> Asked:
    """How a request wants its answer."""
    if request.get("tools") and request.get("tool_choice") != "none":
        return "tools"
    wanted = (request.get("response_format") or {}).get("type")
    return wanted if wanted in ("json_schema", "json_object") else "text"


def schema_of(request: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The JSON Schema that a request wants its answer in; None where it sends none."""
    how = asked(request)
    if how == "tools":
        parameters: Mapping[str, Any] = _tool(request).get("parameters") or {}
        return parameters
    if how == "json_schema":
        schema: Mapping[str, Any] = request["response_format"].get("json_schema", {}).get("schema") or {}
        return schema
    return None


def smallest(schema: Mapping[str, Any] | None, root: Mapping[str, Any] | None = None) -> Any:
    """The smallest JSON that a schema takes: required properties alone, empty lists, null where it may be."""
    if not schema:
        return {}
    root = schema if root is None else root
    if "$ref" in schema:
        target: Any = root
        for part in str(schema["$ref"]).removeprefix("#/").split("/"):
            target = target[part]
        return smallest(target, root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    for union in ("anyOf", "oneOf"):
        if union in schema:
            options = schema[union]
            return next((None for o in options if o.get("type") == "null"), smallest(options[0], root))
    if schema.get("allOf"):
        return smallest(schema["allOf"][0], root)
    kinds = schema.get("type")
    kind = ("null" if "null" in kinds else kinds[0]) if isinstance(kinds, list) else kinds
    if kind == "array":
        return [smallest(schema.get("items"), root)] * int(schema.get("minItems", 0))
    if kind in ("string", "integer", "number", "boolean", "null"):
        low = schema.get("minimum", 0)
        return {"string": "", "integer": low, "number": low, "boolean": False, "null": None}[kind]
    properties = schema.get("properties", {})
    return {
        name: smallest(properties[name], root) for name in schema.get("required", ()) if name in properties
    }


class ModelServer:
    """Serves on 127.0.0.1 at a free port while the ``with`` block runs. Thread-safe.

    ``script``: called with each request (the JSON body) and gives a reply, or a sequence with one a call; None
    answers with the smallest JSON that the request's schema takes. A reply is a :class:`Reply`, or its content.
    A sequence that has ended answers 500; what a script raises does, too, and is raised again at the block's end.

    ``lacks`` any of tools, json_schema, json_object, logprobs: answered with status 400, as servers without them do.
    ``ignores``: of the same names, passed over without a word. ``tool_logprobs``: whether the tokens of a
    tool call have logprobs (vLLM and llama.cpp: yes, OpenAI: no). ``api_key``: any other is refused with 401.
    """

    def __init__(
        self,
        script: Script | None = None,
        *,
        latency: float = 0.0,
        lacks: Collection[str] = (),
        ignores: Collection[str] = (),
        tool_logprobs: bool = False,
        api_key: str | None = None,
        port: int = 0,
    ) -> None:
        unknown = {*lacks, *ignores} - _LACKS.keys()
        if unknown:
            raise ValueError(
                f"lacks and ignores are of {', '.join(_LACKS)}, not {', '.join(sorted(unknown))}"
            )
        self.latency = latency
        self.lacks = frozenset(lacks)
        self.ignores = frozenset(ignores)
        self.tool_logprobs = tool_logprobs
        self.api_key = api_key
        self.requests: list[dict[str, Any]] = []  # bodies in the order that they came in
        self.most_at_once = 0
        self.errors: list[BaseException] = []
        self._ask = script if callable(script) else None
        self._replies = None if script is None or callable(script) else iter(script)
        self._lock = threading.Lock()
        self._under_way = 0
        self._sockets: set[socket.socket] = set()
        self._http = _Http(("127.0.0.1", port), _Handler)
        self._http.model = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        """What a client takes as ``base_url``."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def calls(self) -> int:
        """How many completions were asked for, those that failed too."""
        return len(self.requests)

    def start(self) -> ModelServer:
        """Serves until ``close``."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Ends the server and the connections that are open: the endpoint is out of reach from here on."""
        if self._thread.is_alive():
            self._http.shutdown()
            self._thread.join()
        self._http.server_close()
        with self._lock:
            left = list(self._sockets)
        for connection in left:
            _shut(connection)

    def __enter__(self) -> ModelServer:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if error is None and self.errors:
            raise self.errors[0]

    # -- one request -----------------------------------------------------------------------------------------
    def _answer(self, request: dict[str, Any], key: str | None) -> tuple[Reply, Asked]:
        """The reply to a request; waits as long as it takes."""
        with self._lock:
            self.requests.append(request)
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
        try:
            reply = self._refusal(request, key)
            if reply is None:
                reply = self._scripted(request)
            time.sleep(self.latency if reply.latency is None else reply.latency)
        finally:
            with self._lock:
                self._under_way -= 1
        how = asked({k: v for k, v in request.items() if not self._ignored(k, v)})
        return reply, how

    def _ignored(self, key: str, value: Any) -> bool:
        if key == "response_format":
            return isinstance(value, Mapping) and value.get("type") in self.ignores
        return key in self.ignores

    def _refusal(self, request: Mapping[str, Any], key: str | None) -> Reply | None:
        if self.api_key is not None and key != f"Bearer {self.api_key}":
            return Reply.failing(401)
        if request.get("stream"):
            return Reply.failing(400, "stream is not supported here")
        if not request.get("messages"):
            return Reply.failing(400, "messages is a required property")
        wanted = {"tools": asked(request) == "tools", "logprobs": bool(request.get("logprobs"))}
        wanted[(request.get("response_format") or {}).get("type", "")] = True
        lacking = next((name for name in _LACKS if wanted.get(name) and name in self.lacks), None)
        return None if lacking is None else Reply.failing(400, _LACKS[lacking])

    def _scripted(self, request: dict[str, Any]) -> Reply:
        try:
            if self._ask is not None:
                given = self._ask(request)
            elif self._replies is None:
                given = smallest(schema_of(request))
            else:
                with self._lock:
                    given = next(self._replies, _ENDED)
        except BaseException as error:
            self.errors.append(error)
            given = _failed(f"the script raised {error!r}")
        return given if isinstance(given, Reply) else Reply(given)


class _Http(ThreadingHTTPServer):
    model: ModelServer
    daemon_threads = True
    request_queue_size = 256


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Http

    def setup(self) -> None:
        super().setup()
        with self.server.model._lock:
            self.server.model._sockets.add(self.connection)

    def finish(self) -> None:
        with self.server.model._lock:
            self.server.model._sockets.discard(self.connection)
        super().finish()

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:
            self.close_connection = True  # the client went away, or the server was closed

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: the test that asked knows."""

    def do_GET(self) -> None:
        model = self.server.model
        path = self.path.removeprefix("/v1")
        if path == "/models":
            entry = {"id": "scripted", "object": "model", "created": 0, "owned_by": "tests"}
            self._send(200, {}, _json({"object": "list", "data": [entry]}))
        elif path == "/calls":
            self._send(200, {}, _json({"calls": model.calls, "most_at_once": model.most_at_once}))
        else:
            self._send(404, {}, _json(_error(f"no {self.path} here", "invalid_request_error", "404")))

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.rstrip("/") not in ("/v1/chat/completions", "/chat/completions"):
            self._send(404, {}, _json(_error(f"no {self.path} here", "invalid_request_error", "404")))
            return
        try:
            request = json.loads(raw)
        except ValueError:
            request = None
        if not isinstance(request, dict):
            self._send(400, {}, _json(_error("the body is no JSON object", "invalid_request_error", "400")))
            return
        reply, how = self.server.model._answer(request, self.headers.get("Authorization"))
        if reply.body is None:
            body = _json(_completion(request, reply, how, self.server.model))
        else:
            body = reply.body.encode() if isinstance(reply.body, str) else _json(reply.body)
        self._send(reply.status, reply.headers, body, reply.cut_off)

    def _send(self, status: int, headers: Mapping[str, str], body: bytes, cut_off: bool = False) -> None:
        """Head and body in one packet: a second small one would wait for the first one's acknowledgement."""
        lines = {"Content-Type": "application/json", **headers, "Content-Length": str(len(body))}
        if cut_off:
            body = body[: len(body) // 2]
        head = f"HTTP/1.1 {status} {self.responses.get(status, ('',))[0]}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self.wfile.write(head.encode("latin-1") + b"\r\n" + body)
        if cut_off:
            self.close_connection = True
            _shut(self.connection)


def _completion(request: Mapping[str, Any], reply: Reply, how: Asked, model: ModelServer) -> dict[str, Any]:
    text = reply.content if isinstance(reply.content, str) else json.dumps(reply.content, ensure_ascii=False)
    text = reply.before + text[: round(len(text) * reply.keep)] + reply.after
    calls = how == "tools" and not reply.as_text and not isinstance(reply.content, str)
    message: dict[str, Any] = {"role": "assistant", "content": None if calls else text, "refusal": None}
    finish = "stop"
    if calls:
        function = {"name": _tool(request).get("name", ""), "arguments": text}
        message["tool_calls"] = [{"id": f"call_{model.calls}", "type": "function", "function": function}]
        finish = "stop" if isinstance(request.get("tool_choice"), Mapping) else "tool_calls"
    choice: dict[str, Any] = {
        "index": 0, "message": message, "finish_reason": reply.finish_reason or finish, "logprobs": None
    }  # fmt: skip
    if request.get("logprobs") and "logprobs" not in model.ignores and (model.tool_logprobs or not calls):
        choice["logprobs"] = {"content": list(_logprobs(text, reply)), "refusal": None}
    made: dict[str, Any] = {
        "id": f"chatcmpl-{model.calls}", "object": "chat.completion", "created": int(time.time()),
        "model": request.get("model", "scripted"), "choices": [] if reply.no_choices else [choice],
    }  # fmt: skip
    if reply.usage is not None:
        into, out = (_tokens(request), _tokens(text)) if reply.usage == "counted" else reply.usage
        made["usage"] = {"prompt_tokens": into, "completion_tokens": out, "total_tokens": into + out}
    return made


def _logprobs(text: str, reply: Reply) -> Iterable[dict[str, Any]]:
    doubted = [
        (hit.start(), hit.end(), value)
        for part, value in reply.doubts.items()
        for hit in re.finditer(re.escape(part), text)
    ]
    for token in _TOKEN.finditer(text):
        low = [v for start, end, v in doubted if token.start() < end and token.end() > start]
        yield {
            "token": token[0], "logprob": min(low, default=reply.logprob), "bytes": list(token[0].encode()),
            "top_logprobs": [],
        }  # fmt: skip


def _tool(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The function that the request forces, else its first."""
    tools: Sequence[Mapping[str, Any]] = [tool.get("function") or {} for tool in request.get("tools") or ()]
    choice = request.get("tool_choice")
    forced = choice.get("function", {}).get("name") if isinstance(choice, Mapping) else None
    return next((tool for tool in tools if tool.get("name") == forced), tools[0] if tools else {})


def _tokens(what: Any) -> int:
    """About as many tokens as a model would count; cheap, since a benchmark waits for it."""
    if isinstance(what, str):
        return max(1, len(what.encode()) // 4)
    said = [m.get("content") or "" for m in what.get("messages", ())]
    form = what.get("tools") or what.get("response_format") or ""
    return _tokens("".join(map(str, said))) + (_tokens(json.dumps(form)) if form else 0)


def _failed(message: str) -> Reply:
    """A status that a client does not try again."""
    body = _error(message, "server_error", "script")
    return Reply(status=500, headers={"x-should-retry": "false"}, body=body)


def _error(message: str, kind: str, code: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _shut(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it was closed already
        connection.shutdown(socket.SHUT_RDWR)


_ENDED = _failed("the script holds no further reply")


class ModelProcess:
    """A :class:`ModelServer` in a process of its own, so that it takes no time from the one that measures.

    ``reply``: the content of each answer; None: the smallest that the request's schema takes. It ends with the
    ``with`` block, and with the process that started it, however that ends.
    """

    def __init__(self, *, latency: float = 0.0, reply: Any = None, lacks: Collection[str] = ()) -> None:
        root = str(Path(__file__).resolve().parents[2])
        start = f"import sys; sys.path.insert(0, {root!r}); from {__name__} import main; main(sys.argv[1:])"
        options = ["--latency", str(latency), "--while-stdin-is-open"]
        if reply is not None:
            options += ["--reply", json.dumps(reply)]
        for name in lacks:
            options += ["--lacks", name]
        self._process = subprocess.Popen(
            [sys.executable, "-c", start, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._process.stdout is not None
        self.base_url = self._process.stdout.readline().strip()
        if not self.base_url:
            raise RuntimeError(f"the model server did not start (exit code {self._process.wait()})")

    def seen(self) -> dict[str, int]:
        """``calls`` and ``most_at_once`` so far."""
        with urllib.request.urlopen(f"{self.base_url}/calls", timeout=10) as answer:
            told: dict[str, int] = json.load(answer)
        return told

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def __enter__(self) -> ModelProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def main(arguments: Sequence[str] | None = None) -> None:
    """Serves until interrupted; the first line printed is the base URL."""
    parser = argparse.ArgumentParser(
        prog="python -m forms_dynamics.testing.model_server",
        description="A model behind the OpenAI chat-completions protocol that gives one answer to everything.",
    )
    parser.add_argument("--latency", type=float, default=0.0, metavar="SECONDS", help="before each answer")
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    parser.add_argument(
        "--reply", metavar="JSON", help="the answer; left out: the least that the schema takes"
    )
    parser.add_argument("--lacks", action="append", default=[], choices=sorted(_LACKS))
    parser.add_argument("--while-stdin-is-open", action="store_true", help="end when standard input does")
    chosen = parser.parse_args(arguments)
    content = None if chosen.reply is None else json.loads(chosen.reply)
    script = None if content is None else (lambda request: content)
    server = ModelServer(script, latency=chosen.latency, lacks=chosen.lacks, port=chosen.port).start()
    print(server.base_url, flush=True)
    try:
        if chosen.while_stdin_is_open:
            sys.stdin.read()
        else:
            threading.Event().wait()
    except KeyboardInterrupt:
        pass
    finally:
        server.close()


if __name__ == "__main__":
    main()
