"""replay, tune: logs played again under other settings."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from forms_dynamics.cli.options import LogCall, read_settings, right_use, scalar
from forms_dynamics.cli.playing import (
    from_defaults,
    plans_of,
    play_plans,
    recorded,
    settings_of,
    users_of,
    words_of,
)

if TYPE_CHECKING:
    from forms_dynamics.replay.conditions import Condition
    from forms_dynamics.replay.values import Run
    from forms_dynamics.settings import Settings

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

    conditions = right_use("--fail-if", lambda: alternatives(fail_if or ()))
    base, varied = settings_of(call)
    start, own = from_defaults(base)
    plans: list[Mapping[str, Any]] = [{**own, **plan} for plan in plans_of(varied, grid)]
    if len(plans) > 1 and (against is not None or save is not None):
        raise typer.BadParameter("one run is compared or saved: give one value", param_hint="--set")
    before = _compared(against, base)
    _can_write(call, [*(logs or []), recording, against], {"--save": save, "--report": report}, recording)
    with recorded(call, logs or [], recording, base) as source:
        made = source.recording
        if isinstance(before, Mapping):
            plans = [*plans, before]
        runs = play_plans(call, made, plans, start, workers, turns=len(plans) <= 2)
        if len(runs) > 2:  # of many only two are looked at turn by turn
            shown = {0, runs.index(best_run(runs, "f1"))}
            for place, run in zip(
                sorted(shown),
                play_plans(call, made, [plans[i] for i in sorted(shown)], start, workers, turns=True),
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
            both, messages=words_of(made), compared=was is not None, settings=start, lang=lang
        )
        _tell(call, content, report)
    return max(_failed(call, runs, conditions), int(source.problems > 0))


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

    constraints = right_use("--require", lambda: requirements(require or ()))
    if objective not in FIGURES:
        raise typer.BadParameter(
            f"no figure {objective!r}{did_you_mean(objective, FIGURES)}; there are {', '.join(FIGURES)}",
            param_hint="--objective",
        )
    base, varied = settings_of(call)
    _can_write(call, [*(logs or []), recording], {"--out": out, "--report": report}, recording)
    with recorded(call, logs or [], recording, base) as source:
        made = source.recording

        def run_all(plans: Sequence[Mapping[str, Any]]) -> Sequence[Run]:
            return play_plans(call, made, plans, base, workers, turns=False)

        found = tune(
            run_all, base, varied or None, objective=objective, constraints=constraints, grid=grid,
            held_out=held_out, users=users_of(made), without=("back_check",) if made.verifies else (),
        )  # fmt: skip
        text = settings_text(found, base)
        if out is not None:
            out.write_text(text, encoding="utf-8")
        chosen = found.winner or found.candidate
        today, tuned = play_plans(call, made, [{}, chosen], base, workers, turns=True)
        content = report_json(
            found,
            messages=words_of(made),
            today=today,
            tuned=tuned,
            settings=base,
            settings_file=text,
            lang=lang,
        )
        _tell(call, content, report)
    return int(source.problems > 0)


# -- what is played ------------------------------------------------------------------------------------------
def _can_write(
    call: LogCall,
    inputs: Sequence[str | Path | None],
    outputs: Mapping[str, Path | None],
    recording: Path | None,
) -> None:
    """Says before anything is reckoned where a result cannot be put: beside what is read, over something that is no
    result of these commands, into no folder."""
    taken = {
        _real(name): "is read" for name in (*inputs, call.settings, *_yaml_files(call)) if name is not None
    }
    if recording is not None:
        _in_a_folder("--recording", recording)
        for end in (".part", ".working", ".lock"):
            taken[_real(f"{recording}{end}")] = "is part of the recording"
    for option, file in outputs.items():
        if file is None:
            continue
        _in_a_folder(option, file)
        overwrites_itself = (
            option == "--out" and call.settings is not None and _real(file) == _real(call.settings)
        )
        if _real(file) in taken and not overwrites_itself:
            raise typer.BadParameter(f"{file} {taken[_real(file)]}: name another file", param_hint=option)
        if file.exists() and (not file.is_file() or not _is_result(option, file)):
            raise typer.BadParameter(
                f"{file} is there and is not what {option} writes: name another file", param_hint=option
            )
        taken[_real(file)] = "is written already"


def _real(name: str | Path) -> str:
    return os.path.realpath(name)


def _yaml_files(call: LogCall) -> Iterator[str]:
    for name in (*(call.form_types or ()), *(call.relation_rules or ())):
        path = Path(name)
        yield from map(str, path.rglob("*") if path.is_dir() else [path])


def _in_a_folder(option: str, file: Path) -> None:
    if not file.parent.is_dir() or file.is_dir():
        what = "is a folder" if file.is_dir() else "is in no folder that is there"
        raise typer.BadParameter(f"{file} {what}", param_hint=option)


def _is_result(option: str, file: Path) -> bool:
    """Whether a file may be replaced by what the option writes: one that it wrote, or an empty one."""
    with file.open("rb") as there:
        head = there.read(64).lstrip()
    begins = {"--save": b'{"run":', "--report": b"<!DOCTYPE html>", "--out": b""}[option]
    if option == "--out":
        right_use(option, lambda: read_settings(str(file), {}))  # it is a file of settings
    return not head or head.startswith(begins)


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
    return from_defaults(other)[1]


def _failed(call: LogCall, runs: Sequence[Run], conditions: Sequence[tuple[Condition, ...]]) -> int:
    """Exit code 1, and why, where a condition of ``--fail-if`` holds of a run."""
    from forms_dynamics.cli.speech import say_error
    from forms_dynamics.replay.conditions import UNMEASURED, failing, told
    from forms_dynamics.replay.figures import figures

    worst = 0
    for run in runs if conditions else ():
        counts = run.total()
        found = figures(counts)
        under = "".join(f", with {name} {value}" for name, value in run.settings.items())
        unmeasured = [one for together in conditions for one in together if one.holds(found) is None]
        for one in unmeasured:
            why = UNMEASURED[one.figure] if counts.accepted else "nothing was accepted"
            told_why = f"{one} cannot be checked{under}: not measured, since {why}"
            worst = say_error("failed_check", told_why, 1, call.as_json)
        for together in failing(conditions, found) if not unmeasured else ():
            worst = say_error("failed_check", f"{told(together, found)}{under}", 1, call.as_json)
    return worst


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
