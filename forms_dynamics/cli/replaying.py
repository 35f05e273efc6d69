"""replay, tune: logs played again under other settings."""

from __future__ import annotations

import itertools
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

from forms_dynamics.cli.options import LogCall, read_settings, scalar

if TYPE_CHECKING:
    from forms_dynamics.model.message import Cost
    from forms_dynamics.replay.conditions import Condition
    from forms_dynamics.replay.raws import Recording
    from forms_dynamics.replay.values import Run
    from forms_dynamics.settings import Settings

T = TypeVar("T")
Logs = Annotated[
    list[str] | None,
    typer.Argument(metavar="[LOG]...", help="Conversation logs, or a recording; - reads stdin."),
]
RecordingFile = Annotated[
    Path | None,
    typer.Option("--recording", metavar="FILE", help="Keeps what was read from the logs; made if need be."),
]
Report = Annotated[
    Path | None, typer.Option("--report", metavar="FILE.html", help="Writes a page that stands alone.")
]
Language = Annotated[
    Literal["en", "zh"] | None,
    typer.Option("--lang", help="Of the report; that of most messages by default."),
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", min=1, help="Processes; one a core by default. The results do not differ."),
]
Grid = Annotated[
    bool, typer.Option("--grid", help="Every combination of the values, not one setting at a time.")
]


def replay(
    call: LogCall,
    logs: Logs = None,
    *,
    recording: RecordingFile = None,
    grid: Grid = False,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="RUN|SETTINGS|KEY=VALUE",
            help="Compare turn by turn with a saved run, or with other settings.",
        ),
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Keep the run, for --against later on.")
    ] = None,
    fail_if: Annotated[
        list[str] | None,
        typer.Option("--fail-if", metavar="CONDITION", help='Exit code 1 if it holds: "precision < 0.97".'),
    ] = None,
    report: Report = None,
    lang: Language = None,
    workers: Workers = None,
) -> int:
    """Play logs again, through the whole pipeline, under these settings or several."""
    from forms_dynamics.replay.conditions import alternatives
    from forms_dynamics.replay.diff import check_comparable
    from forms_dynamics.replay.report import best_run, report_json

    conditions = _right_use("--fail-if", lambda: alternatives(fail_if or ()))
    base, varied = _settings(call)
    start, own = _from_defaults(base)
    plans: list[Mapping[str, Any]] = [{**own, **plan} for plan in _plans(varied, grid)]
    if len(plans) > 1 and (against is not None or save is not None):
        raise typer.BadParameter("one run is compared or saved: give one value", param_hint="--set")
    before = _compared(against, base)
    _can_write({"--recording": recording, "--save": save, "--report": report})
    with _recorded(call, logs or [], recording, base) as made:
        if isinstance(before, Mapping):
            plans = [*plans, before]
        runs = _play(call, made, plans, start, workers, turns=len(plans) <= 2)
        if len(runs) > 2:  # of many only two are looked at turn by turn
            shown = {0, runs.index(best_run(runs, "f1"))}
            for place, run in zip(
                sorted(shown),
                _play(call, made, [plans[i] for i in sorted(shown)], start, workers, turns=True),
                strict=True,
            ):
                runs[place] = run
        was = runs.pop() if isinstance(before, Mapping) else before
        if save is not None:
            from forms_dynamics.replay.files import write_run

            write_run(runs[0], save)
        both = runs if was is None else [was, *runs]
        if was is not None:
            check_comparable(*both)
        content = report_json(
            both, messages=_words(made), compared=was is not None, settings=start, lang=lang
        )
        _tell(call, content, report)
    return _failed(call, runs, conditions)


