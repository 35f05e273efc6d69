"""upkeep, backup: what a scheduler runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from forms_dynamics.cli.options import Call, moment

if TYPE_CHECKING:
    from forms_dynamics.model.report import Upkeep


def upkeep(
    call: Call,
    *,
    now: Annotated[
        str | None, typer.Option("--now", metavar="TIME", help="As if it were then (ISO 8601).")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done and found, write nothing.")
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", metavar="N", min=0, help="Stop after about so long; the next run goes on."),
    ] = None,
) -> int:
    """The work that may wait, for cron: of all users, or of --user. Safe to run twice, anywhere, any time."""
    from forms_dynamics.cli.speech import put_json, say

    with call.memory() as memory:
        done = memory.upkeep(now=moment(now, "--now"), dry_run=dry_run, seconds=seconds)
    if call.as_json:
        put_json(done)
    else:
        _say_done(done)
    for failure in done.failed:
        whose = f" for {failure.user}" if failure.user else ""
        say(f"{failure.step}{whose} could not be done: {failure.reason}")
    if not done.failed:
        return 0
    return 3 if all(failure.step == "vectors" for failure in done.failed) else 1


# (field, what one is called, what several are called), in the order in which it is told
_TOLD = (
    ("accesses", "access noted", "accesses noted"),
    ("replies", "old reply of a model dropped", "old replies of models dropped"),
    ("expired_questions", "unanswered question closed", "unanswered questions closed"),
    ("archived", "document archived", "documents archived"),
    ("dropped", "stray row dropped", "stray rows dropped"),
    ("gone", "finding is no more", "findings are no more"),
    ("found", "finding put up for review", "findings put up for review"),
    ("vectors", "document embedded", "documents embedded"),
)
_SHOWN = 10  # findings on a terminal


def _say_done(done: Upkeep) -> None:
    """A line; on a terminal what was found as well."""
    from rich.markup import escape

    from forms_dynamics.cli.show import Paper

    counts = [(getattr(done, name), one, many) for name, one, many in _TOLD]
    told = [f"{n:,} {one if n == 1 else many}" for n, one, many in counts if n]
    begin = "would do: " if done.dry_run and told else ""
    rest = "; time ran out, the next run goes on" if done.left else ""
    paper = Paper()
    paper.line(f"{begin}{', '.join(told) or ('not yet finished' if done.left else 'nothing to do')}{rest}")
    if not paper.console.is_terminal:
        return
    for finding in done.findings[:_SHOWN]:
        answer = f"[dim]confirm {finding.pending}[/]" if finding.pending else "[dim]a candidate link[/]"
        paper.line(f"{escape(finding.text)}  {answer}", indent=2)
    if done.found > _SHOWN:
        paper.line(f"[dim]and {done.found - _SHOWN:,} more: --json tells all, `pending` asks[/]", indent=2)


def backup(
    call: Call,
    path: Annotated[str, typer.Argument(metavar="PATH", help="A new file; nothing is overwritten.")],
) -> int:
    """A consistent copy of the whole database in one file, taken beside traffic."""
    from pathlib import Path

    from forms_dynamics.cli.speech import put_json

    with call.memory() as memory:
        memory.backup(path)
    size = Path(path).stat().st_size
    if call.as_json:
        put_json({"file": path, "bytes": size})
    else:
        from forms_dynamics.cli.show import Paper

        Paper().report("wrote", {"file": path, "bytes": size})
    return 0
