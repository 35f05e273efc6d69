"""What a replay or a tuning found: on the terminal, as JSON, as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from forms_dynamics.replay.recording import Recording
from forms_dynamics.replay.report import report_html, report_json
from forms_dynamics.replay.values import Run, Tuning
from forms_dynamics.settings import Settings


def tell_runs(
    runs: Sequence[Run],
    made: Recording,
    settings: Settings,
    *,
    compared: bool,
    report: Path | None,
    lang: str | None,
    as_json: bool,
) -> None:
    """One run, several, or two that are compared, the earlier one first."""
    content = report_json(
        list(runs),
        messages=(raw.message for raw in made.raws()),
        compared=compared,
        settings=settings,
        lang=lang,
    )
    _put(content, made, report, as_json)


def tell_tuning(
    found: Tuning,
    today: Run,
    tuned: Run,
    made: Recording,
    settings: Settings,
    text: str,
    *,
    out: Path | None,
    report: Path | None,
    lang: str | None,
    as_json: bool,
) -> None:
    """What was chosen, and why. ``text``: the settings file; ``out``: where it was written."""
    content = report_json(
        found, messages=(raw.message for raw in made.raws()), today=today, tuned=tuned, settings=settings,
        settings_file=text, lang=lang,
    )  # fmt: skip
    _put(content, made, report, as_json)


def _put(content: Mapping[str, Any], made: Recording, report: Path | None, as_json: bool) -> None:
    if report is not None:
        report.write_text(report_html(content), encoding="utf-8")
    if as_json:
        from forms_dynamics.cli.speech import put_json

        put_json(content)
    else:
        print(content)


__all__ = ["tell_runs", "tell_tuning"]