def tune(
    call: LogCall,
    logs: Logs = None,
    *,
    recording: RecordingFile = None,
    objective: Annotated[str, typer.Option("--objective", metavar="FIGURE", help="What to better.")] = "f1",
    require: Annotated[
        list[str] | None,
        typer.Option("--require", metavar="CONDITION", help='Must hold: "questions_per_turn <= 0.2".'),
    ] = None,
    grid: Grid = False,
    held_out: Annotated[
        float, typer.Option("--held-out", min=0.05, max=0.8, help="Share of conversations to judge on.")
    ] = 0.3,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.yaml", help="Write the settings that won.")
    ] = None,
    report: Report = None,
    lang: Language = None,
    workers: Workers = None,
) -> int:
    """Choose settings by what they do on logs, judged on conversations that they were not chosen on."""
    from forms_dynamics.inputs import did_you_mean
    from forms_dynamics.replay.conditions import requirements
    from forms_dynamics.replay.figures import FIGURES
    from forms_dynamics.replay.outcome import settings_text
    from forms_dynamics.replay.report import report_json
    from forms_dynamics.replay.tune import tune

    constraints = _right_use("--require", lambda: requirements(require or ()))
    if objective not in FIGURES:
        raise typer.BadParameter(
            f"no figure {objective!r}{did_you_mean(objective, FIGURES)}; there are {', '.join(FIGURES)}",
            param_hint="--objective",
        )
    base, varied = _settings(call)
    _can_write({"--recording": recording, "--out": out, "--report": report})
    with _recorded(call, logs or [], recording, base) as made:

        def run_all(plans: Sequence[Mapping[str, Any]]) -> Sequence[Run]:
            return _play(call, made, plans, base, workers, turns=False)

        found = tune(
            run_all, base, varied or None, objective=objective, constraints=constraints, grid=grid,
            held_out=held_out, users=_users(made),
        )  # fmt: skip
        text = settings_text(found, base)
        if out is not None:
            out.write_text(text, encoding="utf-8")
        chosen = found.winner or found.candidate
        today, tuned = _play(call, made, [{}, chosen], base, workers, turns=True)
        content = report_json(
            found,
            messages=_words(made),
            today=today,
            tuned=tuned,
            settings=base,
            settings_file=text,
            lang=lang,
        )
        _tell(call, content, report)
    return 0


# -- what is played ------------------------------------------------------------------------------------------
def _settings(call: LogCall) -> tuple[Settings, dict[str, list[Any]]]:
    """The settings to begin with, and for each that is varied its values."""
    given: dict[str, Any] = {}
    varied: dict[str, list[Any]] = {}
    for pair in call.set_ or ():
        name, equals, text = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair!r} is not KEY=VALUE or KEY=VALUE,VALUE", param_hint="--set")
        values = [scalar(value) for value in text.split(",")]
        if len(values) == 1:
            given[name.strip()] = values[0]
        else:
            varied[name.strip()] = values
    base = read_settings(call.settings, given)
    for name, values in varied.items():
        for value in values:  # a wrong one is told before anything is read
            read_settings(None, {name: value})
    return base, varied


def _from_defaults(settings: Settings) -> tuple[Settings, dict[str, Any]]:
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


def _plans(varied: Mapping[str, Sequence[Any]], grid: bool) -> list[Mapping[str, Any]]:
    if grid and varied:
        return [dict(zip(varied, values, strict=True)) for values in itertools.product(*varied.values())]
    return [{name: value} for name, values in varied.items() for value in values] or [{}]


@contextmanager
def _recorded(
    call: LogCall, logs: Sequence[str], file: Path | None, settings: Settings
) -> Iterator[Recording]:
    """The recording of the logs: in ``file``, which is gone on with, or in a place that goes away."""
    from forms_dynamics.cli.bars import Bar
    from forms_dynamics.replay.raws import Recording, is_recording
    from forms_dynamics.replay.recording import record

    missing = [name for name in logs if name != "-" and not Path(name).is_file()]
    if missing:
        raise typer.BadParameter(f"no such file: {', '.join(missing)}", param_hint="LOG")
    if len(logs) == 1 and logs[0] != "-" and is_recording(logs[0]):
        yield Recording.open(logs[0])
        return
    if not logs:
        if file is None:
            raise typer.BadParameter("give a log, or a recording", param_hint="LOG")
        yield Recording.open(file)
        return
    if file is None and settings.model is not None:
        raise typer.BadParameter(
            "a model's replies cost money: name a file that keeps them", param_hint="--recording"
        )
    messages = _messages(call, logs)
    with tempfile.TemporaryDirectory() as scratch, Bar("reading", call.as_json) as bar:
        made = record(
            messages, file or Path(scratch, "recording.jsonl"), form_types=call.form_types,
            relation_rules=call.relation_rules, settings=settings,
            progress=lambda p: bar.to(p.done, p.of, _costs(p.cost)),
        )  # fmt: skip
        _tell_recorded(call, made)
        yield made


