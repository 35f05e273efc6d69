"""What the path around a model call costs: 1,000 messages through 16 calls at once to a server of 200 ms, in a
process of its own, and the same questions asked through bare ``instructor``."""

from __future__ import annotations

import argparse
import json
import logging
import math
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.rows import Row

COUNT = 1000
AT_ONCE = 16
LATENCY = 0.2  # seconds
TYPES = ["lead_profile", "quote_form", "contract_form"]
QUOTE = "货到验收合格后付清"
# recognisers do not read the terms, so each message needs the model; its number makes it one of its own, and none of
# its words points back to another message
TEXT = "我们是青杉{i}号公司，预算先按{n}万报，款子嘛，{quote}"
REPLY = {
    "facts": [{"form": "lead_profile", "slot": "payment_terms", "value": QUOTE, "quote": QUOTE, "sure": 0.9}]
}
ROUNDS = 2  # the CPU time of a call is the least of them: another process only ever adds to it


def run(arguments: argparse.Namespace) -> list[Row]:
    from forms_dynamics.testing.model_server import ModelProcess

    logging.disable(logging.ERROR)  # instructor's own complaints
    questions = _questions()
    ideal = math.ceil(COUNT / AT_ONCE) * LATENCY
    note = f"{COUNT} messages, {AT_ONCE} calls at once, {LATENCY:g} s each: ideal {ideal:.1f} s"
    ours: list[tuple[float, float]] = []
    bare: list[tuple[float, float]] = []
    with ModelProcess(latency=LATENCY, reply=REPLY) as server:
        asked = 0
        for _ in range(ROUNDS):
            observed = _observed(server.base_url)
            before = server.seen()["calls"]
            ours.append(_timed(observed))
            asked += server.seen()["calls"] - before
            bare.append(_timed(_asked(server.base_url, questions)))
        at_once = server.seen()["most_at_once"]
    wall, cpu = min(w for w, _ in ours), min(c for _, c in ours)
    bare_wall, bare_cpu = min(w for w, _ in bare), min(c for _, c in bare)
    name = f"{COUNT} messages"
    return [
        Row(name, "ours", "ours_wall_over_ideal", wall / ideal, COUNT, f"{note}; best of {ROUNDS}"),
        Row(name, "instructor", "ours_wall_over_ideal", bare_wall / ideal, COUNT),
        Row(
            name,
            "ours",
            "cpu_ms_per_call",
            1000 * cpu / COUNT,
            COUNT,
            "recognisers, gate and commit included",
        ),
        Row(name, "instructor", "cpu_ms_per_call", 1000 * bare_cpu / COUNT, COUNT),
        Row(name, "ours", "cpu_over_instructor", cpu / bare_cpu, COUNT),
        Row(name, "ours", "calls_per_message", asked / (COUNT * ROUNDS), COUNT * ROUNDS),
        Row(name, "ours", "most_calls_at_once", float(at_once), 1),
        Row(
            name,
            "ours",
            "prompt_tokens_3_types",
            float(_tokens(questions[0])),
            1,
            "o200k_base, the reply's schema too",
        ),
    ]


def _timed(work: Callable[[], None]) -> tuple[float, float]:
    """Seconds on the clock and of this process's CPU."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def _messages() -> list[dict[str, Any]]:
    return [{"text": TEXT.format(i=i, n=10 + i % 90, quote=QUOTE), "id": f"m{i}"} for i in range(COUNT)]


def _memory(url: str | Path, base_url: str) -> Any:
    from forms_dynamics import Memory

    settings = {
        "model": "scripted", "base_url": base_url, "api_key": "any", "model_concurrency": AT_ONCE,
        "model_mode": "json_schema",
    }  # fmt: skip
    return Memory.open(url, form_types=TYPES, settings=settings)


def _observed(base_url: str) -> Callable[[], None]:
    """Takes all messages into a new database."""
    folder = tempfile.TemporaryDirectory()
    memory = _memory(Path(folder.name) / "calls.db", base_url)
    memory.scoped(user="warm").observe(TEXT.format(i="", n=1, quote=QUOTE))

    def work() -> None:
        receipts = memory.observe_many(_messages())
        states = {receipt.state for receipt in receipts}
        if states & {"queued", "refused"} or any(receipt.cost.model_calls != 1 for receipt in receipts):
            raise RuntimeError(f"not every message was taken with one call: {states}")

    work.__dict__["folder"] = folder  # which lives as long as the work
    return work


def _questions() -> list[tuple[Sequence[Any], Any]]:
    """Prompt and response model of every message, as ours asks them."""
    from forms_dynamics.adapters.instructor_llm import InstructorModel
    from forms_dynamics.testing.model_server import ModelServer

    asked: list[tuple[Sequence[Any], Any]] = []
    real = InstructorModel.ask

    def noting(self: InstructorModel, prompt: Sequence[Any], reply: Any) -> Any:
        asked.append((prompt, reply))
        return real(self, prompt, reply)

    InstructorModel.ask = noting  # type: ignore[method-assign]
    try:
        with ModelServer(lambda request: REPLY) as server, _memory(":memory:", server.base_url) as memory:
            memory.observe_many(_messages())
    finally:
        InstructorModel.ask = real  # type: ignore[method-assign]
    if len(asked) != COUNT:
        raise RuntimeError(f"{len(asked)} questions about {COUNT} messages")
    return asked


def _asked(base_url: str, questions: Sequence[tuple[Sequence[Any], Any]]) -> Callable[[], None]:
    """The same questions through instructor alone, as its own documentation uses it."""
    import instructor
    import openai

    client = instructor.from_openai(
        openai.OpenAI(base_url=base_url, api_key="any", max_retries=0), mode=instructor.Mode.JSON_SCHEMA
    )

    def one(question: tuple[Sequence[Any], Any]) -> Any:
        prompt, reply = question
        messages: Any = [dict(message) for message in prompt]
        return client.create(model="scripted", messages=messages, response_model=reply, max_retries=0)

    one(questions[0])

    def work() -> None:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for made in pool.map(one, questions):
                if made.facts[0].quote != QUOTE:
                    raise RuntimeError("another reply than the server gives")

    return work


def _tokens(question: tuple[Sequence[Any], Any]) -> int:
    from forms_dynamics.language.tokens import count

    prompt, reply = question
    schema = json.dumps(reply.model_json_schema(), ensure_ascii=False, separators=(",", ":"))
    return sum(count(str(message["content"])) for message in prompt) + count(schema)
