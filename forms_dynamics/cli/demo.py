"""``demo``: a short dialogue, played through a real memory in a temporary file, and told as it goes.

:func:`tell` runs the dialogue and gives back what happened, scene by scene; :func:`play` shows the scenes.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from forms_dynamics import Context, DynamicEdge, Form, Memory, Pending, Receipt, Version

_PACKAGE = Path(__file__).resolve().parent.parent
#: what each message of a dialogue is there to show, in order
STORY = ("form", "asked", "named", "corrected", "related", "history", "held", "invalid")
ANSWER = {"zh": "45万", "en": "$450,000"}
#: a question that shows what a held value looks like before and after it is confirmed
HELD_QUESTION = {"zh": "青禾科技的预算是多少？", "en": "What is the budget of Fernwood Labs?"}


@dataclass(frozen=True)
class Scene:
    """One message of the dialogue and what came of it; what does not belong to its kind is empty."""

    kind: str
    message: Mapping[str, Any]
    receipt: Receipt
    form: Form | None = None
    versions: Sequence[Version] = ()
    edges: Sequence[DynamicEdge] = ()
    pending: Sequence[Pending] = ()
    context: Context | None = None
    confirmed: Receipt | None = None
    confirmed_context: Context | None = None
    confirmed_with: str | None = None


class StoryClock:
    """The time of the message that is being played."""

    def __init__(self) -> None:
        self.time = datetime.fromisoformat("2026-06-01T00:00:00+00:00")

    def now(self) -> datetime:
        return self.time


def dialogue(lang: str) -> list[dict[str, Any]]:
    """The messages of the dialogue, as they stand in its log."""
    name = f"{lang}.jsonl"
    packaged = _PACKAGE / "_shipped" / "examples" / "dialogue" / name
    path = packaged if packaged.is_file() else _PACKAGE.parent / "examples" / "dialogue" / name
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def tell(memory: Memory, clock: StoryClock, lang: str) -> list[Scene]:
    """Plays the dialogue into ``memory`` and asks it what a reader would ask."""
    scenes = []
    for kind, raw in zip(STORY, dialogue(lang), strict=True):
        clock.time = datetime.fromisoformat(raw["time"])
        message = {key: value for key, value in raw.items() if key != "expect"}
        receipt = memory.observe(**message)
        scenes.append(_scene(memory, kind, message, receipt, lang))
    return scenes


def _scene(memory: Memory, kind: str, message: Mapping[str, Any], receipt: Receipt, lang: str) -> Scene:
    form = _subject(memory, kind, receipt)
    waiting = [item for item in memory.pending() if item.id in receipt.pending]
    if kind in ("asked", "history"):
        asked = memory.recall(message["text"], conversation=message["conversation"])
        return Scene(kind, message, receipt, context=asked)
    if kind == "held":
        return _held(memory, message, receipt, [item for item in waiting if item.slot == "budget"], lang)
    if form is None:
        return Scene(kind, message, receipt, pending=waiting)
    context = memory.recall(HELD_QUESTION[lang]) if kind == "invalid" else None
    versions, edges = _versions(memory, form), memory.edges(form.id)
    return Scene(kind, message, receipt, form, versions, edges, waiting, context)


def _subject(memory: Memory, kind: str, receipt: Receipt) -> Form | None:
    """The Form that a scene is about: the quote where a quote is given, else the lead."""
    wanted = "quote_form" if kind == "related" else "lead_profile"
    touched = [memory.get(form_id) for form_id in receipt.forms]
    return next((form for form in touched if form.type == wanted), None)


def _held(
    memory: Memory, message: Mapping[str, Any], receipt: Receipt, waiting: Sequence[Pending], lang: str
) -> Scene:
    """What a held value looks like before it is confirmed, and after."""
    before = memory.recall(HELD_QUESTION[lang])
    confirmed = memory.confirm(waiting[0].id, ANSWER[lang])
    after = memory.recall(HELD_QUESTION[lang])
    form = memory.get(confirmed.forms[0])
    return Scene(
        "held",
        message,
        receipt,
        form,
        _versions(memory, form),
        (),
        waiting,
        before,
        confirmed,
        after,
        ANSWER[lang],
    )


def _versions(memory: Memory, form: Form) -> Sequence[Version]:
    return cast("Sequence[Version]", memory.history(form.id))


def play(languages: Sequence[str], *, as_json: bool) -> int:
    """Plays and shows the dialogue in each language."""
    from forms_dynamics import Memory
    from forms_dynamics.adapters.embedders import HashedNgrams
    from forms_dynamics.language.tokens import count

    count("")  # the tokenizer is loaded once a process; the times that are shown are of recalls only
    told: dict[str, list[Scene]] = {}
    for lang in languages:
        with tempfile.TemporaryDirectory(prefix="forms-dynamics-") as folder:
            clock = StoryClock()
            with Memory.open(Path(folder) / "demo.db", embedder=HashedNgrams(), clock=clock) as memory:
                told[lang] = tell(memory, clock, lang)
        if not as_json:
            from forms_dynamics.cli.stage import Stage

            Stage(lang).show(told[lang])
    if as_json:
        from forms_dynamics.cli.speech import put_json

        put_json(told)
    return 0
