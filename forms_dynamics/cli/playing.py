"""What replay and tune play: logs read into a recording, settings to try, runs with a bar."""

from __future__ import annotations

import itertools
import math
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from forms_dynamics.cli.options import LogCall, read_settings, right_use, scalar

if TYPE_CHECKING:
    from forms_dynamics.model.message import Cost
    from forms_dynamics.replay.raws import Recording
    from forms_dynamics.replay.values import Run
    from forms_dynamics.settings import Settings


@dataclass
class Source:
    """A recording, and how many messages of the logs are not in it that should be."""

    recording: Recording
    problems: int = 0


def settings_of(call: LogCall) -> tuple[Settings, dict[str, list[Any]]]:
    """The settings to begin with, and for each that is varied its values."""
    from forms_dynamics.replay.dimensions import check_tunable

    given: dict[str, Any] = {}
    varied: dict[str, list[Any]] = {}
    for pair in call.set_ or ():
        name, equals, text = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair!r} is not KEY=VALUE or KEY=VALUE,VALUE", param_hint="--set")
        name, values = name.strip(), [scalar(value) for value in text.split(",")]
        if name in given or name in varied:
            raise typer.BadParameter(
                f"{name} is given twice: {name}=VALUE,VALUE tries both", param_hint="--set"
            )
        if len(values) == 1:
            given[name] = values[0]
        else:
            varied[name] = values
    base = read_settings(call.settings, given)
    for name, values in varied.items():  # what is wrong is told before anything is read
        for value in values:
            read_settings(None, {name: value})
        right_use("--set", partial(check_tunable, name))
    return base, varied


def from_defaults(settings: Settings) -> tuple[Settings, dict[str, Any]]:
    """The settings with the defaults of what a replay can vary, and what differs from these: a run then says all
    that it was played under, also to one that is compared with it a month later. A model's back-check is in
    the recording.
    """
    from forms_dynamics.replay.dimensions import TUNABLE, differing
    from forms_dynamics.settings import Settings

    plain = Settings()
    start = settings.model_copy(update={name: getattr(plain, name) for name in TUNABLE})
    own = {name: getattr(settings, name) for name in TUNABLE}
    if settings.back_check == "model":
        del own["back_check"]
    return start, differing(own, plain)


def plans_of(varied: Mapping[str, Sequence[Any]], grid: bool) -> list[Mapping[str, Any]]:
    from forms_dynamics.replay.dimensions import MOST_COMBINATIONS

    if grid and varied:
        if (count := math.prod(map(len, varied.values()))) > MOST_COMBINATIONS:
            raise typer.BadParameter(
                f"{count} combinations are more than {MOST_COMBINATIONS}: give fewer values",
                param_hint="--grid",
            )
        return [dict(zip(varied, values, strict=True)) for values in itertools.product(*varied.values())]
    return [{name: value} for name, values in varied.items() for value in values] or [{}]


@contextmanager
def recorded(call: LogCall, logs: Sequence[str], file: Path | None, settings: Settings) -> Iterator[Source]:
    """The recording of the logs: in ``file``, which is gone on with, or in a place that goes away."""
    from forms_dynamics.cli.bars import Bar
    from forms_dynamics.replay.raws import Recording, is_recording
    from forms_dynamics.replay.recording import record

    missing = [name for name in logs if name != "-" and not Path(name).is_file()]
    if missing:
        raise typer.BadParameter(f"no such file: {', '.join(missing)}", param_hint="LOG")
    if len(logs) == 1 and logs[0] != "-" and is_recording(logs[0]):
        yield Source(Recording.open(logs[0]))
        return
    if not logs:
        if file is None:
            raise typer.BadParameter("give a log, or a recording", param_hint="LOG")
        yield Source(Recording.open(file))
        return
    if file is None and settings.model is not None:
        raise typer.BadParameter(
            "a model's replies cost money: name a file that keeps them", param_hint="--recording"
        )
    messages, bad = _messages(call, logs)
    with tempfile.TemporaryDirectory() as scratch, Bar("reading", call.as_json) as bar:
        made = record(
            messages, file or Path(scratch, "recording.jsonl"), form_types=call.form_types,
            relation_rules=call.relation_rules, settings=settings,
            progress=lambda p: bar.to(p.done, p.of, _costs(p.cost)),
        )  # fmt: skip
        yield Source(made, bad + _tell_recorded(call, made))


def _messages(call: LogCall, logs: Sequence[str]) -> tuple[list[dict[str, Any]], int]:
    """What the logs hold, and how many lines could not be read; they are told."""
    from forms_dynamics.cli.speech import say
    from forms_dynamics.replay.logs import BadLine, read_logs

    skipped: Counter[str] = Counter()
    messages: list[dict[str, Any]] = []
    bad = 0
    for line in read_logs(logs, skipped=skipped):
        if isinstance(line, BadLine):
            bad += 1
            _tell_bad(call, f"{line}")
        else:
            messages.append({**line.message, "user": line.user, "expect": line.expect})
    for what, count in skipped.most_common():
        say(f"left out: {count:,} {what}")
    if not messages:
        raise typer.BadParameter("holds no message", param_hint="LOG")
    return messages, bad


def _tell_recorded(call: LogCall, made: Recording) -> int:
    """What the recording cost in all, and what is not in it; how many messages should be."""
    from forms_dynamics.cli.speech import say
    from forms_dynamics.replay.recording import TWICE

    if not call.as_json and (costs := _costs(made.cost)):
        say(f"recorded {made.messages:,} messages: {costs}")
    if made.failed:
        say(f"{made.failed:,} messages could not be read; the same command tries them again")
    refused = [(id, why) for id, why in made.skipped if why != TWICE]
    for id, why in refused:
        _tell_bad(call, f"message {id} was not taken: {why}")
    return len(refused)


def _tell_bad(call: LogCall, what: str) -> None:
    from forms_dynamics.cli.speech import say, say_error

    if call.as_json:
        say_error("bad_line", what, 1, True)
    else:
        say(what)


def _costs(cost: Cost) -> str:
    if not cost.model_calls:
        return ""
    return f"{cost.model_calls:,} calls, {cost.tokens_in:,} + {cost.tokens_out:,} tokens"


def play_plans(
    call: LogCall,
    made: Recording,
    plans: Sequence[Mapping[str, Any]],
    settings: Settings,
    workers: int | None,
    turns: bool,
) -> list[Run]:
    from forms_dynamics.cli.bars import Bar
    from forms_dynamics.replay.sweep import play

    with Bar("playing", call.as_json) as bar:
        return play(
            made, plans, form_types=call.form_types, relation_rules=call.relation_rules, settings=settings,
            keep_turns=turns, workers=workers, progress=lambda p: bar.to(p.done, p.of),
        )  # fmt: skip


def users_of(made: Recording) -> dict[str, str | None]:
    """Whose each conversation is."""
    from forms_dynamics.replay.flow import conversation_name

    return {conversation_name(raw.key[0], raw.message): raw.key[0] or None for raw in made.raws()}


def words_of(made: Recording) -> Iterator[Mapping[str, Any]]:
    return (raw.message for raw in made.raws())


__all__ = [
    "Source",
    "from_defaults",
    "plans_of",
    "play_plans",
    "recorded",
    "settings_of",
    "users_of",
    "words_of",
]