def _costs(cost: Cost) -> str:
    if not cost.model_calls:
        return ""
    return f"{cost.model_calls:,} calls, {cost.tokens_in:,} + {cost.tokens_out:,} tokens"


def _tell_recorded(call: LogCall, made: Recording) -> None:
    """What the recording cost in all, and what is not in it."""
    from forms_dynamics.cli.speech import say

    if call.as_json:
        return
    if costs := _costs(made.cost):
        say(f"recorded {made.messages:,} messages: {costs}")
    if made.failed:
        say(f"{made.failed:,} messages could not be read; the same command tries them again")
    for id, why in made.skipped:
        say(f"not taken: {id}: {why}")


def _play(
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


def _messages(call: LogCall, logs: Sequence[str]) -> list[dict[str, Any]]:
    """What the logs hold; what could not be read is told."""
    from forms_dynamics.cli.speech import say, say_error
    from forms_dynamics.replay.logs import BadLine, read_logs

    skipped: Counter[str] = Counter()
    messages: list[dict[str, Any]] = []
    for line in read_logs(logs, skipped=skipped):
        if not isinstance(line, BadLine):
            messages.append({**line.message, "user": line.user, "expect": line.expect})
        elif call.as_json:
            say_error("bad_line", str(line), 1, True)
        else:
            say(f"skipped {line}")
    for what, count in skipped.most_common():
        say(f"left out: {count:,} {what}")
    if not messages:
        raise typer.BadParameter("holds no message", param_hint="LOG")
    return messages


def _users(made: Recording) -> dict[str, str | None]:
    """Whose each conversation is."""
    from forms_dynamics.replay.flow import conversation_name

    return {conversation_name(raw.key[0], raw.message): raw.key[0] or None for raw in made.raws()}


def _can_write(files: Mapping[str, Path | None]) -> None:
    """Says where a result cannot be put before anything is reckoned."""
    for option, file in files.items():
        if file is not None and (not file.parent.is_dir() or file.is_dir()):
            what = "is a folder" if file.is_dir() else "is in no folder that is there"
            raise typer.BadParameter(f"{file} {what}", param_hint=option)


def _compared(against: str | None, settings: Settings) -> Run | Mapping[str, Any] | None:
    """What ``--against`` names: a saved run, or a plan."""
    if against is None:
        return None
    from forms_dynamics.replay.files import read_run

    if not Path(against).is_file():
        name, equals, text = against.partition("=")
        if not equals:
            raise typer.BadParameter(f"no file {against}, and not KEY=VALUE", param_hint="--against")
        other = read_settings(None, {**settings.model_dump(), name.strip(): scalar(text)})
    elif against.endswith((".yaml", ".yml")):
        other = read_settings(against, {})
    else:
        return read_run(against)
    return _from_defaults(other)[1]


def _right_use(option: str, read: Callable[[], T]) -> T:
    """What an option says; what it says wrongly is wrong usage."""
    from forms_dynamics.errors import InvalidInput

    try:
        return read()
    except InvalidInput as wrong:
        raise typer.BadParameter(str(wrong), param_hint=option) from None


def _failed(call: LogCall, runs: Sequence[Run], conditions: Sequence[tuple[Condition, ...]]) -> int:
    """Exit code 1, and why, where a condition of ``--fail-if`` holds of a run."""
    from forms_dynamics.cli.speech import say_error
    from forms_dynamics.replay.conditions import failing, told
    from forms_dynamics.replay.figures import figures

    worst = 0
    for run in runs if conditions else ():
        found = figures(run.total())
        for together in failing(conditions, found):
            under = "".join(f", with {name} {value}" for name, value in run.settings.items())
            worst = say_error("failed_check", f"{told(together, found)}{under}", 1, call.as_json)
    return worst


def _words(made: Recording) -> Iterator[Mapping[str, Any]]:
    return (raw.message for raw in made.raws())


def _tell(call: LogCall, content: Mapping[str, Any], report: Path | None) -> None:
    """What was found: on the terminal or as JSON, and as a page where one is wanted."""
    if report is not None:
        from forms_dynamics.replay.report import report_html

        report.write_text(report_html(content), encoding="utf-8")
    if call.as_json:
        from forms_dynamics.cli.speech import put_json

        put_json(content)
    else:
        from forms_dynamics.cli.reported import show_report

        show_report(content)
