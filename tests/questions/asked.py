"""Worlds and questions from YAML, a Memory of a world, and what is wrong with a context."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from forms_dynamics import Context, Memory
from forms_dynamics.testing import FixedClock, ScriptedExtractor

HERE = Path(__file__).parent
SURE = 0.6  # a context at or above it says that it answers


class Apart:
    """An embedder to which no two texts are near: what is found is found by words."""

    fingerprint, dimensions, max_tokens = "apart", 64, 8192

    def __init__(self) -> None:
        self.seen: dict[str, int] = {}

    def embed(self, texts: list[str]) -> list[list[float]]:
        return [
            [1.0 if k == self.seen.setdefault(t, len(self.seen)) % 64 else 0.0 for k in range(64)]
            for t in texts
        ]


def read(name: str) -> Any:
    return yaml.safe_load((HERE / name).read_text(encoding="utf-8"))


def world(name: str, where: str | Path, settings: Mapping[str, Any] | None = None) -> Memory:
    """A Memory that was told the world ``name``, at the world's own moment."""
    told = read(f"worlds/{name}.yaml")
    messages = told.get("messages", [])
    clock = FixedClock(told["now"])
    memory = Memory.open(
        where,
        form_types=[HERE / "worlds" / t if "/" in t else t for t in told["types"]],
        extractor=ScriptedExtractor([m["drafts"] for m in messages]),
        embedder=Apart(),
        clock=clock,
        settings={"timezone": "Asia/Shanghai", **(settings or {})},
    )
    for n, (form_type, time, slots, *more) in enumerate(told.get("records", [])):
        memory.record(form_type, slots, time=time, conversation=f"r{n}", **(more[0] if more else {}))
    for message in messages:
        memory.observe(
            message["text"],
            speaker=message.get("speaker") or told["speaker"],
            conversation=message.get("conversation", "default"),
            time=message["time"],
        )
    return memory


def questions(name: str) -> list[dict[str, Any]]:
    """The questions of a file; each has ``ask``, and what must (``in``) and must not (``not``) be told."""
    return list(read(f"{name}.yaml")["questions"])


def faults(asked: Mapping[str, Any], context: Context) -> list[str]:
    """What is wrong with the context of a question; ``a|b``: one of them is enough."""
    out = []
    for wanted in asked.get("in", ()):
        if not any(each in context.text for each in str(wanted).split("|")):
            out.append(f"lacks {wanted}")
    for barred in asked.get("not", ()):
        if any(each in context.text for each in str(barred).split("|")):
            out.append(f"tells {barred}")
    posed = " ".join(context.questions)
    out += [f"does not ask about {each}" for each in asked.get("asks", ()) if each not in posed]
    if asked.get("quiet") and posed:
        out.append(f"asks {posed}")
    if asked.get("sure") is False and context.confidence >= SURE:
        out.append(f"is sure: {context.confidence}")
    if asked.get("sure") is True and context.confidence < SURE:
        out.append(f"is unsure: {context.confidence}")
    return out


def ask(memory: Memory, asked: Mapping[str, Any]) -> Context:
    return memory.recall(asked["ask"], conversation=asked.get("conversation"), **asked.get("options", {}))
