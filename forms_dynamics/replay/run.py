"""A recording played again: the same code as in production, other settings, a fresh store a run.

A run takes the messages of a recording in order through the write flow, with what was recorded in the
extractor's place, and puts each labelled question right after its message. Settings that only recall looks at
share one run of the write flow. Nothing is asked of a model.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

from forms_dynamics.batches import uncollected
from forms_dynamics.compose import Parts, compose
from forms_dynamics.errors import InvalidInput
from forms_dynamics.ports import Embedder
from forms_dynamics.replay.clock import LogClock
from forms_dynamics.replay.dimensions import WRITING, Plan, check_tunable
from forms_dynamics.replay.fingerprints import READING, changes, declared
from forms_dynamics.replay.flow import Flow
from forms_dynamics.replay.labels import Label
from forms_dynamics.replay.probes import RememberedEmbedder
from forms_dynamics.replay.raws import Raw, Recording
from forms_dynamics.replay.sharing import Sharing
from forms_dynamics.replay.truths import Truths
from forms_dynamics.replay.values import Run
from forms_dynamics.settings import Settings

WINDOW = 200
_SPAN = timedelta(hours=1)  # of the log's time, that one transaction may cover
_STEP = 1000  # messages between two words about progress

NO_LABEL = Label()


class Part(NamedTuple):
    """What one worker plays at a time. ``flows``: runs of the write flow, side by side; each by the plans that
    share it and their places among all that were asked for.
    """

    file: str
    form_types: Sequence[str | Path] | None
    relation_rules: Sequence[str | Path] | None
    settings: Mapping[str, Any]
    flows: Sequence[Sequence[tuple[int, Plan]]]
    keep_turns: bool
    embedder: Embedder | None


def checked(recording: Recording, plans: Sequence[Plan], settings: Settings, catalog: Any) -> list[Settings]:
    """The settings of each plan. InvalidInput: a plan that names no setting that a replay can vary, a value that
    it cannot have, or a recording made under other Form types or other readings than these.
    """
    now = {"settings": {name: getattr(settings, name) for name in READING if not name.startswith("model")}}
    if changed := changes(recording.fingerprints, {**now, **declared(catalog)}):
        raise InvalidInput(f"{recording.file} is stale: {'; '.join(changed)}. Record the log again")
    for plan in plans:
        for name, value in plan.items():
            check_tunable(name)
            if (name, value) == ("back_check", "model"):
                raise InvalidInput(
                    "back_check: model asks a model, which a replay never does; try rules and off"
                )
    return [Settings.read({**settings.model_dump(), **plan}) for plan in plans]


def flows(plans: Sequence[Plan], settings: Settings) -> list[list[tuple[int, Plan]]]:
    """The plans with their places, those that write alike together; in the order of the first of each."""
    alike: dict[str, list[tuple[int, Plan]]] = {}
    for place, plan in enumerate(plans):
        written = {name: plan.get(name, getattr(settings, name)) for name in WRITING}
        alike.setdefault(json.dumps(written, sort_keys=True), []).append((place, plan))
    return list(alike.values())


def play_part(part: Part, told: Callable[[int], None] = lambda _: None) -> list[tuple[int, Run]]:
    """Plays one part: the runs with their places. ``told`` hears how many messages were taken since it last
    heard.
    """
    began = time.process_time()
    recording = Recording.open(part.file)
    base = Settings.read(part.settings)
    sharing = Sharing()
    sides = [
        Flow(made, plans, recording, base, sharing, part.keep_turns)
        for made, plans in zip(_parts(part, base), part.flows, strict=True)
    ]
    done = 0
    try:
        for window in _windows(recording, sides[0].truths, LogClock(recording.begins, base.zone)):
            sharing.begin(raw for raw, _ in window)
            with uncollected():
                for side in sides:
                    side.take(window)
            done += len(window) * len(sides)
            if done >= _STEP:
                told(done)
                done = 0
    finally:
        for side in sides:
            side.close()
    told(done)
    took = (time.process_time() - began) / sum(map(len, part.flows))
    return [found for side in sides for found in side.runs(took)]


def _parts(part: Part, base: Settings) -> Iterator[Parts]:
    """The parts of memories, each in a store of its own; what plays puts in its settings, clock and extractor.
    They share an embedder that embeds no text twice.
    """
    embedder = part.embedder
    for _ in part.flows:
        made = compose(
            ":memory:",
            form_types=part.form_types,
            relation_rules=part.relation_rules,
            extractor="recognisers",
            embedder=embedder,
            settings=base,
        )
        if made.embedder is not None and not isinstance(made.embedder, RememberedEmbedder):
            embedder = RememberedEmbedder(made.embedder)
        yield replace(made, embedder=embedder, asking=None)  # a replay asks no model


def _windows(recording: Recording, truths: Truths, clock: LogClock) -> Iterator[list[tuple[Raw, Label]]]:
    """Runs of messages that are taken together: none after a question, none further apart than the span."""
    window: list[tuple[Raw, Label]] = []
    for raw in recording.raws():
        moment = clock.moment(raw.message)
        if window and (len(window) >= WINDOW or (moment is not None and moment - clock.now() > _SPAN)):
            yield window
            window = []
        if not window:
            clock.tell(raw.message)
        label = truths.labels.get(raw.key, NO_LABEL)
        window.append((raw, label))
        if label.recall:
            for taken, _ in window:
                clock.tell(taken.message)
            yield window
            window = []
    if window:
        yield window
